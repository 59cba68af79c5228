//! Every option of every command, alone and beside others, with all that it does, pinned in `tests/matrix`: the status,
//! both streams, and the files that are other ones afterwards. A line with "$" is a command line, and the lines after
//! it are what it does. A unit test of the program looks at the same files: each option must have an effect there. The
//! files `pairs*` have options beside others, several files of which some fail, and dry runs beside real ones.
//!
//! `TEXTCODEC_PINNED=write cargo test -p textcodec-cli matrix` writes the files after an intended change.
//!
//! A command line with "@" also runs with standard input, and with each option that names another place for the text.
//! Where the result differs in more than its place, it follows.

use std::{
    collections::BTreeMap,
    env, fs,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::Path,
    process::{Command, Stdio},
    time::{Duration, SystemTime},
};

use crate::{
    names_zip::{archive, entry},
    room::Room,
};

/// Texts of "Příliš žluťoučký kůň…" in cp852, and of "Привет, как дела, мир?" in KOI8-R.
const CZECH: &[u8] = b"\xA7lu\x9Cou\x9Fk\xEC k\x85\xE5 \xA3p\xD8l \xD4\xA0belsk\x82 \xA2dy\n";
const RUSSIAN: &[u8] = b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCB\xC1\xCB \xC4\xC5\xCC\xC1, \xCD\xC9\xD2?\n";

/// A page that declares its encoding after its first 1024 bytes.
const FAR: [u8; 1100] = {
    let (start, end) = (b"<!doctype html><title>x</title>", b"<meta charset=koi8-r>\xF0\n");
    let mut page = [b' '; 1100];
    let mut at = 0;
    while at < start.len() {
        page[at] = start[at];
        at += 1;
    }
    at = 0;
    while at < end.len() {
        page[page.len() - end.len() + at] = end[at];
        at += 1;
    }
    page
};

