//! The decoder of a stream in any charset.

use alloc::string::String;
use core::{convert::Infallible, ops::ControlFlow};

#[cfg(feature = "std")]
use textcodec::charsets::CutRule;
use textcodec::{DecodeErrorMode, DecodeResult, DecodeStatus, charsets};

use super::{
    Charset, Kind,
    marked::MarkedDecoder,
    status::{self, Decode, Decoded, Malformed, Status},
};

/// The decoder of a stream. It stops at each malformed sequence, and can go on after it.
#[derive(Clone, Debug)]
pub struct Decoder {
    inner: Inner,
    /// The number of bytes that were [skipped](Self::skip).
    skipped: u64,
}

#[derive(Clone, Debug)]
enum Inner {
    Standard(textcodec::Decoder),
    Codec(charsets::Decoder),
    Marked(MarkedDecoder),
}

impl From<textcodec::Decoder> for Decoder {
    fn from(decoder: textcodec::Decoder) -> Self {
        Inner::Standard(decoder).into()
    }
}

impl From<Inner> for Decoder {
    fn from(inner: Inner) -> Self {
        Decoder { inner, skipped: 0 }
    }
}

impl Decoder {
    pub(super) fn new(charset: Charset, ignore_bom: bool) -> Self {
        let inner = match charset.0 {
            Kind::Standard(encoding) if ignore_bom => Inner::Standard(encoding.new_decoder_without_bom_handling()),
            Kind::Standard(encoding) => Inner::Standard(encoding.new_decoder()),
            Kind::Codec(charset) => Inner::Codec(charset.new_decoder()),
            Kind::Marked(marked) => Inner::Marked(MarkedDecoder::new(marked)),
        };
        inner.into()
    }

    /// Decodes `source`, the next bytes of the stream, into the capacity of `text`, which needs 4 bytes at least.
    /// `last` says that the stream ends with `source`.
    pub fn decode(&mut self, source: &[u8], text: &mut String, last: bool) -> Decoded {
        let mode = DecodeErrorMode::Fatal;
        let mut decoded = match &mut self.inner {
            Inner::Standard(decoder) => decoded(decoder.decode_to_string_within_capacity(source, text, last, mode)),
            Inner::Codec(decoder) => decoded(decoder.decode_to_string_within_capacity(source, text, last, mode)),
            Inner::Marked(decoder) => decoder.decode(source, text, last),
        };
        if let Status::Malformed(malformed) = &mut decoded.status {
            malformed.offset += self.skipped;
        }
        decoded
    }

    /// Decodes all of `source`, the next bytes of the stream, unless `each` breaks. `each` gets the text that was not
    /// cleared so far, and is called after every [`decode`](Self::decode). It can clear the text, and must do so (or
    /// give it more capacity) after [`Status::OutputFull`]. Its last call has the status [`Status::InputEmpty`].
    pub fn decode_pieces<B>(
        &mut self,
        source: &[u8],
        text: &mut String,
        last: bool,
        each: impl FnMut(&mut Self, &mut String, Decoded) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match status::decode_all(self, source, text, last, each) {
            Ok(flow) => flow,
            Err(never) => match never {},
        }
    }

    /// The text of `source`, the start of a stream, with U+FFFD for each malformed sequence.
    #[must_use]
    pub fn decode_start(mut self, source: &[u8], last: bool) -> String {
        let mut text = String::with_capacity(source.len());
        let _ = self.decode_pieces(source, &mut text, last, |_, text, decoded| {
            match decoded.status {
                Status::InputEmpty => {}
                Status::OutputFull => text.reserve(source.len() + 16),
                Status::Malformed(_) => text.push(char::REPLACEMENT_CHARACTER),
            }
            ControlFlow::<()>::Continue(())
        });
        text
    }

