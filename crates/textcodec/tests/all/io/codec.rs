use std::io;

use futures_util::{SinkExt, StreamExt};
use textcodec::{
    DecodeErrorMode, EncodeErrorMode, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE, Unmappable,
    io::{EndOfStream, TextCodec},
};
use tokio_util::{
    bytes::BytesMut,
    codec::{Decoder, Encoder, FramedRead, FramedWrite},
};

use crate::io::samples::{Event, byte_samples, decode_fatally, push_error, push_output, texts};

fn fatal(encoding: Encoding) -> TextCodec {
    let (decoder, encoder) = (encoding.new_decoder(), encoding.new_encoder());
    TextCodec::with_coders(decoder, DecodeErrorMode::Fatal, encoder, EncodeErrorMode::Fatal)
}

/// Decodes `bytes`, which arrive in pieces of `size`.
fn decode(mut codec: TextCodec, bytes: &[u8], size: usize) -> Vec<Event> {
    let (mut events, mut source) = (Vec::new(), BytesMut::new());
    let mut push = |result: io::Result<Option<String>>| match result {
        Ok(None) => false,
        Ok(Some(text)) => {
            assert!(!text.is_empty());
            push_output(&mut events, text.as_bytes());
            true
        }
        Err(error) => {
            push_error(&mut events, error);
            true
        }
    };
    for piece in bytes.chunks(size) {
        source.extend_from_slice(piece);
        while push(codec.decode(&mut source)) {}
        assert!(source.is_empty());
    }
    while push(codec.decode_eof(&mut source)) {}
    events
}

#[test]
fn pieces_are_what_decode_returns() {
    for (encoding, bytes) in byte_samples() {
        let mut expected = Vec::new();
        push_output(&mut expected, encoding.decode(&bytes).text.as_bytes());
        for size in [1, 2, 7, 4096, 100_000] {
            assert!(decode(TextCodec::new(encoding), &bytes, size) == expected);
            assert!(decode(fatal(encoding), &bytes, size) == decode_fatally(encoding.new_decoder(), &bytes));
        }
    }
}

#[test]
fn the_rest_of_the_source_is_decoded_at_its_end() {
    let mut codec = fatal(SHIFT_JIS);
    let mut source = BytesMut::from(&b"a\x83\x65\xFFb\x83"[..]);
    assert_eq!(codec.decode_eof(&mut source).unwrap().unwrap(), "aテ");
    assert_eq!(codec.decode_eof(&mut source).unwrap_err().to_string(), "malformed bytes FF at offset 3");
    assert_eq!(codec.decode_eof(&mut source).unwrap().unwrap(), "b");
    assert_eq!(codec.decode_eof(&mut source).unwrap_err().to_string(), "malformed bytes 83 at offset 5");
    assert_eq!(codec.decode_eof(&mut source).unwrap(), None);
    assert_eq!((codec.position(), codec.had_errors()), (6, true));
    let mut codec = TextCodec::new(SHIFT_JIS);
    assert_eq!(codec.decode(&mut BytesMut::from(&b"a\x83\x65"[..])).unwrap().unwrap(), "aテ");
    assert_eq!((codec.position(), codec.had_errors()), (3, false));
}

#[test]
fn bytes_after_the_end_begin_another_stream() {
    let mut codec = TextCodec::new(SHIFT_JIS);
    let mut source = BytesMut::from(&b"\xFF\xFEa\0"[..]);
    assert_eq!(codec.decode_eof(&mut source).unwrap().unwrap(), "a");
    assert_eq!(codec.decode_eof(&mut source).unwrap(), None);
    assert_eq!((codec.encoding(), codec.position()), (UTF_16LE, 4));
    source.extend_from_slice(b"\x83\x65");
    assert_eq!(codec.decode_eof(&mut source).unwrap().unwrap(), "テ");
    assert_eq!((codec.encoding(), codec.position()), (SHIFT_JIS, 2));
}

#[tokio::test]
async fn framed_reading_goes_on_after_an_error() {
    let mut pieces = FramedRead::new(&b"ab\xFFcd"[..], fatal(UTF_8));
    assert_eq!(pieces.next().await.unwrap().unwrap(), "ab");
    assert_eq!(pieces.next().await.unwrap().unwrap_err().kind(), io::ErrorKind::InvalidData);
    // `FramedRead` ends once after an error.
    assert!(pieces.next().await.is_none());
    assert_eq!(pieces.next().await.unwrap().unwrap(), "cd");
    assert!(pieces.next().await.is_none());
}

