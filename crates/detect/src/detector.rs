//! The detector: which part looks at which bytes, and what follows from their findings.

use alloc::{vec, vec::Vec};

use textcodec_core::Name;
use textcodec_sniff::structure::{Damage, Examination, Findings};

use crate::{
    BinaryKind, Candidate, Detection, Options, Verdict, calibration,
    neighbourhoods::Neighbourhoods,
    score::{self, NAT, Scored, Scores, Text},
    structure::{self, Escapes, Shifts},
};

/// The number of bytes at the start that are kept. They show binary formats, control characters, UTF-16 and UTF-32.
const HEAD: usize = 4096;
/// The number of the last bytes that are kept while the text is well-formed UTF-8. If it stops to be, they are scored.
const HISTORY: usize = 512;
/// The prices of a malformed and of a well-formed sequence of UTF-8, in nats.
const MALFORMED: i64 = 14;
const SEQUENCE: i64 = 8;
/// The price of a part of a character of UTF-8 at the start or the end, in nats.
const CUT: i64 = 12;
/// A character of UTF-8 can be cut after this number of bytes.
const LONGEST_PREFIX: usize = 3;

/// Finds out the encoding of a text.
#[must_use]
pub fn detect(bytes: &[u8]) -> Detection {
    detect_with(bytes, &Options::new())
}

/// Finds out the encoding of a text with the help of what the caller knows.
#[must_use]
pub fn detect_with(bytes: &[u8], options: &Options) -> Detection {
    let mut detector = Detector::with_options(options.clone());
    detector.feed(bytes);
    detector.finish()
}

/// Finds out the encoding of a text that comes in pieces. The answer is the same wherever the pieces are cut.
///
/// It takes constant memory, at most about 250 KB, and time in proportion to the length of the text.
///
/// ```
/// use textcodec_detect::{Detector, Name};
///
/// let mut detector = Detector::new();
/// detector.feed(b"Gr\xFC\xDFe aus ");
/// detector.feed(b"M\xFCnchen");
/// assert_eq!(detector.best_so_far().encoding(), Some(Name::Windows1252));
/// assert_eq!(detector.finish().encoding(), Some(Name::Windows1252));
/// ```
#[derive(Clone, Debug)]
pub struct Detector {
    options: Options,
    length: u64,
    head: Vec<u8>,
    is_ascii: bool,
    escapes: Escapes,
    /// The number of bytes at the start that can be the end of a character of UTF-8.
    continuation: u64,
    /// Looks at the bytes after these.
    examination: Examination,
    history: Vec<u8>,
    neighbourhoods: Option<Neighbourhoods>,
}

impl Detector {
    /// Before the first byte of a text about which nothing is known.
    #[must_use]
    pub fn new() -> Self {
        Self::with_options(Options::new())
    }

    /// Before the first byte of a text about which the caller knows something.
    #[must_use]
    pub fn with_options(options: Options) -> Self {
        Detector {
            options,
            length: 0,
            head: Vec::new(),
            is_ascii: true,
            escapes: Escapes::new(),
            continuation: 0,
            examination: Examination::new(),
            history: Vec::new(),
            neighbourhoods: None,
        }
    }

    /// Looks at the next bytes of the text.
    pub fn feed(&mut self, bytes: &[u8]) {
        let kept = bytes.len().min(HEAD - self.head.len());
        self.head.extend_from_slice(&bytes[..kept]);
        if self.is_ascii {
            self.is_ascii = bytes.is_ascii();
            if self.is_ascii {
                self.escapes.feed(bytes);
            }
        }
        let mut rest = bytes;
        while let (true, [0x80..=0xBF, after @ ..]) =
            (self.continuation == self.length + (bytes.len() - rest.len()) as u64, rest)
        {
            if self.continuation == LONGEST_PREFIX as u64 {
                break;
            }
            self.continuation += 1;
            rest = after;
        }
        self.examination.feed(rest);
        self.score(bytes);
        self.length += bytes.len() as u64;
    }

