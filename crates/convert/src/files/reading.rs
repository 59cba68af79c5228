//! Reads as much of a file or a stream as it takes to know something about it.

use std::{
    io::{self, ErrorKind, Read},
    path::Path,
};

use super::input::Input;
use crate::{
    buffers::Bytes,
    charset::{Charset, Decoder},
    damage::{Damaged, Examination, Findings, Place},
    declarations::{Contradiction, LENGTH, Search},
    detection::{Detection, Found},
    guess::{Guess, Guesser, Hints, NoGuess, Objection, Objector},
    kind::Kind,
    position::Position,
};

/// Reads the next bytes, also after an interruption. Returns 0 at the end.
///
/// # Errors
/// The input cannot be read.
pub fn read(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Calls `each` with one piece after the other, the last of which is empty, until `each` returns a value.
///
/// # Errors
/// The input cannot be read.
pub fn find_map<T>(mut input: impl Read, mut each: impl FnMut(&[u8]) -> Option<T>) -> io::Result<Option<T>> {
    let mut piece = Bytes::new();
    loop {
        let length = read(&mut input, &mut piece)?;
        let found = each(&piece[..length]);
        if found.is_some() || length == 0 {
            return Ok(found);
        }
    }
}

/// Reads as much as it takes to know the encoding. `path` tells the kind of the file.
///
/// # Errors
/// The input cannot be read.
pub fn find_out(path: Option<&Path>, input: &mut impl Read) -> io::Result<Found> {
    let mut detection = Detection::new(path.and_then(Kind::for_path));
    let mut piece = Bytes::new();
    loop {
        let length = read(input, &mut piece[..detection.missing()])?;
        if let Some(found) = detection.push(&piece[..length], length == 0) {
            return Ok(found);
        }
    }
}

/// The start of a file, and the declarations in it that contradict the output.
pub(super) struct Start {
    /// The bytes that were read, not more than [`LENGTH`].
    pub(super) bytes: Vec<u8>,
    pub(super) contradictions: Vec<Contradiction>,
}

/// Reads the start of a file, until all declarations that a reader of the output would believe are known. `start` was
/// read already; `decoder` is new, and `path` tells the kind of the file.
pub(super) fn read_start(
    mut start: Vec<u8>,
    input: &mut impl Read,
    path: Option<&Path>,
    decoder: &Decoder,
    to: Charset,
) -> io::Result<Start> {
    let mut search = Search::new(path.and_then(Kind::for_path), decoder, to);
    let mut piece = Bytes::new();
    let mut is_last = start.len() >= LENGTH;
    loop {
        if let Some(contradictions) = search.look(&start, is_last) {
            return Ok(Start { bytes: start, contradictions });
        }
        let length = read(input, &mut piece[..LENGTH - start.len()])?;
        start.extend_from_slice(&piece[..length]);
        is_last = length == 0 || start.len() == LENGTH;
    }
}

/// Reads all of `input` and guesses.
///
/// # Errors
/// The input cannot be read.
pub fn guess_all(input: impl Read, hints: &Hints) -> io::Result<Result<Guess, NoGuess>> {
    let mut guesser = Guesser::new(hints);
    find_map(input, |piece| {
        guesser.feed(piece, piece.is_empty());
        None::<()>
    })?;
    Ok(guesser.guess())
}

/// Compares all bytes with a charset that was chosen for them.
///
/// # Errors
/// The input cannot be read.
pub fn objection(input: impl Read, chosen: Charset) -> io::Result<Option<Objection>> {
    let mut objector = Objector::new(chosen);
    find_map(input, |piece| {
        objector.feed(piece, piece.is_empty());
        None::<()>
    })?;
    Ok(objector.objection())
}

/// Examines all bytes.
///
/// # Errors
/// The input cannot be read.
pub fn examine(bytes: impl Read) -> io::Result<Findings> {
    let mut examination = Examination::new();
    find_map(bytes, |piece| {
        examination.feed(piece);
        // A sparse file can be very long.
        examination.is_binary().then_some(())
    })?;
    Ok(examination.findings(true))
}

/// The damage that `findings` tell. `bytes` gives the text again, up to the first malformed sequence at least.
///
/// # Errors
/// The input cannot be read.
pub fn damage<R: Read>(findings: &Findings, bytes: impl FnOnce() -> io::Result<R>) -> io::Result<Option<Damaged>> {
    Damaged::at(findings, || place(bytes()?, findings.first_malformed.unwrap_or(0)))
}

/// The damage of a regular file, all of whose bytes are examined.
///
/// # Errors
/// The input cannot be read.
pub fn find_damage(input: &Input) -> io::Result<Option<Damaged>> {
    damage(&examine(input.open()?)?, || input.open())
}

/// The place after the first `offset` bytes of a text in UTF-8.
fn place(bytes: impl Read, offset: u64) -> io::Result<Position> {
    let mut place = Place::new();
    find_map(bytes.take(offset), |piece| {
        place.advance(piece);
        None::<()>
    })?;
    Ok(place.position())
}
