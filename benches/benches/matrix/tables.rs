//! The rows and cells of each table.

use std::time::Duration;

use textcodec::{Encoding, Name};
use textcodec_benches::{
    Case, Contestant, Corpus, Kind, Language, Mode, Operation, Piece, Random, Runner, Standing, Task, Time,
    ascii_cases, cases, contest, damaged_bytes, pieces_of_bytes, pieces_of_text, race, random_bytes, short_pieces,
    stream_pieces, with_thai,
};

use crate::{
    options::{Options, Table},
    output::{Output, Unit},
};

/// The approximate time for a cell of long texts.
const BUDGET: Duration = Duration::from_millis(100);
/// The length of a text that is converted again and again, in bytes of UTF-8.
const WARM: usize = 20 << 10;
/// The approximate time for a cell of short inputs.
const SHORT_BUDGET: Duration = Duration::from_millis(15);
/// The lengths of short inputs, in bytes.
const SHORT: [usize; 4] = [8, 16, 64, 256];
/// The greatest number of different short inputs of one length, and the greatest sum of their lengths in bytes: too
/// many for a branch predictor to learn (Zen 5 learns 4096 inputs of 64 bytes), and few enough to stay in the cache.
const SHORT_PIECES: (usize, usize) = (32 << 10, 1 << 20);
/// The encodings in the tables of short and warm inputs if the arguments name none: one of each kind.
const SHORT_ENCODINGS: [Name; 12] = [
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
    Name::Utf16Be,
    Name::Utf16Le,
];
/// The number of orders in which the labels are looked up, so that branch predictors cannot learn the order.
const LABEL_ORDERS: usize = 16;

/// Measures and prints `table`.
pub(crate) fn print(table: Table, corpus: &Corpus, options: &Options, output: &mut Output) {
    match table {
        Table::Encodings => {
            let cases = cases(corpus, |name| options.takes(name));
            texts(table, "Encodings", cases, &options.contestants(), options, output);
        }
        Table::Ascii => {
            let cases = ascii_cases(corpus, |name| options.takes(name));
            texts(table, "ASCII in some encodings", cases, &options.contestants(), options, output);
        }
        Table::Warm => {
            let corpus = corpus.with_length(WARM);
            let cases = short_cases(&corpus, options);
            texts(table, "20 KiB again and again", cases, &options.contestants(), options, output);
        }
        Table::Short => {
            short(table, "Short inputs, a decoder or encoder made for each", Mode::Call, corpus, options, output)
        }
        Table::OneShot => {
            short(table, "Short inputs, to a string or bytes of their own", Mode::OneShot, corpus, options, output);
        }
        Table::Stream => short(table, "Short pieces of a stream", Mode::Stream, corpus, options, output),
        Table::Making => making(table, corpus, options, output),
        Table::Malformed => malformed(table, corpus, options, output),
        Table::Lacking => lacking(table, corpus, options, output),
        Table::Labels => labels(table, output),
    }
    output.end();
}

/// A table of long texts.
fn texts(
    table: Table,
    title: &str,
    cases: impl Iterator<Item = Case>,
    contestants: &[Contestant],
    options: &Options,
    output: &mut Output,
) {
    let titles = options.wanted_operations().iter().map(|operation| operation.name().into()).collect();
    output.begin(table.name(), &format!("{title}, GB/s of the source"), Unit::Rate, titles);
    for case in cases {
        let cells = options.wanted_operations().into_iter().map(|operation| {
            let task = case.task(operation, Mode::Call);
            operation.is_one_call(case.pair.ours).then(|| bytes_per_time(task, &case.pieces, contestants))
        });
        output.row(&case.name, case.kind.name(), cells);
    }
}

/// Measures a task whose unit of weight is a byte of the source.
fn bytes_per_time(task: Task, pieces: &[Piece], contestants: &[Contestant]) -> Vec<Standing> {
    contest(task, pieces, |piece| task.operation.source_length(piece), BUDGET, contestants)
}

/// The cases from whose texts short and warm inputs are taken.
fn short_cases<'a>(corpus: &'a Corpus, options: &'a Options) -> impl Iterator<Item = Case> + 'a {
    let is_wanted = |case: &Case| options.names_encodings() || SHORT_ENCODINGS.contains(&case.pair.ours.id());
    cases(corpus, |name| options.takes(name)).filter(move |case| case.kind == Kind::Text && is_wanted(case))
}

/// A table of calls on a few bytes.
fn short(table: Table, title: &str, mode: Mode, corpus: &Corpus, options: &Options, output: &mut Output) {
    let titles = SHORT.map(|length| format!("{length} bytes")).into();
    output.begin(table.name(), &format!("{title}, ns per call"), Unit::Duration, titles);
    for case in short_cases(corpus, options) {
        for operation in options.operations(case.pair.ours).flatten() {
            if mode == Mode::OneShot && matches!(operation, Operation::D16 | Operation::E16) {
                continue;
            }
            let cells = SHORT.into_iter().map(|length| {
                let count = SHORT_PIECES.0.min(SHORT_PIECES.1 / length);
                let pieces = match mode {
                    Mode::Stream => stream_pieces(&case, operation, length, count),
                    _ => short_pieces(&case, operation, length, count),
                };
                Some(contest(case.task(operation, mode), &pieces, |_| 1, SHORT_BUDGET, &options.contestants()))
            });
            output.row(&case.name, operation.name(), cells);
        }
    }
}

