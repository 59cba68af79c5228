use std::{
    fmt::Debug,
    io::{self, BufRead, Read},
};

use textcodec::{
    DecodeErrorMode, Decoded, EncodeErrorMode, Encoded, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE,
    io::{DecodingReader, EncodingReader},
};

use crate::io::{
    reluctant::{MOODS, Reluctant},
    samples::{
        Event, byte_samples, decode_fatally, encode_with_events, is_passing, is_utf_8, long_text, nearly_utf_8_samples,
        push_error, push_output, texts,
    },
};

pub(crate) const SIZES: [usize; 5] = [1, 2, 7, 4096, 20_000];

/// Reads to the end into buffers of `size` bytes, and reads again after each error.
pub(crate) fn read_all(mut reader: impl Read, size: usize) -> Vec<Event> {
    let (mut events, mut buffer) = (Vec::new(), vec![0; size]);
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return events,
            Ok(count) => push_output(&mut events, &buffer[..count]),
            Err(error) if is_passing(&error) => {}
            Err(error) => push_error(&mut events, error),
        }
    }
}

/// Asserts the result of [`read_all`] for every mood of the inner reader.
fn assert_reads<R: Read>(bytes: &[u8], expected: &[Event], make: impl Fn(Reluctant<io::Cursor<Vec<u8>>>) -> R) {
    for mood in MOODS {
        for size in SIZES {
            let reader = make(Reluctant::new(io::Cursor::new(bytes.to_vec()), mood));
            assert!(read_all(reader, size) == expected, "{mood:?}, buffer of {size}");
        }
    }
}

fn output(bytes: &[u8]) -> Vec<Event> {
    let mut events = Vec::new();
    push_output(&mut events, bytes);
    events
}

#[test]
fn a_decoding_reader_reads_what_decode_returns() {
    for (encoding, bytes) in byte_samples() {
        let Decoded { text, encoding: encoding_used, had_errors, .. } = encoding.decode(&bytes);
        assert_reads(&bytes, &output(text.as_bytes()), |inner| DecodingReader::new(inner, encoding));

        let mut reader = DecodingReader::new(&*bytes, encoding);
        let mut read = String::new();
        assert_eq!(reader.read_to_string(&mut read).unwrap(), text.len());
        assert!(read == text);
        assert_eq!((reader.encoding(), reader.had_errors()), (encoding_used, had_errors));
        assert_eq!(reader.position(), bytes.len() as u64);
    }
}

#[test]
fn the_decoder_determines_how_a_byte_order_mark_is_treated() {
    let bytes = b"\xEF\xBB\xBFa";
    let modes = DecodeErrorMode::Replacement;
    let read = |decoder| io::read_to_string(DecodingReader::with_decoder(&bytes[..], decoder, modes)).unwrap();
    assert_eq!(read(SHIFT_JIS.new_decoder()), "a");
    assert_eq!(read(UTF_8.new_decoder_with_bom_removal()), "a");
    assert_eq!(read(SHIFT_JIS.new_decoder_with_bom_removal()), SHIFT_JIS.decode_without_bom_handling(bytes).0);
    assert_eq!(read(UTF_8.new_decoder_without_bom_handling()), "\u{FEFF}a");
}

#[test]
fn a_fatal_decoding_reader_returns_the_text_then_the_error_and_goes_on() {
    for (encoding, bytes) in byte_samples() {
        let events = decode_fatally(encoding.new_decoder(), &bytes);
        assert_reads(&bytes, &events, |inner| {
            DecodingReader::with_decoder(inner, encoding.new_decoder(), DecodeErrorMode::Fatal)
        });
    }
}

#[test]
fn a_filled_buffer_ends_between_code_points() {
    for (encoding, bytes) in byte_samples() {
        for mood in MOODS {
            let mut reader = DecodingReader::new(Reluctant::new(&*bytes, mood), encoding);
            let mut text = String::new();
            loop {
                match reader.fill_buf() {
                    Ok([]) => break,
                    Ok(bytes) => text.push_str(std::str::from_utf8(bytes).unwrap()),
                    Err(error) => {
                        assert!(is_passing(&error));
                        continue;
                    }
                }
                let count = reader.fill_buf().unwrap().len();
                reader.consume(count);
            }
            assert!(text == encoding.decode(&bytes).text);
        }
    }
}

#[test]
fn lines_can_be_read() {
    let text = long_text();
    let bytes = SHIFT_JIS.encode(&text).bytes;
    let text = SHIFT_JIS.decode(&bytes).text;
    let lines = DecodingReader::new(&*bytes, SHIFT_JIS).lines().map(Result::unwrap);
    assert!(lines.eq(text.lines()));
}

