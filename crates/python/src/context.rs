//! The contexts in which browsers read text: they [find out the encoding](textcodec::sniff) by the rules of a standard,
//! and decode.

use std::sync::Mutex;

use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyBool, PyBytes, PyString},
};
use textcodec::{
    BomHandling, Encoding, Name,
    sniff::{
        Context, ErrorMode, Hints, Label, MimeType, Operation, PRESCAN_LENGTH, Resource, Sniffed, Sniffer,
        locale_default,
    },
};

use crate::{
    charset::{AnyEncoding, Decoder},
    cpython::{Record, Source, string_from_latin1},
    decode,
    encoding::{self, PyEncoding},
    errors::{self, Errors},
    guess::Guess,
};

/// What is known of a resource besides its bytes, from the arguments of a call.
#[derive(Default)]
struct Known {
    definite: Option<Name>,
    override_charset: Option<Label>,
    transport: Option<Label>,
    charset_attribute: Option<Label>,
    environment: Option<Name>,
    container: Option<Name>,
    history: Option<Name>,
    locale: Option<String>,
    default: Option<Name>,
    resource: Option<Resource>,
    guess: Option<Guess>,
}

/// The arguments of a call, of which each context has some.
#[derive(Default)]
struct Arguments<'a, 'py> {
    http_charset: Option<&'a Bound<'py, PyAny>>,
    content_type: Option<&'a Bound<'py, PyAny>>,
    definite: Option<&'a Bound<'py, PyAny>>,
    override_: Option<&'a Bound<'py, PyAny>>,
    charset_attribute: Option<&'a Bound<'py, PyAny>>,
    environment: Option<&'a Bound<'py, PyAny>>,
    container: Option<&'a Bound<'py, PyAny>>,
    history: Option<&'a Bound<'py, PyAny>>,
    locale: Option<&'a Bound<'py, PyString>>,
    default: Option<&'a Bound<'py, PyAny>>,
    guess: Option<&'a Bound<'py, PyAny>>,
}

impl Arguments<'_, '_> {
    fn known(self, py: Python<'_>) -> PyResult<Known> {
        // An unknown label is not the same as none: an override with an unknown label still replaces the label of HTTP.
        let label = |label: Option<&Bound<'_, PyAny>>| {
            label
                .map(|label| {
                    let encoding = encoding::known(label)?;
                    Ok::<_, PyErr>(encoding.map_or(Label::Unknown, |encoding| Label::Encoding(encoding.id())))
                })
                .transpose()
        };
        let name = |label: Option<&Bound<'_, PyAny>>| {
            label.map(|label| Ok::<_, PyErr>(encoding::resolve(py, label)?.id())).transpose()
        };
        let mut known = Known {
            definite: name(self.definite)?,
            override_charset: label(self.override_)?,
            transport: label(self.http_charset)?,
            charset_attribute: label(self.charset_attribute)?,
            environment: name(self.environment)?,
            container: name(self.container)?,
            history: name(self.history)?,
            locale: self.locale.map(|locale| locale.to_string_lossy().into_owned()),
            default: name(self.default)?,
            resource: None,
            guess: None,
        };
        if let Some(content_type) = self.content_type {
            let content_type = header(content_type)?;
            let mime_type = MimeType::parse(&content_type);
            let charset = mime_type.as_ref().and_then(MimeType::charset).map(|charset| charset.label());
            known.transport = known.transport.or(charset);
            known.resource = mime_type.as_ref().map(MimeType::resource);
        }
        if let Some(guess) = self.guess {
            known.guess = Some(Guess::new(guess)?);
        }
        Ok(known)
    }
}

