//! Text that is encoded and decoded again is the same text, with the Standard's exceptions.

use std::borrow::Cow;

use quickcheck::{TestResult, quickcheck};
use textcodec::{BIG5, EUC_JP, Encoding, GB18030, GBK, ISO_2022_JP, Name, SHIFT_JIS, UTF_8};
use textcodec_tests::{encoders, process_decode, process_encode};

/// The character that `encoding` decodes its own bytes for `code_point` to. For a few code points this is another
/// character.
fn decoded_again(encoding: Encoding, code_point: char) -> char {
    let japanese = [EUC_JP, ISO_2022_JP, SHIFT_JIS].contains(&encoding);
    match code_point {
        '¥' if japanese && encoding != ISO_2022_JP => '\\',
        '‾' if japanese && encoding != ISO_2022_JP => '~',
        '−' if japanese => '－',
        '｡'..='ﾟ' if encoding == ISO_2022_JP => "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{309B}\u{309C}"
            .chars()
            .nth(code_point as usize - 0xFF61)
            .unwrap(),
        // Code points of the side table. Since the edition of 2022 their bytes are decoded to other characters.
        '\u{E000}'..='\u{F8FF}' if encoding == GB18030 || encoding == GBK => {
            let bytes = encoding.encode_or_fail(code_point.encode_utf8(&mut [0; 4])).unwrap().into_owned();
            encoding.decode_without_bom_handling(&bytes).0.chars().next().unwrap()
        }
        _ => code_point,
    }
}

#[test]
fn every_scalar_value_that_is_encoded_is_decoded_again() {
    for encoding in encoders() {
        let mut changed = 0;
        for code_point in '\0'..=char::MAX {
            let mut text = [0; 4];
            let Ok(bytes) = encoding.encode_or_fail(code_point.encode_utf8(&mut text)) else { continue };
            let (again, had_errors) = encoding.decode_without_bom_handling(&bytes);
            assert!(!had_errors, "{encoding}: {code_point:?} is {bytes:02X?}");
            assert!(again.chars().eq([decoded_again(encoding, code_point)]), "{encoding}: {code_point:?} is {again:?}");
            changed += usize::from(!again.chars().eq([code_point]));
        }
        let expected = match encoding.id() {
            Name::Gb18030 | Name::Gbk => 18,
            Name::EucJp | Name::ShiftJis => 3,
            Name::Iso2022Jp => 64,
            _ => 0,
        };
        assert_eq!(changed, expected, "{encoding}");
    }
}

/// The bulk conversion of a character must not depend on the characters around it, although the conversion keeps state
/// from the characters before.
#[test]
fn every_character_is_the_same_beside_its_neighbours() {
    for encoding in encoders().filter(|&encoding| encoding != ISO_2022_JP) {
        let mut neighbours: Vec<(char, Vec<u8>)> = Vec::new();
        for code_point in '\0'..='\u{107FF}' {
            let Ok(bytes) = encoding.encode_or_fail(code_point.encode_utf8(&mut [0; 4])).map(Cow::into_owned) else {
                continue;
            };
            neighbours.push((code_point, bytes));
            let Some([first, second, third]) = neighbours.last_chunk() else { continue };
            // Also in reverse order, and after a character that the kernels leave to other code.
            for order in [[first, second, third], [third, second, first], [second, first, third]] {
                let text: String = order.map(|of| of.0).iter().collect();
                let bytes = order.map(|of| &*of.1).concat();
                assert_eq!(encoding.encode_or_fail(&text).as_deref(), Ok(&*bytes), "{encoding}: {text:?}");
                let expected = process_decode(encoding, &bytes);
                assert_eq!(encoding.decode_without_bom_handling(&bytes).0, expected, "{encoding}: {bytes:02X?}");
            }
        }
        // Pointer 7457 lies inside a range, but does not belong to it.
        if encoding == GB18030 || encoding == GBK {
            let bytes = b"\x81\x35\xF4\x38\x81\x35\xF4\x37\x81\x35\xF4\x38\x81\x35\xF4\x36";
            assert_eq!(encoding.decode_without_bom_handling(bytes).0, "\u{1E40}\u{E7C7}\u{1E40}\u{1E3E}");
        }
    }
}

quickcheck! {
    fn what_an_encoding_can_encode_it_decodes_again(text: String, select: usize) -> TestResult {
        let encodings: Vec<Encoding> = encoders().collect();
        let encoding = encodings[select % encodings.len()];
        let Ok(bytes) = encoding.encode_or_fail(&text) else { return TestResult::discard() };
        let expected: String = text.chars().map(|code_point| decoded_again(encoding, code_point)).collect();
        TestResult::from_bool(encoding.decode_without_bom_handling(&bytes) == (expected.into(), false))
    }

    fn utf_8_is_the_identity(text: String) -> bool {
        UTF_8.encode(&text).bytes == text.as_bytes() && UTF_8.decode_without_bom_handling(text.as_bytes()).0 == text
    }

    fn the_one_shot_functions_do_as_process_a_queue(source: Vec<u8>, text: String) -> bool {
        Encoding::all().all(|encoding| encoding.decode_without_bom_handling(&source).0 == process_decode(encoding, &source))
            && encoders().all(|encoding| encoding.encode(&text).bytes == process_encode(encoding, &text))
    }

    fn bytes_that_decode_without_errors_are_encoded_again(source: Vec<u8>, select: usize) -> TestResult {
        let encodings: Vec<Encoding> = encoders().filter(|encoding| encoding.is_single_byte()).collect();
        let encoding = encodings[select % encodings.len()];
        let Ok(text) = encoding.decode_without_bom_handling_or_fail(&source) else { return TestResult::discard() };
        TestResult::from_bool(encoding.encode_or_fail(&text).is_ok_and(|bytes| bytes == source))
    }
}

/// Big5 decodes more pairs than it encodes: 33 pairs with leading bytes from 0xA1 on have the same character as another
/// pair.
#[test]
fn big5_pairs_come_back_or_are_known_doubles() {
    let mut doubles = 0;
    for leading in 0xA1..=0xFE {
        for trailing in (0x40..=0x7E).chain(0xA1..=0xFE) {
            let bytes = [leading, trailing];
            if let Ok(text) = BIG5.decode_without_bom_handling_or_fail(&bytes) {
                let again = BIG5.encode_or_fail(&text).unwrap();
                assert_eq!(BIG5.decode_without_bom_handling(&again).0, text);
                doubles += usize::from(again != &bytes[..]);
            }
        }
    }
    assert_eq!(doubles, 33);
}
