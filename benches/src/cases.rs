//! The texts of the benchmark: every encoding with the languages that it is used for, and other kinds of input.

use std::collections::HashMap;

use textcodec::{Encoding, Name};

use crate::{Corpus, Language, Operation, Pair, Random};

/// The kind of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Text, mostly in the letters of the language.
    Text,
    /// A page, mostly ASCII.
    Html,
    /// ASCII only.
    Ascii,
    /// Random bytes, for x-user-defined.
    Binary,
    /// Bytes with malformed sequences.
    Malformed,
}

impl Kind {
    /// The short name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Html => "HTML",
            Kind::Ascii => "ASCII",
            Kind::Binary => "binary",
            Kind::Malformed => "malformed",
        }
    }
}

/// One stream, as the source of each [`Operation`].
#[derive(Clone, Default, Debug)]
pub struct Piece {
    /// The source in the encoding.
    pub bytes: Vec<u8>,
    /// The source in UTF-8.
    pub text: String,
    /// The source in UTF-16.
    pub utf16: Vec<u16>,
}

impl Piece {
    /// A piece of `text`; unmappable characters become character references.
    fn of_text(pair: Pair, text: String) -> Self {
        Piece { bytes: encode(pair, &text), utf16: text.encode_utf16().collect(), text }
    }

    /// A piece of `bytes`, decoded with U+FFFD in place of malformed sequences.
    fn of_bytes(pair: Pair, bytes: Vec<u8>) -> Self {
        let text = pair.theirs.decode_without_bom_handling(&bytes).0.into_owned();
        Piece { utf16: text.encode_utf16().collect(), text, bytes }
    }
}

/// A row of the matrix: an encoding with a text of a language.
#[derive(Debug)]
pub struct Case {
    /// The encoding.
    pub pair: Pair,
    /// The encoding's name, followed by the language if the encoding has more than one.
    pub name: String,
    /// The kind of the text.
    pub kind: Kind,
    /// The text in pieces of about 64 KiB, so that a destination stays in the cache.
    pub pieces: Vec<Piece>,
}

/// The length of a piece of a text, in bytes of UTF-8 or in bytes to decode.
const PIECE: usize = 64 << 10;

/// The cases of the encodings whose names `filter` accepts, in the order of the Standard's table. Each case is made
/// when it is asked for.
pub fn cases(corpus: &Corpus, filter: impl Fn(&str) -> bool) -> impl Iterator<Item = Case> {
    Encoding::all().filter(move |encoding| filter(encoding.name())).flat_map(move |encoding| {
        let languages = languages(encoding.id());
        let binary = (encoding.id() == Name::XUserDefined).then(|| {
            let pair = Pair::of(encoding);
            let pieces = pieces_of_bytes(pair, &random_bytes(corpus.length()));
            Case { pair, name: encoding.name().into(), kind: Kind::Binary, pieces }
        });
        let texts = languages.iter().flat_map(|&language| [(language, Kind::Text), (language, Kind::Html)]);
        texts.map(move |(language, kind)| case(corpus, encoding, language, kind, languages.len() > 1)).chain(binary)
    })
}

/// Cases of ASCII only, in UTF-8 and in one encoding of each other kind, if `filter` accepts its name.
pub fn ascii_cases(corpus: &Corpus, filter: impl Fn(&str) -> bool) -> impl Iterator<Item = Case> {
    let is_one = |name| ASCII.contains(&name);
    let encodings = Encoding::all().filter(move |encoding| is_one(encoding.id()) && filter(encoding.name()));
    encodings.map(move |encoding| case(corpus, encoding, Language::En, Kind::Ascii, false))
}

/// Encodings in which bytes of ASCII mean ASCII, one for each method by which textcodec finds runs of ASCII.
const ASCII: [Name; 9] = [
    Name::Utf8,
    Name::Windows1251,
    Name::Windows1252,
    Name::Gbk,
    Name::Big5,
    Name::EucJp,
    Name::Iso2022Jp,
    Name::ShiftJis,
    Name::EucKr,
];

fn case(corpus: &Corpus, encoding: Encoding, language: Language, kind: Kind, name_language: bool) -> Case {
    let pair = Pair::of(encoding);
    let name = if name_language { format!("{} {}", encoding.name(), language.key()) } else { encoding.name().into() };
    let mut text = without_unmappable(pair, &corpus.text(language, kind));
    if kind == Kind::Ascii {
        text.retain(|code_point| code_point.is_ascii());
    }
    Case { pair, name, kind, pieces: pieces_of_text(pair, &text) }
}

/// `text` in pieces, encoded with character references for unmappable characters.
#[must_use]
pub fn pieces_of_text(pair: Pair, text: &str) -> Vec<Piece> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(code_point_start(rest, PIECE));
        pieces.push(Piece::of_text(pair, piece.into()));
        rest = after;
    }
    pieces
}

/// `bytes` in pieces, decoded with U+FFFD in place of malformed sequences.
#[must_use]
pub fn pieces_of_bytes(pair: Pair, bytes: &[u8]) -> Vec<Piece> {
    bytes.chunks(PIECE).map(|bytes| Piece::of_bytes(pair, bytes.into())).collect()
}

