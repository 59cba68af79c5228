//! `textcodec convert --in-place` and `--output-dir`: many files, each on its own.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, IsTerminal, Read, Write},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::{Context, bail};
use textcodec_convert::{
    Charset, Choice, Converter, Cores, Replaced, Replacement, SourceEncoding, Writer,
    files::{
        self, Action, Comparison, Files, Group, Input, Manner, Old, Output, Paths, Ready, Rewrite, Rewritten, Rules,
        Selected, Skipped, Stopped, are_same, backup, jobs, names_standard_output, reading, remove_leftover, select,
    },
};

use super::{
    settings_for,
    tally::{Outcome, Source, Tally},
};
use crate::{
    arguments::Convert,
    color, explanation,
    jobs::{Desk, Printer, Report, Topic},
    message::{self, Failures, say},
    progress::Progress,
    sample::{self, Difference},
    settings::Settings,
    standard_streams::StandardOutput,
};

/// The greatest length in bytes of a file of which --diff shows all changes. Its text is in memory several times.
const DIFFERENCES: u64 = 64 << 20;

/// Converts every file on its own: in place, or below the directory `output`.
pub(crate) fn run(arguments: &Convert, output: Option<&Path>, failures: &mut Failures) -> anyhow::Result<()> {
    let places = &arguments.places;
    let prints = places.verbose || places.is_dry();
    let shows_progress = io::stderr().is_terminal() && !(prints && io::stdout().is_terminal());
    let suffix = places.suffix.as_deref();
    let mut walk = arguments.selection.walk();
    (walk.output, walk.suffix, walk.lengths) = (output, suffix, shows_progress);
    let mut files = select(&arguments.files, &walk);
    files.failures.drain(..).for_each(|error| failures.add(&explanation::file_error(error)));
    let minus = Path::new("-");
    if arguments.files.iter().any(|file| file == minus) && !minus.exists() {
        say("\"-\" is the name of a file here, because standard input has no place and no name");
    }
    if let Some(output) = output {
        check_names(&files, output)?;
    }
    check_paths(&files, arguments)?;
    if output.is_none() {
        files.look_for_leftovers();
        remove_leftovers(&files, places.is_dry(), failures);
    }
    let standard_output = match prints {
        true => Some(StandardOutput::open().context("cannot write to standard output")?),
        false => None,
    };
    let progress = Progress::new(shows_progress, files.selected.iter().map(|selected| selected.input.length).sum());
    let threads = arguments.selection.threads();
    let mut settings = arguments.conversion.settings()?;
    // Files side by side come first: they need no turns.
    settings.job.cores = Cores::new(threads / files.selected.len().max(1));
    let task = Task {
        settings,
        manner: places.manner(),
        break_hard_links: places.break_hard_links,
        names_all: places.verbose,
        is_quiet: places.quiet,
        output,
        progress: &progress,
    };
    let tally = Mutex::new(Tally::new(&files));
    let end = |selected: &Selected, mut report: Report<'_, '_>, outcome: Outcome| {
        if prints {
            report.print(&format!("{}: {}\n", selected.input.name, outcome.describe(places.is_dry())));
        }
        if let (Outcome::Converted(from), true) = (&outcome, places.is_dry())
            && (!places.diff || !task.show_diff(selected, &mut report, from.charset))
        {
            task.show_change(selected, &mut report, *from);
        }
        if let Outcome::Failed(error) = &outcome {
            report.say_error(error);
        } else if let (Outcome::Skipped(reason), true, false) = (&outcome, selected.is_named, prints) {
            report.say(&format!("{}: skipped: {}", selected.input.name, reason.describe(1)));
        }
        tally.lock().unwrap_or_else(PoisonError::into_inner).add(&outcome);
    };
    let desk = Desk::new(Printer::new(standard_output, &progress));
    {
        let group = Group::new(|Waiting { selected, mut report, from }, placed: io::Result<_>| {
            let outcome = placed.map(|lost| task.converted(selected, &mut report, from, lost));
            let outcome = outcome.with_context(|| cannot_write(selected));
            end(selected, report, outcome.unwrap_or_else(Outcome::Failed));
        });
        let work = |selected, report| {
            let mut report = Report::from(report);
            match task.convert(selected, &mut report, &|| group.place()) {
                Ok(Step::Ready(file, from)) => group.add(file, Waiting { selected, report, from }),
                Ok(Step::Done(outcome)) => end(selected, report, outcome),
                Err(error) => end(selected, report, Outcome::Failed(error)),
            }
        };
        let idle = || {
            group.place();
        };
        jobs::run(&desk, &files.selected, threads, !places.is_dry(), work, idle);
    }
    let mut printer = desk.into_printer();
    let (fallbacks, samples) = (printer.left_out(Topic::Fallback), printer.left_out(Topic::Sample));
    let printed = printer.result();
    let reported = task.settings.report.as_ref().map_or(Ok(()), |report| report.finish());
    let min_probability = task.settings.min_probability;
    // The bar goes before the last lines come.
    drop(progress);
    if fallbacks > 0 {
        let more = explanation::more_files(fallbacks, "is", "are");
        say(&format!("{more} read in the encoding of --fallback (--verbose names all)"));
    }
    if samples > 0 {
        let more = explanation::more_files(samples, "would", "would");
        say(&format!("{more} change; one line of each of the first {} is shown", Topic::LIMIT));
    }
    let mut tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(list) = tally.list_doubtful(min_probability) {
        say(&list);
    }
    failures.count(tally.failed);
    tally.failed = failures.number();
    // A conversion of one file says nothing, as with --output.
    let is_worth_a_line = files.selected.len() != 1 || !tally.skipped.is_empty() || tally.same > 0 || places.is_dry();
    if is_worth_a_line && !places.quiet {
        say(&tally.describe(places.is_dry(), arguments.conversion.to.encoding.name()));
    }
    reported?;
    printed.context("cannot write to standard output")
}

