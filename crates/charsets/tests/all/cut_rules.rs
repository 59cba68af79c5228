//! Cut rules: where the rule of a charset allows a cut, every decoder is as a new one, whatever bytes come before the
//! cut. `tests` has the same for the encodings of the Standard.

use textcodec_charsets::{Charset, CutRule, DecodeErrorMode, Decoder};

/// All sequences of three bytes, or one in so many.
const STRIDE: usize = if cfg!(feature = "exhaustive") { 1 } else { 1009 };

/// What decides the rest of the stream: all of the state but the number of bytes.
fn state(decoder: &Decoder) -> [u64; 2] {
    let [handler, _, rest] = decoder.stream_state().into();
    [handler, rest]
}

/// Asserts that a decoder is as a new one after `bytes`, if the rule allows a cut there.
fn check(charset: Charset, bytes: &[u8]) {
    let mut followed = [b'a'; 8];
    followed[..bytes.len()].copy_from_slice(bytes);
    let rule = charset.codec().cut_rule();
    if rule.next_cut(&followed[..=bytes.len()], bytes.len()) != Some(bytes.len()) {
        return;
    }
    let mut decoder = charset.new_decoder();
    let result = decoder.decode_to_utf16(bytes, &mut [0; 32], false, DecodeErrorMode::Replacement);
    assert_eq!(result.read, bytes.len());
    assert_eq!(state(&decoder), state(&charset.new_decoder()), "{}: {bytes:02X?}", charset.name());
}

#[test]
fn a_decoder_is_as_a_new_one_at_every_cut_after_up_to_three_bytes() {
    let mut number_of_rules = 0;
    for charset in Charset::all() {
        let rule = charset.codec().cut_rule();
        match rule {
            CutRule::Never => continue,
            CutRule::Anywhere => {
                (0..=255).for_each(|byte| check(charset, &[byte]));
                continue;
            }
            _ => number_of_rules += 1,
        }
        for number in 0..1_u32 << 16 {
            let [_, _, first, second] = number.to_be_bytes();
            check(charset, &[second]);
            check(charset, &[first, second]);
        }
        for number in (0..1_u32 << 24).step_by(STRIDE) {
            let [_, first, second, third] = number.to_be_bytes();
            check(charset, &[first, second, third]);
            // The bytes that are in most rules.
            check(charset, &[first, second, third, 0x0A]);
        }
    }
    assert!(number_of_rules >= 25, "{number_of_rules}");
}
