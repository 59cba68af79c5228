//! The contract of encoding_rs where the engine has another one: one sentence for each.
#![cfg(feature = "alloc")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use encoding_rs::{
    BIG5, BIG5_INIT, CoderResult, Decoder, DecoderResult, EUC_KR, EncoderResult, Encoding, GB18030, GBK, ISO_2022_JP,
    REPLACEMENT, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};

const LABELS: [&str; 40] = [
    "utf-8",
    "ibm866",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
    "gbk",
    "gb18030",
    "big5",
    "euc-jp",
    "iso-2022-jp",
    "shift_jis",
    "euc-kr",
    "replacement",
    "utf-16be",
    "utf-16le",
    "x-user-defined",
];

fn all() -> impl Iterator<Item = &'static Encoding> {
    LABELS.iter().map(|label| Encoding::for_label(label.as_bytes()).unwrap())
}

#[test]
fn an_encoding_is_its_address() {
    for (number, encoding) in all().enumerate() {
        assert_eq!(all().filter(|&other| other == encoding).count(), 1, "{encoding:?}");
        assert!(core::ptr::eq(encoding, Encoding::for_label(LABELS[number].as_bytes()).unwrap()));
    }
    assert!(core::ptr::eq(BIG5, &BIG5_INIT) && *BIG5 == BIG5_INIT);
    static TABLE: [&Encoding; 2] = [&BIG5_INIT, &encoding_rs::GBK_INIT];
    assert_eq!(TABLE, [BIG5, GBK]);
}

/// The two constants of each encoding, with their names.
macro_rules! constants {
    ($($constant:ident $init:ident)+) => {
        [$((stringify!($constant), encoding_rs::$constant, stringify!($init), &encoding_rs::$init)),+]
    };
}

#[test]
fn each_constant_is_the_encoding_that_it_is_named_after() {
    let constants = constants! {
        UTF_8 UTF_8_INIT
        IBM866 IBM866_INIT
        ISO_8859_2 ISO_8859_2_INIT
        ISO_8859_3 ISO_8859_3_INIT
        ISO_8859_4 ISO_8859_4_INIT
        ISO_8859_5 ISO_8859_5_INIT
        ISO_8859_6 ISO_8859_6_INIT
        ISO_8859_7 ISO_8859_7_INIT
        ISO_8859_8 ISO_8859_8_INIT
        ISO_8859_8_I ISO_8859_8_I_INIT
        ISO_8859_10 ISO_8859_10_INIT
        ISO_8859_13 ISO_8859_13_INIT
        ISO_8859_14 ISO_8859_14_INIT
        ISO_8859_15 ISO_8859_15_INIT
        ISO_8859_16 ISO_8859_16_INIT
        KOI8_R KOI8_R_INIT
        KOI8_U KOI8_U_INIT
        MACINTOSH MACINTOSH_INIT
        WINDOWS_874 WINDOWS_874_INIT
        WINDOWS_1250 WINDOWS_1250_INIT
        WINDOWS_1251 WINDOWS_1251_INIT
        WINDOWS_1252 WINDOWS_1252_INIT
        WINDOWS_1253 WINDOWS_1253_INIT
        WINDOWS_1254 WINDOWS_1254_INIT
        WINDOWS_1255 WINDOWS_1255_INIT
        WINDOWS_1256 WINDOWS_1256_INIT
        WINDOWS_1257 WINDOWS_1257_INIT
        WINDOWS_1258 WINDOWS_1258_INIT
        X_MAC_CYRILLIC X_MAC_CYRILLIC_INIT
        GBK GBK_INIT
        GB18030 GB18030_INIT
        BIG5 BIG5_INIT
        EUC_JP EUC_JP_INIT
        ISO_2022_JP ISO_2022_JP_INIT
        SHIFT_JIS SHIFT_JIS_INIT
        EUC_KR EUC_KR_INIT
        REPLACEMENT REPLACEMENT_INIT
        UTF_16BE UTF_16BE_INIT
        UTF_16LE UTF_16LE_INIT
        X_USER_DEFINED X_USER_DEFINED_INIT
    };
    assert_eq!(constants.len(), LABELS.len());
    for (constant, encoding, init, of_init) in constants {
        let name = encoding.name().to_ascii_uppercase().replace('-', "_");
        assert_eq!((constant, init), (&*name, &*format!("{name}_INIT")));
        assert!(core::ptr::eq(encoding, of_init), "{name}");
        assert!(core::ptr::eq(encoding, Encoding::for_label(encoding.name().as_bytes()).unwrap()), "{name}");
    }
}

