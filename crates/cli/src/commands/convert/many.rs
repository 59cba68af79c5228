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
        self, Action, Comparison, Done, Files, Group, Input, Manner, Old, Output, Paths, Ready, Rewrite, Rewritten,
        Rules, Selected, Skipped, Stopped, are_same, backup, jobs, names_standard_output, reading, remove_leftover,
        select,
    },
    guess::Reason,
    visible::json_string,
};

use super::{
    settings_for,
    tally::{Evidence, Outcome, Source, Tally},
};
use crate::{
    arguments::Convert,
    color, explanation,
    jobs::{Desk, Printer, Report, Topic},
    json,
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
    let prints = places.prints();
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
        shows_evidence: places.is_dry() || places.json,
        names_all: places.verbose,
        is_quiet: places.quiet,
        output,
        progress: &progress,
    };
    let tally = Mutex::new(Tally::new(&files));
    let end = |selected: &Selected, mut report: Report<'_, '_>, outcome: Outcome| {
        if places.json {
            report.print(&task.to_json(selected, &outcome));
        } else if prints {
            report.print(&format!("{}: {}\n", selected.input.name, outcome.describe(places.is_dry())));
        }
        if let (Outcome::Converted(from), true, false) = (&outcome, places.is_dry(), places.json)
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
    let is_worth_a_line =
        files.selected.len() != 1 || !tally.skipped.is_empty() || tally.same + tally.copied > 0 || places.is_dry();
    if is_worth_a_line && !places.quiet {
        let output = output.map(message::display);
        say(&tally.describe(places.is_dry(), arguments.conversion.to.encoding.name(), output.as_deref()));
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
    if places.prints() {
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
    /// Whether somebody sees what tells the encoding of each file.
    shows_evidence: bool,
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
                    let text = format!(
                        "{}: the file has {links} names (hard links)\n  \
                         With --break-hard-links, this name gets a file of its own.",
                        input.name
                    );
                    return Err(explanation::explained("hard-links", text));
                }
                let finish = |rewrite: Rewrite<'_>| rewrite.finish().map(Written::from);
                self.run(settings, selected, input, report, rewrite, finish, || cannot_write(selected))
            }
            Some(directory) => {
                let path = target;
                let target = directory.join(relative);
                let cannot_write = || format!("cannot write {}", message::display(&target));
                let output = self.open(input, old, &target).with_context(cannot_write)?;
                match self.run(settings, selected, input, report, output, Sink::complete, cannot_write)? {
                    Step::Done(Outcome::Skipped(reason)) => {
                        let lost = self.copy(input, &path, &target).with_context(cannot_write)?;
                        lost.iter().for_each(|lost| report.say(&format!("{}: {lost}", input.name)));
                        Ok(Step::Done(Outcome::Copied(reason)))
                    }
                    step => Ok(step),
                }
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
        let lines = settings.report.as_ref().map(|list| list.lines(&input.name));
        let converted = match &lines {
            Some(lines) => {
                let observer = |replacement: &Replacement<'_>| lines.add(replacement);
                files::convert(&settings.job, rules, input, &mut converter, Some(&observer), progress)
            }
            None => files::convert(&settings.job, rules, input, &mut converter, None, progress),
        };
        let is_skipped = match &converted {
            Ok(done) => settings.is_doubtful(done),
            Err(stopped) => matches!(stopped, Stopped::Binary(_)),
        };
        if let (Some(lines), false) = (lines, is_skipped) {
            lines.end();
        }
        let done = match converted {
            Ok(done) => done,
            Err(Stopped::Binary(_)) => return Ok(Step::Done(Outcome::Skipped(Skipped::Binary))),
            Err(Stopped::Input(error) | Stopped::Text(error)) => return Err(explanation::error(&input.name, error)),
            Err(Stopped::Output(error)) => return Err(error).with_context(cannot_write),
        };
        let (from, is_fallback) = (done.from, done.choice == Some(Choice::Fallback));
        let evidence = self.evidence(settings, input, &done);
        let source = Source { charset: from, is_fallback, reason: done.reason, evidence };
        if settings.is_doubtful(&done) {
            let line = format!("{}: {}", input.name, explanation::guess(&done));
            return Ok(Step::Done(Outcome::Doubtful(source, line)));
        }
        let (Writer(output), replaced) = converter.finish().with_context(&cannot_write)?;
        let written = finish(output).with_context(cannot_write)?;
        explanation::notes(&input.name, &done, settings).iter().for_each(|note| report.say(note));
        if is_fallback && !self.is_quiet {
            let note = explanation::fallback(&input.name, from);
            if self.names_all { report.say(&note) } else { report.say_some(Topic::Fallback, &note) }
        }
        if !Replaced::is_nothing(&replaced) {
            report.say(&replaced.to_string());
        }
        Ok(match written {
            Written::Ready(file) => Step::Ready(file, source),
            Written::Same => Step::Done(Outcome::Same(source, settings.job.options.to.name())),
            Written::Other(lost) => Step::Done(self.converted(selected, report, source, lost)),
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

    /// Copies a file that looks binary, at `path`, to the output directory. Returns a sentence for each attribute that
    /// the new file could not keep.
    fn copy(&self, input: &Input, path: &Path, target: &Path) -> anyhow::Result<Vec<String>> {
        let mut bytes = Old::open(path)?.bytes;
        let mut sink = self.open(input, Old::open(path)?, target)?;
        if let Some(output) = &mut sink.output {
            io::copy(&mut bytes, output)?;
        }
        Ok(match sink.complete()? {
            Written::Other(lost) => lost,
            Written::Same | Written::Ready(_) => Vec::new(),
        })
    }

    /// A line of a file before and after the conversion, if there is one that shows its encoding.
    fn changed_line(&self, selected: &Selected, from: Source) -> Option<(String, String)> {
        // A file that cannot be read was an error before.
        let bytes = selected.input.open().ok()?;
        sample::changed_line(bytes, from.charset, self.settings.job.ignore_bom).ok().flatten()
    }

    /// Shows a line of a file that would change, and the evidence for its encoding.
    fn show_change(&self, selected: &Selected, report: &mut Report<'_, '_>, from: Source) {
        if let Some((before, after)) = self.changed_line(selected, from) {
            let evidence = match from.evidence {
                Evidence::Option | Evidence::Fallback => None,
                Evidence::Guess => from.reason.map(|reason| format!("a guess: {reason}")),
                Evidence::ByteOrderMark => Some("the byte order mark".to_owned()),
                Evidence::Declaration => Some("the declaration in the file".to_owned()),
                Evidence::Default => Some("the default of XML and CSS".to_owned()),
                Evidence::Definition => Some("the definition of .properties files".to_owned()),
                Evidence::Structure => Some("the structure of the bytes".to_owned()),
            };
            let evidence = evidence.map(|evidence| format!("  evidence: {evidence}\n")).unwrap_or_default();
            report.print_some(Topic::Sample, &format!("  before: {before}\n  after:  {after}\n{evidence}"));
        }
    }

    /// What tells the encoding of a file. Only output about each file needs to know whether it is a byte order mark, a
    /// declaration or the structure.
    fn evidence(&self, settings: &Settings, input: &Input, done: &Done) -> Evidence {
        match done.choice {
            Some(Choice::Fallback) => return Evidence::Fallback,
            Some(Choice::Guess) => return Evidence::Guess,
            _ => {}
        }
        let is_named = settings.job.from != SourceEncoding::Auto;
        let has_mark = |start: &[u8]| {
            let mark = done.from.bom();
            !mark.is_empty() && start.starts_with(mark) && !settings.job.ignore_bom
        };
        if !self.shows_evidence {
            return Evidence::Option;
        }
        let Ok(found) = input.open().and_then(|mut bytes| reading::find_out(input.path(), &mut bytes)) else {
            return Evidence::Option;
        };
        match () {
            () if has_mark(&found.start) => Evidence::ByteOrderMark,
            () if is_named => Evidence::Option,
            () if found.encoding.is_none() => Evidence::Definition,
            () if found.is_default => Evidence::Default,
            () if found.is_undeclared => Evidence::Structure,
            () => Evidence::Declaration,
        }
    }

    /// The object about a file, as a line.
    fn to_json(&self, selected: &Selected, outcome: &Outcome) -> String {
        let or_null = |text: Option<&str>| text.map_or("null".to_owned(), json_string);
        let input = &selected.input;
        let from = outcome.source();
        let (kind, message) = match outcome {
            Outcome::Converted(_) | Outcome::Same(..) => (None, None),
            Outcome::Skipped(_) | Outcome::Copied(_) => (Some("binary"), Some("the file looks binary".to_owned())),
            Outcome::Doubtful(..) => (Some("uncertain"), Some(outcome.describe(false))),
            Outcome::Failed(error) => {
                let (kind, sentence) = explanation::kind_and_sentence(&input.name, error);
                (Some(kind), Some(sentence))
            }
        };
        let changed = match (outcome, self.manner.dry) {
            (Outcome::Converted(from), true) => self.changed_line(selected, *from),
            _ => None,
        };
        let (before, after) = changed.unzip();
        let probability = from.and_then(|from| from.reason?.probability());
        let language = from.and_then(|from| match from.reason? {
            Reason::Statistics { language, .. } => language,
            _ => None,
        });
        format!(
            r#"{{{},"outcome":"{}","encoding":{},"evidence":{},"language":{},"probability":{},"to":"{}","kind":{},"message":{},"before":{},"after":{}}}{}"#,
            json::file(input.path()),
            outcome.name(),
            or_null(from.map(|from| from.charset.name())),
            or_null(from.map(|from| from.evidence.name())),
            or_null(language),
            probability.map_or("null".to_owned(), |number| format!("{number:.4}")),
            self.settings.job.options.to,
            or_null(kind),
            or_null(message.as_deref()),
            or_null(before.as_deref()),
            or_null(after.as_deref()),
            "\n",
        )
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The help of --diff says so.
    #[test]
    fn a_file_of_64_mib_is_shown_as_a_whole() {
        assert_eq!(DIFFERENCES, 64 * 1024 * 1024);
    }
}
