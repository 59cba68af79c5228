//! What the tables of pairs differ from: indexes of the Standard, and other tables.

use textcodec_cjk_chinese::for_charsets as chinese;
use textcodec_cjk_japanese::for_charsets as japanese;
use textcodec_cjk_korean::for_charsets as korean;

#[cfg(feature = "encode")]
use super::table::{Place, Places};
#[cfg(feature = "encode")]
use crate::generated::pairs;

#[cfg(feature = "encode")]
pub(crate) use self::chinese::{TO_BIG5, TO_GB18030, big5_pointer, gb18030_pointer};
pub(crate) use self::{
    chinese::{big5_code_point, gb18030_code_point},
    japanese::{jis0208_code_point, jis0212_code_point},
    korean::code_point as euc_kr_code_point,
};
#[cfg(feature = "encode")]
pub(crate) use self::{
    japanese::{TO_EUC_JP, TO_SHIFT_JIS, jis0208_pointer, shift_jis_pointer},
    korean::{TO_EUC_KR, pointer as euc_kr_pointer},
};

/// No encoder of the Standard needs pointers of JIS X 0212.
#[cfg(feature = "encode")]
pub(crate) fn jis0212_pointer(_: char) -> Option<u16> {
    None
}

#[cfg(feature = "encode")]
fn pointer(places: &Places, code_point: char) -> Option<u16> {
    match places.place(code_point) {
        Some(Place::Pair(place)) => Some(place),
        _ => None,
    }
}

/// The function of a table from which other tables differ.
macro_rules! pointer {
    ($pointer:ident, $places:ident) => {
        #[cfg(feature = "encode")]
        pub(crate) fn $pointer(code_point: char) -> Option<u16> {
            pointer(&pairs::$places, code_point)
        }
    };
}

pointer!(euc_jp_8f_pointer, EUC_JP_8F_PLACES);
pointer!(shift_jisx0213_pointer, SHIFT_JISX0213_PLACES);
pointer!(ibm1364_pointer, IBM1364_PLACES);
pointer!(ibm1371_pointer, IBM1371_PLACES);
pointer!(ibm1388_pointer, IBM1388_PLACES);
pointer!(ibm1399_pointer, IBM1399_PLACES);

/// The code point of a sequence of four bytes in GB 18030, as in glibc: characters that have pairs have no others.
pub(crate) fn four_bytes(pointer: u32) -> Option<char> {
    // U+9FB4 to U+9FBB, and U+FE10 to U+FE19.
    let has_pair = matches!(pointer, 19_057..=19_064 | 39_076..=39_085);
    if has_pair { None } else { chinese::ranges_code_point(pointer) }
}

/// The pointer of a sequence of four bytes in GB 18030. Some characters for private use have no bytes.
#[cfg(feature = "encode")]
pub(crate) fn four_bytes_pointer(code_point: char) -> Option<u32> {
    let pointer = if code_point.is_ascii() { None } else { Some(chinese::ranges_pointer(code_point)) };
    pointer.filter(|pointer| four_bytes(*pointer) == Some(code_point))
}
