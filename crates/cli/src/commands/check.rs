//! `textcodec check`: all problems of the text in files.

mod config;
mod sarif;

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    io::{self, IsTerminal, Read, Write},
    ops::ControlFlow,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use anyhow::Context;
use textcodec_convert::{
    Charset, Checker, Kind, Position, Problem, Rule, Severity, SourceEncoding,
    binary::looks_binary,
    damage::{self, Damage, Damaged},
    detection::Found,
    files::{Input, Selected, Skipped, jobs, reading, select},
    fix, mixture_in_start,
    visible::json_string,
};

use self::{
    config::{Config, Settings},
    sarif::Sarif,
};
use crate::{
    arguments::Check,
    color, explanation, input,
    jobs::{Desk, Printer, Report},
    json,
    message::{Failures, say},
    output::Output,
    progress::Progress,
    sample::{self, Difference},
    standard_streams::StandardOutput,
};

/// The size of each buffer in bytes.
const BUFFER: usize = 64 * 1024;

/// The greatest length in bytes of a file that --fix changes. All of it is in memory.
const LONGEST_FIX: u64 = 256 * 1024 * 1024;

/// The number of bytes at the start of a file that tell whether it looks binary.
const BINARY: usize = 8 * 1024;

/// Checks all files. Returns whether one of them has an error.
pub(crate) fn run(arguments: &Check, failures: &mut Failures) -> anyhow::Result<bool> {
    let config = if arguments.no_config { Config::default() } else { Config::read(arguments.config.as_deref())? };
    let sarif = arguments.sarif.then(Sarif::default);
    let files = if arguments.files.is_empty() { &[PathBuf::from("-")][..] } else { &arguments.files };
    let mut walk = arguments.selection.walk();
    walk.streams = Some(input::open_standard);
    walk.lengths = io::stderr().is_terminal();
    let mut found = select(files, &walk);
    let selected = found.selected.len();
    found.selected.retain(|selected| !config.of(selected.input.path()).is_skipped);
    let by_configuration = selected - found.selected.len();
    if arguments.fix && arguments.denied().is_empty() && !config.denies() {
        say("--fix corrects only what --deny or the configuration file denies, and nothing is denied");
    }
    found.failures.drain(..).for_each(|error| failures.add(&explanation::file_error(error)));
    let output = match arguments.quiet {
        true => None,
        false => Some(StandardOutput::open().context("cannot write to standard output")?),
    };
    let is_typed = found.selected.iter().any(|selected| selected.input.is_terminal());
    let wanted = io::stderr().is_terminal() && !is_typed && (arguments.quiet || !io::stdout().is_terminal());
    let progress = Progress::new(wanted, found.selected.iter().map(|selected| selected.input.length).sum());
    let (with_errors, binary) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let unread = Mutex::new(0);
    let numbers: HashMap<&str, usize> =
        found.selected.iter().zip(0..).map(|(selected, number)| (&*selected.input.name, number)).collect();
    let work = |selected: &Selected, report| {
        let mut report = Report::from(report);
        let mut settings = config.of(selected.input.path());
        settings.levels.deny(&arguments.denied());
        settings.levels.allow(&arguments.allowed());
        let number = numbers.get(&*selected.input.name).copied().unwrap_or_default();
        let mut file = FileCheck::new(arguments, settings, &selected.input, &mut report);
        file.sarif = sarif.as_ref().map(|sarif| (sarif, number));
        let fixed = if arguments.fix { file.fix() } else { Ok(()) };
        let checked = fixed.and_then(|()| match arguments.diff {
            true => Ok(file.result()),
            false => file.check(selected, &progress),
        });
        match checked {
            Ok(Checked::Fine) => {}
            Ok(Checked::HasErrors) => drop(with_errors.fetch_add(1, Ordering::Relaxed)),
            Ok(Checked::Binary) => drop(binary.fetch_add(1, Ordering::Relaxed)),
            Err(error) => {
                report.say_error(&error);
                *unread.lock().unwrap_or_else(PoisonError::into_inner) += 1;
            }
        }
    };
    let threads = arguments.selection.threads();
    let desk = Desk::new(Printer::new(output, &progress));
    jobs::run(&desk, &found.selected, threads, false, work, || ());
    let printed = desk.into_printer().result();
    let printed = printed.and_then(|()| match sarif.filter(|_| !arguments.quiet) {
        Some(sarif) => {
            let mut output = StandardOutput::open()?;
            output.write_all(sarif.into_text().as_bytes())?;
            output.flush()
        }
        None => Ok(()),
    });
    drop(progress);
    let unread = unread.into_inner().unwrap_or_else(PoisonError::into_inner);
    failures.count(unread);
    let (with_errors, binary) = (with_errors.into_inner(), binary.into_inner());
    if arguments.selection.recursive && !arguments.quiet && !arguments.json && !arguments.sarif && !arguments.diff {
        let checked = found.selected.len() - binary - unread;
        let mut reasons: BTreeMap<Skipped, usize> = BTreeMap::new();
        found.skipped.iter().for_each(|(_, reason)| *reasons.entry(*reason).or_default() += 1);
        if binary > 0 {
            reasons.insert(Skipped::Binary, binary);
        }
        let skipped = found.skipped.len() + binary + by_configuration;
        let reasons = explanation::skipped(&reasons, by_configuration);
        say(&format!(
            "{checked} checked, {with_errors} of them with errors, {skipped} skipped{reasons}, {} not read",
            failures.number()
        ));
    }
    printed.context("cannot write to standard output")?;
    Ok(with_errors > 0)
}

