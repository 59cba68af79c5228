//! Long arguments: no function cuts a length, or a number of units that it returns.

use std::{ffi::c_char, ptr::null};

use textcodec::{
    EUC_JP, Encoding, GB18030, KOI8_R, SHIFT_JIS, UTF_8, WINDOWS_1252,
    detect::{Options, detect_with},
    mem,
    sniff::{Context, Hints, Sniffer},
};
use textcodec_capi as capi;

use super::Coded;

/// Lengths around powers of two up to two megabytes.
const LENGTHS: [usize; 6] = [255, 257, 65_535, 65_537, 1 << 20, (1 << 21) + 3];

#[test]
fn a_name_can_be_long() {
    for length in LENGTHS {
        let spaces = " ".repeat(length);
        for (label, expected) in [
            (format!("{spaces}sjis"), Coded::number(SHIFT_JIS)),
            (format!("sjis{spaces}"), Coded::number(SHIFT_JIS)),
            (format!("sjis{}", "x".repeat(length)), 0),
        ] {
            // SAFETY: in these calls, the pointers and the lengths are those of texts.
            let found = unsafe { capi::textcodec_for_label(label.as_ptr().cast(), label.len()) };
            assert_eq!(found, expected, "{length}");
            // SAFETY: as above.
            let found = unsafe { capi::textcodec_for_charset(1, label.as_ptr().cast(), label.len()) };
            assert_eq!(found, 0, "{length}");
            let value = format!("text/html; a=\"{spaces}\"; charset=\"{}\"", label.trim_end_matches('x'));
            // SAFETY: as above.
            let found = unsafe { capi::textcodec_for_content_type(value.as_ptr().cast(), value.len()) };
            assert_eq!(found, Coded::number(SHIFT_JIS), "{length}");
            let mut hints = super::knowledge::no_hints();
            // SAFETY: as above.
            unsafe { capi::textcodec_hints_from_content_type(&raw mut hints, value.as_ptr().cast(), value.len()) };
            assert_eq!((hints.transport, hints.resource), (Coded::number(SHIFT_JIS), 1), "{length}");
        }
        // Nothing after the length is read.
        let label = format!("{spaces}gbk");
        // SAFETY: the text is longer.
        let found = unsafe { capi::textcodec_for_label(label.as_ptr().cast(), length + 2) };
        assert_eq!(found, 0);
        let locale = format!("{}-ru", "x".repeat(length));
        let of_rust = |locale: &str| {
            let hints = Hints { locale: Some(locale), ..Hints::default() };
            Sniffer::new(Context::HtmlParser, hints).sniff(b"a", true).unwrap().encoding as u32 + 1
        };
        for locale in [locale, format!("ru-{spaces}"), format!("ru.{spaces}")] {
            let mut hints = super::knowledge::no_hints();
            (hints.locale, hints.locale_length) = (locale.as_ptr().cast(), locale.len() as u32);
            // SAFETY: the pointers and the lengths are those of the hints and of the bytes.
            let found = unsafe { capi::textcodec_sniff(2, &raw const hints, b"a".as_ptr().cast(), 1, 1) };
            assert_eq!(found.encoding, of_rust(&locale), "{length}");
        }
    }
}

