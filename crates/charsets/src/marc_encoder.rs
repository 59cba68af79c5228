//! The encoders of ANSEL and of MARC-8. They hold a letter until they know that no mark follows it, because the bytes
//! of marks come before that of the letter. Composed letters are written as letters and marks.

use core::marker::PhantomData;

use textcodec_core::{
    EncoderHalf,
    handler::{Bytes, EncoderHandler, HandlerResult, Item, MaxBytes, Restore},
    index::NULL,
};
use textcodec_kernels::blocks::skip_mut;

use crate::{
    eacc,
    libraries_codecs::{LETTERS, MARKS, is_of_gedcom},
    marc::{TABLES, is_mark, set},
};

/// The encoder of ANSEL in GEDCOM: it has no escapes.
pub(crate) static ANSEL: EncoderHalf = EncoderHalf::new::<MarkEncoder<Gedcom>>();

/// The encoder of MARC-8.
pub(crate) static MARC_8: EncoderHalf = EncoderHalf::new::<MarkEncoder<Marc8>>();

/// The letters that Unicode composes of a letter and a mark of ANSEL or of the Greek set, as its character database
/// says. The letter can be composed, too.
#[rustfmt::skip]
static COMPOSED: [(u16, u16, u16); 453] = [
    (0xC0, 0x41, 0x300), (0xC1, 0x41, 0x301), (0xC2, 0x41, 0x302), (0xC3, 0x41, 0x303), (0xC4, 0x41, 0x308),
    (0xC5, 0x41, 0x30A), (0xC7, 0x43, 0x327), (0xC8, 0x45, 0x300), (0xC9, 0x45, 0x301), (0xCA, 0x45, 0x302),
    (0xCB, 0x45, 0x308), (0xCC, 0x49, 0x300), (0xCD, 0x49, 0x301), (0xCE, 0x49, 0x302), (0xCF, 0x49, 0x308),
    (0xD1, 0x4E, 0x303), (0xD2, 0x4F, 0x300), (0xD3, 0x4F, 0x301), (0xD4, 0x4F, 0x302), (0xD5, 0x4F, 0x303),
    (0xD6, 0x4F, 0x308), (0xD9, 0x55, 0x300), (0xDA, 0x55, 0x301), (0xDB, 0x55, 0x302), (0xDC, 0x55, 0x308),
    (0xDD, 0x59, 0x301), (0xE0, 0x61, 0x300), (0xE1, 0x61, 0x301), (0xE2, 0x61, 0x302), (0xE3, 0x61, 0x303),
    (0xE4, 0x61, 0x308), (0xE5, 0x61, 0x30A), (0xE7, 0x63, 0x327), (0xE8, 0x65, 0x300), (0xE9, 0x65, 0x301),
    (0xEA, 0x65, 0x302), (0xEB, 0x65, 0x308), (0xEC, 0x69, 0x300), (0xED, 0x69, 0x301), (0xEE, 0x69, 0x302),
    (0xEF, 0x69, 0x308), (0xF1, 0x6E, 0x303), (0xF2, 0x6F, 0x300), (0xF3, 0x6F, 0x301), (0xF4, 0x6F, 0x302),
    (0xF5, 0x6F, 0x303), (0xF6, 0x6F, 0x308), (0xF9, 0x75, 0x300), (0xFA, 0x75, 0x301), (0xFB, 0x75, 0x302),
    (0xFC, 0x75, 0x308), (0xFD, 0x79, 0x301), (0xFF, 0x79, 0x308), (0x100, 0x41, 0x304), (0x101, 0x61, 0x304),
    (0x102, 0x41, 0x306), (0x103, 0x61, 0x306), (0x104, 0x41, 0x328), (0x105, 0x61, 0x328), (0x106, 0x43, 0x301),
    (0x107, 0x63, 0x301), (0x108, 0x43, 0x302), (0x109, 0x63, 0x302), (0x10A, 0x43, 0x307), (0x10B, 0x63, 0x307),
    (0x10C, 0x43, 0x30C), (0x10D, 0x63, 0x30C), (0x10E, 0x44, 0x30C), (0x10F, 0x64, 0x30C), (0x112, 0x45, 0x304),
    (0x113, 0x65, 0x304), (0x114, 0x45, 0x306), (0x115, 0x65, 0x306), (0x116, 0x45, 0x307), (0x117, 0x65, 0x307),
    (0x118, 0x45, 0x328), (0x119, 0x65, 0x328), (0x11A, 0x45, 0x30C), (0x11B, 0x65, 0x30C), (0x11C, 0x47, 0x302),
    (0x11D, 0x67, 0x302), (0x11E, 0x47, 0x306), (0x11F, 0x67, 0x306), (0x120, 0x47, 0x307), (0x121, 0x67, 0x307),
    (0x122, 0x47, 0x327), (0x123, 0x67, 0x327), (0x124, 0x48, 0x302), (0x125, 0x68, 0x302), (0x128, 0x49, 0x303),
    (0x129, 0x69, 0x303), (0x12A, 0x49, 0x304), (0x12B, 0x69, 0x304), (0x12C, 0x49, 0x306), (0x12D, 0x69, 0x306),
    (0x12E, 0x49, 0x328), (0x12F, 0x69, 0x328), (0x130, 0x49, 0x307), (0x134, 0x4A, 0x302), (0x135, 0x6A, 0x302),
    (0x136, 0x4B, 0x327), (0x137, 0x6B, 0x327), (0x139, 0x4C, 0x301), (0x13A, 0x6C, 0x301), (0x13B, 0x4C, 0x327),
    (0x13C, 0x6C, 0x327), (0x13D, 0x4C, 0x30C), (0x13E, 0x6C, 0x30C), (0x143, 0x4E, 0x301), (0x144, 0x6E, 0x301),
    (0x145, 0x4E, 0x327), (0x146, 0x6E, 0x327), (0x147, 0x4E, 0x30C), (0x148, 0x6E, 0x30C), (0x14C, 0x4F, 0x304),
    (0x14D, 0x6F, 0x304), (0x14E, 0x4F, 0x306), (0x14F, 0x6F, 0x306), (0x150, 0x4F, 0x30B), (0x151, 0x6F, 0x30B),
    (0x154, 0x52, 0x301), (0x155, 0x72, 0x301), (0x156, 0x52, 0x327), (0x157, 0x72, 0x327), (0x158, 0x52, 0x30C),
    (0x159, 0x72, 0x30C), (0x15A, 0x53, 0x301), (0x15B, 0x73, 0x301), (0x15C, 0x53, 0x302), (0x15D, 0x73, 0x302),
    (0x15E, 0x53, 0x327), (0x15F, 0x73, 0x327), (0x160, 0x53, 0x30C), (0x161, 0x73, 0x30C), (0x162, 0x54, 0x327),
    (0x163, 0x74, 0x327), (0x164, 0x54, 0x30C), (0x165, 0x74, 0x30C), (0x168, 0x55, 0x303), (0x169, 0x75, 0x303),
    (0x16A, 0x55, 0x304), (0x16B, 0x75, 0x304), (0x16C, 0x55, 0x306), (0x16D, 0x75, 0x306), (0x16E, 0x55, 0x30A),
    (0x16F, 0x75, 0x30A), (0x170, 0x55, 0x30B), (0x171, 0x75, 0x30B), (0x172, 0x55, 0x328), (0x173, 0x75, 0x328),
    (0x174, 0x57, 0x302), (0x175, 0x77, 0x302), (0x176, 0x59, 0x302), (0x177, 0x79, 0x302), (0x178, 0x59, 0x308),
    (0x179, 0x5A, 0x301), (0x17A, 0x7A, 0x301), (0x17B, 0x5A, 0x307), (0x17C, 0x7A, 0x307), (0x17D, 0x5A, 0x30C),
    (0x17E, 0x7A, 0x30C), (0x1CD, 0x41, 0x30C), (0x1CE, 0x61, 0x30C), (0x1CF, 0x49, 0x30C), (0x1D0, 0x69, 0x30C),
    (0x1D1, 0x4F, 0x30C), (0x1D2, 0x6F, 0x30C), (0x1D3, 0x55, 0x30C), (0x1D4, 0x75, 0x30C), (0x1D5, 0xDC, 0x304),
    (0x1D6, 0xFC, 0x304), (0x1D7, 0xDC, 0x301), (0x1D8, 0xFC, 0x301), (0x1D9, 0xDC, 0x30C), (0x1DA, 0xFC, 0x30C),
    (0x1DB, 0xDC, 0x300), (0x1DC, 0xFC, 0x300), (0x1DE, 0xC4, 0x304), (0x1DF, 0xE4, 0x304), (0x1E0, 0x226, 0x304),
    (0x1E1, 0x227, 0x304), (0x1E2, 0xC6, 0x304), (0x1E3, 0xE6, 0x304), (0x1E6, 0x47, 0x30C), (0x1E7, 0x67, 0x30C),
    (0x1E8, 0x4B, 0x30C), (0x1E9, 0x6B, 0x30C), (0x1EA, 0x4F, 0x328), (0x1EB, 0x6F, 0x328), (0x1EC, 0x1EA, 0x304),
    (0x1ED, 0x1EB, 0x304), (0x1EE, 0x1B7, 0x30C), (0x1EF, 0x292, 0x30C), (0x1F0, 0x6A, 0x30C), (0x1F4, 0x47, 0x301),
    (0x1F5, 0x67, 0x301), (0x1F8, 0x4E, 0x300), (0x1F9, 0x6E, 0x300), (0x1FA, 0xC5, 0x301), (0x1FB, 0xE5, 0x301),
    (0x1FC, 0xC6, 0x301), (0x1FD, 0xE6, 0x301), (0x1FE, 0xD8, 0x301), (0x1FF, 0xF8, 0x301), (0x218, 0x53, 0x326),
    (0x219, 0x73, 0x326), (0x21A, 0x54, 0x326), (0x21B, 0x74, 0x326), (0x21E, 0x48, 0x30C), (0x21F, 0x68, 0x30C),
    (0x226, 0x41, 0x307), (0x227, 0x61, 0x307), (0x228, 0x45, 0x327), (0x229, 0x65, 0x327), (0x22A, 0xD6, 0x304),
    (0x22B, 0xF6, 0x304), (0x22C, 0xD5, 0x304), (0x22D, 0xF5, 0x304), (0x22E, 0x4F, 0x307), (0x22F, 0x6F, 0x307),
    (0x230, 0x22E, 0x304), (0x231, 0x22F, 0x304), (0x232, 0x59, 0x304), (0x233, 0x79, 0x304), (0x386, 0x391, 0x301),
    (0x388, 0x395, 0x301), (0x389, 0x397, 0x301), (0x38A, 0x399, 0x301), (0x38C, 0x39F, 0x301), (0x38E, 0x3A5, 0x301),
    (0x38F, 0x3A9, 0x301), (0x390, 0x3CA, 0x301), (0x3AA, 0x399, 0x308), (0x3AB, 0x3A5, 0x308), (0x3AC, 0x3B1, 0x301),
    (0x3AD, 0x3B5, 0x301), (0x3AE, 0x3B7, 0x301), (0x3AF, 0x3B9, 0x301), (0x3B0, 0x3CB, 0x301), (0x3CA, 0x3B9, 0x308),
    (0x3CB, 0x3C5, 0x308), (0x3CC, 0x3BF, 0x301), (0x3CD, 0x3C5, 0x301), (0x3CE, 0x3C9, 0x301), (0x1E00, 0x41, 0x325),
    (0x1E01, 0x61, 0x325), (0x1E02, 0x42, 0x307), (0x1E03, 0x62, 0x307), (0x1E04, 0x42, 0x323), (0x1E05, 0x62, 0x323),
    (0x1E08, 0xC7, 0x301), (0x1E09, 0xE7, 0x301), (0x1E0A, 0x44, 0x307), (0x1E0B, 0x64, 0x307), (0x1E0C, 0x44, 0x323),
    (0x1E0D, 0x64, 0x323), (0x1E10, 0x44, 0x327), (0x1E11, 0x64, 0x327), (0x1E14, 0x112, 0x300), (0x1E15, 0x113, 0x300),
    (0x1E16, 0x112, 0x301), (0x1E17, 0x113, 0x301), (0x1E1C, 0x228, 0x306), (0x1E1D, 0x229, 0x306),
    (0x1E1E, 0x46, 0x307), (0x1E1F, 0x66, 0x307), (0x1E20, 0x47, 0x304), (0x1E21, 0x67, 0x304), (0x1E22, 0x48, 0x307),
    (0x1E23, 0x68, 0x307), (0x1E24, 0x48, 0x323), (0x1E25, 0x68, 0x323), (0x1E26, 0x48, 0x308), (0x1E27, 0x68, 0x308),
    (0x1E28, 0x48, 0x327), (0x1E29, 0x68, 0x327), (0x1E2A, 0x48, 0x32E), (0x1E2B, 0x68, 0x32E), (0x1E2E, 0xCF, 0x301),
    (0x1E2F, 0xEF, 0x301), (0x1E30, 0x4B, 0x301), (0x1E31, 0x6B, 0x301), (0x1E32, 0x4B, 0x323), (0x1E33, 0x6B, 0x323),
    (0x1E36, 0x4C, 0x323), (0x1E37, 0x6C, 0x323), (0x1E38, 0x1E36, 0x304), (0x1E39, 0x1E37, 0x304),
    (0x1E3E, 0x4D, 0x301), (0x1E3F, 0x6D, 0x301), (0x1E40, 0x4D, 0x307), (0x1E41, 0x6D, 0x307), (0x1E42, 0x4D, 0x323),
    (0x1E43, 0x6D, 0x323), (0x1E44, 0x4E, 0x307), (0x1E45, 0x6E, 0x307), (0x1E46, 0x4E, 0x323), (0x1E47, 0x6E, 0x323),
    (0x1E4C, 0xD5, 0x301), (0x1E4D, 0xF5, 0x301), (0x1E4E, 0xD5, 0x308), (0x1E4F, 0xF5, 0x308), (0x1E50, 0x14C, 0x300),
    (0x1E51, 0x14D, 0x300), (0x1E52, 0x14C, 0x301), (0x1E53, 0x14D, 0x301), (0x1E54, 0x50, 0x301),
    (0x1E55, 0x70, 0x301), (0x1E56, 0x50, 0x307), (0x1E57, 0x70, 0x307), (0x1E58, 0x52, 0x307), (0x1E59, 0x72, 0x307),
    (0x1E5A, 0x52, 0x323), (0x1E5B, 0x72, 0x323), (0x1E5C, 0x1E5A, 0x304), (0x1E5D, 0x1E5B, 0x304),
    (0x1E60, 0x53, 0x307), (0x1E61, 0x73, 0x307), (0x1E62, 0x53, 0x323), (0x1E63, 0x73, 0x323), (0x1E64, 0x15A, 0x307),
    (0x1E65, 0x15B, 0x307), (0x1E66, 0x160, 0x307), (0x1E67, 0x161, 0x307), (0x1E68, 0x1E62, 0x307),
    (0x1E69, 0x1E63, 0x307), (0x1E6A, 0x54, 0x307), (0x1E6B, 0x74, 0x307), (0x1E6C, 0x54, 0x323), (0x1E6D, 0x74, 0x323),
    (0x1E72, 0x55, 0x324), (0x1E73, 0x75, 0x324), (0x1E78, 0x168, 0x301), (0x1E79, 0x169, 0x301),
    (0x1E7A, 0x16A, 0x308), (0x1E7B, 0x16B, 0x308), (0x1E7C, 0x56, 0x303), (0x1E7D, 0x76, 0x303), (0x1E7E, 0x56, 0x323),
    (0x1E7F, 0x76, 0x323), (0x1E80, 0x57, 0x300), (0x1E81, 0x77, 0x300), (0x1E82, 0x57, 0x301), (0x1E83, 0x77, 0x301),
    (0x1E84, 0x57, 0x308), (0x1E85, 0x77, 0x308), (0x1E86, 0x57, 0x307), (0x1E87, 0x77, 0x307), (0x1E88, 0x57, 0x323),
    (0x1E89, 0x77, 0x323), (0x1E8A, 0x58, 0x307), (0x1E8B, 0x78, 0x307), (0x1E8C, 0x58, 0x308), (0x1E8D, 0x78, 0x308),
    (0x1E8E, 0x59, 0x307), (0x1E8F, 0x79, 0x307), (0x1E90, 0x5A, 0x302), (0x1E91, 0x7A, 0x302), (0x1E92, 0x5A, 0x323),
    (0x1E93, 0x7A, 0x323), (0x1E97, 0x74, 0x308), (0x1E98, 0x77, 0x30A), (0x1E99, 0x79, 0x30A),
    (0x1EA0, 0x41, 0x323), (0x1EA1, 0x61, 0x323), (0x1EA2, 0x41, 0x309), (0x1EA3, 0x61, 0x309), (0x1EA4, 0xC2, 0x301),
    (0x1EA5, 0xE2, 0x301), (0x1EA6, 0xC2, 0x300), (0x1EA7, 0xE2, 0x300), (0x1EA8, 0xC2, 0x309), (0x1EA9, 0xE2, 0x309),
    (0x1EAA, 0xC2, 0x303), (0x1EAB, 0xE2, 0x303), (0x1EAC, 0x1EA0, 0x302), (0x1EAD, 0x1EA1, 0x302),
    (0x1EAE, 0x102, 0x301), (0x1EAF, 0x103, 0x301), (0x1EB0, 0x102, 0x300), (0x1EB1, 0x103, 0x300),
    (0x1EB2, 0x102, 0x309), (0x1EB3, 0x103, 0x309), (0x1EB4, 0x102, 0x303), (0x1EB5, 0x103, 0x303),
    (0x1EB6, 0x1EA0, 0x306), (0x1EB7, 0x1EA1, 0x306), (0x1EB8, 0x45, 0x323), (0x1EB9, 0x65, 0x323),
    (0x1EBA, 0x45, 0x309), (0x1EBB, 0x65, 0x309), (0x1EBC, 0x45, 0x303), (0x1EBD, 0x65, 0x303), (0x1EBE, 0xCA, 0x301),
    (0x1EBF, 0xEA, 0x301), (0x1EC0, 0xCA, 0x300), (0x1EC1, 0xEA, 0x300), (0x1EC2, 0xCA, 0x309), (0x1EC3, 0xEA, 0x309),
    (0x1EC4, 0xCA, 0x303), (0x1EC5, 0xEA, 0x303), (0x1EC6, 0x1EB8, 0x302), (0x1EC7, 0x1EB9, 0x302),
    (0x1EC8, 0x49, 0x309), (0x1EC9, 0x69, 0x309), (0x1ECA, 0x49, 0x323), (0x1ECB, 0x69, 0x323), (0x1ECC, 0x4F, 0x323),
    (0x1ECD, 0x6F, 0x323), (0x1ECE, 0x4F, 0x309), (0x1ECF, 0x6F, 0x309), (0x1ED0, 0xD4, 0x301), (0x1ED1, 0xF4, 0x301),
    (0x1ED2, 0xD4, 0x300), (0x1ED3, 0xF4, 0x300), (0x1ED4, 0xD4, 0x309), (0x1ED5, 0xF4, 0x309), (0x1ED6, 0xD4, 0x303),
    (0x1ED7, 0xF4, 0x303), (0x1ED8, 0x1ECC, 0x302), (0x1ED9, 0x1ECD, 0x302), (0x1EDA, 0x1A0, 0x301),
    (0x1EDB, 0x1A1, 0x301), (0x1EDC, 0x1A0, 0x300), (0x1EDD, 0x1A1, 0x300), (0x1EDE, 0x1A0, 0x309),
    (0x1EDF, 0x1A1, 0x309), (0x1EE0, 0x1A0, 0x303), (0x1EE1, 0x1A1, 0x303), (0x1EE2, 0x1A0, 0x323),
    (0x1EE3, 0x1A1, 0x323), (0x1EE4, 0x55, 0x323), (0x1EE5, 0x75, 0x323), (0x1EE6, 0x55, 0x309), (0x1EE7, 0x75, 0x309),
    (0x1EE8, 0x1AF, 0x301), (0x1EE9, 0x1B0, 0x301), (0x1EEA, 0x1AF, 0x300), (0x1EEB, 0x1B0, 0x300),
    (0x1EEC, 0x1AF, 0x309), (0x1EED, 0x1B0, 0x309), (0x1EEE, 0x1AF, 0x303), (0x1EEF, 0x1B0, 0x303),
    (0x1EF0, 0x1AF, 0x323), (0x1EF1, 0x1B0, 0x323), (0x1EF2, 0x59, 0x300), (0x1EF3, 0x79, 0x300), (0x1EF4, 0x59, 0x323),
    (0x1EF5, 0x79, 0x323), (0x1EF6, 0x59, 0x309), (0x1EF7, 0x79, 0x309), (0x1EF8, 0x59, 0x303), (0x1EF9, 0x79, 0x303),
];

