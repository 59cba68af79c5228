//! Records of a fixed length, as files of mainframes have them: without line ends, and filled up with spaces.

use core::num::NonZeroUsize;

/// The place in a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Records {
    length: NonZeroUsize,
    /// The number of bytes of the record that have come.
    filled: usize,
}

impl Records {
    /// The start of the first record.
    pub(super) fn new(length: NonZeroUsize) -> Self {
        Records { length, filled: 0 }
    }

    /// The number of bytes of a record.
    pub(super) fn length(self) -> usize {
        self.length.get()
    }

    /// The number of bytes of the record that have come.
    pub(super) fn filled(self) -> usize {
        self.filled
    }

    /// Whether a line was too long for the record.
    pub(super) fn is_overfull(self) -> bool {
        self.filled > self.length()
    }

    /// The number of bytes that are missing in the record.
    pub(super) fn missing(self) -> usize {
        self.length().saturating_sub(self.filled)
    }

    /// Adds bytes to the record.
    pub(super) fn add(&mut self, bytes: usize) {
        self.filled += bytes;
    }

    /// Notes that the line is too long for the record.
    pub(super) fn overfill(&mut self) {
        self.filled = self.length() + 1;
    }

    /// Ends the record.
    pub(super) fn end(&mut self) {
        self.filled = 0;
    }
}
