//! The C library libtextcodec-iconv: the functions of iconv(3), with the names and tables of glibc.
//! `include/textcodec-iconv.h` describes them, and this crate implements them over the crate `textcodec`. Rust programs
//! use that crate.
//!
//! | module | contents |
//! | --- | --- |
//! | `boundary` | the functions of C |
//! | `libc` | what the library needs of the system: `errno`, the locale's charset, the next `iconv_open` |
//! | `names` | from the names of `iconv_open` to tables |
//! | `table` | charsets and encodings of the Standard under one type |
//! | `descriptor` | the conversion: decode, encode, and stop exactly where glibc stops |
//! | `short` | tables for short texts in single-byte charsets |
//! | `transliteration` | what takes the place of unmappable characters with //TRANSLIT |
//!
//! # Unsafe code
//!
//! Raw pointers become slices and references in `boundary`, and functions of the system are called in `libc`. All other
//! modules are safe. No function panics. If one did, the process would abort, because Rust lets no panic leave a
//! function of C.
#![allow(non_camel_case_types, reason = "the names of types in C")]

mod boundary;
mod descriptor;
mod libc;
mod names;
mod short;
mod table;
mod transliteration;

pub use boundary::*;