/// The result for one file.
enum Checked {
    Fine,
    HasErrors,
    /// The file looks binary and was not checked.
    Binary,
}

/// A line of the check: a problem, or a sentence about the check itself.
struct Line<'a> {
    severity: Severity,
    kind: &'static str,
    position: Position,
    problem: Option<&'a Problem>,
    message: String,
}

impl<'a> Line<'a> {
    fn new(problem: &'a Problem, severity: Severity) -> Self {
        let see = match problem.rule {
            Rule::Damaged => " (see convert --from utf-8 --errors, and repair --mixed)",
            Rule::DoubleEncoding => " (see `textcodec repair`)",
            Rule::Mojibake => " (see `textcodec repair --encoding`)",
            _ => "",
        };
        Line {
            severity,
            kind: problem.rule.name(),
            position: problem.position,
            problem: Some(problem),
            message: format!("{problem}{see}"),
        }
    }

    fn to_text(&self, input: &Input, is_colored: bool) -> String {
        let offset = self.problem.and_then(|problem| problem.offset);
        let offset = offset.map(|offset| format!("byte offset {offset}: ")).unwrap_or_default();
        let name = self.severity.name();
        let severity = match self.severity {
            _ if !is_colored => name,
            Severity::Error => &color::paint(name, 1),
            Severity::Warning => &color::paint(name, 3),
            _ => &color::paint(name, 6),
        };
        let Line { kind, message, .. } = self;
        format!("{}:{}: {severity}: {offset}{message} [{kind}]\n", input.name, self.position.for_editors())
    }

