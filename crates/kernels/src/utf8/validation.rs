//! Validation of UTF-8 without vector instructions, and without a branch on any byte.
//!
//! This is a finite automaton whose transitions are shifts. Each class of bytes has a word with six bits for each
//! state: the next state. A state is the position of its six bits. So the next state is the word of the next byte,
//! shifted right by the state, and the words of the next bytes are loaded before the state is known:
//!
//! ```text
//! state      position in the word of the next byte's class
//! word       … | next state if the state is 12 | next state if it is 6 | next state if it is 0
//! next       (word >> state) & 63
//! ```
//!
//! The state 0 stands for an error, and all words lead from 0 to 0. So the state is looked at once for each block.
//!
//! Two kinds of text do not need the automaton: blocks of ASCII, and characters of three bytes, of which East Asian
//! texts have many in a row.

use super::malformed::{CLASSES, Class, next_if_well_formed};
use crate::{ascii::scalar::is_ascii, base::*};

/// The number of bytes between two looks at the state.
const BLOCK_BYTES: usize = 16;

/// The state after an error.
const ERROR_STATE: u64 = 0;
/// The state between two characters.
const START_STATE: u64 = 6;

/// The word of each class of bytes.
static WORD_OF_CLASS: [u64; Class::COUNT] = {
    let mut words = [0; Class::COUNT];
    let mut class = 0;
    while class < Class::COUNT {
        let mut number = 0;
        while number < 8 {
            if let Some(next) = next_if_well_formed(number, Class::ALL[class]) {
                words[class] |= (START_STATE + 6 * next as u64) << (START_STATE + 6 * number as u64);
            }
            number += 1;
        }
        class += 1;
    }
    words
};

/// The length in bytes of the longest prefix of `source` that is well-formed UTF-8.
pub(crate) fn valid_up_to(source: &[u8]) -> usize {
    let (mut done, mut state) = (0, START_STATE);
    // The last place before a block at which a character starts.
    let mut start = 0;
    while let Some(bytes) = block::<_, BLOCK_BYTES>(source, done) {
        let is_between = state & 63 == START_STATE;
        if is_between {
            start = done;
        }
        // A wrong guess about a block of ASCII takes less time than the automaton takes for the block.
        if is_between && is_ascii(bytes) {
            done += BLOCK_BYTES;
            while block(source, done).is_some_and(is_ascii) {
                done += BLOCK_BYTES;
            }
            continue;
        }
        if is_between && bytes[0] >= 0xE0 {
            let length = length_of_threes(after(source, done));
            if length > 0 {
                done += length;
                start = done;
                continue;
            }
        }
        // The optimizer does not see that there are four times four bytes: unrolled 16 times, the loop is longer and
        // slower.
        let (fours, _) = chunks::<_, 4>(opaque::<&[u8]>(bytes));
        for four in fours {
            for &byte in four {
                state = WORD_OF_CLASS[CLASSES[usize::from(byte)] as usize] >> (state & 63);
            }
        }
        if state & 63 == ERROR_STATE {
            break;
        }
        done += BLOCK_BYTES;
    }
    // The last bytes, or the block with the first error, and blocks before them that begin inside of a character.
    start + valid_up_to_of_few(skip(source, start))
}

/// The length in bytes of the pairs of characters of three bytes each that `source` begins with.
#[inline(always)]
fn length_of_threes(source: &[u8]) -> usize {
    let mut done = 0;
    while let Some(bytes) = block(source, done) {
        let word = u64::from_le_bytes(*bytes);
        if word & 0xC0C0_F0C0_C0F0 != 0x8080_E080_80E0 {
            break;
        }
        // The lower bits of a leading byte, and the bit of the byte after it that says whether it is below 0xA0.
        let [first, second] = [word as u16 & 0x200F, (word >> 24) as u16 & 0x200F];
        if first == 0 || first == 0x200D || second == 0 || second == 0x200D {
            break;
        }
        done += 6;
    }
    done
}

/// As [`valid_up_to`], for a few bytes: the standard library finds the place of an error.
fn valid_up_to_of_few(source: &[u8]) -> usize {
    match core::str::from_utf8(source) {
        Ok(_) => source.len(),
        Err(error) => error.valid_up_to(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn check(source: &[u8]) {
        assert_eq!(valid_up_to(source), valid_up_to_of_few(source), "{source:02X?}");
    }

    /// Every pair of bytes, and each of them before two further bytes, at places before, at and after the end of a
    /// block.
    #[test]
    fn finds_the_errors_that_the_standard_library_finds() {
        for before in [0, BLOCK_BYTES - 4, BLOCK_BYTES - 3, BLOCK_BYTES - 2, BLOCK_BYTES - 1, BLOCK_BYTES] {
            let mut source = vec![b'a'; 3 * BLOCK_BYTES];
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
    fn finds_every_error_among_characters_of_three_bytes() {
        for number in 0..8 {
            // The ASCII after them shows that an error stays found.
            let mut source = ("あ".repeat(16) + &"a".repeat(3 * BLOCK_BYTES)).into_bytes();
            for first in 0xD0..=0xFF {
                for second in 0x70..=0xCF {
                    for third in [0x7F, 0x80, 0xBF, 0xC0] {
                        source[3 * number..][..3].copy_from_slice(&[first, second, third]);
                        check(&source);
                    }
                }
            }
        }
    }

    #[test]
    fn finds_a_character_with_ascii_inside() {
        for character in ["ä", "あ", "\u{1F4A9}"] {
            for (cut, before) in
                (1..character.len()).flat_map(|cut| (0..2 * BLOCK_BYTES).map(move |before| (cut, before)))
            {
                let (first, last) = character.as_bytes().split_at(cut);
                let ascii = |length| vec![b'a'; length];
                check(&[&ascii(before)[..], first, &ascii(2 * BLOCK_BYTES), last, &ascii(3 * BLOCK_BYTES)].concat());
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
