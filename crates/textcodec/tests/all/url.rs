//! [Percent-encode after encoding](https://url.spec.whatwg.org/#string-percent-encode-after-encoding) and forms.

use quickcheck::quickcheck;
use textcodec::{
    EUC_JP, Encoding, ISO_2022_JP, REPLACEMENT, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1251, WINDOWS_1252, X_USER_DEFINED,
    hooks::{self, IoQueue},
    url::{PercentEncodeSet, encode_query, form, percent_encode_after_encoding, utf8_percent_encode},
};

/// The algorithm of the URL Standard, with the hooks of the Encoding Standard.
fn by_the_standard(encoding: Encoding, input: &str, set: PercentEncodeSet, space_as_plus: bool) -> String {
    let mut encoder = hooks::get_an_encoder(encoding).unwrap();
    let mut input_queue = IoQueue::from_iter(input.chars());
    let mut output = String::new();
    loop {
        let mut encode_output = IoQueue::new();
        let potential_error = hooks::encode_or_fail(&mut input_queue, &mut encoder, &mut encode_output);
        for byte in encode_output.read_all::<Vec<u8>>() {
            match byte {
                b' ' if space_as_plus => output.push('+'),
                _ if set.contains(byte) => output += &format!("%{byte:02X}"),
                _ => output.push(byte.into()),
            }
        }
        let Some(error) = potential_error else { return output };
        output += &format!("%26%23{}%3B", u32::from(error));
    }
}

quickcheck! {
    fn the_result_is_that_of_the_standard_s_algorithm(input: String) -> bool {
        let input = input + "日¥‾ｱ\u{E}☃日\u{1B}é";
        Encoding::all().filter(|encoding| encoding.output_encoding() == *encoding).all(|encoding| {
            PercentEncodeSet::ALL.iter().copied().all(|set| {
                [false, true].into_iter().all(|plus| {
                    let encoded = percent_encode_after_encoding(encoding, &input, set, plus);
                    encoded.is_ascii() && encoded == by_the_standard(encoding, &input, set, plus)
                })
            })
        })
    }
}

