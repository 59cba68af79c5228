//! Both libraries under one interface: this one, and glibc, which these tests run with.

use std::{
    ffi::{CString, c_char, c_int, c_void},
    mem::transmute,
    ptr::null_mut,
    sync::OnceLock,
};

use textcodec_capi_iconv::{iconv, iconv_close, iconv_open, iconv_t};

unsafe extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn __errno_location() -> *mut c_int;
}

type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> iconv_t;
type Convert = unsafe extern "C" fn(iconv_t, *mut *mut c_char, *mut usize, *mut *mut c_char, *mut usize) -> usize;
type Close = unsafe extern "C" fn(iconv_t) -> c_int;

/// The functions of a library.
#[derive(Clone, Copy)]
pub(crate) struct Library {
    open: Open,
    convert: Convert,
    close: Close,
}

/// This library.
pub(crate) const OURS: Library = Library { open: iconv_open, convert: iconv, close: iconv_close };

/// glibc. The functions of this library have the same names in this program, so the linker does not find glibc's.
pub(crate) fn glibc() -> Library {
    static GLIBC: OnceLock<Library> = OnceLock::new();
    *GLIBC.get_or_init(|| {
        // SAFETY: the names end with 0, and the functions have the types that POSIX gives them.
        unsafe {
            let library = dlopen(c"libc.so.6".as_ptr(), 2);
            assert!(!library.is_null());
            let find = |name: &str| {
                let function = dlsym(library, CString::new(name).unwrap().as_ptr());
                assert!(!function.is_null() && function.cast_const() != iconv_open as *const c_void);
                function
            };
            let (open, convert, close) = (find("iconv_open"), find("iconv"), find("iconv_close"));
            Library {
                open: transmute::<*mut c_void, Open>(open),
                convert: transmute::<*mut c_void, Convert>(convert),
                close: transmute::<*mut c_void, Close>(close),
            }
        }
    })
}

/// A value of `errno` that no call sets.
pub(crate) const UNCHANGED: c_int = 4095;

pub(crate) fn errno() -> c_int {
    // SAFETY: the function has no conditions.
    unsafe { *__errno_location() }
}

pub(crate) fn set_errno(number: c_int) {
    // SAFETY: the function has no conditions.
    unsafe { *__errno_location() = number };
}

/// The result of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Call {
    pub(crate) result: Result<usize, c_int>,
    pub(crate) read: usize,
    pub(crate) bytes: Vec<u8>,
}

/// An opened descriptor.
pub(crate) struct Opened {
    library: Library,
    descriptor: iconv_t,
}

impl Library {
    /// Opens a conversion, or returns `errno`.
    pub(crate) fn open(self, from: &str, to: &str) -> Result<Opened, c_int> {
        let (from, to) = (CString::new(from).unwrap(), CString::new(to).unwrap());
        // SAFETY: the names end with 0.
        unsafe {
            let descriptor = (self.open)(to.as_ptr(), from.as_ptr());
            if descriptor as isize == -1 {
                return Err(errno());
            }
            Ok(Opened { library: self, descriptor })
        }
    }
}

impl Opened {
    pub(crate) fn descriptor(&self) -> iconv_t {
        self.descriptor
    }

    /// Converts into at most `space` bytes. Without a source, the text ends.
    pub(crate) fn call(&mut self, source: Option<&[u8]>, space: usize) -> Call {
        let mut bytes = vec![0xAA; space + 8];
        let (mut from, mut left) =
            source.map_or((null_mut(), 0), |source| (source.as_ptr() as *mut c_char, source.len()));
        let (mut to, mut to_left) = (bytes.as_mut_ptr().cast::<c_char>(), space);
        let input = if source.is_some() { &raw mut from } else { null_mut() };
        set_errno(UNCHANGED);
        // SAFETY: the buffers have the lengths that the call gets.
        let result =
            unsafe { (self.library.convert)(self.descriptor, input, &raw mut left, &raw mut to, &raw mut to_left) };
        let errno = errno();
        assert!(result == usize::MAX || errno == UNCHANGED, "a call without an error has set errno to {errno}");
        let (read, written) = (source.map_or(0, <[u8]>::len) - left, space - to_left);
        assert_eq!(to as usize, bytes.as_ptr() as usize + written);
        assert!(source.is_none_or(|source| from as usize == source.as_ptr() as usize + read));
        assert_eq!(bytes[space..], [0xAA; 8], "bytes after the output were written");
        bytes.truncate(written);
        Call { result: if result == usize::MAX { Err(errno) } else { Ok(result) }, read, bytes }
    }

    /// Begins another text, without an output.
    pub(crate) fn reset(&mut self) {
        // SAFETY: null pointers lead to no buffers.
        let result = unsafe { (self.library.convert)(self.descriptor, null_mut(), null_mut(), null_mut(), null_mut()) };
        assert_eq!(result, 0);
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // SAFETY: `open` has returned the descriptor, which is used no more.
        unsafe { (self.library.close)(self.descriptor) };
    }
}
