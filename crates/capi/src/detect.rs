//! Detection: which encoding is it, by statistics of languages.

use core::{
    ffi::{c_char, c_void},
    mem::MaybeUninit,
};

use textcodec::{
    Name,
    detect::{Detection, Detector, Options, Platform, Verdict},
};
use textcodec_kernels::string::as_ascii;

use crate::{
    TEXTCODEC_NONE,
    encodings::{name_of, number_of},
    pointers::{places, read, source},
    textcodec_encoding, textcodec_string,
};

/// The names of the verdicts; the number of the first one is 1.
const VERDICTS: [&str; 14] = [
    "empty",
    "ascii",
    "utf-8",
    "damaged-utf-8",
    "utf-16",
    "utf-32",
    "iso-2022",
    "hz",
    "utf-7",
    "legacy",
    "mixed",
    "binary",
    "unknown",
    "other",
];

/// What a caller knows about a text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct textcodec_detect_options {
    /// The encodings that compete.
    pub among: *const textcodec_encoding,
    /// The number of encodings that compete.
    pub among_length: usize,
    /// The encodings that do not compete.
    pub exclude: *const textcodec_encoding,
    /// The number of encodings that do not compete.
    pub exclude_length: usize,
    /// The code of a language.
    pub language: *const c_char,
    /// The number of bytes of the code.
    pub language_length: usize,
    /// A top-level domain.
    pub top_level_domain: *const c_char,
    /// The number of bytes of the domain.
    pub top_level_domain_length: usize,
    /// The encoding that something declares.
    pub declared: textcodec_encoding,
    /// The platform.
    pub platform: u32,
    /// Whether the start of the text is missing.
    pub starts_mid_stream: bool,
    /// Whether the end of the text is missing.
    pub ends_mid_stream: bool,
}

/// An encoding that a text can be in.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct textcodec_candidate {
    /// The name of the encoding.
    pub name: textcodec_string,
    /// The language.
    pub language: textcodec_string,
    /// The encoding.
    pub encoding: textcodec_encoding,
    /// The probability that this candidate gives the right text.
    pub probability: f32,
    /// The number of the group.
    pub group: usize,
}

/// What a text is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct textcodec_detection {
    /// The number of candidates.
    pub candidates: usize,
    /// The offset of the first malformed sequence, or of the first change.
    pub offset: u64,
    /// The number of malformed sequences.
    pub malformed: u64,
    /// The encoding of the best candidate.
    pub encoding: textcodec_encoding,
    /// The verdict.
    pub verdict: u32,
    /// The probability of the best candidate.
    pub probability: f32,
    /// How much better the best text fits than the next one; a negative number if there is none.
    pub margin: f32,
    /// Whether the text begins with a byte order mark.
    pub has_bom: bool,
}

/// A detector for a text that comes in pieces.
pub struct textcodec_detector(Detector);

/// The names of encodings of the Standard; other numbers are left out.
fn names(numbers: &[textcodec_encoding]) -> Vec<Name> {
    numbers.iter().filter_map(|&number| name_of(number)).collect()
}

/// The options of Rust.
///
/// # Safety
/// The promises of `textcodec.h` hold, also for the pointers in the struct.
unsafe fn options(options: *const textcodec_detect_options) -> Options {
    // SAFETY: as the caller promises. Zeros are a value of the struct: nothing is known.
    let Some(known) = (unsafe { read(options) }) else { return Options::new() };
    // SAFETY: as the caller promises.
    let (among, exclude, language, domain) = unsafe {
        (
            source(known.among, known.among_length),
            source(known.exclude, known.exclude_length),
            source(known.language.cast::<u8>(), known.language_length),
            source(known.top_level_domain.cast::<u8>(), known.top_level_domain_length),
        )
    };
    let mut options = Options::new()
        .exclude(names(exclude))
        .language(as_ascii(language).unwrap_or_default())
        .top_level_domain(as_ascii(domain).unwrap_or_default())
        .starts_mid_stream(known.starts_mid_stream)
        .ends_mid_stream(known.ends_mid_stream);
    if !among.is_empty() {
        options = options.among(names(among));
    }
    if let Some(name) = name_of(known.declared) {
        options = options.declared(name.as_str());
    }
    match known.platform {
        1 => options.platform(Platform::Windows),
        2 => options.platform(Platform::Mac),
        3 => options.platform(Platform::Unix),
        4 => options.platform(Platform::Dos),
        _ => options,
    }
}

