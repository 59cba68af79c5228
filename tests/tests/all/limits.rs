//! The limits of every range in the Standard, as constants: the first and last byte, pointer and code point, and their
//! neighbours outside. The decoder and the handler must both give them, because in all other tests the handler is the
//! oracle.

use textcodec::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, X_USER_DEFINED,
};
use textcodec_tests::{decode_in_both_layers, encode_in_both_layers};

/// Fails unless each sequence of bytes is decoded to the text beside it.
fn decodes(encoding: Encoding, cases: &[(&[u8], &str)]) {
    for &(bytes, text) in cases {
        assert_eq!(decode_in_both_layers(encoding, bytes).as_deref(), Some(text), "{encoding}: {bytes:02X?}");
    }
}

/// Fails unless each sequence of bytes is malformed.
fn rejects(encoding: Encoding, cases: &[&[u8]]) {
    for &bytes in cases {
        assert_eq!(decode_in_both_layers(encoding, bytes), None, "{encoding}: {bytes:02X?}");
    }
}

/// Fails unless each text is encoded to the bytes beside it.
fn encodes(encoding: Encoding, cases: &[(&str, &[u8])]) {
    for &(text, bytes) in cases {
        assert_eq!(encode_in_both_layers(encoding, text).as_deref(), Some(bytes), "{encoding}: {text:?}");
    }
}

/// Fails unless each text is decoded from the bytes beside it and encoded to them.
fn both_ways(encoding: Encoding, cases: &[(&[u8], &str)]) {
    for &(bytes, text) in cases {
        decodes(encoding, &[(bytes, text)]);
        encodes(encoding, &[(text, bytes)]);
    }
}

/// Fails unless each character is unmappable.
fn cannot_encode(encoding: Encoding, characters: &str) {
    for character in characters.chars() {
        assert_eq!(encode_in_both_layers(encoding, &String::from(character)), None, "{encoding}: {character:?}");
    }
}

/// Fails unless each text is decoded from the two bytes beside it and encoded to them.
fn pairs(encoding: Encoding, cases: &[([u8; 2], &str)]) {
    for (bytes, text) in cases {
        both_ways(encoding, &[(&bytes[..], *text)]);
    }
}

#[test]
fn utf_8_at_the_limits_of_each_length() {
    both_ways(
        UTF_8,
        &[
            (b"\x00", "\0"),
            (b"\x7F", "\u{7F}"),
            (b"\xC2\x80", "\u{80}"),
            (b"\xDF\xBF", "\u{7FF}"),
            (b"\xE0\xA0\x80", "\u{800}"),
            (b"\xED\x9F\xBF", "\u{D7FF}"),
            (b"\xEE\x80\x80", "\u{E000}"),
            (b"\xEF\xBF\xBF", "\u{FFFF}"),
            (b"\xF0\x90\x80\x80", "\u{10000}"),
            (b"\xF4\x8F\xBF\xBF", "\u{10FFFF}"),
        ],
    );
    rejects(
        UTF_8,
        &[
            b"\x80",
            b"\xBF",
            b"\xC1\xBF",
            b"\xC2\x7F",
            b"\xC2\xC0",
            b"\xE0\x9F\xBF",
            b"\xED\xA0\x80",
            b"\xF0\x8F\xBF\xBF",
            b"\xF4\x90\x80\x80",
            b"\xF5\x80\x80\x80",
        ],
    );
}

#[test]
fn utf_16_at_the_limits_of_surrogates() {
    for (encoding, unit_bytes) in [(UTF_16BE, u16::to_be_bytes as fn(u16) -> [u8; 2]), (UTF_16LE, u16::to_le_bytes)] {
        let bytes = |units: &[u16]| units.iter().copied().flat_map(unit_bytes).collect::<Vec<u8>>();
        for (units, text) in [
            (&[0x0000][..], "\0"),
            (&[0xD7FF], "\u{D7FF}"),
            (&[0xE000], "\u{E000}"),
            (&[0xFFFF], "\u{FFFF}"),
            (&[0xD800, 0xDC00], "\u{10000}"),
            (&[0xD800, 0xDFFF], "\u{103FF}"),
            (&[0xDBFF, 0xDC00], "\u{10FC00}"),
            (&[0xDBFF, 0xDFFF], "\u{10FFFF}"),
        ] {
            decodes(encoding, &[(&bytes(units), text)]);
        }
        for units in [&[0xD800, 0xDBFF][..], &[0xDBFF, 0xE000], &[0xD800], &[0xDBFF], &[0xDC00], &[0xDFFF]] {
            rejects(encoding, &[&bytes(units)]);
        }
    }
}

