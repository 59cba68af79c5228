//! Texts of which some parts are in UTF-8 and others are not.

use alloc::{borrow::Cow, string::String, vec, vec::Vec};

use crate::charset::{Charset, Status};

/// The number of bytes of a line that are looked at together. A longer line is cut after a byte below [`CUT_BELOW`].
const WINDOW: usize = 64 * 1024;

/// No sequence of a charset with more than one byte for a character has a byte below this after its first one.
const CUT_BELOW: u8 = 0x30;

/// The cost of another charset from the next character on, if this character is ASCII, and if it is not.
const SWITCH: (i32, i32) = (2, 4);

/// The cost of each charset before the one that a part is in.
const LATER: i32 = 2;

/// The text of `bytes`, a line of a text whose parts are in several charsets. `None` if a part is in none of them.
///
/// The line is in the first of the charsets in which it is well-formed. If UTF-8 is tried and the line is not, its
/// parts can be in different charsets: well-formed sequences of UTF-8 stay, and the bytes between them are in another
/// charset. Bytes that look like one or two characters of UTF-8 by chance are not taken for it: a charset that gives a
/// text with fewer changes of the charset is preferred.
///
/// ```
/// use textcodec_convert::{Charset, decode_mixed};
///
/// let charsets = [Charset::UTF_8, Charset::for_label("gbk").unwrap()];
/// let line = ["/* 你好 ".as_bytes(), b"\xC4\xE3\xBA\xC3 */"].concat();
/// assert_eq!(decode_mixed(&line, &charsets).unwrap(), "/* 你好 你好 */");
/// ```
#[must_use]
pub fn decode_mixed<'a>(bytes: &'a [u8], charsets: &[Charset]) -> Option<Cow<'a, str>> {
    let mut parts = None;
    for (at, &charset) in charsets.iter().enumerate() {
        if charset != Charset::UTF_8 {
            if let Some(text) = decode(bytes, charset) {
                return Some(text.into());
            }
            continue;
        }
        match core::str::from_utf8(bytes) {
            Ok(text) => return Some(text.into()),
            Err(_) => match decode_parts(bytes, &charsets[at..]) {
                Some((text, true)) => return Some(text.into()),
                Some((text, false)) => parts = Some(text),
                None => {}
            },
        }
    }
    parts.map(Cow::Owned)
}

/// The text of `bytes` if they are well-formed UTF-8, or CESU-8, in which each half of a surrogate pair is a sequence
/// of three bytes.
#[must_use]
pub fn decode_cesu_8(bytes: &[u8]) -> Option<String> {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    loop {
        let valid = match core::str::from_utf8(rest) {
            Ok(valid) => {
                text += valid;
                return Some(text);
            }
            Err(error) => error.valid_up_to(),
        };
        text += core::str::from_utf8(&rest[..valid]).ok()?;
        rest = &rest[valid..];
        text.push(surrogate_pair(rest)?);
        rest = &rest[6..];
    }
}

/// The character whose surrogate pair `bytes` start with, each half of it in three bytes.
fn surrogate_pair(bytes: &[u8]) -> Option<char> {
    let [0xED, high @ 0xA0..=0xAF, second @ 0x80..=0xBF, 0xED, low @ 0xB0..=0xBF, last @ 0x80..=0xBF] =
        *bytes.first_chunk()?
    else {
        return None;
    };
    let half = |lead: u8, trail: u8| u32::from(lead & 0x0F) << 6 | u32::from(trail & 0x3F);
    char::from_u32(0x1_0000 + (half(high, second) << 10) + (half(low & 0x0F, last)))
}

/// The text of `bytes` in `charset`, if they are well-formed in it.
pub(crate) fn decode(bytes: &[u8], charset: Charset) -> Option<String> {
    let mut text = String::with_capacity(bytes.len() * 3 + 16);
    let decoded = charset.new_decoder(true).decode(bytes, &mut text, true);
    (decoded.status == Status::InputEmpty).then_some(text)
}

/// The text of `bytes`, whose parts are in UTF-8 or in other charsets of `charsets`, of which UTF-8 is the first; and
/// whether a part is in UTF-8.
fn decode_parts(mut bytes: &[u8], charsets: &[Charset]) -> Option<(String, bool)> {
    let mut states: Vec<_> = (0..).zip(charsets).map(|(number, &charset)| State::new(charset, number)).collect();
    let mut text = String::with_capacity(bytes.len() * 2);
    let mut has_utf_8 = false;
    while !bytes.is_empty() {
        let cut = if bytes.len() > WINDOW {
            bytes[..WINDOW].iter().rposition(|&byte| byte < CUT_BELOW).map_or(WINDOW, |at| at + 1)
        } else {
            bytes.len()
        };
        let (window, rest) = bytes.split_at(cut);
        has_utf_8 |= decode_window(window, &mut states, &mut text)?;
        bytes = rest;
    }
    Some((text, has_utf_8))
}

