//! The battery: the tests that every encoding must pass, in one call for each encoding.
//!
//! The expected result is that of [*process a queue*](crate::process) over the handler. [`Decoder`](crate::Decoder)
//! and [`Encoder`](crate::Encoder) must give the same result, however the source is cut into slices and however small
//! the destinations are.

mod mixed;
mod states;
mod streams;

use std::{string::String, vec::Vec};

use textcodec_kernels::level::at_every_level;

use crate::{
    Bom, Codec, DecodeErrorMode, DecodeStatus, EncodeErrorMode, EncodeStatus, Encoding, Handle, Malformed, Unmappable,
    handler::{HandlerResult, Item, Restored, Unchanged},
    io_queue::IoQueue,
    process::{DecoderInstance, EncoderInstance, ItemResult},
};

/// A codec under test, with a name for messages.
#[derive(Clone, Copy)]
pub struct Subject {
    name: &'static str,
    codec: &'static Codec,
    selector: u8,
    /// The least number of bytes into which the encoder makes progress.
    least_capacity: usize,
}

impl Subject {
    /// The codec, which messages call `name`. A step of its encoder writes at most `least_capacity` bytes.
    #[must_use]
    pub const fn new(name: &'static str, codec: &'static Codec, least_capacity: usize) -> Self {
        Subject { name, codec, selector: 0, least_capacity }
    }

    /// This subject, of several encodings that share the codec, with its [`Handle::selector`].
    #[must_use]
    pub const fn with_selector(mut self, selector: u8) -> Self {
        self.selector = selector;
        self
    }

    /// The first state of the random numbers for this codec.
    fn seed(self) -> u64 {
        self.name.bytes().fold(1, |seed, byte| seed * 31 % 0xFFFF_FFFB + u64::from(byte))
    }
}

impl From<&'static Encoding> for Subject {
    fn from(encoding: &'static Encoding) -> Self {
        Subject {
            name: encoding.name(),
            codec: encoding.codec(),
            selector: 0,
            least_capacity: if encoding.codec().index().is_some() { 1 } else { 4 },
        }
    }
}

impl core::ops::Deref for Subject {
    type Target = Codec;

    fn deref(&self) -> &Codec {
        self.codec
    }
}

impl Handle for Subject {
    fn codec(self) -> &'static Codec {
        self.codec
    }

    fn selector(self) -> u8 {
        self.selector
    }

    fn of_bom(_: Bom) -> Option<Self> {
        None
    }
}

impl PartialEq for Subject {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.codec, other.codec) && self.selector == other.selector
    }
}

impl core::fmt::Display for Subject {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name)
    }
}

impl core::fmt::Debug for Subject {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name)
    }
}

type Decoder = crate::Decoder<Subject>;
type Encoder = crate::Encoder<Subject>;

/// Checks the digest of each generated table: FNV-1a with 64 bits, of the `Debug` text. No conversion reads some
/// entries, such as the number of the first listed code point in a block that lists none, so that no other test sees a
/// change.
///
/// # Panics
/// If a table has another digest.
pub fn check_digests(tables: &[(&dyn core::fmt::Debug, u64)]) {
    let digest = |table: &dyn core::fmt::Debug| {
        let mut fnv = Fnv(0xCBF2_9CE4_8422_2325);
        core::fmt::write(&mut fnv, format_args!("{table:?}")).expect("the digest takes any text");
        fnv.0
    };
    let found: Vec<u64> = tables.iter().map(|(table, _)| digest(table)).collect();
    let is_expected = found.iter().zip(tables).all(|(found, (_, expected))| found == expected);
    assert!(is_expected, "the tables have the digests {found:#018X?}");
}

/// The state of FNV-1a.
struct Fnv(u64);

impl core::fmt::Write for Fnv {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        self.0 = text.bytes().fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3));
        Ok(())
    }
}

/// Runs the battery on `encoding`, with the kernels of each level that the processor has. `significant` has about eight
/// bytes, each of which the decoder treats in another way. `text` has characters, each of which the encoder treats in
/// another way, and some of which are unmappable.
///
/// # Panics
/// If a test fails.
pub fn battery(encoding: impl Into<Subject>, significant: &[u8], text: &str) {
    let encoding = encoding.into();
    check_facts(encoding);
    check_longest(encoding);
    states::check_states(encoding, significant, text);
    for_each_text(significant, |text| check_end(encoding, text));
    at_every_level(|_| check_conversion(encoding, significant, text));
}

