//! XML: *get an XML encoding* of HTML, the autodetection and the declaration of XML itself.

use textcodec_sniff::{Autodetection, Hints, Name, Rung, get_an_xml_encoding, xml, xml_declaration};

const KOI8: Option<Name> = Some(Name::Koi8R);

#[test]
fn the_declaration_is_at_the_start_and_in_lower_case() {
    assert_eq!(get_an_xml_encoding(b"<?xml encoding='koi8-r'?>"), KOI8);
    for not in [" <?xml encoding='koi8-r'?>", "\u{FEFF}<?xml encoding='koi8-r'?>", "<?XML encoding='koi8-r'?>", "<?xm"]
    {
        assert_eq!(get_an_xml_encoding(not.as_bytes()), None, "{not}");
    }
    assert_eq!(get_an_xml_encoding(b"<?xmlaencoding='koi8-r'?>"), KOI8, "no white space is needed");
}

#[test]
fn the_declaration_ends_at_the_first_greater_than_sign_even_in_quotes() {
    assert_eq!(get_an_xml_encoding(b"<?xml encoding='koi8-r'>"), KOI8, "no question mark is needed");
    assert_eq!(get_an_xml_encoding(b"<?xml encoding='koi8-r'"), None);
    assert_eq!(get_an_xml_encoding(b"<?xml a='>' encoding='koi8-r'?>"), None);
    assert_eq!(get_an_xml_encoding(b"<?xml encoding='koi8-r>'?>"), None);
}

#[test]
fn only_the_first_encoding_is_tried() {
    assert_eq!(get_an_xml_encoding(b"<?xml version='1.0'?>"), None);
    assert_eq!(get_an_xml_encoding(b"<?xml Encoding='koi8-r'?>"), None, "the case counts");
    assert_eq!(get_an_xml_encoding(b"<?xml encodingencoding='koi8-r'?>"), None);
    assert_eq!(get_an_xml_encoding(b"<?xml encoding=encoding='koi8-r'?>"), None);
    assert_eq!(get_an_xml_encoding(b"<?xml Xencoding='koi8-r'?>"), KOI8, "it may be part of a word");
}

#[test]
fn bytes_up_to_a_space_may_surround_the_equals_sign() {
    assert_eq!(get_an_xml_encoding(b"<?xml encoding\0\x01\x0B =\x1F\n'koi8-r'?>"), KOI8);
    assert_eq!(get_an_xml_encoding(b"<?xml encoding\x7F='koi8-r'?>"), None);
    assert_eq!(get_an_xml_encoding(b"<?xml encoding 'koi8-r'?>"), None);
    assert_eq!(get_an_xml_encoding(b"<?xml encoding=koi8-r?>"), None, "quotes are needed");
}

#[test]
fn every_byte_beside_the_equals_sign_and_in_the_label_is_skipped_refused_or_part_of_the_label() {
    for byte in 0..=0xFF {
        let get = |before: &[u8], after: &[u8]| get_an_xml_encoding(&[b"<?xml encoding", before, b"=", after].concat());
        let skipped = KOI8.filter(|_| byte <= b' ');
        assert_eq!(get(&[byte], b"'koi8-r'?>"), skipped, "{byte:02X} before");
        let equals = if byte == b'>' { None } else { skipped };
        assert_eq!(get(b"", &[&[byte][..], b"'koi8-r'?>"].concat()), equals, "{byte:02X} after");
        assert_eq!(get(b"", &[b"'koi8-r", &[byte][..], b"?>"].concat()), KOI8.filter(|_| byte == b'\''), "{byte:02X}");
        assert_eq!(get(b"", &[b"'", &[byte][..], b"oi8-r'?>"].concat()), KOI8.filter(|_| matches!(byte, b'k' | b'K')));
    }
    assert_eq!(get_an_xml_encoding(b"<?xml encoding='' a='koi8-r'?>"), None, "the label is empty");
}

#[test]
fn the_label_is_in_matching_quotes_without_bytes_up_to_a_space() {
    assert_eq!(get_an_xml_encoding(b"<?xml encoding=\"KOI8-R\"?>"), KOI8);
    for wrong in ["'koi8-r\"", "' koi8-r'", "'koi8-r '", "'koi8-r\0'", "''", "'unknown'"] {
        assert_eq!(get_an_xml_encoding(format!("<?xml encoding={wrong}?>").as_bytes()), None, "{wrong}");
    }
    // The search for a label would strip white space.
    for byte in '\0'..=' ' {
        for wrong in [format!("'{byte}koi8-r'"), format!("'koi8-r{byte}'")] {
            assert_eq!(get_an_xml_encoding(format!("<?xml encoding={wrong}?>").as_bytes()), None, "{wrong:?}");
        }
    }
}

