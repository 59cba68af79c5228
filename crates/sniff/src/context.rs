//! The contexts in which standards decode bytes or encode text, and the facts about each of them.

use core::fmt;

use crate::{Hints, Sniffed, Sniffer};

/// A context in which a standard decodes bytes or encodes text. It has the facts from its standard: the
/// [`operation`](Self::operation), the sources that may name the encoding, and the treatment of errors.
///
/// In the crate `textcodec`, the trait `textcodec::sniff::ContextExt` adds methods that decode and encode:
/// `Context::EventStream.decode(bytes, hints)`.
///
/// ```
/// use textcodec_sniff::{Context, Hints, Name, Operation};
///
/// assert_eq!(Context::EventStream.operation(), Operation::Utf8Decode);
/// let hints = Hints { transport: Some("koi8-r".into()), ..Hints::default() };
/// assert_eq!(Context::EventStream.sniff(b"data: 1", hints).unwrap().encoding, Name::Utf8);
/// assert_eq!(Context::ClassicScript.sniff(b"let x = 1", hints).unwrap().encoding, Name::Koi8R);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Context {
    /// The [`TextDecoder`](https://encoding.spec.whatwg.org/#textdecoder) of the API, with the label in
    /// [`Hints::override_charset`].
    TextDecoder,
    /// The [HTML parser](https://html.spec.whatwg.org/#determining-the-character-encoding) when a browser navigates to
    /// a page.
    HtmlParser,
    /// A [document response](https://xhr.spec.whatwg.org/#document-response) of `XMLHttpRequest`: HTML unless
    /// [`Hints::resource`] says that it is XML.
    XhrDocument,
    /// An [XML parser](https://www.w3.org/TR/xml/#charencoding).
    XmlParser,
    /// A [style sheet](https://drafts.csswg.org/css-syntax/#input-byte-stream) that a document refers to.
    CssFromDocument,
    /// A style sheet that another style sheet imports.
    CssFromStyleSheet,
    /// A style sheet that a `Link` header refers to.
    CssFromLinkHeader,
    /// A [text document](https://html.spec.whatwg.org/#read-text).
    TextDocument,
    /// A [text response](https://xhr.spec.whatwg.org/#text-response) of `XMLHttpRequest` with the response type "" and
    /// an XML MIME type.
    XhrTextXml,
    /// Any other text response of `XMLHttpRequest`.
    XhrText,
    /// A view of the source of a resource of the kind [`Hints::resource`]; HTML if that is `None`.
    ViewSource,
    /// A [classic script](https://html.spec.whatwg.org/#fetch-a-classic-script).
    ClassicScript,
    /// A module script, the script of a worker, and the scripts that they import.
    ModuleScript,
    /// A [`javascript:` URL](https://html.spec.whatwg.org/#evaluate-a-javascript:-url).
    JavascriptUrl,
    /// [`text()`](https://fetch.spec.whatwg.org/#dom-body-text) of Fetch.
    FetchText,
    /// [`json()`](https://fetch.spec.whatwg.org/#dom-body-json) of Fetch.
    FetchJson,
    /// A [JSON response](https://xhr.spec.whatwg.org/#json-response) of `XMLHttpRequest`.
    XhrJson,
    /// A [web application manifest](https://w3c.github.io/manifest/#dfn-processing-a-manifest).
    WebAppManifest,
    /// A payment method manifest.
    PaymentMethodManifest,
    /// [`PushMessageData`](https://w3c.github.io/push-api/#pushmessagedata-interface).
    PushMessageData,
    /// An [event stream](https://html.spec.whatwg.org/#parsing-an-event-stream).
    EventStream,
    /// A cache manifest.
    CacheManifest,
    /// [WebVTT](https://w3c.github.io/webvtt/#webvtt-parser-algorithm).
    WebVtt,
    /// A [media fragment](https://www.w3.org/TR/media-frags/#decode-a-percent-encoded-string).
    MediaFragment,
    /// A text frame of a [WebSocket](https://websockets.spec.whatwg.org/).
    WebSocketText,
    /// The close reason of a [WebSocket](https://websockets.spec.whatwg.org/).
    WebSocketCloseReason,
    /// [`document.cookie`](https://html.spec.whatwg.org/#dom-document-cookie).
    Cookie,
    /// The [host parser](https://url.spec.whatwg.org/#concept-host-parser).
    HostParser,
    /// [Percent-decode of a string](https://url.spec.whatwg.org/#string-percent-decode).
    PercentDecode,
    /// The [indicated part of a document](https://html.spec.whatwg.org/#the-indicated-part-of-the-document): a
    /// fragment.
    Fragment,
    /// [`application/x-www-form-urlencoded`](https://url.spec.whatwg.org/#urlencoded-parsing).
    UrlEncoded,
    /// [`multipart/form-data`](https://fetch.spec.whatwg.org/#dom-body-formdata).
    MultipartFormData,
    /// [`readAsText()`](https://w3c.github.io/FileAPI/#packaging-data) of a `FileReader`.
    FileReader,
    /// A [MIME type](https://mimesniff.spec.whatwg.org/#parse-a-mime-type-from-bytes) that is given as bytes.
    MimeType,
    /// A URL that is given as bytes.
    Url,
    /// The [`data:` URL processor](https://fetch.spec.whatwg.org/#data-url-processor).
    DataUrl,
    /// The [`Refresh` header](https://html.spec.whatwg.org/#document-lifecycle).
    RefreshHeader,
    /// Values of headers:
    /// [get, decode, and split](https://fetch.spec.whatwg.org/#concept-header-list-get-decode-split).
    HeaderValue,
    /// [`atob()`](https://html.spec.whatwg.org/#dom-atob).
    Atob,
    /// Encoding the [query of a URL](https://url.spec.whatwg.org/#query-state).
    UrlQuery,
    /// Encoding the fields of a [form](https://html.spec.whatwg.org/#form-submission-algorithm).
    FormSubmission,
}

