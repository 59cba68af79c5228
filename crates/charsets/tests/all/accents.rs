//! Charsets in which an accent comes before its letter.

use textcodec_charsets::{Charset, EncodeErrorMode, Names, telematic::*};
use textcodec_core::testing::{Subject, battery, check_bytes, check_texts};

use crate::{
    iconv::{iconv, is_installed},
    pairs_iconv::{Random, decode_in_pieces},
};

const CHARSETS: [Charset; 4] = [ISO_6937, ISO_6937_2, T_61_8BIT, ANSI_X3_110];

fn subject(charset: Charset) -> Subject {
    Subject::new(charset.name(), charset.codec(), 2)
}

#[test]
fn an_accent_and_a_letter_are_one_character() {
    check_texts(
        subject(ISO_6937),
        &[
            (b"P\xC8atnice \xC2e\xCFr", "Pätnice éř"),
            (b"\xC2 \xF3\xFF\x80", "´ð\u{AD}\u{80}"),
            // The byte after an accent stays if it is no letter of the accent.
            (b"\xC1x\xC1\xC1a\xC9a", "\u{FFFD}x\u{FFFD}à\u{FFFD}a"),
            (b"\xC4 \xA4\xC2", "\u{FFFD} \u{FFFD}\u{FFFD}"),
        ],
    );
    check_texts(subject(ISO_6937_2), &[(b"#$\xA4\xA6\xA8\xC4 ~\xFF", "#¤$#¤~~\u{FFFD}")]);
    check_texts(subject(T_61_8BIT), &[(b"\xA6{\xC8u|", "#\u{FFFD}ü|")]);
    check_texts(subject(ANSI_X3_110), &[(b"\xD6\xE5\xDA$\xA4", "─┼◢\u{FFFD}$")]);
}

#[test]
fn a_letter_with_an_accent_is_encoded_as_two_bytes() {
    check_bytes(subject(ISO_6937), &[("é#ř˘\u{2126}—x", b"\xC2e#\xCFr\xC6 \xE0\xD0x"), ("€", b"&#8364;")]);
    check_bytes(subject(ISO_6937_2), &[("#$¤~", b"\xA6\xA4\xA8~")]);
    check_bytes(subject(T_61_8BIT), &[("ü#|", b"\xC8u\xA6|")]);
    for (charset, text) in [(T_61_8BIT, "{"), (T_61_8BIT, "—"), (ISO_6937, "e\u{301}"), (ISO_6937_2, "\u{A0}")] {
        assert!(charset.encode_or_fail(text).is_err(), "{charset} {text}");
    }
}

#[test]
fn iso_6937_passes_the_battery() {
    battery(subject(ISO_6937), b"ae\xC2\xC8 \xA4\xE1", "aé#ř˘\u{2126}—€");
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes a second for each charset")]
fn the_other_charsets_with_accents_pass_the_battery() {
    for charset in &CHARSETS[1..] {
        battery(subject(*charset), b"a$\xC2\xC4 \xA6\xFF", "aé#$¤~\u{2126}{");
    }
}

/// Whether glibc leaves out the second byte, too, where an accent has no such letter: this crate keeps it.
fn loses_a_letter(charset: Charset, [accent, letter]: [u8; 2]) -> bool {
    let is_pair = matches!((accent, letter), (0xC1..=0xCF, 0x20..=0x7F));
    is_pair && charset.decode_or_fail(&[accent, letter]).is_err()
}

/// Each byte and each pair, where glibc leaves out the malformed bytes, and the characters up to `last`.
fn compare(last: char) {
    if !is_installed() {
        return;
    }
    // glibc leaves out tags.
    let characters = ('\0'..=last).filter(|character| !matches!(character, '\u{E0000}'..='\u{E007F}'));
    let text: String = characters.flat_map(|character| [character, '\n']).collect();
    for charset in CHARSETS {
        let name = charset.names(Names::Glibc).next().unwrap();
        let lines = |lost: bool| -> Vec<u8> {
            let pairs = (0..=u16::MAX).map(u16::to_be_bytes).filter(|pair| loses_a_letter(charset, *pair) == lost);
            pairs.flat_map(|[first, second]| [first, second, b'\n']).collect()
        };
        let (decoded, _) = iconv(&["-c", "-f", name, "-t", "UTF-8"], &lines(true)).unwrap();
        assert!(!decoded.is_empty() && decoded.iter().all(|byte| *byte == b'\n'), "{charset}: glibc decodes more");
        let pairs = lines(false);
        let (decoded, _) = iconv(&["-c", "-f", name, "-t", "UTF-8"], &pairs).unwrap();
        let own = charset.decode(&pairs).0.replace('\u{FFFD}', "");
        assert!(own.as_bytes() == decoded, "{charset} decodes");
        let (encoded, _) = iconv(&["-c", "-f", "UTF-8", "-t", name], text.as_bytes()).unwrap();
        let (mut encoder, mut own, mut rest) = (charset.new_encoder().unwrap(), Vec::new(), text.as_str());
        while !rest.is_empty() {
            let result = encoder.encode_str_to_vec(rest, &mut own, true, EncodeErrorMode::Fatal);
            rest = &rest[result.read..];
        }
        assert!(own == encoded, "{charset} encodes");
    }
}

#[test]
fn glibc_converts_each_pair_and_character_with_accents_alike() {
    compare('\u{2FFF}');
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "converts a million characters in four charsets")]
fn glibc_converts_every_scalar_value_with_accents_alike() {
    compare(char::MAX);
}

fn compare_mutated(rounds: usize) {
    if !is_installed() {
        return;
    }
    let mut random = Random(6937);
    for charset in CHARSETS {
        let name = charset.names(Names::Glibc).next().unwrap();
        let letters: String =
            ('\u{A0}'..'\u{180}').filter(|letter| charset.encode_or_fail(&letter.to_string()).is_ok()).collect();
        let source = charset.encode_or_fail(&letters.repeat(3)).unwrap();
        for _ in 0..rounds {
            let mut source = source.clone();
            let at = random.below(source.len());
            source[at] = random.below(256) as u8;
            let own = decode_in_pieces(charset, &source, &mut random);
            let (theirs, _) = iconv(&["-f", name, "-t", "UTF-8"], &source).unwrap();
            assert!(own == theirs, "{charset} {at} {source:02X?}");
        }
    }
}

#[test]
fn glibc_finds_the_first_error_among_accents_at_the_same_place() {
    compare_mutated(3);
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "starts 4,000 processes")]
fn glibc_finds_the_first_error_among_accents_at_the_same_place_in_many_texts() {
    compare_mutated(1000);
}
