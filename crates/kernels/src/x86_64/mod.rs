//! The kernels' bodies for x86-64: one module for each [`Level`](crate::level::Level) of this architecture.

pub(crate) mod avx2;
pub(crate) mod avx512;
#[cfg(feature = "std")]
pub(crate) mod features;

/// Clears the upper halves of the vector registers, all that is beyond 16 bytes.
///
/// The compiler clears them before a call or a return, but not before a branch that leaves the function by itself. It
/// makes such a branch of a test of a vector whose one outcome is a call at the end of the function. If the called
/// function has no longer vectors either, code for SSE runs while the halves are full. On Intel's processors that takes
/// about 100 ns: see `docs/experiments.md#short-input`. So this stands where such a test has failed.
#[inline]
#[target_feature(enable = "avx")]
fn clear_upper_halves() {
    core::arch::x86_64::_mm256_zeroupper();
}
