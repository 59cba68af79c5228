//! Every way to cut every sequence, for every encoding, in both error modes, with and without ignoreBOM.

use textcodec::{
    Encoding, Name,
    api::{JsString, TextDecoder, TextDecoderOptions, TextDecoderStream},
};

use crate::api::model::Model;

/// Byte order marks, the first and last sequences of all encodings, and sequences that are malformed.
const SEQUENCES: [&[u8]; 46] = [
    b"",
    b"a",
    b"\xEF\xBB\xBF",
    b"\xEF\xBB\xBF\xEF\xBB\xBFa",
    b"a\xEF\xBB\xBF",
    b"\xEF\xBBa",
    b"\xFF\xEF\xBB\xBFa",
    b"\xFE\xFF\x00a",
    b"\xFF\xFEa\x00",
    b"\xFF\xFE\xFF\xFE",
    b"\x00\xFE\xFF",
    b"\xC3\xA9\xE2\x82\xAC",
    b"\xF0\x9F\x92\xA9z",
    b"\xF0\x9F\x92",
    b"\xF0\x90\x41",
    b"\xE0\x80\x80",
    b"\xED\xA0\x80",
    b"\xF4\x90\x80\x80",
    b"\xC0\x80\xF5",
    b"\xFD\xEF",
    b"\x3D\xD8\xA9\xDC",
    b"\xD8\x3D\xDC\xA9",
    b"\xD8\x00\xD8\x00\xDC\x00",
    b"\x00\xD8\x00\xD8\x00\xDC",
    b"\x00\xDC\x00\xD8a",
    b"\x81\x30\x81\x30",
    b"\x81\x30\x81a",
    b"\x81\x30\x81",
    b"\x81\x30\x80",
    b"\x84\x31\xA4\x37",
    b"\xFE\x39\xFE\x39",
    b"\x81\x41\xA1\xA1",
    b"\x82\xA0\xB1\x5C\x7E",
    b"\x88\x62\x88\xA3",
    b"\x8E\xB1\x8F\xB0\xA1",
    b"\x8F\xA1a",
    b"\xA4\xA2\xA4a",
    b"\x80\xA0\xFF",
    b"\x1B$B\x24\x22\x1B(B",
    b"\x1B$B\x24",
    b"\x1B(J\x5C\x1B(I\x31",
    b"\x1B(J\x5C\x80\x5C",
    b"\x1B(J\x1B(B\x0Ea",
    b"\x1B(X\x1B$",
    b"\x1B\x1B(",
    b"\x1B(J\x1B(\x80\x5C",
];

/// The sequences, and a few characters that the encoding can encode.
fn inputs(encoding: Encoding) -> Vec<Vec<u8>> {
    let mut inputs: Vec<Vec<u8>> = SEQUENCES.iter().map(|bytes| bytes.to_vec()).collect();
    for text in ["é€", "Жβ", "あ高", "가中", "丂𠀀", "ﾊ\u{F780}"] {
        inputs.push(encoding.encode(text).bytes.into_owned());
        if matches!(encoding.id(), Name::Utf16Be | Name::Utf16Le) {
            let swap = encoding.id() == Name::Utf16Be;
            inputs.push(
                text.encode_utf16()
                    .flat_map(|unit| if swap { unit.to_be_bytes() } else { unit.to_le_bytes() })
                    .collect(),
            );
        }
    }
    inputs
}

/// Calls `f` with every way to cut `input` into three pieces, which may be empty.
fn splits(input: &[u8], mut f: impl FnMut([&[u8]; 3])) {
    for end in 0..=input.len() {
        for start in 0..=end {
            f([&input[..start], &input[start..end], &input[end..]]);
        }
    }
}

fn for_every_decoder(mut f: impl FnMut(Encoding, TextDecoderOptions)) {
    for encoding in Encoding::all().filter(|encoding| encoding.id() != Name::Replacement) {
        for (fatal, ignore_bom) in [(false, false), (false, true), (true, false), (true, true)] {
            f(encoding, TextDecoderOptions { fatal, ignore_bom });
        }
    }
}

fn text(string: JsString<'_>) -> String {
    if let JsString::Utf16(units) = &string {
        assert!(units.iter().any(|&unit| unit > 0xFF), "Latin-1 would do for {units:X?}");
    }
    let units: Vec<u16> = string.code_units().collect();
    String::from_utf16(&units).expect("no surrogates come alone")
}

