//! The rows of a column, of whichever type.

use arrow_array::{
    Array, ArrayAccessor, ArrayRef, GenericByteArray, GenericByteViewArray,
    cast::AsArray,
    types::{ByteArrayType, ByteViewType},
};
use arrow_buffer::{ArrowNativeType, NullBuffer};
use arrow_schema::DataType;

use crate::{Error, Labels};

/// The layout of a column: how it finds its rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// By offsets of 32 bits: `Binary` and `Utf8`.
    Small,
    /// By offsets of 64 bits: `LargeBinary` and `LargeUtf8`.
    Large,
    /// By views: `BinaryView` and `Utf8View`.
    View,
}

impl Kind {
    /// The type of text with this layout.
    #[must_use]
    pub const fn text(self) -> DataType {
        match self {
            Kind::Small => DataType::Utf8,
            Kind::Large => DataType::LargeUtf8,
            Kind::View => DataType::Utf8View,
        }
    }

    /// The type of bytes with this layout.
    #[must_use]
    pub const fn bytes(self) -> DataType {
        match self {
            Kind::Small => DataType::Binary,
            Kind::Large => DataType::LargeBinary,
            Kind::View => DataType::BinaryView,
        }
    }

    /// The layout of the result for a column of this type, which is one of bytes or of text, or a dictionary of them.
    /// `None` for other types.
    #[must_use]
    pub fn of(column: &DataType) -> Option<Self> {
        match column {
            DataType::Binary | DataType::FixedSizeBinary(_) | DataType::Utf8 => Some(Kind::Small),
            DataType::LargeBinary | DataType::LargeUtf8 => Some(Kind::Large),
            DataType::BinaryView | DataType::Utf8View => Some(Kind::View),
            DataType::Dictionary(key, values)
                if key.is_dictionary_key_type() && !matches!(**values, DataType::Dictionary(..)) =>
            {
                Kind::of(values)
            }
            _ => None,
        }
    }
}

/// Rows of bytes (`[u8]`) or of text (`str`).
pub(crate) trait Cells<T: ?Sized> {
    fn len(&self) -> usize;
    fn nulls(&self) -> Option<&NullBuffer>;
    /// The bytes or the text of a row that is not null.
    fn cell(&self, row: usize) -> &T;
    /// About the number of bytes of all rows.
    fn bytes(&self) -> usize;

    fn get(&self, row: usize) -> Option<&T> {
        if self.nulls().is_some_and(|nulls| nulls.is_null(row)) { None } else { Some(self.cell(row)) }
    }
}

/// The rows of an array that is no dictionary.
struct Plain<'a, A> {
    array: &'a A,
    bytes: usize,
}

impl<'a, T, A> Cells<T> for Plain<'a, A>
where
    T: ?Sized + 'a,
    A: Array,
    &'a A: ArrayAccessor<Item = &'a T>,
{
    fn len(&self) -> usize {
        self.array.len()
    }

    fn nulls(&self) -> Option<&NullBuffer> {
        self.array.nulls()
    }

    fn cell(&self, row: usize) -> &T {
        self.array.value(row)
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}

/// The rows of a dictionary.
struct Through<'a, T: ?Sized> {
    values: Box<dyn Cells<T> + 'a>,
    keys: Vec<usize>,
    nulls: Option<NullBuffer>,
}

impl<T: ?Sized> Cells<T> for Through<'_, T> {
    fn len(&self) -> usize {
        self.keys.len()
    }

    fn nulls(&self) -> Option<&NullBuffer> {
        self.nulls.as_ref()
    }

    fn cell(&self, row: usize) -> &T {
        self.values.cell(self.keys[row])
    }

    fn bytes(&self) -> usize {
        // Values can repeat. The buffer grows if they do.
        self.values.bytes()
    }
}

/// The layout of the result for a column, and the rows of the column.
type Found<'a, T> = (Kind, Box<dyn Cells<T> + 'a>);

/// The types of columns of bytes, as the messages of errors name them.
pub const TYPES_OF_BYTES: &str = "Binary, LargeBinary, BinaryView, FixedSizeBinary or a dictionary of them";

/// The types of columns of text, as the messages of errors name them.
pub const TYPES_OF_TEXT: &str = "Utf8, LargeUtf8, Utf8View or a dictionary of them";

/// The rows of a column of bytes, and the layout of the result.
pub(crate) fn bytes(column: &dyn Array) -> Result<Found<'_, [u8]>, Error> {
    let kind = kind_of_bytes(column.data_type())?;
    match bytes_of(column) {
        Some(cells) => Ok((kind, cells)),
        None => Err(wrong_type("the column", TYPES_OF_BYTES, column.data_type())),
    }
}

fn wrong_type(column: &'static str, expected: &'static str, found: &DataType) -> Error {
    Error::Type { column, expected, found: found.clone() }
}

/// The layout of the result for a column of bytes of this type.
pub(crate) fn kind_of_bytes(column: &DataType) -> Result<Kind, Error> {
    fn is_bytes(column: &DataType) -> bool {
        use DataType::{Binary, BinaryView, Dictionary, FixedSizeBinary, LargeBinary};
        match column {
            Dictionary(_, values) => is_bytes(values),
            _ => matches!(column, Binary | LargeBinary | BinaryView | FixedSizeBinary(_)),
        }
    }
    Kind::of(column).filter(|_| is_bytes(column)).ok_or_else(|| wrong_type("the column", TYPES_OF_BYTES, column))
}

