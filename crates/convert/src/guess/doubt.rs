//! Reasons to doubt an encoding that was guessed or that is a fallback: bytes in an encoding that does not compete get
//! the best of the wrong answers, often with a high probability. The text then looks odd, or another encoding fits.

use alloc::{string::String, vec::Vec};
use core::fmt;

use crate::{
    charset::Charset,
    oddness::{Class, oddness},
};

/// Why a guess is less probable than the statistics of the competing encodings alone say. It is displayed as a clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Doubt {
    /// This charset, which does not compete, fits better and gives another text.
    Rival(Charset),
    /// In this charset, the text has its signs where people write them.
    Signs(Charset),
    /// The text has many characters side by side that people seldom write side by side.
    Odd,
    /// The characters beyond ASCII are hardly letters of the language in words, or signs at their places.
    Foreign,
    /// The words are not like those of the language: they are of a language without statistics.
    Language,
    /// A line is UTF-8, and the file is not.
    Mixed,
}

impl Doubt {
    /// The most that the probability of such a guess can be: the share of right answers among guesses with this doubt
    /// in trees of mixed files in 37 languages and 60 encodings.
    pub(super) const fn share_of_right_answers(self) -> f32 {
        match self {
            // Nearly all have a far lower probability; 1 of 18,000 files had 0.95, and the guess was wrong.
            Doubt::Rival(_) => 0.5,
            Doubt::Signs(_) => 0.2,
            // In trees of 6,000 files, 10 of 139 were right.
            Doubt::Odd => RIGHT_IF_ODD,
            Doubt::Foreign => 0.7,
            // The bound of the detector, too, above which signs could raise the probability.
            Doubt::Language => 0.1,
            Doubt::Mixed => 0.05,
        }
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Rival(rival) => write!(f, "because {rival} fits better (see --tiers)"),
            Doubt::Signs(other) => write!(f, "because {other} has signs where this has odd letters"),
            Doubt::Odd => f.write_str("because odd characters stand side by side in the text"),
            Doubt::Foreign => f.write_str("because its few characters beyond ASCII are unusual in this language"),
            Doubt::Language => f.write_str("because its words are not like those of this language"),
            Doubt::Mixed => f.write_str("because a line of it is UTF-8"),
        }
    }
}

/// The share of right answers among guesses with odd texts.
pub(super) const RIGHT_IF_ODD: f32 = 0.07;

/// The number of bytes that show whether a text is odd.
const LENGTH: usize = 16 * 1024;

/// The number of ASCII bytes in front of the first other byte that a sample has.
const CONTEXT: usize = 32;

/// The part of a text from the first byte on that is not ASCII.
#[derive(Default)]
pub(super) struct Sample {
    /// The bytes that are not read yet, fewer than `LENGTH`. The text is read in blocks of this length, so that the
    /// pieces in which the text comes do not matter.
    block: Vec<u8>,
    bytes: Vec<u8>,
    /// The neighbourhoods of the first bytes of each value that come after the part.
    others: Vec<u8>,
    /// The values from 0x80 on that were there.
    seen: u128,
    /// Whether a line of UTF-8 was there.
    has_line_of_utf_8: bool,
}

impl Sample {
    /// Takes the next bytes. After the last ones, [`finish`](Self::finish) has to follow.
    pub(super) fn feed(&mut self, mut piece: &[u8]) {
        while let Some((rest_of_block, after)) = piece.split_at_checked(LENGTH - self.block.len()) {
            self.block.extend_from_slice(rest_of_block);
            self.finish();
            piece = after;
        }
        self.block.extend_from_slice(piece);
    }

    /// Reads the bytes that were taken.
    pub(super) fn finish(&mut self) {
        let mut block = core::mem::take(&mut self.block);
        self.read(&block);
        block.clear();
        self.block = block;
    }