#[test]
fn a_text_can_be_long() {
    for (encoding, sample) in
        [(KOI8_R, "Да, "), (WINDOWS_1252, "aé€ "), (EUC_JP, "aテ語"), (GB18030, "中a😀"), (UTF_8, "aé☃😀")]
    {
        let number = Coded::number(encoding);
        for length in LENGTHS {
            let text = sample.repeat(length.div_ceil(sample.len()));
            let bytes = encoding.encode(&text).bytes.into_owned();
            let units: Vec<u16> = text.encode_utf16().collect();
            let (mut narrow, mut wide) = (vec![0_u8; text.len() + 64], vec![0_u16; units.len() + 64]);
            // SAFETY: in these calls, the pointers and the lengths are those of the bytes and of the texts.
            let found = unsafe {
                let (from, to) = (bytes.as_ptr().cast(), narrow.as_mut_ptr().cast::<c_char>());
                [
                    capi::textcodec_decode_utf8(number, 2, from, bytes.len(), to, narrow.len(), 0),
                    capi::textcodec_decode_utf16(number, 2, from, bytes.len(), wide.as_mut_ptr(), wide.len(), 2),
                ]
            };
            assert_eq!(found.map(|result| (result.status, result.read)), [(0, bytes.len()); 2], "{encoding} {length}");
            assert!(&narrow[..found[0].written] == text.as_bytes() && wide[..found[1].written] == units);
            let mut back = vec![0_u8; bytes.len() + 64];
            for form in 0..2 {
                // SAFETY: as above.
                let found = unsafe {
                    let to = back.as_mut_ptr().cast();
                    if form == 0 {
                        let from = text.as_ptr().cast();
                        capi::textcodec_encode_utf8(number, from, text.len(), to, back.len(), 0)
                    } else {
                        capi::textcodec_encode_utf16(number, units.as_ptr(), units.len(), to, back.len(), 2)
                    }
                };
                let length = if form == 0 { text.len() } else { units.len() };
                assert_eq!((found.status, found.read, found.had_errors), (0, length, false), "{encoding} {length}");
                assert!(back[..found.written] == bytes);
            }
            // An error at the end has its place, and a position goes on.
            let malformed = [&bytes[..], b"\xFF\xFF\xFF"].concat();
            if encoding != KOI8_R && encoding != WINDOWS_1252 {
                // SAFETY: as above.
                let found = unsafe {
                    let (from, to) = (malformed.as_ptr().cast(), narrow.as_mut_ptr().cast::<c_char>());
                    capi::textcodec_decode_utf8(number, 2, from, malformed.len(), to, narrow.len(), 2)
                };
                assert_eq!((found.status, found.error_offset), (2, bytes.len() as u64), "{encoding} {length}");
            }
            let unmappable = [&units[..], &[0xE5E5]].concat();
            if encoding != UTF_8 {
                // SAFETY: as above.
                let found = unsafe {
                    let (from, to) = (unmappable.as_ptr(), back.as_mut_ptr().cast());
                    capi::textcodec_encode_utf16(number, from, unmappable.len(), to, back.len(), 2)
                };
                let expected = (3, units.len() as u64, 0xE5E5, 1);
                assert_eq!((found.status, found.error_offset, found.code_point, found.error_length), expected);
            }
        }
    }
}

#[test]
fn a_stream_can_be_long_and_its_position_counts_all_of_it() {
    let bytes = vec![b'a'; (1 << 21) + 3];
    let mut text = vec![0_u8; bytes.len()];
    let (mut decoder, mut encoder, mut total) = ([0_u64; 8], [0_u64; 8], 0);
    let (from, to) = (bytes.as_ptr(), text.as_mut_ptr());
    let (decoder, encoder) = (decoder.as_mut_ptr().cast(), encoder.as_mut_ptr().cast());
    // SAFETY: the structs have eight words, and the pointers and the lengths are those of the texts.
    unsafe {
        assert_eq!(capi::textcodec_decoder_init(decoder, 36, 0) + capi::textcodec_encoder_init(encoder, 36), 0);
        for _ in 0..3 {
            let decoded = capi::textcodec_decoder_utf8(decoder, from.cast(), bytes.len(), to.cast(), text.len(), 0);
            let encoded = capi::textcodec_encoder_utf8(encoder, from.cast(), bytes.len(), to.cast(), text.len(), 0);
            assert_eq!((decoded.written, encoded.written), (bytes.len(), bytes.len()));
            total += bytes.len() as u64;
            let positions = [capi::textcodec_decoder_position(decoder), capi::textcodec_encoder_position(encoder)];
            assert_eq!((positions, capi::textcodec_decoder_sequence_start(decoder)), ([total; 2], total));
        }
    }
}

