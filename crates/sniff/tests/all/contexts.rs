//! The table of contexts, with the facts from their standards.

use textcodec_sniff::{Confidence, Context, Hints, Label, Name, Rung};

/// For each context: the operation, the sources of the encoding, the encoding without a source, and the error mode.
const TABLE: &str = "
TextDecoder | TextDecoder | argument | UTF-8 | replacement or fatal
HTML parser | decode | byte order mark, user, transport, HTML prescan | container document, then implementation | replacement
XHR document response | decode | byte order mark, override, transport, HTML prescan | UTF-8 | replacement
XML parser | decode | byte order mark, user, transport, XML declaration | UTF-8 | fatal
CSS style sheet from a document | decode | byte order mark, transport, @charset, charset attribute | the referring document | replacement
CSS style sheet from a style sheet | decode | byte order mark, transport, @charset | the referring document | replacement
CSS style sheet from a Link header | decode | byte order mark, transport, @charset | UTF-8 | replacement
text document | decode | byte order mark, user, transport | by MIME type | replacement
XHR text response, XML | decode | byte order mark, override, transport, XML declaration | UTF-8 | replacement
XHR text response | decode | byte order mark, override, transport | UTF-8 | replacement
view-source | decode | by MIME type | by MIME type | replacement
classic script | decode | byte order mark, transport, charset attribute | the referring document | replacement
module, worker and imported scripts | UTF-8 decode | | UTF-8 | replacement
javascript: URL | UTF-8 decode | | UTF-8 | replacement
Fetch text() | UTF-8 decode | | UTF-8 | replacement
Fetch json() | UTF-8 decode | | UTF-8 | replacement
XHR JSON response | UTF-8 decode | | UTF-8 | replacement
web application manifest | UTF-8 decode | | UTF-8 | replacement
payment method manifest | UTF-8 decode | | UTF-8 | replacement
PushMessageData | UTF-8 decode | | UTF-8 | replacement
event stream | UTF-8 decode | | UTF-8 | replacement
cache manifest | UTF-8 decode | | UTF-8 | replacement
WebVTT | UTF-8 decode | | UTF-8 | replacement
media fragment | UTF-8 decode | | UTF-8 | fatal
WebSocket text frame | TextDecoder | | UTF-8 | fatal
WebSocket close reason | UTF-8 decode without BOM | | UTF-8 | replacement
document.cookie | UTF-8 decode without BOM | | UTF-8 | replacement
host parser | UTF-8 decode without BOM | | UTF-8 | replacement or fatal
percent-decode of a string | UTF-8 decode without BOM | | UTF-8 | replacement
indicated part of the document | UTF-8 decode without BOM | | UTF-8 | replacement
application/x-www-form-urlencoded | UTF-8 decode without BOM | | UTF-8 | replacement
multipart/form-data | UTF-8 decode without BOM | | UTF-8 | replacement
FileReader readAsText | decode | byte order mark, argument, transport | UTF-8 | replacement
MIME type from bytes | isomorphic decode | | none | none
URL parser | isomorphic decode | | none | none
data: URL processor | isomorphic decode | | none | none
Refresh header | isomorphic decode | | none | none
header values | isomorphic decode | | none | none
atob | isomorphic decode | | none | none
URL query | percent-encode after encoding | | the referring document | %26%23n%3B
form submission | encode | charset attribute | the referring document | html
";

#[test]
fn every_context_is_as_its_standard_says() {
    let rows: Vec<Vec<&str>> = TABLE.trim().lines().map(|row| row.split('|').map(str::trim).collect()).collect();
    assert_eq!(rows.len(), Context::ALL.len());
    for (row, context) in rows.iter().zip(Context::ALL.iter().copied()) {
        let sources: Vec<String> = context.label_sources().iter().map(ToString::to_string).collect();
        let facts = [
            context.to_string(),
            context.operation().to_string(),
            sources.join(", "),
            context.default().to_string(),
            context.error_mode().to_string(),
        ];
        assert_eq!(facts, row[..], "{context:?}");
    }
}

/// Hints that name KOI8-R in every field.
fn koi8_r_everywhere() -> Hints<'static> {
    let (label, encoding) = (Some(Label::Encoding(Name::Koi8R)), Some(Name::Koi8R));
    Hints {
        override_charset: label,
        transport: label,
        charset_attribute: label,
        environment: encoding,
        container: encoding,
        history: encoding,
        heuristic: Some(&|_| Some(Name::Koi8R)),
        locale: Some("ja"),
        default: encoding,
        definite: encoding,
        ..Hints::default()
    }
}

#[test]
fn a_context_without_sources_ignores_all_hints_and_declarations() {
    let declaration = b"\xFE\xFF<?xml version='1.0' encoding='koi8-r'?><meta charset=koi8-r>@charset \"koi8-r\";";
    for context in Context::ALL.iter().copied().filter(|context| context.label_sources().is_empty()) {
        let sniffed = context.sniff(declaration, koi8_r_everywhere());
        match context {
            Context::UrlQuery => assert_eq!(sniffed.unwrap().encoding, Name::Koi8R),
            _ if context.operation().to_string() == "isomorphic decode" => assert_eq!(sniffed, None),
            _ => {
                let sniffed = sniffed.unwrap();
                assert_eq!(
                    (sniffed.encoding, sniffed.confidence, sniffed.rung),
                    (Name::Utf8, Confidence::Irrelevant, Rung::Fixed),
                    "{context}"
                );
            }
        }
    }
}

#[test]
fn a_context_with_sources_follows_them() {
    for context in Context::ALL.iter().copied().filter(|context| !context.label_sources().is_empty()) {
        assert_eq!(context.sniff(b"", koi8_r_everywhere()).unwrap().encoding, Name::Koi8R, "{context}");
    }
}

#[test]
fn contexts_that_encode_use_the_output_encoding() {
    for context in Context::ALL.iter().copied().filter(|context| context.is_encoding_side()) {
        for encoding in [Name::Utf16Le, Name::Utf16Be, Name::Replacement] {
            let hints = Hints { environment: Some(encoding), ..Hints::default() };
            assert_eq!(context.sniff(b"", hints).unwrap().encoding, Name::Utf8, "{context}");
        }
        assert_eq!(context.sniff(b"", Hints::default()).unwrap().encoding, Name::Utf8);
    }
    assert_eq!(Context::ALL.iter().copied().filter(|context| context.is_encoding_side()).count(), 2);
}

#[test]
fn results_can_be_printed() {
    let hints = Hints { transport: Some("koi8-r".into()), ..Hints::default() };
    let sniffed = Context::HtmlParser.sniff(b"", hints).unwrap();
    assert_eq!(sniffed.to_string(), "KOI8-R, certain: the transport layer names it");
    assert_eq!(sniffed.rung.as_str(), "transport");
    assert_eq!(format!("{:>10}", sniffed.confidence), "   certain");
    let debug = format!("{:?}", koi8_r_everywhere());
    assert!(debug.contains("heuristic: Some(\"a function\")") && debug.contains("transport: Some(Encoding(Koi8R))"));
}