    fn read(&mut self, block: &[u8]) {
        // A line that continues in the next block is looked at in two parts.
        self.has_line_of_utf_8 |= block.split(|&byte| byte == b'\n').any(is_utf_8);
        let mut piece = block;
        if self.bytes.is_empty() {
            let Some(first) =
                piece.iter().position(|&byte| !byte.is_ascii() || matches!(byte, 0x00 | 0x0E | 0x0F | 0x1B))
            else {
                return;
            };
            // The units of UTF-16 have two bytes each.
            piece = &piece[first.saturating_sub(CONTEXT) & !1..];
        }
        let taken = piece.len().min(LENGTH - self.bytes.len());
        self.bytes.extend_from_slice(&piece[..taken]);
        for (place, &byte) in piece.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()) {
            let bit = 1 << (byte & 0x7F);
            if place >= taken && self.seen & bit == 0 {
                let near = place.saturating_sub(CONTEXT / 2).max(taken)..piece.len().min(place + CONTEXT / 2);
                self.others.push(b'\n');
                self.others.extend_from_slice(&piece[near]);
            }
            self.seen |= bit;
        }
    }

    /// The text in `charset`.
    fn text(&self, charset: Charset) -> String {
        // The first bytes of a text may be those of a byte order mark, which would be kept back.
        charset.new_decoder(true).decode_start(&self.bytes, false)
    }

    /// The text in `charset`, and a line for each byte beyond ASCII that comes later on.
    pub(super) fn lines(&self, charset: Charset) -> String {
        charset.new_decoder(true).decode_start(&[&*self.bytes, &self.others].concat(), false)
    }

    /// Whether a line is UTF-8 by more characters than a line in another encoding is by chance.
    pub(super) const fn has_line_of_utf_8(&self) -> bool {
        self.has_line_of_utf_8
    }

    /// Whether the text looks odd in `charset`.
    pub(super) fn is_odd(&self, charset: Charset) -> bool {
        let mut text = self.text(charset);
        if charset.new_decoder(true).decode_start(b"A", true) != "A" {
            // In EBCDIC, U+0085 is the end of a line.
            text = text.replace('\u{85}', "\n");
        }
        is_odd(&text)
    }
}

/// Whether a line has four sequences of UTF-8, or three of three bytes, and no other bytes beyond ASCII. One of them
/// has a byte that is rare in other encodings, and that GB 2312, EUC and Big5 do not have.
fn is_utf_8(line: &[u8]) -> bool {
    let valid = core::str::from_utf8(line).map_or_else(|error| error.valid_up_to(), str::len);
    let (text, rest) = line.split_at(valid);
    let sequences = |least: u8| text.iter().filter(|&&byte| byte >= least).count();
    // The end of a line is cut if the line continues in the next block.
    let is_cut = || rest.len() < 4 && core::str::from_utf8(rest).is_err_and(|error| error.error_len().is_none());
    (sequences(0xC0) >= 4 || sequences(0xE0) >= 3)
        && text.iter().any(|byte| matches!(byte, 0x80..=0xA0))
        && (rest.is_empty() || is_cut())
}

/// Whether at least every fourth character that is not ASCII, and three of them or all, are odd.
fn is_odd(text: &str) -> bool {
    let characters = text.chars().filter(|character| !character.is_ascii()).count();
    let odd = oddness(text) as usize + alone(text);
    odd * 4 > characters && (odd >= 3 || odd >= characters) && characters > 0 || is_spaced(text)
}

/// Whether spaces stand between the ideographs of a text, as in Thai that is read as Chinese: two spaces at least, and
/// two for five ideographs.
fn is_spaced(text: &str) -> bool {
    let (mut ideographs, mut spaces, mut before) = (0, 0, ['\0'; 2]);
    for character in text.chars() {
        if Class::of(character) == Class::Han {
            ideographs += 1;
            spaces += usize::from(before[1] == ' ' && Class::of(before[0]) == Class::Han);
        }
        before = [before[1], character];
    }
    spaces >= 2 && spaces * 5 >= ideographs * 2
}

/// The number of letters and marks that stand alone, although they always have company: letters of scripts other than
/// Latin, ideographic punctuation, and quotation marks and signs inside of words.
fn alone(text: &str) -> usize {
    let mut before = ' ';
    let mut odd = 0;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let after = characters.peek().copied().unwrap_or(' ');
        let are_letters = [before, after].map(|other| Class::of(other).is_letter());
        odd += match Class::of(character) {
            Class::Greek | Class::Cyrillic | Class::Hebrew | Class::Arabic | Class::Thai | Class::RareLetter => {
                usize::from(are_letters == [false, false])
            }
            Class::Punctuation if character >= '\u{3000}' => usize::from(before.is_ascii() && after.is_ascii()),
            Class::Punctuation if matches!(character, '‚' | '„' | '†' | '‡' | '‰' | '“' | '”' | '•' | '‹' | '›') => {
                2 * usize::from(are_letters == [true, true])
                    + usize::from(matches!(character, '‚' | '„' | '‹') && are_letters == [true, false])
            }
            Class::Punctuation if matches!(character, '©' | '§' | '¡' | '¿') => usize::from(are_letters[0]),
            Class::Latin if character == 'µ' => usize::from(are_letters == [true, true]),
            _ => 0,
        };
        before = character;
    }
    odd
}

