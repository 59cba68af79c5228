//! The value types in a data format.

use serde::{Deserialize, de::value::MapDeserializer};
use serde_json::{from_reader, from_str, from_value, to_string};
use textcodec::{
    Bom, DecodeErrorMode, EncodeErrorMode, Encoding, LineColumn, Malformed, Name, SHIFT_JIS, Unmappable, WINDOWS_1252,
    sniff::{self, Confidence, Context, Hints, Rung},
};

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

#[test]
fn names_and_words_are_strings() {
    for name in Name::ALL {
        assert_eq!(to_string(&name).unwrap(), format!("\"{name}\""));
        assert_eq!(from_str::<Name>(&format!("\"{name}\"")).unwrap(), name);
    }
    assert_eq!(from_str::<Name>(r#""sjis""#).unwrap(), Name::ShiftJis);
    assert!(from_str::<Name>(r#""latin-1""#).unwrap_err().to_string().starts_with("unknown encoding label"));
    for bom in Bom::ALL {
        assert_eq!(to_string(&bom).unwrap(), format!("\"{bom}\""));
        assert_eq!(from_str::<Bom>(&format!("\"{bom}\"")).unwrap(), bom);
    }
    for (mode, json) in [(DecodeErrorMode::Replacement, r#""replacement""#), (DecodeErrorMode::Fatal, r#""fatal""#)] {
        assert_eq!(to_string(&mode).unwrap(), json);
        assert_eq!(from_str::<DecodeErrorMode>(json).unwrap(), mode);
    }
    for (mode, json) in [(EncodeErrorMode::Html, r#""html""#), (EncodeErrorMode::Fatal, r#""fatal""#)] {
        assert_eq!(to_string(&mode).unwrap(), json);
        assert_eq!(from_str::<EncodeErrorMode>(json).unwrap(), mode);
    }
    let message = from_str::<EncodeErrorMode>(r#""replacement""#).unwrap_err().to_string();
    assert!(
        message.starts_with("invalid value: string \"replacement\", expected one of the words `html`, `fatal`"),
        "{message}"
    );
}

#[test]
fn errors_and_places_are_maps() {
    let malformed = SHIFT_JIS.decode_or_fail(b"abc\x82\xFFdef").unwrap_err();
    let json = r#"{"offset":3,"bytes":[130,255]}"#;
    assert_eq!(to_string(&malformed).unwrap(), json);
    assert_eq!(from_str::<Malformed>(json).unwrap(), malformed);

    let unmappable = SHIFT_JIS.encode_or_fail("テ☃").unwrap_err();
    let json = r#"{"offset":3,"code_point":"☃"}"#;
    assert_eq!(to_string(&unmappable).unwrap(), json);
    assert_eq!(from_str::<Unmappable>(json).unwrap(), unmappable);

    let place = LineColumn { line: 2, column: 7 };
    assert_eq!(to_string(&place).unwrap(), r#"{"line":2,"column":7}"#);
    // Any order, unknown keys, and lists.
    assert_eq!(from_str::<LineColumn>(r#"{"column":7,"file":["a"],"line":2}"#).unwrap(), place);
    assert_eq!(from_str::<LineColumn>("[2,7]").unwrap(), place);
}

/// Formats can write the number of a field for its name, or the name as bytes.
#[test]
fn fields_are_found_by_name_by_bytes_and_by_number() {
    type Map<I> = MapDeserializer<'static, I, serde::de::value::Error>;
    let place = LineColumn { line: 2, column: 7 };
    let entries = [(1_u64, 7_u64), (2, 9), (3, 9), (u64::MAX, 9), (0, 2)];
    assert_eq!(LineColumn::deserialize(Map::new(entries.into_iter())).unwrap(), place);
    let entries = [(&b"column"[..], 7_u64), (b"columns", 9), (b"", 9), (b"line", 2)];
    assert_eq!(LineColumn::deserialize(Map::new(entries.into_iter())).unwrap(), place);
    for (entries, error) in [
        ([(0_u64, 2_u64), (0, 2)], "duplicate field `line`"),
        ([(0, 2), (2, 2)], "missing field `column`"),
        ([(1, 2), (1, 2)], "duplicate field `column`"),
        ([(1, 2), (2, 2)], "missing field `line`"),
    ] {
        let found = LineColumn::deserialize(Map::new(entries.into_iter())).unwrap_err();
        assert_eq!(found.to_string(), error);
    }
}

#[test]
fn a_map_with_a_missing_a_repeated_or_an_impossible_field_is_refused() {
    let message = |json| from_str::<Malformed>(json).unwrap_err().to_string();
    for (json, expected) in [
        (r#"{"offset":3}"#, "missing field `bytes`"),
        (r#"{"bytes":[1]}"#, "missing field `offset`"),
        (r#"{"offset":3,"offset":4,"bytes":[1]}"#, "duplicate field `offset`"),
        (r#"{"offset":3,"bytes":[]}"#, "invalid length 0, expected one to 7 bytes"),
        (r#"{"offset":3,"bytes":[1,2,3,4,5,6,7,8]}"#, "invalid length 8, expected one to 7 bytes"),
        (r#"{"offset":-1,"bytes":[1]}"#, "invalid value: integer `-1`"),
        ("7", "invalid type: integer `7`, expected a Malformed with the fields `offset` and `bytes`"),
    ] {
        assert!(message(json).starts_with(expected), "{json}: {}", message(json));
    }
}

#[test]
fn the_results_of_sniffing_are_words_and_maps() {
    for &rung in Rung::ALL {
        let json = format!("\"{}\"", rung.as_str());
        assert_eq!(to_string(&rung).unwrap(), json);
        assert_eq!(from_str::<Rung>(&json).unwrap(), rung);
    }
    for confidence in [Confidence::Certain, Confidence::Tentative, Confidence::Irrelevant] {
        let json = format!("\"{confidence}\"");
        assert_eq!(to_string(&confidence).unwrap(), json);
        assert_eq!(from_str::<Confidence>(&json).unwrap(), confidence);
    }
    for &context in Context::ALL {
        let json = to_string(context.name()).unwrap();
        assert_eq!(to_string(&context).unwrap(), json);
        assert_eq!(from_str::<Context>(&json).unwrap(), context);
    }
    let sniffed = sniff::html(b"<meta charset=sjis>", Hints::default());
    let json = r#"{"encoding":"Shift_JIS","confidence":"tentative","rung":"meta"}"#;
    assert_eq!(to_string(&sniffed).unwrap(), json);
}
