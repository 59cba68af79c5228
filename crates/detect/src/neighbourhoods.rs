//! The neighbourhoods of the bytes that are not ASCII: only these are scored.

use alloc::{vec, vec::Vec};

use crate::{Options, east_asian::EastAsian, pairs::Pairs};

/// The bytes of ASCII that are scored before a byte that is not ASCII.
const BEFORE: usize = 64;
/// The bytes of ASCII that are scored after a byte that is not ASCII.
const AFTER: usize = 64;
/// The greatest number of bytes that are scored.
const MOST_BYTES: usize = 64 * 1024;

/// The classes of ASCII for the evidence of its pairs: one for each letter, and one for everything else.
pub(crate) const PLAIN_CLASSES: usize = 27;
/// The most bytes of a tag of markup, and of a character reference. Whatever is longer is text.
const LONGEST_TAG: u16 = 1024;
const LONGEST_REFERENCE: u16 = 10;

/// Counts what the neighbourhoods have.
#[derive(Clone, Debug)]
pub(crate) struct Neighbourhoods {
    /// The number of bytes of the stream before the next byte.
    position: u64,
    /// The pairs with a byte that is not ASCII.
    pub(crate) pairs: Pairs,
    /// The numbers of pairs of ASCII outside of markup, by the classes of both.
    pub(crate) plain: Vec<u32>,
    pub(crate) east_asian: EastAsian,
    /// The number of bytes that were scored.
    pub(crate) scored: usize,
    /// All bytes of the stream that are not ASCII, also those that were not scored.
    pub(crate) high: Set,
    /// The byte before the next one; white space at the start.
    previous: u8,
    plain_class: u8,
    markup: Markup,
    /// How many more bytes of ASCII belong to the neighbourhood.
    after: usize,
    context: Context,
    /// Whether no more bytes are scored.
    pub(crate) is_full: bool,
}

/// A set of the bytes 0x80 to 0xFF.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Set(pub(crate) [u64; 2]);

impl Set {
    fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6 & 1)] |= u64::from(!byte.is_ascii()) << (byte & 63);
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = u8> {
        (0x80..=0xFF_u8).filter(move |byte| self.0[usize::from(byte >> 6 & 1)] >> (byte & 63) & 1 == 1)
    }
}

/// Where in markup a byte is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Markup {
    Text,
    /// After `<`.
    Open,
    /// In a tag, which began this number of bytes ago.
    Tag(u16),
    /// In a character reference, which began this number of bytes ago.
    Reference(u16),
}

/// The last bytes of ASCII that were not scored.
#[derive(Clone, Debug)]
struct Context {
    bytes: [u8; BEFORE],
    length: usize,
    /// Whether there were more bytes before these.
    is_gap: bool,
}

impl Context {
    fn push(&mut self, bytes: &[u8]) {
        let kept = bytes.len().min(BEFORE);
        let old = self.length.min(BEFORE - kept);
        self.is_gap |= old < self.length || kept < bytes.len();
        self.bytes.copy_within(self.length - old..self.length, 0);
        self.bytes[old..old + kept].copy_from_slice(&bytes[bytes.len() - kept..]);
        self.length = old + kept;
    }
}

impl Neighbourhoods {
    /// `position` is the offset of the first byte.
    pub(crate) fn new(position: u64, options: &Options) -> Self {
        Neighbourhoods {
            position,
            pairs: Pairs::new(),
            plain: vec![0; PLAIN_CLASSES * PLAIN_CLASSES],
            east_asian: EastAsian::new(options, position),
            scored: 0,
            high: Set::default(),
            previous: b' ',
            plain_class: 0,
            markup: Markup::Text,
            after: 0,
            context: Context { bytes: [0; BEFORE], length: 0, is_gap: false },
            is_full: false,
        }
    }

