//! The functions that look up encodings, tell their facts, and check and convert text in memory.

use std::{
    ffi::c_void,
    fmt::Debug,
    ptr::{null, null_mut},
};

use textcodec::{
    Bom, BomHandling, Encoding,
    charsets::{Charset, Names},
    mem,
};
use textcodec_capi as capi;
use textcodec_core::Handle;

use super::{Coded, NO_ENCODINGS, parts, text};

fn for_label(label: &str) -> u32 {
    let (label, length) = parts(label.as_bytes());
    // SAFETY: the pointer and the length are those of a text.
    unsafe { capi::textcodec_for_label(label.cast(), length) }
}

fn for_charset(registry: u32, name: &[u8]) -> u32 {
    let (name, length) = parts(name);
    // SAFETY: the pointer and the length are those of a text.
    unsafe { capi::textcodec_for_charset(registry, name.cast(), length) }
}

fn for_content_type(value: &str) -> u32 {
    let (value, length) = parts(value.as_bytes());
    // SAFETY: the pointer and the length are those of a text.
    unsafe { capi::textcodec_for_content_type(value.cast(), length) }
}

#[test]
fn the_list_has_every_encoding_with_its_name_and_its_facts() {
    assert_eq!(text(capi::textcodec_version()), env!("CARGO_PKG_VERSION"));
    let mut number = 0;
    for (expected, coded) in Coded::all() {
        number = capi::textcodec_next_encoding(number);
        assert_eq!((number, text(capi::textcodec_name(number))), (expected, coded.name()));
        let facts = [
            capi::textcodec_has_encoder(number),
            capi::textcodec_is_single_byte(number),
            capi::textcodec_is_ascii_compatible(number),
            capi::textcodec_can_encode_everything(number),
        ];
        let (others, output) = match coded {
            Coded::Standard(encoding) => (
                [
                    encoding.is_single_byte(),
                    encoding.is_ascii_compatible(),
                    // In Rust, the output encoding counts.
                    encoding.can_encode_everything() && coded.has_encoder(),
                ],
                Coded::number(encoding.output_encoding()),
            ),
            Coded::Charset(charset) => {
                let codec = charset.codec();
                ([codec.is_single_byte(), codec.unchanged().has_ascii(), codec.encodes_everything()], number)
            }
        };
        assert_eq!((facts[0], &facts[1..]), (coded.has_encoder(), &others[..]), "{}", coded.name());
        assert_eq!(capi::textcodec_output_encoding(number), output, "{}", coded.name());
    }
    assert_eq!(capi::textcodec_next_encoding(number), 0);
    for number in NO_ENCODINGS.into_iter().chain([number + 1]) {
        assert_eq!((text(capi::textcodec_name(number)), text(capi::textcodec_label(number, 0))), ("", ""));
        assert!(!capi::textcodec_has_encoder(number) && !capi::textcodec_is_single_byte(number));
        assert!(!capi::textcodec_is_ascii_compatible(number) && !capi::textcodec_can_encode_everything(number));
        assert_eq!(capi::textcodec_output_encoding(number), number);
    }
    // From a number that is no encoding, the list goes on.
    assert_eq!([41, 0xFFFE].map(|number| capi::textcodec_next_encoding(number)), [0x1_0000; 2]);
    assert_eq!(capi::textcodec_next_encoding(u32::MAX), 0);
}

