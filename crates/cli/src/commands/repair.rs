//! `textcodec repair`: text that was decoded in a wrong encoding.

use std::{
    borrow::Cow,
    fmt::Write as _,
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
};

use anyhow::{Context, bail};

use textcodec_convert::{
    Counts as RepairCounts, Explained, Lines, Repair, SEARCHED, decode_cesu_8, decode_mixed,
    files::{Input, check_output, check_streams},
    guess::{Hints, Probability},
};

use crate::{
    arguments::{Repair as Arguments, Wanted},
    color, explanation, input,
    message::{self, Failures, escape_controls, say},
    output::Output,
    sample,
};

/// The greatest length of a line in bytes. Memory is bounded by it.
const LONGEST: usize = 16 * 1024 * 1024;

/// The number of bytes that are kept before they are written.
const BUFFER: usize = 64 * 1024;

/// Repairs all files. `wanted` is what the arguments ask for.
pub(crate) fn run(arguments: &Arguments, wanted: &Wanted, failures: &mut Failures) -> anyhow::Result<()> {
    let inputs: Vec<_> = input::check_all(&arguments.files)
        .filter_map(|input| failures.check(input.map_err(explanation::file_error)))
        .collect();
    if arguments.in_place {
        for input in inputs {
            failures.check(in_place(arguments, wanted, &input));
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
    output.expect_inputs(&inputs).with_context(context)?;
    if output.is_standard() {
        inputs.iter().try_for_each(Input::check_standard_output).map_err(explanation::file_error)?;
    }
    for input in &inputs {
        file(arguments, wanted, input, &mut output, name)?.say(&input.name, arguments);
    }
    let lost = output.complete().with_context(context)?;
    say_lost(&message::display(name.unwrap_or(Path::new("-"))), &lost);
    Ok(())
}

/// Repairs one file in its place. A file without a change is not written.
fn in_place(arguments: &Arguments, wanted: &Wanted, input: &Input) -> anyhow::Result<()> {
    let path = input.path().filter(|_| input.length.is_some());
    let Some(path) = path else { bail!("{}: only a regular file can be repaired in its place", input.name) };
    check_streams(input)?;
    let mut output = if arguments.dry_run { Output::open(None) } else { Output::open(Some(path)) }
        .with_context(|| cannot_write(Some(path)))?;
    output.expect_inputs(std::slice::from_ref(input)).with_context(|| cannot_write(Some(path)))?;
    let counts = file(arguments, wanted, input, &mut output, Some(path))?;
    if counts.is_changed() || arguments.dry_run {
        say_lost(&input.name, &output.complete().with_context(|| cannot_write(Some(path)))?);
    }
    counts.say(&input.name, arguments);
    Ok(())
}

/// Writes the repaired text of one file, or with --dry-run the lines that would change.
fn file(
    arguments: &Arguments,
    wanted: &Wanted,
    input: &Input,
    output: &mut Output,
    name: Option<&Path>,
) -> anyhow::Result<Counts> {
    let cannot_read = || format!("cannot read {}", input.name);
    let mut opened = input.open().with_context(cannot_read)?;
    let mut start = Vec::new();
    let found;
    let repair = match wanted {
        Wanted::Known(repair) => repair,
        Wanted::Searched { was, read_as } => {
            start.resize(SEARCHED, 0);
            let length = input::fill(&mut opened, &mut start).with_context(cannot_read)?;
            start.truncate(length);
            let text = String::from_utf8_lossy(&start);
            // The end can cut off a character.
            let text = text.trim_end_matches('\u{FFFD}');
            found = match Repair::search(text, *was, *read_as, &Hints::new()) {
                Some(pair) => {
                    let probability = match pair.probability {
                        Some(_) => format!(" ({})", Probability(pair.probability)),
                        None => String::new(),
                    };
                    say(&format!("{}: the text seems to be {}{probability}", input.name, pair.describe()));
                    Repair::of_pair(pair.was, pair.read_as)?
                }
                // Lines of which only a part was decoded wrongly do not show it together.
                None if was.is_none() && read_as.is_none() => Repair::default(),
                None => {
                    say(&format!("{}: nothing shows a wrong decoding", input.name));
                    Repair::new([])?
                }
            };
            &found
        }
    };
    let mut reader = BufReader::with_capacity(BUFFER, start.chain(opened));
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
            bail!(
                "{}: line {number} is longer than {} MiB, the longest line that textcodec repair keeps in memory",
                input.name,
                LONGEST >> 20
            );
        }
        let text = decode(arguments, &bytes, input, number, offset)?;
        offset += bytes.len() as u64;
        let line = text.trim_end_matches(['\n', '\r']);
        let explained = repair.explain(line);
        if text.as_bytes() != bytes {
            counts.decoded.add(number);
        }
        if arguments.dry_run {
            written.extend_from_slice(describe_change(arguments, input, number, &bytes, line, &explained).as_bytes());
        }
        let repaired = counts.repair.count(explained, arguments.ambiguous);
        match repaired {
            _ if arguments.dry_run => {}
            Some(repaired) => {
                written.extend_from_slice(repaired.text.as_bytes());
                written.extend_from_slice(&text.as_bytes()[line.len()..]);
            }
            None => written.extend_from_slice(text.as_bytes()),
        }
        // A reader at the other end of a pipe sees each line as soon as it is there.
        if written.len() >= BUFFER || reader.buffer().is_empty() {
            write(output, &mut written).with_context(|| cannot_write(name))?;
        }
    }
    write(output, &mut written).with_context(|| cannot_write(name))?;
    Ok(counts)
}

