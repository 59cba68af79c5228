//! The bodies without vector instructions. They define the results that the bodies of every other level are tested
//! against, and they convert the inputs that are too short for vectors.

pub(crate) mod ascii;
pub(crate) mod double_byte;
pub(crate) mod latin1;
pub(crate) mod malformed;
pub(crate) mod single_byte;
pub(crate) mod to_double_byte;
pub(crate) mod utf16;
pub(crate) mod utf8;
pub(crate) mod utf8_to_single_byte;
