//! Guesses from the structure of the bytes alone: for
//! [step 8](https://html.spec.whatwg.org/#determining-the-character-encoding) of HTML's algorithm, and for local files.
//!
//! Nothing here is used unless a caller puts it into [`Hints::heuristic`](crate::Hints::heuristic). The HTML Standard
//! advises against guessing UTF-8 for resources from the network, so that authors go on declaring it.
//!
//! ```
//! use textcodec_sniff::{Hints, Name, Rung, html, structure};
//!
//! let hints = Hints { heuristic: Some(&structure::guess), ..Hints::default() };
//! let sniffed = html("<title>Grüße".as_bytes(), hints);
//! assert_eq!((sniffed.encoding, sniffed.rung), (Name::Utf8, Rung::Heuristic));
//!
//! let candidates: Vec<String> = structure::candidates(b"\x1B$B%F%9%H\x1B(B", true).map(|c| c.to_string()).collect();
//! assert_eq!(candidates, ["ISO-2022-JP: 2 escape sequences"]);
//! ```
//!
//! [`candidates`] judges the start of a text, and takes a single malformed sequence as a no. An [`Examination`] judges
//! all of a text, and tells [damaged](Damage) UTF-8 from text in other encodings.

mod examination;
mod mixture;
mod utf_8;

use core::fmt;

use textcodec_core::Name;

pub use examination::{Damage, Examination, Findings};

/// An encoding for which the structure of the bytes is evidence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The encoding.
    pub encoding: Name,
    /// The evidence.
    pub reason: Reason,
}

/// The evidence for a [`Candidate`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// All bytes are well-formed UTF-8, with this number of sequences of more than one byte.
    Utf8Sequences(usize),
    /// All bytes are below 0x80 and well-formed ISO-2022-JP, with this number of escape sequences.
    Escapes(usize),
    /// All bytes are well-formed UTF-16, and this number of code units have a higher byte of zero: more than twice as
    /// many as have a lower byte of zero.
    Zeros(usize),
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.encoding, self.reason)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = |number: usize| if number == 1 { "" } else { "s" };
        match *self {
            Reason::Utf8Sequences(number) => {
                write!(f, "well-formed, with {number} sequence{} of more than one byte", s(number))
            }
            Reason::Escapes(number) => write!(f, "{number} escape sequence{}", s(number)),
            Reason::Zeros(number) => write!(f, "{number} code unit{} with a higher byte of zero", s(number)),
        }
    }
}

/// The encodings for which the structure of `bytes` is evidence, the strongest first. `last` says that the stream ends
/// with `bytes`; otherwise the last character may be incomplete.
///
/// ASCII is no evidence, because it is the same in all encodings except UTF-16. There is more than one candidate only
/// if a text contains zero bytes.
pub fn candidates(bytes: &[u8], last: bool) -> impl Iterator<Item = Candidate> + use<> {
    [
        utf_8(bytes, last).map(|reason| Candidate { encoding: Name::Utf8, reason }),
        iso_2022_jp(bytes, last).map(|reason| Candidate { encoding: Name::Iso2022Jp, reason }),
        utf_16(bytes, last, 0).map(|reason| Candidate { encoding: Name::Utf16Be, reason }),
        utf_16(bytes, last, 1).map(|reason| Candidate { encoding: Name::Utf16Le, reason }),
    ]
    .into_iter()
    .flatten()
}

/// The encoding of the strongest of the [`candidates`], for [`Hints::heuristic`](crate::Hints::heuristic). The last
/// character may be incomplete.
#[must_use]
pub fn guess(bytes: &[u8]) -> Option<Name> {
    candidates(bytes, false).next().map(|candidate| candidate.encoding)
}

/// [UTF-8](https://encoding.spec.whatwg.org/#utf-8) with at least one sequence of more than one byte.
fn utf_8(bytes: &[u8], last: bool) -> Option<Reason> {
    let valid = match core::str::from_utf8(bytes) {
        Ok(_) => bytes,
        Err(error) if error.error_len().is_none() && !last => &bytes[..error.valid_up_to()],
        Err(_) => return None,
    };
    // Each sequence of more than one byte has exactly one leading byte.
    let sequences = valid.iter().filter(|&&byte| byte >= 0xC0).count();
    (sequences > 0).then_some(Reason::Utf8Sequences(sequences))
}

