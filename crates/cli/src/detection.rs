//! `--from auto`: the encoding that a stream tells of itself, before any of it is converted.

use std::io::{self, ErrorKind, Read};

use textcodec::{
    Encoding, UTF_8,
    sniff::{Hints, Rung, Sniffer, structure},
};

use crate::kind::Kind;

/// How much is read at most before it must be known, which is more than any declaration needs.
const LENGTH: usize = 64 * 1024;

/// What was found out about a stream, and what of it was read for that.
#[derive(Debug)]
pub(crate) struct Found {
    /// `None` if nothing tells.
    pub(crate) encoding: Option<Encoding>,
    pub(crate) start: Vec<u8>,
}

/// Reads from `input` as much as it takes to know the encoding.
pub(crate) fn find_out(name: &str, input: &mut impl Read) -> io::Result<Found> {
    let mut start = Vec::new();
    let mut piece = vec![0; LENGTH];
    loop {
        let last = match input.read(&mut piece[..LENGTH - start.len()]) {
            Ok(length) => {
                start.extend_from_slice(&piece[..length]);
                length == 0 || start.len() == LENGTH
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if let Some(encoding) = declared(name, &start, last) {
            return Ok(Found { encoding: Some(encoding), start });
        }
        if last {
            return Ok(Found { encoding: by_structure(&start), start });
        }
    }
}

/// The encoding that a stream declares which begins with `start`, as far as that is known by now.
fn declared(name: &str, start: &[u8], last: bool) -> Option<Encoding> {
    // What it is may show only later, and it may be none of it.
    let is_enough = last || start.len() >= 16;
    let kind = Kind::of(name, start);
    let sniffed = Sniffer::new(kind.context(), Hints::default()).sniff(start, last).filter(|_| is_enough)?;
    let encoding = Encoding::for_name(sniffed.encoding).ok();
    match (kind, sniffed.rung) {
        // The converter looks for it itself.
        (_, Rung::Bom) => Some(UTF_8),
        (Kind::Html | Kind::Text, Rung::Default) => None,
        // What XML and CSS are without a declaration is not a guess.
        _ => encoding,
    }
}

/// The encoding that the bytes speak for. ASCII is what it is in UTF-8, too.
fn by_structure(start: &[u8]) -> Option<Encoding> {
    let is_plain = start.is_ascii() && !start.iter().any(|byte| matches!(byte, 0x00 | 0x0E | 0x0F | 0x1B));
    let candidate = structure::guess(start).and_then(|name| Encoding::for_name(name).ok());
    candidate.or(is_plain.then_some(UTF_8))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that gives a byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            let length = room.len().min(1);
            self.0.read(&mut room[..length])
        }
    }

    #[test]
    fn reads_no_more_than_it_takes_and_keeps_it() {
        let page = b"<!doctype html><meta charset=koi8-r><p>and then much more";
        let mut input = Slow(page);
        let Found { encoding, start } = find_out("standard input", &mut input).unwrap();
        assert_eq!(encoding.map(Encoding::name), Some("KOI8-R"));
        assert_eq!(start, b"<!doctype html><meta charset=koi8-r>");
        assert_eq!([&*start, input.0].concat(), page);
    }

    #[test]
    fn reads_64_kib_at_most() {
        let bytes = [b'a'; 100_000];
        let Found { encoding, start } = find_out("a.txt", &mut &bytes[..]).unwrap();
        assert_eq!((encoding, start.len()), (Some(UTF_8), LENGTH));
    }
}
