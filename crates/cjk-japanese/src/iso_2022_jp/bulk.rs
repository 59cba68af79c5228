//! Bulk conversion of ISO-2022-JP, by way of EUC-JP.
//!
//! ISO-2022-JP consists of runs: an escape sequence, then ASCII bytes or pairs of bytes up to the next escape sequence.
//! A pair is the same as in EUC-JP without the highest bits. So text becomes EUC-JP when the escape sequences are left
//! out and the highest bits of pairs are set, and EUC-JP's kernels convert that. The encoder goes the same way in the
//! other direction:
//!
//! ```text
//! ISO-2022-JP   a ESC $ B  30 21  30 22  ESC ( B  b
//! EUC-JP        a          B0 A1  B0 A2           b
//! ```
//!
//! Other states (JIS X 0201 Roman and Katakana) and malformed bytes are converted one by one. If errors are to be
//! replaced, malformed escape sequences are, too.

use core::mem::MaybeUninit;

use textcodec_core::{
    DecodeErrorMode, convert,
    handler::{Utf8Space, Utf8Written},
    index::NULL,
};
#[cfg(feature = "encode")]
use textcodec_kernels::to_double_byte::{self, Divisor, Part, ToDoubleByte};
use textcodec_kernels::{
    blocks::{skip, skip_mut, up_to},
    double_byte, string, unshifted,
};

use super::{DecoderState, ESCAPE_LENGTH, Iso2022JpDecoder};
#[cfg(feature = "encode")]
use super::{ESCAPE_TO_ASCII, ESCAPE_TO_JIS0208, EncoderState, Iso2022JpEncoder};
use crate::euc_jp::PAIRS;
#[cfg(feature = "encode")]
use crate::{
    generated::{iso_2022_jp_katakana, jis0208},
    lower_pointer,
};

/// Bytes of EUC-JP in a chunk, which is converted by one call. In WebAssembly a call takes longer to prepare its
/// tables. See `docs/experiments.md#iso-2022-jp`.
const CHUNK: usize = if cfg!(target_arch = "wasm32") { 4096 } else { 1024 };
/// Bytes of EUC-JP in the first chunk.
const FIRST_CHUNK: usize = 128;
/// A source of fewer bytes is converted one item at a time.
const SHORT: usize = 32;
/// Bytes that are examined and copied in one step.
const BLOCK: usize = 64;
/// Bytes that one step can read: a block, an escape sequence that starts in the block, and a block after that.
const STEP_READS: usize = 2 * BLOCK + 2;

/// A run of bytes to convert.
enum Run<'a> {
    /// Bytes of the source. Whole blocks of ASCII without [shifts](unshifted) are converted.
    Ascii(&'a [u8]),
    /// ASCII and pairs without the escape sequences between them.
    EucJp(&'a [u8]),
}

/// Converts a run; see [`Iso2022JpDecoder::convert_as_euc_jp`].
type Convert<'a> = dyn FnMut(Run<'_>) -> (usize, usize) + 'a;

impl Iso2022JpDecoder {
    /// The body of [`convert`](textcodec_core::handler::DecoderHandler::convert). Where the conversion of chunks stops,
    /// it converts the next characters one by one. Before each of these, it reads the escape sequence that may come
    /// next.
    pub(super) fn bulk_to_utf16(
        &mut self,
        source: &[u8],
        destination: &mut [u16],
        mode: DecodeErrorMode,
    ) -> (usize, usize) {
        let (mut read, mut written, mut goes_on) = (0, 0, true);
        // The end of the last malformed escape sequence.
        let mut error_end = None;
        loop {
            let rest = skip(source, read);
            let (mut is_after_error, mut are_errors_near) = (false, false);
            match escape(rest) {
                Some(state) if !self.output => {
                    self.switch(state);
                    read += ESCAPE_LENGTH;
                }
                valid if mode == DecodeErrorMode::Replacement && begins_with_escape(rest) => {
                    let Some(to) = destination.get_mut(written) else { return (read, written) };
                    *to = NULL;
                    written += 1;
                    are_errors_near = error_end.is_some_and(|end| read - end < SHORT);
                    read += self.replace_escape(valid);
                    is_after_error = true;
                    error_end = Some(read);
                }
                None if goes_on => {}
                _ => return (read, written),
            }
            if read == source.len() {
                return (read, written);
            }
            let rest = skip(source, read);
            if rest.len() >= SHORT
                && !are_errors_near
                && (self.decoder_state == DecoderState::LeadingByte || mode == DecodeErrorMode::Fatal)
            {
                // A code unit is made of at most two bytes of EUC-JP.
                let room = 2 * (destination.len() - written);
                read += self.convert_as_euc_jp(rest, room, &mut |run| {
                    let room = skip_mut(destination, written);
                    let (bytes, units) = match run {
                        Run::Ascii(source) => {
                            let length = unshifted::widen_blocks(source, room);
                            (length, length)
                        }
                        Run::EucJp(euc_jp) => double_byte::to_utf16(&PAIRS.table, euc_jp, room),
                    };
                    written += units;
                    (bytes, 2 * (destination.len() - written))
                });
            }
            let (bytes, units) = self.convert_one_by_one(skip(source, read), skip_mut(destination, written), mode);
            self.output &= units == 0;
            (read, written) = (read + bytes, written + units);
            goes_on = units != 0 && self.decoder_state == DecoderState::LeadingByte || is_after_error;
        }
    }

