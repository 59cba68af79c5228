//! [Parse a MIME type](https://mimesniff.spec.whatwg.org/#parse-a-mime-type), as far as its parts can be borrowed: for the
//! `charset` of a `Content-Type` header.

use core::fmt::{self, Write};

use textcodec_core::Name;

use crate::{Label, ascii::find};

/// A [MIME type](https://mimesniff.spec.whatwg.org/#mime-type), borrowed from the bytes of a header.
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
    /// Everything from the first `;` on.
    parameters: &'a [u8],
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
    /// [Parse a MIME type from bytes](https://mimesniff.spec.whatwg.org/#parse-a-mime-type-from-bytes); `None` is failure.
    #[must_use]
    pub fn parse(bytes: &'a [u8]) -> Option<Self> {
        let bytes = strip_http_whitespace(bytes);
        let slash = find(bytes, 0, |byte| byte == b'/')?;
        let end = find(bytes, slash, |byte| byte == b';').unwrap_or(bytes.len());
        let (r#type, subtype) = (&bytes[..slash], strip_trailing_http_whitespace(&bytes[slash + 1..end]));
        (is_token(r#type) && is_token(subtype)).then_some(MimeType { r#type, subtype, parameters: &bytes[end..] })
    }

    /// The valid parameters, each name once: of several with the same name the first counts.
    pub fn parameters(&self) -> impl Iterator<Item = Parameter<'a>> + use<'a> {
        let all = Parameters(self.parameters);
        all.enumerate()
            .filter(move |(at, parameter)| !Parameters(all.0).take(*at).any(|earlier| earlier.has_name(parameter.name)))
            .map(|(_, parameter)| parameter)
    }

    /// The value of the parameter `charset`.
    #[must_use]
    pub fn charset(&self) -> Option<Value<'a>> {
        Parameters(self.parameters).find(|parameter| parameter.has_name(b"charset")).map(|parameter| parameter.value)
    }

    /// Whether the [essence](https://mimesniff.spec.whatwg.org/#mime-type-essence) is `essence`, in any ASCII case.
    #[must_use]
    pub fn is(&self, essence: &str) -> bool {
        essence.split_once('/').is_some_and(|(r#type, subtype)| {
            self.r#type.eq_ignore_ascii_case(r#type.as_bytes()) && self.subtype.eq_ignore_ascii_case(subtype.as_bytes())
        })
    }

    /// What kind of resource it is, as far as its encoding depends on that.
    #[must_use]
    pub fn resource(&self) -> Resource {
        let is_any = |essences: &[&str]| essences.iter().any(|essence| self.is(essence));
        let ends = |suffix: &[u8]| {
            self.subtype.len() > suffix.len()
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

/// A parameter of a MIME type.
#[derive(Clone, Copy, Debug)]
pub struct Parameter<'a> {
    /// A token, to be compared without regard to ASCII case.
    pub name: &'a [u8],
    /// The value.
    pub value: Value<'a>,
}

impl Parameter<'_> {
    fn has_name(&self, name: &[u8]) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

/// The value of a parameter, as it stands in the header.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    /// Without the quotes.
    raw: &'a [u8],
    is_quoted: bool,
}

impl<'a> Value<'a> {
    /// The bytes that are meant: in a quoted string a backslash stands for the byte behind it.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + Clone + use<'a> {
        let (mut rest, is_quoted) = (self.raw, self.is_quoted);
        core::iter::from_fn(move || {
            let (byte, after) = match rest {
                [b'\\', escaped, after @ ..] if is_quoted => (*escaped, after),
                [byte, after @ ..] => (*byte, after),
                [] => return None,
            };
            rest = after;
            Some(byte)
        })
    }

    /// [Get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get) from the value.
    #[must_use]
    pub fn encoding(&self) -> Option<Name> {
        // No label is nearly so long, white space apart, which the longest would need none of.
        let (mut label, mut length) = ([0; 64], 0);
        let start = self.bytes().skip_while(|&byte| crate::ascii::is_whitespace(byte));
        for byte in start {
            match label.get_mut(length) {
                Some(place) => *place = byte,
                None if crate::ascii::is_whitespace(byte) => continue,
                None => return None,
            }
            length += 1;
        }
        Name::for_label(&label[..length]).ok()
    }

    /// What *get an encoding* makes of the value, for [`Hints`](crate::Hints).
    #[must_use]
    pub fn label(&self) -> Label {
        self.encoding().map_or(Label::Unknown, Label::Encoding)
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.bytes().try_for_each(|byte| f.write_char(byte.into()))
    }
}

/// The valid parameters in what begins with `;` or is empty.
#[derive(Clone, Copy)]
struct Parameters<'a>(&'a [u8]);

