//! [Determine the fallback encoding](https://drafts.csswg.org/css-syntax/#determine-the-fallback-encoding).

use textcodec_sniff::{Context, Hints, Label, Name, Rung, css, determine_the_fallback_encoding as determine};

/// The encoding of a sheet that a page in windows-1251 refers to.
fn encoding(sheet: &[u8], transport: Option<&str>, attribute: Option<&str>) -> Name {
    let hints = Hints {
        transport: transport.map(Label::from),
        charset_attribute: attribute.map(Label::from),
        environment: Some(Name::Windows1251),
        ..Hints::default()
    };
    css(sheet, hints).encoding
}

#[test]
fn http_comes_first_then_at_charset_then_the_attribute_then_the_page() {
    let sheet = b"@charset \"windows-1250\"; p {}";
    assert_eq!(encoding(sheet, Some("koi8-r"), Some("windows-1253")), Name::Koi8R);
    assert_eq!(encoding(sheet, None, Some("windows-1253")), Name::Windows1250);
    assert_eq!(encoding(b"p {}", None, Some("windows-1253")), Name::Windows1253);
    assert_eq!(encoding(b"p {}", None, None), Name::Windows1251);
}

#[test]
fn after_an_unknown_label_the_next_source_decides() {
    assert_eq!(encoding(b"@charset \"windows-1250\";", Some("unknown"), None), Name::Windows1250);
    assert_eq!(encoding(b"@charset \"unknown\";", None, Some("windows-1250")), Name::Windows1250);
    assert_eq!(encoding(b"p {}", None, Some("unknown")), Name::Windows1251);
    assert_eq!(encoding(b"@charset \"unknown\";", Some("unknown"), Some("unknown")), Name::Windows1251);
}

#[test]
fn a_byte_order_mark_wins_over_http() {
    let hints = Hints { transport: Some("windows-1251".into()), ..Hints::default() };
    let sniffed = css(b"\xEF\xBB\xBF@charset \"big5\";", hints);
    assert_eq!((sniffed.encoding, sniffed.rung), (Name::Utf8, Rung::Bom));
}

#[test]
fn a_page_can_be_in_utf_16_and_a_declaration_cannot() {
    let hints = Hints { environment: Some(Name::Utf16Le), ..Hints::default() };
    assert_eq!(css(b"p\0", hints).encoding, Name::Utf16Le);
    assert_eq!(encoding(b"@charset \"utf-16\";", None, None), Name::Utf8);
    assert_eq!(encoding(b"@charset \"utf-16be\";", None, None), Name::Utf8);
}

#[test]
fn an_at_charset_written_in_utf_16_does_not_count() {
    let sheet: Vec<u8> = "@charset \"windows-1250\";".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(encoding(&sheet, None, None), Name::Windows1251);
    let sheet: Vec<u8> = "@charset \"windows-1250\";".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(encoding(&sheet, None, None), Name::Windows1251);
}

#[test]
fn an_at_charset_is_exactly_these_bytes() {
    assert_eq!(determine(b"@charset \" Windows-1250\t\";", None, None), Name::Windows1250, "get an encoding trims");
    for not in [
        "@CHARSET \"windows-1250\";",
        "@charset  \"windows-1250\";",
        "@charset\t\"windows-1250\";",
        "@charset 'windows-1250';",
        "@charset \"windows-1250\" ;",
        "@charset \"windows-1250\"",
        "@charset \"windows-1250;",
        "@charset windows-1250;",
        " @charset \"windows-1250\";",
        "/**/@charset \"windows-1250\";",
        "@charset \"windows-1250é\";",
        "@charset \"\";",
    ] {
        assert_eq!(determine(not.as_bytes(), None, Some(Name::Big5)), Name::Big5, "{not}");
    }
}

#[test]
fn an_at_charset_is_within_1024_bytes() {
    for (padding, expected) in [(1024 - 24, Name::Windows1250), (1024 - 23, Name::Utf8)] {
        let sheet = format!("@charset \"{}windows-1250\";", " ".repeat(padding));
        assert_eq!(determine(sheet.as_bytes(), None, None), expected, "{}", sheet.len());
        assert_eq!(css(sheet.as_bytes(), Hints::default()).encoding, expected, "{}", sheet.len());
    }
}

#[test]
fn an_imported_sheet_is_in_the_encoding_of_the_importing_sheet_and_one_of_a_link_header_in_utf_8() {
    let hints = Hints { environment: Some(Name::Koi8R), charset_attribute: Some("big5".into()), ..Hints::default() };
    let encoding = |context: Context| context.sniff(b"p {}", hints).unwrap().encoding;
    assert_eq!(encoding(Context::CssFromDocument), Name::Big5);
    assert_eq!(encoding(Context::CssFromStyleSheet), Name::Koi8R);
    assert_eq!(encoding(Context::CssFromLinkHeader), Name::Utf8);
}

#[test]
fn each_combination_of_absent_unknown_and_known_sources_has_the_first_known_encoding() {
    let labels = |known: Name| [None, Some(Label::Unknown), Some(Label::Encoding(known))];
    let sheets = [
        (&b"p {}"[..], None),
        (b"@charset \"unknown\";", None),
        (b"@charset \"windows-1250\";", Some(Name::Windows1250)),
        (b"@charset \"utf-16\";", Some(Name::Utf8)),
    ];
    for (sheet, declared) in sheets {
        for transport in labels(Name::Koi8R) {
            for environment in [None, Some(Name::Windows1251)] {
                let first = transport.and_then(Label::encoding).or(declared);
                let expected = first.or(environment).unwrap_or(Name::Utf8);
                let place = format!("{} {transport:?} {environment:?}", sheet.escape_ascii());
                assert_eq!(determine(sheet, transport, environment), expected, "{place}");
                for charset_attribute in labels(Name::Big5) {
                    let hints = Hints { transport, charset_attribute, environment, ..Hints::default() };
                    let encoding = |context: Context| context.sniff(sheet, hints).unwrap().encoding;
                    let with_attribute = first.or(charset_attribute.and_then(Label::encoding)).or(environment);
                    let with_attribute = with_attribute.unwrap_or(Name::Utf8);
                    assert_eq!(encoding(Context::CssFromDocument), with_attribute, "{place} {charset_attribute:?}");
                    assert_eq!(encoding(Context::CssFromStyleSheet), expected, "{place} {charset_attribute:?}");
                    assert_eq!(encoding(Context::CssFromLinkHeader), first.unwrap_or(Name::Utf8), "{place}");
                }
            }
        }
    }
}
