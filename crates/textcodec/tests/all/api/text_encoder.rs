//! [TextEncoder](https://encoding.spec.whatwg.org/#interface-textencoder) and
//! [TextEncoderStream](https://encoding.spec.whatwg.org/#interface-textencoderstream).

use textcodec::api::{EncodeIntoResult, EncoderInput, JsString, TextEncoder, TextEncoderStream};

/// Code units in all combinations: pairs of surrogates, unpaired surrogates, surrogates in reverse order, and code
/// points of one to four bytes.
const UNITS: [u16; 12] = [0x61, 0xD83D, 0xDCA9, 0xE9, 0xD83D, 0x20AC, 0xDCA9, 0xD83D, 0xD83D, 0xDCA9, 0x7FF, 0xD800];

#[test]
fn the_encoding_is_utf_8() {
    assert_eq!(TextEncoder::new().encoding(), "utf-8");
    assert_eq!(TextEncoderStream::new().encoding(), "utf-8");
}

#[test]
fn encode_replaces_unpaired_surrogates_and_writes_no_byte_order_mark() {
    let encoder = TextEncoder::new();
    assert_eq!(encoder.encode(&UNITS[..]), String::from_utf16_lossy(&UNITS).as_bytes());
    assert_eq!(encoder.encode(EncoderInput::default()), b"");
    for start in 0..UNITS.len() {
        let units = &UNITS[start..];
        assert_eq!(encoder.encoded_length(units), encoder.encode(units).len(), "{units:X?}");
    }
    assert_eq!(
        encoder.encode("\u{FEFF}a"),
        b"\xEF\xBB\xBFa",
        "a byte order mark of the string stays, and none is added"
    );
}

#[test]
fn every_form_of_a_string_gives_the_same_bytes() {
    let encoder = TextEncoder::new();
    let latin1: Vec<u8> = (0..=255).cycle().take(5000).collect();
    let string: String = latin1.iter().copied().map(char::from).collect();
    let units: Vec<u16> = string.encode_utf16().collect();
    assert_eq!(encoder.encode(EncoderInput::Latin1(&latin1)), string.as_bytes());
    assert_eq!(encoder.encode(&units[..]), string.as_bytes());
    for source in [EncoderInput::Latin1(&latin1), EncoderInput::Utf16(&units), EncoderInput::Str(&string)] {
        assert_eq!(encoder.encoded_length(source), string.len());
    }
    assert_eq!(encoder.encode(&JsString::Latin1(latin1.into())), string.as_bytes());
    assert_eq!(encoder.encode(&JsString::Utf16(units)), string.as_bytes());
}

/// The steps of encodeInto, one code point at a time.
fn encode_into(units: &[u16], destination: &mut [u8]) -> EncodeIntoResult {
    let mut result = EncodeIntoResult::default();
    for item in char::decode_utf16(units.iter().copied()) {
        let item = item.unwrap_or(char::REPLACEMENT_CHARACTER);
        if destination.len() - result.written < item.len_utf8() {
            break;
        }
        item.encode_utf8(&mut destination[result.written..]);
        result.read += item.len_utf16();
        result.written += item.len_utf8();
    }
    result
}

#[test]
fn encode_into_stops_before_the_first_character_that_does_not_fit_and_does_not_touch_the_rest() {
    let encoder = TextEncoder::new();
    for start in 0..UNITS.len() {
        let units = &UNITS[start..];
        let string = String::from_utf16_lossy(units);
        for space in 0..=string.len() + 3 {
            let (mut expected, mut destination) = ([0xAA; 48], [0xAA; 48]);
            let result = encode_into(units, &mut expected[..space]);
            assert_eq!(encoder.encode_into(units, &mut destination[..space]), result, "{space}");
            assert_eq!(destination, expected, "{space}");
            destination = [0xAA; 48];
            assert_eq!(encoder.encode_into(&*string, &mut destination[..space]), result, "{space}");
            assert_eq!(destination, expected, "{space}");
        }
    }
}

