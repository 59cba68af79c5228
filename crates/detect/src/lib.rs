//! Which encoding is it? A detector for texts that declare nothing.
//!
//! [`detect`] looks at a whole text, a [`Detector`] at a text that comes in pieces. The answer is the same wherever the
//! pieces are cut. A [`Detection`] has a [`Verdict`] (ASCII, UTF-8, damaged UTF-8, UTF-16, a legacy encoding, binary
//! data, …) and ranked [`Candidate`]s, each with a language, a calibrated probability, and the number of its group:
//! candidates of one group give the same text.
//!
//! ```
//! use textcodec_detect::{Verdict, detect};
//!
//! // "Привет, как дела?" in KOI8-R.
//! let detection = detect(b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCB\xC1\xCB \xC4\xC5\xCC\xC1?");
//! let best = detection.best().unwrap();
//! assert_eq!((detection.verdict(), best.name(), best.language()), (Verdict::Legacy, "KOI8-R", Some("ru")));
//! assert!(best.probability() > 0.9);
//! ```
//!
//! The model was trained by `cargo xtask train` from texts of packages; `NOTICE.tsv` lists them. `docs/detection.md` of
//! the repository says how the detector works, how it was measured, and what it cannot know.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod calibration;
mod candidates;
mod classes;
mod detector;
mod east_asian;
#[cfg(feature = "charsets")]
mod ebcdic;
#[cfg(feature = "charsets")]
mod johab;
mod languages;
mod model;
mod neighbourhoods;
mod options;
mod pairs;
mod result;
mod score;
mod structure;
#[cfg(feature = "charsets")]
mod tiers;
#[cfg(feature = "charsets")]
mod vietnamese;

/// The examples of README.md, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use candidates::{has_letter, has_statistics};
pub use detector::{Detector, detect, detect_with};
pub use options::{Options, Platform, Tier};
pub use result::{BinaryKind, Candidate, Detection, Verdict};
pub use textcodec_core::Name;

/// The version of the model. Answers about the same bytes change only when it changes.
pub const MODEL_VERSION: u32 = 1;
