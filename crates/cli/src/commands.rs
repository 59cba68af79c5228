//! A module for each command.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod git_filter;
pub(crate) mod iconv;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod names;
pub(crate) mod repair;
pub(crate) mod show;
pub(crate) mod sniff;
