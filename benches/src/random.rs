//! Pseudo-random numbers that are the same on every machine.

/// The generator [SplitMix64](https://prng.di.unimi.it/splitmix64.c).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator that starts from `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// A number; all are equally frequent.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number less than `end`, which must not be 0; all are equally frequent.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.number()) * end as u128) >> 64) as usize
    }

    /// A number less than `end`, which must not be 0; small numbers are more frequent, and half of all are in the first
    /// eighth.
    pub fn skewed(&mut self, end: usize) -> usize {
        let fraction = self.number() as f64 / (u64::MAX as f64 + 1.0);
        ((fraction.powi(3) * end as f64) as usize).min(end - 1)
    }

    /// `true` in `percent` of 100 calls on average.
    pub fn happens(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Puts `items` into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.number(), 6_457_827_717_110_365_317);
        assert_eq!(random.number(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn numbers_are_less_than_the_end_and_half_of_the_skewed_ones_in_the_first_eighth() {
        let mut random = Random::new(1);
        assert!((0..1000).all(|_| random.below(3) < 3));
        let small = (0..1000).filter(|_| random.skewed(80) < 10).count();
        assert!((450..550).contains(&small), "{small}");
    }

    #[test]
    fn shuffling_keeps_every_item() {
        let mut items: Vec<_> = (0..100).collect();
        Random::new(1).shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert!(items.into_iter().eq(0..100));
    }
}
