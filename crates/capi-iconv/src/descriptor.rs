//! A conversion from one charset to another.
//!
//! The text between the two charsets is UTF-8: the input itself if it is UTF-8, the output if that is UTF-8, or else a
//! buffer on the stack. A conversion stops where glibc's stops. What counts are whole characters: if the bytes of a
//! character do not fit into the output, or if it has none, the bytes of the character are not read. The decoder has
//! read more by then; so it decodes the source again from its earlier state, up to the text that was encoded.

use std::mem::MaybeUninit;

use textcodec::{DecodeErrorMode, DecodeResult, DecodeStatus, EncodeErrorMode, EncodeStatus};
use textcodec_kernels::{string::as_utf8, utf8};

use crate::{
    short,
    table::{Decoder, Encoder, States, Table},
    transliteration,
};

/// The length in bytes of the text between decoder and encoder.
const TEXT: usize = 4096;

/// The length in bytes of a piece of input that is UTF-8. It is checked before it is encoded, and is in the first cache
/// then.
const PIECE: usize = 16 * 1024;

/// The greatest number of characters that are read and not written. In TSCII, a byte can end a sequence of two
/// characters and be four others; the first one of them is written.
const HELD: usize = 5;

/// The reason why a conversion stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// All input is read.
    InputEmpty,
    /// The bytes of the next character do not fit into the output.
    OutputFull,
    /// The input ends inside of a sequence.
    Incomplete,
    /// A sequence is malformed, or a character is unmappable.
    Illegal,
}

/// How far a conversion has come.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Progress {
    pub(crate) read: usize,
    pub(crate) written: usize,
    /// The number of characters for which others stand.
    pub(crate) irreversible: usize,
    /// Whether something was left out.
    pub(crate) has_left_out: bool,
    /// Whether an unmappable character was left out.
    has_left_out_unmappable: bool,
    /// Where the malformed sequences start that were left out since the last character. glibc does not read them if the
    /// output is full.
    left_out_from: Option<usize>,
}

/// How far a text was encoded, in bytes.
enum Encoded {
    All,
    /// The next character does not fit.
    Full(usize),
    /// The next character is unmappable.
    Unmappable(usize),
}

/// An opened conversion.
#[derive(Clone)]
pub(crate) struct Descriptor {
    decoder: Decoder,
    encoder: Encoder,
    /// The characters that were read and are not written, and then `None`.
    held: [Option<char>; HELD],
    pub(crate) transliterates: bool,
    pub(crate) ignores: bool,
}

/// The characters of `text` as [`Descriptor::held`] has them.
fn held(text: &str) -> [Option<char>; HELD] {
    let mut characters = text.chars();
    [(); HELD].map(|()| characters.next())
}

impl Progress {
    /// Leaves out a malformed sequence, with which `length` bytes are read.
    fn leave_out(&mut self, start: usize, length: usize) {
        self.left_out_from.get_or_insert(start);
        self.read += length;
        self.has_left_out = true;
    }
}

impl Descriptor {
    /// A conversion. `None` if no text can be written in the charset `to`.
    pub(crate) fn new(from: Table, to: Table, transliterates: bool, ignores: bool) -> Option<Self> {
        let (decoder, encoder) = (Decoder::new(from), Encoder::new(to)?);
        Some(Descriptor { decoder, encoder, held: held(""), transliterates, ignores })
    }

    /// Whether the two charsets are one.
    pub(crate) fn is_trivial(&self) -> bool {
        self.decoder.encoding().is_same(self.encoder.encoding())
    }

    /// Converts the next bytes of the text.
    pub(crate) fn convert(&mut self, source: &[u8], out: &mut [u8]) -> (Stop, Progress) {
        let mut done = Progress::default();
        self.convert_short(source, out, &mut done);
        if done.read > 0 && done.read == source.len() {
            return (Stop::InputEmpty, done);
        }
        let is_composing = matches!(self.states(), States::Composing(_));
        let stop = match if is_composing { None } else { self.write_held(out, &mut done) } {
            Some(stop) => stop,
            None if self.decoder.encoding().facts.is_utf_8 => self.convert_utf_8(source, out, &mut done),
            None if is_composing => self.composing(source, out, &mut done),
            None if self.encoder.encoding().facts.is_utf_8 => self.decode_to_output(source, out, &mut done),
            None => self.decode_to_buffer(source, out, &mut done),
        };
        if stop == Stop::Illegal && self.states() == States::Marked && self.decoder.position() == 0 {
            // After an error the text has begun. With four zeros the decoder no longer waits for a byte order mark.
            self.feed(&[0; 4]);
        }
        // glibc reports an error for what was left out after it has converted everything.
        let stop = match stop {
            Stop::InputEmpty if done.has_left_out => Stop::Illegal,
            Stop::Incomplete if done.has_left_out_unmappable => Stop::Illegal,
            stop => stop,
        };
        if let (Stop::OutputFull, Some(read)) = (stop, done.left_out_from) {
            done.read = read;
        }
        (stop, done)
    }

