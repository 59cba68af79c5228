//! Repairs text that was decoded in a wrong encoding and saved as UTF-8: "Ã©" for "é", "â€™" for "’".
//!
//! The text of a line is encoded back in the wrong encoding. If the bytes are well-formed UTF-8 with a character other
//! than ASCII, the line was probably encoded twice. It can also be right as it is: the bytes of "SÓ…" in windows-1252
//! are the UTF-8 of "SӅ". So each character that comes out is judged by the characters that stand for it now. A line
//! without any [strong](Evidence) sign of a wrong decoding is ambiguous.

use alloc::{borrow::Cow, borrow::ToOwned, collections::BTreeMap, string::String, vec::Vec};
use core::{error::Error, fmt};

use textcodec::{Name, WINDOWS_1252};

use crate::charset::{Charset, EncodeStatus, Status};

/// The greatest number of wrong decodings, one after the other, that are undone.
const ROUNDS: usize = 8;

/// The number of letters in a row that are a word, whatever characters stand for them. No text is right in which so
/// many pairs of characters have the bytes of letters.
const A_WORD: usize = 4;

/// What is known about a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Nothing shows a wrong decoding.
    Fine,
    /// The text before it was decoded wrongly.
    Repaired(String),
    /// The line may be right as it is; if it is not, this was the text.
    Ambiguous(String),
}

/// Undoes wrong decodings in certain charsets.
///
/// ```
/// use textcodec_convert::{Repair, Verdict};
///
/// let repair = Repair::default();
/// assert_eq!(repair.judge("cafÃ©"), Verdict::Repaired("café".into()));
/// assert_eq!(repair.judge("café"), Verdict::Fine);
/// assert!(matches!(repair.judge("SÓ…"), Verdict::Ambiguous(_)));
///
/// let text = repair.repair("cafÃ©\r\nSÓ…\n", false);
/// assert_eq!(text.text, "café\r\nSÓ…\n");
/// assert_eq!((text.counts.repaired.number, text.counts.ambiguous.first), (1, Some(2)));
/// ```
#[derive(Clone, Debug)]
pub struct Repair {
    encodings: Vec<Back>,
}

/// Text that was decoded in this charset cannot be repaired: it has no encoder, or text in UTF-8 is text in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CannotRepair {
    /// The charset.
    pub charset: Charset,
}

impl fmt::Display for CannotRepair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: UTF-8 that is decoded in this encoding cannot be repaired", self.charset)
    }
}

impl Error for CannotRepair {}

impl Default for Repair {
    /// For text that was decoded in windows-1252, or in ISO-8859-1.
    fn default() -> Self {
        Repair { encodings: [Back::new(WINDOWS_1252.into())].into_iter().flatten().collect() }
    }
}

impl Repair {
    /// For text that was decoded in one of these charsets.
    ///
    /// # Errors
    /// Text that was decoded in one of them cannot be repaired.
    pub fn new(charsets: impl IntoIterator<Item = Charset>) -> Result<Self, CannotRepair> {
        let back = |charset: Charset| Back::new(charset).ok_or(CannotRepair { charset });
        charsets.into_iter().map(back).collect::<Result<_, _>>().map(|encodings| Repair { encodings })
    }

    /// Repairs a text, each line alone. If `ambiguous`, lines and parts of lines that can be right as they are change,
    /// too.
    #[must_use]
    pub fn repair(&self, text: &str, ambiguous: bool) -> Repaired {
        let mut repaired = Repaired { text: String::with_capacity(text.len()), counts: Counts::default() };
        for line in text.split_inclusive('\n') {
            let content = line.trim_end_matches(['\n', '\r']);
            match self.repair_line(content, ambiguous, &mut repaired.counts) {
                Some(changed) => {
                    repaired.text += &changed;
                    repaired.text += &line[content.len()..];
                }
                None => repaired.text += line,
            }
        }
        repaired
    }

