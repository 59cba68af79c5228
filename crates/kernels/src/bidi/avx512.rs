//! Right-to-left code points, with AVX-512: the scalar bodies, which the compiler translates for the features of this
//! level.

use super::scalar;

/// The body of [`crate::bidi::is_in_utf16`].
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn is_in_utf16(source: &[u16]) -> bool {
    scalar::is_in_utf16(source)
}

/// The body of [`crate::bidi::is_in_utf8`].
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn is_in_utf8(source: &[u8]) -> bool {
    scalar::is_in_utf8(source)
}