    fn to_json(&self, input: &Input) -> String {
        fn or_null(value: Option<impl ToString>) -> String {
            value.map_or_else(|| "null".to_owned(), |value| value.to_string())
        }
        let Line { severity, kind, position, problem, message } = self;
        let bytes = problem.filter(|problem| !problem.bytes.is_empty()).map(|problem| hexadecimal(&problem.bytes));
        format!(
            "{{{},\"severity\":\"{}\",\"kind\":\"{kind}\",\"line\":{},\"column\":{},\"offset\":{},\
             \"encoding\":{},\"bytes\":{},\"code_point\":{},\"count\":{},\"message\":{}}}\n",
            json::file(input.path()),
            severity.name(),
            position.line(),
            position.column(),
            or_null(problem.and_then(|problem| problem.offset)),
            or_null(problem.and_then(|problem| problem.encoding).map(json_string)),
            or_null(bytes.map(|bytes| json_string(&bytes))),
            or_null(problem.and_then(|problem| problem.character).map(u32::from)),
            or_null(problem.and_then(|problem| problem.count)),
            json_string(message),
        )
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// The check of one file.
struct FileCheck<'a, 'r, 'p> {
    arguments: &'a Check,
    settings: Settings,
    /// Where the problems go that code hosts read, and the number of the file.
    sarif: Option<(&'a Sarif, usize)>,
    input: &'a Input,
    report: &'a mut Report<'r, 'p>,
    listed: usize,
    has_errors: bool,
    /// Whether the file looks binary, so that one malformed sequence is enough.
    is_binary: bool,
    /// Whether this sequence was found.
    has_ended: bool,
}

impl<'a, 'r, 'p> FileCheck<'a, 'r, 'p> {
    fn new(arguments: &'a Check, settings: Settings, input: &'a Input, report: &'a mut Report<'r, 'p>) -> Self {
        FileCheck {
            arguments,
            settings,
            sarif: None,
            input,
            report,
            listed: 0,
            has_errors: false,
            is_binary: false,
            has_ended: false,
        }
    }

    /// The encoding that the file should be in.
    fn encoding(&self) -> SourceEncoding {
        self.arguments.encoding.or(self.settings.encoding).unwrap_or(SourceEncoding::Label(Charset::UTF_8))
    }

    /// Corrects what is certain, if the file is in UTF-8. With --diff, only prints the lines that would change.
    fn fix(&mut self) -> anyhow::Result<()> {
        let Some(path) = self.input.path().filter(|_| self.input.is_file) else { return Ok(()) };
        let is_utf_8 = match self.encoding() {
            SourceEncoding::Auto => true,
            SourceEncoding::Label(charset) => charset == Charset::UTF_8,
        };
        if !is_utf_8 {
            return Ok(());
        }
        let metadata = fs::metadata(path).with_context(|| format!("cannot read {}", self.input.name))?;
        if metadata.len() > LONGEST_FIX {
            return Ok(());
        }
        let mut bytes = Vec::new();
        let read = self.input.open().and_then(|mut input| input.read_to_end(&mut bytes));
        read.with_context(|| format!("cannot read {}", self.input.name))?;
        let Ok(text) = str::from_utf8(&bytes) else { return Ok(()) };
        let end = (0..=BINARY.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        if !self.arguments.force && looks_binary(&text[..end]) {
            return Ok(());
        }
        let Some((fixed, rules)) = fix(text, &self.settings.levels) else { return Ok(()) };
        let rules: Vec<_> = rules.iter().map(|rule| rule.name()).collect();
        let rules = rules.join(", ");
        if self.arguments.diff {
            self.has_errors = true;
            self.print_diff(text, &fixed, &rules);
            return Ok(());
        }
        let cannot_write = || format!("cannot write {}", self.input.name);
        let mut output = Output::open(Some(path)).with_context(cannot_write)?;
        output.expect(metadata);
        output.write_all(fixed.as_bytes()).with_context(cannot_write)?;
        for lost in output.complete().with_context(cannot_write)? {
            self.report.say(&format!("{}: {lost}", self.input.name));
        }
        self.report.say(&format!("{}: fixed: {rules}", self.input.name));
        Ok(())
    }

    /// Prints the lines of `text` that are others in `fixed`, the text after a fix of these rules.
    fn print_diff(&mut self, text: &str, fixed: &str, rules: &str) {
        let paint = |line: String, color| if color::is_wanted_on_output() { color::paint(&line, color) } else { line };
        let name = &self.input.name;
        let mut lines = format!("--- {name}\n+++ {name} (fixed: {rules})\n");
        for Difference { number, before, after } in sample::differences_of_texts(text, fixed) {
            lines += &paint(format!("@@ -{number} +{number} @@"), 6);
            lines.push('\n');
            for (line, sign, color) in [(before, '-', 1), (after, '+', 2)] {
                if let Some(line) = line {
                    lines += &paint(format!("{sign}{line}"), color);
                    lines.push('\n');
                }
            }
        }
        self.report.print(&lines);
    }

    fn check(mut self, selected: &Selected, progress: &Progress) -> anyhow::Result<Checked> {
        let cannot_read = || format!("cannot read {}", self.input.name);
        let mut rest = self.input.open().with_context(cannot_read)?;
        let mut start = Vec::new();
        let (charset, is_examined, distrusted) = match self.encoding() {
            SourceEncoding::Label(charset) => (Some(charset), charset == Charset::UTF_8, None),
            SourceEncoding::Auto => {
                let found = reading::find_out(self.input.path(), &mut rest).with_context(cannot_read)?;
                let by_definition = || self.input.path().and_then(Kind::for_path)?.charset_by_definition();
                let mut charset = found.encoding.or_else(by_definition);
                let distrusted = found.distrusted.as_ref().map(Problem::distrusted);
                let mut is_examined = found.is_undeclared || damage::has_mark_of_utf_16(&found.start);
                if let Some(damaged) = self.damage(&found).with_context(cannot_read)? {
                    let is_text = self.add(Problem::damaged(&damaged)).is_continue();
                    if !is_text || matches!(damaged.damage, Damage::Mixed { .. }) {
                        return Ok(self.result());
                    }
                    (charset, is_examined) = (Some(Charset::UTF_8), false);
                }
                start = found.start;
                (charset, is_examined, distrusted)
            }
        };
        if start.is_empty() {
            start.resize(BUFFER, 0);
            let length = reading::read(&mut rest, &mut start).with_context(cannot_read)?;
            start.truncate(length);
        }
        if is_examined && let Some(problem) = mixture_in_start(&start) {
            let _ = self.add(problem);
            return Ok(self.result());
        }
        if !self.arguments.force {
            let start = &start[..start.len().min(BINARY)];
            let text = match charset {
                Some(charset) => charset.new_decoder(false).decode_start(start, false),
                None => String::from_utf8_lossy(start).into_owned(),
            };
            self.is_binary = looks_binary(&text);
            if self.is_binary && !selected.is_named {
                return Ok(Checked::Binary);
            }
        }
        let Some(charset) = charset else {
            let _ = self.add(distrusted.unwrap_or_else(Problem::unknown_encoding));
            return Ok(self.result());
        };
        let mut checker = Checker::new(charset);
        if self.encoding() == SourceEncoding::Auto {
            checker = checker.detected();
        }
        if is_examined {
            checker = checker.examined();
        }
        if let Some(to) = &self.arguments.to {
            checker = checker.with_target(to.encoding);
        }
        let is_ended = reading::find_map(start.chain(rest), |piece| {
            let flow = checker.push(piece, piece.is_empty(), &mut |problem| self.add(problem));
            progress.advance(piece.len());
            flow.break_value()
        });
        let is_ended = is_ended.with_context(|| format!("cannot read {}", self.input.name))?.is_some();
        if is_ended && !self.arguments.quiet && !self.has_ended {
            let message = "this file can have more problems (see --limit)".to_owned();
            let (severity, position) = (Severity::Note, Position::default());
            self.print(&Line { severity, kind: "limit", position, problem: None, message });
        }
        Ok(self.result())
    }

    const fn result(&self) -> Checked {
        if self.has_errors { Checked::HasErrors } else { Checked::Fine }
    }

    /// The damage of the file, if its start gives a reason to look for damage.
    fn damage(&self, found: &Found) -> io::Result<Option<Damaged>> {
        if !found.is_doubtful(false) {
            return Ok(None);
        }
        match self.input.is_file && !found.is_whole {
            true => reading::find_damage(self.input),
            false => Ok(Damaged::in_start(&found.findings(), &found.start)),
        }
    }

    fn print(&mut self, line: &Line<'_>) {
        if let Some((sarif, number)) = self.sarif {
            let Line { kind, severity, position, message, .. } = line;
            sarif.add(number, self.input.path(), kind, *severity, *position, message);
        } else if !self.arguments.quiet {
            let text = if self.arguments.json {
                line.to_json(self.input)
            } else {
                line.to_text(self.input, color::is_wanted_on_output())
            };
            self.report.print(&text);
        }
    }

    /// Prints a problem. Breaks if the rest of the file is not checked: because the limit of problems is reached, or
    /// because one problem is enough.
    fn add(&mut self, problem: Problem) -> ControlFlow<()> {
        let Some(severity) = self.settings.levels.severity(problem.rule) else { return ControlFlow::Continue(()) };
        let ends = self.is_binary && problem.rule == Rule::Malformed;
        let mut line = Line::new(&problem, severity);
        if ends {
            line.kind = "binary";
            line.message += "; the file looks binary, so it is not checked further (see --force)";
        }
        let is_error = line.severity == Severity::Error;
        self.has_errors |= is_error;
        if self.arguments.quiet {
            // One error decides.
            return if is_error { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        }
        if self.arguments.limit.is_some_and(|limit| self.listed >= limit.get()) {
            return ControlFlow::Break(());
        }
        self.print(&line);
        self.listed += 1;
        self.has_ended = ends;
        if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
