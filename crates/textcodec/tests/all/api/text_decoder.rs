//! [TextDecoder](https://encoding.spec.whatwg.org/#interface-textdecoder) and the mixin that it shares with
//! TextDecoderStream.

use textcodec::{
    DecodeErrorMode, Encoding, GB18030, ISO_2022_JP, LabelError, Name, REPLACEMENT, StateError, UTF_8, UTF_16LE,
    api::{JsString, RangeError, TextDecoder, TextDecoderOptions, TextDecoderState, TextDecoderStream, TypeError},
};

const FATAL: TextDecoderOptions = TextDecoderOptions { fatal: true, ignore_bom: false };
const IGNORE_BOM: TextDecoderOptions = TextDecoderOptions { fatal: false, ignore_bom: true };

fn new(label: &str) -> TextDecoder {
    TextDecoder::new(label, TextDecoderOptions::default()).unwrap()
}

#[test]
fn the_attribute_encoding_is_the_name_in_lower_case_for_every_label() {
    for encoding in Encoding::all().filter(|encoding| encoding.id() != Name::Replacement) {
        for label in encoding.labels() {
            for label in [label.to_owned(), label.to_uppercase(), format!("\t\n\x0C\r {label} ")] {
                let decoder = new(&label);
                assert_eq!(decoder.encoding(), encoding.name().to_ascii_lowercase());
                assert_eq!(decoder.as_encoding(), encoding);
                let stream = TextDecoderStream::new(&label, FATAL).unwrap();
                assert_eq!(stream.encoding(), decoder.encoding());
                assert_eq!(stream.as_encoding(), encoding);
            }
        }
    }
}

#[test]
fn the_defaults_are_utf_8_and_false() {
    let decoder = TextDecoder::default();
    assert_eq!((&*decoder.encoding(), decoder.fatal(), decoder.ignore_bom()), ("utf-8", false, false));
    let stream = TextDecoderStream::default();
    assert_eq!((&*stream.encoding(), stream.fatal(), stream.ignore_bom()), ("utf-8", false, false));
}

#[test]
fn the_attributes_have_the_values_given_to_the_constructor() {
    for options in [FATAL, IGNORE_BOM] {
        let decoder = TextDecoder::new("big5", options).unwrap();
        assert_eq!((decoder.fatal(), decoder.ignore_bom()), (options.fatal, options.ignore_bom));
        let stream = TextDecoderStream::new("big5", options).unwrap();
        assert_eq!((stream.fatal(), stream.ignore_bom()), (options.fatal, options.ignore_bom));
    }
}

#[test]
fn an_unknown_label_and_a_label_of_replacement_are_a_range_error() {
    for label in ["", "utf8\0", "\u{B}utf-8", "\u{A0}utf-8", "utf-7", "\u{212A}oi8-r"] {
        let expected = RangeError::Label(LabelError::Unknown);
        assert_eq!(TextDecoder::new(label, FATAL).unwrap_err(), expected, "{label:?}");
        assert_eq!(TextDecoderStream::new(label, FATAL).unwrap_err(), expected, "{label:?}");
    }
    for label in REPLACEMENT.labels() {
        assert_eq!(TextDecoder::new(label, FATAL).unwrap_err(), RangeError::Replacement);
        assert_eq!(TextDecoderStream::new(label, FATAL).unwrap_err(), RangeError::Replacement);
    }
    assert_eq!(RangeError::Replacement.to_string(), "the label names the replacement encoding");
    assert_eq!(RangeError::Label(LabelError::Unknown).to_string(), "unknown encoding label");
}

