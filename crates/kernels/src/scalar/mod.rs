//! The conversions without vector instructions. The vector code of every other level is tested against their results,
//! and inputs that are too short for vectors are converted by them.

pub(crate) mod ascii;
pub(crate) mod bidi;
pub(crate) mod double_byte;
pub(crate) mod latin1;
pub(crate) mod malformed;
pub(crate) mod single_byte;
pub(crate) mod to_double_byte;
pub(crate) mod unshifted;
pub(crate) mod utf16;
pub(crate) mod utf8;
pub(crate) mod utf8_to_single_byte;
mod validation;
