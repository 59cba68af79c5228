//! The contestants of the benchmark: textcodec and its peers.

use textcodec_kernels::level::{Level, force};

use crate::{FAST_LEGACY_ENCODE, Job, Task, foreign};

mod encoding_rs;
mod iconv;
mod icu;
mod simdutf;
mod standard;
mod textcodec;

/// textcodec, or one of its peers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contestant {
    /// textcodec with the kernels of a level; `None` stands for the best level.
    Ours(Option<Level>),
    /// [encoding_rs](https://docs.rs/encoding_rs).
    EncodingRs,
    /// textcodec behind the interface of encoding_rs. It does not count as a peer.
    Compatible,
    /// [simdutf](https://docs.rs/simdutf), if the feature of that name is on.
    Simdutf,
    /// [simdutf8](https://docs.rs/simdutf8).
    Simdutf8,
    /// Rust's standard library.
    Std,
    /// `iconv` of the GNU C library, if that is the system's C library.
    Iconv,
    /// ICU, if it is installed.
    Icu,
    /// A plain copy, which is the least work for UTF-8 from a valid string. The speed of the copy is an upper bound;
    /// the copy does not count as a peer.
    Memcpy,
}

impl Contestant {
    /// All contestants except textcodec that this build has.
    pub const OTHERS: &[Contestant] = &[
        Contestant::EncodingRs,
        Contestant::Compatible,
        #[cfg(feature = "simdutf")]
        Contestant::Simdutf,
        Contestant::Simdutf8,
        Contestant::Std,
        Contestant::Iconv,
        Contestant::Icu,
        Contestant::Memcpy,
    ];

    /// The name of the contestant.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Contestant::Ours(None) => "textcodec".into(),
            Contestant::Ours(Some(level)) => format!("textcodec {level:?}"),
            Contestant::EncodingRs if FAST_LEGACY_ENCODE => "encoding_rs fast".into(),
            Contestant::EncodingRs => "encoding_rs".into(),
            Contestant::Compatible => "textcodec-encoding-rs".into(),
            Contestant::Simdutf => "simdutf".into(),
            Contestant::Simdutf8 => "simdutf8".into(),
            Contestant::Std => "std".into(),
            Contestant::Iconv => "iconv".into(),
            Contestant::Icu => "ICU".into(),
            Contestant::Memcpy => "memcpy".into(),
        }
    }

    /// Whether the contestant is neither textcodec, behind any interface, nor a plain copy.
    #[must_use]
    pub const fn is_peer(self) -> bool {
        !matches!(self, Contestant::Ours(_) | Contestant::Compatible | Contestant::Memcpy)
    }

    /// The jobs by which the contestant does `task`: several if it has several encodings that resemble the Standard's,
    /// the most likely one first; none if it cannot do the task.
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
            Contestant::Compatible => encoding_rs::compatible_job(task).into_iter().collect(),
            Contestant::Simdutf => simdutf::job(task).into_iter().collect(),
            Contestant::Simdutf8 => standard::simdutf8_job(task).into_iter().collect(),
            Contestant::Std => standard::job(task).into_iter().collect(),
            Contestant::Iconv => iconv::jobs(task),
            Contestant::Icu => icu::jobs(task),
            Contestant::Memcpy => standard::memcpy_job(task).into_iter().collect(),
        }
    }
}

/// The versions of the peers that belong to the system, as far as it has them.
#[must_use]
pub fn system_versions() -> Vec<(&'static str, String)> {
    let versions = [("iconv (GNU C library)", foreign::libc_version()), ("ICU", foreign::icu_version())];
    versions.into_iter().filter_map(|(name, version)| Some((name, version?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simdutf_is_a_peer_only_where_it_is_built() {
        assert_eq!(Contestant::OTHERS.contains(&Contestant::Simdutf), cfg!(feature = "simdutf"));
    }
}
