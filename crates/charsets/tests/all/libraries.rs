//! Character sets of libraries, of genealogy, and of short messages.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    process::{Command, Stdio},
};

use textcodec_charsets::{Charset, libraries::*};
use textcodec_core::testing::{Subject, battery, check_bytes, check_decoder, check_digests, check_texts};

use crate::mappings::folder;

fn subject(charset: Charset) -> Subject {
    Subject::new(charset.name(), charset.codec(), 4)
}

#[test]
fn marks_of_ansel_come_before_their_letter() {
    check_texts(
        subject(ANSEL),
        &[
            (b"Kr\xF0Ar\xE2\xE3e\xA1", "Kr\u{41}\u{327}re\u{301}\u{302}Ł"),
            // A mark over two letters has two halves.
            (b"\xEBt\xECs \xFAn\xFBg", "t\u{361}s n\u{360}g"),
            // A letter has at most two marks, and a mark has a letter.
            (b"\xE1\xE2\xE3a", "\u{FFFD}a\u{302}"),
            (b"a\xE1", "a\u{FFFD}"),
            (b"\xE1\x80a\xFF", "\u{FFFD}\u{FFFD}a\u{FFFD}"),
            (b"\xE1\xC8\xE1\xC5", "\u{FFFD}€¿\u{300}"),
            (b"\xC7\xCF\xC8\xA1\xAE\xBE\xCD", "ßß€Łʼ□e"),
        ],
    );
}

#[test]
fn each_set_of_marc_8_has_two_escapes_into_each_half() {
    let decode = |bytes: &[u8]| MARC_8.decode(bytes).0;
    for last in ["B", "2", "3", "4", "N", "Q", "S", "!E"] {
        let text = |intermediate: &str, high: u8| {
            let bytes = (0x21..=0x7E).map(|byte: u8| byte | high);
            decode(&[b"\x1B", intermediate.as_bytes(), last.as_bytes(), &bytes.collect::<Vec<_>>()].concat())
        };
        assert_eq!(text("(", 0), text(",", 0), "{last}");
        assert_eq!(text(")", 0x80), text("-", 0x80), "{last}");
        // The escape is no text, and the other half stays as it was.
        assert!(!text("(", 0).contains('\u{1B}') && !text(")", 0x80).contains('\u{1B}'), "{last}");
        assert_eq!(text("(", 0x80), text("(", 0x80).replace('\u{1B}', ""), "{last}");
        assert_eq!(text("(", 0x80), decode(&(0xA1..=0xFE).collect::<Vec<u8>>()), "{last}");
        assert_eq!(text(")", 0), decode(&(0x21..=0x7E).collect::<Vec<u8>>()), "{last}");
    }
}

#[test]
fn a_letter_of_ansel_is_written_after_its_marks() {
    check_bytes(
        subject(ANSEL),
        &[
            ("Kr\u{327}a\u{301}\u{302}Ł\r\n", b"K\xF0r\xE2\xE3a\xA1\r\n"),
            ("éấǻÅŻ", b"\xE2e\xE3\xE2a\xEA\xE2a\xEAA\xE7Z"),
            ("ơ\u{323}ợo\u{31B}U\u{31B}\u{301}ß", b"\xF2\xBC\xF2\xBC\xBC\xE2\xAD\xCF"),
            // The right half of a mark over two letters follows the first letter.
            ("t\u{361}s n\u{360}\u{301}g", b"\xEBt\xECs \xFA\xE2n\xFBg"),
            // A letter that waits is written before a reference.
            ("a€é\u{3B1}b\u{301}\u{302}\u{303}c", b"a\xC8\xE2e&#945;\xE2\xE3b&#771;c"),
            ("\u{301}\n\u{301} \u{301}a", b"&#769;\n&#769;\xE2 a"),
        ],
    );
    assert_eq!(ANSEL.encode_or_fail("eα").unwrap_err().offset, 1);
    assert_eq!(ANSEL.decode_or_fail(&ANSEL.encode_or_fail("é").unwrap()).unwrap(), "e\u{301}");
}

