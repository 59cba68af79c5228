//! Parts of slices: a fixed number of items from a place on, or all items after or before a place. No function here
//! panics but `window`, whose place and length the compiler compares with the length of the caller's array.

/// The `N` items from `at` on; `None` if `slice` ends before.
#[inline(always)]
pub(crate) fn block<T, const N: usize>(slice: &[T], at: usize) -> Option<&[T; N]> {
    slice.get(at..)?.first_chunk()
}

/// The `N` items from `at` on, to write to; `None` if `slice` ends before.
#[inline(always)]
pub(crate) fn block_mut<T, const N: usize>(slice: &mut [T], at: usize) -> Option<&mut [T; N]> {
    slice.get_mut(at..)?.first_chunk_mut()
}

/// The `N` items of an array from `AT` on, which must be in it.
#[inline(always)]
pub(crate) fn window<T, const AT: usize, const N: usize>(array: &[T]) -> &[T; N] {
    array[AT..].first_chunk().expect("the array has `N` items from `AT` on")
}

/// As [`block`], for loops in which `at` grows. There is one test, which compares `at` with the last place that has `N`
/// items; this place is the same in each step of a loop. Elsewhere `block` takes fewer bytes of code: see
/// `docs/experiments.md#utf-8-and-utf-16`.
#[cfg(vectors = "x86_64")]
#[inline(always)]
pub(crate) fn block_in_loop<T, const N: usize>(slice: &[T], at: usize) -> Option<&[T; N]> {
    let last = slice.len().checked_sub(N)?;
    // SAFETY: by the test, `at` is at most the length minus `N`, so that `slice` has `N` items from `at` on. An array
    // is aligned as its items are, and the result borrows `slice`.
    (at <= last).then(|| unsafe { &*slice.as_ptr().add(at).cast() })
}

/// As [`block_in_loop`], to write to.
#[cfg(vectors = "x86_64")]
#[inline(always)]
pub(crate) fn block_in_loop_mut<T, const N: usize>(slice: &mut [T], at: usize) -> Option<&mut [T; N]> {
    let last = slice.len().checked_sub(N)?;
    // SAFETY: by the test, `at` is at most the length minus `N`, so that `slice` has `N` items from `at` on. An array
    // is aligned as its items are, and the result borrows `slice`.
    (at <= last).then(|| unsafe { &mut *slice.as_mut_ptr().add(at).cast() })
}

/// The items from `at` on; an empty slice if `slice` ends before `at`. Where `at` is always in bounds, this is used
/// instead of indexing, because it needs no code for a panic: a program with all encodings is 10 KB smaller. This
/// function is for loops. Where a function ends, and in other crates, [`skip`] does the same in fewer bytes of code:
/// see `docs/experiments.md#tables-and-the-size-of-programs`.
#[inline(always)]
pub(crate) fn after<T>(slice: &[T], at: usize) -> &[T] {
    slice.get(at..).unwrap_or_default()
}

/// The items from `at` on, to write to; an empty slice if `slice` ends before `at`.
#[inline(always)]
pub(crate) fn after_mut<T>(slice: &mut [T], at: usize) -> &mut [T] {
    slice.get_mut(at..).unwrap_or_default()
}

/// The items after the first `count`; an empty slice if there are no more. The count is limited before the slice is
/// cut, so that the address of the result is known a little later than that of `after`.
#[inline(always)]
#[must_use]
pub fn skip<T>(slice: &[T], count: usize) -> &[T] {
    &slice[count.min(slice.len())..]
}

/// As [`skip`], to write to.
#[inline(always)]
#[must_use]
pub fn skip_mut<T>(slice: &mut [T], count: usize) -> &mut [T] {
    let count = count.min(slice.len());
    &mut slice[count..]
}

/// The items before `end`; all of them if `slice` ends before `end`.
#[inline(always)]
#[must_use]
pub fn up_to<T>(slice: &[T], end: usize) -> &[T] {
    slice.get(..end).unwrap_or(slice)
}

/// The items before `end`, to write to; all if there are fewer.
#[inline(always)]
#[must_use]
pub fn up_to_mut<T>(slice: &mut [T], end: usize) -> &mut [T] {
    let end = end.min(slice.len());
    &mut slice[..end]
}

/// What `convert` reads and writes in the rest of both slices, and before that `done`: the numbers of items that were
/// read and written.
#[inline(always)]
pub(crate) fn and_rest<S, D>(
    (read, written): (usize, usize),
    source: &[S],
    destination: &mut [D],
    convert: impl FnOnce(&[S], &mut [D]) -> (usize, usize),
) -> (usize, usize) {
    let (more_read, more_written) = convert(skip(source, read), skip_mut(destination, written));
    (read + more_read, written + more_written)
}

/// Drops the first `count` bytes of `space`, which has more. Callers mask `count` where that shows the compiler that it
/// is in bounds.
#[inline(always)]
pub(crate) fn advance(space: &mut &mut [u8], count: usize) {
    *space = core::mem::take(space).get_mut(count..).unwrap_or_default();
}

/// A destination of zero-sized items, for functions that only inspect a source. It is as long as a slice can be, so
/// that it never ends before the source does.
pub(crate) fn nowhere() -> [(); usize::MAX] {
    [(); usize::MAX]
}

/// Does the same to each item of a short array; always inlined.
///
/// The standard library's [`map`](array::map) goes through several functions, which lack the processor features of
/// their caller. With `opt-level = "s"` the compiler does not inline them, and vectors go through memory, with a call
/// for each: UTF-16BE to UTF-16 then took 80 times as long (Zen 5, AVX2). It also makes many copies of these functions,
/// which were a fifth of this crate's code before optimisation.
pub(crate) trait Each<T> {
    /// The array of another type of items.
    type Of<U>;

    /// The results of `f` for the items, in their order.
    fn each<U>(self, f: impl FnMut(T) -> U) -> Self::Of<U>;
}

/// Implements [`Each`] for arrays of a length, given as a name for each item.
macro_rules! each {
    ($length:literal: $($item:ident)+) => {
        impl<T> Each<T> for [T; $length] {
            type Of<U> = [U; $length];

            #[inline(always)]
            fn each<U>(self, mut f: impl FnMut(T) -> U) -> [U; $length] {
                let [$($item),+] = self;
                [$(f($item)),+]
            }
        }
    };
}

each!(2: a b);
each!(3: a b c);
each!(4: a b c d);
each!(8: a b c d e f g h);
