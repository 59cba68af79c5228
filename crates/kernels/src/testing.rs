//! The battery that every conversion goes through: it runs at every level that this processor has, and is compared with
//! its scalar body: the same counts, the same output, and no item outside of the destination changed.
//!
//! The `tests.rs` of a concern lists its functions as [`Functions`], and [`battery!`](battery) makes the tests.

use std::{cell::Cell, thread::LocalKey};

use crate::level::{Level, at_every_level};

/// A function from a source and a destination to `(read, written)`: the dispatched one, and its scalar body.
pub(crate) struct Function<S, D> {
    pub(crate) name: &'static str,
    pub(crate) dispatched: fn(&[S], &mut [D]) -> (usize, usize),
    pub(crate) reference: fn(&[S], &mut [D]) -> (usize, usize),
}

/// The functions of a concern, by their sources and destinations.
pub(crate) struct Functions {
    pub(crate) bytes_to_bytes: &'static [Function<u8, u8>],
    pub(crate) bytes_to_units: &'static [Function<u8, u16>],
    pub(crate) units_to_bytes: &'static [Function<u16, u8>],
    /// The source is UTF-16 as bytes.
    pub(crate) utf16_to_bytes: &'static [Function<u8, u8>],
}

impl Functions {
    /// No functions, to fill the lists that a concern leaves out.
    pub(crate) const NONE: Self =
        Functions { bytes_to_bytes: &[], bytes_to_units: &[], units_to_bytes: &[], utf16_to_bytes: &[] };
}

/// A function that reads `$read` items for each item that it writes, and returns one number. Its body without vectors
/// has the same name in the module `scalar` of the caller.
macro_rules! moving {
    ($function:ident, $read:expr) => {
        Function {
            name: concat!(module_path!(), "::", stringify!($function)),
            dispatched: |from, to| {
                let length = super::$function(from, to);
                ($read * length, length)
            },
            reference: |from, to| {
                let length = scalar::$function(from, to);
                ($read * length, length)
            },
        }
    };
}
pub(crate) use moving;

/// A function that returns `(read, written)`.
macro_rules! converting {
    ($function:ident) => {
        Function {
            name: concat!(module_path!(), "::", stringify!($function)),
            dispatched: super::$function,
            reference: scalar::$function,
        }
    };
}
pub(crate) use converting;

/// A function that writes nothing and returns a length.
macro_rules! measuring {
    ($function:ident) => {
        Function {
            name: concat!(module_path!(), "::", stringify!($function)),
            dispatched: |from, _| (super::$function(from), 0),
            reference: |from, _| (scalar::$function(from), 0),
        }
    };
}
pub(crate) use measuring;

/// The tests of `FUNCTIONS`.
macro_rules! battery {
    () => {
        #[test]
        fn text_of_every_length_at_every_alignment() {
            FUNCTIONS.text_of_every_length_at_every_alignment();
        }

        #[test]
        fn long_text_starting_at_every_character() {
            FUNCTIONS.long_text_starting_at_every_character();
        }

        #[test]
        fn a_malformed_sequence_at_every_place() {
            FUNCTIONS.a_malformed_sequence_at_every_place();
        }

        #[test]
        fn a_lone_surrogate_at_every_place() {
            FUNCTIONS.a_lone_surrogate_at_every_place();
        }

        #[test]
        fn destinations_of_every_length() {
            FUNCTIONS.destinations_of_every_length();
        }

        #[test]
        fn every_scalar_value_after_several_numbers_of_others() {
            FUNCTIONS.every_scalar_value_after_several_numbers_of_others();
        }
    };
}
pub(crate) use battery;

/// The number of items before and after a destination that a function must not change.
const GUARD: usize = 80;

/// A destination that is long enough for the output of every function here.
fn enough(length: usize) -> usize {
    3 * length
}

trait Item: Copy + Default + PartialEq + std::fmt::Debug + From<u8> + 'static {
    /// The buffers of this thread for destinations of such items.
    fn buffers() -> &'static LocalKey<Cell<Buffers<Self>>>;
}

