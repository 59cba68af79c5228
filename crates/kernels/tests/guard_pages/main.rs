//! No kernel reads outside of its source and its tables, or writes outside of its destination.
//!
//! The slices lie directly before or after an unmapped page, so that a kernel that leaves them by a single byte ends
//! the process. A message on standard error then names the kernel, the level and the slice.
#![cfg(unix)]

mod memory;
mod tables;

use memory::{Edge, Guarded, Item, announce, announce_level, explain_faults, is_fatal};
use tables::Tables;
use textcodec_kernels::{
    ascii, bidi, double_byte, four_bytes, latin1,
    level::{Level, at_every_level},
    single_byte, string, to_double_byte, to_single_byte, unshifted, utf8, utf16,
};

/// A function from a source to a destination that returns how many items it wrote.
struct Function<S: 'static, D: 'static> {
    name: &'static str,
    call: fn(&Tables, &[S], &mut [D]) -> usize,
}

impl<S, D> Function<S, D> {
    const fn new(name: &'static str, call: fn(&Tables, &[S], &mut [D]) -> usize) -> Self {
        Function { name, call }
    }
}

/// The number of items that are written by a function that only inspects its source.
fn nothing<T>(_: T) -> usize {
    0
}

const BYTES_TO_BYTES: &[Function<u8, u8>] = &[
    Function::new("ascii::prefix_length", |_, from, _| nothing(ascii::prefix_length(from))),
    Function::new("ascii::copy", |_, from, to| ascii::copy(from, to)),
    // Its argument is well-formed.
    Function::new("bidi::is_in_utf8", |_, from, _| nothing(bidi::is_in_utf8(&from[..utf8::valid_up_to(from)]))),
    Function::new("latin1::prefix_length_utf8", |_, from, _| nothing(latin1::prefix_length_utf8(from))),
    Function::new("latin1::to_utf8", |_, from, to| latin1::to_utf8(from, to).1),
    Function::new("latin1::from_utf8", |_, from, to| latin1::from_utf8(from, to).1),
    Function::new("unshifted::prefix_length", |_, from, _| nothing(unshifted::prefix_length(from))),
    Function::new("unshifted::copy_blocks", |_, from, to| unshifted::copy_blocks(from, to)),
    Function::new("utf8::valid_up_to", |_, from, _| nothing(utf8::valid_up_to(from))),
    Function::new("utf8::copy", |_, from, to| utf8::copy(from, to)),
    Function::new("utf8::copy_replacing", |_, from, to| utf8::copy_replacing(from, to).1),
    Function::new("utf16::from_utf8_to_be_bytes", |_, from, to| utf16::from_utf8_to_be_bytes(from, to).1),
    Function::new("utf16::from_utf8_to_le_bytes", |_, from, to| utf16::from_utf8_to_le_bytes(from, to).1),
    Function::new("utf16::be_bytes_to_utf8", |_, from, to| utf16::be_bytes_to_utf8(from, to).1),
    Function::new("utf16::le_bytes_to_utf8", |_, from, to| utf16::le_bytes_to_utf8(from, to).1),
    Function::new("utf16::be_bytes_to_utf8_replacing", |_, from, to| utf16::be_bytes_to_utf8_replacing(from, to).1),
    Function::new("utf16::le_bytes_to_utf8_replacing", |_, from, to| utf16::le_bytes_to_utf8_replacing(from, to).1),
    Function::new("single_byte::to_utf8", |tables, from, to| {
        single_byte::to_utf8(tables.code_points, single_byte::NULL, from, to);
        single_byte::to_utf8(tables.code_points, single_byte::NEVER, from, to).1
    }),
    Function::new("single_byte::dense_to_utf8", |tables, from, to| {
        single_byte::dense_to_utf8(tables.code_points, single_byte::NULL, from, to);
        single_byte::dense_to_utf8(tables.code_points, single_byte::NEVER, from, to).1
    }),
    // Its argument is well-formed.
    Function::new("to_double_byte::markup_from_utf8", |tables, from, to| {
        to_double_byte::markup_from_utf8(&tables.pointers, &from[..utf8::valid_up_to(from)], to).1
    }),
    Function::new("to_single_byte::from_utf8", |tables, from, to| to_single_byte::from_utf8(tables.bytes, from, to).1),
    Function::new("double_byte::few_to_utf8", |tables, from, to| {
        double_byte::few_to_utf8(&tables.plain, &tables.range, &mut 0, from, to).unwrap_or(0)
    }),
    Function::new("double_byte::to_utf8", |tables, from, to| {
        double_byte::to_utf8(&tables.ruled, from, to);
        double_byte::to_utf8(&tables.plain, from, to).1
    }),
    Function::new("double_byte::to_utf8_replacing", |tables, from, to| {
        double_byte::to_utf8_replacing(&tables.ruled, from, to);
        double_byte::to_utf8_replacing(&tables.plain, from, to).1
    }),
    Function::new("string::as_ascii", |_, from, _| nothing(string::as_ascii(from))),
    Function::new("string::as_utf8", |_, from, _| nothing(string::as_utf8(from))),
    Function::new("string::from_latin1", |_, from, _| nothing(string::from_latin1(from))),
];

