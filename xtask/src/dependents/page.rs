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

`cargo xtask dependents` runs the tests of these crates twice: with encoding_rs, and with textcodec in its place. The
crates and their tests come from crates.io and are not changed. Cargo puts textcodec in the place of encoding_rs by
`[patch.crates-io]`, as [Replace encoding_rs](../crates/textcodec/guide/replace-encoding-rs.md) describes. Before each
run, `cargo tree --invert encoding_rs` shows which of the two is in use.

";

const BEFORE_TABLE: &str = "
A column *passed* counts the tests that pass, and after a slash the tests that fail. A test that fails on both sides
needs something that is not in the package. *Seconds* is the time that the tests themselves need. Both converters are
optimised, and the tests and the rest of each crate are not, so small differences say nothing about speed; see [the
measurements](../benches/REPORT.md). A run that names some crates keeps the rows of the others,
which can be of another date and processor.

| crate | version | calls | passed with encoding_rs | passed with textcodec | seconds with encoding_rs | seconds with textcodec |
| --- | --- | --- | ---: | ---: | ---: | ---: |
";

/// The cells of a side: the tests that passed, and the seconds.
type Cells = [String; 2];

/// The whole page. The outcomes are those with encoding_rs and with textcodec. A side without an outcome keeps its
/// cells of `before`, the page as it was.
pub(super) fn render(outcomes: &[(&Suite, [Option<Outcome>; 2])], before: &str) -> Result<String> {
    let mut page = INTRODUCTION.to_owned();
    write!(
        page,
        "| | |\n| --- | --- |\n| date | {} |\n| processor | {} |\n| toolchain | {} |\n",
        bench_report::today()?,
        bench_report::processor(),
        bench_report::toolchain()?
    )?;
    page.push_str(BEFORE_TABLE);
    let mut sums = [0, 0];
    for (suite, sides) in outcomes {
        let cells = cells(suite, sides, before);
        for (sum, cells) in sums.iter_mut().zip(&cells) {
            // `builds` is no number of tests.
            *sum += cells[0].split(' ').next().and_then(|passed| passed.parse::<usize>().ok()).unwrap_or_default();
        }
        page.push_str(&row(suite, &cells));
    }
    writeln!(page, "| all | | | {} | {} | | |", sums[0], sums[1])?;
    page.push_str("\n# Crates that are not in the table\n\n| crate | reason |\n| --- | --- |\n");
    for (name, reason) in NOT_TESTED {
        writeln!(page, "| {name} | {reason} |")?;
    }
    Ok(page)
}

/// The row of a suite.
fn row(suite: &Suite, [theirs, ours]: &[Cells; 2]) -> String {
    format!("{} {} | {} | {} | {} |\n", beginning(suite), theirs[0], ours[0], theirs[1], ours[1])
}

/// The cells of a row that say what was tested.
fn beginning(suite: &Suite) -> String {
    let features = match suite.arguments {
        ["--features", features] => format!(", feature `{features}`"),
        ["--all-features"] => ", all features".to_owned(),
        _ => String::new(),
    };
    let pin = match suite.encoding_rs {
        super::suites::NEWEST => String::new(),
        version => format!(", which pins encoding_rs {version}"),
    };
    format!("| {}{features}{pin} | {} | {} |", suite.name, suite.version, suite.calls)
}

/// The cells of both sides.
fn cells(suite: &Suite, sides: &[Option<Outcome>; 2], before: &str) -> [Cells; 2] {
    let old = old_cells(&beginning(suite), before);
    [0, 1].map(|side| match (&sides[side], &old) {
        (Some(outcome), _) => [passed(suite, outcome), seconds(suite, outcome)],
        (None, Some(old)) => old[side].clone(),
        (None, None) => ["not run".to_owned(), "–".to_owned()],
    })
}

/// The cells of both sides in the row of the page `before` that begins with `beginning`: a row of the same version.
fn old_cells(beginning: &str, before: &str) -> Option<[Cells; 2]> {
    let rest = before.lines().find_map(|line| line.strip_prefix(beginning))?;
    let cells: Vec<String> = rest.trim_end_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    let [their_passed, our_passed, their_seconds, our_seconds] = cells.try_into().ok()?;
    Some([[their_passed, their_seconds], [our_passed, our_seconds]])
}

fn seconds(suite: &Suite, outcome: &Outcome) -> String {
    if suite.kind == Kind::Tests && outcome.built { format!("{:.2}", outcome.seconds) } else { "–".to_owned() }
}

/// The cell that says how many tests passed.
fn passed(suite: &Suite, outcome: &Outcome) -> String {
    match outcome {
        Outcome { built: false, .. } => "does not build".to_owned(),
        _ if suite.kind == Kind::Build => "builds".to_owned(),
        outcome if outcome.failed.is_empty() => outcome.passed.len().to_string(),
        outcome => format!("{} / {}", outcome.passed.len(), outcome.failed.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::suites::SUITES, *};

    fn outcome(tests: usize) -> Outcome {
        let passed = (0..tests).map(|number| number.to_string()).collect();
        Outcome { built: true, passed, ..Outcome::default() }
    }

    #[test]
    fn a_run_of_one_crate_keeps_the_rows_of_the_others() {
        let all: Vec<_> = SUITES.iter().map(|suite| (suite, [Some(outcome(5)), Some(outcome(5))])).collect();
        let tested = all.iter().filter(|(suite, _)| suite.kind == Kind::Tests).count();
        let before = render(&all, "").unwrap();
        assert!(before.contains(&format!("| all | | | {0} | {0} | | |", 5 * tested)), "{before}");

        let one: Vec<_> =
            SUITES.iter().enumerate().map(|(at, suite)| (suite, [None, (at == 0).then(|| outcome(6))])).collect();
        let page = render(&one, &before).unwrap();
        assert!(page.contains(&format!("| all | | | {} | {} | | |", 5 * tested, 5 * tested + 1)), "{page}");
        assert!(page.contains(&row(&SUITES[1], &cells(&SUITES[1], &all[1].1, ""))), "{page}");
        assert!(!page.contains("not run"), "{page}");
    }

    #[test]
    fn a_row_of_another_version_is_not_kept() {
        let other = beginning(&SUITES[0]).replace(SUITES[0].version, "0.0.1");
        assert_eq!(old_cells(&beginning(&SUITES[0]), &format!("{other} 5 | 5 | 0.00 | 0.00 |\n")), None);
    }
}