/// The characters of the bytes 0x80 and 0xFF, where U+FFFD says that there is none.
#[test]
fn single_byte_encodings_at_the_first_and_last_pointer() {
    for (label, first, last) in [
        ("ibm866", 'А', '\u{A0}'),
        ("iso-8859-2", '\u{80}', '˙'),
        ("iso-8859-3", '\u{80}', '˙'),
        ("iso-8859-4", '\u{80}', '˙'),
        ("iso-8859-5", '\u{80}', 'џ'),
        ("iso-8859-6", '\u{80}', '\u{FFFD}'),
        ("iso-8859-7", '\u{80}', '\u{FFFD}'),
        ("iso-8859-8", '\u{80}', '\u{FFFD}'),
        ("iso-8859-8-i", '\u{80}', '\u{FFFD}'),
        ("iso-8859-10", '\u{80}', 'ĸ'),
        ("iso-8859-13", '\u{80}', '’'),
        ("iso-8859-14", '\u{80}', 'ÿ'),
        ("iso-8859-15", '\u{80}', 'ÿ'),
        ("iso-8859-16", '\u{80}', 'ÿ'),
        ("koi8-r", '─', 'Ъ'),
        ("koi8-u", '─', 'Ъ'),
        ("macintosh", 'Ä', 'ˇ'),
        ("windows-874", '€', '\u{FFFD}'),
        ("windows-1250", '€', '˙'),
        ("windows-1251", 'Ђ', 'я'),
        ("windows-1252", '€', 'ÿ'),
        ("windows-1253", '€', '\u{FFFD}'),
        ("windows-1254", '€', 'ÿ'),
        ("windows-1255", '€', '\u{FFFD}'),
        ("windows-1256", '€', 'ے'),
        ("windows-1257", '€', '˙'),
        ("windows-1258", '€', 'ÿ'),
        ("x-mac-cyrillic", 'А', '€'),
        ("x-user-defined", '\u{F780}', '\u{F7FF}'),
    ] {
        let encoding = Encoding::for_label(label).unwrap();
        both_ways(encoding, &[(b"\x00", "\0"), (b"\x7F", "\u{7F}")]);
        for (byte, character) in [(0x80, first), (0xFF, last)] {
            match character {
                '\u{FFFD}' => rejects(encoding, &[&[byte]]),
                _ => both_ways(encoding, &[(&[byte], &String::from(character))]),
            }
        }
        cannot_encode(encoding, "\u{FFFD}\u{10FFFF}");
    }
    cannot_encode(X_USER_DEFINED, "\u{80}\u{F77F}\u{F800}");
}

#[test]
fn gb18030_at_the_limits_of_its_lengths() {
    for encoding in [GB18030, GBK] {
        decodes(
            encoding,
            &[
                (b"\x7F", "\u{7F}"),
                (b"\x80", "€"),
                (b"\x81\x40", "丂"),
                (b"\x81\x7E", "亊"),
                (b"\x81\x80", "亐"),
                (b"\x81\xFE", "侢"),
                (b"\xA1\xA1", "\u{3000}"),
                (b"\xFE\x40", "\u{FA0C}"),
                (b"\xFE\xFE", "\u{E4C5}"),
                (b"\x81\x30\x81\x30", "\u{80}"),
                (b"\x81\x35\xF4\x36", "\u{1E3E}"),
                (b"\x81\x35\xF4\x37", "\u{E7C7}"),
                (b"\x81\x35\xF4\x38", "\u{1E40}"),
                (b"\x84\x31\xA4\x39", "\u{FFFF}"),
                (b"\x90\x30\x81\x30", "\u{10000}"),
                (b"\xE3\x32\x9A\x35", "\u{10FFFF}"),
            ],
        );
        rejects(
            encoding,
            &[
                b"\x81\x3F",
                b"\x81\x7F",
                b"\x81\xFF",
                b"\xFF",
                b"\xFF\x40",
                b"\x81\x2F",
                b"\x81\x3A",
                b"\x81\x30\x80",
                b"\x81\x30\xFF",
                b"\x81\x30\x81\x2F",
                b"\x81\x30\x81\x3A",
                // The pointers 39420, 188999, 1237576, and the last one of four bytes.
                b"\x84\x31\xA5\x30",
                b"\x8F\x39\xFE\x39",
                b"\xE3\x32\x9A\x36",
                b"\xFE\x39\xFE\x39",
            ],
        );
    }
    pairs(GBK, &[(*b"\x81\x40", "丂"), (*b"\xFE\xFE", "\u{E4C5}")]);
    cannot_encode(GBK, "\u{81}\u{E5E5}\u{FFFF}\u{10000}\u{10FFFF}");
    cannot_encode(GB18030, "\u{E5E5}");
    encodes(GB18030, &[("€", b"\xA2\xE3"), ("\u{E7C7}", b"\x81\x35\xF4\x37"), ("\u{1E3F}", b"\xA8\xBC")]);
    encodes(GBK, &[("€", b"\x80"), ("\u{1E3F}", b"\xA8\xBC")]);
}

