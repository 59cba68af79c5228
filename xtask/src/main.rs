//! The project's own commands: `cargo xtask --help` lists them.

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};

mod api;
mod bench_report;
mod charsets;
mod comments;
mod compile_time;
mod concerns;
mod depcheck;
mod dependents;
mod derive;
mod detection_picture;
mod documents;
mod encoding_rs;
mod exits;
mod files;
mod fuzz;
mod index_file;
mod index_tables;
mod invisible;
// A link to the file of core, which the package of xtask contains, too.
mod label_hash;
mod labels;
mod licences;
mod limits;
mod linear;
mod links;
mod man;
mod missing;
#[cfg(all(feature = "mutants", unix))]
mod mutants;
mod names;
mod published;
mod release;
mod rust;
mod sbom;
mod site;
mod sizes;
mod train;
mod unsafe_code;
mod wasm;

/// The commands of this project: generated files, checks and measurements.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Derives the index files from the behaviour of another implementation, and verifies their Identifiers.
    DeriveIndexes,
    /// Generates the tables of the encodings from the index files.
    Index {
        /// Writes nothing; fails if a table is out of date.
        #[arg(long)]
        check: bool,
    },
    /// Derives the mapping files of the charsets beyond the Standard from independent sources.
    DeriveCharsets(charsets::Options),
    /// Generates the tables of the charsets beyond the Standard, and docs/charsets.md, from the mapping files.
    Charsets {
        /// Writes nothing; fails if a file is out of date.
        #[arg(long)]
        check: bool,
    },
    /// Generates the names and the tables of labels from indexes/names.tsv and indexes/labels.tsv.
    Labels {
        /// Writes nothing; fails if a table is out of date.
        #[arg(long)]
        check: bool,
    },
    /// Generates the tables of characters that messages of the program show as escapes.
    Invisible {
        /// Writes nothing; fails if a table is out of date.
        #[arg(long)]
        check: bool,
    },
    /// Lists the public items of every published library in docs/api.
    Api {
        /// Writes nothing; fails if a listing is out of date.
        #[arg(long)]
        check: bool,
    },
    /// Lists all unsafe code that ships, with its invariants, in docs/UNSAFE.md.
    Unsafe {
        /// Writes nothing; fails if the page is out of date or a crate has more unsafe code than its ceiling.
        #[arg(long)]
        check: bool,
    },
    /// Checks the dependencies between crates, and between the modules of some crates.
    Depcheck,
    /// Checks that links between the documents lead to files and headings.
    Links,
    /// Checks generated files, licences, documents, comments, links, and dependencies between crates and between the
    /// modules of some crates.
    Check,
    /// Builds small programs and prints how many bytes textcodec and encoding_rs add to them, also for wasm32.
    Sizes {
        /// Puts the sizes into docs/sizes.md and into the guide, too.
        #[arg(long)]
        write: bool,
        /// Builds only the programs with textcodec, and fails if one is larger than its ceiling.
        #[arg(long, conflicts_with = "write")]
        check: bool,
        /// With --check: also builds the programs that compile packages with rarely used features, and those of the
        /// guide.
        #[arg(long, requires = "check")]
        all: bool,
    },
    /// Counts instructions on adversarial inputs with valgrind, and fails if a function takes more than linear time.
    Linear(linear::Options),
    /// Runs the fuzz targets in turn with libFuzzer, and fails if one of them finds an input that breaks its property.
    Fuzz(fuzz::Options),
    /// Judges the tests by faults that are put into the code: `cargo run -p xtask --features mutants -- mutants`.
    #[cfg(all(feature = "mutants", unix))]
    Mutants(mutants::Options),
    /// Checks that no branch leaves a compiled kernel while the upper halves of vector registers are full.
    Exits,
    /// Writes the man pages of the program to target/man.
    Man,
    /// Writes docs/missing.md: the characters that each encoding cannot write, and what takes their place.
    Missing,
    /// Names the files that a release changes, or writes them: versions, links to the tag, the changelog.
    Release(release::Options),
    /// Writes a bill of materials for the program and for each library of another language, as CycloneDX.
    Sbom {
        /// The folder that receives the files.
        out: std::path::PathBuf,
    },
    /// Writes the site to target/site: charts of the indexes, coverage, search, playground, documents.
    Site(site::Options),
    /// Makes the model of the detector from texts of named packages.
    Train(train::Options),
    /// Writes docs/detection.svg and docs/detection-peers.md from the figures of crates/detect/peers/run.
    DetectionPicture {
        /// Writes nothing; fails if one of them is out of date.
        #[arg(long)]
        check: bool,
    },
    /// Measures clean builds of textcodec and of encoding_rs.
    CompileTime(compile_time::Options),
    /// Measures textcodec beside its peers, and writes benches/report, benches/REPORT.md and benches/report.svg.
    BenchReport(bench_report::Options),
    /// Runs the tests of crates that use encoding_rs with textcodec in its place, and writes docs/DEPENDENTS.md.
    Dependents(dependents::Options),
    /// Writes the package named `encoding_rs` for [patch.crates-io], with the version that a dependency tree has.
    EncodingRs(encoding_rs::Options),
    /// Builds crates/wasm for web pages into target/web: the libraries with and without vectors, and the script that
    /// calls them.
    Wasm(wasm::Options),
}