#[test]
fn a_stream_can_be_set_up_with_any_encoding_except_replacement() {
    let mut stream = TextDecoderStream::set_up(UTF_16LE, DecodeErrorMode::Fatal, true).unwrap();
    assert_eq!((stream.as_encoding(), stream.fatal(), stream.ignore_bom()), (UTF_16LE, true, true));
    assert_eq!(stream.decode_and_enqueue(b"\xFF\xFEa\0").unwrap().as_deref(), Some("\u{FEFF}a"));
    let mut decoder = TextDecoder::with_encoding(UTF_16LE, IGNORE_BOM).unwrap();
    assert_eq!(decoder.decode(b"\xFF\xFEa\0", false).unwrap(), "\u{FEFF}a");
    assert_eq!(TextDecoder::with_encoding(REPLACEMENT, FATAL).unwrap_err(), RangeError::Replacement);
    for (mode, fatal) in [(DecodeErrorMode::Replacement, false), (DecodeErrorMode::Fatal, true)] {
        for ignore_bom in [false, true] {
            let mut stream = TextDecoderStream::set_up(UTF_8, mode, ignore_bom).unwrap();
            assert_eq!((stream.fatal(), stream.ignore_bom()), (fatal, ignore_bom));
            let text = stream.decode_and_enqueue(b"\xEF\xBB\xBFa").unwrap();
            assert_eq!(text.as_deref(), Some(if ignore_bom { "\u{FEFF}a" } else { "a" }), "{mode:?}");
            assert_eq!(stream.decode_and_enqueue(b"\xFF").is_err(), fatal, "{mode:?}");
        }
    }
    let error = TextDecoderStream::set_up(REPLACEMENT, DecodeErrorMode::Replacement, false).unwrap_err();
    assert_eq!(error, RangeError::Replacement);
}

#[test]
fn only_a_byte_order_mark_that_is_the_first_code_point_of_a_stream_is_removed() {
    for (label, input, text) in [
        ("utf-8", &b"\xEF\xBB\xBF\xEF\xBB\xBFa"[..], "\u{FEFF}a"),
        ("utf-8", b"a\xEF\xBB\xBF", "a\u{FEFF}"),
        ("utf-8", b"\xFF\xEF\xBB\xBF", "\u{FFFD}\u{FEFF}"),
        ("utf-16be", b"\xFE\xFF\0a", "a"),
        ("utf-16le", b"\xFF\xFEa\0", "a"),
        // A byte order mark of another encoding does not count.
        ("utf-16le", b"\xFE\xFF", "\u{FFFE}"),
        ("utf-8", b"\xFF\xFE", "\u{FFFD}\u{FFFD}"),
        // Other encodings have no byte order mark.
        ("gb18030", b"\x84\x31\x95\x33a", "\u{FEFF}a"),
        ("windows-1252", b"\xEF\xBB\xBF", "ï»¿"),
    ] {
        assert_eq!(new(label).decode(input, false).unwrap(), text, "{label} {input:02X?}");
    }
}

#[test]
fn ignore_bom_keeps_the_byte_order_mark() {
    for (label, input) in [("utf-8", &b"\xEF\xBB\xBFa"[..]), ("utf-16be", b"\xFE\xFF\0a"), ("utf-16le", b"\xFF\xFEa\0")]
    {
        let mut decoder = TextDecoder::new(label, IGNORE_BOM).unwrap();
        assert_eq!(decoder.decode(input, false).unwrap(), "\u{FEFF}a");
    }
}

#[test]
fn bom_seen_is_kept_only_within_a_stream() {
    let mut decoder = new("utf-8");
    assert_eq!(decoder.decode(b"", true).unwrap(), "");
    assert_eq!(decoder.decode(b"\xEF\xBB", true).unwrap(), "");
    assert_eq!(decoder.decode(b"\xBF", true).unwrap(), "");
    assert_eq!(decoder.decode(b"\xEF\xBB\xBF", true).unwrap(), "\u{FEFF}");
    assert_eq!(decoder.decode(b"", false).unwrap(), "");
    assert_eq!(decoder.decode(b"\xEF\xBB\xBFa", false).unwrap(), "a");
    assert_eq!(decoder.decode(b"\xEF\xBB\xBFb", true).unwrap(), "b");
}

