//! The encoding of a page, as [HTML determines it](https://html.spec.whatwg.org/#encoding-sniffing-algorithm), for each
//! row.

use std::sync::Arc;

use arrow_array::{Array, StructArray, builder::BooleanBuilder};
use arrow_buffer::NullBufferBuilder;
use arrow_schema::{DataType, Field, Fields};
use textcodec::{
    Encoding, Name,
    sniff::{Confidence, Context, Heuristic, Hints, Label, MimeType},
};

use crate::{BomHandling, DecodeErrors, DecodeOptions, Error, Kind, builder::Builder, cells, decode::row_into};

/// What the transport layer, such as HTTP, says of the encodings of the rows.
#[derive(Clone, Debug, Default)]
pub struct Charsets(Rows);

#[derive(Clone, Debug, Default)]
enum Rows {
    #[default]
    Nothing,
    One(Label),
    Each {
        rows: Arc<[Option<Label>]>,
        /// The first row of this slice, and the number of rows.
        first: usize,
        length: usize,
    },
}

impl Charsets {
    /// The same charset for all rows. A label that no encoding has counts as none.
    #[must_use]
    pub fn one(charset: &str) -> Self {
        Charsets(Rows::One(charset.into()))
    }

    /// The same value of the header `Content-Type` for all rows.
    #[must_use]
    pub fn one_content_type(value: impl AsRef<[u8]>) -> Self {
        Charsets(of_content_type(value.as_ref()).map_or(Rows::Nothing, Rows::One))
    }

    /// A charset for each row, from the chunks of a column of text. Null, and a label that no encoding has, count as
    /// none.
    ///
    /// # Errors
    /// [`Error::Type`] if a chunk is not one of text.
    pub fn each_of<'a>(chunks: impl IntoIterator<Item = &'a dyn Array>) -> Result<Self, Error> {
        Self::rows(chunks, "the column of charsets", |label| Some(label.into()))
    }

    /// A value of the header `Content-Type` for each row, from the chunks of a column of text.
    ///
    /// # Errors
    /// [`Error::Type`] if a chunk is not one of text.
    pub fn each_content_type_of<'a>(chunks: impl IntoIterator<Item = &'a dyn Array>) -> Result<Self, Error> {
        Self::rows(chunks, "the column of content types", |value| of_content_type(value.as_bytes()))
    }

    fn rows<'a>(
        chunks: impl IntoIterator<Item = &'a dyn Array>,
        name: &'static str,
        label: fn(&str) -> Option<Label>,
    ) -> Result<Self, Error> {
        let mut rows = Vec::new();
        for chunk in chunks {
            let (_, cells) = cells::text(chunk, name)?;
            rows.extend((0..cells.len()).map(|row| cells.get(row).and_then(label)));
        }
        let length = rows.len();
        Ok(Charsets(Rows::Each { rows: rows.into(), first: 0, length }))
    }

    /// The charsets of `length` rows from `offset` on, without a copy.
    ///
    /// # Panics
    /// If there are fewer rows.
    #[must_use]
    pub fn slice(&self, offset: usize, length: usize) -> Self {
        match &self.0 {
            Rows::Nothing | Rows::One(_) => self.clone(),
            Rows::Each { rows, first, length: all } => {
                assert!(offset.checked_add(length).is_some_and(|end| end <= *all), "the slice has too many rows");
                Charsets(Rows::Each { rows: rows.clone(), first: first + offset, length })
            }
        }
    }

    /// The number of rows; `None` if all rows have the same charset, or none.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "one charset has no number of rows")]
    pub fn len(&self) -> Option<usize> {
        match &self.0 {
            Rows::Nothing | Rows::One(_) => None,
            Rows::Each { length, .. } => Some(*length),
        }
    }

    fn get(&self, row: usize) -> Option<Label> {
        match &self.0 {
            Rows::Nothing => None,
            Rows::One(label) => Some(*label),
            Rows::Each { rows, first, .. } => rows[first + row],
        }
    }
}

fn of_content_type(value: &[u8]) -> Option<Label> {
    MimeType::parse(value)?.charset().map(|charset| charset.label())
}

/// How pages are decoded.
#[derive(Clone, Copy, Default)]
pub struct HtmlOptions<'a> {
    /// What becomes of malformed sequences.
    pub errors: DecodeErrors,
    /// The language tag of the user's locale, which has a default encoding.
    pub locale: Option<&'a str>,
    /// The encoding of pages without any other source; windows-1252 if this is `None`.
    pub default: Option<Name>,
    /// A function that guesses the encoding of pages that declare nothing: [`guess`](crate::guess()), or another one.
    pub guess: Option<Heuristic<'a>>,
}

