//! Asks the sources of a context one after the other, over a whole resource or over a stream whose bytes are still
//! arriving. For HTML this is the
//! [encoding sniffing algorithm](https://html.spec.whatwg.org/#encoding-sniffing-algorithm).

use textcodec_core::Name;

use crate::{
    Confidence, Context, Fallback, Hints, Label, Resource, Rung, Sniffed, Source,
    ascii::can_become,
    bom::can_become_bom,
    bom_sniff, browser_ui, css, locale_default,
    prescan::{PRESCAN_LENGTH, Prescan, Progress},
    xml,
    xml_encoding::DECLARATION_LENGTH,
};

/// Finds out the encoding of a stream whose bytes arrive in pieces. The sniffer keeps no bytes: the caller does, and
/// passes all of them in every call.
///
/// The sniffer decides as early as the bytes allow, after [`PRESCAN_LENGTH`] bytes at the latest. It waits longer in
/// two cases, each with a limit that the caller can set: for the end of an XML declaration
/// ([`with_declaration_limit`](Self::with_declaration_limit), [`DECLARATION_LENGTH`] bytes unless set), and for the
/// bytes that [`Hints::heuristic`] is to see ([`with_patience`](Self::with_patience), [`PRESCAN_LENGTH`] bytes unless
/// set).
///
/// The outcome does not depend on how the stream is cut into pieces. With `usize::MAX` as both limits, the outcome is
/// the same as that of [`Context::sniff`], which has no limits.
///
/// ```
/// use textcodec_sniff::{Context, Hints, Name, Sniffer};
///
/// let mut sniffer = Sniffer::new(Context::HtmlParser, Hints::default());
/// let page = b"<!doctype html><meta charset=koi8-r><title>...";
/// assert_eq!(sniffer.sniff(&page[..30], false), None);
/// assert_eq!(sniffer.sniff(&page[..40], false).unwrap().encoding, Name::Koi8R);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sniffer<'a> {
    context: Context,
    hints: Hints<'a>,
    prescan: Prescan,
    patience: usize,
    declaration_limit: usize,
}

impl<'a> Sniffer<'a> {
    /// For a new stream.
    #[must_use]
    pub const fn new(context: Context, hints: Hints<'a>) -> Self {
        let context = match (context, hints.resource) {
            // A view of a source is decoded in the same way as the source.
            (Context::ViewSource, Some(Resource::Xml)) => Context::XmlParser,
            (Context::ViewSource, Some(Resource::Css)) => Context::CssFromDocument,
            (Context::ViewSource, Some(Resource::Script)) => Context::ClassicScript,
            (Context::ViewSource, Some(Resource::Text | Resource::Json)) => Context::TextDocument,
            (Context::ViewSource, _) => Context::HtmlParser,
            // An XML response of `XMLHttpRequest` is parsed with the sources of an XML parser. The response can have an
            // override, and malformed sequences become U+FFFD.
            (Context::XhrDocument, Some(Resource::Xml)) => Context::XhrTextXml,
            _ => context,
        };
        Sniffer {
            context,
            hints,
            prescan: Prescan::new(),
            patience: PRESCAN_LENGTH,
            declaration_limit: DECLARATION_LENGTH,
        }
    }

    /// Sets the number of bytes that [`Hints::heuristic`] waits for and sees: [`PRESCAN_LENGTH`] unless set. With
    /// `usize::MAX` it sees the whole stream, as in [`Context::sniff`]. Nothing else waits longer.
    #[must_use]
    pub const fn with_patience(mut self, bytes: usize) -> Self {
        self.patience = bytes;
        self
    }

    /// Sets the number of bytes in which the `>` of an XML declaration is looked for: [`DECLARATION_LENGTH`] unless
    /// set. A declaration that is longer is ignored. With `usize::MAX` it may be of any length, as in
    /// [`Context::sniff`]; the caller then keeps the whole stream if it begins with `<?xml` and has no `>`.
    #[must_use]
    pub const fn with_declaration_limit(mut self, bytes: usize) -> Self {
        self.declaration_limit = bytes;
        self
    }

    /// The outcome, given all bytes of the stream that have arrived so far; `None` if it depends on bytes that have
    /// not. `last` says that the stream has ended: the result is `Some` then, except in a context without an encoding.
    pub fn sniff(&mut self, so_far: &[u8], last: bool) -> Option<Sniffed> {
        match self.climb(so_far, last) {
            Progress::Done(sniffed) => sniffed,
            Progress::Wait => None,
        }
    }

