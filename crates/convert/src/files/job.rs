//! One job is the conversion of one input with given [`Settings`]. Every command that converts runs jobs: for one
//! output after another, or all for the same output.

use std::{
    error::Error,
    fmt,
    io::{self, Read},
};

use textcodec::WINDOWS_1252;

use super::{
    input::{Input, Readiness},
    reading::{self, Start},
};
use crate::{
    binary,
    charset::Charset,
    converter::{Converter, Cores, Failure, Incoming, Plan, Replacement, Sink, Stop, TextError},
    damage::{self, Damage, Damaged, Examination, Findings},
    declarations::{self, Contradiction, Distrusted, Edit, Form},
    detection::{self, SourceEncoding},
    guess::{Guess, Hints, NoGuess, Reason},
    kind::Kind,
    options::{BomAction, Options},
    position::Position,
    source::{Choice, Fallback, Source},
};

/// How the bytes of one file become the bytes of another. The settings are the same for all files of a run.
///
/// Start from [`Settings::new`] and set the fields.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The encoding to decode from.
    pub from: SourceEncoding,
    /// Whether a byte order mark is text, and does not decide the encoding.
    pub ignore_bom: bool,
    /// The encoding of a file whose encoding is not found.
    pub fallback: Option<Fallback>,
    /// What is known for a guess at the encoding of a file that declares nothing. `None` if nothing is guessed.
    pub guess: Option<Hints>,
    /// How text becomes bytes.
    pub options: Options,
    /// The threads for one long file. Nothing but the time depends on their number.
    pub cores: Cores,
}

impl Settings {
    /// Files that tell their encoding.
    #[must_use]
    pub const fn new(options: Options) -> Self {
        let from = SourceEncoding::Auto;
        Settings { from, ignore_bom: false, fallback: None, guess: None, options, cores: Cores::ONE }
    }
}

/// The treatment of declarations that contradict the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declarations {
    /// The name of the output encoding takes the place of the declared label.
    Update,
    /// Every declaration stays as it is.
    Keep,
}

/// The rules of a job that depend on its output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The treatment of declarations that contradict the output.
    pub declarations: Action,
    /// Whether an input that looks binary is an error.
    pub refuse_binary: bool,
}

/// The treatment of declarations that contradict an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// The name of the output encoding takes the place of the declared label.
    Update,
    /// Every declaration stays as it is.
    Ignore,
    /// The input is not converted.
    Refuse,
    /// [`Done`] has the declarations.
    Warn,
}

