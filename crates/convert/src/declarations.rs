//! The declarations of an encoding in a text: meta elements, XML declarations, `@charset`, and those of source code.
//! After a conversion, a declaration is wrong unless it is rewritten.

pub(crate) mod beyond;
mod mail;
mod properties;
mod source_text;

use alloc::{borrow::ToOwned, collections::VecDeque, format, string::String, vec::Vec};
use core::{fmt, ops::Range};

use textcodec::{
    Name,
    sniff::{Declaration, PRESCAN_LENGTH},
};

pub(crate) use self::properties::escape;
pub use self::{
    beyond::{Distrust, Distrusted},
    properties::can_be_escaped,
};
use crate::{
    charset::{Charset, Decoder, UnknownLabel},
    kind::Kind,
};

/// The number of bytes at the start of a file in which declarations are looked for.
pub const LENGTH: usize = 64 * 1024;

/// The forms of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Form {
    /// A meta element.
    Meta,
    /// An XML declaration.
    Xml,
    /// `@charset`.
    AtCharset,
    /// `# -*- coding: latin-1 -*-`, which Python, Ruby and Emacs read.
    CodingComment,
    /// `vim: set fileencoding=latin1:`.
    Modeline,
    /// The header of a .po file: `"Content-Type: text/plain; charset=ISO-8859-1\n"`.
    GettextHeader,
    /// `\usepackage[latin1]{inputenc}` or `\inputencoding{latin1}`.
    Inputenc,
    /// `#pragma code_page(1252)`.
    CodePage,
    /// `use encoding "latin1";` in Perl.
    UseEncoding,
    /// The header of a mail: `Content-Type: text/plain; charset=ISO-8859-1`.
    MailHeader,
    /// `% !TEX encoding = IsoLatin`, which TeXShop and TeXworks read.
    TexComment,
    /// The name of a `.properties` file, which Java reads as ISO-8859-1. There is no label; escapes such as `\u20AC` do
    /// what a label does.
    Properties,
}

impl Form {
    /// The start of a clause that ends with the label.
    const fn clause(self) -> &'static str {
        match self {
            Form::Meta => "a meta element names",
            Form::Xml => "the XML declaration names",
            Form::AtCharset => "@charset names",
            Form::CodingComment => "a coding comment names",
            Form::Modeline => "a modeline of Vim names",
            Form::GettextHeader => "the header Content-Type names",
            Form::Inputenc => "inputenc names",
            Form::CodePage => "#pragma code_page names",
            Form::UseEncoding => "use encoding names",
            Form::MailHeader => "the header Content-Type of the mail names",
            Form::TexComment => "a comment \"!TEX encoding\" names",
            Form::Properties => "Java reads .properties files as",
        }
    }
}

/// A declaration that names another encoding than the output encoding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction {
    form: Form,
    label: String,
    /// The byte offsets of the label in the text, which is in UTF-8.
    range: Range<usize>,
}

impl Contradiction {
    /// The form of the declaration.
    #[must_use]
    pub const fn form(&self) -> Form {
        self.form
    }

    /// The label that the declaration has.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The change that makes the declaration name the encoding `to`. `bom` says whether the output starts with a byte
    /// order mark. `None` if no declaration of this form can name it.
    #[must_use]
    pub fn edit(&self, to: Charset, bom: bool) -> Option<Edit> {
        let name = match (self.form, to.read_as()) {
            // A meta element with the name x-user-defined means windows-1252.
            (Form::Meta, Some(Name::XUserDefined)) => return None,
            // Of the names of UTF-16, only the one without a byte order allows a byte order mark, and this name demands
            // one.
            (Form::Xml, Some(Name::Utf16Be | Name::Utf16Le)) if bom => "UTF-16",
            // Browsers do not read the encoding.
            (Form::Meta | Form::AtCharset, None) => return None,
            (Form::Properties, _) => return None,
            (Form::Meta | Form::Xml | Form::AtCharset, _) => to.xml_name()?,
            (form, _) => source_text::name(form, to)?,
        };
        Some(Edit { range: self.range.start as u64..self.range.end as u64, name })
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.form.clause(), self.label)
    }
}

