//! The sequences of a text: how many bytes each has, and what they mean. It is for programs that show bytes beside
//! characters.

use textcodec::{DecodeErrorMode, DecodeStatus, Decoder};

use crate::shared::{CONTINUE, MORE, RECORDS, STREAM, Shared};

/// A sequence that means one or two code points, which are in the record.
const TEXT: u32 = 0;
/// A malformed sequence. The record has the reason.
const MALFORMED: u32 = 1;
/// A sequence without text, such as an escape sequence of ISO-2022-JP.
const NO_TEXT: u32 = 2;

/// The reason of a malformed sequence: no sequence starts with its first byte.
const NO_START: u32 = 0;
/// The reason of a malformed sequence: the input ends inside it.
const CUT_OFF: u32 = 1;
/// The reason of a malformed sequence: the byte after it does not continue it.
const NOT_CONTINUED: u32 = 2;
/// The reason of a malformed sequence: it is complete, and the encoding has no character for it.
const NO_CHARACTER: u32 = 3;

/// No sequence, with an escape sequence before it, is longer than this number of bytes.
const LONGEST: usize = 8;

/// The meaning of a sequence.
struct Sequence {
    length: usize,
    kind: u32,
    /// The number of code points.
    count: u32,
    /// The code points, or the reason and 0.
    values: [u32; 2],
}

/// Decodes the source into records, one for each sequence, and returns their number, or -1 for an encoding that is not
/// part of the library, or -3 for a state that no stream in the encoding can have. A byte order mark is a character.
/// The call stops after as many records as the first word for more says, and before a sequence that the source cuts off
/// if more of the stream follows; the script passes the bytes that were not read again.
///
/// The words of a record: the offset in the source; the length, the kind in the next byte, the number of code points in
/// the upper half; and two code points, or the reason of a malformed sequence.
pub(crate) fn detail(shared: &mut Shared) -> i32 {
    let Some(encoding) = shared.encoding() else { return -1 };
    let mut decoder = encoding.new_decoder_without_bom_handling();
    if shared.has(CONTINUE) {
        let [handler, position, rest, _] = shared.state();
        if decoder.resume([handler, position, rest].into()).is_err() {
            return -3;
        }
    }
    let (length, is_last) = (shared.length(), !shared.has(STREAM));
    let most = RECORDS.min(shared.words[MORE] as usize);
    let (mut read, mut records) = (0, 0);
    while read < length && records < most {
        let rest = &shared.source[read..length];
        let Some(sequence) = next(&mut decoder, rest, is_last) else { break };
        let facts = sequence.length as u32 | sequence.kind << 8 | sequence.count << 16;
        shared.records[records] = [read as u32, facts, sequence.values[0], sequence.values[1]];
        read += sequence.length;
        records += 1;
    }
    shared.set_read_written(read, records);
    let [handler, position, rest] = decoder.stream_state().into();
    shared.set_state([handler, position, rest, 0]);
    records as i32
}

/// The sequence at the start of `bytes`, which are not empty: as few bytes as make the decoder return something. `None`
/// if it depends on bytes that follow.
fn next(decoder: &mut Decoder, bytes: &[u8], is_last: bool) -> Option<Sequence> {
    for end in 1..=bytes.len().min(LONGEST) {
        let is_end = is_last && end == bytes.len();
        let (after, sequence) = attempt(decoder, &bytes[..end], false);
        let (after, sequence) = match sequence {
            None if is_end => attempt(decoder, &bytes[..end], true),
            _ => (after, sequence),
        };
        if let Some(sequence) = sequence {
            *decoder = after;
            return Some(sequence);
        }
    }
    None
}

/// The decoder after `bytes`, and the sequence that they are; `None` if `bytes` are only the beginning of a sequence.
fn attempt(decoder: &Decoder, bytes: &[u8], is_last: bool) -> (Decoder, Option<Sequence>) {
    let mut after = *decoder;
    let mut units = [0; 8];
    let result = after.decode_to_utf16(bytes, &mut units, is_last, DecodeErrorMode::Fatal);
    let sequence = match result.status {
        DecodeStatus::Malformed(malformed) => {
            let length = malformed.bytes().len();
            let reason = match length {
                _ if is_last => CUT_OFF,
                _ if bytes.len() == 1 => NO_START,
                _ if length < bytes.len() => NOT_CONTINUED,
                _ => NO_CHARACTER,
            };
            Some(Sequence { length, kind: MALFORMED, count: 0, values: [reason, 0] })
        }
        _ if result.written > 0 => {
            let mut values = [0; 2];
            let mut count = 0;
            let characters = char::decode_utf16(units[..result.written].iter().copied()).flatten();
            for (value, character) in values.iter_mut().zip(characters) {
                *value = character.into();
                count += 1;
            }
            Some(Sequence { length: result.read, kind: TEXT, count, values })
        }
        _ if is_last || after.sequence_start() == after.position() => {
            Some(Sequence { length: bytes.len(), kind: NO_TEXT, count: 0, values: [0; 2] })
        }
        _ => None,
    };
    (after, sequence)
}

#[cfg(test)]
mod tests {
    use textcodec::{Encoding, Name};

    use super::*;
    use crate::shared::{READ, REQUEST};

