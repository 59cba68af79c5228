//! Buffers that a thread uses for one file after another. A new buffer for each file costs as much as the conversion of
//! a small file: the kernel clears its pages at their first use, and the allocator gives them back.

use std::{
    cell::RefCell,
    mem,
    ops::{Deref, DerefMut},
};

/// The length of each buffer in bytes: as much as a pipe of Linux holds.
pub(crate) const LENGTH: usize = 64 * 1024;

/// The number of free buffers of each kind that a thread keeps. One conversion uses no more than four.
const KEPT: usize = 4;

thread_local! {
    static FREE_BYTES: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
    static FREE_TEXTS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// [`LENGTH`] bytes, whose values at the start are not defined.
pub(crate) struct Bytes(Vec<u8>);

impl Bytes {
    pub(crate) fn new() -> Self {
        Bytes(FREE_BYTES.with_borrow_mut(Vec::pop).unwrap_or_else(|| vec![0; LENGTH]))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Bytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        let bytes = mem::take(&mut self.0);
        // At the end of a thread, there is nobody who could use the buffer again.
        let _ = FREE_BYTES.try_with(|free| keep(&mut free.borrow_mut(), bytes));
    }
}

/// An empty text with a capacity of [`LENGTH`] bytes at least.
pub(crate) struct Text(String);

impl Text {
    pub(crate) fn new() -> Self {
        Text(FREE_TEXTS.with_borrow_mut(Vec::pop).unwrap_or_else(|| String::with_capacity(LENGTH)))
    }
}

impl Deref for Text {
    type Target = String;

    fn deref(&self) -> &String {
        &self.0
    }
}

impl DerefMut for Text {
    fn deref_mut(&mut self) -> &mut String {
        &mut self.0
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        let mut text = mem::take(&mut self.0);
        text.clear();
        if text.capacity() >= LENGTH {
            let _ = FREE_TEXTS.try_with(|free| keep(&mut free.borrow_mut(), text));
        }
    }
}

fn keep<T>(free: &mut Vec<T>, buffer: T) {
    if free.len() < KEPT {
        free.push(buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_used_again() {
        let first = Bytes::new().as_ptr();
        assert_eq!(Bytes::new().as_ptr(), first);
        let mut text = Text::new();
        text.push('a');
        let first = text.as_ptr();
        drop(text);
        let text = Text::new();
        assert!(text.is_empty() && text.capacity() >= LENGTH && text.as_ptr() == first);
    }
}
