//! The hash of a label. `cargo xtask labels` compiles this file, too, and generates the table for the hash, so the hash
//! and the table cannot differ.
//!
//! A label has at most 24 bytes. These become three words, which are lower-cased, hashed and compared without a loop.

/// The length in bytes of the longest label that [`words`] accepts.
const LONGEST: usize = 24;

/// The number of displacements.
pub(crate) const BUCKETS: usize = 128;
/// The number of places for labels.
pub(crate) const PLACES: usize = 256;

/// All bytes of `label` in three words. Some bytes are in two words, so that each word can be loaded at once. `None` if
/// the label is empty or too long. Two labels of the same length are equal if their words are equal.
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

/// A bucket, and a place. Together with the bucket's displacement, they give the label's place in the table.
pub(crate) struct Hash {
    /// Less than [`BUCKETS`].
    pub(crate) bucket: usize,
    place: u8,
}

impl Hash {
    /// The hash of a label that has these words. The multipliers follow from `seed`, which is odd.
    #[inline]
    pub(crate) const fn new(words: [u64; 3], seed: u64) -> Self {
        let [first, middle, last] = words;
        // The processor computes the three products at the same time. In a chain, each would wait for the one before.
        let sum = first
            .wrapping_mul(seed)
            .wrapping_add(middle.wrapping_mul(seed.rotate_left(21) | 1))
            .wrapping_add(last.wrapping_mul(seed.rotate_left(42) | 1));
        // Only the highest bits of the sum depend on all bits of the words.
        Hash { bucket: (sum >> 57) as usize, place: (sum >> 49) as u8 }
    }

    /// The place in the table, less than [`PLACES`].
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
