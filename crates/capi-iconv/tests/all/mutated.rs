//! Mutated texts, converted by this library and by glibc call by call.

use std::collections::{BTreeMap, BTreeSet};

use textcodec::charsets::{Charset, Names};

use crate::glibc::{Call, Library, OURS, glibc};

/// Pseudo-random numbers.
struct Random(u32);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as usize % limit
    }
}

/// The characters of a charset.
fn characters(charset: Charset) -> Vec<char> {
    let Some(mut encoder) = charset.new_encoder() else { return Vec::new() };
    let is_encodable = |character: &char| {
        encoder.reset();
        let result = encoder.encode_str(
            character.encode_utf8(&mut [0; 4]),
            &mut [0; 32],
            true,
            textcodec::charsets::EncodeErrorMode::Fatal,
        );
        !result.had_errors
    };
    // Of long lists, a part.
    let is_taken = |character: &char| *character < '\u{800}' || u32::from(*character) % 5 == 0;
    ('\0'..='\u{FFFD}').chain('\u{20000}'..='\u{20100}').filter(is_taken).filter(is_encodable).collect()
}

/// A text of `length` characters, mostly in runs of letters and of the charset's other characters.
fn text(characters: &[char], length: usize, random: &mut Random) -> String {
    let mut text = String::new();
    let mut is_ascii = true;
    for _ in 0..length {
        if random.below(6) == 0 {
            is_ascii = !is_ascii;
        }
        let character = match is_ascii {
            true => char::from(b"etaoin shrdlu,.\n<+&-ETA059"[random.below(26)]),
            false => characters[random.below(characters.len())],
        };
        text.push(character);
    }
    text
}

/// The numbers of a comparison.
#[derive(Default, Debug)]
struct Count {
    calls: usize,
    /// Calls that differ, by the kind of difference. After a difference, the rest of the text is not compared.
    different: BTreeMap<&'static str, (usize, String)>,
}

/// Compares the conversion of `source` in pieces, into less than `space` bytes at a time.
fn compare(from: &str, to: &str, source: &[u8], space: usize, random: &mut Random, count: &mut Count) {
    let (mut ours, mut theirs) = (OURS.open(from, to).unwrap(), glibc().open(from, to).unwrap());
    let (mut rest, mut has_ended) = (source, false);
    for _ in 0..60 {
        let greatest = if random.below(3) == 0 { 12 } else { space };
        let space = random.below(greatest);
        let piece = if has_ended { None } else { Some(&rest[..rest.len() - random.below(rest.len().min(3) + 1)]) };
        let (own, expected) = (ours.call(piece, space), theirs.call(piece, space));
        count.calls += 1;
        if own != expected {
            let kind = match () {
                () if own.result != expected.result => "result",
                () if own.read != expected.read => "read",
                () => "bytes",
            };
            let example = || {
                let from = piece.map(|piece| &piece[..piece.len().min(own.read.max(expected.read) + 6)]);
                format!("{from:02X?} space {space}: {} instead of {}", short(&own), short(&expected))
            };
            count.different.entry(kind).or_insert_with(|| (0, example())).0 += 1;
            return;
        }
        let Some(piece) = piece else { return };
        rest = &rest[own.read..];
        // After an error, the program skips a byte.
        if own.result == Err(84) || own.result == Err(22) && own.read == 0 && piece.len() == rest.len() {
            rest = rest.get(1..).unwrap_or_default();
        }
        has_ended = rest.is_empty();
    }
}

fn short(call: &Call) -> String {
    let end = &call.bytes[call.bytes.len().saturating_sub(12)..];
    format!("{:?} read {} written {} ..{end:02X?}", call.result, call.read, call.bytes.len())
}

