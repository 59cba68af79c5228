//! The memory that the library and the scripts share. `lib/engine.mjs` has the same numbers.

use textcodec::{Encoding, Name};

/// The greatest length, in bytes, of the input of a call.
pub(crate) const SOURCE: usize = 64 * 1024;
/// The space for text, in code units. A byte becomes at most one code unit; four more can come from bytes of earlier
/// calls.
pub(crate) const UNITS: usize = SOURCE + 4;
/// The space for encoded bytes.
pub(crate) const BYTES: usize = 128 * 1024;
/// The number of records that a call of `detail` can return.
#[cfg(feature = "detail")]
pub(crate) const RECORDS: usize = 4096;

/// The number of an encoding and flags; after a call, its status.
pub(crate) const REQUEST: usize = 0;
/// The number of bytes of the source; after a call, how many of them were read.
pub(crate) const READ: usize = 1;
/// After a call, the number of items that were written.
pub(crate) const WRITTEN: usize = 2;
/// The first of eight words with the state of a stream.
pub(crate) const STATE: usize = 4;
/// The first of four words that belong to a single function.
pub(crate) const MORE: usize = 12;

/// A flag of the request: malformed bytes or unmappable characters stop the call.
pub(crate) const FATAL: u32 = 0x100;
/// A flag of the request: a byte order mark stays in the text.
pub(crate) const IGNORE_BOM: u32 = 0x200;
/// A flag of the request: more of the stream follows.
pub(crate) const STREAM: u32 = 0x400;
/// A flag of the request: a byte order mark decides the encoding.
pub(crate) const SNIFF: u32 = 0x800;
/// A flag of the request: the words of the state continue a stream. Without it a stream starts.
pub(crate) const CONTINUE: u32 = 0x1000;
/// A flag of the request to percent-encode: a space becomes `+`.
#[cfg(feature = "encode")]
pub(crate) const SPACE_AS_PLUS: u32 = 0x2000;

/// The memory that the library and the scripts share.
#[repr(C, align(16))]
pub(crate) struct Shared {
    pub(crate) words: [u32; 16],
    pub(crate) source: [u8; SOURCE],
    pub(crate) bytes: [u8; BYTES],
    pub(crate) units: [u16; UNITS],
    #[cfg(feature = "detail")]
    pub(crate) records: [[u32; 4]; RECORDS],
}

impl Shared {
    /// Memory with zeros.
    pub(crate) const NEW: Self = Shared {
        words: [0; 16],
        source: [0; SOURCE],
        bytes: [0; BYTES],
        units: [0; UNITS],
        #[cfg(feature = "detail")]
        records: [[0; 4]; RECORDS],
    };

    /// Whether the request has `flag`.
    pub(crate) fn has(&self, flag: u32) -> bool {
        self.words[REQUEST] & flag != 0
    }

    /// The number of bytes of the source.
    pub(crate) fn length(&self) -> usize {
        (self.words[READ] as usize).min(SOURCE)
    }

    /// The encoding of the request; `None` if it is not part of the library.
    pub(crate) fn encoding(&self) -> Option<Encoding> {
        Encoding::for_name(name(self.words[REQUEST])?).ok()
    }

    /// The words of the state, as words of 64 bits.
    pub(crate) fn state(&self) -> [u64; 4] {
        let word = |number: usize| u64::from(self.words[STATE + number]);
        [0, 2, 4, 6].map(|number| word(number) | word(number + 1) << 32)
    }

    /// Sets the words of the state.
    pub(crate) fn set_state(&mut self, state: [u64; 4]) {
        for (words, value) in self.words[STATE..MORE].chunks_exact_mut(2).zip(state) {
            words.copy_from_slice(&[value as u32, (value >> 32) as u32]);
        }
    }

    /// Sets the words for the numbers of items that were read and written.
    pub(crate) fn set_read_written(&mut self, read: usize, written: usize) {
        self.words[READ] = read as u32;
        self.words[WRITTEN] = written as u32;
    }
}

/// The encoding whose number is in the lowest byte of `word`.
pub(crate) fn name(word: u32) -> Option<Name> {
    Name::ALL.get(word as usize & 0xFF).copied()
}