/// The first and last code point of every range of index gb18030 ranges, and their pointers.
#[rustfmt::skip]
const GB18030_RANGES: [(u32, u32, u32, u32); 207] = [
    (0x0080, 0x00A3, 0, 35), (0x00A5, 0x00A6, 36, 37), (0x00A9, 0x00AF, 38, 44), (0x00B2, 0x00B6, 45, 49),
    (0x00B8, 0x00D6, 50, 80), (0x00D8, 0x00DF, 81, 88), (0x00E2, 0x00E7, 89, 94), (0x00EB, 0x00EB, 95, 95),
    (0x00EE, 0x00F1, 96, 99), (0x00F4, 0x00F6, 100, 102), (0x00F8, 0x00F8, 103, 103), (0x00FB, 0x00FB, 104, 104),
    (0x00FD, 0x0100, 105, 108), (0x0102, 0x0112, 109, 125), (0x0114, 0x011A, 126, 132), (0x011C, 0x012A, 133, 147),
    (0x012C, 0x0143, 148, 171), (0x0145, 0x0147, 172, 174), (0x0149, 0x014C, 175, 178), (0x014E, 0x016A, 179, 207),
    (0x016C, 0x01CD, 208, 305), (0x01CF, 0x01CF, 306, 306), (0x01D1, 0x01D1, 307, 307), (0x01D3, 0x01D3, 308, 308),
    (0x01D5, 0x01D5, 309, 309), (0x01D7, 0x01D7, 310, 310), (0x01D9, 0x01D9, 311, 311), (0x01DB, 0x01DB, 312, 312),
    (0x01DD, 0x01F8, 313, 340), (0x01FA, 0x0250, 341, 427), (0x0252, 0x0260, 428, 442), (0x0262, 0x02C6, 443, 543),
    (0x02C8, 0x02C8, 544, 544), (0x02CC, 0x02D8, 545, 557), (0x02DA, 0x0390, 558, 740), (0x03A2, 0x03A2, 741, 741),
    (0x03AA, 0x03B0, 742, 748), (0x03C2, 0x03C2, 749, 749), (0x03CA, 0x0400, 750, 804), (0x0402, 0x040F, 805, 818),
    (0x0450, 0x0450, 819, 819), (0x0452, 0x200F, 820, 7921), (0x2011, 0x2012, 7922, 7923),
    (0x2017, 0x2017, 7924, 7924), (0x201A, 0x201B, 7925, 7926), (0x201E, 0x2024, 7927, 7933),
    (0x2027, 0x202F, 7934, 7942), (0x2031, 0x2031, 7943, 7943), (0x2034, 0x2034, 7944, 7944),
    (0x2036, 0x203A, 7945, 7949), (0x203C, 0x20AB, 7950, 8061), (0x20AD, 0x2102, 8062, 8147),
    (0x2104, 0x2104, 8148, 8148), (0x2106, 0x2108, 8149, 8151), (0x210A, 0x2115, 8152, 8163),
    (0x2117, 0x2120, 8164, 8173), (0x2122, 0x215F, 8174, 8235), (0x216C, 0x216F, 8236, 8239),
    (0x217A, 0x218F, 8240, 8261), (0x2194, 0x2195, 8262, 8263), (0x219A, 0x2207, 8264, 8373),
    (0x2209, 0x220E, 8374, 8379), (0x2210, 0x2210, 8380, 8380), (0x2212, 0x2214, 8381, 8383),
    (0x2216, 0x2219, 8384, 8387), (0x221B, 0x221C, 8388, 8389), (0x2221, 0x2222, 8390, 8391),
    (0x2224, 0x2224, 8392, 8392), (0x2226, 0x2226, 8393, 8393), (0x222C, 0x222D, 8394, 8395),
    (0x222F, 0x2233, 8396, 8400), (0x2238, 0x223C, 8401, 8405), (0x223E, 0x2247, 8406, 8415),
    (0x2249, 0x224B, 8416, 8418), (0x224D, 0x2251, 8419, 8423), (0x2253, 0x225F, 8424, 8436),
    (0x2262, 0x2263, 8437, 8438), (0x2268, 0x226D, 8439, 8444), (0x2270, 0x2294, 8445, 8481),
    (0x2296, 0x2298, 8482, 8484), (0x229A, 0x22A4, 8485, 8495), (0x22A6, 0x22BE, 8496, 8520),
    (0x22C0, 0x2311, 8521, 8602), (0x2313, 0x245F, 8603, 8935), (0x246A, 0x2473, 8936, 8945),
    (0x249C, 0x24FF, 8946, 9045), (0x254C, 0x254F, 9046, 9049), (0x2574, 0x2580, 9050, 9062),
    (0x2590, 0x2592, 9063, 9065), (0x2596, 0x259F, 9066, 9075), (0x25A2, 0x25B1, 9076, 9091),
    (0x25B4, 0x25BB, 9092, 9099), (0x25BE, 0x25C5, 9100, 9107), (0x25C8, 0x25CA, 9108, 9110),
    (0x25CC, 0x25CD, 9111, 9112), (0x25D0, 0x25E1, 9113, 9130), (0x25E6, 0x2604, 9131, 9161),
    (0x2607, 0x2608, 9162, 9163), (0x260A, 0x263F, 9164, 9217), (0x2641, 0x2641, 9218, 9218),
    (0x2643, 0x2E80, 9219, 11328), (0x2E82, 0x2E83, 11329, 11330), (0x2E85, 0x2E87, 11331, 11333),
    (0x2E89, 0x2E8A, 11334, 11335), (0x2E8D, 0x2E96, 11336, 11345), (0x2E98, 0x2EA6, 11346, 11360),
    (0x2EA8, 0x2EA9, 11361, 11362), (0x2EAB, 0x2EAD, 11363, 11365), (0x2EAF, 0x2EB2, 11366, 11369),
    (0x2EB4, 0x2EB5, 11370, 11371), (0x2EB8, 0x2EBA, 11372, 11374), (0x2EBC, 0x2EC9, 11375, 11388),
    (0x2ECB, 0x2FEF, 11389, 11681), (0x2FFC, 0x2FFF, 11682, 11685), (0x3004, 0x3004, 11686, 11686),
    (0x3018, 0x301C, 11687, 11691), (0x301F, 0x3020, 11692, 11693), (0x302A, 0x303D, 11694, 11713),
    (0x303F, 0x3040, 11714, 11715), (0x3094, 0x309A, 11716, 11722), (0x309F, 0x30A0, 11723, 11724),
    (0x30F7, 0x30FB, 11725, 11729), (0x30FF, 0x3104, 11730, 11735), (0x312A, 0x321F, 11736, 11981),
    (0x322A, 0x3230, 11982, 11988), (0x3232, 0x32A2, 11989, 12101), (0x32A4, 0x338D, 12102, 12335),
    (0x3390, 0x339B, 12336, 12347), (0x339F, 0x33A0, 12348, 12349), (0x33A2, 0x33C3, 12350, 12383),
    (0x33C5, 0x33CD, 12384, 12392), (0x33CF, 0x33D0, 12393, 12394), (0x33D3, 0x33D4, 12395, 12396),
    (0x33D6, 0x3446, 12397, 12509), (0x3448, 0x3472, 12510, 12552), (0x3474, 0x359D, 12553, 12850),
    (0x359F, 0x360D, 12851, 12961), (0x360F, 0x3619, 12962, 12972), (0x361B, 0x3917, 12973, 13737),
    (0x3919, 0x396D, 13738, 13822), (0x396F, 0x39CE, 13823, 13918), (0x39D1, 0x39DE, 13919, 13932),
    (0x39E0, 0x3A72, 13933, 14079), (0x3A74, 0x3B4D, 14080, 14297), (0x3B4F, 0x3C6D, 14298, 14584),
    (0x3C6F, 0x3CDF, 14585, 14697), (0x3CE1, 0x4055, 14698, 15582), (0x4057, 0x415E, 15583, 15846),
    (0x4160, 0x4336, 15847, 16317), (0x4338, 0x43AB, 16318, 16433), (0x43AD, 0x43B0, 16434, 16437),
    (0x43B2, 0x43DC, 16438, 16480), (0x43DE, 0x44D5, 16481, 16728), (0x44D7, 0x464B, 16729, 17101),
    (0x464D, 0x4660, 17102, 17121), (0x4662, 0x4722, 17122, 17314), (0x4724, 0x4728, 17315, 17319),
    (0x472A, 0x477B, 17320, 17401), (0x477D, 0x478C, 17402, 17417), (0x478E, 0x4946, 17418, 17858),
    (0x4948, 0x4979, 17859, 17908), (0x497B, 0x497C, 17909, 17910), (0x497E, 0x4981, 17911, 17914),
    (0x4984, 0x4984, 17915, 17915), (0x4987, 0x499A, 17916, 17935), (0x499C, 0x499E, 17936, 17938),
    (0x49A0, 0x49B5, 17939, 17960), (0x49B8, 0x4C76, 17961, 18663), (0x4C78, 0x4C9E, 18664, 18702),
    (0x4CA4, 0x4D12, 18703, 18813), (0x4D1A, 0x4DAD, 18814, 18961), (0x4DAF, 0x4DFF, 18962, 19042),
    (0x9FA6, 0xD7FF, 19043, 33468), (0xE76C, 0xE76C, 33469, 33469), (0xE7C8, 0xE7C8, 33470, 33470),
    (0xE7E7, 0xE7F3, 33471, 33483), (0xE815, 0xE815, 33484, 33484), (0xE819, 0xE81D, 33485, 33489),
    (0xE81F, 0xE825, 33490, 33496), (0xE827, 0xE82A, 33497, 33500), (0xE82D, 0xE830, 33501, 33504),
    (0xE833, 0xE83A, 33505, 33512), (0xE83C, 0xE842, 33513, 33519), (0xE844, 0xE853, 33520, 33535),
    (0xE856, 0xE863, 33536, 33549), (0xE865, 0xF92B, 33550, 37844), (0xF92D, 0xF978, 37845, 37920),
    (0xF97A, 0xF994, 37921, 37947), (0xF996, 0xF9E6, 37948, 38028), (0xF9E8, 0xF9F0, 38029, 38037),
    (0xF9F2, 0xFA0B, 38038, 38063), (0xFA10, 0xFA10, 38064, 38064), (0xFA12, 0xFA12, 38065, 38065),
    (0xFA15, 0xFA17, 38066, 38068), (0xFA19, 0xFA1E, 38069, 38074), (0xFA22, 0xFA22, 38075, 38075),
    (0xFA25, 0xFA26, 38076, 38077), (0xFA2A, 0xFE2F, 38078, 39107), (0xFE32, 0xFE32, 39108, 39108),
    (0xFE45, 0xFE48, 39109, 39112), (0xFE53, 0xFE53, 39113, 39113), (0xFE58, 0xFE58, 39114, 39114),
    (0xFE67, 0xFE67, 39115, 39115), (0xFE6C, 0xFF00, 39116, 39264), (0xFF5F, 0xFFDF, 39265, 39393),
    (0xFFE6, 0xFFFF, 39394, 39419), (0x10000, 0x10FFFF, 189000, 1237575),
];