const BYTES_TO_UNITS: &[Function<u8, u16>] = &[
    Function::new("ascii::widen", |_, from, to| ascii::widen(from, to)),
    Function::new("latin1::to_utf16", |_, from, to| latin1::to_utf16(from, to)),
    Function::new("unshifted::widen_blocks", |_, from, to| unshifted::widen_blocks(from, to)),
    Function::new("utf16::from_utf8", |_, from, to| utf16::from_utf8(from, to).1),
    Function::new("utf16::from_utf8_replacing", |_, from, to| utf16::from_utf8_replacing(from, to).1),
    Function::new("utf16::from_be_bytes", |_, from, to| utf16::from_be_bytes(from, to)),
    Function::new("utf16::from_le_bytes", |_, from, to| utf16::from_le_bytes(from, to)),
    Function::new("utf16::from_be_bytes_replacing", |_, from, to| utf16::from_be_bytes_replacing(from, to)),
    Function::new("utf16::from_le_bytes_replacing", |_, from, to| utf16::from_le_bytes_replacing(from, to)),
    Function::new("single_byte::to_private_use", |_, from, to| single_byte::to_private_use(from, to)),
    Function::new("single_byte::to_utf16", |tables, from, to| {
        single_byte::to_utf16(tables.code_points, single_byte::NULL, from, to);
        single_byte::to_utf16(tables.code_points, single_byte::NEVER, from, to)
    }),
    Function::new("double_byte::few_to_utf16", |tables, from, to| {
        double_byte::few_to_utf16(&tables.plain, &tables.range, &mut 0, from, to).unwrap_or(0)
    }),
    Function::new("double_byte::to_utf16", |tables, from, to| {
        double_byte::to_utf16(&tables.ruled, from, to);
        double_byte::to_utf16(&tables.plain, from, to).1
    }),
    Function::new("double_byte::to_utf16_replacing", |tables, from, to| {
        double_byte::to_utf16_replacing(&tables.ruled, from, to);
        double_byte::to_utf16_replacing(&tables.plain, from, to).1
    }),
    Function::new("four_bytes::to_utf16", |tables, from, to| four_bytes::to_utf16(&tables.range, from, to).1),
];

const UNITS_TO_BYTES: &[Function<u16, u8>] = &[
    Function::new("ascii::prefix_length_utf16", |_, from, _| nothing(ascii::prefix_length_utf16(from))),
    Function::new("ascii::narrow", |_, from, to| ascii::narrow(from, to)),
    Function::new("bidi::is_in_utf16", |_, from, _| nothing(bidi::is_in_utf16(from))),
    Function::new("latin1::prefix_length_utf16", |_, from, _| nothing(latin1::prefix_length_utf16(from))),
    Function::new("latin1::from_utf16", |_, from, to| latin1::from_utf16(from, to)),
    Function::new("unshifted::narrow_blocks", |_, from, to| unshifted::narrow_blocks(from, to)),
    Function::new("utf16::valid_up_to", |_, from, _| nothing(utf16::valid_up_to(from))),
    Function::new("utf16::utf8_length", |_, from, _| nothing(utf16::utf8_length(&from[..utf16::valid_up_to(from)]))),
    Function::new("utf8::from_utf16", |_, from, to| utf8::from_utf16(from, to).1),
    Function::new("to_single_byte::from_utf16", |tables, from, to| to_single_byte::from_utf16(tables.bytes, from, to)),
    Function::new("to_single_byte::from_private_use", |_, from, to| to_single_byte::from_private_use(from, to)),
    Function::new("to_double_byte::from_utf16", |tables, from, to| {
        to_double_byte::from_utf16(&tables.pointers, from, to).1
    }),
    Function::new("four_bytes::from_utf16", |tables, from, to| four_bytes::from_utf16(&tables.range, from, to).1),
];

