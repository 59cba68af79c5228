//! Rust's standard library, [simdutf8](https://docs.rs/simdutf8), and a plain copy: UTF-8 and UTF-16 only.

use std::{hint::black_box, str};

use textcodec::Name;

use crate::{Buffers, Job, Mode, Operation, Task, task::each};

/// Rust's standard library.
pub(super) fn job(task: Task) -> Option<Job> {
    use Operation::{D8, D16, E8, E16};
    let unit: fn([u8; 2]) -> u16 = match task.pair.ours.id() {
        Name::Utf8 => u16::from_ne_bytes,
        Name::Utf16Be => u16::from_be_bytes,
        Name::Utf16Le => u16::from_le_bytes,
        _ => return None,
    };
    let is_utf8 = task.pair.ours.id() == Name::Utf8;
    Some(match (task.mode, task.operation) {
        (Mode::Call, D8) if is_utf8 => each(|piece, buffers| match str::from_utf8(&piece.bytes) {
            Ok(text) => copy(text.as_bytes(), buffers),
            Err(_) => replace_errors(&piece.bytes, &mut buffers.bytes),
        }),
        (Mode::Call, D16) if is_utf8 => each(|piece, buffers| {
            let units = str::from_utf8(&piece.bytes).ok()?.encode_utf16();
            Some(units.zip(&mut buffers.utf16).map(|(unit, place)| *place = unit).count())
        }),
        (Mode::Call, E16) if is_utf8 => {
            each(|piece, buffers| Some(write_utf8(piece.utf16.iter().copied(), &mut buffers.bytes)))
        }
        (Mode::Call, D8) => each(move |piece, buffers| Some(write_utf8(units(&piece.bytes, unit), &mut buffers.bytes))),
        (Mode::Call, D16) => each(move |piece, buffers| {
            let (mut written, mut pair) = (0, [0; 2]);
            for code_point in char::decode_utf16(units(&piece.bytes, unit)) {
                let units = code_point.unwrap_or(char::REPLACEMENT_CHARACTER).encode_utf16(&mut pair);
                buffers.utf16[written..written + units.len()].copy_from_slice(units);
                written += units.len();
            }
            Some(written)
        }),
        (Mode::OneShot, D8) if is_utf8 => each(|piece, _| Some(black_box(String::from_utf8_lossy(&piece.bytes)).len())),
        (_, D8 | D16 | E8 | E16) => return None,
    })
}

/// simdutf8 validates UTF-8, and the standard library copies it.
pub(super) fn simdutf8_job(task: Task) -> Option<Job> {
    let is_its = (task.pair.ours.id(), task.mode, task.operation) == (Name::Utf8, Mode::Call, Operation::D8);
    is_its.then(|| each(|piece, buffers| copy(simdutf8::basic::from_utf8(&piece.bytes).ok()?.as_bytes(), buffers)))
}

/// A plain copy, which is the least work for UTF-8 from a valid string.
pub(super) fn memcpy_job(task: Task) -> Option<Job> {
    let is_its = (task.pair.ours.id(), task.mode, task.operation) == (Name::Utf8, Mode::Call, Operation::E8);
    is_its.then(|| each(|piece, buffers| copy(piece.text.as_bytes(), buffers)))
}

fn copy(bytes: &[u8], buffers: &mut Buffers) -> Option<usize> {
    buffers.bytes[..bytes.len()].copy_from_slice(bytes);
    Some(bytes.len())
}

/// The units that `unit` makes from each two of `bytes`.
fn units(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> impl Iterator<Item = u16> {
    bytes.chunks_exact(2).map(move |pair| unit([pair[0], pair[1]]))
}

/// Writes `units` as UTF-8, with U+FFFD in place of unpaired surrogates. Returns the length.
fn write_utf8(units: impl Iterator<Item = u16>, destination: &mut [u8]) -> usize {
    let mut written = 0;
    for code_point in char::decode_utf16(units) {
        let code_point = code_point.unwrap_or(char::REPLACEMENT_CHARACTER);
        written += code_point.encode_utf8(&mut destination[written..]).len();
    }
    written
}

/// Writes `bytes` as `String::from_utf8_lossy` does. Returns the length.
fn replace_errors(bytes: &[u8], destination: &mut [u8]) -> Option<usize> {
    let mut written = 0;
    for chunk in bytes.utf8_chunks() {
        let replacement = if chunk.invalid().is_empty() { "" } else { "\u{FFFD}" };
        for part in [chunk.valid(), replacement] {
            destination[written..written + part.len()].copy_from_slice(part.as_bytes());
            written += part.len();
        }
    }
    Some(written)
}
