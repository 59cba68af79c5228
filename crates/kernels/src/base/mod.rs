//! What every concern uses: parts of slices, memory that need not be initialised, hints for the compiler, and functions
//! of the standard library that are newer than the oldest compiler.

pub(crate) mod backports;
pub mod blocks;
pub(crate) mod malformed;
pub(crate) mod opaque;
pub(crate) mod uninit;
pub(crate) mod units;

pub(crate) use self::{backports::*, blocks::*, opaque::*, units::*};
pub(crate) use uninit::initialised;