#[test]
fn utf_16_means_utf_8_and_x_user_defined_means_itself() {
    assert_eq!(get_an_xml_encoding(b"<?xml encoding='utf-16'?>"), Some(Name::Utf8));
    assert_eq!(get_an_xml_encoding(b"<?xml encoding='utf-16be'?>"), Some(Name::Utf8));
    assert_eq!(get_an_xml_encoding(b"<?xml encoding='x-user-defined'?>"), Some(Name::XUserDefined));
}

#[test]
fn four_bytes_tell_the_families_of_encodings_apart() {
    use Autodetection::{Ascii, Ebcdic, Other, Ucs4, Utf8Bom, Utf16Be, Utf16Le};
    for (bytes, expected) in [
        (*b"\0\0\xFE\xFF", Ucs4 { order: [1, 2, 3, 4], has_bom: true }),
        (*b"\xFF\xFE\0\0", Ucs4 { order: [4, 3, 2, 1], has_bom: true }),
        (*b"\0\0\xFF\xFE", Ucs4 { order: [2, 1, 4, 3], has_bom: true }),
        (*b"\xFE\xFF\0\0", Ucs4 { order: [3, 4, 1, 2], has_bom: true }),
        (*b"\xFE\xFF\0<", Utf16Be { has_bom: true }),
        (*b"\xFF\xFE<\0", Utf16Le { has_bom: true }),
        (*b"\xEF\xBB\xBF<", Utf8Bom),
        (*b"\0\0\0<", Ucs4 { order: [1, 2, 3, 4], has_bom: false }),
        (*b"<\0\0\0", Ucs4 { order: [4, 3, 2, 1], has_bom: false }),
        (*b"\0\0<\0", Ucs4 { order: [2, 1, 4, 3], has_bom: false }),
        (*b"\0<\0\0", Ucs4 { order: [3, 4, 1, 2], has_bom: false }),
        (*b"\0<\0?", Utf16Be { has_bom: false }),
        (*b"<\0?\0", Utf16Le { has_bom: false }),
        (*b"<?xm", Ascii),
        (*b"\x4C\x6F\xA7\x94", Ebcdic),
        (*b"<doc", Other),
    ] {
        assert_eq!(Autodetection::of(&bytes), expected, "{bytes:02X?}");
    }
    assert_eq!(Autodetection::of(b""), Other);
    assert_eq!(Autodetection::of(b"\xFF\xFE<"), Utf16Le { has_bom: true }, "two bytes are a byte order mark");
}

#[test]
fn families_that_the_encoding_standard_does_not_have_are_read_as_browsers_read_them() {
    let encoding = |bytes: &[u8]| xml(bytes, Hints::default()).encoding;
    assert_eq!(encoding(b"\0\0\0<\0\0\0?"), Name::Utf8);
    assert_eq!(encoding(b"<\0\0\0?\0\0\0"), Name::Utf8);
    assert_eq!(encoding(b"\0\0\xFE\xFF\0\0\0<"), Name::Utf8);
    assert_eq!(encoding(b"\xFF\xFE\0\0<\0\0\0"), Name::Utf16Le);
    assert_eq!(encoding(b"\x4C\x6F\xA7\x94\x93\x40"), Name::Utf8);
}

#[test]
fn the_declaration_of_xml_follows_its_grammar() {
    for right in [
        "<?xml version='1.0' encoding='koi8-r'?>",
        "<?xml version=\"1.1\"\tencoding=\"koi8-r\"?>",
        "<?xml\nversion = '1.0'\r\nencoding\t= 'koi8-r' standalone='yes' ?>",
    ] {
        assert_eq!(xml_declaration(right.as_bytes()), Some("koi8-r"), "{right}");
    }
    for wrong in [
        "<?xml version='1.0'?>",
        "<?xml version='1.0' encoding='koi8-r'>",
        "<?xml version='1.0' encoding='koi8-r'",
        "<?xml encoding='koi8-r'?>",
        "<?xml encoding='koi8-r' version='1.0'?>",
        "<?xmlversion='1.0' encoding='koi8-r'?>",
        "<?xml version='1.0'encoding='koi8-r'?>",
        "<?xml version='1.0' encoding=koi8-r?>",
        "<?xml version='1.0' encoding='koi8-r\"?>",
        "<?xml version='1.0' encoding=' koi8-r'?>",
        "<?xml version='1.0' encoding='8koi'?>",
        "<?xml version='1.0' encoding=''?>",
        "<?xml version='' encoding='koi8-r'?>",
        "<?xml version='1.0' encoding='koi8-r' standalone='maybe'?>",
        "<?xml version='1.0' encoding='koi8-r' x?>",
        " <?xml version='1.0' encoding='koi8-r'?>",
        "<?XML version='1.0' encoding='koi8-r'?>",
        "",
    ] {
        assert_eq!(xml_declaration(wrong.as_bytes()), None, "{wrong}");
    }
}

