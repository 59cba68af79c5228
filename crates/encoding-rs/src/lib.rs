#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#[cfg(feature = "alloc")]
extern crate alloc;

mod decoder;
mod encoder;
mod encoding;
mod encodings;
pub mod mem;
#[cfg(feature = "alloc")]
mod one_shot;
mod result;
#[cfg(feature = "serde")]
mod serde;
mod shape;

pub use decoder::Decoder;
pub use encoder::Encoder;
pub use encoding::Encoding;
pub use encodings::*;
pub use result::{CoderResult, DecoderResult, EncoderResult};
