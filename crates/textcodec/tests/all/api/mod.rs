//! [API](https://encoding.spec.whatwg.org/#api), with a test for every sentence of the chapter.

#[cfg(feature = "futures-0_3")]
mod futures;
mod model;
mod splits;
mod text_decoder;
mod text_encoder;