#[test]
fn every_label_leads_to_its_encoding_in_any_case_and_with_spaces() {
    for (number, coded) in Coded::all() {
        let labels: Vec<&str> = match coded {
            Coded::Standard(encoding) => encoding.labels().collect(),
            Coded::Charset(charset) => [Names::Glibc, Names::Iana, Names::Python, Names::Java]
                .map(|names| charset.names(names))
                .into_iter()
                .flatten()
                .collect(),
        };
        for (place, label) in labels.iter().enumerate() {
            assert_eq!(text(capi::textcodec_label(number, place)), *label);
        }
        for place in [labels.len(), labels.len() + 1, usize::MAX] {
            assert_eq!(text(capi::textcodec_label(number, place)), "");
        }
        let Coded::Standard(encoding) = coded else { continue };
        for label in encoding.labels() {
            let upper = label.to_uppercase();
            for label in [label.to_owned(), format!(" \t\n{upper}\r\x0C"), upper] {
                assert_eq!(for_label(&label), number, "{label:?}");
            }
            for label in [format!("{label}\0"), format!("\u{B}{label}"), format!("{label}_x"), label[1..].to_owned()] {
                assert_eq!(for_label(&label), Encoding::for_label(&label).map_or(0, Coded::number), "{label:?}");
            }
            for value in [
                format!("text/html; charset={label}"),
                format!("TEXT/x;a=b;CHARSET=\" {label}\""),
                format!("charset={label}"),
                format!("text/html; charset={label}; charset=gbk"),
            ] {
                let expected = Encoding::for_content_type(&value).map_or(0, Coded::number);
                assert_eq!(for_content_type(&value), expected, "{value}");
                assert_eq!(expected, if value.starts_with('c') { 0 } else { number });
            }
        }
    }
    assert_eq!((for_label(""), for_content_type(""), for_label("utf-7")), (0, 0, 0));
}

#[test]
fn every_name_of_a_registry_and_every_code_page_leads_to_its_charset() {
    let number = |charset: Option<Charset>| {
        let place = charset.and_then(|charset| Charset::all().position(|other| other == charset));
        place.map_or(0, |place| 0x1_0000 + place as u32)
    };
    let registries = [(1, Names::Glibc), (2, Names::Iana), (3, Names::Python), (4, Names::Java)];
    for (_, of) in registries {
        for (name, charset) in Charset::all_names(of) {
            assert_eq!(Charset::for_name(name, of), Some(charset));
            for (registry, names) in registries {
                let expected = number(Charset::for_name(name, names));
                assert_eq!(for_charset(registry, name.as_bytes()), expected, "{name}, {registry}");
            }
            assert_eq!([0, 5, u32::MAX].map(|registry| for_charset(registry, name.as_bytes())), [0; 3]);
        }
    }
    for name in ["ibm037", "IBM037", "Ibm037 ", " ibm037", "ibm-037", "", "\u{E9}", "ibm037\0"] {
        for (registry, names) in registries {
            assert_eq!(for_charset(registry, name.as_bytes()), number(Charset::for_name(name, names)), "{name}");
        }
    }
    for code_page in 0..=u16::MAX {
        assert_eq!(capi::textcodec_for_code_page(code_page), number(Charset::for_code_page(code_page)), "{code_page}");
    }
}

#[test]
fn a_byte_order_mark_decides_as_the_handling_says() {
    let sources: [&[u8]; 9] = [
        b"",
        b"a",
        b"\xEF\xBB\xBF",
        b"\xEF\xBB",
        b"\xEF\xBB\xBFa",
        b"\xFF\xFE",
        b"\xFE\xFF\0a",
        b"\xFF",
        b"a\xEF\xBB\xBF",
    ];
    for bytes in sources {
        let (pointer, length) = parts(bytes);
        let mark = Bom::sniff(bytes);
        let of_mark = |mark: Bom| (mark.name() as u32 + 1, mark.bytes().len() as u32);
        // SAFETY: the pointer and the length are those of the bytes.
        let found = unsafe { capi::textcodec_bom_sniff(pointer.cast(), length) };
        assert_eq!((found.encoding, found.length), mark.map_or((0, 0), of_mark), "{bytes:02X?}");
        for (number, coded) in Coded::all() {
            for handling in [0, 1, 2, 3, u32::MAX] {
                let expected = match handling {
                    0 => mark,
                    1 => coded.codec().bom().filter(|mark| bytes.starts_with(mark.bytes())),
                    _ => None,
                };
                let expected = expected.map_or((number, 0), of_mark);
                // SAFETY: as above.
                let found = unsafe { capi::textcodec_bom_apply(number, handling, pointer.cast(), length) };
                assert_eq!((found.encoding, found.length), expected, "{bytes:02X?} in {}, {handling}", coded.name());
                let (Coded::Standard(encoding), 0..=2) = (coded, handling) else { continue };
                let of_rust = [BomHandling::Sniff, BomHandling::Remove, BomHandling::Keep][handling as usize];
                let (encoding, length) = of_rust.apply(encoding, bytes);
                assert_eq!(expected, (Coded::number(encoding), length as u32));
            }
        }
        for number in NO_ENCODINGS {
            // SAFETY: as above.
            let found = unsafe { capi::textcodec_bom_apply(number, 1, pointer.cast(), length) };
            assert_eq!((found.encoding, found.length), (number, 0));
        }
    }
}

