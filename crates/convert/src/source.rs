//! The decoder of a stream of which the charset may be unknown at the start.
//!
//! Of a pipe that starts with ASCII, the charset is decided when the first other byte comes. ASCII means the same in
//! nearly every encoding, so it is passed on at once, and in constant memory. At the first byte that is not ASCII, the
//! decoder waits for the next 64 KiB or the end of the stream. If these bytes are UTF-8, or have the structure of
//! another encoding, the rest is read in this encoding; otherwise in the encoding of a guess, or in the fallback. If
//! these bytes are damaged UTF-8, or a part of the stream is UTF-16, the decoder chooses no encoding; nor does it
//! choose a fallback that the statistics of the bytes contradict.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::{convert::Infallible, fmt};

#[cfg(feature = "std")]
use textcodec::charsets::CutRule;
use textcodec::sniff::structure::{self, Examination};

use crate::{
    charset::{Charset, Decode, Decoded, Decoder, Status},
    damage::Damaged,
    detection,
    guess::{Guesser, Hints, Objection, Objector, Reason},
    position::Position,
};

/// The number of bytes that decide.
const LENGTH: usize = 64 * 1024;

/// The decoder of a stream.
#[derive(Clone, Debug)]
pub struct Source(Inner);

#[derive(Clone, Debug)]
enum Inner {
    Known(Decoder),
    Undecided(Box<Undecided>),
}

impl From<Decoder> for Source {
    fn from(decoder: Decoder) -> Self {
        Source(Inner::Known(decoder))
    }
}

impl Source {
    /// A stream whose charset is decided when the first byte comes that is not ASCII: by the structure of the bytes
    /// from there on, by a guess, or in the end by `fallback`. At least one of `fallback` and `guess` is there.
    #[must_use]
    pub fn undecided(fallback: Option<Fallback>, guess: Option<Hints>) -> Self {
        Source(Inner::Undecided(Box::new(Undecided::new(fallback, guess))))
    }

    /// The charset, which a byte order mark or the bytes may have decided.
    #[must_use]
    pub fn charset(&self) -> Charset {
        match &self.0 {
            Inner::Known(decoder) => decoder.charset(),
            Inner::Undecided(undecided) => undecided.charset(),
        }
    }

    /// How the charset was chosen, if that happened while the stream was decoded and nothing in the stream tells it.
    #[must_use]
    pub fn choice(&self) -> Option<Choice> {
        match &self.0 {
            Inner::Known(_) => None,
            Inner::Undecided(undecided) => undecided.choice(),
        }
    }

    /// How the charset was guessed, if that happened while the stream was decoded.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        match &self.0 {
            Inner::Known(_) => None,
            Inner::Undecided(undecided) => undecided.reason,
        }
    }

    /// Whether a byte order mark has decided the charset.
    #[must_use]
    pub fn is_by_mark(&self) -> bool {
        matches!(&self.0, Inner::Known(decoder) if decoder.is_by_mark())
    }

    /// Whether a byte order mark was removed.
    #[must_use]
    pub fn had_mark(&self) -> bool {
        match &self.0 {
            Inner::Known(decoder) => decoder.had_mark(),
            Inner::Undecided(undecided) => undecided.charset().needs_bom(),
        }
    }

    /// The places after which another decoder can go on; the start of the stream is decoded. In a stream that starts
    /// with ASCII, the units of UTF-16 can begin anywhere.
    #[cfg(feature = "std")]
    pub(crate) fn cut_rule(&self) -> CutRule {
        match &self.0 {
            Inner::Known(decoder) => decoder.cut_rule(),
            Inner::Undecided(undecided) => {
                let decided = undecided.decided.as_ref().filter(|_| undecided.window.is_empty());
                let rule = decided.map_or(CutRule::Never, Decoder::cut_rule);
                if matches!(rule, CutRule::AfterCodeUnit { .. }) { CutRule::Never } else { rule }
            }
        }
    }

    /// As [`Decoder::after_cut`].
    #[cfg(feature = "std")]
    pub(crate) fn after_cut(&self) -> Decoder {
        match &self.0 {
            Inner::Known(decoder) => decoder.after_cut(),
            Inner::Undecided(undecided) => {
                undecided.decided.as_ref().map_or_else(|| self.start_decoder(), Decoder::after_cut)
            }
        }
    }

    /// As [`Decoder::skip`].
    #[cfg(feature = "std")]
    pub(crate) fn skip(&mut self, bytes: u64) {
        match &mut self.0 {
            Inner::Known(decoder) => decoder.skip(bytes),
            Inner::Undecided(undecided) => undecided.decided.iter_mut().for_each(|decoder| decoder.skip(bytes)),
        }
    }

    /// A decoder for the first bytes of the stream, before any of them were decoded.
    #[must_use]
    pub fn start_decoder(&self) -> Decoder {
        match &self.0 {
            Inner::Known(decoder) => decoder.clone(),
            Inner::Undecided(undecided) => undecided.charset().new_decoder(false),
        }
    }
}

