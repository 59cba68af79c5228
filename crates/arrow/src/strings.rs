//! Arrow's arrays of strings, made of Rust's strings without validating them again. All unsafe code of this crate is in this file.
//!
//! Arrow's safe constructors validate all UTF-8 once more. That takes as long as decoding for many encodings; DESIGN.md has the
//! measurement.
#![allow(unsafe_code)]

use arrow_array::{GenericStringArray, OffsetSizeTrait, StringViewArray, builder::make_view};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};

/// The array whose rows are slices of `text`, one between each two offsets.
///
/// # Panics
/// If an offset is not at the boundary of a character, if the last offset is not the length of the text, or if `nulls` has another length.
pub(crate) fn with_offsets<O: OffsetSizeTrait>(
    offsets: OffsetBuffer<O>,
    text: String,
    nulls: Option<NullBuffer>,
) -> GenericStringArray<O> {
    let rows = offsets.len() - 1;
    assert!(nulls.as_ref().is_none_or(|nulls| nulls.len() == rows), "one bit for each row");
    assert!(offsets.iter().all(|offset| text.is_char_boundary(offset.as_usize())), "an offset in a character");
    // SAFETY: `OffsetBuffer` has at least one offset, and its offsets ascend. By the second assertion each offset is at most the length of
    // the text and at a boundary, so each row is UTF-8. By the first assertion there is one bit for each row.
    unsafe { GenericStringArray::new_unchecked(offsets, Buffer::from_vec(text.into_bytes()), nulls) }
}

/// The array whose rows are slices of `texts`. Each text has the ends of its rows, and the first row begins at 0.
///
/// # Panics
/// If an end is not at the boundary of a character, if ends descend, if a text is longer than `i32::MAX` bytes, or if `nulls` has another
/// length.
pub(crate) fn with_views(texts: Vec<(String, Vec<usize>)>, nulls: Option<NullBuffer>) -> StringViewArray {
    let rows = texts.iter().map(|(_, ends)| ends.len()).sum();
    assert!(nulls.as_ref().is_none_or(|nulls| nulls.len() == rows), "one bit for each row");
    let mut views = Vec::with_capacity(rows);
    let mut buffers = Vec::with_capacity(texts.len());
    for (text, ends) in texts {
        assert!(i32::try_from(text.len()).is_ok(), "views have offsets and lengths of 31 bits");
        let mut start = 0;
        let mut is_used = false;
        for end in ends {
            let row = &text[start..end];
            views.push(make_view(row.as_bytes(), buffers.len() as u32, start as u32));
            is_used |= row.len() > MAX_INLINE;
            start = end;
        }
        // Short rows are in the views themselves.
        if is_used {
            buffers.push(Buffer::from_vec(text.into_bytes()));
        }
    }
    // SAFETY: `make_view` puts a row of at most 12 bytes into its view, followed by zeros, and gives the view of a longer row the first
    // four bytes and the place of the row. The place is in the buffer that the loop adds next, because `is_used` is then true; the
    // assertion in the loop ensures that offset and length fit. Rows are slices of a `String`, so they are UTF-8. By the first
    // assertion there is one bit for each row.
    unsafe { StringViewArray::new_unchecked(ScalarBuffer::from(views), buffers, nulls) }
}

/// The greatest length in bytes of a row that its view contains.
const MAX_INLINE: usize = 12;

#[cfg(test)]
mod tests {
    use arrow_array::Array;

    use super::*;

    #[test]
    #[should_panic(expected = "an offset in a character")]
    fn an_offset_in_a_character_is_refused() {
        with_offsets::<i32>(OffsetBuffer::new(vec![0, 1, 2].into()), "é".to_owned(), None);
    }

    #[test]
    #[should_panic(expected = "one bit for each row")]
    fn nulls_of_another_length_are_refused() {
        with_offsets::<i32>(OffsetBuffer::new(vec![0, 2].into()), "é".to_owned(), Some(NullBuffer::new_valid(3)));
    }

    #[test]
    #[should_panic(expected = "not a char boundary")]
    fn an_end_in_a_character_is_refused() {
        with_views(vec![("é".to_owned(), vec![1, 2])], None);
    }

    #[test]
    fn unchecked_arrays_pass_the_checks_of_arrow() {
        let texts = vec![
            ("é, and a text that is longer than a view".to_owned(), vec![2, 2, 41]),
            ("short".to_owned(), vec![5]),
            ("another text that is longer than a view".to_owned(), vec![39]),
        ];
        let array = with_views(texts, Some(NullBuffer::from(vec![true, false, true, true, true])));
        assert_eq!(array.data_buffers().len(), 2, "a buffer that no view needs is left out");
        array.to_data().validate_full().unwrap();
        let array = with_offsets::<i64>(OffsetBuffer::new(vec![0, 0, 2].into()), "é".to_owned(), None);
        array.to_data().validate_full().unwrap();
    }
}
