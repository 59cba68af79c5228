//! What the fuzz targets check, on their seeds and on changes of them. `cargo xtask fuzz` goes on from there.

use std::{fs, path::Path, thread};

use textcodec_core::testing::Random;
use textcodec_fuzz::targets;

macro_rules! tests {
    ($($target:ident $changes:literal),+ $(,)?) => {
        /// The names of the tests.
        const TESTS: &[&str] = &[$(stringify!($target)),+];

        $(#[test]
        fn $target() {
            check_target(stringify!($target), targets::$target::run, $changes);
        })+
    };
}

// The numbers are those of the inputs beside the seeds. Each test takes about a second of a processor.
tests! {
    decode 1_500,
    encode 30_000,
    resume 40_000,
    mem 60_000,
    io 200_000,
    sniff 20_000,
    sniff_model 200_000,
    detect 15_000,
    charsets 3_000,
    iconv 6_000,
    capi 50_000,
    convert 3_000,
}

#[test]
fn each_target_has_a_test() {
    assert_eq!(targets::ALL.map(|(name, _)| name), TESTS);
}

/// Runs a target on its seeds, and on changes of them.
fn check_target(name: &str, run: fn(&[u8]), changes: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds").join(name);
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let seeds: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    seeds.iter().for_each(|seed| check(name, run, seed));
    let mut random = Random(1);
    (0..changes).for_each(|_| check(name, run, &changed(&seeds, &mut random)));
}

/// Runs a target. If it panics, the input is printed.
fn check(name: &str, run: fn(&[u8]), input: &[u8]) {
    struct Reported<'a>(&'a str, &'a [u8]);
    impl Drop for Reported<'_> {
        fn drop(&mut self) {
            if thread::panicking() {
                eprintln!("the input of the target `{}` was {:02X?}", self.0, self.1);
            }
        }
    }
    let _reported = Reported(name, input);
    run(input);
}

/// A seed with one to four changes.
fn changed(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut input = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(4) {
        let at = random.below(input.len() + 1);
        let end = (at + random.below(9)).min(input.len());
        match random.below(6) {
            // The first bytes are choices.
            0 => {
                let at = random.below(6).min(input.len());
                input.splice(at..(at + 1).min(input.len()), [random.below(256) as u8]);
            }
            1 => drop(input.splice(at..end, [random.below(256) as u8])),
            2 => drop(input.drain(at..end)),
            3 => input.extend_from_within(at..),
            4 => {
                let other = &seeds[random.below(seeds.len())];
                let from = random.below(other.len() + 1);
                let to = (from + random.below(40)).min(other.len());
                input.splice(at..at, other[from..to].iter().copied());
            }
            _ => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
        }
    }
    input
}
