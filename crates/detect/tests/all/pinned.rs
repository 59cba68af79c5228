//! The answers for the sentences, pinned in `tests/pinned.tsv`. A change of the model or of the code shows as a
//! difference in that file. `TEXTCODEC_PINNED=write cargo test -p textcodec-detect pinned` writes it.

use std::fmt::Write as _;

use textcodec_detect::detect;

use crate::{decode, encode, sentences::SENTENCES};

const PINNED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pinned.tsv");

/// The lengths of the starts of each sentence, in bytes.
const LENGTHS: [usize; 3] = [24, 48, usize::MAX];

#[test]
fn the_answers_for_the_sentences_are_the_pinned_ones() {
    let mut table = "language\tencoding\tbytes\tanswer\tlanguage of the answer\tprobability\tright\n".to_owned();
    for (language, labels, text) in SENTENCES {
        for label in *labels {
            let bytes = encode(text, label);
            for length in LENGTHS {
                let bytes = &bytes[..bytes.len().min(length)];
                let detection = detect(bytes);
                let best = detection.best();
                let name = best.map_or("none", |best| best.name());
                let is_right = name != "none" && decode(bytes, name) == decode(bytes, label);
                writeln!(
                    table,
                    "{language}\t{label}\t{}\t{name}\t{}\t{:.3}\t{}",
                    bytes.len(),
                    best.and_then(|best| best.language()).unwrap_or("-"),
                    best.map_or(0.0, |best| best.probability()),
                    if is_right { "yes" } else { "no" },
                )
                .unwrap();
            }
        }
    }
    crate::compare_pinned(PINNED, &table);
}

#[test]
fn a_whole_sentence_gives_the_right_text_and_language() {
    for (language, labels, text) in SENTENCES {
        for label in *labels {
            let bytes = encode(text, label);
            let detection = detect(&bytes);
            let best = detection.best().unwrap_or_else(|| panic!("{language} in {label}: no answer"));
            assert_eq!(decode(&bytes, best.name()), decode(&bytes, label), "{language} in {label}: {detection:?}");
            assert!(best.language().is_none_or(|answer| answer == *language), "{language} in {label}: {best:?}");
        }
    }
}
