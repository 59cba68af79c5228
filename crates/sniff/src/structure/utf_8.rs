//! How much of a text is [UTF-8](https://encoding.spec.whatwg.org/#utf-8).

/// The least number of well-formed sequences of more than one byte for each malformed one in damaged UTF-8. With 4,
/// pieces of 20 bytes in GBK and Shift_JIS are taken for damaged UTF-8 (650 in a million); with 6, none of them.
const WELL_FORMED_PER_MALFORMED: u64 = 6;

/// The longest prefix in bytes of an incomplete sequence.
const LONGEST_PREFIX: usize = 3;

/// Counts sequences.
#[derive(Clone, Debug)]
pub(super) struct Utf8 {
    pub(super) sequences: u64,
    pub(super) malformed: u64,
    pub(super) first_malformed: Option<u64>,
    /// The number of lone sequences; those of three or four bytes count twice.
    lone: u64,
    run: Run,
    /// The number of bytes before `pending`.
    position: u64,
    /// The start of a sequence at the end of the bytes so far.
    pending: [u8; LONGEST_PREFIX],
    pending_length: usize,
}

/// The last bytes in a row that are not ASCII.
#[derive(Clone, Debug)]
struct Run {
    length: u64,
    sequences: u64,
    is_well_formed: bool,
}

impl Run {
    const EMPTY: Run = Run { length: 0, sequences: 0, is_well_formed: true };

    /// What a run that ends here adds to the lone sequences.
    const fn weight(&self) -> u64 {
        match (self.is_well_formed, self.sequences) {
            (true, 1) if self.length > 2 => 2,
            (true, 1) => 1,
            _ => 0,
        }
    }
}

impl Utf8 {
    pub(super) const fn new() -> Self {
        Utf8 {
            sequences: 0,
            malformed: 0,
            first_malformed: None,
            lone: 0,
            run: Run::EMPTY,
            position: 0,
            pending: [0; LONGEST_PREFIX],
            pending_length: 0,
        }
    }

    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let (true, Some((&byte, after))) = (self.pending_length > 0, rest.split_first()) {
            let mut sequence = [0; LONGEST_PREFIX + 1];
            sequence[..self.pending_length].copy_from_slice(&self.pending[..self.pending_length]);
            sequence[self.pending_length] = byte;
            let sequence = &sequence[..=self.pending_length];
            match core::str::from_utf8(sequence) {
                Ok(_) => {
                    self.pending_length = 0;
                    self.add_well_formed(sequence);
                    rest = after;
                }
                Err(error) if error.error_len().is_none() => {
                    self.pending[self.pending_length] = byte;
                    self.pending_length += 1;
                    rest = after;
                }
                // The byte is no part of the malformed sequence.
                Err(_) => self.end_pending(),
            }
        }
        while let [first, others @ ..] = rest {
            // Most malformed sequences of texts in legacy encodings show in two bytes.
            if is_malformed(*first, others.first()) {
                self.add_malformed(1);
                rest = others;
                continue;
            }
            let Err(error) = core::str::from_utf8(rest) else { return self.add_well_formed(rest) };
            let (valid, others) = rest.split_at(error.valid_up_to());
            self.add_well_formed(valid);
            let Some(length) = error.error_len() else {
                self.pending[..others.len()].copy_from_slice(others);
                self.pending_length = others.len();
                return;
            };
            self.add_malformed(length);
            rest = &others[length..];
        }
    }

    /// The numbers if no bytes follow. Unless `last`, an incomplete sequence at the end does not count.
    pub(super) fn at_end(&self, last: bool) -> Self {
        let mut ended = self.clone();
        if last {
            ended.end_pending();
            ended.end_run();
        }
        ended
    }

    /// Whether a few sequences of UTF-8 are malformed.
    pub(super) const fn is_damaged(&self) -> bool {
        let is_mostly_well_formed = self.sequences >= WELL_FORMED_PER_MALFORMED.saturating_mul(self.malformed);
        self.malformed > 0 && (is_mostly_well_formed || self.lone > self.malformed)
    }

    /// The bytes that are pending are malformed.
    fn end_pending(&mut self) {
        if self.pending_length > 0 {
            self.add_malformed(self.pending_length);
            self.pending_length = 0;
        }
    }

    fn add_malformed(&mut self, length: usize) {
        self.first_malformed.get_or_insert(self.position);
        self.malformed += 1;
        self.run.is_well_formed = false;
        self.position += length as u64;
    }

    fn add_well_formed(&mut self, bytes: &[u8]) {
        self.position += bytes.len() as u64;
        if bytes.is_ascii() {
            if !bytes.is_empty() {
                self.end_run();
            }
            return;
        }
        let Some(first) = bytes.iter().position(u8::is_ascii) else { return self.add_to_run(bytes) };
        let last = bytes.iter().rposition(u8::is_ascii).unwrap_or(first);
        self.add_to_run(&bytes[..first]);
        self.end_run();
        let (sequences, lone) = count(&bytes[first..=last]);
        self.sequences += sequences;
        self.lone += lone;
        self.add_to_run(&bytes[last + 1..]);
    }

    /// Adds well-formed bytes that are not ASCII.
    fn add_to_run(&mut self, bytes: &[u8]) {
        let sequences = bytes.iter().filter(|&&byte| is_leading(byte)).count() as u64;
        self.sequences += sequences;
        self.run.sequences += sequences;
        self.run.length += bytes.len() as u64;
    }

    fn end_run(&mut self) {
        self.lone += self.run.weight();
        self.run = Run::EMPTY;
    }
}