/// The languages of an encoding in the benchmark; several where the encoding works differently for each.
const fn languages(name: Name) -> &'static [Language] {
    use Language::{Ar, Cs, De, El, En, Fr, He, Ja, Ko, Pt, Ru, Th, Tr, Vi, ZhCn, ZhTw};
    match name {
        Name::Utf8 => &[En, De, Ru, ZhCn],
        Name::Windows1252 => &[En, Fr],
        // Korean is encoded in sequences of four bytes.
        Name::Gb18030 => &[ZhCn, Ko],
        Name::Utf16Be | Name::Utf16Le => &[En, ZhCn],
        Name::Ibm866 | Name::Iso8859_5 | Name::Koi8R | Name::Koi8U | Name::Windows1251 | Name::XMacCyrillic => &[Ru],
        Name::Iso8859_2 | Name::Windows1250 => &[Cs],
        Name::Iso8859_3 | Name::Windows1254 => &[Tr],
        Name::Iso8859_4 | Name::Iso8859_10 | Name::Iso8859_13 | Name::Windows1257 => &[De],
        Name::Iso8859_6 | Name::Windows1256 => &[Ar],
        Name::Iso8859_7 | Name::Windows1253 => &[El],
        Name::Iso8859_8 | Name::Iso8859_8I | Name::Windows1255 => &[He],
        Name::Iso8859_14 => &[Pt],
        Name::Iso8859_15 | Name::Iso8859_16 | Name::Macintosh => &[Fr],
        Name::Windows874 => &[Th],
        Name::Windows1258 => &[Vi],
        Name::Gbk => &[ZhCn],
        Name::Big5 => &[ZhTw],
        Name::EucJp | Name::Iso2022Jp | Name::ShiftJis => &[Ja],
        Name::EucKr => &[Ko],
        Name::Replacement | Name::XUserDefined => &[],
    }
}

/// `text` in the encoding.
fn encode(pair: Pair, text: &str) -> Vec<u8> {
    match pair.ours.id() {
        // UTF-16BE and UTF-16LE have no encoder in the Standard.
        Name::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        Name::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        _ => pair.theirs.encode(text).0.into_owned(),
    }
}

/// `text` without the code points that cannot be encoded, so that no character references arise. A Vietnamese letter
/// that the encoding has in two parts is replaced by the parts.
fn without_unmappable(pair: Pair, text: &str) -> String {
    let mut kept: HashMap<char, String> = HashMap::new();
    let survives = |text: &str| pair.theirs.decode_without_bom_handling(&encode(pair, text)).0 == text;
    let mut keep = |code_point: char| {
        let kept = kept.entry(code_point).or_insert_with(|| {
            let candidates = [String::from(code_point), decomposed(code_point)];
            candidates.into_iter().find(|candidate| survives(candidate)).unwrap_or_default()
        });
        kept.clone()
    };
    text.chars().map(&mut keep).collect()
}

/// A Vietnamese letter with a tone as a letter and a combining tone, as windows-1258 has it; empty for other
/// characters.
fn decomposed(code_point: char) -> String {
    const TONES: [char; 5] = ['\u{300}', '\u{301}', '\u{303}', '\u{309}', '\u{323}'];
    const LETTERS: [(char, &str); 12] = [
        ('a', "àáãảạ"),
        ('ă', "ằắẵẳặ"),
        ('â', "ầấẫẩậ"),
        ('e', "èéẽẻẹ"),
        ('ê', "ềếễểệ"),
        ('i', "ìíĩỉị"),
        ('o', "òóõỏọ"),
        ('ô', "ồốỗổộ"),
        ('ơ', "ờớỡởợ"),
        ('u', "ùúũủụ"),
        ('ư', "ừứữửự"),
        ('y', "ỳýỹỷỵ"),
    ];
    let is_capital = code_point.is_uppercase();
    let small = code_point.to_lowercase().next().unwrap_or(code_point);
    for (letter, with_tones) in LETTERS {
        if let Some(tone) = with_tones.chars().position(|with_tone| with_tone == small) {
            let letter = if is_capital { letter.to_uppercase().next().unwrap_or(letter) } else { letter };
            return [letter, TONES[tone]].into_iter().collect();
        }
    }
    String::new()
}

/// `length` random bytes; all values are equally frequent.
#[must_use]
pub fn random_bytes(length: usize) -> Vec<u8> {
    let mut random = Random::new(0xB17E5);
    (0..length).map(|_| random.number() as u8).collect()
}

/// `bytes`, of which one in a hundred is replaced by a random byte.
#[must_use]
pub fn damaged_bytes(bytes: &[u8]) -> Vec<u8> {
    let mut random = Random::new(0xDA3A6E);
    bytes.iter().map(|&byte| if random.happens(1) { random.number() as u8 } else { byte }).collect()
}

/// `text`, of which one character in a hundred is replaced by a Thai letter.
#[must_use]
pub fn with_thai(text: &str) -> String {
    let mut random = Random::new(0x7A41);
    text.chars().map(|code_point| if random.happens(1) { 'ก' } else { code_point }).collect()
}