/// The operation by which a context decodes or encodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// [`TextDecoder.decode`](https://encoding.spec.whatwg.org/#dom-textdecoder-decode), which removes only the byte
    /// order mark of its own encoding.
    TextDecoder,
    /// [Decode](https://encoding.spec.whatwg.org/#decode), in which a byte order mark decides the encoding.
    Decode,
    /// [UTF-8 decode](https://encoding.spec.whatwg.org/#utf-8-decode).
    Utf8Decode,
    /// [UTF-8 decode without BOM](https://encoding.spec.whatwg.org/#utf-8-decode-without-bom), or in the error mode
    /// fatal [UTF-8 decode without BOM or fail](https://encoding.spec.whatwg.org/#utf-8-decode-without-bom-or-fail).
    Utf8DecodeWithoutBom,
    /// [Isomorphic decode](https://infra.spec.whatwg.org/#isomorphic-decode).
    IsomorphicDecode,
    /// [Percent-encode after encoding](https://url.spec.whatwg.org/#string-percent-encode-after-encoding).
    PercentEncodeAfterEncoding,
    /// [Encode](https://encoding.spec.whatwg.org/#encode).
    Encode,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Operation::TextDecoder => "TextDecoder",
            Operation::Decode => "decode",
            Operation::Utf8Decode => "UTF-8 decode",
            Operation::Utf8DecodeWithoutBom => "UTF-8 decode without BOM",
            Operation::IsomorphicDecode => "isomorphic decode",
            Operation::PercentEncodeAfterEncoding => "percent-encode after encoding",
            Operation::Encode => "encode",
        })
    }
}

/// A source that may name the encoding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Source {
    /// A byte order mark.
    Bom,
    /// The user, in [`Hints::override_charset`].
    User,
    /// `overrideMimeType()`, in [`Hints::override_charset`]. It replaces the label of the transport layer even if it
    /// names no encoding.
    Override,
    /// The label of a constructor, or the argument of a method, in [`Hints::override_charset`].
    Argument,
    /// The transport layer, or the type of a blob, in [`Hints::transport`].
    Transport,
    /// The prescan of HTML: a `meta` element or an XML declaration.
    HtmlPrescan,
    /// An XML declaration, or first bytes that can only be XML in UTF-16.
    XmlDeclaration,
    /// `@charset`.
    AtCharset,
    /// The `charset` attribute of the reference to the resource, or `accept-charset` of a form, in
    /// [`Hints::charset_attribute`].
    CharsetAttribute,
    /// The sources of the context for the MIME type of the resource, in [`Hints::resource`].
    OfMimeType,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Source::Bom => "byte order mark",
            Source::User => "user",
            Source::Override => "override",
            Source::Argument => "argument",
            Source::Transport => "transport",
            Source::HtmlPrescan => "HTML prescan",
            Source::XmlDeclaration => "XML declaration",
            Source::AtCharset => "@charset",
            Source::CharsetAttribute => "charset attribute",
            Source::OfMimeType => "by MIME type",
        })
    }
}

/// The encoding if no [`Source`] names one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Fallback {
    /// UTF-8.
    Utf8,
    /// [`Hints::environment`]: the encoding of the document or style sheet that refers to the resource, or that
    /// contains the form or URL. UTF-8 if that is `None`.
    Environment,
    /// The encoding of the container document, of an earlier visit, a guess, or the default of the locale or of the
    /// implementation, in this order.
    Implementation,
    /// The fallback of the context for the MIME type of the resource, in [`Hints::resource`].
    OfMimeType,
    /// There is no encoding.
    None,
}