#[test]
fn encode_into_does_not_touch_the_rest_after_ascii_of_any_length() {
    for length in 0..=70 {
        let units: Vec<u16> = "a".repeat(length).encode_utf16().chain("€€".encode_utf16()).collect();
        for space in length..length + 6 {
            let (mut expected, mut destination) = (vec![0xAA; space], vec![0xAA; space]);
            let result = encode_into(&units, &mut expected);
            assert_eq!(TextEncoder::new().encode_into(&units[..], &mut destination), result, "{length}, {space}");
            assert_eq!(destination, expected, "{length}, {space}");
        }
    }
}

#[test]
fn encode_into_is_the_same_for_long_strings_of_any_form() {
    let encoder = TextEncoder::new();
    for text in ["a", "aé", "é", "a€é", "💩", "a💩"] {
        let text = text.repeat(1500);
        let units: Vec<u16> = text.encode_utf16().collect();
        for space in [0, 1, 1023, 1024, 1025, 1026, 1027, 3000, text.len() - 1, text.len(), text.len() + 1] {
            let (mut expected, mut destination) = (vec![0xAA; space], vec![0xAA; space]);
            let result = encode_into(&units, &mut expected);
            assert_eq!(encoder.encode_into(&units[..], &mut destination), result, "{space}");
            assert_eq!(destination, expected);
            destination.fill(0xAA);
            assert_eq!(encoder.encode_into(&*text, &mut destination), result, "{space}");
            assert_eq!(destination, expected);
            if let Ok(latin1) = text.chars().map(u8::try_from).collect::<Result<Vec<_>, _>>() {
                destination.fill(0xAA);
                assert_eq!(encoder.encode_into(EncoderInput::Latin1(&latin1), &mut destination), result, "{space}");
                assert_eq!(destination, expected);
            }
        }
    }
}

#[test]
fn a_stream_joins_surrogates_of_two_chunks_and_enqueues_no_empty_chunk() {
    let expected = String::from_utf16_lossy(&UNITS).into_bytes();
    for end in 0..=UNITS.len() {
        for start in 0..=end {
            let mut stream = TextEncoderStream::new();
            let mut bytes = Vec::new();
            for piece in [&UNITS[..start], &UNITS[start..end], &[], &UNITS[end..]] {
                let chunk = stream.encode_and_enqueue(piece);
                assert_ne!(chunk.as_deref(), Some(&b""[..]));
                bytes.extend(chunk.unwrap_or_default());
            }
            assert_eq!(
                stream.encode_and_flush().as_deref(),
                Some("\u{FFFD}".as_bytes()),
                "the leading surrogate at the end"
            );
            bytes.extend("\u{FFFD}".as_bytes());
            assert_eq!(bytes, expected, "{start} {end}");
        }
    }
}

#[test]
fn a_leading_surrogate_is_kept_until_the_next_code_unit() {
    let mut stream = TextEncoderStream::new();
    assert_eq!(stream.encode_and_enqueue(&[0xD83D][..]), None);
    assert_eq!(stream.encode_and_enqueue(&[][..]), None);
    assert_eq!(stream.encode_and_enqueue(""), None);
    assert_eq!(stream.encode_and_enqueue(EncoderInput::Latin1(b"")), None);
    assert_eq!(stream.encode_and_enqueue(&[0xD83D][..]).as_deref(), Some("\u{FFFD}".as_bytes()), "restored and kept");
    assert_eq!(stream.encode_and_enqueue(&[0xDCA9][..]).as_deref(), Some("💩".as_bytes()));
    assert_eq!(stream.encode_and_enqueue(&[0xDCA9][..]).as_deref(), Some("\u{FFFD}".as_bytes()));
    assert_eq!(stream.encode_and_flush(), None);
}

#[test]
fn a_string_in_utf_8_or_latin1_ends_a_pending_surrogate() {
    for chunk in [EncoderInput::Str("é"), EncoderInput::Latin1(b"\xE9"), EncoderInput::Utf16(&[0xE9])] {
        let mut stream = TextEncoderStream::new();
        assert_eq!(stream.encode_and_enqueue(&[0xD83D][..]), None);
        assert_eq!(stream.encode_and_enqueue(chunk).as_deref(), Some("\u{FFFD}é".as_bytes()));
        assert_eq!(stream.encode_and_flush(), None);
    }
}