impl Action {
    /// The treatment that the user wants. Without a wish, a regular file must not get a wrong declaration, and
    /// elsewhere a warning is enough. `is_file` says whether the output is a regular file.
    #[must_use]
    pub fn of(declarations: Option<Declarations>, is_file: bool) -> Self {
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
#[non_exhaustive]
pub struct Done {
    /// The encoding that the input was decoded from.
    pub from: Charset,
    /// How this encoding was chosen, if nothing tells the encoding of the input.
    pub choice: Option<Choice>,
    /// How the encoding was guessed, if that is known.
    pub reason: Option<Reason>,
    /// The declarations that contradict the output, if the rules ask for warnings.
    pub contradictions: Vec<Contradiction>,
}

/// The reason why an input is not converted.
#[derive(Debug)]
pub enum Stopped {
    /// The input cannot be read, or nothing tells its encoding. Text of other inputs can follow in the same output.
    Input(JobError),
    /// The input does not look like text. Text of other inputs can follow in the same output.
    Binary(JobError),
    /// The text cannot be converted.
    Text(JobError),
    /// The output cannot be written. The caller knows its name.
    Output(io::Error),
}

/// The reason why an input is not converted, without its name.
#[derive(Debug)]
#[non_exhaustive]
pub enum JobError {
    /// The input cannot be read.
    Read(io::Error),
    /// The text is malformed, or cannot be written in the output encoding, or is none.
    Text(TextError),
    /// The text is malformed in the encoding that was guessed. Name its encoding.
    #[non_exhaustive]
    Guess {
        /// The malformed bytes.
        error: Box<TextError>,
        /// How the encoding was guessed.
        reason: Reason,
    },
    /// The input is damaged. Name its encoding, and another error mode than fatal.
    Damaged(Damaged),
    /// Nothing in the input tells its encoding. Name it, or a fallback.
    #[non_exhaustive]
    UnknownEncoding {
        /// Whether the first bytes are ASCII.
        is_ascii: bool,
    },
    /// A declaration of a charset beyond the Standard is not believed. Name the encoding.
    Distrusted(Distrusted),
    /// A declaration contradicts the output encoding. Update it, or keep it.
    #[non_exhaustive]
    Declaration {
        /// The declaration.
        contradiction: Contradiction,
        /// The output encoding.
        to: Charset,
    },
    /// No declaration of this form can name the output encoding. Keep it.
    #[non_exhaustive]
    Undeclarable {
        /// The declaration.
        contradiction: Contradiction,
        /// The output encoding.
        to: Charset,
    },
}

impl fmt::Display for JobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JobError::Read(_) => f.write_str("the input cannot be read"),
            JobError::Text(error) => error.fmt(f),
            JobError::Guess { error, reason } => write!(f, "{error}; this encoding is a guess: {reason}"),
            JobError::Damaged(damaged) => damaged.fmt(f),
            JobError::Distrusted(distrusted) => distrusted.fmt(f),
            JobError::UnknownEncoding { is_ascii } => {
                f.write_str(
                    "nothing in the file tells its encoding: it has no byte order mark and no declaration, and ",
                )?;
                f.write_str(match is_ascii {
                    true => {
                        "its ASCII bytes have control characters that can change the meaning of the bytes after them"
                    }
                    false => "it is not UTF-8",
                })
            }
            JobError::Declaration { contradiction, to } => write!(f, "{contradiction}, but the output is {to}"),
            JobError::Undeclarable { contradiction, to } => {
                write!(f, "{contradiction}, but the output is {to}, which no ")?;
                f.write_str(match contradiction.form() {
                    Form::Meta => "meta element can declare",
                    _ => "declaration of this form can name",
                })
            }
        }
    }
}

impl Error for JobError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            JobError::Read(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for JobError {
    fn from(error: io::Error) -> Self {
        JobError::Read(error)
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Input(error) | Stopped::Binary(error) | Stopped::Text(error) => error.fmt(f),
            Stopped::Output(_) => f.write_str("the output cannot be written"),
        }
    }
}

impl Error for Stopped {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Stopped::Input(error) | Stopped::Binary(error) | Stopped::Text(error) => error.source(),
            Stopped::Output(error) => Some(error),
        }
    }
}

impl From<TextError> for Stopped {
    fn from(error: TextError) -> Self {
        let stopped = match error {
            TextError::Damaged(_) | TextError::Fallback(_) => Stopped::Input,
            TextError::Binary { .. } | TextError::NotText => Stopped::Binary,
            _ => Stopped::Text,
        };
        stopped(JobError::Text(error))
    }
}

