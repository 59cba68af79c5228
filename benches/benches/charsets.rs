//! The charsets beyond the Standard, beside iconv(3) of the GNU C library: tables in Markdown.
//!
//! ```text
//! cargo bench -p textcodec-benches --bench charsets [-- [--write] NAME…]
//! ```
//!
//! Each charset converts texts of [`LENGTHS`] bytes between its bytes and UTF-8. The texts are in the language of the
//! charset, or that of which it has the most letters, without the characters that the charset lacks. With names of
//! charsets or of families, the table has a row for each charset; otherwise it has a row for each family. A list of the
//! conversions in which iconv is faster follows, with the reasons from [`REASONS`]. `--write` writes [`PAGE`].

use std::{env, fmt::Write as _, fs, hint::black_box, path::PathBuf, process::Command, time::Duration};

use textcodec_benches::{Corpus, GeometricMean, Iconv, Kind, Language, race, system_versions};
use textcodec_charsets::{Charset, DecodeErrorMode, EncodeErrorMode, Names};

/// The page that `--write` writes, in the folder of this package.
const PAGE: &str = "CHARSETS.md";
/// The reasons for which iconv is faster: the name of a charset or of a family, a direction, and the reason.
const REASONS: &str = "report/charsets.tsv";
/// The lengths of the texts, in bytes of UTF-8.
const LENGTHS: [usize; 2] = [4 << 10, 64 << 10];
/// The languages of the texts.
const LANGUAGES: [Language; 14] = [
    Language::Ar,
    Language::Cs,
    Language::De,
    Language::El,
    Language::En,
    Language::Fr,
    Language::He,
    Language::Ja,
    Language::Ko,
    Language::Ru,
    Language::Th,
    Language::Vi,
    Language::ZhCn,
    Language::ZhTw,
];
/// The languages of charsets that have ideographs of other languages, too, by the beginnings of their names.
const LANGUAGES_OF_CHARSETS: [(Language, &[&str]); 4] = [
    (
        Language::Ja,
        &[
            "WINDOWS-932",
            "SJIS",
            "CP932",
            "IBM932",
            "IBM943",
            "EUC-J",
            "SHIFT_J",
            "ISO-2022-J",
            "IBM930",
            "IBM939",
            "IBM139",
        ],
    ),
    (Language::Ko, &["WINDOWS-949", "UHC", "EUC-KR", "JOHAB", "ISO-2022-KR", "IBM933", "IBM1364"]),
    (Language::ZhCn, &["WINDOWS-936", "GB", "EUC-CN", "HZ", "ISO-2022-CN", "IBM935", "IBM1388"]),
    (Language::ZhTw, &["WINDOWS-950", "BIG5", "EUC-TW", "IBM937", "IBM1371"]),
];
/// The approximate time for a cell.
const BUDGET: Duration = Duration::from_millis(12);
const DIRECTIONS: [&str; 2] = ["decoding", "encoding"];

/// The result for a charset and a direction: gigabytes of the charset for each second, and how many times as fast as
/// iconv that is; `None` without a converter of iconv for the same bytes.
#[derive(Clone, Copy)]
struct Cell {
    rate: f64,
    ratio: Option<f64>,
}

/// A result for each of [`DIRECTIONS`]; `None` for one that the charset does not have.
type Cells = [Option<Cell>; 2];

/// The results for a charset, for each of [`LENGTHS`].
struct Row {
    charset: Charset,
    cells: [Cells; LENGTHS.len()],
}

fn main() {
    let has = |option: &str| env::args().any(|argument| argument == option);
    let (measures, writes) = (has("--bench"), has("--write"));
    let names: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let corpus = |length| if measures { Corpus::from_environment(length) } else { Corpus::made_up(length) };
    let texts = LENGTHS.map(|length| LANGUAGES.map(|language| corpus(length).text(language, Kind::Text)));
    let mut rows = Vec::new();
    for charset in Charset::all() {
        let is_named = |name: &String| {
            name.eq_ignore_ascii_case(charset.name()) || name.eq_ignore_ascii_case(charset.family().name())
        };
        if !names.is_empty() && !names.iter().any(is_named) {
            continue;
        }
        let cells = [0, 1].map(|at| cells(charset, LENGTHS[at], &texts[at], measures));
        if let [Some(short), Some(long)] = cells {
            rows.push(Row { charset, cells: [short, long] });
        }
    }
    if measures {
        let tables = tables(&rows, !names.is_empty());
        print!("{tables}");
        if writes {
            fs::write(path(PAGE), page(&tables, &corpus(LENGTHS[0]).origin())).expect("the page can be written");
        }
    }
}

