//! Facts that charsets state about themselves, compared with what their decoders and encoders do.

use std::collections::BTreeSet;

use textcodec_charsets::{Charset, DecodeErrorMode, DecodeStatus, EncodeErrorMode, EncodeStatus};
use textcodec_core::{Bom, handler::Unchanged};

/// Bytes that follow others: shifts, bytes of escapes, graphic bytes, trail bytes, and marks that compose.
const SECOND: [u8; 12] = [0x0E, 0x1B, 0x21, 0x28, 0x41, 0x65, 0x7E, 0x80, 0xA1, 0xB3, 0xCC, 0xFE];

/// Each pair of ASCII bytes, and escapes.
fn ascii() -> String {
    let pairs = (0..128).flat_map(|first| (0..128).flat_map(move |second| [char::from(first), char::from(second)]));
    pairs.chain("\x1B$B!!\x1B(B~{!!~}+AGE-&AGE-".chars()).collect()
}

/// The facts of a charset that differ from what it does.
fn wrong_facts(charset: Charset, ascii: &str, everything: &str) -> Vec<&'static str> {
    let (codec, decode) = (charset.codec(), |bytes: &[u8]| charset.decode(bytes).0);
    let unchanged = codec.unchanged();
    let is_kept = |byte: u8| decode(&[byte]).chars().eq([char::from(byte)]);
    let begins_with =
        |byte: u8| SECOND[7..].iter().all(|second| decode(&[byte, *second]).starts_with(char::from(byte)));
    let has_ascii = decode(ascii.as_bytes()) == ascii && (0..128).all(begins_with);
    // What a new decoder leaves as it is, byte by byte; of a charset that changes some bytes perhaps nothing.
    let is_same_ascii = (0..128).all(|byte| {
        let expected = is_kept(byte).then_some(1).or(unchanged.ascii_up_to(b""));
        unchanged == Unchanged::Nothing || unchanged.ascii_up_to(&[byte]) == expected
    });
    let is_utf_8 = decode("é€\u{1F4A9}".as_bytes()) == "é€\u{1F4A9}";
    // The third byte is for escapes.
    let is_single_byte = (0..=u8::MAX).all(|first| {
        SECOND.iter().all(|&second| {
            let counts = [&[first, second][..], &[first, second, b'B']].map(|bytes| decode(bytes).chars().count());
            counts == [2, 3]
        })
    });
    let bom = Bom::ALL.into_iter().find(|bom| decode(bom.bytes()) == "\u{FEFF}");
    let encodes_everything = charset.encode_or_fail(everything).is_ok();
    let facts = [
        ("has ASCII", unchanged.has_ascii() == has_ascii),
        ("leaves bytes as they are", is_same_ascii),
        ("is UTF-8", (unchanged == Unchanged::Utf8) == is_utf_8),
        ("has single bytes", codec.is_single_byte() == is_single_byte),
        ("has a byte order mark", codec.bom() == bom),
        ("has an encoder", codec.has_encoder() == charset.new_encoder().is_some()),
        ("encodes everything", codec.encodes_everything() == encodes_everything),
    ];
    facts.into_iter().filter_map(|(fact, is_right)| (!is_right).then_some(fact)).collect()
}

