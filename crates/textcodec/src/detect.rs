//! Which encoding is it? Ranked guesses from statistics of languages, for texts that declare nothing.
//!
//! ```
//! use textcodec::{Encoding, detect::detect};
//!
//! let bytes = b"Gr\xFC\xDFe aus M\xFCnchen";
//! let detection = detect(bytes);
//! let encoding = Encoding::for_name(detection.encoding().unwrap())?;
//! assert_eq!(encoding.decode(bytes).text, "Grüße aus München");
//! # Ok::<(), textcodec::LabelError>(())
//! ```

pub use textcodec_detect::{
    BinaryKind, Candidate, Detection, Detector, MODEL_VERSION, Options, Platform, Tier, Verdict, detect, detect_with,
    has_letter, has_statistics,
};
