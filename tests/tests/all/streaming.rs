//! Decoders and encoders over slices, used as callers use them, and inputs with which streams of other libraries have
//! failed.

use textcodec::{
    BIG5, Bom, DecodeErrorMode, DecodeStatus, Decoder, EUC_KR, EncodeErrorMode, EncodeStatus, Encoder, Encoding,
    GB18030, ISO_2022_JP, SHIFT_JIS, StateError, UTF_8, UTF_16BE, UTF_16LE, Unmappable, WINDOWS_1252,
    hooks::{DecoderInstance, EncoderInstance},
};
use textcodec_tests::{encoders, oracle};

/// Decodes chunks into destinations of `capacity` bytes, with U+FFFD.
fn decode(mut decoder: Decoder, chunks: &[&[u8]], capacity: usize) -> String {
    let mut text = Vec::new();
    for (at, mut source) in chunks.iter().copied().enumerate() {
        loop {
            let mut destination = vec![0; capacity];
            let result =
                decoder.decode_to_utf8(source, &mut destination, at + 1 == chunks.len(), DecodeErrorMode::Replacement);
            text.extend_from_slice(&destination[..result.written]);
            source = &source[result.read..];
            if result.status == DecodeStatus::InputEmpty {
                break;
            }
        }
    }
    String::from_utf8(text).unwrap()
}

#[test]
fn a_character_of_plane_1_is_not_lost_when_the_destination_is_shorter_than_the_source() {
    let units: Vec<u16> = "\u{3042}aa\u{1F4A9}bbbbbb".encode_utf16().collect();
    for capacity in 1..units.len() {
        let mut encoder = WINDOWS_1252.new_encoder();
        let (mut bytes, mut read) = (Vec::new(), 0);
        loop {
            let mut destination = vec![0; capacity];
            let result = encoder.encode_utf16(&units[read..], &mut destination, true, EncodeErrorMode::Html);
            bytes.extend_from_slice(&destination[..result.written]);
            read += result.read;
            if result.status == EncodeStatus::InputEmpty {
                break;
            }
        }
        assert_eq!(bytes, b"&#12354;aa&#128169;bbbbbb", "into {capacity} bytes");
    }
}

#[test]
fn iso_2022_jp_ends_in_an_escape_after_a_leading_byte_with_any_destination() {
    for capacity in 3..12 {
        assert_eq!(
            decode(ISO_2022_JP.new_decoder(), &[b"\x1B\x24\x40\x30\x1B"], capacity),
            "\u{FFFD}\u{FFFD}",
            "{capacity}"
        );
        assert_eq!(
            decode(ISO_2022_JP.new_decoder(), &[b"\x1B\x24\x40\x30", b"\x1B", b""], capacity),
            "\u{FFFD}\u{FFFD}"
        );
    }
}

#[test]
fn the_greatest_length_of_utf_16_holds_after_an_error_with_a_unit_pending() {
    let mut decoder = UTF_16LE.new_decoder_without_bom_handling();
    for (mut source, last) in [(&b"\x00"[..], false), (b"\xD8\x00\x00", true)] {
        loop {
            let mut text = vec![0; decoder.max_utf16_length(source.len()).unwrap()];
            let result = decoder.decode_to_utf16(source, &mut text, last, DecodeErrorMode::Fatal);
            assert_ne!(result.status, DecodeStatus::OutputFull);
            source = &source[result.read..];
            if result.status == DecodeStatus::InputEmpty {
                break;
            }
        }
    }
}

#[test]
fn a_sniffing_decoder_needs_no_more_space_than_other_decoders() {
    for capacity in 3..9 {
        assert_eq!(decode(WINDOWS_1252.new_decoder(), &[b"\xEF\xBB", b"A"], capacity), "ï»A");
        assert_eq!(decode(WINDOWS_1252.new_decoder(), &[b"\xEF", b"\xBB", b"\xBF", b"A"], capacity), "A");
        assert_eq!(decode(WINDOWS_1252.new_decoder(), &[b"\xFF", b"", b"\xFE", b"A", b"\0"], capacity), "A");
        assert_eq!(decode(WINDOWS_1252.new_decoder(), &[b"\xEF\xBB", b""], capacity), "ï»");
    }
}

#[test]
fn an_empty_source_loses_no_leading_byte() {
    for (encoding, first, second, character) in [
        (SHIFT_JIS, 0x82, 0xA0, "あ"),
        (EUC_KR, 0xB0, 0xA1, "가"),
        (BIG5, 0xA4, 0xA4, "中"),
        (GB18030, 0xD6, 0xD0, "中"),
    ] {
        assert_eq!(decode(encoding.new_decoder(), &[&[first], &[], &[], &[second]], 4), character, "{encoding}");
    }
}

