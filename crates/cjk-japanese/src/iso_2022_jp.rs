//! [ISO-2022-JP](https://encoding.spec.whatwg.org/#iso-2022-jp), the one encoding of the Standard with shift states.

use textcodec_core::{
    DecoderErrorMode, Encoding, Name, convert,
    handler::{
        Bytes, CodePoints, DecoderHandler, EncoderHandler, HandlerResult, Item, MaxBytes, Restore, Unchanged,
        Utf8Space, Utf8Written,
    },
    index::{NULL, index_code_point},
};
use textcodec_kernels::{
    ascii,
    blocks::{after, after_mut, up_to},
    double_byte, to_double_byte,
};

use crate::{
    euc_jp::{CHARACTERS, PAIRS},
    generated::iso_2022_jp_katakana,
    index_jis0208_code_point, index_jis0208_pointer,
};

/// [ISO-2022-JP](https://encoding.spec.whatwg.org/#iso-2022-jp).
pub static ISO_2022_JP: Encoding = Encoding::new::<Iso2022JpDecoder, Iso2022JpEncoder>(Name::Iso2022Jp);

/// [ISO-2022-JP's decoder](https://encoding.spec.whatwg.org/#iso-2022-jp-decoder).
#[derive(Clone, Copy, Debug)]
struct Iso2022JpDecoder {
    /// ISO-2022-JP decoder state
    decoder_state: DecoderState,
    /// ISO-2022-JP decoder output state
    output_state: DecoderState,
    /// ISO-2022-JP leading byte
    leading: u8,
    /// ISO-2022-JP output
    output: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum DecoderState {
    Ascii,
    Roman,
    Katakana,
    LeadingByte,
    TrailingByte,
    EscapeStart,
    Escape,
}

impl DecoderHandler for Iso2022JpDecoder {
    /// The handler rejects 0x0E and 0x0F, and 0x1B begins an escape sequence.
    const UNCHANGED: Unchanged = Unchanged::AsciiExcept([0x0E, 0x0F, 0x1B]);

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        match self.decoder_state {
            DecoderState::Ascii => match byte {
                Item::Value(0x1B) => {
                    self.decoder_state = DecoderState::EscapeStart;
                    HandlerResult::Continue
                }
                Item::Value(byte @ (0x00..=0x0D | 0x10..=0x7F)) => {
                    self.output = false;
                    HandlerResult::Items(char::from(byte).into())
                }
                Item::EndOfQueue => HandlerResult::Finished,
                Item::Value(_) => {
                    self.output = false;
                    HandlerResult::Error(())
                }
            },
            DecoderState::Roman => match byte {
                Item::Value(0x1B) => {
                    self.decoder_state = DecoderState::EscapeStart;
                    HandlerResult::Continue
                }
                Item::Value(0x5C) => {
                    self.output = false;
                    HandlerResult::Items('\u{00A5}'.into())
                }
                Item::Value(0x7E) => {
                    self.output = false;
                    HandlerResult::Items('\u{203E}'.into())
                }
                Item::Value(byte @ (0x00..=0x0D | 0x10..=0x7F)) => {
                    self.output = false;
                    HandlerResult::Items(char::from(byte).into())
                }
                Item::EndOfQueue => HandlerResult::Finished,
                Item::Value(_) => {
                    self.output = false;
                    HandlerResult::Error(())
                }
            },
            DecoderState::Katakana => match byte {
                Item::Value(0x1B) => {
                    self.decoder_state = DecoderState::EscapeStart;
                    HandlerResult::Continue
                }
                Item::Value(byte @ 0x21..=0x5F) => {
                    self.output = false;
                    let code_point = 0xFF61 - 0x21 + u32::from(byte);
                    let code_point = char::from_u32(code_point).expect("U+FF61 to U+FF9F are no surrogates");
                    HandlerResult::Items(code_point.into())
                }
                Item::EndOfQueue => HandlerResult::Finished,
                Item::Value(_) => {
                    self.output = false;
                    HandlerResult::Error(())
                }
            },
            DecoderState::LeadingByte => match byte {
                Item::Value(0x1B) => {
                    self.decoder_state = DecoderState::EscapeStart;
                    HandlerResult::Continue
                }
                Item::Value(byte @ 0x21..=0x7E) => {
                    self.output = false;
                    self.leading = byte;
                    self.decoder_state = DecoderState::TrailingByte;
                    HandlerResult::Continue
                }
                Item::EndOfQueue => HandlerResult::Finished,
                Item::Value(_) => {
                    self.output = false;
                    HandlerResult::Error(())
                }
            },
            DecoderState::TrailingByte => match byte {
                Item::Value(0x1B) => {
                    self.decoder_state = DecoderState::EscapeStart;
                    HandlerResult::Error(())
                }
                Item::Value(byte @ 0x21..=0x7E) => {
                    self.decoder_state = DecoderState::LeadingByte;
                    let pointer = (usize::from(self.leading) - 0x21) * 94 + usize::from(byte) - 0x21;
                    match index_jis0208_code_point(pointer) {
                        None => HandlerResult::Error(()),
                        Some(code_point) => HandlerResult::Items(code_point.into()),
                    }
                }
                Item::EndOfQueue | Item::Value(_) => {
                    self.decoder_state = DecoderState::LeadingByte;
                    HandlerResult::Error(())
                }
            },
            DecoderState::EscapeStart => {
                if let Item::Value(byte) = byte {
                    if let 0x24 | 0x28 = byte {
                        self.leading = byte;
                        self.decoder_state = DecoderState::Escape;
                        return HandlerResult::Continue;
                    }
                    io_queue.restore(&[byte]);
                }
                self.output = false;
                self.decoder_state = self.output_state;
                HandlerResult::Error(())
            }
            DecoderState::Escape => {
                let leading = self.leading;
                self.leading = 0x00;
                let state = match (leading, byte) {
                    (0x28, Item::Value(0x42)) => Some(DecoderState::Ascii),
                    (0x28, Item::Value(0x4A)) => Some(DecoderState::Roman),
                    (0x28, Item::Value(0x49)) => Some(DecoderState::Katakana),
                    (0x24, Item::Value(0x40 | 0x42)) => Some(DecoderState::LeadingByte),
                    _ => None,
                };
                if let Some(state) = state {
                    (self.decoder_state, self.output_state) = (state, state);
                    let output = self.output;
                    self.output = true;
                    return if output { HandlerResult::Error(()) } else { HandlerResult::Continue };
                }
                match byte {
                    Item::EndOfQueue => io_queue.restore(&[leading]),
                    Item::Value(byte) => io_queue.restore(&[leading, byte]),
                }
                self.output = false;
                self.decoder_state = self.output_state;
                HandlerResult::Error(())
            }
        }
    }

