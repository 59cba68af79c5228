//! Names in ZIP archives.
//!
//! [APPNOTE.TXT](https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT) says that names are in cp437 unless bit
//! 11 of the flags says UTF-8. Programs on Windows write the code page of DOS of their country instead, and many others
//! write UTF-8 without the bit. [`Archive::copy`] writes the same archive with names in UTF-8 and the bit. It copies
//! the bytes of all files as they are, so nothing is compressed again, and encrypted files stay encrypted.
//!
//! The headers are read and written here, because `raw_copy_file_rename` of the crate `zip` 9.8 does not write this
//! copy. It takes the comment of a file for cp437, and nobody can give it another one. It keeps the old name in the
//! extra field 0x7075. It drops internal attributes, bits 1 and 2 of the flags, and data descriptors of files that are
//! not encrypted; it writes the times in the local header and the needed version anew. It does not read an archive with
//! a damaged extra field. The writer of rawzip 0.5 adds a data descriptor to each file, and takes no bits of flags.

use std::{
    collections::BTreeMap,
    io::{self, Read, Seek, SeekFrom, Write},
};

use super::names::{Obstacle, Translated, Translation};
use crate::charset::Charset;

/// The bit of the flags that says that the name and the comment of a file are in UTF-8.
const UTF_8: u16 = 1 << 11;
/// The bit of the flags that says that the local header has no true values, because the directory is encrypted.
const MASKED: u16 = 1 << 13;

/// Lengths of headers without their fields of variable length.
const END: usize = 22;
const END_64: usize = 56;
const LOCATOR: usize = 20;
const RECORD: usize = 46;
const LOCAL: usize = 30;

/// The greatest length of a directory that is read. With names of 100 bytes, it has 7 million files.
const LONGEST_DIRECTORY: u64 = 1 << 30;

/// The extra field with offsets of more than four bytes, and the one with a name in UTF-8.
const ZIP64: u16 = 0x0001;
const UNICODE_PATH: u16 = 0x7075;
const UNICODE_COMMENT: u16 = 0x6375;

/// An archive whose directory is read.
#[derive(Debug)]
pub struct Archive<F> {
    file: F,
    records: Vec<Record>,
    /// The bytes in front of the archive, for example a program that unpacks it. Offsets do not count them.
    prefix: u64,
    /// The place of the directory in the file.
    directory: u64,
    /// The bytes after the last record: the end of the directory and the comment of the archive.
    tail: Vec<u8>,
    /// The places of the end records in the tail; the first is that of ZIP64.
    end_64: Option<usize>,
    end: usize,
}

/// A file in an archive.
#[derive(Clone, Debug)]
struct Record {
    header: [u8; RECORD],
    name: Vec<u8>,
    extra: Vec<u8>,
    comment: Vec<u8>,
    /// The offset of the local header, from the end of the prefix.
    offset: u64,
}

/// What becomes of the name of a file in an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name<'a> {
    /// The name as it is.
    pub old: &'a [u8],
    /// Whether the archive says that the name is UTF-8.
    pub is_marked: bool,
    /// What becomes of it.
    pub translated: Translated,
}

fn wrong(sentence: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, sentence)
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}

/// Writes a value of four bytes, which must be less than the greatest: that one says that ZIP64 has the value.
fn put_u32(bytes: &mut [u8], at: usize, value: u64) -> io::Result<()> {
    let value = u32::try_from(value).ok().filter(|&value| value != u32::MAX);
    let value = value.ok_or_else(|| wrong("with the longer names, the archive would need ZIP64"))?;
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    Ok(())
}

fn put_length(bytes: &mut [u8], at: usize, length: usize) -> io::Result<()> {
    let length = u16::try_from(length).map_err(|_| wrong("a new name is longer than 64 KiB"))?;
    bytes[at..at + 2].copy_from_slice(&length.to_le_bytes());
    Ok(())
}

