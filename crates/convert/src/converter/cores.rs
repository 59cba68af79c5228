//! One long stream on several processors.
//!
//! The stream is cut at places before which every decoder is in its first state ([`CutRule`]). Each part between two
//! cuts is converted by another thread, as if nothing but the part were known. A part is taken over, in the order of
//! the stream, if what the thread has assumed is true: the steps between decoding and encoding wait for nothing, and
//! the encoder is in the state in which the thread has started. Otherwise, and if the part has an error, the converter
//! of the stream converts it again. So every result is the result of one thread, and no step has to know of cuts.
//!
//! The start of a stream is converted by one thread: there a byte order mark, declarations and statistics decide. All
//! of a stream is converted by one thread if its charset has no cut rule, or if it has records.

use alloc::{borrow::ToOwned, collections::VecDeque, string::String, vec, vec::Vec};
use core::{
    cell::RefCell,
    sync::atomic::{AtomicBool, Ordering},
};
use std::{
    io,
    sync::{
        Mutex, PoisonError,
        mpsc::{self, Receiver, Sender, SyncSender},
    },
    thread,
};

use textcodec::charsets::CutRule;

use super::{
    Converter,
    failure::{Failure, TextError},
    replaced::{Replaced, Replacement, What},
    sink::Sink,
    stream::{Changes, Plan, Stream},
};
use crate::{
    buffers::Bytes,
    charset::{Charset, Decoder, Encoder, Malformed},
    options::Options,
    position::Position,
};

/// The length of a part in bytes. Two threads need 12 % more processor time than one for 200 MB of GBK, because the
/// parts go from one cache to another; with 64 KiB 19 %, and with 1 MiB, which no cache of a core holds, 29 %.
const CHUNK: usize = 256 * 1024;

/// The number of parts at the start of a stream that one thread converts. To start a thread takes 50 microseconds.
const HEAD: u64 = 4;

/// The number of bytes at the end of a part in which a line feed is looked for.
const WINDOW: usize = 16 * 1024;

/// The number of parts that wait for a thread or for their turn, beside the one that each thread works on.
const WAITING: usize = 2;

/// The number of replacements in a part that a thread keeps for the observer. With more, the part is converted again.
const EVENTS: usize = 16 * 1024;

/// The number of parts in a row that are converted again before the rest of the stream is converted by one thread.
const REJECTED: u32 = 8;

/// The threads for one stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cores {
    threads: usize,
    chunk: usize,
}

impl Cores {
    /// The thread of the caller.
    pub const ONE: Cores = Cores::new(1);

    /// As many threads; with more than one, they are beside the thread of the caller, which reads and writes. They
    /// start when a stream turns out to be long.
    #[must_use]
    pub const fn new(threads: usize) -> Self {
        Cores { threads, chunk: CHUNK }
    }

    /// Parts of `bytes` bytes, for tests.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_chunk(self, bytes: usize) -> Self {
        Cores { chunk: bytes, ..self }
    }
}

/// The bytes of a stream.
pub(crate) trait Incoming {
    /// Reads the next bytes. Returns 0 at the end.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize>;

    /// Whether the next bytes, or the end, come at once. If not, everything that was read is converted first.
    fn is_near(&mut self) -> bool;

    /// Is called when the next `bytes` bytes are converted.
    fn converted(&mut self, bytes: usize);
}

/// The reason why the conversion of a stream has stopped.
pub(crate) enum Stop<E> {
    /// The bytes cannot be read. The text before them is written.
    Input(io::Error),
    Failure(Failure<E>),
}

impl<E> From<Failure<E>> for Stop<E> {
    fn from(failure: Failure<E>) -> Self {
        Stop::Failure(failure)
    }
}

