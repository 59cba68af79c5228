//! The 40 encodings of the [Encoding Standard](https://encoding.spec.whatwg.org/#names-and-labels).

use textcodec_core::{Codec, EncoderHalves, Encoders, Name, Registry};

use crate::Encoding;

/// Defines the two `static`s of each encoding and the tables of all encodings, from lines of: name in Rust, name of the
/// `_INIT` form, the core's name, path of the core's `static`. The lines are in the order of the Standard's table,
/// which is the order of [`Name`].
macro_rules! encodings {
    ($($static:ident $init:ident $name:ident $path:path, $doc:literal;)+) => {
        $(
            #[doc = concat!("[", $doc, "](https://encoding.spec.whatwg.org/#names-and-labels).")]
            ///
            /// It is the one instance of this encoding. An array of references needs the form with `_INIT`.
            pub static $static: &Encoding = &$init;

            #[doc = concat!("The instance that [`", stringify!($static), "`] refers to, for initialisers of arrays.")]
            pub static $init: Encoding = {
                static HALF: Codec = $path.codec().decoding_half();
                Encoding::new(&HALF, Name::$name)
            };
        )+

        /// All encodings, in the order of [`Name`].
        pub(crate) static ALL: [&Encoding; Name::ALL.len()] = [$(&$init),+];

        /// The encoders of all encodings that have one. Only functions that encode use it, so that a program that only
        /// decodes links no encoder.
        pub(crate) const ENCODERS: Encoders = Encoders::new(&ENCODER_HALVES, REGISTRY.encoder_names());

        static ENCODER_HALVES: EncoderHalves = REGISTRY.encoder_halves();

        const REGISTRY: Registry = Registry::empty().with(&[$(&$path),+]);

        #[cfg(test)]
        const NAMES: &[Name] = &[$(Name::$name),+];
    };
}