/// The letter and the mark of a composed letter.
fn decompose(unit: u16) -> Option<(u16, u16)> {
    let place = COMPOSED.binary_search_by_key(&unit, |entry| entry.0).ok()?;
    COMPOSED.get(place).map(|&(_, letter, mark)| (letter, mark))
}

/// The sets in which an encoder looks for a character, in this order, and the escapes that make them G0. Only the two
/// after the other alphabets have escapes of two bytes. ANSEL is always G1.
static SETS: [(u8, [u8; 3]); 10] = [
    (set::ASCII, *b"\x1B(B"),
    (set::GREEK, *b"\x1B(S"),
    (set::CYRILLIC, *b"\x1B(N"),
    (set::EXTENDED_CYRILLIC, *b"\x1B(Q"),
    (set::HEBREW, *b"\x1B(2"),
    (set::ARABIC, *b"\x1B(3"),
    (set::EXTENDED_ARABIC, *b"\x1B(4"),
    (set::SUBSCRIPT, *b"\x1Bb\0"),
    (set::SUPERSCRIPT, *b"\x1Bp\0"),
    (set::EACC, *b"\x1B$1"),
];

/// The place in [`SETS`] of EACC, the last one. The sets before it have one byte for a character.
const EACC: u8 = SETS.len() as u8 - 1;

