use std::{
    io,
    pin::{Pin, pin},
    task::{Context, Poll},
};

use textcodec::{
    DecodeErrorMode, Decoded, EncodeErrorMode, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE,
    io::{AsyncDecodingReader, AsyncDecodingWriter, AsyncEncodingReader, AsyncEncodingWriter},
};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufWriter, ReadBuf};

use crate::io::{
    reluctant::{MOODS, Reluctant},
    samples::{
        Event, byte_samples, decode_fatally, encode_with_events, is_passing, nearly_utf_8_samples, push_error,
        push_output, texts,
    },
};

/// Turns `WouldBlock` into `Pending`, with a wake-up.
fn poll<T>(context: &mut Context<'_>, result: io::Result<T>) -> Poll<io::Result<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
            context.waker().wake_by_ref();
            Poll::Pending
        }
        result => Poll::Ready(result),
    }
}

impl AsyncRead for Reluctant<&[u8]> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        destination: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let result = self.call();
        let this = self.get_mut();
        poll(context, result).map_ok(|count| {
            let (now, later) = this.inner.split_at(count.min(destination.remaining()).min(this.inner.len()));
            destination.put_slice(now);
            this.inner = later;
        })
    }
}

impl AsyncWrite for Reluctant<Vec<u8>> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, source: &[u8]) -> Poll<io::Result<usize>> {
        let result = self.call();
        poll(context, result).map_ok(|count| {
            let count = count.min(source.len());
            self.inner.extend_from_slice(&source[..count]);
            count
        })
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = self.call();
        poll(context, result.map(drop))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = self.call();
        poll(context, result.map(drop))
    }
}

const SIZES: [usize; 4] = [1, 2, 7, 20_000];

async fn read_all(reader: impl AsyncRead, size: usize) -> Vec<Event> {
    let mut reader = pin!(reader);
    let (mut events, mut buffer) = (Vec::new(), vec![0; size]);
    loop {
        match reader.read(&mut buffer).await {
            Ok(0) => return events,
            Ok(count) => push_output(&mut events, &buffer[..count]),
            Err(error) if is_passing(&error) => {}
            Err(error) => push_error(&mut events, error),
        }
    }
}

async fn assert_reads<'a, R: AsyncRead>(bytes: &'a [u8], expected: &[Event], make: impl Fn(Reluctant<&'a [u8]>) -> R) {
    for mood in MOODS {
        for size in SIZES {
            let events = read_all(make(Reluctant::new(bytes, mood)), size).await;
            assert!(events == expected, "{mood:?}, buffer of {size}");
        }
    }
}

/// The common methods of both writers.
trait Adapter: AsyncWrite + Unpin {
    /// The bytes that have arrived at the inner writer.
    fn written(&mut self) -> &mut Vec<u8>;
}

impl Adapter for AsyncDecodingWriter<Reluctant<Vec<u8>>> {
    fn written(&mut self) -> &mut Vec<u8> {
        &mut self.get_mut().inner
    }
}

impl Adapter for AsyncEncodingWriter<Reluctant<Vec<u8>>> {
    fn written(&mut self) -> &mut Vec<u8> {
        &mut self.get_mut().inner
    }
}

/// Writes `bytes` in pieces of `size`, flushes and shuts down, and repeats each call after an error.
async fn write_all(mut writer: impl Adapter, mut bytes: &[u8], size: usize) -> Vec<Event> {
    let mut events = Vec::new();
    enum Phase {
        Write,
        Flush,
        ShutDown,
    }
    let mut phase = Phase::Write;
    loop {
        let result = match phase {
            Phase::Write => writer.write(&bytes[..size.min(bytes.len())]).await,
            Phase::Flush => writer.flush().await.map(|()| 0),
            Phase::ShutDown => writer.shutdown().await.map(|()| 0),
        };
        match (result, &phase) {
            (Ok(0), Phase::Write) if bytes.is_empty() => phase = Phase::Flush,
            (Ok(count), Phase::Write) => {
                assert!((1..=size).contains(&count));
                bytes = &bytes[count..];
            }
            (Ok(_), Phase::Flush) => phase = Phase::ShutDown,
            (Ok(_), Phase::ShutDown) => break,
            (Err(error), _) if is_passing(&error) => {}
            (Err(error), _) => {
                push_output(&mut events, &std::mem::take(writer.written()));
                push_error(&mut events, error);
            }
        }
    }
    push_output(&mut events, writer.written());
    events
}

async fn assert_writes<W: Adapter>(bytes: &[u8], expected: &[Event], make: impl Fn(Reluctant<Vec<u8>>) -> W) {
    for mood in MOODS {
        for size in SIZES {
            let events = write_all(make(Reluctant::new(Vec::new(), mood)), bytes, size).await;
            assert!(events == expected, "{mood:?}, by {size}");
        }
    }
}

