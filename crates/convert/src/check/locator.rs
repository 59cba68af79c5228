//! The offset in a file of a character in its text.

use alloc::string::String;

use crate::charset::Decoder;

/// Finds the offset of a character in the file, by decoding a piece of the file again, byte by byte.
pub(super) struct Locator<'a> {
    /// As it was before `source`.
    decoder: Decoder,
    source: &'a [u8],
    /// The length of the text of the bytes before `source`.
    text: usize,
    /// The offset of the last sequence of bytes before `source`.
    found: u64,
}

impl<'a> Locator<'a> {
    /// `decoder` is as it was before `source`.
    pub(super) fn new(decoder: Decoder, source: &'a [u8]) -> Self {
        Locator { decoder, source, text: 0, found: 0 }
    }

    /// The offset in the file of the character at `start` in the text of the piece. Calls come in the order of the
    /// text.
    pub(super) fn find(&mut self, start: usize) -> u64 {
        let mut text = String::with_capacity(16);
        // Two characters of the text can come from one sequence of bytes.
        while self.text <= start
            && let Some((byte, rest)) = self.source.split_first()
        {
            let sequence = self.decoder.sequence_start();
            self.decoder.decode(core::slice::from_ref(byte), &mut text, false);
            self.source = rest;
            if !text.is_empty() {
                self.text += text.len();
                self.found = sequence;
                text.clear();
            }
        }
        self.found
    }
}
