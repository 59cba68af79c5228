//! The reactions to errors: Python's [error handlers](https://docs.python.org/3/library/codecs.html#error-handlers).

use pyo3::{
    PyClass,
    exceptions::{PyIndexError, PyRuntimeError, PyTypeError},
    prelude::*,
    pyclass::boolean_struct::False,
    types::{PyString, PyTuple},
};

/// The reaction to an error. Python knows it by a name.
pub(crate) enum Errors {
    /// An exception.
    Strict,
    /// U+FFFD, or a question mark when encoding.
    Replace,
    /// Nothing.
    Ignore,
    /// A decimal character reference. Only encoders can write one.
    CharacterReference,
    /// A function that is registered under this name.
    Handler(Py<PyString>),
}

impl Errors {
    /// The error handler of this name.
    pub(crate) fn new(name: &Bound<'_, PyString>) -> PyResult<Self> {
        Ok(match name.to_str()? {
            "strict" => Errors::Strict,
            "replace" => Errors::Replace,
            "ignore" => Errors::Ignore,
            "xmlcharrefreplace" => Errors::CharacterReference,
            _ => Errors::Handler(name.clone().unbind()),
        })
    }

    /// The error handler of this name, or `default`.
    pub(crate) fn or(name: Option<&Bound<'_, PyString>>, default: Errors) -> PyResult<Self> {
        name.map_or(Ok(default), Errors::new)
    }

    /// The name.
    pub(crate) fn name<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        match self {
            Errors::Strict => PyString::intern(py, "strict"),
            Errors::Replace => PyString::intern(py, "replace"),
            Errors::Ignore => PyString::intern(py, "ignore"),
            Errors::CharacterReference => PyString::intern(py, "xmlcharrefreplace"),
            Errors::Handler(name) => name.bind(py).clone(),
        }
    }
}

/// A decoder or encoder for a stream, to convert the next piece.
///
/// # Errors
/// `RuntimeError` if it is converting another piece.
pub(crate) fn borrow<'py, T: PyClass<Frozen = False>>(object: &Bound<'py, T>) -> PyResult<PyRefMut<'py, T>> {
    object.try_borrow_mut().map_err(|_| {
        let message = "is in use: it belongs to one thread at a time, and its error handler or guess must not call it";
        match object.as_any().get_type().name() {
            Ok(name) => PyRuntimeError::new_err(format!("the {name} {message}")),
            Err(error) => error,
        }
    })
}

/// The answer of an error handler: a replacement, and the position at which to go on.
pub(crate) struct Answer<'py> {
    /// A `str`; when encoding, it can also be `bytes`.
    pub(crate) replacement: Bound<'py, PyAny>,
    /// At most the length of the object.
    pub(crate) position: usize,
}

/// Calls the error handler `name` with `exception`. `length` is the length of the object that is converted.
///
/// # Errors
/// `LookupError` if no handler has this name, the exceptions of the handler, `TypeError` if its answer is not a tuple
/// of two elements, and `IndexError` if the position is not in the object.
pub(crate) fn ask<'py>(
    py: Python<'py>,
    name: &Bound<'py, PyString>,
    exception: &Bound<'py, PyAny>,
    length: usize,
) -> PyResult<Answer<'py>> {
    let handler = py.import("codecs")?.call_method1("lookup_error", (name,))?;
    let answer = handler.call1((exception,))?;
    let wrong = || PyTypeError::new_err("an error handler must return a tuple of a replacement and a position");
    let answer = answer.cast::<PyTuple>().map_err(|_| wrong())?;
    if answer.len() != 2 {
        return Err(wrong());
    }
    let position: isize = answer.get_item(1)?.extract()?;
    // A negative position counts from the end.
    let from_start = if position < 0 { position.checked_add_unsigned(length) } else { Some(position) };
    match from_start.and_then(|position| usize::try_from(position).ok()) {
        Some(position) if position <= length => Ok(Answer { replacement: answer.get_item(0)?, position }),
        _ => Err(PyIndexError::new_err(format!("position {position} from error handler out of bounds"))),
    }
}
