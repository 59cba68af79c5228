//! Which of two texts of the same bytes has its signs at the right places. Two encodings of a language often differ in
//! a sign that is a letter in the other one: "5 µm" is "5 ľm" in ISO-8859-2. Statistics of languages hardly know signs.

use alloc::vec::Vec;

use crate::oddness::Class;

/// The greatest number of characters between an opening and a closing quotation mark.
const QUOTED: usize = 300;

/// How a character fits its place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fit {
    /// A sign where people do not write it, or a letter that is no word and in none.
    Odd,
    Possible,
    /// A letter in a word of three letters or more.
    InWord,
    /// A sign exactly where people write it.
    AtHome,
}

/// A text whose signs are better than those of another text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Better {
    First,
    Second,
}

/// Compares two texts where they differ. `None` if they do not have the same number of characters, or if the places at
/// which they differ do not decide.
pub(super) fn better(first: &str, second: &str) -> Option<Better> {
    let [first, second] = [first, second].map(|text| text.chars().collect::<Vec<_>>());
    if first.len() != second.len() {
        return None;
    }
    let (mut for_first, mut for_second, mut others) = (0, 0, 0);
    for place in (0..first.len()).filter(|&place| first[place] != second[place]) {
        let is_sign = |text: &[char]| !Class::of(text[place]).is_letter();
        match (fit(&first, place), fit(&second, place)) {
            (Fit::AtHome, Fit::Odd) => for_first += 1,
            (Fit::Odd, Fit::AtHome) => for_second += 1,
            (Fit::InWord, Fit::Odd) if is_sign(&second) => for_first += 1,
            (Fit::Odd, Fit::InWord) if is_sign(&first) => for_second += 1,
            _ => others += 1,
        }
    }
    match (for_first, for_second) {
        (1.., 0) if for_first >= 4 * others => Some(Better::First),
        (0, 1..) if for_second >= 4 * others => Some(Better::Second),
        _ => None,
    }
}

/// Whether at most half of the characters beyond ASCII are those of the language with this code: its letters in words,
/// and signs where people write them. Characters that can stand anywhere do not count. A letter of another language
/// that stands alone each time is enough: "Ĩ´" for "„“".
///
/// In a text with few such characters, statistics know the language from the words of ASCII, and choose the encoding
/// that is the most frequent one. "uèinjene" in English code is right in another encoding.
pub(super) fn are_foreign(text: &str, language: &str) -> bool {
    let text: Vec<_> = text.chars().collect();
    let (mut own, mut foreign) = (0, 0);
    // Letters of other languages that stand alone, and those that stand in words.
    let (mut alone, mut in_words) = (Vec::new(), Vec::new());
    for place in (0..text.len()).filter(|&place| !text[place].is_ascii()) {
        let fits = fit(&text, place);
        if !Class::of(text[place]).is_letter() {
            // The model has the tones of Vietnamese as marks of their own.
            let is_tone = language == "vi" && matches!(text[place], '\u{300}'..='\u{36F}');
            own += usize::from(is_tone || fits == Fit::AtHome);
            foreign += usize::from(!is_tone && fits == Fit::Odd);
            continue;
        }
        let Some(is_own) = is_letter_of(text[place], language) else { return false };
        if !is_own && Class::of(text[place]) == Class::Latin {
            if fits == Fit::Odd { &mut alone } else { &mut in_words }.push(text[place]);
        }
        match fits {
            Fit::AtHome => own += 1,
            _ if !is_own => foreign += 1,
            _ if Class::of(text[place]) != Class::Latin => own += 1,
            Fit::Odd => foreign += 1,
            Fit::Possible => own += usize::from(is_in_text_of(language, &text, place)),
            Fit::InWord => own += 1,
        }
    }
    let is_sign =
        |letter: &char| alone.iter().filter(|other| *other == letter).count() > 1 && !in_words.contains(letter);
    foreign >= own || alone.iter().any(is_sign)
}