const UNITS_TO_UNITS: &[Function<u16, u16>] = &[Function::new("utf16::ensure_validity", |_, from, to| {
    let length = from.len().min(to.len());
    to[..length].copy_from_slice(&from[..length]);
    utf16::ensure_validity(&mut to[..length]);
    length
})];

/// Every length up to 300, and longer lengths, at which each kernel that works in chunks converts some chunks.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=300).chain((301..LONGEST).step_by(29)).chain([LONGEST])
}

const LONGEST: usize = 1100;

/// More items than any function writes for [`LONGEST`] items: four bytes for a code unit, and the overshoot of a
/// vector.
const AMPLE: usize = 5 * LONGEST + 300;

/// Text of every kind, longer than [`LONGEST`], by a pattern that is repeated.
fn byte_texts(tables: &Tables) -> Vec<Vec<u8>> {
    let utf16 = |text: &str, to_bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(to_bytes).collect::<Vec<u8>>();
    let pattern = |length: usize, byte: fn(usize) -> u8| (0..length).map(byte).collect::<Vec<u8>>();
    let patterns: Vec<Vec<u8>> = vec![
        b"plain ASCII text ".to_vec(),
        "жук и ёж ".into(),
        "语言処理".into(),
        "語 a é \u{1F4A9}€".into(),
        "\u{1F4A9}".into(),
        "é".into(),
        utf16("aé€ \u{1F4A9}", u16::to_le_bytes),
        utf16("aé€ \u{1F4A9}", u16::to_be_bytes),
        // Single bytes, with and without ASCII between them.
        pattern(97, |at| if at % 7 == 3 { b' ' } else { 0xA6 + (at * 5 % 90) as u8 }),
        pattern(97, |at| 0x80 + (at * 5 % 37) as u8),
        // Pairs with all kinds of trailing bytes, with and without ASCII between them, and few among ASCII.
        pattern(202, |at| if at % 2 == 0 { 0x81 + (at % 31) as u8 } else { 0x40 + (at * 3 % 63) as u8 }),
        pattern(202, |at| match at % 5 {
            0 | 2 => 0xE0 + (at % 29) as u8,
            1 | 3 => 0x80 + (at * 3 % 125) as u8,
            _ => b' ',
        }),
        pattern(41, |at| match at {
            20 => 0x85,
            21 => 0x61,
            _ => b'a',
        }),
        // A run of leading bytes: every other one trails.
        vec![0x85],
        // Malformed in every encoding, close to each other and far from each other.
        b"\xFF\x80a\xE2\x82\xF0\x9F\x92b\xED\xA0\x80\x85\xFF".to_vec(),
        [b"a".repeat(150), b"\xFF\xFF".to_vec()].concat(),
        (0..50_u32).flat_map(|at| four_bytes::bytes(tables.range.pointer + 700 * at)).collect(),
        (0..50_u32).flat_map(|at| [four_bytes::bytes(700 * at).as_slice(), b", "].concat()).collect(),
    ];
    patterns.into_iter().map(|pattern| pattern.into_iter().cycle().take(LONGEST).collect()).collect()
}

fn unit_texts() -> Vec<Vec<u16>> {
    let listed: Vec<u16> = (0..97).map(|at| 0x4E00 + at * 37 % 0x200).collect();
    let mut patterns: Vec<Vec<u16>> =
        ["plain ASCII text ", "é", "жук и ёж ", "语言処理", "aé€\u{1F4A9}", "\u{1F4A9}", "语言, a жук. "]
            .map(|text| text.encode_utf16().collect())
            .into();
    patterns.push(vec![0x61, 0xD83D, 0xDCA9, 0xDCA9, 0xD83D, 0x4E00]);
    patterns.push(vec![0xFF; 1]);
    patterns.push(listed);
    patterns.into_iter().map(|pattern| pattern.into_iter().cycle().take(LONGEST).collect()).collect()
}

