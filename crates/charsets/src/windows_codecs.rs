//! Code pages of Windows as glibc decodes them: with letters and marks composed.

use crate::{
    composing::composing,
    generated::{compositions, windows},
};

composing!(
    /// Hebrew.
    CP1255, Cp1255, compositions::CP1255, compositions::CP1255_BY_COMPOSED, Ascii, true, with_index,
    &windows::CP1255_CODE_POINTS, &windows::CP1255_TABLE
);
composing!(
    /// Vietnamese.
    CP1258, Cp1258, compositions::CP1258, compositions::CP1258_BY_COMPOSED, Nothing, true, with_index,
    &windows::CP1258_CODE_POINTS, &windows::CP1258_TABLE
);
