//! Other characters for those that a charset does not have.
//!
//! The facts about single characters are of the kind that Unicode's CLDR collects for the transform from Latin to
//! ASCII: punctuation, symbols of money, and letters that do not decompose. For all other characters, the compatibility
//! decomposition of Unicode counts. Texts in other scripts are not turned into Latin letters: that needs to know the
//! language.

use alloc::{string::String, vec::Vec};
use core::cell::RefCell;

use unicode_normalization::{UnicodeNormalization, char::canonical_combining_class};

use super::recomposition::recompose;
use crate::charset::{Charset, Encoder};

/// The number of steps from a character to the characters that are written.
const STEPS: u8 = 4;

/// A text in which other characters stand for those that a charset does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Transliterated {
    /// The text. It has the characters of `missing` as they were.
    pub text: String,
    /// The number of characters for which others stand.
    pub replaced: u64,
    /// The characters that the charset does not have and for which there are no others, in the order of the text.
    pub missing: Vec<char>,
}

/// The text with other characters for those that `charset` does not have. A [twin] of the character comes first, and a
/// letter and its marks as the charset has them: nothing is lost by these.
///
/// ```
/// use textcodec_convert::{Charset, text::transliterate};
///
/// let ascii = Charset::for_label("exact-us-ascii").unwrap();
/// let written = transliterate("“Łódź” … ½ ☃", ascii);
/// assert_eq!(written.text, "\"Lodz\" ... 1/2 ☃");
/// assert_eq!((written.replaced, &*written.missing), (7, &['☃'][..]));
/// ```
#[must_use]
pub fn transliterate(text: &str, charset: Charset) -> Transliterated {
    let mut written = Transliterated { text: String::with_capacity(text.len()), replaced: 0, missing: Vec::new() };
    let recomposed = recompose(text, charset);
    let text = recomposed.as_deref().unwrap_or(text);
    // To make an encoder for each character takes longer than to encode it.
    let encoder = RefCell::new(charset.new_encoder());
    let can_encode =
        |character| encoder.borrow_mut().as_mut().is_some_and(|encoder: &mut Encoder| encoder.can_encode(character));
    for character in text.chars() {
        if can_encode(character) {
            written.text.push(character);
        } else if let Some(likeness) = expand(character, &can_encode, STEPS) {
            written.text += &likeness;
            written.replaced += 1;
        } else {
            written.text.push(character);
            written.missing.push(character);
        }
    }
    written
}

/// The best text for `character` that `charset` can encode. `None` if there is none; empty for a mark that no character
/// carries in the charset.
#[must_use]
pub fn transliterate_character(character: char, charset: Charset) -> Option<String> {
    expand(character, &|other| charset.can_encode(other.encode_utf8(&mut [0; 4])), STEPS)
}

/// The twin of `character` that `charset` has: the same sign, for which tables of East Asian charsets have different
/// characters, for example "〜" (U+301C) and "～" (U+FF5E).
///
/// ```
/// use textcodec_convert::{Charset, text::twin};
///
/// let shift_jis = Charset::for_label("shift_jis").unwrap();
/// assert_eq!(twin('〜', shift_jis), Some('～'));
/// assert_eq!(twin('…', shift_jis), None);
/// ```
#[must_use]
pub fn twin(character: char, charset: Charset) -> Option<char> {
    find_twin(character, &|other| charset.can_encode(other.encode_utf8(&mut [0; 4])))
}

fn find_twin(character: char, can_encode: &impl Fn(char) -> bool) -> Option<char> {
    TWINS.iter().filter(|twins| twins.contains(character)).find_map(|twins| {
        let mut others = twins.chars().filter(|&other| other != character);
        others.find(|&other| can_encode(other))
    })
}

fn expand(character: char, can_encode: &impl Fn(char) -> bool, steps: u8) -> Option<String> {
    if steps == 0 {
        return None;
    }
    if let Some(twin) = find_twin(character, can_encode) {
        return Some(twin.into());
    }
    let write = |text: &str| -> Option<String> {
        let mut written = String::new();
        for part in text.chars() {
            match part {
                _ if can_encode(part) => written.push(part),
                _ if part == character => return None,
                _ => written += &expand(part, can_encode, steps - 1)?,
            }
        }
        Some(written)
    };
    let listed = FACTS.iter().filter(|(characters, _)| characters.contains(character));
    if let Some(text) = listed.flat_map(|(_, texts)| *texts).find_map(|text| write(text)) {
        return Some(text);
    }
    // Marks are left out, the last first, so that "ǖ" becomes "ü" where there is an "ü".
    let mut decomposed: Vec<char> = character.nfkd().collect();
    // A mark that stands alone is written over a space, which nobody wants to read.
    if decomposed.len() > 1 && decomposed[0] == ' ' {
        return None;
    }
    loop {
        let composed: String = decomposed.iter().copied().nfc().collect();
        if let Some(text) = write(&composed).filter(|_| !decomposed.is_empty()) {
            return Some(text);
        }
        let last = decomposed.pop()?;
        if canonical_combining_class(last) == 0 {
            return None;
        }
        if decomposed.is_empty() {
            return Some(String::new());
        }
    }
}

