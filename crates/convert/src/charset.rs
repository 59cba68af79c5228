//! The registry of charsets: the encodings of the [Standard](https://encoding.spec.whatwg.org/) and others that old
//! files have, under one type, with their names and labels.
//!
//! A label of the Standard always means the encoding of the Standard. Where the Standard gives a usual label to a
//! larger encoding, as it does with iso-8859-1, the smaller one has labels that start with "exact-". The names of other
//! registries come after these labels. A prefix chooses the registry: "glibc:", "iana:", "python:", "java:", or
//! "textcodec:" for the names in [`textcodec::charsets`].

mod decoder;
mod encoder;
pub mod foreign;
mod labels;
mod marked;
mod names;
mod status;

use alloc::vec::Vec;
use core::fmt;

use textcodec::{
    Encoding, Name,
    charsets::{self, Family, Names, iso},
};

pub use self::{
    decoder::Decoder,
    encoder::Encoder,
    labels::UnknownLabel,
    status::{Decoded, EncodeStatus, Encoded, Malformed, Status},
};
pub(crate) use self::{
    encoder::LONGEST_END,
    status::{Decode, decode_all},
};
use self::{marked::Marked, names::Found};

/// An encoding of text.
///
/// ```
/// use textcodec_convert::Charset;
///
/// let charset = Charset::for_label("IBM437").unwrap();
/// assert_eq!(charset.name(), "cp437");
/// assert_eq!(charset.new_decoder(false).decode_start(b"caf\x82", true), "café");
/// let unknown = Charset::for_label("shift-jiss").unwrap_err();
/// assert!(unknown.to_string().contains("did you mean shift-jis"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Charset(Kind);

/// Where a charset comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Standard(Encoding),
    /// A charset of the library that has neither the table of an encoding of the Standard nor the codec of another
    /// charset with labels of this crate.
    Codec(charsets::Charset),
    /// A charset whose texts start with a byte order mark.
    Marked(Marked),
}

impl From<Encoding> for Charset {
    fn from(encoding: Encoding) -> Self {
        Charset(Kind::Standard(encoding))
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Charset({})", self.name())
    }
}

impl Charset {
    /// UTF-8.
    pub const UTF_8: Charset = Charset(Kind::Standard(textcodec::UTF_8));

    /// All charsets: the encodings of the Standard in its order, then the others.
    pub fn all() -> impl Iterator<Item = Self> {
        Encoding::all().map(Charset::from).chain(names::all())
    }

    /// The charset with this label, without regard to case and to ASCII whitespace around the label: a label of the
    /// Standard; or else a label of this crate; or else a name in a registry, or the number of a code page after "cp",
    /// "ibm" or "windows". A prefix such as "glibc:" chooses the registry.
    ///
    /// ```
    /// use textcodec_convert::Charset;
    ///
    /// assert_eq!(Charset::for_label("x-MacGreek"), Charset::for_label("python:mac-greek"));
    /// assert_eq!(Charset::for_label("KOI8-U").unwrap().name(), "KOI8-U");
    /// assert_eq!(Charset::for_label("glibc:KOI8-U").unwrap().name(), "glibc:KOI8-U");
    /// let error = Charset::for_label("CP278").unwrap_err();
    /// assert_eq!(error.to_string(), "two encodings have this name: iana:cp278 and java:cp278");
    /// ```
    ///
    /// # Errors
    /// [`UnknownLabel`] if there is none, or if registries give the name to charsets with different tables. It knows
    /// what the label means elsewhere, or labels like it.
    pub fn for_label(label: &str) -> Result<Self, UnknownLabel> {
        if let Ok(encoding) = Encoding::for_label(label) {
            return Ok(encoding.into());
        }
        let label = label.trim_matches([' ', '\t', '\n', '\r', '\u{C}']);
        if let Some(charset) = names::of_own_label(label) {
            return Ok(charset);
        }
        if let Some(charset) = Self::for_windows(label) {
            return Ok(charset);
        }
        match names::look_up(label) {
            Found::One(charset) => Ok(charset),
            Found::Several(mut names) => {
                // The Standard has an encoding of this kind under other labels, for example windows-31j for cp932.
                if let Some(foreign::Meaning::Label(label)) = foreign::meaning(label) {
                    names.insert(0, label.into());
                }
                Err(UnknownLabel::Ambiguous(names))
            }
            Found::Nothing(name) => Self::for_typed(label).ok_or_else(|| UnknownLabel::new(&name)),
        }
    }

