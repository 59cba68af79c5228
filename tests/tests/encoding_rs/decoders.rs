//! Decoders: every call of every method gives what encoding_rs gives.

use std::sync::Once;

use quickcheck::{QuickCheck, TestResult};

use crate::{
    driver::{BOMS, Bom, DECODES, Decode, ours, theirs},
    streams::Bytes,
};

/// The panics of encoding_rs are expected, and there are many.
fn without_messages() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let is_theirs = info.location().is_some_and(|location| location.file().contains("encoding_rs-0.8"));
            let is_expected =
                info.payload().downcast_ref::<String>().is_some_and(|text| text.contains("end of its stream"));
            if !is_theirs && !is_expected {
                before(info);
            }
        }));
    });
}

/// Decodes the stream with both crates, and compares all that they tell. Methods are called in turn, so that a stream goes through
/// several of them.
fn compare(number: usize, bom: Bom, methods: &[Decode], stream: &Bytes) -> Result<(), String> {
    without_messages();
    let mut theirs = theirs::Decoder::new(theirs::encodings()[number], bom);
    let mut ours = ours::Decoder::new(ours::encodings()[number], bom);
    let name = theirs.0.encoding().name();
    let mut calls = 0;
    let mut log = Vec::new();
    for (at, source) in stream.sources.iter().enumerate() {
        let last = at + 1 == stream.sources.len();
        let mut rest = &source[..];
        loop {
            // A destination that is too small for a character would never end.
            let space = stream.spaces[calls % stream.spaces.len()] + if calls > 60 { 40 } else { 0 };
            let method = methods[calls % methods.len()];
            calls += 1;
            let expected = theirs.call(method, rest, space, last);
            // encoding_rs panics at the end of a stream that cuts off a sequence, if the destination is too small for U+FFFD.
            let Some(expected) = expected else { return Ok(()) };
            let outcome = ours.call(method, rest, space, last);
            log.push(format!("{method:?} {rest:02X?} into {space}, last {last}:\n  {expected:?}"));
            if outcome.as_ref() != Some(&expected) {
                return Err(format!(
                    "{name} {bom:?}\n{}\n  {outcome:?}",
                    log[log.len().saturating_sub(4)..].join("\n")
                ));
            }
            rest = &rest[expected.read..];
            if expected.result == "InputEmpty" {
                break;
            }
        }
    }
    Ok(())
}

fn run(count: u64, check: fn(Bytes, u8) -> TestResult) {
    QuickCheck::new().tests(count).max_tests(4 * count).quickcheck(check as fn(Bytes, u8) -> TestResult);
}

#[test]
fn streams_decode_with_the_same_results() {
    fn check(stream: Bytes, seed: u8) -> TestResult {
        if stream.sources.is_empty() {
            return TestResult::discard();
        }
        for number in 0..40 {
            let bom = BOMS[usize::from(seed) % 3];
            let method = DECODES[usize::from(seed) / 3 % 8];
            if let Err(difference) = compare(number, bom, &[method], &stream) {
                return TestResult::error(difference);
            }
        }
        TestResult::passed()
    }
    run(if cfg!(feature = "exhaustive") { 30_000 } else { 300 }, check);
}

#[test]
fn every_size_of_destination_gives_the_same_results() {
    let streams: [&[u8]; 10] = [
        b"\x81\0\x81\x30\x81\x40\0\x81\x30\x90\x30\x81\x30a",
        b"\x81\0\x81\x30\x81\0\x81\x30\x81\x20a\x81\x30\x81\x30",
        b"a\x82\xA0b \xB1 c\x82\xFFd\x82",
        b"\xA4\xA2 \x8E\xB1\x8F\xB0\xA1a\x8F\xB0\xFFab",
        b"\x1B$B$\"$\x1B(B\x1B(Ja\\\x1B$A\x1B(I1\x1B(B\x1B$Ba",
        b"\xEF\xBB\xBFa\xC3\xA9\xE2\x82\xAC\xF0\x9F\x92\xA9\xF0\x9F\xFFa",
        b"\xFF\xFEa\0\x3D\xD8\xA9\xDC\x3D\xD8b\0\xA9\xDCc\0d",
        b"\xFE\xFF\0a\xD8\x3D\xDC\xA9\xD8\x3D\0b\0",
        b"\xE9a \xD2ab \x80\x9Dabc",
        // After two errors, a digit and a control character: the last byte, 37, is also the last byte of gb18030's U+FFFD.
        b"\xA1\xA17\0\xA17a\xA1\xA17",
    ];
    for bytes in streams {
        for cut in [0, 1, 2, 3, bytes.len() / 2, bytes.len()] {
            let sources = vec![bytes[..cut].to_vec(), bytes[cut..].to_vec()];
            for space in 0..44 {
                let stream = Bytes { sources: sources.clone(), spaces: vec![space] };
                for number in 0..40 {
                    for bom in [Bom::Sniff, Bom::Keep] {
                        for method in [Decode::Utf8, Decode::Utf8Fatal, Decode::Utf16, Decode::Utf16Fatal] {
                            compare(number, bom, &[method], &stream)
                                .unwrap_or_else(|difference| panic!("{difference}"));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn escape_sequences_that_the_end_cuts_off_give_the_same_greatest_lengths() {
    let streams: [&[u8]; 6] =
        [b"\x1B$@\x1B$", b"\x1B$@\x1B", b"\x1B(B\x1B", b"\x1B$B\xFF\x1B(", b"\x1B$B$\"\x1B$", b"\x1B$B\x1B$A\x1B$"];
    let number = theirs::encodings().iter().position(|&encoding| encoding == encoding_rs::ISO_2022_JP).unwrap();
    for bytes in streams {
        for (cut, space) in (0..bytes.len()).flat_map(|cut| (0..10).map(move |space| (cut, space))) {
            let stream = Bytes { sources: vec![bytes[..cut].into(), bytes[cut..].into()], spaces: vec![space] };
            for method in [Decode::Utf8, Decode::Utf8Fatal, Decode::Utf16, Decode::Utf16Fatal] {
                compare(number, Bom::Keep, &[method], &stream).unwrap_or_else(|difference| panic!("{difference}"));
            }
        }
    }
}