/// The layout of the result for a column of text of this type. `name` is the name of the column in errors.
pub(crate) fn kind_of_text(column: &DataType, name: &'static str) -> Result<Kind, Error> {
    fn is_text(column: &DataType) -> bool {
        match column {
            DataType::Dictionary(_, values) => is_text(values),
            _ => matches!(column, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View),
        }
    }
    Kind::of(column).filter(|_| is_text(column)).ok_or_else(|| wrong_type(name, TYPES_OF_TEXT, column))
}

/// The rows of a column of text, and the layout of the result. `name` is the name of the column in errors.
pub(crate) fn text<'a>(column: &'a dyn Array, name: &'static str) -> Result<Found<'a, str>, Error> {
    let kind = kind_of_text(column.data_type(), name)?;
    match text_of(column) {
        Some(cells) => Ok((kind, cells)),
        None => Err(wrong_type(name, TYPES_OF_TEXT, column.data_type())),
    }
}

/// The type of the result for a column of this type, if the rows of the result have the type `result`.
pub(crate) fn result_type(column: &DataType, labels: &Labels, result: DataType) -> DataType {
    match column {
        DataType::Dictionary(key, _) if labels.len().is_none() => DataType::Dictionary(key.clone(), Box::new(result)),
        _ => result,
    }
}

fn bytes_of(column: &dyn Array) -> Option<Box<dyn Cells<[u8]> + '_>> {
    Some(match column.data_type() {
        DataType::Binary => with_offsets(column.as_binary::<i32>()),
        DataType::LargeBinary => with_offsets(column.as_binary::<i64>()),
        DataType::BinaryView => with_views(column.as_binary_view()),
        DataType::FixedSizeBinary(length) => {
            Box::new(Plain { array: column.as_fixed_size_binary(), bytes: *length as usize * column.len() })
        }
        DataType::Dictionary(..) => through(column, bytes_of)?,
        _ => return None,
    })
}

fn text_of(column: &dyn Array) -> Option<Box<dyn Cells<str> + '_>> {
    Some(match column.data_type() {
        DataType::Utf8 => with_offsets(column.as_string::<i32>()),
        DataType::LargeUtf8 => with_offsets(column.as_string::<i64>()),
        DataType::Utf8View => with_views(column.as_string_view()),
        DataType::Dictionary(..) => through(column, text_of)?,
        _ => return None,
    })
}

fn with_offsets<T: ByteArrayType>(array: &GenericByteArray<T>) -> Box<dyn Cells<T::Native> + '_> {
    let offsets = array.value_offsets();
    Box::new(Plain { array, bytes: offsets[array.len()].as_usize() - offsets[0].as_usize() })
}

fn with_views<T: ByteViewType>(array: &GenericByteViewArray<T>) -> Box<dyn Cells<T::Native> + '_> {
    // The length of a row is in the lowest 32 bits of its view.
    let bytes = array.views().iter().map(|view| *view as u32 as usize).sum();
    Box::new(Plain { array, bytes })
}

type Find<T> = for<'a> fn(&'a dyn Array) -> Option<Box<dyn Cells<T> + 'a>>;

fn through<T: ?Sized + 'static>(column: &dyn Array, find: Find<T>) -> Option<Box<dyn Cells<T> + '_>> {
    let values = find(column.as_any_dictionary_opt()?.values())?;
    Some(Box::new(Through { values, keys: keys(column), nulls: column.logical_nulls() }))
}

/// The number of the value of each row of a dictionary. The numbers of null rows are arbitrary.
pub(crate) fn keys(column: &dyn Array) -> Vec<usize> {
    match column.as_any_dictionary_opt() {
        Some(dictionary) if !dictionary.values().is_empty() => dictionary.normalized_keys(),
        // Without values all rows are null.
        _ => vec![0; column.len()],
    }
}

/// The dictionary with values that `convert` makes of its values, or `None` if the column is no dictionary.
///
/// `convert` gets the values and, for each of them, the first row that has it. A value that no row has must not cause
/// an error. An error has the number of a value, which becomes that of the row.
pub(crate) fn dictionary(
    column: &dyn Array,
    convert: impl FnOnce(&dyn Array, &[bool]) -> Result<ArrayRef, Error>,
) -> Option<Result<ArrayRef, Error>> {
    let dictionary = column.as_any_dictionary_opt()?;
    let nulls = dictionary.keys().nulls();
    let mut first_rows = vec![None; dictionary.values().len()];
    for (row, key) in keys(column).into_iter().enumerate().rev() {
        if nulls.is_none_or(|nulls| nulls.is_valid(row)) {
            first_rows[key] = Some(row);
        }
    }
    let used: Vec<_> = first_rows.iter().map(Option::is_some).collect();
    let values = convert(dictionary.values(), &used);
    Some(match values {
        Ok(values) => Ok(dictionary.with_values(values)),
        Err(error) => Err(error.with_row(|value| first_rows[value].unwrap_or_default())),
    })
}