/// [ISO-2022-JP](https://encoding.spec.whatwg.org/#iso-2022-jp) with at least one escape sequence.
fn iso_2022_jp(bytes: &[u8], last: bool) -> Option<Reason> {
    /// The character set that the last escape sequence selected. The states ASCII and Roman are one state here.
    enum State {
        Ascii,
        Katakana,
        Pairs,
    }
    let (mut state, mut escapes, mut rest) = (State::Ascii, 0, bytes);
    while !rest.is_empty() {
        let is_escape;
        (is_escape, state, rest) = match (state, rest) {
            (_, [0x1B, b'(', b'B' | b'J', rest @ ..]) => (true, State::Ascii, rest),
            (_, [0x1B, b'(', b'I', rest @ ..]) => (true, State::Katakana, rest),
            (_, [0x1B, b'$', b'@' | b'B', rest @ ..]) => (true, State::Pairs, rest),
            (_, [0x1B] | [0x1B, b'(' | b'$']) | (State::Pairs, [0x21..=0x7E]) if !last => break,
            (State::Ascii, [0x00..=0x0D | 0x10..=0x1A | 0x1C..=0x7F, rest @ ..]) => (false, State::Ascii, rest),
            (State::Katakana, [0x21..=0x5F, rest @ ..]) => (false, State::Katakana, rest),
            (State::Pairs, [0x21..=0x7E, 0x21..=0x7E, rest @ ..]) => (false, State::Pairs, rest),
            _ => return None,
        };
        escapes += usize::from(is_escape);
    }
    (escapes > 0).then_some(Reason::Escapes(escapes))
}

/// Whether a text starts with several sequences of UTF-8, so that at most a later part of it is UTF-16.
fn starts_as_utf_8(bytes: &[u8]) -> bool {
    let length = core::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    bytes[..length].iter().take_while(|&&byte| byte != 0).filter(|&&byte| byte >= 0xC0).nth(3).is_some()
}

