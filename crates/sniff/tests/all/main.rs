//! The tests of this crate, as one program: each module tests one part of the sniffing algorithms.

mod contexts;
mod css;
#[cfg(feature = "structure")]
mod damage;
mod declaration;
mod incremental;
mod ladder;
mod mime;
mod prescan;
#[cfg(feature = "structure")]
mod structure;
mod xml;
