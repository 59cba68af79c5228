//! Runs the battery of `core` on arbitrary bytes, for the decoder of every encoding: both layers, both forms of text,
//! every destination.

use textcodec_core::testing;

use crate::Input;

/// Checks what holds for an input.
///
/// # Panics
/// If it does not hold.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let encoding = input.encoding();
    testing::check_decoder(encoding.as_core(), input.rest());
}
