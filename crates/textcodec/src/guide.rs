//! Guide: a page for each task. Every example runs as a test.

#[cfg(all(feature = "std", feature = "utf16", feature = "cjk-japanese", feature = "single-byte"))]
#[doc = include_str!("../guide/decode-a-file.md")]
pub mod decode_a_file {}

#[cfg(all(feature = "alloc", feature = "utf16", feature = "cjk-japanese", feature = "single-byte"))]
#[doc = include_str!("../guide/decode-a-stream.md")]
pub mod decode_a_stream {}

#[cfg(all(feature = "alloc", feature = "encode", feature = "cjk-japanese", feature = "single-byte"))]
#[doc = include_str!("../guide/encode-a-form-field.md")]
pub mod encode_a_form_field {}

#[cfg(all(feature = "alloc", feature = "encode", feature = "cjk-japanese", feature = "single-byte"))]
#[doc = include_str!("../guide/replace-errors.md")]
pub mod replace_errors {}

#[cfg(all(feature = "alloc", feature = "cjk-japanese", feature = "utf16"))]
#[doc = include_str!("../guide/use-one-encoding-only.md")]
pub mod use_one_encoding_only {}

#[cfg(all(
    feature = "alloc",
    feature = "utf16",
    feature = "cjk-chinese",
    feature = "cjk-japanese",
    feature = "single-byte"
))]
#[doc = include_str!("../guide/use-what-you-need.md")]
pub mod use_what_you_need {}

#[cfg(all(feature = "std", feature = "encode", feature = "sniff", feature = "cjk-japanese", feature = "single-byte"))]
#[doc = include_str!("../guide/which-encoding-is-it.md")]
pub mod which_encoding_is_it {}

#[cfg(all(feature = "std", feature = "encode", feature = "sniff", feature = "cjk-japanese", feature = "single-byte"))]
#[doc = include_str!("../guide/http-responses.md")]
pub mod http_responses {}

#[cfg(all(feature = "std", feature = "encode", feature = "utf16", feature = "single-byte"))]
#[doc = include_str!("../guide/csv.md")]
pub mod csv {}

#[cfg(all(feature = "std", feature = "encode", feature = "sniff", feature = "single-byte"))]
#[doc = include_str!("../guide/xml.md")]
pub mod xml {}

#[cfg(all(
    feature = "alloc",
    feature = "encode",
    feature = "sniff",
    feature = "cjk-japanese",
    feature = "single-byte"
))]
#[doc = include_str!("../guide/mail.md")]
pub mod mail {}

#[cfg(all(feature = "std", feature = "encode", feature = "utf16", feature = "cjk-japanese", feature = "single-byte"))]
#[doc = include_str!("../guide/replace-encoding-rs.md")]
pub mod replace_encoding_rs {}