    /// Scores the next bytes, if the bytes so far are not well-formed UTF-8, or if UTF-8 does not compete.
    fn score(&mut self, bytes: &[u8]) {
        if let Some(neighbourhoods) = &mut self.neighbourhoods {
            return neighbourhoods.feed(bytes);
        }
        let first_malformed = match self.examination.findings(false).first_malformed {
            _ if self.continuation > 0 || !self.options.allows(Name::Utf8) => Some(0),
            offset => offset,
        };
        if let Some(offset) = first_malformed {
            let start = offset.saturating_sub(HISTORY as u64);
            let mut neighbourhoods = Neighbourhoods::new(start, &self.options);
            let before = self.length - start.min(self.length);
            let kept = self.history.len() - before as usize;
            neighbourhoods.feed(&self.history[kept..]);
            neighbourhoods.feed(&bytes[start.saturating_sub(self.length) as usize..]);
            self.history = Vec::new();
            self.neighbourhoods = Some(neighbourhoods);
            return;
        }
        // The prefix of a character may be found malformed with the next piece.
        const KEPT: usize = HISTORY + LONGEST_PREFIX;
        let new = &bytes[bytes.len() - bytes.len().min(KEPT)..];
        let old = self.history.len().min(KEPT - new.len());
        self.history.drain(..self.history.len() - old);
        self.history.extend_from_slice(new);
    }

    /// The answer for the bytes so far: that of [`Options::ends_mid_stream`], because more can come.
    #[must_use]
    pub fn best_so_far(&self) -> Detection {
        self.clone().conclude(false)
    }

    /// The answer for the whole text.
    #[must_use]
    pub fn finish(self) -> Detection {
        self.conclude(true)
    }

    fn conclude(mut self, last: bool) -> Detection {
        let mut findings = self.examination.findings(false);
        if last && !self.options.ends_mid_stream {
            // The last part of a mixture shows at its end.
            let mixture = self.examination.findings(true).damage;
            findings.damage = mixture.filter(|damage| matches!(damage, Damage::Mixed { .. })).or(findings.damage);
        }
        if let Some(detection) = self.structure(&findings) {
            return detection;
        }
        let mut scores = self.scores(last, &findings);
        self.ranked(&mut scores, &findings)
    }

    /// The prices of the texts that the bytes can be, the lowest first.
    fn scores(&mut self, last: bool, findings: &Findings) -> Scores {
        let mut neighbourhoods = self.neighbourhoods.take().unwrap_or_else(|| {
            // Only the last character is no UTF-8, or nothing but ASCII competes with itself.
            let kept = self.history.len().saturating_sub(HISTORY);
            let position = self.length - (self.history.len() - kept) as u64;
            let mut neighbourhoods = Neighbourhoods::new(position, &self.options);
            neighbourhoods.feed(&self.history[kept..]);
            neighbourhoods
        });
        let ends_mid_stream = self.options.ends_mid_stream || !last;
        neighbourhoods.end(ends_mid_stream);
        let mut scores = score::score(&neighbourhoods, &self.options, ends_mid_stream);
        self.add_unicode(&mut scores, &neighbourhoods, findings, ends_mid_stream);
        scores.sort();
        if self.options.among.is_none() {
            scores.forget_hopeless();
        }
        scores
    }

