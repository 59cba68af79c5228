//! The 40 [encodings](https://encoding.spec.whatwg.org/#encodings), as far as they are enabled, and the registry of them.

use textcodec_core::Registry;

use crate::Encoding;

/// [UTF-8](https://encoding.spec.whatwg.org/#utf-8).
pub const UTF_8: Encoding = Encoding::of(&textcodec_utf8::UTF_8);
/// [IBM866](https://encoding.spec.whatwg.org/#ibm866).
#[cfg(feature = "single-byte")]
pub const IBM866: Encoding = Encoding::of(&textcodec_single_byte::IBM866);
/// [ISO-8859-2](https://encoding.spec.whatwg.org/#iso-8859-2).
#[cfg(feature = "single-byte")]
pub const ISO_8859_2: Encoding = Encoding::of(&textcodec_single_byte::ISO_8859_2);
/// [ISO-8859-3](https://encoding.spec.whatwg.org/#iso-8859-3).
#[cfg(feature = "single-byte")]
pub const ISO_8859_3: Encoding = Encoding::of(&textcodec_single_byte::ISO_8859_3);
/// [ISO-8859-4](https://encoding.spec.whatwg.org/#iso-8859-4).
#[cfg(feature = "single-byte")]
pub const ISO_8859_4: Encoding = Encoding::of(&textcodec_single_byte::ISO_8859_4);
/// [ISO-8859-5](https://encoding.spec.whatwg.org/#iso-8859-5).
#[cfg(feature = "single-byte")]
pub const ISO_8859_5: Encoding = Encoding::of(&textcodec_single_byte::ISO_8859_5);
/// [ISO-8859-6](https://encoding.spec.whatwg.org/#iso-8859-6).
#[cfg(feature = "single-byte")]
pub const ISO_8859_6: Encoding = Encoding::of(&textcodec_single_byte::ISO_8859_6);
/// [ISO-8859-7](https://encoding.spec.whatwg.org/#iso-8859-7).
#[cfg(feature = "single-byte")]
pub const ISO_8859_7: Encoding = Encoding::of(&textcodec_single_byte::ISO_8859_7);
/// [ISO-8859-8](https://encoding.spec.whatwg.org/#iso-8859-8).
#[cfg(feature = "single-byte")]
pub const ISO_8859_8: Encoding = Encoding::of(&textcodec_single_byte::ISO_8859_8);
/// [ISO-8859-8-I](https://encoding.spec.whatwg.org/#iso-8859-8-i).
#[cfg(feature = "single-byte")]
pub const ISO_8859_8_I: Encoding = Encoding::of(&textcodec_single_byte::ISO_8859_8_I);
/// [ISO-8859-10](https://encoding.spec.whatwg.org/#iso-8859-10).
#[cfg(feature = "single-byte")]
pub const ISO_8859_10: Encoding = Encoding::of(&textcodec_single_byte::ISO_8859_10);
/// [ISO-8859-13](https://encoding.spec.whatwg.org/#iso-8859-13).
#[cfg(feature = "single-byte")]
pub const ISO_8859_13: Encoding = Encoding::of(&textcodec_single_byte::ISO_8859_13);
/// [ISO-8859-14](https://encoding.spec.whatwg.org/#iso-8859-14).
#[cfg(feature = "single-byte")]
pub const ISO_8859_14: Encoding = Encoding::of(&textcodec_single_byte::ISO_8859_14);
/// [ISO-8859-15](https://encoding.spec.whatwg.org/#iso-8859-15).
#[cfg(feature = "single-byte")]
pub const ISO_8859_15: Encoding = Encoding::of(&textcodec_single_byte::ISO_8859_15);
/// [ISO-8859-16](https://encoding.spec.whatwg.org/#iso-8859-16).
#[cfg(feature = "single-byte")]
pub const ISO_8859_16: Encoding = Encoding::of(&textcodec_single_byte::ISO_8859_16);
/// [KOI8-R](https://encoding.spec.whatwg.org/#koi8-r).
#[cfg(feature = "single-byte")]
pub const KOI8_R: Encoding = Encoding::of(&textcodec_single_byte::KOI8_R);
/// [KOI8-U](https://encoding.spec.whatwg.org/#koi8-u).
#[cfg(feature = "single-byte")]
pub const KOI8_U: Encoding = Encoding::of(&textcodec_single_byte::KOI8_U);
/// [macintosh](https://encoding.spec.whatwg.org/#macintosh).
#[cfg(feature = "single-byte")]
pub const MACINTOSH: Encoding = Encoding::of(&textcodec_single_byte::MACINTOSH);
/// [windows-874](https://encoding.spec.whatwg.org/#windows-874).
#[cfg(feature = "single-byte")]
pub const WINDOWS_874: Encoding = Encoding::of(&textcodec_single_byte::WINDOWS_874);
/// [windows-1250](https://encoding.spec.whatwg.org/#windows-1250).
#[cfg(feature = "single-byte")]
pub const WINDOWS_1250: Encoding = Encoding::of(&textcodec_single_byte::WINDOWS_1250);
/// [windows-1251](https://encoding.spec.whatwg.org/#windows-1251).
#[cfg(feature = "single-byte")]
pub const WINDOWS_1251: Encoding = Encoding::of(&textcodec_single_byte::WINDOWS_1251);
/// [windows-1252](https://encoding.spec.whatwg.org/#windows-1252).
#[cfg(feature = "single-byte")]
pub const WINDOWS_1252: Encoding = Encoding::of(&textcodec_single_byte::WINDOWS_1252);
/// [windows-1253](https://encoding.spec.whatwg.org/#windows-1253).
#[cfg(feature = "single-byte")]
pub const WINDOWS_1253: Encoding = Encoding::of(&textcodec_single_byte::WINDOWS_1253);
/// [windows-1254](https://encoding.spec.whatwg.org/#windows-1254).
#[cfg(feature = "single-byte")]
pub const WINDOWS_1254: Encoding = Encoding::of(&textcodec_single_byte::WINDOWS_1254);
/// [windows-1255](https://encoding.spec.whatwg.org/#windows-1255).
#[cfg(feature = "single-byte")]
pub const WINDOWS_1255: Encoding = Encoding::of(&textcodec_single_byte::WINDOWS_1255);
/// [windows-1256](https://encoding.spec.whatwg.org/#windows-1256).
#[cfg(feature = "single-byte")]
pub const WINDOWS_1256: Encoding = Encoding::of(&textcodec_single_byte::WINDOWS_1256);
/// [windows-1257](https://encoding.spec.whatwg.org/#windows-1257).
#[cfg(feature = "single-byte")]
pub const WINDOWS_1257: Encoding = Encoding::of(&textcodec_single_byte::WINDOWS_1257);
/// [windows-1258](https://encoding.spec.whatwg.org/#windows-1258).
#[cfg(feature = "single-byte")]
pub const WINDOWS_1258: Encoding = Encoding::of(&textcodec_single_byte::WINDOWS_1258);
/// [x-mac-cyrillic](https://encoding.spec.whatwg.org/#x-mac-cyrillic).
#[cfg(feature = "single-byte")]
pub const X_MAC_CYRILLIC: Encoding = Encoding::of(&textcodec_single_byte::X_MAC_CYRILLIC);
/// [GBK](https://encoding.spec.whatwg.org/#gbk).
#[cfg(feature = "cjk-chinese")]
pub const GBK: Encoding = Encoding::of(&textcodec_cjk_chinese::GBK);
/// [gb18030](https://encoding.spec.whatwg.org/#gb18030).
#[cfg(feature = "cjk-chinese")]
pub const GB18030: Encoding = Encoding::of(&textcodec_cjk_chinese::GB18030);
/// [Big5](https://encoding.spec.whatwg.org/#big5).
#[cfg(feature = "cjk-chinese")]
pub const BIG5: Encoding = Encoding::of(&textcodec_cjk_chinese::BIG5);
/// [EUC-JP](https://encoding.spec.whatwg.org/#euc-jp).
#[cfg(feature = "cjk-japanese")]
pub const EUC_JP: Encoding = Encoding::of(&textcodec_cjk_japanese::EUC_JP);
/// [ISO-2022-JP](https://encoding.spec.whatwg.org/#iso-2022-jp).
#[cfg(feature = "cjk-japanese")]
pub const ISO_2022_JP: Encoding = Encoding::of(&textcodec_cjk_japanese::ISO_2022_JP);
/// [Shift_JIS](https://encoding.spec.whatwg.org/#shift_jis).
#[cfg(feature = "cjk-japanese")]
pub const SHIFT_JIS: Encoding = Encoding::of(&textcodec_cjk_japanese::SHIFT_JIS);
/// [EUC-KR](https://encoding.spec.whatwg.org/#euc-kr).
#[cfg(feature = "cjk-korean")]
pub const EUC_KR: Encoding = Encoding::of(&textcodec_cjk_korean::EUC_KR);
/// [replacement](https://encoding.spec.whatwg.org/#replacement).
pub const REPLACEMENT: Encoding = Encoding::of(&textcodec_utf8::REPLACEMENT);
/// [UTF-16BE](https://encoding.spec.whatwg.org/#utf-16be).
#[cfg(feature = "utf16")]
pub const UTF_16BE: Encoding = Encoding::of(&textcodec_utf16::UTF_16BE);
/// [UTF-16LE](https://encoding.spec.whatwg.org/#utf-16le).
#[cfg(feature = "utf16")]
pub const UTF_16LE: Encoding = Encoding::of(&textcodec_utf16::UTF_16LE);
/// [x-user-defined](https://encoding.spec.whatwg.org/#x-user-defined).
#[cfg(feature = "single-byte")]
pub const X_USER_DEFINED: Encoding = Encoding::of(&textcodec_single_byte::X_USER_DEFINED);

