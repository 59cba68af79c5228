//! Encodes arbitrary text with the encoder of any encoding, cut at a place and into destinations of a size that the
//! input chooses: the bytes and errors are those of the handler, and encoded text can be decoded. Short text goes
//! through the battery of `core`, which tries every place and several sizes.

use textcodec_core::testing;

use crate::Input;

/// The longest text for the battery, in bytes: its time is the square of the length.
const LONGEST_FOR_BATTERY: usize = 12;

/// Checks what holds for an input.
///
/// # Panics
/// If it does not hold.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let encoding = input.encoding().output_encoding();
    let (at, capacity) = (input.byte(), input.byte());
    let text = input.text();
    testing::check_encoder_at(encoding.as_core(), text, at.into(), usize::from(capacity % 32) + 1);
    if text.len() <= LONGEST_FOR_BATTERY {
        testing::check_encoder(encoding.as_core(), text);
    }
    if let Ok(bytes) = encoding.encode_or_fail(text) {
        assert!(encoding.decode_without_bom_handling_or_fail(&bytes).is_ok(), "{encoding}: {text:?}");
    }
}