#[test]
fn the_encoding_is_known_with_the_first_text() {
    let mut reader = DecodingReader::new(&b"\xFF\xFEa\0b\0"[..], SHIFT_JIS);
    assert_eq!(reader.encoding(), SHIFT_JIS);
    assert_eq!(reader.fill_buf().unwrap(), b"ab");
    assert_eq!(reader.encoding(), UTF_16LE);
    reader.consume(2);
    assert_eq!(reader.fill_buf().unwrap(), b"");
    assert_eq!((reader.encoding(), reader.position()), (UTF_16LE, 6));
}

#[test]
fn read_to_string_goes_on_after_an_interruption() {
    for (encoding, bytes) in byte_samples() {
        let mut text = String::from("before ");
        DecodingReader::new(Reluctant::new(&*bytes, MOODS[2]), encoding).read_to_string(&mut text).unwrap();
        assert!(text[7..] == encoding.decode(&bytes).text);
    }
}

#[test]
fn read_to_string_fails_inside_a_code_point() {
    let mut reader = DecodingReader::new("テキ".as_bytes(), UTF_8);
    reader.read_exact(&mut [0]).unwrap();
    let mut text = String::from("before");
    let error = reader.read_to_string(&mut text).unwrap_err();
    assert_eq!((error.kind(), &*text), (io::ErrorKind::InvalidData, "before"));
    reader.read_exact(&mut [0; 2]).unwrap();
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(text, "beforeキ");
}

#[test]
fn read_to_string_of_encoded_text_appends_what_is_utf_8_and_counts_it() {
    let mut text = String::from("é");
    let read = EncodingReader::new("aé".as_bytes(), UTF_8).read_to_string(&mut text).unwrap();
    assert_eq!((read, &*text), (3, "éaé"));
    let error = EncodingReader::new("テ".as_bytes(), SHIFT_JIS).read_to_string(&mut text).unwrap_err();
    assert_eq!((error.kind(), &*text), (io::ErrorKind::InvalidData, "éaé"));
}

#[test]
fn read_to_string_stops_at_an_error_after_the_text_before_it() {
    let mut reader = DecodingReader::with_decoder(&b"abc\xFFdef"[..], UTF_8.new_decoder(), DecodeErrorMode::Fatal);
    let mut text = String::new();
    let error = reader.read_to_string(&mut text).unwrap_err();
    assert_eq!(error.to_string(), "malformed bytes FF at offset 3");
    assert_eq!(text, "abc");
    assert!(reader.had_errors());
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(text, "abcdef");
}

#[test]
fn the_first_end_of_the_inner_reader_is_the_end() {
    /// A reader that ends after its first byte, and would return more bytes later.
    struct Ends(u8);
    impl Read for Ends {
        fn read(&mut self, destination: &mut [u8]) -> io::Result<usize> {
            self.0 += 1;
            destination[0] = 0x83;
            Ok(usize::from(self.0 == 1))
        }
    }
    let mut reader = DecodingReader::new(Ends(0), SHIFT_JIS);
    assert_eq!(read_all(&mut reader, 5), output("\u{FFFD}".as_bytes()));
    assert_eq!(read_all(&mut reader, 5), []);
    assert_eq!(reader.get_ref().0, 2);
}

#[test]
fn an_empty_buffer_reads_nothing() {
    let mut reader = DecodingReader::new(&b"a"[..], UTF_8);
    assert_eq!(reader.read(&mut []).unwrap(), 0);
    assert_eq!(reader.get_ref().len(), 1);
    reader.get_mut().consume(1);
    assert_eq!(reader.read(&mut [0]).unwrap(), 0);
    assert_eq!(reader.into_inner(), b"");
}

/// A reader in the error mode html, as [`Encoding::encode`] uses it.
fn html<R>(inner: R, encoding: Encoding) -> EncodingReader<R> {
    EncodingReader::with_encoder(inner, encoding.new_encoder(), EncodeErrorMode::Html)
}

#[test]
fn an_unmappable_character_is_an_error_unless_the_caller_says_otherwise() {
    let mut bytes = Vec::new();
    let error = EncodingReader::new("ab☃c".as_bytes(), SHIFT_JIS).read_to_end(&mut bytes).unwrap_err();
    assert_eq!(textcodec::io::unmappable(&error).unwrap().offset, 2);
    assert_eq!(bytes, b"ab");
    for text in texts() {
        let mut expected = Vec::new();
        SHIFT_JIS.new_encoder().encode_str_to_vec_with(&text, &mut expected, true, |_| "〓").unwrap();
        assert_reads(text.as_bytes(), &output(&expected), |inner| {
            EncodingReader::replacing(inner, SHIFT_JIS.new_encoder(), |_| "〓")
        });
    }
}