/// The number of sets with one byte for a character.
const SINGLE: usize = EACC as usize;

/// The place in [`SETS`] of ASCII, with ANSEL.
const LATIN: u8 = 0;

/// The escape that makes a set G0.
fn escape(set: u8) -> Bytes {
    match SETS.get(usize::from(set)) {
        Some(&(_, [first, second, 0])) => [first, second].into(),
        Some(&(_, escape)) => escape.into(),
        None => Bytes::EMPTY,
    }
}

/// A question mark often stands for a character without bytes. So it is written in ASCII, as a character reference is,
/// and takes no mark from the text after it.
const QUESTION_MARK: u16 = 0x3F;

/// The mark of the letters O and U with a horn, which have bytes of their own.
const HORN: u16 = 0x31B;

/// The greatest number of letters of a set that take marks.
const MOST_LETTERS: usize = 136;

/// Bytes of a set.
#[derive(Clone, Copy)]
struct List {
    bytes: [u8; MOST_LETTERS],
    length: usize,
}

impl List {
    const EMPTY: Self = List { bytes: [0; MOST_LETTERS], length: 0 };

    const fn push(&mut self, byte: u8) {
        self.bytes[self.length] = byte;
        self.length += 1;
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    fn place(&self, byte: u8) -> Option<usize> {
        self.bytes().iter().position(|&known| known == byte)
    }
}

/// The letters that an encoder holds, the marks that they take, and the numbers of the states: first one for each set,
/// while no letter is held, and then those with a letter.
pub(crate) struct States {
    /// The bytes of the letters of each set.
    letters: [List; SINGLE],
    /// The bytes of the marks of each set.
    marks: [List; SINGLE],
    /// The number of the first state with a letter of each set.
    firsts: [u16; SINGLE],
    count: u16,
    /// Whether there are other sets than the first one.
    has_escapes: bool,
    /// The bytes of a character of EACC. A program links the tables of EACC if this function is in its states.
    eacc: Option<Eacc>,
}

/// A function that finds the three bytes of a code point.
type Eacc = fn(u32) -> Option<[u8; 3]>;

impl States {
    const fn new(eacc: Option<Eacc>) -> Self {
        let has_escapes = eacc.is_some();
        let (letters, marks) = ([List::EMPTY; SINGLE], [List::EMPTY; SINGLE]);
        let mut states = States { letters, marks, firsts: [0; SINGLE], count: 0, has_escapes, eacc };
        let (mut number, mut set) = if has_escapes { (SETS.len(), 0) } else { (1, 0) };
        while set < if has_escapes { SINGLE } else { 1 } {
            let (mut letters, mut marks) = (List::EMPTY, List::EMPTY);
            let mut byte = 0x20;
            while byte < 0x7F {
                let unit = if set == 0 { byte as u16 } else { unit_in(set, byte) };
                if is_mark(unit) {
                    marks.push(byte);
                } else if unit != NULL && unit != QUESTION_MARK {
                    letters.push(byte);
                }
                byte += 1;
            }
            let mut place = 0;
            while set == 0 && place < LETTERS.len() {
                let byte = 0xA1 + place as u8;
                if LETTERS[place].len_utf8() == 2 && is_encoded(byte, has_escapes) {
                    letters.push(byte);
                }
                place += 1;
            }
            let mut place = 0;
            // Cyrillic takes the marks of ANSEL, which is G1. The other sets have marks of their own.
            while place < MARKS.len() && matches!(SETS[set].0, set::ASCII | set::CYRILLIC | set::EXTENDED_CYRILLIC) {
                if !(has_escapes && is_of_gedcom(MARKS[place].0)) {
                    marks.push(MARKS[place].0);
                }
                place += 1;
            }
            if marks.length == 0 {
                letters = List::EMPTY;
            }
            states.firsts[set] = number as u16;
            number += letters.length * (1 + marks.length);
            states.letters[set] = letters;
            states.marks[set] = marks;
            set += 1;
        }
        assert!(number <= u16::MAX as usize);
        states.count = number as u16;
        states
    }

