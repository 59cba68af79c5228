//! Bytes that arrive in pieces: the result is the same as for all bytes at once. No function panics on any bytes.

use quickcheck::{Arbitrary, Gen, QuickCheck};
use textcodec_sniff::{
    Autodetection, Context, DECLARATION_LENGTH, Heuristic, Hints, Label, MimeType, Name, PRESCAN_LENGTH, Resource,
    Rung, Sniffed, Sniffer, bom_sniff, determine_the_fallback_encoding,
    extract_a_character_encoding_from_a_meta_element, get_an_attribute, get_an_xml_encoding, locale_default,
    prescan_a_byte_stream, xml_declaration,
};

/// Parts of declarations and markup, so that random concatenations are often nearly a declaration.
const PIECES: [&[u8]; 44] = [
    b"\xEF\xBB\xBF", b"\xFE\xFF", b"\xFF\xFE", b"\xEF\xBB", b"\0<\0?\0x", b"<\0?\0x\0", b"<", b"<!", b"<!-", b"<!--",
    b"-->", b"--", b">", b"<meta", b"<META ", b"<meta/", b" charset=", b"koi8-r", b"'big5'", b"\"utf-16\"", b" content=",
    b"'text/html;charset=sjis'", b" http-equiv=content-type", b"/", b"=", b" ", b"\n", b"'", b"\"", b"<p ", b"</p", b"a",
    b"<?xml", b" version='1.0'", b" encoding='", b"encoding", b"?>", b"@charset \"", b"\";", b";", b"\xE9", b"\0", b"<meta charset=koi8-r>",
    b"                                                                                                                                ",
];

/// Bytes that resemble a resource with a declaration.
#[derive(Clone, Debug)]
struct Similar(Vec<u8>);

impl Arbitrary for Similar {
    fn arbitrary(g: &mut Gen) -> Self {
        let length = usize::arbitrary(g) % 24;
        let mut bytes = Vec::new();
        // The random parts begin either at the start of the bytes, or a few bytes before the end of the prescan.
        if u8::arbitrary(g) % 4 == 0 {
            let start: &[u8] = g.choose(&[&b""[..], b"<?xml ", b"<!--", b"<p a='"]).unwrap();
            bytes.extend_from_slice(start);
            bytes.resize(PRESCAN_LENGTH - usize::arbitrary(g) % 40, b' ');
        }
        for _ in 0..length {
            bytes.extend_from_slice(g.choose(&PIECES).unwrap());
        }
        Similar(bytes)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(Similar))
    }
}

fn hints(choice: u8) -> Hints<'static> {
    let unless = |bit: u8, label: &str| (choice & bit != 0).then(|| Label::from(label));
    Hints {
        transport: unless(1, "unknown"),
        override_charset: unless(2, "unknown").or(unless(16, "koi8-r")).or(unless(32, "utf-16be")),
        history: (choice & 64 != 0).then_some(Name::Utf16Le),
        resource: [None, Some(Resource::Xml), Some(Resource::Css), Some(Resource::Html)][usize::from(choice >> 2 & 3)],
        environment: Some(Name::Gbk),
        ..Hints::default()
    }
}

/// The result for a stream whose bytes arrive in pieces of the lengths `pieces`, and the number of bytes that have
/// arrived when the result is known. After the last of `pieces`, all further pieces have the same length as the last.
fn in_pieces(mut sniffer: Sniffer<'_>, bytes: &[u8], pieces: &[usize]) -> (Option<Sniffed>, usize) {
    let (mut at, mut lengths) = (0, pieces.iter().copied());
    let mut length = 1;
    loop {
        // A piece can be empty, but not all pieces.
        length = lengths.next().unwrap_or(length.max(1));
        at = bytes.len().min(at + length);
        let outcome = sniffer.sniff(&bytes[..at], at == bytes.len());
        if outcome.is_some() || at == bytes.len() {
            return (outcome, at);
        }
    }
}

#[test]
fn the_result_does_not_depend_on_how_the_stream_is_cut() {
    fn property(resource: Similar, choice: u8, pieces: Vec<u8>) -> bool {
        let bytes = &resource.0;
        let pieces: Vec<usize> = pieces.into_iter().map(usize::from).collect();
        Context::ALL.iter().copied().all(|context| {
            let sniffer = Sniffer::new(context, hints(choice));
            let expected = context.sniff(bytes, hints(choice));
            [&[1][..], &[0, 3], &[1023, 1], &[1024], &pieces]
                .into_iter()
                .all(|pieces| in_pieces(sniffer, bytes, pieces).0 == expected)
        })
    }
    QuickCheck::new().tests(800).quickcheck(property as fn(Similar, u8, Vec<u8>) -> bool);
}