#[test]
fn the_option_of_the_previous_call_ends_a_stream() {
    let mut decoder = new("utf-8");
    assert_eq!(decoder.decode(b"\xE2\x82", true).unwrap(), "");
    assert_eq!(decoder.decode(b"\xAC", false).unwrap(), "€");
    assert_eq!(decoder.decode(b"\xE2\x82", false).unwrap(), "\u{FFFD}");
    assert_eq!(decoder.decode(b"\xAC", true).unwrap(), "\u{FFFD}");
}

#[test]
fn a_call_without_input_flushes() {
    let mut decoder = new("euc-jp");
    assert_eq!(decoder.decode(b"\xA4", true).unwrap(), "");
    assert_eq!(decoder.decode(b"", false).unwrap(), "\u{FFFD}");
    assert_eq!(decoder.decode(b"", false).unwrap(), "");
    let mut decoder = TextDecoder::new("euc-jp", FATAL).unwrap();
    assert_eq!(decoder.decode(b"\xA4", true).unwrap(), "");
    assert_eq!(decoder.decode(b"", false).unwrap_err().to_string(), "malformed bytes A4 at offset 0");
}

#[test]
fn after_an_error_the_rest_of_its_input_is_lost() {
    let mut decoder = TextDecoder::new("utf-8", FATAL).unwrap();
    assert!(decoder.decode(b"\xFD\xEF", true).is_err());
    assert_eq!(decoder.decode(b"", false).unwrap(), "");
    assert!(decoder.decode(b"a\xFFb", true).is_err());
    assert_eq!(decoder.decode(b"c", false).unwrap(), "c");
}

#[test]
fn after_an_error_restored_bytes_are_lost() {
    let mut decoder = TextDecoder::new("gb18030", FATAL).unwrap();
    assert_eq!(decoder.as_encoding(), GB18030);
    assert_eq!(decoder.decode(b"\x81\x30\x81", true).unwrap(), "");
    assert!(decoder.decode(b"a", true).is_err());
    assert_eq!(decoder.decode(b"b", false).unwrap(), "b");
}

#[test]
fn an_error_in_a_stream_leaves_the_decoder_in_its_state() {
    let mut decoder = TextDecoder::new("iso-2022-jp", FATAL).unwrap();
    assert_eq!(decoder.as_encoding(), ISO_2022_JP);
    assert_eq!(decoder.decode(b"\x1B(J", true).unwrap(), "");
    assert!(decoder.decode(b"\x5C\x80\x5C", true).is_err());
    assert_eq!(decoder.decode(b"\x5C", false).unwrap(), "¥", "still Roman");
    assert_eq!(decoder.decode(b"\x5C", false).unwrap(), "\\", "a new stream");
    // The escape sequence begins in another chunk.
    assert_eq!(decoder.decode(b"\x1B(J\x1B(", true).unwrap(), "");
    assert!(decoder.decode(b"X", true).is_err());
    assert_eq!(decoder.decode(b"\x7E", false).unwrap(), "‾", "( and X are gone, Roman is not");
}

#[test]
fn after_an_error_without_stream_another_stream_starts() {
    let mut decoder = TextDecoder::new("iso-2022-jp", FATAL).unwrap();
    assert!(decoder.decode(b"\x1B(J\x80", false).is_err());
    assert_eq!(decoder.decode(b"\x5C", false).unwrap(), "\\");
    let mut decoder = TextDecoder::new("utf-8", FATAL).unwrap();
    assert!(decoder.decode(b"a\xFF", false).is_err());
    assert_eq!(decoder.decode(b"\xEF\xBB\xBFa", false).unwrap(), "a", "BOM seen included");
}

