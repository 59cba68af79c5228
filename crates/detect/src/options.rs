//! What a caller knows about a text.

use textcodec_core::Name;

use crate::candidates::{self, LanguageSet};

/// What the caller knows about a text: nothing, by default.
///
/// ```
/// use textcodec_detect::{Name, Options, detect_with};
///
/// let options = Options::new().among([Name::Koi8R, Name::Ibm866]);
/// let detection = detect_with(b"\xF0\xD2\xC9\xD7\xC5\xD4", &options);
/// assert_eq!(detection.encoding(), Some(Name::Koi8R));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    pub(crate) among: Option<Names>,
    excluded: Names,
    pub(crate) languages: LanguageSet,
    pub(crate) platform: Option<Platform>,
    pub(crate) declared: Names,
    pub(crate) starts_mid_stream: bool,
    pub(crate) ends_mid_stream: bool,
    /// The tiers that compete beside the Standard's encodings, as bits.
    tiers: u8,
    /// The encodings of tiers that `among` names, as bits by their numbers.
    #[cfg(feature = "charsets")]
    pub(crate) among_charsets: u32,
}

/// The system that a text comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Platform {
    /// Windows and its code pages.
    Windows,
    /// Classic Mac OS: macintosh and x-mac-cyrillic.
    Mac,
    /// Unix: ISO-8859, KOI8 and EUC.
    Unix,
    /// DOS: IBM866.
    Dos,
}

/// The encodings that compete.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
#[non_exhaustive]
pub enum Tier {
    /// The encodings of the Encoding Standard, and UTF-32, UTF-7, HZ, ISO-2022-KR and ISO-2022-CN by their structure.
    #[default]
    Standard,
    /// Code pages of DOS: IBM437, IBM850, IBM852 and 14 others.
    #[cfg(feature = "charsets")]
    Dos,
    /// Character sets of the classic Mac OS: Central European, Greek, Turkish and seven others.
    #[cfg(feature = "charsets")]
    Mac,
    /// Code pages of mainframes: IBM037, IBM1047, IBM500 and 15 others. The first 4 KB of a text decide.
    #[cfg(feature = "charsets")]
    Ebcdic,
    /// Johab, the encoding of Korean that has all syllables.
    #[cfg(feature = "charsets")]
    Johab,
    /// VISCII and TCVN 5712-1, which have a byte for each letter of Vietnamese.
    #[cfg(feature = "charsets")]
    Vietnamese,
}

impl Tier {
    /// The bit of the tier. The Standard's encodings always compete.
    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of names.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Names(u64);

impl Names {
    pub(crate) fn insert(&mut self, name: Name) {
        self.0 |= 1 << name as u8;
    }

    pub(crate) const fn contains(self, name: Name) -> bool {
        self.0 >> name as u8 & 1 == 1
    }
}

impl FromIterator<Name> for Names {
    fn from_iter<I: IntoIterator<Item = Name>>(names: I) -> Self {
        let mut set = Names::default();
        names.into_iter().for_each(|name| set.insert(name));
        set
    }
}

impl Options {
    /// Nothing is known.
    #[must_use]
    pub const fn new() -> Self {
        Options {
            among: None,
            excluded: Names(0),
            languages: 0,
            platform: None,
            declared: Names(0),
            starts_mid_stream: false,
            ends_mid_stream: false,
            tiers: 0,
            #[cfg(feature = "charsets")]
            among_charsets: 0,
        }
    }

    /// Only these encodings compete. An encoding without a model competes by its errors and control characters.
    #[must_use]
    pub fn among(mut self, names: impl IntoIterator<Item = Name>) -> Self {
        self.among = Some(names.into_iter().collect());
        self
    }

    /// Only these charsets, and the encodings that [`Options::among`] names, compete. A charset that is in no [`Tier`]
    /// has no model and does not compete.
    ///
    /// ```
    /// use textcodec_charsets::dos::{IBM437, IBM850, IBM852};
    /// use textcodec_detect::{Options, detect_with};
    ///
    /// let options = Options::new().among_charsets([IBM437, IBM850, IBM852]);
    /// let detection = detect_with(b"\xA7lu\x9Cou\x9Fk\xEC k\x85\xE5 \xA3p\xD8l \xD4\xA0belsk\x82 \xA2dy", &options);
    /// assert_eq!(detection.best().unwrap().name(), "IBM852");
    /// ```
    #[cfg(feature = "charsets")]
    #[must_use]
    pub fn among_charsets(mut self, charsets: impl IntoIterator<Item = textcodec_charsets::Charset>) -> Self {
        self.among.get_or_insert_default();
        let numbers = charsets.into_iter().filter_map(crate::tiers::number);
        numbers.for_each(|number| self.among_charsets |= 1 << number);
        self
    }

