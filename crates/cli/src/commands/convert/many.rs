//! `textcodec convert --in-place` and `--output-dir`: many files, each on its own.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, IsTerminal, Read, Write},
    path::Path,
    sync::{Mutex, PoisonError},
};

use anyhow::{Context, bail};
use same_file::Handle;
use textcodec::{DecodeStatus, DecoderErrorMode, UTF_8};

use crate::{
    arguments::Convert,
    charset::Charset,
    converter::{Converter, Replaced},
    input::Input,
    job::{self, Action, Done, Rules, Stopped},
    jobs::{self, Report},
    label::SourceEncoding,
    message::{self, Failures, say},
    new_file,
    output::Output,
    progress::Progress,
    rewrite::{Comparison, Manner, Old, Rewrite},
    selection::{self, Files, Selected, Skipped, Walk},
    settings::Settings,
    standard_streams::StandardOutput,
};

/// Converts every file on its own: in place, or below the directory `output`.
pub(crate) fn run(arguments: &Convert, output: Option<&Path>, failures: &mut Failures) -> anyhow::Result<()> {
    let places = &arguments.places;
    let walk = Walk { output, suffix: places.suffix.as_deref(), standard_input: false };
    let mut files = selection::select(&arguments.files, &arguments.selection, walk, failures);
    if let Some(output) = output {
        check_names(&files, output)?;
    } else {
        files.look_for_leftovers();
        remove_leftovers(&files, places.dry_run, failures);
    }
    let prints = places.verbose || places.dry_run;
    let standard_output = match prints {
        true => Some(StandardOutput::open().context("cannot write to standard output")?),
        false => None,
    };
    let wanted = io::stderr().is_terminal() && !(prints && io::stdout().is_terminal());
    let progress = Progress::new(wanted, files.selected.iter().map(|selected| selected.input.length).sum());
    let task = Task {
        settings: arguments.conversion.settings()?,
        manner: places.manner(),
        break_hard_links: places.break_hard_links,
        output,
        progress: &progress,
    };
    let tally = Mutex::new(Tally::new(&files));
    let work = |selected: &Selected, report: &mut Report<'_>| {
        let outcome = task.convert(selected, report);
        if prints {
            report.print(&format!("{}: {}\n", selected.input.name, outcome.describe(places.dry_run)));
        }
        if let Outcome::Failed(error) = &outcome {
            report.say_error(error);
        } else if let (Outcome::Skipped(reason), true, false) = (&outcome, selected.is_named, prints) {
            report.say(&format!("{}: skipped: {}", selected.input.name, reason.describe(1)));
        }
        tally.lock().unwrap_or_else(PoisonError::into_inner).add(&outcome);
    };
    let threads = arguments.selection.threads();
    let printed = jobs::run(&files.selected, threads, standard_output, !places.dry_run, &progress, work);
    let reported = task.settings.report.as_ref().map_or(Ok(()), |report| report.finish());
    // The bar goes before the last line comes.
    drop(progress);
    let mut tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    failures.count(tally.failed);
    tally.failed = failures.number();
    // A conversion of one file says nothing, as with --output.
    let is_worth_a_line = files.selected.len() != 1 || !tally.skipped.is_empty() || places.dry_run;
    if is_worth_a_line && !places.quiet {
        say(&tally.describe(places.dry_run, arguments.conversion.to.encoding.name()));
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

/// Removes the temporary files of runs that were killed, and says so.
fn remove_leftovers(files: &Files, dry: bool, failures: &mut Failures) {
    for path in &files.leftovers {
        let name = message::display(path);
        if dry {
            say(&format!("{name}: a run that was killed seems to have left this file; the next run will remove it"));
            continue;
        }
        match new_file::remove_leftover(path) {
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
    /// The output directory; `None` in place.
    output: Option<&'a Path>,
    progress: &'a Progress,
}

/// What has become of one file.
enum Outcome {
    /// The name is that of the encoding of the old file.
    Converted(&'static str),
    /// The bytes in the target encoding are those that were there already.
    Same(&'static str),
    Skipped(Skipped),
    Failed(anyhow::Error),
}

impl Outcome {
    fn describe(&self, dry: bool) -> String {
        match self {
            Outcome::Converted(from) if dry => format!("would be converted from {from}"),
            Outcome::Converted(from) => format!("converted from {from}"),
            Outcome::Same(to) => format!("already {to}"),
            Outcome::Skipped(reason) => format!("skipped: {}", reason.describe(1)),
            Outcome::Failed(_) => "failed".to_owned(),
        }
    }
}

impl Task<'_> {
    fn convert(&self, selected: &Selected, report: &mut Report<'_>) -> Outcome {
        match self.try_convert(selected, report) {
            Ok(outcome) => outcome,
            Err(error) => Outcome::Failed(error),
        }
    }

    fn try_convert(&self, selected: &Selected, report: &mut Report<'_>) -> anyhow::Result<Outcome> {
        let Selected { input, relative, is_named } = selected;
        let cannot_read = || format!("cannot read {}", input.name);
        let path = input.path().expect("many files are never standard input");
        // The search through a directory gives no symbolic links.
        let is_link = *is_named && path.is_symlink();
        let target = if is_link { fs::canonicalize(path).with_context(cannot_read)? } else { path.to_owned() };
        let old = Old::open(&target).with_context(cannot_read)?;
        let loaded = old.content().map(|content| input.with_content(content));
        let input = loaded.as_ref().unwrap_or(input);
        let settings = &self.settings_for(input).with_context(cannot_read)?;
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
                self.run(settings, input, report, rewrite, Rewrite::complete, || format!("cannot write {}", input.name))
            }
            Some(directory) => {
                let target = directory.join(relative);
                let cannot_write = || format!("cannot write {}", message::display(&target));
                let output = self.open(input, old, &target).with_context(cannot_write)?;
                self.run(settings, input, report, output, Sink::complete, cannot_write)
            }
        }
    }

    /// Converts `input` to `output`, which `complete` puts into its place.
    fn run<W: Write>(
        &self,
        settings: &Settings,
        input: &Input,
        report: &mut Report<'_>,
        output: W,
        complete: impl FnOnce(W) -> io::Result<Option<Vec<String>>>,
        cannot_write: impl Fn() -> String,
    ) -> anyhow::Result<Outcome> {
        let rules = Rules { declarations: Action::of(settings.declarations, true), refuse_binary: !settings.force };
        let mut converter = Converter::new(settings, output);
        let converted = job::convert(settings, rules, input, &mut converter, |length| self.progress.advance(length));
        let Done { from, notes } = match converted {
            Ok(done) => done,
            Err(Stopped::Binary(_)) => return Ok(Outcome::Skipped(Skipped::Binary)),
            Err(Stopped::Input(error) | Stopped::Text(error)) => return Err(error),
            Err(Stopped::Output(error)) => return Err(error).with_context(cannot_write),
        };
        notes.iter().for_each(|note| report.say(note));
        let (output, replaced) = converter.finish().with_context(&cannot_write)?;
        let lost = complete(output).with_context(cannot_write)?;
        if !Replaced::is_nothing(&replaced) {
            report.say(&replaced.to_string());
        }
        Ok(match lost {
            None => Outcome::Same(settings.to.name()),
            Some(lost) => {
                lost.iter().for_each(|lost| report.say(&format!("{}: {lost}", input.name)));
                Outcome::Converted(from.name())
            }
        })
    }

    /// Opens a file in the output directory, and creates the directories above it.
    fn open(&self, input: &Input, old: Old, target: &Path) -> anyhow::Result<Sink> {
        if Handle::from_path(target).is_ok_and(|existing| input.is(&existing)) {
            bail!("this is the file that is read; --in-place converts it");
        }
        let Old { metadata, bytes } = old;
        let mut sink = Sink { comparison: Comparison::new(bytes), output: None, old: None };
        if self.manner.dry {
            return Ok(sink);
        }
        if let Some(directory) = target.parent() {
            fs::create_dir_all(directory)?;
        }
        sink.output = Some(Output::create(target, permissions(&metadata))?);
        sink.old = self.manner.keep_time.then_some(metadata);
        Ok(sink)
    }

    /// The settings for one file. Text that is in UTF-8 already must not be decoded a second time.
    fn settings_for(&self, input: &Input) -> io::Result<Settings> {
        let mut settings = self.settings.clone();
        let SourceEncoding::Label(from) = settings.from else { return Ok(settings) };
        let utf_8 = Charset::Standard(UTF_8);
        if settings.to == utf_8 && from != utf_8 && !settings.force && is_utf_8(input)? {
            settings.from = SourceEncoding::Label(utf_8);
        }
        Ok(settings)
    }
}

/// Whether the bytes of a file are UTF-8 from start to end, and not all of them are ASCII.
fn is_utf_8(input: &Input) -> io::Result<bool> {
    let mut bytes = input.open().map_err(io::Error::other)?;
    let mut decoder = UTF_8.new_decoder();
    let mut piece = vec![0; 64 * 1024];
    let mut text = String::with_capacity(piece.len());
    let mut is_ascii = true;
    loop {
        let length = match bytes.read(&mut piece) {
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let mut rest = &piece[..length];
        is_ascii = is_ascii && rest.is_ascii();
        loop {
            let result =
                decoder.decode_to_string_within_capacity(rest, &mut text, length == 0, DecoderErrorMode::Fatal);
            rest = &rest[result.read..];
            text.clear();
            match result.status {
                DecodeStatus::InputEmpty => break,
                DecodeStatus::OutputFull => {}
                DecodeStatus::Malformed(_) => return Ok(false),
            }
        }
        if length == 0 {
            return Ok(!is_ascii);
        }
    }
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
    /// Gives the file its name. Returns `None` if its content is that of the old file.
    fn complete(mut self) -> io::Result<Option<Vec<String>>> {
        let is_same = self.comparison.is_same()?;
        if let (Some(output), Some(old)) = (&self.output, &self.old) {
            output.set_modified(old)?;
        }
        let lost = self.output.map_or(Ok(Vec::new()), Output::complete)?;
        Ok((!is_same).then_some(lost))
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

/// The number of files by what has become of them.
struct Tally {
    converted: usize,
    same: usize,
    skipped: BTreeMap<Skipped, usize>,
    failed: usize,
}

impl Tally {
    /// The files that are no files of the run.
    fn new(files: &Files) -> Self {
        let mut tally = Tally { converted: 0, same: 0, skipped: BTreeMap::new(), failed: 0 };
        files.skipped.iter().for_each(|(_, reason)| *tally.skipped.entry(*reason).or_default() += 1);
        tally
    }

    fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Converted(_) => self.converted += 1,
            Outcome::Same(_) => self.same += 1,
            Outcome::Skipped(reason) => *self.skipped.entry(*reason).or_default() += 1,
            Outcome::Failed(_) => self.failed += 1,
        }
    }

    fn describe(&self, dry: bool, to: &str) -> String {
        let skipped: usize = self.skipped.values().sum();
        let reasons: Vec<_> =
            self.skipped.iter().map(|(reason, &number)| format!("{number} {}", reason.describe(number))).collect();
        let reasons = if skipped > 0 { format!(" ({})", reasons.join(", ")) } else { String::new() };
        format!(
            "{}{} converted, {} already {to}, {skipped} skipped{reasons}, {} failed",
            if dry { "nothing is written; " } else { "" },
            self.converted,
            self.same,
            self.failed
        )
    }
}