    /// The charset of the number of a code page of Windows, which is a name of Python, too: the encoding of the
    /// Standard for 1252, and the table of Windows for 936.
    fn for_windows(label: &str) -> Option<Self> {
        // A number that is parsed can have a sign.
        let number: u16 = label.parse().ok().filter(|_| label.starts_with(|first: char| first.is_ascii_digit()))?;
        if let Ok(encoding) = Encoding::for_label(alloc::format!("windows-{number}")) {
            return Some(encoding.into());
        }
        let charset = textcodec::charsets::Charset::for_code_page(number)?;
        charset.name().starts_with("WINDOWS-").then(|| charset.into())
    }

    /// The charset of a name that no registry has and that people type: the number of a code page, a name of MySQL, and
    /// an old name of UTF-7.
    fn for_typed(label: &str) -> Option<Self> {
        let label = label.to_ascii_lowercase();
        if label == "unicode-1-1-utf-7" {
            return names::of_own_label("utf-7");
        }
        let is_number = !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number && !matches!(&*label, "utf8mb3" | "utf8mb4") {
            return None;
        }
        if let Some(foreign::Meaning::Label(label)) = foreign::meaning(&label) {
            return Encoding::for_label(label).ok().map(Self::from);
        }
        match names::look_up(&alloc::format!("cp{label}")) {
            Found::One(charset) => Some(charset),
            Found::Several(_) | Found::Nothing(_) => None,
        }
    }

    /// ISO-8859-1 as ISO defines it.
    pub(crate) fn iso_8859_1() -> Self {
        iso::ISO_8859_1.into()
    }