impl<'a> Iterator for Parameters<'a> {
    type Item = Parameter<'a>;

    fn next(&mut self) -> Option<Parameter<'a>> {
        while let [_, rest @ ..] = self.0 {
            let rest = &rest[rest.iter().take_while(|&&byte| is_http_whitespace(byte)).count()..];
            let end = find(rest, 0, |byte| matches!(byte, b';' | b'=')).unwrap_or(rest.len());
            let (name, rest) = rest.split_at(end);
            let [b'=', rest @ ..] = rest else {
                self.0 = rest;
                continue;
            };
            let (value, rest) = match rest {
                [b'"', rest @ ..] => {
                    let (raw, rest) = quoted_string(rest);
                    // What is between the closing quote and the next parameter is ignored.
                    let end = find(rest, 0, |byte| byte == b';').unwrap_or(rest.len());
                    (Value { raw, is_quoted: true }, &rest[end..])
                }
                _ => {
                    let (raw, rest) = rest.split_at(find(rest, 0, |byte| byte == b';').unwrap_or(rest.len()));
                    (Value { raw: strip_trailing_http_whitespace(raw), is_quoted: false }, rest)
                }
            };
            self.0 = rest;
            let is_valid = (value.is_quoted || !value.raw.is_empty()) && value.bytes().all(is_quoted_string_byte);
            if is_token(name) && is_valid {
                return Some(Parameter { name, value });
            }
        }
        None
    }
}

/// [Collect an HTTP quoted string](https://fetch.spec.whatwg.org/#collect-an-http-quoted-string) whose first quote is read:
/// what is between the quotes, and what is behind the second one. The end closes it, too.
fn quoted_string(bytes: &[u8]) -> (&[u8], &[u8]) {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return (&bytes[..at], &bytes[at + 1..]),
            // A backslash at the end is itself.
            b'\\' if at + 1 < bytes.len() => at += 2,
            _ => at += 1,
        }
    }
    (bytes, &[])
}

/// [HTTP token code points](https://mimesniff.spec.whatwg.org/#http-token-code-point).
const fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'!' | b'#' | b'$' | b'%' | b'&' | b'\'' | b'*' | b'+' | b'-' | b'.' | b'^' | b'_' | b'`' | b'|' | b'~'
        )
}

fn is_token(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().copied().all(is_token_byte)
}

/// [HTTP quoted-string token code points](https://mimesniff.spec.whatwg.org/#http-quoted-string-token-code-point).
const fn is_quoted_string_byte(byte: u8) -> bool {
    matches!(byte, 0x09 | 0x20..=0x7E | 0x80..=0xFF)
}

/// [HTTP whitespace](https://fetch.spec.whatwg.org/#http-whitespace).
const fn is_http_whitespace(byte: u8) -> bool {
    matches!(byte, 0x09 | 0x0A | 0x0D | 0x20)
}

fn strip_http_whitespace(mut bytes: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = bytes
        && is_http_whitespace(*first)
    {
        bytes = rest;
    }
    strip_trailing_http_whitespace(bytes)
}

fn strip_trailing_http_whitespace(mut bytes: &[u8]) -> &[u8] {
    while let [rest @ .., last] = bytes
        && is_http_whitespace(*last)
    {
        bytes = rest;
    }
    bytes
}