#[test]
fn an_error_serializes_no_code_point_so_a_byte_order_mark_can_follow() {
    let mut decoder = TextDecoder::new("utf-8", FATAL).unwrap();
    assert!(decoder.decode(b"a\xFF", true).is_err());
    assert_eq!(decoder.decode(b"\xEF\xBB\xBFa", true).unwrap(), "a");
}

#[test]
fn a_js_string_is_latin1_if_possible_and_borrows_ascii() {
    use std::borrow::Cow;
    for (label, input, expected) in [
        ("utf-8", &b"abc"[..], JsString::Latin1(Cow::Borrowed(b"abc"))),
        ("utf-8", b"\xC3\xA9", JsString::Latin1(Cow::Owned(vec![0xE9]))),
        ("utf-8", b"a\xE2\x82\xAC", JsString::Utf16(vec![0x61, 0x20AC])),
        ("utf-16le", b"a\0", JsString::Latin1(Cow::Owned(vec![0x61]))),
        ("iso-2022-jp", b"a\x0E", JsString::Utf16(vec![0x61, 0xFFFD])),
        ("x-user-defined", b"a", JsString::Latin1(Cow::Borrowed(b"a"))),
    ] {
        let string = new(label).decode_to_js_string(input, false).unwrap();
        assert_eq!(string, expected, "{label}");
        let is_borrowed = |string: &JsString<'_>| matches!(string, JsString::Latin1(Cow::Borrowed(_)));
        assert_eq!(is_borrowed(&string), is_borrowed(&expected), "{label}");
        assert_eq!((string.len(), string.is_empty()), (string.code_units().count(), false));
    }
}

#[test]
fn offsets_count_borrowed_bytes() {
    let mut decoder = TextDecoder::new("shift_jis", FATAL).unwrap();
    decoder.decode_to_js_string(b"abc", true).unwrap();
    assert_eq!(decoder.decode_to_js_string(b"d\xFF", true).unwrap_err().to_string(), "malformed bytes FF at offset 4");
}

#[test]
fn offsets_count_from_the_start_of_each_stream_in_every_method() {
    type Method = fn(&mut TextDecoder, &[u8], bool) -> Result<(), TypeError>;
    const METHODS: [Method; 4] = [
        |decoder, input, stream| decoder.decode(input, stream).map(drop),
        |decoder, input, stream| decoder.decode_to_utf16(input, stream).map(drop),
        |decoder, input, stream| decoder.decode_into_utf16(input, stream, &mut [0; 16]).map(drop),
        |decoder, input, stream| decoder.decode_to_js_string(input, stream).map(drop),
    ];
    for (number, before) in METHODS.into_iter().enumerate() {
        for (other, method) in METHODS.into_iter().enumerate() {
            let mut decoder = TextDecoder::new("shift_jis", FATAL).unwrap();
            before(&mut decoder, b"abc", true).unwrap();
            before(&mut decoder, b"de", false).unwrap();
            let mut offset = |input| method(&mut decoder, input, true).unwrap_err().0.offset;
            assert_eq!((offset(b"f\xFF"), offset(b"g\xFF")), (1, 3), "method {other} after method {number}");
        }
    }
}

#[test]
fn a_copy_saves_the_state() {
    let mut decoder = new(UTF_8.name());
    decoder.decode(b"\xE2\x82", true).unwrap();
    let mut copy = decoder;
    assert_eq!(decoder.decode(b"\xAC", false).unwrap(), "€");
    assert_eq!(copy.decode(b"\xAD", false).unwrap(), "\u{20AD}");
}

