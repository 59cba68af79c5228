//! Every function with every kind of argument: suffixes and requests, names in every spelling, and null pointers.

use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    ptr::null_mut,
};

use textcodec::charsets::{Charset, Names};
use textcodec_capi_iconv::{
    iconv, iconv_close, iconv_open, iconv_t, iconvctl, libiconv, libiconv_close, libiconv_open, libiconvctl,
};

use crate::glibc::{Call, Library, OURS, Opened, UNCHANGED, errno, glibc, set_errno};

const E2BIG: c_int = 7;
const EBADF: c_int = 9;
const EINVAL: c_int = 22;
const EILSEQ: c_int = 84;

const TRIVIALP: c_int = 0;
const GET_TRANSLITERATE: c_int = 1;
const SET_TRANSLITERATE: c_int = 2;
const GET_DISCARD_ILSEQ: c_int = 3;
const SET_DISCARD_ILSEQ: c_int = 4;

type Control = unsafe extern "C" fn(iconv_t, c_int, *mut c_void) -> c_int;

/// Both names of the function, which do the same.
const CONTROLS: [Control; 2] = [iconvctl, libiconvctl];

/// Calls `iconvctl`, and returns the result, the value after the call, and `errno`.
fn control(function: Control, descriptor: iconv_t, request: c_int, mut value: c_int) -> (c_int, c_int, c_int) {
    set_errno(UNCHANGED);
    // SAFETY: the descriptor is opened, or that of a failure. The pointer leads to an int.
    let result = unsafe { function(descriptor, request, (&raw mut value).cast()) };
    (result, value, errno())
}

fn get(opened: &Opened, request: c_int) -> c_int {
    let (result, value, errno) = control(iconvctl, opened.descriptor(), request, 7);
    assert_eq!((result, errno), (0, UNCHANGED));
    value
}

#[test]
fn the_requests_of_the_header_have_the_numbers_of_libiconv() {
    let header = include_str!("../../include/textcodec-iconv.h");
    let defined: Vec<(&str, &str)> = header
        .lines()
        .filter_map(|line| line.strip_prefix("#define ICONV_")?.split_once(' '))
        .map(|(name, rest)| (name, rest.split_whitespace().next().unwrap()))
        .collect();
    let expected = [
        ("TRIVIALP", TRIVIALP),
        ("GET_TRANSLITERATE", GET_TRANSLITERATE),
        ("SET_TRANSLITERATE", SET_TRANSLITERATE),
        ("GET_DISCARD_ILSEQ", GET_DISCARD_ILSEQ),
        ("SET_DISCARD_ILSEQ", SET_DISCARD_ILSEQ),
    ];
    assert_eq!(defined, expected.map(|(name, number)| (name, ["0", "1", "2", "3", "4"][number as usize])));
}

/// What a name without suffixes does, and each spelling of the suffixes.
const SUFFIXES: [(&str, bool, bool); 13] = [
    ("", false, false),
    ("//", false, false),
    ("//NONSENSE", false, false),
    ("//IGNORE", false, true),
    ("//ignore", false, true),
    ("//IGNORE//", false, true),
    ("//TRANSLIT", true, false),
    ("//Translit/", true, false),
    ("//TRANSLIT//IGNORE", true, true),
    ("//IGNORE//TRANSLIT", true, true),
    ("//ignore//translit/", true, true),
    ("//IGNORE//IGNORE", false, true),
    ("//TRANSLIT//NONSENSE", true, false),
];

/// Pairs of charsets, and texts with characters that are unmappable, malformed, cut off, and mappable.
const PAIRS: [(&str, &str, &[u8]); 9] = [
    ("UTF-8", "ASCII", "a“é😀☃".as_bytes()),
    ("UTF-8", "LATIN1", b"a\xE2\x80\x9C\xFFb\xE2\x98\x83\xE2\x98"),
    ("UTF-8", "EUC-KR", "가é☃a".as_bytes()),
    ("UTF-8", "ISO-2022-JP", "テ☃\u{E000}テé".as_bytes()),
    ("UTF-8", "UTF-16", b"a\xED\xA0\x80b"),
    ("SJIS", "UTF-8", b"\x83\x65\x82\xFFa\x83"),
    ("SJIS", "KOI8-R", b"\x84\x40a\x83\x65\xFF"),
    ("CP1258", "LATIN1", b"ae\xECb\xD0\xD2"),
    ("UTF-16LE", "IBM037", b"a\0\x1C\x20\x00\xDC\xE9\0"),
];

