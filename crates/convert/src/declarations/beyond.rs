//! Declarations that name a charset which the Encoding Standard does not have: `<meta charset="ibm850">`,
//! `encoding='IBM037'`, `# -*- coding: cp437 -*-`. Browsers ignore such a name, and other programs read the file by it.
//!
//! A file is read as it declares, or not at all. A declaration is not believed if its name has several meanings, if its
//! own bytes are another text in the charset, or if the bytes are UTF-8. UTF-7 is not believed in pages and in XML:
//! browsers show `+ADw-script+AD4-` as it is, and in the converted page it would be a script.

use alloc::{borrow::ToOwned, format, string::String};
use core::{error::Error, fmt, ops::Range};

use textcodec::sniff::{Autodetection, get_an_attribute, xml_declaration};

use super::{Form, end_of_raw_text, find, mail, source_text};
use crate::{
    charset::{Charset, UnknownLabel},
    kind::Kind,
};

/// What follows from a declaration.
pub(crate) type Believed = Result<Charset, Distrusted>;

/// A declaration that is not believed. It is displayed as a clause about a file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Distrusted {
    /// The form of the declaration.
    pub form: Form,
    /// The label that the declaration has.
    pub label: String,
    /// The reason.
    pub reason: Distrust,
}

/// The reason why a declaration is not believed. It is displayed as a clause.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Distrust {
    /// The label names no charset that can be decoded, or it names several ones.
    Name(UnknownLabel),
    /// In this charset, the bytes of the declaration are another text.
    Otherwise(Charset),
    /// In this charset, the byte of the backslash is another character, and the text has it.
    Backslash(Charset),
    /// The bytes are UTF-8 beyond ASCII.
    Utf8,
    /// Browsers do not read UTF-7.
    Utf7,
    /// A mail has parts, each of which can be in another charset.
    Parts,
    /// The file is a mailbox, in which each mail can be in another charset.
    Mailbox,
    /// The body of a mail is written in base64 or quoted-printable, and the charset is that of the decoded body.
    TransferEncoding,
}

impl fmt::Display for Distrusted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}, but {}", self.form.clause(), self.label, self.reason)
    }
}

impl fmt::Display for Distrust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Distrust::Name(error) => error.fmt(f),
            Distrust::Otherwise(charset) => write!(f, "in {charset} the declaration is another text"),
            Distrust::Backslash(charset) => write!(f, "in {charset} its backslashes are other characters"),
            Distrust::Utf8 => f.write_str("the bytes are UTF-8"),
            Distrust::Parts => f.write_str("each part of the mail can be in another encoding"),
            Distrust::Mailbox => f.write_str("each mail of the mailbox can be in another encoding"),
            Distrust::TransferEncoding => {
                f.write_str("the body of the mail is in base64 or quoted-printable, which textcodec does not decode")
            }
            Distrust::Utf7 => {
                f.write_str("browsers do not read UTF-7, and text that is harmless for them could become a script")
            }
        }
    }
}

impl Error for Distrusted {}

/// What the declaration in `start`, the first bytes of a file, says about its charset. The file has no byte order mark
/// and no declaration of an encoding of the Standard. `is_utf_8` says whether it is UTF-8 beyond ASCII. `None` if there
/// is no declaration whose label is known anywhere.
pub(crate) fn declared(kind: Kind, start: &[u8], is_utf_8: bool) -> Option<Believed> {
    if let Some(distrusted) = in_mail(kind, start, is_utf_8) {
        return Some(Err(distrusted));
    }
    let ebcdic = (kind == Kind::Xml && Autodetection::of(start) == Autodetection::Ebcdic).then(|| in_ebcdic(start));
    let (form, label, meant) = find_label(kind, ebcdic.as_ref().map_or(start, String::as_bytes))?;
    let distrusted = |reason| Some(Err(Distrusted { form, label: label.clone(), reason }));
    let charset = match meant {
        Ok(charset) => charset,
        Err(UnknownLabel::Unknown(_)) => return None,
        Err(error) => return distrusted(Distrust::Name(error)),
    };
    let is_markup = matches!(kind, Kind::Html | Kind::Xml | Kind::Css);
    if let Some(name) = charset.read_as() {
        // Its readers do not know the label, so that the structure of the bytes decides first.
        let is_possible = !is_utf_8 && !charset.is_wide();
        return textcodec::Encoding::for_name(name).ok().filter(|_| is_possible).map(|encoding| Ok(encoding.into()));
    }
    if is_utf_8 {
        return if is_markup { distrusted(Distrust::Utf8) } else { None };
    }
    if is_markup && Charset::for_label("utf-7") == Ok(charset) {
        return distrusted(Distrust::Utf7);
    }
    // In EBCDIC, U+0085 is the end of a line.
    let text = charset.new_decoder(true).decode_start(start, false).replace('\u{85}', "\n");
    let is_same = find_label(kind, text.as_bytes()).is_some_and(|(_, decoded, _)| decoded == label);
    if !is_same {
        return distrusted(Distrust::Otherwise(charset));
    }
    // JOHAB and Shift_JISX0213 have the sign of a currency there, and programs read a backslash.
    let backslash = charset.new_decoder(true).decode_start(b"\\", true);
    if ebcdic.is_none() && backslash != "\\" && text.contains(&backslash) {
        return distrusted(Distrust::Backslash(charset));
    }
    Some(Ok(charset))
}

