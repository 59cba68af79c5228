//! Texts of which a part is UTF-16 and a part is not.
//!
//! In UTF-16, an ASCII character has a byte of zero; in every other encoding of text no byte is zero. So the bytes
//! without a zero between them form *stretches*. In UTF-16 a stretch is short, or it has characters such as those of
//! Chinese, whose bytes rarely look like lines of text. A long stretch that looks like lines of text, in a file that
//! has UTF-16 elsewhere, is the part that is not UTF-16.
//!
//! Three bytes of zero in a row are in no text. A file that has them is binary, and is never called a mixture.

/// The number of bytes at the start of a text that decide whether its first stretch looks like lines of text.
const HEAD: usize = 256;

/// The number of ASCII characters in a row in UTF-16 that are a part in UTF-16. Two bytes in a row, each before a zero,
/// are in binary files and in damaged text, too.
const A_PART: u8 = 3;

/// A stretch of UTF-8 of at least this number of bytes, a third of which are letters, is no UTF-16: that would be 32
/// characters in a row, each made of two bytes of ASCII. A line of "═" (U+2550) has no small letters.
const LONG: u64 = 64;

/// A line of at least this number of bytes, of which three quarters are letters and spaces, is no UTF-16 in any script.
/// A quarter of all Chinese characters are made of two bytes of ASCII, but few are made of two such bytes.
const SHORT: u64 = 16;

/// The least number of bytes in a line that is no UTF-16 in a text that is UTF-16 with many ASCII characters.
const SHORTEST: u64 = 4;

/// Looks for parts.
#[derive(Clone, Debug)]
pub(super) struct Mixture {
    position: u64,
    zeros: u64,
    /// The first bytes.
    head: [u8; HEAD],
    head_length: usize,
    /// The three bytes before `position`, the last of them first.
    before: [u8; 3],
    start: Start,
    /// The start of the last line of the first stretch, and whether the line is ASCII so far.
    line: (u64, bool),
    /// The number of ASCII characters in a row in UTF-16.
    characters: u8,
    has_utf_16: bool,
    pub(super) is_binary: bool,
    stretch: Stretch,
    /// The start of the first stretch that is no UTF-16.
    strong: Option<u64>,
    /// The start of the first stretch that is no UTF-16 if the rest is UTF-16 with many ASCII characters.
    weak: Option<u64>,
    /// The number of bytes in all such stretches.
    narrow: u64,
}

/// The start of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Start {
    /// No byte was zero.
    Open,
    /// The byte order mark of UTF-16.
    Mark,
    /// The first stretch has this number of bytes. `ends_a_line` says that a line ends with it.
    Stretch { length: u64, ends_a_line: bool },
}

/// Bytes without a zero.
#[derive(Clone, Debug)]
struct Stretch {
    start: u64,
    length: u64,
    /// Whether a line of UTF-16 or the text ends directly before the stretch.
    is_line_start: bool,
    /// Whether no byte is a control character that text does not have.
    is_text: bool,
    /// The number of bytes that complete the sequence of UTF-8; `None` after malformed UTF-8.
    utf_8: Option<u8>,
    has_crlf: bool,
    has_lone_cr: bool,
    /// The number of line feeds.
    lines: u64,
    /// The number of small letters of ASCII, and of bytes that are not ASCII.
    letters: u64,
    spaces_and_digits: u64,
    last: u8,
}

/// How clearly a stretch is no UTF-16.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Evidence {
    None,
    /// Only if the rest is UTF-16 with many ASCII characters.
    Weak,
    Strong,
}

impl Stretch {
    const fn new(start: u64, is_line_start: bool) -> Self {
        Stretch {
            start,
            length: 0,
            is_line_start,
            is_text: true,
            utf_8: Some(0),
            has_crlf: false,
            has_lone_cr: false,
            lines: 0,
            letters: 0,
            spaces_and_digits: 0,
            last: 0,
        }
    }

    fn add(&mut self, byte: u8) {
        self.length += 1;
        self.has_lone_cr |= self.last == b'\r' && byte != b'\n';
        self.has_crlf |= self.last == b'\r' && byte == b'\n';
        self.is_text &= !matches!(byte, 0x00..=0x08 | 0x0B | 0x0E..=0x19 | 0x1C..=0x1F | 0x7F);
        self.lines += u64::from(byte == b'\n');
        self.letters += u64::from(byte.is_ascii_lowercase() || !byte.is_ascii());
        self.spaces_and_digits += u64::from(byte == b' ' || byte.is_ascii_digit());
        self.utf_8 = match (self.utf_8, byte) {
            (Some(0), 0x00..=0x7F) => Some(0),
            (Some(0), 0xC2..=0xDF) => Some(1),
            (Some(0), 0xE0..=0xEF) => Some(2),
            (Some(0), 0xF0..=0xF4) => Some(3),
            (Some(more @ 1..), 0x80..=0xBF) => Some(more - 1),
            _ => None,
        };
        self.last = byte;
    }

