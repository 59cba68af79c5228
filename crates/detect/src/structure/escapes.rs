//! Texts of seven bits that are not ASCII: ISO-2022, HZ and UTF-7.

/// Reads bytes of ASCII.
#[derive(Clone, Debug)]
pub(crate) struct Escapes {
    state: State,
    japanese: u32,
    korean: u32,
    chinese: u32,
    shift_outs: u32,
    /// Pairs of HZ, and pairs in its mode that are none.
    hz_pairs: u32,
    hz_errors: u32,
    utf_7: Utf7,
}

/// Where the next byte stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Ascii,
    /// After 0x1B and this many more bytes, the first of which is kept.
    Escape(u8, [u8; 2]),
    /// After `~` in ASCII.
    Tilde,
    /// In HZ's pairs; the first byte of a pair, if there is one.
    Pairs(Option<u8>),
}

/// An encoding of seven bits that the structure shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shifts {
    Japanese,
    Korean,
    Chinese,
    Hz,
    Utf7,
}

impl Escapes {
    pub(crate) const fn new() -> Self {
        Escapes {
            state: State::Ascii,
            japanese: 0,
            korean: 0,
            chinese: 0,
            shift_outs: 0,
            hz_pairs: 0,
            hz_errors: 0,
            utf_7: Utf7::new(),
        }
    }

    /// Reads the next bytes, all of which are ASCII.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        const BLOCK: usize = 64;
        for block in bytes.chunks(BLOCK) {
            let is_resting = self.state == State::Ascii && self.utf_7.is_resting();
            // Two comparisons for all bytes become vector code.
            let is_special = |byte: u8| matches!(byte, 0x0E | 0x1B | b'~' | b'+');
            if is_resting && !block.iter().fold(false, |any, &byte| any | is_special(byte)) {
                continue;
            }
            block.iter().for_each(|&byte| self.add(byte));
        }
    }

    fn add(&mut self, byte: u8) {
        self.utf_7.add(byte);
        self.state = match (self.state, byte) {
            (State::Pairs(None), b'~') => State::Pairs(Some(b'~')),
            (State::Pairs(Some(b'~')), b'}') => State::Ascii,
            (State::Pairs(None), b'\n') => State::Ascii,
            (State::Pairs(None), byte) => State::Pairs(Some(byte)),
            (State::Pairs(Some(first)), byte) => {
                // GB 2312 has 87 rows.
                let is_pair = matches!((first, byte), (0x21..=0x77, 0x21..=0x7E));
                self.hz_pairs += u32::from(is_pair);
                self.hz_errors += u32::from(!is_pair);
                State::Pairs(None)
            }
            (State::Tilde, b'{') => State::Pairs(None),
            (State::Ascii, b'~') => State::Tilde,
            (_, 0x1B) => State::Escape(0, [0; 2]),
            (State::Escape(0, _), b'(' | b'$' | b'.') => State::Escape(1, [byte, 0]),
            (State::Escape(1, [b'$', _]), b'(' | b')' | b'*') => State::Escape(2, [b'$', byte]),
            (State::Escape(1, [b'(', _]), b'B' | b'J' | b'I') | (State::Escape(1, [b'$', _]), b'@' | b'B') => {
                self.japanese += 1;
                State::Ascii
            }
            (State::Escape(2, [b'$', b'(']), b'D') => {
                self.japanese += 1;
                State::Ascii
            }
            (State::Escape(2, [b'$', b')']), b'C') => {
                self.korean += 1;
                State::Ascii
            }
            (State::Escape(2, [b'$', b')']), b'A' | b'G' | b'E') | (State::Escape(2, [b'$', b'*']), b'H') => {
                self.chinese += 1;
                State::Ascii
            }
            (_, 0x0E) => {
                self.shift_outs += 1;
                State::Ascii
            }
            _ => State::Ascii,
        };
    }

    /// The encoding that the bytes so far show.
    pub(crate) fn shifts(&self) -> Option<Shifts> {
        match self {
            _ if self.korean > 0 && self.japanese == 0 => Some(Shifts::Korean),
            _ if self.chinese > 0 && self.shift_outs > 0 => Some(Shifts::Chinese),
            _ if self.japanese > 0 => Some(Shifts::Japanese),
            _ if self.hz_pairs > 0 && self.hz_pairs > self.hz_errors * 16 => Some(Shifts::Hz),
            _ if self.utf_7.characters > 0 && self.utf_7.errors == 0 => Some(Shifts::Utf7),
            _ => None,
        }
    }
}

