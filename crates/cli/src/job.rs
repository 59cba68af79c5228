//! One job is the conversion of one input with given [`Settings`]. Every command that converts runs jobs: for one
//! output after another, or all for the same output.

use std::io::{self, Read, Write};

use anyhow::{Context, bail};
use textcodec::sniff::structure::{Damage, Examination, Findings};

use crate::{
    charset::{Charset, Decoder},
    converter::{Converter, Failure, Plan},
    damage::{self, Damaged},
    declarations::{self, Contradiction, Declarations, Edit, Start},
    detection,
    guess::{self, Guess, Hints},
    input::Input,
    label::SourceEncoding,
    settings::{BomAction, Settings},
    undecided::{Choice, Undecided},
};

/// The rules of a job that depend on its output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rules {
    pub(crate) declarations: Action,
    /// Whether an input that looks binary is an error.
    pub(crate) refuse_binary: bool,
}

/// The treatment of declarations that contradict the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    Update,
    Ignore,
    Refuse,
    Warn,
}

impl Action {
    /// `is_file` says whether the output is a regular file.
    pub(crate) fn of(declarations: Option<Declarations>, is_file: bool) -> Self {
        match declarations {
            Some(Declarations::Update) => Action::Update,
            Some(Declarations::Keep) => Action::Ignore,
            None if is_file => Action::Refuse,
            None => Action::Warn,
        }
    }
}

/// An input that is converted to its end.
#[derive(Debug)]
pub(crate) struct Done {
    /// The encoding that the input was decoded from.
    pub(crate) from: Charset,
    /// Whether this encoding is that of --fallback, because nothing tells the encoding of the input.
    pub(crate) is_fallback: bool,
    /// Sentences that the user must read.
    pub(crate) notes: Vec<String>,
}

/// The reason why an input is not converted.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// The input cannot be read, or nothing tells its encoding. Text of other inputs can follow in the same output.
    Input(anyhow::Error),
    /// The input does not look like text. Text of other inputs can follow in the same output.
    Binary(anyhow::Error),
    /// The text cannot be converted.
    Text(anyhow::Error),
    /// The output cannot be written. The caller knows its name.
    Output(io::Error),
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Write(error) => Stopped::Output(error),
            Failure::Read { .. } | Failure::Damaged { .. } => Stopped::Input(failure.into()),
            Failure::Binary { .. } => Stopped::Binary(failure.into()),
            Failure::Malformed { .. } | Failure::Unmappable { .. } => Stopped::Text(failure.into()),
        }
    }
}

/// Converts one input to its end, and appends the result to what `converter` has written. `progress` is called with the
/// length of each piece that is read.
pub(crate) fn convert<W: Write>(
    settings: &Settings,
    rules: Rules,
    input: &Input,
    converter: &mut Converter<W>,
    progress: impl FnMut(usize),
) -> Result<Done, Stopped> {
    let prepared = prepare(settings, rules, input).map_err(Stopped::Input)?;
    let Prepared { decoder, edits, bytes, choice, reason, mut examination } = prepared;
    let plan = Plan { name: &input.name, decoder: decoder.clone(), edits, refuse_binary: rules.refuse_binary };
    let mut start = Vec::new();
    let limit = if rules.declarations == Action::Warn { declarations::LENGTH } else { 0 };
    let observed = Observed { bytes, start: &mut start, limit, examination: &mut examination };
    let used = converter.convert(plan, observed, progress).map_err(|failure| explain(settings, input, failure))?;
    if let Some(examination) = examination {
        let damaged = Damaged::new(&examination.findings(true), || Ok(io::empty())).ok().flatten();
        damaged.map_or(Ok(()), |damaged| Err(Stopped::Text(damaged.error(&input.name, false))))?;
    }
    let note = |contradiction: &Contradiction| {
        format!("{} (see --declarations)", contradicts(input, contradiction, settings.to))
    };
    let contradictions = declarations::look_at(&start, input.path(), decoder, settings.to);
    let from = used.charset();
    let mut notes: Vec<_> = contradictions.iter().map(note).collect();
    let choice = choice.or(used.choice());
    if choice == Some(Choice::Guess) {
        let reason = reason.map(|reason| format!(", {reason}")).unwrap_or_default();
        notes.push(format!("{}: the encoding {from} is a guess{reason}", input.name));
    }
    Ok(Done { from, is_fallback: choice == Some(Choice::Fallback), notes })
}

