//! The prescan, the XML declaration, `@charset` and the ladders of HTML and CSS give what a slow model gives, which was
//! written from the steps of the standards without a look at the library.

use textcodec::{
    Encoding, Name,
    sniff::{
        Context, Hints, Label, PRESCAN_LENGTH, Rung, Sniffer, extract_a_character_encoding_from_a_meta_element,
        get_an_xml_encoding, prescan_a_byte_stream,
    },
};

use crate::Input;

/// Checks what holds for an input.
///
/// # Panics
/// If it does not hold.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let (known, limit) = (input.byte(), usize::from(input.byte()));
    let hint = |bit: u8, name: Name| (known & bit != 0).then_some(name);
    let label = |bit: u8, name: Name| hint(bit, name).map(Label::Encoding);
    let bytes = input.rest();

    let limit = if known & 128 == 0 { PRESCAN_LENGTH } else { limit };
    assert_eq!(prescan_a_byte_stream(bytes, limit), model::prescan(bytes, limit), "prescan");
    assert_eq!(get_an_xml_encoding(bytes), model::xml_encoding(bytes), "XML encoding");
    assert_eq!(extract_a_character_encoding_from_a_meta_element(bytes), model::extract(bytes), "extract");

    let mut hints = Hints {
        transport: label(1, Name::Koi8R).or((known & 2 != 0).then_some(Label::Unknown)),
        override_charset: label(4, Name::Gbk),
        charset_attribute: label(8, Name::Big5),
        environment: hint(16, Name::Utf16Le),
        container: hint(32, Name::Windows1251),
        history: hint(64, Name::EucKr),
        ..Hints::default()
    };
    let sniff = |context: Context, hints: Hints<'_>| {
        let sniffed = Sniffer::new(context, hints).sniff(bytes, true).expect("the whole resource has an encoding");
        (sniffed.encoding, sniffed.rung)
    };
    let bom = model::bom(bytes).map(|name| (name, Rung::Bom));
    let transport = hints.transport.and_then(model::known).map(|name| (name, Rung::Transport));

    let declared = || {
        let name = model::prescan(bytes, PRESCAN_LENGTH)?;
        // The beginning of a declaration in UTF-16 is the only way to UTF-16.
        let is_meta = model::markup(bytes, PRESCAN_LENGTH).is_some() && !model::is_utf_16(name);
        Some((name, if is_meta { Rung::Meta } else { Rung::XmlDeclaration }))
    };
    let without_override = transport
        .or_else(declared)
        .or(hint(32, Name::Windows1251).map(|name| (name, Rung::Container)))
        .or(hint(64, Name::EucKr).map(|name| (name, Rung::History)))
        .unwrap_or((Name::Windows1252, Rung::Default));
    // Browsers ignore the override of a document that is in UTF-16 without it.
    let by_user = hint(4, Name::Gbk).filter(|_| !model::is_utf_16(without_override.0));
    let html = bom.or(by_user.map(|name| (name, Rung::Override))).unwrap_or(without_override);
    assert_eq!(sniff(Context::HtmlParser, hints), html, "HTML");

    hints.override_charset = None;
    let css = bom
        .or(transport)
        .or_else(|| Some((model::at_charset(bytes)?, Rung::AtCharset)))
        .or(hint(8, Name::Big5).map(|name| (name, Rung::CharsetAttribute)))
        .or(hint(16, Name::Utf16Le).map(|name| (name, Rung::Environment)))
        .unwrap_or((Name::Utf8, Rung::Default));
    assert_eq!(sniff(Context::CssFromDocument, hints).0, css.0, "CSS");
}

/// The steps of the HTML Standard and of CSS Syntax, as they stand there.
mod model {
    use super::*;

    pub(super) fn known(label: Label) -> Option<Name> {
        match label {
            Label::Encoding(name) => Some(name),
            _ => None,
        }
    }

    fn get_an_encoding(label: &[u8]) -> Option<Name> {
        Encoding::for_label(label).ok().map(Encoding::id)
    }