#[test]
fn every_call_after_the_end_of_the_stream_panics() {
    let panics = |call: &dyn Fn(&mut Decoder)| {
        let mut decoder = UTF_8.new_decoder();
        let mut space = [0; 8];
        assert_eq!(decoder.decode_to_utf8(b"a", &mut space, true), (CoderResult::InputEmpty, 1, 1, false));
        catch_unwind(AssertUnwindSafe(|| call(&mut decoder))).is_err()
    };
    assert!(panics(&|decoder| drop(decoder.decode_to_utf8(b"a", &mut [0; 8], true))));
    assert!(panics(&|decoder| drop(decoder.decode_to_utf16_without_replacement(b"", &mut [0; 8], false))));
    let lengths: [fn(&Decoder, usize) -> Option<usize>; 3] = [
        Decoder::max_utf8_buffer_length,
        Decoder::max_utf8_buffer_length_without_replacement,
        Decoder::max_utf16_buffer_length,
    ];
    for max_length in lengths {
        assert!(panics(&|decoder| {
            max_length(decoder, 1);
        }));
    }
    assert!(panics(&|decoder| {
        let _ = decoder.latin1_byte_compatible_up_to(b"a");
    }));
    assert!(!panics(&|decoder| assert_eq!(decoder.encoding(), UTF_8)));
}

#[test]
fn the_end_of_an_empty_stream_with_bom_handling_leaves_the_decoder_at_its_start() {
    let mut decoder = WINDOWS_1252.new_decoder();
    for _ in 0..2 {
        assert_eq!(decoder.decode_to_utf8(b"", &mut [0; 8], true), (CoderResult::InputEmpty, 0, 0, false));
    }
}

#[test]
fn a_string_and_a_vector_never_grow() {
    for space in 0..40 {
        let mut string = String::with_capacity(space);
        let (capacity, text) = (string.capacity(), "é€漢".repeat(20));
        let (result, read, had_errors) = UTF_8.new_decoder().decode_to_string(text.as_bytes(), &mut string, true);
        assert_eq!((result, had_errors, string.capacity()), (CoderResult::OutputFull, false, capacity));
        assert_eq!(string, text[..read]);

        let mut bytes = Vec::with_capacity(space);
        let capacity = bytes.capacity();
        let (result, read) = GB18030.new_encoder().encode_from_utf8_to_vec_without_replacement(&text, &mut bytes, true);
        assert_eq!((result, bytes.capacity()), (EncoderResult::OutputFull, capacity));
        assert_eq!(GB18030.decode_without_bom_handling(&bytes).0, text[..read]);
    }
}

#[test]
fn encodings_are_keys() {
    let encodings = [UTF_8, GB18030, WINDOWS_1252, UTF_16LE];
    let places: std::collections::HashMap<_, _> = encodings.into_iter().zip(0..).collect();
    assert_eq!(encodings.map(|encoding| places[encoding]), [0, 1, 2, 3]);
    // If nothing were hashed, all encodings would have one hash.
    let hash = |encoding| std::hash::BuildHasher::hash_one(places.hasher(), encoding);
    assert_ne!(hash(UTF_8), hash(GB18030));
}