/// The bytes of a header, which can be `bytes` or a `str`. Libraries for HTTP decode headers with the error handler
/// surrogateescape, so a lone surrogate can stand for a byte.
///
/// # Errors
/// `TypeError` for another object.
pub(crate) fn header(value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let Ok(text) = value.cast::<PyString>() else {
        return match Source::new(value) {
            Ok(bytes) => Ok(bytes.as_slice().to_vec()),
            Err(_) => {
                let name = value.get_type().name()?;
                Err(PyTypeError::new_err(format!("content_type must be a str or bytes, not {name}")))
            }
        };
    };
    if let Ok(text) = text.to_str() {
        return Ok(text.as_bytes().to_vec());
    }
    let encode = |errors| text.call_method1("encode", ("utf-8", errors));
    // Other lone surrogates stand for no byte. No label has the bytes that they become.
    let bytes = encode("surrogateescape").or_else(|_| encode("surrogatepass"))?;
    Ok(bytes.cast_into::<PyBytes>()?.as_bytes().to_vec())
}

impl Known {
    /// Calls `sniff` with the hints. The exception of `guess`, if it raises one, takes precedence over the result.
    fn sniff<T>(&self, py: Python<'_>, sniff: impl FnOnce(Hints<'_>) -> T) -> PyResult<T> {
        let failure = Mutex::new(None);
        let heuristic = self.guess.as_ref().map(|guess| {
            |bytes: &[u8]| match guess.ask_with_lock(bytes) {
                Ok(guess) => guess,
                Err(error) => {
                    if let Ok(mut failure) = failure.lock() {
                        *failure = Some(error);
                    }
                    None
                }
            }
        });
        let result = sniff(Hints {
            definite: self.definite,
            override_charset: self.override_charset,
            transport: self.transport,
            charset_attribute: self.charset_attribute,
            environment: self.environment,
            container: self.container,
            history: self.history,
            heuristic: heuristic.as_ref().map(|heuristic| heuristic as _),
            locale: self.locale.as_deref(),
            default: self.default,
            resource: self.resource,
            ..Hints::default()
        });
        let _ = py;
        match failure.into_inner() {
            Ok(Some(error)) => Err(error),
            _ => Ok(result),
        }
    }
}

/// The treatment of byte order marks in a context, and whether errors are fatal.
fn rules(context: Context) -> (BomHandling, Errors) {
    let bom = match context.operation() {
        Operation::Decode => BomHandling::Sniff,
        Operation::TextDecoder | Operation::Utf8Decode => BomHandling::Remove,
        _ => BomHandling::Keep,
    };
    (bom, if context.error_mode() == ErrorMode::Fatal { Errors::Strict } else { Errors::Replace })
}

