use std::{convert::Infallible, task::Poll};

use futures_util::{StreamExt, stream};
use textcodec::{
    DecodeErrorMode, Decoded, Encoding, GB18030, SHIFT_JIS, UTF_8, UTF_16LE,
    io::{DecodingStream, StreamError, TryDecodingStream},
};

use crate::io::samples::{Event, byte_samples, decode_fatally, push_output};

fn modes(encoding: Encoding, bytes: &[u8]) -> [(DecodeErrorMode, Vec<Event>); 2] {
    let mut replaced = Vec::new();
    push_output(&mut replaced, encoding.decode(bytes).text.as_bytes());
    let fatal = decode_fatally(encoding.new_decoder(), bytes);
    [(DecodeErrorMode::Replacement, replaced), (DecodeErrorMode::Fatal, fatal)]
}

#[tokio::test]
async fn pieces_are_what_decode_returns() {
    for (encoding, bytes) in byte_samples() {
        for size in [1, 2, 7, 4096, 100_000] {
            for (mode, expected) in modes(encoding, &bytes) {
                let pieces = stream::iter(bytes.chunks(size));
                let mut texts = DecodingStream::with_decoder(pieces, encoding.new_decoder(), mode);
                let mut events = Vec::new();
                while let Some(text) = texts.next().await {
                    match text {
                        Ok(text) => {
                            assert!(!text.is_empty());
                            push_output(&mut events, text.as_bytes());
                        }
                        Err(malformed) => events.push(Event::Malformed(malformed)),
                    }
                }
                assert!(events == expected, "{encoding}, by {size}, {mode:?}");
                let Decoded { encoding: encoding_used, had_errors, .. } = encoding.decode(&bytes);
                assert_eq!((texts.encoding(), texts.had_errors()), (encoding_used, had_errors));
                assert_eq!(texts.position(), bytes.len() as u64);
            }
        }
    }
}

#[tokio::test]
async fn errors_of_the_inner_stream_are_returned_and_reading_goes_on() {
    for (encoding, bytes) in byte_samples() {
        for (mode, expected) in modes(encoding, &bytes) {
            let (mut pieces, mut calls) = (bytes.chunks(5), 0);
            // The stream is pending, fails, and returns a piece, in turn.
            let inner = stream::poll_fn(|context| {
                calls += 1;
                match calls % 3 {
                    0 => {
                        context.waker().wake_by_ref();
                        Poll::Pending
                    }
                    1 => Poll::Ready(Some(Err(calls))),
                    _ => Poll::Ready(pieces.next().map(|piece| Ok(piece.to_vec()))),
                }
            });
            let mut texts = TryDecodingStream::with_decoder(inner, encoding.new_decoder(), mode);
            let (mut events, mut errors) = (Vec::new(), 0);
            while let Some(text) = texts.next().await {
                match text {
                    Ok(text) => push_output(&mut events, text.as_bytes()),
                    Err(StreamError::Malformed(malformed)) => events.push(Event::Malformed(malformed)),
                    Err(StreamError::Stream(_)) => errors += 1,
                }
            }
            assert!(events == expected, "{encoding}, {mode:?}");
            assert!(errors > bytes.len() / 5);
        }
    }
}

#[tokio::test]
async fn empty_pieces_and_pieces_without_text_return_no_piece() {
    let pieces = [&b""[..], b"\xFF", b"\xFE", b"", b"a", b"\0", b""];
    let mut texts = DecodingStream::new(stream::iter(pieces), SHIFT_JIS);
    assert_eq!(texts.next().await, Some(Ok("a".into())));
    assert_eq!(texts.next().await, None);
    assert_eq!(texts.encoding(), UTF_16LE);
    assert_eq!(texts.next().await, None);
}

#[tokio::test]
async fn the_inner_stream_is_not_polled_after_its_end() {
    let mut ends = 0;
    let inner = stream::poll_fn(|_| {
        ends += 1;
        assert_eq!(ends, 1);
        Poll::Ready(None::<Result<Vec<u8>, Infallible>>)
    });
    let mut texts = TryDecodingStream::new(inner, UTF_8);
    assert_eq!(texts.next().await, None);
    assert_eq!(texts.next().await, None);
}

#[tokio::test]
async fn text_after_an_error_does_not_wait_for_the_next_piece() {
    // The second and third byte are text again after the error.
    let pieces = stream::iter([&b"\x81"[..], b"0\x81", b"\xFF"]).chain(stream::pending());
    let mut texts =
        DecodingStream::with_decoder(pieces, GB18030.new_decoder_without_bom_handling(), DecodeErrorMode::Fatal);
    assert_eq!(texts.next().await.unwrap().unwrap_err().bytes(), b"\x81");
    assert_eq!(texts.next().await.unwrap().unwrap(), "0");
    // The same at the end of one piece, of which 8 KB are decoded at once after the first error.
    for letters in [8188, 8189, 8190] {
        let piece = [&b"\xFF"[..], &b"a".repeat(letters), b"\x810\x81 "].concat();
        let pieces = [piece].into_iter().chain(std::iter::from_fn(|| panic!("the next piece is asked for")));
        let decoder = GB18030.new_decoder_without_bom_handling();
        let mut texts = DecodingStream::with_decoder(stream::iter(pieces), decoder, DecodeErrorMode::Fatal);
        assert_eq!(texts.next().await.unwrap().unwrap_err().bytes(), b"\xFF");
        assert_eq!(texts.next().await.unwrap().unwrap().len(), letters);
        assert_eq!(texts.next().await.unwrap().unwrap_err().bytes(), b"\x81");
        assert_eq!(texts.next().await.unwrap().unwrap(), "0");
        assert_eq!(texts.next().await.unwrap().unwrap_err().bytes(), b"\x81");
        assert_eq!(texts.next().await.unwrap().unwrap(), " ");
    }
}

#[test]
fn errors_have_a_message_and_a_source() {
    let error = StreamError::Stream(std::io::Error::other("broken"));
    assert_eq!(error.to_string(), "broken");
    let malformed = UTF_8.decode_or_fail(b"\xFF").unwrap_err();
    assert_eq!(StreamError::<Infallible>::Malformed(malformed).to_string(), "malformed bytes FF at offset 0");
}

#[tokio::test]
async fn a_byte_order_mark_decides_whatever_the_fallback_is() {
    for (encoding, bytes) in byte_samples().into_iter().filter(|(_, bytes)| bytes.len() < 10) {
        let Decoded { text, encoding: encoding_used, .. } = encoding.decode(&bytes);
        let mut texts = DecodingStream::new(stream::iter([&bytes]), encoding);
        let found: String = texts.by_ref().map(Result::unwrap).collect().await;
        assert_eq!((&*found, texts.encoding()), (&*text, encoding_used), "{encoding}");
        let mut texts = TryDecodingStream::new(stream::iter([Ok::<_, Infallible>(&bytes)]), encoding);
        let found: String = texts.by_ref().map(Result::unwrap).collect().await;
        assert_eq!((&*found, texts.encoding()), (&*text, encoding_used), "{encoding}");
    }
}
