#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| textcodec_fuzz::targets::arrow::run(data));
