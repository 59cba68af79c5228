//! The charsets beyond the Standard, beside iconv(3) of the GNU C library: a table in Markdown.
//!
//! ```text
//! cargo bench -p textcodec-benches --bench charsets [-- NAME…]
//! ```
//!
//! Each charset that glibc has converts a text of [`LENGTH`] bytes between its bytes and UTF-8. The text is in the
//! language of which the charset has the most letters, without the characters that the charset lacks. With names of
//! charsets, the table has a row for each; otherwise it has a row for each family.

use std::{env, hint::black_box, time::Duration};

use textcodec_benches::{Corpus, GeometricMean, Iconv, Language, race};
use textcodec_charsets::{Charset, DecodeErrorMode, EncodeErrorMode, Names};

/// The length of a text, in bytes of UTF-8.
const LENGTH: usize = 16 << 10;
/// The languages of the texts.
const LANGUAGES: [Language; 10] = [
    Language::Ar,
    Language::Cs,
    Language::De,
    Language::El,
    Language::En,
    Language::Fr,
    Language::He,
    Language::Ru,
    Language::Th,
    Language::Vi,
];
/// The approximate time for a cell.
const BUDGET: Duration = Duration::from_millis(15);

/// The result for a charset and a direction: gigabytes of the charset for each second, and how many times as fast as
/// iconv that is.
#[derive(Clone, Copy)]
struct Cell {
    rate: f64,
    ratio: f64,
}

fn main() {
    let measures = env::args().any(|argument| argument == "--bench");
    let names: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let corpus = if measures { Corpus::from_environment(LENGTH) } else { Corpus::made_up(LENGTH) };
    let texts: Vec<String> =
        LANGUAGES.into_iter().map(|language| corpus.text(language, textcodec_benches::Kind::Text)).collect();
    if measures {
        println!(
            "| {} | decoding, GB/s | × iconv | encoding, GB/s | × iconv | slowest |",
            if names.is_empty() { "family" } else { "charset" }
        );
        println!("| --- | ---: | ---: | ---: | ---: | --- |");
    }
    let mut families = Vec::new();
    for charset in Charset::all() {
        let is_asked = names.is_empty() || names.iter().any(|name| name.eq_ignore_ascii_case(charset.name()));
        let Some(glibc) = charset.names(Names::Glibc).next().filter(|_| is_asked) else { continue };
        let Some([decoding, encoding]) = cells(charset, glibc, &texts, measures) else { continue };
        if !names.is_empty() && measures {
            print_row(charset.name(), &[decoding], &[encoding], "");
        }
        families.push((charset, decoding, encoding));
    }
    if !names.is_empty() || !measures {
        return;
    }
    let mut rest = &families[..];
    while let Some((first, ..)) = rest.first() {
        let length = rest.iter().take_while(|(charset, ..)| charset.family() == first.family()).count();
        let (family, others) = rest.split_at(length);
        let (decoding, encoding): (Vec<Cell>, Vec<Cell>) =
            family.iter().map(|(_, first, second)| (*first, *second)).unzip();
        let mut slowest: Vec<(f64, String)> = family
            .iter()
            .flat_map(|(charset, decoding, encoding)| {
                [(decoding.ratio, format!("{charset} decoding")), (encoding.ratio, format!("{charset} encoding"))]
            })
            .collect();
        slowest.sort_by(|first, second| first.0.total_cmp(&second.0));
        let slowest: Vec<String> = slowest.iter().take(3).map(|(ratio, name)| format!("{name} {ratio:.1}")).collect();
        print_row(first.family().name(), &decoding, &encoding, &slowest.join(", "));
        rest = others;
    }
}

fn print_row(name: &str, decoding: &[Cell], encoding: &[Cell], slowest: &str) {
    let mean = |values: &mut dyn Iterator<Item = f64>| {
        let mut mean = GeometricMean::default();
        values.for_each(|value| mean.push(value));
        mean.mean().unwrap_or(f64::NAN)
    };
    let columns = [decoding, encoding].map(|cells| {
        let rate = mean(&mut cells.iter().map(|cell| cell.rate));
        let ratio = mean(&mut cells.iter().map(|cell| cell.ratio));
        format!("{rate:.2} | {ratio:.1}")
    });
    println!("| {name} | {} | {slowest} |", columns.join(" | "));
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
fn cells(charset: Charset, glibc: &str, texts: &[String], measures: bool) -> Option<[Cell; 2]> {
    let texts = texts.iter().map(|text| fitting(charset, text));
    let letters =
        |text: &str| text.chars().filter(|character| character.is_alphabetic() && !character.is_ascii()).count();
    let (text, bytes) = texts.max_by_key(|(text, _)| (letters(text), text.len()))?;
    if bytes.len() < LENGTH / 8 {
        // The charset has no letters, for example Braille.
        return None;
    }
    let (mut decoding, mut encoding) = (Iconv::open("UTF-8", glibc)?, Iconv::open(glibc, "UTF-8")?);
    let mut buffer = vec![0; 3 * LENGTH + 64];
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
