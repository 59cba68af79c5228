//! The second half of a conversion: the decoded text is changed and encoded.

use alloc::{borrow::ToOwned, format, string::String};

use super::{
    Converter, DIRECT,
    failure::{Failure, TextError},
    records::Records,
    replaced::{First, Replacement, Subject, What},
    sink::Sink,
    stream::{At, Changes},
};
use crate::{
    binary::binary_data,
    charset::{Charset, EncodeStatus, LONGEST_END},
    declarations::{Edits, escape},
    options::Errors,
    position::Position,
    text::{transliterate_character, twin},
};

impl<W: Sink> Converter<W> {
    /// Encodes and clears the text that is decoded. `last` says that it is the end of the stream.
    pub(super) fn encode_text(
        &mut self,
        at: &mut At<'_>,
        edits: &mut Edits,
        changes: &mut Option<Changes>,
        text: &mut String,
        had_mark: &dyn Fn() -> bool,
        last: bool,
    ) -> Result<(), Failure<W::Error>> {
        if self.is_bom_open && (last || !text.is_empty()) {
            self.is_bom_open = false;
            if had_mark() {
                self.add_bom();
            }
        }
        if at.refuse_binary
            && let Some(offset) = binary_data(text, at.is_first())
        {
            let position = at.position.after(&text[..offset]);
            if !at.is_first() {
                // What is written before the error does not depend on the size of the pieces.
                text.truncate(offset);
                self.encode_text(at, edits, changes, text, had_mark, true)?;
            }
            return Err(TextError::Binary { position }.into());
        }
        for (mut offset, mut part) in edits.apply(text) {
            if at.is_start && !part.is_empty() {
                // A second byte order mark is no text: programs that add one do not look for the first.
                let marks = if had_mark() { part.len() - part.trim_start_matches('\u{FEFF}').len() } else { 0 };
                (offset, part) = (offset + marks, &part[marks..]);
                at.is_start = part.is_empty();
            }
            let escaped;
            if at.escapes_properties {
                escaped = escape(part, self.options.to);
                part = &escaped;
            }
            match changes {
                Some(changes) => self.encode_changed(at, changes, part, false)?,
                None => self.encode_part(at, at.position, text, offset, part)?,
            }
        }
        if last && let Some(changes) = changes {
            self.encode_changed(at, changes, "", true)?;
        }
        at.position = at.position.after(text);
        text.clear();
        at.counted = (0, at.position);
        Ok(())
    }

    /// Encodes `part`, the text from `offset` in `text` or the text in its place. `position` is the place of `text`.
    fn encode_part(
        &mut self,
        at: &At<'_>,
        position: Position,
        text: &str,
        offset: usize,
        part: &str,
    ) -> Result<(), Failure<W::Error>> {
        if self.record.is_none() {
            return self.encode_line(at, position, text, offset, part);
        }
        let mut start = offset;
        let is_end = |character| character == '\n' && !at.is_in_records;
        for line in part.split_inclusive(is_end) {
            let content = line.strip_suffix(is_end).unwrap_or(line);
            self.encode_line(at, position, text, start, content)?;
            if let Some(record) = self.record.filter(|record| record.is_overfull()) {
                let position = position.after(text.get(..start).unwrap_or_default());
                return Err(TextError::LongLine { length: record.length(), line: position.line() }.into());
            }
            if content.len() < line.len() {
                self.end_record()?;
            }
            start += line.len();
        }
        Ok(())
    }

    /// Ends the record of the output: with a shift to single bytes where the encoder needs one, and with spaces.
    pub(super) fn end_record(&mut self) -> Result<(), Failure<W::Error>> {
        const SPACES: &str = "                                                                ";
        self.encode("", true, |_, _, _| unreachable!("an empty text has no unmappable character"))?;
        let mut missing = self.record.map_or(0, Records::missing);
        while missing > 0 {
            let spaces = &SPACES[..missing.min(SPACES.len())];
            self.encode(spaces, false, |_, _, _| unreachable!("EBCDIC has a space"))?;
            missing -= spaces.len();
        }
        if let Some(record) = &mut self.record {
            record.end();
        }
        Ok(())
    }

    /// Encodes a part without line ends, or a part of an output without records. The parameters are those of
    /// [`encode_part`](Self::encode_part).
    fn encode_line(
        &mut self,
        at: &At<'_>,
        position: Position,
        text: &str,
        offset: usize,
        part: &str,
    ) -> Result<(), Failure<W::Error>> {
        // Many characters in one text are found from one to the next.
        let mut counted = (0, position);
        self.encode(part, false, |this, unmappable, read| {
            // The encoder of ISO-2022-JP reports U+FFFD for some other characters.
            let character = part[..read].chars().next_back().unwrap_or(unmappable);
            this.replace_unmappable(at, unmappable, character, || {
                let end = offset + read - character.len_utf8();
                counted = match text.get(counted.0..end) {
                    Some(between) => (end, counted.1.after(between)),
                    None => counted,
                };
                counted.1
            })
        })
    }

