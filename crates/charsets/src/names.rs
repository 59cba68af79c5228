//! The names of the charsets, in namespaces.

use crate::{Charset, Facts, generated};

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

/// The names of the charsets of a family, and the charsets. The number of a charset is its place among the pages, or
/// among the others plus the number of pages.
pub(crate) struct NameTable {
    /// The single-byte charsets.
    pub(crate) pages: Option<&'static Facts>,
    /// The charsets whose codecs are written by hand.
    pub(crate) others: &'static [Charset],
    /// The names, one after the other, sorted without regard to case; and then the own names that are not among them.
    pub(crate) text: &'static str,
    /// Where each name whose number is a multiple of [`NameTable::STEP`] starts in `text`.
    pub(crate) starts: &'static [u16],
    /// The length of each name in `text`.
    pub(crate) lengths: &'static [u8],
    /// The number of each name's charset.
    pub(crate) charsets: &'static [u8],
    /// One bit for each namespace that has the name, and from [`NameTable::PREFERRED`] on one for each namespace whose
    /// preferred name it is.
    pub(crate) namespaces: &'static [u8],
    /// Where the own name of each page starts in `text`, as two bytes, the lower one first, and its length.
    pub(crate) own: &'static [[u8; 3]],
    /// Code page numbers, as two bytes, the lower one first, and the numbers of their charsets.
    pub(crate) code_pages: &'static [[u8; 3]],
}

/// The tables of the enabled families.
pub(crate) fn tables() -> impl Iterator<Item = &'static NameTable> + Clone {
    let tables: [Option<&'static NameTable>; 12] = [
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
        #[cfg(feature = "libraries")]
        Some(&generated::libraries::NAMES),
        #[cfg(not(feature = "libraries"))]
        None,
        #[cfg(feature = "telematic")]
        Some(&generated::telematic::NAMES),
        #[cfg(not(feature = "telematic"))]
        None,
        #[cfg(feature = "others")]
        Some(&generated::others::NAMES),
        #[cfg(not(feature = "others"))]
        None,
    ];
    tables.into_iter().flatten()
}

/// A name of a charset.
#[derive(Clone, Copy)]
struct Entry {
    name: &'static str,
    charset: u8,
    namespaces: u8,
}

/// The number in the first two bytes of an entry.
fn number_of(&[lower, upper, _]: &[u8; 3]) -> u16 {
    u16::from_le_bytes([lower, upper])
}

impl NameTable {
    /// The factor of the bits for preferred names.
    const PREFERRED: u8 = 1 << Names::ALL.len();

    /// A look-up searches the names at [`starts`](Self::starts) by bisection, and then at most so many others: 139
    /// places of two bytes in all families, in place of 2,164.
    const STEP: usize = 16;

    /// All names, in their order.
    fn entries(&self) -> impl Iterator<Item = Entry> + Clone + use<> {
        self.entries_from(0)
    }

    /// The names from a start on, in their order.
    fn entries_from(&self, start: usize) -> impl Iterator<Item = Entry> + Clone + use<> {
        let text = self.starts.get(start).and_then(|&at| self.text.get(at.into()..));
        let mut rest = text.unwrap_or_default();
        let numbers = self.charsets.iter().zip(self.namespaces);
        self.lengths.iter().zip(numbers).skip(start * Self::STEP).map_while(
            move |(&length, (&charset, &namespaces))| {
                let (name, others) = rest.split_at_checked(length.into())?;
                rest = others;
                Some(Entry { name, charset, namespaces })
            },
        )
    }