/// The declarations in `text`, the start of a file, that a reader of the output would believe and that name another
/// encoding than `to`; the first comes first.
///
/// A page can have two declarations: an XML declaration for readers of XML, and a meta element for readers of HTML.
/// Readers believe only the first meta element with a known label. In UTF-16, no reader believes a meta element or an
/// `@charset`: the prescan and CSS look for ASCII bytes, and an HTML parser ignores a meta element in UTF-16.
#[must_use]
pub fn contradictions(kind: Kind, text: &str, to: Charset) -> Vec<Contradiction> {
    let is_utf_16 = to.is_wide();
    let bom = text.len() - text.trim_start_matches('\u{FEFF}').len();
    let bytes = &text.as_bytes()[bom..];
    // A label that the Standard does not have is one for other readers, unless nobody knows it.
    let is_other = |label: &Range<usize>| match beyond::meaning(text[label.start + bom..label.end + bom].trim()) {
        Ok(meant) => !source_text::is_same(meant, to),
        Err(error) => !matches!(error, UnknownLabel::Unknown(_)),
    };
    let xml = || {
        // XML takes a label of UTF-16 as it is.
        let meant = |found: &Declaration| Name::for_label(&bytes[found.label.clone()]).ok();
        // A label that the Standard does not have can be the name of the output encoding.
        let is_named = |found: &Declaration| {
            to.read_as().is_some()
                || to.xml_name().is_some_and(|name| bytes[found.label.clone()].eq_ignore_ascii_case(name.as_bytes()))
        };
        let label = match Declaration::in_xml(bytes) {
            Some(found) => Some(found).filter(|found| meant(found) != to.read_as() || !is_named(found)).map(label_of),
            None => beyond::in_xml(bytes).filter(is_other),
        };
        Some((Form::Xml, label?))
    };
    let is_wrong = |found: &Declaration| !is_utf_16 && Some(found.encoding) != to.read_as();
    let meta = || {
        let label = match meta_element(bytes) {
            Some(found) => Some(found).filter(is_wrong).map(label_of),
            None => beyond::in_meta_element(bytes).filter(|label| !is_utf_16 && is_other(label)),
        };
        Some((Form::Meta, label?))
    };
    let css = || {
        let label = match Declaration::in_css(bytes) {
            Some(found) => Some(found).filter(is_wrong).map(label_of),
            None => beyond::in_css(bytes).filter(|label| !is_utf_16 && is_other(label)),
        };
        Some((Form::AtCharset, label?))
    };
    let found = match kind {
        Kind::Html => [xml(), meta()],
        Kind::Xml => [xml(), if root_element(bytes) == Some(b"html") { meta() } else { None }],
        Kind::Css => [css(), None],
        Kind::Text => return in_source_text(text, to),
        Kind::Properties => return properties::contradiction(text, to).into_iter().collect(),
    };
    let contradiction = |(form, label): (Form, Range<usize>)| {
        let range = label.start + bom..label.end + bom;
        Contradiction { form, label: text[range.clone()].trim().to_owned(), range }
    };
    found.into_iter().flatten().map(contradiction).collect()
}

/// The place of the label of a declaration.
fn label_of(found: Declaration) -> Range<usize> {
    found.label
}

/// The declarations in plain text that name another encoding than `to`. Programs that read them do not read UTF-16.
fn in_source_text(text: &str, to: Charset) -> Vec<Contradiction> {
    if to.is_wide() {
        return Vec::new();
    }
    let wrong =
        source_text::declarations(source_text::start(text)).filter(|&(_, _, meant)| !source_text::is_same(meant, to));
    let contradiction = |(form, range, _): (Form, Range<usize>, _)| Contradiction {
        form,
        label: text[range.clone()].to_owned(),
        range,
    };
    wrong.map(contradiction).collect()
}

