//! What every concern uses: parts of slices, memory that need not be initialised, the fields of tables, hints for the
//! compiler, and functions of the standard library that are newer than the oldest compiler.

pub(crate) mod backports;
pub mod blocks;
mod getters;
pub(crate) mod malformed;
pub(crate) mod opaque;
pub(crate) mod uninit;
pub(crate) mod units;

pub(crate) use self::{backports::*, blocks::*, opaque::*, units::*};
pub(crate) use getters::getters;
pub(crate) use uninit::initialised;