#[test]
fn escapes_of_marc_8_bring_other_sets_into_use() {
    check_texts(
        subject(MARC_8),
        &[
            (b"\x1B(NPRIWET\x1B(B, \x1B(Sab\x1Bs b", "привет, αβ b"),
            // A set can be in the upper half. The first sets come back after a field.
            (b"\x1B)2\xE0\xE1 a\x1B-3\xC1\x1E\xA1\x1B(Na\x1Da", "אב aء\x1EŁА\x1Da"),
            (b"\x1B(!E!\x1B)!E\xA1\x1B(4!\x1B(Q@\x1Bga", "ŁŁ۽ґα"),
            (b"H\x1Bb2\x1BsO\x1Bp2+\x1Bs", "H₂O²⁺"),
            // Marks of a set come before its letters, and those of ANSEL also before letters of other sets.
            (
                b"\x1B(S\x25\x22\x27a\x1B(N\xE2A\x1B(2\x4D\x4B\x41y",
                "α\u{313}\u{301}\u{345}а\u{301}ש\u{5C1}\u{5BC}\u{5B8}",
            ),
            (b"\xE2\xC1\xE2\xE3\xC1\xEBt\xECs", "ℓ\u{301}ℓ\u{301}\u{302}t\u{361}s"),
        ],
    );
}

#[test]
fn a_mark_of_three_bytes_of_utf_8_is_the_last_one() {
    check_texts(subject(MARC_8), &[(b"\x1B(2\x40\x4E\x60\x4E\x40\x60", "א\u{5B7}\u{FB1E}\u{FFFD}א")]);
    check_bytes(subject(MARC_8), &[("א\u{5B7}\u{FB1E}", b"\x1B(2\x40\x4E\x60\x1B(B")]);
    assert_eq!(MARC_8.encode_or_fail("א\u{FB1E}\u{5B7}").unwrap_err().code_point, '\u{5B7}');
}

#[test]
fn malformed_bytes_of_marc_8_are_errors_and_the_byte_after_them_stays() {
    check_texts(
        subject(MARC_8),
        &[
            (b"\x1B(Xa\x1B\x1BsbA\x1B$1a!\x1B(", "\u{FFFD}(Xa\u{FFFD}bA\u{FFFD}\u{FFFD}"),
            (b"\xE2\x1B(NA\xE2\n\xE2", "\u{FFFD}а\u{FFFD}\n\u{FFFD}"),
            // A letter has at most three marks. The bytes of GEDCOM are not those of catalogues.
            (b"\xE1\xE2\xE3\xE4a\xCF\xFC\xAF", "\u{FFFD}a\u{303}\u{FFFD}\u{FFFD}\u{FFFD}"),
            (b"\x1B(S\x28\x7F\x1B(N\xA0\x81", "\u{FFFD}\x7F\u{FFFD}\u{FFFD}"),
        ],
    );
}

#[test]
fn eacc_has_three_bytes_for_a_character_and_single_spaces() {
    for escape in ["\x1B$1", "\x1B$,1", "\x1B$(1", "\x1B(1", "\x1B,1"] {
        let bytes = [escape.as_bytes(), b"!0! !0\"\r\n\xA1!#!!# ~\x7F\x1B(Ba"].concat();
        check_texts(subject(MARC_8), &[(&bytes, "一 丁\r\nŁ\u{3000}\u{3000}\u{FFFD}\u{7F}a")]);
    }
    for escape in ["\x1B$)1", "\x1B$-1", "\x1B)1", "\x1B-1"] {
        let bytes = [escape.as_bytes(), b"!0!\xA1\xB0\xA1\xA1\xA3\xA0 \xA0\xEF\xDC\xE5"].concat();
        check_texts(subject(MARC_8), &[(&bytes, "!0!一\u{3000} \u{FFFD}한")]);
    }
    check_texts(
        subject(MARC_8),
        &[
            // The first sets come back after a field. A character of plane 2 is four bytes of UTF-8.
            (b"\x1B$1!uY!0!\x1E!0!", "\u{212C4}一\u{1E}!0!"),
            // The byte that ends a character too early stays.
            (b"\x1B$1!\x1B(Ba\x1B$1!0\xA1!\xA1! !0\n", "\u{FFFD}a\u{FFFD}Ł\u{FFFD}Ł\u{FFFD} \u{FFFD}\n"),
            (b"\x1B$)1\xA1!\xA1\xB0!\xA1\xA3 \xFF", "\u{FFFD}!\u{FFFD}!\u{FFFD} \u{FFFD}"),
            // Three bytes without a character, no marks, and the end of the text.
            (b"\x1B$1~~~!0!\xE2!0!!0", "\u{FFFD}一\u{FFFD}一\u{FFFD}"),
        ],
    );
    let error = MARC_8.decode_or_fail(b"\x1B$1!0!~~~").unwrap_err();
    assert_eq!((error.offset, error.bytes()), (6, &b"~~~"[..]));
}

