//! UTF-16 and UTF-32 with a byte order mark at the start of every text.
//!
//! glibc and the [charsets](textcodec::charsets) take a text without a mark as little-endian. Here it is malformed, so
//! that a text with another byte order is not converted to nonsense.

use alloc::{boxed::Box, string::String, vec::Vec};

use textcodec::{UTF_16BE, UTF_16LE, charsets::unicode};

use super::{
    Charset, Kind,
    decoder::Decoder,
    status::{Decoded, Malformed, Status},
};

/// A charset whose texts start with a byte order mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Marked {
    Utf16,
    /// As UTF-16, but written in big-endian order.
    Utf16Be,
    Utf32,
}

impl Marked {
    pub(super) const ALL: [Marked; 3] = [Marked::Utf16, Marked::Utf16Be, Marked::Utf32];

    /// The labels, the name first.
    pub(super) fn labels(self) -> &'static [&'static str] {
        match self {
            Marked::Utf16 => &["utf-16-bom", "utf-16le-bom"],
            Marked::Utf16Be => &["utf-16be-bom"],
            Marked::Utf32 => &["utf-32", "utf32"],
        }
    }

    /// The byte order in which texts are written.
    pub(super) fn is_little_endian(self) -> bool {
        self != Marked::Utf16Be
    }

    /// The byte order mark in the order in which texts are written.
    pub(super) fn mark(self) -> &'static [u8] {
        match self {
            Marked::Utf16 => &[0xFF, 0xFE],
            Marked::Utf16Be => &[0xFE, 0xFF],
            Marked::Utf32 => &[0xFF, 0xFE, 0, 0],
        }
    }

    /// The charset of the text after the mark.
    pub(super) fn after_mark(self, is_little_endian: bool) -> Charset {
        match (self, is_little_endian) {
            (Marked::Utf16 | Marked::Utf16Be, true) => UTF_16LE.into(),
            (Marked::Utf16 | Marked::Utf16Be, false) => UTF_16BE.into(),
            (Marked::Utf32, true) => Charset(Kind::Codec(unicode::UTF_32LE)),
            (Marked::Utf32, false) => Charset(Kind::Codec(unicode::UTF_32BE)),
        }
    }
}

/// The decoder of a stream with a byte order mark.
#[derive(Clone, Debug)]
pub(super) struct MarkedDecoder {
    pub(super) charset: Marked,
    /// The first bytes, as long as they are fewer than a mark has.
    start: Vec<u8>,
    /// The decoder of the bytes after the mark.
    after: Option<Box<Decoder>>,
}

impl MarkedDecoder {
    pub(super) fn new(charset: Marked) -> Self {
        MarkedDecoder { charset, start: Vec::with_capacity(4), after: None }
    }

    /// As [`Decoder::decode`].
    pub(super) fn decode(&mut self, source: &[u8], text: &mut String, last: bool) -> Decoded {
        let mark = self.charset.mark();
        let mut read = 0;
        if self.after.is_none() {
            read = source.len().min(mark.len() - self.start.len());
            self.start.extend_from_slice(&source[..read]);
            if self.start.len() < mark.len() {
                let status = match last && !self.start.is_empty() {
                    true => Status::Malformed(Malformed::new(0, core::mem::take(&mut self.start))),
                    false => Status::InputEmpty,
                };
                return Decoded::new(status, read);
            }
            let is_as_written = self.start == mark;
            let is_mark = is_as_written || self.start.iter().rev().eq(mark);
            // What follows a start that is no mark is big-endian, the order of texts that say nothing.
            let is_little_endian = is_mark && is_as_written == self.charset.is_little_endian();
            self.after = Some(Box::new(self.charset.after_mark(is_little_endian).new_decoder(true)));
            let start = core::mem::take(&mut self.start);
            if !is_mark {
                return Decoded::new(Status::Malformed(Malformed::new(0, start)), read);
            }
        }
        let Some(after) = &mut self.after else { return Decoded::new(Status::InputEmpty, read) };
        let mut decoded = after.decode(&source[read..], text, last);
        if let Status::Malformed(malformed) = &mut decoded.status {
            // The offset of the decoder counts from the mark.
            malformed.offset += mark.len() as u64;
        }
        Decoded::new(decoded.status, read + decoded.read)
    }

    /// The decoder of the bytes after the mark, if the mark is decoded.
    #[cfg(feature = "std")]
    pub(super) fn after(&self) -> Option<&Decoder> {
        self.after.as_deref()
    }

    /// As [`Decoder::sequence_start`].
    pub(super) fn sequence_start(&self) -> u64 {
        self.after.as_ref().map_or(0, |after| after.sequence_start() + self.charset.mark().len() as u64)
    }
}