    /// The answer if it follows from the structure of the bytes alone.
    #[inline(never)]
    fn structure(&self, findings: &Findings) -> Option<Detection> {
        let options = &self.options;
        if self.length == 0 {
            return Some(Detection::structural(Verdict::Empty, Vec::new()));
        }
        let by_mark = match self.head[..] {
            [0xEF, 0xBB, 0xBF, ..] if findings.malformed == 0 => {
                self.found(Verdict::Utf8 { has_bom: true }, &[Name::Utf8])
            }
            [0xFF, 0xFE, 0, 0, ..] if self.length % 4 == 0 => self.other(Verdict::Utf32 { has_bom: true }, "UTF-32LE"),
            [0, 0, 0xFE, 0xFF, ..] => self.other(Verdict::Utf32 { has_bom: true }, "UTF-32BE"),
            [0xFF, 0xFE, ..] if self.damage_after_mark(findings).is_none() => {
                self.found(Verdict::Utf16 { has_bom: true }, &[Name::Utf16Le])
            }
            [0xFE, 0xFF, ..] if self.damage_after_mark(findings).is_none() => {
                self.found(Verdict::Utf16 { has_bom: true }, &[Name::Utf16Be])
            }
            _ => None,
        };
        if by_mark.is_some() {
            return by_mark;
        }
        #[cfg(feature = "charsets")]
        if options.among.is_none() && options.has_tier(crate::Tier::Ebcdic) {
            let found = crate::ebcdic::detect(&self.head, options);
            if found.is_some() {
                return found;
            }
        }
        if options.among.is_none() {
            let kind = structure::kind(&self.head).or_else(|| {
                let is_other = findings.is_binary && structure::utf_32(&self.head).is_none();
                is_other.then_some(BinaryKind::Other)
            });
            if let Some(kind) = kind {
                return Some(Detection::structural(Verdict::Binary(kind), Vec::new()));
            }
            if findings.is_binary {
                let is_big_endian = structure::utf_32(&self.head) == Some(true);
                let name = if is_big_endian { "UTF-32BE" } else { "UTF-32LE" };
                return self.other(Verdict::Utf32 { has_bom: false }, name);
            }
        }
        if let (true, Some(shifts)) = (self.is_ascii, self.escapes.shifts()) {
            let by_shifts = match shifts {
                Shifts::Japanese => self.found(Verdict::Iso2022, &[Name::Iso2022Jp]),
                Shifts::Korean => self.other(Verdict::Iso2022, "ISO-2022-KR"),
                Shifts::Chinese => self.other(Verdict::Iso2022, "ISO-2022-CN"),
                Shifts::Hz => self.other(Verdict::Hz, "HZ"),
                Shifts::Utf7 => self.other(Verdict::Utf7, "UTF-7"),
            };
            if by_shifts.is_some() {
                return by_shifts;
            }
        }
        if let Some(Damage::Mixed { offset, .. }) = findings.damage {
            return Some(Detection::structural(Verdict::Mixed { offset: offset + self.continuation }, Vec::new()));
        }
        let has_zeros = self.head.contains(&0);
        if self.is_ascii && !has_zeros && !structure::has_control_characters(&self.head) {
            let first = self.found(Verdict::Ascii, &[Name::Utf8, Name::Windows1252]);
            return first.or_else(|| self.found(Verdict::Ascii, &Name::ALL));
        }
        let is_enough = findings.sequences > 0;
        if is_enough && findings.malformed == 0 && !has_zeros {
            return self.found(Verdict::Utf8 { has_bom: false }, &[Name::Utf8]);
        }
        if findings.damage == Some(Damage::Utf8) && is_enough && !has_zeros {
            let first = findings.first_malformed.unwrap_or(0) + self.continuation;
            return self.found(Verdict::DamagedUtf8 { malformed: findings.malformed, first }, &[Name::Utf8]);
        }
        None
    }

    /// A verdict with those of these encodings that compete; `None` if there is none.
    #[inline(never)]
    fn found(&self, verdict: Verdict, names: &[Name]) -> Option<Detection> {
        let mut candidates = Vec::new();
        for &name in names.iter().filter(|&&name| self.options.allows(name)) {
            candidates.push(certain(name.as_str(), Some(name), 0.999));
        }
        (!candidates.is_empty()).then_some(Detection::structural(verdict, candidates))
    }

    /// A verdict with an encoding that is not in the Standard; `None` if such encodings do not compete.
    #[inline(never)]
    fn other(&self, verdict: Verdict, name: &'static str) -> Option<Detection> {
        let is_allowed = self.options.allows_others();
        is_allowed.then(|| Detection::structural(verdict, vec![certain(name, None, 0.99)]))
    }

    /// A part of the text that is not UTF-16, though the text begins with its byte order mark.
    fn damage_after_mark(&self, findings: &Findings) -> Option<Damage> {
        findings.damage.filter(|damage| matches!(damage, Damage::Mixed { .. }))
    }