    /// The charset, which a byte order mark may have decided.
    #[must_use]
    pub fn charset(&self) -> Charset {
        match &self.inner {
            Inner::Standard(decoder) => decoder.encoding().into(),
            Inner::Codec(decoder) => Charset(Kind::Codec(decoder.encoding())),
            Inner::Marked(decoder) => Charset(Kind::Marked(decoder.charset)),
        }
    }

    /// Whether a byte order mark has decided the charset.
    #[must_use]
    pub fn is_by_mark(&self) -> bool {
        matches!(&self.inner, Inner::Standard(decoder) if decoder.bom().is_some())
    }

    /// Whether a byte order mark was removed.
    #[must_use]
    pub fn had_mark(&self) -> bool {
        self.is_by_mark() || self.charset().needs_bom()
    }

    /// The offset in the stream of the sequence that has begun, or of the next one.
    pub(crate) fn sequence_start(&self) -> u64 {
        let start = match &self.inner {
            Inner::Standard(decoder) => decoder.sequence_start(),
            Inner::Codec(decoder) => decoder.sequence_start(),
            Inner::Marked(decoder) => decoder.sequence_start(),
        };
        start + self.skipped
    }

    /// The places after which this decoder goes on as [another one](Self::after_cut). A byte order mark at the start of
    /// the stream is decoded.
    #[cfg(feature = "std")]
    pub(crate) fn cut_rule(&self) -> CutRule {
        match &self.inner {
            Inner::Standard(decoder) => decoder.encoding().as_core().codec().cut_rule(),
            Inner::Codec(decoder) => decoder.encoding().codec().cut_rule(),
            Inner::Marked(decoder) => decoder.after().map_or(CutRule::Never, Decoder::cut_rule),
        }
    }

    /// A new decoder for the text after a cut that the [rule](Self::cut_rule) allows.
    #[cfg(feature = "std")]
    pub(crate) fn after_cut(&self) -> Self {
        match &self.inner {
            Inner::Standard(decoder) => Inner::Standard(decoder.encoding().new_decoder_without_bom_handling()).into(),
            Inner::Codec(decoder) => Inner::Codec(decoder.encoding().new_decoder()).into(),
            Inner::Marked(decoder) => decoder.after().map_or_else(|| self.clone(), Decoder::after_cut),
        }
    }

    /// Leaves out the next bytes of the stream, which another decoder decodes. Before and after them, the text can be
    /// [cut](Self::cut_rule).
    #[cfg(feature = "std")]
    pub(crate) fn skip(&mut self, bytes: u64) {
        self.skipped += bytes;
    }
}

/// The result of a decoder of the library.
fn decoded(result: DecodeResult) -> Decoded {
    let status = match result.status {
        DecodeStatus::InputEmpty => Status::InputEmpty,
        DecodeStatus::OutputFull => Status::OutputFull,
        DecodeStatus::Malformed(malformed) => {
            Status::Malformed(Malformed::new(malformed.offset, malformed.bytes().to_vec()))
        }
    };
    Decoded::new(status, result.read)
}

impl Decode for Decoder {
    type Stop = Infallible;

