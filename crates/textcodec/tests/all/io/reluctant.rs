//! Readers and writers that are interrupted, not ready, or fail.

use std::io::{self, Read, Write};

/// The result of one call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Call {
    /// At most this number of bytes is read or written.
    Of(usize),
    Interrupted,
    /// The call is not ready; for `tokio`, it is `Pending`.
    WouldBlock,
    Fails,
}

use Call::{Fails, Interrupted, Of, WouldBlock};

/// Sequences of results, each of which is repeated.
pub(crate) const MOODS: [&[Call]; 7] = [
    &[Of(usize::MAX)],
    &[Of(1)],
    &[Interrupted, Of(3)],
    &[WouldBlock, Of(1)],
    &[Of(2), Fails, Of(5), Interrupted, Of(1), WouldBlock],
    &[Of(4097)],
    &[Of(8191), WouldBlock, Of(1)],
];

/// A reader or writer in one of the [`MOODS`].
#[derive(Debug)]
pub(crate) struct Reluctant<T> {
    pub(crate) inner: T,
    mood: &'static [Call],
    calls: usize,
}

impl<T> Reluctant<T> {
    pub(crate) fn new(inner: T, mood: &'static [Call]) -> Self {
        Reluctant { inner, mood, calls: 0 }
    }

    /// The greatest number of bytes that the next call may read or write.
    pub(crate) fn call(&mut self) -> io::Result<usize> {
        let call = self.mood[self.calls % self.mood.len()];
        self.calls += 1;
        match call {
            Of(count) => Ok(count),
            Interrupted => Err(io::ErrorKind::Interrupted.into()),
            WouldBlock => Err(io::ErrorKind::WouldBlock.into()),
            Fails => Err(io::ErrorKind::ConnectionReset.into()),
        }
    }
}

impl<R: Read> Read for Reluctant<R> {
    fn read(&mut self, destination: &mut [u8]) -> io::Result<usize> {
        let count = self.call()?.min(destination.len());
        self.inner.read(&mut destination[..count])
    }
}

impl<W: Write> Write for Reluctant<W> {
    fn write(&mut self, source: &[u8]) -> io::Result<usize> {
        let count = self.call()?.min(source.len());
        self.inner.write(&source[..count])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.call()?;
        self.inner.flush()
    }
}
