//! Safe functions over the peers that are written in C and C++, and a clock: the only file of the benchmarks with
//! `unsafe`.
//!
//! Each function converts all of a source. It returns `None` at an error, if the destination is too small, and if the
//! peer is missing.

#![allow(unsafe_code)]

/// A unit of text. All bit patterns are values, so C may write a unit as bytes.
pub trait Unit: Copy {}

impl Unit for u8 {}
impl Unit for u16 {}

pub use glibc::Iconv;
pub(crate) use glibc::{libc_version, processor_time};
pub(crate) use icu::{IcuConverter, IcuPair, icu_version};
#[cfg(feature = "simdutf")]
pub(crate) use simd::{
    utf8_to_utf16, utf16_to_utf8, utf16be_to_utf8, utf16be_to_utf16, utf16le_to_utf8, utf16le_to_utf16,
};

/// `iconv` and a clock of the GNU C library.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod glibc {
    use std::{
        ffi::{CStr, CString},
        ptr,
        time::Duration,
    };

    use super::Unit;

    /// A converter of iconv(3).
    pub struct Iconv(libc::iconv_t);

    impl Iconv {
        /// Opens a converter; `None` if iconv does not have one of the encodings.
        pub fn open(to: &str, from: &str) -> Option<Self> {
            let (to, from) = (CString::new(to).ok()?, CString::new(from).ok()?);
            // SAFETY: both pointers are to strings that end in NUL and live until the call returns.
            let descriptor = unsafe { libc::iconv_open(to.as_ptr(), from.as_ptr()) };
            (descriptor.addr() != usize::MAX).then_some(Iconv(descriptor))
        }

        /// Converts a whole stream. Returns the number of units written.
        pub fn convert<S: Unit, D: Unit>(&mut self, source: &[S], destination: &mut [D]) -> Option<usize> {
            let length = size_of_val(destination);
            let (mut input, mut input_left) = (source.as_ptr().cast::<libc::c_char>().cast_mut(), size_of_val(source));
            let (mut output, mut output_left) = (destination.as_mut_ptr().cast::<libc::c_char>(), length);
            // SAFETY: the descriptor is open, for only `drop` closes it; without any input it goes to its initial
            // state.
            unsafe { libc::iconv(self.0, ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut()) };
            // SAFETY: the descriptor is open. Each pointer points to as many bytes as the length beside it says. All
            // bit patterns are values of the units of the output. iconv reads the input only, though its type lacks
            // `const`.
            let result = unsafe { libc::iconv(self.0, &mut input, &mut input_left, &mut output, &mut output_left) };
            if result == usize::MAX || input_left > 0 {
                return None;
            }
            // SAFETY: the descriptor is open. `output` still points to `output_left` bytes of the destination, because
            // iconv moves both together; null pointers mean that there is no input. Without any input, iconv writes the
            // end of the stream.
            let result =
                unsafe { libc::iconv(self.0, ptr::null_mut(), ptr::null_mut(), &mut output, &mut output_left) };
            (result != usize::MAX).then_some((length - output_left) / size_of::<D>())
        }
    }

    impl Drop for Iconv {
        fn drop(&mut self) {
            // SAFETY: `open` opened this handle, and nothing uses the handle after this call.
            unsafe { libc::iconv_close(self.0) };
        }
    }

    /// The time for which this thread has had a processor.
    pub(crate) fn processor_time() -> Option<Duration> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the function writes only to `time`, which has the type of the parameter.
        let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
        let (seconds, nanoseconds) = (u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?);
        (result == 0).then(|| Duration::new(seconds, nanoseconds))
    }

    pub(crate) fn libc_version() -> Option<String> {
        // SAFETY: the function returns a static string that ends in NUL.
        let version = unsafe { CStr::from_ptr(libc::gnu_get_libc_version()) };
        Some(version.to_string_lossy().into_owned())
    }
}

/// Neither exists in another C library.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod glibc {
    use std::time::Duration;

    use super::Unit;

    /// A converter of iconv(3), which does not exist.
    pub enum Iconv {}

    impl Iconv {
        /// There is no iconv.
        pub fn open(_: &str, _: &str) -> Option<Self> {
            None
        }

        /// There is no iconv.
        pub fn convert<S: Unit, D: Unit>(&mut self, _: &[S], _: &mut [D]) -> Option<usize> {
            match *self {}
        }
    }

    pub(crate) fn processor_time() -> Option<Duration> {
        None
    }

    pub(crate) fn libc_version() -> Option<String> {
        None
    }
}

