//! Runs every conversion of the matrix on one half of a text, and then twice on the other half, with marks between
//! them, for a program that counts instructions. `benches/neon/report` starts it in an emulator of aarch64.
//!
//! A mark is a call of `sched_yield`, which nothing else in this program makes. Each line that the program prints
//! belongs to three marks. The first half teaches a predictor of branches the conversion, and the second half is new to
//! it.

use std::{env, thread::yield_now};

use textcodec_benches::{
    Buffers, Case, Contestant, Corpus, Kind, Mode, Operation, Piece, cases, code_point_start, pieces_of_bytes,
    pieces_of_text,
};

/// The length of half a text in bytes.
const LENGTH: usize = 16 << 10;

/// Other peers are libraries of the system, for which an emulated program has no packages.
const CONTESTANTS: [&str; 5] = ["textcodec", "encoding_rs", "simdutf", "simdutf8", "std"];

fn main() {
    // `cargo bench` passes `--bench`, and `cargo test` passes nothing, so that it has nothing to do here.
    let mut arguments = env::args().skip(1).filter(|argument| argument != "--bench").peekable();
    if arguments.peek().is_none() {
        return;
    }
    let names: Vec<String> = arguments.map(|name| name.to_ascii_lowercase()).collect();
    let wanted = |encoding: &str| names.iter().any(|name| encoding.to_ascii_lowercase().contains(name.as_str()));
    let contestants = [Contestant::Ours(None)].into_iter().chain(Contestant::OTHERS.iter().copied());
    let contestants: Vec<(String, Contestant)> = contestants
        .map(|contestant| (contestant.name().split(' ').next().unwrap_or_default().to_owned(), contestant))
        .filter(|(name, _)| CONTESTANTS.contains(&name.as_str()))
        .collect();
    for case in cases(&Corpus::from_environment(2 * LENGTH), wanted) {
        let [before, pieces] = halves(&case);
        let mut buffers = Buffers::for_pieces(&case.pieces);
        for operation in Operation::ALL.into_iter().filter(|operation| operation.exists_in(case.pair.ours)) {
            let length: usize = pieces.iter().map(|piece| operation.source_length(piece)).sum();
            for (name, contestant) in &contestants {
                for mut job in contestant.jobs(case.task(operation, Mode::Call)) {
                    // The first run also asks for the features of the processor.
                    job(&before, &mut buffers);
                    yield_now();
                    let first = job(&pieces, &mut buffers);
                    yield_now();
                    assert_eq!(job(&pieces, &mut buffers), first, "{name}: {operation:?} of {}", case.name);
                    yield_now();
                    let (case, kind, operation) = (&case.name, case.kind.name(), operation.name());
                    println!("{case}\t{kind}\t{operation}\t{name}\t{length}");
                }
            }
        }
    }
}

/// The two halves of a text.
fn halves(case: &Case) -> [Vec<Piece>; 2] {
    let text: String = case.pieces.iter().map(|piece| piece.text.as_str()).collect();
    let bytes: Vec<u8> = case.pieces.iter().flat_map(|piece| piece.bytes.iter().copied()).collect();
    if case.kind == Kind::Binary {
        return [&bytes[..LENGTH], &bytes[LENGTH..]].map(|half| pieces_of_bytes(case.pair, half));
    }
    let (first, second) = text.split_at(code_point_start(&text, LENGTH));
    [first, second].map(|half| pieces_of_text(case.pair, half))
}
