//! Memory that nobody has written to, as a destination.

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

    // SAFETY: an integer.
    unsafe impl CodeUnit for u8 {
        const ZERO: Self = 0;
    }

    // SAFETY: an integer.
    unsafe impl CodeUnit for u16 {
        const ZERO: Self = 0;
    }
}

/// Makes `memory` a destination for the kernels, which take initialised slices. The content is arbitrary. On processors for which
/// stable Rust has inline assembly this takes no time; on others, and under Miri, the memory is filled with zeros.
///
/// # Why no byte has to be written
///
/// To read uninitialised memory is undefined behaviour for the compiler only: it may assume that such a read never happens. The
/// processor always finds some byte there. So the function has to give the compiler a reason to regard the bytes as written, without
/// an instruction that writes them. An assembly block is that reason. The compiler does not look inside the block, and by the rules
/// of `asm!` a block that is neither `pure` nor `nomem` nor `readonly` may write to all memory that its operands give access to. In
/// terms of the language, this block is one that stores into each byte the value which that byte of the machine's memory has already.
/// The stores change nothing, so the processor need not execute them, and the block is empty.
///
/// One assumption of this argument concerns the system: a byte keeps its value between two reads. Linux may break it for memory given back
/// with `MADV_FREE` and not written to since, which can turn into zeros at any time. The kernels, and all code between this
/// function and the ones that use it in this module, only write to a destination, and read at most what they have written.
#[inline]
pub fn initialised<T: CodeUnit>(memory: &mut [MaybeUninit<T>]) -> &mut [T] {
    freeze(memory);
    let length = memory.len();
    // SAFETY: the pointer, the length, the lifetime and the exclusive access are those of `memory`, and `MaybeUninit<T>` has the layout
    // of `T`. `freeze` has initialised every unit, and every bit pattern is a value of a `CodeUnit`.
    unsafe { core::slice::from_raw_parts_mut(memory.as_mut_ptr().cast::<T>(), length) }
}

/// Initialises `memory` with the bytes that the processor would find there; see [`initialised`].
#[cfg(all(
    not(miri),
    any(
        target_arch = "x86",
        target_arch = "x86_64",
        target_arch = "arm",
        target_arch = "aarch64",
        target_arch = "riscv32",
        target_arch = "riscv64",
        target_arch = "loongarch64",
        target_arch = "s390x"
    )
))]
#[inline(always)]
fn freeze<T: CodeUnit>(memory: &mut [MaybeUninit<T>]) {
    // SAFETY: the block has no instruction. What the compiler has to assume that it does, storing bytes into `memory`, is allowed to the
    // owner of the exclusive reference from which the pointer comes.
    unsafe {
        core::arch::asm!("/* {} */", in(reg) memory.as_mut_ptr(), options(nostack, preserves_flags));
    }
}

/// Initialises `memory` with zeros.
#[cfg(not(all(
    not(miri),
    any(
        target_arch = "x86",
        target_arch = "x86_64",
        target_arch = "arm",
        target_arch = "aarch64",
        target_arch = "riscv32",
        target_arch = "riscv64",
        target_arch = "loongarch64",
        target_arch = "s390x"
    )
)))]
#[inline]
fn freeze<T: CodeUnit>(memory: &mut [MaybeUninit<T>]) {
    memory.fill(MaybeUninit::new(T::ZERO));
}

#[cfg(test)]
mod tests {
    use super::initialised;
    use core::mem::MaybeUninit;

    #[test]
    fn keeps_what_is_there_and_takes_what_is_written() {
        let mut memory = [MaybeUninit::new(7_u16), MaybeUninit::new(8), MaybeUninit::uninit()];
        let units = initialised(&mut memory);
        units[1..].fill(9);
        assert_eq!(units[1..], [9, 9]);
        if cfg!(all(target_arch = "x86_64", not(miri))) {
            assert_eq!(units[0], 7);
        }
    }

    #[test]
    fn takes_an_empty_slice() {
        assert_eq!(initialised::<u8>(&mut []), []);
    }
}
