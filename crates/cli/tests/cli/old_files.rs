//! Jobs with the charsets of old files, and the names on the page about them.

use std::{collections::BTreeSet, fs, path::PathBuf};

use textcodec_convert::Charset;

use crate::room::Room;
use predicates::str::contains;

/// Converts `bytes` in the charset `label` to UTF-8, and the text back.
fn converts(label: &str, bytes: &[u8], text: &str) {
    let room = Room::with([("in", bytes), ("text", text.as_bytes())]);
    room.textcodec(&format!("convert --from {label} in")).assert().success().stdout(text.to_owned()).stderr("");
    let back = format!("convert --to {label} text");
    room.textcodec(&back).assert().success().stdout(bytes.to_owned()).stderr("");
}

#[test]
fn a_listing_of_a_zip_file_is_cp850() {
    converts("cp850", b"Gr\x94\xE1e.txt  \xB3 1 \xC4\n", "Größe.txt  │ 1 ─\n");
}

#[test]
fn a_folder_name_of_imap_is_modified_utf_7() {
    converts("utf-7-imap", b"Entw&APw-rfe/&AOQA9g-&-B", "Entwürfe/äö&B");
}

#[test]
fn a_table_from_windows_in_japan_is_code_page_932() {
    // Windows has a character for each byte.
    converts("windows:932", b"\x94\xD4\x8D\x86,\x87\x40,\xA0\r\n", "番号,①,\u{F8F0}\r\n");
}

#[test]
fn a_mail_in_chinese_is_hz() {
    converts("hz", b"Subject: ~{<lKw~}\n\n~~ ~{Dz:C~}\n", "Subject: 检索\n\n~ 您好\n");
}

#[test]
fn the_name_of_a_person_in_dicom_has_escapes() {
    let room = Room::with([
        ("first", &b"Suzuki^Hanako=\x1B$BNkLZ\x1B(B^\x1B$B2V;R\x1B(B=\x1B$B$9$:$-\x1B(B"[..]),
        ("latin", b"M\xFCller^J\xF6rg=\x1B-L\xBC\xEE\xDB^\xF6"),
    ]);
    let convert = |arguments: &str| room.textcodec(&format!("convert --from {arguments}"));
    convert("dicom first").assert().success().stdout("Suzuki^Hanako=鈴木^花子=すずき").stderr("");
    convert("dicom-ir-100 latin").assert().success().stdout("Müller^Jörg=Мюл^ö").stderr("");
    converts("dicom", b"Kim^Younghee=\x1B$)C\xB1\xE8^\x1B$)C\xBF\xB5\xC8\xF1", "Kim^Younghee=김^영희");
}

#[test]
fn a_record_of_a_library_is_marc_8() {
    let bytes = &b"245 00\x1Fa\x1B(NWOJNA I MIR /\x1B(B\x1FcT\xEBi\xECutchev, \xA1\xE2od\xE2z.\x1E"[..];
    let text = "245 00\x1Faвойна и мир /\x1FcTi\u{361}utchev, Ło\u{301}dz\u{301}.\x1E";
    let room = Room::with([("in", bytes), ("composed", text.replace("o\u{301}", "ó").as_bytes())]);
    room.textcodec("convert --from marc-8 in").assert().success().stdout(text).stderr("");
    room.textcodec("convert --to marc-8 composed").assert().success().stdout(bytes).stderr("");
    converts("marc-8", b"880 00\x1Fa\x1B$1!HW!:R\x1B(B /\x1Fc\x1B$1o\\e\x1B(B.\x1E", "880 00\x1Fa漢字 /\x1Fc한.\x1E");
}

#[test]
fn a_text_in_tamil_is_tscii() {
    converts("tscii", b"\xBE\xC1\xA2\xFA \xA6\xB8\xA1\xA7\xB8\xAA\n", "தமிழ் கொகௌ\n");
}

#[test]
fn a_string_of_java_is_modified_utf_8() {
    converts("modified-utf-8", b"a\xC0\x80\xED\xA0\xBD\xED\xB2\xA9\xC3\xA9", "a\0💩é");
}

#[test]
fn a_greek_text_of_a_classic_mac_is_mac_greek() {
    converts("x-MacGreek", b"\xBE\xF9\xF8\xDC\x2C\x20\xB0\xF5\xDC\xEE\xE1\r", "Ψυχή, Αθήνα\r");
}

#[test]
fn a_file_of_genealogy_is_ansel() {
    let room = Room::with([("in", &b"1 NAME Andr\xE2e /Ma\xE7zur/\n1 PLAC \xA1\xE2od\xE2z\n"[..])]);
    let composed = "1 NAME André /Mażur/\n1 PLAC Łódź\n";
    room.textcodec("convert --from ansel --normalize nfc in").assert().success().stdout(composed).stderr("");
    converts("ansel", b"Ma\xE7zur \xC0\n", "Maz\u{307}ur °\n");
}

#[test]
fn a_short_message_is_gsm_03_38() {
    converts("gsm-03.38", b"5 \x1Be \x00 \x5E\x1B<\x1B>", "5 € @ Ü[]");
}

#[test]
fn a_tajik_text_is_koi8_t() {
    converts("koi8-t", b"\xF4\xCF\x8D\xC9\xCB\xC9\xD3\xD4\xCF\xCE", "Тоҷикистон");
}