/// Compares texts in a charset both ways, each with up to `mutations` changed bytes. Prints the differences, and
/// returns the numbers.
fn compare_charset(charset: Charset, name: &str, rounds: usize, suffix: &str, mutations: usize) -> [Count; 2] {
    let mut random = Random(56);
    let characters = characters(charset);
    let (mut decoding, mut encoding) = (Count::default(), Count::default());
    for round in 0..rounds {
        let length = 1 + random.below(120);
        let text = text(&characters, length, &mut random);
        let mut bytes = charset.encode_or_fail(&text).unwrap_or_default();
        let mut utf_8 = text.into_bytes();
        for source in [&mut bytes, &mut utf_8] {
            for _ in 0..random.below(mutations + 1) {
                let length = source.len();
                if let Some(byte) = source.get_mut(random.below(length.max(1))) {
                    *byte = random.below(256) as u8;
                }
            }
        }
        let other = if round % 4 == 0 { "UTF-16LE" } else { "UTF-8" };
        compare(name, &format!("{other}{suffix}"), &bytes, 121, &mut random, &mut decoding);
        compare("UTF-8", &format!("{name}{suffix}"), &utf_8, 121, &mut random, &mut encoding);
    }
    for (way, count) in [("decoding", &decoding), ("encoding", &encoding)] {
        for (kind, (number, example)) in &count.different {
            println!("{name}\t{way}\t{kind}\t{number} of {}\t{example}", count.calls);
        }
    }
    [decoding, encoding]
}

/// The charsets that both libraries have, with glibc's names.
fn common() -> impl Iterator<Item = (Charset, &'static str)> {
    Charset::all().filter_map(|charset| {
        let name = charset.names(Names::Glibc).next()?.trim_end_matches('/');
        (charset.new_encoder().is_some() && glibc().open(name, "UTF-8").is_ok()).then_some((charset, name))
    })
}

/// Charsets of all kinds in which no call may differ.
const SAMPLE: [&str; 20] = [
    "KOI8-R",
    "ISO-8859-15",
    "CP1252",
    "CP437",
    "IBM037",
    "IBM1047",
    "MACINTOSH",
    "UTF-8",
    "UTF-16",
    "UTF-16BE",
    "UTF-32",
    "UCS-2",
    "EUC-JP",
    "SJIS",
    "GBK",
    "GB18030",
    "BIG5",
    "UHC",
    "EUC-TW",
    "SHIFT_JISX0213",
];

#[test]
fn glibc_returns_the_same_from_each_call() {
    let mut calls = 0;
    for name in SAMPLE {
        let charset = Charset::for_name(name, Names::Glibc).unwrap();
        for count in compare_charset(charset, name, 4, "", 2) {
            assert!(count.different.is_empty(), "{name}: {:?}", count.different);
            calls += count.calls;
        }
    }
    println!("{calls} calls");
    assert!(calls > 1000, "{calls}");
}

/// Charsets with shifts, with escapes, or whose letters wait for a mark.
const WITH_STATES: [&str; 11] = [
    "CP1255",
    "CP1258",
    "TCVN-5712",
    "ISO-2022-JP",
    "ISO-2022-JP-2",
    "ISO-2022-JP-3",
    "ISO-2022-KR",
    "UTF-7",
    "CP933",
    "EUC-JISX0213",
    "TSCII",
];

#[test]
fn glibc_returns_the_same_from_each_call_in_charsets_with_states_with_each_suffix() {
    let mut calls = 0;
    for name in WITH_STATES {
        let charset = Charset::for_name(name, Names::Glibc).unwrap();
        let first_name = charset.names(Names::Glibc).next().unwrap().trim_end_matches('/');
        for (suffix, mutations) in [("", 0), ("", 2), ("//TRANSLIT", 2), ("//IGNORE", 2)] {
            let counts = compare_charset(charset, first_name, 12, suffix, mutations);
            for (way, count) in ["decoding", "encoding"].iter().zip(counts) {
                // The differences of ISO 2022 are in malformed texts.
                let may_differ = mutations > 0 || !name.starts_with("ISO-2022-");
                let is_same = count.different.is_empty() || may_differ && is_listed(first_name, way, suffix);
                assert!(is_same, "{name}{suffix} {way}, {mutations} mutations: {:?}", count.different);
                calls += count.calls;
            }
        }
    }
    println!("{calls} calls");
    assert!(calls > 5000, "{calls}");
}

