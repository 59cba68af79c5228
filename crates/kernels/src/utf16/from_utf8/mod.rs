//! UTF-8 to UTF-16, with vectors.

#[cfg(vectors = "x86_64")]
pub(crate) mod avx512;
