//! The boundary to other libraries with Arrow columns: the
//! [PyCapsule interface](https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html), which lends
//! columns without a copy. Its capsules hold structs of Arrow's C data interface, so this file has unsafe code, as
//! `cpython.rs` has.
#![allow(unsafe_code)]

use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr::{self, NonNull},
    sync::Arc,
};

use arrow_array::{
    Array, ArrayRef, BinaryViewArray, DictionaryArray, FixedSizeBinaryArray, GenericBinaryArray, GenericStringArray,
    OffsetSizeTrait, PrimitiveArray,
    cast::AsArray,
    ffi::{FFI_ArrowArray, FFI_ArrowSchema},
    ffi_stream::FFI_ArrowArrayStream,
    types::{
        ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
        UInt64Type,
    },
};
use arrow_buffer::{ArrowNativeType, BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyCapsule, PyTuple},
};
use textcodec::mem;
use textcodec_arrow::{Error, Kind};

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

/// The part that a column has in a call.
#[derive(Clone, Copy)]
pub(crate) struct Role {
    /// The beginning of the message for an object that is no column: which argument it is, and what it can be.
    pub(crate) argument: &'static str,
    /// The name of the column in the message for a column of another type.
    pub(crate) name: &'static str,
    /// The types that the column can have.
    pub(crate) types: &'static str,
}

fn failed(error: &ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The exception for a struct of the C data interface that breaks its rules.
#[cold]
fn malformed(what: &str) -> PyErr {
    PyValueError::new_err(format!("the Arrow column is malformed: {what}"))
}

impl Column {
    /// The column of an object with `__arrow_c_array__` or `__arrow_c_stream__`.
    ///
    /// The bytes of a column of bytes are not copied, and other code can change them until [`owned`] copies them.
    ///
    /// # Errors
    /// `TypeError` if the object has neither, or if the column is one of neither bytes nor text; `ValueError` if it is
    /// malformed; the exceptions of these methods.
    pub(crate) fn new(object: &Bound<'_, PyAny>, role: Role) -> PyResult<Self> {
        if let Some(method) = object.getattr_opt("__arrow_c_array__")? {
            let capsules = method.call0()?.cast_into::<PyTuple>()?;
            let schema = capsules.get_item(0)?.cast_into::<PyCapsule>()?;
            let array = capsules.get_item(1)?.cast_into::<PyCapsule>()?;
            let array = take_array(&schema, &array, role)?;
            return Ok(Column { data_type: array.data_type().clone(), chunks: vec![array], is_chunked: false });
        }
        if let Some(method) = object.getattr_opt("__arrow_c_stream__")? {
            let capsule = method.call0()?.cast_into::<PyCapsule>()?;
            let (data_type, chunks) = take_stream(object.py(), &capsule, role)?;
            return Ok(Column { chunks, data_type, is_chunked: true });
        }
        Err(PyTypeError::new_err(format!(
            "{} an Arrow column, which has __arrow_c_array__ or __arrow_c_stream__; not {}",
            role.argument,
            object.get_type().name()?
        )))
    }

    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }
}

/// The array that two capsules hold. They do not hold it afterwards.
fn take_array(schema: &Bound<'_, PyCapsule>, array: &Bound<'_, PyCapsule>, role: Role) -> PyResult<ArrayRef> {
    let schema: NonNull<FFI_ArrowSchema> = schema.pointer_checked(Some(SCHEMA))?.cast();
    let array: NonNull<FFI_ArrowArray> = array.pointer_checked(Some(ARRAY))?.cast();
    // SAFETY: by the interface, a capsule of this name holds an `ArrowArray`, and the crate's struct has its layout.
    // `from_raw` moves the array out of its capsule and marks it as released there, so that it is released once.
    let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
    // SAFETY: by the interface, a capsule of this name holds an `ArrowSchema`, which lives as long as this function
    // borrows the capsule.
    let data_type = unsafe { data_type(schema.as_ref(), role)? };
    // SAFETY: by the interface, the array has this schema.
    unsafe { import(array, &data_type) }
}

/// The type and all chunks of the stream that a capsule holds. It does not hold the stream afterwards.
fn take_stream(py: Python<'_>, capsule: &Bound<'_, PyCapsule>, role: Role) -> PyResult<(DataType, Vec<ArrayRef>)> {
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
    // SAFETY: the function has filled the struct.
    let data_type = unsafe { data_type(&schema, role)? };
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
        chunks.push(unsafe { import(array, &data_type)? });
    }
}

/// `ArrowSchema` of the C data interface. The crate's struct for it panics when it is asked for a malformed field.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *const *const Schema,
    dictionary: *const Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

