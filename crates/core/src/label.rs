//! [Get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get): from a label to a name.

use crate::{
    LabelError, Name,
    generated::labels::{DISPLACEMENTS, FIRSTS, PLACES, SEED, STARTS, TEXT},
    label_hash::{self, Hash},
};

impl Name {
    /// [Get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get): the name for `label`, after ASCII
    /// whitespace is stripped from both ends and ASCII letters are lower-cased. Nothing else is normalized: no hyphens,
    /// no other white space, and no letters outside ASCII.
    ///
    /// # Errors
    /// [`LabelError::Unknown`] if the Standard does not have the label.
    ///
    /// ```
    /// use textcodec_core::{LabelError, Name};
    ///
    /// assert_eq!(Name::for_label(b" Latin1\n"), Ok(Name::Windows1252));
    /// assert_eq!(Name::for_label("\u{212A}oi8-r".as_bytes()), Err(LabelError::Unknown));
    /// ```
    pub fn for_label(label: &[u8]) -> Result<Name, LabelError> {
        let label = strip_ascii_whitespace(label);
        let words = label_hash::words(label).ok_or(LabelError::Unknown)?.map(ascii_lowercase);
        let hash = Hash::new(words, SEED);
        let (candidate, name) = PLACES[hash.place(DISPLACEMENTS[hash.bucket])];
        if candidate.is(words, label.len()) { Ok(name) } else { Err(LabelError::Unknown) }
    }
}

impl Name {
    /// The [labels](https://encoding.spec.whatwg.org/#label) of the encoding, lower-case, in ascending order.
    pub fn labels(self) -> impl ExactSizeIterator<Item = &'static str> + DoubleEndedIterator + Clone {
        let [first, end] = [0, 1].map(|after| usize::from(FIRSTS[self as usize + after]));
        (first..end).map(|number| Label(number as u8).as_str())
    }
}

/// A label by its number. Unlike a string, a number needs no relocation when the program starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Label(pub(crate) u8);

impl Label {
    fn as_str(self) -> &'static str {
        &TEXT[self.place()]
    }

    /// The range of the label in [`TEXT`].
    #[inline]
    fn place(self) -> core::ops::Range<usize> {
        let number = usize::from(self.0);
        usize::from(STARTS[number])..usize::from(STARTS[number + 1])
    }

    /// Whether the label has these words and this length.
    #[inline]
    fn is(self, words: [u64; 3], length: usize) -> bool {
        let place = self.place();
        // The bytes of `TEXT`, because slicing a `str` checks for character boundaries.
        place.len() == length && TEXT.as_bytes().get(place).and_then(label_hash::words) == Some(words)
    }
}

/// `word` with its ASCII letters in lower case; all eight bytes at once.
#[inline]
const fn ascii_lowercase(word: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // The first addition sets the eighth bit of each byte that is at least `A`, and the second addition sets it for
    // each byte above `Z`.
    let seven_bits = word & (0x7F * EACH);
    let from_a = seven_bits + (0x80 - b'A' as u64) * EACH;
    let beyond_z = seven_bits + (0x7F - b'Z' as u64) * EACH;
    let is_capital = from_a & !beyond_z & !word & (0x80 * EACH);
    // 0x80 shifted right by two is 0x20, the difference between `A` and `a`.
    word | is_capital >> 2
}

