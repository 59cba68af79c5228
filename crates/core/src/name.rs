//! [Names](https://encoding.spec.whatwg.org/#names-and-labels) of the 40 encodings, a closed set.

use core::fmt;

use crate::generated::names::NAMES;
pub use crate::generated::names::Name;

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
