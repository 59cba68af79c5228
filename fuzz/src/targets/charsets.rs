//! A charset that the Standard does not have passes the battery of `core` on any bytes and any text; what it decodes or
//! encodes without an error, glibc's iconv(3) converts to the same, unless the table of differences lists the charset.

use std::sync::LazyLock;

use textcodec::charsets::{Charset, Names};
use textcodec_core::testing::{self, Subject};

use crate::{Conversion, Iconv, Input, is_different};

static GLIBC: LazyLock<Option<Iconv>> = LazyLock::new(Iconv::of_glibc);

/// The longest text for the whole battery of an encoder, in bytes: its time is the square of the length.
const LONGEST_FOR_BATTERY: usize = 12;

/// Checks what holds for an input.
///
/// # Panics
/// If it does not hold.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let (kind, charset) = (input.byte(), input.charset());
    let subject =
        Subject::new(charset.name(), charset.codec(), 16).with_selector(textcodec_core::Handle::selector(charset));
    if kind & 1 == 0 {
        let bytes = input.rest();
        testing::check_decoder(subject, &bytes[..bytes.len().min(200)]);
        compare(charset, "decoding", bytes);
    } else if charset.new_encoder().is_some() {
        let text = input.text();
        testing::check_encoder_at(subject, text, text.len() * usize::from(kind) / 256, usize::from(kind % 40) + 1);
        if text.len() <= LONGEST_FOR_BATTERY {
            testing::check_encoder(subject, text);
        }
        compare(charset, "encoding", text.as_bytes());
    }
}

/// Compares the conversion of a source that both libraries convert without an error.
fn compare(charset: Charset, way: &str, source: &[u8]) {
    let Some((glibc, name)) = (*GLIBC).zip(charset.names(Names::Glibc).next()) else { return };
    let name = name.trim_end_matches('/');
    if is_different(name, "", way) {
        return;
    }
    let ours = match way {
        "decoding" => charset.decode_or_fail(source).ok().map(String::into_bytes),
        _ => std::str::from_utf8(source).ok().and_then(|text| charset.encode_or_fail(text).ok()),
    };
    let opened = match way {
        "decoding" => glibc.open(name, "UTF-8"),
        _ => glibc.open("UTF-8", name),
    };
    let Some(opened) = opened else { return };
    // glibc leaves out tags, and reads and writes byte order marks.
    let text = if way == "decoding" { ours.as_deref().unwrap_or_default() } else { source };
    let text = String::from_utf8_lossy(text);
    if text.contains(|character| matches!(character, '\u{E0000}'..='\u{E007F}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}'))
    {
        return;
    }
    let theirs = convert(opened, source);
    if let (Some(ours), Some(theirs)) = (ours, theirs) {
        assert_eq!(ours, theirs, "{name}: {way} {source:02X?}: {:?}", String::from_utf8_lossy(&ours));
    }
}

/// The output of glibc. `None` if there is an error.
fn convert(mut opened: Conversion, source: &[u8]) -> Option<Vec<u8>> {
    let mut call = opened.call(Some(source), source.len() * 16 + 64);
    if call.result.is_err() || call.read != source.len() {
        return None;
    }
    call.bytes.extend(opened.call(None, 64).bytes);
    Some(call.bytes)
}
