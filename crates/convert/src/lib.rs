//! The library under the program `textcodec`: it converts, checks and repairs text, and finds out its charset.
//!
//! Beside the encodings of the [Encoding Standard](https://encoding.spec.whatwg.org/), it has charsets of older files
//! ([`Charset`]). A conversion can change the ends of lines, normalize and transliterate the text, and rewrite the
//! declarations of its charset ([`Converter`]). A check lists every problem with its place ([`Checker`], [`check()`]).
//! A repair undoes wrong decodings ([`Repair`]).
//!
//! All of this works on slices and allocates; nothing needs an operating system. The text of a stream comes piece by
//! piece, and memory is constant. With the feature `files`, the module `files` finds, converts and replaces files
//! safely.
//!
//! The order of the modules; each knows only those before it. Only tests have `pinned`:
//!
//! ```text
//! pinned ← visible ← position ← buffers ← charset ← text ← kind ← binary ← declarations ← damage ←
//! oddness ← guess ← detection ← source ← options ← converter ← stored ← mixed ← repair ← check ← files
//! ```

#![cfg_attr(not(any(test, feature = "std")), no_std)]

extern crate alloc;

pub mod binary;
pub mod buffers;
pub mod charset;
mod check;
mod converter;
pub mod damage;
pub mod declarations;
pub mod detection;
#[cfg(feature = "files")]
pub mod files;
pub mod guess;
mod kind;
mod mixed;
mod oddness;
mod options;
#[cfg(test)]
mod pinned;
mod position;
mod repair;
mod source;
pub mod stored;
pub mod text;
pub mod visible;

#[cfg(feature = "std")]
pub use self::converter::{Cores, Writer, convert_on, parts};
pub use self::{
    charset::Charset,
    check::{Checker, Each, Levels, Problem, Rule, Severity, check, fix, mixture_in_start},
    converter::{Converter, Failure, Plan, Replaced, Replacement, Sink, Stream, TextError, What, convert},
    detection::SourceEncoding,
    kind::Kind,
    mixed::{decode_cesu_8, decode_mixed},
    options::{BomAction, Errors, Options},
    position::{ForEditors, Position},
    repair::{
        CannotRepair, Certainty, Change, Counts, Explained, Lines, Pair, Repair, Repaired, SEARCHED, Step, Verdict,
    },
    source::{Choice, Fallback, Refusal, Source},
};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