/// The reason why a stream is not decoded.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// It is damaged.
    Damaged(Damaged),
    /// It does not fit the fallback.
    Fallback(Objection),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Damaged(damaged) => damaged.fmt(f),
            Refusal::Fallback(objection) => objection.fmt(f),
        }
    }
}

impl Decode for Source {
    type Stop = Refusal;

    fn decode(&mut self, source: &[u8], text: &mut String, last: bool) -> Result<Decoded, Refusal> {
        match &mut self.0 {
            Inner::Known(decoder) => Ok(decoder.decode(source, text, last)),
            Inner::Undecided(undecided) => undecided.decode(source, text, last),
        }
    }
}

/// The charset of streams whose charset is not found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fallback {
    /// The charset.
    pub charset: Charset,
    /// Whether it is taken even if the statistics of the bytes contradict it.
    pub is_trusted: bool,
}

/// The state of the decision.
#[derive(Clone, Debug)]
struct Undecided {
    fallback: Option<Fallback>,
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
    reason: Option<Reason>,
}

/// How an encoding was chosen that nothing in the stream tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Choice {
    /// By a guess.
    Guess,
    /// It is the fallback.
    Fallback,
}

impl Undecided {
    /// At least one of `fallback` and `guess` is there.
    fn new(fallback: Option<Fallback>, guess: Option<Hints>) -> Self {
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
            reason: None,
        }
    }

    /// The encoding; UTF-8 as long as all bytes are ASCII.
    fn charset(&self) -> Charset {
        self.decided.as_ref().map_or(Charset::UTF_8, Decoder::charset)
    }

    /// How the encoding was chosen. `None` if the structure of the bytes tells it.
    fn choice(&self) -> Option<Choice> {
        self.choice
    }

    /// As [`Decoder::decode`].
    fn decode(&mut self, source: &[u8], text: &mut String, last: bool) -> Result<Decoded, Refusal> {
        let mut read = 0;
        if self.decided.is_none() {
            if self.window.is_empty() {
                let space = text.capacity() - text.len();
                let length = source.iter().take(space).take_while(|&&byte| is_plain(byte)).count();
                let ascii = core::str::from_utf8(&source[..length]).unwrap_or_default();
                text.push_str(ascii);
                self.place = self.place.after(ascii);
                self.examination.feed(&source[..length]);
                self.position += length as u64;
                read = length;
                if source.get(length).is_none_or(|&byte| is_plain(byte)) {
                    let status = if length == source.len() { Status::InputEmpty } else { Status::OutputFull };
                    return Ok(Decoded::new(status, read));
                }
            }
            let rest = &source[read..];
            let taken = &rest[..rest.len().min(LENGTH - self.window.len())];
            self.window.extend_from_slice(taken);
            read += taken.len();
            let is_all = last && read == source.len();
            if self.window.len() < LENGTH && !is_all {
                return Ok(Decoded::new(Status::InputEmpty, read));
            }
            if let Some(damaged) = self.damage(is_all) {
                return Err(Refusal::Damaged(damaged));
            }
            // A byte order mark inside of the stream is a character.
            let is_inside = self.position > 0;
            self.decided = Some(self.decide(is_all).map_err(Refusal::Fallback)?.new_decoder(is_inside));
        }
        let Some(decoder) = &mut self.decided else { return Ok(Decoded::new(Status::InputEmpty, read)) };
        if self.read < self.window.len() {
            let is_end = last && read == source.len();
            let mut decoded = decoder.decode(&self.window[self.read..], text, is_end);
            self.read += decoded.read;
            move_by(&mut decoded.status, self.position);
            if decoded.status != Status::InputEmpty || is_end {
                return Ok(Decoded::new(decoded.status, read));
            }
            self.window = Vec::new();
            self.read = 0;
        }
        let mut decoded = decoder.decode(&source[read..], text, last);
        move_by(&mut decoded.status, self.position);
        Ok(Decoded::new(decoded.status, read + decoded.read))
    }

    /// The damage of the bytes up to the end of the window.
    fn damage(&mut self, is_all: bool) -> Option<Damaged> {
        self.examination.feed(&self.window);
        let findings = self.examination.findings(is_all);
        let first = findings.first_malformed.map_or(0, |first| first.saturating_sub(self.position));
        let before = self.window.get(..usize::try_from(first).unwrap_or(0)).unwrap_or_default();
        let place = || Ok::<_, Infallible>(self.place.after(core::str::from_utf8(before).unwrap_or_default()));
        Damaged::at(&findings, place).ok().flatten()
    }

    /// The encoding of the window. `is_all` says that no bytes follow.
    fn decide(&mut self, is_all: bool) -> Result<Charset, Objection> {
        let known = structure::guess(&self.window).and_then(|name| textcodec::Encoding::for_name(name).ok());
        if let Some(encoding) = known {
            return Ok(encoding.into());
        }
        let guess = self.guess.as_ref().and_then(|hints| {
            let mut guesser = Guesser::new(hints);
            guesser.feed(&self.window, is_all);
            guesser.guess().ok()
        });
        self.reason = guess.as_ref().map(|guess| guess.reason);
        if let Some(guess) = guess {
            self.choice = Some(Choice::Guess);
            return Ok(guess.charset);
        }
        let Some(fallback) = self.fallback else { return Ok(Charset::UTF_8) };
        self.choice = Some(Choice::Fallback);
        if !fallback.is_trusted {
            let mut objector = Objector::new(fallback.charset);
            objector.feed(&self.window, is_all);
            objector.objection().map_or(Ok(()), Err)?;
        }
        Ok(fallback.charset)
    }
}

