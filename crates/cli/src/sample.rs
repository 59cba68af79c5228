//! One line of a file before and after a conversion, for a dry run.

use std::{
    borrow::Cow,
    fmt::Write as _,
    io::{self, Read},
    ops::Range,
};

use textcodec_convert::{Charset, buffers, detection};

use crate::{input, message};

/// The number of bytes of a line that are shown before the first byte that is not ASCII, and from it on.
const SHOWN: (usize, usize) = (40, 80);

/// The number of bytes of the longest line that is shown as a whole. Paragraphs without line ends are shorter.
const LONGEST: usize = 4096;

/// The number of characters of a longer line that are shown before the first difference, and from it on.
const PART: (usize, usize) = (40, 400);

/// The first line that is not ASCII: its bytes as if they were UTF-8, and its text in the encoding `from`. `None` if no
/// line looks different in the two. A byte order mark at the start of the file is no text, unless `ignore_bom`.
pub(crate) fn changed_line(
    mut bytes: impl Read,
    from: Charset,
    mut ignore_bom: bool,
) -> io::Result<Option<(String, String)>> {
    let mut piece = buffers::Bytes::new();
    loop {
        // A line that two reads give is a whole line if the buffer has space for it.
        let length = input::fill(&mut bytes, &mut piece)?;
        if length == 0 {
            return Ok(None);
        }
        let piece = &piece[..length];
        if let Some(at) = piece.iter().position(|&byte| !detection::is_plain_ascii(&[byte])) {
            let line = line(piece, at, from);
            return Ok(compare(&piece[line.clone()], from, ignore_bom || line.start > 0));
        }
        ignore_bom = true;
    }
}

/// The place in `piece` of the line around the byte at `at`, without its ends if it is long.
fn line(piece: &[u8], at: usize, from: Charset) -> Range<usize> {
    if from.is_wide() {
        return 0..piece.len().min(SHOWN.1);
    }
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let start = piece[..at].iter().rposition(is_end).map_or(0, |end| end + 1).max(at.saturating_sub(SHOWN.0));
    let end = piece[at..].iter().position(is_end).map_or(piece.len(), |length| at + length).min(at + SHOWN.1);
    start..end
}

/// A line that a conversion changes, as [`differences`] shows it.
pub(crate) struct Difference {
    /// The number of the line, from 1.
    pub(crate) number: usize,
    /// The line of the old file; `None` if it has fewer lines.
    pub(crate) before: Option<String>,
    /// The line of the new file; `None` if it has fewer lines.
    pub(crate) after: Option<String>,
}

/// All lines that look different in the old and in the new bytes of a file.
pub(crate) fn differences(old: &[u8], from: Charset, new: &[u8], to: Charset) -> Vec<Difference> {
    // Lines of these encodings can only be found in the text.
    let is_of_text = from.is_wide() || from.is_ebcdic();
    let old = if is_of_text { from.new_decoder(true).decode_start(old, true) } else { visible_bytes(old) };
    differences_of_texts(&old, &to.new_decoder(true).decode_start(new, true))
}

/// All lines that look different in two texts.
pub(crate) fn differences_of_texts(old: &str, new: &str) -> Vec<Difference> {
    let (mut before, mut after) = (Lines(old), Lines(new));
    let mut differences = Vec::new();
    for number in 1.. {
        let [before, after] =
            [before.next(), after.next()].map(|line| line.map(|line| line.strip_suffix('\n').unwrap_or(line)));
        if before.is_none() && after.is_none() {
            break;
        }
        if before != after {
            let [before, after] = cut([before, after]).map(|line| line.as_deref().map(show));
            differences.push(Difference { number, before, after });
        }
    }
    differences
}

