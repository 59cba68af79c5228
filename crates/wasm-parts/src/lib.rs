//! The parts of textcodec that a page loads only if it asks, in WebAssembly: the detector, and the charsets. Each
//! feature makes a library of its own.
//!
//! `crates/wasm/lib/parts.mjs` is the only script that calls the libraries. It puts at most 64 KiB at the address of
//! the input, calls a function with numbers, and reads the output. Other than the library of `crates/wasm`, these
//! libraries have an allocator, and their memory can grow.
// On other targets nothing calls these functions.
#![cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]

#[cfg(target_arch = "wasm32")]
mod boundary;
#[cfg(feature = "charsets")]
mod charsets;
#[cfg(feature = "detect")]
mod detect;
mod state;