/// The name of a context in Python: the name of the Rust variant in lower case, with hyphens.
fn kebab(context: Context) -> String {
    let mut name = String::new();
    for letter in format!("{context:?}").chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// The context of this name.
fn context(name: &str) -> PyResult<Context> {
    let short = match name {
        "html" => Some(Context::HtmlParser),
        "xml" => Some(Context::XmlParser),
        "css" => Some(Context::CssFromDocument),
        "script" => Some(Context::ClassicScript),
        "xhr" => Some(Context::XhrText),
        _ => None,
    };
    let mut decoding = Context::ALL.iter().copied().filter(|context| !context.is_encoding_side());
    match short.or_else(|| decoding.find(|&context| kebab(context) == name)) {
        Some(context) => Ok(context),
        None => Err(PyValueError::new_err(format!("unknown context: '{name}'; textcodec.CONTEXTS has all"))),
    }
}

/// The names of all contexts that decode.
pub(crate) fn names() -> Vec<String> {
    let decoding = Context::ALL.iter().copied().filter(|context| !context.is_encoding_side());
    ["html", "xml", "css", "script", "xhr"].map(String::from).into_iter().chain(decoding.map(kebab)).collect()
}

/// The type `Sniffed`.
static SNIFFED: PyOnceLock<Record> = PyOnceLock::new();

/// The type `Sniffed`.
pub(crate) fn sniffed_record(py: Python<'_>) -> PyResult<&'static Record> {
    SNIFFED.get_or_try_init(py, || {
        Record::new(
            py,
            c"textcodec.Sniffed",
            c"The result of decoding as a browser does, a tuple of four with another attribute, had_errors.",
            &[
                (c"text", c"The text, a str."),
                (c"encoding", c"The Encoding; None in a context without one."),
                (
                    c"confidence",
                    c"'certain', 'tentative' (a later declaration can change the encoding, or it is a guess), or 'irrelevant' (the context has one encoding).",
                ),
                (
                    c"reason",
                    c"The source that decided: 'bom', 'transport', 'meta', 'xml-declaration', 'at-charset', 'default' and so on.",
                ),
                (c"had_errors", c"Whether there was a malformed sequence."),
            ],
            4,
        )
    })
}

/// The `Sniffed` of `data`.
fn sniffed<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    context: Context,
    known: &Known,
    errors: Option<&Bound<'py, PyString>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut source = Source::new(data)?;
    if known.guess.is_some() {
        // Code of Python can run meanwhile, and could change other buffers.
        source = Source::Bytes(source.to_bytes(py)?);
    }
    let found = known.sniff(py, |hints| context.sniff(source.as_slice(), hints))?;
    let Some(found) = found else {
        let text = string_from_latin1(py, source.as_slice())?;
        return value(py, text, None, None, false);
    };
    let (bom, default_errors) = rules(context);
    let errors = Errors::or(errors, default_errors)?;
    let encoding = Encoding::for_name(found.encoding).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let (text, encoding, had_errors) = decode::text(py, &mut source, encoding.into(), &errors, bom)?;
    value(py, text, encoding.standard(), Some(found), had_errors)
}

fn value<'py>(
    py: Python<'py>,
    text: Bound<'py, PyString>,
    encoding: Option<Encoding>,
    found: Option<Sniffed>,
    had_errors: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let encoding = match encoding {
        Some(encoding) => encoding::object(py, encoding)?.into_any(),
        None => py.None().into_bound(py),
    };
    let confidence = PyString::intern(py, found.map_or("irrelevant", |found| confidence(&found))).into_any();
    let reason = PyString::intern(py, found.map_or("fixed", |found| found.rung.as_str())).into_any();
    let had_errors = PyBool::new(py, had_errors).to_owned().into_any();
    sniffed_record(py)?.value(py, [text.into_any(), encoding, confidence, reason, had_errors])
}

fn confidence(found: &Sniffed) -> &'static str {
    match found.confidence {
        textcodec::sniff::Confidence::Certain => "certain",
        textcodec::sniff::Confidence::Tentative => "tentative",
        textcodec::sniff::Confidence::Irrelevant => "irrelevant",
    }
}

