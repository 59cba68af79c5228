//! The tests of the umbrella crate, as one program: each module tests one module of the crate.

#[cfg(all(
    feature = "std",
    feature = "single-byte",
    feature = "cjk-chinese",
    feature = "cjk-japanese",
    feature = "cjk-korean",
    feature = "utf16"
))]
mod api;
#[cfg(all(feature = "encode", feature = "single-byte", feature = "utf16"))]
#[cfg(all(feature = "cjk-chinese", feature = "cjk-japanese", feature = "cjk-korean"))]
mod constants;
#[cfg(all(
    feature = "std",
    feature = "sniff",
    feature = "single-byte",
    feature = "cjk-japanese",
    feature = "futures-0_3"
))]
mod errors;
#[cfg(all(feature = "std", feature = "sniff", feature = "single-byte", feature = "encoding_rs-0_8"))]
#[cfg(all(feature = "cjk-chinese", feature = "cjk-japanese", feature = "cjk-korean"))]
mod interop;
#[cfg(all(feature = "std", feature = "utf16", feature = "cjk-chinese", feature = "cjk-japanese"))]
mod io;
#[cfg(feature = "alloc")]
mod mem;
#[cfg(all(feature = "std", feature = "single-byte", feature = "utf16"))]
mod one_shot;
#[cfg(all(feature = "serde", feature = "single-byte", feature = "cjk-japanese"))]
mod serde;
#[cfg(all(feature = "std", feature = "sniff", feature = "single-byte", feature = "cjk-japanese"))]
mod sniff;
#[cfg(all(feature = "std", feature = "single-byte", feature = "cjk-japanese", feature = "utf16"))]
mod url;
