//! The encoding of a text that declares nothing, from statistics of languages.
//!
//! The detector of `textcodec::detect` makes the statistics. A guess can be wrong, and nobody sees this in the output.
//! So only callers with [`Hints`] get one, which the feature `guess` makes, and every result names it as a guess.

mod doubt;
mod signs;
mod statistics;

use alloc::{borrow::ToOwned, string::String, vec::Vec};
use core::{error::Error, fmt, ops::ControlFlow};

use self::{doubt::Sample, signs::Better, statistics::Statistics};
use crate::{
    buffers,
    charset::{Charset, Decoder, Status},
};

pub use doubt::Doubt;

/// What is known about texts whose encoding is guessed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Hints {
    /// The languages of the texts. [`language`] makes their codes.
    pub languages: Vec<String>,
    /// Top-level domains of the countries that the texts come from. [`domain`] makes them.
    pub domains: Vec<String>,
    /// The encodings to choose from; empty for all that the detector knows.
    pub among: Vec<Charset>,
    /// The encodings that compete beside those of the Standard.
    pub tiers: Vec<Tier>,
    /// Whether the text is names of files, which are neither in UTF-16 nor in EBCDIC.
    pub(crate) are_names: bool,
}

/// A group of encodings beyond the Standard. Texts in them are rare, so they compete only if somebody expects them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Tier {
    /// Code pages of DOS.
    Dos,
    /// Character sets of the classic Mac OS.
    Mac,
    /// Code pages of mainframes.
    Ebcdic,
    /// Johab, an encoding of Korean.
    Johab,
    /// VISCII and TCVN 5712, encodings of Vietnamese.
    Vietnamese,
}

#[cfg(feature = "guess")]
impl Tier {
    /// All tiers.
    const ALL: [Tier; 5] = [Tier::Dos, Tier::Mac, Tier::Ebcdic, Tier::Johab, Tier::Vietnamese];
}

#[cfg(feature = "guess")]
impl Hints {
    /// Nothing is known.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "without the feature, there must be no hints")]
    pub const fn new() -> Self {
        Hints { languages: Vec::new(), domains: Vec::new(), among: Vec::new(), tiers: Vec::new(), are_names: false }
    }
}

/// A guess.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Guess {
    /// The encoding.
    pub charset: Charset,
    /// How the guess was made.
    pub reason: Reason,
    /// The encodings that the text can be in: the most probable first, then those without a probability.
    pub candidates: Vec<Candidate>,
}

/// An encoding that a text can be in.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The encoding.
    pub charset: Charset,
    /// The language of the text as a code of BCP 47, if there are statistics of it.
    pub language: Option<&'static str>,
    /// The probability that the encoding gives the right text. `None` if there are no statistics for the encoding.
    pub probability: Option<f32>,
    /// The number of the group. The encodings of a group give the same text.
    pub group: usize,
    /// Whether the words of the text are like those of the language. True without a language.
    is_in_language: bool,
}

/// How a guess was made. It is displayed as a clause.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// By statistics of languages.
    #[non_exhaustive]
    Statistics {
        /// The language of the text as a code of BCP 47, if the guess depends on it.
        language: Option<&'static str>,
        /// The probability that the encoding gives the right text. `None` if another encoding to choose from has no
        /// statistics.
        probability: Option<f32>,
        /// Why the probability is less than the competing encodings alone would make it.
        doubt: Option<Doubt>,
    },
    /// In all other encodings to choose from, the text has an error.
    #[non_exhaustive]
    OnlyPossible {
        /// The probability that the encoding gives the right text. Without statistics, it is 1: the text is in one of
        /// the encodings to choose from.
        probability: f32,
    },
    /// It is the first of the encodings to choose from in which the text has the fewest control characters.
    FewestControls,
}

