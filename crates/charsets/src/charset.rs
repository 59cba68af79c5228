//! Charsets as values.

use core::{
    fmt,
    hash::{Hash, Hasher},
};

#[cfg(feature = "encode")]
use textcodec_core::EncoderHalf;
use textcodec_core::{Bom, Codec, Handle};

#[cfg(feature = "encode")]
use crate::Encoder;
use crate::{
    Decoder, Names,
    names::{self, NameTable},
    single_byte::LINE_FEED,
};

/// A charset: a name of this crate, and the functions and tables for it.
///
/// Two charsets are equal if they have one name. Charsets of two names can have equal tables.
#[doc(alias = "iconv")]
#[derive(Clone, Copy)]
pub struct Charset {
    facts: &'static Facts,
    /// The number of the charset among those with the same facts, and the bit [`LINE_FEED`].
    selector: u8,
}

/// What is known about one charset or several. Single-byte charsets of a family share their facts, so that a program
/// that looks up names has no facts for each charset. A program that names a charset has facts for it alone.
pub(crate) struct Facts {
    pub(crate) family: Family,
    pub(crate) names: OwnNames,
    /// The codecs to which `flags` lead. The [selector](Handle::selector) says which charset of a codec is meant.
    pub(crate) codecs: &'static [&'static Codec],
    /// For each charset, in the bits 0 and 1 the place of its codec, and in bit 2 whether byte 15 is U+0085 and 25 a
    /// line feed.
    pub(crate) flags: &'static [u8],
}

/// The names of charsets in this crate.
pub(crate) enum OwnNames {
    One(&'static str),
    /// Those of the charsets of a family.
    Table(&'static NameTable),
}

impl Facts {
    /// The facts about one charset whose codec is written by hand.
    pub(crate) const fn of_codec(name: &'static str, family: Family, codecs: &'static [&'static Codec; 1]) -> Self {
        Facts { family, names: OwnNames::One(name), codecs, flags: &[0] }
    }
}

/// A family of charsets: a module and a feature of this crate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Family {
    /// Code pages of DOS and OS/2.
    Dos,
    /// Code pages of mainframes.
    Ebcdic,
    /// Code pages of Windows.
    Windows,
    /// US-ASCII, ISO 646 and ISO 8859.
    Iso,
    /// Character sets of the classic Mac OS.
    Mac,
    /// Forms of Unicode.
    Unicode,
    /// Charsets of Chinese, Japanese and Korean.
    EastAsian,
    /// Code pages of mainframes for Chinese, Japanese and Korean.
    EbcdicEastAsian,
    /// Character sets of countries, standards bodies and makers of computers.
    Regional,
    /// Character sets of libraries, of genealogy, and of short messages.
    Libraries,
    /// Character sets of telematic services, such as Teletex and Videotex.
    Telematic,
    /// The other charsets that glibc has.
    Others,
}

impl Family {
    /// The name of the feature, for example `"dos"`. The module has underscores in place of hyphens.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Family::Dos => "dos",
            Family::Ebcdic => "ebcdic",
            Family::Windows => "windows",
            Family::Iso => "iso",
            Family::Mac => "mac",
            Family::Unicode => "unicode",
            Family::EastAsian => "east-asian",
            Family::EbcdicEastAsian => "ebcdic-east-asian",
            Family::Regional => "regional",
            Family::Libraries => "libraries",
            Family::Telematic => "telematic",
            Family::Others => "others",
        }
    }
}

impl Charset {
    pub(crate) const fn new(facts: &'static Facts, number: u8) -> Self {
        Charset { facts, selector: number }
    }

    /// The place of the charset among those with the same facts.
    const fn number(self) -> u8 {
        self.selector & !LINE_FEED
    }

