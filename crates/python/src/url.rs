//! [URLs and forms](textcodec::url) in any encoding.

use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyModule, PyString},
};
use textcodec::{
    Encoding,
    url::{self, PercentEncodeSet, form},
};

use crate::encoding::{self, PyEncoding};

/// The percent-encode sets, by their names in Python.
const SETS: [(&str, PercentEncodeSet); 8] = [
    ("c0-control", PercentEncodeSet::C0Control),
    ("fragment", PercentEncodeSet::Fragment),
    ("query", PercentEncodeSet::Query),
    ("special-query", PercentEncodeSet::SpecialQuery),
    ("path", PercentEncodeSet::Path),
    ("userinfo", PercentEncodeSet::Userinfo),
    ("component", PercentEncodeSet::Component),
    ("form-urlencoded", PercentEncodeSet::FormUrlencoded),
];

fn encoding_or_utf8(py: Python<'_>, label: Option<&Bound<'_, PyAny>>) -> PyResult<Encoding> {
    label.map_or(Ok(textcodec::UTF_8), |label| encoding::resolve(py, label))
}

/// Encodes text and percent-encodes the bytes, as the URL Standard does.
///
/// `set` is the set of characters that are percent-encoded: "c0-control", "fragment", "query", "special-query", "path",
/// "userinfo", "component" (as encodeURIComponent in JavaScript) or "form-urlencoded". A character that the encoding
/// does not have becomes a percent-encoded character reference. With `space_as_plus` a space becomes "+".
///
/// >>> textcodec.url.percent_encode("日 ☃", "shift_jis", space_as_plus=True)
/// '%93%FA+%26%239731%3B'
#[pyfunction]
#[pyo3(signature = (text, label=None, set="component", space_as_plus=false), text_signature = "(text, label='utf-8', set='component', space_as_plus=False)")]
fn percent_encode(
    py: Python<'_>,
    text: &str,
    label: Option<&Bound<'_, PyAny>>,
    set: &str,
    space_as_plus: bool,
) -> PyResult<String> {
    let encoding = encoding_or_utf8(py, label)?;
    match SETS.iter().find(|(name, _)| *name == set) {
        Some(&(_, set)) => Ok(url::percent_encode_after_encoding(encoding, text, set, space_as_plus)),
        None => {
            let names = SETS.map(|(name, _)| name).join(", ");
            Err(PyValueError::new_err(format!("set must be one of {names}, not {set:?}")))
        }
    }
}

/// Encodes the query of a URL as the URL parser does in a document in this encoding. `query` has no question mark.
///
/// The encoding is used for the schemes ftp, file, http and https. All others use UTF-8.
///
/// >>> textcodec.url.encode_query("q=да ☃", "windows-1251")
/// 'q=%E4%E0%20%26%239731%3B'
#[pyfunction]
#[pyo3(signature = (query, label=None, scheme="https"), text_signature = "(query, label='utf-8', scheme='https')")]
fn encode_query(py: Python<'_>, query: &str, label: Option<&Bound<'_, PyAny>>, scheme: &str) -> PyResult<String> {
    Ok(url::encode_query(query, scheme, encoding_or_utf8(py, label)?))
}

/// The body or query of a form, application/x-www-form-urlencoded, of pairs of names and values. Newlines become CR LF,
/// as in HTML.
///
/// >>> textcodec.url.urlencode([("имя", "Ян ☃")], "koi8-r")
/// '%C9%CD%D1=%F1%CE+%26%239731%3B'
#[pyfunction]
#[pyo3(signature = (pairs, label=None), text_signature = "(pairs, label='utf-8')")]
fn urlencode(py: Python<'_>, pairs: &Bound<'_, PyAny>, label: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
    let encoding = encoding_or_utf8(py, label)?;
    let pairs: Vec<(String, String)> = pairs.try_iter()?.map(|pair| pair?.extract()).collect::<PyResult<_>>()?;
    let normal: Vec<_> =
        pairs.iter().map(|(name, value)| (form::normalize_newlines(name), form::normalize_newlines(value))).collect();
    Ok(form::urlencoded(normal.iter().map(|(name, value)| (&**name, &**value)), encoding))
}

/// The encoding in which a form is sent: the first known label of the attribute accept-charset, UTF-8 if it has none,
/// and without the attribute the encoding of the document; UTF-8 in place of UTF-16.
///
/// >>> textcodec.url.pick_an_encoding("x-unknown koi8-r", "windows-1251").name
/// 'KOI8-R'
#[pyfunction]
fn pick_an_encoding<'py>(
    py: Python<'py>,
    accept_charset: Option<&Bound<'py, PyString>>,
    document: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyEncoding>> {
    // The attribute comes from a page. A label with a lone surrogate is unknown, as any other.
    let accept_charset = accept_charset.map(|labels| labels.to_string_lossy());
    encoding::object(py, form::pick_an_encoding(accept_charset.as_deref(), encoding::resolve(py, document)?))
}

/// The value of a field for multipart/form-data, in bytes: newlines become CR LF, and characters that the encoding does
/// not have become character references.
///
/// >>> textcodec.url.field_value("Ян\n☃", "koi8-r")
/// b'\xf1\xce\r\n&#9731;'
#[pyfunction]
#[pyo3(signature = (value, label=None), text_signature = "(value, label='utf-8')")]
fn field_value<'py>(py: Python<'py>, value: &str, label: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &form::field_value(value, encoding_or_utf8(py, label)?)))
}

/// The name of a field for multipart/form-data, in bytes, which can stand in quotes.
///
/// >>> textcodec.url.field_name('a "b"')
/// b'a %22b%22'
#[pyfunction]
#[pyo3(signature = (name, label=None), text_signature = "(name, label='utf-8')")]
fn field_name<'py>(py: Python<'py>, name: &str, label: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &form::field_name(name, encoding_or_utf8(py, label)?)))
}

/// The name of a file for multipart/form-data, in bytes, which can stand in quotes.
///
/// >>> textcodec.url.file_name("я.txt", "windows-1251")
/// b'\xff.txt'
#[pyfunction]
#[pyo3(signature = (name, label=None), text_signature = "(name, label='utf-8')")]
fn file_name<'py>(py: Python<'py>, name: &str, label: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &form::file_name(name, encoding_or_utf8(py, label)?)))
}

/// Adds the functions to the native module, from where the module `textcodec.url` takes them.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(percent_encode, module)?)?;
    module.add_function(wrap_pyfunction!(encode_query, module)?)?;
    module.add_function(wrap_pyfunction!(urlencode, module)?)?;
    module.add_function(wrap_pyfunction!(pick_an_encoding, module)?)?;
    module.add_function(wrap_pyfunction!(field_value, module)?)?;
    module.add_function(wrap_pyfunction!(field_name, module)?)?;
    module.add_function(wrap_pyfunction!(file_name, module)?)
}