/// Cuts `bytes` into at most `number` parts of about the same length. After each part, a decoder is in its first state.
///
/// ```
/// use textcodec::charsets::CutRule;
///
/// let parts = textcodec_convert::parts(b"\x81\x30\n\x81\x31\n", CutRule::AfterByteBelow(0x30), 2);
/// assert_eq!(parts, [b"\x81\x30\n", b"\x81\x31\n"]);
/// ```
#[must_use]
pub fn parts(bytes: &[u8], rule: CutRule, number: usize) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut start = 0;
    for part in 1..number {
        let wanted = bytes.len() / number * part;
        if let Some(at) = rule.next_cut(&bytes[start..], wanted.max(start + 1) - start) {
            parts.push(&bytes[start..start + at]);
            start += at;
        }
    }
    parts.push(&bytes[start..]);
    parts
}

/// As [`convert`](super::convert), on several threads if the text is long.
///
/// ```
/// use textcodec_convert::{Charset, Cores, Options, convert_on};
///
/// let text = "やあ\n".repeat(1_000_000);
/// let shift_jis = Charset::for_label("shift_jis").unwrap();
/// let (bytes, _) = convert_on(text.as_bytes(), Charset::UTF_8, Options::to(shift_jis), Cores::new(2)).unwrap();
/// let (again, _) = convert_on(&bytes, shift_jis, Options::to(Charset::UTF_8), Cores::new(2)).unwrap();
/// assert!(again == text.as_bytes());
/// ```
///
/// # Errors
/// The text is malformed, or has characters that the charset of the output does not have, and the options make this an
/// error.
pub fn convert_on(
    bytes: &[u8],
    from: Charset,
    options: Options,
    cores: Cores,
) -> Result<(Vec<u8>, Replaced), TextError> {
    struct Slice<'a>(&'a [u8]);

    impl Incoming for Slice<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            io::Read::read(&mut self.0, buffer)
        }

        fn is_near(&mut self) -> bool {
            true
        }

        fn converted(&mut self, _: usize) {}
    }

    let mut converter = Converter::new(options, Vec::new());
    let mut stream = converter.start(Plan::new(from.new_decoder(false)));
    match converter.push_all(&mut stream, &mut Slice(bytes), cores) {
        Ok(()) => {
            let Ok(converted) = converter.finish();
            Ok(converted)
        }
        Err(Stop::Failure(Failure::Text(error))) => Err(error),
        Err(Stop::Failure(Failure::Output(never))) => match never {},
        Err(Stop::Input(error)) => unreachable!("{error}"),
    }
}

impl<W: Sink> Converter<W> {
    /// Converts all bytes of a stream that has just started. The text before an error is written.
    pub(crate) fn push_all(
        &mut self,
        stream: &mut Stream<'_>,
        input: &mut impl Incoming,
        cores: Cores,
    ) -> Result<(), Stop<W::Error>> {
        let mut has_cores = cores.threads > 1;
        let mut run = Run::new(self, stream, input);
        let mut piece = Bytes::new();
        loop {
            if has_cores && run.offset >= HEAD * cores.chunk as u64 && run.can_be_cut() {
                if run.convert_parts(cores)? {
                    return Ok(());
                }
                has_cores = false;
            }
            match run.input.read(&mut piece) {
                Ok(0) => return Ok(run.converter.push(run.stream, &[], true)?),
                Ok(length) => run.push(&piece[..length])?,
                Err(error) => return Err(run.end_before(error)?),
            }
        }
    }
}

/// The conversion of a stream, of which `offset` bytes are converted.
struct Run<'r, 's, W, I> {
    converter: &'r mut Converter<W>,
    stream: &'r mut Stream<'s>,
    input: &'r mut I,
    offset: u64,
    /// The parts after `offset`, in their order.
    pending: VecDeque<Receiver<Done>>,
    /// Buffers of parts and outputs for the next parts.
    chunks: Vec<Vec<u8>>,
    outputs: Vec<Vec<u8>>,
    /// The number of the last parts in a row that were converted again.
    rejected: u32,
}

