//! Text that is stored in UTF-8 and used in another charset, as in a repository: both ways are exact, or errors.
//!
//! ```
//! use textcodec_convert::{Charset, stored};
//!
//! let charset = Charset::for_label("shift_jis")?;
//! let stored = stored::store(b"\x93\xFA\x96\x7B", charset)?;
//! assert_eq!(stored, "日本".as_bytes());
//! assert_eq!(stored::restore(&stored, charset)?.as_deref(), Some(&b"\x93\xFA\x96\x7B"[..]));
//! // The Standard's Shift_JIS has two sequences for some characters, and writes one of them.
//! assert!(stored::store(b"\xED\x40", charset).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use alloc::vec::Vec;
use core::{error::Error, fmt};

use crate::{
    charset::Charset,
    converter::{TextError, convert},
    options::Options,
};

/// The reason why a text is not stored in UTF-8. It is displayed as a sentence about a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum NotStored {
    /// The text is malformed.
    Text(TextError),
    /// The bytes are UTF-8 and not ASCII, so they are probably not in the charset.
    Utf8(Charset),
    /// The text would be written with other bytes than it has now.
    #[non_exhaustive]
    Differs {
        /// The charset.
        charset: Charset,
        /// The offset of the first byte that differs.
        offset: usize,
    },
}

impl fmt::Display for NotStored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotStored::Text(error) => error.fmt(f),
            NotStored::Utf8(charset) => write!(f, "the file is UTF-8 already, and not {charset}"),
            NotStored::Differs { charset, offset } => write!(
                f,
                "{charset} would not come back byte for byte from UTF-8: the first difference is at byte offset {offset}"
            ),
        }
    }
}

impl Error for NotStored {}

/// The text of `bytes` in UTF-8, from which [`restore`] makes the same bytes.
///
/// # Errors
/// The bytes would not come back, or they are UTF-8 already.
pub fn store(bytes: &[u8], charset: Charset) -> Result<Vec<u8>, NotStored> {
    if charset != Charset::UTF_8 && !charset.is_wide() && !bytes.is_ascii() && core::str::from_utf8(bytes).is_ok() {
        return Err(NotStored::Utf8(charset));
    }
    let (text, _) = convert(bytes, charset, Options::to(Charset::UTF_8)).map_err(NotStored::Text)?;
    // An error here means that the charset has no bytes for a character that it decodes to.
    let again = convert(&text, Charset::UTF_8, Options::to(charset)).map(|(again, _)| again).unwrap_or_default();
    if again == bytes {
        return Ok(text);
    }
    let offset = bytes.iter().zip(&again).position(|(one, other)| one != other);
    Err(NotStored::Differs { charset, offset: offset.unwrap_or(bytes.len().min(again.len())) })
}

/// The bytes in `charset` of a text that [`store`] has stored. `None` if `stored` is no UTF-8: it was stored as it is.
///
/// # Errors
/// The charset does not have a character of the text.
pub fn restore(stored: &[u8], charset: Charset) -> Result<Option<Vec<u8>>, TextError> {
    if core::str::from_utf8(stored).is_err() {
        return Ok(None);
    }
    convert(stored, Charset::UTF_8, Options::to(charset)).map(|(bytes, _)| Some(bytes))
}
