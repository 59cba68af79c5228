//! Arrow columns: decode, encode, html and detect of each row. `python/textcodec/arrow.py` has the functions that
//! programs call.

use std::sync::Mutex;

use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use pyo3::{
    exceptions::{
        PyLookupError, PyOverflowError, PyTypeError, PyUnicodeDecodeError, PyUnicodeEncodeError, PyValueError,
    },
    prelude::*,
    types::{PyBytes, PyCapsule, PyString},
};
use textcodec::Name;
use textcodec_arrow::{
    Charsets, DecodeErrors, DecodeOptions, DetectOptions, EncodeErrors, Error, HtmlOptions, Labels, TYPES_OF_BYTES,
    TYPES_OF_TEXT, on_threads,
};

use crate::{
    capsules::{self, Column, Role},
    context::header,
    decode::bom_handling,
    encoding::{self, PyEncoding},
    guess::Guess,
};

/// An Arrow array, which other libraries take without a copy: `pyarrow.array(it)`, `polars.Series(it)`.
#[pyclass(frozen, module = "textcodec.arrow", name = "Array")]
pub(crate) struct PyArray(ArrayRef);

#[pymethods]
impl PyArray {
    /// The schema and the array, as Arrow's PyCapsule interface has them.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // The interface leaves it to the producer whether it converts to another type.
        let _ = requested_schema;
        Ok((capsules::schema(py, self.0.data_type())?, capsules::array(py, &self.0)?))
    }

    /// A stream of one chunk, for libraries that take only streams.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        capsules::stream(py, self.0.data_type().clone(), vec![self.0.clone()])
    }

    /// The schema, as Arrow's PyCapsule interface has it.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::schema(py, self.0.data_type())
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("<textcodec.arrow.Array of {}, {} rows>", name_of(self.0.data_type()), self.0.len())
    }
}

/// Arrow arrays of one type, which other libraries take without a copy: `pyarrow.chunked_array(it)`,
/// `polars.Series(it)`.
#[pyclass(frozen, module = "textcodec.arrow", name = "ChunkedArray")]
pub(crate) struct PyChunkedArray {
    chunks: Vec<ArrayRef>,
    data_type: DataType,
}

#[pymethods]
impl PyChunkedArray {
    /// A stream of the chunks, as Arrow's PyCapsule interface has it.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        capsules::stream(py, self.data_type.clone(), self.chunks.clone())
    }

    /// The schema, as Arrow's PyCapsule interface has it.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::schema(py, &self.data_type)
    }

    /// The number of chunks.
    #[getter]
    fn num_chunks(&self) -> usize {
        self.chunks.len()
    }

    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    fn __repr__(&self) -> String {
        let (chunks, rows) = (self.chunks.len(), self.__len__());
        format!("<textcodec.arrow.ChunkedArray of {}, {rows} rows in {chunks} chunks>", name_of(&self.data_type))
    }
}

/// The name of a type; a struct is only "Struct", because its fields would fill lines.
fn name_of(data_type: &DataType) -> String {
    match data_type {
        DataType::Struct(_) => "Struct".to_owned(),
        other => other.to_string(),
    }
}

/// The exception for an error.
fn exception(py: Python<'_>, error: Error) -> PyErr {
    let message = error.to_string();
    // The message of a label alone names the nearest labels.
    let lookup = |row: Option<usize>, alone: Option<PyErr>| match alone {
        Some(error) => {
            let at = row.map(|row| format!("row {row}: ")).unwrap_or_default();
            PyLookupError::new_err(format!("{at}{}", error.value(py)))
        }
        None => PyLookupError::new_err(message.clone()),
    };
    match error {
        Error::Type { .. } => PyTypeError::new_err(message),
        Error::Label { row, label } => lookup(row, encoding::resolve(py, PyString::new(py, &label).as_any()).err()),
        Error::Charset { row, name, .. } => lookup(row, encoding::charset(PyString::new(py, &name).as_any()).err()),
        Error::TooLong { .. } => PyOverflowError::new_err(message),
        Error::Malformed(found) => {
            let start = found.malformed.offset as usize;
            let end = start + found.malformed.bytes().len();
            let reason = format!("malformed sequence, in row {}", found.row);
            let cell = PyBytes::new(py, &found.cell);
            let arguments = (found.charset.name(), cell, start, end, reason);
            py.get_type::<PyUnicodeDecodeError>().call1(arguments).map_or_else(|error| error, PyErr::from_value)
        }
        Error::Unmappable(found) => {
            let start = found.cell[..found.unmappable.offset as usize].chars().count();
            let reason = format!("unmappable character, in row {}", found.row);
            let arguments = (found.charset.name(), &*found.cell, start, start + 1, reason);
            py.get_type::<PyUnicodeEncodeError>().call1(arguments).map_or_else(|error| error, PyErr::from_value)
        }
        _ => PyValueError::new_err(message),
    }
}

