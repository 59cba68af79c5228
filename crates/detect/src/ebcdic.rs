//! Code pages of mainframes. Their bytes are not those of ASCII, so the text is read in each page and scored in an
//! encoding of the Standard that has its letters.

use alloc::{string::String, vec::Vec};

use textcodec_charsets::{Charset, ebcdic::*};
use textcodec_core::Name;

use crate::{
    Candidate, Detection, Options, Verdict, calibration,
    candidates::SINGLE_BYTE,
    neighbourhoods::Neighbourhoods,
    score::{self, NAT},
};

/// The pages, with an encoding that has their letters, and with the languages of the countries that use them. If two
/// give the same text, the first one is the answer. The Hebrew pages are left out: their letters are bytes of ASCII.
static PAGES: [(Charset, Name, &str); 18] = [
    (IBM037, Name::Windows1252, ""),
    (IBM1047, Name::Windows1252, ""),
    (IBM500, Name::Windows1252, ""),
    (IBM1140, Name::Windows1252, ""),
    (IBM273, Name::Windows1252, "de"),
    (IBM277, Name::Windows1252, "da nb"),
    (IBM278, Name::Windows1252, "sv fi"),
    (IBM280, Name::Windows1252, "it"),
    (IBM284, Name::Windows1252, "es"),
    (IBM285, Name::Windows1252, "en"),
    (IBM297, Name::Windows1252, "fr"),
    (IBM871, Name::Windows1252, "is"),
    (IBM870, Name::Iso8859_2, ""),
    (IBM1026, Name::Windows1254, ""),
    (IBM875, Name::Iso8859_7, ""),
    (IBM1025, Name::Iso8859_5, ""),
    (IBM880, Name::Iso8859_5, ""),
    (IBM1112, Name::Windows1257, ""),
];

/// The price of each page before a page, and of a page of a country in another language than that of the country.
const LATER_PAGE: i64 = NAT / 4;
const OTHER_LANGUAGE: i64 = 10 * NAT;

/// The prices of characters that texts hardly ever have, in nats: a control character, a byte or a character without a
/// place in the other encoding, and a sign such as a brace beside a letter, which stands for a letter in other pages.
const CONTROL: i64 = 6;
const UNKNOWN: i64 = 12;
const SIGN_IN_WORD: i64 = 10;

/// The text in a page.
struct Reading {
    charset: Charset,
    text: String,
    language: Option<&'static str>,
    price: i64,
}

/// Whether words end with the space of EBCDIC, and not with that of ASCII.
fn is_ebcdic(head: &[u8]) -> bool {
    let count = |byte: u8| head.iter().filter(|&&other| other == byte).count();
    let high = head.iter().filter(|byte| !byte.is_ascii()).count();
    head.len() >= 8 && count(0x40) * 16 >= head.len() && count(b' ') * 64 <= head.len() && high * 4 >= head.len()
}

/// The pages that `head`, the start of a text, can be in. `None` if it is no EBCDIC.
pub(crate) fn detect(head: &[u8], options: &Options) -> Option<Detection> {
    if !is_ebcdic(head) {
        return None;
    }
    let mut readings: Vec<Reading> = Vec::new();
    for (rank, &(charset, name, languages)) in PAGES.iter().enumerate() {
        let mut reading = read(head, charset, name, options);
        reading.price += LATER_PAGE * rank as i64 + price_of_language(languages, reading.language);
        let place = readings.iter().position(|other| reading.price < other.price).unwrap_or(readings.len());
        readings.insert(place, reading);
    }
    let lowest = readings[0].price;
    let nats = |price: i64| (price - lowest) as f32 / NAT as f32;
    let other = readings.iter().find(|reading| reading.text != readings[0].text);
    let margin = other.map(|reading| nats(reading.price));
    let first = calibration::probability(margin);
    let mut groups: Vec<&str> = Vec::new();
    let mut candidates = Vec::new();
    let others = readings.iter().filter(|reading| reading.text != readings[0].text);
    let weight = |reading: &Reading| calibration::exp(-nats(reading.price).min(80.0));
    let rest: f32 = others.map(weight).sum();
    for reading in readings.iter().filter(|reading| nats(reading.price) < 24.0) {
        let known = groups.iter().position(|text| **text == *reading.text);
        let group = known.unwrap_or(groups.len());
        if known.is_none() {
            groups.push(&reading.text);
        }
        let probability = if group == 0 { first } else { (1.0 - first) * weight(reading) / rest };
        candidates.push(Candidate {
            name: reading.charset.name(),
            encoding: None,
            language: reading.language,
            probability,
            group,
            evidence: Vec::new(),
        });
    }
    // Candidates of one group follow each other.
    candidates.sort_by_key(|candidate| candidate.group);
    Some(Detection { verdict: Verdict::Legacy, candidates, margin, knows_language: true })
}

