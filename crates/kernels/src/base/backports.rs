//! Functions of the standard library that are newer than the oldest compiler this crate supports, Rust 1.85.

/// The blocks of `N` items that `slice` begins with, and the items after them: `slice::as_chunks`, which needs Rust
/// 1.88.
#[inline(always)]
pub(crate) fn chunks<T, const N: usize>(slice: &[T]) -> (&[[T; N]], &[T]) {
    let (whole, rest) = slice.split_at(slice.len() / N * N);
    // SAFETY: `whole` has `slice.len() / N` times `N` items by the line above, and an array of `N` items has the size
    // of `N` items and their alignment.
    let blocks = unsafe { core::slice::from_raw_parts(whole.as_ptr().cast(), slice.len() / N) };
    (blocks, rest)
}

/// The blocks of `N` items that `slice` begins with, to write to: `slice::as_chunks_mut`, which needs Rust 1.88.
#[inline(always)]
pub(crate) fn chunks_mut<T, const N: usize>(slice: &mut [T]) -> &mut [[T; N]] {
    let number = slice.len() / N;
    // SAFETY: `slice` has at least `number` times `N` items by the division above, an array of `N` items has the size
    // of `N` items and their alignment, and nobody else can use them while the result borrows `slice`.
    unsafe { core::slice::from_raw_parts_mut(slice.as_mut_ptr().cast(), number) }
}

/// `if_true` or `if_false`, without a branch where the compiler can be told so: Rust 1.88 or later.
#[inline(always)]
pub(crate) fn select<T>(condition: bool, if_true: T, if_false: T) -> T {
    #[cfg(select_unpredictable)]
    #[expect(clippy::incompatible_msrv, reason = "the build script has found a compiler that has the function")]
    return core::hint::select_unpredictable(condition, if_true, if_false);
    #[cfg(not(select_unpredictable))]
    if condition { if_true } else { if_false }
}