const BYTES: Role = Role { argument: "column must be", name: "the column", types: TYPES_OF_BYTES };
const TEXT: Role = Role { argument: "column must be", name: "the column", types: TYPES_OF_TEXT };

/// The role of a column with a text for each row of another one.
const fn beside(argument: &'static str, name: &'static str) -> Role {
    Role { argument, name, types: TYPES_OF_TEXT }
}

/// The number of pieces that an array is cut into for each thread, so that no thread waits long for the others at the
/// end.
const PIECES_PER_THREAD: usize = 4;

/// Converts each chunk while other threads can run Python, and makes an object of the results.
fn convert<'py>(
    py: Python<'py>,
    mut column: Column,
    threads: usize,
    result_type: DataType,
    convert: impl Fn(&ArrayRef, usize) -> Result<ArrayRef, Error> + Sync + Send,
) -> PyResult<Bound<'py, PyAny>> {
    if threads == 0 {
        return Err(PyValueError::new_err("threads must be at least 1"));
    }
    if threads > 1 && column.chunks.len() == 1 {
        let array = &column.chunks[0];
        let rows = array.len().div_ceil(threads.saturating_mul(PIECES_PER_THREAD)).max(1);
        let starts = (0..array.len()).step_by(rows);
        column.chunks = starts.map(|start| array.slice(start, rows.min(array.len() - start))).collect();
        column.is_chunked = true;
    }
    // Other threads of Python can write to the memory of the column meanwhile. A chunk is copied when its turn comes,
    // so that no more memory is needed than for one chunk of each thread.
    let convert = |chunk: &ArrayRef, first| convert(&capsules::owned(chunk), first);
    let chunks = py.detach(|| on_threads(threads, &column.chunks, convert)).map_err(|error| exception(py, error))?;
    if let ([array], false) = (&*chunks, column.is_chunked) {
        return Ok(Bound::new(py, PyArray(array.clone()))?.into_any());
    }
    let data_type = chunks.first().map_or(result_type, |chunk| chunk.data_type().clone());
    Ok(Bound::new(py, PyChunkedArray { chunks, data_type })?.into_any())
}

/// The labels, or else the names of charsets: one of them or an `Encoding` for all rows, or a column.
fn labels(
    py: Python<'_>,
    labels: Option<&Bound<'_, PyAny>>,
    charset: Option<&Bound<'_, PyAny>>,
    column: &Column,
) -> PyResult<Labels> {
    let labels = match (labels, charset) {
        (Some(label), None) if is_one(label) => return Ok(encoding::resolve(py, label)?.into()),
        (None, Some(name)) if is_one(name) => return Ok(encoding::charset(name)?.into()),
        (Some(labels), None) => {
            let found = Column::new(labels, beside("labels must be a label, an Encoding or", "the column of labels"))?;
            Labels::each_of(found.chunks.iter().map(|chunk| &**chunk as &dyn Array))
        }
        (None, Some(names)) => {
            let found = Column::new(names, beside("charset must be a name, an Encoding or", "the column of charsets"))?;
            Labels::each_charset_of(found.chunks.iter().map(|chunk| &**chunk as &dyn Array))
        }
        (Some(_), Some(_)) => return Err(PyTypeError::new_err("give labels or charset, not both")),
        (None, None) => return Err(PyTypeError::new_err("labels or charset must say what the encodings are")),
    };
    let labels = labels.map_err(|error| exception(py, error))?;
    same_length(column, labels.len())?;
    Ok(labels)
}

