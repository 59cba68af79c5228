//! Whole texts in memory.

use alloc::string::String;
#[cfg(feature = "encode")]
use alloc::vec::Vec;

use crate::{Charset, DecodeErrorMode, DecodeStatus, Malformed};
#[cfg(feature = "encode")]
use crate::{EncodeErrorMode, EncodeStatus, Unmappable};

impl Charset {
    /// Decodes `bytes`. Malformed sequences become U+FFFD. Returns the text and whether there were malformed sequences.
    #[must_use]
    pub fn decode(self, bytes: &[u8]) -> (String, bool) {
        let mut text = String::new();
        let result = self.new_decoder().decode_to_string(bytes, &mut text, true, DecodeErrorMode::Replacement);
        (text, result.had_errors)
    }

    /// Decodes `bytes`.
    ///
    /// # Errors
    /// The first malformed sequence: its offset and its bytes.
    pub fn decode_or_fail(self, bytes: &[u8]) -> Result<String, Malformed> {
        let mut text = String::new();
        let result = self.new_decoder().decode_to_string(bytes, &mut text, true, DecodeErrorMode::Fatal);
        match result.status {
            DecodeStatus::Malformed(malformed) => Err(malformed),
            _ => Ok(text),
        }
    }

    /// Encodes `text`.
    ///
    /// # Errors
    /// The first unmappable character, and its offset in bytes of `text`.
    ///
    /// ```
    /// use textcodec_charsets::dos::IBM437;
    ///
    /// assert_eq!(IBM437.encode_or_fail("½ ▒").unwrap(), b"\xAB \xB1");
    /// assert_eq!(IBM437.encode_or_fail("1 €").unwrap_err().code_point, '€');
    /// ```
    #[cfg(feature = "encode")]
    pub fn encode_or_fail(self, text: &str) -> Result<Vec<u8>, Unmappable> {
        let mut bytes = Vec::new();
        let Some(mut encoder) = self.new_encoder() else {
            // A charset that can only be decoded has no bytes for any character.
            return text.chars().next().map_or(Ok(bytes), |code_point| Err(Unmappable::new(0, code_point)));
        };
        match encoder.encode_str_to_vec(text, &mut bytes, true, EncodeErrorMode::Fatal).status {
            EncodeStatus::Unmappable(unmappable) => Err(unmappable),
            _ => Ok(bytes),
        }
    }
}