impl Reason {
    /// The probability that the encoding gives the right text. `None` if it is not known.
    #[must_use]
    pub const fn probability(self) -> Option<f32> {
        match self {
            Reason::Statistics { probability, .. } => probability,
            Reason::OnlyPossible { probability } => Some(probability),
            Reason::FewestControls => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Reason::Statistics { language, probability, doubt } => {
                if let Some(code) = language {
                    write!(f, "{}, ", language_name(code))?;
                }
                Probability(probability).fmt(f)?;
                doubt.map_or(Ok(()), |doubt| write!(f, ", {doubt}"))
            }
            Reason::OnlyPossible { probability } => {
                f.write_str("the only one in which the file has no error, ")?;
                Probability(Some(probability)).fmt(f)
            }
            Reason::FewestControls => f.write_str(
                "the first in which the file has no error and the fewest control characters, probability unknown",
            ),
        }
    }
}

/// Displays a probability with its name. The two digits are never rounded up, so that a probability below a limit does
/// not look like the limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Probability(pub Option<f32>);

impl fmt::Display for Probability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(probability) = self.0 else { return f.write_str("probability unknown") };
        // The summand lets 0.98, which is a little less in binary, keep its digits.
        let hundredths = (probability * 100.0 + 0.001) as u32;
        write!(f, "probability {}.{:02}", hundredths / 100, hundredths % 100)
    }
}

/// The reason why there is no guess. It is displayed as a clause about a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NoGuess {
    /// The text has an error in each of the encodings to choose from.
    Errors,
    /// The bytes are no text.
    Binary,
    /// The bytes are text in none of the encodings that the detector knows.
    Unknown,
    /// The text is in an encoding with this name, which is no [`Charset`].
    NoCharset(&'static str),
}

impl fmt::Display for NoGuess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoGuess::Errors => f.write_str("it has errors in all encodings to choose from"),
            NoGuess::Binary => f.write_str("its bytes are not text"),
            NoGuess::Unknown => f.write_str("it fits no language in any encoding that can be guessed"),
            NoGuess::NoCharset(name) => write!(f, "it seems to be {name}, which cannot be decoded"),
        }
    }
}

impl Error for NoGuess {}

/// The probability from which another charset contradicts a chosen one.
const CONTRADICTION: f32 = 0.95;

/// A text that does not fit the charset that was chosen for it. It is displayed as a sentence about a file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Objection {
    /// The charset that was chosen.
    pub chosen: Charset,
    /// The charset that fits. It gives another text. `None` if the text looks odd in the chosen charset.
    pub fitting: Option<Charset>,
    /// The language of the text as a code of BCP 47, if there are statistics of it.
    pub language: Option<&'static str>,
    /// The probability that this charset gives the right text, in percent.
    pub percent: u8,
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Objection { chosen, fitting, language, percent } = self;
        write!(f, "nothing in the file tells its encoding; the fallback is {chosen}, but ")?;
        let Some(fitting) = fitting else {
            return f.write_str("odd characters would stand side by side in the text");
        };
        write!(f, "the text fits {fitting}: ")?;
        if let Some(code) = language {
            write!(f, "{}, ", language_name(code))?;
        }
        Probability(Some(f32::from(*percent) / 100.0)).fmt(f)
    }
}

impl Error for Objection {}

/// Compares a chosen charset with the statistics of a text whose bytes come piece by piece.
pub struct Objector {
    chosen: Charset,
    /// `None` if there are no statistics for the charset, and so nothing can contradict it.
    statistics: Option<Statistics>,
    /// ASCII contradicts no charset.
    is_ascii: bool,
    sample: Sample,
}

impl Objector {
    /// A new stream, for which a charset was chosen.
    #[must_use]
    pub fn new(chosen: Charset) -> Self {
        let sample = Sample::default();
        Objector { chosen, statistics: Statistics::for_comparison_with(chosen), is_ascii: true, sample }
    }

    /// Reads `piece`, the next bytes. `last` says that they are the last.
    pub fn feed(&mut self, piece: &[u8], last: bool) {
        self.is_ascii &= piece.is_ascii();
        if let Some(statistics) = &mut self.statistics {
            statistics.feed(piece, last);
            self.sample.feed(piece);
        }
    }

