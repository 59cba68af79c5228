use std::{
    cell::Cell,
    io::{self, Write},
};

use textcodec::{
    DecodeErrorMode, Decoded, EncodeErrorMode, Encoded, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE, Unmappable,
    WINDOWS_1252,
    io::{DecodingWriter, Encode, EncodingWriter, Replacing, Writer},
    utf16::{self, Utf16Writer},
};

use crate::io::{
    reluctant::{Call, MOODS, Reluctant},
    samples::{
        Event, byte_samples, decode_fatally, encode_with_events, is_passing, is_utf_8, long_text, nearly_utf_8_samples,
        push_error, push_output, texts,
    },
};

const SIZES: [usize; 5] = [1, 2, 7, 4096, 100_000];

/// The common methods of both writers.
trait Finish: Write {
    fn try_finish(&mut self) -> io::Result<()>;
    /// The bytes that have arrived at the inner writer.
    fn written(&mut self) -> &mut Vec<u8>;
}

impl Finish for DecodingWriter<Reluctant<Vec<u8>>> {
    fn try_finish(&mut self) -> io::Result<()> {
        DecodingWriter::try_finish(self)
    }

    fn written(&mut self) -> &mut Vec<u8> {
        &mut self.get_mut().inner
    }
}

impl Finish for EncodingWriter<Reluctant<Vec<u8>>> {
    fn try_finish(&mut self) -> io::Result<()> {
        EncodingWriter::try_finish(self)
    }

    fn written(&mut self) -> &mut Vec<u8> {
        &mut self.get_mut().inner
    }
}

impl<F: FnMut(Unmappable) -> T, T: AsRef<str>> Finish for Writer<Reluctant<Vec<u8>>, Encode<Replacing<F>>> {
    fn try_finish(&mut self) -> io::Result<()> {
        Writer::try_finish(self)
    }

    fn written(&mut self) -> &mut Vec<u8> {
        &mut self.get_mut().inner
    }
}

/// Writes `bytes` in pieces of `size` and finishes, and repeats each call after an error. `flush` says whether to flush
/// after each write.
fn write_all(mut writer: impl Finish, mut bytes: &[u8], size: usize, flush: bool) -> Vec<Event> {
    let mut events = Vec::new();
    while !bytes.is_empty() {
        let piece = &bytes[..size.min(bytes.len())];
        match writer.write(piece) {
            Ok(count) => {
                assert!((1..=piece.len()).contains(&count));
                bytes = &bytes[count..];
                if flush {
                    until_done(&mut writer, &mut events, Write::flush);
                }
            }
            Err(error) => push_failure(&mut writer, &mut events, error),
        }
    }
    until_done(&mut writer, &mut events, Finish::try_finish);
    push_output(&mut events, writer.written());
    events
}

fn until_done<W: Finish>(writer: &mut W, events: &mut Vec<Event>, call: fn(&mut W) -> io::Result<()>) {
    while let Err(error) = call(writer) {
        push_failure(writer, events, error);
    }
}

fn push_failure(writer: &mut impl Finish, events: &mut Vec<Event>, error: io::Error) {
    if !is_passing(&error) {
        // All bytes before an error have arrived.
        push_output(events, &std::mem::take(writer.written()));
        push_error(events, error);
    }
}

/// Asserts the result of [`write_all`] for every mood of the inner writer.
fn assert_writes<W: Finish>(bytes: &[u8], expected: &[Event], make: impl Fn(Reluctant<Vec<u8>>) -> W) {
    for mood in MOODS {
        for size in SIZES {
            for flush in [false, true] {
                let writer = make(Reluctant::new(Vec::new(), mood));
                assert!(write_all(writer, bytes, size, flush) == expected, "{mood:?}, by {size}, flush: {flush}");
            }
        }
    }
}

fn output(bytes: &[u8]) -> Vec<Event> {
    let mut events = Vec::new();
    push_output(&mut events, bytes);
    events
}

#[test]
fn a_decoding_writer_writes_what_decode_returns() {
    for (encoding, bytes) in byte_samples() {
        let Decoded { text, encoding: encoding_used, had_errors, .. } = encoding.decode(&bytes);
        assert_writes(&bytes, &output(text.as_bytes()), |inner| DecodingWriter::new(inner, encoding));

        let mut writer = DecodingWriter::new(Vec::new(), encoding);
        writer.write_all(&bytes).unwrap();
        writer.try_finish().unwrap();
        assert_eq!((writer.encoding(), writer.had_errors()), (encoding_used, had_errors));
        assert_eq!(writer.position(), bytes.len() as u64);
        assert!(writer.finish().unwrap() == text.as_bytes());
    }
}