    /// Counts `line`, which has no line ending, and returns the text in its place. `None` if it stays.
    pub fn repair_line(&self, line: &str, ambiguous: bool, counts: &mut Counts) -> Option<String> {
        counts.lines += 1;
        let repaired = match self.judge(line) {
            _ if line.is_ascii() => None,
            Verdict::Repaired(text) if !ambiguous => Some(text),
            _ if ambiguous => self.repair_ambiguous(line),
            Verdict::Fine if !self.has_parts(line) => None,
            _ => {
                counts.ambiguous.add(counts.lines);
                None
            }
        };
        if let Some(text) = &repaired {
            counts.repaired.add(counts.lines);
            counts.lost += text.matches('\u{FFFD}').count() as u64;
        }
        repaired
    }

    /// Judges `line`, which has no line ending.
    #[must_use]
    pub fn judge(&self, line: &str) -> Verdict {
        let first = self.judge_once(line);
        let Verdict::Repaired(mut text) = first else { return first };
        for _ in 1..ROUNDS {
            match self.judge_once(&text) {
                Verdict::Repaired(repaired) => text = repaired,
                Verdict::Fine | Verdict::Ambiguous(_) => break,
            }
        }
        Verdict::Repaired(text)
    }

    /// The text of a line of which ambiguous parts are repaired, too. `None` if there is nothing to repair.
    #[must_use]
    pub fn repair_ambiguous(&self, line: &str) -> Option<String> {
        let mut text = line.to_owned();
        for _ in 0..ROUNDS {
            match self.judge_once(&text) {
                Verdict::Repaired(repaired) | Verdict::Ambiguous(repaired) => text = repaired,
                Verdict::Fine => match self.encodings.iter().find_map(|encoding| encoding.repair_parts(&text)) {
                    Some(repaired) => text = repaired,
                    None => break,
                },
            }
        }
        (text != line).then_some(text)
    }

    /// One wrong decoding.
    fn judge_once(&self, line: &str) -> Verdict {
        if line.is_ascii() {
            return Verdict::Fine;
        }
        let mut verdict = Verdict::Fine;
        for encoding in &self.encodings {
            verdict = match (verdict, encoding.judge(line)) {
                (Verdict::Fine, other) => other,
                (known, Verdict::Fine) => known,
                (Verdict::Ambiguous(_), Verdict::Repaired(text)) => Verdict::Repaired(text),
                // Two encodings that lead to different texts leave the choice to the reader.
                (Verdict::Repaired(text), Verdict::Repaired(other)) if text != other => {
                    return Verdict::Ambiguous(text);
                }
                (known, _) => known,
            };
        }
        verdict
    }

    /// Whether a part of `line` has a strong sign of a wrong decoding.
    #[must_use]
    pub fn has_parts(&self, line: &str) -> bool {
        !line.is_ascii() && self.encodings.iter().any(|encoding| encoding.repair_parts(line).is_some())
    }
}

/// A repaired text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Repaired {
    /// The text.
    pub text: String,
    /// What was found.
    pub counts: Counts,
}

/// The lines of a text.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Counts {
    /// The number of all lines.
    pub lines: u64,
    /// The lines that were repaired.
    pub repaired: Lines,
    /// The lines that can be right as they are, and have stayed.
    pub ambiguous: Lines,
    /// The number of U+FFFD in repaired lines: characters that an earlier conversion has lost.
    pub lost: u64,
}

/// The number of some lines, and the first of them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Lines {
    /// The number of the lines.
    pub number: u64,
    /// The first of the lines, counted from 1.
    pub first: Option<u64>,
}

impl Lines {
    /// Counts the line with this number.
    pub fn add(&mut self, line: u64) {
        self.first.get_or_insert(line);
        self.number += 1;
    }
}

/// The text of `bytes`, a line of a text whose lines are in several charsets: in the first of them in which the line is
/// well-formed. `None` if there is none.
#[must_use]
pub fn decode_mixed<'a>(bytes: &'a [u8], charsets: &[Charset]) -> Option<Cow<'a, str>> {
    charsets.iter().find_map(|&charset| {
        if charset == Charset::UTF_8
            && let Ok(text) = core::str::from_utf8(bytes)
        {
            return Some(text.into());
        }
        let mut text = String::with_capacity(bytes.len() * 3 + 16);
        let decoded = charset.new_decoder(true).decode(bytes, &mut text, true);
        (decoded.status == Status::InputEmpty).then(|| text.into())
    })
}

