//! Values that scripts know by a number.

use alloc::collections::BTreeMap;

/// Values and their numbers. No number is given twice.
#[derive(Debug)]
pub(crate) struct Handles<T> {
    next: u32,
    values: BTreeMap<u32, T>,
}

impl<T> Default for Handles<T> {
    fn default() -> Self {
        Handles { next: 0, values: BTreeMap::new() }
    }
}

impl<T> Handles<T> {
    /// Keeps a value, and returns its number, which is below 2^31.
    ///
    /// # Panics
    /// After 2^31 values. They would have taken a quarter of an hour at least.
    pub(crate) fn insert(&mut self, value: T) -> u32 {
        let number = self.next;
        self.next = number.checked_add(1).filter(|next| *next <= 1 << 31).expect("the numbers are used up");
        self.values.insert(number, value);
        number
    }

    pub(crate) fn get(&mut self, number: u32) -> Option<&mut T> {
        self.values.get_mut(&number)
    }

    pub(crate) fn remove(&mut self, number: u32) -> Option<T> {
        self.values.remove(&number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_not_given_twice() {
        let mut handles = Handles::default();
        let first = handles.insert('a');
        assert_eq!(handles.remove(first), Some('a'));
        let second = handles.insert('b');
        assert_ne!(first, second);
        assert_eq!(handles.get(first), None);
        assert_eq!(handles.get(second), Some(&mut 'b'));
    }
}
