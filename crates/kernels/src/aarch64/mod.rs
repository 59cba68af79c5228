//! The bodies for NEON.
pub(crate) use crate::scalar::{ascii, latin1, utf8, utf16};
pub(crate) use crate::scalar::{double_byte, single_byte};
