//! Hiding a value from the optimizer.

use core::hint::black_box;

/// Returns `value`, and hides from the optimizer everything that it knows about it.
///
/// The optimizer then compiles the code after the call for every possible value. Without the call, it could use facts
/// such as the length of an array, or the round of a loop in which a condition holds. The results are the same with and
/// without the call. It costs at most a store of `value` to the stack and a load from there, so it mostly stands before
/// loops and not in the inner ones.
///
/// The kernels use it for four reasons:
///
/// * A loop over a short array would be unrolled. Its long body would then stand in the program four or eight times and
///   save no time.
/// * A loop that does more in one of its rounds would become several loops.
/// * A loop with a condition that never changes would be compiled twice, once for each outcome.
/// * A factor of 16 bits would be widened before a loop, so that the multiplication in the loop takes several
///   instructions.
///
/// The measurements are in `docs/experiments.md#the-compiler`.
#[inline(always)]
pub(crate) fn opaque<T>(value: T) -> T {
    black_box(value)
}
