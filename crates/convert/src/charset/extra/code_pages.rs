//! Single-byte encodings that the [Encoding Standard](https://encoding.spec.whatwg.org/) does not have: code pages of
//! DOS, EBCDIC, and encodings whose usual labels the Standard gives to larger encodings.
//!
//! A table is the 128 characters of the upper half, in order. A variant is another encoding with changes. The tests
//! compare every byte with glibc's iconv, where it is installed.

use alloc::{boxed::Box, vec::Vec};

/// A single-byte encoding.
#[derive(Debug)]
pub(crate) struct CodePage {
    pub(crate) name: &'static str,
    /// Labels in lower case.
    pub(crate) labels: &'static [&'static str],
    base: Base,
    /// The bytes whose characters differ from those of `base`.
    changes: &'static [(u8, char)],
}

#[derive(Debug)]
enum Base {
    /// ASCII, and these characters from byte 0x80.
    Ascii(&'static str),
    /// Each byte means the code point of the same number.
    Latin1,
    /// The code points of all bytes.
    Permutation(&'static [u8; 256]),
}

/// Stands in a table where a byte has no character. No encoding has U+FFFD.
const NONE: char = char::REPLACEMENT_CHARACTER;

/// All single-byte encodings of this module.
pub(crate) static ALL: [&CodePage; 14] = [
    &US_ASCII,
    &ISO_8859_1,
    &ISO_8859_9,
    &CP437,
    &CP850,
    &CP852,
    &CP858,
    &CP866NAV,
    &CP1125,
    &CP037,
    &CP500,
    &CP1047,
    &CP1140,
    &CP1148,
];

const fn page(
    name: &'static str,
    labels: &'static [&'static str],
    base: Base,
    changes: &'static [(u8, char)],
) -> CodePage {
    CodePage { name, labels, base, changes }
}

static US_ASCII: CodePage = page("exact-us-ascii", &["exact-us-ascii", "exact-ascii"], Base::Ascii(""), &[]);
static ISO_8859_1: CodePage = page("exact-iso-8859-1", &["exact-iso-8859-1", "exact-latin1"], Base::Latin1, &[]);
static ISO_8859_9: CodePage = page(
    "exact-iso-8859-9",
    &["exact-iso-8859-9", "exact-latin5"],
    Base::Latin1,
    &[(0xD0, 'Ğ'), (0xDD, 'İ'), (0xDE, 'Ş'), (0xF0, 'ğ'), (0xFD, 'ı'), (0xFE, 'ş')],
);

/// The original character set of the IBM PC.
const DOS_437: &str = "\
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
    └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}";
/// Western Europe.
const DOS_850: &str = "\
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
    └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}";
/// Central Europe.
const DOS_852: &str = "\
    ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐\
    └┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{AD}˝˛ˇ˘§÷¸°¨˙űŘř■\u{A0}";
/// Russian. This is ibm866 of the Standard, on which the variants for Ukrainian and Belarusian are based.
const DOS_866: &str = "\
    АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмноп░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
    └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀рстуфхцчшщъыьэюяЁёЄєЇїЎў°∙·√№¤■\u{A0}";

static CP437: CodePage = page("cp437", &["cp437", "ibm437", "437", "cspc8codepage437"], Base::Ascii(DOS_437), &[]);
static CP850: CodePage = page("cp850", &["cp850", "ibm850", "850", "cspc850multilingual"], Base::Ascii(DOS_850), &[]);
static CP852: CodePage = page("cp852", &["cp852", "ibm852", "852", "cspcp852"], Base::Ascii(DOS_852), &[]);
static CP858: CodePage =
    page("cp858", &["cp858", "ibm858", "858", "ibm00858", "cp00858"], Base::Ascii(DOS_850), &[(0xD5, '€')]);
static CP866NAV: CodePage = page(
    "cp866nav",
    &["cp866nav", "ibm866nav", "866nav"],
    Base::Ascii(DOS_866),
    &[
        (0xF2, 'Ґ'),
        (0xF3, 'ґ'),
        (0xF4, 'Є'),
        (0xF5, 'є'),
        (0xF6, 'І'),
        (0xF7, 'і'),
        (0xF8, 'Ї'),
        (0xF9, 'ї'),
        (0xFA, 'Ў'),
        (0xFB, 'ў'),
    ],
);
static CP1125: CodePage = page(
    "cp1125",
    &["cp1125", "ibm1125", "1125", "cp866u", "ruscii", "cp848", "ibm848"],
    Base::Ascii(DOS_866),
    &[(0xF2, 'Ґ'), (0xF3, 'ґ'), (0xF4, 'Є'), (0xF5, 'є'), (0xF6, 'І'), (0xF7, 'і'), (0xF8, 'Ї'), (0xF9, 'ї')],
);

