//! The rows of a result, in one buffer.

use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryViewArray, GenericBinaryArray, OffsetSizeTrait, builder::make_view};
use arrow_buffer::{Buffer, NullBuffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};

use crate::{Error, Kind, strings};

/// A buffer for the rows: text or bytes.
pub(crate) trait Values: Default {
    fn len(&self) -> usize;
    fn reserve(&mut self, bytes: usize);
    fn truncate(&mut self, length: usize);
    fn with_offsets<O: OffsetSizeTrait>(self, offsets: OffsetBuffer<O>, nulls: Option<NullBuffer>) -> ArrayRef;
    fn with_views(pieces: Vec<(Self, Vec<usize>)>, nulls: Option<NullBuffer>) -> ArrayRef;
}

impl Values for String {
    fn len(&self) -> usize {
        self.len()
    }

    fn reserve(&mut self, bytes: usize) {
        self.reserve(bytes);
    }

    fn truncate(&mut self, length: usize) {
        self.truncate(length);
    }

    fn with_offsets<O: OffsetSizeTrait>(self, offsets: OffsetBuffer<O>, nulls: Option<NullBuffer>) -> ArrayRef {
        Arc::new(strings::with_offsets(offsets, self, nulls))
    }

    fn with_views(pieces: Vec<(Self, Vec<usize>)>, nulls: Option<NullBuffer>) -> ArrayRef {
        Arc::new(strings::with_views(pieces, nulls))
    }
}

impl Values for Vec<u8> {
    fn len(&self) -> usize {
        self.len()
    }

    fn reserve(&mut self, bytes: usize) {
        self.reserve(bytes);
    }

    fn truncate(&mut self, length: usize) {
        self.truncate(length);
    }

    fn with_offsets<O: OffsetSizeTrait>(self, offsets: OffsetBuffer<O>, nulls: Option<NullBuffer>) -> ArrayRef {
        Arc::new(GenericBinaryArray::new(offsets, Buffer::from_vec(self), nulls))
    }

    fn with_views(pieces: Vec<(Self, Vec<usize>)>, nulls: Option<NullBuffer>) -> ArrayRef {
        let mut views = Vec::new();
        let mut buffers = Vec::with_capacity(pieces.len());
        for (bytes, ends) in pieces {
            let mut start = 0;
            for end in ends {
                views.push(make_view(&bytes[start..end], buffers.len() as u32, start as u32));
                start = end;
            }
            buffers.push(Buffer::from_vec(bytes));
        }
        Arc::new(BinaryViewArray::new(ScalarBuffer::from(views), buffers, nulls))
    }
}

/// The length in bytes from which the rows of an array of views go into another buffer, so that offsets of 31 bits suffice.
const NEXT_BUFFER_FROM: usize = 1 << 30;

/// Rows, one after the other. The caller appends a row to `values`, and then calls [`end`](Self::end) or [`null`](Self::null).
pub(crate) struct Builder<V> {
    kind: Kind,
    pub(crate) values: V,
    /// The ends of the rows in `values`.
    ends: Vec<usize>,
    /// Buffers that are complete, with the ends of their rows.
    pieces: Vec<(V, Vec<usize>)>,
    nulls: NullBufferBuilder,
    /// The greatest offset that the array can have.
    most: usize,
    row: usize,
}

impl<V: Values> Builder<V> {
    /// A builder for `rows` rows with about `bytes` bytes.
    pub(crate) fn new(kind: Kind, rows: usize, bytes: usize) -> Self {
        let mut values = V::default();
        values.reserve(bytes.min(NEXT_BUFFER_FROM));
        let most = if kind == Kind::Large { i64::MAX as usize } else { i32::MAX as usize };
        let ends = Vec::with_capacity(rows);
        Builder { kind, values, ends, pieces: Vec::new(), nulls: NullBufferBuilder::new(rows), most, row: 0 }
    }

    #[cfg(test)]
    pub(crate) fn with_most(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// The start of the row in `values`.
    pub(crate) fn start(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Ends a row.
    pub(crate) fn end(&mut self) -> Result<(), Error> {
        if self.values.len() > self.most {
            return Err(Error::TooLong { row: self.row, most: self.most });
        }
        self.nulls.append_non_null();
        self.ended();
        Ok(())
    }

    /// Ends a row that is null. All that was appended to `values` for this row is removed.
    pub(crate) fn null(&mut self) {
        self.values.truncate(self.start());
        self.nulls.append_null();
        self.ended();
    }

    fn ended(&mut self) {
        self.ends.push(self.values.len());
        self.row += 1;
        if self.kind == Kind::View && self.values.len() >= NEXT_BUFFER_FROM {
            self.pieces.push((std::mem::take(&mut self.values), std::mem::take(&mut self.ends)));
        }
    }

    /// The array of all rows.
    ///
    /// Spare capacity stays, at most half of the buffer. If it is given back, glibc's allocator maps fresh memory for the next column, and
    /// its page faults take up to ten times as long as decoding (windows-1252, 512 rows of 2 KB: 952 ns for a row instead of 160).
    pub(crate) fn finish(mut self) -> ArrayRef {
        let nulls = self.nulls.finish();
        match self.kind {
            Kind::Small => self.values.with_offsets(offsets(&self.ends, |end| end as i32), nulls),
            Kind::Large => self.values.with_offsets(offsets(&self.ends, |end| end as i64), nulls),
            Kind::View => {
                self.pieces.push((self.values, self.ends));
                V::with_views(self.pieces, nulls)
            }
        }
    }
}

/// The offsets of an array. `end` has compared each end with the greatest offset, so `convert` loses nothing.
fn offsets<O: OffsetSizeTrait>(ends: &[usize], convert: fn(usize) -> O) -> OffsetBuffer<O> {
    let offsets: Vec<O> = [0].iter().chain(ends).map(|&end| convert(end)).collect();
    OffsetBuffer::new(offsets.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_the_offsets_do_not_reach_is_an_error() {
        let mut builder = Builder::<String>::new(Kind::Small, 2, 0).with_most(5);
        builder.values.push_str("five.");
        assert_eq!(builder.end(), Ok(()));
        builder.values.push('6');
        assert_eq!(builder.end(), Err(Error::TooLong { row: 1, most: 5 }));
    }
}
