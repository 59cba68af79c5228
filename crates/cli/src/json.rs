//! JSON that the program prints.

use std::path::Path;

use crate::message::is_visible;

/// The members that name a file: "file", and for a name that is not UTF-8 also "file_bytes". `None` is standard input.
pub(crate) fn file(path: Option<&Path>) -> String {
    let bytes = path.filter(|path| path.to_str().is_none()).map(|path| path.as_os_str().as_encoded_bytes());
    let bytes = bytes.map(|bytes| format!(r#","file_bytes":{bytes:?}"#).replace(' ', "")).unwrap_or_default();
    format!(r#""file":{}{bytes}"#, string(&path.map_or("standard input".into(), Path::to_string_lossy)))
}

/// A [JSON string](https://www.rfc-editor.org/rfc/rfc8259#section-7), with escapes for all characters that are not
/// [visible](is_visible).
pub(crate) fn string(text: &str) -> String {
    let mut json = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            _ if is_visible(character) => json.push(character),
            _ => character.encode_utf16(&mut [0; 2]).iter().for_each(|unit| json += &format!("\\u{unit:04x}")),
        }
    }
    json + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_escape_what_they_must() {
        assert_eq!(string("a\"b\\c\n\u{1F}\u{9B}é☃𝄞"), "\"a\\\"b\\\\c\\u000a\\u001f\\u009bé☃𝄞\"");
    }
}
