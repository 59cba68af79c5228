//! Vietnamese as windows-1258 has it: with tones as combining marks.

/// The vowels with each of the five tones, in the order of [`TONES`].
const VOWELS: [(char, &str); 12] = [
    ('a', "àảãáạ"),
    ('ă', "ằẳẵắặ"),
    ('â', "ầẩẫấậ"),
    ('e', "èẻẽéẹ"),
    ('ê', "ềểễếệ"),
    ('i', "ìỉĩíị"),
    ('o', "òỏõóọ"),
    ('ô', "ồổỗốộ"),
    ('ơ', "ờởỡớợ"),
    ('u', "ùủũúụ"),
    ('ư', "ừửữứự"),
    ('y', "ỳỷỹýỵ"),
];

/// Grave accent, hook above, tilde, acute accent, dot below.
const TONES: [char; 5] = ['\u{300}', '\u{309}', '\u{303}', '\u{301}', '\u{323}'];

/// The vowels with tones that windows-1258 has as one byte.
const WHOLE: &str = "àáèéíóùú";

/// `text` with the marks of windows-1258. If `all` is true, also the vowels that have a byte with their tone are
/// written as a vowel and a mark: this is how the keyboard of Windows does it.
pub(super) fn as_typed(text: &str, all: bool) -> String {
    let mut typed = String::new();
    for character in text.chars() {
        let small = character.to_lowercase().next().unwrap_or(character);
        let found = VOWELS.iter().find_map(|&(vowel, toned)| Some((vowel, toned.chars().position(|c| c == small)?)));
        match found {
            Some((vowel, tone)) if all || !WHOLE.contains(small) => {
                typed.extend(if small == character {
                    vowel.to_lowercase().next()
                } else {
                    vowel.to_uppercase().next()
                });
                typed.push(TONES[tone]);
            }
            _ => typed.push(character),
        }
    }
    typed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tones_without_a_byte_of_their_own_become_marks() {
        assert_eq!(as_typed("Việt ỐC à", false), "Viê\u{323}t Ô\u{301}C à");
        assert_eq!(as_typed("à Á", true), "a\u{300} A\u{301}");
    }
}