/// The files of a room. A row gets those that it names, and those below the directories that it names.
const FILES: &[(&str, &[u8])] = &[
    ("latin.txt", b"caf\xE9 na\xEFve\r\nzwei \x96 \x80\n"),
    ("utf8.txt", "Größe – 日本 ½ ﬁ\n".as_bytes()),
    ("plain.txt", b"one\ntwo\n"),
    ("empty.txt", b""),
    ("marked.txt", b"\xEF\xBB\xBFcaf\xC3\xA9\n"),
    ("wide.txt", b"\xFF\xFEg\0r\0\xF6\0\xDF\0e\0\n\0"),
    ("bad.txt", b"gr\xC3\xB6\xC3\x9Fe \xE2\x82\nf\xC3\xBCnf \xFF\n"),
    ("damaged.txt", b"Gr\xC3\xB6\xC3\x9Fe f\xC3\xBCr f\xC3\xBCnf F\xC3\xBC\xC3\x9Fe: \xC3\xA4 \xC3\xB6 \xFF\n"),
    (
        "long.txt",
        b"0123456789abcd\n0123456789abcde\n0123456789abcde\n0123456789abcde\n0123456789abcde\n0123456\xFF89abcd\n\
          0123456789abcde\n0123456789abcde\n0123456789abcde\n0123456789abcde\n0123456789abcde\n0123456789abcde\n\
          0123456789abcde\n0123456789abcde\n0123456789abcde\n0123456789abcde\n0123456789abcde\n\xFE\n",
    ),
    ("cut.txt", b"a\xC3"),
    ("far.html", &FAR),
    ("folded.txt", "a\u{2014}b \u{FF5E}\u{301C}\n".as_bytes()),
    ("markedbad.txt", b"\xEF\xBB\xBFcaf\xC3\xA9 \xFF\n"),
    ("crlf.txt", "cafÃ©\r\nfine\r\n".as_bytes()),
    ("magic.txt", b"%PDF-1.4 is no text for a guess: caf\xE9\n"),
    ("euro.properties", b"key=\x80\n"),
    ("end.txt", b"a\x1Ab\n\x1A"),
    ("zeros.txt", b"a\n\0\0\x1A\0"),
    ("classic.txt", b"a\rb\rc\nd\re\n"),
    ("unmappable.txt", "x ☃ – é 日\ny ☃\n".as_bytes()),
    ("forms.txt", "e\u{301} é A\u{30A} Å\n".as_bytes()),
    ("lines.txt", "a\r\nb\nc\rd\u{85}e\n".as_bytes()),
    ("russian.txt", RUSSIAN),
    ("letter.txt", b"pro\xE8\n"),
    ("czech.txt", CZECH),
    ("czech.mac", b"\xEClu\xE9ou\x8Bk\xF9 k\xF3\xCB \x9Cp\x9El \x93\x8Ebelsk\x8E \x97dy\n"),
    ("korean.johab", b"\xC7\xA1\xAFa\xB7\x81 \x89\xA1\xB7A\xB9\xA1\x88\xE5\xB7e \xB7\xB3\xAE\x89\x8F\xA1\x9F\xA1 \xA0e\x90a\xB4\xA1\n"),
    ("vietnamese.viscii", b"Ti\xAAng Vi\xAEt c\xFCa ch\xFAng t\xF4i r\xA4t \xF0\xA9p v\xE0 gi\xE0u\n"),
    (
        "english.ebcdic",
        b"\xE3\x88\x85\x40\x98\xA4\x89\x83\x92\x40\x82\x99\x96\xA6\x95\x40\x86\x96\xA7\x40\x91\xA4\x94\x97\xA2\x40\x96\xA5\x85\x99\x25",
    ),
    ("page.html", b"<meta charset=koi8-r><p>\xF0\xD2\xC9\xD7\xC5\xD4\n"),
    ("late.html", b"<!doctype html><meta charset=koi8-r><?xml?><p>\xF0\xD2\xC9\n"),
    ("page.xml", b"<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><a>\xE9</a>\n"),
    ("style.css", b"@charset \"iso-8859-1\"; a{content:\"\xE9\"}\n"),
    ("twice.html", b"<meta charset=cp278>Gr\x80\n"),
    ("code.py", b"# -*- coding: latin-1 -*-\n# vim: fenc=latin-1\ns = '\xE9'\n"),
    ("m.properties", b"key=caf\xE9\n"),
    ("data.bin", b"\xE9\x01\x02\0\x03\x04\x05\x06\n"),
    ("records.ebc", b"\xC8\xC5\xD3\xD3\xD6\x40\x40\x40\xE6\xD6\xD9\xD3\xC4\x40\x40\x40"),
    ("lines.ebc", b"\x81\x25\x82\x15\x83\x0D\x25"),
    ("mojibake.txt", "cafÃ©\nfine\nSÓ…\ndon\u{92}t\nété Ã©tÃ©\n".as_bytes()),
    ("losses.txt", "Ã\u{FFFD} MÃ¼ller\nÃ¶ fine Ã\u{FFFD}\n".as_bytes()),
    ("mojibake.1251", "РџСЂРёРІРµС‚\n".as_bytes()),
    ("mojibake.437", "ô·û{îΩé╠ò╢Å═\n".as_bytes()),
    ("mojibake.russian", "Ïðèâåò, êàê äåëà, ìèð?\n".as_bytes()),
    ("parts.log", b"caf\xC3\xA9\ncaf\xE9\n\xCF\xF0 \xC3\xA9\n"),
    ("cesu.txt", b"a\xED\xA0\xBD\xED\xB8\x80\n"),
    ("special.txt", "x\u{FEFF}y\n".as_bytes()),
    ("rules", b"[*.txt]\ndeny = mixed-newlines\n[latin.txt]\nencoding = latin1\n[plain.txt]\nskip\n"),
    ("mixed.txt", b"a\r\nb\nc\n"),
    ("bom.txt", b"\xEF\xBB\xBFa\n"),
    ("inner.txt", "a\u{FEFF}b\n".as_bytes()),
    ("nul.txt", b"a\0b\n"),
    ("double.txt", "cafÃ©\n".as_bytes()),
    ("cp437.txt", "caf├⌐ ├⌐t├⌐\n".as_bytes()),
    ("lost.txt", "caf\u{FFFD}\n".as_bytes()),
    ("control.txt", b"a\x01b\n"),
    ("trailing.txt", b"a\n\x1A"),
    ("half.txt", b"\xFF\xFEa\0b\0c\0d\0e\0f\0g\0h\0\n\0and a lot of text in ASCII, which is no UTF-16 at all\n"),
    ("all.txt", "\u{FEFF}a\r\nb\u{FEFF}\ncafÃ©\ndon\u{92}t\n\u{1A}".as_bytes()),
    ("tree/a.txt", b"\xE9\n"),
    ("tree/b.text", b"\xE9 b\n"),
    ("tree/utf8.txt", "é\n".as_bytes()),
    ("tree/data.bin", b"\xE9\x01\x02\0\x03\x04\x05\x06\n"),
    ("tree/old.txt.orig", b"\xE9 old\n"),
    ("tree/no.txt", b"\xE9 no\n"),
    ("tree/.gitignore", b"no*\n"),
    ("tree/.hidden", b"\xE9 hidden\n"),
    ("tree/.hg/x", b"\xE9 hg\n"),
    ("tree/deep/c.txt", b"\xE9 c\n"),
    ("two/a.txt", b"\xE9 two\n"),
    ("two/b.txt", b"b\n"),
    ("names/caf\u{82}\u{A0}", b""),
    ("italian/pro\u{E8}", b""),
    ("korean/\u{C7}\u{A1}\u{AF}a\u{B7}\u{81}\u{89}\u{A1}\u{B7}A\u{B9}\u{A1}\u{88}\u{E5}\u{B7}e", b""),
    ("viscii/Ti\u{AA}ng Vi\u{AE}t c\u{FC}a ch\u{FA}ng t\u{F4}i r\u{A4}t \u{F0}\u{A9}p", b""),
    ("names/nfd-e\u{301}", b""),
    ("names/ascii", b""),
    ("wrong/ô·û{", b""),
    ("composed/é ☃", b""),
];

