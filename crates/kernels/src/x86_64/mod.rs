//! The kernels' bodies for x86-64: one module for each [`Level`](crate::level::Level) of this architecture with vectors
//! longer than 16 bytes. The bodies for SSE4.1 are in `v128`.

pub(crate) mod avx2;
pub(crate) mod avx512;
#[cfg(feature = "std")]
pub(crate) mod features;

/// Clears the upper halves of the vector registers, all that is beyond 16 bytes.
///
/// The compiler clears them before a call or a return, but not before a conditional jump to another function. Where a
/// function ends with `if test { … } else { more(…) }`, the call of `more` becomes such a jump. If `more` leaves the
/// halves as they are, the code after it, which is compiled for SSE, runs while they are full. On Intel's processors
/// that takes about 100 ns longer: see `docs/experiments.md#short-input`. So this stands where a test of vectors has
/// failed.
#[inline]
#[target_feature(enable = "avx")]
fn clear_upper_halves() {
    core::arch::x86_64::_mm256_zeroupper();
}
