//! Adversarial inputs for the public functions of the libraries, for `cargo xtask linear`, which counts instructions.
//!
//! `linear BYTES [PART]` runs each case whose name contains `PART` on inputs of `BYTES` bytes, and on inputs of two,
//! four and eight times this length. The program that counts writes what it has counted whenever [`done`] is called:
//! once before each run and once after it. Each line that this program prints belongs to two such calls.
//!
//! With `--times`, each line has the nanoseconds of the run, and nothing needs to count.

use std::{env, fs, hint::black_box, io::Read, sync::LazyLock, thread, time::Instant};

use textcodec::{
    DecodeErrorMode, Encoding, REPLACEMENT, UTF_8,
    detect::Detector,
    hooks, infra,
    io::{self, Decode, Encode},
    mem,
    sniff::{Context, ContextExt, Declaration, Hints, MimeType},
    url::{self, PercentEncodeSet},
};
use textcodec_charsets::Charset;

/// A call of one function.
type Run = Box<dyn Fn(&[u8])>;

/// A function on adversarial input.
struct Case {
    name: String,
    /// The input is this pattern as often as it fits, and then the tail.
    pattern: Vec<u8>,
    tail: Vec<u8>,
    run: Run,
}

/// The bytes that the decoders of the Standard get: errors at each byte, beginnings without an end, sequences that a
/// handler gives back to the queue, escape sequences without text, text with an error after each character.
const BYTES: [&[u8]; 15] = [
    b"\xFF",
    b"\x81",
    b"a\xFF",
    b"\x81\x30",
    b"\x81\x30\x81",
    b"\x84\x31\xA4\x37",
    b"\xF0\x90\x80",
    b"\x8F\xA1",
    b"\xA4\xA2a",
    b"\x1B",
    b"\x1B$B\x1B(B",
    b"\x1B$B\x21",
    b"\x1B(",
    b"\xD8\x00",
    b"\x00\xD8\x00",
];

/// The texts that the encoders get: characters that cannot be encoded, and changes of state or width at each character.
const TEXTS: [&str; 7] = ["a", "\u{10FFFF}", "aあ", "¥a", "é☃", "ｱあ\u{E5E5}", "\u{20AC}\u{2550}\u{10000}"];

/// What the search for declarations in HTML, XML and CSS gets: constructs that do not end, and very many of them.
const MARKUP: [&[u8]; 19] = [
    b"<",
    b"<!--",
    b"-->",
    b"<!--x-",
    b"<!",
    b"</",
    b"<?",
    b"<a ",
    b"<a b='",
    b"a=b ",
    b"<meta ",
    b"<meta charset=x>",
    b"<meta charset='",
    b"<meta content='charset=",
    b"<meta http-equiv=content-type content=';charset charset",
    b"<script>",
    b"\0",
    b"\xFF",
    b"@charset \"",
];

fn main() {
    // `cargo bench` passes `--bench`.
    let mut arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let takes_times = arguments.iter().any(|argument| argument == "--times");
    arguments.retain(|argument| argument != "--times");
    let Some(length) = arguments.first().and_then(|length| length.parse::<usize>().ok()) else { return };
    let part = arguments.get(1).map_or("", String::as_str);
    for case in cases().iter().filter(|case| case.name.contains(part)) {
        let inputs = [1, 2, 4, 8].map(|times| case.input(length * times));
        if takes_times {
            let times = case.times(&inputs);
            inputs.iter().zip(times).for_each(|(input, time)| println!("{}\t{}\t{time}", case.name, input.len()));
            continue;
        }
        for input in inputs {
            println!("{}\t{}", case.name, input.len());
            done();
            (case.run)(&input);
            done();
        }
    }
}

impl Case {
    /// An input of about this length in bytes.
    fn input(&self, length: usize) -> Vec<u8> {
        let mut input = self.pattern.repeat((length - self.tail.len()) / self.pattern.len());
        input.extend_from_slice(&self.tail);
        input
    }

