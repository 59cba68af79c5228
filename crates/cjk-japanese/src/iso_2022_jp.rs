//! [ISO-2022-JP](https://encoding.spec.whatwg.org/#iso-2022-jp), the one encoding of the Standard with shift states.

use textcodec_core::{
    DecoderErrorMode, Encoding, Name, convert,
    handler::{Bytes, CodePoints, DecoderHandler, EncoderHandler, HandlerResult, Item, Restore},
    index::{NULL, index_code_point},
};
use textcodec_kernels::blocks::{after, after_mut, up_to};

use textcodec_kernels::{
    ascii,
    double_byte::{self, Part, ToDoubleByte},
};

use crate::{
    euc_jp::PAIRS,
    generated::{iso_2022_jp_katakana, jis0208},
    index_jis0208_code_point, index_jis0208_pointer, lower_pointer,
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

    /// Reads runs of characters, and the escape sequences between them.
    fn convert(&mut self, source: &[u8], destination: &mut [u16], mode: DecoderErrorMode) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        loop {
            let (bytes, units) = self.convert_run(after(source, read), after_mut(destination, written), mode);
            read += bytes;
            written += units;
            self.output &= units == 0;
            let state = match *after(source, read) {
                [0x1B, 0x28, 0x42, ..] => DecoderState::Ascii,
                [0x1B, 0x28, 0x4A, ..] => DecoderState::Roman,
                [0x1B, 0x28, 0x49, ..] => DecoderState::Katakana,
                [0x1B, 0x24, 0x40 | 0x42, ..] => DecoderState::LeadingByte,
                _ => return (read, written),
            };
            // Two in a row are an error.
            if self.output {
                return (read, written);
            }
            (self.decoder_state, self.output_state, self.output) = (state, state, true);
            read += 3;
        }
    }

    /// Copies ASCII at the front of the source, which may be all there is.
    fn convert_to_utf8(&mut self, source: &[u8], destination: &mut [u8], mode: DecoderErrorMode) -> (usize, usize) {
        let mut length = 0;
        if self.decoder_state == DecoderState::Ascii {
            let run = run(&source[..source.len().min(destination.len())], is_ascii_here);
            length = ascii::copy(up_to(source, run), destination);
            self.output &= length == 0;
        }
        let (read, written) =
            convert::decode_to_utf8(self, after(source, length), after_mut(destination, length), mode);
        (length + read, length + written)
    }

    /// Runs of ASCII come in other states too, and clear the output flag.
    fn ascii_is_ascii(&self) -> bool {
        false
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
    /// [`convert`](DecoderHandler::convert) for characters of the current state.
    fn convert_run(&self, source: &[u8], destination: &mut [u16], mode: DecoderErrorMode) -> (usize, usize) {
        // Where a byte is malformed, its unit is U+FFFD, which no byte is otherwise.
        let single_bytes = |destination: &mut [u16], unit: fn(u8) -> u16| {
            let mut read = 0;
            for (to, &byte) in destination.iter_mut().zip(source) {
                *to = unit(byte);
                if byte == 0x1B || (*to == NULL && mode == DecoderErrorMode::Fatal) {
                    break;
                }
                read += 1;
            }
            (read, read)
        };
        match self.decoder_state {
            DecoderState::Ascii if mode == DecoderErrorMode::Fatal => {
                let run = run(&source[..source.len().min(destination.len())], is_ascii_here);
                let read = ascii::widen(up_to(source, run), destination);
                (read, read)
            }
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
            DecoderState::LeadingByte => {
                // As pairs of EUC-JP, a piece at a time.
                let (mut read, mut written) = (0, 0);
                let mut pairs = [0; 512];
                loop {
                    let rest = after(source, read);
                    let rest = &rest[..rest.len().min(pairs.len())];
                    let run = run(rest, |byte| matches!(byte, 0x21..=0x7E)) / 2 * 2;
                    for (to, byte) in pairs.iter_mut().zip(up_to(rest, run)) {
                        *to = byte | 0x80;
                    }
                    let (bytes, units) = double_byte::to_utf16(&PAIRS, &pairs[..run], after_mut(destination, written));
                    read += bytes;
                    written += units;
                    if bytes == pairs.len() {
                        continue;
                    }
                    let malformed = if mode == DecoderErrorMode::Fatal { None } else { malformed(after(source, read)) };
                    let (Some(bytes), Some(room)) = (malformed, destination.get_mut(written)) else {
                        return (read, written);
                    };
                    *room = NULL;
                    read += bytes;
                    written += 1;
                }
            }
            DecoderState::TrailingByte | DecoderState::EscapeStart | DecoderState::Escape => (0, 0),
        }
    }
}

