//! Whole texts, and the facts about encodings.

use std::borrow::Cow;

use quickcheck::QuickCheck;

use super::{
    driver::{ours, theirs},
    streams::{Bytes, Text},
};

/// The encodings of both crates, side by side.
fn pairs() -> Vec<(&'static encoding_rs::Encoding, &'static ::textcodec_encoding_rs::Encoding)> {
    theirs::encodings().iter().copied().zip(ours::encodings().iter().copied()).collect()
}

#[expect(clippy::ptr_arg, reason = "the question is about the `Cow`")]
fn is_borrowed<T: ToOwned + ?Sized>(text: &Cow<'_, T>) -> bool {
    matches!(text, Cow::Borrowed(_))
}

#[test]
fn encodings_have_the_same_facts() {
    for (theirs, ours) in pairs() {
        assert_eq!(theirs.name(), ours.name());
        assert_eq!(format!("{theirs:?}"), format!("{ours:?}"));
        assert_eq!(format!("{:?}", theirs.new_encoder()), format!("{:?}", ours.new_encoder()));
        assert_eq!(theirs.is_ascii_compatible(), ours.is_ascii_compatible());
        assert_eq!(theirs.is_single_byte(), ours.is_single_byte());
        assert_eq!(theirs.can_encode_everything(), ours.can_encode_everything());
        assert_eq!(theirs.output_encoding().name(), ours.output_encoding().name());
        assert_eq!(theirs.new_encoder().encoding().name(), ours.new_encoder().encoding().name());
        assert_eq!(serde_json::to_string(ours).unwrap(), format!("{:?}", theirs.name()));
    }
}

#[test]
fn labels_lead_to_the_same_encodings() {
    for encoding in textcodec::Encoding::all() {
        for label in encoding.labels() {
            for label in [label.to_string(), format!("\t {} \n", label.to_uppercase()), format!("{label}x")] {
                let bytes = label.as_bytes();
                let theirs = encoding_rs::Encoding::for_label(bytes).map(|encoding| encoding.name());
                assert_eq!(::textcodec_encoding_rs::Encoding::for_label(bytes).map(|encoding| encoding.name()), theirs);
                let theirs = encoding_rs::Encoding::for_label_no_replacement(bytes).map(|encoding| encoding.name());
                assert_eq!(
                    ::textcodec_encoding_rs::Encoding::for_label_no_replacement(bytes).map(|encoding| encoding.name()),
                    theirs
                );
            }
        }
    }
}

#[test]
fn whole_texts_decode_with_the_same_results() {
    fn check(stream: Bytes) -> bool {
        let bytes = stream.sources.concat();
        let bom = |encoding: Option<(&'static str, usize)>| encoding;
        let theirs_bom =
            bom(encoding_rs::Encoding::for_bom(&bytes).map(|(encoding, length)| (encoding.name(), length)));
        assert_eq!(
            ::textcodec_encoding_rs::Encoding::for_bom(&bytes).map(|(encoding, length)| (encoding.name(), length)),
            theirs_bom
        );
        assert_eq!(
            ::textcodec_encoding_rs::Encoding::utf8_valid_up_to(&bytes),
            encoding_rs::Encoding::utf8_valid_up_to(&bytes)
        );
        assert_eq!(
            ::textcodec_encoding_rs::Encoding::ascii_valid_up_to(&bytes),
            encoding_rs::Encoding::ascii_valid_up_to(&bytes)
        );
        let theirs_ascii = encoding_rs::Encoding::iso_2022_jp_ascii_valid_up_to(&bytes);
        assert_eq!(::textcodec_encoding_rs::Encoding::iso_2022_jp_ascii_valid_up_to(&bytes), theirs_ascii);
        for (theirs, ours) in pairs() {
            let (text, used, errors) = theirs.decode(&bytes);
            let ours_decoded = ours.decode(&bytes);
            assert_eq!((&*ours_decoded.0, ours_decoded.1.name(), ours_decoded.2), (&*text, used.name(), errors));
            assert_eq!(is_borrowed(&ours_decoded.0), is_borrowed(&text), "{theirs:?} {bytes:02X?}");
            let same = |(a, a_errors): (Cow<'_, str>, bool), (b, b_errors): (Cow<'_, str>, bool)| {
                assert_eq!((&a, a_errors, is_borrowed(&a)), (&b, b_errors, is_borrowed(&b)), "{theirs:?} {bytes:02X?}");
            };
            same(ours.decode_with_bom_removal(&bytes), theirs.decode_with_bom_removal(&bytes));
            same(ours.decode_without_bom_handling(&bytes), theirs.decode_without_bom_handling(&bytes));
            assert_eq!(
                ours.decode_without_bom_handling_and_without_replacement(&bytes),
                theirs.decode_without_bom_handling_and_without_replacement(&bytes)
            );
        }
        true
    }
    QuickCheck::new().tests(1_000).quickcheck(check as fn(Bytes) -> bool);
}

#[test]
fn whole_texts_encode_with_the_same_results() {
    fn check(stream: Text) -> bool {
        let text = stream.sources.concat();
        for (theirs, ours) in pairs() {
            let (bytes, used, errors) = theirs.encode(&text);
            let ours_encoded = ours.encode(&text);
            assert_eq!((&*ours_encoded.0, ours_encoded.1.name(), ours_encoded.2), (&*bytes, used.name(), errors));
            assert_eq!(is_borrowed(&ours_encoded.0), is_borrowed(&bytes), "{theirs:?} {text:?}");
        }
        true
    }
    QuickCheck::new().tests(1_000).quickcheck(check as fn(Text) -> bool);
}

/// encoding_rs returns the place of the last run of ASCII where a single-byte decoder finds nothing but Latin-1. Its
/// documentation says the length of the input.
#[test]
fn the_latin_1_prefix_of_latin_1_is_all_of_it() {
    for (theirs, ours) in pairs() {
        let is_single_byte = theirs.is_single_byte() && theirs.name() != "x-user-defined";
        let (theirs, ours) = (theirs.new_decoder_without_bom_handling(), ours.new_decoder_without_bom_handling());
        for bytes in [&b"a"[..], b"abcd", b"abcdabcdabcdabcdabcdabcd"] {
            let all = ours.latin1_byte_compatible_up_to(bytes);
            assert!(all.is_none_or(|length| length == bytes.len()));
            assert_eq!(theirs.latin1_byte_compatible_up_to(bytes), if is_single_byte { Some(0) } else { all });
        }
    }
}

/// encoding_rs panics in these cases.
#[test]
fn a_cut_off_sequence_needs_space_at_the_end_of_the_stream() {
    for (encoding, lead) in [
        (::textcodec_encoding_rs::SHIFT_JIS, 0x82),
        (::textcodec_encoding_rs::GBK, 0x81),
        (::textcodec_encoding_rs::BIG5, 0x88),
        (::textcodec_encoding_rs::UTF_8, 0xC3),
    ] {
        for space in 0..5 {
            let mut decoder = encoding.new_decoder_without_bom_handling();
            let _ = decoder.decode_to_utf8(&[lead], &mut [0; 8], false);
            let result = decoder.decode_to_utf8(b"", &mut vec![0; space], true);
            let expected = if space < 3 {
                (::textcodec_encoding_rs::CoderResult::OutputFull, 0, 0, false)
            } else {
                (::textcodec_encoding_rs::CoderResult::InputEmpty, 0, 3, true)
            };
            assert_eq!(result, expected, "{encoding:?} into {space} bytes");
        }
    }
}
