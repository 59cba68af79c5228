//! The boundary to CPython's C API: strings from code units, code points of strings, bytes of any object, and records.
//! This file and `capsules.rs` have all unsafe code of this package; pyo3 does everything else.
//!
//! The package is built for the stable interface of CPython 3.10. Three functions that it calls are not in that
//! interface: two for buffers, which CPython 3.11 added to it, and `PyUnicode_FromKindAndData`. All three have been
//! public functions with the same signature in every version since 3.3. This file asks the running interpreter for them
//! by name, and does without them where they cannot be found.
#![allow(unsafe_code)]

use std::{
    cell::Cell,
    ffi::{CStr, c_char, c_int, c_void},
    ptr, slice,
    sync::OnceLock,
};

use pyo3::{
    exceptions::{PyBufferError, PyMemoryError},
    ffi,
    prelude::*,
    types::{PyBytes, PyMemoryView, PyString, PyType},
};
use textcodec::mem;

/// `PyUnicode_FromKindAndData(kind, buffer, length)`.
type FromKindAndData = unsafe extern "C" fn(c_int, *const c_void, ffi::Py_ssize_t) -> *mut ffi::PyObject;
/// `PyObject_GetBuffer(object, view, flags)`.
type GetBuffer = unsafe extern "C" fn(*mut ffi::PyObject, *mut BufferView, c_int) -> c_int;
/// `PyBuffer_Release(view)`.
type ReleaseBuffer = unsafe extern "C" fn(*mut BufferView);

/// `Py_buffer`, whose layout CPython 3.11 made part of its stable interface without changing it.
#[repr(C)]
struct BufferView {
    buf: *mut c_void,
    obj: *mut ffi::PyObject,
    len: ffi::Py_ssize_t,
    itemsize: ffi::Py_ssize_t,
    readonly: c_int,
    ndim: c_int,
    format: *mut c_char,
    shape: *mut ffi::Py_ssize_t,
    strides: *mut ffi::Py_ssize_t,
    suboffsets: *mut ffi::Py_ssize_t,
    internal: *mut c_void,
}

/// The functions outside of the stable interface, as far as the interpreter has them.
#[derive(Clone, Copy, Default)]
struct Functions {
    from_kind_and_data: Option<FromKindAndData>,
    buffer: Option<(GetBuffer, ReleaseBuffer)>,
}

static FUNCTIONS: OnceLock<Functions> = OnceLock::new();

/// Looks the functions up. With `only_stable`, the package does without them from now on, as on systems without
/// `dlsym`. Does nothing after the first call.
pub(crate) fn look_up_functions(only_stable: bool) {
    FUNCTIONS.get_or_init(|| if only_stable { Functions::default() } else { Functions::find() });
}

fn functions() -> Functions {
    FUNCTIONS.get().copied().unwrap_or_default()
}

impl Functions {
    #[cfg(unix)]
    fn find() -> Self {
        // SAFETY: `dlsym` takes any name that ends with a zero byte.
        let address = |name: &CStr| unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
        let find = |name| Some(address(name)).filter(|address| !address.is_null());
        Functions {
            // SAFETY: a function of this name in a process with CPython is CPython's, and has this signature.
            from_kind_and_data: find(c"PyUnicode_FromKindAndData")
                .map(|address| unsafe { std::mem::transmute::<*mut c_void, FromKindAndData>(address) }),
            buffer: find(c"PyObject_GetBuffer").zip(find(c"PyBuffer_Release")).map(|(get, release)| {
                // SAFETY: as above.
                unsafe {
                    (
                        std::mem::transmute::<*mut c_void, GetBuffer>(get),
                        std::mem::transmute::<*mut c_void, ReleaseBuffer>(release),
                    )
                }
            }),
        }
    }

    #[cfg(not(unix))]
    fn find() -> Self {
        Functions::default()
    }
}

