//! The battery of the Standard's encodings, for a page of each shape, and short texts for all.

use textcodec_charsets::{Charset, ebcdic, iso, regional};
use textcodec_core::{
    Handle as _,
    testing::{Subject, battery, check_text},
};
use textcodec_kernels::level::at_every_level;

use crate::mappings::{mapping, single_byte};

fn subject(charset: Charset) -> Subject {
    Subject::new(charset.name(), charset.codec(), 1).with_selector(charset.selector())
}

/// Charsets with ASCII at its usual bytes have the decoder and the encoder of the Standard's encodings.
#[test]
fn a_permutation_of_latin_1_passes_the_battery() {
    battery(subject(ebcdic::IBM037), b"a\x81\x40\x25\xFF", "aéÿ\u{85}€");
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes a second for each charset")]
fn a_page_of_each_other_shape_passes_the_battery() {
    let charsets: [(Charset, &[u8], &str); 4] = [
        (ebcdic::IBM037.with_line_feed_at_15().unwrap(), b"a\x81\x15\x25\xFF", "aé\n\u{85}€"),
        // ASCII characters are missing.
        (iso::DIN_66003, b"a[\x80{\xFF", "aä[ßé"),
        // ASCII, and bytes that have the characters of others.
        (regional::ARMSCII_8, b"a\xA1\xA4\xB2\xFF", "a(\u{589}Աé"),
        // More characters than the table of an exchange has places for.
        (regional::VISCII, b"a\x02\x06\x80\xD5\xFF", "aẲ\u{2}ạỠ€"),
    ];
    for (charset, significant, text) in charsets {
        battery(subject(charset), significant, text);
    }
}

#[test]
fn short_texts_of_all_charsets_are_decoded_as_by_the_handler() {
    for charset in single_byte() {
        let mapping = mapping(charset);
        let known: Vec<u8> = (0..=u8::MAX).filter(|byte| mapping.code_points[usize::from(*byte)].is_some()).collect();
        let all: Vec<u8> = (0..=u8::MAX).collect();
        at_every_level(|_| {
            check_text(subject(charset), &[&known, &all, &known], 300);
            check_text(subject(charset), &[&all[..100], &known.repeat(4)], 4000);
        });
    }
}
