//! encoding_rs behind the boundary of crates/wasm: the same memory, the same lengths of pieces.

use std::cell::UnsafeCell;

use encoding_rs::{Encoding, UTF_8};

const SOURCE: usize = 64 * 1024;

#[repr(C, align(16))]
struct Shared {
    source: [u8; SOURCE],
    units: [u16; SOURCE + 16],
    bytes: [u8; 4 * SOURCE],
}

struct Memory(UnsafeCell<(Shared, Option<&'static Encoding>)>);
// SAFETY: wasm32 has one thread here.
unsafe impl Sync for Memory {}
static MEMORY: Memory =
    Memory(UnsafeCell::new((Shared { source: [0; SOURCE], units: [0; SOURCE + 16], bytes: [0; 4 * SOURCE] }, None)));

fn memory() -> &'static mut (Shared, Option<&'static Encoding>) {
    // SAFETY: each exported function calls this once, and nothing else runs meanwhile.
    unsafe { &mut *MEMORY.0.get() }
}

/// The address of the shared memory.
#[unsafe(no_mangle)]
pub extern "C" fn memory_address() -> u32 {
    &raw const memory().0 as u32
}

/// Chooses the encoding with the label in the first `length` bytes of the source.
#[unsafe(no_mangle)]
pub extern "C" fn choose(length: usize) {
    let (shared, encoding) = memory();
    *encoding = Encoding::for_label(&shared.source[..length]);
}

/// Decodes the first `length` bytes of the source into the units, and returns their number.
#[unsafe(no_mangle)]
pub extern "C" fn decode(length: usize) -> usize {
    let (shared, encoding) = memory();
    let mut decoder = encoding.unwrap_or(UTF_8).new_decoder_without_bom_handling();
    decoder.decode_to_utf16(&shared.source[..length], &mut shared.units, true).2
}

/// Encodes the first `length` bytes of the source, which are UTF-8, into the bytes, and returns their number.
#[unsafe(no_mangle)]
pub extern "C" fn encode(length: usize) -> usize {
    let (shared, encoding) = memory();
    let Ok(text) = str::from_utf8(&shared.source[..length]) else { return 0 };
    encoding.unwrap_or(UTF_8).new_encoder().encode_from_utf8(text, &mut shared.bytes, true).2
}
