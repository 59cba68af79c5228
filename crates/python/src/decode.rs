//! [Decode](https://encoding.spec.whatwg.org/#decode), with the error handlers of Python.

use std::{cell::Cell, num::NonZero, panic::resume_unwind, thread};

use pyo3::{
    exceptions::{PyTypeError, PyUnicodeDecodeError, PyValueError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyBool, PyBytes, PyList, PyString},
};
use textcodec::{BomHandling, DecodeErrorMode, DecodeStatus, Malformed, mem};
use textcodec_convert::parts;
use textcodec_core::Handle;

use crate::{
    charset::{self, AnyEncoding, Decoder},
    cpython::{Record, Source, bytes_object, reserve, string_from_latin1, string_from_utf16},
    errors::{self, Errors},
};

/// The length in bytes from which a text is decoded without the global interpreter lock. Shorter texts take less time
/// than other threads need to notice. DESIGN.md has the measurement.
pub(crate) const RELEASE_FROM: usize = 128 * 1024;

/// The length in bytes from which several threads decode a text: with fewer bytes, to start a thread and to put the
/// parts together takes a tenth of the time.
const PARTS_FROM: usize = 8_000_000;

/// The treatment of a byte order mark that has this name; `Sniff` without one.
pub(crate) fn bom_handling(name: Option<&Bound<'_, PyString>>) -> PyResult<BomHandling> {
    let Some(name) = name else { return Ok(BomHandling::Sniff) };
    match name.to_str()? {
        "sniff" => Ok(BomHandling::Sniff),
        "remove" => Ok(BomHandling::Remove),
        "keep" => Ok(BomHandling::Keep),
        _ => Err(PyValueError::new_err(format!("bom must be 'sniff', 'remove' or 'keep', not {}", name.repr()?))),
    }
}

/// Decodes bytes. Any object with the buffer protocol can be `data`.
///
/// `label` is a label as in HTTP and HTML, or an `Encoding`. `errors` is the name of an error handler: "replace" writes
/// U+FFFD for each malformed sequence, "strict" raises UnicodeDecodeError, and all other handlers work that are
/// registered in `codecs`. `bom` says what a byte order mark does: with "sniff" it decides the encoding and is not part
/// of the text, as in browsers; with "remove" only the encoding's own is removed; with "keep" it is a character.
///
/// `charset`, in the place of `label`, names a charset that browsers do not have, such as "cp037": a `Charset`, or a
/// name as `Charset` takes it. A byte order mark is a character there.
///
/// `threads` is the number of threads that decode `bytes` of 8 MB and more. The result is the same.
///
/// >>> textcodec.decode(b"\x83\x65\x83\x4c", "shift_jis").text
/// 'テキ'
/// >>> text, encoding, had_errors = textcodec.decode(b"caf\xe9", "latin1")
/// >>> text, encoding.name, had_errors
/// ('café', 'windows-1252', False)
/// >>> textcodec.decode(b"\xff\xfea\x00", "gbk").encoding.name
/// 'UTF-16LE'
/// >>> textcodec.decode(b"\xc8\x85\x93\x93\x96", charset="cp037")
/// textcodec.Decoded(text='Hello', encoding=<textcodec.Charset cp037>, had_errors=False)
/// >>> textcodec.decode(b"abc\x82\xff", "shift_jis", errors="strict")
/// Traceback (most recent call last):
/// UnicodeDecodeError: 'Shift_JIS' codec can't decode bytes in position 3-4: malformed sequence
#[pyfunction]
#[pyo3(
    signature = (data, label=None, errors=None, bom=None, *, charset=None, threads=None),
    text_signature = "(data, label=None, errors='replace', bom='sniff', *, charset=None, threads=1)"
)]
pub(crate) fn decode<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    label: Option<&Bound<'py, PyAny>>,
    errors: Option<&Bound<'py, PyString>>,
    bom: Option<&Bound<'py, PyString>>,
    charset: Option<&Bound<'py, PyAny>>,
    threads: Option<NonZero<usize>>,
) -> PyResult<Bound<'py, PyAny>> {
    let encoding = charset::of_arguments(py, label, charset)?;
    let (errors, bom) = (Errors::or(errors, Errors::Replace)?, bom_handling(bom)?);
    let Some(threads) = threads.filter(|threads| threads.get() > 1) else {
        return decoded(py, data, encoding, &errors, bom);
    };
    let mut source = Source::new(data)?;
    let (encoding, start) = encoding.after_bom(source.as_slice(), bom);
    let (text, had_errors) = match in_parts(py, &source, start, encoding, &errors, threads.get())? {
        Some(result) => result,
        None => whole(py, &mut source, start, encoding, &errors)?,
    };
    value(py, (text, encoding, had_errors))
}

