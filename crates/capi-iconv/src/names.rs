//! From the names of `iconv_open` to tables.

use std::{env, sync::OnceLock};

use textcodec::{
    Encoding,
    charsets::{Charset, Names, unicode},
};

use crate::{libc, short::Cell, table::Table};

/// The table of a name without suffixes; `None` if this library has none. An empty name means the locale's charset.
pub(crate) fn table(name: &str) -> Option<Table> {
    if is_whatwg()
        && let Ok(encoding) = Encoding::for_label(name)
    {
        return Some(Table::of_encoding(encoding));
    }
    // The name "char" and those after it are libiconv's.
    if name.is_empty() || name.eq_ignore_ascii_case("char") {
        return libc::with_charset_of_locale(|name| Index::get().table(name));
    }
    let is_little_endian = cfg!(target_endian = "little");
    let charset = match () {
        () if name.eq_ignore_ascii_case("UCS-4-INTERNAL") && is_little_endian => unicode::UCS_4LE,
        () if name.eq_ignore_ascii_case("UCS-4-INTERNAL") => unicode::UCS_4,
        () if name.eq_ignore_ascii_case("UCS-2-INTERNAL") && is_little_endian => unicode::UCS_2LE,
        () if name.eq_ignore_ascii_case("UCS-2-INTERNAL") => unicode::UCS_2BE,
        () => return Index::get().table(name),
    };
    Some(Table::of_charset(charset))
}

/// Whether the environment asks for the tables of browsers.
fn is_whatwg() -> bool {
    static IS_WHATWG: OnceLock<bool> = OnceLock::new();
    *IS_WHATWG.get_or_init(|| env::var_os("TEXTCODEC_ICONV_WHATWG").is_some_and(|value| value == "1"))
}

/// The names of glibc by their hashes. To look through all names would take 3 µs, ten times as long as `iconv_open` of
/// glibc.
struct Index {
    /// Places in `names`; [`Index::FREE`] for none. The place of a name is at its hash, or in the next free slot.
    slots: [u16; Index::SLOTS],
    names: Vec<(&'static str, Charset)>,
    /// Of each name, the tables for short texts.
    cells: Vec<Cell>,
}

impl Index {
    const FREE: u16 = u16::MAX;
    /// A power of two, and more than twice as many as names.
    const SLOTS: usize = 4096;

    fn get() -> &'static Self {
        static INDEX: OnceLock<Box<Index>> = OnceLock::new();
        INDEX.get_or_init(|| {
            let names = Charset::all_names(Names::Glibc).map(|(name, charset)| (name.trim_end_matches('/'), charset));
            let names: Vec<_> = names.take(2000).collect();
            let cells = names.iter().map(|_| Cell::new()).collect();
            let mut index = Box::new(Index { slots: [Self::FREE; Self::SLOTS], names, cells });
            for (place, (name, _)) in (0..).zip(&index.names) {
                let slot = Self::probe(name).find(|&slot| index.slots[slot] == Self::FREE);
                if let Some(slot) = slot {
                    index.slots[slot] = place;
                }
            }
            index
        })
    }

    /// The slots in which a name can be.
    fn probe(name: &str) -> impl Iterator<Item = usize> + use<> {
        // FNV-1a.
        let hash = name.bytes().fold(0x811C_9DC5_u32, |hash, byte| {
            (hash ^ u32::from(byte.to_ascii_uppercase())).wrapping_mul(0x0100_0193)
        });
        let first = (hash ^ hash >> 15) as usize;
        (0..Self::SLOTS).map(move |step| (first + step) % Self::SLOTS)
    }

    /// The place of a name.
    fn place(&self, name: &str) -> Option<usize> {
        for slot in Self::probe(name) {
            // A free slot leads to no name.
            let place = usize::from(self.slots[slot]);
            if self.names.get(place)?.0.eq_ignore_ascii_case(name) {
                return Some(place);
            }
        }
        None
    }

    #[cfg(test)]
    fn charset(&self, name: &str) -> Option<Charset> {
        self.names.get(self.place(name)?).map(|(_, charset)| *charset)
    }

    fn table(&'static self, name: &str) -> Option<Table> {
        let place = self.place(name)?;
        Some(Table::of_charset(self.names.get(place)?.1).kept_in(self.cells.get(place)?))
    }
}

#[cfg(test)]
mod tests {
    use textcodec::charsets::IconvName;

    use super::*;

    #[test]
    fn the_index_has_every_name_with_the_charset_that_the_charsets_have() {
        let mut count = 0;
        for (name, _) in Charset::all_names(Names::Glibc) {
            let expected = IconvName::parse(name).charset();
            assert!(expected.is_some(), "{name}");
            assert_eq!(Index::get().charset(name.trim_end_matches('/')), expected, "{name}");
            assert_eq!(Index::get().charset(&name.to_lowercase().replace("/", "")).is_some(), !name.contains('/'));
            count += 1;
        }
        assert!((1100..Index::SLOTS / 2).contains(&count), "{count}");
        assert_eq!(Index::get().charset("UTF-9"), None);
    }
}