/// Characters for one sign of JIS X 0208 or KS X 1001, which Unicode, Microsoft, Apple and JIS map to different
/// characters.
static TWINS: [&str; 10] = ["〜～∼", "‖∥", "−－", "¢￠", "£￡", "¬￢", "—―", "¥￥", "‾￣", "¦￤"];

/// Characters, and the texts that can take the place of each, the best first.
static FACTS: [(&str, &[&str]); 87] = [
    // Punctuation.
    ("‘’‚‛′‵ʹʻʼʽˈ", &["'"]),
    ("´ˊ", &["'"]),
    ("ˋ", &["`"]),
    ("“”„‟″‶ʺ¨〝〞", &["\""]),
    ("‴", &["'''"]),
    ("‹", &["<"]),
    ("›", &[">"]),
    ("«", &["<<"]),
    ("»", &[">>"]),
    ("‐‑‒–−˗", &["-"]),
    ("—―", &["–", "-"]),
    ("\u{AD}\u{200B}\u{2060}\u{FEFF}\u{200C}\u{200D}\u{200E}\u{200F}", &[""]),
    ("…", &["..."]),
    ("‥", &[".."]),
    ("•‣●∙⁃", &["·", "*"]),
    ("·", &["."]),
    ("‖∥", &["||"]),
    ("〜", &["~"]),
    ("‾", &["¯", "-"]),
    ("‗", &["_"]),
    ("¦", &["|"]),
    ("⁄∕", &["/"]),
    ("∖", &["\\"]),
    ("∗", &["*"]),
    ("∶", &[":"]),
    ("¡", &["!"]),
    ("¿", &["?"]),
    ("‸ˆ", &["^"]),
    ("˜∼", &["~"]),
    ("¸", &[","]),
    ("¯ˉ", &["-"]),
    ("†", &["+"]),
    ("‡", &["++"]),
    ("§", &["S."]),
    ("¶", &["P."]),
    ("\u{2028}\u{2029}\u{85}", &["\n"]),
    // Symbols.
    ("©", &["(C)"]),
    ("®", &["(R)"]),
    ("€", &["EUR"]),
    ("£₤", &["GBP"]),
    ("¥", &["JPY"]),
    ("¢", &["ct"]),
    ("₽", &["RUB"]),
    ("₹", &["INR"]),
    ("₴", &["UAH"]),
    ("₩", &["KRW"]),
    ("₪", &["ILS"]),
    ("×", &["x"]),
    ("÷", &["/"]),
    ("±", &["+/-"]),
    ("≤", &["<="]),
    ("≥", &[">="]),
    ("≠", &["!="]),
    ("≈", &["~"]),
    ("←", &["<-"]),
    ("→", &["->"]),
    ("↔", &["<->"]),
    ("⇒", &["=>"]),
    ("µ", &["μ", "u"]),
    ("μ", &["µ"]),
    ("☺", &[":-)"]),
    // Letters.
    ("Æ", &["AE"]),
    ("æ", &["ae"]),
    ("Œ", &["OE"]),
    ("œ", &["oe"]),
    ("ß", &["ss"]),
    ("ẞ", &["ß", "SS"]),
    ("Ø", &["O"]),
    ("ø", &["o"]),
    ("ÐĐ", &["D"]),
    ("ðđ", &["d"]),
    ("Þ", &["TH"]),
    ("þ", &["th"]),
    ("Ł", &["L"]),
    ("ł", &["l"]),
    ("Ħ", &["H"]),
    ("ħ", &["h"]),
    ("Ŧ", &["T"]),
    ("ŧ", &["t"]),
    ("Ŋ", &["NG"]),
    ("ŋ", &["ng"]),
    ("ƒ", &["f"]),
    ("Ə", &["A"]),
    ("ə", &["a"]),
    ("°", &["deg"]),
    ("ı", &["i"]),
    ("ĸ", &["q"]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use textcodec::{
        EUC_JP, EUC_KR, Encoding, IBM866, ISO_2022_JP, ISO_8859_2, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252, WINDOWS_1258,
    };

    /// The text in `charset`, with "?" where nothing can take the place of a character.
    fn in_encoding(charset: impl Into<Charset>, text: &str) -> String {
        let charset = charset.into();
        let Transliterated { text, missing, .. } = transliterate(text, charset);
        let written: String =
            text.chars().map(|character| if missing.contains(&character) { '?' } else { character }).collect();
        assert!(charset.can_encode(&written), "{written}");
        written
    }

    fn ascii() -> Charset {
        Charset::for_label("exact-us-ascii").unwrap()
    }

    #[test]
    fn ascii_gets_the_nearest_characters() {
        for (text, expected) in [
            ("… – — “quoted” ‘it’s’", "... - - \"quoted\" 'it's'"),
            ("ﬁne naïve café Ångström", "fine naive cafe Angstrom"),
            ("Æsop œuvre Straße ØL Łódź đakovo þorn", "AEsop oeuvre Strasse OL Lodz dakovo thorn"),
            ("½ ² ™ № ℃ ① ｆｕｌｌ", "1/2 2 TM No degC 1 full"),
            ("5 € © 2020 ± 3 × 4", "5 EUR (C) 2020 +/- 3 x 4"),
            ("ǖ ế ệ", "u e e"),
            ("e\u{301}", "e"),
            ("a\u{A0}b\u{2003}c\u{AD}d", "a b cd"),
            ("Москва 東京 ☃", "?????? ?? ?"),
        ] {
            assert_eq!(in_encoding(ascii(), text), expected, "{text}");
        }
    }

    #[test]
    fn each_character_with_another_in_its_place_is_counted() {
        for (text, written, replaced, missing) in [
            ("", "", 0, ""),
            ("abc", "abc", 0, ""),
            ("a\u{AD}b\u{200B}", "ab", 2, ""),
            ("é…☃é", "e...☃e", 3, "☃"),
            ("☃☃", "☃☃", 0, "☃☃"),
        ] {
            let found = transliterate(text, ascii());
            assert_eq!((&*found.text, found.replaced), (written, replaced), "{text}");
            assert_eq!(found.missing.into_iter().collect::<String>(), missing, "{text}");
        }
    }

    #[test]
    fn a_larger_encoding_keeps_more() {
        let same = |encoding: Encoding, text: &str, expected: &str| assert_eq!(in_encoding(encoding, text), expected);
        same(WINDOWS_1252, "… – “ǖ” ế ẞ ℃ ⅓", "… – “ü” ê ß °C 1/3");
        same(WINDOWS_1251, "café — “ё”", "cafe — “ё”");
        same(IBM866, "café — №5", "cafe - №5");
        same(ISO_8859_2, "à la carte – Łódź €", "a la carte - Łódź EUR");
        same(SHIFT_JIS, "ｶﾞ ㍻ é", "ｶﾞ ㍻ e");
        same(WINDOWS_1258, "Tiếng Việt, Đà Nẵng…", "Tiê\u{301}ng Viê\u{323}t, Đà Nă\u{303}ng…");
        same(WINDOWS_1252, "e\u{301} e\u{302}\u{301}", "é ê");
    }

    #[test]
    fn twins_come_before_any_loss_in_both_directions() {
        for encoding in [SHIFT_JIS, EUC_JP, ISO_2022_JP] {
            // The encoders of the Standard write "−" as "－".
            assert_eq!(in_encoding(encoding, "〜‖¢£¬−—¦"), "～∥￠￡￢−―￤", "{}", encoding.name());
            assert_eq!(in_encoding(encoding, "～∥￠￡￢－―￤"), "～∥￠￡￢－―￤");
        }
        assert_eq!(in_encoding(EUC_KR, "〜∼"), "～∼");
        assert_eq!(in_encoding(WINDOWS_1252, "￠￡￢￥￤－～∥"), "¢£¬¥¦-~||");
        for charset in Charset::all().filter(|charset| charset.is_writable()) {
            // A charset that has one of the twins has an answer for all of them.
            for twins in TWINS {
                let has = twins.chars().filter(|&twin| charset.can_encode(twin.encode_utf8(&mut [0; 4]))).count();
                let answers = twins.chars().filter(|&other| twin(other, charset).is_some()).count();
                let expected = match has {
                    0 => 0,
                    1 => twins.chars().count() - 1,
                    _ => twins.chars().count(),
                };
                assert_eq!(answers, expected, "{charset} {twins}");
            }
        }
    }

    #[test]
    fn no_fact_is_there_twice_or_leads_nowhere() {
        let mut seen = String::new();
        for (characters, texts) in FACTS {
            assert!(!texts.contains(&characters));
            for character in characters.chars() {
                assert!(!seen.contains(character), "{character}");
                seen.push(character);
                let written = in_encoding(ascii(), &character.to_string());
                assert!(written != "?" || character == '¿', "{character}");
            }
        }
    }
}