/// The files that have names of their own reasons, and the file beside which they stand.
const BESIDE: &[(&str, &str, &[u8])] =
    &[("special.txt", ".textcodec-check", b"[special.txt]\ndeny = inner-bom\n[late.html]\nencoding = koi8-r\n")];

/// The time of the last change of each file before a command.
const OLD_SECONDS: u64 = 1_000_000_000;

/// The options that name a place for a command of `convert` with one file.
const PLACES: [&str; 5] = ["<", "-o out", "-o FILE", "-i", "--output-dir new"];

/// The number of lines of a stream that are kept, also for commands that print long lists, and of characters of a line.
const MOST_LINES: usize = 40;
const MOST_LINES_OF_LISTS: usize = 3;
const MOST_CHARACTERS: usize = 480;

/// The files that a row names, with the time of their last change and the number of their names.
type Snapshot = BTreeMap<String, (Vec<u8>, u64, u64)>;

#[derive(PartialEq)]
struct Outcome {
    status: i32,
    output: Vec<u8>,
    errors: String,
    /// A line for each file that is another one afterwards.
    changes: Vec<String>,
    after: Snapshot,
}

/// Text on one line, with escapes for bytes that are not UTF-8 and for characters that are not visible.
fn visible(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' => text.push_str("\\n"),
                '\r' => text.push_str("\\r"),
                '\\' => text.push_str("\\\\"),
                _ if character.is_control() || matches!(character, '\u{FEFF}' | '\u{301}' | '\u{30A}') => {
                    text.push_str(&format!("\\u{{{:x}}}", u32::from(character)));
                }
                _ => text.push(character),
            }
        }
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02X}")));
    }
    let characters = text.chars().count();
    if characters <= MOST_CHARACTERS {
        return text;
    }
    let start: String = text.chars().take(MOST_CHARACTERS / 2).collect();
    start + "…" + &text.chars().skip(characters - MOST_CHARACTERS / 2).collect::<String>()
}

/// The lines of a stream, at most so many, each after a sign.
fn lines(sign: &str, bytes: &[u8], most: usize) -> String {
    let mut text = String::new();
    for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        if number == most {
            return text + sign + " …\n";
        }
        let (line, end) = line.strip_suffix(b"\n").map_or((line, " (no line end)"), |line| (line, ""));
        text += &format!("{sign} {}{end}\n", visible(line));
    }
    text
}

fn snapshot(room: &Room) -> Snapshot {
    fn add(directory: &Path, root: &Path, files: &mut Snapshot) {
        for entry in fs::read_dir(directory).unwrap() {
            let (path, kind) = entry.map(|entry| (entry.path(), entry.file_type().unwrap())).unwrap();
            if kind.is_dir() {
                add(&path, root, files);
                continue;
            }
            let metadata = fs::metadata(&path).unwrap();
            let seconds = metadata.modified().unwrap().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
            let name = visible(path.strip_prefix(root).unwrap().as_os_str().as_bytes());
            files.insert(name, (fs::read(&path).unwrap(), seconds, metadata.nlink()));
        }
    }
    let mut files = Snapshot::new();
    add(&room.path(""), &room.path(""), &mut files);
    files
}

