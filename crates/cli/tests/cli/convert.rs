//! `textcodec convert`: the converted text.

use crate::room::Room;
use predicates::str::contains;

/// The word "テキスト" in Shift_JIS.
const TEXT: &str = "テキスト";
const SHIFT_JIS: &[u8] = b"\x83\x65\x83\x4C\x83\x58\x83\x67";
/// The number of files that messages name.
const LIMIT: usize = 20;

fn converts(arguments: &str, input: &[u8], output: &[u8]) {
    Room::new()
        .textcodec(&format!("convert {arguments}"))
        .write_stdin(input)
        .assert()
        .success()
        .stdout(output.to_owned())
        .stderr("");
}

#[test]
fn converts_standard_input_to_standard_output() {
    converts("--from shift_jis", SHIFT_JIS, TEXT.as_bytes());
    converts("--to shift_jis", TEXT.as_bytes(), SHIFT_JIS);
    converts("-f Shift_JIS -t EUC-JP -", SHIFT_JIS, b"\xA5\xC6\xA5\xAD\xA5\xB9\xA5\xC8");
}

#[test]
fn converts_a_file_into_a_file_and_back() {
    let room = Room::with([("sjis.txt", SHIFT_JIS)]);
    room.textcodec("convert --from sjis sjis.txt -o utf8.txt").assert().success().stdout("").stderr("");
    assert_eq!(room.read("utf8.txt"), TEXT.as_bytes());
    room.textcodec("convert --to ms_kanji -o again.txt utf8.txt").assert().success().stdout("").stderr("");
    assert_eq!(room.read("again.txt"), SHIFT_JIS);
    assert_eq!(room.names(), ["again.txt", "sjis.txt", "utf8.txt"]);
}

#[test]
fn the_default_is_utf_8() {
    converts("", TEXT.as_bytes(), TEXT.as_bytes());
}

#[test]
fn byte_order_marks_win_over_from_and_are_removed() {
    converts("--from shift_jis", "\u{FEFF}é".as_bytes(), "é".as_bytes());
    converts("--from shift_jis", b"\xFF\xFE\xE9\0", "é".as_bytes());
    converts("--from shift_jis", b"\xFE\xFF\0\xE9", "é".as_bytes());
    // A program that adds a mark does not look whether there is one.
    converts("--from utf-16be", "\u{FEFF}\u{FEFF}é".as_bytes(), "é".as_bytes());
}

#[test]
fn a_byte_order_mark_is_text_where_it_is_ignored() {
    converts("--ignore-bom --from windows-1252", b"\xEF\xBB\xBFa\xFF", "ï»¿aÿ".as_bytes());
    converts("--no-bom-sniffing --from utf-16be", b"\xFE\xFF\0a", "\u{FEFF}a".as_bytes());
    converts("--ignore-bom --from koi8-r --to koi8-r", b"\xFF\xFEa", b"\xFF\xFEa");
}

#[test]
fn utf_16_needs_no_byte_order_mark_when_it_is_named() {
    converts("--from utf-16be", b"\0a\xD8\x34\xDD\x1E", "a𝄞".as_bytes());
    converts("--from utf-16le", b"a\0\x34\xD8\x1E\xDD", "a𝄞".as_bytes());
}

#[test]
fn utf_16_is_written_with_a_byte_order_mark_if_one_is_wanted() {
    let text = "aé𝄞";
    converts("--to utf-16le", text.as_bytes(), b"a\0\xE9\0\x34\xD8\x1E\xDD");
    converts("--to utf-16", text.as_bytes(), b"a\0\xE9\0\x34\xD8\x1E\xDD");
    converts("--to UTF-16BE", text.as_bytes(), b"\0a\0\xE9\xD8\x34\xDD\x1E");
    converts("--to utf-16le --bom", text.as_bytes(), b"\xFF\xFEa\0\xE9\0\x34\xD8\x1E\xDD");
    converts("--to utf-16be --write-bom --errors html", text.as_bytes(), b"\xFE\xFF\0a\0\xE9\xD8\x34\xDD\x1E");
    converts("--bom", "\u{FEFF}a".as_bytes(), b"\xEF\xBB\xBFa");
    converts("--to utf-16be --bom", b"", b"\xFE\xFF");
    // The text is longer than a buffer, and a character lies across the end of the buffer.
    let text = format!("a{}", "𝄞é".repeat(100_000));
    converts("--to utf-16le --bom", text.as_bytes(), &textcodec::utf16::encode_le_with_bom(&text));
}

#[test]
fn an_empty_input_is_an_empty_output() {
    converts("", b"", b"");
    converts("--from utf-16le", b"\xFF\xFE", b"");
    let room = Room::with([("empty", b"")]);
    room.textcodec("convert --from iso-2022-jp --to big5 -o out empty").assert().success();
    assert_eq!(room.read("out"), b"");
}