    /// The byte of a mark of a set.
    fn mark(&self, set: u8, unit: u16) -> Option<u8> {
        let marks = self.marks.get(usize::from(set))?;
        marks.bytes().iter().copied().find(|&byte| unit_of(set, byte) == unit)
    }

    fn is_held(&self, set: u8, byte: u8) -> bool {
        self.letters.get(usize::from(set)).is_some_and(|letters| letters.place(byte).is_some())
    }
}

/// The code unit of a byte below 80 in a set with one byte for a character, which is not ASCII.
const fn unit_in(set: usize, byte: u8) -> u16 {
    if byte == 0x20 { 0x20 } else { TABLES[(SETS[set].0 - set::FIRST_TABLE) as usize][byte as usize - 0x20] }
}

/// The code unit of the byte of a mark.
fn unit_of(set: u8, byte: u8) -> u16 {
    match MARKS.iter().find(|entry| entry.0 == byte) {
        Some(&(_, mark)) => u32::from(mark) as u16,
        None => unit_in(usize::from(set), byte),
    }
}

/// Whether an encoder writes this byte of ANSEL. Sharp S has two bytes, and `e` and `o` are ASCII.
const fn is_encoded(byte: u8, has_escapes: bool) -> bool {
    match byte {
        0xCD | 0xCE => false,
        0xC7 => has_escapes,
        _ => !(has_escapes && is_of_gedcom(byte)),
    }
}

/// An encoder with marks, as a type.
pub(crate) trait Kind: Copy {
    const STATES: &'static States;
}

/// ANSEL in GEDCOM.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gedcom;

impl Kind for Gedcom {
    const STATES: &'static States = {
        static STATES: States = States::new(None);
        &STATES
    };
}