#[test]
fn a_byte_order_mark_comes_first_then_transport_then_the_declaration_then_utf_8() {
    let declaration = b"<?xml version='1.0' encoding='koi8-r'?><a/>";
    let with_bom = [&b"\xEF\xBB\xBF"[..], declaration].concat();
    let transport = Hints { transport: Some("big5".into()), ..Hints::default() };
    let outcome = |bytes: &[u8], hints| {
        let sniffed = xml(bytes, hints);
        (sniffed.encoding, sniffed.rung)
    };
    assert_eq!(outcome(&with_bom, transport), (Name::Utf8, Rung::Bom));
    assert_eq!(outcome(declaration, transport), (Name::Big5, Rung::Transport));
    assert_eq!(outcome(declaration, Hints::default()), (Name::Koi8R, Rung::XmlDeclaration));
    assert_eq!(outcome(b"<a/>", Hints::default()), (Name::Utf8, Rung::Default));
    assert_eq!(outcome(b"\0<\0?\0x", Hints::default()), (Name::Utf16Be, Rung::Autodetection));
    assert_eq!(outcome(b"<\0?\0x\0", Hints::default()), (Name::Utf16Le, Rung::Autodetection));
    let utf_16 = b"<?xml version='1.0' encoding='utf-16'?><a/>";
    assert_eq!(outcome(utf_16, Hints::default()), (Name::Utf8, Rung::XmlDeclaration), "it can be read as ASCII");
    let unknown = b"<?xml version='1.0' encoding='unknown'?><a/>";
    assert_eq!(outcome(unknown, Hints::default()), (Name::Utf8, Rung::Default));
}

#[test]
fn each_byte_is_or_is_no_part_of_a_version_a_name_and_white_space() {
    for byte in 0..=0xFF_u8 {
        let get = |before: &str, after: &str| {
            let declaration = [b"<?xml", before.as_bytes(), &[byte], after.as_bytes(), b"?>"].concat();
            xml_declaration(&declaration).is_some()
        };
        let (is_letter, is_name) = (byte.is_ascii_alphabetic(), byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
        let is_space = b"\t\n\r ".contains(&byte);
        assert_eq!(get(" version='1", "0' encoding='koi8-r'"), is_name || byte == b':', "{byte:02X} in a version");
        assert_eq!(get(" version='1.0' encoding='k", "r'"), is_name, "{byte:02X} in a name");
        assert_eq!(get(" version='1.0' encoding='", "oi8'"), is_letter, "{byte:02X} at the start of a name");
        for (before, after) in [
            ("", "version='1.0' encoding='koi8-r'"),
            (" version='1.0'", "encoding='koi8-r'"),
            (" version", "='1.0' encoding='koi8-r'"),
            (" version='1.0' encoding=", "'koi8-r'"),
            (" version='1.0' encoding='koi8-r'", "standalone='no'"),
            (" version='1.0' encoding='koi8-r'", ""),
        ] {
            assert_eq!(get(before, after), is_space, "{byte:02X} between {before} and {after}");
        }
    }
}

#[test]
fn a_label_of_utf_16_that_can_be_read_as_ascii_means_utf_8() {
    for label in ["utf-16", "utf-16le", "utf-16be", "unicodefffe"] {
        let entity = format!("<?xml version='1.0' encoding='{label}'?><a/>");
        let sniffed = xml(entity.as_bytes(), Hints::default());
        assert_eq!((sniffed.encoding, sniffed.rung), (Name::Utf8, Rung::XmlDeclaration), "{label}");
    }
}

#[test]
fn each_family_of_encodings_has_a_phrase() {
    for (bytes, expected) in [
        (&b"\0\0\xFE\xFF"[..], "UCS-4 in the byte order 1234 with a byte order mark"),
        (b"\xFF\xFE\0\0", "UCS-4 in the byte order 4321 with a byte order mark"),
        (b"\0<\0\0", "UCS-4 in the byte order 3412"),
        (b"\xFE\xFF\0<", "UTF-16BE with a byte order mark"),
        (b"\0<\0?", "UTF-16BE"),
        (b"\xFF\xFE<\0", "UTF-16LE with a byte order mark"),
        (b"<\0?\0", "UTF-16LE"),
        (b"\xEF\xBB\xBF<", "UTF-8 with a byte order mark"),
        (b"<?xm", "a declaration in ASCII"),
        (b"\x4C\x6F\xA7\x94", "a declaration in EBCDIC"),
        (b"<doc", "UTF-8 without a declaration"),
    ] {
        assert_eq!(Autodetection::of(bytes).to_string(), expected, "{bytes:02X?}");
    }
}