fn output(bytes: &[u8]) -> Vec<Event> {
    let mut events = Vec::new();
    push_output(&mut events, bytes);
    events
}

#[cfg(all(feature = "sniff", feature = "single-byte"))]
#[tokio::test]
async fn an_async_sniffing_reader_reads_what_the_context_decodes() {
    for (context, bytes, hints) in crate::io::sniff::samples() {
        let expected = crate::io::sniff::expected(context, &bytes, hints);
        assert_reads(&bytes, &expected, |inner| {
            textcodec::io::AsyncSniffingReader::new(inner, context, hints).unwrap()
        })
        .await;
    }
}

#[tokio::test]
async fn a_decoding_reader_reads_what_decode_returns() {
    for (encoding, bytes) in byte_samples() {
        let Decoded { text, encoding: encoding_used, had_errors, .. } = encoding.decode(&bytes);
        let expected = output(text.as_bytes());
        assert_reads(&bytes, &expected, |inner| AsyncDecodingReader::new(inner, encoding)).await;

        let mut reader = AsyncDecodingReader::new(&*bytes, encoding);
        let mut read = String::new();
        assert_eq!(reader.read_to_string(&mut read).await.unwrap(), text.len());
        assert!(read == text);
        assert_eq!((reader.encoding(), reader.had_errors()), (encoding_used, had_errors));
        assert_eq!(reader.position(), bytes.len() as u64);
        assert_eq!(reader.into_inner(), b"");
    }
}

#[tokio::test]
async fn a_fatal_decoding_reader_returns_the_text_then_the_error_and_goes_on() {
    for (encoding, bytes) in byte_samples() {
        let events = decode_fatally(encoding.new_decoder(), &bytes);
        let make = |inner| AsyncDecodingReader::with_decoder(inner, encoding.new_decoder(), DecodeErrorMode::Fatal);
        assert_reads(&bytes, &events, make).await;
    }
}

#[tokio::test]
async fn a_filled_buffer_ends_between_code_points() {
    for (encoding, bytes) in byte_samples() {
        let mut reader = AsyncDecodingReader::new(Reluctant::new(&*bytes, MOODS[3]), encoding);
        let mut text = String::new();
        loop {
            let filled = reader.fill_buf().await.unwrap();
            if filled.is_empty() {
                break;
            }
            text.push_str(std::str::from_utf8(filled).unwrap());
            let count = filled.len();
            reader.consume(count);
        }
        assert!(text == encoding.decode(&bytes).text);
    }
}

#[tokio::test]
async fn lines_can_be_read() {
    let mut lines = AsyncDecodingReader::new(&b"\x83\x65\r\n\x83\x4C"[..], SHIFT_JIS).lines();
    assert_eq!(lines.next_line().await.unwrap().unwrap(), "テ");
    assert_eq!(lines.next_line().await.unwrap().unwrap(), "キ");
    assert_eq!(lines.next_line().await.unwrap(), None);
}

#[tokio::test]
async fn an_encoding_reader_returns_the_bytes_then_the_error_and_goes_on() {
    for encoding in [UTF_8, SHIFT_JIS, ISO_2022_JP] {
        for bytes in nearly_utf_8_samples() {
            for mode in [EncodeErrorMode::Html, EncodeErrorMode::Fatal] {
                let events = encode_with_events(encoding, &bytes, mode);
                let make = |inner| AsyncEncodingReader::with_encoder(inner, encoding.new_encoder(), mode);
                assert_reads(&bytes, &events, make).await;
            }
        }
    }
}

#[tokio::test]
async fn a_decoding_writer_writes_what_decode_returns() {
    for (encoding, bytes) in byte_samples() {
        let Decoded { text, encoding: encoding_used, had_errors, .. } = encoding.decode(&bytes);
        let expected = output(text.as_bytes());
        assert_writes(&bytes, &expected, |inner| AsyncDecodingWriter::new(inner, encoding)).await;

        let mut writer = AsyncDecodingWriter::new(Vec::new(), encoding);
        writer.write_all(&bytes).await.unwrap();
        writer.shutdown().await.unwrap();
        assert_eq!((writer.encoding(), writer.had_errors()), (encoding_used, had_errors));
        assert_eq!(writer.position(), bytes.len() as u64);
        assert!(writer.into_inner() == text.as_bytes());
    }
}

#[tokio::test]
async fn a_fatal_decoding_writer_reports_each_error_once_and_goes_on() {
    for (encoding, bytes) in byte_samples() {
        let events = decode_fatally(encoding.new_decoder(), &bytes);
        let make = |inner| AsyncDecodingWriter::with_decoder(inner, encoding.new_decoder(), DecodeErrorMode::Fatal);
        assert_writes(&bytes, &events, make).await;
    }
}

