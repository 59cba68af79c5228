//! How odd a text looks: the number of its characters, and of pairs of them, that people seldom write. Text that was
//! decoded in a wrong charset has many.

use textcodec::{BIG5, GBK, SHIFT_JIS};

/// What a character is, as far as it decides which characters stand beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// ASCII other than letters, and characters of which nothing is known.
    Neutral,
    AsciiLetter,
    Latin,
    Greek,
    Cyrillic,
    Hebrew,
    Arabic,
    Thai,
    Han,
    Kana,
    HalfKana,
    Bopomofo,
    Hangul,
    OtherLetter,
    /// Letters that few languages have.
    RareLetter,
    /// Punctuation beyond ASCII that texts have.
    Punctuation,
    Symbol,
    /// Lines, boxes and blocks.
    Drawing,
    /// Controls, characters for private use, noncharacters and U+FFFD.
    Never,
}

use Class::*;

impl Class {
    pub(crate) fn of(character: char) -> Self {
        match character {
            'a'..='z' | 'A'..='Z' => AsciiLetter,
            '\t' | '\n' | '\r' | '\u{C}' | ' '..='~' => Neutral,
            '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{E000}'..='\u{F8FF}' | '\u{FDD0}'..='\u{FDEF}' => Never,
            '\u{FFF0}'..='\u{FFFF}' | '\u{F0000}'.. => Never,
            '\u{A0}' | '«' | '»' | '§' | '°' | '·' | '¡' | '¿' | '\u{2010}'..='\u{203A}' | '№' | '€' | '™' | '©' => {
                Punctuation
            }
            '\u{3000}'..='\u{3020}' | '\u{FF01}'..='\u{FF60}' | '\u{30FB}' => Punctuation,
            '\u{A1}'..='\u{A9}' | '\u{AB}'..='\u{B4}' | '\u{B6}'..='\u{B9}' | '\u{BC}'..='\u{BF}' | '×' | '÷' => {
                Symbol
            }
            '\u{17F}'..='\u{19F}' | '\u{1A2}'..='\u{1AE}' | '\u{1B1}'..='\u{217}' | '\u{21C}'..='\u{2FF}' => RareLetter,
            '\u{460}'..='\u{48F}' | '\u{500}'..='\u{58F}' | '\u{700}'..='\u{8FF}' | '\u{1D00}'..='\u{1DFF}' => {
                RareLetter
            }
            '\u{AA}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => Latin,
            '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => Greek,
            '\u{400}'..='\u{4FF}' => Cyrillic,
            '\u{590}'..='\u{5FF}' => Hebrew,
            '\u{600}'..='\u{6FF}' => Arabic,
            '\u{E00}'..='\u{E7F}' => Thai,
            '\u{2500}'..='\u{25FF}' => Drawing,
            '\u{3041}'..='\u{30FF}' => Kana,
            '\u{3100}'..='\u{312F}' => Bopomofo,
            '\u{FF61}'..='\u{FF9F}' => HalfKana,
            '\u{3400}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}' | '\u{F900}'..='\u{FAFF}' => Han,
            '\u{AC00}'..='\u{D7A3}' => Hangul,
            _ if character.is_alphabetic() => OtherLetter,
            '\u{2030}'..='\u{2BFF}' => Symbol,
            _ => Neutral,
        }
    }

    pub(crate) const fn is_letter(self) -> bool {
        !matches!(self, Neutral | Punctuation | Symbol | Drawing | Never)
    }
}

/// The oddness of `text`; for texts that are right, 1 at most for ten characters.
pub(crate) fn oddness(text: &str) -> u32 {
    let mut odd = 0;
    let mut before = (' ', Neutral);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let class = Class::of(character);
        let after = characters.peek().map_or(Neutral, |&after| Class::of(after));
        odd += match class {
            Never => 4,
            RareLetter => 1,
            Han if is_rare_ideograph(character) => 2,
            Symbol if before.1.is_letter() && after.is_letter() => 2,
            Symbol if before.1.is_letter() || after.is_letter() => 1,
            Drawing if before.1.is_letter() || after.is_letter() => 2,
            _ => 0,
        };
        odd += beside(before, (character, class));
        before = (character, class);
    }
    odd
}