/// Why the charset of a mail is not that of its bytes beyond ASCII.
fn in_mail(kind: Kind, start: &[u8], is_utf_8: bool) -> Option<Distrusted> {
    if kind != Kind::Text || is_utf_8 || start.is_ascii() {
        return None;
    }
    let text = String::from_utf8_lossy(&start[..start.len().min(source_text::SEARCHED)]);
    let (label, reason) = mail::mixed(&text)?;
    Some(Distrusted { form: Form::MailHeader, label, reason })
}

/// Whether more bytes are needed for the declaration: one in EBCDIC is not complete.
pub(crate) fn is_open(start: &[u8]) -> bool {
    /// ">" in all charsets of EBCDIC.
    const END: u8 = 0x6E;
    Autodetection::of(start) == Autodetection::Ebcdic && !start.contains(&END)
}

/// A text in EBCDIC, as far as all charsets of EBCDIC have the same characters.
fn in_ebcdic(start: &[u8]) -> String {
    let charset = Charset::for_label("ibm037").unwrap_or(Charset::UTF_8);
    let text = charset.new_decoder(true).decode_start(&start[..start.len().min(super::LENGTH)], false);
    // U+0085 is the end of a line.
    text.replace('\u{85}', "\n")
}

/// The form and the label of the declaration that readers of this kind find first, and the charset that they know by
/// this label.
fn find_label(kind: Kind, bytes: &[u8]) -> Option<(Form, String, Result<Charset, UnknownLabel>)> {
    let (form, range) = match kind {
        Kind::Html => {
            let meta = in_meta_element(bytes).map(|label| (Form::Meta, label));
            meta.or_else(|| Some((Form::Xml, in_xml(bytes)?)))?
        }
        Kind::Xml => (Form::Xml, in_xml(bytes)?),
        Kind::Css => (Form::AtCharset, in_css(bytes)?),
        Kind::Text => {
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(source_text::SEARCHED)]);
            let (form, range, meant) = source_text::declarations(&text).next()?;
            let label = text[range].to_owned();
            return (form != Form::MailHeader || !mail::is_of_ascii(&label)).then_some((form, label, Ok(meant)));
        }
        Kind::Properties => return None,
    };
    let label = core::str::from_utf8(&bytes[range]).ok()?.trim();
    (!label.is_empty()).then(|| (form, label.to_owned(), meaning(label)))
}

/// The charset with a label, also with one of another system.
pub(super) fn meaning(label: &str) -> Result<Charset, UnknownLabel> {
    match Charset::for_label(label) {
        Err(UnknownLabel::OtherName(label)) => Charset::for_label(label),
        // Mail programs and browsers of the classic Mac OS wrote "x-mac-greek", which Java calls "x-MacGreek".
        Err(error) => match label.to_ascii_lowercase().strip_prefix("x-mac-") {
            Some("ce") => Charset::for_label("x-MacCentralEurope"),
            Some(rest) => Charset::for_label(&format!("x-mac{rest}")).map_err(|_| error),
            None => Err(error),
        },
        result => result,
    }
}