#[test]
fn gb18030_at_the_limits_of_every_range() {
    for (first, last, first_pointer, last_pointer) in GB18030_RANGES {
        for (code_point, pointer) in [(first, first_pointer), (last, last_pointer)] {
            let text = String::from(char::from_u32(code_point).unwrap());
            let bytes = [
                0x81 + (pointer / 12600) as u8,
                0x30 + (pointer / 1260 % 10) as u8,
                0x81 + (pointer / 10 % 126) as u8,
                0x30 + (pointer % 10) as u8,
            ];
            decodes(GBK, &[(&bytes, &text)]);
            both_ways(GB18030, &[(&bytes, &text)]);
        }
    }
}

/// The characters in the first and in the last column of each row of an index; U+FFFD where the index has no entry.
struct Rows {
    first: &'static str,
    last: &'static str,
}

/// Index gb18030, in rows of 190 pointers.
#[rustfmt::skip]
const GB18030_ROWS: Rows = Rows {
    first: "丂侤傽凘匑咢嘆園堾夽婡孈岪嶡廆怈慇扏揁擛旲朄桜楡橜欯汙淍滰濦烜燖\u{E4C6}\u{E526}\u{E586}\u{E5E6}\u{E646}\
            \u{E6A6}\u{E706}ˊ〡狜獲珸瑻瓳疈癅盄睝矦碄礍禓稝窣笯篅籃粿紷継緻繞罖翤聾腀臔艪茾菮葽蔃薂藹虭蜙螥蠤袬褸覢訞誁\
            諤譆谸貮贎跕蹳軥轅這郂酅釦鉆銨錊鍬鏎鐯锧闌隌霡鞞頏顯餈馌駺驚鬇魼鯜鰼鳣鵃鶣鸃麫鼲\u{FA0C}",
    last: "侢傼凗匎咡嘅圑堽夻婠孇岨嶠廅怇慆扊揀據旫會桛楟橚欮汘淊滯濥烚燓狛〓\u{E771}￣\u{E77C}\u{E784}\u{E79F}\u{E7BB}\
            \u{E7E1}\u{E80F}\u{E05D}\u{E0BB}\u{E119}\u{E177}\u{E1D5}\u{E233}剥炳猖楚逮叠二服羹哈湖箕件浸峻傀俐窿漫摸宁\
            毗掐渠叁绳漱塔烃威牺晓玄瑶隐誉轧政筑\u{E814}佝冼邺埝荥蔺撖唼帼狺恂泾濑妣纩琬棹辋掰膻忐睨铪稔瘙颃蟒簋酤觜鳋\
            齄\u{E291}\u{E2EF}\u{E34D}\u{E3AB}\u{E409}\u{E467}\u{E4C5}",
};

