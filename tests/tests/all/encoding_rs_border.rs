//! Libraries with encoding_rs in their interfaces, beside textcodec: the example of the guide's page "Replace
//! encoding_rs", with more encodings.

use std::error::Error;

use lol_html::{AsciiCompatibleEncoding, HtmlRewriter, Settings, element, html_content::ContentType};
use quick_xml::{Reader, events::Event};
use textcodec::{BIG5, Encoding, ISO_2022_JP, KOI8_R, REPLACEMENT, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252};

/// What lol_html writes for a page in `encoding` whose title becomes `title`.
fn with_title(encoding: Encoding, title: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let encoding = AsciiCompatibleEncoding::new(encoding.into()).ok_or("the encoding does not contain ASCII")?;
    let settings =
        Settings::new().with_encoding(encoding).append_element_content_handler(element!("title", |element| {
            element.set_inner_content(title, ContentType::Text);
            Ok(())
        }));
    let mut page = Vec::new();
    let mut rewriter = HtmlRewriter::new(settings, |piece: &[u8]| page.extend_from_slice(piece));
    rewriter.write(b"<title>Japan</title>")?;
    rewriter.end()?;
    Ok(page)
}

#[test]
fn lol_html_writes_the_encoding_that_textcodec_names() {
    for (encoding, title) in [(SHIFT_JIS, "日本"), (BIG5, "中文"), (WINDOWS_1252, "“é”"), (UTF_8, "日本")] {
        let expected = encoding.encode(&format!("<title>{title}</title>")).bytes.into_owned();
        assert_eq!(with_title(encoding, title).unwrap(), expected, "{encoding:?}");
    }
}

#[test]
fn lol_html_refuses_encodings_that_do_not_contain_ascii() {
    for encoding in [UTF_16LE, ISO_2022_JP, REPLACEMENT] {
        assert!(with_title(encoding, "x").is_err(), "{encoding:?}");
    }
}

#[test]
fn textcodec_takes_the_encoding_that_quick_xml_found() {
    for (label, expected) in [("koi8-r", KOI8_R), ("x-sjis", SHIFT_JIS), ("latin1", WINDOWS_1252), ("utf-8", UTF_8)] {
        let document = format!("<?xml version='1.0' encoding='{label}'?><a/>");
        let mut reader = Reader::from_reader(document.as_bytes());
        assert!(matches!(reader.read_event().unwrap(), Event::Decl(_)));
        assert_eq!(Encoding::try_from(reader.encoding()).unwrap(), expected);
    }
}
