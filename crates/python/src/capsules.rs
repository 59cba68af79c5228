//! The boundary to other libraries with Arrow columns: the
//! [PyCapsule interface](https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html), which lends
//! columns without a copy. Its capsules hold structs of Arrow's C data interface, so this file has unsafe code, as
//! `cpython.rs` has.
#![allow(unsafe_code)]

use std::{
    ffi::{CStr, CString, c_char, c_int},
    ptr::{self, NonNull},
};

use arrow_array::{
    Array, ArrayRef, GenericStringArray, OffsetSizeTrait,
    cast::AsArray,
    ffi::{self, FFI_ArrowArray, FFI_ArrowSchema},
    ffi_stream::FFI_ArrowArrayStream,
    make_array,
};
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyCapsule, PyTuple},
};
use textcodec::mem;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// A column of an object of another library.
pub(crate) struct Column {
    /// The chunks; a single one if the object is an array.
    pub(crate) chunks: Vec<ArrayRef>,
    pub(crate) data_type: DataType,
    /// Whether the object is a stream of chunks, and not an array.
    pub(crate) is_chunked: bool,
}

fn failed(error: &ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

impl Column {
    /// The column of an object with `__arrow_c_array__` or `__arrow_c_stream__`. Its memory is not copied. `expected`
    /// says in the message of an error which argument it is, and what it can be.
    ///
    /// # Errors
    /// `TypeError` if the object has neither; the exceptions of these methods.
    pub(crate) fn new(object: &Bound<'_, PyAny>, expected: &str) -> PyResult<Self> {
        if let Some(method) = object.getattr_opt("__arrow_c_array__")? {
            let capsules = method.call0()?.cast_into::<PyTuple>()?;
            let schema = capsules.get_item(0)?.cast_into::<PyCapsule>()?;
            let array = capsules.get_item(1)?.cast_into::<PyCapsule>()?;
            let array = take_array(&schema, &array)?;
            return Ok(Column { data_type: array.data_type().clone(), chunks: vec![array], is_chunked: false });
        }
        if let Some(method) = object.getattr_opt("__arrow_c_stream__")? {
            let capsule = method.call0()?.cast_into::<PyCapsule>()?;
            let (data_type, chunks) = take_stream(object.py(), &capsule)?;
            return Ok(Column { chunks, data_type, is_chunked: true });
        }
        Err(PyTypeError::new_err(format!(
            "{expected} an Arrow column, which has __arrow_c_array__ or __arrow_c_stream__; not {}",
            object.get_type().name()?
        )))
    }

    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }
}

/// The array that two capsules hold. They do not hold it afterwards.
fn take_array(schema: &Bound<'_, PyCapsule>, array: &Bound<'_, PyCapsule>) -> PyResult<ArrayRef> {
    let schema: NonNull<FFI_ArrowSchema> = schema.pointer_checked(Some(SCHEMA))?.cast();
    let array: NonNull<FFI_ArrowArray> = array.pointer_checked(Some(ARRAY))?.cast();
    // SAFETY: by the interface, a capsule of this name holds an `ArrowSchema`, and a capsule of the other name an
    // `ArrowArray` of this schema. The structs of the crate have the layout of the C data interface. `from_raw` moves
    // the array out of its capsule and marks it as released there, so that it is released once. The capsules live as
    // long as this function borrows them.
    let data = unsafe {
        let array = FFI_ArrowArray::from_raw(array.as_ptr());
        if array.is_released() {
            return Err(PyValueError::new_err("the Arrow array has been released"));
        }
        ffi::from_ffi(array, schema.as_ref())
    };
    checked(make_array(data.map_err(|error| failed(&error))?))
}

/// The array, if its offsets are inside of its buffers and its text is UTF-8. Rust relies on both, and not every
/// producer checks them.
fn checked(array: ArrayRef) -> PyResult<ArrayRef> {
    let is_text = match array.data_type() {
        DataType::Utf8 => has_text(array.as_string::<i32>()),
        DataType::LargeUtf8 => has_text(array.as_string::<i64>()),
        _ => {
            array.to_data().validate_full().map_err(|error| failed(&error))?;
            true
        }
    };
    if is_text { Ok(array) } else { Err(PyValueError::new_err("the Arrow array has malformed UTF-8 or wrong offsets")) }
}

/// Whether the offsets ascend and each row is UTF-8. `validate_full` finds out the same in more time.
fn has_text<O: OffsetSizeTrait>(array: &GenericStringArray<O>) -> bool {
    let offsets = array.offsets();
    // A negative offset becomes a large one, which is not in the values.
    let (first, last) = (offsets[0].as_usize(), offsets[array.len()].as_usize());
    let Some(text) = array.values().get(first..last) else { return false };
    // Not inside of a character: the end of the text, or a byte that is no continuation.
    let is_boundary = |offset: usize| text.get(offset - first).is_none_or(|byte| byte & 0xC0 != 0x80);
    offsets.is_sorted()
        && mem::utf8_valid_up_to(text) == text.len()
        && offsets.iter().all(|it| is_boundary(it.as_usize()))
}

