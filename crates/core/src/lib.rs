//! The core of [textcodec](https://docs.rs/textcodec): what the
//! [Encoding Standard](https://encoding.spec.whatwg.org/) says of all encodings, and none of the encodings.
//!
//! | module | chapter |
//! | --- | --- |
//! | [`io_queue`] | [terminology](https://encoding.spec.whatwg.org/#terminology): I/O queues |
//! | [`handler`] | [encodings](https://encoding.spec.whatwg.org/#encodings): what a decoder and an encoder are |
//! | [`process`] | *process an item*, *process a queue*, the error modes |
//! | [`Name`], [`Name::for_label`] | [names and labels](https://encoding.spec.whatwg.org/#names-and-labels) |
//! | [`index`] | [indexes](https://encoding.spec.whatwg.org/#indexes) |
//! | [`Encoding`] | an encoding's name and coders, as one `static` per encoding |
//! | [`Decoder`], [`Encoder`] | the same coders over slices, for streams and speed |
//! | [`convert`] | what the bulk paths have in common |
//!
//! The encodings are in crates of their own, a family each; `textcodec` puts them together.
//! `#![no_std]`; without the feature `alloc` nothing here allocates.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#[cfg(feature = "alloc")]
extern crate alloc;

pub mod convert;
mod decoder;
mod encoder;
mod encoding;
mod error;
mod generated;
pub mod handler;
pub mod index;
#[cfg(feature = "alloc")]
pub mod io_queue;
mod label;
mod label_hash;
mod name;
#[cfg(feature = "alloc")]
pub mod process;
#[cfg(feature = "testing")]
pub mod testing;

pub use decoder::{DecodeResult, DecodeStatus, Decoder, DecoderErrorMode};
pub use encoder::{EncodeResult, EncodeStatus, Encoder, EncoderErrorMode};
pub use encoding::{Bom, Encoding, Handle, Registry};
pub use error::{LabelError, Malformed, NoEncoder, Unmappable};
pub use name::Name;
