//! Long texts with everything that an encoding has, on every kernel level. The battery for each encoding is in the
//! encoding's own file.

use textcodec::{Encoding, ISO_2022_JP, ISO_8859_10, KOI8_U};
use textcodec_core::testing;
use textcodec_kernels::level::at_every_level;
use textcodec_tests::encoders;

/// All pairs of bytes as one source, in order and shuffled.
#[test]
fn every_pair_of_bytes_becomes_the_same_on_every_kernel_level() {
    let mut pairs: Vec<[u8; 2]> = (0..=u16::MAX).map(u16::to_be_bytes).collect();
    let in_order = pairs.concat();
    let mut random = testing::Random(2);
    (1..pairs.len()).for_each(|at| pairs.swap(at, random.below(at + 1)));
    let shuffled = pairs.concat();
    at_every_level(|_| {
        for encoding in Encoding::all() {
            for source in [&in_order, &shuffled] {
                testing::check_text(encoding.as_core(), &[source], 3 * source.len());
            }
        }
    });
}

/// Every scalar value that is decoded again to itself, in order and shuffled, as one text.
#[test]
fn convert_takes_all_of_a_valid_text_on_every_kernel_level() {
    for encoding in encoders().filter(|&encoding| encoding != ISO_2022_JP) {
        let mut text: Vec<char> = ('\0'..=char::MAX)
            .filter(|&code_point| {
                let mut utf8 = [0; 4];
                let bytes = encoding.encode_or_fail(code_point.encode_utf8(&mut utf8));
                bytes.is_ok_and(|bytes| encoding.decode_without_bom_handling(&bytes).0.chars().eq([code_point]))
            })
            .filter(|&code_point| !is_left_to_handlers(encoding, code_point))
            .collect();
        let in_order: String = text.iter().collect();
        let mut random = testing::Random(1);
        (1..text.len()).for_each(|at| text.swap(at, random.below(at + 1)));
        let shuffled: String = text.iter().collect();
        at_every_level(|_| {
            testing::takes_everything(encoding.as_core(), &in_order);
            testing::takes_everything(encoding.as_core(), &shuffled);
        });
    }
}

/// Whether `convert` leaves the character to the handler: a rare character of a single-byte encoding, or one of the two
/// that some other encoders treat apart. In KOI8-U the division sign is rare, and in ISO-8859-10 the horizontal bar,
/// because they are alone in their blocks.
fn is_left_to_handlers(encoding: Encoding, code_point: char) -> bool {
    if encoding.is_single_byte() {
        let rare = "ƒˆˇ˘˙˚˛˜˝\u{37A}™∂∆∏∑∙√∞∫≈≠≤≥⌠⌡◊\u{F8FF}\u{FB01}\u{FB02}";
        let alone = (encoding == KOI8_U && code_point == '÷') || (encoding == ISO_8859_10 && code_point == '―');
        rare.contains(code_point) || alone
    } else {
        "\u{80}€".contains(code_point)
    }
}