    /// Looks at the next bytes of the stream.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.is_full {
                return rest.iter().for_each(|&byte| self.high.insert(byte));
            }
            if self.after == 0 {
                let (ascii, others) = rest.split_at(ascii_length(rest));
                self.context.push(ascii);
                self.position += ascii.len() as u64;
                if others.is_empty() {
                    return;
                }
                rest = others;
                self.score_context();
            }
            // If the neighbourhood begins here, the first byte is not ASCII.
            let (mut length, mut after) = (0, self.after.max(1));
            while length < rest.len() && after > 0 {
                let is_ascii = rest[length].is_ascii();
                after = if is_ascii { after - 1 } else { AFTER };
                length += 1;
            }
            let (near, others) = rest.split_at(length);
            self.after = after;
            rest = others;
            self.score(near);
        }
    }

    /// Scores the ASCII before a byte that is not ASCII.
    fn score_context(&mut self) {
        let context = Context { bytes: [0; BEFORE], length: 0, is_gap: false };
        let context = core::mem::replace(&mut self.context, context);
        if context.is_gap {
            self.plain_class = 0;
            self.markup = Markup::Text;
        }
        self.position -= context.length as u64;
        self.score(&context.bytes[..context.length]);
    }

    fn score(&mut self, bytes: &[u8]) {
        let mut length = 0;
        for &byte in &bytes[..bytes.len().min(MOST_BYTES - self.scored)] {
            if byte.is_ascii() && self.previous.is_ascii() {
                self.add_plain(byte);
            } else {
                if !self.pairs.add([self.previous, byte], self.position) {
                    self.is_full = true;
                    break;
                }
                self.plain_class = PLAIN_CLASSES as u8;
                self.high.insert(byte);
                if !matches!(self.markup, Markup::Tag(_)) {
                    self.markup = Markup::Text;
                }
                if byte.is_ascii() {
                    self.add_plain(byte);
                }
            }
            self.previous = byte;
            self.position += 1;
            length += 1;
        }
        self.scored += length;
        self.is_full |= self.scored == MOST_BYTES;
        self.east_asian.feed(&bytes[..length]);
        if self.is_full {
            bytes[length..].iter().for_each(|&byte| self.high.insert(byte));
        }
    }

    /// Counts a pair of ASCII, if it is text.
    fn add_plain(&mut self, byte: u8) {
        let mut class = 0;
        self.markup = match (self.markup, byte) {
            (Markup::Text, b'<') => Markup::Open,
            (Markup::Text, b'&') => Markup::Reference(0),
            (Markup::Open, b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'!' | b'?') => Markup::Tag(0),
            (Markup::Tag(length), byte) if byte != b'>' && length < LONGEST_TAG => Markup::Tag(length + 1),
            (Markup::Reference(length), b'#' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9')
                if length < LONGEST_REFERENCE =>
            {
                Markup::Reference(length + 1)
            }
            (_, byte) => {
                if byte.is_ascii_alphabetic() {
                    class = 1 + (byte | 0x20) - b'a';
                }
                Markup::Text
            }
        };
        if usize::from(self.plain_class) < PLAIN_CLASSES && (class > 0 || self.plain_class > 0) {
            self.plain[usize::from(self.plain_class) * PLAIN_CLASSES + usize::from(class)] += 1;
        }
        self.plain_class = class;
    }

    /// Scores the end of the text, which is like white space.
    pub(crate) fn end(&mut self, ends_mid_stream: bool) {
        if !self.is_full && !self.previous.is_ascii() && !ends_mid_stream {
            self.pairs.add([self.previous, b' '], self.position);
        }
    }
}

