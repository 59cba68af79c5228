//! The hash of a label. `cargo xtask labels` compiles this file, too, and makes the table that the hash leads into: so the two
//! cannot differ.
//!
//! A lookup is short: at most 24 bytes are three words, which are lower-cased, hashed and compared without a loop.

/// The longest label that has [`words`], in bytes.
const LONGEST: usize = 24;

/// How many displacements there are.
pub(crate) const BUCKETS: usize = 128;
/// How many places there are for labels.
pub(crate) const PLACES: usize = 256;

/// All bytes of `label` in three words: some twice, so that no bytes need to be copied to fill a word up. `None` if there are
/// too many or none. Labels of the same length are equal if their words are.
#[inline]
pub(crate) fn words(label: &[u8]) -> Option<[u64; 3]> {
    if label.len() > LONGEST {
        return None;
    }
    if let (Some(first), Some(last)) = (label.first_chunk(), label.last_chunk()) {
        let middle = label[8.min(label.len() - 8)..].first_chunk()?;
        return Some([first, middle, last].map(|chunk| u64::from_le_bytes(*chunk)));
    }
    if let (Some(first), Some(last)) = (label.first_chunk(), label.last_chunk()) {
        return Some([first, last, &[0; 4]].map(|chunk| u32::from_le_bytes(*chunk).into()));
    }
    match *label {
        [only] => Some([only, only, only].map(u64::from)),
        [first, .., last] => Some([first, label[1], last].map(u64::from)),
        [] => None,
    }
}

/// What leads to a label's place: a bucket, and a place that the bucket's displacement is still to be applied to.
pub(crate) struct Hash {
    /// Below [`BUCKETS`].
    pub(crate) bucket: usize,
    place: u8,
}

impl Hash {
    /// The hash of a label that has these words. The multipliers follow from `seed`, which is odd.
    #[inline]
    pub(crate) const fn new(words: [u64; 3], seed: u64) -> Self {
        let [first, middle, last] = words;
        // A sum of products has all three on their way at once, where a chain would wait for each.
        let sum = first
            .wrapping_mul(seed)
            .wrapping_add(middle.wrapping_mul(seed.rotate_left(21) | 1))
            .wrapping_add(last.wrapping_mul(seed.rotate_left(42) | 1));
        // All bits of the words reach the highest bits only.
        Hash { bucket: (sum >> 57) as usize, place: (sum >> 49) as u8 }
    }

    /// The place, below [`PLACES`].
    #[inline]
    pub(crate) const fn place(&self, displacement: u8) -> usize {
        (self.place ^ displacement) as usize
    }
}

const _: () = assert!(BUCKETS == 1 << (64 - 57) && PLACES == 1 << 8);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_a_label_is_in_its_words() {
        assert_eq!((words(b""), words(&[b'a'; LONGEST + 1])), (None, None));
        for length in 1..=LONGEST {
            let label = vec![b'a'; length];
            for at in 0..length {
                let mut other = label.clone();
                other[at] = b'b';
                assert_ne!(words(&other), words(&label), "byte {at} of {length}");
            }
        }
    }
}