    /// Converts the beginning of a short source in a single-byte charset or into one. The rest needs attention.
    fn convert_short(&self, source: &[u8], out: &mut [u8], done: &mut Progress) {
        if source.len() > short::LONGEST || self.is_holding() {
            return;
        }
        let (from, to) = (self.decoder.encoding(), self.encoder.encoding());
        (done.read, done.written) = match (from.facts.is_utf_8, to.facts.is_utf_8) {
            (true, false) => match to.single_byte() {
                Some(to) => to.encode(source, out),
                None => return,
            },
            (false, true) => match from.single_byte() {
                Some(from) if from.is_short(source.len()) => from.decode(source, out),
                _ => return,
            },
            (false, false) => match (from.single_byte(), to.single_byte()) {
                (Some(from), Some(to)) => from.recode(to, source, out),
                _ => return,
            },
            (true, true) => return,
        };
    }

    /// Ends the text: writes what is still to be written, and begins another one. If it does not fit, the text goes on.
    pub(crate) fn end(&mut self, out: &mut [u8]) -> (Stop, Progress) {
        let mut done = Progress::default();
        if let Some(stop) = self.write_held(out, &mut done) {
            return (stop, done);
        }
        if let States::Composing(_) = self.states() {
            let mut text = [MaybeUninit::uninit(); 16];
            let (_, text) = self.decoder.decode_to_utf8_uninit(&[], &mut text, true, DecodeErrorMode::Fatal);
            self.held = held(text);
            if let Some(stop) = self.write_held(out, &mut done) {
                return (stop, done);
            }
        }
        let is_new = self.encoder.position() == 0;
        let ended = self.encoder.encode_str("", &mut out[done.written..], true, EncodeErrorMode::Fatal);
        done.written += ended.written;
        if ended.status == EncodeStatus::OutputFull {
            return (Stop::OutputFull, done);
        }
        // glibc begins a text by its end.
        if self.encoder.encoding().facts.has_header && is_new {
            let (mut encoder, mut bytes) = (self.encoder, [0; 8]);
            encoder.reset();
            let header = encoder.encode_str("a", &mut bytes, false, EncodeErrorMode::Fatal).written.saturating_sub(1);
            let Some(to) = out.get_mut(done.written..done.written + header) else { return (Stop::OutputFull, done) };
            to.copy_from_slice(&bytes[..header]);
            done.written += header;
        }
        self.reset();
        (Stop::InputEmpty, done)
    }

    /// Begins another text. What was still to be written is lost.
    pub(crate) fn reset(&mut self) {
        self.decoder.reset();
        self.encoder.reset();
        self.held = held("");
    }

    fn is_holding(&self) -> bool {
        self.held[0].is_some()
    }

    /// Writes the held characters. Returns the reason if that is not possible.
    fn write_held(&mut self, out: &mut [u8], done: &mut Progress) -> Option<Stop> {
        while let Some(character) = self.held[0] {
            let encoded = self.encode(character.encode_utf8(&mut [0; 4]), out, done);
            if let Encoded::Full(_) = encoded {
                return Some(Stop::OutputFull);
            }
            self.held.rotate_left(1);
            self.held[HELD - 1] = None;
            if let Encoded::Unmappable(_) = encoded {
                return Some(Stop::Illegal);
            }
        }
        None
    }

