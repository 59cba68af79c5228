//! [x-user-defined](https://encoding.spec.whatwg.org/#x-user-defined).

use textcodec_core::{
    DecoderErrorMode, Encoding, Name,
    handler::{Bytes, CodePoints, DecoderHandler, EncoderHandler, HandlerResult, Item, Restore},
};
use textcodec_kernels::{
    blocks::{after, after_mut},
    single_byte::{self, ByCodePoint},
};

/// [x-user-defined](https://encoding.spec.whatwg.org/#x-user-defined): bytes above ASCII become U+F780 to U+F7FF, so that a
/// text can carry any bytes.
pub static X_USER_DEFINED: Encoding = Encoding::new::<XUserDefinedDecoder, XUserDefinedEncoder>(Name::XUserDefined);

/// [x-user-defined's decoder](https://encoding.spec.whatwg.org/#x-user-defined-decoder). It has no state and makes no errors.
#[derive(Clone, Copy, Debug)]
struct XUserDefinedDecoder;

impl DecoderHandler for XUserDefinedDecoder {
    fn handler<Q: Restore<u8>>(&mut self, _: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let Item::Value(byte) = byte else {
            return HandlerResult::Finished;
        };
        if byte.is_ascii() {
            return HandlerResult::Items(char::from(byte).into());
        }
        let code_point = char::from_u32(0xF780 + u32::from(byte) - 0x80).expect("U+F780 to U+F7FF are no surrogates");
        HandlerResult::Items(code_point.into())
    }

    fn pending(&self) -> Bytes {
        Bytes::EMPTY
    }

    fn convert(&mut self, source: &[u8], destination: &mut [u16], _: DecoderErrorMode) -> (usize, usize) {
        // The compiler makes vectors of this: it needs no table.
        for (to, &byte) in destination.iter_mut().zip(source) {
            *to = code_unit(byte);
        }
        let length = source.len().min(destination.len());
        (length, length)
    }

    fn convert_to_utf8(&mut self, source: &[u8], destination: &mut [u8], _: DecoderErrorMode) -> (usize, usize) {
        single_byte::to_utf8(&CODE_POINTS, single_byte::NEVER, source, destination)
    }

    fn pack(self) -> u64 {
        0
    }

    fn unpack(_: &'static Encoding, _: u64) -> Self {
        XUserDefinedDecoder
    }
}

/// [x-user-defined's encoder](https://encoding.spec.whatwg.org/#x-user-defined-encoder). It has no state.
#[derive(Clone, Copy, Debug)]
struct XUserDefinedEncoder;

impl EncoderHandler for XUserDefinedEncoder {
    fn handler<Q: Restore<char>>(&mut self, _: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        match u32::from(code_point) {
            value @ 0x0000..=0x007F => HandlerResult::Items(Bytes::from(value as u8)),
            value @ 0xF780..=0xF7FF => HandlerResult::Items(Bytes::from((value - 0xF780 + 0x80) as u8)),
            _ => HandlerResult::Error(code_point),
        }
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let mut done = 0;
        // The compiler makes vectors of this: whole blocks need no table.
        for (to, units) in destination.as_chunks_mut::<32>().0.iter_mut().zip(source.as_chunks().0) {
            *to = units.map(|unit| unit as u8);
            if !units.iter().fold(true, |all, &unit| all & (code_unit(unit as u8) == unit)) {
                break;
            }
            done += units.len();
        }
        done += single_byte::from_utf16(BY_CODE_POINT, after(source, done), after_mut(destination, done));
        (done, done)
    }

    fn convert_from_utf8(&mut self, source: &str, destination: &mut [u8]) -> (usize, usize) {
        single_byte::from_utf8(BY_CODE_POINT, source.as_bytes(), destination)
    }

    fn pack(self) -> u64 {
        0
    }

    fn unpack(_: &'static Encoding, _: u64) -> Self {
        XUserDefinedEncoder
    }
}

/// The code unit of a byte. 0x80 is U+F780, and 0xFF80 as a signed number.
const fn code_unit(byte: u8) -> u16 {
    (byte as i8 as u16) & 0xF7FF
}

/// U+F780 to U+F7FF, for the kernel.
static CODE_POINTS: [u16; 128] = {
    let mut code_points = [0; 128];
    let mut at = 0;
    while at < 128 {
        code_points[at] = code_unit(0x80 + at as u8);
        at += 1;
    }
    code_points
};

/// The way back, for the kernels.
const BY_CODE_POINT: ByCodePoint<'_> = ByCodePoint { blocks: &BLOCKS, bytes: &BYTES, windows: &[WINDOW as u16; 4] };

/// The number of the one block of code points that has bytes.
const WINDOW: usize = 0xF780 / single_byte::BLOCK;

/// Where the blocks start in [`BYTES`]: an empty one, and that of the window.
static BLOCKS: [u8; WINDOW + 1] = {
    let mut blocks = [0; WINDOW + 1];
    blocks[WINDOW] = (single_byte::BLOCK / single_byte::ALIGN) as u8;
    blocks
};

static BYTES: [u8; 2 * single_byte::BLOCK] = {
    let mut bytes = [0; 2 * single_byte::BLOCK];
    let mut at = 0;
    while at < 128 {
        bytes[single_byte::BLOCK + at] = 0x80 + at as u8;
        at += 1;
    }
    bytes
};