/// The calls of a descriptor for a text, into less space and then into more, and what ends the text.
fn calls(opened: &mut Opened, source: &[u8]) -> Vec<Call> {
    let mut all = Vec::new();
    for space in [0, 1, 2, 3, 5, 64] {
        let first = opened.call(Some(source), space);
        let rest = &source[first.read..];
        all.extend([first, opened.call(Some(rest), 64), opened.call(None, 0), opened.call(None, 64)]);
    }
    all
}

#[test]
fn each_suffix_is_the_same_as_the_requests_that_set_it() {
    for (from, to, source) in PAIRS {
        for (suffix, transliterates, ignores) in SUFFIXES {
            let name = format!("{to}{suffix}");
            let opened = || OURS.open(from, &name).unwrap_or_else(|_| panic!("{name}"));
            let asked = |opened: &Opened| [GET_TRANSLITERATE, GET_DISCARD_ILSEQ].map(|request| get(opened, request));
            assert_eq!(asked(&opened()), [transliterates.into(), ignores.into()], "{name}");
            assert_eq!(get(&opened(), TRIVIALP), 0, "{name}");
            let mut plain = OURS.open(from, to).unwrap();
            for (function, (one, other)) in CONTROLS.into_iter().zip([(1, c_int::MIN), (-1, 2)]) {
                let values = [(SET_TRANSLITERATE, transliterates, one), (SET_DISCARD_ILSEQ, ignores, other)];
                for (request, is_set, value) in values {
                    let value = if is_set { value } else { 0 };
                    assert_eq!(control(function, plain.descriptor(), request, value), (0, value, UNCHANGED));
                }
                assert_eq!(asked(&plain), [transliterates.into(), ignores.into()], "{name}");
                assert_eq!(calls(&mut plain, source), calls(&mut opened(), source), "{from} to {name}");
            }
            // On the side of the input, suffixes have no effect.
            let mut other = OURS.open(&format!("{from}{suffix}"), to).unwrap();
            assert_eq!(asked(&other), [0, 0]);
            let mut plain = OURS.open(from, to).unwrap();
            assert_eq!(calls(&mut other, source), calls(&mut plain, source), "{from}{suffix} to {to}");
        }
        // A flag without an effect would be seen.
        let of = |suffix| calls(&mut OURS.open(from, &format!("{to}{suffix}")).unwrap(), source);
        assert_ne!(of("//IGNORE"), of(""), "{from} to {to}");
    }
}

#[test]
fn a_request_that_means_nothing_and_a_descriptor_that_is_none_are_einval() {
    let opened = OURS.open("UTF-8", "ASCII//IGNORE").unwrap();
    for function in CONTROLS {
        for request in [-1, 5, 6, 99, c_int::MIN, c_int::MAX] {
            assert_eq!(control(function, opened.descriptor(), request, 7), (-1, 7, EINVAL), "{request}");
        }
        for request in TRIVIALP..=SET_DISCARD_ILSEQ {
            for descriptor in [null_mut(), usize::MAX as iconv_t] {
                assert_eq!(control(function, descriptor, request, 7), (-1, 7, EINVAL), "{request}");
            }
            set_errno(UNCHANGED);
            // SAFETY: the descriptor is opened.
            assert_eq!(unsafe { function(opened.descriptor(), request, null_mut()) }, -1);
            assert_eq!(errno(), EINVAL);
        }
    }
    assert_eq!([GET_TRANSLITERATE, GET_DISCARD_ILSEQ].map(|request| get(&opened, request)), [0, 1]);
}