/// Bytes of UTF-8, Latin-1 and neither, short and longer than a vector.
fn bytes() -> Vec<Vec<u8>> {
    let short = ["", "a", "aé", "é☃", "a\u{FFFD}😀b", "\0\x0E\x0F\x1B~\x7F"].map(str::as_bytes);
    let malformed: [&[u8]; 7] =
        [b"\xFF", b"a\xC3", b"a\xE2\x98b", b"\xF0\x9F\x98", b"\xED\xA0\x80a", b"\x80\xC3\xA9", b"\xC3\xBF\xC4\x80"];
    let all = short.into_iter().chain(malformed).map(<[u8]>::to_vec);
    let long = all
        .clone()
        .map(|end| [&b"sixty-four bytes of ASCII are more than one vector of a processor"[..], &end, b"z"].concat());
    all.chain(long).collect()
}

/// Code units of ASCII, Latin-1, other characters, pairs and unpaired surrogates.
fn units() -> Vec<Vec<u16>> {
    let short =
        ["", "a", "aé", "é☃", "a\u{FFFD}😀b", "\u{FF}\u{100}", "\x7F\u{80}"].map(|text| text.encode_utf16().collect());
    let unpaired = [vec![0xD83D], vec![0xDE00], vec![0x61, 0xD83D, 0x62], vec![0xDE00, 0xD83D, 0xD83D, 0xDE00, 0xD83D]];
    let all = short.into_iter().chain(unpaired);
    let long = all.clone().map(|end| ["a".repeat(50).encode_utf16().collect(), end, vec![0x7A]].concat());
    all.chain(long).collect()
}

#[test]
fn checks_of_text_in_memory_are_those_of_rust() {
    for bytes in bytes() {
        let (pointer, length) = parts(&bytes);
        let pointer: *const c_void = pointer.cast();
        // SAFETY: the pointer and the length are those of the bytes.
        let found = unsafe {
            [
                capi::textcodec_ascii_up_to(pointer, length),
                capi::textcodec_iso_2022_jp_ascii_up_to(pointer, length),
                capi::textcodec_utf8_valid_up_to(pointer, length),
                capi::textcodec_utf8_latin1_up_to(pointer, length),
            ]
        };
        let expected = [
            mem::ascii_up_to(&bytes),
            mem::iso_2022_jp_ascii_up_to(&bytes),
            mem::utf8_valid_up_to(&bytes),
            mem::utf8_latin1_up_to(&bytes),
        ];
        assert_eq!(found, expected, "{bytes:02X?}");
    }
    for units in units() {
        let (pointer, length) = parts(&units);
        // SAFETY: the pointer and the length are those of the units.
        let found = unsafe {
            [
                capi::textcodec_utf16_ascii_up_to(pointer, length),
                capi::textcodec_utf16_valid_up_to(pointer, length),
                capi::textcodec_utf16_latin1_up_to(pointer, length),
            ]
        };
        let expected =
            [mem::utf16_ascii_up_to(&units), mem::utf16_valid_up_to(&units), mem::utf16_latin1_up_to(&units)];
        assert_eq!(found, expected, "{units:04X?}");
        let (mut own, mut expected) = (units.clone(), units.clone());
        mem::ensure_utf16_validity(&mut expected);
        let pointer = if own.is_empty() { null_mut() } else { own.as_mut_ptr() };
        // SAFETY: the pointer and the length are those of the units; null has no units.
        unsafe { capi::textcodec_ensure_utf16_validity(pointer, length) };
        assert_eq!(own, expected);
        // The unit after the length stays.
        let mut longer = [&units[..], &[0xD800]].concat();
        // SAFETY: there is one more unit.
        unsafe { capi::textcodec_ensure_utf16_validity(longer.as_mut_ptr(), units.len()) };
        assert_eq!(longer.last(), Some(&0xD800));
    }
}

