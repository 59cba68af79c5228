//! The native half of the Python package `textcodec`. It converts text with the crate [`textcodec`]; the other half, in
//! Python, is in the folder `python`. DESIGN.md in the folder of this crate explains both.

#[cfg(feature = "arrow")]
mod arrow;
#[cfg(feature = "arrow")]
mod capsules;
mod charset;
mod check;
mod codec;
mod context;
mod cpython;
mod decode;
mod detect;
mod encode;
mod encoding;
mod errors;
mod guess;
mod incremental;
mod model;
#[cfg(feature = "program")]
mod program;
mod repair;
mod url;

use std::sync::OnceLock;

/// Whether the interpreter has no global lock, so that other threads run Python at the same time.
static FREE_THREADED: OnceLock<bool> = OnceLock::new();

/// The number of the interpreter that has loaded the package. Encodings are objects of this interpreter, so another one
/// in the same process cannot use them.
static INTERPRETER: OnceLock<i64> = OnceLock::new();

fn is_free_threaded() -> bool {
    FREE_THREADED.get().copied().unwrap_or(false)
}

/// The native half of `textcodec`.
#[pyo3::pymodule(gil_used = false)]
mod _textcodec {
    use pyo3::{
        exceptions::{PyImportError, PyRuntimeError},
        panic::PanicException,
        prelude::*,
        types::PyTuple,
    };

    #[cfg(feature = "arrow")]
    #[pymodule_export]
    use crate::arrow::{_arrow_decode, _arrow_detect, _arrow_encode, _arrow_html, PyArray, PyChunkedArray};
    #[cfg(feature = "program")]
    #[pymodule_export]
    use crate::program::_program;
    #[pymodule_export]
    use crate::{
        charset::{_charset_of_codec, PyCharset},
        check::{PyProblem, check},
        codec::Codec,
        context::{ContextDecoder, css, decode_as, default_of_locale, html, script, xhr, xml},
        decode::decode,
        detect::{PyCandidate, PyDetection, PyDetector, detect},
        encode::encode,
        encoding::{PyEncoding, lookup},
        incremental::{IncrementalDecoder, IncrementalEncoder},
        model::{_model_decode, _model_encode, _panic},
        repair::{PyChange, PyFixed, PyRepaired, PyStep, fix, repair, transliterate},
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        let interpreter = crate::cpython::interpreter_id(py);
        if *crate::INTERPRETER.get_or_init(|| interpreter) != interpreter {
            let message = "textcodec works in one interpreter of a process, and another one has loaded it already";
            return Err(PyImportError::new_err(message));
        }
        // A panic raises PanicException, which pyo3 derives from BaseException, so that `except Exception` would not
        // catch it. pyo3 has no other way to choose its base. The type belongs to this package alone, because each
        // package has a pyo3 of its own.
        let bases = PyTuple::new(py, [py.get_type::<PyRuntimeError>()])?;
        py.get_type::<PanicException>().setattr("__bases__", bases)?;
        let only_stable = py.import("os")?.getattr("environ")?.contains("TEXTCODEC_ONLY_STABLE_ABI")?;
        crate::cpython::look_up_functions(only_stable);
        // The lock can come back while a program runs, but it never goes.
        let has_lock = match py.import("sys")?.getattr_opt("_is_gil_enabled")? {
            Some(is_enabled) => is_enabled.call0()?.is_truthy()?,
            None => true,
        };
        crate::FREE_THREADED.get_or_init(|| !has_lock);
        module.add("Decoded", crate::decode::decoded_record(py)?.class(py))?;
        module.add("Sniffed", crate::context::sniffed_record(py)?.class(py))?;
        module.add("CONTEXTS", PyTuple::new(py, crate::context::names())?)?;
        crate::url::add_to(module)?;
        module.add("ENCODINGS", PyTuple::new(py, crate::encoding::objects(py)?)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