/// [ICU's converters](https://unicode-org.github.io/icu-docs/apidoc/released/icu4c/ucnv_8h.html), in the library that
/// is installed, if one is.
#[cfg(unix)]
mod icu {
    use std::{
        ffi::{CString, c_char, c_int, c_void},
        ptr::{self, NonNull},
        sync::OnceLock,
    };

    use libloading::Library;

    /// The versions to look for, the newest first. The names of the library and of its functions end in the version.
    const VERSIONS: std::ops::RangeInclusive<u32> = 50..=99;
    /// The number of UTF-16 units in the buffer between two converters.
    const PIVOT: usize = 4096;

    /// The type `UConverter` of ICU.
    type Converter = NonNull<c_void>;
    type Open = unsafe extern "C" fn(*const c_char, *mut c_int) -> Option<Converter>;
    type Act = unsafe extern "C" fn(Converter);
    /// `ucnv_toUnicode` and `ucnv_fromUnicode`: converter, target and its limit, source and its limit, offsets, flush,
    /// error.
    type ToUnicode =
        unsafe extern "C" fn(Converter, *mut *mut u16, *const u16, *mut *const u8, *const u8, *mut i32, i8, *mut c_int);
    type FromUnicode =
        unsafe extern "C" fn(Converter, *mut *mut u8, *const u8, *mut *const u16, *const u16, *mut i32, i8, *mut c_int);
    /// `ucnv_convertEx`: converters of the target and the source, target and its limit, source and its limit; the
    /// pivot's start, its source, target and limit; reset, flush, error.
    type ConvertEx = unsafe extern "C" fn(
        Converter,
        Converter,
        *mut *mut u8,
        *const u8,
        *mut *const u8,
        *const u8,
        *mut u16,
        *mut *mut u16,
        *mut *mut u16,
        *const u16,
        i8,
        i8,
        *mut c_int,
    );

    /// The functions of ICU, which remain loaded until the process ends.
    struct Functions {
        version: u32,
        open: Open,
        close: Act,
        reset: Act,
        to_unicode: ToUnicode,
        from_unicode: FromUnicode,
        convert_ex: ConvertEx,
        _library: Library,
    }

