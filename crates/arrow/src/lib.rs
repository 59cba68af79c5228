//! [Arrow](https://arrow.apache.org) columns in the encodings of the
//! [Encoding Standard](https://encoding.spec.whatwg.org/).
//!
//! * [`decode`] makes a column of text of a column of bytes. The label is the same for all rows, or comes from a
//!   column.
//! * [`html`] finds out the encoding of each row as a browser does for a page, and decodes it. With [`guess()`], it
//!   also finds the encoding of pages that declare nothing.
//! * [`detect`] guesses the encoding and the language of each row from statistics of languages.
//! * [`encode`] makes a column of bytes of a column of text.
//! * [`on_threads`] runs any of them over the chunks of a column, on several threads.
//!
//! With the feature `datafusion`, the module `datafusion` has the same as functions of SQL.
//!
//! ```
//! use arrow_array::{ArrayRef, BinaryArray, cast::AsArray};
//! use textcodec_arrow::{DecodeOptions, Labels, decode};
//!
//! let column = BinaryArray::from(vec![Some(&b"\x83\x65\x83\x4C"[..]), None, Some(b"caf\xE9")]);
//! let labels: ArrayRef = std::sync::Arc::new(arrow_array::StringArray::from(vec!["sjis", "sjis", "latin1"]));
//!
//! let text = decode(&column, &Labels::each(&labels)?, &DecodeOptions::default())?;
//! let text: Vec<_> = text.as_string::<i32>().iter().collect();
//! assert_eq!(text, [Some("テキ"), None, Some("café")]);
//! # Ok::<(), textcodec_arrow::Error>(())
//! ```
//!
//! # Types
//!
//! | bytes | text |
//! | --- | --- |
//! | `Binary`, `FixedSizeBinary` | `Utf8` |
//! | `LargeBinary` | `LargeUtf8` |
//! | `BinaryView` | `Utf8View` |
//! | a dictionary of one of these | a dictionary of the type beside it. With a label in each row, and for [`html`]: the type itself |
//!
//! [`encode`] has the same table from right to left, with `Binary` for `Utf8`. Null rows stay null.
//!
//! `Utf8` and `Binary` have
//! offsets of 32 bits; a result that is longer is [`Error::TooLong`], and never a wrong result.

mod builder;
mod cells;
#[cfg(feature = "datafusion")]
pub mod datafusion;
mod decode;
mod detect;
mod encode;
mod error;
mod html;
mod labels;
mod threads;

pub use textcodec::{self, BomHandling, Encoding, detect::Options as DetectOptions};
pub use textcodec_convert::{Charset, charset::UnknownLabel};

pub use self::{
    cells::{Kind, TYPES_OF_BYTES, TYPES_OF_TEXT},
    decode::{DecodeErrors, DecodeOptions, decode, decode_type},
    detect::{detect, detect_fields, guess},
    encode::{EncodeErrors, encode, encode_type},
    error::{Error, MalformedRow, UnmappableRow},
    html::{Charsets, HtmlOptions, html, html_fields},
    labels::Labels,
    threads::on_threads,
};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
