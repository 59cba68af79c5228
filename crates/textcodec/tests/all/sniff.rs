//! Each context decodes with the hook, the error mode and the encoding of its standard.

use std::{error::Error, io};

use quickcheck::QuickCheck;
use textcodec::{
    Encoding, LabelError, Malformed, Name, UTF_8, UTF_16BE, WINDOWS_1251, WINDOWS_1252,
    io::SniffingReader,
    sniff::{
        Change, Confidence, Context, ContextDecoder, ContextError, ContextExt, Fallback, Hints, Label, Operation,
        Resource, Rung,
    },
};

fn text(context: Context, bytes: &[u8], hints: Hints<'_>) -> String {
    context.decode(bytes, hints).unwrap().text.into_owned()
}

fn transport(label: &str) -> Hints<'static> {
    Hints { transport: Some(label.into()), ..Hints::default() }
}

fn decoding_contexts() -> impl Iterator<Item = Context> {
    Context::ALL.iter().copied().filter(|context| !context.is_encoding_side())
}

#[test]
fn decode_follows_any_byte_order_mark_and_utf_8_decode_removes_only_its_own() {
    for context in decoding_contexts().filter(|context| *context != Context::XmlParser) {
        let utf_8 = text(context, b"\xEF\xBB\xBF\xC3\xA9", Hints::default());
        let utf_16 = context.decode(b"\xFE\xFF\0\xE9", Hints::default()).map(|decoded| decoded.text);
        let (by_utf_8, by_utf_16) = match context.operation() {
            Operation::Decode => ("é", Some("é")),
            Operation::Utf8Decode | Operation::TextDecoder => ("é", Some("\u{FFFD}\u{FFFD}\0\u{FFFD}")),
            Operation::Utf8DecodeWithoutBom => ("\u{FEFF}é", Some("\u{FFFD}\u{FFFD}\0\u{FFFD}")),
            _ => ("ï»¿Ã©", Some("þÿ\0é")),
        };
        assert_eq!(utf_8, by_utf_8, "{context}");
        match context {
            Context::MediaFragment | Context::WebSocketText => assert!(utf_16.is_err(), "{context}"),
            _ => assert_eq!(utf_16.ok().as_deref(), by_utf_16, "{context}"),
        }
    }
}

#[test]
fn errors_are_fatal_in_the_contexts_whose_standards_say_so() {
    let fatal = [Context::XmlParser, Context::MediaFragment, Context::WebSocketText];
    for context in decoding_contexts().filter(|context| context.default() != Fallback::None) {
        let hints = Hints { definite: Some(Name::Utf8), override_charset: Some(UTF_8.id().into()), ..Hints::default() };
        let decoded = context.decode(b"ab\xFFcd", hints);
        if fatal.contains(&context) {
            let malformed = Malformed::new(2, 0xFF.into());
            assert_eq!(decoded, Err(ContextError::Malformed { context, encoding: UTF_8, malformed }));
        } else {
            let decoded = decoded.unwrap();
            assert_eq!((&*decoded.text, decoded.had_errors), ("ab\u{FFFD}cd", true), "{context}");
        }
        let is_open = [Context::TextDecoder, Context::HostParser].contains(&context);
        let strict = context.decode(b"\xFF", Hints { fatal: true, ..hints });
        assert_eq!(strict.is_err(), is_open || fatal.contains(&context), "{context}");
    }
}

#[test]
fn the_offset_of_an_error_counts_the_byte_order_mark() {
    let error = Context::XmlParser.decode(b"\xEF\xBB\xBF<a>\xE9</a>", Hints::default()).unwrap_err();
    assert_eq!(error.to_string(), "XML parser: not UTF-8: malformed bytes E9 at offset 6");
    assert!(error.source().is_some());
    let error = Context::WebSocketText.decode(b"\xEF\xBB\xBF\xE9", Hints::default()).unwrap_err();
    assert_eq!(error.to_string(), "WebSocket text frame: not UTF-8: malformed bytes E9 at offset 3");
    let error = Context::XmlParser.decode(b"\xFE\xFF\xD8\0\0a", Hints::default()).unwrap_err();
    let ContextError::Malformed { encoding, malformed, .. } = error else { panic!("{error}") };
    assert_eq!((encoding, malformed.offset), (UTF_16BE, 2));
}

