//! The bodies for NEON, which every processor of this architecture has.
//!
//! A vector is 16 bytes, or eight code units. What has no body here is the scalar one, with the runs of ASCII of this level.

pub(crate) mod ascii;
mod compress;
pub(crate) mod double_byte;
pub(crate) mod latin1;
mod memory;
mod planes;
pub(crate) mod single_byte;
pub(crate) mod utf16;
pub(crate) mod utf8;
pub(crate) use crate::scalar::utf8_to_single_byte;
