//! [Labels](https://encoding.spec.whatwg.org/#label) of rows.

use std::{collections::HashMap, sync::Arc};

use arrow_array::Array;
use textcodec::Encoding;

use crate::{Error, cells};

/// The encodings of the rows of a column.
#[derive(Clone, Debug)]
pub struct Labels(Rows);

#[derive(Clone, Debug)]
enum Rows {
    /// One encoding for all rows.
    One(Encoding),
    /// An encoding for each row.
    Each {
        rows: Arc<[Row]>,
        /// The first row of this slice, and the number of rows.
        first: usize,
        length: usize,
        /// The labels that no encoding has.
        unknown: Arc<[String]>,
    },
}

/// The label of a row.
#[derive(Clone, Copy, Debug)]
enum Row {
    Null,
    /// No encoding has the label. The number is its place in the list of such labels.
    Unknown(u32),
    Known(Encoding),
}

impl From<Encoding> for Labels {
    fn from(encoding: Encoding) -> Self {
        Labels(Rows::One(encoding))
    }
}

impl Labels {
    /// The same label for all rows.
    ///
    /// # Errors
    /// [`Error::Label`] if no encoding has this label.
    pub fn one(label: &str) -> Result<Self, Error> {
        match Encoding::for_label(label) {
            Ok(encoding) => Ok(encoding.into()),
            Err(_) => Err(Error::Label { row: None, label: label.to_owned() }),
        }
    }

    /// A label for each row, from a column of text.
    ///
    /// # Errors
    /// [`Error::Type`] if the column is not one of text. A label that no encoding has is an error only when its row is
    /// converted.
    pub fn each(labels: &dyn Array) -> Result<Self, Error> {
        Self::each_of([labels])
    }

    /// A label for each row, from the chunks of a column of text.
    ///
    /// # Errors
    /// [`Error::Type`] if a chunk is not one of text.
    pub fn each_of<'a>(chunks: impl IntoIterator<Item = &'a dyn Array>) -> Result<Self, Error> {
        let mut rows = Vec::new();
        let mut known: HashMap<String, Row> = HashMap::new();
        let mut unknown = Vec::new();
        for chunk in chunks {
            let (_, cells) = cells::text(chunk, "the column of labels")?;
            rows.reserve(cells.len());
            rows.extend((0..cells.len()).map(|row| {
                let Some(label) = cells.get(row) else { return Row::Null };
                if let Ok(encoding) = Encoding::for_label(label) {
                    return Row::Known(encoding);
                }
                *known.entry(label.to_owned()).or_insert_with(|| {
                    unknown.push(label.to_owned());
                    Row::Unknown(unknown.len() as u32 - 1)
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

    /// The encoding of a row; `None` if its label is null.
    pub(crate) fn get(&self, row: usize) -> Result<Option<Encoding>, Error> {
        match &self.0 {
            Rows::One(encoding) => Ok(Some(*encoding)),
            Rows::Each { rows, first, unknown, .. } => match rows[first + row] {
                Row::Null => Ok(None),
                Row::Known(encoding) => Ok(Some(encoding)),
                Row::Unknown(number) => Err(Error::Label { row: Some(row), label: unknown[number as usize].clone() }),
            },
        }
    }
}
