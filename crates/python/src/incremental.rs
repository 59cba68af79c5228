//! Decoders and encoders for streams, with the interface of Python's [incremental
//! codecs](https://docs.python.org/3/library/codecs.html#incremental-encoding-and-decoding).

use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyString},
};
use textcodec::{BomHandling, DecodeErrorMode, DecodeStatus, mem};

use crate::{
    charset::{self, AnyEncoding, Decoder},
    cpython::{Source, string_from_latin1},
    decode,
    encode::{self, Target},
    errors::{self, Errors},
};

/// A decoder for bytes that arrive in pieces. The text does not depend on how they are cut.
///
/// The arguments are those of the function `decode`. The interface is the one of `codecs.IncrementalDecoder`.
///
/// >>> decoder = textcodec.IncrementalDecoder("shift_jis")
/// >>> decoder.decode(b"\x83"), decoder.decode(b"\x65\x83"), decoder.decode(b"", final=True)
/// ('', 'テ', '\ufffd')
/// >>> decoder.had_errors
/// True
#[pyclass(module = "textcodec", subclass)]
pub(crate) struct IncrementalDecoder {
    decoder: Decoder,
    /// The encoding and the treatment of byte order marks that the decoder was made with.
    encoding: AnyEncoding,
    bom: BomHandling,
    errors: Errors,
    had_errors: bool,
    /// The bytes of the sequence that has begun.
    pending: Vec<u8>,
    /// The state of the handler before the sequence that has begun.
    boundary: u64,
}

/// The bits of the number in a state: whether the start of the stream is over, the byte order mark, the state of the
/// handler.
const STARTED: u64 = 1;
const BOM_SHIFT: u32 = 1;
const BOM_MASK: u64 = 3;
const HANDLER_SHIFT: u32 = 3;

#[pymethods]
impl IncrementalDecoder {
    #[new]
    #[pyo3(
        signature = (label=None, errors=None, bom=None, *, charset=None),
        text_signature = "(label=None, errors='replace', bom='sniff', *, charset=None)"
    )]
    fn new(
        py: Python<'_>,
        label: Option<&Bound<'_, PyAny>>,
        errors: Option<&Bound<'_, PyString>>,
        bom: Option<&Bound<'_, PyString>>,
        charset: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (encoding, bom) = (charset::of_arguments(py, label, charset)?, decode::bom_handling(bom)?);
        Ok(IncrementalDecoder {
            decoder: encoding.new_decoder(bom),
            encoding,
            bom,
            errors: Errors::or(errors, Errors::Replace)?,
            had_errors: false,
            pending: Vec::new(),
            boundary: 0,
        })
    }

    /// The text of the next bytes. `final` says that the stream ends with them; the next call starts another one.
    #[pyo3(signature = (input, r#final=false))]
    fn decode<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        input: &Bound<'py, PyAny>,
        r#final: bool,
    ) -> PyResult<Bound<'py, PyString>> {
        let mut source = Source::new(input)?;
        let mut guard = errors::borrow(slf)?;
        let this = &mut *guard;
        // The decoder says whether it is between sequences, after the start.
        let is_unchanged = |bytes| !r#final && this.decoder.latin1_up_to(&[]).is_some() && mem::is_ascii(bytes);
        if this.decoder.encoding().is_ascii_compatible() && is_unchanged(source.as_slice()) {
            return string_from_latin1(py, source.as_slice());
        }
        let before = this.decoder;
        let (text, had_errors) =
            decode::next(py, &mut this.decoder, &mut source, &this.pending, r#final, &this.errors)?;
        this.had_errors |= had_errors;
        this.keep_pending(source.as_slice(), &before);
        Ok(text)
    }

    /// Forgets the stream.
    fn reset(&mut self) {
        self.decoder.reset();
        self.pending.clear();
        self.boundary = 0;
        self.had_errors = false;
    }

    /// The state: the bytes of a sequence that has begun, and a number, which is 0 at the start of a stream.
    fn getstate<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>, u64) {
        let [_, _, rest] = self.decoder.stream_state().into();
        let [.., stage, bom, _, _] = rest.to_le_bytes();
        // After the end, the next call starts another stream.
        if stage == 2 {
            return (PyBytes::new(py, &[]), 0);
        }
        // A stage of 0 says that the start of the stream is over.
        let is_started = stage == 0 && self.looks_for_bom();
        let flags =
            if is_started { STARTED } else { 0 } | (u64::from(bom) << BOM_SHIFT) | (self.boundary << HANDLER_SHIFT);
        (PyBytes::new(py, &self.pending), flags)
    }

    /// Goes back to a state that `getstate` returned.
    fn setstate(&mut self, py: Python<'_>, state: (Bound<'_, PyBytes>, u64)) -> PyResult<()> {
        let (pending, flags) = (state.0.as_bytes(), state.1);
        let boundary = flags >> HANDLER_SHIFT;
        let is_started = flags & STARTED != 0;
        if is_started && !self.looks_for_bom() {
            return Err(wrong_state());
        }
        let is_started = is_started || !self.looks_for_bom();
        let mut rest = [0; 8];
        rest[4] = u8::from(!is_started);
        rest[5] = (flags >> BOM_SHIFT & BOM_MASK) as u8;
        // At the position 0 no sequence has begun.
        self.decoder.resume([boundary, 0, u64::from_le_bytes(rest)].into()).map_err(|_| wrong_state())?;
        (self.boundary, self.had_errors) = (boundary, false);
        self.pending.clear();
        let before = self.decoder;
        let mut source = Source::Bytes(PyBytes::new(py, pending));
        decode::next(py, &mut self.decoder, &mut source, &[], false, &Errors::Replace)?;
        self.keep_pending(pending, &before);
        Ok(())
    }

    /// The encoding. With bom="sniff", a byte order mark at the start of the stream can change it.
    #[getter]
    fn encoding<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        charset::object(py, self.decoder.encoding())
    }

    /// The name of the error handler.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.errors.name(py)
    }

    #[setter]
    fn set_errors(&mut self, errors: &Bound<'_, PyString>) -> PyResult<()> {
        self.errors = Errors::new(errors)?;
        Ok(())
    }

    /// Whether there was a malformed sequence so far.
    #[getter]
    fn had_errors(&self) -> bool {
        self.had_errors
    }
}

