//! Compares the speed with glibc's iconv in one process: `cargo run --release -p textcodec-capi-iconv --example speed`.
//!
//! For each charset that both libraries have, a text of its own characters and of ASCII letters is decoded to UTF-8 and
//! encoded from it, in calls of 16 to 65,536 bytes. A cell is the time of glibc divided by ours, each the least of
//! several runs. Printed are the geometric means, and the cells below 1.

use std::{
    ffi::{CString, c_char, c_int, c_void},
    hint::black_box,
    mem::transmute,
    time::Instant,
};

use textcodec::charsets::{Charset, EncodeErrorMode, Family, Names};
use textcodec_capi_iconv::{iconv, iconv_close, iconv_open, iconv_t};

unsafe extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> iconv_t;
type Convert = unsafe extern "C" fn(iconv_t, *mut *mut c_char, *mut usize, *mut *mut c_char, *mut usize) -> usize;
type Close = unsafe extern "C" fn(iconv_t) -> c_int;
type Library = (Open, Convert, Close);

fn glibc() -> Library {
    // SAFETY: the names end with 0, and the functions have the types that POSIX gives them.
    unsafe {
        let library = dlopen(c"libc.so.6".as_ptr(), 2);
        assert!(!library.is_null());
        let find = |name: &str| dlsym(library, CString::new(name).unwrap().as_ptr());
        (
            transmute::<*mut c_void, Open>(find("iconv_open")),
            transmute::<*mut c_void, Convert>(find("iconv")),
            transmute::<*mut c_void, Close>(find("iconv_close")),
        )
    }
}

/// The least time in nanoseconds of converting `source` in one call; `None` if it cannot be converted.
fn time(library: Library, from: &str, to: &str, source: &[u8], output: &mut [u8]) -> Option<f64> {
    let (from, to) = (CString::new(from).unwrap(), CString::new(to).unwrap());
    // SAFETY: the names end with 0, and the buffers have the lengths that the calls get.
    unsafe {
        let descriptor = (library.0)(to.as_ptr(), from.as_ptr());
        if descriptor as isize == -1 {
            return None;
        }
        let calls = (4096 / source.len()).clamp(2, 64);
        let mut best = f64::MAX;
        for _ in 0..24 {
            let start = Instant::now();
            for _ in 0..calls {
                let (mut input, mut input_left) = (source.as_ptr() as *mut c_char, source.len());
                let (mut out, mut out_left) = (output.as_mut_ptr().cast::<c_char>(), output.len());
                let result =
                    (library.1)(descriptor, &raw mut input, &raw mut input_left, &raw mut out, &raw mut out_left);
                if black_box(result) == usize::MAX {
                    return None;
                }
            }
            best = best.min(start.elapsed().as_nanos() as f64 / f64::from(calls as u32));
        }
        (library.2)(descriptor);
        Some(best)
    }
}

fn open_and_close(library: Library, from: &str, to: &str) -> f64 {
    let (from, to) = (CString::new(from).unwrap(), CString::new(to).unwrap());
    let mut best = f64::MAX;
    for _ in 0..50 {
        let start = Instant::now();
        for _ in 0..100 {
            let mut output = [0_u8; 40];
            let (mut input, mut input_left) = (c"0123456789".as_ptr().cast_mut(), 10);
            let (mut out, mut out_left) = (output.as_mut_ptr().cast::<c_char>(), output.len());
            // SAFETY: the names end with 0, and the buffers have the lengths that the calls get.
            unsafe {
                let descriptor = (library.0)(to.as_ptr(), from.as_ptr());
                (library.1)(descriptor, &raw mut input, &raw mut input_left, &raw mut out, &raw mut out_left);
                (library.2)(descriptor);
            }
        }
        best = best.min(start.elapsed().as_nanos() as f64 / 100.0);
    }
    best
}