/// The number of the current interpreter. A process can have several.
pub(crate) fn interpreter_id(_attached: Python<'_>) -> i64 {
    // SAFETY: the thread is attached, so there is an interpreter.
    unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) }
}

/// Makes space for `count` more elements in `vector`, and raises `MemoryError` where Rust would end the process.
pub(crate) fn reserve<T>(vector: &mut Vec<T>, count: usize) -> PyResult<()> {
    vector.try_reserve(count).map_err(|error| PyMemoryError::new_err(error.to_string()))
}

/// `bytes`, or `MemoryError`.
pub(crate) fn bytes_object<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, bytes.len(), |object| {
        object.copy_from_slice(bytes);
        Ok(())
    })
}

/// The string of Latin-1 code points.
pub(crate) fn string_from_latin1<'py>(py: Python<'py>, latin1: &[u8]) -> PyResult<Bound<'py, PyString>> {
    let length = latin1.len() as ffi::Py_ssize_t;
    // SAFETY: both functions read `length` bytes of the slice, and return a new string or NULL with an exception.
    let string = unsafe {
        let string = match functions().from_kind_and_data {
            Some(from_kind_and_data) => from_kind_and_data(1, latin1.as_ptr().cast(), length),
            None => ffi::PyUnicode_DecodeLatin1(latin1.as_ptr().cast(), length, ptr::null()),
        };
        Bound::from_owned_ptr_or_err(py, string)?
    };
    Ok(string.cast_into()?)
}

/// The greatest length, in code units, of a text that CPython narrows to Latin-1 itself. Narrowing it here saves time
/// from about this length on.
const NARROWED_BY_CPYTHON: usize = 64;

/// The greatest length in bytes of a Latin-1 text that a thread keeps memory for between calls.
const LATIN1_MOST: usize = 128 * 1024;

thread_local! {
    /// Memory for a Latin-1 text, which is not cleared between calls.
    static LATIN1: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// The string of well-formed UTF-16. `pairs` says whether it may have surrogate pairs.
pub(crate) fn string_from_utf16<'py>(py: Python<'py>, units: &[u16], pairs: bool) -> PyResult<Bound<'py, PyString>> {
    if units.len() > NARROWED_BY_CPYTHON && mem::is_utf16_latin1(units) {
        let mut latin1 = LATIN1.take();
        if latin1.len() < units.len() {
            let more = units.len() - latin1.len();
            reserve(&mut latin1, more)?;
            latin1.resize(units.len(), 0);
        }
        let (_, written) = mem::utf16_to_latin1(units, &mut latin1);
        let string = string_from_latin1(py, &latin1[..written]);
        if latin1.capacity() <= LATIN1_MOST {
            LATIN1.set(latin1);
        }
        return string;
    }
    // SAFETY: both functions read as many code units as the slice has, and return a new string or NULL with an
    // exception.
    let string = unsafe {
        let string = match functions().from_kind_and_data {
            // Two bytes for each code point.
            Some(from_kind_and_data) if !pairs || !has_surrogates(units) => {
                from_kind_and_data(2, units.as_ptr().cast(), units.len() as ffi::Py_ssize_t)
            }
            _ => {
                let mut order = if cfg!(target_endian = "little") { -1 } else { 1 };
                let bytes = size_of_val(units) as ffi::Py_ssize_t;
                ffi::PyUnicode_DecodeUTF16(units.as_ptr().cast(), bytes, ptr::null(), &raw mut order)
            }
        };
        Bound::from_owned_ptr_or_err(py, string)?
    };
    Ok(string.cast_into()?)
}

fn has_surrogates(units: &[u16]) -> bool {
    // The compiler turns the inner loop into vector code, because it has no exit.
    let any = |chunk: &[u16]| chunk.iter().fold(false, |any, unit| any | (unit & 0xF800 == 0xD800));
    units.chunks(1024).any(any)
}