#[test]
fn characters_of_eacc_are_written_between_two_escapes() {
    check_bytes(
        subject(MARC_8),
        &[
            ("漢字", b"\x1B$1!HW!:R\x1B(B"),
            ("a 一 丁\né한국어й", b"a \x1B$1!0!\x1B(B \x1B$1!0\"\x1B(B\n\xE2e\x1B$1o\\eoIooUD\x1B(NJ\x1B(B"),
            ("a\u{3000}\u{212C4}\u{3013}", b"a\x1B$1!#!!uY!*F\x1B(B"),
            ("一\u{301}", b"\x1B$1!0!\x1B(B&#769;"),
            // Characters of plane 2 whose lower bits are those of others.
            ("\u{23000}\u{24E00}\u{12C4}", b"&#143360;&#151040;&#4804;"),
        ],
    );
}

/// The sequences of three bytes of EACC with their characters, and the characters with other bytes than the first ones,
/// as the mapping file says.
fn mapping_of_eacc() -> (BTreeMap<Vec<u8>, char>, BTreeMap<char, Vec<u8>>) {
    let text = fs::read_to_string(folder().join("east-asian/mapping-eacc.txt")).unwrap();
    let number = |hex: &str| u32::from_str_radix(hex, 16).unwrap();
    let bytes = |number: u32| number.to_be_bytes()[1..].to_vec();
    let (mut decoded, mut encoded) = (BTreeMap::new(), BTreeMap::new());
    for (first, rest) in text.lines().filter_map(|line| line.split_once('\t')) {
        if let Some(code_point) = first.strip_prefix('>') {
            encoded.insert(char::from_u32(number(code_point)).unwrap(), bytes(number(rest)));
            continue;
        }
        for (number, code_point) in (number(first)..).zip(rest.split(' ').map(number)) {
            decoded.insert(bytes(number), char::from_u32(code_point).unwrap());
        }
    }
    (decoded, encoded)
}

#[test]
fn every_character_of_eacc_is_decoded_and_encoded_as_the_mapping_file_says() {
    let (decoded, mut encoded) = mapping_of_eacc();
    assert_eq!(decoded.len(), 15_739);
    let bytes = [b"\x1B$1", &decoded.keys().flatten().copied().collect::<Vec<_>>()[..]].concat();
    assert_eq!(MARC_8.decode_or_fail(&bytes).unwrap(), decoded.values().collect::<String>());
    for (bytes, &character) in &decoded {
        encoded.entry(character).or_insert_with(|| bytes.clone());
    }
    assert_eq!(encoded.len(), 15_513);
    let text: String = encoded.keys().collect();
    let bytes = [b"\x1B$1", &encoded.values().flatten().copied().collect::<Vec<_>>()[..], b"\x1B(B"].concat();
    assert!(MARC_8.encode_or_fail(&text).unwrap() == bytes);
    let others = ('\u{3000}'..'\u{10000}').chain('\u{20000}'..'\u{30000}').step_by(if IS_EXHAUSTIVE { 1 } else { 37 });
    for character in others.filter(|character| !encoded.contains_key(character) && *character != '\u{FB1E}') {
        assert!(MARC_8.encode_or_fail(character.encode_utf8(&mut [0; 4])).is_err(), "{character}");
    }
}

