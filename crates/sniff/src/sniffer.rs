//! The ladder, rung by rung, over bytes that have all arrived or are still arriving; of HTML it is the [encoding sniffing
//! algorithm](https://html.spec.whatwg.org/#encoding-sniffing-algorithm).

use textcodec_core::Name;

use crate::{
    Confidence, Context, Fallback, Hints, Label, Resource, Rung, Sniffed, Source,
    bom::can_become_bom,
    bom_sniff, css, locale_default,
    prescan::{PRESCAN_LENGTH, Prescan, Progress},
    xml,
};

/// Finds out the encoding of a stream whose bytes arrive by and by. It keeps no bytes: whoever feeds it does.
///
/// It decides as early as the bytes allow, after [`PRESCAN_LENGTH`] bytes at the latest; only an XML declaration is waited for
/// longer, up to [`DECLARATION_LENGTH`](crate::DECLARATION_LENGTH). The outcome does not depend on how the stream is cut, and
/// is that of [`Context::sniff`], except that [`Hints::heuristic`] sees no more bytes than that, unless told to
/// [wait](Self::with_patience).
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
}

impl<'a> Sniffer<'a> {
    /// For a new stream.
    #[must_use]
    pub const fn new(context: Context, hints: Hints<'a>) -> Self {
        let context = match (context, hints.resource) {
            // A view of a source is read as the source is.
            (Context::ViewSource, Some(Resource::Xml)) => Context::XmlParser,
            (Context::ViewSource, Some(Resource::Css)) => Context::CssFromDocument,
            (Context::ViewSource, Some(Resource::Script)) => Context::ClassicScript,
            (Context::ViewSource, Some(Resource::Text | Resource::Json)) => Context::TextDocument,
            (Context::ViewSource, _) => Context::HtmlParser,
            // What the XML parser knows, with an override and without errors.
            (Context::XhrDocument, Some(Resource::Xml)) => Context::XhrTextXml,
            _ => context,
        };
        Sniffer { context, hints, prescan: Prescan::new(), patience: PRESCAN_LENGTH }
    }

    /// Lets [`Hints::heuristic`] wait for more bytes than [`PRESCAN_LENGTH`], and see them; nothing else waits longer. With
    /// `usize::MAX` it sees them all, as in [`Context::sniff`].
    #[must_use]
    pub const fn with_patience(mut self, bytes: usize) -> Self {
        self.patience = bytes;
        self
    }

    /// The outcome, given all the bytes of the stream that have arrived so far; `None` if it depends on more of them. `last`
    /// says that no more will come: the outcome is there then, except in a context without an encoding.
    pub fn sniff(&mut self, so_far: &[u8], last: bool) -> Option<Sniffed> {
        match self.climb(so_far, last) {
            Progress::Done(sniffed) => sniffed,
            Progress::Wait => None,
        }
    }

    fn climb(&mut self, so_far: &[u8], last: bool) -> Progress<Option<Sniffed>> {
        let hints = &self.hints;
        let (sources, fallback) = (self.context.label_sources(), self.context.default());
        if fallback == Fallback::None {
            return Progress::Done(None);
        }
        if let Some(encoding) = hints.definite
            && !sources.is_empty()
        {
            return self.done(encoding, Rung::Definite);
        }
        for source in sources {
            let found = match source {
                Source::Bom if !last && can_become_bom(so_far) => return Progress::Wait,
                Source::Bom => bom_sniff(so_far).map(|encoding| (encoding, Rung::Bom)),
                Source::User | Source::Override | Source::Argument => {
                    hints.override_charset.and_then(Label::encoding).map(|encoding| (encoding, Rung::Override))
                }
                Source::Transport if self.is_overridden(sources) => None,
                Source::Transport => {
                    hints.transport.and_then(Label::encoding).map(|encoding| (encoding, Rung::Transport))
                }
                Source::HtmlPrescan => match self.prescan.run(so_far, last) {
                    Progress::Done(found) => found,
                    Progress::Wait => return Progress::Wait,
                },
                Source::XmlDeclaration => match xml::autodetect(so_far, last) {
                    Progress::Done(found) => found,
                    Progress::Wait => return Progress::Wait,
                },
                Source::AtCharset => match css::at_charset_so_far(so_far, last) {
                    Progress::Done(found) => found,
                    Progress::Wait => return Progress::Wait,
                },
                // A form whose labels are all unknown is not sent as its document is.
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

    /// Whether an override takes the place of what the transport layer says, be it known or not.
    fn is_overridden(&self, sources: &[Source]) -> bool {
        self.hints.override_charset.is_some() && sources.contains(&Source::Override)
    }

    /// The rungs of HTML's ladder behind the prescan, which end in the implementation's default.
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
