//! [Legacy extract an encoding](https://fetch.spec.whatwg.org/#legacy-extract-an-encoding).

use textcodec_core::Name;

use crate::MimeType;

/// [Legacy extract an encoding](https://fetch.spec.whatwg.org/#legacy-extract-an-encoding): the encoding that the
/// `charset` of `mime_type` names. `fallback_encoding` if there is no `charset`, if it names no encoding, or if
/// `mime_type` is `None`, the Standard's failure.
#[must_use]
pub fn legacy_extract_an_encoding(mime_type: Option<&MimeType<'_>>, fallback_encoding: Name) -> Name {
    mime_type.and_then(MimeType::charset).and_then(|charset| charset.encoding()).unwrap_or(fallback_encoding)
}