/// [UTF-16](https://encoding.spec.whatwg.org/#utf-16be) with its higher byte at offsets that are even (0) or odd (1).
fn utf_16(bytes: &[u8], last: bool, higher: usize) -> Option<Reason> {
    let pairs = bytes.chunks_exact(2);
    if last && !pairs.remainder().is_empty() {
        return None;
    }
    let (mut zeros, mut zeros_of_the_other, mut without_spaces, mut leading) = (0, 0, 0, false);
    let (mut ideographs, mut hangul, mut unlikely, mut blocks) = (0, 0, 0, 0_u64);
    for pair in pairs {
        let (high, low) = (pair[higher], pair[1 - higher]);
        let is_trailing = matches!(high, 0xDC..=0xDF);
        let is_text = match (high, low) {
            // Control characters that do not occur in text, and noncharacters.
            (0x00, 0x00..=0x08 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F) | (0xFF, 0xFE | 0xFF) => false,
            _ => leading == is_trailing,
        };
        if !is_text {
            return None;
        }
        leading = matches!(high, 0xD8..=0xDB);
        zeros += usize::from(high == 0);
        zeros_of_the_other += usize::from(low == 0);
        without_spaces += usize::from(matches!(high, 0x0E | 0x30 | 0xFF));
        match high {
            0x34..=0x9F => ideographs += 1,
            0xAC..=0xD7 => hangul += 1,
            0xD8..=0xDF => {}
            // A bit for 1024 code points.
            _ => blocks |= 1 << (high / 4),
        }
        // Code points without a character, of rare scripts, and for private use.
        unlikely += usize::from(matches!(high, 0x08 | 0x1C | 0x1D | 0x2C..=0x2F | 0xA0..=0xAB | 0xE0..=0xF8 | 0xFC));
    }
    // A code unit with a lower byte of zero can be U+3000 or U+4E00, which are frequent, but ASCII is more frequent in
    // every text that has both. Text in other encodings has no zero bytes, but a few of them could be damage. Text with
    // spaces has one code unit of ASCII in ten at least. Thai, Japanese and Chinese have fewer, but Thai letters, kana,
    // and ideographic or fullwidth punctuation.
    let units = bytes.len() / 2;
    let is_enough = zeros * 10 >= units || zeros * 512 >= units && without_spaces * 16 >= units;
    // A few random bytes can have a zero, but their code units are of more scripts than a text has.
    let is_text = unlikely * 16 <= units
        && hangul.min(ideographs) * 4 <= hangul.max(ideographs)
        && blocks.count_ones() as usize <= 3 + units / 8;
    let is_enough = is_enough && is_text && zeros > 2 * zeros_of_the_other && !starts_as_utf_8(bytes);
    (is_enough && (!leading || !last)).then_some(Reason::Zeros(zeros))
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::{vec, vec::Vec};

    use super::*;

    #[test]
    fn four_sequences_before_a_zero_are_utf_8() {
        for (bytes, expected) in [
            ("éa€b𝄞é".as_bytes(), true),
            ("éa€b𝄞".as_bytes(), false),
            ("éa€b\0𝄞é".as_bytes(), false),
            (b"\xC3\xA9\xE2\x82\xAC\xC3\xA9\xFF\xC3\xA9", false),
        ] {
            assert_eq!(starts_as_utf_8(bytes), expected);
        }
    }

    #[test]
    fn utf_16_has_enough_ascii_few_scripts_and_no_control_characters() {
        let cyrillic = |ascii: usize, units: usize| [vec![0x0041; ascii], vec![0x0436; units - ascii]].concat();
        let thai = |ascii: usize, units: usize| [vec![0x0041; ascii], vec![0x0E01; units - ascii]].concat();
        let one_of = |unit: u16| [vec![0x0041; 8], vec![unit]].concat();
        for (units, expected) in [
            (cyrillic(1, 10), true),
            (cyrillic(1, 11), false),
            (thai(1, 512), true),
            (thai(1, 513), false),
            ([cyrillic(1, 480), vec![0x3001; 32]].concat(), true),
            ([cyrillic(1, 481), vec![0x3001; 31]].concat(), false),
            // A lower byte of zero, as in U+0400.
            (vec![0x41, 0x41, 0x41, 0x0400], true),
            (vec![0x41, 0x41, 0x0400], false),
            // Code points that nearly no text has.
            ([vec![0x41; 15], vec![0xE001]].concat(), true),
            ([vec![0x41; 14], vec![0xE001]].concat(), false),
            // Hangul and ideographs.
            ([vec![0x41; 8], vec![0xAC01; 8], vec![0x4E01; 2]].concat(), true),
            ([vec![0x41; 8], vec![0xAC01; 7], vec![0x4E01; 2]].concat(), false),
            // ASCII and two other blocks of 1024 code points, and one more for eight code units.
            (vec![0x41, 0x41, 0x0436, 0x0905, 0x41], true),
            (vec![0x41, 0x41, 0x0436, 0x0905, 0x1205, 0x41, 0x41], false),
            (vec![0x41, 0x41, 0x0436, 0x0905, 0x1205, 0x41, 0x41, 0x41], true),
            (vec![0x41, 0x41, 0xD834, 0xDD1E], true),
            // Surrogates are in no block.
            (vec![0x41, 0x41, 0x0436, 0x0905, 0xD834, 0xDD1E], true),
            (vec![0x41, 0x41, 0xD834], false),
            (vec![0x41, 0xD834, 0x41], false),
            (vec![0x41, 0xDD1E, 0x41], false),
        ] {
            for higher in [0, 1] {
                let bytes: Vec<u8> = units
                    .iter()
                    .flat_map(|unit: &u16| if higher == 0 { unit.to_be_bytes() } else { unit.to_le_bytes() })
                    .collect();
                assert_eq!(utf_16(&bytes, true, higher).is_some(), expected, "{units:X?}");
                assert_eq!(utf_16(&[&bytes[..], b"a"].concat(), true, higher), None);
            }
        }
        for unit in 0..=0xFF {
            let is_text = !matches!(unit, 0x00..=0x08 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F);
            let bytes: Vec<u8> = one_of(unit).iter().flat_map(|unit| unit.to_le_bytes()).collect();
            assert_eq!(utf_16(&bytes, true, 1).is_some(), is_text, "{unit:02X}");
        }
    }

    #[test]
    fn each_higher_byte_is_of_rare_code_points_of_text_without_spaces_of_ideographs_or_of_hangul() {
        let is_utf_16 = |parts: &[(u16, usize)]| {
            let units = parts.iter().flat_map(|&(unit, number)| core::iter::repeat_n(unit, number));
            utf_16(&units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>(), true, 1).is_some()
        };
        for high in 0..=0xFF_u16 {
            let unit = if high == 0 { 0x41 } else { high << 8 | 5 };
            let is_surrogate = (0xD8..=0xDF).contains(&high);
            // Arabic Extended-A, Lepcha, Vedic Extensions, Glagolitic to Kangxi Radicals, Yi to Ethiopic Extended-A,
            // private use, and Arabic Presentation Forms-A without letters of Arabic.
            let is_rare = matches!(high, 0x08 | 0x1C | 0x1D | 0x2C..=0x2F | 0xA0..=0xAB | 0xE0..=0xF8 | 0xFC);
            assert_eq!(is_utf_16(&[(0x41, 14), (unit, 1)]), !is_rare && !is_surrogate, "{unit:04X} in 15");
            let has_no_spaces = matches!(high, 0x00 | 0x0E | 0x30 | 0xFF);
            assert_eq!(is_utf_16(&[(0x41, 1), (unit, 511)]), has_no_spaces, "{unit:04X} with one letter of ASCII");
            let (is_ideograph, is_hangul) = ((0x34..=0x9F).contains(&high), (0xAC..=0xD7).contains(&high));
            let among = |other: u16| is_utf_16(&[(0x41, 8), (other, 8), (unit, 3)]);
            let is_possible = !is_rare && !is_surrogate;
            assert_eq!(among(0xAC05), is_possible && !is_ideograph, "{unit:04X} among Hangul");
            assert_eq!(among(0x4E05), is_possible && !is_hangul, "{unit:04X} among ideographs");
        }
    }

    #[test]
    fn noncharacters_and_control_characters_are_in_no_utf_16() {
        for (unit, expected) in [(0xFFFD, true), (0xFFFE, false), (0xFFFF, false), (0xFEFF, true), (0x007F, false)] {
            let units = [[0x41; 9].as_slice(), &[unit]].concat();
            for higher in [0, 1] {
                let bytes = units.iter().flat_map(
                    |&unit: &u16| {
                        if higher == 0 { unit.to_be_bytes() } else { unit.to_le_bytes() }
                    },
                );
                assert_eq!(utf_16(&bytes.collect::<Vec<u8>>(), true, higher).is_some(), expected, "{unit:04X}");
            }
        }
    }

    #[test]
    fn each_byte_is_or_is_no_part_of_iso_2022_jp_in_each_of_its_states() {
        let is_text = |parts: &[&[u8]]| iso_2022_jp(&parts.concat(), true).is_some();
        for byte in 0..=0xFF_u8 {
            let one = &[byte][..];
            let is_ascii = matches!(byte, 0x00..=0x0D | 0x10..=0x1A | 0x1C..=0x7F);
            for state in [b"\x1B(B", b"\x1B(J"] {
                assert_eq!(is_text(&[state, one]), is_ascii, "{byte:02X} as ASCII or Roman");
                assert_eq!(is_text(&[one, state]), is_ascii, "{byte:02X} at the start");
            }
            assert_eq!(is_text(&[b"\x1B(I", one]), matches!(byte, 0x21..=0x5F), "{byte:02X} as katakana");
            for state in [b"\x1B$@", b"\x1B$B"] {
                let is_of_pair = matches!(byte, 0x21..=0x7E);
                assert_eq!(is_text(&[state, one, b"!"]), is_of_pair, "{byte:02X} as a first byte");
                assert_eq!(is_text(&[state, b"!", one]), is_of_pair, "{byte:02X} as a second byte");
            }
            assert_eq!(is_text(&[b"\x1B(", one]), matches!(byte, b'B' | b'J' | b'I'), "ESC ( {byte:02X}");
            assert_eq!(is_text(&[b"\x1B$", one]), matches!(byte, b'@' | b'B'), "ESC $ {byte:02X}");
            assert_eq!(is_text(&[b"\x1B", one, b"B"]), matches!(byte, b'(' | b'$'), "ESC {byte:02X} B");
        }
    }
}
