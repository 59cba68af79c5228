//! Binary data by its first bytes.

use crate::BinaryKind;

/// The formats: the offset and the bytes of their magic.
const FORMATS: &[(usize, &[u8], BinaryKind)] = &[
    (0, b"\xFF\xD8\xFF", BinaryKind::Jpeg),
    (0, b"\x89PNG\r\n\x1A\n", BinaryKind::Png),
    (0, b"GIF87a", BinaryKind::Gif),
    (0, b"GIF89a", BinaryKind::Gif),
    (8, b"WEBPVP8", BinaryKind::WebP),
    (0, b"II*\0", BinaryKind::Tiff),
    (0, b"MM\0*", BinaryKind::Tiff),
    (0, b"\0\0\x01\0", BinaryKind::Icon),
    (0, b"%PDF-", BinaryKind::Pdf),
    (0, b"PK\x03\x04", BinaryKind::Zip),
    (0, b"PK\x05\x06", BinaryKind::Zip),
    (0, b"\x1F\x8B\x08", BinaryKind::Gzip),
    (0, b"BZh", BinaryKind::Bzip2),
    (0, b"\xFD7zXZ\0", BinaryKind::Xz),
    (0, b"\x28\xB5\x2F\xFD", BinaryKind::Zstandard),
    (0, b"7z\xBC\xAF\x27\x1C", BinaryKind::SevenZip),
    (0, b"Rar!\x1A\x07", BinaryKind::Rar),
    (0, b"\x7FELF", BinaryKind::Elf),
    (0, b"\xCF\xFA\xED\xFE", BinaryKind::MachO),
    (0, b"\xFE\xED\xFA\xCF", BinaryKind::MachO),
    (0, b"\xCA\xFE\xBA\xBE", BinaryKind::JavaClass),
    (0, b"\0asm", BinaryKind::WebAssembly),
    (0, b"SQLite format 3\0", BinaryKind::Sqlite),
    (0, b"wOFF", BinaryKind::Woff),
    (0, b"wOF2", BinaryKind::Woff),
    (0, b"\0\x01\0\0\0", BinaryKind::Font),
    (0, b"OTTO\0", BinaryKind::Font),
    (0, b"ID3\x02", BinaryKind::Mp3),
    (0, b"ID3\x03", BinaryKind::Mp3),
    (0, b"ID3\x04", BinaryKind::Mp3),
    (4, b"ftyp", BinaryKind::Mp4),
    (0, b"OggS\0", BinaryKind::Ogg),
    (0, b"fLaC\0", BinaryKind::Flac),
    (8, b"WAVEfmt ", BinaryKind::Wave),
    (8, b"AVI LIST", BinaryKind::Avi),
    (0, b"\x1A\x45\xDF\xA3", BinaryKind::Matroska),
    (0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", BinaryKind::OleDocument),
];

/// The format whose magic `head` has.
pub(crate) fn kind(head: &[u8]) -> Option<BinaryKind> {
    let found = FORMATS.iter().find(|(offset, magic, _)| head.get(*offset..).is_some_and(|at| at.starts_with(magic)));
    let dos = head.starts_with(b"MZ") && head.iter().take(64).filter(|&&byte| byte == 0).count() >= 8;
    found.map(|&(_, _, kind)| kind).or(dos.then_some(BinaryKind::WindowsExecutable))
}

/// Whether more bytes are control characters than in any text. Texts have tabs, line ends, form feeds, escapes, and the
/// sign for the end of a file of DOS.
pub(crate) fn has_control_characters(head: &[u8]) -> bool {
    // Comparisons without branches, and sums of bytes, become vector code.
    let is_control = |byte: u8| {
        (byte < 0x08) | (byte == 0x0B) | (byte.wrapping_sub(0x0E) < 0x0C) | (byte & !3 == 0x1C) | (byte == 0x7F)
    };
    let in_block = |block: &[u8]| usize::from(block.iter().map(|&byte| u8::from(is_control(byte))).sum::<u8>());
    let controls: usize = head.chunks(255).map(in_block).sum();
    controls > 2 && controls * 32 > head.len()
}
