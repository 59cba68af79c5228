//! Languages, and texts that are made up of their letters.

use std::fmt::Write as _;

use crate::Random;

/// A language of the texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // Each variant is the language's code.
pub enum Language {
    Ar,
    Cs,
    De,
    El,
    En,
    Fr,
    He,
    Ja,
    Ko,
    Pt,
    Ru,
    Th,
    Tr,
    Vi,
    ZhCn,
    ZhTw,
}

/// The letters of a kind of words.
enum Letters {
    /// These letters, in descending order of frequency.
    Alphabet(&'static str),
    /// The two-byte characters of the encoding with this label, with leading bytes in the first range and trailing
    /// bytes in the second.
    Rows(&'static str, (u8, u8), (u8, u8)),
}

/// The words and the punctuation of a language.
struct Look {
    /// The kinds of words, each with its percentage, its letters, and its least and greatest number of letters.
    words: &'static [(usize, Letters, usize, usize)],
    space: &'static str,
    comma: &'static str,
    stop: &'static str,
}

impl Look {
    const WESTERN: Look = Look { words: &[], space: " ", comma: ", ", stop: ". " };
    const EASTERN: Look = Look { words: &[], space: "", comma: "、", stop: "。" };
}

/// A language whose words have one to eleven of `letters`, apart from a few numbers and Latin words.
macro_rules! alphabet {
    ($letters:literal) => {
        Look { words: &[(100, Letters::Alphabet($letters), 1, 11)], ..Look::WESTERN }
    };
}

impl Language {
    /// The name of the language's files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Language::Ar => "ar",
            Language::Cs => "cs",
            Language::De => "de",
            Language::El => "el",
            Language::En => "en",
            Language::Fr => "fr",
            Language::He => "he",
            Language::Ja => "ja",
            Language::Ko => "ko",
            Language::Pt => "pt",
            Language::Ru => "ru",
            Language::Th => "th",
            Language::Tr => "tr",
            Language::Vi => "vi",
            Language::ZhCn => "zh_cn",
            Language::ZhTw => "zh_tw",
        }
    }

    fn look(self) -> Look {
        match self {
            Language::Ar => alphabet!("اليمنوترةبعدفهسقكحجأشصطخىإذزثضغئظءآؤ"),
            Language::Cs => alphabet!("oentailsrvdukpímhyázcjběřéýžčšůgfúxťóďňwq"),
            Language::De => alphabet!("enisratdhulcgmobwfkzvüpäßjöyxq"),
            Language::El => alphabet!("αοιετσνηυρπκμλςωάίγδόέθχφήβύώξζψϊ"),
            Language::En => alphabet!("etaoinshrdlcumwfgypbvkjxqz"),
            Language::Fr => alphabet!("esaitnrulodcmpévqfbghjàxèyêzwçùîâôûëïœkæ"),
            Language::He => alphabet!("יוהלאמרתבשנדעקחםפגכטזסןצךףץ"),
            Language::Ja => Look {
                words: &[
                    (45, Letters::Alphabet("のにはたをとでるいがしてなれさあっりもかられすまこくつうよ"), 1, 3),
                    (40, Letters::Rows("shift_jis", (0x89, 0x97), (0x40, 0xFC)), 1, 3),
                    (15, Letters::Rows("shift_jis", (0x83, 0x83), (0x40, 0x96)), 2, 6),
                ],
                ..Look::EASTERN
            },
            Language::Ko => {
                Look { words: &[(100, Letters::Rows("euc-kr", (0xB0, 0xC8), (0xA1, 0xFE)), 1, 5)], ..Look::WESTERN }
            }
            Language::Pt => alphabet!("aeosridmntculpvgqbfhãzçájxéíóêõúkâwyàô"),
            Language::Ru => alphabet!("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"),
            Language::Th => Look {
                words: &[(100, Letters::Alphabet("านรกเงมยลวดท่ส้ตะัอิีบปคำ็แหใพขชจไุูโผื์ธถซณศษภฟญฐ"), 3, 16)],
                comma: " ",
                stop: " ",
                ..Look::WESTERN
            },
            Language::Tr => alphabet!("aeinrlıdkmutysboüşzgçhğvcöpfj"),
            Language::Vi => Look {
                words: &[(
                    100,
                    Letters::Alphabet("nhicgtamuđolkvrsàpáâôyêbảạơếdưạóìốệấộồểúợủxíớậựầờãữĩăểừùòởằứẽ"),
                    2,
                    5,
                )],
                ..Look::WESTERN
            },
            Language::ZhCn => Look {
                words: &[(100, Letters::Rows("gbk", (0xB0, 0xD7), (0xA1, 0xFE)), 1, 4)],
                comma: "，",
                ..Look::EASTERN
            },
            Language::ZhTw => Look {
                words: &[(100, Letters::Rows("big5", (0xA4, 0xC5), (0x40, 0xFE)), 1, 4)],
                comma: "，",
                ..Look::EASTERN
            },
        }
    }