/// Index EUC-KR, in rows of 190 pointers.
#[rustfmt::skip]
const EUC_KR_ROWS: Rows = Rows {
    first: "갂괔귺껦꾿낥놞뉯덦둅딞똀뛃랟뢅륚멇묨밃볾뷒뺸뾃쁀섲숤쌐쏛쒪얖욨잸좥줐쥱짞쩇쪨쬋쭭쯅찥첔쳾쵡췆츬캚켂콭쿌퀮킕턅\
            텮퇐툪튍틻퍪폗퐸풞퓾핤헊혽횫휕힍��������������������������������������������������������",
    last: "괓귷껥꾾낤놝뉮덣둄딝뗿뛂랞뢄륗멆묧밁볽뷑뺷뾂쀿섮숣쌏쏚쒩얔욦잷좤￢�￣ㆎ���⅞₄������괆깸끙뇝덥딸랗륩뫼벗빤샤숭\
            쐰엎웨젊짓찻층퀼퉜퐁혠힝�龕檢械瓜勾貴旣\u{F925}茶桃羅漣蓼砬滅文潑癖婦肥\u{F96A}署筬愁崧沁額\u{F982}苒澳\
            \u{F9C1}蕓\u{F9CB}誼卄長澱靖腫只輯策梢萃託鈑驃航型畵淆詰�",
};

