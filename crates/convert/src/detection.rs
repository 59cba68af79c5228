//! Finds the encoding of a stream from its first bytes.

use alloc::vec::Vec;

use textcodec::{
    Encoding, Name, UTF_8,
    sniff::{
        Hints, Rung, Sniffer,
        structure::{self, Examination, Findings},
    },
};

use crate::{
    charset::Charset,
    damage,
    declarations::{
        self, Distrusted,
        beyond::{self, Believed},
    },
    kind::Kind,
};

/// The number of bytes at the start of a stream from which its encoding must be known.
pub const LENGTH: usize = declarations::LENGTH;

/// The encoding of a stream, as far as the caller knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceEncoding {
    /// The encoding that the stream tells.
    Auto,
    /// A known charset.
    Label(Charset),
}

/// The encoding of a stream, and the bytes that were read to find it out.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found {
    /// `None` if nothing in the stream tells its encoding.
    pub encoding: Option<Charset>,
    /// A declaration of a charset beyond the Standard that is not believed. Then nothing else tells the encoding.
    pub distrusted: Option<Distrusted>,
    /// The first bytes of the stream.
    pub start: Vec<u8>,
    /// Whether `start` is the whole stream.
    pub is_whole: bool,
    /// Whether the encoding is UTF-8 only because `start` is ASCII, and bytes can follow.
    pub is_open: bool,
    /// Whether the encoding is only what the kind of the stream is in by default.
    pub is_default: bool,
    /// Whether only the structure of the bytes tells the encoding, or nothing does.
    pub is_undeclared: bool,
}

impl Found {
    /// `start` is set later.
    fn of_believed(believed: Believed, is_whole: bool) -> Self {
        let is_undeclared = believed.is_err();
        let (encoding, distrusted) = match believed {
            Ok(charset) => (Some(charset), None),
            Err(distrusted) => (None, Some(distrusted)),
        };
        Found { encoding, distrusted, start: Vec::new(), is_whole, is_open: false, is_default: false, is_undeclared }
    }

    /// Whether the encoding depends on more bytes than `start`: the stream may be damaged, or UTF-16 in parts only.
    /// `has_choice` says that an encoding is chosen if nothing tells it.
    #[must_use]
    pub fn is_doubtful(&self, has_choice: bool) -> bool {
        damage::has_mark_of_utf_16(&self.start)
            || self.is_undeclared
                && match self.encoding.and_then(Charset::standard).map(Encoding::id) {
                    None | Some(Name::Utf16Be | Name::Utf16Le) => true,
                    Some(Name::Utf8) => self.is_open && has_choice || self.start.contains(&0),
                    Some(_) => false,
                }
    }

    /// The damage of the stream as far as `start` shows it.
    #[must_use]
    pub fn findings(&self) -> Findings {
        let mut examination = Examination::new();
        examination.feed(&self.start);
        examination.findings(self.is_whole)
    }
}

/// The search for the encoding of a stream, whose bytes come piece by piece.
#[derive(Clone, Debug)]
pub struct Detection {
    kind: Option<Kind>,
    start: Vec<u8>,
}

impl Detection {
    /// `kind` is the kind of the stream, if its name tells it.
    #[must_use]
    pub const fn new(kind: Option<Kind>) -> Self {
        Detection { kind, start: Vec::new() }
    }

    /// The greatest number of bytes that the next piece can have.
    #[must_use]
    pub fn missing(&self) -> usize {
        LENGTH - self.start.len()
    }

    /// Takes the next piece of the stream, which has at most as many bytes as are [`missing`](Self::missing).
    /// `is_whole` says that the stream ends with it. Returns the encoding when it is known, and `None` if more bytes
    /// are needed.
    ///
    /// # Panics
    /// If the piece is too long.
    pub fn push(&mut self, piece: &[u8], is_whole: bool) -> Option<Found> {
        assert!(piece.len() <= self.missing(), "a piece is longer than the missing bytes");
        self.start.extend_from_slice(piece);
        let last = is_whole || self.missing() == 0;
        let declared = declared(self.kind, &self.start, last);
        if declared == Declared::Open && !last {
            return None;
        }
        let start = core::mem::take(&mut self.start);
        let found = |encoding: Option<Charset>, is_open, is_undeclared| Found {
            encoding,
            distrusted: None,
            start: Vec::new(),
            is_whole,
            is_open,
            is_default: false,
            is_undeclared,
        };
        let kind = self.kind.unwrap_or_else(|| Kind::of_content(&start));
        let beyond = || beyond_the_standard(kind, &start);
        let found = match declared {
            Declared::Encoding(encoding) => found(Some(encoding.into()), false, false),
            Declared::Default(encoding) => match beyond() {
                Some(believed) => Found::of_believed(believed, is_whole),
                None => Found { is_default: true, ..found(Some(encoding.into()), false, false) },
            },
            Declared::Open => {
                // The structure of the bytes tells the encoding; else a page declares it further down; else ASCII is
                // UTF-8.
                let structure = structure::guess(&start);
                let late = late_declaration(kind, &start);
                match (structure.or(late), if late.is_none() { beyond() } else { None }) {
                    (_, Some(believed)) => Found::of_believed(believed, is_whole),
                    (name, None) => {
                        let is_ascii = is_plain_ascii(&start) && late.is_none();
                        let name = name.or(is_ascii.then_some(Name::Utf8));
                        let encoding = name.and_then(|name| Encoding::for_name(name).ok()).map(Charset::from);
                        found(encoding, start.len() == LENGTH && is_ascii, structure.is_some() || late.is_none())
                    }
                }
            }
        };
        Some(Found { start, ..found })
    }
}