const _: () = assert!(size_of::<Schema>() == size_of::<FFI_ArrowSchema>());

/// The type of a column, which is one of bytes or text, or a dictionary of them.
///
/// # Errors
/// `TypeError` for other types, `ValueError` for a malformed schema.
///
/// # Safety
/// The schema is one of the C data interface: its pointers are null or valid, and its texts end with a zero.
unsafe fn data_type(schema: &FFI_ArrowSchema, role: Role) -> PyResult<DataType> {
    /// The greatest depth of nested types. A column that is taken has two levels at most.
    const DEPTH: u32 = 64;
    // SAFETY: both structs have the layout of `ArrowSchema`.
    let fields = unsafe { &*ptr::from_ref(schema).cast::<Schema>() };
    // SAFETY: as the caller promises.
    unsafe { fields.check(DEPTH)? };
    let found = DataType::try_from(schema).map_err(|error| failed(&error))?;
    if Kind::of(&found).is_some() {
        return Ok(found);
    }
    let error = Error::Type { column: role.name, expected: role.types, found };
    Err(PyTypeError::new_err(error.to_string()))
}

impl Schema {
    /// Fails if a field is malformed that the crate would read. The crate checks the rest of the format itself.
    ///
    /// # Safety
    /// As for [`data_type`].
    unsafe fn check(&self, depth: u32) -> PyResult<()> {
        if self.release.is_none() {
            return Err(malformed("the schema has been released"));
        }
        let Some(depth) = depth.checked_sub(1) else { return Err(malformed("the type is nested too deeply")) };
        // SAFETY: the pointers are valid unless they are null, and the texts end with a zero.
        let text = |text: *const c_char| unsafe { (!text.is_null()).then(|| CStr::from_ptr(text).to_str()) };
        let format = match text(self.format) {
            Some(Ok(format)) => format,
            Some(Err(_)) => return Err(malformed("the format of the schema is not UTF-8")),
            None => return Err(malformed("the schema has no format")),
        };
        if text(self.name).is_some_and(|name| name.is_err()) {
            return Err(malformed("the name of the schema is not UTF-8"));
        }
        let (kind, size) = format.split_once(':').unwrap_or((format, ""));
        if matches!(kind, "w" | "+w") && size.starts_with('-') {
            return Err(malformed("the schema has a negative size"));
        }
        let is_right_number = match kind {
            "+l" | "+L" | "+vl" | "+vL" | "+m" | "+w" => self.n_children == 1,
            "+r" => self.n_children == 2,
            "+s" | "+ud" | "+us" => self.n_children >= 0,
            _ => self.n_children == 0,
        };
        if !is_right_number || (self.n_children > 0 && self.children.is_null()) {
            return Err(malformed("the schema has a wrong number of children"));
        }
        let count = if kind.starts_with('+') { self.n_children as usize } else { 0 };
        for number in 0..count {
            // SAFETY: there are as many pointers as the schema has children, and they are null or valid.
            let Some(child) = (unsafe { self.children.add(number).read_unaligned().as_ref() }) else {
                return Err(malformed("a child of the schema is missing"));
            };
            // SAFETY: as the caller promises.
            unsafe { child.check(depth)? };
        }
        // SAFETY: the pointer is null or valid.
        match unsafe { self.dictionary.as_ref() } {
            // SAFETY: as the caller promises.
            Some(dictionary) => unsafe { dictionary.check(depth) },
            None => Ok(()),
        }
    }
}

/// The array of a struct of the C data interface, whose type is one that [`data_type`] returns.
///
/// Everything that decides which memory is read is copied, and then checked: offsets, views, keys and null bits. So is
/// text, which Rust relies on to be UTF-8, and so are the values of dictionaries. Only the bytes of columns of bytes
/// stay where they are.
///
/// # Safety
/// The struct is one of the C data interface for this type: its buffers are null or have the lengths that the other
/// fields say.
unsafe fn import(array: FFI_ArrowArray, data_type: &DataType) -> PyResult<ArrayRef> {
    let owner = Arc::new(array);
    // SAFETY: as the caller promises.
    unsafe { import_part(&owner, &owner, data_type) }
}