    /// A text of about `length` bytes of UTF-8, always the same.
    #[must_use]
    pub fn make_up_text(self, length: usize) -> String {
        let (mut writer, mut text) = (Writer::new(self), String::with_capacity(length + 1024));
        while text.len() < length {
            for _ in 0..=writer.random.below(6) {
                writer.sentence(&mut text);
            }
            text.push('\n');
        }
        text
    }

    /// A page of about `length` bytes of UTF-8, always the same.
    #[must_use]
    pub fn make_up_html(self, length: usize) -> String {
        let (mut writer, mut html) = (Writer::new(self), String::with_capacity(length + 1024));
        html.push_str("<!DOCTYPE html>\n<html class=\"client-nojs\">\n<body>\n");
        while html.len() < length {
            writer.markup(&mut html);
        }
        html
    }
}

/// Makes up texts from the words and letters of a language.
struct Writer {
    random: Random,
    look: Look,
    /// The letters of each of `look.words`, in descending order of frequency.
    letters: Vec<Vec<char>>,
}

impl Writer {
    fn new(language: Language) -> Self {
        let mut random = Random::new(0x1E77E5);
        let look = language.look();
        let letters = look.words.iter().map(|(_, letters, ..)| letters.list(&mut random)).collect();
        Writer { random, look, letters }
    }

    fn sentence(&mut self, text: &mut String) {
        let (start, count) = (text.len(), 4 + self.random.below(16));
        for place in 0..count {
            if place > 0 {
                text.push_str(if self.random.happens(10) { self.look.comma } else { self.look.space });
            }
            match self.random.below(100) {
                0..2 => write!(text, "{}", self.random.below(3000)).expect("a String takes everything"),
                2..4 => self.latin_word(text),
                _ => self.word(text),
            }
            if place == 0 {
                capitalise(text, start);
            }
        }
        text.push_str(self.look.stop);
    }

    fn word(&mut self, text: &mut String) {
        let mut lot = self.random.below(100);
        for (&(share, _, shortest, longest), letters) in self.look.words.iter().zip(&self.letters) {
            if lot >= share {
                lot -= share;
                continue;
            }
            for _ in 0..shortest + self.random.below(longest - shortest + 1) {
                text.push(letters[self.random.skewed(letters.len())]);
            }
            break;
        }
    }

    fn latin_word(&mut self, text: &mut String) {
        const LETTERS: &[u8] = b"etaoinshrdlcumwfgypbvkjxqz";
        for _ in 0..2 + self.random.below(8) {
            text.push(char::from(LETTERS[self.random.skewed(LETTERS.len())]));
        }
    }

    /// One to `most` words.
    fn words(&mut self, most: usize) -> String {
        let mut words = String::new();
        for place in 0..=self.random.below(most) {
            if place > 0 {
                words.push_str(self.look.space);
            }
            self.word(&mut words);
        }
        words
    }