/// The encoding of the Standard that a plain text declares in `start`, its first bytes.
pub(crate) fn in_start_of_source_text(start: &[u8]) -> Option<Name> {
    let start = &start[..start.len().min(source_text::SEARCHED)];
    let text = String::from_utf8_lossy(start);
    let (form, range, meant) = source_text::declarations(&text).next()?;
    if form == Form::MailHeader && mail::is_of_ascii(&text[range]) {
        return None;
    }
    meant.standard().map(|encoding| encoding.id()).or(meant.read_as()).filter(|_| !meant.is_wide())
}

/// The first meta element that a browser believes. In the first [`PRESCAN_LENGTH`] bytes, the prescan decides. After
/// these bytes, text in a script and the like is not a meta element, as for an HTML parser.
pub(crate) fn meta_element(bytes: &[u8]) -> Option<Declaration> {
    let mut start = 0;
    loop {
        let mut found = Declaration::in_html(&bytes[start..], usize::MAX)?;
        found.label = found.label.start + start..found.label.end + start;
        if found.label.end < PRESCAN_LENGTH {
            return Some(found);
        }
        match end_of_raw_text(bytes, found.label.start) {
            None => return Some(found),
            Some(end) => start = end,
        }
    }
}

/// If `position` is in an element whose content is not markup, the position at which this content ends, or at which the
/// bytes end.
fn end_of_raw_text(bytes: &[u8], position: usize) -> Option<usize> {
    const ELEMENTS: [&str; 8] = ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"];
    let mut at = 0;
    loop {
        at += bytes.get(at..position)?.iter().position(|&byte| byte == b'<')?;
        let rest = &bytes[at..];
        let is_tag_of = |name: &&str| {
            let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
            rest.get(1..=name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
                && rest.get(1 + name.len()).is_some_and(is_end)
        };
        if rest.starts_with(b"<!--") {
            at += find(rest, b"-->").unwrap_or(rest.len());
        } else if let Some(name) = ELEMENTS.iter().find(|name| is_tag_of(name)) {
            let end = at + find(rest, format!("</{name}").as_bytes()).unwrap_or(rest.len());
            if end > position {
                return Some(end);
            }
            at = end;
        } else {
            at += 1;
        }
    }
}

/// The name of the first element of an XML document, without prefix.
fn root_element(bytes: &[u8]) -> Option<&[u8]> {
    let mut at = 0;
    loop {
        at += bytes.get(at..)?.iter().position(|&byte| byte == b'<')?;
        let rest = &bytes[at..];
        at += match rest.get(1)? {
            b'!' if rest.starts_with(b"<!--") => find(rest, b"-->")?,
            b'!' | b'?' => find(rest, b">")?,
            _ => {
                let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
                let name = &rest[1..rest.iter().position(is_end)?];
                return name.rsplit(|&byte| byte == b':').next();
            }
        };
    }
}

/// The offset of `needle` in `bytes`, in upper or lower case.
fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len()).position(|window| window.eq_ignore_ascii_case(needle))
}

/// The search for the declarations in the start of a stream that contradict the output.
#[derive(Debug)]
pub struct Search<'a> {
    kind: Option<Kind>,
    decoder: &'a Decoder,
    to: Charset,
    looked_at: usize,
}

impl<'a> Search<'a> {
    /// `kind` is the kind of the stream, if its name tells it; `decoder` is new; `to` is the output's charset.
    #[must_use]
    pub const fn new(kind: Option<Kind>, decoder: &'a Decoder, to: Charset) -> Self {
        Search { kind, decoder, to, looked_at: 0 }
    }