/// Whether a byte, or a code unit, is ASCII that the encoding has.
fn is_ascii_here(byte: impl Into<u16>) -> bool {
    let byte = byte.into();
    (byte < 0x80) & (byte != 0x0E) & (byte != 0x0F) & (byte != 0x1B)
}

/// The length of the malformed sequence between pairs that `source` starts with, if it does so and goes on behind it.
fn malformed(source: &[u8]) -> Option<usize> {
    match *source {
        [0x1B, ..] | [_, 0x1B, ..] | [_] | [] => None,
        [leading @ 0x21..=0x7E, trailing @ 0x21..=0x7E, ..] => {
            let pointer = usize::from(leading - 0x21) * 94 + usize::from(trailing - 0x21);
            index_jis0208_code_point(pointer).is_none().then_some(2)
        }
        [0x21..=0x7E, ..] => Some(2),
        _ => Some(1),
    }
}

/// How many items of `source` come before the first that is not of a kind.
fn run<T: Copy>(source: &[T], is_of_kind: impl Fn(T) -> bool) -> usize {
    // The compiler makes vectors of this.
    let is_all = |block: &&[T; 32]| block.iter().fold(true, |all, &item| all & is_of_kind(item));
    let done = 32 * source.as_chunks().0.iter().take_while(is_all).count();
    done + source[done..].iter().take_while(|&&item| is_of_kind(item)).count()
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

    /// Writes runs of characters, and the escape sequences between ASCII and the index.
    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        loop {
            let (rest, room) = (after(source, read), after_mut(destination, written));
            let (units, bytes) = match self.encoder_state {
                EncoderState::Ascii => {
                    let run = run(&rest[..rest.len().min(room.len())], is_ascii_here);
                    let units = ascii::narrow(up_to(rest, run), room);
                    (units, units)
                }
                EncoderState::Roman => (0, 0),
                EncoderState::Jis0208 => {
                    double_byte::from_utf16(&CHARACTERS, up_to(rest, run(rest, |unit| unit >= 0x80)), room)
                }
            };
            read += units;
            written += bytes;
            let (escape, state) = match (self.encoder_state, source.get(read)) {
                (EncoderState::Jis0208, Some(0x00..=0x7F)) => (ESCAPE_TO_ASCII, EncoderState::Ascii),
                (EncoderState::Ascii, Some(&unit)) if is_in_jis0208(unit) => (ESCAPE_TO_JIS0208, EncoderState::Jis0208),
                _ => return (read, written),
            };
            let Some(room) = after_mut(destination, written).first_chunk_mut() else { return (read, written) };
            *room = escape;
            written += escape.len();
            self.encoder_state = state;
        }
    }

    fn ascii_is_ascii(&self) -> bool {
        false
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

/// Whether the kernel has `unit`.
fn is_in_jis0208(unit: u16) -> bool {
    char::from_u32(unit.into()).and_then(index_jis0208_pointer).is_some()
}

/// The characters of the index, for the kernel.
static CHARACTERS: ToDoubleByte<'static> = ToDoubleByte {
    listed: jis0208::POINTERS.listed,
    ascii: 0,
    end: 94 * 94,
    columns: 94,
    leading: Part::from(0x21),
    trailing: Part::from(0x21),
    others: lower_pointer,
};

/// ESC ( B
const ESCAPE_TO_ASCII: [u8; 3] = [0x1B, 0x28, 0x42];
/// ESC ( J
const ESCAPE_TO_ROMAN: [u8; 3] = [0x1B, 0x28, 0x4A];
/// ESC $ B
const ESCAPE_TO_JIS0208: [u8; 3] = [0x1B, 0x24, 0x42];