/// The price of a language in a page of these languages.
fn price_of_language(languages: &str, language: Option<&str>) -> i64 {
    let is_own = |language| languages.split(' ').any(|own| own == language);
    if languages.is_empty() || language.is_some_and(is_own) { 0 } else { OTHER_LANGUAGE }
}

fn read(head: &[u8], charset: Charset, name: Name, options: &Options) -> Reading {
    let (text, _) = charset.decode(head);
    let units = SINGLE_BYTE.iter().find(|encoding| encoding.name == name).map(|encoding| encoding.index.units());
    let mut price = 0;
    let mut bytes = Vec::with_capacity(head.len());
    let mut before = [' '; 2];
    for character in text.chars() {
        price += price_of_sign(before[0], before[1], character);
        before = [before[1], character];
        bytes.push(match character {
            '\u{85}' => b'\n',
            '\t' | '\n' | '\r' | ' '..='~' => character as u8,
            _ => {
                let place = units.and_then(|units| units.iter().position(|&unit| u32::from(unit) == character as u32));
                price += match (character, place) {
                    ('\0'..='\u{1F}' | '\u{7F}'..='\u{9F}', _) => CONTROL,
                    (_, None) => UNKNOWN,
                    _ => 0,
                };
                place.map_or(b'?', |place| 0x80 | place as u8)
            }
        });
    }
    let mut inner = Options::new().among([name]).ends_mid_stream(true);
    inner.languages = options.languages;
    let mut neighbourhoods = Neighbourhoods::new(0, &inner);
    neighbourhoods.feed(&bytes);
    neighbourhoods.end(true);
    let scores = score::score(&neighbourhoods, &inner, true);
    let best = scores.texts.first();
    Reading {
        charset,
        text,
        language: best.and_then(|text| text.members[0].language),
        price: price * NAT + best.map_or(0, score::Text::price),
    }
}