impl<'r, 's, W: Sink, I: Incoming> Run<'r, 's, W, I> {
    fn new(converter: &'r mut Converter<W>, stream: &'r mut Stream<'s>, input: &'r mut I) -> Self {
        let (chunks, outputs) = (Vec::new(), Vec::new());
        Run { converter, stream, input, offset: 0, pending: VecDeque::new(), chunks, outputs, rejected: 0 }
    }

    /// Whether nothing at the start of the stream has an effect on the rest, and the rest can be cut.
    fn can_be_cut(&self) -> bool {
        let Stream { source, at, edits, record, .. } = &*self.stream;
        let has_started = !at.is_start && edits.is_empty();
        has_started && record.is_none() && self.converter.record.is_none() && source.cut_rule() != CutRule::Never
    }

    /// Converts the next bytes on this thread. No part is pending.
    fn push(&mut self, bytes: &[u8]) -> Result<(), Failure<W::Error>> {
        self.converter.push(self.stream, bytes, false)?;
        self.offset += bytes.len() as u64;
        self.input.converted(bytes.len());
        Ok(())
    }

    /// Writes the text before an error of the input.
    fn end_before(&mut self, error: io::Error) -> Result<Stop<W::Error>, Failure<W::Error>> {
        self.converter.end_text(self.stream)?;
        self.converter.write()?;
        Ok(Stop::Input(error))
    }

    /// Converts the rest of the stream on other threads. Returns `false` if they are of no use, before the end.
    fn convert_parts(&mut self, Cores { threads, chunk }: Cores) -> Result<bool, Stop<W::Error>> {
        let shared = Shared {
            options: self.converter.options.clone(),
            refuse_binary: self.stream.at.refuse_binary,
            is_observed: self.stream.at.observer.is_some(),
            is_over: AtomicBool::new(false),
        };
        let (jobs, queue) = mpsc::channel();
        let queue = Mutex::new(queue);
        thread::scope(|scope| {
            // Dropped at the end of this closure, so that the threads end.
            let jobs = jobs;
            let spawn = || thread::Builder::new().spawn_scoped(scope, || work(&queue, &shared)).is_ok();
            let threads = (0..threads).take_while(|_| spawn()).count();
            let result = match threads {
                0 => Ok(false),
                threads => self.convert_parts_by(&jobs, threads, chunk.max(2)),
            };
            shared.is_over.store(true, Ordering::Relaxed);
            result
        })
    }

    /// As [`convert_parts`](Self::convert_parts), for threads that take `jobs`.
    fn convert_parts_by(&mut self, jobs: &Sender<Job>, threads: usize, chunk: usize) -> Result<bool, Stop<W::Error>> {
        let rule = self.stream.source.cut_rule();
        let mut buffer = vec![0; chunk];
        let mut filled = 0;
        // Whether the stream can be cut before `buffer`.
        let mut is_cut = false;
        loop {
            if (filled > 0 || !self.pending.is_empty()) && !self.input.is_near() {
                self.take_all()?;
                if filled > 0 && !self.input.is_near() {
                    self.push(&buffer[..filled])?;
                    (filled, is_cut) = (0, false);
                }
            }
            let read = self.input.read(&mut buffer[filled..]);
            let is_end = !matches!(read, Ok(length) if length > 0);
            filled += *read.as_ref().unwrap_or(&0);
            if is_end || self.rejected >= REJECTED {
                self.take_all()?;
                self.push(&buffer[..filled])?;
                return match read {
                    Ok(0) => Ok(self.converter.push(self.stream, &[], true).map(|()| true)?),
                    Ok(_) => Ok(false),
                    Err(error) => Err(self.end_before(error)?),
                };
            }
            if !is_cut {
                let in_unit = match rule {
                    CutRule::AfterCodeUnit { .. } => (self.offset % 2) as usize,
                    _ => 0,
                };
                let cut = buffer[..filled].get(in_unit..).and_then(|text| last_cut(rule, text));
                let end = cut.map_or(filled, |cut| in_unit + cut);
                self.push(&buffer[..end])?;
                buffer.copy_within(end..filled, 0);
                filled -= end;
                is_cut = cut.is_some();
            } else if filled == buffer.len() {
                if let Some(cut) = last_cut(rule, &buffer) {
                    let mut next = self.chunks.pop().unwrap_or_else(|| vec![0; chunk]);
                    filled -= cut;
                    next[..filled].copy_from_slice(&buffer[cut..]);
                    if self.pending.len() >= threads + WAITING {
                        self.take()?;
                    }
                    self.hand_over(jobs, core::mem::replace(&mut buffer, next), cut);
                } else {
                    self.take_all()?;
                    self.push(&buffer)?;
                    (filled, is_cut) = (0, false);
                }
            }
        }
    }

