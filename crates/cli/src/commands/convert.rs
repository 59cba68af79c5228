//! `textcodec convert`: the text of files, in another encoding, to one output.

use std::{
    io::{self, IsTerminal, Read},
    path::Path,
};

use anyhow::{Context, bail};
use same_file::Handle;
use textcodec::{Decoder, Encoding};

use crate::{
    arguments::Convert,
    converter::{Converter, Failure, Plan, Replaced},
    declarations::{self, Contradiction, Declarations, Edit, Start},
    detection,
    input::Input,
    label::SourceEncoding,
    message::{self, Failures, say},
    output::{self, Output},
    progress::Progress,
};

/// Converts the text of all files, one after the other.
///
/// An output file is written only if every file can be converted. Standard output gets the text of the files that can be read.
pub(crate) fn run(arguments: &Convert, failures: &mut Failures) -> anyhow::Result<()> {
    let inputs: Vec<_> = Input::check_all(&arguments.files).filter_map(|input| failures.check(input)).collect();
    let is_standard = arguments.output.as_deref().is_none_or(output::names_standard_output);
    if failures.has_failed() && (!is_standard || inputs.is_empty()) {
        return Ok(());
    }
    if let Some(note) = arguments.to.note() {
        say(&note);
    }
    let context = || cannot_write(arguments.output.as_deref());
    let output = Output::open(arguments.output.as_deref()).with_context(context)?;
    if output.is_standard() {
        inputs.iter().try_for_each(Input::check_standard_output)?;
    }
    let progress = progress(&inputs, &output);
    let (output, replaced) = convert(arguments, &inputs, output, progress, failures)?;
    for lost in output.complete().with_context(context)? {
        say(&format!("{}: {lost}", message::display(arguments.output.as_deref().unwrap_or(Path::new("-")))));
    }
    if !replaced.is_nothing() {
        say(&replaced.to_string());
    }
    Ok(())
}

fn convert(
    arguments: &Convert,
    inputs: &[Input],
    output: Output,
    mut progress: Progress,
    failures: &mut Failures,
) -> anyhow::Result<(Output, Replaced)> {
    let is_standard = output.is_standard();
    let action = Action::of(arguments.declarations, &output);
    let mut converter = Converter::new(arguments.to.encoding, arguments.bom, arguments.errors, output);
    let explain = |failure| match failure {
        Failure::Write(error) => anyhow::Error::new(error).context(cannot_write(arguments.output.as_deref())),
        failure => failure.into(),
    };
    for input in inputs {
        if is_standard {
            // The text of an earlier input may have been appended to the file that standard input reads.
            input.check_standard_output()?;
        }
        let prepared = match prepare(arguments, input, action, converter.output()) {
            Err(error) if is_standard => {
                failures.add(&error);
                continue;
            }
            prepared => prepared?,
        };
        let Prepared { decoder, edits, refuse_binary, bytes } = prepared;
        let plan = Plan { name: &input.name, decoder, edits, refuse_binary };
        let mut start = Vec::new();
        let observed =
            Observed { bytes, start: &mut start, limit: if action == Action::Warn { declarations::LENGTH } else { 0 } };
        match converter.convert(plan, observed, |length| progress.advance(length)) {
            Err(failure @ (Failure::Read { .. } | Failure::Binary { .. })) if is_standard => {
                failures.add(&failure.into())
            }
            result => result.map_err(explain)?,
        }
        for contradiction in declarations::look_at(&start, input.path(), decoder, arguments.to.encoding) {
            say(&format!("{} (see --declarations)", contradicts(input, &contradiction, arguments.to.encoding)));
        }
    }
    converter.finish().map_err(explain)
}

/// The treatment of declarations that contradict the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Action {
    Update,
    Ignore,
    Refuse,
    Warn,
}

