//! The README's command for a folder, on a tree of mixed files of which the truth is known: no file becomes wrong, no
//! file is damaged, each file that stays is named with a reason, and the same command again changes nothing.

use std::{collections::BTreeMap, fs, time::SystemTime};

use textcodec_convert::Charset;

use crate::room::Room;

/// The options of the README.
const COMMAND: &str = "convert --from auto --guess --in-place --recursive --declarations update --suffix .orig";

/// The number of files of text. The others are a quarter of it.
const TEXTS: usize = if cfg!(feature = "exhaustive") { 800 } else { 100 };

/// Sentences in a language, the labels of the Standard's encodings in which people wrote it, and those of others.
struct Language {
    code: &'static str,
    sentences: [&'static str; 4],
    standard: &'static [&'static str],
    others: &'static [&'static str],
}

static LANGUAGES: [Language; 17] = [
    Language {
        code: "ar",
        sentences: [
            "ذهبت إلى السوق صباح اليوم واشتريت خبزا طازجا.",
            "البيت الكبير قرب النهر عمره مئة سنة.",
            "لا أحد يعرف متى يعود المسافرون من المدينة.",
            "كتبت رسالة طويلة إلى صديقي القديم.",
        ],
        standard: &["windows-1256", "iso-8859-6"],
        others: &["cp720"],
    },
    Language {
        code: "cs",
        sentences: [
            "Včera večer přišel soused a přinesl čerstvé ryby.",
            "Ve staré knihovně ležely zaprášené sešity.",
            "Děti běžely přes louku až k dřevěnému mostu.",
            "Nikdo nevěděl, kdo tu píseň složil.",
        ],
        standard: &["windows-1250", "iso-8859-2"],
        others: &["cp852", "mac-centraleurope"],
    },
    Language {
        code: "de",
        sentences: [
            "Am Abend saßen wir müde vor der Hütte und hörten den Bächen zu.",
            "Die größte Schachtel enthält lauter kleine Schlüssel.",
            "Für das Frühstück fehlten noch Brötchen und Käse.",
            "Übrigens fährt der Zug heute später.",
        ],
        standard: &["windows-1252", "iso-8859-15", "macintosh"],
        others: &["cp850", "cp437", "cp273"],
    },
    Language {
        code: "el",
        sentences: [
            "Το μικρό καράβι έφυγε νωρίς από το λιμάνι.",
            "Οι γείτονες έφεραν ψωμί και ελιές στην αυλή.",
            "Κανείς δεν θυμάται πότε χτίστηκε η εκκλησία.",
            "Αύριο θα γράψουμε ένα γράμμα στη θεία.",
        ],
        standard: &["windows-1253", "iso-8859-7"],
        others: &["cp737", "x-MacGreek"],
    },
    Language {
        code: "en",
        sentences: [
            "The old lighthouse – built of grey stone – still shows its light.",
            "“Nobody came,” she said, and closed the door.",
            "It’s the neighbour’s dog that barks at night.",
            "We paid £20 for the map and the lamp.",
        ],
        standard: &["windows-1252", "macintosh"],
        others: &["cp037"],
    },
    Language {
        code: "fr",
        sentences: [
            "La rivière était gelée et les enfants glissaient déjà.",
            "Le maître d’école a oublié ses clés à la forêt.",
            "Après le dîner, le père allumait une très vieille lampe.",
            "Où est passée la fenêtre brisée ?",
        ],
        standard: &["windows-1252", "macintosh"],
        others: &["cp850"],
    },
    Language {
        code: "he",
        sentences: [
            "הילדים שיחקו בחצר עד שירד הערב.",
            "הספר הישן נמצא על המדף העליון.",
            "מחר ניסע ברכבת אל העיר הגדולה.",
            "איש לא ידע מי כתב את המכתב.",
        ],
        standard: &["windows-1255", "iso-8859-8"],
        others: &["cp862"],
    },
    Language {
        code: "ja",
        sentences: [
            "昨日の夜、古い駅の前で友達に会いました。",
            "山の上の小さな家には誰も住んでいない。",
            "雨が止んだら、川まで歩いて行こう。",
            "この手紙を書いた人の名前は分からない。",
        ],
        standard: &["shift_jis", "euc-jp", "iso-2022-jp"],
        others: &[],
    },
    Language {
        code: "ko",
        sentences: [
            "어제 저녁에 오래된 역 앞에서 친구를 만났다.",
            "산 위의 작은 집에는 아무도 살지 않는다.",
            "비가 그치면 강가까지 걸어가자.",
            "이 편지를 쓴 사람의 이름은 모른다.",
        ],
        standard: &["euc-kr"],
        others: &["johab"],
    },
    Language {
        code: "pl",
        sentences: [
            "Wczoraj wieczorem sąsiad przyniósł świeże ryby.",
            "W starej bibliotece leżały zakurzone książki.",
            "Dzieci biegły przez łąkę aż do drewnianego mostu.",
            "Nikt nie wie, kto napisał tę pieśń.",
        ],
        standard: &["windows-1250", "iso-8859-2"],
        others: &["cp852"],
    },
    Language {
        code: "pt",
        sentences: [
            "Os irmãos não voltaram da estação antes da manhã.",
            "A janela da cozinha dá para um jardim de limões.",
            "Amanhã começam as lições de português.",
            "Ninguém sabe quem escreveu esta canção.",
        ],
        standard: &["windows-1252"],
        others: &["cp850", "cp860"],
    },
    Language {
        code: "ru",
        sentences: [
            "Вчера вечером сосед принёс свежую рыбу и хлеб.",
            "На верхней полке лежали пыльные тетради.",
            "Дети бежали через луг к деревянному мосту.",
            "Никто не знает, кто сочинил эту песню.",
        ],
        standard: &["windows-1251", "koi8-r", "ibm866", "iso-8859-5", "x-mac-cyrillic"],
        others: &["cp855"],
    },
    Language {
        code: "th",
        sentences: [
            "เมื่อวานตอนเย็นฉันพบเพื่อนที่หน้าสถานี",
            "บ้านหลังเล็กบนภูเขาไม่มีใครอยู่",
            "ถ้าฝนหยุดเราจะเดินไปที่แม่น้ำ",
            "ไม่มีใครรู้ว่าใครเขียนจดหมายนี้",
        ],
        standard: &["windows-874"],
        others: &[],
    },
    Language {
        code: "tr",
        sentences: [
            "Dün akşam komşumuz taze balık ve ekmek getirdi.",
            "Yaşlı öğretmen çocuklara uzun bir masal anlattı.",
            "Yağmur dinince ırmağın kıyısına yürüyeceğiz.",
            "Bu şarkıyı kimin yazdığını bilen yok.",
        ],
        standard: &["windows-1254"],
        others: &["cp857", "macturkish"],
    },
    Language {
        code: "vi",
        sentences: [
            "Tối hôm qua tôi gặp một người bạn cũ trước nhà ga.",
            "Ngôi nhà nhỏ trên núi không có ai ở.",
            "Nếu trời tạnh mưa, chúng ta sẽ đi bộ ra bờ sông.",
            "Không ai biết người nào đã viết bức thư này.",
        ],
        standard: &[],
        others: &["viscii", "tcvn5712-1"],
    },
    Language {
        code: "zh",
        sentences: [
            "昨天晚上我在旧车站前面遇见了一个朋友。",
            "山上的小房子里没有人住。",
            "雨停了以后，我们走到河边去。",
            "没有人知道这封信是谁写的。",
        ],
        standard: &["gbk", "gb18030"],
        others: &[],
    },
    Language {
        code: "zh-tw",
        sentences: [
            "昨天晚上我在舊車站前面遇見了一個朋友。",
            "山上的小房子裡沒有人住。",
            "雨停了以後，我們走到河邊去。",
            "沒有人知道這封信是誰寫的。",
        ],
        standard: &["big5"],
        others: &[],
    },
];