/// Whether the byte means the same in every encoding in which text starts with ASCII.
fn is_plain(byte: u8) -> bool {
    detection::is_plain_ascii(&[byte])
}

/// Adds the number of bytes before the window to the offset of an error.
fn move_by(status: &mut Status, position: u64) {
    if let Status::Malformed(malformed) = status {
        malformed.offset += position;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charset::decode_all;
    use core::ops::ControlFlow;
    use textcodec::WINDOWS_1252;

    fn decode(bytes: &[u8], length: usize) -> (String, Charset) {
        decode_or(Fallback { charset: WINDOWS_1252.into(), is_trusted: false }, bytes, length)
    }

    fn decode_or(fallback: Fallback, bytes: &[u8], length: usize) -> (String, Charset) {
        let mut source = Source::undecided(Some(fallback), None);
        let (mut whole, mut text) = (String::new(), String::with_capacity(16));
        let mut pieces: Vec<_> = bytes.chunks(length).map(|piece| (piece, false)).collect();
        pieces.push((&[], true));
        for (piece, last) in pieces {
            let result = decode_all(&mut source, piece, &mut text, last, |_, text, decoded| {
                whole += text;
                text.clear();
                if let Status::Malformed(malformed) = decoded.status {
                    whole += &format!("<{}>", malformed.offset);
                }
                ControlFlow::<()>::Continue(())
            });
            if let Err(refusal) = result {
                return (whole + &refusal.to_string(), Charset::UTF_8);
            }
        }
        (whole, source.charset())
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
                assert_eq!(decode(utf_8.as_bytes(), length), (utf_8.clone(), Charset::UTF_8), "{ascii} {length}");
            }
        }
        assert_eq!(decode(b"only ASCII", 3), ("only ASCII".to_owned(), Charset::UTF_8));
    }

    #[test]
    #[cfg(feature = "guess")]
    fn a_fallback_that_the_statistics_contradict_is_refused() {
        let russian = textcodec::KOI8_R.encode("Съешь же ещё этих мягких французских булок.").bytes;
        for length in [1, 7, 65_536] {
            let (text, _) = decode(&russian, length);
            assert!(text.contains("the fallback is windows-1252, but the text fits KOI8-R: Russian"), "{text}");
        }
    }

    #[test]
    fn errors_after_the_decision_have_their_offset_in_the_stream() {
        let utf_8 = [&b"abc"[..], "é".repeat(40_000).as_bytes(), b"\xFFx"].concat();
        let (text, charset) = decode(&utf_8, 1000);
        assert_eq!(charset, Charset::UTF_8);
        assert!(text.ends_with("é<80003>x"), "{:?}", &text[text.len() - 20..]);
        // The error is among the bytes that wait for the decision.
        for length in 1..9 {
            let shift_jis = Fallback { charset: textcodec::SHIFT_JIS.into(), is_trusted: true };
            assert_eq!(decode_or(shift_jis, b"abc\x82\xA0\x85\x20d\x82", length).0, "abcあ<5> d<8>", "{length}");
        }
    }

    #[test]
    fn a_byte_order_mark_after_ascii_is_a_character() {
        for length in [1, 3, 100] {
            let utf_8 = "abc\u{FEFF}é\u{FEFF}";
            assert_eq!(decode(utf_8.as_bytes(), length), (utf_8.to_owned(), Charset::UTF_8), "{length}");
            let western = Fallback { charset: WINDOWS_1252.into(), is_trusted: true };
            let expected = ("abc ÿþ.".to_owned(), WINDOWS_1252.into());
            assert_eq!(decode_or(western, b"abc \xFF\xFE.", length), expected, "{length}");
            assert_eq!(decode(b"\xEF\xBB\xBFabc", length), ("abc".to_owned(), Charset::UTF_8), "{length}");
        }
    }

    #[test]
    fn a_character_at_the_end_of_the_bytes_that_decide_is_no_damage() {
        for ascii in 0..3 {
            for length in [1000, LENGTH + 1, 300_000] {
                let text = format!("{}{}", "a".repeat(ascii), "☃".repeat(40_000));
                let (decoded, charset) = decode(text.as_bytes(), length);
                assert!(decoded == text && charset == Charset::UTF_8, "{ascii} {length}");
                let mut source = Source::undecided(None, None);
                let mut decoded = String::with_capacity(text.len());
                let all = decode_all(&mut source, text.as_bytes(), &mut decoded, true, |_, _, _| {
                    ControlFlow::<()>::Continue(())
                });
                assert!(all.is_ok() && decoded == text, "{ascii} {length}");
            }
        }
    }

    /// Decodes `bytes` at once.
    fn decode_at_once(source: &mut Source, bytes: &[u8], last: bool) -> Result<String, Refusal> {
        let (mut whole, mut text) = (String::new(), String::with_capacity(1000));
        let _ = decode_all(source, bytes, &mut text, last, |_, text, decoded| {
            whole += text;
            text.clear();
            if let Status::Malformed(malformed) = decoded.status {
                whole += &format!("<{}>", malformed.offset);
            }
            ControlFlow::<()>::Continue(())
        })?;
        Ok(whole)
    }

    #[test]
    #[cfg(feature = "guess")]
    fn a_source_tells_how_its_charset_was_chosen() {
        let fallback = || Some(Fallback { charset: WINDOWS_1252.into(), is_trusted: false });
        let russian = textcodec::KOI8_R.encode("ascii: Съешь же ещё этих мягких французских булок.").bytes;
        for (fallback, guess, bytes, charset, choice) in [
            (fallback(), None, &b"ascii"[..], "UTF-8", None),
            (fallback(), Some(Hints::new()), "ascii é".as_bytes(), "UTF-8", None),
            (fallback(), None, b"caf\xE9", "windows-1252", Some(Choice::Fallback)),
            (fallback(), Some(Hints::new()), &russian, "KOI8-R", Some(Choice::Guess)),
            (None, Some(Hints::new()), &russian, "KOI8-R", Some(Choice::Guess)),
        ] {
            let mut source = Source::undecided(fallback, guess);
            assert_eq!((source.choice(), source.reason(), source.charset()), (None, None, Charset::UTF_8));
            decode_at_once(&mut source, bytes, true).unwrap();
            assert_eq!((source.charset().name(), source.choice()), (charset, choice), "{bytes:X?}");
            assert_eq!(source.reason().is_some(), choice == Some(Choice::Guess), "{bytes:X?}");
            assert!(!source.had_mark() && !source.is_by_mark(), "{bytes:X?}");
        }
        // The last bytes are malformed in Shift_JIS only if no others follow.
        let among = ["shift_jis", "windows-1252"].map(|label| Charset::for_label(label).unwrap()).to_vec();
        let japanese = textcodec::SHIFT_JIS.encode("日本語の文章をシフトJISで書いたものです。").bytes;
        let cut = [&japanese[..], b"\x93"].concat();
        let mut source = Source::undecided(None, Some(Hints { among, ..Hints::new() }));
        decode_at_once(&mut source, &cut, true).unwrap();
        assert_eq!(source.charset(), WINDOWS_1252.into());
        let marked = Fallback { charset: Charset::for_label("utf-16-bom").unwrap(), is_trusted: true };
        let mut source = Source::undecided(Some(marked), None);
        let _ = decode_at_once(&mut source, b"caf\xE9", true);
        assert!(source.had_mark());
    }

    #[test]
    #[cfg(feature = "std")]
    fn other_decoders_go_on_only_after_the_bytes_that_decide() {
        let fallback = |label: &str| {
            let charset = Charset::for_label(label).unwrap();
            Source::undecided(Some(Fallback { charset, is_trusted: true }), None)
        };
        for (label, text, rule) in [
            ("windows-1252", &b"\xE9caf "[..], Charset::from(WINDOWS_1252).new_decoder(false).cut_rule()),
            ("shift_jis", b"\x93\xFA\x96\x7B ", Charset::from(textcodec::SHIFT_JIS).new_decoder(false).cut_rule()),
            ("utf-16le", b"\xE9\0\xE8\xE8\xFF\0", CutRule::Never),
        ] {
            let mut source = fallback(label);
            let window = text.repeat(LENGTH / text.len() + 1);
            assert_eq!(source.cut_rule(), CutRule::Never, "{label}");
            decode_at_once(&mut source, b"ascii ", false).unwrap();
            assert_eq!(source.cut_rule(), CutRule::Never, "{label}");
            decode_at_once(&mut source, &window[..LENGTH - 1], false).unwrap();
            assert_eq!(source.cut_rule(), CutRule::Never, "{label}");
            // The decision has fallen, and a part of the bytes that decide is not decoded.
            let mut little = String::with_capacity(16);
            source.decode(&window[LENGTH - 1..LENGTH], &mut little, false).unwrap();
            assert_eq!((source.cut_rule(), source.charset().name()), (CutRule::Never, fallback_name(label)), "{label}");
            decode_at_once(&mut source, text, false).unwrap();
            assert_eq!(source.cut_rule(), rule, "{label}");
            assert_eq!(source.after_cut().charset(), source.charset(), "{label}");
            let mark = source.charset().new_decoder(true).decode_start(b"\xFF\xFEa\0", false);
            assert_eq!(source.after_cut().decode_start(b"\xFF\xFEa\0", false), mark, "{label}");
        }
        assert_eq!(fallback("windows-1252").after_cut().charset(), Charset::UTF_8);
        // Bytes that were left out count in the offsets of errors.
        let mut source = fallback("shift_jis");
        decode_at_once(&mut source, &b"\x93\xFA".repeat(LENGTH), false).unwrap();
        source.skip(1000);
        let offset = 2 * LENGTH + 1000;
        assert_eq!(decode_at_once(&mut source, b"\x80\xA0", true), Ok(format!("\u{80}<{}>", offset + 1)));
    }

    #[cfg(feature = "std")]
    fn fallback_name(label: &str) -> &'static str {
        Charset::for_label(label).unwrap().name()
    }

    #[test]
    fn damage_after_ascii_has_its_place_in_the_stream() {
        let line = "Grüße aus München\n".repeat(20);
        let text = [b"ascii\n", line.as_bytes(), b"caf\xE9 ", line.as_bytes()].concat();
        for length in [1, 7, 100_000] {
            let (message, _) = decode(&text, length);
            let offset = 6 + line.len() + 3;
            let expected = format!("damaged UTF-8: 1 malformed sequence, at 22:4 (byte offset {offset})");
            assert!(message.ends_with(&expected), "{message}");
        }
    }

    #[test]
    fn a_text_gets_no_more_than_its_capacity() {
        let mut source = Source::undecided(None, None);
        let mut text = String::with_capacity(20);
        text.push_str("before");
        let capacity = text.capacity();
        let decoded = source.decode(&[b'a'; 100], &mut text, false).unwrap();
        assert_eq!((decoded.read, decoded.status), (capacity - 6, Status::OutputFull));
        assert_eq!((text.len(), text.capacity()), (capacity, capacity));
    }
}