#[test]
#[cfg(feature = "next")]
fn a_conversion_of_the_next_library_has_no_requests() {
    // This library only reads text in the charset.
    let mut opened = OURS.open("UTF-8", "ISO-2022-CN-EXT").unwrap();
    let requests = CONTROLS.into_iter().flat_map(|function| (-1..=5).map(move |request| (function, request)));
    for (function, request) in requests {
        assert_eq!(control(function, opened.descriptor(), request, 7), (-1, 7, EINVAL), "{request}");
    }
    assert_eq!(opened.call(Some(b"a\xFF"), 9), Call { result: Err(EILSEQ), read: 1, bytes: b"a".to_vec() });
    assert_eq!(opened.call(Some(b"bc"), 1), Call { result: Err(E2BIG), read: 1, bytes: b"b".to_vec() });
    assert_eq!(opened.call(Some(b"\xE5\x95"), 9), Call { result: Err(EINVAL), read: 0, bytes: Vec::new() });
    opened.reset();
}

/// Some charsets of each family, with two names each.
const CHARSETS: [(&str, &str); 14] = [
    ("UTF-8", "utf8"),
    ("LATIN1", "ISO-8859-1"),
    ("KOI8-R", "cskoi8r"),
    ("KOI8-U", "koi8-u"),
    ("CP437", "IBM437"),
    ("IBM037", "EBCDIC-CP-US"),
    ("SJIS", "shift-jis"),
    ("CP932", "IBM943"),
    ("EUC-JP", "ujis"),
    ("UTF-16", "utf16"),
    ("UTF-16LE", "UTF16LE"),
    ("UTF-16BE", "utf-16be"),
    ("ISO-2022-JP", "csISO2022JP"),
    ("CP1258", "windows-1258"),
];

#[test]
fn two_charsets_are_one_if_their_tables_are() {
    let names: Vec<&str> = CHARSETS.iter().flat_map(|&(name, other)| [name, other]).collect();
    let charset = |name: &str| Charset::for_name(name, Names::Glibc).unwrap_or_else(|| panic!("{name}"));
    for from in &names {
        for to in &names {
            let opened = OURS.open(from, to).unwrap_or_else(|_| panic!("{from} to {to}"));
            assert_eq!(get(&opened, TRIVIALP), c_int::from(charset(from) == charset(to)), "{from} to {to}");
        }
    }
}

#[test]
fn every_name_is_known_in_every_spelling_on_both_sides() {
    let mut count = 0;
    for (name, charset) in Charset::all_names(Names::Glibc) {
        let name = name.trim_end_matches('/');
        let spellings = [
            name.to_owned(),
            name.to_lowercase(),
            name.to_uppercase(),
            format!("{name}//"),
            format!("{name}//IGNORE"),
            format!("{name}//TRANSLIT//IGNORE"),
        ];
        for spelling in &spellings {
            assert!(OURS.open(spelling, "UTF-8").is_ok(), "{spelling}");
            // Text in a charset without an encoder is only read, except by the next library.
            let opened = OURS.open("UTF-8", spelling);
            assert!(
                charset.new_encoder().map_or(cfg!(feature = "next") || opened.is_err(), |_| opened.is_ok()),
                "{spelling}"
            );
            if charset.new_encoder().is_none() {
                continue;
            }
            assert_eq!(get(&OURS.open(name, spelling).unwrap(), TRIVIALP), 1, "{spelling}");
        }
        for other in [format!("{name}-x"), format!("x{name}"), format!("{name}//x/IGNORE/y").replace("//", "/")] {
            let is_known = Charset::for_name(&other, Names::Glibc).is_some();
            assert!(is_known || OURS.open(&other, "UTF-8").is_err() || cfg!(feature = "next"), "{other}");
        }
        count += 1;
    }
    assert!(count > 1100);
}

/// The functions under both of their names.
type Functions = (
    unsafe extern "C" fn(*const c_char, *const c_char) -> iconv_t,
    unsafe extern "C" fn(iconv_t, *mut *mut c_char, *mut usize, *mut *mut c_char, *mut usize) -> usize,
    unsafe extern "C" fn(iconv_t) -> c_int,
);
const NAMES: [Functions; 2] = [(iconv_open, iconv, iconv_close), (libiconv_open, libiconv, libiconv_close)];