/// Numbers that are the same in each run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn choose<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    fn bytes(&mut self, length: usize, least: u8) -> Vec<u8> {
        (0..length).map(|_| least + self.below(256 - usize::from(least)) as u8).collect()
    }
}

/// What must become of a file.
enum Truth {
    /// This text, or nothing with a reason. `is_declared` says that a declaration beyond the Standard tells the
    /// charset, so that the file must be converted.
    Text { text: String, is_standard: bool, is_declared: bool },
    /// Nothing.
    Stays,
}

fn encode(text: &str, label: &str) -> Option<Vec<u8>> {
    let unit = |unit: u16, is_big: bool| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() };
    let wide = |text: &str, is_big| text.encode_utf16().flat_map(|code| unit(code, is_big)).collect::<Vec<_>>();
    match label {
        "utf-8" => return Some(text.into()),
        "utf-8-bom" => return Some([b"\xEF\xBB\xBF", text.as_bytes()].concat()),
        "utf-16le" => return Some(wide(text, false)),
        "utf-7" => return Some(utf_7(text)),
        "utf-16be-bom" => return Some(wide(&format!("\u{FEFF}{text}"), true)),
        _ => {}
    }
    let mut bytes = vec![0; text.len() * 4 + 16];
    let encoded = Charset::for_label(label).unwrap().new_encoder().unwrap().encode(text, &mut bytes, true);
    bytes.truncate(encoded.written);
    // Some sentences have a character that an encoding does not have.
    (encoded.read == text.len()).then_some(bytes)
}

