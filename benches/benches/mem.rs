//! The functions of `mem` beside the functions of encoding_rs: a table in Markdown.
//!
//! ```text
//! cargo bench -p textcodec-benches --bench mem
//! ```
//!
//! Each cell has the speed of textcodec divided by the speed of encoding_rs, and textcodec's time in nanoseconds for a
//! call on a piece. The column says the length of the piece in bytes or code units.

use std::{env, hint::black_box, time::Duration};

use encoding_rs::mem as theirs;
use textcodec::{mem as ours, utf16};
use textcodec_benches::{Corpus, Kind, Language, code_point_start, print_row, race};
use textcodec_encoding_rs::mem as replacement;

/// The approximate length of a text, in bytes of UTF-8: more than a branch predictor can learn.
const LENGTH: usize = 256 << 10;
/// The lengths of pieces, in units.
const LENGTHS: [usize; 4] = [16, 64, 256, 4096];
/// The languages of the texts. Texts of other languages reach the same code as one of these.
const LANGUAGES: [(&str, Language); 6] = [
    ("English", Language::En),
    ("French", Language::Fr),
    ("Russian", Language::Ru),
    ("Chinese", Language::ZhCn),
    ("Thai", Language::Th),
    ("Hebrew", Language::He),
];
/// The approximate time for a cell.
const BUDGET: Duration = Duration::from_millis(30);

/// The destinations of all functions.
struct Rooms {
    bytes: Vec<u8>,
    units: Vec<u16>,
}

/// A text in pieces of one length.
struct Pieces {
    utf8: Vec<String>,
    utf16: Vec<Vec<u16>>,
    latin1: Vec<Vec<u8>>,
}

impl Pieces {
    fn of(text: &str, length: usize) -> Self {
        let units: Vec<u16> = text.encode_utf16().collect();
        let latin1: Vec<u8> = text.chars().filter_map(|character| u8::try_from(character).ok()).collect();
        Pieces {
            utf8: cut(text, length),
            utf16: units.chunks(length).map(<[u16]>::to_vec).collect(),
            latin1: latin1.chunks(length).map(<[u8]>::to_vec).collect(),
        }
    }
}

/// `text` in pieces of up to `length` bytes.
fn cut(text: &str, length: usize) -> Vec<String> {
    let (mut pieces, mut rest) = (vec![], text);
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(code_point_start(rest, length));
        pieces.push(piece.to_owned());
        rest = after;
    }
    pieces
}

fn main() {
    // `cargo test` runs benchmarks, too. In a run of `cargo test`, the texts are short.
    let measures = env::args().any(|argument| argument == "--bench");
    let corpus = if measures { Corpus::from_environment(LENGTH) } else { Corpus::made_up(LENGTH / 16) };
    println!("Pieces of texts, {}.\n", corpus.origin());
    for (name, language) in LANGUAGES {
        let text = corpus.text(language, Kind::Text);
        // The English and French texts are reduced to Latin-1.
        let is_latin1 = matches!(language, Language::En | Language::Fr);
        let text: String = text.chars().filter(|&character| !is_latin1 || character <= '\u{FF}').collect();
        let texts = LENGTHS.map(|length| Pieces::of(&text, length));
        print_row(&[&[name.to_owned()][..], &LENGTHS.map(|length| length.to_string())].concat());
        print_row(&[&["---".to_owned()][..], &LENGTHS.map(|_| "---:".to_owned())].concat());
        general(&texts);
        replaced(&texts);
        if is_latin1 {
            latin1(&texts);
        }
        println!();
    }
}

/// The functions for any text.
fn general(texts: &[Pieces]) {
    row(
        "utf8_valid_up_to",
        texts,
        |of| &of.utf8,
        |text, _| ours::utf8_valid_up_to(text.as_bytes()),
        |text, _| encoding_rs::Encoding::utf8_valid_up_to(text.as_bytes()),
    );
    row(
        "utf16_valid_up_to",
        texts,
        |of| &of.utf16,
        |text, _| ours::utf16_valid_up_to(text),
        |text, _| theirs::utf16_valid_up_to(text),
    );
    row(
        "ascii_up_to",
        texts,
        |of| &of.utf8,
        |text, _| ours::ascii_up_to(text.as_bytes()),
        |text, _| encoding_rs::Encoding::ascii_valid_up_to(text.as_bytes()),
    );
    row(
        "utf8_to_utf16",
        texts,
        |of| &of.utf8,
        |text, to| ours::utf8_to_utf16(text.as_bytes(), &mut to.units),
        |text, to| theirs::convert_utf8_to_utf16(text.as_bytes(), &mut to.units),
    );
    row(
        "str_to_utf16",
        texts,
        |of| &of.utf8,
        |text, to| ours::str_to_utf16(text, &mut to.units),
        |text, to| theirs::convert_str_to_utf16(text, &mut to.units),
    );
    // encoding_rs writes code units only. textcodec writes them as bytes, in either byte order.
    row(
        "utf16::encode_le_into",
        texts,
        |of| &of.utf8,
        |text, to| utf16::encode_le_into(text, &mut to.bytes),
        |text, to| theirs::convert_str_to_utf16(text, &mut to.units),
    );
    row(
        "utf16::encode_be_into",
        texts,
        |of| &of.utf8,
        |text, to| utf16::encode_be_into(text, &mut to.bytes),
        |text, to| theirs::convert_str_to_utf16(text, &mut to.units),
    );
    row(
        "utf16_to_utf8",
        texts,
        |of| &of.utf16,
        |text, to| ours::utf16_to_utf8(text, &mut to.bytes),
        |text, to| theirs::convert_utf16_to_utf8(text, &mut to.bytes),
    );
}

