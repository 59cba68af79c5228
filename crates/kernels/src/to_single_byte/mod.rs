//! Encoding to one byte per character.

#[cfg(vectors = "x86_64")]
pub(crate) mod avx2;
#[cfg(vectors = "x86_64")]
pub(crate) mod avx512;
pub(crate) mod scalar;
#[cfg(vectors = "v128")]
pub(crate) mod v128;
