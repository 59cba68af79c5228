//! TSCII, Tamil in the order of the eye.

use textcodec_charsets::{EncodeErrorMode, regional::TSCII};
use textcodec_core::testing::{Subject, battery, check_bytes, check_texts};

use crate::{
    iconv::{iconv, is_installed},
    pairs_iconv::{Random, decode_in_pieces},
};

fn subject() -> Subject {
    Subject::new("TSCII", TSCII.codec(), 4)
}

#[test]
fn signs_before_a_consonant_come_after_it_in_unicode() {
    check_texts(
        subject(),
        &[
            (b"\xBE\xC1\xA2\xFA", "தமிழ்"),
            (b"\xA6\xB8 \xA7\xBA\xA8\xC9", "கெ சேனை"),
            // The second half of a sign stands after the consonant.
            (b"\xA6\xB8\xA1\xA7\xB8\xA1\xA7\xB8\xAA", "கொகோகௌ"),
            (b"\xA6\xB8\xAA\xA8\xB8\xA1", "கௌகைா"),
            // A sign without a consonant, and one before a consonant with a sign of its own.
            (b"\xA6\xA1\xA7\xAAa\xA6\xA6\xCCa\xA8", "ொௌaெெகுaை"),
            (b"\xA6\xFF\xA6\xB8\xA0", "ெ\u{FFFD}கெ\u{FFFD}"),
        ],
    );
}

#[test]
fn a_byte_can_be_four_characters() {
    check_texts(
        subject(),
        &[
            (b"\x82\x87\x8C\xCA\xFE\xAD", "ஸ்ரீக்ஷக்ஷ்டிஇஇ"),
            // U takes the place of the virama after Sa and Ha.
            (b"\x8A\x8A\xA4\x8B\xA5\x8Aa\x8B\xA1\x8A", "ஸ்ஸுஹூஸ்aஹ்ாஸ்"),
        ],
    );
}

#[test]
fn a_consonant_and_its_sign_are_encoded_as_one_glyph() {
    check_bytes(
        subject(),
        &[
            ("தமிழ் கொகோகௌ", b"\xBE\xC1\xA2\xFA \xA6\xB8\xA1\xA7\xB8\xA1\xA7\xB8\xAA"),
            ("ஸ்ரீக்ஷக்ஷ்டிடீஇ", b"\x82\x87\x8C\xCA\xCB\xFE"),
            ("ஙுஞூஸுஹூஜ்ஸ்", b"\x99\x9C\x8A\xA4\x8B\xA5\x88\x8A"),
            // A character without bytes does not keep the consonant back.
            ("க€ஸ்ரக்", b"\xB8&#8364;\x8A\xC3\xEC"),
            ("க்ஷெொ©’”", b"\x87\xA6\xA6\xA1\xA9\x92\x94"),
        ],
    );
    for text in ["\u{BF5}", "\u{B84}", "க\u{A0}"] {
        assert!(TSCII.encode_or_fail(text).is_err(), "{text}");
    }
}

#[test]
fn tscii_passes_the_battery() {
    battery(subject(), b"\xA6\xB8\xA1\x8A\xA4\x82", "கஙசஞடணதநபமயரலவழளறனஜஷஸஹ்ீொுa©");
}

/// Decodes `lines`, of at most four bytes, with glibc, which leaves out malformed bytes, and compares.
///
/// Where the output of glibc's decoder is full amid a byte of three or four characters, it writes the second one in
/// place of those after it. So lines with such bytes are decoded apart, few at once: its buffer has 2,040 characters.
fn compare_decoding(lines: &[u8]) {
    let has_many = |line: &&[u8]| line.iter().any(|byte| matches!(byte, 0x82 | 0x87 | 0x8C));
    let (many, few): (Vec<&[u8]>, Vec<&[u8]>) = lines.split_inclusive(|byte| *byte == b'\n').partition(has_many);
    for lines in [few.concat()].into_iter().chain(many.chunks(100).map(<[&[u8]]>::concat)) {
        let (decoded, _) = iconv(&["-c", "-f", "TSCII", "-t", "UTF-8"], &lines).unwrap();
        let own = TSCII.decode(&lines).0.replace('\u{FFFD}', "");
        let texts = own.lines().zip(std::str::from_utf8(&decoded).unwrap().lines());
        texts
            .zip(lines.split(|byte| *byte == b'\n'))
            .for_each(|((own, theirs), line)| assert_eq!(own, theirs, "{line:02X?}"));
        assert!(own.as_bytes() == decoded);
    }
}

