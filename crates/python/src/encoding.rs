//! [Encodings](https://encoding.spec.whatwg.org/#encoding) and their labels.

use pyo3::{
    exceptions::{PyLookupError, PyTypeError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyBytes, PyInt, PyString, PyTuple},
};
use textcodec::{Encoding, Name};
use textcodec_convert::{
    Charset,
    charset::{
        UnknownLabel,
        foreign::{Meaning, meaning_in_standard},
    },
};

use crate::{charset::PyCharset, decode, encode, errors::Errors};

/// One of the 40 encodings of the Encoding Standard. `lookup` finds one by its label, and `ENCODINGS` has all.
///
/// There is one object for each encoding, so encodings can be compared with `is`.
///
/// >>> encoding = textcodec.lookup("sjis")
/// >>> encoding
/// <textcodec.Encoding Shift_JIS>
/// >>> encoding.name, encoding.labels[:3]
/// ('Shift_JIS', ('csshiftjis', 'ms932', 'ms_kanji'))
/// >>> encoding is textcodec.lookup("Shift_JIS")
/// True
#[pyclass(frozen, module = "textcodec", name = "Encoding")]
pub(crate) struct PyEncoding(pub(crate) Encoding);

#[pymethods]
impl PyEncoding {
    /// The name as the Standard writes it, for example "Shift_JIS".
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::intern(py, self.0.name())
    }

    /// The labels in lower case, in ascending order.
    #[getter]
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.labels())
    }

    /// Whether each byte is a character or an error: the legacy single-byte encodings and x-user-defined.
    #[getter]
    fn is_single_byte(&self) -> bool {
        self.0.is_single_byte()
    }

    /// Whether an ASCII byte that is not part of a longer sequence always means the ASCII character: not in
    /// ISO-2022-JP, UTF-16BE, UTF-16LE and replacement.
    #[getter]
    fn is_ascii_compatible(&self) -> bool {
        self.0.is_ascii_compatible()
    }

    /// Whether every character except surrogates can be encoded. Only UTF-8 and UTF-16 can encode all.
    #[getter]
    fn can_encode_everything(&self) -> bool {
        self.0.can_encode_everything() && self.0.id() != Name::Replacement
    }

    /// The encoding that forms and URLs use in place of this one: UTF-8 for UTF-16BE, UTF-16LE and replacement,
    /// otherwise this encoding.
    #[getter]
    fn output_encoding<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyEncoding>> {
        object(py, self.0.output_encoding())
    }

    /// The byte order mark, or None. Only UTF-8, UTF-16BE and UTF-16LE have one.
    #[getter]
    fn bom<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.0.bom().map(|bom| PyBytes::new(py, bom.bytes()))
    }

    /// As the function `decode` with this encoding.
    ///
    /// >>> textcodec.lookup("koi8-r").decode(b"\xc4\xc1").text
    /// 'да'
    #[pyo3(signature = (data, errors=None, bom=None), text_signature = "($self, data, errors='replace', bom='sniff')")]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        errors: Option<&Bound<'py, PyString>>,
        bom: Option<&Bound<'py, PyString>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        decode::decoded(py, data, self.0, &Errors::or(errors, Errors::Replace)?, decode::bom_handling(bom)?)
    }

    /// As the function `encode` with this encoding.
    ///
    /// >>> textcodec.lookup("koi8-r").encode("да")
    /// b'\xc4\xc1'
    #[pyo3(signature = (text, errors=None), text_signature = "($self, text, errors='strict')")]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        text: &Bound<'py, PyString>,
        errors: Option<&Bound<'py, PyString>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        encode::encoded(py, text, self.0, &Errors::or(errors, Errors::Strict)?)
    }

    fn __repr__(&self) -> String {
        format!("<textcodec.Encoding {}>", self.0.name())
    }

    fn __str__<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.name(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str,))> {
        Ok((py.import("textcodec")?.getattr("lookup")?, (self.0.name(),)))
    }
}

/// The objects of all encodings, in the order of the Standard's table.
static OBJECTS: PyOnceLock<Vec<Py<PyEncoding>>> = PyOnceLock::new();

/// The objects of all encodings, in the order of the Standard's table.
pub(crate) fn objects(py: Python<'_>) -> PyResult<&'static [Py<PyEncoding>]> {
    let objects = OBJECTS.get_or_try_init(py, || {
        Encoding::all().map(|encoding| Py::new(py, PyEncoding(encoding))).collect::<PyResult<Vec<_>>>()
    })?;
    Ok(objects)
}

/// The object of an encoding.
pub(crate) fn object<'py>(py: Python<'py>, encoding: Encoding) -> PyResult<Bound<'py, PyEncoding>> {
    // All encodings are enabled, so the place in the list is the place in the Standard's table.
    Ok(objects(py)?[encoding.id() as usize].bind(py).clone())
}

/// The encoding that a label or an `Encoding` names.
///
/// # Errors
/// `LookupError` for an unknown label, with the nearest labels; `TypeError` for another object.
pub(crate) fn resolve(py: Python<'_>, label: &Bound<'_, PyAny>) -> PyResult<Encoding> {
    match known(label)? {
        Some(encoding) => Ok(encoding),
        None => Err(unknown_label(py, label)?),
    }
}