impl<F: Read + Seek> Archive<F> {
    /// Reads the directory of an archive.
    ///
    /// # Errors
    /// The file cannot be read, is no ZIP archive, or is a part of one.
    pub fn open(mut file: F) -> io::Result<Self> {
        let length = file.seek(SeekFrom::End(0))?;
        // The comment of an archive has at most 64 KiB.
        let start = length.saturating_sub((END + usize::from(u16::MAX) + LOCATOR) as u64);
        let last = read_at(&mut file, start, length - start)?;
        let is_end = |&at: &usize| {
            last[at..].starts_with(b"PK\x05\x06") && at + END + usize::from(u16_at(&last, at + 20)) <= last.len()
        };
        let at = (0..=last.len().saturating_sub(END)).rev().filter(|at| at + END <= last.len()).find(is_end);
        let at = at.ok_or_else(|| wrong("the file is no ZIP archive, or its end is missing"))?;
        let end = &last[at..];
        let end_place = start + at as u64;
        let (mut size, mut offset) = (u64::from(u32_at(end, 12)), u64::from(u32_at(end, 16)));
        let mut number = u64::from(u16_at(end, 10));
        if u16_at(end, 4) != u16_at(end, 6) {
            return Err(wrong("the archive has several parts"));
        }
        let mut directory_end = end_place;
        let mut end_64_place = None;
        if at >= LOCATOR && last[at - LOCATOR..].starts_with(b"PK\x06\x07") {
            // The offset in the locator does not count a prefix, so a record right before the locator is tried, too.
            let said = u64_at(&last, at - LOCATOR + 8);
            let beside = (end_place - LOCATOR as u64).checked_sub(END_64 as u64);
            let is_before_locator = |place: &u64| beside.is_some_and(|beside| *place <= beside);
            for place in [Some(said), beside].into_iter().flatten().filter(is_before_locator) {
                let record = read_at(&mut file, place, END_64 as u64)?;
                if record.starts_with(b"PK\x06\x06") {
                    (number, size, offset) = (u64_at(&record, 32), u64_at(&record, 40), u64_at(&record, 48));
                    (directory_end, end_64_place) = (place, Some(place));
                    break;
                }
            }
        }
        let directory = directory_end.checked_sub(size).ok_or_else(|| wrong("the end of the archive is damaged"))?;
        let prefix = directory.checked_sub(offset).ok_or_else(|| wrong("the start of the archive is missing"))?;
        if size > LONGEST_DIRECTORY {
            return Err(wrong("the directory of the archive is too long"));
        }
        let bytes = read_at(&mut file, directory, size)?;
        let (mut records, mut rest) = (Vec::new(), &*bytes);
        while rest.starts_with(b"PK\x01\x02") {
            let (record, after) = Record::parse(rest).ok_or_else(|| wrong("the directory is damaged"))?;
            records.push(record);
            rest = after;
        }
        // Old archives count to 65,535 only.
        if records.len() as u64 & 0xFFFF != number & 0xFFFF {
            return Err(wrong("the directory is damaged, or is encrypted"));
        }
        let tail_place = directory_end - rest.len() as u64;
        let in_tail = |place: u64| usize::try_from(place - tail_place).expect("the tail is in memory");
        let (end, end_64) = (in_tail(end_place), end_64_place.map(in_tail));
        let tail = read_at(&mut file, tail_place, length - tail_place)?;
        Ok(Archive { file, records, prefix, directory, tail, end_64, end })
    }

    /// The names that no bit says are UTF-8.
    pub fn unmarked_names(&self) -> impl Iterator<Item = &[u8]> {
        self.records.iter().filter(|record| !record.is_marked()).map(|record| &*record.name)
    }

