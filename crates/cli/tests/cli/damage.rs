//! Damaged texts, which are never converted as something else without being asked, and files that take the fallback.

use crate::room::Room;
use predicates::{
    prelude::PredicateBooleanExt,
    str::{contains, is_empty, starts_with},
};

const LINE: &str = "Déjà vu, où ? L’été.\n";

/// 200 lines in UTF-8, and between them one in windows-1252. The stray byte is at 101:4, byte offset 2803.
fn stray() -> Vec<u8> {
    let half = LINE.repeat(100);
    [half.as_bytes(), b"don\x92t\n", half.as_bytes()].concat()
}

fn utf_16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Damaged UTF-8, and what messages say about it.
fn damaged() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let mut bad = LINE.repeat(1200).into_bytes();
    bad[20_000] = 0xFF;
    let late = [&b"ascii\n".repeat(15_000)[..], &stray()].concat();
    let several = [&stray()[..], b"\xFF\xFE\n"].concat();
    vec![
        ("stray", stray(), "damaged UTF-8: 1 malformed sequence, at 101:4 (byte offset 2803)"),
        (
            "start",
            LINE.repeat(20).as_bytes()[2..].to_vec(),
            "damaged UTF-8: 1 malformed sequence, at 1:1 (byte offset 0)",
        ),
        (
            "end",
            [LINE.as_bytes(), b"\xE2\x80"].concat(),
            "damaged UTF-8: 1 malformed sequence, at 2:1 (byte offset 28)",
        ),
        ("bad", bad, "damaged UTF-8: 1 malformed sequence, at 715:7 (byte offset 20000)"),
        ("late", late, "damaged UTF-8: 1 malformed sequence, at 15101:4 (byte offset 92803)"),
        ("several", several, "damaged UTF-8: 3 malformed sequences, the first at 101:4 (byte offset 2803)"),
    ]
}

/// Files of which a part is UTF-16, and the length of the first part.
fn mixed() -> Vec<(&'static str, Vec<u8>, String)> {
    let says = |length: usize, before: &str, after: &str| {
        format!(
            "a part is UTF-16 and a part is not: the first {length} bytes are{before} UTF-16, and the bytes after \
             them are{after}"
        )
    };
    let first = |start: &[u8]| [start, &utf_16("line two\r\nété\r\n")].concat();
    let marked = utf_16("\u{FEFF}line one\r\n");
    let last = |end: &[u8]| [&marked[..], end].concat();
    vec![
        ("ascii-even", first(b"line one\r\n"), says(10, " not", "")),
        ("ascii-odd", first(b"line 12\r\n"), says(9, " not", "")),
        ("utf-8", first("été un\r\n".as_bytes()), says(10, " not", "")),
        // All of it is UTF-8 with characters U+0000.
        ("nul", ["été un\r\n".as_bytes(), &utf_16("line two\r\n")].concat(), says(10, " not", "")),
        ("ansi", first(b"\xE9t\xE9 un\r\n"), says(8, " not", "")),
        ("to-ascii", last(b"line"), says(22, "", " not")),
        ("to-utf-8", last("été deux\r\n".as_bytes()), says(22, "", " not")),
        ("long", [&b"ascii\r\n".repeat(15_000)[..], &utf_16("line two\r\n")].concat(), says(105_000, " not", "")),
    ]
}

fn all() -> Vec<(&'static str, Vec<u8>, String)> {
    damaged().into_iter().map(|(name, bytes, says)| (name, bytes, says.to_owned())).chain(mixed()).collect()
}

#[test]
fn a_damaged_file_is_not_converted_by_fallback_or_guess() {
    for (name, bytes, says) in all() {
        let room = Room::with([(name, &bytes)]);
        for choice in ["", "--fallback windows-1252", "--guess", "--guess --fallback windows-1252"] {
            for place in ["--in-place", "--output-dir new", "--in-place --recursive --dry-run", "--output out"] {
                let file = if place.contains("recursive") { "." } else { name };
                let path = if file == "." { format!(".{}{name}", std::path::MAIN_SEPARATOR) } else { name.to_owned() };
                room.textcodec(&format!("convert --from auto {choice} {place} {file}"))
                    .assert()
                    .code(1)
                    .stderr(contains(format!("{path}: {says}\n  ")));
                assert_eq!(room.read(name), bytes, "{name} {choice} {place}");
                assert_eq!(room.tree(), [name]);
            }
            room.textcodec(&format!("convert --from auto {choice} {name}"))
                .assert()
                .code(1)
                .stderr(contains(format!("{name}: {says}\n  ")));
        }
    }
}

