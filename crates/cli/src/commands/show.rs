//! `textcodec show`: the bytes of a file beside their characters.

use std::{
    collections::{HashSet, VecDeque},
    fmt::Write as _,
    io::Read,
    ops::ControlFlow,
};

use anyhow::Context;
use textcodec_convert::{
    Charset, Position, SourceEncoding,
    charset::{Decoder, Malformed, Status},
    files::{check_streams, reading},
};

use crate::{
    arguments::Show,
    color, input,
    message::{is_visible, say},
    standard_streams::StandardOutput,
};

/// The number of bytes in a row.
const ROW: usize = 16;

/// The number of bytes that are read at once.
const BUFFER: usize = 64 * 1024;

/// Shows one file.
pub(crate) fn run(arguments: &Show) -> anyhow::Result<()> {
    let file = arguments.file.clone().unwrap_or_else(|| "-".into());
    let input = input::check(&file)?;
    check_streams(&input)?;
    let cannot_read = || format!("cannot read {}", input.name);
    let mut rest = input.open().with_context(cannot_read)?;
    let (charset, start) = match arguments.from {
        SourceEncoding::Label(charset) => (charset, Vec::new()),
        SourceEncoding::Auto => {
            let found = reading::find_out(input.path(), &mut rest).with_context(cannot_read)?;
            if let Some(distrusted) = &found.distrusted {
                say(&format!("{}: {distrusted}; it is shown as UTF-8", input.name));
            } else if found.encoding.is_none() {
                say(&format!("{}: nothing in the file tells its encoding; it is shown as UTF-8", input.name));
            }
            (found.encoding.unwrap_or(Charset::UTF_8), found.start)
        }
    };
    let end = arguments.length.map_or(u64::MAX, |length| arguments.offset.saturating_add(length));
    let output = StandardOutput::open().context("cannot write to standard output")?;
    let mut view = View {
        is_colored: color::is_wanted_on_output(),
        output,
        text: String::new(),
        wanted: arguments.offset..end,
        has_names: arguments.names,
        named: HashSet::new(),
        context: arguments.errors,
        before: VecDeque::new(),
        after: 0,
        last_printed: None,
        row: Row::default(),
        position: Position::default(),
    };
    let mut decoder = charset.new_decoder(arguments.ignore_bom);
    let mut bytes = start.chain(rest);
    let mut buffer = vec![0; BUFFER];
    let mut offset = 0;
    let mut pending = Vec::new();
    while offset < end {
        let length = reading::read(&mut bytes, &mut buffer).with_context(cannot_read)?;
        view.show(&mut decoder, &buffer[..length], length == 0, &mut offset, &mut pending)?;
        if length == 0 {
            break;
        }
    }
    view.finish()
}

/// The name of a character in the Unicode Standard. Control characters have none.
fn name(character: char) -> Option<String> {
    unicode_names2::name(character).map(|name| name.to_string())
}

/// Bytes that are shown side by side.
#[derive(Default)]
struct Row {
    offset: u64,
    bytes: Vec<u8>,
    /// Whether each byte is malformed.
    malformed: Vec<bool>,
    characters: String,
    /// A sentence for each malformed sequence.
    notes: Vec<String>,
    /// The code points and names of characters that were not named before.
    names: Vec<String>,
}

/// The rows that are printed.
struct View {
    is_colored: bool,
    output: StandardOutput,
    /// The rows that are not written yet.
    text: String,
    /// The offsets of the bytes that are shown.
    wanted: std::ops::Range<u64>,
    /// Whether characters outside of ASCII are named.
    has_names: bool,
    /// The characters that are named already.
    named: HashSet<char>,
    /// The number of rows around malformed bytes, if only these are shown.
    context: Option<usize>,
    /// Rows that are printed if malformed bytes follow.
    before: VecDeque<(u64, String)>,
    /// The number of rows that are still printed after malformed bytes.
    after: usize,
    /// The end of the last printed row.
    last_printed: Option<u64>,
    row: Row,
    position: Position,
}

impl View {
    /// Shows a piece of the file, byte by byte: the bytes that lead to a character belong to it. `pending` is bytes
    /// that lead to no character yet.
    fn show(
        &mut self,
        decoder: &mut Decoder,
        piece: &[u8],
        last: bool,
        offset: &mut u64,
        pending: &mut Vec<u8>,
    ) -> anyhow::Result<()> {
        let mut text = String::with_capacity(64);
        // One more byte each time, so that the text that comes out is the text of these bytes.
        for source in piece.chunks(1).chain(last.then_some(&[][..])) {
            let mut read = 0;
            let last = last && source.is_empty();
            let flow = decoder.decode_pieces(source, &mut text, last, |decoder, text, decoded| {
                pending.extend_from_slice(&source[read..read + decoded.read]);
                read += decoded.read;
                let added = match decoded.status {
                    Status::Malformed(malformed) => {
                        self.add_around(offset, pending, text, &malformed, decoder.charset())
                    }
                    Status::InputEmpty | Status::OutputFull if !text.is_empty() || last => {
                        self.add(offset, std::mem::take(pending), text)
                    }
                    Status::InputEmpty | Status::OutputFull => Ok(()),
                };
                self.position = self.position.after(text);
                text.clear();
                added.map_or_else(ControlFlow::Break, ControlFlow::Continue)
            });
            if let ControlFlow::Break(error) = flow {
                return Err(error);
            }
        }
        Ok(())
    }

