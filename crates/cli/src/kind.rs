//! The kinds of files. The kind of a file decides how the file can declare its encoding.

use std::path::Path;

use clap::ValueEnum;
use textcodec::sniff::Context;

/// The kind of a file.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Kind {
    /// A web page; meta elements can declare its encoding
    Html,
    /// XML, SVG or XHTML; an XML declaration can declare its encoding
    Xml,
    /// A style sheet; @charset can declare its encoding
    Css,
    /// Plain text, which cannot declare its encoding
    Text,
}

impl Kind {
    /// The number of bytes that are enough to tell the kind, unless the file starts with much white space.
    pub(crate) const LENGTH: usize = 16;

    /// The kind that follows from the extension of the file's name. If the extension is not known, the kind follows
    /// from `start`, the first bytes of the file.
    pub(crate) fn of(path: Option<&Path>, start: &[u8]) -> Self {
        let extension = path.and_then(Path::extension).and_then(|extension| extension.to_str()).unwrap_or_default();
        match &*extension.to_ascii_lowercase() {
            "html" | "htm" => Kind::Html,
            "xml" | "xhtml" | "xht" | "svg" | "rss" | "atom" | "xsl" | "xslt" => Kind::Xml,
            "css" => Kind::Css,
            "txt" | "text" | "md" => Kind::Text,
            _ => Self::of_content(start),
        }
    }

    fn of_content(start: &[u8]) -> Self {
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
    pub(crate) const fn context(self) -> Context {
        match self {
            Kind::Html => Context::HtmlParser,
            Kind::Xml => Context::XmlParser,
            Kind::Css => Context::CssFromDocument,
            Kind::Text => Context::TextDocument,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Kind::Html => "html",
            Kind::Xml => "xml",
            Kind::Css => "css",
            Kind::Text => "text",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_the_kind_and_otherwise_the_content_tells_it() {
        for (name, start, kind) in [
            ("a.HTM", "@charset \"x\";", Kind::Html),
            ("a.svg", "", Kind::Xml),
            ("a/b.css", "<p>", Kind::Css),
            ("a.txt", "<!doctype html>", Kind::Text),
            ("a", "\u{FEFF} \n<!doctype html>", Kind::Html),
            ("standard input", "<?xml version='1.0'?>", Kind::Xml),
            ("a.php", "<?php", Kind::Html),
            ("a", "<\0?\0x\0", Kind::Xml),
            ("a", "@charset \"utf-8\";", Kind::Css),
            ("a", "a < b", Kind::Text),
            ("a", "< b", Kind::Text),
            ("a", "", Kind::Text),
        ] {
            assert_eq!(Kind::of(Some(Path::new(name)), start.as_bytes()), kind, "{name} {start}");
        }
    }
}
