//! [encoding_rs](https://docs.rs/encoding_rs), the library of Firefox, and textcodec behind the same interface.

use std::hint::black_box;

use crate::{Job, Mode, Operation, Task, task::each};

/// The interface of encoding_rs: a reference to an encoding, and the methods that the benchmark calls. A conversion
/// returns the number of units written, or `None` if it stopped before the end of its source.
trait Interface: Copy + 'static {
    type Decoder: 'static;
    type Encoder: 'static;

    fn new_decoder(self) -> Self::Decoder;
    fn new_encoder(self) -> Self::Encoder;
    fn to_utf8(decoder: &mut Self::Decoder, source: &[u8], destination: &mut [u8], last: bool) -> Option<usize>;
    fn to_utf16(decoder: &mut Self::Decoder, source: &[u8], destination: &mut [u16], last: bool) -> Option<usize>;
    fn from_utf8(encoder: &mut Self::Encoder, source: &str, destination: &mut [u8], last: bool) -> Option<usize>;
    fn from_utf16(encoder: &mut Self::Encoder, source: &[u16], destination: &mut [u8], last: bool) -> Option<usize>;
    /// The length of the text that a call for a whole text returns.
    fn decode(self, bytes: &[u8]) -> usize;
    /// The number of bytes that a call for a whole text returns.
    fn encode(self, text: &str) -> usize;
}

/// Implements [`Interface`] for a crate.
macro_rules! implement {
    ($library:ident) => {
        impl Interface for &'static $library::Encoding {
            type Decoder = $library::Decoder;
            type Encoder = $library::Encoder;

            fn new_decoder(self) -> Self::Decoder {
                self.new_decoder_without_bom_handling()
            }

            fn new_encoder(self) -> Self::Encoder {
                $library::Encoding::new_encoder(self)
            }

            fn to_utf8(
                decoder: &mut Self::Decoder,
                source: &[u8],
                destination: &mut [u8],
                last: bool,
            ) -> Option<usize> {
                let (result, _, written, _) = decoder.decode_to_utf8(source, destination, last);
                (result == $library::CoderResult::InputEmpty).then_some(written)
            }

            fn to_utf16(
                decoder: &mut Self::Decoder,
                source: &[u8],
                destination: &mut [u16],
                last: bool,
            ) -> Option<usize> {
                let (result, _, written, _) = decoder.decode_to_utf16(source, destination, last);
                (result == $library::CoderResult::InputEmpty).then_some(written)
            }

            fn from_utf8(
                encoder: &mut Self::Encoder,
                source: &str,
                destination: &mut [u8],
                last: bool,
            ) -> Option<usize> {
                let (result, _, written, _) = encoder.encode_from_utf8(source, destination, last);
                (result == $library::CoderResult::InputEmpty).then_some(written)
            }

            fn from_utf16(
                encoder: &mut Self::Encoder,
                source: &[u16],
                destination: &mut [u8],
                last: bool,
            ) -> Option<usize> {
                let (result, _, written, _) = encoder.encode_from_utf16(source, destination, last);
                (result == $library::CoderResult::InputEmpty).then_some(written)
            }

            fn decode(self, bytes: &[u8]) -> usize {
                black_box(self.decode_without_bom_handling(bytes)).0.len()
            }

            fn encode(self, text: &str) -> usize {
                black_box($library::Encoding::encode(self, text)).0.len()
            }
        }
    };
}

implement!(encoding_rs);
implement!(textcodec_encoding_rs);

/// The job of encoding_rs.
pub(super) fn job(task: Task) -> Option<Job> {
    job_of(task, task.pair.theirs)
}

/// The job of the package with the interface of encoding_rs over textcodec.
pub(super) fn compatible_job(task: Task) -> Option<Job> {
    job_of(task, textcodec_encoding_rs::Encoding::for_label(task.pair.ours.name().as_bytes())?)
}

fn job_of<I: Interface>(task: Task, encoding: I) -> Option<Job> {
    use Operation::{D8, D16, E8, E16};
    if !task.operation.exists_in(task.pair.ours) {
        return None;
    }
    let mut decoder = encoding.new_decoder();
    let mut encoder = encoding.new_encoder();
    Some(match (task.mode, task.operation) {
        (Mode::Call, D8) => {
            each(move |piece, buffers| I::to_utf8(&mut encoding.new_decoder(), &piece.bytes, &mut buffers.bytes, true))
        }
        (Mode::Call, D16) => {
            each(move |piece, buffers| I::to_utf16(&mut encoding.new_decoder(), &piece.bytes, &mut buffers.utf16, true))
        }
        (Mode::Call, E8) => {
            each(move |piece, buffers| I::from_utf8(&mut encoding.new_encoder(), &piece.text, &mut buffers.bytes, true))
        }
        (Mode::Call, E16) => each(move |piece, buffers| {
            I::from_utf16(&mut encoding.new_encoder(), &piece.utf16, &mut buffers.bytes, true)
        }),

        (Mode::OneShot, D8) => each(move |piece, _| Some(encoding.decode(&piece.bytes))),
        (Mode::OneShot, E8) => each(move |piece, _| Some(encoding.encode(&piece.text))),
        (Mode::OneShot, D16 | E16) => return None,

        (Mode::Stream, D8) => {
            each(move |piece, buffers| I::to_utf8(&mut decoder, &piece.bytes, &mut buffers.bytes, false))
        }
        (Mode::Stream, D16) => {
            each(move |piece, buffers| I::to_utf16(&mut decoder, &piece.bytes, &mut buffers.utf16, false))
        }
        (Mode::Stream, E8) => {
            each(move |piece, buffers| I::from_utf8(&mut encoder, &piece.text, &mut buffers.bytes, false))
        }
        (Mode::Stream, E16) => {
            each(move |piece, buffers| I::from_utf16(&mut encoder, &piece.utf16, &mut buffers.bytes, false))
        }

        (Mode::Making, D8 | D16) => each(move |_, _| {
            black_box(black_box(encoding).new_decoder());
            Some(1)
        }),
        (Mode::Making, E8 | E16) => each(move |_, _| {
            black_box(black_box(encoding).new_encoder());
            Some(1)
        }),
    })
}
