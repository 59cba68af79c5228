//! The page with the outcomes, in Markdown.

use std::fmt::Write as _;

use anyhow::Result;

use super::{
    Outcome,
    suites::{Kind, NOT_TESTED, Suite},
};
use crate::bench_report;

const INTRODUCTION: &str = "<!-- Written by `cargo xtask dependents`. -->

# Tests of crates that use encoding_rs

`cargo xtask dependents` runs the tests of these crates twice: with encoding_rs, and with textcodec in its place. The crates and
their tests come from crates.io and are not changed. Cargo puts textcodec in the place of encoding_rs by `[patch.crates-io]`, as
[Replace encoding_rs](../crates/textcodec/guide/replace-encoding-rs.md) describes. Before each run, `cargo tree --invert
encoding_rs` shows which of the two is in use.

";

const BEFORE_TABLE: &str = "
A column *passed* counts the tests that pass, and after a slash the tests that fail. A test that fails on both sides needs something
that is not in the package. *Seconds* is the time that the tests themselves need. Both converters are optimised, and the tests and
the rest of each crate are not, so small differences say nothing about speed; see [the measurements](../benches/REPORT.md).

| crate | version | calls | passed with encoding_rs | passed with textcodec | seconds with encoding_rs | seconds with textcodec |
| --- | --- | --- | ---: | ---: | ---: | ---: |
";

/// The whole page. The outcomes are those with encoding_rs and with textcodec; a side that did not run is `None`.
pub(super) fn render(outcomes: &[(&Suite, [Option<Outcome>; 2])]) -> Result<String> {
    let mut page = INTRODUCTION.to_owned();
    write!(
        page,
        "| | |\n| --- | --- |\n| date | {} |\n| processor | {} |\n| toolchain | {} |\n",
        bench_report::today()?,
        bench_report::processor(),
        bench_report::toolchain()?
    )?;
    page.push_str(BEFORE_TABLE);
    for (suite, sides) in outcomes {
        page.push_str(&row(suite, sides)?);
    }
    page.push_str(&sum(outcomes));
    page.push_str("\n# Crates that are not in the table\n\n| crate | reason |\n| --- | --- |\n");
    for (name, reason) in NOT_TESTED {
        writeln!(page, "| {name} | {reason} |")?;
    }
    Ok(page)
}

fn row(suite: &Suite, sides: &[Option<Outcome>; 2]) -> Result<String> {
    let [theirs, ours] = sides.each_ref().map(|side| passed(suite, side.as_ref()));
    let seconds = sides.each_ref().map(|side| match side {
        Some(outcome) if suite.kind == Kind::Tests && outcome.built => format!("{:.2}", outcome.seconds),
        _ => "–".to_owned(),
    });
    let features = match suite.arguments {
        ["--features", features] => format!(", feature `{features}`"),
        ["--all-features"] => ", all features".to_owned(),
        _ => String::new(),
    };
    let pin = match suite.encoding_rs {
        super::suites::NEWEST => String::new(),
        version => format!(", which pins encoding_rs {version}"),
    };
    Ok(format!(
        "| {}{features}{pin} | {} | {} | {theirs} | {ours} | {} |\n",
        suite.name,
        suite.version,
        suite.calls,
        seconds.join(" | ")
    ))
}

/// The cell that says how many tests passed.
fn passed(suite: &Suite, outcome: Option<&Outcome>) -> String {
    match outcome {
        None => "not run".to_owned(),
        Some(Outcome { built: false, .. }) => "does not build".to_owned(),
        Some(_) if suite.kind == Kind::Build => "builds".to_owned(),
        Some(outcome) if outcome.failed.is_empty() => outcome.passed.len().to_string(),
        Some(outcome) => format!("{} / {}", outcome.passed.len(), outcome.failed.len()),
    }
}

/// The last row, with the number of all tests that passed.
fn sum(outcomes: &[(&Suite, [Option<Outcome>; 2])]) -> String {
    let passed = [0, 1].map(|side| {
        let outcomes = outcomes.iter().filter_map(|(_, sides)| sides[side].as_ref());
        outcomes.map(|outcome| outcome.passed.len()).sum::<usize>()
    });
    format!("| all | | | {} | {} | | |\n", passed[0], passed[1])
}
