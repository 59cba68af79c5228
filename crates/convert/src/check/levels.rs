//! Which rules are errors.

use super::{Problem, Rule, Severity};

/// The rules that a caller denies or allows. A denied rule is an error, and an allowed one is not reported.
///
/// ```
/// use textcodec_convert::{Levels, Rule, Severity};
///
/// let mut levels = Levels::default();
/// assert_eq!(levels.severity(Rule::Bom), Some(Severity::Note));
/// levels.deny(Rule::for_name("all").unwrap());
/// levels.allow(Rule::for_name("bom").unwrap());
/// assert_eq!(levels.severity(Rule::MixedNewlines), Some(Severity::Error));
/// assert_eq!(levels.severity(Rule::Bom), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Levels {
    /// A bit for each rule, by its place in [`Rule::ALL`].
    denied: u32,
    allowed: u32,
}

impl Levels {
    /// Violations of these rules are errors.
    pub fn deny(&mut self, rules: &[Rule]) {
        let bits = bits(rules);
        self.denied |= bits;
        self.allowed &= !bits;
    }

    /// Violations of these rules are not reported. Malformed bytes always are.
    pub fn allow(&mut self, rules: &[Rule]) {
        let bits = bits(rules) & !bits_of(Rule::Malformed);
        self.allowed |= bits;
        self.denied &= !bits;
    }

    /// How bad a violation of the rule is. `None` if it is not reported.
    #[must_use]
    pub fn severity(&self, rule: Rule) -> Option<Severity> {
        match bits_of(rule) {
            bit if self.allowed & bit != 0 => None,
            bit if self.denied & bit != 0 => Some(Severity::Error),
            _ => Some(rule.severity()),
        }
    }

    /// Whether violations of the rule are errors because it is denied.
    #[must_use]
    pub fn is_denied(&self, rule: Rule) -> bool {
        self.denied & bits_of(rule) != 0
    }

    /// The first of these problems that is an error.
    pub fn first_error<'a>(&self, problems: impl IntoIterator<Item = &'a Problem>) -> Option<&'a Problem> {
        problems.into_iter().find(|problem| self.severity(problem.rule) == Some(Severity::Error))
    }
}

fn bits(rules: &[Rule]) -> u32 {
    rules.iter().fold(0, |bits, &rule| bits | bits_of(rule))
}

fn bits_of(rule: Rule) -> u32 {
    Rule::ALL.iter().position(|&other| other == rule).map_or(0, |place| 1 << place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_has_a_name_a_bit_and_a_sentence_of_its_own() {
        for (place, rule) in Rule::ALL.into_iter().enumerate() {
            assert_eq!(bits_of(rule), 1 << place);
            assert!(Rule::for_name(rule.name()).unwrap().contains(&rule));
            assert!(Rule::ALL[..place].iter().all(|other| other.name() != rule.name()));
            assert!(rule.description().ends_with('.'));
        }
        assert_eq!(Rule::for_name("all").unwrap(), Rule::ALL);
        assert_eq!(Rule::for_name("everything"), None);
    }

    #[test]
    fn the_first_error_is_the_first_problem_of_a_rule_that_is_an_error() {
        let problem = |rule| Problem::new(rule, crate::Position::default(), alloc::string::String::new());
        let problems = [Rule::Bom, Rule::Control, Rule::MixedNewlines, Rule::Unmappable, Rule::Malformed].map(problem);
        let first = |levels: &Levels| levels.first_error(&problems).map(|problem| problem.rule);
        let mut levels = Levels::default();
        assert_eq!(first(&levels), Some(Rule::Unmappable));
        levels.allow(&[Rule::Unmappable]);
        assert_eq!(first(&levels), Some(Rule::Malformed));
        levels.deny(&[Rule::Control, Rule::MixedNewlines]);
        assert_eq!(first(&levels), Some(Rule::Control));
        assert_eq!(levels.first_error(&problems[..1]), None);
        assert_eq!(levels.first_error([]), None);
    }

    #[test]
    fn malformed_bytes_are_always_reported() {
        let mut levels = Levels::default();
        levels.allow(&Rule::ALL);
        assert_eq!(levels.severity(Rule::Malformed), Some(Severity::Error));
        assert_eq!(levels.severity(Rule::Control), None);
    }

    #[test]
    fn the_last_word_about_a_rule_counts_and_no_other_rule_changes() {
        for rule in Rule::ALL {
            let allowed = if rule == Rule::Malformed { Some(Severity::Error) } else { None };
            for (steps, expected, is_denied) in [
                (&[][..], Some(rule.severity()), false),
                (&["deny"], Some(Severity::Error), true),
                (&["allow"], allowed, false),
                (&["deny", "allow"], allowed, rule == Rule::Malformed),
                (&["allow", "deny"], Some(Severity::Error), true),
                (&["deny", "allow", "deny"], Some(Severity::Error), true),
                (&["deny", "deny"], Some(Severity::Error), true),
            ] {
                let mut levels = Levels::default();
                for step in steps {
                    match *step {
                        "deny" => levels.deny(&[rule]),
                        _ => levels.allow(&[rule]),
                    }
                }
                assert_eq!((levels.severity(rule), levels.is_denied(rule)), (expected, is_denied), "{rule} {steps:?}");
                for other in Rule::ALL.into_iter().filter(|other| *other != rule) {
                    let unchanged = (Some(other.severity()), false);
                    assert_eq!(
                        (levels.severity(other), levels.is_denied(other)),
                        unchanged,
                        "{rule} {steps:?} {other}"
                    );
                }
            }
        }
    }
}
