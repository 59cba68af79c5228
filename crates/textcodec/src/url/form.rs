//! [Form submission](https://html.spec.whatwg.org/#form-submission-algorithm): finds the encoding of a form and encodes
//! its fields.
//!
//! ```
//! use textcodec::{WINDOWS_1251, url::form};
//!
//! let encoding = form::pick_an_encoding(Some("x-unknown koi8-r"), WINDOWS_1251);
//! assert_eq!(form::urlencoded([("имя", "Ян ☃")], encoding), "%C9%CD%D1=%F1%CE+%26%239731%3B");
//! assert_eq!(form::field_value("Ян\n☃", encoding), b"\xF1\xCE\r\n&#9731;");
//! ```

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::{PercentEncodeSet, percent_encode_after_encoding};
use crate::{Encoding, UTF_8};

/// [Pick an encoding for the form](https://html.spec.whatwg.org/#picking-an-encoding-for-the-form): the encoding of the
/// first known label in `accept_charset`, or UTF-8 if it has no known label; without that attribute the encoding of the
/// document. The result is an [output encoding](crate::Name::output).
///
/// Labels whose encoding is not enabled are skipped.
#[must_use]
pub fn pick_an_encoding(accept_charset: Option<&str>, document: Encoding) -> Encoding {
    let encoding = match accept_charset {
        None => document,
        Some(labels) => {
            let labels = labels.split(['\t', '\n', '\x0C', '\r', ' ']);
            labels.filter_map(|label| Encoding::for_label(label).ok()).next().unwrap_or(UTF_8)
        }
    };
    encoding.output_encoding()
}

/// The [`application/x-www-form-urlencoded` serializer](https://url.spec.whatwg.org/#concept-urlencoded-serializer),
/// for pairs of a name and a value. Forms in HTML [normalize the newlines](normalize_newlines) of both first.
pub fn urlencoded<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>, encoding: Encoding) -> String {
    let mut output = String::new();
    let encode = |text| percent_encode_after_encoding(encoding, text, PercentEncodeSet::FormUrlencoded, true);
    for (name, value) in pairs {
        if !output.is_empty() {
            output.push('&');
        }
        output.push_str(&encode(name));
        output.push('=');
        output.push_str(&encode(value));
    }
    output
}

/// The value of a field for [`multipart/form-data`](https://html.spec.whatwg.org/#multipart-form-data) and
/// [`text/plain`](https://html.spec.whatwg.org/#text/plain-encoding-algorithm): normalizes its newlines, and encodes it
/// in the output encoding of `encoding`, in the error mode html.
#[must_use]
pub fn field_value(value: &str, encoding: Encoding) -> Vec<u8> {
    encoding.encode(&normalize_newlines(value)).bytes.into_owned()
}

/// The name of a field for [`multipart/form-data`](https://html.spec.whatwg.org/#multipart-form-data): as
/// [`field_value`]; then the bytes 0A, 0D and 22 are escaped, so that the name can stand in quotes.
#[must_use]
pub fn field_name(name: &str, encoding: Encoding) -> Vec<u8> {
    escape(field_value(name, encoding))
}

/// The name of a file for [`multipart/form-data`](https://html.spec.whatwg.org/#multipart-form-data): as
/// [`field_name`], but without normalizing newlines.
#[must_use]
pub fn file_name(name: &str, encoding: Encoding) -> Vec<u8> {
    escape(encoding.encode(name).bytes.into_owned())
}

fn escape(bytes: Vec<u8>) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(bytes.len());
    for byte in bytes {
        match byte {
            b'\n' => escaped.extend_from_slice(b"%0A"),
            b'\r' => escaped.extend_from_slice(b"%0D"),
            b'"' => escaped.extend_from_slice(b"%22"),
            _ => escaped.push(byte),
        }
    }
    escaped
}

/// Replaces each LF without a CR before it, and each CR without an LF after it, by CR LF, as in
/// [the names and values of a form](https://html.spec.whatwg.org/#convert-to-a-list-of-name-value-pairs).
#[must_use]
pub fn normalize_newlines(text: &str) -> Cow<'_, str> {
    let mut normalized = String::new();
    let mut done = 0;
    for (at, newline) in text.match_indices(['\r', '\n']) {
        let is_pair = match newline {
            "\r" => text[at + 1..].starts_with('\n'),
            _ => text[..at].ends_with('\r'),
        };
        if !is_pair {
            normalized.push_str(&text[done..at]);
            normalized.push_str("\r\n");
            done = at + 1;
        }
    }
    if done == 0 {
        return text.into();
    }
    normalized.push_str(&text[done..]);
    normalized.into()
}