/// The type `Decoded`.
static DECODED: PyOnceLock<Record> = PyOnceLock::new();

/// The type `Decoded`.
pub(crate) fn decoded_record(py: Python<'_>) -> PyResult<&'static Record> {
    DECODED.get_or_try_init(py, || {
        Record::new(
            py,
            c"textcodec.Decoded",
            c"The result of decoding, a tuple of three.",
            &[
                (c"text", c"The text, a str."),
                (
                    c"encoding",
                    c"The Encoding that was used, or the Charset that is not in the Standard. A byte order mark can have decided it.",
                ),
                (c"had_errors", c"Whether there was a malformed sequence."),
            ],
            3,
        )
    })
}

/// The `Decoded` of `data`.
pub(crate) fn decoded<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    encoding: impl Into<AnyEncoding>,
    errors: &Errors,
    bom: BomHandling,
) -> PyResult<Bound<'py, PyAny>> {
    let mut source = Source::new(data)?;
    let result = text(py, &mut source, encoding.into(), errors, bom)?;
    value(py, result)
}

/// The `Decoded` of a text, its encoding, and whether there was a malformed sequence.
pub(crate) fn value<'py>(
    py: Python<'py>,
    (text, encoding, had_errors): (Bound<'py, PyString>, AnyEncoding, bool),
) -> PyResult<Bound<'py, PyAny>> {
    let had_errors = PyBool::new(py, had_errors).to_owned().into_any();
    decoded_record(py)?.value(py, [text.into_any(), charset::object(py, encoding)?, had_errors])
}

/// The text of all bytes of `source`, the encoding that was used, and whether there was a malformed sequence.
pub(crate) fn text<'py>(
    py: Python<'py>,
    source: &mut Source<'py>,
    encoding: AnyEncoding,
    errors: &Errors,
    bom: BomHandling,
) -> PyResult<(Bound<'py, PyString>, AnyEncoding, bool)> {
    let (encoding, start) = encoding.after_bom(source.as_slice(), bom);
    let (text, had_errors) = whole(py, source, start, encoding, errors)?;
    Ok((text, encoding, had_errors))
}

/// The text of all bytes of `source` from `start` on, and whether there was a malformed sequence.
pub(crate) fn whole<'py>(
    py: Python<'py>,
    source: &mut Source<'py>,
    start: usize,
    encoding: AnyEncoding,
    errors: &Errors,
) -> PyResult<(Bound<'py, PyString>, bool)> {
    let bytes = &source.as_slice()[start..];
    if encoding.is_ascii_compatible() && mem::is_ascii(bytes) {
        return Ok((string_from_latin1(py, bytes)?, false));
    }
    let mut decoder = encoding.new_decoder(BomHandling::Keep);
    run(py, &mut decoder, source, start, &[], true, errors)
}

