//! [simdutf](https://docs.rs/simdutf): UTF-8 and UTF-16 only. It stops at an error, so it takes no part in malformed
//! input.

use crate::{Job, Task};

#[cfg(not(feature = "simdutf"))]
pub(super) fn job(_: Task) -> Option<Job> {
    None
}

#[cfg(feature = "simdutf")]
pub(super) fn job(task: Task) -> Option<Job> {
    use textcodec::Name;

    use crate::{Kind, Mode, Operation, foreign, task::each};

    if task.mode != Mode::Call || task.kind == Kind::Malformed {
        return None;
    }
    // ASCII is encoded alike in all encodings but two, and a program that knows that its text is ASCII may call this
    // function.
    let is_utf8 = task.pair.ours.id() == Name::Utf8 || task.kind == Kind::Ascii;
    Some(match (task.pair.ours.id(), task.operation) {
        (_, Operation::D8) if is_utf8 => each(|piece, buffers| {
            if !simdutf::validate_utf8(&piece.bytes) {
                return None;
            }
            buffers.bytes[..piece.bytes.len()].copy_from_slice(&piece.bytes);
            Some(piece.bytes.len())
        }),
        (_, Operation::D16) if is_utf8 => {
            each(|piece, buffers| foreign::utf8_to_utf16(&piece.bytes, &mut buffers.utf16))
        }
        (_, Operation::E16) if is_utf8 => {
            each(|piece, buffers| foreign::utf16_to_utf8(&piece.utf16, &mut buffers.bytes))
        }
        (Name::Utf16Le, Operation::D8) => {
            each(|piece, buffers| foreign::utf16le_to_utf8(&piece.bytes, &mut buffers.bytes))
        }
        (Name::Utf16Le, Operation::D16) => {
            each(|piece, buffers| foreign::utf16le_to_utf16(&piece.bytes, &mut buffers.utf16))
        }
        (Name::Utf16Be, Operation::D8) => {
            each(|piece, buffers| foreign::utf16be_to_utf8(&piece.bytes, &mut buffers.bytes))
        }
        (Name::Utf16Be, Operation::D16) => {
            each(|piece, buffers| foreign::utf16be_to_utf16(&piece.bytes, &mut buffers.utf16))
        }
        _ => return None,
    })
}