/// The buffers for text inside of a conversion have 4 and 16 KB.
#[test]
fn glibc_returns_the_same_from_each_call_for_texts_longer_than_the_buffers() {
    let mut random = Random(58);
    for [from, to] in [
        ["UTF-8", "UTF-16LE"],
        ["UTF-8", "SJIS"],
        ["UTF-8", "KOI8-R"],
        ["UTF-16", "UTF-8"],
        ["BIG5", "UTF-8"],
        ["CP1258", "UTF-16BE"],
        ["SJIS", "EUC-JP"],
        ["ISO-2022-JP", "GB18030"],
        ["KOI8-R", "CP1251"],
        ["IBM037", "ISO-8859-1"],
    ] {
        let [source, target] = [from, to].map(|name| Charset::for_name(name, Names::Glibc).unwrap());
        let of_target: BTreeSet<char> = characters(target).into_iter().collect();
        let both: Vec<char> = characters(source).into_iter().filter(|of| of_target.contains(of)).collect();
        let mut count = Count::default();
        for round in 0..4 {
            let mut bytes = source.encode_or_fail(&text(&both, 20_000, &mut random)).unwrap();
            if round % 2 == 1 {
                let at = random.below(bytes.len());
                bytes[at] = random.below(256) as u8;
            }
            compare(from, to, &bytes, 20_000, &mut random, &mut count);
        }
        assert!(count.different.is_empty() && count.calls > 8, "{from} to {to}: {count:?}");
    }
}

/// A text of bytes that the charset has, in which a byte or a pair can be several characters.
fn bytes(charset: Charset, random: &mut Random) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..40 {
        let length = bytes.len();
        bytes.extend((0..1 + random.below(2)).map(|_| random.below(256) as u8));
        if charset.decode(&bytes).1 {
            bytes.truncate(length);
        }
    }
    bytes
}

/// All that is written for a text, into at most `space` bytes at a time.
fn convert(from: &str, to: &str, source: &[u8], mut space: impl FnMut() -> usize) -> Vec<u8> {
    let (mut opened, mut rest, mut bytes) = (OURS.open(from, to).unwrap(), source, Vec::new());
    for _ in 0..2000 {
        let call = opened.call(Some(rest), space());
        rest = &rest[call.read..];
        bytes.extend(call.bytes);
        match call.result {
            Ok(irreversible) => {
                assert_eq!((irreversible, rest.len()), (0, 0));
                bytes.extend(opened.call(None, 64).bytes);
                return bytes;
            }
            result => assert_eq!(result, Err(7), "{from} to {to}: {source:02X?}"),
        }
    }
    panic!("{from} to {to}: {source:02X?} has no end");
}

/// Every charset, also those in which calls of glibc differ.
#[test]
fn small_outputs_have_the_text_of_a_large_output() {
    let (mut random, mut count) = (Random(59), 0);
    for charset in Charset::all() {
        let Some(name) = charset.names(Names::Glibc).next() else { continue };
        let (name, characters) = (name.trim_end_matches('/'), characters(charset));
        for _ in 0..4 {
            let mut cases = vec![(name, "UTF-8", bytes(charset, &mut random))];
            if !characters.is_empty() {
                let text = text(&characters, 30, &mut random);
                let text: String = text.chars().filter(|of| characters.binary_search(of).is_ok()).collect();
                cases.push((name, "UTF-8", charset.encode_or_fail(&text).unwrap()));
                cases.push(("UTF-8", name, text.into_bytes()));
            }
            for (from, to, source) in cases {
                for to in [to, if to == "UTF-8" { "UTF-16LE" } else { to }] {
                    let whole = convert(from, to, &source, || 8192);
                    let in_pieces = convert(from, to, &source, || random.below(14));
                    assert_eq!(in_pieces, whole, "{from} to {to}: {source:02X?}");
                    count += 1;
                }
            }
        }
    }
    assert!(count > 4000, "{count}");
}

