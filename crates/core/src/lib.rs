//! The core of [textcodec](https://docs.rs/textcodec): the parts of the
//! [Encoding Standard](https://encoding.spec.whatwg.org/) that all encodings share, without any encoding.
//!
//! **Use `textcodec`, not this crate.** The core is an interface between the crates of textcodec: it is for the
//! families of encodings, and makes no promise of stability. Any release may change it.
//!
//! | module | chapter |
//! | --- | --- |
//! | [`io_queue`] | [terminology](https://encoding.spec.whatwg.org/#terminology): I/O queues |
//! | [`handler`] | [encodings](https://encoding.spec.whatwg.org/#encodings): the traits of decoders and encoders |
//! | [`process`] | *process an item*, *process a queue*, the error modes |
//! | [`Name`], [`Name::for_label`] | [names and labels](https://encoding.spec.whatwg.org/#names-and-labels) |
//! | [`index`] | [indexes](https://encoding.spec.whatwg.org/#indexes) |
//! | [`Codec`] | the facts, decoder and encoder of an encoding, without a name |
//! | [`Encoding`] | a codec with a name of the Standard, as one `static` for each encoding |
//! | [`Decoder`], [`Encoder`] | decoders and encoders over slices, for streams and speed |
//! | [`convert`] | functions that the bulk conversions of several encodings share |
//!
//! The encodings are in other crates, one for each family, and `textcodec` combines them. This crate is `#![no_std]`,
//! and it allocates only with the feature `alloc`.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#[cfg(feature = "alloc")]
extern crate alloc;

mod bom;
mod codec;
pub mod convert;
mod decoder;
#[cfg(feature = "encode")]
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
mod registry;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub mod serde;
mod steps;
#[cfg(feature = "testing")]
pub mod testing;

pub use bom::Bom;
#[cfg(feature = "encode")]
pub use codec::EncoderHalf;
pub use codec::{Codec, CutRule, DecoderFunctions};
pub use decoder::{DecodeErrorMode, DecodeResult, DecodeStatus, Decoder, DecoderState};
#[cfg(feature = "encode")]
pub use encoder::{CharacterReference, EncodeErrorMode, EncodeResult, EncodeStatus, Encoder, EncoderState};
pub use encoding::{Encoding, Handle};
#[cfg(feature = "encode")]
pub use error::NoEncoder;
pub use error::{LabelError, Malformed, StateError, Unmappable};
pub use name::Name;
pub use registry::Registry;
#[cfg(feature = "encode")]
pub use registry::{EncoderHalves, Encoders};
