//! A reader that finds out the encoding, then decodes.

use alloc::vec::Vec;
use core::fmt;

use super::{
    convert::{Convert, Converted, Decode, Problem, Status},
    read::Reader,
};
use crate::{
    Encoding, LabelError, mem,
    sniff::{Context, ContextError, Hints, Operation, Sniffed, Sniffer, check, error_mode, new_decoder},
};

/// Reads bytes from `R`, finds out their encoding as the standard of a [`Context`] has it, and is read as UTF-8.
///
/// The reader keeps the first bytes of the stream until the encoding is known: until a declaration, or for at most 1024
/// bytes without one, or longer inside an XML declaration. Then it decodes these bytes and all that follow. No byte is
/// lost. The text is that of [`ContextExt::decode`](crate::sniff::ContextExt::decode), with the two limits of a
/// [`Sniffer`], which [`with_patience`](Self::with_patience) and
/// [`with_declaration_limit`](Self::with_declaration_limit) set.
///
/// Contexts whose errors are fatal, such as [`Context::XmlParser`], fail as [`DecodingReader`](super::DecodingReader)
/// does in the error mode fatal. If the encoding that is found is not enabled, every read fails with
/// [`Unsupported`](std::io::ErrorKind::Unsupported), and the error contains the [`LabelError`](crate::LabelError).
///
/// ```
/// use std::io::Read;
/// use textcodec::{SHIFT_JIS, io::SniffingReader, sniff::{Context, Hints, Rung}};
///
/// let page = &b"<!doctype html><meta charset=sjis><p>\x93\xFA\x96\x7B"[..]; // or std::fs::File
/// let mut reader = SniffingReader::new(page, Context::HtmlParser, Hints::default())?;
/// let mut text = String::new();
/// reader.read_to_string(&mut text)?;
/// assert!(text.ends_with("<p>日本"));
/// assert_eq!((reader.encoding(), reader.sniffed().unwrap().rung), (Some(SHIFT_JIS), Rung::Meta));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type SniffingReader<'h, R> = Reader<R, Sniff<'h>>;

impl<'h, R> Reader<R, Sniff<'h>> {
    /// Decodes as `context` does.
    ///
    /// # Errors
    /// [`ContextError::NoDecoding`] if the context encodes; [`ContextError::Label`] for a label that its standard does
    /// not accept.
    pub fn new(inner: R, context: Context, hints: Hints<'h>) -> Result<Self, ContextError> {
        check(context, &hints)?;
        let state = match context.operation() {
            Operation::IsomorphicDecode => State::Isomorphic,
            _ => State::Sniffing { hints, sniffer: Sniffer::new(context, hints) },
        };
        let sniff = Sniff { context, state, kept: Vec::new(), decoded: 0, sniffed: None, position: 0 };
        Ok(Self::in_direction(inner, sniff))
    }

    /// Sets the number of bytes that [`Hints::heuristic`] waits for and sees, as [`Sniffer::with_patience`] does. To be
    /// set before the first read.
    #[must_use]
    pub fn with_patience(self, bytes: usize) -> Self {
        self.with_sniffer(|sniffer| sniffer.with_patience(bytes))
    }

    /// Sets the number of bytes in which an XML declaration is looked for, as [`Sniffer::with_declaration_limit`] does.
    /// To be set before the first read.
    #[must_use]
    pub fn with_declaration_limit(self, bytes: usize) -> Self {
        self.with_sniffer(|sniffer| sniffer.with_declaration_limit(bytes))
    }

