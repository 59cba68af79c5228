//! Details of the Standard that implementations often get wrong, with a test for each sentence.

use textcodec::{
    BIG5, DecodeErrorMode, DecodeStatus, Decoded, EUC_JP, EUC_KR, EncodeErrorMode, EncodeStatus, Encoding, GB18030,
    GBK, ISO_2022_JP, ISO_8859_8, ISO_8859_8_I, KOI8_U, LabelError, MACINTOSH, NoEncoder, REPLACEMENT, SHIFT_JIS,
    UTF_8, UTF_16BE, UTF_16LE, Unmappable, WINDOWS_874, WINDOWS_1252, WINDOWS_1253, WINDOWS_1255, X_USER_DEFINED,
    hooks::{self, DecoderInstance, IoQueue, Item, ItemResult},
    infra,
};
use textcodec_tests::process_decode;

fn text(encoding: Encoding, bytes: &[u8]) -> String {
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    assert_eq!(text, process_decode(encoding, bytes), "the two layers of {encoding}");
    text.into()
}

fn bytes(encoding: Encoding, text: &str) -> Option<Vec<u8>> {
    encoding.encode_or_fail(text).ok().map(Into::into)
}

/// The text of *decode*.
fn hook(bytes: &[u8], fallback: Encoding) -> String {
    let mut output = IoQueue::new();
    hooks::decode(&mut IoQueue::from_iter(bytes.iter().copied()), fallback, &mut output);
    let by_hook: String = output.read_all();
    assert_eq!(fallback.decode(bytes).text, by_hook, "the hook and Encoding::decode");
    by_hook
}