/// A charset in which text may have been decoded, for the way back.
#[derive(Clone, Debug)]
enum Back {
    /// The byte of each character. The control characters U+0080 to U+009F are there in any case, because many programs
    /// decode bytes without a character to them.
    SingleByte(BTreeMap<char, u8>),
    MultiByte(Charset),
}

impl Back {
    /// `None` if text that was decoded in the charset cannot be repaired.
    fn new(charset: Charset) -> Option<Self> {
        if charset.is_single_byte() {
            let mut table: BTreeMap<char, u8> = (0x80..=0x9F_u8).map(|byte| (char::from(byte), byte)).collect();
            table.extend((0..=255_u8).filter_map(|byte| {
                let mut text = String::with_capacity(16);
                charset.new_decoder(true).decode(&[byte], &mut text, true);
                // A malformed byte gives no text.
                text.chars().next().map(|character| (character, byte))
            }));
            return Some(Back::SingleByte(table));
        }
        let encoding = charset.standard()?;
        let is_repairable = !charset.is_wide() && !matches!(encoding.id(), Name::Utf8 | Name::Replacement);
        is_repairable.then_some(Back::MultiByte(charset))
    }

    fn judge(&self, line: &str) -> Verdict {
        match self {
            Back::SingleByte(table) => {
                let Some(bytes) = line.chars().map(|character| table.get(&character).copied()).collect() else {
                    return Verdict::Fine;
                };
                let bytes: Vec<u8> = bytes;
                let Ok(text) = String::from_utf8(bytes) else { return Verdict::Fine };
                match strongest(line, &text) {
                    None => Verdict::Fine,
                    Some(Evidence::Weak) => Verdict::Ambiguous(text),
                    Some(Evidence::Strong) => Verdict::Repaired(text),
                }
            }
            Back::MultiByte(charset) => {
                let Some(bytes) = encode(*charset, line) else { return Verdict::Fine };
                let Ok(text) = String::from_utf8(bytes) else { return Verdict::Fine };
                let number = text.chars().filter(|character| !character.is_ascii()).count();
                // Two ideographs can have the bytes of two or three other characters by chance.
                let is_lost = text.chars().all(|character| character.is_ascii() || character == '\u{FFFD}');
                match number {
                    0 => Verdict::Fine,
                    _ if text.contains(is_implausible) => Verdict::Ambiguous(text),
                    _ if number >= 4 || is_lost => Verdict::Repaired(text),
                    _ => Verdict::Ambiguous(text),
                }
            }
        }
    }

    /// Repairs the parts of the line that have strong signs; only for single-byte encodings.
    fn repair_parts(&self, line: &str) -> Option<String> {
        let Back::SingleByte(table) = self else { return None };
        let characters: Vec<char> = line.chars().collect();
        let byte = |at: usize| characters.get(at).and_then(|character| table.get(character)).copied();
        let (mut repaired, mut at, mut is_changed) = (String::new(), 0, false);
        while at < characters.len() {
            let length = byte(at).map_or(1, sequence_length);
            let bytes: Vec<u8> = (at..at + length).map_while(byte).collect();
            let found = core::str::from_utf8(&bytes).ok().filter(|_| length > 1 && bytes.len() == length);
            if let Some(character) = found.and_then(|text| text.chars().next())
                && evidence(&characters, at, length, character) == Evidence::Strong
            {
                repaired.push(character);
                is_changed = true;
                at += length;
                continue;
            }
            // A program or a person has turned the no-break space of "Ã " into a space.
            if characters[at] == 'Ã'
                && characters.get(at + 1) == Some(&' ')
                && at > 0
                && characters[at - 1].is_lowercase()
                && byte(at) == Some(0xC3)
            {
                let is_doubled = characters.get(at + 2) == Some(&' ');
                repaired.push('à');
                is_changed = true;
                at += if is_doubled { 2 } else { 1 };
                continue;
            }
            repaired.push(characters[at]);
            at += 1;
        }
        is_changed.then_some(repaired)
    }
}

