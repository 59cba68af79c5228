//! Compares the speed with glibc's iconv in one process: `cargo run --release -p textcodec-capi-iconv --example speed`.
//!
//! For each charset that both libraries have, a text of its own characters and of ASCII letters is decoded to UTF-8 and
//! encoded from it, in calls of 16 to 65,536 bytes. A cell is the time of glibc divided by ours, each the least of
//! several runs. Printed are the geometric means. `slower.tsv` gets the conversions with a cell below 1, with the
//! reason; it is not written if an argument names the one charset that is compared.

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

/// The lengths of the texts in bytes.
const LENGTHS: [usize; 5] = [16, 64, 256, 4096, 65536];

/// The cells of a conversion, and the reason why glibc is faster in some of them.
type Row = ([f64; LENGTHS.len()], &'static str);

/// Why glibc is faster with texts of some lengths. `is_slow_in_bulk` tells whether it is with 4 KB.
fn reason(charset: Charset, is_decoding: bool, is_slow_in_bulk: bool) -> &'static str {
    let name = charset.name();
    match charset.family() {
        Family::Unicode if name.starts_with("UTF-7") => "a call sets up the bulk path, which base64 does not take",
        Family::Unicode => "a call costs 40 to 70 ns before its first character; glibc begins with it at once",
        Family::EbcdicEastAsian => "each shift ends a bulk step, and pairs go through compressed tables one by one",
        _ if name.ends_with("-COMPOSED") && is_decoding => "each letter that a mark can follow waits for the next byte",
        _ if name.ends_with("-COMPOSED") => "characters are encoded one by one: some are a letter and a mark",
        _ if ["ISO_6937", "T.61", "ANSI_X3.110"].iter().any(|prefix| name.starts_with(prefix)) => {
            "accents stand before their letters: a binary search for each accented letter"
        }
        _ if name.starts_with("ISO-2022-") => "each escape or shift ends a bulk step",
        _ if charset.codec().is_single_byte() => "too long for the tables of short texts, too short for the kernels",
        _ if is_slow_in_bulk => "pairs without a kernel: compressed tables, one by one; glibc's have all characters",
        _ => "a call sets up the kernels, which pays with longer texts",
    }
}

fn main() {
    let (ours, theirs): (Library, Library) = ((iconv_open, iconv, iconv_close), glibc());
    for (from, to) in [("SJIS", "UTF-8"), ("UTF-8", "LATIN1"), ("IBM037", "LATIN1")] {
        let times = [ours, theirs].map(|library| open_and_close(library, from, to));
        println!("open, ten bytes, close, {from} to {to}: {:.0} ns, glibc {:.0} ns", times[0], times[1]);
    }
    let only = std::env::args().nth(1);
    let mut rows: Vec<(String, Row)> = Vec::new();
    for charset in Charset::all() {
        let Some(name) = charset.names(Names::Glibc).next().map(|name| name.trim_end_matches('/')) else {
            continue;
        };
        let is_left_out = |only: &String| only != name && Charset::for_name(only, Names::Glibc) != Some(charset);
        if charset.new_encoder().is_none() || only.as_ref().is_some_and(is_left_out) {
            continue;
        }
        let whole = text(charset);
        for (from, to) in [(name, "UTF-8"), ("UTF-8", name)] {
            let is_decoding = to == "UTF-8";
            let cells = LENGTHS.map(|length| {
                let end = (length..).find(|end| whole.is_char_boundary(*end)).unwrap_or(whole.len());
                let text = &whole[..end.min(whole.len())];
                let Ok(bytes) = charset.encode_or_fail(text) else { return f64::NAN };
                let source = if is_decoding { &bytes[..] } else { text.as_bytes() };
                let mut output = vec![0; 8 * length + 64];
                let times = [ours, theirs].map(|library| time(library, from, to, source, &mut output));
                let [Some(own), Some(other)] = times else { return f64::NAN };
                if only.is_some() {
                    println!("{length} bytes, {from} to {to}: {own:.0} ns, glibc {other:.0} ns");
                }
                other / own
            });
            let is_slow_in_bulk = cells[3] < 1.0 || cells[4] < 1.0;
            rows.push((format!("{from}\t{to}"), (cells, reason(charset, is_decoding, is_slow_in_bulk))));
        }
    }
    for (place, length) in LENGTHS.iter().enumerate() {
        let cells: Vec<f64> = rows.iter().map(|row| row.1.0[place]).filter(|cell| cell.is_finite()).collect();
        let mean = f64::exp(cells.iter().map(|cell| cell.ln()).sum::<f64>() / cells.len() as f64);
        let below = cells.iter().filter(|cell| **cell < 1.0).count();
        println!("{length} bytes: geometric mean {mean:.2} of {} cells; below 1: {below}", cells.len());
    }
    if only.is_some() {
        return;
    }
    let mut table = format!("from\tto\t{}\treason\n", LENGTHS.map(|length| length.to_string()).join("\t"));
    for (conversion, (cells, reason)) in rows {
        if cells.iter().any(|cell| *cell < 1.0) {
            let cells = cells.map(|cell| if cell.is_finite() { format!("{cell:.2}") } else { String::new() });
            table += &format!("{conversion}\t{}\t{reason}\n", cells.join("\t"));
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/slower.tsv");
    std::fs::write(path, table).expect("the table can be written");
}
