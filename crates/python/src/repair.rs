//! Repairs of text: wrong decodings that are undone, and characters like those that an encoding does not have.

use pyo3::{
    exceptions::{PyUnicodeDecodeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyString},
};
use textcodec_convert::{Charset, Counts, Repair, Repaired, decode_mixed, text};

use crate::{
    cpython::Source,
    decode::RELEASE_FROM,
    encoding::{self, PyEncoding},
};

/// The result of `repair`.
#[pyclass(frozen, eq, module = "textcodec", name = "Repaired")]
#[derive(PartialEq)]
pub(crate) struct PyRepaired(Repaired);

#[pymethods]
impl PyRepaired {
    #[classattr]
    fn __match_args__() -> (&'static str,) {
        ("text",)
    }

    /// The repaired text.
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    /// The number of lines that were repaired.
    #[getter]
    fn repaired(&self) -> u64 {
        self.0.counts.repaired.number
    }

    /// The number of the first repaired line, from 1, or None.
    #[getter]
    fn first_repaired(&self) -> Option<u64> {
        self.0.counts.repaired.first
    }

    /// The number of lines that can be right as they are, and have stayed.
    #[getter]
    fn ambiguous(&self) -> u64 {
        self.0.counts.ambiguous.number
    }

    /// The number of the first ambiguous line, from 1, or None.
    #[getter]
    fn first_ambiguous(&self) -> Option<u64> {
        self.0.counts.ambiguous.first
    }

    /// The number of characters in repaired lines that an earlier conversion has lost. Each is U+FFFD.
    #[getter]
    fn lost(&self) -> u64 {
        self.0.counts.lost
    }

    /// The number of all lines.
    #[getter]
    fn lines(&self) -> u64 {
        self.0.counts.lines
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Counts { lines, repaired, ambiguous, .. } = self.0.counts;
        let text = encoding::excerpt(PyString::new(py, &self.0.text).as_any())?;
        let (repaired, ambiguous) = (repaired.number, ambiguous.number);
        Ok(format!("<textcodec.Repaired {text} lines={lines} repaired={repaired} ambiguous={ambiguous}>"))
    }

    fn __str__(&self) -> &str {
        &self.0.text
    }
}

/// Repairs text that was decoded in a wrong encoding: "Ã©" becomes "é". Returns a `Repaired`.
///
/// Each line is judged alone, and changes only if it has a clear sign of a wrong decoding. A line that can also be
/// right as it is, for example "SÓ…", is ambiguous: it changes only with `ambiguous=True`, which also repairs parts of
/// lines.
///
/// `encodings` has the label, or the labels, of the encodings in which the text may have been decoded; windows-1252,
/// which stands for ISO-8859-1, too, without it. Several wrong decodings, one after the other, are undone together.
///
/// `data` can also be bytes in UTF-8. With `mixed`, a sequence of labels, each line of these bytes is decoded in the
/// first of the encodings in which it is well-formed, and text that was decoded wrongly is repaired only if `encodings`
/// is given, too.
///
/// >>> textcodec.repair("cafÃ© donâ€™t").text
/// 'café don’t'
/// >>> textcodec.repair("РџСЂРёРІРµС‚", encodings="windows-1251").text
/// 'Привет'
/// >>> textcodec.repair("SÓ…\nÃ¼ber\n")
/// <textcodec.Repaired 'SÓ…\nüber\n' lines=2 repaired=1 ambiguous=1>
/// >>> textcodec.repair(b"caf\xc3\xa9\ncaf\xe9\n", mixed=["utf-8", "windows-1252"]).text
/// 'café\ncafé\n'
#[pyfunction]
#[pyo3(
    signature = (data, *, encodings=None, mixed=None, ambiguous=false),
    text_signature = "(data, *, encodings='windows-1252', mixed=(), ambiguous=False)"
)]
pub(crate) fn repair<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    encodings: Option<&Bound<'py, PyAny>>,
    mixed: Option<&Bound<'py, PyAny>>,
    ambiguous: bool,
) -> PyResult<PyRepaired> {
    let mixed = mixed.map_or(Ok(Vec::new()), charsets)?;
    let encodings = match encodings {
        Some(encodings) => charsets(encodings)?,
        None if mixed.is_empty() => vec![textcodec::WINDOWS_1252.into()],
        None => Vec::new(),
    };
    let repair = Repair::new(encodings).map_err(|error| PyValueError::new_err(error.to_string()))?;
    if let Ok(text) = data.cast::<PyString>() {
        if !mixed.is_empty() {
            return Err(PyValueError::new_err("mixed decodes the lines of bytes, and a str is decoded already"));
        }
        let text = text.to_str()?;
        return Ok(PyRepaired(run(py, text.len(), || repair.repair(text, ambiguous))));
    }
    let source = Source::new(data)?.to_bytes(py);
    let bytes = source.as_bytes();
    let text = match std::str::from_utf8(bytes) {
        Ok(text) if mixed.is_empty() => text.into(),
        Err(error) if mixed.is_empty() => {
            let end = error.error_len().map_or(bytes.len(), |length| error.valid_up_to() + length);
            return Err(malformed(py, &source, "UTF-8", error.valid_up_to()..end, "malformed sequence (see mixed)"));
        }
        _ => decode_lines(py, &source, &mixed)?.into(),
    };
    let text: std::borrow::Cow<'_, str> = text;
    Ok(PyRepaired(run(py, text.len(), || repair.repair(&text, ambiguous))))
}