/// Fails if two files would be written to one name, or if the output directory is one of the directories that are read.
fn check_names(files: &Files, output: &Path) -> anyhow::Result<()> {
    let mut names = BTreeMap::new();
    for selected in &files.selected {
        if let Some(other) = names.insert(&selected.relative, &selected.input.name) {
            bail!(
                "{other} and {} would both be written to {}",
                selected.input.name,
                message::display(&output.join(&selected.relative))
            );
        }
    }
    Ok(())
}

/// Fails if a file that is read, or that another part of the run writes, would be written over.
fn check_paths(files: &Files, arguments: &Convert) -> anyhow::Result<()> {
    let places = &arguments.places;
    let mut paths = Paths::default();
    paths.write_standard_error();
    if places.verbose || places.is_dry() {
        paths.write_standard_output();
    }
    let report = arguments.conversion.report.as_deref();
    if report.is_none() && places.output_dir.is_none() {
        return Ok(());
    }
    files.selected.iter().for_each(|selected| paths.read(&selected.input));
    for Selected { input, relative, .. } in &files.selected {
        if let Some(directory) = &places.output_dir {
            paths.write_copy(&directory.join(relative), &input.name)?;
        }
        if let (Some(suffix), Some(path)) = (&places.suffix, input.path()) {
            let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            paths.keep_old("--suffix", &backup(&target, suffix), &input.name);
        }
    }
    match report {
        // Lines on standard output and the report can be one text.
        Some(path) if !names_standard_output(path) => paths.write("--report", path)?,
        _ => {}
    }
    Ok(())
}

/// Removes the temporary files of runs that were killed, and says so.
fn remove_leftovers(files: &Files, dry: bool, failures: &mut Failures) {
    for path in &files.leftovers {
        let name = message::display(path);
        if dry {
            say(&format!("{name}: a run that was killed seems to have left this file; the next run will remove it"));
            continue;
        }
        match remove_leftover(path) {
            Ok(true) => say(&format!("{name}: removed; a run that was killed had left this file")),
            Ok(false) => say(&format!("{name}: another run is writing this file")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                let context = format!("{name}: a run that was killed has left this file, and it cannot be removed");
                failures.add(&anyhow::Error::new(error).context(context));
            }
        }
    }
}

