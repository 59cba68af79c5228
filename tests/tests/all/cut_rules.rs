//! Cut rules: where the rule of an encoding allows a cut, every decoder is in its first state, whatever bytes come
//! before the cut. So a new decoder gives the same text and the same errors from there on.

use textcodec::{Encoding, ISO_2022_JP};
use textcodec_core::{
    CutRule,
    handler::{Item, Restored},
};
use textcodec_tests::STRIDE;

/// Fails if the rule allows a cut after `text`, and the handler is not in its first state there.
fn check(encoding: Encoding, text: &[u8]) {
    let codec = encoding.as_core().codec();
    let mut followed = [b'a'; 12];
    followed[..text.len()].copy_from_slice(text);
    if codec.cut_rule().next_cut(&followed[..text.len() + 1], text.len()) != Some(text.len()) {
        return;
    }
    let (mut state, mut rest) = (0, Vec::from_iter(text.iter().rev().copied()));
    while let Some(byte) = rest.pop() {
        let mut restored = Restored::<u8>::EMPTY;
        codec.decoder_handler(&mut state, &mut restored, Item::Value(byte));
        rest.extend(restored.as_slice().iter().rev());
    }
    assert_eq!(state, 0, "{encoding}: {text:02X?}");
}

#[test]
fn a_decoder_is_in_its_first_state_at_every_cut_after_up_to_three_bytes() {
    for encoding in Encoding::all() {
        check(encoding, &[]);
        for number in 0..1 << 16 {
            let [_, _, first, second] = u32::to_be_bytes(number);
            check(encoding, &[first]);
            check(encoding, &[first, second]);
        }
        for number in (0..1 << 24).step_by(STRIDE) {
            let [_, first, second, third] = u32::to_be_bytes(number);
            check(encoding, &[first, second, third]);
        }
    }
}

#[test]
fn a_decoder_is_in_its_first_state_at_every_cut_after_significant_bytes() {
    // Bytes at the bounds of the ranges that decoders tell apart.
    const BYTES: [u8; 16] =
        [0x0A, 0x0E, 0x1B, 0x24, 0x28, 0x2F, 0x30, 0x39, 0x40, 0x42, 0x4A, 0x80, 0x81, 0x8F, 0xD8, 0xFE];
    for encoding in Encoding::all() {
        // A decoder of single bytes has one state.
        let varying = if encoding.is_single_byte() { 2 } else { 5 };
        for number in 0..16_u32.pow(varying) {
            let text: [u8; 5] = std::array::from_fn(|at| BYTES[(number >> (4 * at)) as usize % 16]);
            check(encoding, &text);
        }
    }
    // An escape sequence at every distance from others.
    for number in 0..8_u32.pow(6) {
        let text: [u8; 6] = std::array::from_fn(|at| b"\x1B($BJI\x0Ea"[(number >> (3 * at)) as usize % 8]);
        check(ISO_2022_JP, &[&text[..], b"\x1B(B"].concat());
        check(ISO_2022_JP, &[&text[..], b"\x1B(Ba"].concat());
    }
}

/// A rule that allows no cut passes the other tests.
#[test]
fn each_encoding_but_replacement_allows_a_cut_after_a_line() {
    for encoding in Encoding::all() {
        let line: &[u8] = match encoding.name() {
            "UTF-16LE" => b"a\0\n\0b\0",
            "UTF-16BE" => b"\0a\0\n\0b",
            "ISO-2022-JP" => b"\x1B$B!!\x1B(B\nb",
            _ => b"a\nb",
        };
        let rule = encoding.as_core().codec().cut_rule();
        let cut = rule.next_cut(line, 1);
        assert_eq!(cut.is_some(), encoding.name() != "replacement", "{encoding}");
        assert_eq!(rule == CutRule::Never, encoding.name() == "replacement", "{encoding}");
        assert_eq!(rule.next_cut(line, line.len()), None, "{encoding}");
    }
}
