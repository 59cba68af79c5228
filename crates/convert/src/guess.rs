//! The encoding of a text that declares nothing, from the frequency of its letters.
//!
//! The statistics are those of [chardetng](https://github.com/hsivonen/chardetng), which guesses for Firefox. A guess
//! can be wrong, and nobody sees this in the output. So only callers with [`Hints`] get one, which the feature `guess`
//! makes, and every result names it as a guess.

use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::{fmt, ops::ControlFlow};

use crate::{
    buffers,
    charset::{Charset, Decoder, Status},
};

/// What is known about texts whose encoding is guessed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Hints {
    /// Top-level domains, for which chardetng knows the usual encodings. The first is tried first. [`domain`] and
    /// [`domain_of_language`] make them.
    pub domains: Vec<String>,
    /// The encodings to choose from; empty for all that chardetng knows.
    pub among: Vec<Charset>,
}

#[cfg(feature = "guess")]
impl Hints {
    /// Nothing is known.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "without the feature, there must be no hints")]
    pub const fn new() -> Self {
        Hints { domains: Vec::new(), among: Vec::new() }
    }
}

/// A guess.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Guess {
    /// The encoding.
    pub charset: Charset,
    /// How the guess was made.
    pub reason: Reason,
}

/// How a guess was made. It is displayed as a clause.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// From the frequency of letters; with the top-level domain whose usual encodings were preferred.
    Letters(Option<String>),
    /// In all other encodings to choose from, the text has an error.
    OnlyPossible,
    /// It is the first of the encodings to choose from in which the text has the fewest control characters.
    FewestControls,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Letters(None) => f.write_str("from the frequency of letters"),
            Reason::Letters(Some(domain)) => write!(f, "from the frequency of letters for .{domain}"),
            Reason::OnlyPossible => f.write_str("as the only one in which the file has no error"),
            Reason::FewestControls => {
                f.write_str("as the first in which the file has no error and the fewest control characters")
            }
        }
    }
}

/// Guesses from bytes that come piece by piece.
pub struct Guesser<'a> {
    hints: &'a Hints,
    statistics: Statistics,
    candidates: Vec<Candidate>,
    text: buffers::Text,
}

/// An encoding to choose from in which the bytes have no error so far.
struct Candidate {
    charset: Charset,
    decoder: Decoder,
    /// The number of control characters that texts do not have.
    controls: u64,
}

impl<'a> Guesser<'a> {
    /// A new stream.
    #[must_use]
    pub fn new(hints: &'a Hints) -> Self {
        let candidate = |&charset: &Charset| Candidate { charset, decoder: charset.new_decoder(false), controls: 0 };
        Guesser {
            hints,
            statistics: Statistics::new(),
            candidates: hints.among.iter().map(candidate).collect(),
            text: buffers::Text::new(),
        }
    }

    /// Reads `piece`, the next bytes. `last` says that they are the last.
    pub fn feed(&mut self, piece: &[u8], last: bool) {
        self.statistics.feed(piece, last);
        let text = &mut self.text;
        self.candidates.retain_mut(|candidate| candidate.feed(piece, last, text));
    }

    /// The guess after the last piece. `None` if the bytes have an error in each of the encodings to choose from.
    #[must_use]
    pub fn guess(&self) -> Option<Guess> {
        let domains: Vec<Option<&str>> = match &*self.hints.domains {
            [] => vec![None],
            domains => domains.iter().map(|domain| Some(&**domain)).collect(),
        };
        let statistics = |domain: Option<&str>| {
            let charset = self.statistics.guess(domain)?;
            Some(Guess { charset, reason: Reason::Letters(domain.map(str::to_owned)) })
        };
        if self.hints.among.is_empty() {
            return domains.into_iter().find_map(statistics);
        }
        let candidates = &self.candidates;
        match &**candidates {
            [] => return None,
            [only] if self.hints.among.len() > 1 => {
                return Some(Guess { charset: only.charset, reason: Reason::OnlyPossible });
            }
            _ => {}
        }
        // chardetng names the best encoding only. With the domains of other countries, it names others.
        let others = OTHER_DOMAINS.iter().map(|domain| Some(*domain));
        let is_candidate = |guess: &Guess| candidates.iter().any(|candidate| candidate.charset == guess.charset);
        if let Some(guess) = domains.into_iter().chain(others).filter_map(statistics).find(is_candidate) {
            return Some(guess);
        }
        let best = candidates.iter().min_by_key(|candidate| candidate.controls)?;
        Some(Guess { charset: best.charset, reason: Reason::FewestControls })
    }
}

/// The frequency of letters.
#[cfg(feature = "guess")]
struct Statistics(chardetng::EncodingDetector);

#[cfg(feature = "guess")]
impl Statistics {
    fn new() -> Self {
        Statistics(chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow))
    }

    fn feed(&mut self, piece: &[u8], last: bool) {
        self.0.feed(piece, last);
    }

    fn guess(&self, domain: Option<&str>) -> Option<Charset> {
        let name = self.0.guess(domain.map(str::as_bytes), chardetng::Utf8Detection::Allow).name();
        Charset::for_label(name).ok()
    }
}

