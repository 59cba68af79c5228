//! The functions in SQL of DataFusion.

use std::sync::Arc;

use datafusion::{
    arrow::{
        array::{
            ArrayRef, BinaryViewArray, DictionaryArray, LargeBinaryArray, RecordBatch, StringArray, types::Int8Type,
        },
        util::pretty::pretty_format_batches,
    },
    error::Result,
    prelude::SessionContext,
};

/// The result of a query as a table, with a table `pages` of raw bytes to ask.
fn sql(query: &str) -> Result<Vec<String>> {
    let columns: [(&str, ArrayRef); 4] = [
        ("body", Arc::new(LargeBinaryArray::from(vec![Some(&b"\x83\x65"[..]), Some(b"caf\xE9"), None]))),
        ("view", Arc::new(BinaryViewArray::from(vec![Some(&b"<meta charset=koi8-r>\xC4"[..]), Some(b"\xE4"), None]))),
        ("label", Arc::new(StringArray::from(vec![Some("sjis"), Some("latin1"), Some("utf-8")]))),
        ("kind", Arc::new([Some("windows-1251"), None, None].into_iter().collect::<DictionaryArray<Int8Type>>())),
    ];
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(async {
        let mut context = SessionContext::new();
        textcodec_arrow::datafusion::register(&mut context)?;
        context.register_batch("pages", RecordBatch::try_from_iter(columns)?)?;
        let batches = context.sql(query).await?.collect().await?;
        let table = pretty_format_batches(&batches)?.to_string();
        let lines = table.lines().skip(3).filter(|line| line.starts_with('|'));
        Ok(lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>().join("|")).collect())
    })
}

#[test]
fn decode_text_takes_a_label_or_a_column_of_labels() {
    assert_eq!(sql("SELECT decode_text(body, label) FROM pages").unwrap(), ["テ", "café", ""]);
    assert_eq!(sql("SELECT decode_text(body, 'latin1') FROM pages").unwrap(), ["\u{192}e", "café", ""]);
    assert_eq!(sql("SELECT decode_text(body, kind) FROM pages").unwrap(), ["ѓe", "", ""]);
    assert_eq!(sql("SELECT decode_text(X'8365', 'sjis'), decode_text(X'61', NULL)").unwrap(), ["テ|"]);
    assert_eq!(sql("SELECT arrow_typeof(decode_text(body, 'sjis')) FROM pages LIMIT 1").unwrap(), ["LargeUtf8"]);
}

#[test]
fn decode_html_is_a_struct() {
    let query = |call: &str| {
        format!(
            "SELECT get_field(page, 'text'), get_field(page, 'encoding'), get_field(page, 'reason') FROM (SELECT {call} AS page FROM pages)"
        )
    };
    let expected = ["<meta charset=koi8-r>д|KOI8-R|meta", "ä|windows-1252|default", "||"];
    assert_eq!(sql(&query("decode_html(view)")).unwrap(), expected);
    assert_eq!(sql(&query("decode_html(view, NULL)")).unwrap(), expected);
    let expected = ["<meta charset=koi8-r>Д|windows-1251|transport", expected[1], expected[2]];
    assert_eq!(sql(&query("decode_html(view, kind)")).unwrap(), expected);
}

#[test]
fn decode_charset_takes_names_that_are_no_labels() {
    let text =
        "SELECT decode_charset(X'C88593', 'cp037'), decode_charset(X'82', 'IBM437'), decode_charset(X'61', NULL)";
    assert_eq!(sql(text).unwrap(), ["Hel|é|"]);
    assert_eq!(sql("SELECT decode_charset(body, label) FROM pages").unwrap(), ["テ", "café", ""]);
}

#[test]
fn detect_encoding_is_a_struct_and_a_guess_of_decode_html() {
    // "Привет, как дела?" in KOI8-R.
    let russian = "X'F0D2C9D7C5D42C20CBC1CB20C4C5CCC13F'";
    let query = |call: &str, fields: [&str; 2]| {
        let [first, second] = fields.map(|field| format!("get_field(found, '{field}')"));
        sql(&format!("SELECT {first}, {second} FROM (SELECT {call} AS found)"))
    };
    assert_eq!(query(&format!("detect_encoding({russian})"), ["encoding", "language"]).unwrap(), ["KOI8-R|ru"]);
    assert_eq!(sql("SELECT get_field(detect_encoding(body), 'encoding') FROM pages").unwrap().len(), 3);
    let html = |arguments: &str| query(&format!("decode_html({russian}{arguments})"), ["text", "reason"]).unwrap();
    assert_eq!(html(", NULL, 'detect'"), ["Привет, как дела?|heuristic"]);
    assert_eq!(html(", 'windows-1251', 'detect'"), ["рТЙЧЕФ, ЛБЛ ДЕМБ?|transport"]);
    assert_eq!(html(", NULL, NULL"), html(""));
    let error = query(&format!("decode_html({russian}, NULL, 'chardet')"), ["text", "reason"]).unwrap_err();
    assert!(error.to_string().contains("the third argument of decode_html must be 'detect' or NULL"), "{error}");
}

#[test]
fn errors_say_what_is_wrong() {
    let message = |query: &str| sql(query).unwrap_err().to_string();
    let found = message("SELECT decode_text(body, 'latin-1') FROM pages");
    assert!(found.contains("unknown encoding label: \"latin-1\""), "{found}");
    let found = message("SELECT decode_text(label, 'latin1') FROM pages");
    assert!(found.contains("the first argument of decode_text must be binary, and has the type Utf8"), "{found}");
    let found = message("SELECT decode_text(body) FROM pages");
    assert!(found.contains("decode_text takes bytes and a label, and got 1 arguments"), "{found}");
    let found = message("SELECT decode_charset(body, 'cp278') FROM pages");
    assert!(found.contains("\"cp278\": two encodings have this name: iana:cp278 and java:cp278"), "{found}");
}
