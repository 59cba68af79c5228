//! Pieces of slices, of a length that is known when the program is built.

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

/// A destination for what is only looked at: as many nothings as it takes.
pub(crate) fn nowhere() -> [(); usize::MAX] {
    [(); usize::MAX]
}