/// The bytes of `text`, if the charset has all characters.
fn encode(charset: Charset, text: &str) -> Option<Vec<u8>> {
    let mut encoder = charset.new_encoder()?;
    // No charset needs more for a character than a character and two escape sequences in ISO-2022-JP.
    let mut bytes = alloc::vec![0; text.len() * 4 + 16];
    let encoded = encoder.encode(text, &mut bytes, true);
    bytes.truncate(encoded.written);
    (encoded.status == EncodeStatus::InputEmpty).then_some(bytes)
}

/// The length of the UTF-8 sequence that starts with this byte; 1 for bytes that start none.
fn sequence_length(byte: u8) -> usize {
    match byte {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => 1,
    }
}

/// How clearly the characters of a line show that one character was decoded as several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Evidence {
    /// People write these characters in this order, too.
    Weak,
    Strong,
}

/// The strongest evidence in `line`, whose characters are the bytes of `text`. `None` if the bytes are ASCII.
fn strongest(line: &str, text: &str) -> Option<Evidence> {
    let characters: Vec<char> = line.chars().collect();
    let mut at = 0;
    let mut strongest = None;
    let mut letters_in_a_row = 0;
    // One Hebrew or Arabic letter alone is no word, but "×" is a sign for multiplication.
    let is_right_to_left = |character: &char| matches!(character, '\u{590}'..='\u{6FF}');
    let has_words = text.chars().filter(is_right_to_left).count() > 1;
    for character in text.chars() {
        let length = character.len_utf8();
        if length > 1 {
            if is_implausible(character) {
                return Some(Evidence::Weak);
            }
            letters_in_a_row = if character.is_alphabetic() { letters_in_a_row + 1 } else { 0 };
            let evidence = match is_right_to_left(&character) {
                _ if letters_in_a_row >= A_WORD => Evidence::Strong,
                true if has_words => Evidence::Strong,
                true => Evidence::Weak,
                false => evidence(&characters, at, length, character),
            };
            strongest = strongest.max(Some(evidence));
        }
        if length == 1 {
            letters_in_a_row = 0;
        }
        at += length;
    }
    strongest
}

/// Whether no text has this character.
fn is_implausible(character: char) -> bool {
    matches!(character, '\u{E000}'..='\u{F8FF}' | '\u{FDD0}'..='\u{FDEF}' | '\u{F0000}'..)
        || u32::from(character) & 0xFFFE == 0xFFFE
}

/// The evidence that the `length` characters of `line` from `at` were one character, `was`.
fn evidence(line: &[char], at: usize, length: usize, was: char) -> Evidence {
    let (lead, rest) = (line[at], &line[at + 1..at + length]);
    let before = at.checked_sub(1).map(|before| line[before]);
    let after = line.get(at + length).copied();
    let is = |character: Option<char>, test: fn(char) -> bool| character.is_some_and(test);
    if matches!(was, '\u{80}'..='\u{9F}') {
        return Evidence::Weak;
    }
    // A control character that nobody writes; the byte order mark of a file that was decoded wrongly; U+FFFD; and a
    // character that four others stand for.
    let has_control = rest.iter().any(|character| matches!(character, '\u{80}'..='\u{9F}'));
    if has_control || was == '\u{FEFF}' && at == 0 || was == '\u{FFFD}' || length == 4 {
        return Evidence::Strong;
    }
    if matches!(was, '\u{300}'..='\u{36F}') {
        return Evidence::Weak;
    }
    // An upper-case letter in the middle of a word in lower case.
    let is_broken = |pair: &[char]| pair[0].is_lowercase() && pair[1].is_uppercase();
    if is(before, char::is_lowercase) && lead.is_uppercase() || line[at..at + length].windows(2).any(is_broken) {
        return Evidence::Strong;
    }
    if is_rare(was) {
        return Evidence::Weak;
    }
    let last = rest[rest.len() - 1];
    // "Â" and "Ã" start no word, and no quotation mark stands between them and a letter. People do write "Ã’s" about
    // such text.
    if matches!(lead, 'Â' | 'Ã') && !matches!(last, '’' | '…' | '–' | '—' | '\u{A0}') && is(after, char::is_alphabetic)
    {
        return Evidence::Strong;
    }
    if matches!(lead, 'Â' | 'Ã') && !is(before, char::is_alphabetic) && last != '’' {
        return Evidence::Strong;
    }
    // "œ" and the like in the middle of punctuation.
    if length == 3 && lead == 'â' && rest.iter().any(|character| character.is_alphabetic()) {
        return Evidence::Strong;
    }
    // A symbol or a quotation mark in the middle of a word, or a letter in lower case in the middle of upper case.
    let joins = !last.is_alphabetic() && !can_stand_between_words(last);
    if lead.is_alphabetic() && joins && is(after, char::is_lowercase)
        || last.is_lowercase() && is(after, char::is_uppercase)
    {
        return Evidence::Strong;
    }
    // A symbol such as "√" or "├" in a word. Lines and boxes are drawn with several of the characters that are used for
    // this.
    if !lead.is_alphabetic() {
        let is_drawing = |character: &char| matches!(character, '\u{2500}'..='\u{259F}');
        let is_drawn = is_drawing(&lead) && rest.iter().all(is_drawing);
        let is_in_word = is(before, char::is_alphabetic) || is(after, char::is_alphabetic);
        let is_word = is_in_word && !is_drawn && !can_follow_a_word(lead);
        return if is_word { Evidence::Strong } else { Evidence::Weak };
    }
    let is_odd = rest.iter().any(|&character| !character.is_alphabetic() && !can_follow_a_word(character));
    if is_odd { Evidence::Strong } else { Evidence::Weak }
}

