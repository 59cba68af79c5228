//! The order in which the sources of an encoding are asked, for HTML, plain text, scripts, XHR and FileReader; locales;
//! late declarations.

use textcodec_sniff::{
    Change, Confidence, Context, Fallback, Heuristic, Hints, Label, MetaElement, Name, Resource, Rung, Sniffed, Source,
    browser_ui, change_the_encoding, classic_script, css, file_reader, html, locale_default, text, xhr_document,
    xhr_text, xml,
};

const BOM: &[u8] = b"\xEF\xBB\xBF<meta charset=koi8-r>";
const META: &[u8] = b"<?xml encoding='big5'?><meta charset=koi8-r>";

/// Hints that name a different encoding in every field.
fn everything() -> Hints<'static> {
    Hints {
        definite: Some(Name::Iso8859_2),
        override_charset: Some("iso-8859-3".into()),
        transport: Some("iso-8859-4".into()),
        charset_attribute: Some("iso-8859-5".into()),
        environment: Some(Name::Iso8859_6),
        container: Some(Name::Iso8859_7),
        history: Some(Name::Iso8859_8),
        heuristic: Some(&|_| Some(Name::Iso8859_10)),
        locale: Some("ru"),
        ..Hints::default()
    }
}

fn outcome(sniffed: Sniffed) -> (Name, Confidence, Rung) {
    (sniffed.encoding, sniffed.confidence, sniffed.rung)
}

#[test]
fn html_asks_its_sources_from_the_top_of_the_ladder_down() {
    use Confidence::{Certain, Tentative};
    let mut hints = everything();
    assert_eq!(outcome(html(BOM, hints)), (Name::Iso8859_2, Certain, Rung::Definite));
    hints.definite = None;
    assert_eq!(outcome(html(BOM, hints)), (Name::Utf8, Certain, Rung::Bom));
    assert_eq!(outcome(html(b"\xFE\xFF\0<", hints)), (Name::Utf16Be, Certain, Rung::Bom));
    assert_eq!(outcome(html(b"\xFF\xFE\0\0", hints)), (Name::Utf16Le, Certain, Rung::Bom), "there is no UTF-32");
    assert_eq!(outcome(html(META, hints)), (Name::Iso8859_3, Certain, Rung::Override));
    hints.override_charset = Some(Label::Unknown);
    assert_eq!(outcome(html(META, hints)), (Name::Iso8859_4, Certain, Rung::Transport));
    hints.transport = Some("unknown".into());
    assert_eq!(outcome(html(META, hints)), (Name::Koi8R, Tentative, Rung::Meta));
    assert_eq!(outcome(html(&META[..40], hints)), (Name::Big5, Tentative, Rung::XmlDeclaration));
    assert_eq!(outcome(html(b"<p>", hints)), (Name::Iso8859_7, Tentative, Rung::Container));
    for utf_16 in [Name::Utf16Be, Name::Utf16Le] {
        hints.container = Some(utf_16);
        assert_eq!(outcome(html(b"<p>", hints)), (Name::Iso8859_8, Tentative, Rung::History));
    }
    hints.history = None;
    assert_eq!(outcome(html(b"<p>", hints)), (Name::Iso8859_10, Tentative, Rung::Heuristic));
    hints.heuristic = Some(&|_| None);
    assert_eq!(outcome(html(b"<p>", hints)), (Name::Windows1251, Tentative, Rung::Locale));
    hints.default = Some(Name::Utf8);
    assert_eq!(outcome(html(b"<p>", hints)), (Name::Utf8, Tentative, Rung::Default));
    (hints.default, hints.locale) = (None, None);
    assert_eq!(outcome(html(b"<p>", hints)), (Name::Windows1252, Tentative, Rung::Default));
}