/// A line before and after a change. Of long lines, only the part around the first difference stays.
pub(crate) fn cut(lines: [Option<&str>; 2]) -> [Option<Cow<'_, str>>; 2] {
    let [before, after] = lines.map(Option::unwrap_or_default);
    if before.len().max(after.len()) <= LONGEST {
        return lines.map(|line| line.map(Cow::from));
    }
    let pairs = before.chars().zip(after.chars());
    let equal = pairs.take_while(|(before, after)| before == after).map(|(character, _)| character.len_utf8()).sum();
    let start = before[..equal].char_indices().rev().take(PART.0).last().map_or(equal, |(start, _)| start);
    let left_out = |part: &str| match part.chars().count() {
        0 => String::new(),
        number => format!("[{number} characters]"),
    };
    lines.map(|line| {
        let line = line?;
        let end = line[equal..].char_indices().nth(PART.1).map_or(line.len(), |(length, _)| equal + length);
        Some(format!("{}{}{}", left_out(&line[..start]), &line[start..end], left_out(&line[end..])).into())
    })
}

/// The lines of a text with their ends: LF, CR, or CR and LF.
struct Lines<'a>(&'a str);

impl<'a> Iterator for Lines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0;
        let end =
            text.find(['\n', '\r']).map_or(text.len(), |end| end + if text[end..].starts_with("\r\n") { 2 } else { 1 });
        let (line, rest) = text.split_at(end);
        self.0 = rest;
        (!line.is_empty()).then_some(line)
    }
}

/// A line that has lost its line feed. Other ends of lines are shown.
fn show(line: &str) -> String {
    escape(line).replace('\r', "\\r")
}

