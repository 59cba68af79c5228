//! The functions of C. `include/textcodec-iconv.h` describes them.
//!
//! A caller promises what iconv(3) asks for:
//!
//! 1. A name is a string that ends with 0.
//! 2. A descriptor is from `iconv_open`, is not closed, and no other thread uses it at the same time.
//! 3. A pointer to a pointer or to a length is null, or it leads to one, which nobody else uses during the call.
//! 4. A buffer has as many bytes as its length says. Nobody writes to the input, and nobody else uses the output.

use std::{
    ffi::{CStr, c_char, c_int, c_void},
    mem::MaybeUninit,
    slice,
};

use textcodec::charsets::IconvName;
use textcodec_kernels::string::initialised;

use crate::{
    descriptor::{Descriptor, Stop},
    libc::{self, E2BIG, EBADF, EILSEQ, EINVAL},
    names,
};

/// A conversion: the type of C.
pub type iconv_t = *mut c_void;

/// What a descriptor leads to.
enum Conversion {
    Own(Descriptor),
    /// A descriptor of the next library.
    Next(libc::Next, libc::Foreign),
}

/// The result of functions that return a size or a pointer, when they fail.
const FAILED: usize = usize::MAX;

fn fail(errno: c_int) -> usize {
    libc::set_errno(errno);
    FAILED
}

/// Opens the conversion from the charset `from_code` to `to_code`.
///
/// # Safety
/// Promise 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv_open(to_code: *const c_char, from_code: *const c_char) -> iconv_t {
    if to_code.is_null() || from_code.is_null() {
        return fail(EINVAL) as iconv_t;
    }
    // SAFETY: the pointers are not null, as was checked, so they lead to strings by promise 1.
    let (to, from) = unsafe { (CStr::from_ptr(to_code), CStr::from_ptr(from_code)) };
    let own = to.to_str().ok().zip(from.to_str().ok()).and_then(|(to, from)| open(to, from));
    let conversion = own.map(Conversion::Own).or_else(|| {
        let next = libc::next()?;
        // SAFETY: the arguments are those of this function.
        let descriptor = unsafe { (next.open)(to_code, from_code) };
        (descriptor.addr() != FAILED).then_some(Conversion::Next(next, descriptor))
    });
    match conversion {
        Some(conversion) => Box::into_raw(Box::new(conversion)).cast(),
        None => fail(EINVAL) as iconv_t,
    }
}

fn open(to: &str, from: &str) -> Option<Descriptor> {
    let (to, from) = (IconvName::parse(to), IconvName::parse(from));
    // As in glibc, only the suffixes of the output's name have an effect.
    Descriptor::new(names::table(from.name)?, names::table(to.name)?, to.transliterates, to.ignores)
}

/// Converts.
///
/// # Safety
/// Promises 2 to 4.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv(
    descriptor: iconv_t,
    input: *mut *mut c_char,
    input_left: *mut usize,
    output: *mut *mut c_char,
    output_left: *mut usize,
) -> usize {
    // SAFETY: promise 2.
    let conversion = match unsafe { conversion(descriptor) } {
        None => return fail(EBADF),
        Some(Conversion::Next(next, descriptor)) => {
            // SAFETY: `iconv_open` of the next library has returned the descriptor. The other arguments are those of
            // this function.
            return unsafe { (next.convert)(*descriptor, input, input_left, output, output_left) };
        }
        Some(Conversion::Own(conversion)) => conversion,
    };
    // SAFETY: promises 3 and 4.
    let (source, destination) = unsafe {
        let source = buffer(input, input_left).map(|(start, length)| slice::from_raw_parts(start.cast::<u8>(), length));
        let destination = buffer(output, output_left).map(|(start, length)| {
            let start: *mut MaybeUninit<u8> = start.cast();
            initialised(slice::from_raw_parts_mut(start, length))
        });
        (source, destination)
    };
    let (stop, done) = match (source, destination) {
        (Some(source), destination) => conversion.convert(source, destination.unwrap_or_default()),
        (None, Some(destination)) => conversion.end(destination),
        (None, None) => {
            conversion.reset();
            return 0;
        }
    };
    // SAFETY: `buffer` has found the pointers not to be null if there is a source or a destination, and only then
    // something was read or written. The new pointers are inside of the buffers, or at their ends.
    unsafe {
        if done.read > 0 {
            *input = (*input).add(done.read);
            *input_left -= done.read;
        }
        if done.written > 0 {
            *output = (*output).add(done.written);
            *output_left -= done.written;
        }
    }
    match stop {
        Stop::InputEmpty => done.irreversible,
        Stop::OutputFull => fail(E2BIG),
        Stop::Incomplete => fail(EINVAL),
        Stop::Illegal => fail(EILSEQ),
    }
}

