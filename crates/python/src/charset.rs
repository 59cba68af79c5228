//! Charsets beside the encodings of the Standard: those of [`textcodec::charsets`], by the names of
//! [`textcodec_convert::charset`].

use pyo3::{
    exceptions::{PyLookupError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyString, PyTuple},
};
use textcodec::{
    Bom, BomHandling, Encoding, Name,
    charsets::{self, Names},
};
use textcodec_convert::{Charset, charset::UnknownLabel};
use textcodec_core::{Codec, EncoderHalf, Handle};

use crate::{
    decode, encode,
    encoding::{self, PyEncoding},
    errors::Errors,
};

/// The decoder of a stream in any encoding.
pub(crate) type Decoder = textcodec_core::Decoder<AnyEncoding>;
/// The encoder of a stream in any encoding.
pub(crate) type Encoder = textcodec_core::Encoder<AnyEncoding>;

/// An encoding of the Standard, or a charset that the Standard does not have.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum AnyEncoding {
    Standard(Encoding),
    Charset(charsets::Charset),
}

impl From<Encoding> for AnyEncoding {
    fn from(encoding: Encoding) -> Self {
        AnyEncoding::Standard(encoding)
    }
}

impl Handle for AnyEncoding {
    #[inline]
    fn codec(self) -> &'static Codec {
        match self {
            AnyEncoding::Standard(encoding) => encoding.codec(),
            AnyEncoding::Charset(charset) => charset.codec(),
        }
    }

    #[inline]
    fn encoder(self) -> Option<&'static EncoderHalf> {
        match self {
            AnyEncoding::Standard(encoding) => encoding.encoder(),
            AnyEncoding::Charset(charset) => charset.encoder(),
        }
    }

    #[inline]
    fn selector(self) -> u8 {
        match self {
            AnyEncoding::Standard(encoding) => encoding.selector(),
            AnyEncoding::Charset(charset) => charset.selector(),
        }
    }

    fn of_bom(bom: Bom) -> Option<Self> {
        Encoding::of_bom(bom).map(AnyEncoding::Standard)
    }
}

impl AnyEncoding {
    /// The charset in the registry of names.
    pub(crate) fn registered(self) -> Charset {
        match self {
            AnyEncoding::Standard(encoding) => encoding.into(),
            AnyEncoding::Charset(charset) => charset.into(),
        }
    }

    /// The name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            AnyEncoding::Standard(encoding) => encoding.name(),
            AnyEncoding::Charset(_) => self.registered().name(),
        }
    }

    /// The encoding of the Standard, if it is one.
    pub(crate) fn standard(self) -> Option<Encoding> {
        match self {
            AnyEncoding::Standard(encoding) => Some(encoding),
            AnyEncoding::Charset(_) => None,
        }
    }

    /// Whether an ASCII byte between two sequences always is that character.
    pub(crate) fn is_ascii_compatible(self) -> bool {
        self.codec().unchanged().has_ascii()
    }

    /// Whether text can have code points above U+FFFF, which are surrogate pairs in UTF-16. To look for pairs takes 30
    /// ns for 1,000 code units.
    pub(crate) fn has_pairs(self) -> bool {
        let AnyEncoding::Standard(encoding) = self else { return true };
        matches!(encoding.id(), Name::Utf8 | Name::Utf16Be | Name::Utf16Le | Name::Gbk | Name::Gb18030 | Name::Big5)
    }

    /// Whether a decoder has a state between two sequences.
    pub(crate) fn keeps_state(self) -> bool {
        match self {
            // ISO-2022-JP and replacement.
            AnyEncoding::Standard(encoding) => !encoding.is_ascii_compatible() && encoding.bom().is_none(),
            AnyEncoding::Charset(charset) => !charset.codec().is_single_byte(),
        }
    }

    /// Whether a byte order mark at the start of a stream can matter. In a charset it is text.
    pub(crate) fn looks_for_bom(self, bom: BomHandling) -> bool {
        match (self, bom) {
            (AnyEncoding::Charset(_), _) => false,
            (AnyEncoding::Standard(_), BomHandling::Sniff) => true,
            (AnyEncoding::Standard(encoding), BomHandling::Remove) => encoding.bom().is_some(),
            (AnyEncoding::Standard(_), _) => false,
        }
    }

    /// The encoding of `bytes`, and the length of the byte order mark that is not part of the text.
    pub(crate) fn after_bom(self, bytes: &[u8], bom: BomHandling) -> (Self, usize) {
        match self {
            AnyEncoding::Standard(encoding) => {
                let (encoding, start) = bom.apply(encoding, bytes);
                (encoding.into(), start)
            }
            AnyEncoding::Charset(_) => (self, 0),
        }
    }

    /// A new decoder.
    pub(crate) fn new_decoder(self, bom: BomHandling) -> Decoder {
        match bom {
            BomHandling::Sniff if self.looks_for_bom(bom) => Decoder::sniffing(self),
            BomHandling::Remove if self.looks_for_bom(bom) => Decoder::removing_bom(self),
            _ => Decoder::new(self),
        }
    }

    /// # Errors
    /// `ValueError` if no text is written in the charset, because it is UTF-7.
    pub(crate) fn check_writable(self) -> PyResult<()> {
        match self {
            AnyEncoding::Charset(_) if !self.registered().is_writable() => Err(cannot_write(self.name())),
            _ => Ok(()),
        }
    }
}