/// The lines of a dry run about a line: its place and how sure the change is, the line, and what takes its place.
/// `decoded` is the text of `bytes`. Empty if the line stays and is not ambiguous.
fn describe_change(
    arguments: &Arguments,
    input: &Input,
    number: u64,
    bytes: &[u8],
    decoded: &str,
    explained: &Option<Explained>,
) -> String {
    let before = String::from_utf8_lossy(bytes);
    let is_decoded = before.trim_end_matches(['\n', '\r']) != decoded;
    let mut reasons = Vec::new();
    if is_decoded {
        let is_mixed = !arguments.mixed.is_empty();
        reasons.push(if is_mixed { "decoded".to_owned() } else { "certain: CESU-8".to_owned() });
    }
    let mut after = decoded;
    let mut proposal = String::new();
    if let Some(explained) = explained {
        let stays = explained.certainty == textcodec_convert::Certainty::Ambiguous && !arguments.ambiguous;
        reasons.push(explained.describe() + if stays { " (stays without --ambiguous)" } else { "" });
        if stays {
            proposal.push_str(&explained.text);
        } else {
            after = &explained.text;
        }
    }
    let mut lines = String::new();
    if reasons.is_empty() {
        return lines;
    }
    let _ = writeln!(lines, "{}:{number}: {}", input.name, reasons.join("; "));
    let before = match is_decoded {
        true => visible_bytes(bytes),
        false => Cow::from(decoded),
    };
    let (sign, after, color) = match &*proposal {
        "" => ('+', after, 2),
        // The line itself stays.
        proposal => ('?', proposal, 3),
    };
    let [before, after] = sample::cut([&*before, after].map(|text| Some(text.trim_end_matches(['\n', '\r']))));
    for (sign, text, color) in [('-', before, 1), (sign, after, color)] {
        let line = format!("{sign} {}", escape_controls(&text.unwrap_or_default()));
        let line = if color::is_wanted_on_output() { color::paint(&line, color) } else { line };
        let _ = writeln!(lines, "{line}");
    }
    lines
}

/// The text of `bytes`, with escapes for those that are not UTF-8.
fn visible_bytes(bytes: &[u8]) -> Cow<'_, str> {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text += chunk.valid();
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text.into()
}

fn write(output: &mut Output, written: &mut Vec<u8>) -> io::Result<()> {
    output.write_all(written)?;
    written.clear();
    output.flush()
}

/// The text of a line in UTF-8 or CESU-8, or in the encodings of --mixed.
fn decode<'a>(
    arguments: &Arguments,
    bytes: &'a [u8],
    input: &Input,
    line: u64,
    offset: u64,
) -> anyhow::Result<Cow<'a, str>> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) if arguments.mixed.is_empty() => return Ok(text.into()),
        result => result.err(),
    };
    let decoded = match arguments.mixed.is_empty() {
        true => decode_cesu_8(bytes).map(Cow::from),
        false => decode_mixed(bytes, &arguments.mixed),
    };
    if let Some(text) = decoded {
        return Ok(text);
    }
    match error.filter(|_| arguments.mixed.is_empty()) {
        Some(error) => bail!(
            "{}: not UTF-8 at byte offset {} (line {line})\n  \
             With --mixed utf-8,windows-1252, parts that are not UTF-8 are read in windows-1252. \
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

    /// Says what has become of the lines of a file, or in a dry run what would become of them.
    fn say(&self, name: &str, arguments: &Arguments) {
        let dry = arguments.dry_run;
        let RepairCounts { repaired, ambiguous, lost, .. } = self.repair;
        let verb = |done, would| if dry { would } else { done };
        let parts = [
            describe(self.decoded, verb("decoded", "would decode"), ""),
            describe(repaired, verb("repaired", "would repair"), ""),
            match lost {
                0 => None,
                1 => Some("1 character is U+FFFD, because it was lost before".to_owned()),
                _ => Some(format!("{lost} characters are U+FFFD, because they were lost before")),
            },
            describe(ambiguous, verb("left", "would leave"), "ambiguous ")
                .map(|sentence| format!("{sentence}; see --ambiguous")),
        ];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        match &parts[..] {
            [] if dry && arguments.guess => say(&format!("{name}: no line needs a repair")),
            [] if dry => say(&format!("{name}: no line needs a repair (see --encoding and --guess)")),
            [] => {}
            _ => say(&format!("{name}: {}", parts.join("; "))),
        }
    }
}

/// Says which attributes of a file are lost.
fn say_lost(name: &str, lost: &[String]) {
    lost.iter().for_each(|lost| say(&format!("{name}: {lost}")));
}

fn cannot_write(output: Option<&Path>) -> String {
    match output {
        Some(path) if path.as_os_str() != "-" => format!("cannot write {}", message::display(path)),
        _ => "cannot write to standard output".to_owned(),
    }
}