/// Index Big5, in rows of 157 pointers.
#[rustfmt::skip]
const BIG5_ROWS: Rows = Rows {
    first: "������䏰㇀𪎩𧶄𣏴倻𠮟𣻗蕋趩𥜆𡏆媁銉𦅜桇愌𦴦䄉鋣𡨭嵛𨆉𠺢籖𨩚\u{3000}＼ｗ一世共作杓咖昇陂拯耐哦浬虔娼毫莆婷溉詔\
            媳睹辟愿罰劇瑾輥濃錐瞧駿鞭願護讖すЛ乂汌杙坨泒哃柜穾唊毨笄酎崰淐耞釫惲湨罦軹媷毹稛觡凘榠禗裰噚澍膞踔噳澢蕀錋\
            檕蕷鞞璸蹛徿譑嚵鏼蠩糴讌纘𠕇𨦼廹𣑯鑂",
    last: "��������㗅𠾭�弻𠻘䇛起𤅜𡊨𥺃𨫋𦉡𩂰𨩉䓎䄃銿𡥪𦑊𨅏𢱢鵼瘇𦉫／ｖ�丙全佣杠呵昊附拷耄哪涓荃婀殺荼奠滋詁媼督輊慇綬凜\
            璃輞澡錚瞬騁鞦類譴讒じКɪ汋杇坢泲哏枺窀哱毤笐酐崏淉耟釪愔湞罥軺嫆毼稓觤僠槉禓裻噘澒膟踧噮澸蕘錌檎薞鞜獶蹧幰\
            譕嚲鏿蘥籚觾纚￭𠵍𨒂桝爎秔",
};

/// Index jis0208, in rows of 94 pointers.
#[rustfmt::skip]
const JIS0208_ROWS: Rows = Rows {
    first: "\u{3000}◆�ぁァΑА─����①��亜院押魁粥機供掘検后此察次宗勝拭澄繊臓叩帖邸董如函鼻福法漫諭痢蓮弌僉辧咫圈奸屐廖悄戞\
            據曄棔檗沺漾燹瓠癲磧筺紂罅隋茵蕁蝓襦譟蹇遏錙陝顱髻鵝堯����纊忞犾釗��",
    last: "◇◯�������������蔭応改萱棄京屈捲向込刷時周償飾裾線憎只寵逓到入麦美服朋満癒璃聯�傲辨咨圉奩屓廏悚戛撼暼棍檣沾滌\
            燼珱癰磬筐紆缺腋苙蕈蝙襞譫蹊迸錮陞顰髷鵈龠�����德犱釚＂��",
};

/// Index jis0208, in rows of 188 pointers, and the end-user-defined characters of Shift_JIS.
#[rustfmt::skip]
const SHIFT_JIS_ROWS: Rows = Rows {
    first: "\u{3000}�ァА��①�院魁機掘后察宗拭繊叩邸如鼻法諭蓮僉咫奸廖戞曄檗漾瓠磧紂隋蕁襦蹇錙顱鵝��纊犾�\u{E000}\u{E0BC}\
            \u{E178}\u{E234}\u{E2F0}\u{E3AC}\u{E468}\u{E524}\u{E5E0}\u{E69C}ⅰ涖髜",
    last: "◯������蔭改棄屈向刷周飾線只逓入美朋癒聯傲咨奩廏戛暼檣滌珱磬紆腋蕈襞蹊錮顰鵈���犱＂�\u{E0BB}\u{E177}\u{E233}\
            \u{E2EF}\u{E3AB}\u{E467}\u{E523}\u{E5DF}\u{E69B}\u{E757}浯髙�",
};

