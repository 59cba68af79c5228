//! Encodings beyond the Standard, with the tables of `textcodec-charsets`.

use alloc::vec::Vec;

use textcodec_charsets::{Charset, DecodeErrorMode, dos, mac, regional};

use crate::{
    Options, Tier,
    candidates::{self, BALTIC, CENTRAL, CYRILLIC, LanguageSet, Member, WESTERN},
    classes::Symbol,
    languages::Script,
    model,
    vietnamese::Toned,
};

/// An encoding of a tier.
struct Extra {
    charset: Charset,
    tier: Tier,
    price: u8,
    languages: LanguageSet,
    script: Script,
}

impl Extra {
    const fn new(charset: Charset, tier: Tier, price: u8, codes: &str) -> Self {
        let languages = candidates::set(codes);
        let script = model::LANGUAGES[languages.trailing_zeros() as usize].script;
        Extra { charset, tier, price, languages, script }
    }
}

const NORTHERN: &str = "de da nb sv fi";

/// The encodings of all tiers. If two give the same text, the first one is the answer.
static EXTRAS: [Extra; 29] = [
    Extra::new(dos::IBM850, Tier::Dos, 8, WESTERN),
    Extra::new(dos::IBM437, Tier::Dos, 9, "en de fr es it nl sv fi ca"),
    Extra::new(dos::IBM852, Tier::Dos, 8, CENTRAL),
    Extra::new(dos::CP737, Tier::Dos, 8, "el"),
    Extra::new(dos::IBM857, Tier::Dos, 8, "tr"),
    Extra::new(dos::IBM855, Tier::Dos, 10, CYRILLIC),
    Extra::new(dos::CP775, Tier::Dos, 9, BALTIC),
    Extra::new(dos::IBM862, Tier::Dos, 9, "he"),
    Extra::new(dos::CP720, Tier::Dos, 9, "ar"),
    Extra::new(dos::IBM860, Tier::Dos, 12, "pt"),
    Extra::new(dos::IBM865, Tier::Dos, 12, NORTHERN),
    Extra::new(dos::IBM861, Tier::Dos, 12, "is"),
    Extra::new(dos::IBM863, Tier::Dos, 13, "fr"),
    Extra::new(dos::IBM869, Tier::Dos, 13, "el"),
    Extra::new(dos::CP1125, Tier::Dos, 12, "uk ru"),
    Extra::new(dos::MIK, Tier::Dos, 13, "bg ru"),
    Extra::new(dos::IBM858, Tier::Dos, 14, WESTERN),
    Extra::new(mac::MAC_CENTRALEUROPE, Tier::Mac, 10, "cs pl hu sk sl et lt lv"),
    Extra::new(mac::MACGREEK, Tier::Mac, 10, "el"),
    Extra::new(mac::MACTURKISH, Tier::Mac, 10, "tr"),
    Extra::new(mac::MACCROATIAN, Tier::Mac, 11, "hr sl"),
    Extra::new(mac::MACROMANIAN, Tier::Mac, 11, "ro"),
    Extra::new(mac::MACICELAND, Tier::Mac, 12, "is"),
    Extra::new(mac::MACHEBREW, Tier::Mac, 11, "he"),
    Extra::new(mac::MACARABIC, Tier::Mac, 11, "ar"),
    Extra::new(mac::MACFARSI, Tier::Mac, 12, "fa"),
    Extra::new(mac::MACTHAI, Tier::Mac, 11, "th"),
    Extra::new(regional::VISCII, Tier::Vietnamese, 8, "vi"),
    Extra::new(regional::TCVN5712_1, Tier::Vietnamese, 9, "vi"),
];

/// The number of Johab, whose text is read beside that of the East Asian encodings of the Standard.
const JOHAB: usize = EXTRAS.len();

/// The number of a charset among the encodings of all tiers.
pub(crate) fn number(charset: Charset) -> Option<usize> {
    // By its name, so that no program contains the tables of Johab because of the detector.
    let is_johab = charset.name() == "JOHAB";
    EXTRAS.iter().position(|extra| extra.charset == charset).or(is_johab.then_some(JOHAB))
}

/// Whether Johab competes.
pub(crate) fn has_johab(options: &Options) -> bool {
    match options.among {
        Some(_) => options.among_charsets >> JOHAB & 1 == 1,
        None => options.has_tier(Tier::Johab),
    }
}

/// The numbers of the encodings that compete, as bits.
fn competing(options: &Options) -> u32 {
    match options.among {
        Some(_) => options.among_charsets,
        None => {
            (0..).zip(&EXTRAS).filter(|(_, extra)| options.has_tier(extra.tier)).fold(0, |set, (n, _)| set | 1 << n)
        }
    }
}

/// The characters of the encodings that compete.
pub(crate) struct Extras(Vec<Characters>);

struct Characters {
    of: &'static Extra,
    units: [u16; 128],
    symbols: [Symbol; 128],
    toned: Option<Toned>,
}