#[cfg(test)]
mod tests {
    use super::*;

    fn charset(label: &str) -> Charset {
        Charset::for_label(label).unwrap()
    }

    #[test]
    fn each_new_byte_after_the_sample_has_the_bytes_around_it_in_a_line() {
        let mut sample = Sample::default();
        let start = [&b"\xE9"[..], &b"a".repeat(LENGTH - 1)].concat();
        let digits: Vec<u8> = (b'0'..=b'9').cycle().take(CONTEXT * 2).collect();
        sample.read(&[&start[..], &digits, b"\xE8", &digits, b"\xE8"].concat());
        let lines = sample.lines(charset("latin1"));
        let (before, after) = (&digits[digits.len() - CONTEXT / 2..], &digits[..CONTEXT / 2 - 1]);
        let [before, after] = [before, after].map(|digits| core::str::from_utf8(digits).unwrap());
        assert_eq!(lines.strip_prefix('\u{E9}').unwrap().trim_start_matches('a'), format!("\n{before}\u{E8}{after}"));
    }

    #[test]
    fn a_line_of_utf_8_has_four_sequences_or_three_long_ones() {
        for (line, expected) in [
            (&b"\xC3\xA0\xC3\xA9 \xC3\xA9 \xC3\xA9"[..], true),
            (b"\xC3\xA0\xC3\xA9 \xC3\xA9", false),
            ("aあいう".as_bytes(), true),
            ("あい".as_bytes(), false),
            ("あいé".as_bytes(), false),
            ("あいéà".as_bytes(), true),
            // No byte is rare in other encodings.
            (b"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", false),
            (b"\xC3\xA0\xC3\xA9\xC3\xA9\xC3\xA9\xE2\x82", true),
            (b"\xC3\xA0\xC3\xA9\xC3\xA9\xC3\xA9\xE9", true),
            (b"\xC3\xA0\xC3\xA9\xC3\xA9\xC3\xA9\xF0\x9F\x98", true),
            (b"\xC3\xA0\xC3\xA9\xC3\xA9\xC3\xA9\xE9a", false),
            (b"\xC3\xA0\xC3\xA9\xC3\xA9\xC3\xA9\xFF", false),
        ] {
            assert_eq!(is_utf_8(line), expected, "{line:X?}");
        }
    }

    fn is_odd_in(bytes: &[u8], label: &str) -> bool {
        let mut sample = Sample::default();
        bytes.chunks(2).for_each(|piece| sample.feed(piece));
        sample.finish();
        sample.is_odd(charset(label))
    }

    #[test]
    fn a_text_is_odd_in_a_wrong_encoding_only() {
        for (text, right, wrong) in [
            ("Le théâtre a été fermé l’été dernier.", "windows-1252", "cp850"),
            ("Die Straße war sehr schön und größer.", "cp850", "windows-1252"),
            ("Três canções são difíceis.", "cp860", "windows-1252"),
            ("Příliš žluťoučký kůň úpěl ďábelské ódy.", "cp852", "windows-1252"),
            ("Съешь же ещё этих мягких булок.", "cp855", "koi8-r"),
            ("Ξεσκεπάζω την ψυχοφθόρα βδελυγμία", "cp737", "windows-1252"),
            ("Một hôm, mẹ tôi đi chợ về rất muộn.", "viscii", "windows-1257"),
            ("우리 집은 언덕 위에 있는 작은 집이다.", "johab", "gbk"),
            ("Das Haus in München steht noch.", "cp273", "gbk"),
            ("吾輩は猫である。名前はまだ無い。", "shift_jis", "big5"),
            ("Bu akşam güneş çok güzel batıyor", "windows-1254", "x-mac-cyrillic"),
        ] {
            let mut bytes = [0; 256];
            let written = charset(right).new_encoder().unwrap().encode(text, &mut bytes, true).written;
            let bytes = &bytes[..written];
            assert!(!is_odd_in(bytes, right), "{text}");
            let wrongly = charset(wrong).new_decoder(true).decode_start(bytes, true);
            assert!(is_odd_in(bytes, wrong), "{text}: {wrongly}");
        }
        for (bytes, label) in [
            (&b"caf\xE9"[..], "windows-1252"),
            (b"20 \xB0C; \xA9 2004 \x96 it\x92s \x84so\x93", "windows-1252"),
            (b"Qualifica\xE7\xF5es", "windows-1252"),
        ] {
            assert!(!is_odd_in(bytes, label), "{bytes:?}");
        }
        for (bytes, label) in [
            // A lone letter, an ideographic full stop without an ideograph, blocks, and bytes without a meaning.
            (&b"\xFF"[..], "windows-1251"),
            (b"20 \xA1C;5\n", "big5"),
            (b"\xDB\xDB\xB1\xB1 \xDB\xB0\xB2\xDC\xDF\xDB\r\n", "windows-1252"),
            (b"\xC5fwJ\xC9 \xF4\xEDd\xD5\x7F\\\xFC\xD3=*\x8D\xE0\xA6\x81", "windows-1252"),
        ] {
            assert!(is_odd_in(bytes, label), "{bytes:?}");
        }
    }

