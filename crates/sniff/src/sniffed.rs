//! The result of sniffing: an encoding, the [confidence](https://html.spec.whatwg.org/#concept-encoding-confidence) in
//! it, and its source.

use core::fmt;

use textcodec_core::Name;

/// An encoding, the confidence in it, and the rung of the ladder that named it.
///
/// ```
/// use textcodec_sniff::{Hints, html};
///
/// let sniffed = html(b"<meta charset=sjis>", Hints::default());
/// assert_eq!(sniffed.to_string(), "Shift_JIS, tentative: a meta element declares it");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Sniffed {
    /// The encoding.
    pub encoding: Name,
    /// Whether a later declaration can change the encoding.
    pub confidence: Confidence,
    /// The source of the encoding.
    pub rung: Rung,
}

impl fmt::Display for Sniffed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}: {}", self.encoding, self.confidence, self.rung)
    }
}

/// The [confidence](https://html.spec.whatwg.org/#concept-encoding-confidence) in an encoding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Confidence {
    /// The encoding does not change. In all contexts except HTML and plain text, the confidence is certain from the
    /// start, because no later declaration counts.
    Certain,
    /// A later declaration can [change the encoding](crate::change_the_encoding), or the encoding is a guess.
    Tentative,
    /// The context has one encoding, and no source can name another.
    Irrelevant,
}

impl Confidence {
    /// The word of HTML: `certain`, `tentative` or `irrelevant`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Confidence::Certain => "certain",
            Confidence::Tentative => "tentative",
            Confidence::Irrelevant => "irrelevant",
        }
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The sources of an encoding: the rungs of the ladder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Rung {
    /// [`Hints::definite`](crate::Hints::definite).
    Definite,
    /// A byte order mark.
    Bom,
    /// [`Hints::override_charset`](crate::Hints::override_charset).
    Override,
    /// [`Hints::transport`](crate::Hints::transport).
    Transport,
    /// A `meta` element, found by the prescan.
    Meta,
    /// An XML declaration; in HTML also the start of one in UTF-16, found by the prescan.
    XmlDeclaration,
    /// The first bytes of XML in UTF-16 without a byte order mark.
    Autodetection,
    /// An `@charset` at the start of a style sheet.
    AtCharset,
    /// [`Hints::charset_attribute`](crate::Hints::charset_attribute).
    CharsetAttribute,
    /// [`Hints::environment`](crate::Hints::environment).
    Environment,
    /// [`Hints::container`](crate::Hints::container).
    Container,
    /// [`Hints::history`](crate::Hints::history).
    History,
    /// [`Hints::heuristic`](crate::Hints::heuristic).
    Heuristic,
    /// [`Hints::locale`](crate::Hints::locale).
    Locale,
    /// No other source names an encoding: [`Hints::default`](crate::Hints::default), or the standard's default.
    Default,
    /// The context has one encoding.
    Fixed,
}

impl Rung {
    /// All rungs, those of the ladders in the order in which they are asked.
    pub const ALL: &'static [Rung] = &[
        Rung::Definite,
        Rung::Bom,
        Rung::Override,
        Rung::Transport,
        Rung::Meta,
        Rung::XmlDeclaration,
        Rung::Autodetection,
        Rung::AtCharset,
        Rung::CharsetAttribute,
        Rung::Environment,
        Rung::Container,
        Rung::History,
        Rung::Heuristic,
        Rung::Locale,
        Rung::Default,
        Rung::Fixed,
    ];

    /// The rung as a word that is the same in all versions, such as `bom` or `at-charset`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Rung::Definite => "definite",
            Rung::Bom => "bom",
            Rung::Override => "override",
            Rung::Transport => "transport",
            Rung::Meta => "meta",
            Rung::XmlDeclaration => "xml-declaration",
            Rung::Autodetection => "autodetection",
            Rung::AtCharset => "at-charset",
            Rung::CharsetAttribute => "charset-attribute",
            Rung::Environment => "environment",
            Rung::Container => "container",
            Rung::History => "history",
            Rung::Heuristic => "heuristic",
            Rung::Locale => "locale",
            Rung::Default => "default",
            Rung::Fixed => "fixed",
        }
    }
}

impl fmt::Display for Rung {
    /// The rung as a phrase for messages: `a byte order mark`, `@charset declares it`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Rung::Definite => "it was known in advance",
            Rung::Bom => "a byte order mark",
            Rung::Override => "an override names it",
            Rung::Transport => "the transport layer names it",
            Rung::Meta => "a meta element declares it",
            Rung::XmlDeclaration => "an XML declaration",
            Rung::Autodetection => "the first bytes are XML in it",
            Rung::AtCharset => "@charset declares it",
            Rung::CharsetAttribute => "the charset attribute of the reference names it",
            Rung::Environment => "the referring document is in it",
            Rung::Container => "the container document is in it",
            Rung::History => "it was the encoding at an earlier visit",
            Rung::Heuristic => "a guess from the bytes",
            Rung::Locale => "the locale's default",
            Rung::Default => "the default, as nothing says otherwise",
            Rung::Fixed => "no other encoding is possible here",
        })
    }
}
