//! Contexts that decode bytes that arrive in pieces.

use alloc::{string::String, vec::Vec};
use core::fmt;

use textcodec_core::handler::Unchanged;
use textcodec_sniff::{Change, Confidence, Context, Hints, Operation, Sniffed, Sniffer, change_the_encoding};

use super::{ContextError, context::new_decoder};
use crate::{DecodeErrorMode, DecodeStatus, Decoder, Encoding, Name, mem};

/// Decodes a stream as its [`Context`] does. The decoder keeps the first bytes until the encoding is known, then
/// decodes them and all bytes that follow. No byte is lost, and the text does not depend on how the stream is cut into
/// pieces.
///
/// The text is the same as the text of [`ContextExt::decode`](super::ContextExt::decode), with two exceptions, both of
/// which have a limit to set: [`Hints::heuristic`] sees the first 1024 bytes only
/// ([`with_patience`](Self::with_patience)), and an XML declaration is looked for in the first 64 KiB only
/// ([`with_declaration_limit`](Self::with_declaration_limit)).
///
/// ```
/// use textcodec::sniff::{Context, ContextExt, Hints};
///
/// let page = b"<!doctype html><meta charset=windows-1251><title>\xCF\xF0\xE8\xE2\xE5\xF2</title>";
/// let mut decoder = Context::HtmlParser.decoder(Hints::default())?;
/// let mut text = String::new();
/// for piece in page.chunks(7) {
///     decoder.decode(piece, &mut text, false)?;
/// }
/// decoder.decode(b"", &mut text, true)?;
/// assert!(text.ends_with("<title>Привет</title>"));
/// assert_eq!(decoder.sniffed().unwrap().to_string(), "windows-1251, tentative: a meta element declares it");
/// # Ok::<(), textcodec::sniff::ContextError>(())
/// ```
#[derive(Clone)]
pub struct ContextDecoder<'h> {
    context: Context,
    mode: DecodeErrorMode,
    state: State<'h>,
    sniffed: Option<Sniffed>,
    /// Whether all bytes so far mean the same text in all encodings except UTF-16 and replacement.
    is_ascii: bool,
    had_errors: bool,
}

#[derive(Clone)]
enum State<'h> {
    /// The encoding is not known.
    Sniffing {
        sniffer: Sniffer<'h>,
        held: Vec<u8>,
    },
    Decoding(Decoder),
    /// The context has no encoding.
    Isomorphic,
    /// The decoder failed with this error.
    Failed(ContextError),
}

impl<'h> ContextDecoder<'h> {
    pub(super) fn new(context: Context, mode: DecodeErrorMode, hints: Hints<'h>) -> Self {
        let state = match context.operation() {
            Operation::IsomorphicDecode => State::Isomorphic,
            _ => State::Sniffing { sniffer: Sniffer::new(context, hints), held: Vec::new() },
        };
        ContextDecoder { context, mode, state, sniffed: None, is_ascii: true, had_errors: false }
    }

    /// Sets the number of bytes that [`Hints::heuristic`] waits for and sees, as [`Sniffer::with_patience`] does. To be
    /// set before the first bytes are decoded.
    #[must_use]
    pub fn with_patience(mut self, bytes: usize) -> Self {
        if let State::Sniffing { sniffer, .. } = &mut self.state {
            *sniffer = sniffer.with_patience(bytes);
        }
        self
    }

    /// Sets the number of bytes in which an XML declaration is looked for, as [`Sniffer::with_declaration_limit`] does.
    /// To be set before the first bytes are decoded.
    #[must_use]
    pub fn with_declaration_limit(mut self, bytes: usize) -> Self {
        if let State::Sniffing { sniffer, .. } = &mut self.state {
            *sniffer = sniffer.with_declaration_limit(bytes);
        }
        self
    }

