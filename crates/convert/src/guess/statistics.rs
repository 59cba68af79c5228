//! The detector, which exists with the feature `guess` only.

#[cfg(feature = "guess")]
use alloc::borrow::ToOwned;
use alloc::vec::Vec;

#[cfg(feature = "guess")]
use super::Tier;
use super::{Candidate, Hints, NoGuess};
use crate::charset::Charset;

/// The detector.
#[cfg(feature = "guess")]
pub(super) struct Statistics {
    detector: textcodec::detect::Detector,
    has_ended: bool,
}

#[cfg(feature = "guess")]
impl Statistics {
    pub(super) fn new(hints: &Hints) -> Self {
        use textcodec::{
            Name,
            detect::{Detector, Options},
        };

        let mut options = Options::new();
        options = hints.languages.iter().fold(options, |options, code| options.language(code));
        options = hints.domains.iter().fold(options, |options, domain| options.top_level_domain(domain));
        if !hints.among.is_empty() {
            let standard = hints.among.iter().filter_map(|charset| charset.standard());
            options = options.among(standard.map(textcodec::Encoding::id));
            options = options.among_charsets(hints.among.iter().filter_map(|charset| charset.of_library()));
        }
        options = hints.tiers.iter().fold(options, |options, tier| {
            options.tier(match tier {
                Tier::Dos => textcodec::detect::Tier::Dos,
                Tier::Mac => textcodec::detect::Tier::Mac,
                Tier::Ebcdic => textcodec::detect::Tier::Ebcdic,
                Tier::Johab => textcodec::detect::Tier::Johab,
                Tier::Vietnamese => textcodec::detect::Tier::Vietnamese,
            })
        });
        if hints.are_names {
            options = options.exclude([Name::Utf16Be, Name::Utf16Le]);
        }
        Statistics { detector: Detector::with_options(options), has_ended: false }
    }

    /// The statistics of all encodings; `None` if there are none for `charset`.
    pub(super) fn for_comparison_with(charset: Charset) -> Option<Self> {
        let name = charset.standard()?.id();
        let all = Hints { tiers: Tier::ALL.to_vec(), ..Hints::new() };
        textcodec::detect::has_statistics(name).then(|| Statistics::new(&all))
    }

    /// The statistics of all encodings for the languages of `hints`; `None` if all of them compete already.
    pub(super) fn of_all_tiers(hints: &Hints) -> Option<Self> {
        let is_possible = |tier: &Tier| !hints.are_names || *tier != Tier::Ebcdic;
        let tiers: Vec<Tier> = Tier::ALL.into_iter().filter(is_possible).collect();
        let is_missing = tiers.iter().any(|tier| !hints.tiers.contains(tier));
        is_missing.then(|| Statistics::new(&Hints { tiers, ..hints.clone() }))
    }

    pub(super) fn feed(&mut self, piece: &[u8], last: bool) {
        self.detector.feed(piece);
        self.has_ended = last;
    }

    /// The candidates, the most probable first.
    pub(super) fn rank(self) -> Result<Vec<Candidate>, NoGuess> {
        use textcodec::detect::Verdict;

        let detection = if self.has_ended { self.detector.finish() } else { self.detector.best_so_far() };
        match detection.verdict() {
            Verdict::Binary(_) => return Err(NoGuess::Binary),
            Verdict::Empty => {
                let (charset, probability) = (Charset::UTF_8, Some(1.0));
                let best = Candidate { charset, language: None, probability, group: 0, is_in_language: true };
                return Ok(Vec::from([best]));
            }
            _ => {}
        }
        let charset = |candidate: &textcodec::detect::Candidate| match candidate.encoding() {
            Some(name) => textcodec::Encoding::for_name(name).ok().map(Charset::from),
            // A label of the Standard with such a name is one of replacement.
            None => {
                let labels = [alloc::format!("textcodec:{}", candidate.name()), candidate.name().to_owned()];
                let found = labels.iter().find_map(|label| Charset::for_label(label).ok());
                found.filter(|charset| charset.standard().is_none())
            }
        };
        let best = detection.best().ok_or(NoGuess::Unknown)?;
        charset(best).ok_or(NoGuess::NoCharset(best.name()))?;
        let candidates = detection.candidates().iter().filter_map(|candidate| {
            let (language, group) = (candidate.language(), candidate.group());
            let probability = Some(candidate.probability());
            let is_in_language = detection.knows_language() || group > 0;
            charset(candidate).map(|charset| Candidate { charset, language, probability, group, is_in_language })
        });
        Ok(candidates.collect())
    }

    /// Whether the detector has statistics of the language with this code. Only such languages change its options.
    pub(super) fn know(code: &str) -> bool {
        let options = textcodec::detect::Options::new();
        options.clone().language(code) != options
    }
}

/// Without the feature `guess` there are no hints, and so no guesser.
#[cfg(not(feature = "guess"))]
pub(super) struct Statistics;

#[cfg(not(feature = "guess"))]
impl Statistics {
    pub(super) const fn new(_: &Hints) -> Self {
        Statistics
    }

    pub(super) const fn for_comparison_with(_: Charset) -> Option<Self> {
        None
    }

    pub(super) const fn of_all_tiers(_: &Hints) -> Option<Self> {
        None
    }

    pub(super) const fn feed(&mut self, _: &[u8], _: bool) {}

    pub(super) const fn rank(self) -> Result<Vec<Candidate>, NoGuess> {
        Err(NoGuess::Unknown)
    }

    pub(super) const fn know(_: &str) -> bool {
        false
    }
}

/// Whether the language with this code has a letter beyond ASCII. `None` if the detector does not know its letters.
#[cfg(feature = "guess")]
pub(super) fn has_letter(language: &str, letter: char) -> Option<bool> {
    textcodec::detect::has_letter(language, letter)
}

#[cfg(not(feature = "guess"))]
pub(super) const fn has_letter(_: &str, _: char) -> Option<bool> {
    None
}