/// A `wchar_t`: a code point on most systems, a code unit of UTF-16 on Windows.
#[cfg(not(windows))]
pub(crate) type WideChar = u32;
/// A `wchar_t`: a code point on most systems, a code unit of UTF-16 on Windows.
#[cfg(windows)]
pub(crate) type WideChar = u16;

#[cfg(unix)]
const _: () = assert!(size_of::<WideChar>() == size_of::<libc::wchar_t>());

/// Appends the code points of `string` to `wide`. Lone surrogates stay. No UTF-8 is stored in the string, as `to_str`
/// would do.
pub(crate) fn append_wide(string: &Bound<'_, PyString>, wide: &mut Vec<WideChar>) -> PyResult<()> {
    // One more than the code points; on Windows one more than two code units for each.
    let most = string.code_point_len()? * size_of::<u32>() / size_of::<WideChar>() + 1;
    reserve(wide, most)?;
    // SAFETY: the vector has space for `most` elements, and the function writes at most as many. It returns how many
    // it has written before the terminating zero, or -1 with an exception.
    unsafe {
        let end = wide.as_mut_ptr().add(wide.len());
        let written = ffi::PyUnicode_AsWideChar(string.as_ptr(), end.cast(), most as ffi::Py_ssize_t);
        if written < 0 {
            return Err(PyErr::fetch(string.py()));
        }
        wide.set_len(wide.len() + written as usize);
    }
    Ok(())
}

/// The bytes of an object with the buffer protocol.
pub(crate) enum Source<'py> {
    /// `bytes`, which nobody can change.
    Bytes(Bound<'py, PyBytes>),
    /// Memory of another object, which does not move while the view exists. Other code of Python can change its bytes,
    /// so no such code may run while a slice of it exists.
    View(View<'py>),
}

impl<'py> Source<'py> {
    /// The bytes of `object`, without a copy where that is sound.
    ///
    /// # Errors
    /// `TypeError` if the object does not have the buffer protocol, `BufferError` if its memory is not contiguous.
    pub(crate) fn new(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Source::Bytes(bytes.clone()));
        }
        match functions().buffer {
            // Without the global interpreter lock, other threads could change the memory at any time.
            Some(functions) if !crate::is_free_threaded() => View::new(object, functions).map(Source::View),
            _ => bytes_from(object).map(Source::Bytes),
        }
    }

    /// The bytes. The slice must not be kept while code of Python runs; see [`View`](Source::View).
    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Source::Bytes(bytes) => bytes.as_bytes(),
            Source::View(view) => view.as_slice(),
        }
    }

    /// The bytes as an object that nobody can change. Copies unless they are `bytes` already.
    pub(crate) fn to_bytes(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        match self {
            Source::Bytes(bytes) => Ok(bytes.clone()),
            Source::View(view) => bytes_object(py, view.as_slice()),
        }
    }
}

/// `bytes(object)` for an object with the buffer protocol.
fn bytes_from<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    // `PyBytes_FromObject` also takes iterables of numbers, and memory with gaps. `memoryview` takes objects with the
    // buffer protocol only.
    let view = object.py().get_type::<PyMemoryView>().call1((object,))?;
    if !view.getattr("c_contiguous")?.is_truthy()? {
        return Err(PyBufferError::new_err("the memory of the buffer is not contiguous"));
    }
    // SAFETY: the function takes any object, and returns a new object or NULL with an exception.
    let bytes = unsafe { Bound::from_owned_ptr_or_err(object.py(), ffi::PyBytes_FromObject(view.as_ptr()))? };
    Ok(bytes.cast_into()?)
}

/// Memory that an object exports.
pub(crate) struct View<'py> {
    /// In a box, because some exporters keep the address of the view.
    view: Box<BufferView>,
    release: ReleaseBuffer,
    /// A view is released while the thread is attached to the interpreter.
    _attached: Python<'py>,
}