#[test]
fn text_in_memory_can_be_long() {
    for length in LENGTHS {
        let ascii = vec![b'a'; length];
        let wide = vec![0x61_u16; length];
        let (mut narrow_to, mut wide_to) = (vec![0_u8; 3 * length], vec![0_u16; length]);
        let latin1: Vec<u8> = (0..length).map(|at| at as u8).collect();
        let text = "é".repeat(length);
        // SAFETY: in these calls, the pointers and the lengths are those of the texts.
        unsafe {
            let (from, from_wide) = (ascii.as_ptr().cast(), wide.as_ptr());
            let (to, to_wide) = (narrow_to.as_mut_ptr().cast(), wide_to.as_mut_ptr());
            let found = [
                capi::textcodec_ascii_up_to(from, length),
                capi::textcodec_iso_2022_jp_ascii_up_to(from, length),
                capi::textcodec_utf8_valid_up_to(from, length),
                capi::textcodec_utf8_latin1_up_to(from, length),
                capi::textcodec_utf16_ascii_up_to(from_wide, length),
                capi::textcodec_utf16_valid_up_to(from_wide, length),
                capi::textcodec_utf16_latin1_up_to(from_wide, length),
                capi::textcodec_copy_ascii(from, length, to, 3 * length),
                capi::textcodec_copy_ascii_to_utf16(from, length, to_wide, length),
                capi::textcodec_copy_utf16_to_ascii(from_wide, length, to, 3 * length),
            ];
            assert_eq!(found, [length; 10]);
            let pair = |counts: capi::textcodec_counts| (counts.read, counts.written);
            let counts = capi::textcodec_latin1_to_utf8(latin1.as_ptr().cast(), length, to, 3 * length);
            assert_eq!(pair(counts), mem::latin1_to_utf8(&latin1, &mut vec![0; 3 * length]));
            assert_eq!(pair(capi::textcodec_latin1_to_utf16(from, length, to_wide, length)), (length, length));
            let counts = capi::textcodec_utf8_to_latin1(text.as_ptr().cast(), 2 * length, to, 3 * length);
            assert_eq!(pair(counts), (2 * length, length));
            let counts = capi::textcodec_utf8_to_utf16(text.as_ptr().cast(), 2 * length, to_wide, length);
            assert_eq!(pair(counts), (2 * length, length));
            assert_eq!(pair(capi::textcodec_utf16_to_latin1(from_wide, length, to, 3 * length)), (length, length));
            assert_eq!(pair(capi::textcodec_utf16_to_utf8(to_wide, length, to, 3 * length)), (length, 2 * length));
            *to_wide.add(length - 1) = 0xD800;
            capi::textcodec_ensure_utf16_validity(to_wide, length);
            assert_eq!(*to_wide.add(length - 1), 0xFFFD);
        }
    }
}

#[test]
fn a_resource_and_a_text_to_detect_or_to_repair_can_be_long() {
    for length in LENGTHS {
        let space = " ".repeat(length);
        for page in [
            format!("<!--{space}--><meta charset=gbk>"),
            format!("<?xml version='1.0'{space} encoding='gbk'?>"),
            format!("{space}\u{FEFF}"),
        ] {
            for (context, of_rust) in [(2, Context::HtmlParser), (4, Context::XmlParser), (12, Context::ClassicScript)]
            {
                let expected = Sniffer::new(of_rust, Hints::default()).sniff(page.as_bytes(), false);
                // SAFETY: in these calls, the pointers and the lengths are those of the texts.
                let found = unsafe { capi::textcodec_sniff(context, null(), page.as_ptr().cast(), page.len(), 0) };
                assert_eq!(found.encoding, expected.map_or(0, |sniffed| sniffed.encoding as u32 + 1), "{length}");
            }
        }
        if length > 70_000 {
            continue;
        }
        let bytes =
            Encoding::encode(KOI8_R, &format!("{}Привет", "plain text, ".repeat(length / 12))).bytes.into_owned();
        let expected = detect_with(&bytes, &Options::new());
        // SAFETY: as above. The detector is freed once.
        let found = unsafe {
            let from = bytes.as_ptr().cast();
            let detector = capi::textcodec_detector_new(null());
            capi::textcodec_detector_feed(detector, from, bytes.len());
            let of_detector = capi::textcodec_detector_answer(detector, std::ptr::null_mut(), 0, 1);
            capi::textcodec_detector_free(detector);
            [of_detector, capi::textcodec_detect(null(), from, bytes.len(), std::ptr::null_mut(), 0)]
        };
        for found in found {
            assert_eq!((found.encoding, found.verdict), (Coded::number(KOI8_R), 10), "{length}");
            assert_eq!(found.candidates, expected.candidates().len());
        }
        let line = "cafÃ©\n".repeat(length / 8);
        let mut to = vec![0_u8; line.len()];
        // SAFETY: as above.
        let found = unsafe {
            let (from, to) = (line.as_ptr().cast(), to.as_mut_ptr().cast());
            capi::textcodec_repair(null(), 0, from, line.len(), to, line.len(), 0)
        };
        let lines = (length / 8) as u64;
        assert_eq!((found.status, found.length as u64, found.lines, found.repaired), (0, 6 * lines, lines, lines));
        assert!(to.starts_with("café\n".repeat(length / 8).as_bytes()));
    }
}
