//! Inputs of the tests, and the results that are expected of them.

use std::{io, str};

use textcodec::{
    Bom, DecodeErrorMode, DecodeStatus, Decoder, EncodeErrorMode, EncodeStatus, Encoding, GB18030, ISO_2022_JP,
    Malformed, REPLACEMENT, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, Unmappable,
};

/// A result of a fatal conversion that goes on after its errors.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Event {
    Output(Vec<u8>),
    Malformed(Malformed),
    Unmappable(Unmappable),
}

/// Appends output. The whole output between two errors is one event.
pub(crate) fn push_output(events: &mut Vec<Event>, output: &[u8]) {
    match events.last_mut() {
        _ if output.is_empty() => {}
        Some(Event::Output(before)) => before.extend_from_slice(output),
        _ => events.push(Event::Output(output.to_vec())),
    }
}

/// Appends the error inside `error`, which must be of the documented kind.
pub(crate) fn push_error(events: &mut Vec<Event>, error: io::Error) {
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    events.push(match error.downcast::<Malformed>() {
        Ok(malformed) => Event::Malformed(malformed),
        Err(error) => Event::Unmappable(error.downcast().unwrap()),
    });
}

/// Whether the caller of a read or write should try again.
pub(crate) fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionReset, Interrupted, WouldBlock};
    matches!(error.kind(), ConnectionReset | Interrupted | WouldBlock)
}

/// The results of a fatal decoder for the whole input.
pub(crate) fn decode_fatally(mut decoder: Decoder, mut bytes: &[u8]) -> Vec<Event> {
    let mut events = Vec::new();
    loop {
        let mut text = String::new();
        let result = decoder.decode_to_string(bytes, &mut text, true, DecodeErrorMode::Fatal);
        bytes = &bytes[result.read..];
        push_output(&mut events, text.as_bytes());
        match result.status {
            DecodeStatus::Malformed(malformed) => events.push(Event::Malformed(malformed)),
            _ => return events,
        }
    }
}

/// The results of an encoder for the whole input, which need not be UTF-8.
pub(crate) fn encode_with_events(encoding: Encoding, bytes: &[u8], mode: EncodeErrorMode) -> Vec<Event> {
    let (mut events, mut offset, mut malformed_before) = (Vec::new(), 0, 0);
    let mut encoder = encoding.new_encoder();
    let mut encode = |mut text: &str, last, malformed_before, events: &mut Vec<Event>| {
        loop {
            let mut output = Vec::new();
            let result = encoder.encode_str_to_vec(text, &mut output, last, mode);
            text = &text[result.read..];
            push_output(events, &output);
            match result.status {
                EncodeStatus::Unmappable(mut unmappable) => {
                    unmappable.offset += malformed_before;
                    events.push(Event::Unmappable(unmappable));
                }
                _ => return,
            }
        }
    };
    for chunk in bytes.utf8_chunks() {
        encode(chunk.valid(), false, malformed_before, &mut events);
        offset += chunk.valid().len() as u64;
        if !chunk.invalid().is_empty() {
            events.push(Event::Malformed(Malformed::new(offset, chunk.invalid().into())));
            offset += chunk.invalid().len() as u64;
            malformed_before += chunk.invalid().len() as u64;
        }
    }
    encode("", true, malformed_before, &mut events);
    events
}

/// Code points of one to four bytes in UTF-8, code points that legacy encodings cannot encode, and line ends.
const TEXT: &str = "Readme: テキスト、日本語の文章。\r\nnaïve ☃ — 中文 한국어 𝄞😀\n\u{FEFF}ｶﾀｶﾅ\u{1B}¥‾\t\n";

/// Enough text to fill the buffers several times, in lines of different lengths.
pub(crate) fn long_text() -> String {
    (0..200).map(|n| format!("{n}{}{}", &"x".repeat(n % 7), TEXT)).collect()
}

pub(crate) fn texts() -> Vec<String> {
    vec![String::new(), "a".into(), "テ".into(), "☃".into(), TEXT.into(), long_text()]
}

fn utf_16le_with_bom(text: &str) -> Vec<u8> {
    "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// Encodings, each with bytes: texts, truncated texts, texts with changed bytes, and byte order marks.
pub(crate) fn byte_samples() -> Vec<(Encoding, Vec<u8>)> {
    let mut samples = vec![
        (UTF_8, b"\xEF\xBB\xBFab".to_vec()),
        (SHIFT_JIS, b"\xEF\xBB\xBF\xE3\x83".to_vec()),
        (SHIFT_JIS, b"\xEF\xBB".to_vec()),
        (SHIFT_JIS, b"\xFF\xFE".to_vec()),
        (SHIFT_JIS, b"\xFE\xFFa".to_vec()),
        (SHIFT_JIS, b"\x82\xFFdef\x82a\x82".to_vec()),
        (ISO_2022_JP, b"\x1B$B%F\x1B(B\x1B$B\x1B(J\\\x1B".to_vec()),
        (GB18030, b"\x81\x30\x81\xFF\x81\x30\x81".to_vec()),
        (REPLACEMENT, b"abc".to_vec()),
        (UTF_8, vec![0xFF; 9000]),
    ];
    // The byte order mark of each encoding, also for fallbacks that have a byte order mark of their own.
    for encoding in [UTF_8, SHIFT_JIS, UTF_16BE, UTF_16LE, REPLACEMENT] {
        samples.extend(Bom::ALL.map(|bom| (encoding, [bom.bytes(), b"a\0\xE9"].concat())));
    }
    for text in texts() {
        for encoding in [UTF_8, SHIFT_JIS, ISO_2022_JP, GB18030, UTF_16LE] {
            let mut bytes =
                if encoding == UTF_16LE { utf_16le_with_bom(&text) } else { encoding.encode(&text).bytes.into_owned() };
            samples.push((encoding, bytes.clone()));
            bytes.pop();
            samples.push((encoding, bytes.clone()));
            let mut random = 1_u32;
            for byte in &mut bytes {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if random >> 24 < 12 {
                    *byte = (random >> 16) as u8;
                }
            }
            samples.push((encoding, bytes));
        }
    }
    samples
}

/// UTF-8, and bytes that are nearly UTF-8.
pub(crate) fn nearly_utf_8_samples() -> Vec<Vec<u8>> {
    let mut samples: Vec<Vec<u8>> = texts().into_iter().map(String::into_bytes).collect();
    samples.extend(byte_samples().into_iter().filter(|(encoding, _)| *encoding == UTF_8).map(|(_, bytes)| bytes));
    samples.push(b"a\xE0\x80b\xF0\x9F\x98\xE3\x83\x86\xC2".to_vec());
    samples
}

/// `bytes` as a string, if they are UTF-8.
pub(crate) fn is_utf_8(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}
