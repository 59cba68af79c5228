//! Where a text declares its encoding, for programs that rewrite the declaration.

use core::ops::Range;

use textcodec_core::Name;

use crate::{css, prescan, xml_encoding};

/// A declaration of an encoding in the bytes of a text.
///
/// ```
/// use textcodec_sniff::{Declaration, Name};
///
/// let page = b"<!doctype html><META http-equiv=Content-Type content='text/html; charset=koi8-r'>";
/// let declaration = Declaration::in_html(page, usize::MAX).unwrap();
/// assert_eq!((declaration.encoding, &page[declaration.label]), (Name::Koi8R, &b"koi8-r"[..]));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Declaration {
    /// The encoding that browsers take the label for: a label of UTF-16 in bytes that can be read as ASCII means UTF-8,
    /// and in HTML `x-user-defined` means windows-1252.
    pub encoding: Name,
    /// The offsets of the label's bytes, without quotes.
    pub label: Range<usize>,
}

impl Declaration {
    /// The first `meta` element within the first `end` bytes that a
    /// [prescan](https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding) believes. Like
    /// [`prescan_a_byte_stream`](crate::prescan_a_byte_stream), without the XML declaration; `None` if there is no such
    /// element.
    #[must_use]
    pub fn in_html(bytes: &[u8], end: usize) -> Option<Self> {
        let (encoding, label) = prescan::first_meta(&bytes[..bytes.len().min(end)])?;
        Some(Self::new(encoding, label, bytes))
    }

    /// The XML declaration at the start, as [`get_an_xml_encoding`](crate::get_an_xml_encoding) reads it.
    #[must_use]
    pub fn in_xml(bytes: &[u8]) -> Option<Self> {
        let (encoding, label) = xml_encoding::declared(bytes)?;
        Some(Self::new(encoding, label, bytes))
    }

    /// The `@charset` at the start of a style sheet, as
    /// [`determine_the_fallback_encoding`](crate::determine_the_fallback_encoding) reads it.
    #[must_use]
    pub fn in_css(bytes: &[u8]) -> Option<Self> {
        let (encoding, label) = css::at_charset(bytes)?;
        Some(Self::new(encoding, label, bytes))
    }

    /// `label` is a part of `bytes`.
    fn new(encoding: Name, label: &[u8], bytes: &[u8]) -> Self {
        let start = label.as_ptr().addr() - bytes.as_ptr().addr();
        Declaration { encoding, label: start..start + label.len() }
    }
}
