//! `textcodec convert`: the text of files, in another encoding, to one output. [`many`] converts each file on its own.

mod many;
mod tally;

use std::{
    io::{self, IsTerminal, Read, Write},
    path::{Path, PathBuf},
};

use anyhow::Context;
use same_file::Handle;
use textcodec_convert::{
    Charset, Choice, Converter, Cores, Replaced, Replacement, SourceEncoding, Writer,
    damage::{Damage, Examination},
    detection,
    files::{self, Action, Input, Overlapped, Paths, Rules, Stopped, names_standard_output, reading},
    guess::{Guesser, Hints},
};

use crate::{
    arguments::{Convert, MIN_PROBABILITY},
    explanation, input,
    jobs::Topic,
    message::{self, Failures, say},
    output::Output,
    progress::Progress,
    settings::Settings,
};

/// The length of the inputs in bytes from which the output is written on a thread of its own. Starting a thread takes
/// 50 microseconds.
const LONG: u64 = 4 << 20;

/// Converts the text of all files, one after the other.
///
/// An output file is written only if every file can be converted. Standard output gets the text of the files that can
/// be read.
pub(crate) fn run(arguments: &Convert, failures: &mut Failures) -> anyhow::Result<()> {
    if let Some(note) = arguments.conversion.to.note() {
        say(&note);
    }
    if arguments.is_many() {
        return many::run(arguments, arguments.places.output_dir.as_deref(), failures);
    }
    check_paths(arguments)?;
    let mut settings = arguments.conversion.settings()?;
    settings.job.cores = Cores::new(arguments.selection.threads());
    let replaced = to_one_output(&settings, &arguments.files, arguments.output.as_deref(), failures);
    if arguments.files.iter().any(|path| path.is_dir()) {
        say("--recursive with --in-place or --output-dir converts the files in a directory");
    }
    // The report of a conversion that failed tells the replacements before the failure.
    let reported = settings.report.as_ref().map_or(Ok(()), |report| report.finish());
    if let Some(replaced) = replaced?.filter(|replaced| !replaced.is_nothing()) {
        say(&replaced.to_string());
    }
    reported
}

/// Fails if the report would take the place of a file that is read or of the output, or if messages would be lost.
fn check_paths(arguments: &Convert) -> anyhow::Result<()> {
    let mut paths = Paths::default();
    paths.write_standard_error();
    // A file that cannot be read is reported later.
    input::check_all(&arguments.files).filter_map(Result::ok).for_each(|input| paths.read(&input));
    match arguments.output.as_deref().filter(|path| !names_standard_output(path)) {
        Some(path) => paths.write_over_inputs("--output", path)?,
        None => paths.write_standard_output(),
    }
    arguments.conversion.report.as_deref().map_or(Ok(()), |path| paths.write("--report", path))?;
    Ok(())
}

/// Converts the text of all files, one after the other. Returns `None` if nothing was written because of a failure.
pub(crate) fn to_one_output(
    settings: &Settings,
    files: &[PathBuf],
    output_path: Option<&Path>,
    failures: &mut Failures,
) -> anyhow::Result<Option<Replaced>> {
    let before = failures.number();
    let inputs: Vec<_> =
        input::check_all(files).filter_map(|input| failures.check(input.map_err(explanation::file_error))).collect();
    let is_standard = output_path.is_none_or(names_standard_output);
    // Failures of other outputs do not count.
    if failures.number() > before && (!is_standard || inputs.is_empty()) {
        return Ok(None);
    }
    let context = || cannot_write(output_path);
    let mut output = Output::open(output_path).with_context(context)?;
    output.expect_inputs(&inputs).with_context(context)?;
    if output.is_standard() {
        inputs.iter().try_for_each(Input::check_standard_output).map_err(explanation::file_error)?;
    }
    let progress = progress(&inputs, &output);
    let run = Run::new(settings, &inputs, &output, &context, progress);
    let is_long = inputs.iter().filter_map(|input| input.length).sum::<u64>() >= LONG;
    let (output, replaced) = if is_long && output.is_file() {
        let (output, replaced) = run.convert(Overlapped::new(output).with_context(context)?, failures)?;
        (output.end().with_context(context)?, replaced)
    } else {
        run.convert(output, failures)?
    };
    // Windows replaces no file that is open, and `run` has the existing file open.
    drop(run);
    for lost in output.complete().with_context(context)? {
        say(&format!("{}: {lost}", message::display(output_path.unwrap_or(Path::new("-")))));
    }
    Ok(Some(replaced))
}