impl fmt::Display for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Fallback::Utf8 => "UTF-8",
            Fallback::Environment => "the referring document",
            Fallback::Implementation => "container document, then implementation",
            Fallback::OfMimeType => "by MIME type",
            Fallback::None => "none",
        })
    }
}

/// The treatment of errors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ErrorMode {
    /// U+FFFD replaces each malformed sequence.
    Replacement,
    /// The first malformed sequence is an error.
    Fatal,
    /// `Fatal` if [`Hints::fatal`] is set, `Replacement` otherwise.
    ReplacementOrFatal,
    /// A decimal character reference, such as `&#9731;`, replaces each unmappable character.
    Html,
    /// A percent-encoded decimal character reference, such as `%26%239731%3B`, replaces each unmappable character.
    PercentEncodedReference,
    /// There are no errors.
    None,
}

impl fmt::Display for ErrorMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            ErrorMode::Replacement => "replacement",
            ErrorMode::Fatal => "fatal",
            ErrorMode::ReplacementOrFatal => "replacement or fatal",
            ErrorMode::Html => "html",
            ErrorMode::PercentEncodedReference => "%26%23n%3B",
            ErrorMode::None => "none",
        })
    }
}

/// The facts about a context from its standard.
struct Facts {
    name: &'static str,
    operation: Operation,
    label_sources: &'static [Source],
    default: Fallback,
    error_mode: ErrorMode,
}

