//! Finds out the encoding of a resource, and decodes it. This module has all items of `textcodec-sniff`, and adds
//! methods to the contexts that decode and encode.
//!
//! ```
//! use textcodec::sniff::{Context, ContextExt, Hints, Label};
//!
//! // The context knows the operation, the sources of the encoding, and the treatment of errors.
//! let hints = Hints { transport: Some("windows-1251".into()), ..Hints::default() };
//! assert_eq!(Context::HtmlParser.decode(b"\xCF\xF0\xE8\xE2\xE5\xF2", hints)?.text, "Привет");
//! assert_eq!(Context::EventStream.decode("data: Привет".as_bytes(), hints)?.text, "data: Привет");
//!
//! let error = Context::XmlParser.decode(b"<p>caf\xE9</p>", Hints::default()).unwrap_err();
//! assert_eq!(error.to_string(), "XML parser: not UTF-8: malformed bytes E9 at offset 6");
//!
//! // Two contexts encode.
//! let hints = Hints { environment: Some(textcodec::Name::Windows1251), ..Hints::default() };
//! assert_eq!(Context::UrlQuery.encode("да ☃", hints)?, &b"%E4%E0%20%26%239731%3B"[..]);
//! assert_eq!(Context::FormSubmission.encode("да ☃", hints)?, &b"\xE4\xE0 &#9731;"[..]);
//! # Ok::<(), textcodec::sniff::ContextError>(())
//! ```

#[doc(inline)]
pub use textcodec_sniff::*;

#[cfg(feature = "alloc")]
pub use self::{
    context::{ContextError, ContextExt, Decoded},
    stream::ContextDecoder,
};

#[cfg(feature = "std")]
pub(crate) use self::context::{check, error_mode, new_decoder};

#[cfg(feature = "alloc")]
mod context;
#[cfg(feature = "alloc")]
mod stream;