/// The part of the battery that depends on the kernels.
fn check_conversion(encoding: Subject, significant: &[u8], text: &str) {
    for_each_text(significant, |text| check_decoder(encoding, text));
    let mut random = Random(encoding.seed());
    for _ in 0..300 {
        let length = random.below(40);
        let source: Vec<u8> = (0..length)
            .map(|_| match random.below(4) {
                0 => b'a' + random.below(26) as u8,
                1 => random.below(256) as u8,
                _ => significant[random.below(significant.len())],
            })
            .collect();
        check_decoder(encoding, &source);
    }

    for round in 0..60 {
        let mut source = Vec::new();
        while source.len() < 1500 {
            match random.below(3) {
                // In every third source there are many errors, in the others few.
                _ if round % 3 == 0 => source.extend((0..random.below(500)).map(|_| random.below(256) as u8)),
                0 => source.extend(core::iter::repeat_n(b'a', random.below(100))),
                1 => source.extend((0..random.below(9)).map(|_| significant[random.below(significant.len())])),
                _ => {
                    source.extend(core::iter::repeat_n(significant[random.below(significant.len())], random.below(300)))
                }
            }
        }
        let (low, high) = source.split_at(random.below(source.len()));
        check_text(encoding, &[low, high], 4 + random.below(900));
    }

    for _ in 0..60 {
        check_pattern(encoding, &random_pattern(significant, &mut random));
    }

    streams::check_streams(encoding, significant, &mut random);

    if encoding.has_encoder() {
        let characters: Vec<char> = text.chars().chain(['a', '\u{1F4A9}', '\u{FFFD}', '\u{E5E5}']).collect();
        for _ in 0..40 {
            let mut source = String::new();
            while source.len() < 1500 {
                let character = characters[random.below(characters.len())];
                source.extend(core::iter::repeat_n(character, 1 + random.below(3) * random.below(150)));
            }
            check_encoding(encoding, &source, 4.max(least_capacity(encoding)) + random.below(900));
        }
        for _ in 0..300 {
            let length = random.below(12);
            let source: String = (0..length).map(|_| characters[random.below(characters.len())]).collect();
            check_encoder(encoding, &source);
        }
        for _ in 0..300 {
            mixed::check_pieces(encoding, &mixed::random_pieces(&characters, &mut random));
        }
    }
}

/// Calls `check` with every text of up to four of the bytes in `significant`.
fn for_each_text(significant: &[u8], check: impl Fn(&[u8])) {
    for length in 0..=4 {
        for number in 0..significant.len().pow(length) {
            let digits = (0..length).map(|place| number / significant.len().pow(place) % significant.len());
            check(&digits.map(|digit| significant[digit]).collect::<Vec<_>>());
        }
    }
}

/// Fails if the stream may end after `text` without a call of the handler, though the handler would not finish there.
fn check_end(encoding: Subject, text: &[u8]) {
    let handler = encoding.decoder().handler;
    let (mut state, mut rest) = (encoding.selector.into(), Vec::from(text));
    rest.reverse();
    while let Some(byte) = rest.pop() {
        let mut restored = Restored::<u8>::EMPTY;
        handler(encoding.codec, &mut state, &mut restored, Item::Value(byte));
        rest.extend(restored.as_slice().iter().rev());
    }
    let (may_end, mut restored) = (encoding.may_end(state), Restored::<u8>::EMPTY);
    let result = handler(encoding.codec, &mut state, &mut restored, Item::EndOfQueue);
    assert!(!may_end || matches!(result, HandlerResult::Finished), "{encoding}: {text:02X?}");
}

/// Fails unless the handlers of `encoding` behave as the facts say that `encoding` states about itself.
fn check_facts(encoding: Subject) {
    let mut changes_ascii = false;
    for byte in 0x00..=0x7F {
        let is_unchanged = process(encoding, &[byte]) == String::from(char::from(byte));
        let expected = is_unchanged.then_some(1).or(encoding.unchanged().ascii_up_to(b""));
        let unchanged = encoding.unchanged().ascii_up_to(&[byte]);
        // A decoder that changes some ASCII bytes may have no fact about the others.
        changes_ascii |= !is_unchanged;
        assert!(unchanged == expected || unchanged.is_none(), "{encoding}: {byte:02X}");
        assert_eq!(Decoder::new(encoding).latin1_up_to(&[byte]), unchanged, "{encoding}: {byte:02X}");
    }
    // A byte after an ASCII byte can change it: a mark after a letter.
    changes_ascii |= (0x00..=0x7F).any(|byte| {
        let text = |after| process(encoding, &[byte, after]);
        (0x80..=0xFF).any(|after| !text(after).starts_with(char::from(byte)))
    });
    assert!(encoding.unchanged() != Unchanged::Nothing || changes_ascii, "{encoding} leaves ASCII as it is");
    let utf8 = "é€\u{1F4A9}";
    assert_eq!(process(encoding, utf8.as_bytes()) == utf8, encoding.unchanged() == Unchanged::Utf8, "{encoding}");
    // The third byte is for the escape sequences of ISO-2022-JP.
    let is_single_byte = (0..=u16::MAX).map(u16::to_be_bytes).all(|[first, second]| {
        process(encoding, &[first, second]).chars().count() == 2
            && process(encoding, &[first, second, b'B']).chars().count() == 3
    });
    assert_eq!(encoding.is_single_byte(), is_single_byte, "{encoding}");
    for bom in Bom::ALL {
        let is_own = process(encoding, bom.bytes()) == "\u{FEFF}";
        assert_eq!(encoding.bom() == Some(bom), is_own, "{encoding}: {bom:?}");
    }
    if encoding.has_encoder() {
        let is_encoded = |code_point| {
            let mut encoder = EncoderInstance::new(encoding).expect("the encoding has an encoder");
            let mut input = IoQueue::from_iter([code_point]);
            encoder.process_queue(&mut input, &mut IoQueue::new(), EncodeErrorMode::Fatal) == ItemResult::Finished
        };
        let all = ('\u{80}'..=char::MAX).all(is_encoded);
        assert_eq!(encoding.encodes_everything(), all, "{encoding}");
    }
}

