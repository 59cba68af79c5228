//! Writing only UTF-8: into every kind of destination, over every character, and when writing panics.

use core::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{
    append, append_units, as_ascii, as_utf8, from_latin1, write_short_latin1, write_short_utf16, write_str,
    write_uninit,
};
use crate::level::at_every_level;

#[test]
fn a_sequence_that_is_cut_off_is_no_utf8() {
    at_every_level(|_| {
        let bytes = b"a\xC3\xA4\xE2\x82";
        assert_eq!((as_ascii(&bytes[..1]), as_utf8(&bytes[..1])), (Some("a"), Some("a")));
        assert_eq!((as_ascii(&bytes[..3]), as_utf8(&bytes[..3])), (None, Some("aä")));
        assert_eq!((as_ascii(bytes), as_utf8(bytes)), (None, None));
    });
}

#[test]
fn one_byte_that_is_not_ascii_is_found_everywhere() {
    at_every_level(|_| {
        for length in 0..=200 {
            let mut bytes = vec![b'a'; length];
            let is_whole = |string: Option<&str>| string.map(str::as_bytes) == Some(&bytes[..]);
            assert!(is_whole(as_ascii(&bytes)) && is_whole(as_utf8(&bytes)));
            for at in 0..length {
                bytes[at] = 0x80;
                assert_eq!((as_ascii(&bytes), as_utf8(&bytes)), (None, None));
                bytes[at] = b'a';
            }
        }
    });
}

#[test]
fn latin1_of_every_length_becomes_a_string() {
    at_every_level(|_| {
        let bytes: Vec<u8> = (0..300_u32).map(|at| (at * at / 3) as u8).collect();
        for length in 0..=bytes.len() {
            let expected: String = bytes[..length].iter().copied().map(char::from).collect();
            assert_eq!(from_latin1(&bytes[..length]), expected);
        }
    });
}

#[test]
fn appends_to_the_spare_capacity() {
    let mut string = String::with_capacity(10);
    string.push('ä');
    let (fits, written) = append(&mut string, 4, |space, proof| {
        let mut writer = space.writer();
        let fits = (writer.push('ö'), writer.push('€'), writer.write(|space| space.ascii(b"abc")));
        *proof = writer.finish();
        fits
    });
    assert_eq!((fits, written, &*string), ((true, false, 2), 4, "äöab"));
}

#[cfg_attr(target_arch = "wasm32", ignore = "a panic ends the program")]
#[test]
fn a_string_is_as_before_when_writing_panics() {
    let mut string = String::from("ä");
    string.reserve(100);
    let panics = catch_unwind(AssertUnwindSafe(|| {
        append(&mut string, 100, |space, proof| {
            let mut writer = space.writer();
            writer.write(|space| space.ascii(b"abc"));
            if writer.remaining() < 100 {
                panic!("on purpose");
            }
            *proof = writer.finish();
        });
    }));
    assert!(panics.is_err());
    assert_eq!(string, "ä");
}

#[cfg_attr(target_arch = "wasm32", ignore = "a panic ends the program")]
#[test]
fn appends_units_to_the_spare_capacity() {
    let mut units = vec![1_u16];
    units.reserve(5);
    let (result, written) = append_units(&mut units, 3, |to| {
        assert_eq!(to.len(), 3);
        to[..2].copy_from_slice(&[2, 3]);
        ("done", 2)
    });
    assert_eq!((result, written, &*units), ("done", 2, &[1, 2, 3][..]));
    let panics = catch_unwind(AssertUnwindSafe(|| append_units(&mut units, 1, |_| ((), 2))));
    assert!(panics.is_err());
    assert_eq!(units, [1, 2, 3]);
}

#[test]
fn writes_into_a_str_and_clears_up_to_the_limit() {
    let mut string = String::from("äöü€xyz");
    // The limit cuts the € in two.
    let (_, written) = write_str(&mut string, 7, |space, proof| *proof = space.utf8("€".as_bytes()).1);
    assert_eq!((written, &*string), (3, "€\0\0\0\0\0\0xyz"));
}

#[cfg_attr(target_arch = "wasm32", ignore = "a panic ends the program")]
#[test]
fn a_str_is_cleared_up_to_the_limit_when_writing_panics() {
    let mut string = String::from("äöü€xyz");
    let panics = catch_unwind(AssertUnwindSafe(|| {
        write_str(&mut string, 5, |space, proof| {
            let mut writer = space.writer();
            writer.write(|space| space.utf8("жжж".as_bytes()));
            if writer.remaining() < 5 {
                panic!("on purpose");
            }
            *proof = writer.finish();
        });
    }));
    assert!(panics.is_err());
    assert_eq!(string, "\0\0\0\0\0\0€xyz");
}

