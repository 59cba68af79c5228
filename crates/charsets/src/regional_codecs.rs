//! Charsets of countries that are more than a table: Vietnamese as glibc decodes it, with letters and marks composed,
//! and Tamil.

pub(crate) use crate::tscii::TSCII;
use crate::{composing::composing, generated::compositions};

composing!(
    /// TCVN 5712-1.
    TCVN5712_1, Tcvn, compositions::TCVN5712_1_UNITS, compositions::TCVN5712_1, compositions::TCVN5712_1_BY_COMPOSED,
    1, Nothing, false
);