/// Fails unless the greatest lengths of destinations are exact up to the longest source, and `None` if they do not fit
/// into `usize`: for new decoders and encoders, and for those that keep a part of a character.
fn check_longest(encoding: Subject) {
    let check = |longest: &dyn Fn(usize) -> Option<usize>| {
        let of_nothing = longest(0).expect("the end of a stream has few bytes");
        let factor = longest(1).expect("a unit becomes few bytes") - of_nothing;
        for length in [1, 2, 3, factor.max(1)].map(|part| usize::MAX / part) {
            for length in length.saturating_sub(50)..=length.saturating_add(2) {
                let expected = length as u128 * factor as u128 + of_nothing as u128;
                assert_eq!(longest(length), usize::try_from(expected).ok(), "{encoding}: {length} units");
            }
        }
    };
    for bytes in [&b""[..], b"\x81", b"\xF0", b"\x1B"] {
        let mut decoder: Decoder = Decoder::new(encoding);
        let _ = decoder.decode_to_utf8(bytes, &mut [0; 16], false, DecodeErrorMode::Replacement);
        check(&|length| decoder.max_utf8_length(length));
        check(&|length| decoder.max_utf16_length(length));
    }
    for units in [&[][..], &[0xD83D]] {
        let Some(mut encoder) = Encoder::new(encoding) else { break };
        let _ = encoder.encode_utf16(units, &mut [0; 16], false, EncodeErrorMode::Html);
        for mode in [EncodeErrorMode::Html, EncodeErrorMode::Fatal] {
            check(&|length| encoder.max_length_from_str(length, mode));
            check(&|length| encoder.max_length_from_utf16(length, mode));
        }
    }
}

/// Fails unless `encoding` decodes each of `streams` to its text, which is written down from the Standard: by its
/// handler alone, and by one decoder that decodes all the streams, each of them whole and then byte by byte.
///
/// # Panics
/// If a text differs.
pub fn check_texts(encoding: impl Into<Subject>, streams: &[(&[u8], &str)]) {
    let encoding = encoding.into();
    let mut decoder: Decoder = Decoder::new(encoding);
    for &(source, expected) in streams {
        assert_eq!(process(encoding, source), expected, "{encoding}, the handler alone: {source:02X?}");
        for length in [source.len().max(1), 1] {
            let mut text = String::new();
            for chunk in source.chunks(length) {
                let _ = decoder.decode_to_string(chunk, &mut text, false, DecodeErrorMode::Replacement);
            }
            let _ = decoder.decode_to_string(b"", &mut text, true, DecodeErrorMode::Replacement);
            assert_eq!(text, expected, "{encoding}: {source:02X?}, {length} bytes at once");
        }
    }
}

/// Fails unless `encoding` encodes each of `streams` to its bytes in the error mode html. The bytes are written down
/// from the Standard. It is checked with the handler alone, and with one encoder that encodes all the streams, each of
/// them whole and then character by character.
///
/// # Panics
/// If the bytes differ.
pub fn check_bytes(encoding: impl Into<Subject>, streams: &[(&str, &[u8])]) {
    let encoding = encoding.into();
    let mut encoder: Encoder = Encoder::new(encoding).expect("the encoding has an encoder");
    for &(source, expected) in streams {
        assert_eq!(process_encode(encoding, source), expected, "{encoding}, the handler alone: {source:?}");
        let mut whole = Vec::new();
        let _ = encoder.encode_str_to_vec(source, &mut whole, true, EncodeErrorMode::Html);
        assert_eq!(whole, expected, "{encoding}: {source:?}");
        let mut bytes = Vec::new();
        for character in source.chars() {
            let character = String::from(character);
            let _ = encoder.encode_str_to_vec(&character, &mut bytes, false, EncodeErrorMode::Html);
        }
        let _ = encoder.encode_str_to_vec("", &mut bytes, true, EncodeErrorMode::Html);
        assert_eq!(bytes, expected, "{encoding}: {source:?}, character by character");
    }
}

