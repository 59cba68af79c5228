//! Everything at a glance: tables in Markdown of textcodec beside encoding_rs, in a minute.
//!
//! ```text
//! cargo bench -p textcodec-benches --bench matrix -- [--table NAME]… [--kib N] [--level LEVEL] [ENCODING]…
//! ```
//!
//! `ENCODING` is a part of an encoding's name, in any case; the tables then have the encodings that match one. `NAME` is
//! `encodings`, `short`, `malformed` or `labels`; all without any. Texts are of `N` KiB, 1024 unless given.
//! `LEVEL` is `scalar`, `avx2`, `avx512` or `neon`: what the kernels work with, the best that there is unless given.

use std::{
    env,
    process::ExitCode,
    time::{Duration, Instant},
};

use textcodec::{Encoding, Name};
use textcodec_benches::{
    Buffers, Case, Codec, Comparison, Corpus, EncodingRs, FAST_LEGACY_ENCODE, GeometricMean, Kind, Operation, Pair,
    Piece, Random, Textcodec, beside, cases, damaged_bytes, pieces_of_bytes, print_row, random_bytes, rate, ratio, run,
    short_pieces, times,
};
use textcodec_kernels::level::{Level, levels};

/// How long a cell of the first table takes, roughly.
const BUDGET: Duration = Duration::from_millis(60);
/// How long a cell of short inputs takes, roughly.
const SHORT_BUDGET: Duration = Duration::from_millis(10);
/// Lengths of short inputs, in bytes.
const SHORT: [usize; 4] = [8, 16, 64, 256];
/// How many different short inputs there are of a length at most, and how many bytes they have together: too many to be
/// learnt, few enough to stay in the cache.
const SHORT_PIECES: (usize, usize) = (4096, 256 << 10);
/// The encodings that are measured with short inputs if none is asked for: one of each kind.
const SHORT_ENCODINGS: [Name; 11] = [
    Name::Utf8,
    Name::Windows1251,
    Name::Windows1252,
    Name::Gbk,
    Name::Gb18030,
    Name::Big5,
    Name::EucJp,
    Name::Iso2022Jp,
    Name::ShiftJis,
    Name::EucKr,
    Name::Utf16Le,
];
/// In how many orders the labels are looked up, so that the order is not learnt.
const LABEL_ORDERS: usize = 16;

fn main() -> ExitCode {
    let options = match Options::parse(env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!(
                "{message}\nusage: matrix [--table encodings|short|malformed|labels]… [--kib N] [--level LEVEL] [ENCODING]…"
            );
            return ExitCode::from(2);
        }
    };
    if !options.measure {
        // `cargo test` runs benchmarks too, to see whether they work.
        cases(&Corpus::made_up(10_000), |_| true).for_each(|case| case.check());
        return ExitCode::SUCCESS;
    }

    textcodec_kernels::level::force(options.level);
    let start = Instant::now();
    let corpus = Corpus::from_environment(options.length);
    let tables = if FAST_LEGACY_ENCODE { "with" } else { "without" };
    println!(
        "textcodec beside encoding_rs, the latter {tables} `fast-legacy-encode`. In parentheses how many times as fast"
    );
    println!("textcodec is, in bold where it is slower. Texts of {} KiB, {}.", corpus.length() / 1024, corpus.origin());
    if options.wants(Table::Encodings) {
        encodings(&corpus, &options);
    }
    if options.wants(Table::Short) {
        short_inputs(&corpus, &options);
    }
    if options.wants(Table::Malformed) {
        malformed(&corpus, &options);
    }
    if options.wants(Table::Labels) {
        labels();
    }
    println!("\n{:.0} s", start.elapsed().as_secs_f64());
    ExitCode::SUCCESS
}