/// A table of making decoders and encoders.
fn making(table: Table, corpus: &Corpus, options: &Options, output: &mut Output) {
    let titles = vec!["a decoder".into(), "an encoder".into()];
    output.begin(table.name(), "Making a decoder or an encoder, ns", Unit::Duration, titles);
    let pieces = vec![Piece::default(); 256];
    for case in short_cases(corpus, options) {
        let cells = [Operation::D8, Operation::E8].into_iter().map(|operation| {
            let exists = operation.exists_in(case.pair.ours);
            let task = case.task(operation, Mode::Making);
            exists.then(|| contest(task, &pieces, |_| 1, SHORT_BUDGET, &options.contestants()))
        });
        output.row(&case.name, "", cells);
    }
}

/// A table of malformed input, in the encodings that have malformed sequences.
fn malformed(table: Table, corpus: &Corpus, options: &Options, output: &mut Output) {
    let operations = [Operation::D8, Operation::D16];
    let titles = titles(["random bytes", "1 % damaged"], operations);
    output.begin(table.name(), "Malformed input, GB/s of the source", Unit::Rate, titles);
    for case in cases(corpus, |name| options.takes(name)).filter(|case| case.kind == Kind::Text) {
        let text = case.pieces.iter().map(|piece| &piece.bytes[..]).collect::<Vec<_>>().concat();
        let inputs = [random_bytes(text.len()), damaged_bytes(&text)].map(|bytes| pieces_of_bytes(case.pair, &bytes));
        if !inputs[0].iter().any(|piece| piece.text.contains('\u{FFFD}')) {
            continue;
        }
        inputs_row(&Case { kind: Kind::Malformed, ..case }, &inputs, operations, options, output);
    }
}

/// A table of texts of which all or a few characters cannot be encoded and become character references.
fn lacking(table: Table, corpus: &Corpus, options: &Options, output: &mut Output) {
    let operations = [Operation::E8, Operation::E16];
    let titles = titles(["Thai", "1 % Thai"], operations);
    output.begin(table.name(), "Unmappable characters, GB/s of the source", Unit::Rate, titles);
    let thai = corpus.text(Language::Th, Kind::Text);
    for case in short_cases(corpus, options).filter(|case| Operation::E8.exists_in(case.pair.ours)) {
        if case.pair.ours.encode_or_fail(&thai).is_ok() {
            continue;
        }
        let text: String = case.pieces.iter().map(|piece| &piece.text[..]).collect();
        let inputs = [&thai, &with_thai(&text)].map(|text| pieces_of_text(case.pair, text));
        inputs_row(&case, &inputs, operations, options, output);
    }
}

/// The titles of the columns that [`inputs_row`] fills.
fn titles(inputs: [&str; 2], operations: [Operation; 2]) -> Vec<String> {
    let title = |input, operation: Operation| format!("{input}, {}", operation.name());
    inputs.iter().flat_map(|input| operations.map(|operation| title(input, operation))).collect()
}

/// A row with each of `operations` on each of `inputs`, in the encoding of `case`.
fn inputs_row(
    case: &Case,
    inputs: &[Vec<Piece>; 2],
    operations: [Operation; 2],
    options: &Options,
    output: &mut Output,
) {
    let cells = inputs.iter().flat_map(|pieces| operations.map(|operation| (pieces, operation)));
    let cells = cells.map(|(pieces, operation)| {
        Some(bytes_per_time(case.task(operation, Mode::Call), pieces, &options.contestants()))
    });
    output.row(&case.name, "", cells);
}

/// A table of looking labels up.
fn labels(table: Table, output: &mut Output) {
    let all: Vec<&str> = Encoding::all().flat_map(Encoding::labels).collect();
    let upper = |label: &&str| format!(" {} ", label.to_ascii_uppercase());
    let kinds: [(&str, Vec<String>); 3] = [
        ("in lower case", all.iter().map(|label| (*label).into()).collect()),
        ("in upper case, a space before and after", all.iter().map(upper).collect()),
        ("unknown", all.iter().map(|label| format!("{label}?")).collect()),
    ];
    let title = format!("All {} labels, ns per lookup", all.len());
    output.begin(table.name(), &title, Unit::Duration, vec!["for_label".into()]);
    for (kind, labels) in kinds {
        let mut random = Random::new(0x1ABE1);
        let mut orders: Vec<&[u8]> = Vec::new();
        for _ in 0..LABEL_ORDERS {
            let mut order: Vec<&[u8]> = labels.iter().map(String::as_bytes).collect();
            random.shuffle(&mut order);
            orders.extend(order);
        }
        output.row(kind, "", [Some(look_up(&mut orders))].into_iter());
    }
}

fn look_up(labels: &mut Vec<&[u8]>) -> Vec<Standing> {
    let ours: Runner<Vec<&[u8]>> = Box::new(|labels, range| {
        std::hint::black_box(labels[range].iter().filter(|label| Encoding::for_label(label).is_ok()).count());
    });
    let theirs: Runner<Vec<&[u8]>> = Box::new(|labels, range| {
        let found = labels[range].iter().filter(|label| encoding_rs::Encoding::for_label(label).is_some());
        std::hint::black_box(found.count());
    });
    let times = race(BUDGET, &vec![1; labels.len()], labels, &mut [ours, theirs]);
    let contestants = [Contestant::Ours(None), Contestant::EncodingRs];
    let standing = |(contestant, time): (Contestant, Time)| Standing {
        name: contestant.name(),
        is_peer: contestant.is_peer(),
        cost: time.cost,
        ratio: time.ratio,
        is_exact: true,
    };
    contestants.into_iter().zip(times).map(standing).collect()
}
