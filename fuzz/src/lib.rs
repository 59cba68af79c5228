//! What the fuzz targets check, and what they have in common: how the bytes of an input become choices.

use std::ffi::{CString, c_char, c_int, c_void};

use textcodec::{Encoding, Name, charsets::Charset};

pub mod targets;

/// An input, whose first bytes are choices.
#[derive(Debug)]
pub struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    /// The input of a target.
    pub fn new(bytes: &'a [u8]) -> Self {
        Input(bytes)
    }

    /// The next byte; 0 after the last one.
    pub fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or(0)
    }

    /// The next two bytes as a number.
    pub fn short(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    /// The next eight bytes as a number.
    pub fn word(&mut self) -> u64 {
        u64::from_le_bytes([(); 8].map(|()| self.byte()))
    }

    /// The next choice of an encoding of the Standard: one byte.
    pub fn encoding(&mut self) -> Encoding {
        let name = Name::ALL[usize::from(self.byte()) % Name::ALL.len()];
        Encoding::for_name(name).expect("all encodings are linked")
    }

    /// The next choice of a charset that the Standard does not have: two bytes.
    pub fn charset(&mut self) -> Charset {
        let place = usize::from(self.short()) % Charset::all().count();
        Charset::all().nth(place).expect("the place is below the number of charsets")
    }

    /// Random numbers that start from the next two bytes.
    pub fn random(&mut self) -> Random {
        Random(self.short().into())
    }

    /// The bytes after the choices.
    pub fn rest(self) -> &'a [u8] {
        self.0
    }

    /// The bytes after the choices up to the first one that is not UTF-8.
    pub fn text(self) -> &'a str {
        let valid = std::str::from_utf8(self.0).map_or_else(|error| error.valid_up_to(), str::len);
        std::str::from_utf8(&self.0[..valid]).expect("this part is UTF-8")
    }

    /// The bytes after the choices as code units of UTF-16.
    pub fn units(self) -> Vec<u16> {
        self.0.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect()
    }
}

/// Pseudo-random numbers.
#[derive(Clone, Debug)]
pub struct Random(u32);

impl Random {
    /// A number below `limit`, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as usize % limit
    }

    /// The next piece of `rest`, which may be empty and mostly is short. It is taken away from `rest`.
    pub fn piece<'a>(&mut self, rest: &mut &'a [u8]) -> &'a [u8] {
        let longest = if self.below(4) == 0 { 300 } else { 9 };
        let (piece, after) = rest.split_at(self.below(longest).min(rest.len()));
        *rest = after;
        piece
    }
}

/// A copy of `bytes` in a block of memory of exactly that size, so that AddressSanitizer sees each read after its end.
/// For its start to be at any offset from a multiple of 32, the first `skipped` bytes of the block are other bytes.
#[must_use]
pub fn exact(bytes: &[u8], skipped: usize) -> Box<[u8]> {
    [&vec![0xA5; skipped][..], bytes].concat().into_boxed_slice()
}

unsafe extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn __errno_location() -> *mut c_int;
}

type Descriptor = *mut c_void;
type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> Descriptor;
type Convert = unsafe extern "C" fn(Descriptor, *mut *mut c_char, *mut usize, *mut *mut c_char, *mut usize) -> usize;
type Close = unsafe extern "C" fn(Descriptor) -> c_int;

/// A library with the functions of iconv(3).
#[derive(Clone, Copy, Debug)]
pub struct Iconv {
    /// `iconv_open`.
    pub open: Open,
    /// `iconv`.
    pub convert: Convert,
    /// `iconv_close`.
    pub close: Close,
}

