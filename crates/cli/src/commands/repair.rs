//! `textcodec repair`: text that was decoded in a wrong encoding.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
};

use anyhow::{Context, bail};

use textcodec_convert::{
    Counts as RepairCounts, Lines, Repair, decode_mixed,
    files::{Input, check_output, check_streams},
};

use crate::{
    arguments::Repair as Arguments,
    explanation, input,
    message::{self, Failures, escape_controls, say},
    output::Output,
};

/// The greatest length of a line in bytes. Memory is bounded by it.
const LONGEST: usize = 16 * 1024 * 1024;

/// The number of bytes that are kept before they are written.
const BUFFER: usize = 64 * 1024;

/// Repairs all files. `repair` is what the arguments ask for.
pub(crate) fn run(arguments: &Arguments, repair: &Repair, failures: &mut Failures) -> anyhow::Result<()> {
    let inputs: Vec<_> = input::check_all(&arguments.files)
        .filter_map(|input| failures.check(input.map_err(explanation::file_error)))
        .collect();
    if arguments.in_place {
        for input in inputs {
            failures.check(in_place(arguments, repair, &input));
        }
        return Ok(());
    }
    let name = arguments.output.as_deref();
    if inputs.is_empty() || failures.has_failed() && name.is_some() {
        return Ok(());
    }
    check_output("--output", name)?;
    let context = || cannot_write(name);
    let mut output = Output::open(name).with_context(context)?;
    if output.is_standard() {
        inputs.iter().try_for_each(Input::check_standard_output).map_err(explanation::file_error)?;
    }
    for input in &inputs {
        file(arguments, repair, input, &mut output, name)?.say(&input.name);
    }
    output.complete().with_context(context)?.iter().for_each(|lost| say(lost));
    Ok(())
}

/// Repairs one file in its place. A file without a change is not written.
fn in_place(arguments: &Arguments, repair: &Repair, input: &Input) -> anyhow::Result<()> {
    let path = input.path().filter(|_| input.length.is_some());
    let Some(path) = path else { bail!("{}: only a regular file can be repaired in its place", input.name) };
    check_streams(input)?;
    let mut output = if arguments.dry_run { Output::open(None) } else { Output::open(Some(path)) }
        .with_context(|| cannot_write(Some(path)))?;
    let counts = file(arguments, repair, input, &mut output, Some(path))?;
    if counts.is_changed() || arguments.dry_run {
        output.complete().with_context(|| cannot_write(Some(path)))?.iter().for_each(|lost| say(lost));
    }
    counts.say(&input.name);
    Ok(())
}

/// Writes the repaired text of one file, or with --dry-run the lines that would change.
fn file(
    arguments: &Arguments,
    repair: &Repair,
    input: &Input,
    output: &mut Output,
    name: Option<&Path>,
) -> anyhow::Result<Counts> {
    let cannot_read = || format!("cannot read {}", input.name);
    let mut reader = BufReader::with_capacity(BUFFER, input.open().with_context(cannot_read)?);
    let mut counts = Counts::default();
    let (mut bytes, mut written, mut offset) = (Vec::new(), Vec::new(), 0);
    loop {
        bytes.clear();
        let limit = LONGEST as u64 + 1;
        let length = reader.by_ref().take(limit).read_until(b'\n', &mut bytes);
        if length.with_context(cannot_read)? == 0 {
            break;
        }
        let number = counts.repair.lines + 1;
        if bytes.len() > LONGEST {
            bail!("{}: line {number} is longer than {} MiB", input.name, LONGEST >> 20);
        }
        let text = decode(arguments, &bytes, input, number, offset)?;
        offset += bytes.len() as u64;
        let line = text.trim_end_matches(['\n', '\r']);
        let repaired = repair.repair_line(line, arguments.ambiguous, &mut counts.repair);
        let is_decoded = text.as_bytes() != bytes;
        if is_decoded {
            counts.decoded.add(number);
        }
        match (&repaired, arguments.dry_run) {
            (None, true) if !is_decoded => {}
            (repaired, true) => {
                let line = escape_controls(repaired.as_deref().unwrap_or(line));
                written.extend_from_slice(format!("{}:{number}: {line}\n", input.name).as_bytes());
            }
            (Some(repaired), false) => {
                written.extend_from_slice(repaired.as_bytes());
                written.extend_from_slice(&text.as_bytes()[line.len()..]);
            }
            (None, false) => written.extend_from_slice(text.as_bytes()),
        }
        // A reader at the other end of a pipe sees each line as soon as it is there.
        if written.len() >= BUFFER || reader.buffer().is_empty() {
            write(output, &mut written).with_context(|| cannot_write(name))?;
        }
    }
    write(output, &mut written).with_context(|| cannot_write(name))?;
    Ok(counts)
}

fn write(output: &mut Output, written: &mut Vec<u8>) -> io::Result<()> {
    output.write_all(written)?;
    written.clear();
    output.flush()
}

/// The text of a line in UTF-8, or in the first encoding of --mixed in which it is well-formed.
fn decode<'a>(
    arguments: &Arguments,
    bytes: &'a [u8],
    input: &Input,
    line: u64,
    offset: u64,
) -> anyhow::Result<std::borrow::Cow<'a, str>> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) if arguments.mixed.is_empty() => return Ok(text.into()),
        result => result.err(),
    };
    if let Some(text) = decode_mixed(bytes, &arguments.mixed) {
        return Ok(text);
    }
    match error.filter(|_| arguments.mixed.is_empty()) {
        Some(error) => bail!(
            "{}: not UTF-8 at byte offset {} (line {line})\n  \
             With --mixed utf-8,windows-1252, lines that are not UTF-8 are read in windows-1252. \
             textcodec convert converts a file that is in one encoding.",
            input.name,
            offset + error.valid_up_to() as u64
        ),
        None => {
            let names: Vec<_> = arguments.mixed.iter().map(|charset| charset.name()).collect();
            bail!("{}: line {line} (byte offset {offset}) is in none of: {}", input.name, names.join(", "))
        }
    }
}

/// The lines of a file.
#[derive(Default)]
struct Counts {
    repair: RepairCounts,
    /// The lines that are not in UTF-8.
    decoded: Lines,
}

/// The sentence about some lines; `None` if there are none.
fn describe(lines: Lines, verb: &str, kind: &str) -> Option<String> {
    let first = lines.first?;
    Some(match lines.number {
        1 => format!("{verb} 1 {kind}line (line {first})"),
        number => format!("{verb} {number} {kind}lines (the first: line {first})"),
    })
}

impl Counts {
    fn is_changed(&self) -> bool {
        self.repair.repaired.number + self.decoded.number > 0
    }

    fn say(&self, name: &str) {
        let RepairCounts { repaired, ambiguous, lost, .. } = self.repair;
        let parts = [
            describe(self.decoded, "decoded", ""),
            describe(repaired, "repaired", ""),
            (lost > 0).then(|| format!("{lost} characters are U+FFFD, because they were lost before")),
            describe(ambiguous, "left", "ambiguous ").map(|sentence| format!("{sentence}; see --ambiguous")),
        ];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        if !parts.is_empty() {
            say(&format!("{name}: {}", parts.join("; ")));
        }
    }
}

fn cannot_write(output: Option<&Path>) -> String {
    match output {
        Some(path) if path.as_os_str() != "-" => format!("cannot write {}", message::display(path)),
        _ => "cannot write to standard output".to_owned(),
    }
}