/// `count` pieces from random positions of the text of `case`. Each is a source for `operation` of `length` bytes or
/// slightly fewer.
#[must_use]
pub fn short_pieces(case: &Case, operation: Operation, length: usize, count: usize) -> Vec<Piece> {
    let mut random = Random::new(0x5407);
    let mut pieces = Vec::with_capacity(count);
    while pieces.len() < count {
        let text = &case.pieces[random.below(case.pieces.len())].text;
        let start = code_point_start(text, random.below(text.len()));
        let mut short: String = text[start..].chars().take(length).collect();
        loop {
            let piece = Piece::of_text(case.pair, short.clone());
            let excess = operation.source_length(&piece).saturating_sub(length);
            if excess == 0 {
                pieces.push(piece);
                break;
            }
            // No code point is longer than four bytes.
            let kept = short.chars().count() - excess.div_ceil(4);
            short = short.chars().take(kept).collect();
        }
    }
    pieces
}

/// At most `count` consecutive pieces from the beginning of the text of `case`, as a program gets them that reads
/// `length` bytes of a stream at a time. Each is a source for `operation` only.
#[must_use]
pub fn stream_pieces(case: &Case, operation: Operation, length: usize, count: usize) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(count);
    for piece in &case.pieces {
        match operation {
            Operation::D8 | Operation::D16 => {
                let bytes = piece.bytes.chunks(length);
                pieces.extend(bytes.map(|bytes| Piece { bytes: bytes.into(), ..Piece::default() }));
            }
            Operation::E8 => {
                let mut rest = &piece.text[..];
                while !rest.is_empty() {
                    let (text, after) = rest.split_at(code_point_start(rest, length));
                    pieces.push(Piece { text: text.into(), ..Piece::default() });
                    rest = after;
                }
            }
            Operation::E16 => {
                let utf16 = piece.utf16.chunks(length / 2);
                pieces.extend(utf16.map(|utf16| Piece { utf16: utf16.into(), ..Piece::default() }));
            }
        }
        if pieces.len() >= count {
            break;
        }
    }
    pieces.truncate(count);
    pieces
}

/// The last position at or before `at`, in bytes, where a code point of `text` begins.
#[must_use]
pub fn code_point_start(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use textcodec::{ISO_2022_JP, SHIFT_JIS, WINDOWS_1258};

    use super::*;

    #[test]
    fn the_peers_agree_about_every_case() {
        let corpus = Corpus::made_up(100_000);
        let mut count = 0;
        for case in cases(&corpus, |_| true) {
            case.check();
            count += 1;
        }
        // 39 encodings, without replacement. Three have two languages, UTF-8 has four, and x-user-defined has random
        // bytes only.
        assert_eq!(count, 2 * (38 + 4 + 3) + 1);
        ascii_cases(&corpus, |_| true).for_each(|case| case.check());
    }

    #[test]
    fn characters_that_cannot_be_encoded_are_left_out() {
        assert_eq!(without_unmappable(Pair::of(SHIFT_JIS), "a☃¥テ"), "aテ");
        assert_eq!(without_unmappable(Pair::of(WINDOWS_1258), "Ếạé☃"), "Ê\u{301}a\u{323}é");
    }

    #[test]
    fn one_character_in_a_hundred_is_thai() {
        let text = with_thai(&"a".repeat(100_000));
        let thai = text.chars().filter(|&code_point| code_point == 'ก').count();
        assert!((800..1200).contains(&thai) && text.chars().count() == 100_000, "{thai}");
        let pieces = pieces_of_text(Pair::of(SHIFT_JIS), "aก");
        assert_eq!(pieces[0].bytes, b"a&#3585;");
    }

    #[test]
    fn the_pieces_of_a_stream_are_the_text() {
        let corpus = Corpus::made_up(10_000);
        let case = cases(&corpus, |name| name == SHIFT_JIS.name()).next().unwrap();
        let pieces = |operation| stream_pieces(&case, operation, 16, 100_000);
        let text: String = case.pieces.iter().map(|piece| &piece.text[..]).collect();
        assert_eq!(pieces(Operation::E8).iter().map(|piece| &piece.text[..]).collect::<String>(), text);
        let utf16 = pieces(Operation::E16).into_iter().flat_map(|piece| piece.utf16);
        assert!(utf16.eq(text.encode_utf16()));
        assert!(pieces(Operation::D8).iter().all(|piece| (1..=16).contains(&piece.bytes.len())));
    }

    #[test]
    fn short_pieces_are_as_long_as_is_possible() {
        let corpus = Corpus::made_up(10_000);
        for encoding in [SHIFT_JIS, ISO_2022_JP] {
            let case = cases(&corpus, |name| name == encoding.name()).next().unwrap();
            for operation in Operation::ALL {
                for piece in short_pieces(&case, operation, 64, 20) {
                    let length = operation.source_length(&piece);
                    assert!((45..=64).contains(&length), "{}: {length}", operation.name());
                }
            }
        }
    }
}