/// A decoder's text, and its errors in the error mode fatal.
type Decoded = (String, Vec<Malformed>);

/// Fails unless `source` is decoded to the same text and errors in every way.
///
/// # Panics
/// If a text or an error differs.
pub fn check_decoder(encoding: impl Into<Subject>, source: &[u8]) {
    let encoding = encoding.into();
    let text = process(encoding, source);
    let whole = decode_to_utf8(encoding, &[source], 9 * source.len() + 12);
    assert_eq!(whole.0, text, "{encoding}: {source:02X?}");
    for malformed in &whole.1 {
        let at = malformed.offset as usize;
        assert_eq!(
            malformed.bytes(),
            &source[at..at + malformed.bytes().len()],
            "{encoding}: {source:02X?} {malformed}"
        );
    }
    for at in 0..=source.len() {
        let chunks = [&source[..at], &[], &source[at..]];
        for capacity in [4, 7] {
            assert_eq!(
                decode_to_utf8(encoding, &chunks, capacity),
                whole,
                "{encoding}: {chunks:02X?} into {capacity} bytes"
            );
        }
        for capacity in [2, 3] {
            assert_eq!(
                decode_to_utf16(encoding, &chunks, capacity),
                whole,
                "{encoding}: {chunks:02X?} into {capacity} units"
            );
        }
    }
    for mode in [DecodeErrorMode::Replacement, DecodeErrorMode::Fatal] {
        for at in 0..=source.len() {
            check_max_lengths(encoding, source.split_at(at), mode);
        }
    }
    let bytes: Vec<&[u8]> = source.chunks(1).collect();
    assert_eq!(decode_to_utf8(encoding, &bytes, 4), whole, "{encoding}: {source:02X?} byte by byte");
    assert_eq!(decode_to_utf16(encoding, &bytes, 2), whole, "{encoding}: {source:02X?} byte by byte");
    let replaced = replace(encoding, &bytes);
    let expected = (text, !whole.1.is_empty());
    assert_eq!(replaced, expected, "{encoding}: {source:02X?} byte by byte, with replacement");
    assert_eq!(append(encoding, source), [expected.clone(), expected], "{encoding}: {source:02X?} into vectors");
}

/// Fails unless a decoder decodes `chunks`, which may be long, to the same text as the handler, with destinations of
/// `capacity` units.
///
/// # Panics
/// If the texts differ.
pub fn check_text(encoding: impl Into<Subject>, chunks: &[&[u8]], capacity: usize) {
    let encoding = encoding.into();
    let text = process(encoding, &chunks.concat());
    for mode in [DecodeErrorMode::Fatal, DecodeErrorMode::Replacement] {
        let as_expected = (
            decode_to_utf8_with(mode, encoding, chunks, capacity).0 == text,
            decode_to_utf16_with(mode, encoding, chunks, capacity).0 == text,
        );
        assert_eq!(as_expected, (true, true), "{encoding}, {mode:?}, UTF-8 and UTF-16: {chunks:02X?} into {capacity}");
    }
}

/// Fails unless all sequences of four `parts` are decoded as by the handler, with the kernels of each level: after an
/// error, after which the bulk conversions replace errors, and before nothing or before much text. `malformed` is a
/// byte that is an error in every state.
///
/// # Panics
/// If a text differs.
pub fn check_sequences(encoding: impl Into<Subject>, malformed: u8, parts: &[&[u8]]) {
    let encoding = encoding.into();
    let tails = [&[][..], &[b'a'; 40]];
    at_every_level(|_| {
        for number in 0..parts.len().pow(4) {
            let four = (0..4).map(|place| parts[number / parts.len().pow(place) % parts.len()]).collect::<Vec<_>>();
            let source = [&[malformed], &four.concat()[..], tails[number % 2]].concat();
            check_text(encoding, &[&source], 3 * source.len());
        }
    });
}

