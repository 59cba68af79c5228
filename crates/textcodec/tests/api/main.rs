//! [API](https://encoding.spec.whatwg.org/#api), with a test for every sentence of the chapter.
#![cfg(all(
    feature = "std",
    feature = "single-byte",
    feature = "cjk-chinese",
    feature = "cjk-japanese",
    feature = "cjk-korean",
    feature = "utf16"
))]

#[cfg(feature = "futures")]
mod futures;
mod model;
mod splits;
mod text_decoder;
mod text_encoder;