impl Context {
    /// All contexts.
    pub const ALL: &'static [Context] = &[
        Context::TextDecoder,
        Context::HtmlParser,
        Context::XhrDocument,
        Context::XmlParser,
        Context::CssFromDocument,
        Context::CssFromStyleSheet,
        Context::CssFromLinkHeader,
        Context::TextDocument,
        Context::XhrTextXml,
        Context::XhrText,
        Context::ViewSource,
        Context::ClassicScript,
        Context::ModuleScript,
        Context::JavascriptUrl,
        Context::FetchText,
        Context::FetchJson,
        Context::XhrJson,
        Context::WebAppManifest,
        Context::PaymentMethodManifest,
        Context::PushMessageData,
        Context::EventStream,
        Context::CacheManifest,
        Context::WebVtt,
        Context::MediaFragment,
        Context::WebSocketText,
        Context::WebSocketCloseReason,
        Context::Cookie,
        Context::HostParser,
        Context::PercentDecode,
        Context::Fragment,
        Context::UrlEncoded,
        Context::MultipartFormData,
        Context::FileReader,
        Context::MimeType,
        Context::Url,
        Context::DataUrl,
        Context::RefreshHeader,
        Context::HeaderValue,
        Context::Atob,
        Context::UrlQuery,
        Context::FormSubmission,
    ];

    const fn facts(self) -> Facts {
        use Context as C;
        use Source::{
            Argument, AtCharset, Bom, CharsetAttribute, HtmlPrescan, OfMimeType, Override, Transport, User,
            XmlDeclaration,
        };
        const fn decode(name: &'static str, label_sources: &'static [Source], default: Fallback) -> Facts {
            Facts { name, operation: Operation::Decode, label_sources, default, error_mode: ErrorMode::Replacement }
        }
        const fn utf8(name: &'static str, operation: Operation, error_mode: ErrorMode) -> Facts {
            Facts { name, operation, label_sources: &[], default: Fallback::Utf8, error_mode }
        }
        const fn utf8_decode(name: &'static str) -> Facts {
            utf8(name, Operation::Utf8Decode, ErrorMode::Replacement)
        }
        const fn without_bom(name: &'static str) -> Facts {
            utf8(name, Operation::Utf8DecodeWithoutBom, ErrorMode::Replacement)
        }
        const fn isomorphic(name: &'static str) -> Facts {
            let (operation, default) = (Operation::IsomorphicDecode, Fallback::None);
            Facts { name, operation, label_sources: &[], default, error_mode: ErrorMode::None }
        }
        const fn fatal(mut facts: Facts, error_mode: ErrorMode) -> Facts {
            facts.error_mode = error_mode;
            facts
        }
        match self {
            C::TextDecoder => Facts {
                operation: Operation::TextDecoder,
                error_mode: ErrorMode::ReplacementOrFatal,
                ..decode("TextDecoder", &[Argument], Fallback::Utf8)
            },
            C::HtmlParser => decode("HTML parser", &[Bom, User, Transport, HtmlPrescan], Fallback::Implementation),
            C::XhrDocument => decode("XHR document response", &[Bom, Override, Transport, HtmlPrescan], Fallback::Utf8),
            C::XmlParser => {
                fatal(decode("XML parser", &[Bom, User, Transport, XmlDeclaration], Fallback::Utf8), ErrorMode::Fatal)
            }
            C::CssFromDocument => decode(
                "CSS style sheet from a document",
                &[Bom, Transport, AtCharset, CharsetAttribute],
                Fallback::Environment,
            ),
            C::CssFromStyleSheet => {
                decode("CSS style sheet from a style sheet", &[Bom, Transport, AtCharset], Fallback::Environment)
            }
            C::CssFromLinkHeader => {
                decode("CSS style sheet from a Link header", &[Bom, Transport, AtCharset], Fallback::Utf8)
            }
            C::TextDocument => decode("text document", &[Bom, User, Transport], Fallback::OfMimeType),
            C::XhrTextXml => {
                decode("XHR text response, XML", &[Bom, Override, Transport, XmlDeclaration], Fallback::Utf8)
            }
            C::XhrText => decode("XHR text response", &[Bom, Override, Transport], Fallback::Utf8),
            C::ViewSource => decode("view-source", &[OfMimeType], Fallback::OfMimeType),
            C::ClassicScript => decode("classic script", &[Bom, Transport, CharsetAttribute], Fallback::Environment),
            C::ModuleScript => utf8_decode("module, worker and imported scripts"),
            C::JavascriptUrl => utf8_decode("javascript: URL"),
            C::FetchText => utf8_decode("Fetch text()"),
            C::FetchJson => utf8_decode("Fetch json()"),
            C::XhrJson => utf8_decode("XHR JSON response"),
            C::WebAppManifest => utf8_decode("web application manifest"),
            C::PaymentMethodManifest => utf8_decode("payment method manifest"),
            C::PushMessageData => utf8_decode("PushMessageData"),
            C::EventStream => utf8_decode("event stream"),
            C::CacheManifest => utf8_decode("cache manifest"),
            C::WebVtt => utf8_decode("WebVTT"),
            C::MediaFragment => fatal(utf8_decode("media fragment"), ErrorMode::Fatal),
            C::WebSocketText => utf8("WebSocket text frame", Operation::TextDecoder, ErrorMode::Fatal),
            C::WebSocketCloseReason => without_bom("WebSocket close reason"),
            C::Cookie => without_bom("document.cookie"),
            C::HostParser => fatal(without_bom("host parser"), ErrorMode::ReplacementOrFatal),
            C::PercentDecode => without_bom("percent-decode of a string"),
            C::Fragment => without_bom("indicated part of the document"),
            C::UrlEncoded => without_bom("application/x-www-form-urlencoded"),
            C::MultipartFormData => without_bom("multipart/form-data"),
            C::FileReader => decode("FileReader readAsText", &[Bom, Argument, Transport], Fallback::Utf8),
            C::MimeType => isomorphic("MIME type from bytes"),
            C::Url => isomorphic("URL parser"),
            C::DataUrl => isomorphic("data: URL processor"),
            C::RefreshHeader => isomorphic("Refresh header"),
            C::HeaderValue => isomorphic("header values"),
            C::Atob => isomorphic("atob"),
            C::UrlQuery => Facts {
                operation: Operation::PercentEncodeAfterEncoding,
                error_mode: ErrorMode::PercentEncodedReference,
                ..decode("URL query", &[], Fallback::Environment)
            },
            C::FormSubmission => Facts {
                operation: Operation::Encode,
                error_mode: ErrorMode::Html,
                ..decode("form submission", &[CharsetAttribute], Fallback::Environment)
            },
        }
    }

    /// The name of the context in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// The operation that decodes or encodes.
    #[must_use]
    pub const fn operation(self) -> Operation {
        self.facts().operation
    }

    /// The sources that may name the encoding, the strongest first.
    #[must_use]
    pub const fn label_sources(self) -> &'static [Source] {
        self.facts().label_sources
    }

    /// The encoding if none of the sources names one.
    #[must_use]
    pub const fn default(self) -> Fallback {
        self.facts().default
    }

    /// The treatment of errors.
    #[must_use]
    pub const fn error_mode(self) -> ErrorMode {
        self.facts().error_mode
    }

    /// Whether this context encodes text. The result of [`sniff`](Self::sniff) is then an [output
    /// encoding](https://encoding.spec.whatwg.org/#get-an-output-encoding).
    #[must_use]
    pub const fn is_encoding_side(self) -> bool {
        matches!(self.operation(), Operation::PercentEncodeAfterEncoding | Operation::Encode)
    }

    /// The encoding of `bytes`, a whole resource; `None` in a context without an encoding, such as one of *isomorphic
    /// decode*. A context that encodes does not look at `bytes`.
    #[must_use]
    pub fn sniff(self, bytes: &[u8], hints: Hints<'_>) -> Option<Sniffed> {
        if self.default() == Fallback::None {
            return None;
        }
        let mut sniffer = Sniffer::new(self, hints).with_patience(usize::MAX).with_declaration_limit(usize::MAX);
        sniffer.sniff(bytes, true)
    }
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