#[test]
fn each_set_has_the_bytes_of_its_definition() {
    use PercentEncodeSet as Set;
    let kept = |set: Set| -> String { (0..=0xFF).filter(|&byte| !set.contains(byte)).map(char::from).collect() };
    let alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    for (set, punctuation) in [
        (Set::C0Control, " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
        (Set::Fragment, "!#$%&'()*+,-./:;=?@[\\]^_{|}~"),
        (Set::Query, "!$%&'()*+,-./:;=?@[\\]^_`{|}~"),
        (Set::SpecialQuery, "!$%&()*+,-./:;=?@[\\]^_`{|}~"),
        (Set::Path, "!$%&'()*+,-./:;=@[\\]_|~"),
        (Set::Userinfo, "!$%&'()*+,-._~"),
        (Set::Component, "!'()*-._~"),
        (Set::FormUrlencoded, "*-._"),
    ] {
        let mut expected: Vec<char> = punctuation.chars().chain(alphanumeric.chars()).collect();
        expected.sort_unstable();
        assert_eq!(kept(set), String::from_iter(expected), "{set:?}");
    }
}

#[test]
fn an_unmappable_character_is_a_reference_whatever_the_set() {
    for &set in PercentEncodeSet::ALL {
        let encoded = percent_encode_after_encoding(WINDOWS_1251, "☃\u{10FFFF}", set, false);
        assert_eq!(encoded, "%26%239731%3B%26%231114111%3B", "{set:?}");
    }
}

#[test]
fn iso_2022_jp_keeps_its_state_after_errors() {
    let encode = |input| percent_encode_after_encoding(ISO_2022_JP, input, PercentEncodeSet::Query, false);
    assert_eq!(encode("日☃本"), "%1B$BF|%1B(B%26%239731%3B%1B$BK\\%1B(B", "to ASCII before the reference");
    assert_eq!(encode("¥☃\\"), "%1B(J\\%26%239731%3B%1B(B\\", "the Roman state has the reference's bytes, too");
    assert_eq!(encode("\u{E}A"), "%26%2365533%3BA");
    assert_eq!(encode("日"), "%1B$BF|%1B(B", "back to ASCII at the end");
    assert_eq!(encode(""), "");
}

#[test]
fn a_space_becomes_a_plus_only_on_request() {
    let encode = |plus| percent_encode_after_encoding(UTF_8, "a b+", PercentEncodeSet::FormUrlencoded, plus);
    assert_eq!((encode(true), encode(false)), ("a+b%2B".into(), "a%20b%2B".into()));
    assert_eq!(utf8_percent_encode("é b", PercentEncodeSet::C0Control), "%C3%A9 b");
}

#[test]
fn only_special_urls_except_those_of_websockets_use_the_encoding_of_the_document() {
    for (scheme, encoded) in [
        ("http", "%E9%27"),
        ("HTTPS", "%E9%27"),
        ("ftp", "%E9%27"),
        ("file", "%E9%27"),
        ("ws", "%C3%A9%27"),
        ("wss", "%C3%A9%27"),
        ("mailto", "%C3%A9'"),
        ("javascript", "%C3%A9'"),
    ] {
        assert_eq!(encode_query("é'", scheme, WINDOWS_1252), encoded, "{scheme}");
    }
    assert_eq!(encode_query("é", "http", UTF_16LE), "%C3%A9", "the output encoding");
    assert_eq!(encode_query("é", "http", REPLACEMENT), "%C3%A9");
}

#[test]
fn long_texts_are_not_cut() {
    let input = "日本☃ ".repeat(1000);
    for encoding in [EUC_JP, SHIFT_JIS, ISO_2022_JP] {
        let encoded = percent_encode_after_encoding(encoding, &input, PercentEncodeSet::Component, true);
        assert_eq!(encoded, by_the_standard(encoding, &input, PercentEncodeSet::Component, true));
    }
}

#[test]
fn a_form_picks_the_first_known_label() {
    assert_eq!(form::pick_an_encoding(None, WINDOWS_1251), WINDOWS_1251);
    assert_eq!(form::pick_an_encoding(None, UTF_16LE), UTF_8);
    assert_eq!(form::pick_an_encoding(Some("\tunknown sjis\nbig5"), WINDOWS_1251), SHIFT_JIS);
    for byte in '\0'..='\x7F' {
        let expected = if "\t\n\x0C\r ".contains(byte) { SHIFT_JIS } else { UTF_8 };
        let labels = format!("unknown{byte}sjis");
        assert_eq!(form::pick_an_encoding(Some(&labels), WINDOWS_1251), expected, "{byte:?} between two labels");
    }
    assert_eq!(form::pick_an_encoding(Some("utf-16be"), WINDOWS_1251), UTF_8);
    assert_eq!(form::pick_an_encoding(Some("unknown"), WINDOWS_1251), UTF_8);
    assert_eq!(form::pick_an_encoding(Some(""), WINDOWS_1251), UTF_8);
    assert_eq!(form::pick_an_encoding(Some("x-user-defined"), WINDOWS_1251), X_USER_DEFINED);
}

#[test]
fn a_form_is_serialized_in_its_encoding() {
    let pairs = [("a b", "日&="), ("", ""), ("☃", "~*")];
    assert_eq!(form::urlencoded(pairs, SHIFT_JIS), "a+b=%93%FA%26%3D&=&%26%239731%3B=%7E*");
    assert_eq!(form::urlencoded([], SHIFT_JIS), "");
    assert_eq!(form::field_value("日\n☃\r", SHIFT_JIS), b"\x93\xFA\r\n&#9731;\r\n");
    assert_eq!(form::field_name("a\"\n☃", SHIFT_JIS), b"a%22%0D%0A&#9731;");
    assert_eq!(form::file_name("a\"\n\r", UTF_8), b"a%22%0A%0D");
    assert_eq!(form::file_name("日\"\n☃", SHIFT_JIS), b"\x93\xFA%22%0A&#9731;");
    assert_eq!(form::field_name("日", UTF_16LE), "日".as_bytes(), "the output encoding");
}

#[test]
fn newlines_become_cr_lf_once() {
    for (text, normalized) in [
        ("", ""),
        ("a", "a"),
        ("a\r\nb", "a\r\nb"),
        ("\n", "\r\n"),
        ("\r", "\r\n"),
        ("\n\r", "\r\n\r\n"),
        ("\r\r\n\n", "\r\n\r\n\r\n"),
        ("é\né\r", "é\r\né\r\n"),
    ] {
        assert_eq!(form::normalize_newlines(text), normalized, "{text:?}");
        assert_eq!(form::normalize_newlines(normalized), normalized);
    }
}
