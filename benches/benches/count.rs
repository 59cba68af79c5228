//! Runs every conversion of the matrix three times, with marks between them, for a program that counts instructions.
//! `benches/neon/report` starts it in an emulator of aarch64.
//!
//! A mark is a call of `sched_yield`, which nothing else in this program makes. Each line that the program prints belongs to
//! three marks.

use std::{env, thread::yield_now};

use textcodec_benches::{Buffers, Contestant, Corpus, Mode, Operation, cases};

/// The length of a text in bytes.
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
    for case in cases(&Corpus::from_environment(LENGTH), wanted) {
        let mut buffers = Buffers::for_pieces(&case.pieces);
        for operation in Operation::ALL.into_iter().filter(|operation| operation.exists_in(case.pair.ours)) {
            let length: usize = case.pieces.iter().map(|piece| operation.source_length(piece)).sum();
            for (name, contestant) in &contestants {
                for mut job in contestant.jobs(case.task(operation, Mode::Call)) {
                    // The first run also asks for the features of the processor.
                    let first = job(&case.pieces, &mut buffers);
                    for _ in 0..2 {
                        yield_now();
                        assert_eq!(job(&case.pieces, &mut buffers), first, "{name}: {operation:?} of {}", case.name);
                    }
                    yield_now();
                    let (case, kind, operation) = (&case.name, case.kind.name(), operation.name());
                    println!("{case}\t{kind}\t{operation}\t{name}\t{length}");
                }
            }
        }
    }
}