    /// The declarations in `start`, the first bytes of the stream. `None` if a declaration can follow that a reader of
    /// the output would believe: then call again with more bytes. `is_last` says that no bytes follow, or that `start`
    /// has [`LENGTH`] bytes.
    pub fn look(&mut self, start: &[u8], is_last: bool) -> Option<Vec<Contradiction>> {
        // Each search takes time proportional to the length of the start, so this length must grow geometrically.
        if !is_last && (start.len() < 2 * self.looked_at || start.is_empty()) {
            return None;
        }
        self.looked_at = start.len();
        let text = self.decoder.clone().decode_start(start, is_last);
        let kind = self.kind.unwrap_or_else(|| Kind::of_content(text.as_bytes()));
        let is_known = text.len() >= Kind::LENGTH && !text.trim_start().is_empty();
        (is_last || is_known && is_decided(kind, &text)).then(|| contradictions(kind, &text, self.to))
    }
}

/// Whether the text after `text` has no declaration that a reader would believe.
fn is_decided(kind: Kind, text: &str) -> bool {
    let bytes = text.trim_start_matches('\u{FEFF}').as_bytes();
    match kind {
        Kind::Html => meta_element(bytes).is_some(),
        Kind::Xml => root_element(bytes).is_some_and(|name| name != b"html" || meta_element(bytes).is_some()),
        Kind::Css => bytes.len() >= PRESCAN_LENGTH || !bytes.starts_with(b"@charset \"") || bytes.contains(&b';'),
        Kind::Text => bytes.len() >= source_text::SEARCHED,
        Kind::Properties => false,
    }
}

/// A label in a text, and the name that takes its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    range: Range<u64>,
    name: &'static str,
}

/// The edits of a text that comes piece by piece.
#[derive(Debug)]
pub(crate) struct Edits {
    /// In the order of the text.
    edits: VecDeque<Edit>,
    /// The offset in the text of the next piece.
    position: u64,
}

impl Edits {
    pub(crate) fn new(edits: Vec<Edit>) -> Self {
        Edits { edits: edits.into(), position: 0 }
    }

