//! `textcodec::io`: however the input is cut into pieces and the output is taken, the result is the same as for
//! a whole buffer.

#[cfg(feature = "tokio-util-0_7")]
mod codec;
mod read;
mod reluctant;
mod samples;
#[cfg(all(feature = "sniff", feature = "single-byte"))]
mod sniff;
#[cfg(feature = "futures-0_3")]
mod stream;
#[cfg(feature = "tokio")]
mod tokio;
mod write;
