//! The vectors of each level: loads and stores, dropping of lanes, and questions about all lanes.

#[cfg(vectors)]
mod accesses;
#[cfg(vectors = "x86_64")]
pub(crate) mod avx2;
#[cfg(vectors = "x86_64")]
pub(crate) mod avx512;
#[cfg(vectors)]
mod kept;
#[cfg(vectors = "v128")]
pub(crate) mod v128;