    /// These encodings do not compete.
    #[must_use]
    pub fn exclude(mut self, names: impl IntoIterator<Item = Name>) -> Self {
        names.into_iter().for_each(|name| self.excluded.insert(name));
        self
    }

    /// The text is probably in the language with this code of BCP 47, for example `"de"` or `"zh-Hant"`. Several calls
    /// name several languages. A code that the model does not have changes nothing.
    #[must_use]
    pub fn language(mut self, code: &str) -> Self {
        self.languages |= candidates::language(code);
        self
    }

    /// The text is from a host with this top-level domain, for example `"ru"`, so it is probably in the languages of
    /// that country. A domain of no country changes nothing.
    #[must_use]
    pub fn top_level_domain(mut self, domain: &str) -> Self {
        self.languages |= candidates::languages_of_domain(domain);
        self
    }

    /// The text was probably written on this platform.
    #[must_use]
    pub fn platform(mut self, platform: Platform) -> Self {
        self.platform = Some(platform);
        self
    }

    /// Something says that the text is in the encoding with this label. That is evidence, not an order. A label that is
    /// no label of the Standard changes nothing.
    #[must_use]
    pub fn declared(mut self, label: &str) -> Self {
        if let Ok(name) = Name::for_label(label.as_bytes()) {
            self.declared.insert(name);
        }
        self
    }

    /// The first byte may be inside of a character, because the start of the text is missing.
    #[must_use]
    pub fn starts_mid_stream(mut self, is_so: bool) -> Self {
        self.starts_mid_stream = is_so;
        self
    }

    /// The last byte may be inside of a word, because the end of the text is missing. An incomplete character at the
    /// end never counts as an error.
    #[must_use]
    pub fn ends_mid_stream(mut self, is_so: bool) -> Self {
        self.ends_mid_stream = is_so;
        self
    }

    /// The encodings of this tier compete, too. Several calls add several tiers.
    #[must_use]
    pub fn tier(mut self, tier: Tier) -> Self {
        self.tiers |= tier.bit();
        self
    }

    /// Whether the encodings of a tier compete.
    #[cfg(feature = "charsets")]
    pub(crate) const fn has_tier(&self, tier: Tier) -> bool {
        self.tiers & tier.bit() != 0
    }

    /// Whether an encoding competes.
    pub(crate) fn allows(&self, name: Name) -> bool {
        self.among.is_none_or(|among| among.contains(name)) && !self.excluded.contains(name)
    }

    /// Whether an encoding that is not in the Standard can be the answer.
    pub(crate) const fn allows_others(&self) -> bool {
        self.among.is_none()
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn an_encoding_competes_if_it_is_named_and_not_excluded() {
        for name in Name::ALL {
            let other = if name == Name::Gbk { Name::Big5 } else { Name::Gbk };
            assert!(Options::new().allows(name) && Options::new().allows_others());
            let among = Options::new().among([name]);
            assert_eq!(
                (among.allows(name), among.allows(other), among.allows_others()),
                (true, false, false),
                "{name:?}"
            );
            let without = Options::new().exclude([name]);
            assert_eq!((without.allows(name), without.allows(other), without.allows_others()), (false, true, true));
            assert!(!Options::new().among([name, other]).exclude([name]).allows(name));
            // The last names count, and exclusions add up.
            assert!(!Options::new().among([name]).among([other]).allows(name));
            let both = Options::new().exclude([name]).exclude([other]);
            assert_eq!((both.allows(name), both.allows(other)), (false, false));
            let set: Names = [name].into_iter().collect();
            assert_eq!(Name::ALL.into_iter().filter(|&other| set.contains(other)).collect::<Vec<_>>(), [name]);
        }
    }

    #[cfg(feature = "charsets")]
    #[test]
    fn a_tier_competes_if_it_is_named() {
        let tiers = [Tier::Dos, Tier::Mac, Tier::Ebcdic, Tier::Johab, Tier::Vietnamese];
        for tier in tiers {
            let options = Options::new().tier(tier);
            for other in tiers {
                assert_eq!(options.has_tier(other), tier == other, "{tier:?} {other:?}");
                assert!(options.clone().tier(other).has_tier(tier));
            }
        }
    }
}