#[test]
fn every_split_in_two_gives_the_same_result() {
    for bytes in [
        &b"\xEF\xBB\xBF<meta charset=big5>"[..],
        b"<!--><meta charset=koi8-r>",
        b"<!-- x --><p a='>'><META http-equiv=content-type content='charset=sjis'>",
        b"<?xml version='1.0' encoding='koi8-r'?><p>",
        b"<\0?\0x\0m\0",
        b"\0<\0?\0x\0m",
        b"@charset \"koi8-r\";p{}",
        b"@charset \"koi8-r\" ;p{}",
        b"<<<meta/charset=koi8-r>",
        b"\xFF",
        b"\xEF\xBB",
    ] {
        for &context in Context::ALL {
            for choice in 0..128 {
                let expected = context.sniff(bytes, hints(choice));
                for split in 0..=bytes.len() {
                    let sniffer = Sniffer::new(context, hints(choice));
                    let (outcome, _) = in_pieces(sniffer, bytes, &[split, bytes.len()]);
                    assert_eq!(outcome, expected, "{context} {bytes:?} split at {split}");
                }
            }
        }
    }
}

#[test]
fn the_sniffer_decides_as_soon_as_the_bytes_allow() {
    let decides = |context, bytes: &[u8], hints| in_pieces(Sniffer::new(context, hints), bytes, &[1]).1;
    let html = |bytes: &[u8]| decides(Context::HtmlParser, bytes, Hints::default());
    assert_eq!(html(b"\xFF\xFEa\0b\0"), 2);
    assert_eq!(html(b"\xEF\xBB\xBFabc"), 3);
    assert_eq!(html(b"<meta charset=koi8-r><p>"), 21);
    assert_eq!(html(&[b'a'; 5000]), PRESCAN_LENGTH);
    assert_eq!(html(b"abc"), 3);
    let transport = Hints { transport: Some("koi8-r".into()), ..Hints::default() };
    assert_eq!(decides(Context::HtmlParser, b"<meta charset=big5>", transport), 1);
    assert_eq!(decides(Context::HtmlParser, b"\xFFx", transport), 2, "it could have been a byte order mark");
    let overridden = Hints { override_charset: Some("koi8-r".into()), ..Hints::default() };
    assert_eq!(decides(Context::HtmlParser, b"<meta charset=big5>", overridden), 2, "it could have been UTF-16");
    assert_eq!(decides(Context::XmlParser, b"<?xml version='1.0'?>", overridden), 2);
    assert_eq!(decides(Context::TextDocument, b"abc", overridden), 1);
    assert_eq!(decides(Context::CssFromDocument, b"p{}", Hints::default()), 1);
    assert_eq!(decides(Context::CssFromDocument, b"@charset \"koi8-r\";p{}", Hints::default()), 18);
    assert_eq!(decides(Context::CssFromDocument, b"@charset \"\xE9", Hints::default()), 11);
    let endless = [&b"@charset \""[..], &[b'a'; 5000]].concat();
    assert_eq!(decides(Context::CssFromDocument, &endless, Hints::default()), PRESCAN_LENGTH);
    assert_eq!(decides(Context::XmlParser, b"<?xml version='1.0'?><a/>", Hints::default()), 21);
    assert_eq!(decides(Context::XmlParser, b"<a/>", Hints::default()), 2);
    assert_eq!(decides(Context::EventStream, b"data", Hints::default()), 1);
}

#[test]
fn the_sniffer_waits_for_an_xml_declaration_beyond_the_prescan() {
    let page = |length: usize| {
        let (start, end) = ("<?xml version='1.0' ", " encoding='koi8-r'?>");
        format!("{start}{}{end}<p>", " ".repeat(length - start.len() - end.len()))
    };
    for length in [1023, 1024, 1025, 5000, DECLARATION_LENGTH] {
        let page = page(length);
        for context in [Context::HtmlParser, Context::XmlParser] {
            for step in [1, 1000, 1024, 100_000] {
                let (outcome, at) = in_pieces(Sniffer::new(context, Hints::default()), page.as_bytes(), &[step]);
                assert_eq!(outcome.unwrap().encoding, Name::Koi8R, "{context}, {length}, {step}");
                assert!(at <= page.len().max(PRESCAN_LENGTH));
            }
        }
    }
    assert_eq!((PRESCAN_LENGTH, DECLARATION_LENGTH), (1024, 65_536), "as documented");
    let page = page(DECLARATION_LENGTH + 1);
    for step in [1000, 100_000] {
        let sniffer = Sniffer::new(Context::HtmlParser, Hints::default());
        let (outcome, at) = in_pieces(sniffer, page.as_bytes(), &[step]);
        assert_eq!(outcome.unwrap().encoding, Name::Windows1252, "a stream has a limit, however it is cut: {step}");
        assert!(at < DECLARATION_LENGTH + step);
    }
    assert_eq!(get_an_xml_encoding(page.as_bytes()), Some(Name::Koi8R), "the algorithm itself has no limit");
}

#[test]
fn a_declaration_of_any_length_counts_when_all_bytes_are_there() {
    let page = format!("<?xml version='1.0' {} encoding='koi8-r'?><p>", " ".repeat(3 * DECLARATION_LENGTH));
    for context in [Context::HtmlParser, Context::XhrDocument, Context::XhrTextXml, Context::XmlParser] {
        let sniffed = context.sniff(page.as_bytes(), Hints::default()).unwrap();
        assert_eq!((sniffed.encoding, sniffed.rung), (Name::Koi8R, Rung::XmlDeclaration), "{context}");
    }
}

