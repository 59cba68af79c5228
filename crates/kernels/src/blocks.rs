//! Pieces of slices: of a length that is known when the program is built, or up to either end. None of them panics.

/// The `N` items from `at` on, if there are as many.
#[inline(always)]
pub(crate) fn block<T, const N: usize>(slice: &[T], at: usize) -> Option<&[T; N]> {
    slice.get(at..)?.first_chunk()
}

/// The `N` items from `at` on, if there are as many.
#[inline(always)]
pub(crate) fn block_mut<T, const N: usize>(slice: &mut [T], at: usize) -> Option<&mut [T; N]> {
    slice.get_mut(at..)?.first_chunk_mut()
}

/// The items from `at` on; none if there are not so many. Shorter than indexing where that cannot be, for it needs no panic: a
/// program with all encodings is 10 KB smaller.
#[inline(always)]
#[must_use]
pub fn after<T>(slice: &[T], at: usize) -> &[T] {
    slice.get(at..).unwrap_or_default()
}

/// The same to write to.
#[inline(always)]
#[must_use]
pub fn after_mut<T>(slice: &mut [T], at: usize) -> &mut [T] {
    slice.get_mut(at..).unwrap_or_default()
}

/// The items before `end`; all if there are not so many.
#[inline(always)]
#[must_use]
pub fn up_to<T>(slice: &[T], end: usize) -> &[T] {
    slice.get(..end).unwrap_or(slice)
}

/// A destination for what is only looked at: as many nothings as it takes.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only vectors look without keeping"))]
pub(crate) fn nowhere() -> [(); usize::MAX] {
    [(); usize::MAX]
}