    /// The charset that fits the text, if it has a probability of at least 0.95 and gives another text than the chosen
    /// one; or that the text looks odd in the chosen one.
    #[must_use]
    pub fn objection(mut self) -> Option<Objection> {
        self.sample.finish();
        let chosen = self.chosen;
        let statistics = self.statistics.filter(|_| !self.is_ascii)?;
        let candidates = statistics.rank().unwrap_or_default();
        let fitting = contradiction(chosen, &candidates);
        let odd = || Objection { chosen, fitting: None, language: None, percent: 0 };
        fitting.or_else(|| self.sample.is_odd(chosen).then(odd))
    }
}

/// The objection to `chosen` that the first of these candidates makes, the most probable first.
fn contradiction(chosen: Charset, candidates: &[Candidate]) -> Option<Objection> {
    let best = candidates.first()?;
    let probability = best.probability.filter(|&probability| probability >= CONTRADICTION)?;
    let is_same = |other: &Candidate| other.charset == chosen && other.group == best.group;
    (!candidates.iter().any(is_same)).then_some(Objection {
        chosen,
        fitting: Some(best.charset),
        language: best.language,
        percent: (probability * 100.0 + 0.001) as u8,
    })
}

/// Guesses from bytes that come piece by piece.
pub struct Guesser<'a> {
    hints: &'a Hints,
    statistics: Statistics,
    /// All encodings compete here, also those of tiers that nobody expects. `None` if nothing else can compete.
    rivals: Option<Statistics>,
    sample: Sample,
    competitors: Vec<Competitor>,
    text: buffers::Text,
}

/// An encoding to choose from in which the bytes have no error so far.
struct Competitor {
    charset: Charset,
    decoder: Decoder,
    /// The number of control characters that texts do not have.
    controls: u64,
}

impl<'a> Guesser<'a> {
    /// A new stream.
    #[must_use]
    pub fn new(hints: &'a Hints) -> Self {
        let competitor = |&charset: &Charset| Competitor { charset, decoder: charset.new_decoder(false), controls: 0 };
        Guesser {
            hints,
            statistics: Statistics::new(hints),
            rivals: hints.among.is_empty().then(|| Statistics::of_all_tiers(hints)).flatten(),
            sample: Sample::default(),
            competitors: hints.among.iter().map(competitor).collect(),
            text: buffers::Text::new(),
        }
    }

    /// Reads `piece`, the next bytes. `last` says that they are the last.
    pub fn feed(&mut self, piece: &[u8], last: bool) {
        self.statistics.feed(piece, last);
        if let Some(rivals) = &mut self.rivals {
            rivals.feed(piece, last);
        }
        self.sample.feed(piece);
        let text = &mut self.text;
        self.competitors.retain_mut(|competitor| competitor.feed(piece, last, text));
    }

    /// The guess after the last piece.
    ///
    /// # Errors
    /// The bytes have an error in each of the encodings to choose from, or fit no encoding.
    pub fn guess(mut self) -> Result<Guess, NoGuess> {
        self.sample.finish();
        let ranked = self.statistics.rank();
        if self.hints.among.is_empty() {
            let mut candidates = ranked?;
            let rivals = self.rivals.and_then(|rivals| rivals.rank().ok()).unwrap_or_default();
            let doubt = doubt(&mut candidates, &rivals, &self.sample);
            let best = candidates.first().ok_or(NoGuess::Unknown)?;
            let reason = Reason::Statistics { language: best.language, probability: best.probability, doubt };
            return Ok(Guess { charset: best.charset, reason, candidates });
        }
        // The statistics include encodings in which the text has errors. Their shares are not given to the others: if
        // such an encoding fits much better, the file is damaged rather than in another encoding.
        let mut candidates = ranked.unwrap_or_default();
        candidates.retain(|candidate| self.competitors.iter().any(|other| other.charset == candidate.charset));
        let modelled = candidates.len();
        for competitor in &self.competitors {
            if candidates.iter().all(|candidate| candidate.charset != competitor.charset) {
                let group = candidates.last().map_or(0, |last| last.group + 1);
                let charset = competitor.charset;
                candidates.push(Candidate { charset, language: None, probability: None, group, is_in_language: true });
            }
        }
        let controls = |candidate: &Candidate| {
            let own = self.competitors.iter().find(|competitor| competitor.charset == candidate.charset);
            own.map_or(0, |competitor| competitor.controls)
        };
        if let [only] = &mut *candidates {
            let probability = *only.probability.get_or_insert(1.0);
            let (charset, reason) = (only.charset, Reason::OnlyPossible { probability });
            return Ok(Guess { charset, reason, candidates });
        }
        // The first encoding of those with the fewest control characters.
        let fewest = self.competitors.iter().min_by_key(|competitor| competitor.controls).ok_or(NoGuess::Errors)?;
        let (charset, reason) = match candidates[..modelled].first() {
            // An encoding without statistics wins by fewer control characters only.
            Some(best) if candidates[modelled..].iter().all(|other| controls(best) <= controls(other)) => {
                let probability = best.probability.filter(|_| modelled == candidates.len());
                (best.charset, Reason::Statistics { language: best.language, probability, doubt: None })
            }
            _ => (fewest.charset, Reason::FewestControls),
        };
        Ok(Guess { charset, reason, candidates })
    }
}