#[test]
fn an_encoding_reader_reads_what_encode_returns() {
    for encoding in [UTF_8, SHIFT_JIS, ISO_2022_JP, UTF_16LE] {
        for text in texts() {
            let Encoded { bytes, encoding: encoding_used, had_errors, .. } = encoding.encode(&text);
            assert_reads(text.as_bytes(), &output(&bytes), |inner| html(inner, encoding));

            let mut reader = html(text.as_bytes(), encoding);
            let mut read = Vec::new();
            reader.read_to_end(&mut read).unwrap();
            assert!(read == *bytes);
            assert_eq!((reader.encoding(), reader.had_errors()), (encoding_used, had_errors));
            assert_eq!(reader.position(), text.len() as u64);
        }
    }
}

#[test]
fn an_encoding_reader_returns_the_bytes_then_the_error_and_goes_on() {
    for encoding in [UTF_8, SHIFT_JIS, ISO_2022_JP] {
        for bytes in nearly_utf_8_samples() {
            for mode in [EncodeErrorMode::Html, EncodeErrorMode::Fatal] {
                let events = encode_with_events(encoding, &bytes, mode);
                let make = |inner| EncodingReader::with_encoder(inner, encoding.new_encoder(), mode);
                assert_reads(&bytes, &events, make);
                if let (Some(text), EncodeErrorMode::Html) = (is_utf_8(&bytes), mode) {
                    assert_eq!(events, output(&encoding.encode(text).bytes));
                }
            }
        }
    }
}

#[test]
fn a_reader_decodes_the_bytes_of_an_encoding_reader() {
    fn property(text: String, encoding: usize) -> bool {
        let encoding = [UTF_8, SHIFT_JIS, ISO_2022_JP][encoding % 3];
        let bytes = html(text.as_bytes(), encoding);
        let expected = encoding.encode(&text).bytes.into_owned();
        let read = io::read_to_string(DecodingReader::with_decoder(
            bytes,
            encoding.new_decoder_without_bom_handling(),
            DecodeErrorMode::Replacement,
        ));
        read.unwrap() == encoding.decode_without_bom_handling(&expected).0
    }
    quickcheck::quickcheck(property as fn(String, usize) -> bool);
}

#[test]
fn adapters_are_send_sync_and_debug() {
    fn check<T: Send + Sync + Unpin + Debug>(_: T) {}
    check(DecodingReader::new(io::empty(), UTF_8));
    check(EncodingReader::new(io::empty(), UTF_8));
    let encodings: Vec<Encoding> = vec![DecodingReader::new(io::empty(), UTF_8).encoding()];
    assert_eq!(encodings, [UTF_8]);
}

#[test]
fn a_reader_of_bytes_tells_their_encoding() {
    for (encoding, expected) in [(SHIFT_JIS, SHIFT_JIS), (UTF_16LE, UTF_8)] {
        let encoder = || encoding.new_encoder();
        let readers = [
            EncodingReader::new(io::empty(), encoding).encoding(),
            EncodingReader::with_encoder(io::empty(), encoder(), EncodeErrorMode::Html).encoding(),
            EncodingReader::replacing(io::empty(), encoder(), |_| "?").encoding(),
        ];
        assert_eq!(readers, [expected; 3]);
    }
}

#[test]
fn read_to_string_appends_and_returns_the_number_of_bytes_that_it_has_appended() {
    let mut text = "before ".to_owned();
    let mut decoding = DecodingReader::new(&b"\x93\xFA"[..], SHIFT_JIS);
    assert_eq!(decoding.read_to_string(&mut text).unwrap(), "日".len());
    assert_eq!(text, "before 日");
    // What an encoding reader gives can be UTF-8, too.
    let mut encoding = EncodingReader::new("日 é".as_bytes(), UTF_8);
    assert_eq!(encoding.read_to_string(&mut text).unwrap(), "日 é".len());
    assert_eq!(text, "before 日日 é");
    assert_eq!(encoding.read_to_string(&mut text).unwrap(), 0);
    let mut other = EncodingReader::new("日".as_bytes(), SHIFT_JIS);
    assert_eq!(other.read_to_string(&mut text).unwrap_err().kind(), io::ErrorKind::InvalidData);
    assert_eq!(text, "before 日日 é");
}

#[test]
#[should_panic(expected = "a reader claims to have read more bytes than fit into its buffer")]
fn a_reader_that_claims_more_bytes_than_it_was_asked_for_is_a_panic() {
    struct Claims;
    impl Read for Claims {
        fn read(&mut self, destination: &mut [u8]) -> io::Result<usize> {
            Ok(destination.len() + 1)
        }
    }
    let _ = DecodingReader::new(Claims, UTF_8).read(&mut [0; 8]);
}

#[test]
#[should_panic(expected = "more bytes are consumed than the buffer has")]
fn consuming_more_bytes_than_there_are_is_a_panic() {
    let mut reader = DecodingReader::new(&b"abc"[..], UTF_8);
    assert_eq!(reader.fill_buf().unwrap(), b"abc");
    reader.consume(4);
}