    /// The nanoseconds of a run with each of the inputs. Other programs can make a run take longer, so up to five runs
    /// are made if the last input seems to take more than linear time.
    fn times(&self, inputs: &[Vec<u8>; 4]) -> [u128; 4] {
        let mut least = [u128::MAX; 4];
        for _ in 0..5 {
            for (least, input) in least.iter_mut().zip(inputs) {
                let start = nanoseconds();
                (self.run)(input);
                *least = (nanoseconds() - start).min(*least);
            }
            if least[3] <= 10 * least[0] {
                break;
            }
        }
        least
    }
}

/// The time that a processor has worked for this thread, as far as Linux tells it, so that other programs do not count;
/// elsewhere the time since the first call.
fn nanoseconds() -> u128 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    // Linux counts when the thread gives up the processor, and at its ticks.
    thread::yield_now();
    let worked = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let worked = worked.and_then(|numbers| numbers.split(' ').next()?.parse().ok());
    worked.unwrap_or_else(|| START.elapsed().as_nanos())
}

/// The counting program waits for calls of this function.
#[inline(never)]
fn done() {
    black_box(());
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |name: String, pattern: &[u8], tail: &[u8], run: Run| {
        let shown: String = pattern.escape_ascii().to_string();
        cases.push(Case { name: format!("{name} {shown}"), pattern: pattern.into(), tail: tail.into(), run });
    };
    for encoding in Encoding::all().filter(|encoding| !encoding.is_single_byte()) {
        for pattern in BYTES {
            add(format!("decode {encoding}"), pattern, b"", Box::new(move |bytes| decode(encoding, bytes)));
        }
        for pattern in &BYTES[..5] {
            add(format!("stream {encoding}"), pattern, b"", Box::new(move |bytes| stream(encoding, bytes)));
        }
        let with = move |bytes: &[u8]| {
            let mut text = String::with_capacity(3 * bytes.len());
            encoding.new_decoder().decode_to_string_with(bytes, &mut text, true, |_, text| text.push('?'));
            take(text);
        };
        add(format!("decode_with {encoding}"), b"a\xFF", b"", Box::new(with));
        let or_fail = move |bytes: &[u8]| take(encoding.decode_or_fail(bytes));
        add(format!("decode_or_fail {encoding}"), b"a", b"\xFF", Box::new(or_fail));
    }
    for encoding in Encoding::all().filter(|encoding| encoding.output_encoding() == *encoding) {
        // The single-byte encodings differ by their tables only.
        if encoding.is_single_byte() && !["windows-1252", "x-user-defined", "KOI8-R"].contains(&encoding.name()) {
            continue;
        }
        for pattern in TEXTS {
            let run = move |bytes: &[u8]| take(encoding.encode(text(bytes)));
            add(format!("encode {encoding}"), pattern.as_bytes(), b"", Box::new(run));
        }
        let with = move |bytes: &[u8]| {
            let mut to = Vec::with_capacity(3 * bytes.len());
            take(encoding.new_encoder().encode_str_to_vec_with(text(bytes), &mut to, true, |_| "?"));
            take(to);
        };
        add(format!("encode_with {encoding}"), "\u{10FFFF}".as_bytes(), b"", Box::new(with));
        let run = move |bytes: &[u8]| encode_stream(encoding, text(bytes));
        add(format!("encode stream {encoding}"), "aあ☃".as_bytes(), b"", Box::new(run));
    }
    for charset in Charset::all() {
        for pattern in [&b"\x1B$\x21\x0E\xFFa"[..], b"\x81\x30\x81+A&"] {
            let run = move |bytes: &[u8]| take(charset.decode(bytes));
            add(format!("charset {}", charset.name()), pattern, b"", Box::new(run));
        }
        let run = move |bytes: &[u8]| take(charset.encode_or_fail(text(bytes)));
        add(format!("encode charset {}", charset.name()), b"aA1 ", b"", Box::new(run));
    }
    for pattern in MARKUP {
        add("in_html".into(), pattern, b"", Box::new(|bytes| take(Declaration::in_html(bytes, usize::MAX))));
        add("in_xml".into(), pattern, b"", Box::new(|bytes| take(Declaration::in_xml(bytes))));
        add("in_css".into(), pattern, b"", Box::new(|bytes| take(Declaration::in_css(bytes))));
        add("html in pieces".into(), pattern, b"", Box::new(html_in_pieces));
    }
    for pattern in [&b";"[..], b";a=b", b";charset=\"", b"a", b" ", b";charset=x"] {
        // `MimeType::parameters` is not here: its documentation promises linear time for a thousand parameters only.
        let mime = |bytes: &[u8]| take(MimeType::parse(&[b"text/html", bytes].concat()).map(|mime| mime.charset()));
        add("MimeType".into(), pattern, b"", Box::new(mime));
        let label = |bytes: &[u8]| assert!(black_box(Encoding::for_label(bytes)).is_err());
        add("for_label".into(), pattern, b"", Box::new(label));
        let content_type = |bytes: &[u8]| assert!(black_box(Encoding::for_content_type(bytes)).is_err());
        add("for_content_type".into(), pattern, b"", Box::new(content_type));
    }
    for pattern in BYTES.into_iter().chain([&b" "[..], b"a", b"\xE4 ", b"<p>\xC3\xA4", b"\xC3\x83\xC2\xA4"]) {
        add("detect".into(), pattern, b"", Box::new(|bytes| take(textcodec::detect::detect(bytes))));
        let in_pieces = |bytes: &[u8]| {
            let mut detector = Detector::new();
            bytes.iter().for_each(|byte| detector.feed(std::slice::from_ref(byte)));
            black_box(detector.finish());
        };
        add("detect in bytes".into(), pattern, b"", Box::new(in_pieces));
    }
    for pattern in ["a", "é", "\u{10FFFF}", "%&\r", "\r\n"] {
        for encoding in [UTF_8, textcodec::ISO_2022_JP] {
            let query = move |bytes: &[u8]| take(url::encode_query(text(bytes), "https", encoding));
            add(format!("encode_query {encoding}"), pattern.as_bytes(), b"", Box::new(query));
            let form = move |bytes: &[u8]| {
                black_box(url::form::urlencoded([(text(bytes), "")], encoding));
                black_box(url::form::field_value(text(bytes), encoding));
                black_box(url::form::file_name(text(bytes), encoding));
            };
            add(format!("form {encoding}"), pattern.as_bytes(), b"", Box::new(form));
        }
        let percent = |bytes: &[u8]| take(url::utf8_percent_encode(text(bytes), PercentEncodeSet::Component));
        add("utf8_percent_encode".into(), pattern.as_bytes(), b"", Box::new(percent));
    }
    for pattern in [&b"a"[..], b"\xC3\xA9", b"\xFF", b"a\xF0\x9F", b"\xE3\x81\x82"] {
        add("mem".into(), pattern, b"\xE9", Box::new(mem_of_bytes));
        add("mem UTF-16".into(), pattern, b"\0\xD8", Box::new(mem_of_units));
        let infra = |bytes: &[u8]| {
            black_box(infra::isomorphic_encode(&infra::isomorphic_decode(bytes))).expect("the text is isomorphic");
            let _ = black_box(infra::ascii_decode(bytes));
        };
        add("infra".into(), pattern, b"", Box::new(infra));
    }
    for encoding in [UTF_8, REPLACEMENT, textcodec::GB18030, textcodec::ISO_2022_JP, textcodec::UTF_16LE] {
        for pattern in &BYTES[..5] {
            let run = move |bytes: &[u8]| read_and_write(encoding, bytes);
            add(format!("io {encoding}"), pattern, b"", Box::new(run));
            let run = move |bytes: &[u8]| {
                let (mut input, mut output) = (hooks::IoQueue::from_iter(bytes.iter().copied()), hooks::IoQueue::new());
                hooks::decode(&mut input, encoding, &mut output);
                black_box(output);
            };
            add(format!("hooks {encoding}"), pattern, b"", Box::new(run));
        }
    }
    cases
}

