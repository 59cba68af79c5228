//! `textcodec names --zip`.

use std::process::Command;

use crate::room::Room;
use predicates::str::contains;

/// A file in an archive: flags, name, extra fields in the local header and in the directory, and comment.
pub(crate) struct Entry {
    flags: u16,
    name: &'static [u8],
    extra: &'static [u8],
    comment: &'static [u8],
}

pub(crate) const fn entry(name: &'static [u8]) -> Entry {
    Entry { flags: 0, name, extra: b"", comment: b"" }
}

fn words(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// An archive in which each file is stored and contains its name; `prefix` stands before it.
pub(crate) fn archive(entries: &[Entry], prefix: &[u8], is_64: bool) -> Vec<u8> {
    let (mut bytes, mut directory) = (prefix.to_vec(), Vec::new());
    for Entry { flags, name, extra, comment } in entries {
        let length = u16::try_from(name.len()).unwrap();
        let offset = u32::try_from(bytes.len() - prefix.len()).unwrap().to_le_bytes();
        let common =
            [words(&[20, *flags, 0, 0, 0x21]), crc(name).to_le_bytes().to_vec(), words(&[length, 0, length, 0])];
        let lengths = words(&[length, u16::try_from(extra.len()).unwrap()]);
        bytes.extend([b"PK\x03\x04", &*common.concat(), &lengths, name, extra, name].concat());
        let rest = words(&[u16::try_from(comment.len()).unwrap(), 0, 0, 0, 0]);
        let made_by: &[u8] = b"\x14\0";
        directory.extend(
            [b"PK\x01\x02", made_by, &*common.concat(), &lengths, &rest, &offset, name, extra, comment].concat(),
        );
    }
    let (start, size) = (bytes.len() - prefix.len(), directory.len());
    bytes.extend(directory);
    let number = u16::try_from(entries.len()).unwrap();
    if is_64 {
        let end = bytes.len() - prefix.len();
        let long = |value: usize| (value as u64).to_le_bytes();
        let counts = [long(entries.len()), long(entries.len()), long(size), long(start)].concat();
        bytes.extend([b"PK\x06\x06", &long(44)[..], &words(&[45, 45, 0, 0, 0, 0]), &counts].concat());
        bytes.extend([b"PK\x06\x07", &[0; 4][..], &long(end), &[1, 0, 0, 0]].concat());
    }
    let short = |value: usize| if is_64 { [0xFF; 4] } else { u32::try_from(value).unwrap().to_le_bytes() };
    bytes.extend([b"PK\x05\x06", &*words(&[0, 0, number, number]), &short(size), &short(start), b"\x03\0end"].concat());
    bytes
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ if crc & 1 == 1 { 0xEDB8_8320 } else { 0 })
    })
}

const UTF_8: u16 = 1 << 11;

fn mixed() -> [Entry; 5] {
    [
        Entry { comment: b"\x82\xA0", ..entry(b"\x93\xFA\x96\x7B/") },
        Entry { extra: b"\x75\x70\x05\0\x01abcd\x99\x99\x02\0xy", ..entry(b"\x93\xFA\x96\x7B/\x8C\xEA.txt") },
        Entry { flags: UTF_8, ..entry("語".as_bytes()) },
        entry(b"plain"),
        entry("é".as_bytes()),
    ]
}

/// The same, as a program writes it that knows UTF-8.
fn renamed() -> [Entry; 5] {
    [
        Entry { flags: UTF_8, comment: "あ".as_bytes(), ..entry("日本/".as_bytes()) },
        Entry { flags: UTF_8, extra: b"\x99\x99\x02\0xy", ..entry("日本/語.txt".as_bytes()) },
        Entry { flags: UTF_8, ..entry("語".as_bytes()) },
        entry(b"plain"),
        Entry { flags: UTF_8, ..entry("é".as_bytes()) },
    ]
}

#[test]
fn a_backslash_in_a_name_is_not_taken_for_an_escape() {
    let room = Room::with([("old.zip", &archive(&[entry(b"\x95\x5C.txt"), entry(b"a\n\"b")], b"", false))]);
    room.textcodec("names --zip old.zip --from cp932")
        .assert()
        .success()
        .stdout("\"\\x95\\\\.txt\" -> 表.txt\n\"a\\n\\\"b\"\n");
}

