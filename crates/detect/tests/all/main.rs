//! What the detector promises: the same answer for every way to cut a text, pinned answers for sentences in all
//! languages, and answers to traps.

mod options;
mod outcomes;
mod pieces;
mod pinned;
mod sentences;
mod tiers;
mod traps;

use std::{env, fs};

use textcodec::Encoding;

/// Compares `table` with a file, row by row. With `TEXTCODEC_PINNED=write`, `table` becomes the file, after an intended
/// change.
fn compare_pinned(path: &str, table: &str) {
    if env::var("TEXTCODEC_PINNED").is_ok_and(|value| value == "write") {
        fs::write(path, table).unwrap();
    }
    let pinned = fs::read_to_string(path).unwrap();
    for (row, pinned) in table.lines().zip(pinned.lines()) {
        assert_eq!(row, pinned);
    }
    assert_eq!(table.lines().count(), pinned.lines().count());
}

/// `text` in an encoding. Vietnamese vowels with tones are written as windows-1258 has them.
fn encode(text: &str, label: &str) -> Vec<u8> {
    let encoding = Encoding::for_label(label).unwrap();
    let text = if label == "windows-1258" { decomposed(text) } else { text.to_owned() };
    encoding.encode_or_fail(&text).unwrap_or_else(|error| panic!("{label}: {error}")).into_owned()
}

/// `bytes` as text.
fn decode(bytes: &[u8], label: &str) -> String {
    Encoding::for_label(label).unwrap().decode_with_bom_removal(bytes).0.into_owned()
}

/// Vietnamese with the marks that windows-1258 needs.
fn decomposed(text: &str) -> String {
    let pairs = [
        ('ả', "a\u{309}"),
        ('ã', "a\u{303}"),
        ('ạ', "a\u{323}"),
        ('ấ', "â\u{301}"),
        ('ầ', "â\u{300}"),
        ('ờ', "ơ\u{300}"),
        ('ở', "ơ\u{309}"),
    ];
    text.chars()
        .map(|character| match pairs.iter().find(|(whole, _)| *whole == character) {
            Some((_, parts)) => (*parts).to_owned(),
            None => character.to_string(),
        })
        .collect()
}
