//! Functions for the tests: the Standard's own algorithms over I/O queues, which they compare the package with, and a
//! panic.

use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use textcodec::hooks::{self, IoQueue};

use crate::encoding;

/// Panics. The tests see by it that a panic is an ordinary exception for Python.
#[pyfunction]
pub(crate) fn _panic(message: String) {
    panic!("{message}")
}

/// [*Decode*](https://encoding.spec.whatwg.org/#decode), step by step.
#[pyfunction]
pub(crate) fn _model_decode(py: Python<'_>, data: &[u8], label: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut output = IoQueue::new();
    hooks::decode(&mut IoQueue::from_iter(data.iter().copied()), encoding::resolve(py, label)?, &mut output);
    Ok(output.read_all())
}

/// [*Encode*](https://encoding.spec.whatwg.org/#encode), step by step.
#[pyfunction]
pub(crate) fn _model_encode<'py>(
    py: Python<'py>,
    text: &str,
    label: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut output = IoQueue::new();
    hooks::encode(&mut IoQueue::from_iter(text.chars()), encoding::resolve(py, label)?, &mut output)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(PyBytes::new(py, &output.read_all::<Vec<u8>>()))
}