#[test]
fn strings_and_vectors_with_space_get_all_of_a_long_text() {
    let text = "é€漢".repeat(4000);
    let encoded = GB18030.encode(&text).0.into_owned();
    for space in [text.len() + 8, 3 * text.len(), 9 * text.len()] {
        for (is_wrong, tail) in [(false, &b""[..]), (true, b"\x81")] {
            let source = [&encoded[..], tail].concat();
            let mut string = String::with_capacity(space);
            let mut decoder = GB18030.new_decoder();
            let (result, read) = decoder.decode_to_string_without_replacement(&source, &mut string, true);
            assert_eq!((matches!(result, DecoderResult::Malformed(1, 0)), read), (is_wrong, source.len()));
            assert_eq!(string, text);

            let mut string = String::with_capacity(space);
            let (result, read, had_errors) = GB18030.new_decoder().decode_to_string(&source, &mut string, true);
            assert_eq!((result, read, had_errors), (CoderResult::InputEmpty, source.len(), is_wrong));
            assert_eq!(string.strip_prefix(&text), Some(if is_wrong { "\u{FFFD}" } else { "" }));
        }
        for (is_wrong, tail, bytes) in [(false, "", &b""[..]), (true, "\u{E5E5}", b"&#58853;")] {
            let source = format!("{text}{tail}");
            let mut vector = Vec::with_capacity(space);
            let mut encoder = GB18030.new_encoder();
            let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(&source, &mut vector, true);
            assert_eq!((matches!(result, EncoderResult::Unmappable('\u{E5E5}')), read), (is_wrong, source.len()));
            assert!(vector == encoded);

            let mut vector = Vec::with_capacity(space + 10);
            let (result, read, had_errors) = GB18030.new_encoder().encode_from_utf8_to_vec(&source, &mut vector, true);
            assert_eq!((result, read, had_errors), (CoderResult::InputEmpty, source.len(), is_wrong));
            assert!(vector.strip_prefix(&encoded[..]) == Some(bytes));
        }
    }
}

#[test]
fn an_error_at_either_end_of_a_long_text_is_reported() {
    for length in [1, 100, 1000, 10_000] {
        let letters = "a".repeat(length);
        for text in [format!("☃{letters}"), format!("{letters}☃")] {
            let mut bytes = Vec::with_capacity(length + 100);
            let done = WINDOWS_1252.new_encoder().encode_from_utf8_to_vec(&text, &mut bytes, true);
            assert_eq!(done, (CoderResult::InputEmpty, text.len(), true));
        }
        for bytes in [[b"\xFF", letters.as_bytes()].concat(), [letters.as_bytes(), b"\xFF"].concat()] {
            let mut string = String::with_capacity(3 * length + 100);
            let done = UTF_8.new_decoder().decode_to_string(&bytes, &mut string, true);
            assert_eq!(done, (CoderResult::InputEmpty, bytes.len(), true));
        }
    }
}

#[test]
fn an_encoder_with_replacement_keeps_ten_bytes_free() {
    for space in 0..30 {
        let mut bytes = vec![0; space];
        let (result, read, written, _) = WINDOWS_1252.new_encoder().encode_from_utf8("abcdef", &mut bytes, true);
        let expected = space.saturating_sub(10).min(6);
        assert_eq!((read, written), (expected, expected), "into {space} bytes");
        assert_eq!(result == CoderResult::InputEmpty, space >= 16);
        // UTF-8 has no character references.
        let (_, read, ..) = UTF_16LE.new_encoder().encode_from_utf8("abcdef", &mut bytes, true);
        assert_eq!(read, space.min(6));
        // Nothing needs no space.
        let nothing = WINDOWS_1252.new_encoder().encode_from_utf8("", &mut bytes, true);
        assert_eq!(nothing, (CoderResult::InputEmpty, 0, 0, false));
    }
}

#[test]
fn a_character_reference_may_use_the_ten_bytes() {
    for space in 11..18 {
        let mut bytes = vec![0; space];
        let result = WINDOWS_1252.new_encoder().encode_from_utf8("☃☃", &mut bytes, true);
        assert_eq!(result, (CoderResult::OutputFull, 3, 7, true), "into {space} bytes");
        assert_eq!(&bytes[..7], b"&#9731;");
    }
}