/// Keeps the compiler from leaving out the call that has returned `value`.
fn take<T>(value: T) {
    black_box(value);
}

/// The text of a pattern of characters.
fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the pattern is text")
}

fn decode(encoding: Encoding, bytes: &[u8]) {
    black_box(encoding.decode_without_bom_handling(bytes));
}

/// A decoder that gets one byte at a time, and one that has little space.
fn stream(encoding: Encoding, bytes: &[u8]) {
    let mode = DecodeErrorMode::Replacement;
    let (mut decoder, mut text) = (encoding.new_decoder(), String::new());
    for byte in bytes {
        let _ = decoder.decode_to_string(std::slice::from_ref(byte), &mut text, false, mode);
    }
    let _ = decoder.decode_to_string(b"", &mut text, true, mode);
    let (mut decoder, mut units, mut read) = (encoding.new_decoder(), [0; 4], 0);
    loop {
        let result = decoder.decode_to_utf16(&bytes[read..], &mut units, true, mode);
        read += result.read;
        if result.status == textcodec::DecodeStatus::InputEmpty {
            break;
        }
    }
    black_box((text, units));
}

/// An encoder that gets one character at a time, and one that has little space.
fn encode_stream(encoding: Encoding, text: &str) {
    let mode = textcodec::EncodeErrorMode::Html;
    let (mut encoder, mut bytes) = (encoding.new_encoder(), Vec::new());
    for character in text.chars() {
        let _ = encoder.encode_str_to_vec(character.encode_utf8(&mut [0; 4]), &mut bytes, false, mode);
    }
    let (mut encoder, mut space, mut read) = (encoding.new_encoder(), [0; 16], 0);
    loop {
        let result = encoder.encode_str(&text[read..], &mut space, true, mode);
        read += result.read;
        if result.status == textcodec::EncodeStatus::InputEmpty {
            break;
        }
    }
    black_box((bytes, space));
}