#[test]
fn a_damaged_pipe_is_not_converted_by_fallback_or_guess() {
    for (name, bytes, says) in all() {
        for choice in ["--fallback windows-1252", "--guess"] {
            let room = Room::new();
            let mut command = room.textcodec(&format!("convert --from auto {choice}"));
            let assert = command.write_stdin(bytes.clone()).assert().code(1);
            // The window of 64 KiB is UTF-8 in these two; a decoder that is not told more finds the error.
            if ["bad", "end"].contains(&name) {
                assert.stderr(contains("UTF-8"));
            } else {
                assert.stderr(contains(format!("standard input: {says}\n  ")));
            }
        }
    }
}

#[test]
fn a_text_that_a_byte_order_mark_calls_utf_16_is_not_converted_if_a_part_is_not() {
    let bytes = [utf_16("\u{FEFF}line one\r\n"), b"line".to_vec()].concat();
    let room = Room::with([("in", &bytes)]);
    for from in ["", "--from auto", "--from windows-1252"] {
        room.textcodec(&format!("convert {from} in"))
            .assert()
            .code(1)
            .stdout("")
            .stderr(contains("the first 22 bytes"));
        let mut piped = room.textcodec(&format!("convert {from} --output out"));
        piped.write_stdin(bytes.clone()).assert().code(1).stderr(contains("the first 22 bytes are UTF-16"));
        assert_eq!(room.names(), ["in"]);
    }
    room.textcodec("convert --from utf-16le in").assert().success().stdout("line one\r\n楬敮");
    // The part that is not UTF-16 comes after the start that is read first.
    let bytes = [utf_16(&("\u{FEFF}".to_owned() + &"line one\r\n".repeat(4000))), b"line".to_vec()].concat();
    let room = Room::with([("in", &bytes)]);
    let message = "the first 80002 bytes are UTF-16, and";
    for files in ["in", "-"] {
        let mut check = room.textcodec(&format!("check --encoding auto {files}"));
        check.write_stdin(bytes.clone()).assert().code(1).stdout(contains(message).and(contains("[mixed-encodings]")));
    }
}

#[test]
fn another_encoding_in_place_protects_damaged_utf_8_and_force_lifts_that() {
    let room = Room::with([("in", &stray())]);
    for place in ["--in-place", "--output-dir out"] {
        room.textcodec(&format!("convert --from windows-1252 {place} in")).assert().code(1).stderr(
            starts_with("textcodec: in: damaged UTF-8: 1 malformed sequence, at 101:4 (byte offset 2803)\n")
                .and(contains("--from utf-8 and --errors"))
                .and(contains("repair --mixed"))
                .and(contains("With --force, ")),
        );
        assert_eq!(room.read("in"), stray());
    }
    room.textcodec("convert --from windows-1252 --in-place --force in").assert().success();
    assert!(room.read("in").starts_with("DÃ©jÃ".as_bytes()));
}

#[test]
fn the_ways_out_lead_out() {
    let room = Room::with([("a", &stray()), ("b", &stray())]);
    room.textcodec("convert --from utf-8 --errors replacement -i a").assert().success();
    let text = format!("{0}don{1}t\n{0}", LINE.repeat(100), '\u{FFFD}');
    assert_eq!(room.read("a"), text.as_bytes());
    room.textcodec("repair --mixed utf-8,windows-1252 -i b").assert().success();
    assert_eq!(room.read("b"), text.replace('\u{FFFD}', "’").as_bytes());
}