    /// Encodes input that is UTF-8.
    fn convert_utf_8(&mut self, source: &[u8], out: &mut [u8], done: &mut Progress) -> Stop {
        loop {
            let rest = &source[done.read..];
            // No more text than the output may have space for is checked.
            let space = out.len() - done.written;
            let piece = &rest[..rest.len().min(PIECE).min(space.saturating_mul(4).saturating_add(8))];
            let text = as_utf8(piece).or_else(|| as_utf8(&piece[..utf8::valid_up_to(piece)])).unwrap_or_default();
            match self.encode(text, out, done) {
                Encoded::All => {}
                Encoded::Full(length) => {
                    done.read += length;
                    return Stop::OutputFull;
                }
                Encoded::Unmappable(length) => {
                    done.read += length;
                    return Stop::Illegal;
                }
            }
            done.read += text.len();
            let after = &source[done.read..];
            if after.is_empty() {
                return Stop::InputEmpty;
            }
            // A piece can end inside of a character.
            if piece.len() < rest.len() && !text.is_empty() {
                continue;
            }
            match malformed_length(after) {
                None => return Stop::Incomplete,
                Some(length) if self.ignores => done.leave_out(done.read, length),
                Some(_) => return Stop::Illegal,
            }
        }
    }

    /// Decodes into output that is UTF-8.
    fn decode_to_output(&mut self, source: &[u8], out: &mut [u8], done: &mut Progress) -> Stop {
        loop {
            let (from, before) = (&source[done.read..], self.decoder);
            let to = &mut out[done.written..];
            let result = self.decoder.decode_to_utf8(from, to, false, DecodeErrorMode::Fatal);
            done.written += result.written;
            if result.written > 0 {
                done.left_out_from = None;
            }
            if result.status == DecodeStatus::OutputFull {
                done.read += self.stand_after_text(before, from, &result, result.written);
                return Stop::OutputFull;
            }
            if let Some(stop) = self.settle(before, from, &result, done) {
                return stop;
            }
        }
    }

    /// Decodes into a buffer, and encodes the text there.
    fn decode_to_buffer(&mut self, source: &[u8], out: &mut [u8], done: &mut Progress) -> Stop {
        loop {
            let (from, before) = (&source[done.read..], self.decoder);
            let mut buffer = [MaybeUninit::uninit(); TEXT];
            // No more text than the output may have space for is decoded.
            let space = out.len() - done.written;
            let buffer = &mut buffer[..TEXT.min(space.saturating_mul(4).saturating_add(16))];
            let (result, text) = self.decoder.decode_to_utf8_uninit(from, buffer, false, DecodeErrorMode::Fatal);
            let (length, stop) = match self.encode(text, out, done) {
                Encoded::Full(length) => (length, Stop::OutputFull),
                Encoded::Unmappable(length) => (length, Stop::Illegal),
                Encoded::All if result.status == DecodeStatus::OutputFull => {
                    done.read += self.stand_after_buffer(before, from, &result);
                    // The buffer can end between two characters of a sequence.
                    match self.write_held(out, done) {
                        Some(stop) => return stop,
                        None => continue,
                    }
                }
                Encoded::All => match self.settle(before, from, &result, done) {
                    Some(stop) => return stop,
                    None => continue,
                },
            };
            let result = self.decode_again(before, from, length);
            done.read += self.stand_after_text(before, from, &result, length);
            return stop;
        }
    }

    /// Decodes a charset in which a letter waits for the mark after it. glibc reads the letter, and writes it with the
    /// next character.
    fn composing(&mut self, source: &[u8], out: &mut [u8], done: &mut Progress) -> Stop {
        let mut one_by_one = 0;
        // The state before the last byte, if nothing was written for it.
        let mut silent = None;
        loop {
            let from = &source[done.read..];
            // All but the last letter are written if the output has space.
            let piece = from.len().saturating_sub(1).min((out.len() - done.written) / 4).min(TEXT / 4);
            if !self.is_holding() && one_by_one == 0 && piece >= 4 {
                let read = done.read;
                silent = self.compose_piece(&from[..=piece], out, done);
                one_by_one = piece - (done.read - read);
                continue;
            }
            one_by_one = one_by_one.saturating_sub(1);
            let Some(&byte) = from.first() else { return Stop::InputEmpty };
            let (before, written) = (self.decoder, done.written);
            if let Some(stop) = self.compose_byte(byte, out, done) {
                // glibc reads no byte that has nothing to write if the letter before it does not fit. That letter still
                // waits or is held then.
                if let (Stop::OutputFull, Some(before), true) = (stop, silent, self.pending() > 0 || self.is_holding())
                {
                    self.decoder = before;
                    self.held = held("");
                    done.read -= 1;
                }
                return stop;
            }
            silent = Some(before).filter(|_| done.written == written);
        }
    }