/// The name of a level, for the signal handler.
fn name(level: Level) -> &'static &'static str {
    Box::leak(Box::new(&*Box::leak(format!("{level:?}").into_boxed_str())))
}

/// Calls `functions` with each text at each length, between unmapped pages, with destinations that are ample, exact and
/// short.
fn check<S: Item, D: Item>(functions: &'static [Function<S, D>], tables: &Tables, texts: &[Vec<S>]) {
    let mut source = Guarded::new(LONGEST * size_of::<S>());
    let mut destination = Guarded::new(AMPLE * size_of::<D>());
    for edge in [Edge::Start, Edge::End] {
        for text in texts {
            for length in lengths() {
                let source = &*source.copy(edge, &text[..length]);
                for function in functions {
                    let mut run = |length: usize| {
                        let to = destination.slice(edge, length);
                        announce(&function.name, source, to);
                        let written = (function.call)(tables, source, to);
                        assert!(written <= length, "{} wrote {written} items into {length}", function.name);
                        written
                    };
                    let exact = run(5 * length + 300);
                    for room in [exact, exact.saturating_sub(1), exact / 2, exact + 1] {
                        run(room);
                    }
                }
            }
        }
    }
}

fn at_every_level_between_guard_pages(test: impl Fn(&Tables)) {
    explain_faults();
    let tables = Tables::new();
    at_every_level(|level| {
        announce_level(name(level));
        test(&tables);
    });
}

#[test]
fn functions_from_bytes_to_bytes_stay_inside_of_their_slices() {
    at_every_level_between_guard_pages(|tables| check(BYTES_TO_BYTES, tables, &byte_texts(tables)));
}

#[test]
fn functions_from_bytes_to_code_units_stay_inside_of_their_slices() {
    at_every_level_between_guard_pages(|tables| check(BYTES_TO_UNITS, tables, &byte_texts(tables)));
}

#[test]
fn functions_from_code_units_stay_inside_of_their_slices() {
    at_every_level_between_guard_pages(|tables| {
        check(UNITS_TO_BYTES, tables, &unit_texts());
        check(UNITS_TO_UNITS, tables, &unit_texts());
    });
}

#[test]
fn an_access_right_before_or_after_a_guarded_slice_ends_the_process() {
    for (edge, inside, outside) in [(Edge::Start, 0, usize::MAX), (Edge::End, 9, 10)] {
        let mut pages = Guarded::new(10);
        let first = pages.slice::<u8>(edge, 10).as_mut_ptr();
        let read = |at: usize| {
            let at = first.wrapping_add(at);
            // SAFETY: none; the address is inside of the slice, or the read is meant to end the child process that does
            // it.
            move || _ = unsafe { at.read_volatile() }
        };
        assert!(!is_fatal(read(inside)), "{edge:?}");
        assert!(is_fatal(read(outside)), "{edge:?}");
    }
}

/// Finds functions that were added to the crate and not to this test.
#[test]
fn every_public_function_with_a_source_is_in_this_test() {
    let names: Vec<&str> = [
        BYTES_TO_BYTES.iter().map(|function| function.name).collect::<Vec<_>>(),
        BYTES_TO_UNITS.iter().map(|function| function.name).collect(),
        UNITS_TO_BYTES.iter().map(|function| function.name).collect(),
    ]
    .concat();
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for file in std::fs::read_dir(source).expect("the crate has a directory of sources") {
        let path = file.expect("the directory can be read").path();
        let Some(module) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".rs")) else { continue };
        let text = std::fs::read_to_string(&path).expect("a source file is text");
        for declaration in text.split("\npub fn ").skip(1) {
            let head = declaration.split(')').next().unwrap_or_default();
            let function = head.split(['(', '<']).next().unwrap_or_default();
            let name = format!("{module}::{function}");
            assert!(!head.contains("source: &[") || names.contains(&&*name), "{name} is in no list of this test");
        }
    }
}
