//! `Encoding` as a string of a data format.

use serde_json::{from_reader, from_str, from_value, to_string};
use textcodec::{Encoding, SHIFT_JIS, WINDOWS_1252};

#[test]
fn every_name_is_written_and_read_back() {
    for encoding in Encoding::all() {
        let json = to_string(&encoding).unwrap();
        assert_eq!(json, format!("\"{}\"", encoding.name()));
        assert_eq!(from_str::<Encoding>(&json).unwrap(), encoding);
    }
}

#[test]
fn every_label_is_read() {
    for encoding in Encoding::all() {
        for label in encoding.labels() {
            assert_eq!(from_str::<Encoding>(&format!("\"{label}\"")).unwrap(), encoding);
        }
    }
    assert_eq!(from_str::<Encoding>(r#"" Latin1\n""#).unwrap(), WINDOWS_1252);
}

#[test]
fn borrowed_and_owned_strings_are_read() {
    assert_eq!(from_str::<Encoding>(r#""sjis""#).unwrap(), SHIFT_JIS);
    assert_eq!(from_reader::<_, Encoding>(&br#""s\u006ais""#[..]).unwrap(), SHIFT_JIS);
    assert_eq!(from_value::<Encoding>("sjis".into()).unwrap(), SHIFT_JIS);
}

#[test]
fn the_error_names_the_label() {
    let message = |json| from_str::<Encoding>(json).unwrap_err().to_string();
    assert_eq!(message(r#""latin-1""#), r#"unknown encoding label: "latin-1" at line 1 column 9"#);
    assert!(message("1").starts_with("invalid type: integer `1`, expected a label of an encoding"));
}