/// The exception for a charset without an encoder.
pub(crate) fn cannot_write(name: &str) -> PyErr {
    PyValueError::new_err(format!("no text can be encoded in {name}"))
}

/// A charset: an encoding of the Standard or one of older systems, such as cp037, which the Standard does not have.
///
/// `name` is a name as in `python -m textcodec list`: a label of the Standard; or else a label of this package; or else
/// a name in the registry of IANA, or of glibc, Python or Java, or a code page such as cp850. One of the prefixes
/// "iana:", "glibc:", "python:" and "java:" chooses the registry. A name that means different tables in different
/// registries is a LookupError that lists both.
///
/// >>> charset = textcodec.Charset("cp037")
/// >>> charset, charset.family, charset.encoding
/// (<textcodec.Charset cp037>, 'ebcdic', None)
/// >>> charset.decode(b"\xc8\x85\x93\x93\x96").text, charset.encode("Hello")
/// ('Hello', b'\xc8\x85\x93\x93\x96')
/// >>> textcodec.Charset("iana:latin1").name, textcodec.Charset("latin1").encoding.name
/// ('exact-iso-8859-1', 'windows-1252')
/// >>> textcodec.Charset("cp278")
/// Traceback (most recent call last):
/// LookupError: unknown encoding label: 'cp278'; two encodings have this name: iana:cp278 and java:cp278
#[pyclass(frozen, eq, hash, module = "textcodec", name = "Charset")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct PyCharset(pub(crate) AnyEncoding);

#[pymethods]
impl PyCharset {
    #[new]
    fn new(name: &Bound<'_, PyAny>) -> PyResult<Self> {
        resolve(name).map(PyCharset)
    }

    /// The name. It is a label, too.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::intern(py, self.0.name())
    }

    /// The names that need no prefix.
    #[getter]
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.registered().labels().collect::<Vec<_>>())
    }

    /// The `Encoding`, if this is one of the Standard, otherwise None.
    #[getter]
    fn encoding<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyEncoding>>> {
        self.0.standard().map(|encoding| encoding::object(py, encoding)).transpose()
    }

    /// The family: "dos", "ebcdic", "windows", "iso", "mac", "unicode", "regional" and others; None for an encoding of
    /// the Standard.
    #[getter]
    fn family(&self) -> Option<&'static str> {
        self.0.registered().family().map(charsets::Family::name)
    }

    /// Whether each byte is a character or an error.
    #[getter]
    fn is_single_byte(&self) -> bool {
        self.0.registered().is_single_byte()
    }

    /// As the function `decode` with this charset.
    ///
    /// >>> textcodec.Charset("cp437").decode(b"caf\x82").text
    /// 'café'
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

    /// As the function `encode` with this charset.
    ///
    /// >>> textcodec.Charset("cp437").encode("½")
    /// b'\xab'
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
        format!("<textcodec.Charset {}>", self.0.name())
    }

    fn __str__<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.name(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str,))> {
        Ok((py.import("textcodec")?.getattr("Charset")?, (self.0.name(),)))
    }
}

/// The object for an encoding: an `Encoding` if the Standard has it, otherwise a `Charset`.
pub(crate) fn object<'py>(py: Python<'py>, encoding: AnyEncoding) -> PyResult<Bound<'py, PyAny>> {
    match encoding {
        AnyEncoding::Standard(encoding) => Ok(encoding::object(py, encoding)?.into_any()),
        AnyEncoding::Charset(_) => Ok(Bound::new(py, PyCharset(encoding))?.into_any()),
    }
}