/// As [`whole`], with parts of the bytes decoded on `threads` threads. `None` if one thread has to decode all bytes:
/// they are few, they can change meanwhile, or there is an error that an error handler must see.
fn in_parts<'py>(
    py: Python<'py>,
    source: &Source<'py>,
    start: usize,
    encoding: AnyEncoding,
    errors: &Errors,
    threads: usize,
) -> PyResult<Option<(Bound<'py, PyString>, bool)>> {
    let bytes = &source.as_slice()[start..];
    if !matches!(source, Source::Bytes(_)) || bytes.len() < PARTS_FROM {
        return Ok(None);
    }
    let mode = match errors {
        Errors::Replace => DecodeErrorMode::Replacement,
        _ => DecodeErrorMode::Fatal,
    };
    let decode = |part: &[u8], is_last| {
        let mut units = Vec::new();
        // If there is no memory, one thread decodes all bytes, and raises the error.
        units.try_reserve(most_units(part)).ok()?;
        let mut decoder = encoding.new_decoder(BomHandling::Keep);
        let result = decoder.decode_to_utf16_vec(part, &mut units, is_last, mode);
        (result.status == DecodeStatus::InputEmpty).then_some((units, result.had_errors))
    };
    let decoded = py.detach(|| {
        let parts = parts(bytes, encoding.codec().cut_rule(), threads);
        let (last, others) = parts.split_last()?;
        thread::scope(|scope| {
            let mut spawned = Vec::new();
            for &part in others {
                spawned.push((part, thread::Builder::new().spawn_scoped(scope, move || decode(part, false))));
            }
            let last = decode(last, true);
            let (mut units, mut had_errors) = (Vec::new(), false);
            for (part, other) in spawned {
                let (next, has_errors) = match other {
                    Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                    // The system has no more threads.
                    Err(_) => decode(part, false),
                }?;
                had_errors |= has_errors;
                if units.is_empty() {
                    units = next;
                } else {
                    units.try_reserve(next.len()).ok()?;
                    units.extend_from_slice(&next);
                }
            }
            let (last, has_errors) = last?;
            units.try_reserve(last.len()).ok()?;
            units.extend_from_slice(&last);
            Some((units, had_errors || has_errors))
        })
    });
    let Some((units, had_errors)) = decoded else { return Ok(None) };
    Ok(Some((string_from_utf16(py, &units, encoding.has_pairs())?, had_errors)))
}

/// The text of the next bytes of a stream, and whether there was a malformed sequence. `last` says that the stream ends
/// with them. After an exception, the decoder is in the state in which it was before.
///
/// `pending` has the bytes of a sequence that earlier calls have begun. They come first in `UnicodeDecodeError.object`.
/// If an error handler was called, `source` has become a copy of the bytes, because a handler can change them.
pub(crate) fn next<'py>(
    py: Python<'py>,
    decoder: &mut Decoder,
    source: &mut Source<'py>,
    pending: &[u8],
    last: bool,
    errors: &Errors,
) -> PyResult<(Bound<'py, PyString>, bool)> {
    run(py, decoder, source, 0, pending, last, errors)
}

/// Decodes the bytes of `source` from `start` on. After an exception and after a panic, `decoder` is unchanged.
fn run<'py>(
    py: Python<'py>,
    decoder: &mut Decoder,
    source: &mut Source<'py>,
    start: usize,
    pending: &[u8],
    last: bool,
    errors: &Errors,
) -> PyResult<(Bound<'py, PyString>, bool)> {
    let mode = match errors {
        Errors::Replace => DecodeErrorMode::Replacement,
        _ => DecodeErrorMode::Fatal,
    };
    let mut after = *decoder;
    let bytes = &source.as_slice()[start..];
    let mut units = SCRATCH.take();
    reserve(&mut units, most_units(bytes))?;
    let may_release = matches!(source, Source::Bytes(_)) && bytes.len() >= RELEASE_FROM;
    let mut convert = || after.decode_to_utf16_vec(bytes, &mut units, last, mode);
    let result = if may_release { py.detach(convert) } else { convert() };
    let outcome = match result.status {
        DecodeStatus::Malformed(_) => {
            after = *decoder;
            let copy = source.to_bytes(py)?;
            let object = match pending {
                [] => copy.clone(),
                pending => {
                    let mut all = Vec::new();
                    reserve(&mut all, pending.len() + copy.as_bytes().len())?;
                    all.extend_from_slice(pending);
                    all.extend_from_slice(copy.as_bytes());
                    bytes_object(py, &all)?
                }
            };
            *source = Source::Bytes(copy);
            with_errors(py, &mut after, &object, pending.len() + start, last, errors).map(|text| (text, true))
        }
        _ => string_from_utf16(py, &units, after.encoding().has_pairs()).map(|text| (text, result.had_errors)),
    };
    if outcome.is_ok() {
        *decoder = after;
    }
    if units.capacity() <= SCRATCH_MOST {
        units.clear();
        SCRATCH.set(units);
    }
    outcome
}

