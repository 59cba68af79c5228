//! The outcome: an encoding, its [confidence](https://html.spec.whatwg.org/#concept-encoding-confidence), and who said so.

use core::fmt;

use textcodec_core::Name;

/// Which encoding it is, how sure that is, and which rung of the ladder said so.
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
    /// Whether anything can change it.
    pub confidence: Confidence,
    /// Who said so.
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
    /// It stays. All contexts except HTML and plain text are certain at once: nothing later is listened to.
    Certain,
    /// A later declaration can [change the encoding](crate::change_the_encoding), or it is a guess.
    Tentative,
    /// The context has one encoding, whatever anybody says.
    Irrelevant,
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Confidence::Certain => "certain",
            Confidence::Tentative => "tentative",
            Confidence::Irrelevant => "irrelevant",
        })
    }
}

/// Who says which encoding it is.
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
    /// Nobody said anything else: [`Hints::default`](crate::Hints::default), or the standard's default.
    Default,
    /// The context has one encoding.
    Fixed,
}

impl Rung {
    /// The rung as a word, the same in all versions: `bom`, `at-charset`.
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
    /// The rung as a clause: `a byte order mark`, `the style sheet declares it`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Rung::Definite => "it was known beforehand",
            Rung::Bom => "a byte order mark",
            Rung::Override => "it was asked for",
            Rung::Transport => "the transport layer says so",
            Rung::Meta => "a meta element declares it",
            Rung::XmlDeclaration => "an XML declaration",
            Rung::Autodetection => "XML starts with these bytes in it",
            Rung::AtCharset => "@charset declares it",
            Rung::CharsetAttribute => "the charset attribute of what refers to it",
            Rung::Environment => "what refers to it is in it",
            Rung::Container => "the container document is in it",
            Rung::History => "it was at an earlier visit",
            Rung::Heuristic => "a guess from the bytes",
            Rung::Locale => "the locale's default",
            Rung::Default => "the default, as nothing says otherwise",
            Rung::Fixed => "nothing else is possible here",
        })
    }
}
