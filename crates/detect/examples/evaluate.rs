//! Measures the detector with texts of yours.
//!
//! `cargo run --release -p textcodec-detect --example evaluate -- FOLDER…` cuts pieces of 20 to 4,096 bytes from the
//! files `xx.txt` and `xx.html` of each folder, in every encoding of their language, and prints the percentage of right
//! answers. Without folders it takes the folder that TEXTCODEC_CORPORA names. An answer is right if decoding with it
//! gives the same text. Files in folders named after their encoding, such as `windows-1251-russian/a.txt`, are taken as
//! they are.
//!
//! `--errors` prints each wrong answer, `--speed` measures the time, `--margins` prints how often the answer is right
//! for each margin, and `--write` writes the pieces to the folder `pieces`, for other detectors. `--tiers` adds pieces
//! in code pages of DOS and mainframes, in character sets of the classic Mac OS, in Johab, and in encodings of
//! Vietnamese, for which these tiers compete. `--all-tiers` lets all tiers compete for all pieces.

use std::{collections::BTreeMap, env, fs, path::Path, time::Instant};

use textcodec::Encoding;
use textcodec_charsets::{Charset, Family};
use textcodec_detect::{Detection, Options, Tier, Verdict, detect_with};

/// The encodings of each language, by the start of the file's name.
const ENCODINGS: &[(&str, &[&str])] = &[
    ("ar", &["windows-1256", "iso-8859-6"]),
    ("be", &["windows-1251", "iso-8859-5", "koi8-u"]),
    ("bg", &["windows-1251", "iso-8859-5", "x-mac-cyrillic", "ibm866"]),
    ("ca", &["windows-1252", "iso-8859-15"]),
    ("cs", &["windows-1250", "iso-8859-2"]),
    ("da", &["windows-1252", "iso-8859-15", "macintosh"]),
    ("de", &["windows-1252", "iso-8859-15", "macintosh"]),
    ("el", &["windows-1253", "iso-8859-7"]),
    ("en", &["windows-1252", "macintosh"]),
    ("eo", &["iso-8859-3"]),
    ("es", &["windows-1252", "iso-8859-15", "macintosh"]),
    ("et", &["windows-1257", "iso-8859-15"]),
    ("fa", &["windows-1256"]),
    ("fi", &["windows-1252", "iso-8859-15", "macintosh"]),
    ("fr", &["windows-1252", "iso-8859-15", "macintosh"]),
    ("ga", &["windows-1252", "iso-8859-14"]),
    ("he", &["windows-1255", "iso-8859-8"]),
    ("hr", &["windows-1250", "iso-8859-2"]),
    ("hu", &["windows-1250", "iso-8859-2"]),
    ("id", &["windows-1252"]),
    ("is", &["windows-1252"]),
    ("it", &["windows-1252", "iso-8859-15", "macintosh"]),
    ("ja", &["shift_jis", "euc-jp", "iso-2022-jp"]),
    ("ko", &["euc-kr"]),
    ("lt", &["windows-1257", "iso-8859-13", "iso-8859-4"]),
    ("lv", &["windows-1257", "iso-8859-13", "iso-8859-4"]),
    ("mk", &["windows-1251", "iso-8859-5", "x-mac-cyrillic"]),
    ("nb", &["windows-1252", "iso-8859-15", "macintosh"]),
    ("nl", &["windows-1252", "iso-8859-15", "macintosh"]),
    ("pl", &["windows-1250", "iso-8859-2", "iso-8859-13"]),
    ("pt", &["windows-1252", "macintosh"]),
    ("ro", &["windows-1250", "iso-8859-2", "iso-8859-16"]),
    ("ru", &["windows-1251", "koi8-r", "iso-8859-5", "ibm866", "x-mac-cyrillic"]),
    ("sk", &["windows-1250", "iso-8859-2"]),
    ("sl", &["windows-1250", "iso-8859-2"]),
    ("sr", &["windows-1251", "iso-8859-5"]),
    ("sv", &["windows-1252", "iso-8859-15", "macintosh"]),
    ("th", &["windows-874"]),
    ("tr", &["windows-1254"]),
    ("uk", &["windows-1251", "koi8-u", "x-mac-cyrillic"]),
    ("vi", &["windows-1258"]),
    ("zh_cn", &["gbk", "gb18030"]),
    ("zh_tw", &["big5"]),
    ("zh-Hans", &["gbk", "gb18030"]),
    ("zh-Hant", &["big5"]),
];