/// Decodes a page of HTML as a browser does when it navigates there.
///
/// The encoding comes from the first of these sources that names one: `definite`, a byte order mark, `override` (a
/// choice of the user), HTTP, a meta element or XML declaration in the first 1024 bytes, `container` (the document with
/// the frame), `history` (an earlier visit), `guess`, `default` or `locale` (a language tag). Without any of them it is
/// windows-1252.
///
/// HTTP's part is `http_charset`, a label, or `content_type`, the whole header as str or bytes. `guess` is a function
/// from bytes to a label, an `Encoding` or None, or "detect" for the detector of this package, which looks at the whole
/// page and has an answer for all but ASCII, binary data and unknown encodings. So it takes precedence over `locale`
/// and `default`, and everything that declares an encoding takes precedence over it. `errors` is as for `decode`.
///
/// >>> page = b"<!doctype html><meta charset=sjis><p>\x93\xfa\x96{"
/// >>> text, encoding, confidence, reason = textcodec.html(page)
/// >>> text[-2:], encoding.name, confidence, reason
/// ('日本', 'Shift_JIS', 'tentative', 'meta')
/// >>> textcodec.html(page, "utf-8").reason
/// 'transport'
/// >>> textcodec.html(b"\xcf\xf0\xe8", guess=lambda data: "windows-1251").text
/// 'При'
/// >>> textcodec.html("<p>Привет, как дела?".encode("koi8-r"), guess="detect")[1:]
/// (<textcodec.Encoding KOI8-R>, 'tentative', 'heuristic')
#[pyfunction]
#[pyo3(
    signature = (data, http_charset=None, *, content_type=None, errors=None, r#override=None, container=None,
        history=None, guess=None, locale=None, default=None, definite=None),
    text_signature = "(data, http_charset=None, *, content_type=None, errors='replace', override=None, container=None, history=None, guess=None, locale=None, default=None, definite=None)"
)]
#[allow(clippy::too_many_arguments, reason = "the arguments have names")]
pub(crate) fn html<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    http_charset: Option<&Bound<'py, PyAny>>,
    content_type: Option<&Bound<'py, PyAny>>,
    errors: Option<&Bound<'py, PyString>>,
    r#override: Option<&Bound<'py, PyAny>>,
    container: Option<&Bound<'py, PyAny>>,
    history: Option<&Bound<'py, PyAny>>,
    guess: Option<&Bound<'py, PyAny>>,
    locale: Option<&Bound<'py, PyString>>,
    default: Option<&Bound<'py, PyAny>>,
    definite: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let arguments = Arguments {
        http_charset,
        content_type,
        override_: r#override,
        container,
        history,
        guess,
        locale,
        default,
        definite,
        ..Arguments::default()
    };
    sniffed(py, data, Context::HtmlParser, &arguments.known(py)?, errors)
}

/// Decodes XML as an XML parser does: by a byte order mark, `override`, HTTP, the XML declaration, or as UTF-8.
///
/// A malformed sequence is a fatal error in XML, so it raises UnicodeDecodeError unless `errors` says otherwise.
///
/// >>> textcodec.xml(b"<?xml version='1.0' encoding='koi8-r'?><a>\xc4\xc1</a>")[1:]
/// (<textcodec.Encoding KOI8-R>, 'certain', 'xml-declaration')
#[pyfunction]
#[pyo3(
    signature = (data, http_charset=None, *, content_type=None, errors=None, r#override=None, definite=None),
    text_signature = "(data, http_charset=None, *, content_type=None, errors='strict', override=None, definite=None)"
)]
#[allow(clippy::too_many_arguments, reason = "the arguments have names")]
pub(crate) fn xml<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    http_charset: Option<&Bound<'py, PyAny>>,
    content_type: Option<&Bound<'py, PyAny>>,
    errors: Option<&Bound<'py, PyString>>,
    r#override: Option<&Bound<'py, PyAny>>,
    definite: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let arguments = Arguments { http_charset, content_type, override_: r#override, definite, ..Arguments::default() };
    sniffed(py, data, Context::XmlParser, &arguments.known(py)?, errors)
}

/// Decodes a style sheet: by a byte order mark, HTTP, `@charset`, the charset attribute of the link, the encoding of
/// the document that refers to it (`environment`), or as UTF-8.
///
/// >>> textcodec.css(b'@charset "koi8-r"; /* \xc1 */').text
/// '@charset "koi8-r"; /* а */'
#[pyfunction]
#[pyo3(
    signature = (data, http_charset=None, *, content_type=None, errors=None, charset_attribute=None, environment=None),
    text_signature = "(data, http_charset=None, *, content_type=None, errors='replace', charset_attribute=None, environment=None)"
)]
#[allow(clippy::too_many_arguments, reason = "the arguments have names")]
pub(crate) fn css<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    http_charset: Option<&Bound<'py, PyAny>>,
    content_type: Option<&Bound<'py, PyAny>>,
    errors: Option<&Bound<'py, PyString>>,
    charset_attribute: Option<&Bound<'py, PyAny>>,
    environment: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let arguments = Arguments { http_charset, content_type, charset_attribute, environment, ..Arguments::default() };
    sniffed(py, data, Context::CssFromDocument, &arguments.known(py)?, errors)
}

