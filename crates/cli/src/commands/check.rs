//! `textcodec check`: all problems of the text in files.

use std::{
    io::{self, ErrorKind, IsTerminal, Read},
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use anyhow::Context;
use textcodec::{
    UTF_8,
    sniff::structure::{Damage, Examination},
};

use crate::{
    arguments::Check,
    charset::{Charset, Decoder},
    color,
    converter::{Character, looks_binary},
    damage::{self, Damaged},
    detection::{self, Found},
    extra::{EncodeStatus, Status},
    input::Input,
    jobs::{self, Desk, Report},
    json,
    label::SourceEncoding,
    message::{Failures, say},
    position::Position,
    progress::Progress,
    repair,
    selection::{self, Selected, Walk},
    standard_streams::StandardOutput,
};

/// The size of each buffer in bytes.
const BUFFER: usize = 64 * 1024;

/// The number of bytes at the start of a file that tell whether it looks binary.
const BINARY: usize = 8 * 1024;

/// The greatest number of characters of a repaired line in a message.
const SAMPLE: usize = 60;

/// Checks all files. Returns whether one of them has an error.
pub(crate) fn run(arguments: &Check, failures: &mut Failures) -> anyhow::Result<bool> {
    let files = if arguments.files.is_empty() { &[PathBuf::from("-")][..] } else { &arguments.files };
    let walk = Walk { streams: true, lengths: io::stderr().is_terminal(), ..Walk::default() };
    let found = selection::select(files, &arguments.selection, walk, failures);
    let output = match arguments.quiet {
        true => None,
        false => Some(StandardOutput::open().context("cannot write to standard output")?),
    };
    let is_typed = found.selected.iter().any(|selected| selected.input.is_terminal());
    let wanted = io::stderr().is_terminal() && !is_typed && (arguments.quiet || !io::stdout().is_terminal());
    let progress = Progress::new(wanted, found.selected.iter().map(|selected| selected.input.length).sum());
    let (with_errors, skipped) = (AtomicUsize::new(0), AtomicUsize::new(found.skipped.len()));
    let unread = Mutex::new(0);
    let work = |selected: &Selected, mut report: Report<'_>| {
        let checked = Checker::new(arguments, &selected.input, &mut report).check(selected, &progress);
        match checked {
            Ok(Checked::Fine) => {}
            Ok(Checked::HasErrors) => drop(with_errors.fetch_add(1, Ordering::Relaxed)),
            Ok(Checked::Binary) => drop(skipped.fetch_add(1, Ordering::Relaxed)),
            Err(error) => {
                report.say_error(&error);
                *unread.lock().unwrap_or_else(PoisonError::into_inner) += 1;
            }
        }
    };
    let threads = arguments.selection.threads();
    let printed = jobs::run(&Desk::new(output, &progress), &found.selected, threads, false, work, || ());
    drop(progress);
    let unread = unread.into_inner().unwrap_or_else(PoisonError::into_inner);
    failures.count(unread);
    let (with_errors, skipped) = (with_errors.into_inner(), skipped.into_inner());
    if arguments.selection.recursive && !arguments.quiet && !arguments.json {
        let checked = found.selected.len() + found.skipped.len() - skipped - unread;
        say(&format!(
            "{checked} checked, {with_errors} of them with errors, {skipped} skipped, {} not read",
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

/// The kind of a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Malformed,
    Unmappable,
    OtherBom,
    UnknownEncoding,
    Damaged,
    Mixed,
    Bom,
    MixedNewlines,
    Nul,
    DoubleEncoding,
    Limit,
    Binary,
}

impl Kind {
    /// The name in JSON and the severity. Both are part of the stable interface.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Kind::Malformed => ("malformed", "error"),
            Kind::Unmappable => ("unmappable", "error"),
            Kind::OtherBom => ("other-bom", "error"),
            Kind::UnknownEncoding => ("unknown-encoding", "error"),
            Kind::Damaged => ("damaged", "error"),
            Kind::Mixed => ("mixed-encodings", "error"),
            Kind::Bom => ("bom", "note"),
            Kind::MixedNewlines => ("mixed-newlines", "warning"),
            Kind::Nul => ("nul", "warning"),
            Kind::DoubleEncoding => ("double-encoding", "warning"),
            Kind::Limit => ("limit", "note"),
            Kind::Binary => ("binary", "error"),
        }
    }
}

/// A problem at a place of a file.
struct Problem<'a> {
    kind: Kind,
    position: Position,
    /// In bytes from the start of the file.
    offset: Option<u64>,
    encoding: Option<&'static str>,
    bytes: &'a [u8],
    code_point: Option<char>,
    count: Option<u64>,
    message: String,
}