    /// What would become of all names.
    pub fn names(&self, translation: &Translation) -> impl Iterator<Item = Name<'_>> {
        self.records.iter().map(|record| {
            let (is_marked, translated) = (record.is_marked(), record.translate(translation));
            Name { old: &record.name, is_marked, translated }
        })
    }

    /// Writes the archive with the new names. A name that cannot be translated stays as it is.
    ///
    /// # Errors
    /// The archive is damaged, two files would get one name, or something cannot be read or written.
    pub fn copy(&mut self, translation: &Translation, output: &mut impl Write) -> io::Result<()> {
        let mut records = self.records.clone();
        // Names, and whether they are new. An archive may have one name twice already.
        let mut names = BTreeMap::new();
        for record in &mut records {
            let is_changed = record.rename(translation)?;
            let other = names.insert(record.name.clone(), is_changed);
            if other.is_some_and(|was_changed| was_changed || is_changed) {
                return Err(wrong("two files in the archive would get one name"));
            }
        }
        let mut order: Vec<usize> = (0..records.len()).collect();
        order.sort_by_key(|&index| records[index].offset);
        let overlap = || wrong("the directory of the archive is damaged: files overlap");
        let (mut read, mut written) = (0, 0);
        for index in order {
            let (old, new) = (&self.records[index], &mut records[index]);
            let place = self.prefix.checked_add(old.offset).filter(|&place| place >= read && place < self.directory);
            let place = place.ok_or_else(overlap)?;
            copy(&mut self.file, read, place - read, output)?;
            written += place - read;
            new.offset = written - self.prefix;
            let mut header = read_at(&mut self.file, place, LOCAL as u64)?;
            let (name_length, extra_length) = (u16_at(&header, 26), u16_at(&header, 28));
            let rest = read_at(&mut self.file, place + LOCAL as u64, u64::from(name_length) + u64::from(extra_length))?;
            let (name, extra) = rest.split_at(name_length.into());
            if !header.starts_with(b"PK\x03\x04") || name != old.name || u16_at(&header, 6) & MASKED != 0 {
                return Err(wrong("a file in the archive has another name than in the directory"));
            }
            let mut extra = extra.to_vec();
            if new.is_marked() && (!old.is_marked() || new.name != old.name) {
                extra = without_unicode(&extra);
                let flags = u16_at(&header, 6) | UTF_8;
                header[6..8].copy_from_slice(&flags.to_le_bytes());
            }
            put_length(&mut header, 26, new.name.len())?;
            put_length(&mut header, 28, extra.len())?;
            for bytes in [&header, &new.name, &extra] {
                output.write_all(bytes)?;
                written += bytes.len() as u64;
            }
            read = place + (LOCAL + rest.len()) as u64;
        }
        let rest = self.directory.checked_sub(read).ok_or_else(overlap)?;
        copy(&mut self.file, read, rest, output)?;
        written += rest;
        let directory = written;
        for record in &records {
            written += record.write(output)?;
        }
        let mut tail = self.tail.clone();
        let first_end = self.end_64.unwrap_or(self.end);
        let (size, offset) = (written + first_end as u64 - directory, directory - self.prefix);
        if let Some(at) = self.end_64 {
            tail[at + 40..at + 48].copy_from_slice(&size.to_le_bytes());
            tail[at + 48..at + 56].copy_from_slice(&offset.to_le_bytes());
            // The locator is right before the other end record.
            let locator = self.end - LOCATOR;
            tail[locator + 8..locator + 16].copy_from_slice(&(written + at as u64 - self.prefix).to_le_bytes());
        }
        for (at, value) in [(self.end + 12, size), (self.end + 16, offset)] {
            if self.end_64.is_none() || u32_at(&tail, at) != u32::MAX {
                put_u32(&mut tail, at, value)?;
            }
        }
        output.write_all(&tail)
    }
}

impl Record {
    /// The record at the start of `bytes`, and the bytes after it.
    fn parse(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (header, mut rest) = bytes.split_first_chunk::<RECORD>()?;
        let mut take = |at: usize| {
            let (field, after) = rest.split_at_checked(u16_at(header, at).into())?;
            rest = after;
            Some(field.to_vec())
        };
        let (name, extra, comment) = (take(28)?, take(30)?, take(32)?);
        let offset = match u32_at(header, 42) {
            u32::MAX => {
                let place = Self::offset_in_extra(header, &extra)?;
                u64_at(&extra, place)
            }
            offset => offset.into(),
        };
        Some((Record { header: *header, name, extra, comment, offset }, rest))
    }

    /// The place of the offset in the extra fields: ZIP64 has those values for which the header has no place.
    fn offset_in_extra(header: &[u8; RECORD], extra: &[u8]) -> Option<usize> {
        let before = [24, 20].iter().filter(|&&at| u32_at(header, at) == u32::MAX).count() * 8;
        let (place, length) = fields(extra).find_map(|(id, place, length)| (id == ZIP64).then_some((place, length)))?;
        (length >= before + 8).then_some(place + before)
    }

    fn flags(&self) -> u16 {
        u16_at(&self.header, 8)
    }

    fn is_marked(&self) -> bool {
        self.flags() & UTF_8 != 0
    }

    fn translate(&self, translation: &Translation) -> Translated {
        match (self.is_marked(), translation.read_as) {
            (true, None) => {
                let (mut marked, normalization) = (Translation::new(Charset::UTF_8), translation.normalization);
                marked.normalization = normalization;
                marked.translate(&self.name)
            }
            _ => translation.translate(&self.name),
        }
    }