    pub(super) fn is_utf_16(name: Name) -> bool {
        matches!(name, Name::Utf16Be | Name::Utf16Le)
    }

    fn is_space(byte: u8) -> bool {
        matches!(byte, 0x09 | 0x0A | 0x0C | 0x0D | 0x20)
    }

    pub(super) fn bom(bytes: &[u8]) -> Option<Name> {
        match bytes {
            [0xEF, 0xBB, 0xBF, ..] => Some(Name::Utf8),
            [0xFE, 0xFF, ..] => Some(Name::Utf16Be),
            [0xFF, 0xFE, ..] => Some(Name::Utf16Le),
            _ => None,
        }
    }

    pub(super) fn prescan(bytes: &[u8], limit: usize) -> Option<Name> {
        markup(bytes, limit).or_else(|| xml_encoding(bytes))
    }

    /// The loop of the prescan over the bytes before the end condition; `None` at the end.
    pub(super) fn markup(bytes: &[u8], limit: usize) -> Option<Name> {
        let bytes = &bytes[..bytes.len().min(limit)];
        if bytes.starts_with(b"<\0?\0x\0") {
            return Some(Name::Utf16Le);
        }
        if bytes.starts_with(b"\0<\0?\0x") {
            return Some(Name::Utf16Be);
        }
        let mut position = 0;
        while position < bytes.len() {
            let rest = &bytes[position..];
            let is_letter = |place: usize| rest.get(place).is_some_and(u8::is_ascii_alphabetic);
            if rest.starts_with(b"<!--") {
                // The two hyphens of the end may be those of the start.
                position += (2..rest.len()).find(|&place| rest[place..].starts_with(b"-->"))? + 2;
            } else if rest.len() >= 6
                && rest[..5].eq_ignore_ascii_case(b"<meta")
                && (is_space(rest[5]) || rest[5] == b'/')
            {
                position += 5;
                if let Some(name) = meta(bytes, &mut position)? {
                    return Some(name);
                }
            } else if rest[0] == b'<' && (is_letter(1) || (rest.get(1) == Some(&b'/') && is_letter(2))) {
                position += rest.iter().position(|&byte| is_space(byte) || byte == b'>')?;
                while attribute(bytes, &mut position)?.is_some() {}
            } else if rest.starts_with(b"<!") || rest.starts_with(b"</") || rest.starts_with(b"<?") {
                position += 1 + rest[1..].iter().position(|&byte| byte == b'>')?;
            }
            position += 1;
        }
        None
    }

    /// The encoding of a meta element: the outer `None` at the end of the bytes.
    fn meta(bytes: &[u8], position: &mut usize) -> Option<Option<Name>> {
        let (mut seen, mut got_pragma, mut need_pragma) = (Vec::new(), false, None);
        let mut charset: Option<Option<Name>> = None;
        while let Some((name, value)) = attribute(bytes, position)? {
            if seen.contains(&name) {
                continue;
            }
            match &name[..] {
                b"http-equiv" => got_pragma |= value == b"content-type",
                b"content" => {
                    if let (Some(found), None) = (extract(&value), charset) {
                        (charset, need_pragma) = (Some(Some(found)), Some(true));
                    }
                }
                b"charset" => (charset, need_pragma) = (Some(get_an_encoding(&value)), Some(false)),
                _ => {}
            }
            seen.push(name);
        }
        Some(match (need_pragma, charset) {
            (None, _) => None,
            (Some(true), _) if !got_pragma => None,
            (_, Some(Some(name))) if is_utf_16(name) => Some(Name::Utf8),
            (_, Some(Some(Name::XUserDefined))) => Some(Name::Windows1252),
            (_, charset) => charset.flatten(),
        })
    }

