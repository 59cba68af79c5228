//! [`Declaration`]: where the label stands.

use textcodec_sniff::{
    Context, Declaration, Hints, Name, PRESCAN_LENGTH, Rung, get_an_xml_encoding, prescan_a_byte_stream,
};

/// Asserts that `find` finds `encoding` by the label between the brackets of `marked`, or nothing if there are no
/// brackets.
fn finds(find: impl Fn(&[u8]) -> Option<Declaration>, marked: &str, encoding: Option<Name>) {
    let text = marked.replace(['[', ']'], "");
    let found = find(text.as_bytes());
    assert_eq!(found.as_ref().map(|found| found.encoding), encoding, "{marked}");
    if let Some(found) = found {
        let start = marked.find('[').unwrap();
        assert_eq!(found.label, start..marked.find(']').unwrap() - 1, "{marked}");
    }
}

#[test]
fn finds_the_label_of_the_meta_element_that_is_believed() {
    for (marked, encoding) in [
        ("<meta charset=[koi8-r]>", Some(Name::Koi8R)),
        ("<!doctype html>\n<META CharSet = '[KOI8-R]' />", Some(Name::Koi8R)),
        ("<meta charset=\"[ koi8-r ]\">", Some(Name::Koi8R)),
        ("<meta content='text/html; charset=[sjis]; x=y' http-equiv=content-type>", Some(Name::ShiftJis)),
        ("<meta http-equiv=content-type content=\"text/html;charset='[sjis]'\">", Some(Name::ShiftJis)),
        ("<meta http-equiv=content-type content='charset=big5' charset=[gbk]>", Some(Name::Gbk)),
        ("<meta charset=[gbk] http-equiv=content-type content='charset=big5'>", Some(Name::Gbk)),
        ("<!-- <meta charset=big5> --><meta charset=bogus><meta charset=[utf-16]>", Some(Name::Utf8)),
        ("<meta charset=[x-user-defined]><meta charset=big5>", Some(Name::Windows1252)),
        ("<meta content='charset=big5'><p title='<meta charset=big5>'>", None),
        ("<?xml version='1.0' encoding='big5'?><p>", None),
        ("<meta charset=big5", None),
        ("", None),
    ] {
        finds(|bytes| Declaration::in_html(bytes, usize::MAX), marked, encoding);
        let text = marked.replace(['[', ']'], "");
        if !text.starts_with("<?xml") {
            assert_eq!(prescan_a_byte_stream(text.as_bytes(), usize::MAX), encoding, "{marked}");
        }
    }
    let late = format!("{}<meta charset=[koi8-r]>", " ".repeat(PRESCAN_LENGTH));
    finds(|bytes| Declaration::in_html(bytes, usize::MAX), &late, Some(Name::Koi8R));
    finds(|bytes| Declaration::in_html(bytes, PRESCAN_LENGTH), &late, None);
}

#[test]
fn finds_the_label_of_an_xml_declaration() {
    for (marked, encoding) in [
        ("<?xml version='1.0' encoding='[koi8-r]'?>", Some(Name::Koi8R)),
        ("<?xml version=\"1.0\" encoding = \"[UTF-16]\" standalone='yes'?><a/>", Some(Name::Utf8)),
        ("<?xml version='1.0'?><a encoding='koi8-r'/>", None),
        (" <?xml version='1.0' encoding='koi8-r'?>", None),
        ("<?xml version='1.0' encoding='bogus'?>", None),
    ] {
        finds(Declaration::in_xml, marked, encoding);
        assert_eq!(get_an_xml_encoding(marked.replace(['[', ']'], "").as_bytes()), encoding);
    }
}

#[test]
fn finds_the_label_of_an_at_charset() {
    for (marked, encoding) in [
        ("@charset \"[koi8-r]\"; a {}", Some(Name::Koi8R)),
        ("@charset \"[utf-16le]\";", Some(Name::Utf8)),
        ("@charset 'koi8-r';", None),
        (" @charset \"koi8-r\";", None),
        ("@charset \"koi8-r\" ;", None),
    ] {
        finds(Declaration::in_css, marked, encoding);
    }
}

/// UTF-16 cannot be declared in bytes that can be read as ASCII. `x-user-defined` means another encoding in HTML only.
#[test]
fn each_label_means_its_encoding_in_each_kind_of_declaration() {
    for name in Name::ALL {
        let encoding = if matches!(name, Name::Utf16Be | Name::Utf16Le) { Name::Utf8 } else { name };
        let in_html = if name == Name::XUserDefined { Name::Windows1252 } else { encoding };
        for label in name.labels() {
            for label in [label.to_owned(), label.to_ascii_uppercase()] {
                let sniff = |context: Context, declaration: &str| {
                    let sniffed = context.sniff(declaration.as_bytes(), Hints::default()).unwrap();
                    (sniffed.encoding, sniffed.rung)
                };
                let meta = format!("<meta charset={label}>");
                finds(
                    |bytes| Declaration::in_html(bytes, usize::MAX),
                    &meta.replace(&label, &format!("[{label}]")),
                    Some(in_html),
                );
                assert_eq!(sniff(Context::HtmlParser, &meta), (in_html, Rung::Meta), "{meta}");
                let pragma = format!("<meta http-equiv=content-type content='text/html; charset={label}'>");
                assert_eq!(sniff(Context::HtmlParser, &pragma), (in_html, Rung::Meta), "{pragma}");

                let sheet = format!("@charset \"{label}\";");
                finds(Declaration::in_css, &sheet.replace(&label, &format!("[{label}]")), Some(encoding));
                assert_eq!(sniff(Context::CssFromDocument, &sheet), (encoding, Rung::AtCharset), "{sheet}");

                let xml = format!("<?xml version='1.0' encoding='{label}'?>");
                finds(Declaration::in_xml, &xml.replace(&label, &format!("[{label}]")), Some(encoding));
                assert_eq!(sniff(Context::HtmlParser, &xml), (encoding, Rung::XmlDeclaration), "{xml}");
                // The grammar of XML has no names that begin with a digit or have a colon.
                let is_name = label.starts_with(|first: char| first.is_ascii_alphabetic()) && !label.contains(':');
                let expected = if is_name { (encoding, Rung::XmlDeclaration) } else { (Name::Utf8, Rung::Default) };
                for context in [Context::XmlParser, Context::XhrTextXml] {
                    assert_eq!(sniff(context, &xml), expected, "{context}: {xml}");
                }
            }
        }
    }
}