#[test]
fn a_text_decoder_refuses_unknown_labels_and_replacement() {
    let label = |label: &str| Hints { override_charset: Some(label.into()), ..Hints::default() };
    let decode = |label| Context::TextDecoder.decode(b"\xCF", label).map(|decoded| decoded.text.into_owned());
    assert_eq!(decode(label("cp1251")).as_deref(), Ok("П"));
    assert_eq!(decode(Hints::default()).as_deref(), Ok("\u{FFFD}"));
    assert_eq!(decode(label("unknown")), Err(LabelError::Unknown.into()));
    assert_eq!(decode(label("iso-2022-kr")), Err(LabelError::Unknown.into()), "replacement is no encoding here");
    assert_eq!(Context::TextDecoder.decoder(label("unknown")).err(), Some(LabelError::Unknown.into()));
    let utf_16 = Context::TextDecoder.decode(b"\xFE\xFF\0a", label("utf-16be")).unwrap();
    assert_eq!(utf_16.text, "a", "its own mark");
    assert_eq!(text(Context::TextDecoder, b"\xFE\xFF", label("cp1251")), "юя", "not its mark");
}

#[test]
fn isomorphic_decode_is_not_windows_1252() {
    let bytes: Vec<u8> = (0..=0xFF).collect();
    for context in decoding_contexts().filter(|context| context.default() == Fallback::None) {
        let decoded = context.decode(&bytes, transport("cp1252")).unwrap();
        assert!(decoded.text.chars().map(u32::from).eq(0..=0xFF), "{context}");
        assert_eq!((decoded.encoding, decoded.sniffed, decoded.had_errors), (None, None, false));
    }
}

#[test]
fn responses_of_xhr_have_these_texts() {
    let page = |resource| Hints { resource: Some(resource), ..Hints::default() };
    for (bytes, expected) in [
        (&b"\xFE\xFF"[..], ""),
        (b"\xFE\xFF\xFE\xFF", "\u{FEFF}"),
        (b"\xEF\xBB\xBF\xEF\xBB\xBF", "\u{FEFF}"),
        (b"\xFF", "\u{FFFD}"),
        (b"\xC2", "\u{FFFD}"),
        (b"<meta charset=windows-1252>\xFF", "<meta charset=windows-1252>\u{FFFD}"),
    ] {
        assert_eq!(text(Context::XhrText, bytes, page(Resource::Html)), expected, "{bytes:02X?}");
        let json = match bytes {
            [0xFE, 0xFF] => "\u{FFFD}\u{FFFD}",
            [0xFE, 0xFF, ..] => "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
            _ => expected,
        };
        assert_eq!(text(Context::XhrJson, bytes, Hints::default()), json, "{bytes:02X?}");
    }
    let xml = b"<?xml version='1.0' encoding='windows-1252'?><a>\xFF</a>";
    assert!(text(Context::XhrTextXml, xml, Hints::default()).contains("<a>ÿ</a>"));
    assert!(text(Context::XhrText, xml, Hints::default()).contains("<a>\u{FFFD}</a>"));
    let html = b"<meta charset=windows-1252>\xFF";
    assert!(text(Context::XhrDocument, html, page(Resource::Html)).ends_with('ÿ'));
    assert!(text(Context::XhrDocument, html, transport("cp1251")).ends_with('я'));
}

#[test]
fn a_context_that_encodes_does_not_decode_and_the_reverse() {
    for &context in Context::ALL {
        let refused = Err(ContextError::NoDecoding(context));
        match context {
            Context::UrlQuery | Context::FormSubmission => {
                assert_eq!(context.decode(b"", Hints::default()), refused);
                assert_eq!(context.decoder(Hints::default()).err(), refused.err());
                assert!(context.encode("", Hints::default()).is_ok());
            }
            _ => assert_eq!(context.encode("", Hints::default()), Err(ContextError::NoEncoding(context))),
        }
    }
}

#[test]
fn contexts_that_encode_use_the_output_encoding_of_the_document() {
    let hints = |encoding| Hints { environment: Some(encoding), ..Hints::default() };
    let query = |encoding| Context::UrlQuery.encode("é'☃", hints(encoding)).unwrap().into_owned();
    assert_eq!(query(Name::Windows1252), b"%E9%27%26%239731%3B");
    assert_eq!(query(Name::Utf16Le), b"%C3%A9%27%E2%98%83");
    let field = |encoding| Context::FormSubmission.encode("é☃", hints(encoding)).unwrap().into_owned();
    assert_eq!(field(Name::Windows1252), b"\xE9&#9731;");
    assert_eq!(field(Name::Replacement), "é☃".as_bytes());
}

