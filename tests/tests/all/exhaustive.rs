//! All inputs of a finite kind, decoded or encoded by us and by the foreign oracle.

use textcodec::{Encoded, Encoding, GB18030, GBK, ISO_2022_JP};
use textcodec_tests::{STRIDE, encoders, multi_byte, oracle, oracle_decode, process_encode, same_decoding};

#[test]
fn all_one_byte_inputs() {
    for encoding in Encoding::all() {
        for byte in 0..=0xFF {
            same_decoding(encoding, oracle(encoding), &[byte]);
        }
    }
}

#[test]
fn all_two_byte_inputs_bare_and_in_context() {
    for encoding in Encoding::all() {
        let oracle = oracle(encoding);
        for first in 0..=0xFF {
            for second in 0..=0xFF {
                same_decoding(encoding, oracle, &[first, second]);
                same_decoding(encoding, oracle, &[b'a', first, second, b'b', b'c']);
            }
        }
    }
}

#[test]
fn three_byte_inputs_of_multi_byte_encodings() {
    for encoding in multi_byte() {
        let oracle = oracle(encoding);
        for input in (0..1u32 << 24).step_by(STRIDE) {
            same_decoding(encoding, oracle, &input.to_be_bytes()[1..]);
        }
    }
}

#[test]
fn three_byte_inputs_in_the_states_of_iso_2022_jp() {
    for escape in [b"\x1B(J", b"\x1B(I", b"\x1B$B"] {
        for input in (0..1u32 << 24).step_by(STRIDE) {
            let [_, first, second, third] = input.to_be_bytes();
            let input = [escape[0], escape[1], escape[2], first, second, third];
            same_decoding(ISO_2022_JP, oracle(ISO_2022_JP), &input);
        }
    }
}

#[test]
fn the_whole_four_byte_space_of_gb18030() {
    for encoding in [GB18030, GBK] {
        let oracle = oracle(encoding);
        for first in 0x81..=0xFE {
            for second in 0x30..=0x39 {
                for third in 0x81..=0xFE {
                    for fourth in 0x30..=0x39 {
                        same_decoding(encoding, oracle, &[first, second, third, fourth]);
                    }
                }
            }
        }
    }
}

#[test]
fn four_byte_inputs_of_gb18030_with_every_malformed_byte() {
    let oracle = oracle(GB18030);
    for malformed in 0..=0xFF {
        for input in [
            [0x81, 0x30, 0x81, malformed],
            [0x81, 0x30, malformed, 0x30],
            [0x81, malformed, 0x81, 0x30],
            [0xE3, 0x32, 0x9A, malformed],
        ] {
            for tail in [&b""[..], b"a", b"0", b"\x81", b"\x810", b"\x81\x40"] {
                same_decoding(GB18030, oracle, &[&input, tail].concat());
            }
        }
    }
}

/// Leading surrogates before every code unit that can follow them, with every length of the source.
#[test]
fn surrogates_of_utf_16() {
    for encoding in [textcodec::UTF_16BE, textcodec::UTF_16LE] {
        let oracle = oracle(encoding);
        for unit in (0..=0xFFFFu16).step_by(if STRIDE == 1 { 1 } else { 7 }) {
            for leading in [0xD800u16, 0xDBFF] {
                let units = [leading, unit, leading, unit, 0x0041];
                let bytes: Vec<u8> = units
                    .into_iter()
                    .flat_map(
                        |unit| if encoding == textcodec::UTF_16BE { unit.to_be_bytes() } else { unit.to_le_bytes() },
                    )
                    .collect();
                (0..=bytes.len()).for_each(|length| same_decoding(encoding, oracle, &bytes[..length]));
            }
        }
    }
}

#[test]
fn all_strings_over_the_significant_bytes_of_iso_2022_jp_to_length_six() {
    const BYTES: [u8; 12] = *b"\x1B\x24\x28\x40\x42\x49\x4A\x21\x30\x5C\x7E\x0E";
    let oracle = oracle(ISO_2022_JP);
    for length in 0..=6 {
        for mut number in 0..BYTES.len().pow(length) {
            let mut input = [0; 6];
            for byte in &mut input[..length as usize] {
                *byte = BYTES[number % BYTES.len()];
                number /= BYTES.len();
            }
            same_decoding(ISO_2022_JP, oracle, &input[..length as usize]);
        }
    }
}

/// For ISO-2022-JP also after a character that changes the encoder's state. From plane 3 on, where the encoders treat
/// all characters alike, some stand alone, and all of them in texts of 64 characters.
#[test]
fn all_scalar_values_through_all_encoders() {
    for encoding in encoders() {
        let oracle = oracle(encoding);
        let contexts = if encoding == ISO_2022_JP { &["", "¥", "あ", "ｱ"][..] } else { &[""] };
        for context in contexts {
            let mut text = String::new();
            let check = |text: &str| {
                let Encoded { bytes: ours, had_errors: our_errors, .. } = encoding.encode(text);
                let (theirs, _, their_errors) = oracle.encode(text);
                assert_eq!((&*ours, our_errors), (&*theirs, their_errors), "{encoding}: {text:?}");
                assert_eq!(encoding.encode_or_fail(text).is_err(), our_errors, "{encoding}: {text:?}");
                theirs.into_owned()
            };
            for code_point in '\0'..=char::MAX {
                let is_alike = code_point >= '\u{30000}';
                let is_first_or_last = u32::from(code_point) % 0xFFFF < 2;
                if STRIDE != 1 && is_alike && !is_first_or_last && u32::from(code_point) % 61 != 0 {
                    continue;
                }
                text.clear();
                text.push_str(context);
                text.push(code_point);
                let theirs = check(&text);
                if !is_alike || is_first_or_last {
                    assert_eq!(process_encode(encoding, &text), theirs, "the handler of {encoding}: {text:?}");
                }
            }
            for first in (0x3_0000..0x11_0000).step_by(64) {
                text.clear();
                text.push_str(context);
                text.extend((first..first + 64).filter_map(char::from_u32));
                check(&text);
            }
        }
    }
}

/// The oracle's results depend on the lengths of its buffers. So this test decodes longer sources, too.
#[test]
fn long_runs_of_every_byte_pair() {
    for encoding in Encoding::all() {
        let bytes: Vec<u8> = (0..=0xFFFF_u16).flat_map(u16::to_be_bytes).collect();
        for chunk in bytes.chunks(31) {
            if chunk.len() < 31 {
                continue;
            }
            let (ours, _) = encoding.decode_without_bom_handling(chunk);
            let (theirs, _) = oracle(encoding).decode_without_bom_handling(chunk);
            assert_eq!(ours, theirs, "{encoding}: {chunk:02X?}");
            let mut text = [0; 32];
            let units: Vec<u16> = ours.encode_utf16().collect();
            assert_eq!(oracle_decode(oracle(encoding), chunk, &mut text), units);
        }
    }
}
