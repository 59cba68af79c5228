//! Readers and writers over streams that fail, are interrupted, or take a few bytes at a time convert what a whole text
//! converts to, if the caller calls again after each error.

use std::io::{self, Error, ErrorKind, Read, Write};

use textcodec::{
    DecodeErrorMode, EncodeErrorMode,
    io::{DecodingReader, DecodingWriter, EncodingReader, EncodingWriter, SniffingReader},
    sniff::{Context, ContextExt, Hints},
};

use crate::{Input, Random};

/// A stream that fails often.
struct Faulty<T> {
    inner: T,
    random: Random,
}

impl<T> Faulty<T> {
    /// The number of bytes that the next call converts, or its error.
    fn next(&mut self, length: usize) -> io::Result<usize> {
        match self.random.below(8) {
            0 => Err(Error::from(ErrorKind::Interrupted)),
            1 => Err(Error::from(ErrorKind::WouldBlock)),
            2 => Err(Error::other("the stream failed")),
            3 => Ok(length),
            _ => Ok(length.min(1 + self.random.below(12))),
        }
    }
}

impl Read for Faulty<&[u8]> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.next(buffer.len())?;
        self.inner.read(&mut buffer[..length])
    }
}

impl Write for Faulty<Vec<u8>> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.next(bytes.len())?;
        self.inner.extend_from_slice(&bytes[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.next(0).map(drop)
    }
}

/// Checks what holds for an input.
///
/// # Panics
/// If it does not hold.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let (kind, encoding, random, mut own) = (input.byte(), input.encoding(), input.random(), input.random());
    match kind % 5 {
        0 => {
            let inner = Faulty { inner: input.rest(), random };
            let expected = encoding.decode(inner.inner).text.into_owned();
            assert_eq!(read(DecodingReader::new(inner, encoding), &mut own, false), expected.as_bytes());
        }
        1 => {
            let text = input.text();
            let mode = if kind & 8 == 0 { EncodeErrorMode::Html } else { EncodeErrorMode::Fatal };
            let mut expected = Vec::new();
            let mut encoder = encoding.new_encoder();
            let mut rest = text;
            while {
                let result = encoder.encode_str_to_vec(rest, &mut expected, true, mode);
                rest = &rest[result.read..];
                !matches!(result.status, textcodec::EncodeStatus::InputEmpty)
            } {}
            let inner = Faulty { inner: text.as_bytes(), random };
            let reader = EncodingReader::with_encoder(inner, encoding.new_encoder(), mode);
            assert_eq!(read(reader, &mut own, mode == EncodeErrorMode::Fatal), expected);
        }
        2 => {
            let bytes = input.rest();
            let mode = if kind & 8 == 0 { DecodeErrorMode::Replacement } else { DecodeErrorMode::Fatal };
            let (mut decoder, mut expected, mut rest) = (encoding.new_decoder(), String::new(), bytes);
            while {
                let result = decoder.decode_to_string(rest, &mut expected, true, mode);
                rest = &rest[result.read..];
                !matches!(result.status, textcodec::DecodeStatus::InputEmpty)
            } {}
            let inner = Faulty { inner: Vec::new(), random };
            let writer = DecodingWriter::with_decoder(inner, encoding.new_decoder(), mode);
            let is_fatal = mode == DecodeErrorMode::Fatal;
            assert_eq!(write(writer, bytes, &mut own, is_fatal), expected.as_bytes(), "{encoding}");
        }
        3 => {
            let text = input.text();
            let inner = Faulty { inner: Vec::new(), random };
            let writer = EncodingWriter::with_encoder(inner, encoding.new_encoder(), EncodeErrorMode::Html);
            let mut expected = Vec::new();
            let _ = encoding.new_encoder().encode_str_to_vec(text, &mut expected, true, EncodeErrorMode::Html);
            assert_eq!(write(writer, text.as_bytes(), &mut own, false), expected, "{encoding}");
        }
        _ => {
            let bytes = input.rest();
            let context = Context::ALL[usize::from(kind / 5) % Context::ALL.len()];
            let hints = Hints { default: Some(encoding.id()), ..Hints::default() };
            let Ok(expected) = context.decode(bytes, hints) else { return };
            let inner = Faulty { inner: bytes, random };
            let Ok(reader) = SniffingReader::new(inner, context, hints) else { return };
            let reader = reader.with_declaration_limit(usize::MAX);
            assert_eq!(read(reader, &mut own, false), expected.text.as_bytes(), "{context}");
        }
    }
}

/// Whether a program calls again after this error. Errors of the text are of the kind "invalid data".
fn goes_on(error: &Error, is_fatal: bool) -> bool {
    match error.kind() {
        ErrorKind::InvalidData => is_fatal,
        kind => matches!(kind, ErrorKind::Interrupted | ErrorKind::WouldBlock | ErrorKind::Other),
    }
}

/// Reads everything, with buffers of all sizes.
fn read(mut reader: impl Read, random: &mut Random, is_fatal: bool) -> Vec<u8> {
    let mut output = Vec::new();
    loop {
        let mut buffer = vec![0; 1 + random.below(60)];
        match reader.read(&mut buffer) {
            Ok(0) => return output,
            Ok(length) => output.extend_from_slice(&buffer[..length]),
            Err(error) => assert!(goes_on(&error, is_fatal), "{error}"),
        }
    }
}

/// Writes everything in pieces of all sizes. Returns what has arrived.
fn write<D: textcodec::io::Direction>(
    mut writer: textcodec::io::Writer<Faulty<Vec<u8>>, D>,
    mut bytes: &[u8],
    random: &mut Random,
    is_fatal: bool,
) -> Vec<u8> {
    while !bytes.is_empty() {
        let piece = &bytes[..bytes.len().min(1 + random.below(60))];
        match writer.write(piece) {
            Ok(length) => bytes = &bytes[length..],
            Err(error) => assert!(goes_on(&error, is_fatal), "{error}"),
        }
        let flushed = if random.below(9) == 0 { writer.flush() } else { Ok(()) };
        if let Err(error) = flushed {
            assert!(goes_on(&error, is_fatal), "{error}");
        }
    }
    while let Err(error) = writer.try_finish() {
        assert!(goes_on(&error, is_fatal), "{error}");
    }
    std::mem::take(&mut writer.get_mut().inner)
}