/// The text of a stream that arrives in pieces of `length`.
fn in_pieces<'h>(
    mut decoder: ContextDecoder<'h>,
    bytes: &[u8],
    length: usize,
) -> Result<(String, ContextDecoder<'h>), ContextError> {
    let mut text = String::new();
    for piece in bytes.chunks(length) {
        decoder.decode(piece, &mut text, false)?;
    }
    decoder.decode(b"", &mut text, true)?;
    Ok((text, decoder))
}

#[test]
fn a_stream_has_the_same_text_however_it_is_cut() {
    fn property(start: u8, rest: Vec<u8>, choice: u8) -> bool {
        let starts = [
            &b""[..],
            b"\xEF\xBB\xBF",
            b"\xFF\xFE",
            b"\xFE",
            b"<meta charset=sjis>",
            b"<?xml version='1.0' encoding='iso-2022-jp'?>",
            b"@charset \"koi8-r\";",
        ];
        let bytes = [starts[usize::from(start) % starts.len()], &rest].concat();
        let hints = Hints {
            resource: [None, Some(Resource::Xml), Some(Resource::Css)][usize::from(choice) % 3],
            transport: (choice & 0x80 != 0).then(|| "cp1251".into()),
            ..Hints::default()
        };
        decoding_contexts().all(|context| {
            let whole = context.decode(&bytes, hints);
            let whole = whole.map(|decoded| (decoded.text.into_owned(), decoded.had_errors, decoded.sniffed));
            [1, 2, 3, 7, 1000].into_iter().all(|length| {
                let pieces = in_pieces(context.decoder(hints).unwrap(), &bytes, length);
                pieces.map(|(text, decoder)| (text, decoder.had_errors(), decoder.sniffed())) == whole
            })
        })
    }
    QuickCheck::new().tests(500).quickcheck(property as fn(u8, Vec<u8>, u8) -> bool);
}

#[test]
fn a_stream_remembers_that_it_had_errors() {
    for (context, bytes) in [
        (Context::EventStream, &b"a\xFFb"[..]),
        (Context::HtmlParser, b"<meta charset=utf-8>\xFFb"),
        (Context::Cookie, b"\xC3"),
    ] {
        for length in 1..bytes.len() {
            let (_, decoder) = in_pieces(context.decoder(Hints::default()).unwrap(), bytes, length).unwrap();
            assert!(decoder.had_errors(), "{context}");
            let (_, decoder) = in_pieces(context.decoder(Hints::default()).unwrap(), b"abc", length).unwrap();
            assert!(!decoder.had_errors(), "{context}");
        }
    }
}

#[test]
fn a_stream_ends_with_its_first_fatal_error() {
    let mut decoder = Context::XmlParser.decoder(Hints::default()).unwrap();
    let mut text = String::new();
    assert_eq!(decoder.decode(b"<a>", &mut text, false), Ok(()));
    let error = decoder.decode(b"b\xFFc", &mut text, false);
    assert_eq!(error.unwrap_err().to_string(), "XML parser: not UTF-8: malformed bytes FF at offset 4");
    assert_eq!(decoder.decode(b"d", &mut text, true), error);
    assert!(decoder.had_errors());
    assert_eq!(text, "<a>b");
}

#[test]
fn a_late_meta_element_switches_if_all_bytes_are_ascii_and_reloads_otherwise() {
    let (before, after) = (format!("<title>{}</title>", "x".repeat(2000)), "<meta charset=cp1251>");
    let mut decoder = Context::HtmlParser.decoder(Hints::default()).unwrap();
    let mut text = String::new();
    decoder.decode(before.as_bytes(), &mut text, false).unwrap();
    assert_eq!(decoder.sniffed().unwrap().rung, Rung::Default);
    decoder.decode(after.as_bytes(), &mut text, false).unwrap();
    assert_eq!(decoder.change_the_encoding(Name::Windows1251), Ok(Change::Switch(Name::Windows1251)));
    assert_eq!(decoder.sniffed().map(|s| (s.encoding, s.confidence)), Some((Name::Windows1251, Confidence::Certain)));
    assert_eq!(decoder.change_the_encoding(Name::ShiftJis), Ok(Change::Keep), "it is certain now");
    decoder.decode(b"\xCF", &mut text, true).unwrap();
    assert_eq!(text, format!("{before}{after}П"));

    let bytes = [before.as_bytes(), b"\xCF", after.as_bytes()].concat();
    let (text, mut decoder) = in_pieces(Context::HtmlParser.decoder(Hints::default()).unwrap(), &bytes, 100).unwrap();
    assert_eq!(text, WINDOWS_1252.decode(&bytes).text);
    assert_eq!(decoder.change_the_encoding(Name::Windows1252).unwrap(), Change::Keep);
    let mut decoder = in_pieces(Context::HtmlParser.decoder(Hints::default()).unwrap(), &bytes, 100).unwrap().1;
    let Ok(Change::Reload(definite)) = decoder.change_the_encoding(Name::Windows1251) else { panic!() };
    let again = Hints { definite: Some(definite), ..Hints::default() };
    assert_eq!(text_of(again, &bytes), WINDOWS_1251.decode(&bytes).text);

    fn text_of(hints: Hints<'_>, bytes: &[u8]) -> String {
        let decoded = Context::HtmlParser.decode(bytes, hints).unwrap();
        assert_eq!(decoded.sniffed.map(|sniffed| sniffed.rung), Some(Rung::Definite));
        decoded.text.into_owned()
    }
}