    fn with_sniffer(mut self, configure: impl FnOnce(Sniffer<'h>) -> Sniffer<'h>) -> Self {
        if let State::Sniffing { sniffer, .. } = &mut self.direction_mut().state {
            *sniffer = configure(*sniffer);
        }
        self
    }

    /// The encoding that was found, and its source. `None` before the first text is read, and in a context without an
    /// encoding.
    #[must_use]
    pub fn sniffed(&self) -> Option<Sniffed> {
        self.direction().sniffed
    }

    /// The encoding of the bytes. `None` before the first text is read, in a context without an encoding, and if the
    /// encoding is not enabled.
    #[must_use]
    pub fn encoding(&self) -> Option<Encoding> {
        match &self.direction().state {
            State::Decoding(decode) => Some(decode.encoding()),
            State::Sniffing { .. } | State::Isomorphic | State::Failed(_) => None,
        }
    }
}

/// The direction from bytes whose encoding is to be found to UTF-8.
#[derive(Clone)]
pub struct Sniff<'h> {
    context: Context,
    state: State<'h>,
    /// The bytes that were taken before the encoding was known, until all of them are decoded.
    kept: Vec<u8>,
    /// The number of bytes of `kept` that are decoded.
    decoded: usize,
    sniffed: Option<Sniffed>,
    /// In a context without an encoding, the number of bytes that were converted.
    position: u64,
}

#[derive(Clone)]
enum State<'h> {
    /// The encoding is not known.
    Sniffing { hints: Hints<'h>, sniffer: Sniffer<'h> },
    /// The encoding is known.
    Decoding(Decode),
    /// The context has no encoding.
    Isomorphic,
    /// The encoding is not enabled.
    Failed(LabelError),
}

impl Sniff<'_> {
    /// Asks the sniffer about the kept bytes. Changes the state if the encoding is known now.
    fn sniff(&mut self, last: bool) {
        let State::Sniffing { hints, sniffer } = &mut self.state else { return };
        let Some(sniffed) = sniffer.sniff(&self.kept, last) else { return };
        self.sniffed = Some(sniffed);
        self.state = match Encoding::for_name(sniffed.encoding) {
            Ok(encoding) => {
                State::Decoding(Decode::new(new_decoder(self.context, encoding), error_mode(self.context, hints)))
            }
            Err(error) => State::Failed(error),
        };
    }

    /// Converts `source` in a state in which it needs no sniffing.
    fn convert_known(&mut self, source: Option<&[u8]>, destination: &mut [u8]) -> Converted {
        match &mut self.state {
            State::Decoding(decode) => decode.convert(source, destination),
            State::Isomorphic => {
                let source = source.unwrap_or_default();
                let (read, written) = mem::latin1_to_utf8(source, destination);
                self.position += read as u64;
                let status = if read == source.len() { Status::InputEmpty } else { Status::OutputFull };
                Converted { status, read, written }
            }
            State::Failed(error) => Converted { status: Status::Error(Problem::Label(*error)), read: 0, written: 0 },
            State::Sniffing { .. } => Converted { status: Status::InputEmpty, read: 0, written: 0 },
        }
    }
}

impl Convert for Sniff<'_> {
    const TO_TEXT: bool = true;

    fn convert(&mut self, source: Option<&[u8]>, destination: &mut [u8]) -> Converted {
        let mut read = 0;
        if let State::Sniffing { .. } = self.state {
            let bytes = source.unwrap_or_default();
            self.kept.extend_from_slice(bytes);
            read = bytes.len();
            self.sniff(source.is_none());
        }
        let mut written = 0;
        if self.decoded < self.kept.len() && !matches!(self.state, State::Sniffing { .. }) {
            let kept = core::mem::take(&mut self.kept);
            let converted = self.convert_known(Some(&kept[self.decoded..]), destination);
            written = converted.written;
            self.decoded += converted.read;
            if self.decoded < kept.len() {
                self.kept = kept;
            } else {
                self.decoded = 0;
            }
            if converted.status != Status::InputEmpty {
                return Converted { read, ..converted };
            }
        }
        let rest = source.map(|source| &source[read..]);
        let converted = self.convert_known(rest, &mut destination[written..]);
        Converted { status: converted.status, read: read + converted.read, written: written + converted.written }
    }

    fn had_errors(&self) -> bool {
        match &self.state {
            State::Decoding(decode) => decode.had_errors(),
            State::Sniffing { .. } | State::Isomorphic | State::Failed(_) => false,
        }
    }

    fn position(&self) -> u64 {
        match &self.state {
            State::Decoding(decode) => decode.position(),
            _ => self.position,
        }
    }
}

impl fmt::Debug for Sniff<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sniff").field("context", &self.context).field("sniffed", &self.sniffed).finish_non_exhaustive()
    }
}