/// Encodes `text` with glibc, which leaves out unmappable characters, and compares.
fn compare_encoding(text: &str) {
    let (encoded, _) = iconv(&["-c", "-f", "UTF-8", "-t", "TSCII"], text.as_bytes()).unwrap();
    let (mut encoder, mut own, mut rest) = (TSCII.new_encoder().unwrap(), Vec::new(), text);
    while !rest.is_empty() {
        let result = encoder.encode_str_to_vec(rest, &mut own, true, EncodeErrorMode::Fatal);
        rest = &rest[result.read..];
    }
    let lines = own.split(|byte| *byte == b'\n').zip(encoded.split(|byte| *byte == b'\n')).zip(text.lines());
    lines.for_each(|((own, theirs), text)| assert_eq!(own, theirs, "{text}"));
    assert!(own == encoded);
}

/// All sequences of `length` of the items, each in a line.
fn sequences<T: Copy>(items: &[T], length: u32, newline: T) -> Vec<T> {
    let places = |number: usize| (0..length).map(move |place| number / items.len().pow(place) % items.len());
    (0..items.len().pow(length)).flat_map(|number| places(number).map(|at| items[at]).chain([newline])).collect()
}

/// The characters of TSCII, and one of Tamil and another one that it lacks.
fn characters() -> Vec<char> {
    let tamil = ('\u{B80}'..'\u{C00}').filter(|character| TSCII.encode_or_fail(&character.to_string()).is_ok());
    tamil.chain(['a', '©', '‘', '€', '\u{BF5}']).collect()
}

#[test]
fn glibc_converts_each_pair_of_tamil_alike() {
    if !is_installed() {
        return;
    }
    let bytes: Vec<u8> = (0..=u8::MAX).collect();
    compare_decoding(&sequences(&bytes, 1, b'\n'));
    compare_decoding(&sequences(&bytes, 2, b'\n'));
    compare_decoding(&sequences(b"\xA6\xA7\xA8\xB8\xC9\xA1\xAA\x8A\x8B\xA4\xFF", 4, b'\n'));
    compare_encoding(&String::from_iter(sequences(&characters(), 2, '\n')));
    let significant: Vec<char> = "க்ஷஸரீஜடுெௌa€".chars().collect();
    assert_eq!(significant.len(), 13);
    compare_encoding(&String::from_iter(sequences(&significant, 4, '\n')));
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "converts 17 million lines")]
fn glibc_converts_three_bytes_and_three_characters_of_tamil_alike() {
    if !is_installed() {
        return;
    }
    let bytes: Vec<u8> = (0..=u8::MAX).collect();
    let pairs = sequences(&bytes, 2, b'\n');
    for first in 0..=u8::MAX {
        let lines: Vec<u8> = pairs.chunks(3).flat_map(|line| [first, line[0], line[1], b'\n']).collect();
        compare_decoding(&lines);
    }
    let characters = characters();
    assert!(characters.len() > 60);
    compare_encoding(&String::from_iter(sequences(&characters, 3, '\n')));
    let significant: Vec<char> = "க்ஷஸரீஹஜடுெௌa€".chars().collect();
    compare_encoding(&String::from_iter(sequences(&significant, 5, '\n')));
}

fn compare_mutated(rounds: usize) {
    if !is_installed() {
        return;
    }
    let mut random = Random(1984);
    let text = String::from_iter(sequences(&characters()[..60], 1, 'க')).replace('€', "");
    let source = TSCII.encode_or_fail(&text).unwrap();
    for _ in 0..rounds {
        let mut source = source.clone();
        let at = random.below(source.len());
        source[at] = random.below(256) as u8;
        let own = decode_in_pieces(TSCII, &source, &mut random);
        let (theirs, _) = iconv(&["-f", "TSCII", "-t", "UTF-8"], &source).unwrap();
        assert!(own == theirs, "{at} {source:02X?}");
    }
}

#[test]
fn glibc_finds_the_first_error_in_tamil_at_the_same_place() {
    compare_mutated(3);
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "starts 1,000 processes")]
fn glibc_finds_the_first_error_in_many_tamil_texts_at_the_same_place() {
    compare_mutated(1000);
}