    fn pending(&self) -> Bytes {
        match self.decoder_state {
            DecoderState::TrailingByte => self.leading.into(),
            DecoderState::EscapeStart => 0x1B.into(),
            DecoderState::Escape => [0x1B, self.leading].into(),
            _ => Bytes::EMPTY,
        }
    }

    fn convert(&mut self, source: &[u8], destination: &mut [u16], mode: DecoderErrorMode) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        loop {
            let rest = after(source, read);
            if rest.len() >= SHORT
                && (self.decoder_state == DecoderState::LeadingByte || mode == DecoderErrorMode::Fatal)
            {
                let room = 2 * (destination.len() - written);
                read += self.convert_as_euc_jp(rest, room, &mut |euc_jp| {
                    let (bytes, units) = double_byte::to_utf16(&PAIRS, euc_jp, after_mut(destination, written));
                    written += units;
                    (bytes, 2 * (destination.len() - written))
                });
            }
            let (bytes, units) = self.convert_one_by_one(after(source, read), after_mut(destination, written), mode);
            self.output &= units == 0;
            (read, written) = (read + bytes, written + units);
            match escape(after(source, read)) {
                Some(state) if !self.output => self.switch(state),
                None if units != 0 && self.decoder_state == DecoderState::LeadingByte => continue,
                _ => return (read, written),
            }
            read += ESCAPE_LENGTH;
        }
    }

    fn convert_to_utf8<'id>(
        &mut self,
        source: &[u8],
        destination: Utf8Space<'id>,
        mode: DecoderErrorMode,
    ) -> (usize, Utf8Written<'id>) {
        let (mut read, mut writer) = (0, destination.writer());
        if mode == DecoderErrorMode::Fatal && source.len() >= SHORT {
            read = self.convert_as_euc_jp(source, writer.remaining(), &mut |euc_jp| {
                (writer.write(|space| space.double_byte(&PAIRS, euc_jp)), writer.remaining())
            });
        }
        read += writer.write(|space| convert::decode_to_utf8(self, after(source, read), space, mode));
        (read, writer.finish())
    }

    /// Bits 0 to 7: the leading byte; 8 to 10: the state; 11 to 13: the output state; 14: output.
    fn pack(self) -> u64 {
        let leading = if self.pending().is_empty() { 0x00 } else { self.leading };
        u64::from(leading)
            | (self.decoder_state as u64) << 8
            | (self.output_state as u64) << 11
            | u64::from(self.output) << 14
    }

    fn unpack(_: &'static Encoding, word: u64) -> Self {
        Iso2022JpDecoder {
            decoder_state: DecoderState::unpack(word >> 8),
            output_state: DecoderState::unpack(word >> 11),
            leading: word as u8,
            output: word >> 14 & 1 != 0,
        }
    }
}