/// MARC-8.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marc8;

impl Kind for Marc8 {
    const STATES: &'static States = {
        static STATES: States = States::new(Some(eacc::bytes));
        &STATES
    };
}

/// The byte of a character in ASCII or ANSEL that is no mark.
fn latin(unit: u16, has_escapes: bool) -> Option<u8> {
    match unit {
        0x1B if has_escapes => None,
        0..0x80 => Some(unit as u8),
        0x98 => Some(0x88),
        0x9C => Some(0x89),
        0x200D => Some(0x8D),
        0x200C => Some(0x8E),
        NULL => None,
        _ => {
            let mut entries = (0xA1..).zip(&LETTERS);
            let is =
                |&(byte, letter): &(u8, &char)| u32::from(*letter) == u32::from(unit) && is_encoded(byte, has_escapes);
            entries.find(is).map(|(byte, _)| byte)
        }
    }
}

/// The byte of a character in a set that is no mark. EACC has no single bytes: a space, too, is in ASCII, because Perl
/// and pymarc take it for a part of the next character.
fn byte(set: u8, unit: u16, has_escapes: bool) -> Option<u8> {
    match set {
        LATIN => return latin(unit, has_escapes),
        EACC => return None,
        _ => {}
    }
    let is =
        |&byte: &u8| unit_in(usize::from(set), byte) == unit && !is_mark(unit) && !matches!(unit, NULL | QUESTION_MARK);
    (0x20..0x7F).find(is)
}