/// What all jobs have in common.
struct Task<'a> {
    settings: Settings,
    manner: Manner,
    break_hard_links: bool,
    /// Whether each file that takes the fallback is named, however many there are.
    names_all: bool,
    is_quiet: bool,
    /// The output directory; `None` in place.
    output: Option<&'a Path>,
    progress: &'a Progress,
}

/// The first part of the work on a file.
enum Step {
    /// The file is to be put into its place.
    Ready(Box<Ready>, Source),
    Done(Outcome),
}

/// A file that waits for others.
struct Waiting<'a, 'p> {
    selected: &'a Selected,
    report: Report<'a, 'p>,
    from: Source,
}

/// The result of writing a file.
enum Written {
    /// The content is that of the old file.
    Same,
    /// There is a sentence for each attribute that the new file could not keep.
    Other(Vec<String>),
    Ready(Box<Ready>),
}

impl From<Rewritten> for Written {
    fn from(rewritten: Rewritten) -> Self {
        match rewritten {
            Rewritten::Same => Written::Same,
            Rewritten::Dry => Written::Other(Vec::new()),
            Rewritten::Ready(ready) => Written::Ready(ready),
        }
    }
}

fn cannot_write(selected: &Selected) -> String {
    format!("cannot write {}", selected.input.name)
}

