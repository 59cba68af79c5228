//! Whether the running processor and its operating system have the features of a level.
//!
//! The standard library's `is_x86_feature_detected!` gives the same answers. It looks for all features that Rust knows,
//! which adds 2.3 KB to a program; the two answers that this crate needs take 0.4 KB.

use core::arch::x86_64::{__cpuid_count, _xgetbv};

/// Whether programs can execute `cpuid` here: not in Intel's enclaves, and not in Miri.
const HAS_CPUID: bool = !cfg!(any(target_env = "sgx", miri));

/// Whether this processor has the level of SSE4.1.
#[cfg(vectors = "sse41")]
pub(crate) fn has_sse41() -> bool {
    HAS_CPUID && SSE41.are_set()
}

/// Whether this processor has the level of AVX2.
pub(crate) fn has_avx2() -> bool {
    HAS_CPUID && keeps(AVX_REGISTERS) && AVX2.iter().all(Bits::are_set)
}

/// Whether this processor has the level of AVX-512.
pub(crate) fn has_avx512() -> bool {
    has_avx2() && keeps(AVX512_REGISTERS) && AVX512.iter().all(Bits::are_set)
}

/// The bits of XCR0 that say that the operating system keeps the registers of SSE, and the upper halves of the vectors
/// of 32 bytes.
const AVX_REGISTERS: u64 = 0b110;
/// The bits of XCR0 for the masks, for the upper halves of the first 16 vectors of 64 bytes, and for the other 16
/// vectors.
const AVX512_REGISTERS: u64 = 0b1110_0000;

/// Whether the operating system keeps `registers` when it switches between threads. The processor must have `cpuid`.
#[inline(never)]
fn keeps(registers: u64) -> bool {
    OSXSAVE.are_set() && {
        // SAFETY: OSXSAVE, which was checked just now, says that programs can execute `xgetbv`. A processor with
        // OSXSAVE has the register XCR0, which `xgetbv` reads for the number 0.
        let kept = unsafe { _xgetbv(0) };
        kept & registers == registers
    }
}

/// Bits of a register that `cpuid` sets.
struct Bits {
    /// The leaf, which is the value of `eax` before `cpuid`. `ecx` is 0.
    leaf: u32,
    /// The register of the bits: `ecx`, or otherwise `ebx`.
    in_ecx: bool,
    /// The bits.
    bits: u32,
}

/// Bit `number` of a register.
const fn bit(number: u32) -> u32 {
    1 << number
}

/// The operating system lets programs execute `xgetbv`.
static OSXSAVE: Bits = Bits { leaf: 1, in_ecx: true, bits: bit(27) };

/// SSSE3, SSE4.1 and POPCNT.
#[cfg(vectors = "sse41")]
static SSE41: Bits = Bits { leaf: 1, in_ecx: true, bits: bit(9) | bit(19) | bit(23) };

/// The features of AVX2's level, as the manuals of Intel and AMD number them under `CPUID`.
static AVX2: [Bits; 3] = [
    // POPCNT and AVX.
    Bits { leaf: 1, in_ecx: true, bits: bit(23) | bit(28) },
    // BMI1, AVX2 and BMI2.
    Bits { leaf: 7, in_ecx: false, bits: bit(3) | bit(5) | bit(8) },
    // LZCNT, which AMD calls ABM.
    Bits { leaf: 0x8000_0001, in_ecx: true, bits: bit(5) },
];

/// The features of AVX-512's level beyond those of AVX2's.
static AVX512: [Bits; 3] = [
    // FMA and F16C, which the compiler takes for granted where a function may use AVX-512.
    Bits { leaf: 1, in_ecx: true, bits: bit(12) | bit(29) },
    // AVX512F, AVX512BW and AVX512VL.
    Bits { leaf: 7, in_ecx: false, bits: bit(16) | bit(30) | bit(31) },
    // AVX512_VBMI, AVX512_VBMI2 and AVX512_VPOPCNTDQ.
    Bits { leaf: 7, in_ecx: true, bits: bit(1) | bit(6) | bit(14) },
];

impl Bits {
    /// Whether the processor has the leaf, and all of the bits are set in it.
    fn are_set(&self) -> bool {
        // For a leaf that it does not have, a processor returns another leaf. The first leaf of a range holds the
        // number of the last one.
        let first_of_range = self.leaf & bit(31);
        if cpuid(first_of_range)[0] < self.leaf {
            return false;
        }
        let [_, ebx, ecx] = cpuid(self.leaf);
        let register = if self.in_ecx { ecx } else { ebx };
        register & self.bits == self.bits
    }
}

/// `eax`, `ebx` and `ecx` after `cpuid` for a leaf.
#[inline(never)]
pub(crate) fn cpuid(leaf: u32) -> [u32; 3] {
    // SAFETY: `cpuid` reads no memory, and every x86-64 processor has the instruction.
    #[allow(unused_unsafe, reason = "later versions of Rust made the function safe")]
    let result = unsafe { __cpuid_count(leaf, 0) };
    [result.eax, result.ebx, result.ecx]
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! has {
        ($($feature:tt),+) => { $(std::arch::is_x86_feature_detected!($feature))&&+ };
    }

    #[test]
    fn std_detects_the_same_features() {
        #[cfg(vectors = "sse41")]
        assert_eq!(has_sse41(), has!("ssse3", "sse4.1", "popcnt"));
        let avx2 = has!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt");
        assert_eq!(has_avx2(), avx2);
        let avx512 = has!("avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512vbmi2", "avx512vpopcntdq");
        assert_eq!(has_avx512(), avx2 && avx512);
    }

    #[test]
    fn every_feature_has_the_bit_that_std_looks_at() {
        let is_set = |leaf, in_ecx, number| Bits { leaf, in_ecx, bits: bit(number) }.are_set();
        let features = [
            (is_set(1, true, 9), has!("ssse3")),
            (is_set(1, true, 12), has!("fma")),
            (is_set(1, true, 19), has!("sse4.1")),
            (is_set(1, true, 23), has!("popcnt")),
            (is_set(1, true, 28), has!("avx")),
            (is_set(1, true, 29), has!("f16c")),
            (is_set(7, false, 3), has!("bmi1")),
            (is_set(7, false, 5), has!("avx2")),
            (is_set(7, false, 8), has!("bmi2")),
            (is_set(7, false, 16), has!("avx512f")),
            (is_set(7, false, 30), has!("avx512bw")),
            (is_set(7, false, 31), has!("avx512vl")),
            (is_set(7, true, 1), has!("avx512vbmi")),
            (is_set(7, true, 6), has!("avx512vbmi2")),
            (is_set(7, true, 14), has!("avx512vpopcntdq")),
            (is_set(0x8000_0001, true, 5), has!("lzcnt")),
        ];
        for (place, (ours, theirs)) in features.into_iter().enumerate() {
            // A feature that the operating system does not support is not there for std.
            assert!(ours == theirs || ours && !keeps(AVX512_REGISTERS | AVX_REGISTERS), "feature {place}");
        }
    }

    #[test]
    fn a_leaf_that_the_processor_does_not_have_has_no_bits() {
        for leaf in [0x7FFF_FFFF, u32::MAX] {
            assert!(!Bits { leaf, in_ecx: true, bits: 0 }.are_set());
        }
    }
}