/// What an encoder does with a character.
enum Step {
    /// It writes the bytes, which are none if it holds the character.
    Written(Bytes),
    /// It writes the bytes and then reads the character again.
    Before(Bytes),
    Unmappable,
}

/// The state of an encoder. One type for all encoders, so that a program has one copy of the functions.
#[derive(Clone, Copy, Debug)]
struct State {
    /// The set that is in use.
    set: u8,
    /// The byte of the letter that is held, or 0.
    letter: u8,
    /// The byte of its mark, or 0.
    mark: u8,
}

impl State {
    /// The bytes of a letter and at most two marks. A mark over two letters has a right half, which is written at once.
    fn bytes(letter: u8, marks: [u8; 2]) -> Bytes {
        let mut bytes = Bytes::EMPTY;
        marks.into_iter().filter(|&mark| mark != 0).for_each(|mark| bytes.push(mark));
        bytes.push(letter);
        for mark in marks {
            match mark {
                0xEB => bytes.push(0xEC),
                0xFA => bytes.push(0xFB),
                _ => {}
            }
        }
        bytes
    }

    /// Takes the letter that is held.
    fn take(&mut self) -> Bytes {
        let bytes = Self::bytes(self.letter, [self.mark, 0]);
        (self.letter, self.mark) = (0, 0);
        bytes
    }