/// The charsets of tiers in which each language is written.
const TIERS: &[(&str, &[&str])] = &[
    ("ar", &["CP720"]),
    ("bg", &["IBM855", "MIK"]),
    ("cs", &["IBM852"]),
    ("da", &["IBM850", "IBM865"]),
    ("de", &["IBM437", "IBM850"]),
    ("el", &["CP737", "IBM869"]),
    ("es", &["IBM437", "IBM850"]),
    ("fi", &["IBM437", "IBM850"]),
    ("fr", &["IBM850", "IBM863"]),
    ("he", &["IBM862"]),
    ("hu", &["IBM852"]),
    ("it", &["IBM437", "IBM850"]),
    ("nl", &["IBM850"]),
    ("pl", &["IBM852"]),
    ("pt", &["IBM850", "IBM860"]),
    ("ro", &["IBM852"]),
    ("ru", &["IBM855"]),
    ("sv", &["IBM437", "IBM850"]),
    ("tr", &["IBM857"]),
    ("uk", &["CP1125"]),
    ("ar", &["MACARABIC"]),
    ("cs", &["MAC-CENTRALEUROPE"]),
    ("el", &["MACGREEK"]),
    ("he", &["MACHEBREW"]),
    ("hu", &["MAC-CENTRALEUROPE"]),
    ("pl", &["MAC-CENTRALEUROPE"]),
    ("ro", &["MACROMANIAN"]),
    ("th", &["MACTHAI"]),
    ("tr", &["MACTURKISH"]),
    ("cs", &["IBM870"]),
    ("de", &["IBM273", "IBM500"]),
    ("el", &["IBM875"]),
    ("en", &["IBM037"]),
    ("es", &["IBM037", "IBM284"]),
    ("fr", &["IBM297", "IBM500"]),
    ("it", &["IBM280"]),
    ("pl", &["IBM870"]),
    ("ru", &["IBM1025"]),
    ("sv", &["IBM278"]),
    ("tr", &["IBM1026"]),
    ("ko", &["JOHAB"]),
    ("vi", &["VISCII", "TCVN5712-1"]),
];

const SIZES: [usize; 6] = [20, 40, 80, 160, 640, 4096];

/// One piece of text in an encoding.
struct Case {
    set: String,
    encoding: String,
    size: usize,
    bytes: Vec<u8>,
}

/// A generator of numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (flags, mut folders): (Vec<_>, Vec<_>) = arguments.into_iter().partition(|a| a.starts_with("--"));
    if folders.is_empty() {
        folders.extend(env::var("TEXTCODEC_CORPORA"));
    }
    let has = |flag: &str| flags.iter().any(|other| other == flag);
    let mut cases = Vec::new();
    for folder in &folders {
        collect(Path::new(folder), has("--tiers"), &mut cases);
    }
    if has("--speed") {
        speed(&cases);
    }
    if has("--write") {
        write(&cases);
    }
    if has("--margins") {
        margins(&cases);
    }
    report(&cases, has("--errors"));
}

/// Writes each piece to a file whose name has its number, its set, its encoding and its size.
fn write(cases: &[Case]) {
    fs::create_dir_all("pieces").unwrap();
    for (number, Case { set, encoding, size, bytes }) in cases.iter().enumerate() {
        fs::write(format!("pieces/{number},{set},{encoding},{size}"), bytes).unwrap();
    }
}