/// Changes the probability of the first candidates to that beside `rivals`, and lowers it if there is a reason to doubt
/// them, which is returned.
fn doubt(candidates: &mut [Candidate], rivals: &[Candidate], sample: &Sample) -> Option<Doubt> {
    let &Candidate { charset, language, probability: Some(probability), group, is_in_language } = candidates.first()?
    else {
        return None;
    };
    // The bytes of the structure decide about Unicode.
    if charset == Charset::UTF_8 {
        return None;
    }
    let own = Standing::of(charset, candidates, sample);
    let beside_rivals = if rivals.is_empty() { Standing::SAFE } else { Standing::of(charset, rivals, sample) };
    let doubt = match (beside_rivals.first, own.better.or(beside_rivals.better)) {
        _ if sample.has_line_of_utf_8() => Some(Doubt::Mixed),
        (Some(first), _) if first != charset => Some(Doubt::Rival(first)),
        _ if sample.is_odd(charset) => Some(Doubt::Odd),
        (_, Some(better)) => Some(Doubt::Signs(better)),
        _ if language.is_some_and(|code| signs::are_foreign(&sample.lines(charset), code)) => Some(Doubt::Foreign),
        _ if !is_in_language => Some(Doubt::Language),
        _ => None,
    };
    let most = doubt.map_or(1.0, Doubt::share_of_right_answers);
    let probability = probability.max(own.probability).min(beside_rivals.probability).min(most);
    for candidate in candidates.iter_mut().take_while(|candidate| candidate.group == group) {
        candidate.probability = Some(probability);
    }
    doubt
}

/// The rank of a charset among candidates. A candidate does not count if its text differs from the text of the charset
/// in signs only, and has these signs at the wrong places.
struct Standing {
    /// The probability of the charset and of the candidates that do not count.
    probability: f32,
    /// The first charset that gives another text, if it is before the charset; the charset itself if none is.
    first: Option<Charset>,
    /// A charset whose text has the signs at better places.
    better: Option<Charset>,
}

impl Standing {
    /// No other charset competes.
    const SAFE: Standing = Standing { probability: 1.0, first: None, better: None };

    fn of(charset: Charset, candidates: &[Candidate], sample: &Sample) -> Self {
        /// The number of other texts that are compared.
        const COMPARED: usize = 4;
        let group = candidates.iter().find(|candidate| candidate.charset == charset).map(|own| own.group);
        let text = sample.lines(charset);
        let mut standing = Standing { probability: 0.0, first: None, better: None };
        for texts in candidates.chunk_by(|before, after| before.group == after.group).take(COMPARED + 1) {
            let (other, probability) = (texts[0].charset, texts[0].probability.unwrap_or(0.0));
            if Some(texts[0].group) == group {
                standing.probability += probability;
                standing.first = standing.first.or(Some(charset));
                continue;
            }
            match signs::better(&text, &sample.lines(other)) {
                Some(Better::First) => standing.probability += probability,
                Some(Better::Second) => {
                    standing.better = standing.better.or(Some(other));
                    standing.first = standing.first.or(Some(other));
                }
                None => standing.first = standing.first.or(Some(other)),
            }
        }
        standing
    }
}

