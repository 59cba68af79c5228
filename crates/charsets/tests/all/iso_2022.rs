//! ISO-2022-JP, ISO-2022-CN and their extensions.

use textcodec_charsets::{
    Charset, EncodeErrorMode,
    east_asian::{
        EUC_CN, EUC_JISX0213, EUC_JP, EUC_KR, EUC_TW, ISO_2022_CN, ISO_2022_CN_EXT, ISO_2022_JP, ISO_2022_JP_1,
        ISO_2022_JP_2, ISO_2022_JP_3,
    },
    iso::{ISO_8859_1, ISO_8859_7},
};
use textcodec_core::{
    handler::Unchanged,
    testing::{battery, check_bytes, check_texts},
};

use crate::{
    iconv::{glibc_name, iconv, is_installed},
    pairs::subject,
    pairs_iconv::{Random, decode_in_pieces},
};

/// The pairs of a charset: the bytes before and after a pair, an EUC charset, and the bytes before its pairs.
type Pairs = (Charset, &'static [u8], &'static [u8], Charset, &'static [u8]);

const PAIRS: [Pairs; 23] = [
    (ISO_2022_JP, b"\x1B$@", b"\x1B(B", EUC_JP, b""),
    (ISO_2022_JP, b"\x1B$B", b"\x1B(B", EUC_JP, b""),
    (ISO_2022_JP_1, b"\x1B$B", b"\x1B(B", EUC_JP, b""),
    (ISO_2022_JP_1, b"\x1B$(D", b"\x1B(B", EUC_JP, b"\x8F"),
    (ISO_2022_JP_2, b"\x1B$B", b"\x1B(B", EUC_JP, b""),
    (ISO_2022_JP_2, b"\x1B$(D", b"\x1B(B", EUC_JP, b"\x8F"),
    (ISO_2022_JP_2, b"\x1B$A", b"\x1B(B", EUC_CN, b""),
    (ISO_2022_JP_2, b"\x1B$(C", b"\x1B(B", EUC_KR, b""),
    (ISO_2022_JP_3, b"\x1B$B", b"\x1B(B", EUC_JP, b""),
    (ISO_2022_JP_3, b"\x1B$(O", b"\x1B(B", EUC_JISX0213, b""),
    (ISO_2022_JP_3, b"\x1B$(Q", b"\x1B(B", EUC_JISX0213, b""),
    (ISO_2022_JP_3, b"\x1B$(P", b"\x1B(B", EUC_JISX0213, b"\x8F"),
    (ISO_2022_CN, b"\x1B$)A\x0E", b"\x0F", EUC_CN, b""),
    (ISO_2022_CN, b"\x1B$)G\x0E", b"\x0F", EUC_TW, b""),
    (ISO_2022_CN, b"\x1B$*H\x1BN", b"", EUC_TW, b"\x8E\xA2"),
    (ISO_2022_CN_EXT, b"\x1B$)A\x0E", b"\x0F", EUC_CN, b""),
    (ISO_2022_CN_EXT, b"\x1B$)G\x0E", b"\x0F", EUC_TW, b""),
    (ISO_2022_CN_EXT, b"\x1B$*H\x1BN", b"", EUC_TW, b"\x8E\xA2"),
    (ISO_2022_CN_EXT, b"\x1B$+I\x1BO", b"", EUC_TW, b"\x8E\xA3"),
    (ISO_2022_CN_EXT, b"\x1B$+J\x1BO", b"", EUC_TW, b"\x8E\xA4"),
    (ISO_2022_CN_EXT, b"\x1B$+K\x1BO", b"", EUC_TW, b"\x8E\xA5"),
    (ISO_2022_CN_EXT, b"\x1B$+L\x1BO", b"", EUC_TW, b"\x8E\xA6"),
    (ISO_2022_CN_EXT, b"\x1B$+M\x1BO", b"", EUC_TW, b"\x8E\xA7"),
];

const CHARSETS: [Charset; 6] = [ISO_2022_JP, ISO_2022_JP_1, ISO_2022_JP_2, ISO_2022_JP_3, ISO_2022_CN, ISO_2022_CN_EXT];

fn encodable() -> impl Iterator<Item = Charset> {
    CHARSETS.into_iter().filter(|charset| charset.codec().encoder().is_some())
}

#[test]
fn the_pairs_of_each_set_are_those_of_an_euc_charset() {
    for (charset, before, after, euc, prefix) in PAIRS {
        let mut count = 0;
        for lead in 0x21..0x7F {
            for trail in 0x21..0x7F {
                let decoded = charset.decode_or_fail(&[before, &[lead, trail], after].concat()).ok();
                let expected = euc.decode_or_fail(&[prefix, &[lead | 0x80, trail | 0x80]].concat()).ok();
                assert_eq!(decoded, expected, "{charset} {before:02X?} {lead:02X} {trail:02X}");
                count += usize::from(decoded.is_some());
            }
        }
        assert!(count > 2400, "{charset} {before:02X?}: {count}");
    }
}

#[test]
fn a_set_is_designated_where_it_is_needed_whatever_stands_between_its_characters() {
    let of_pairs = PAIRS.into_iter().filter(|pairs| pairs.0.codec().encoder().is_some());
    let of_pairs = of_pairs.map(|(charset, before, after, ..)| {
        let pair = (0x30..0x7F).flat_map(|lead| (0x21..0x7F).map(move |trail| [lead, trail]));
        let decode = |pair: [u8; 2]| charset.decode_or_fail(&[before, &pair, after].concat()).ok();
        // Some characters of the set.
        (charset, pair.filter_map(decode).step_by(500).collect::<Vec<String>>())
    });
    // Sets of single bytes, two of which are in G2, which each line designates again.
    let others = [(ISO_2022_JP, "¥"), (ISO_2022_JP_2, "¼₯ｱ"), (ISO_2022_JP_3, "‾ｱ")];
    let others = others.map(|(charset, text)| (charset, text.chars().map(String::from).collect()));
    for (charset, characters) in of_pairs.chain(others) {
        for character in characters {
            for place in 0..=70 {
                let between = "a".repeat(place) + ["\n", "\r\n", "\t"][place % 3] + &"b".repeat(70 - place);
                let text = format!("{character}{between}{character}\n{character}");
                let bytes = charset.encode_or_fail(&text).unwrap();
                assert_eq!(charset.decode_or_fail(&bytes).as_ref(), Ok(&text), "{charset}");
                // Each character alone, and all of them as UTF-16.
                let (mut encoder, mut one_by_one) = (charset.new_encoder().unwrap(), Vec::new());
                for (at, character) in text.char_indices() {
                    let (piece, last) = (&text[at..at + character.len_utf8()], at + character.len_utf8() == text.len());
                    let _ = encoder.encode_str_to_vec(piece, &mut one_by_one, last, EncodeErrorMode::Fatal);
                }
                let (units, mut of_units) = (text.encode_utf16().collect::<Vec<u16>>(), Vec::new());
                let _ = encoder.encode_utf16_to_vec(&units, &mut of_units, true, EncodeErrorMode::Fatal);
                assert_eq!((one_by_one, of_units), (bytes.clone(), bytes), "{charset}");
            }
        }
    }
}

#[test]
fn escapes_of_japanese_are_those_of_glibc() {
    check_texts(
        subject("ISO-2022-JP"),
        &[
            (b"a\x1B$B0!\x1B(J\\~\x1B(B\\~", "a亜¥‾\\~"),
            // Control characters and spaces are the same in all sets, and no set ends with its line.
            (b"\x1B$@0! \n\x7F0!\x1B(B", "亜 \n\u{7F}亜"),
            // An escape of another charset is a character.
            (b"\x1B[0m\x1B$(D\x1B$B\x1B[0!", "\u{1B}[0m\u{1B}$(D\u{1B}朧\u{FFFD}"),
            (b"\x80\x1B$B0\x80\x1B$B0\n\x1B$", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\n\u{FFFD}"),
        ],
    );
    check_bytes(
        subject("ISO-2022-JP"),
        &[
            ("a亜a¥a\\\n亜", b"a\x1B$B0!\x1B(Ba\x1B(J\\a\x1B(B\\\n\x1B$B0!\x1B(B"),
            ("亜é丂ｱ\u{E}", b"\x1B$B0!\x1B(B&#233;&#19970;&#65393;&#14;"),
            ("", b""),
        ],
    );
    check_texts(subject("ISO-2022-JP-1"), &[(b"\x1B$(D0!\x1B$A0!", "丂\u{1B}\u{FFFD}擰\u{FFFD}")]);
    check_bytes(subject("ISO-2022-JP-1"), &[("丂亜中", b"\x1B$(D0!\x1B$B0!Cf\x1B(B")]);
}

#[test]
fn single_shifts_of_japanese_take_one_character() {
    check_texts(
        subject("ISO-2022-JP-2"),
        &[
            (b"\x1B.A\x1BNia\x1B$B\x1BNi0!\x1B(B", "éaé亜"),
            (b"\x1B.F\x1BNa\n\x1BNa\x1BN.b\x1BN\x1F", "α\nα\u{FFFD}b\u{FFFD}N\u{1F}"),
            (b"\x1BNi\x1B$A0!\x1B$(C0!\x1B(I1", "\u{FFFD}Ni啊가ｱ"),
        ],
    );
    check_bytes(
        subject("ISO-2022-JP-2"),
        &[
            ("¼₯²¼", b"\x1B.A\x1BN<\x1B.F\x1BN%\x1BN2\x1B.A\x1BN<"),
            // The next line designates its own set.
            ("¼\n¼", b"\x1B.A\x1BN<\n\x1B.A\x1BN<"),
            ("亜¼亜", b"\x1B$B0!\x1B.A\x1BN<0!\x1B(B"),
            ("头가ｱа", b"\x1B$AM7\x1B$(C0!\x1B(I1\x1B$B'Q\x1B(B"),
        ],
    );
}

#[test]
fn the_sets_of_g2_are_the_upper_halves_of_iso_8859() {
    for (escape, iso) in [(b"\x1B.A", ISO_8859_1), (b"\x1B.F", ISO_8859_7)] {
        for byte in 0..=u8::MAX {
            let decoded = ISO_2022_JP_2.decode_or_fail(&[escape, &b"\x1BN"[..], &[byte]].concat()).ok();
            // As in glibc, all bytes are those of ISO 8859-1, and its highest bit means nothing.
            let is_in_set = iso == ISO_8859_1 || matches!(byte, 0x20..=0x7F);
            let expected = is_in_set.then(|| iso.decode_or_fail(&[byte | 0x80]).ok()).flatten();
            assert_eq!(decoded, expected, "{iso} {byte:02X}");
        }
    }
}

#[test]
fn characters_beyond_ascii_of_single_bytes_are_written_in_their_set() {
    for (charset, expected) in [(ISO_2022_JP, 2), (ISO_2022_JP_1, 2), (ISO_2022_JP_2, 65), (ISO_2022_JP_3, 65)] {
        let mut count = 0;
        for escape in [b"\x1B(J", b"\x1B(I"] {
            for byte in 0x21..0x7F {
                let source = [escape, &[byte][..], b"\x1B(B"].concat();
                let Some(text) = charset.decode_or_fail(&source).ok().filter(|text| !text.is_ascii()) else { continue };
                assert_eq!(charset.encode_or_fail(&text), Ok(source), "{charset} {text}");
                count += 1;
            }
        }
        assert_eq!(count, expected, "{charset}");
    }
}

#[test]
fn a_letter_and_its_mark_are_a_pair_of_jis_x_0213() {
    check_texts(subject("ISO-2022-JP-3"), &[(b"\x1B$(O$w\x1B$(Q.!\x1B$(P!!\x1B(I1", "か\u{309A}俱𠂉ｱ")]);
    check_bytes(
        subject("ISO-2022-JP-3"),
        &[
            ("か\u{309A}か亜", b"\x1B$(O$w$+0!\x1B(B"),
            ("かか\u{309A}か", b"\x1B$B$+\x1B$(O$w$+\x1B(B"),
            ("か", b"\x1B$B$+\x1B(B"),
            ("かéé€俱", b"\x1B$B$+\x1B$(O)_)_)!\x1B$(Q.!\x1B(B"),
        ],
    );
    // The set of 2000 lacks ten characters.
    for (character, pair) in "俱剝𠮟吞噓姸屛幷瘦繫".chars().zip(b".!/~OTO~t'~z~{~|~}~~".chunks(2)) {
        let bytes = [b"\x1B$(Q", pair, b"\x1B(B"].concat();
        check_bytes(subject("ISO-2022-JP-3"), &[(&String::from(character), &bytes)]);
    }
}

#[test]
fn designations_and_shifts_of_chinese_are_those_of_rfc_1922() {
    check_texts(
        subject("ISO-2022-CN"),
        &[
            (b"\x1B$)A\x0EVP\x0Fa\x1B$)G\x0EDc\x0F", "中a中"),
            // A designation takes effect at once.
            (b"\x1B$)A\x0EVP\x1B$)GDc\x0F", "中中"),
            // GB 2312 needs no designation, and neither does plane 2 of CNS 11643.
            (b"\x0EVP\x1BN!!VP\x0F\x1BN!!", "中乂中乂"),
            (b"\x0EV\nVP \x1B[\x0F\x1B[", "\u{FFFD}\u{FFFD}中\u{FFFD}\u{FFFD}\u{FFFD}\u{1B}["),
            (b"\x1BN!\x1BNa\x1BO!!\xFF", "\u{FFFD}!\u{FFFD}a\u{1B}O!!\u{FFFD}"),
        ],
    );
    check_bytes(
        subject("ISO-2022-CN"),
        &[
            ("a中a\n中", b"a\x1B$)A\x0EVP\x0Fa\n\x1B$)A\x0EVP\x0F"),
            ("中內中a", b"\x1B$)A\x0EVP\x1B$)G\x0EDyDc\x0Fa"),
            ("乂乂中乂", b"\x1B$*H\x1BN!!\x1BN!!\x1B$)A\x0EVP\x1BN!!\x0F"),
            ("中é\u{E}€", b"\x1B$)A\x0EVP(&\x0F&#14;&#8364;"),
            ("", b""),
        ],
    );
    check_texts(
        subject("ISO-2022-CN-EXT"),
        &[
            (b"\x1B$+I\x1BO!!a\x1B$)A\x0EVP\x1BO!!\x0F", "丨a中丨"),
            (b"\x0EVP\x1BO!!", "\u{FFFD}VP\u{FFFD}!!"),
            // ISO-IR-165 is not among the sets.
            (b"\x1B$)E", "\u{1B}$)E"),
        ],
    );
}

/// A charset of each shape, bytes that mean something in it, and characters that lead to all states of its encoder.
const SHAPES: [(Charset, &[u8], &str); 4] = [
    (ISO_2022_JP_1, b"a\\\x1B$(BJD0!\xFF", "a\\¥亜丂é€\u{1B}\n"),
    (ISO_2022_JP_2, b"a\\\x1B$(.BACDIFN0!\xFF", "a\\¥亜丂头가ｱ¼₯²\u{1B}\n"),
    (ISO_2022_JP_3, b"a\\\x1B$(BIOPQJ0!w\xFF", "aéかきくけこカキクケコセツトㇷæɔʌəɚ˩˥\u{309A}\u{300}¥亜俱𠂉ｱ\u{1B}\n"),
    (ISO_2022_CN, b"a\x0E\x0F\x1B$)*AGHNVP!\xFF", "a中內乂é€\u{1B}\n"),
];

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes seconds for each charset")]
fn a_charset_of_each_shape_with_escapes_passes_the_battery() {
    for (charset, significant, text) in SHAPES {
        println!("{charset}");
        battery(subject(charset.name()), significant, text);
    }
    battery(subject("ISO-2022-CN-EXT"), b"a\x0E\x0F\x1B$)*+AGHIMNOVP!\xFF", "");
}

/// Each encoder packs its state between two calls into bits in its own way.
#[test]
fn three_characters_in_three_calls_are_encoded_as_in_one() {
    for (charset, _, text) in SHAPES.into_iter().filter(|shape| shape.0.codec().encoder().is_some()) {
        let characters: Vec<char> = text.chars().collect();
        let encode = |pieces: &[&str]| {
            let (mut encoder, mut bytes, mut written) = (charset.new_encoder().unwrap(), [0; 64], 0);
            for (at, piece) in pieces.iter().enumerate() {
                let is_last = at + 1 == pieces.len();
                let result = encoder.encode_str(piece, &mut bytes[written..], is_last, EncodeErrorMode::Html);
                assert_eq!(result.read, piece.len());
                written += result.written;
            }
            bytes[..written].to_vec()
        };
        for number in 0..characters.len().pow(3) {
            let character = |place| characters[number / characters.len().pow(place) % characters.len()].to_string();
            let pieces = [character(0), character(1), character(2)];
            let in_calls = encode(&pieces.each_ref().map(|piece| &**piece));
            assert_eq!(in_calls, encode(&[&pieces.concat()]), "{charset}: {pieces:?}");
        }
    }
}

#[test]
fn a_call_without_space_leaves_an_encoder_in_its_state() {
    let of_pairs = crate::pairs::SHAPES.map(|(name, _, text)| (subject(name), text));
    let of_escapes = encodable().map(|charset| (subject(charset.name()), "a\\¥亜丂头가ｱ¼₯²か\u{309A}中內乂é€\u{1B}\n"));
    for (subject, text) in of_pairs.into_iter().chain(of_escapes) {
        let new = textcodec_core::Encoder::new(subject).unwrap();
        let characters: Vec<String> = text.chars().map(String::from).collect();
        for first in &characters {
            let mut encoder = new;
            let _ = encoder.encode_str(first, &mut [0; 64], false, EncodeErrorMode::Html);
            let state = encoder.stream_state();
            assert_eq!({ new }.resume(state), Ok(()), "{subject}: {first}");
            for second in &characters {
                let mut encoder = encoder;
                for _ in 0..8 {
                    let result = encoder.encode_str(second, &mut [], false, EncodeErrorMode::Html);
                    if result.read > 0 {
                        break;
                    }
                    assert_eq!(encoder.stream_state(), state, "{subject}: {second} after {first}");
                }
                assert_eq!({ new }.resume(encoder.stream_state()), Ok(()), "{subject}: {second} after {first}");
            }
        }
    }
}

/// The bytes before and after the pairs of a set, and the pairs.
type Set = (&'static [u8], &'static [u8], Vec<[u8; 2]>);

/// The sets of a charset.
fn sets(charset: Charset) -> Vec<Set> {
    let of_charset = PAIRS.iter().filter(|pairs| pairs.0 == charset);
    let sets = of_charset.map(|(_, before, after, euc, prefix)| {
        let all = (0x21..0x7F).flat_map(|lead: u8| (0x21..0x7F).map(move |trail: u8| [lead, trail]));
        let is_pair =
            |pair: &[u8; 2]| euc.decode_or_fail(&[prefix, &pair.map(|byte| byte | 0x80)[..]].concat()).is_ok();
        (*before, *after, all.filter(is_pair).collect())
    });
    sets.collect()
}

/// A stream of runs in all sets of a charset, with some bytes changed.
fn stream(charset: Charset, sets: &[Set], random: &mut Random) -> Vec<u8> {
    let mut source = Vec::new();
    while source.len() < 400 {
        let (before, after, pairs) = &sets[random.below(sets.len())];
        source.extend_from_slice(before);
        let length = if after.is_empty() { 1 } else { random.below(6) };
        (0..length).for_each(|_| source.extend(pairs[random.below(pairs.len())]));
        source.extend_from_slice(after);
        let between: &[&[u8]] = if charset.codec().unchanged() == Unchanged::UnshiftedAscii {
            &[b"a", b"\n", b"\x1B[", b"\x0F", b"VP "]
        } else {
            &[b"a", b"\n", b"\x1B[", b"\x1B(J\\~!", b"\x0E", b"\x1B(B", b" "]
        };
        source.extend_from_slice(between[random.below(between.len())]);
        if charset == ISO_2022_JP_2 {
            let more: [&[u8]; 4] = [b"\x1B.A\x1BNi", b"\x1B.F\x1BNa", b"\x1B(I1", b"\x1BN!"];
            source.extend_from_slice(more[random.below(if source.len() < 200 { 3 } else { 4 })]);
        }
    }
    if random.below(3) > 0 {
        let at = random.below(source.len());
        source[at] = [random.below(0x7F), random.below(256)][random.below(2)] as u8;
    }
    source.extend_from_slice(b"aaaa");
    source
}

/// The part of a stream in which glibc's decoder is right: it takes a designation into account from the next 0E on, and
/// refuses 7F, both of which its encoder writes. It also waits for more bytes of an escape that is none.
fn comparable(charset: Charset, source: &[u8]) -> &[u8] {
    if !charset.name().contains("CN") {
        return source;
    }
    let mut is_shifted = false;
    for (at, byte) in source.iter().enumerate() {
        match byte {
            0x0E => is_shifted = true,
            0x0F => is_shifted = false,
            0x7F => return &source[..at],
            0x1B if is_shifted && source[at..].starts_with(b"\x1B$)") => return &source[..at],
            _ => {}
        }
    }
    source
}

fn compare_streams(rounds: usize) {
    if !is_installed() {
        return;
    }
    let mut random = Random(2022);
    for charset in CHARSETS {
        let Some(name) = glibc_name(charset) else { continue };
        let (sets, mut whole) = (sets(charset), 0);
        for _ in 0..rounds {
            let source = stream(charset, &sets, &mut random);
            let source = comparable(charset, &source);
            let own = decode_in_pieces(charset, source, &mut random);
            let (theirs, is_ok) = iconv(&["-f", name, "-t", "UTF-8"], source).unwrap();
            assert_eq!(String::from_utf8_lossy(&own), String::from_utf8_lossy(&theirs), "{charset} {source:02X?}");
            whole += usize::from(is_ok);
        }
        assert!(rounds < 30 || whole > rounds / 10, "{charset}: glibc decodes {whole} of {rounds}");
    }
}

#[test]
fn glibc_finds_the_first_error_of_streams_with_escapes_at_the_same_place() {
    compare_streams(5);
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "starts 10,000 processes")]
fn glibc_finds_the_first_error_of_many_streams_with_escapes_at_the_same_place() {
    compare_streams(2000);
}

/// The characters from U+0080 on that a charset encodes.
fn characters(charset: Charset) -> Vec<char> {
    let is_encodable = |character: &char| charset.encode_or_fail(character.encode_utf8(&mut [0; 4])).is_ok();
    ('\u{80}'..='\u{2FFFF}').filter(is_encodable).collect()
}

/// Texts that change the set often.
fn compare_texts(rounds: usize) {
    if !is_installed() {
        return;
    }
    let mut random = Random(1468);
    for charset in encodable() {
        let Some(name) = glibc_name(charset) else { continue };
        let characters = characters(charset);
        for _ in 0..rounds {
            let mut text = String::new();
            for _ in 0..400 {
                let start = random.below(characters.len());
                let step = [1, 1, 700][random.below(3)];
                text.extend(characters.iter().skip(start).step_by(step).take(1 + random.below(3)));
                text.push_str(["", "", "", "a", "\n", "か\u{309A}", "¥"][random.below(7)]);
            }
            text.retain(|character| charset.encode_or_fail(character.encode_utf8(&mut [0; 4])).is_ok());
            let own = charset.encode_or_fail(&text).unwrap();
            if charset == ISO_2022_CN {
                // glibc's encoder writes what no decoder reads, after a character of plane 2. Its decoder reads ours.
                let (theirs, is_ok) = iconv(&["-f", name, "-t", "UTF-8"], &own).unwrap();
                assert!(is_ok && theirs == text.as_bytes(), "{charset} {text}");
            } else {
                let (theirs, is_ok) = iconv(&["-f", "UTF-8", "-t", name], text.as_bytes()).unwrap();
                assert!(
                    is_ok && theirs == own,
                    "{charset} {text}\n{:?}\n{:?}",
                    own.escape_ascii().to_string(),
                    theirs.escape_ascii().to_string()
                );
            }
            assert_eq!(charset.decode_or_fail(&own).unwrap(), text, "{charset}");
        }
    }
}

#[test]
fn glibc_encodes_texts_with_many_escapes_alike() {
    compare_texts(1);
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "starts thousands of processes")]
fn glibc_encodes_many_texts_with_many_escapes_alike() {
    compare_texts(1000);
}

