//! `--guess`: the encoding of a file that declares nothing, from the frequency of its letters.
//!
//! The statistics are those of [chardetng](https://github.com/hsivonen/chardetng), which guesses for Firefox. A guess
//! can be wrong, and nobody sees this in the output, so it is made only on request, and every output names it as a
//! guess.

use std::io::{self, ErrorKind, Read};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use textcodec::Encoding;

use crate::{
    buffers,
    charset::{Charset, Decoder},
    extra::Status,
};

/// What the user knows about files whose encoding is guessed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Hints {
    /// Top-level domains, for which chardetng knows the usual encodings. The first is tried first.
    pub(crate) domains: Vec<String>,
    /// The encodings to choose from; empty for all that chardetng knows.
    pub(crate) among: Vec<Charset>,
}

/// A guess.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Guess {
    pub(crate) charset: Charset,
    /// A clause that says how the guess was made.
    pub(crate) reason: String,
}

/// Guesses from bytes that come piece by piece.
pub(crate) struct Guesser<'a> {
    hints: &'a Hints,
    detector: EncodingDetector,
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
    pub(crate) fn new(hints: &'a Hints) -> Self {
        let candidate = |&charset: &Charset| Candidate { charset, decoder: charset.new_decoder(false), controls: 0 };
        Guesser {
            hints,
            detector: EncodingDetector::new(Iso2022JpDetection::Allow),
            candidates: hints.among.iter().map(candidate).collect(),
            text: buffers::Text::new(),
        }
    }

    /// Reads `piece`, the next bytes. `last` says that they are the last.
    pub(crate) fn feed(&mut self, piece: &[u8], last: bool) {
        self.detector.feed(piece, last);
        let text = &mut self.text;
        self.candidates.retain_mut(|candidate| candidate.feed(piece, last, text));
    }

    /// The guess after the last piece. `None` if the bytes have an error in each of the encodings to choose from.
    pub(crate) fn guess(&self) -> Option<Guess> {
        let domains: Vec<Option<&str>> = match &*self.hints.domains {
            [] => vec![None],
            domains => domains.iter().map(|domain| Some(&**domain)).collect(),
        };
        let statistics = |domain: Option<&str>| {
            let charset = self.statistics(domain)?;
            let of = domain.map(|domain| format!(" for .{domain}")).unwrap_or_default();
            Some(Guess { charset, reason: format!("from the frequency of letters{of}") })
        };
        if self.hints.among.is_empty() {
            return domains.into_iter().find_map(statistics);
        }
        let candidates = &self.candidates;
        let has_none = "as the only one in which the file has no error".to_owned();
        match &**candidates {
            [] => return None,
            [only] if self.hints.among.len() > 1 => {
                return Some(Guess { charset: only.charset, reason: has_none });
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
        let reason = "as the first in which the file has no error and the fewest control characters".to_owned();
        Some(Guess { charset: best.charset, reason })
    }

    fn statistics(&self, domain: Option<&str>) -> Option<Charset> {
        let name = self.detector.guess(domain.map(str::as_bytes), Utf8Detection::Allow).name();
        Encoding::for_label(name).ok().map(Charset::Standard)
    }
}

/// Domains for which chardetng prefers different encodings.
const OTHER_DOMAINS: [&str; 18] =
    ["com", "fr", "jp", "cn", "tw", "hk", "kr", "ru", "ua", "pl", "cz", "gr", "tr", "il", "sa", "th", "vn", "lt"];

impl Candidate {
    /// Whether `piece` continues without an error.
    fn feed(&mut self, piece: &[u8], last: bool, text: &mut String) -> bool {
        let mut read = 0;
        loop {
            let decoded = self.decoder.decode(&piece[read..], text, last);
            read += decoded.read;
            let is_control =
                |character: &char| matches!(character, '\0'..='\u{8}' | '\u{E}'..='\u{1F}' | '\u{7F}'..='\u{9F}');
            self.controls += text.chars().filter(is_control).count() as u64;
            text.clear();
            match decoded.status {
                Status::InputEmpty => return true,
                Status::OutputFull => {}
                Status::Malformed { .. } | Status::Damaged(_) => return false,
            }
        }
    }
}

/// Reads all of `input` and guesses.
pub(crate) fn guess_all(mut input: impl Read, hints: &Hints) -> io::Result<Option<Guess>> {
    let mut guesser = Guesser::new(hints);
    let mut piece = buffers::Bytes::new();
    loop {
        let length = match input.read(&mut piece) {
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        guesser.feed(&piece[..length], length == 0);
        if length == 0 {
            return Ok(guesser.guess());
        }
    }
}

/// The greatest length of a [label of a domain](https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4) in bytes.
const LONGEST_DOMAIN: usize = 63;

/// Parses a top-level domain, with or without its dot.
pub(crate) fn domain(text: &str) -> Result<String, String> {
    let domain = text.strip_prefix('.').unwrap_or(text).to_ascii_lowercase();
    let is_length = (1..=LONGEST_DOMAIN).contains(&domain.len());
    if !is_length || !domain.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
        return Err("a top-level domain has ASCII letters only, for example jp".to_owned());
    }
    Ok(domain)
}

/// Parses a language tag, and returns the domain of a country where the language is written.
pub(crate) fn language(text: &str) -> Result<String, String> {
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
        _ => return Err("no domain is known for this language; name a top-level domain with --tld".to_owned()),
    };
    Ok(domain.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use textcodec::{BIG5, EUC_JP, KOI8_U, SHIFT_JIS, UTF_8, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252};

    fn guess(bytes: &[u8], hints: &Hints) -> Option<Charset> {
        guess_all(bytes, hints).unwrap().map(|guess| guess.charset)
    }

    #[test]
    fn guesses_from_the_frequency_of_letters() {
        let hints = Hints::default();
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
            assert_eq!(guess(&bytes, &hints), Some(Charset::Standard(encoding)), "{text}");
        }
    }

    #[test]
    fn only_the_given_encodings_are_guessed() {
        let among = |labels: &[&str]| Hints {
            among: labels.iter().map(|label| crate::label::source(label).unwrap()).collect(),
            domains: Vec::new(),
        };
        let french = WINDOWS_1252.encode("Le café est fermé à midi.").bytes;
        assert_eq!(guess(&french, &among(&["utf-8", "windows-1250"])), Some(Charset::Standard(WINDOWS_1250)));
        assert_eq!(guess(&french, &among(&["utf-8", "exact-us-ascii"])), None);
        let dos = guess(b"caf\x82", &among(&["utf-8", "cp850"])).unwrap();
        assert_eq!(dos.name(), "cp850");
        let russian = WINDOWS_1251.encode("Съешь же ещё этих мягких французских булок").bytes;
        let both = among(&["koi8-r", "windows-1251"]);
        assert_eq!(guess(&russian, &both), Some(Charset::Standard(WINDOWS_1251)));
    }

    #[test]
    fn languages_lead_to_domains() {
        for (tag, expected) in [("ja", "jp"), ("zh-TW", "tw"), ("zh_Hans", "cn"), ("zh-HK", "hk"), ("de-AT", "de")] {
            assert_eq!(language(tag).as_deref(), Ok(expected));
        }
        assert!(language("tlh").is_err());
        assert_eq!(domain(".JP").as_deref(), Ok("jp"));
        assert!(domain("ö").is_err() && domain("").is_err());
    }
}
