//! UTF-16 to UTF-8: every level against the scalar body.

use super::scalar;
use crate::testing::{Function, Functions, battery, converting};

const FUNCTIONS: Functions = Functions { units_to_bytes: &[converting!(from_utf16)], ..Functions::NONE };

battery!();
