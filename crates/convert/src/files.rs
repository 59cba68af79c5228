//! Files: finding them, reading them, converting them, and replacing them safely.
//!
//! A new file takes the place of an old one only when it is complete, and keeps the old one's attributes. A file that
//! does not change is not written. Nothing is written through symbolic links that the user did not name, and pipes are
//! never opened where files are expected.
//!
//! ```
//! use std::io::Write;
//! use textcodec_convert::{
//!     Charset, Converter, Options, SourceEncoding, Writer,
//!     files::{Action, Input, Old, Rewrite, Rewritten, Rules, Settings, convert},
//! };
//!
//! # let directory = tempfile::tempdir()?;
//! let path = directory.path().join("letter.txt");
//! std::fs::write(&path, b"caf\xE9")?;
//!
//! let mut settings = Settings::new(Options::to(Charset::UTF_8));
//! settings.from = SourceEncoding::Label(Charset::for_label("windows-1252")?);
//! let rules = Rules { declarations: Action::Refuse, refuse_binary: true };
//! let manner = Default::default();
//! let new_file = Rewrite::new(path.clone(), Old::open(&path)?, &manner);
//! let mut converter = Converter::new(settings.options.clone(), Writer(new_file));
//! let input = Input::check_file(&path)?;
//! convert(&settings, rules, &input, &mut converter, None, |_| ()).map_err(|stopped| stopped.to_string())?;
//! let (Writer(new_file), _) = converter.finish()?;
//! assert_eq!(std::fs::read(&path)?, b"caf\xE9");
//! if let Rewritten::Ready(ready) = new_file.finish()? {
//!     ready.sync()?;
//!     ready.place()?;
//! }
//! assert_eq!(std::fs::read_to_string(&path)?, "café");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The order of the modules; each knows only those before it:
//!
//! ```text
//! regular ← remote ← attributes ← interruption ← new_file ← output ← error ← input ← reading ← rewrite ←
//! group ← overlap ← identity ← collisions ← gitignore ← selection ← job ← jobs ← names ← zip
//! ```

mod attributes;
mod collisions;
mod error;
mod gitignore;
mod group;
mod identity;
mod input;
mod interruption;
mod job;
pub mod jobs;
#[cfg(all(test, feature = "guess"))]
mod messages;
pub mod names;
mod new_file;
mod output;
mod overlap;
pub mod reading;
mod regular;
mod remote;
mod rewrite;
mod selection;
pub mod zip;

pub use self::{
    collisions::{Paths, Streams, check_output, check_streams},
    error::{Collision, FileError},
    group::Group,
    input::{Input, OpenStandardInput},
    interruption::{remove_temporary_files_on_signals, take_left_files},
    job::{Action, Declarations, Done, JobError, Rules, Settings, Stopped, convert},
    new_file::{NewFile, is_leftover, is_temporary, remove_leftover, replace},
    output::{Output, names_standard_output},
    overlap::Overlapped,
    regular::are_same,
    remote::confirm,
    rewrite::{Comparison, Manner, Old, OldBytes, Ready, Rewrite, Rewritten, backup},
    selection::{Files, Selected, Skipped, Walk, select},
};