    fn climb(&mut self, so_far: &[u8], last: bool) -> Progress<Option<Sniffed>> {
        let hints = self.hints;
        let (sources, fallback) = (self.context.label_sources(), self.context.default());
        if fallback == Fallback::None {
            return Progress::Done(None);
        }
        match hints.definite {
            Some(encoding) if !sources.is_empty() => return self.done(encoding, Rung::Definite),
            _ => {}
        }
        for source in sources {
            let found = match source {
                Source::Bom if !last && can_become_bom(so_far) => return Progress::Wait,
                Source::Bom => bom_sniff(so_far).map(|encoding| (encoding, Rung::Bom)),
                Source::User => match self.chosen_by_user() {
                    Some(encoding) => match self.without_override(so_far, last) {
                        Progress::Done(Some(sniffed)) if !browser_ui::can_be_overridden(sniffed.encoding) => {
                            return Progress::Done(Some(sniffed));
                        }
                        Progress::Done(_) => Some((encoding, Rung::Override)),
                        Progress::Wait => return Progress::Wait,
                    },
                    None => None,
                },
                Source::Override | Source::Argument => {
                    hints.override_charset.and_then(Label::encoding).map(|encoding| (encoding, Rung::Override))
                }
                Source::Transport if self.is_overridden(sources) => None,
                Source::Transport => {
                    hints.transport.and_then(Label::encoding).map(|encoding| (encoding, Rung::Transport))
                }
                Source::HtmlPrescan => match self.prescan.run(so_far, last, self.declaration_limit) {
                    Progress::Done(found) => found,
                    Progress::Wait => return Progress::Wait,
                },
                Source::XmlDeclaration => match xml::autodetect(so_far, last, self.declaration_limit) {
                    Progress::Done(found) => found,
                    Progress::Wait => return Progress::Wait,
                },
                Source::AtCharset => match css::at_charset_so_far(so_far, last) {
                    Progress::Done(found) => found,
                    Progress::Wait => return Progress::Wait,
                },
                // A form whose `accept-charset` has only unknown labels is sent in UTF-8, not in the encoding of its
                // document.
                Source::CharsetAttribute
                    if self.context == Context::FormSubmission && hints.charset_attribute == Some(Label::Unknown) =>
                {
                    return self.done(Name::Utf8, Rung::Default);
                }
                Source::CharsetAttribute => {
                    hints.charset_attribute.and_then(Label::encoding).map(|encoding| (encoding, Rung::CharsetAttribute))
                }
                Source::OfMimeType => None,
            };
            if let Some((encoding, rung)) = found {
                return self.done(encoding, rung);
            }
        }
        match (fallback, hints.environment) {
            (Fallback::Environment, Some(environment)) => self.done(environment, Rung::Environment),
            (Fallback::OfMimeType, _) if hints.resource == Some(Resource::Json) => self.done(Name::Utf8, Rung::Default),
            (Fallback::Implementation | Fallback::OfMimeType, _) => self.guess(so_far, last),
            _ if sources.is_empty() && !self.context.is_encoding_side() => self.done(Name::Utf8, Rung::Fixed),
            _ => self.done(Name::Utf8, Rung::Default),
        }
    }

    /// The encoding that the user chose, if a user interface may [offer](browser_ui::OFFERED) it.
    fn chosen_by_user(&self) -> Option<Name> {
        self.hints.override_charset.and_then(Label::encoding).filter(|&encoding| browser_ui::is_offered(encoding))
    }

    /// The outcome if the user had chosen nothing; `Done(None)` as soon as it is known that this outcome is not UTF-16.
    fn without_override(&mut self, so_far: &[u8], last: bool) -> Progress<Option<Sniffed>> {
        let hints = Hints { override_charset: None, ..self.hints };
        let is_utf_16 = |encoding: Option<Name>| encoding.is_some_and(|name| !browser_ui::can_be_overridden(name));
        // Without a hint, only these first bytes lead to UTF-16: there is no need to wait for the whole prescan.
        let can_be_utf_16 = [b"<\0?\0", b"\0<\0?"].into_iter().any(|start| can_become(so_far, start))
            || is_utf_16(hints.transport.and_then(Label::encoding))
            || is_utf_16(hints.history)
            || is_utf_16(hints.default)
            || hints.heuristic.is_some();
        if !can_be_utf_16 {
            return Progress::Done(None);
        }
        let mut sniffer = Sniffer { hints, ..*self };
        let outcome = sniffer.climb(so_far, last);
        self.prescan = sniffer.prescan;
        outcome
    }

    /// Whether an override replaces the label of the transport layer, even if the override names no encoding.
    fn is_overridden(&self, sources: &[Source]) -> bool {
        self.hints.override_charset.is_some() && sources.contains(&Source::Override)
    }

    /// The rungs of HTML's ladder after the prescan. The last one is the implementation's default.
    fn guess(&self, so_far: &[u8], last: bool) -> Progress<Option<Sniffed>> {
        let hints = &self.hints;
        let container = hints.container.filter(|encoding| !matches!(encoding, Name::Utf16Be | Name::Utf16Le));
        if let Some(encoding) = container {
            return self.done(encoding, Rung::Container);
        }
        if let Some(encoding) = hints.history {
            return self.done(encoding, Rung::History);
        }
        if let Some(heuristic) = hints.heuristic {
            if !last && so_far.len() < self.patience {
                return Progress::Wait;
            }
            if let Some(encoding) = heuristic(&so_far[..so_far.len().min(self.patience)]) {
                return self.done(encoding, Rung::Heuristic);
            }
        }
        match (hints.default, hints.locale) {
            (None, Some(locale)) => self.done(locale_default(locale), Rung::Locale),
            (default, _) => self.done(default.unwrap_or(Name::Windows1252), Rung::Default),
        }
    }

    fn done(&self, encoding: Name, rung: Rung) -> Progress<Option<Sniffed>> {
        let is_open = matches!(self.context, Context::HtmlParser | Context::TextDocument);
        let confidence = match rung {
            Rung::Fixed => Confidence::Irrelevant,
            Rung::Definite | Rung::Bom | Rung::Override | Rung::Transport => Confidence::Certain,
            Rung::Default if self.context == Context::TextDocument && self.hints.resource == Some(Resource::Json) => {
                Confidence::Certain
            }
            _ if is_open => Confidence::Tentative,
            _ => Confidence::Certain,
        };
        let encoding = if self.context.is_encoding_side() { encoding.output() } else { encoding };
        Progress::Done(Some(Sniffed { encoding, confidence, rung }))
    }
}
