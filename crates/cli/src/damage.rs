//! Damaged texts: UTF-8 with a few malformed sequences, and files of which a part is UTF-16 and a part is not. Such a
//! text is never converted as something else, unless the user asks for it.

use std::{
    fmt,
    io::{self, ErrorKind, Read},
};

use anyhow::{Context, anyhow};
use textcodec::{
    UTF_8,
    sniff::structure::{Damage, Examination, Findings},
};

use crate::{buffers, charset::Charset, input::Input, position::Position};

/// The damage of a text, for messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Damaged {
    pub(crate) damage: Damage,
    /// The number of malformed sequences of UTF-8.
    pub(crate) malformed: u64,
    /// The offset in bytes of the first malformed sequence, or of the first change between two encodings.
    pub(crate) offset: u64,
    /// The place of the first malformed sequence; the start of the text if there is a change between two encodings.
    pub(crate) position: Position,
}

impl Damaged {
    /// The damage that `findings` tell. `bytes` gives the text again, up to the first malformed sequence at least.
    pub(crate) fn new<R: Read>(
        findings: &Findings,
        bytes: impl FnOnce() -> anyhow::Result<R>,
    ) -> anyhow::Result<Option<Self>> {
        Self::at(findings, || Ok(place(bytes()?, findings.first_malformed.unwrap_or(0))?))
    }

    /// The damage that `findings` tell. `place` finds the place of the first malformed sequence.
    pub(crate) fn at(
        findings: &Findings,
        place: impl FnOnce() -> anyhow::Result<Position>,
    ) -> anyhow::Result<Option<Self>> {
        let Some(damage) = findings.damage else { return Ok(None) };
        let (offset, position) = match (damage, findings.first_malformed) {
            (Damage::Mixed { offset, .. }, _) => (offset, Position::default()),
            (_, first) => (first.unwrap_or(0), place()?),
        };
        Ok(Some(Damaged { damage, malformed: findings.malformed, offset, position }))
    }

    /// The error of the input with this name. `is_asked` says that the user has named another encoding.
    pub(crate) fn error(&self, name: &str, is_asked: bool) -> anyhow::Error {
        let force = if is_asked { " With --force, it is decoded as --from says." } else { "" };
        anyhow!("{name}: {self}\n  {}{force}", self.hint())
    }

    /// The damage without its place.
    pub(crate) fn summary(&self) -> String {
        let Damaged { damage, malformed, offset, .. } = self;
        match damage {
            Damage::Mixed { is_utf_16_first, .. } => {
                let (before, after) = if *is_utf_16_first { ("", " not") } else { (" not", "") };
                format!(
                    "a part is UTF-16 and a part is not: the first {offset} bytes are{before} UTF-16, and the bytes \
                     after them are{after}"
                )
            }
            _ => {
                let s = if *malformed == 1 { "" } else { "s" };
                format!("damaged UTF-8: {malformed} malformed sequence{s}")
            }
        }
    }

    /// What the user can do.
    fn hint(&self) -> &'static str {
        match self.damage {
            Damage::Mixed { .. } => {
                "Convert each part on its own; head -c and tail -c separate them. With --from utf-16le, the whole file \
                 is decoded in UTF-16LE."
            }
            _ => {
                "With --from utf-8 and --errors replacement, escape or ignore, the file is converted as UTF-8. With \
                 `textcodec repair --mixed utf-8,windows-1252`, each line that is not UTF-8 is decoded in windows-1252."
            }
        }
    }
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.summary())?;
        if matches!(self.damage, Damage::Mixed { .. }) {
            return Ok(());
        }
        let first = if self.malformed == 1 { "" } else { "the first " };
        write!(f, ", {first}at {} (byte offset {})", self.position.for_editors(), self.offset)
    }
}

/// Examines all bytes.
pub(crate) fn examine(mut bytes: impl Read) -> io::Result<Findings> {
    let mut examination = Examination::new();
    let mut piece = buffers::Bytes::new();
    loop {
        // A sparse file can be very long.
        if examination.is_binary() {
            return Ok(examination.findings(true));
        }
        match bytes.read(&mut piece) {
            Ok(0) => return Ok(examination.findings(true)),
            Ok(length) => examination.feed(&piece[..length]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Examines all bytes of a regular file.
pub(crate) fn examine_input(input: &Input) -> anyhow::Result<Findings> {
    examine(input.open()?).with_context(|| format!("cannot read {}", input.name))
}

/// The damage of a regular file, all of whose bytes are examined.
pub(crate) fn find(input: &Input) -> anyhow::Result<Option<Damaged>> {
    Damaged::new(&examine_input(input)?, || input.open())
}

/// Whether the file or stream starts with a byte order mark of UTF-16.
pub(crate) fn has_mark_of_utf_16(start: &[u8]) -> bool {
    start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF")
}

/// The place after the first `offset` bytes of a text in UTF-8.
fn place(bytes: impl Read, offset: u64) -> io::Result<Position> {
    let mut bytes = bytes.take(offset);
    let mut decoder = Charset::Standard(UTF_8).new_decoder(false);
    let (mut piece, mut text) = (buffers::Bytes::new(), buffers::Text::new());
    let mut position = Position::default();
    loop {
        let length = match bytes.read(&mut piece) {
            Ok(0) => return Ok(position),
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let mut read = 0;
        while read < length {
            read += decoder.decode(&piece[read..length], &mut text, false).read;
            position = position.after(&text);
            text.clear();
        }
    }
}
