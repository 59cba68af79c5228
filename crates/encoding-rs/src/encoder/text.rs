//! The text that an encoder reads: UTF-8 or UTF-16.

use textcodec_core::EncoderHalf;
use textcodec_kernels::blocks::{skip, up_to};

/// A slice of text, in UTF-8 or UTF-16.
pub(super) trait Text {
    /// The number of units.
    fn length(&self) -> usize;

    /// The units from `at` on.
    fn after(&self, at: usize) -> &Self;

    /// The first character, U+FFFD for an unpaired surrogate, and its number of units.
    fn first(&self) -> Option<(char, usize)>;

    /// The characters before `at`, last one first. Each half of a surrogate pair may be one that is not ASCII.
    fn before(&self, at: usize) -> impl Iterator<Item = char>;

    /// Calls the bulk conversion, which stops before an unmappable character and before an unpaired surrogate. Returns
    /// how many units were read and how many bytes were written.
    fn convert(&self, half: &'static EncoderHalf, state: &mut u16, destination: &mut [u8]) -> (usize, usize);
}

impl Text for str {
    #[inline(always)]
    fn length(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn after(&self, at: usize) -> &Self {
        self.get(at..).unwrap_or_default()
    }

    fn first(&self) -> Option<(char, usize)> {
        let character = self.chars().next()?;
        Some((character, character.len_utf8()))
    }

    fn before(&self, at: usize) -> impl Iterator<Item = char> {
        self.get(..at).unwrap_or_default().chars().rev()
    }

    #[inline(always)]
    fn convert(&self, half: &'static EncoderHalf, state: &mut u16, destination: &mut [u8]) -> (usize, usize) {
        half.convert_from_utf8(state, self, destination)
    }
}

impl Text for [u16] {
    #[inline(always)]
    fn length(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn after(&self, at: usize) -> &Self {
        skip(self, at)
    }

    fn first(&self) -> Option<(char, usize)> {
        let character = char::decode_utf16(self.iter().copied()).next()?;
        Some(character.map_or((char::REPLACEMENT_CHARACTER, 1), |character| (character, character.len_utf16())))
    }

    fn before(&self, at: usize) -> impl Iterator<Item = char> {
        up_to(self, at).iter().rev().map(|&unit| char::from_u32(unit.into()).unwrap_or('\u{FFFE}'))
    }

    #[inline(always)]
    fn convert(&self, half: &'static EncoderHalf, state: &mut u16, destination: &mut [u8]) -> (usize, usize) {
        half.convert(state, self, destination)
    }
}