/// The text of bytes, with escapes for those that are not UTF-8.
fn visible_bytes(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text += chunk.valid();
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

fn compare(line: &[u8], from: Charset, ignore_bom: bool) -> Option<(String, String)> {
    let before = visible_bytes(line);
    let text = from.new_decoder(ignore_bom).decode_start(line, false);
    let after = if from.is_wide() { text.lines().next().unwrap_or_default() } else { &text };
    let (before, after) = (escape(&before), escape(after));
    (before != after).then_some((before, after))
}

/// One line with escapes for what is not visible.
fn escape(text: &str) -> String {
    message::escape_controls(text).replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use textcodec::{SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252};

    fn changed(bytes: &[u8], from: impl Into<Charset>) -> Option<(String, String)> {
        changed_line(bytes, from.into(), false).unwrap()
    }

    #[test]
    fn the_first_line_that_is_not_ascii_is_shown_as_bytes_and_as_text() {
        let pair = |before: &str, after: &str| Some((before.to_owned(), after.to_owned()));
        assert_eq!(changed(b"one\ncaf\xE9 noir\r\n\xE8", WINDOWS_1252), pair("caf\\xe9 noir", "café noir"));
        assert_eq!(changed(b"\x93\xFA\x96\x7B\n", SHIFT_JIS), pair("\\x93\\xfa\\x96{", "日本"));
        assert_eq!(changed("é".as_bytes(), WINDOWS_1252), pair("é", "Ã©"));
        assert_eq!(changed(b"\xFF\xFEa\0\n\0b\0", UTF_16LE), pair("\\xff\\xfea\\u{0}\\n\\u{0}b\\u{0}", "a"));
        assert_eq!(changed(b"ASCII\n", WINDOWS_1252), None);
        assert_eq!(changed("é".as_bytes(), UTF_8), None);
        assert_eq!(changed("\u{FEFF}é".as_bytes(), UTF_8), pair("\\u{feff}é", "é"));
        // A line feed, a carriage return and the ends of the file end a line.
        for (bytes, line) in [(&b"a\rb\xE9c\rd"[..], "b\\xe9c"), (b"a\nb\xE9c\nd", "b\\xe9c"), (b"\xE9", "\\xe9")] {
            assert_eq!(changed(bytes, WINDOWS_1252), pair(line, &line.replace("\\xe9", "é")), "{bytes:?}");
        }
    }

    #[test]
    fn a_character_that_the_end_of_the_part_cuts_off_is_left_out() {
        // 80 bytes are shown: a character of one byte, 39 of two bytes, and the first byte of another one.
        let bytes = [&b"\xB1"[..], &b"\x93\xFA".repeat(50)].concat();
        let (before, after) = changed(&bytes, SHIFT_JIS).unwrap();
        assert_eq!(before, format!("\\xb1{}\\x93", "\\x93\\xfa".repeat(39)));
        assert_eq!(after, format!("ｱ{}", "日".repeat(39)));
        let bytes = [&b"\xFF\xFE"[..], &b"a\0".repeat(50)].concat();
        let (before, after) = changed(&bytes, UTF_16LE).unwrap();
        assert_eq!((before, after), (format!("\\xff\\xfe{}", "a\\u{0}".repeat(39)), "a".repeat(39)));
    }

    #[test]
    fn a_byte_order_mark_is_looked_for_at_the_start_of_the_file_only() {
        for (bytes, from, ignore_bom, expected) in [
            (&b"\xEF\xBB\xBFa\xC3\xA9"[..], UTF_8, false, Some(("\\u{feff}aé", "aé"))),
            (b"\xEF\xBB\xBFa\xC3\xA9", UTF_8, true, None),
            (b"\xEF\xBB\xBFa", WINDOWS_1252, true, Some(("\\u{feff}a", "ï»¿a"))),
            (b"\xFF\xFEab", WINDOWS_1252, true, Some(("\\xff\\xfeab", "ÿþab"))),
            (b"\n\xFF\xFEab", WINDOWS_1252, false, Some(("\\xff\\xfeab", "ÿþab"))),
            (b"a\xFF\xFEab", WINDOWS_1252, false, Some(("a\\xff\\xfeab", "aÿþab"))),
        ] {
            let changed = changed_line(bytes, from.into(), ignore_bom).unwrap();
            assert_eq!(changed, expected.map(|(before, after)| (before.to_owned(), after.to_owned())), "{bytes:?}");
        }
        let plain = "plain\n".repeat(100_000);
        let late = [plain.as_bytes(), b"\xFF\xFEab"].concat();
        assert_eq!(changed(&late, WINDOWS_1252), Some(("\\xff\\xfeab".to_owned(), "ÿþab".to_owned())));
        // The bytes stand at the start of what the buffer holds then.
        let late = [&vec![b'\n'; buffers::LENGTH][..], b"\xFF\xFEab"].concat();
        assert_eq!(changed(&late, WINDOWS_1252), Some(("\\xff\\xfeab".to_owned(), "ÿþab".to_owned())));
    }

    #[test]
    fn a_byte_order_mark_is_a_difference() {
        for (old, from, new, to, before, after) in [
            (&b"a\n"[..], WINDOWS_1252, &b"\xEF\xBB\xBFa\n"[..], UTF_8, "a", "\\u{feff}a"),
            (b"a\n", UTF_8, b"\xFF\xFEa\0\n\0", UTF_16LE, "a", "\\u{feff}a"),
            (b"\xEF\xBB\xBFa\n", UTF_8, b"a\n", UTF_8, "\\u{feff}a", "a"),
            (b"\xFF\xFEa\0\n\0", UTF_16LE, b"a\n", UTF_8, "\\u{feff}a", "a"),
        ] {
            let [difference] = &differences(old, from.into(), new, to.into())[..] else { panic!("{old:?}") };
            let lines = [&difference.before, &difference.after].map(|line| line.as_deref());
            assert_eq!((difference.number, lines), (1, [Some(before), Some(after)]), "{old:?}");
        }
    }

    #[test]
    fn of_a_long_line_that_changes_the_part_around_the_first_difference_is_shown() {
        let old = format!("ä{}\\xe9{}\n", "a".repeat(100_000), "b".repeat(100_000));
        let new = old.replace("\\xe9", "é");
        let [difference] = &differences_of_texts(&old, &new)[..] else { panic!() };
        let (a, b) = ("a".repeat(PART.0), "b".repeat(PART.1 - 1));
        assert_eq!(difference.after, Some(format!("[99961 characters]{a}é{b}[99601 characters]")));
        let before = format!("[99961 characters]{a}\\xe9{}[99604 characters]", &b[3..]);
        assert_eq!(difference.before.as_ref(), Some(&before));
        // One line is long, and the other one is missing or ends before the part.
        let [long, short] = ["é".repeat(LONGEST), "é".repeat(LONGEST / 2)];
        let part = |length: usize| format!("{}[{} characters]", "é".repeat(length), LONGEST - length);
        assert_eq!(cut([Some(&long), None]), [Some(part(PART.1).into()), None]);
        assert_eq!(cut([Some("é"), Some(&long)]), [Some("é".into()), Some(part(PART.1 + 1).into())]);
        assert_eq!(cut([Some(&*short), None]), [Some((&*short).into()), None]);
    }

    #[test]
    fn a_long_line_is_cut_around_its_first_byte_that_is_not_ascii() {
        let line = [&b"a".repeat(100_000)[..], b"\xE9", &b"b".repeat(100_000)].concat();
        let (before, after) = changed(&line, WINDOWS_1252).unwrap();
        assert_eq!(before, format!("{}\\xe9{}", "a".repeat(SHOWN.0), "b".repeat(SHOWN.1 - 1)));
        assert_eq!(after, before.replace("\\xe9", "é"));
    }

    /// The help says so.
    #[test]
    fn a_line_of_4096_bytes_is_shown_as_a_whole() {
        for (length, is_whole) in [(4096, true), (4097, false)] {
            let [old, new] = ["é", "è"].map(|end| "a".repeat(length - 2) + end);
            let [difference] = &differences_of_texts(&old, &new)[..] else { panic!() };
            assert_eq!(difference.before.as_ref() == Some(&old), is_whole, "{length}");
            assert_eq!(difference.after.as_ref() == Some(&new), is_whole, "{length}");
            let [long, none] = cut([Some(&old), None]);
            assert_eq!((long.as_deref() == Some(&*old), none), (is_whole, None), "{length}");
        }
        assert_eq!((SHOWN, PART), ((40, 80), (40, 400)));
    }

    #[test]
    fn lines_end_after_each_of_three_forms() {
        let lines = |text| Lines(text).collect::<Vec<_>>();
        assert_eq!(lines("a\nb\rc\r\nd\r\r\n\ne"), ["a\n", "b\r", "c\r\n", "d\r", "\r\n", "\n", "e"]);
        assert_eq!((lines(""), lines("\n"), lines("é")), (vec![], vec!["\n"], vec!["é"]));
        let differences: Vec<_> = differences_of_texts("a\r\nb\nc", "a\nb\nd\ne\n")
            .into_iter()
            .map(|Difference { number, before, after }| (number, before, after))
            .collect();
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(differences, [(1, some("a\\r"), some("a")), (3, some("c"), some("d")), (4, None, some("e"))]);
    }

    /// Gives a few bytes with each call.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = buffer.len().min(1000);
            self.0.read(&mut buffer[..length])
        }
    }

    #[test]
    fn a_line_is_found_after_any_number_of_plain_ones() {
        for plain in [0, 1, 10_000, 70_000] {
            let bytes = [&b"plain\n".repeat(plain / 6)[..], b"caf\xE9 noir\nplain\n"].concat();
            let expected = Some(("caf\\xe9 noir".to_owned(), "café noir".to_owned()));
            assert_eq!(changed(&bytes, WINDOWS_1252), expected, "{plain}");
            assert_eq!(changed_line(Slow(&bytes), WINDOWS_1252.into(), false).unwrap(), expected, "{plain}");
        }
    }
}