/// The encoding that a label or an `Encoding` names; `None` for an unknown label.
///
/// # Errors
/// `TypeError` if `label` is neither a string nor an encoding.
pub(crate) fn known(label: &Bound<'_, PyAny>) -> PyResult<Option<Encoding>> {
    if let Ok(encoding) = label.cast::<PyEncoding>() {
        return Ok(Some(encoding.get().0));
    }
    match label.cast::<PyString>() {
        // A string with lone surrogates is no label.
        Ok(label) => Ok(label.to_str().ok().and_then(|label| Encoding::for_label(label).ok())),
        Err(_) => {
            let name = label.get_type().name()?;
            // The number of a code page names an encoding on other systems.
            let code_page = label.extract::<u16>().ok().filter(|_| label.is_exact_instance_of::<PyInt>());
            let question = match code_page.and_then(|number| meaning_in_standard(&number.to_string())) {
                Some(Meaning::Label(label)) => format!("; did you mean '{label}'?"),
                _ => String::new(),
            };
            Err(PyTypeError::new_err(format!("an encoding must be a label or an Encoding, not {name}{question}")))
        }
    }
}

/// The exception for an unknown label. Its message has the meaning of the label in other systems, or the nearest
/// labels.
#[cold]
fn unknown_label(py: Python<'_>, label: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    /// No label is longer than 20 characters, and the time for the comparison is quadratic.
    const LONGEST: usize = 64;
    let wanted = label.extract::<String>().unwrap_or_default().trim().to_ascii_lowercase();
    let short = if wanted.len() <= LONGEST { &wanted } else { "" };
    let charset = Charset::for_label(short).ok().and_then(Charset::of_library);
    let charset = charset.map(|_| format!("; decode and encode know it as charset='{short}'")).unwrap_or_default();
    let hint = match meaning_in_standard(short) {
        Some(Meaning::Label(label)) => format!("; did you mean '{label}'?"),
        Some(Meaning::Foreign(what)) => format!("; it is {what}{charset}"),
        None => charset,
    };
    if !hint.is_empty() {
        return Ok(PyLookupError::new_err(format!("unknown encoding label: {}{hint}", label.repr()?)));
    }
    // Labels with other digits name other encodings.
    let digits = |label: &str| label.chars().filter(char::is_ascii_digit).collect::<String>();
    let matches = if wanted.len() <= LONGEST {
        let labels = Encoding::all().flat_map(Encoding::labels);
        let candidates: Vec<&str> = labels.filter(|it| digits(it) == digits(&wanted)).collect();
        py.import("difflib")?.call_method1("get_close_matches", (wanted, candidates, 3, 0.7))?.extract()?
    } else {
        Vec::<String>::new()
    };
    let matches: Vec<&str> = matches.iter().map(String::as_str).collect();
    Ok(PyLookupError::new_err(format!("unknown encoding label: {}{}", excerpt(label)?, question(&matches))))
}

/// The question that names the nearest labels; empty if there are none.
fn question(nearest: &[&str]) -> String {
    match nearest {
        [] => String::new(),
        [one] => format!("; did you mean '{one}'?"),
        [others @ .., last] => format!("; did you mean '{}' or '{last}'?", others.join("', '")),
    }
}

/// The charset that a label or an `Encoding` names. Beside the encodings of the Standard, there are others.
///
/// # Errors
/// `LookupError` for an unknown label, with the nearest labels; `TypeError` for another object.
pub(crate) fn charset(label: &Bound<'_, PyAny>) -> PyResult<Charset> {
    if let Ok(charset) = label.cast::<PyCharset>() {
        return Ok(charset.get().0.registered());
    }
    if let Some(encoding) = known(label)? {
        return Ok(encoding.into());
    }
    Charset::for_label(label.extract::<&str>().unwrap_or_default()).map_err(|unknown| {
        let hint = match unknown {
            UnknownLabel::OtherName(label) => question(&[label]),
            UnknownLabel::Foreign(what) => format!("; it is {what}"),
            UnknownLabel::Ambiguous(_) => format!("; {unknown}"),
            UnknownLabel::Unknown(nearest) => question(&nearest),
            _ => String::new(),
        };
        match excerpt(label) {
            Ok(label) => PyLookupError::new_err(format!("unknown encoding label: {label}{hint}")),
            Err(error) => error,
        }
    })
}

/// The representation of an argument in a message, without its middle if it is long.
pub(crate) fn excerpt(argument: &Bound<'_, PyAny>) -> PyResult<String> {
    /// The number of characters at each end of a long representation that messages show.
    const SHOWN: usize = 100;
    let text = argument.repr()?.to_string();
    let start = text.char_indices().nth(SHOWN).map_or(text.len(), |(at, _)| at);
    let end = text.char_indices().rev().nth(SHOWN - 1).map_or(0, |(at, _)| at);
    Ok(if start < end { format!("{}…{}", &text[..start], &text[end..]) } else { text })
}

/// The encoding that a label names, as HTTP and HTML write it: ASCII whitespace around it and the case of ASCII letters
/// do not matter, everything else does. An `Encoding` is returned unchanged.
///
/// Raises LookupError for an unknown label. Its message has the meaning of the label in other systems, or the nearest
/// labels.
///
/// >>> textcodec.lookup(" Latin1 ").name
/// 'windows-1252'
/// >>> textcodec.lookup("latin-1")
/// Traceback (most recent call last):
/// LookupError: unknown encoding label: 'latin-1'; did you mean 'latin1'?
#[pyfunction]
pub(crate) fn lookup<'py>(py: Python<'py>, label: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyEncoding>> {
    object(py, resolve(py, label)?)
}
