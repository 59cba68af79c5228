//! Where decoders write: UTF-8 with a proof that it is UTF-8, and UTF-16.

use textcodec_kernels::{
    blocks::skip_mut,
    string::{Utf8Space, Utf8Writer, Utf8Written},
};

use crate::{Codec, DecodeErrorMode, codec::DecoderFunctions, handler::CodePoints};

/// Where decoded text goes: a slice, so that it is passed in registers.
pub(super) trait Destination {
    type Writer: Writer;

    fn writer(self) -> Self::Writer;
}

impl<'id> Destination for Utf8Space<'id> {
    type Writer = Utf8Writer<'id>;

    #[inline(always)]
    fn writer(self) -> Utf8Writer<'id> {
        Utf8Space::writer(self)
    }
}

impl<'a> Destination for &'a mut [u16] {
    type Writer = Utf16Writer<'a>;

    #[inline(always)]
    fn writer(self) -> Utf16Writer<'a> {
        Utf16Writer { units: self, written: 0 }
    }
}

/// A destination, and how much of it has been written.
pub(super) trait Writer {
    /// A proof of what has been written.
    type Proof;

    /// How many code units have been written.
    fn written(&self) -> usize;

    /// Writes all of `code_points` if they fit. Returns whether they fit.
    fn push(&mut self, code_points: CodePoints) -> bool;

    /// Calls the bulk conversion into this unit. Returns how many bytes were read.
    fn convert(
        &mut self,
        functions: &DecoderFunctions,
        codec: &'static Codec,
        state: &mut u64,
        source: &[u8],
        mode: DecodeErrorMode,
    ) -> usize;

    /// Ends the writing.
    fn finish(self) -> Self::Proof;
}

impl<'id> Writer for Utf8Writer<'id> {
    type Proof = Utf8Written<'id>;

    #[inline(always)]
    fn written(&self) -> usize {
        Utf8Writer::written(self)
    }

    #[inline]
    fn push(&mut self, code_points: CodePoints) -> bool {
        code_points.write_utf8(self)
    }

    #[inline(always)]
    fn convert(
        &mut self,
        functions: &DecoderFunctions,
        codec: &'static Codec,
        state: &mut u64,
        source: &[u8],
        mode: DecodeErrorMode,
    ) -> usize {
        self.write(|space| (functions.convert_to_utf8)(codec, state, source, space, mode))
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

    #[inline(always)]
    fn written(&self) -> usize {
        self.written
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
        functions: &DecoderFunctions,
        codec: &'static Codec,
        state: &mut u64,
        source: &[u8],
        mode: DecodeErrorMode,
    ) -> usize {
        let to = skip_mut(self.units, self.written);
        let (read, written) = (functions.convert)(codec, state, source, to, mode);
        self.written += written;
        read
    }

    #[inline(always)]
    fn finish(self) {}
}