    /// Get an attribute: the outer `None` at the end of the bytes, the inner one if there is no attribute.
    #[allow(clippy::type_complexity)]
    fn attribute(bytes: &[u8], position: &mut usize) -> Option<Option<(Vec<u8>, Vec<u8>)>> {
        let at = |position: usize| bytes.get(position).copied();
        while is_space(at(*position)?) || at(*position)? == b'/' {
            *position += 1;
        }
        if at(*position)? == b'>' {
            return Some(None);
        }
        let (mut name, mut value) = (Vec::new(), Vec::new());
        loop {
            match at(*position)? {
                b'=' if !name.is_empty() => break,
                byte if is_space(byte) => {
                    while is_space(at(*position)?) {
                        *position += 1;
                    }
                    if at(*position)? != b'=' {
                        return Some(Some((name, value)));
                    }
                    break;
                }
                b'/' | b'>' => return Some(Some((name, value))),
                byte => name.push(byte.to_ascii_lowercase()),
            }
            *position += 1;
        }
        *position += 1;
        while is_space(at(*position)?) {
            *position += 1;
        }
        match at(*position)? {
            quote @ (b'"' | b'\'') => loop {
                *position += 1;
                match at(*position)? {
                    byte if byte == quote => {
                        *position += 1;
                        return Some(Some((name, value)));
                    }
                    byte => value.push(byte.to_ascii_lowercase()),
                }
            },
            b'>' => return Some(Some((name, value))),
            byte => value.push(byte.to_ascii_lowercase()),
        }
        *position += 1;
        loop {
            match at(*position)? {
                byte if is_space(byte) || byte == b'>' => return Some(Some((name, value))),
                byte => value.push(byte.to_ascii_lowercase()),
            }
            *position += 1;
        }
    }

    pub(super) fn extract(string: &[u8]) -> Option<Name> {
        let mut position = 0;
        let skip = |mut position: usize| {
            while string.get(position).copied().is_some_and(is_space) {
                position += 1;
            }
            position
        };
        loop {
            let found = string[position..].windows(7).position(|part| part.eq_ignore_ascii_case(b"charset"))?;
            position = skip(position + found + 7);
            if string.get(position) == Some(&b'=') {
                break;
            }
        }
        position = skip(position + 1);
        let label = match string.get(position)? {
            quote @ (b'"' | b'\'') => {
                let rest = &string[position + 1..];
                &rest[..rest.iter().position(|byte| byte == quote)?]
            }
            _ => {
                let rest = &string[position..];
                &rest[..rest.iter().position(|&byte| is_space(byte) || byte == b';').unwrap_or(rest.len())]
            }
        };
        get_an_encoding(label)
    }

    pub(super) fn xml_encoding(bytes: &[u8]) -> Option<Name> {
        if !bytes.starts_with(b"<?xml") {
            return None;
        }
        let declaration = &bytes[..bytes.iter().position(|&byte| byte == b'>')?];
        let skip = |mut position: usize| {
            while declaration.get(position).is_some_and(|&byte| byte <= 0x20) {
                position += 1;
            }
            position
        };
        let word = declaration.windows(8).position(|part| part == b"encoding")? + 8;
        let equals = skip(word);
        if declaration.get(equals) != Some(&b'=') {
            return None;
        }
        let start = skip(equals + 1);
        let quote = *declaration.get(start).filter(|byte| matches!(byte, b'"' | b'\''))?;
        let rest = &declaration[start + 1..];
        let label = &rest[..rest.iter().position(|&byte| byte == quote)?];
        if label.iter().any(|&byte| byte <= 0x20) {
            return None;
        }
        // The label is isomorphically decoded; no label has bytes above 0x7F.
        get_an_encoding(label).map(|name| if is_utf_16(name) { Name::Utf8 } else { name })
    }

    pub(super) fn at_charset(bytes: &[u8]) -> Option<Name> {
        let start = &bytes[..bytes.len().min(1024)];
        let rest = start.strip_prefix(b"@charset \"")?;
        let length = rest.iter().position(|&byte| byte == b'"' || byte >= 0x80)?;
        if !rest[length..].starts_with(b"\";") {
            return None;
        }
        get_an_encoding(&rest[..length]).map(|name| if is_utf_16(name) { Name::Utf8 } else { name })
    }
}