#[test]
fn sniffing_changes_the_encoding_and_reset_changes_it_back() {
    let mut decoder = SHIFT_JIS.new_decoder();
    let mut text = [0; 8];
    let result = decoder.decode_to_utf8(b"\xFE\xFF\x00", &mut text, false, DecodeErrorMode::Fatal);
    assert_eq!((result.status, result.read, decoder.position()), (DecodeStatus::InputEmpty, 3, 3));
    assert_eq!(decoder.encoding(), UTF_16BE);
    decoder.reset();
    assert_eq!(decoder.encoding(), SHIFT_JIS);
    assert_eq!(decode(decoder, &[b"\x82\xA0"], 8), "あ");
}

#[test]
fn decoders_and_encoders_return_the_encodings_that_they_were_made_for() {
    let decoder: Decoder = Decoder::new(SHIFT_JIS);
    let encoder: Encoder = Encoder::new(SHIFT_JIS).expect("Shift_JIS has an encoder");
    let told: [Encoding; 2] = [decoder.encoding(), encoder.encoding()];
    assert_eq!(told, [SHIFT_JIS; 2]);
    assert!(decoder.encoding() == SHIFT_JIS && decoder.encoding().output_encoding() == encoder.encoding());
    assert_eq!(decode(Decoder::sniffing(SHIFT_JIS), &[b"\xFF\xFEa\0"], 8), "a");
    assert!(Encoder::new(UTF_16LE).is_none());
    let _: (DecoderInstance, Option<EncoderInstance>) =
        (DecoderInstance::new(SHIFT_JIS), EncoderInstance::new(SHIFT_JIS));

    // Decoders of the core are made of its statics, and no byte order mark changes their encoding.
    let mut decoder = textcodec_core::Decoder::sniffing(SHIFT_JIS.as_core());
    let mut text = [0; 4];
    let result = decoder.decode_to_utf16(b"\xFE\xFF", &mut text, true, DecodeErrorMode::Replacement);
    assert_eq!((&text[..result.written], decoder.encoding()), (&[0xFFFD, 0xFFFD][..], SHIFT_JIS.into()));
}

#[test]
fn bom_removal_removes_only_the_byte_order_mark_of_the_encoding() {
    assert_eq!(decode(UTF_8.new_decoder_with_bom_removal(), &[b"\xEF\xBB\xBF\xEF\xBB\xBFa"], 9), "\u{FEFF}a");
    assert_eq!(decode(UTF_16LE.new_decoder_with_bom_removal(), &[b"\xFF", b"\xFEa\0"], 9), "a");
    assert_eq!(decode(UTF_16LE.new_decoder_with_bom_removal(), &[b"\xFE\xFFa\0"], 9), "\u{FFFE}a");
    assert_eq!(decode(WINDOWS_1252.new_decoder_with_bom_removal(), &[b"\xEF\xBB\xBF"], 9), "ï»¿");
    assert_eq!(decode(UTF_8.new_decoder_without_bom_handling(), &[b"\xEF\xBB\xBFa"], 9), "\u{FEFF}a");
}

#[test]
fn offsets_count_from_the_start_of_the_stream_and_include_a_byte_order_mark() {
    let mut decoder = UTF_8.new_decoder();
    let mut text = [0; 32];
    let mut errors = Vec::new();
    for (source, last) in [(&b"\xEF"[..], false), (b"\xBB\xBFab\xF0\x9F", false), (b"\x92", false), (b"cd\xFF", true)] {
        let mut source = source;
        loop {
            let result = decoder.decode_to_utf8(source, &mut text, last, DecodeErrorMode::Fatal);
            source = &source[result.read..];
            match result.status {
                DecodeStatus::Malformed(malformed) => errors.push((malformed.offset, malformed.bytes().to_vec())),
                _ => break,
            }
        }
    }
    assert_eq!(errors, [(5, b"\xF0\x9F\x92".to_vec()), (10, b"\xFF".to_vec())]);
}