impl IncrementalDecoder {
    /// Whether a byte order mark at the start of the stream can matter.
    fn looks_for_bom(&self) -> bool {
        self.encoding.looks_for_bom(self.bom)
    }

    /// The state between two sequences from which the bytes of the sequence that has begun lead to the current state.
    fn state_before(&self, begun: &[u8]) -> Option<u64> {
        /// No decoder has more states between two sequences.
        const MOST_STATES: u64 = 256;
        (0..MOST_STATES).find(|&between| {
            let mut decoder = self.encoding.new_decoder(BomHandling::Keep);
            let mut units = Vec::new();
            decoder.resume([between, 0, 0].into()).is_ok()
                && decoder.decode_to_utf16_vec(begun, &mut units, false, DecodeErrorMode::Fatal).status
                    == DecodeStatus::InputEmpty
                && units.is_empty()
                && handler_state(&decoder) == handler_state(&self.decoder)
        })
    }

    /// Keeps the bytes of the sequence that has begun, after `bytes` were decoded from the state `before`.
    fn keep_pending(&mut self, bytes: &[u8], before: &Decoder) {
        let length = (self.decoder.position() - self.decoder.sequence_start()) as usize;
        if let Some(boundary) = bytes.len().checked_sub(length) {
            self.pending.clear();
            self.pending.extend_from_slice(&bytes[boundary..]);
            self.boundary = match self.encoding {
                encoding if !encoding.keeps_state() => 0,
                _ if length == 0 => handler_state(&self.decoder),
                AnyEncoding::Standard(_) => {
                    let (mut decoder, mode) = (*before, DecodeErrorMode::Replacement);
                    let _ = decoder.decode_to_utf16_vec(&bytes[..boundary], &mut Vec::new(), false, mode);
                    // An escape of an earlier piece that the first of these bytes shows to be malformed is still there.
                    let is_between = self
                        .encoding
                        .new_decoder(BomHandling::Keep)
                        .resume([handler_state(&decoder), 0, 0].into())
                        .is_ok();
                    if is_between {
                        handler_state(&decoder)
                    } else {
                        self.state_before(&bytes[boundary..]).unwrap_or(0)
                    }
                }
                // A decoder that composes characters still holds the letter before the sequence at its start.
                AnyEncoding::Charset(_) => self.state_before(&bytes[boundary..]).unwrap_or(0),
            };
        } else {
            self.pending.extend_from_slice(bytes);
            self.pending.drain(..self.pending.len().saturating_sub(length));
        }
    }
}

/// The state of the handler.
fn handler_state(decoder: &Decoder) -> u64 {
    let [handler, _, _] = decoder.stream_state().into();
    handler
}

fn wrong_state() -> PyErr {
    PyValueError::new_err("the state is not one that getstate() returned")
}

/// An encoder for text that comes in pieces.
///
/// The arguments are those of the function `encode`. The interface is the one of `codecs.IncrementalEncoder`.
///
/// >>> encoder = textcodec.IncrementalEncoder("iso-2022-jp")
/// >>> encoder.encode("日"), encoder.encode("本", final=True)
/// (b'\x1b$BF|', b'K\\\x1b(B')
#[pyclass(module = "textcodec", subclass)]
pub(crate) struct IncrementalEncoder {
    target: Target,
    errors: Errors,
}

#[pymethods]
impl IncrementalEncoder {
    #[new]
    #[pyo3(
        signature = (label=None, errors=None, *, charset=None),
        text_signature = "(label=None, errors='strict', *, charset=None)"
    )]
    fn new(
        py: Python<'_>,
        label: Option<&Bound<'_, PyAny>>,
        errors: Option<&Bound<'_, PyString>>,
        charset: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let target = Target::new(charset::of_arguments(py, label, charset)?)?;
        Ok(IncrementalEncoder { target, errors: Errors::or(errors, Errors::Strict)? })
    }

    /// The bytes of the next text. `final` says that the stream ends with it; the next call starts another one.
    #[pyo3(signature = (input, r#final=false))]
    fn encode<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        input: &Bound<'py, PyString>,
        r#final: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut guard = errors::borrow(slf)?;
        let this = &mut *guard;
        encode::next(py, &mut this.target, input, r#final, &this.errors)
    }

    /// Forgets the stream.
    fn reset(&mut self) {
        self.target.reset();
    }

    /// The state, a number. It is 0 at the start of a stream.
    fn getstate(&self) -> u64 {
        self.target.state()
    }

    /// Goes back to a state that `getstate` returned.
    fn setstate(&mut self, state: u64) -> PyResult<()> {
        self.target.resume(state).map_err(|_| wrong_state())
    }

    /// The encoding.
    #[getter]
    fn encoding<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        charset::object(py, self.target.encoding())
    }

    /// The name of the error handler.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.errors.name(py)
    }

    #[setter]
    fn set_errors(&mut self, errors: &Bound<'_, PyString>) -> PyResult<()> {
        self.errors = Errors::new(errors)?;
        Ok(())
    }
}