#[test]
fn an_archive_is_copied_with_names_in_utf_8_and_nothing_else_changes() {
    for (prefix, is_64) in [(&b""[..], false), (b"#!/bin/sh\n", false), (b"", true), (b"#!/bin/sh\n", true)] {
        let room = Room::with([("old.zip", &archive(&mixed(), prefix, is_64))]);
        let list = "\"\\x93\\xfa\\x96{/\" -> 日本/\n\"\\x93\\xfa\\x96{/\\x8c\\xea.txt\" -> 日本/語.txt\n語\nplain\né\n";
        room.textcodec("names --zip old.zip --from cp932")
            .assert()
            .success()
            .stdout(list)
            .stderr(contains("nothing is written without --output; 2 to rename, 2 already UTF-8"));
        room.textcodec("names --zip old.zip --from cp932 -o new.zip")
            .assert()
            .success()
            .stdout("")
            .stderr("textcodec: 2 renamed, 2 already UTF-8\n");
        // The data of each file is its old name. Everything else is as a program writes it that knows UTF-8.
        let new = room.read("new.zip");
        assert_eq!(names_and_data(&new, prefix.len()), names_and_data_of(&mixed(), &renamed()), "{prefix:?} {is_64}");
        // A second run changes nothing.
        room.textcodec("names --zip new.zip --from cp932 -o again.zip")
            .assert()
            .success()
            .stderr(contains("0 renamed"));
        assert_eq!(room.read("again.zip"), new);
    }
}

#[test]
fn a_new_name_takes_the_place_of_the_copy_in_the_extra_fields_and_the_others_stay() {
    // The name in UTF-8, which would be wrong now, another field, and the start of a third that is cut off.
    const EXTRA: &[u8] = b"\x75\x70\x05\0\x01abcd\x99\x99\x02\0xy\x01\0\x09";
    const REST: &[u8] = b"\x99\x99\x02\0xy\x01\0\x09";
    let marked = |name: &'static str, extra| Entry { flags: UTF_8, extra, ..entry(name.as_bytes()) };
    let old = || [marked("e\u{301}", EXTRA), marked("ü", EXTRA), Entry { extra: EXTRA, ..entry(b"\x93\xFA") }];
    let new = [marked("é", REST), marked("ü", EXTRA), marked("日", REST)];
    let room = Room::with([("old.zip", &archive(&old(), b"", false))]);
    room.textcodec("names --zip old.zip --from cp932 --normalize nfc -o new.zip").assert().success();
    assert_eq!(names_and_data(&room.read("new.zip"), 0), names_and_data_of(&old(), &new));
}

#[test]
fn a_comment_is_written_in_utf_8_also_beside_a_name_that_stays() {
    let with = |flags, name: &'static [u8], comment: &'static [u8]| Entry { flags, comment, ..entry(name) };
    let old = [
        with(0, b"ascii", b"ascii"),
        with(0, b"old comment", b"\x82\xA0"),
        with(0, b"new comment", "é".as_bytes()),
        with(UTF_8, b"marked", "é".as_bytes()),
        with(0, b"\x93\xFA", b"ascii"),
        with(0, "é".as_bytes(), b"ascii"),
        // Neither changes if one of the two is malformed.
        with(0, b"\x93\xFA again", b"\xFF"),
        with(0, b"\xFF", b"\x82\xA0"),
    ];
    let new = [
        with(0, b"ascii", b"ascii"),
        with(UTF_8, b"old comment", "あ".as_bytes()),
        with(UTF_8, b"new comment", "é".as_bytes()),
        with(UTF_8, b"marked", "é".as_bytes()),
        with(UTF_8, "日".as_bytes(), b"ascii"),
        with(UTF_8, "é".as_bytes(), b"ascii"),
        with(0, b"\x93\xFA again", b"\xFF"),
        with(0, b"\xFF", b"\x82\xA0"),
    ];
    let room = Room::with([("old.zip", &archive(&old, b"", false))]);
    room.textcodec("names --zip old.zip --from cp932 -o new.zip").assert().code(1);
    assert_eq!(names_and_data(&room.read("new.zip"), 0), names_and_data_of(&old, &new));
}