/// A charset that parts of a line can be in.
struct State {
    charset: Charset,
    /// The cost of a part in this charset at the start of the line.
    start: i32,
    /// The cost of a part in this charset after a part in another one.
    entry: i32,
    /// How much less it costs if two, three or four bytes are a sequence of UTF-8. The more such bytes occur in text of
    /// the other charsets, the less is gained.
    gains: [i32; 3],
}

impl State {
    fn new(charset: Charset, number: i32) -> Self {
        let later = LATER * (number - 1).max(0);
        let start = if number == 0 { SWITCH.0 } else { later };
        State { charset, start, entry: later, gains: gains(charset) }
    }
}

/// The number of letters among the bytes 80 to BF from which text often has the trailing bytes of UTF-8.
const MANY_LETTERS: usize = 24;

/// What sequences of UTF-8 of two, three and four bytes tell against `charset`.
pub(crate) fn gains(charset: Charset) -> [i32; 3] {
    if charset == Charset::UTF_8 {
        return [i32::MAX; 3];
    }
    if !charset.is_single_byte() {
        return [1, 4, 6];
    }
    let letters = (0x80..=0xBF_u8).filter_map(|byte| decode(&[byte], charset));
    let letters = letters.filter(|text| text.chars().all(char::is_alphabetic)).count();
    if letters >= MANY_LETTERS { [3, 4, 8] } else { [5, 7, 9] }
}

/// The best way to a place in a line, and the charset of the last character of the way.
#[derive(Clone, Copy)]
struct Way {
    cost: i32,
    /// The number of the charset before this character.
    from: usize,
    /// The length of the character in bytes.
    length: usize,
}

const NO_WAY: Way = Way { cost: i32::MAX, from: 0, length: 0 };

/// Appends the text of `bytes` to `text`, and returns whether a part of it is in UTF-8. `None` if no charset has a
/// part of it. The first of `states` is UTF-8.
fn decode_window(bytes: &[u8], states: &mut [State], text: &mut String) -> Option<bool> {
    let gain = |length: usize| {
        // UTF-8 that is named twice is no other charset.
        let others = states[1..].iter().filter(|state| state.charset != Charset::UTF_8);
        others.map(|state| state.gains[length.clamp(2, 4) - 2]).min().unwrap_or(0)
    };
    let gains = [2, 3, 4].map(gain);
    let number = states.len();
    let mut ways = vec![NO_WAY; number * (bytes.len() + 1)];
    for (way, state) in ways.iter_mut().zip(&*states) {
        way.cost = state.start;
    }
    for at in 0..bytes.len() {
        let switch = if bytes[at].is_ascii() { SWITCH.0 } else { SWITCH.1 };
        for (to, state) in states.iter().enumerate() {
            let cost = |from: usize| {
                let before = ways[at * number + from].cost;
                let change = if from == to { 0 } else { switch + state.entry };
                before.checked_add(change).filter(|_| before != i32::MAX)
            };
            // The way that stays in its charset is preferred, then the one from the first charset.
            let stays = core::iter::once(to).chain((0..number).filter(|&from| from != to));
            let best = stays.filter_map(|from| Some((cost(from)?, from))).min_by_key(|&(cost, _)| cost);
            let Some((cost, from)) = best else { continue };
            let Some(length) = character_length(&bytes[at..], state.charset) else { continue };
            let gain = match to {
                0 if length > 1 && !is_seldom(&bytes[at..at + length]) => gains[length.min(4) - 2],
                _ => 0,
            };
            let way = &mut ways[(at + length) * number + to];
            if cost - gain < way.cost {
                *way = Way { cost: cost - gain, from, length };
            }
        }
    }
    // From the end back to the start.
    let mut at = bytes.len();
    // A tie is for a charset other than UTF-8.
    let mut state = (0..number).rev().min_by_key(|&state| ways[at * number + state].cost)?;
    if ways[at * number + state].cost == i32::MAX {
        return None;
    }
    let last = state;
    let (mut parts, mut has_utf_8) = (Vec::new(), false);
    while at > 0 {
        let Way { from, length, .. } = ways[at * number + state];
        match parts.last_mut() {
            Some((start, part)) if *part == state => *start = at - length,
            _ => parts.push((at - length, state)),
        }
        has_utf_8 |= state == 0 && length > 1;
        (at, state) = (at - length, from);
    }
    let ends = core::iter::once(bytes.len()).chain(parts.iter().map(|&(start, _)| start));
    for (end, &(start, state)) in ends.collect::<Vec<_>>().into_iter().zip(&parts).rev() {
        let part = &bytes[start..end];
        match state {
            0 => *text += &decode_cesu_8(part)?,
            _ => *text += &decode(part, states[state].charset)?,
        }
    }
    for (number, state) in states.iter_mut().enumerate() {
        state.start = if number == last { 0 } else { SWITCH.0 + state.entry };
    }
    Some(has_utf_8)
}