    #[test]
    fn characters_that_stand_alone_are_counted() {
        // Signs, and how many of them are odd: alone, before a letter, after a letter, between letters.
        for (signs, counts) in [
            ("©§¡¿", [0, 0, 1, 1]),
            ("†‡‰“”•›", [0, 0, 0, 2]),
            ("‚„‹", [0, 0, 1, 2]),
            ("µ", [0, 0, 0, 1]),
            ("…–’«»°é", [0; 4]),
            ("жωאءก", [1, 0, 0, 0]),
            ("、。「", [1; 4]),
        ] {
            for sign in signs.chars() {
                let texts = [format!(" {sign} "), format!(" {sign}a"), format!("a{sign} "), format!("a{sign}a")];
                assert_eq!(texts.map(|text| alone(&text)), counts, "{sign}");
            }
        }
    }

    #[test]
    fn a_sample_begins_before_the_first_byte_that_is_no_ascii_or_a_shift() {
        for byte in 0..=0xFF_u8 {
            for (before, start) in [(0, 0), (31, 0), (32, 0), (33, 0), (34, 2), (100, 68)] {
                let bytes = [&b"x".repeat(before)[..], &[byte], b"abc\xE9"].concat();
                let mut sample = Sample::default();
                bytes.chunks(7).for_each(|piece| sample.feed(piece));
                sample.finish();
                let is_shift = !byte.is_ascii() || [0x00, 0x0E, 0x0F, 0x1B].contains(&byte);
                // Otherwise 0xE9 is the first one.
                let start = if is_shift { start } else { (before + 4_usize).saturating_sub(CONTEXT) & !1 };
                assert!(sample.bytes == bytes[start..], "{byte:#X} after {before}");
            }
        }
    }

    #[test]
    fn spaces_between_ideographs_are_odd() {
        for (text, is_expected) in
            [("{ 5狙 古 夜徽 }", true), ("大氣 以及 火星的 表面", false), ("是,否,男", false), ("目 录", false)]
        {
            assert_eq!(is_spaced(text), is_expected, "{text}");
        }
    }

    #[test]
    fn a_line_of_utf_8_is_found_beside_other_lines() {
        let has_line = |bytes: &[u8]| {
            let mut sample = Sample::default();
            sample.feed(bytes);
            sample.finish();
            sample.has_line_of_utf_8()
        };
        // "捕获" in GBK.
        let gbk = b"\xB2\xB6\xBB\xF1\n";
        assert!(has_line(&[gbk, "] [输出选项]\n".as_bytes()].concat()));
        assert!(has_line(&["Вход\n".as_bytes(), b"\xC2\xF5\xEE\xE4\n"].concat()));
        // A block can end within a character.
        assert!(has_line(&"Входы".as_bytes()[..9]));
        assert!(!has_line(&gbk.repeat(9)) && !has_line("ä".as_bytes()) && !has_line(b"\xE9\n"));
    }