/// Up to five `significant` bytes or letters, again and again, and in most texts one more byte at a random place. The
/// bulk conversions decode such text, in which unusual sequences are near each other, in loops of their own.
fn random_pattern(significant: &[u8], random: &mut Random) -> Vec<u8> {
    let mut any = || match random.below(8) {
        0 => b'a',
        _ => significant[random.below(significant.len())],
    };
    let pattern = [any(), any(), any(), any(), any()];
    let length = 1 + random.below(pattern.len());
    let mut text: Vec<u8> = pattern[..length].iter().copied().cycle().take(40 + random.below(40)).collect();
    if random.below(4) != 0 {
        let at = random.below(text.len());
        text[at] = significant[random.below(significant.len())];
    }
    text
}

/// Fails unless `text` is decoded to the same text as by the handler if it is cut at any place, and into destinations
/// of every size.
fn check_pattern(encoding: Subject, text: &[u8]) {
    for at in 0..=text.len() {
        let (low, high) = text.split_at(at);
        check_text(encoding, &[low, high], 3 * text.len());
    }
    for capacity in (4..40).chain((40..=3 * text.len()).step_by(7)) {
        check_text(encoding, &[text], capacity);
    }
}

/// Fails if a destination of the greatest length is too short for one of two parts of a stream.
fn check_max_lengths(encoding: Subject, parts: (&[u8], &[u8]), mode: DecodeErrorMode) {
    let mut decoder: Decoder = Decoder::new(encoding);
    let mut utf16_decoder = decoder;
    for (mut source, last) in [(parts.0, false), (parts.1, true)] {
        loop {
            let mut utf8 = std::vec![0; decoder.max_utf8_length(source.len()).expect("no overflow")];
            let result = decoder.decode_to_utf8(source, &mut utf8, last, mode);
            let mut utf16 = std::vec![0; utf16_decoder.max_utf16_length(source.len()).expect("no overflow")];
            let utf16_result = utf16_decoder.decode_to_utf16(source, &mut utf16, last, mode);
            for status in [result.status, utf16_result.status] {
                assert_ne!(status, DecodeStatus::OutputFull, "{encoding}: {parts:02X?} needs more");
            }
            source = &source[result.read..];
            if result.status == DecodeStatus::InputEmpty {
                break;
            }
        }
    }
}

fn process(encoding: Subject, source: &[u8]) -> String {
    let mut output = IoQueue::new();
    let mut input = IoQueue::from_iter(source.iter().copied());
    let result = DecoderInstance::new(encoding).process_queue(&mut input, &mut output, DecodeErrorMode::Replacement);
    assert_eq!(result, ItemResult::Finished);
    output.read_all()
}

fn decode_to_utf8(encoding: Subject, chunks: &[&[u8]], capacity: usize) -> Decoded {
    decode_to_utf8_with(DecodeErrorMode::Fatal, encoding, chunks, capacity)
}

fn decode_to_utf16(encoding: Subject, chunks: &[&[u8]], capacity: usize) -> Decoded {
    decode_to_utf16_with(DecodeErrorMode::Fatal, encoding, chunks, capacity)
}

/// Decodes into destinations of `capacity` bytes. In the error mode fatal it appends U+FFFD after every error and
/// continues.
fn decode_to_utf8_with(mode: DecodeErrorMode, encoding: Subject, chunks: &[&[u8]], capacity: usize) -> Decoded {
    let mut decoder: Decoder = Decoder::new(encoding);
    let (mut text, mut errors) = (String::new(), Vec::new());
    let mut destination = std::vec![0; capacity];
    for (at, mut source) in chunks.iter().copied().enumerate() {
        loop {
            let before = decoder.position();
            let result = decoder.decode_to_utf8(source, &mut destination, at + 1 == chunks.len(), mode);
            let is_malformed = matches!(result.status, DecodeStatus::Malformed(_));
            assert!(
                mode == DecodeErrorMode::Replacement || result.had_errors == is_malformed,
                "{encoding}: {result:?}"
            );
            text.push_str(core::str::from_utf8(&destination[..result.written]).expect("the text is UTF-8"));
            source = &source[result.read..];
            match result.status {
                DecodeStatus::InputEmpty => break,
                DecodeStatus::OutputFull => assert!(result.written > 0 || decoder.position() > before, "no progress"),
                DecodeStatus::Malformed(malformed) => {
                    errors.push(malformed);
                    text.push(char::REPLACEMENT_CHARACTER);
                }
            }
        }
        assert!(source.is_empty());
    }
    (text, errors)
}