#[test]
fn a_fatal_decoding_writer_reports_each_error_once_and_goes_on() {
    for (encoding, bytes) in byte_samples() {
        let events = decode_fatally(encoding.new_decoder(), &bytes);
        assert_writes(&bytes, &events, |inner| {
            DecodingWriter::with_decoder(inner, encoding.new_decoder(), DecodeErrorMode::Fatal)
        });
    }
}

/// A writer in the error mode html, as [`Encoding::encode`] uses it.
fn html<W>(inner: W, encoding: Encoding) -> EncodingWriter<W> {
    EncodingWriter::with_encoder(inner, encoding.new_encoder(), EncodeErrorMode::Html)
}

#[test]
fn an_unmappable_character_is_an_error_unless_the_caller_says_otherwise() {
    for encoding in [SHIFT_JIS, ISO_2022_JP, WINDOWS_1252] {
        let mut writer = EncodingWriter::new(Vec::new(), encoding);
        writer.write_str("price: ").unwrap();
        let error = writer.write_str("5 ☃\n").unwrap_err();
        let unmappable = textcodec::io::unmappable(&error).unwrap();
        assert_eq!((unmappable.offset, unmappable.code_point), (9, '☃'));
        writer.write_str("!").unwrap();
        assert_eq!(writer.finish().unwrap(), b"price: 5 !");
    }
}

#[test]
fn a_replacing_writer_writes_what_an_encoder_appends() {
    for encoding in [UTF_8, SHIFT_JIS, ISO_2022_JP, WINDOWS_1252] {
        for text in texts() {
            // Texts of several lengths, one of which changes the state of ISO-2022-JP.
            let replacement = |unmappable: Unmappable| {
                ["", "?", "¥", "U+2603 at a place", "〓"]
                    [unmappable.offset as usize % if encoding == WINDOWS_1252 { 4 } else { 5 }]
            };
            let (mut expected, mut offsets) = (Vec::new(), Vec::new());
            let mut encoder = encoding.new_encoder();
            let had_errors = encoder
                .encode_str_to_vec_with(&text, &mut expected, true, |unmappable| {
                    offsets.push(unmappable);
                    replacement(unmappable)
                })
                .unwrap();
            assert_writes(text.as_bytes(), &output(&expected), |inner| {
                EncodingWriter::replacing(inner, encoding.new_encoder(), replacement)
            });
            let mut called = Vec::new();
            let mut writer = EncodingWriter::replacing(Vec::new(), encoding.new_encoder(), |unmappable| {
                called.push(unmappable);
                replacement(unmappable)
            });
            for line in text.split_inclusive('e') {
                writer.write_str(line).unwrap();
            }
            assert_eq!((writer.encoding(), writer.had_errors()), (encoding, had_errors));
            assert_eq!(writer.position(), text.len() as u64);
            assert!(writer.finish().unwrap() == expected);
            assert_eq!(called, offsets);
        }
    }
}

/// A decoder takes two escape sequences without a character between them for malformed.
#[test]
fn characters_around_a_replacement_share_an_escape_sequence_of_iso_2022_jp() {
    for (text, replacement, expected) in [
        ("あ☃い", "", &b"\x1B$B$\"$$\x1B(B"[..]),
        ("あ☃い", "〓", b"\x1B$B$\"\".$$\x1B(B"),
        ("あ☃い", "?", b"\x1B$B$\"\x1B(B?\x1B$B$$\x1B(B"),
        ("あ☃\u{1B}☃¥", "", b"\x1B$B$\"\x1B(J\\\x1B(B"),
        ("あ☃", "", b"\x1B$B$\"\x1B(B"),
    ] {
        let mut bytes = Vec::new();
        ISO_2022_JP.new_encoder().encode_str_to_vec_with(text, &mut bytes, true, |_| replacement).unwrap();
        assert_eq!(bytes, expected, "{text} {replacement}");
        assert_writes(text.as_bytes(), &output(expected), |inner| {
            EncodingWriter::replacing(inner, ISO_2022_JP.new_encoder(), |_| replacement)
        });
        // A stream that is cut before and after the replacement.
        let (mut bytes, mut encoder) = (Vec::new(), ISO_2022_JP.new_encoder());
        for (start, character) in text.char_indices() {
            let piece = &text[start..start + character.len_utf8()];
            encoder.encode_str_to_vec_with(piece, &mut bytes, false, |_| replacement).unwrap();
        }
        encoder.encode_str_to_vec_with("", &mut bytes, true, |_| replacement).unwrap();
        assert_eq!(bytes, expected, "{text} {replacement}, in pieces");
    }
}

