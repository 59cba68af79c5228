//! The other forms of Unicode: code units of two and four bytes, and forms that keep to ASCII or to sequences of at
//! most three bytes.

mod surrogates;
mod units;
mod utf_7;

pub(crate) use surrogates::{CESU_8, MODIFIED_UTF_8};
pub(crate) use units::{UCS_2BE, UCS_2LE, UNICODE, UTF_16, UTF_16BE, UTF_16LE, UTF_32, UTF_32BE, UTF_32LE};
pub(crate) use utf_7::{UTF_7, UTF_7_IMAP};