impl Problem<'_> {
    fn new(kind: Kind, position: Position, message: String) -> Self {
        let (offset, encoding, code_point, count) = (None, None, None, None);
        Problem { kind, position, offset, encoding, bytes: &[], code_point, count, message }
    }

    fn to_line(&self, input: &Input, is_colored: bool) -> String {
        let offset = self.offset.map(|offset| format!("byte offset {offset}: ")).unwrap_or_default();
        let severity = match self.kind.names().1 {
            plain if !is_colored => plain,
            "error" => &color::paint("error", 1),
            "warning" => &color::paint("warning", 3),
            other => &color::paint(other, 6),
        };
        format!("{}:{}: {severity}: {offset}{}\n", input.name, self.position.for_editors(), self.message)
    }

    fn to_json(&self, input: &Input) -> String {
        fn or_null(value: Option<impl ToString>) -> String {
            value.map_or_else(|| "null".to_owned(), |value| value.to_string())
        }
        let (kind, severity) = self.kind.names();
        let (line, column) = self.position.line_and_column();
        let bytes = (!self.bytes.is_empty()).then(|| json::string(&hexadecimal(self.bytes)));
        format!(
            "{{{},\"severity\":\"{severity}\",\"kind\":\"{kind}\",\"line\":{line},\"column\":{column},\"offset\":{},\
             \"encoding\":{},\"bytes\":{},\"code_point\":{},\"count\":{},\"message\":{}}}\n",
            json::file(input.path()),
            or_null(self.offset),
            or_null(self.encoding.map(json::string)),
            or_null(bytes),
            or_null(self.code_point.map(u32::from)),
            or_null(self.count),
            json::string(&self.message),
        )
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// The limit of problems is reached. The rest of the file is not checked.
struct Enough;

/// The check of one file.
struct Checker<'a, 'r> {
    arguments: &'a Check,
    input: &'a Input,
    report: &'a mut Report<'r>,
    listed: usize,
    has_errors: bool,
    /// Whether the file looks binary, so that one malformed sequence is enough.
    is_binary: bool,
    /// Whether this sequence was found.
    has_ended: bool,
    /// Looks at all bytes, unless the user or the file names another encoding than UTF-8.
    examination: Option<Examination>,
    first_malformed: Option<Position>,
    newlines: Newlines,
    nuls: Occurrences,
    doubles: Occurrences,
    /// The first line that looks doubly encoded, as it was meant.
    sample: String,
}

/// The number of places, and the first of them.
#[derive(Default)]
struct Occurrences {
    count: u64,
    first: Option<Position>,
}

impl Occurrences {
    fn add(&mut self, count: u64, first: impl FnOnce() -> Position) {
        if self.count == 0 && count > 0 {
            self.first = Some(first());
        }
        self.count += count;
    }
}

impl<'a, 'r> Checker<'a, 'r> {
    fn new(arguments: &'a Check, input: &'a Input, report: &'a mut Report<'r>) -> Self {
        Checker {
            arguments,
            input,
            report,
            listed: 0,
            has_errors: false,
            is_binary: false,
            has_ended: false,
            examination: None,
            first_malformed: None,
            newlines: Newlines::default(),
            nuls: Occurrences::default(),
            doubles: Occurrences::default(),
            sample: String::new(),
        }
    }

    fn check(mut self, selected: &Selected, progress: &Progress) -> anyhow::Result<Checked> {
        let cannot_read = || format!("cannot read {}", self.input.name);
        let mut rest = self.input.open()?;
        let mut start = Vec::new();
        let encoding = match self.arguments.encoding {
            SourceEncoding::Label(encoding) => {
                self.examination = (encoding == Charset::Standard(UTF_8)).then(Examination::new);
                Some(encoding)
            }
            SourceEncoding::Auto => {
                let found = detection::find_out(self.input.path(), &mut rest).with_context(cannot_read)?;
                let mut encoding = found.encoding.map(Charset::Standard);
                if let Some(damaged) = self.damage(&found)? {
                    let is_text = self.add_damage(&damaged).is_ok();
                    if !is_text || matches!(damaged.damage, Damage::Mixed { .. }) {
                        return Ok(Checked::HasErrors);
                    }
                    encoding = Some(Charset::Standard(UTF_8));
                } else if found.is_undeclared || damage::has_mark_of_utf_16(&found.start) {
                    self.examination = Some(Examination::new());
                }
                start = found.start;
                encoding
            }
        };
        if start.is_empty() {
            start.resize(BUFFER, 0);
            let length = read(&mut rest, &mut start).with_context(cannot_read)?;
            start.truncate(length);
        }
        let mut examination = self.examination.clone();
        if let Some(examination) = &mut examination {
            examination.feed(&start);
        }
        let findings = examination.map(|examination| examination.findings(false));
        if let Some(findings) = findings.filter(|findings| matches!(findings.damage, Some(Damage::Mixed { .. })))
            && let Some(damaged) = Damaged::at(&findings, || Ok(Position::default()))?
        {
            let _ = self.add_damage(&damaged);
            return Ok(Checked::HasErrors);
        }
        let decoder = encoding.map(|encoding| encoding.new_decoder(false));
        if !self.arguments.force {
            let start = &start[..start.len().min(BINARY)];
            let text = match &decoder {
                Some(decoder) => decoder.clone().decode_all(start, false),
                None => String::from_utf8_lossy(start).into_owned(),
            };
            self.is_binary = looks_binary(&text);
            if self.is_binary && !selected.is_named {
                return Ok(Checked::Binary);
            }
        }
        let Some(decoder) = decoder else {
            let message = "nothing in the file tells its encoding, and it is not UTF-8".to_owned();
            let _ = self.add(Problem::new(Kind::UnknownEncoding, Position::default(), message));
            return Ok(Checked::HasErrors);
        };
        match self.check_text(decoder, start, &mut rest, progress).with_context(cannot_read)? {
            Ok(()) => {}
            Err(Enough) if self.arguments.quiet || self.has_ended => {}
            Err(Enough) => {
                let message = "this file can have more problems (see --limit)".to_owned();
                self.print(&Problem::new(Kind::Limit, Position::default(), message));
            }
        }
        Ok(if self.has_errors { Checked::HasErrors } else { Checked::Fine })
    }

    /// The damage of the file, if its start gives a reason to look for damage.
    fn damage(&self, found: &Found) -> anyhow::Result<Option<Damaged>> {
        if !found.is_doubtful(false) {
            return Ok(None);
        }
        match self.input.is_file && !found.is_whole {
            true => damage::find(self.input),
            false => Damaged::new(&found.findings(), || Ok(&*found.start)),
        }
    }

    fn add_damage(&mut self, damaged: &Damaged) -> Result<(), Enough> {
        let (kind, position, way) = match damaged.damage {
            Damage::Mixed { .. } => (Kind::Mixed, Position::default(), ""),
            _ => (Kind::Damaged, damaged.position, " (see convert --from utf-8 --errors, and repair --mixed)"),
        };
        let mut problem = Problem::new(kind, position, damaged.summary() + way);
        problem.offset = Some(damaged.offset);
        if kind == Kind::Damaged {
            (problem.encoding, problem.count) = (Some(UTF_8.name()), Some(damaged.malformed));
        }
        self.add(problem)
    }

    fn print(&mut self, problem: &Problem<'_>) {
        if !self.arguments.quiet {
            let line = if self.arguments.json {
                problem.to_json(self.input)
            } else {
                problem.to_line(self.input, color::is_wanted_on_output())
            };
            self.report.print(&line);
        }
    }

    fn add(&mut self, mut problem: Problem<'_>) -> Result<(), Enough> {
        let ends = self.is_binary && problem.kind == Kind::Malformed;
        if ends {
            problem.kind = Kind::Binary;
            problem.message += "; the file looks binary, so it is not checked further (see --force)";
        }
        let is_error = problem.kind.names().1 == "error";
        self.has_errors |= is_error;
        if self.arguments.quiet {
            // One error decides.
            return if is_error { Err(Enough) } else { Ok(()) };
        }
        if self.arguments.limit.is_some_and(|limit| self.listed >= limit.get()) {
            return Err(Enough);
        }
        self.print(&problem);
        self.listed += 1;
        self.has_ended = ends;
        if ends { Err(Enough) } else { Ok(()) }
    }

    /// Checks `start` and the bytes after it.
    fn check_text(
        &mut self,
        mut decoder: Decoder,
        start: Vec<u8>,
        rest: &mut impl Read,
        progress: &Progress,
    ) -> io::Result<Result<(), Enough>> {
        let expected = decoder.charset();
        let mut encoder = self.arguments.to.as_ref().map(|to| Target::new(to.encoding));
        let mut text = String::with_capacity(BUFFER);
        let mut position = Position::default();
        let mut offset = 0;
        let mut is_mark_known = false;
        let (mut piece, mut length) = (start, 0);
        loop {
            let bytes = if offset == 0 { &piece[..] } else { &piece[..length] };
            let last = bytes.is_empty();
            let mut read_now = 0;
            loop {
                let before = encoder.as_ref().map(|_| decoder.clone());
                let source = &bytes[read_now..];
                let decoded = decoder.decode(source, &mut text, last);
                if !is_mark_known && (last || !text.is_empty() || matches!(decoded.status, Status::Malformed { .. })) {
                    is_mark_known = true;
                    if let Err(enough) = self.check_mark(expected, &decoder) {
                        return Ok(Err(enough));
                    }
                }
                self.observe(&text, position);
                if let (Some(target), Some(before)) = (&mut encoder, before) {
                    let locator = Locator { decoder: before, source, at: offset + read_now as u64, text: 0, found: 0 };
                    if let Err(enough) = self.check_target(target, &text, position, locator) {
                        return Ok(Err(enough));
                    }
                }
                position = position.after(&text);
                text.clear();
                read_now += decoded.read;
                match decoded.status {
                    Status::InputEmpty => break,
                    Status::OutputFull => {}
                    Status::Damaged(_) => break,
                    Status::Malformed { offset, bytes } => {
                        self.first_malformed.get_or_insert(position);
                        let encoding = decoder.charset().name();
                        let message = format!("not {encoding}: {}", hexadecimal(&bytes));
                        let mut problem = Problem::new(Kind::Malformed, position, message);
                        (problem.offset, problem.encoding, problem.bytes) = (Some(offset), Some(encoding), &bytes);
                        if let Err(enough) = self.add(problem) {
                            return Ok(Err(enough));
                        }
                        // Readers see a replacement character in this place.
                        position = position.after("\u{FFFD}");
                    }
                }
            }
            if last {
                return Ok(self.finish());
            }
            if let Some(examination) = &mut self.examination {
                examination.feed(bytes);
            }
            offset += bytes.len() as u64;
            progress.advance(bytes.len());
            piece.resize(BUFFER, 0);
            length = read(rest, &mut piece)?;
        }
    }

    /// Tells a byte order mark, which is an error if it is not that of the encoding asked for.
    fn check_mark(&mut self, expected: Charset, decoder: &Decoder) -> Result<(), Enough> {
        if !decoder.is_by_mark() {
            return Ok(());
        }
        let found = decoder.charset();
        let is_other = found != expected && self.arguments.encoding != SourceEncoding::Auto;
        let (kind, message) = match is_other {
            true => (Kind::OtherBom, format!("the byte order mark is that of {found}, not of {expected}")),
            false => (Kind::Bom, format!("the file starts with the byte order mark of {found}")),
        };
        let mut problem = Problem::new(kind, Position::default(), message);
        (problem.offset, problem.encoding, problem.bytes) = (Some(0), Some(found.name()), found.bom());
        self.add(problem)
    }

    /// Looks at a part of the text for the warnings that are given once for a file.
    fn observe(&mut self, text: &str, position: Position) {
        let bytes = text.as_bytes();
        self.newlines.observe(text, position);
        if bytes.contains(&0) {
            let count = bytes.iter().filter(|&&byte| byte == 0).count() as u64;
            let first = bytes.iter().position(|&byte| byte == 0).unwrap_or(0);
            self.nuls.add(count, || position.after(&text[..first]));
        }
        if may_be_doubly_encoded(bytes) {
            let mut start = 0;
            for line in text.split_inclusive(['\n', '\r']) {
                let content = line.trim_end_matches(['\n', '\r']);
                if may_be_doubly_encoded(line.as_bytes())
                    && let Some(meant) = repair::looks_doubly_encoded(content)
                {
                    if self.doubles.count == 0 {
                        self.sample = meant.trim().chars().take(SAMPLE).collect();
                    }
                    self.doubles.add(1, || position.after(&text[..start]));
                }
                start += line.len();
            }
        }
    }

    /// Adds an error for each character of `text` that the target encoding does not have.
    fn check_target(
        &mut self,
        target: &mut Target,
        text: &str,
        position: Position,
        mut locator: Locator<'_>,
    ) -> Result<(), Enough> {
        let (mut read, mut counted) = (0, (0, position));
        loop {
            let encoded = target.encoder.encode(&text[read..], &mut target.scratch, false);
            read += encoded.read;
            match encoded.status {
                EncodeStatus::InputEmpty => return Ok(()),
                EncodeStatus::OutputFull => {}
                EncodeStatus::Unmappable(code_point) => {
                    let character = text[..read].chars().next_back().unwrap_or(code_point);
                    let start = read - character.len_utf8();
                    counted = (start, counted.1.after(&text[counted.0..start]));
                    let encoding = target.charset.name();
                    let message = format!("{encoding} has no {}", Character(character));
                    let mut problem = Problem::new(Kind::Unmappable, counted.1, message);
                    problem.offset = Some(locator.find(start));
                    (problem.encoding, problem.code_point) = (Some(encoding), Some(character));
                    self.add(problem)?;
                }
            }
        }
    }

    /// Adds the problems that are told once for a file.
    fn finish(&mut self) -> Result<(), Enough> {
        let findings = self.examination.take().map(|examination| examination.findings(true));
        let place = || Ok(self.first_malformed.unwrap_or_default());
        if let Some(Ok(Some(damaged))) = findings.map(|findings| Damaged::at(&findings, place)) {
            self.add_damage(&damaged)?;
        }
        let mut newlines = std::mem::take(&mut self.newlines);
        newlines.end();
        if let Some(position) = newlines.mixed {
            let mut problem = Problem::new(Kind::MixedNewlines, position, newlines.describe());
            problem.count = Some(newlines.lf + newlines.crlf + newlines.cr);
            self.add(problem)?;
        }
        if let Some(position) = self.nuls.first {
            let message = format!("the text contains U+0000 ({} in all)", self.nuls.count);
            let mut problem = Problem::new(Kind::Nul, position, message);
            problem.count = Some(self.nuls.count);
            self.add(problem)?;
        }
        if let Some(position) = self.doubles.first {
            let lines =
                if self.doubles.count == 1 { "1 line looks" } else { &format!("{} lines look", self.doubles.count) };
            let sample = json::string(&self.sample);
            let message = format!("{lines} doubly encoded; the first may mean {sample} (see `textcodec repair`)");
            let mut problem = Problem::new(Kind::DoubleEncoding, position, message);
            problem.count = Some(self.doubles.count);
            self.add(problem)?;
        }
        Ok(())
    }
}

/// Whether there is one of the characters "Â" to "ô", for which windows-1252 has the leading bytes of UTF-8, before
/// another character that is not ASCII.
fn may_be_doubly_encoded(bytes: &[u8]) -> bool {
    bytes.contains(&0xC3) && bytes.windows(3).any(|window| matches!(window, [0xC3, 0x82..=0xB4, 0xC2..=0xFF]))
}

/// An encoder whose output nobody needs.
struct Target {
    charset: Charset,
    encoder: crate::charset::Encoder,
    scratch: Box<[u8]>,
}

impl Target {
    fn new(charset: Charset) -> Self {
        let encoder = charset.new_encoder().expect("the command line names no target without an encoder");
        Target { charset, encoder, scratch: vec![0; BUFFER].into() }
    }
}

/// Finds the offset of a character in the file, by decoding a piece of the file again, byte by byte.
struct Locator<'a> {
    /// As it was before `source`.
    decoder: Decoder,
    source: &'a [u8],
    /// The offset of `source` in the file.
    at: u64,
    /// The length of the text of the bytes before `source`.
    text: usize,
    /// The offset of the last sequence of bytes before `source`.
    found: u64,
}

