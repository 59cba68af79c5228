//! Control characters that stand for characters of windows-1252.

use alloc::string::String;

use textcodec::WINDOWS_1252;

use crate::mixed;

/// The line with the characters of windows-1252 for the control characters U+0080 to U+009F, and whether this is
/// certain. `None` if it has none of these that stand for a character.
pub(super) fn controls(line: &str) -> Option<(String, bool)> {
    let is_control = |character: &char| matches!(character, '\u{80}'..='\u{9F}');
    let mut is_certain = false;
    let mut is_changed = false;
    let mut text = String::with_capacity(line.len());
    for character in line.chars() {
        if !is_control(&character) {
            text.push(character);
            continue;
        }
        // The cast loses nothing: the code point is below U+00A0.
        let meant = mixed::decode(&[character as u8], WINDOWS_1252.into());
        let meant = meant.and_then(|meant| meant.chars().next()).filter(|meant| !is_control(meant));
        is_changed |= meant.is_some();
        // U+0085 ends a line in text from EBCDIC.
        is_certain |= meant.is_some() && character != '\u{85}';
        text.push(meant.unwrap_or(character));
    }
    // A control character that windows-1252 does not explain comes from another charset.
    let is_certain = is_certain && !text.contains(|character| is_control(&character));
    is_changed.then_some((text, is_certain))
}