const IS_EXHAUSTIVE: bool = cfg!(feature = "exhaustive");

#[test]
fn other_sequences_of_eacc_are_errors_of_three_bytes() {
    let (decoded, _) = mapping_of_eacc();
    let mut count = 0;
    for number in (0..94 * 94 * 94).step_by(if IS_EXHAUSTIVE { 1 } else { 101 }) {
        let sequence = [number / 94 / 94, number / 94 % 94, number % 94].map(|place| 0x21 + place as u8);
        for (escape, half) in [(&b"\x1B$1"[..], 0), (b"\x1B$)1", 0x80)] {
            let sequence_of_half = sequence.map(|byte| byte | half);
            let bytes = [escape, &sequence_of_half].concat();
            match (MARC_8.decode_or_fail(&bytes), decoded.get(&sequence[..])) {
                (Ok(text), Some(character)) => assert!(text.chars().eq([*character]), "{bytes:02X?}"),
                (Err(error), None) => {
                    assert_eq!((error.offset, error.bytes()), (escape.len() as u64, &sequence_of_half[..]));
                    count += 1;
                }
                (result, expected) => panic!("{bytes:02X?}: {result:?}, {expected:?}"),
            }
        }
    }
    assert!(!IS_EXHAUSTIVE || count == 2 * (94 * 94 * 94 - 15_738), "{count}");
}

#[test]
fn marc_8_is_written_with_few_escapes() {
    check_bytes(
        subject(MARC_8),
        &[
            ("éŁß", b"\xE2e\xA1\xC7"),
            // Spaces, digits and signs need no escape in Cyrillic. The end of a line, and of the text, is in ASCII.
            ("Да, 1 é\nй", b"\x1B(NdA, 1 \x1B(B\xE2e\n\x1B(NJ\x1B(B"),
            ("H₂O²", b"H\x1Bb2\x1B(BO\x1Bp2\x1B(B"),
            ("άα\u{313}\u{301}β", b"\x1B(S\x22a\x25\x22ab\x1B(B"),
            ("а\u{301}я€", b"\x1B(N\xE2AQ\x1B(B\xC8"),
            ("ש\u{5C1}\u{5BC}א", b"\x1B(2MKy`\x1B(B"),
            ("щ😀\x1B", b"\x1B(N]\x1B(B&#128512;&#27;"),
        ],
    );
}

/// The bytes of the upper half, with a letter for the marks, and those of the sets that are in the lower half alone.
/// The digests are of tables that equal those of pymarc 5.4, but for marks over two letters.
#[test]
fn every_byte_of_each_set_has_its_character() {
    let upper = |charset: Charset, escape: &'static str| {
        (0x80..=0xFF).map(move |byte| charset.decode_or_fail(&[escape.as_bytes(), &[byte, b'a']].concat()).ok())
    };
    let escapes = ["", "\x1B)B", "\x1B)2", "\x1B)3", "\x1B)4", "\x1B)N", "\x1B)Q", "\x1B)S", "\x1B)!E"];
    let of_marc_8: Vec<_> = escapes.into_iter().flat_map(|escape| upper(MARC_8, escape)).collect();
    let lower = |escape: &'static str| {
        (0x20..=0x7F).map(move |byte| MARC_8.decode_or_fail(&[escape.as_bytes(), &[byte]].concat()).ok())
    };
    let of_g0: Vec<_> = ["\x1Bg", "\x1Bb", "\x1Bp"].into_iter().flat_map(lower).collect();
    let of_ansel: Vec<_> = upper(ANSEL, "").collect();
    check_digests(&[
        (&of_marc_8, 0xD7BB_C90C_AEA7_2BCD),
        (&of_g0, 0x78E4_EBE9_AC65_FAB5),
        (&of_ansel, 0x9BEA_E681_1E4C_EC71),
    ]);
}

