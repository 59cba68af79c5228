//! The bodies for NEON.
pub(crate) use crate::scalar::{ascii, latin1, utf8, utf16};