/// The buffer for text inside of a conversion has 4096 bytes.
#[test]
fn the_characters_of_one_sequence_can_be_on_both_sides_of_the_end_of_the_buffer() {
    for (name, sequence) in [
        ("SHIFT_JISX0213", "か\u{309A}"),
        ("EUC-JISX0213", "か\u{309A}"),
        ("ISO-2022-JP-3", "か\u{309A}"),
        ("IBM1390", "か\u{309A}"),
        ("BIG5-HKSCS", "Ê\u{304}"),
        ("TSCII", "\u{B95}\u{BCD}\u{BB7}\u{BCD}"),
    ] {
        let charset = Charset::for_name(name, Names::Glibc).unwrap();
        for length in 4080..4096 {
            let text = format!("{}{}b", "a".repeat(length), sequence.repeat(2));
            let source = charset.encode_or_fail(&text).unwrap();
            let expected: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert!(convert(name, "UTF-16LE", &source, || 10_000) == expected, "{name}, {length}");
            // The second half of the sequence does not fit into the output.
            let mut spaces = [2 * length + 2, 2].into_iter();
            let in_pieces = convert(name, "UTF-16LE", &source, || spaces.next().unwrap_or(64));
            assert!(in_pieces == expected, "{name}, {length}");
        }
    }
}

/// Sequences that the end of a call cuts off: all bytes, and some after each byte that both libraries wait after.
#[test]
fn glibc_waits_after_the_same_first_bytes_but_in_the_charsets_of_the_table() {
    let seconds: Vec<u8> = match cfg!(feature = "exhaustive") {
        true => (0..=u8::MAX).collect(),
        false => vec![0x00, 0x24, 0x30, 0x42, 0x7F, 0x80, 0xA1, 0xC0, 0xFF],
    };
    let mut different = BTreeSet::new();
    for (_, name) in common() {
        let call =
            |source: &[u8]| [OURS, glibc()].map(|library| library.open(name, "UTF-8").unwrap().call(Some(source), 64));
        for first in 0..=u8::MAX {
            let [own, expected] = call(&[first]);
            let mut is_same = own == expected;
            if is_same && own.result == Err(22) {
                is_same = seconds.iter().map(|&second| call(&[first, second])).all(|[own, expected]| own == expected);
            }
            if !is_same && !is_listed(name, "decoding", "") {
                different.insert(name);
            }
        }
    }
    assert!(different.is_empty(), "{different:?}");
}

/// Pairs of bytes that are two characters, into every space, in calls that go on after E2BIG.
#[test]
fn glibc_splits_two_characters_of_a_pair_in_the_same_calls_but_in_the_charsets_of_the_table() {
    let (mut different, mut pairs) = (BTreeSet::new(), 0);
    for (charset, name) in common() {
        let first_bytes = (0..=u8::MAX).filter(|&first| charset.decode(&[first]).1);
        for pair in first_bytes.flat_map(|first| (0..=u8::MAX).map(move |second| [first, second])) {
            let (text, had_errors) = charset.decode(&pair);
            if had_errors || text.chars().count() != 2 {
                continue;
            }
            pairs += 1;
            for (to, space) in ["UTF-8", "UTF-16LE"].into_iter().flat_map(|to| (0..8).map(move |space| (to, space))) {
                let calls = [OURS, glibc()].map(|library| {
                    let mut opened = library.open(name, to).unwrap();
                    let (mut rest, mut calls) = (&pair[..], Vec::new());
                    while calls.len() < 4 && !rest.is_empty() {
                        let call = opened.call(Some(rest), space + calls.len());
                        rest = &rest[call.read..];
                        calls.push(call);
                    }
                    calls
                });
                if calls[0] != calls[1] && !is_listed(name, "decoding", "") {
                    different.insert(name);
                }
            }
        }
    }
    assert!(different.is_empty() && pairs > 20, "{different:?}, {pairs}");
}