    /// The name in this crate, which is glibc's name if glibc has the charset. It is unique.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.facts.names {
            OwnNames::One(name) => name,
            OwnNames::Table(names) => names.own_name(self.number()),
        }
    }

    /// The family.
    #[must_use]
    pub const fn family(self) -> Family {
        self.facts.family
    }

    /// The functions, tables and facts. Charsets can share a codec: [`Handle::selector`] tells them apart.
    #[must_use]
    pub const fn codec(self) -> &'static Codec {
        self.facts.codecs[(self.facts.flags[self.number() as usize] & 3) as usize]
    }

    /// This code page of EBCDIC with the bytes 15 and 25 exchanged, so that 15, which ends lines on many mainframes, is
    /// the line feed U+000A, and 25 is U+0085. `None` if the charset has other characters there.
    ///
    /// The result has the same [name](Self::name). No name leads to it.
    ///
    /// ```
    /// use textcodec_charsets::ebcdic::IBM1047;
    ///
    /// let charset = IBM1047.with_line_feed_at_15().unwrap();
    /// assert_eq!(IBM1047.decode(b"\xC1\x15\xC2").0, "A\u{85}B");
    /// assert_eq!(charset.decode(b"\xC1\x15\xC2").0, "A\nB");
    /// assert_eq!(charset.encode_or_fail("A\nB").unwrap(), b"\xC1\x15\xC2");
    /// ```
    #[cfg(feature = "line-feeds")]
    #[must_use]
    pub const fn with_line_feed_at_15(self) -> Option<Charset> {
        if self.selector & LINE_FEED == 0 && self.facts.flags[self.selector as usize] & 4 != 0 {
            Some(Charset { selector: self.selector | LINE_FEED, ..self })
        } else {
            None
        }
    }

    /// All charsets of the enabled families.
    pub fn all() -> impl Iterator<Item = Charset> + Clone {
        names::tables().flat_map(NameTable::charsets_of_family)
    }

    /// All names that `names` has, with their charsets, of the enabled families: for an index of one's own.
    #[doc(hidden)]
    pub fn all_names(names: Names) -> impl Iterator<Item = (&'static str, Charset)> + Clone {
        names::tables().flat_map(move |table| table.all_names(names))
    }

    /// The charset that `names` calls `name`, in an enabled family. The case of ASCII letters is ignored; in Python's
    /// names, hyphens, spaces and underscores are equal, too.
    ///
    /// ```
    /// use textcodec_charsets::{Charset, Names};
    ///
    /// let mac = |names| Charset::for_name("macintosh", names).map(Charset::name);
    /// assert_eq!(mac(Names::Iana), Some("MACROMAN"));
    /// // glibc has two other characters than Apple.
    /// assert_eq!(mac(Names::Glibc), Some("MACINTOSH"));
    /// assert_eq!(mac(Names::Java), None);
    /// ```
    #[must_use]
    pub fn for_name(name: &str, names: Names) -> Option<Charset> {
        names::look_up(name, "", names)
    }

    /// The charset of a code page of IBM or Windows, in an enabled family. Numbers above 9,999 are those of Windows.
    #[must_use]
    pub fn for_code_page(code_page: u16) -> Option<Charset> {
        names::tables().find_map(|table| table.for_code_page(code_page))
    }

    /// The numbers of the code pages that this charset is.
    pub fn code_pages(self) -> impl Iterator<Item = u16> + Clone {
        names::tables().flat_map(move |table| table.code_pages(self))
    }

    /// The names that `names` has for this charset. The preferred name comes first.
    pub fn names(self, names: Names) -> impl Iterator<Item = &'static str> + Clone {
        names::tables().flat_map(move |table| table.names(self, names))
    }

    /// A decoder. A byte order mark has no meaning in these charsets.
    #[must_use]
    pub const fn new_decoder(self) -> Decoder {
        Decoder::new(self)
    }

    /// An encoder; `None` if this charset can only be decoded.
    ///
    /// In [`EncodeErrorMode::Html`](crate::EncodeErrorMode::Html) a character reference has the bytes of this charset,
    /// such as 50 for `&` in EBCDIC, and two bytes for each character in UCS-2. Where the charset lacks a character of
    /// the reference, such as the number sign in `BS_4730`, the encoder stops at the unmappable character.
    #[cfg(feature = "encode")]
    #[must_use]
    pub fn new_encoder(self) -> Option<Encoder> {
        Encoder::new(self)
    }
}

impl Handle for Charset {
    fn codec(self) -> &'static Codec {
        Charset::codec(self)
    }

    #[cfg(feature = "encode")]
    #[inline]
    fn encoder(self) -> Option<&'static EncoderHalf> {
        Charset::codec(self).encoder()
    }

    #[inline]
    fn selector(self) -> u8 {
        self.selector
    }

    fn of_bom(_: Bom) -> Option<Self> {
        None
    }
}

impl PartialEq for Charset {
    fn eq(&self, other: &Self) -> bool {
        self.selector & LINE_FEED == other.selector & LINE_FEED && self.name() == other.name()
    }
}

impl Eq for Charset {}

impl Hash for Charset {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.selector & LINE_FEED, self.name()).hash(state);
    }
}

impl fmt::Debug for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Charset({})", self.name())
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