/// The encodings that are enabled, to look labels up in. Naming it links all of them.
pub(crate) static REGISTRY: Registry = registry();

/// Written out by family, because a feature enables a family.
const fn registry() -> Registry {
    let registry = Registry::empty().with(&[&textcodec_utf8::UTF_8, &textcodec_utf8::REPLACEMENT]);
    #[cfg(feature = "single-byte")]
    let registry = {
        use textcodec_single_byte as family;
        registry.with(&[
            &family::IBM866,
            &family::ISO_8859_2,
            &family::ISO_8859_3,
            &family::ISO_8859_4,
            &family::ISO_8859_5,
            &family::ISO_8859_6,
            &family::ISO_8859_7,
            &family::ISO_8859_8,
            &family::ISO_8859_8_I,
            &family::ISO_8859_10,
            &family::ISO_8859_13,
            &family::ISO_8859_14,
            &family::ISO_8859_15,
            &family::ISO_8859_16,
            &family::KOI8_R,
            &family::KOI8_U,
            &family::MACINTOSH,
            &family::WINDOWS_874,
            &family::WINDOWS_1250,
            &family::WINDOWS_1251,
            &family::WINDOWS_1252,
            &family::WINDOWS_1253,
            &family::WINDOWS_1254,
            &family::WINDOWS_1255,
            &family::WINDOWS_1256,
            &family::WINDOWS_1257,
            &family::WINDOWS_1258,
            &family::X_MAC_CYRILLIC,
            &family::X_USER_DEFINED,
        ])
    };
    #[cfg(feature = "cjk-chinese")]
    let registry = {
        use textcodec_cjk_chinese as family;
        registry.with(&[&family::GBK, &family::GB18030, &family::BIG5])
    };
    #[cfg(feature = "cjk-japanese")]
    let registry = {
        use textcodec_cjk_japanese as family;
        registry.with(&[&family::EUC_JP, &family::ISO_2022_JP, &family::SHIFT_JIS])
    };
    #[cfg(feature = "cjk-korean")]
    let registry = {
        use textcodec_cjk_korean as family;
        registry.with(&[&family::EUC_KR])
    };
    #[cfg(feature = "utf16")]
    let registry = {
        use textcodec_utf16 as family;
        registry.with(&[&family::UTF_16BE, &family::UTF_16LE])
    };
    registry
}