/// EBCDIC of the United States; the control characters are those of ISO 6429, as IBM maps them.
#[rustfmt::skip]
static EBCDIC_037: [u8; 256] = [
    0x00, 0x01, 0x02, 0x03, 0x9C, 0x09, 0x86, 0x7F, 0x97, 0x8D, 0x8E, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F,
    0x10, 0x11, 0x12, 0x13, 0x9D, 0x85, 0x08, 0x87, 0x18, 0x19, 0x92, 0x8F, 0x1C, 0x1D, 0x1E, 0x1F,
    0x80, 0x81, 0x82, 0x83, 0x84, 0x0A, 0x17, 0x1B, 0x88, 0x89, 0x8A, 0x8B, 0x8C, 0x05, 0x06, 0x07,
    0x90, 0x91, 0x16, 0x93, 0x94, 0x95, 0x96, 0x04, 0x98, 0x99, 0x9A, 0x9B, 0x14, 0x15, 0x9E, 0x1A,
    0x20, 0xA0, 0xE2, 0xE4, 0xE0, 0xE1, 0xE3, 0xE5, 0xE7, 0xF1, 0xA2, 0x2E, 0x3C, 0x28, 0x2B, 0x7C,
    0x26, 0xE9, 0xEA, 0xEB, 0xE8, 0xED, 0xEE, 0xEF, 0xEC, 0xDF, 0x21, 0x24, 0x2A, 0x29, 0x3B, 0xAC,
    0x2D, 0x2F, 0xC2, 0xC4, 0xC0, 0xC1, 0xC3, 0xC5, 0xC7, 0xD1, 0xA6, 0x2C, 0x25, 0x5F, 0x3E, 0x3F,
    0xF8, 0xC9, 0xCA, 0xCB, 0xC8, 0xCD, 0xCE, 0xCF, 0xCC, 0x60, 0x3A, 0x23, 0x40, 0x27, 0x3D, 0x22,
    0xD8, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0xAB, 0xBB, 0xF0, 0xFD, 0xFE, 0xB1,
    0xB0, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F, 0x70, 0x71, 0x72, 0xAA, 0xBA, 0xE6, 0xB8, 0xC6, 0xA4,
    0xB5, 0x7E, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A, 0xA1, 0xBF, 0xD0, 0xDD, 0xDE, 0xAE,
    0x5E, 0xA3, 0xA5, 0xB7, 0xA9, 0xA7, 0xB6, 0xBC, 0xBD, 0xBE, 0x5B, 0x5D, 0xAF, 0xA8, 0xB4, 0xD7,
    0x7B, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0xAD, 0xF4, 0xF6, 0xF2, 0xF3, 0xF5,
    0x7D, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F, 0x50, 0x51, 0x52, 0xB9, 0xFB, 0xFC, 0xF9, 0xFA, 0xFF,
    0x5C, 0xF7, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5A, 0xB2, 0xD4, 0xD6, 0xD2, 0xD3, 0xD5,
    0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0xB3, 0xDB, 0xDC, 0xD9, 0xDA, 0x9F,
];

static CP037: CodePage =
    page("cp037", &["cp037", "ibm037", "ebcdic-cp-us", "csibm037"], Base::Permutation(&EBCDIC_037), &[]);
static CP500: CodePage =
    page("cp500", &["cp500", "ibm500", "ebcdic-cp-be", "csibm500"], Base::Permutation(&EBCDIC_037), INTERNATIONAL);
static CP1047: CodePage = page(
    "cp1047",
    &["cp1047", "ibm1047", "ibm-1047", "1047"],
    Base::Permutation(&EBCDIC_037),
    &[(0x5F, '^'), (0xAD, '['), (0xB0, '¬'), (0xBA, 'Ý'), (0xBB, '¨'), (0xBD, ']')],
);
static CP1140: CodePage =
    page("cp1140", &["cp1140", "ibm01140", "ibm1140"], Base::Permutation(&EBCDIC_037), &[(0x9F, '€')]);
static CP1148: CodePage =
    page("cp1148", &["cp1148", "ibm01148", "ibm1148"], Base::Permutation(&EBCDIC_037), INTERNATIONAL_WITH_EURO);

/// The changes from the United States to the international EBCDIC.
const INTERNATIONAL: &[(u8, char)] =
    &[(0x4A, '['), (0x4F, '!'), (0x5A, ']'), (0x5F, '^'), (0xB0, '¢'), (0xBA, '¬'), (0xBB, '|')];
const INTERNATIONAL_WITH_EURO: &[(u8, char)] =
    &[(0x4A, '['), (0x4F, '!'), (0x5A, ']'), (0x5F, '^'), (0x9F, '€'), (0xB0, '¢'), (0xBA, '¬'), (0xBB, '|')];

