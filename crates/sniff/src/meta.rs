//! `meta` elements: [extract a character
//! encoding](https://html.spec.whatwg.org/#algorithm-for-extracting-a-character-encoding-from-a-meta-element) from a
//! `meta` element, in a prescan and [in the tree builder](https://html.spec.whatwg.org/#parsing-main-inhead).

use textcodec_core::Name;

use crate::ascii::{find, find_byte, is_whitespace, skip, starts_with_ignoring_case};

const CHARSET: &[u8] = b"charset";

/// [Extract a character encoding from a `meta`
/// element](https://html.spec.whatwg.org/#algorithm-for-extracting-a-character-encoding-from-a-meta-element), given the
/// value of its `content` attribute. `None` is the Standard's *nothing*, and also the result for an unknown label.
///
/// ```
/// use textcodec_sniff::{Name, extract_a_character_encoding_from_a_meta_element as extract};
///
/// assert_eq!(extract(b"text/html; charset=Shift_JIS"), Some(Name::ShiftJis));
/// assert_eq!(extract(b"charset = 'sjis'"), Some(Name::ShiftJis));
/// assert_eq!(extract(b"charset = 'sjis"), None, "the quote is not matched");
/// ```
#[must_use]
pub fn extract_a_character_encoding_from_a_meta_element(string: &[u8]) -> Option<Name> {
    label_in_content(string).and_then(|label| Name::for_label(label).ok())
}

/// The label in the value of a `content` attribute, known or not.
pub(crate) fn label_in_content(string: &[u8]) -> Option<&[u8]> {
    let mut position = 0;
    loop {
        // 1. The next `charset`, which may be part of a longer word.
        while !starts_with_ignoring_case(string, position, CHARSET) {
            if position >= string.len() {
                return None;
            }
            position += 1;
        }
        // 2. Without a `=`, look for another `charset` from here on.
        position = skip(string, position + CHARSET.len(), is_whitespace);
        if string.get(position) == Some(&b'=') {
            break;
        }
    }
    // 3. The `=` and white space.
    position = skip(string, position + 1, is_whitespace);
    // 4. The label.
    Some(match *string.get(position)? {
        quote @ (b'"' | b'\'') => &string[position + 1..find_byte(string, position + 1, quote)?],
        _ => {
            let end = find(string, position, |byte| is_whitespace(byte) || byte == b';');
            &string[position..end.unwrap_or(string.len())]
        }
    })
}

/// The attributes of a `meta` element that can declare an encoding, as the tree builder has them. `None` means that the
/// element does not have the attribute.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct MetaElement<'a> {
    /// The value of `charset`.
    pub charset: Option<&'a [u8]>,
    /// The value of `http-equiv`.
    pub http_equiv: Option<&'a [u8]>,
    /// The value of `content`.
    pub content: Option<&'a [u8]>,
}

impl MetaElement<'_> {
    /// The encoding that the element declares when
    /// [it is inserted into the document](https://html.spec.whatwg.org/#parsing-main-inhead), for
    /// [`change_the_encoding`](crate::change_the_encoding). The tree builder finds only elements in real markup, not in
    /// comments, scripts or attributes. It also finds elements that the prescan does not reach.
    ///
    /// If `charset` names no encoding, `http-equiv` and `content` decide. This differs from the prescan.
    #[must_use]
    pub fn encoding(&self) -> Option<Name> {
        if let Some(encoding) = self.charset.and_then(|label| Name::for_label(label).ok()) {
            return Some(encoding);
        }
        let is_pragma = self.http_equiv?.eq_ignore_ascii_case(b"content-type");
        extract_a_character_encoding_from_a_meta_element(self.content.filter(|_| is_pragma)?)
    }
}
