//! The functions of `mem` beside the functions of encoding_rs: a table in Markdown.
//!
//! ```text
//! cargo bench -p textcodec-benches --bench mem [-- [--every] [--level=LEVEL] [WORD...]]
//! ```
//!
//! `--every` measures every function of textcodec-encoding-rs's `mem`, for all languages and for many short lengths. A
//! word selects the functions whose names contain it, and `--level=avx2` the level of the kernels.
//!
//! Each cell has the speed of textcodec divided by the speed of encoding_rs, and textcodec's time in nanoseconds for a
//! call on a piece. The column says the length of the piece in bytes or code units.

use std::{cell::RefCell, env, hint::black_box, time::Duration};

use encoding_rs::mem as theirs;
use textcodec::{mem as ours, utf16};
use textcodec_benches::{Corpus, Kind, Language, code_point_start, print_row, race};
use textcodec_encoding_rs::mem as replacement;
use textcodec_kernels::level::{force, levels};

/// The approximate length of a text, in bytes of UTF-8: more than a branch predictor can learn.
const LENGTH: usize = 256 << 10;
/// The lengths of pieces, in units.
const LENGTHS: [usize; 4] = [16, 64, 256, 4096];
/// The lengths of pieces with `--every`.
const EVERY_LENGTH: [usize; 12] = [1, 2, 3, 4, 8, 12, 16, 24, 32, 48, 64, 2048];
/// The languages of the texts. Most texts of other languages reach the same code as one of these.
const LANGUAGES: [Language; 6] = [Language::En, Language::Fr, Language::Ru, Language::ZhCn, Language::Th, Language::He];
/// The languages with `--every`.
const EVERY_LANGUAGE: [Language; 16] = [
    Language::En,
    Language::Fr,
    Language::De,
    Language::Pt,
    Language::Cs,
    Language::Tr,
    Language::Vi,
    Language::Ru,
    Language::El,
    Language::He,
    Language::Ar,
    Language::Th,
    Language::Ja,
    Language::Ko,
    Language::ZhCn,
    Language::ZhTw,
];
/// The approximate time for a cell.
const BUDGET: Duration = Duration::from_millis(20);

/// The destinations of all functions.
struct Rooms {
    bytes: Vec<u8>,
    units: Vec<u16>,
    string: String,
}

/// A text in pieces of one length.
struct Pieces {
    utf8: Vec<String>,
    utf16: Vec<Vec<u16>>,
    to_change: Vec<RefCell<Vec<u16>>>,
    latin1: Vec<Vec<u8>>,
}

impl Pieces {
    fn of(text: &str, length: usize) -> Self {
        let units: Vec<u16> = text.encode_utf16().collect();
        let latin1: Vec<u8> = text.chars().filter_map(|character| u8::try_from(character).ok()).collect();
        Pieces {
            utf8: cut(text, length),
            utf16: units.chunks(length).map(<[u16]>::to_vec).collect(),
            to_change: units.chunks(length).map(<[u16]>::to_vec).map(RefCell::new).collect(),
            latin1: latin1.chunks(length).map(<[u8]>::to_vec).collect(),
        }
    }
}

/// `text` in pieces of up to `length` bytes, or of one code point if that is longer.
fn cut(text: &str, length: usize) -> Vec<String> {
    let (mut pieces, mut rest) = (vec![], text);
    while let Some(first) = rest.chars().next() {
        let (piece, after) = rest.split_at(code_point_start(rest, length).max(first.len_utf8()));
        pieces.push(piece.to_owned());
        rest = after;
    }
    pieces
}