/// The label of the first `meta` element in markup that has one, whether the Standard has it or not.
pub(super) fn in_meta_element(bytes: &[u8]) -> Option<Range<usize>> {
    let mut at = 0;
    loop {
        at += bytes.get(at..)?.iter().position(|&byte| byte == b'<')?;
        let rest = &bytes[at..];
        if rest.starts_with(b"<!--") {
            at += find(rest, b"-->")?;
            continue;
        }
        let is_meta = rest.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"<meta"))
            && rest.get(5).is_some_and(|&byte| byte.is_ascii_whitespace() || byte == b'/');
        let label = if is_meta { label_of_element(bytes, at + 5) } else { None };
        match label.map(|label| (end_of_raw_text(bytes, at), label)) {
            Some((None, label)) => return Some(label),
            Some((Some(end), _)) => at = end,
            None => at += 1,
        }
    }
}

/// The label in the attributes of a `meta` element, which begin at `position`.
fn label_of_element(bytes: &[u8], mut position: usize) -> Option<Range<usize>> {
    let (mut charset, mut content, mut is_pragma) = (None, None, false);
    while let Ok(Some(attribute)) = get_an_attribute(bytes, &mut position) {
        let is = |name: &[u8]| attribute.name.eq_ignore_ascii_case(name);
        if is(b"charset") {
            charset = charset.or(Some(attribute.value));
        } else if is(b"content") {
            content = content.or_else(|| label_in_content(attribute.value));
        } else if is(b"http-equiv") {
            is_pragma |= attribute.value.eq_ignore_ascii_case(b"content-type");
        }
    }
    let label = charset.or(content.filter(|_| is_pragma)).filter(|label| !label.is_empty())?;
    Some(place_of(label, bytes))
}

/// The label in the value of an attribute `content`.
fn label_in_content(value: &[u8]) -> Option<&[u8]> {
    const NAME: &[u8] = b"charset";
    let rest = value[find(value, NAME)? + NAME.len()..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"'").or(rest.strip_prefix(b"\"")).unwrap_or(rest);
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b';' | b'\'' | b'"');
    Some(&rest[..rest.iter().position(is_end).unwrap_or(rest.len())])
}

/// The label in the XML declaration at the start.
pub(super) fn in_xml(bytes: &[u8]) -> Option<Range<usize>> {
    xml_declaration(bytes).map(|label| place_of(label.as_bytes(), bytes))
}

/// The label in the `@charset` at the start.
pub(super) fn in_css(bytes: &[u8]) -> Option<Range<usize>> {
    const START: &[u8] = b"@charset \"";
    let rest = bytes.strip_prefix(START)?;
    let length = rest.iter().position(|&byte| byte == b'"')?;
    (rest.get(length + 1) == Some(&b';')).then_some(START.len()..START.len() + length)
}

