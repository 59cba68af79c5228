//! Binary data by its first bytes.

use crate::BinaryKind;

/// The formats with the offset and the bytes of their magic.
const FORMATS: [(BinaryKind, u8, &[u8]); 37] = [
    (BinaryKind::Jpeg, 0, b"\xFF\xD8\xFF"),
    (BinaryKind::Png, 0, b"\x89PNG\r\n\x1A\n"),
    (BinaryKind::Gif, 0, b"GIF87a"),
    (BinaryKind::Gif, 0, b"GIF89a"),
    (BinaryKind::WebP, 8, b"WEBPVP8"),
    (BinaryKind::Tiff, 0, b"II*\0"),
    (BinaryKind::Tiff, 0, b"MM\0*"),
    (BinaryKind::Icon, 0, b"\0\0\x01\0"),
    (BinaryKind::Pdf, 0, b"%PDF-"),
    (BinaryKind::Zip, 0, b"PK\x03\x04"),
    (BinaryKind::Zip, 0, b"PK\x05\x06"),
    (BinaryKind::Gzip, 0, b"\x1F\x8B\x08"),
    (BinaryKind::Bzip2, 0, b"BZh"),
    (BinaryKind::Xz, 0, b"\xFD7zXZ\0"),
    (BinaryKind::Zstandard, 0, b"\x28\xB5\x2F\xFD"),
    (BinaryKind::SevenZip, 0, b"7z\xBC\xAF\x27\x1C"),
    (BinaryKind::Rar, 0, b"Rar!\x1A\x07"),
    (BinaryKind::Elf, 0, b"\x7FELF"),
    (BinaryKind::MachO, 0, b"\xCF\xFA\xED\xFE"),
    (BinaryKind::MachO, 0, b"\xFE\xED\xFA\xCF"),
    (BinaryKind::JavaClass, 0, b"\xCA\xFE\xBA\xBE"),
    (BinaryKind::WebAssembly, 0, b"\0asm"),
    (BinaryKind::Sqlite, 0, b"SQLite format 3\0"),
    (BinaryKind::Woff, 0, b"wOFF"),
    (BinaryKind::Woff, 0, b"wOF2"),
    (BinaryKind::Font, 0, b"\0\x01\0\0\0"),
    (BinaryKind::Font, 0, b"OTTO\0"),
    (BinaryKind::Mp3, 0, b"ID3\x02"),
    (BinaryKind::Mp3, 0, b"ID3\x03"),
    (BinaryKind::Mp3, 0, b"ID3\x04"),
    (BinaryKind::Mp4, 4, b"ftyp"),
    (BinaryKind::Ogg, 0, b"OggS\0"),
    (BinaryKind::Flac, 0, b"fLaC\0"),
    (BinaryKind::Wave, 8, b"WAVEfmt "),
    (BinaryKind::Avi, 8, b"AVI LIST"),
    (BinaryKind::Matroska, 0, b"\x1A\x45\xDF\xA3"),
    (BinaryKind::OleDocument, 0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"),
];

/// The greatest length of a magic.
const LONGEST: usize = 16;

/// A format. Its bytes stand in it, so that it needs no relocation.
struct Format {
    kind: BinaryKind,
    offset: u8,
    length: u8,
    magic: [u8; LONGEST],
}

static TABLE: [Format; FORMATS.len()] = {
    const NONE: Format = Format { kind: BinaryKind::Other, offset: 0, length: 0, magic: [0; LONGEST] };
    let mut table = [NONE; FORMATS.len()];
    let mut number = 0;
    while number < table.len() {
        let (kind, offset, magic) = FORMATS[number];
        table[number] = Format { kind, offset, length: magic.len() as u8, ..NONE };
        let mut place = 0;
        while place < magic.len() {
            table[number].magic[place] = magic[place];
            place += 1;
        }
        number += 1;
    }
    table
};

/// The format whose magic `head` has.
pub(crate) fn kind(head: &[u8]) -> Option<BinaryKind> {
    let found = TABLE.iter().find(|format| {
        let magic = format.magic.iter().take(usize::from(format.length));
        let mut bytes = head.iter().skip(usize::from(format.offset));
        magic.into_iter().all(|byte| bytes.next() == Some(byte))
    });
    let dos = head.starts_with(b"MZ") && head.iter().take(64).filter(|&&byte| byte == 0).count() >= 8;
    found.map(|format| format.kind).or(dos.then_some(BinaryKind::WindowsExecutable))
}

/// Whether more bytes are control characters than in any text. Texts have tabs, line ends, form feeds, escapes, and the
/// sign for the end of a file of DOS.
#[inline(never)]
pub(crate) fn has_control_characters(head: &[u8]) -> bool {
    // Comparisons without branches, and sums of bytes, become vector code.
    let is_control = |byte: u8| {
        (byte < 0x08) | (byte == 0x0B) | (byte.wrapping_sub(0x0E) < 0x0C) | (byte & !3 == 0x1C) | (byte == 0x7F)
    };
    let in_block = |block: &[u8]| usize::from(block.iter().map(|&byte| u8::from(is_control(byte))).sum::<u8>());
    let controls: usize = head.chunks(255).map(in_block).sum();
    controls > 2 && controls * 32 > head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_control_characters_in_less_than_96_bytes_are_too_many() {
        for byte in 0..=0xFF {
            let is_control = matches!(byte, 0..=0x07 | 0x0B | 0x0E..=0x19 | 0x1C..=0x1F | 0x7F);
            assert_eq!(has_control_characters(&[byte; 3]), is_control, "{byte:02X}");
        }
        for (controls, length, expected) in
            [(2, 2, false), (3, 95, true), (3, 96, false), (9, 287, true), (9, 288, false), (255, 255, true)]
        {
            let head = [vec![b'a'; length - controls], vec![0x01; controls]].concat();
            assert_eq!(has_control_characters(&head), expected, "{controls} in {length}");
        }
        assert!(has_control_characters(&[0x01; 600]));
    }

    #[test]
    fn each_format_is_known_by_its_whole_magic_at_its_offset_alone() {
        for (expected, offset, magic) in FORMATS {
            let offset = usize::from(offset);
            let head = |magic: &[u8]| [&vec![b'x'; offset][..], magic, b"rest"].concat();
            assert_eq!(kind(&head(magic)), Some(expected));
            assert_eq!(kind(&head(magic)[..offset + magic.len()]), Some(expected));
            assert_ne!(kind(&head(magic)[..offset + magic.len() - 1]), Some(expected), "{expected:?}");
            for place in 0..magic.len() {
                let mut other = magic.to_vec();
                other[place] ^= 0x80;
                assert_eq!(kind(&head(&other)), None, "{expected:?} without byte {place}");
            }
        }
    }

    #[test]
    fn a_program_of_windows_has_eight_zeros_in_its_header() {
        let head =
            |start: &[u8], zeros: usize, length: usize| [start, &vec![1; length - 2 - zeros], &vec![0; zeros]].concat();
        assert_eq!(kind(&head(b"MZ", 8, 64)), Some(BinaryKind::WindowsExecutable));
        assert_eq!(kind(&head(b"MZ", 7, 64)), None);
        assert_eq!(kind(&head(b"MZ", 8, 65)), None);
        assert_eq!(kind(&head(b"ZM", 8, 64)), None);
    }
}