    fn functions() -> Option<&'static Functions> {
        static FUNCTIONS: OnceLock<Option<Functions>> = OnceLock::new();
        FUNCTIONS.get_or_init(|| VERSIONS.rev().find_map(load)).as_ref()
    }

    fn load(version: u32) -> Option<Functions> {
        // SAFETY: ICU has no initialization code that needs care when the library is loaded.
        let library = unsafe { Library::new(format!("libicuuc.so.{version}")) }.ok()?;
        /// # Safety
        /// `F` must be the type of the function.
        unsafe fn function<F: Copy>(library: &Library, name: &str, version: u32) -> Option<F> {
            // SAFETY: the caller promises that `F` is the type of the function.
            unsafe { library.get::<F>(format!("{name}_{version}\0").as_bytes()) }.ok().map(|function| *function)
        }
        // SAFETY: the types are those of ICU's headers, which have not changed since these functions are there; `UBool`
        // is a byte, enumerations are C's `int`. The library stays loaded, because it is kept beside the functions in a
        // static that is never dropped.
        unsafe {
            Some(Functions {
                version,
                open: function(&library, "ucnv_open", version)?,
                close: function(&library, "ucnv_close", version)?,
                reset: function(&library, "ucnv_reset", version)?,
                to_unicode: function(&library, "ucnv_toUnicode", version)?,
                from_unicode: function(&library, "ucnv_fromUnicode", version)?,
                convert_ex: function(&library, "ucnv_convertEx", version)?,
                _library: library,
            })
        }
    }

    pub(crate) fn icu_version() -> Option<String> {
        functions().map(|functions| functions.version.to_string())
    }

    /// A converter between UTF-16 and an encoding.
    pub(crate) struct IcuConverter {
        functions: &'static Functions,
        converter: Converter,
    }

    impl IcuConverter {
        /// Opens a converter; `None` if there is no ICU, or if it does not have the encoding.
        pub(crate) fn open(name: &str) -> Option<Self> {
            let functions = functions()?;
            let (name, mut error) = (CString::new(name).ok()?, 0);
            // SAFETY: the name ends in NUL and lives until it returns; the error is a place for a C `int`.
            let converter = unsafe { (functions.open)(name.as_ptr(), &mut error) }?;
            let converter = IcuConverter { functions, converter };
            (error <= 0).then_some(converter)
        }

        fn reset(&mut self) {
            // SAFETY: the converter is open, for only `drop` closes it.
            unsafe { (self.functions.reset)(self.converter) };
        }

        /// Decodes `source`, which is a whole stream if `is_whole`. Returns the number of units written.
        pub(crate) fn decode(&mut self, source: &[u8], destination: &mut [u16], is_whole: bool) -> Option<usize> {
            if is_whole {
                self.reset();
            }
            let (from, to) = (source.as_ptr_range(), destination.as_mut_ptr_range());
            let (mut read, mut written, mut error) = (from.start, to.start, 0);
            // SAFETY: the converter is open, both ranges are the ranges of slices, no offsets are wanted, and the error
            // is 0 before the call, as ICU demands.
            unsafe {
                (self.functions.to_unicode)(
                    self.converter,
                    &mut written,
                    to.end,
                    &mut read,
                    from.end,
                    ptr::null_mut(),
                    is_whole.into(),
                    &mut error,
                );
            }
            (error <= 0 && read == from.end).then_some((written.addr() - to.start.addr()) / 2)
        }

        /// Encodes `source`, which is a whole stream if `is_whole`. Returns the number of bytes written.
        pub(crate) fn encode(&mut self, source: &[u16], destination: &mut [u8], is_whole: bool) -> Option<usize> {
            if is_whole {
                self.reset();
            }
            let (from, to) = (source.as_ptr_range(), destination.as_mut_ptr_range());
            let (mut read, mut written, mut error) = (from.start, to.start, 0);
            // SAFETY: as in `decode`: the converter is open, both ranges are the ranges of slices, no offsets are
            // wanted, and the error is 0 before.
            unsafe {
                (self.functions.from_unicode)(
                    self.converter,
                    &mut written,
                    to.end,
                    &mut read,
                    from.end,
                    ptr::null_mut(),
                    is_whole.into(),
                    &mut error,
                );
            }
            (error <= 0 && read == from.end).then_some(written.addr() - to.start.addr())
        }
    }

    impl Drop for IcuConverter {
        fn drop(&mut self) {
            // SAFETY: `open` opened this handle, and nothing uses the handle after this call.
            unsafe { (self.functions.close)(self.converter) };
        }
    }

    /// Two converters, from one encoding to another.
    pub(crate) struct IcuPair {
        to: IcuConverter,
        from: IcuConverter,
        pivot: Box<[u16; PIVOT]>,
        /// The part of the pivot that is read but not written yet: its beginning and its end.
        pending: (usize, usize),
    }

    impl IcuPair {
        /// Opens two converters; `None` if there is no ICU, or if it does not have one of the encodings.
        pub(crate) fn open(to: &str, from: &str) -> Option<Self> {
            let (to, from) = (IcuConverter::open(to)?, IcuConverter::open(from)?);
            Some(IcuPair { to, from, pivot: Box::new([0; PIVOT]), pending: (0, 0) })
        }

        /// Converts `source`, which is a whole stream if `is_whole`. Returns the number of bytes written.
        pub(crate) fn convert(&mut self, source: &[u8], destination: &mut [u8], is_whole: bool) -> Option<usize> {
            if is_whole {
                self.pending = (0, 0);
            }
            let (from, to, pivot) =
                (source.as_ptr_range(), destination.as_mut_ptr_range(), self.pivot.as_mut_ptr_range());
            let (mut read, mut written, mut error) = (from.start, to.start, 0);
            let mut pivot_source = pivot.start.wrapping_add(self.pending.0);
            let mut pivot_target = pivot.start.wrapping_add(self.pending.1);
            // SAFETY: both converters are open; the ranges are those of slices and of the pivot; the two places in the
            // pivot are its start or where the last call left them; the error is 0 before, as it has to be.
            unsafe {
                (self.to.functions.convert_ex)(
                    self.to.converter,
                    self.from.converter,
                    &mut written,
                    to.end,
                    &mut read,
                    from.end,
                    pivot.start,
                    &mut pivot_source,
                    &mut pivot_target,
                    pivot.end,
                    is_whole.into(),
                    is_whole.into(),
                    &mut error,
                );
            }
            let place = |pointer: *mut u16| (pointer.addr() - pivot.start.addr()) / 2;
            self.pending = (place(pivot_source), place(pivot_target));
            (error <= 0 && read == from.end).then_some(written.addr() - to.start.addr())
        }
    }
}