/// The path of a file of this package.
fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The page with these tables.
fn page(tables: &str, origin: &str) -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let value = |wanted: &str| {
        let mut pairs = cpu.lines().filter_map(|line| line.split_once(':'));
        pairs.find_map(|(name, value)| (name.trim() == wanted).then(|| value.trim())).unwrap_or("unknown")
    };
    let date = Command::new("date").arg("+%F").output().map(|output| output.stdout).unwrap_or_default();
    let date = String::from_utf8_lossy(&date);
    let iconv = system_versions().into_iter().next().map_or("unknown".to_owned(), |(_, version)| version);
    format!(
        "<!-- Written by `cargo bench -p textcodec-benches --bench charsets -- --write`. -->\n\n\
         # The speed of charsets beyond the Standard\n\n\
         This page is for readers who want to know how fast the [charsets](../docs/charsets.md) that the Standard does\n\
         not have are converted to and from UTF-8, beside iconv(3) of the GNU C library in the same process. A ratio of\n\
         2 means that iconv takes twice as long. Ratios and rates are geometric means. A rate counts the bytes of the\n\
         charset. Each text is in the language of the charset, or that of which it has the most letters.\n\n\
         * Date: {}\n\
         * Processor: {}, family {}, model {}\n\
         * iconv of the GNU C library: {iconv}\n\
         * Texts: {origin}\n\n{tables}",
        date.trim(),
        value("model name"),
        value("cpu family"),
        value("model"),
    )
}