/// In which set it is written, and the letter and the marks of a composed one.
#[test]
fn every_character_has_its_bytes() {
    let bytes = |charset: Charset| -> Vec<_> {
        let encode = |character: char| charset.encode_or_fail(character.encode_utf8(&mut [0; 4])).ok();
        ('\0'..='\u{FFFF}').map(encode).collect()
    };
    check_digests(&[
        (&bytes(MARC_8), 0x9444_4052_3D82_5E1A),
        (&bytes(ANSEL), 0xDEAB_0E3E_A748_60C8),
        (&bytes(GSM_03_38), 0x54E1_FF7A_413C_C823),
    ]);
}

#[test]
fn short_messages_have_an_extension_after_an_escape() {
    let texts: [(&[u8], &str); 3] = [
        (b"\0\x02 a\x1Be\x1B(\x7B\x1B\x0A", "@$ a€{ä\u{C}"),
        (b"\x1Ba", "\u{FFFD}a"),
        (b"a\x80\x1B", "a\u{FFFD}\u{FFFD}"),
    ];
    check_texts(subject(GSM_03_38), &texts);
    check_bytes(subject(GSM_03_38), &[(texts[0].1, texts[0].0), ("Ψ¿ñ|", b"\x17\x60\x7D\x1B@")]);
    for byte in 0..=u8::MAX {
        let expected = "\x0C^{}\\[~]|€".chars();
        let place = b"\x0A\x14\x28\x29\x2F\x3C\x3D\x3E\x40\x65".iter().position(|known| *known == byte);
        let expected = place.and_then(|place| expected.clone().nth(place)).map(String::from);
        assert_eq!(GSM_03_38.decode_or_fail(&[0x1B, byte]).ok(), expected, "{byte:02X}");
    }
    assert_eq!(GSM_03_38.encode_or_fail("a`").unwrap_err().code_point, '`');
}

/// Texts of up to four of the bytes are decoded alike in every way.
fn check_decoders(charset: Charset, significant: &[u8]) {
    for number in 0..significant.len().pow(4) {
        let places = (0..4).map(|place| number / significant.len().pow(place) % significant.len());
        check_decoder(subject(charset), &places.map(|place| significant[place]).collect::<Vec<_>>());
    }
}

#[test]
fn marks_are_decoded_alike_in_pieces_of_every_size() {
    check_decoders(ANSEL, b"a\xA1\xE1\xE2\xEC");
    check_decoders(MARC_8, b"a\x1B(S\"\xE2\xC1");
}

#[test]
fn eacc_is_decoded_alike_in_pieces_of_every_size() {
    for prefix in [&b"\x1B$1"[..], b"\x1B$)1"] {
        let significant = b"!0 \xA1\xB0\xE2\x1B";
        for number in 0..significant.len().pow(4) {
            let places = (0..4).map(|place| significant[number / significant.len().pow(place) % significant.len()]);
            check_decoder(subject(MARC_8), &[prefix, &places.collect::<Vec<_>>(), b"!0!"].concat());
        }
    }
}

/// All characters that the charset encodes alone, and `marks`.
fn characters(charset: Charset, marks: &str) -> String {
    let is_encoded = |character: &char| charset.encode_or_fail(&character.to_string()).is_ok();
    ('\u{20}'..'\u{3000}').filter(is_encoded).chain(marks.chars()).collect()
}

/// The marks of ANSEL.
const MARKS: &str = "\u{309}\u{300}\u{301}\u{302}\u{303}\u{304}\u{306}\u{307}\u{308}\u{30C}\u{30A}\u{361}\u{315}\u{30B}\
                     \u{310}\u{327}\u{328}\u{323}\u{324}\u{325}\u{333}\u{332}\u{326}\u{31C}\u{32E}\u{360}\u{338}\u{313}";

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "there are 14,000 states")]
fn encoders_with_marks_pass_the_battery() {
    battery(subject(ANSEL), b"a\xA1\xE1", &characters(ANSEL, MARKS));
    let others: String = ('\u{5B0}'..'\u{653}').chain(['\u{342}', '\u{314}', '\u{345}', '\u{FB1E}']).collect();
    let others = MARKS.to_owned() + &others + "一漢한\u{3000}\u{E8D1}\u{212C4}";
    battery(subject(MARC_8), b"a\x1B\xE2", &characters(MARC_8, &others));
}