#[test]
fn a_name_that_is_none_is_einval_on_both_sides_under_both_names() {
    let long = CString::new("x".repeat(100_000)).unwrap();
    // glibc, to which unknown names go on, reads names without their bytes beyond ASCII.
    let none: [Option<&CStr>; 5] =
        [None, Some(c"no such charset"), Some(c"none \xFF\xFE"), Some(&long), Some(c"UTF-8,x")];
    let pointer = |name: Option<&CStr>| name.map_or(std::ptr::null(), CStr::as_ptr);
    for (open, _, close) in NAMES {
        for name in none {
            for (to, from) in
                [(pointer(name), c"UTF-8".as_ptr()), (c"UTF-8".as_ptr(), pointer(name)), (pointer(name), pointer(name))]
            {
                set_errno(UNCHANGED);
                // SAFETY: the names are null or end with 0.
                let descriptor = unsafe { open(to, from) };
                assert_eq!((descriptor.addr(), errno()), (usize::MAX, EINVAL), "{name:?}");
            }
        }
        set_errno(UNCHANGED);
        // SAFETY: the names end with 0. The descriptor is closed once.
        unsafe {
            let descriptor = open(c"UTF-16".as_ptr(), c"ASCII".as_ptr());
            assert!(descriptor.addr() != usize::MAX);
            assert_eq!((close(descriptor), errno()), (0, UNCHANGED));
        }
        for none in [null_mut(), usize::MAX as iconv_t] {
            set_errno(UNCHANGED);
            // SAFETY: a descriptor that is none leads nowhere.
            assert_eq!((unsafe { close(none) }, errno()), (-1, EBADF));
        }
    }
}

/// Whether a pointer to a pointer, and a pointer to a length, are null, lead to null or 0, or to a buffer.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Argument {
    Null,
    ToNothing,
    ToBuffer,
}

/// Each argument of `iconv` in each form: 81 calls for each of three descriptors.
#[test]
fn a_buffer_is_there_if_its_pointer_and_its_length_are() {
    use Argument::{Null, ToBuffer, ToNothing};
    const ALL: [Argument; 3] = [Null, ToNothing, ToBuffer];
    let every = ALL
        .into_iter()
        .flat_map(|a| ALL.into_iter().flat_map(move |b| ALL.into_iter().flat_map(move |c| ALL.map(|d| [a, b, c, d]))));
    for arguments in every {
        for (_, convert, _) in NAMES {
            for (to, text, end) in
                [("ISO-2022-JP", "テ", &b"\x1B(B"[..]), ("ISO-2022-KR", "가", b"\x0F"), ("LATIN1", "é", b"")]
            {
                let mut opened = OURS.open("UTF-8", to).unwrap();
                // The text is in a state that its end, and a reset, leave.
                let start = opened.call(Some(text.as_bytes()), 64).bytes;
                let again = opened.call(Some(text.as_bytes()), 64).bytes;
                let (source, mut space) = (text.as_bytes(), [0x55_u8; 64]);
                let (mut from, mut left) = (source.as_ptr().cast_mut().cast::<c_char>(), source.len());
                let (mut to, mut to_left) = (space.as_mut_ptr().cast::<c_char>(), 60);
                let [has_from, has_left, has_to, has_to_left] = arguments;
                from = if has_from == ToNothing { null_mut() } else { from };
                left = if has_left == ToNothing { 0 } else { left };
                to = if has_to == ToNothing { null_mut() } else { to };
                to_left = if has_to_left == ToNothing { 0 } else { to_left };
                let before = (from, left, to, to_left);
                let pointer = |has, pointer| if has == Null { null_mut() } else { pointer };
                let lengths = |has, length| if has == Null { null_mut() } else { length };
                set_errno(UNCHANGED);
                // SAFETY: pointers are null, or lead to pointers and lengths of buffers.
                let result = unsafe {
                    convert(
                        opened.descriptor(),
                        pointer(has_from, &raw mut from),
                        lengths(has_left, &raw mut left),
                        pointer(has_to, &raw mut to),
                        lengths(has_to_left, &raw mut to_left),
                    )
                };
                let errno = errno();
                let has_source = has_from == ToBuffer && has_left != Null;
                let has_destination = has_to == ToBuffer && has_to_left != Null;
                let source = if has_left == ToNothing { &[][..] } else { source };
                let capacity = if has_destination { before.3 } else { 0 };
                // What the call writes, or the error if there is no space.
                let written: &[u8] = match (has_source, has_destination) {
                    (true, _) if source.is_empty() => b"",
                    (true, _) => &again,
                    (false, true) => end,
                    (false, false) => b"",
                };
                let fits = written.len() <= capacity;
                let expected = if fits { (0, UNCHANGED) } else { (usize::MAX, E2BIG) };
                assert_eq!((result, errno), expected, "{arguments:?}");
                let (read, count) =
                    if fits { (if has_source { source.len() } else { 0 }, written.len()) } else { (0, 0) };
                assert_eq!((from.addr() - before.0.addr(), before.1 - left), (read, read), "{arguments:?}");
                assert_eq!((to.addr() - before.2.addr(), before.3 - to_left), (count, count), "{arguments:?}");
                assert_eq!((&space[..count], space[count]), (&written[..count], 0x55), "{arguments:?}");
                // After the end of a text, and after a reset, the next text begins anew.
                let is_new = !has_source && fits;
                let next = opened.call(Some(text.as_bytes()), 64).bytes;
                assert_eq!(next, if is_new { &start[..] } else { &again[..] }, "{arguments:?}");
            }
        }
    }
    // A descriptor that is none is an error before any argument is looked at.
    for (_, convert, _) in NAMES {
        for none in [null_mut(), usize::MAX as iconv_t] {
            let (mut from, mut left, mut to, mut to_left) = (c"a".as_ptr().cast_mut(), 1, null_mut(), 0);
            set_errno(UNCHANGED);
            // SAFETY: the pointers lead to those of buffers.
            let result = unsafe { convert(none, &raw mut from, &raw mut left, &raw mut to, &raw mut to_left) };
            assert_eq!((result, errno(), left), (usize::MAX, EBADF, 1));
        }
    }
}