impl Iconv {
    /// The C library's own iconv. `None` if the C library is not glibc.
    ///
    /// A program that links `textcodec-capi-iconv` has other functions of the same names, so the functions are looked
    /// up in the library.
    #[must_use]
    pub fn of_glibc() -> Option<Self> {
        // SAFETY: the names end with 0, and the functions have the types that POSIX gives them.
        unsafe {
            let library = dlopen(c"libc.so.6".as_ptr(), 2);
            let find = |name: &std::ffi::CStr| {
                let function = if library.is_null() { library } else { dlsym(library, name.as_ptr()) };
                (!function.is_null()).then_some(function)
            };
            Some(Iconv {
                open: std::mem::transmute::<*mut c_void, Open>(find(c"iconv_open")?),
                convert: std::mem::transmute::<*mut c_void, Convert>(find(c"iconv")?),
                close: std::mem::transmute::<*mut c_void, Close>(find(c"iconv_close")?),
            })
        }
    }

    /// Opens a conversion. `None` if the library does not have it.
    #[must_use]
    pub fn open(self, from: &str, to: &str) -> Option<Conversion> {
        let (from, to) = (CString::new(from).ok()?, CString::new(to).ok()?);
        // SAFETY: the names end with 0.
        let descriptor = unsafe { (self.open)(to.as_ptr(), from.as_ptr()) };
        (descriptor.addr() != usize::MAX).then_some(Conversion { library: self, descriptor })
    }
}

/// An opened conversion.
#[derive(Debug)]
pub struct Conversion {
    library: Iconv,
    descriptor: Descriptor,
}

/// The result of a call of iconv(3).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The number that the function returned, or `errno`.
    pub result: Result<usize, c_int>,
    /// The number of bytes that were read.
    pub read: usize,
    /// The bytes that were written.
    pub bytes: Vec<u8>,
}

impl Conversion {
    /// Converts into at most `space` bytes. Without a source, the text ends.
    ///
    /// # Panics
    /// If the pointers after the call contradict the numbers.
    pub fn call(&mut self, source: Option<&[u8]>, space: usize) -> Call {
        let (input, mut bytes) = (exact(source.unwrap_or_default(), 0), vec![0xAA; space].into_boxed_slice());
        let (mut from, mut left) = (input.as_ptr().cast_mut().cast::<c_char>(), input.len());
        let (mut to, mut to_left) = (bytes.as_mut_ptr().cast::<c_char>(), space);
        let pointer = if source.is_some() { &raw mut from } else { std::ptr::null_mut() };
        // SAFETY: the buffers have the lengths that the call gets, and `self.library` has opened the descriptor.
        let result =
            unsafe { (self.library.convert)(self.descriptor, pointer, &raw mut left, &raw mut to, &raw mut to_left) };
        // SAFETY: the function has no conditions.
        let errno = unsafe { *__errno_location() };
        let (read, written) = (input.len() - left, space - to_left);
        assert_eq!(to.addr(), bytes.as_ptr().addr() + written, "the output's pointer and its length");
        assert_eq!(from.addr(), input.as_ptr().addr() + read, "the input's pointer and its length");
        Call {
            result: if result == usize::MAX { Err(errno) } else { Ok(result) },
            read,
            bytes: bytes[..written].into(),
        }
    }
}

impl Drop for Conversion {
    fn drop(&mut self) {
        // SAFETY: `Iconv::open` has returned the descriptor, which is used no more.
        unsafe { (self.library.close)(self.descriptor) };
    }
}

/// The rows of the table of the crate `textcodec-capi-iconv`, which lists the charsets that glibc converts in another
/// way: suffixes, charset, ways, reason.
pub fn differences() -> impl Iterator<Item = [&'static str; 4]> {
    let table = include_str!("../../crates/capi-iconv/tests/differences.tsv");
    table.lines().skip(1).filter_map(|row| row.split('\t').collect::<Vec<_>>().try_into().ok())
}

/// Whether that table has a row for the charset of this name, with this suffix, in this way: "decoding" or "encoding".
#[must_use]
pub fn is_different(name: &str, suffix: &str, way: &str) -> bool {
    differences().any(|[suffixes, charset, ways, _]| {
        suffixes.split(' ').any(|of| of == "any" || of == suffix)
            && (charset == name || charset == "any")
            && ways.contains(way)
    })
}