#[test]
fn a_replacement_that_cannot_be_encoded_is_an_error() {
    let mut writer = EncodingWriter::replacing(Vec::new(), ISO_2022_JP.new_encoder(), |unmappable| {
        if unmappable.code_point == '☃' { "亜→é" } else { "-" }
    });
    let error = writer.write_str("ab☃").and_then(|()| writer.flush()).unwrap_err();
    let unmappable = textcodec::io::unmappable(&error).unwrap();
    assert_eq!((unmappable.offset, unmappable.code_point), (2, 'é'));
    // The text before the error is written, and offsets do not count it.
    writer.write_str("–").unwrap();
    assert_eq!(writer.finish().unwrap(), b"ab\x1B$B\x30\x21\x22\x2A\x1B(B-");
}

#[test]
fn offsets_for_a_replacement_count_bytes_that_were_not_utf_8() {
    let mut offsets = Vec::new();
    let mut writer = EncodingWriter::replacing(Vec::new(), SHIFT_JIS.new_encoder(), |unmappable| {
        offsets.push(unmappable.offset);
        "long replacement"
    });
    writer.write_str("a☃").unwrap();
    writer.write_all(b"\xFF").and_then(|()| writer.flush()).unwrap_err();
    writer.write_str("b☃").unwrap();
    assert_eq!(writer.finish().unwrap(), b"along replacementblong replacement");
    assert_eq!(offsets, [1, 6]);
}

#[test]
fn an_encoding_writer_writes_what_encode_returns() {
    for encoding in [UTF_8, SHIFT_JIS, ISO_2022_JP, UTF_16LE] {
        for text in texts() {
            let Encoded { bytes, encoding: encoding_used, had_errors, .. } = encoding.encode(&text);
            assert_writes(text.as_bytes(), &output(&bytes), |inner| html(inner, encoding));

            let mut writer = html(Vec::new(), encoding);
            for line in text.split_inclusive('\n') {
                writer.write_str(line).unwrap();
            }
            assert_eq!((writer.encoding(), writer.had_errors()), (encoding_used, had_errors));
            assert_eq!(writer.position(), text.len() as u64);
            assert!(writer.finish().unwrap() == *bytes);
        }
    }
}

#[test]
fn an_encoding_writer_reports_each_error_once_and_goes_on() {
    for encoding in [UTF_8, SHIFT_JIS, ISO_2022_JP] {
        for bytes in nearly_utf_8_samples() {
            for mode in [EncodeErrorMode::Html, EncodeErrorMode::Fatal] {
                let events = encode_with_events(encoding, &bytes, mode);
                let make = |inner| EncodingWriter::with_encoder(inner, encoding.new_encoder(), mode);
                assert_writes(&bytes, &events, make);
                if let (Some(text), EncodeErrorMode::Html) = (is_utf_8(&bytes), mode) {
                    assert_eq!(events, output(&encoding.encode(text).bytes));
                }
            }
        }
    }
}

#[test]
fn write_all_reports_an_error_in_its_own_bytes() {
    let mut writer = DecodingWriter::with_decoder(Vec::new(), UTF_8.new_decoder(), DecodeErrorMode::Fatal);
    let error = writer.write_all(b"abc\xFFdef").unwrap_err();
    assert_eq!(error.to_string(), "malformed bytes FF at offset 3");
    assert_eq!(writer.get_ref(), b"abc");
    assert_eq!(writer.position(), 4);

    let mut writer = EncodingWriter::new(Vec::new(), SHIFT_JIS);
    let error = writer.write_all("テ".as_bytes().strip_suffix(b"\x86").unwrap()).and(writer.write_all(b"a"));
    assert_eq!(error.unwrap_err().to_string(), "malformed bytes E3 83 at offset 0");
}

