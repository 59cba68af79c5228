//! A column of cells of 2 KB beside the kernels: the same cells, decoded one by one into a `String` that has the
//! capacity already. The `String` is cleared for each cell, so that it stays in the first-level cache, or it takes all
//! cells, as the buffer of a column does.
//!
//! `cargo bench` prints a table. `TEXTCODEC_CORPORA` can name a folder with `ja.txt`, `ru.txt` and so on; otherwise the
//! text is a sentence of each language, repeated.

use std::{env, fs, hint::black_box, path::Path, sync::Arc, time::Instant};

use arrow_array::{ArrayRef, BinaryArray, BinaryViewArray};
use textcodec_arrow::{
    Charsets, DecodeOptions, Encoding, HtmlOptions, Labels, decode, html,
    textcodec::{DecodeErrorMode, Decoder},
};

/// The encodings, and the language of the text.
const ENCODINGS: [(&str, &str); 10] = [
    ("windows-1252", "de"),
    ("windows-1251", "ru"),
    ("shift_jis", "ja"),
    ("euc-jp", "ja"),
    ("iso-2022-jp", "ja"),
    ("gbk", "zh_cn"),
    ("big5", "zh_tw"),
    ("euc-kr", "ko"),
    ("utf-8", "ja"),
    ("utf-8", "en"),
];

/// Enough rows that a column is not in the first-level cache, and few enough that the allocator uses its memory again.
const ROWS: usize = 512;

fn text(language: &str) -> String {
    let folder = env::var_os("TEXTCODEC_CORPORA");
    if let Some(Ok(text)) = folder.map(|folder| fs::read_to_string(Path::new(&folder).join(format!("{language}.txt"))))
    {
        return text;
    }
    let sentence = match language {
        "de" => "Die Wörter einer Sprache heißen zusammen ihr Wortschatz; er ist größer, als man glaubt. ",
        "ru" => "Слова языка вместе называются его словарным запасом, и он больше, чем кажется. ",
        "ja" => "ある言語の単語をすべて集めたものを語彙という。それは思うよりも大きい。",
        "zh_cn" => "一种语言的所有词语合在一起叫做词汇，它比人们想象的要多。",
        "zh_tw" => "一種語言的所有詞語合在一起叫做詞彙，它比人們想像的要多。",
        "ko" => "한 언어의 모든 낱말을 모은 것을 어휘라고 하며, 생각보다 많다. ",
        _ => "The words of a language are its vocabulary, which is larger than people think. ",
    };
    sentence.repeat(4000)
}

/// Cells of about `size` bytes, each from another place of the text.
fn cells(encoding: Encoding, text: &str, size: usize) -> Vec<Vec<u8>> {
    let characters: Vec<char> = text.chars().collect();
    (0..ROWS)
        .map(|row| {
            let start = row * 131 % (characters.len() / 2);
            let mut cell = Vec::new();
            let mut end = start;
            while cell.len() < size {
                let more = ((size - cell.len()) / 4).max(1);
                end += more;
                let text: String = characters[start..].iter().cycle().take(end - start).collect();
                cell = encoding.encode(&text).bytes.into_owned();
            }
            cell
        })
        .collect()
}

/// Nanoseconds for each row, the least of many turns, of each of the functions in turn.
fn time<const N: usize>(mut functions: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut best = [f64::INFINITY; N];
    for _ in 0..200 {
        for (function, best) in functions.iter_mut().zip(&mut best) {
            let start = Instant::now();
            function();
            *best = best.min(start.elapsed().as_secs_f64() * 1e9 / ROWS as f64);
        }
    }
    best
}

fn main() {
    println!("nanoseconds for a row; the ratios are the time of the kernels in one buffer to that of the column");
    println!(
        "| encoding | bytes | kernels, first-level cache | kernels, one buffer | Binary | | BinaryView | | html | |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (label, language) in ENCODINGS {
        let encoding = Encoding::for_label(label).expect("the label of an encoding");
        for size in [16, 2048] {
            let cells = cells(encoding, &text(language), size);
            let column: ArrayRef = Arc::new(BinaryArray::from_iter_values(&cells));
            let view: ArrayRef = Arc::new(BinaryViewArray::from_iter_values(&cells));
            let (labels, options) = (Labels::from(encoding), DecodeOptions::default());
            let charsets = Charsets::one(label);
            let mut destination = String::with_capacity(4 * size);
            let mut all = String::with_capacity(4 * size * ROWS);
            let decode_cell = |cell: &[u8], text: &mut String| {
                let mut decoder: Decoder = encoding.new_decoder();
                let _ = black_box(decoder.decode_to_string(cell, text, true, DecodeErrorMode::Replacement));
                black_box(text);
            };
            let [kernels, one_buffer, column, view, page] = time([
                &mut || {
                    for cell in &cells {
                        destination.clear();
                        decode_cell(cell, &mut destination);
                    }
                },
                &mut || {
                    all.clear();
                    for cell in &cells {
                        decode_cell(cell, &mut all);
                    }
                },
                &mut || drop(black_box(decode(&column, &labels, &options))),
                &mut || drop(black_box(decode(&view, &labels, &options))),
                &mut || drop(black_box(html(&column, &charsets, &HtmlOptions::default()))),
            ]);
            let ratio = |time: f64| one_buffer / time;
            println!(
                "| {label}, {language} | {size} | {kernels:.0} | {one_buffer:.0} | {column:.0} | {:.2} | {view:.0} | {:.2} | {page:.0} | {:.2} |",
                ratio(column),
                ratio(view),
                ratio(page),
            );
        }
    }
}
