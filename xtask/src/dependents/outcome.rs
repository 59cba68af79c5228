//! The outcome of a suite, read from the output of `cargo test`.

use std::{collections::BTreeSet, fmt};

/// The last line of a log, which the command adds.
pub(super) const BUILT: &str = "outcome: built";
pub(super) const NOT_BUILT: &str = "outcome: not built";

/// The outcome of a suite.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Outcome {
    pub(super) built: bool,
    /// The tests that passed. A name is preceded by the name of its program, because two programs may have equal tests.
    pub(super) passed: BTreeSet<String>,
    pub(super) failed: BTreeSet<String>,
    /// The time of all tests in seconds, without the examples in the documentation, because their time is the time of
    /// the compiler.
    pub(super) seconds: f64,
}

impl Outcome {
    /// Reads the outcome from `log`.
    pub(super) fn of_log(log: &str) -> Self {
        let mut outcome = Outcome { built: log.trim_end().ends_with(BUILT), ..Outcome::default() };
        // Cargo names the programs on the other output, so their order in the log is not known: they are numbered.
        let (mut program, mut documentation) = (0, false);
        for line in log.lines() {
            if let Some((name, result)) = line.strip_prefix("test ").and_then(|test| test.rsplit_once(" ... ")) {
                documentation |= name.contains(" (line ");
                let name = format!("{program}: {name}");
                match result {
                    "ok" => _ = outcome.passed.insert(name),
                    "FAILED" => _ = outcome.failed.insert(name),
                    _ => {}
                }
            } else if let Some(result) = line.strip_prefix("test result: ") {
                program += 1;
                if !documentation {
                    outcome.seconds += seconds(result).unwrap_or_default();
                }
                documentation = false;
            }
        }
        outcome
    }
}

/// The number in `finished in 0.25s`.
fn seconds(result: &str) -> Option<f64> {
    result.rsplit_once("finished in ")?.1.strip_suffix('s')?.parse().ok()
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.built {
            return f.write_str("does not build");
        }
        write!(f, "{} passed, {} failed", self.passed.len(), self.failed.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "encoding_rs v0.8.44

running 2 tests
test a ... ok
test b - should panic ... ok
test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.25s

running 3 tests
test a ... ok
test c ... FAILED
test d ... ignored, slow
test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1.50s

running 1 test
test src/lib.rs - (line 3) ... ok
test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 9.00s

outcome: built
";

    #[test]
    fn tests_of_equal_names_in_two_programs_count_twice() {
        let outcome = Outcome::of_log(LOG);
        assert!(outcome.built);
        let passed: Vec<&str> = outcome.passed.iter().map(|name| &**name).collect();
        assert_eq!(passed, ["0: a", "0: b - should panic", "1: a", "2: src/lib.rs - (line 3)"]);
        assert_eq!(outcome.failed.iter().collect::<Vec<_>>(), ["1: c"]);
    }

    #[test]
    fn the_time_of_examples_in_the_documentation_does_not_count() {
        assert_eq!(Outcome::of_log(LOG).seconds, 1.75);
    }

    #[test]
    fn a_log_without_its_last_line_has_not_built() {
        assert!(!Outcome::of_log("outcome: not built").built && !Outcome::of_log("").built);
    }
}
