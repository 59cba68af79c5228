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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charset::Charset;

    #[test]
    fn each_character_has_the_offset_of_its_bytes() {
        for (label, bytes, expected) in [
            ("utf-8", "aé☃b".as_bytes(), &[0, 1, 3, 6][..]),
            ("shift_jis", b"a\x83\x65\xB1b", &[0, 1, 3, 4]),
            ("utf-16le", b"a\0\x3D\xD8\x00\xDEb\0", &[0, 2, 6]),
            // Two characters come from one sequence.
            ("big5", b"a\x88\x62b", &[0, 1, 1, 3]),
            ("gb18030", b"\x81\x30\x81\x30a", &[0, 4]),
            ("iso-2022-jp", b"\x1B$B$\"\x1B(Ba", &[3, 8]),
            ("windows-1252", b"\x80a\xE9", &[0, 1, 2]),
            ("utf-16-bom", b"\xFF\xFEa\0\xE9\0", &[2, 4]),
            ("utf-32", b"\0\0\xFE\xFF\0\0\0a\0\0\0\xE9", &[4, 8]),
        ] {
            let decoder = Charset::for_label(label).unwrap().new_decoder(true);
            let text = decoder.clone().decode_start(bytes, true);
            let mut locator = Locator::new(decoder, bytes);
            let found: alloc::vec::Vec<_> = text.char_indices().map(|(start, _)| locator.find(start)).collect();
            assert_eq!(found, expected, "{label}");
        }
    }
}