/// Prints the share of right answers by margin and by the number of bytes beyond ASCII, to fit probabilities to it.
fn margins(cases: &[Case]) {
    let mut table: BTreeMap<(u32, u32), (u32, u32, f32)> = BTreeMap::new();
    for case in cases.iter().filter(|case| case.set.ends_with("legacy") || case.set.ends_with("mac")) {
        let detection = detect_case(case);
        let Some(margin) = detection.margin() else { continue };
        let high = case.bytes.iter().filter(|byte| !byte.is_ascii()).count() as f32;
        let cell = table.entry((high.log2() as u32 / 2, (margin.max(0.0) * 2.0).sqrt() as u32)).or_default();
        cell.0 += u32::from(is_right(case, &detection));
        cell.1 += 1;
        cell.2 += margin;
    }
    for ((high, _), (right, all, sum)) in table {
        let share = 100.0 * right as f32 / all as f32;
        println!("from {} bytes: margin {:.1}: {right} of {all}, {share:.1} %", 1 << (2 * high), sum / all as f32);
    }
}

/// The cases of a folder.
fn collect(folder: &Path, has_tiers: bool, cases: &mut Vec<Case>) {
    let mut paths: Vec<_> = fs::read_dir(folder).expect("the folder").map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let folder_name = folder.file_name().unwrap().to_string_lossy().into_owned();
    let mut random = Random(0x5EED_2026);
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            for file in fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()).filter(|file| file.is_file()) {
                let bytes = fs::read(&file).unwrap();
                let name = name.to_lowercase();
                let encoding = label(&name);
                let size = usize::MAX;
                cases.push(Case { set: "files".to_owned(), encoding, size, bytes });
            }
        } else if let Some((language, kind @ ("txt" | "html"))) = name.rsplit_once('.') {
            let Some((_, encodings)) = ENCODINGS.iter().find(|(code, _)| *code == language) else { continue };
            let text = fs::read_to_string(&path).unwrap();
            for encoding in *encodings {
                pieces(&text, language, encoding, kind, &folder_name, &mut random, cases);
            }
            let tiers = TIERS.iter().filter(|(code, _)| has_tiers && *code == language);
            for encoding in tiers.flat_map(|(_, encodings)| *encodings) {
                pieces(&text, language, encoding, kind, &folder_name, &mut random, cases);
            }
            for encoding in ["utf-8", "utf-16le", "utf-16be"] {
                pieces(&text, language, encoding, kind, &folder_name, &mut random, cases);
            }
        }
    }
}

/// The label in the name of a folder such as `windows-1251-russian`.
fn label(name: &str) -> String {
    let mut label = name.replace('_', "-");
    loop {
        let standard = match &label[..] {
            "maccyrillic" | "mac-cyrillic" => "x-mac-cyrillic",
            "macroman" | "mac-roman" => "macintosh",
            "cp949" => "euc-kr",
            "cp932" => "shift_jis",
            "shift-jis" => "shift_jis",
            "utf-8-sig" => "utf-8",
            "utf-16" => "utf-16le",
            other => other,
        };
        if Encoding::for_label(standard.as_bytes()).is_ok() {
            return standard.to_owned();
        }
        match label.rsplit_once('-') {
            Some((start, _)) => label = start.to_owned(),
            None => return name.to_owned(),
        }
    }
}

