//! Decoders: every call of every method gives what encoding_rs gives.

use std::sync::Once;

use quickcheck::{QuickCheck, TestResult};

use super::{
    driver::{BOMS, Bom, DECODES, Decode, End, ours, theirs},
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

/// Decodes the stream with both crates, and compares all that they tell. Methods are called in turn, so that a stream
/// goes through several of them.
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
            // encoding_rs panics at the end of a stream that cuts off a sequence, if the destination is too small for
            // U+FFFD.
            let Some(expected) = expected else { return Ok(()) };
            let outcome = ours.call(method, rest, space, last);
            let is_same = outcome.as_ref() == Some(&expected);
            let (source, read, is_end) = (rest, expected.read, expected.result == End::InputEmpty);
            log.push((method, source, space, last, expected));
            if !is_same {
                let calls = log[log.len().saturating_sub(4)..].iter().map(|(method, source, space, last, expected)| {
                    format!("{method:?} {source:02X?} into {space}, last {last}:\n  {expected:?}\n")
                });
                return Err(format!("{name} {bom:?}\n{}  {outcome:?}", calls.collect::<String>()));
            }
            rest = &rest[read..];
            if is_end {
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

/// Without the feature `exhaustive`, every third combination of a cut, a size and an encoding.
#[test]
fn every_size_of_destination_gives_the_same_results() {
    let step = if cfg!(feature = "exhaustive") { 1 } else { 3 };
    let streams: [&[u8]; 15] = [
        b"\x81\0\x81\x30\x81\x40\0\x81\x30\x90\x30\x81\x30a",
        b"\x81\0\x81\x30\x81\0\x81\x30\x81\x20a\x81\x30\x81\x30",
        b"a\x82\xA0b \xB1 c\x82\xFFd\x82",
        b"\xA4\xA2 \x8E\xB1\x8F\xB0\xA1a\x8F\xB0\xFFab",
        b"\x1B$B$\"$\x1B(B\x1B(Ja\\\x1B$A\x1B(I1\x1B(B\x1B$Ba",
        b"\xEF\xBB\xBFa\xC3\xA9\xE2\x82\xAC\xF0\x9F\x92\xA9\xF0\x9F\xFFa",
        b"\xFF\xFEa\0\x3D\xD8\xA9\xDC\x3D\xD8b\0\xA9\xDCc\0d",
        b"\xFE\xFF\0a\xD8\x3D\xDC\xA9\xD8\x3D\0b\0",
        b"\xE9a \xD2ab \x80\x9Dabc",
        // After two errors, a digit and a control character: the last byte, 37, is also the last byte of gb18030's
        // U+FFFD.
        b"\xA1\xA17\0\xA17a\xA1\xA17",
        // U+FFFD of gb18030 and a character of plane 1, which cuts go through.
        b"\x84\x31\xA4\x37a\x84\x31\xA4\x37",
        b"\x90\x30\x81\x30a\x90\x30\x81\x30ab",
        // A leading surrogate that is restored, and a pair of the lowest bytes.
        b"\x3D\xD8\x3D\xD8\xA9\xDCc\0",
        b"\x1B$B!!\xFF!!\x1B(Ba",
        // 3B and 3C, the last byte that ends no run of letters and the first one that does.
        b"\xB0\xA1<b\xB0\xA1;b\xE9<c\xE9;c",
    ];
    for bytes in streams {
        for (turn, cut) in [0, 1, 2, 3, bytes.len() / 2, bytes.len()].into_iter().enumerate() {
            let sources = vec![bytes[..cut].to_vec(), bytes[cut..].to_vec()];
            for space in 0..44 {
                let stream = Bytes { sources: sources.clone(), spaces: vec![space] };
                for number in ((turn + space) % step..40).step_by(step) {
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
    // The last one is long enough for the bulk conversion, which takes half of its first pair back.
    let streams: [&[u8]; 10] = [
        b"\x1B$@\x1B$",
        b"\x1B$@\x1B",
        b"\x1B(B\x1B",
        b"\x1B$B\xFF\x1B(",
        b"\x1B$B$\"\x1B$",
        b"\x1B$B\x1B$A\x1B$",
        &[b"\x1B$B".as_slice(), &[b' '; 40]].concat(),
        &[b"\x1B$B".as_slice(), &[b'$'; 40]].concat(),
        // The lowest leading byte and the lowest trailing byte after an error.
        &[b"\x1B$B\xFF".as_slice(), &[b'!'; 40]].concat(),
        &[b"\x1B$B ".as_slice(), &[b'!'; 4]].concat(),
    ];
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

/// Greatest lengths of ISO-2022-JP depend on the errors since the last escape sequence.
#[test]
fn every_short_text_of_escape_sequences_and_errors_gives_the_same_greatest_lengths() {
    const PARTS: [&[u8]; 6] = [b"\x1B$B", b"\x1B(B", b"\x1B", b" ", b"\xFF", b"$\""];
    let number = theirs::encodings().iter().position(|&encoding| encoding == encoding_rs::ISO_2022_JP).unwrap();
    let length = if cfg!(feature = "exhaustive") { 6 } else { 5 };
    for text in 0..PARTS.len().pow(length) {
        let parts = (0..length).map(|place| PARTS[text / PARTS.len().pow(place) % PARTS.len()]);
        let parts: Vec<_> = parts.collect();
        for cut in 0..parts.len() {
            let sources = vec![parts[..cut].concat(), parts[cut..].concat()];
            let stream = Bytes { sources, spaces: vec![20] };
            for method in [Decode::Utf8, Decode::Utf16Fatal] {
                compare(number, Bom::Keep, &[method], &stream).unwrap_or_else(|difference| panic!("{difference}"));
            }
        }
    }
}

#[test]
fn a_call_after_each_error_goes_on_with_the_same_results() {
    const FATAL: [Decode; 4] = [Decode::Utf8Fatal, Decode::Utf16Fatal, Decode::StrFatal, Decode::StringFatal];
    let streams: [&[u8]; 6] = [
        b"\xFFa\x80\x80b\xC3(\xE2\x82\xF0\x9F\x92c\xED\xA0\x80",
        b"\x81\x30\x81\xFF\x81\x20\x84\x31\xA4\x37\x81\x30\x81\x30\x81",
        b"\x1B$B\xFF\x1B$B\x1B(J\x1B$!\x1B(I\x60\x0E!\x1B",
        b"\x8E\xFF\x8F\xA1\x20\x88\x62\x88\xFF\xA0\xFD\x82",
        b"\x00\xD8\x00\xD8a\x00\x00\xDC\x3D\xD8\xA9\xDC\x01",
        b"\xD8\x00\xD8\x00\x00a\xDC\x00\xD8\x3D\xDC\xA9\xD8",
    ];
    for bytes in streams {
        for (cut, space) in (0..=bytes.len()).flat_map(|cut| (0..=20).map(move |space| (cut, space))) {
            // The same space for every call, and two spaces in turn.
            for (order, spaces) in [vec![space], vec![space, 20 - space]].into_iter().enumerate() {
                if !cfg!(feature = "exhaustive") && (cut + space) % 2 != order {
                    continue;
                }
                let stream = Bytes { sources: vec![bytes[..cut].into(), bytes[cut..].into()], spaces };
                // In turn with others, each method also meets the states that another one leaves.
                let turn = (cut + space) % 4;
                for number in 0..40 {
                    compare(number, Bom::Keep, &[&FATAL[turn..], &FATAL[..turn]].concat(), &stream)
                        .unwrap_or_else(|difference| panic!("{difference}"));
                }
            }
        }
    }
}

#[test]
fn byte_order_marks_in_every_three_pieces_give_the_same_results() {
    let streams: [&[u8]; 12] = [
        b"\xEF\xBB\xBF",
        b"\xEF\xBB\xBF\xEF\xBB\xBFa",
        b"\xEF\xBBa",
        b"\xEF\xBB",
        b"\xEF\xBF\xBB",
        b"\xEFa",
        b"\xFF\xFE",
        b"\xFF\xFE\xFF\xFEa\0",
        b"\xFF\xEF\xBB\xBF",
        b"\xFE\xFF\xFE\xFF\0a",
        b"\xFE\xFE\xFF",
        b"a\xEF\xBB\xBF",
    ];
    for bytes in streams {
        for (first, second) in
            (0..=bytes.len()).flat_map(|first| (first..=bytes.len()).map(move |second| (first, second)))
        {
            let sources: Vec<Vec<u8>> =
                vec![bytes[..first].into(), bytes[first..second].into(), bytes[second..].into()];
            for (number, bom) in (0..40).flat_map(|number| BOMS.map(|bom| (number, bom))) {
                for space in [1, 3, 4, 7, 40] {
                    let stream = Bytes { sources: sources.clone(), spaces: vec![space] };
                    let turn = (first + second + number) % 8;
                    compare(number, bom, &[&DECODES[turn..], &DECODES[..turn]].concat(), &stream)
                        .unwrap_or_else(|difference| panic!("{difference}"));
                }
            }
        }
    }
}

#[test]
fn after_the_end_of_the_stream_both_panic_or_both_go_on() {
    without_messages();
    for (number, bom) in (0..40).flat_map(|number| BOMS.map(|bom| (number, bom))) {
        for (stream, end) in [(&b""[..], Decode::Utf8), (b"a", Decode::Utf16), (b"\xEF", Decode::Utf8Fatal)] {
            for (method, source) in DECODES.into_iter().flat_map(|method| [(method, &b""[..]), (method, b"b")]) {
                for last in [false, true] {
                    let mut theirs = theirs::Decoder::new(theirs::encodings()[number], bom);
                    let mut ours = ours::Decoder::new(ours::encodings()[number], bom);
                    let expected = theirs.call(end, stream, 40, true);
                    assert_eq!(ours.call(end, stream, 40, true), expected);
                    let expected = theirs.call(method, source, 40, last);
                    let name = theirs.0.encoding().name();
                    assert_eq!(
                        ours.call(method, source, 40, last),
                        expected,
                        "{name} {bom:?} {stream:X?} {method:?} {last}"
                    );
                }
            }
        }
    }
}