/// Without the feature `guess` there are no hints, and so no guesser.
#[cfg(not(feature = "guess"))]
struct Statistics;

#[cfg(not(feature = "guess"))]
impl Statistics {
    const fn new() -> Self {
        Statistics
    }

    const fn feed(&mut self, _: &[u8], _: bool) {}

    const fn guess(&self, _: Option<&str>) -> Option<Charset> {
        None
    }
}

/// Domains for which chardetng prefers different encodings.
const OTHER_DOMAINS: [&str; 18] =
    ["com", "fr", "jp", "cn", "tw", "hk", "kr", "ru", "ua", "pl", "cz", "gr", "tr", "il", "sa", "th", "vn", "lt"];

impl Candidate {
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
#[must_use]
pub fn guess(bytes: &[u8], hints: &Hints) -> Option<Guess> {
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

/// The domain of a country where the language with this tag is written. `None` if no such domain is known.
#[must_use]
pub fn domain_of_language(text: &str) -> Option<String> {
    let tag = text.to_ascii_lowercase().replace('_', "-");
    let primary = tag.split('-').next().unwrap_or_default();
    let is_traditional = ["tw", "hk", "mo", "hant"].iter().any(|part| tag.split('-').any(|subtag| subtag == *part));
    let domain = match primary {
        "zh" if tag.ends_with("-hk") || tag.ends_with("-mo") => "hk",
        "zh" if is_traditional => "tw",
        "zh" => "cn",
        "ja" => "jp",
        "ko" => "kr",
        "el" => "gr",
        "he" | "iw" | "yi" => "il",
        "ar" => "sa",
        "fa" => "ir",
        "ur" => "pk",
        "uk" => "ua",
        "be" => "by",
        "sr" => "rs",
        "cs" => "cz",
        "sl" => "si",
        "sq" => "al",
        "et" => "ee",
        "vi" => "vn",
        "da" => "dk",
        "sv" => "se",
        "nb" | "nn" | "no" => "no",
        "en" => "uk",
        "ga" => "ie",
        "ca" | "eu" | "gl" => "es",
        "hy" => "am",
        "ka" => "ge",
        "kk" => "kz",
        "bg" | "de" | "es" | "fi" | "fr" | "hr" | "hu" | "is" | "it" | "lt" | "lv" | "mk" | "nl" | "pl" | "pt"
        | "ro" | "ru" | "sk" | "th" | "tr" => primary,
        _ => return None,
    };
    Some(domain.to_string())
}

#[cfg(all(test, feature = "guess"))]
mod tests {
    use super::*;
    use textcodec::{BIG5, EUC_JP, KOI8_U, SHIFT_JIS, UTF_8, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252};

    fn guess(bytes: &[u8], hints: &Hints) -> Option<Charset> {
        super::guess(bytes, hints).map(|guess| guess.charset)
    }

    #[test]
    fn guesses_from_the_frequency_of_letters() {
        let hints = Hints::new();
        for (encoding, text) in [
            (WINDOWS_1251, "Съешь же ещё этих мягких французских булок, да выпей чаю."),
            (KOI8_U, "Съешь же ещё этих мягких французских булок, да выпей чаю."),
            (SHIFT_JIS, "日本語の文章をシフトJISで書いたものです。"),
            (EUC_JP, "日本語の文章をイーユーシーで書いたものです。"),
            (BIG5, "這是一個用繁體中文寫成的句子。"),
            (UTF_8, "Grüße aus München"),
            (WINDOWS_1252, "Le café est fermé à midi, l’hôtel aussi."),
        ] {
            let bytes = encoding.encode(text).bytes;
            assert_eq!(guess(&bytes, &hints), Some(encoding.into()), "{text}");
        }
    }

    #[test]
    fn only_the_given_encodings_are_guessed() {
        let among = |labels: &[&str]| Hints {
            among: labels.iter().map(|label| Charset::for_label(label).unwrap()).collect(),
            domains: Vec::new(),
        };
        let french = WINDOWS_1252.encode("Le café est fermé à midi.").bytes;
        assert_eq!(guess(&french, &among(&["utf-8", "windows-1250"])), Some(WINDOWS_1250.into()));
        assert_eq!(guess(&french, &among(&["utf-8", "exact-us-ascii"])), None);
        let dos = guess(b"caf\x82", &among(&["utf-8", "cp850"])).unwrap();
        assert_eq!(dos.name(), "cp850");
        let russian = WINDOWS_1251.encode("Съешь же ещё этих мягких французских булок").bytes;
        let both = among(&["koi8-r", "windows-1251"]);
        assert_eq!(guess(&russian, &both), Some(WINDOWS_1251.into()));
    }

    #[test]
    fn languages_lead_to_domains() {
        for (tag, expected) in [("ja", "jp"), ("zh-TW", "tw"), ("zh_Hans", "cn"), ("zh-HK", "hk"), ("de-AT", "de")] {
            assert_eq!(domain_of_language(tag).as_deref(), Some(expected));
        }
        assert_eq!(domain_of_language("tlh"), None);
        assert_eq!(domain(".JP").as_deref(), Some("jp"));
        assert!(domain("ö").is_none() && domain("").is_none());
    }
}