encodings! {
    UTF_8 UTF_8_INIT Utf8 textcodec_utf8::UTF_8, "UTF-8";
    IBM866 IBM866_INIT Ibm866 textcodec_single_byte::IBM866, "IBM866";
    ISO_8859_2 ISO_8859_2_INIT Iso8859_2 textcodec_single_byte::ISO_8859_2, "ISO-8859-2";
    ISO_8859_3 ISO_8859_3_INIT Iso8859_3 textcodec_single_byte::ISO_8859_3, "ISO-8859-3";
    ISO_8859_4 ISO_8859_4_INIT Iso8859_4 textcodec_single_byte::ISO_8859_4, "ISO-8859-4";
    ISO_8859_5 ISO_8859_5_INIT Iso8859_5 textcodec_single_byte::ISO_8859_5, "ISO-8859-5";
    ISO_8859_6 ISO_8859_6_INIT Iso8859_6 textcodec_single_byte::ISO_8859_6, "ISO-8859-6";
    ISO_8859_7 ISO_8859_7_INIT Iso8859_7 textcodec_single_byte::ISO_8859_7, "ISO-8859-7";
    ISO_8859_8 ISO_8859_8_INIT Iso8859_8 textcodec_single_byte::ISO_8859_8, "ISO-8859-8";
    ISO_8859_8_I ISO_8859_8_I_INIT Iso8859_8I textcodec_single_byte::ISO_8859_8_I, "ISO-8859-8-I";
    ISO_8859_10 ISO_8859_10_INIT Iso8859_10 textcodec_single_byte::ISO_8859_10, "ISO-8859-10";
    ISO_8859_13 ISO_8859_13_INIT Iso8859_13 textcodec_single_byte::ISO_8859_13, "ISO-8859-13";
    ISO_8859_14 ISO_8859_14_INIT Iso8859_14 textcodec_single_byte::ISO_8859_14, "ISO-8859-14";
    ISO_8859_15 ISO_8859_15_INIT Iso8859_15 textcodec_single_byte::ISO_8859_15, "ISO-8859-15";
    ISO_8859_16 ISO_8859_16_INIT Iso8859_16 textcodec_single_byte::ISO_8859_16, "ISO-8859-16";
    KOI8_R KOI8_R_INIT Koi8R textcodec_single_byte::KOI8_R, "KOI8-R";
    KOI8_U KOI8_U_INIT Koi8U textcodec_single_byte::KOI8_U, "KOI8-U";
    MACINTOSH MACINTOSH_INIT Macintosh textcodec_single_byte::MACINTOSH, "macintosh";
    WINDOWS_874 WINDOWS_874_INIT Windows874 textcodec_single_byte::WINDOWS_874, "windows-874";
    WINDOWS_1250 WINDOWS_1250_INIT Windows1250 textcodec_single_byte::WINDOWS_1250, "windows-1250";
    WINDOWS_1251 WINDOWS_1251_INIT Windows1251 textcodec_single_byte::WINDOWS_1251, "windows-1251";
    WINDOWS_1252 WINDOWS_1252_INIT Windows1252 textcodec_single_byte::WINDOWS_1252, "windows-1252";
    WINDOWS_1253 WINDOWS_1253_INIT Windows1253 textcodec_single_byte::WINDOWS_1253, "windows-1253";
    WINDOWS_1254 WINDOWS_1254_INIT Windows1254 textcodec_single_byte::WINDOWS_1254, "windows-1254";
    WINDOWS_1255 WINDOWS_1255_INIT Windows1255 textcodec_single_byte::WINDOWS_1255, "windows-1255";
    WINDOWS_1256 WINDOWS_1256_INIT Windows1256 textcodec_single_byte::WINDOWS_1256, "windows-1256";
    WINDOWS_1257 WINDOWS_1257_INIT Windows1257 textcodec_single_byte::WINDOWS_1257, "windows-1257";
    WINDOWS_1258 WINDOWS_1258_INIT Windows1258 textcodec_single_byte::WINDOWS_1258, "windows-1258";
    X_MAC_CYRILLIC X_MAC_CYRILLIC_INIT XMacCyrillic textcodec_single_byte::X_MAC_CYRILLIC, "x-mac-cyrillic";
    GBK GBK_INIT Gbk textcodec_cjk_chinese::GBK, "GBK";
    GB18030 GB18030_INIT Gb18030 textcodec_cjk_chinese::GB18030, "gb18030";
    BIG5 BIG5_INIT Big5 textcodec_cjk_chinese::BIG5, "Big5";
    EUC_JP EUC_JP_INIT EucJp textcodec_cjk_japanese::EUC_JP, "EUC-JP";
    ISO_2022_JP ISO_2022_JP_INIT Iso2022Jp textcodec_cjk_japanese::ISO_2022_JP, "ISO-2022-JP";
    SHIFT_JIS SHIFT_JIS_INIT ShiftJis textcodec_cjk_japanese::SHIFT_JIS, "Shift_JIS";
    EUC_KR EUC_KR_INIT EucKr textcodec_cjk_korean::EUC_KR, "EUC-KR";
    REPLACEMENT REPLACEMENT_INIT Replacement textcodec_utf8::REPLACEMENT, "replacement";
    UTF_16BE UTF_16BE_INIT Utf16Be textcodec_utf16::UTF_16BE, "UTF-16BE";
    UTF_16LE UTF_16LE_INIT Utf16Le textcodec_utf16::UTF_16LE, "UTF-16LE";
    X_USER_DEFINED X_USER_DEFINED_INIT XUserDefined textcodec_single_byte::X_USER_DEFINED, "x-user-defined";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_in_the_order_of_the_names() {
        assert_eq!(NAMES, Name::ALL);
        for (encoding, name) in ALL.iter().zip(Name::ALL) {
            assert_eq!(encoding.name(), name.as_str());
            assert_eq!(ENCODERS.get(name).is_some(), encoding.for_decoding().has_encoder());
        }
    }
}