#[test]
fn escape_sequences_are_not_ascii_and_a_certain_encoding_does_not_change() {
    let change = |hints, bytes: &[u8], new| {
        let (_, mut decoder) = in_pieces(Context::HtmlParser.decoder(hints).unwrap(), bytes, 1).unwrap();
        decoder.change_the_encoding(new).unwrap()
    };
    let default = Hints::default();
    assert_eq!(change(default, b"abc", Name::Iso2022Jp), Change::Switch(Name::Iso2022Jp));
    for byte in [0x0E, 0x0F, 0x1B] {
        assert_eq!(change(default, &[byte], Name::Iso2022Jp), Change::Reload(Name::Iso2022Jp));
    }
    assert_eq!(change(default, b"abc", Name::Replacement), Change::Reload(Name::Replacement));
    assert_eq!(change(transport("cp1251"), b"abc", Name::ShiftJis), Change::Keep);
    assert_eq!(change(default, b"\xFE\xFF\0a", Name::ShiftJis), Change::Keep);
}

#[test]
fn the_result_names_the_encoding_that_was_used() {
    let used = |bytes: &[u8], hints| Context::HtmlParser.decode(bytes, hints).unwrap().encoding;
    assert_eq!(used(b"<p>", Hints::default()), Some(WINDOWS_1252));
    assert_eq!(used(b"\xFE\xFF", Hints::default()), Some(UTF_16BE));
    let definite = Hints { definite: Some(Name::Windows1251), ..Hints::default() };
    assert_eq!(used(b"\xEF\xBB\xBF", definite), Some(UTF_8), "decode lets the mark win even then");
    assert!(Encoding::all().all(|encoding| {
        let hints = Hints { definite: Some(encoding.id()), ..Hints::default() };
        used(b"", hints) == Some(encoding)
    }));
}

#[test]
fn a_stream_looks_for_an_xml_declaration_up_to_its_limit() {
    let page = format!("<?xml version='1.0' {} encoding='windows-1251'?><p>", " ".repeat(100_000));
    let page = [page.as_bytes(), b"\xCF"].concat();
    let text = |mut decoder: ContextDecoder<'_>| {
        let mut text = String::new();
        for piece in page.chunks(5000) {
            decoder.decode(piece, &mut text, false).unwrap();
        }
        decoder.decode(b"", &mut text, true).unwrap();
        text
    };
    let decoder = Context::HtmlParser.decoder(Hints::default()).unwrap();
    assert!(text(decoder.clone()).ends_with("<p>Ï"));
    assert!(text(decoder.with_declaration_limit(usize::MAX)).ends_with("<p>П"));
    assert!(Context::HtmlParser.decode(&page, Hints::default()).unwrap().text.ends_with("<p>П"));
}

#[test]
fn a_stream_waits_for_a_guess_as_long_as_its_patience() {
    let guess = |bytes: &[u8]| bytes.contains(&0xCF).then_some(WINDOWS_1251.id());
    let hints = Hints { heuristic: Some(&guess), ..Hints::default() };
    let text = |mut decoder: ContextDecoder<'_>| {
        let mut text = String::new();
        for piece in [&[b'a'; 2000][..], b"\xCF"] {
            decoder.decode(piece, &mut text, false).unwrap();
        }
        decoder.decode(b"", &mut text, true).unwrap();
        text
    };
    let decoder = Context::HtmlParser.decoder(hints).unwrap();
    assert!(text(decoder.clone()).ends_with("aÏ"));
    assert!(text(decoder.with_patience(usize::MAX)).ends_with("aП"));
}