    /// Converts all but the last byte of a piece, as far as nothing in it needs attention; perhaps nothing. Returns the
    /// state before the last byte that was read, if nothing was written for it.
    fn compose_piece(&mut self, piece: &[u8], out: &mut [u8], done: &mut Progress) -> Option<Decoder> {
        let (decoder, encoder, before) = (self.decoder, self.encoder, *done);
        let (mut buffer, mut of_last) = ([MaybeUninit::uninit(); TEXT], [MaybeUninit::uninit(); 32]);
        let mut length = piece.len() - 1;
        while length > 0 {
            self.decoder = decoder;
            let (rest, last) = (&piece[..length - 1], &piece[length - 1..length]);
            let (result, text) = self.decoder.decode_to_utf8_uninit(rest, &mut buffer, false, DecodeErrorMode::Fatal);
            let before_last = self.decoder;
            let (result_of_last, text_of_last) =
                self.decoder.decode_to_utf8_uninit(last, &mut of_last, false, DecodeErrorMode::Fatal);
            let (mut ahead, mut of_next) = (self.decoder, [MaybeUninit::uninit(); 32]);
            let next = &piece[length..=length];
            let (result_of_next, _) = ahead.decode_to_utf8_uninit(next, &mut of_next, false, DecodeErrorMode::Fatal);
            if let Some(malformed) = [result, result_of_last, result_of_next].iter().find_map(malformed) {
                // Up to two bytes before the malformed byte, so that its letter waits.
                let offset = malformed.saturating_sub(decoder.position()) as usize;
                length = offset.saturating_sub(2).min(length - 1);
                continue;
            }
            let is_encoded = matches!(self.encode(text, out, done), Encoded::All);
            let written = done.written;
            if !is_encoded || !matches!(self.encode(text_of_last, out, done), Encoded::All) {
                break;
            }
            done.read += length;
            return Some(before_last).filter(|_| done.written == written);
        }
        (self.decoder, self.encoder, *done) = (decoder, encoder, before);
        None
    }

    /// Converts the next byte. Returns the reason to stop before it.
    fn compose_byte(&mut self, byte: u8, out: &mut [u8], done: &mut Progress) -> Option<Stop> {
        let (before, was_waiting) = (self.decoder, self.pending() > 0);
        let mut buffer = [MaybeUninit::uninit(); 32];
        let (result, text) = self.decoder.decode_to_utf8_uninit(&[byte], &mut buffer, false, DecodeErrorMode::Fatal);
        if let DecodeStatus::Malformed(_) = result.status {
            self.decoder = before;
            if !self.ignores {
                return Some(Stop::Illegal);
            }
            done.leave_out(done.read, 1);
            return None;
        }
        // If a letter was waiting, the first character is that letter, or what the byte composes with it.
        let (first, second) =
            text.split_at(if was_waiting { text.chars().next().map_or(0, char::len_utf8) } else { 0 });
        if was_waiting {
            self.held = held(first);
        }
        let after = self.decoder;
        if self.is_holding() {
            self.decoder = before;
            if let Some(stop) = self.write_held(out, done) {
                // The letter waits in the decoder, or else it is held again.
                if was_waiting {
                    self.held = held("");
                }
                return Some(stop);
            }
            self.decoder.reset();
        }
        if let Some(character) = second.chars().next() {
            let States::Composing(letters) = self.states() else { return None };
            self.held = held(second);
            let waits = (letters.0..=letters.1).contains(&character);
            if let Some(stop) = if waits { None } else { self.write_held(out, done) } {
                self.held = held("");
                return Some(stop);
            }
        }
        self.decoder = after;
        done.read += 1;
        None
    }

    /// Encodes `text` after what is written. What the charset does not have is left out or transliterated, if the
    /// conversion does so.
    fn encode(&mut self, text: &str, out: &mut [u8], done: &mut Progress) -> Encoded {
        let encoded = self.encode_to(text, out, done);
        if !matches!(encoded, Encoded::Full(0) | Encoded::Unmappable(0)) && !text.is_empty() {
            done.left_out_from = None;
        }
        encoded
    }