/// The price of a character between two others if it is a sign that stands for a letter in other pages.
fn price_of_sign(before: char, sign: char, after: char) -> i64 {
    let letters = usize::from(before.is_alphabetic()) + usize::from(after.is_alphabetic());
    // Numbers in brackets are notes.
    let is_note = before.is_ascii_digit() || after.is_ascii_digit();
    let least = match sign {
        '[' | ']' | '{' | '}' | '|' | '\\' | '~' | '^' | '`' | '¦' | '¬' | '¢' if !is_note => 1,
        '@' | '#' | '$' | '!' => 2,
        _ => 3,
    };
    if letters >= least { SIGN_IN_WORD } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates;

    #[test]
    fn the_end_of_a_line_is_no_control_character() {
        let price = |text: &[u8]| {
            let (charset, name, _) = PAGES[0];
            read(text, charset, name, &Options::new()).price
        };
        // "ab" in three lines, which end with NL, 15, or LF, 25.
        let [nl, lf, form_feed] = [0x15, 0x25, 0x0C].map(|end| price(&[0x81, 0x82, end].repeat(3)));
        assert_eq!(nl, lf);
        assert_eq!(form_feed - lf, 3 * CONTROL * NAT);
    }

    #[test]
    fn a_language_is_dearer_in_a_page_of_others() {
        for (languages, language, expected) in [
            ("", None, 0),
            ("", Some("de"), 0),
            ("de", Some("de"), 0),
            ("de", Some("d"), OTHER_LANGUAGE),
            ("de", None, OTHER_LANGUAGE),
            ("da nb", Some("da"), 0),
            ("da nb", Some("nb"), 0),
            ("da nb", Some("da nb"), OTHER_LANGUAGE),
            ("da nb", Some("sv"), OTHER_LANGUAGE),
            ("da nb", None, OTHER_LANGUAGE),
        ] {
            assert_eq!(price_of_language(languages, language), expected, "{languages}, {language:?}");
        }
    }

    #[test]
    fn words_of_ebcdic_end_with_its_space_and_not_with_that_of_ascii() {
        let head = |others: &[u8]| {
            let mut head = vec![0xC1; 64];
            head[..others.len()].copy_from_slice(others);
            head
        };
        assert!(is_ebcdic(&head(b"@@@@")));
        assert!(is_ebcdic(&head(b"@@@@ ")), "one space of ASCII in 64 bytes");
        assert!(!is_ebcdic(&head(b"@@@@  ")), "two spaces of ASCII in 64 bytes");
        assert!(!is_ebcdic(&head(b"@@@")), "three spaces of EBCDIC in 64 bytes");
        assert!(is_ebcdic(&head(&[b'@'; 48])), "a quarter is not ASCII");
        assert!(!is_ebcdic(&head(&[b'@'; 49])), "less than a quarter is not ASCII");
        assert!(is_ebcdic(&head(b"@")[..8]));
        assert!(!is_ebcdic(&head(b"@")[..7]), "too short");
    }

    #[test]
    fn a_sign_beside_letters_has_a_price() {
        // Texts around the sign, and the signs with a price there.
        for (before, after, expected) in [
            ('a', 'b', "[]{}|\\~^`¦¬¢@#$!"),
            ('é', 'É', "[]{}|\\~^`¦¬¢@#$!"),
            ('a', ' ', "[]{}|\\~^`¦¬¢"),
            (' ', 'a', "[]{}|\\~^`¦¬¢"),
            ('a', '1', ""),
            ('1', 'a', ""),
            (' ', '.', ""),
        ] {
            let signs = "[]{}|\\~^`¦¬¢@#$!.,;:-_\"'()<>/*+=&%?§";
            let found: String =
                signs.chars().filter(|&sign| price_of_sign(before, sign, after) == SIGN_IN_WORD).collect();
            assert_eq!(found, expected, "{before} {after}");
            assert!(signs.chars().all(|sign| [0, SIGN_IN_WORD].contains(&price_of_sign(before, sign, after))));
        }
    }

    #[test]
    fn characters_that_texts_hardly_have_make_a_reading_dearer() {
        let options = Options::new();
        let price = |text: &[u8]| read(text, IBM037, Name::Windows1252, &options).price;
        // A control character, a character that windows-1252 does not have, and a brace beside a letter.
        assert_eq!(price(b"\x01") - price(b"\x40"), CONTROL * NAT);
        assert_eq!(price(b"\x81\xC0\x82") - price(b"\x81\x40\x82"), SIGN_IN_WORD * NAT);
        assert_eq!([0x40, 0x05, 0x15, 0x0D, 0x25].map(|byte| price(&[byte])), [price(b"\x40"); 5]);
        let greek = read(b"\x41", IBM875, Name::Windows1252, &options);
        assert_eq!((greek.text.as_str(), greek.price >= UNKNOWN * NAT), ("Α", true));
    }

    #[test]
    fn what_the_caller_knows_of_the_language_makes_a_reading_cheaper() {
        let bytes = IBM273.encode_or_fail("Über Öfen für Füße und schöne Größe hört man häufig.").unwrap();
        let price = |options: &Options| {
            let reading = read(&bytes, IBM273, Name::Windows1252, options);
            assert_eq!(reading.language, Some("de"));
            reading.price
        };
        let evidence = price(&Options::new()) - price(&Options::new().language("de"));
        assert_eq!(evidence, candidates::language_evidence(&Options::new().language("de"), language("de")));
        assert_eq!(price(&Options::new()) - price(&Options::new().language("fr")), 0);
    }

    /// The number of a language.
    fn language(code: &str) -> usize {
        candidates::language(code).trailing_zeros() as usize
    }

    #[test]
    fn each_page_has_the_letters_of_its_encoding_and_the_languages_of_its_countries() {
        let rows: Vec<String> =
            PAGES.iter().map(|(page, name, codes)| [page.name(), name.as_str(), codes].join(" ")).collect();
        let expected = "IBM037 windows-1252 |IBM1047 windows-1252 |IBM500 windows-1252 |IBM1140 windows-1252 |\
                        IBM273 windows-1252 de|IBM277 windows-1252 da nb|IBM278 windows-1252 sv fi|\
                        IBM280 windows-1252 it|IBM284 windows-1252 es|IBM285 windows-1252 en|IBM297 windows-1252 fr|\
                        IBM871 windows-1252 is|IBM870 ISO-8859-2 |IBM1026 windows-1254 |IBM875 ISO-8859-7 |\
                        IBM1025 ISO-8859-5 |IBM880 ISO-8859-5 |IBM1112 windows-1257 ";
        assert_eq!(rows.join("|"), expected);
        for (page, name, codes) in PAGES {
            let encoding = SINGLE_BYTE.iter().find(|encoding| encoding.name == name).unwrap();
            let has = |letter: char| letter.is_ascii() || encoding.index.units().contains(&(letter as u32 as u16));
            let text = page.decode(&(0..=0xFF).collect::<Vec<u8>>()).0;
            let missing: String = text.chars().filter(|&letter| letter.is_alphabetic() && !has(letter)).collect();
            assert_eq!(missing, "", "{} beside {name}", page.name());
            let of_countries = codes.split_whitespace().fold(0, |set, code| set | 1 << language(code));
            assert_eq!(of_countries & !encoding.languages, 0, "{}", page.name());
        }
    }
}