#[test]
fn decode_follows_the_standard_in_every_split_and_after_every_error() {
    for_every_decoder(|encoding, options| {
        for input in inputs(encoding) {
            splits(&input, |pieces| {
                let mut model = Model::new(encoding, options.fatal, options.ignore_bom);
                let mut decoder = TextDecoder::new(encoding.name(), options).unwrap();
                let (mut to_utf16, mut to_js_string, mut into) = (decoder, decoder, decoder);
                // Space for the longest input, and the additional space that the decoder needs.
                let mut units = vec![0xFEFF; input.len() + TextDecoder::ROOM];
                // The call without input ends the stream. The call after it shows that another stream starts.
                let calls = pieces.map(|piece| (piece, true)).into_iter().chain([(&b""[..], false), (&input, false)]);
                for (number, (piece, stream)) in calls.enumerate() {
                    let expected = model.decode(piece, stream);
                    let place = || format!("{encoding} {options:?} {pieces:02X?}, call {number}");
                    assert_eq!(decoder.decode(piece, stream).map_err(|_| ()), expected, "{}", place());
                    let utf16 =
                        to_utf16.decode_to_utf16(piece, stream).map(|units| String::from_utf16(&units).unwrap());
                    assert_eq!(utf16.map_err(|_| ()), expected, "{}", place());
                    let js_string = to_js_string.decode_to_js_string(piece, stream).map(text);
                    assert_eq!(js_string.map_err(|_| ()), expected, "{}", place());
                    let utf16 = into
                        .decode_into_utf16(piece, stream, &mut units[..piece.len() + TextDecoder::ROOM])
                        .map(|length| String::from_utf16(&units[..length]).unwrap());
                    assert_eq!(utf16.map_err(|_| ()), expected, "{}", place());
                }
            });
        }
    });
}

#[test]
fn a_stream_is_a_decoder_that_enqueues_no_empty_chunk() {
    for_every_decoder(|encoding, options| {
        for input in inputs(encoding) {
            splits(&input, |pieces| {
                let mut model = Model::new(encoding, options.fatal, options.ignore_bom);
                let mut stream = TextDecoderStream::new(encoding.name(), options).unwrap();
                let (mut to_utf16, mut to_js_string) = (stream, stream);
                for (number, piece) in pieces.into_iter().map(Some).chain([None]).enumerate() {
                    let expected = model.decode(piece.unwrap_or_default(), piece.is_some());
                    let expected = expected.map(|text| (!text.is_empty()).then_some(text));
                    let place = || format!("{encoding} {options:?} {pieces:02X?}, call {number}");
                    let (string, utf16, js_string) = match piece {
                        Some(piece) => (
                            stream.decode_and_enqueue(piece),
                            to_utf16.decode_and_enqueue_utf16(piece),
                            to_js_string.decode_and_enqueue_js_string(piece),
                        ),
                        None => (
                            stream.flush_and_enqueue(),
                            to_utf16.flush_and_enqueue_utf16(),
                            to_js_string.flush_and_enqueue_js_string(),
                        ),
                    };
                    assert_eq!(string.clone().map_err(|_| ()), expected, "{}", place());
                    let utf16 = utf16.map(|units| units.map(|units| String::from_utf16(&units).unwrap()));
                    assert_eq!(utf16, string, "{}", place());
                    assert_eq!(js_string.map(|string| string.map(text)), string, "{}", place());
                    if let Err(error) = string {
                        assert_eq!(stream.decode_and_enqueue(b"a"), Err(error), "an errored stream stays so");
                        assert_eq!(stream.flush_and_enqueue(), Err(error), "an errored stream stays so");
                        return;
                    }
                }
            });
        }
    });
}

#[test]
fn errors_have_the_same_offset_however_the_stream_is_cut() {
    for_every_decoder(|encoding, options| {
        if !options.fatal {
            return;
        }
        for input in inputs(encoding) {
            let mut whole = TextDecoderStream::new(encoding.name(), options).unwrap();
            let expected = whole.decode_and_enqueue(&input).and_then(|_| whole.flush_and_enqueue()).err();
            splits(&input, |pieces| {
                let mut stream = TextDecoderStream::new(encoding.name(), options).unwrap();
                for piece in pieces {
                    let _ = stream.decode_and_enqueue_js_string(piece);
                }
                assert_eq!(stream.flush_and_enqueue().err(), expected, "{encoding} {pieces:02X?}");
            });
        }
    });
}
