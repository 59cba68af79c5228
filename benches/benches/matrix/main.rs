//! Tables in Markdown of textcodec beside its fastest peers.
//!
//! ```text
//! cargo bench -p textcodec-benches --bench matrix -- [--table NAME]… [--kib N] [--level LEVEL] [ENCODING]…
//! ```
//!
//! `--help` lists all options.

use std::{env, process::ExitCode};

use options::{Options, Table, USAGE};
use output::Output;
use textcodec_benches::{Contestant, Corpus, cases, system_versions};
use textcodec_kernels::level::levels;

mod options;
mod output;
mod tables;

fn main() -> ExitCode {
    if env::args().any(|argument| argument == "--help") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let options = match Options::parse(env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    if !options.measure {
        // `cargo test` runs benchmarks, too. In that case only the results are checked, without measurements.
        cases(&Corpus::made_up(10_000), |_| true).for_each(|case| case.check());
        return ExitCode::SUCCESS;
    }

    let corpus = Corpus::from_environment(options.length);
    let mut output = Output::new(options.tsv);
    if !options.tsv {
        println!(
            "textcodec beside its peers. In parentheses: the speed of textcodec divided by the speed of its fastest peer,"
        );
        println!("which is encoding_rs unless another is named. Bold: the peer is faster.\n");
    }
    output.fact("texts", &format!("{} KiB each, {}", corpus.length() / 1024, corpus.origin()));
    output.fact("level", &format!("{:?}", options.level));
    let mut lower: Vec<String> =
        levels().filter(|&level| level < options.level).map(|level| format!("{level:?}")).collect();
    lower.reverse();
    output.fact("lower levels", &lower.join(", "));
    let peers: Vec<String> = options.contestants().iter().skip(1).map(|peer: &Contestant| peer.name()).collect();
    output.fact("peers", &peers.join(", "));
    for (name, version) in system_versions() {
        output.fact(name, &version);
    }
    for table in Table::ALL.into_iter().filter(|&table| options.wants(table)) {
        tables::print(table, &corpus, &options, &mut output);
    }
    ExitCode::SUCCESS
}