    /// The name. It is a label, too.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Standard(encoding) => encoding.name(),
            Kind::Codec(charset) => names::name(charset),
            Kind::Marked(marked) => marked.labels()[0],
        }
    }

    /// The labels of the Standard, or else those of this crate and the names in registries that need no prefix.
    pub fn labels(self) -> impl Iterator<Item = &'static str> {
        let (standard, others) = match self.0 {
            Kind::Standard(encoding) => (Some(encoding.labels()), Vec::new()),
            Kind::Codec(charset) => (None, names::labels(charset)),
            Kind::Marked(marked) => (None, marked.labels().to_vec()),
        };
        standard.into_iter().flatten().chain(others)
    }

    /// The family of a charset that is no encoding of the Standard.
    #[must_use]
    pub fn family(self) -> Option<Family> {
        match self.0 {
            Kind::Standard(_) => None,
            Kind::Codec(charset) => Some(charset.family()),
            Kind::Marked(_) => Some(Family::Unicode),
        }
    }

    /// The encoding of the Standard, if this charset is one.
    #[must_use]
    pub fn standard(self) -> Option<Encoding> {
        match self.0 {
            Kind::Standard(encoding) => Some(encoding),
            Kind::Codec(_) | Kind::Marked(_) => None,
        }
    }

    /// The charset of [`textcodec::charsets`]; `None` for an encoding of the Standard, and for a charset that needs a
    /// byte order mark.
    #[must_use]
    pub fn of_library(self) -> Option<charsets::Charset> {
        match self.0 {
            Kind::Codec(charset) => Some(charset),
            Kind::Standard(_) | Kind::Marked(_) => None,
        }
    }

    /// The encoding as which a browser reads the bytes, if it reads them correctly.
    #[must_use]
    pub fn read_as(self) -> Option<Name> {
        match self.0 {
            Kind::Standard(encoding) => Some(encoding.id()),
            Kind::Codec(charset) if [iso::US_ASCII, iso::ISO_8859_1].contains(&charset) => Some(Name::Windows1252),
            Kind::Codec(charset) if charset == iso::ISO_8859_9 => Some(Name::Windows1254),
            Kind::Codec(_) => None,
            Kind::Marked(Marked::Utf16) => Some(Name::Utf16Le),
            Kind::Marked(Marked::Utf16Be) => Some(Name::Utf16Be),
            Kind::Marked(Marked::Utf32) => None,
        }
    }

    /// The name in an XML declaration, if the charset has a registered name that a reader understands: a name that
    /// registries give to several charsets, or that the Standard decodes nothing for, is none.
    #[must_use]
    pub fn xml_name(self) -> Option<&'static str> {
        let is_understood =
            |name: &&str| Self::for_label(name).is_ok_and(|charset| charset != textcodec::REPLACEMENT.into());
        self.registered_name().filter(|name| self.standard().is_some() || is_understood(name))
    }

    /// The name that is registered by IANA.
    pub(crate) fn registered_name(self) -> Option<&'static str> {
        match self.0 {
            Kind::Standard(encoding) => Some(encoding.name()),
            Kind::Codec(charset) => charset.names(Names::Iana).next(),
            Kind::Marked(Marked::Utf16 | Marked::Utf16Be) => Some("UTF-16"),
            Kind::Marked(Marked::Utf32) => Some("UTF-32"),
        }
    }

    /// Whether text is made of units of two or four bytes.
    #[must_use]
    pub fn is_wide(self) -> bool {
        match self.0 {
            Kind::Standard(encoding) => matches!(encoding.id(), Name::Utf16Be | Name::Utf16Le),
            Kind::Codec(charset) => {
                let is_wide =
                    |name: &str| ["UTF-16", "UTF-32", "UCS-", "UNICODE"].iter().any(|of| name.starts_with(of));
                charset.family() == Family::Unicode && is_wide(charset.name())
            }
            Kind::Marked(_) => true,
        }
    }

    /// Whether the charset is a kind of EBCDIC, where U+0085 ends a line.
    #[must_use]
    pub fn is_ebcdic(self) -> bool {
        matches!(self.0, Kind::Codec(charset)
            if matches!(charset.family(), Family::Ebcdic | Family::EbcdicEastAsian)
                || charset.name().starts_with("EBCDIC-"))
    }

    /// Whether each byte is a character or malformed.
    #[must_use]
    pub fn is_single_byte(self) -> bool {
        match self.0 {
            Kind::Standard(encoding) => encoding.is_single_byte(),
            Kind::Codec(charset) => charset.codec().is_single_byte(),
            Kind::Marked(_) => false,
        }
    }

    /// Whether text can be written in the charset: not in replacement and UTF-7.
    #[must_use]
    pub fn is_writable(self) -> bool {
        self.new_encoder().is_some()
    }

    /// The bytes of the byte order mark that a text can start with; empty for charsets without one.
    #[must_use]
    pub fn bom(self) -> &'static [u8] {
        match self.0 {
            Kind::Standard(encoding) => encoding.bom().map_or(&[][..], textcodec::Bom::bytes),
            Kind::Codec(_) => &[],
            Kind::Marked(marked) => marked.mark(),
        }
    }

    /// Whether every text starts with a byte order mark, which the encoder does not write.
    #[must_use]
    pub fn needs_bom(self) -> bool {
        matches!(self.0, Kind::Marked(_))
    }

    /// A new decoder. Unless `ignore_bom`, a byte order mark decides between the encodings of the Standard.
    #[must_use]
    pub fn new_decoder(self, ignore_bom: bool) -> Decoder {
        Decoder::new(self, ignore_bom)
    }

    /// A new encoder. `None` if no text can be written in the charset.
    #[must_use]
    pub fn new_encoder(self) -> Option<Encoder> {
        Encoder::new(self)
    }

    /// Whether the charset has every character of `text`.
    #[must_use]
    pub fn can_encode(self, text: &str) -> bool {
        let Some(mut encoder) = self.new_encoder() else { return false };
        let mut read = 0;
        loop {
            let encoded = encoder.encode(&text[read..], &mut [0; 256], false);
            read += encoded.read;
            match encoded.status {
                EncodeStatus::InputEmpty => return true,
                EncodeStatus::OutputFull => {}
                EncodeStatus::Unmappable(_) => return false,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};
    use unicode_normalization::UnicodeNormalization;

    #[test]
    fn a_name_is_written_in_a_width() {
        for label in ["utf-8", "cp437", "utf-16-bom"] {
            let (charset, name) = (Charset::for_label(label).unwrap(), Charset::for_label(label).unwrap().name());
            assert_eq!(
                alloc::format!("{charset:>12}|{charset:<12}|{charset:.2}"),
                alloc::format!("{name:>12}|{name:<12}|{name:.2}")
            );
        }
    }

    /// The text of `bytes`, given in pieces of `length` bytes, with the errors in angle brackets.
    fn decode(charset: Charset, bytes: &[u8], length: usize) -> String {
        let mut decoder = charset.new_decoder(false);
        let mut whole = String::new();
        let mut text = String::with_capacity(4);
        let mut pieces: Vec<_> = bytes.chunks(length).map(|piece| (piece, false)).collect();
        pieces.push((&[], true));
        for (piece, last) in pieces {
            let mut read = 0;
            loop {
                let decoded = decoder.decode(&piece[read..], &mut text, last);
                read += decoded.read;
                whole += &text;
                text.clear();
                match decoded.status {
                    Status::InputEmpty => break,
                    Status::OutputFull => {}
                    Status::Malformed(malformed) => {
                        let (start, length) = (malformed.offset as usize, malformed.bytes.len());
                        assert_eq!(malformed.bytes, bytes[start..start + length]);
                        whole += &format!("<{start}:{length}>");
                    }
                }
            }
            assert_eq!(read, piece.len());
        }
        whole
    }

    #[test]
    fn the_size_of_the_pieces_changes_nothing() {
        let wide = |text: &str, encode: fn(u32) -> [u8; 4]| -> Vec<u8> {
            text.chars().flat_map(|character| encode(u32::from(character))).collect()
        };
        let text = "aé☃\u{1D11E}b";
        for (label, bytes, expected) in [
            ("cp437", b"caf\x82 \xE1".to_vec(), "café ß"),
            ("exact-us-ascii", b"ab\xE9c\xFF".to_vec(), "ab<2:1>c<4:1>"),
            ("cp1047", b"\xC8\x85\x93\x93\x96\x15".to_vec(), "Hello\u{85}"),
            ("utf-32le", wide(text, u32::to_le_bytes), text),
            ("utf-32be", wide(text, u32::to_be_bytes), text),
            ("utf-32", wide("\u{FEFF}aé☃", u32::to_le_bytes), "aé☃"),
            ("utf-32", wide("\u{FEFF}aé☃", u32::to_be_bytes), "aé☃"),
            ("utf-32", b"abcdef".to_vec(), "<0:4><4:2>"),
            ("utf-32be", b"\0\0\xD8\0\0\0\0a\0\x11\0\0\0".to_vec(), "<0:4>a<8:4><12:1>"),
            ("utf-16-bom", b"\xFF\xFEa\0\0\xDCb\0\x00\xD8".to_vec(), "a<4:2>b<8:2>"),
            ("utf-16-bom", b"\xFE\xFF\0a\xD8\0\0b\0".to_vec(), "a<4:2>b<8:1>"),
            ("utf-16-bom", b"ab\0c".to_vec(), "<0:2>c"),
            ("utf-16-bom", b"\xFF".to_vec(), "<0:1>"),
            ("utf-16be-bom", b"\xFE\xFF\0a\xD8\0\0b\0".to_vec(), "a<4:2>b<8:1>"),
            ("utf-16be-bom", b"\xFF\xFEa\0".to_vec(), "a"),
            ("utf-16be-bom", b"\0a\0b".to_vec(), "<0:2>b"),
            ("utf-16-bom", b"\xFF\xFE\xFF\xFEa\0".to_vec(), "\u{FEFF}a"),
            ("utf-16be-bom", b"\xFE\xFF\xFE\xFF\xFF\xFE".to_vec(), "\u{FEFF}\u{FFFE}"),
            ("utf-7", b"A+ImIDkQ.+AOk-b\xE9+-+".to_vec(), "A≢Α.éb<15:1>+<18:1>"),
        ] {
            let charset = Charset::for_label(label).unwrap();
            for length in 1..=bytes.len() {
                assert_eq!(decode(charset, &bytes, length), expected, "{label} in pieces of {length}");
            }
        }
    }

    #[test]
    fn a_charset_without_a_character_cannot_encode_it_wherever_it_is() {
        for charset in Charset::all() {
            let has = ["a", "\u{10FFFD}"].map(|text| charset.new_encoder().is_some() && charset.can_encode(text));
            for length in [1, 127, 128, 250, 254, 255, 256, 257, 511, 512, 700] {
                let text = "a".repeat(length);
                assert_eq!(charset.can_encode(&text), has[0], "{charset}, {length}");
                let text = text + "\u{10FFFD}";
                assert_eq!(charset.can_encode(&text), has[0] && has[1], "{charset}, {length}");
            }
        }
    }

    #[test]
    fn a_charset_of_the_library_is_neither_in_the_standard_nor_marked() {
        for charset in Charset::all() {
            let is_of_library = charset.standard().is_none() && !charset.needs_bom();
            assert_eq!(charset.of_library().map(Charset::from), is_of_library.then_some(charset));
        }
    }

    #[test]
    fn names_that_people_type_are_known() {
        for (label, name) in [
            ("932", "textcodec:WINDOWS-932"),
            ("936", "textcodec:WINDOWS-936"),
            ("949", "EUC-KR"),
            ("950", "WINDOWS-950"),
            ("874", "windows-874"),
            ("1250", "windows-1250"),
            ("1252", "windows-1252"),
            ("1258", "windows-1258"),
            ("28591", "windows-1252"),
            ("65001", "UTF-8"),
            ("51932", "EUC-JP"),
            ("866", "IBM866"),
            ("437", "cp437"),
            ("utf8mb4", "UTF-8"),
            ("unicode-1-1-utf-7", "utf-7"),
            ("UCS-2LE", "UCS-2LE"),
        ] {
            assert_eq!(Charset::for_label(label).unwrap().name(), name, "{label}");
        }
        assert_eq!(Charset::for_label("737"), Charset::for_label("cp737"));
        let ansi = Charset::for_label("ansi").unwrap_err().to_string();
        assert!(ansi.contains("windows-1252 in Western Europe"), "{ansi}");
    }

    #[test]
    fn blanks_of_ascii_around_a_label_do_not_count() {
        for charset in Charset::all() {
            for blank in [" ", "\t", "\n", "\r", "\x0C"] {
                let label = format!("{blank}{charset}{blank}");
                assert_eq!(Charset::for_label(&label), Ok(charset), "{label:?}");
            }
        }
        for label in ["utf-8", "cp437", "utf-16be-bom", "viscii", "1252"] {
            for other in ["\x0B", "\u{A0}", "\u{2003}", "\u{FEFF}", "\0"] {
                assert!(Charset::for_label(&format!("{label}{other}")).is_err(), "{label}{other:?}");
            }
        }
    }

    /// What labels mean that no table of the Standard has: all numbers of code pages, with and without prefixes, and
    /// all words in the source of `foreign`. The names of all charsets in XML follow.
    /// `TEXTCODEC_PINNED=write cargo test -p textcodec-convert pinned` writes the file after an intended change.
    #[test]
    fn the_meanings_of_labels_are_the_pinned_ones() {
        let known = |label: &str| match Charset::for_label(label) {
            Ok(charset) => charset.name().to_owned(),
            Err(error) => error.to_string(),
        };
        let mut rows: Vec<(u32, u32, String)> = Vec::new();
        for number in 0..=u32::from(u16::MAX) {
            let label = number.to_string();
            let Some(meaning) = foreign::meaning(&label) else { continue };
            let row = format!("{meaning:?}\t{}", known(&label).replace(&label, "N"));
            match rows.last_mut().filter(|last| last.1 + 1 == number && last.2 == row) {
                Some(last) => last.1 = number,
                None => rows.push((number, number, row)),
            }
        }
        let mut table: String = rows.iter().map(|(first, last, row)| format!("{first}-{last}\t{row}\n")).collect();
        let source = include_str!("charset/foreign.rs").split("mod tests").next().unwrap();
        let words = source.split('"').filter(|word| {
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        });
        let mut labels: Vec<String> =
            words.flat_map(|word| ["", "mac", "x-mac-"].map(|of| format!("{of}{word}"))).collect();
        for prefix in ["codepage", "windows-", "x-ibm", "ibm", "dos-", "oem", "win", "cp", "cp-", "ms", "x-cp", "c"] {
            labels.extend(["437", "850", "932", "1252", "65001", "99999"].map(|number| format!("{prefix}{number}")));
        }
        labels.sort();
        labels.dedup();
        for label in labels {
            let is_mark = foreign::is_utf_8_with_mark(&label);
            let meaning = foreign::meaning(&label);
            if meaning.is_some() || is_mark || !label.starts_with("mac") && !label.starts_with("x-mac") {
                table += &format!("{label}\t{meaning:?}\t{is_mark}\t{}\n", known(&label));
            }
        }
        for encoding in Encoding::all() {
            for label in encoding.labels() {
                if let Some(smaller) = foreign::smaller_encoding(label, encoding.name()) {
                    table += &format!("{label}\tsmaller than {encoding}\t{smaller}\n");
                }
            }
        }
        for charset in Charset::all() {
            table += &format!("{charset}\t{}\n", charset.xml_name().unwrap_or("no name for XML"));
        }
        crate::pinned::compare("labels.tsv", &table);
    }

    #[test]
    fn a_reader_who_believes_the_name_for_xml_reads_all_letters() {
        for charset in Charset::all() {
            let Some(name) = charset.xml_name() else { continue };
            let reader = Charset::for_label(name).unwrap_or_else(|error| panic!("{charset}: {name}: {error}"));
            // A byte order mark decides between the kinds of UTF-16 and of UTF-32.
            if reader == charset || charset.is_wide() && reader.is_wide() {
                continue;
            }
            // Some signs differ, such as the yen sign and the backslash in Shift_JIS.
            let letters = ('\0'..='\u{D7FF}').filter(|character| character.is_alphanumeric()).step_by(11);
            let text: String = letters.filter(|letter| charset.can_encode(letter.encode_utf8(&mut [0; 4]))).collect();
            let mut bytes = vec![0; 8 * text.len() + 16];
            let written = charset.new_encoder().unwrap().encode(&text, &mut bytes, true).written;
            assert!(reader.new_decoder(true).decode_start(&bytes[..written], true) == text, "{charset}: {name}");
        }
    }

    #[test]
    fn text_goes_there_and_back_through_any_destination() {
        let text = "Grüße — naïve café €";
        for charset in names::all() {
            for length in [8, 9, 100] {
                let Some(mut encoder) = charset.new_encoder() else { continue };
                let (mut bytes, mut encoded_text, mut read) = (charset.bom().to_vec(), String::new(), 0);
                let mut buffer = vec![0; length];
                loop {
                    let encoded = encoder.encode(&text[read..], &mut buffer, true);
                    bytes.extend_from_slice(&buffer[..encoded.written]);
                    let mut taken = text[read..read + encoded.read].chars();
                    read += encoded.read;
                    if let EncodeStatus::Unmappable(character) = encoded.status {
                        assert_eq!(taken.next_back(), Some(character));
                    }
                    encoded_text.extend(taken);
                    if encoded.status == EncodeStatus::InputEmpty {
                        break;
                    }
                }
                // In ANSEL and MARC-8, the accent of "é" is a character of its own.
                let composed = |text: &str| text.nfc().collect::<String>();
                assert_eq!(composed(&decode(charset, &bytes, 3)), composed(&encoded_text), "{charset}");
            }
        }
    }

    #[test]
    fn browsers_read_few_charsets_beyond_the_standard() {
        let read: Vec<_> = names::all().filter_map(|charset| Some((charset.name(), charset.read_as()?))).collect();
        let expected = [
            ("exact-us-ascii", Name::Windows1252),
            ("exact-iso-8859-1", Name::Windows1252),
            ("exact-iso-8859-9", Name::Windows1254),
            ("utf-16-bom", Name::Utf16Le),
            ("utf-16be-bom", Name::Utf16Be),
        ];
        assert_eq!(read, expected);
        assert!(Encoding::all().all(|encoding| Charset::from(encoding).read_as() == Some(encoding.id())));
    }

    #[test]
    fn a_charset_is_wide_or_ebcdic_as_its_bytes_of_a_letter_show() {
        for charset in Charset::all() {
            let mut bytes = [0; 16];
            let written = charset.new_encoder().map_or(0, |mut encoder| encoder.encode("A", &mut bytes, true).written);
            assert_eq!(charset.is_wide(), [2, 4, 8].contains(&written), "{charset}");
            let is_ebcdic = charset.new_decoder(true).decode_start(b"\xC1", true) == "A";
            assert_eq!(charset.is_ebcdic(), is_ebcdic, "{charset}");
            let is_single = (0..=0xFF_u8).all(|byte| {
                let mut text = String::with_capacity(16);
                let decoded = charset.new_decoder(true).decode(&[byte], &mut text, false);
                // A byte is a character or malformed, and needs no other one.
                !text.is_empty() || matches!(decoded.status, Status::Malformed(_))
            });
            assert!(is_single || !charset.is_single_byte(), "{charset}");
            let marks = [b"\xEF\xBB\xBF", &b"\xFF\xFE"[..], b"\xFE\xFF", b"\xFF\xFE\0\0", b""];
            assert!(marks.contains(&charset.bom()) && (!charset.needs_bom() || !charset.bom().is_empty()), "{charset}");
        }
        let families: Vec<_> = ["utf-16-bom", "utf-16be-bom", "utf-32", "utf-8", "cp437", "utf-7"]
            .map(|label| Charset::for_label(label).unwrap().family())
            .to_vec();
        let unicode = Some(Family::Unicode);
        assert_eq!(families, [unicode, unicode, unicode, None, Some(Family::Dos), unicode]);
    }

    #[test]
    fn a_long_text_is_encodable_up_to_its_last_character() {
        for length in [0, 100, 255, 256, 257, 1000] {
            for (label, letter, other) in [("windows-1252", "é", "☃"), ("gbk", "中", "\u{A5}"), ("cp437", "a", "中")]
            {
                let charset = Charset::for_label(label).unwrap();
                let text = letter.repeat(length);
                assert!(charset.can_encode(&text), "{label} {length}");
                assert!(!charset.can_encode(&(text + other)), "{label} {length}");
            }
        }
        for (label, character, expected) in [
            ("gb18030", '😀', true),
            ("utf-16be", '😀', true),
            ("windows-1252", '😀', false),
            ("iso-2022-jp", 'あ', true),
        ] {
            let mut encoder = Charset::for_label(label).unwrap().new_encoder().unwrap();
            assert_eq!([(), ()].map(|()| encoder.can_encode(character)), [expected; 2], "{label} {character}");
        }
    }
}