    /// The body of [`convert_to_utf8`](textcodec_core::handler::DecoderHandler::convert_to_utf8). What is left after
    /// the conversion of chunks goes through a block of UTF-16.
    pub(super) fn bulk_to_utf8<'id>(
        &mut self,
        source: &[u8],
        destination: Utf8Space<'id>,
        mode: DecodeErrorMode,
    ) -> (usize, Utf8Written<'id>) {
        let (mut read, mut writer) = (0, destination.writer());
        if source.len() < SHORT {
            // A byte becomes at most one code unit, and a code unit becomes at most three bytes.
            let mut memory = [MaybeUninit::uninit(); SHORT];
            let block = string::initialised(&mut memory);
            let capacity = SHORT.min(writer.remaining() / 3);
            let units;
            (read, units) = self.bulk_to_utf16(source, &mut block[..capacity], mode);
            writer.write(|space| space.utf16(up_to(block, units)));
            return (read, writer.finish());
        }
        if mode == DecodeErrorMode::Fatal {
            read = self.convert_as_euc_jp(source, writer.remaining(), &mut |run| {
                let bytes = writer.write(|space| match run {
                    Run::Ascii(source) => space.unshifted(source),
                    Run::EucJp(euc_jp) => space.double_byte(&PAIRS.table, euc_jp),
                });
                (bytes, writer.remaining())
            });
        }
        read += writer.write(|space| convert::decode_to_utf8(self, skip(source, read), space, mode));
        (read, writer.finish())
    }

    /// Changes the state as the handler does at an error in an escape sequence: one that is not well-formed, or a
    /// `valid` one that directly follows another one. Returns the number of bytes read.
    fn replace_escape(&mut self, valid: Option<DecoderState>) -> usize {
        match valid {
            Some(state) => {
                self.switch(state);
                ESCAPE_LENGTH
            }
            None => {
                (self.decoder_state, self.output) = (self.output_state, false);
                1
            }
        }
    }

    /// Changes the state after an escape sequence.
    fn switch(&mut self, state: DecoderState) {
        (self.decoder_state, self.output_state, self.output) = (state, state, true);
    }

    /// Converts ASCII, pairs and the escape sequences between them, up to other bytes or until `convert` stops.
    /// `convert` returns how many bytes of its run it has read, and for how many more bytes its destination has space.
    /// Returns the number of bytes read.
    #[inline(never)]
    fn convert_as_euc_jp(&mut self, source: &[u8], mut room: usize, convert: &mut Convert<'_>) -> usize {
        let mut read = self.convert_ascii(source, &mut room, convert);
        if read == source.len() {
            return read;
        }
        let mut memory = [MaybeUninit::uninit(); CHUNK + BLOCK];
        let chunk = string::initialised(&mut memory);
        // The first chunks are short, because there may be an error soon.
        let mut limit = FIRST_CHUNK;
        loop {
            let rest = skip(source, read);
            let before = *self;
            limit = limit.min(room);
            let (mut bytes, length) = self.join_runs(rest, chunk, limit);
            let converted;
            (converted, room) = convert(Run::EucJp(up_to(chunk, length)));
            if converted < length {
                // Join again up to where `convert` stopped, to get the number of bytes read and the state there.
                *self = before;
                (bytes, _) = self.join_runs(rest, chunk, converted);
            }
            read += bytes;
            // A chunk that is not full is the last one. It counts as full if half a pair did not fit.
            if length == 0 || converted < length || length + 1 < limit {
                return read;
            }
            limit = CHUNK.min(2 * limit);
            read += self.convert_ascii(skip(source, read), &mut room, convert);
        }
    }

    /// Converts the whole blocks of ASCII at the start of `source`, in the state for ASCII. Sets `room` to the number
    /// of bytes that the destination still has space for. Returns the number of bytes read.
    fn convert_ascii(&mut self, source: &[u8], room: &mut usize, convert: &mut Convert<'_>) -> usize {
        if self.decoder_state != DecoderState::Ascii {
            return 0;
        }
        let length;
        (length, *room) = convert(Run::Ascii(source));
        self.output &= length == 0;
        length
    }

    /// Writes ASCII and pairs as EUC-JP, without the escape sequences between them. The pairs may be malformed. Returns
    /// how many bytes were read and written. It writes at most `limit` bytes, but `euc_jp` must have space for a block
    /// more.
    #[inline(never)]
    fn join_runs(&mut self, source: &[u8], euc_jp: &mut [u8], limit: usize) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        // Whether the current run is one of pairs, and where it starts in `euc_jp`.
        let (mut is_pairs, mut start) = (self.decoder_state == DecoderState::LeadingByte, 0);
        if !is_pairs && self.decoder_state != DecoderState::Ascii {
            return (0, 0);
        }
        'source: loop {
            let rest = skip(source, read);
            let mut padded;
            let ahead = match rest.first_chunk() {
                Some(ahead) => ahead,
                None => {
                    padded = [0x1B; STEP_READS];
                    padded[..rest.len()].copy_from_slice(rest);
                    &padded
                }
            };
            let mut ends = ahead.first_chunk().map_or(0, |block| {
                let (beyond_ascii, shifts) = unshifted::masks(block);
                beyond_ascii | shifts
            });
            let mut from = 0;
            loop {
                let to = ends.trailing_zeros() as usize;
                let length = to.saturating_sub(from).min(limit - written);
                if let (Some(piece), Some(room)) =
                    (skip(ahead, from).first_chunk::<BLOCK>(), skip_mut(euc_jp, written).first_chunk_mut())
                {
                    unshifted::copy_with_highest_bits(is_pairs, piece, room);
                }
                (from, written) = (from + length, written + length);
                if from >= to && to == BLOCK {
                    break;
                }
                let after_escape = pairs_after_escape(skip(ahead, to));
                let is_whole = !is_pairs || (written - start) % 2 == 0;
                // Half a pair is no output: it is taken back below.
                self.output &= written - start < if is_pairs { 2 } else { 1 };
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

    /// Converts characters of the current state, and pairs as long as errors follow each other closely. Returns the
    /// number of bytes read and of code units written. Inlined, its loops would lack registers: random bytes took 1.1
    /// times as long.
    #[inline(never)]
    fn convert_one_by_one(&self, source: &[u8], destination: &mut [u16], mode: DecodeErrorMode) -> (usize, usize) {
        // The code unit of a malformed byte is U+FFFD, which no well-formed byte has.
        let error = if mode == DecodeErrorMode::Fatal { NULL.into() } else { u32::MAX };
        match self.decoder_state {
            state @ (DecoderState::Ascii | DecoderState::Roman) => {
                let [yen, overline] = if state == DecoderState::Roman { [0x00A5, 0x203E] } else { [0x5C, 0x7E] };
                single_bytes(source, destination, error, |byte| match byte {
                    0x5C => yen,
                    0x7E => overline,
                    _ if is_unshifted(byte) => byte.into(),
                    _ => NULL,
                })
            }
            DecoderState::Katakana => single_bytes(source, destination, error, |byte| match byte {
                0x21..=0x5F => 0xFF40 + u16::from(byte),
                _ => NULL,
            }),
            DecoderState::LeadingByte => convert_pairs(source, destination, error),
            _ => (0, 0),
        }
    }
}

