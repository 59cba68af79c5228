//! The answer does not depend on where the text is cut, and no bytes make the detector panic.

use quickcheck::quickcheck;
use textcodec_detect::{Detector, Options, detect, detect_with};

use crate::{encode, sentences::SENTENCES};

/// The answer for `bytes` in pieces that end at `cuts`.
fn in_pieces(bytes: &[u8], cuts: &[usize]) -> textcodec_detect::Detection {
    let mut detector = Detector::new();
    let mut start = 0;
    for &cut in cuts {
        detector.feed(&bytes[start..cut]);
        // Asking in between changes nothing.
        let _ = detector.best_so_far();
        start = cut;
    }
    detector.feed(&bytes[start..]);
    detector.finish()
}

#[test]
fn every_cut_of_a_sentence_gives_the_same_answer() {
    for (language, labels, text) in SENTENCES {
        for label in *labels {
            let bytes = encode(text, label);
            let whole = detect(&bytes);
            for cut in (0..=bytes.len()).step_by(7).chain([1, bytes.len() - 1]) {
                assert_eq!(in_pieces(&bytes, &[cut]), whole, "{language} in {label}, cut at {cut}");
            }
            let all: Vec<usize> = (0..bytes.len()).collect();
            assert_eq!(in_pieces(&bytes, &all), whole, "{language} in {label}, byte by byte");
        }
    }
}

#[test]
fn the_best_answer_so_far_is_that_for_a_text_that_goes_on() {
    let goes_on = Options::new().ends_mid_stream(true);
    for (language, labels, text) in SENTENCES {
        for label in *labels {
            let bytes = encode(text, label);
            for end in (1..bytes.len()).step_by(11) {
                let mut detector = Detector::new();
                detector.feed(&bytes[..end]);
                let expected = detect_with(&bytes[..end], &goes_on);
                assert_eq!(detector.best_so_far(), expected, "{language} in {label} to {end}");
                // A detector that is asked goes on as before.
                assert_eq!(detector.finish(), detect(&bytes[..end]), "{language} in {label} to {end}");
            }
        }
    }
}

#[test]
fn cuts_far_from_the_bytes_that_decide_change_nothing() {
    let mut bytes = b"plain text, ".repeat(1000);
    bytes.extend(encode("Grüße aus München, wo es schön ist. ", "windows-1252"));
    bytes.extend(b"more text, ".repeat(1000));
    bytes.extend(encode("Überall blühen Bäume. ", "windows-1252"));
    let whole = detect(&bytes);
    for size in [1, 63, 64, 65, 511, 4095, 4096, 4097, 11_999, 12_001] {
        let cuts: Vec<usize> = (0..bytes.len()).step_by(size).collect();
        assert_eq!(in_pieces(&bytes, &cuts), whole, "pieces of {size} bytes");
    }
}

#[test]
fn a_cut_in_the_first_malformed_sequence_after_much_utf_8_changes_nothing() {
    let before = "\u{E9}t\u{E9} ".repeat(150).into_bytes();
    // The first byte or the first three bytes could begin a character of UTF-8.
    for malformed in [&b"\xC3 "[..], b"\xE2\x82 ", b"\xF0\x9F\x98 ", b"\xFF "] {
        let russian = encode(SENTENCES.iter().find(|(code, _, _)| *code == "ru").unwrap().2, "windows-1251");
        let bytes = [&before[..], malformed, &russian].concat();
        let whole = detect(&bytes);
        for cut in before.len()..=before.len() + malformed.len() {
            assert_eq!(in_pieces(&bytes, &[cut]), whole, "{malformed:X?}, cut at {cut}");
            assert_eq!(in_pieces(&bytes, &[400, cut]), whole, "{malformed:X?}, cut at {cut}");
        }
        let all: Vec<usize> = (0..bytes.len()).collect();
        assert_eq!(in_pieces(&bytes, &all), whole, "{malformed:X?}, byte by byte");
    }
}

#[test]
fn malformed_bytes_before_an_east_asian_text_count_the_same_in_pieces() {
    for number in [8, 12, 16, 17, 24] {
        let mut bytes = b"\xFF ".repeat(number);
        bytes.extend(encode(SENTENCES.iter().find(|(code, _, _)| *code == "ja").unwrap().2, "euc-jp").repeat(6));
        let all: Vec<usize> = (0..bytes.len()).collect();
        assert_eq!(in_pieces(&bytes, &all), detect(&bytes), "{number} malformed bytes");
    }
}

/// ASCII, sequences of UTF-8, East Asian pairs, escapes, zeros and bytes of single-byte encodings.
const PARTS: [&[u8]; 14] = [
    b"word ",
    b"\xC3\xA9",
    b"\xE4\xB8\xAD",
    b"\xB0\xA1",
    b"\x1B$B",
    b"~{",
    b"+AGE-",
    b"\x00",
    b"<p>",
    b"\xE9",
    b"\x93x\x94",
    b"\xFF\xFE",
    b"a long part of ASCII that is longer than a neighbourhood of sixty-four bytes, so that there is a gap. ",
    b"\x81",
];

quickcheck! {
    fn any_bytes_give_one_answer_in_any_pieces(bytes: Vec<u8>, cuts: Vec<usize>) -> bool {
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut % (bytes.len() + 1)).collect();
        cuts.sort_unstable();
        in_pieces(&bytes, &cuts) == detect(&bytes)
    }

    fn bytes_like_text_give_one_answer_in_any_pieces(numbers: Vec<usize>) -> bool {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| PARTS[number % PARTS.len()].iter().copied()).collect();
        let mut cuts: Vec<usize> = numbers.iter().map(|number| number / PARTS.len() % (bytes.len() + 1)).collect();
        cuts.sort_unstable();
        in_pieces(&bytes, &cuts) == detect(&bytes)
    }

    fn no_options_make_the_detector_panic(bytes: Vec<u8>, seed: u64) -> bool {
        let names = textcodec_detect::Name::ALL.iter().copied().filter(|name| seed >> (*name as u64) & 1 == 1);
        let options = Options::new()
            .starts_mid_stream(seed & 1 == 0)
            .ends_mid_stream(seed & 2 == 0)
            .exclude(names.clone().take(3));
        let options = if seed & 4 == 0 { options.among(names) } else { options };
        let detection = detect_with(&bytes, &options);
        detection.candidates().iter().all(|candidate| (0.0..=1.0).contains(&candidate.probability()))
    }
}