#[test]
fn utf_8_replaces_maximal_subparts() {
    for (input, expected) in [
        (&b"\xE0\x80\x80"[..], "\u{FFFD}\u{FFFD}\u{FFFD}"),
        (b"\xF0\x90\x80", "\u{FFFD}"),
        (b"\xF0\x9F\x41", "\u{FFFD}A"),
        (b"\xED\xA0\x80", "\u{FFFD}\u{FFFD}\u{FFFD}"),
        (b"\xC0\x80", "\u{FFFD}\u{FFFD}"),
        (b"\xF5\xFF", "\u{FFFD}\u{FFFD}"),
        (b"\xF0\x80\x80\x80", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        (b"\xF4\x90\x80\x80", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        (b"\xF4\x8F\xBF\xBF", "\u{10FFFF}"),
        (b"\xE2\x82\xE2\x82\xAC", "\u{FFFD}€"),
        (b"\xFD\xEF", "\u{FFFD}\u{FFFD}"),
    ] {
        assert_eq!(text(UTF_8, input), expected, "{input:02X?}");
    }
}

#[test]
fn one_byte_order_mark_of_utf_8_is_removed_and_no_other() {
    let run = |bytes: &[u8]| {
        let mut output = IoQueue::new();
        hooks::utf8_decode(&mut IoQueue::from_iter(bytes.iter().copied()), &mut output);
        output.read_all::<String>()
    };
    assert_eq!(run(b"\xEF\xBB\xBF\xEF\xBB\xBFa"), "\u{FEFF}a");
    assert_eq!(run(b"\xFF\xFEa"), "\u{FFFD}\u{FFFD}a");
    assert_eq!(run(b"\xEF\xBB"), "\u{FFFD}");
}

#[test]
fn utf_8_decode_without_bom_keeps_the_byte_order_mark() {
    let mut output = IoQueue::new();
    hooks::utf8_decode_without_bom(&mut IoQueue::from_iter(*b"\xEF\xBB\xBFa"), &mut output);
    assert_eq!(output.read_all::<String>(), "\u{FEFF}a");
}

#[test]
fn utf_8_decode_without_bom_or_fail_fails_and_keeps_the_text_before_the_error() {
    let mut output = IoQueue::new();
    let result = hooks::utf8_decode_without_bom_or_fail(&mut IoQueue::from_iter(*b"ab\xFFc"), &mut output);
    assert_eq!(result, Err(hooks::Failure));
    assert_eq!(output.read_all::<String>(), "ab");
}

#[test]
fn utf_8_encode_never_fails() {
    let mut output = IoQueue::new();
    hooks::utf8_encode(&mut IoQueue::from_iter("é\u{10FFFF}".chars()), &mut output);
    assert_eq!(output.read_all::<Vec<u8>>(), "é\u{10FFFF}".as_bytes());
}

#[test]
fn the_byte_order_mark_wins_over_the_label_and_one_is_removed() {
    assert_eq!(hook(b"\xEF\xBB\xBF\xEF\xBB\xBF\xC3\xA9", WINDOWS_1252), "\u{FEFF}é");
    assert_eq!(hook(b"\xFE\xFF\x00\xE9", UTF_8), "é");
    assert_eq!(hook(b"\xFF\xFE", UTF_8), "");
    assert_eq!(hook(b"\xFE\xFF\xFE\xFF", UTF_8), "\u{FEFF}");
    assert_eq!(hook(b"\xEF\xBB", WINDOWS_1252), "ï»");
    assert_eq!(hook(b"\xFE", WINDOWS_1252), "þ");
}

#[test]
fn ff_fe_00_00_is_utf_16le_and_bom_sniff_consumes_nothing() {
    let mut input = IoQueue::from_iter(*b"\xFF\xFE\x00\x00");
    assert_eq!(hooks::bom_sniff(&mut input), Some(UTF_16LE));
    assert_eq!(input.read_all::<Vec<u8>>(), b"\xFF\xFE\x00\x00");
    assert_eq!(hooks::bom_sniff(&mut IoQueue::from_iter(*b"\xFE\xFF")), Some(UTF_16BE));
    assert_eq!(hooks::bom_sniff(&mut IoQueue::from_iter(*b"\xEF\xBB")), None);
    assert_eq!(hooks::bom_sniff(&mut IoQueue::from_iter(*b"\x00\x00\xFE\xFF")), None);
}

#[test]
fn a_replacement_fallback_gives_one_error_but_none_for_empty_input() {
    assert_eq!(hook(b"anything", REPLACEMENT), "\u{FFFD}");
    assert_eq!(hook(b"", REPLACEMENT), "");
    assert_eq!(hook(b"\xEF\xBB\xBFtext", REPLACEMENT), "text");
    let mut decoder = REPLACEMENT.new_decoder();
    let mut capacity = [0; 64];
    let mut pieces = Vec::new();
    for (source, last) in [(&b""[..], false), (b"ab", false), (b"cd", false), (b"e", true)] {
        let result = decoder.decode_to_utf8(source, &mut capacity, last, DecodeErrorMode::Replacement);
        assert_eq!((result.status, result.read), (DecodeStatus::InputEmpty, source.len()));
        pieces.extend_from_slice(&capacity[..result.written]);
    }
    assert_eq!(pieces, "\u{FFFD}".as_bytes());
}

#[test]
fn single_byte_bytes_that_vendors_leave_unassigned_are_c1_controls() {
    assert_eq!(text(WINDOWS_1252, b"\x80\x81\x8D\x9D"), "€\u{81}\u{8D}\u{9D}");
    assert_eq!(text(WINDOWS_874, b"\x81\xDB"), "\u{81}\u{FFFD}");
}

#[test]
fn single_byte_facts() {
    assert_eq!(text(MACINTOSH, b"\xF0"), "\u{F8FF}");
    assert_eq!(text(KOI8_U, b"\xAE\xBE"), "\u{45E}\u{40E}");
    assert_eq!(text(WINDOWS_1255, b"\xCA"), "\u{5BA}");
    assert_eq!(text(WINDOWS_1253, b"\xAA"), "\u{FFFD}");
    let all: Vec<u8> = (0..=255).collect();
    assert_eq!(text(ISO_8859_8, &all), text(ISO_8859_8_I, &all));
    for (label, unmapped) in [
        ("iso-8859-3", 7),
        ("iso-8859-6", 45),
        ("iso-8859-7", 3),
        ("iso-8859-8", 36),
        ("windows-874", 8),
        ("windows-1253", 3),
        ("windows-1255", 10),
        ("windows-1257", 2),
        ("windows-1252", 0),
        ("macintosh", 0),
    ] {
        let text = text(Encoding::for_label(label).unwrap(), &all);
        assert_eq!(text.chars().filter(|&code_point| code_point == '\u{FFFD}').count(), unmapped, "{label}");
    }
}

#[test]
fn x_user_defined_carries_any_bytes() {
    let all: Vec<u8> = (0..=255).collect();
    let text = text(X_USER_DEFINED, &all);
    assert_eq!((text.chars().nth(0x80), text.chars().last()), (Some('\u{F780}'), Some('\u{F7FF}')));
    assert_eq!(bytes(X_USER_DEFINED, &text), Some(all));
    assert_eq!(bytes(X_USER_DEFINED, "\u{F77F}"), None);
    assert_eq!(bytes(X_USER_DEFINED, "é"), None);
}

#[test]
fn gb18030_restores_the_bytes_of_a_malformed_four_byte_sequence() {
    assert_eq!(text(GB18030, b"\x81\x30\x81\x20"), "\u{FFFD}0\u{FFFD} ");
    assert_eq!(text(GB18030, b"\x81\x30\x81\x81\x40"), "\u{FFFD}0亖@");
    assert_eq!(text(GB18030, b"\x81\x30\x41"), "\u{FFFD}0A");
    assert_eq!(text(GB18030, b"\x81\x7F"), "\u{FFFD}\u{7F}");
    assert_eq!(text(GB18030, b"\x81\xFF"), "\u{FFFD}");
    assert_eq!(text(GB18030, b"\x84\x31\xA5\x30"), "\u{FFFD}");
    assert_eq!(text(GB18030, b"\x80\xFF"), "€\u{FFFD}");
}

#[test]
fn gb18030_swallows_pending_digits_at_the_end() {
    assert_eq!(text(GB18030, b"\x81"), "\u{FFFD}");
    assert_eq!(text(GB18030, b"\x81\x30"), "\u{FFFD}");
    assert_eq!(text(GB18030, b"\x81\x30\x81"), "\u{FFFD}");
}

#[test]
fn gb18030_is_the_edition_of_2022() {
    assert_eq!(
        text(GB18030, b"\xA6\xD9\xFE\x59\xA8\xBC\x81\x35\xF4\x37\xA3\xA0\xA2\xE3"),
        "\u{FE10}\u{9FB4}\u{1E3F}\u{E7C7}\u{3000}€"
    );
    assert_eq!(text(GB18030, b"\x84\x31\x82\x36\x82\x35\x90\x37"), "\u{FE10}\u{9FB4}");
    assert_eq!(bytes(GB18030, "\u{E78D}\u{E81E}\u{FE10}").as_deref(), Some(&b"\xA6\xD9\xFE\x59\xA6\xD9"[..]));
    assert_eq!(bytes(GBK, "\u{E78D}\u{E81E}").as_deref(), Some(&b"\xA6\xD9\xFE\x59"[..]));
    assert_eq!(bytes(GB18030, "\u{E7C7}").as_deref(), Some(&b"\x81\x35\xF4\x37"[..]));
}

#[test]
fn u_e5e5_is_the_only_scalar_value_that_gb18030_cannot_encode() {
    assert_eq!(GB18030.encode("\u{E5E5}").bytes, &b"&#58853;"[..]);
    assert_eq!(bytes(GBK, "\u{E5E5}"), None);
    for code_point in ('\0'..=char::MAX).filter(|&code_point| code_point != '\u{E5E5}') {
        assert!(bytes(GB18030, code_point.encode_utf8(&mut [0; 4])).is_some(), "{code_point:?}");
    }
}

#[test]
fn gbk_writes_the_euro_as_one_byte_and_never_four() {
    assert_eq!(bytes(GBK, "€").as_deref(), Some(&b"\x80"[..]));
    assert_eq!(bytes(GB18030, "€").as_deref(), Some(&b"\xA2\xE3"[..]));
    assert_eq!(bytes(GBK, "\u{1F4A9}"), None);
    assert_eq!(text(GBK, b"\x94\x39\xDA\x33"), "\u{1F4A9}");
}

#[test]
fn big5_has_four_pointers_of_two_code_points() {
    assert_eq!(text(BIG5, b"\x88\x62\x88\x64\x88\xA3\x88\xA5"), "\u{CA}\u{304}\u{CA}\u{30C}\u{EA}\u{304}\u{EA}\u{30C}");
    assert_eq!(text(BIG5, b"\xA1\x7F\xA1\xA0\xA1"), "\u{FFFD}\u{7F}\u{FFFD}\u{FFFD}");
    assert_eq!(text(BIG5, b"\x80\xFF"), "\u{FFFD}\u{FFFD}");
    assert_eq!(text(BIG5, b"\x87\x45"), "\u{27267}");
}

#[test]
fn big5_encodes_no_extensions_and_some_last_pointers() {
    for (character, expected) in [
        ("═", b"\xF9\xF9"),
        ("╞", b"\xF9\xE9"),
        ("╡", b"\xF9\xEB"),
        ("╪", b"\xF9\xEA"),
        ("十", b"\xA4\x51"),
        ("卅", b"\xA4\xCA"),
    ] {
        assert_eq!(bytes(BIG5, character).as_deref(), Some(&expected[..]), "{character}");
    }
    for code_point in '\u{80}'..=char::MAX {
        if let Some(bytes) = bytes(BIG5, code_point.encode_utf8(&mut [0; 4])) {
            assert!(bytes[0] >= 0xA1, "{code_point:?}: {bytes:02X?}");
        }
    }
}

#[test]
fn euc_jp_flag_and_restore() {
    assert_eq!(text(EUC_JP, b"\x8E\xB1\x8F\xB0\xA1"), "ｱ丂");
    assert_eq!(text(EUC_JP, b"\x8E\x8E"), "\u{FFFD}");
    assert_eq!(text(EUC_JP, b"\x8E\xE0"), "\u{FFFD}");
    assert_eq!(text(EUC_JP, b"\x8F\xA1A"), "\u{FFFD}A");
    assert_eq!(text(EUC_JP, b"\x8F\xA1\x41\xB0\xA1"), "\u{FFFD}A亜");
    assert_eq!(text(EUC_JP, b"\x8F\x41"), "\u{FFFD}A");
    assert_eq!(text(EUC_JP, b"\x80\x8D\x90\xA0\xFF"), "\u{FFFD}".repeat(5));
}

#[test]
fn a_reused_euc_jp_decoder_forgets_jis_x_0212() {
    let mut decoder = EUC_JP.new_decoder();
    let mut text = [0; 8];
    for (source, expected) in [(&b"\x8F\xB0"[..], "\u{FFFD}"), (b"\xB0\xA1", "亜")] {
        let result = decoder.decode_to_utf8(source, &mut text, true, DecodeErrorMode::Replacement);
        assert_eq!(&text[..result.written], expected.as_bytes());
    }
}

#[test]
fn japanese_encoders_encode_yen_overline_and_minus_as_similar_characters() {
    assert_eq!(bytes(EUC_JP, "¥‾−ｱ").as_deref(), Some(&b"\x5C\x7E\xA1\xDD\x8E\xB1"[..]));
    assert_eq!(bytes(SHIFT_JIS, "¥‾−ｱ\u{80}").as_deref(), Some(&b"\x5C\x7E\x81\x7C\xB1\x80"[..]));
    assert_eq!(bytes(EUC_JP, "丂"), None, "JIS X 0212 is not encoded");
}

#[test]
fn shift_jis_decodes_eudc_and_does_not_encode_it() {
    assert_eq!(text(SHIFT_JIS, b"\xF0\x40\xF9\xFC"), "\u{E000}\u{E757}");
    assert_eq!(bytes(SHIFT_JIS, "\u{E000}"), None);
    assert_eq!(text(SHIFT_JIS, b"\x5C\x7E\x80\xA0\xFD"), "\\~\u{80}\u{FFFD}\u{FFFD}");
    assert_eq!(text(SHIFT_JIS, b"\x82\x22\x82\xFF"), "\u{FFFD}\"\u{FFFD}");
}

#[test]
fn shift_jis_prefers_the_ibm_extensions_to_their_nec_copies() {
    assert_eq!(text(SHIFT_JIS, b"\xED\x40\xFA\x5C"), "纊纊");
    assert_eq!(bytes(SHIFT_JIS, "纊").as_deref(), Some(&b"\xFA\x5C"[..]));
    assert_eq!(bytes(EUC_JP, "纊").as_deref(), Some(&b"\xF9\xA1"[..]));
}

#[test]
fn euc_kr_has_trailing_bytes_from_41_to_fe() {
    assert_eq!(text(EUC_KR, b"\x81\x41\xC6\x52\xA1\xFF\xA1\x5B"), "갂힣\u{FFFD}\u{FFFD}[");
    assert_eq!(text(EUC_KR, b"\x80\xFF"), "\u{FFFD}\u{FFFD}");
}

#[test]
fn utf_16_decodes_the_unit_after_an_unpaired_surrogate_again() {
    assert_eq!(text(UTF_16BE, b"\xD8\x00\x00\x41"), "\u{FFFD}A");
    assert_eq!(text(UTF_16BE, b"\xD8\x00\xD8\x00\xDC\x00"), "\u{FFFD}\u{10000}");
    assert_eq!(text(UTF_16LE, b"\x00\xDC\x41\x00"), "\u{FFFD}A");
    assert_eq!(text(UTF_16LE, b"\xFF\xFEa\0"), "\u{FEFF}a", "no byte order mark is handled here");
}

#[test]
fn utf_16_makes_one_error_of_a_pending_surrogate_and_a_pending_byte() {
    assert_eq!(text(UTF_16BE, b"\xD8\x00\x00"), "\u{FFFD}");
    assert_eq!(text(UTF_16BE, b"\x00"), "\u{FFFD}");
    assert_eq!(text(UTF_16LE, b"\x00\xD8"), "\u{FFFD}");
}

#[test]
fn iso_2022_jp_switches() {
    assert_eq!(text(ISO_2022_JP, b"\\~\x1B(J\\~\x1B(I\x31\x1B$@\x30\x21\x1B$B\x30\x21\x1B(Ba"), "\\~¥‾ｱ亜亜a");
    assert_eq!(text(ISO_2022_JP, b"\x0E\x0F\x80"), "\u{FFFD}".repeat(3));
    assert_eq!(text(ISO_2022_JP, b"\x1B(I \x60\n"), "\u{FFFD}".repeat(3));
    assert_eq!(text(ISO_2022_JP, b"\x1B$B\n \x30\x21"), "\u{FFFD}\u{FFFD}亜", "a newline does not reset the state");
}

#[test]
fn iso_2022_jp_rejects_the_second_of_two_adjacent_escape_sequences_and_follows_it() {
    assert_eq!(text(ISO_2022_JP, b"\x1B$B\x1B(Ba"), "\u{FFFD}a");
    assert_eq!(text(ISO_2022_JP, b"\x1B(B\x1B(J\\"), "\u{FFFD}¥");
    let error = ISO_2022_JP.decode_or_fail(b"a\x1B$B\x1B(Bb").unwrap_err();
    assert_eq!((error.offset, error.bytes()), (4, &b"\x1B(B"[..]));
}

#[test]
fn iso_2022_jp_reads_a_broken_escape_sequence_as_text() {
    assert_eq!(text(ISO_2022_JP, b"\x1B(a"), "\u{FFFD}(a");
    assert_eq!(text(ISO_2022_JP, b"\x1B$B\x1B$0!\x1B(Ba"), "\u{FFFD}ぐ\u{FFFD}a");
    assert_eq!(text(ISO_2022_JP, b"\x1B"), "\u{FFFD}");
    assert_eq!(text(ISO_2022_JP, b"\x1B("), "\u{FFFD}(");
    assert_eq!(text(ISO_2022_JP, b"\x1B(J\x1Bq\\"), "\u{FFFD}q¥");
}

#[test]
fn iso_2022_jp_ends_inside_a_character_with_one_error() {
    assert_eq!(text(ISO_2022_JP, b"\x1B$B\x30"), "\u{FFFD}");
    assert_eq!(text(ISO_2022_JP, b"\x1B$B\x30\x1B(Ba"), "\u{FFFD}a");
    assert_eq!(text(ISO_2022_JP, b"\x1B$B\x30\n\x30\x21"), "\u{FFFD}亜");
}

#[test]
fn iso_2022_jp_encodes_in_three_states_and_returns_to_ascii() {
    assert_eq!(
        bytes(ISO_2022_JP, "a¥\\亜ｱ~").as_deref(),
        Some(&b"a\x1B(J\x5C\x1B(B\\\x1B$B\x30\x21\x25\x22\x1B(B~"[..])
    );
    assert_eq!(bytes(ISO_2022_JP, "¥a‾").as_deref(), Some(&b"\x1B(J\x5Ca\x7E\x1B(B"[..]));
    assert_eq!(bytes(ISO_2022_JP, "−ﾞﾟ").as_deref(), Some(&b"\x1B$B\x21\x5D\x21\x2B\x21\x2C\x1B(B"[..]));
}

#[test]
fn iso_2022_jp_reports_shift_controls_and_escape_as_u_fffd() {
    for control in ["\u{E}", "\u{F}", "\u{1B}"] {
        assert_eq!(ISO_2022_JP.encode(control).bytes, &b"&#65533;"[..]);
        assert_eq!(ISO_2022_JP.encode_or_fail(control), Err(Unmappable::new(0, '\u{FFFD}')));
    }
    assert_eq!(ISO_2022_JP.encode("亜\u{E}").bytes, &b"\x1B$B\x30\x21\x1B(B&#65533;"[..]);
}

#[test]
fn iso_2022_jp_leaves_jis0208_before_it_errs_and_stays_in_roman() {
    let mut input = IoQueue::from_iter("亜☃¥☃a".chars());
    let mut encoder = hooks::get_an_encoder(ISO_2022_JP).unwrap();
    let mut pieces = Vec::new();
    loop {
        let mut output = IoQueue::new();
        let error = hooks::encode_or_fail(&mut input, &mut encoder, &mut output);
        assert_eq!(output.peek(1000), output.read_all::<Vec<u8>>());
        pieces.push((output.read(), error));
        if error.is_none() {
            break;
        }
    }
    assert_eq!(pieces, [(Item::EndOfQueue, Some('☃')), (Item::EndOfQueue, Some('☃')), (Item::EndOfQueue, None)]);

    let mut output = IoQueue::new();
    let mut input = IoQueue::from_iter("亜☃¥☃a".chars());
    let mut encoder = hooks::get_an_encoder(ISO_2022_JP).unwrap();
    while hooks::encode_or_fail(&mut input, &mut encoder, &mut output).is_some() {
        output.push_several(*b"?");
    }
    assert_eq!(output.read_all::<Vec<u8>>(), b"\x1B$B\x30\x21\x1B(B?\x1B(J\x5C?a\x1B(B");
}

#[test]
fn encode_or_fail_consumes_the_code_point_of_the_error() {
    let mut encoder = WINDOWS_1252.new_encoder();
    let mut capacity = [0; 16];
    let result = encoder.encode_str("a☃b", &mut capacity, true, EncodeErrorMode::Fatal);
    assert_eq!(result.status, EncodeStatus::Unmappable(Unmappable::new(1, '☃')));
    assert_eq!((result.read, result.written), (4, 1));
    let result = encoder.encode_str("b", &mut capacity, true, EncodeErrorMode::Fatal);
    assert_eq!((result.status, &capacity[..result.written]), (EncodeStatus::InputEmpty, &b"b"[..]));
}

#[test]
fn in_the_error_mode_fatal_the_output_keeps_the_text_before_the_error_and_has_no_end_of_queue() {
    let mut input = IoQueue::from_iter(*b"ab\xFFcd");
    let mut output = IoQueue::new();
    let mut decoder = DecoderInstance::new(UTF_8);
    assert_eq!(decoder.process_queue(&mut input, &mut output, DecodeErrorMode::Fatal), ItemResult::Error(()));
    output.push(Item::Value('!'));
    assert_eq!(decoder.process_queue(&mut input, &mut output, DecodeErrorMode::Fatal), ItemResult::Finished);
    assert_eq!(output.read_all::<String>(), "ab!cd");
}

#[test]
fn html_mode_writes_decimal_references_straight_to_the_output() {
    assert_eq!(WINDOWS_1252.encode("☃\u{10FFFF}").bytes, &b"&#9731;&#1114111;"[..]);
    assert_eq!(ISO_2022_JP.encode("¥☃").bytes, &b"\x1B(J\x5C&#9731;\x1B(B"[..]);
}

#[test]
fn the_encodings_without_an_encoder_encode_to_utf_8_or_refuse() {
    for encoding in [UTF_16BE, UTF_16LE, REPLACEMENT] {
        assert_eq!(encoding.output_encoding(), UTF_8);
        let encoded = encoding.encode("é");
        assert_eq!((&*encoded.bytes, encoded.encoding, encoded.had_errors), ("é".as_bytes(), UTF_8, false));
        assert_eq!(hooks::get_an_encoder(encoding).unwrap_err(), NoEncoder(encoding.id()));
        let result = hooks::encode(&mut IoQueue::from_iter("é".chars()), encoding, &mut IoQueue::new());
        assert_eq!(result, Err(NoEncoder(encoding.id())));
    }
    assert_eq!(GB18030.output_encoding(), GB18030);
}

#[test]
fn streaming_a_queue_blocks_until_the_producer_is_done() {
    let (mut producer, mut input) = hooks::streaming();
    let reader = std::thread::spawn(move || {
        let mut output = IoQueue::new();
        hooks::decode(&mut input, SHIFT_JIS, &mut output);
        output.read_all::<String>()
    });
    for byte in *b"\x83\x65\x83\x4C\x83" {
        producer.push(Item::Value(byte));
        std::thread::yield_now();
    }
    producer.push(Item::EndOfQueue);
    assert_eq!(reader.join().unwrap(), "テキ\u{FFFD}");
}

#[test]
fn infra_is_not_windows_1252() {
    assert_eq!(infra::isomorphic_decode(b"\x80"), "\u{80}");
    assert_eq!(WINDOWS_1252.decode(b"\x80").text, "€");
}

#[test]
fn labels_fail_as_the_standard_says() {
    assert_eq!(Encoding::for_label("\u{212A}oi8-r"), Err(LabelError::Unknown));
    assert_eq!("SJIS".parse(), Ok(SHIFT_JIS));
    assert_eq!(Encoding::all().map(|encoding| encoding.labels().len()).sum::<usize>(), 228);
    assert_eq!(Encoding::all().count(), 40);
}

#[test]
fn decode_borrows_if_the_text_does_not_change() {
    use std::borrow::Cow;
    for encoding in Encoding::all() {
        let borrowed =
            matches!(encoding.decode(b"plain"), Decoded { text: Cow::Borrowed("plain"), had_errors: false, .. });
        assert_eq!(borrowed, ![UTF_16BE, UTF_16LE, REPLACEMENT].contains(&encoding), "{encoding}");
    }
    assert!(matches!(UTF_8.decode("é".as_bytes()).text, Cow::Borrowed("é")));
    assert!(matches!(UTF_8.decode(b"\xEF\xBB\xBFa").text, Cow::Borrowed("a")));
    assert!(matches!(ISO_2022_JP.decode(b"a\x0E").text, Cow::Owned(_)));
    assert!(matches!(SHIFT_JIS.encode("plain").bytes, Cow::Borrowed(b"plain")));
    assert!(matches!(UTF_16LE.encode("é").bytes, Cow::Borrowed(_)));
    assert!(matches!(ISO_2022_JP.encode("\u{1B}").bytes, Cow::Owned(_)));
}

/// Each of these texts becomes longer, so that the vector has to grow many times. A former version doubled the vector's
/// size until the number overflowed to 0.
#[test]
fn the_conversion_of_long_texts_that_grow_ends() {
    assert_eq!(BIG5.encode(&"☃".repeat(200_000)).bytes.len(), 200_000 * "&#9731;".len());
    assert_eq!(GB18030.encode(&"\u{10000}".repeat(200_000)).bytes.len(), 200_000 * 4);
    assert_eq!(ISO_2022_JP.encode(&"\u{1B}".repeat(200_000)).bytes.len(), 200_000 * "&#65533;".len());
    assert_eq!(X_USER_DEFINED.decode(&[0xFF; 600_000]).text.len(), 600_000 * 3);
    let mut bytes = Vec::new();
    let text: Vec<u16> = vec![0x2603; 200_000];
    let _ = BIG5.new_encoder().encode_utf16_to_vec(&text, &mut bytes, true, EncodeErrorMode::Html);
    assert_eq!(bytes.len(), 200_000 * "&#9731;".len());
}