    /// Gives the first `length` bytes of `chunk` to a thread.
    fn hand_over(&mut self, jobs: &Sender<Job>, chunk: Vec<u8>, length: usize) {
        let (reply, done) = mpsc::sync_channel(1);
        let encoder = self.converter.encoder.clone();
        let decoder = self.stream.source.after_cut();
        let output = self.outputs.pop().unwrap_or_default();
        jobs.send(Job { chunk, length, encoder, decoder, output, reply }).expect("the queue is there");
        self.pending.push_back(done);
    }

    fn take_all(&mut self) -> Result<(), Failure<W::Error>> {
        while !self.pending.is_empty() {
            self.take()?;
        }
        Ok(())
    }

    /// Takes over the first part that is pending, or converts it again.
    fn take(&mut self) -> Result<(), Failure<W::Error>> {
        let Some(done) = self.pending.pop_front() else { return Ok(()) };
        let Done { chunk, length, encoder, part } = done.recv().expect("the thread has not panicked");
        let is_at_rest = self.stream.changes.as_ref().is_none_or(|changes| changes.steps.is_at_rest());
        match part.filter(|_| is_at_rest && encoder.is_as(&self.converter.encoder)) {
            Some(part) => {
                self.add(part, length)?;
                self.rejected = 0;
            }
            None => {
                self.push(&chunk[..length])?;
                self.rejected += 1;
            }
        }
        self.chunks.push(chunk);
        Ok(())
    }

    /// Takes over a part of `length` bytes.
    fn add(&mut self, part: Part, length: usize) -> Result<(), Failure<W::Error>> {
        let Part { mut output, encoder, changes, decoded, replaced, events } = part;
        let Stream { source, at, changes: steps, .. } = &mut *self.stream;
        let changed_from = steps.as_ref().map_or(at.position, |changes| changes.position);
        if let Some(observer) = at.observer {
            let charset = source.charset();
            for Event { mut what, text, position } in events {
                if let Subject::Malformed(malformed) = &mut what {
                    malformed.offset += self.offset;
                }
                let (what, start) = match &what {
                    Subject::Malformed(malformed) => (What::Malformed(malformed, charset), at.position),
                    Subject::Unmappable(character) => {
                        (What::Unmappable(*character, self.converter.options.to), changed_from)
                    }
                };
                observer(&Replacement { what, text: &text, position: start.then(position) });
            }
        }
        self.converter.replaced.add(replaced, at.name, self.offset, at.position, changed_from);
        self.converter.output.write(&output).map_err(Failure::Output)?;
        self.converter.output.flush().map_err(Failure::Output)?;
        self.converter.encoder = encoder;
        at.position = at.position.then(decoded);
        at.counted = (0, at.position);
        if let (Some(steps), Some(changes)) = (steps, changes) {
            *steps = Changes { position: steps.position.then(changes.position), ..changes };
        }
        source.skip(length as u64);
        self.offset += length as u64;
        self.input.converted(length);
        #[cfg(test)]
        TAKEN.set(TAKEN.get() + 1);
        output.clear();
        self.outputs.push(output);
        Ok(())
    }
}

