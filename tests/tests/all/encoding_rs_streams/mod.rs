//! The crate `textcodec-encoding-rs` beside encoding_rs: the same calls give the same results, not only the same text.

mod decoders;
mod driver;
mod encoders;
mod streams;
mod whole;