impl Competitor {
    /// Whether `piece` continues without an error.
    fn feed(&mut self, piece: &[u8], last: bool, text: &mut String) -> bool {
        let controls = &mut self.controls;
        let flow = self.decoder.decode_pieces(piece, text, last, |_, text, decoded| {
            let is_control =
                |character: &char| matches!(character, '\0'..='\u{8}' | '\u{E}'..='\u{1F}' | '\u{7F}'..='\u{9F}');
            *controls += text.chars().filter(is_control).count() as u64;
            text.clear();
            match decoded.status {
                Status::Malformed(_) => ControlFlow::Break(()),
                Status::InputEmpty | Status::OutputFull => ControlFlow::Continue(()),
            }
        });
        flow.is_continue()
    }
}

/// Guesses from all bytes of a text.
///
/// # Errors
/// As [`Guesser::guess`].
pub fn guess(bytes: &[u8], hints: &Hints) -> Result<Guess, NoGuess> {
    let mut guesser = Guesser::new(hints);
    guesser.feed(bytes, true);
    guesser.guess()
}

/// The greatest length of a [label of a domain](https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4) in bytes.
const LONGEST_DOMAIN: usize = 63;

/// A top-level domain for [`Hints::domains`], from its name with or without a dot. `None` if no domain has this form.
#[must_use]
pub fn domain(text: &str) -> Option<String> {
    let domain = text.strip_prefix('.').unwrap_or(text).to_ascii_lowercase();
    let is_length = (1..=LONGEST_DOMAIN).contains(&domain.len());
    let is_domain = is_length && domain.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_domain.then_some(domain)
}

/// A code for [`Hints::languages`], from a tag of BCP 47. `None` if there are no statistics of this language.
#[must_use]
pub fn language(text: &str) -> Option<String> {
    let tag = text.to_ascii_lowercase().replace('_', "-");
    let has = |names: &[&str]| tag.split('-').any(|subtag| names.contains(&subtag));
    let code = match tag.split('-').next().unwrap_or_default() {
        "zh" if has(&["hans"]) || !has(&["hant", "tw", "hk", "mo"]) => "zh-Hans",
        "zh" => "zh-Hant",
        primary => primary,
    };
    Statistics::know(code).then(|| code.to_owned())
}

/// The English name of the language with a code of [`Candidate::language`]; the code itself for any other language.
#[must_use]
pub fn language_name(code: &str) -> &str {
    match code {
        "ar" => "Arabic",
        "be" => "Belarusian",
        "bg" => "Bulgarian",
        "ca" => "Catalan",
        "cs" => "Czech",
        "cy" => "Welsh",
        "da" => "Danish",
        "de" => "German",
        "el" => "Greek",
        "en" => "English",
        "eo" => "Esperanto",
        "es" => "Spanish",
        "et" => "Estonian",
        "eu" => "Basque",
        "fa" => "Persian",
        "fi" => "Finnish",
        "fr" => "French",
        "ga" => "Irish",
        "gl" => "Galician",
        "he" => "Hebrew",
        "hr" => "Croatian",
        "hu" => "Hungarian",
        "id" => "Indonesian",
        "is" => "Icelandic",
        "it" => "Italian",
        "ja" => "Japanese",
        "ko" => "Korean",
        "lt" => "Lithuanian",
        "lv" => "Latvian",
        "mk" => "Macedonian",
        "nb" => "Norwegian",
        "nl" => "Dutch",
        "pl" => "Polish",
        "pt" => "Portuguese",
        "ro" => "Romanian",
        "ru" => "Russian",
        "sk" => "Slovak",
        "sl" => "Slovenian",
        "sq" => "Albanian",
        "sr" => "Serbian",
        "sv" => "Swedish",
        "th" => "Thai",
        "tr" => "Turkish",
        "uk" => "Ukrainian",
        "vi" => "Vietnamese",
        "zh-Hans" => "Chinese (simplified)",
        "zh-Hant" => "Chinese (traditional)",
        code => code,
    }
}

#[cfg(all(test, feature = "guess"))]
mod tests;
