//! Judges the answers of detectors about pieces of text. `crates/detect/peers/run` calls it.
//!
//! `peers PIECES ANSWERS` reads the folder that `evaluate --write` has made, and the table of answers of
//! `peers/detectors.py`. It adds the answers of this detector and of chardetng, and prints a table: for each detector,
//! set and size, how many answers are right, and the mean time in microseconds. An answer is right if decoding with it
//! gives the same text.

use std::{collections::BTreeMap, env, fmt::Write as _, fs, path::Path, time::Instant};

use textcodec::{
    Encoding, REPLACEMENT,
    charsets::{Charset, Names},
};

/// The names that detectors have for encodings of the Standard, beside its labels.
const NAMES: &[(&str, &str)] = &[
    ("big5hkscs", "big5"),
    ("cp874", "windows-874"),
    ("cp932", "shift_jis"),
    ("cp949", "euc-kr"),
    ("euc-jis-2004", "euc-jp"),
    ("mac-cyrillic", "x-mac-cyrillic"),
    ("maccyrillic", "x-mac-cyrillic"),
    ("mac-roman", "macintosh"),
    ("macroman", "macintosh"),
    ("shift-jis", "shift_jis"),
    ("shift-jis-2004", "shift_jis"),
    ("uhc", "euc-kr"),
    ("utf-16-be", "utf-16be"),
    ("utf-16-le", "utf-16le"),
    ("utf-8-sig", "utf-8"),
];

/// The encoding that a detector names.
fn encoding(name: &str) -> Option<Encoding> {
    let label = name.to_ascii_lowercase().replace('_', "-");
    let known = NAMES.iter().find(|(other, _)| *other == label).map_or(&label[..], |(_, label)| label);
    Encoding::for_label(known).ok()
}

/// The encoding in the name of a folder of chardet's tests, which can end in a language. Some labels are those of
/// replacement, which has no text.
fn of_folder(mut name: &str) -> Option<Encoding> {
    loop {
        match encoding(name) {
            Some(encoding) => return (encoding != REPLACEMENT).then_some(encoding),
            None => name = name.rsplit_once('-')?.0,
        }
    }
}

/// The text that an answer gives. It can be right in a charset that the Standard does not have, for example French in
/// mac_iceland.
fn text(bytes: &[u8], name: &str) -> Option<String> {
    let charset = || Names::ALL.into_iter().rev().find_map(|names| Charset::for_name(name, names));
    match encoding(name) {
        // A byte order mark decides for every detector: the name "UTF-16" leaves the order of the bytes to it.
        Some(encoding) => Some(encoding.decode(bytes).text.into_owned()),
        None => Some(charset()?.decode(bytes).0),
    }
}

/// The answers about the pieces of one size of a set.
#[derive(Default)]
struct Cell {
    right: usize,
    all: usize,
    microseconds: f64,
}

/// A piece, and what is known about it.
struct Piece {
    set: String,
    bytes: Vec<u8>,
    size: usize,
    expected: String,
}

impl Piece {
    /// The piece in a file whose name has its number, set, encoding and size. `None` if the Standard does not have the
    /// encoding.
    fn read(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let [_, set, label, size] = name.split(',').collect::<Vec<_>>()[..] else { return None };
        let bytes = fs::read(path).expect("a piece can be read");
        let expected = of_folder(label)?.decode(&bytes).text.into_owned();
        Some(Piece { set: set.to_owned(), bytes, size: size.parse().ok()?, expected })
    }
}

fn chardetng(bytes: &[u8]) -> String {
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    detector.guess(None, chardetng::Utf8Detection::Allow).name().to_owned()
}

/// The answer about a piece, and the least time of three calls in microseconds.
fn timed(piece: &Piece, detect: impl Fn(&[u8]) -> String) -> (String, f64) {
    let run = || {
        let start = Instant::now();
        (detect(&piece.bytes), start.elapsed().as_secs_f64() * 1e6)
    };
    let (answer, time) = run();
    (answer, run().1.min(run().1).min(time))
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [pieces, answers] = &arguments[..] else { panic!("the arguments are a folder and a table") };
    let files = fs::read_dir(pieces).expect("the folder of pieces").map(|entry| entry.unwrap().path());
    let pieces: BTreeMap<String, Piece> = files
        .filter_map(|path| Some((path.file_name()?.to_string_lossy().into_owned(), Piece::read(&path)?)))
        .collect();

    let mut table: BTreeMap<(String, String, usize), Cell> = BTreeMap::new();
    let mut add = |detector: &str, piece: &Piece, answer: &str, microseconds: f64| {
        let cell = table.entry((detector.to_owned(), piece.set.clone(), piece.size)).or_default();
        cell.right += usize::from(text(&piece.bytes, answer).as_ref() == Some(&piece.expected));
        cell.all += 1;
        cell.microseconds += microseconds;
    };
    for piece in pieces.values() {
        let (answer, time) = timed(piece, |bytes| {
            textcodec_detect::detect(bytes).best().map_or_else(String::new, |best| best.name().to_owned())
        });
        add("textcodec", piece, &answer, time);
        let (answer, time) = timed(piece, chardetng);
        add("chardetng 1", piece, &answer, time);
    }
    for line in fs::read_to_string(answers).expect("the table of answers").lines() {
        let [name, detector, answer, time] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        if let Some(piece) = pieces.get(name) {
            add(detector, piece, answer, time.parse().unwrap_or(0.0));
        }
    }

    let mut printed = String::from("detector\tset\tbytes\tright\tall\tmicroseconds\n");
    for ((detector, set, size), Cell { right, all, microseconds }) in table {
        // Files have sizes of their own.
        let size = if size == 0 { "-".to_owned() } else { size.to_string() };
        let mean = microseconds / all as f64;
        let _ = writeln!(printed, "{detector}\t{set}\t{size}\t{right}\t{all}\t{mean:.0}");
    }
    print!("{printed}");
}
