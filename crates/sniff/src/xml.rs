//! [Autodetection of XML encodings](https://www.w3.org/TR/xml/#sec-guessing) and the
//! [declaration](https://www.w3.org/TR/xml/#NT-XMLDecl), by the rules of XML itself.

use core::fmt;

use textcodec_core::Name;

use crate::{
    Rung,
    ascii::{can_become, find_byte},
    prescan::Progress,
    xml_encoding::is_declaration_complete,
};

/// The family of encodings that the [first four bytes](https://www.w3.org/TR/xml/#sec-guessing) of an XML entity
/// suggest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Autodetection {
    /// Four bytes for each character, in an order such as `1234` or `3412`. The Encoding Standard has no such encoding;
    /// browsers decode the bytes as another encoding.
    Ucs4 {
        /// The number of each byte, where the most significant byte is 1.
        order: [u8; 4],
        /// Whether there is a byte order mark.
        has_bom: bool,
    },
    /// UTF-16BE.
    Utf16Be {
        /// Whether there is a byte order mark.
        has_bom: bool,
    },
    /// UTF-16LE.
    Utf16Le {
        /// Whether there is a byte order mark.
        has_bom: bool,
    },
    /// UTF-8 with a byte order mark.
    Utf8Bom,
    /// A declaration that can be read as ASCII, whatever encoding it names.
    Ascii,
    /// A declaration in some EBCDIC encoding. The Encoding Standard has no such encoding.
    Ebcdic,
    /// None of these: UTF-8 without a declaration, or malformed.
    Other,
}

impl Autodetection {
    /// The family that `bytes`, the first bytes of the entity, suggest. Four bytes are enough.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        use Autodetection::{Ascii, Ebcdic, Other, Ucs4, Utf8Bom, Utf16Be, Utf16Le};
        match *bytes {
            [0x00, 0x00, 0xFE, 0xFF, ..] => Ucs4 { order: [1, 2, 3, 4], has_bom: true },
            [0xFF, 0xFE, 0x00, 0x00, ..] => Ucs4 { order: [4, 3, 2, 1], has_bom: true },
            [0x00, 0x00, 0xFF, 0xFE, ..] => Ucs4 { order: [2, 1, 4, 3], has_bom: true },
            [0xFE, 0xFF, 0x00, 0x00, ..] => Ucs4 { order: [3, 4, 1, 2], has_bom: true },
            [0xFE, 0xFF, ..] => Utf16Be { has_bom: true },
            [0xFF, 0xFE, ..] => Utf16Le { has_bom: true },
            [0xEF, 0xBB, 0xBF, ..] => Utf8Bom,
            [0x00, 0x00, 0x00, 0x3C, ..] => Ucs4 { order: [1, 2, 3, 4], has_bom: false },
            [0x3C, 0x00, 0x00, 0x00, ..] => Ucs4 { order: [4, 3, 2, 1], has_bom: false },
            [0x00, 0x00, 0x3C, 0x00, ..] => Ucs4 { order: [2, 1, 4, 3], has_bom: false },
            [0x00, 0x3C, 0x00, 0x00, ..] => Ucs4 { order: [3, 4, 1, 2], has_bom: false },
            [0x00, 0x3C, 0x00, 0x3F, ..] => Utf16Be { has_bom: false },
            [0x3C, 0x00, 0x3F, 0x00, ..] => Utf16Le { has_bom: false },
            [0x3C, 0x3F, 0x78, 0x6D, ..] => Ascii,
            [0x4C, 0x6F, 0xA7, 0x94, ..] => Ebcdic,
            _ => Other,
        }
    }
}

impl fmt::Display for Autodetection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (form, has_bom) = match *self {
            Autodetection::Ucs4 { order: [a, b, c, d], has_bom } => {
                write!(f, "UCS-4 in the byte order {a}{b}{c}{d}")?;
                ("", has_bom)
            }
            Autodetection::Utf16Be { has_bom } => ("UTF-16BE", has_bom),
            Autodetection::Utf16Le { has_bom } => ("UTF-16LE", has_bom),
            Autodetection::Utf8Bom => ("UTF-8", true),
            Autodetection::Ascii => ("a declaration in ASCII", false),
            Autodetection::Ebcdic => ("a declaration in EBCDIC", false),
            Autodetection::Other => ("UTF-8 without a declaration", false),
        };
        f.write_str(form)?;
        if has_bom { f.write_str(" with a byte order mark") } else { Ok(()) }
    }
}

