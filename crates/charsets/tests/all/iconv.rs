//! Comparisons with glibc's iconv, where it is installed.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use textcodec_charsets::{Charset, Family, Names};

use crate::mappings::{mapping, single_byte};

/// Bytes at which glibc has another character: the reasons are in `decisions.tsv`.
const DECIDED: [(&str, u8); 2] = [("IBM1132", 0x70), ("IBM1133", 0xDF)];

/// Bytes that glibc decodes to presentation forms of Arabic, which it encodes to other bytes.
const ENCODED_ELSEWHERE: [(&str, u8); 4] = [("IBM1046", 0x83), ("IBM1046", 0x84), ("IBM1046", 0x85), ("IBM1046", 0x86)];

/// The output of glibc's iconv, and whether all of the input was converted. `None` if it is not installed.
pub(crate) fn iconv(arguments: &[&str], input: &[u8]) -> Option<(Vec<u8>, bool)> {
    let mut child = Command::new("iconv")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let (mut stdin, input) = (child.stdin.take()?, input.to_owned());
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?;
    Some((output.stdout, output.status.success()))
}

/// glibc's name for a charset. `None` if its iconv does not have the charset.
pub(crate) fn glibc_name(charset: Charset) -> Option<&'static str> {
    charset.names(Names::Glibc).next()
}

/// Whether the iconv that is installed is glibc's, with all its tables.
pub(crate) fn is_installed() -> bool {
    let version = Command::new("iconv").arg("--version").output();
    let is_glibc = version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("GLIBC"));
    let has_tables =
        is_glibc && iconv(&["-f", "IBM037", "-t", "UTF-8"], b"\xC1").is_some_and(|(output, _)| output == b"A");
    if !has_tables {
        println!("Not compared with iconv: glibc's iconv with its tables is not installed.");
    }
    has_tables
}

/// The bytes that mean the same to glibc.
fn common_bytes(charset: Charset) -> Vec<u8> {
    let mapping = mapping(charset);
    let differs = |byte: u8| [&DECIDED[..], &ENCODED_ELSEWHERE].concat().contains(&(charset.name(), byte));
    let is_common = |byte: &u8| mapping.code_points[usize::from(*byte)].is_some() && !differs(*byte);
    (0..=u8::MAX).filter(is_common).collect()
}

#[test]
fn glibc_decodes_and_encodes_all_bytes_alike() {
    if !is_installed() {
        return;
    }
    let mut compared = 0;
    for charset in single_byte() {
        let Some(name) = glibc_name(charset) else { continue };
        let bytes = common_bytes(charset);
        let text = charset.decode_or_fail(&bytes).unwrap();
        let decoded = iconv(&["-f", name, "-t", "UTF-8"], &bytes).unwrap();
        assert_eq!((String::from_utf8(decoded.0).unwrap(), decoded.1), (text.clone(), true), "{charset}");
        let encoded = iconv(&["-f", "UTF-8", "-t", name], text.as_bytes()).unwrap();
        assert_eq!(encoded, (charset.encode_or_fail(&text).unwrap(), true), "{charset}");
        compared += 1;
    }
    assert!(compared > 200, "{compared}");
}

/// Every scalar value, in pieces, so that base64 begins and ends often.
fn all_text(last: char) -> String {
    let mut text = String::new();
    for (number, code_point) in ('\0'..=last).enumerate() {
        // glibc leaves out tags, and takes marks away.
        if !matches!(code_point, '\u{E0000}'..='\u{E007F}' | '\u{FEFF}' | '\u{FFFE}') {
            text.push(code_point);
        }
        if number % 7 == 0 {
            text.push(['a', ' ', '-', '&', '+', '/', '\n'][number / 7 % 7]);
        }
    }
    text
}

