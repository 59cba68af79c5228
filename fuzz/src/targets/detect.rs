//! Detection panics for no bytes and no options, its answer does not depend on how the bytes are cut into pieces, its
//! probabilities are probabilities, and long input takes linear time: libFuzzer reports an input that takes more than
//! ten seconds.

use textcodec::detect::{Detector, Options, Platform, Tier, detect_with};

use crate::Input;

/// Checks what holds for an input.
///
/// # Panics
/// If it does not hold.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let (known, more, mut random) = (input.byte(), input.byte(), input.random());
    let mut options = Options::new().starts_mid_stream(known & 1 != 0).ends_mid_stream(known & 2 != 0);
    if known & 4 != 0 {
        options = options.language(["de", "ru", "ja", "zh-Hant"][usize::from(more & 3)]);
    }
    if known & 8 != 0 {
        options = options.top_level_domain(["ru", "jp", "gr", "tw"][usize::from(more & 3)]);
    }
    if known & 16 != 0 {
        let encoding = input.encoding();
        options = if more & 4 == 0 { options.declared(encoding.name()) } else { options.exclude([encoding.id()]) };
    }
    if known & 32 != 0 {
        options = options.tier([Tier::Dos, Tier::Mac, Tier::Ebcdic, Tier::Johab][usize::from(more >> 3 & 3)]);
    }
    if known & 64 != 0 {
        options = options.platform(if more & 32 == 0 { Platform::Mac } else { Platform::Dos });
    }
    // One of 64 inputs is repeated to 64 KiB: quadratic time would take minutes.
    let repeated;
    let mut bytes = input.rest();
    if known >= 0xC0 && more & 15 == 15 && !bytes.is_empty() {
        repeated = bytes.repeat(1 + 65536 / bytes.len());
        bytes = &repeated;
    }

    let whole = detect_with(bytes, &options);
    let mut sum = 0.0;
    let mut group = None;
    for candidate in whole.candidates() {
        let probability = candidate.probability();
        assert!((0.0..=1.0).contains(&probability), "{candidate:?}");
        // Candidates of one group give the same text, and share its probability.
        if group != Some(candidate.group()) {
            sum += probability;
        }
        group = Some(candidate.group());
    }
    assert!(sum <= 1.001, "the probabilities of different texts add up to {sum}: {whole:?}");
    let mut detector = Detector::with_options(options);
    let mut rest = bytes;
    while !rest.is_empty() {
        let piece = if bytes.len() > 8192 { std::mem::take(&mut rest) } else { random.piece(&mut rest) };
        detector.feed(piece);
        if random.below(16) == 0 {
            let _ = detector.best_so_far();
        }
    }
    assert_eq!(detector.finish(), whole);
}
