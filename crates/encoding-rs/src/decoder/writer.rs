//! Where decoders write: UTF-8 with a proof that it is UTF-8, and UTF-16.
//!
//! The core has two traits of the same names, with fewer functions. They are not shared: the core's bulk conversion
//! takes an encoding's functions as an argument of their own, so that a program links only what it calls, and this one
//! takes a limit, and both are inlined into their loops.

use textcodec_core::{Codec, DecodeErrorMode, handler::CodePoints};
use textcodec_kernels::{
    blocks::{skip, skip_mut, up_to},
    string::{Utf8Space, Utf8Writer, Utf8Written},
};

/// Where decoded text goes: a slice, so that it is passed in registers.
pub(super) trait Destination {
    type Writer: Writer<Proof = Self::Proof>;
    /// A proof of what has been written.
    type Proof;

    fn writer(self) -> Self::Writer;
}

impl<'id> Destination for Utf8Space<'id> {
    type Writer = Utf8Writer<'id>;
    type Proof = Utf8Written<'id>;

    #[inline(always)]
    fn writer(self) -> Utf8Writer<'id> {
        Utf8Space::writer(self)
    }
}

impl<'a> Destination for &'a mut [u16] {
    type Writer = Utf16Writer<'a>;
    type Proof = ();

    #[inline(always)]
    fn writer(self) -> Utf16Writer<'a> {
        Utf16Writer { units: self, written: 0 }
    }
}

/// A destination, and how much of it has been written.
pub(super) trait Writer {
    type Proof;
    /// Whether the units are code units of UTF-16.
    const IS_UTF16: bool;

    /// How many units are free.
    fn remaining(&self) -> usize;

    /// How many units have been written.
    fn written(&self) -> usize;

    /// The characters written after the first `from` units, last one first. Each half of a surrogate pair may be one
    /// that is not ASCII.
    fn after(&self, from: usize) -> impl Iterator<Item = char>;

    /// The number of units written up to the end of the first character after the first `from` units.
    fn end_of_first(&self, from: usize) -> usize;

    /// Writes all of `code_points` if they fit. Returns whether they fit.
    fn push(&mut self, code_points: CodePoints) -> bool;

    /// Calls the bulk conversion into the next `limit` units. Returns how many bytes were read.
    fn convert(
        &mut self,
        codec: &'static Codec,
        state: &mut u64,
        source: &[u8],
        limit: usize,
        mode: DecodeErrorMode,
    ) -> usize;

    /// Ends the writing.
    fn finish(self) -> Self::Proof;
}

impl<'id> Writer for Utf8Writer<'id> {
    type Proof = Utf8Written<'id>;
    const IS_UTF16: bool = false;

    #[inline(always)]
    fn remaining(&self) -> usize {
        Utf8Writer::remaining(self)
    }

    #[inline(always)]
    fn written(&self) -> usize {
        Utf8Writer::written(self)
    }

    fn after(&self, from: usize) -> impl Iterator<Item = char> {
        self.text().get(from..).unwrap_or_default().chars().rev()
    }

    fn end_of_first(&self, from: usize) -> usize {
        from + self.text().get(from..).and_then(|text| text.chars().next()).map_or(0, char::len_utf8)
    }

    #[inline]
    fn push(&mut self, code_points: CodePoints) -> bool {
        code_points.write_utf8(self)
    }

    #[inline(always)]
    fn convert(
        &mut self,
        codec: &'static Codec,
        state: &mut u64,
        source: &[u8],
        limit: usize,
        mode: DecodeErrorMode,
    ) -> usize {
        self.write(|space| codec.decoder_convert_to_utf8(state, source, space.up_to(limit), mode))
    }

    #[inline(always)]
    fn finish(self) -> Utf8Written<'id> {
        Utf8Writer::finish(self)
    }
}

/// Writes UTF-16. It needs no proof: every slice of code units is UTF-16.
pub(super) struct Utf16Writer<'a> {
    units: &'a mut [u16],
    written: usize,
}

impl Writer for Utf16Writer<'_> {
    type Proof = ();
    const IS_UTF16: bool = true;

    #[inline(always)]
    fn remaining(&self) -> usize {
        self.units.len() - self.written
    }

    #[inline(always)]
    fn written(&self) -> usize {
        self.written
    }

    fn after(&self, from: usize) -> impl Iterator<Item = char> {
        let units = skip(up_to(self.units, self.written), from);
        units.iter().rev().map(|&unit| char::from_u32(unit.into()).unwrap_or('\u{FFFE}'))
    }

    fn end_of_first(&self, from: usize) -> usize {
        // A character that an earlier call has begun and the bulk conversion ends is never a pair of surrogates.
        from + 1
    }

    #[inline]
    fn push(&mut self, code_points: CodePoints) -> bool {
        let length = code_points.write_utf16(skip_mut(self.units, self.written));
        self.written += length.unwrap_or_default();
        length.is_some()
    }

    #[inline(always)]
    fn convert(
        &mut self,
        codec: &'static Codec,
        state: &mut u64,
        source: &[u8],
        limit: usize,
        mode: DecodeErrorMode,
    ) -> usize {
        let to = &mut self.units[self.written..];
        let limit = limit.min(to.len());
        let (read, written) = codec.decoder_convert(state, source, &mut to[..limit], mode);
        self.written += written;
        read
    }

    #[inline(always)]
    fn finish(self) {}
}
