//! [`Encoding`] to and from `&'static encoding_rs::Encoding`, for programs that use crates with encoding_rs in their
//! interfaces.

use crate::{Encoding, LabelError, Name};

impl From<Encoding> for &'static encoding_rs::Encoding {
    /// The encoding of encoding_rs with the same name.
    ///
    /// ```
    /// use textcodec::SHIFT_JIS;
    ///
    /// let encoding: &'static encoding_rs::Encoding = SHIFT_JIS.into();
    /// assert_eq!(encoding, encoding_rs::SHIFT_JIS);
    /// ```
    fn from(encoding: Encoding) -> Self {
        match encoding.id() {
            Name::Utf8 => encoding_rs::UTF_8,
            Name::Ibm866 => encoding_rs::IBM866,
            Name::Iso8859_2 => encoding_rs::ISO_8859_2,
            Name::Iso8859_3 => encoding_rs::ISO_8859_3,
            Name::Iso8859_4 => encoding_rs::ISO_8859_4,
            Name::Iso8859_5 => encoding_rs::ISO_8859_5,
            Name::Iso8859_6 => encoding_rs::ISO_8859_6,
            Name::Iso8859_7 => encoding_rs::ISO_8859_7,
            Name::Iso8859_8 => encoding_rs::ISO_8859_8,
            Name::Iso8859_8I => encoding_rs::ISO_8859_8_I,
            Name::Iso8859_10 => encoding_rs::ISO_8859_10,
            Name::Iso8859_13 => encoding_rs::ISO_8859_13,
            Name::Iso8859_14 => encoding_rs::ISO_8859_14,
            Name::Iso8859_15 => encoding_rs::ISO_8859_15,
            Name::Iso8859_16 => encoding_rs::ISO_8859_16,
            Name::Koi8R => encoding_rs::KOI8_R,
            Name::Koi8U => encoding_rs::KOI8_U,
            Name::Macintosh => encoding_rs::MACINTOSH,
            Name::Windows874 => encoding_rs::WINDOWS_874,
            Name::Windows1250 => encoding_rs::WINDOWS_1250,
            Name::Windows1251 => encoding_rs::WINDOWS_1251,
            Name::Windows1252 => encoding_rs::WINDOWS_1252,
            Name::Windows1253 => encoding_rs::WINDOWS_1253,
            Name::Windows1254 => encoding_rs::WINDOWS_1254,
            Name::Windows1255 => encoding_rs::WINDOWS_1255,
            Name::Windows1256 => encoding_rs::WINDOWS_1256,
            Name::Windows1257 => encoding_rs::WINDOWS_1257,
            Name::Windows1258 => encoding_rs::WINDOWS_1258,
            Name::XMacCyrillic => encoding_rs::X_MAC_CYRILLIC,
            Name::Gbk => encoding_rs::GBK,
            Name::Gb18030 => encoding_rs::GB18030,
            Name::Big5 => encoding_rs::BIG5,
            Name::EucJp => encoding_rs::EUC_JP,
            Name::Iso2022Jp => encoding_rs::ISO_2022_JP,
            Name::ShiftJis => encoding_rs::SHIFT_JIS,
            Name::EucKr => encoding_rs::EUC_KR,
            Name::Replacement => encoding_rs::REPLACEMENT,
            Name::Utf16Be => encoding_rs::UTF_16BE,
            Name::Utf16Le => encoding_rs::UTF_16LE,
            Name::XUserDefined => encoding_rs::X_USER_DEFINED,
        }
    }
}

impl TryFrom<&'static encoding_rs::Encoding> for Encoding {
    type Error = LabelError;

    /// The encoding with the same name.
    ///
    /// ```
    /// use textcodec::{Encoding, SHIFT_JIS};
    ///
    /// assert_eq!(Encoding::try_from(encoding_rs::SHIFT_JIS), Ok(SHIFT_JIS));
    /// ```
    ///
    /// # Errors
    /// [`LabelError::NotLinked`] if the encoding is not enabled. With the default features all encodings are.
    fn try_from(encoding: &'static encoding_rs::Encoding) -> Result<Self, LabelError> {
        // Every name is also a label.
        Encoding::for_label(encoding.name())
    }
}