/// The offsets of `part`, which is a part of `bytes`.
fn place_of(part: &[u8], bytes: &[u8]) -> Range<usize> {
    let start = part.as_ptr().addr() - bytes.as_ptr().addr();
    start..start + part.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detection::beyond_the_standard;

    fn charset(label: &str) -> Charset {
        Charset::for_label(label).unwrap()
    }

    fn encode(text: &str, label: &str) -> alloc::vec::Vec<u8> {
        // UTF-7 is only decoded.
        let Some(mut encoder) = charset(label).new_encoder() else { return text.into() };
        let mut bytes = alloc::vec![0; text.len() * 4 + 16];
        let written = encoder.encode(text, &mut bytes, true).written;
        bytes.truncate(written);
        bytes
    }

    #[test]
    fn a_declaration_of_a_charset_beyond_the_standard_is_believed() {
        for (kind, text, label) in [
            (Kind::Html, "<!doctype html><meta charset=ibm850><p>é", "cp850"),
            (Kind::Html, "<META Content='text/html; charset = \"cp437\"' HTTP-EQUIV=Content-Type>é", "cp437"),
            (
                Kind::Html,
                "<!-- <meta charset=cp737> --><script>'<meta charset=cp737>'</script><meta charset=cp852>ě",
                "cp852",
            ),
            // Of two attributes with one name, and of two elements, the first counts.
            (Kind::Html, "<meta charset=cp850 charset=cp437><p>é", "cp850"),
            (Kind::Html, "<meta charset=cp850><meta charset=cp437><p>é", "cp850"),
            (
                Kind::Html,
                "<meta http-equiv=content-type content='a; charset=cp850' content='a; charset=cp437'>é",
                "cp850",
            ),
            (Kind::Html, "<?xml version='1.0' encoding='cp850'?><html><p>é", "cp850"),
            (Kind::Xml, "<?xml version='1.0' encoding='IBM037'?>\n<a>é</a>", "ibm037"),
            (Kind::Xml, "<?xml version='1.0' encoding='cp1047'?><a>[é]</a>", "ibm1047"),
            (Kind::Xml, "<?xml version='1.0'\u{85}encoding='cp500'?>\u{85}<a>*é*</a>", "cp500"),
            (Kind::Html, "<?xml version='1.0' encoding='cp437'?><html><meta charset=cp850><p>é", "cp850"),
            (Kind::Xml, "<?xml version=\"1.0\" encoding=\"VISCII\"?><a>ạ</a>", "viscii"),
            (Kind::Css, "@charset \"x-mac-ce\"; /* ě */", "mac-centraleurope"),
            (Kind::Text, "# -*- coding: cp437 -*-\n# é", "cp437"),
            (Kind::Text, "# -*- coding: utf-7 -*-\n# +AOk-", "utf-7"),
            (Kind::Text, "\\usepackage[cp850]{inputenc}\né", "cp850"),
            (Kind::Text, "#pragma code_page(437)\né", "cp437"),
            (Kind::Text, "/* vim: set fenc=cp775: */ ķ", "cp775"),
            // Browsers do not know this name, and it means an encoding that they have.
            (Kind::Html, "<meta charset=utf8mb4>", "utf-8"),
        ] {
            let bytes = encode(text, label);
            assert_eq!(beyond_the_standard(kind, &bytes), Some(Ok(charset(label))), "{text}");
        }
    }

    /// A comment ends with the first `-->` whose hyphens may be those of its start, as in the Standard's prescan.
    #[test]
    fn a_meta_element_in_a_comment_does_not_count() {
        for comment in
            ["<!-->", "<!--->", "<!---->", "<!-- -->", "<!-- > -- -->", "<!--x--!>-->", "<!->", "<!x>", "<!- -"]
        {
            let text = format!("{comment}<meta charset=cp437>--><meta charset=cp850>");
            assert_eq!(&text[in_meta_element(text.as_bytes()).unwrap()], "cp437", "{comment}");
        }
        for comment in ["<!--", "<!-- >", "<!-- ->", "<!--x--!>", "<!--x- ->", "<!-- <!-- "] {
            let text = format!("{comment}<meta charset=cp437>--><meta charset=cp850>");
            assert_eq!(&text[in_meta_element(text.as_bytes()).unwrap()], "cp850", "{comment}");
        }
        assert_eq!(in_meta_element(b"<!-- <meta charset=cp437>"), None);
    }

    #[test]
    fn a_declaration_that_is_contradicted_or_not_clear_is_not_believed() {
        for (kind, bytes, message) in [
            (
                Kind::Html,
                &b"<meta charset=utf-7>+ADw-script+AD4-"[..],
                "a meta element names utf-7, but browsers do not read UTF-7, and text that is harmless for them could \
                 become a script",
            ),
            (
                Kind::Xml,
                b"<?xml version='1.0' encoding='IBM037'?>\n<a/>",
                "the XML declaration names IBM037, but in cp037 the declaration is another text",
            ),
            (
                Kind::Xml,
                "<?xml version='1.0' encoding='cp850'?><a>é</a>".as_bytes(),
                "the XML declaration names cp850, but the bytes are UTF-8",
            ),
            (
                Kind::Html,
                b"<meta charset=cp278>\x80",
                "a meta element names cp278, but two encodings have this name: iana:cp278 and java:cp278",
            ),
            (
                Kind::Css,
                b"@charset \"iso-8859-12\"; /* */",
                "@charset names iso-8859-12, but textcodec does not have this encoding",
            ),
            (
                Kind::Text,
                b"\"Content-Type: text/plain; charset=johab\\n\"\n",
                "the header Content-Type names johab, but in JOHAB its backslashes are other characters",
            ),
            (
                Kind::Text,
                b"From: a\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\n\xE9",
                "the header Content-Type of the mail names multipart/mixed, but each part of the mail can be in",
            ),
            (
                Kind::Text,
                b"From a@example.org Mon Jan  1\nSubject: x\nDate: y\n\n\xE9",
                "the header Content-Type of the mail names text/plain, but each mail of the mailbox can be in",
            ),
            (
                Kind::Text,
                b"Date: y\nContent-Type: text/plain; charset=big5\nContent-Transfer-Encoding: base64\n\n\xE9",
                "the header Content-Type of the mail names text/plain, but the body of the mail is in base64",
            ),
        ] {
            let Some(Err(distrusted)) = beyond_the_standard(kind, bytes) else { panic!("{message}") };
            assert!(distrusted.to_string().starts_with(message), "{distrusted}");
        }
    }

    #[test]
    fn markup_of_every_kind_is_not_believed_for_each_reason() {
        type Markup = (Kind, fn(&str, &str) -> String);
        let markup: [Markup; 3] = [
            (Kind::Html, |label, text| format!("<meta charset=\"{label}\"><p>{text}")),
            (Kind::Xml, |label, text| format!("<?xml version='1.0' encoding='{label}'?><a>{text}</a>")),
            (Kind::Css, |label, text| format!("@charset \"{label}\"; /* {text} */")),
        ];
        for (kind, text) in markup {
            let reason = |label: &str, bytes: &[u8]| {
                let bytes = [text(label, "").as_bytes(), bytes].concat();
                beyond_the_standard(kind, &bytes).map(|believed| believed.map_err(|distrusted| distrusted.reason))
            };
            assert_eq!(reason("utf-7", b"\xFF"), Some(Err(Distrust::Utf7)), "{kind:?}");
            assert_eq!(reason("cp850", "é".as_bytes()), Some(Err(Distrust::Utf8)), "{kind:?}");
            assert_eq!(reason("cp037", b"\xFF"), Some(Err(Distrust::Otherwise(charset("cp037")))), "{kind:?}");
            assert!(matches!(reason("cp278", b"\x80"), Some(Err(Distrust::Name(_)))), "{kind:?}");
            let johab = reason("johab", b"\\ \x80");
            assert_eq!(johab, Some(Err(Distrust::Backslash(charset("johab")))), "{kind:?}");
            assert_eq!(reason("cp850", b"\x82"), Some(Ok(charset("cp850"))), "{kind:?}");
            assert_eq!(reason("nothing", b"\x82"), None, "{kind:?}");
        }
    }

    #[test]
    fn a_declaration_in_ebcdic_is_open_up_to_its_end() {
        let declaration = encode("<?xml version='1.0' encoding='cp500'?><a/>", "cp500");
        let end = declaration.iter().position(|&byte| byte == 0x6E).unwrap();
        assert_eq!([end, end + 1].map(|length| is_open(&declaration[..length])), [true, false]);
        assert!(!is_open(b"<?xml version='1.0'") && !is_open(b""));
    }

    #[test]
    fn a_name_that_is_known_nowhere_declares_nothing() {
        for (kind, text) in [
            (Kind::Html, "<meta charset=nonsense>"),
            (Kind::Html, "<meta name=x content='text/html; charset=cp850'>"),
            (Kind::Html, "<script>'<meta charset=cp850>'</script>"),
            (Kind::Xml, "<?xml version='1.0'?><meta charset='cp850'/>"),
            (Kind::Css, "/**/@charset \"cp850\";"),
            (Kind::Text, "# coding: nonsense"),
            (Kind::Text, "From: a\nContent-Type: multipart/mixed\n\nascii"),
            (Kind::Text, "From: a\nContent-Type: multipart/mixed\n\n\u{E9}"),
            (Kind::Text, "From: a\nContent-Type: text/plain; charset=us-ascii\n\nx"),
            (Kind::Text, "# coding: cp850 \u{E9}"),
            (Kind::Properties, "# coding: cp850"),
        ] {
            assert_eq!(beyond_the_standard(kind, text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_label_in_an_attribute_content_has_the_ends_of_the_standard() {
        for (value, expected) in [
            ("text/html; charset=a", Some("a")),
            ("CHARSET \t= \n'a b'", Some("a")),
            ("charset=\"a;b", Some("a")),
            ("charset=a'b", Some("a")),
            ("charset=a\"b", Some("a")),
            ("charset=''", Some("")),
            ("charset=", Some("")),
            ("charset", None),
            ("charset a", None),
            ("char=a", None),
        ] {
            assert_eq!(label_in_content(value.as_bytes()), expected.map(str::as_bytes), "{value}");
        }
    }

    #[test]
    fn the_attributes_of_an_element_make_one_label() {
        for (element, expected) in [
            ("<meta charset=a>", Some("a")),
            ("<META/charset=a />", Some("a")),
            ("<meta content='charset=b' http-equiv=CONTENT-TYPE charset=a>", Some("a")),
            ("<meta content='charset=b' http-equiv=content-type http-equiv=x>", Some("b")),
            ("<meta content='x' content='charset=b' http-equiv=content-type>", Some("b")),
            ("<meta content='charset=b'>", None),
            ("<meta content='charset=b' http-equiv=refresh>", None),
            ("<meta charset=''>", None),
            ("<meta>", None),
            ("<metal charset=a>", None),
            ("<meta", None),
            ("<!-- <meta charset=a> -->", None),
            ("<!-- <meta charset=a>", None),
            ("<meta name=x><meta charset=b>", Some("b")),
        ] {
            let found = in_meta_element(element.as_bytes()).map(|label| &element[label]);
            assert_eq!(found, expected, "{element}");
        }
    }

    #[test]
    fn a_charset_rule_has_exactly_its_bytes() {
        for (text, expected) in [
            ("@charset \"a\";", Some(10..11)),
            ("@charset \"\";", Some(10..10)),
            ("@charset \"a\" ;", None),
            ("@charset  \"a\";", None),
            ("@CHARSET \"a\";", None),
            ("@charset 'a';", None),
            ("@charset \"a", None),
            ("@charset \"a\"", None),
            (" @charset \"a\";", None),
        ] {
            assert_eq!(in_css(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn labels_of_other_systems_mean_their_charsets() {
        for (label, expected) in [
            ("x-mac-ce", Some("x-MacCentralEurope")),
            ("X-MAC-CE", Some("x-MacCentralEurope")),
            ("x-mac-greek", Some("x-MacGreek")),
            ("x-Mac-Turkish", Some("x-MacTurkish")),
            ("mac-ce", None),
            ("x-mac-nothing", None),
        ] {
            let expected = expected.map(charset);
            assert_eq!(meaning(label).ok().filter(|_| label != "mac-ce"), expected, "{label}");
        }
    }

    #[test]
    fn bytes_that_are_utf_8_or_of_another_kind_contradict_a_declaration() {
        let encode = |text: &str, label: &str| encode(text, label);
        for (kind, bytes, expected) in [
            // Browsers do not know this name of windows-1251.
            (Kind::Html, b"<meta charset=win1251>\xE9".to_vec(), Some("windows-1251")),
            (Kind::Html, "<meta charset=win1251>é".into(), None),
            (Kind::Text, b"# coding: cp1251\n\xE9".to_vec(), Some("windows-1251")),
            (Kind::Text, "# coding: cp1251\né".into(), None),
            // The header of a mail in another file, and XML in EBCDIC in a page.
            (Kind::Properties, b"From: a\nContent-Type: multipart/mixed\n\n\xE9".to_vec(), None),
            (Kind::Css, b"From: a\nContent-Type: multipart/mixed\n\n\xE9".to_vec(), None),
            (Kind::Html, encode("<?xml version='1.0' encoding='cp500'?><a/>", "cp500"), None),
            (Kind::Xml, encode("<?xml version='1.0' encoding='cp500'?><a/>", "cp500"), Some("cp500")),
        ] {
            let is_utf_8 = !bytes.is_ascii() && core::str::from_utf8(&bytes).is_ok();
            let found = declared(kind, &bytes, is_utf_8).map(|believed| believed.unwrap());
            assert_eq!(found.map(Charset::name), expected, "{kind:?} {bytes:X?}");
        }
    }
}