/// Converts one input to its end, and appends the result to what `converter` has written. `progress` is called with the
/// length of each piece that is read, and `observer` for each replacement.
///
/// # Errors
/// The input is not converted. The text before an error in the text is written.
pub fn convert<W: Sink<Error = io::Error>>(
    settings: &Settings,
    rules: Rules,
    input: &Input,
    converter: &mut Converter<W>,
    observer: Option<&dyn Fn(&Replacement<'_>)>,
    progress: impl FnMut(usize),
) -> Result<Done, Stopped> {
    let result = convert_text(settings, rules, input, converter, observer, progress);
    // Pictures and the like have malformed bytes, often in front of their first control character.
    let may_be_binary = matches!(
        result,
        Err(Stopped::Text(JobError::Text(TextError::Malformed { .. }) | JobError::Guess { .. })
            | Stopped::Input(JobError::UnknownEncoding { .. } | JobError::Text(TextError::Fallback(_))))
    );
    let is_wide = matches!(settings.from, SourceEncoding::Label(from) if from.is_wide());
    if may_be_binary
        && rules.refuse_binary
        && input.is_file
        && !is_wide
        && let Ok(Some(position)) = first_binary_data(input)
    {
        return Err(Stopped::Binary(JobError::Text(TextError::Binary { position })));
    }
    result
}

/// The place of the character that shows that an input is binary, whatever its encoding. Only the start of the input is
/// read.
fn first_binary_data(input: &Input) -> io::Result<Option<Position>> {
    let mut start = Vec::new();
    input.open()?.take(detection::LENGTH as u64).read_to_end(&mut start)?;
    let text: String = start.iter().map(|&byte| char::from(byte)).collect();
    Ok(binary::binary_data(&text, true).map(|offset| Position::default().after(&text[..offset])))
}

/// As [`convert`], for text in which malformed bytes can come before the first sign that it is none.
fn convert_text<W: Sink<Error = io::Error>>(
    settings: &Settings,
    rules: Rules,
    input: &Input,
    converter: &mut Converter<W>,
    observer: Option<&dyn Fn(&Replacement<'_>)>,
    progress: impl FnMut(usize),
) -> Result<Done, Stopped> {
    let to = settings.options.to;
    let prepared = prepare(settings, rules, input).map_err(|error| match error {
        JobError::Text(error) => error.into(),
        error => Stopped::Input(error),
    })?;
    let Prepared { source, edits, escapes_properties, bytes, choice, reason, examination, readiness } = prepared;
    let start_decoder = source.start_decoder();
    let mut plan = Plan::new(source);
    (plan.name, plan.edits, plan.refuse_binary, plan.observer) = (&input.name, edits, rules.refuse_binary, observer);
    plan.escapes_properties = escapes_properties;
    // Parts on other threads are encoded as they are.
    let cores = if escapes_properties { Cores::ONE } else { settings.cores };
    let mut stream = converter.start(plan);
    let limit = if rules.declarations == Action::Warn { declarations::LENGTH } else { 0 };
    let mut incoming = Bytes { bytes, readiness, start: Vec::new(), limit, examination, progress };
    converter.push_all(&mut stream, &mut incoming, cores).map_err(|stop| match stop {
        Stop::Input(error) => Stopped::Input(error.into()),
        Stop::Failure(Failure::Text(error)) => match (explain(settings, input, error), reason) {
            (Stopped::Text(JobError::Text(error @ TextError::Malformed { .. })), Some(reason)) => {
                Stopped::Text(JobError::Guess { error: error.into(), reason })
            }
            (stopped, _) => stopped,
        },
        Stop::Failure(Failure::Output(error)) => Stopped::Output(error),
    })?;
    let Bytes { start, examination, .. } = incoming;
    if let Some(examination) = examination
        && let Some(damaged) = Damaged::in_start(&examination.findings(true), &[])
    {
        return Err(Stopped::Text(JobError::Damaged(damaged)));
    }
    let from = start_decoder.charset();
    let text = start_decoder.decode_start(&start, true);
    let kind = input.path().and_then(Kind::for_path).unwrap_or_else(|| Kind::of_content(text.as_bytes()));
    let mut contradictions = declarations::contradictions(kind, &text, to);
    contradictions.retain(|contradiction| is_new(contradiction, from, to));
    let used = stream.source();
    let (choice, reason) = (choice.or(used.choice()), reason.or(used.reason()));
    Ok(Done { from: used.charset(), choice, reason, contradictions })
}

/// The bytes of an input on their way to the converter.
struct Bytes<R, P> {
    bytes: R,
    readiness: Readiness,
    /// The first bytes, not more than `limit`.
    start: Vec<u8>,
    limit: usize,
    examination: Option<Examination>,
    progress: P,
}

impl<R: Read, P: FnMut(usize)> Incoming for Bytes<R, P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = reading::read(&mut self.bytes, buffer)?;
        self.start.extend_from_slice(&buffer[..length.min(self.limit - self.start.len())]);
        if let Some(examination) = &mut self.examination {
            examination.feed(&buffer[..length]);
        }
        Ok(length)
    }

    fn is_near(&mut self) -> bool {
        self.readiness.is_near()
    }

    fn converted(&mut self, bytes: usize) {
        (self.progress)(bytes);
    }
}

