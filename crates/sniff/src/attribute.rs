//! [Get an attribute](https://html.spec.whatwg.org/#concept-get-attributes-when-sniffing), an algorithm of the prescan.

use crate::ascii::{find, find_byte, is_whitespace, skip};

/// An attribute of a tag, as it stands in the bytes. The Standard converts name and value to lower case; to borrow
/// them, this crate does not. Compare them without regard to ASCII case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Attribute<'a> {
    /// Never empty.
    pub name: &'a [u8],
    /// The value without quotes; empty if there is no value.
    pub value: &'a [u8],
}

/// The bytes end inside a tag.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EndOfBytes;

impl core::fmt::Display for EndOfBytes {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the bytes end inside a tag")
    }
}

impl core::error::Error for EndOfBytes {}

/// [Get an attribute](https://html.spec.whatwg.org/#concept-get-attributes-when-sniffing) at `position`, which moves to
/// the end of the attribute. `None` if the tag ends instead: `position` is then the position of its `>`.
///
/// # Errors
/// [`EndOfBytes`] if the bytes end before the end of the attribute is known. `position` has no meaning then.
///
/// ```
/// use textcodec_sniff::get_an_attribute;
///
/// let (bytes, mut position) = (b"<meta charset='koi8-r'>", 6);
/// let attribute = get_an_attribute(bytes, &mut position)?.unwrap();
/// assert_eq!((attribute.name, attribute.value), (&b"charset"[..], &b"koi8-r"[..]));
/// assert_eq!(get_an_attribute(bytes, &mut position)?, None);
/// # Ok::<(), textcodec_sniff::EndOfBytes>(())
/// ```
pub fn get_an_attribute<'a>(bytes: &'a [u8], position: &mut usize) -> Result<Option<Attribute<'a>>, EndOfBytes> {
    let byte = |at: usize| bytes.get(at).copied().ok_or(EndOfBytes);
    // 1. White space and slashes.
    let start = skip(bytes, *position, |byte| is_whitespace(byte) || byte == b'/');
    // 2. The end of the tag.
    if byte(start)? == b'>' {
        *position = start;
        return Ok(None);
    }
    // Steps 3 to 5: the name. A `=` as the first byte of a name belongs to the name.
    let ends_name = |byte| is_whitespace(byte) || matches!(byte, b'=' | b'/' | b'>');
    let name_end = match byte(start)? {
        b'=' => find(bytes, start + 1, ends_name),
        _ => find(bytes, start, ends_name),
    };
    let name_end = name_end.ok_or(EndOfBytes)?;
    let attribute = |value| Attribute { name: &bytes[start..name_end], value };
    if matches!(byte(name_end)?, b'/' | b'>') {
        *position = name_end;
        return Ok(Some(attribute(b"")));
    }
    // Steps 6 and 7: white space between the name and `=`.
    let equals = skip(bytes, name_end, is_whitespace);
    if byte(equals)? != b'=' {
        *position = equals;
        return Ok(Some(attribute(b"")));
    }
    // 8. White space after `=`.
    let value = skip(bytes, equals + 1, is_whitespace);
    // Steps 9 and 10: the value. A `/` does not end the value.
    let (start_of_value, end, after) = match byte(value)? {
        quote @ (b'"' | b'\'') => {
            let end = find_byte(bytes, value + 1, quote).ok_or(EndOfBytes)?;
            (value + 1, end, end + 1)
        }
        _ => {
            let end = find(bytes, value, |byte| is_whitespace(byte) || byte == b'>').ok_or(EndOfBytes)?;
            (value, end, end)
        }
    };
    *position = after;
    Ok(Some(attribute(&bytes[start_of_value..end])))
}
