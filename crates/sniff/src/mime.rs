//! [Parse a MIME type](https://mimesniff.spec.whatwg.org/#parse-a-mime-type), without copying any of its parts: for the
//! `charset` of a `Content-Type` header.

use core::fmt::{self, Write};

use crate::{
    ascii::find,
    http::{is_token, is_token_byte, strip_http_whitespace, strip_trailing_http_whitespace},
    parameters::{FirstOfEachName, Form, Parameter, Parameters, Value},
};

/// A [MIME type](https://mimesniff.spec.whatwg.org/#mime-type), borrowed from a header or a string.
///
/// ```
/// use textcodec_sniff::{MimeType, Name};
///
/// let mime_type = MimeType::parse(b" text/HTML;x=1; Charset=\"sjis\"; charset=big5").unwrap();
/// assert_eq!(mime_type.charset().unwrap().encoding(), Some(Name::ShiftJis));
/// assert_eq!(mime_type.to_string(), "text/html;x=1;charset=sjis");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MimeType<'a> {
    r#type: &'a [u8],
    subtype: &'a [u8],
    parameters: Parameters<'a>,
}

/// A kind of resource that has rules of its own for its encoding, as its MIME type tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Resource {
    /// [HTML](https://mimesniff.spec.whatwg.org/#html-mime-type).
    Html,
    /// [XML](https://mimesniff.spec.whatwg.org/#xml-mime-type), XHTML and SVG included.
    Xml,
    /// `text/css`.
    Css,
    /// [JavaScript](https://mimesniff.spec.whatwg.org/#javascript-mime-type).
    Script,
    /// [JSON](https://mimesniff.spec.whatwg.org/#json-mime-type), which is always in UTF-8.
    Json,
    /// Anything else.
    Text,
}

impl<'a> MimeType<'a> {
    /// [Parse a MIME type from bytes](https://mimesniff.spec.whatwg.org/#parse-a-mime-type-from-bytes); `None` is
    /// failure. Each byte is a code point, as in [isomorphic decode](https://infra.spec.whatwg.org/#isomorphic-decode).
    #[must_use]
    pub fn parse(bytes: &'a [u8]) -> Option<Self> {
        Self::parse_in(bytes, Form::Isomorphic)
    }

    /// [Parse a MIME type](https://mimesniff.spec.whatwg.org/#parse-a-mime-type) from a string, such as the type of a
    /// `Blob` or the argument of `overrideMimeType()`; `None` is failure. A parameter whose value has a code point
    /// above U+00FF is not valid and is left out, as the Standard has it.
    ///
    /// ```
    /// use textcodec_sniff::MimeType;
    ///
    /// let mime_type = MimeType::parse_string("text/plain;a=☃;b=é;charset=sjis").unwrap();
    /// assert_eq!(mime_type.to_string(), "text/plain;b=\"é\";charset=sjis");
    /// ```
    #[must_use]
    pub fn parse_string(string: &'a str) -> Option<Self> {
        // All delimiters are ASCII, and no byte of ASCII is part of a longer sequence in UTF-8.
        Self::parse_in(string.as_bytes(), Form::Utf8)
    }

    fn parse_in(bytes: &'a [u8], form: Form) -> Option<Self> {
        let bytes = strip_http_whitespace(bytes);
        let slash = find(bytes, 0, |byte| byte == b'/')?;
        let end = find(bytes, slash, |byte| byte == b';').unwrap_or(bytes.len());
        let (r#type, subtype) = (&bytes[..slash], strip_trailing_http_whitespace(&bytes[slash + 1..end]));
        let parameters = Parameters::new(&bytes[end..], form);
        (is_token(r#type) && is_token(subtype)).then_some(MimeType { r#type, subtype, parameters })
    }

    /// The valid parameters, each name once: of several parameters with the same name, the first counts.
    ///
    /// For headers with at most about a thousand parameters, the time is proportional to the length of the header. To
    /// allocate nothing, the iterator reads the whole header again for each further block of 1024 parameters: a header
    /// of 128 KB takes tens of milliseconds, and one of 1 MB takes a second. So bound the length of a header from a
    /// stranger before a call. No other method takes more than linear time.
    pub fn parameters(&self) -> impl Iterator<Item = Parameter<'a>> + use<'a> {
        FirstOfEachName::new(self.parameters)
    }

    /// The value of the parameter `charset`.
    #[must_use]
    pub fn charset(&self) -> Option<Value<'a>> {
        let mut parameters = self.parameters;
        parameters.find(|parameter| parameter.has_name(b"charset")).map(|parameter| parameter.value)
    }

    /// Whether the [essence](https://mimesniff.spec.whatwg.org/#mime-type-essence) is `essence`, in any ASCII case.
    #[must_use]
    pub fn is(&self, essence: &str) -> bool {
        essence.split_once('/').is_some_and(|(r#type, subtype)| {
            self.r#type.eq_ignore_ascii_case(r#type.as_bytes()) && self.subtype.eq_ignore_ascii_case(subtype.as_bytes())
        })
    }

    /// The kind of resource, as far as the rules for its encoding depend on it.
    #[must_use]
    pub fn resource(&self) -> Resource {
        let is_any = |essences: &[&str]| essences.iter().any(|essence| self.is(essence));
        let ends = |suffix: &[u8]| {
            self.subtype.len() >= suffix.len()
                && self.subtype[self.subtype.len() - suffix.len()..].eq_ignore_ascii_case(suffix)
        };
        match () {
            () if self.is("text/html") => Resource::Html,
            () if is_any(&["text/xml", "application/xml"]) || ends(b"+xml") => Resource::Xml,
            () if self.is("text/css") => Resource::Css,
            () if is_any(&JAVASCRIPT) => Resource::Script,
            () if is_any(&["application/json", "text/json"]) || ends(b"+json") => Resource::Json,
            () => Resource::Text,
        }
    }
}

/// The essences of the [JavaScript MIME types](https://mimesniff.spec.whatwg.org/#javascript-mime-type).
const JAVASCRIPT: [&str; 16] = [
    "application/ecmascript",
    "application/javascript",
    "application/x-ecmascript",
    "application/x-javascript",
    "text/ecmascript",
    "text/javascript",
    "text/javascript1.0",
    "text/javascript1.1",
    "text/javascript1.2",
    "text/javascript1.3",
    "text/javascript1.4",
    "text/javascript1.5",
    "text/jscript",
    "text/livescript",
    "text/x-ecmascript",
    "text/x-javascript",
];

impl fmt::Display for MimeType<'_> {
    /// [Serialize a MIME type](https://mimesniff.spec.whatwg.org/#serialize-a-mime-type).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lower = |f: &mut fmt::Formatter<'_>, bytes: &[u8]| {
            bytes.iter().try_for_each(|byte| f.write_char(byte.to_ascii_lowercase().into()))
        };
        lower(f, self.r#type)?;
        f.write_char('/')?;
        lower(f, self.subtype)?;
        for Parameter { name, value } in self.parameters() {
            f.write_char(';')?;
            lower(f, name)?;
            f.write_char('=')?;
            if value.bytes().next().is_some() && value.bytes().all(is_token_byte) {
                write!(f, "{value}")?;
                continue;
            }
            f.write_char('"')?;
            for byte in value.bytes() {
                if matches!(byte, b'"' | b'\\') {
                    f.write_char('\\')?;
                }
                f.write_char(byte.into())?;
            }
            f.write_char('"')?;
        }
        Ok(())
    }
}
