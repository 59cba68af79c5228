//! [Encode](https://encoding.spec.whatwg.org/#encode), with the error handlers of Python.

use pyo3::{
    exceptions::{PyTypeError, PyUnicodeEncodeError},
    prelude::*,
    types::{PyBytes, PyString},
};
use textcodec::{EncodeErrorMode, EncodeStatus, Encoding, StateError, UTF_16BE, UTF_16LE, Unmappable};

use crate::{
    charset::{self, AnyEncoding, Encoder},
    cpython::{WideChar, append_wide, bytes_object, reserve},
    errors::{self, Errors},
};

/// The number of code units from which a text is encoded without the global interpreter lock, as for
/// [decoding](crate::decode).
const RELEASE_FROM: usize = 128 * 1024;

/// The number of code units of a long text that are encoded at once where unmappable characters are replaced.
const PIECE: usize = 16 * 1024;

/// The number of bytes that encoders want to have free beyond those that they write.
const ENCODER_SLACK: usize = 64;

/// The number of code points up to which copying a string takes less time than the call that asks whether it is ASCII.
const SHORT: usize = 64;

/// Encodes a string, and returns bytes.
///
/// `label` is a label as in HTTP and HTML, or an `Encoding`. `errors` is the name of an error handler: "strict" raises
/// UnicodeEncodeError at the first character that the encoding does not have, "xmlcharrefreplace" writes a character
/// reference as browsers do in forms, and all other handlers work that are registered in `codecs`.
///
/// UTF-16 is written without a byte order mark. The encoding replacement has no characters. `charset` is as for
/// `decode`; no text is written in UTF-7.
///
/// >>> textcodec.encode("テキ", "shift_jis")
/// b'\x83e\x83L'
/// >>> textcodec.encode("☃", "shift_jis", errors="xmlcharrefreplace")
/// b'&#9731;'
/// >>> textcodec.encode("½ ▒", charset="cp437")
/// b'\xab \xb1'
/// >>> textcodec.encode("a☃", "shift_jis")
/// Traceback (most recent call last):
/// UnicodeEncodeError: 'Shift_JIS' codec can't encode character '\u2603' in position 1: unmappable character
#[pyfunction]
#[pyo3(
    signature = (text, label=None, errors=None, *, charset=None),
    text_signature = "(text, label=None, errors='strict', *, charset=None)"
)]
pub(crate) fn encode<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyString>,
    label: Option<&Bound<'py, PyAny>>,
    errors: Option<&Bound<'py, PyString>>,
    charset: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let encoding = charset::of_arguments(py, label, charset)?;
    encoded(py, text, encoding, &Errors::or(errors, Errors::Strict)?)
}

/// The bytes of `text`.
pub(crate) fn encoded<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyString>,
    encoding: impl Into<AnyEncoding>,
    errors: &Errors,
) -> PyResult<Bound<'py, PyBytes>> {
    next(py, &mut Target::new(encoding.into())?, text, true, errors)
}

/// An encoder for a stream of text.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// An encoder of the Standard or of a charset.
    Encoder(Encoder),
    /// UTF-16BE or UTF-16LE, which the Standard only decodes.
    Utf16(Encoding),
    /// Replacement, which cannot encode any character.
    Nothing(Encoding),
}

impl Target {
    /// A new encoder.
    ///
    /// # Errors
    /// `ValueError` for a charset in which no text is written.
    pub(crate) fn new(encoding: AnyEncoding) -> PyResult<Self> {
        encoding.check_writable()?;
        match (encoding, Encoder::new(encoding)) {
            (_, Some(encoder)) => Ok(Target::Encoder(encoder)),
            (AnyEncoding::Standard(encoding), None) if [UTF_16BE, UTF_16LE].contains(&encoding) => {
                Ok(Target::Utf16(encoding))
            }
            (AnyEncoding::Standard(encoding), None) => Ok(Target::Nothing(encoding)),
            (AnyEncoding::Charset(_), None) => Err(charset::cannot_write(encoding.name())),
        }
    }

    /// The encoding.
    pub(crate) fn encoding(&self) -> AnyEncoding {
        match *self {
            Target::Encoder(ref encoder) => encoder.encoding(),
            Target::Utf16(encoding) | Target::Nothing(encoding) => encoding.into(),
        }
    }

