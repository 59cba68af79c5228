//! Other characters for those that a charset does not have.
//!
//! The facts about single characters are of the kind that Unicode's CLDR collects for the transform from Latin to
//! ASCII: punctuation, symbols of money, and letters that do not decompose. For all other characters, the compatibility
//! decomposition of Unicode counts. Texts in other scripts are not turned into Latin letters: that needs to know the
//! language.

use alloc::{string::String, vec::Vec};
use core::cell::RefCell;

use unicode_normalization::{UnicodeNormalization, char::canonical_combining_class};

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

/// The text with other characters for those that `charset` does not have.
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

fn expand(character: char, can_encode: &impl Fn(char) -> bool, steps: u8) -> Option<String> {
    if steps == 0 {
        return None;
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

/// Characters, and the texts that can take the place of each, the best first.
static FACTS: [(&str, &[&str]); 85] = [
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
    ("‖", &["||"]),
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
    use textcodec::{Encoding, IBM866, ISO_8859_2, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};

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
    fn a_larger_encoding_keeps_more() {
        let same = |encoding: Encoding, text: &str, expected: &str| assert_eq!(in_encoding(encoding, text), expected);
        same(WINDOWS_1252, "… – “ǖ” ế ẞ ℃ ⅓", "… – “ü” ê ß °C 1/3");
        same(WINDOWS_1251, "café — “ё”", "cafe — “ё”");
        same(IBM866, "café — №5", "cafe - №5");
        same(ISO_8859_2, "à la carte – Łódź €", "a la carte - Łódź EUR");
        same(SHIFT_JIS, "ｶﾞ ㍻ é", "ｶﾞ ㍻ e");
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