/// Finds the encoding of a text from its bytes. `kind` is its kind, if that is known.
#[must_use]
pub fn detect(kind: Option<Kind>, bytes: &[u8]) -> Found {
    let mut detection = Detection::new(kind);
    // The same pieces as from a stream: with fewer bytes than LENGTH, the whole comes at once.
    let is_whole = bytes.len() < LENGTH;
    let start = &bytes[..bytes.len().min(LENGTH)];
    detection.push(start, is_whole).expect("the encoding is decided after as many bytes as these")
}

/// What the start of a stream declares.
#[derive(Clone, Copy, PartialEq)]
enum Declared {
    /// An encoding, in the way that the kind of the stream prescribes.
    Encoding(Encoding),
    /// Nothing, and the kind of the stream prescribes an encoding for this case.
    Default(Encoding),
    /// Nothing so far.
    Open,
}

/// What a stream declares in `start`, its first bytes.
fn declared(kind: Option<Kind>, start: &[u8], last: bool) -> Declared {
    // The first few bytes may not show the kind.
    let is_enough = last || start.len() >= Kind::LENGTH && !beyond::is_open(start);
    let kind = kind.unwrap_or_else(|| Kind::of_content(start));
    let sniffed = Sniffer::new(kind.context(), Hints::default()).sniff(start, last).filter(|_| is_enough);
    let Some((sniffed, encoding)) = sniffed.and_then(|found| Some((found, Encoding::for_name(found.encoding).ok()?)))
    else {
        return Declared::Open;
    };
    match (kind, sniffed.rung) {
        // Every decoder finds the byte order mark itself.
        (_, Rung::Bom) => Declared::Encoding(UTF_8),
        (Kind::Html | Kind::Text | Kind::Properties, Rung::Default) => Declared::Open,
        // XML and CSS without a declaration are UTF-8: this default is not a guess.
        (_, Rung::Default) => Declared::Default(encoding),
        _ => Declared::Encoding(encoding),
    }
}

/// What a declaration says about a text, in `start`, if its label is none of the Standard: a charset, or why it is not
/// believed. `None` if there is no such declaration, or if its label is known nowhere.
#[must_use]
pub fn beyond_the_standard(kind: Kind, start: &[u8]) -> Option<Result<Charset, Distrusted>> {
    beyond::declared(kind, start, structure::guess(start) == Some(Name::Utf8))
}

/// The encoding that a meta element of a page declares after the first 1024 bytes, which browsers find while they parse
/// the page; or the one that plain text declares, for example in `# -*- coding: latin-1 -*-`.
#[must_use]
pub fn late_declaration(kind: Kind, bytes: &[u8]) -> Option<Name> {
    match kind {
        Kind::Html => declarations::meta_element(bytes).map(|declaration| declaration.encoding),
        Kind::Text => declarations::in_start_of_source_text(bytes),
        Kind::Xml | Kind::Css | Kind::Properties => None,
    }
}

