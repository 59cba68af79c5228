//! The charsets beyond the Standard, beside iconv(3) of the GNU C library: a table in Markdown.
//!
//! ```text
//! cargo bench -p textcodec-benches --bench charsets [-- NAME…]
//! ```
//!
//! Each charset that glibc has converts texts of [`LENGTHS`] bytes between its bytes and UTF-8. The texts are in the
//! language of which the charset has the most letters, without the characters that the charset lacks. With names of
//! charsets or of families, the table has a row for each charset; otherwise it has a row for each family. A list of the
//! conversions in which iconv is faster follows.

use std::{env, hint::black_box, time::Duration};

use textcodec_benches::{Corpus, GeometricMean, Iconv, Language, race};
use textcodec_charsets::{Charset, DecodeErrorMode, EncodeErrorMode, Names};

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
/// The approximate time for a cell.
const BUDGET: Duration = Duration::from_millis(12);

/// The result for a charset and a direction: gigabytes of the charset for each second, and how many times as fast as
/// iconv that is.
#[derive(Clone, Copy)]
struct Cell {
    rate: f64,
    ratio: f64,
}

/// The results for a charset: decoding and encoding, for each of [`LENGTHS`].
struct Row {
    charset: Charset,
    cells: [[Cell; 2]; LENGTHS.len()],
}

fn main() {
    let measures = env::args().any(|argument| argument == "--bench");
    let names: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let corpus = |length| if measures { Corpus::from_environment(length) } else { Corpus::made_up(length) };
    let texts = LENGTHS.map(|length| {
        let corpus = corpus(length);
        LANGUAGES.map(|language| corpus.text(language, textcodec_benches::Kind::Text))
    });
    let mut rows = Vec::new();
    for charset in Charset::all() {
        let is_named = |name: &String| {
            name.eq_ignore_ascii_case(charset.name()) || name.eq_ignore_ascii_case(charset.family().name())
        };
        let is_asked = names.is_empty() || names.iter().any(is_named);
        let Some(glibc) = charset.names(Names::Glibc).next().filter(|_| is_asked) else { continue };
        let cells = [0, 1].map(|at| cells(charset, glibc, LENGTHS[at], &texts[at], measures));
        if let [Some(short), Some(long)] = cells {
            rows.push(Row { charset, cells: [short, long] });
        }
    }
    if measures {
        print_table(&rows, !names.is_empty());
    }
}

fn print_table(rows: &[Row], has_row_for_each: bool) {
    let title = if has_row_for_each { "charset" } else { "family" };
    println!(
        "| {title} | decoding 4 KB, × iconv | 64 KB | 64 KB, GB/s | encoding 4 KB, × iconv | 64 KB | 64 KB, GB/s |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let is_same = |first: &Row, second: &Row| !has_row_for_each && first.charset.family() == second.charset.family();
    for rows in rows.chunk_by(is_same) {
        let charset = rows[0].charset;
        let name = if has_row_for_each { charset.name() } else { charset.family().name() };
        let mean = |value: &dyn Fn(&Row) -> f64| {
            let mut mean = GeometricMean::default();
            rows.iter().for_each(|row| mean.push(value(row)));
            mean.mean().unwrap_or(f64::NAN)
        };
        let columns = [0, 1].map(|direction| {
            let ratio = |length: usize| mean(&|row| row.cells[length][direction].ratio);
            format!("{:.1} | {:.1} | {:.2}", ratio(0), ratio(1), mean(&|row| row.cells[1][direction].rate))
        });
        println!("| {name} | {} |", columns.join(" | "));
    }
    let mut slow = Vec::new();
    for row in rows {
        for (cells, length) in row.cells.iter().zip(["4 KB", "64 KB"]) {
            for (cell, direction) in cells.iter().zip(["decoding", "encoding"]) {
                if cell.ratio < 1.0 {
                    slow.push((cell.ratio, format!("{} {direction} {length} {:.2}", row.charset, cell.ratio)));
                }
            }
        }
    }
    slow.sort_by(|first, second| first.0.total_cmp(&second.0));
    println!("\n{} of {} conversions are slower than iconv's:\n", slow.len(), rows.len() * 4);
    slow.iter().for_each(|(_, line)| println!("* {line}"));
}

/// The part of a text that the charset has, and its bytes.
fn fitting(charset: Charset, text: &str) -> (String, Vec<u8>) {
    let mut encoder = charset.new_encoder().expect("the charset has an encoder");
    let mut kept = String::new();
    for character in text.chars() {
        let mut bytes = Vec::new();
        let character = String::from(character);
        let result = encoder.encode_str_to_vec(&character, &mut bytes, false, EncodeErrorMode::Fatal);
        if !result.had_errors {
            kept.push_str(&character);
        }
    }
    let bytes = charset.encode_or_fail(&kept).expect("unmappable characters were left out");
    (kept, bytes)
}

/// Decoding and encoding. `None` if glibc does not have the charset on this machine, or converts the text to other
/// bytes.
fn cells(charset: Charset, glibc: &str, length: usize, texts: &[String], measures: bool) -> Option<[Cell; 2]> {
    let texts = texts.iter().map(|text| fitting(charset, text));
    // In bytes of UTF-8: ideographs count more than letters of alphabets, which charsets of ideographs have, too.
    let letters = |text: &str| {
        let letters = text.chars().filter(|character| character.is_alphabetic() && !character.is_ascii());
        letters.map(char::len_utf8).sum::<usize>()
    };
    let (text, bytes) = texts.max_by_key(|(text, _)| (letters(text), text.len()))?;
    if bytes.len() < length / 8 {
        // The charset has no letters, for example Braille.
        return None;
    }
    let (mut decoding, mut encoding) = (Iconv::open("UTF-8", glibc)?, Iconv::open(glibc, "UTF-8")?);
    let mut buffer = vec![0; 3 * length + 64];
    let is_same = decoding.convert(&bytes, &mut buffer).is_some_and(|length| buffer[..length] == *text.as_bytes())
        && encoding.convert(text.as_bytes(), &mut buffer).is_some_and(|length| buffer[..length] == bytes);
    if !is_same {
        eprintln!("{charset}: glibc converts the text to other bytes");
        return None;
    }
    let (text, bytes) = (&text, &bytes);
    let nothing = Cell { rate: 0.0, ratio: 0.0 };
    if !measures {
        return Some([nothing; 2]);
    }
    let times = race(
        BUDGET,
        &[bytes.len()],
        &mut buffer,
        &mut [
            Box::new(|buffer, _| {
                let mode = DecodeErrorMode::Replacement;
                let _ = black_box(charset.new_decoder().decode_to_utf8(black_box(bytes), buffer, true, mode));
            }),
            Box::new(|buffer, _| {
                black_box(decoding.convert(black_box(bytes), buffer));
            }),
        ],
    );
    let decoding = Cell { rate: 1.0 / times[0].cost, ratio: times[1].ratio };
    let times = race(
        BUDGET,
        &[bytes.len()],
        &mut buffer,
        &mut [
            Box::new(|buffer, _| {
                let mut encoder = charset.new_encoder().expect("the charset has an encoder");
                let _ = black_box(encoder.encode_str(black_box(text), buffer, true, EncodeErrorMode::Html));
            }),
            Box::new(|buffer, _| {
                black_box(encoding.convert(black_box(text.as_bytes()), buffer));
            }),
        ],
    );
    Some([decoding, Cell { rate: 1.0 / times[0].cost, ratio: times[1].ratio }])
}