    /// Takes all of `bytes`, and appends the text that is known by now to `text`. `last` says that the stream ends with
    /// these bytes; then `text` is complete.
    ///
    /// # Errors
    /// As [`ContextExt::decode`](super::ContextExt::decode). The text before a malformed sequence is appended. No byte
    /// after it is read, and every later call returns the same error.
    pub fn decode(&mut self, bytes: &[u8], text: &mut String, last: bool) -> Result<(), ContextError> {
        // In ISO-2022-JP, ESC, SO and SI do not mean the ASCII characters.
        self.is_ascii &= mem::iso_2022_jp_ascii_up_to(bytes) == bytes.len();
        match &mut self.state {
            State::Sniffing { sniffer, held } if held.is_empty() => match sniffer.sniff(bytes, last) {
                None => {
                    held.extend_from_slice(bytes);
                    Ok(())
                }
                Some(sniffed) => self.begin(sniffed).and_then(|()| self.decode_rest(bytes, text, last)),
            },
            State::Sniffing { sniffer, held } => {
                held.extend_from_slice(bytes);
                let Some(sniffed) = sniffer.sniff(held, last) else { return Ok(()) };
                let held = core::mem::take(held);
                self.begin(sniffed).and_then(|()| self.decode_rest(&held, text, last))
            }
            _ => self.decode_rest(bytes, text, last),
        }
    }

    /// The encoding and its source, once they are known. They are known after the last bytes at the latest, unless the
    /// context has no encoding.
    #[must_use]
    pub fn sniffed(&self) -> Option<Sniffed> {
        self.sniffed
    }

    /// Whether the bytes that were decoded so far contain a malformed sequence.
    #[must_use]
    pub fn had_errors(&self) -> bool {
        self.had_errors
    }

    /// [Change the encoding](https://html.spec.whatwg.org/#change-the-encoding) to one that a late `meta` declares; see
    /// [`MetaElement`](textcodec_sniff::MetaElement). Does nothing unless the confidence is tentative, and makes it
    /// certain.
    ///
    /// After [`Change::Switch`], the following bytes are decoded in the new encoding. After [`Change::Reload`], this
    /// decoder is unchanged: decode the document again from its start, with the new encoding as [`Hints::definite`].
    ///
    /// # Errors
    /// [`ContextError::Label`] if the new encoding is not enabled.
    pub fn change_the_encoding(&mut self, new: Name) -> Result<Change, ContextError> {
        let (State::Decoding(decoder), Some(sniffed)) = (&mut self.state, &mut self.sniffed) else {
            return Ok(Change::Keep);
        };
        if sniffed.confidence != Confidence::Tentative {
            return Ok(Change::Keep);
        }
        let is_like_ascii =
            |name| Encoding::for_name(name).is_ok_and(|encoding| encoding.unchanged() != Unchanged::Nothing);
        let is_same = |new| self.is_ascii && is_like_ascii(sniffed.encoding) && is_like_ascii(new);
        // A declaration of UTF-16 switches to UTF-8, which is like ASCII.
        let change = match change_the_encoding(sniffed.encoding, new, true) {
            Change::Switch(new) if !is_same(new) => Change::Reload(new),
            change => change,
        };
        if let Change::Switch(new) = change {
            *decoder = Encoding::for_name(new)?.new_decoder_without_bom_handling();
            sniffed.encoding = new;
        }
        sniffed.confidence = Confidence::Certain;
        Ok(change)
    }

    fn begin(&mut self, sniffed: Sniffed) -> Result<(), ContextError> {
        self.sniffed = Some(sniffed);
        match Encoding::for_name(sniffed.encoding) {
            Ok(encoding) => {
                self.state = State::Decoding(new_decoder(self.context, encoding));
                Ok(())
            }
            Err(error) => self.fail(error.into()),
        }
    }

    fn decode_rest(&mut self, bytes: &[u8], text: &mut String, last: bool) -> Result<(), ContextError> {
        match &mut self.state {
            State::Decoding(decoder) => {
                let result = decoder.decode_to_string(bytes, text, last, self.mode);
                self.had_errors |= result.had_errors;
                let DecodeStatus::Malformed(malformed) = result.status else { return Ok(()) };
                let encoding = decoder.encoding();
                self.fail(ContextError::Malformed { context: self.context, encoding, malformed })
            }
            State::Isomorphic => {
                text.extend(bytes.iter().copied().map(char::from));
                Ok(())
            }
            State::Failed(error) => Err(*error),
            State::Sniffing { .. } => Ok(()),
        }
    }

    fn fail(&mut self, error: ContextError) -> Result<(), ContextError> {
        self.state = State::Failed(error);
        Err(error)
    }
}

impl fmt::Debug for ContextDecoder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContextDecoder")
            .field("context", &self.context)
            .field("mode", &self.mode)
            .field("sniffed", &self.sniffed)
            .finish_non_exhaustive()
    }
}
