//! UTF-16 as bytes, for files and protocols outside the web.
//!
//! This is not the Standard's *encode*, which uses the [output encoding](crate::Name::output): UTF-8 for
//! UTF-16BE and UTF-16LE. So `UTF_16LE.encode(text)` returns UTF-8. To read UTF-16, decode it as any other encoding.
//!
//! ```
//! use textcodec::{UTF_8, utf16};
//!
//! let bytes = utf16::encode_le_with_bom("é");
//! assert_eq!(bytes, b"\xFF\xFE\xE9\x00");
//! assert_eq!(UTF_8.decode(&bytes).text, "é", "decode follows the byte order mark");
//! ```
//!
//! For text in pieces, use a `Utf16Writer` (feature `std`), or call [`encode_le_into`] or [`encode_be_into`] for each
//! piece: a `str` never ends in the middle of a surrogate pair.

#[cfg(feature = "std")]
#[doc(inline)]
pub use crate::io::Utf16Writer;
#[cfg(feature = "alloc")]
pub use textcodec_utf16::{encode_be, encode_be_with_bom, encode_le, encode_le_with_bom};
pub use textcodec_utf16::{encode_be_into, encode_le_into};