    fn encode_to(&mut self, text: &str, out: &mut [u8], done: &mut Progress) -> Encoded {
        let mut read = 0;
        loop {
            let rest = text.get(read..).unwrap_or_default();
            let (start, encoder, written) = (read, self.encoder, done.written);
            let result = self.encoder.encode_str(rest, &mut out[done.written..], false, EncodeErrorMode::Fatal);
            done.written += result.written;
            read += result.read;
            let facts = self.encoder.encoding().facts;
            let mut length_of_return = facts.length_of_return;
            match result.status {
                EncodeStatus::InputEmpty => return Encoded::All,
                EncodeStatus::OutputFull => {
                    if facts.states == States::Bytes {
                        // glibc ends base64 together with the next character.
                        (self.encoder, done.written) = (encoder, written);
                        self.encode_all(&text[start..read], out, done);
                    }
                    let next = text.get(read..).and_then(|text| text.chars().next());
                    if facts.has_escapes && next.is_some_and(|next| self.is_unmappable(next)) {
                        // Only an escape before the unmappable character does not fit.
                        read += next.map_or(0, char::len_utf8);
                        length_of_return = length_of_return.and(Some(0));
                    } else {
                        self.write_shift(text.get(read..).unwrap_or_default(), out, done);
                        return Encoded::Full(read);
                    }
                }
                EncodeStatus::Unmappable(_) => {}
            }
            let character = text.get(..read).and_then(|text| text.chars().next_back());
            let before = read - character.map_or(0, char::len_utf8);
            if facts.writes_shifts_alone || facts.has_escapes {
                // No shift or escape is written for an unmappable character.
                let most = done.written;
                (self.encoder, done.written) = (encoder, written);
                self.encode_all(text.get(start..before).unwrap_or_default(), out, done);
                if length_of_return.is_some_and(|length| done.written + usize::from(length) < most) {
                    self.write_waiting(out, done);
                }
            }
            if out.len() - done.written < facts.min_length.into() {
                return Encoded::Full(before);
            }
            // glibc leaves out tags, which nobody sees.
            if matches!(character, Some('\u{E0000}'..='\u{E007F}')) {
                continue;
            }
            if let (true, Some(character)) = (self.transliterates, character) {
                let instead = transliteration::instead_of(character);
                // Each of these texts is one of glibc's, or a question mark.
                match [instead, "?"].into_iter().find_map(|text| self.encode_all(text, out, done)) {
                    Some(true) => {
                        done.irreversible += 1;
                        continue;
                    }
                    Some(false) => return Encoded::Full(before),
                    None => {}
                }
            }
            if !self.ignores {
                return Encoded::Unmappable(before);
            }
            (done.has_left_out, done.has_left_out_unmappable) = (true, true);
        }
    }

    /// Writes the character that waits in the encoder for a mark, for which the output has space.
    fn write_waiting(&mut self, out: &mut [u8], done: &mut Progress) {
        let mut bytes = [0; 16];
        // A pair of the same set, which is not written, shows the encoder that no mark follows.
        let result = self.encoder.encode_str("あ", &mut bytes, false, EncodeErrorMode::Fatal);
        let waiting = &bytes[..result.written.saturating_sub(2)];
        if let Some(to) = out.get_mut(done.written..done.written + waiting.len()) {
            to.copy_from_slice(waiting);
            done.written += waiting.len();
        }
    }

    /// Whether the encoder has no bytes for the next character, and has none to write before it but a return to ASCII.
    fn is_unmappable(&self, next: char) -> bool {
        let (mut encoder, mut bytes) = (self.encoder, [0; 16]);
        let result = encoder.encode_str(next.encode_utf8(&mut [0; 4]), &mut bytes, false, EncodeErrorMode::Fatal);
        let most = self.encoder.encoding().facts.length_of_return.map_or(usize::MAX, usize::from);
        matches!(result.status, EncodeStatus::Unmappable(_)) && result.written <= most
    }