/// Converts single bytes up to an escape sequence or a code unit that is `error`.
fn single_bytes(source: &[u8], destination: &mut [u16], error: u32, unit: impl Fn(u8) -> u16) -> (usize, usize) {
    let mut read = 0;
    for (to, &byte) in destination.iter_mut().zip(source) {
        *to = unit(byte);
        if byte == 0x1B || u32::from(*to) == error {
            break;
        }
        read += 1;
    }
    (read, read)
}

/// Converts pairs, and malformed pairs to U+FFFD, up to a code unit that is `error`, or until 16 pairs in a row were
/// well-formed.
fn convert_pairs(source: &[u8], destination: &mut [u16], error: u32) -> (usize, usize) {
    let (mut read, mut written, mut last) = (0, 0, 0);
    while written < last + 16 {
        let Some(to) = destination.get_mut(written) else { break };
        let &[leading, trailing, ..] = skip(source, read) else { break };
        if leading == 0x1B || trailing == 0x1B {
            // In the place of a trailing byte, an escape sequence makes the leading byte malformed.
            if leading != 0x1B && error != NULL.into() {
                *to = NULL;
                (read, written) = (read + 1, written + 1);
            }
            break;
        }
        let is_leading = matches!(leading, 0x21..=0x7E);
        *to = if is_leading & matches!(trailing, 0x21..=0x7E) {
            PAIRS.table.pair(leading | 0x80, trailing | 0x80)
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

/// Whether `source` begins with an escape sequence or with a malformed one; false where its end leaves that open.
fn begins_with_escape(source: &[u8]) -> bool {
    matches!(*source, [0x1B, 0x24 | 0x28, _, ..] | [0x1B, 0x00..=0x23 | 0x25..=0x27 | 0x29..=0xFF, ..])
}

/// Whether a byte is ASCII and no [shift](unshifted). No branch depends on the byte, because random bytes cannot be
/// predicted.
fn is_unshifted(byte: u8) -> bool {
    byte.is_ascii() & (byte & 0xFE != 0x0E) & (byte != 0x1B)
}

/// Whether pairs or ASCII follow the escape sequence that `source` starts with.
fn pairs_after_escape(source: &[u8]) -> Option<bool> {
    match escape(source)? {
        DecoderState::Ascii => Some(false),
        DecoderState::LeadingByte => Some(true),
        _ => None,
    }
}

/// ASCII and the characters of the index, for the kernel: those of EUC-JP, and half-width katakana.
#[cfg(feature = "encode")]
static CHARACTERS: ToDoubleByte<'static> = ToDoubleByte::new(
    &jis0208::POINTERS.listed,
    94 * 94,
    Divisor::new(94),
    Part::from(0xA1),
    Part::from(0xA1),
    |unit| {
        let katakana = iso_2022_jp_katakana::CODE_POINTS.get(usize::from(unit.wrapping_sub(0xFF61)));
        lower_pointer(katakana.copied().unwrap_or(unit))
    },
);

#[cfg(feature = "encode")]
impl Iso2022JpEncoder {
    /// Encodes UTF-16 by way of EUC-JP.
    pub(super) fn bulk_from_utf16(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        const UNITS: usize = 256;
        let (mut read, mut written) = (0, 0);
        // A code unit becomes at most two bytes.
        let mut chunk = [0; 2 * UNITS + STEP_READS];
        while self.encoder_state != EncoderState::Roman {
            if self.encoder_state == EncoderState::Ascii {
                let run = unshifted::narrow_blocks(skip(source, read), skip_mut(destination, written));
                (read, written) = (read + run, written + run);
            }
            let (rest, room) = (skip(source, read), skip_mut(destination, written));
            let rest = up_to(rest, UNITS.min(room.len()));
            let (mut units, length) = to_double_byte::from_utf16(&CHARACTERS, rest, &mut chunk);
            let (taken, mut bytes) = self.split_runs(&chunk, length, room);
            if taken < length {
                // Encode again up to where `split_runs` stopped, to get the number of code units read. `split_runs` may
                // have written half a pair.
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

    /// Writes the first `length` bytes of EUC-JP, which are ASCII and pairs, as ISO-2022-JP: clears the highest bits
    /// and writes escape sequences between the runs. Stops before U+000E, U+000F and U+001B, which are unmappable, and
    /// when `destination` is full. Returns how many bytes were read and written.
    fn split_runs(&mut self, euc_jp: &[u8], length: usize, destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        let mut is_pairs = self.encoder_state == EncoderState::Jis0208;
        while read < length {
            let Some(ahead) = skip(euc_jp, read).first_chunk::<STEP_READS>() else { break };
            let Some(block) = ahead.first_chunk::<BLOCK>() else { break };
            let end = BLOCK.min(length - read);
            let (highest, shifts) = unshifted::masks(block);
            let limit = end.min(shifts.trailing_zeros() as usize);
            let mut switches = highest ^ (highest << 1 | u64::from(is_pairs));
            let mut from = 0;
            loop {
                let to = limit.min(switches.trailing_zeros() as usize);
                let room = skip_mut(destination, written);
                let length = (to - from).min(room.len());
                if let Some(piece) = skip(ahead, from).first_chunk::<BLOCK>() {
                    match room.first_chunk_mut() {
                        Some(room) => unshifted::copy_with_highest_bits(false, piece, room),
                        None => room.iter_mut().zip(piece).for_each(|(to, byte)| *to = byte & 0x7F),
                    }
                }
                (from, written) = (from + length, written + length);
                if from == limit {
                    break;
                }
                let Some(room) = skip_mut(destination, written).first_chunk_mut().filter(|_| from == to) else {
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