    /// The state of the stream, 0 at its start.
    pub(crate) fn state(&self) -> u64 {
        match self {
            // Between two calls, no character reference and no surrogate pair is incomplete.
            Target::Encoder(encoder) => {
                let [handler, _, _] = encoder.stream_state().into();
                handler
            }
            Target::Utf16(_) | Target::Nothing(_) => 0,
        }
    }

    /// Continues the stream in a state that [`state`](Self::state) returned.
    pub(crate) fn resume(&mut self, state: u64) -> Result<(), StateError> {
        match self {
            Target::Encoder(encoder) => encoder.resume([state, 0, 0].into()),
            Target::Utf16(_) | Target::Nothing(_) if state == 0 => Ok(()),
            Target::Utf16(_) | Target::Nothing(_) => Err(StateError::new()),
        }
    }

    /// Whether the next bytes depend on earlier text: a letter waits for its mark, or an escape sequence is in effect.
    fn has_pending_state(&self) -> bool {
        match self {
            Target::Encoder(encoder) => encoder.has_pending_state(),
            Target::Utf16(_) | Target::Nothing(_) => false,
        }
    }

    /// Forgets the stream.
    pub(crate) fn reset(&mut self) {
        if let Target::Encoder(encoder) = self {
            encoder.reset();
        }
    }

    /// Encodes well-formed UTF-16 up to its end or up to the first unmappable character, which is read. Returns the
    /// number of code units that were read, and the code point of the error.
    fn put(&mut self, units: &[u16], bytes: &mut Vec<u8>, last: bool) -> (usize, Option<char>) {
        match self {
            Target::Encoder(encoder) => {
                let result = encoder.encode_utf16_to_vec(units, bytes, last, EncodeErrorMode::Fatal);
                match result.status {
                    EncodeStatus::Unmappable(unmappable) => (result.read, Some(unmappable.code_point)),
                    _ => (result.read, None),
                }
            }
            Target::Utf16(encoding) => {
                if *encoding == UTF_16BE {
                    bytes.extend(units.iter().flat_map(|unit| unit.to_be_bytes()));
                } else {
                    bytes.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
                }
                (units.len(), None)
            }
            Target::Nothing(_) => match char::decode_utf16(units.iter().copied()).next() {
                Some(Ok(character)) => (character.len_utf16(), Some(character)),
                _ => (0, None),
            },
        }
    }

    /// The number of bytes to make space for before this number of code units is encoded. A long text gets all the
    /// space that it can need without what is written for unmappable characters: Rust ends the process if it cannot
    /// make more space later, and [`put_all`](Self::put_all) asks for the rest. The system gives memory only for the
    /// part that is used.
    fn space(&self, units: usize) -> usize {
        match self {
            Target::Encoder(encoder) if units >= RELEASE_FROM => {
                encoder.max_length_from_utf16(units, EncodeErrorMode::Fatal).unwrap_or(usize::MAX)
            }
            Target::Utf16(_) => 2 * units + 8,
            Target::Encoder(_) | Target::Nothing(_) => units + 8,
        }
    }

    /// The greatest number of bytes that this number of code units can become, with what `errors` says for unmappable
    /// characters as far as [`put_all`](Self::put_all) writes that.
    fn most(&self, units: usize, errors: &Errors) -> usize {
        let most = match (self, errors) {
            (Target::Encoder(encoder), Errors::CharacterReference) if encoder.encoding().standard().is_some() => {
                encoder.max_length_from_utf16(units, EncodeErrorMode::Html)
            }
            (Target::Encoder(encoder), errors) => {
                // The reference `&#65535;` for a code unit has eight characters.
                let characters = if matches!(errors, Errors::CharacterReference) { 8 } else { 1 };
                encoder.max_length_from_utf16(units.saturating_mul(characters), EncodeErrorMode::Fatal)
            }
            (Target::Utf16(_), _) => units.checked_mul(2),
            (Target::Nothing(_), _) => Some(0),
        };
        most.map_or(usize::MAX, |most| most.saturating_add(ENCODER_SLACK))
    }