impl Extras {
    pub(crate) fn new(options: &Options) -> Self {
        let competing = competing(options);
        let chosen = (0..).zip(&EXTRAS).filter(|(number, _)| competing >> number & 1 == 1);
        Extras(chosen.filter_map(|(_, extra)| Characters::new(extra)).collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn get(&self, number: usize) -> Member<'_> {
        let Characters { of, units, symbols, toned } = &self.0[number];
        Member {
            name: of.charset.name(),
            encoding: None,
            units,
            symbols,
            script: of.script,
            price: of.price,
            languages: of.languages,
            toned: toned.as_ref(),
        }
    }
}

/// A character whose symbol stands for `unit`. The encodings of the classic Mac OS for Arabic and Hebrew have ASCII
/// signs once more beyond ASCII, for text from right to left, and the model has no symbols of ASCII.
const fn beyond_ascii(unit: u16) -> u16 {
    match unit {
        0x20 => 0xA0,
        0x21..=0x7E => 0xB7,
        unit => unit,
    }
}

impl Characters {
    /// Decodes all bytes that are not ASCII. `None` if one of them has more than one code unit.
    fn new(of: &'static Extra) -> Option<Self> {
        let bytes: [u8; 128] = core::array::from_fn(|place| 0x80 | place as u8);
        let mut units = [0; 129];
        let mut decoder = of.charset.new_decoder();
        let result = decoder.decode_to_utf16(&bytes, &mut units, true, DecodeErrorMode::Replacement);
        let units: [u16; 128] = *units.first_chunk()?;
        let mut symbols = candidates::symbols_of(&units.map(beyond_ascii), of.script);
        let toned = (of.tier == Tier::Vietnamese).then(|| Toned::new(&units, &mut symbols));
        (result.written == 128).then_some(Characters { of, units, symbols, toned })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encodings_of_a_tier_compete_if_the_tier_or_they_are_named() {
        let names = |options: &Options| {
            let extras = Extras::new(options);
            (0..extras.len()).map(|number| extras.get(number).name).collect::<Vec<_>>()
        };
        assert_eq!(names(&Options::new()), [""; 0]);
        let mut number_of_all = 0;
        for tier in [Tier::Dos, Tier::Mac, Tier::Ebcdic, Tier::Johab, Tier::Vietnamese] {
            let expected: Vec<_> =
                EXTRAS.iter().filter(|extra| extra.tier == tier).map(|extra| extra.charset.name()).collect();
            assert_eq!(names(&Options::new().tier(tier)), expected, "{tier:?}");
            assert_eq!(has_johab(&Options::new().tier(tier)), tier == Tier::Johab);
            // Names come before tiers.
            assert_eq!(names(&Options::new().tier(tier).among_charsets([])), [""; 0]);
            number_of_all += expected.len();
        }
        assert_eq!(number_of_all, EXTRAS.len());
        for (place, extra) in EXTRAS.iter().enumerate() {
            assert_eq!(number(extra.charset), Some(place));
            assert_eq!(names(&Options::new().among_charsets([extra.charset])), [extra.charset.name()]);
        }
        let johab = Options::new().among_charsets([textcodec_charsets::east_asian::JOHAB]);
        assert!(has_johab(&johab) && names(&johab).is_empty());
        assert!(!has_johab(&Options::new().tier(Tier::Johab).among_charsets([dos::IBM437])));
        assert_eq!(number(textcodec_charsets::ebcdic::IBM037), None);
    }

    #[test]
    fn signs_of_ascii_beyond_ascii_are_spaces_and_dots() {
        let units = [0x1F, 0x20, 0x21, 0x41, 0x7E, 0x7F, 0xA0, 0x5D0];
        assert_eq!(units.map(beyond_ascii), [0x1F, 0xA0, 0xB7, 0xB7, 0xB7, 0x7F, 0xA0, 0x5D0]);
    }

    #[test]
    fn each_encoding_has_its_languages() {
        let rows = [
            ("IBM850", "en de fr es pt it nl sv da nb fi is ca id ga gl eu et sq"),
            ("IBM437", "en de fr es it nl sv fi ca"),
            ("IBM852", "cs pl hu sk sl hr ro de sq"),
            ("CP737", "el"),
            ("IBM857", "tr"),
            ("IBM855", "ru uk be bg mk sr"),
            ("CP775", "lt lv et"),
            ("IBM862", "he"),
            ("CP720", "ar"),
            ("IBM860", "pt"),
            ("IBM865", "de da nb sv fi"),
            ("IBM861", "is"),
            ("IBM863", "fr"),
            ("IBM869", "el"),
            ("CP1125", "uk ru"),
            ("MIK", "bg ru"),
            ("IBM858", "en de fr es pt it nl sv da nb fi is ca id ga gl eu et sq"),
            ("MAC-CENTRALEUROPE", "cs pl hu sk sl et lt lv"),
            ("MACGREEK", "el"),
            ("MACTURKISH", "tr"),
            ("MACCROATIAN", "hr sl"),
            ("MACROMANIAN", "ro"),
            ("MACICELAND", "is"),
            ("MACHEBREW", "he"),
            ("MACARABIC", "ar"),
            ("MACFARSI", "fa"),
            ("MACTHAI", "th"),
            ("VISCII", "vi"),
            ("TCVN5712-1", "vi"),
        ];
        assert_eq!(rows.len(), EXTRAS.len());
        for (extra, (name, codes)) in EXTRAS.iter().zip(rows) {
            assert_eq!((extra.charset.name(), extra.languages), (name, candidates::set(codes)));
        }
    }
}
