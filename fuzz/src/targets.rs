//! What each fuzz target checks. The programs in `fuzz_targets` give libFuzzer's inputs to these functions; the tests
//! of the workspace give them the seeds and changes of them.

#[cfg(feature = "arrow")]
pub mod arrow;
pub mod capi;
pub mod charsets;
pub mod convert;
pub mod decode;
pub mod detect;
pub mod encode;
pub mod iconv;
pub mod io;
pub mod mem;
pub mod resume;
pub mod sniff;
pub mod sniff_model;

/// The targets that need no crates of others, with their names.
pub const ALL: [(&str, fn(&[u8])); 12] = [
    ("decode", decode::run),
    ("encode", encode::run),
    ("resume", resume::run),
    ("mem", mem::run),
    ("io", io::run),
    ("sniff", sniff::run),
    ("sniff_model", sniff_model::run),
    ("detect", detect::run),
    ("charsets", charsets::run),
    ("iconv", iconv::run),
    ("capi", capi::run),
    ("convert", convert::run),
];
