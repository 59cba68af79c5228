//! Comparisons of charsets of pairs with glibc's iconv, where it is installed.

use textcodec_charsets::{
    Charset, DecodeErrorMode, DecodeStatus, EncodeErrorMode, Names,
    east_asian::{EUC_KR, ISO_2022_KR, UHC},
};

use crate::{
    iconv::{glibc_name, iconv, is_installed},
    mappings::folder,
    pairs::{all, charsets, has_shifts, mapping},
};

/// The charsets that glibc has, with its names.
fn common() -> impl Iterator<Item = (Charset, &'static str)> {
    charsets().chain([UHC, ISO_2022_KR]).filter_map(|charset| Some((charset, glibc_name(charset)?)))
}

/// A text that glibc decodes: all sequences of the mapping file, or for a charset without one, of another charset.
fn text_of(charset: Charset) -> (Vec<u8>, String) {
    if charset.name() == "UHC" {
        let pairs = mapping(Charset::for_code_page(949).unwrap());
        let texts = pairs.decoded.values().filter(|text| charset.encode_or_fail(text).is_ok());
        let text: String = texts.map(String::as_str).collect();
        return (charset.encode_or_fail(&text).unwrap(), text);
    }
    if charset.name() == "ISO-2022-KR" {
        let mut text = String::new();
        for (number, character) in mapping(EUC_KR).decoded.values().filter(|text| text.as_str() > "\u{9F}").enumerate()
        {
            text += character;
            text.push_str(["", "", "", "\n", "$)C"][number % 5]);
        }
        return (charset.encode_or_fail(&text).unwrap(), text);
    }
    all(charset, &mapping(charset))
}

#[test]
fn glibc_decodes_and_encodes_all_pairs_alike() {
    if !is_installed() {
        return;
    }
    let mut compared = 0;
    for (charset, name) in common() {
        let (bytes, text) = text_of(charset);
        let (decoded, is_ok) = iconv(&["-f", name, "-t", "UTF-8"], &bytes).unwrap();
        assert!(is_ok && decoded == text.as_bytes(), "{charset} is decoded");
        // Where several sequences have one character, it is encoded to one of them.
        let mut encodable = text;
        encodable.retain(|character| charset.encode_or_fail(character.encode_utf8(&mut [0; 4])).is_ok());
        if has_shifts(charset) {
            // Some are best-fit mappings in glibc.
            encodable.retain(|character| !"\\~[]".contains(character));
        }
        let (encoded, is_ok) = iconv(&["-f", "UTF-8", "-t", name], encodable.as_bytes()).unwrap();
        let own = charset.encode_or_fail(&encodable).unwrap();
        let differs = encoded.iter().zip(&own).position(|(theirs, own)| theirs != own);
        assert!(is_ok && encoded == own, "{charset} is encoded: {differs:?}");
        compared += 1;
    }
    assert_eq!(compared, 28);
}

/// Each name of `iconv -l` is that of a charset, or stands in `missing-names.tsv` with the reason.
#[test]
fn every_name_of_glibc_is_known_or_has_a_reason() {
    if !is_installed() {
        return;
    }
    let reasons = std::fs::read_to_string(folder().join("missing-names.tsv")).unwrap();
    let listed = std::process::Command::new("iconv").arg("-l").output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let (mut known, mut unknown) = (0, Vec::new());
    for name in listed.split([',', ' ', '\n']).map(|name| name.trim_end_matches('/')).filter(|name| !name.is_empty()) {
        let found =
            [name.to_owned(), format!("{name}/")].iter().any(|name| Charset::for_name(name, Names::Glibc).is_some());
        let is_of_standard = ["ISO-10646/UTF-8", "ISO-10646/UTF8", "UTF-8", "UTF8"].contains(&name);
        let has_reason = reasons.lines().any(|line| line.split('\t').next() == Some(name));
        if found || is_of_standard {
            known += 1;
        } else if !has_reason {
            unknown.push(name);
        }
    }
    assert!(unknown.is_empty(), "{unknown:?}");
    // The program of Debian 12 has 1,180 names.
    println!("{known} names in common");
    assert!(known >= 1100, "{known}");
}