/// Strips leading and trailing [ASCII whitespace](https://infra.spec.whatwg.org/#ascii-whitespace): U+0009, U+000A,
/// U+000C, U+000D and U+0020.
fn strip_ascii_whitespace(mut label: &[u8]) -> &[u8] {
    const fn is_whitespace(byte: u8) -> bool {
        matches!(byte, 0x09 | 0x0A | 0x0C | 0x0D | 0x20)
    }
    while let [first, rest @ ..] = label {
        if !is_whitespace(*first) {
            break;
        }
        label = rest;
    }
    while let [rest @ .., last] = label {
        if !is_whitespace(*last) {
            break;
        }
        label = rest;
    }
    label
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No label has some of the displacements and places.
    #[cfg(feature = "testing")]
    #[test]
    fn every_entry_of_the_generated_tables_has_the_value_of_the_generator() {
        use crate::generated::labels::{DISPLACEMENTS, FIRSTS, PLACES, STARTS, TEXT};

        crate::testing::check_digests(&[
            (&TEXT, 0x705A1994665A558D),
            (&STARTS, 0x8936857E7EA897EC),
            (&FIRSTS, 0xDF09C3D472997244),
            (&DISPLACEMENTS, 0x01E9C085BDDA4BBB),
            (&PLACES, 0xA98266623F8AE79F),
        ]);
    }

    #[test]
    fn only_ascii_letters_change_their_case() {
        for byte in 0..=255_u8 {
            let (word, lower) = ([byte, b'Z', b'{', byte, 0, 0x9A, b'@', byte], byte.to_ascii_lowercase());
            let expected = [lower, b'z', b'{', lower, 0, 0x9A, b'@', lower];
            assert_eq!(ascii_lowercase(u64::from_le_bytes(word)).to_le_bytes(), expected);
        }
    }

    #[test]
    fn every_lower_cased_name_is_a_label() {
        for name in Name::ALL {
            assert_eq!(Name::for_label(name.as_str().as_bytes()), Ok(name));
            assert!(name.labels().any(|label| label == name.as_str().to_ascii_lowercase()));
        }
    }

    #[test]
    fn exact_names_are_found_and_nothing_else() {
        for name in Name::ALL {
            assert_eq!(Name::for_name(name.as_str()), Some(name));
        }
        for other in ["", "utf-8", "Utf-8", "UTF-8 ", "latin1", "GB18030", "Windows-1252"] {
            assert_eq!(Name::for_name(other), None, "{other:?}");
        }
    }

    #[test]
    fn there_are_228_labels_and_every_one_is_found_in_any_case_and_padding() {
        let mut count = 0;
        for name in Name::ALL {
            for label in name.labels() {
                count += 1;
                assert_eq!(Name::for_label(label.as_bytes()), Ok(name));
                assert_eq!(Name::for_label(label.to_ascii_uppercase().as_bytes()), Ok(name));
                assert_eq!(Name::for_label(format!("\t\n\x0C\r {label} \r\x0C\n\t").as_bytes()), Ok(name));
            }
        }
        assert_eq!(count, 228);
    }

    #[test]
    fn only_ascii_whitespace_is_stripped_and_only_from_the_ends() {
        for label in
            ["\x0Butf-8", "utf-8\x0B", "utf-8\0", "\u{A0}utf-8", "utf -8", "utf-8\u{2028}", "\u{FEFF}utf-8", "", " "]
        {
            assert_eq!(Name::for_label(label.as_bytes()), Err(LabelError::Unknown), "{label:?}");
        }
    }

    #[test]
    fn no_unicode_case_folding() {
        for label in ["\u{212A}oi8-r", "bi\u{11F}5", "b\u{130}g5", "b\u{131}g5", "\u{FF55}tf-8", "\u{17F}hift_jis"] {
            assert_eq!(Name::for_label(label.as_bytes()), Err(LabelError::Unknown), "{label:?}");
        }
    }

    #[test]
    fn no_hyphens_are_supplied_or_folded() {
        for label in [
            "l11",
            "utf_8",
            "utf--8",
            "shift-jis-2004",
            "iso 8859-1",
            "windows1252",
            "utf-7",
            "utf-32",
            "cp437",
            "euc-tw",
        ] {
            assert_eq!(Name::for_label(label.as_bytes()), Err(LabelError::Unknown), "{label:?}");
        }
    }

    #[test]
    fn labels_that_surprise() {
        for (label, name) in [
            ("latin1", Name::Windows1252),
            ("us-ascii", Name::Windows1252),
            ("iso-8859-9", Name::Windows1254),
            ("iso-8859-11", Name::Windows874),
            ("gb2312", Name::Gbk),
            ("ks_c_5601-1987", Name::EucKr),
            ("utf-16", Name::Utf16Le),
            ("unicodefffe", Name::Utf16Be),
            ("koi8-ru", Name::Koi8U),
            ("visual", Name::Iso8859_8),
            ("logical", Name::Iso8859_8I),
            ("hz-gb-2312", Name::Replacement),
            ("iso-2022-kr", Name::Replacement),
        ] {
            assert_eq!(Name::for_label(label.as_bytes()), Ok(name), "{label}");
        }
    }
}
