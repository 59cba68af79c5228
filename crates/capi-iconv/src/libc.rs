//! Functions of the system.

#[cfg(unix)]
use std::ffi::CStr;
use std::ffi::{c_char, c_int, c_void};

/// The error number of a destination without space for the next character.
pub(crate) const E2BIG: c_int = 7;
/// The error number of an incomplete sequence at the end of the input, and of an unknown charset.
pub(crate) const EINVAL: c_int = 22;
/// The error number of a descriptor that is none.
pub(crate) const EBADF: c_int = 9;
/// The error number of a malformed sequence and of an unmappable character.
pub(crate) const EILSEQ: c_int = if cfg!(any(target_os = "linux", target_os = "android")) {
    if cfg!(any(target_arch = "mips", target_arch = "mips64", target_arch = "mips32r6", target_arch = "mips64r6")) {
        88
    } else if cfg!(any(target_arch = "sparc", target_arch = "sparc64")) {
        122
    } else {
        84
    }
} else if cfg!(target_vendor = "apple") {
    92
} else if cfg!(windows) {
    42
} else if cfg!(target_os = "netbsd") {
    85
} else if cfg!(target_os = "openbsd") {
    84
} else {
    // FreeBSD.
    86
};

/// The item of `nl_langinfo` for the charset of the locale.
#[cfg(unix)]
const CODESET: c_int = if cfg!(any(target_os = "linux", target_os = "android")) {
    14
} else if cfg!(any(target_os = "netbsd", target_os = "openbsd")) {
    51
} else {
    // Apple's systems and FreeBSD.
    0
};

unsafe extern "C" {
    #[cfg_attr(any(target_vendor = "apple", target_os = "freebsd"), link_name = "__error")]
    #[cfg_attr(any(target_os = "android", target_os = "netbsd", target_os = "openbsd"), link_name = "__errno")]
    #[cfg_attr(windows, link_name = "_errno")]
    fn __errno_location() -> *mut c_int;
    #[cfg(unix)]
    fn nl_langinfo(item: c_int) -> *const c_char;
    #[cfg(all(unix, feature = "next"))]
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// Sets `errno`.
pub(crate) fn set_errno(number: c_int) {
    // SAFETY: the function has no conditions, and returns the address of this thread's `errno`.
    unsafe { *__errno_location() = number };
}

/// The charset of the locale, as the program has set it.
pub(crate) fn with_charset_of_locale<R>(look_up: impl FnOnce(&str) -> R) -> R {
    #[cfg(unix)]
    {
        // SAFETY: the item exists in this system, as `CODESET` says.
        let name = unsafe { nl_langinfo(CODESET) };
        if !name.is_null() {
            // SAFETY: the pointer is not null, as was checked, so it leads to a string, which stays until the program
            // calls `setlocale` or `nl_langinfo` again. POSIX lets no other thread do that now.
            return look_up(unsafe { CStr::from_ptr(name) }.to_str().unwrap_or_default());
        }
    }
    look_up("ANSI_X3.4-1968")
}

/// A descriptor of another library.
pub(crate) type Foreign = *mut c_void;

type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> Foreign;
type Convert = unsafe extern "C" fn(Foreign, *mut *mut c_char, *mut usize, *mut *mut c_char, *mut usize) -> usize;
type Close = unsafe extern "C" fn(Foreign) -> c_int;

/// The functions of the next library that has iconv.
#[derive(Clone, Copy)]
pub(crate) struct Next {
    pub(crate) open: Open,
    pub(crate) convert: Convert,
    pub(crate) close: Close,
}

/// The functions of the library after this one, in the order in which the dynamic linker searches them. `None` if
/// there is none.
#[cfg(all(unix, feature = "next"))]
pub(crate) fn next() -> Option<Next> {
    use std::{mem::transmute, sync::OnceLock};

    static NEXT: OnceLock<Option<Next>> = OnceLock::new();
    /// The handle for the objects after the one that asks.
    const RTLD_NEXT: *mut c_void = -1_isize as *mut c_void;
    *NEXT.get_or_init(|| {
        let find = |name: &CStr| {
            // SAFETY: the name ends with 0. The function has no other conditions.
            let function = unsafe { dlsym(RTLD_NEXT, name.as_ptr()) };
            (!function.is_null()).then_some(function)
        };
        let (open, convert, close) = (find(c"iconv_open")?, find(c"iconv")?, find(c"iconv_close")?);
        // SAFETY: POSIX defines the types of the functions with these names, and the pointers are not null, as `find`
        // has checked.
        unsafe {
            Some(Next {
                open: transmute::<*mut c_void, Open>(open),
                convert: transmute::<*mut c_void, Convert>(convert),
                close: transmute::<*mut c_void, Close>(close),
            })
        }
    })
}

#[cfg(not(all(unix, feature = "next")))]
pub(crate) fn next() -> Option<Next> {
    None
}