/// The note about an input whose encoding is that of --fallback.
pub(crate) fn describe_fallback(name: &str, from: Charset) -> String {
    format!("{name}: nothing in the file tells its encoding; it is read in {from}, as --fallback says")
}

/// A failure, or the damage that is the reason for it: bytes of zero in a file of which a part is UTF-16, or malformed
/// sequences in a file whose first 64 KiB are UTF-8.
fn explain(settings: &Settings, input: &Input, failure: Failure) -> Stopped {
    let may_be_damaged = match &failure {
        Failure::Malformed { .. } => settings.from == SourceEncoding::Auto,
        Failure::Binary { .. } => true,
        _ => false,
    };
    if may_be_damaged
        && input.is_file
        && let Ok(Some(damaged)) = damage::find(input)
        // A file in UTF-8 with a character U+0000 and a malformed sequence is binary.
        && (damaged.damage != Damage::Utf8 || matches!(failure, Failure::Malformed { .. }))
    {
        return Stopped::Text(damaged.error(&input.name, false));
    }
    failure.into()
}

/// An input whose encoding is known and whose start has no reason to refuse the conversion.
struct Prepared<R> {
    decoder: Decoder,
    /// Edits to the declarations in the text.
    edits: Vec<Edit>,
    /// All bytes of the input.
    bytes: R,
    /// How the encoding was chosen, if nothing in the input tells it.
    choice: Option<Choice>,
    /// A clause that says how the encoding was guessed.
    reason: Option<String>,
    /// For a stream that starts with a byte order mark of UTF-16 and cannot be read twice: its end can be something
    /// else.
    examination: Option<Examination>,
}

/// Reads the start of an input, which decides how the input is converted, before any of its text is written.
fn prepare(settings: &Settings, rules: Rules, input: &Input) -> anyhow::Result<Prepared<impl Read + use<>>> {
    let cannot_read = || format!("cannot read {}", input.name);
    let mut rest = input.open()?;
    let mut start = Vec::new();
    let (mut choice, mut reason, mut examination) = (None, None, None);
    let decoder = match settings.from {
        SourceEncoding::Label(from) => {
            // A byte order mark of UTF-16 decides, unless the user has named an encoding of its kind.
            if !settings.ignore_bom && !from.is_wide() {
                (&mut rest).take(2).read_to_end(&mut start).with_context(cannot_read)?;
                if damage::has_mark_of_utf_16(&start) {
                    match input.is_file {
                        true => refuse_damage(input, &damage::examine_input(input)?, &start)?,
                        false => examination = Some(Examination::new()),
                    }
                }
            }
            from.new_decoder(settings.ignore_bom)
        }
        SourceEncoding::Auto => {
            let found = detection::find_out(input.path(), &mut rest).with_context(cannot_read)?;
            let is_known = found.encoding.is_some() && !found.is_open;
            let has_choice = settings.fallback.is_some() || settings.guess.is_some();
            let mut findings = found.findings();
            if found.is_doubtful(has_choice) {
                if input.is_file && !found.is_whole {
                    findings = damage::examine_input(input)?;
                }
                refuse_damage(input, &findings, &found.start)?;
            }
            start = found.start;
            if damage::has_mark_of_utf_16(&start) && !input.is_file {
                examination = Some(Examination::new());
            }
            match found.encoding {
                Some(encoding) if is_known || !has_choice => encoding.new_decoder().into(),
                // A pipe cannot be read twice.
                Some(_) if !input.is_file => {
                    Decoder::Undecided(Box::new(Undecided::new(settings.fallback, settings.guess.clone())))
                }
                Some(encoding) if findings.malformed == 0 => encoding.new_decoder().into(),
                _ => {
                    let guessed = guess_encoding(settings, rules, input, &start)?;
                    reason = guessed.as_ref().map(|guess| guess.reason.clone());
                    let guessed = guessed.map(|guess| (guess.charset, Choice::Guess));
                    let chosen = guessed.or(settings.fallback.map(|charset| (charset, Choice::Fallback)));
                    choice = chosen.map(|(_, choice)| choice);
                    detected(input, chosen.map(|(charset, _)| charset), &start)?.new_decoder(false)
                }
            }
        }
    };
    let mut edits = Vec::new();
    if matches!(rules.declarations, Action::Update | Action::Refuse) {
        let read = declarations::read_start(start, &mut rest, input.path(), &decoder, settings.to);
        let Start { bytes, contradictions } = read.with_context(cannot_read)?;
        start = bytes;
        let edit = |contradiction| edit(settings, rules, input, contradiction);
        edits = contradictions.iter().map(edit).collect::<anyhow::Result<_>>()?;
    }
    Ok(Prepared { decoder, edits, bytes: io::Cursor::new(start).chain(rest), choice, reason, examination })
}