impl Iso2022JpDecoder {
    /// Goes on after an escape sequence.
    fn switch(&mut self, state: DecoderState) {
        (self.decoder_state, self.output_state, self.output) = (state, state, true);
    }

    /// Converts ASCII, pairs, and the escape sequences between them, until there is something else or `convert` stops. That
    /// takes bytes of EUC-JP, and returns how many it has read and for how many it has room left. Returns how many were read.
    #[inline(never)]
    fn convert_as_euc_jp(&mut self, source: &[u8], mut room: usize, convert: &mut Convert<'_>) -> usize {
        let mut chunk = [0; CHUNK + BLOCK];
        // Little at first: the next error may be near.
        let (mut read, mut limit) = (0, FIRST_CHUNK);
        loop {
            let rest = after(source, read);
            let run = if self.decoder_state == DecoderState::Ascii { ascii_run(up_to(rest, room)) } else { 0 };
            let is_run = run >= FIRST_CHUNK;
            let (length, converted);
            if is_run {
                length = run;
                (converted, room) = convert(up_to(rest, run));
                self.output &= converted == 0;
                read += converted;
            } else {
                let before = *self;
                let mut bytes;
                limit = limit.min(room);
                (bytes, length) = self.join_runs(rest, &mut chunk, limit);
                (converted, room) = convert(up_to(&chunk, length));
                if converted < length {
                    // To know where that is.
                    *self = before;
                    (bytes, _) = self.join_runs(rest, &mut chunk, converted);
                }
                read += bytes;
            }
            // If the chunk is not full there is no more; half a pair may not have fitted.
            if length == 0 || converted < length || !is_run && length + 1 < limit {
                return read;
            }
            limit = CHUNK.min(2 * limit);
        }
    }