#[test]
fn a_file_that_is_encrypted_and_has_a_data_descriptor_gets_another_name_only() {
    let mut old = archive(&[entry(b"\xE9")], b"", false);
    let (data_end, end) = (32, 32 + 47);
    // The end of the directory, its record, and the local header, from the last byte to the first.
    old[end + 16] += 16;
    old[data_end + 36..data_end + 42].copy_from_slice(b"\x01\0\0\0\xA4\x81");
    old[data_end + 4..data_end + 12].copy_from_slice(b"\x1E\x03\x33\0\x0F\0\x63\0");
    old.splice(data_end..data_end, *b"PK\x07\x08a descriptor");
    old[4..10].copy_from_slice(b"\x33\0\x0F\0\x63\0");
    let room = Room::with([("old.zip", &old)]);
    room.textcodec("names --zip old.zip --from windows-1252 -o new.zip").assert().success();

    let mut expected = old;
    let (record, end) = (data_end + 16, end + 16);
    (expected[end + 12], expected[end + 16]) = (48, 49);
    for (header, flags, length, name) in [(record, 9, 28, 46), (0, 7, 26, 30)] {
        expected[header + flags] |= 8;
        expected[header + length] = 2;
        expected.splice(header + name..header + name + 1, "é".bytes());
    }
    assert_eq!(room.read("new.zip"), expected);
}

/// Flags, name, extra fields, comment and data of each file, by the offsets of the directory.
type Listing = Vec<(u16, Vec<u8>, Vec<u8>, Vec<u8>, Vec<u8>)>;

fn names_and_data(bytes: &[u8], prefix: usize) -> Listing {
    let u16_at = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let u32_at = |at: usize| u16_at(at) | u16_at(at + 2) << 16;
    let end = bytes.windows(4).rposition(|window| window == b"PK\x05\x06").unwrap();
    assert_eq!(&bytes[end + 22..], b"end");
    let mut at = u32_at(end + 16) + prefix;
    let mut directory_end = end;
    if bytes[end + 16..end + 20] == [0xFF; 4] {
        let end_64 = u32_at(end - 20 + 8) + prefix;
        assert_eq!(bytes[end_64..end_64 + 4], *b"PK\x06\x06");
        (at, directory_end) = (u32_at(end_64 + 48) + prefix, end_64);
        assert_eq!(u32_at(end_64 + 40), end_64 - at);
    } else {
        assert_eq!(u32_at(end + 12), end - at);
    }
    let mut listing = Vec::new();
    while at < directory_end {
        assert_eq!(bytes[at..at + 4], *b"PK\x01\x02");
        let (name, extra, comment) = (u16_at(at + 28), u16_at(at + 30), u16_at(at + 32));
        let local = u32_at(at + 42) + prefix;
        assert_eq!(bytes[local..local + 4], *b"PK\x03\x04");
        let start = at + 46;
        // The fields of both headers are equal, from the version on to the lengths.
        assert_eq!(bytes[at + 6..start - 14], bytes[local + 4..local + 30], "a file whose headers differ");
        assert_eq!(bytes[start..start + name + extra], bytes[local + 30..local + 30 + name + extra]);
        let data = local + 30 + name + extra;
        let part = |from: usize, length: usize| bytes[from..from + length].to_vec();
        listing.push((
            u16_at(at + 8) as u16,
            part(start, name),
            part(start + name, extra),
            part(start + name + extra, comment),
            part(data, u32_at(at + 20)),
        ));
        at = start + name + extra + comment;
    }
    listing
}

fn names_and_data_of(old: &[Entry], new: &[Entry]) -> Listing {
    let pairs = old.iter().zip(new);
    let of = |(old, new): (&Entry, &Entry)| {
        (new.flags, new.name.to_vec(), new.extra.to_vec(), new.comment.to_vec(), old.name.to_vec())
    };
    pairs.map(of).collect()
}

