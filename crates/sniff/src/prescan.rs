//! [Prescan a byte stream to determine its
//! encoding](https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding).

use core::iter::successors;

use textcodec_core::Name;

use crate::{
    EndOfBytes, Rung,
    ascii::{can_become, find, find_byte, is_whitespace, starts_with_ignoring_case},
    get_an_attribute, get_an_xml_encoding,
    meta::label_in_content,
    xml_encoding::is_declaration_complete,
};

/// The number of bytes that the Standard recommends for a prescan.
pub const PRESCAN_LENGTH: usize = 1024;

/// [Prescan a byte stream](https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding) that has
/// arrived completely, with the end condition that the first `end` bytes have been read, usually [`PRESCAN_LENGTH`].
/// The end condition does not apply to an XML declaration, which may be longer.
///
/// ```
/// use textcodec_sniff::{Name, PRESCAN_LENGTH, prescan_a_byte_stream};
///
/// let page = b"<!doctype html><!-- <meta charset=big5> --><meta charset=koi8-r>";
/// assert_eq!(prescan_a_byte_stream(page, PRESCAN_LENGTH), Some(Name::Koi8R));
/// ```
#[must_use]
pub fn prescan_a_byte_stream(bytes: &[u8], end: usize) -> Option<Name> {
    match (Prescan { end, position: 0 }).run(bytes, true, usize::MAX) {
        Progress::Done(found) => found.map(|(encoding, _)| encoding),
        Progress::Wait => unreachable!("all bytes have arrived"),
    }
}

/// A prescan that can go on when more bytes have arrived.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prescan {
    end: usize,
    /// The start of the step of the loop for which the bytes so far were not enough.
    position: usize,
}

/// The result of an algorithm for the bytes so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Progress<T> {
    /// The final result.
    Done(T),
    /// The result depends on bytes that have not arrived.
    Wait,
}

impl Prescan {
    /// A prescan of the first [`PRESCAN_LENGTH`] bytes.
    pub(crate) const fn new() -> Self {
        Prescan { end: PRESCAN_LENGTH, position: 0 }
    }

    /// Goes on, given all bytes that have arrived so far; `last` says that no more will. An XML declaration is looked
    /// for in the first `declaration_limit` bytes.
    pub(crate) fn run(&mut self, bytes: &[u8], last: bool, declaration_limit: usize) -> Progress<Option<(Name, Rung)>> {
        let end = self.end.min(bytes.len());
        if let Ok(found) = self.scan(&bytes[..end]) {
            return Progress::Done(Some(found));
        }
        if !last && (end < self.end || !is_declaration_complete(bytes, declaration_limit)) {
            return Progress::Wait;
        }
        let start = &bytes[..declaration_limit.min(bytes.len())];
        Progress::Done(get_an_xml_encoding(start).map(|encoding| (encoding, Rung::XmlDeclaration)))
    }

    /// The loop. It starts with the step that the last call could not finish.
    fn scan(&mut self, bytes: &[u8]) -> Result<(Name, Rung), EndOfBytes> {
        // 2. The start of an XML declaration in UTF-16.
        for (start, encoding) in [(b"<\0?\0x\0", Name::Utf16Le), (b"\0<\0?\0x", Name::Utf16Be)] {
            if bytes.starts_with(start) {
                return Ok((encoding, Rung::XmlDeclaration));
            }
            if bytes.len() < start.len() && can_become(bytes, start) {
                return Err(EndOfBytes);
            }
        }
        // 3. All steps of the loop begin with `<`.
        while let Some(start) = find_byte(bytes, self.position, b'<') {
            self.position = start;
            if let Some((encoding, _)) = markup(bytes, &mut self.position).inspect_err(|_| self.position = start)? {
                return Ok((encoding, Rung::Meta));
            }
            self.position += 1;
        }
        self.position = bytes.len();
        Err(EndOfBytes)
    }
}

/// The encoding and the label of the first `meta` element in `bytes` that the prescan believes.
pub(crate) fn first_meta(bytes: &[u8]) -> Option<(Name, &[u8])> {
    let mut position = 0;
    loop {
        position = find_byte(bytes, position, b'<')?;
        if let Some(found) = markup(bytes, &mut position).ok()? {
            return Some(found);
        }
        position += 1;
    }
}

