//! `textcodec sniff`: the encoding of each file, and the reason.

use std::{
    fmt,
    io::{self, Read},
    ops::ControlFlow,
};

use anyhow::Context as _;
use textcodec::{
    Encoding, Name,
    sniff::{Confidence, Hints, Rung, Sniffed, structure},
};
use textcodec_convert::{
    Charset, Kind,
    charset::Status,
    damage::{self, Damage, Damaged, Examination},
    detection,
    files::{Input, reading},
    guess::{Candidate, Guesser, NoGuess, Probability, language_name},
    visible::json_string,
};

use crate::{
    arguments::Sniff,
    explanation, input, json,
    message::{Failures, excerpt, say},
    standard_streams::StandardOutput,
};

/// The number of bytes at the start of a file that are looked at.
const LENGTH: u64 = 1 << 20;

/// The names of the reasons in JSON that are no rungs of the ladder.
const ASCII: &str = "ascii";
const DECLARATION: &str = "declaration";
const DAMAGED: &str = "damaged";
const GUESS: &str = "guess";

/// Prints a line for each file. Files that cannot be read are reported at their places.
pub(crate) fn run(arguments: &Sniff, failures: &mut Failures) -> anyhow::Result<()> {
    let label = arguments.http_charset.as_deref();
    if let Some(label) = label.filter(|label| Encoding::for_label(label).is_err()) {
        let label = excerpt(label);
        say(&format!("no encoding has the label \"{label}\" of --http-charset, so it counts as none"));
    }
    let context = "cannot write to standard output";
    let mut output = StandardOutput::open().context(context)?;
    for input in input::check_all(&arguments.files) {
        let line = input.map_err(explanation::file_error).and_then(|input| sniff(arguments, &input));
        if let Some(line) = failures.check(line) {
            output.print(&(line + "\n")).context(context)?;
        }
    }
    Ok(())
}

/// The line for one file.
fn sniff(arguments: &Sniff, input: &Input) -> anyhow::Result<String> {
    let cannot_read = || format!("cannot read {}", input.name);
    let mut bytes = Vec::new();
    let mut rest = input.open().with_context(cannot_read)?;
    (&mut rest).take(LENGTH).read_to_end(&mut bytes).with_context(cannot_read)?;
    let kind = arguments.kind.map(Kind::from).or_else(|| input.path().and_then(Kind::for_path));
    let kind = kind.unwrap_or_else(|| Kind::of_content(&bytes));
    let transport = arguments.http_charset.as_deref().map(Into::into);
    let hints = Hints { transport, heuristic: Some(&structure::guess), ..Hints::default() };
    let sniffed = kind.context().sniff(&bytes, hints).expect("these contexts have an encoding");
    let mut outcome = Outcome::of(kind, sniffed, &bytes);
    let is_doubtful = [Rung::Default, Rung::Heuristic].iter().any(|rung| rung.as_str() == outcome.rung)
        || outcome.rung == ASCII
        || outcome.rung == Rung::Bom.as_str() && damage::has_mark_of_utf_16(&bytes);
    if is_doubtful && let Some(damaged) = find_damage(input, &bytes, rest).with_context(cannot_read)? {
        outcome = Outcome::damaged(&damaged);
    }
    let hints = arguments.hints();
    if let Some(hints) = hints.as_ref().filter(|_| outcome.rung == Rung::Default.as_str()) {
        let mut guesser = Guesser::new(hints);
        guesser.feed(&bytes, (bytes.len() as u64) < LENGTH);
        outcome = match guesser.guess() {
            Ok(guess) => Outcome {
                encoding: Some(guess.charset),
                confidence: Confidence::Tentative,
                rung: GUESS,
                reason: guess.reason.to_string(),
                malformed_at: first_malformed(guess.charset, &bytes),
                probability: guess.reason.probability(),
                candidates: guess.candidates,
                is_binary: false,
            },
            Err(reason) => Outcome {
                encoding: None,
                reason: format!("nothing in the file tells its encoding, and {reason}"),
                malformed_at: None,
                is_binary: reason == NoGuess::Binary,
                ..outcome
            },
        };
    }
    Ok(match arguments.json {
        true => outcome.to_json(input, kind, hints.is_some()),
        false if arguments.candidates => format!("{}: {outcome}{}", input.name, candidate_lines(&outcome.candidates)),
        false => format!("{}: {outcome}", input.name),
    })
}