/// The same as [`decode_to_utf8_with`], into UTF-16.
fn decode_to_utf16_with(mode: DecodeErrorMode, encoding: Subject, chunks: &[&[u8]], capacity: usize) -> Decoded {
    let mut decoder: Decoder = Decoder::new(encoding);
    let (mut text, mut errors) = (Vec::new(), Vec::new());
    let mut destination = std::vec![0; capacity];
    for (at, mut source) in chunks.iter().copied().enumerate() {
        loop {
            let before = decoder.position();
            let result = decoder.decode_to_utf16(source, &mut destination, at + 1 == chunks.len(), mode);
            let is_malformed = matches!(result.status, DecodeStatus::Malformed(_));
            assert!(
                mode == DecodeErrorMode::Replacement || result.had_errors == is_malformed,
                "{encoding}: {result:?}"
            );
            text.extend_from_slice(&destination[..result.written]);
            source = &source[result.read..];
            match result.status {
                DecodeStatus::InputEmpty => break,
                DecodeStatus::OutputFull => assert!(result.written > 0 || decoder.position() > before, "no progress"),
                DecodeStatus::Malformed(malformed) => {
                    errors.push(malformed);
                    text.push(0xFFFD);
                }
            }
        }
        assert!(source.is_empty());
    }
    (String::from_utf16(&text).expect("the text is UTF-16"), errors)
}

/// Decodes in the error mode replacement into four bytes at a time.
fn replace(encoding: Subject, chunks: &[&[u8]]) -> (String, bool) {
    let mut decoder: Decoder = Decoder::new(encoding);
    let (mut text, mut had_errors) = (String::new(), false);
    for (at, mut source) in chunks.iter().copied().enumerate() {
        loop {
            let mut destination = [0; 4];
            let last = at + 1 == chunks.len();
            let result = decoder.decode_to_utf8(source, &mut destination, last, DecodeErrorMode::Replacement);
            text.push_str(core::str::from_utf8(&destination[..result.written]).expect("the text is UTF-8"));
            had_errors |= result.had_errors;
            source = &source[result.read..];
            if result.status == DecodeStatus::InputEmpty {
                break;
            }
        }
    }
    (text, had_errors)
}

/// Decodes in the error mode replacement into a `String` and into a vector of code units, which have little capacity.
fn append(encoding: Subject, source: &[u8]) -> [(String, bool); 2] {
    let (mut text, mut units) = (String::new(), Vec::new());
    let utf8 = Decoder::new(encoding).decode_to_string(source, &mut text, true, DecodeErrorMode::Replacement);
    let utf16 = Decoder::new(encoding).decode_to_utf16_vec(source, &mut units, true, DecodeErrorMode::Replacement);
    for (result, written) in [(utf8, text.len()), (utf16, units.len())] {
        let counts = (result.status, result.read, result.written);
        assert_eq!(counts, (DecodeStatus::InputEmpty, source.len(), written), "{encoding}: {source:02X?}");
    }
    [(text, utf8.had_errors), (String::from_utf16(&units).expect("the text is UTF-16"), utf16.had_errors)]
}

/// Encodes in the error mode html. An unmappable character without a reference in the encoding has no bytes.
fn process_encode(encoding: Subject, source: &str) -> Vec<u8> {
    let (mut input, mut output) = (IoQueue::from_iter(source.chars()), IoQueue::new());
    let mut encoder = EncoderInstance::new(encoding).expect("the encoding has an encoder");
    while encoder.process_queue(&mut input, &mut output, EncodeErrorMode::Html) != ItemResult::Finished {}
    output.read_all()
}

/// Fails unless `source` is encoded to the same bytes and errors in every way.
///
/// # Panics
/// If bytes or an error differ.
pub fn check_encoder(encoding: impl Into<Subject>, source: &str) {
    let expected = Encoded::new(encoding.into(), source);
    for at in (0..=source.len()).filter(|&at| source.is_char_boundary(at)) {
        expected.check_max_lengths(source.split_at(at), Encoder::max_length_from_str);
        for capacity in [1, 2, 3, 4, 7] {
            expected.check_str(at, capacity);
        }
    }
    for at in 0..=expected.units.len() {
        expected.check_max_lengths(expected.units.split_at(at), Encoder::max_length_from_utf16);
        for capacity in [1, 2, 3, 4, 7] {
            expected.check_utf16(at, capacity);
        }
    }
}

/// Fails unless `source`, cut at one place, is encoded into destinations of `capacity` bytes to the same bytes and
/// errors as by the handler. The place is `at`, or less where `at` is within a character or after the end. Where
/// [`check_encoder`] takes seconds, for a long source, this takes microseconds.
///
/// # Panics
/// If bytes or an error differ.
pub fn check_encoder_at(encoding: impl Into<Subject>, source: &str, at: usize, capacity: usize) {
    let expected = Encoded::new(encoding.into(), source);
    let at_unit = at.min(expected.units.len());
    expected.check_max_lengths(expected.units.split_at(at_unit), Encoder::max_length_from_utf16);
    expected.check_utf16(at_unit, capacity);
    let at_byte = (0..=at.min(source.len())).rev().find(|&at| source.is_char_boundary(at)).unwrap_or(0);
    expected.check_max_lengths(source.split_at(at_byte), Encoder::max_length_from_str);
    expected.check_str(at_byte, capacity);
}

