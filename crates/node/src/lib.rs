//! The native half of the npm package. `lib/native.cjs` calls its functions, which convert text with [`textcodec`]; the
//! other scripts follow the Web IDL Standard.
//!
//! Only that script calls these functions. An encoding is a number: its place in the Standard's table. A function
//! returns `undefined` for an error, and the script throws.

mod charsets;
mod decode;
mod detect;
mod encode;
mod napi;