/// The functions of textcodec-encoding-rs that do more than call a function of textcodec's `mem`.
fn replaced(texts: &[Pieces]) {
    row(
        "is_utf8_bidi",
        texts,
        |of| &of.utf8,
        |text, _| replacement::is_utf8_bidi(text.as_bytes()),
        |text, _| theirs::is_utf8_bidi(text.as_bytes()),
    );
    row(
        "is_str_bidi",
        texts,
        |of| &of.utf8,
        |text, _| replacement::is_str_bidi(text),
        |text, _| theirs::is_str_bidi(text),
    );
    row(
        "is_utf16_bidi",
        texts,
        |of| &of.utf16,
        |text, _| replacement::is_utf16_bidi(text),
        |text, _| theirs::is_utf16_bidi(text),
    );
    row(
        "check_utf8_for_latin1_and_bidi",
        texts,
        |of| &of.utf8,
        |text, _| replacement::check_utf8_for_latin1_and_bidi(text.as_bytes()),
        |text, _| theirs::check_utf8_for_latin1_and_bidi(text.as_bytes()),
    );
    row(
        "check_str_for_latin1_and_bidi",
        texts,
        |of| &of.utf8,
        |text, _| replacement::check_str_for_latin1_and_bidi(text),
        |text, _| theirs::check_str_for_latin1_and_bidi(text),
    );
    row(
        "check_utf16_for_latin1_and_bidi",
        texts,
        |of| &of.utf16,
        |text, _| replacement::check_utf16_for_latin1_and_bidi(text),
        |text, _| theirs::check_utf16_for_latin1_and_bidi(text),
    );
    row(
        "convert_utf16_to_utf8_partial",
        texts,
        |of| &of.utf16,
        |text, to| replacement::convert_utf16_to_utf8_partial(text, &mut to.bytes),
        |text, to| theirs::convert_utf16_to_utf8_partial(text, &mut to.bytes),
    );
}

/// The functions for text of code points up to U+00FF.
fn latin1(texts: &[Pieces]) {
    row(
        "is_utf8_latin1",
        texts,
        |of| &of.utf8,
        |text, _| ours::is_utf8_latin1(text.as_bytes()),
        |text, _| theirs::is_utf8_latin1(text.as_bytes()),
    );
    row(
        "is_utf16_latin1",
        texts,
        |of| &of.utf16,
        |text, _| ours::is_utf16_latin1(text),
        |text, _| theirs::is_utf16_latin1(text),
    );
    row(
        "latin1_to_utf8",
        texts,
        |of| &of.latin1,
        |text, to| ours::latin1_to_utf8(text, &mut to.bytes),
        |text, to| theirs::convert_latin1_to_utf8(text, &mut to.bytes),
    );
    row(
        "latin1_to_utf16",
        texts,
        |of| &of.latin1,
        |text, to| ours::latin1_to_utf16(text, &mut to.units),
        |text, to| theirs::convert_latin1_to_utf16(text, &mut to.units),
    );
    row(
        "utf8_to_latin1",
        texts,
        |of| &of.utf8,
        |text, to| ours::utf8_to_latin1(text.as_bytes(), &mut to.bytes),
        |text, to| theirs::convert_utf8_to_latin1_lossy(text.as_bytes(), &mut to.bytes),
    );
    row(
        "utf16_to_latin1",
        texts,
        |of| &of.utf16,
        |text, to| ours::utf16_to_latin1(text, &mut to.bytes),
        |text, to| theirs::convert_utf16_to_latin1_lossy(text, &mut to.bytes),
    );
    row(
        "decode_latin1",
        texts,
        |of| &of.latin1,
        |text, _| ours::decode_latin1(text).len(),
        |text, _| theirs::decode_latin1(text).len(),
    );
    row(
        "encode_latin1",
        texts,
        |of| &of.utf8,
        |text, _| ours::encode_latin1(text).map(|text| text.len()),
        |text, _| theirs::encode_latin1_lossy(text).len(),
    );
}

/// A row of the table: both functions on the pieces that `choose` returns.
fn row<T, A, B>(
    name: &str,
    texts: &[Pieces],
    choose: impl Fn(&Pieces) -> &Vec<T>,
    ours: impl Fn(&T, &mut Rooms) -> A,
    theirs: impl Fn(&T, &mut Rooms) -> B,
) {
    let cells = texts.iter().map(|text| {
        let pieces = choose(text);
        // encoding_rs requires more space than the result needs.
        let mut rooms = Rooms { bytes: vec![0; 4 * LENGTHS[3]], units: vec![0; 2 * LENGTHS[3]] };
        let times = race(
            BUDGET,
            &vec![1; pieces.len()],
            &mut rooms,
            &mut [
                Box::new(|rooms, range| {
                    for piece in &pieces[range] {
                        black_box(ours(black_box(piece), rooms));
                    }
                }),
                Box::new(|rooms, range| {
                    for piece in &pieces[range] {
                        black_box(theirs(black_box(piece), rooms));
                    }
                }),
            ],
        );
        format!("{:.2}, {:.1} ns", times[1].ratio, times[0].cost)
    });
    print_row(&[name.to_owned()].into_iter().chain(cells).collect::<Vec<_>>());
}