/// A source of an encoder, with its bytes in the error mode html, and its bytes and errors in the error mode fatal.
struct Encoded<'a> {
    encoding: Subject,
    source: &'a str,
    units: Vec<u16>,
    html: Vec<u8>,
    fatal: (Vec<u8>, Vec<Unmappable>),
}

impl<'a> Encoded<'a> {
    /// The bytes of the handler, which an encoder gives, too, for the whole source at once.
    fn new(encoding: Subject, source: &'a str) -> Self {
        let html = process_encode(encoding, source);
        let units: Vec<u16> = source.encode_utf16().collect();
        let whole = encode(encoding, &[&units[..]], 10 * source.len() + 10, EncodeErrorMode::Html);
        assert_eq!(whole.0, html, "{encoding}: {source:?}");
        let fatal = encode(encoding, &[source], 10 * source.len() + 10, EncodeErrorMode::Fatal);
        check_vector(encoding, source, &html, !fatal.1.is_empty());
        Encoded { encoding, source, units, html, fatal }
    }

    /// Fails unless the source, cut after `at` bytes, gives these bytes and errors.
    fn check_str(&self, at: usize, capacity: usize) {
        let (encoding, capacity) = (self.encoding, capacity.max(least_capacity(self.encoding)));
        let chunks = [&self.source[..at], "", &self.source[at..]];
        let html = encode(encoding, &chunks, capacity, EncodeErrorMode::Html);
        assert_eq!(html.0, self.html, "{encoding}: {chunks:?} into {capacity} bytes");
        let fatal = encode(encoding, &chunks, capacity, EncodeErrorMode::Fatal);
        assert_eq!(fatal, self.fatal, "{encoding}: {chunks:?} into {capacity} bytes");
    }

    /// Fails unless the source in UTF-16, cut after `at` units, gives these bytes.
    fn check_utf16(&self, at: usize, capacity: usize) {
        let (encoding, capacity) = (self.encoding, capacity.max(least_capacity(self.encoding)));
        let chunks = [&self.units[..at], &[], &self.units[at..]];
        let html = encode(encoding, &chunks, capacity, EncodeErrorMode::Html);
        assert_eq!(html.0, self.html, "{encoding}: {chunks:04X?} into {capacity} bytes");
    }

    /// Fails if a destination of the greatest length is too short for one of two parts.
    fn check_max_lengths<S: Source + core::fmt::Debug>(
        &self,
        parts: (S, S),
        max_length: fn(&Encoder, usize, EncodeErrorMode) -> Option<usize>,
    ) {
        for mode in [EncodeErrorMode::Html, EncodeErrorMode::Fatal] {
            check_max_length(self.encoding, parts, mode, max_length);
        }
    }
}

/// Fails unless an encoder appends `expected` to a vector in the error mode html, and says whether it `had_errors`.
fn check_vector(encoding: Subject, source: &str, expected: &[u8], had_errors: bool) {
    let mut encoder = Encoder::new(encoding).expect("the encoding has an encoder");
    let (mut rest, mut bytes, mut found) = (source, Vec::new(), false);
    loop {
        let before = bytes.len();
        let result = encoder.encode_str_to_vec(rest, &mut bytes, true, EncodeErrorMode::Html);
        assert_eq!(result.written, bytes.len() - before, "{encoding}: {source:?}");
        (rest, found) = (&rest[result.read..], found | result.had_errors);
        // Without the characters of a reference, an encoder stops at each unmappable character.
        if result.status == EncodeStatus::InputEmpty {
            break;
        }
    }
    assert_eq!((rest, &bytes[..], found), ("", expected, had_errors), "{encoding}: {source:?}");
}

/// Fails unless `source` as a whole is encoded to the same bytes from UTF-8 and UTF-16 into destinations of `capacity`
/// bytes.
fn check_encoding(encoding: Subject, source: &str, capacity: usize) {
    let bytes = process_encode(encoding, source);
    let units: Vec<u16> = source.encode_utf16().collect();
    assert_eq!(
        encode(encoding, &[source], capacity, EncodeErrorMode::Html).0,
        bytes,
        "{encoding}: {source:?} into {capacity}"
    );
    assert_eq!(
        encode(encoding, &[&units[..]], capacity, EncodeErrorMode::Html).0,
        bytes,
        "{encoding}: {source:?} into {capacity}"
    );
}