fn main() -> Result<()> {
    #[cfg(feature = "api")]
    api::call_rustdoc()?;
    let root = files::root();
    match Arguments::parse().command {
        Command::DeriveIndexes => derive::derive_indexes(root),
        Command::Index { check } => index_tables::generate(root, check),
        Command::DeriveCharsets(options) => charsets::derive_charsets(root, &options),
        Command::Charsets { check } => charsets::generate(root, check),
        Command::Labels { check } => labels::generate(root, check),
        Command::Invisible { check } => invisible::generate(root, check),
        Command::Api { check } => api::generate(root, check),
        Command::Unsafe { check } => unsafe_code::generate(root, check),
        Command::Depcheck => depcheck::check(root).and_then(|()| concerns::check(root)),
        Command::Links => links::check(root),
        Command::Check => check_all(),
        Command::Sizes { check: true, all, .. } => sizes::check(root, all),
        Command::Sizes { write, .. } => sizes::measure(root, write),
        Command::Linear(options) => linear::run(root, &options),
        Command::Fuzz(options) => fuzz::run(root, &options),
        #[cfg(all(feature = "mutants", unix))]
        Command::Mutants(options) => mutants::run(root, &options),
        Command::Exits => exits::check(root),
        Command::Man => man::write(root),
        Command::Missing => missing::write(root),
        Command::Release(options) => release::run(root, &options),
        Command::Sbom { out } => sbom::write(root, &out),
        Command::Site(options) => site::write(root, &options),
        Command::Train(options) => train::train(root, &options),
        Command::DetectionPicture { check } => detection_picture::generate(root, check),
        Command::CompileTime(options) => compile_time::measure(root, &options),
        Command::BenchReport(options) => bench_report::write(root, &options),
        Command::Dependents(options) => dependents::run(root, &options),
        Command::EncodingRs(options) => encoding_rs::run(root, &options),
        Command::Wasm(options) => wasm::build(root, &options),
    }
}

/// Runs every check, also after a check has failed.
fn check_all() -> Result<()> {
    let root = files::root();
    let results = [
        index_tables::generate(root, true),
        charsets::generate(root, true),
        labels::generate(root, true),
        invisible::generate(root, true),
        licences::check(root),
        published::check(root),
        depcheck::check(root),
        concerns::check(root),
        links::check(root),
        documents::check(root),
        limits::check(root),
        comments::check(root),
        bench_report::check(root),
        detection_picture::generate(root, true),
        train::check(root),
        unsafe_code::generate(root, true),
    ];
    let errors: Vec<String> = results.into_iter().filter_map(Result::err).map(|error| format!("{error:#}")).collect();
    if !errors.is_empty() {
        bail!("{}", errors.join("\n"));
    }
    Ok(())
}