fn is_one(label: &Bound<'_, PyAny>) -> bool {
    label.is_instance_of::<PyString>() || label.is_instance_of::<PyEncoding>()
}

fn same_length(column: &Column, labels: Option<usize>) -> PyResult<()> {
    match labels {
        Some(labels) if labels != column.rows() => {
            Err(PyValueError::new_err(Error::Length { column: column.rows(), labels }.to_string()))
        }
        _ => Ok(()),
    }
}

fn decode_errors(name: &str) -> PyResult<DecodeErrors> {
    match name {
        "replace" => Ok(DecodeErrors::Replace),
        "strict" => Ok(DecodeErrors::Strict),
        "null" => Ok(DecodeErrors::Null),
        other => Err(PyLookupError::new_err(format!("errors must be 'replace', 'strict' or 'null', not {other:?}"))),
    }
}

/// `textcodec.arrow.decode`.
#[pyfunction]
pub(crate) fn _arrow_decode<'py>(
    py: Python<'py>,
    column: &Bound<'py, PyAny>,
    labels: Option<&Bound<'py, PyAny>>,
    errors: &str,
    charset: Option<&Bound<'py, PyAny>>,
    bom: &Bound<'py, PyString>,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let options = DecodeOptions { errors: decode_errors(errors)?, bom: bom_handling(Some(bom))? };
    let column = Column::new(column, BYTES)?;
    let labels = self::labels(py, labels, charset, &column)?;
    let result_type = textcodec_arrow::decode_type(&column.data_type, &labels).map_err(|error| exception(py, error))?;
    convert(py, column, threads, result_type, |chunk, first| {
        textcodec_arrow::decode(chunk, &labels.slice(first, chunk.len()), &options)
    })
}

/// `textcodec.arrow.encode`.
#[pyfunction]
pub(crate) fn _arrow_encode<'py>(
    py: Python<'py>,
    column: &Bound<'py, PyAny>,
    labels: Option<&Bound<'py, PyAny>>,
    errors: &str,
    charset: Option<&Bound<'py, PyAny>>,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let errors = match errors {
        "strict" => EncodeErrors::Strict,
        "replace" => EncodeErrors::Replace,
        "xmlcharrefreplace" => EncodeErrors::Html,
        "null" => EncodeErrors::Null,
        other => {
            let message = format!("errors must be 'strict', 'replace', 'xmlcharrefreplace' or 'null', not {other:?}");
            return Err(PyLookupError::new_err(message));
        }
    };
    let column = Column::new(column, TEXT)?;
    let labels = self::labels(py, labels, charset, &column)?;
    let result_type = textcodec_arrow::encode_type(&column.data_type, &labels).map_err(|error| exception(py, error))?;
    convert(py, column, threads, result_type, |chunk, first| {
        textcodec_arrow::encode(chunk, &labels.slice(first, chunk.len()), errors)
    })
}

/// The charsets of HTTP: a label for all rows or a column of labels, or the same with whole headers.
fn charsets(
    py: Python<'_>,
    column: &Column,
    http_charset: Option<&Bound<'_, PyAny>>,
    content_type: Option<&Bound<'_, PyAny>>,
) -> PyResult<Charsets> {
    let charsets = match (http_charset, content_type) {
        (None, None) => return Ok(Charsets::default()),
        (Some(_), Some(_)) => {
            return Err(PyTypeError::new_err("give http_charset or content_type, not both"));
        }
        (Some(charset), None) if is_one(charset) => {
            // A label that no encoding has counts as none, as in a browser.
            return Ok(encoding::known(charset)?.map_or_else(Charsets::default, |it| Charsets::one(it.name())));
        }
        (None, Some(value)) if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() => {
            return Ok(Charsets::one_content_type(header(value)?));
        }
        (Some(charsets), None) => {
            let role = beside("http_charset must be a label, an Encoding or", "the column of charsets");
            let found = Column::new(charsets, role)?;
            Charsets::each_of(found.chunks.iter().map(|chunk| &**chunk as &dyn Array))
        }
        (None, Some(values)) => {
            let role = beside("content_type must be a str, bytes or", "the column of content types");
            let found = Column::new(values, role)?;
            Charsets::each_content_type_of(found.chunks.iter().map(|chunk| &**chunk as &dyn Array))
        }
    };
    let charsets = charsets.map_err(|error| exception(py, error))?;
    same_length(column, charsets.len())?;
    Ok(charsets)
}