    /// Writes the shift before the next character, which does not fit together with it.
    fn write_shift(&mut self, text: &str, out: &mut [u8], done: &mut Progress) {
        let next = text.chars().next().map_or(0, char::len_utf8);
        if self.encoder.encoding().facts.writes_shifts_alone && out.len() > done.written {
            let (mut encoder, mut bytes) = (self.encoder, [0; 8]);
            let result = encoder.encode_str(&text[..next], &mut bytes, false, EncodeErrorMode::Fatal);
            if result.written > 1 && matches!(bytes[0], 0x0E | 0x0F) {
                out[done.written] = bytes[0];
                done.written += 1;
                self.encoder = encoder;
            }
        }
    }

    /// Encodes all of `text`. Returns whether it fits; `None` if it has an unmappable character.
    fn encode_all(&mut self, text: &str, out: &mut [u8], done: &mut Progress) -> Option<bool> {
        let mut encoder = self.encoder;
        let result = encoder.encode_str(text, &mut out[done.written..], false, EncodeErrorMode::Fatal);
        match result.status {
            EncodeStatus::InputEmpty => {
                self.encoder = encoder;
                done.written += result.written;
                Some(true)
            }
            EncodeStatus::OutputFull => Some(false),
            EncodeStatus::Unmappable(_) => None,
        }
    }

    fn states(&self) -> States {
        self.decoder.encoding().facts.states
    }

    /// The number of bytes of a sequence that has begun.
    fn pending(&self) -> usize {
        (self.decoder.position() - self.decoder.sequence_start()) as usize
    }

