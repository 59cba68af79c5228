//! The bodies for NEON, which every processor of this target has.
//!
//! A vector has 16 bytes or eight code units. To drop lanes of a vector, a shuffle from a small table moves the lanes
//! that are kept together, four or eight lanes at once. Some functions use the scalar body: encoding UTF-8 to one byte
//! per character, encoding UTF-16 to pairs of bytes, and finding right-to-left code points.

pub(crate) mod ascii;
mod compress;
pub(crate) mod double_byte;
pub(crate) mod latin1;
mod memory;
mod planes;
pub(crate) mod single_byte;
pub(crate) mod utf16;
pub(crate) mod utf8;
pub(crate) use crate::scalar::{bidi, to_double_byte};