    /// Adds an element of the kind that pages of an encyclopedia consist of.
    fn markup(&mut self, html: &mut String) {
        let (number, title) = (self.random.below(100_000), self.words(2));
        let link = format!("<a href=\"/wiki/{}\" title=\"{title}\" class=\"mw-redirect\">{title}</a>", escape(&title));
        match self.random.below(10) {
            0..4 => {
                let id = number % 97;
                let item = format!("<li id=\"toc-{number}\" class=\"toclevel-2 tocsection-{id}\">{link}</li>\n");
                html.push_str(&item);
            }
            4 => {
                html.push_str("<p>");
                self.sentence(html);
                html.push_str(&link);
                self.sentence(html);
                html.push_str("</p>\n");
            }
            5..8 => {
                let cell =
                    format!("<td style=\"width:{}px;text-align:center\" rowspan=\"2\">{link}</td>\n", number % 400);
                html.push_str(&cell);
            }
            8 => {
                let class = "class=\"image\" decoding=\"async\" loading=\"lazy\"";
                let image =
                    format!("<img src=\"/images/thumb/{number:08x}.jpg\" width=\"220\" {class} alt=\"{title}\">\n");
                html.push_str(&image);
            }
            _ => {
                let mut name = String::new();
                self.latin_word(&mut name);
                let script =
                    format!("<script>(window.queue=window.queue||[]).push([\"{name}\",{number},null]);</script>\n");
                html.push_str(&script);
            }
        }
    }
}

impl Letters {
    /// All letters in descending order of frequency; the letters of `Rows` in an order from `random`.
    fn list(&self, random: &mut Random) -> Vec<char> {
        match *self {
            Letters::Alphabet(letters) => letters.chars().collect(),
            Letters::Rows(label, leads, trails) => {
                let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("this is a label");
                let pairs = (leads.0..=leads.1).flat_map(|lead| (trails.0..=trails.1).map(move |trail| [lead, trail]));
                let mut letters: Vec<char> = pairs.filter_map(|pair| single(encoding, &pair)).collect();
                random.shuffle(&mut letters);
                letters
            }
        }
    }
}

/// The code point that `bytes` decode to in `encoding`, if they decode to exactly one.
fn single(encoding: &'static encoding_rs::Encoding, bytes: &[u8]) -> Option<char> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    let mut code_points = text.chars();
    code_points.next().filter(|_| code_points.next().is_none())
}

/// Replaces the code point at `start` by its capital letter, if there is one.
fn capitalise(text: &mut String, start: usize) {
    let Some(first) = text[start..].chars().next() else { return };
    let mut capital = first.to_uppercase();
    if let (Some(capital), None) = (capital.next(), capital.next()) {
        text.replace_range(start..start + first.len_utf8(), capital.encode_utf8(&mut [0; 4]));
    }
}

/// `text`, percent-encoded as in an address.
fn escape(text: &str) -> String {
    text.bytes().fold(String::new(), |mut escaped, byte| {
        match byte {
            b' ' => escaped.push('_'),
            _ if byte.is_ascii_alphanumeric() => escaped.push(char::from(byte)),
            _ => write!(escaped, "%{byte:02X}").expect("a String takes everything"),
        }
        escaped
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percent_of_ascii(text: &str) -> usize {
        text.bytes().filter(u8::is_ascii).count() * 100 / text.len()
    }

    #[test]
    fn a_text_is_mostly_native_and_a_page_mostly_ascii() {
        for language in
            [Language::Ar, Language::El, Language::Ja, Language::Ko, Language::Ru, Language::Th, Language::ZhTw]
        {
            let (text, html) = (language.make_up_text(100_000), language.make_up_html(100_000));
            assert!(percent_of_ascii(&text) < 20, "{language:?}: {}", percent_of_ascii(&text));
            assert!((60..95).contains(&percent_of_ascii(&html)), "{language:?}: {}", percent_of_ascii(&html));
        }
    }

    #[test]
    fn no_sentence_is_there_twice() {
        let text = Language::Ja.make_up_text(200_000);
        let mut lines: Vec<&str> = text.lines().collect();
        let count = lines.len();
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), count);
        assert_eq!(text, Language::Ja.make_up_text(200_000));
    }

    #[test]
    fn addresses_are_ascii() {
        assert_eq!(escape("é a1"), "%C3%A9_a1");
    }
}
