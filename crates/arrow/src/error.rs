//! Errors, with the row.

use std::fmt;

use arrow_schema::DataType;
use textcodec::{Malformed, Unmappable};
use textcodec_convert::{Charset, charset::UnknownLabel};

/// The reason why a column cannot be converted.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// A column has a type that the function does not take.
    Type {
        /// The column, for example "the column of labels".
        column: &'static str,
        /// Types that the function takes.
        expected: &'static str,
        /// The type of the column.
        found: DataType,
    },
    /// Two columns differ in their number of rows.
    Length {
        /// The number of rows of the column of bytes or text.
        column: usize,
        /// The number of rows of the column of labels.
        labels: usize,
    },
    /// No encoding has the label.
    Label {
        /// The row of the label; `None` for a label of all rows.
        row: Option<usize>,
        /// The label. Bytes that are not UTF-8 are replaced.
        label: String,
    },
    /// A name means no charset, or not a single one.
    Charset {
        /// The row of the name; `None` for a name of all rows.
        row: Option<usize>,
        /// The name.
        name: String,
        /// What the name means elsewhere, or names like it.
        reason: UnknownLabel,
    },
    /// The charset has no encoder: it is replacement or UTF-7.
    NoEncoder {
        /// The row; `None` for a charset of all rows.
        row: Option<usize>,
        /// The charset.
        charset: Charset,
    },
    /// A row has a malformed sequence, and the mode is [`DecodeErrors::Strict`](crate::DecodeErrors::Strict).
    Malformed(Box<MalformedRow>),
    /// A row has an unmappable character, and the mode is [`EncodeErrors::Strict`](crate::EncodeErrors::Strict).
    Unmappable(Box<UnmappableRow>),
    /// The offsets of the result's type do not reach its end.
    TooLong {
        /// The first row that ends after the greatest offset.
        row: usize,
        /// The greatest offset, in bytes.
        most: usize,
    },
}

/// A malformed sequence in a row.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct MalformedRow {
    /// The row, counted from the start of the column.
    pub row: usize,
    /// The charset of the row.
    pub charset: Charset,
    /// The offset of the sequence in the row, and its bytes. A byte order mark counts.
    pub malformed: Malformed,
    /// All bytes of the row.
    pub cell: Vec<u8>,
}

/// An unmappable character in a row.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct UnmappableRow {
    /// The row, counted from the start of the column.
    pub row: usize,
    /// The charset of the row.
    pub charset: Charset,
    /// The offset of the character in the row, in bytes of UTF-8, and the character.
    pub unmappable: Unmappable,
    /// All text of the row.
    pub cell: String,
}

impl Error {
    /// The same error in a column with `rows` more rows at its start.
    #[must_use]
    pub fn after(self, rows: usize) -> Self {
        self.with_row(|row| row + rows)
    }

    /// The error of a label for all rows, as the error of the label of a row.
    pub(crate) fn in_row(mut self, number: usize) -> Self {
        if let Error::Label { row, .. } | Error::Charset { row, .. } = &mut self {
            *row = Some(number);
        }
        self
    }

    /// The same error in another row, which `change` finds by the number of this one.
    pub(crate) fn with_row(mut self, change: impl Fn(usize) -> usize) -> Self {
        match &mut self {
            Error::Label { row: Some(row), .. }
            | Error::Charset { row: Some(row), .. }
            | Error::NoEncoder { row: Some(row), .. }
            | Error::TooLong { row, .. } => *row = change(*row),
            Error::Malformed(malformed) => malformed.row = change(malformed.row),
            Error::Unmappable(unmappable) => unmappable.row = change(unmappable.row),
            Error::Type { .. }
            | Error::Length { .. }
            | Error::Label { .. }
            | Error::Charset { .. }
            | Error::NoEncoder { .. } => {}
        }
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Type { column, expected, found } => {
                write!(f, "{column} has the type {found}; {expected} is needed")
            }
            Error::Length { column, labels } => {
                write!(f, "the column has {column} rows and the column of labels has {labels}")
            }
            Error::Label { row: None, label } => write!(f, "unknown encoding label: {label:?}"),
            Error::Label { row: Some(row), label } => write!(f, "row {row}: unknown encoding label: {label:?}"),
            Error::Charset { row: None, name, reason } => write!(f, "{name:?}: {reason}"),
            Error::Charset { row: Some(row), name, reason } => write!(f, "row {row}: {name:?}: {reason}"),
            Error::NoEncoder { row: None, charset } => write!(f, "the encoding {charset} has no encoder"),
            Error::NoEncoder { row: Some(row), charset } => {
                write!(f, "row {row}: the encoding {charset} has no encoder")
            }
            Error::Malformed(error) => write!(f, "row {}: {}: {}", error.row, error.charset, error.malformed),
            Error::Unmappable(error) => write!(f, "row {}: {}: {}", error.row, error.charset, error.unmappable),
            Error::TooLong { row, most } => write!(
                f,
                "row {row}: the result is longer than {most} bytes, which its type allows; \
                 convert fewer rows at once, or a column with 64-bit offsets"
            ),
        }
    }
}

impl std::error::Error for Error {}
