//! The common parts of the benchmarks: texts, peers and a clock.
//!
//! | command | purpose |
//! | --- | --- |
//! | `cargo bench -p textcodec-benches --bench matrix` | every encoding, short input, labels and malformed input, in a few minutes |
//! | `cargo bench -p textcodec-benches --bench matrix -- big5` | the encodings with `big5` in their names |
//! | `cargo bench -p textcodec-benches --features criterion --bench encodings -- Shift_JIS/d8` | the encodings and operations that the filter names, with criterion |
//! | `cargo bench -p textcodec-benches --bench sniff` | finding out the encoding of a page, beside decoding it |
//! | `cargo bench -p textcodec-benches --bench patterns` | patterns of bytes and characters that are slower than in encoding_rs |
//! | `cargo xtask bench-report` | writes the matrix to `benches/report` and `benches/REPORT.md` |
//!
//! The operations `d8` and `d16` decode bytes to UTF-8 and UTF-16; `e8` and `e16` encode UTF-8 and UTF-16 to bytes.
//! Texts come from the folder that the environment variable `TEXTCODEC_CORPORA` names, or else are made up; see
//! [`Corpus`]. The peer simdutf, which is written in C++, takes part if its feature is enabled, as it is for the
//! report.

mod cases;
mod contest;
mod corpus;
mod foreign;
mod language;
mod measure;
mod peers;
mod random;
mod report;
mod task;

pub use cases::{
    Case, Kind, Piece, ascii_cases, cases, code_point_start, damaged_bytes, pieces_of_bytes, pieces_of_text,
    random_bytes, short_pieces, stream_pieces, with_thai,
};
pub use contest::{Standing, best_peer, contest};
pub use corpus::Corpus;
pub use foreign::Iconv;
pub use language::Language;
pub use measure::{Runner, Time, race};
pub use peers::{Contestant, system_versions};
pub use random::Random;
pub use report::{GeometricMean, duration, print_row, rate, times};
pub use task::{Buffers, Job, Mode, Operation, Pair, Task};

/// Whether encoding_rs is built with its larger tables for encoding.
pub const FAST_LEGACY_ENCODE: bool = cfg!(feature = "fast-legacy-encode");
