//! The bodies for NEON, which every processor of this architecture has.
//!
//! A vector is 16 bytes, or eight code units. What a block leaves out is dropped four or eight lanes at once, by shuffles from small
//! tables. The scalar bodies are left for UTF-8 into encodings of one byte per character, and for code units into pairs of bytes.

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
