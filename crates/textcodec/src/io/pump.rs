//! The adapters without the I/O: buffers on either side of a conversion, and closures that read and write.
//!
//! A closure's error `E` is [`io::Error`] for `std::io`; for `tokio` it can also say that nothing is ready. Whatever a
//! closure fails with is passed on at once, and the next call goes on where it was.

use alloc::{boxed::Box, vec};
use core::fmt;
use std::io;

use super::convert::{Convert, Converted, Problem, Status};

/// The bytes of a buffer.
const CAPACITY: usize = 8 * 1024;

/// Bytes that are filled in at the end and consumed from the front.
pub(super) struct Buffer {
    bytes: Box<[u8]>,
    start: usize,
    end: usize,
}

impl Buffer {
    fn new() -> Self {
        Buffer { bytes: vec![0; CAPACITY].into(), start: 0, end: 0 }
    }

    fn filled(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// What is behind the filled bytes: everything if there are none.
    fn room(&mut self) -> &mut [u8] {
        if self.is_empty() {
            (self.start, self.end) = (0, 0);
        }
        &mut self.bytes[self.end..]
    }

    /// The first `count` bytes of the room are filled now.
    fn fill(&mut self, count: usize) {
        assert!(count <= self.bytes.len() - self.end, "a reader claims to have read more than there was room for");
        self.end += count;
    }

    fn consume(&mut self, count: usize) {
        assert!(count <= self.end - self.start, "more is consumed than there is");
        self.start += count;
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} bytes", self.end - self.start, self.bytes.len())
    }
}

/// A conversion and what is to be taken from it: first the output, then the problem that comes after it.
#[derive(Debug)]
struct Converting<C> {
    convert: C,
    output: Buffer,
    problem: Option<Problem>,
    /// Whether more output may come without more input.
    more: bool,
    /// Whether end-of-queue is converted.
    finished: bool,
}

impl<C: Convert> Converting<C> {
    fn new(convert: C) -> Self {
        Converting { convert, output: Buffer::new(), problem: None, more: false, finished: false }
    }

    /// Converts what there is room for, `None` being end-of-queue, and returns how many bytes of `source` were taken.
    fn run(&mut self, source: Option<&[u8]>) -> usize {
        let Converted { status, read, written } = self.convert.convert(source, self.output.room());
        self.output.fill(written);
        self.more = status != Status::InputEmpty;
        self.finished = source.is_none() && !self.more;
        if let Status::Error(problem) = status {
            self.problem = Some(problem);
        }
        read
    }

    /// Fails with the problem, if there is one.
    fn check(&mut self) -> io::Result<()> {
        self.problem.take().map_or(Ok(()), |problem| Err(problem.into()))
    }
}

/// From a reader to whoever reads.
#[derive(Debug)]
pub(super) struct ReadPump<C> {
    converting: Converting<C>,
    /// What is read and not converted.
    input: Buffer,
    /// Whether the reader has come to its end.
    at_end: bool,
}

impl<C: Convert> ReadPump<C> {
    pub(super) fn new(convert: C) -> Self {
        ReadPump { converting: Converting::new(convert), input: Buffer::new(), at_end: false }
    }

    pub(super) fn convert(&self) -> &C {
        &self.converting.convert
    }

    /// What is converted. If that is nothing, `read` is called until it is something; after the end it stays nothing.
    pub(super) fn fill<E: From<io::Error>>(
        &mut self,
        mut read: impl FnMut(&mut [u8]) -> Result<usize, E>,
    ) -> Result<&[u8], E> {
        let converting = &mut self.converting;
        while converting.output.is_empty() {
            converting.check()?;
            if converting.finished {
                break;
            }
            if self.input.is_empty() && !converting.more && !self.at_end {
                let count = read(self.input.room())?;
                self.input.fill(count);
                self.at_end = count == 0;
            }
            let taken = converting.run((!self.at_end).then(|| self.input.filled()));
            self.input.consume(taken);
        }
        Ok(self.converting.output.filled())
    }

    pub(super) fn consume(&mut self, count: usize) {
        self.converting.output.consume(count);
    }
}

/// From whoever writes to a writer.
#[derive(Debug)]
pub(super) struct WritePump<C> {
    converting: Converting<C>,
}

impl<C: Convert> WritePump<C> {
    pub(super) fn new(convert: C) -> Self {
        WritePump { converting: Converting::new(convert) }
    }

    pub(super) fn convert(&self) -> &C {
        &self.converting.convert
    }

    /// Converts some of `source` and returns how many bytes that is, at least one. `write` is called when there is no room.
    /// An error means that none of `source` was taken: a problem in it is the error of the next call.
    pub(super) fn write<E: From<io::Error>>(
        &mut self,
        source: &[u8],
        mut write: impl FnMut(&[u8]) -> Result<usize, E>,
    ) -> Result<usize, E> {
        if self.converting.finished {
            return Err(io::Error::new(io::ErrorKind::BrokenPipe, "the text is finished").into());
        }
        while !source.is_empty() {
            self.report(&mut write)?;
            let taken = self.converting.run(Some(source));
            if taken > 0 {
                return Ok(taken);
            }
            self.drain(&mut write)?;
        }
        Ok(0)
    }

    /// Writes everything that the sources so far have come to.
    pub(super) fn flush<E: From<io::Error>>(
        &mut self,
        mut write: impl FnMut(&[u8]) -> Result<usize, E>,
    ) -> Result<(), E> {
        loop {
            self.report(&mut write)?;
            self.drain(&mut write)?;
            if !self.converting.more {
                return Ok(());
            }
            self.converting.run(Some(&[]));
        }
    }

    /// Converts end-of-queue and writes everything.
    pub(super) fn finish<E: From<io::Error>>(
        &mut self,
        mut write: impl FnMut(&[u8]) -> Result<usize, E>,
    ) -> Result<(), E> {
        loop {
            self.report(&mut write)?;
            self.drain(&mut write)?;
            if self.converting.finished {
                return Ok(());
            }
            self.converting.run(None);
        }
    }

    /// Fails with the problem, if there is one, after writing what is before it.
    fn report<E: From<io::Error>>(&mut self, write: &mut impl FnMut(&[u8]) -> Result<usize, E>) -> Result<(), E> {
        if self.converting.problem.is_some() {
            self.drain(write)?;
        }
        Ok(self.converting.check()?)
    }

    fn drain<E: From<io::Error>>(&mut self, write: &mut impl FnMut(&[u8]) -> Result<usize, E>) -> Result<(), E> {
        let output = &mut self.converting.output;
        while !output.is_empty() {
            match write(output.filled())? {
                0 => return Err(io::Error::from(io::ErrorKind::WriteZero).into()),
                count => output.consume(count),
            }
        }
        Ok(())
    }
}
