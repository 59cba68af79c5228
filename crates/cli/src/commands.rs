//! A module for each command.

pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod list;
pub(crate) mod sniff;