#[test]
fn a_decoder_reads_a_sequence_only_if_the_longest_one_fits() {
    for space in 0..8 {
        let mut bytes = vec![0; space];
        let shift_jis = SHIFT_JIS.new_decoder_without_bom_handling().decode_to_utf8(b"\xB1", &mut bytes, false);
        assert_eq!(shift_jis.1, usize::from(space >= 3));
        let gbk = GBK.new_decoder_without_bom_handling().decode_to_utf8(b"\xB0\xA1", &mut bytes, false);
        assert_eq!(gbk.1, if space >= 4 { 2 } else { 0 });
        let utf_16 = UTF_16LE.new_decoder_without_bom_handling().decode_to_utf8(b"a\0", &mut bytes, false);
        assert_eq!(utf_16.1, if space >= 4 { 2 } else { 0 });
        // Whole characters of UTF-8 need no more than they write.
        let utf_8 = UTF_8.new_decoder_without_bom_handling().decode_to_utf8("é".as_bytes(), &mut bytes, false);
        assert_eq!(utf_8.1, if space >= 2 { 2 } else { 0 });
    }
}

#[test]
fn a_destination_of_the_greatest_length_is_never_full() {
    let sources: [&[u8]; 9] = [
        b"abc",
        b"\xE9\xE9\xE9",
        b"\x1B$B$\"\x1B(B",
        b"\x81\x30\x81\x30\xB0\xA1",
        b"\xEF\xBB\xBFa",
        b"\xFF\xFE\x3D\xD8\xA9\xDC",
        b"\x88\x62\x88",
        b"\xF0\x9F\x92\xA9\xF0\x9F",
        b"\x8F\xB0\xA1\x8E\xB1",
    ];
    for encoding in all() {
        for source in sources {
            for cut in 0..=source.len() {
                let (mut a, mut b, mut c) = (encoding.new_decoder(), encoding.new_decoder(), encoding.new_decoder());
                for (source, last) in [(&source[..cut], false), (&source[cut..], true)] {
                    let mut bytes = vec![0; a.max_utf8_buffer_length(source.len()).unwrap()];
                    assert_eq!(a.decode_to_utf8(source, &mut bytes, last).0, CoderResult::InputEmpty);
                    let mut units = vec![0; b.max_utf16_buffer_length(source.len()).unwrap()];
                    assert_eq!(b.decode_to_utf16(source, &mut units, last).0, CoderResult::InputEmpty);
                    let mut bytes = vec![0; c.max_utf8_buffer_length_without_replacement(source.len()).unwrap()];
                    match c.decode_to_utf8_without_replacement(source, &mut bytes, last).0 {
                        DecoderResult::InputEmpty => {}
                        DecoderResult::Malformed(..) => break,
                        DecoderResult::OutputFull => panic!("{encoding:?} {source:02X?}"),
                    }
                }
            }
        }
    }
}

#[test]
fn an_error_has_its_length_and_the_number_of_bytes_read_after_it() {
    let decode = |encoding: &'static Encoding, sources: &[&[u8]]| {
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let mut last = None;
        for source in sources {
            let (result, read, _) = decoder.decode_to_utf8_without_replacement(source, &mut [0; 32], false);
            last = Some((result, read));
        }
        last.unwrap()
    };
    assert_eq!(decode(BIG5, &[b"a\x81a"]), (DecoderResult::Malformed(1, 0), 2));
    assert_eq!(decode(BIG5, &[b"a\x88\xFF"]), (DecoderResult::Malformed(2, 0), 3));
    // Restored bytes count as read, except for the last one.
    assert_eq!(decode(GB18030, &[b"\x81\x30\x81 "]), (DecoderResult::Malformed(1, 2), 3));
    assert_eq!(decode(GB18030, &[b"\x81\x30", b"\x81 "]), (DecoderResult::Malformed(1, 2), 1));
    assert_eq!(decode(ISO_2022_JP, &[b"\x1B$", b"A"]), (DecoderResult::Malformed(1, 1), 0));
    // Of two escape sequences in a row, the first one is the error.
    assert_eq!(decode(ISO_2022_JP, &[b"\x1B$B\x1B(B"]), (DecoderResult::Malformed(3, 3), 6));
    // A code unit after an unpaired surrogate is read if the surrogate was in an earlier source.
    assert_eq!(decode(UTF_16LE, &[b"\x3D\xD8a\0"]), (DecoderResult::Malformed(2, 0), 2));
    assert_eq!(decode(UTF_16BE, &[b"\xD8\x3D", b"\0a"]), (DecoderResult::Malformed(2, 2), 2));
    assert_eq!(decode(REPLACEMENT, &[b"abc"]), (DecoderResult::Malformed(1, 0), 1));
}