/// A line for each different text that a file can be, each after a line feed.
fn candidate_lines(candidates: &[Candidate]) -> String {
    let mut lines = String::new();
    for texts in candidates.chunk_by(|before, after| before.group == after.group) {
        let [Candidate { charset, language, probability, .. }, others @ ..] = texts else { continue };
        let language = language.map(|code| format!("{}, ", language_name(code))).unwrap_or_default();
        lines += &format!("\n  {charset}: {language}{}", Probability(*probability));
        if !others.is_empty() {
            let names: Vec<_> = others.iter().map(|other| other.charset.name()).collect();
            lines += &format!("; the same text in {}", names.join(", "));
        }
    }
    lines
}

/// The damage of a file. A regular file is read to its end; of a pipe, only `start` is known.
fn find_damage(input: &Input, start: &[u8], rest: impl Read) -> io::Result<Option<Damaged>> {
    let is_whole = (start.len() as u64) < LENGTH;
    if is_whole || input.is_file {
        let findings = reading::examine(start.chain(rest))?;
        // The first malformed sequence of a pipe is in `start`.
        return if input.is_file {
            reading::damage(&findings, || input.open())
        } else {
            Ok(Damaged::in_start(&findings, start))
        };
    }
    let mut examination = Examination::new();
    examination.feed(start);
    Ok(Damaged::in_start(&examination.findings(false), start))
}

/// The answer for one file.
struct Outcome {
    /// `None` if nothing tells the encoding, and the bytes are malformed in the default encoding.
    encoding: Option<Charset>,
    confidence: Confidence,
    /// The name of the rung of the ladder in JSON.
    rung: &'static str,
    reason: String,
    /// The offset of the first byte that is malformed in the encoding.
    malformed_at: Option<u64>,
    /// The probability of a guess, if it is known.
    probability: Option<f32>,
    /// The encodings that a guess was made from.
    candidates: Vec<Candidate>,
    /// Whether a guess was impossible, because the file is no text.
    is_binary: bool,
}

impl Outcome {
    fn of(kind: Kind, sniffed: Sniffed, bytes: &[u8]) -> Self {
        let Sniffed { mut encoding, confidence, rung, .. } = sniffed;
        let (mut name, mut reason) = (rung.as_str(), reason(sniffed, bytes));
        if rung == Rung::Default && matches!(kind, Kind::Html | Kind::Text | Kind::Properties) {
            // The default of browsers is windows-1252. As in `convert --from auto`, a late declaration is believed, and
            // ASCII is UTF-8.
            if let Some(declared) = detection::late_declaration(kind, bytes) {
                (encoding, name) = (declared, if kind == Kind::Html { Rung::Meta.as_str() } else { DECLARATION });
                reason = match kind {
                    Kind::Html => format!("{}, after the first 1024 bytes", Rung::Meta),
                    _ => "a declaration in the text names it".to_owned(),
                };
            } else if detection::is_plain_ascii(bytes) {
                (encoding, name) = (Name::Utf8, ASCII);
                reason = all_ascii(bytes).to_owned();
            }
        }
        let mut charset = Charset::from(Encoding::for_name(encoding).expect("all encodings are linked"));
        let is_declared = name != Rung::Default.as_str() && name != ASCII;
        match (!is_declared).then(|| detection::beyond_the_standard(kind, bytes)).flatten() {
            Some(Ok(beyond)) => {
                (charset, name, reason) = (beyond, DECLARATION, "a declaration that browsers do not read".to_owned());
            }
            Some(Err(distrusted)) => {
                return Outcome::without_guess(None, confidence, DECLARATION, distrusted.to_string(), None);
            }
            None => {}
        }
        let malformed_at = first_malformed(charset, bytes);
        let is_unknown = malformed_at.is_some() && name == Rung::Default.as_str();
        if is_unknown {
            reason = format!("nothing in the file tells its encoding, and it is not {encoding}");
        }
        let encoding = (!is_unknown).then_some(charset);
        Outcome::without_guess(encoding, confidence, name, reason, malformed_at)
    }

    const fn without_guess(
        encoding: Option<Charset>,
        confidence: Confidence,
        rung: &'static str,
        reason: String,
        malformed_at: Option<u64>,
    ) -> Self {
        let candidates = Vec::new();
        Outcome { encoding, confidence, rung, reason, malformed_at, probability: None, candidates, is_binary: false }
    }