/// Decodes a classic script: by a byte order mark, HTTP, the charset attribute of the script element, the encoding of
/// the document (`environment`), or as UTF-8. A module script, with `module=True`, is always UTF-8.
///
/// >>> textcodec.script(b"'\xe9'", environment="latin1").text
/// "'é'"
/// >>> textcodec.script(b"'\xc3\xa9'", "latin1", module=True).text
/// "'é'"
#[pyfunction]
#[pyo3(
    signature = (data, http_charset=None, *, content_type=None, errors=None, charset_attribute=None, environment=None,
        module=false),
    text_signature = "(data, http_charset=None, *, content_type=None, errors='replace', charset_attribute=None, environment=None, module=False)"
)]
#[allow(clippy::too_many_arguments, reason = "the arguments have names")]
pub(crate) fn script<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    http_charset: Option<&Bound<'py, PyAny>>,
    content_type: Option<&Bound<'py, PyAny>>,
    errors: Option<&Bound<'py, PyString>>,
    charset_attribute: Option<&Bound<'py, PyAny>>,
    environment: Option<&Bound<'py, PyAny>>,
    module: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let arguments = Arguments { http_charset, content_type, charset_attribute, environment, ..Arguments::default() };
    let context = if module { Context::ModuleScript } else { Context::ClassicScript };
    sniffed(py, data, context, &arguments.known(py)?, errors)
}

/// Decodes a response of XMLHttpRequest.
///
/// `response_type` is "" (the default), "text", "document" or "json", as in JavaScript. `override` is the charset of
/// `overrideMimeType()`. Whether a response is XML comes from `content_type`.
///
/// >>> textcodec.xhr(b"\xe9", content_type="text/plain; charset=latin1").text
/// 'é'
/// >>> textcodec.xhr(b"<meta charset=koi8-r>\xc1", content_type="text/html", response_type="document").reason
/// 'meta'
#[pyfunction]
#[pyo3(
    signature = (data, http_charset=None, *, content_type=None, errors=None, r#override=None, response_type=""),
    text_signature = "(data, http_charset=None, *, content_type=None, errors='replace', override=None, response_type='')"
)]
#[allow(clippy::too_many_arguments, reason = "the arguments have names")]
pub(crate) fn xhr<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    http_charset: Option<&Bound<'py, PyAny>>,
    content_type: Option<&Bound<'py, PyAny>>,
    errors: Option<&Bound<'py, PyString>>,
    r#override: Option<&Bound<'py, PyAny>>,
    response_type: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let known = Arguments { http_charset, content_type, override_: r#override, ..Arguments::default() }.known(py)?;
    let context = match response_type {
        "" if known.resource == Some(Resource::Xml) => Context::XhrTextXml,
        "" | "text" => Context::XhrText,
        "document" => Context::XhrDocument,
        "json" => Context::XhrJson,
        other => {
            let message = format!("response_type must be '', 'text', 'document' or 'json', not {other:?}");
            return Err(PyValueError::new_err(message));
        }
    };
    sniffed(py, data, context, &known, errors)
}