#[test]
fn an_archive_that_is_damaged_or_has_wrong_names_is_an_error() {
    let whole = archive(&mixed(), b"", false);
    let room = Room::with([("whole.zip", &whole)]);
    for (bytes, sentence) in [
        (&b"PK"[..], "no ZIP archive"),
        (&whole[..whole.len() - 30], "no ZIP archive"),
        (&whole[40..], "the start of the archive is missing"),
    ] {
        room.write("bad.zip", bytes);
        room.textcodec("names --zip bad.zip --from cp932 -o out.zip").assert().code(1).stderr(contains(sentence));
    }
    // Every byte of the headers can be wrong: the program fails or copies, and never panics.
    for at in (0..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0xFF;
        room.write("bad.zip", &bytes);
        let output = room.textcodec("names --zip bad.zip --from cp932 -o out.zip").output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{at}: {output:?}");
    }
    // Two old names of one new name, and an old name of one that another file has.
    let (old, marked) = (|| entry(b"\x87\x54"), || Entry { flags: UTF_8, ..entry("Ⅰ".as_bytes()) });
    for same in [[entry(b"\xFA\x4A"), old()], [old(), marked()], [marked(), old()]] {
        room.write("same.zip", &archive(&same, b"", false));
        let taken = contains("two files in the archive would get one name");
        room.textcodec("names --zip same.zip --from cp932 -o same-out.zip").assert().code(1).stderr(taken);
        assert!(!room.path("same-out.zip").exists());
    }
    room.write("malformed.zip", &archive(&[entry(b"\xFF")], b"", false));
    let stays = contains("malformed.zip: \"\\xff\": the name is not Shift_JIS; the name stays");
    room.textcodec("names --zip malformed.zip --from cp932").assert().code(1).stdout("\"\\xff\"\n").stderr(stays);
    // A name that a bit says is UTF-8, but is not, is in no other charset either.
    room.write("marked.zip", &archive(&[Entry { flags: UTF_8, ..entry(b"\x81.t") }, entry(b"\x81.u")], b"", false));
    let stays = contains("marked.zip: \"\\x81.t\": the name is not UTF-8; the name stays");
    let shown = "\"\\x81.t\"\n\"\\x81.u\" -> ü.u\n";
    room.textcodec("names --zip marked.zip --from cp437").assert().code(1).stdout(shown).stderr(stays);
    // One byte tells too little for a guess.
    room.textcodec("names --zip malformed.zip -o out.zip").assert().code(1);
}

#[test]
fn unzip_reads_the_copy() {
    let room = Room::with([("old.zip", &archive(&mixed(), b"", false))]);
    room.textcodec("names --zip old.zip --from cp932 -o new.zip").assert().success();
    let unzip =
        Command::new("unzip").args(["-t", "new.zip"]).env("LC_ALL", "C.UTF-8").current_dir(room.path("")).output();
    let Ok(output) = unzip else {
        eprintln!("there is no unzip");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("No errors detected") && text.contains("日本/語.txt"), "{output:?}");
}

#[test]
fn an_archive_that_cannot_be_copied_leaves_the_other_as_it_was() {
    let mut bytes = archive(&[entry(b"\xE9")], b"", false);
    bytes[30] = b'e';
    let room = Room::with([("old.zip", &bytes[..]), ("new.zip", b"before")]);
    let message =
        "textcodec: cannot copy old.zip to new.zip: a file in the archive has another name than in the directory\n";
    room.textcodec("names --zip old.zip --from latin1 -o new.zip").assert().code(1).stderr(message);
    assert_eq!((room.read("new.zip"), room.names().len()), (b"before".to_vec(), 2));
}

#[test]
fn an_archive_can_be_renamed_in_its_place() {
    let old = archive(&mixed(), b"", false);
    let room = Room::with([("a.zip", &old[..]), ("b.zip", &old)]);
    room.textcodec("names --zip a.zip --from cp932 -o new.zip").assert().success();
    room.textcodec("names --zip b.zip --from cp932 -o ./b.zip").assert().success();
    assert_eq!(room.read("b.zip"), room.read("new.zip"));
    assert_eq!((room.read("a.zip"), room.names().len()), (old, 3));
}
