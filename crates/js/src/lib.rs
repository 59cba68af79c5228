//! What the npm packages share: the detector and the charsets, behind functions of numbers, bytes and strings.
//!
//! The native half of the Node package and the WebAssembly library of the browser package call these functions, and
//! their scripts make objects of JavaScript of the results. A structured result is a string of JSON. What a script
//! keeps between two calls, such as a detector, has a number.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

#[cfg(feature = "charsets")]
pub mod charsets;
#[cfg(feature = "detect")]
pub mod detect;
mod handles;
#[cfg(any(feature = "detect", feature = "charsets"))]
mod json;

use alloc::{format, string::String};
use core::fmt::Display;

/// The reason why an argument of a script cannot be used: the code of the error and its message, separated by a space.
/// The script throws a RangeError.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal(pub String);

impl Refusal {
    fn new(code: &str, message: impl Display) -> Self {
        Refusal(format!("{code} {message}"))
    }
}