    fn decode(&mut self, source: &[u8], text: &mut String, last: bool) -> Result<Decoded, Infallible> {
        Ok(Decoder::decode(self, source, text, last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoder(label: &str, start: &[u8]) -> Decoder {
        let mut decoder = Charset::for_label(label).unwrap().new_decoder(false);
        decoder.decode(start, &mut String::with_capacity(100), false);
        decoder
    }

    #[test]
    fn bytes_that_were_left_out_count_in_every_offset() {
        for (label, start, bytes, length) in [
            ("utf-8", &b"abc"[..], &b"d\xFF"[..], 1),
            ("cp866nav", b"abc", b"d\xF2\xFF", 0),
            ("utf-16-bom", b"\xFF\xFEa\0", b"b\0\0\xDCc\0", 2),
            ("gb18030", b"\x81\x30\x81\x30", b"d\xFF", 1),
        ] {
            let mut decoder = decoder(label, start);
            decoder.skip(1000);
            decoder.skip(24);
            let before = start.len() as u64 + 1024;
            assert_eq!(decoder.sequence_start(), before, "{label}");
            let decoded = decoder.decode(bytes, &mut String::with_capacity(100), true);
            match decoded.status {
                Status::Malformed(malformed) => assert_eq!(malformed.offset, before + length, "{label}"),
                status => assert_eq!((length, status), (0, Status::InputEmpty), "{label}"),
            }
        }
    }

    #[test]
    fn a_decoder_of_the_library_goes_on_where_it_is() {
        let mut started = textcodec::UTF_8.new_decoder();
        let _ = started.decode_to_string_within_capacity(
            b"abc\xC3",
            &mut String::with_capacity(100),
            false,
            DecodeErrorMode::Fatal,
        );
        let mut decoder = Decoder::from(started);
        assert_eq!((decoder.charset(), decoder.sequence_start()), (Charset::UTF_8, 3));
        let mut text = String::with_capacity(100);
        let decoded = decoder.decode(b"\xA9\xFF", &mut text, true);
        let status = Status::Malformed(Malformed::new(5, [0xFF].into()));
        assert_eq!((decoded.status, &*text), (status, "é"));
    }

    #[test]
    fn a_decoder_after_a_cut_keeps_byte_order_marks_and_the_byte_order() {
        for (label, start, bytes, text) in [
            ("utf-8", &b"a"[..], &b"\xEF\xBB\xBFb"[..], "\u{FEFF}b"),
            ("utf-8", b"\xFF\xFEa\0", b"\xFF\xFEb\0", "\u{FEFF}b"),
            ("windows-1252", b"a", b"\xFF\xFEb", "ÿþb"),
            ("utf-16-bom", b"\xFF\xFEa\0", b"\xFF\xFEb\0", "\u{FEFF}b"),
            ("utf-16-bom", b"\xFE\xFF\0a", b"\xFE\xFF\0b", "\u{FEFF}b"),
            ("utf-32", b"\xFF\xFE\0\0a\0\0\0", b"b\0\0\0", "b"),
            ("utf-32", b"\0\0\xFE\xFF\0\0\0a", b"\0\0\0b", "b"),
            ("cp437", b"a", b"\x82", "é"),
        ] {
            let before = decoder(label, start);
            assert_eq!(before.after_cut().decode_start(bytes, true), text, "{label}");
            assert_eq!(before.cut_rule(), before.after_cut().cut_rule(), "{label}");
            assert_eq!(before.cut_rule() == CutRule::Never, label == "utf-32", "{label}");
        }
        // Before its mark, a text can be neither cut nor decoded by another decoder.
        let marked = decoder("utf-16-bom", b"\xFE");
        assert_eq!(marked.cut_rule(), CutRule::Never);
        assert_eq!(marked.after_cut().decode_start(b"\xFF\0a", true), "a");
    }

    #[test]
    fn a_decoder_tells_whether_a_mark_was_removed_and_whether_it_decided() {
        for (label, bytes, is_by_mark, had_mark, charset) in [
            ("utf-8", &b"\xEF\xBB\xBFa"[..], true, true, "UTF-8"),
            ("utf-8", b"abcd", false, false, "UTF-8"),
            ("windows-1252", b"\xFE\xFF\0a", true, true, "UTF-16BE"),
            ("utf-16-bom", b"\xFF\xFEa\0", false, true, "utf-16-bom"),
            ("utf-32", b"\xFF\xFE\0\0a\0\0\0", false, true, "utf-32"),
            ("utf-32le", b"\xFF\xFE\0\0a\0\0\0", false, false, "utf-32le"),
        ] {
            let decoder = decoder(label, bytes);
            let found = (decoder.is_by_mark(), decoder.had_mark(), decoder.charset().name());
            assert_eq!(found, (is_by_mark, had_mark, charset), "{label}");
        }
    }
}