/// Each byte after each byte, two marks after each byte, and each character of plane 0 that glibc encodes.
#[test]
fn glibc_composes_alike() {
    if !is_installed() {
        return;
    }
    let of_table = [("CP1255-COMPOSED", 1255), ("CP1258-COMPOSED", 1258)];
    for charset in Charset::all().filter(|charset| charset.name().ends_with("-COMPOSED")) {
        let name = glibc_name(charset).unwrap();
        let table = of_table.iter().find(|(name, _)| *name == charset.name());
        let table =
            table.map_or(textcodec_charsets::regional::TCVN5712_1, |(_, page)| Charset::for_code_page(*page).unwrap());
        let bytes = common_bytes(table);
        let is_mark = |byte: &u8| {
            matches!(
                table.decode_or_fail(&[*byte]).unwrap().chars().next(),
                Some('\u{300}'..='\u{36F}' | '\u{5B0}'..='\u{5C7}')
            )
        };
        let marks: Vec<u8> = bytes.iter().copied().filter(is_mark).collect();
        assert!(marks.len() >= 5, "{charset}");
        let mut sequences: Vec<u8> =
            bytes.iter().flat_map(|first| bytes.iter().flat_map(|second| [*first, *second, b' '])).collect();
        let two = |letter: u8| {
            marks
                .iter()
                .flat_map(|mark| marks.iter().flat_map(|other| [letter, *mark, *other, b' ']))
                .collect::<Vec<u8>>()
        };
        sequences.extend(bytes.iter().flat_map(|letter| two(*letter)));
        let (text, is_ok) = iconv(&["-f", name, "-t", "UTF-8"], &sequences).unwrap();
        assert!(is_ok, "{charset}");
        assert!(charset.decode_or_fail(&sequences).unwrap().as_bytes() == text, "{charset} decodes");
        // glibc composes four characters in TCVN 5712-1 that it does not encode.
        let all: String = ('\u{80}'..='\u{FFFF}')
            .filter(|character| !"ṌṍṸṹ".contains(*character))
            .filter(|character| charset.encode_or_fail(&String::from(*character)).is_ok())
            .collect();
        assert!(all.chars().count() > 128, "{charset}");
        let (bytes, is_ok) = iconv(&["-f", "UTF-8", "-t", name], all.as_bytes()).unwrap();
        assert!(is_ok, "{charset}");
        assert_eq!(charset.encode_or_fail(&all).unwrap(), bytes, "{charset} encodes");
        // In CP1258, glibc encodes three characters that are equivalent to others, and decodes the bytes to the others.
        let others: String = ('\u{80}'..='\u{FFFF}')
            .filter(|character| !['\u{340}', '\u{341}', '\u{1FEE}'].contains(character))
            .filter(|character| charset.encode_or_fail(&String::from(*character)).is_err())
            .collect();
        let (bytes, _) = iconv(&["-c", "-f", "UTF-8", "-t", name], others.as_bytes()).unwrap();
        assert_eq!(bytes, b"", "{charset}: glibc encodes more");
    }
}

#[test]
fn glibc_converts_all_text_in_forms_of_unicode_alike() {
    if !is_installed() {
        return;
    }
    for charset in Charset::all().filter(|charset| charset.family() == Family::Unicode) {
        let Some(name) = charset.names(Names::Glibc).next() else { continue };
        let last =
            if name.starts_with("UC") || name == "UNICODE" || name == "CSUNICODE" { '\u{FFFF}' } else { char::MAX };
        let text = all_text(last);
        let (bytes, is_ok) = iconv(&["-f", "UTF-8", "-t", name], text.as_bytes()).unwrap();
        assert!(is_ok, "{charset}");
        assert!(charset.encode_or_fail(&text).unwrap() == bytes, "{charset} encodes");
        assert!(charset.decode_or_fail(&bytes).unwrap() == text, "{charset} decodes");
    }
}

/// The whole comparison takes minutes: `cargo test -p textcodec-charsets --features exhaustive`.
mod at_length {
    use textcodec_charsets::EncodeErrorMode;

    use super::*;