/// The files that are other ones after a command.
fn changes(before: &Snapshot, after: &Snapshot, root: &str) -> Vec<String> {
    let mut changes = Vec::new();
    for (name, (bytes, seconds, links)) in after {
        let verb = match before.get(name) {
            Some((old, _, old_links)) if old == bytes && old_links == links => continue,
            Some(_) => "changed",
            None => "new",
        };
        let time = if *seconds == OLD_SECONDS { " (old time)" } else { "" };
        let links = if *links > 1 { format!(" ({links} names)") } else { String::new() };
        let shown = visible(&String::from_utf8_lossy(bytes).replace(root, "ROOM").into_bytes());
        let shown = if str::from_utf8(bytes).is_ok() { shown } else { visible(bytes) };
        changes.push(format!("{verb}| {name}{time}{links}: {shown}"));
    }
    changes.extend(before.keys().filter(|name| !after.contains_key(*name)).map(|name| format!("gone| {name}")));
    changes
}

/// A room with the files that these words name.
fn room(row: &str) -> Room {
    let room = Room::new();
    let row = row.replace("ROOM/", "");
    let words: Vec<&str> = row.split([' ', '=']).collect();
    let is_named = |name: &str| {
        words.iter().any(|word| {
            let word = word.trim_end_matches('/');
            name == word || name.strip_prefix(word).is_some_and(|rest| !word.is_empty() && rest.starts_with('/'))
        })
    };
    let write = |name: &str, bytes: &[u8]| {
        // The characters up to U+00FF of these names are bytes.
        let is_of_bytes = ["names/caf", "italian", "korean", "viscii"].iter().any(|start| name.starts_with(start));
        let file_name = match is_of_bytes {
            true => name.chars().map(|character| character as u8).collect(),
            false => name.as_bytes().to_vec(),
        };
        let path = room.path("").join(std::ffi::OsStr::from_bytes(&file_name));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        let old = SystemTime::UNIX_EPOCH + Duration::from_secs(OLD_SECONDS);
        fs::File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
    };
    FILES.iter().filter(|(name, _)| is_named(name)).for_each(|(name, bytes)| write(name, bytes));
    BESIDE.iter().filter(|(beside, ..)| is_named(beside)).for_each(|(_, name, bytes)| write(name, bytes));
    if is_named("hard.txt") {
        write("hard.txt", b"\xE9\n");
        fs::hard_link(room.path("hard.txt"), room.path("other.txt")).unwrap();
    }
    if is_named("a.zip") {
        write("a.zip", &archive(&[entry(b"caf\x82"), entry("e\u{301}".as_bytes()), entry(b"\x81")], b"", false));
    }
    if row.contains("new") {
        fs::create_dir(room.path("man")).unwrap();
    }
    room
}

