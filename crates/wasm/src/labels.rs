//! [Names and labels](https://encoding.spec.whatwg.org/#names-and-labels).

use textcodec::{Encoding, LabelError, Name};

use crate::shared::Shared;

/// The result of [`label_to_encoding`] for a label that the Standard does not have.
pub(crate) const UNKNOWN: i32 = -1;
/// The result of [`label_to_encoding`] for a label whose encoding is not part of the library.
pub(crate) const NOT_LINKED: i32 = -2;

/// Writes a line for each encoding to the bytes: 1 if ASCII bytes are ASCII characters in it, else 0; its name; its
/// labels. An encoding that is not part of the library has no labels in its line. Returns the length in bytes.
pub(crate) fn labels(shared: &mut Shared) -> i32 {
    let mut length = 0;
    let mut put = |word: &str, separator: u8| {
        shared.bytes[length..][..word.len()].copy_from_slice(word.as_bytes());
        length += word.len();
        shared.bytes[length] = separator;
        length += 1;
    };
    for name in Name::ALL {
        let encoding = Encoding::for_name(name);
        put(if encoding.is_ok_and(Encoding::is_ascii_compatible) { "1" } else { "0" }, b' ');
        put(name.as_str(), if encoding.is_ok() { b' ' } else { b'\n' });
        let Ok(encoding) = encoding else { continue };
        let count = encoding.labels().len();
        for (number, label) in encoding.labels().enumerate() {
            put(label, if number + 1 < count { b' ' } else { b'\n' });
        }
    }
    // The last line has no end.
    length as i32 - 1
}

/// [Get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get) from the label in the source. Returns the
/// number of the encoding, [`UNKNOWN`] or [`NOT_LINKED`].
pub(crate) fn label_to_encoding(shared: &mut Shared) -> i32 {
    match Encoding::for_label(&shared.source[..shared.length()]) {
        Ok(encoding) => encoding.id() as i32,
        Err(LabelError::NotLinked(_)) => NOT_LINKED,
        Err(_) => UNKNOWN,
    }
}
