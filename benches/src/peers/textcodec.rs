//! textcodec.

use std::hint::black_box;

use textcodec::{DecodeErrorMode, DecodeResult, DecodeStatus, EncodeErrorMode, EncodeResult, EncodeStatus};

use crate::{
    Job, Mode, Operation, Task,
    task::{each, utf16_writer},
};

const DECODING: DecodeErrorMode = DecodeErrorMode::Replacement;
const ENCODING: EncodeErrorMode = EncodeErrorMode::Html;

pub(super) fn job(task: Task) -> Option<Job> {
    use Operation::{D8, D16, E8, E16};
    let encoding = task.pair.ours;
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut encoder = encoding.new_encoder();
    if let (Mode::Call, E8, Some(encode_into)) = (task.mode, task.operation, utf16_writer(encoding)) {
        return Some(each(move |piece, buffers| {
            let (read, written) = encode_into(&piece.text, &mut buffers.bytes);
            (read == piece.text.len()).then_some(written)
        }));
    }
    Some(match (task.mode, task.operation) {
        (Mode::Call, D8) => each(move |piece, buffers| {
            let mut decoder = encoding.new_decoder_without_bom_handling();
            decoded(decoder.decode_to_utf8(&piece.bytes, &mut buffers.bytes, true, DECODING))
        }),
        (Mode::Call, D16) => each(move |piece, buffers| {
            let mut decoder = encoding.new_decoder_without_bom_handling();
            decoded(decoder.decode_to_utf16(&piece.bytes, &mut buffers.utf16, true, DECODING))
        }),
        (Mode::Call, E8) => each(move |piece, buffers| {
            encoded(encoding.new_encoder().encode_str(&piece.text, &mut buffers.bytes, true, ENCODING))
        }),
        (Mode::Call, E16) => each(move |piece, buffers| {
            encoded(encoding.new_encoder().encode_utf16(&piece.utf16, &mut buffers.bytes, true, ENCODING))
        }),

        (Mode::OneShot, D8) => {
            each(move |piece, _| Some(black_box(encoding.decode_without_bom_handling(&piece.bytes)).0.len()))
        }
        (Mode::OneShot, E8) => each(move |piece, _| Some(black_box(encoding.encode(&piece.text)).bytes.len())),
        (Mode::OneShot, D16 | E16) => return None,

        (Mode::Stream, D8) => each(move |piece, buffers| {
            decoded(decoder.decode_to_utf8(&piece.bytes, &mut buffers.bytes, false, DECODING))
        }),
        (Mode::Stream, D16) => each(move |piece, buffers| {
            decoded(decoder.decode_to_utf16(&piece.bytes, &mut buffers.utf16, false, DECODING))
        }),
        (Mode::Stream, E8) => {
            each(move |piece, buffers| encoded(encoder.encode_str(&piece.text, &mut buffers.bytes, false, ENCODING)))
        }
        (Mode::Stream, E16) => {
            each(move |piece, buffers| encoded(encoder.encode_utf16(&piece.utf16, &mut buffers.bytes, false, ENCODING)))
        }

        (Mode::Making, D8 | D16) => each(move |_, _| {
            black_box(black_box(encoding).new_decoder_without_bom_handling());
            Some(1)
        }),
        (Mode::Making, E8 | E16) => each(move |_, _| {
            black_box(black_box(encoding).new_encoder());
            Some(1)
        }),
    })
}

fn decoded(result: DecodeResult) -> Option<usize> {
    (result.status == DecodeStatus::InputEmpty).then_some(result.written)
}

fn encoded(result: EncodeResult) -> Option<usize> {
    (result.status == EncodeStatus::InputEmpty).then_some(result.written)
}