/// An error of the text, or the damage that is the reason for it: bytes of zero in a file of which a part is UTF-16, or
/// malformed sequences in a file whose first 64 KiB are UTF-8.
fn explain(settings: &Settings, input: &Input, error: TextError) -> Stopped {
    let may_be_damaged = match &error {
        TextError::Malformed { .. } => settings.from == SourceEncoding::Auto,
        TextError::Binary { .. } => true,
        _ => false,
    };
    if may_be_damaged
        && input.is_file
        && let Ok(Some(damaged)) = reading::find_damage(input)
        // A file in UTF-8 with a character U+0000 and a malformed sequence is binary.
        && (damaged.damage != Damage::Utf8 || matches!(error, TextError::Malformed { .. }))
    {
        return Stopped::Text(JobError::Damaged(damaged));
    }
    error.into()
}

/// The probability from which a guess counts more than the encoding that the definition of a kind of files names.
const BETTER_THAN_A_DEFINITION: f32 = 0.95;

/// An input whose encoding is known and whose start has no reason to refuse the conversion.
struct Prepared<R> {
    source: Source,
    /// Edits to the declarations in the text.
    edits: Vec<Edit>,
    /// As [`Plan::escapes_properties`].
    escapes_properties: bool,
    /// All bytes of the input.
    bytes: R,
    /// How the encoding was chosen, if nothing in the input tells it.
    choice: Option<Choice>,
    /// How the encoding was guessed.
    reason: Option<Reason>,
    /// For a stream that starts with a byte order mark of UTF-16 and cannot be read twice: its end can be something
    /// else.
    examination: Option<Examination>,
    /// Whether reading waits.
    readiness: Readiness,
}

