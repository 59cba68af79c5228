//! [Determine the fallback encoding](https://drafts.csswg.org/css-syntax/#determine-the-fallback-encoding) of a style
//! sheet.

use textcodec_core::Name;

use crate::{
    Label, Rung,
    ascii::{can_become, find_byte},
    prescan::{PRESCAN_LENGTH, Progress},
};

/// The bytes that an `@charset` starts with.
const START: &[u8] = b"@charset \"";

/// [Determine the fallback encoding](https://drafts.csswg.org/css-syntax/#determine-the-fallback-encoding) of a style
/// sheet that starts with `bytes`: from the `protocol` (HTTP's `charset`), from an `@charset`, from the `environment`
/// that refers to the style sheet, or else UTF-8.
///
/// The result is the fallback for *decode*, which prefers a byte order mark.
///
/// ```
/// use textcodec_sniff::{Name, determine_the_fallback_encoding};
///
/// let sheet = b"@charset \"windows-1250\"; p { color: red }";
/// assert_eq!(determine_the_fallback_encoding(sheet, None, Some(Name::Big5)), Name::Windows1250);
/// assert_eq!(determine_the_fallback_encoding(b"@charset 'koi8-r';", None, Some(Name::Big5)), Name::Big5);
/// ```
#[must_use]
pub fn determine_the_fallback_encoding(bytes: &[u8], protocol: Option<Label>, environment: Option<Name>) -> Name {
    let protocol = protocol.and_then(Label::encoding);
    protocol.or_else(|| at_charset(bytes).map(|(encoding, _)| encoding)).or(environment).unwrap_or(Name::Utf8)
}

/// The encoding that an `@charset` at the start declares within the first [`PRESCAN_LENGTH`] bytes, and the label.
pub(crate) fn at_charset(bytes: &[u8]) -> Option<(Name, &[u8])> {
    let bytes = &bytes[..bytes.len().min(PRESCAN_LENGTH)];
    let label = bytes.strip_prefix(START)?;
    let end = find_byte(label, 0, b'"')?;
    // No label has bytes that are not ASCII, which the Standard excludes here.
    let label = label.get(..end).filter(|_| label.get(end + 1) == Some(&b';'))?;
    // If a label of UTF-16 can be read as ASCII, the text is not in UTF-16.
    match Name::for_label(label).ok()? {
        Name::Utf16Be | Name::Utf16Le => Some((Name::Utf8, label)),
        encoding => Some((encoding, label)),
    }
}

/// As [`at_charset`], for a stream of which `bytes` have arrived.
pub(crate) fn at_charset_so_far(bytes: &[u8], last: bool) -> Progress<Option<(Name, Rung)>> {
    let start = &bytes[..bytes.len().min(PRESCAN_LENGTH)];
    let is_open = can_become(start, START)
        && start.len() < PRESCAN_LENGTH
        && match find_byte(start, START.len(), b'"') {
            None => start.get(START.len()..).is_none_or(<[u8]>::is_ascii),
            Some(quote) => quote + 1 == start.len(),
        };
    if is_open && !last {
        return Progress::Wait;
    }
    Progress::Done(at_charset(bytes).map(|(encoding, _)| (encoding, Rung::AtCharset)))
}