/// What the arguments say.
struct Options {
    /// Whether to measure at all: `cargo bench` says so.
    measure: bool,
    tables: Vec<Table>,
    length: usize,
    level: Option<Level>,
    /// Parts of names, in lower case.
    encodings: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Table {
    Encodings,
    Short,
    Malformed,
    Labels,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Options { measure: false, tables: vec![], length: 1 << 20, level: None, encodings: vec![] };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--bench" => options.measure = true,
                "--table" => options.tables.push(Table::parse(&value()?)?),
                "--kib" => {
                    let kib: usize = value()?.parse().map_err(|error| format!("--kib: {error}"))?;
                    options.length = kib.max(1).checked_mul(1024).ok_or("--kib: too many")?;
                }
                "--level" => {
                    let name = value()?.to_ascii_lowercase();
                    let level = levels().find(|level| format!("{level:?}").to_ascii_lowercase() == name);
                    options.level = Some(level.ok_or_else(|| format!("--level: this processor has no {name}"))?);
                }
                _ if argument.starts_with('-') => return Err(format!("unknown option {argument}")),
                _ => options.encodings.push(argument.to_ascii_lowercase()),
            }
        }
        if Encoding::all().all(|encoding| !options.takes(encoding.name())) {
            return Err(format!("no encoding matches {}", options.encodings.join(" ")));
        }
        Ok(options)
    }

    /// Whether `table` is to be printed.
    fn wants(&self, table: Table) -> bool {
        match self.tables.is_empty() {
            true => table != Table::Labels || self.encodings.is_empty(),
            false => self.tables.contains(&table),
        }
    }

    /// Whether the encoding of this name is to be measured.
    fn takes(&self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        self.encodings.is_empty() || self.encodings.iter().any(|part| name.contains(part))
    }
}

impl Table {
    fn parse(name: &str) -> Result<Self, String> {
        match name {
            "encodings" => Ok(Table::Encodings),
            "short" => Ok(Table::Short),
            "malformed" => Ok(Table::Malformed),
            "labels" => Ok(Table::Labels),
            _ => Err(format!("there is no table {name}")),
        }
    }
}

/// Both peers with `pieces`, a unit of weight being a byte of the source.
fn compare_bytes(pair: Pair, operation: Operation, pieces: &[Piece]) -> Comparison {
    let weights: Vec<usize> = pieces.iter().map(|piece| operation.source_length(piece)).collect();
    compare(pair, operation, pieces, &weights, BUDGET)
}

fn compare(pair: Pair, operation: Operation, pieces: &[Piece], weights: &[usize], budget: Duration) -> Comparison {
    beside(
        budget,
        weights,
        &mut Buffers::for_pieces(pieces),
        |buffers, range| run::<Textcodec>(pair, operation, &pieces[range], buffers),
        |buffers, range| run::<EncodingRs>(pair, operation, &pieces[range], buffers),
    )
}

/// Every encoding, in each kind of text.
fn encodings(corpus: &Corpus, options: &Options) {
    head("Encodings, GB/s of the source", &["encoding", "", "d8", "d16", "e8", "e16"]);
    let mut means = [GeometricMean::default(); 4];
    for case in cases(corpus, |name| options.takes(name)) {
        case.check();
        let mut row = vec![case.name.clone(), case.kind.name().into()];
        for (operation, mean) in Operation::ALL.into_iter().zip(&mut means) {
            row.push(if operation.exists_in(case.pair.ours) {
                let measured = compare_bytes(case.pair, operation, &case.pieces);
                mean.push(measured.ratio);
                rate(measured.ours, measured.ratio)
            } else {
                "–".into()
            });
        }
        print_row(&row);
    }
    print_means(2, &means);
}

/// A call on a few bytes, the decoder or encoder made for it.
fn short_inputs(corpus: &Corpus, options: &Options) {
    let lengths = SHORT.map(|length| format!("{length} bytes"));
    let mut titles = vec!["encoding", ""];
    titles.extend(lengths.iter().map(String::as_str));
    head("Short inputs, ns per call", &titles);

    let mut means = [GeometricMean::default(); SHORT.len()];
    let is_wanted = |case: &Case| !options.encodings.is_empty() || SHORT_ENCODINGS.contains(&case.pair.ours.id());
    let cases = cases(corpus, |name| options.takes(name)).filter(|case| case.kind == Kind::Text && is_wanted(case));
    for case in cases {
        for operation in Operation::ALL.into_iter().filter(|operation| operation.exists_in(case.pair.ours)) {
            let mut row = vec![case.name.clone(), operation.name().into()];
            for (length, mean) in SHORT.into_iter().zip(&mut means) {
                let count = SHORT_PIECES.0.min(SHORT_PIECES.1 / length);
                let pieces = short_pieces(&case, operation, length, count);
                let measured = compare(case.pair, operation, &pieces, &vec![1; count], SHORT_BUDGET);
                mean.push(measured.ratio);
                row.push(ratio(measured.ours, measured.ratio));
            }
            print_row(&row);
        }
    }
    print_means(2, &means);
}

