//! Contexts that decode and encode, each with the operation and the error mode of its standard.

use alloc::borrow::Cow;
use core::{error::Error, fmt};

use textcodec_sniff::{Context, ErrorMode, Hints, Operation, Sniffed};

use super::ContextDecoder;
#[cfg(feature = "encode")]
use crate::url;
use crate::{Bom, DecodeErrorMode, Decoder, Encoding, LabelError, Malformed, REPLACEMENT, UTF_8, infra};

/// The methods of a [`Context`] that need encodings.
pub trait ContextExt: Copy {
    /// Decodes all of `bytes` as this context does.
    ///
    /// # Errors
    /// [`ContextError::Malformed`] at the first malformed sequence, if errors are fatal in this context;
    /// [`ContextError::Label`] if the encoding is not enabled, and in [`Context::TextDecoder`] for an unknown label or
    /// a label of replacement; [`ContextError::NoDecoding`] in a context that encodes.
    ///
    /// ```
    /// use textcodec::sniff::{Context, ContextExt, Hints, Rung};
    ///
    /// let decoded = Context::CssFromLinkHeader.decode(b"@charset \"koi8-r\"; /* \xC1 */", Hints::default())?;
    /// assert_eq!(decoded.text, "@charset \"koi8-r\"; /* а */");
    /// assert_eq!(decoded.sniffed.unwrap().rung, Rung::AtCharset);
    /// # Ok::<(), textcodec::sniff::ContextError>(())
    /// ```
    fn decode<'b>(self, bytes: &'b [u8], hints: Hints<'_>) -> Result<Decoded<'b>, ContextError>;

    /// A decoder for bytes that arrive in pieces.
    ///
    /// # Errors
    /// The errors of [`decode`](Self::decode) that do not depend on the bytes.
    fn decoder(self, hints: Hints<'_>) -> Result<ContextDecoder<'_>, ContextError>;

    /// Encodes `text` as this context does. Two contexts encode: [`Context::UrlQuery`], here for a special URL, and
    /// [`Context::FormSubmission`], here for the value of a field. The module [`url`] has the details of both.
    ///
    /// # Errors
    /// [`ContextError::NoEncoding`] in a context that decodes, [`ContextError::Label`] if the encoding is not enabled.
    #[cfg(feature = "encode")]
    fn encode<'t>(self, text: &'t str, hints: Hints<'_>) -> Result<Cow<'t, [u8]>, ContextError>;
}

/// The result of decoding in a [`Context`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Decoded<'b> {
    /// The text. The context determines whether a byte order mark is removed. The text borrows the bytes if they are
    /// the same in UTF-8.
    pub text: Cow<'b, str>,
    /// The encoding of the bytes; `None` in a context without an encoding.
    pub encoding: Option<Encoding>,
    /// The encoding with its source; `None` in a context without an encoding.
    pub sniffed: Option<Sniffed>,
    /// Whether U+FFFD replaced a malformed sequence.
    pub had_errors: bool,
}

/// The reason why a [`Context`] did not decode or encode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ContextError {
    /// The bytes contain a malformed sequence, and errors are fatal in the context.
    Malformed {
        /// The context.
        context: Context,
        /// The encoding.
        encoding: Encoding,
        /// The offset and the bytes.
        malformed: Malformed,
    },
    /// The encoding is not enabled, or the context does not accept a label.
    Label(LabelError),
    /// The context encodes, and cannot decode.
    NoDecoding(Context),
    /// The context decodes, and cannot encode.
    NoEncoding(Context),
}

impl fmt::Display for ContextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContextError::Malformed { context, encoding, malformed } => {
                write!(f, "{context}: not {encoding}: {malformed}")
            }
            ContextError::Label(error) => error.fmt(f),
            ContextError::NoDecoding(context) => write!(f, "{context}: this context encodes and cannot decode"),
            ContextError::NoEncoding(context) => write!(f, "{context}: this context decodes and cannot encode"),
        }
    }
}

impl Error for ContextError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ContextError::Malformed { malformed, .. } => Some(malformed),
            ContextError::Label(error) => Some(error),
            ContextError::NoDecoding(_) | ContextError::NoEncoding(_) => None,
        }
    }
}

impl From<LabelError> for ContextError {
    fn from(error: LabelError) -> Self {
        ContextError::Label(error)
    }
}