    /// Encodes all of `units` and writes what `errors` says for unmappable characters. Returns whether that was
    /// possible without Python.
    ///
    /// # Errors
    /// `MemoryError` if the system gives no memory for a long text.
    fn put_all(&mut self, units: &[u16], bytes: &mut Vec<u8>, last: bool, errors: &Errors) -> PyResult<bool> {
        if units.len() < RELEASE_FROM || matches!(errors, Errors::Strict | Errors::Handler(_)) {
            return Ok(self.put_piece(units, bytes, last, errors));
        }
        // Most texts fit into the space that there is. For all characters to become references, a text would need up to
        // ten times its length, which a system can refuse.
        let mut pieces = units.chunks(PIECE).peekable();
        while let Some(piece) = pieces.next() {
            reserve(bytes, self.most(piece.len(), errors))?;
            if !self.put_piece(piece, bytes, last && pieces.peek().is_none(), errors) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Encodes `units` as [`put_all`](Self::put_all) does. Rust ends the process if it has no memory for more space.
    fn put_piece(&mut self, units: &[u16], bytes: &mut Vec<u8>, last: bool, errors: &Errors) -> bool {
        let replacement = match (&mut *self, errors) {
            (Target::Encoder(encoder), Errors::CharacterReference) if encoder.encoding().standard().is_none() => {
                // The reference is text, because its ASCII bytes mean something else in EBCDIC.
                let reference = |unmappable: Unmappable| format!("&#{};", u32::from(unmappable.code_point));
                return encoder.encode_utf16_to_vec_with(units, bytes, last, reference).is_ok();
            }
            (Target::Encoder(encoder), Errors::CharacterReference) => {
                let _ = encoder.encode_utf16_to_vec(units, bytes, last, EncodeErrorMode::Html);
                return true;
            }
            (Target::Encoder(_), Errors::Replace) => "?",
            (Target::Encoder(_), Errors::Ignore) => "",
            _ => return self.put(units, bytes, last).1.is_none(),
        };
        match self {
            Target::Encoder(encoder) => encoder.encode_utf16_to_vec_with(units, bytes, last, |_| replacement).is_ok(),
            Target::Utf16(_) | Target::Nothing(_) => false,
        }
    }
}

/// The bytes of the next text of a stream. `last` says that the stream ends with it. After an exception and
/// after a panic, the encoder is in the state in which it was before.
pub(crate) fn next<'py>(
    py: Python<'py>,
    target: &mut Target,
    text: &Bound<'py, PyString>,
    last: bool,
    errors: &Errors,
) -> PyResult<Bound<'py, PyBytes>> {
    // ASCII must not overtake a letter that waits.
    let is_ascii_compatible = target.encoding().is_ascii_compatible() && !target.has_pending_state();
    let length = text.code_point_len()?;
    if is_ascii_compatible && length > SHORT && text.call_method0("isascii")?.is_truthy()? {
        // CPython stores ASCII as UTF-8, so this neither converts nor allocates.
        return bytes_object(py, text.to_str()?.as_bytes());
    }
    let mut wide = Vec::new();
    append_wide(text, &mut wide)?;
    let mut after = *target;
    if let Some(units) = to_utf16(&wide)? {
        let mut bytes = Vec::new();
        reserve(&mut bytes, after.space(units.len()))?;
        let mut convert = || after.put_all(&units, &mut bytes, last, errors);
        let is_done = if units.len() >= RELEASE_FROM { py.detach(convert)? } else { convert()? };
        if is_done {
            *target = after;
            return bytes_object(py, &bytes);
        }
        after = *target;
    }
    let bytes = with_errors(py, &mut after, text, &code_points(&wide)?, last, errors)?;
    *target = after;
    Ok(bytes)
}

/// The UTF-16 of a text; `None` if it has a lone surrogate.
fn to_utf16(wide: &[WideChar]) -> PyResult<Option<Vec<u16>>> {
    let mut units = Vec::new();
    #[allow(clippy::useless_conversion, reason = "on Windows, a wide character has 16 bits")]
    let (all, surrogates) = wide.iter().fold((0, false), |(all, surrogates), &wide| {
        let wide = u32::from(wide);
        (all | wide, surrogates | (wide & 0xFFFF_F800 == 0xD800))
    });
    match (all, surrogates) {
        (0x1_0000.., false) => units = units_of(&code_points(wide)?)?,
        (_, false) => {
            reserve(&mut units, wide.len())?;
            units.extend(wide.iter().map(|&wide| wide as u16));
        }
        (_, true) if cfg!(windows) => {
            reserve(&mut units, wide.len())?;
            units.extend(wide.iter().map(|&wide| wide as u16));
            if char::decode_utf16(units.iter().copied()).any(|character| character.is_err()) {
                return Ok(None);
            }
        }
        (_, true) => return Ok(None),
    }
    Ok(Some(units))
}

