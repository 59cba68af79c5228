//! Searches for slow patterns: sources that repeat a few bytes or a few characters, beside encoding_rs.
//!
//! ```text
//! cargo bench -p textcodec-benches --bench patterns [-- [OPTION...] [WORD...]]
//! ```
//!
//! A word selects the encodings whose names contain it. `--utf16` converts to and from UTF-16 instead of UTF-8,
//! `--level=avx2` sets the level of the kernels, and `--steps=7` tries every seventh pattern. `--bytes=8862` decodes
//! one pattern, and shows its speed whether it is slow or not.
//!
//! A pattern is slow if textcodec is slower than encoding_rs, or in text with errors slower than half of it. A line
//! counts the slow patterns of a kind, and shows the one with the least ratio. With `--starts` there is a line for each
//! first byte, or for each 256 code points. `benches/PATTERNS.tsv` has the lines of the last search for the
//! encodings of several bytes (Zen 4; at the level `Avx2` with `--steps=7`, which counts a seventh).

use std::{
    collections::BTreeMap,
    env,
    fmt::Write,
    hint::black_box,
    time::{Duration, Instant},
};

use textcodec::{DecodeErrorMode, EncodeErrorMode, Encoding};
use textcodec_benches::Pair;
use textcodec_kernels::level::{force, level, levels};

/// The approximate length of a source in bytes.
const LENGTH: usize = 4096;
/// The number of samples of every pattern, and of a pattern that seems to be slow. The least time counts.
const SAMPLES: (usize, usize) = (3, 25);
/// Speeds of textcodec in bytes per nanosecond from which on encoding_rs is not measured.
const FAST: f64 = 2.0;
/// Bytes that handlers treat in different ways, for the patterns of three bytes.
const CLASSES: [u8; 24] = [
    0x0E, 0x1B, 0x20, 0x24, 0x28, 0x30, 0x41, 0x42, 0x4A, 0x5C, 0x7F, 0x80, 0x81, 0x8E, 0x8F, 0xA0, 0xA1, 0xC8, 0xE0,
    0xED, 0xF0, 0xF4, 0xFE, 0xFF,
];
/// A character that all legacy encodings of East Asia have: the text around a pattern.
const PLAIN: char = '中';

/// What a source is made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    /// The pattern only.
    Repeated,
    /// The pattern after nine ordinary characters.
    OneInTen,
    /// The pattern in ISO-2022-JP, after an escape sequence at the beginning.
    Shifted,
}

/// Slow patterns of one kind.
struct Group {
    count: usize,
    worst: Finding,
}

/// The times for one pattern.
#[derive(Clone)]
struct Finding {
    pattern: String,
    /// Bytes of the source in a nanosecond.
    ours: f64,
    theirs: f64,
}

/// The options, and the groups found so far by encoding, direction, kind, whether there are errors, and beginning.
struct Search {
    /// The only pattern to decode.
    bytes: Option<Vec<u8>>,
    utf16: bool,
    /// Whether patterns that begin in different ways are counted apart.
    starts: bool,
    steps: usize,
    groups: BTreeMap<(String, &'static str, Kind, bool, u32), Group>,
}

fn main() {
    // `cargo test` runs benchmarks, too. In a run of `cargo test`, few patterns are tried.
    let measures = env::args().any(|argument| argument == "--bench");
    let option = |name: &str| env::args().find_map(|argument| argument.strip_prefix(name).map(str::to_owned));
    force(option("--level=").map(|name| {
        let mut levels = levels();
        levels.find(|level| format!("{level:?}").eq_ignore_ascii_case(&name)).expect("a level of this processor")
    }));
    let words: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let mut search = Search {
        bytes: option("--bytes=").map(|digits| {
            let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hexadecimal digits");
            (0..digits.len()).step_by(2).map(byte).collect()
        }),
        starts: env::args().any(|argument| argument == "--starts"),
        utf16: env::args().any(|argument| argument == "--utf16"),
        steps: option("--steps=").map_or(if measures { 1 } else { 4999 }, |steps| steps.parse().expect("a number")),
        groups: BTreeMap::new(),
    };
    let is_wanted = |name: &str| words.iter().any(|word| name.to_ascii_lowercase().contains(&word.to_lowercase()));
    for encoding in Encoding::all().filter(|encoding| words.is_empty() || is_wanted(encoding.name())) {
        if encoding.name() != "replacement" {
            search.decoder(Pair::of(encoding));
            if search.bytes.is_none() && encoding.output_encoding() == encoding {
                search.encoder(Pair::of(encoding));
            }
        }
    }
    search.print();
}

impl Search {
    /// Tries the patterns of bytes.
    fn decoder(&mut self, pair: Pair) {
        let plain = pair.ours.encode(&PLAIN.to_string()).bytes.repeat(9);
        let patterns = self.bytes.clone().map_or_else(|| patterns_of_bytes(pair.ours), |bytes| vec![bytes]);
        for pattern in patterns.iter().step_by(self.steps) {
            self.try_bytes(pair, Kind::Repeated, &[], pattern, pattern);
            if !pair.ours.is_single_byte() && pattern.len() == 2 {
                self.try_bytes(pair, Kind::OneInTen, &[], &[&plain[..], pattern].concat(), pattern);
            }
            if pair.ours.name() == "ISO-2022-JP" {
                for escape in [b"\x1B$B", b"\x1B(J", b"\x1B(I"] {
                    self.try_bytes(pair, Kind::Shifted, escape, pattern, &[escape, &pattern[..]].concat());
                }
            }
        }
    }

