//! Counts pairs of bytes.

use alloc::{vec, vec::Vec};

/// The greatest number of different pairs. Scoring ends when a text has more of them: it has then shown what it is.
const MOST_PAIRS: usize = 4096;
/// The number of places of a new table. A text of a kilobyte has a few hundred pairs.
const FIRST_PLACES: usize = 512;

/// A pair of bytes of which at least one is not ASCII.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Pair {
    pub(crate) bytes: [u8; 2],
    /// How often the text has the pair.
    pub(crate) count: u32,
    /// The offset of the second byte in the stream where the pair is for the first time.
    pub(crate) first: u64,
}

/// Pairs by their bytes, in a hash table with open addressing.
#[derive(Clone, Debug)]
pub(crate) struct Pairs {
    /// The number of places is a power of two. A place without a pair has a count of zero.
    places: Vec<Pair>,
    len: usize,
}

impl Pairs {
    pub(crate) fn new() -> Self {
        Pairs { places: vec![Pair::default(); FIRST_PLACES], len: 0 }
    }

    /// Counts the pair whose second byte is at `offset`. Returns false, and counts nothing, if that would be one pair
    /// too many.
    #[inline]
    pub(crate) fn add(&mut self, bytes: [u8; 2], offset: u64) -> bool {
        let mut place = self.start(bytes);
        loop {
            let pair = &mut self.places[place];
            if pair.count > 0 && pair.bytes == bytes {
                pair.count = pair.count.saturating_add(1);
                return true;
            }
            if pair.count == 0 {
                break;
            }
            place = (place + 1) & (self.places.len() - 1);
        }
        self.insert(Pair { bytes, count: 1, first: offset }, place)
    }

    #[cold]
    fn insert(&mut self, pair: Pair, place: usize) -> bool {
        if self.len == MOST_PAIRS {
            return false;
        }
        self.len += 1;
        self.places[place] = pair;
        if self.len * 2 > self.places.len() {
            let larger = vec![Pair::default(); self.places.len() * 2];
            let old = core::mem::replace(&mut self.places, larger);
            for pair in old.into_iter().filter(|pair| pair.count > 0) {
                let mut place = self.start(pair.bytes);
                while self.places[place].count > 0 {
                    place = (place + 1) & (self.places.len() - 1);
                }
                self.places[place] = pair;
            }
        }
        true
    }

    /// The place where the search for a pair starts.
    #[inline(always)]
    fn start(&self, bytes: [u8; 2]) -> usize {
        let hash = u32::from(u16::from_be_bytes(bytes)).wrapping_mul(0x9E37_79B1);
        (hash >> 16) as usize & (self.places.len() - 1)
    }

    /// All pairs, in an order that depends only on the text. The most frequent ones are the first ones, at most
    /// `frequent` of them, in descending order.
    pub(crate) fn all(&self, frequent: usize) -> Vec<Pair> {
        let mut first: Vec<Pair> = Vec::with_capacity(frequent);
        let mut others = Vec::with_capacity(self.len);
        for &pair in self.places.iter().filter(|pair| pair.count > 0) {
            let place = first.iter().rposition(|other| other.count >= pair.count).map_or(0, |place| place + 1);
            if place < frequent {
                if first.len() == frequent {
                    others.extend(first.pop());
                }
                first.insert(place, pair);
            } else {
                others.push(pair);
            }
        }
        first.append(&mut others);
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_up_to_the_greatest_number_of_different_ones() {
        let mut pairs = Pairs::new();
        let bytes = |number: usize| [(number / 256) as u8, number as u8];
        for number in 0..MOST_PAIRS {
            assert!(pairs.add(bytes(number), number as u64), "{number}");
        }
        assert!(!pairs.add(bytes(MOST_PAIRS), 0));
        for _ in 0..3 {
            assert!(pairs.add(bytes(7), 9999));
        }
        assert!(pairs.add(bytes(5), 9999));
        let all = pairs.all(0);
        assert_eq!(all.len(), MOST_PAIRS);
        for pair in &all {
            let number = usize::from(u16::from_be_bytes(pair.bytes));
            let count = match number {
                7 => 4,
                5 => 2,
                _ => 1,
            };
            assert_eq!((pair.count, pair.first), (count, number as u64));
        }
        let frequent: Vec<_> = pairs.all(2).iter().take(2).map(|pair| pair.bytes).collect();
        assert_eq!((frequent, pairs.all(2).len()), (vec![bytes(7), bytes(5)], MOST_PAIRS));
    }

    #[test]
    fn the_most_frequent_pairs_come_first_whatever_their_order() {
        let mut pairs = Pairs::new();
        for (number, count) in (0..).zip([1, 5, 2, 9, 3, 9, 4]) {
            (0..count).for_each(|_| assert!(pairs.add([number, 0xE9], u64::from(number))));
        }
        for (frequent, expected) in
            [(1, &[9][..]), (3, &[9, 9, 5]), (7, &[9, 9, 5, 4, 3, 2, 1]), (9, &[9, 9, 5, 4, 3, 2, 1])]
        {
            let all = pairs.all(frequent);
            let first: Vec<_> = all.iter().take(frequent).map(|pair| pair.count).collect();
            assert_eq!((&*first, all.len()), (expected, 7), "{frequent}");
            let mut numbers: Vec<_> = all.iter().map(|pair| pair.bytes[0]).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6], "{frequent}");
        }
    }
}
