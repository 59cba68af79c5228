//! Who is measured.

use textcodec_kernels::level::{Level, force};

use crate::{FAST_LEGACY_ENCODE, Job, Task, foreign};

mod encoding_rs;
mod iconv;
mod icu;
mod simdutf;
mod standard;
mod textcodec;

/// Ours, or one of the peers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contestant {
    /// textcodec, with the kernels of a level, or of the best that there is.
    Ours(Option<Level>),
    /// [encoding_rs](https://docs.rs/encoding_rs).
    EncodingRs,
    /// [simdutf](https://docs.rs/simdutf), if the feature of that name is on.
    Simdutf,
    /// [simdutf8](https://docs.rs/simdutf8).
    Simdutf8,
    /// The standard library of Rust.
    Std,
    /// `iconv` of the GNU C library, where that is the C library.
    Iconv,
    /// ICU, where it is installed.
    Icu,
    /// Nothing but a copy, which is what UTF-8 from a valid string is: no peer, but the bound.
    Memcpy,
}

impl Contestant {
    /// All but ours.
    pub const OTHERS: [Contestant; 7] = [
        Contestant::EncodingRs,
        Contestant::Simdutf,
        Contestant::Simdutf8,
        Contestant::Std,
        Contestant::Iconv,
        Contestant::Icu,
        Contestant::Memcpy,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Contestant::Ours(None) => "textcodec".into(),
            Contestant::Ours(Some(level)) => format!("textcodec {level:?}"),
            Contestant::EncodingRs if FAST_LEGACY_ENCODE => "encoding_rs fast".into(),
            Contestant::EncodingRs => "encoding_rs".into(),
            Contestant::Simdutf => "simdutf".into(),
            Contestant::Simdutf8 => "simdutf8".into(),
            Contestant::Std => "std".into(),
            Contestant::Iconv => "iconv".into(),
            Contestant::Icu => "ICU".into(),
            Contestant::Memcpy => "memcpy".into(),
        }
    }

    /// Whether it is neither ours nor a mere copy.
    #[must_use]
    pub const fn is_peer(self) -> bool {
        !matches!(self, Contestant::Ours(_) | Contestant::Memcpy)
    }

    /// How it does `task`. More than one way where it has several encodings that resemble the Standard's, the plainer ones
    /// first; none where it cannot.
    #[must_use]
    pub fn jobs(self, task: Task) -> Vec<Job> {
        match self {
            Contestant::Ours(level) => {
                let at_level = |mut job: Job| -> Job {
                    Box::new(move |pieces, buffers| {
                        force(level);
                        job(pieces, buffers)
                    })
                };
                textcodec::job(task).map(at_level).into_iter().collect()
            }
            Contestant::EncodingRs => encoding_rs::job(task).into_iter().collect(),
            Contestant::Simdutf => simdutf::job(task).into_iter().collect(),
            Contestant::Simdutf8 => standard::simdutf8_job(task).into_iter().collect(),
            Contestant::Std => standard::job(task).into_iter().collect(),
            Contestant::Iconv => iconv::jobs(task),
            Contestant::Icu => icu::jobs(task),
            Contestant::Memcpy => standard::memcpy_job(task).into_iter().collect(),
        }
    }
}

/// The versions of the peers that the system brings along, where it does.
#[must_use]
pub fn system_versions() -> Vec<(&'static str, String)> {
    let versions = [("iconv (GNU C library)", foreign::libc_version()), ("ICU", foreign::icu_version())];
    versions.into_iter().filter_map(|(name, version)| Some((name, version?))).collect()
}
