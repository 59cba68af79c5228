//! One function for each kind of resource, for whole resources.

use crate::{Context, Hints, Resource, Sniffed};

/// HTML's [encoding sniffing algorithm](https://html.spec.whatwg.org/#encoding-sniffing-algorithm).
///
/// ```
/// use textcodec_sniff::{Confidence, Hints, Name, Rung, html};
///
/// let page = b"<!doctype html><meta http-equiv=content-type content='text/html; charset=euc-jp'>";
/// let sniffed = html(page, Hints::default());
/// assert_eq!((sniffed.encoding, sniffed.confidence, sniffed.rung), (Name::EucJp, Confidence::Tentative, Rung::Meta));
///
/// // HTTP has precedence.
/// let sniffed = html(page, Hints { transport: Some("utf-8".into()), ..Hints::default() });
/// assert_eq!((sniffed.encoding, sniffed.confidence, sniffed.rung), (Name::Utf8, Confidence::Certain, Rung::Transport));
/// ```
#[must_use]
pub fn html(bytes: &[u8], hints: Hints<'_>) -> Sniffed {
    sniff(Context::HtmlParser, bytes, hints)
}

/// [XML](https://www.w3.org/TR/xml/#charencoding), for an XML parser: the encoding from its declaration, or from bytes
/// that can only be XML in UTF-16.
#[must_use]
pub fn xml(bytes: &[u8], hints: Hints<'_>) -> Sniffed {
    sniff(Context::XmlParser, bytes, hints)
}

/// A [style sheet](https://drafts.csswg.org/css-syntax/#input-byte-stream). [`Hints::charset_attribute`] and
/// [`Hints::environment`] belong to the document or style sheet that refers to it.
#[must_use]
pub fn css(bytes: &[u8], hints: Hints<'_>) -> Sniffed {
    sniff(Context::CssFromDocument, bytes, hints)
}

/// A [classic script](https://html.spec.whatwg.org/#fetch-a-classic-script). [`Hints::environment`] is the document's
/// encoding.
#[must_use]
pub fn classic_script(bytes: &[u8], hints: Hints<'_>) -> Sniffed {
    sniff(Context::ClassicScript, bytes, hints)
}

/// A [text response](https://xhr.spec.whatwg.org/#text-response) of `XMLHttpRequest`. [`Hints::resource`] is
/// [`Resource::Xml`] for an XML MIME type, unless the response type is "text".
#[must_use]
pub fn xhr_text(bytes: &[u8], hints: Hints<'_>) -> Sniffed {
    let is_xml = hints.resource == Some(Resource::Xml);
    sniff(if is_xml { Context::XhrTextXml } else { Context::XhrText }, bytes, hints)
}

/// A [document response](https://xhr.spec.whatwg.org/#document-response) of `XMLHttpRequest`: HTML, or XML if
/// [`Hints::resource`] is [`Resource::Xml`].
#[must_use]
pub fn xhr_document(bytes: &[u8], hints: Hints<'_>) -> Sniffed {
    sniff(Context::XhrDocument, bytes, hints)
}

/// A [text document](https://html.spec.whatwg.org/#read-text).
#[must_use]
pub fn text(bytes: &[u8], hints: Hints<'_>) -> Sniffed {
    sniff(Context::TextDocument, bytes, hints)
}

/// [`readAsText()`](https://w3c.github.io/FileAPI/#packaging-data) of a `FileReader`: [`Hints::override_charset`] is
/// its argument, [`Hints::transport`] the `charset` of the blob's type.
#[must_use]
pub fn file_reader(bytes: &[u8], hints: Hints<'_>) -> Sniffed {
    sniff(Context::FileReader, bytes, hints)
}

fn sniff(context: Context, bytes: &[u8], hints: Hints<'_>) -> Sniffed {
    match context.sniff(bytes, hints) {
        Some(sniffed) => sniffed,
        None => unreachable!("each of these contexts has an encoding"),
    }
}