/// A late place where `text` can be cut. After a line feed, steps wait for nothing, and most texts in ISO-2022-JP are
/// in ASCII.
fn last_cut(rule: CutRule, text: &[u8]) -> Option<usize> {
    let line_feed: &[u8] = match rule {
        CutRule::AfterCodeUnit { is_big_endian: true } => b"\0\n",
        CutRule::AfterCodeUnit { is_big_endian: false } => b"\n\0",
        _ => b"\n",
    };
    let from = text.len().saturating_sub(WINDOW).max(1);
    let is_line = |at: usize| text[..at].ends_with(line_feed) && rule.next_cut(&text[..=at], at) == Some(at);
    let after_line = (from..text.len()).rev().find(|&at| is_line(at));
    after_line.or_else(|| rule.next_cut(text, from)).or_else(|| rule.next_cut(text, 1))
}

/// What all parts of a stream have in common.
struct Shared {
    options: Options,
    refuse_binary: bool,
    is_observed: bool,
    /// Whether nobody wants the remaining parts.
    is_over: AtomicBool,
}

/// A part that is to be converted.
struct Job {
    /// The first `length` bytes are the part.
    chunk: Vec<u8>,
    length: usize,
    /// The decoder and the encoder at the start of the part.
    decoder: Decoder,
    encoder: Encoder,
    /// An empty buffer.
    output: Vec<u8>,
    reply: SyncSender<Done>,
}

/// A part that was given to a thread.
struct Done {
    chunk: Vec<u8>,
    length: usize,
    /// The encoder at the start of the part.
    encoder: Encoder,
    /// `None` if the part has an error, or too many replacements.
    part: Option<Part>,
}

/// A part that is converted. The places count from its start.
struct Part {
    output: Vec<u8>,
    /// The encoder at the end of the part.
    encoder: Encoder,
    /// The steps at the end of the part.
    changes: Option<Changes>,
    /// The end of the text.
    decoded: Position,
    replaced: Replaced,
    /// The replacements, if they are observed.
    events: Vec<Event>,
}

/// A replacement.
struct Event {
    what: Subject,
    text: String,
    position: Position,
}

/// What is replaced.
enum Subject {
    Malformed(Malformed),
    Unmappable(char),
}

/// Converts parts until there are no more.
fn work(queue: &Mutex<Receiver<Job>>, shared: &Shared) {
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
    while let Ok(job) = next() {
        if !shared.is_over.load(Ordering::Relaxed) {
            let Job { chunk, length, decoder, encoder, output, reply } = job;
            let part = convert_part(shared, &chunk[..length], decoder, encoder.clone(), output);
            // After an error, nobody waits for the part.
            let _ = reply.send(Done { chunk, length, encoder, part });
        }
    }
}

/// Converts a part of a stream.
fn convert_part(shared: &Shared, bytes: &[u8], decoder: Decoder, encoder: Encoder, output: Vec<u8>) -> Option<Part> {
    let events = RefCell::new(Vec::new());
    let observer = |replacement: &Replacement<'_>| {
        let mut events = events.borrow_mut();
        if events.len() <= EVENTS {
            let what = match replacement.what {
                What::Malformed(malformed, _) => Subject::Malformed(malformed.clone()),
                What::Unmappable(character, _) => Subject::Unmappable(character),
            };
            events.push(Event { what, text: replacement.text.to_owned(), position: replacement.position });
        }
    };
    let mut converter = Converter::part(&shared.options, encoder, output);
    let mut plan = Plan::new(decoder);
    plan.refuse_binary = shared.refuse_binary;
    if shared.is_observed {
        plan.observer = Some(&observer);
    }
    let mut stream = converter.start(plan);
    (stream.at.is_start, stream.at.is_part) = (false, true);
    converter.push(&mut stream, bytes, false).ok()?;
    let Stream { at, changes, .. } = stream;
    let decoded = at.position;
    let Converter { encoder, replaced, output, .. } = converter;
    let events = events.into_inner();
    (events.len() <= EVENTS).then_some(Part { output, encoder, changes, decoded, replaced, events })
}

#[cfg(test)]
std::thread_local! {
    /// The number of parts that converters of this thread have taken over.
    static TAKEN: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

#[cfg(test)]
mod tests;
