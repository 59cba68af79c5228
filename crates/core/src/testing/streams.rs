//! Several streams through one decoder: nothing of a stream may reach the next one.

use std::{string::String, vec::Vec};

use super::{Decoded, Decoder, Random, Subject};
use crate::{DecodeErrorMode, DecodeStatus};

/// The way in which a caller leaves a stream.
#[derive(Clone, Copy, Debug)]
enum End {
    /// The last call ends the stream.
    Last,
    /// `reset` in the middle of the stream.
    Reset,
    /// `reset` after the first error, or at the end if there is none.
    ResetAfterError,
}

/// Decodes every string of at most three `significant` bytes as one stream, and a random string as the next stream of
/// the same decoder. Fails unless the second stream is decoded as by a new decoder.
///
/// # Panics
/// If a text or an error differs.
pub(super) fn check_streams(encoding: Subject, significant: &[u8], random: &mut Random) {
    for length in 0..=3 {
        for number in 0..significant.len().pow(length) {
            let digits = (0..length).map(|place| number / significant.len().pow(place) % significant.len());
            let first: Vec<u8> = digits.map(|digit| significant[digit]).collect();
            for end in [End::Last, End::Reset, End::ResetAfterError] {
                let second: Vec<u8> =
                    (0..random.below(5)).map(|_| significant[random.below(significant.len())]).collect();
                for new in [Decoder::new(encoding), Decoder::removing_bom(encoding), Decoder::sniffing(encoding)] {
                    let mut used = new;
                    leave(&mut used, &first, end);
                    let context = || std::format!("{encoding}: {second:02X?} after {first:02X?}, {end:?}");
                    assert_eq!(decode(&mut used, &second), decode(&mut { new }, &second), "{}", context());
                    assert_eq!(used.position(), second.len() as u64, "{}", context());
                }
            }
        }
    }
}

/// Decodes `source` and leaves the stream as `end` says.
fn leave(decoder: &mut Decoder, source: &[u8], end: End) {
    match end {
        End::Last => {
            let _ = decode(decoder, source);
        }
        End::Reset => {
            let mut destination = std::vec![0; source.len()];
            let _ = decoder.decode_to_utf16(source, &mut destination, false, DecodeErrorMode::Replacement);
            decoder.reset();
        }
        End::ResetAfterError => {
            let mut destination = std::vec![0; 3 * source.len()];
            let _ = decoder.decode_to_utf8(source, &mut destination, true, DecodeErrorMode::Fatal);
            decoder.reset();
        }
    }
}

/// Decodes `source` as a whole stream, continuing after each error.
fn decode(decoder: &mut Decoder, mut source: &[u8]) -> Decoded {
    let (mut text, mut errors) = (String::new(), Vec::new());
    loop {
        let result = decoder.decode_to_string(source, &mut text, true, DecodeErrorMode::Fatal);
        source = &source[result.read..];
        match result.status {
            DecodeStatus::Malformed(malformed) => errors.push(malformed),
            _ => return (text, errors),
        }
    }
}