    /// Gives the file its new name and the bit that says UTF-8. Returns whether the name is another one.
    fn rename(&mut self, translation: &Translation) -> io::Result<bool> {
        let (is_marked, is_plain) = (self.is_marked(), self.name.is_ascii() && self.comment.is_ascii());
        // The bit is about the comment, too.
        let comment = match translation.translate(&self.comment) {
            _ if is_marked => self.comment.clone(),
            Translated::New(comment) => comment,
            Translated::Same | Translated::Utf8 => self.comment.clone(),
            Translated::Left(_) => return Ok(false),
        };
        let is_changed = match self.translate(translation) {
            Translated::Left(_) => return Ok(false),
            Translated::New(name) => {
                self.name = name;
                true
            }
            Translated::Same | Translated::Utf8 => false,
        };
        if is_changed || !is_marked && !is_plain {
            self.comment = comment;
            self.extra = without_unicode(&self.extra);
            let flags = self.flags() | UTF_8;
            self.header[8..10].copy_from_slice(&flags.to_le_bytes());
            put_length(&mut self.header, 28, self.name.len())?;
            put_length(&mut self.header, 30, self.extra.len())?;
            put_length(&mut self.header, 32, self.comment.len())?;
        }
        Ok(is_changed)
    }

    /// Writes the record, and returns its length.
    fn write(&self, output: &mut impl Write) -> io::Result<u64> {
        let (mut header, mut extra) = (self.header, self.extra.clone());
        match Self::offset_in_extra(&header, &extra).filter(|_| u32_at(&header, 42) == u32::MAX) {
            Some(place) => extra[place..place + 8].copy_from_slice(&self.offset.to_le_bytes()),
            None => put_u32(&mut header, 42, self.offset)?,
        }
        let parts = [&header[..], &self.name, &extra, &self.comment];
        parts.iter().try_for_each(|part| output.write_all(part))?;
        Ok(parts.iter().map(|part| part.len() as u64).sum())
    }
}

/// The ids of extra fields, and the places and lengths of their data.
fn fields(extra: &[u8]) -> impl Iterator<Item = (u16, usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let header = extra.get(at..at + 4)?;
        let (id, length) = (u16_at(header, 0), usize::from(u16_at(header, 2)));
        let place = at + 4;
        at = place + length;
        (at <= extra.len()).then_some((id, place, length))
    })
}

/// The extra fields without the names that are given in UTF-8 beside the old ones.
fn without_unicode(extra: &[u8]) -> Vec<u8> {
    let (mut kept, mut end) = (Vec::new(), 0);
    for (id, place, length) in fields(extra) {
        end = place + length;
        if !matches!(id, UNICODE_PATH | UNICODE_COMMENT) {
            kept.extend_from_slice(&extra[place - 4..end]);
        }
    }
    // Some programs fill the field up with bytes that are no fields.
    kept.extend_from_slice(&extra[end..]);
    kept
}

fn read_at(file: &mut (impl Read + Seek), place: u64, length: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(place))?;
    let mut bytes = Vec::new();
    file.by_ref().take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(wrong("the archive is cut off")) }
}

fn copy(file: &mut (impl Read + Seek), place: u64, length: u64, output: &mut impl Write) -> io::Result<()> {
    file.seek(SeekFrom::Start(place))?;
    let copied = io::copy(&mut file.by_ref().take(length), output)?;
    if copied == length { Ok(()) } else { Err(wrong("the archive is cut off")) }
}