#[test]
fn each_error_has_its_number_and_stops_before_its_sequence() {
    for (from, to, source, space, expected, read) in [
        ("UTF-8", "LATIN1", &b"ab\xE2\x98\x83"[..], 9, EILSEQ, 2),
        ("UTF-8", "LATIN1", b"ab\xE2\x98", 9, EINVAL, 2),
        ("UTF-8", "LATIN1", b"abc", 2, E2BIG, 2),
        ("UTF-8", "UTF-32LE", b"ab", 7, E2BIG, 1),
        ("UTF-8", "LATIN1", b"ab\xFF", 9, EILSEQ, 2),
        ("SJIS", "UTF-8", b"ab\x83", 9, EINVAL, 2),
        ("SJIS", "UTF-8", b"a\x83\x65", 3, E2BIG, 1),
        ("SJIS", "UTF-8", b"ab\x82\xFF", 9, EILSEQ, 2),
        ("SJIS", "KOI8-R", b"ab\x83\x65", 9, EILSEQ, 2),
    ] {
        let call = OURS.open(from, to).unwrap().call(Some(source), space);
        assert_eq!((call.result, call.read), (Err(expected), read), "{from} to {to}");
    }
}

#[test]
fn a_text_of_more_bytes_than_16_bits_count_is_converted_in_one_call() {
    for (from, to, sample) in [
        ("UTF-8", "UTF-16LE", "aé☃😀"),
        ("UTF-8", "LATIN1", "aé"),
        ("UTF-8", "ASCII//TRANSLIT", "plain text “é"),
        ("SJIS", "EUC-JP", "aテ語"),
        ("SJIS", "UTF-8", "aテ語"),
        ("KOI8-R", "CP1251", "Да, "),
        ("UTF-16LE", "ISO-2022-JP", "aテ"),
        ("CP1258", "UTF-8", "a e "),
    ] {
        let sample = glibc().open("UTF-8", from).unwrap().call(Some(sample.as_bytes()), 64).bytes;
        let whole = sample.repeat((1 << 17) / sample.len() + 1);
        // The first byte of a character, where the charset has longer ones.
        let cut = if from == "SJIS" { &b"\x83"[..] } else { b"a" };
        for source in [&whole[..], &[&whole[..], cut].concat()] {
            for space in [1 << 20, 70_000] {
                let calls = |library: Library| {
                    let mut opened = library.open(from, to).unwrap();
                    [
                        opened.call(Some(source), space),
                        opened.call(Some(&source[..sample.len()]), 64),
                        opened.call(None, 64),
                    ]
                };
                assert!(calls(OURS) == calls(glibc()), "{from} to {to}: {} into {space}", source.len());
            }
        }
    }
}
