//! Whether a text is one: bytes that are no text have characters that texts do not have.

/// The offset of a character in `text` that shows that the file is binary: U+0000; or at the start of a file another
/// control character, if more than one byte in 32 is one.
///
/// The control characters are the [binary data bytes](https://mimesniff.spec.whatwg.org/#binary-data-byte) without two
/// that old texts have: backspace, which prints one character over another, and U+001A, the end of a file in DOS.
#[must_use]
pub fn binary_data(text: &str, is_start: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    // For bytes, `contains` is much faster than `position`.
    if bytes.contains(&0) {
        return bytes.iter().position(|&byte| byte == 0);
    }
    let controls = if is_start { number_of_controls(bytes) } else { 0 };
    if controls * 32 > bytes.len() { bytes.iter().position(|&byte| is_control(byte)) } else { None }
}

/// Whether `text`, the start of a file, has so many of these control characters that the file is no text: more than
/// four, and more than one in 32 bytes. [`binary_data`] asks whether a file can be converted without a loss; one U+0000
/// is enough for a no.
#[must_use]
pub fn looks_binary(text: &str) -> bool {
    let controls = number_of_controls(text.as_bytes());
    controls > 4 && controls * 32 > text.len()
}

fn number_of_controls(bytes: &[u8]) -> usize {
    // A sum of 255 bytes fits into a byte.
    let number = |part: &[u8]| usize::from(part.iter().map(|&byte| u8::from(is_control(byte))).sum::<u8>());
    bytes.chunks(255).map(number).sum()
}

/// Whether text has this character only by mistake. Backspace, tab, the ends of lines and pages, end of file, and
/// escape are in texts.
fn is_control(byte: u8) -> bool {
    // Without branches, the compiler makes vector code.
    let is_allowed = (0x08..=0x0D).contains(&byte) & (byte != 0x0B) | (byte == 0x1A) | (byte == 0x1B);
    (byte < 0x20) & !is_allowed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_one_control_character_in_32_bytes_is_binary_at_the_start_of_a_file() {
        let text = |controls: usize, length: usize| "\u{1}".repeat(controls) + &"a".repeat(length - controls);
        assert_eq!([31, 32].map(|length| binary_data(&text(1, length), true)), [Some(0), None]);
        assert_eq!(binary_data(&text(1, 2), false), None);
        assert_eq!(binary_data("ab\0", false), Some(2));
        assert_eq!([159, 160].map(|length| looks_binary(&text(5, length))), [true, false]);
        assert!(!looks_binary(&text(4, 4)));
        let is_control: Vec<u8> = (0..=0x7F).filter(|&byte| is_control(byte)).collect();
        let expected = (0..0x20).filter(|byte| ![0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x1A, 0x1B].contains(byte));
        assert_eq!(is_control, expected.collect::<Vec<u8>>());
    }
}
