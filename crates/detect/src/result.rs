//! What a detector has found.

use alloc::vec::Vec;

use textcodec_core::Name;

use crate::MODEL_VERSION;

/// What a text is, and the encodings that it can be in.
#[derive(Clone, PartialEq, Debug)]
pub struct Detection {
    pub(crate) verdict: Verdict,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) margin: Option<f32>,
    pub(crate) knows_language: bool,
}

/// What a text is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Verdict {
    /// There are no bytes.
    Empty,
    /// All bytes are ASCII, and no sequence of them has another meaning. The text is the same in UTF-8 and in nearly
    /// all other encodings.
    Ascii,
    /// The text is UTF-8 with characters beyond ASCII. A character may be cut at both ends of the text.
    Utf8 {
        /// Whether the text begins with a byte order mark.
        has_bom: bool,
    },
    /// The text is UTF-8, but some of its sequences are malformed.
    DamagedUtf8 {
        /// The number of malformed sequences.
        malformed: u64,
        /// The offset of the first one, in bytes.
        first: u64,
    },
    /// The text is UTF-16.
    Utf16 {
        /// Whether the text begins with a byte order mark.
        has_bom: bool,
    },
    /// The text is UTF-32, which no encoding of the Standard decodes.
    Utf32 {
        /// Whether the text begins with a byte order mark.
        has_bom: bool,
    },
    /// The text is ASCII with escape sequences that select other character sets: ISO-2022-JP, ISO-2022-KR or
    /// ISO-2022-CN.
    Iso2022,
    /// The text is HZ: GB 2312 between `~{` and `~}`.
    Hz,
    /// The text is UTF-7.
    Utf7,
    /// The text is in a legacy encoding, which the candidates name.
    Legacy,
    /// One part of the text is UTF-16, and another part is not.
    Mixed {
        /// The offset of the first change between the two, in bytes.
        offset: u64,
    },
    /// The bytes are no text.
    Binary(BinaryKind),
    /// The bytes are text in none of the encodings that compete.
    Unknown,
}

/// A kind of binary data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the names are the names of the formats")]
pub enum BinaryKind {
    Jpeg,
    Png,
    Gif,
    WebP,
    Tiff,
    Icon,
    Pdf,
    Zip,
    Gzip,
    Bzip2,
    Xz,
    Zstandard,
    SevenZip,
    Rar,
    Elf,
    MachO,
    WindowsExecutable,
    JavaClass,
    WebAssembly,
    Sqlite,
    Woff,
    Font,
    Mp3,
    Mp4,
    Ogg,
    Flac,
    Wave,
    Avi,
    Matroska,
    OleDocument,
    /// No known format begins like this, but no text has such bytes.
    Other,
}

/// An encoding that a text can be in.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    pub(crate) name: &'static str,
    pub(crate) encoding: Option<Name>,
    pub(crate) language: Option<&'static str>,
    pub(crate) probability: f32,
    pub(crate) group: usize,
    pub(crate) evidence: Vec<u64>,
}

impl Detection {
    /// A verdict that follows from the structure of the bytes.
    pub(crate) const fn structural(verdict: Verdict, candidates: Vec<Candidate>) -> Self {
        Detection { verdict, candidates, margin: None, knows_language: true }
    }

    /// What the text is.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The encodings that the text can be in, the most probable first. Candidates of one group follow each other. There
    /// is none for binary data, and for mixtures.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// The most probable candidate.
    #[must_use]
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first()
    }

    /// The encoding of the most probable candidate. `None` if there is no candidate, or if the Standard does not have
    /// its encoding.
    #[must_use]
    pub fn encoding(&self) -> Option<Name> {
        self.best()?.encoding
    }

    /// How much better the text of the first group fits than the text of the next group: the difference between the
    /// logarithms of their likelihoods, in nats. The [probability](Candidate::probability) follows from it and from
    /// [`knows_language`](Self::knows_language). `None` if there is no next group.
    #[must_use]
    pub const fn margin(&self) -> Option<f32> {
        self.margin
    }

    /// Whether the words of the text are like those of the language of the best candidate. If they are not, the text is
    /// in a language that the model does not have, such as Georgian, and mostly in an encoding that does not compete.
    /// `true` also where the best candidate has no language.
    #[must_use]
    pub const fn knows_language(&self) -> bool {
        self.knows_language
    }

    /// The version of the model that the answer comes from: [`MODEL_VERSION`].
    #[must_use]
    pub const fn model_version(&self) -> u32 {
        MODEL_VERSION
    }
}

impl Candidate {
    /// The name of the encoding. The names of the Standard's encodings are those of the Standard.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The encoding in the Standard; `None` for UTF-32, UTF-7, HZ, ISO-2022-KR and ISO-2022-CN.
    #[must_use]
    pub const fn encoding(&self) -> Option<Name> {
        self.encoding
    }

    /// The language as a code of BCP 47. `None` if the answer does not depend on a language.
    #[must_use]
    pub const fn language(&self) -> Option<&'static str> {
        self.language
    }

    /// The probability that this candidate gives the right text. All candidates of a group have the same one.
    #[must_use]
    pub const fn probability(&self) -> f32 {
        self.probability
    }

    /// The number of the group: 0 for the best candidate and all others that give the same text, 1 for those that give
    /// the next text, and so on.
    #[must_use]
    pub const fn group(&self) -> usize {
        self.group
    }

    /// The offsets of the bytes that speak most for this candidate and against the next group, the strongest first. At
    /// most eight, and none for candidates of other groups than the first.
    #[must_use]
    pub fn evidence(&self) -> &[u64] {
        &self.evidence
    }
}