#[test]
fn every_charset_does_what_its_facts_say() {
    let (ascii, everything) = (ascii(), String::from_iter('\u{80}'..=char::MAX));
    let wrong: Vec<_> = Charset::all()
        .map(|charset| (charset, wrong_facts(charset, &ascii, &everything)))
        .filter(|(_, facts)| !facts.is_empty())
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Characters of all scripts and sets, unmappable ones with long references, and controls.
const CHARACTERS: [char; 32] = [
    'a',
    '\n',
    '~',
    '\u{1B}',
    'é',
    'Ж',
    'Ω',
    'א',
    'ب',
    '\u{7FF}',
    'ก',
    'க',
    '\u{BCD}',
    'ắ',
    '€',
    '₂',
    '\u{301}',
    '\u{304}',
    'い',
    'か',
    '\u{309A}',
    'ｱ',
    '丂',
    '漢',
    '國',
    '国',
    '한',
    '¥',
    '\u{FFFF}',
    '\u{20089}',
    '😀',
    char::MAX,
];

/// Whether an encoder writes `text` into destinations of the greatest lengths, as UTF-8 and as UTF-16.
fn encodes_into_greatest_lengths(charset: Charset, text: &str, mode: EncodeErrorMode) -> bool {
    let Some(encoder) = charset.new_encoder() else { return true };
    let units: Vec<u16> = text.encode_utf16().collect();
    let (mut of_utf_8, mut of_utf_16, mut rest, mut rest_of_units) = (encoder, encoder, text, &units[..]);
    let mut bytes = vec![0; encoder.max_length_from_str(text.len(), mode).unwrap()];
    let mut bytes_of_units = vec![0; encoder.max_length_from_utf16(units.len(), mode).unwrap()];
    let (mut written, mut written_of_units) = (0, 0);
    loop {
        // The text goes on after an unmappable character.
        let result = of_utf_8.encode_str(rest, &mut bytes[written..], true, mode);
        let of_units = of_utf_16.encode_utf16(rest_of_units, &mut bytes_of_units[written_of_units..], true, mode);
        (rest, rest_of_units) = (&rest[result.read..], &rest_of_units[of_units.read..]);
        (written, written_of_units) = (written + result.written, written_of_units + of_units.written);
        match (result.status, of_units.status) {
            (EncodeStatus::InputEmpty, EncodeStatus::InputEmpty) => return true,
            (EncodeStatus::OutputFull, _) | (_, EncodeStatus::OutputFull) => return false,
            _ => {}
        }
    }
}

/// Whether a decoder writes the text of `bytes` into destinations of the greatest lengths.
fn decodes_into_greatest_lengths(charset: Charset, bytes: &[u8]) -> bool {
    let decoder = charset.new_decoder();
    let mut text = vec![0; decoder.max_utf8_length(bytes.len()).unwrap()];
    let mut units = vec![0; decoder.max_utf16_length(bytes.len()).unwrap()];
    let mode = DecodeErrorMode::Replacement;
    { decoder }.decode_to_utf8(bytes, &mut text, true, mode).status == DecodeStatus::InputEmpty && { decoder }
        .decode_to_utf16(bytes, &mut units, true, mode)
        .status
        == DecodeStatus::InputEmpty
}

#[test]
fn texts_of_two_characters_in_turn_fit_into_the_greatest_lengths() {
    let pairs = || CHARACTERS.into_iter().flat_map(|one| CHARACTERS.map(|other| [one, other]));
    let texts: Vec<String> =
        pairs().flat_map(|pair| [1, 5].map(|count| String::from_iter(pair).repeat(count))).collect();
    let mut wrong = BTreeSet::new();
    for charset in Charset::all() {
        // Single bytes do not depend on each other.
        let step = if charset.codec().is_single_byte() { 31 } else { 1 };
        for text in texts.iter().step_by(step) {
            for mode in [EncodeErrorMode::Html, EncodeErrorMode::Fatal] {
                if !encodes_into_greatest_lengths(charset, text, mode) {
                    wrong.insert(format!("{charset} {mode:?}"));
                }
            }
        }
        let pairs = (0..=u8::MAX).flat_map(|first| SECOND.map(|second| [first, second]));
        for pair in pairs.step_by(step) {
            if !decodes_into_greatest_lengths(charset, &pair.repeat(4)) {
                wrong.insert(format!("{charset} as text"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Also in the states of charsets that end no text with bytes: after a byte order mark, a header, or a designation.
#[test]
fn a_state_is_pending_if_the_end_of_the_text_writes_bytes() {
    let pairs = || CHARACTERS.into_iter().flat_map(|one| CHARACTERS.map(|other| String::from_iter([one, other])));
    let (mut pending, mut wrong) = (0, BTreeSet::new());
    for charset in Charset::all().filter(|charset| !charset.codec().is_single_byte()) {
        let Some(mut encoder) = charset.new_encoder() else { continue };
        let of_new = encoder.has_pending_state();
        for text in pairs().chain([String::new()]) {
            encoder.reset();
            let _ = encoder.encode_str(&text, &mut [0; 64], false, EncodeErrorMode::Html);
            let end = { encoder }.encode_str("", &mut [0; 64], true, EncodeErrorMode::Html);
            pending += usize::from(encoder.has_pending_state());
            if encoder.has_pending_state() != (end.written > 0) || of_new {
                wrong.insert(charset.name());
            }
        }
    }
    assert!(wrong.is_empty() && pending > 1000, "{wrong:?}, {pending}");
}
