//! Encoders: every call of every method gives what encoding_rs gives.

use quickcheck::{QuickCheck, TestResult};

use super::{
    driver::{ENCODES, Encode, End, ours, theirs},
    streams::Text,
};

fn compare(number: usize, method: Encode, stream: &Text) -> Result<(), String> {
    let mut theirs = theirs::Encoder(theirs::encodings()[number].new_encoder());
    let mut ours = ours::Encoder(ours::encodings()[number].new_encoder());
    let name = theirs.0.encoding().name();
    let is_utf16 = matches!(method, Encode::Utf16 | Encode::Utf16Fatal);
    let count = if is_utf16 { stream.units.len() } else { stream.sources.len() };
    let mut calls = 0;
    let mut log = Vec::new();
    for at in 0..count {
        let last = at + 1 == count;
        let (mut text, mut units) = ("", &[][..]);
        if is_utf16 {
            units = &stream.units[at];
        } else {
            text = &stream.sources[at];
        }
        loop {
            let space = stream.spaces[calls % stream.spaces.len()] + if calls > 60 { 40 } else { 0 };
            calls += 1;
            let expected = theirs.call(method, text, units, space, last);
            let outcome = ours.call(method, text, units, space, last);
            let is_same = outcome == expected;
            let next = expected.as_ref().map(|expected| (expected.read, expected.result == End::InputEmpty));
            log.push((text, units, space, last, expected));
            if !is_same {
                let calls = log[log.len().saturating_sub(4)..].iter().map(|(text, units, space, last, expected)| {
                    format!("{method:?} {text:?} {units:04X?} into {space}, last {last}:\n  {expected:?}\n")
                });
                return Err(format!("{name}\n{}  {outcome:?}", calls.collect::<String>()));
            }
            let Some((read, is_end)) = next else { return Ok(()) };
            if is_utf16 {
                units = &units[read..];
            } else {
                text = &text[read..];
            }
            if is_end {
                break;
            }
        }
    }
    Ok(())
}

#[test]
fn streams_encode_with_the_same_results() {
    fn check(stream: Text, seed: u8) -> TestResult {
        for number in 0..40 {
            if let Err(difference) = compare(number, ENCODES[usize::from(seed) % 6], &stream) {
                return TestResult::error(difference);
            }
        }
        TestResult::passed()
    }
    let count = if cfg!(feature = "exhaustive") { 100_000 } else { 1_000 };
    QuickCheck::new().tests(count).quickcheck(check as fn(Text, u8) -> TestResult);
}

#[test]
fn every_size_of_destination_gives_the_same_results() {
    let text = "a\u{E}é☃漢\u{1B}가¥b💩\u{E5E5}";
    let mut units: Vec<u16> = text.encode_utf16().collect();
    units.extend([0xD83D, 0x61, 0xDCA9, 0xD83D]);
    let places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
    for space in 0..=20 {
        for cut in 0..=units.len() {
            let (before, after) = text.split_at(places.get(cut).copied().unwrap_or(text.len()));
            for spaces in [vec![space], vec![space, 20 - space]] {
                let stream = Text {
                    sources: vec![before.into(), after.into()],
                    units: vec![units[..cut].into(), units[cut..].into()],
                    spaces,
                };
                for (number, method) in (0..40).flat_map(|number| ENCODES.map(|method| (number, method))) {
                    compare(number, method, &stream).unwrap_or_else(|difference| panic!("{difference}"));
                }
            }
        }
    }
}

#[test]
fn after_the_end_of_the_stream_both_go_on() {
    for (number, method) in (0..40).flat_map(|number| ENCODES.map(|method| (number, method))) {
        let mut theirs = theirs::Encoder(theirs::encodings()[number].new_encoder());
        let mut ours = ours::Encoder(ours::encodings()[number].new_encoder());
        for last in [true, false, true] {
            let expected = theirs.call(method, "漢a", &[0x6F22, 0x61], 40, last);
            assert_eq!(ours.call(method, "漢a", &[0x6F22, 0x61], 40, last), expected);
        }
    }
}
