//! Which of two texts of the same bytes has its signs at the right places. Two encodings of a language often differ in
//! a sign that is a letter in the other one: "5 µm" is "5 ľm" in ISO-8859-2. Statistics of languages hardly know signs.

use alloc::vec::Vec;

use crate::oddness::Class;

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

/// How the character at `place` fits there.
fn fit(text: &[char], place: usize) -> Fit {
    let at = |place: Option<usize>| place.and_then(|place| text.get(place)).copied().unwrap_or(' ');
    let (before, character, after) = (at(place.checked_sub(1)), text[place], at(Some(place + 1)));
    let is_letter = |character: char| Class::of(character).is_letter();
    let is_number = |character: char| character.is_ascii_digit();
    let is_blank = |character: char| character.is_whitespace() || matches!(character, '<' | '>');
    let is_free = |character: char| !is_letter(character) && !is_number(character);
    let fits = match character {
        '°' => {
            (is_number(before) || is_blank(before)) && (is_free(after) || matches!(after, 'C' | 'F' | 'С'))
                || matches!(before, 'n' | 'N') && !is_letter(after)
        }
        'µ' => !is_letter(before) && matches!(after, 'm' | 's' | 'l' | 'g' | 'F' | 'A' | 'V' | 'W' | 'H' | 'M'),
        '¹' | '²' | '³' => (before.is_ascii_alphanumeric() || before == ')') && is_free(after),
        '±' | '×' | '÷' => [before, after].iter().all(|&other| is_number(other) || is_blank(other)),
        '½' | '¼' | '¾' => (is_number(before) || is_blank(before)) && is_free(after),
        '–' | '—' => is_blank(before) && is_blank(after) || is_number(before) && is_number(after),
        '§' => is_free(before) && (is_blank(after) || is_number(after)),
        '©' => is_free(before) && (is_blank(after) || is_number(after)),
        '®' | '™' => is_letter(before) && is_free(after),
        '€' | '£' | '¥' => is_number(before) || is_number(after) || is_number(at(place.checked_sub(2))),
        '’' => is_letter(before) && is_letter(after),
        '“' | '„' | '‘' | '‚' | '«' if is_free(before) && (is_letter(after) || is_number(after) || after == '“') => {
            true
        }
        '“' | '”' | '‘' | '»' => !is_blank(before) && is_free(after),
        '„' | '‚' | '«' => false,
        '…' => !is_blank(before) && !is_letter(after),
        '¿' | '¡' => is_free(before) && is_letter(after),
        '·' if before == 'l' && after == 'l' => true,
        '‰' => is_number(before) || is_blank(before),
        '•' | '·' => is_blank(before) && is_blank(after),
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
        ] {
            assert_eq!(better(right, wrong), Some(Better::First), "{right}");
            assert_eq!(better(wrong, right), Some(Better::Second), "{right}");
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
}