#[test]
fn a_leading_surrogate_at_the_end_of_a_source_is_unpaired() {
    for space in 0..30 {
        let mut bytes = vec![0; space];
        let mut encoder = UTF_8.new_encoder();
        let result = encoder.encode_from_utf16(&[0x61, 0xD83D], &mut bytes, false);
        assert_eq!(result.2, if space >= 4 { 4 } else { space.min(1) }, "into {space} bytes");
        assert!(!encoder.has_pending_state());
        let mut encoder = EUC_KR.new_encoder();
        let (result, read, _) = encoder.encode_from_utf16_without_replacement(&[0xD83D, 0xD83D], &mut bytes, false);
        if space >= 2 {
            assert_eq!((result, read), (EncoderResult::Unmappable('\u{FFFD}'), 1));
        }
    }
}

#[test]
fn a_long_text_goes_into_a_str_in_one_call() {
    for length in [100, 1000, 10_000] {
        let mut text = "é".repeat(length);
        let source = vec![b'a'; length];
        let mut decoder = WINDOWS_1252.new_decoder_without_bom_handling();
        let result = decoder.decode_to_str_without_replacement(&source, &mut text, true);
        assert_eq!(result, (DecoderResult::InputEmpty, length, length));
        assert!(text.starts_with(&"a".repeat(length)));
    }
}

/// A `str` is decoded into in pieces of several kilobytes, whose ends show in no result.
#[test]
fn a_str_and_a_string_are_full_where_bytes_are_full() {
    for encoding in [UTF_8, UTF_16LE, GB18030, GBK, BIG5, EUC_KR, SHIFT_JIS, ISO_2022_JP, WINDOWS_1252] {
        let encoded = match encoding.output_encoding() == encoding {
            true => encoding.encode(&"a \u{E9}b \u{20AC}c \u{6F22}\u{5B57}d \u{3042}e ".repeat(900)).0.into_owned(),
            false => "a \u{E9}b \u{6F22}\u{1F4A9}".repeat(2500).encode_utf16().flat_map(u16::to_le_bytes).collect(),
        };
        let errors = [100, 4090, 4100, 9000].map(|at| [&encoded[..at], b"\xFF", &encoded[at..]].concat());
        for source in [encoded].into_iter().chain(errors) {
            for space in (4090..4104).chain(8186..8200).chain([12_288, 20_000]) {
                let mut bytes = vec![0; space];
                let mut text = "x".repeat(space);
                let expected = encoding.new_decoder().decode_to_utf8_without_replacement(&source, &mut bytes, true);
                let found = encoding.new_decoder().decode_to_str_without_replacement(&source, &mut text, true);
                assert_eq!(found, expected, "{encoding:?} into {space}");
                assert!(text.as_bytes()[..found.2] == bytes[..found.2], "{encoding:?} into {space}");

                let expected = encoding.new_decoder().decode_to_utf8(&source, &mut bytes, true);
                let found = encoding.new_decoder().decode_to_str(&source, &mut text, true);
                assert_eq!(found, expected, "{encoding:?} into {space}");
                assert!(text.as_bytes()[..found.2] == bytes[..found.2], "{encoding:?} into {space}");
            }
        }
    }
    // The place of the last character moves, for ASCII after a longer character needs as much as that.
    for encoding in [GB18030, BIG5, SHIFT_JIS, EUC_KR] {
        for before in 0..12 {
            let source = encoding.encode(&("a".repeat(before) + &"\u{6F22}b\u{5B57}cd ".repeat(600))).0.into_owned();
            for space in 4093..4101 {
                let (mut bytes, mut text) = (vec![0; space], "x".repeat(space));
                let expected = encoding.new_decoder().decode_to_utf8_without_replacement(&source, &mut bytes, true);
                let found = encoding.new_decoder().decode_to_str_without_replacement(&source, &mut text, true);
                assert_eq!(found, expected, "{encoding:?} into {space} after {before}");
            }
        }
    }
}

