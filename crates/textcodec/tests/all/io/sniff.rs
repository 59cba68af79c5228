//! `SniffingReader` reads the text of `Context::decode`, however the bytes arrive.

use std::io::{self, BufRead, Read};

use textcodec::{
    LabelError, SHIFT_JIS, WINDOWS_1251,
    io::{SniffingReader, malformed},
    sniff::{Context, ContextError, ContextExt, Hints, Label, Rung},
};

use crate::io::{
    read::{SIZES, read_all},
    reluctant::{MOODS, Reluctant},
    samples::{Event, push_output},
};

/// Contexts, bytes and hints for each kind of result.
pub(crate) fn samples() -> Vec<(Context, Vec<u8>, Hints<'static>)> {
    let none = Hints::default();
    let windows_1251 = Hints { transport: Some("windows-1251".into()), ..none };
    let long_page = [&b"<!-- "[..], &[b'x'; 9000], b"--><meta charset=koi8-r>\xF0"].concat();
    let declared_late =
        [&b"<?xml version='1.0' "[..], &[b' '; 20_000], b" encoding='windows-1251'?><p>\xCF</p>"].concat();
    let much_text = [&b"<meta charset=sjis>"[..], &b"\x93\xFA\x96\x7B\x93\xFF\xA0\n".repeat(5000)].concat();
    vec![
        (Context::HtmlParser, Vec::new(), none),
        (Context::HtmlParser, b"a".to_vec(), none),
        (Context::HtmlParser, b"<!doctype html><meta charset=sjis><p>\x93\xFA\x96\x7B\x93".to_vec(), none),
        (Context::HtmlParser, much_text, none),
        (Context::HtmlParser, long_page, none),
        (Context::HtmlParser, declared_late.clone(), none),
        (Context::XmlParser, declared_late, none),
        (Context::HtmlParser, b"\xFE\xFF\0<\0p\0>".to_vec(), none),
        (Context::HtmlParser, b"\xEF\xBB\xBF\xC3\xA9".to_vec(), windows_1251),
        (Context::TextDocument, b"\xCF\xF0\xE8\xE2\xE5\xF2".repeat(3000), windows_1251),
        (Context::CssFromLinkHeader, b"@charset \"windows-1251\"; /* \xCF */".to_vec(), none),
        (Context::FetchText, b"\xEF\xBB\xBF\xC3\xA9\xFF".to_vec(), windows_1251),
        (Context::Cookie, b"\xEF\xBB\xBF\xC3\xA9".to_vec(), windows_1251),
        (Context::HeaderValue, (0..=0xFF).cycle().take(20_000).collect(), none),
    ]
}

/// The whole text of a sample.
pub(crate) fn expected(context: Context, bytes: &[u8], hints: Hints<'_>) -> Vec<Event> {
    let mut events = Vec::new();
    push_output(&mut events, context.decode(bytes, hints).unwrap().text.as_bytes());
    events
}

#[test]
fn a_sniffing_reader_reads_what_the_context_decodes() {
    for (context, bytes, hints) in samples() {
        let expected = expected(context, &bytes, hints);
        for mood in MOODS {
            for size in SIZES {
                let inner = Reluctant::new(&*bytes, mood);
                let reader = SniffingReader::new(inner, context, hints).unwrap();
                assert!(read_all(reader, size) == expected, "{context}, {mood:?}, buffer of {size}");
            }
        }
        let decoded = context.decode(&bytes, hints).unwrap();
        let mut reader = SniffingReader::new(&*bytes, context, hints).unwrap();
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert!(text == decoded.text);
        assert_eq!((reader.encoding(), reader.sniffed()), (decoded.encoding, decoded.sniffed), "{context}");
        assert_eq!((reader.had_errors(), reader.position()), (decoded.had_errors, bytes.len() as u64), "{context}");
    }
}

#[test]
fn the_encoding_is_known_with_the_first_text() {
    let mut reader =
        SniffingReader::new(&b"<meta charset=sjis>\x93\xFA"[..], Context::HtmlParser, Hints::default()).unwrap();
    assert_eq!((reader.encoding(), reader.sniffed(), reader.position()), (None, None, 0));
    assert!(!reader.fill_buf().unwrap().is_empty());
    assert_eq!((reader.encoding(), reader.sniffed().unwrap().rung), (Some(SHIFT_JIS), Rung::Meta));
}

#[test]
fn a_fatal_context_reports_the_offset_in_the_stream() {
    let bytes = [&b"<?xml version='1.0'?>"[..], &[b'a'; 10_000], b"\xFFb"].concat();
    let mut reader = SniffingReader::new(&*bytes, Context::XmlParser, Hints::default()).unwrap();
    let mut text = String::new();
    let error = reader.read_to_string(&mut text).unwrap_err();
    assert_eq!(malformed(&error).unwrap().offset, 10_021);
    assert_eq!(text.len(), 10_021);
    reader.read_to_string(&mut text).unwrap();
    assert!(text.ends_with("ab"), "another call goes on after the malformed byte");
}

#[test]
fn the_limits_of_the_sniffer_can_be_set() {
    let page = [&b"<?xml "[..], &[b' '; 100_000], b" encoding='windows-1251'?>\xCF"].concat();
    let reader = SniffingReader::new(&*page, Context::HtmlParser, Hints::default()).unwrap();
    assert!(io::read_to_string(reader).unwrap().ends_with("Ï"));
    let reader = SniffingReader::new(&*page, Context::HtmlParser, Hints::default()).unwrap();
    let text = io::read_to_string(reader.with_declaration_limit(usize::MAX)).unwrap();
    assert!(text.ends_with("П"));

    let guess = |bytes: &[u8]| bytes.contains(&0xCF).then_some(WINDOWS_1251.id());
    let hints = Hints { heuristic: Some(&guess), ..Hints::default() };
    let page = [&[b'a'; 2000][..], b"\xCF"].concat();
    let reader = SniffingReader::new(&*page, Context::HtmlParser, hints).unwrap();
    assert!(io::read_to_string(reader).unwrap().ends_with("Ï"));
    let reader = SniffingReader::new(&*page, Context::HtmlParser, hints).unwrap().with_patience(usize::MAX);
    assert!(io::read_to_string(reader).unwrap().ends_with("П"));
}

#[test]
fn a_context_that_encodes_has_no_reader() {
    let error = SniffingReader::new(io::empty(), Context::UrlQuery, Hints::default()).unwrap_err();
    assert_eq!(error, ContextError::NoDecoding(Context::UrlQuery));
    let hints = Hints { override_charset: Some(Label::Unknown), ..Hints::default() };
    let error = SniffingReader::new(io::empty(), Context::TextDecoder, hints).unwrap_err();
    assert_eq!(error, ContextError::Label(LabelError::Unknown));
}

#[test]
fn a_sniffing_reader_can_move_to_another_thread() {
    fn check<T: Send + Sync>(reader: T) -> T {
        reader
    }
    let reader = SniffingReader::new(&b"abc"[..], Context::XhrText, Hints::default()).unwrap();
    assert_eq!(io::read_to_string(check(reader)).unwrap(), "abc");
}