/// The number of bytes of ASCII at the start.
fn ascii_length(bytes: &[u8]) -> usize {
    const BLOCK: usize = 64;
    let blocks = bytes.chunks_exact(BLOCK).take_while(|block| block.is_ascii()).count();
    let rest = &bytes[blocks * BLOCK..];
    blocks * BLOCK + rest.iter().position(|byte| !byte.is_ascii()).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that repeat nothing.
    fn noise(length: usize) -> Vec<u8> {
        let mut state = 1_u32;
        let next = |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        (0..length).map(next).collect()
    }

    fn scored(bytes: &[u8]) -> Neighbourhoods {
        let mut neighbourhoods = Neighbourhoods::new(0, &Options::new());
        neighbourhoods.feed(bytes);
        neighbourhoods
    }

    #[test]
    fn a_space_follows_the_last_letter_unless_the_text_goes_on() {
        for (bytes, ends_mid_stream, pairs) in [(b"a\xE9", false, 2), (b"a\xE9", true, 1), (b"\xE9a", false, 2)] {
            let mut neighbourhoods = scored(bytes);
            neighbourhoods.end(ends_mid_stream);
            assert_eq!(neighbourhoods.pairs.all(0).len(), pairs, "{bytes:X?}, {ends_mid_stream}");
        }
    }

    #[test]
    fn the_number_of_bytes_that_are_scored_is_bounded() {
        let text = b"caf\xE9 ".repeat(1 << 18);
        assert_eq!(scored(&text).scored, MOST_BYTES);
        // Noise has too many different pairs before that.
        assert!(scored(&noise(1 << 18)).scored < MOST_BYTES);
        assert_eq!(scored(&noise(1 << 18)).pairs.all(0).len(), 4096);
    }

    #[test]
    fn ascii_far_from_other_bytes_is_not_scored() {
        let mut text = vec![b'a'; 100_000];
        text.push(0xE9);
        text.extend(vec![b'a'; 100_000]);
        assert_eq!(scored(&text).scored, BEFORE + 1 + AFTER);
        assert_eq!(scored(&vec![b'a'; 100_000]).scored, 0);
    }

    #[test]
    fn a_tag_ends_at_a_gap_and_a_text_that_is_not_scored_to_its_end_has_no_last_pair() {
        for (gap, is_counted) in [(20, false), (300, true)] {
            let mut neighbourhoods = Neighbourhoods::new(0, &Options::new());
            neighbourhoods.feed(&[b"\xE9 <a ", &b"b".repeat(gap)[..], b" c \xE9"].concat());
            let pairs_of_b = neighbourhoods.plain[2 * PLAIN_CLASSES + 2];
            assert_eq!(pairs_of_b > 0, is_counted, "{gap}: {pairs_of_b}");
        }
        for (length, is_counted) in [(MOST_BYTES - 1, true), (MOST_BYTES, false), (MOST_BYTES + 1, false)] {
            for ends_mid_stream in [false, true] {
                let mut neighbourhoods = Neighbourhoods::new(0, &Options::new());
                neighbourhoods.feed(&b"\xE9".repeat(length));
                neighbourhoods.end(ends_mid_stream);
                let has_end = neighbourhoods.pairs.all(0).iter().any(|pair| pair.bytes == [0xE9, b' ']);
                assert_eq!(has_end, is_counted && !ends_mid_stream, "{length} {ends_mid_stream}");
            }
        }
    }

    #[test]
    fn bytes_are_seen_after_scoring_has_ended() {
        let mut text = b"caf\xE9 ".repeat(1 << 18);
        text.push(0xA4);
        assert_eq!(scored(&text).high.iter().collect::<Vec<_>>(), [0xA4, 0xE9]);
        // Scoring also ends when there are too many pairs.
        let mut text: Vec<u8> = noise(1 << 18).into_iter().map(|byte| if byte == 0xA4 { b'a' } else { byte }).collect();
        assert!(!scored(&text).high.iter().any(|byte| byte == 0xA4));
        let mut neighbourhoods = scored(&text);
        neighbourhoods.feed(b"a\xA4");
        text.push(0xA4);
        for of in [neighbourhoods, scored(&text)] {
            assert!(of.high.iter().any(|byte| byte == 0xA4));
        }
    }

    #[test]
    fn a_pair_knows_where_it_was_first() {
        let pairs = scored(b"x\xE9y x\xE9y").pairs.all(8);
        let found: Vec<_> = pairs.iter().map(|pair| (pair.bytes, pair.count, pair.first)).collect();
        assert_eq!(found, [([b'x', 0xE9], 2, 1), ([0xE9, b'y'], 2, 2)]);
    }

    #[test]
    fn tags_and_character_references_are_not_counted_as_words() {
        let words = |text: &[u8]| scored(text).plain.iter().sum::<u32>();
        assert_eq!(words(b"<a href=\"index\">\xE9"), 0);
        assert_eq!(words(b"&eacute;\xE9"), 0);
        assert_eq!(words(b"ab\xE9"), 2);
        assert_eq!(words(b"a < b\xE9"), 3);
    }

    #[test]
    fn a_context_keeps_the_last_bytes_and_knows_whether_others_were_before() {
        for length in [0, 1, BEFORE - 1, BEFORE, BEFORE + 1, 3 * BEFORE] {
            let bytes: Vec<u8> = (0..length).map(|number| number as u8 & 0x7F).collect();
            for piece in [1, 7, BEFORE, BEFORE + 3, 1000] {
                let mut context = Context { bytes: [0; BEFORE], length: 0, is_gap: false };
                bytes.chunks(piece).for_each(|piece| context.push(piece));
                let kept = &bytes[length.saturating_sub(BEFORE)..];
                assert_eq!(
                    (&context.bytes[..context.length], context.is_gap),
                    (kept, length > BEFORE),
                    "{length} {piece}"
                );
            }
        }
    }

    #[test]
    fn a_set_has_the_bytes_beyond_ascii_that_it_was_given() {
        for byte in 0..=0xFF {
            let mut set = Set::default();
            set.insert(byte);
            let expected: &[u8] = if byte.is_ascii() { &[] } else { &[byte] };
            assert_eq!(set.iter().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn markup_ends_at_its_end_or_at_its_greatest_length() {
        // The number of pairs of ASCII with a letter.
        for (text, words) in [
            ("<b>ab", 2),
            ("</b>ab", 2),
            ("<!b>ab", 2),
            ("<?b>ab", 2),
            ("<1>ab", 2),
            ("< b>ab", 4),
            ("&amp;ab", 2),
            ("&#x41;ab", 2),
            ("&;ab", 2),
            ("& ab", 2),
            ("a&b", 2),
            ("&aaaaaaaaaa", 0),
            ("&aaaaaaaaaab", 1),
            ("&aaaaaaaaaabc", 2),
        ] {
            let found = scored(&[text.as_bytes(), b"\xE9"].concat()).plain.iter().sum::<u32>();
            assert_eq!(found, words, "{text}");
        }
    }

    #[test]
    fn the_length_of_the_ascii_at_the_start_is_that_up_to_the_first_other_byte() {
        for length in [0, 1, 63, 64, 65, 128, 200] {
            let ascii = vec![b'a'; length];
            assert_eq!(ascii_length(&ascii), length);
            assert_eq!(ascii_length(&[&ascii[..], b"\x80aaa"].concat()), length);
        }
    }

    #[test]
    fn the_end_of_a_text_is_white_space_unless_more_may_come() {
        for (text, ends_mid_stream, expected) in
            [(&b"a\xE9"[..], false, 2), (b"a\xE9", true, 1), (b"\xE9a", false, 2), (b"a", false, 0), (b"", false, 0)]
        {
            let mut neighbourhoods = scored(text);
            neighbourhoods.end(ends_mid_stream);
            assert_eq!(neighbourhoods.pairs.all(0).len(), expected, "{text:?} {ends_mid_stream}");
        }
    }

    #[test]
    fn a_byte_beyond_ascii_ends_a_reference_and_no_tag() {
        for (text, words) in [
            (&b"\xE9<a \xE9 ab>\xE9"[..], 0),
            (b"\xE9<a \xE9 ab>cd\xE9", 2),
            (b"\xE9&a\xE9ab\xE9", 1),
            (b"\xE9<\xE9ab\xE9", 1),
        ] {
            assert_eq!(scored(text).plain.iter().sum::<u32>(), words, "{text:?}");
        }
    }

    #[test]
    fn a_tag_of_more_than_a_kilobyte_is_text() {
        // A byte beyond ASCII in each neighbourhood, so that no part of the tag is left out.
        let spaces = |number: usize| (1..=number).map(|at| if at % 50 == 1 { &b"\xE9 "[..] } else { b" " });
        for (number, words) in [(500, 0), (1022, 0), (1023, 1), (1024, 2), (1100, 2)] {
            let tag = spaces(number).collect::<Vec<_>>().concat();
            let found = scored(&[b"\xE9<a", &tag[..], b"ab\xE9"].concat());
            assert_eq!(found.plain.iter().sum::<u32>(), words, "{number}");
        }
    }
}