    /// Decodes `start` and then `unit` again and again.
    fn try_bytes(&mut self, pair: Pair, kind: Kind, start: &[u8], unit: &[u8], shown: &[u8]) {
        let source: Vec<u8> = start
            .iter()
            .chain(unit.iter().cycle())
            .copied()
            .take(start.len() + LENGTH / unit.len() * unit.len())
            .collect();
        let (mut bytes, mut units) = (vec![0; 3 * source.len() + 64], vec![0_u16; source.len() + 64]);
        let (mut their_bytes, mut their_units) = (bytes.clone(), units.clone());
        let mut ours = || {
            let mut decoder = pair.ours.new_decoder_without_bom_handling();
            let source = black_box(&source[..]);
            if self.utf16 {
                decoder.decode_to_utf16(source, black_box(&mut units), true, DecodeErrorMode::Replacement).had_errors
            } else {
                decoder.decode_to_utf8(source, black_box(&mut bytes), true, DecodeErrorMode::Replacement).had_errors
            }
        };
        let mut theirs = || {
            let mut decoder = pair.theirs.new_decoder_without_bom_handling();
            let source = black_box(&source[..]);
            if self.utf16 {
                decoder.decode_to_utf16(source, black_box(&mut their_units), true).3
            } else {
                decoder.decode_to_utf8(source, black_box(&mut their_bytes), true).3
            }
        };
        let has_errors = ours();
        if let Some((ours, theirs)) = self.slow(source.len(), has_errors, &mut ours, &mut theirs) {
            let mut pattern = String::new();
            shown.iter().for_each(|byte| write!(pattern, "{byte:02X} ").expect("a string takes all"));
            let finding = Finding { pattern: pattern.trim_end().to_owned(), ours, theirs };
            let first = u32::from(shown[start.len()]);
            let state = u32::from(start.last().copied().unwrap_or_default());
            self.add((pair.ours.name().to_owned(), "decode", kind, has_errors, state << 8 | first), finding);
        }
    }

    /// Tries all characters.
    fn encoder(&mut self, pair: Pair) {
        let characters = ('\0'..='\u{FFFF}').chain('\u{10000}'..='\u{1003F}').chain('\u{20000}'..='\u{2A6DF}');
        for character in characters.step_by(self.steps) {
            let unit = character.to_string();
            self.try_text(pair, Kind::Repeated, character, &unit);
            self.try_text(pair, Kind::OneInTen, character, &format!("{}{unit}", PLAIN.to_string().repeat(9)));
        }
    }