/// As [`import`], for the array of `owner` or the values of its dictionary.
///
/// # Safety
/// As for [`import`].
unsafe fn import_part(owner: &Arc<FFI_ArrowArray>, array: &FFI_ArrowArray, data_type: &DataType) -> PyResult<ArrayRef> {
    // SAFETY: as the caller promises.
    let part = unsafe { Part::new(owner, array, data_type)? };
    Ok(match data_type {
        DataType::Binary => part.binary::<i32>()?,
        DataType::LargeBinary => part.binary::<i64>()?,
        DataType::Utf8 => part.text::<i32>()?,
        DataType::LargeUtf8 => part.text::<i64>()?,
        DataType::BinaryView => Arc::new(part.views()?),
        DataType::Utf8View => {
            // `gc` copies the bytes of the rows, and `to_string_view` finds out whether they are UTF-8.
            let copy = part.views()?.gc();
            Arc::new(copy.to_string_view().map_err(|error| failed(&error))?)
        }
        DataType::FixedSizeBinary(size) => part.fixed_size(*size)?,
        DataType::Dictionary(key, values) => {
            // SAFETY: the pointer is null or valid.
            let Some(dictionary) = (unsafe { array.dictionary.as_ref() }) else {
                return Err(malformed("the dictionary is missing"));
            };
            // SAFETY: by the interface, the dictionary has the type of the values.
            let values = owned(&unsafe { import_part(owner, dictionary, values)? });
            match **key {
                DataType::Int8 => part.dictionary::<Int8Type>(values)?,
                DataType::Int16 => part.dictionary::<Int16Type>(values)?,
                DataType::Int32 => part.dictionary::<Int32Type>(values)?,
                DataType::Int64 => part.dictionary::<Int64Type>(values)?,
                DataType::UInt8 => part.dictionary::<UInt8Type>(values)?,
                DataType::UInt16 => part.dictionary::<UInt16Type>(values)?,
                DataType::UInt32 => part.dictionary::<UInt32Type>(values)?,
                DataType::UInt64 => part.dictionary::<UInt64Type>(values)?,
                _ => return Err(malformed("the keys of the dictionary have no type of integers")),
            }
        }
        _ => return Err(malformed("the type is neither bytes nor text")),
    })
}

/// The array with a copy of its bytes, which no other code can change. Each byte is read once.
pub(crate) fn owned(array: &ArrayRef) -> ArrayRef {
    fn binary<O: OffsetSizeTrait>(array: &GenericBinaryArray<O>) -> ArrayRef {
        let offsets = array.value_offsets();
        let (first, last) = (offsets[0], offsets[array.len()]);
        let bytes = Buffer::from_slice_ref(&array.values()[first.as_usize()..last.as_usize()]);
        let offsets: Vec<O> = offsets.iter().map(|&offset| offset - first).collect();
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        Arc::new(GenericBinaryArray::new(offsets, bytes, array.nulls().cloned()))
    }
    match array.data_type() {
        DataType::Binary => binary(array.as_binary::<i32>()),
        DataType::LargeBinary => binary(array.as_binary::<i64>()),
        DataType::BinaryView => Arc::new(array.as_binary_view().gc()),
        DataType::FixedSizeBinary(size) => {
            let bytes = Buffer::from_slice_ref(array.as_fixed_size_binary().value_data());
            let copy = FixedSizeBinaryArray::try_new_with_len(*size, bytes, array.nulls().cloned(), array.len());
            copy.map_or_else(|_| array.clone(), |copy| Arc::new(copy) as ArrayRef)
        }
        _ => array.clone(),
    }
}

/// An array of the C data interface whose numbers are possible.
struct Part<'a> {
    owner: &'a Arc<FFI_ArrowArray>,
    array: &'a FFI_ArrowArray,
    length: usize,
    offset: usize,
    nulls: Option<NullBuffer>,
}

impl<'a> Part<'a> {
    /// Checks all fields that do not depend on the type.
    ///
    /// # Safety
    /// As for [`import`].
    unsafe fn new(owner: &'a Arc<FFI_ArrowArray>, array: &'a FFI_ArrowArray, data_type: &DataType) -> PyResult<Self> {
        /// The greatest number of rows. The largest element of a buffer has 16 bytes, and no memory has more bytes than
        /// an `isize` can count.
        const MOST_ROWS: usize = isize::MAX as usize / 32;
        if array.is_released() {
            return Err(PyValueError::new_err("the Arrow array has been released"));
        }
        let (Ok(length), Ok(offset)) = (usize::try_from(array.length), usize::try_from(array.offset)) else {
            return Err(malformed("the length or the offset is negative"));
        };
        if length > MOST_ROWS || offset > MOST_ROWS - length {
            return Err(malformed("the length or the offset is too large"));
        }
        if array.null_count < -1 {
            return Err(malformed("the number of null rows is negative"));
        }
        let is_right_number = match data_type {
            DataType::BinaryView | DataType::Utf8View => array.n_buffers >= 3,
            DataType::FixedSizeBinary(_) | DataType::Dictionary(..) => array.n_buffers == 2,
            _ => array.n_buffers == 3,
        };
        if !is_right_number || array.buffers.is_null() || array.n_buffers > i64::from(i32::MAX) {
            return Err(malformed("it has a wrong number of buffers"));
        }
        if array.n_children != 0 {
            return Err(malformed("it has children"));
        }
        if !array.dictionary.is_null() && !matches!(data_type, DataType::Dictionary(..)) {
            return Err(malformed("it has a dictionary, and its schema has none"));
        }
        let mut part = Part { owner, array, length, offset, nulls: None };
        part.nulls = part.find_nulls()?;
        Ok(part)
    }

