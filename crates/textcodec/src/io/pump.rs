//! The adapters without the I/O: a conversion with a buffer on either side. The callers' closures read and write.
//!
//! A closure's error `E` is [`io::Error`] for `std::io`; for `tokio` it can also say that nothing is ready. A pump
//! returns the error of a closure at once, and the next call goes on at the same place.

use alloc::{boxed::Box, vec};
use core::fmt;
use std::io;

use super::convert::{Convert, Converted, Problem, Status};

/// The size of a buffer, in bytes.
const CAPACITY: usize = 8 * 1024;

/// A queue of bytes in a fixed allocation: bytes are added at the end and consumed from the front.
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

    /// The space after the filled bytes: the whole buffer if it is empty.
    fn space(&mut self) -> &mut [u8] {
        if self.is_empty() {
            (self.start, self.end) = (0, 0);
        }
        &mut self.bytes[self.end..]
    }

    /// Says that the first `count` bytes of the space are filled now.
    fn fill(&mut self, count: usize) {
        assert!(
            count <= self.bytes.len() - self.end,
            "a reader claims to have read more bytes than fit into its buffer"
        );
        self.end += count;
    }

    fn consume(&mut self, count: usize) {
        assert!(count <= self.end - self.start, "more bytes are consumed than the buffer has");
        self.start += count;
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} bytes", self.end - self.start, self.bytes.len())
    }
}

/// A conversion and its results, which are to be taken in this order: first the output, then the problem after it.
#[derive(Debug)]
struct Converting<C> {
    convert: C,
    output: Buffer,
    problem: Option<Problem>,
    /// Whether the next call may have output without more input.
    more: bool,
    /// Whether end-of-queue has been converted.
    finished: bool,
}

impl<C: Convert> Converting<C> {
    fn new(convert: C) -> Self {
        Converting { convert, output: Buffer::new(), problem: None, more: false, finished: false }
    }

    /// Converts `source`, `None` for end-of-queue, as far as the output buffer has space, and returns the number of
    /// bytes of `source` that were taken.
    fn run(&mut self, source: Option<&[u8]>) -> usize {
        let Converted { status, read, written } = self.convert.convert(source, self.output.space());
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

/// Moves bytes from an inner reader through a conversion to the caller who reads.
#[derive(Debug)]
pub(super) struct ReadPump<C> {
    converting: Converting<C>,
    /// Bytes that were read and are not converted yet.
    input: Buffer,
    /// Whether the inner reader has ended.
    at_end: bool,
}

impl<C: Convert> ReadPump<C> {
    pub(super) fn new(convert: C) -> Self {
        ReadPump { converting: Converting::new(convert), input: Buffer::new(), at_end: false }
    }

    pub(super) fn convert(&self) -> &C {
        &self.converting.convert
    }

    #[cfg(feature = "sniff")]
    pub(super) fn convert_mut(&mut self) -> &mut C {
        &mut self.converting.convert
    }

    /// The converted bytes. If there are no converted bytes, this calls `read` until there are some. After the end of
    /// the stream the result is empty.
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
                let count = read(self.input.space())?;
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

/// Moves bytes from the caller who writes through a conversion to an inner writer.
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

    /// Converts some bytes of `source`, at least one, and returns their number. Calls `write` when the output buffer is
    /// full. An error means that no byte of `source` was taken: a problem in `source` is the error of the next call.
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

    /// Writes the whole output of the sources so far.
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

    /// Converts end-of-queue and writes the whole output.
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

    /// If the conversion met a malformed sequence or an unmappable character, writes the output that precedes it and
    /// returns it as the error.
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