/// The type and all chunks of the stream that a capsule holds. It does not hold the stream afterwards.
fn take_stream(py: Python<'_>, capsule: &Bound<'_, PyCapsule>) -> PyResult<(DataType, Vec<ArrayRef>)> {
    let stream: NonNull<FFI_ArrowArrayStream> = capsule.pointer_checked(Some(STREAM))?.cast();
    // SAFETY: by the interface, a capsule of this name holds an `ArrowArrayStream`. `from_raw` moves it out and marks
    // it as released there, so that it is released once.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
    if stream.release.is_none() {
        return Err(PyValueError::new_err("the Arrow stream has been read already"));
    }
    let Some((get_schema, get_next)) = stream.get_schema.zip(stream.get_next) else {
        return Err(PyValueError::new_err("the Arrow stream is incomplete"));
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the stream has not been released, so it may be asked. The function fills the struct that it gets, or
    // returns an error.
    let status = unsafe { get_schema(&raw mut stream, &raw mut schema) };
    if status != 0 {
        return Err(last_error(py, &mut stream, status));
    }
    let data_type = DataType::try_from(&schema).map_err(|error| failed(&error))?;
    let mut chunks = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as above.
        let status = unsafe { get_next(&raw mut stream, &raw mut array) };
        if status != 0 {
            return Err(last_error(py, &mut stream, status));
        }
        if array.is_released() {
            return Ok((data_type, chunks));
        }
        // SAFETY: the stream gives arrays of its schema.
        let data = unsafe { ffi::from_ffi(array, &schema) };
        chunks.push(checked(make_array(data.map_err(|error| failed(&error))?))?);
    }
}

/// The exception for an error of a stream: the exception that code of Python has raised in it, or its message.
#[cold]
fn last_error(py: Python<'_>, stream: &mut FFI_ArrowArrayStream, status: c_int) -> PyErr {
    if let Some(error) = PyErr::take(py) {
        return error;
    }
    let message = match stream.get_last_error {
        // SAFETY: the stream has not been released. The text that the function returns is valid until the next call.
        Some(get_last_error) => unsafe {
            let message = get_last_error(ptr::from_mut(stream));
            (!message.is_null()).then(|| CStr::from_ptr(message).to_string_lossy().into_owned())
        },
        None => None,
    };
    PyValueError::new_err(message.unwrap_or_else(|| format!("the Arrow stream has failed with the error {status}")))
}

fn schema_of(data_type: &DataType) -> Result<FFI_ArrowSchema, ArrowError> {
    // A field instead of the type alone, because a type alone is not nullable.
    FFI_ArrowSchema::try_from(Field::new("", data_type.clone(), true))
}

/// A capsule with the schema of a column of this type.
pub(crate) fn schema<'py>(py: Python<'py>, data_type: &DataType) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, schema_of(data_type).map_err(|error| failed(&error))?, SCHEMA)
}

/// A capsule with the array. Its memory is not copied.
pub(crate) fn array<'py>(py: Python<'py>, array: &ArrayRef) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArray::new(&array.to_data()), ARRAY)
}

/// A capsule with a stream of the chunks. Their memory is not copied.
pub(crate) fn stream<'py>(
    py: Python<'py>,
    data_type: DataType,
    chunks: Vec<ArrayRef>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let state = Box::new(Stream { data_type, chunks: chunks.into_iter(), error: None });
    let stream = FFI_ArrowArrayStream {
        get_schema: Some(Stream::get_schema),
        get_next: Some(Stream::get_next),
        get_last_error: Some(Stream::get_last_error),
        release: Some(Stream::release),
        private_data: Box::into_raw(state).cast(),
    };
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// A stream of chunks of any type; the crate has streams of record batches only.
struct Stream {
    data_type: DataType,
    chunks: std::vec::IntoIter<ArrayRef>,
    error: Option<CString>,
}

impl Stream {
    /// # Safety
    /// `stream` was made by [`stream`](self::stream) and has not been released, and no other thread uses it. `out` can
    /// be written.
    unsafe extern "C" fn get_schema(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowSchema) -> c_int {
        // SAFETY: `private_data` is the box of `stream`, until `release` takes it.
        let state = unsafe { &mut *(*stream).private_data.cast::<Stream>() };
        match schema_of(&state.data_type) {
            Ok(schema) => {
                // SAFETY: the caller provides memory for a schema. Its content is not released, because it has none
                // yet.
                unsafe { out.write(schema) };
                0
            }
            Err(error) => {
                state.error = CString::new(error.to_string()).ok();
                INVALID_ARGUMENT
            }
        }
    }

    /// # Safety
    /// As for [`get_schema`](Self::get_schema).
    unsafe extern "C" fn get_next(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowArray) -> c_int {
        // SAFETY: `private_data` is the box of `stream`, until `release` takes it.
        let state = unsafe { &mut *(*stream).private_data.cast::<Stream>() };
        // An array that is released marks the end.
        let array =
            state.chunks.next().map_or_else(FFI_ArrowArray::empty, |chunk| FFI_ArrowArray::new(&chunk.to_data()));
        // SAFETY: the caller provides memory for an array. Its content is not released, because it has none yet.
        unsafe { out.write(array) };
        0
    }

    /// # Safety
    /// As for [`get_schema`](Self::get_schema).
    unsafe extern "C" fn get_last_error(stream: *mut FFI_ArrowArrayStream) -> *const c_char {
        // SAFETY: `private_data` is the box of `stream`, until `release` takes it.
        let state = unsafe { &*(*stream).private_data.cast::<Stream>() };
        state.error.as_ref().map_or(ptr::null(), |error| error.as_ptr())
    }

    /// # Safety
    /// As for [`get_schema`](Self::get_schema).
    unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
        // SAFETY: the stream has not been released, so `private_data` is still the box. It is taken once: afterwards
        // `release` is null, by which everyone knows that the stream has been released.
        unsafe {
            drop(Box::from_raw((*stream).private_data.cast::<Stream>()));
            (*stream).private_data = ptr::null_mut();
            (*stream).get_schema = None;
            (*stream).get_next = None;
            (*stream).get_last_error = None;
            (*stream).release = None;
        }
    }
}

/// `EINVAL`, which is 22 on all systems that CPython supports.
const INVALID_ARGUMENT: c_int = 22;
