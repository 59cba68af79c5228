//! The bytes of a sequence that has begun, as a part of a decoder's packed state. The functions are not copied into
//! their many callers, which run once for each piece of a stream: `textcodec.charsets.wasm` is 27 KB smaller.

use textcodec_core::handler::Bytes;

/// The bytes as a number, the first one lowest. None of them is 00.
#[inline(never)]
pub(crate) fn pack(pending: &[u8]) -> u64 {
    pending.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// The bytes that [`pack`] made `word` of, at most `most`.
#[inline(never)]
pub(crate) fn unpack(word: u64, most: usize) -> Bytes {
    let bytes = word.to_le_bytes();
    let length = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    bytes[..length.min(most)].into()
}