/// Bytes with each kind of declaration, and hints in all combinations of their fields.
fn cases() -> impl Iterator<Item = (&'static [u8], Hints<'static>)> {
    let all: [&[u8]; 6] =
        [BOM, META, b"<p>", b"<?xml version='1.0' encoding='big5'?>", b"@charset \"big5\";", b"\0<\0?\0x"];
    (0..1_u16 << 9).flat_map(move |choice| {
        let has = |bit: u16| choice >> bit & 1 == 1;
        let hints = everything();
        let hints = Hints {
            definite: None,
            override_charset: if has(0) { hints.override_charset } else { has(1).then_some(Label::Unknown) },
            transport: hints.transport.filter(|_| has(2)),
            charset_attribute: hints.charset_attribute.filter(|_| has(3)),
            environment: hints.environment.filter(|_| has(4)),
            container: hints.container.filter(|_| has(5)),
            history: hints.history.filter(|_| has(6)),
            heuristic: hints.heuristic.filter(|_| has(7)),
            locale: hints.locale.filter(|_| has(8)),
            ..hints
        };
        all.map(|bytes| (bytes, hints))
    })
}

const RESOURCES: [Option<Resource>; 7] = [
    None,
    Some(Resource::Html),
    Some(Resource::Xml),
    Some(Resource::Css),
    Some(Resource::Script),
    Some(Resource::Json),
    Some(Resource::Text),
];