#[test]
fn each_file_is_decoded_by_itself() {
    let room =
        Room::with([("a", b"\x83\x65"), ("b", b"\xEF\xBB\xBF\xC3\xA9"), ("c", b"\xFF\xFE\xE9\0"), ("d", b"\x83\x67")]);
    let mut command = room.textcodec("convert --from shift_jis a b - c d");
    command.write_stdin(&b"\x83\x4C"[..]).assert().success().stdout("テéキéト");
}

#[test]
fn a_sequence_does_not_continue_in_the_next_file() {
    let room = Room::with([("a", b"\x83"), ("b", b"\x65")]);
    room.textcodec("convert --from shift_jis -e replacement a b").assert().success().stdout("\u{FFFD}e");
}

#[test]
fn the_texts_of_all_files_are_encoded_as_one() {
    let room = Room::with([("a", TEXT.as_bytes()), ("b", TEXT.as_bytes())]);
    // One escape sequence at the start, one at the end, none between them.
    let both = b"\x1B$B%F%-%9%H%F%-%9%H\x1B(B";
    room.textcodec("convert --to iso-2022-jp a b").assert().success().stdout(&both[..]);
}

#[test]
fn characters_may_lie_across_the_pieces_that_are_read() {
    for shift in 0..4 {
        let text = format!("{}{}", "x".repeat(shift), "テ𝄞é".repeat(50_000));
        converts("", text.as_bytes(), text.as_bytes());

        let utf_16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        converts("--from utf-16le", &utf_16, text.as_bytes());

        let text = format!("{}{}", "x".repeat(shift), TEXT.repeat(50_000));
        let bytes = [&vec![b'x'; shift], &*SHIFT_JIS.repeat(50_000)].concat();
        converts("--from shift_jis", &bytes, text.as_bytes());
        converts("--to shift_jis", text.as_bytes(), &bytes);
    }
}

#[test]
fn replacement_writes_u_fffd_and_question_marks() {
    let room = Room::with([("in", b"a\xFFb\xE2\x98\x83c\xE2\x98\xF0")]);
    let summary =
        "textcodec: replaced 3 malformed sequences by U+FFFD (the first: in, byte offset 1, line 1, column 2)\n";
    room.textcodec("convert --errors replacement in")
        .assert()
        .success()
        .stdout("a\u{FFFD}b☃c\u{FFFD}\u{FFFD}")
        .stderr(summary);

    let summary = "textcodec: replaced 3 malformed sequences by U+FFFD (the first: in, byte offset 1, line 1, column 2) \
                   and 4 characters that windows-1252 cannot encode by ? (the first: U+FFFD (\u{FFFD}), in, line 1, column 2)\n";
    room.textcodec("convert --errors replacement --to windows-1252 in")
        .assert()
        .success()
        .stdout("a?b?c??")
        .stderr(summary);
}

#[test]
fn html_writes_u_fffd_and_character_references() {
    let room = Room::with([("in", b"a\n\xE2\x98\x83"), ("out", b"before")]);
    let summary = "textcodec: replaced 1 character that Big5 cannot encode by a character reference (U+2603 (☃), in, line 2, column 1)\n";
    room.textcodec("convert --errors html --to big5 in -o out").assert().success().stderr(summary);
    assert_eq!(room.read("out"), b"a\n&#9731;");
    let mut command = room.textcodec("convert --errors html --to big5");
    command.write_stdin(&b"a\xFFb"[..]).assert().success().stdout("a&#65533;b");
}

#[test]
fn replacements_keep_the_state_of_the_encoder() {
    let room = Room::with([("in", "テ☃é¥☃\u{E}".as_bytes())]);
    let replacement = b"\x1B$B%F\x1B(B??\x1B(J\\??\x1B(B";
    room.textcodec("convert -t iso-2022-jp -e replacement in").assert().success().stdout(&replacement[..]);
    // The Standard reports U+FFFD for U+000E here.
    let html = textcodec::ISO_2022_JP.encode("テ☃é¥☃\u{E}").bytes;
    assert!(html.ends_with(b"&#65533;\x1B(B"));
    room.textcodec("convert -t iso-2022-jp -e html in").assert().success().stdout(html.into_owned());
}

#[test]
fn malformed_input_alone_takes_linear_time() {
    let bytes = vec![0xFF; 1_000_000];
    let room = Room::with([("in", &bytes)]);
    room.textcodec("convert -e html -t latin1 in").assert().success().stdout("&#65533;".repeat(bytes.len()));
    room.textcodec("convert -e replacement in").assert().success().stdout("\u{FFFD}".repeat(bytes.len()));
}

#[test]
fn agrees_with_the_library_on_bytes_of_all_kinds() {
    // Multiplication by an odd number spreads the values; the high byte is the most mixed.
    let bytes: Vec<u8> = (0..200_000_u32).map(|n| (n.wrapping_mul(0x9E37_79B1) >> 24) as u8).collect();
    for from in textcodec::Encoding::all() {
        let textcodec::Decoded { text, .. } = from.decode(&bytes);
        let to = textcodec::GB18030;
        let room = Room::with([("in", &bytes)]);
        let mut command = room.textcodec(&format!("convert -e html --from {} --to {to} in", from.name()));
        command.assert().success().stdout(to.encode(&text).bytes.into_owned());
    }
}