/// The fields of the result of [`html`] for a column with this layout: `text`, `encoding` (the name of the encoding
/// that was used), `confidence` (`certain` or `tentative`), `reason` (the source that decided, such as `bom`,
/// `transport`, `meta` or `default`), and `had_errors` (whether there was a malformed sequence).
#[must_use]
pub fn html_fields(kind: Kind) -> Fields {
    Fields::from(vec![
        Field::new("text", kind.text(), true),
        Field::new("encoding", DataType::Utf8, true),
        Field::new("confidence", DataType::Utf8, true),
        Field::new("reason", DataType::Utf8, true),
        Field::new("had_errors", DataType::Boolean, true),
    ])
}

/// Decodes each row of a column of bytes as a browser decodes a page. A null row is null in the result.
///
/// The encoding of a row comes from the first of these sources that names one: a byte order mark, `charsets`, a `meta`
/// element or XML declaration in the first 1024 bytes, the guess, the default, the locale.
///
/// # Errors
/// [`Error::Type`], [`Error::Length`] and [`Error::TooLong`]; [`Error::Malformed`] with [`DecodeErrors::Strict`]. With
/// [`DecodeErrors::Null`], only the field `text` of a row with a malformed sequence is null.
///
/// ```
/// use arrow_array::{BinaryArray, cast::AsArray};
/// use textcodec_arrow::{Charsets, HtmlOptions, html};
///
/// let column = BinaryArray::from(vec![&b"<meta charset=koi8-r>\xC4\xC1"[..], b"\xE4"]);
/// let pages = html(&column, &Charsets::default(), &HtmlOptions::default())?;
/// assert_eq!(pages.column_by_name("text").unwrap().as_string::<i32>().value(0), "<meta charset=koi8-r>да");
/// assert_eq!(pages.column_by_name("encoding").unwrap().as_string::<i32>().value(1), "windows-1252");
/// assert_eq!(pages.column_by_name("reason").unwrap().as_string::<i32>().value(1), "default");
/// # Ok::<(), textcodec_arrow::Error>(())
/// ```
pub fn html(column: &dyn Array, charsets: &Charsets, options: &HtmlOptions<'_>) -> Result<StructArray, Error> {
    let (kind, cells) = cells::bytes(column)?;
    let rows = cells.len();
    if let Some(labels) = charsets.len().filter(|&labels| labels != rows) {
        return Err(Error::Length { column: rows, labels });
    }
    let decode_options = DecodeOptions { errors: options.errors, bom: BomHandling::Sniff };
    let mut text = Builder::<str>::new(kind, rows, cells.bytes());
    let [mut names, mut confidences, mut reasons] = [(); 3].map(|()| Builder::<str>::new(Kind::Small, rows, 8 * rows));
    let mut scratch = String::new();
    let mut had_errors = BooleanBuilder::with_capacity(rows);
    let mut nulls = NullBufferBuilder::new(rows);
    for row in 0..rows {
        let Some(cell) = cells.get(row) else {
            nulls.append_null();
            for field in [&mut text, &mut names, &mut confidences, &mut reasons] {
                field.null();
            }
            had_errors.append_null();
            continue;
        };
        let hints = Hints {
            transport: charsets.get(row),
            locale: options.locale,
            default: options.default,
            heuristic: options.guess,
            ..Hints::default()
        };
        let Some(found) = Context::HtmlParser.sniff(cell, hints) else { unreachable!("a page has an encoding") };
        let Ok(encoding) = Encoding::for_name(found.encoding) else {
            unreachable!("all encodings are part of this crate")
        };
        let (encoding, had_error) = row_into(&mut text, &mut scratch, row, cell, encoding, &decode_options)?;
        nulls.append_non_null();
        for (field, value) in [
            (&mut names, encoding.name()),
            (&mut confidences, if found.confidence == Confidence::Certain { "certain" } else { "tentative" }),
            (&mut reasons, found.rung.as_str()),
        ] {
            field.append(value)?;
        }
        had_errors.append_value(had_error);
    }
    let columns =
        vec![text.finish(), names.finish(), confidences.finish(), reasons.finish(), Arc::new(had_errors.finish())];
    Ok(StructArray::new(html_fields(kind), columns, nulls.finish()))
}