#[test]
fn each_record_becomes_a_line_and_each_line_becomes_a_record() {
    // Two records of eight bytes.
    let records = b"\xC1\xC2\xC3\x40\xF1\x40\x40\x40\xC4\x40\x40\x40\xF2\xF3\x40\x40";
    let lines = "ABC 1   \nD   23  \n";
    let room = Room::with([("records", records), ("lines", lines.as_bytes()), ("short", b"ABC 1\nD   23")]);
    let convert = |arguments: &str| room.textcodec(&format!("convert --record-length 8 {arguments}"));
    convert("--from cp037 records").assert().success().stdout(lines).stderr("");
    for name in ["lines", "short"] {
        convert(&format!("--to cp037 {name}")).assert().success().stdout(records.to_vec()).stderr("");
    }
    // From EBCDIC to EBCDIC, records stay records.
    convert("--from cp037 --to cp500 records").assert().success().stdout(records.to_vec()).stderr("");
    convert("--from cp037").write_stdin("").assert().success().stdout("").stderr("");
    // Many records go through the buffers in pieces.
    room.write("many", &records.repeat(40_000));
    convert("--from cp037 many -o out").assert().success().stderr("");
    assert!(room.read("out") == lines.repeat(40_000).as_bytes());
    convert("--to cp037 out -o again").assert().success().stderr("");
    assert!(room.read("again") == records.repeat(40_000));
}

#[test]
fn a_record_that_is_cut_off_and_a_line_that_is_too_long_are_errors() {
    let room = Room::with([("cut", &b"\xC1\xC2\xC3\xC4\xC5"[..]), ("long", b"abc\nabcd\nabcde\n")]);
    room.textcodec("convert --record-length 4 --from cp037 cut -o out")
        .assert()
        .code(1)
        .stderr(contains("the last record has 1 byte, but a record has 4"));
    room.textcodec("convert --record-length 4 --to cp037 long -o out")
        .assert()
        .code(1)
        .stderr(contains("line 3 is longer than a record of 4 bytes"));
    assert_eq!(room.names(), ["cut", "long"]);
    room.textcodec("convert --record-length 4 cut")
        .assert()
        .code(2)
        .stderr(contains("--record-length needs an encoding of EBCDIC"));
    room.textcodec("convert --record-length 0 --from cp037 cut").assert().code(2);
}

/// The rows of the tables on the page about old files.
fn rows() -> Vec<String> {
    let page: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "docs", "old-files.md"].iter().collect();
    let page = fs::read_to_string(page).unwrap();
    page.lines().filter(|line| line.starts_with("| ")).map(str::to_owned).collect()
}

#[test]
fn every_command_on_the_page_about_old_files_runs_as_written() {
    let jobs: [(&str, &[u8], &str); 10] = [
        ("files.txt", b"Gr\x94\xE1e.txt\n", "Größe.txt\n"),
        ("records.dat", b"\xC1\xC2\xC3\x40\xF1\x40\x40\x40\xC4\x40\x40\x40\xF2\xF3\x40\x40", "ABC 1   \nD   23  \n"),
        ("family.ged", b"1 NAME Andr\xE2e\n", "1 NAME André\n"),
        ("person.txt", b"Kim^Younghee=\x1B$)C\xB1\xE8^\x1B$)C\xBF\xB5\xC8\xF1", "Kim^Younghee=김^영희"),
        ("folder.txt", b"Entw&APw-rfe", "Entwürfe"),
        ("table.csv", b"\x94\xD4\x8D\x86,\x87\x40\r\n", "番号,①\r\n"),
        ("string.bin", b"a\xC0\x80\xED\xA0\xBD\xED\xB2\xA9", "a\0💩"),
        ("mail.txt", b"~{VPND~}\n", "中文\n"),
        ("mac.txt", b"\xBE\xF9\xF8\xDC\r", "Ψυχή\r"),
        ("tajik.txt", b"\xF4\xCF\x8D\xC9\xCB", "Тоҷик"),
    ];
    let room = Room::with(jobs.map(|(name, bytes, _)| (name, bytes)));
    let mut run = Vec::new();
    for row in rows() {
        let Some((command, _)) = row.strip_prefix("| `textcodec ").and_then(|row| row.split_once('`')) else {
            continue;
        };
        let (_, file) = command.rsplit_once(' ').unwrap();
        let (_, _, text) = jobs.iter().find(|(name, _, _)| *name == file).unwrap();
        room.textcodec(command).assert().success().stdout((*text).to_owned()).stderr("");
        // The last column has the name that the command gives.
        let name = row.rsplit('`').nth(1).unwrap();
        assert!(command.contains(&format!("--from {name} ")), "{row}");
        run.push(file.to_owned());
    }
    assert_eq!(run, jobs.map(|(name, _, _)| name));
}

#[test]
fn every_name_on_the_page_about_old_files_is_a_label() {
    let mut names = BTreeSet::new();
    for line in rows() {
        let last = line.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        for name in last.split('`').skip(1).step_by(2) {
            assert!(Charset::for_label(name).is_ok(), "{name}");
            names.insert(name.to_owned());
        }
    }
    assert!(names.len() > 30, "{names:?}");
}
