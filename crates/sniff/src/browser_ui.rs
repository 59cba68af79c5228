//! [Browser UI](https://encoding.spec.whatwg.org/#browser-ui): which encodings a user may choose, and for which
//! documents.
//!
//! The Standard encourages browsers not to let users override encodings at all. A browser that does so anyway should
//! not offer UTF-16BE and UTF-16LE, and should disable the choice for a document that was decoded as one of the two:
//! bytes that are harmless in UTF-16 can be a script in another encoding, and the reverse. This crate leaves out
//! replacement as well, which turns any document into one U+FFFD; the Standard does not mention it.
//!
//! The contexts that listen to a user, [`HtmlParser`](crate::Context::HtmlParser),
//! [`XmlParser`](crate::Context::XmlParser) and [`TextDocument`](crate::Context::TextDocument), hold these rules by
//! themselves: see [`Hints::override_charset`](crate::Hints::override_charset).
//!
//! ```
//! use textcodec_sniff::{Hints, Name, Rung, browser_ui, html};
//!
//! assert!(browser_ui::OFFERED.contains(&Name::ShiftJis) && !browser_ui::OFFERED.contains(&Name::Utf16Le));
//!
//! let page = b"\xFE\xFF\0<\0p\0>";
//! let sniffed = html(page, Hints { override_charset: Some("shift_jis".into()), ..Hints::default() });
//! assert_eq!((sniffed.encoding, sniffed.rung), (Name::Utf16Be, Rung::Bom));
//! assert!(!browser_ui::can_be_overridden(sniffed.encoding));
//! ```

use textcodec_core::Name;

/// The encodings that a user interface may offer: all except UTF-16BE, UTF-16LE and replacement, in the order of the
/// Standard's [table](https://encoding.spec.whatwg.org/#names-and-labels).
pub const OFFERED: [Name; 37] = {
    let mut offered = [Name::Utf8; 37];
    let (mut at, mut count) = (0, 0);
    while at < Name::ALL.len() {
        if is_offered(Name::ALL[at]) {
            offered[count] = Name::ALL[at];
            count += 1;
        }
        at += 1;
    }
    assert!(count == offered.len());
    offered
};

/// Whether a user interface may offer `encoding` for a document: whether [`OFFERED`] contains it.
#[must_use]
pub const fn is_offered(encoding: Name) -> bool {
    can_be_overridden(encoding) && !matches!(encoding, Name::Replacement)
}

/// Whether a user may override the encoding of a document that was decoded as `current`: false for UTF-16BE and
/// UTF-16LE.
#[must_use]
pub const fn can_be_overridden(current: Name) -> bool {
    !matches!(current, Name::Utf16Be | Name::Utf16Le)
}