/// The encoding that the argument `charset` names: a name, a `Charset` or an `Encoding`.
///
/// # Errors
/// `LookupError` for an unknown name, for a name of several tables, and for charsets that are not one table;
/// `TypeError` for another object.
pub(crate) fn resolve(charset: &Bound<'_, PyAny>) -> PyResult<AnyEncoding> {
    if let Ok(charset) = charset.cast::<PyCharset>() {
        return Ok(charset.get().0);
    }
    of_registered(encoding::charset(charset)?)
}

/// The encoding that is a charset of the registry.
fn of_registered(charset: Charset) -> PyResult<AnyEncoding> {
    if let Some(encoding) = charset.standard() {
        return Ok(encoding.into());
    }
    let name = charset.name();
    charset.of_library().map(AnyEncoding::Charset).ok_or_else(|| {
        PyLookupError::new_err(format!(
            "{name} needs a byte order mark, which this function does not look for; name the order of bytes, such as \
             utf-16le or utf-32le, or glibc:UTF-16 or glibc:UTF-32, which take a text without a mark as little-endian"
        ))
    })
}

/// The encoding that `label`, a label of the Standard, or `charset` names.
///
/// # Errors
/// As [`encoding::resolve`] and [`resolve`], and `TypeError` unless there is exactly one of the two.
pub(crate) fn of_arguments(
    py: Python<'_>,
    label: Option<&Bound<'_, PyAny>>,
    charset: Option<&Bound<'_, PyAny>>,
) -> PyResult<AnyEncoding> {
    match (label, charset) {
        (Some(label), None) => match label.cast::<PyCharset>() {
            Ok(charset) => Ok(charset.get().0),
            Err(_) => encoding::resolve(py, label).map(AnyEncoding::Standard),
        },
        (None, Some(charset)) => resolve(charset),
        (None, None) => Err(PyTypeError::new_err("the encoding is missing: a label, or charset= for other charsets")),
        (Some(_), Some(_)) => Err(PyTypeError::new_err("a label and charset= are two encodings; give one of them")),
    }
}

/// A charset that has the encoding of a [detected](textcodec::detect) candidate, which is not in the Standard.
pub(crate) fn of_candidate(name: &str) -> Option<AnyEncoding> {
    // A label of the Standard with such a name is one of replacement.
    let found = [&format!("textcodec:{name}"), name].into_iter().find_map(|label| Charset::for_label(label).ok());
    found.filter(|charset| charset.standard().is_none())?.of_library().map(AnyEncoding::Charset)
}

/// A name as Python gives it to search functions: letters in lower case, and an underscore between two parts that other
/// punctuation than a dot separates.
fn normal(name: &str) -> String {
    let parts = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("_").to_ascii_lowercase()
}

/// The `Encoding` or `Charset` that the name of a codec means, without "textcodec_" and as Python gives it to search
/// functions. None for an unknown name.
///
/// Raises LookupError for a name that means several tables.
#[pyfunction]
pub(crate) fn _charset_of_codec<'py>(py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    let wanted = normal(name);
    if let Some(encoding) = Encoding::all().find(|encoding| encoding.labels().any(|label| normal(label) == wanted)) {
        return Ok(Some(encoding::object(py, encoding)?.into_any()));
    }
    // Labels of the registry have hyphens. Names in other registries are compared one by one.
    let mut labels = vec![wanted.replace('_', "-")];
    for (names, prefix) in
        [(Names::Iana, "iana"), (Names::Glibc, "glibc"), (Names::Python, "python"), (Names::Java, "java")]
    {
        let after_prefix = wanted.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('_'));
        for name in charsets::Charset::all().flat_map(|charset| charset.names(names)) {
            let name_is = normal(name);
            if name_is == wanted {
                labels.push(name.to_owned());
            } else if after_prefix == Some(&*name_is) {
                labels.push(format!("{prefix}:{name}"));
            }
        }
    }
    let mut found: Vec<Charset> = Vec::new();
    for label in labels {
        match Charset::for_label(&label) {
            Ok(charset) if !found.contains(&charset) => found.push(charset),
            Err(UnknownLabel::Ambiguous(names)) => return Err(several(name, &names)),
            _ => {}
        }
    }
    match *found {
        [] => Ok(None),
        [charset] => Ok(Some(object(py, of_registered(charset)?)?)),
        _ => Err(several(name, &found.iter().map(|charset| charset.name().to_owned()).collect::<Vec<_>>())),
    }
}

/// The exception for the name of a codec that means the charsets with these names.
fn several(name: &str, names: &[String]) -> PyErr {
    PyLookupError::new_err(format!("the codec {name:?} can be several charsets: {}", names.join(" and ")))
}