    /// Charsets to which glibc encodes characters that it does not decode: best-fit mappings, which this crate does not
    /// have. The number is that of such characters in the first three planes.
    const BEST_FIT: [(&str, usize); 27] = [
        ("IBM856", 36),
        ("IBM901", 61),
        ("IBM902", 62),
        ("IBM922", 69),
        ("IBM1008", 84),
        ("IBM1046", 92),
        ("IBM1097", 85),
        ("IBM1122", 1),
        ("IBM1140", 1),
        ("IBM1141", 1),
        ("IBM1142", 1),
        ("IBM1143", 1),
        ("IBM1144", 1),
        ("IBM1145", 1),
        ("IBM1146", 1),
        ("IBM1147", 1),
        ("IBM1148", 1),
        ("IBM1149", 1),
        ("IBM1153", 1),
        ("IBM1157", 1),
        ("IBM1163", 2),
        ("IBM1164", 2),
        ("IBM4909", 2),
        ("IBM4517", 122),
        ("IBM4971", 2),
        ("IBM9448", 196),
        ("IBM16804", 93),
    ];

    #[test]
    #[cfg_attr(not(feature = "exhaustive"), ignore = "compares 200,000 characters in 220 charsets")]
    fn glibc_encodes_no_other_character_but_best_fit_mappings() {
        if !is_installed() {
            return;
        }
        let mut wrong = Vec::new();
        for charset in single_byte() {
            let Some(name) = glibc_name(charset) else { continue };
            // glibc leaves out tags, U+E0000 to U+E007F, which are in plane 14.
            let unmappable: String = ('\u{80}'..='\u{2FFFF}')
                .filter(|code_point| charset.encode_or_fail(&String::from(*code_point)).is_err())
                .collect();
            let (output, _) = iconv(&["-c", "-f", "UTF-8", "-t", name], unmappable.as_bytes()).unwrap();
            let expected = BEST_FIT.iter().find(|(name, _)| *name == charset.name()).map_or(0, |(_, count)| *count);
            if output.len() != expected {
                wrong.push((charset.name(), output.len(), expected));
            }
        }
        assert_eq!(wrong, []);
    }

    #[test]
    #[cfg_attr(not(feature = "exhaustive"), ignore = "converts 60 MB")]
    fn glibc_converts_random_texts_alike() {
        if !is_installed() {
            return;
        }
        let mut random = 1_u32;
        let mut next = move || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 16) as usize
        };
        for charset in single_byte() {
            let Some(name) = glibc_name(charset) else { continue };
            let bytes = common_bytes(charset);
            let source: Vec<u8> = (0..1 << 17).map(|_| bytes[next() % bytes.len()]).collect();
            let (text, _) = iconv(&["-f", name, "-t", "UTF-8"], &source).unwrap();
            // Small pieces into small destinations.
            let (mut decoder, mut decoded, mut read) = (charset.new_decoder(), Vec::new(), 0);
            while read < source.len() {
                let end = source.len().min(read + 1 + next() % 700);
                let mut destination = vec![0; 4 + next() % 900];
                let result = decoder.decode_to_utf8(
                    &source[read..end],
                    &mut destination,
                    false,
                    textcodec_charsets::DecodeErrorMode::Fatal,
                );
                decoded.extend_from_slice(&destination[..result.written]);
                read += result.read;
            }
            assert!(decoded == text, "{charset}: decoded");
            let text = String::from_utf8(text).unwrap();
            let (bytes, _) = iconv(&["-f", "UTF-8", "-t", name], text.as_bytes()).unwrap();
            let (mut encoder, mut encoded, mut rest) = (charset.new_encoder().unwrap(), Vec::new(), &text[..]);
            while !rest.is_empty() {
                let end = (1 + next() % 700..).find(|end| rest.is_char_boundary(*end) || *end > rest.len()).unwrap();
                let mut destination = vec![0; 1 + next() % 900];
                let piece = &rest[..end.min(rest.len())];
                let result = encoder.encode_str(piece, &mut destination, false, EncodeErrorMode::Fatal);
                encoded.extend_from_slice(&destination[..result.written]);
                rest = &rest[result.read..];
            }
            assert!(encoded == bytes, "{charset}: encoded");
        }
    }
}
