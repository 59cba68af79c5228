//! What the benchmarks of this crate share.