#[test]
fn a_whole_page_is_sniffed_and_converted() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/page-shift_jis.html");
    let room = Room::with([("page.html", &std::fs::read(page).unwrap())]);
    let sniffed = room.textcodec("sniff page.html").assert().success();
    sniffed.stdout(contains("Shift_JIS, tentative: a meta element"));
    let converted = room.textcodec("convert --from shift_jis page.html").assert().success();
    converted.stdout(contains("変換は成功です"));
}

/// One long file is converted on several threads from its second megabyte on.
#[test]
fn the_number_of_threads_changes_nothing_about_a_long_file() {
    let line = b"\x93\xFA\x96\x7B text\n";
    let clean = line.repeat(200_000);
    let damaged = [&clean[..], b"ab\xFF\n", &clean[..1_000_000], b"\x81\x60\r\n\x87\x8A\n"].concat();
    let room = Room::with([("clean", &*clean), ("damaged", &*damaged)]);
    for arguments in [
        "-f shift_jis clean",
        "-f shift_jis damaged",
        "-f shift_jis -t iso-2022-jp clean",
        "-f shift_jis -t gbk -e escape --report REPORT --newlines lf damaged",
        "-f shift_jis -t windows-1252 -e html -o OUT damaged",
        "-f shift_jis -t utf-16le --bom --normalize nfd damaged clean",
        "-f auto --fallback shift_jis --transliterate -t euc-jp clean",
    ] {
        let all = ["1", "3"].map(|jobs| {
            let arguments = arguments.replace("OUT", &format!("out{jobs}")).replace("REPORT", &format!("report{jobs}"));
            let told = room.textcodec(&format!("convert --jobs {jobs} {arguments}")).output().unwrap();
            let piped = arguments.ends_with(" clean") && arguments.matches("clean").count() == 1;
            if piped && !arguments.contains("damaged") {
                let arguments = arguments.trim_end_matches("clean");
                let mut command = room.textcodec(&format!("convert --jobs {jobs} {arguments}"));
                let from_pipe = command.write_stdin(clean.clone()).output().unwrap();
                assert!(from_pipe.stdout == told.stdout, "{arguments}");
            }
            let files = ["out", "report"].map(|name| std::fs::read(room.path(&format!("{name}{jobs}"))).ok());
            (told.status, told.stdout, String::from_utf8(told.stderr), files)
        });
        assert!(all[0] == all[1], "{arguments}: {:?} {:?}", all[0].2, all[1].2);
        assert!(!all[0].1.is_empty() || all[0].3[0].is_some(), "{arguments}");
    }
    room.textcodec("convert -f shift_jis --jobs 3 --in-place clean").assert().success();
    assert!(room.read("clean") == "日本 text\n".repeat(200_000).into_bytes());
}

/// A reader of a stream that has paused waits for nothing that the program has read.
#[cfg(unix)]
#[test]
fn all_of_a_long_stream_that_pauses_is_written_before_the_pause_ends() {
    use std::{
        io::{Read, Write},
        process::{Command, Stdio},
        sync::mpsc,
        time::Duration,
    };

    let mut program = Command::new(env!("CARGO_BIN_EXE_textcodec"))
        .args(["convert", "-f", "shift_jis", "--jobs", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, mut output) = (program.stdin.take().unwrap(), program.stdout.take().unwrap());
    let text = [&b"\x93\xFA\x96\x7B\n".repeat(500_000)[..], b"the end"].concat();
    let length = "日本\n".len() * 500_000 + "the end".len();
    let (sender, arrived) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = vec![0; length];
        sender.send(output.read_exact(&mut bytes).map(|()| bytes))
    });
    input.write_all(&text).unwrap();
    let bytes = arrived.recv_timeout(Duration::from_secs(60));
    drop(input);
    program.wait().unwrap();
    assert!(bytes.unwrap().unwrap().ends_with("日本\nthe end".as_bytes()));
}

#[test]
fn of_many_files_that_take_the_fallback_the_first_ones_are_named() {
    let room = Room::new();
    let names: Vec<_> = (0..LIMIT + 2).map(|number| format!("f{number}")).collect();
    names.iter().for_each(|name| std::fs::write(room.path(name), b"caf\xE9\n").unwrap());
    for (number, more) in [(LIMIT, ""), (LIMIT + 1, "1 more file is"), (LIMIT + 2, "2 more files are")] {
        let arguments = format!("convert --fallback latin1 {}", names[..number].join(" "));
        let output = room.textcodec(&arguments).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        let named: Vec<_> = told.lines().filter(|line| line.ends_with("as --fallback says")).collect();
        assert_eq!((named.len(), told.lines().count()), (LIMIT, LIMIT + usize::from(!more.is_empty())), "{told}");
        assert!(told.contains(more), "{told}");
    }
}
