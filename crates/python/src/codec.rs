//! The two functions of a [codec](https://docs.python.org/3/library/codecs.html#codecs.CodecInfo) of Python.

use pyo3::{
    prelude::*,
    types::{PyBytes, PyString},
};
use textcodec::{BomHandling, Encoding};

use crate::{cpython::Source, decode, encode, encoding::PyEncoding, errors::Errors};

/// The functions `encode` and `decode` of the codec of an encoding.
#[pyclass(frozen, module = "textcodec._textcodec")]
pub(crate) struct Codec {
    encoding: Encoding,
    bom: BomHandling,
}

#[pymethods]
impl Codec {
    #[new]
    fn new(encoding: &Bound<'_, PyEncoding>, bom: &Bound<'_, PyString>) -> PyResult<Self> {
        Ok(Codec { encoding: encoding.get().0, bom: decode::bom_handling(Some(bom))? })
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
