//! An index as a value that can be looked up in both directions and iterated, whatever the shape of its tables.

use core::fmt;

use super::{ByteTable, Characters, index_code_point};

/// An [index](https://encoding.spec.whatwg.org/#index) of the Standard: a list of pointers, each with a code point.
///
/// An `Index` is small and `Copy`. It refers to the tables that decoders and encoders use, and iterates its entries by
/// ascending pointer.
#[derive(Clone, Copy)]
pub struct Index {
    name: &'static str,
    /// One more than the last pointer, or any larger number.
    end: usize,
    source: Source,
}

/// The tables with the entries of an index.
#[derive(Clone, Copy)]
enum Source {
    SingleByte { code_points: &'static Characters, bytes: &'static ByteTable },
    Functions { code_point: fn(usize) -> Option<char>, pointer: fn(char) -> Option<usize> },
}

impl Index {
    /// The index called `name` of a single-byte encoding.
    #[must_use]
    pub const fn single_byte(name: &'static str, code_points: &'static Characters, bytes: &'static ByteTable) -> Self {
        Index { name, end: 128, source: Source::SingleByte { code_points, bytes } }
    }

    /// The index called `name`, whose pointers are less than `end`. `code_point` is *index code point* and `pointer` is
    /// *index pointer* for it.
    #[must_use]
    pub const fn new(
        name: &'static str,
        end: usize,
        code_point: fn(usize) -> Option<char>,
        pointer: fn(char) -> Option<usize>,
    ) -> Self {
        Index { name, end, source: Source::Functions { code_point, pointer } }
    }

    /// The name as in the Standard's file `index-NAME.txt`, for example `"jis0208"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// [Index code point](https://encoding.spec.whatwg.org/#index-code-point): the code point for `pointer`; `None` if
    /// the index does not contain the pointer.
    #[must_use]
    pub fn code_point(self, pointer: usize) -> Option<char> {
        match self.source {
            Source::SingleByte { code_points, .. } => index_code_point(pointer, code_points.as_slice()),
            Source::Functions { code_point, .. } => code_point(pointer),
        }
    }

    /// [Index pointer](https://encoding.spec.whatwg.org/#index-pointer): the first pointer for `code_point`; `None` if
    /// the index does not contain the code point.
    #[must_use]
    pub fn pointer(self, code_point: char) -> Option<usize> {
        match self.source {
            Source::SingleByte { bytes, .. } => bytes.byte(code_point).map(|byte| usize::from(byte) - 0x80),
            Source::Functions { pointer, .. } => pointer(code_point),
        }
    }

    /// The pointers and their code points, by ascending pointer.
    #[must_use]
    pub const fn iter(self) -> Entries {
        Entries { index: self, next: 0 }
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Index({})", self.name)
    }
}

impl IntoIterator for Index {
    type Item = (usize, char);
    type IntoIter = Entries;

    fn into_iter(self) -> Entries {
        self.iter()
    }
}

/// The entries of an [`Index`]: each pointer with its code point, by ascending pointer.
#[derive(Clone, Debug)]
pub struct Entries {
    index: Index,
    /// The next pointer to look up.
    next: usize,
}

impl Iterator for Entries {
    type Item = (usize, char);

    fn next(&mut self) -> Option<(usize, char)> {
        while self.next < self.index.end {
            let pointer = self.next;
            self.next += 1;
            if let Some(code_point) = self.index.code_point(pointer) {
                return Some((pointer, code_point));
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.index.end - self.next))
    }
}

impl core::iter::FusedIterator for Entries {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_hint_bounds_the_number_of_entries_that_are_left() {
        const CODE_POINTS: [fn(usize) -> Option<char>; 4] = [
            |_| None,
            |_| Some('a'),
            |pointer| (pointer % 2 == 1).then_some('a'),
            |pointer| (pointer == 0).then_some('a'),
        ];
        for (code_point, end) in
            CODE_POINTS.into_iter().flat_map(|code_point| [0, 1, 2, 5].map(|end| (code_point, end)))
        {
            let mut entries = Index::new("test", end, code_point, |_| None).iter();
            assert_eq!(entries.size_hint().1, Some(end), "there are at most as many entries as pointers");
            loop {
                let ((least, most), left) = (entries.size_hint(), entries.clone().count());
                assert!(least <= left && most.is_some_and(|most| left <= most), "{left} of {end}: {least}, {most:?}");
                if entries.next().is_none() {
                    break;
                }
            }
            assert_eq!(entries.size_hint(), (0, Some(0)));
        }
    }
}
