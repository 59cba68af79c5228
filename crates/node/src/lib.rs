//! The native half of the npm package: [`textcodec`] for `textcodec.cjs`, which does what the Web IDL Standard asks for.
//!
//! Every function is private to that file. Encodings are numbers, by the order of the Standard's table; an error is
//! `undefined`, and the script throws.

mod decode;
mod encode;
mod napi;