/// Errors in the multi-byte encodings.
fn malformed(corpus: &Corpus, options: &Options) {
    head("Malformed input, d8, GB/s of the source", &["encoding", "random bytes", "text, 1 % of its bytes random"]);
    let mut means = [GeometricMean::default(); 2];
    let cases = cases(corpus, |name| options.takes(name))
        .filter(|case| case.kind == Kind::Text && !case.pair.ours.is_single_byte());
    for case in cases {
        let mut row = vec![case.name.clone()];
        let text = case.pieces.iter().map(|piece| &piece.bytes[..]).collect::<Vec<_>>().concat();
        let inputs = [random_bytes(corpus.length()), damaged_bytes(&text)];
        for (bytes, mean) in inputs.into_iter().zip(&mut means) {
            let pieces = pieces_of_bytes(case.pair, &bytes);
            check_malformed(case.pair, &pieces);
            let measured = compare_bytes(case.pair, Operation::D8, &pieces);
            mean.push(measured.ratio);
            row.push(rate(measured.ours, measured.ratio));
        }
        print_row(&row);
    }
    print_means(1, &means);
}

/// Ours must do the same as the peer that the text is from.
fn check_malformed(pair: Pair, pieces: &[Piece]) {
    let mut buffers = Buffers::for_pieces(pieces);
    for piece in pieces {
        let written = Textcodec::decode_to_utf8(pair, &piece.bytes, &mut buffers.bytes);
        let same = buffers.bytes[..written] == *piece.text.as_bytes();
        assert!(same, "{}: the peers do not agree about malformed bytes", pair.ours.name());
    }
}

/// All labels.
fn labels() {
    let all: Vec<&str> = Encoding::all().flat_map(Encoding::labels).collect();
    let upper = |label: &&str| format!(" {} ", label.to_ascii_uppercase());
    let kinds: [(&str, Vec<String>); 3] = [
        ("in lower case", all.iter().map(|label| (*label).into()).collect()),
        ("in upper case, a space before and after", all.iter().map(upper).collect()),
        ("unknown", all.iter().map(|label| format!("{label}?")).collect()),
    ];
    head("Labels, ns per lookup", &[&format!("{} labels", all.len()), "for_label"]);
    for (title, labels) in kinds {
        let mut random = Random::new(0x1ABE1);
        let mut orders: Vec<&[u8]> = Vec::new();
        for _ in 0..LABEL_ORDERS {
            let mut order: Vec<&[u8]> = labels.iter().map(String::as_bytes).collect();
            random.shuffle(&mut order);
            orders.extend(order);
        }
        let measured = beside(
            BUDGET,
            &vec![1; orders.len()],
            &mut orders,
            |orders, range| orders[range].iter().filter(|label| Encoding::for_label(label).is_ok()).count(),
            |orders, range| {
                orders[range].iter().filter(|label| encoding_rs::Encoding::for_label(label).is_some()).count()
            },
        );
        print_row(&[title.into(), ratio(measured.ours, measured.ratio)]);
    }
}

/// The title of a table, and its columns.
fn head(title: &str, columns: &[&str]) {
    println!("\n## {title}\n");
    print_row(&columns.iter().map(|&column| column.into()).collect::<Vec<_>>());
    let is_text = |column: &str| ["encoding", ""].contains(&column) || column.ends_with("labels");
    print_row(&columns.iter().map(|column| if is_text(column) { "---" } else { "---:" }.into()).collect::<Vec<_>>());
}

/// The last row of a table that has `titles` columns before the measured ones, and the mean over all cells.
fn print_means(titles: usize, means: &[GeometricMean]) {
    let mean = |mean: &GeometricMean| mean.mean().map_or("–".into(), |mean| format!("({})", times(mean)));
    let mut row = vec![String::new(); titles];
    row[0] = "geometric mean".into();
    row.extend(means.iter().map(mean));
    print_row(&row);

    let all = means.iter().copied().fold(GeometricMean::default(), GeometricMean::and);
    let (count, below) = (all.count(), all.below());
    println!("\nGeometric mean of all {count} ratios: {}. Below 1: {below}.", mean(&all).trim_matches(['(', ')']));
}
