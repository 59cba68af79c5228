//! Buffers of one length. With the feature `std`, a thread uses them for one file after another: a new buffer for each
//! file costs as much as the conversion of a small file, because the kernel clears its pages at their first use, and
//! the allocator gives them back.

use alloc::{string::String, vec, vec::Vec};
use core::{
    mem,
    ops::{Deref, DerefMut},
};

/// The length of each buffer in bytes: as much as a pipe of Linux holds.
pub const LENGTH: usize = 64 * 1024;

/// The number of free buffers of each kind that a thread keeps. One conversion uses no more than four.
#[cfg(feature = "std")]
const KEPT: usize = 4;

#[cfg(feature = "std")]
mod free {
    use std::{cell::RefCell, string::String, thread::LocalKey, vec::Vec};

    type Free<T> = RefCell<Vec<T>>;

    thread_local! {
        static BYTES: Free<Vec<u8>> = const { RefCell::new(Vec::new()) };
        static TEXTS: Free<String> = const { RefCell::new(Vec::new()) };
    }

    pub(super) fn take_bytes() -> Option<Vec<u8>> {
        BYTES.with_borrow_mut(Vec::pop)
    }

    pub(super) fn take_text() -> Option<String> {
        TEXTS.with_borrow_mut(Vec::pop)
    }

    pub(super) fn keep_bytes(bytes: Vec<u8>) {
        keep(&BYTES, bytes);
    }

    pub(super) fn keep_text(text: String) {
        keep(&TEXTS, text);
    }

    fn keep<T>(free: &'static LocalKey<Free<T>>, buffer: T) {
        // At the end of a thread, there is nobody who could use the buffer again.
        let _ = free.try_with(|free| {
            let mut free = free.borrow_mut();
            if free.len() < super::KEPT {
                free.push(buffer);
            }
        });
    }
}

/// Without threads that could keep them, buffers are new each time.
#[cfg(not(feature = "std"))]
mod free {
    use alloc::{string::String, vec::Vec};

    pub(super) fn take_bytes() -> Option<Vec<u8>> {
        None
    }

    pub(super) fn take_text() -> Option<String> {
        None
    }

    pub(super) fn keep_bytes(_: Vec<u8>) {}

    pub(super) fn keep_text(_: String) {}
}

/// [`LENGTH`] bytes, whose values at the start are not defined.
#[derive(Debug)]
pub struct Bytes(Vec<u8>);

impl Bytes {
    /// A buffer of this thread, or a new one.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "a buffer is no value")]
    pub fn new() -> Self {
        Bytes(free::take_bytes().unwrap_or_else(|| vec![0; LENGTH]))
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
        free::keep_bytes(mem::take(&mut self.0));
    }
}

/// An empty text with a capacity of [`LENGTH`] bytes at least.
#[derive(Debug)]
pub struct Text(String);

impl Text {
    /// A buffer of this thread, or a new one.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "a buffer is no value")]
    pub fn new() -> Self {
        Text(free::take_text().unwrap_or_else(|| String::with_capacity(LENGTH)))
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
            free::keep_text(text);
        }
    }
}

#[cfg(all(test, feature = "std"))]
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