    /// Makes EUC-JP of ASCII and pairs: leaves out the escape sequences between them, and sets the highest bits of pairs, which
    /// may be malformed. Returns how many bytes were read and written, at most `limit`; there is to be room for a block more.
    #[inline(never)]
    fn join_runs(&mut self, source: &[u8], euc_jp: &mut [u8], limit: usize) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        // Whether this is a run of pairs, and where it starts.
        let (mut is_pairs, mut start) = (self.decoder_state == DecoderState::LeadingByte, 0);
        if !is_pairs && self.decoder_state != DecoderState::Ascii {
            return (0, 0);
        }
        'source: loop {
            let rest = after(source, read);
            let mut padded = [0x1B; WINDOW];
            let window = match rest.first_chunk() {
                Some(window) => window,
                None => {
                    padded[..rest.len()].copy_from_slice(rest);
                    &padded
                }
            };
            let mut ends = window.first_chunk().map_or(0, not_ascii_here);
            let mut from = 0;
            loop {
                let to = ends.trailing_zeros() as usize;
                let length = to.saturating_sub(from).min(limit - written);
                if let (Some(piece), Some(room)) =
                    (after(window, from).first_chunk::<BLOCK>(), after_mut(euc_jp, written).first_chunk_mut())
                {
                    let highest = u8::from(is_pairs) << 7;
                    *room = piece.map(|byte| byte | highest);
                }
                (from, written) = (from + length, written + length);
                if from >= to && to == BLOCK {
                    break;
                }
                let after_escape = pairs_after_escape(after(window, to));
                let is_whole = !is_pairs || (written - start) % 2 == 0;
                self.output &= written == start;
                let Some(pairs) = after_escape.filter(|_| from >= to && is_whole && !self.output) else {
                    read += from;
                    break 'source;
                };
                (is_pairs, start, self.output) = (pairs, written, true);
                from += ESCAPE_LENGTH;
                ends &= ends - 1;
            }
            read += from;
        }
        if is_pairs && (written - start) % 2 != 0 {
            (read, written) = (read - 1, written - 1);
        }
        self.decoder_state = if is_pairs { DecoderState::LeadingByte } else { DecoderState::Ascii };
        self.output_state = self.decoder_state;
        (read, written)
    }

    /// Converts characters of the current state, pairs as long as errors are near to each other. Returns how many bytes were
    /// read and code units written.
    fn convert_one_by_one(&self, source: &[u8], destination: &mut [u16], mode: DecoderErrorMode) -> (usize, usize) {
        // Where a byte is malformed, its unit is U+FFFD, which no byte is otherwise.
        let error = if mode == DecoderErrorMode::Fatal { NULL.into() } else { u32::MAX };
        let single_bytes = |destination: &mut [u16], unit: fn(u8) -> u16| {
            let mut read = 0;
            for (to, &byte) in destination.iter_mut().zip(source) {
                *to = unit(byte);
                if byte == 0x1B || u32::from(*to) == error {
                    break;
                }
                read += 1;
            }
            (read, read)
        };
        match self.decoder_state {
            DecoderState::Ascii => {
                single_bytes(destination, |byte| if is_ascii_here(byte) { byte.into() } else { NULL })
            }
            DecoderState::Roman => single_bytes(destination, |byte| match byte {
                0x5C => 0x00A5,
                0x7E => 0x203E,
                _ if is_ascii_here(byte) => byte.into(),
                _ => NULL,
            }),
            DecoderState::Katakana => single_bytes(destination, |byte| match byte {
                0x21..=0x5F => 0xFF40 + u16::from(byte),
                _ => NULL,
            }),
            DecoderState::LeadingByte => convert_pairs(source, destination, error),
            _ => (0, 0),
        }
    }
}

/// Converts pairs, malformed ones to U+FFFD, up to a unit that is `error`, or until none was malformed for a while.
fn convert_pairs(source: &[u8], destination: &mut [u16], error: u32) -> (usize, usize) {
    let (mut read, mut written, mut last) = (0, 0, 0);
    while written < last + 16
        && let Some(to) = destination.get_mut(written)
    {
        let &[leading, trailing, ..] = after(source, read) else { break };
        if leading == 0x1B || trailing == 0x1B {
            break;
        }
        let is_leading = matches!(leading, 0x21..=0x7E);
        *to = if is_leading & matches!(trailing, 0x21..=0x7E) {
            PAIRS.pair(leading | 0x80, trailing | 0x80)
        } else {
            NULL
        };
        let length = 1 + usize::from(is_leading);
        if u32::from(*to) == error {
            break;
        }
        if *to == NULL {
            last = written;
        }
        (read, written) = (read + length, written + 1);
    }
    (read, written)
}

/// Converts bytes of EUC-JP; see [`Iso2022JpDecoder::convert_as_euc_jp`].
type Convert<'a> = dyn FnMut(&[u8]) -> (usize, usize) + 'a;

