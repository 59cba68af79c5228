//! A decoder for pipes that start with ASCII: it decides about the encoding when the first other byte comes.
//!
//! ASCII means the same in nearly every encoding, so it is passed on at once, and in constant memory. At the first byte
//! that is not ASCII, the decoder waits for the next 64 KiB or the end of the stream. If these bytes are UTF-8, or have
//! the structure of another encoding, the rest is read in this encoding; otherwise in the encoding of --fallback, or as
//! --guess guesses. If these bytes are damaged UTF-8, or a part of the stream is UTF-16, the decoder chooses no
//! encoding.

use textcodec::{
    UTF_8,
    sniff::structure::{self, Examination},
};

use crate::{
    charset::{Charset, Decoder},
    damage::Damaged,
    detection,
    extra::{Decoded, Status},
    guess::{Guesser, Hints},
    position::Position,
};

/// The number of bytes that decide.
const LENGTH: usize = 64 * 1024;

/// The state of the decision.
#[derive(Clone, Debug)]
pub(crate) struct Undecided {
    fallback: Option<Charset>,
    guess: Option<Hints>,
    /// The number of bytes before `window`.
    position: u64,
    /// The place after the text of these bytes.
    place: Position,
    /// All bytes up to the decision.
    examination: Examination,
    /// The bytes that decide. `read` of them are decoded.
    window: Vec<u8>,
    read: usize,
    decided: Option<Decoder>,
    choice: Option<Choice>,
}

/// How an encoding was chosen that nothing in the stream tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    /// By --guess.
    Guess,
    /// By --fallback.
    Fallback,
}

impl Undecided {
    /// At least one of `fallback` and `guess` is there.
    pub(crate) fn new(fallback: Option<Charset>, guess: Option<Hints>) -> Self {
        Undecided {
            fallback,
            guess,
            position: 0,
            place: Position::default(),
            examination: Examination::new(),
            window: Vec::new(),
            read: 0,
            decided: None,
            choice: None,
        }
    }

    /// The encoding; UTF-8 as long as all bytes are ASCII.
    pub(crate) fn charset(&self) -> Charset {
        self.decided.as_ref().map_or(Charset::Standard(UTF_8), Decoder::charset)
    }

    /// How the encoding was chosen. `None` if the structure of the bytes tells it.
    pub(crate) fn choice(&self) -> Option<Choice> {
        self.choice
    }

    /// As [`Decoder::decode`].
    pub(crate) fn decode(&mut self, source: &[u8], text: &mut String, last: bool) -> Decoded {
        let mut read = 0;
        if self.decided.is_none() {
            if self.window.is_empty() {
                let space = text.capacity() - text.len();
                let length = source.iter().take(space).take_while(|&&byte| is_plain(byte)).count();
                let ascii = std::str::from_utf8(&source[..length]).unwrap_or_default();
                text.push_str(ascii);
                self.place = self.place.after(ascii);
                self.examination.feed(&source[..length]);
                self.position += length as u64;
                read = length;
                if source.get(length).is_none_or(|&byte| is_plain(byte)) {
                    let status = if length == source.len() { Status::InputEmpty } else { Status::OutputFull };
                    return Decoded { status, read };
                }
            }
            let rest = &source[read..];
            let taken = &rest[..rest.len().min(LENGTH - self.window.len())];
            self.window.extend_from_slice(taken);
            read += taken.len();
            let is_all = last && read == source.len();
            if self.window.len() < LENGTH && !is_all {
                return Decoded { status: Status::InputEmpty, read };
            }
            if let Some(damaged) = self.damage(is_all) {
                return Decoded { status: Status::Damaged(damaged), read };
            }
            self.decided = Some(self.decide(is_all).new_decoder(false));
        }
        let Some(decoder) = &mut self.decided else { return Decoded { status: Status::InputEmpty, read } };
        if self.read < self.window.len() {
            let is_end = last && read == source.len();
            let mut decoded = decoder.decode(&self.window[self.read..], text, is_end);
            self.read += decoded.read;
            move_by(&mut decoded.status, self.position);
            if decoded.status != Status::InputEmpty || is_end {
                return Decoded { status: decoded.status, read };
            }
            self.window = Vec::new();
            self.read = 0;
        }
        let mut decoded = decoder.decode(&source[read..], text, last);
        move_by(&mut decoded.status, self.position);
        Decoded { status: decoded.status, read: read + decoded.read }
    }

