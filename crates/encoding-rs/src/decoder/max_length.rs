//! The greatest lengths of a decoder's output: the same numbers as those of encoding_rs, because callers allocate by
//! them.

use super::{Decoder, bom};
use crate::{decoder::bom::Stage, shape::Shape};

/// A greatest length for an encoding's decoder between sequences, for a number of bytes.
type MaxLength = fn(Shape, usize) -> Option<usize>;

impl Decoder {
    pub(super) fn max_length(&self, byte_length: usize, max_length: MaxLength) -> Option<usize> {
        let own = self.encoding.shape;
        let [_, bom] = match (self.stage, self.held.as_slice()) {
            (Stage::Finished, _) => panic!("{}", bom::FINISHED),
            (Stage::Text, []) => return max_length(own, byte_length.checked_add(self.begun())?),
            (Stage::Remove, []) => return max_length(own, byte_length),
            (Stage::Sniff, []) => {
                let longest = max_length(own, byte_length)?.max(max_length(Shape::Utf8, byte_length)?);
                return Some(longest.max(max_length(Shape::Utf16Le, byte_length)?));
            }
            (Stage::Text, _) => [own, own],
            (_, [0xEF, ..]) => [own, Shape::Utf8],
            (_, _) => [own, Shape::Utf16Le],
        };
        // The byte order mark of UTF-8 has two bytes after which the next byte decides.
        let byte_length = byte_length.checked_add(2)?;
        Some(max_length(own, byte_length)?.max(max_length(bom, byte_length)?))
    }

    /// The number of bytes that add to the next ones, because they have begun a sequence or are to be read again.
    fn begun(&self) -> usize {
        let pending = self.encoding.for_decoding().decoder_pending(self.state).len();
        let restored = self.restored.len();
        match self.encoding.shape {
            Shape::SingleByte | Shape::UserDefined | Shape::Replacement => 0,
            Shape::EucJp | Shape::EucKr | Shape::ShiftJis | Shape::Big5 => pending.min(1),
            Shape::Gbk | Shape::Gb18030 | Shape::Utf8 | Shape::Utf16Be | Shape::Utf16Le => pending + restored,
            Shape::Iso2022Jp => self.begun_in_iso_2022_jp(),
        }
    }
}

pub(super) fn utf8(shape: Shape, bytes: usize) -> Option<usize> {
    match shape {
        Shape::SingleByte | Shape::UserDefined | Shape::EucJp | Shape::EucKr | Shape::ShiftJis | Shape::Iso2022Jp => {
            bytes.checked_mul(3)
        }
        Shape::Big5 | Shape::Utf8 => bytes.checked_add(1)?.checked_mul(3),
        Shape::Gbk | Shape::Gb18030 | Shape::Utf16Be | Shape::Utf16Le | Shape::Replacement => {
            utf8_without_replacement(shape, bytes)
        }
    }
}

pub(super) fn utf8_without_replacement(shape: Shape, bytes: usize) -> Option<usize> {
    match shape {
        Shape::SingleByte | Shape::UserDefined | Shape::ShiftJis | Shape::Iso2022Jp => bytes.checked_mul(3),
        Shape::EucJp | Shape::EucKr => bytes.checked_add(2)?.checked_add(bytes.div_ceil(2)),
        Shape::Big5 => bytes.checked_add(1)?.checked_mul(2),
        Shape::Gbk | Shape::Gb18030 => bytes.checked_mul(3)?.checked_add(1),
        Shape::Utf8 => bytes.checked_add(3),
        Shape::Utf16Be | Shape::Utf16Le => bytes.checked_add(1)?.div_euclid(2).checked_mul(3)?.checked_add(1),
        Shape::Replacement => Some(3),
    }
}

pub(super) fn utf16(shape: Shape, bytes: usize) -> Option<usize> {
    match shape {
        Shape::SingleByte | Shape::UserDefined | Shape::EucJp | Shape::EucKr | Shape::ShiftJis | Shape::Iso2022Jp => {
            Some(bytes)
        }
        Shape::Big5 | Shape::Gbk | Shape::Gb18030 | Shape::Utf8 => bytes.checked_add(1),
        Shape::Utf16Be | Shape::Utf16Le => Some(bytes.checked_add(1)? / 2 + 1),
        Shape::Replacement => Some(1),
    }
}