/// Whether the byte is the first of a sequence of more than one byte.
const fn is_leading(byte: u8) -> bool {
    byte >= 0xC0
}

/// Whether a byte is a malformed sequence of its own before the next byte.
const fn is_malformed(byte: u8, next: Option<&u8>) -> bool {
    match (byte, next) {
        (0x80..=0xC1 | 0xF5.., _) => true,
        (0xC2..=0xF4, Some(next)) => !matches!(next, 0x80..=0xBF),
        _ => false,
    }
}

/// The number of sequences of more than one byte in UTF-8 that starts and ends with ASCII, and the number of lone
/// sequences; those of three or four bytes count twice.
fn count(bytes: &[u8]) -> (u64, u64) {
    // A sum of 127 numbers of at most 2 fits into a byte. Sums of bytes become vector code.
    const BLOCK: usize = 127;
    let (mut sequences, mut lone) = (0, 0);
    let mut add = |block: (u8, u8)| {
        sequences += u64::from(block.0);
        lone += u64::from(block.1);
    };
    let mut rest = bytes;
    while rest.len() >= WINDOW {
        let places = BLOCK.min(rest.len() - WINDOW + 1);
        let at = |offset: usize| rest[offset..offset + places].iter();
        let windows = at(0).zip(at(1)).zip(at(3)).zip(at(4)).zip(at(5));
        add(windows.fold((0, 0), |sum, ((((&before, &byte), &third), &fourth), &fifth)| {
            let counted = counted(before, byte, third, fourth, fifth);
            (sum.0 + counted.0, sum.1 + counted.1)
        }));
        rest = &rest[places..];
    }
    while let [before, after @ ..] = rest {
        // After the end, there is no ASCII.
        let at = |offset: usize| after.get(offset).copied().unwrap_or(0xFF);
        if let Some(&byte) = after.first() {
            add(counted(*before, byte, at(2), at(3), at(4)));
        }
        rest = after;
    }
    (sequences, lone)
}

/// The bytes that show whether a sequence is lone: one before it, and the longest sequence with one byte after it.
const WINDOW: usize = 6;

/// Whether a byte begins a sequence of more than one byte, and how much it counts as a lone sequence. The other bytes
/// are the byte before it, and those two, three and four places after it.
#[inline(always)]
fn counted(before: u8, byte: u8, third: u8, fourth: u8, fifth: u8) -> (u8, u8) {
    let is_ascii = |byte: u8| u8::from(byte < 0x80);
    let least = |least: u8| u8::from(byte >= least);
    let two = least(0xC0) & is_ascii(third);
    let more = least(0xE0) & is_ascii(fourth) | least(0xF0) & is_ascii(fifth);
    (least(0xC0), is_ascii(before) & two | (is_ascii(before) & more) << 1)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;

    #[test]
    fn sequences_between_ascii_are_lone_and_long_ones_count_twice() {
        // Some last bytes are 80, the lowest.
        let pieces = ["a", "é", "€", "𝄞", "À€", " ", "xyz", "😀𝄞"];
        let mut number = 1_u32;
        for length in 0..400 {
            let mut next = || {
                number = number.wrapping_mul(0x0019_660D).wrapping_add(0x3C6E_F35F);
                pieces[(number >> 29) as usize]
            };
            let text = ["a", &(0..length).map(|_| next()).collect::<Vec<_>>().concat(), "b"].concat();
            let runs = text.split(|character: char| character.is_ascii()).filter(|run| !run.is_empty());
            let sequences = text.chars().filter(|character| !character.is_ascii()).count() as u64;
            let lone = runs.filter(|run| run.chars().count() == 1).map(|run| 1 + u64::from(run.len() > 2)).sum();
            assert_eq!(count(text.as_bytes()), (sequences, lone), "{text}");
        }
    }

    #[test]
    fn the_first_malformed_byte_and_all_after_it_have_their_places() {
        for pieces in 1..=9 {
            let mut numbers = Utf8::new();
            b"a\xFFb\xC3\xA9\xE2\x82c\xF0".chunks(pieces).for_each(|piece| numbers.feed(piece));
            let ended = numbers.at_end(true);
            assert_eq!((ended.first_malformed, ended.malformed, ended.sequences, ended.position), (Some(1), 3, 1, 9));
        }
    }
}