    /// The name of page `number` in this crate.
    pub(crate) fn own_name(&self, number: u8) -> &'static str {
        let name = self.own.get(usize::from(number)).and_then(|own| {
            let start = usize::from(number_of(own));
            self.text.get(start..start + usize::from(own[2]))
        });
        name.unwrap_or_default()
    }

    /// The number of pages.
    fn count(&self) -> usize {
        self.pages.map_or(0, |facts| facts.flags.len())
    }

    pub(crate) fn charsets_of_family(&self) -> impl Iterator<Item = Charset> + Clone + use<> {
        let pages = self
            .pages
            .into_iter()
            .flat_map(|facts| (0..=u8::MAX).zip(facts.flags).map(move |(number, _)| Charset::new(facts, number)));
        pages.chain(self.others.iter().copied())
    }

    /// The charset that `names` calls `name`, which is in capitals.
    fn look_up(&self, name: &[u8], names: Names) -> Option<Charset> {
        let order = |entry: &Entry| {
            let bytes = entry.name.bytes().map(|byte| byte.to_ascii_uppercase());
            bytes.cmp(name.iter().copied())
        };
        // The last start before the name. A name that equals the one at a start can be before it, too.
        let (mut first, mut after) = (0, self.starts.len());
        while after - first > 1 {
            let middle = first + (after - first) / 2;
            let is_before = self.entries_from(middle).next().is_some_and(|entry| order(&entry).is_lt());
            if is_before { first = middle } else { after = middle }
        }
        // Namespaces may call different charsets by one name, and one charset in different case.
        let from_name = self.entries_from(first).skip_while(|entry| order(entry).is_lt());
        let mut equal = from_name.take_while(|entry| order(entry).is_eq());
        self.charset(equal.find(|entry| entry.namespaces & names.bit() != 0)?.charset)
    }

    /// The names of `names`, with their charsets.
    pub(crate) fn all_names(
        &'static self,
        names: Names,
    ) -> impl Iterator<Item = (&'static str, Charset)> + Clone + use<> {
        let entries = self.entries().filter(move |entry| entry.namespaces & names.bit() != 0);
        entries.filter_map(|entry| Some((entry.name, self.charset(entry.charset)?)))
    }

    /// The charset with this number.
    fn charset(&self, number: u8) -> Option<Charset> {
        match (usize::from(number).checked_sub(self.count()), self.pages) {
            (None, Some(facts)) => Some(Charset::new(facts, number)),
            (place, _) => self.others.get(place?).copied(),
        }
    }

    pub(crate) fn for_code_page(&self, code_page: u16) -> Option<Charset> {
        let place = self.code_pages.binary_search_by_key(&code_page, number_of).ok()?;
        self.charset(self.code_pages[place][2])
    }

    pub(crate) fn code_pages(&self, charset: Charset) -> impl Iterator<Item = u16> + Clone + use<> {
        let number = self.number(charset);
        self.code_pages.iter().filter(move |[.., of]| Some(usize::from(*of)) == number).map(number_of)
    }

    pub(crate) fn names(
        &'static self,
        charset: Charset,
        names: Names,
    ) -> impl Iterator<Item = &'static str> + Clone + use<> {
        let number = self.number(charset);
        // Without names, there is nothing to look for.
        let entries = number
            .into_iter()
            .flat_map(|number| self.entries().filter(move |entry| usize::from(entry.charset) == number));
        let is_preferred = move |entry: &Entry| entry.namespaces & (names.bit() * Self::PREFERRED) != 0;
        let others = entries.clone().filter(move |entry| entry.namespaces & names.bit() != 0 && !is_preferred(entry));
        entries.filter(is_preferred).chain(others).map(|entry| entry.name)
    }

    /// The number of `charset` in the family.
    fn number(&self, charset: Charset) -> Option<usize> {
        self.charsets_of_family().position(|of_family| of_family == charset)
    }
}

/// The greatest length of a name in bytes.
const LONGEST: usize = 64;

/// The charset that `names` calls `name` and `end` together, in an enabled family.
pub(crate) fn look_up(name: &str, end: &str, names: Names) -> Option<Charset> {
    // Python's names have underscores in the tables.
    let fold = if names == Names::Python { python } else { |byte: u8| byte.to_ascii_uppercase() };
    let mut folded = [0; LONGEST];
    let length = name.len() + end.len();
    let folded = folded.get_mut(..length)?;
    for (to, byte) in folded.iter_mut().zip(name.bytes().chain(end.bytes())) {
        *to = fold(byte);
    }
    tables().find_map(|table| table.look_up(folded, names))
}

/// A byte of a name as Python compares it.
fn python(byte: u8) -> u8 {
    match byte {
        b'-' | b' ' => b'_',
        byte => byte.to_ascii_uppercase(),
    }
}

#[cfg(all(test, feature = "all"))]
mod tests {
    extern crate std;

    use std::vec::Vec;

    /// No look-up reads some entries, such as starts, which only save time. New names change the digest.
    #[test]
    fn every_entry_of_the_generated_tables_has_the_value_of_the_generator() {
        let tables: Vec<_> = super::tables()
            .map(|table| {
                let super::NameTable { others, text, starts, lengths, charsets, namespaces, own, code_pages, .. } =
                    table;
                ((others, text, starts, lengths), (charsets, namespaces, own, code_pages))
            })
            .collect();
        textcodec_core::testing::check_digests(&[(&tables, 0xB1EA_E499_B2C9_FFD6)]);
    }
}