#[test]
fn each_function_asks_the_sources_of_its_context() {
    type Function = fn(&[u8], Hints<'_>) -> Sniffed;
    let functions: [(Function, Context); 7] = [
        (html, Context::HtmlParser),
        (xml, Context::XmlParser),
        (css, Context::CssFromDocument),
        (classic_script, Context::ClassicScript),
        (xhr_document, Context::XhrDocument),
        (text, Context::TextDocument),
        (file_reader, Context::FileReader),
    ];
    for (bytes, hints) in cases() {
        for (function, context) in functions {
            assert_eq!(Some(function(bytes, hints)), context.sniff(bytes, hints), "{context} {bytes:?} {hints:?}");
        }
        for resource in RESOURCES {
            let (hints, is_xml) = (Hints { resource, ..hints }, resource == Some(Resource::Xml));
            let context = if is_xml { Context::XhrTextXml } else { Context::XhrText };
            assert_eq!(Some(xhr_text(bytes, hints)), context.sniff(bytes, hints), "{bytes:?} {hints:?}");
        }
    }
}

#[test]
fn a_view_of_a_source_and_a_document_of_xhr_ask_the_sources_of_the_kind_of_resource() {
    for (bytes, hints) in cases() {
        for resource in RESOURCES {
            let hints = Hints { resource, ..hints };
            let source = match resource {
                None | Some(Resource::Html) => Context::HtmlParser,
                Some(Resource::Xml) => Context::XmlParser,
                Some(Resource::Css) => Context::CssFromDocument,
                Some(Resource::Script) => Context::ClassicScript,
                Some(Resource::Json | Resource::Text) => Context::TextDocument,
            };
            let (view, of_source) = (Context::ViewSource.sniff(bytes, hints), source.sniff(bytes, hints));
            assert_eq!(view, of_source, "{bytes:?} {hints:?}");
            if resource == Some(Resource::Xml) {
                assert_eq!(Context::XhrDocument.sniff(bytes, hints), Context::XhrTextXml.sniff(bytes, hints));
            }
        }
    }
}

/// What bytes declare to each source that reads them.
struct Declared {
    bytes: &'static [u8],
    bom: Option<Name>,
    in_html: Option<(Name, Rung)>,
    in_xml: Option<(Name, Rung)>,
    in_css: Option<Name>,
}

const DECLARED: [Declared; 7] = {
    let none = Declared { bytes: b"<p>", bom: None, in_html: None, in_xml: None, in_css: None };
    let xml = Some((Name::Big5, Rung::XmlDeclaration));
    [
        Declared { bytes: BOM, bom: Some(Name::Utf8), ..none },
        Declared { bytes: META, in_html: Some((Name::Koi8R, Rung::Meta)), ..none },
        Declared { bytes: b"<?xml version='1.0' encoding='big5'?>", in_html: xml, in_xml: xml, ..none },
        Declared { bytes: b"<?xml version='1.0' encoding='unknown'?><meta charset=unknown>", ..none },
        Declared { bytes: b"@charset \"big5\";", in_css: Some(Name::Big5), ..none },
        Declared {
            bytes: b"\0<\0?\0x",
            in_html: Some((Name::Utf16Be, Rung::XmlDeclaration)),
            in_xml: Some((Name::Utf16Be, Rung::Autodetection)),
            ..none
        },
        none,
    ]
};

/// The outcome in `context`, by its [`Context::label_sources`] and [`Context::default`] and nothing else.
fn model(context: Context, declared: &Declared, hints: Hints<'_>) -> (Name, Confidence, Rung) {
    let context = match (context, hints.resource) {
        (Context::ViewSource, None | Some(Resource::Html)) => Context::HtmlParser,
        (Context::ViewSource, Some(Resource::Xml)) => Context::XmlParser,
        (Context::ViewSource, Some(Resource::Css)) => Context::CssFromDocument,
        (Context::ViewSource, Some(Resource::Script)) => Context::ClassicScript,
        (Context::ViewSource, Some(Resource::Json | Resource::Text)) => Context::TextDocument,
        (Context::XhrDocument, Some(Resource::Xml)) => Context::XhrTextXml,
        (context, _) => context,
    };
    let is_json = hints.resource == Some(Resource::Json);
    let is_encoding_side = matches!(context, Context::UrlQuery | Context::FormSubmission);
    let (sources, known) = (context.label_sources(), |label: Option<Label>| label.and_then(Label::encoding));
    let mut ladder: Vec<(Option<Name>, Rung)> = Vec::new();
    if !sources.is_empty() {
        ladder.push((hints.definite, Rung::Definite));
    }
    for source in sources {
        match source {
            Source::Bom => ladder.push((declared.bom, Rung::Bom)),
            Source::User | Source::Override | Source::Argument => {
                ladder.push((known(hints.override_charset), Rung::Override));
            }
            Source::Transport if hints.override_charset.is_some() && sources.contains(&Source::Override) => {}
            Source::Transport => ladder.push((known(hints.transport), Rung::Transport)),
            Source::HtmlPrescan => ladder.extend(declared.in_html.map(|(encoding, rung)| (Some(encoding), rung))),
            Source::XmlDeclaration => ladder.extend(declared.in_xml.map(|(encoding, rung)| (Some(encoding), rung))),
            Source::AtCharset => ladder.push((declared.in_css, Rung::AtCharset)),
            Source::CharsetAttribute if is_encoding_side && hints.charset_attribute == Some(Label::Unknown) => {
                ladder.push((Some(Name::Utf8), Rung::Default));
            }
            Source::CharsetAttribute => ladder.push((known(hints.charset_attribute), Rung::CharsetAttribute)),
            source => panic!("{source}"),
        }
    }
    match context.default() {
        Fallback::Environment => ladder.push((hints.environment, Rung::Environment)),
        Fallback::OfMimeType if is_json => ladder.push((Some(Name::Utf8), Rung::Default)),
        Fallback::Implementation | Fallback::OfMimeType => ladder.extend([
            (hints.container.filter(|&encoding| encoding != Name::Utf16Le), Rung::Container),
            (hints.history, Rung::History),
            (hints.heuristic.and_then(|guess| guess(b"")), Rung::Heuristic),
            (hints.default, Rung::Default),
            (hints.locale.map(|_| Name::Windows1251), Rung::Locale),
            (Some(Name::Windows1252), Rung::Default),
        ]),
        _ => {}
    }
    let is_fixed = sources.is_empty() && !is_encoding_side;
    ladder.push((Some(Name::Utf8), if is_fixed { Rung::Fixed } else { Rung::Default }));
    let (encoding, rung) = ladder.into_iter().find_map(|(encoding, rung)| Some((encoding?, rung))).unwrap();
    if rung == Rung::Override && sources.contains(&Source::User) {
        let without = model(context, declared, Hints { override_charset: None, ..hints });
        if matches!(without.0, Name::Utf16Be | Name::Utf16Le) {
            return without;
        }
    }
    let is_tentative = match context {
        Context::HtmlParser | Context::TextDocument => {
            let is_for_json = context == Context::TextDocument && is_json && rung == Rung::Default;
            !is_for_json && !matches!(rung, Rung::Definite | Rung::Bom | Rung::Override | Rung::Transport)
        }
        _ => false,
    };
    let confidence = match rung {
        Rung::Fixed => Confidence::Irrelevant,
        _ if is_tentative => Confidence::Tentative,
        _ => Confidence::Certain,
    };
    (encoding, confidence, rung)
}

#[test]
fn each_context_has_the_first_source_that_names_an_encoding_for_every_combination_of_hints() {
    let (all, no_guess): (_, Option<Heuristic<'_>>) = (everything(), Some(&|_| None));
    let contexts = Context::ALL.iter().filter(|context| context.default() != Fallback::None);
    // All pairs of values of two fields, and most triples: 17 has no factor in common with the numbers of values.
    for number in (0..7 * 6_usize.pow(5)).step_by(17) {
        let mut rest = number;
        let mut choose = |values: usize| {
            let choice = rest % values;
            rest /= values;
            choice
        };
        let hints = Hints {
            override_charset: [None, Some(Label::Unknown), all.override_charset][choose(3)],
            transport: [None, Some(Label::Unknown), all.transport][choose(3)],
            charset_attribute: [None, Some(Label::Unknown), all.charset_attribute][choose(3)],
            container: [None, Some(Name::Utf16Le), all.container][choose(3)],
            heuristic: [None, no_guess, all.heuristic][choose(3)],
            resource: RESOURCES[choose(7)],
            environment: [None, all.environment][choose(2)],
            history: [None, all.history][choose(2)],
            locale: [None, all.locale][choose(2)],
            default: [None, Some(Name::Iso8859_13)][choose(2)],
            definite: [None, all.definite][choose(2)],
            ..Hints::default()
        };
        for declared in &DECLARED {
            for context in contexts.clone() {
                let found = outcome(context.sniff(declared.bytes, hints).unwrap());
                assert_eq!(
                    found,
                    model(*context, declared, hints),
                    "{context} {} {hints:?}",
                    declared.bytes.escape_ascii()
                );
            }
        }
    }
}

#[test]
fn each_rung_has_a_word_and_a_phrase() {
    let expected = "\
        definite: it was known in advance\n\
        bom: a byte order mark\n\
        override: an override names it\n\
        transport: the transport layer names it\n\
        meta: a meta element declares it\n\
        xml-declaration: an XML declaration\n\
        autodetection: the first bytes are XML in it\n\
        at-charset: @charset declares it\n\
        charset-attribute: the charset attribute of the reference names it\n\
        environment: the referring document is in it\n\
        container: the container document is in it\n\
        history: it was the encoding at an earlier visit\n\
        heuristic: a guess from the bytes\n\
        locale: the locale's default\n\
        default: the default, as nothing says otherwise\n\
        fixed: no other encoding is possible here";
    let all: Vec<String> = Rung::ALL.iter().map(|rung| format!("{}: {rung}", rung.as_str())).collect();
    assert_eq!(all.join("\n"), expected);
}

#[test]
fn a_known_definite_encoding_comes_before_everything_in_each_context_with_sources() {
    let with_sources = Context::ALL.iter().copied().filter(|context| !context.label_sources().is_empty());
    let mut number = 0;
    for context in with_sources {
        for bytes in [BOM, META, b"<p>", b"@charset \"big5\";", b"\xFE\xFF\0<"] {
            for resource in RESOURCES {
                let sniffed = context.sniff(bytes, Hints { resource, ..everything() }).unwrap();
                let expected = (Name::Iso8859_2, Confidence::Certain, Rung::Definite);
                assert_eq!(outcome(sniffed), expected, "{context} {bytes:?} {resource:?}");
            }
        }
        number += 1;
    }
    assert_eq!(number, 14);
}

#[test]
fn json_is_utf_8_whatever_is_known_besides_labels_and_marks() {
    let hints = Hints { resource: Some(Resource::Json), definite: None, ..everything() };
    for context in [Context::TextDocument, Context::ViewSource] {
        let with = |bytes, override_charset, transport| {
            outcome(context.sniff(bytes, Hints { override_charset, transport, ..hints }).unwrap())
        };
        let certain = |name, rung| (name, Confidence::Certain, rung);
        let default = certain(Name::Utf8, Rung::Default);
        assert_eq!(with(b"{}", None, None), default, "{context}");
        assert_eq!(with(b"{}", Some(Label::Unknown), Some(Label::Unknown)), default, "{context}");
        assert_eq!(with(BOM, None, None), certain(Name::Utf8, Rung::Bom), "{context}");
        let transport = Some(Label::from("big5"));
        assert_eq!(with(b"{}", None, transport), certain(Name::Big5, Rung::Transport), "{context}");
        assert_eq!(
            with(b"{}", hints.override_charset, transport),
            certain(Name::Iso8859_3, Rung::Override),
            "{context}"
        );
        let default = Hints { default: Some(Name::Koi8R), override_charset: None, transport: None, ..hints };
        assert_eq!(context.sniff(b"{}", default).unwrap().encoding, Name::Utf8, "{context}");
    }
}

/// The contexts in which a user may override the encoding.
const LISTEN_TO_USERS: [Context; 3] = [Context::HtmlParser, Context::XmlParser, Context::TextDocument];

#[test]
fn a_user_cannot_choose_utf_16_or_replacement() {
    for context in LISTEN_TO_USERS {
        for encoding in Name::ALL {
            let hints =
                Hints { override_charset: Some(encoding.into()), transport: Some("big5".into()), ..Hints::default() };
            let sniffed = context.sniff(b"<p>", hints).unwrap();
            let is_forbidden = matches!(encoding, Name::Utf16Be | Name::Utf16Le | Name::Replacement);
            let expected = if is_forbidden { (Name::Big5, Rung::Transport) } else { (encoding, Rung::Override) };
            assert_eq!((sniffed.encoding, sniffed.rung), expected, "{context}");
            assert_eq!(browser_ui::is_offered(encoding), !is_forbidden);
            assert_eq!(browser_ui::OFFERED.contains(&encoding), !is_forbidden);
        }
    }
    let offered = Name::ALL.into_iter().filter(|&encoding| browser_ui::is_offered(encoding));
    assert!(browser_ui::OFFERED.into_iter().eq(offered), "in the order of the Standard's table");
    // A page's script is no user: overrideMimeType() and readAsText() may name any encoding.
    for context in [Context::XhrText, Context::FileReader, Context::TextDecoder] {
        let hints = Hints { override_charset: Some("utf-16".into()), ..Hints::default() };
        assert_eq!(context.sniff(b"abc", hints).unwrap().encoding, Name::Utf16Le, "{context}");
    }
}

#[test]
fn a_user_cannot_override_a_document_in_utf_16() {
    let koi8_r = Hints { override_charset: Some("koi8-r".into()), ..Hints::default() };
    for (context, bytes, hints, expected) in [
        (Context::HtmlParser, &b"\xFE\xFF\0<"[..], koi8_r, Name::Utf16Be),
        (Context::HtmlParser, b"<\0?\0x\0", koi8_r, Name::Utf16Le),
        (Context::XmlParser, b"\0<\0?", koi8_r, Name::Utf16Be),
        (Context::HtmlParser, b"a", Hints { transport: Some("utf-16".into()), ..koi8_r }, Name::Utf16Le),
        (Context::TextDocument, b"a", Hints { transport: Some("utf-16be".into()), ..koi8_r }, Name::Utf16Be),
        (Context::HtmlParser, b"a", Hints { history: Some(Name::Utf16Le), ..koi8_r }, Name::Utf16Le),
        (Context::TextDocument, b"a", Hints { heuristic: Some(&|_| Some(Name::Utf16Be)), ..koi8_r }, Name::Utf16Be),
        (Context::TextDocument, b"a", Hints { default: Some(Name::Utf16Be), ..koi8_r }, Name::Utf16Be),
    ] {
        let sniffed = context.sniff(bytes, hints).unwrap();
        assert_ne!(sniffed.rung, Rung::Override, "{context} {bytes:?}");
        assert_eq!(sniffed.encoding, expected, "{context} {bytes:?}");
        assert!(!browser_ui::can_be_overridden(sniffed.encoding));
    }
    // A hint that is not asked does not count: here the prescan comes before the history.
    let hints = Hints { history: Some(Name::Utf16Le), ..koi8_r };
    assert_eq!(html(META, hints).rung, Rung::Override);
    let hints = Hints { container: Some(Name::Utf16Le), ..koi8_r };
    assert_eq!(html(b"<p>", hints).rung, Rung::Override);
}

#[test]
fn the_network_may_name_any_encoding() {
    for (label, encoding) in [
        ("utf-16be", Name::Utf16Be),
        ("utf-16", Name::Utf16Le),
        ("iso-2022-kr", Name::Replacement),
        ("x-user-defined", Name::XUserDefined),
    ] {
        let hints = Hints { transport: Some(label.into()), ..Hints::default() };
        assert_eq!(html(b"<meta charset=koi8-r>", hints).encoding, encoding, "{label}");
    }
}

#[test]
fn a_heuristic_sees_all_bytes_if_no_other_source_names_an_encoding() {
    let length = std::sync::Mutex::new(0);
    let heuristic = |bytes: &[u8]| {
        *length.lock().unwrap() = bytes.len();
        Some(Name::Big5)
    };
    let hints = Hints { heuristic: Some(&heuristic), ..Hints::default() };
    assert_eq!(html(META, hints).rung, Rung::Meta);
    assert_eq!(*length.lock().unwrap(), 0);
    assert_eq!(html(&[b'a'; 5000], hints).rung, Rung::Heuristic);
    assert_eq!(*length.lock().unwrap(), 5000);
}

#[test]
fn plain_text_declares_nothing() {
    let mut hints = Hints { definite: None, ..everything() };
    assert_eq!(text(BOM, hints).rung, Rung::Bom);
    assert_eq!(text(META, hints).rung, Rung::Override);
    hints.override_charset = None;
    assert_eq!(outcome(text(META, hints)), (Name::Iso8859_4, Confidence::Certain, Rung::Transport));
    hints.transport = None;
    assert_eq!(outcome(text(META, hints)), (Name::Iso8859_7, Confidence::Tentative, Rung::Container));
    hints.container = None;
    hints.history = None;
    assert_eq!(text(META, hints).rung, Rung::Heuristic);
    hints.heuristic = None;
    assert_eq!(text(META, hints).rung, Rung::Locale);
    hints.resource = Some(Resource::Json);
    assert_eq!(outcome(text(META, hints)), (Name::Utf8, Confidence::Certain, Rung::Default), "JSON is UTF-8");
}

#[test]
fn a_classic_script_is_in_the_encoding_of_http_then_its_element_then_the_document() {
    let mut hints = Hints { definite: None, ..everything() };
    assert_eq!(classic_script(BOM, hints).encoding, Name::Utf8);
    assert_eq!(classic_script(META, hints).encoding, Name::Iso8859_4);
    hints.transport = Some(Label::Unknown);
    assert_eq!(outcome(classic_script(META, hints)), (Name::Iso8859_5, Confidence::Certain, Rung::CharsetAttribute));
    hints.charset_attribute = Some(Label::Unknown);
    assert_eq!(outcome(classic_script(META, hints)), (Name::Iso8859_6, Confidence::Certain, Rung::Environment));
    hints.environment = None;
    assert_eq!(classic_script(META, hints).encoding, Name::Utf8);
}

#[test]
fn an_override_of_xhr_replaces_the_label_of_http_even_if_unknown() {
    let transport = Some("koi8-r".into());
    for (override_charset, expected) in
        [(None, Name::Koi8R), (Some("big5".into()), Name::Big5), (Some("unknown".into()), Name::Utf8)]
    {
        let hints = Hints { transport, override_charset, ..Hints::default() };
        assert_eq!(xhr_text(b"", hints).encoding, expected, "{override_charset:?}");
        assert_eq!(xhr_document(b"", hints).encoding, expected, "{override_charset:?}");
    }
    let hints = Hints { transport, override_charset: Some("unknown".into()), ..Hints::default() };
    assert_eq!(xhr_document(b"<meta charset=big5>", hints).encoding, Name::Big5);
}

#[test]
fn a_text_response_of_xhr_reads_no_declaration_except_that_of_xml() {
    let declaration = b"<?xml version='1.0' encoding='big5'?><meta charset=koi8-r>";
    let xml = Hints { resource: Some(Resource::Xml), ..Hints::default() };
    let page = Hints { resource: Some(Resource::Html), ..Hints::default() };
    assert_eq!(xhr_text(declaration, xml).encoding, Name::Big5);
    assert_eq!(xhr_text(declaration, page).encoding, Name::Utf8);
    assert_eq!(xhr_text(b"\xFE\xFF", page).encoding, Name::Utf16Be);
    let hints = Hints { transport: Some("koi8-r".into()), ..xml };
    assert_eq!(xhr_text(declaration, hints).encoding, Name::Koi8R);
}

#[test]
fn a_document_response_of_xhr_is_certain_whatever_the_source() {
    let page = Hints { container: Some(Name::Big5), locale: Some("ru"), ..Hints::default() };
    assert_eq!(outcome(xhr_document(META, page)), (Name::Koi8R, Confidence::Certain, Rung::Meta));
    assert_eq!(outcome(xhr_document(b"<p>", page)), (Name::Utf8, Confidence::Certain, Rung::Default));
    let xml = Hints { resource: Some(Resource::Xml), ..page };
    assert_eq!(
        outcome(xhr_document(META, xml)),
        (Name::Utf8, Confidence::Certain, Rung::Default),
        "no declaration of XML"
    );
    let declaration = b"<?xml version='1.0' encoding='big5'?>";
    assert_eq!(outcome(xhr_document(declaration, xml)), (Name::Big5, Confidence::Certain, Rung::XmlDeclaration));
}

#[test]
fn a_file_reader_uses_its_argument_then_the_type_of_the_blob() {
    let hints = |argument: Option<&str>, blob: Option<&str>| Hints {
        override_charset: argument.map(Label::from),
        transport: blob.map(Label::from),
        ..Hints::default()
    };
    assert_eq!(file_reader(META, hints(Some("koi8-r"), Some("big5"))).encoding, Name::Koi8R);
    assert_eq!(file_reader(META, hints(Some("unknown"), Some("big5"))).encoding, Name::Big5);
    assert_eq!(file_reader(META, hints(None, Some("unknown"))).encoding, Name::Utf8);
    assert_eq!(file_reader(b"\xFF\xFE", hints(Some("koi8-r"), None)).encoding, Name::Utf16Le, "a mark wins");
}

#[test]
fn a_view_of_a_source_is_decoded_as_the_source_is() {
    let rung = |bytes, resource| Context::ViewSource.sniff(bytes, Hints { resource, ..Hints::default() }).unwrap().rung;
    assert_eq!(rung(META, None), Rung::Meta);
    assert_eq!(rung(META, Some(Resource::Html)), Rung::Meta);
    assert_eq!(rung(META, Some(Resource::Text)), Rung::Default);
    assert_eq!(rung(b"<?xml version='1.0' encoding='big5'?>", Some(Resource::Xml)), Rung::XmlDeclaration);
    assert_eq!(rung(b"@charset \"big5\";", Some(Resource::Css)), Rung::AtCharset);
}

#[test]
fn a_form_is_sent_in_the_encoding_of_its_labels_or_of_its_document() {
    let form = |accept_charset: Option<&str>| {
        let charset_attribute = accept_charset.map(Label::first_of);
        let hints = Hints { charset_attribute, environment: Some(Name::Koi8R), ..Hints::default() };
        Context::FormSubmission.sniff(b"", hints).unwrap().encoding
    };
    assert_eq!(form(None), Name::Koi8R);
    assert_eq!(form(Some(" unknown\tbig5\nsjis")), Name::Big5);
    assert_eq!(form(Some("utf-16 big5")), Name::Utf8, "its output encoding");
    for byte in '\0'..='\x7F' {
        let expected = if "\t\n\x0C\r ".contains(byte) { Name::Big5 } else { Name::Utf8 };
        assert_eq!(form(Some(&format!("unknown{byte}big5"))), expected, "{byte:?} between two labels");
    }
    assert_eq!(form(Some("unknown")), Name::Utf8, "not as the document");
    assert_eq!(form(Some("")), Name::Utf8);
}

#[test]
fn each_locale_has_the_default_of_its_pages() {
    for (tags, encoding) in [
        ("ar fa fa-IR", Name::Windows1256),
        ("az ku tr tr-TR", Name::Windows1254),
        ("ba be bg kk ky mk ru sah sr sr-Latn-RS tg tt uk RU_ru", Name::Windows1251),
        ("cs hr sk", Name::Windows1250),
        ("el el-GR", Name::Iso8859_7),
        ("et lt lv", Name::Windows1257),
        ("he", Name::Windows1255),
        ("hu pl sl", Name::Iso8859_2),
        ("ja ja_JP.UTF-8 ja-Jpan-JP", Name::ShiftJis),
        ("ko", Name::EucKr),
        ("th", Name::Windows874),
        ("vi", Name::Windows1258),
        ("zh-Hans zh-CN zh-SG zh-hans-HK zh_CN.GB18030", Name::Gbk),
        ("zh-Hant zh-HK zh-MO zh-TW zh-Hant-CN zh-yue-HK zh-1996-HK", Name::Big5),
        // 156 is a region, China.
        ("zh en de-DE pt fr C POSIX jav ru1 zz zh-156-HK", Name::Windows1252),
    ] {
        for tag in tags.split(' ') {
            assert_eq!(locale_default(tag), encoding, "{tag}");
        }
    }
    assert_eq!(locale_default(""), Name::Windows1252);
}

#[test]
fn a_late_meta_element_declares_by_charset_and_then_by_its_pragma() {
    let meta = |charset: Option<&'static str>, http_equiv: Option<&'static str>, content: Option<&'static str>| {
        let [charset, http_equiv, content] = [charset, http_equiv, content].map(|value| value.map(str::as_bytes));
        MetaElement { charset, http_equiv, content }.encoding()
    };
    let pragma = Some("Content-TYPE");
    assert_eq!(meta(Some(" sjis "), None, None), Some(Name::ShiftJis));
    assert_eq!(meta(Some("sjis"), pragma, Some("charset=big5")), Some(Name::ShiftJis));
    assert_eq!(meta(Some("unknown"), pragma, Some("charset=big5")), Some(Name::Big5), "unlike in the prescan");
    assert_eq!(meta(None, None, Some("charset=big5")), None);
    assert_eq!(meta(None, Some("refresh"), Some("charset=big5")), None);
    assert_eq!(meta(None, pragma, Some("text/html")), None);
    assert_eq!(meta(None, pragma, None), None);
}

#[test]
fn changing_the_encoding_follows_the_six_steps() {
    for utf_16 in [Name::Utf16Be, Name::Utf16Le] {
        assert_eq!(change_the_encoding(utf_16, Name::Koi8R, true), Change::Keep);
        assert_eq!(change_the_encoding(Name::Koi8R, utf_16, true), Change::Switch(Name::Utf8));
        assert_eq!(change_the_encoding(Name::Utf8, utf_16, false), Change::Keep);
    }
    assert_eq!(change_the_encoding(Name::Koi8R, Name::XUserDefined, false), Change::Reload(Name::Windows1252));
    assert_eq!(change_the_encoding(Name::Windows1252, Name::XUserDefined, false), Change::Keep);
    assert_eq!(change_the_encoding(Name::Koi8R, Name::Koi8R, false), Change::Keep);
    assert_eq!(change_the_encoding(Name::Koi8R, Name::Big5, true), Change::Switch(Name::Big5));
    assert_eq!(change_the_encoding(Name::Koi8R, Name::Big5, false), Change::Reload(Name::Big5));
}