/// The code points of a text, among which can be lone surrogates.
fn code_points(wide: &[WideChar]) -> PyResult<Vec<u32>> {
    let mut code_points = Vec::new();
    reserve(&mut code_points, wide.len())?;
    #[cfg(windows)]
    code_points.extend(
        char::decode_utf16(wide.iter().copied())
            .map(|character| character.map_or_else(|error| error.unpaired_surrogate().into(), u32::from)),
    );
    #[cfg(not(windows))]
    code_points.extend_from_slice(wide);
    Ok(code_points)
}

/// The code units of a text without surrogates, the last of which can be followed by anything.
fn units_of(code_points: &[u32]) -> PyResult<Vec<u16>> {
    let characters = code_points.iter().copied().filter_map(char::from_u32);
    let mut units = Vec::new();
    reserve(&mut units, characters.map(char::len_utf16).sum())?;
    let mut pair = [0; 2];
    for character in code_points.iter().copied().filter_map(char::from_u32) {
        units.extend_from_slice(character.encode_utf16(&mut pair));
    }
    Ok(units)
}

/// Encodes a text with errors: lone surrogates or unmappable characters.
fn with_errors<'py>(
    py: Python<'py>,
    target: &mut Target,
    text: &Bound<'py, PyString>,
    code_points: &[u32],
    last: bool,
    errors: &Errors,
) -> PyResult<Bound<'py, PyBytes>> {
    let is_surrogate = |code_point: &u32| code_point & 0xFFFF_F800 == 0xD800;
    let mut bytes = Vec::new();
    let mut at = 0;
    // The code units from `at` up to the next surrogate, and how many of them are encoded.
    let mut units = Vec::new();
    let mut done = 0;
    let mut begin = true;
    while at < code_points.len() {
        if begin {
            let run = code_points[at..].iter().take_while(|code_point| !is_surrogate(code_point)).count();
            units = units_of(&code_points[at..at + run])?;
            done = 0;
        }
        let before = bytes.len();
        reserve(&mut bytes, target.most(units.len() - done, &Errors::Strict))?;
        let (read, unmappable) = target.put(&units[done..], &mut bytes, false);
        let read = &units[done..done + read];
        done += read.len();
        at += read.iter().filter(|&unit| unit & 0xFC00 != 0xDC00).count();
        let (start, reason) = match unmappable {
            Some(_) => (at - 1, "unmappable character"),
            None if at == code_points.len() => break,
            None => (at, "surrogates not allowed"),
        };
        let exception = py.get_type::<PyUnicodeEncodeError>();
        let exception = exception.call1((target.encoding().name(), text, start, start + 1, reason))?;
        let failure = || PyErr::from_value(exception.clone());
        let (replacement, position) = match (errors, unmappable) {
            (Errors::Strict, _) => return Err(failure()),
            (Errors::CharacterReference, Some(code_point)) => {
                let reference = PyString::new(py, &format!("&#{};", u32::from(code_point)));
                (reference.into_any(), start + 1)
            }
            (errors, _) => {
                let answer = errors::ask(py, &errors.name(py), &exception, code_points.len())?;
                (answer.replacement, answer.position)
            }
        };
        if let Ok(replacement) = replacement.cast::<PyBytes>() {
            reserve(&mut bytes, replacement.as_bytes().len())?;
            bytes.extend_from_slice(replacement.as_bytes());
        } else if let Ok(replacement) = replacement.cast::<PyString>() {
            let mut wide = Vec::new();
            append_wide(replacement, &mut wide)?;
            let units = to_utf16(&wide)?.ok_or_else(failure)?;
            if let (Target::Encoder(encoder), Some(_)) = (&mut *target, unmappable) {
                bytes.truncate(bytes.len() - encoder.take_back(&bytes[before..]));
            }
            reserve(&mut bytes, target.most(units.len(), &Errors::Strict))?;
            if target.put(&units, &mut bytes, false).1.is_some() {
                return Err(failure());
            }
        } else {
            let message = "an error handler for encoding must return a str or bytes and a position";
            return Err(PyTypeError::new_err(message));
        }
        begin = position != at;
        at = position;
    }
    target.put(&[], &mut bytes, last);
    bytes_object(py, &bytes)
}