/// Index jis0212, in rows of 94 pointers.
#[rustfmt::skip]
const JIS0212_ROWS: Rows = Rows {
    first: "��������ÆÁá����丂侅傒凈匌咁嗓囶堌奯嫄屭巩彯悻懬捸擄昞杦棐樴歾泚湢濚煨狾珿甒瘺睤碻秠笱籡綞罱胰艋荽蓜藿蜨蠺襻\
            誶貇踣轃郄釂銙鍺镾霃頫馹鬄鯹鵼黸�����������������",
    last: "������џ��������侄傐凂匋呿嗒园埡奭媿屩巤彧悷懥捵撿昝杝棏樲歽泖湞濊煠狻珽甆瘹睢碳秞笰籞綝罭胮艆荸蓓藼蜣蠵襺誳\
            貆踢轁郃醿銗鍶镹霂頦馵鬃鯸鵻黵������������������",
};

/// Fails unless the first and the last column of each row are as in `rows`. `leading` has a byte for each row, and
/// `context` goes before the pair of bytes.
fn check_rows(
    encoding: Encoding,
    rows: &Rows,
    context: &[u8],
    leading: impl Iterator<Item = u8> + Clone,
    first_trailing: u8,
    last_trailing: u8,
) {
    for (characters, trailing) in [(rows.first, first_trailing), (rows.last, last_trailing)] {
        assert_eq!(characters.chars().count(), leading.clone().count(), "{encoding}");
        for (character, leading) in characters.chars().zip(leading.clone()) {
            let bytes = [context, &[leading, trailing]].concat();
            match character {
                '\u{FFFD}' => rejects(encoding, &[&bytes]),
                _ => decodes(encoding, &[(&bytes, &String::from(character))]),
            }
        }
    }
}

#[test]
fn gb18030_at_the_limits_of_each_row() {
    check_rows(GB18030, &GB18030_ROWS, b"", 0x81..=0xFE, 0x40, 0xFE);
    check_rows(GBK, &GB18030_ROWS, b"", 0x81..=0xFE, 0x40, 0xFE);
}

#[test]
fn euc_kr_at_the_limits_of_each_row() {
    check_rows(EUC_KR, &EUC_KR_ROWS, b"", 0x81..=0xFE, 0x41, 0xFE);
    both_ways(EUC_KR, &[(b"\x7F", "\u{7F}"), (b"\x81\x41", "갂"), (b"\xC6\x52", "힣"), (b"\xFD\xFE", "詰")]);
    rejects(EUC_KR, &[b"\x80", b"\xFF", b"\x81\x40", b"\x81\xFF", b"\xC6\x53", b"\xFE\xFE"]);
    cannot_encode(EUC_KR, "\u{80}\u{ABFF}\u{D7A4}\u{FFFF}\u{10000}\u{10FFFF}");
}

#[test]
fn big5_at_the_limits_of_each_row() {
    check_rows(BIG5, &BIG5_ROWS, b"", 0x81..=0xFE, 0x40, 0xFE);
    decodes(BIG5, &[(b"\x87\x40", "䏰"), (b"\xA0\xFE", "𦉫"), (b"\x88\x62", "Ê\u{304}"), (b"\x88\xA5", "ê\u{30C}")]);
    both_ways(BIG5, &[(b"\x7F", "\u{7F}"), (b"\xA1\x40", "\u{3000}"), (b"\xF9\xFE", "￭"), (b"\xFE\xFE", "秔")]);
    rejects(BIG5, &[b"\x80", b"\xFF", b"\xA1\x3F", b"\xA1\x7F", b"\xA1\xA0", b"\xA1\xFF", b"\x86\xFE"]);
    // Characters of the rows before 0xA1 are not encoded.
    cannot_encode(BIG5, "\u{80}䏰𦉫\u{FFFF}\u{10000}\u{10FFFF}");
}

