//! Destinations in memory that is not initialised.

use core::mem::MaybeUninit;

/// A code unit: a byte of UTF-8 or of another encoding, or a 16-bit unit of UTF-16. Every bit pattern is a value.
pub trait CodeUnit: sealed::CodeUnit {}

impl CodeUnit for u8 {}
impl CodeUnit for u16 {}

mod sealed {
    /// # Safety
    /// Every bit pattern is a value of the type, and the type has no padding.
    pub unsafe trait CodeUnit: Copy + 'static {
        const ZERO: Self;
    }

    // SAFETY: every bit pattern of eight bits is a `u8`.
    unsafe impl CodeUnit for u8 {
        const ZERO: Self = 0;
    }

    // SAFETY: every bit pattern of 16 bits is a `u16`.
    unsafe impl CodeUnit for u16 {
        const ZERO: Self = 0;
    }
}

/// The limit for the first piece of spare capacity that a conversion takes, if it can stop after a few units and be
/// called again for the rest of its source. Where [`initialised`] fills memory, such a conversion makes each piece
/// [`PIECE_GROWTH`] times as long as the last one: its time then depends on what it writes, not on the capacity.
/// Otherwise, the first piece is all of the capacity.
pub const FIRST_PIECE: usize = if cfg!(freezing) { usize::MAX } else { 1024 };

/// The factor between two pieces; see [`FIRST_PIECE`].
pub const PIECE_GROWTH: usize = 8;

/// Makes a destination for kernels, which take initialised slices, from `memory` that need not be initialised. The
/// content of the slice is arbitrary. On processors for which stable Rust has inline assembly, this takes no time. On
/// other processors, under Miri, and with the feature `zeroed`, the function fills the memory with zeros.
///
/// # Why nothing is written
///
/// A read of uninitialised memory is undefined behaviour in the language, not in the machine: the compiler may assume
/// that there is no such read, but the processor finds some byte at every address. So this function has to make the
/// bytes initialised for the compiler, without an instruction that stores them. It does so with an empty assembly
/// block.
///
/// The compiler does not look into an assembly block. By the rules of `asm!`, a block without the options `pure`,
/// `nomem` and `readonly` may write to all memory that it can reach through its operands, and this block gets the
/// address of `memory`. In terms of the language, the block stores into each byte the value that the machine's memory
/// has there. Such stores would change nothing in the machine, so they need no instructions.
///
/// The argument assumes that a byte keeps its value from one read to the next. Linux breaks this assumption for pages
/// that the allocator has given back with `MADV_FREE` and that nobody has written to since: they may become zeros at
/// any time. That does no harm here. The kernels write to a destination and read only what they have written, and the
/// functions of this module return only what was written.
#[inline]
pub fn initialised<T: CodeUnit>(memory: &mut [MaybeUninit<T>]) -> &mut [T] {
    freeze(memory);
    let length = memory.len();
    // SAFETY: the pointer, the length, the lifetime and the exclusive access are those of `memory`, and
    // `MaybeUninit<T>` has the layout of `T`. `freeze` has initialised every unit, and every bit pattern is a value of
    // a `CodeUnit`.
    unsafe { core::slice::from_raw_parts_mut(memory.as_mut_ptr().cast::<T>(), length) }
}

/// Initialises `memory` with the bytes that the processor would find there; see [`initialised`].
#[cfg(freezing)]
#[inline(always)]
fn freeze<T: CodeUnit>(memory: &mut [MaybeUninit<T>]) {
    // SAFETY: the block has no instructions. The compiler has to assume that the block stores bytes into `memory`,
    // which the exclusive reference allows.
    unsafe {
        core::arch::asm!("/* {} */", in(reg) memory.as_mut_ptr(), options(nostack, preserves_flags));
    }
}

/// Initialises `memory` with zeros.
#[cfg(not(freezing))]
#[inline]
fn freeze<T: CodeUnit>(memory: &mut [MaybeUninit<T>]) {
    memory.fill(MaybeUninit::new(T::ZERO));
}

#[cfg(test)]
mod tests {
    use super::initialised;
    use core::mem::MaybeUninit;

    #[test]
    fn the_memory_keeps_its_content_and_takes_new_units() {
        let mut memory = [MaybeUninit::new(7_u16), MaybeUninit::new(8), MaybeUninit::uninit()];
        let units = initialised(&mut memory);
        units[1..].fill(9);
        assert_eq!(units[1..], [9, 9]);
        assert_eq!(units[0], if cfg!(freezing) { 7 } else { 0 });
    }

    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "x86", target_arch = "aarch64", target_arch = "s390x"))]
    fn an_assembly_block_takes_the_place_of_zeros_unless_zeros_are_asked_for() {
        assert_eq!(cfg!(freezing), !cfg!(any(feature = "zeroed", miri)));
    }

    #[test]
    fn an_empty_slice_stays_empty() {
        assert_eq!(initialised::<u8>(&mut []), []);
    }
}