/// What the commands of a row do, one after the other. The streams and the status are those of the last one.
fn run(row: &str) -> Outcome {
    let room = room(row);
    let root = room.path("").canonicalize().unwrap().to_str().unwrap().to_owned();
    let mut before = snapshot(&room);
    let mut outcome = None;
    for command_line in row.split(" && ") {
        before = if outcome.is_some() { snapshot(&room) } else { before };
        let mut words: Vec<&str> = command_line.split(' ').collect();
        let mut command = Command::new(env!("CARGO_BIN_EXE_textcodec"));
        for variable in ["NO_COLOR", "TERM", "LC_ALL", "LC_CTYPE", "LANG"] {
            command.env_remove(variable);
        }
        while let Some((name, value)) = words[0].split_once('=') {
            command.env(name, value);
            words.remove(0);
        }
        let input = match words.iter().position(|word| *word == "<") {
            Some(at) => {
                let file = fs::File::open(room.path(words[at + 1])).unwrap();
                words.truncate(at);
                Stdio::from(file)
            }
            None => Stdio::null(),
        };
        let words = words.iter().map(|word| word.replace("ROOM", &root));
        let output = command.current_dir(room.path("")).args(words).stdin(input).output().unwrap();
        outcome = Some((output.status.code().unwrap_or(-1), output.stdout, output.stderr));
    }
    let (status, output, errors) = outcome.unwrap();
    let errors = String::from_utf8(errors).unwrap().replace(&root, "ROOM");
    let output = match String::from_utf8(output) {
        Ok(text) => text.replace(&root, "ROOM").into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let after = snapshot(&room);
    Outcome { status, output, errors, changes: changes(&before, &after, &root), after }
}

/// What a row does, as lines.
fn describe(row: &str, outcome: &Outcome) -> String {
    let is_list = ["list", "completions", "iconv -l", "iconv --list"].iter().any(|list| row.starts_with(list));
    let most = if is_list { MOST_LINES_OF_LISTS } else { MOST_LINES };
    let Outcome { status, output, errors, changes, .. } = outcome;
    let changes: String = changes.iter().map(|change| format!("{change}\n")).collect();
    format!("status {status}\n{}{}{changes}", lines("out|", output, most), lines("err|", errors.as_bytes(), most))
}

/// What is other than its place if the row writes somewhere else. The last word of the row is the file that it reads.
fn elsewhere(row: &str, there: &Outcome) -> String {
    let file = row.rsplit(' ').next().unwrap();
    let options = row.strip_suffix(file).unwrap();
    let mut others: Vec<(Vec<&str>, String)> = vec![(Vec::new(), String::new())];
    for place in PLACES {
        let (other, target) = match place {
            "<" => (format!("{options}< {file}"), String::new()),
            "-o out" => (format!("{options}-o out {file}"), "out".to_owned()),
            "-o FILE" => (format!("{options}-o {file} {file}"), file.to_owned()),
            "-i" => (format!("{options}-i {file}"), file.to_owned()),
            _ => (format!("{options}--output-dir new {file}"), format!("new/{file}")),
        };
        let mut here = run(&other);
        if here.status == 0 && place != "<" {
            assert!(here.output.is_empty(), "{other}");
            here.output = here.after.get(&target).map_or_else(|| b"no file".to_vec(), |(bytes, ..)| bytes.clone());
            here.changes.retain(|change| change.split([' ', ':']).nth(1) != Some(&target));
        }
        let is_same_text = here.output == there.output || here.status != 0 && here.output.is_empty();
        let is_same = here.status == there.status && here.errors.replace("standard input", file) == there.errors;
        if is_same_text {
            here.output.clear();
        }
        let text = match is_same && is_same_text && here.changes.is_empty() {
            true => String::new(),
            false => describe(row, &here),
        };
        match others.iter_mut().find(|(_, other)| *other == text) {
            Some((places, _)) => places.push(place),
            None => others.push((vec![place], text)),
        }
    }
    others.retain(|(places, _)| !places.is_empty());
    let lines = others.iter().map(|(places, text)| {
        let same = if text.is_empty() { "same|" } else { "at|" };
        format!("{same} {}\n{}", places.join(", "), text.lines().map(|line| format!("  {line}\n")).collect::<String>())
    });
    lines.collect()
}

/// Runs all rows of a file, and compares what they do with what the file says.
fn compare(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/matrix/{name}.txt"));
    let pinned = fs::read_to_string(&path).unwrap();
    let mut now = String::new();
    for line in pinned.lines() {
        match line.split_once(' ') {
            Some(("$", row)) => now += &format!("{line}\n{}", describe(row, &run(row))),
            Some(("@", row)) => {
                let outcome = run(row);
                now += &format!("{line}\n{}{}", describe(row, &outcome), elsewhere(row, &outcome));
            }
            Some(("#", _)) => now += &format!("{line}\n"),
            _ => {}
        }
    }
    if env::var("TEXTCODEC_PINNED").is_ok_and(|value| value == "write") {
        fs::write(&path, &now).unwrap();
        return;
    }
    let mut row = "";
    for (line, pinned) in now.lines().zip(pinned.lines()) {
        row = if line.starts_with(['$', '@']) { line } else { row };
        assert_eq!(line, pinned, "{name}: {row}");
    }
    assert_eq!(now.lines().count(), pinned.lines().count(), "{name}");
}

#[test]
fn the_options_of_a_conversion_do_what_the_matrix_says_in_every_place() {
    compare("conversion");
}

#[test]
fn the_options_for_places_and_many_files_do_what_the_matrix_says() {
    compare("places");
}

#[test]
fn the_options_of_check_do_what_the_matrix_says() {
    compare("check");
}

#[test]
fn the_options_of_sniff_show_and_list_do_what_the_matrix_says() {
    compare("looks");
}

#[test]
fn options_beside_others_and_several_files_do_what_the_matrix_says() {
    compare("pairs");
}

#[test]
fn options_of_a_conversion_beside_others_do_what_the_matrix_says() {
    compare("pairs_of_convert");
}

#[test]
fn the_options_of_repair_names_iconv_and_git_filter_do_what_the_matrix_says() {
    compare("others");
}
