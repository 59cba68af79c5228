//! The names of the charsets, in namespaces.

use core::cmp::Ordering;

use crate::Charset;
use crate::generated;

/// Whose name it is. The same name can mean another table to others: IANA's `ISO-8859-1` is no label of the Standard's
/// windows-1252, and `IBM278` has two other characters in glibc than in Java.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Names {
    /// The names of iconv in glibc.
    Glibc,
    /// The names in the registry of IANA.
    Iana,
    /// The names of codecs in Python.
    Python,
    /// The names of `java.nio.charset.Charset`.
    Java,
}

impl Names {
    /// All namespaces.
    pub const ALL: [Names; 4] = [Names::Glibc, Names::Iana, Names::Python, Names::Java];

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The names of the charsets of a family. A name is a place in `ends`.
#[derive(Debug)]
pub(crate) struct NameTable {
    pub(crate) charsets_of_family: &'static [Charset],
    /// The names, one after the other, sorted without regard to case.
    pub(crate) text: &'static str,
    /// The end of each name in `text`.
    pub(crate) ends: &'static [u16],
    /// The place of each name's charset in the family.
    pub(crate) charsets: &'static [u8],
    /// One bit for each namespace that has the name.
    pub(crate) namespaces: &'static [u8],
    /// The preferred name of each charset in each namespace, or [`NameTable::NONE`].
    pub(crate) preferred: &'static [[u16; Names::ALL.len()]],
    /// Code page numbers, and the places of their charsets in the family.
    pub(crate) code_pages: &'static [(u16, u8)],
}

/// The tables of the enabled families.
pub(crate) fn tables() -> impl Iterator<Item = &'static NameTable> + Clone {
    let tables: [Option<&'static NameTable>; 10] = [
        #[cfg(feature = "dos")]
        Some(&generated::dos::NAMES),
        #[cfg(not(feature = "dos"))]
        None,
        #[cfg(feature = "ebcdic")]
        Some(&generated::ebcdic::NAMES),
        #[cfg(not(feature = "ebcdic"))]
        None,
        #[cfg(feature = "windows")]
        Some(&generated::windows::NAMES),
        #[cfg(not(feature = "windows"))]
        None,
        #[cfg(feature = "iso")]
        Some(&generated::iso::NAMES),
        #[cfg(not(feature = "iso"))]
        None,
        #[cfg(feature = "mac")]
        Some(&generated::mac::NAMES),
        #[cfg(not(feature = "mac"))]
        None,
        #[cfg(feature = "unicode")]
        Some(&generated::unicode::NAMES),
        #[cfg(not(feature = "unicode"))]
        None,
        #[cfg(feature = "east-asian")]
        Some(&generated::east_asian::NAMES),
        #[cfg(not(feature = "east-asian"))]
        None,
        #[cfg(feature = "ebcdic-east-asian")]
        Some(&generated::ebcdic_east_asian::NAMES),
        #[cfg(not(feature = "ebcdic-east-asian"))]
        None,
        #[cfg(feature = "regional")]
        Some(&generated::regional::NAMES),
        #[cfg(not(feature = "regional"))]
        None,
        #[cfg(feature = "others")]
        Some(&generated::others::NAMES),
        #[cfg(not(feature = "others"))]
        None,
    ];
    tables.into_iter().flatten()
}

impl NameTable {
    /// The entry of `preferred` for a charset without a name in the namespace.
    pub(crate) const NONE: u16 = u16::MAX;

    /// The name at `place`.
    fn name(&self, place: usize) -> Option<&'static str> {
        let start = match place.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.text.get(start.into()..usize::from(*self.ends.get(place)?))
    }

    /// The charset that `names` calls `name`.
    pub(crate) fn look_up(&self, name: &str, names: Names) -> Option<Charset> {
        if names == Names::Python {
            // Python's names need not be sorted by the folded form, so all of them are compared.
            let is = |&place: &usize| {
                self.namespaces[place] & names.bit() != 0
                    && self.name(place).is_some_and(|known| known.bytes().map(python).eq(name.bytes().map(python)))
            };
            return self.charset((0..self.ends.len()).find(is)?);
        }
        let (mut low, mut high) = (0, self.ends.len());
        while low < high {
            let middle = (low + high) / 2;
            match compare(self.name(middle)?, name) {
                Ordering::Less => low = middle + 1,
                _ => high = middle,
            }
        }
        // Namespaces may call different charsets by one name, and one charset in different case.
        let equal = (low..self.ends.len())
            .take_while(|&place| self.name(place).is_some_and(|known| compare(known, name) == Ordering::Equal));
        let mut of_namespace = equal.filter(|&place| self.namespaces[place] & names.bit() != 0);
        self.charset(of_namespace.next()?)
    }

    /// The charset of the name at `place`.
    fn charset(&self, place: usize) -> Option<Charset> {
        self.charsets_of_family.get(usize::from(*self.charsets.get(place)?)).copied()
    }

    pub(crate) fn for_code_page(&self, code_page: u16) -> Option<Charset> {
        let place = self.code_pages.binary_search_by_key(&code_page, |&(number, _)| number).ok()?;
        self.charsets_of_family.get(usize::from(self.code_pages[place].1)).copied()
    }

    pub(crate) fn code_pages(&self, charset: Charset) -> impl Iterator<Item = u16> + Clone + use<> {
        let place = self.place(charset);
        self.code_pages.iter().filter(move |(_, of)| Some(usize::from(*of)) == place).map(|&(number, _)| number)
    }

    pub(crate) fn names(
        &'static self,
        charset: Charset,
        names: Names,
    ) -> impl Iterator<Item = &'static str> + Clone + use<> {
        let place = self.place(charset);
        let preferred = place.and_then(|place| Some(usize::from(self.preferred.get(place)?[names as usize])));
        let is = move |&at: &usize| {
            Some(usize::from(self.charsets[at])) == place
                && self.namespaces[at] & names.bit() != 0
                && Some(at) != preferred
        };
        let others = (0..self.ends.len()).filter(is);
        preferred.into_iter().chain(others).filter_map(|place| self.name(place))
    }

    /// The place of `charset` in the family.
    fn place(&self, charset: Charset) -> Option<usize> {
        self.charsets_of_family.iter().position(|of_family| *of_family == charset)
    }
}

/// Compares names without regard to case.
fn compare(first: &str, second: &str) -> Ordering {
    first.bytes().map(|byte| byte.to_ascii_uppercase()).cmp(second.bytes().map(|byte| byte.to_ascii_uppercase()))
}

/// A byte of a name as Python compares it.
fn python(byte: u8) -> u8 {
    match byte {
        b'-' | b' ' => b'_',
        byte => byte.to_ascii_lowercase(),
    }
}