fn main() {
    // `cargo test` runs benchmarks, too. In a run of `cargo test`, the texts are short.
    let measures = env::args().any(|argument| argument == "--bench");
    let every = env::args().any(|argument| argument == "--every");
    let name = env::args().find_map(|argument| argument.strip_prefix("--level=").map(str::to_owned));
    force(name.map(|name| {
        let level = levels().find(|level| format!("{level:?}").eq_ignore_ascii_case(&name));
        level.expect("a level of this processor")
    }));
    let corpus = if measures { Corpus::from_environment(LENGTH) } else { Corpus::made_up(LENGTH / 16) };
    println!("Pieces of texts, {}.\n", corpus.origin());
    let (languages, lengths) =
        if every { (&EVERY_LANGUAGE[..], &EVERY_LENGTH[..]) } else { (&LANGUAGES[..], &LENGTHS[..]) };
    for &language in languages {
        let text = corpus.text(language, Kind::Text);
        // The English and French texts are reduced to Latin-1.
        let is_latin1 = matches!(language, Language::En | Language::Fr);
        let text: String = text.chars().filter(|&character| !is_latin1 || character <= '\u{FF}').collect();
        let texts: Vec<Pieces> = lengths.iter().map(|&length| Pieces::of(&text, length)).collect();
        let lengths = lengths.iter().map(usize::to_string);
        print_row(&[language.key().to_owned()].into_iter().chain(lengths).collect::<Vec<_>>());
        print_row(&[vec!["---".to_owned()], vec!["---:".to_owned(); texts.len()]].concat());
        if !every {
            general(&texts);
        }
        replaced(&texts);
        if every {
            others(&texts);
        }
        match (is_latin1, every) {
            (true, false) => latin1(&texts),
            (true, true) => other_latin1(&texts),
            (false, _) => {}
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

/// A row for a function that both modules `mem` have: the pieces, and the arguments of the call.
macro_rules! same {
    ($texts:expr, $pieces:ident, $function:ident, |$text:ident, $to:ident| $($argument:expr),+) => {
        row(
            stringify!($function),
            $texts,
            |of| &of.$pieces,
            |$text, $to| {
                let _ = &$to;
                let _ = black_box(replacement::$function($($argument),+));
            },
            |$text, $to| {
                let _ = &$to;
                let _ = black_box(theirs::$function($($argument),+));
            },
        )
    };
}

/// The functions of textcodec-encoding-rs for any text that do more than call a function of textcodec's `mem`.
fn replaced(texts: &[Pieces]) {
    same!(texts, utf8, is_utf8_bidi, |text, to| text.as_bytes());
    same!(texts, utf8, is_str_bidi, |text, to| text);
    same!(texts, utf16, is_utf16_bidi, |text, to| text);
    same!(texts, utf8, check_utf8_for_latin1_and_bidi, |text, to| text.as_bytes());
    same!(texts, utf8, check_str_for_latin1_and_bidi, |text, to| text);
    same!(texts, utf16, check_utf16_for_latin1_and_bidi, |text, to| text);
    same!(texts, utf16, convert_utf16_to_utf8_partial, |text, to| text, &mut to.bytes);
}

/// The other functions of textcodec-encoding-rs for any text.
fn others(texts: &[Pieces]) {
    row(
        "is_char_bidi",
        texts,
        |of| &of.utf8,
        |text, _| text.chars().filter(|&character| replacement::is_char_bidi(character)).count(),
        |text, _| text.chars().filter(|&character| theirs::is_char_bidi(character)).count(),
    );
    row(
        "is_utf16_code_unit_bidi",
        texts,
        |of| &of.utf16,
        |text, _| text.iter().filter(|&&unit| replacement::is_utf16_code_unit_bidi(unit)).count(),
        |text, _| text.iter().filter(|&&unit| theirs::is_utf16_code_unit_bidi(unit)).count(),
    );
    same!(texts, utf8, is_ascii, |text, to| text.as_bytes());
    same!(texts, utf16, is_basic_latin, |text, to| text);
    same!(texts, utf8, is_utf8_latin1, |text, to| text.as_bytes());
    same!(texts, utf8, is_str_latin1, |text, to| text);
    same!(texts, utf16, is_utf16_latin1, |text, to| text);
    same!(texts, utf8, utf8_latin1_up_to, |text, to| text.as_bytes());
    same!(texts, utf8, str_latin1_up_to, |text, to| text);
    same!(texts, utf16, utf16_valid_up_to, |text, to| text);
    // Well-formed text stays as it is, so the pieces can be used again. They are changed in their place: a load from a
    // copy that was made just before would wait for its stores.
    row(
        "ensure_utf16_validity",
        texts,
        |of| &of.to_change,
        |text, _| replacement::ensure_utf16_validity(&mut text.borrow_mut()),
        |text, _| theirs::ensure_utf16_validity(&mut text.borrow_mut()),
    );
    same!(texts, utf8, convert_utf8_to_utf16, |text, to| text.as_bytes(), &mut to.units);
    same!(texts, utf8, convert_str_to_utf16, |text, to| text, &mut to.units);
    same!(texts, utf8, convert_utf8_to_utf16_without_replacement, |text, to| text.as_bytes(), &mut to.units);
    same!(texts, utf16, convert_utf16_to_utf8, |text, to| text, &mut to.bytes);
    same!(texts, utf16, convert_utf16_to_str, |text, to| text, &mut to.string);
    same!(texts, utf16, convert_utf16_to_str_partial, |text, to| text, &mut to.string);
    same!(texts, utf8, copy_ascii_to_ascii, |text, to| text.as_bytes(), &mut to.bytes);
    same!(texts, utf8, copy_ascii_to_basic_latin, |text, to| text.as_bytes(), &mut to.units);
    same!(texts, utf16, copy_basic_latin_to_ascii, |text, to| text, &mut to.bytes);
    // The bytes of any text, as Latin-1.
    same!(texts, utf8, convert_latin1_to_utf16, |text, to| text.as_bytes(), &mut to.units);
    same!(texts, utf8, convert_latin1_to_utf8, |text, to| text.as_bytes(), &mut to.bytes);
    same!(texts, utf8, convert_latin1_to_utf8_partial, |text, to| text.as_bytes(), &mut to.bytes);
    same!(texts, utf8, convert_latin1_to_str, |text, to| text.as_bytes(), &mut to.string);
    same!(texts, utf8, convert_latin1_to_str_partial, |text, to| text.as_bytes(), &mut to.string);
    same!(texts, utf8, decode_latin1, |text, to| text.as_bytes());
}

/// The other functions of textcodec-encoding-rs for text of code points up to U+00FF.
fn other_latin1(texts: &[Pieces]) {
    same!(texts, utf8, convert_utf8_to_latin1_lossy, |text, to| text.as_bytes(), &mut to.bytes);
    same!(texts, utf16, convert_utf16_to_latin1_lossy, |text, to| text, &mut to.bytes);
    same!(texts, utf8, encode_latin1_lossy, |text, to| text);
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

/// Whether the arguments select the function `name`: one of their words is a part of it, or there are no words.
fn is_selected(name: &str) -> bool {
    let mut words = env::args().skip(1).filter(|argument| !argument.starts_with('-')).peekable();
    words.peek().is_none() || words.any(|word| name.contains(&word))
}

/// A row of the table: both functions on the pieces that `choose` returns.
fn row<T, A, B>(
    name: &str,
    texts: &[Pieces],
    choose: impl Fn(&Pieces) -> &Vec<T>,
    ours: impl Fn(&T, &mut Rooms) -> A,
    theirs: impl Fn(&T, &mut Rooms) -> B,
) {
    if !is_selected(name) {
        return;
    }
    let cells = texts.iter().map(|text| {
        let pieces = choose(text);
        // encoding_rs requires more space than the result needs.
        let mut rooms = Rooms {
            bytes: vec![0; 4 * LENGTHS[3]],
            units: vec![0; 2 * LENGTHS[3]],
            string: "\0".repeat(4 * LENGTHS[3]),
        };
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
