//! [Indexes](https://encoding.spec.whatwg.org/#indexes), read from the index files.

use std::{collections::HashMap, rc::Rc};

use crate::indexes::pairs;

/// The table of [ranges](https://encoding.spec.whatwg.org/#index-gb18030-ranges).
pub(super) const RANGES: &str = "gb18030-ranges";

/// The pairs of each index that has been asked for, by its name.
#[derive(Default)]
pub(super) struct Indexes(HashMap<String, Rc<Vec<(u32, char)>>>);

impl Indexes {
    /// The pairs of pointers and code points of the index `name`, in ascending order of pointers.
    pub(super) fn pairs(&mut self, name: &str) -> Rc<Vec<(u32, char)>> {
        let read = || Rc::new(pairs(&name.to_ascii_lowercase()));
        self.0.entry(name.to_owned()).or_insert_with(read).clone()
    }
}

/// [Index code point](https://encoding.spec.whatwg.org/#index-code-point).
pub(super) fn code_point(pairs: &[(u32, char)], pointer: u32) -> Option<char> {
    pairs.binary_search_by_key(&pointer, |pair| pair.0).ok().map(|at| pairs[at].1)
}

/// [Index gb18030 ranges code point](https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point).
pub(super) fn code_point_of_ranges(pairs: &[(u32, char)], pointer: u32) -> Option<char> {
    match pointer {
        7457 => Some('\u{E7C7}'),
        0..=39_419 | 189_000..=1_237_575 => {
            let (start, first) = pairs[pairs.partition_point(|pair| pair.0 <= pointer) - 1];
            char::from_u32(u32::from(first) + pointer - start)
        }
        _ => None,
    }
}

/// [Index gb18030 ranges pointer](https://encoding.spec.whatwg.org/#index-gb18030-ranges-pointer).
pub(super) fn pointer_of_ranges(pairs: &[(u32, char)], code_point: char) -> u32 {
    if code_point == '\u{E7C7}' {
        return 7457;
    }
    // The code points of the ranges ascend with the pointers.
    let (start, first) = pairs[pairs.partition_point(|pair| pair.1 <= code_point) - 1];
    start + u32::from(code_point) - u32::from(first)
}

/// The pointers of the code points of an index, as far as they are in `pointers`: the first pointer of each code point,
/// or the last one.
pub(super) fn by_code_point(
    pairs: &[(u32, char)],
    is_in: impl Fn(u32, char) -> bool,
    is_last_first: bool,
) -> Vec<(char, u32)> {
    let mut found: Vec<(char, u32)> =
        pairs.iter().filter(|pair| is_in(pair.0, pair.1)).map(|&(pointer, code_point)| (code_point, pointer)).collect();
    found.sort_by_key(|&(code_point, pointer)| (code_point, if is_last_first { u32::MAX - pointer } else { pointer }));
    found.dedup_by_key(|pair| pair.0);
    found
}