impl CodePage {
    /// The character of each byte; [`NONE`] where there is none.
    fn characters(&self) -> Box<[char; 256]> {
        let mut table = Box::new([NONE; 256]);
        for byte in 0..=255 {
            table[usize::from(byte)] = match self.base {
                Base::Latin1 => char::from(byte),
                Base::Permutation(code_points) => char::from(code_points[usize::from(byte)]),
                Base::Ascii(_) if byte.is_ascii() => char::from(byte),
                Base::Ascii(_) => NONE,
            };
        }
        if let Base::Ascii(upper) = self.base {
            table[0x80..].iter_mut().zip(upper.chars()).for_each(|(entry, character)| *entry = character);
        }
        for &(byte, character) in self.changes {
            table[usize::from(byte)] = character;
        }
        table
    }

    /// Whether the encoding is a kind of EBCDIC, where U+0085 ends a line.
    pub(crate) fn is_ebcdic(&self) -> bool {
        matches!(self.base, Base::Permutation(_))
    }

    pub(crate) fn decoder(&self) -> Decoder {
        Decoder { characters: self.characters(), is_ascii_compatible: !self.is_ebcdic() }
    }

    pub(crate) fn encoder(&self) -> Encoder {
        let characters = self.characters();
        let mut encoder = Encoder { latin1: Box::new([None; 256]), others: Vec::new() };
        for (byte, &character) in (0..=255).zip(characters.iter()) {
            match u8::try_from(character) {
                Ok(code_point) => encoder.latin1[usize::from(code_point)] = Some(byte),
                Err(_) if character == NONE => {}
                Err(_) => encoder.others.push((character, byte)),
            }
        }
        encoder.others.sort_unstable();
        encoder
    }
}

/// Decodes one byte at a time, and ASCII in longer pieces.
#[derive(Clone, Debug)]
pub(crate) struct Decoder {
    characters: Box<[char; 256]>,
    is_ascii_compatible: bool,
}

impl Decoder {
    /// The start of `source` that is ASCII and means itself.
    pub(crate) fn ascii_prefix<'a>(&self, source: &'a [u8]) -> &'a str {
        let length = if self.is_ascii_compatible {
            source.iter().position(|byte| !byte.is_ascii()).unwrap_or(source.len())
        } else {
            0
        };
        core::str::from_utf8(&source[..length]).unwrap_or_default()
    }

    pub(crate) fn character(&self, byte: u8) -> Option<char> {
        Some(self.characters[usize::from(byte)]).filter(|&character| character != NONE)
    }
}

/// Encodes one character at a time.
#[derive(Clone, Debug)]
pub(crate) struct Encoder {
    /// The bytes of the characters up to U+00FF.
    latin1: Box<[Option<u8>; 256]>,
    /// The other characters, in their order.
    others: Vec<(char, u8)>,
}

impl Encoder {
    pub(crate) fn byte(&self, character: char) -> Option<u8> {
        match u8::try_from(character) {
            Ok(code_point) => self.latin1[usize::from(code_point)],
            Err(_) => {
                let at = self.others.binary_search_by_key(&character, |&(character, _)| character).ok()?;
                Some(self.others[at].1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_has_256_entries_and_no_character_twice() {
        for page in ALL {
            if let Base::Ascii(upper) = page.base {
                assert!([0, 128].contains(&upper.chars().count()), "{}: {}", page.name, upper.chars().count());
            }
            let mut characters: Vec<_> = page.characters().iter().copied().filter(|&c| c != NONE).collect();
            let length = characters.len();
            characters.sort_unstable();
            characters.dedup();
            assert_eq!(characters.len(), length, "{}", page.name);
            assert_eq!(length, if page.name == "exact-us-ascii" { 128 } else { 256 }, "{}", page.name);
        }
    }

    #[test]
    fn every_character_goes_there_and_back() {
        for page in ALL {
            let (decoder, encoder) = (page.decoder(), page.encoder());
            for byte in 0..=255 {
                if let Some(character) = decoder.character(byte) {
                    assert_eq!(encoder.byte(character), Some(byte), "{} {byte:02X}", page.name);
                }
            }
            assert_eq!(encoder.byte('\u{FFFD}'), None, "{}", page.name);
            assert_eq!(encoder.byte('☃'), None, "{}", page.name);
        }
    }

    #[test]
    fn the_russian_table_is_that_of_the_standard() {
        let bytes: Vec<u8> = (0x80..=0xFF).collect();
        assert_eq!(textcodec::IBM866.decode(&bytes).text, DOS_866);
    }
}