    #[inline(never)]
    fn step(&mut self, states: &States, code_point: u32) -> Step {
        let unit = u16::try_from(code_point).unwrap_or(NULL);
        if self.letter != 0 {
            let horned = match self.letter {
                b'O' => 0xAC,
                b'U' => 0xAD,
                b'o' => 0xBC,
                b'u' => 0xBD,
                _ => 0,
            };
            if (self.set, self.mark, unit) == (LATIN, 0, HORN) && horned != 0 {
                self.letter = horned;
                return Step::Written(Bytes::EMPTY);
            }
            let mark = if is_mark(unit) { states.mark(self.set, unit) } else { None };
            match mark {
                Some(mark) if self.mark == 0 => {
                    self.mark = mark;
                    return Step::Written(Bytes::EMPTY);
                }
                // A decoder writes at most four bytes of UTF-8 after the letter, and U+FB1E is three bytes.
                Some(mark) if unit_of(self.set, self.mark) != 0xFB1E => {
                    let bytes = Self::bytes(self.letter, [self.mark, mark]);
                    (self.letter, self.mark) = (0, 0);
                    return Step::Written(bytes);
                }
                _ => return Step::Before(self.take()),
            }
        }
        if let Some(bytes) = states.eacc.and_then(|bytes| bytes(code_point)) {
            if self.set == EACC {
                return Step::Written(bytes.into());
            }
            self.set = EACC;
            return Step::Before(escape(EACC));
        }
        let Some((set, letter, marks)) = self.find(states, unit) else {
            if self.set == LATIN {
                return Step::Unmappable;
            }
            // A character reference is ASCII.
            self.set = LATIN;
            return Step::Before(escape(LATIN));
        };
        if set != self.set {
            self.set = set;
            return Step::Before(escape(set));
        }
        if marks[1] == 0 && states.is_held(set, letter) {
            (self.letter, self.mark) = (letter, marks[0]);
            return Step::Written(Bytes::EMPTY);
        }
        Step::Written(Self::bytes(letter, marks))
    }

