//! A look at all bytes of a text, piece by piece and in constant memory.

use super::{mixture::Mixture, utf_8::Utf8};

/// Looks at all bytes of a text, which come piece by piece, and finds out whether the text is [damaged](Damage). The
/// result is the same wherever the pieces are cut.
///
/// ```
/// use textcodec_sniff::structure::{Damage, Examination};
///
/// let mut examination = Examination::new();
/// examination.feed("Déjà vu, où ? L’été. ".as_bytes());
/// examination.feed(b"don\x92t");
/// let findings = examination.findings(true);
/// assert_eq!((findings.sequences, findings.malformed, findings.first_malformed), (6, 1, Some(31)));
/// assert_eq!(findings.damage, Some(Damage::Utf8));
/// ```
#[derive(Clone, Debug)]
pub struct Examination {
    length: u64,
    utf_8: Utf8,
    mixture: Mixture,
}

impl Examination {
    /// Before the first byte.
    #[must_use]
    pub const fn new() -> Self {
        Examination { length: 0, utf_8: Utf8::new(), mixture: Mixture::new() }
    }

    /// Looks at `bytes`, the next bytes of the text.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        self.utf_8.feed(bytes);
        self.mixture.feed(bytes);
    }

    /// Whether the bytes so far have three bytes of zero in a row, which no text has. No other finding matters then,
    /// and none of the bytes that follow can change it.
    #[must_use]
    pub const fn is_binary(&self) -> bool {
        self.mixture.is_binary
    }

    /// What the bytes so far show. `last` says that the text ends with them; otherwise the last character may be
    /// incomplete.
    #[must_use]
    pub fn findings(&self, last: bool) -> Findings {
        let utf_8 = self.utf_8.at_end(last);
        let (malformed, first_malformed) = (utf_8.malformed, utf_8.first_malformed);
        let damage = match self.mixture.change(first_malformed, last) {
            Some((offset, is_utf_16_first)) => Some(Damage::Mixed { offset, is_utf_16_first }),
            None if self.mixture.has_other_zeros() => None,
            None => utf_8.is_damaged().then_some(Damage::Utf8),
        };
        let (length, sequences) = (self.length, utf_8.sequences);
        Findings { length, sequences, malformed, first_malformed, is_binary: self.is_binary(), damage }
    }
}

impl Default for Examination {
    fn default() -> Self {
        Self::new()
    }
}

/// What an [`Examination`] has found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Findings {
    /// The number of bytes.
    pub length: u64,
    /// The number of well-formed sequences of more than one byte, if the bytes are read as UTF-8.
    pub sequences: u64,
    /// The number of malformed sequences, if the bytes are read as UTF-8: as many as
    /// [UTF-8 decode](https://encoding.spec.whatwg.org/#utf-8-decode) has errors.
    pub malformed: u64,
    /// The offset of the first malformed sequence, in bytes.
    pub first_malformed: Option<u64>,
    /// Whether there are three bytes of zero in a row, which no text has.
    pub is_binary: bool,
    /// The damage, if there is any. Binary data and UTF-16 from start to end are not damaged.
    pub damage: Option<Damage>,
}

impl Findings {
    /// Whether the text is UTF-8 from start to end, with at least one sequence of more than one byte.
    #[must_use]
    pub const fn is_utf_8(&self) -> bool {
        self.sequences > 0 && self.malformed == 0 && self.damage.is_none()
    }
}

/// A text that is in no encoding, because something has happened to it. It must not be decoded in another encoding only
/// because it is malformed in its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Damage {
    /// The text is UTF-8, but a few of its sequences are malformed: [`Findings::malformed`] of them. This is the rule:
    ///
    /// * There are at least six well-formed sequences of more than one byte for each malformed sequence; or
    /// * there are more lone sequences than malformed ones. A *lone* sequence is well-formed and stands between ASCII
    ///   or the ends of the text. A lone sequence of three or four bytes counts twice.
    ///
    /// Text in a legacy encoding has well-formed sequences by accident only. Accidents are frequent in long runs of
    /// bytes that are not ASCII (Chinese, Japanese, Korean, Thai, and Russian of DOS), but there most sequences are
    /// malformed. In texts that are mostly ASCII, a letter in a legacy encoding stands alone and is malformed: lone
    /// sequences by accident are rare. `crates/sniff/DESIGN.md` has the measurement.
    Utf8,
    /// A part of the text is UTF-16, and another part is ASCII or another encoding whose ASCII characters are single
    /// bytes. Such a text is made by `>>` of Windows PowerShell, which appends UTF-16 to any file.
    Mixed {
        /// The number of bytes before the first change between the two.
        offset: u64,
        /// Whether the part before the change is UTF-16.
        is_utf_16_first: bool,
    },
}