#[test]
fn an_error_in_the_last_bytes_is_reported_by_flush_or_finish() {
    let write = |bytes: &[u8]| {
        let mut writer = DecodingWriter::with_decoder(Vec::new(), SHIFT_JIS.new_decoder(), DecodeErrorMode::Fatal);
        writer.write_all(bytes).unwrap();
        writer
    };
    assert_eq!(write(b"a\xFF").flush().unwrap_err().to_string(), "malformed bytes FF at offset 1");
    assert_eq!(write(b"a\xFF").finish().unwrap_err().to_string(), "malformed bytes FF at offset 1");
    write(b"a\x83").flush().unwrap();
    assert_eq!(write(b"a\x83").finish().unwrap_err().to_string(), "malformed bytes 83 at offset 1");

    let mut writer = EncodingWriter::new(Vec::new(), SHIFT_JIS);
    writer.write_all(b"a\xE3\x83").unwrap();
    writer.flush().unwrap();
    assert_eq!(writer.get_ref(), b"a");
    assert_eq!(writer.try_finish().unwrap_err().to_string(), "malformed bytes E3 83 at offset 1");
    assert_eq!(writer.finish().unwrap(), b"a");
}

#[test]
fn flush_writes_all_output_except_the_end_of_the_text() {
    let mut writer = EncodingWriter::new(Vec::new(), ISO_2022_JP);
    writer.write_str("テ").unwrap();
    writer.flush().unwrap();
    assert_eq!(writer.get_ref(), b"\x1B$B%F");
    assert_eq!(writer.finish().unwrap(), b"\x1B$B%F\x1B(B");
}

#[test]
fn flush_writes_the_rest_of_a_character_reference() {
    // The buffer of the writer is full at every place inside the reference.
    for length in 8180..8195 {
        let text = "a".repeat(length) + "☃";
        let mut writer = html(Vec::new(), SHIFT_JIS);
        writer.write_str(&text).unwrap();
        writer.flush().unwrap();
        assert!(*writer.get_ref() == *SHIFT_JIS.encode(&text).bytes);
    }
}

#[test]
fn an_interrupted_inner_writer_is_written_to_again() {
    let text = long_text();
    let mut writer = html(Reluctant::new(Vec::new(), MOODS[2]), SHIFT_JIS);
    writer.write_str(&text).unwrap();
    assert!(writer.finish().unwrap().inner == *SHIFT_JIS.encode(&text).bytes);
}

#[test]
fn flush_also_flushes_the_inner_writer() {
    /// Counts how often it is flushed.
    struct Flushed<'a>(&'a Cell<usize>);
    impl Write for Flushed<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            self.0.set(self.0.get() + 1);
            Ok(())
        }
    }
    let count = Cell::new(0);
    let writers: [Box<dyn Write + '_>; 3] = [
        Box::new(DecodingWriter::new(Flushed(&count), SHIFT_JIS)),
        Box::new(EncodingWriter::new(Flushed(&count), SHIFT_JIS)),
        Box::new(Utf16Writer::le(Flushed(&count))),
    ];
    for (number, mut writer) in writers.into_iter().enumerate() {
        writer.write_all(b"a").unwrap();
        writer.flush().unwrap();
        writer.flush().unwrap();
        assert_eq!(count.take(), 2, "writer {number}");
    }
}

#[test]
fn utf_16_begins_with_one_byte_order_mark_however_the_text_is_cut() {
    for text in ["", "é", "💩a"] {
        let units: Vec<u16> = "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).collect();
        for length in 1..=4 {
            let written = |mut writer: Utf16Writer<Vec<u8>>| {
                text.as_bytes().chunks(length).for_each(|piece| writer.write_all(piece).unwrap());
                writer.finish().unwrap()
            };
            let le: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let be: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            assert_eq!(written(Utf16Writer::le_with_bom(Vec::new())), le);
            assert_eq!(written(Utf16Writer::be_with_bom(Vec::new())), be);
            assert_eq!(written(Utf16Writer::le(Vec::new())), le[2..]);
            assert_eq!(written(Utf16Writer::be(Vec::new())), be[2..]);
        }
    }
}

#[test]
fn nothing_can_be_written_after_the_end() {
    let mut writer = EncodingWriter::new(Vec::new(), ISO_2022_JP);
    writer.try_finish().unwrap();
    let error = writer.write_str("a").unwrap_err();
    assert_eq!((error.kind(), error.to_string()), (io::ErrorKind::BrokenPipe, "the text is finished".into()));
    writer.flush().unwrap();
    writer.try_finish().unwrap();
    assert_eq!(writer.finish().unwrap(), b"");
}