impl Name<'_> {
    /// The reason why the name stays, if it should not.
    #[must_use]
    pub fn obstacle(&self) -> Option<Obstacle> {
        match self.translated {
            Translated::Left(obstacle) => Some(obstacle),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use textcodec::WINDOWS_1252;

    #[test]
    fn fields_with_unicode_names_are_left_out_wherever_they_stand() {
        let field = |id: u16, data: &[u8]| [&id.to_le_bytes()[..], &(data.len() as u16).to_le_bytes(), data].concat();
        let (time, path, comment) = (field(0x5455, b"time"), field(UNICODE_PATH, b"name"), field(UNICODE_COMMENT, b""));
        let all = [&time, &path, &comment, &time];
        for choice in 0..16 {
            let parts: Vec<&[u8]> = (0..4).filter(|bit| choice >> bit & 1 != 0).map(|bit| &all[bit][..]).collect();
            for filling in [&b""[..], b"\0", b"\0\0\0", b"xu\xFF\0"] {
                let kept: Vec<&[u8]> = parts.iter().copied().filter(|part| **part == time).collect();
                assert_eq!(
                    without_unicode(&[&parts.concat()[..], filling].concat()),
                    [&kept.concat()[..], filling].concat()
                );
            }
        }
    }

    const SIGNATURE: &[u8] = b"PK\x05\x05\x02\0xy";

    /// A local header and the data after it.
    fn local(flags: u16, name: &[u8], extra: &[u8], data: &[u8]) -> Vec<u8> {
        let mut header = [0x11; LOCAL];
        header[..4].copy_from_slice(b"PK\x03\x04");
        header[6..8].copy_from_slice(&flags.to_le_bytes());
        header[26..28].copy_from_slice(&(name.len() as u16).to_le_bytes());
        header[28..30].copy_from_slice(&(extra.len() as u16).to_le_bytes());
        [&header, name, extra, data].concat()
    }

    /// A record of the directory.
    fn record(flags: u16, name: &[u8], extra: &[u8], comment: &[u8], offset: usize) -> Vec<u8> {
        let mut header = [0x22; RECORD];
        header[..4].copy_from_slice(b"PK\x01\x02");
        header[8..10].copy_from_slice(&flags.to_le_bytes());
        for (at, field) in [(28, name), (30, extra), (32, comment)] {
            header[at..at + 2].copy_from_slice(&(field.len() as u16).to_le_bytes());
        }
        header[42..].copy_from_slice(&(offset as u32).to_le_bytes());
        [&header, name, extra, comment].concat()
    }

    /// The end of an archive, without the comment.
    fn end(number: u16, size: u32, offset: u32, comment: usize) -> Vec<u8> {
        let mut end = [0; END];
        end[..4].copy_from_slice(b"PK\x05\x06");
        for at in [8, 10] {
            end[at..at + 2].copy_from_slice(&number.to_le_bytes());
        }
        end[12..16].copy_from_slice(&size.to_le_bytes());
        end[16..20].copy_from_slice(&offset.to_le_bytes());
        end[20..].copy_from_slice(&(comment as u16).to_le_bytes());
        end.to_vec()
    }

    /// The end record of ZIP64 with `more` bytes that only other programs know, and its locator.
    fn end_64(number: u64, size: usize, offset: usize, place: usize, more: &[u8]) -> Vec<u8> {
        let mut end = [0x33; END_64];
        end[..4].copy_from_slice(b"PK\x06\x06");
        for (at, value) in [(24, number), (32, number), (40, size as u64), (48, offset as u64)] {
            end[at..at + 8].copy_from_slice(&value.to_le_bytes());
        }
        let mut locator = [0x44; LOCATOR];
        locator[..4].copy_from_slice(b"PK\x06\x07");
        locator[8..16].copy_from_slice(&(place as u64).to_le_bytes());
        [&end, more, &locator].concat()
    }

    /// An archive of one file.
    fn one(flags: u16, name: &[u8]) -> Vec<u8> {
        let (file, record) = (local(flags, name, b"", b"data"), record(flags, name, b"", b"", 0));
        [&*file, &record, &end(1, record.len() as u32, file.len() as u32, 0)].concat()
    }

    fn open(bytes: &[u8]) -> io::Result<Archive<Cursor<&[u8]>>> {
        Archive::open(Cursor::new(bytes))
    }

    /// The copy of an archive whose names are in windows-1252, or the sentence of the error.
    fn copied(bytes: &[u8]) -> Result<Vec<u8>, String> {
        copied_with(&Translation::new(WINDOWS_1252.into()), bytes)
    }

    fn copied_with(translation: &Translation, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let mut copy = Vec::new();
        let result = open(bytes).and_then(|mut archive| archive.copy(translation, &mut copy));
        result.map(|()| copy).map_err(|error| error.to_string())
    }

    #[test]
    fn a_comment_beside_a_name_that_is_marked_stays() {
        let archive = |name: &[u8], comment: &[u8]| {
            let (file, record) = (local(UTF_8, name, b"", b"data"), record(UTF_8, name, b"", comment, 0));
            [&*file, &record, &end(1, record.len() as u32, file.len() as u32, 0)].concat()
        };
        let mut translation = Translation::new(WINDOWS_1252.into());
        translation.normalization = crate::text::Normalization::Nfc;
        for comment in [&b"\xE9"[..], "e\u{301}".as_bytes(), b"plain"] {
            let old = archive("e\u{301}".as_bytes(), comment);
            assert_eq!(copied_with(&translation, &old), Ok(archive("é".as_bytes(), comment)), "{comment:?}");
            let same = archive("é".as_bytes(), comment);
            assert_eq!(copied_with(&translation, &same), Ok(same.clone()), "{comment:?}");
        }
    }

    #[test]
    fn files_in_any_order_keep_their_data_and_everything_around_them() {
        // The directory has the files in another order and other extra fields, and a signature at its end.
        let archive = |flags, name: &[u8]| {
            let first = [local(flags, name, b"\x99\x99\x01\0L", b"one"), b"gap".to_vec()].concat();
            let second = local(0, b"b", b"", b"two");
            let records =
                [record(0, b"b", b"", b"", first.len()), record(flags, name, b"\x99\x99\x01\0D", b"", 0)].concat();
            let (size, offset) = (records.len() + SIGNATURE.len(), first.len() + second.len());
            let end = end(2, size as u32, offset as u32, 7);
            [&first, &second, &records, SIGNATURE, &end, b"comment", b"and a rest"].concat()
        };
        assert_eq!(copied(&archive(0, b"\xE9")), Ok(archive(UTF_8, "é".as_bytes())));
        let empty = end(0, 0, 0, 0);
        assert_eq!(copied(&empty), Ok(empty));
    }

    #[test]
    fn the_values_of_zip64_count_and_those_of_the_old_end_are_kept_up_to_date() {
        let archive = |flags, name: &[u8], long: u8, more: &[u8]| {
            let (file, record) = (local(flags, name, b"", b"data"), record(flags, name, b"", b"", 0));
            let (size, offset) = (record.len(), file.len());
            let end_64 = end_64(1, size, offset, size + offset, more);
            let number = if long & 1 == 0 { 1 } else { u16::MAX };
            let [size, offset] = [(2, size), (4, offset)].map(|(bit, v)| if long & bit == 0 { v as u32 } else { !0 });
            [file, record, end_64, end(number, size, offset, 0)].concat()
        };
        for long in 0..8 {
            for more in [&b""[..], b"more"] {
                let (old, new) = (archive(0, b"\xE9", long, more), archive(UTF_8, "é".as_bytes(), long, more));
                assert_eq!(copied(&old), Ok(new), "{long} {more:?}");
            }
        }
    }

    #[test]
    fn a_record_of_zip64_stands_before_its_locator_or_does_not_count() {
        let (file, record) = (local(0, b"a", b"", b"data"), record(0, b"a", b"", b"", 0));
        let (size, offset) = (record.len(), file.len());
        let whole = size + offset;
        // A record in the comment of the archive, and others that end in the locator, in the end or nowhere.
        let in_comment = &end_64(1, whole + END_64 + LOCATOR + END, 0, 0, b"")[..END_64];
        for place in [whole + LOCATOR + END, whole + 1, whole.saturating_sub(20), usize::MAX, usize::MAX - END_64] {
            let locator = &end_64(1, 0, 0, place, b"")[END_64..];
            let end = end(1, size as u32, (offset + LOCATOR) as u32, END_64);
            // The bytes between the files and the directory are those of nobody.
            let bytes = [&*file, &[0; LOCATOR], &record, locator, &end, in_comment].concat();
            let in_place = [&*file, &record, locator, &end, in_comment].concat();
            for bytes in [bytes, in_place] {
                // No byte is out of bounds, whatever the result is.
                let _ = copied(&bytes);
            }
        }
        let locator = &end_64(1, 0, 0, whole + LOCATOR + END, b"")[END_64..];
        let directory_end = end(1, (size + LOCATOR) as u32, offset as u32, END_64);
        let bytes = [&*file, &record, locator, &directory_end, in_comment].concat();
        assert_eq!(copied(&bytes), Ok(bytes));
    }

    #[test]
    fn the_end_is_found_before_the_longest_comment_and_among_its_signatures() {
        let (file, record) = (local(0, b"a", b"", b""), record(0, b"a", b"", b"", 0));
        let (size, offset) = (record.len(), file.len());
        let end_64 = end_64(1, size, offset, size + offset, b"");
        let end = |comment: &[u8]| end(u16::MAX, u32::MAX, u32::MAX, comment.len());
        let mut comment = vec![b'.'; usize::from(u16::MAX)];
        // What looks like an end has a comment that is longer than the rest.
        comment[70..92].copy_from_slice(&end(&[0; 65_535]));
        for comment in [&comment[..], &comment[..200], b"PK\x05\x06", b""] {
            let bytes = [&*file, &record, &end_64, &end(comment), comment].concat();
            assert!(copied(&bytes) == Ok(bytes), "{} bytes", comment.len());
        }
    }

    #[test]
    fn an_old_end_counts_its_files_up_to_65_535() {
        let number = 65_537_u32;
        let records = record(0, b"a", b"", b"", 0).repeat(number as usize);
        for (counted, is_right) in [(number as u16, true), (number as u16 + 1, false)] {
            let bytes = [&*records, &end(counted, records.len() as u32, 0, 0)].concat();
            match open(&bytes) {
                Ok(archive) => assert!(is_right && archive.records.len() == number as usize),
                Err(error) => {
                    assert!(!is_right);
                    assert_eq!(error.to_string(), "the directory is damaged, or is encrypted");
                }
            }
        }
    }

    #[test]
    fn each_damage_has_its_sentence() {
        let whole = one(0, b"\xE9");
        let (directory, last) = (LOCAL + 5, LOCAL + 5 + RECORD + 1);
        type Change = fn(&mut Vec<u8>, usize, usize);
        let damages: [(&str, Change); 12] = [
            ("the archive has several parts", |bytes, _, last| bytes[last + 4] = 1),
            ("the archive has several parts", |bytes, _, last| bytes[last + 6] = 1),
            ("the end of the archive is damaged", |bytes, _, last| bytes[last + 13] = 1),
            ("the start of the archive is missing", |bytes, _, last| bytes[last + 17] = 1),
            ("the directory is damaged", |bytes, directory, _| bytes[directory + 28] = 2),
            ("the directory is damaged, or is encrypted", |bytes, directory, _| bytes[directory] = b'Q'),
            ("the directory of the archive is damaged: files overlap", |bytes, directory, _| {
                bytes[directory + 42] = directory as u8;
            }),
            ("a file in the archive has another name than in the directory", |bytes, _, _| bytes[0] = b'Q'),
            ("a file in the archive has another name than in the directory", |bytes, _, _| bytes[LOCAL] = b'Q'),
            ("a file in the archive has another name than in the directory", |bytes, _, _| bytes[7] = 0x20),
            ("the archive is cut off", |bytes, _, _| bytes[29] = 0xFF),
            ("the file is no ZIP archive, or its end is missing", |bytes, _, last| bytes[last + 20] = 1),
        ];
        for (sentence, change) in damages {
            let mut bytes = whole.clone();
            change(&mut bytes, directory, last);
            assert_eq!(copied(&bytes), Err(sentence.to_owned()));
        }
        // Two records lead to one file.
        let file = local(0, b"a", b"", b"data");
        let records = record(0, b"a", b"", b"", 0).repeat(2);
        let overlap = "the directory of the archive is damaged: files overlap".to_owned();
        let bytes = [&*file, &records, &end(2, records.len() as u32, file.len() as u32, 0)].concat();
        assert_eq!(copied(&bytes), Err(overlap.clone()));
        // The name in the local header is the start of the directory.
        let mut file = local(0, b"PK\x01\x02", b"", b"");
        file.truncate(LOCAL);
        let records = record(0, b"PK\x01\x02", b"", b"", 0);
        let bytes = [&*file, &records, &end(1, records.len() as u32, file.len() as u32, 0)].concat();
        assert_eq!(copied(&bytes), Err(overlap));
    }

    #[test]
    fn a_directory_that_would_fill_the_memory_is_not_read() {
        let mut file = tempfile::tempfile().unwrap();
        let size = LONGEST_DIRECTORY as u32 + 1;
        file.set_len(size.into()).unwrap();
        file.seek(SeekFrom::End(0)).unwrap();
        file.write_all(&end(0, size, 0, 0)).unwrap();
        assert_eq!(Archive::open(file).unwrap_err().to_string(), "the directory of the archive is too long");
    }

    #[test]
    fn names_that_are_twice_in_an_archive_stay_and_no_others_become_so() {
        for (names, is_right) in [
            ([&b"a"[..], b"a"], true),
            ([b"\xE9", b"\xE8"], true),
            ([b"\xE9", b"\xE9"], false),
            (["é".as_bytes(), b"\xE9"], false),
            ([b"\xE9", "é".as_bytes()], false),
        ] {
            let files = names.map(|name| local(0, name, b"", b""));
            let records = [record(0, names[0], b"", b"", 0), record(0, names[1], b"", b"", files[0].len())].concat();
            let end = end(2, records.len() as u32, files.concat().len() as u32, 0);
            let result = copied(&[files.concat(), records, end].concat());
            let taken = Err("two files in the archive would get one name".to_owned());
            assert!(if is_right { result.is_ok() } else { result == taken }, "{names:?}: {result:?}");
        }
    }

    #[test]
    fn lengths_and_offsets_that_their_fields_cannot_have_are_errors() {
        let mut field = [0; 4];
        for (value, is_right) in
            [(0, true), (0xFFFF_FFFE, true), (0xFFFF_FFFF, false), (0x1_0000_0000, false), (u64::MAX, false)]
        {
            assert_eq!(put_u32(&mut field, 0, value).is_ok(), is_right, "{value}");
        }
        let error = put_u32(&mut field, 0, u64::MAX).unwrap_err();
        assert_eq!(error.to_string(), "with the longer names, the archive would need ZIP64");
        for (length, is_right) in [(65_535, true), (65_536, false)] {
            assert_eq!(put_length(&mut field, 0, length).is_ok(), is_right, "{length}");
        }
        for (length, is_right) in [(32_767, true), (32_768, false)] {
            let name = b"\xE9".repeat(length);
            let result = copied(&one(0, &name));
            let expected = one(UTF_8, "é".repeat(length).as_bytes());
            let too_long = Err("a new name is longer than 64 KiB".to_owned());
            assert!(result == if is_right { Ok(expected) } else { too_long }, "{length}");
        }
    }

    #[test]
    fn a_name_that_is_marked_is_utf_8_unless_it_was_decoded_wrongly_before() {
        let names = [(0, &b"\xE9"[..]), (UTF_8, "e\u{301}".as_bytes()), (UTF_8, "Ã©".as_bytes()), (0, b"a")];
        let records: Vec<u8> = names.iter().flat_map(|(flags, name)| record(*flags, name, b"", b"", 0)).collect();
        let bytes = [&*records, &end(4, records.len() as u32, 0, 0)].concat();
        let archive = open(&bytes).unwrap();
        assert_eq!(archive.unmarked_names().collect::<Vec<_>>(), [&b"\xE9"[..], b"a"]);
        let translated = |translation: &Translation| {
            let translated =
                archive.names(translation).enumerate().map(|(index, Name { old, is_marked, translated })| {
                    assert_eq!((old, is_marked), (names[index].1, names[index].0 == UTF_8));
                    translated
                });
            translated.collect::<Vec<_>>()
        };
        let new = |name: &str| Translated::New(name.into());
        let mut translation = Translation::new(WINDOWS_1252.into());
        assert_eq!(translated(&translation), [new("é"), Translated::Utf8, Translated::Utf8, Translated::Same]);
        translation.normalization = crate::text::Normalization::Nfc;
        assert_eq!(translated(&translation), [new("é"), new("é"), Translated::Utf8, Translated::Same]);
        let mut repair = Translation::new(Charset::UTF_8);
        repair.read_as = Some(WINDOWS_1252.into());
        let left = |obstacle| Translated::Left(obstacle);
        let [malformed, unmappable] =
            [Obstacle::Malformed(Charset::UTF_8), Obstacle::Unmappable(WINDOWS_1252.into())].map(left);
        assert_eq!(translated(&repair), [malformed.clone(), unmappable, new("é"), Translated::Same]);
        let obstacles: Vec<_> = archive.names(&repair).map(|name| name.obstacle().is_some()).collect();
        assert_eq!(obstacles, [true, true, false, false]);
    }

    #[test]
    fn a_long_offset_stands_after_the_long_sizes_in_its_extra_field() {
        for long_sizes in [&[][..], &[20], &[24], &[20, 24]] {
            let mut header = [0; RECORD];
            header[..4].copy_from_slice(b"PK\x01\x02");
            for &at in long_sizes.iter().chain(&[42]) {
                header[at..at + 4].fill(0xFF);
            }
            let number = long_sizes.len() as u64 + 1;
            let mut extra = [&b"\x99\x99\x01\0x\x01\0"[..], &[8 * number as u8, 0]].concat();
            (1..=number).for_each(|value| extra.extend((value << 32).to_le_bytes()));
            header[30..32].copy_from_slice(&(extra.len() as u16).to_le_bytes());
            let mut bytes = [&header[..], &extra, b"rest"].concat();
            let (mut record, rest) = Record::parse(&bytes).unwrap();
            assert_eq!((rest, record.offset), (&b"rest"[..], number << 32), "{long_sizes:?}");

            let mut written = Vec::new();
            record.offset = 7 << 33;
            record.write(&mut written).unwrap();
            bytes.truncate(bytes.len() - 12);
            assert_eq!(written, [&bytes[..], &record.offset.to_le_bytes()].concat(), "{long_sizes:?}");

            // The field has the sizes only.
            record.extra.truncate(extra.len() - 8);
            record.extra[7] -= 8;
            assert_eq!(Record::offset_in_extra(&header, &record.extra), None, "{long_sizes:?}");
        }
    }
}