/// Writes the candidates, as many as fit, and returns the rest of the answer.
fn answer(detection: &Detection, candidates: &mut [MaybeUninit<textcodec_candidate>]) -> textcodec_detection {
    for (to, candidate) in candidates.iter_mut().zip(detection.candidates()) {
        to.write(textcodec_candidate {
            name: textcodec_string::new(candidate.name()),
            language: candidate.language().into(),
            encoding: candidate.encoding().map_or(TEXTCODEC_NONE, number_of),
            probability: candidate.probability(),
            group: candidate.group(),
        });
    }
    let (verdict, offset, malformed, has_bom) = match detection.verdict() {
        Verdict::Empty => (1, 0, 0, false),
        Verdict::Ascii => (2, 0, 0, false),
        Verdict::Utf8 { has_bom } => (3, 0, 0, has_bom),
        Verdict::DamagedUtf8 { malformed, first } => (4, first, malformed, false),
        Verdict::Utf16 { has_bom } => (5, 0, 0, has_bom),
        Verdict::Utf32 { has_bom } => (6, 0, 0, has_bom),
        Verdict::Iso2022 => (7, 0, 0, false),
        Verdict::Hz => (8, 0, 0, false),
        Verdict::Utf7 => (9, 0, 0, false),
        Verdict::Legacy => (10, 0, 0, false),
        Verdict::Mixed { offset } => (11, offset, 0, false),
        Verdict::Binary(_) => (12, 0, 0, false),
        Verdict::Unknown => (13, 0, 0, false),
        _ => (14, 0, 0, false),
    };
    textcodec_detection {
        candidates: detection.candidates().len(),
        offset,
        malformed,
        encoding: detection.encoding().map_or(TEXTCODEC_NONE, number_of),
        verdict,
        probability: detection.best().map_or(0.0, |best| best.probability()),
        margin: detection.margin().unwrap_or(-1.0),
        has_bom,
    }
}

/// Finds out the encoding of a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_detect(
    known: *const textcodec_detect_options,
    bytes: *const c_void,
    length: usize,
    found: *mut textcodec_candidate,
    capacity: usize,
) -> textcodec_detection {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let (options, bytes, found) =
        unsafe { (options(known), source(bytes.cast::<u8>(), length), places(found, capacity)) };
    answer(&textcodec::detect::detect_with(bytes, &options), found)
}

/// Makes a detector.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_detector_new(known: *const textcodec_detect_options) -> *mut textcodec_detector {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let options = unsafe { options(known) };
    Box::into_raw(Box::new(textcodec_detector(Detector::with_options(options))))
}

/// Looks at the next bytes of the text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_detector_feed(
    detector: *mut textcodec_detector,
    bytes: *const c_void,
    length: usize,
) {
    // SAFETY: the caller keeps the promises of `textcodec.h`: the pointer is null or comes from
    // `textcodec_detector_new`, and nobody else uses the detector.
    let (detector, bytes) = unsafe { (detector.as_mut(), source(bytes.cast::<u8>(), length)) };
    if let Some(textcodec_detector(detector)) = detector {
        detector.feed(bytes);
    }
}

/// The answer for the bytes so far, or for the whole text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_detector_answer(
    detector: *const textcodec_detector,
    found: *mut textcodec_candidate,
    capacity: usize,
    flags: u32,
) -> textcodec_detection {
    // SAFETY: the caller keeps the promises of `textcodec.h`: the pointer is null or comes from
    // `textcodec_detector_new`, and nobody changes the detector meanwhile.
    let (detector, found) = unsafe { (detector.as_ref(), places(found, capacity)) };
    match detector {
        Some(textcodec_detector(detector)) if crate::types::is_last(flags) => answer(&detector.clone().finish(), found),
        Some(textcodec_detector(detector)) => answer(&detector.best_so_far(), found),
        None => answer(&textcodec::detect::detect(b""), found),
    }
}

/// Frees a detector.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_detector_free(detector: *mut textcodec_detector) {
    if !detector.is_null() {
        // SAFETY: the pointer is not null. So it comes from `textcodec_detector_new` by the promises of `textcodec.h`,
        // and nobody uses the detector afterwards.
        drop(unsafe { Box::from_raw(detector) });
    }
}

/// The name of a verdict.
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_verdict_name(verdict: u32) -> textcodec_string {
    VERDICTS.get((verdict as usize).wrapping_sub(1)).copied().into()
}