/// On other systems there is no ICU.
#[cfg(not(unix))]
mod icu {
    pub(crate) enum IcuConverter {}

    impl IcuConverter {
        pub(crate) fn open(_: &str) -> Option<Self> {
            None
        }

        pub(crate) fn decode(&mut self, _: &[u8], _: &mut [u16], _: bool) -> Option<usize> {
            match *self {}
        }

        pub(crate) fn encode(&mut self, _: &[u16], _: &mut [u8], _: bool) -> Option<usize> {
            match *self {}
        }
    }

    pub(crate) enum IcuPair {}

    impl IcuPair {
        /// There is no iconv.
        pub fn open(_: &str, _: &str) -> Option<Self> {
            None
        }

        pub(crate) fn convert(&mut self, _: &[u8], _: &mut [u8], _: bool) -> Option<usize> {
            match *self {}
        }
    }

    pub(crate) fn icu_version() -> Option<String> {
        None
    }
}

/// The conversions of simdutf. Its bindings do not check the length of the destination, so each function here does. A
/// conversion that meets an error returns 0.
#[cfg(feature = "simdutf")]
mod simd {
    const IS_LITTLE: bool = cfg!(target_endian = "little");

    pub(crate) fn utf8_to_utf16(source: &[u8], destination: &mut [u16]) -> Option<usize> {
        assert!(destination.len() >= source.len());
        // SAFETY: source and destination are slices that do not overlap. No byte becomes more than one unit, so the
        // destination suffices.
        let written =
            unsafe { simdutf::convert_utf8_to_utf16(source.as_ptr(), source.len(), destination.as_mut_ptr()) };
        (written > 0 || source.is_empty()).then_some(written)
    }

    pub(crate) fn utf16_to_utf8(source: &[u16], destination: &mut [u8]) -> Option<usize> {
        if IS_LITTLE { le_to_utf8(source, destination) } else { be_to_utf8(source, destination) }
    }

    pub(crate) fn utf16le_to_utf8(source: &[u8], destination: &mut [u8]) -> Option<usize> {
        le_to_utf8(units(source)?, destination)
    }

    pub(crate) fn utf16be_to_utf8(source: &[u8], destination: &mut [u8]) -> Option<usize> {
        be_to_utf8(units(source)?, destination)
    }

    pub(crate) fn utf16le_to_utf16(source: &[u8], destination: &mut [u16]) -> Option<usize> {
        let source = units(source)?;
        simdutf::validate_utf16le(source).then(|| copy(source, destination, !IS_LITTLE))
    }

    pub(crate) fn utf16be_to_utf16(source: &[u8], destination: &mut [u16]) -> Option<usize> {
        let source = units(source)?;
        simdutf::validate_utf16be(source).then(|| copy(source, destination, IS_LITTLE))
    }

    fn le_to_utf8(source: &[u16], destination: &mut [u8]) -> Option<usize> {
        assert!(destination.len() / 3 >= source.len());
        // SAFETY: source and destination are slices that do not overlap. No unit becomes more than three bytes, so the
        // destination suffices.
        let written =
            unsafe { simdutf::convert_utf16le_to_utf8(source.as_ptr(), source.len(), destination.as_mut_ptr()) };
        (written > 0 || source.is_empty()).then_some(written)
    }

    fn be_to_utf8(source: &[u16], destination: &mut [u8]) -> Option<usize> {
        assert!(destination.len() / 3 >= source.len());
        // SAFETY: source and destination are slices that do not overlap. No unit becomes more than three bytes, so the
        // destination suffices.
        let written =
            unsafe { simdutf::convert_utf16be_to_utf8(source.as_ptr(), source.len(), destination.as_mut_ptr()) };
        (written > 0 || source.is_empty()).then_some(written)
    }

    /// Copies `source`; if `swap`, byte-swaps each unit.
    fn copy(source: &[u16], destination: &mut [u16], swap: bool) -> usize {
        let destination = &mut destination[..source.len()];
        if swap {
            // SAFETY: source and destination are slices of the same length.
            unsafe { simdutf::change_endianness_utf16(source.as_ptr(), source.len(), destination.as_mut_ptr()) };
        } else {
            destination.copy_from_slice(source);
        }
        source.len()
    }

    /// `bytes` as units; `None` if their address or their number is odd.
    fn units(bytes: &[u8]) -> Option<&[u16]> {
        // SAFETY: all bit patterns are values of `u16`.
        let (before, units, after) = unsafe { bytes.align_to() };
        (before.is_empty() && after.is_empty()).then_some(units)
    }
}