/// Charsets to which glibc encodes characters that it does not decode: best-fit mappings, which this crate does not
/// have. Some of them replace ASCII characters. The number is that of such characters.
const BEST_FIT: [(&str, usize); 19] = [
    ("SJIS", 5),
    ("CP932", 9),
    ("IBM932", 189),
    ("IBM943", 165),
    ("EUC-JP", 2),
    ("EUC-JP-MS", 10),
    ("EUC-KR", 1),
    ("ISO-2022-KR", 3),
    ("SHIFT_JISX0213", 2),
    ("IBM930", 155),
    ("IBM933", 70),
    ("IBM935", 75),
    ("IBM937", 90),
    ("IBM939", 156),
    ("IBM1364", 21),
    ("IBM1371", 91),
    ("IBM1388", 74),
    ("IBM1390", 17),
    ("IBM1399", 17),
];

/// Pseudo-random numbers.
pub(crate) struct Random(pub(crate) u32);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as usize % limit
    }
}

/// Decodes in small pieces into small destinations, up to the first error.
pub(crate) fn decode_in_pieces(charset: Charset, source: &[u8], random: &mut Random) -> Vec<u8> {
    let (mut decoder, mut decoded, mut read) = (charset.new_decoder(), Vec::new(), 0);
    loop {
        let end = source.len().min(read + random.below(90));
        let mut destination = vec![0; 8 + random.below(99)];
        let is_last = end == source.len();
        let result = decoder.decode_to_utf8(&source[read..end], &mut destination, is_last, DecodeErrorMode::Fatal);
        decoded.extend_from_slice(&destination[..result.written]);
        read += result.read;
        match result.status {
            DecodeStatus::Malformed(_) => return decoded,
            DecodeStatus::InputEmpty if is_last => return decoded,
            _ => {}
        }
    }
}

/// Mutated texts, decoded up to the first error.
fn compare_mutated(rounds: usize) {
    if !is_installed() {
        return;
    }
    let mut random = Random(54);
    for (charset, name) in common() {
        let (bytes, _) = text_of(charset);
        for _ in 0..rounds {
            let start = random.below(bytes.len() - 600);
            let mut source = bytes[start..start + 600].to_vec();
            if random.below(4) > 0 {
                let at = random.below(source.len());
                source[at] = random.below(256) as u8;
            }
            let own = decode_in_pieces(charset, &source, &mut random);
            let (theirs, _) = iconv(&["-f", name, "-t", "UTF-8"], &source).unwrap();
            assert_eq!(String::from_utf8_lossy(&own), String::from_utf8_lossy(&theirs), "{charset} {source:02X?}");
        }
    }
}

#[test]
fn glibc_finds_the_first_error_of_mutated_texts_at_the_same_place() {
    compare_mutated(2);
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "starts 30,000 processes")]
fn glibc_finds_the_first_error_of_many_mutated_texts_at_the_same_place() {
    compare_mutated(1000);
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "converts 200,000 characters in 30 charsets")]
fn glibc_encodes_every_character_alike() {
    if !is_installed() {
        return;
    }
    for (charset, name) in common() {
        // glibc leaves out tags. A mark is encoded with the letter before it, so a line feed is between characters.
        let characters = ('\0'..='\u{DFFFF}').chain('\u{F0000}'..=char::MAX);
        let text: String = characters.flat_map(|character| [character, '\n']).collect();
        let (theirs, _) = iconv(&["-c", "-f", "UTF-8", "-t", name], text.as_bytes()).unwrap();
        let mut own = Vec::new();
        let mut encoder = charset.new_encoder().unwrap();
        let mut rest = text.as_str();
        loop {
            let result = encoder.encode_str_to_vec(rest, &mut own, true, EncodeErrorMode::Fatal);
            rest = &rest[result.read..];
            if rest.is_empty() {
                break;
            }
        }
        let lines = |bytes: &[u8]| -> Vec<Vec<u8>> {
            bytes.split(|byte| matches!(byte, b'\n' | 0x25)).map(<[u8]>::to_vec).collect()
        };
        let (own, theirs) = (lines(&own), lines(&theirs));
        assert_eq!(own.len(), theirs.len(), "{charset}");
        let differing: Vec<_> = own.into_iter().zip(theirs).filter(|(own, theirs)| own != theirs).collect();
        let is_best_fit = |own: &[u8]| matches!(own, [] | [0x0F] | [0xA0 | 0xA1 | 0xB2 | 0xE0]);
        let other: Vec<_> = differing.iter().filter(|(own, _)| !is_best_fit(own)).take(9).collect();
        let expected = BEST_FIT.iter().find(|(of, _)| *of == charset.name()).map_or(0, |(_, count)| *count);
        assert_eq!((differing.len(), other), (expected, Vec::new()), "{charset}");
    }
}
