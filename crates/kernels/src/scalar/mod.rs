//! The bodies without vectors: the reference for those of every other level.

pub(crate) mod ascii;
pub(crate) mod double_byte;
pub(crate) mod latin1;
pub(crate) mod malformed;
pub(crate) mod single_byte;
pub(crate) mod utf16;
pub(crate) mod utf8;
pub(crate) mod utf8_to_single_byte;