    /// Adds a malformed sequence and the text before it.
    fn add_around(
        &mut self,
        offset: &mut u64,
        pending: &mut Vec<u8>,
        text: &str,
        malformed: &Malformed,
        charset: Charset,
    ) -> anyhow::Result<()> {
        // Bytes after the malformed ones were restored, and are decoded again or are the text that came out.
        let before = usize::try_from(malformed.offset.saturating_sub(*offset)).unwrap_or(0).min(pending.len());
        let sequence = pending.drain(..before).collect();
        self.add(offset, sequence, text)?;
        let length = malformed.bytes.len().min(pending.len());
        let sequence = pending.drain(..length).collect();
        self.add_malformed(offset, sequence, charset)
    }

    /// Adds the bytes of a character, or of several that the decoder gives at once.
    fn add(&mut self, offset: &mut u64, bytes: Vec<u8>, text: &str) -> anyhow::Result<()> {
        let mut shown = String::new();
        for character in text.chars() {
            match character {
                ' '..='~' => shown.push(character),
                '\n' => shown.push('␊'),
                '\r' => shown.push('␍'),
                '\t' => shown.push('␉'),
                _ if is_visible(character) => {
                    let _ = write!(shown, "{character}(U+{:04X})", u32::from(character));
                }
                _ => {
                    let _ = write!(shown, "(U+{:04X})", u32::from(character));
                }
            }
        }
        if self.has_names && self.wanted.contains(offset) {
            let others = text.chars().filter(|character| !matches!(character, ' '..='~' | '\n' | '\r' | '\t'));
            for character in others.filter(|character| self.named.insert(*character)) {
                let name = name(character).unwrap_or_else(|| "no name".to_owned());
                self.row.names.push(format!("U+{:04X} {name}", u32::from(character)));
            }
        }
        self.put(offset, &bytes, &shown, None)
    }

    fn add_malformed(&mut self, offset: &mut u64, bytes: Vec<u8>, charset: Charset) -> anyhow::Result<()> {
        let hexadecimal: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        let (likely, _) = textcodec::WINDOWS_1252.decode_without_bom_handling(&bytes);
        let likely = if likely.chars().all(is_visible) {
            let names: Vec<_> = likely.chars().filter_map(name).collect();
            format!("; in windows-1252: {likely} ({})", names.join(", "))
        } else {
            String::new()
        };
        let note = format!(
            "^ byte offset {offset} (0x{offset:X}), {}: not {charset}: {}{likely}",
            self.position,
            hexadecimal.join(" ")
        );
        self.put(offset, &bytes, &format!("[{}]", hexadecimal.join(" ")), Some(note))
    }

    /// Puts bytes and what they mean into the row, and prints the row if it is full.
    fn put(&mut self, offset: &mut u64, bytes: &[u8], shown: &str, note: Option<String>) -> anyhow::Result<()> {
        let start = *offset;
        *offset += bytes.len() as u64;
        if !self.wanted.contains(&start) {
            return Ok(());
        }
        if !self.row.bytes.is_empty() && self.row.bytes.len() + bytes.len() > ROW {
            self.end_row()?;
        }
        if self.row.bytes.is_empty() {
            self.row.offset = start;
        }
        self.row.bytes.extend_from_slice(bytes);
        self.row.malformed.resize(self.row.bytes.len(), note.is_some());
        self.row.characters += shown;
        self.row.notes.extend(note);
        if self.row.bytes.len() >= ROW { self.end_row() } else { Ok(()) }
    }

    fn end_row(&mut self) -> anyhow::Result<()> {
        let row = std::mem::take(&mut self.row);
        if row.bytes.is_empty() {
            return Ok(());
        }
        let paint =
            |text: String, is_red: bool| if is_red && self.is_colored { format!("\x1B[31m{text}\x1B[m") } else { text };
        let bytes = row.bytes.iter().zip(&row.malformed);
        let hexadecimal: Vec<_> = bytes.map(|(byte, &malformed)| paint(format!("{byte:02X}"), malformed)).collect();
        // Three columns for each byte that the row does not have.
        let space = " ".repeat(3 * ROW.saturating_sub(row.bytes.len()));
        let mut text = format!("{:08x}  {}{space}  {}\n", row.offset, hexadecimal.join(" "), row.characters);
        row.notes.iter().for_each(|note| text += &format!("          {}\n", paint(note.clone(), true)));
        row.names.iter().for_each(|name| text += &format!("          {name}\n"));
        match self.context {
            None => self.text += &text,
            Some(context) if !row.notes.is_empty() => {
                let start = self.before.front().map_or(row.offset, |&(offset, _)| offset);
                if self.last_printed.is_some_and(|end| end < start) {
                    self.text += "…\n";
                }
                self.before.drain(..).for_each(|(_, kept)| self.text += &kept);
                self.text += &text;
                self.after = context;
                self.last_printed = Some(row.offset + row.bytes.len() as u64);
            }
            Some(_) if self.after > 0 => {
                self.after -= 1;
                self.text += &text;
                self.last_printed = Some(row.offset + row.bytes.len() as u64);
            }
            Some(context) => {
                self.before.push_back((row.offset, text));
                if self.before.len() > context {
                    self.before.pop_front();
                }
            }
        }
        if self.text.len() >= BUFFER { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> anyhow::Result<()> {
        let text = std::mem::take(&mut self.text);
        self.output.print(&text).context("cannot write to standard output")
    }

    fn finish(mut self) -> anyhow::Result<()> {
        self.end_row()?;
        self.write()
    }
}