/// UTF-7, in which each character beyond ASCII is a piece of base64.
fn utf_7(text: &str) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    for character in text.chars() {
        if character.is_ascii() && !matches!(character, '+' | '\\' | '~') {
            bytes.push(character as u8);
            continue;
        }
        let (mut bits, mut length) = (0_u64, 0);
        for &mut unit in character.encode_utf16(&mut [0; 2]) {
            (bits, length) = (bits << 16 | u64::from(unit), length + 16);
        }
        let digits = u32::div_ceil(length, 6);
        bits <<= digits * 6 - length;
        bytes.push(b'+');
        bytes.extend((0..digits).rev().map(|digit| DIGITS[(bits >> (digit * 6) & 0x3F) as usize]));
        bytes.push(b'-');
    }
    bytes
}

/// A text of a kind: its extension, what it is before, and what it is after the update of its declaration.
fn text(chance: &mut Chance, language: &Language, label: &str) -> (&'static str, String, String) {
    let number = chance.choose(&[1, 2, 3, 8, 40]);
    let sentences: Vec<_> = (0..number).map(|_| chance.choose(&language.sentences)).collect();
    let lines =
        |before: &str, after: &str| sentences.iter().map(|line| format!("{before}{line}{after}\n")).collect::<String>();
    let same = |extension, text: String| (extension, text.clone(), text);
    let declared = |extension, format: &dyn Fn(&str) -> String, name: &str| (extension, format(label), format(name));
    let is_declarable = [language.standard, language.others, &["utf-8", "utf-7"]].concat().contains(&label);
    // The definition of .properties is a declaration, too: of ISO-8859-1.
    match chance.below(if is_declarable { 11 } else { 5 }) {
        0 => same("txt", lines("", "")),
        1 => same("md", format!("# {}\r\n\r\n", sentences[0]) + &lines("* ", "\r")),
        2 => same("csv", lines("1;", ";0.5")),
        3 => same("c", lines("/* ", " */\nint f(int a) { return a + 1; }")),
        4 => same("srt", lines("1\n00:00:01,000 --> 00:00:02,000\n", "\n")),
        5 => {
            let text = lines("key = ", "");
            // What is in Unicode by its bytes stays readable for the programs that read it.
            let is_unicode = label == "utf-8" || label.ends_with("-bom");
            let converted = if is_unicode { text.clone() } else { with_escapes_of_java(&text) };
            ("properties", text, converted)
        }
        6 => declared("html", &|name| format!("<!doctype html><meta charset={name}>\n{}", lines("<p>", "")), "UTF-8"),
        7 => declared(
            "xml",
            &|name| format!("<?xml version='1.0' encoding='{name}'?>\n<a>{}</a>", lines("", "")),
            "UTF-8",
        ),
        8 => declared("css", &|name| format!("@charset \"{name}\";\n{}", lines("/* ", " */")), "UTF-8"),
        9 => declared("py", &|name| format!("# -*- coding: {name} -*-\n{}", lines("# ", "")), "utf-8"),
        _ => declared(
            "po",
            &|name| {
                format!("msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset={name}\\n\"\n{}", lines("# ", ""))
            },
            "UTF-8",
        ),
    }
}

/// What a properties file becomes, which Java reads as ISO-8859-1.
fn with_escapes_of_java(text: &str) -> String {
    let escape = |unit: u16| match u8::try_from(unit) {
        Ok(byte) if byte.is_ascii() => char::from(byte).to_string(),
        _ => format!("\\u{unit:04X}"),
    };
    text.encode_utf16().map(escape).collect()
}

