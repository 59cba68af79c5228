//! [Decode](https://encoding.spec.whatwg.org/#decode), for each row.

use std::ops::ControlFlow;

use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use textcodec::{BomHandling, DecodeErrorMode, DecodeStatus, Decoder, Encoding, Malformed, UTF_8};
use textcodec_convert::{Charset, charset::Status};

use crate::{Error, Labels, MalformedRow, builder::Builder, cells};

/// What becomes of malformed sequences. No row is ever cut.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DecodeErrors {
    /// Each malformed sequence becomes U+FFFD. A label that no encoding has is an error.
    #[default]
    Replace,
    /// The first malformed sequence, or label that no encoding has, is an error with its row.
    Strict,
    /// A row with a malformed sequence, or with a label that no encoding has, becomes null.
    Null,
}

impl DecodeErrors {
    pub(crate) fn mode(self) -> DecodeErrorMode {
        match self {
            DecodeErrors::Replace => DecodeErrorMode::Replacement,
            DecodeErrors::Strict | DecodeErrors::Null => DecodeErrorMode::Fatal,
        }
    }
}

/// How rows are decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DecodeOptions {
    /// What becomes of malformed sequences.
    pub errors: DecodeErrors,
    /// What becomes of a byte order mark at the start of a row in an encoding of the Standard. In other charsets it is
    /// a character, but UTF-16 and UTF-32 with a byte order mark need one.
    pub bom: BomHandling,
}

/// Decodes each row of a column of bytes. The result has as many rows; the [types](crate#types) are in the
/// documentation of the crate. A row is null in the result if it is null in the column or in the column of labels.
///
/// # Errors
/// [`Error::Type`], [`Error::Length`], [`Error::Label`], [`Error::Charset`] and [`Error::TooLong`];
/// [`Error::Malformed`] with [`DecodeErrors::Strict`].
///
/// ```
/// use arrow_array::{BinaryArray, cast::AsArray};
/// use textcodec_arrow::{DecodeErrors, DecodeOptions, Labels, decode};
///
/// let column = BinaryArray::from(vec![&b"\x83\x65"[..], b"abc\x82\xFF"]);
/// let strict = DecodeOptions { errors: DecodeErrors::Strict, ..DecodeOptions::default() };
/// let error = decode(&column, &Labels::one("shift_jis")?, &strict).unwrap_err();
/// assert_eq!(error.to_string(), "row 1: Shift_JIS: malformed bytes 82 FF at offset 3");
/// # Ok::<(), textcodec_arrow::Error>(())
/// ```
pub fn decode(column: &dyn Array, labels: &Labels, options: &DecodeOptions) -> Result<ArrayRef, Error> {
    labels.check(column.len())?;
    if labels.len().is_none() {
        // A dictionary stays one, and each of its values is decoded once.
        let values = cells::dictionary(column, |values, used| rows(values, labels, options, Some(used)));
        if let Some(result) = values {
            return result;
        }
    }
    rows(column, labels, options, None)
}

/// The type of the result of [`decode`] for a column of this type.
///
/// # Errors
/// [`Error::Type`].
pub fn decode_type(column: &DataType, labels: &Labels) -> Result<DataType, Error> {
    Ok(cells::result_type(column, labels, cells::kind_of_bytes(column)?.text()))
}

/// Decodes all rows, or only those that are `used`. The others become null.
fn rows(
    column: &dyn Array,
    labels: &Labels,
    options: &DecodeOptions,
    used: Option<&[bool]>,
) -> Result<ArrayRef, Error> {
    let (kind, cells) = cells::bytes(column)?;
    let mut builder = Builder::<str>::new(kind, cells.len(), cells.bytes());
    let mut text = String::new();
    for row in 0..cells.len() {
        let cell = if used.is_none_or(|used| used[row]) { cells.get(row) } else { None };
        let charset = match cell.map(|_| labels.get(row)) {
            Some(Ok(charset)) => charset,
            Some(Err(error)) if options.errors != DecodeErrors::Null => return Err(error),
            Some(Err(_)) | None => None,
        };
        let Some((cell, charset)) = cell.zip(charset) else {
            builder.null();
            continue;
        };
        match charset.standard() {
            Some(encoding) => {
                row_into(&mut builder, &mut text, row, cell, encoding, options)?;
            }
            None => other_row_into(&mut builder, &mut text, row, cell, charset, options.errors)?,
        }
    }
    Ok(builder.finish())
}

/// Decodes a row into `text`, and appends it to `builder`. Returns the encoding that was used, and whether there was a
/// malformed sequence.
///
/// The caller passes the same `text` for all rows, so that its memory stays in the first-level cache.
pub(crate) fn row_into(
    builder: &mut Builder<str>,
    text: &mut String,
    row: usize,
    cell: &[u8],
    encoding: Encoding,
    options: &DecodeOptions,
) -> Result<(Encoding, bool), Error> {
    let (encoding, bom) = options.bom.apply(encoding, cell);
    let bytes = &cell[bom..];
    if encoding == UTF_8
        && let Ok(text) = encoding.decode_without_bom_handling_or_fail(bytes)
    {
        // The text is the bytes themselves, so it is copied only once.
        builder.append(&text)?;
        return Ok((encoding, false));
    }
    match text_of(text, bytes, encoding, options.errors.mode()) {
        Ok(had_errors) => {
            builder.append(text)?;
            Ok((encoding, had_errors))
        }
        Err(malformed) if options.errors == DecodeErrors::Strict => {
            let malformed = malformed.after(bom);
            let charset = encoding.into();
            Err(Error::Malformed(Box::new(MalformedRow { row, charset, malformed, cell: cell.to_vec() })))
        }
        Err(_) => {
            builder.null();
            Ok((encoding, true))
        }
    }
}

/// Makes `text` the text of `bytes`. Returns whether there was a malformed sequence.
fn text_of(text: &mut String, bytes: &[u8], encoding: Encoding, mode: DecodeErrorMode) -> Result<bool, Malformed> {
    text.clear();
    let mut decoder: Decoder = encoding.new_decoder_without_bom_handling();
    let result = decoder.decode_to_string(bytes, text, true, mode);
    match result.status {
        DecodeStatus::Malformed(malformed) => Err(malformed),
        _ => Ok(result.had_errors),
    }
}

/// As [`row_into`], for a charset that the Standard does not have.
fn other_row_into(
    builder: &mut Builder<str>,
    text: &mut String,
    row: usize,
    cell: &[u8],
    charset: Charset,
    errors: DecodeErrors,
) -> Result<(), Error> {
    text.clear();
    // Most characters of a single-byte charset take one or two bytes, and a decoder needs space for one more.
    text.reserve(cell.len() + cell.len() / 2 + 16);
    let flow = charset.new_decoder(true).decode_pieces(cell, text, true, |_, text, decoded| {
        match decoded.status {
            Status::InputEmpty => {}
            Status::OutputFull => text.reserve(cell.len() + 16),
            Status::Malformed(_) if errors == DecodeErrors::Replace => text.push(char::REPLACEMENT_CHARACTER),
            Status::Malformed(malformed) => return ControlFlow::Break(malformed),
        }
        ControlFlow::Continue(())
    });
    match flow {
        ControlFlow::Continue(()) => builder.append(text),
        ControlFlow::Break(malformed) if errors == DecodeErrors::Strict => {
            let malformed = Malformed::new(malformed.offset, malformed.bytes[..].into());
            Err(Error::Malformed(Box::new(MalformedRow { row, charset, malformed, cell: cell.to_vec() })))
        }
        ControlFlow::Break(_) => {
            builder.null();
            Ok(())
        }
    }
}