fn tables(rows: &[Row], has_row_for_each: bool) -> String {
    let mut text = String::new();
    let title = if has_row_for_each { "charset" } else { "family" };
    let columns = "4 KB, × iconv | 64 KB, × iconv | 64 KB, GB/s";
    let _ = writeln!(text, "| {title} | charsets | decoding {columns} | encoding {columns} |");
    let _ = writeln!(text, "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let is_same = |first: &Row, second: &Row| !has_row_for_each && first.charset.family() == second.charset.family();
    for rows in rows.chunk_by(is_same) {
        let charset = rows[0].charset;
        let name = if has_row_for_each { charset.name() } else { charset.family().name() };
        let mean = |length: usize, direction: usize, value: fn(Cell) -> Option<f64>, digits: usize| {
            let mut mean = GeometricMean::default();
            let values = rows.iter().filter_map(|row| row.cells[length][direction].and_then(value));
            values.for_each(|value| mean.push(value));
            mean.mean().map_or("—".to_owned(), |mean| format!("{mean:.digits$}"))
        };
        let columns = [0, 1].map(|direction| {
            let ratio = |length: usize| mean(length, direction, |cell| cell.ratio, 1);
            format!("{} | {} | {}", ratio(0), ratio(1), mean(1, direction, |cell| Some(cell.rate), 2))
        });
        let _ = writeln!(text, "| {name} | {} | {} |", rows.len(), columns.join(" | "));
    }
    let (mut slow, mut count) = (Vec::new(), 0);
    for row in rows {
        for (cells, length) in row.cells.iter().zip(["4 KB", "64 KB"]) {
            for (cell, direction) in cells.iter().zip(DIRECTIONS) {
                let Some(ratio) = cell.and_then(|cell| cell.ratio) else { continue };
                count += 1;
                if ratio < 1.0 {
                    slow.push((ratio, row.charset, direction, length));
                }
            }
        }
    }
    slow.sort_by(|first, second| first.0.total_cmp(&second.0));
    let _ = writeln!(text, "\n{} of {count} conversions are slower than those of iconv.", slow.len());
    if !slow.is_empty() {
        let _ = writeln!(text, "\n| charset | conversion | × iconv | reason |\n| --- | --- | ---: | --- |");
    }
    let reasons = fs::read_to_string(path(REASONS)).unwrap_or_default();
    for (ratio, charset, direction, length) in slow {
        let reason = [charset.name(), charset.family().name()].into_iter().find_map(|name| {
            let start = format!("{name}\t{direction}\t");
            reasons.lines().find_map(|line| line.strip_prefix(&start))
        });
        let reason = reason.unwrap_or("not known");
        let _ = writeln!(text, "| {} | {direction} {length} | {ratio:.2} | {reason} |", charset.name());
    }
    text
}

/// The part of a text that the charset has, and its bytes, which iconv makes where the charset has no encoder.
fn fitting(charset: Charset, iconv: Option<&mut Iconv>, text: &str) -> Option<(String, Vec<u8>)> {
    let mut kept = String::new();
    if charset.new_encoder().is_some() {
        let has = |character: &char| charset.encode_or_fail(character.encode_utf8(&mut [0; 4])).is_ok();
        kept.extend(text.chars().filter(has));
        let bytes = charset.encode_or_fail(&kept).expect("unmappable characters were left out");
        return Some((kept, bytes));
    }
    let (iconv, mut buffer) = (iconv?, vec![0; 16 * text.len() + 64]);
    for character in text.chars() {
        if iconv.convert(character.encode_utf8(&mut [0; 4]).as_bytes(), &mut buffer).is_some() {
            kept.push(character);
        }
    }
    let length = iconv.convert(kept.as_bytes(), &mut buffer)?;
    buffer.truncate(length);
    Some((kept, buffer))
}

/// The results for texts of a length. `None` if the charset has no letters, for example Braille, or if neither it nor
/// iconv has an encoder.
fn cells(charset: Charset, length: usize, texts: &[String], measures: bool) -> Option<Cells> {
    let open = |to: fn(&'static str) -> [&'static str; 2]| {
        let [to, from] = to(charset.names(Names::Glibc).next()?);
        Iconv::open(to, from)
    };
    let (mut encoding, mut decoding) = (open(|name| [name, "UTF-8"]), open(|name| ["UTF-8", name]));
    let is_own =
        |(_, beginnings): &&(Language, &[&str])| beginnings.iter().any(|name| charset.name().starts_with(name));
    let own = LANGUAGES_OF_CHARSETS.iter().find(is_own).map(|(language, _)| language);
    let texts = LANGUAGES.iter().zip(texts).filter(|(language, _)| own.is_none_or(|own| own == *language));
    let texts = texts.filter_map(|(_, text)| fitting(charset, encoding.as_mut(), text));
    // In bytes of UTF-8: ideographs count more than letters of alphabets, which charsets of ideographs have, too.
    let letters = |text: &str| {
        let letters = text.chars().filter(|character| character.is_alphabetic() && !character.is_ascii());
        letters.map(char::len_utf8).sum::<usize>()
    };
    let (text, bytes) = texts.max_by_key(|(text, _)| (letters(text), text.len()))?;
    if bytes.len() < length / 8 {
        return None;
    }
    let mut buffer = vec![0; 8 * length + 64];
    let mut is_same = |iconv: &mut Option<Iconv>, source: &[u8], is_same: &dyn Fn(&[u8]) -> bool| {
        if let Some(converter) = iconv
            && !converter.convert(source, &mut buffer).is_some_and(|length| is_same(&buffer[..length]))
        {
            eprintln!("{charset}: iconv converts the text to another one");
            *iconv = None;
        }
    };
    is_same(&mut decoding, &bytes, &|converted| converted == text.as_bytes());
    // iconv can encode a text to other escapes or sequences.
    is_same(&mut encoding, text.as_bytes(), &|converted| charset.decode(converted).0 == text);
    if !measures {
        return Some([None; 2]);
    }
    let decodes = |buffer: &mut [u8]| {
        let mode = DecodeErrorMode::Replacement;
        let _ = black_box(charset.new_decoder().decode_to_utf8(black_box(&bytes), buffer, true, mode));
    };
    let encodes = |buffer: &mut [u8]| {
        let mut encoder = charset.new_encoder().expect("the charset has an encoder");
        let _ = black_box(encoder.encode_str(black_box(&text), buffer, true, EncodeErrorMode::Html));
    };
    let has_encoder = charset.new_encoder().is_some();
    Some([
        Some(cell(&mut buffer, bytes.len(), &decodes, &bytes, decoding)),
        has_encoder.then(|| cell(&mut buffer, bytes.len(), &encodes, text.as_bytes(), encoding)),
    ])
}

/// Measures `ours`, and iconv if there is a converter for `source`. `bytes` is the number of bytes of the charset.
fn cell(buffer: &mut Vec<u8>, bytes: usize, ours: &dyn Fn(&mut [u8]), source: &[u8], iconv: Option<Iconv>) -> Cell {
    let mut runners: Vec<textcodec_benches::Runner<Vec<u8>>> = vec![Box::new(|buffer, _| ours(buffer))];
    if let Some(mut iconv) = iconv {
        runners.push(Box::new(move |buffer, _| {
            black_box(iconv.convert(black_box(source), buffer));
        }));
    }
    let times = race(BUDGET, &[bytes], buffer, &mut runners);
    Cell { rate: 1.0 / times[0].cost, ratio: times.get(1).map(|time| time.ratio) }
}