#[test]
fn an_inner_writer_that_takes_no_bytes_is_an_error() {
    let mut writer = EncodingWriter::new(Reluctant::new(Vec::new(), &[Call::Of(0)]), UTF_8);
    writer.write_str("a").unwrap();
    assert_eq!(writer.flush().unwrap_err().kind(), io::ErrorKind::WriteZero);
    assert_eq!(writer.finish().unwrap_err().kind(), io::ErrorKind::WriteZero);
}

#[test]
fn an_error_of_the_inner_writer_takes_no_bytes() {
    let text = long_text();
    let mut writer = html(Reluctant::new(Vec::new(), &[Call::Fails]), SHIFT_JIS);
    let mut taken = 0;
    let error = loop {
        match writer.write(&text.as_bytes()[taken..]) {
            Ok(count) => taken += count,
            Err(error) => break error,
        }
    };
    assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    assert_eq!(writer.position(), taken as u64);
}

#[test]
fn dropping_an_unfinished_writer_is_quiet() {
    struct Panics;
    impl Write for Panics {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            panic!("written to")
        }

        fn flush(&mut self) -> io::Result<()> {
            panic!("flushed")
        }
    }
    let mut writer = DecodingWriter::new(Panics, SHIFT_JIS);
    writer.write_all(b"a\x83").unwrap();
    drop(writer);
    let mut writer = EncodingWriter::new(Panics, ISO_2022_JP);
    writer.write_str("テ").unwrap();
    drop(writer);
}

#[test]
fn a_text_can_be_copied_through_a_writer() {
    let text = long_text();
    let bytes = SHIFT_JIS.encode(&text).bytes;
    let mut writer = DecodingWriter::new(html(Vec::new(), ISO_2022_JP), SHIFT_JIS);
    assert_eq!(io::copy(&mut &*bytes, &mut writer).unwrap(), bytes.len() as u64);
    let copied = writer.finish().unwrap().finish().unwrap();
    assert!(copied == *ISO_2022_JP.encode(&SHIFT_JIS.decode(&bytes).text).bytes);
}

#[test]
fn pieces_of_any_size_have_the_result_of_the_whole() {
    fn property(bytes: Vec<u8>, sizes: Vec<u8>, encoding: usize, fatal: bool) -> bool {
        let encoding = [UTF_8, SHIFT_JIS, ISO_2022_JP, UTF_16LE][encoding % 4];
        let mode = if fatal { DecodeErrorMode::Fatal } else { DecodeErrorMode::Replacement };
        let mut writer =
            DecodingWriter::with_decoder(Reluctant::new(Vec::new(), MOODS[0]), encoding.new_decoder(), mode);
        let (mut events, mut rest, mut sizes) = (Vec::new(), &*bytes, sizes.into_iter().cycle());
        while !rest.is_empty() {
            let size = usize::from(sizes.next().unwrap_or(3)).clamp(1, rest.len());
            match writer.write(&rest[..size]) {
                Ok(count) => rest = &rest[count..],
                Err(error) => {
                    push_output(&mut events, &std::mem::take(writer.written()));
                    push_error(&mut events, error);
                }
            }
        }
        while let Err(error) = writer.try_finish() {
            push_output(&mut events, &std::mem::take(writer.written()));
            push_error(&mut events, error);
        }
        push_output(&mut events, writer.written());
        let whole = encoding.decode(&bytes).text.into_owned().into_bytes();
        events == if fatal { decode_fatally(encoding.new_decoder(), &bytes) } else { output(&whole) }
    }
    quickcheck::quickcheck(property as fn(Vec<u8>, Vec<u8>, usize, bool) -> bool);
}