macro_rules! item {
    ($item:ty) => {
        impl Item for $item {
            fn buffers() -> &'static LocalKey<Cell<Buffers<Self>>> {
                thread_local! {
                    static BUFFERS: Cell<Buffers<$item>> = Cell::default();
                }
                &BUFFERS
            }
        }
    };
}
item!(u8);
item!(u16);

/// The buffers of [`check`], which are kept because it is called millions of times. They only grow.
#[derive(Default)]
struct Buffers<D> {
    /// What the reference writes.
    expected: Vec<D>,
    /// The destination among items that the function must not change. All items are the filler between two checks.
    guarded: Vec<D>,
}

/// Runs all functions with a destination of `room` items that starts `offset` items after the start of an allocation.
fn check<S: Item, D: Item>(functions: &[Function<S, D>], level: Level, source: &[S], offset: usize, room: usize) {
    let filler = D::from(0xA5);
    // A check that fails does not put the buffers back.
    let mut buffers = D::buffers().take();
    let Buffers { expected, guarded } = &mut buffers;
    expected.resize(room.max(expected.len()), filler);
    guarded.resize((offset + room + 2 * GUARD).max(guarded.len()), filler);
    for function in functions {
        let (read, written) = (function.reference)(source, &mut expected[..room]);
        let (before, destination) = guarded.split_at_mut(offset + GUARD);
        let (destination, after) = destination.split_at_mut(room);
        let counts = (function.dispatched)(source, destination);
        let context = || format!("{} at {level:?}, room {room}, offset {offset}: {source:X?}", function.name);
        assert_eq!(counts, (read, written), "{}", context());
        assert!(destination[..written] == expected[..written], "{}", context());
        destination.fill(filler);
        let is_filled = |items: &[D]| items.chunks(GUARD).all(|items| *items == [filler; GUARD][..items.len()]);
        assert!(is_filled(before) && is_filled(&after[..GUARD]), "outside: {}", context());
    }
    D::buffers().set(buffers);
}

