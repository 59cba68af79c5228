//! Pages: single-byte charsets that the Standard does not have, in which ASCII can have other bytes than its own.
//!
//! EBCDIC and the national variants of ISO 646 are pages. A page is a table of an ASCII-based encoding, called the
//! page's *repertoire*, and the byte of that table for each byte of the page. Bulk conversions exchange bytes, and the
//! kernels of the single-byte encodings do the rest. Many pages have one repertoire: a dozen code pages of EBCDIC are
//! permutations of Latin-1.

#[cfg(feature = "encode")]
use super::ByteTable;
use super::{Characters, NULL};

/// The number of bytes.
const BYTES: usize = 256;

/// What only decoding needs of a page.
#[derive(Debug)]
pub struct Page {
    bytes: [u8; BYTES],
    characters: &'static Characters,
    exceptions: &'static [(u8, u16)],
}

impl Page {
    /// The page whose byte `b` has the character of the byte `bytes[b]` in an encoding with ASCII and `characters`.
    ///
    /// `exceptions` are bytes whose characters are not in the repertoire, with their code units. `bytes` leads them to
    /// a byte of the repertoire that means nothing, so that kernels stop before them.
    ///
    /// # Panics
    /// If `bytes` leads an exception to a byte that means something.
    #[must_use]
    pub const fn new(bytes: [u8; BYTES], characters: &'static Characters, exceptions: &'static [(u8, u16)]) -> Self {
        let page = Page { bytes, characters, exceptions };
        let mut at = 0;
        while at < exceptions.len() {
            let byte = page.bytes[exceptions[at].0 as usize];
            assert!(byte >= 0x80 && page.unit(byte) == NULL, "kernels do not stop before an exception");
            at += 1;
        }
        page
    }

    /// The code unit of a byte of the repertoire; [`NULL`] if it means nothing.
    const fn unit(&self, byte: u8) -> u16 {
        if byte < 0x80 { byte as u16 } else { self.characters.units()[byte as usize - 0x80] }
    }

    /// The byte of the repertoire for each byte.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; BYTES] {
        &self.bytes
    }

    /// The characters of the repertoire that are not ASCII.
    #[must_use]
    pub const fn characters(&self) -> &'static Characters {
        self.characters
    }

    /// Whether kernels must not write U+FFFD for all bytes at which they stop: some are exceptions.
    #[must_use]
    pub const fn has_exceptions(&self) -> bool {
        !self.exceptions.is_empty()
    }

    /// The character of `byte`; `None` if it means nothing.
    #[must_use]
    pub fn code_point(&self, byte: u8) -> Option<char> {
        let unit = match self.unit(self.bytes[usize::from(byte)]) {
            NULL => self.exceptions.iter().find(|exception| exception.0 == byte)?.1,
            unit => unit,
        };
        char::from_u32(unit.into())
    }
}

/// What only encoding needs of a page.
#[cfg(feature = "encode")]
#[derive(Debug)]
pub struct PageBytes {
    /// The byte of the page for each byte of the repertoire.
    bytes: [u8; BYTES],
    /// The entry of `bytes` for a character that the page does not have: a byte to which no character is encoded. 0x100
    /// if the page has all characters of its repertoire.
    never: u16,
    table: &'static ByteTable,
    exceptions: &'static [(u8, u16)],
}

#[cfg(feature = "encode")]
impl PageBytes {
    /// The entry that stands for no byte.
    const NO_BYTE: u16 = 0x100;

    /// The bytes of the characters of `page`, whose repertoire encodes with `table`. No character is encoded to a byte
    /// of `decode_only`.
    ///
    /// # Panics
    /// If two bytes that are not in `decode_only` have one character.
    #[must_use]
    pub const fn new(page: &Page, table: &'static ByteTable, decode_only: &[u8]) -> Self {
        let mut bytes = [0; BYTES];
        let mut has_byte = [false; BYTES];
        let mut never = Self::NO_BYTE;
        let mut byte = 0;
        while byte < BYTES {
            let inner = page.bytes[byte];
            if page.unit(inner) == NULL || contains(decode_only, byte as u8) {
                if !is_exception(page, byte as u8) {
                    never = byte as u16;
                }
            } else {
                assert!(!has_byte[inner as usize], "two bytes have one character");
                bytes[inner as usize] = byte as u8;
                has_byte[inner as usize] = true;
            }
            byte += 1;
        }
        let mut inner = 0;
        while inner < BYTES {
            // A byte of the repertoire that means nothing is never looked up.
            if !has_byte[inner] && page.unit(inner as u8) != NULL {
                // Without such a byte, all bytes were different characters of the repertoire or exceptions.
                assert!(never != Self::NO_BYTE || !page.exceptions.is_empty(), "a character has no byte");
                if never == Self::NO_BYTE {
                    // An exception's byte is written only where the handler finds the exception.
                    never = page.exceptions[0].0 as u16;
                }
                bytes[inner] = never as u8;
            }
            inner += 1;
        }
        PageBytes { bytes, never, table, exceptions: page.exceptions }
    }

    /// The table of the repertoire.
    #[must_use]
    pub const fn table(&self) -> &'static ByteTable {
        self.table
    }

    /// Exchanges bytes of the repertoire for bytes of the page. Returns the place of the first character that the page
    /// does not have, or else the number of bytes.
    #[must_use]
    pub fn exchange(&self, bytes: &mut [u8]) -> usize {
        for byte in &mut *bytes {
            *byte = self.bytes[usize::from(*byte)];
        }
        // A second loop over the block is faster than a comparison in the first one, because vectors compare.
        let never = self.never as u8;
        if self.never == Self::NO_BYTE || !bytes.iter().fold(false, |any, &byte| any | (byte == never)) {
            return bytes.len();
        }
        bytes.iter().position(|&byte| u16::from(byte) == self.never).unwrap_or(bytes.len())
    }

    /// The byte of `code_point`; `None` if the page does not have the character.
    #[must_use]
    pub fn byte(&self, code_point: char) -> Option<u8> {
        let inner = if code_point.is_ascii() { Some(code_point as u8) } else { self.table.byte(code_point) };
        let byte = inner.map(|inner| self.bytes[usize::from(inner)]).filter(|&byte| u16::from(byte) != self.never);
        byte.or_else(|| {
            let is = |exception: &&(u8, u16)| u32::from(exception.1) == u32::from(code_point);
            Some(self.exceptions.iter().find(is)?.0)
        })
    }
}

#[cfg(feature = "encode")]
const fn contains(bytes: &[u8], byte: u8) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == byte {
            return true;
        }
        at += 1;
    }
    false
}

#[cfg(feature = "encode")]
const fn is_exception(page: &Page, byte: u8) -> bool {
    let mut at = 0;
    while at < page.exceptions.len() {
        if page.exceptions[at].0 == byte {
            return true;
        }
        at += 1;
    }
    false
}
