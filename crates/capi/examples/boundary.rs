//! Compares the time of a call through the interface of C with that of the same call of the Rust library:
//! `cargo run --release -p textcodec-capi --example boundary`.
//!
//! A line has a conversion, the length of its source in bytes, and nanoseconds per call: through C, in Rust, and the
//! difference. A number is the median of 1,000 measurements of 100 calls each; the two kinds of calls take turns.

use std::{hint::black_box, time::Instant};

use textcodec::{DecodeErrorMode, EncodeErrorMode, GBK, SHIFT_JIS, UTF_8, WINDOWS_1252};
use textcodec_capi::*;

/// The medians of the nanoseconds of a call of each of the two functions.
fn medians(mut first: impl FnMut(), mut second: impl FnMut()) -> [f64; 2] {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..1000 {
        let [of_first, of_second] = &mut times;
        of_first.push(time(&mut first));
        of_second.push(time(&mut second));
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

fn time(function: &mut impl FnMut()) -> f64 {
    const CALLS: u32 = 100;
    let start = Instant::now();
    (0..CALLS).for_each(|_| function());
    start.elapsed().as_nanos() as f64 / f64::from(CALLS)
}

fn print(name: &str, length: usize, [of_c, of_rust]: [f64; 2]) {
    println!("{name}\t{length}\t{of_c:.1}\t{of_rust:.1}\t{:.1}", of_c - of_rust);
}

fn main() {
    println!("conversion\tbytes\tC, ns\tRust, ns\tdifference, ns");
    let text = "テキストと、漢字。";
    for (name, encoding, source) in [
        ("UTF-8 to UTF-8", UTF_8, text.as_bytes().to_vec()),
        ("windows-1252 to UTF-8", WINDOWS_1252, b"Gr\xFC\xDFe aus M\xFCnchen".to_vec()),
        ("Shift_JIS to UTF-8", SHIFT_JIS, SHIFT_JIS.encode(text).bytes.to_vec()),
        ("GBK to UTF-8", GBK, GBK.encode("你好,世界").bytes.to_vec()),
    ] {
        for source in [&source[..8], &source, &source.repeat(50)] {
            let mut space = vec![0; source.len() * 3 + 256];
            let mut other = space.clone();
            let mut rust = encoding.new_decoder_with(textcodec::BomHandling::Keep);
            let mut decoder = std::mem::MaybeUninit::<textcodec_decoder>::uninit();
            let number = encoding.id() as u32 + 1;
            // SAFETY: the pointer leads to a decoder that nobody else uses.
            let status = unsafe { textcodec_decoder_init(decoder.as_mut_ptr(), number, TEXTCODEC_BOM_KEEP) };
            assert_eq!(status, TEXTCODEC_OK);
            let call = black_box(textcodec_decoder_utf8 as unsafe extern "C" fn(_, _, _, _, _, _) -> _);
            let through_c = || {
                let source = black_box(source);
                // SAFETY: the pointers lead to slices of these lengths, and to the decoder that was made above.
                let result = unsafe {
                    let to = space.as_mut_ptr().cast();
                    call(decoder.as_mut_ptr(), source.as_ptr().cast(), source.len(), to, space.len(), TEXTCODEC_LAST)
                };
                black_box(result);
            };
            let in_rust = || {
                let result = rust.decode_to_utf8(black_box(source), &mut other, true, DecodeErrorMode::Replacement);
                let _ = black_box(result);
            };
            print(name, source.len(), medians(through_c, in_rust));
        }
    }
    for (name, encoding, text) in [
        ("UTF-8 to UTF-8, encoder", UTF_8, text),
        ("UTF-8 to windows-1252", WINDOWS_1252, "Grüße aus München"),
        ("UTF-8 to Shift_JIS", SHIFT_JIS, text),
    ] {
        for text in [text.to_owned(), text.repeat(50)] {
            let mut space = vec![0; text.len() * 3 + 256];
            let mut other = space.clone();
            let mut rust = encoding.new_encoder();
            let mut encoder = std::mem::MaybeUninit::<textcodec_encoder>::uninit();
            // SAFETY: the pointer leads to an encoder that nobody else uses.
            let status = unsafe { textcodec_encoder_init(encoder.as_mut_ptr(), encoding.id() as u32 + 1) };
            assert_eq!(status, TEXTCODEC_OK);
            let call = black_box(textcodec_encoder_utf8 as unsafe extern "C" fn(_, _, _, _, _, _) -> _);
            let through_c = || {
                let source = black_box(&text);
                // SAFETY: the pointers lead to slices of these lengths, and to the encoder that was made above.
                let result = unsafe {
                    let to = space.as_mut_ptr().cast();
                    call(encoder.as_mut_ptr(), source.as_ptr().cast(), source.len(), to, space.len(), TEXTCODEC_LAST)
                };
                black_box(result);
            };
            let in_rust = || {
                let _ = black_box(rust.encode_str(black_box(&text), &mut other, true, EncodeErrorMode::Html));
            };
            print(name, text.len(), medians(through_c, in_rust));
        }
    }
}
