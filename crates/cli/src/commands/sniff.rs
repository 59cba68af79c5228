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
    guess,
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
const DAMAGED: &str = "damaged";

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
    if let Some(hints) = arguments.guess.hints().filter(|_| outcome.rung == Rung::Default.as_str()) {
        outcome = match guess::guess(&bytes, &hints) {
            Some(guess) => Outcome {
                encoding: Some(guess.charset),
                confidence: Confidence::Tentative,
                rung: "guess",
                reason: format!("a guess, {}", guess.reason),
                malformed_at: first_malformed(guess.charset, &bytes),
            },
            None => Outcome {
                encoding: None,
                reason: "nothing in the file tells its encoding, and it has errors in all encodings of --among"
                    .to_owned(),
                malformed_at: None,
                ..outcome
            },
        };
    }
    Ok(if arguments.json { outcome.to_json(input, kind) } else { format!("{}: {outcome}", input.name) })
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
}

impl Outcome {
    fn of(kind: Kind, sniffed: Sniffed, bytes: &[u8]) -> Self {
        let Sniffed { mut encoding, confidence, rung, .. } = sniffed;
        let (mut name, mut reason) = (rung.as_str(), reason(sniffed, bytes));
        if rung == Rung::Default && matches!(kind, Kind::Html | Kind::Text) {
            // The default of browsers is windows-1252. As in `convert --from auto`, a late declaration is believed, and
            // ASCII is UTF-8.
            if let Some(declared) = detection::late_declaration(kind, bytes) {
                (encoding, name) = (declared, Rung::Meta.as_str());
                reason = format!("{}, after the first 1024 bytes", Rung::Meta);
            } else if detection::is_plain_ascii(bytes) {
                (encoding, name) = (Name::Utf8, ASCII);
                reason = all_ascii(bytes).to_owned();
            }
        }
        let charset = Charset::from(Encoding::for_name(encoding).expect("all encodings are linked"));
        let malformed_at = first_malformed(charset, bytes);
        let is_unknown = malformed_at.is_some() && rung == Rung::Default;
        if is_unknown {
            reason = format!("nothing in the file tells its encoding, and it is not {encoding}");
        }
        Outcome { encoding: (!is_unknown).then_some(charset), confidence, rung: name, reason, malformed_at }
    }

    fn damaged(damaged: &Damaged) -> Self {
        let is_utf_8 = damaged.damage == Damage::Utf8;
        Outcome {
            encoding: is_utf_8.then_some(Charset::UTF_8),
            confidence: Confidence::Tentative,
            rung: DAMAGED,
            reason: damaged.to_string(),
            malformed_at: is_utf_8.then_some(damaged.offset),
        }
    }

    /// The object for one file.
    fn to_json(&self, input: &Input, kind: Kind) -> String {
        let or_null = |value: Option<String>| value.unwrap_or_else(|| "null".to_owned());
        let encoding = self.encoding.map(|encoding| format!("\"{encoding}\""));
        let confidence = self.encoding.map(|_| format!("\"{}\"", self.confidence));
        format!(
            r#"{{{},"kind":"{}","encoding":{},"confidence":{},"rung":"{}","reason":{},"malformed_at":{}}}"#,
            json::file(input.path()),
            kind.name(),
            or_null(encoding),
            or_null(confidence),
            self.rung,
            json_string(&self.reason),
            or_null(self.malformed_at.map(|offset| offset.to_string())),
        )
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.encoding {
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
