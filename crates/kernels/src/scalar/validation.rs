//! Validation of UTF-8 without vector instructions, and without a branch on any byte.
//!
//! This is a finite automaton whose transitions are shifts. Each class of bytes has a word with six bits for each state:
//! the next state. A state is the position of its six bits. So the next state is the word of the next byte, shifted right
//! by the state, and the words of the next bytes are loaded before the state is known:
//!
//! ```text
//! state      position in the word of the next byte's class
//! word       … | next state if the state is 12 | next state if it is 6 | next state if it is 0
//! next       (word >> state) & 63
//! ```
//!
//! The state 0 stands for an error, and all words lead from 0 to 0. So the state is looked at once for each block.

use super::{
    malformed::{CLASSES, next_if_well_formed},
    utf8::begun,
};
use crate::{
    backports::chunks,
    blocks::{after, block, up_to},
};

/// The number of bytes between two looks at the state.
const BLOCK: usize = 32;

/// The state after an error.
const ERROR: u64 = 0;
/// The state between two characters.
const START: u64 = 6;

/// The word of each class of bytes. Four words are never used.
static WORDS: [u64; 16] = {
    let mut words = [0; 16];
    let mut class = 0;
    while class < 16 {
        let mut number = 0;
        while number < 8 {
            if let Some(next) = next_if_well_formed(number, class) {
                words[class as usize] |= (START + 6 * next as u64) << (START + 6 * number as u64);
            }
            number += 1;
        }
        class += 1;
    }
    words
};

/// The length in bytes of the longest prefix of `source` that is well-formed UTF-8.
pub(crate) fn valid_up_to(source: &[u8]) -> usize {
    if source.len() < BLOCK {
        return short(source);
    }
    let (mut done, mut state) = (0, START);
    while let Some(bytes) = block::<_, BLOCK>(source, done) {
        // A wrong guess about a block of ASCII takes less time than the automaton takes for the block.
        if is_ascii(bytes) && state & 63 == START {
            done += BLOCK;
            while block::<_, 64>(source, done).is_some_and(is_ascii) {
                done += 64;
            }
            continue;
        }
        for &byte in bytes {
            state = WORDS[usize::from(CLASSES[usize::from(byte)] & 0xF)] >> (state & 63);
        }
        if state & 63 == ERROR {
            break;
        }
        done += BLOCK;
    }
    // The last bytes, or the block with the first error, with the beginning of the character that the block cuts.
    let start = done - begun(up_to(source, done));
    start + short(after(source, start))
}

/// As [`valid_up_to`], for a few bytes: the standard library finds the place of an error.
fn short(source: &[u8]) -> usize {
    match core::str::from_utf8(source) {
        Ok(_) => source.len(),
        Err(error) => error.valid_up_to(),
    }
}

/// Whether all bytes of a block, whose length is a multiple of eight, are ASCII.
#[inline(always)]
fn is_ascii<const LENGTH: usize>(block: &[u8; LENGTH]) -> bool {
    let (words, _) = chunks(block);
    words.iter().fold(0, |any, &word| any | u64::from_ne_bytes(word)) & u64::from_ne_bytes([0x80; 8]) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::Random;

    fn check(source: &[u8]) {
        assert_eq!(valid_up_to(source), short(source), "{source:02X?}");
    }

    /// Every pair of bytes, and each of them before two further bytes, at places before, at and after the end of a block.
    #[test]
    fn finds_the_errors_that_the_standard_library_finds() {
        for before in [0, BLOCK - 4, BLOCK - 3, BLOCK - 2, BLOCK - 1, BLOCK] {
            let mut source = vec![b'a'; 3 * BLOCK];
            for first in 0x80..=0xFF {
                for second in 0..=0xFF {
                    for rest in [*b"aa", [0x80, b'a'], [0x80, 0x80], [0xBF, 0xC3], [0x80, 0xF4]] {
                        source[before..before + 4].copy_from_slice(&[first, second, rest[0], rest[1]]);
                        check(&source);
                    }
                }
            }
        }
    }

    #[test]
    fn finds_the_error_in_texts_of_every_length() {
        let mut random = Random(5);
        let text = "aäя€\u{1F4A9}zzz\u{10FFFF}\u{D7FF}".repeat(20) + &"z".repeat(200) + "äöü€";
        for length in 0..=text.len() {
            let source = &text.as_bytes()[text.len() - length..];
            check(source);
            let source = &text.as_bytes()[..length];
            check(source);
            let mut damaged = source.to_vec();
            if length > 0 {
                damaged[random.below(length)] = random.below(256) as u8;
                check(&damaged);
            }
        }
    }
}
