//! Encodings that show in the structure of the bytes.

mod binary;
mod escapes;
mod wide;

pub(crate) use binary::{has_control_characters, kind};
pub(crate) use escapes::{Escapes, Shifts};
pub(crate) use wide::{has_words, utf_16, utf_32};