#[test]
fn the_limit_of_an_xml_declaration_can_be_set() {
    let declaration = "<?xml version='1.0' encoding='koi8-r'?>";
    let page = format!("{declaration}<p>{}", "a".repeat(2 * PRESCAN_LENGTH));
    for context in [Context::HtmlParser, Context::XmlParser] {
        let sniffer = Sniffer::new(context, Hints::default());
        for pieces in [&[1][..], &[1000], &[usize::MAX >> 1]] {
            for (limit, is_found) in
                [(0, false), (declaration.len() - 1, false), (declaration.len(), true), (usize::MAX, true)]
            {
                let (outcome, _) = in_pieces(sniffer.with_declaration_limit(limit), page.as_bytes(), pieces);
                assert_eq!(outcome.unwrap().rung == Rung::XmlDeclaration, is_found, "{context}, {limit}, {pieces:?}");
            }
        }
    }
    let long = format!("<?xml version='1.0' {} encoding='koi8-r'?><p>", " ".repeat(3 * DECLARATION_LENGTH));
    let sniffer = Sniffer::new(Context::XmlParser, Hints::default()).with_declaration_limit(usize::MAX);
    assert_eq!(in_pieces(sniffer, long.as_bytes(), &[1000]).0.unwrap().encoding, Name::Koi8R);
}

#[test]
fn a_heuristic_sees_as_many_bytes_as_the_patience() {
    let bytes = [b'a'; 5000];
    let seen = std::sync::Mutex::new(Vec::new());
    let heuristic = |bytes: &[u8]| {
        seen.lock().unwrap().push(bytes.len());
        None
    };
    let sniffer = Sniffer::new(Context::HtmlParser, Hints { heuristic: Some(&heuristic), ..Hints::default() });
    for (sniffer, steps, at) in [
        (sniffer, [700], 1400),
        (sniffer.with_patience(3000), [700], 3500),
        (sniffer.with_patience(3000), [1500], 3000),
        (sniffer.with_patience(3000), [5000], 5000),
        (sniffer.with_patience(usize::MAX), [700], 5000),
    ] {
        assert_eq!(in_pieces(sniffer, &bytes, &steps).1, at);
    }
    assert_eq!(*seen.lock().unwrap(), [1024, 3000, 3000, 3000, 5000]);
    // In each context that listens to a guess, and in a view of its source.
    let guess: Heuristic<'_> = &|bytes| (bytes.len() == 3000).then_some(Name::Koi8R);
    for context in [Context::HtmlParser, Context::TextDocument, Context::ViewSource] {
        for resource in [None, Some(Resource::Text)] {
            let sniffer = Sniffer::new(context, Hints { heuristic: Some(guess), resource, ..Hints::default() });
            let (sniffed, at) = in_pieces(sniffer.with_patience(3000), &bytes, &[1500]);
            assert_eq!((sniffed.unwrap().rung, at), (Rung::Heuristic, 3000), "{context}");
            let (sniffed, at) = in_pieces(sniffer, &bytes, &[1500]);
            assert_eq!((sniffed.unwrap().rung, at), (Rung::Default, 1500), "{context}");
        }
    }
}

#[test]
fn nothing_panics_on_any_bytes() {
    fn all(bytes: &[u8]) {
        for end in [0, 1, 6, 100, PRESCAN_LENGTH, usize::MAX] {
            let _ = prescan_a_byte_stream(bytes, end);
        }
        for start in 0..bytes.len().min(40) {
            let mut position = start;
            while let Ok(Some(_)) = get_an_attribute(bytes, &mut position) {
                assert!(position <= bytes.len());
            }
        }
        let _ = get_an_attribute(bytes, &mut (bytes.len() + 1));
        let _ = extract_a_character_encoding_from_a_meta_element(bytes);
        let _ = get_an_xml_encoding(bytes);
        let _ = determine_the_fallback_encoding(bytes, None, None);
        let _ = xml_declaration(bytes);
        let _ = Autodetection::of(bytes).to_string();
        let _ = bom_sniff(bytes);
        if let Some(mime_type) = MimeType::parse(bytes) {
            let _ =
                (mime_type.to_string(), mime_type.charset().map(|charset| charset.encoding()), mime_type.resource());
        }
        let _ = locale_default(&String::from_utf8_lossy(bytes));
        #[cfg(feature = "structure")]
        for last in [false, true] {
            let candidates: Vec<_> = textcodec_sniff::structure::candidates(bytes, last).collect();
            assert!(candidates.len() <= 1 || candidates.len() == 2 && bytes.contains(&0), "{candidates:?}");
            let mut examination = textcodec_sniff::structure::Examination::new();
            examination.feed(bytes);
            let _ = examination.findings(last);
        }
    }
    fn similar(resource: Similar) {
        all(&resource.0);
    }
    fn random(bytes: Vec<u8>) {
        all(&bytes);
        all(&[b"text/html;charset=", &bytes[..]].concat());
    }
    QuickCheck::new().tests(3000).quickcheck(similar as fn(Similar));
    QuickCheck::new().tests(3000).quickcheck(random as fn(Vec<u8>));
}
