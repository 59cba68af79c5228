//! The kinds of files. The kind of a file decides how the file can declare its encoding.

use textcodec::sniff::Context;

use crate::charset::Charset;

/// The kind of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// A web page; meta elements can declare its encoding.
    Html,
    /// XML, SVG or XHTML; an XML declaration can declare its encoding.
    Xml,
    /// A style sheet; `@charset` can declare its encoding.
    Css,
    /// Plain text, which cannot declare its encoding.
    Text,
    /// Messages of a program in Java, which reads them as ISO-8859-1 if it does not say otherwise.
    Properties,
}

impl Kind {
    /// The number of bytes that are enough to tell the kind, unless the file starts with much white space.
    pub(crate) const LENGTH: usize = 16;

    /// The kind that follows from the extension of a file's name, without the full stop.
    #[must_use]
    pub fn for_extension(extension: &str) -> Option<Self> {
        let is = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(extension));
        match () {
            () if is(&["html", "htm"]) => Some(Kind::Html),
            () if is(&["xml", "xhtml", "xht", "svg", "rss", "atom", "xsl", "xslt"]) => Some(Kind::Xml),
            () if is(&["css"]) => Some(Kind::Css),
            () if is(&["txt", "text", "md"]) => Some(Kind::Text),
            () if is(&["properties"]) => Some(Kind::Properties),
            () => None,
        }
    }

    /// The kind that follows from the extension of the file's name.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn for_path(path: &std::path::Path) -> Option<Self> {
        Self::for_extension(path.extension()?.to_str()?)
    }

    /// The kind that follows from `start`, the first bytes of a file.
    #[must_use]
    pub fn of_content(start: &[u8]) -> Self {
        let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
        if ["<?xml", "<\0?\0", "\0<\0?"].iter().any(|xml| start.starts_with(xml.as_bytes())) {
            return Kind::Xml;
        }
        if start.starts_with(b"@charset ") {
            return Kind::Css;
        }
        match start.trim_ascii_start() {
            [b'<', b'!' | b'?' | b'a'..=b'z' | b'A'..=b'Z', ..] => Kind::Html,
            _ => Kind::Text,
        }
    }

    /// The context whose rules find the encoding.
    #[must_use]
    pub const fn context(self) -> Context {
        match self {
            Kind::Html => Context::HtmlParser,
            Kind::Xml => Context::XmlParser,
            Kind::Css => Context::CssFromDocument,
            Kind::Text | Kind::Properties => Context::TextDocument,
        }
    }

    /// The charset in which the readers of this kind read a file that declares nothing and is not UTF-8. `None` if they
    /// have no rule for it.
    #[must_use]
    pub fn charset_by_definition(self) -> Option<Charset> {
        (self == Kind::Properties).then(Charset::iso_8859_1)
    }

    /// The name: "html", "xml", "css", "text" or "properties".
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Html => "html",
            Kind::Xml => "xml",
            Kind::Css => "css",
            Kind::Text => "text",
            Kind::Properties => "properties",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_extension_has_its_kind_in_any_case() {
        for (kind, extensions) in [
            (Some(Kind::Html), "html htm"),
            (Some(Kind::Xml), "xml xhtml xht svg rss atom xsl xslt"),
            (Some(Kind::Css), "css"),
            (Some(Kind::Text), "txt text md"),
            (Some(Kind::Properties), "properties"),
            (None, "x html5 htmlx tml xm xmlx cs tx property c py"),
        ] {
            for extension in extensions.split(' ') {
                for extension in [extension.into(), extension.to_uppercase()] {
                    assert_eq!(Kind::for_extension(&extension), kind, "{extension}");
                    let path = ["a.b/c.", &extension].concat();
                    assert_eq!(Kind::for_path(std::path::Path::new(&path)), kind, "{extension}");
                }
            }
        }
        for path in ["html", ".html", "a/html", "a.html/b", ""] {
            assert_eq!(Kind::for_path(std::path::Path::new(path)), None, "{path}");
        }
        let by_definition = [Kind::Html, Kind::Xml, Kind::Css, Kind::Text, Kind::Properties];
        let by_definition = by_definition.map(|kind| (kind.name(), kind.charset_by_definition().is_some()));
        let expected = [("html", false), ("xml", false), ("css", false), ("text", false), ("properties", true)];
        assert_eq!(by_definition, expected);
    }

    #[test]
    fn the_name_tells_the_kind_and_otherwise_the_content_tells_it() {
        for (name, start, kind) in [
            ("a.HTM", "@charset \"x\";", Kind::Html),
            ("a.svg", "", Kind::Xml),
            ("a/b.css", "<p>", Kind::Css),
            ("a.txt", "<!doctype html>", Kind::Text),
            ("messages_de.properties", "<b>=x", Kind::Properties),
            ("a", "\u{FEFF} \n<!doctype html>", Kind::Html),
            ("standard input", "<?xml version='1.0'?>", Kind::Xml),
            ("a.php", "<?php", Kind::Html),
            ("a", "<\0?\0x\0", Kind::Xml),
            ("a", "\0<\0?\0x", Kind::Xml),
            ("a", "\u{FEFF}<?xml version='1.0'?>", Kind::Xml),
            ("a", " <?xml version='1.0'?>", Kind::Html),
            ("a", "@charset \"utf-8\";", Kind::Css),
            ("a", "a < b", Kind::Text),
            ("a", "< b", Kind::Text),
            ("a", "", Kind::Text),
        ] {
            let extension = name.rsplit_once('.').and_then(|(_, extension)| Kind::for_extension(extension));
            let found = extension.unwrap_or_else(|| Kind::of_content(start.as_bytes()));
            assert_eq!(found, kind, "{name} {start}");
        }
    }
}