/// Files that are no text, or damaged, or in UTF-8 already.
fn others(chance: &mut Chance) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for number in 0..TEXTS.div_ceil(100) {
        let mut add = |name: &str, bytes: Vec<u8>| files.push((format!("{number}-{name}"), bytes));
        let length = 20 + chance.below(300);
        add("picture.png", [&b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"[..], &chance.bytes(length, 0)].concat());
        add("archive.gz", [&b"\x1F\x8B\x08\0\0\0\0\0"[..], &chance.bytes(length, 0)].concat());
        add("random", chance.bytes(length, 0));
        add("without-zeros", chance.bytes(length, 1));
        add("without-controls", chance.bytes(length, 32));
        add("digest", chance.bytes(64, 0));
        add("x.torrent", [&b"d8:announce4:http4:infod4:name1:x6:pieces20:"[..], &chance.bytes(20, 0), b"ee"].concat());

        let language = &LANGUAGES[chance.choose(&[1, 2, 5, 9, 11, 13])];
        let text = language.sentences.join("\n").repeat(4);
        let legacy = encode(&text, language.standard[0]).unwrap();
        let cut = text.rfind(|character: char| !character.is_ascii()).unwrap() + 1;
        add("cut.txt", text.as_bytes()[..cut].into());
        add("hole.txt", [&text.as_bytes()[..cut], &text.as_bytes()[cut + 1..]].concat());
        add("utf-8-and-legacy.txt", [text.as_bytes(), b"\n", &legacy[..legacy.len() / 4]].concat());
        add("zero.txt", [&legacy[..legacy.len() / 2], b"\0", &legacy[legacy.len() / 2..]].concat());
        add("zeros.txt", [text.as_bytes(), &[0; 100]].concat());
        add("powershell.log", [text.as_bytes(), b"\r\n", &encode(&text, "utf-16le").unwrap()].concat());
        add("half-a-unit.txt", [&encode(&text, "utf-16be-bom").unwrap()[..], b"\0"].concat());
        add("declared.html", [&b"<!doctype html><meta charset=utf-8><p>"[..], &legacy].concat());
        add("twice.txt", legacy.iter().map(|&byte| char::from(byte)).collect::<String>().into());
        add("lost.txt", text.replace('e', "\u{FFFD}").into());
        add("empty.txt", Vec::new());
        add("one.txt", vec![0xFF]);
        add("degree.csv", b"20 \xA1C;5\n".into());
        add("control.txt", b"it\x81s\n".into());
    }
    files
}

#[test]
fn the_command_for_a_folder_converts_no_file_wrongly_and_names_the_others() {
    let room = Room::new();
    let mut chance = Chance(1);
    let mut truths = BTreeMap::new();
    for number in 0..TEXTS {
        let language = &LANGUAGES[number % LANGUAGES.len()];
        let label = match chance.below(10) {
            0..5 if !language.standard.is_empty() => chance.choose(language.standard),
            5..8 if !language.others.is_empty() => chance.choose(language.others),
            _ => chance.choose(&["utf-8", "utf-8-bom", "utf-16le", "utf-16be-bom", "utf-7"]),
        };
        let (extension, old, text) = text(&mut chance, language, label);
        let Some(bytes) = encode(&old, label) else { continue };
        let directory = chance.choose(&["", "a/", "b c/", "--d/"]);
        let name = format!("tree/{directory}{number}-{label}-{}.{extension}", language.code);
        room.write(&name, &bytes);
        let is_ebcdic = label == "cp037" || label == "cp273";
        // Nothing can read a declaration in EBCDIC but that of XML, and UTF-7 in markup is not believed.
        let is_declared = match extension {
            "xml" => label != "utf-7",
            "html" | "css" => label != "utf-7" && !is_ebcdic,
            "py" | "po" => !is_ebcdic,
            _ => false,
        };
        let is_standard = language.standard.contains(&label);
        let is_declared = is_declared && (label == "utf-7" || language.others.contains(&label));
        truths.insert(name, (bytes, Truth::Text { text, is_standard, is_declared }));
    }
    for (name, bytes) in others(&mut chance) {
        let name = format!("tree/others/{name}");
        room.write(&name, &bytes);
        truths.insert(name, (bytes, Truth::Stays));
    }

    let output = room.textcodec(&format!("{COMMAND} --verbose tree")).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    let (mut right, mut standard, mut declared) = (0, 0, 0);
    let mut faults = Vec::new();
    for (name, (old, truth)) in &truths {
        let new = room.read(name);
        let is_named = said.contains(&**name);
        match truth {
            _ if !is_named => faults.push(format!("{name}: not named")),
            Truth::Stays if new != *old => {
                faults.push(format!("{name}: {:?}", String::from_utf8_lossy(&new[..new.len().min(60)])));
            }
            Truth::Text { text, .. } if new != *old && new != text.as_bytes() => {
                faults.push(format!("{name}: {:?}", String::from_utf8_lossy(&new).lines().next()));
            }
            Truth::Text { text, is_declared: true, .. } => {
                declared += 1;
                if new != text.as_bytes() {
                    faults.push(format!("{name}: not converted"));
                }
            }
            Truth::Text { text, is_standard: true, .. } => {
                standard += 1;
                right += usize::from(new == text.as_bytes());
            }
            _ => {}
        }
        let has_backup = room.path(&format!("{name}.orig")).exists();
        if has_backup != (new != *old) || has_backup && room.read(&format!("{name}.orig")) != *old {
            faults.push(format!("{name}: the old file is not kept"));
        }
    }
    assert!(faults.is_empty(), "{} of {} files:\n{}\n{said}", faults.len(), truths.len(), faults.join("\n"));
    assert!(declared * 25 > truths.len(), "only {declared} files declare a charset beyond the Standard");
    assert!(right * 4 > standard * 3, "only {right} of {standard} files are converted:\n{said}");

    let state = || {
        let files = room.tree().into_iter().map(|name| (room.read(&name), name));
        let with_time = |(bytes, name): (Vec<u8>, String)| {
            let modified = fs::metadata(room.path(&name)).unwrap().modified().unwrap();
            (name, bytes, modified)
        };
        files.map(with_time).collect::<Vec<(String, Vec<u8>, SystemTime)>>()
    };
    let before = state();
    let output = room.textcodec(&format!("{COMMAND} tree")).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("\ntextcodec: 0 converted"), "{message}");
    assert_eq!(state(), before);
}