#[test]
fn a_state_of_four_words_continues_a_stream_of_every_encoding() {
    let samples: [&[u8]; 11] = [
        b"\xEF\xBB\xBFa\xF0\x9F\x92\xA9\xE2\x82",
        // U+FEFF after another character is text.
        b"a\xEF\xBB\xBFb",
        b"a\0\xFF\xFEb\0",
        b"\0a\xFE\xFF\0b",
        b"\xFE\xFF\xD8\x3D\xDC\xA9\0a\xD8",
        b"\xFF\xFE\x3D\xD8\xA9\xDC\x3D\xD8a",
        b"\x84\x31\x95\x33\x81\x30\x81\x30\x81\x30\x81a\x81\x30\xFF",
        b"\x1B$B$\"\x1B(Ja\x5C\x1B(I1\x1B$x\x0E\x1B$B$",
        b"\x82\xA0\x8F\xA2\xB7\x8E\xB1\xA4\xA2\x88\x62\xB0\xA1\x81",
        b"\x83\xFF\xA1\x80\xFD\xFE\xFF",
        b"abc",
    ];
    for encoding in Encoding::all().filter(|encoding| encoding.id() != Name::Replacement) {
        for options in [TextDecoderOptions::default(), FATAL, IGNORE_BOM] {
            for sample in samples {
                let mut decoder = TextDecoder::with_encoding(encoding, options).unwrap();
                assert_eq!(decoder.state(), [0; 4].into());
                let mut state = decoder.state();
                for end in 0..=sample.len() {
                    let (input, stream) = (&sample[end.saturating_sub(1)..end], end < sample.len());
                    let mut other = TextDecoder::with_encoding(encoding, options).unwrap();
                    // A script has the words.
                    let words: [u64; 4] = state.into();
                    assert_eq!(TextDecoderState::from(words), state);
                    other.resume(words.into()).unwrap();
                    let expected = decoder.decode_to_js_string(input, stream);
                    assert_eq!(
                        other.decode_to_js_string(input, stream),
                        expected,
                        "{encoding:?}, {sample:X?} to {end}"
                    );
                    state = other.state();
                    assert_eq!(state, decoder.state());
                }
            }
        }
    }
}

/// A state can come back from a script with any words.
#[test]
fn whatever_state_is_resumed_later_calls_end_and_count_from_the_start() {
    let small = [0, 1, 2, 3, 0x81, 0x8130, 0x81_30_81, 0x2800, 1 << 20, 1 << 56, 1 << 57, 3 << 56, 1 << 58, u64::MAX];
    let mut taken = 0;
    for encoding in Encoding::all().filter(|encoding| encoding.id() != Name::Replacement) {
        for number in 0..small.len().pow(4) {
            let state = [0, 1, 2, 3].map(|place| small[number / small.len().pow(place) % small.len()]).into();
            let mut decoder = TextDecoder::with_encoding(encoding, FATAL).unwrap();
            let new = decoder.state();
            if decoder.resume(state).is_err() {
                assert_eq!(decoder.state(), new);
                continue;
            }
            taken += 1;
            assert_eq!(decoder.state(), state);
            let words: [u64; 4] = state.into();
            let result = decoder.decode_to_utf16(b"\x1B\x1B\xFFa\x81\x30", false);
            if let Err(error) = result {
                let is_new = words[2] >> 57 == 0;
                assert!(is_new || error.0.offset <= words[1] + words[3] + 6, "{encoding}: {state:?}");
            }
        }
    }
    assert!(taken > 1000);
    let error = TextDecoder::default().resume([1, 0, 0, 0].into()).unwrap_err();
    assert_eq!(error, StateError::new());
}

#[test]
#[should_panic(expected = "not enough space for the text")]
fn a_slice_that_is_too_short_for_the_text_is_a_panic() {
    let _ = TextDecoder::default().decode_into_utf16(b"abcdef", false, &mut [0; 2]);
}

#[test]
fn the_length_of_a_string_counts_code_units() {
    for text in ["", "a", "é", "aé€", "😀", "a😀é"] {
        let units: Vec<u16> = text.encode_utf16().collect();
        let string = JsString::from(units.clone());
        assert_eq!((string.len(), string.is_empty()), (units.len(), text.is_empty()), "{text}");
        assert!(string.code_units().eq(units), "{text}");
    }
}