/// Decodes bytes in any of the contexts in which browsers decode. `CONTEXTS` has their names, for example "html",
/// "event-stream", "web-vtt" or "file-reader". The other arguments are those of `html`, `css` and so on. A context
/// ignores the sources that its standard does not ask.
///
/// >>> textcodec.decode_as(b"\xef\xbb\xbfdata: \xc3\xa9", "event-stream").text
/// 'data: é'
#[pyfunction]
#[pyo3(
    signature = (data, context, http_charset=None, *, content_type=None, errors=None, r#override=None,
        charset_attribute=None, environment=None, container=None, history=None, guess=None, locale=None, default=None,
        definite=None),
    text_signature = "(data, context, http_charset=None, *, content_type=None, errors=None, override=None, charset_attribute=None, environment=None, container=None, history=None, guess=None, locale=None, default=None, definite=None)"
)]
#[allow(clippy::too_many_arguments, reason = "the arguments have names")]
pub(crate) fn decode_as<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    context: &str,
    http_charset: Option<&Bound<'py, PyAny>>,
    content_type: Option<&Bound<'py, PyAny>>,
    errors: Option<&Bound<'py, PyString>>,
    r#override: Option<&Bound<'py, PyAny>>,
    charset_attribute: Option<&Bound<'py, PyAny>>,
    environment: Option<&Bound<'py, PyAny>>,
    container: Option<&Bound<'py, PyAny>>,
    history: Option<&Bound<'py, PyAny>>,
    guess: Option<&Bound<'py, PyAny>>,
    locale: Option<&Bound<'py, PyString>>,
    default: Option<&Bound<'py, PyAny>>,
    definite: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let arguments = Arguments {
        http_charset,
        content_type,
        definite,
        override_: r#override,
        charset_attribute,
        environment,
        container,
        history,
        locale,
        default,
        guess,
    };
    sniffed(py, data, self::context(context)?, &arguments.known(py)?, errors)
}

/// A decoder for bytes that arrive in pieces, in one of the contexts of `decode_as`. The arguments are the same.
///
/// It keeps the first bytes until the encoding is known, which is after 1024 bytes at the latest, except for a long XML
/// declaration. The text is that of `decode_as`, with two exceptions: `guess` sees the first `patience` bytes only, and
/// an XML declaration must end within 64 KiB.
///
/// >>> decoder = textcodec.ContextDecoder("html")
/// >>> decoder.decode(b"<!doctype html><meta char"), decoder.encoding
/// ('', None)
/// >>> decoder.decode(b"set=koi8-r><p>\xc4\xc1")
/// '<!doctype html><meta charset=koi8-r><p>да'
/// >>> decoder.encoding.name, decoder.confidence, decoder.reason
/// ('KOI8-R', 'tentative', 'meta')
#[pyclass(module = "textcodec")]
pub(crate) struct ContextDecoder {
    context: Context,
    known: Known,
    errors: Errors,
    patience: usize,
    /// The bytes that came before the encoding was known.
    held: Vec<u8>,
    found: Option<Sniffed>,
    /// The decoder, once the encoding is known.
    decoder: Option<Decoder>,
    pending: Vec<u8>,
    had_errors: bool,
}

