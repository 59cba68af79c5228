//! The argument `guess`: what is asked for the encoding of a page that declares nothing.

use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyString},
};
use textcodec::{Encoding, Name, detect::Verdict};

use crate::{detect::RELEASE_FROM, encoding};

/// What is asked for the encoding of a page that declares nothing.
pub(crate) enum Guess {
    /// A function of Python.
    Function(Py<PyAny>),
    /// The detector of this package.
    Detector,
}

impl Guess {
    /// The argument `guess`.
    pub(crate) fn new(guess: &Bound<'_, PyAny>) -> PyResult<Self> {
        let needed = "guess must be 'detect' or a function from bytes to a label, an Encoding or None";
        match guess.cast::<PyString>() {
            Ok(name) if name.to_str().is_ok_and(|name| name == "detect") => Ok(Guess::Detector),
            Ok(name) => Err(PyValueError::new_err(format!("{needed}, not {}", encoding::excerpt(name)?))),
            Err(_) if guess.is_callable() => Ok(Guess::Function(guess.clone().unbind())),
            Err(_) => Err(PyTypeError::new_err(format!("{needed}, not {}", guess.get_type().name()?))),
        }
    }

    /// The encoding of `bytes`, which nobody can change. A caller need not hold Python's lock.
    pub(crate) fn ask(&self, bytes: &[u8]) -> PyResult<Option<Name>> {
        match self {
            Guess::Function(function) => Python::attach(|py| answer(function.bind(py), bytes)),
            Guess::Detector => Ok(detected(bytes)),
        }
    }

    /// The same for a caller that holds Python's lock, which is released while the detector reads a long page.
    pub(crate) fn ask_with_lock(&self, bytes: &[u8]) -> PyResult<Option<Name>> {
        if bytes.len() < RELEASE_FROM {
            return self.ask(bytes);
        }
        Python::attach(|py| py.detach(|| self.ask(bytes)))
    }
}

/// The answer of the detector. ASCII is no answer: the text is the same in all defaults, and the locale decides in
/// which encoding the page's forms are sent.
fn detected(bytes: &[u8]) -> Option<Name> {
    let detection = textcodec::detect::detect(bytes);
    if detection.verdict() == Verdict::Ascii { None } else { detection.encoding() }
}

/// The answer of a function. A label that names no encoding counts as no guess, as a label does in every other place.
fn answer(function: &Bound<'_, PyAny>, bytes: &[u8]) -> PyResult<Option<Name>> {
    let answer = function.call1((PyBytes::new(function.py(), bytes),))?;
    if answer.is_none() {
        return Ok(None);
    }
    let encoding = match encoding::known(&answer)? {
        Some(encoding) => Some(encoding),
        // Names of Python have underscores for punctuation.
        None => Encoding::for_label(answer.cast::<PyString>()?.to_string_lossy().replace('_', "-")).ok(),
    };
    Ok(encoding.map(Encoding::id))
}