/// `textcodec.arrow.html`.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the function in Python has them by name")]
pub(crate) fn _arrow_html<'py>(
    py: Python<'py>,
    column: &Bound<'py, PyAny>,
    http_charset: Option<&Bound<'py, PyAny>>,
    content_type: Option<&Bound<'py, PyAny>>,
    errors: &str,
    guess: Option<Bound<'py, PyAny>>,
    locale: Option<&Bound<'py, PyString>>,
    default: Option<&Bound<'py, PyAny>>,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let errors = decode_errors(errors)?;
    let default: Option<Name> = default.map(|label| encoding::resolve(py, label).map(|it| it.id())).transpose()?;
    let column = Column::new(column, BYTES)?;
    let charsets = charsets(py, &column, http_charset, content_type)?;
    let Some(kind) = textcodec_arrow::Kind::of(&column.data_type) else {
        let error = textcodec_arrow::decode_type(&column.data_type, &textcodec::UTF_8.into()).err();
        return Err(error.map_or_else(|| PyTypeError::new_err("a column of bytes is needed"), |it| exception(py, it)));
    };
    let result_type = DataType::Struct(textcodec_arrow::html_fields(kind));
    let locale = locale.map(|locale| locale.to_string_lossy().into_owned());
    // The exception of a function, if it raises one, takes precedence over the result.
    let failure = Mutex::new(None);
    let guess = guess.map(|guess| Guess::new(&guess)).transpose()?;
    let heuristic = guess.as_ref().map(|guess| {
        |bytes: &[u8]| match guess.ask(bytes) {
            Ok(guess) => guess,
            Err(error) => {
                if let Ok(mut failure) = failure.lock() {
                    failure.get_or_insert(error);
                }
                None
            }
        }
    });
    let guess = heuristic.as_ref().map(|heuristic| heuristic as _);
    let result = convert(py, column, threads, result_type, |chunk, first| {
        let options = HtmlOptions { errors, guess, locale: locale.as_deref(), default };
        let pages = textcodec_arrow::html(chunk, &charsets.slice(first, chunk.len()), &options)?;
        Ok(std::sync::Arc::new(pages) as ArrayRef)
    });
    match failure.into_inner() {
        Ok(Some(error)) => Err(error),
        _ => result,
    }
}

/// The encodings of an argument, a label or an `Encoding` or an iterable of them.
fn names(py: Python<'_>, labels: &Bound<'_, PyAny>) -> PyResult<Vec<Name>> {
    if is_one(labels) {
        return Ok(vec![encoding::resolve(py, labels)?.id()]);
    }
    labels.try_iter()?.map(|label| Ok(encoding::resolve(py, &label?)?.id())).collect()
}

/// `textcodec.arrow.detect`.
#[pyfunction]
pub(crate) fn _arrow_detect<'py>(
    py: Python<'py>,
    column: &Bound<'py, PyAny>,
    among: Option<&Bound<'py, PyAny>>,
    exclude: Option<&Bound<'py, PyAny>>,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let mut options = DetectOptions::new();
    if let Some(labels) = among {
        let names = names(py, labels)?;
        if names.is_empty() {
            return Err(PyValueError::new_err("among must name an encoding at least"));
        }
        options = options.among(names);
    }
    if let Some(labels) = exclude {
        options = options.exclude(names(py, labels)?);
    }
    let column = Column::new(column, BYTES)?;
    let result_type = DataType::Struct(textcodec_arrow::detect_fields());
    convert(py, column, threads, result_type, |chunk, _| {
        Ok(std::sync::Arc::new(textcodec_arrow::detect(chunk, &options)?) as ArrayRef)
    })
}