    /// Encodes `unit` again and again.
    fn try_text(&mut self, pair: Pair, kind: Kind, character: char, unit: &str) {
        // Some encoders are slow, so the sources are short.
        let source = unit.repeat(LENGTH / 4 / unit.len());
        let text: Vec<u16> = source.encode_utf16().collect();
        let mut bytes = vec![0; 12 * LENGTH / 4 + 64];
        let mut their_bytes = bytes.clone();
        let mut ours = || {
            let mut encoder = pair.ours.new_encoder();
            let (mode, bytes) = (EncodeErrorMode::Html, black_box(&mut bytes[..]));
            if self.utf16 {
                encoder.encode_utf16(black_box(&text), bytes, true, mode).had_errors
            } else {
                encoder.encode_str(black_box(&source), bytes, true, mode).had_errors
            }
        };
        let mut theirs = || {
            let mut encoder = pair.theirs.new_encoder();
            let bytes = black_box(&mut their_bytes[..]);
            if self.utf16 {
                encoder.encode_from_utf16(black_box(&text), bytes, true).3
            } else {
                encoder.encode_from_utf8(black_box(&source), bytes, true).3
            }
        };
        let has_errors = ours();
        let length = if self.utf16 { 2 * text.len() } else { source.len() };
        if let Some((ours, theirs)) = self.slow(length, has_errors, &mut ours, &mut theirs) {
            let finding = Finding { pattern: format!("U+{:04X}", u32::from(character)), ours, theirs };
            let start = u32::from(character) >> 8;
            self.add((pair.ours.name().to_owned(), "encode", kind, has_errors, start), finding);
        }
    }

    /// The speeds of both in bytes per nanosecond, if we are slow.
    fn slow<R>(
        &self,
        length: usize,
        has_errors: bool,
        ours: &mut dyn FnMut() -> R,
        theirs: &mut dyn FnMut() -> R,
    ) -> Option<(f64, f64)> {
        let limit = if has_errors { 0.5 } else { 1.0 };
        let speed = |samples, call: &mut dyn FnMut() -> R| length as f64 / least(samples, call).as_nanos() as f64;
        if self.bytes.is_some() {
            return Some((speed(SAMPLES.1, ours), speed(SAMPLES.1, theirs)));
        }
        let first = speed(SAMPLES.0, ours);
        // Mostly one call of a slow peer is enough.
        let is_fast = first >= FAST || first >= 2.0 * limit * speed(1, theirs);
        if is_fast || first >= limit * speed(SAMPLES.0, theirs) {
            return None;
        }
        let speeds = (speed(SAMPLES.1, ours), speed(SAMPLES.1, theirs));
        (speeds.0 < 0.98 * limit * speeds.1).then_some(speeds)
    }

    fn add(&mut self, mut key: (String, &'static str, Kind, bool, u32), finding: Finding) {
        if !self.starts {
            key.4 = 0;
        }
        let group = self.groups.entry(key).or_insert_with(|| Group { count: 0, worst: finding.clone() });
        group.count += 1;
        if finding.ours / finding.theirs < group.worst.ours / group.worst.theirs {
            group.worst = finding;
        }
    }

    fn print(&self) {
        let level = level();
        println!("level\tencoding\tdirection\tkind\ttext\tpatterns\tworst pattern\tMB/s\tencoding_rs MB/s\tratio");
        for ((encoding, direction, kind, has_errors, _), Group { count, worst }) in &self.groups {
            let Finding { pattern, ours, theirs } = worst;
            let text = match (*direction, has_errors) {
                (_, false) => "valid",
                ("decode", true) => "malformed",
                (_, true) => "unmappable",
            };
            let kind = format!("{kind:?}").to_lowercase();
            let (ratio, ours, theirs) = (ours / theirs, 1000.0 * ours, 1000.0 * theirs);
            println!(
                "{level:?}\t{encoding}\t{direction}\t{kind}\t{text}\t{count}\t{pattern}\t{ours:.0}\t{theirs:.0}\t{ratio:.2}"
            );
        }
    }
}

/// The patterns: all of one byte; for an encoding of several bytes also all of two bytes, and of three bytes of
/// [`CLASSES`].
fn patterns_of_bytes(encoding: Encoding) -> Vec<Vec<u8>> {
    let mut patterns: Vec<Vec<u8>> = (0..=0xFF).map(|byte| vec![byte]).collect();
    if !encoding.is_single_byte() {
        patterns.extend((0..=0xFFFF_u16).map(|pair| pair.to_be_bytes().to_vec()));
        for first in CLASSES {
            patterns.extend(CLASSES.iter().flat_map(|&second| CLASSES.map(|third| vec![first, second, third])));
        }
    }
    patterns
}

/// The least time of several calls.
fn least<R>(samples: usize, call: &mut dyn FnMut() -> R) -> Duration {
    let sample = |_| {
        let start = Instant::now();
        black_box(call());
        start.elapsed()
    };
    (0..samples).map(sample).min().unwrap_or_default().max(Duration::from_nanos(1))
}