/// Whether a letter is one of the language with this code. `None` if nothing is known about its letters.
fn is_letter_of(letter: char, language: &str) -> Option<bool> {
    let known = super::statistics::has_letter(language, letter)?;
    // The model has vowels and tones apart. English has borrowed "é" with many words.
    let is_other = match language {
        "vi" => matches!(letter, '\u{1EA0}'..='\u{1EF9}'),
        "en" => letter == 'é',
        _ => false,
    };
    Some(known || is_other)
}

/// Whether the letter at `place` has a letter beside it, or is a word of the language with this code before or after a
/// word of small letters.
fn is_in_text_of(language: &str, text: &[char], place: usize) -> bool {
    let words = match language {
        "da" | "nb" => "åÅ",
        "es" | "gl" | "pt" => "áàéóÁÀÉÓ",
        "fr" => "àÀ",
        "is" => "áíÁÍ",
        "it" => "èÈ",
        "sv" => "åöÅÖ",
        _ => "",
    };
    let at = |place: Option<usize>| place.and_then(|place| text.get(place)).copied().unwrap_or(' ');
    let is_word = |blank: Option<usize>, beyond: Option<usize>| at(blank) == ' ' && at(beyond).is_ascii_lowercase();
    let [before, after] = [place.checked_sub(1), Some(place + 1)];
    let has_word = is_word(before, place.checked_sub(2)) || is_word(after, Some(place + 2));
    [before, after].iter().any(|&beside| Class::of(at(beside)).is_letter()) || has_word && words.contains(text[place])
}

/// How the character at `place` fits there.
fn fit(text: &[char], place: usize) -> Fit {
    let at = |place: Option<usize>| place.and_then(|place| text.get(place)).copied().unwrap_or(' ');
    let (before, character, after) = (at(place.checked_sub(1)), text[place], at(Some(place + 1)));
    let is_letter = |character: char| Class::of(character).is_letter();
    let is_number = |character: char| character.is_ascii_digit();
    let is_blank = |character: char| character.is_whitespace() || matches!(character, '<' | '>');
    let is_free = |character: char| !is_letter(character) && !is_number(character);
    let is_followed = text[place + 1..].iter().take_while(|&&other| other != '\n').any(|other| !is_blank(*other));
    let fits = match character {
        '°' => {
            (is_number(before) || is_blank(before)) && (is_free(after) || matches!(after, 'C' | 'F' | 'С'))
                || matches!(before, 'n' | 'N') && !is_letter(after)
        }
        'µ' => !is_letter(before) && matches!(after, 'm' | 's' | 'l' | 'g' | 'F' | 'A' | 'V' | 'W' | 'H' | 'M'),
        'ª' | 'º' => is_number(before) && !is_letter(after),
        '¹' | '²' | '³' => (before.is_ascii_alphanumeric() || before == ')') && is_free(after),
        '±' | '×' | '÷' => [before, after].iter().all(|&other| is_number(other) || is_blank(other)),
        '½' | '¼' | '¾' => (is_number(before) || is_blank(before)) && is_free(after),
        '–' | '—' => is_blank(before) && is_blank(after) && is_followed || is_number(before) && is_number(after),
        '§' => is_free(before) && (is_blank(after) || is_number(after)),
        '©' => is_free(before) && (is_blank(after) || is_number(after)),
        '®' | '™' => is_letter(before) && is_free(after),
        '€' | '£' | '¥' => is_number(before) || is_number(after) || is_number(at(place.checked_sub(2))),
        '’' => is_letter(before) && is_letter(after),
        '“' | '„' | '‘' | '‚' | '«' if is_free(before) && (is_letter(after) || is_number(after) || after == '“') => {
            true
        }
        '»' if is_free(before) && (is_letter(after) || is_number(after)) => true,
        '“' | '”' | '‘' | '»' | '«' if !is_blank(before) && is_free(after) => {
            let is_opening = |other: &char| matches!(other, '“' | '”' | '„' | '‘' | '‚' | '«' | '»' | '"');
            if !text[place.saturating_sub(QUOTED)..place].iter().any(is_opening) {
                return Fit::Possible;
            }
            true
        }
        '“' | '”' | '‘' | '»' | '„' | '‚' | '«' => false,
        '…' => !is_letter(after),
        '¿' | '¡' => is_free(before) && is_letter(after),
        '·' if before == 'l' && after == 'l' => true,
        '‰' => is_number(before) || is_blank(before),
        '•' | '·' => is_blank(before) && is_blank(after) && is_followed,
        ' ' => is_letter(before) && is_letter(after),
        '\u{A0}' => {
            let is_sign = |other: char| matches!(other, ':' | ';' | '!' | '?' | '%' | '»' | '«' | '€');
            is_sign(before) || is_sign(after) || is_number(before)
        }
        '№' => !is_letter(before) && !is_letter(after),
        _ if is_letter(character) => return letter(text, place),
        _ => {
            let is_odd = is_letter(before) || is_letter(after) || is_number(before) || is_number(after);
            return if is_odd { Fit::Odd } else { Fit::Possible };
        }
    };
    match fits {
        true => Fit::AtHome,
        // A quotation mark can stand beside another sign.
        false if matches!(character, '“' | '„' | '‘' | '‚' | '«' | '”' | '»') && is_free(before) && is_free(after) => {
            Fit::Possible
        }
        false => Fit::Odd,
    }
}