impl<'py> View<'py> {
    fn new(object: &Bound<'py, PyAny>, (get, release): (GetBuffer, ReleaseBuffer)) -> PyResult<Self> {
        /// `PyBUF_SIMPLE`: contiguous bytes.
        const SIMPLE: c_int = 0;
        let mut view = Box::new(BufferView {
            buf: ptr::null_mut(),
            obj: ptr::null_mut(),
            len: 0,
            itemsize: 0,
            readonly: 0,
            ndim: 0,
            format: ptr::null_mut(),
            shape: ptr::null_mut(),
            strides: ptr::null_mut(),
            suboffsets: ptr::null_mut(),
            internal: ptr::null_mut(),
        });
        // SAFETY: the function fills the view, or returns -1 with an exception and leaves nothing to release.
        if unsafe { get(object.as_ptr(), &raw mut *view, SIMPLE) } < 0 {
            return Err(PyErr::fetch(object.py()));
        }
        Ok(View { view, release, _attached: object.py() })
    }

    fn as_slice(&self) -> &[u8] {
        if self.view.buf.is_null() || self.view.len <= 0 {
            return &[];
        }
        // SAFETY: the exporter keeps `len` bytes at `buf` until the view is released. No code of Python runs and no
        // other thread is attached while the slice exists, so nobody writes to them: `Source::as_slice` says so, and
        // free-threaded builds make no views.
        unsafe { slice::from_raw_parts(self.view.buf.cast(), self.view.len as usize) }
    }
}

impl Drop for View<'_> {
    fn drop(&mut self) {
        // SAFETY: `new` has filled the view, and it is released once.
        unsafe { (self.release)(&raw mut *self.view) }
    }
}

/// A type of tuples with names for their elements, like those of the standard library that are written in C.
pub(crate) struct Record(Py<PyType>);

/// A name and a docstring of an element.
pub(crate) type Field = (&'static CStr, &'static CStr);

impl Record {
    /// The type `name` with its docstring. The first `visible` fields are elements of the tuple; the others are
    /// attributes only.
    pub(crate) fn new(
        py: Python<'_>,
        name: &'static CStr,
        doc: &'static CStr,
        fields: &[Field],
        visible: usize,
    ) -> PyResult<Self> {
        let end = ffi::PyStructSequence_Field { name: ptr::null(), doc: ptr::null() };
        let named =
            fields.iter().map(|(name, doc)| ffi::PyStructSequence_Field { name: name.as_ptr(), doc: doc.as_ptr() });
        let mut fields: Vec<_> = named.chain([end]).collect();
        let mut description = ffi::PyStructSequence_Desc {
            name: name.as_ptr(),
            doc: doc.as_ptr(),
            fields: fields.as_mut_ptr(),
            n_in_sequence: visible as c_int,
        };
        // SAFETY: the description is complete, its list of fields ends with a NULL, and its texts are static. The
        // function returns a new type or NULL with an exception.
        let class = unsafe {
            let class = ffi::PyStructSequence_NewType(&raw mut description);
            Bound::from_owned_ptr_or_err(py, class.cast())?
        };
        Ok(Record(class.cast_into::<PyType>()?.unbind()))
    }

    /// The type.
    pub(crate) fn class<'py>(&self, py: Python<'py>) -> &Bound<'py, PyType> {
        self.0.bind(py)
    }

    /// A value with one element for each field.
    pub(crate) fn value<'py, const N: usize>(
        &self,
        py: Python<'py>,
        elements: [Bound<'py, PyAny>; N],
    ) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: the type is one that `PyStructSequence_NewType` made. The function returns a new value or NULL with
        // an exception.
        let value = unsafe {
            let value = ffi::PyStructSequence_New(self.0.as_ptr().cast());
            Bound::from_owned_ptr_or_err(py, value)?
        };
        for (index, element) in elements.into_iter().enumerate() {
            // SAFETY: callers pass as many elements as the type has fields. The function takes over the reference to
            // the element.
            unsafe { ffi::PyStructSequence_SetItem(value.as_ptr(), index as ffi::Py_ssize_t, element.into_ptr()) }
        }
        Ok(value)
    }
}
