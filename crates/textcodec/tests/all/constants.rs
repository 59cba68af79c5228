//! The constants of encodings and indexes have the names of their values.

use textcodec::{Encoding, index};

/// The constants of a module, with their names.
macro_rules! constants {
    ($module:ident: $($constant:ident)+) => {
        [$((stringify!($constant), $module::$constant)),+]
    };
}

/// The name of the constant for a name of the Standard.
fn constant(name: &str) -> String {
    name.to_ascii_uppercase().replace('-', "_")
}

#[test]
fn each_encoding_has_a_constant_of_its_name() {
    let constants = constants! { textcodec:
        UTF_8 IBM866 ISO_8859_2 ISO_8859_3 ISO_8859_4 ISO_8859_5 ISO_8859_6 ISO_8859_7 ISO_8859_8 ISO_8859_8_I
        ISO_8859_10 ISO_8859_13 ISO_8859_14 ISO_8859_15 ISO_8859_16 KOI8_R KOI8_U MACINTOSH WINDOWS_874 WINDOWS_1250
        WINDOWS_1251 WINDOWS_1252 WINDOWS_1253 WINDOWS_1254 WINDOWS_1255 WINDOWS_1256 WINDOWS_1257 WINDOWS_1258
        X_MAC_CYRILLIC GBK GB18030 BIG5 EUC_JP ISO_2022_JP SHIFT_JIS EUC_KR REPLACEMENT UTF_16BE UTF_16LE
        X_USER_DEFINED
    };
    assert!(constants.into_iter().map(|(_, encoding)| encoding).eq(Encoding::all()));
    for (name, encoding) in constants {
        assert_eq!(name, constant(encoding.name()));
        assert_eq!(Encoding::for_name(encoding.id()), Ok(encoding));
    }
}

#[test]
fn each_index_has_a_constant_of_its_name() {
    let constants = constants! { index:
        BIG5 EUC_KR GB18030 GB18030_RANGES JIS0208 JIS0212 ISO_2022_JP_KATAKANA IBM866 ISO_8859_2 ISO_8859_3
        ISO_8859_4 ISO_8859_5 ISO_8859_6 ISO_8859_7 ISO_8859_8 ISO_8859_10 ISO_8859_13 ISO_8859_14 ISO_8859_15
        ISO_8859_16 KOI8_R KOI8_U MACINTOSH WINDOWS_874 WINDOWS_1250 WINDOWS_1251 WINDOWS_1252 WINDOWS_1253
        WINDOWS_1254 WINDOWS_1255 WINDOWS_1256 WINDOWS_1257 WINDOWS_1258 X_MAC_CYRILLIC
    };
    assert!(constants.into_iter().map(|(_, index)| index.name()).eq(index::ALL.iter().map(|index| index.name())));
    for (name, index) in constants {
        assert_eq!(name, constant(index.name()));
    }
}
