//! [UTF-7](https://www.rfc-editor.org/rfc/rfc2152), which is decoded and never written.
//!
//! UTF-7 is a risk on the web, because markup hides in it. For that reason no part of the library knows it.

/// What a byte, or the end of the bytes, means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// The byte ends no character.
    Nothing,
    Character(char),
    /// The byte cannot stand here.
    Malformed,
    /// The byte before was wrong. The same byte must be given again.
    MalformedBefore,
}

/// The state between two bytes.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Decoder {
    state: State,
}

#[derive(Clone, Copy, Default, Debug)]
enum State {
    #[default]
    Direct,
    /// After "+".
    Shifted,
    Base64(Base64),
}

/// A part of a base64 sequence.
#[derive(Clone, Copy, Default, Debug)]
struct Base64 {
    /// The last `count` bits are not decoded.
    bits: u32,
    count: u32,
    /// The surrogate before, if it waits for its other half.
    leading: Option<u16>,
}

impl Decoder {
    pub(crate) fn step(&mut self, byte: u8) -> Step {
        match (self.state, sextet(byte)) {
            (State::Direct, _) if byte == b'+' => {
                self.state = State::Shifted;
                Step::Nothing
            }
            (State::Direct, _) if byte.is_ascii() => Step::Character(char::from(byte)),
            (State::Direct, _) => Step::Malformed,
            (State::Shifted, _) if byte == b'-' => {
                self.state = State::Direct;
                Step::Character('+')
            }
            (State::Shifted, None) => {
                self.state = State::Direct;
                Step::MalformedBefore
            }
            (State::Shifted, Some(sextet)) => self.add(Base64::default(), sextet),
            (State::Base64(base64), Some(sextet)) => self.add(base64, sextet),
            (State::Base64(base64), None) => {
                self.state = State::Direct;
                match (base64.is_complete(), byte) {
                    (true, b'-') => Step::Nothing,
                    (true, _) => self.step(byte),
                    // The "-" belongs to the sequence.
                    (false, b'-') => Step::Malformed,
                    (false, _) => Step::MalformedBefore,
                }
            }
        }
    }

    /// Whether no base64 sequence is open.
    pub(crate) fn is_direct(self) -> bool {
        matches!(self.state, State::Direct)
    }

    /// Whether the bytes may end here.
    pub(crate) fn end(&mut self) -> bool {
        match core::mem::take(&mut self.state) {
            State::Direct => true,
            State::Shifted => false,
            State::Base64(base64) => base64.is_complete(),
        }
    }

    fn add(&mut self, mut base64: Base64, sextet: u8) -> Step {
        base64.bits = base64.bits << 6 | u32::from(sextet);
        base64.count += 6;
        let mut step = Step::Nothing;
        if base64.count >= 16 {
            base64.count -= 16;
            // The cast takes the lower 16 bits.
            let unit = (base64.bits >> base64.count) as u16;
            step = match (base64.leading.take(), unit) {
                (None, 0xD800..=0xDBFF) => {
                    base64.leading = Some(unit);
                    Step::Nothing
                }
                (None, 0xDC00..=0xDFFF) => Step::Malformed,
                (leading, _) => {
                    let units = leading.into_iter().chain([unit]);
                    match char::decode_utf16(units).next() {
                        Some(Ok(character)) => Step::Character(character),
                        _ => Step::Malformed,
                    }
                }
            };
        }
        self.state = State::Base64(base64);
        step
    }
}

impl Base64 {
    /// Whether the bits that are left are padding: fewer than 6, and all 0.
    fn is_complete(self) -> bool {
        self.leading.is_none() && self.count < 6 && self.bits & ((1 << self.count) - 1) == 0
    }
}

/// The value of a digit of base64.
fn sextet(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of `bytes`, with U+FFFD for each error.
    fn decode(bytes: &str) -> String {
        let mut decoder = Decoder::default();
        let mut text = String::new();
        for &byte in bytes.as_bytes() {
            loop {
                match decoder.step(byte) {
                    Step::Nothing => {}
                    Step::Character(character) => text.push(character),
                    Step::Malformed => text.push('\u{FFFD}'),
                    Step::MalformedBefore => {
                        text.push('\u{FFFD}');
                        continue;
                    }
                }
                break;
            }
        }
        if !decoder.end() {
            text.push('\u{FFFD}');
        }
        text
    }

    #[test]
    fn decodes_the_examples_of_the_rfc() {
        assert_eq!(decode("A+ImIDkQ."), "A≢Α.");
        assert_eq!(decode("Hi Mom -+Jjo--!"), "Hi Mom -☺-!");
        assert_eq!(decode("+ZeVnLIqe-"), "日本語");
        assert_eq!(decode("1 +- 1 = 2; +2DTdHg-"), "1 + 1 = 2; \u{1D11E}");
    }

    #[test]
    fn malformed_sequences_are_found_once() {
        for (bytes, text) in [
            ("a+", "a\u{FFFD}"),
            ("a+ b", "a\u{FFFD} b"),
            ("+2DQ-b", "\u{FFFD}b"),
            ("+3R4-b", "\u{FFFD}b"),
            ("+AOl-b", "é\u{FFFD}b"),
            ("+AOkA-b", "é\u{FFFD}b"),
        ] {
            assert_eq!(decode(bytes), text, "{bytes}");
        }
    }
}