/// Sentences of which a charset of Chinese, Japanese or Korean has at least one.
const SENTENCES: [&str; 4] = [
    "这个程序把一种编码的文字转换成另一种编码。我们比较两个库的速度，每次转换的结果都应该一样。",
    "이 프로그램은 글자를 한 부호에서 다른 부호로 바꿉니다. 두 라이브러리의 결과는 언제나 같아야 합니다.",
    "このプログラムは文字の符号を別の符号に変換します。二つのライブラリの速さを比べ、結果が同じか確かめます。",
    "這個程式把一種編碼的文字轉換成另一種編碼。我們比較兩個程式庫的速度，每次轉換的結果都應該一樣。",
];

/// A text of sentences, with some words in ASCII, or else of half ASCII letters, and half other characters of the
/// charset, in words.
fn text(charset: Charset) -> String {
    if !charset.codec().is_single_byte()
        && charset.family() != Family::Unicode
        && let Some(sentence) = SENTENCES.into_iter().find(|sentence| charset.encode_or_fail(sentence).is_ok())
    {
        return format!("{sentence} (see the README, 2026)\n").repeat(65536 / sentence.len() + 1);
    }
    let mut encoder = charset.new_encoder().expect("the charset has an encoder");
    let others: Vec<char> = ('\u{A1}'..='\u{9FFF}')
        .filter(|character| character.is_alphabetic())
        .filter(|character| {
            encoder.reset();
            let result =
                encoder.encode_str(character.encode_utf8(&mut [0; 4]), &mut [0; 32], true, EncodeErrorMode::Fatal);
            !result.had_errors
        })
        .collect();
    let (mut text, mut number) = (String::new(), 1_u32);
    let mut random = |limit: usize| {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (number >> 8) as usize % limit
    };
    let is_latin = others.first().is_none_or(|first| *first < '\u{250}');
    while text.len() < 65536 {
        let is_ascii = random(2) == 0;
        for _ in 0..2 + random(8) {
            match is_ascii || others.is_empty() || is_latin && random(4) > 0 {
                true => text.push(char::from(b"etaoinshrdlu"[random(12)])),
                false => text.push(others[random(others.len())]),
            }
        }
        text.push(' ');
    }
    text
}

fn main() {
    let (ours, theirs): (Library, Library) = ((iconv_open, iconv, iconv_close), glibc());
    for (from, to) in [("SJIS", "UTF-8"), ("UTF-8", "LATIN1"), ("IBM037", "LATIN1")] {
        let times = [ours, theirs].map(|library| open_and_close(library, from, to));
        println!("open, ten bytes, close, {from} to {to}: {:.0} ns, glibc {:.0} ns", times[0], times[1]);
    }
    let only = std::env::args().nth(1);
    for length in [16, 64, 256, 4096, 65536] {
        let (mut sum, mut count, mut slow) = (0.0, 0.0, Vec::new());
        let mut output = vec![0; 8 * length + 64];
        for charset in Charset::all() {
            let Some(name) = charset.names(Names::Glibc).next().map(|name| name.trim_end_matches('/')) else {
                continue;
            };
            if charset.new_encoder().is_none()
                || only
                    .as_ref()
                    .is_some_and(|only| only != name && Charset::for_name(only, Names::Glibc) != Some(charset))
            {
                continue;
            }
            let text = text(charset);
            let end = (length..).find(|end| text.is_char_boundary(*end)).unwrap_or(text.len());
            let text = &text[..end.min(text.len())];
            let Ok(bytes) = charset.encode_or_fail(text) else { continue };
            for (from, to, source) in [(name, "UTF-8", &bytes[..]), ("UTF-8", name, text.as_bytes())] {
                let times = [ours, theirs].map(|library| time(library, from, to, source, &mut output));
                let [Some(own), Some(other)] = times else { continue };
                sum += (other / own).ln();
                count += 1.0;
                if only.is_some() {
                    println!("{length} bytes, {from} to {to}: {own:.0} ns, glibc {other:.0} ns");
                }
                if own > other {
                    slow.push(format!("{from} to {to} {:.2}", other / own));
                }
            }
        }
        println!(
            "{length} bytes: geometric mean {:.2} of {count} cells; below 1: {}",
            f64::exp(sum / count),
            slow.len()
        );
        println!("  {}", slow.join(", "));
    }
}
