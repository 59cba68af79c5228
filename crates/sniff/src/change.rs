//! [Change the encoding](https://html.spec.whatwg.org/#change-the-encoding) while parsing.

use textcodec_core::Name;

use crate::prescan::as_declared_in_html;

/// What the parser has to do about a late declaration. Whatever it is, the confidence is certain from then on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Nothing: the declaration is ignored, or names the encoding that is in use.
    Keep,
    /// Go on with this encoding: nothing that was decoded would be other text in it.
    Switch(Name),
    /// Start the document again, with this [known definite encoding](crate::Hints::definite).
    Reload(Name),
}

/// [Change the encoding](https://html.spec.whatwg.org/#change-the-encoding) from `current` to `new`, which a
/// [`MetaElement`](crate::MetaElement) declares. To be called only while the confidence is tentative.
///
/// `is_same_so_far` says whether all bytes up to here mean the same in both encodings, as ASCII does in most.
#[must_use]
pub fn change_the_encoding(current: Name, new: Name, is_same_so_far: bool) -> Change {
    // 1. A declaration that could be read in UTF-16 can only be wrong.
    if matches!(current, Name::Utf16Be | Name::Utf16Le) {
        return Change::Keep;
    }
    // 2. and 3. What a declaration in ASCII can mean.
    match as_declared_in_html(new) {
        // 4.
        new if new == current => Change::Keep,
        // 5.
        new if is_same_so_far => Change::Switch(new),
        // 6.
        new => Change::Reload(new),
    }
}