    /// Changes `part` and encodes the result.
    fn encode_changed(
        &mut self,
        at: &At<'_>,
        changes: &mut Changes,
        part: &str,
        last: bool,
    ) -> Result<(), Failure<W::Error>> {
        let Changes { steps, text, position } = changes;
        steps.apply(part, last, text);
        self.encode_part(at, *position, text, 0, text)?;
        *position = position.after(text);
        text.clear();
        Ok(())
    }

    /// Encodes `text`, in an output with records as far as the record has space. After each unmappable character,
    /// `unmappable` is called with the code point that the encoder reports and the length of the text up to and with
    /// this character.
    pub(super) fn encode(
        &mut self,
        text: &str,
        last: bool,
        mut unmappable: impl FnMut(&mut Self, char, usize) -> Result<(), Failure<W::Error>>,
    ) -> Result<(), Failure<W::Error>> {
        if text.len() >= DIRECT && self.options.to == Charset::UTF_8 {
            // The text is the output.
            self.write()?;
            return self.output.write(text.as_bytes()).map_err(Failure::Output);
        }
        let mut read = 0;
        loop {
            let free = self.bytes.len() - self.filled;
            let space = self.record.map_or(free, |record| record.missing().min(free));
            let encoded = self.encoder.encode(&text[read..], &mut self.bytes[self.filled..self.filled + space], last);
            read += encoded.read;
            self.filled += encoded.written;
            if let Some(record) = &mut self.record {
                record.add(encoded.written);
                let is_full = space < free && encoded.status == EncodeStatus::OutputFull;
                if is_full || record.missing() < LONGEST_END && record.missing() < self.encoder.length_of_end() {
                    record.overfill();
                }
                if record.is_overfull() {
                    return Ok(());
                }
            }
            match encoded.status {
                EncodeStatus::InputEmpty => return Ok(()),
                EncodeStatus::OutputFull => self.write()?,
                EncodeStatus::Unmappable(code_point) => {
                    if let Err(failure) = unmappable(self, code_point, read) {
                        if self.bytes.len() - self.filled < LONGEST_END {
                            self.write()?;
                        }
                        self.filled += self.encoder.give_up(&mut self.bytes[self.filled..]);
                        return Err(failure);
                    }
                }
            }
        }
    }

    /// Writes other characters for `character`, for which the encoder reports `code_point`.
    fn replace_unmappable(
        &mut self,
        at: &At<'_>,
        code_point: char,
        character: char,
        mut position: impl FnMut() -> Position,
    ) -> Result<(), Failure<W::Error>> {
        let to = self.options.to;
        if self.options.twins
            && let Some(twin) = twin(character, to)
        {
            let mut buffer = [0; 4];
            return self
                .encode(twin.encode_utf8(&mut buffer), false, |_, _, _| unreachable!("the twin can be encoded"));
        }
        let likeness = if self.options.transliterate { transliterate_character(character, to) } else { None };
        let is_like = likeness.is_some();
        let replacement = match (likeness, self.options.unmappable) {
            (Some(likeness), _) => likeness,
            (None, Errors::Fatal) => {
                return Err(TextError::Unmappable { charset: to, character, code_point, position: position() }.into());
            }
            (None, Errors::Replacement) => self.options.replacement.clone().unwrap_or_else(|| "?".to_owned()),
            (None, Errors::Html) => format!("&#{};", u32::from(code_point)),
            (None, Errors::Ignore) => String::new(),
            (None, Errors::Escape) => format!("\\u{{{:X}}}", u32::from(character)),
        };
        let places = if is_like { &mut self.replaced.transliterated } else { &mut self.replaced.unmappable };
        if places.number == 0 || at.observer.is_some() {
            let position = position();
            places.first(|| First { subject: Subject::Character(character), name: at.name.to_owned(), position });
            if let Some(observer) = at.observer {
                observer(&Replacement { what: What::Unmappable(character, to), text: &replacement, position });
            }
        }
        places.number += 1;
        self.encode(&replacement, false, |_, _, _| {
            let (replacement, position) = (replacement.clone(), position());
            Err(TextError::Irreplaceable { charset: to, character, replacement, position }.into())
        })
    }
}