impl ContextExt for Context {
    fn decode<'b>(self, bytes: &'b [u8], hints: Hints<'_>) -> Result<Decoded<'b>, ContextError> {
        check(self, &hints)?;
        let Some(sniffed) = self.sniff(bytes, hints) else {
            let text = match infra::ascii_decode(bytes) {
                Ok(text) => text.into(),
                Err(_) => infra::isomorphic_decode(bytes).into(),
            };
            return Ok(Decoded { text, encoding: None, sniffed: None, had_errors: false });
        };
        let encoding = Encoding::for_name(sniffed.encoding)?;
        let (encoding, rest) = match self.operation() {
            Operation::Decode => after_bom(encoding, bytes),
            Operation::TextDecoder | Operation::Utf8Decode => (encoding, after_own_bom(encoding, bytes)),
            _ => (encoding, bytes),
        };
        let (text, had_errors) = match error_mode(self, &hints) {
            DecodeErrorMode::Replacement => encoding.decode_without_bom_handling(rest),
            DecodeErrorMode::Fatal => match encoding.decode_without_bom_handling_or_fail(rest) {
                Ok(text) => (text, false),
                Err(malformed) => {
                    let malformed = malformed.after(bytes.len() - rest.len());
                    return Err(ContextError::Malformed { context: self, encoding, malformed });
                }
            },
        };
        Ok(Decoded { text, encoding: Some(encoding), sniffed: Some(sniffed), had_errors })
    }

    fn decoder(self, hints: Hints<'_>) -> Result<ContextDecoder<'_>, ContextError> {
        check(self, &hints)?;
        Ok(ContextDecoder::new(self, error_mode(self, &hints), hints))
    }

    #[cfg(feature = "encode")]
    fn encode<'t>(self, text: &'t str, hints: Hints<'_>) -> Result<Cow<'t, [u8]>, ContextError> {
        let Some(sniffed) = self.sniff(b"", hints).filter(|_| self.is_encoding_side()) else {
            return Err(ContextError::NoEncoding(self));
        };
        let encoding = Encoding::for_name(sniffed.encoding)?;
        Ok(match self.operation() {
            Operation::PercentEncodeAfterEncoding => url::encode_query(text, "https", encoding).into_bytes().into(),
            _ => encoding.encode(text).bytes,
        })
    }
}

/// Whether `context` decodes and accepts the labels of `hints`.
pub(crate) fn check(context: Context, hints: &Hints<'_>) -> Result<(), ContextError> {
    if context.is_encoding_side() {
        return Err(ContextError::NoDecoding(context));
    }
    // The constructor of TextDecoder treats replacement as an unknown label.
    let label = hints.override_charset;
    if context == Context::TextDecoder
        && label.is_some_and(|label| label.encoding().is_none_or(|encoding| encoding == REPLACEMENT.id()))
    {
        return Err(LabelError::Unknown.into());
    }
    Ok(())
}

pub(crate) fn error_mode(context: Context, hints: &Hints<'_>) -> DecodeErrorMode {
    match context.error_mode() {
        ErrorMode::Fatal => DecodeErrorMode::Fatal,
        ErrorMode::ReplacementOrFatal if hints.fatal => DecodeErrorMode::Fatal,
        _ => DecodeErrorMode::Replacement,
    }
}

/// A decoder for all bytes of a stream, which treats a byte order mark as `context` does.
pub(crate) fn new_decoder(context: Context, encoding: Encoding) -> Decoder {
    match context.operation() {
        Operation::Decode => encoding.new_decoder(),
        Operation::TextDecoder | Operation::Utf8Decode => encoding.new_decoder_with_bom_removal(),
        _ => encoding.new_decoder_without_bom_handling(),
    }
}

/// The encoding that *decode* uses, and the bytes after the byte order mark.
fn after_bom(encoding: Encoding, bytes: &[u8]) -> (Encoding, &[u8]) {
    let bom = Bom::sniff(bytes);
    let encoding = match bom {
        Some(Bom::Utf8) => UTF_8,
        Some(Bom::Utf16Be) => crate::UTF_16BE,
        Some(Bom::Utf16Le) => crate::UTF_16LE,
        None => encoding,
    };
    (encoding, &bytes[bom.map_or(0, |bom| bom.bytes().len())..])
}

/// The bytes after the byte order mark of `encoding`, if they begin with it.
fn after_own_bom(encoding: Encoding, bytes: &[u8]) -> &[u8] {
    encoding.bom().and_then(|bom| bytes.strip_prefix(bom.bytes())).unwrap_or(bytes)
}
