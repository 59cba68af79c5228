//! `--guess` of `textcodec convert` and `textcodec sniff`, and `--fallback` for long files.

use crate::room::Room;
use predicates::{
    prelude::PredicateBooleanExt,
    str::{contains, starts_with},
};
use textcodec::{
    BIG5, IBM866, KOI8_R, KOI8_U, MACINTOSH, WINDOWS_1251, WINDOWS_1252, X_MAC_CYRILLIC,
    charsets::{dos::IBM852, ebcdic::IBM273},
};

const RUSSIAN: &str = "Съешь же ещё этих мягких французских булок, да выпей чаю.\n";

#[test]
fn a_guess_is_made_on_request_only_and_says_so() {
    let room = Room::with([("in.txt", &*KOI8_U.encode(RUSSIAN).bytes)]);
    room.textcodec("convert --from auto in.txt").assert().code(1).stdout("");
    room.textcodec("convert --from auto --guess in.txt")
        .assert()
        .success()
        .stdout(RUSSIAN)
        .stderr(starts_with("textcodec: in.txt: the encoding KOI8-R is a guess: Russian, probability 0.9"));
    room.textcodec("sniff --guess in.txt")
        .assert()
        .success()
        .stdout(starts_with("in.txt: KOI8-R, guessed: Russian, probability 0.9"));
    room.textcodec("sniff --guess --json in.txt")
        .assert()
        .success()
        .stdout(contains(r#""encoding":"KOI8-R","confidence":"tentative","rung":"guess","reason":"Russian, prob"#));
    room.textcodec("convert --from utf-8 --guess in.txt")
        .assert()
        .code(2)
        .stderr(contains("--guess needs --from auto"));
    room.textcodec("convert --from auto --languages xx in.txt").assert().code(2).stderr(contains("no statistics"));
}

#[test]
fn a_guess_and_a_fallback_imply_from_auto() {
    let room = Room::with([("in.txt", &*KOI8_U.encode(RUSSIAN).bytes)]);
    for options in ["--guess", "--languages ru", "--tld ru", "--among koi8-r,windows-1251", "--tiers dos"] {
        room.textcodec(&format!("convert {options} in.txt")).assert().success().stdout(RUSSIAN);
    }
    room.textcodec("convert --fallback koi8-u in.txt").assert().success().stdout(RUSSIAN);
    room.textcodec("convert --from utf-8 --fallback koi8-u in.txt")
        .assert()
        .code(2)
        .stderr(contains("--fallback needs --from auto"));
    // The encoding of a pipe without these options is UTF-8.
    room.textcodec("convert").write_stdin("é").assert().success().stdout("é");
}

#[test]
fn nothing_is_guessed_that_the_file_tells() {
    let page = [b"<meta charset=windows-1251>", &*WINDOWS_1251.encode(RUSSIAN).bytes].concat();
    let room = Room::with([("page.html", &page), ("utf-8.txt", RUSSIAN.as_bytes()), ("ascii.txt", b"abc")]);
    for file in ["page.html", "utf-8.txt", "ascii.txt"] {
        room.textcodec(&format!("convert -d keep --from auto --guess --among big5,gbk {file}"))
            .assert()
            .success()
            .stderr("");
        room.textcodec(&format!("sniff --guess {file}")).assert().success().stdout(contains("guess").not());
    }
}

#[test]
fn a_fallback_that_the_text_contradicts_is_an_error_that_names_both() {
    let cyrillic = WINDOWS_1251.encode(RUSSIAN).bytes;
    let room = Room::with([("ru.txt", &*cyrillic), ("fr.txt", b"caf\xE9\n"), ("ascii.txt", b"abc\n")]);
    let both = "the fallback is windows-1252, but the text fits windows-1251: Russian, probability 0.9";
    let convert = "convert --from auto --fallback windows-1252";
    room.textcodec(&format!("{convert} ru.txt")).assert().code(1).stdout("").stderr(contains(both));
    // A pipe, which is decided while it is converted.
    room.textcodec(convert).write_stdin(&*cyrillic).assert().code(1).stderr(contains(both));
    let late = [&b"a".repeat(100_000), &*cyrillic].concat();
    room.textcodec(convert).write_stdin(late).assert().code(1).stderr(contains(both));
    room.textcodec(&format!("{convert} --in-place ru.txt fr.txt"))
        .assert()
        .code(1)
        .stderr(contains(both).and(contains("1 converted (1 by fallback)")).and(contains("1 failed")));
    assert_eq!(room.read("fr.txt"), "café\n".as_bytes());
    assert_eq!(room.read("ru.txt"), &*cyrillic);

    let trusted = WINDOWS_1252.decode(&cyrillic).text.into_owned();
    room.textcodec(&format!("{convert} --trust-fallback ru.txt")).assert().success().stdout(trusted.clone());
    room.textcodec(&format!("{convert} --trust-fallback")).write_stdin(&*cyrillic).assert().success().stdout(trusted);
    // The same text, another encoding of the group, and an encoding without statistics.
    room.textcodec("convert --from auto --fallback iso-8859-15 fr.txt ascii.txt").assert().success();
    for fallback in ["windows-1251", "cp850", "x-user-defined"] {
        room.textcodec(&format!("convert --from auto --fallback {fallback} ru.txt")).assert().success();
    }
    room.textcodec("convert --from auto --trust-fallback ru.txt")
        .assert()
        .code(2)
        .stderr(contains("--trust-fallback needs --fallback"));
}

#[test]
fn code_pages_of_dos_are_guessed_on_request_only() {
    let czech = "Příliš žluťoučký kůň úpěl ďábelské ódy, a nikdo ho neslyšel.\n";
    let bytes = IBM852.encode_or_fail(czech).unwrap();
    let room = Room::with([("cs.txt", &*bytes)]);
    for options in ["--tiers dos", "--tiers mac,dos", "--among cp850,cp852,cp437", "--among cp852,windows-1250"] {
        room.textcodec(&format!("convert --from auto {options} cs.txt"))
            .assert()
            .success()
            .stdout(czech)
            .stderr(starts_with("textcodec: cs.txt: the encoding cp852 is a guess: Czech, probability 0.9"));
    }
    room.textcodec("sniff --guess cs.txt").assert().success().stdout(contains("cp852").not());
}

#[test]
fn code_pages_of_mainframes_are_guessed_on_request() {
    let german = "Grüße aus München, wo das Wetter schön ist.\nÜbermorgen fahren wir nach Köln.\n";
    let room = Room::with([("de.txt", &*IBM273.encode_or_fail(german).unwrap())]);
    room.textcodec("convert --from auto --tiers ebcdic de.txt")
        .assert()
        .success()
        .stdout(german)
        .stderr(starts_with("textcodec: de.txt: the encoding IBM273 is a guess: German, probability 0.9"));
}

#[test]
fn a_guess_can_be_limited() {
    let room = Room::with([
        ("ru.txt", &*WINDOWS_1251.encode(RUSSIAN).bytes),
        ("tw.txt", &*BIG5.encode("這是一個用繁體中文寫成的句子。").bytes),
        ("dos.txt", b"caf\x82"),
        ("bad.txt", b"\xFF\xFF"),
    ]);
    for (arguments, file, charset) in [
        ("--among koi8-r,windows-1251", "ru.txt", "windows-1251"),
        ("--languages ru", "ru.txt", "windows-1251"),
        ("--languages zh-TW", "tw.txt", "Big5"),
        ("--tld .tw", "tw.txt", "Big5"),
        ("--among utf-8,cp850", "dos.txt", "cp850"),
    ] {
        room.textcodec(&format!("sniff {arguments} {file}")).assert().success().stdout(contains(charset));
        room.textcodec(&format!("convert -f auto {arguments} {file}"))
            .assert()
            .success()
            .stderr(contains(format!("the encoding {charset} is a guess: ")));
    }
    room.textcodec("sniff --among utf-8,exact-us-ascii bad.txt").assert().success().stdout(contains("unknown"));
    room.textcodec("convert -f auto --among utf-8,exact-us-ascii bad.txt").assert().code(1);
    room.textcodec("convert -f auto --among utf-8,exact-us-ascii --fallback latin1 bad.txt").assert().stdout("ÿÿ");
}

#[test]
fn the_whole_file_decides_between_utf_8_and_the_fallback() {
    let ascii = "a".repeat(100_000);
    let legacy = [ascii.as_bytes(), &WINDOWS_1252.encode("café").bytes].concat();
    let utf_8 = format!("{ascii}café");
    let room = Room::with([("legacy", &legacy), ("utf-8", utf_8.as_bytes()), ("ascii", ascii.as_bytes())]);
    for (file, text) in [("legacy", &utf_8), ("utf-8", &utf_8), ("ascii", &ascii)] {
        for options in ["--fallback windows-1252", "--guess --tld fr"] {
            let arguments = format!("convert --from auto {options}");
            room.textcodec(&format!("{arguments} {file}")).assert().success().stdout(text.clone());
            let piped = room.read(file);
            room.textcodec(&arguments).write_stdin(piped).assert().success().stdout(text.clone());
        }
    }
    room.textcodec("convert --from auto legacy").assert().code(1).stderr(contains("not UTF-8 at byte offset 100003"));
    let mut guessed = room.textcodec("convert --from auto --guess --tld fr");
    guessed
        .write_stdin(legacy)
        .assert()
        .stderr(starts_with("textcodec: standard input: the encoding windows-1252 is a guess: French, probability 0."));
}

#[test]
fn files_are_converted_in_place_by_a_guess() {
    let room = Room::with([("in.txt", &*KOI8_U.encode(RUSSIAN).bytes)]);
    room.textcodec("convert --from auto --guess --in-place in.txt")
        .assert()
        .success()
        .stderr(contains("the encoding KOI8-R is a guess"));
    assert_eq!(room.read("in.txt"), RUSSIAN.as_bytes());
    room.textcodec("convert --yes in.txt").assert().code(2);
}

#[test]
fn the_encodings_of_the_example_in_the_help_are_told_apart() {
    for (encoding, label) in [(KOI8_R, "KOI8-R"), (WINDOWS_1251, "windows-1251"), (IBM866, "IBM866")] {
        let room = Room::with([("in.txt", &*encoding.encode(RUSSIAN).bytes)]);
        let mut command = room.textcodec("sniff --guess --among windows-1251,koi8-r,ibm866 in.txt");
        command.assert().success().stdout(starts_with(format!("in.txt: {label}, guessed: Russian, probability 0.9")));
    }
}

#[test]
fn encodings_of_the_classic_mac_os_are_guessed() {
    let french = "Le théâtre a été fermé l’été dernier, mais l’hôtel d’à côté reste ouvert.\n";
    let room =
        Room::with([("fr.txt", &*MACINTOSH.encode(french).bytes), ("ru.txt", &*X_MAC_CYRILLIC.encode(RUSSIAN).bytes)]);
    for (file, text) in [("fr.txt", french), ("ru.txt", RUSSIAN)] {
        room.textcodec(&format!("convert -f auto --guess -i {file}")).assert().success();
        assert_eq!(String::from_utf8_lossy(&room.read(file)), text);
    }
}

#[test]
fn a_file_with_an_uncertain_guess_stays_and_is_listed() {
    const SHORT: &[u8] = b"a \xD5 b\n";
    let koi8 = KOI8_R.encode(RUSSIAN).bytes;
    let list = "1 file is not converted, because no guess has a probability of at least 0.95:\n  ";
    let files = || Room::with([("tree/ru.txt", &*koi8), ("tree/short.txt", SHORT), ("tree/z.txt", b"abc")]);
    let room = files();
    room.textcodec("convert -f auto --guess -i -r tree").assert().code(1).stderr(
        contains(list)
            .and(contains("short.txt: "))
            .and(contains("\n  Name the encoding with --from"))
            .and(contains("1 converted, 1 already UTF-8, 0 skipped, 1 failed")),
    );
    assert_eq!(room.read("tree/ru.txt"), RUSSIAN.as_bytes());
    assert_eq!(room.read("tree/short.txt"), SHORT);
    room.textcodec("convert -f auto --guess -r tree --output-dir new").assert().code(1).stderr(contains(list));
    assert_eq!(room.tree(), ["new/ru.txt", "new/z.txt", "tree/ru.txt", "tree/short.txt", "tree/z.txt"]);
    let mut dry = room.textcodec("convert -f auto --guess -i -n tree/short.txt");
    dry.assert().code(1).stderr(contains(list)).stdout(contains("short.txt: not converted"));
    // Standard output is no file that would be lost.
    let mut piped = room.textcodec("convert -f auto --guess tree/short.txt");
    piped.assert().success().stderr(contains("is a guess: ").and(contains("see --min-probability")));
    room.textcodec("convert -f auto --guess -i --min-probability 0 tree/short.txt").assert().success();
    assert_ne!(room.read("tree/short.txt"), SHORT);

    // A file that is not converted has no replacements to report.
    let room = files();
    for (limit, is_reported) in [("1", false), ("0", true)] {
        let mut command =
            room.textcodec("convert -f auto --guess --to ascii --errors replacement --report list -n -r tree");
        let status = command.args(["--min-probability", limit]).output().unwrap().status.code();
        assert_eq!(status, Some(if is_reported { 0 } else { 1 }));
        assert_eq!(String::from_utf8_lossy(&room.read("list")).contains("short.txt"), is_reported);
    }

    // The list is in the order of the names, whatever the order on the command line is.
    let room = Room::with([("a", SHORT), ("b", SHORT), ("c", SHORT)]);
    for files in ["c a b", "b c a"] {
        let output = room.textcodec(&format!("convert -f auto --guess -n {files}")).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        let listed: Vec<_> = message.lines().filter_map(|line| line.strip_prefix("  ")?.split_once(": ")).collect();
        assert_eq!(listed.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["a", "b", "c"], "{message}");
    }

    // With a higher limit, also the other file is refused.
    let room = files();
    let mut strict = room.textcodec("convert -f auto --guess -i -r --min-probability 1 --quiet tree");
    strict
        .assert()
        .code(1)
        .stderr(contains("2 files are not converted, because no guess has a probability of at least 1:"));
    assert_eq!(room.read("tree/ru.txt"), &*koi8);
    for number in ["1.5", "-0.1", "nan", "much"] {
        let mut wrong = room.textcodec("convert -f auto --guess");
        wrong.arg(format!("--min-probability={number}")).arg("tree/ru.txt");
        wrong.assert().code(2).stderr(contains("a number from 0 to 1"));
    }
    let mut alone = room.textcodec("convert -f auto --min-probability 0.5 tree/ru.txt");
    alone.assert().code(2).stderr(contains("--min-probability needs --guess"));
}

#[test]
fn a_guess_beside_an_encoding_without_statistics_has_no_probability() {
    let german = "Grüße aus München\n";
    let room = Room::with([("in.txt", &*WINDOWS_1252.encode(german).bytes), ("dos.txt", b"caf\x82")]);
    let old = room.read("in.txt");
    let mut command = room.textcodec("convert -f auto --among hp-roman8,windows-1252 -i in.txt");
    command.assert().code(1).stderr(contains("windows-1252 is a guess: German, probability unknown"));
    assert_eq!(room.read("in.txt"), old);
    room.textcodec("convert -f auto --among hp-roman8,windows-1252 in.txt").assert().success().stdout(german);
    // The user says that the file is in one of two encodings, and only one is possible.
    room.textcodec("convert -f auto --among utf-8,cp850 -i dos.txt").assert().success();
    assert_eq!(room.read("dos.txt"), "café".as_bytes());
    // With the least probability 0, every guess is taken.
    let mut command = room.textcodec("convert --among hp-roman8,windows-1252 --min-probability 0 -i in.txt");
    command.assert().success().stderr(contains("windows-1252 is a guess: German, probability unknown"));
    assert_eq!(room.read("in.txt"), german.as_bytes());
}

#[test]
fn a_guess_about_a_pipe_says_how_it_was_made() {
    let russian = WINDOWS_1251.encode(RUSSIAN).bytes;
    for plain in [0, 20_000] {
        let bytes = [&b"ascii\n".repeat(plain)[..], &russian].concat();
        let message = "textcodec: standard input: the encoding windows-1251 is a guess: Russian, probability 0.9";
        Room::new().textcodec("convert --guess").write_stdin(bytes).assert().success().stderr(starts_with(message));
    }
}

#[test]
fn sniff_prints_the_candidates_of_a_guess() {
    let room = Room::with([("in.txt", &*KOI8_R.encode(RUSSIAN).bytes), ("utf-8.txt", RUSSIAN.as_bytes())]);
    for options in ["--candidates", "--guess --candidates"] {
        let output = room.textcodec(&format!("sniff {options} utf-8.txt in.txt")).output().unwrap();
        let lines: Vec<_> = std::str::from_utf8(&output.stdout).unwrap().lines().collect();
        let [declared, first, best, others @ ..] = &lines[..] else { panic!("{lines:?}") };
        assert!(
            declared.starts_with("utf-8.txt: UTF-8, tentative: ") && first.starts_with("in.txt: KOI8-R, guessed: ")
        );
        assert!(best.starts_with("  KOI8-R: Russian, probability 0.9"), "{lines:?}");
        assert!(best.ends_with("; the same text in KOI8-U"), "{lines:?}");
        assert!(others.iter().all(|line| line.contains("probability 0.0")), "{lines:?}");
    }
    room.textcodec("sniff --json --guess in.txt").assert().success().stdout(
        contains(r#""malformed_at":null,"probability":0.9"#)
            .and(contains(r#","candidates":[{"encoding":"KOI8-R","language":"ru","probability":0.9"#))
            .and(contains(r#","group":0},{"encoding":"KOI8-U","language":"ru","probability":0.9"#)),
    );
    let mut declared = room.textcodec("sniff --json --guess utf-8.txt");
    declared.assert().success().stdout(contains(r#""malformed_at":null,"probability":null,"candidates":[]}"#));
    room.textcodec("sniff --json in.txt").assert().success().stdout(contains("probability").not());
    let mut unknown = room.textcodec("sniff --json --among windows-1252,hp-roman8 in.txt");
    unknown
        .assert()
        .success()
        .stdout(contains(r#"{"encoding":"HP-ROMAN8","language":null,"probability":null,"group":1}"#));
}

#[test]
fn a_picture_is_no_text_for_a_guess() {
    let room = Room::with([("photo.jpg", b"\xFF\xD8\xFF\xE0 JFIF is the format of this picture \xFF\xD9")]);
    let mut json = room.textcodec("sniff --json --guess photo.jpg");
    json.assert().success().stdout(contains(r#""kind":"binary","encoding":null,"#));
    room.textcodec("sniff --guess photo.jpg").assert().success().stdout(contains("and its bytes are not text"));
    let mut many = room.textcodec("convert -f auto --guess -i -v photo.jpg");
    many.assert().success().stdout("photo.jpg: skipped: binary\n");
    room.textcodec("convert -f auto --guess photo.jpg").assert().code(1).stderr(contains("looks binary"));
    // Tabs and ends of lines are text.
    room.write("data", b"ab\tc\n\x01\x02\x03\x04\x05\x06\xE9\x07\x02\x05\x06\n");
    let place = "data: the file looks binary: it has control characters, the first at line 2, column 1\n";
    room.textcodec("convert -f auto --guess data").assert().code(1).stderr(contains(place));
}

#[test]
fn a_format_without_control_characters_is_told_by_its_first_bytes() {
    let start = "%PDF-1.4 is no text for a guess: caf\u{E9}";
    let bytes = |end: &str| format!("{start}{end}\n").chars().map(|character| character as u8).collect::<Vec<u8>>();
    let room = Room::new();
    for (end, says) in [
        ("", "its first bytes are those of a format that is not text"),
        ("\t\u{7F}\r", "its first bytes are those of a format that is not text"),
        ("\n\u{1}", "it has control characters, the first at line 2, column 1"),
        (" \0", "it has control characters, the first at line 1, column 39"),
    ] {
        let message = contains(format!("in: the file looks binary: {says}\n"));
        room.write("in", &bytes(end));
        room.textcodec("convert --guess in").assert().code(1).stderr(message);
    }
}