/// Reads the start of an input, which decides how the input is converted, before any of its text is written.
fn prepare(settings: &Settings, rules: Rules, input: &Input) -> Result<Prepared<impl Read + use<>>, JobError> {
    let (mut rest, readiness) = input.open_and_watch()?;
    let mut start = Vec::new();
    let (mut choice, mut reason, mut examination) = (None, None, None);
    let source: Source = match settings.from {
        SourceEncoding::Label(from) => {
            // A byte order mark of UTF-16 decides, unless the user has named an encoding of its kind.
            if !settings.ignore_bom && !from.is_wide() {
                (&mut rest).take(2).read_to_end(&mut start)?;
                if damage::has_mark_of_utf_16(&start) {
                    match input.is_file {
                        true => refuse_damage(input, &reading::examine(input.open()?)?, &start)?,
                        false => examination = Some(Examination::new()),
                    }
                }
            }
            from.new_decoder(settings.ignore_bom).into()
        }
        SourceEncoding::Auto => {
            let found = reading::find_out(input.path(), &mut rest)?;
            if let Some(distrusted) = found.distrusted {
                return Err(JobError::Distrusted(distrusted));
            }
            let has_choice = settings.fallback.is_some() || settings.guess.is_some();
            let mut findings = found.findings();
            if found.is_doubtful(has_choice) {
                if input.is_file && !found.is_whole {
                    findings = reading::examine(input.open()?)?;
                }
                refuse_damage(input, &findings, &found.start)?;
            }
            let mut encoding = found.encoding;
            if found.is_default && has_choice && input.is_file {
                // XML and CSS are UTF-8 by default. In old ones, the bytes contradict this.
                findings = reading::examine(input.open()?)?;
                if findings.malformed > 0 {
                    refuse_damage(input, &findings, &found.start)?;
                    encoding = None;
                }
            }
            start = found.start;
            if damage::has_mark_of_utf_16(&start) && !input.is_file {
                examination = Some(Examination::new());
            }
            let is_known = encoding.is_some() && !found.is_open;
            match encoding {
                Some(encoding) if is_known || !has_choice => encoding.new_decoder(false).into(),
                // A pipe cannot be read twice.
                Some(_) if !input.is_file => Source::undecided(settings.fallback, settings.guess.clone()),
                Some(encoding) if findings.malformed == 0 => encoding.new_decoder(false).into(),
                _ => {
                    let kind = input.path().and_then(Kind::for_path);
                    let by_definition = kind.and_then(Kind::charset_by_definition);
                    // A definition tells more than an improbable guess of the same letters. An improbable guess of
                    // other letters refuses the file, because a definition that does not fit gives wrong ones.
                    let counts = |guess: &Guess| {
                        by_definition.is_none()
                            || guess.charset != WINDOWS_1252.into()
                            || guess.reason.probability() >= Some(BETTER_THAN_A_DEFINITION)
                    };
                    let guessed = guess(settings, rules, input, &start)?.filter(counts);
                    reason = guessed.as_ref().map(|guess| guess.reason);
                    let charset = match (guessed, settings.fallback) {
                        (Some(guess), _) => {
                            choice = Some(Choice::Guess);
                            guess.charset
                        }
                        (None, Some(fallback)) => {
                            choice = Some(Choice::Fallback);
                            refuse_fallback(fallback, rules, input, &start)?;
                            fallback.charset
                        }
                        (None, None) => {
                            let unknown = JobError::UnknownEncoding { is_ascii: start.is_ascii() };
                            let charset = by_definition.ok_or(unknown)?;
                            // The statistics of windows-1252 are those of the texts that people write in it.
                            let usual = Fallback { charset: WINDOWS_1252.into(), is_trusted: false };
                            refuse_fallback(usual, rules, input, &start).map_err(|error| match error {
                                JobError::Text(_) => JobError::UnknownEncoding { is_ascii: false },
                                error => error,
                            })?;
                            charset
                        }
                    };
                    charset.new_decoder(false).into()
                }
            }
        }
    };
    let (mut edits, mut escapes_properties) = (Vec::new(), false);
    if matches!(rules.declarations, Action::Update | Action::Refuse) {
        let decoder = source.start_decoder();
        let read = reading::read_start(start, &mut rest, input.path(), &decoder, settings.options.to)?;
        let Start { bytes, mut contradictions } = read;
        start = bytes;
        let (from, to) = (decoder.charset(), settings.options.to);
        contradictions.retain(|contradiction| is_new(contradiction, from, to));
        let is_properties = input.path().and_then(Kind::for_path) == Some(Kind::Properties);
        if is_properties && rules.declarations == Action::Update && from != to && declarations::can_be_escaped(to) {
            escapes_properties = true;
            contradictions.clear();
        }
        let edit = |contradiction| edit(settings, rules, contradiction);
        edits = contradictions.into_iter().map(edit).collect::<Result<_, _>>()?;
    }
    let bytes = io::Cursor::new(start).chain(rest);
    Ok(Prepared { source, edits, escapes_properties, bytes, choice, reason, examination, readiness })
}

/// Whether the conversion makes the contradiction. A `.properties` file that stays in its charset is read as before.
fn is_new(contradiction: &Contradiction, from: Charset, to: Charset) -> bool {
    contradiction.form() != Form::Properties || from != to
}

/// Fails if an input is damaged. `start` is its first bytes, from which the findings come if it is no regular file.
fn refuse_damage(input: &Input, findings: &Findings, start: &[u8]) -> Result<(), JobError> {
    let damaged = match input.is_file {
        true => reading::damage(findings, || input.open())?,
        false => Damaged::in_start(findings, start),
    };
    damaged.map_or(Ok(()), |damaged| Err(JobError::Damaged(damaged)))
}