/// The characters that glibc encodes and this crate refuses: SO, SI and ESC, with which a text could change the set.
const REFUSED: [char; 3] = ['\u{E}', '\u{F}', '\u{1B}'];

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "converts 200,000 characters in five charsets")]
fn glibc_has_every_character_in_the_same_set() {
    if !is_installed() {
        return;
    }
    for charset in encodable() {
        let Some(name) = glibc_name(charset) else { continue };
        // glibc chooses a set by tags and leaves them out. Each character is the first one of a line.
        let all = ('\0'..='\u{DFFFF}').chain('\u{E1000}'..=char::MAX);
        let characters: Vec<char> = all.filter(|character| *character != '\n').collect();
        let text: String = characters.iter().flat_map(|character| [*character, '\n']).collect();
        let (theirs, _) = iconv(&["-c", "-f", "UTF-8", "-t", name], text.as_bytes()).unwrap();
        let (mut own, mut rest) = (Vec::new(), text.as_str());
        let mut encoder = charset.new_encoder().unwrap();
        while !rest.is_empty() {
            let result = encoder.encode_str_to_vec(rest, &mut own, true, EncodeErrorMode::Fatal);
            rest = &rest[result.read..];
        }
        let lines = |bytes: &[u8]| -> Vec<Vec<u8>> {
            // The character U+008A of ISO 8859-1 ends with the byte of a line feed.
            let text = bytes.escape_ascii().to_string().replace(r"\x1bN\n", r"\x1bN(8A)");
            text.split(r"\n").map(|line| line.as_bytes().to_vec()).collect()
        };
        let (own, theirs) = (lines(&own), lines(&theirs));
        assert_eq!(own.len(), theirs.len(), "{charset}");
        let differing: Vec<char> = characters
            .iter()
            .zip(own.iter().zip(&theirs))
            // glibc ends some lines of Chinese without pairs with 0F.
            .filter(|(character, (own, theirs))| {
                let is_chinese = charset == ISO_2022_CN && !REFUSED.contains(character);
                own != theirs && !(is_chinese && **theirs == [own.as_slice(), br"\x0f"].concat())
            })
            .map(|(character, _)| *character)
            .collect();
        assert_eq!(differing, REFUSED, "{charset}");
    }
}
