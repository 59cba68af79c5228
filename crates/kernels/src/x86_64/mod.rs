//! The kernels' bodies for x86-64: one module for each [`Level`](crate::level::Level) of this architecture.

pub(crate) mod avx2;
pub(crate) mod avx512;
#[cfg(feature = "std")]
pub(crate) mod features;