/// Calls a conversion with destinations of every size, and compares the counts and the units with those of Rust.
/// `of_c` gets a pointer and a length for both sides.
fn compare<S: Copy + Debug, D: Copy + Debug + PartialEq + From<u8>>(
    source: &[S],
    of_c: impl Fn(*const S, usize, *mut D, usize) -> (usize, usize),
    of_rust: impl Fn(&[S], &mut [D]) -> (usize, usize),
) {
    let most = 3 * source.len() + 1;
    let (pointer, length) = parts(source);
    for capacity in (0..=most.min(12)).chain(most.saturating_sub(12)..=most) {
        let (mut own, mut expected) = (vec![D::from(0x55); capacity + 1], vec![D::from(0x55); capacity]);
        let counts = of_rust(source, &mut expected);
        let found = of_c(pointer, length, own.as_mut_ptr(), capacity);
        assert_eq!((found, &own[..counts.1]), (counts, &expected[..counts.1]), "{source:02X?} into {capacity}");
        assert_eq!(own[capacity], D::from(0x55), "{source:02X?} into {capacity}");
    }
    let nothing = of_rust(source, &mut []);
    assert_eq!(of_c(pointer, length, null_mut(), 7), nothing, "{source:02X?} into no destination");
    assert_eq!(of_c(null(), 7, null_mut(), 0), (0, 0));
}

#[test]
fn conversions_of_text_in_memory_are_those_of_rust() {
    let pair = |counts: capi::textcodec_counts| (counts.read, counts.written);
    let one = |length: usize| (length, length);
    for bytes in bytes() {
        // SAFETY: in these calls, the pointers and the lengths are those of the bytes and of the destination.
        compare(
            &bytes,
            |a, b, c, d| pair(unsafe { capi::textcodec_utf8_to_utf16(a.cast(), b, c, d) }),
            mem::utf8_to_utf16,
        );
        // SAFETY: as above.
        compare(
            &bytes,
            |a, b, c: *mut u8, d| pair(unsafe { capi::textcodec_latin1_to_utf8(a.cast(), b, c.cast(), d) }),
            mem::latin1_to_utf8,
        );
        // SAFETY: as above.
        compare(
            &bytes,
            |a, b, c: *mut u8, d| pair(unsafe { capi::textcodec_utf8_to_latin1(a.cast(), b, c.cast(), d) }),
            mem::utf8_to_latin1,
        );
        let latin1_to_utf16 = |source: &[u8], to: &mut [u16]| mem::latin1_to_utf16(source, to);
        // SAFETY: as above.
        compare(
            &bytes,
            |a, b, c, d| pair(unsafe { capi::textcodec_latin1_to_utf16(a.cast(), b, c, d) }),
            latin1_to_utf16,
        );
        let copy = |source: &[u8], to: &mut [u8]| one(mem::copy_ascii(source, to));
        // SAFETY: as above.
        compare(
            &bytes,
            |a, b, c: *mut u8, d| one(unsafe { capi::textcodec_copy_ascii(a.cast(), b, c.cast(), d) }),
            copy,
        );
        let copy = |source: &[u8], to: &mut [u16]| one(mem::copy_ascii_to_utf16(source, to));
        // SAFETY: as above.
        compare(&bytes, |a, b, c, d| one(unsafe { capi::textcodec_copy_ascii_to_utf16(a.cast(), b, c, d) }), copy);
    }
    for units in units() {
        // SAFETY: in these calls, the pointers and the lengths are those of the units and of the destination.
        compare(
            &units,
            |a, b, c: *mut u8, d| pair(unsafe { capi::textcodec_utf16_to_utf8(a, b, c.cast(), d) }),
            mem::utf16_to_utf8,
        );
        // SAFETY: as above.
        compare(
            &units,
            |a, b, c: *mut u8, d| pair(unsafe { capi::textcodec_utf16_to_latin1(a, b, c.cast(), d) }),
            mem::utf16_to_latin1,
        );
        let copy = |source: &[u16], to: &mut [u8]| one(mem::copy_utf16_to_ascii(source, to));
        // SAFETY: as above.
        compare(
            &units,
            |a, b, c: *mut u8, d| one(unsafe { capi::textcodec_copy_utf16_to_ascii(a, b, c.cast(), d) }),
            copy,
        );
    }
}