/// The start and the length of a buffer; `None` if there is none.
///
/// # Safety
/// Promise 3.
unsafe fn buffer(start: *const *mut c_char, length: *const usize) -> Option<(*mut c_char, usize)> {
    if start.is_null() || length.is_null() {
        return None;
    }
    // SAFETY: the pointers are not null, as was checked, so each leads to a value by promise 3.
    let (start, length) = unsafe { (*start, *length) };
    // No object is longer. Some programs give the greatest number for "long enough".
    (!start.is_null()).then(|| (start, length.min(isize::MAX as usize - start.addr() % isize::MAX as usize)))
}

/// The conversion of a descriptor; `None` for the descriptor of a failed `iconv_open`.
///
/// # Safety
/// Promise 2, unless the descriptor is null or that of a failed `iconv_open`.
unsafe fn conversion<'a>(descriptor: iconv_t) -> Option<&'a mut Conversion> {
    if descriptor.is_null() || descriptor.addr() == FAILED {
        return None;
    }
    // SAFETY: the descriptor is neither null nor that of a failure, as was checked. So `iconv_open` has made it of a
    // box, which is not freed, and nobody else uses it, by promise 2.
    Some(unsafe { &mut *descriptor.cast::<Conversion>() })
}

/// Closes a conversion.
///
/// # Safety
/// Promise 2. The descriptor must not be used after this call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv_close(descriptor: iconv_t) -> c_int {
    // SAFETY: promise 2.
    if unsafe { conversion(descriptor) }.is_none() {
        libc::set_errno(EBADF);
        return -1;
    }
    // SAFETY: `conversion` has checked the descriptor, which `iconv_open` has made of a box.
    match *unsafe { Box::from_raw(descriptor.cast::<Conversion>()) } {
        Conversion::Own(_) => 0,
        // SAFETY: `iconv_open` of the next library has returned the descriptor, which nobody uses any more.
        Conversion::Next(next, descriptor) => unsafe { (next.close)(descriptor) },
    }
}

/// Asks or changes how a conversion treats unmappable characters. The requests are those of libiconv.
///
/// # Safety
/// Promise 2. The argument is null, or it leads to an `int`, which nobody else uses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconvctl(descriptor: iconv_t, request: c_int, argument: *mut c_void) -> c_int {
    const TRIVIALP: c_int = 0;
    const GET_TRANSLITERATE: c_int = 1;
    const SET_TRANSLITERATE: c_int = 2;
    const GET_DISCARD_ILSEQ: c_int = 3;
    const SET_DISCARD_ILSEQ: c_int = 4;
    // SAFETY: promise 2.
    let conversion = unsafe { conversion(descriptor) };
    // SAFETY: the argument is null or leads to an `int`, as the caller promises.
    let argument = unsafe { argument.cast::<c_int>().as_mut() };
    let (Some(Conversion::Own(conversion)), Some(argument)) = (conversion, argument) else {
        libc::set_errno(EINVAL);
        return -1;
    };
    match request {
        TRIVIALP => *argument = conversion.is_trivial().into(),
        GET_TRANSLITERATE => *argument = conversion.transliterates.into(),
        SET_TRANSLITERATE => conversion.transliterates = *argument != 0,
        GET_DISCARD_ILSEQ => *argument = conversion.ignores.into(),
        SET_DISCARD_ILSEQ => conversion.ignores = *argument != 0,
        _ => {
            libc::set_errno(EINVAL);
            return -1;
        }
    }
    0
}

/// `iconv_open` under libiconv's name.
///
/// # Safety
/// As `iconv_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconv_open(to_code: *const c_char, from_code: *const c_char) -> iconv_t {
    // SAFETY: as the caller promises.
    unsafe { iconv_open(to_code, from_code) }
}

/// `iconv` under libiconv's name.
///
/// # Safety
/// As `iconv`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconv(
    descriptor: iconv_t,
    input: *mut *mut c_char,
    input_left: *mut usize,
    output: *mut *mut c_char,
    output_left: *mut usize,
) -> usize {
    // SAFETY: as the caller promises.
    unsafe { iconv(descriptor, input, input_left, output, output_left) }
}

/// `iconv_close` under libiconv's name.
///
/// # Safety
/// As `iconv_close`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconv_close(descriptor: iconv_t) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { iconv_close(descriptor) }
}

/// `iconvctl` under libiconv's name.
///
/// # Safety
/// As `iconvctl`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconvctl(descriptor: iconv_t, request: c_int, argument: *mut c_void) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { iconvctl(descriptor, request, argument) }
}