/// Bytes of EUC-JP that are converted at once.
const CHUNK: usize = 1024;
/// The same at first. From here on a run of ASCII is converted where it is.
const FIRST_CHUNK: usize = 128;
/// Fewer bytes than this are converted one by one.
const SHORT: usize = 32;
/// Bytes that are looked at, and copied, at once.
const BLOCK: usize = 64;
/// A block, and as many bytes as are looked at behind it: an escape sequence that starts in it, and a block behind that.
const WINDOW: usize = 2 * BLOCK + 2;

/// The state after the escape sequence that `source` starts with.
fn escape(source: &[u8]) -> Option<DecoderState> {
    match *source {
        [0x1B, 0x28, 0x42, ..] => Some(DecoderState::Ascii),
        [0x1B, 0x28, 0x4A, ..] => Some(DecoderState::Roman),
        [0x1B, 0x28, 0x49, ..] => Some(DecoderState::Katakana),
        [0x1B, 0x24, 0x40 | 0x42, ..] => Some(DecoderState::LeadingByte),
        _ => None,
    }
}

/// Whether a byte, or a code unit, is ASCII that the encoding has.
fn is_ascii_here(byte: impl Into<u16>) -> bool {
    let byte = byte.into();
    (byte < 0x80) & (byte != 0x0E) & (byte != 0x0F) & (byte != 0x1B)
}

/// Whether pairs or ASCII follow the escape sequence that `source` starts with.
fn pairs_after_escape(source: &[u8]) -> Option<bool> {
    match escape(source)? {
        DecoderState::Ascii => Some(false),
        DecoderState::LeadingByte => Some(true),
        _ => None,
    }
}

/// Which bytes are not [ASCII that the encoding has](is_ascii_here).
#[inline(never)]
fn not_ascii_here(bytes: &[u8; BLOCK]) -> u64 {
    let flags = bytes.map(|byte| u8::from(!is_ascii_here(byte)));
    // The product has the lowest bits of eight bytes side by side, and then what is shifted out.
    let words =
        flags.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word).wrapping_mul(0x0102_0408_1020_4080) >> 56);
    words.rev().fold(0, |bits, eight| bits << 8 | eight)
}

/// The length of the [ASCII](is_ascii_here) at the front of `source`, in whole blocks.
#[inline(never)]
fn ascii_run(source: &[u8]) -> usize {
    // The compiler makes vectors of this.
    let is_ascii = |block: &&[u8; BLOCK]| block.iter().fold(true, |all, &byte| all & is_ascii_here(byte));
    BLOCK * source.as_chunks().0.iter().take_while(is_ascii).count()
}

impl DecoderState {
    /// The state that the three lowest bits of `word` stand for.
    const fn unpack(word: u64) -> Self {
        match word & 7 {
            0 => DecoderState::Ascii,
            1 => DecoderState::Roman,
            2 => DecoderState::Katakana,
            3 => DecoderState::LeadingByte,
            4 => DecoderState::TrailingByte,
            5 => DecoderState::EscapeStart,
            _ => DecoderState::Escape,
        }
    }
}

/// [ISO-2022-JP's encoder](https://encoding.spec.whatwg.org/#iso-2022-jp-encoder).
#[derive(Clone, Copy, Debug)]
struct Iso2022JpEncoder {
    /// ISO-2022-JP encoder state
    encoder_state: EncoderState,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum EncoderState {
    Ascii,
    Roman,
    Jis0208,
}

impl EncoderHandler for Iso2022JpEncoder {
    const HAS_ASCII: bool = false;

    /// For each unit an escape sequence of three bytes, then `&#65533;` for U+000E. At the end the return to ASCII.
    const MAX_BYTES_HTML: MaxBytes = MaxBytes { per_utf8_byte: 3 + 8, per_code_unit: 3 + 8, at_end: 3 };

    /// For each unit an escape sequence of three bytes, then one byte for a character of one byte in UTF-8, or two bytes. At the
    /// end the return to ASCII.
    const MAX_BYTES_FATAL: MaxBytes = MaxBytes { per_utf8_byte: 3 + 1, per_code_unit: 3 + 2, at_end: 3 };

