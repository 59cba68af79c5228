//! Knowledge of a resource besides its bytes.

use core::fmt;

use textcodec_core::Name;

use crate::{MimeType, Resource, ascii::is_whitespace};

/// The result of [get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get) for a given label. An
/// unknown label is not the same as no label: `overrideMimeType()` treats the two cases differently.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    /// The label names this encoding.
    Encoding(Name),
    /// The label names no encoding.
    Unknown,
}

impl Label {
    /// The first label that names an encoding, in a list of labels with ASCII whitespace between them, as in
    /// [`accept-charset`](https://html.spec.whatwg.org/#picking-an-encoding-for-the-form).
    #[must_use]
    pub fn first_of(labels: &str) -> Self {
        let labels = labels.as_bytes().split(|&byte| is_whitespace(byte));
        labels.map(Label::from).find(|label| *label != Label::Unknown).unwrap_or(Label::Unknown)
    }

    /// The encoding that the label names.
    #[must_use]
    pub const fn encoding(self) -> Option<Name> {
        match self {
            Label::Encoding(encoding) => Some(encoding),
            Label::Unknown => None,
        }
    }
}

impl From<&[u8]> for Label {
    fn from(label: &[u8]) -> Self {
        Name::for_label(label).map_or(Label::Unknown, Label::Encoding)
    }
}

impl From<&str> for Label {
    fn from(label: &str) -> Self {
        label.as_bytes().into()
    }
}

impl From<Name> for Label {
    fn from(encoding: Name) -> Self {
        Label::Encoding(encoding)
    }
}

/// A function that guesses an encoding from the bytes of a resource, for example by statistics. It is `Sync` so that
/// decoders that hold it can move between threads.
pub type Heuristic<'a> = &'a (dyn Fn(&[u8]) -> Option<Name> + Sync);

/// Knowledge of a resource besides its bytes. Each context uses only the fields that its standard mentions.
///
/// ```
/// use textcodec_sniff::{Hints, Name, Rung, html};
///
/// let hints = Hints { transport: Some("bogus".into()), locale: Some("ru"), ..Hints::default() };
/// let sniffed = html(b"<title>\xCF\xF0\xE8", hints);
/// assert_eq!((sniffed.encoding, sniffed.rung), (Name::Windows1251, Rung::Locale));
/// ```
#[derive(Clone, Copy, Default)]
pub struct Hints<'a> {
    /// HTML's [known definite encoding](https://html.spec.whatwg.org/#known-definite-encoding), with which the parser
    /// is created. It overrides everything else.
    pub definite: Option<Name>,
    /// An encoding that overrides others: from the user, `overrideMimeType()`, the argument of `readAsText()`, or the
    /// constructor of a `TextDecoder`.
    ///
    /// The contexts that listen to a user, [`HtmlParser`](crate::Context::HtmlParser),
    /// [`XmlParser`](crate::Context::XmlParser) and [`TextDocument`](crate::Context::TextDocument), follow
    /// [Browser UI](https://encoding.spec.whatwg.org/#browser-ui): they ignore an encoding that is not
    /// [offered](crate::browser_ui::OFFERED). If a document is in UTF-16 without the override, they ignore the
    /// override, too.
    pub override_charset: Option<Label>,
    /// The `charset` that the transport layer gives with the bytes: the `charset` of HTTP's `Content-Type`, or of the
    /// type of a blob. See [`from_content_type`](Self::from_content_type).
    pub transport: Option<Label>,
    /// The `charset` attribute of the reference to the resource: of a `link` or `script` element, or of an
    /// `xml-stylesheet` processing instruction. For a form, its `accept-charset` ([`Label::first_of`]).
    pub charset_attribute: Option<Label>,
    /// The encoding of the document, or of the importing style sheet, that refers to the resource.
    pub environment: Option<Name>,
    /// The encoding of the [container document](https://html.spec.whatwg.org/#container-document). Give it only if the
    /// container document has the same origin.
    pub container: Option<Name>,
    /// The encoding of the resource at an earlier visit.
    pub history: Option<Name>,
    /// A function that guesses the encoding from the bytes.
    pub heuristic: Option<Heuristic<'a>>,
    /// The language tag of the user's locale; see [`locale_default`](crate::locale_default).
    pub locale: Option<&'a str>,
    /// The default for HTML and plain text, whose standards leave it to the implementation. Windows-1252 if this is
    /// `None`.
    pub default: Option<Name>,
    /// The kind of the resource by its MIME type, for contexts that have several kinds: a response of `XMLHttpRequest`,
    /// a view of a source, a text document. See [`MimeType::resource`](crate::MimeType::resource).
    pub resource: Option<Resource>,
    /// The error mode in contexts that can have either of the two: `TextDecoder` and the host parser.
    pub fatal: bool,
}

impl Hints<'_> {
    /// The hints that the value of a `Content-Type` header gives: [`transport`](Self::transport) and
    /// [`resource`](Self::resource). `None` in both if the value is no MIME type.
    ///
    /// ```
    /// use textcodec_sniff::{Hints, Name, Rung, xml};
    ///
    /// let hints = Hints::from_content_type("application/xml; charset=koi8-r");
    /// let sniffed = xml(b"<?xml version='1.0' encoding='big5'?>", hints);
    /// assert_eq!((sniffed.encoding, sniffed.rung), (Name::Koi8R, Rung::Transport));
    /// ```
    #[must_use]
    pub fn from_content_type(content_type: impl AsRef<[u8]>) -> Self {
        let content_type = MimeType::parse(content_type.as_ref());
        Hints {
            transport: content_type.as_ref().and_then(MimeType::charset).map(|charset| charset.label()),
            resource: content_type.as_ref().map(MimeType::resource),
            ..Hints::default()
        }
    }
}

impl fmt::Debug for Hints<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hints")
            .field("definite", &self.definite)
            .field("override_charset", &self.override_charset)
            .field("transport", &self.transport)
            .field("charset_attribute", &self.charset_attribute)
            .field("environment", &self.environment)
            .field("container", &self.container)
            .field("history", &self.history)
            .field("heuristic", &self.heuristic.map(|_| "a function"))
            .field("locale", &self.locale)
            .field("default", &self.default)
            .field("resource", &self.resource)
            .field("fatal", &self.fatal)
            .finish()
    }
}
