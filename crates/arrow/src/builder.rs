//! The rows of a result, in Arrow's own builders.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef,
    builder::{ArrayBuilder, GenericByteBuilder, GenericByteViewBuilder},
    types::{
        BinaryType, BinaryViewType, ByteArrayType, ByteViewType, LargeBinaryType, LargeUtf8Type, StringViewType,
        Utf8Type,
    },
};

use crate::{Error, Kind};

/// The content of a row, text or bytes, and the types of the arrays that have such rows.
pub(crate) trait Content: AsRef<[u8]> + AsRef<Self> {
    type Small: ByteArrayType<Native = Self>;
    type Large: ByteArrayType<Native = Self>;
    type View: ByteViewType<Native = Self>;
}

impl Content for str {
    type Small = Utf8Type;
    type Large = LargeUtf8Type;
    type View = StringViewType;
}

impl Content for [u8] {
    type Small = BinaryType;
    type Large = LargeBinaryType;
    type View = BinaryViewType;
}

/// Rows, one after the other.
pub(crate) struct Builder<C: Content + ?Sized> {
    rows: Rows<C>,
    /// The greatest offset that the array can have; with views, the greatest length of a row.
    most: usize,
}

enum Rows<C: Content + ?Sized> {
    Small(GenericByteBuilder<C::Small>),
    Large(GenericByteBuilder<C::Large>),
    View(GenericByteViewBuilder<C::View>),
}

/// The greatest capacity in bytes that a builder begins with. A longer result lets it grow.
const MOST_AT_START: usize = 1 << 30;

/// The least and the greatest size in bytes of the buffers of an array of views.
const VIEW_BUFFERS: (usize, usize) = (1 << 10, 1 << 21);

impl<C: Content + ?Sized> Builder<C> {
    /// A builder for `rows` rows with about `bytes` bytes.
    pub(crate) fn new(kind: Kind, rows: usize, bytes: usize) -> Self {
        let capacity = bytes.min(MOST_AT_START);
        let (least, greatest) = VIEW_BUFFERS;
        // Text can be longer than its bytes.
        let block = bytes.saturating_mul(2).clamp(least, greatest) as u32;
        let rows = match kind {
            Kind::Small => Rows::Small(GenericByteBuilder::with_capacity(rows, capacity)),
            Kind::Large => Rows::Large(GenericByteBuilder::with_capacity(rows, capacity)),
            Kind::View => Rows::View(GenericByteViewBuilder::with_capacity(rows).with_fixed_block_size(block)),
        };
        let most = if kind == Kind::Large { i64::MAX as usize } else { i32::MAX as usize };
        Builder { rows, most }
    }

    #[cfg(test)]
    pub(crate) fn with_most(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// Appends a row.
    pub(crate) fn append(&mut self, row: &C) -> Result<(), Error> {
        let length = AsRef::<[u8]>::as_ref(row).len();
        match &mut self.rows {
            Rows::Small(rows) => {
                fits(rows.values_slice().len(), length, self.most, rows.len())?;
                rows.append_value(row);
            }
            Rows::Large(rows) => {
                fits(rows.values_slice().len(), length, self.most, rows.len())?;
                rows.append_value(row);
            }
            Rows::View(rows) => {
                fits(0, length, self.most, rows.len())?;
                rows.append_value(row);
            }
        }
        Ok(())
    }

    /// Appends a null row.
    pub(crate) fn null(&mut self) {
        match &mut self.rows {
            Rows::Small(rows) => rows.append_null(),
            Rows::Large(rows) => rows.append_null(),
            Rows::View(rows) => rows.append_null(),
        }
    }

    /// The array of all rows.
    pub(crate) fn finish(self) -> ArrayRef {
        fn shared(array: impl Array + 'static) -> ArrayRef {
            Arc::new(array)
        }
        match self.rows {
            Rows::Small(mut rows) => shared(rows.finish()),
            Rows::Large(mut rows) => shared(rows.finish()),
            Rows::View(mut rows) => shared(rows.finish()),
        }
    }
}

/// Whether a row that begins at `start` ends at an offset that the array can have. Arrow's builders would panic.
fn fits(start: usize, length: usize, most: usize, row: usize) -> Result<(), Error> {
    if length > most - start { Err(Error::TooLong { row, most }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_the_offsets_do_not_reach_is_an_error() {
        let mut builder = Builder::<str>::new(Kind::Small, 2, 0).with_most(5);
        assert_eq!(builder.append("five."), Ok(()));
        assert_eq!(builder.append("6"), Err(Error::TooLong { row: 1, most: 5 }));
        assert_eq!(builder.append(""), Ok(()));
        assert_eq!(builder.finish().len(), 2);
    }

    #[test]
    fn offsets_of_64_bits_reach_all_bytes_and_others_those_of_32_bits() {
        for (kind, most) in [(Kind::Small, 0x7FFF_FFFF), (Kind::View, 0x7FFF_FFFF), (Kind::Large, i64::MAX as usize)] {
            assert_eq!(Builder::<str>::new(kind, 0, 0).most, most);
            assert_eq!(Builder::<[u8]>::new(kind, 9, 9).most, most);
        }
    }

    #[test]
    fn a_row_that_a_view_does_not_reach_is_an_error() {
        let mut builder = Builder::<[u8]>::new(Kind::View, 2, 0).with_most(5);
        assert_eq!(builder.append(b"five."), Ok(()));
        assert_eq!(builder.append(b"6"), Ok(()));
        assert_eq!(builder.append(b"sixsix"), Err(Error::TooLong { row: 2, most: 5 }));
    }
}