#[test]
fn check_and_sniff_say_the_same() {
    for (name, bytes, says) in all() {
        let room = Room::with([(name, &bytes)]);
        let is_utf_8 = says.starts_with("damaged UTF-8");
        let encoding = if is_utf_8 { "UTF-8, tentative" } else { "unknown" };
        room.textcodec(&format!("sniff {name}")).assert().success().stdout(format!("{name}: {encoding}: {says}\n"));
        let json = if is_utf_8 { "\"UTF-8\"" } else { "null" };
        room.textcodec(&format!("sniff --json --guess {name}"))
            .assert()
            .stdout(contains(format!("\"encoding\":{json}")))
            .stdout(contains(format!("\"rung\":\"damaged\",\"reason\":\"{says}\"")));
        let summary = says.split(", ").next().unwrap_or_default();
        for tree in [name, "--recursive .", "--encoding auto --recursive ."] {
            room.textcodec(&format!("check {tree}"))
                .assert()
                .code(1)
                .stdout(contains("error: byte offset ").and(contains(summary)));
        }
        let kind = if is_utf_8 { "damaged" } else { "mixed-encodings" };
        room.textcodec(&format!("check --json {name}"))
            .assert()
            .code(1)
            .stdout(contains(format!("\"severity\":\"error\",\"kind\":\"{kind}\"")));
    }
    let room = Room::with([("in", &stray())]);
    let summary = "in:101:4: error: byte offset 2803: damaged UTF-8: 1 malformed sequence (see convert --from utf-8 \
                   --errors, and repair --mixed) [damaged]\n";
    let sequence = "in:101:4: error: byte offset 2803: not UTF-8: 92 [malformed]\n";
    // Where the file tells its encoding, the damage is the reason to take it for UTF-8, and comes first.
    room.textcodec("check --encoding auto in").assert().code(1).stdout(format!("{summary}{sequence}"));
    room.textcodec("check in").assert().code(1).stdout(format!("{sequence}{summary}"));
    room.textcodec("check --json in")
        .assert()
        .stdout(contains("\"kind\":\"damaged\",\"line\":101,\"column\":4,\"offset\":2803,\"encoding\":\"UTF-8\""))
        .stdout(contains("\"count\":1,\"message\":\"damaged UTF-8: 1 malformed sequence"));
}

#[test]
fn files_that_take_the_fallback_are_named_and_counted() {
    let room = Room::with([("d/utf-8", LINE.as_bytes()), ("d/ascii", b"ascii")]);
    (0..23).for_each(|number| room.write(&format!("d/{number:02}"), b"caf\xE9\n"));
    let named = |names: std::ops::Range<u32>| -> String {
        let note = "nothing in the file tells its encoding; it is read in windows-1252, as --fallback says";
        names.map(|name| format!("textcodec: d/{name:02}: {note}\n")).collect()
    };
    let summary = "23 converted (23 by fallback), 2 already UTF-8, 0 skipped, 0 failed\n";
    let more = "textcodec: 3 more files are read in the encoding of --fallback (--verbose names all)\n";
    let convert = "convert --from auto --fallback windows-1252 -r -j 3 --output-dir";
    let slashes = |text: String| text.replace("d/", &format!("d{}", std::path::MAIN_SEPARATOR));
    let expected = slashes(named(0..20) + more + "textcodec: " + summary);
    room.textcodec(&format!("{convert} out d")).assert().success().stdout("").stderr(expected);
    let mut verbose = room.textcodec(&format!("{convert} verbose --verbose d"));
    verbose
        .assert()
        .success()
        .stdout(contains("converted from windows-1252, the fallback\n"))
        .stderr(slashes(named(0..23) + "textcodec: " + summary));
    room.textcodec(&format!("{convert} quiet --quiet d")).assert().success().stderr(is_empty());

    let mut dry = room.textcodec(&format!("{convert} dry --dry-run d"));
    let output = dry.assert().success().get_output().clone();
    let (lines, says) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let first = "00: would be converted from windows-1252, the fallback\n  before: caf\\xe9\n  after:  café\n";
    assert!(lines.contains(first), "{lines}");
    assert_eq!((lines.matches("  before: ").count(), lines.matches("would be").count()), (20, 23));
    assert!(says.contains("3 more files would change; one line of each of the first 20 is shown"), "{says}");
    let summary = summary.replace("converted", "to convert");
    assert!(says.ends_with(&format!("nothing is written; {summary}")), "{says}");
}