/// How a letter fits: at least two letters and a vowel make a word, and few letters are words.
fn letter(text: &[char], place: usize) -> Fit {
    /// Letters beyond ASCII that are words of a language.
    const WORDS: &str = "àèéóåöáíýúАаВвИиКкОоСсУуЯяІіЄєЇїЈЗзηήοΗΟ";
    let is_letter = |character: &char| Class::of(*character).is_letter();
    let start = text[..place].iter().rposition(|other| !is_letter(other)).map_or(0, |before| before + 1);
    let end = text[place..].iter().position(|other| !is_letter(other)).map_or(text.len(), |length| place + length);
    let follows_number = start.checked_sub(1).is_some_and(|before| text[before].is_ascii_digit());
    let is_word = match text[start..end] {
        [only] => WORDS.contains(only) && !follows_number,
        [_, _] if follows_number => false,
        [one, other] => [one, other].iter().any(|letter| !letter.is_ascii() && *letter > 'ʼ' || is_vowel(*letter)),
        _ => return Fit::InWord,
    };
    if is_word { Fit::Possible } else { Fit::Odd }
}

/// Whether a Latin letter is a vowel.
fn is_vowel(letter: char) -> bool {
    matches!(letter.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u' | 'y')
        || matches!(
            letter,
            'À'..='Æ' | 'È'..='Ï' | 'Ò'..='Ö' | 'Ø'..='Ý' | 'à'..='æ' | 'è'..='ï' | 'ò'..='ö' | 'ø'..='ý' | 'ÿ'
                | 'Ā'..='ą' | 'Ē'..='ě' | 'Ĩ'..='ı' | 'Ō'..='œ' | 'Ũ'..='ų' | 'Ÿ'
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[test]
    fn a_sign_at_its_place_is_better_than_a_letter_that_is_no_word() {
        for (right, wrong) in [
            ("eine Dicke von 5 µm", "eine Dicke von 5 ľm"),
            ("Сегодня 20°C и солнечно", "Сегодня 20ЇC и солнечно"),
            ("warm – and dry", "warm û and dry"),
            ("at 20 °C", "at 20 ░C"),
            ("a field of 3 m²", "a field of 3 m▓"),
            ("nach Šiauliai gefahren", "nach ¦iauliai gefahren"),
            ("silt „“, oodati silti „“ või", "silt Ĩ´, oodati silti Ĩ´ või"),
            ("between 1–2 of ±4", "between 1û2 of ▒4"),
            ("ما إذا كنت", "ما\u{A0}إذا\u{A0}كنت"),
        ] {
            assert_eq!(better(right, wrong), Some(Better::First), "{right}");
            assert_eq!(better(wrong, right), Some(Better::Second), "{right}");
        }
    }

    #[cfg(feature = "guess")]
    #[test]
    fn few_characters_that_are_not_those_of_the_language_are_foreign() {
        for (language, text) in [
            ("en", "// uèinjene u dokumentu u"),
            ("en", "// kanaž"),
            ("en", "// resm” olmayan"),
            ("en", "// ·\npublic class A"),
            ("de", "das Dateisystem Żauftauen®"),
            ("fr", "erreurÿ: expression de droite videÿ:"),
            ("fr", "// trß phô quan"),
            ("fr", "#  à PrinterOption"),
            ("ca", "// vêò tinh Phobos"),
            ("ca", "{ é necessario }"),
            ("sv", "-- ngän nói Olympus"),
            ("ru", "ключ Ĺ Ä Ĥ à"),
            ("et", "võtit Ĩ´ grupis Ĩ´ faili õiguste muutmine õigusteks ei õnnestu"),
        ] {
            assert!(are_foreign(text, language), "{language}: {text}");
        }
        for (language, text) in [
            ("en", "“Nobody came – it’s late,” she said in the café."),
            ("de", "»auftauen« für © 2004"),
            ("it", "{ è necessario }"),
            ("fr", "martienne remonte à"),
            ("fr", "erreur\u{A0}: droite"),
            ("nb", "Klarte ikke å koble til …"),
            ("ro", "# Intrai în"),
            ("es", "1ª copia, 5 € más"),
            ("vi", "// sự tồn tại"),
            ("vi", "Vie\u{323}t"),
            ("ru", "в доме"),
            ("et", "võtit Ĩ ja Ĩmar faili õiguste muutmine õigusteks ei õnnestu"),
            ("ja", "Ĩ"),
        ] {
            assert!(!are_foreign(text, language), "{language}: {text}");
        }
    }

    #[cfg(feature = "guess")]
    #[test]
    fn words_of_one_letter_beyond_ascii_are_those_of_a_language() {
        for (languages, words) in [
            (&["da", "nb"][..], "åÅ"),
            (&["es", "gl", "pt"], "áàéóÁÀÉÓ"),
            (&["fr"], "àÀ"),
            (&["is"], "áíÁÍ"),
            (&["it"], "èÈ"),
            (&["sv"], "åöÅÖ"),
            (&["de", "en", "fi", "hu", "pl", "tr"], ""),
        ] {
            for language in languages {
                for letter in "åÅáàéóÁÀÉÓíÍèÈöÖ".chars() {
                    for (text, is_in_text) in [
                        (format!("to {letter} "), words.contains(letter)),
                        (format!(" {letter} to"), words.contains(letter)),
                        (format!("TO {letter} TO"), false),
                        (format!("1 {letter} 2"), false),
                        (format!("t{letter}"), true),
                    ] {
                        let text: Vec<_> = text.chars().collect();
                        let place = text.iter().position(|&other| other == letter).unwrap();
                        assert_eq!(is_in_text_of(language, &text, place), is_in_text, "{language}: {text:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn letters_and_signs_that_are_possible_in_both_texts_decide_nothing() {
        for (first, second) in [
            ("Dvořák", "Dvoøák"),
            ("Muñoz", "Muńoz"),
            ("Š. Novák", "¦. Novák"),
            ("¿Qué?", "żQué?"),
            ("equal", "equal"),
            ("longer", "long"),
            ("20 °C and Kľúč", "20 źC and Kµúč"),
        ] {
            assert_eq!(better(first, second), None, "{first}");
        }
    }

    #[test]
    fn each_sign_fits_beside_its_neighbours() {
        // The signs of a row fit beside the same characters: after the first and before the second of each pair. "_" is
        // a space.
        let neighbours = |sign: char| {
            let mut fits = Vec::new();
            for before in "an5)_".chars() {
                for after in "mC5._“".chars() {
                    let text: Vec<char> = format!("{before}{sign}{after} x").replace('_', " ").chars().collect();
                    if fit(&text, 1) == Fit::AtHome {
                        fits.push(format!("{before}{after}"));
                    }
                }
            }
            fits.join(" ")
        };
        let mut rows: Vec<(String, String)> = Vec::new();
        for sign in "°µªº¹²³±×÷½¼¾–—§©®™€£¥’“„‘‚«»”…¿¡·‰•\u{A0}№é¶".chars()
        {
            let found = neighbours(sign);
            match rows.iter_mut().find(|(_, other)| *other == found) {
                Some((signs, _)) => signs.push(sign),
                None => rows.push((sign.to_string(), found)),
            }
        }
        let expected = [
            ("°", "n5 n. n_ n“ 5C 5. 5_ 5“ _C _. __ _“"),
            ("µ", "5m )m _m"),
            ("ªº", "55 5. 5_ 5“"),
            ("¹²³", "a. a_ a“ n. n_ n“ 5. 5_ 5“ ). )_ )“"),
            ("±×÷", "55 5_ _5 __"),
            ("½¼¾", "5. 5_ 5“ _. __ _“"),
            ("–—", "55 __"),
            ("§©", ")5 )_ _5 __"),
            ("®™", "a. a_ a“ n. n_ n“"),
            ("€£¥", "a5 n5 5m 5C 55 5. 5_ 5“ )5 _5"),
            ("’", "am aC nm nC"),
            ("“„‘‚«", ")m )C )5 )“ _m _C _5 _“"),
            ("»", ")m )C )5 _m _C _5"),
            ("”é¶", ""),
            ("…", "a5 a. a_ a“ n5 n. n_ n“ 55 5. 5_ 5“ )5 ). )_ )“ _5 _. __ _“"),
            ("¿¡", ")m )C _m _C"),
            ("·•", "__"),
            ("‰", "5m 5C 55 5. 5_ 5“ _m _C _5 _. __ _“"),
            ("\u{A0}", "5m 5C 55 5. 5_ 5“"),
            ("№", "55 5. 5_ 5“ )5 ). )_ )“ _5 _. __ _“"),
        ];
        assert_eq!(rows, expected.map(|(signs, found)| (signs.to_owned(), found.to_owned())));
        let fit = |text: &str, place: usize| fit(&text.chars().collect::<Vec<_>>(), place);
        assert_eq!((fit("a – \n b", 2), fit("a – b", 2)), (Fit::Odd, Fit::AtHome));
        assert_eq!((fit("l·l", 1), fit("l·a", 1)), (Fit::AtHome, Fit::Odd));
        assert_eq!((fit("zu“ ", 2), fit("„zu“ ", 3)), (Fit::Possible, Fit::AtHome));
        assert_eq!((fit("5 m€", 3), fit("5 €", 2)), (Fit::Odd, Fit::AtHome));
    }

    #[test]
    fn four_signs_at_their_places_outweigh_one_other_difference() {
        for (signs, others, expected) in [
            (1, 0, Some(Better::First)),
            (3, 1, None),
            (4, 1, Some(Better::First)),
            (7, 2, None),
            (8, 2, Some(Better::First)),
            (0, 1, None),
        ] {
            let text = |sign: &str, word: &str| [sign.repeat(signs), word.repeat(others)].concat();
            let (right, wrong) = (text("5 µm. ", "café. "), text("5 ľm. ", "cafè. "));
            assert_eq!(better(&right, &wrong), expected, "{signs} {others}");
            let other = expected.map(|_| Better::Second);
            assert_eq!(better(&wrong, &right), other, "{signs} {others}");
        }
    }

    /// How each sign, and letters, fit between neighbours: O odd, P possible, W in a word, H at home.
    /// `TEXTCODEC_PINNED=write cargo test -p textcodec-convert pinned` writes the file after an intended change.
    #[test]
    fn the_places_of_characters_are_the_pinned_ones() {
        let befores = ["a", "l", "N", "n", "5", "5 ", "a ", ")", "<", "“", "“a ", "%", "é", "", "5a", "»", "y"];
        let afters = "a|m|C|F|С|s|l|H|g|A|V|W|M|5|.| | x|<|>|“|:|é|y|y |;|!|?|%|»|«|€".split('|');
        let afters: Vec<&str> = afters.collect();
        let mut rows: Vec<(String, String)> = Vec::new();
        let signs = "°µªº¹²³±×÷½¼¾–—§©®™€£¥’“„‘‚«»”…¿¡·‰• \u{A0}№¶─";
        let letters = "àèéóåöáíýúАаВвИиКкОоСсУуЯяІіЄєЇїЈЗзηήοΗΟ".chars().chain('À'..='ȕ').chain("ʼʽжбאあ".chars());
        for character in signs.chars().chain(letters) {
            let row = befores.map(|before| {
                let place = before.chars().count();
                let fits = afters.iter().map(|after| {
                    let text: Vec<char> = format!("{before}{character}{after}").chars().collect();
                    match fit(&text, place) {
                        Fit::Odd => 'O',
                        Fit::Possible => 'P',
                        Fit::InWord => 'W',
                        Fit::AtHome => 'H',
                    }
                });
                fits.collect::<String>()
            });
            let row = row.join(" ");
            // Letters have few different rows.
            match rows.iter_mut().find(|(_, other)| *other == row) {
                Some((characters, _)) => characters.push(character),
                None => rows.push((character.into(), row)),
            }
        }
        let mut table = format!("characters\tafter each of {befores:?}, before each of {afters:?}\n");
        table.extend(rows.iter().map(|(characters, row)| format!("{}\t{row}\n", characters.escape_debug())));
        crate::pinned::compare("signs.tsv", &table);
    }

    #[test]
    fn a_quotation_mark_closes_at_most_300_characters_after_one_opens() {
        for opening in "“”„‘‚«»\"".chars() {
            for (between, expected) in [(298, Fit::AtHome), (299, Fit::AtHome), (300, Fit::Possible)] {
                let text: Vec<char> = format!("{opening}{}“ x", "a".repeat(between)).chars().collect();
                assert_eq!(fit(&text, between + 1), expected, "{opening} {between}");
            }
        }
    }

    #[test]
    fn a_letter_that_is_no_word_says_nothing_against_a_word() {
        for (first, second, expected) in [
            // A letter in a word is better than a sign in one.
            ("Dvořák", "Dvo¤ák", Some(Better::First)),
            ("Dvo¤ák", "Dvořák", Some(Better::Second)),
            // The neighbours of the letter differ, too: it is in a word in one text and alone in the other.
            ("aéb", "¤x¤", None),
            ("¤x¤", "aéb", None),
            ("aéb", "·x·", None),
        ] {
            assert_eq!(better(first, second), expected, "{first} {second}");
        }
    }

    #[cfg(feature = "guess")]
    #[test]
    fn as_many_foreign_characters_as_own_ones_are_foreign() {
        for (language, text, expected) in [
            // "ü" is a letter of German, and "ñ" is not.
            ("de", "für", false),
            ("de", "für año", true),
            ("de", "für für año", false),
            ("de", "año", true),
            // A letter that stands alone each time, twice at least.
            ("de", "für für für für Ĩ. x", false),
            ("de", "für für für für Ĩ. x Ĩ. x", true),
            ("de", "für für für für für für Ĩ. x ĨĨĨ Ĩ. x", false),
            ("de", "für für für für Ĩ. x Į. x", false),
            // Marks are tones of Vietnamese only.
            ("vi", "a\u{300} a\u{300}", false),
            ("vi", "ỹ Ạn ỹn", false),
            ("fr", "a\u{300} a\u{300}", true),
            // Letters of other scripts count as words.
            ("ru", "в доме", false),
            ("ru", "доме ñ", false),
            ("en", "café", false),
            ("en", "CAFÉ", true),
            // A word of one letter beside a word of small letters, before or after it.
            ("fr", "à la", false),
            ("fr", "va à", false),
            ("fr", "À LA", true),
        ] {
            assert_eq!(are_foreign(text, language), expected, "{language}: {text}");
        }
    }
}