/// Punctuation and symbols that stand directly after a word in text that is right.
fn can_follow_a_word(character: char) -> bool {
    can_stand_between_words(character)
        || matches!(
            character,
            '“' | '”'
                | '«'
                | '»'
                | '‹'
                | '›'
                | '™'
                | '®'
                | '°'
                | '²'
                | '³'
                | '¹'
                | '¿'
                | '¡'
                | '§'
                | '†'
                | '´'
                | '¨'
        )
}

/// Punctuation that stands between two words without a space.
fn can_stand_between_words(character: char) -> bool {
    matches!(character, '…' | '–' | '—' | '‘' | '’' | '·' | '\u{A0}' | '№')
}

/// Characters that are seldom written: the long s, extended Latin, phonetic and modifier letters, extended Cyrillic,
/// Armenian, Syriac, Thaana, N'Ko, Samaritan.
fn is_rare(character: char) -> bool {
    matches!(
        character,
        '\u{17F}'..='\u{217}' | '\u{21C}'..='\u{2FF}' | '\u{460}'..='\u{58F}' | '\u{700}'..='\u{8FF}' | '\u{1D00}'..='\u{1DFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use textcodec::{Encoding, GBK, IBM866, KOI8_R, MACINTOSH, WINDOWS_1250, WINDOWS_1251};

    fn judge(encoding: Encoding, line: &str) -> Verdict {
        Repair::new([encoding.into()]).unwrap().judge(line)
    }

    /// `text` as a program shows it that reads its UTF-8 in `encoding`, `times` times. Bytes without a character become
    /// control characters.
    fn garble(encoding: Encoding, text: &str, times: usize) -> String {
        let mut text = text.to_owned();
        for _ in 0..times {
            text = text
                .bytes()
                .map(|byte| match encoding.decode_without_bom_handling(&[byte]).0.chars().next() {
                    Some('\u{FFFD}') | None => char::from(byte),
                    Some(character) => character,
                })
                .collect();
        }
        text
    }

    const SENTENCES: [&str; 16] = [
        "Le café de l’hôtel est fermé à midi.",
        "“Über die Brücke”, sagte sie – und ging …",
        "¿Dónde está el niño? ¡Mañana!",
        "Não há pão na cozinha, só maçãs.",
        "Příliš žluťoučký kůň úpěl ďábelské ódy",
        "Zażółć gęślą jaźń",
        "Съешь же ещё этих мягких французских булок",
        "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
        "שלום עולם",
        "مرحبا بالعالم",
        "こんにちは、世界。",
        "你好，世界",
        "안녕하세요 세계",
        "20 °C, 5 € and 10 £, © 2020",
        "I love it 😍 so much",
        "Fuß, Maß, Straße",
    ];

    #[test]
    fn sentences_that_were_decoded_wrongly_are_restored() {
        for encoding in [WINDOWS_1252, WINDOWS_1250, WINDOWS_1251, MACINTOSH, KOI8_R, IBM866] {
            for sentence in SENTENCES {
                let garbled = garble(encoding, sentence, 1);
                let verdict = judge(encoding, &garbled);
                assert_eq!(verdict, Verdict::Repaired(sentence.to_owned()), "{} {garbled}", encoding.name());
            }
        }
    }

    #[test]
    fn several_wrong_decodings_are_undone() {
        for times in 1..=4 {
            for sentence in SENTENCES {
                let garbled = garble(WINDOWS_1252, sentence, times);
                assert_eq!(judge(WINDOWS_1252, &garbled), Verdict::Repaired(sentence.to_owned()), "{garbled}");
            }
        }
    }

    #[test]
    fn known_signs_are_understood() {
        for (garbled, text) in [
            ("cafÃ©", "café"),
            ("donâ€™t", "don’t"),
            ("\u{EF}\u{BB}\u{BF}a", "\u{FEFF}a"),
            ("a ï¿½ b", "a \u{FFFD} b"),
            ("20Â°C", "20°C"),
            ("Â«\u{A0}ouiÂ\u{A0}Â»", ""),
            ("voilÃ\u{A0}tout", "voilàtout"),
            ("ã‚¢", "ア"),
            ("ðŸ˜€", "😀"),
            ("Ãœber", "Über"),
            ("FÃœR", "FÜR"),
            ("AzÉ™rbaycan", "Azərbaycan"),
            ("RÄ«ga", "Rīga"),
            ("âœ” done", "✔ done"),
            ("AÃ‘O", "AÑO"),
            ("e\u{CC}\u{81}", "e\u{301}"),
        ] {
            let expected = if text.is_empty() { Verdict::Fine } else { Verdict::Repaired(text.to_owned()) };
            assert_eq!(judge(WINDOWS_1252, garbled), expected, "{garbled}");
        }
        assert_eq!(judge(WINDOWS_1251, "пїЅпїЅ"), Verdict::Repaired("\u{FFFD}\u{FFFD}".into()));
        assert_eq!(judge(WINDOWS_1251, "РџСЂРёРІРµС‚"), Verdict::Repaired("Привет".into()));
        let dos = Repair::new([Charset::for_label("cp437").unwrap()]).unwrap();
        assert_eq!(dos.judge("caf├⌐"), Verdict::Repaired("café".into()));
        assert_eq!(judge(GBK, "锟斤拷"), Verdict::Repaired("\u{FFFD}\u{FFFD}".into()));
        assert_eq!(judge(GBK, "浣犲ソ锛屼笘鐣"), Verdict::Fine);
        assert_eq!(judge(GBK, "浣犲ソ涓栫晫"), Verdict::Repaired("你好世界".into()));
    }

    #[test]
    fn lines_that_can_be_right_are_not_touched() {
        for line in [
            "TEM QUE SEGUIR, É SÓ…",
            "SÓ…",
            "MARQUÉ…",
            "QUE É¿",
            "NESTLÉ®",
            "CITROËN™",
            "MANHÃ…",
            "la liberté\u{A0}»",
            "dit-il à\u{A0}»",
            "Maß² und Fuß³",
            "Maß½",
            "5×£3",
            "all´´",
            "Ã’s are in wrong text",
            "QUAND?—É",
            "RAÍZ·Ñ",
            "«\u{A0}liberté\u{A0}», dit-il",
            "naïve café, résumé",
            "Größe: 5½″",
            "Crème brûlée – 5 €",
            "…",
            "Ü",
        ] {
            let verdict = judge(WINDOWS_1252, line);
            assert!(!matches!(verdict, Verdict::Repaired(_)), "{line}: {verdict:?}");
        }
        for line in ["Россия", "СССР»", "ООО «Рога и копыта»", "Їжак і Ґава", "РС"]
        {
            let verdict = judge(WINDOWS_1251, line);
            assert!(!matches!(verdict, Verdict::Repaired(_)), "{line}: {verdict:?}");
        }
        for line in ["L’épisode", "2012—∞", "`¬´", "(o¬ô)"] {
            let verdict = judge(MACINTOSH, line);
            assert!(!matches!(verdict, Verdict::Repaired(_)), "{line}: {verdict:?}");
        }
        for line in ["联通", "你好", "中文字符", "你好，世界"] {
            let verdict = judge(GBK, line);
            assert!(!matches!(verdict, Verdict::Repaired(_)), "{line}: {verdict:?}");
        }
    }

    #[test]
    fn right_sentences_are_not_touched() {
        for encoding in [WINDOWS_1252, WINDOWS_1250, WINDOWS_1251, MACINTOSH, KOI8_R, IBM866, GBK] {
            for sentence in SENTENCES {
                assert!(!matches!(judge(encoding, sentence), Verdict::Repaired(_)), "{} {sentence}", encoding.name());
            }
        }
    }

    #[test]
    fn parts_of_a_line_are_repaired() {
        let repair = Repair::default();
        for (line, text) in [
            ("é cafÃ© ☃", "é café ☃"),
            ("voilÃ  le travail", "voilà le travail"),
            ("日本 ã‚¢ ’ â€™", "日本 ア ’ ’"),
            ("é Ã¢â‚¬â„¢", "é ’"),
        ] {
            assert_eq!(repair.judge(line), Verdict::Fine, "{line}");
            assert!(repair.has_parts(line), "{line}");
            assert_eq!(repair.repair_ambiguous(line).as_deref(), Some(text));
        }
        assert!(!repair.has_parts("SÓ… é ☃"));
        assert_eq!(repair.repair_ambiguous("SÓ… é ☃"), None);
        assert_eq!(repair.repair_ambiguous("SÓ…").as_deref(), Some("SӅ"));
    }

    #[test]
    fn charsets_that_lose_nothing_or_write_nothing_cannot_be_undone() {
        for label in ["utf-8", "utf-16le", "utf-16-bom", "utf-32", "utf-7", "replacement"] {
            let charset = Charset::for_label(label).unwrap();
            assert_eq!(Repair::new([charset]).unwrap_err(), CannotRepair { charset });
        }
        for charset in Charset::all().filter(|charset| charset.is_single_byte()) {
            assert!(Repair::new([charset]).is_ok(), "{charset}");
        }
    }

    #[test]
    fn lines_in_several_charsets_are_decoded_in_the_first_that_fits() {
        let charsets = [Charset::UTF_8, Charset::for_label("gbk").unwrap(), WINDOWS_1252.into()];
        assert_eq!(decode_mixed("é".as_bytes(), &charsets).as_deref(), Some("é"));
        assert_eq!(decode_mixed(b"\xC4\xE3", &charsets).as_deref(), Some("你"));
        assert_eq!(decode_mixed(b"caf\xE9", &charsets).as_deref(), Some("café"));
        assert_eq!(decode_mixed(b"caf\xE9", &charsets[..2]), None);
    }

    #[test]
    fn a_text_is_repaired_line_by_line() {
        let repaired = Repair::default().repair("aÃ©\r\n\nSÓ…\nï¿½ x\n", false);
        assert_eq!(repaired.text, "aé\r\n\nSÓ…\n\u{FFFD} x\n");
        let Counts { lines, repaired: changed, ambiguous, lost } = repaired.counts;
        assert_eq!((lines, changed.number, changed.first, lost), (4, 2, Some(1), 1));
        assert_eq!((ambiguous.number, ambiguous.first), (1, Some(3)));
        let all = Repair::default().repair("SÓ…\n", true);
        assert_eq!((&*all.text, all.counts.ambiguous.number), ("SӅ\n", 0));
    }

    #[test]
    fn two_encodings_that_disagree_leave_the_line() {
        let garbled = garble(WINDOWS_1252, "café", 1);
        let both = Repair::new([WINDOWS_1252.into(), WINDOWS_1250.into()]).unwrap();
        assert_eq!(both.judge(&garbled), Verdict::Repaired("café".into()));
        assert_eq!(both.judge("Â° ą"), Verdict::Fine);
    }
}
