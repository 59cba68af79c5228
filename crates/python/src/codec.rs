//! The two functions of a [codec](https://docs.python.org/3/library/codecs.html#codecs.CodecInfo) of Python.

use pyo3::{
    prelude::*,
    types::{PyBytes, PyString},
};
use textcodec::BomHandling;

use crate::{
    charset::{self, AnyEncoding},
    cpython::Source,
    decode, encode,
    errors::Errors,
};

/// The functions `encode` and `decode` of the codec of an encoding.
#[pyclass(frozen, module = "textcodec._textcodec")]
pub(crate) struct Codec {
    encoding: AnyEncoding,
    bom: BomHandling,
}

#[pymethods]
impl Codec {
    #[new]
    fn new(py: Python<'_>, encoding: &Bound<'_, PyAny>, bom: &Bound<'_, PyString>) -> PyResult<Self> {
        Ok(Codec { encoding: charset::of_arguments(py, Some(encoding), None)?, bom: decode::bom_handling(Some(bom))? })
    }

    /// The text of `input`, and the number of bytes that were read: all.
    #[pyo3(signature = (input, errors=None), text_signature = "($self, input, errors='strict')")]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        input: &Bound<'py, PyAny>,
        errors: Option<&Bound<'py, PyString>>,
    ) -> PyResult<(Bound<'py, PyString>, usize)> {
        let mut source = Source::new(input)?;
        let length = source.as_slice().len();
        let (text, ..) = decode::text(py, &mut source, self.encoding, &Errors::or(errors, Errors::Strict)?, self.bom)?;
        Ok((text, length))
    }

    /// The bytes of `input`, and the number of characters that were read: all.
    #[pyo3(signature = (input, errors=None), text_signature = "($self, input, errors='strict')")]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        input: &Bound<'py, PyString>,
        errors: Option<&Bound<'py, PyString>>,
    ) -> PyResult<(Bound<'py, PyBytes>, usize)> {
        let bytes = encode::encoded(py, input, self.encoding, &Errors::or(errors, Errors::Strict)?)?;
        Ok((bytes, input.code_point_len()?))
    }
}