#[test]
fn utf_16_is_written_however_the_text_is_cut() {
    let text = "aé€💩\u{FEFF}".repeat(3000);
    type Make = fn(Vec<u8>) -> Utf16Writer<Vec<u8>>;
    type Encode = fn(&str) -> Vec<u8>;
    let makes: [(Make, Encode); 4] = [
        (Utf16Writer::be, utf16::encode_be),
        (Utf16Writer::be_with_bom, utf16::encode_be_with_bom),
        (Utf16Writer::le, utf16::encode_le),
        (Utf16Writer::le_with_bom, utf16::encode_le_with_bom),
    ];
    for (make, encode) in makes {
        for size in [1, 2, 3, 7, 8191, 1 << 20] {
            let mut writer = make(Vec::new());
            for (at, piece) in text.as_bytes().chunks(size).enumerate() {
                writer.write_all(piece).unwrap();
                if at % 100 == 1 {
                    writer.flush().unwrap();
                }
            }
            assert_eq!(writer.position(), text.len() as u64);
            assert!(writer.finish().unwrap() == encode(&text), "{size}");
        }
        assert_eq!(make(Vec::new()).finish().unwrap(), encode(""));

        let mut writer = make(Vec::new());
        writer.write_all(b"a\xF0\x9F").unwrap();
        let error = writer.write_all(b"b").unwrap_err();
        assert_eq!(error.to_string(), "malformed bytes F0 9F at offset 1");
        writer.write_all(b"b\xC3").unwrap();
        assert_eq!(writer.try_finish().unwrap_err().to_string(), "malformed bytes C3 at offset 4");
        assert_eq!(writer.finish().unwrap(), encode("ab"));
    }
}

/// A caller can give a coder that has converted the start of the stream.
#[test]
fn offsets_and_positions_count_what_a_coder_has_converted_before() {
    let mut encoder = SHIFT_JIS.new_encoder();
    let _ = encoder.encode_str_to_vec("テa", &mut Vec::new(), false, EncodeErrorMode::Fatal);
    let mut decoder = SHIFT_JIS.new_decoder();
    let _ = decoder.decode_to_string(b"\x83\x65ab", &mut String::new(), false, DecodeErrorMode::Fatal);

    let mut offsets = Vec::new();
    let mut replacing = EncodingWriter::replacing(Vec::new(), encoder, |unmappable| {
        offsets.push(unmappable.offset);
        "?"
    });
    replacing.write_str("b☃").unwrap();
    assert_eq!((replacing.position(), replacing.finish().unwrap()), (8, b"b?".to_vec()));
    assert_eq!(offsets, [5]);

    let mut writer = EncodingWriter::with_encoder(Vec::new(), encoder, EncodeErrorMode::Fatal);
    let error = writer.write_str("b☃").and_then(|()| writer.flush()).unwrap_err();
    assert_eq!((textcodec::io::unmappable(&error).unwrap().offset, writer.position()), (5, 8));
    let error = writer.write_all(b"c\xFF").and_then(|()| writer.flush()).unwrap_err();
    assert_eq!((textcodec::io::malformed(&error).unwrap().offset, writer.position()), (9, 10));
    let error = writer.write_str("☃").and_then(|()| writer.flush()).unwrap_err();
    assert_eq!((textcodec::io::unmappable(&error).unwrap().offset, writer.position()), (10, 13));

    let mut writer = DecodingWriter::with_decoder(Vec::new(), decoder, DecodeErrorMode::Fatal);
    let error = writer.write_all(b"c\xFF").and_then(|()| writer.flush()).unwrap_err();
    assert_eq!((textcodec::io::malformed(&error).unwrap().offset, writer.position()), (5, 6));
}

#[test]
fn bytes_that_are_not_utf_8_are_errors_that_a_writer_and_its_position_count() {
    let check = |bytes: &[u8], finish: fn(&[u8]) -> (u64, bool)| {
        assert_eq!(finish(bytes), (bytes.len() as u64, is_utf_8(bytes).is_none()), "{bytes:02X?}");
    };
    for bytes in [&b"a"[..], b"a\xFFb", b"\xE3\x83", b"\xF0\x9F\x92a", b"\xE3\x83\x86", b"\xFF\xFF"] {
        check(bytes, |bytes| converted(EncodingWriter::new(Vec::new(), SHIFT_JIS), bytes));
        check(bytes, |bytes| converted(html(Vec::new(), UTF_8), bytes));
        check(bytes, |bytes| converted(EncodingWriter::replacing(Vec::new(), SHIFT_JIS.new_encoder(), |_| "?"), bytes));
        check(bytes, |bytes| converted(Utf16Writer::be_with_bom(Vec::new()), bytes));
    }

    /// The position and whether there were errors, after all of `bytes`.
    fn converted<D: textcodec::io::Direction>(mut writer: Writer<Vec<u8>, D>, mut bytes: &[u8]) -> (u64, bool) {
        while !bytes.is_empty() {
            bytes = writer.write(bytes).map_or(bytes, |count| &bytes[count..]);
        }
        while writer.try_finish().is_err() {}
        (writer.position(), writer.had_errors())
    }
}