/// Short text over every character at every place, with destinations that it does not fill and destinations that
/// are too short.
#[test]
fn short_text_changes_the_front_of_a_str_and_the_character_that_it_cuts() {
    at_every_level(|_| {
        for old in ["", "a", "ä", "€", "aaaaaaaaaaaa", "ääääää", "€€€€", "\u{1F4A9}\u{1F4A9}\u{1F4A9}", "aä€\u{1F4A9}é"]
        {
            for new in ["", "x", "xyz", "ä", "xäz", "ж", "xж€", "\u{1F4A9}", "abcdefghij", "äöüäöüäöüäöüäöüäöü"]
            {
                let units: Vec<u16> = new.encode_utf16().collect();
                check_front(old, new, |string| write_short_utf16(string, &units), char::len_utf16);
                if let Some(latin1) =
                    new.chars().map(|character| u8::try_from(character).ok()).collect::<Option<Vec<_>>>()
                {
                    check_front(old, new, |string| write_short_latin1(string, &latin1), |_| 1);
                }
            }
        }
    });
}

/// Longer text may be left to other functions.
#[test]
fn a_few_characters_are_written_without_other_functions() {
    at_every_level(|_| {
        for new in ["", "x", "xyz", "ä", "äöüä", "xäz"] {
            let units: Vec<u16> = new.encode_utf16().collect();
            let latin1: Vec<u8> = new.chars().map(|character| character as u8).collect();
            let (mut string, mut of_latin1) = ("-".repeat(20), "-".repeat(20));
            assert_eq!(write_short_utf16(&mut string, &units), Some((units.len(), new.len())));
            assert_eq!(write_short_latin1(&mut of_latin1, &latin1), Some((latin1.len(), new.len())));
            let expected = new.to_owned() + &"-".repeat(20 - new.len());
            assert_eq!((&string, &of_latin1), (&expected, &expected));
        }
    });
}

/// Checks that `write` writes as much of `new` over `old` as fits, or nothing.
fn check_front(old: &str, new: &str, write: impl Fn(&mut str) -> Option<(usize, usize)>, units: fn(char) -> usize) {
    let mut string = String::from(old);
    let result = write(&mut string);
    let text = core::str::from_utf8(string.as_bytes()).expect("a str is UTF-8");
    let Some((read, written)) = result else {
        assert_eq!(text, old);
        return;
    };
    assert_eq!(text[..written], new[..written]);
    assert_eq!(read, new[..written].chars().map(units).sum());
    assert!(new[written..].chars().next().is_none_or(|next| written + next.len_utf8() > old.len()));
    let end = (written..=old.len()).find(|&end| old.is_char_boundary(end)).unwrap();
    assert!(text[written..end].bytes().all(|byte| byte == 0), "{old} {new}");
    assert_eq!(text[end..], old[end..], "{new}");
}

/// Every limit, and every character at every place where a limit can cut it.
#[test]
fn a_str_is_utf_8_whatever_the_limit_and_the_length_written() {
    for old in ["aaaaaaaaaaaa", "ääääää", "€€€€", "\u{1F4A9}\u{1F4A9}\u{1F4A9}", "aä€\u{1F4A9}é"] {
        for limit in 0..=old.len() + 1 {
            for new in ["", "x", "ж", "xж€"] {
                let mut string = String::from(old);
                let (read, written) = write_str(&mut string, limit, |space, proof| {
                    let read;
                    (read, *proof) = space.utf8(new.as_bytes());
                    read
                });
                assert_eq!(read, written);
                let text = core::str::from_utf8(string.as_bytes()).expect("a str is UTF-8");
                assert_eq!(text[..written], new[..written]);
                let end = (limit.min(old.len())..=old.len()).find(|&end| old.is_char_boundary(end)).unwrap();
                assert!(text[written..end].bytes().all(|byte| byte == 0), "{old} {limit} {new}");
                assert_eq!(text[end..], old[end..], "{limit} {new}");
            }
        }
    }
}

#[test]
fn a_writer_goes_on_where_the_last_piece_ended() {
    let mut memory = [MaybeUninit::uninit(); 9];
    let (read, text) = write_uninit(&mut memory, |space, proof| {
        assert_eq!(space.capacity(), 9);
        let mut writer = space.writer();
        writer.push('ä');
        let read = writer.write(|space| space.utf16(&[0x20AC, 0xD800]));
        assert_eq!((writer.written(), writer.remaining()), (5, 4));
        writer.write(|space| ((), space.nothing()));
        writer.write(|space| space.latin1(b"\xE4z"));
        *proof = writer.finish();
        read
    });
    assert_eq!((read, &*text), (1, "ä€äz"));
}
