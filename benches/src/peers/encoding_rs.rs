//! [encoding_rs](https://docs.rs/encoding_rs), the library of Firefox.

use std::hint::black_box;

use encoding_rs::CoderResult;

use crate::{Job, Mode, Operation, Task, task::each};

pub(super) fn job(task: Task) -> Option<Job> {
    use Operation::{D8, D16, E8, E16};
    let encoding = task.pair.theirs;
    if !task.operation.exists_in(task.pair.ours) {
        return None;
    }
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut encoder = encoding.new_encoder();
    Some(match (task.mode, task.operation) {
        (Mode::Call, D8) => each(move |piece, buffers| {
            let mut decoder = encoding.new_decoder_without_bom_handling();
            written(decoder.decode_to_utf8(&piece.bytes, &mut buffers.bytes, true))
        }),
        (Mode::Call, D16) => each(move |piece, buffers| {
            let mut decoder = encoding.new_decoder_without_bom_handling();
            written(decoder.decode_to_utf16(&piece.bytes, &mut buffers.utf16, true))
        }),
        (Mode::Call, E8) => each(move |piece, buffers| {
            written(encoding.new_encoder().encode_from_utf8(&piece.text, &mut buffers.bytes, true))
        }),
        (Mode::Call, E16) => each(move |piece, buffers| {
            written(encoding.new_encoder().encode_from_utf16(&piece.utf16, &mut buffers.bytes, true))
        }),

        (Mode::OneShot, D8) => {
            each(move |piece, _| Some(black_box(encoding.decode_without_bom_handling(&piece.bytes)).0.len()))
        }
        (Mode::OneShot, E8) => each(move |piece, _| Some(black_box(encoding.encode(&piece.text)).0.len())),
        (Mode::OneShot, D16 | E16) => return None,

        (Mode::Stream, D8) => {
            each(move |piece, buffers| written(decoder.decode_to_utf8(&piece.bytes, &mut buffers.bytes, false)))
        }
        (Mode::Stream, D16) => {
            each(move |piece, buffers| written(decoder.decode_to_utf16(&piece.bytes, &mut buffers.utf16, false)))
        }
        (Mode::Stream, E8) => {
            each(move |piece, buffers| written(encoder.encode_from_utf8(&piece.text, &mut buffers.bytes, false)))
        }
        (Mode::Stream, E16) => {
            each(move |piece, buffers| written(encoder.encode_from_utf16(&piece.utf16, &mut buffers.bytes, false)))
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

fn written((result, _, written, _): (CoderResult, usize, usize, bool)) -> Option<usize> {
    (result == CoderResult::InputEmpty).then_some(written)
}