/// Letters with two marks or other bytes after them, into every space, in calls that go on after E2BIG.
#[test]
fn no_letter_is_lost_in_front_of_a_mark_for_which_the_output_is_full() {
    for (name, marks) in [("CP1255", b"\xCC\xD1\xD9"), ("CP1258", b"\xDE\xEC\x90"), ("TCVN-5712", b"\xB2\xB3\xB0")] {
        let others = [&marks[..], b"aO\xF9"].concat();
        let others = || others.iter().copied();
        let mut different = 0;
        let sequences = (0..=u8::MAX)
            .filter(|letter| letter % 0x20 > 0x11 || *letter >= 0xC0)
            .flat_map(|one| others().flat_map(move |two| others().map(move |three| [one, two, three])));
        for (place, sequence) in sequences.enumerate() {
            // Short sources are converted byte by byte, others in pieces of four bytes and more.
            let before = [1, 15, 16, 17, 18][place % 5];
            let source = [&vec![b'a'; before], &sequence[..], b"O"].concat();
            let convert = |library: Library, space: usize| {
                let mut opened = library.open(name, "UTF-8").unwrap();
                let (mut at, mut calls, mut text) = (0, Vec::new(), Vec::new());
                while at < source.len() {
                    let call = opened.call(Some(&source[at..]), space + calls.len());
                    at += call.read;
                    text.extend_from_slice(&call.bytes);
                    calls.push(call.clone());
                    if call.result == Err(84) {
                        return (calls, text);
                    }
                }
                text.extend(opened.call(None, 9).bytes);
                (calls, text)
            };
            let (_, whole) = convert(OURS, 64);
            for space in before - 1..before + 7 {
                let (calls, text) = convert(OURS, space);
                assert_eq!(text, whole, "{name}: {source:02X?} into {space} bytes");
                different += usize::from(calls != convert(glibc(), space).0);
            }
        }
        assert!(different == 0 || is_listed(name, "decoding", ""), "{name}: {different}");
    }
}

/// Whether the table lists a charset, a way and a suffix.
fn is_listed(name: &str, way: &str, suffix: &str) -> bool {
    crate::differences().any(|[suffixes, charset, ways, _]| {
        suffixes.split(' ').any(|of| of == "any" || of == suffix)
            && (charset == name || charset == "any")
            && ways.contains(way)
    })
}

/// The table lists the charsets in which calls differ, with the reasons.
#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "converts a million times; TEXTCODEC_ICONV_ROUNDS sets more")]
fn glibc_returns_the_same_from_each_call_in_each_charset_but_in_those_of_the_table() {
    let rounds = std::env::var("TEXTCODEC_ICONV_ROUNDS").map_or(100, |rounds| rounds.parse().unwrap());
    let (mut same, mut calls, mut unexplained) = (0, 0, Vec::new());
    for suffix in ["", "//TRANSLIT", "//IGNORE"] {
        let (mut different, mut of_suffix) = (0, 0);
        for (charset, name) in common() {
            for (way, count) in ["decoding", "encoding"].iter().zip(compare_charset(charset, name, rounds, suffix, 2)) {
                let number: usize = count.different.values().map(|(number, _)| number).sum();
                if number > 0 && !is_listed(name, way, suffix) {
                    unexplained.push(format!("{name}{suffix} {way}: {number} of {}", count.calls));
                }
                (different, of_suffix) = (different + number, of_suffix + count.calls);
            }
        }
        println!("{suffix:10} {different} of {of_suffix} calls differ");
        if suffix.is_empty() {
            assert!(different * 1000 <= of_suffix, "fewer than 99.9 % of the calls are equal");
        }
        (same, calls) = (same + of_suffix - different, calls + of_suffix);
    }
    println!("{same} of {calls} calls are equal");
    assert!(unexplained.is_empty(), "{unexplained:#?}");
}
