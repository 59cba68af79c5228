//! [Convert code unit to scalar value](https://encoding.spec.whatwg.org/#convert-code-unit-to-scalar-value).

use textcodec_core::{
    handler::scalar_value_from_surrogates,
    io_queue::{IoQueue, ItemSource},
};

/// [Convert code unit to scalar value](https://encoding.spec.whatwg.org/#convert-code-unit-to-scalar-value), given
/// `item`, which was read from `input`. `leading_surrogate` is the state that the Standard keeps in a
/// `TextEncoderStream`. Returns a scalar value; `None` is the Standard's *continue*.
///
/// [`TextEncoderStream`](super::TextEncoderStream) does this for whole chunks, and faster.
///
/// ```
/// use textcodec::{api::convert_code_unit_to_scalar_value, hooks::{IoQueue, Item}};
///
/// let mut input = IoQueue::from_iter([0x61, 0xD83D, 0xDCA9, 0xD83D, 0x62]);
/// let (mut leading_surrogate, mut text) = (None, String::new());
/// while let Item::Value(item) = input.read() {
///     text.extend(convert_code_unit_to_scalar_value(&mut leading_surrogate, item, &mut input));
/// }
/// assert_eq!(text, "a💩\u{FFFD}b");
/// ```
pub fn convert_code_unit_to_scalar_value<S: ItemSource<u16>>(
    leading_surrogate: &mut Option<u16>,
    item: u16,
    input: &mut IoQueue<u16, S>,
) -> Option<char> {
    if let Some(leading_surrogate @ 0xD800..=0xDBFF) = leading_surrogate.take() {
        if let 0xDC00..=0xDFFF = item {
            return Some(scalar_value_from_surrogates(leading_surrogate, item));
        }
        input.restore(&[item]);
        return Some(char::REPLACEMENT_CHARACTER);
    }
    if let 0xD800..=0xDBFF = item {
        *leading_surrogate = Some(item);
        return None;
    }
    // Only a trailing surrogate is not a scalar value here.
    Some(char::from_u32(item.into()).unwrap_or(char::REPLACEMENT_CHARACTER))
}

#[cfg(all(test, feature = "encode"))]
mod tests {
    use alloc::{string::String, vec::Vec};

    use textcodec_core::handler::Item;

    use super::*;
    use crate::api::TextEncoderStream;

    #[test]
    fn all_strings_of_surrogates_and_their_neighbours_have_the_same_result_as_in_text_encoder_stream() {
        const UNITS: [u16; 8] = [0x61, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF];
        for number in 0..UNITS.len().pow(4) {
            let units: Vec<u16> = (0..4).map(|place| UNITS[number / UNITS.len().pow(place) % UNITS.len()]).collect();
            let mut input = IoQueue::from_iter(units.iter().copied());
            let (mut leading_surrogate, mut text) = (None, String::new());
            while let Item::Value(item) = input.read() {
                text.extend(convert_code_unit_to_scalar_value(&mut leading_surrogate, item, &mut input));
            }
            let mut stream = TextEncoderStream::new();
            assert_eq!(stream.encode_and_enqueue(&units[..]).unwrap_or_default(), text.as_bytes(), "{units:04X?}");
            assert_eq!(stream.encode_and_flush().is_some(), leading_surrogate.is_some(), "{units:04X?}");
        }
    }
}