    /// Counts what was read in a call of the decoder from the state `before` on, which did not stop because of the
    /// destination. Returns the reason to stop.
    fn settle(&mut self, before: Decoder, from: &[u8], result: &DecodeResult, done: &mut Progress) -> Option<Stop> {
        if let DecodeStatus::Malformed(malformed) = result.status {
            if self.ignores {
                let offset = malformed.offset.saturating_sub(before.position()) as usize;
                done.leave_out(done.read + offset, result.read);
                return None;
            }
            // A sequence that began in an earlier source is read.
            let mut offset = malformed.offset.saturating_sub(before.position()) as usize;
            if self.states() == States::Bytes {
                // glibc stops before the byte that is wrong in its place.
                let others = [b'+', self.decoder.encoding().facts.last_digit];
                let is_digit =
                    |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || others.contains(byte));
                let is_restored = is_digit(malformed.bytes().last()) && !is_digit(from.get(result.read));
                offset = result.read.saturating_sub(usize::from(!is_restored));
            }
            done.read += self.stand_at(before, from, offset.min(result.read));
            return Some(Stop::Illegal);
        }
        let pending = self.pending();
        // In UTF-7, glibc reads single bytes of a sequence in base64, but no shift alone.
        if pending == 0 || self.states() == States::Bytes && !self.is_shift_alone() {
            done.read += result.read;
            return Some(Stop::InputEmpty);
        }
        done.read += self.stand_at(before, from, result.read.saturating_sub(pending));
        Some(Stop::Incomplete)
    }

    /// Whether the last byte is a shift of UTF-7 outside of base64: with a hyphen after it, it is text.
    fn is_shift_alone(&mut self) -> bool {
        let decoder = self.decoder;
        let is_text = self.feed(b"-") > 0;
        self.decoder = decoder;
        is_text
    }

    /// Brings the decoder to its state after the first `length` bytes of `from`, which are whole sequences. It was in
    /// the state `before` at their start. Returns `length`.
    fn stand_at(&mut self, before: Decoder, from: &[u8], length: usize) -> usize {
        match self.states() {
            States::One => self.decoder.reset(),
            States::Marked if before.position() > 0 => self.decoder = before,
            states => {
                self.decoder = before;
                self.feed(&from[..length]);
                // The decoder waits if the last sequences can begin an escape. The bytes after them have shown that
                // they are characters: an escape that is none changes no state, and neither does a line feed after it.
                if states == States::Several && self.pending() > 0 {
                    self.feed(b"\n");
                }
            }
        }
        length
    }

    /// Decodes from the state `before` on into the first `length` bytes of text, at most [`TEXT`]. Perhaps more of the
    /// source is read than these bytes need. They are not all written if a sequence has two characters, and its decoder
    /// writes both of them or none.
    fn decode_again(&mut self, before: Decoder, from: &[u8], length: usize) -> DecodeResult {
        self.decoder = before;
        let mut text = [MaybeUninit::uninit(); TEXT];
        self.decoder.decode_to_utf8_uninit(from, &mut text[..length], false, DecodeErrorMode::Fatal).0
    }

    /// Brings the decoder to its state after the sequences of the first `length` bytes of text, and holds the other
    /// characters of the last sequence. The decoder was in the state `before` at the start of `from`, and is where
    /// `result` says. Returns how many bytes these sequences have.
    fn stand_after_text(&mut self, before: Decoder, from: &[u8], result: &DecodeResult, length: usize) -> usize {
        if matches!(self.states(), States::One | States::Marked) && result.written == length {
            return self.stand_at(before, from, result.read.saturating_sub(self.pending()));
        }
        // As few bytes as possible: shifts after the last character are not read.
        let mut at = if length == 0 { 0 } else { result.read.saturating_sub(AGAIN) };
        self.decoder = before;
        let mut written = self.feed(&from[..at]);
        while written < length && at < from.len() {
            let (start, earlier) = (at.saturating_sub(self.pending()), self.decoder);
            let more = self.feed(&from[at..=at]);
            if written + more > length && from[start] == ESC {
                // An escape that is none: the text has ESC, and perhaps bytes after it.
                (at, written) = (self.stand_at(before, from, start + 1), written + 1);
                continue;
            }
            if written + more > length {
                self.hold(earlier, from[at], length - written);
            }
            (at, written) = (at + 1, written + more);
        }
        // The end of an escape that is none can begin the next sequence.
        match self.pending() {
            0 => at,
            pending => self.stand_at(before, from, at.saturating_sub(pending)),
        }
    }

    /// As [`Descriptor::stand_after_text`], for all of the text of `result`, and faster: shifts after the last
    /// character can be read.
    fn stand_after_buffer(&mut self, before: Decoder, from: &[u8], result: &DecodeResult) -> usize {
        let length = result.read.saturating_sub(self.pending());
        if matches!(self.states(), States::One | States::Marked) {
            return self.stand_at(before, from, length);
        }
        self.decoder = before;
        let is_whole = self.feed(&from[..length]) == result.written && self.pending() == 0;
        if is_whole { length } else { self.stand_after_text(before, from, result, result.written) }
    }

    /// Holds the text of `byte` without its first `length` bytes. The decoder was in the state `decoder` before.
    fn hold(&mut self, mut decoder: Decoder, byte: u8, length: usize) {
        let mut text = [MaybeUninit::uninit(); 4 * (HELD + 1)];
        let (_, text) = decoder.decode_to_utf8_uninit(&[byte], &mut text, false, DecodeErrorMode::Fatal);
        self.held = held(text.get(length..).unwrap_or_default());
    }

    /// Decodes bytes. Returns the length of their text.
    fn feed(&mut self, from: &[u8]) -> usize {
        let (mut read, mut written) = (0, 0);
        let mut text = [MaybeUninit::uninit(); 1024];
        loop {
            let (result, _) =
                self.decoder.decode_to_utf8_uninit(&from[read..], &mut text, false, DecodeErrorMode::Fatal);
            (read, written) = (read + result.read, written + result.written);
            if result.status == DecodeStatus::InputEmpty {
                return written;
            }
        }
    }
}

/// The offset of a malformed sequence in its stream.
fn malformed(result: &DecodeResult) -> Option<u64> {
    match result.status {
        DecodeStatus::Malformed(malformed) => Some(malformed.offset),
        _ => None,
    }
}

/// The first byte of escapes. It is a character if the bytes after it are no escape.
const ESC: u8 = 0x1B;

/// The greatest number of bytes of shifts before a character, and of the character. More bytes of shifts are read with
/// the character before them.
const AGAIN: usize = 24;

/// The number of bytes that glibc skips at the start of `bytes`, which are malformed UTF-8. `None` if more bytes could
/// make them a character: glibc does not look closer before it has all of them.
fn malformed_length(bytes: &[u8]) -> Option<usize> {
    let length = match bytes.first()? {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        // glibc waits for the sequences of UTF-8 as it was before 2003.
        0xF8..=0xFB => 5,
        0xFC..=0xFD => 6,
        _ => 1,
    };
    let found = 1 + bytes.iter().skip(1).take(length - 1).take_while(|byte| matches!(byte, 0x80..=0xBF)).count();
    (found == length || found < bytes.len()).then_some(found)
}