impl Task<'_> {
    /// Converts a file. If the disk is full, and `make_space` puts files into their places, so that the disk has the
    /// space of the old ones again, there is a second attempt.
    fn convert(
        &self,
        selected: &Selected,
        report: &mut Report<'_, '_>,
        make_space: &dyn Fn() -> bool,
    ) -> anyhow::Result<Step> {
        let is_full = |error: &anyhow::Error| {
            let cause = error.downcast_ref::<io::Error>();
            // A second attempt would add everything that is replaced to the report again.
            self.settings.report.is_none() && cause.is_some_and(|cause| cause.kind() == io::ErrorKind::StorageFull)
        };
        match self.try_convert(selected, report) {
            Err(error) if is_full(&error) && make_space() => self.try_convert(selected, report),
            result => result,
        }
    }

    fn try_convert(&self, selected: &Selected, report: &mut Report<'_, '_>) -> anyhow::Result<Step> {
        let Selected { input, relative, is_named, .. } = selected;
        let cannot_read = || format!("cannot read {}", input.name);
        let path = input.path().expect("many files are never standard input");
        // The search through a directory gives no symbolic links.
        let is_link = *is_named && path.is_symlink();
        let target = if is_link { fs::canonicalize(path).with_context(cannot_read)? } else { path.to_owned() };
        let old = Old::open(&target).with_context(cannot_read)?;
        let loaded = old.content().map(|content| input.with_content(content));
        let input = loaded.as_ref().unwrap_or(input);
        let settings = &settings_for(&self.settings, input)?;
        match self.output {
            None => {
                let rewrite = Rewrite::new(target, old, &self.manner);
                let links = rewrite.links();
                if links > 1 && !self.break_hard_links && !rewrite.has_backup() {
                    bail!(
                        "{}: the file has {links} names (hard links)\n  \
                         With --break-hard-links, this name gets a file of its own.",
                        input.name
                    );
                }
                let finish = |rewrite: Rewrite<'_>| rewrite.finish().map(Written::from);
                self.run(settings, selected, input, report, rewrite, finish, || cannot_write(selected))
            }
            Some(directory) => {
                let target = directory.join(relative);
                let cannot_write = || format!("cannot write {}", message::display(&target));
                let output = self.open(input, old, &target).with_context(cannot_write)?;
                self.run(settings, selected, input, report, output, Sink::complete, cannot_write)
            }
        }
    }

    /// Converts `input`, which is `selected` or its content, to `output`, which `finish` ends.
    #[expect(clippy::too_many_arguments, reason = "two callers that differ in the type of the output")]
    fn run<W: Write>(
        &self,
        settings: &Settings,
        selected: &Selected,
        input: &Input,
        report: &mut Report<'_, '_>,
        output: W,
        finish: impl FnOnce(W) -> io::Result<Written>,
        cannot_write: impl Fn() -> String,
    ) -> anyhow::Result<Step> {
        let rules = Rules { declarations: Action::of(settings.declarations, true), refuse_binary: !settings.force };
        let mut converter = Converter::new(settings.job.options.clone(), Writer(output));
        let progress = |length| self.progress.advance(length);
        let converted = match &settings.report {
            Some(list) => {
                let observer = |replacement: &Replacement<'_>| list.add(&input.name, replacement);
                files::convert(&settings.job, rules, input, &mut converter, Some(&observer), progress)
            }
            None => files::convert(&settings.job, rules, input, &mut converter, None, progress),
        };
        let done = match converted {
            Ok(done) => done,
            Err(Stopped::Binary(_)) => return Ok(Step::Done(Outcome::Skipped(Skipped::Binary))),
            Err(Stopped::Input(error) | Stopped::Text(error)) => return Err(explanation::error(&input.name, error)),
            Err(Stopped::Output(error)) => return Err(error).with_context(cannot_write),
        };
        if settings.is_doubtful(&done) {
            return Ok(Step::Done(Outcome::Doubtful(format!("{}: {}", input.name, explanation::guess(&done)))));
        }
        let (Writer(output), replaced) = converter.finish().with_context(&cannot_write)?;
        let written = finish(output).with_context(cannot_write)?;
        explanation::notes(&input.name, &done, settings).iter().for_each(|note| report.say(note));
        let (from, is_fallback) = (done.from, done.choice == Some(Choice::Fallback));
        if is_fallback && !self.is_quiet {
            let note = explanation::fallback(&input.name, from);
            if self.names_all { report.say(&note) } else { report.say_some(Topic::Fallback, &note) }
        }
        let from = Source { charset: from, is_fallback, reason: done.reason };
        if !Replaced::is_nothing(&replaced) {
            report.say(&replaced.to_string());
        }
        Ok(match written {
            Written::Ready(file) => Step::Ready(file, from),
            Written::Same => Step::Done(Outcome::Same(settings.job.options.to.name())),
            Written::Other(lost) => Step::Done(self.converted(selected, report, from, lost)),
        })
    }

    /// The outcome for a file that is converted from the encoding `from`, after its new file has lost these attributes.
    fn converted(&self, selected: &Selected, report: &mut Report<'_, '_>, from: Source, lost: Vec<String>) -> Outcome {
        lost.iter().for_each(|lost| report.say(&format!("{}: {lost}", selected.input.name)));
        Outcome::Converted(from)
    }

    /// Opens a file in the output directory, and creates the directories above it.
    fn open(&self, input: &Input, old: Old, target: &Path) -> anyhow::Result<Sink> {
        let check = || match input.path().is_some_and(|path| are_same(path, target)) {
            true => Err(io::Error::other("this is the file that is read; --in-place converts it")),
            false => Ok(()),
        };
        let Old { metadata, bytes, .. } = old;
        let mut sink = Sink { comparison: Comparison::new(bytes), output: None, old: None };
        if self.manner.dry {
            check()?;
            return Ok(sink);
        }
        sink.output = Some(Output::create(target, permissions(&metadata), check)?);
        sink.old = self.manner.keep_time.then_some(metadata);
        Ok(sink)
    }

    /// Shows a line of a file that would change, and the evidence for its encoding.
    fn show_change(&self, selected: &Selected, report: &mut Report<'_, '_>, from: Source) {
        let input = &selected.input;
        // A file that cannot be read was an error before.
        let changed = input.open().ok().and_then(|bytes| sample::changed_line(bytes, from.charset).ok().flatten());
        if let Some((before, after)) = changed {
            let evidence = self.evidence(input, from).map(|evidence| format!("  evidence: {evidence}\n"));
            let evidence = evidence.unwrap_or_default();
            report.print_some(Topic::Sample, &format!("  before: {before}\n  after:  {after}\n{evidence}"));
        }
    }

    /// What tells the encoding of a file; `None` if the user has named it.
    fn evidence(&self, input: &Input, from: Source) -> Option<String> {
        if self.settings.job.from != SourceEncoding::Auto || from.is_fallback {
            return None;
        }
        if let Some(reason) = from.reason {
            return Some(format!("a guess: {reason}"));
        }
        let found = input.open().and_then(|mut bytes| reading::find_out(input.path(), &mut bytes)).ok()?;
        let mark = from.charset.bom();
        Some(match () {
            () if !mark.is_empty() && found.start.starts_with(mark) => "the byte order mark".to_owned(),
            () if found.encoding.is_none() => "the definition of .properties files".to_owned(),
            () if found.is_undeclared => "the structure of the bytes".to_owned(),
            () => "the declaration in the file".to_owned(),
        })
    }

    /// Shows all lines of a file that would change. `false` if the file is too long.
    fn show_diff(&self, selected: &Selected, report: &mut Report<'_, '_>, from: Charset) -> bool {
        let input = &selected.input;
        let mut old = Vec::new();
        let read = input.open().and_then(|bytes| bytes.take(DIFFERENCES + 1).read_to_end(&mut old));
        // A file that cannot be read was an error before, and so was one that cannot be converted.
        if read.is_err() || old.len() as u64 > DIFFERENCES {
            return false;
        }
        let Ok(settings) = settings_for(&self.settings, input) else { return false };
        let rules = Rules { declarations: Action::of(settings.declarations, true), refuse_binary: !settings.force };
        let mut converter = Converter::new(settings.job.options.clone(), Writer(Vec::new()));
        let content = input.with_content(Arc::from(&*old));
        if files::convert(&settings.job, rules, &content, &mut converter, None, |_| ()).is_err() {
            return false;
        }
        let Ok((Writer(new), _)) = converter.finish() else { return false };
        let to = settings.job.options.to;
        report.print(&format!("--- {} ({from})\n+++ {} ({to})\n", input.name, input.name));
        for Difference { number, before, after } in sample::differences(&old, from, &new, to) {
            report.print(&painted(&format!("@@ -{number} +{number} @@"), 6));
            let lines = [(before, '-', 1), (after, '+', 2)];
            for (line, sign, color) in lines.into_iter().filter_map(|(line, sign, color)| Some((line?, sign, color))) {
                report.print(&painted(&format!("{sign}{line}"), color));
            }
        }
        true
    }
}