#[test]
fn a_vector_is_full_where_bytes_are_full() {
    let texts = ["a \u{E9}b \u{20AC}c \u{6F22}\u{5B57}d \u{2603}", "abc \u{B0}", "abcd "].map(|text| text.repeat(1100));
    for encoding in [UTF_8, GB18030, GBK, BIG5, EUC_KR, SHIFT_JIS, ISO_2022_JP, WINDOWS_1252] {
        for (text, space) in
            texts.iter().flat_map(|text| [1000, 4090, 4096, 4100, 8192, 8200, 20_000].map(|space| (text, space)))
        {
            let (mut bytes, mut vector) = (vec![0; space], Vec::with_capacity(space));
            // The allocator can give more.
            vector.resize(vector.capacity() - space, 0);
            let before = vector.len();
            let expected = encoding.new_encoder().encode_from_utf8(text, &mut bytes, true);
            let found = encoding.new_encoder().encode_from_utf8_to_vec(text, &mut vector, true);
            assert_eq!(found, (expected.0, expected.1, expected.3), "{encoding:?} into {space}");
            assert!(vector[before..] == bytes[..expected.2], "{encoding:?} into {space}");

            vector.truncate(before);
            let mut encoder = encoding.new_encoder();
            let expected = encoder.encode_from_utf8_without_replacement(text, &mut bytes, true);
            let mut encoder = encoding.new_encoder();
            let found = encoder.encode_from_utf8_to_vec_without_replacement(text, &mut vector, true);
            assert_eq!(found, (expected.0, expected.1), "{encoding:?} into {space}");
            assert!(vector[before..] == bytes[..expected.2], "{encoding:?} into {space}");
        }
    }
}

#[test]
fn a_str_stays_utf_8_behind_the_text() {
    for space in 0..40 {
        let mut text = "漢".repeat(space / 3) + &"é".repeat(space % 3);
        let (.., written, _) = GBK.new_decoder().decode_to_str(b"a\xB0\xA1\x81", &mut text, true);
        assert!(std::str::from_utf8(text.as_bytes()).is_ok());
        assert!("a啊\u{FFFD}".starts_with(&text[..written]));
    }
}

#[test]
fn bytes_that_are_the_same_in_utf_8_are_borrowed() {
    use std::borrow::Cow;
    for encoding in all() {
        let is_never = [UTF_16BE, UTF_16LE, REPLACEMENT].contains(&encoding);
        for bytes in [&b""[..], b"abc"] {
            let is_borrowed = matches!(encoding.decode_without_bom_handling(bytes).0, Cow::Borrowed(_));
            assert_eq!(is_borrowed, !is_never, "{encoding:?} {bytes:?}");
        }
        assert!(matches!(encoding.encode("abc").0, Cow::Borrowed(b"abc")));
    }
}

#[test]
fn debug_output_has_the_name() {
    assert_eq!(format!("{:?}", BIG5), r#"Encoding { name: "Big5", .. }"#);
    assert!(format!("{:?} {:?}", BIG5.new_decoder(), BIG5.new_encoder()).matches("Big5").count() == 2);
}

#[cfg(feature = "serde")]
#[test]
fn an_encoding_is_serialized_as_its_name_and_read_from_any_label() {
    for encoding in all() {
        assert_eq!(serde_json::to_string(encoding).unwrap(), format!("{:?}", encoding.name()));
        let read: &'static Encoding = serde_json::from_str(&format!("{:?}", encoding.name())).unwrap();
        assert_eq!(read, encoding);
    }
    for (label, encoding) in [("unicode-1-1-utf-8", UTF_8), (" Latin1 ", WINDOWS_1252), ("X-GBK", GBK)] {
        let read: &'static Encoding = serde_json::from_str(&format!("{label:?}")).unwrap();
        assert_eq!(read, encoding, "{label}");
    }
    let error = serde_json::from_str::<&'static Encoding>(r#""latin-1""#).unwrap_err().to_string();
    assert!(error.contains("the Encoding Standard has no label \"latin-1\""), "{error}");
    let error = serde_json::from_str::<&'static Encoding>("1").unwrap_err().to_string();
    assert!(error.contains("expected a label of an encoding"), "{error}");
}