/// Fails if an input is damaged. `start` is its first bytes, from which the findings come if it is no regular file.
fn refuse_damage(input: &Input, findings: &Findings, start: &[u8]) -> anyhow::Result<()> {
    let damaged = match input.is_file {
        true => Damaged::new(findings, || input.open())?,
        false => Damaged::new(findings, || Ok(start))?,
    };
    damaged.map_or(Ok(()), |damaged| Err(damaged.error(&input.name, false)))
}

/// The bytes of an input up to the first zero byte, at which the conversion will end, if a file that looks binary is an
/// error: the rest can be terabytes without content. In UTF-16 and UTF-32, zero bytes are parts of characters.
fn text_of(rules: Rules, input: &Input, hints: &Hints) -> anyhow::Result<UpToZero<impl Read + use<>>> {
    let is_limited = rules.refuse_binary && !hints.among.iter().any(|charset| charset.is_wide());
    Ok(UpToZero { bytes: input.open()?, is_limited, has_ended: false })
}

/// Bytes that end before a zero byte if they are limited.
struct UpToZero<R> {
    bytes: R,
    is_limited: bool,
    has_ended: bool,
}

impl<R: Read> Read for UpToZero<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.has_ended {
            return Ok(0);
        }
        let length = self.bytes.read(buffer)?;
        // For bytes, `contains` is much faster than `position`.
        if !self.is_limited || !buffer[..length].contains(&0) {
            return Ok(length);
        }
        self.has_ended = true;
        Ok(buffer.iter().position(|&byte| byte == 0).unwrap_or(length))
    }
}

/// A guess at the encoding of an input, if the user wants one: from all bytes of a regular file, and from `start`, the
/// first 64 KiB of anything else.
fn guess_encoding(settings: &Settings, rules: Rules, input: &Input, start: &[u8]) -> anyhow::Result<Option<Guess>> {
    let Some(hints) = &settings.guess else { return Ok(None) };
    let guess = match input.is_file {
        true => guess::guess_all(text_of(rules, input, hints)?, hints),
        false => guess::guess_all(start, hints),
    };
    guess.with_context(|| format!("cannot read {}", input.name))
}

/// The edit that makes a declaration name the output encoding. It is an error if the user did not ask for edits, or if
/// no declaration can name this encoding.
fn edit(settings: &Settings, rules: Rules, input: &Input, contradiction: &Contradiction) -> anyhow::Result<Edit> {
    let contradicts = contradicts(input, contradiction, settings.to);
    match contradiction.edit(settings.to, settings.bom == BomAction::Add || settings.to.needs_bom()) {
        _ if rules.declarations == Action::Refuse => bail!(
            "{contradicts}\n  With --declarations update, the name of the output encoding takes the place of this label; \
             with --declarations keep, it stays."
        ),
        None => bail!(
            "{contradicts}, which no meta element can declare\n  \
             With --declarations keep, the declaration stays as it is."
        ),
        Some(edit) => Ok(edit),
    }
}

/// The encoding of an input, if it is known. `start` is the first bytes of the input, for the message.
fn detected(input: &Input, encoding: Option<Charset>, start: &[u8]) -> anyhow::Result<Charset> {
    encoding.with_context(|| {
        let bytes = if start.is_ascii() {
            "its ASCII bytes have control characters that can change the meaning of the bytes after them"
        } else {
            "it is not UTF-8"
        };
        format!(
            "{}: nothing in the file tells its encoding: it has no byte order mark and no declaration, and {bytes}\n  \
             Name the encoding with --from, or with --fallback the encoding of all such files.",
            input.name
        )
    })
}

/// The sentence that names a file, its declaration and the output encoding.
fn contradicts(input: &Input, contradiction: &Contradiction, to: Charset) -> String {
    format!("{}: {contradiction}, but the output is {}", input.name, to.name())
}

/// Bytes that are read, and a copy of the first `limit` of them.
struct Observed<'a, R> {
    bytes: R,
    start: &'a mut Vec<u8>,
    limit: usize,
    /// Looks at all bytes.
    examination: &'a mut Option<Examination>,
}

impl<R: Read> Read for Observed<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.bytes.read(buffer)?;
        self.start.extend_from_slice(&buffer[..length.min(self.limit - self.start.len())]);
        if let Some(examination) = self.examination {
            examination.feed(&buffer[..length]);
        }
        Ok(length)
    }
}