    /// The pointer of a buffer.
    fn pointer(&self, number: usize) -> *const u8 {
        // SAFETY: `new` has checked that there is a list of pointers, and callers ask for one of the list.
        unsafe { self.array.buffers.add(number).read_unaligned().cast() }
    }

    /// A copy of `count` elements of a buffer, from the element `first` on.
    fn copied<T: ArrowNativeType>(&self, number: usize, first: usize, count: usize) -> PyResult<Vec<T>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let start = self.pointer(number).cast::<T>();
        if start.is_null() {
            return Err(malformed("a buffer is missing"));
        }
        let mut copy = vec![T::default(); count];
        // SAFETY: by the interface, the buffer has all of these elements. They may be unaligned in it, so they are
        // copied as bytes; every pattern of bits is a value of a native type.
        unsafe {
            ptr::copy_nonoverlapping(start.add(first).cast::<u8>(), copy.as_mut_ptr().cast(), count * size_of::<T>())
        }
        Ok(copy)
    }

    /// `length` bytes of a buffer from the byte `first` on, without a copy.
    fn lent(&self, number: usize, first: usize, length: usize) -> PyResult<Buffer> {
        if length == 0 {
            return Ok(Buffer::from_vec(Vec::<u8>::new()));
        }
        let Some(start) = NonNull::new(self.pointer(number).cast_mut()) else {
            return Err(malformed("a buffer is missing"));
        };
        // SAFETY: by the interface, the buffer has these bytes, and they live until the owner is released.
        unsafe { Ok(Buffer::from_custom_allocation(start.add(first), length, self.owner.clone())) }
    }

    /// The null rows, if there are any.
    fn find_nulls(&self) -> PyResult<Option<NullBuffer>> {
        let expected = usize::try_from(self.array.null_count).ok();
        if self.length == 0 || self.pointer(0).is_null() {
            return match expected {
                None | Some(0) => Ok(None),
                Some(_) => Err(malformed("it has null rows, and the buffer is missing that says which")),
            };
        }
        let (first, shift) = (self.offset / 8, self.offset % 8);
        let bits = self.copied::<u8>(0, first, (shift + self.length).div_ceil(8))?;
        let nulls = NullBuffer::new(BooleanBuffer::new(Buffer::from_vec(bits), shift, self.length));
        match expected {
            Some(expected) if expected != nulls.null_count() => Err(malformed("the number of null rows is wrong")),
            _ => Ok(Some(nulls).filter(|nulls| nulls.null_count() > 0)),
        }
    }

    /// The offsets of rows, from 0 on, and the first and the last one in the buffer.
    fn offsets<O: OffsetSizeTrait>(&self) -> PyResult<(OffsetBuffer<O>, usize, usize)> {
        if self.length == 0 {
            return Ok((OffsetBuffer::new_empty(), 0, 0));
        }
        let mut offsets = self.copied::<O>(1, self.offset, self.length + 1)?;
        let (first, last) = (offsets[0], offsets[self.length]);
        if first < O::zero() || !offsets.is_sorted() {
            return Err(malformed("the offsets do not ascend"));
        }
        if first > O::zero() {
            offsets.iter_mut().for_each(|offset| *offset = *offset - first);
        }
        Ok((OffsetBuffer::new(ScalarBuffer::from(offsets)), first.as_usize(), last.as_usize()))
    }

    fn binary<O: OffsetSizeTrait>(self) -> PyResult<ArrayRef> {
        let (offsets, first, last) = self.offsets::<O>()?;
        let bytes = self.lent(2, first, last - first)?;
        let array = GenericBinaryArray::<O>::try_new(offsets, bytes, self.nulls);
        Ok(Arc::new(array.map_err(|error| failed(&error))?))
    }

    fn text<O: OffsetSizeTrait>(self) -> PyResult<ArrayRef> {
        let (offsets, first, last) = self.offsets::<O>()?;
        let text = self.copied::<u8>(2, first, last - first)?;
        // Not inside of a character: the end of the text, or a byte that is no continuation.
        let is_boundary = |offset: &O| text.get(offset.as_usize()).is_none_or(|byte| byte & 0xC0 != 0x80);
        if mem::utf8_valid_up_to(&text) != text.len() || !offsets.iter().all(is_boundary) {
            return Err(PyValueError::new_err("the Arrow array has malformed UTF-8"));
        }
        // SAFETY: `offsets` ascend from 0 to the length of the text, the text is UTF-8, and no offset is inside of a
        // character. The null buffer has as many rows. The crate's own check takes twice as long.
        Ok(Arc::new(unsafe { GenericStringArray::<O>::new_unchecked(offsets, Buffer::from_vec(text), self.nulls) }))
    }

    fn views(self) -> PyResult<BinaryViewArray> {
        let views = ScalarBuffer::from(self.copied::<u128>(1, self.offset, self.length)?);
        // The buffers of bytes are between the views and the list of their lengths.
        let last = self.array.n_buffers as usize - 1;
        let lengths = self.copied::<i64>(last, 0, last - 2)?;
        let buffers = lengths.into_iter().enumerate().map(|(number, length)| match usize::try_from(length) {
            Ok(length) if isize::try_from(length).is_ok() => self.lent(2 + number, 0, length),
            _ => Err(malformed("the length of a buffer is negative")),
        });
        let buffers: Vec<_> = buffers.collect::<PyResult<_>>()?;
        BinaryViewArray::try_new(views, buffers, self.nulls).map_err(|error| failed(&error))
    }

    fn fixed_size(self, size: i32) -> PyResult<ArrayRef> {
        let Ok(row) = usize::try_from(size) else { return Err(malformed("the schema has a negative size")) };
        // Rows without bytes have no buffer that would have to be as long as they are many.
        let is_possible = row > 0 || self.length <= i32::MAX as usize;
        let end =
            (self.offset + self.length).checked_mul(row).filter(|&end| is_possible && isize::try_from(end).is_ok());
        let Some(end) = end else { return Err(malformed("the length or the offset is too large")) };
        let first = self.offset * row;
        let bytes = self.lent(1, first, end - first)?;
        let array = FixedSizeBinaryArray::try_new_with_len(size, bytes, self.nulls, self.length);
        Ok(Arc::new(array.map_err(|error| failed(&error))?))
    }

    fn dictionary<K: ArrowDictionaryKeyType>(self, values: ArrayRef) -> PyResult<ArrayRef> {
        let keys = ScalarBuffer::from(self.copied::<K::Native>(1, self.offset, self.length)?);
        let keys = PrimitiveArray::<K>::try_new(keys, self.nulls).map_err(|error| failed(&error))?;
        let array = DictionaryArray::try_new(keys, values);
        Ok(Arc::new(array.map_err(|error| failed(&error))?))
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
    /// The result of `f`; `None` after an error, which is kept. A panic, which would end the process here, is an error.
    fn attempt<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T, String>) -> Option<T> {
        let result = catch_unwind(AssertUnwindSafe(|| f(self)));
        let error = match result {
            Ok(Ok(value)) => return Some(value),
            Ok(Err(error)) => error,
            Err(_) => "textcodec failed".to_owned(),
        };
        self.error = CString::new(error).ok();
        None
    }

    /// # Safety
    /// `stream` was made by [`stream`](self::stream) and has not been released, and no other thread uses it. `out` can
    /// be written.
    unsafe extern "C" fn get_schema(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowSchema) -> c_int {
        // SAFETY: `private_data` is the box of `stream`, until `release` takes it.
        let state = unsafe { &mut *(*stream).private_data.cast::<Stream>() };
        let schema = state.attempt(|state| schema_of(&state.data_type).map_err(|error| error.to_string()));
        let Some(schema) = schema else { return INVALID_ARGUMENT };
        // SAFETY: the caller provides memory for a schema. Its content is not released, because it has none yet.
        unsafe { out.write(schema) };
        0
    }

    /// # Safety
    /// As for [`get_schema`](Self::get_schema).
    unsafe extern "C" fn get_next(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowArray) -> c_int {
        // SAFETY: `private_data` is the box of `stream`, until `release` takes it.
        let state = unsafe { &mut *(*stream).private_data.cast::<Stream>() };
        // An array that is released marks the end.
        let array = state.attempt(|state| {
            Ok(state.chunks.next().map_or_else(FFI_ArrowArray::empty, |chunk| FFI_ArrowArray::new(&chunk.to_data())))
        });
        let Some(array) = array else { return INVALID_ARGUMENT };
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