#[test]
fn a_decoder_describes_a_stream_until_the_next_stream_begins() {
    let mut decoder = SHIFT_JIS.new_decoder();
    let mut text = String::new();
    let _ = decoder.decode_to_string(b"\xFF\xFEa\0", &mut text, true, DecodeErrorMode::Replacement);
    let (encoding, position, start) = (decoder.encoding(), decoder.position(), decoder.sequence_start());
    assert_eq!((encoding, position, start), (UTF_16LE, 4, 4));

    // A stream can be empty.
    let _ = decoder.decode_to_string(b"", &mut text, true, DecodeErrorMode::Replacement);
    assert_eq!((decoder.encoding(), decoder.position()), (SHIFT_JIS, 0));

    // The stream ends inside a sequence, and the first destination is too short.
    let mut units = [0; 1];
    let result = decoder.decode_to_utf16(b"\xEF\xBB\xBFa\xE3\x81", &mut units, true, DecodeErrorMode::Replacement);
    assert_eq!((result.status, result.read, decoder.encoding()), (DecodeStatus::OutputFull, 6, UTF_8));
    assert_eq!((decoder.position(), decoder.sequence_start()), (6, 4));
    let result = decoder.decode_to_utf16(b"", &mut units, true, DecodeErrorMode::Replacement);
    assert_eq!((result.status, units), (DecodeStatus::InputEmpty, [0xFFFD]));
    assert_eq!((decoder.encoding(), decoder.position(), decoder.sequence_start()), (UTF_8, 6, 6));
    assert_eq!((decoder.max_utf16_length(1), decoder.max_utf8_length(1)), (Some(1), Some(3)));

    // The next stream counts from its own start, without the byte order mark of the stream before.
    let result = decoder.decode_to_utf16(b"\x82\xA0\xFF", &mut [0; 4], true, DecodeErrorMode::Fatal);
    let DecodeStatus::Malformed(malformed) = result.status else { panic!("{result:?}") };
    assert_eq!((malformed.offset, decoder.encoding()), (2, SHIFT_JIS));
    decoder.reset();
    assert_eq!(decoder.position(), 0);
    assert_eq!(decode(decoder, &[b"\xFE\xFF\0b"], 8), "b");

    for mut decoder in [SHIFT_JIS.new_decoder_with_bom_removal(), SHIFT_JIS.new_decoder_without_bom_handling()] {
        for _ in 0..2 {
            let _ = decoder.decode_to_utf8(b"\x82", &mut [0; 8], false, DecodeErrorMode::Replacement);
            assert_eq!((decoder.position(), decoder.sequence_start()), (1, 0));
            let _ = decoder.decode_to_utf8(b"\xA0a", &mut [0; 8], true, DecodeErrorMode::Replacement);
            assert_eq!((decoder.position(), decoder.sequence_start()), (3, 3));
        }
    }

    let mut encoder = ISO_2022_JP.new_encoder();
    for _ in 0..2 {
        let _ = encoder.encode_str("あ", &mut [0; 16], false, EncodeErrorMode::Fatal);
        assert_eq!(encoder.position(), 3);
        let _ = encoder.encode_str("☃い", &mut [0; 32], true, EncodeErrorMode::Html);
        assert_eq!(encoder.position(), 9);
        let max = encoder.max_length_from_utf16(1, EncodeErrorMode::Fatal);
        assert_eq!(max, ISO_2022_JP.new_encoder().max_length_from_utf16(1, EncodeErrorMode::Fatal));
    }
    let result = encoder.encode_str("a☃", &mut [0; 16], true, EncodeErrorMode::Fatal);
    assert!(matches!(result.status, EncodeStatus::Unmappable(unmappable) if unmappable.offset == 1));
}

#[test]
fn after_the_end_of_a_stream_another_one_begins() {
    let mut decoder = SHIFT_JIS.new_decoder();
    let mut text = String::new();
    for _ in 0..2 {
        let result =
            decoder.decode_to_string(b"\xEF\xBB\xBF\xE3\x81\x82\xE3", &mut text, true, DecodeErrorMode::Replacement);
        assert!(result.had_errors);
    }
    assert_eq!(text, "あ\u{FFFD}あ\u{FFFD}");
    let mut encoder = ISO_2022_JP.new_encoder();
    let mut bytes = Vec::new();
    for _ in 0..2 {
        let _ = encoder.encode_str_to_vec("あ", &mut bytes, true, EncodeErrorMode::Fatal);
    }
    assert_eq!(bytes, b"\x1B$B\x24\x22\x1B(B\x1B$B\x24\x22\x1B(B");
}

#[test]
fn the_state_of_iso_2022_jp_does_not_reach_the_next_stream() {
    let mut decoder = ISO_2022_JP.new_decoder();
    let mut text = String::new();
    let _ = decoder.decode_to_string(b"\x1B$B", &mut text, true, DecodeErrorMode::Fatal);
    assert_eq!(text, "");
    let _ = decoder.decode_to_string(b"0!", &mut text, true, DecodeErrorMode::Fatal);
    assert_eq!(text, "0!");
}

