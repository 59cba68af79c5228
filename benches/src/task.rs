//! The tasks of the benchmark: operations, modes and destinations.

use std::hint::black_box;

use textcodec::{Encoding, Name, utf16};

use crate::{Kind, Piece};

/// An encoding of textcodec and the same encoding of encoding_rs.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The encoding of textcodec.
    pub ours: Encoding,
    /// The encoding of encoding_rs.
    pub theirs: &'static encoding_rs::Encoding,
}

impl Pair {
    /// The pair of `encoding` and encoding_rs's encoding of the same name.
    ///
    /// # Panics
    /// If encoding_rs has no encoding of this name.
    #[must_use]
    pub fn of(encoding: Encoding) -> Self {
        let theirs = encoding_rs::Encoding::for_label(encoding.name().as_bytes()).expect("a name is a label");
        Pair { ours: encoding, theirs }
    }
}

/// An operation.
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
    /// All operations.
    pub const ALL: [Operation; 4] = [Operation::D8, Operation::D16, Operation::E8, Operation::E16];

    /// The short name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Operation::D8 => "d8",
            Operation::D16 => "d16",
            Operation::E8 => "e8",
            Operation::E16 => "e16",
        }
    }

    /// Whether `encoding` has the operation: UTF-16BE and UTF-16LE can only be decoded.
    #[must_use]
    pub fn exists_in(self, encoding: Encoding) -> bool {
        matches!(self, Operation::D8 | Operation::D16) || encoding.output_encoding() == encoding
    }

    /// Whether a single call can do the operation: also UTF-8 to UTF-16BE and UTF-16LE, by functions that are not in
    /// the Standard.
    #[must_use]
    pub fn is_one_call(self, encoding: Encoding) -> bool {
        self.exists_in(encoding) || self == Operation::E8 && utf16_writer(encoding).is_some()
    }

    /// The number of bytes of `piece` that the operation reads.
    #[must_use]
    pub const fn source_length(self, piece: &Piece) -> usize {
        match self {
            Operation::D8 | Operation::D16 => piece.bytes.len(),
            Operation::E8 => piece.text.len(),
            Operation::E16 => 2 * piece.utf16.len(),
        }
    }

    /// The number of units that the operation should write for `piece`.
    #[must_use]
    pub const fn target_length(self, piece: &Piece) -> usize {
        match self {
            Operation::D8 => piece.text.len(),
            Operation::D16 => piece.utf16.len(),
            Operation::E8 | Operation::E16 => piece.bytes.len(),
        }
    }

    /// Whether the first `written` units of `buffers` are the right output for `piece`.
    #[must_use]
    pub fn is_right(self, piece: &Piece, buffers: &Buffers, written: usize) -> bool {
        match self {
            Operation::D8 => buffers.bytes[..written] == *piece.text.as_bytes(),
            Operation::D16 => buffers.utf16[..written] == piece.utf16,
            Operation::E8 | Operation::E16 => buffers.bytes[..written] == piece.bytes,
        }
    }
}

/// The way in which a decoder or an encoder is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A decoder or an encoder is made and called once with a whole stream, into an existing destination. Peers that
    /// are slow to make are made once and then reset, as programs do that use them.
    Call,
    /// A function that returns a string or bytes, which it allocates if necessary.
    OneShot,
    /// One decoder or encoder gets the pieces of a long stream one after the other.
    Stream,
    /// A decoder or an encoder is made and not used.
    Making,
}

/// A task for a contestant. Byte order marks are treated as text, and errors are replaced.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The encoding.
    pub pair: Pair,
    /// The operation.
    pub operation: Operation,
    /// The way of calling it.
    pub mode: Mode,
    /// The kind of the text.
    pub kind: Kind,
}

/// Writes a text into a destination, and returns how many bytes were read and written.
pub(crate) type EncodeInto = fn(&str, &mut [u8]) -> (usize, usize);

/// The function that encodes to `encoding` if that is UTF-16BE or UTF-16LE.
pub(crate) fn utf16_writer(encoding: Encoding) -> Option<EncodeInto> {
    match encoding.id() {
        Name::Utf16Be => Some(utf16::encode_be_into),
        Name::Utf16Le => Some(utf16::encode_le_into),
        _ => None,
    }
}

/// The destinations of a task.
#[derive(Debug)]
pub struct Buffers {
    /// The destination of bytes and UTF-8.
    pub bytes: Vec<u8>,
    /// The destination of UTF-16.
    pub utf16: Vec<u16>,
}

impl Buffers {
    /// Destinations that are large enough for each of `pieces`, for every operation and every peer.
    #[must_use]
    pub fn for_pieces(pieces: &[Piece]) -> Self {
        let lengths = pieces.iter().flat_map(|piece| [piece.bytes.len(), piece.text.len(), piece.utf16.len()]);
        let longest = lengths.max().unwrap_or(0);
        Buffers { bytes: vec![0; 4 * longest + 64], utf16: vec![0; longest + 64] }
    }
}

/// Does a task with pieces, one after the other. Returns the number of units written; `None` if a piece was not
/// converted to its end.
pub type Job = Box<dyn FnMut(&[Piece], &mut Buffers) -> Option<usize>>;

/// The job that calls `call` with each piece. The indirect call is outside of the loop, so that short inputs do not pay
/// for it.
pub(crate) fn each(mut call: impl FnMut(&Piece, &mut Buffers) -> Option<usize> + 'static) -> Job {
    Box::new(move |pieces, buffers| {
        let written = black_box(pieces).iter().map(|piece| call(piece, buffers)).sum();
        black_box(buffers);
        written
    })
}