    fn handler<Q: Restore<char>>(&mut self, io_queue: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(mut code_point) = code_point else {
            if self.encoder_state != EncoderState::Ascii {
                self.encoder_state = EncoderState::Ascii;
                return HandlerResult::Items(ESCAPE_TO_ASCII.into());
            }
            return HandlerResult::Finished;
        };

        if matches!(self.encoder_state, EncoderState::Ascii | EncoderState::Roman)
            && matches!(code_point, '\u{000E}' | '\u{000F}' | '\u{001B}')
        {
            return HandlerResult::Error('\u{FFFD}');
        }
        if self.encoder_state == EncoderState::Ascii && code_point.is_ascii() {
            return HandlerResult::Items(Bytes::from(code_point as u8));
        }
        if self.encoder_state == EncoderState::Roman {
            match code_point {
                '\u{005C}' | '\u{007E}' => {}
                '\u{0000}'..='\u{007F}' => return HandlerResult::Items(Bytes::from(code_point as u8)),
                '\u{00A5}' => return HandlerResult::Items(Bytes::from(0x5C)),
                '\u{203E}' => return HandlerResult::Items(Bytes::from(0x7E)),
                _ => {}
            }
        }
        if code_point.is_ascii() && self.encoder_state != EncoderState::Ascii {
            io_queue.restore(&[code_point]);
            self.encoder_state = EncoderState::Ascii;
            return HandlerResult::Items(ESCAPE_TO_ASCII.into());
        }
        if matches!(code_point, '\u{00A5}' | '\u{203E}') && self.encoder_state != EncoderState::Roman {
            io_queue.restore(&[code_point]);
            self.encoder_state = EncoderState::Roman;
            return HandlerResult::Items(ESCAPE_TO_ROMAN.into());
        }
        let restored = code_point;
        if code_point == '\u{2212}' {
            code_point = '\u{FF0D}';
        }
        if let '\u{FF61}'..='\u{FF9F}' = code_point {
            let pointer = code_point as usize - 0xFF61;
            code_point = index_code_point(pointer, &iso_2022_jp_katakana::CODE_POINTS)
                .expect("the index has an entry for every half-width character");
        }
        let Some(pointer) = index_jis0208_pointer(code_point) else {
            if self.encoder_state == EncoderState::Jis0208 {
                io_queue.restore(&[restored]);
                self.encoder_state = EncoderState::Ascii;
                return HandlerResult::Items(ESCAPE_TO_ASCII.into());
            }
            return HandlerResult::Error(code_point);
        };
        if self.encoder_state != EncoderState::Jis0208 {
            io_queue.restore(&[restored]);
            self.encoder_state = EncoderState::Jis0208;
            return HandlerResult::Items(ESCAPE_TO_JIS0208.into());
        }
        let leading = pointer / 94 + 0x21;
        let trailing = pointer % 94 + 0x21;
        HandlerResult::Items(Bytes::from([leading as u8, trailing as u8]))
    }

    /// Converts by way of EUC-JP.
    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        const UNITS: usize = 256;
        let (mut read, mut written) = (0, 0);
        // A code unit makes two bytes at most.
        let mut chunk = [0; 2 * UNITS + WINDOW];
        while self.encoder_state != EncoderState::Roman {
            let (rest, room) = (after(source, read), after_mut(destination, written));
            if self.encoder_state == EncoderState::Ascii {
                // Not all of a text in which every block has an error.
                let run = ascii::narrow(up_to(rest, 16 * BLOCK), room);
                let run = ascii_run(up_to(room, run));
                if run != 0 {
                    (read, written) = (read + run, written + run);
                    continue;
                }
            }
            let rest = up_to(rest, UNITS.min(room.len()));
            let (mut units, length) = to_double_byte::from_utf16(&CHARACTERS, rest, &mut chunk);
            let (taken, mut bytes) = self.split_runs(&chunk, length, room);
            if taken < length {
                // To know where that is. Perhaps half a pair has been written.
                let (whole, length) =
                    to_double_byte::from_utf16(&CHARACTERS, rest, chunk.get_mut(..taken).unwrap_or_default());
                (units, bytes) = (whole, bytes - (taken - length));
            }
            (read, written) = (read + units, written + bytes);
            if units < UNITS {
                break;
            }
        }
        (read, written)
    }