/// The bytes of an input up to the first zero byte, at which the conversion will end, if a file that looks binary is an
/// error: the rest can be terabytes without content. In UTF-16 and UTF-32, zero bytes are parts of characters.
fn text_of(rules: Rules, input: &Input, among: &[Charset]) -> io::Result<UpToZero<impl Read + use<>>> {
    let is_limited = rules.refuse_binary && !among.iter().any(|charset| charset.is_wide());
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
/// first 64 KiB of anything else. If nothing can be guessed because the input is binary, this is an error, unless there
/// is a fallback or the rules allow binary files.
fn guess(settings: &Settings, rules: Rules, input: &Input, start: &[u8]) -> Result<Option<Guess>, JobError> {
    let Some(hints) = &settings.guess else { return Ok(None) };
    let (guess, has_zero) = if input.is_file {
        let mut text = text_of(rules, input, &hints.among)?;
        (reading::guess_all(&mut text, hints)?, text.has_ended)
    } else {
        (reading::guess_all(start, hints)?, start.contains(&0))
    };
    let is_binary = has_zero && guess.is_err() || guess == Err(NoGuess::Binary);
    if is_binary && rules.refuse_binary && settings.fallback.is_none() {
        let is_control = |byte: &u8| *byte < b' ' && !byte.is_ascii_whitespace();
        if !has_zero && !start.iter().any(is_control) {
            return Err(JobError::Text(TextError::NotText));
        }
        let before: String = start.iter().take_while(|byte| !is_control(byte)).map(|&byte| char::from(byte)).collect();
        return Err(JobError::Text(TextError::Binary { position: Position::default().after(&before) }));
    }
    Ok(guess.ok())
}

/// Fails if an input does not fit a fallback that is not trusted: all of a regular file, or `start`, the first 64 KiB
/// of anything else.
fn refuse_fallback(fallback: Fallback, rules: Rules, input: &Input, start: &[u8]) -> Result<(), JobError> {
    if fallback.is_trusted {
        return Ok(());
    }
    let objection = match input.is_file {
        true => reading::objection(text_of(rules, input, &[fallback.charset])?, fallback.charset)?,
        false => reading::objection(start, fallback.charset)?,
    };
    objection.map_or(Ok(()), |objection| Err(JobError::Text(TextError::Fallback(objection))))
}

/// The edit that makes a declaration name the output encoding. It is an error if the user did not ask for edits, or if
/// no declaration can name this encoding.
fn edit(settings: &Settings, rules: Rules, contradiction: Contradiction) -> Result<Edit, JobError> {
    let to = settings.options.to;
    if rules.declarations == Action::Refuse {
        return Err(JobError::Declaration { contradiction, to });
    }
    let edit = contradiction.edit(to, settings.options.bom == BomAction::Add);
    edit.ok_or(JobError::Undeclarable { contradiction, to })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::converter::Writer;

    #[test]
    fn an_error_of_reading_is_the_source_of_the_error_of_a_job() {
        let error = JobError::Read(io::ErrorKind::PermissionDenied.into());
        let source = error.source().and_then(|source| source.downcast_ref::<io::Error>()).map(io::Error::kind);
        assert_eq!(source, Some(io::ErrorKind::PermissionDenied));
    }

    #[test]
    fn a_text_ends_before_its_first_zero_byte_if_it_is_limited() {
        for (is_limited, expected) in [(true, &b"a\x01"[..]), (false, b"a\x01\0b\x01")] {
            let mut text = Vec::new();
            let mut reader = UpToZero { bytes: &b"a\x01\0b\x01"[..], is_limited, has_ended: false };
            reader.read_to_end(&mut text).unwrap();
            assert_eq!(text, expected);
            assert_eq!(reader.read(&mut [0; 8]).unwrap(), 0);
        }
    }

    #[test]
    fn a_properties_file_has_the_same_escapes_on_any_number_of_cores() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.properties");
        std::fs::write(&path, b"name=caf\xE9 \\u20AC\n".repeat(20_000)).unwrap();
        let input = Input::check_file(&path).unwrap();
        for cores in [Cores::ONE, Cores::new(2).with_chunk(512)] {
            let mut settings = Settings::new(Options::to(Charset::UTF_8));
            settings.cores = cores;
            let mut converter = Converter::new(settings.options.clone(), Writer(Vec::new()));
            let rules = Rules { declarations: Action::Update, refuse_binary: true };
            convert(&settings, rules, &input, &mut converter, None, |_| ()).unwrap();
            let (Writer(text), _) = converter.finish().unwrap();
            assert!(text == b"name=caf\\u00E9 \\u20AC\n".repeat(20_000), "{cores:?}");
        }
    }
}