#[test]
fn the_files_after_the_first_twenty_are_counted() {
    let room = Room::new();
    let names: Vec<_> = (0..22).map(|number| format!("{number:02}")).collect();
    names.iter().for_each(|name| room.write(name, b"caf\xE9\n"));
    for (number, more, is) in [(20, "", ""), (21, "1 more file", "is"), (22, "2 more files", "are")] {
        for option in ["--output-dir new", "--dry-run"] {
            let command = format!("convert --fallback windows-1252 {option} {}", names[..number].join(" "));
            let output = room.textcodec(&command).assert().success().get_output().stderr.clone();
            let message = String::from_utf8(output).unwrap();
            let mut expected = String::new();
            if !more.is_empty() {
                expected +=
                    &format!("textcodec: {more} {is} read in the encoding of --fallback (--verbose names all)\n");
                if option == "--dry-run" {
                    expected += &format!("textcodec: {more} would change; one line of each of the first 20 is shown\n");
                }
            }
            let is_about_one = |line: &&str| line.contains("nothing in the file tells its encoding");
            assert_eq!(message.lines().filter(is_about_one).count(), 20, "{message}");
            let rest: String = message.lines().skip(20).map(|line| format!("{line}\n")).collect();
            let last = match option {
                "--dry-run" => format!("nothing is written; {number} to convert"),
                _ => format!("{number} converted"),
            };
            expected += &format!("textcodec: {last} ({number} by fallback), 0 already UTF-8, 0 skipped, 0 failed\n");
            assert_eq!(rest, expected, "{command}");
        }
    }
}

#[test]
fn a_single_file_or_a_pipe_that_takes_the_fallback_is_named() {
    let note = "nothing in the file tells its encoding; it is read in windows-1252, as --fallback says\n";
    let room = Room::with([("in", b"caf\xE9")]);
    let convert = "convert --from auto --fallback windows-1252";
    room.textcodec(&format!("{convert} in")).assert().success().stdout("café").stderr(format!("textcodec: in: {note}"));
    for bytes in [&b"caf\xE9"[..], &[&b"ascii\n".repeat(15_000)[..], b"caf\xE9"].concat()] {
        let mut piped = room.textcodec(convert);
        piped.write_stdin(bytes).assert().success().stderr(format!("textcodec: standard input: {note}"));
    }
    room.write("utf-8", LINE.as_bytes());
    room.textcodec(&format!("{convert} utf-8")).assert().success().stderr("");
}

/// The measurement of the rule for damaged UTF-8, on real text: `TEXTCODEC_CORPORA` names a folder with files such as
/// `ja.txt` and `ja.html` in UTF-8. Without it there is nothing to measure.
mod measurement {
    use std::{env, fs};
    use textcodec::{
        Encoding, Name,
        sniff::structure::{Damage, Examination},
    };

    const LENGTHS: [usize; 7] = [10, 20, 40, 80, 160, 320, 640];
    const PIECES: usize = 300;

    fn damage(bytes: &[u8]) -> Option<Damage> {
        let mut examination = Examination::new();
        examination.feed(bytes);
        examination.findings(true).damage
    }

    /// The texts in the folder.
    fn corpora() -> Vec<String> {
        let Some(folder) = env::var_os("TEXTCODEC_CORPORA") else { return Vec::new() };
        let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt" || extension == "html"));
        paths.sort();
        paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
    }