/// A codec in the error mode html, as [`Encoding::encode`] uses it.
fn html(encoding: Encoding) -> TextCodec {
    let (decoder, encoder) = (encoding.new_decoder(), encoding.new_encoder());
    TextCodec::with_coders(decoder, DecodeErrorMode::Replacement, encoder, EncodeErrorMode::Html)
}

#[test]
fn an_unmappable_character_is_an_error_unless_the_caller_says_otherwise() {
    let (mut codec, mut bytes) = (TextCodec::new(SHIFT_JIS), BytesMut::new());
    let error = codec.encode("ab☃", &mut bytes).unwrap_err();
    assert_eq!(textcodec::io::unmappable(&error).unwrap().offset, 2);
    assert!(bytes.is_empty());
}

#[test]
fn a_replacing_codec_sends_what_an_encoder_appends() {
    let on_error = |unmappable: Unmappable| match unmappable.code_point {
        '☃' => "¥".repeat(20),
        'é' => "→é".into(),
        _ => format!("[{}]", unmappable.offset),
    };
    let (decoder, encoder) = (ISO_2022_JP.new_decoder(), ISO_2022_JP.new_encoder());
    let mut codec = TextCodec::replacing(decoder, DecodeErrorMode::Fatal, encoder, on_error);
    for _ in 0..2 {
        let (mut bytes, mut expected) = (BytesMut::new(), Vec::new());
        codec.encode("テ☃–", &mut bytes).unwrap();
        let error = codec.encode("☃é", &mut bytes).unwrap_err();
        assert_eq!(textcodec::io::unmappable(&error).unwrap().offset, 12);
        codec.encode("–", &mut bytes).unwrap();
        codec.encode(EndOfStream, &mut bytes).unwrap();
        { encoder }.encode_str_to_vec_with("テ☃––", &mut expected, true, on_error).unwrap();
        assert_eq!(bytes, expected);
    }
}

#[tokio::test]
async fn pieces_that_are_sent_are_what_encode_returns() {
    for encoding in [UTF_8, SHIFT_JIS, ISO_2022_JP, UTF_16LE] {
        for text in texts() {
            let mut sink = FramedWrite::new(Vec::new(), html(encoding));
            for (n, line) in text.split_inclusive('e').enumerate() {
                if n % 2 == 0 {
                    sink.feed(line).await.unwrap();
                } else {
                    sink.feed(String::from(line)).await.unwrap();
                }
            }
            sink.send(EndOfStream).await.unwrap();
            assert!(sink.into_inner() == *encoding.encode(&text).bytes);
        }
    }
}

#[test]
fn a_piece_that_cannot_be_encoded_changes_nothing() {
    let (mut codec, mut bytes) = (fatal(ISO_2022_JP), BytesMut::new());
    codec.encode("テ", &mut bytes).unwrap();
    let unmappable: Unmappable = codec.encode("aテ☃", &mut bytes).unwrap_err().downcast().unwrap();
    assert_eq!((unmappable.offset, unmappable.code_point), (7, '☃'));
    codec.encode("キ", &mut bytes).unwrap();
    codec.encode(EndOfStream, &mut bytes).unwrap();
    assert_eq!(bytes, &b"\x1B$B%F%-\x1B(B"[..]);
}

#[test]
fn a_replacing_codec_decodes_in_its_error_mode() {
    for (mode, expected) in [(DecodeErrorMode::Replacement, Some("a\u{FFFD}b")), (DecodeErrorMode::Fatal, None)] {
        let (decoder, encoder) = (SHIFT_JIS.new_decoder(), SHIFT_JIS.new_encoder());
        let mut codec = TextCodec::replacing(decoder, mode, encoder, |_| "?");
        let mut source = BytesMut::from(&b"a\xFFb"[..]);
        let first = codec.decode(&mut source).unwrap().unwrap();
        assert_eq!(first, expected.unwrap_or("a"));
        assert_eq!(codec.decode(&mut source).is_err(), mode == DecodeErrorMode::Fatal, "{mode:?}");
        assert_eq!((codec.had_errors(), codec.encoding()), (true, SHIFT_JIS), "{mode:?}");
    }
}