/// Reads UTF-7: `+`, UTF-16 in Base64, and `-` or any other byte.
#[derive(Clone, Debug)]
struct Utf7 {
    /// Whether the bytes are Base64; otherwise ASCII.
    is_in_base_64: bool,
    bits: u32,
    number: u8,
    length: u32,
    leading: bool,
    /// Characters beyond ASCII, and mistakes.
    characters: u32,
    errors: u32,
}

impl Utf7 {
    const fn new() -> Self {
        Utf7 { is_in_base_64: false, bits: 0, number: 0, length: 0, leading: false, characters: 0, errors: 0 }
    }

    const fn is_resting(&self) -> bool {
        !self.is_in_base_64
    }

    fn add(&mut self, byte: u8) {
        if !self.is_in_base_64 {
            if byte == b'+' {
                *self = Utf7 { is_in_base_64: true, characters: self.characters, errors: self.errors, ..Utf7::new() };
            }
            return;
        }
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return self.end(byte),
        };
        self.length += 1;
        self.bits = self.bits << 6 | u32::from(value);
        self.number += 6;
        if self.number >= 16 {
            self.number -= 16;
            let unit = (self.bits >> self.number) as u16;
            self.bits &= (1 << self.number) - 1;
            let is_trailing = matches!(unit, 0xDC00..=0xDFFF);
            let is_character = self.leading == is_trailing
                && !matches!(unit, 0x0000..=0x0008 | 0x000E..=0x001F | 0x007F..=0x009F | 0xE000..=0xF8FF | 0xFFFE..);
            self.leading = matches!(unit, 0xD800..=0xDBFF);
            self.errors += u32::from(!is_character);
            self.characters += u32::from(is_character && unit >= 0x00A0);
        }
    }

    /// Ends Base64 at a byte that is not Base64.
    fn end(&mut self, byte: u8) {
        self.is_in_base_64 = false;
        let is_plus = self.length == 0 && byte == b'-';
        let is_whole = self.length >= 3 && self.number < 6 && self.bits == 0 && !self.leading;
        self.errors += u32::from(!is_plus && !is_whole);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_are_those_of_their_encodings() {
        for (text, expected) in [
            ("\x1B( B \x1B$", None),
            ("\x1B(B", Some(Shifts::Japanese)),
            ("\x1B(J", Some(Shifts::Japanese)),
            ("\x1B(I", Some(Shifts::Japanese)),
            ("\x1B(A", None),
            ("\x1B$@", Some(Shifts::Japanese)),
            ("\x1B$B", Some(Shifts::Japanese)),
            ("\x1B$A", None),
            ("\x1B$(D", Some(Shifts::Japanese)),
            ("\x1B$(C", None),
            ("\x1B$)C", Some(Shifts::Korean)),
            ("\x1B$)C\x0E", Some(Shifts::Korean)),
            ("\x1B$)C\x1B(B", Some(Shifts::Japanese)),
            ("\x1B$)A", None),
            ("\x1B$)A\x0E", Some(Shifts::Chinese)),
            ("\x1B$)G\x0E", Some(Shifts::Chinese)),
            ("\x1B$)E\x0E", Some(Shifts::Chinese)),
            ("\x1B$*H\x0E", Some(Shifts::Chinese)),
            ("\x1B$)B\x0E", None),
            ("\x1B$*C\x0E", None),
            ("\x1B.A\x0E", None),
            ("\x1B\x1B(J", Some(Shifts::Japanese)),
            ("~{<:~}", Some(Shifts::Hz)),
            ("~{<:", Some(Shifts::Hz)),
            ("~{~}", None),
            ("~~{<:~}", None),
            ("~{x!~}", None),
            ("~{w~~}", Some(Shifts::Hz)),
            ("~{<\n:~}", None),
            // A line ends the pairs; what follows is ASCII, and no pairs with errors.
            ("~{<:\nAbc def 123\n~{VP\n", Some(Shifts::Hz)),
            ("~{<:\nx y z", Some(Shifts::Hz)),
            ("~{<:\n", Some(Shifts::Hz)),
            ("~{\nplain", None),
            ("a +AOk- b", Some(Shifts::Utf7)),
        ] {
            for length in [1, 2, text.len()] {
                let mut escapes = Escapes::new();
                text.as_bytes().chunks(length).for_each(|piece| escapes.feed(piece));
                assert_eq!(escapes.shifts(), expected, "{text:?} in pieces of {length}");
            }
        }
        // A text of lines has as many pairs as a text of one line.
        let mut escapes = Escapes::new();
        escapes.feed(b"~{<:\nplain and more plain text\n~{<:VP\n");
        assert_eq!((escapes.hz_pairs, escapes.hz_errors), (3, 0));
    }

    #[test]
    fn utf_7_is_characters_and_mistakes() {
        for (text, characters, errors) in [
            ("a+b-c", 0, 1),
            ("1 +- 2", 0, 0),
            ("+AOk-", 1, 0),
            ("caf+AOk at", 1, 0),
            ("+2D3eAQ-", 2, 0),
            ("+ZeVnLIqe-", 3, 0),
            ("+//0-", 1, 0),
            ("+//4-", 0, 1),
            ("+//0AAA-", 1, 1),
            ("+AO+-", 1, 1),
            ("+AO/-", 1, 1),
            ("+++-", 0, 1),
            ("+MEIwRDBG-+AOk-", 4, 0),
            ("+AOl-", 1, 1),
            ("+AOkA-", 1, 1),
            ("+3gA-", 0, 1),
            ("+2D0-", 1, 1),
            ("+AAE-", 0, 1),
            ("+AH8-", 0, 1),
            ("+AKA-", 1, 0),
            ("+4AA-", 0, 1),
            ("+AEE-", 0, 0),
        ] {
            let mut utf_7 = Utf7::new();
            text.bytes().for_each(|byte| utf_7.add(byte));
            assert_eq!((utf_7.characters, utf_7.errors), (characters, errors), "{text}");
            assert!(utf_7.is_resting(), "{text}");
        }
        let mut utf_7 = Utf7::new();
        utf_7.add(b'+');
        assert!(!utf_7.is_resting());
    }

    #[test]
    fn hz_has_more_than_sixteen_pairs_for_each_error() {
        for (pairs, errors, expected) in [
            (1, 0, Some(Shifts::Hz)),
            (16, 1, None),
            (17, 1, Some(Shifts::Hz)),
            (32, 2, None),
            (33, 2, Some(Shifts::Hz)),
        ] {
            let mut escapes = Escapes::new();
            escapes.feed(&[b"~{", &b"VP".repeat(pairs)[..], &b"x!".repeat(errors), b"~}"].concat());
            assert_eq!((escapes.hz_pairs, escapes.hz_errors), (pairs as u32, errors as u32));
            assert_eq!(escapes.shifts(), expected, "{pairs} {errors}");
        }
    }

    #[test]
    fn a_long_part_without_escapes_counts_as_a_whole() {
        // Blocks of these parts have none of the bytes that a part begins with.
        for length in [31, 32, 33, 64, 500] {
            let mut escapes = Escapes::new();
            escapes.feed(&[b"~{", &b"VP".repeat(length)[..], b"~}"].concat());
            assert_eq!((escapes.hz_pairs, escapes.hz_errors), (length as u32, 0), "{length}");
            // Three units of UTF-16 are eight digits of Base64.
            let mut escapes = Escapes::new();
            escapes.feed(&[b"+", &b"ZeVnLIqe".repeat(length)[..], b"- and"].concat());
            assert_eq!((escapes.utf_7.characters, escapes.utf_7.errors), (3 * length as u32, 0), "{length}");
            let mut escapes = Escapes::new();
            escapes.feed(&[&b"a".repeat(length)[..], b"\x1B$)A", &b"a".repeat(length)[..], b"\x0E"].concat());
            assert_eq!(escapes.shifts(), Some(Shifts::Chinese), "{length}");
        }
    }
}
