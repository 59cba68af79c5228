//! [Labels](https://encoding.spec.whatwg.org/#label) of rows, and names of other charsets.

use std::{collections::HashMap, sync::Arc};

use arrow_array::Array;
use textcodec::Encoding;
use textcodec_convert::Charset;

use crate::{Error, cells};

/// The encodings of the rows of a column.
///
/// [`one`](Self::one) and [`each`](Self::each) take the labels of the Standard, as they come with web pages.
/// [`one_charset`](Self::one_charset) and [`each_charset`](Self::each_charset) take the names of all charsets that
/// [`Charset::for_label`] knows: first the labels of the Standard, then code pages and the names of other registries.
/// They are for names that come from a trusted source: markup can hide in UTF-7, for example, which no browser decodes.
#[derive(Clone, Debug)]
pub struct Labels(Rows);

#[derive(Clone, Debug)]
enum Rows {
    /// One charset for all rows.
    One(Charset),
    /// A charset for each row.
    Each {
        rows: Arc<[Row]>,
        /// The first row of this slice, and the number of rows.
        first: usize,
        length: usize,
        /// The errors of the labels that name no charset, without a row.
        unknown: Arc<[Error]>,
    },
}

/// The label of a row.
#[derive(Clone, Copy, Debug)]
enum Row {
    Null,
    /// The label names no charset. The number is the place of its error in the list of such errors.
    Unknown(u32),
    Known(Charset),
}

impl From<Encoding> for Labels {
    fn from(encoding: Encoding) -> Self {
        Charset::from(encoding).into()
    }
}

impl From<Charset> for Labels {
    fn from(charset: Charset) -> Self {
        Labels(Rows::One(charset))
    }
}

/// The charset that a label or a name means.
type LookUp = fn(&str) -> Result<Charset, Error>;

/// The encoding of the Standard with this label.
fn standard(label: &str) -> Result<Charset, Error> {
    match Encoding::for_label(label) {
        Ok(encoding) => Ok(encoding.into()),
        Err(_) => Err(Error::Label { row: None, label: label.to_owned() }),
    }
}

/// The charset with this name in any registry.
fn of_any_registry(name: &str) -> Result<Charset, Error> {
    Charset::for_label(name).map_err(|reason| Error::Charset { row: None, name: name.to_owned(), reason })
}

impl Labels {
    /// The same label for all rows.
    ///
    /// # Errors
    /// [`Error::Label`] if no encoding has this label.
    pub fn one(label: &str) -> Result<Self, Error> {
        standard(label).map(Self::from)
    }

    /// The same charset for all rows, by its name in any registry.
    ///
    /// # Errors
    /// [`Error::Charset`] if no charset has this name, or if registries give it to charsets with different tables.
    ///
    /// ```
    /// use arrow_array::{BinaryArray, cast::AsArray};
    /// use textcodec_arrow::{DecodeOptions, Labels, decode};
    ///
    /// let column = BinaryArray::from(vec![&b"\xC8\x85\x93\x93\x96"[..]]);
    /// let text = decode(&column, &Labels::one_charset("cp037")?, &DecodeOptions::default())?;
    /// assert_eq!(text.as_string::<i32>().value(0), "Hello");
    /// let error = Labels::one_charset("cp278").unwrap_err();
    /// assert_eq!(error.to_string(), "\"cp278\": two encodings have this name: iana:cp278 and java:cp278");
    /// # Ok::<(), textcodec_arrow::Error>(())
    /// ```
    pub fn one_charset(name: &str) -> Result<Self, Error> {
        of_any_registry(name).map(Self::from)
    }

    /// A label for each row, from a column of text.
    ///
    /// # Errors
    /// [`Error::Type`] if the column is not one of text. A label that no encoding has is an error only when its row is
    /// converted.
    pub fn each(labels: &dyn Array) -> Result<Self, Error> {
        Self::each_of([labels])
    }