impl Locator<'_> {
    /// The offset in the file of the character at `start` in the text of the piece. Calls come in the order of the
    /// text.
    fn find(&mut self, start: usize) -> u64 {
        let mut text = String::with_capacity(16);
        let mut sequence = self.at;
        // Two characters of the text can come from one sequence of bytes.
        while self.text <= start
            && let Some((byte, rest)) = self.source.split_first()
        {
            if let Decoder::Standard(decoder) = &self.decoder {
                sequence = decoder.sequence_start();
            }
            self.decoder.decode(std::slice::from_ref(byte), &mut text, false);
            (self.source, self.at) = (rest, self.at + 1);
            if !text.is_empty() {
                self.text += text.len();
                self.found = sequence;
                sequence = self.at;
                text.clear();
            }
        }
        self.found
    }
}

/// The ways in which lines end.
#[derive(Default)]
struct Newlines {
    lf: u64,
    crlf: u64,
    cr: u64,
    /// The last character of the text before was a carriage return.
    after_cr: Option<Position>,
    /// The first line ending that is not like the first of the file.
    mixed: Option<Position>,
}

impl Newlines {
    /// Counts the line endings of `text`, which starts at `position`.
    fn observe(&mut self, text: &str, position: Position) {
        let bytes = text.as_bytes();
        if !bytes.contains(&b'\r') && self.after_cr.is_none() && self.crlf + self.cr == 0 {
            self.lf += bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
            return;
        }
        let mut place = (0, position);
        for (at, &byte) in bytes.iter().enumerate() {
            if let Some(before) = self.after_cr.take() {
                if byte == b'\n' {
                    self.add(|newlines| &mut newlines.crlf, || before);
                    continue;
                }
                self.add(|newlines| &mut newlines.cr, || before);
            }
            if matches!(byte, b'\n' | b'\r') {
                place = (at, place.1.after(&text[place.0..at]));
                match byte {
                    b'\r' => self.after_cr = Some(place.1),
                    _ => self.add(|newlines| &mut newlines.lf, || place.1),
                }
            }
        }
    }

    /// Counts a line ending of one kind.
    fn add(&mut self, kind: impl Fn(&mut Self) -> &mut u64, place: impl FnOnce() -> Position) {
        let all = self.lf + self.crlf + self.cr;
        let number = kind(self);
        *number += 1;
        if *number <= all && self.mixed.is_none() {
            self.mixed = Some(place());
        }
    }

    /// Counts a carriage return at the end of the text.
    fn end(&mut self) {
        if let Some(before) = self.after_cr.take() {
            self.add(|newlines| &mut newlines.cr, || before);
        }
    }

    fn describe(&self) -> String {
        let kinds = [(self.lf, "LF"), (self.crlf, "CRLF"), (self.cr, "CR")];
        let kinds: Vec<_> = kinds.iter().filter(|(n, _)| *n > 0).map(|(n, kind)| format!("{n} {kind}")).collect();
        format!("the lines end in different ways: {}", kinds.join(", "))
    }
}

fn read(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
