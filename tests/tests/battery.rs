//! The battery of the core, for each encoding as a whole program links it.

use textcodec::{Encoding, ISO_2022_JP};
use textcodec_core::{Name, testing};
use textcodec_kernels::level::at_every_level;
use textcodec_tests::encoders;

/// Bytes that the decoder of this encoding treats differently from each other.
fn significant(name: Name) -> &'static [u8] {
    match name {
        Name::Utf8 => b"a\x80\xBF\xC2\xE0\xA0\xED\xF0\x90\xF4",
        Name::Gbk | Name::Gb18030 => b"a09\x80\x81\xA3\xFE\xFF@",
        Name::Big5 => b"a@\x7F\x80\x87\x88\xA3\xA5bd",
        Name::EucJp => b"a\x8E\x8F\xA0\xA1\xB0\xDF\xFE",
        Name::Iso2022Jp => b"\x1B$(BJI@\x30\x0E",
        Name::ShiftJis => b"a@\x7F\x80\x82\xA0\xB1\xF0\xFC\xFD",
        Name::EucKr => b"aA\x80\x81\xA1\xC6\xFE\xFF",
        Name::Utf16Be | Name::Utf16Le => b"\0a\xD8\xDB\xDC\xDF\xFF",
        _ => b"a\x80\xAA\xD5\xFF",
    }
}

/// Characters that encoders treat differently from each other.
const TEXT: &str = "a\\~\u{E}\u{1B}é€¥‾−ｱﾞあ亜纊中十═갂힣яשﺽ丂\u{E000}\u{E7C7}\u{E81E}\u{F780}\u{20021}\u{10000}\u{80}";

#[test]
fn every_encoding_passes_the_battery_on_every_kernel_level() {
    at_every_level(|_| {
        for encoding in Encoding::all() {
            testing::battery(encoding.as_core(), significant(encoding.id()), TEXT);
        }
    });
}

/// All pairs of bytes as one text, in order and shuffled.
#[test]
fn every_pair_of_bytes_becomes_the_same_on_every_kernel_level() {
    let mut pairs: Vec<[u8; 2]> = (0..=u16::MAX).map(u16::to_be_bytes).collect();
    let in_order = pairs.concat();
    let mut random = testing::Random(2);
    (1..pairs.len()).for_each(|at| pairs.swap(at, random.below(at + 1)));
    at_every_level(|_| {
        for encoding in Encoding::all() {
            for source in [&in_order, &pairs.concat()] {
                testing::check_text(encoding.as_core(), &[source], 3 * source.len());
            }
        }
    });
}

/// Every scalar value that comes back as itself, in order and shuffled, as one text.
#[test]
fn convert_takes_all_of_a_valid_text_on_every_kernel_level() {
    at_every_level(|_| convert_takes_all_of_a_valid_text());
}

fn convert_takes_all_of_a_valid_text() {
    for encoding in encoders().filter(|&encoding| encoding != ISO_2022_JP) {
        let mut text: Vec<char> = ('\0'..=char::MAX)
            .filter(|&code_point| {
                let mut utf8 = [0; 4];
                let bytes = encoding.encode_or_fail(code_point.encode_utf8(&mut utf8));
                bytes.is_ok_and(|bytes| encoding.decode_without_bom_handling(&bytes).0.chars().eq([code_point]))
            })
            // What the encoders treat apart is left to their handlers.
            .filter(|code_point| !['\u{80}', '€'].contains(code_point) || encoding.is_single_byte())
            .collect();
        testing::takes_everything(encoding.as_core(), &text.iter().collect::<String>());
        let mut random = testing::Random(1);
        (1..text.len()).for_each(|at| text.swap(at, random.below(at + 1)));
        testing::takes_everything(encoding.as_core(), &text.iter().collect::<String>());
    }
}
