//! Writes the seed corpora and the dictionaries of the fuzz targets: `seeds CORPORA DICTIONARIES`.
//!
//! A seed is a sentence in the encoding or the charset that its first bytes choose, or a page that declares its
//! encoding, with and without damage. `cargo xtask fuzz --seeds` runs this program, and keeps the inputs that reach
//! something new.

use std::{
    env,
    error::Error,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use textcodec::{Encoding, Name, charsets::Charset};

/// Sentences in several scripts, with characters that only some charsets have.
const SENTENCES: [&str; 14] = [
    "Naïve café: 10 €, ½ ñandú, “quoted” — §4 & <b>.",
    "Zażółć gęślą jaźń, příliš žluťoučký kůň; ő ű ș ț.",
    "Съешь же ещё этих мягких булок, ґ є ї ў ј.",
    "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία, άέήίόύώ.",
    "Türkçe ığüşöç İstanbul; Lietuvių ąčęėįšųūž; ārčg.",
    "שלום עולם, מה שלומך? ₪ בְּרֵאשִׁית",
    "مرحبا بالعالم، كيف حالك؟ پچژگ ٠١٢٣",
    "สวัสดีชาวโลก ฿ ๑๒๓ ก็ดี",
    "Tiếng Việt: ắ ằ ẵ ặ ơ ư đ ₫ Ễ.",
    "日本語のテキスト、ｶﾀｶﾅと漢字。〜①㈱髙",
    "简体中文的句子，你好世界！〇㐀𠀀",
    "繁體中文的句子，你好世界！Êê̄ 嘅咗",
    "한국어 문장입니다. 똠방각하 漢字 ㉿",
    "தமிழ் மொழி ☃ 😀 \u{FEFF}\u{301}e\u{301}\u{E0041}\u{FFFD}\0\x0E\x1B~\\¥‾",
];

/// Pages and files that declare their encoding, or begin to.
const DECLARING: [&str; 24] = [
    "<!DOCTYPE html><meta charset=koi8-r><title>a</title>",
    "<html><head><META content='text/html; charset=gbk' http-equiv=Content-Type>",
    "<meta http-equiv=\"content-type\" content=\"text/html;charset = 'utf-16le'\">",
    "<!-- <meta charset=big5> --><p title='>'><meta charset=\"x-user-defined\">",
    "<meta name=a charset=bogus charset=koi8-r><meta/charset=utf-8>",
    "<?xml version=\"1.0\" encoding=\"iso-8859-2\"?><r/>",
    "<?xmlencoding='shift_jis'><meta charset=",
    "<?php ?></p a=b><!x><meta charset= 'euc-jp'>",
    "@charset \"windows-1250\";a{b:c}",
    "@charset \"utf-16\";",
    "# -*- coding: latin-1 -*-\nprint('a')\n",
    "\\usepackage[latin1]{inputenc}\n",
    "\"Content-Type: text/plain; charset=ISO-8859-1\\n\"\n",
    "use encoding 'koi8-r';\n/* vim: set fileencoding=cp1251 : */\n",
    "a=\\u00e9\\uD83D\\uDE00\nkey = val\\\n",
    "text/html; charset=\"sjis\"; a=b",
    "{\\rtf1\\ansi\\ansicpg1252 caf\\'e9}",
    "CafÃ© â€™ Ã¼ber\nÐ¿Ñ€Ð¸Ð²ÐµÑ‚ Ñ\u{81}\n",
    "ÃƒÂ© donâ€™t\r\nIt\u{92}s\r\n.\n\u{1A}",
    "æ—¥æœ¬èªž ô·û{îΩé╠âeâLâXâg",
    "one\r\ntwo\nthree\rfour\u{85}five\u{2028}",
    "\u{202E}abc\u{202C} \u{200B}\u{AD}\u{FEFF}",
    "<a charset=utf-8 charset>&#9731;&eacute;",
    "<\0?\0x\0m\0l\0",
];

/// Sequences of bytes with a meaning: names of the dictionary `escapes.dict`.
const ESCAPES: [&[u8]; 62] = [
    b"\xEF\xBB\xBF",
    b"\xFE\xFF",
    b"\xFF\xFE",
    b"\0\0\xFE\xFF",
    b"\xFF\xFE\0\0",
    b"+/v8-",
    b"\xDD\x73\x66\x73",
    b"\x84\x31\x95\x33",
    b"\x1B(B",
    b"\x1B(J",
    b"\x1B(I",
    b"\x1B$@",
    b"\x1B$B",
    b"\x1B$A",
    b"\x1B$(C",
    b"\x1B$(D",
    b"\x1B$(O",
    b"\x1B$(P",
    b"\x1B$(Q",
    b"\x1B$)A",
    b"\x1B$)C",
    b"\x1B$)E",
    b"\x1B$)G",
    b"\x1B$*H",
    b"\x1B$+I",
    b"\x1B$1",
    b"\x1B(N",
    b"\x1B(Q",
    b"\x1B(S",
    b"\x1B(2",
    b"\x1B(3",
    b"\x1B(4",
    b"\x1B-F",
    b"\x1B)I",
    b"\x1Bg1",
    b"\x1Bs",
    b"\x1B.A",
    b"\x1B.F",
    b"\x1BN",
    b"\x1BO",
    b"\x1B%G",
    b"\x0E",
    b"\x0F",
    b"\x8E",
    b"\x8F",
    b"\x8E\xA2",
    b"~{",
    b"~}",
    b"~~",
    b"+AOk-",
    b"&AOk-",
    b"\x81\x30\x81\x30",
    b"\x90\x30\x81\x30",
    b"\xE3\x32\x9A\x35",
    b"\x88\x62",
    b"\xED\xA0\xBD\xED\xB8\x80",
    b"\xF4\x90\x80\x80",
    b"\xC0\x80",
    b"\xD8\x00\xDC\x00",
    b"\x00\xD8\x00\xDC",
    b"\x15\x25",
    b"&#9731;",
];

/// Parts of declarations: words of the dictionary `markup.dict`, beside all labels of the Standard.
const MARKUP: [&str; 40] = [
    "<meta ",
    "<META/",
    "charset=",
    "charset = \"",
    "http-equiv=",
    "content-type",
    "content=",
    "text/html; charset=",
    "<!--",
    "-->",
    "<!-->",
    "<?xml",
    " encoding=",
    "version=\"1.0\"",
    "?>",
    "</p ",
    "<!",
    "<a ",
    "'",
    "\"",
    "/>",
    "@charset \"",
    "\";",
    "coding: ",
    "-*-",
    "vim: set fenc=",
    "inputenc",
    "\\ansicpg",
    "Content-Type:",
    "use encoding ",
    "\\u00e9",
    "Ã©",
    "â€™",
    "\r\n",
    "\u{85}",
    "\u{2028}",
    "\u{1A}",
    "\u{FEFF}",
    "<\\0?\\0x\\0",
    "\n",
];

struct Seeds(PathBuf);

impl Seeds {
    /// Writes a seed of a target.
    fn write(&self, target: &str, parts: &[&[u8]]) -> Result<(), Box<dyn Error>> {
        let folder = self.0.join(target);
        fs::create_dir_all(&folder)?;
        let number = fs::read_dir(&folder)?.count();
        Ok(fs::write(folder.join(format!("{number:04}")), parts.concat())?)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let [_, corpora, dictionaries] = &env::args().collect::<Vec<_>>()[..] else {
        return Err("usage: seeds CORPORA DICTIONARIES".into());
    };
    if Path::new(corpora).exists() {
        fs::remove_dir_all(corpora)?;
    }
    let seeds = Seeds(corpora.into());
    of_encodings(&seeds)?;
    of_charsets(&seeds)?;
    of_texts(&seeds)?;
    write_dictionaries(Path::new(dictionaries))
}

/// The bytes of the sentence that the encoder can encode best.
fn best(encode: impl Fn(&str) -> (Vec<u8>, usize)) -> Vec<u8> {
    let encoded = SENTENCES.iter().map(|sentence| encode(sentence));
    encoded.min_by_key(|(_, errors)| *errors).map(|(bytes, _)| bytes).unwrap_or_default()
}

fn of_encodings(seeds: &Seeds) -> Result<(), Box<dyn Error>> {
    for (number, name) in Name::ALL.iter().enumerate() {
        let (encoding, number) = (Encoding::for_name(*name)?, number as u8);
        let bytes = match name {
            Name::Utf16Be => SENTENCES[13].encode_utf16().flat_map(u16::to_be_bytes).collect(),
            Name::Utf16Le => SENTENCES[13].encode_utf16().flat_map(u16::to_le_bytes).collect(),
            _ => best(|sentence| {
                let bytes = encoding.encode(sentence).bytes.into_owned();
                let errors = sentence.chars().filter(|&one| encoding.encode_or_fail(&one.to_string()).is_err());
                (bytes, errors.count())
            }),
        };
        let damaged = [&bytes[..bytes.len() / 2], b"\xFF\x81\x1B$", &bytes[bytes.len() / 2..], b"\x81"].concat();
        for bytes in [&bytes, &damaged] {
            seeds.write("decode", &[&[number], bytes])?;
            seeds.write("resume", &[&[16], b"\x07\x01", &[number], bytes])?;
            seeds.write("io", &[&[0, number], b"\x05\x01\x09\x01", bytes])?;
            seeds.write("io", &[&[2, number], b"\x05\x01\x09\x01", bytes])?;
            seeds.write("capi", &[&[0, number + 1, 0, 0], b"\x05\x01", bytes])?;
            seeds.write("detect", &[b"\0\0\x05\x01", bytes])?;
            seeds.write("convert", &[&[0, 2], b"\x05\x01", &[number, 0, 6, 66, 0], bytes])?;
            seeds.write("convert", &[&[2, 1], b"\x05\x01", &[number, 21], bytes])?;
            seeds.write("convert", &[&[4, 0], b"\x05\x01", &[number, 21], bytes])?;
            seeds.write("arrow", &[&[number % 32, number], b"\x05\x01", bytes])?;
        }
        let text = SENTENCES[usize::from(number) % SENTENCES.len()].as_bytes();
        seeds.write("encode", &[&[number], b"\x07\x05", text])?;
        seeds.write("resume", &[&[4], b"\x07\x01", &[number], text])?;
        seeds.write("resume", &[&[12], b"\x07\x01", &[0; 24], &[number], text])?;
        seeds.write("io", &[&[1, number], b"\x05\x01\x09\x01", text])?;
        seeds.write("io", &[&[3, number], b"\x05\x01\x09\x01", text])?;
        seeds.write("capi", &[&[1, number + 1, 0, 0], b"\x05\x01", text])?;
        let units: Vec<u8> = SENTENCES[13].encode_utf16().flat_map(u16::to_le_bytes).collect();
        seeds.write("capi", &[&[2, number + 1, 0, 2], b"\x05\x01", &units])?;
        seeds.write("capi", &[&[3, number + 1, 0, 0], b"\x05\x01", &[0; 32], text])?;
        // The damage that a wrong decoding does.
        let wrong = encoding.decode_without_bom_handling(text).0;
        seeds.write("convert", &[&[3, 0], b"\x05\x01", &[number, 21], wrong.as_bytes()])?;
        seeds.write("convert", &[&[3, 3], b"\x05\x01", &[number, 21], wrong.as_bytes()])?;
        seeds.write("capi", &[&[6, number + 1, 0, 0], b"\x05\x01", wrong.as_bytes()])?;
    }
    Ok(())
}

fn of_charsets(seeds: &Seeds) -> Result<(), Box<dyn Error>> {
    for (number, charset) in Charset::all().enumerate() {
        let choice = (number as u16).to_le_bytes();
        let bytes = best(|sentence| {
            let Some(mut encoder) = charset.new_encoder() else { return (sentence.into(), 0) };
            let mut bytes = Vec::new();
            let result = encoder.encode_str_to_vec_with(sentence, &mut bytes, true, |_| "");
            let errors = sentence.chars().filter(|&one| charset.encode_or_fail(&one.to_string()).is_err()).count();
            (bytes, if result.is_ok() { errors } else { usize::MAX })
        });
        seeds.write("charsets", &[&[0], &choice, &bytes])?;
        seeds.write("iconv", &[&[0], &choice, b"\x05\x01", &bytes])?;
        let text = SENTENCES[number % SENTENCES.len()].as_bytes();
        seeds.write("charsets", &[&[1], &choice, text])?;
        for kind in [1, 3, 5] {
            seeds.write("iconv", &[&[kind], &choice, b"\x05\x01", text])?;
        }
        if number % 4 == 0 {
            seeds.write("resume", &[&[1], b"\x07\x01", &choice, &bytes])?;
            seeds.write("resume", &[&[5], b"\x07\x01", &choice, text])?;
            let number = (0x8000 + number as u16).to_le_bytes();
            seeds.write("capi", &[&[0], &number, &[2], b"\x05\x01", &bytes])?;
            seeds.write("capi", &[&[1], &number, &[0], b"\x05\x01", text])?;
        }
    }
    Ok(())
}

fn of_texts(seeds: &Seeds) -> Result<(), Box<dyn Error>> {
    for (number, page) in DECLARING.iter().enumerate() {
        let number = number as u8;
        for known in [0, 1, 32, 128] {
            seeds.write("sniff", &[&[known], b"\x03\0", page.as_bytes()])?;
            seeds.write("sniff_model", &[&[known, 200], page.as_bytes()])?;
        }
        seeds.write("capi", &[&[4 + 8 * (number % 21), 1, 0, 4], b"\x05\x01", page.as_bytes()])?;
        seeds.write("io", &[&[4 + 5 * number, 20], b"\x05\x01\x09\x01", page.as_bytes()])?;
        for kind in [2, 3, 5] {
            seeds.write("convert", &[&[kind, number % 32], b"\x05\x01", &[0, 21], page.as_bytes()])?;
        }
    }
    for sentence in SENTENCES {
        let utf_16: Vec<u8> = sentence.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let latin1: Vec<u8> = sentence.chars().map(|character| character as u32 as u8).collect();
        for bytes in
            [sentence.as_bytes(), &utf_16, &latin1, &sentence.as_bytes()[1..], b"plain ASCII, long enough for a vector"]
        {
            seeds.write("mem", &[&[3, 200, 0], bytes])?;
            seeds.write("mem", &[&[0, 17, 0], bytes])?;
            seeds.write("capi", &[&[7, 1, 0, 0], b"\x05\x01", bytes])?;
            seeds.write("capi", &[&[5, 1, 0, 128], b"\x05\x01", bytes])?;
            seeds.write("detect", &[b"\x20\x08\x05\x01", bytes])?;
        }
    }
    Ok(())
}

fn write_dictionaries(folder: &Path) -> Result<(), Box<dyn Error>> {
    let entry = |bytes: &[u8]| {
        let mut text = String::from("\"");
        for &byte in bytes {
            match byte {
                b'"' | b'\\' => write!(text, "\\{}", char::from(byte))?,
                b' '..=b'~' => text.push(byte.into()),
                _ => write!(text, "\\x{byte:02X}")?,
            }
        }
        Ok::<_, std::fmt::Error>(text + "\"\n")
    };
    let head = "# Written by `cargo xtask fuzz --seeds`. The dictionary of libFuzzer for ";
    let mut escapes = format!("{head}coders: byte order marks, escapes, shifts.\n");
    for bytes in ESCAPES {
        escapes += &entry(bytes)?;
    }
    let mut markup = format!("{head}declarations: markup and labels.\n");
    for text in MARKUP {
        markup += &entry(text.as_bytes())?;
    }
    for label in Encoding::all().flat_map(Encoding::labels) {
        markup += &entry(label.as_bytes())?;
    }
    fs::write(folder.join("escapes.dict"), escapes)?;
    fs::write(folder.join("markup.dict"), markup)?;
    Ok(())
}