    /// The damage of the bytes up to the end of the window.
    fn damage(&mut self, is_all: bool) -> Option<Damaged> {
        self.examination.feed(&self.window);
        let findings = self.examination.findings(is_all);
        let first = findings.first_malformed.map_or(0, |first| first.saturating_sub(self.position));
        let before = self.window.get(..usize::try_from(first).unwrap_or(0)).unwrap_or_default();
        Damaged::at(&findings, || Ok(self.place.after(std::str::from_utf8(before).unwrap_or_default()))).ok().flatten()
    }

    /// The encoding of the window. `is_all` says that no bytes follow.
    fn decide(&mut self, is_all: bool) -> Charset {
        let known = structure::guess(&self.window).and_then(|name| textcodec::Encoding::for_name(name).ok());
        if let Some(encoding) = known {
            return Charset::Standard(encoding);
        }
        let guess = self.guess.as_ref().and_then(|hints| {
            let mut guesser = Guesser::new(hints);
            guesser.feed(&self.window, is_all);
            guesser.guess()
        });
        let fallback = self.fallback.map(|charset| (charset, Choice::Fallback));
        let chosen = guess.map(|guess| (guess.charset, Choice::Guess)).or(fallback);
        self.choice = chosen.map(|(_, choice)| choice);
        chosen.map_or(Charset::Standard(UTF_8), |(charset, _)| charset)
    }
}

/// Whether the byte means the same in every encoding in which text starts with ASCII.
fn is_plain(byte: u8) -> bool {
    detection::is_plain_ascii(&[byte])
}

/// Adds the number of bytes before the window to the offset of an error.
fn move_by(status: &mut Status, position: u64) {
    if let Status::Malformed { offset, .. } = status {
        *offset += position;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use textcodec::WINDOWS_1252;

    fn decode(bytes: &[u8], length: usize) -> (String, Charset) {
        let fallback = Some(Charset::Standard(WINDOWS_1252));
        let mut decoder = Undecided::new(fallback, None);
        let (mut whole, mut text) = (String::new(), String::with_capacity(16));
        let mut pieces: Vec<_> = bytes.chunks(length).map(|piece| (piece, false)).collect();
        pieces.push((&[], true));
        for (piece, last) in pieces {
            let mut read = 0;
            loop {
                let decoded = decoder.decode(&piece[read..], &mut text, last);
                read += decoded.read;
                whole += &text;
                text.clear();
                match decoded.status {
                    Status::InputEmpty => break,
                    Status::OutputFull => {}
                    Status::Malformed { offset, .. } => whole += &format!("<{offset}>"),
                    Status::Damaged(damaged) => return (whole + &damaged.to_string(), UTF_8.into()),
                }
            }
            assert_eq!(read, piece.len());
        }
        (whole, decoder.charset())
    }

    #[test]
    fn the_first_byte_that_is_not_ascii_decides_wherever_it_is() {
        for ascii in [0, 1, 100, 70_000] {
            let start = "a".repeat(ascii);
            for length in [1, 7, 65_536] {
                let legacy = [start.as_bytes(), b"caf\xE9 \x80"].concat();
                assert_eq!(
                    decode(&legacy, length),
                    (format!("{start}café €"), WINDOWS_1252.into()),
                    "{ascii} {length}"
                );
                let utf_8 = format!("{start}café ☃");
                assert_eq!(decode(utf_8.as_bytes(), length), (utf_8.clone(), UTF_8.into()), "{ascii} {length}");
            }
        }
        assert_eq!(decode(b"only ASCII", 3), ("only ASCII".to_owned(), UTF_8.into()));
    }

    #[test]
    fn errors_after_the_decision_have_their_offset_in_the_stream() {
        let utf_8 = [&b"abc"[..], "é".repeat(40_000).as_bytes(), b"\xFFx"].concat();
        let (text, charset) = decode(&utf_8, 1000);
        assert_eq!(charset, UTF_8.into());
        assert!(text.ends_with("é<80003>x"), "{:?}", &text[text.len() - 20..]);
    }
}