    /// A name of a charset in any registry for each row, from a column of text.
    ///
    /// # Errors
    /// [`Error::Type`] if the column is not one of text. A name that means no charset is an error only when its row is
    /// converted.
    pub fn each_charset(names: &dyn Array) -> Result<Self, Error> {
        Self::each_charset_of([names])
    }

    /// A label for each row, from the chunks of a column of text.
    ///
    /// # Errors
    /// [`Error::Type`] if a chunk is not one of text.
    pub fn each_of<'a>(chunks: impl IntoIterator<Item = &'a dyn Array>) -> Result<Self, Error> {
        Self::rows(chunks, "the column of labels", standard)
    }

    /// A name of a charset in any registry for each row, from the chunks of a column of text.
    ///
    /// # Errors
    /// [`Error::Type`] if a chunk is not one of text.
    pub fn each_charset_of<'a>(chunks: impl IntoIterator<Item = &'a dyn Array>) -> Result<Self, Error> {
        Self::rows(chunks, "the column of charsets", of_any_registry)
    }

    fn rows<'a>(
        chunks: impl IntoIterator<Item = &'a dyn Array>,
        column: &'static str,
        look_up: LookUp,
    ) -> Result<Self, Error> {
        let mut rows = Vec::new();
        let mut known: HashMap<String, Row> = HashMap::new();
        let mut unknown = Vec::new();
        for chunk in chunks {
            let (_, cells) = cells::text(chunk, column)?;
            rows.reserve(cells.len());
            rows.extend((0..cells.len()).map(|row| {
                let Some(label) = cells.get(row) else { return Row::Null };
                // The map has only what the Standard does not have, because its labels are found as fast as in a map.
                if let Ok(encoding) = Encoding::for_label(label) {
                    return Row::Known(encoding.into());
                }
                *known.entry(label.to_owned()).or_insert_with(|| match look_up(label) {
                    Ok(charset) => Row::Known(charset),
                    Err(error) => {
                        unknown.push(error);
                        Row::Unknown(unknown.len() as u32 - 1)
                    }
                })
            }));
        }
        let length = rows.len();
        Ok(Labels(Rows::Each { rows: rows.into(), first: 0, length, unknown: unknown.into() }))
    }

    /// The labels of `length` rows from `offset` on, without a copy.
    ///
    /// # Panics
    /// If there are fewer rows.
    #[must_use]
    pub fn slice(&self, offset: usize, length: usize) -> Self {
        match &self.0 {
            Rows::One(_) => self.clone(),
            Rows::Each { rows, first, length: all, unknown } => {
                assert!(offset.checked_add(length).is_some_and(|end| end <= *all), "the slice has too many rows");
                let (rows, unknown) = (rows.clone(), unknown.clone());
                Labels(Rows::Each { rows, first: first + offset, length, unknown })
            }
        }
    }

    /// The number of rows; `None` for one label for all rows.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "one label has no number of rows")]
    pub fn len(&self) -> Option<usize> {
        match &self.0 {
            Rows::One(_) => None,
            Rows::Each { length, .. } => Some(*length),
        }
    }

    /// Fails if the number of labels is not the number of rows.
    pub(crate) fn check(&self, column: usize) -> Result<(), Error> {
        match self.len() {
            Some(labels) if labels != column => Err(Error::Length { column, labels }),
            _ => Ok(()),
        }
    }

    /// The charset of a row; `None` if its label is null.
    pub(crate) fn get(&self, row: usize) -> Result<Option<Charset>, Error> {
        match &self.0 {
            Rows::One(charset) => Ok(Some(*charset)),
            Rows::Each { rows, first, unknown, .. } => match rows[first + row] {
                Row::Null => Ok(None),
                Row::Known(charset) => Ok(Some(charset)),
                Row::Unknown(number) => Err(unknown[number as usize].clone().in_row(row)),
            },
        }
    }
}