#[test]
fn mails_and_tex_files_are_read_as_they_declare() {
    let room = Room::new();
    let mail = |content_type: &str, encoding: &str| {
        format!(
            "From: a@example.org\r\nDate: today\r\nContent-Type: {content_type}\r\nContent-Transfer-Encoding: \
             {encoding}\r\n\r\nPříliš žluťoučký kůň\r\n"
        )
    };
    let plain = |label: &str| mail(&format!("text/plain;\r\n\tcharset=\"{label}\""), "8bit");
    let tex = |name: &str| format!("% !TEX encoding = {name}\n\\relax Příliš žluťoučký\n");
    for (name, label, old, new) in [
        ("a.eml", "iso-8859-2", plain("iso-8859-2"), Some(plain("UTF-8"))),
        ("b.eml", "cp852", plain("cp852"), Some(plain("UTF-8"))),
        ("c.tex", "iso-8859-2", tex("IsoLatin2"), Some(tex("UTF-8 Unicode"))),
        ("d.tex", "windows-1250", tex("windows-1250"), Some(tex("UTF-8 Unicode"))),
        ("parts.eml", "iso-8859-2", mail("multipart/mixed; boundary=x", "8bit"), None),
        ("encoded.eml", "iso-8859-2", mail("text/plain; charset=utf-8", "quoted-printable"), None),
        ("mbox", "iso-8859-2", format!("From a@example.org Mon\r\n{}", plain("iso-8859-2")), None),
    ] {
        room.write(name, &encode(&old, label).unwrap());
        let mut command = room.textcodec(&format!("{COMMAND} {name}"));
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let expected = new.clone().map_or_else(|| encode(&old, label).unwrap(), String::into_bytes);
        assert_eq!(room.read(name), expected, "{name}: {said}");
        assert_eq!(said.contains("the header Content-Type of the mail names"), new.is_none(), "{name}: {said}");
        command.output().unwrap();
        assert_eq!(room.read(name), expected, "{name}: a second run");
    }
}

#[test]
fn the_readme_has_this_command() {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
    assert!(readme.contains(&format!("options=\"{}\"", COMMAND.strip_prefix("convert ").unwrap())));
}