#[test]
fn a_content_type_leads_to_an_encoding_in_one_step() {
    let encoding = |header: &str| Encoding::for_content_type(header);
    assert_eq!(encoding("text/html;charset=windows-1251"), Ok(WINDOWS_1251));
    assert_eq!(encoding(" TEXT/HTML ; x=y; CHARSET=\" \\cp1251\""), Ok(WINDOWS_1251));
    for unknown in ["", "text", "text/html", "text/html; charset=", "text/html; charset=bogus", "; charset=utf-8"] {
        assert_eq!(encoding(unknown), Err(LabelError::Unknown), "{unknown}");
    }
    assert_eq!(Encoding::for_content_type(b"text/css;charset=UTF8"), Ok(UTF_8));
}

#[test]
fn a_content_type_gives_hints() {
    let hints = Hints::from_content_type("text/html; charset=windows-1251");
    assert_eq!((hints.transport, hints.resource), (Some("windows-1251".into()), Some(Resource::Html)));
    let hints = Hints::from_content_type("image/svg+xml");
    assert_eq!((hints.transport, hints.resource), (None, Some(Resource::Xml)));
    let hints = Hints::from_content_type("nonsense");
    assert_eq!((hints.transport, hints.resource), (None, None));
}

#[test]
fn a_byte_order_mark_after_a_change_of_the_encoding_is_a_character() {
    for (new, bytes) in [(Name::Utf8, b"\xEF\xBB\xBFa".as_slice()), (Name::Gb18030, b"\x84\x31\x95\x33a")] {
        let mut decoder = Context::HtmlParser.decoder(Hints::default()).unwrap();
        decoder.decode(&b"a".repeat(2000), &mut String::new(), false).unwrap();
        assert_eq!(decoder.change_the_encoding(new), Ok(Change::Switch(new)));
        let mut text = String::new();
        decoder.decode(bytes, &mut text, true).unwrap();
        assert_eq!(text, "\u{FEFF}a", "{new}");
    }
}

#[test]
fn the_encoding_is_certain_after_every_action_on_a_late_declaration() {
    let text = Hints { history: Some(Name::Utf16Le), ..Hints::default() };
    for (hints, bytes, new, change) in [
        (Hints::default(), b"a", Name::Windows1252, Change::Keep),
        (Hints::default(), b"a", Name::Windows1251, Change::Switch(Name::Windows1251)),
        (Hints::default(), b"\xE9", Name::Windows1251, Change::Reload(Name::Windows1251)),
        (text, b"a", Name::Windows1251, Change::Keep),
    ] {
        let mut decoder = Context::HtmlParser.decoder(hints).unwrap();
        decoder.decode(&bytes.repeat(2000), &mut String::new(), false).unwrap();
        assert_eq!(decoder.sniffed().unwrap().confidence, Confidence::Tentative);
        assert_eq!(decoder.change_the_encoding(new), Ok(change));
        assert_eq!(decoder.sniffed().unwrap().confidence, Confidence::Certain, "{change:?}");
        assert_eq!(decoder.change_the_encoding(Name::ShiftJis), Ok(Change::Keep), "{change:?}");
    }
}

#[test]
fn a_late_declaration_of_utf_16_or_x_user_defined_switches_to_the_encoding_that_it_means() {
    for (label, meant) in [
        (Name::Utf16Be, Name::Utf8),
        (Name::Utf16Le, Name::Utf8),
        (Name::XUserDefined, Name::Windows1252),
        (Name::Koi8R, Name::Koi8R),
    ] {
        for (bytes, change) in [(&b"a"[..], Change::Switch(meant)), (b"\xE9", Change::Reload(meant))] {
            let hints = Hints { history: Some(Name::Windows1251), ..Hints::default() };
            let mut decoder = in_pieces(Context::HtmlParser.decoder(hints).unwrap(), bytes, 1).unwrap().1;
            assert_eq!(decoder.change_the_encoding(label), Ok(change), "{label}");
        }
    }
}

#[test]
fn only_a_tentative_encoding_changes() {
    for context in decoding_contexts() {
        for hints in [Hints::default(), transport("cp1251")] {
            let mut decoder = context.decoder(hints).unwrap();
            assert_eq!(
                decoder.change_the_encoding(Name::ShiftJis),
                Ok(Change::Keep),
                "{context}: before the first byte"
            );
            decoder.decode(b"abc", &mut String::new(), true).unwrap();
            let before = decoder.sniffed();
            let is_tentative = before.is_some_and(|sniffed| sniffed.confidence == Confidence::Tentative);
            let change = if is_tentative { Change::Switch(Name::ShiftJis) } else { Change::Keep };
            assert_eq!(decoder.change_the_encoding(Name::ShiftJis), Ok(change), "{context}");
            assert!(is_tentative || decoder.sniffed() == before, "{context}");
        }
    }
}

