//! Runs the battery of `core` on arbitrary text, for the encoder of every encoding, and checks that encoded text can be
//! decoded.
#![no_main]

use libfuzzer_sys::fuzz_target;
use textcodec::{Encoding, Name};
use textcodec_core::testing;

fuzz_target!(|input: (u8, &str)| {
    let (choice, text) = input;
    let encoding =
        Encoding::for_name(Name::ALL[usize::from(choice) % Name::ALL.len()].output()).expect("all are linked");
    testing::check_encoder(encoding.as_core(), text);
    if let Ok(bytes) = encoding.encode_or_fail(text) {
        assert!(encoding.decode_without_bom_handling_or_fail(&bytes).is_ok(), "{encoding}: {text:?}");
    }
});