/// A writer in the error mode html, as [`Encoding::encode`] uses it.
fn html<W>(inner: W, encoding: Encoding) -> AsyncEncodingWriter<W> {
    AsyncEncodingWriter::with_encoder(inner, encoding.new_encoder(), EncodeErrorMode::Html)
}

#[tokio::test]
async fn an_unmappable_character_is_an_error_unless_the_caller_says_otherwise() {
    let mut writer = AsyncEncodingWriter::new(Vec::new(), SHIFT_JIS);
    writer.write_all("ab☃".as_bytes()).await.unwrap();
    let error = writer.shutdown().await.unwrap_err();
    assert_eq!(textcodec::io::unmappable(&error).unwrap().offset, 2);
    let mut writer = AsyncEncodingWriter::replacing(Vec::new(), SHIFT_JIS.new_encoder(), |_| "〓");
    writer.write_all("ab☃".as_bytes()).await.unwrap();
    writer.shutdown().await.unwrap();
    assert_eq!(writer.into_inner(), b"ab\x81\xAC");
}

#[tokio::test]
async fn an_encoding_writer_writes_what_encode_returns() {
    for encoding in [UTF_8, SHIFT_JIS, ISO_2022_JP, UTF_16LE] {
        for text in texts() {
            let expected = output(&encoding.encode(&text).bytes);
            assert_writes(text.as_bytes(), &expected, |inner| html(inner, encoding)).await;
        }
    }
}

#[tokio::test]
async fn an_encoding_writer_reports_each_error_once_and_goes_on() {
    for encoding in [UTF_8, SHIFT_JIS, ISO_2022_JP] {
        for bytes in nearly_utf_8_samples() {
            for mode in [EncodeErrorMode::Html, EncodeErrorMode::Fatal] {
                let events = encode_with_events(encoding, &bytes, mode);
                let make = |inner| AsyncEncodingWriter::with_encoder(inner, encoding.new_encoder(), mode);
                assert_writes(&bytes, &events, make).await;
            }
        }
    }
}

#[tokio::test]
async fn a_flush_writes_all_output_except_the_end_of_the_text_and_flushes_the_inner_writer() {
    let mut writer = AsyncEncodingWriter::new(BufWriter::new(Vec::new()), ISO_2022_JP);
    writer.write_all("テ".as_bytes()).await.unwrap();
    assert_eq!(writer.get_ref().get_ref(), b"");
    writer.flush().await.unwrap();
    assert_eq!(writer.get_ref().get_ref(), b"\x1B$B%F");
    writer.shutdown().await.unwrap();
    assert_eq!(writer.get_ref().get_ref(), b"\x1B$B%F\x1B(B");

    let mut writer = AsyncDecodingWriter::new(BufWriter::new(Vec::new()), SHIFT_JIS);
    writer.write_all(b"\x83\x65\x83").await.unwrap();
    writer.flush().await.unwrap();
    assert_eq!(writer.get_ref().get_ref(), "テ".as_bytes());
    writer.shutdown().await.unwrap();
    assert_eq!(writer.into_inner().into_inner(), "テ\u{FFFD}".as_bytes());
}

#[tokio::test]
async fn nothing_can_be_written_after_shutting_down() {
    let mut writer = AsyncEncodingWriter::new(Vec::new(), ISO_2022_JP);
    writer.write_all("テ".as_bytes()).await.unwrap();
    writer.shutdown().await.unwrap();
    assert_eq!(writer.write_all(b"a").await.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    writer.shutdown().await.unwrap();
    assert_eq!(writer.into_inner(), b"\x1B$B%F\x1B(B");
}

#[tokio::test]
async fn a_text_goes_through_a_pipe() {
    let text = crate::io::samples::long_text();
    let bytes = ISO_2022_JP.encode(&text).bytes;
    let (near, far) = tokio::io::duplex(16);
    let mut writer = html(near, ISO_2022_JP);
    let mut reader = AsyncDecodingReader::new(far, ISO_2022_JP);
    let mut received = String::new();
    // The reader ends because the writer is shut down, not because the writer is dropped.
    let write = async {
        writer.write_all(text.as_bytes()).await?;
        writer.shutdown().await
    };
    let (written, read) = tokio::join!(write, reader.read_to_string(&mut received));
    written.unwrap();
    read.unwrap();
    assert!(received == ISO_2022_JP.decode(&bytes).text);
}

#[tokio::test]
async fn an_empty_buffer_reads_nothing() {
    let mut reader = AsyncDecodingReader::new(&b"a"[..], UTF_8);
    assert_eq!(reader.read(&mut []).await.unwrap(), 0);
    assert_eq!((reader.get_ref().len(), reader.position()), (1, 0));
    assert_eq!(reader.read(&mut [0; 8]).await.unwrap(), 1);
}
