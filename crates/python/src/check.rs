//! The problems of a text.

use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyString},
};
use textcodec_convert::{Kind, Problem, SourceEncoding};

use crate::{cpython::Source, decode::RELEASE_FROM, encoding};

/// A problem that `check` has found.
///
/// >>> problem, = textcodec.check(b"caf\xe9")
/// >>> problem
/// <textcodec.Problem 1:4 error malformed: not UTF-8: E9>
/// >>> problem.offset, problem.bytes
/// (3, b'\xe9')
#[pyclass(frozen, eq, module = "textcodec", name = "Problem")]
#[derive(PartialEq)]
pub(crate) struct PyProblem(Problem);

#[pymethods]
impl PyProblem {
    /// The rule, for example "malformed" or "mixed-newlines".
    #[getter]
    fn rule(&self) -> &'static str {
        self.0.rule.name()
    }

    /// How bad it is: "error", "warning" or "note".
    #[getter]
    fn severity(&self) -> &'static str {
        self.0.rule.severity().name()
    }

    /// A sentence about the problem.
    #[getter]
    fn message(&self) -> String {
        self.0.to_string()
    }

    /// The number of the line, from 1.
    #[getter]
    fn line(&self) -> u64 {
        self.0.position.line()
    }

    /// The number of the column in characters, from 1.
    #[getter]
    fn column(&self) -> u64 {
        self.0.position.column()
    }

    /// The place in the data in bytes, from 0, or None.
    #[getter]
    fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// The name of the encoding of the data, or of `to` for an unmappable character, or None.
    #[getter]
    fn encoding(&self) -> Option<&'static str> {
        self.0.encoding
    }

    /// The malformed bytes, or those of a byte order mark, or None.
    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        (!self.0.bytes.is_empty()).then(|| PyBytes::new(py, &self.0.bytes))
    }

    /// The unmappable character, or None.
    #[getter]
    fn character(&self) -> Option<char> {
        self.0.character
    }

    /// How often it occurs, for a problem that is told once, or None.
    #[getter]
    fn count(&self) -> Option<u64> {
        self.0.count
    }

    fn __repr__(&self) -> String {
        format!("<textcodec.Problem {} {} {}: {}>", self.0.position.for_editors(), self.severity(), self.rule(), self.0)
    }

    fn __str__(&self) -> String {
        format!("{}: {}: {}", self.0.position.for_editors(), self.severity(), self.0)
    }
}

/// Lists the problems of a text: a list of `Problem`, empty if there are none.
///
/// `encoding` is the encoding in which the data should be, or "auto" to find it. Beside the encodings of the Standard,
/// the labels of `python -m textcodec list` are known. `to` is an encoding that should have all characters. `kind` is
/// "html", "xml", "css", "text" or "properties", which tells "auto" where a declaration can stand.
///
/// Errors are malformed bytes, characters that `to` does not have, a byte order mark of another encoding, and damaged
/// data. Lines that end in different ways, characters U+0000 and text that was decoded wrongly once are warnings. A
/// byte order mark is a note.
///
/// >>> for problem in textcodec.check("5 €\r\n☃\n".encode(), to="windows-1252"):
/// ...     print(problem)
/// 2:1: error: windows-1252 has no U+2603 (☃)
/// 2:2: warning: the lines end in different ways: 1 LF, 1 CRLF
#[pyfunction]
#[pyo3(
    signature = (data, encoding=None, *, to=None, kind=None),
    text_signature = "(data, encoding='utf-8', *, to=None, kind=None)"
)]
pub(crate) fn check<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    encoding: Option<&Bound<'py, PyAny>>,
    to: Option<&Bound<'py, PyAny>>,
    kind: Option<&Bound<'py, PyString>>,
) -> PyResult<Vec<PyProblem>> {
    if data.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("check takes bytes, not str; text.encode() makes bytes of a str"));
    }
    let is_auto = |label: &Bound<'_, PyAny>| label.extract::<&str>().is_ok_and(|label| label == "auto");
    let from = match encoding {
        None => SourceEncoding::Label(textcodec_convert::Charset::UTF_8),
        Some(label) if is_auto(label) => SourceEncoding::Auto,
        Some(label) => SourceEncoding::Label(encoding::charset(label)?),
    };
    let to = to.map(encoding::charset).transpose()?;
    if let Some(to) = to.filter(|to| !to.is_writable()) {
        return Err(PyValueError::new_err(format!("no text can be encoded in {to}")));
    }
    let kind = kind.map(kind_of).transpose()?;
    let source = Source::new(data)?;
    let bytes = source.as_slice();
    let may_release = matches!(source, Source::Bytes(_)) && bytes.len() >= RELEASE_FROM;
    let check = || textcodec_convert::check(bytes, from, kind, to);
    let problems = if may_release { py.detach(check) } else { check() };
    Ok(problems.into_iter().map(PyProblem).collect())
}

fn kind_of(name: &Bound<'_, PyString>) -> PyResult<Kind> {
    let kinds = [Kind::Html, Kind::Xml, Kind::Css, Kind::Text, Kind::Properties];
    let wanted = name.to_str()?;
    kinds.into_iter().find(|kind| kind.name() == wanted).ok_or_else(|| match name.repr() {
        Ok(name) => {
            PyValueError::new_err(format!("kind must be 'html', 'xml', 'css', 'text' or 'properties', not {name}"))
        }
        Err(error) => error,
    })
}