    fn pack(self) -> u64 {
        self.encoder_state as u64
    }

    fn unpack(_: &'static Encoding, word: u64) -> Self {
        let encoder_state = match word {
            0 => EncoderState::Ascii,
            1 => EncoderState::Roman,
            _ => EncoderState::Jis0208,
        };
        Iso2022JpEncoder { encoder_state }
    }
}

impl Iso2022JpEncoder {
    /// Makes ISO-2022-JP of the first `length` bytes of EUC-JP, which are ASCII and pairs: puts escape sequences between them,
    /// and clears the highest bits. Stops before what ASCII has and this encoding lacks, and when `destination` is full.
    /// Returns how many bytes were read and written.
    fn split_runs(&mut self, euc_jp: &[u8], length: usize, destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        let mut is_pairs = self.encoder_state == EncoderState::Jis0208;
        while read < length
            && let Some(window) = after(euc_jp, read).first_chunk::<WINDOW>()
            && let Some(block) = window.first_chunk::<BLOCK>()
        {
            let end = BLOCK.min(length - read);
            let is_lacking = |&byte: &u8| matches!(byte, 0x0E | 0x0F | 0x1B);
            let is_any = block.iter().fold(false, |any, byte| any | is_lacking(byte));
            let limit = if is_any { up_to(block, end).iter().position(is_lacking).unwrap_or(end) } else { end };
            let highest = not_ascii_here(&block.map(|byte| byte & 0x80));
            let mut switches = highest ^ (highest << 1 | u64::from(is_pairs));
            let mut from = 0;
            loop {
                let to = limit.min(switches.trailing_zeros() as usize);
                let room = after_mut(destination, written);
                let length = (to - from).min(room.len());
                if let Some(piece) = after(window, from).first_chunk::<BLOCK>() {
                    match room.first_chunk_mut() {
                        Some(room) => *room = piece.map(|byte| byte & 0x7F),
                        None => room.iter_mut().zip(piece).for_each(|(to, byte)| *to = byte & 0x7F),
                    }
                }
                (from, written) = (from + length, written + length);
                if from == limit {
                    break;
                }
                let Some(room) = after_mut(destination, written).first_chunk_mut().filter(|_| from == to) else {
                    break;
                };
                *room = if is_pairs { ESCAPE_TO_ASCII } else { ESCAPE_TO_JIS0208 };
                written += ESCAPE_LENGTH;
                is_pairs = !is_pairs;
                switches &= switches - 1;
            }
            read += from;
            if from < end {
                break;
            }
        }
        self.encoder_state = if is_pairs { EncoderState::Jis0208 } else { EncoderState::Ascii };
        (read, written)
    }
}

/// Bytes of an escape sequence.
const ESCAPE_LENGTH: usize = 3;
/// ESC ( B
const ESCAPE_TO_ASCII: [u8; ESCAPE_LENGTH] = [0x1B, 0x28, 0x42];
/// ESC ( J
const ESCAPE_TO_ROMAN: [u8; ESCAPE_LENGTH] = [0x1B, 0x28, 0x4A];
/// ESC $ B
const ESCAPE_TO_JIS0208: [u8; ESCAPE_LENGTH] = [0x1B, 0x24, 0x42];

#[cfg(test)]
mod tests {
    use textcodec_core::testing::battery;

    use super::*;

    #[test]
    fn iso_2022_jp_passes_the_battery() {
        let text = "a\\~\u{E}\u{1B}é¥‾−ｱﾞあ亜纊丂\u{E000}\u{80}\u{10000}";
        battery(&ISO_2022_JP, b"\x1B$(BJI@\x30\x0E", text);
    }
}