#[test]
fn an_unknown_label_is_an_error_only_for_a_text_decoder() {
    let unknown = Some(Label::Unknown);
    let hints = Hints { override_charset: unknown, transport: unknown, charset_attribute: unknown, ..Hints::default() };
    for context in decoding_contexts() {
        let bytes = b"abc\xC3\xA9";
        let expected = match context {
            Context::TextDecoder => Err(LabelError::Unknown.into()),
            _ => Ok(text(context, bytes, Hints::default())),
        };
        assert_eq!(context.decode(bytes, hints).map(|decoded| decoded.text.into_owned()), expected, "{context}");
        let streamed = context.decoder(hints).and_then(|decoder| in_pieces(decoder, bytes, 2));
        assert_eq!(streamed.map(|(text, _)| text), expected, "{context}");
        let read = SniffingReader::new(&bytes[..], context, hints).map(|reader| io::read_to_string(reader).unwrap());
        assert_eq!(read, expected, "{context}");
    }
}

#[test]
fn whole_texts_streams_and_readers_have_the_same_error_mode_and_the_same_first_error() {
    for context in decoding_contexts() {
        for (fatal, definite) in
            [(false, None), (true, None), (false, Some(Name::ShiftJis)), (true, Some(Name::ShiftJis))]
        {
            let hints = Hints { fatal, definite, ..Hints::default() };
            for bytes in [&b"ab\xFFcd\xFF"[..], b"\xEF\xBB\xBFab\xFFcd", b"\xFE\xFF\0a\xD8\0", b"ab\xE3"] {
                let place = format!("{context} {fatal} {definite:?} {bytes:02X?}");
                let whole = context.decode(bytes, hints);
                let whole = whole.map(|decoded| (decoded.text.into_owned(), decoded.encoding, decoded.had_errors));
                for length in [1, 4, 100] {
                    let streamed = in_pieces(context.decoder(hints).unwrap(), bytes, length);
                    let streamed = streamed.map(|(text, decoder)| (text, decoder.had_errors()));
                    assert_eq!(streamed, whole.clone().map(|(text, _, had_errors)| (text, had_errors)), "{place}");
                }
                let mut reader = SniffingReader::new(bytes, context, hints).unwrap();
                match (whole, io::read_to_string(&mut reader)) {
                    (Ok(whole), text) => {
                        assert_eq!((text.unwrap(), reader.encoding(), reader.had_errors()), whole, "{place}");
                    }
                    (Err(ContextError::Malformed { encoding, malformed, .. }), Err(error)) => {
                        let found = (textcodec::io::malformed(&error), reader.encoding(), reader.had_errors());
                        assert_eq!(found, (Some(malformed), Some(encoding), true), "{place}");
                    }
                    (Err(error), read) => panic!("{place}: {error}, {read:?}"),
                }
            }
        }
    }
}

#[test]
fn a_context_that_encodes_asks_its_label_then_the_document_and_then_takes_utf_8() {
    for charset_attribute in [None, Some(Label::Unknown), Some(Label::from("cp1251")), Some(Label::from("utf-16"))] {
        for environment in [None, Some(Name::Koi8R), Some(Name::Utf16Be)] {
            let hints = Hints { charset_attribute, environment, transport: Some("big5".into()), ..Hints::default() };
            let of_document = environment.unwrap_or(Name::Utf8);
            let of_form = match charset_attribute {
                None => of_document,
                Some(label) => label.encoding().unwrap_or(Name::Utf8),
            };
            for (context, expected) in [(Context::UrlQuery, of_document), (Context::FormSubmission, of_form)] {
                let bytes = match expected {
                    Name::Koi8R => &b"\xD1"[..],
                    Name::Windows1251 => b"\xFF",
                    _ => "я".as_bytes(),
                };
                let is_query = context == Context::UrlQuery;
                let percent = bytes.iter().map(|byte| format!("%{byte:02X}")).collect::<String>().into_bytes();
                let encoded = context.encode("я", hints).unwrap().into_owned();
                assert_eq!(encoded, if is_query { percent } else { bytes.to_vec() }, "{context} {hints:?}");
            }
        }
    }
}