/// Whether the bytes mean the same in UTF-8 and in every encoding but UTF-16 and ISO-2022-JP.
#[must_use]
pub fn is_plain_ascii(bytes: &[u8]) -> bool {
    bytes.is_ascii() && !bytes.iter().any(|byte| matches!(byte, 0x00 | 0x0E | 0x0F | 0x1B))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_no_more_bytes_than_needed() {
        let page = b"<!doctype html><meta charset=koi8-r><p>and then much more";
        let mut detection = Detection::new(None);
        let found = page.iter().find_map(|byte| detection.push(&[*byte], false)).unwrap();
        assert_eq!(found.encoding.map(Charset::name), Some("KOI8-R"));
        assert_eq!(found.start, b"<!doctype html><meta charset=koi8-r>");
    }

    #[test]
    fn undeclared_utf_8_with_zeros_is_doubtful() {
        let found = |start: &[u8], is_open, is_undeclared| {
            let found = Found { is_open, is_undeclared, ..detect(Some(Kind::Text), "é".as_bytes()) };
            let found = Found { start: start.to_vec(), ..found };
            [false, true].map(|has_choice| found.is_doubtful(has_choice))
        };
        assert_eq!(found(b"a", false, true), [false, false]);
        assert_eq!(found(b"a\0", false, true), [true, true]);
        assert_eq!(found(b"a\0", false, false), [false, false]);
        assert_eq!(found(b"a", true, true), [false, true]);
    }

    #[test]
    fn takes_at_most_64_kib() {
        let Found { encoding, start, is_whole, is_open, .. } = detect(Some(Kind::Text), &[b'a'; 100_000]);
        assert_eq!((encoding, start.len(), is_whole, is_open), (Some(Charset::UTF_8), LENGTH, false, true));
    }

    #[test]
    fn a_declaration_is_awaited_up_to_16_bytes_and_one_in_ebcdic_up_to_its_end() {
        let xml = "<?xml version='1.0' encoding='cp500'?><a>text</a>";
        let mut ebcdic = [0; 64];
        let written =
            Charset::for_label("cp500").unwrap().new_encoder().unwrap().encode(xml, &mut ebcdic, true).written;
        let in_ebcdic = &ebcdic[..written];
        // The numbers of bytes after which the encoding is known.
        for (kind, bytes, length, name) in [
            (None, &b"\xEF\xBB\xBFa text with a mark"[..], 16, "UTF-8"),
            // The decoder finds the byte order mark itself.
            (None, b"\xFF\xFEa\0b\0c\0d\0e\0f\0g\0h\0", 16, "UTF-8"),
            (None, b"@charset \"koi8-r\"; a {}", 18, "KOI8-R"),
            (Some(Kind::Xml), in_ebcdic, xml.find('>').unwrap() + 1, "cp500"),
        ] {
            let mut detection = Detection::new(kind);
            let found = bytes.iter().find_map(|byte| detection.push(&[*byte], false)).unwrap();
            assert_eq!((found.start.len(), found.encoding.map(Charset::name)), (length, Some(name)), "{bytes:X?}");
        }
    }

    #[test]
    fn the_structure_of_the_bytes_comes_before_a_late_declaration_and_this_before_other_charsets() {
        let late = |start: &str, text: &[u8]| {
            [b"<!doctype html>", start.as_bytes(), &b" ".repeat(1100), b"<meta charset=koi8-r>", text].concat()
        };
        let other = "<meta charset=cp437>";
        for (bytes, name, is_undeclared) in [
            (late("", "é".as_bytes()), "UTF-8", true),
            (late("", b"\xE9"), "KOI8-R", false),
            (late("", b"ascii"), "KOI8-R", false),
            (late(other, b"\xE9"), "KOI8-R", false),
            ([b"<!doctype html>", other.as_bytes(), b"\x82"].concat(), "cp437", false),
            // The structure of ISO-2022-JP, beside a declaration of another charset.
            (b"<!doctype html><meta charset=cp850>\x1B$B$\"\x1B(B".to_vec(), "cp850", false),
        ] {
            let found = detect(Some(Kind::Html), &bytes);
            let found = (found.encoding.map(Charset::name), found.is_undeclared, found.is_open, found.is_default);
            assert_eq!(found, (Some(name), is_undeclared, false, false), "{name}");
        }
    }

    #[test]
    fn a_text_of_the_length_that_decides_may_go_on() {
        for (length, is_whole) in [(LENGTH - 1, true), (LENGTH, false), (LENGTH + 1, false)] {
            let found = detect(Some(Kind::Text), &b"a".repeat(length));
            assert_eq!((found.is_whole, found.is_open), (is_whole, !is_whole), "{length}");
        }
        // A page that declares its encoding late is not open.
        let mut page = [&b"<!doctype html>"[..], &b" ".repeat(1100), b"<meta charset=koi8-r>"].concat();
        page.resize(LENGTH, b'a');
        let found = detect(Some(Kind::Html), &page);
        assert_eq!((found.encoding.map(Charset::name), found.is_open), (Some("KOI8-R"), false));
    }

    #[test]
    fn a_character_at_the_end_is_malformed_only_if_the_stream_ends_there() {
        for (is_whole, malformed) in [(false, 0), (true, 1)] {
            let found = Found { start: b"Gr\xC3\xBC\xC3".to_vec(), is_whole, ..detect(None, b"a") };
            assert_eq!(found.findings().malformed, malformed, "{is_whole}");
        }
    }

    #[test]
    fn what_is_found_tells_whether_it_is_the_whole_stream() {
        for is_whole in [false, true] {
            for start in [
                &b"<?xml version='1.0' encoding='cp850'?><a>\x82</a>"[..],
                b"<?xml version='1.0' encoding='koi8-r'?><a>\xC1</a>",
                b"<?xml version='1.0'?><a>ascii</a>",
                b"<!doctype html><meta charset=cp850>\x82",
                b"<!doctype html><meta charset=utf-7>\x82",
                b"text",
                b"\xE9",
            ] {
                let mut bytes = start.to_vec();
                if !is_whole {
                    bytes.resize(LENGTH, b' ');
                }
                let found = Detection::new(None).push(&bytes, is_whole).unwrap();
                assert_eq!((found.is_whole, found.start.len()), (is_whole, bytes.len()), "{start:X?}");
            }
        }
    }
}