/// A page in pieces of 16 bytes, whose declaration may stand anywhere.
fn html_in_pieces(bytes: &[u8]) {
    let decoder = Context::HtmlParser.decoder(Hints::default()).expect("the context decodes");
    let mut decoder = decoder.with_declaration_limit(usize::MAX).with_patience(usize::MAX);
    let mut text = String::new();
    for piece in bytes.chunks(16) {
        let _ = decoder.decode(piece, &mut text, false);
    }
    let _ = decoder.decode(b"", &mut text, true);
    black_box(text);
}

fn mem_of_bytes(bytes: &[u8]) {
    let (mut units, mut utf8) = (vec![0; bytes.len() + 1], vec![0; 3 * bytes.len()]);
    black_box((mem::ascii_up_to(bytes), mem::is_utf8_latin1(bytes), mem::utf8_valid_up_to(bytes)));
    black_box((mem::iso_2022_jp_ascii_up_to(bytes), mem::copy_ascii(bytes, &mut utf8)));
    black_box((mem::utf8_to_utf16(bytes, &mut units), mem::latin1_to_utf16(bytes, &mut units)));
    black_box((mem::latin1_to_utf8(bytes, &mut utf8), mem::utf8_to_latin1(bytes, &mut utf8)));
    let text = mem::decode_latin1(bytes);
    black_box(mem::encode_latin1(&text));
}

fn mem_of_units(bytes: &[u8]) {
    let mut units: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    let mut utf8 = vec![0; 3 * units.len()];
    black_box((mem::utf16_to_utf8(&units, &mut utf8), mem::utf16_valid_up_to(&units)));
    black_box((mem::utf16_ascii_up_to(&units), mem::utf16_to_latin1(&units, &mut utf8)));
    mem::ensure_utf16_validity(&mut units);
    black_box((units, utf8));
}

/// A source that gives one byte at a time.
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let length = to.len().min(1);
        self.0.read(&mut to[..length])
    }
}

fn read_and_write(encoding: Encoding, bytes: &[u8]) {
    let mut text = String::new();
    let _ = io::Reader::<_, Decode>::new(Slow(bytes), encoding).read_to_string(&mut text);
    let mut writer = io::Writer::<_, Encode>::new(Vec::new(), textcodec::GB18030);
    for character in text.chars() {
        let _ = writer.write_str(character.encode_utf8(&mut [0; 4]));
    }
    black_box(writer.finish().ok());
}