    /// The set of a character, the byte of its letter, and the bytes of its marks, or 0. The set in use comes first.
    fn find(&self, states: &States, unit: u16) -> Option<(u8, u8, [u8; 2])> {
        let others = if states.has_escapes { EACC } else { 1 };
        let sets = || core::iter::once(self.set).chain(0..others);
        let place = |unit| sets().find_map(|set| byte(set, unit, states.has_escapes).map(|letter| (set, letter)));
        if let Some((set, letter)) = place(unit) {
            return Some((set, letter, [0; 2]));
        }
        let (base, last) = decompose(unit)?;
        let (base, first) = match place(base) {
            Some(_) => (base, NULL),
            None => decompose(base)?,
        };
        let (set, letter) = place(base).filter(|&(set, letter)| states.is_held(set, letter))?;
        let last = states.mark(set, last)?;
        let marks = if first == NULL { [last, 0] } else { [states.mark(set, first)?, last] };
        Some((set, letter, marks))
    }

    /// `convert` of all encoders.
    #[inline(never)]
    fn convert(&mut self, states: &States, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        while let Some(&unit) = source.get(read) {
            let (before, mut length) = (*self, 0);
            let is_written = loop {
                let (bytes, is_last) = match self.step(states, unit.into()) {
                    Step::Written(bytes) => (bytes, true),
                    Step::Before(bytes) => (bytes, false),
                    Step::Unmappable => break false,
                };
                let space = skip_mut(destination, written + length);
                let Some(to) = space.get_mut(..bytes.len()) else { break false };
                to.copy_from_slice(&bytes);
                length += bytes.len();
                if is_last {
                    break true;
                }
            };
            if !is_written {
                *self = before;
                break;
            }
            (read, written) = (read + 1, written + length);
        }
        (read, written)
    }

    fn pack(self, states: &States) -> u16 {
        let set = usize::from(self.set).min(SINGLE - 1);
        let (letters, marks) = (&states.letters[set], &states.marks[set]);
        match letters.place(self.letter) {
            // No letter of EACC is held.
            Some(place) if self.letter != 0 => {
                let mark = marks.place(self.mark).map_or(0, |mark| mark + 1);
                states.firsts[set] + (place * (1 + marks.length) + mark) as u16
            }
            _ => self.set.into(),
        }
    }

    fn unpack(states: &States, word: u16) -> Self {
        let new = |set, letter, mark| State { set, letter, mark };
        let is_of = |set: &usize| states.letters[*set].length > 0 && word >= states.firsts[*set];
        let Some(set) = (0..SINGLE).rev().find(is_of) else { return new(word as u8, 0, 0) };
        let (letters, marks) = (&states.letters[set], &states.marks[set]);
        let number = usize::from(word - states.firsts[set]);
        let (place, mark) = (number / (1 + marks.length), number % (1 + marks.length));
        let letter = letters.bytes().get(place).copied().unwrap_or(0);
        let mark = mark.checked_sub(1).and_then(|mark| marks.bytes().get(mark)).copied().unwrap_or(0);
        new(set as u8, letter, mark)
    }
}

/// An encoder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MarkEncoder<K> {
    state: State,
    kind: PhantomData<K>,
}

impl<K: Kind> EncoderHandler for MarkEncoder<K> {
    const STATES: u16 = K::STATES.count;
    /// A letter is written when the next character is known.
    const HAS_ASCII: bool = false;
    const KEEPS_STATE: bool = false;
    /// An escape and `&#2047;`, or an escape and `&#65535;`. At the end a letter, a mark and its half, and an escape.
    const MAX_BYTES_HTML: MaxBytes = MaxBytes { per_utf8_byte: 6, per_code_unit: 12, at_end: 6 };
    /// An escape and a byte, an escape, a letter and two marks, or an escape and a character of EACC.
    const MAX_BYTES_FATAL: MaxBytes = MaxBytes { per_utf8_byte: 4, per_code_unit: 8, at_end: 6 };

    fn handler<Q: Restore<char>>(&mut self, io_queue: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            return if self.state.letter != 0 {
                HandlerResult::Items(self.state.take())
            } else if self.state.set != LATIN {
                self.state.set = LATIN;
                HandlerResult::Items(escape(LATIN))
            } else {
                HandlerResult::Finished
            };
        };
        match self.state.step(K::STATES, code_point.into()) {
            Step::Written(bytes) if bytes.is_empty() => HandlerResult::Continue,
            Step::Written(bytes) => HandlerResult::Items(bytes),
            Step::Before(bytes) => {
                io_queue.restore(&[code_point]);
                HandlerResult::Items(bytes)
            }
            Step::Unmappable => HandlerResult::Error(code_point),
        }
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        self.state.convert(K::STATES, source, destination)
    }

    fn pack(self) -> u16 {
        self.state.pack(K::STATES)
    }

    fn unpack(_: &'static EncoderHalf, word: u16) -> Self {
        MarkEncoder { state: State::unpack(K::STATES, word), kind: PhantomData }
    }
}
