//! The [Encoding Standard](https://encoding.spec.whatwg.org/) in WebAssembly, for the scripts in `lib`.
//!
//! The library has no imports, no allocator, and memory of a fixed size. A script puts up to 64 KiB of its input there,
//! calls a function, and reads the result from the same memory; long inputs take several calls. So the memory never
//! grows, and the views that the script has of it stay valid.
#![cfg_attr(target_arch = "wasm32", no_std)]
// On other targets only the tests call these functions.
#![cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]

#[cfg(target_arch = "wasm32")]
mod boundary;
mod decode;
#[cfg(feature = "detail")]
mod detail;
#[cfg(feature = "encode")]
mod encode;
mod labels;
mod shared;
#[cfg(feature = "sniff")]
mod sniff;