    /// Whether all edits are made.
    #[cfg(feature = "std")]
    pub(crate) fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The parts of the edited `piece`, each with the offset in `piece` where it stands. A label can
    /// continue in the next piece.
    pub(crate) fn apply<'a>(&mut self, piece: &'a str) -> Vec<(usize, &'a str)> {
        let (mut parts, mut done) = (Vec::new(), 0);
        let (start, end) = (self.position, self.position + piece.len() as u64);
        // The cast loses nothing: the clamped position is in the piece, and the length of the piece is a `usize`.
        let offset = |position: u64| (position.clamp(start, end) - start) as usize;
        while let Some(edit) = self.edits.front().filter(|edit| edit.range.start < end) {
            if edit.range.start >= start {
                parts.push((done, &piece[done..offset(edit.range.start)]));
                parts.push((offset(edit.range.start), edit.name));
            }
            done = offset(edit.range.end);
            if edit.range.end > end {
                break;
            }
            self.edits.pop_front();
        }
        parts.push((done, &piece[done..]));
        self.position = end;
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use textcodec::{Encoding, KOI8_R, UTF_8, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

    /// Asserts that the labels between the brackets of `marked` contradict `to`, and that nothing else does.
    fn contradict(kind: Kind, marked: &str, to: Encoding) {
        let text = marked.replace(['[', ']'], "");
        let found = contradictions(kind, &text, to.into());
        let mut bracketed = text.clone();
        for contradiction in found.iter().rev() {
            bracketed.insert(contradiction.range.end, ']');
            bracketed.insert(contradiction.range.start, '[');
        }
        assert_eq!(bracketed, marked, "{kind:?} to {}", to.name());
    }

    #[test]
    fn the_prescan_decides_on_a_label_that_ends_before_its_last_byte() {
        for (end, is_found) in [(PRESCAN_LENGTH - 1, true), (PRESCAN_LENGTH, false)] {
            let spaces = " ".repeat(end - "<script><meta charset=koi8-r".len());
            let page = format!("<script>{spaces}<meta charset=koi8-r></script>");
            assert_eq!(meta_element(page.as_bytes()).is_some(), is_found, "the label ends at {end}");
        }
    }

    #[test]
    fn finds_what_contradicts_the_output_and_nothing_else() {
        let late = " ".repeat(PRESCAN_LENGTH);
        for (kind, marked) in [
            (Kind::Html, "<meta charset='[koi8-r]'><meta charset=big5>"),
            (
                Kind::Html,
                "<meta charset=bogus><META HTTP-EQUIV=content-type content='text/html; charset=[koi8-r]; a=b'>",
            ),
            (Kind::Html, "<meta charset=utf8>"),
            (Kind::Html, "<meta charset=utf-16><p>means UTF-8"),
            (Kind::Html, "\u{FEFF}<?xml version='1.0' encoding='[koi8-r]'?><html><meta charset=\"[sjis]\"/>"),
            (Kind::Html, "<?xml version='1.0'?><html>"),
            (Kind::Html, &format!("{late}<meta charset=[koi8-r]>")),
            (Kind::Html, &format!("{late}<script>'<meta charset=koi8-r>'</SCRIPT ><meta charset=[sjis]>")),
            (Kind::Html, &format!("{late}<!-- <script> --><meta charset=[koi8-r]>")),
            (Kind::Html, &format!("{late}<title><meta charset=koi8-r>")),
            (Kind::Html, "<script>'<meta charset=[koi8-r]>'</script><p>as the prescan reads it"),
            (Kind::Xml, "<?xml version='1.0' encoding='[koi8-r]'?><a><!-- <html> --><meta charset='koi8-r'/>"),
            (Kind::Xml, "<?xml version='1.0' encoding = \"[UTF-16]\" standalone='yes'?><a/>"),
            (Kind::Xml, "<?xml version='1.0'?><a/>"),
            (
                Kind::Xml,
                "<?xml version='1.0' encoding='[koi8-r]'?><!DOCTYPE html><html a='b'><meta charset='[koi8-r]'/>",
            ),
            (Kind::Xml, "<?xml version='1.0' encoding='utf-8'?><rss><meta charset='koi8-r'/>"),
            (Kind::Css, "@charset \"[koi8-r]\"; a {}"),
            (Kind::Css, "@charset 'koi8-r';"),
            // A byte order mark comes before every kind of declaration, and before each kind of label.
            (Kind::Html, "\u{FEFF}<meta charset=[johab]>"),
            (Kind::Html, "\u{FEFF}<meta charset=klingon>"),
            (Kind::Xml, "\u{FEFF}<?xml version='1.0' encoding='[johab]'?><a/>"),
            (Kind::Css, "\u{FEFF}@charset \"[koi8-r]\";"),
            (Kind::Css, "\u{FEFF}@charset \"[johab]\";"),
            (Kind::Text, "\u{FEFF}# coding: [koi8-r]\n# vim: fenc=[latin1]\n"),
            // Other readers know labels that the Standard does not have, but nobody knows every word.
            (Kind::Xml, "<?xml version='1.0' encoding='[johab]'?><a/>"),
            (Kind::Xml, "<?xml version='1.0' encoding='[scsu]'?><a/>"),
            (Kind::Xml, "<?xml version='1.0' encoding='klingon'?><a/>"),
            (Kind::Text, "<?xml version='1.0' encoding='koi8-r'?><meta charset=koi8-r>"),
            (Kind::Text, "#!/usr/bin/env python\n# -*- coding: [latin-1] -*-\n# vim: fenc=[koi8-r]\n"),
            (Kind::Text, "# -*- coding: utf8 -*-\n"),
        ] {
            contradict(kind, marked, UTF_8);
        }
        // Elements whose content is text.
        for name in ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"] {
            let raw = format!("{late}<{name}><meta charset=koi8-r></{name}><meta charset=[sjis]>");
            contradict(Kind::Html, &raw, UTF_8);
        }
        contradict(Kind::Html, "<meta charset=x-user-defined>", WINDOWS_1252);
        contradict(Kind::Html, "<meta charset=[x-user-defined]>", X_USER_DEFINED);
        contradict(Kind::Html, "<?xml version='1.0' encoding='[koi8-r]'?><meta charset=koi8-r>", UTF_16LE);
        contradict(Kind::Xml, "<?xml version='1.0' encoding='utf-16'?><a/>", UTF_16LE);
        contradict(Kind::Css, "@charset \"koi8-r\";", UTF_16LE);
        contradict(Kind::Css, "@charset \"johab\";", UTF_16LE);
        contradict(Kind::Css, "@charset \"[johab]\";", UTF_8);
        contradict(Kind::Html, "<meta charset=johab>", UTF_16LE);
        contradict(Kind::Html, "<meta charset=[johab]>", UTF_8);
        contradict(Kind::Xml, "<?xml version='1.0' encoding='[johab]'?><a/>", UTF_16LE);
        contradict(Kind::Text, "# coding: latin-1\n% !TEX encoding = IsoLatin2\n", UTF_16LE);
    }

    #[test]
    fn the_name_is_what_readers_understand() {
        let name = |kind, text, to: Encoding, bom| {
            contradictions(kind, text, to.into())[0].edit(to.into(), bom).map(|edit| edit.name)
        };
        let (xml, html) = ("<?xml version='1.0' encoding='big5'?>", "<meta charset=big5>");
        assert_eq!(name(Kind::Xml, xml, KOI8_R, false), Some("KOI8-R"));
        assert_eq!(name(Kind::Xml, xml, UTF_16LE, false), Some("UTF-16LE"));
        assert_eq!(name(Kind::Xml, xml, UTF_16LE, true), Some("UTF-16"));
        assert_eq!(name(Kind::Xml, xml, textcodec::UTF_16BE, false), Some("UTF-16BE"));
        assert_eq!(name(Kind::Xml, xml, textcodec::UTF_16BE, true), Some("UTF-16"));
        assert_eq!(name(Kind::Html, html, UTF_8, true), Some("UTF-8"));
        assert_eq!(name(Kind::Html, html, X_USER_DEFINED, false), None);
        assert_eq!(name(Kind::Text, "# coding: big5", UTF_8, false), Some("utf-8"));
        assert_eq!(name(Kind::Text, "\\usepackage[latin1]{inputenc}", UTF_8, false), Some("utf8"));
        assert_eq!(name(Kind::Text, "#pragma code_page(1252)", UTF_8, false), Some("65001"));
        assert_eq!(name(Kind::Text, "#pragma code_page(1252)", X_USER_DEFINED, false), None);
        // Browsers do not read these charsets, and readers of XML do.
        for (to, in_xml) in [("cp437", Some("IBM437")), ("exact-iso-8859-1", Some("ISO-8859-1")), ("johab", None)] {
            let to = Charset::for_label(to).unwrap();
            let name = |kind, text| contradictions(kind, text, to)[0].edit(to, false).map(|edit| edit.name);
            let in_html = in_xml.filter(|_| to.read_as().is_some());
            assert_eq!([name(Kind::Html, html), name(Kind::Css, "@charset \"big5\";")], [in_html; 2], "{to}");
            assert_eq!(name(Kind::Xml, xml), in_xml, "{to}");
        }
    }

    #[test]
    fn edits_do_not_depend_on_the_pieces() {
        let text = "0123456789";
        let edits = vec![Edit { range: 2..4, name: "ab" }, Edit { range: 7..10, name: "c" }];
        for length in 1..=text.len() {
            let mut stream = Edits::new(edits.clone());
            let pieces = text.as_bytes().chunks(length).map(|piece| core::str::from_utf8(piece).unwrap());
            let edited: String = pieces.flat_map(|piece| stream.apply(piece)).map(|(_, part)| part).collect();
            assert_eq!(edited, "01ab456c", "{length}");
        }
    }

    #[test]
    fn text_in_an_element_of_raw_text_ends_with_its_end_tag() {
        for (text, expected) in [
            ("<script>@</script>", Some("<script>@".len())),
            ("<SCRIPT a=b>@</Script >", Some("<SCRIPT a=b>@".len())),
            ("<title/>@</title>", Some("<title/>@".len())),
            ("<style\n>@", Some("<style\n>@".len())),
            ("<script></script>@", None),
            ("<script></script><xmp>@</xmp>", Some("<script></script><xmp>@".len())),
            ("<scripted>@</script>", None),
            ("<p>@</p>", None),
            ("<!-- <script> -->@</script>", None),
            ("<!-- <script>@</script>", None),
            ("< script>@</script>", None),
            ("@<script></script>", None),
        ] {
            let position = text.find('@').unwrap();
            let plain = text.replace('@', "x");
            assert_eq!(end_of_raw_text(plain.as_bytes(), position), expected, "{text}");
        }
    }

    #[test]
    fn the_root_element_is_the_first_one_that_is_no_comment_and_no_instruction() {
        for (text, expected) in [
            ("<a>", Some("a")),
            ("x<a/>", Some("a")),
            ("<a b='c'>", Some("a")),
            ("<a\n", Some("a")),
            ("<x:html>", Some("html")),
            ("<?xml version='1.0'?><!DOCTYPE b><!-- <c> --><d>", Some("d")),
            ("<a", None),
            ("<!-- <a>", None),
            ("<?xml <a", None),
            ("<", None),
            ("", None),
        ] {
            assert_eq!(root_element(text.as_bytes()), expected.map(str::as_bytes), "{text}");
        }
    }

    #[test]
    fn a_start_decides_if_no_later_declaration_would_be_believed() {
        let long = |text: &str, length: usize| format!("{text}{}", "x".repeat(length.saturating_sub(text.len())));
        for (kind, text, expected) in [
            (Kind::Html, "<meta charset=koi8-r>".to_owned(), true),
            (Kind::Html, long("<p>", LENGTH), false),
            (Kind::Xml, "<a>".to_owned(), true),
            (Kind::Xml, "<?xml version='1.0'?>".to_owned(), false),
            (Kind::Xml, "<html>".to_owned(), false),
            (Kind::Xml, "<html><meta charset=koi8-r>".to_owned(), true),
            (Kind::Css, "a {}".to_owned(), true),
            (Kind::Css, "@charset \"a".to_owned(), false),
            (Kind::Css, "\u{FEFF}@charset \"a\";".to_owned(), true),
            (Kind::Css, long("@charset \"a", PRESCAN_LENGTH), true),
            (Kind::Css, long("@charset \"a", PRESCAN_LENGTH - 1), false),
            (Kind::Text, long("", source_text::SEARCHED), true),
            (Kind::Text, long("", source_text::SEARCHED - 1), false),
            (Kind::Properties, long("", LENGTH), false),
        ] {
            assert_eq!(is_decided(kind, &text), expected, "{kind:?} {}", &text[..text.len().min(30)]);
        }
    }

    #[test]
    fn a_plain_text_declares_an_encoding_of_the_standard_in_its_first_8_kib() {
        let late = |before: usize| format!("{}\n\\inputencoding{{koi8-r}}\n", "x".repeat(before));
        let length = late(0).len();
        for (text, expected) in [
            ("# coding: koi8-r".to_owned(), Some(Name::Koi8R)),
            ("% !TEX encoding = IsoLatin".to_owned(), Some(Name::Windows1252)),
            ("# coding: cp437".to_owned(), None),
            ("# coding: utf-16".to_owned(), None),
            ("# coding: utf-16le".to_owned(), None),
            ("# coding: nonsense".to_owned(), None),
            ("From: a\nContent-Type: text/plain; charset=iso-8859-5\n\nx".to_owned(), Some(Name::Iso8859_5)),
            ("From: a\nContent-Type: text/plain; charset=us-ascii\n\nx".to_owned(), None),
            ("# coding: us-ascii".to_owned(), Some(Name::Windows1252)),
            // The name ends with the last byte that is looked at, or one byte after it.
            (late(source_text::SEARCHED - length + 2), Some(Name::Koi8R)),
            (late(source_text::SEARCHED - length + 3), None),
            (late(source_text::SEARCHED), None),
        ] {
            let end = &text[text.len().saturating_sub(60)..];
            assert_eq!(in_start_of_source_text(text.as_bytes()), expected, "{end}");
            let is_beyond = beyond::declared(Kind::Text, text.as_bytes(), false).is_some();
            assert_eq!(is_beyond, expected.is_some() || text.ends_with("cp437"), "{end}");
        }
    }

    #[test]
    fn white_space_at_the_start_tells_no_kind() {
        let decoder = Charset::UTF_8.new_decoder(false);
        let blank = " ".repeat(2 * source_text::SEARCHED);
        let page = format!("{blank}<!doctype html><meta charset=koi8-r>");
        let mut search = Search::new(None, &decoder, Charset::UTF_8);
        assert_eq!(search.look(&[], false), None);
        assert_eq!(search.look(&page.as_bytes()[..blank.len()], false), None);
        let found = search.look(page.as_bytes(), true).unwrap();
        assert_eq!(found.iter().map(Contradiction::label).collect::<Vec<_>>(), ["koi8-r"]);
    }

    #[test]
    fn the_name_tells_the_kind_and_the_content_only_if_no_name_does() {
        let decoder = Charset::UTF_8.new_decoder(false);
        let all = [Kind::Html, Kind::Xml, Kind::Css, Kind::Text, Kind::Properties];
        for (text, own, others) in [
            ("<!doctype html><meta charset=koi8-r>", Kind::Html, &[][..]),
            ("<?xml version='1.0' encoding='koi8-r'?><a/>", Kind::Xml, &[Kind::Html]),
            ("@charset \"koi8-r\"; p { color: red }", Kind::Css, &[]),
            ("# coding: koi8-r, and some more text", Kind::Text, &[]),
        ] {
            for kind in all.map(Some).into_iter().chain([None]) {
                let found = Search::new(kind, &decoder, Charset::UTF_8).look(text.as_bytes(), true).unwrap();
                let is_found = kind.is_none_or(|kind| kind == own || others.contains(&kind));
                assert_eq!(!found.is_empty(), is_found, "{kind:?} {text}");
            }
        }
    }

    #[test]
    fn the_pieces_of_a_text_do_not_decide_which_declarations_are_found() {
        let decoder = Charset::UTF_8.new_decoder(false);
        let declaration = "\\inputencoding{latin10}\n";
        let line = "äö\n";
        for (lines, is_found) in [(0, true), (1600, true), (1638, false), (3000, false), (6000, false)] {
            let text = [&line.repeat(lines), declaration, &line.repeat(7000 - lines)].concat();
            assert_eq!(lines * line.len() + declaration.len() <= source_text::SEARCHED, is_found, "{lines}");
            for length in [1000, 8192, 8193, 20_000, LENGTH] {
                let mut search = Search::new(Some(Kind::Text), &decoder, Charset::UTF_8);
                let ends = (1..).map(|number| (number * length).min(text.len()));
                let found = ends.map(|end| search.look(&text.as_bytes()[..end], end == text.len()));
                let found = found.flatten().next().unwrap();
                let labels: Vec<_> = found.iter().map(Contradiction::label).collect();
                let expected: &[&str] = if is_found { &["latin10"] } else { &[] };
                assert_eq!(labels, expected, "{lines} {length}");
            }
        }
        // A text without lines is cut.
        let long = format!("# coding: latin-1 {}", "ä".repeat(source_text::SEARCHED));
        assert_eq!(contradictions(Kind::Text, &long, Charset::UTF_8).len(), 1);
    }
}