/// Calls `convert` for a text of this length, without the global interpreter lock if the text is long.
fn run<T: Send>(py: Python<'_>, length: usize, convert: impl Send + FnOnce() -> T) -> T {
    if length >= RELEASE_FROM { py.detach(convert) } else { convert() }
}

/// The charset of a label, or those of several.
fn charsets(labels: &Bound<'_, PyAny>) -> PyResult<Vec<Charset>> {
    if labels.is_instance_of::<PyString>() || labels.is_instance_of::<PyEncoding>() {
        return Ok(vec![encoding::charset(labels)?]);
    }
    labels.try_iter()?.map(|label| encoding::charset(&label?)).collect()
}

/// The text of lines in several charsets.
fn decode_lines(py: Python<'_>, source: &Bound<'_, PyBytes>, mixed: &[Charset]) -> PyResult<String> {
    if let Some(charset) = mixed.iter().find(|charset| charset.is_wide() || charset.is_ebcdic()) {
        let reason = format!("lines cannot be in {charset}, because its line feed is not the byte 0A");
        return Err(PyValueError::new_err(reason));
    }
    let (mut text, mut at) = (String::new(), 0);
    for (number, line) in (1..).zip(source.as_bytes().split_inclusive(|&byte| byte == b'\n')) {
        match decode_mixed(line, mixed) {
            Some(decoded) => text += &decoded,
            None => {
                let names: Vec<_> = mixed.iter().map(|charset| charset.name()).collect();
                let reason = format!("line {number} is in none of the encodings of mixed");
                return Err(malformed(py, source, &names.join(", "), at..at + line.len(), &reason));
            }
        }
        at += line.len();
    }
    Ok(text)
}

/// The exception for malformed bytes at `range`.
fn malformed(
    py: Python<'_>,
    source: &Bound<'_, PyBytes>,
    encoding: &str,
    range: std::ops::Range<usize>,
    reason: &str,
) -> PyErr {
    let class = py.get_type::<PyUnicodeDecodeError>();
    match class.call1((encoding, source, range.start, range.end, reason)) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// Writes other characters for those that an encoding does not have: "…" becomes "..." and "Ł" becomes "L" where they
/// are missing. Characters for which there are no others stay; an error handler of `encode` can treat them.
///
/// `encoding` is a label or an `Encoding`. ASCII has the label "exact-us-ascii", because the Standard gives the label
/// "ascii" to windows-1252.
///
/// >>> textcodec.transliterate("“Łódź” … ½ ☃", "exact-us-ascii")
/// '"Lodz" ... 1/2 ☃'
/// >>> textcodec.encode(textcodec.transliterate("℃ ☃", "latin1"), "latin1", "xmlcharrefreplace")
/// b'\xb0C &#9731;'
#[pyfunction]
pub(crate) fn transliterate(py: Python<'_>, text: &str, encoding: &Bound<'_, PyAny>) -> PyResult<String> {
    let charset = encoding::charset(encoding)?;
    if !charset.is_writable() {
        return Err(PyValueError::new_err(format!("no text can be encoded in {charset}")));
    }
    Ok(run(py, text.len(), || text::transliterate(text, charset).text))
}