    /// Lets UTF-16 compete, and UTF-8 with its errors where it was asked for.
    #[inline(never)]
    fn add_unicode(
        &self,
        scores: &mut Scores,
        neighbourhoods: &Neighbourhoods,
        findings: &Findings,
        ends_mid_stream: bool,
    ) {
        let options = &self.options;
        // Without a sequence, UTF-8 has nothing but a part of a character at the start or at the end. If UTF-8 has
        // more malformed sequences than the examination calls damage, it competes, as far as all bytes were scored.
        let is_cut = findings.malformed == 0 && findings.sequences == 0;
        let has_damage = findings.sequences > 0 && !neighbourhoods.is_full;
        if (is_cut || has_damage || options.among.is_some()) && options.allows(Name::Utf8) {
            let cut = if options.starts_mid_stream || ends_mid_stream { 3 } else { CUT };
            let cut = if is_cut { cut } else { 0 };
            let price = (MALFORMED * findings.malformed as i64 + SEQUENCE * findings.sequences as i64 + cut) * NAT;
            // What the pairs of ASCII say for a language, they say for its texts in UTF-8, too.
            let price = if has_damage { price - scores.plain } else { price };
            scores.texts.push(Text::of(Scored { name: "UTF-8", encoding: Some(Name::Utf8), language: None, price }));
        }
        let zeros = self.head.iter().filter(|&&byte| byte == 0).count() as i64;
        let units = self.head.len() as u32 / 2;
        let is_possible = units > 0 && (zeros > 0 || !structure::has_words(&self.head));
        for (is_big_endian, name) in [(false, Name::Utf16Le), (true, Name::Utf16Be)] {
            if !options.allows(name) || !(is_possible || options.among.is_some()) {
                continue;
            }
            let most_bad = if options.among.is_some() { u32::MAX } else { units / 64 };
            let wide = structure::utf_16(&self.head, is_big_endian, most_bad);
            if wide.bad > most_bad {
                continue;
            }
            let pairs_of_ascii = self.head.windows(2).filter(|pair| pair[0].is_ascii() && pair[1].is_ascii()).count();
            // The other encodings get pairs of ASCII for nothing. A zero byte is in none of them.
            let mut price = wide.price + 2 * NAT - 3 * NAT * pairs_of_ascii as i64 - 14 * NAT * zeros;
            if self.length > HEAD as u64 {
                // The price of another encoding grows with the bytes that were scored. Cyrillic text in UTF-16 has no
                // byte beyond ASCII, so that none are.
                price = price * neighbourhoods.scored.max(HEAD) as i64 / HEAD as i64;
            }
            scores.texts.push(Text::of(Scored { name: name.as_str(), encoding: Some(name), language: None, price }));
        }
    }

    #[inline(never)]
    fn ranked(&self, scores: &mut Scores, findings: &Findings) -> Detection {
        if scores.texts.is_empty() {
            return Detection::structural(Verdict::Unknown, Vec::new());
        }
        let mut evidence = Some(scores.evidence());
        let knows_language = scores.knows_language();
        let best = &scores.texts[0];
        let is_utf_16 = matches!(best.members[0].encoding, Some(Name::Utf16Be | Name::Utf16Le));
        let is_unlikely = best.price() > 16 * NAT * i64::from(scores.high) + 8 * NAT;
        if !is_utf_16 && self.options.among.is_none() {
            if structure::has_control_characters(&self.head) {
                return Detection::structural(Verdict::Binary(BinaryKind::Other), Vec::new());
            }
            if is_unlikely {
                return Detection::structural(Verdict::Unknown, Vec::new());
            }
        }
        let verdict = match best.members[0].encoding {
            Some(Name::Utf8) => match findings.first_malformed {
                Some(first) => Verdict::DamagedUtf8 { malformed: findings.malformed, first: first + self.continuation },
                None => Verdict::Utf8 { has_bom: false },
            },
            _ if is_utf_16 => Verdict::Utf16 { has_bom: false },
            _ => Verdict::Legacy,
        };
        let nats = |price: i64| price as f32 / NAT as f32;
        let margin = scores.texts.get(1).map(|text| nats(text.price() - best.price()));
        let most = if knows_language || self.options.among.is_some() { 1.0 } else { calibration::UNKNOWN_LANGUAGE };
        let first = calibration::probability(margin).min(most);
        // The other texts share the rest in proportion to their probabilities.
        let weight = |text: &Text| calibration::exp(-nats(text.price() - best.price()).min(80.0));
        let rest: f32 = scores.texts[1..].iter().map(weight).sum();
        let mut candidates = Vec::new();
        for (group, text) in scores.texts.iter().enumerate() {
            let probability = if group == 0 { first } else { (1.0 - first) * weight(text) / rest };
            for member in &text.members {
                candidates.push(Candidate {
                    name: member.name,
                    encoding: member.encoding,
                    language: member.language,
                    probability,
                    group,
                    evidence: evidence.take().unwrap_or_default(),
                });
            }
        }
        Detection { verdict, candidates, margin, knows_language }
    }
}

impl Default for Detector {
    fn default() -> Self {
        Self::new()
    }
}

/// A candidate that follows from the structure.
fn certain(name: &'static str, encoding: Option<Name>, probability: f32) -> Candidate {
    Candidate { name, encoding, language: None, probability, group: 0, evidence: Vec::new() }
}

#[cfg(test)]
mod prices;
