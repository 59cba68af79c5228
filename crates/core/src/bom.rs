//! [Byte order marks](https://encoding.spec.whatwg.org/#bom-sniff), and which encodings they belong to.

use core::fmt;

use crate::Name;

/// A byte order mark that [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff) finds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bom {
    /// EF BB BF
    Utf8,
    /// FE FF
    Utf16Be,
    /// FF FE
    Utf16Le,
}

impl Bom {
    /// All three byte order marks.
    pub const ALL: [Bom; 3] = [Bom::Utf8, Bom::Utf16Be, Bom::Utf16Le];

    /// [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff) at the start of a stream: the byte order mark that
    /// `bytes` begin with.
    ///
    /// Three bytes suffice. FF FE 00 00 begins with the byte order mark of UTF-16LE, because UTF-32 is not an encoding
    /// of the Standard.
    #[doc(alias = "for_bom")]
    #[must_use]
    pub fn sniff(bytes: &[u8]) -> Option<Bom> {
        Bom::ALL.into_iter().find(|bom| bytes.starts_with(bom.bytes()))
    }

    /// The bytes of the byte order mark.
    #[must_use]
    pub const fn bytes(self) -> &'static [u8] {
        match self {
            Bom::Utf8 => &[0xEF, 0xBB, 0xBF],
            Bom::Utf16Be => &[0xFE, 0xFF],
            Bom::Utf16Le => &[0xFF, 0xFE],
        }
    }

    /// The name of the encoding that the byte order mark belongs to.
    #[must_use]
    pub const fn name(self) -> Name {
        match self {
            Bom::Utf8 => Name::Utf8,
            Bom::Utf16Be => Name::Utf16Be,
            Bom::Utf16Le => Name::Utf16Le,
        }
    }
}

impl fmt::Display for Bom {
    /// The name of the encoding that the byte order mark belongs to, such as `UTF-16LE`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name().fmt(f)
    }
}