/// Whether a sequence of UTF-8 is a character that texts seldom have, so that it tells nothing.
fn is_seldom(sequence: &[u8]) -> bool {
    let character = core::str::from_utf8(sequence).ok().and_then(|text| text.chars().next());
    character.is_some_and(|character| is_rare(character) || character.is_control())
}

/// The length of the character that `bytes` start with, in `charset`. `None` if they are malformed in it.
fn character_length(bytes: &[u8], charset: Charset) -> Option<usize> {
    if bytes[0].is_ascii() {
        return Some(1);
    }
    if charset == Charset::UTF_8 {
        if surrogate_pair(bytes).is_some() {
            return Some(6);
        }
        return (2..=bytes.len().min(4)).find(|&length| core::str::from_utf8(&bytes[..length]).is_ok());
    }
    (1..=bytes.len().min(4)).find(|&length| decode(&bytes[..length], charset).is_some())
}

/// Characters that are seldom written: the long s, extended Latin, phonetic and modifier letters, extended Cyrillic,
/// Armenian, Syriac, Thaana, N'Ko, Samaritan.
pub(crate) fn is_rare(character: char) -> bool {
    matches!(
        character,
        '\u{17F}'..='\u{217}' | '\u{21C}'..='\u{2FF}' | '\u{460}'..='\u{58F}' | '\u{700}'..='\u{8FF}' | '\u{1D00}'..='\u{1DFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use textcodec::{GBK, WINDOWS_1251, WINDOWS_1252};

    #[test]
    fn a_character_has_its_length_in_each_charset() {
        for (text, length) in [("a", 1), ("é", 2), ("€", 3), ("𝄞", 4)] {
            let bytes = format!("{text}bcd").into_bytes();
            assert_eq!(character_length(&bytes, Charset::UTF_8), Some(length), "{text}");
        }
        // A surrogate pair, as CESU-8 has it.
        assert_eq!(character_length(b"\xED\xA0\xB4\xED\xB4\x9Ebcd", Charset::UTF_8), Some(6));
        assert_eq!(character_length(b"\xC4\xE3\xBA\xC3", GBK.into()), Some(2));
        assert_eq!(character_length(b"\xE9bcd", WINDOWS_1252.into()), Some(1));
        assert_eq!(character_length(b"\xE9bcd", Charset::UTF_8), None);
    }

    #[test]
    fn utf_8_that_is_named_twice_is_decoded_once() {
        let text = "âeâLâè ôâXâg";
        for others in [&[Charset::UTF_8][..], &[Charset::UTF_8; 2], &[WINDOWS_1252.into(), Charset::UTF_8]] {
            let charsets = [&[Charset::UTF_8], others].concat();
            assert_eq!(decode_mixed(text.as_bytes(), &charsets).as_deref(), Some(text), "{charsets:?}");
            let malformed = [text.as_bytes(), b"\xFF"].concat();
            let expected = others.contains(&WINDOWS_1252.into()).then(|| format!("{text}ÿ"));
            assert_eq!(decode_mixed(&malformed, &charsets).as_deref(), expected.as_deref(), "{charsets:?}");
        }
    }

    #[test]
    fn a_charset_goes_on_after_a_window_as_within_one() {
        let charsets = [Charset::UTF_8, WINDOWS_1252.into()];
        // The two bytes of UTF-8 stand between letters of windows-1252.
        for (before, after) in [(b"\xE9", &b"\xC3\xA9\xE9"[..]), (b"\xE9", b"\xC3\xA9 \xE9"), (b"a", b"\xC3\xA9\xE9")] {
            let line = [&before[..], b"\n", after].concat();
            let decoded = decode_mixed(&line, &charsets).unwrap();
            let end = decoded.split_once('\n').unwrap().1;
            let letters = "a".repeat(WINDOW - 2);
            let long = [&before[..], letters.as_bytes(), b"\n", after].concat();
            let long = decode_mixed(&long, &charsets).unwrap();
            assert_eq!(long.split_once('\n').unwrap().1, end, "{before:X?}, {after:X?}");
        }
        assert_eq!(decode_mixed(b"\xE9\n\xC3\xA9\xE9", &charsets).as_deref(), Some("é\nÃ©é"));
        // After a window in UTF-8, the first of the other charsets is cheaper.
        let charsets = [Charset::UTF_8, GBK.into(), WINDOWS_1252.into()];
        for (before, text) in [("日本\n", "日本\n殚"), (&*format!("日本{}\n", "a".repeat(WINDOW - 7)), "a\n殚")]
        {
            let line = [before.as_bytes(), b"\xE9\xE9"].concat();
            assert!(decode_mixed(&line, &charsets).unwrap().ends_with(text), "{text}");
        }
    }

    #[test]
    fn lines_in_several_charsets_are_decoded_in_the_first_that_fits() {
        let charsets = [Charset::UTF_8, Charset::for_label("gbk").unwrap(), WINDOWS_1252.into()];
        assert_eq!(decode_mixed("é".as_bytes(), &charsets).as_deref(), Some("é"));
        assert_eq!(decode_mixed(b"\xC4\xE3", &charsets).as_deref(), Some("你"));
        assert_eq!(decode_mixed(b"caf\xE9", &charsets).as_deref(), Some("café"));
        assert_eq!(decode_mixed(b"caf\xE9", &charsets[..2]), None);
    }

    #[test]
    fn parts_of_a_line_are_decoded_by_their_malformed_sequences() {
        for (charset, others) in [
            (GBK, &["你好", "牛奶", "用户名", "中文，字符"][..]),
            (WINDOWS_1251, &["Привет", "Лёша ушёл", "Ў", "Чё"]),
            (WINDOWS_1252, &["café", "Ã", "où — “là”", "ÄÖÜ"]),
            (textcodec::SHIFT_JIS, &["日本語", "ソース", "ﾃｽﾄ"]),
            (textcodec::EUC_KR, &["안녕하세요", "한글"]),
            (textcodec::BIG5, &["許功蓋", "中文"]),
            (textcodec::IBM866, &["равны", "Привет, мир"]),
            (textcodec::WINDOWS_874, &["เกม", "ภาษาไทย"]),
        ] {
            let charsets = [Charset::UTF_8, charset.into()];
            for other in others {
                let encoded = charset.encode(other).bytes;
                // A line in one charset is in this charset, with the exception of bytes that are UTF-8 by chance.
                if core::str::from_utf8(&encoded).is_err() {
                    assert_eq!(decode_mixed(&encoded, &charsets).as_deref(), Some(*other), "{}", charset.name());
                }
                for (before, after) in [("/* 你好 ", " */"), ("", " 😀 «été»"), ("", "\t日本語\n"), ("über ìñ ", "")]
                {
                    let line = [before.as_bytes(), &encoded, after.as_bytes()].concat();
                    // Beside a charset with two bytes for a character, two bytes of UTF-8 tell little.
                    let tells_little = before.starts_with('ü') && !charset.is_single_byte();
                    if core::str::from_utf8(&line).is_ok() || tells_little {
                        continue;
                    }
                    let decoded = decode_mixed(&line, &charsets);
                    assert_eq!(decoded, Some(Cow::from([before, *other, after].concat())), "{}", charset.name());
                }
            }
        }
    }

    #[test]
    fn a_long_line_is_decoded_in_pieces() {
        let part = ["/* 你好 ".as_bytes(), b"\xC4\xE3\xBA\xC3 */"].concat();
        let line = part.repeat(WINDOW / part.len() * 3);
        let text = decode_mixed(&line, &[Charset::UTF_8, GBK.into()]).unwrap();
        assert_eq!(text, "/* 你好 你好 */".repeat(WINDOW / part.len() * 3));
    }

    #[test]
    fn a_long_line_is_cut_between_characters() {
        let other = b"caf\xE9 ";
        let charsets = [Charset::UTF_8, WINDOWS_1252.into()];
        for (character, number) in [("é", 2), ("日", 3), ("😀", 4)] {
            // The window ends after each number of bytes of a character.
            for before in 0..number {
                let word = character.repeat(50);
                let words = format!("{} ", word).repeat(2 * WINDOW / (word.len() + 1));
                let line = [&b" ".repeat(before)[..], words.as_bytes(), other].concat();
                let expected = [" ".repeat(before), words, "café ".to_owned()].concat();
                assert!(decode_mixed(&line, &charsets).unwrap() == expected, "{character} {before}");
            }
        }
    }

    #[test]
    fn surrogate_pairs_in_three_bytes_each_are_one_character() {
        assert_eq!(decode_cesu_8(b"a\xED\xA0\xBD\xED\xB8\x80\xC3\xA9").as_deref(), Some("a😀é"));
        assert_eq!(decode_cesu_8(b"\xED\xAF\xBF\xED\xBF\xBF").as_deref(), Some("\u{10FFFF}"));
        for bytes in [&b"\xED\xA0\xBD"[..], b"\xED\xB8\x80\xED\xA0\xBD", b"\xFF", b"\xED\xA0\xBD\xED\xA0\xBD"] {
            assert_eq!(decode_cesu_8(bytes), None);
        }
        let line = b"\xED\xA0\xBD\xED\xB8\x80 caf\xE9";
        assert_eq!(decode_mixed(line, &[Charset::UTF_8, WINDOWS_1252.into()]).as_deref(), Some("😀 café"));
    }

    #[test]
    fn characters_of_three_and_four_bytes_have_their_length() {
        for (label, bytes, length) in [
            ("euc-jp", &b"\x8F\xB0\xA1a"[..], Some(3)),
            ("euc-jp", b"\x8E\xB1a", Some(2)),
            ("gb18030", b"\x81\x30\x81\x30a", Some(4)),
            ("euc-tw", b"\x8E\xA2\xA1\xA1a", Some(4)),
            ("gb18030", b"\x81\x30\x81", None),
            ("shift_jis", b"\xB1\xB1", Some(1)),
            ("utf-8", b"\xED\xA0\xB4", None),
        ] {
            assert_eq!(character_length(bytes, Charset::for_label(label).unwrap()), length, "{label} {bytes:X?}");
        }
    }

    #[test]
    fn a_charset_in_which_the_whole_line_is_text_comes_before_parts_without_utf_8() {
        let labels = ["utf-8", "shift_jis", "windows-1253", "gbk", "windows-1252"];
        let charsets = labels.map(|label| Charset::for_label(label).unwrap());
        // Two parts, in Shift_JIS and in Greek, would have a lower cost than the last charset.
        let line = [&textcodec::SHIFT_JIS.encode("日本ﾒ").bytes[..], b" \xE1\xE2\xFA."].concat();
        let whole = WINDOWS_1252.decode_without_bom_handling(&line).0;
        assert_eq!(decode_mixed(&line, &charsets), Some(whole));
        assert_eq!(decode_mixed(&line, &charsets[..4]).as_deref(), Some("日本ﾒ αβϊ."));
    }

    /// Lines of words in several charsets. `TEXTCODEC_PINNED=write cargo test -p textcodec-convert pinned` writes the
    /// file after an intended change.
    #[test]
    fn the_texts_of_mixed_lines_are_the_pinned_ones() {
        let words = [
            "café",
            "là",
            "Ãœ",
            "Größe",
            "naïve",
            "—",
            "日本",
            "用户名",
            "ｱｲ",
            "Привет",
            "ё",
            "ſ",
            "😀",
            "a",
            "B",
            "\u{85}",
        ];
        let labels = ["utf-8", "windows-1252", "shift_jis", "gbk", "windows-1251", "euc-jp"];
        let charsets = labels.map(|label| Charset::for_label(label).unwrap());
        // A linear congruential generator.
        let mut state = 1_u32;
        let mut next = |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as usize % below
        };
        let mut table = String::new();
        for number in 0..240 {
            let others: Vec<Charset> = (0..1 + next(3)).map(|_| charsets[1 + next(5)]).collect();
            let mut line = Vec::new();
            for _ in 0..2 + next(5) {
                let charset = [Charset::UTF_8, others[next(others.len())]][next(2)];
                let word = words[next(words.len())];
                let mut bytes = [0; 64];
                let written = charset.new_encoder().unwrap().encode(word, &mut bytes, true).written;
                line.extend_from_slice(&bytes[..written]);
                line.extend_from_slice([&b" "[..], b"", b"-", b"\xE9"][next(4)]);
            }
            let charsets = [&[Charset::UTF_8], &*others].concat();
            let names = others.iter().map(|charset| charset.name()).collect::<Vec<_>>().join(" ");
            let text = decode_mixed(&line, &charsets);
            let text = text.as_deref().map_or("no text".into(), |text| format!("{text:?}"));
            table += &format!("{number}\t{names}\t{text}\n");
        }
        crate::pinned::compare("mixed.tsv", &table);
    }
}