/// The oddness of a character after another one.
fn beside((first, before): (char, Class), (second, class): (char, Class)) -> u32 {
    let is_latin = |class| matches!(class, AsciiLetter | Latin | RareLetter);
    match (before, class) {
        (Symbol, Symbol) => 1,
        // "ä" and the like seldom stand beside each other; letters of Vietnamese do, and they are beyond U+0300.
        (Latin, Latin) if first < '\u{1A0}' && second < '\u{1A0}' => {
            if first.is_lowercase() && second.is_uppercase() {
                2
            } else {
                1
            }
        }
        (before, class) if is_latin(before) && is_latin(class) => {
            let is_beyond_ascii = before != AsciiLetter || class != AsciiLetter;
            u32::from(is_beyond_ascii && first.is_lowercase() && second.is_uppercase())
        }
        (Cyrillic | Greek, _) if before == class => 2 * u32::from(first.is_lowercase() && second.is_uppercase()),
        (HalfKana, other) | (other, HalfKana) if other != HalfKana && other.is_letter() => 2,
        (Han, Bopomofo) | (Bopomofo, Han) => 2,
        (Hangul, Han | Kana) | (Han | Kana, Hangul) => 1,
        // Texts in these scripts have Latin letters without a space.
        (Han | Kana | Bopomofo | Hangul | HalfKana, AsciiLetter | Han | Kana | HalfKana | Bopomofo | Hangul) => 0,
        (AsciiLetter, Han | Kana | Bopomofo | Hangul | HalfKana) => 0,
        (before, class) if before.is_letter() && class.is_letter() && before != class => 2,
        _ => 0,
    }
}

/// Whether an ideograph is in none of the first levels of GB 2312, JIS X 0208 and Big5, which have the characters of
/// most texts.
fn is_rare_ideograph(character: char) -> bool {
    let mut buffer = [0; 4];
    let text = &*character.encode_utf8(&mut buffer);
    let is_in = |encoding: textcodec::Encoding, leads: core::ops::RangeInclusive<u8>, trails: u8| {
        let bytes = encoding.encode_or_fail(text);
        bytes.is_ok_and(|bytes| matches!(*bytes, [lead, trail] if leads.contains(&lead) && trail >= trails))
    };
    !(is_in(GBK, 0xB0..=0xD7, 0xA1) || is_in(BIG5, 0xA4..=0xC6, 0x40) || is_in(SHIFT_JIS, 0x88..=0x97, 0x40))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_texts_are_hardly_odd_and_wrong_decodings_are() {
        for text in [
            "Le café de l’hôtel est fermé à midi.",
            "“Über die Brücke”, sagte sie – und ging …",
            "Příliš žluťoučký kůň úpěl ďábelské ódy",
            "Съешь же ещё этих мягких французских булок",
            "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
            "שלום עולם مرحبا",
            "日本語のテキスト、ABCとカタカナ",
            "用户名和密码",
            "안녕하세요 세계",
            "ภาษาไทย 100 บาท",
            "Tiếng Việt là ngôn ngữ",
        ] {
            assert!(oddness(text) as usize * 10 <= text.chars().count(), "{text}: {}", oddness(text));
        }
        for text in [
            "鐢ㄦ埛鍚",
            "ô·û{îΩé╠âeâLâXâg",
            "Ðñûâåò, ìèð",
            "оПХБЕР, вРН-МХАСДЭ, яДЕКЮК",
            "ã\u{81}\u{93}ã‚“",
            "ÇáÚÑÈíÉ",
            "ﾆ坦ﾂ孕ﾆ津ﾂ",
            "╧ЁштхЄ",
        ] {
            assert!(oddness(text) >= 3, "{text}: {}", oddness(text));
        }
    }

    #[test]
    fn the_ideographs_of_the_first_levels_are_not_rare() {
        let common = ('\u{3400}'..='\u{9FFF}').filter(|&character| !is_rare_ideograph(character));
        assert_eq!(common.count(), 7184);
        for (encoding, first, last) in [
            (GBK, [0xB0, 0xA1], [0xD7, 0xF9]),
            (BIG5, [0xA4, 0x40], [0xC6, 0x7E]),
            (SHIFT_JIS, [0x88, 0x9F], [0x97, 0xFC]),
        ] {
            for bytes in [first, last] {
                let character = encoding.decode(&bytes).text.chars().next().unwrap();
                assert!(!is_rare_ideograph(character), "{character}");
            }
        }
    }
}