/// A line, with its end, in a color if colors are wanted.
fn painted(line: &str, color: u8) -> String {
    if color::is_wanted_on_output() { color::paint(line, color) + "\n" } else { format!("{line}\n") }
}

/// The permissions of a file, as far as a new file takes them over.
fn permissions(metadata: &fs::Metadata) -> u32 {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::mode(metadata) & 0o777;
    #[cfg(not(unix))]
    {
        let _ = metadata;
        0o666
    }
}

/// A file in the output directory.
struct Sink {
    comparison: Comparison,
    /// `None` if nothing is to be written.
    output: Option<Output>,
    /// The old file, whose time the new file gets.
    old: Option<fs::Metadata>,
}

impl Sink {
    /// Gives the file its name.
    fn complete(mut self) -> io::Result<Written> {
        let is_same = self.comparison.is_same()?;
        if let (Some(output), Some(old)) = (&self.output, &self.old) {
            output.set_modified(old)?;
        }
        let lost = match self.output {
            // The old file, which has the text, stays.
            Some(output) => output.complete_without_waiting()?,
            None => Vec::new(),
        };
        Ok(if is_same { Written::Same } else { Written::Other(lost) })
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = match &mut self.output {
            Some(output) => output.write(bytes)?,
            None => bytes.len(),
        };
        self.comparison.observe(&bytes[..length])?;
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.as_mut().map_or(Ok(()), Output::flush)
    }
}