    fn damaged(damaged: &Damaged) -> Self {
        let is_utf_8 = damaged.damage == Damage::Utf8;
        let (encoding, malformed_at) = (is_utf_8.then_some(Charset::UTF_8), is_utf_8.then_some(damaged.offset));
        Outcome::without_guess(encoding, Confidence::Tentative, DAMAGED, damaged.to_string(), malformed_at)
    }

    /// The object for one file, with the members about a guess if one was wanted.
    fn to_json(&self, input: &Input, kind: Kind, has_guess: bool) -> String {
        let or_null = |value: Option<String>| value.unwrap_or_else(|| "null".to_owned());
        let encoding = self.encoding.map(|encoding| format!("\"{encoding}\""));
        let confidence = self.encoding.map(|_| format!("\"{}\"", self.confidence));
        format!(
            r#"{{{},"kind":"{}","encoding":{},"confidence":{},"rung":"{}","reason":{},"malformed_at":{}{}}}"#,
            json::file(input.path()),
            if self.is_binary { "binary" } else { kind.name() },
            or_null(encoding),
            or_null(confidence),
            self.rung,
            json_string(&self.reason),
            or_null(self.malformed_at.map(|offset| offset.to_string())),
            if has_guess { self.guess_members() } else { String::new() },
        )
    }

    /// The members about a guess, after a comma.
    fn guess_members(&self) -> String {
        let number = |probability: Option<f32>| probability.map_or("null".to_owned(), |number| format!("{number:.4}"));
        let candidate = |candidate: &Candidate| {
            let language = candidate.language.map_or("null".to_owned(), json_string);
            format!(
                r#"{{"encoding":"{}","language":{language},"probability":{},"group":{}}}"#,
                candidate.charset,
                number(candidate.probability),
                candidate.group,
            )
        };
        let candidates: Vec<_> = self.candidates.iter().map(candidate).collect();
        format!(r#","probability":{},"candidates":[{}]"#, number(self.probability), candidates.join(","))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.encoding {
            Some(encoding) if self.rung == GUESS => write!(f, "{encoding}, guessed: {}", self.reason)?,
            Some(encoding) => write!(f, "{encoding}, {}: {}", self.confidence, self.reason)?,
            None => write!(f, "unknown: {}", self.reason)?,
        }
        match self.malformed_at {
            // The reason names the place.
            Some(_) if self.rung == DAMAGED => Ok(()),
            Some(offset) if self.encoding.is_some() => write!(f, "; but malformed at byte offset {offset}"),
            Some(offset) => write!(f, " (byte offset {offset})"),
            None => Ok(()),
        }
    }
}

/// The reason for the encoding. It says more about the bytes than the library does.
fn reason(sniffed: Sniffed, bytes: &[u8]) -> String {
    match sniffed.rung {
        Rung::Transport => "--http-charset says so".to_owned(),
        Rung::Heuristic => structure::candidates(bytes, false)
            .next()
            .map_or_else(|| sniffed.rung.to_string(), |candidate| candidate.reason.to_string()),
        Rung::Default if bytes.is_ascii() => format!("{}; {}", sniffed.rung, all_ascii(bytes)),
        rung => rung.to_string(),
    }
}

/// The clause that says that `bytes` are ASCII.
fn all_ascii(bytes: &[u8]) -> &'static str {
    match bytes.len() as u64 {
        0 => "the file is empty",
        LENGTH => "the first MiB is ASCII, which is the same in nearly every encoding",
        _ => "all bytes are ASCII, which is the same in nearly every encoding",
    }
}

/// The offset of the first malformed sequence of `bytes`, the start of a file.
fn first_malformed(charset: Charset, bytes: &[u8]) -> Option<u64> {
    let mut decoder = charset.new_decoder(false);
    let last = (bytes.len() as u64) < LENGTH;
    let mut text = String::with_capacity(64 * 1024);
    let flow = decoder.decode_pieces(bytes, &mut text, last, |_, text, decoded| {
        text.clear();
        match decoded.status {
            Status::InputEmpty | Status::OutputFull => ControlFlow::Continue(()),
            Status::Malformed(malformed) => ControlFlow::Break(malformed.offset),
        }
    });
    flow.break_value()
}