/// Each character that `charset` encodes, with and without a mark, comes back with its marks apart.
fn check_round_trip(charset: Charset) {
    let text = characters(charset, "");
    assert!(text.chars().count() > 500);
    for first in text.chars() {
        for text in [String::from(first), format!("{first}\u{301}x"), format!("x{first}")] {
            let Ok(bytes) = charset.encode_or_fail(&text) else {
                // No mark can follow the character, or not this one.
                assert!(text.ends_with("\u{301}x"), "{text}");
                continue;
            };
            let decoded = charset.decode_or_fail(&bytes).unwrap();
            assert_eq!(charset.encode_or_fail(&decoded).unwrap(), bytes, "{charset} {text} {decoded}");
        }
    }
}

#[test]
fn letters_with_marks_come_back() {
    check_round_trip(ANSEL);
    check_round_trip(MARC_8);
}

/// What a program writes for `input`. `None` if it is not installed.
fn output(program: &str, arguments: &[&str], input: Vec<u8>) -> Option<String> {
    let mut command = Command::new(program);
    let pipes = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = pipes.spawn().ok()?;
    let mut to = child.stdin.take()?;
    let writer = std::thread::spawn(move || to.write_all(&input));
    let output = child.wait_with_output().ok()?;
    let _ = writer.join();
    output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
}

/// Each byte of each set, and each mark of ANSEL before a letter, with the escape that brings the set into use.
fn lines_of_marc_8() -> Vec<Vec<u8>> {
    let sets: [&[u8]; 10] = [b"(B", b"(2", b"(3", b"(4", b"(N", b"(Q", b"(S", b"g", b"b", b"p"];
    let of_set = |set: &'static [u8]| {
        (0x21..0x7F).filter(|byte| *byte != b'|').map(move |byte| [b"\x1B", set, &[byte], b"a\x1B(B|"].concat())
    };
    let ansel = (0xA1..0xFF).map(|byte| vec![byte, b'a', b'|']);
    sets.into_iter().flat_map(of_set).chain(ansel).collect()
}

/// Fails unless YAZ decodes the parts, which end with `|`, alike.
fn compare_with_yaz(parts: &[&[u8]]) {
    let yaz = |bytes: Vec<u8>| output("yaz-iconv", &["-f", "MARC-8", "-t", "UTF-8"], bytes);
    let Some(text) = yaz(parts.concat()) else {
        println!("Not compared with YAZ: yaz-iconv is not installed.");
        return;
    };
    assert_eq!(text.matches('|').count(), parts.len());
    for (part, expected) in parts.iter().zip(text.split_inclusive('|')) {
        let decoded = MARC_8.decode_or_fail(part).unwrap();
        // Where a buffer of YAZ ends, it writes a mark before its letter: that part is decoded alone.
        if decoded != expected {
            assert_eq!(Some(decoded), yaz(part.to_vec()), "{part:02X?}");
        }
    }
}

#[test]
fn yaz_decodes_marc_8_alike() {
    let parts: Vec<Vec<u8>> =
        lines_of_marc_8().into_iter().filter(|part| MARC_8.decode_or_fail(part).is_ok()).collect();
    assert!(parts.len() > 590, "{}", parts.len());
    compare_with_yaz(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>());
}

#[test]
fn yaz_decodes_eacc_alike() {
    let (decoded, _) = mapping_of_eacc();
    // A buffer of YAZ ends in one part of about nineteen, and that part is decoded by a process of its own.
    let sequences = decoded.keys().step_by(if IS_EXHAUSTIVE { 1 } else { 61 });
    let parts: Vec<Vec<u8>> = sequences.map(|bytes| [b"\x1B$1", &bytes[..], b"\x1B(B|"].concat()).collect();
    compare_with_yaz(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>());
}