    #[test]
    fn a_sample_starts_before_the_first_byte_that_is_not_ascii() {
        let mut sample = Sample::default();
        sample.feed(&b"a".repeat(100));
        assert!(sample.bytes.is_empty());
        sample.feed(&[&b"b".repeat(51)[..], b"\xE9", &b"c".repeat(2 * LENGTH)].concat());
        assert_eq!((&sample.bytes[..34], sample.bytes.len()), (&[&b"b".repeat(33)[..], b"\xE9"].concat()[..], LENGTH));
        sample.feed(b"d \xE9");
        sample.finish();
        assert_eq!((sample.bytes.len(), sample.others.len()), (LENGTH, 0));
        sample.feed(b"1 \xB5m, 2 \xB5m");
        sample.finish();
        assert_eq!(sample.others, b"\n1 \xB5m, 2 \xB5m");
    }

    #[test]
    fn the_neighbourhood_of_a_later_byte_begins_after_the_sample() {
        let before = CONTEXT + 100;
        let mut sample = Sample::default();
        sample.feed(&[&b"a".repeat(LENGTH - 100)[..], b"\xE9", &b"b".repeat(99)].concat());
        assert_eq!(sample.bytes.len(), before);
        let later = [&b"c".repeat(LENGTH - before)[..], b"def\xF1", &b"g".repeat(before - 4)].concat();
        sample.feed(&later);
        assert_eq!((sample.bytes.len(), &*sample.others), (LENGTH, &b"\ndef\xF1ggggggggggggggg"[..]));
    }

    #[test]
    fn a_quarter_of_the_characters_and_three_or_all_of_them_are_odd() {
        // "×" after a letter is odd, "é" is not.
        for (odd, others, expected) in [
            (0, 0, false),
            (0, 1, false),
            (1, 0, true),
            (1, 1, false),
            (2, 0, true),
            (2, 1, false),
            (3, 1, true),
            (3, 8, true),
            (3, 9, false),
            (4, 12, false),
            (4, 11, true),
        ] {
            let text = "a× ".repeat(odd) + &"é ".repeat(others);
            assert_eq!(is_odd(&text), expected, "{text}");
        }
        for (text, expected) in [
            ("中 中 中中中", true),
            ("中 中 中中中中", false),
            ("中 中", false),
            ("中 中 a 中", false),
            ("中 中 中", true),
            ("中 a 中 b 中", false),
            ("中  中  中", false),
        ] {
            assert_eq!(is_spaced(text), expected, "{text}");
        }
        assert_eq!(["中、a", "a、中", "中、中", "a、b"].map(alone), [0, 0, 0, 1]);
    }

    #[test]
    fn a_sample_that_begins_with_a_mark_or_ends_in_a_character_is_text() {
        let sample = |bytes: &[u8]| {
            let mut sample = Sample::default();
            sample.feed(bytes);
            sample.finish();
            sample
        };
        let western = charset("windows-1252");
        for bytes in [&b"\xFF\xFEa\0"[..], b"\xEF\xBB\xBFa"] {
            let expected = western.new_decoder(true).decode_start(bytes, true);
            let sample = sample(bytes);
            assert_eq!((sample.text(western), sample.lines(western)), (expected.clone(), expected));
        }
        let japanese = charset("shift_jis");
        let cut = sample(b"\x93\xFA\x96");
        assert_eq!((&*cut.text(japanese), &*cut.lines(japanese), cut.is_odd(japanese)), ("日", "日", false));
        // In EBCDIC, U+0085 ends a line. Elsewhere it is a control character.
        let lines = "Das Haus\u{85}in München\u{85}steht noch.\u{85}";
        let mut bytes = [0; 64];
        let written = charset("cp273").new_encoder().unwrap().encode(lines, &mut bytes, true).written;
        assert!(!sample(&bytes[..written]).is_odd(charset("cp273")));
        assert!(sample(b"Das Haus\x85 in M\xFCnchen\x85 steht noch.\x85").is_odd(charset("iso-8859-5")));
    }

    #[test]
    fn each_doubt_leaves_its_share_of_right_answers() {
        let other = charset("koi8-r");
        let doubts =
            [Doubt::Rival(other), Doubt::Signs(other), Doubt::Odd, Doubt::Foreign, Doubt::Language, Doubt::Mixed];
        assert_eq!(doubts.map(Doubt::share_of_right_answers), [0.5, 0.2, 0.07, 0.7, 0.1, 0.05]);
    }
}