#[test]
fn shift_jis_at_the_limits_of_each_row() {
    let leading = (0x81..=0x9F).chain(0xE0..=0xFC);
    check_rows(SHIFT_JIS, &SHIFT_JIS_ROWS, b"", leading, 0x40, 0xFC);
    decodes(
        SHIFT_JIS,
        &[(b"\xF0\x40", "\u{E000}"), (b"\xF0\xFC", "\u{E0BB}"), (b"\xF9\x40", "\u{E69C}"), (b"\xF9\xFC", "\u{E757}")],
    );
    both_ways(
        SHIFT_JIS,
        &[
            (b"\x7F", "\u{7F}"),
            (b"\x80", "\u{80}"),
            (b"\xA1", "｡"),
            (b"\xDF", "ﾟ"),
            (b"\x81\x40", "\u{3000}"),
            (b"\x9F\xFC", "滌"),
            (b"\xE0\x40", "漾"),
            (b"\xFC\x4B", "黑"),
        ],
    );
    rejects(
        SHIFT_JIS,
        &[b"\xA0", b"\xFD", b"\xFF", b"\x81\x3F", b"\x81\x7F", b"\x81\xFD", b"\xEF\xFC", b"\xFC\x4C", b"\xFC\xFC"],
    );
    encodes(SHIFT_JIS, &[("¥", b"\x5C"), ("‾", b"\x7E"), ("−", b"\x81\x7C"), ("－", b"\x81\x7C")]);
    cannot_encode(SHIFT_JIS, "\u{81}\u{FF60}\u{FFA0}\u{E000}\u{E757}\u{FFFF}\u{10000}\u{10FFFF}");
}

#[test]
fn euc_jp_at_the_limits_of_each_row() {
    check_rows(EUC_JP, &JIS0208_ROWS, b"", 0xA1..=0xFE, 0xA1, 0xFE);
    check_rows(EUC_JP, &JIS0212_ROWS, b"\x8F", 0xA1..=0xFE, 0xA1, 0xFE);
    decodes(EUC_JP, &[(b"\x8F\xA2\xAF", "˘"), (b"\x8F\xED\xE3", "龥")]);
    both_ways(
        EUC_JP,
        &[(b"\x7F", "\u{7F}"), (b"\x8E\xA1", "｡"), (b"\x8E\xDF", "ﾟ"), (b"\xA1\xA1", "\u{3000}"), (b"\xFC\xFE", "＂")],
    );
    rejects(
        EUC_JP,
        &[
            b"\x80",
            b"\x8D",
            b"\x90",
            b"\xA0",
            b"\xFF",
            b"\x8E\xA0",
            b"\x8E\xE0",
            b"\xA1\xA0",
            b"\xA1\xFF",
            b"\x8F\xA0",
            b"\x8F\xFF",
            b"\x8F\xA2\xA0",
            b"\x8F\xA2\xFF",
            b"\x8F\xED\xE4",
            b"\xFD\xA1",
        ],
    );
    cannot_encode(EUC_JP, "\u{80}\u{FF60}\u{FFA0}龥\u{FFFF}\u{10000}\u{10FFFF}");
}

#[test]
fn iso_2022_jp_at_the_limits_of_each_row_and_state() {
    check_rows(ISO_2022_JP, &JIS0208_ROWS, b"\x1B$B", 0x21..=0x7E, 0x21, 0x7E);
    check_rows(ISO_2022_JP, &JIS0208_ROWS, b"\x1B$@", 0x21..=0x7E, 0x21, 0x7E);
    decodes(
        ISO_2022_JP,
        &[
            (b"\x0D\x10\x7F", "\r\u{10}\u{7F}"),
            (b"\x1B(J\x0D\x10\x7F\\~", "\r\u{10}\u{7F}¥‾"),
            (b"\x1B(I\x21\x5F", "｡ﾟ"),
        ],
    );
    rejects(
        ISO_2022_JP,
        &[
            b"\x0E",
            b"\x0F",
            b"\x80",
            b"\xFF",
            b"\x1B(J\x0E",
            b"\x1B(J\x0F",
            b"\x1B(J\x80",
            b"\x1B(I\x20",
            b"\x1B(I\x60",
            b"\x1B$B\x20\x21",
            b"\x1B$B\x7F\x21",
            b"\x1B$B\x21\x20",
            b"\x1B$B\x21\x7F",
        ],
    );
    encodes(
        ISO_2022_JP,
        &[
            ("\r\u{10}\u{7F}", b"\x0D\x10\x7F"),
            ("\u{3000}", b"\x1B$B\x21\x21\x1B(B"),
            ("＂", b"\x1B$B\x7C\x7E\x1B(B"),
            ("｡ﾟ", b"\x1B$B\x21\x23\x21\x2C\x1B(B"),
            ("¥\r\u{10}\u{7F}‾", b"\x1B(J\x5C\x0D\x10\x7F\x7E\x1B(B"),
        ],
    );
    cannot_encode(ISO_2022_JP, "\u{E}\u{F}\u{1B}\u{80}\u{FF60}\u{FFA0}\u{FFFF}\u{10000}\u{10FFFF}");
}