#[test]
fn yaz_reads_what_marc_8_is_written_as() {
    let text: String =
        characters(MARC_8, "").replace(['|', '\u{7F}'], "").chars().flat_map(|letter| [letter, '|']).collect();
    let bytes = MARC_8.encode_or_fail(&text).unwrap();
    // Only ASCII has the byte of the separator as this character.
    let mut parts = bytes.split_inclusive(|byte| *byte == b'|').collect::<Vec<_>>();
    parts.retain(|part| MARC_8.decode_or_fail(part).is_ok_and(|text| text.ends_with('|')));
    assert!(parts.len() > 900, "{}", parts.len());
    compare_with_yaz(&parts);
}

#[test]
fn composed_letters_are_those_of_the_unicode_character_database() {
    let script = "import unicodedata as u\nfor c in range(0x20, 0x3000):\n d = u.normalize('NFD', chr(c))\n \
                  if d != chr(c): print(chr(c), d, sep='\\t')";
    let Some(text) = output("python3", &["-c", script], Vec::new()) else {
        println!("Not compared with Python: it is not installed.");
        return;
    };
    let composed = text.lines().filter_map(|line| line.split_once('\t'));
    let mut count = 0;
    for (letter, decomposed) in composed {
        if let Ok(bytes) = ANSEL.encode_or_fail(letter) {
            assert_eq!(ANSEL.encode_or_fail(decomposed).unwrap(), bytes, "{letter}");
            assert_eq!(
                ANSEL.decode_or_fail(&bytes).unwrap().replace(['\u{31B}'], ""),
                decompose(decomposed),
                "{letter}"
            );
            count += 1;
        }
        if let Ok(bytes) = MARC_8.encode_or_fail(letter) {
            let decoded = MARC_8.decode_or_fail(&bytes).unwrap();
            assert_eq!(MARC_8.encode_or_fail(&decoded).unwrap(), bytes, "{letter}");
        }
    }
    assert!(count > 400, "{count}");
}

/// The text with the two letters that have a horn in ANSEL composed.
fn decompose(text: &str) -> String {
    let horned = [("o\u{31B}", "ơ"), ("O\u{31B}", "Ơ"), ("u\u{31B}", "ư"), ("U\u{31B}", "Ư")];
    horned.iter().fold(text.to_owned(), |text, (apart, composed)| text.replace(apart, composed))
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes a second")]
fn short_messages_pass_the_battery() {
    battery(subject(GSM_03_38), b"a\x1B\x0Ae\0\xFF", "a@€[é`");
}

/// The text that a script of Perl writes. `None` if Perl or its package is not installed.
fn perl(script: &str) -> Option<String> {
    let output = Command::new("perl").args(["-e", script]).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
}

#[test]
fn perl_decodes_alike() {
    let gsm = "use Encode; binmode STDOUT, ':utf8'; for my $o (0..0x7F) { next if $o == 0x1B; \
               print decode('gsm0338', chr($o)); }";
    let ansel = "use MARC::Charset qw(marc8_to_utf8); binmode STDOUT, ':utf8'; \
                 for my $o (0xA1..0xC8, 0xE0..0xFA, 0xFE) { print marc8_to_utf8(chr($o) . 'a'), '|'; }";
    let bytes: Vec<u8> = (0..0x80).filter(|byte| *byte != 0x1B).collect();
    match perl(gsm) {
        Some(text) => assert_eq!(GSM_03_38.decode_or_fail(&bytes).unwrap(), text),
        None => println!("Not compared with Perl: Encode is not installed."),
    }
    let Some(text) = perl(ansel) else {
        println!("Not compared with Perl: MARC::Charset is not installed.");
        return;
    };
    for (byte, expected) in (0xA1..=0xC8).chain(0xE0..=0xFA).chain([0xFE]).zip(text.split('|')) {
        // Bytes of GEDCOM, and bytes without a character, which the package leaves out.
        if !["", "a"].contains(&expected) && byte != 0xEC {
            assert_eq!(ANSEL.decode_or_fail(&[byte, b'a']).unwrap(), expected, "{byte:02X}");
        }
    }
}
