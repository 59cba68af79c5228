//! From the pointers of C to slices and references of Rust.
//!
//! The promises of the chapter POINTERS of `textcodec.h`, by which the callers of this library make these functions
//! sound:
//!
//! 1. A pointer is null, or it is aligned and leads to as many units as its length says, or to one struct.
//! 2. Nobody writes to a source, and nobody else reads or writes a destination or a struct, while a function has it.
//! 3. A struct was set to zeros or initialised before a function reads it.

use core::{mem::MaybeUninit, slice};

use textcodec_kernels::string::{CodeUnit, initialised};

/// A source of `length` units; an empty one if the pointer is null.
///
/// # Safety
/// Promises 1 and 2 hold, and 3 if the units are structs.
#[inline]
pub(crate) unsafe fn source<'a, T>(pointer: *const T, length: usize) -> &'a [T] {
    if pointer.is_null() {
        return &[];
    }
    // SAFETY: the pointer is not null, as was checked. So it leads to `length` units by promise 1, and nobody writes to
    // them by promise 2.
    unsafe { slice::from_raw_parts(pointer, length) }
}

/// A destination of `length` units, which need not be initialised; an empty one if the pointer is null.
///
/// # Safety
/// Promises 1 and 2 hold.
#[inline]
pub(crate) unsafe fn destination<'a, T: CodeUnit>(pointer: *mut T, length: usize) -> &'a mut [T] {
    // SAFETY: as the caller promises.
    initialised(unsafe { places(pointer, length) })
}

/// A text of `length` units, which a function changes; an empty one if the pointer is null.
///
/// # Safety
/// Promises 1 and 2 hold, and the units are initialised.
#[inline]
pub(crate) unsafe fn text<'a, T: CodeUnit>(pointer: *mut T, length: usize) -> &'a mut [T] {
    if pointer.is_null() {
        return &mut [];
    }
    // SAFETY: the pointer is not null, as was checked. So it leads to `length` units by promise 1, and nobody else uses
    // them by promise 2. The caller promises that they are initialised.
    unsafe { slice::from_raw_parts_mut(pointer, length) }
}

/// Places for `length` values, which need not be initialised; none if the pointer is null.
///
/// # Safety
/// Promises 1 and 2 hold.
#[inline]
pub(crate) unsafe fn places<'a, T>(pointer: *mut T, length: usize) -> &'a mut [MaybeUninit<T>] {
    if pointer.is_null() {
        return &mut [];
    }
    // SAFETY: the pointer is not null, as was checked. So it leads to `length` values by promise 1, and nobody else
    // uses them by promise 2. Any bytes are a `MaybeUninit`.
    unsafe { slice::from_raw_parts_mut(pointer.cast(), length) }
}

/// The struct at `pointer`; `None` if the pointer is null.
///
/// # Safety
/// Promises 1 to 3 hold, and the bytes of a struct are a value of `T` if they are zeros.
#[inline]
pub(crate) unsafe fn read<'a, T>(pointer: *const T) -> Option<&'a T> {
    // SAFETY: the pointer is null or leads to a value by promises 1 and 3, and nobody writes to it by promise 2.
    unsafe { pointer.as_ref() }
}

/// Writes `value` to the struct at `pointer`, unless the pointer is null. Returns whether it was written.
///
/// # Safety
/// Promises 1 and 2 hold.
#[inline]
pub(crate) unsafe fn write<T>(pointer: *mut T, value: T) -> bool {
    if pointer.is_null() {
        return false;
    }
    // SAFETY: the pointer is not null, as was checked. So it leads to a struct by promise 1, and nobody else uses the
    // struct by promise 2.
    unsafe { pointer.write(value) };
    true
}

/// The value that lives in the memory of a struct of C, whose words only this library reads.
pub(crate) trait Opaque: Copy {
    /// The struct of C.
    type Struct;
    /// The first word of the value, which marks the memory as initialised. It differs between types, and is not 0.
    const TAG: u32;

    /// Whether the struct has space for the value.
    const FITS: () = assert!(
        size_of::<Self>() <= size_of::<Self::Struct>() && align_of::<Self>() <= align_of::<Self::Struct>(),
        "the struct of C is too small"
    );
}

/// A value with the tag that shows that it is there.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Tagged<T> {
    tag: u32,
    /// The number of the encoding.
    pub(crate) encoding: u32,
    pub(crate) value: T,
}

/// Makes the value in the struct at `pointer`. Returns whether it was made: not if the pointer is null.
///
/// # Safety
/// Promises 1 and 2 hold.
#[inline]
pub(crate) unsafe fn init<T>(pointer: *mut <Tagged<T> as Opaque>::Struct, encoding: u32, value: T) -> bool
where
    Tagged<T>: Opaque,
{
    const { <Tagged<T> as Opaque>::FITS };
    // SAFETY: as the caller promises. The struct has space for the value, as `FITS` checks.
    unsafe { write(pointer.cast(), Tagged { tag: Tagged::<T>::TAG, encoding, value }) }
}

/// The value in the struct at `pointer`; `None` if the pointer is null, or if no value was made there.
///
/// # Safety
/// Promises 1 to 3 hold.
#[inline]
pub(crate) unsafe fn opaque<'a, T>(pointer: *const <Tagged<T> as Opaque>::Struct) -> Option<&'a Tagged<T>>
where
    Tagged<T>: Opaque,
{
    const { <Tagged<T> as Opaque>::FITS };
    // SAFETY: the struct is larger than its first word, and initialised by promise 3.
    let tag = unsafe { read(pointer.cast::<u32>()) };
    // SAFETY: only `init` writes this tag, together with a value; copies of the struct have both. By promise 2 nobody
    // writes to the struct.
    (tag == Some(&Tagged::<T>::TAG)).then(|| unsafe { &*pointer.cast::<Tagged<T>>() })
}

/// As [`opaque`], to change the value.
///
/// # Safety
/// Promises 1 to 3 hold.
#[inline]
pub(crate) unsafe fn opaque_mut<'a, T>(pointer: *mut <Tagged<T> as Opaque>::Struct) -> Option<&'a mut Tagged<T>>
where
    Tagged<T>: Opaque,
{
    // SAFETY: as the caller promises.
    let is_there = unsafe { opaque::<T>(pointer) }.is_some();
    // SAFETY: `opaque` has found a value, and nobody else uses the struct by promise 2.
    is_there.then(|| unsafe { &mut *pointer.cast::<Tagged<T>>() })
}