    /// Numbers that are the same in every run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            usize::try_from(self.0 % limit as u64).unwrap()
        }
    }

    /// The bytes of each character of `text` in an encoding, without those that the encoding does not have. `None` if
    /// these are many.
    fn encode(encoding: Encoding, text: &str) -> Option<Vec<Vec<u8>>> {
        let others = text.chars().filter(|character| !character.is_ascii()).count();
        let (mut characters, mut missing) = (Vec::new(), 0);
        for character in text.chars() {
            match encoding.encode_or_fail(character.encode_utf8(&mut [0; 4])) {
                Ok(bytes) => characters.push(bytes.to_vec()),
                Err(_) if (missing + 1) * 6 > others => return None,
                Err(_) => missing += 1,
            }
        }
        Some(characters)
    }

    #[test]
    fn legacy_text_is_practically_never_taken_for_damaged_utf_8() {
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let (mut pieces, mut wrong) = ([0_u32; LENGTHS.len()], [0_u32; LENGTHS.len()]);
        for text in corpora() {
            for encoding in Encoding::all() {
                let name = encoding.id();
                if matches!(name, Name::Utf8 | Name::Replacement | Name::Utf16Be | Name::Utf16Le | Name::Iso2022Jp) {
                    continue;
                }
                let Some(characters) = encode(encoding, &text) else { continue };
                assert_eq!(damage(&characters.concat()), None, "a whole file in {encoding}");
                for (at, &length) in LENGTHS.iter().enumerate() {
                    for _ in 0..PIECES {
                        let mut piece = Vec::new();
                        for character in characters.iter().skip(random.below(characters.len())) {
                            if piece.len() >= length {
                                break;
                            }
                            piece.extend_from_slice(character);
                        }
                        pieces[at] += u32::from(!piece.is_ascii());
                        wrong[at] += u32::from(damage(&piece).is_some());
                    }
                }
            }
        }
        println!("pieces of {LENGTHS:?} bytes: {pieces:?}; taken for damaged: {wrong:?}");
        let (pieces, wrong): (u32, u32) = (pieces.iter().sum(), wrong.iter().sum());
        assert!(wrong * 10_000 <= pieces, "{wrong} of {pieces}");
    }

    #[test]
    fn damaged_utf_8_is_recognized() {
        let mut random = Random(0x2545_F491_4F6C_DD1D);
        for text in corpora() {
            for every in [200, 1000, 10_000] {
                let mut bytes = text.clone().into_bytes();
                for block in bytes.chunks_mut(every) {
                    // A stray byte in the place of an ASCII character, as where one line is in windows-1252.
                    let start = random.below(block.len());
                    let at = block[start..].iter().position(u8::is_ascii).map(|at| start + at);
                    at.into_iter().for_each(|at| block[at] = 0x92);
                }
                let sequences = text.chars().filter(|character| !character.is_ascii()).count();
                // English has too few characters other than ASCII for a bad byte in 200.
                if sequences >= 6 * bytes.len().div_ceil(every) {
                    assert_eq!(damage(&bytes), Some(Damage::Utf8), "{every}");
                }
            }
            let others: Vec<_> = text.char_indices().filter(|(_, character)| !character.is_ascii()).collect();
            for _ in 0..PIECES {
                let first = random.below(others.len() - 60);
                let (start, end) = (others[first].0 + 1, others[first + 59].0 + 1);
                assert_eq!(damage(&text.as_bytes()[start..end]), Some(Damage::Utf8), "cut at both ends");
            }
        }
    }
}

/// One character U+0000 can be a mistake, but a file that looks binary is no damaged text.
#[test]
fn a_zero_byte_before_the_damage_is_told_first() {
    let bytes = [&b"ascii\n".repeat(15_000)[..], b"\0\n", &stray()].concat();
    let room = Room::with([("in", &bytes)]);
    let binary = contains("in: the file looks binary: it has control characters, the first at line 15001, column 1\n");
    room.textcodec("convert --from auto in -o out").assert().code(1).stderr(binary);
    let damaged = contains("in: damaged UTF-8: 1 malformed sequence, at 15102:4 (byte offset 92805)\n");
    room.textcodec("convert --from auto --force in -o out").assert().code(1).stderr(damaged.clone());
    room.textcodec("convert --from auto --guess in -o out").assert().code(1).stderr(damaged);
}

#[test]
fn all_of_a_file_whose_start_is_damaged_is_counted() {
    // The second malformed sequence comes after the first 64 KiB.
    let bytes = [&stray()[..], LINE.repeat(3000).as_bytes(), b"\xFF\n"].concat();
    let room = Room::with([("in", &bytes)]);
    let says = "damaged UTF-8: 2 malformed sequences";
    room.textcodec("check --encoding auto in").assert().code(1).stdout(contains(says));
    room.textcodec("check in").assert().code(1).stdout(contains(says));
    room.textcodec("sniff in").assert().success().stdout(contains(says));
    for options in ["", "--guess", "--fallback windows-1252"] {
        let convert = format!("convert --from auto {options} in -o out");
        room.textcodec(&convert).assert().code(1).stderr(contains(format!("in: {says}, the first at 101:4 ")));
    }
}
