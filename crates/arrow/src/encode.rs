//! [Encode](https://encoding.spec.whatwg.org/#encode), for each row.

use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use textcodec::{EncodeErrorMode, EncodeStatus, Encoding, UTF_16BE, UTF_16LE, Unmappable, utf16};
use textcodec_convert::{
    Charset,
    charset::{EncodeStatus as CharsetStatus, Encoder},
};

use crate::{Error, Labels, UnmappableRow, builder::Builder, cells};

/// What becomes of characters that the encoding cannot represent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EncodeErrors {
    /// The first unmappable character, or label that no encoding has, is an error with its row.
    #[default]
    Strict,
    /// Each unmappable character becomes `?`.
    Replace,
    /// Each unmappable character becomes a decimal character reference, as in forms: the Standard's error mode html.
    Html,
    /// A row with an unmappable character, or with a label that no encoding has, becomes null.
    Null,
}

/// Encodes each row of a column of text. The result has as many rows; the [types](crate#types) are in the documentation
/// of the crate. A row is null in the result if it is null in the column or in the column of labels.
///
/// UTF-16 is written as UTF-16, without a byte order mark. The Standard's *encode* would write UTF-8, for forms and
/// URLs. Replacements of unmappable characters are text in the charset, also in EBCDIC.
///
/// # Errors
/// [`Error::Type`], [`Error::Length`], [`Error::Label`], [`Error::Charset`], [`Error::NoEncoder`] and
/// [`Error::TooLong`]; [`Error::Unmappable`] with [`EncodeErrors::Strict`], and if the charset cannot represent the
/// replacement either.
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use textcodec_arrow::{EncodeErrors, Labels, encode};
///
/// let column = StringArray::from(vec!["テキ", "☃"]);
/// let bytes = encode(&column, &Labels::one("shift_jis")?, EncodeErrors::Html)?;
/// assert_eq!(bytes.as_binary::<i32>().value(0), b"\x83\x65\x83\x4C");
/// assert_eq!(bytes.as_binary::<i32>().value(1), b"&#9731;");
/// # Ok::<(), textcodec_arrow::Error>(())
/// ```
pub fn encode(column: &dyn Array, labels: &Labels, errors: EncodeErrors) -> Result<ArrayRef, Error> {
    labels.check(column.len())?;
    if labels.len().is_none() {
        let values = cells::dictionary(column, |values, used| rows(values, labels, errors, Some(used)));
        if let Some(result) = values {
            return result;
        }
    }
    rows(column, labels, errors, None)
}

/// The type of the result of [`encode`] for a column of this type.
///
/// # Errors
/// [`Error::Type`].
pub fn encode_type(column: &DataType, labels: &Labels) -> Result<DataType, Error> {
    Ok(cells::result_type(column, labels, cells::kind_of_text(column, "the column")?.bytes()))
}

/// Encodes all rows, or only those that are `used`. The others become null.
fn rows(column: &dyn Array, labels: &Labels, errors: EncodeErrors, used: Option<&[bool]>) -> Result<ArrayRef, Error> {
    let (kind, cells) = cells::text(column, "the column")?;
    let has_one_label = labels.len().is_none();
    let mut builder = Builder::<[u8]>::new(kind, cells.len(), cells.bytes());
    let mut bytes = Vec::new();
    for row in 0..cells.len() {
        let cell = if used.is_none_or(|used| used[row]) { cells.get(row) } else { None };
        let charset = match cell.map(|_| labels.get(row)) {
            Some(Ok(charset)) => charset,
            Some(Err(error)) if errors != EncodeErrors::Null => return Err(error),
            Some(Err(_)) | None => None,
        };
        let Some((cell, charset)) = cell.zip(charset) else {
            builder.null();
            continue;
        };
        if !charset.is_writable() {
            if errors == EncodeErrors::Null {
                builder.null();
                continue;
            }
            return Err(Error::NoEncoder { row: (!has_one_label).then_some(row), charset });
        }
        let result = match charset.standard() {
            Some(encoding) => bytes_of(&mut bytes, cell, encoding, errors),
            None => other_bytes_of(&mut bytes, cell, charset, errors),
        };
        match result {
            Ok(()) => builder.append(&bytes)?,
            Err(_) if errors == EncodeErrors::Null => builder.null(),
            Err(unmappable) => {
                let cell = cell.to_owned();
                return Err(Error::Unmappable(Box::new(UnmappableRow { row, charset, unmappable, cell })));
            }
        }
    }
    Ok(builder.finish())
}

/// Makes `bytes` the bytes of `text`.
fn bytes_of(bytes: &mut Vec<u8>, text: &str, encoding: Encoding, errors: EncodeErrors) -> Result<(), Unmappable> {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        // Each byte of UTF-8 becomes at most two bytes.
        bytes.resize(2 * text.len(), 0);
        let write = if encoding == UTF_16LE { utf16::encode_le_into } else { utf16::encode_be_into };
        let (_, written) = write(text, bytes);
        bytes.truncate(written);
        return Ok(());
    }
    bytes.clear();
    let mut encoder = encoding.new_encoder();
    let mode = match errors {
        EncodeErrors::Strict | EncodeErrors::Null => EncodeErrorMode::Fatal,
        EncodeErrors::Html => EncodeErrorMode::Html,
        EncodeErrors::Replace => return encoder.encode_str_to_vec_with(text, bytes, true, |_| "?").map(|_| ()),
    };
    match encoder.encode_str_to_vec(text, bytes, true, mode).status {
        EncodeStatus::Unmappable(unmappable) => Err(unmappable),
        _ => Ok(()),
    }
}

/// As [`bytes_of`], for a charset that the Standard does not have.
fn other_bytes_of(bytes: &mut Vec<u8>, text: &str, charset: Charset, errors: EncodeErrors) -> Result<(), Unmappable> {
    bytes.clear();
    if charset.needs_bom() {
        bytes.extend_from_slice(charset.bom());
    }
    let Some(mut encoder) = charset.new_encoder() else { unreachable!("the caller has asked for an encoder") };
    let mut read = 0;
    while let Err((length, character)) = append(bytes, &text[read..], &mut encoder, true) {
        let unmappable = Unmappable::new((read + length - character.len_utf8()) as u64, character);
        let replacement = match errors {
            EncodeErrors::Strict | EncodeErrors::Null => return Err(unmappable),
            EncodeErrors::Replace => "?".to_owned(),
            EncodeErrors::Html => format!("&#{};", u32::from(character)),
        };
        append(bytes, &replacement, &mut encoder, false).map_err(|_| unmappable)?;
        read += length;
    }
    Ok(())
}

/// Appends the bytes of `text`. `last` says that the row ends with it.
///
/// # Errors
/// The first unmappable character, and the number of bytes of `text` up to its end.
fn append(bytes: &mut Vec<u8>, text: &str, encoder: &mut Encoder, last: bool) -> Result<(), (usize, char)> {
    let mut read = 0;
    loop {
        let start = bytes.len();
        // An encoder needs space for a character and a change of its state.
        bytes.resize(start + text.len() - read + 16, 0);
        let encoded = encoder.encode(&text[read..], &mut bytes[start..], last);
        bytes.truncate(start + encoded.written);
        read += encoded.read;
        match encoded.status {
            CharsetStatus::InputEmpty => return Ok(()),
            CharsetStatus::OutputFull => {}
            CharsetStatus::Unmappable(character) => return Err((read, character)),
        }
    }
}