/// Fails if a destination of the greatest length is too short for one of two parts of a stream.
fn check_max_length<S: Source + core::fmt::Debug>(
    encoding: Subject,
    parts: (S, S),
    mode: EncodeErrorMode,
    max_length: fn(&Encoder, usize, EncodeErrorMode) -> Option<usize>,
) {
    let mut encoder = Encoder::new(encoding).expect("the encoding has an encoder");
    for (mut source, last) in [(parts.0, false), (parts.1, true)] {
        loop {
            let capacity = max_length(&encoder, source.length(), mode).expect("no overflow");
            let result = source.run(&mut encoder, &mut std::vec![0; capacity], last, mode);
            assert_ne!(result.status, EncodeStatus::OutputFull, "{encoding}: {parts:?} needs more than {capacity}");
            source = source.after(result.read);
            if result.status == EncodeStatus::InputEmpty {
                break;
            }
        }
    }
}

/// The least number of bytes of a destination with which an encoder always makes progress.
fn least_capacity(encoding: Subject) -> usize {
    encoding.least_capacity
}

/// A source of an encoder, in UTF-8 or UTF-16.
trait Source: Copy {
    fn run(
        self,
        encoder: &mut Encoder,
        destination: &mut [u8],
        last: bool,
        mode: EncodeErrorMode,
    ) -> crate::EncodeResult;
    fn after(self, read: usize) -> Self;
    fn length(self) -> usize;
}

impl Source for &str {
    fn run(
        self,
        encoder: &mut Encoder,
        destination: &mut [u8],
        last: bool,
        mode: EncodeErrorMode,
    ) -> crate::EncodeResult {
        encoder.encode_str(self, destination, last, mode)
    }

    fn after(self, read: usize) -> Self {
        &self[read..]
    }

    fn length(self) -> usize {
        self.len()
    }
}

impl Source for &[u16] {
    fn run(
        self,
        encoder: &mut Encoder,
        destination: &mut [u8],
        last: bool,
        mode: EncodeErrorMode,
    ) -> crate::EncodeResult {
        encoder.encode_utf16(self, destination, last, mode)
    }

    fn after(self, read: usize) -> Self {
        &self[read..]
    }

    fn length(self) -> usize {
        self.len()
    }
}

/// Encodes into destinations of `capacity` bytes, and continues after every error.
fn encode<S: Source>(
    encoding: Subject,
    chunks: &[S],
    capacity: usize,
    mode: EncodeErrorMode,
) -> (Vec<u8>, Vec<Unmappable>) {
    let mut encoder = Encoder::new(encoding).expect("the encoding has an encoder");
    let (mut bytes, mut errors) = (Vec::new(), Vec::new());
    let mut destination = std::vec![0; capacity];
    for (at, &chunk) in chunks.iter().enumerate() {
        let mut source = chunk;
        loop {
            let result = source.run(&mut encoder, &mut destination, at + 1 == chunks.len(), mode);
            let is_unmappable = matches!(result.status, EncodeStatus::Unmappable(_));
            assert!(mode == EncodeErrorMode::Html || result.had_errors == is_unmappable, "{encoding}: {result:?}");
            bytes.extend_from_slice(&destination[..result.written]);
            source = source.after(result.read);
            match result.status {
                EncodeStatus::InputEmpty => break,
                EncodeStatus::OutputFull => assert!(result.written > 0 || result.read > 0, "no progress"),
                EncodeStatus::Unmappable(unmappable) => errors.push(unmappable),
            }
        }
    }
    (bytes, errors)
}

/// Fails unless `convert` encodes all of `text` and decodes all of its bytes. Without this test, a `convert` that
/// leaves everything to the handler would pass. For encodings without shift states.
///
/// # Panics
/// If `convert` leaves a part of the text or of the bytes.
pub fn takes_everything(encoding: impl Into<Subject>, text: &str) {
    let encoding = encoding.into();
    let units: Vec<u16> = text.encode_utf16().collect();
    let half = encoding.encoder().expect("the encoding has an encoder");
    let mut bytes = std::vec![0; 4 * units.len()];
    let (read, written) = (half.functions().convert)(half, &mut 0, &units, &mut bytes);
    assert_eq!(read, units.len(), "{encoding} leaves {:04X?}", units.get(read));
    let mut again = std::vec![0; units.len()];
    let decoded =
        (encoding.decoder().convert)(encoding.codec, &mut 0, &bytes[..written], &mut again, DecodeErrorMode::Fatal);
    assert_eq!(decoded, (written, units.len()), "{encoding} leaves {:02X?}", &bytes[decoded.0..written]);
    assert_eq!(again, units, "{encoding}");
}

/// Pseudo-random numbers that are the same in every run: [xorshift64*](https://arxiv.org/abs/1402.6246).
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % limit as u64) as usize
    }
}