/// The name of the encoding in the [XML declaration](https://www.w3.org/TR/xml/#NT-XMLDecl) at the start of `bytes`,
/// read as ASCII; `None` if there is no well-formed declaration, or if it has no encoding.
///
/// This is XML's own grammar. For HTML, browsers use [`get_an_xml_encoding`](crate::get_an_xml_encoding), which accepts
/// some declarations that this function does not, and the reverse.
///
/// ```
/// use textcodec_sniff::xml_declaration;
///
/// assert_eq!(xml_declaration(b"<?xml version='1.0' encoding = 'koi8-r' ?><a/>"), Some("koi8-r"));
/// assert_eq!(xml_declaration(b"<?xml encoding='koi8-r' version='1.0'?><a/>"), None);
/// ```
#[must_use]
pub fn xml_declaration(bytes: &[u8]) -> Option<&str> {
    let end = find_byte(bytes, 0, b'>')?;
    let declaration = bytes[..end].strip_prefix(b"<?xml")?.strip_suffix(b"?")?;
    let (version, rest) = pseudo_attribute(declaration, b"version")?;
    let is_version = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b':' | b'-');
    if version.is_empty() || !version.iter().copied().all(is_version) {
        return None;
    }
    let (name, rest) = pseudo_attribute(rest, b"encoding")?;
    let rest = match pseudo_attribute(rest, b"standalone") {
        Some((b"yes" | b"no", rest)) => rest,
        _ => rest,
    };
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let is_well_formed = rest.iter().copied().all(is_space)
        && name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.iter().copied().all(is_name);
    core::str::from_utf8(name).ok().filter(|_| is_well_formed)
}

/// Reads white space, `name`, `=` with white space around it, and a quoted value. Returns the value and the bytes after
/// it.
fn pseudo_attribute<'a>(bytes: &'a [u8], name: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let rest = skip_spaces(bytes);
    let rest = rest.strip_prefix(name).filter(|_| rest.len() < bytes.len())?;
    let rest = skip_spaces(skip_spaces(rest).strip_prefix(b"=")?);
    let (quote, rest) = rest.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
    let end = find_byte(rest, 0, *quote)?;
    Some((&rest[..end], &rest[end + 1..]))
}

/// The white space of XML: 09, 0A, 0D and 20.
const fn is_space(byte: u8) -> bool {
    matches!(byte, 0x09 | 0x0A | 0x0D | 0x20)
}

fn skip_spaces(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.iter().take_while(|&&byte| is_space(byte)).count()..]
}

/// The encoding of an XML entity of which `bytes` have arrived, byte order marks and labels apart. Its declaration is
/// looked for in the first `declaration_limit` bytes.
///
/// For UCS-4 and EBCDIC, which the Encoding Standard does not have and no browser reads, there is no result: the
/// default decides.
pub(crate) fn autodetect(bytes: &[u8], last: bool, declaration_limit: usize) -> Progress<Option<(Name, Rung)>> {
    let is_open = [&b"\0<\0?"[..], b"<\0?\0"].into_iter().any(|start| bytes.len() < 4 && can_become(bytes, start));
    if !last && (is_open || !is_declaration_complete(bytes, declaration_limit)) {
        return Progress::Wait;
    }
    Progress::Done(match Autodetection::of(bytes) {
        Autodetection::Utf16Be { has_bom: false } => Some((Name::Utf16Be, Rung::Autodetection)),
        Autodetection::Utf16Le { has_bom: false } => Some((Name::Utf16Le, Rung::Autodetection)),
        Autodetection::Ascii => {
            let start = &bytes[..bytes.len().min(declaration_limit)];
            let declared = xml_declaration(start).and_then(|label| Name::for_label(label.as_bytes()).ok());
            // If a label of UTF-16 can be read as ASCII, the text is not in UTF-16.
            declared.map(|encoding| match encoding {
                Name::Utf16Be | Name::Utf16Le => (Name::Utf8, Rung::XmlDeclaration),
                _ => (encoding, Rung::XmlDeclaration),
            })
        }
        _ => None,
    })
}