/// The conversion of all inputs into one output.
struct Run<'a, F> {
    settings: &'a Settings,
    inputs: &'a [Input],
    is_standard: bool,
    declarations: Action,
    /// The file whose place the output takes.
    existing: Option<Handle>,
    /// Gives the start of the message if the output cannot be written.
    cannot_write: &'a F,
    progress: Progress,
}

impl<'a, F: Fn() -> String> Run<'a, F> {
    fn new(
        settings: &'a Settings,
        inputs: &'a [Input],
        output: &Output,
        cannot_write: &'a F,
        progress: Progress,
    ) -> Self {
        let existing = output.existing().and_then(|file| Handle::from_file(file).ok());
        let declarations = Action::of(settings.declarations, output.is_file());
        Run { settings, inputs, is_standard: output.is_standard(), declarations, existing, cannot_write, progress }
    }

    /// Converts all inputs, one after the other.
    fn convert<W: Write>(&self, output: W, failures: &mut Failures) -> anyhow::Result<(W, Replaced)> {
        let settings = self.settings;
        let mut converter = Converter::new(settings.job.options.clone(), Writer(output));
        let mut fallbacks = 0;
        for input in self.inputs {
            if self.is_standard {
                // The text of an earlier input may have been appended to the file that standard input reads.
                input.check_standard_output().map_err(explanation::file_error)?;
            }
            let is_in_place = self.existing.as_ref().is_some_and(|file| input.is(file));
            let own;
            let settings = match is_in_place {
                true => {
                    own = settings_for(settings, input)?;
                    if own.job.from != settings.job.from {
                        say(&format!("{}: the file is UTF-8 already; with --force, --from decides", input.name));
                    }
                    &own
                }
                false => {
                    if let Some(warning) = warning_of_utf_8(settings, input) {
                        say(&warning);
                    }
                    settings
                }
            };
            let refuse_binary = !settings.force && (settings.job.from == SourceEncoding::Auto || is_in_place);
            let rules = Rules { declarations: self.declarations, refuse_binary };
            let progress = |length| self.progress.advance(length);
            let converted = match &settings.report {
                Some(report) => {
                    let observer = |replacement: &Replacement<'_>| report.add(&input.name, replacement);
                    files::convert(&settings.job, rules, input, &mut converter, Some(&observer), progress)
                }
                None => files::convert(&settings.job, rules, input, &mut converter, None, progress),
            };
            let error = |error| explanation::error(&input.name, error);
            match converted {
                Ok(done) => {
                    explanation::notes(&input.name, &done, settings).iter().for_each(|note| say(note));
                    if done.choice == Some(Choice::Fallback) {
                        fallbacks += 1;
                        if fallbacks <= Topic::LIMIT {
                            say(&explanation::fallback(&input.name, done.from));
                        }
                    }
                }
                Err(Stopped::Input(cause) | Stopped::Binary(cause)) if self.is_standard => failures.add(&error(cause)),
                Err(Stopped::Input(cause) | Stopped::Binary(cause) | Stopped::Text(cause)) => {
                    return Err(error(cause));
                }
                Err(Stopped::Output(cause)) => return Err(cause).with_context(self.cannot_write),
            }
        }
        if fallbacks > Topic::LIMIT {
            let more = explanation::more_files(fallbacks - Topic::LIMIT, "is", "are");
            say(&format!("{more} read in the encoding of --fallback"));
        }
        let (Writer(output), replaced) = converter.finish().with_context(self.cannot_write)?;
        Ok((output, replaced))
    }
}

