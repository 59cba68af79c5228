//! The bodies for AVX2.
pub(crate) use crate::scalar::{ascii, latin1, utf8, utf16};
