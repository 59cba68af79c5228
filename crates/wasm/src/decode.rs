//! The functions for [TextDecoder](https://encoding.spec.whatwg.org/#interface-textdecoder),
//! [decode](https://encoding.spec.whatwg.org/#decode) and [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff).

use textcodec::{Bom, DecodeErrorMode, DecodeStatus, Decoder, Encoding, Malformed, mem};

use crate::shared::{CONTINUE, FATAL, IGNORE_BOM, MORE, SNIFF, STREAM, Shared};

/// The result of [`decode`] for a malformed sequence in the error mode fatal.
const MALFORMED: i32 = -1;
/// The result of [`decode`] for an encoding that is not part of the library.
const NO_ENCODING: i32 = -2;
/// The result of [`decode`] for a state that no stream in the encoding can have.
const NO_STATE: i32 = -3;

/// Decodes the source into the units, and returns their number, or a negative number.
///
/// The first of the words for more says whether all units are ASCII (0), Latin-1 (1) or neither (2). After
/// [`MALFORMED`], the words for more have the offset of the malformed sequence from the start of the stream (lower half
/// first); its length in bytes, and in the next byte the encoding; and its bytes, from the lowest byte up.
pub(crate) fn decode(shared: &mut Shared) -> i32 {
    let Some(encoding) = shared.encoding() else { return NO_ENCODING };
    let mut decoder =
        if shared.has(SNIFF) { encoding.new_decoder() } else { encoding.new_decoder_without_bom_handling() };
    let mut is_bom_due = !shared.has(SNIFF) && !shared.has(IGNORE_BOM) && encoding.bom().is_some();
    if shared.has(CONTINUE) {
        let [handler, position, rest, bom_seen] = shared.state();
        if decoder.resume([handler, position, rest].into()).is_err() {
            return NO_STATE;
        }
        is_bom_due &= bom_seen == 0;
    }
    let mode = if shared.has(FATAL) { DecodeErrorMode::Fatal } else { DecodeErrorMode::Replacement };
    let (length, is_last) = (shared.length(), !shared.has(STREAM));
    let result = decoder.decode_to_utf16(&shared.source[..length], &mut shared.units, is_last, mode);
    let mut written = result.written;
    if let DecodeStatus::Malformed(malformed) = result.status {
        decoder.discard_restored();
        set_malformed(shared, malformed, decoder.encoding());
    } else {
        shared.words[MORE] = class(&shared.units[..written]);
        // https://encoding.spec.whatwg.org/#concept-td-serialize
        if is_bom_due && written > 0 {
            is_bom_due = false;
            if shared.units[0] == 0xFEFF {
                shared.units.copy_within(1..written, 0);
                written -= 1;
            }
        }
    }
    shared.set_read_written(result.read, written);
    keep(shared, &decoder, !is_bom_due);
    if matches!(result.status, DecodeStatus::Malformed(_)) { MALFORMED } else { written as i32 }
}

/// Puts the state of a stream into the shared words.
fn keep(shared: &mut Shared, decoder: &Decoder, bom_seen: bool) {
    let [handler, position, rest] = decoder.stream_state().into();
    shared.set_state([handler, position, rest, bom_seen.into()]);
}

fn set_malformed(shared: &mut Shared, malformed: Malformed, encoding: Encoding) {
    let bytes = malformed.bytes();
    let words = [
        malformed.offset as u32,
        (malformed.offset >> 32) as u32,
        bytes.len() as u32 | (encoding.id() as u32) << 8,
        bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)),
    ];
    shared.words[MORE..].copy_from_slice(&words);
}

/// 0 for ASCII, 1 for Latin-1, 2 for all other text.
fn class(units: &[u16]) -> u32 {
    // Most text that is not Latin-1 has such a code unit in the middle.
    let in_the_middle = units.get(units.len() / 2).copied().unwrap_or(0);
    match in_the_middle {
        0..=0x7F if mem::is_utf16_ascii(units) => 0,
        0..=0xFF if mem::is_utf16_latin1(units) => 1,
        _ => 2,
    }
}

/// The number of the encoding whose byte order mark the source begins with, or a negative number.
pub(crate) fn bom_sniff(shared: &mut Shared) -> i32 {
    Bom::sniff(&shared.source[..shared.length()]).map_or(-1, |bom| bom.name() as i32)
}