/// Reads the markup that the `<` at `position` begins; `position` moves to its last byte. Returns the encoding and the
/// label if it is a `meta` element that declares an encoding.
fn markup<'a>(bytes: &'a [u8], position: &mut usize) -> Result<Option<(Name, &'a [u8])>, EndOfBytes> {
    let start = *position;
    match bytes.get(start + 1) {
        Some(b'!') if bytes[start..].starts_with(b"<!--") => {
            // The two hyphens can be those of `<!--`.
            let is_end = |&at: &usize| at >= start + 4 && bytes[at - 2..].starts_with(b"-->");
            let mut ends = successors(find_byte(bytes, start, b'>'), |at| find_byte(bytes, at + 1, b'>'));
            *position = ends.find(is_end).ok_or(EndOfBytes)?;
        }
        Some(b'a'..=b'z' | b'A'..=b'Z') => {
            let is_meta = starts_with_ignoring_case(bytes, start, b"<meta")
                && bytes.get(start + 5).is_some_and(|&byte| is_whitespace(byte) || byte == b'/');
            if is_meta {
                *position = start + 5;
                return meta(bytes, position);
            }
            skip_tag(bytes, position)?;
        }
        Some(b'/') if bytes.get(start + 2).is_some_and(u8::is_ascii_alphabetic) => skip_tag(bytes, position)?,
        Some(b'!' | b'/' | b'?') => *position = find_byte(bytes, start, b'>').ok_or(EndOfBytes)?,
        Some(_) => {}
        // The next byte decides.
        None => return Err(EndOfBytes),
    }
    Ok(None)
}

/// Skips the tag at `position`, which moves to its `>`.
fn skip_tag(bytes: &[u8], position: &mut usize) -> Result<(), EndOfBytes> {
    *position = find(bytes, *position, |byte| is_whitespace(byte) || byte == b'>').ok_or(EndOfBytes)?;
    while get_an_attribute(bytes, position)?.is_some() {}
    Ok(())
}

/// Reads the attributes of a `meta` tag from `position` on, which moves to the `>`. Returns the encoding that they
/// declare and its label.
fn meta<'a>(bytes: &'a [u8], position: &mut usize) -> Result<Option<(Name, &'a [u8])>, EndOfBytes> {
    let [mut has_http_equiv, mut has_content, mut has_charset] = [false; 3];
    let mut got_pragma = false;
    let mut need_pragma = None;
    // The outer `None` is the Standard's null, the inner one its failure.
    let mut charset: Option<Option<(Name, &[u8])>> = None;
    let known = |label| Name::for_label(label).ok().map(|encoding| (encoding, label));
    while let Some(attribute) = get_an_attribute(bytes, position)? {
        let is_new =
            |name: &[u8], seen: &mut bool| attribute.name.eq_ignore_ascii_case(name) && !core::mem::replace(seen, true);
        if is_new(b"http-equiv", &mut has_http_equiv) {
            got_pragma |= attribute.value.eq_ignore_ascii_case(b"content-type");
        } else if is_new(b"content", &mut has_content) {
            let found = label_in_content(attribute.value).and_then(known);
            if found.is_some() && charset.is_none() {
                charset = Some(found);
                need_pragma = Some(true);
            }
        } else if is_new(b"charset", &mut has_charset) {
            charset = Some(known(attribute.value));
            need_pragma = Some(false);
        }
    }
    Ok(match (need_pragma, charset.flatten()) {
        (None, _) => None,
        (Some(true), _) if !got_pragma => None,
        (Some(_), found) => found.map(|(encoding, label)| (as_declared_in_html(encoding), label)),
    })
}

/// The encoding that a declaration in HTML means. A declaration that can be read as ASCII is not in UTF-16, so UTF-16
/// means UTF-8; and x-user-defined means windows-1252.
pub(crate) const fn as_declared_in_html(encoding: Name) -> Name {
    match encoding {
        Name::Utf16Be | Name::Utf16Le => Name::Utf8,
        Name::XUserDefined => Name::Windows1252,
        _ => encoding,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_meta_element_is_found_after_all_other_markup() {
        for before in ["", "<", "<1", "<<", "< ", "</", "</1>", "<!", "<!a>", "<?x>", "<!--><-->", "<p a='<'>", "a<b/>"]
        {
            let page = [before, "<meta charset=koi8-r>"].concat();
            let found = first_meta(page.as_bytes()).map(|(name, label)| (name, label.len()));
            // The markup goes on up to the end of the element.
            let expected = if matches!(before, "</" | "<!") { None } else { Some((Name::Koi8R, 6)) };
            assert_eq!(found, expected, "{page}");
        }
    }
}