    /// The records for `bytes`, which arrive in pieces of at most `size` bytes.
    fn details(label: &str, bytes: &[u8], size: usize) -> Vec<(usize, u32, u32, Vec<u32>)> {
        let mut shared = Box::new(Shared::NEW);
        let encoding = Encoding::for_label(label).unwrap();
        let (mut records, mut start, mut length, mut flags) = (Vec::new(), 0, size.min(bytes.len()), 0);
        while start < bytes.len() {
            let end = (start + length).min(bytes.len());
            shared.source[..end - start].copy_from_slice(&bytes[start..end]);
            shared.words[REQUEST] = encoding.id() as u32 | flags | if end < bytes.len() { STREAM } else { 0 };
            shared.words[READ] = (end - start) as u32;
            shared.words[MORE] = 100;
            let count = detail(&mut shared) as usize;
            for &[offset, facts, first, second] in &shared.records[..count] {
                let (kind, count) = (facts >> 8 & 0xFF, facts as usize >> 16);
                let values = if kind == MALFORMED { vec![first] } else { [first, second][..count].to_vec() };
                records.push((start + offset as usize, facts & 0xFF, kind, values));
            }
            let read = shared.words[READ] as usize;
            // The sequence needs more bytes than the piece has.
            length = if read == 0 { length + 1 } else { size };
            start += read;
            flags = CONTINUE;
        }
        records
    }

    #[test]
    fn a_sequence_has_its_bytes_and_its_code_points() {
        for size in 1..=8 {
            assert_eq!(
                details("big5", b"a\x88\x62\xA4\xA4", size),
                [(0, 1, TEXT, vec![0x61]), (1, 2, TEXT, vec![0xCA, 0x304]), (3, 2, TEXT, vec![0x4E2D])]
            );
            assert_eq!(details("gb18030", b"\x94\x39\xDA\x33", size), [(0, 4, TEXT, vec![0x1F4A9])]);
            assert_eq!(details("utf-16le", b"\x3D\xD8\xA9\xDC", size), [(0, 4, TEXT, vec![0x1F4A9])]);
            assert_eq!(
                details("iso-2022-jp", b"\x1B$B\x24\x22\x1B(Bx", size),
                [
                    (0, 3, NO_TEXT, vec![]),
                    (3, 2, TEXT, vec![0x3042]),
                    (5, 3, NO_TEXT, vec![]),
                    (8, 1, TEXT, vec![0x78])
                ]
            );
        }
    }

    #[test]
    fn a_malformed_sequence_has_its_reason() {
        for size in 1..=8 {
            assert_eq!(
                details("utf-8", b"\xFF\xE2\x82A\xE2\x82", size),
                [
                    (0, 1, MALFORMED, vec![NO_START]),
                    (1, 2, MALFORMED, vec![NOT_CONTINUED]),
                    (3, 1, TEXT, vec![0x41]),
                    (4, 2, MALFORMED, vec![CUT_OFF]),
                ]
            );
            assert_eq!(
                details("shift_jis", b"\x82\xFF\x82\x41", size),
                [
                    (0, 2, MALFORMED, vec![NO_CHARACTER]),
                    (2, 1, MALFORMED, vec![NOT_CONTINUED]),
                    (3, 1, TEXT, vec![0x41])
                ]
            );
            assert_eq!(
                details("gb18030", b"\x81\x30\x81x", size),
                [(0, 1, MALFORMED, vec![NOT_CONTINUED]), (1, 1, TEXT, vec![0x30]), (2, 2, TEXT, vec![0x4E81]),]
            );
        }
    }

    #[test]
    fn a_state_that_no_stream_has_is_refused() {
        let mut shared = Box::new(Shared::NEW);
        for state in [[0x2800, 8, 0, 0], [0, 0, 3 << 24, 0], [0, u64::MAX, 0, 0], [u64::MAX; 4]] {
            shared.words[REQUEST] = Name::Iso2022Jp as u32 | CONTINUE | STREAM;
            shared.source[..2].copy_from_slice(b"\x1B\x1B");
            shared.words[READ] = 2;
            shared.words[MORE] = 9;
            shared.set_state(state);
            assert_eq!(detail(&mut shared), -3);
            assert_eq!(crate::decode::decode(&mut shared), -3);
            #[cfg(feature = "encode")]
            assert_eq!(crate::encode::encode(&mut shared), -1);
        }
    }

    /// The records cover all bytes, and their text is the text that the decoder returns.
    #[test]
    fn the_records_are_the_text() {
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as u8
        };
        for encoding in Encoding::all() {
            for length in [1, 2, 3, 50, 700] {
                let bytes: Vec<u8> = (0..length)
                    .map(|_| match random() {
                        byte @ ..0x30 => [0x1B, b'$', b'B', b'(', b'J', 0x81, 0xD8, 0xDC][usize::from(byte % 8)],
                        _ => random(),
                    })
                    .collect();
                let mut text = String::new();
                let mut end = 0;
                for (offset, length, kind, values) in details(encoding.name(), &bytes, 64) {
                    assert_eq!(offset, end, "{encoding}");
                    end += length as usize;
                    match kind {
                        MALFORMED => text.push('\u{FFFD}'),
                        _ => text.extend(values.into_iter().map(|value| char::from_u32(value).unwrap())),
                    }
                }
                assert_eq!(end, bytes.len(), "{encoding}");
                let mut units = vec![0; bytes.len() + 4];
                let mut decoder = encoding.new_decoder_without_bom_handling();
                let result = decoder.decode_to_utf16(&bytes, &mut units, true, DecodeErrorMode::Replacement);
                assert_eq!(text, String::from_utf16(&units[..result.written]).unwrap(), "{encoding} {bytes:02X?}");
            }
        }
        assert_eq!(Encoding::all().count(), Name::ALL.len());
    }
}
