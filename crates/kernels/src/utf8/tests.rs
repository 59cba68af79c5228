//! Validation: every level against the automaton, and against `std`.

use super::*;
use crate::{
    level::at_every_level,
    testing::{Function, Functions, battery, measuring, moving},
};

const FUNCTIONS: Functions =
    Functions { bytes_to_bytes: &[measuring!(valid_up_to), moving!(copy, 1)], ..Functions::NONE };

battery!();

/// Checks all pairs of bytes, and all sequences of four significant bytes, between ASCII and at the very end.
#[test]
fn all_pairs_of_bytes_and_sequences_of_significant_bytes() {
    FUNCTIONS.all_pairs_of_bytes_and_sequences_of_significant_bytes();
}

#[test]
fn finds_an_error_before_a_character_that_the_end_cuts_off() {
    at_every_level(|_| {
        for length in (0..=200).chain([350, 500]) {
            for cut_off in 0..=3 {
                let mut source: Vec<u8> = (b'!'..b'z').cycle().take(length).collect();
                source.extend(&[0xF0, 0x9F, 0x92][..cut_off]);
                for at in 0..=length {
                    let before = source.get(at).copied();
                    source[at..].iter_mut().take(1).for_each(|byte| *byte = 0xFF);
                    let mut destination = vec![0; source.len()];
                    assert_eq!(valid_up_to(&source), at, "{source:02X?}");
                    assert_eq!(copy(&source, &mut destination), at, "{source:02X?}");
                    assert_eq!(destination[..at], source[..at]);
                    source[at..].iter_mut().zip(before).for_each(|(byte, before)| *byte = before);
                }
            }
        }
    });
}

/// Checks errors at the places where a block ends within a character, and where the last block overlaps the block
/// before.
#[test]
fn finds_an_error_at_any_place_in_text_of_every_length() {
    at_every_level(|_| {
        for text in ["aé€\u{1F4A9}", "жук ", "\u{1F4A9}", "語a語", "plain ASCII, and much of it, before: é"] {
            let text = text.repeat(80).into_bytes();
            for length in 0..=300 {
                let mut source = text[..length].to_vec();
                for at in [length, length / 2, length.saturating_sub(33), length.saturating_sub(3)] {
                    let before = source.get(at).copied();
                    source[at..].iter_mut().take(1).for_each(|byte| *byte = 0xFF);
                    let expected = core::str::from_utf8(&source).map_or_else(|error| error.valid_up_to(), str::len);
                    let mut destination = vec![0; length];
                    assert_eq!(valid_up_to(&source), expected, "{source:02X?}");
                    assert_eq!(copy(&source, &mut destination), expected, "{source:02X?}");
                    assert_eq!(destination[..expected], source[..expected]);
                    source[at..].iter_mut().zip(before).for_each(|(byte, before)| *byte = before);
                }
            }
        }
    });
}
