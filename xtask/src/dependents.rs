//! Runs the tests of crates that use encoding_rs, once with encoding_rs and once with textcodec in its place, and
//! writes `docs/DEPENDENTS.md`.
//!
//! The crates come from crates.io, as Cargo unpacks them. textcodec takes the place of encoding_rs by a patch that is
//! given to Cargo on its command line, so no file of the crate changes.

use std::{collections::BTreeSet, fs, path::Path};

use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};

use crate::files;

mod command;
mod outcome;
mod package;
mod page;
mod suites;

use outcome::Outcome;
use package::Package;
use suites::{Kind, SUITES, Suite};

/// The page that the command writes.
const PAGE: &str = "docs/DEPENDENTS.md";

/// The folder of the crates, their builds and the output of their tests, relative to the project's root. It can be
/// removed at any time.
const FOLDER: &str = "target/dependents";

#[derive(Args)]
pub(crate) struct Options {
    /// The crates to test; all crates without an argument. The page shows the last run of the other crates.
    names: Vec<String>,
    /// Tests with one of the two only; the page shows the last run with the other.
    #[arg(long, value_enum)]
    with: Option<Side>,
    /// Keeps the builds, which need some gigabytes.
    #[arg(long)]
    keep: bool,
}

/// The package that is in use under the name `encoding_rs`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    /// encoding_rs from crates.io.
    EncodingRs,
    /// textcodec in its place.
    Textcodec,
}

impl Side {
    const ALL: [Side; 2] = [Side::EncodingRs, Side::Textcodec];

    /// The name of this side in file names.
    fn name(self) -> &'static str {
        match self {
            Side::EncodingRs => "encoding_rs",
            Side::Textcodec => "textcodec",
        }
    }
}

/// Tests the crates that `options` names and writes the page. It is an error if a test passes with encoding_rs only.
pub(crate) fn run(root: &Path, options: &Options) -> Result<()> {
    for name in &options.names {
        ensure!(SUITES.iter().any(|suite| suite.name == name), "{name} is not in the list of crates in suites.rs");
    }
    let folder = root.join(FOLDER);
    let named = |suite: &&Suite| options.names.is_empty() || options.names.iter().any(|name| name == suite.name);
    for suite in SUITES.iter().filter(named) {
        for side in Side::ALL.into_iter().filter(|&side| options.with.is_none_or(|with| with == side)) {
            let package = Package::unpack(root, &folder, suite, side)?;
            let log = package.test()?;
            fs::write(log_path(&folder, suite, side), &log)?;
            println!("{} {}, {}: {}", suite.name, suite.version, side.name(), Outcome::of_log(&log));
        }
    }
    if !options.keep {
        package::remove_builds(&folder)?;
    }

    let mut outcomes = Vec::new();
    for suite in &SUITES {
        let outcome = |side| fs::read_to_string(log_path(&folder, suite, side)).ok().map(|log| Outcome::of_log(&log));
        outcomes.push((suite, Side::ALL.map(outcome)));
    }
    let before = fs::read_to_string(root.join(PAGE)).unwrap_or_default();
    files::ensure_file_contents(&root.join(PAGE), &page::render(&outcomes, &before)?, false)?;
    report_losses(&outcomes)
}

/// The file with the output of a suite.
fn log_path(folder: &Path, suite: &Suite, side: Side) -> std::path::PathBuf {
    folder.join(format!("{}-{}.log", suite.name, side.name()))
}

/// It is an error if a test passes with encoding_rs and not with textcodec, or if only one of the two builds.
fn report_losses(outcomes: &[(&Suite, [Option<Outcome>; 2])]) -> Result<()> {
    let mut losses = Vec::new();
    for (suite, sides) in outcomes {
        let [Some(theirs), Some(ours)] = sides else { continue };
        let lost: BTreeSet<_> = theirs.passed.difference(&ours.passed).collect();
        losses.extend(lost.into_iter().map(|test| format!("{}: {test}", suite.name)));
        if theirs.built && !ours.built {
            losses.push(format!("{} does not build", suite.name));
        }
    }
    if !losses.is_empty() {
        bail!("these pass with encoding_rs only:\n  {}", losses.join("\n  "));
    }
    Ok(())
}
