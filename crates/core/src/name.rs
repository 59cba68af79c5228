//! [Names](https://encoding.spec.whatwg.org/#names-and-labels) of the 40 encodings, a closed set.

use core::fmt;

pub use crate::generated::names::Name;
use crate::{Bom, generated::names::NAMES};

impl Name {
    /// The encoding whose name is exactly `name`, as [`as_str`](Self::as_str) returns it; `None` if there is none. Use
    /// this for names that your program has stored itself. For labels in text from other sources, use
    /// [`for_label`](Self::for_label).
    ///
    /// ```
    /// use textcodec_core::Name;
    ///
    /// assert_eq!(Name::for_name("Shift_JIS"), Some(Name::ShiftJis));
    /// assert_eq!(Name::for_name("shift_jis"), None);
    /// ```
    #[must_use]
    pub fn for_name(name: &str) -> Option<Name> {
        NAMES.get(name).copied()
    }

    /// [Get an output encoding](https://encoding.spec.whatwg.org/#get-an-output-encoding): UTF-8 for replacement,
    /// UTF-16BE and UTF-16LE, which have no encoder; any other encoding itself.
    #[must_use]
    pub const fn output(self) -> Name {
        match self {
            Name::Replacement | Name::Utf16Be | Name::Utf16Le => Name::Utf8,
            _ => self,
        }
    }

    /// Whether this is a legacy single-byte encoding or x-user-defined: each byte is a scalar value or an error.
    #[must_use]
    pub const fn is_single_byte(self) -> bool {
        let legacy = Name::Ibm866 as u8 <= self as u8 && self as u8 <= Name::XMacCyrillic as u8;
        legacy || matches!(self, Name::XUserDefined)
    }

    /// Whether an ASCII byte that is not part of a longer sequence always means the ASCII character. True except for
    /// ISO-2022-JP, UTF-16BE, UTF-16LE and replacement.
    #[must_use]
    pub const fn is_ascii_compatible(self) -> bool {
        !matches!(self, Name::Iso2022Jp | Name::Utf16Be | Name::Utf16Le | Name::Replacement)
    }

    /// The encoding's own byte order mark, which only UTF-8, UTF-16BE and UTF-16LE have.
    #[must_use]
    pub const fn bom(self) -> Option<Bom> {
        match self {
            Name::Utf8 => Some(Bom::Utf8),
            Name::Utf16Be => Some(Bom::Utf16Be),
            Name::Utf16Le => Some(Bom::Utf16Le),
            _ => None,
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl core::str::FromStr for Name {
    type Err = crate::LabelError;

    /// [`Name::for_label`].
    fn from_str(label: &str) -> Result<Self, Self::Err> {
        Name::for_label(label.as_bytes())
    }
}
