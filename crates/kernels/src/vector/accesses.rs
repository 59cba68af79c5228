//! Loads and stores of whole vectors, for the levels to list, and code units as pairs of bytes.

/// Declares functions that load an array, which is as long as the vector. The attribute of the functions comes first.
macro_rules! loads {
    ([$level:meta] $($(#[$attribute:meta])* $name:ident: $array:ty => $vector:ty = $instruction:ident;)+) => {
        $(
            $(#[$attribute])*
            #[$level]
            pub(crate) fn $name(from: &$array) -> $vector {
                const { assert!(size_of::<$array>() == size_of::<$vector>()) };
                // SAFETY: the instruction reads as many bytes as the vector has, which is the length of the array by
                // the assertion. It needs no alignment, and every bit pattern is a vector.
                unsafe { $instruction(from.as_ptr().cast()) }
            }
        )+
    };
}
pub(crate) use loads;

/// Declares functions that store a vector to an array, which is as long as the vector. The attribute of the functions
/// comes first.
macro_rules! stores {
    ([$level:meta] $($(#[$attribute:meta])* $name:ident: $vector:ty => $array:ty = $instruction:ident;)+) => {
        $(
            $(#[$attribute])*
            #[$level]
            pub(crate) fn $name(vector: $vector, to: &mut $array) {
                const { assert!(size_of::<$array>() == size_of::<$vector>()) };
                // SAFETY: the instruction writes as many bytes as the vector has, which is the length of the array by
                // the assertion. It needs no alignment, and every bit pattern is an item of the array.
                unsafe { $instruction(to.as_mut_ptr().cast(), vector) }
            }
        )+
    };
}
pub(crate) use stores;

/// Views code units as pairs of bytes, in the byte order of this processor, which is little-endian.
#[cfg(vectors = "x86_64")]
pub(crate) fn as_pairs(units: &[u16]) -> &[[u8; 2]] {
    // SAFETY: the slice covers the same memory for the same lifetime: a pair has the two bytes of a code unit, its
    // alignment is 1, and every bit pattern is a valid pair.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), units.len()) }
}
