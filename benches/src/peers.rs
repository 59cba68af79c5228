//! The two that are measured: the same four operations of both, over slices, into destinations that are there already.

use std::hint::black_box;

use textcodec::{DecodeResult, DecodeStatus, DecoderErrorMode, EncodeResult, EncodeStatus, EncoderErrorMode, Encoding};

use crate::Piece;

/// An encoding, of both.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// Of textcodec.
    pub ours: Encoding,
    /// Of encoding_rs.
    pub theirs: &'static encoding_rs::Encoding,
}

impl Pair {
    /// The encoding with the name of `encoding`.
    ///
    /// # Panics
    /// If encoding_rs has none.
    #[must_use]
    pub fn of(encoding: Encoding) -> Self {
        let theirs = encoding_rs::Encoding::for_label(encoding.name().as_bytes()).expect("a name is a label");
        Pair { ours: encoding, theirs }
    }
}

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// Bytes to UTF-8.
    D8,
    /// Bytes to UTF-16.
    D16,
    /// UTF-8 to bytes.
    E8,
    /// UTF-16 to bytes.
    E16,
}

impl Operation {
    /// All of them.
    pub const ALL: [Operation; 4] = [Operation::D8, Operation::D16, Operation::E8, Operation::E16];

    /// Its short name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Operation::D8 => "d8",
            Operation::D16 => "d16",
            Operation::E8 => "e8",
            Operation::E16 => "e16",
        }
    }

    /// Whether `encoding` has it: UTF-16BE and UTF-16LE are decoded only.
    #[must_use]
    pub fn exists_in(self, encoding: Encoding) -> bool {
        matches!(self, Operation::D8 | Operation::D16) || encoding.output_encoding() == encoding
    }

    /// How many bytes it reads of `piece`.
    #[must_use]
    pub const fn source_length(self, piece: &Piece) -> usize {
        match self {
            Operation::D8 | Operation::D16 => piece.bytes.len(),
            Operation::E8 => piece.text.len(),
            Operation::E16 => 2 * piece.utf16.len(),
        }
    }
}

/// Destinations.
#[derive(Debug)]
pub struct Buffers {
    /// Of bytes and UTF-8.
    pub bytes: Vec<u8>,
    /// Of UTF-16.
    pub utf16: Vec<u16>,
}

impl Buffers {
    /// Destinations that suffice for each of `pieces`, for every operation and both peers.
    #[must_use]
    pub fn for_pieces(pieces: &[Piece]) -> Self {
        let longest = pieces.iter().map(|piece| piece.bytes.len().max(piece.text.len())).max().unwrap_or(0);
        Buffers { bytes: vec![0; 4 * longest + 64], utf16: vec![0; longest + 64] }
    }
}

/// One of the peers. Each function makes a decoder or an encoder and calls it once with the whole stream, byte order marks
/// being text and errors being replaced. It returns how many units were written.
pub trait Codec {
    /// Its name.
    const NAME: &'static str;

    /// Bytes to UTF-8.
    fn decode_to_utf8(pair: Pair, source: &[u8], destination: &mut [u8]) -> usize;

    /// Bytes to UTF-16.
    fn decode_to_utf16(pair: Pair, source: &[u8], destination: &mut [u16]) -> usize;

    /// UTF-8 to bytes.
    fn encode_from_utf8(pair: Pair, source: &str, destination: &mut [u8]) -> usize;

    /// UTF-16 to bytes.
    fn encode_from_utf16(pair: Pair, source: &[u16], destination: &mut [u8]) -> usize;
}

/// Performs `operation` on each of `pieces`. Returns how many units were written in all.
#[inline]
pub fn run<C: Codec>(pair: Pair, operation: Operation, pieces: &[Piece], buffers: &mut Buffers) -> usize {
    let pieces = black_box(pieces).iter();
    let written = match operation {
        Operation::D8 => pieces.map(|piece| C::decode_to_utf8(pair, &piece.bytes, &mut buffers.bytes)).sum(),
        Operation::D16 => pieces.map(|piece| C::decode_to_utf16(pair, &piece.bytes, &mut buffers.utf16)).sum(),
        Operation::E8 => pieces.map(|piece| C::encode_from_utf8(pair, &piece.text, &mut buffers.bytes)).sum(),
        Operation::E16 => pieces.map(|piece| C::encode_from_utf16(pair, &piece.utf16, &mut buffers.bytes)).sum(),
    };
    black_box(buffers);
    written
}

/// Ours.
#[derive(Debug)]
pub enum Textcodec {}

impl Codec for Textcodec {
    const NAME: &'static str = "textcodec";

    #[inline]
    fn decode_to_utf8(pair: Pair, source: &[u8], destination: &mut [u8]) -> usize {
        let mut decoder = pair.ours.new_decoder_without_bom_handling();
        decoded(decoder.decode_to_utf8(source, destination, true, DecoderErrorMode::Replacement))
    }

    #[inline]
    fn decode_to_utf16(pair: Pair, source: &[u8], destination: &mut [u16]) -> usize {
        let mut decoder = pair.ours.new_decoder_without_bom_handling();
        decoded(decoder.decode_to_utf16(source, destination, true, DecoderErrorMode::Replacement))
    }

    #[inline]
    fn encode_from_utf8(pair: Pair, source: &str, destination: &mut [u8]) -> usize {
        encoded(pair.ours.new_encoder().encode_from_utf8(source, destination, true, EncoderErrorMode::Html))
    }

    #[inline]
    fn encode_from_utf16(pair: Pair, source: &[u16], destination: &mut [u8]) -> usize {
        encoded(pair.ours.new_encoder().encode_from_utf16(source, destination, true, EncoderErrorMode::Html))
    }
}

fn decoded(result: DecodeResult) -> usize {
    assert_eq!(result.status, DecodeStatus::InputEmpty);
    result.written
}

fn encoded(result: EncodeResult) -> usize {
    assert_eq!(result.status, EncodeStatus::InputEmpty);
    result.written
}

/// [encoding_rs](https://docs.rs/encoding_rs).
#[derive(Debug)]
pub enum EncodingRs {}

impl Codec for EncodingRs {
    const NAME: &'static str = "encoding_rs";

    #[inline]
    fn decode_to_utf8(pair: Pair, source: &[u8], destination: &mut [u8]) -> usize {
        let mut decoder = pair.theirs.new_decoder_without_bom_handling();
        written(decoder.decode_to_utf8(source, destination, true))
    }

    #[inline]
    fn decode_to_utf16(pair: Pair, source: &[u8], destination: &mut [u16]) -> usize {
        let mut decoder = pair.theirs.new_decoder_without_bom_handling();
        written(decoder.decode_to_utf16(source, destination, true))
    }

    #[inline]
    fn encode_from_utf8(pair: Pair, source: &str, destination: &mut [u8]) -> usize {
        written(pair.theirs.new_encoder().encode_from_utf8(source, destination, true))
    }

    #[inline]
    fn encode_from_utf16(pair: Pair, source: &[u16], destination: &mut [u8]) -> usize {
        written(pair.theirs.new_encoder().encode_from_utf16(source, destination, true))
    }
}

fn written((result, _, written, _): (encoding_rs::CoderResult, usize, usize, bool)) -> usize {
    assert_eq!(result, encoding_rs::CoderResult::InputEmpty);
    written
}