fn encode(text: &str, label: &str) -> Option<Vec<u8>> {
    match label {
        "utf-16le" => return Some(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        "utf-16be" => return Some(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        _ => {}
    }
    if let Some((charset, _)) = charset(label) {
        return charset.encode_or_fail(text).ok();
    }
    let encoding = Encoding::for_label(label.as_bytes()).unwrap();
    encoding.encode_or_fail(text).ok().map(std::borrow::Cow::into_owned)
}

/// The charset beyond the Standard with this name, and its tier.
fn charset(name: &str) -> Option<(Charset, Tier)> {
    let charset = Charset::all().find(|charset| charset.name() == name)?;
    let tier = match charset.family() {
        Family::Mac => Tier::Mac,
        Family::Ebcdic => Tier::Ebcdic,
        Family::EastAsian => Tier::Johab,
        Family::Regional => Tier::Vietnamese,
        _ => Tier::Dos,
    };
    Encoding::for_label(name).is_err().then_some((charset, tier))
}

/// The answer for a piece. The tier of its encoding competes.
fn detect_case(case: &Case) -> Detection {
    let mut options = charset(&case.encoding).map_or_else(Options::new, |(_, tier)| Options::new().tier(tier));
    if env::args().any(|argument| argument == "--all-tiers") {
        let tiers = [Tier::Dos, Tier::Mac, Tier::Ebcdic, Tier::Johab, Tier::Vietnamese];
        options = tiers.into_iter().fold(options, Options::tier);
    }
    detect_with(&case.bytes, &options)
}

/// Text with what people write where an encoding lacks a character; other characters without bytes are left out.
fn adapted(text: &str, label: &str) -> String {
    let mut adapted = String::new();
    for character in text.chars() {
        let mut buffer = [0; 4];
        if character.is_ascii() || encode(character.encode_utf8(&mut buffer), label).is_some() {
            adapted.push(character);
            continue;
        }
        match character {
            '’' | '‘' => adapted.push('\''),
            '“' | '”' | '„' => adapted.push('"'),
            '–' | '—' | '−' => adapted.push('-'),
            '…' => adapted.push_str("..."),
            'ș' => adapted.push('ş'),
            'ț' => adapted.push('ţ'),
            'Ș' => adapted.push('Ş'),
            'Ț' => adapted.push('Ţ'),
            _ if label == "windows-1258" => adapted.push_str(&with_marks(character)),
            _ => {}
        }
    }
    adapted
}

/// A Vietnamese vowel as a vowel that windows-1258 has and a mark.
fn with_marks(character: char) -> String {
    const ROWS: [(char, &str); 12] = [
        ('a', "àảãáạ"),
        ('ă', "ằẳẵắặ"),
        ('â', "ầẩẫấậ"),
        ('e', "èẻẽéẹ"),
        ('ê', "ềểễếệ"),
        ('i', "ìỉĩíị"),
        ('o', "òỏõóọ"),
        ('ô', "ồổỗốộ"),
        ('ơ', "ờởỡớợ"),
        ('u', "ùủũúụ"),
        ('ư', "ừửữứự"),
        ('y', "ỳỷỹýỵ"),
    ];
    let small = character.to_lowercase().next().unwrap();
    for (vowel, row) in ROWS {
        if let Some(place) = row.chars().position(|other| other == small) {
            let vowel = if small == character { vowel } else { vowel.to_uppercase().next().unwrap() };
            return format!("{vowel}{}", ['\u{300}', '\u{309}', '\u{303}', '\u{301}', '\u{323}'][place]);
        }
    }
    String::new()
}

/// Adds pieces of each size, in whole characters, and for long characters also cut inside of them.
fn pieces(
    text: &str,
    language: &str,
    label: &str,
    kind: &str,
    folder: &str,
    random: &mut Random,
    cases: &mut Vec<Case>,
) {
    let adapted: Vec<char> = adapted(text, label).chars().collect();
    let is_unicode = label.starts_with("utf");
    let number = if is_unicode { 3 } else { 10 };
    let is_legacy_mac = label == "macintosh" || label == "x-mac-cyrillic";
    let group = match label {
        _ if charset(label).is_some() => match charset(label) {
            Some((_, Tier::Mac)) => "tier-mac",
            Some((_, Tier::Ebcdic)) => "tier-ebcdic",
            Some((_, Tier::Johab)) => "tier-johab",
            Some((_, Tier::Vietnamese)) => "tier-vietnamese",
            _ => "tier-dos",
        },
        "utf-8" => "utf-8",
        _ if is_unicode => "utf-16",
        _ if is_legacy_mac => "mac",
        _ => "legacy",
    };
    if is_legacy_mac && language == "en" {
        return;
    }
    for size in SIZES {
        for _ in 0..number {
            let found = (0..60).find_map(|_| {
                let start = random.below(adapted.len());
                let end = adapted.len().min(start + size);
                let mut piece = &adapted[start..end];
                loop {
                    let text: String = piece.iter().collect();
                    let bytes = encode(&text, label)?;
                    if bytes.len() <= size {
                        let is_enough = bytes.len() * 5 >= size * 4 && !text.is_ascii();
                        return is_enough.then_some(bytes);
                    }
                    piece = &piece[..piece.len() - ((bytes.len() - size) / 4).max(1)];
                }
            });
            if let Some(bytes) = found {
                let set = format!("{folder}-{kind}-{group}");
                cases.push(Case { set, encoding: label.to_owned(), size, bytes });
            }
        }
    }
    if kind == "txt" && matches!(label, "utf-8" | "shift_jis" | "euc-jp" | "euc-kr" | "gbk" | "big5") {
        let text: String = adapted.iter().collect();
        let bytes = encode(&text, label).unwrap();
        for size in SIZES {
            for _ in 0..4 {
                let start = random.below(bytes.len().saturating_sub(size));
                let piece = bytes[start..bytes.len().min(start + size)].to_vec();
                if !piece.is_ascii() {
                    let set = format!("{folder}-mid-{group}");
                    cases.push(Case { set, encoding: label.to_owned(), size, bytes: piece });
                }
            }
        }
    }
}

/// The text that an encoding gives, without a byte order mark.
fn decode(bytes: &[u8], label: &str) -> Option<String> {
    let Ok(encoding) = Encoding::for_label(label.as_bytes()) else {
        return charset(label).map(|(charset, _)| charset.decode(bytes).0);
    };
    Some(encoding.decode_with_bom_removal(bytes).0.into_owned())
}

fn is_right(case: &Case, detection: &Detection) -> bool {
    match detection.best() {
        None => matches!(detection.verdict(), Verdict::Binary(_)) && case.encoding.contains("binary"),
        Some(best) if best.name().eq_ignore_ascii_case(&case.encoding) => true,
        Some(best) => {
            let answer = decode(&case.bytes, best.name());
            answer.is_some() && answer == decode(&case.bytes, &case.encoding)
        }
    }
}

/// Prints the table, and how well the probabilities are calibrated.
fn report(cases: &[Case], prints_errors: bool) {
    let mut table: BTreeMap<(String, usize), (usize, usize)> = BTreeMap::new();
    let mut sums: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut by_encoding: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut bins = vec![(0_usize, 0_usize, 0.0_f64); 20];
    let (mut sure, mut sure_and_wrong) = (0, 0);
    for case in cases {
        let detection = detect_case(case);
        let right = is_right(case, &detection);
        let add = |entry: &mut (usize, usize)| {
            entry.0 += usize::from(right);
            entry.1 += 1;
        };
        add(table.entry((case.set.clone(), case.size)).or_default());
        add(sums.entry(case.set.clone()).or_default());
        add(by_encoding.entry(format!("{} {}", case.set, case.encoding)).or_default());
        let probability = detection.best().map_or(0.0, |best| f64::from(best.probability()));
        if case.set.ends_with("legacy") || case.set.ends_with("mac") {
            let bin = &mut bins[((probability * 20.0) as usize).min(19)];
            bin.0 += usize::from(right);
            bin.1 += 1;
            bin.2 += probability;
            if probability >= 0.95 && case.bytes.len() >= 32 {
                sure += 1;
                sure_and_wrong += usize::from(!right);
            }
        }
        if prints_errors && !right {
            let shown: String = decode(&case.bytes, &case.encoding).unwrap_or_default().chars().take(60).collect();
            let answer = |candidate: &textcodec_detect::Candidate| {
                let language = candidate.language().unwrap_or("-");
                format!("{} {language} {:.3}", candidate.name(), candidate.probability())
            };
            let answers: Vec<String> = detection.candidates().iter().take(3).map(answer).collect();
            println!(
                "{}\t{}\t{}\t{:?}\t{}\t{shown:?}",
                case.set,
                case.encoding,
                case.bytes.len(),
                detection.verdict(),
                answers.join(", "),
            );
        }
    }
    println!("{:<24}{}   all", "set", SIZES.map(|size| format!("{size:>7}")).concat());
    for (set, (right, all)) in &sums {
        let cells = SIZES.map(|size| match table.get(&(set.clone(), size)) {
            Some((right, all)) => format!("{:7.1}", 100.0 * *right as f64 / *all as f64),
            None => "      -".to_owned(),
        });
        println!("{set:<24}{}{:6.1} ({all})", cells.concat(), 100.0 * *right as f64 / *all as f64);
    }
    let worst: Vec<String> = by_encoding
        .iter()
        .filter(|(_, (right, all))| *right * 100 < *all * 97)
        .map(|(name, (right, all))| format!("{name} {:.1}", 100.0 * *right as f64 / *all as f64))
        .collect();
    println!("below 97: {}", worst.join(", "));
    let total: usize = bins.iter().map(|bin| bin.1).sum();
    let error: f64 = bins.iter().map(|(right, _, sum)| (*right as f64 - sum).abs()).sum();
    println!("expected calibration error {:.2} % of {total}", 100.0 * error / total as f64);
    println!(
        "wrong with probability >= 0.95: {sure_and_wrong} of {sure} = {:.2} %",
        100.0 * sure_and_wrong as f64 / sure as f64
    );
}

/// The time in seconds that this thread has had a processor, or on other systems than Linux the time that has passed.
fn time(start: Instant) -> f64 {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat");
    let on_processor = statistics.ok().and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    on_processor.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// The least time of a detection in seconds, out of several runs of some ten milliseconds.
fn least_time(bytes: &[u8]) -> f64 {
    let repetitions = (4_000_000 / (bytes.len() + 2000)).max(2);
    let start = Instant::now();
    let run = |_| {
        let before = time(start);
        for _ in 0..repetitions {
            std::hint::black_box(detect_with(std::hint::black_box(bytes), &Options::new()));
        }
        (time(start) - before) / repetitions as f64
    };
    (0..3).map(run).fold(f64::MAX, f64::min)
}

/// Prints the times of pieces of each size, and the speed for a megabyte in each encoding.
fn speed(cases: &[Case]) {
    for size in [80, 640, 4096] {
        let cases = cases.iter().filter(|case| case.size == size && case.set.contains("txt-legacy")).step_by(9);
        let mut times: Vec<f64> =
            cases.map(|case| least_time(&case.bytes) * 1e6 / case.bytes.len() as f64 * 1024.0).collect();
        times.sort_by(f64::total_cmp);
        if !times.is_empty() {
            let at = |part: usize| times[(times.len() - 1) * part / 100];
            println!("{size} bytes: {:.1} µs for 1 KB (median), {:.1} (90 %), {:.1} (most)", at(50), at(90), at(100));
        }
    }
    let mut seen = Vec::new();
    for case in cases.iter().filter(|case| case.size == 4096 && case.set.contains("txt")) {
        if !seen.contains(&case.encoding) {
            seen.push(case.encoding.clone());
            let megabyte = case.bytes.repeat(256);
            println!("1 MB of {}: {:.0} MB/s", case.encoding, megabyte.len() as f64 / least_time(&megabyte) / 1e6);
        }
    }
}
