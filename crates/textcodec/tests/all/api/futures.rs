//! The two sides of the streams under the feature `futures-0_3`.

use std::{
    convert::Infallible,
    error::Error,
    pin::{Pin, pin},
    task::{Context, Poll},
};

use futures_util::{
    Sink, SinkExt, StreamExt,
    stream::{self, Stream},
};
use textcodec::api::{
    Readable, TextDecoderOptions, TextDecoderStream, TextEncoderStream, Transform, TypeError, Writable, WritableError,
};

fn decoder(fatal: bool) -> TextDecoderStream {
    TextDecoderStream::new("utf-8", TextDecoderOptions { fatal, ignore_bom: false }).unwrap()
}

async fn collect<T, E>(stream: impl Stream<Item = Result<T, E>>) -> Vec<Result<T, E>> {
    stream.collect().await
}

#[tokio::test]
async fn the_readable_side_has_the_enqueued_chunks_and_ends_with_the_first_error() {
    let chunks = [&b"a\xE2\x82"[..], b"", b"\xAC", b"b\xFF", b"c"];
    let text = collect(Readable::new(stream::iter(chunks), decoder(false))).await;
    assert_eq!(text, ["a", "€", "b\u{FFFD}", "c"].map(|text| Ok(text.to_owned())));
    let text = collect(Readable::new(stream::iter(chunks), decoder(true))).await;
    assert_eq!(text[..2], ["a", "€"].map(|text| Ok(text.to_owned())));
    assert_eq!(text.len(), 3);
    assert!(matches!(text[2], Err(TypeError(malformed)) if malformed.offset == 5));
}

#[tokio::test]
async fn the_end_of_the_chunks_flushes() {
    let text = collect(Readable::new(stream::iter([&b"\xE2"[..]]), decoder(false))).await;
    assert_eq!(text, [Ok("\u{FFFD}".to_owned())]);
    let text = collect(Readable::new(stream::iter([&b"\xE2"[..]]), decoder(true))).await;
    assert!(matches!(text[..], [Err(_)]));
    let units = [vec![0xD83D], vec![0xDCA9, 0xD83D]];
    let bytes = collect(Readable::new(stream::iter(units), TextEncoderStream::new())).await;
    assert_eq!(bytes, [Ok("💩".into()), Ok("\u{FFFD}".into())]);
}

#[tokio::test]
async fn a_chunk_is_taken_only_on_request() {
    let mut taken = 0;
    let chunks = stream::iter([b"a", b"b"]).inspect(|_| taken += 1);
    let mut text = pin!(Readable::new(chunks.map(|chunk| &chunk[..]), decoder(false)));
    assert_eq!(text.next().await, Some(Ok("a".to_owned())));
    assert_eq!(text.transform().as_encoding(), textcodec::UTF_8);
    let _ = text;
    assert_eq!(taken, 1);
}

#[tokio::test]
async fn the_writable_side_transforms_and_flushes_when_it_is_closed() {
    let mut text: Vec<String> = Vec::new();
    let mut sink = Writable::new(&mut text, decoder(false));
    for chunk in [&b"a\xE2"[..], b"\x82", b"\xAC\xE2"] {
        sink.send(chunk).await.unwrap();
    }
    assert_eq!(sink.transform().as_encoding(), textcodec::UTF_8);
    sink.close().await.unwrap();
    assert_eq!(text, ["a", "€", "\u{FFFD}"]);
}

#[tokio::test]
async fn the_error_of_a_chunk_is_returned_when_it_is_sent_and_in_every_later_call() {
    let mut text: Vec<String> = Vec::new();
    let mut sink = Writable::new(&mut text, decoder(true));
    sink.send(&b"a"[..]).await.unwrap();
    let error = sink.send(&b"\xFF"[..]).await.unwrap_err();
    assert!(matches!(error, WritableError::Transform(TypeError(malformed)) if malformed.offset == 1));
    assert_eq!(error.to_string(), "malformed bytes FF at offset 1");
    assert_eq!(sink.send(&b"b"[..]).await, Err(error));
    for _ in 0..2 {
        assert_eq!(sink.close().await, Err(error));
    }
    assert_eq!(text, ["a"]);
    // The same for a sequence that the end cuts off.
    let mut text: Vec<String> = Vec::new();
    let mut sink = Writable::new(&mut text, decoder(true));
    sink.send(&b"a\xE2"[..]).await.unwrap();
    let error = sink.close().await.unwrap_err();
    assert_eq!(error.to_string(), "malformed bytes E2 at offset 1");
    assert_eq!(sink.close().await, Err(error));
    assert_eq!(text, ["a"]);
}

#[test]
fn an_error_of_either_side_has_the_cause_of_that_error() {
    type WriteError = WritableError<TypeError, std::io::Error>;
    let malformed = textcodec::UTF_8.decode_or_fail(b"\xFF").unwrap_err();
    let transform = WriteError::Transform(TypeError(malformed));
    assert_eq!(transform.source().unwrap().to_string(), malformed.to_string());
    let sink = WriteError::Sink(std::io::Error::other(malformed));
    assert_eq!((sink.to_string(), sink.source().is_some()), (malformed.to_string(), malformed.source().is_some()));
}

/// Writes `end` whenever it is flushed.
struct Ending;

impl Transform for Ending {
    type Chunk = str;
    type Output = String;
    type Error = Infallible;

    fn transform(&mut self, chunk: &str) -> Result<Option<String>, Infallible> {
        Ok(Some(chunk.to_owned()))
    }

    fn flush(&mut self) -> Result<Option<String>, Infallible> {
        Ok(Some("end".to_owned()))
    }
}

/// A sink that is ready in each second call only.
#[derive(Default)]
struct Slow {
    items: Vec<String>,
    calls: usize,
}

impl Slow {
    fn poll(&mut self, context: &Context<'_>) -> Poll<Result<(), Infallible>> {
        self.calls += 1;
        assert!(self.calls < 20, "the sink is called again and again");
        if self.calls % 2 == 0 {
            return Poll::Ready(Ok(()));
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

impl Sink<String> for Slow {
    type Error = Infallible;

    fn poll_ready(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.poll(context)
    }

    fn start_send(mut self: Pin<&mut Self>, item: String) -> Result<(), Infallible> {
        self.items.push(item);
        Ok(())
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.poll(context)
    }

    fn poll_close(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.poll(context)
    }
}

#[tokio::test]
async fn a_transform_is_flushed_once_also_if_the_sink_is_not_ready() {
    let mut slow = Slow::default();
    let mut sink = Writable::new(&mut slow, Ending);
    sink.send("a").await.unwrap();
    sink.close().await.unwrap();
    assert_eq!(slow.items, ["a", "end"]);
    let chunks = collect(Readable::new(stream::iter(["a"]), Ending)).await;
    assert_eq!(chunks, ["a", "end"].map(|chunk| Ok(chunk.to_owned())));
}
