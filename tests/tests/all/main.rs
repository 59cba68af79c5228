//! The tests of the whole workspace, as one program.

mod borrowing;
mod cut_rules;
mod destinations;
#[cfg(feature = "foreign")]
mod encoding_rs_border;
mod encoding_rs_mem;
mod encoding_rs_streams;
mod exhaustive;
#[cfg(target_os = "linux")]
mod fuzz_targets;
mod indexes;
mod limits;
mod long_texts;
#[cfg(feature = "foreign")]
mod manifests;
mod round_trip;
mod short_runs;
mod state_tables;
mod streaming;
mod subtleties;