/// The settings for a file whose place the output takes. Text that is in UTF-8 or in the output encoding already must
/// not be decoded in another encoding, also if a few sequences of UTF-8 are malformed.
fn settings_for(settings: &Settings, input: &Input) -> anyhow::Result<Settings> {
    let mut settings = settings.clone();
    let SourceEncoding::Label(from) = settings.job.from else { return Ok(settings) };
    let to = settings.job.options.to;
    if from == Charset::UTF_8 || from == to || settings.force {
        return Ok(settings);
    }
    let cannot_read = || format!("cannot read {}", input.name);
    let findings = input.open().and_then(reading::examine).with_context(cannot_read)?;
    if findings.is_utf_8() {
        let mut mark = Vec::new();
        input.open().and_then(|file| file.take(3).read_to_end(&mut mark)).with_context(cannot_read)?;
        let has_mark = mark == Charset::UTF_8.bom() && !settings.job.ignore_bom;
        if to != Charset::UTF_8 && !has_mark {
            return Err(explanation::utf_8_and_named(&input.name, from));
        }
        settings.job.from = SourceEncoding::Label(Charset::UTF_8);
    } else if findings.damage == Some(Damage::Utf8)
        && let Some(damaged) = reading::damage(&findings, || input.open()).with_context(cannot_read)?
    {
        return Err(explanation::damaged_and_named(&input.name, &damaged));
    } else if let Some(probability) = probability_of_target(from, to, input).with_context(cannot_read)? {
        return Err(explanation::converted_before(&input.name, from, to, probability));
    }
    Ok(settings)
}

/// The probability that a file is in the encoding `to` already, if it is at least [`MIN_PROBABILITY`] and the text in
/// `from` is another one. An earlier run may have converted the file.
fn probability_of_target(from: Charset, to: Charset, input: &Input) -> io::Result<Option<f32>> {
    let mut start = Vec::new();
    input.open()?.take(detection::LENGTH as u64).read_to_end(&mut start)?;
    if detection::is_plain_ascii(&start) {
        return Ok(None);
    }
    let mut hints = Hints::new();
    hints.among = vec![from, to];
    let mut guesser = Guesser::new(&hints);
    guesser.feed(&start, start.len() < detection::LENGTH);
    let Ok(guess) = guesser.guess() else { return Ok(None) };
    let of = |charset| guess.candidates.iter().find(|candidate| candidate.charset == charset);
    // Without statistics for the target encoding, nothing but errors of the other one would speak for it. The only
    // encoding that is possible has a probability in any case.
    let has_statistics = of(to).is_some_and(|candidate| candidate.language.is_some());
    let is_same_text = of(from).is_some() && of(from).map(|from| from.group) == of(to).map(|to| to.group);
    let probability = guess.reason.probability().filter(|&probability| probability >= MIN_PROBABILITY);
    Ok(probability.filter(|_| guess.charset == to && has_statistics && !is_same_text))
}

/// The warning about a regular file that is UTF-8 from start to end, although the user has named another encoding. The
/// rest of a file is read for it only if the first bytes are UTF-8 and not ASCII, which text in other encodings is not.
fn warning_of_utf_8(settings: &Settings, input: &Input) -> Option<String> {
    let SourceEncoding::Label(from) = settings.job.from else { return None };
    if !input.is_file || settings.force || from == Charset::UTF_8 || from.is_wide() {
        return None;
    }
    // A file that cannot be read is an error later.
    let mut start = Vec::new();
    input.open().ok()?.take(detection::LENGTH as u64).read_to_end(&mut start).ok()?;
    let has_mark = start.starts_with(Charset::UTF_8.bom()) && !settings.job.ignore_bom;
    let is_whole = start.len() < detection::LENGTH;
    let mut examination = Examination::new();
    examination.feed(&start);
    let is_utf_8 = !has_mark
        && examination.findings(is_whole).is_utf_8()
        && (is_whole || input.open().and_then(reading::examine).is_ok_and(|findings| findings.is_utf_8()));
    is_utf_8
        .then(|| format!("{}: the file is well-formed UTF-8, but it is decoded in {from}, as --from says", input.name))
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
