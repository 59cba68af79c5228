//! UTF-16 to UTF-8, with vectors.

#[cfg(vectors = "x86_64")]
pub(crate) mod avx2;
#[cfg(vectors = "x86_64")]
pub(crate) mod avx512;
#[cfg(vectors = "x86_64")]
pub(crate) mod eight_units;
#[cfg(vectors = "v128")]
pub(crate) mod v128;
