//! [Change the encoding](https://html.spec.whatwg.org/#change-the-encoding) while parsing.

use textcodec_core::Name;

use crate::prescan::as_declared_in_html;

/// The action of a parser on a late declaration. In any case, the confidence is certain afterwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Change {
    /// Change nothing: the declaration is ignored, or it names the current encoding.
    Keep,
    /// Go on with this encoding: the bytes so far mean the same text in it.
    Switch(Name),
    /// Decode the document again from its start, with this [known definite encoding](crate::Hints::definite).
    Reload(Name),
}

/// [Change the encoding](https://html.spec.whatwg.org/#change-the-encoding) from `current` to `new`, which a
/// [`MetaElement`](crate::MetaElement) declares. Call this only while the confidence is tentative.
///
/// `is_same_so_far` says whether all bytes so far mean the same text in both encodings, as ASCII does in most
/// encodings.
#[must_use]
pub fn change_the_encoding(current: Name, new: Name, is_same_so_far: bool) -> Change {
    // 1. In UTF-16, a `meta` element that the parser could read names another encoding by mistake.
    if matches!(current, Name::Utf16Be | Name::Utf16Le) {
        return Change::Keep;
    }
    // Steps 2 and 3: UTF-16 means UTF-8, and x-user-defined means windows-1252.
    match as_declared_in_html(new) {
        // 4.
        new if new == current => Change::Keep,
        // 5.
        new if is_same_so_far => Change::Switch(new),
        // 6.
        new => Change::Reload(new),
    }
}