#[pymethods]
impl ContextDecoder {
    #[new]
    #[pyo3(
        signature = (context, http_charset=None, *, content_type=None, errors=None, r#override=None,
            charset_attribute=None, environment=None, container=None, history=None, guess=None, locale=None,
            default=None, definite=None, patience=PRESCAN_LENGTH),
        text_signature = "(context, http_charset=None, *, content_type=None, errors=None, override=None, charset_attribute=None, environment=None, container=None, history=None, guess=None, locale=None, default=None, definite=None, patience=1024)"
    )]
    #[allow(clippy::too_many_arguments, reason = "the arguments have names")]
    fn new(
        py: Python<'_>,
        context: &str,
        http_charset: Option<&Bound<'_, PyAny>>,
        content_type: Option<&Bound<'_, PyAny>>,
        errors: Option<&Bound<'_, PyString>>,
        r#override: Option<&Bound<'_, PyAny>>,
        charset_attribute: Option<&Bound<'_, PyAny>>,
        environment: Option<&Bound<'_, PyAny>>,
        container: Option<&Bound<'_, PyAny>>,
        history: Option<&Bound<'_, PyAny>>,
        guess: Option<&Bound<'_, PyAny>>,
        locale: Option<&Bound<'_, PyString>>,
        default: Option<&Bound<'_, PyAny>>,
        definite: Option<&Bound<'_, PyAny>>,
        patience: usize,
    ) -> PyResult<Self> {
        let context = self::context(context)?;
        let arguments = Arguments {
            http_charset,
            content_type,
            definite,
            override_: r#override,
            charset_attribute,
            environment,
            container,
            history,
            locale,
            default,
            guess,
        };
        Ok(ContextDecoder {
            context,
            known: arguments.known(py)?,
            errors: Errors::or(errors, rules(context).1)?,
            patience,
            held: Vec::new(),
            found: None,
            decoder: None,
            pending: Vec::new(),
            had_errors: false,
        })
    }

    /// The text that is known by now. `final` says that the stream ends with these bytes.
    #[pyo3(signature = (data, r#final=false))]
    fn decode<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        r#final: bool,
    ) -> PyResult<Bound<'py, PyString>> {
        let mut source = Source::new(data)?;
        let mut this = errors::borrow(slf)?;
        if this.context.operation() == Operation::IsomorphicDecode {
            return string_from_latin1(py, source.as_slice());
        }
        let before = this.held.len();
        let text = this.next(py, &mut source, r#final);
        if text.is_err() {
            this.held.truncate(before);
        }
        text
    }

    /// The encoding; None until it is known, and in a context without one.
    #[getter]
    fn encoding<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyEncoding>>> {
        let encoding = self.decoder.and_then(|decoder| decoder.encoding().standard());
        encoding.map(|encoding| encoding::object(py, encoding)).transpose()
    }

    /// "certain", "tentative" or "irrelevant"; None until the encoding is known.
    #[getter]
    fn confidence(&self) -> Option<&'static str> {
        self.found.as_ref().map(confidence)
    }

    /// The source that decided, as in `Sniffed`; None until the encoding is known.
    #[getter]
    fn reason(&self) -> Option<&'static str> {
        self.found.map(|found| found.rung.as_str())
    }

    /// Whether there was a malformed sequence so far.
    #[getter]
    fn had_errors(&self) -> bool {
        self.had_errors
    }
}

impl ContextDecoder {
    /// The text of the next bytes. An exception changes nothing but the bytes in `held`.
    fn next<'py>(&mut self, py: Python<'py>, source: &mut Source<'py>, last: bool) -> PyResult<Bound<'py, PyString>> {
        let mut found = self.found;
        let mut all = None;
        let mut decoder = match self.decoder {
            Some(decoder) => decoder,
            None => {
                // The bytes are kept in any case, so that no code of Python runs while another object lends them.
                self.held.extend_from_slice(source.as_slice());
                let (context, patience, held) = (self.context, self.patience, &self.held);
                found = self.known.sniff(py, |hints| {
                    // A new sniffer looks at all bytes again, which are few.
                    Sniffer::new(context, hints).with_patience(patience).sniff(held, last)
                })?;
                let Some(found) = found else { return Ok(PyString::new(py, "")) };
                let encoding =
                    Encoding::for_name(found.encoding).map_err(|error| PyValueError::new_err(error.to_string()))?;
                all = Some(Source::Bytes(PyBytes::new(py, held)));
                AnyEncoding::from(encoding).new_decoder(rules(context).0)
            }
        };
        let source = all.as_mut().unwrap_or(source);
        let (text, had_errors) = decode::next(py, &mut decoder, source, &self.pending, last, &self.errors)?;
        self.held = Vec::new();
        self.found = found;
        self.decoder = Some(decoder);
        self.had_errors |= had_errors;
        let length = (decoder.position() - decoder.sequence_start()) as usize;
        self.pending.extend_from_slice(source.as_slice());
        self.pending.drain(..self.pending.len() - length);
        Ok(text)
    }
}

/// The encoding that HTML uses for pages without any other source, in the locale of a language tag.
///
/// >>> textcodec.locale_default("ru-RU").name
/// 'windows-1251'
#[pyfunction(name = "locale_default")]
pub(crate) fn default_of_locale<'py>(
    py: Python<'py>,
    locale: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyEncoding>> {
    let encoding = Encoding::for_name(locale_default(&locale.to_string_lossy()))
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    encoding::object(py, encoding)
}
