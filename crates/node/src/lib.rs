//! The native half of the npm package: [`textcodec`] for `lib/native.cjs`, while the other files of `lib` do what the Web IDL Standard
//! asks for.
//!
//! The functions are for that file alone. Encodings are numbers, by the order of the Standard's table; an error is
//! `undefined`, and the script throws.

mod decode;
mod encode;
mod napi;
