//! Finds the encoding of a stream from its first bytes, for `--from auto`.

use std::{
    io::{self, ErrorKind, Read},
    path::Path,
};

use textcodec::{
    Encoding, Name, UTF_8,
    sniff::{
        Hints, Rung, Sniffer,
        structure::{self, Examination, Findings},
    },
};

use crate::{buffers::Bytes, damage, declarations, kind::Kind};

/// The number of bytes at the start of a file from which its encoding must be known.
const LENGTH: usize = declarations::LENGTH;

/// The encoding of a stream, and the bytes that were read to find it out.
#[derive(Debug)]
pub(crate) struct Found {
    /// `None` if nothing in the stream tells its encoding.
    pub(crate) encoding: Option<Encoding>,
    pub(crate) start: Vec<u8>,
    /// Whether `start` is the whole stream.
    pub(crate) is_whole: bool,
    /// Whether the encoding is UTF-8 only because `start` is ASCII, and bytes can follow.
    pub(crate) is_open: bool,
    /// Whether only the structure of the bytes tells the encoding, or nothing does.
    pub(crate) is_undeclared: bool,
}

impl Found {
    /// Whether the encoding depends on more bytes than `start`: the stream may be damaged, or UTF-16 in parts only.
    /// `has_choice` says that an encoding is chosen if nothing tells it.
    pub(crate) fn is_doubtful(&self, has_choice: bool) -> bool {
        damage::has_mark_of_utf_16(&self.start)
            || self.is_undeclared
                && match self.encoding.map(Encoding::id) {
                    None | Some(Name::Utf16Be | Name::Utf16Le) => true,
                    Some(Name::Utf8) => self.is_open && has_choice || self.start.contains(&0),
                    Some(_) => false,
                }
    }

    /// The damage of the stream as far as `start` shows it.
    pub(crate) fn findings(&self) -> Findings {
        let mut examination = Examination::new();
        examination.feed(&self.start);
        examination.findings(self.is_whole)
    }
}

/// Reads from `input` as much as it takes to know the encoding. `path` tells the kind of the file.
pub(crate) fn find_out(path: Option<&Path>, input: &mut impl Read) -> io::Result<Found> {
    let mut start = Vec::new();
    let mut piece = Bytes::new();
    loop {
        let is_whole = match input.read(&mut piece[..LENGTH - start.len()]) {
            Ok(length) => {
                start.extend_from_slice(&piece[..length]);
                length == 0
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let last = is_whole || start.len() == LENGTH;
        if let Some(encoding) = declared(path, &start, last) {
            return Ok(Found { encoding: Some(encoding), start, is_whole, is_open: false, is_undeclared: false });
        }
        if last {
            // The structure of the bytes tells the encoding; else a page declares it further down; else ASCII is UTF-8.
            let kind = Kind::of(path, &start);
            let is_open = start.len() == LENGTH && is_plain_ascii(&start) && late_declaration(kind, &start).is_none();
            let encoding = structure::guess(&start);
            let (encoding, is_undeclared) = match encoding.or_else(|| late_declaration(kind, &start)) {
                Some(declared) => (Some(declared), encoding.is_some()),
                None => (is_plain_ascii(&start).then_some(UTF_8.id()), true),
            };
            let encoding = encoding.and_then(|name| Encoding::for_name(name).ok());
            return Ok(Found { encoding, start, is_whole, is_open, is_undeclared });
        }
    }
}

/// The encoding that a stream declares in the way that its kind prescribes. `None` if it declares none in `start`, its
/// first bytes, or not yet.
fn declared(path: Option<&Path>, start: &[u8], last: bool) -> Option<Encoding> {
    // The first few bytes may not show the kind.
    let is_enough = last || start.len() >= Kind::LENGTH;
    let kind = Kind::of(path, start);
    let sniffed = Sniffer::new(kind.context(), Hints::default()).sniff(start, last).filter(|_| is_enough)?;
    let encoding = Encoding::for_name(sniffed.encoding).ok();
    match (kind, sniffed.rung) {
        // Every decoder finds the byte order mark itself.
        (_, Rung::Bom) => Some(UTF_8),
        (Kind::Html | Kind::Text, Rung::Default) => None,
        // XML and CSS without a declaration are UTF-8: this default is not a guess.
        _ => encoding,
    }
}

/// The encoding that a meta element of a page declares after the first 1024 bytes. Browsers find it while they parse
/// the page.
pub(crate) fn late_declaration(kind: Kind, bytes: &[u8]) -> Option<Name> {
    declarations::meta_element(bytes).filter(|_| kind == Kind::Html).map(|declaration| declaration.encoding)
}

/// Whether the bytes mean the same in UTF-8 and in every encoding but UTF-16 and ISO-2022-JP.
pub(crate) fn is_plain_ascii(bytes: &[u8]) -> bool {
    bytes.is_ascii() && !bytes.iter().any(|byte| matches!(byte, 0x00 | 0x0E | 0x0F | 0x1B))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that gives one byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = buffer.len().min(1);
            self.0.read(&mut buffer[..length])
        }
    }

    #[test]
    fn reads_no_more_bytes_than_needed_and_loses_none() {
        let page = b"<!doctype html><meta charset=koi8-r><p>and then much more";
        let mut input = Slow(page);
        let Found { encoding, start, .. } = find_out(None, &mut input).unwrap();
        assert_eq!(encoding.map(Encoding::name), Some("KOI8-R"));
        assert_eq!(start, b"<!doctype html><meta charset=koi8-r>");
        assert_eq!([&*start, input.0].concat(), page);
    }

    #[test]
    fn reads_at_most_64_kib() {
        let bytes = [b'a'; 100_000];
        let Found { encoding, start, .. } = find_out(Some(Path::new("a.txt")), &mut &bytes[..]).unwrap();
        assert_eq!((encoding, start.len()), (Some(UTF_8), LENGTH));
    }
}