#[test]
fn a_used_decoder_decodes_the_next_stream_as_a_new_one() {
    let whole = |decoder: &mut Decoder, source: &[u8]| {
        let mut text = String::new();
        let _ = decoder.decode_to_string(source, &mut text, true, DecodeErrorMode::Replacement);
        (text, decoder.encoding(), decoder.bom(), decoder.position(), decoder.sequence_start())
    };
    let marks: [&[u8]; 6] = [b"\xEF\xBB\xBF", b"\xEF\xBB\xBFa\xE3", b"\xFE\xFF\xD8", b"\xFF\xFEa", b"\xFF", b"0!"];
    let sources = || PREFIXES.iter().chain(&marks);
    for encoding in Encoding::all() {
        for new in [
            encoding.new_decoder(),
            encoding.new_decoder_with_bom_removal(),
            encoding.new_decoder_without_bom_handling(),
        ] {
            for first in sources() {
                let mut ended = new;
                let _ = whole(&mut ended, first);
                let mut reset = new;
                let _ = reset.decode_to_utf8(first, &mut [0; 64], false, DecodeErrorMode::Replacement);
                reset.reset();
                let mut failed = new;
                let _ = failed.decode_to_utf16(first, &mut [0; 64], true, DecodeErrorMode::Fatal);
                failed.reset();
                for second in sources() {
                    let expected = whole(&mut { new }, second);
                    for used in [ended, reset, failed] {
                        assert_eq!(
                            whole(&mut { used }, second),
                            expected,
                            "{encoding}: {second:02X?} after {first:02X?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_copy_is_a_snapshot_of_the_stream() {
    let mut decoder = GB18030.new_decoder();
    let mut text = [0; 8];
    let _ = decoder.decode_to_utf8(b"\x81\x30\x81", &mut text, false, DecodeErrorMode::Fatal);
    assert_eq!(decode(decoder, &[b"\x30"], 8), "\u{80}");
    assert_eq!(decode(decoder, &[b" "], 8), "\u{FFFD}0\u{FFFD} ");
}

#[test]
fn decoders_and_encoders_are_small() {
    assert!(size_of::<Decoder>() <= 32 && size_of::<Encoder>() <= 32);
}

#[test]
fn nothing_fits_into_nothing_and_nothing_is_lost() {
    for encoding in Encoding::all() {
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let result = decoder.decode_to_utf8(b"", &mut [], false, DecodeErrorMode::Replacement);
        assert_eq!(result.status, DecodeStatus::InputEmpty);
        let mut encoder = encoding.new_encoder();
        assert_eq!(encoder.encode_str("", &mut [], true, EncodeErrorMode::Html).status, EncodeStatus::InputEmpty);
        let result = encoder.encode_str("a", &mut [], true, EncodeErrorMode::Html);
        assert_eq!((result.status, result.read), (EncodeStatus::OutputFull, 0));
    }
}

#[test]
fn the_greatest_lengths_are_none_on_overflow() {
    let decoder = UTF_8.new_decoder();
    assert_eq!(decoder.max_utf8_length(usize::MAX), None);
    assert_eq!(decoder.max_utf16_length(usize::MAX), Some(usize::MAX));
    let encoder = ISO_2022_JP.new_encoder();
    assert_eq!(encoder.max_length_from_str(usize::MAX, EncodeErrorMode::Html), None);
    assert_eq!(encoder.max_length_from_utf16(usize::MAX / 4, EncodeErrorMode::Fatal), None);
}

#[test]
fn a_short_str_as_destination_is_cleared_after_the_text() {
    let mut decoder = WINDOWS_1252.new_decoder();
    let mut text = "€€€".to_owned();
    let result = decoder.decode_to_str(b"\xE9", &mut text, true, DecodeErrorMode::Fatal);
    assert_eq!((result.written, &*text), (2, "é\0\0\0\0\0\0\0"));
}

#[test]
fn callers_can_append_any_text_for_malformed_bytes() {
    let mut text = String::new();
    let mut decoder = SHIFT_JIS.new_decoder();
    let mut offsets = Vec::new();
    for (source, last) in [(&b"a\x82"[..], false), (b"\xFF\xA0b\x82", true)] {
        let had_errors = decoder.decode_to_string_with(source, &mut text, last, |malformed, text| {
            offsets.push(malformed.offset);
            malformed.bytes().iter().for_each(|byte| *text += &format!("\\x{byte:02X}"));
        });
        assert_eq!(had_errors, last);
    }
    assert_eq!((&*text, &offsets[..]), ("a\\x82\\xFF\\xA0b\\x82", &[1, 3, 5][..]));
}

#[test]
fn callers_learn_of_an_error_for_which_they_write_nothing() {
    let (mut text, mut bytes, mut encoder) = (String::new(), Vec::new(), WINDOWS_1252.new_encoder());
    assert!(UTF_8.new_decoder().decode_to_string_with(b"\xFF", &mut text, true, |_, _| ()));
    assert_eq!(encoder.encode_str_to_vec_with("☃", &mut bytes, true, |_| ""), Ok(true));
    assert_eq!(encoder.encode_utf16_to_vec_with(&[0x2603], &mut bytes, true, |_| ""), Ok(true));
    assert!(text.is_empty() && bytes.is_empty());
}

#[test]
fn callers_can_encode_any_text_for_unmappable_characters_in_every_state() {
    let mut encoder = ISO_2022_JP.new_encoder();
    let mut bytes = Vec::new();
    let mut seen = Vec::new();
    let result = encoder.encode_str_to_vec_with("あ☃¥☃\u{1F4A9}", &mut bytes, true, |unmappable| {
        seen.push(unmappable);
        if unmappable.code_point == '☃' { "\\雪" } else { "" }
    });
    assert_eq!(result, Ok(true));
    let decoded = ISO_2022_JP.decode(&bytes);
    assert_eq!((&*decoded.text, decoded.encoding, decoded.had_errors), ("あ\\雪¥\\雪", ISO_2022_JP, false));
    let expected = [(3, '☃'), (8, '☃'), (11, '\u{1F4A9}')];
    assert_eq!(seen, expected.map(|(offset, code_point)| Unmappable::new(offset, code_point)));

    let units: Vec<u16> = "a\u{1F4A9}b".encode_utf16().collect();
    let mut bytes = Vec::new();
    let result = WINDOWS_1252.new_encoder().encode_utf16_to_vec_with(&units, &mut bytes, true, |unmappable| {
        format!("%{:X}@{}", u32::from(unmappable.code_point), unmappable.offset)
    });
    assert_eq!((result, &bytes[..]), (Ok(true), &b"a%1F4A9@1b"[..]));
}

#[test]
fn the_text_for_an_unmappable_character_must_not_be_unmappable() {
    let mut bytes = Vec::new();
    let result = WINDOWS_1252.new_encoder().encode_str_to_vec_with("ab☃", &mut bytes, true, |_| "雪");
    assert_eq!(result, Err(Unmappable::new(2, '雪')));
}

#[test]
fn a_surrogate_pair_may_be_split_between_sources_and_an_unpaired_surrogate_is_u_fffd() {
    let mut encoder = UTF_8.new_encoder();
    let mut bytes = Vec::new();
    for (units, last) in
        [(&[0x61, 0xD83D][..], false), (&[], false), (&[0xDCA9, 0xDCA9, 0xD83D], false), (&[0xD83D], true)]
    {
        let _ = encoder.encode_utf16_to_vec(units, &mut bytes, last, EncodeErrorMode::Fatal);
    }
    assert_eq!(String::from_utf8(bytes).unwrap(), "a\u{1F4A9}\u{FFFD}\u{FFFD}\u{FFFD}");
}

#[test]
fn a_leading_surrogate_before_a_source_of_utf_8_is_u_fffd() {
    let mut encoder = SHIFT_JIS.new_encoder();
    let mut bytes = Vec::new();
    let result = encoder.encode_utf16_to_vec(&[0x61, 0xD83D], &mut bytes, false, EncodeErrorMode::Html);
    assert!(!result.had_errors);
    let _ = encoder.encode_str_to_vec("", &mut bytes, false, EncodeErrorMode::Html);
    let result = encoder.encode_str_to_vec("b", &mut bytes, true, EncodeErrorMode::Html);
    assert_eq!((&bytes[..], result.had_errors), (&b"a&#65533;b"[..], true));

    // The offset counts the surrogate as one unit, also for errors after it.
    let (mut bytes, mut errors) = (Vec::new(), Vec::new());
    for source in [&[0x61, 0xD83D][..], &[]] {
        let _ = encoder.encode_utf16_to_vec(source, &mut bytes, false, EncodeErrorMode::Fatal);
    }
    let result = encoder.encode_str_to_vec_with("b☃", &mut bytes, true, |unmappable| {
        errors.push(unmappable);
        "?"
    });
    assert_eq!((result, &bytes[..]), (Ok(true), &b"a?b?"[..]));
    assert_eq!(errors, [Unmappable::new(1, '\u{FFFD}'), Unmappable::new(3, '☃')]);
}

#[test]
fn an_unmappable_pair_split_between_sources_has_the_offset_of_its_first_half() {
    let mut encoder = WINDOWS_1252.new_encoder();
    let mut capacity = [0; 16];
    let result = encoder.encode_utf16(&[0x61, 0xD83D], &mut capacity, false, EncodeErrorMode::Fatal);
    assert_eq!((result.status, result.read, result.written), (EncodeStatus::InputEmpty, 2, 1));
    let result = encoder.encode_utf16(&[0xDCA9], &mut capacity, true, EncodeErrorMode::Fatal);
    assert_eq!(result.status, EncodeStatus::Unmappable(Unmappable::new(1, '\u{1F4A9}')));
}

#[test]
fn the_time_to_grow_is_linear_with_many_errors() {
    let source = vec![0xFF; 300_000];
    let mut text = String::new();
    assert!(UTF_8.new_decoder().decode_to_string_with(&source, &mut text, true, |_, text| text.push('?')));
    assert_eq!(text.len(), source.len());
}

#[test]
fn bom_sniff_finds_each_byte_order_mark_and_decode_removes_it() {
    for bom in Bom::ALL {
        assert_eq!(Bom::sniff(bom.bytes()), Some(bom));
        assert_eq!(Encoding::for_name(bom.name()).unwrap().decode(bom.bytes()).text, "");
    }
}

/// Sources that bring the decoders into their states: after these sources, every kind of state occurs in at least one
/// encoding.
const PREFIXES: [&[u8]; 18] = [
    b"",
    b"a",
    b"\x80",
    b"\x81",
    b"\xA4",
    b"\xE2",
    b"\xE2\x82",
    b"\x8F\xA2",
    b"\x81\x30",
    b"\x81\x30\x81",
    b"\xE2\x41",
    b"\xFE",
    b"\xEF\xBB",
    b"\x1B",
    b"\x1B(",
    b"\x1B(J",
    b"\x1B(B",
    b"\x1B$B0",
];

#[test]
fn bytes_that_are_latin1_can_bypass_the_decoder() {
    fn text(mut decoder: Decoder, source: &[u8]) -> String {
        let mut text = String::new();
        let _ = decoder.decode_to_string(source, &mut text, true, DecodeErrorMode::Replacement);
        text
    }
    let sources: Vec<Vec<u8>> = (0..=0xFF).map(|byte| [b"ab", &[byte][..], b"c\xE9\xE9d\x81"].concat()).collect();
    for encoding in Encoding::all() {
        let theirs = oracle(encoding);
        for prefix in PREFIXES {
            for (mut decoder, mut theirs) in [
                (encoding.new_decoder(), theirs.new_decoder()),
                (encoding.new_decoder_with_bom_removal(), theirs.new_decoder_with_bom_removal()),
                (encoding.new_decoder_without_bom_handling(), theirs.new_decoder_without_bom_handling()),
            ] {
                let _ = decoder.decode_to_utf8(prefix, &mut [0; 64], false, DecodeErrorMode::Replacement);
                let _ = theirs.decode_to_utf8(prefix, &mut [0; 64], false);
                for source in &sources {
                    let length = decoder.latin1_up_to(source);
                    let expected = theirs.latin1_byte_compatible_up_to(source);
                    assert_eq!(length, expected, "{encoding}: {source:02X?} after {prefix:02X?}");
                    if let Some(length) = length {
                        let latin1: String = source[..length].iter().copied().map(char::from).collect();
                        assert_eq!(latin1 + &text(decoder, &source[length..]), text(decoder, source));
                    }
                }
            }
        }
    }
}

#[test]
fn latin1_up_to_answers_for_the_next_stream_unless_a_byte_order_mark_can_follow() {
    let ended = |mut decoder: Decoder| {
        let _ = decoder.decode_to_utf8(b"\xC3", &mut [0; 8], true, DecodeErrorMode::Replacement);
        decoder.latin1_up_to(b"ab\xC3")
    };
    assert_eq!(ended(UTF_8.new_decoder()), None);
    assert_eq!(ended(UTF_8.new_decoder_with_bom_removal()), None);
    assert_eq!(ended(UTF_8.new_decoder_without_bom_handling()), Some(2));
    assert_eq!(ended(WINDOWS_1252.new_decoder()), None);
    assert_eq!(ended(WINDOWS_1252.new_decoder_with_bom_removal()), Some(3));
}

#[test]
fn latin1_up_to_copies_nothing_while_restored_bytes_wait() {
    for (encoding, first, second) in [
        (GB18030, &b"\x81\x30\x81"[..], &b"A"[..]),
        (GB18030, b"\x81\x30", b"A"),
        (ISO_2022_JP, b"\x1B$", b"A"),
        (UTF_16BE, b"\xD8\0\0", b"A"),
    ] {
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let result = decoder.decode_to_utf8(first, &mut [0; 8], false, DecodeErrorMode::Fatal);
        assert_eq!((result.status, result.read), (DecodeStatus::InputEmpty, first.len()), "{encoding}");
        let result = decoder.decode_to_utf8(second, &mut [0; 8], false, DecodeErrorMode::Fatal);
        assert!(matches!(result.status, DecodeStatus::Malformed(_)), "{encoding}");
        assert_eq!(decoder.latin1_up_to(b"a"), None, "{encoding}");
        decoder.discard_restored();
        assert_eq!(decoder.latin1_up_to(b"a"), (encoding != UTF_16BE).then_some(1), "{encoding}");
    }
}

/// The three words have three bytes that gb18030 restores. Each byte is text of its own.
#[test]
fn three_words_keep_three_restored_bytes() {
    let mut decoder = GB18030.new_decoder();
    for source in [&b"\x81\x30\x81"[..], b"A"] {
        let _ = decoder.decode_to_utf8(source, &mut [0; 8], false, DecodeErrorMode::Fatal);
    }
    let words: [u64; 3] = decoder.stream_state().into();
    assert_eq!(words, [0, 4, 0x03_41_81_30]);
    let mut other = GB18030.new_decoder();
    other.resume(words.into()).unwrap();
    assert_eq!(other.sequence_start(), 1);
    let mut text = String::new();
    let _ = other.decode_to_string(b"\xB0\xA1", &mut text, true, DecodeErrorMode::Replacement);
    // The last of the three bytes is the trailing byte of a pair.
    assert_eq!(text, "0丄啊");
}

#[test]
fn a_byte_order_mark_is_resumed_only_where_it_can_decide_the_encoding() {
    // The third word of a stream after a byte order mark of UTF-16LE, and of one that may still begin with EF BB.
    let (after_bom, amid_bom) = ([0, 2, 3 << 40], [0, 2, 0x01_02_00_BB_EF]);
    for encoding in Encoding::all() {
        let mut decoder = encoding.new_decoder();
        assert_eq!(decoder.resume(after_bom.into()), Ok(()));
        assert_eq!((decoder.encoding(), decoder.bom()), (UTF_16LE, Some(Bom::Utf16Le)));
        assert_eq!(decoder.resume(amid_bom.into()), Ok(()));
        let mut text = String::new();
        let _ = decoder.decode_to_string(b"\xBFa", &mut text, true, DecodeErrorMode::Replacement);
        assert_eq!((text.as_str(), decoder.encoding()), ("a", UTF_8));
        let is_utf_8 = if encoding == UTF_8 { Ok(()) } else { Err(StateError::new()) };
        let error = Err(StateError::new());
        assert_eq!(encoding.new_decoder_with_bom_removal().resume(amid_bom.into()), is_utf_8);
        assert_eq!(encoding.new_decoder_with_bom_removal().resume(after_bom.into()), error);
        assert_eq!(encoding.new_decoder_without_bom_handling().resume(amid_bom.into()), error);
        assert_eq!(encoding.new_decoder_without_bom_handling().resume(after_bom.into()), error);
        // The start of a stream, and what cannot be there.
        let start = [0, 0, 1 << 32];
        assert_eq!(encoding.new_decoder().resume(start.into()), Ok(()));
        assert_eq!(encoding.new_decoder_with_bom_removal().resume(start.into()), Ok(()));
        assert_eq!(encoding.new_decoder_without_bom_handling().resume(start.into()), error);
        for (place, word) in [(0, 1), (1, 3), (2, 0x03_01_02_00_BB_EF), (2, 0x01_03_BF_BB_EF)] {
            let mut words: [u64; 3] = amid_bom;
            words[place] = word;
            assert_eq!(encoding.new_decoder().resume(words.into()), error, "{words:X?}");
        }
        // EF BC begins no byte order mark.
        assert_eq!(encoding.new_decoder().resume([0, 2, 0x01_02_00_BC_EF].into()), error);
    }
}

/// The state that made ISO-2022-JP's decoder restore the same byte for ever, in the words of an earlier version: both
/// its state and its output state were *escape start*.
#[test]
fn no_state_of_iso_2022_jp_makes_a_call_without_progress() {
    let mut states = 0;
    for word in 0..1 << 20 {
        let mut decoder = ISO_2022_JP.new_decoder_without_bom_handling();
        if decoder.resume([word, 8, 0].into()).is_err() {
            continue;
        }
        let result = decoder.decode_to_utf8(b"\x1B\x1B", &mut [0; 64], true, DecodeErrorMode::Replacement);
        assert_eq!((result.status, result.read), (DecodeStatus::InputEmpty, 2), "{word:X}");
        states += 1;
    }
    // Eight states between sequences, in each of them ESC, ESC $ and ESC (, and the 94 leading bytes.
    assert_eq!(states, 8 * 4 + 94);
    let error = ISO_2022_JP.new_decoder().resume([0x2800, 0, 0].into()).unwrap_err();
    assert_eq!(error.to_string(), "no stream in this encoding can have this state");
}

#[test]
fn has_pending_state_says_whether_the_end_of_the_stream_writes_bytes() {
    let text = "aあ¥b☃\u{1F4A9}\\亜";
    let units: Vec<u16> = text.encode_utf16().collect();
    for encoding in encoders() {
        let mut theirs = oracle(encoding).new_encoder();
        let mut encoder = encoding.new_encoder();
        let pending = |encoder: Encoder| {
            let mut end = encoder;
            let rest = end.encode_str("", &mut [0; 16], true, EncodeErrorMode::Html);
            assert_eq!(encoder.has_pending_state(), rest.written > 0, "{encoding}: {encoder:?}");
            assert!(!end.has_pending_state());
            rest.written > 0
        };
        for (at, character) in text.char_indices() {
            let character = &text[at..at + character.len_utf8()];
            let _ = encoder.encode_str(character, &mut [0; 16], false, EncodeErrorMode::Html);
            let _ = theirs.encode_from_utf8(character, &mut [0; 32], false);
            assert_eq!(pending(encoder), theirs.has_pending_state());
        }
        for capacity in 0..32 {
            let mut encoder = encoding.new_encoder();
            let _ = encoder.encode_utf16(&units, &mut vec![0; capacity], false, EncodeErrorMode::Html);
            pending(encoder);
        }
        let mut encoder = encoding.new_encoder();
        let _ = encoder.encode_utf16(&[0x61, 0xD83D], &mut [0; 8], false, EncodeErrorMode::Html);
        assert!(pending(encoder));
    }
}

#[test]
fn three_words_continue_a_stream_whatever_is_done_with_a_byte_order_mark() {
    let samples: [&[u8]; 5] = [
        b"\xEF\xBB\xBFa\xF0\x9F\x92\xA9\xE2\x82",
        b"\xFE\xFF\xD8\x3D\xDC\xA9\0a\xD8",
        b"\xFF\xFE\x3D\xD8\xA9\xDC\x3D\xD8a",
        b"\xEF\xBBa\x81\x30\x81\x30\x81\x30\x81a\x81\x30\xFF",
        b"\x1B$B$\"\x1B(Ja\x5C\x1B(I1\x1B$x\x0E\x1B$B$",
    ];
    for encoding in Encoding::all() {
        for new in
            [Encoding::new_decoder, Encoding::new_decoder_with_bom_removal, Encoding::new_decoder_without_bom_handling]
        {
            for sample in samples {
                let mut decoder = new(encoding);
                for end in 0..=sample.len() {
                    let (source, last) = (&sample[end.saturating_sub(1)..end], end == sample.len());
                    let mut other = new(encoding);
                    other.resume(decoder.stream_state()).unwrap();
                    let mut expected = [0; 16];
                    let mut units = [0; 16];
                    let mode = DecodeErrorMode::Replacement;
                    let result = decoder.decode_to_utf16(source, &mut expected, last, mode);
                    assert_eq!(
                        other.decode_to_utf16(source, &mut units, last, mode),
                        result,
                        "{encoding:?} {sample:X?}"
                    );
                    assert_eq!(units, expected);
                    assert_eq!(other.stream_state(), decoder.stream_state());
                    assert_eq!((other.encoding(), other.bom()), (decoder.encoding(), decoder.bom()));
                    assert_eq!(other.sequence_start(), decoder.sequence_start());
                }
            }
        }
    }
}

#[test]
fn three_words_continue_a_stream_of_an_encoder() {
    let units = [0x65E5, 0xA5, 0x41, 0x2603, 0xD83D, 0xDCA9, 0xD800, 0x5C, 0x1B];
    for encoding in encoders() {
        let mut encoder = encoding.new_encoder();
        for end in 1..=units.len() {
            let mut other = encoding.new_encoder();
            // Two bytes cut a character reference.
            for capacity in [2, 16] {
                let (source, last) = (&units[end - 1..end], end == units.len() && capacity == 16);
                other.resume(encoder.stream_state()).unwrap();
                let (mut expected, mut bytes) = ([0; 16], [0; 16]);
                let mode = EncodeErrorMode::Html;
                let result = encoder.encode_utf16(source, &mut expected[..capacity], last, mode);
                assert_eq!(other.encode_utf16(source, &mut bytes[..capacity], last, mode), result);
                assert_eq!(bytes, expected);
                assert_eq!(other.stream_state(), encoder.stream_state());
                assert_eq!(other.has_pending_state(), encoder.has_pending_state());
            }
        }
    }
}