impl Action {
    fn of(declarations: Option<Declarations>, output: &Output) -> Self {
        match declarations {
            Some(Declarations::Update) => Action::Update,
            Some(Declarations::Keep) => Action::Ignore,
            None if output.is_file() => Action::Refuse,
            None => Action::Warn,
        }
    }
}

/// An input whose encoding is known and whose start has no reason to refuse the conversion.
struct Prepared<R> {
    decoder: Decoder,
    edits: Vec<Edit>,
    refuse_binary: bool,
    /// All bytes of the input.
    bytes: R,
}

/// Reads the start of an input, which decides how the input is converted, before any of its text is written.
fn prepare(
    arguments: &Convert,
    input: &Input,
    action: Action,
    output: &Output,
) -> anyhow::Result<Prepared<impl Read + use<>>> {
    let cannot_read = || format!("cannot read {}", input.name);
    let mut rest = input.open()?;
    let mut start = Vec::new();
    let decoder = match arguments.from {
        SourceEncoding::Label(from) if arguments.ignore_bom => from.new_decoder_without_bom_handling(),
        SourceEncoding::Label(from) => from.new_decoder(),
        SourceEncoding::Auto => {
            let found = detection::find_out(input.path(), &mut rest).with_context(cannot_read)?;
            start = found.start;
            detected(input, found.encoding.or(arguments.fallback), &start)?.new_decoder()
        }
    };
    let mut edits = Vec::new();
    if matches!(action, Action::Update | Action::Refuse) {
        let read = declarations::read_start(start, &mut rest, input.path(), decoder, arguments.to.encoding);
        let Start { bytes, contradictions } = read.with_context(cannot_read)?;
        start = bytes;
        for contradiction in &contradictions {
            match contradiction.edit(arguments.to.encoding, arguments.bom) {
                _ if action == Action::Refuse => bail!(
                    "{}\n  With --declarations update, the name of the output encoding takes the place of this label; \
                     with --declarations keep, it stays.",
                    contradicts(input, contradiction, arguments.to.encoding)
                ),
                None => bail!(
                    "{}, which no meta element can declare\n  With --declarations keep, the declaration stays as it is.",
                    contradicts(input, contradiction, arguments.to.encoding)
                ),
                Some(edit) => edits.push(edit),
            }
        }
    }
    let is_in_place =
        || output.existing().and_then(|file| Handle::from_file(file).ok()).is_some_and(|file| input.is(&file));
    let refuse_binary = !arguments.force && (arguments.from == SourceEncoding::Auto || is_in_place());
    Ok(Prepared { decoder, edits, refuse_binary, bytes: io::Cursor::new(start).chain(rest) })
}

/// The encoding of an input, if it is known. `start` is the first bytes of the input, for the message.
fn detected(input: &Input, encoding: Option<Encoding>, start: &[u8]) -> anyhow::Result<Encoding> {
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
fn contradicts(input: &Input, contradiction: &Contradiction, to: Encoding) -> String {
    format!("{}: {contradiction}, but the output is {}", input.name, to.name())
}

/// Bytes that are read, and a copy of the first `limit` of them.
struct Observed<'a, R> {
    bytes: R,
    start: &'a mut Vec<u8>,
    limit: usize,
}

impl<R: Read> Read for Observed<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.bytes.read(buffer)?;
        self.start.extend_from_slice(&buffer[..length.min(self.limit - self.start.len())]);
        Ok(length)
    }
}

/// A bar, unless the terminal shows text that the program writes or that somebody types.
fn progress(inputs: &[Input], output: &Output) -> Progress {
    let wanted = io::stderr().is_terminal() && !output.is_terminal() && !inputs.iter().any(Input::is_terminal);
    Progress::new(wanted, inputs.iter().map(|input| input.length).sum())
}

fn cannot_write(output: Option<&Path>) -> String {
    match output {
        Some(path) if path.as_os_str() != "-" => format!("cannot write {}", message::display(path)),
        _ => "cannot write to standard output".to_owned(),
    }
}
