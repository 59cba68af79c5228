//! [Names](https://encoding.spec.whatwg.org/#names-and-labels) of the 40 encodings, a closed set.

use core::fmt;

use crate::generated::names::NAMES;

/// The [name](https://encoding.spec.whatwg.org/#name) of an encoding, in the order of the Standard's table.
///
/// Naming an encoding links nothing: a [`Name`] says which encoding is meant, an
/// [`Encoding`](crate::Encoding) can also decode and encode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // Each variant is its name.
pub enum Name {
    Utf8,
    Ibm866,
    Iso8859_2,
    Iso8859_3,
    Iso8859_4,
    Iso8859_5,
    Iso8859_6,
    Iso8859_7,
    Iso8859_8,
    Iso8859_8I,
    Iso8859_10,
    Iso8859_13,
    Iso8859_14,
    Iso8859_15,
    Iso8859_16,
    Koi8R,
    Koi8U,
    Macintosh,
    Windows874,
    Windows1250,
    Windows1251,
    Windows1252,
    Windows1253,
    Windows1254,
    Windows1255,
    Windows1256,
    Windows1257,
    Windows1258,
    XMacCyrillic,
    Gbk,
    Gb18030,
    Big5,
    EucJp,
    Iso2022Jp,
    ShiftJis,
    EucKr,
    Replacement,
    Utf16Be,
    Utf16Le,
    XUserDefined,
}

impl Name {
    /// The encoding whose name is exactly `name`, as [`as_str`](Self::as_str) gives it and files of one's own may keep it; `None`
    /// if there is none. For what others write there are labels: [`for_label`](Self::for_label).
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

    /// All names, in the order of the Standard's table.
    pub const ALL: [Name; 40] = [
        Name::Utf8,
        Name::Ibm866,
        Name::Iso8859_2,
        Name::Iso8859_3,
        Name::Iso8859_4,
        Name::Iso8859_5,
        Name::Iso8859_6,
        Name::Iso8859_7,
        Name::Iso8859_8,
        Name::Iso8859_8I,
        Name::Iso8859_10,
        Name::Iso8859_13,
        Name::Iso8859_14,
        Name::Iso8859_15,
        Name::Iso8859_16,
        Name::Koi8R,
        Name::Koi8U,
        Name::Macintosh,
        Name::Windows874,
        Name::Windows1250,
        Name::Windows1251,
        Name::Windows1252,
        Name::Windows1253,
        Name::Windows1254,
        Name::Windows1255,
        Name::Windows1256,
        Name::Windows1257,
        Name::Windows1258,
        Name::XMacCyrillic,
        Name::Gbk,
        Name::Gb18030,
        Name::Big5,
        Name::EucJp,
        Name::Iso2022Jp,
        Name::ShiftJis,
        Name::EucKr,
        Name::Replacement,
        Name::Utf16Be,
        Name::Utf16Le,
        Name::XUserDefined,
    ];

    /// The name as the Standard writes it, for example `"Shift_JIS"`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Name::Utf8 => "UTF-8",
            Name::Ibm866 => "IBM866",
            Name::Iso8859_2 => "ISO-8859-2",
            Name::Iso8859_3 => "ISO-8859-3",
            Name::Iso8859_4 => "ISO-8859-4",
            Name::Iso8859_5 => "ISO-8859-5",
            Name::Iso8859_6 => "ISO-8859-6",
            Name::Iso8859_7 => "ISO-8859-7",
            Name::Iso8859_8 => "ISO-8859-8",
            Name::Iso8859_8I => "ISO-8859-8-I",
            Name::Iso8859_10 => "ISO-8859-10",
            Name::Iso8859_13 => "ISO-8859-13",
            Name::Iso8859_14 => "ISO-8859-14",
            Name::Iso8859_15 => "ISO-8859-15",
            Name::Iso8859_16 => "ISO-8859-16",
            Name::Koi8R => "KOI8-R",
            Name::Koi8U => "KOI8-U",
            Name::Macintosh => "macintosh",
            Name::Windows874 => "windows-874",
            Name::Windows1250 => "windows-1250",
            Name::Windows1251 => "windows-1251",
            Name::Windows1252 => "windows-1252",
            Name::Windows1253 => "windows-1253",
            Name::Windows1254 => "windows-1254",
            Name::Windows1255 => "windows-1255",
            Name::Windows1256 => "windows-1256",
            Name::Windows1257 => "windows-1257",
            Name::Windows1258 => "windows-1258",
            Name::XMacCyrillic => "x-mac-cyrillic",
            Name::Gbk => "GBK",
            Name::Gb18030 => "gb18030",
            Name::Big5 => "Big5",
            Name::EucJp => "EUC-JP",
            Name::Iso2022Jp => "ISO-2022-JP",
            Name::ShiftJis => "Shift_JIS",
            Name::EucKr => "EUC-KR",
            Name::Replacement => "replacement",
            Name::Utf16Be => "UTF-16BE",
            Name::Utf16Le => "UTF-16LE",
            Name::XUserDefined => "x-user-defined",
        }
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
