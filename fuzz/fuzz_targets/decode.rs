//! Runs the battery of `core` on arbitrary bytes, for the decoder of every encoding: both layers, both forms of text,
//! every destination.
#![no_main]

use libfuzzer_sys::fuzz_target;
use textcodec::{Encoding, Name};
use textcodec_core::testing;

fuzz_target!(|input: (u8, &[u8])| {
    let (choice, bytes) = input;
    let encoding = Encoding::for_name(Name::ALL[usize::from(choice) % Name::ALL.len()]).expect("all are linked");
    testing::check_decoder(encoding.as_core(), bytes);
});