/// The number of code units that nearly all encodings need at most for these bytes and for those that a decoder keeps.
fn most_units(bytes: &[u8]) -> usize {
    bytes.len() + 8
}

/// The greatest number of code units that a thread keeps memory for between calls.
const SCRATCH_MOST: usize = 128 * 1024;

thread_local! {
    /// Memory for the code units of a text, because to allocate it takes a sixth of the time of a text of 2 KB.
    static SCRATCH: Cell<Vec<u16>> = const { Cell::new(Vec::new()) };
}

/// Decodes bytes that contain a malformed sequence.
fn with_errors<'py>(
    py: Python<'py>,
    decoder: &mut Decoder,
    object: &Bound<'py, PyBytes>,
    start: usize,
    last: bool,
    errors: &Errors,
) -> PyResult<Bound<'py, PyString>> {
    let bytes = object.as_bytes();
    let pieces = PyList::empty(py);
    let mut units = Vec::new();
    reserve(&mut units, most_units(&bytes[start..]))?;
    let mut at = start;
    loop {
        let before = *decoder;
        let result = decoder.decode_to_utf16_vec(&bytes[at..], &mut units, last, DecodeErrorMode::Fatal);
        let DecodeStatus::Malformed(malformed) = result.status else { break };
        // The offset is one in the stream. The bytes of the stream before `position` are those before `at` here.
        let end = (malformed.offset + malformed.bytes().len() as u64 + at as u64 - before.position()) as usize;
        at += result.read;
        if matches!(errors, Errors::Ignore) {
            continue;
        }
        let exception = exception(py, decoder.encoding(), object, end, &malformed, &before, last)?;
        let name = match errors {
            Errors::Strict => return Err(PyErr::from_value(exception)),
            errors => errors.name(py),
        };
        let answer = errors::ask(py, &name, &exception, bytes.len())?;
        let Ok(replacement) = answer.replacement.cast::<PyString>() else {
            return Err(PyTypeError::new_err("an error handler for decoding must return a str and a position"));
        };
        pieces.append(string_from_utf16(py, &units, true)?)?;
        pieces.append(replacement)?;
        units.clear();
        if answer.position != end {
            // Bytes that the handler has restored come again at the new position, or are skipped.
            decoder.discard_restored();
            at = answer.position;
        }
    }
    let rest = string_from_utf16(py, &units, true)?;
    if pieces.is_empty() {
        return Ok(rest);
    }
    pieces.append(rest)?;
    Ok(PyString::new(py, "").call_method1("join", (pieces,))?.cast_into()?)
}

/// The exception for a malformed sequence that ends at `end` in `object`.
fn exception<'py>(
    py: Python<'py>,
    encoding: AnyEncoding,
    object: &Bound<'py, PyBytes>,
    end: usize,
    malformed: &Malformed,
    before: &Decoder,
    last: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let start = end - malformed.bytes().len();
    let reason = if last && end == object.as_bytes().len() && is_incomplete(before, object.as_bytes(), malformed) {
        "incomplete sequence at the end"
    } else {
        "malformed sequence"
    };
    py.get_type::<PyUnicodeDecodeError>().call1((encoding.name(), object, start, end, reason))
}

/// Whether a sequence is malformed only because the stream ends.
fn is_incomplete(before: &Decoder, bytes: &[u8], malformed: &Malformed) -> bool {
    let mut decoder = *before;
    let read = (malformed.offset + malformed.bytes().len() as u64 - before.position()) as usize;
    let rest = &bytes[bytes.len() - read.min(bytes.len())..];
    let result = decoder.decode_to_utf16_vec(rest, &mut Vec::new(), false, DecodeErrorMode::Fatal);
    result.status == DecodeStatus::InputEmpty
}