/// Pseudo-random numbers (xorshift), the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % end
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Kinds of text. Each has a list from which the UTF-8 lengths of characters are drawn (a length that stands twice is
/// twice as likely) and the greatest length of a run of such characters.
const KINDS: &[(&[usize], usize)] = &[
    (&[1], 1),
    (&[2], 1),
    (&[3], 1),
    (&[4], 1),
    (&[1, 2], 1),
    (&[1, 2], 80),
    (&[1, 3], 70),
    (&[1, 1, 2, 3], 3),
    (&[2, 2, 2, 3], 9),
    (&[1, 2, 3, 4], 1),
    (&[1, 2, 3, 4], 40),
    (&[1, 1, 1, 1, 4], 20),
];

/// A text of `length` characters. If `latin1`, none is above U+00FF.
fn text(random: &mut Random, (lengths, longest_run): (&[usize], usize), length: usize, latin1: bool) -> String {
    let mut text = String::new();
    let mut count = 0;
    while count < length {
        let bytes = random.pick(lengths);
        for _ in 0..=random.below(longest_run) {
            let (first, end) = match bytes {
                1 => (0, 0x80),
                _ if latin1 => (0x80, 0x100),
                2 => (0x80, 0x800),
                3 => (0x800, 0x10000),
                _ => (0x10000, 0x110000),
            };
            // In place of a surrogate, the text gets the code point before or after all surrogates.
            let code_point = (first + random.below(end - first)) as u32;
            text.push(char::from_u32(code_point).unwrap_or(random.pick(&['\u{D7FF}', '\u{E000}'])));
            count += 1;
        }
    }
    text
}

fn texts(random: &mut Random, length: usize) -> Vec<String> {
    let all = KINDS.iter().map(|&kind| (kind, false));
    let latin1 = KINDS.iter().filter(|(lengths, _)| lengths.contains(&2)).map(|&kind| (kind, true));
    all.chain(latin1).map(|(kind, latin1)| text(random, kind, length, latin1)).collect()
}

impl Functions {
    fn check_bytes(&self, level: Level, source: &[u8], offset: usize, room: usize) {
        check(self.bytes_to_bytes, level, source, offset, room);
        check(self.bytes_to_units, level, source, offset, room);
    }

    fn check_units(&self, level: Level, source: &[u16], offset: usize, room: usize) {
        check(self.units_to_bytes, level, source, offset, room);
        for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            // The last byte is half a code unit.
            let bytes: Vec<u8> = source.iter().flat_map(|&unit| to_bytes(unit)).chain([0x41]).collect();
            check(self.utf16_to_bytes, level, &bytes, offset, room);
        }
    }

    pub(crate) fn text_of_every_length_at_every_alignment(&self) {
        at_every_level(|level| {
            let mut random = Random(1);
            for text in texts(&mut random, 300) {
                let units: Vec<u16> = text.encode_utf16().collect();
                for length in 0..=200 {
                    for source_offset in [random.below(64), length % 64] {
                        let bytes = &text.as_bytes()[source_offset..][..length];
                        self.check_bytes(level, bytes, random.below(64), enough(length));
                        let units = &units[source_offset..][..length];
                        self.check_units(level, units, random.below(64), enough(length));
                    }
                }
            }
            let plain = [b'a'; 300];
            for source_offset in 0..64 {
                for offset in 0..64 {
                    for length in [1, 31, 64, 200] {
                        self.check_bytes(level, &plain[source_offset..][..length], offset, length);
                    }
                }
            }
        });
    }

    pub(crate) fn long_text_starting_at_every_character(&self) {
        at_every_level(|level| {
            let mut random = Random(2);
            for text in texts(&mut random, 3000) {
                let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).take(70).collect();
                for start in starts {
                    let text = &text[start..];
                    self.check_bytes(level, text.as_bytes(), 0, enough(text.len()));
                    let units: Vec<u16> = text.encode_utf16().collect();
                    self.check_units(level, &units, 0, enough(units.len()));
                }
            }
        });
    }

    pub(crate) fn a_malformed_sequence_at_every_place(&self) {
        let malformed: &[&[u8]] = &[
            b"\x80",
            b"\xBF",
            b"\xC0\x80",
            b"\xC1\xBF",
            b"\xC2",
            b"\xC2\x41",
            b"\xDF\xC0",
            b"\xE0\x9F\xBF",
            b"\xE0\xA0",
            b"\xE1",
            b"\xE1\x80\x41",
            b"\xE1\x80\xC0",
            b"\xED\xA0\x80",
            b"\xED\xBF\xBF",
            b"\xEF\xBF",
            b"\xF0\x8F\xBF\xBF",
            b"\xF0\x90\x80",
            b"\xF0\x90",
            b"\xF1\x80\x80\x41",
            b"\xF1\x80\x80\xF0",
            b"\xF1\x80\xE0\x80",
            b"\xF4\x90\x80\x80",
            b"\xF5\x80\x80\x80",
            b"\xF7\xBF\xBF\xBF",
            b"\xF8\x88\x80\x80\x80",
            b"\xFE",
            b"\xFF",
            b"\xC3\xA9\xA9",
            b"\xE2\x82\xAC\x80",
            b"\xF0\x9F\x92\xA9\x80",
            b"\x41\x80\x80",
            b"\xF8\x90\x80\x80",
        ];
        at_every_level(|level| {
            let mut random = Random(3);
            for text in texts(&mut random, 200) {
                let places = text.char_indices().map(|(at, _)| at).filter(|&at| at < 270);
                for place in places {
                    for &sequence in malformed {
                        let mut bytes = text.as_bytes().to_vec();
                        bytes.splice(place..place, sequence.iter().copied());
                        // Sometimes the source ends right after the sequence.
                        bytes.truncate(place + sequence.len() + random.pick(&[0, 1, 30, 70, 140, 1000]));
                        self.check_bytes(level, &bytes, 0, enough(bytes.len()));
                    }
                }
            }
        });
    }

    pub(crate) fn a_lone_surrogate_at_every_place(&self) {
        let malformed: &[&[u16]] = &[
            &[0xD800],
            &[0xDBFF],
            &[0xDC00],
            &[0xDFFF],
            &[0xD83D, 0xD83D, 0xDCA9],
            &[0xDCA9, 0xD83D],
            &[0xD83D, 0x41],
            &[0xD83D, 0xDCA9, 0xDCA9],
            &[0x41, 0xDCA9],
            &[0xD800, 0xE000],
            &[0xD7FF, 0xDC00],
            &[0x100],
            &[0x80, 0xFF],
        ];
        at_every_level(|level| {
            let mut random = Random(4);
            for text in texts(&mut random, 200) {
                let text: Vec<u16> = text.encode_utf16().collect();
                for place in 0..text.len().min(200) {
                    for &sequence in malformed {
                        let mut units = text.clone();
                        units.splice(place..place, sequence.iter().copied());
                        units.truncate(place + sequence.len() + random.pick(&[0, 1, 30, 70, 140, 1000]));
                        self.check_units(level, &units, 0, enough(units.len()));
                        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                        check(self.bytes_to_units, level, &little, 0, units.len());
                        check(self.bytes_to_units, level, &big, 0, units.len() + 1);
                    }
                }
            }
        });
    }

    pub(crate) fn destinations_of_every_length(&self) {
        at_every_level(|level| {
            let mut random = Random(5);
            for text in texts(&mut random, 230) {
                let units: Vec<u16> = text.encode_utf16().collect();
                for room in 0..=text.len() + 3 {
                    self.check_bytes(level, text.as_bytes(), random.below(64), room);
                    self.check_units(level, &units, random.below(64), room);
                }
            }
        });
    }

    /// Checks all scalar values in their order, in pieces that stay in the processor's cache.
    pub(crate) fn every_scalar_value_after_several_numbers_of_others(&self) {
        const PIECE: usize = 4096;
        const SKIPPED: [usize; 8] = [0, 1, 2, 3, 5, 17, 31, 63];
        let all: Vec<char> = ('\0'..=char::MAX).collect();
        for first in (0..all.len()).step_by(PIECE) {
            // With as many characters of the next piece as are skipped, so that each is at every place.
            let piece = &all[first..all.len().min(first + PIECE + 64)];
            let texts = SKIPPED.map(|skipped| {
                let text: String = piece[skipped..].iter().collect();
                let units: Vec<u16> = text.encode_utf16().collect();
                (text, units)
            });
            at_every_level(|level| {
                for (text, units) in &texts {
                    self.check_bytes(level, text.as_bytes(), 0, enough(text.len()));
                    self.check_units(level, units, 0, enough(units.len()));
                }
            });
        }
    }

    /// Checks all pairs of bytes, and all sequences of four significant bytes, between ASCII and at the very end.
    pub(crate) fn all_pairs_of_bytes_and_sequences_of_significant_bytes(&self) {
        let significant: &[u8] = &[
            0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF1, 0xF4,
            0xF5, 0xF8,
        ];
        at_every_level(|level| {
            let mut block = [b'a'; 140];
            let mut check_in_context = |sequence: &[u8]| {
                // In the middle of a block, across the end of a block, and at the end of the source.
                for (place, length) in [(70, 140), (62, 140), (61, 140), (100, 100 + sequence.len())] {
                    block[place..place + sequence.len()].copy_from_slice(sequence);
                    check(self.bytes_to_units, level, &block[..length], 0, 140);
                    check(self.bytes_to_bytes, level, &block[..length], 0, 0);
                    block[place..place + sequence.len()].fill(b'a');
                }
            };
            for pair in 0..=u16::MAX {
                check_in_context(&pair.to_be_bytes());
            }
            for number in 0..significant.len().pow(4) {
                let sequence: [u8; 4] =
                    core::array::from_fn(|place| significant[number / 20usize.pow(place as u32) % 20]);
                check_in_context(&sequence);
            }
        });
    }
}

/// Checks that `make` panics with `message`.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn refuses<T>(message: &str, make: impl FnOnce() -> T) {
    let Err(panic) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(make)) else {
        panic!("no panic: {message}")
    };
    let found = panic.downcast_ref::<&str>().copied().unwrap_or("a panic that has arguments");
    assert_eq!(found, message);
}
