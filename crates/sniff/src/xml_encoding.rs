//! [Get an XML encoding](https://html.spec.whatwg.org/#xml-encoding-and-its-declaration): the rules by which the HTML
//! Standard, and so a browser, reads an XML declaration in HTML.

use textcodec_core::Name;

use crate::ascii::{can_become, find_byte, find_sequence, skip};

const START: &[u8] = b"<?xml";

/// The number of bytes in which a [`Sniffer`](crate::Sniffer) looks for the `>` of an XML declaration, unless
/// [`with_declaration_limit`](crate::Sniffer::with_declaration_limit) sets another number. The standards have no limit,
/// and neither have functions that are given all bytes at once.
pub const DECLARATION_LENGTH: usize = 1 << 16;

/// [Get an XML encoding](https://html.spec.whatwg.org/#concept-get-xml-encoding-when-sniffing) of a byte stream; `None`
/// is the Standard's failure. The declaration may be of any length.
///
/// ```
/// use textcodec_sniff::{Name, get_an_xml_encoding};
///
/// assert_eq!(get_an_xml_encoding(b"<?xml version='1.0' encoding='koi8-r'?>"), Some(Name::Koi8R));
/// assert_eq!(get_an_xml_encoding(b"<?xml version='1.0' encoding=' koi8-r'?>"), None, "white space in the label");
/// ```
#[must_use]
pub fn get_an_xml_encoding(bytes: &[u8]) -> Option<Name> {
    declared(bytes).map(|(encoding, _)| encoding)
}

/// The result of [`get_an_xml_encoding`], and the label.
pub(crate) fn declared(bytes: &[u8]) -> Option<(Name, &[u8])> {
    // Steps 1 and 2: the declaration ends before the first `>`.
    if !bytes.starts_with(START) {
        return None;
    }
    let declaration = &bytes[..find_byte(bytes, START.len(), b'>')?];
    // 3. The first `encoding`; there is no second try.
    let encoding = find_sequence(declaration, START.len(), b"encoding")?;
    // 4. `=` and a quote, with bytes up to 0x20 around them.
    let is_skipped = |byte| byte <= 0x20;
    let equals = skip(declaration, encoding + b"encoding".len(), is_skipped);
    if declaration.get(equals) != Some(&b'=') {
        return None;
    }
    let start = skip(declaration, equals + 1, is_skipped);
    let quote = *declaration.get(start).filter(|byte| matches!(byte, b'"' | b'\''))?;
    // 5. The label.
    let label = &declaration[start + 1..find_byte(declaration, start + 1, quote)?];
    if label.iter().copied().any(is_skipped) {
        return None;
    }
    // 6. If a label of UTF-16 can be read as ASCII, the text is not in UTF-16.
    match Name::for_label(label).ok()? {
        Name::Utf16Be | Name::Utf16Le => Some((Name::Utf8, label)),
        encoding => Some((encoding, label)),
    }
}

/// Whether the bytes after `bytes`, the start of a stream, cannot change what the XML declaration within the first
/// `limit` bytes says.
pub(crate) fn is_declaration_complete(bytes: &[u8], limit: usize) -> bool {
    bytes.len() >= limit || !can_become(bytes, START) || find_byte(bytes, 0, b'>').is_some()
}