    /// `ends_a_line` says that a line ends with the stretch.
    fn evidence(&self, ends_a_line: bool) -> Evidence {
        let Stretch { length, letters, spaces_and_digits, .. } = *self;
        // No character in use has the bytes 0D 0A in UTF-16, and no line of UTF-16 ends with them.
        if self.is_text && self.has_crlf && !self.has_lone_cr {
            return Evidence::Strong;
        }
        if !self.is_text || self.utf_8 != Some(0) {
            return Evidence::None;
        }
        let is_line = self.is_line_start && (self.lines > 0 || ends_a_line);
        let plain = letters + spaces_and_digits;
        match length {
            LONG.. if letters * 3 >= length => Evidence::Strong,
            SHORT.. if is_line && plain * 4 >= length * 3 && letters * 2 >= length => Evidence::Strong,
            SHORTEST.. if is_line && plain * 2 >= length && letters > 0 => Evidence::Weak,
            _ => Evidence::None,
        }
    }
}

impl Mixture {
    pub(super) const fn new() -> Self {
        Mixture {
            position: 0,
            zeros: 0,
            head: [0; HEAD],
            head_length: 0,
            before: [0; 3],
            start: Start::Open,
            line: (0, true),
            characters: 0,
            has_utf_16: false,
            is_binary: false,
            stretch: Stretch::new(0, true),
            strong: None,
            weak: None,
            narrow: 0,
        }
    }

    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while self.start == Start::Open && !rest.is_empty() {
            if self.position < 2 {
                self.start_with(rest[0]);
                rest = &rest[1..];
                continue;
            }
            // `contains` is much faster than `position`.
            let length = match rest.contains(&0) {
                true => rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len()),
                false => rest.len(),
            };
            let (start, others) = rest.split_at(length);
            self.skip(start);
            rest = others;
            if let Some((&zero, after)) = rest.split_first() {
                self.end_first_stretch();
                self.add(zero);
                rest = after;
            }
        }
        // Nothing changes after three bytes of zero.
        if self.is_binary {
            self.position += rest.len() as u64;
            return;
        }
        rest.iter().for_each(|&byte| self.add(byte));
    }

    /// Adds one of the first two bytes.
    fn start_with(&mut self, byte: u8) {
        if byte == 0 {
            self.end_first_stretch();
            return self.add(byte);
        }
        self.skip(&[byte]);
        if matches!(self.head[..self.head_length], [0xFF, 0xFE] | [0xFE, 0xFF]) {
            self.start = Start::Mark;
            self.has_utf_16 = true;
            self.stretch = Stretch::new(2, true);
        }
    }

    /// Ends the first stretch at a zero. If the next part starts with a character in little-endian order, the byte
    /// before the zero belongs to it, and not to the stretch.
    fn end_first_stretch(&mut self) {
        let ends_a_line = |byte: u8| byte == b'\n';
        let [last, second, _] = self.before;
        self.start = match self.line {
            _ if ends_a_line(last) => Start::Stretch { length: self.position, ends_a_line: true },
            // The characters before the zero are UTF-16, too.
            (line, false) if line > 0 => Start::Stretch { length: line, ends_a_line: true },
            _ => Start::Stretch { length: self.position.saturating_sub(1), ends_a_line: ends_a_line(second) },
        };
    }

    /// Adds bytes of the first stretch.
    fn skip(&mut self, bytes: &[u8]) {
        let length = bytes.len().min(HEAD - self.head_length);
        self.head[self.head_length..self.head_length + length].copy_from_slice(&bytes[..length]);
        self.head_length += length;
        self.line = match bytes.iter().rposition(|&byte| byte == b'\n') {
            Some(end) => (self.position + end as u64 + 1, bytes[end + 1..].is_ascii()),
            None => (self.line.0, self.line.1 && bytes.is_ascii()),
        };
        self.position += bytes.len() as u64;
        bytes.iter().rev().take(3).rev().for_each(|&byte| self.remember(byte));
    }

    fn remember(&mut self, byte: u8) {
        self.before = [byte, self.before[0], self.before[1]];
    }

    /// Adds a byte after the first stretch.
    fn add(&mut self, byte: u8) {
        let [last, second, third] = self.before;
        if byte == 0 {
            self.zeros += 1;
            self.is_binary |= self.zeros > 2 && last == 0 && second == 0;
            let is_character = matches!(last, b'\t' | b'\n' | b'\r' | b' '..=b'~');
            self.characters = match () {
                _ if !is_character => 0,
                _ if second == 0 => (self.characters + 1).min(A_PART),
                _ => 1,
            };
            let is_crlf = [third, second, last] == [b'\r', 0, b'\n'];
            self.has_utf_16 |= self.characters == A_PART || is_crlf;
            self.end_stretch(false);
            self.stretch = Stretch::new(self.position + 1, last == b'\n');
        } else if self.stretch.length == 0 && self.zeros > 0 && byte == b'\n' {
            // In UTF-16BE, a line ends with 00 0A.
            self.stretch = Stretch::new(self.position + 1, true);
        } else {
            self.stretch.add(byte);
        }
        self.position += 1;
        self.remember(byte);
    }

    /// Ends the stretch at a zero, or `at_end` of the text.
    fn end_stretch(&mut self, at_end: bool) {
        let evidence = self.stretch.evidence(at_end);
        let start = self.stretch.start;
        match evidence {
            Evidence::None => return,
            Evidence::Weak => drop(self.weak.get_or_insert(start)),
            Evidence::Strong => drop(self.strong.get_or_insert(start)),
        }
        self.narrow += self.stretch.length;
    }

    /// The offset of the first change between UTF-16 and something else, and whether UTF-16 is before it.
    /// `first_malformed` is the offset of the first sequence that is no UTF-8.
    pub(super) fn change(&self, first_malformed: Option<u64>, last: bool) -> Option<(u64, bool)> {
        let mut ended = self.clone();
        if last {
            ended.end_stretch(true);
        }
        if ended.is_binary || !ended.has_utf_16 {
            return None;
        }
        let mut first = None;
        if let Start::Stretch { length, ends_a_line } = self.start {
            let evidence = self.first_stretch(length, first_malformed).evidence(ends_a_line);
            first = Some((evidence, length));
            if evidence != Evidence::None {
                ended.narrow += length;
            }
        }
        let has_many_characters = ended.zeros * 8 >= ended.position.saturating_sub(ended.narrow);
        match first {
            Some((Evidence::Strong, length)) => return Some((length, false)),
            Some((Evidence::Weak, length)) if has_many_characters => return Some((length, false)),
            _ => {}
        }
        let weak = ended.weak.filter(|_| has_many_characters);
        weak.into_iter().chain(ended.strong).min().map(|offset| (offset, true))
    }

    /// The first stretch, of which only the first bytes are known. `first_malformed` tells whether all of it is UTF-8.
    fn first_stretch(&self, length: u64, first_malformed: Option<u64>) -> Stretch {
        let mut stretch = Stretch::new(0, true);
        let known = usize::try_from(length).map_or(self.head_length, |length| length.min(self.head_length));
        self.head[..known].iter().for_each(|&byte| stretch.add(byte));
        stretch.utf_8 = first_malformed.is_none_or(|first| first >= length).then_some(0);
        stretch
    }

    /// Whether the bytes are no text in an encoding without bytes of zero: they are binary, or have UTF-16.
    pub(super) fn has_other_zeros(&self) -> bool {
        self.is_binary || self.has_utf_16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_ascii_or_utf_8_are_no_utf_16() {
        use Evidence::{None, Strong, Weak};
        let long = "a".repeat(22) + &"=".repeat(42);
        for (bytes, is_line_start, ends_a_line, expected) in [
            (&b"a\r\n"[..], false, false, Strong),
            (b"a\r\nb\rc", false, false, None),
            (b"a\r\n\x01", false, false, None),
            (b"a\r\n\xFF", false, false, Strong),
            (b"=\n=\r", false, false, None),
            (long.as_bytes(), false, false, Strong),
            (&long.as_bytes()[1..], false, false, None),
            (b"(a text of bits 2)\n", true, false, Strong),
            (b"(a text of bits 2)\n", false, false, None),
            (b"(a text of bits 2)", true, false, None),
            (b"(a text of bits 2)", true, true, Strong),
            (b"(TEXT OF 20 bits)", true, true, Weak),
            (b"(text of) [2021]", true, true, Weak),
            (b"(a text)\x07=12345", true, true, None),
            ("(é text of €𝄞 5)".as_bytes(), true, true, Strong),
            (b"(a text of 2 \xE9)", true, true, None),
            (b"(a text of 202\xC3", true, true, None),
            (b"=a 5", true, true, Weak),
            (b"= 55", true, true, None),
            (b"a =", true, true, None),
            (b"=a==", true, true, None),
        ] {
            let mut stretch = Stretch::new(0, is_line_start);
            bytes.iter().for_each(|&byte| stretch.add(byte));
            assert_eq!(stretch.evidence(ends_a_line), expected, "{}", bytes.escape_ascii());
        }
        for byte in 0..=0xFF {
            let mut stretch = Stretch::new(0, true);
            [b'a', b'b', byte, b'\n'].iter().for_each(|&byte| stretch.add(byte));
            let is_text = matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | 0x1A | 0x1B | b' '..=b'~');
            let expected = if !is_text {
                None
            } else if byte == b'\r' {
                Strong
            } else {
                Weak
            };
            assert_eq!(stretch.evidence(false), expected, "{byte:02X}");
        }
    }
}
