//! [Prescan a byte stream](https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding), *get an
//! attribute* and *extract a character encoding from a meta element*, with a test for each step.

use textcodec_sniff::{
    EndOfBytes, Name, PRESCAN_LENGTH, extract_a_character_encoding_from_a_meta_element as extract, get_an_attribute,
    prescan_a_byte_stream,
};

fn prescan(bytes: impl AsRef<[u8]>) -> Option<Name> {
    prescan_a_byte_stream(bytes.as_ref(), PRESCAN_LENGTH)
}

const KOI8: Option<Name> = Some(Name::Koi8R);

#[test]
fn after_the_last_byte_the_xml_declaration_decides() {
    let declaration = "<?xml encoding='koi8-r'>";
    assert_eq!(prescan(""), None);
    assert_eq!(prescan("<meta charset=big5"), None, "the tag has no end");
    for markup in ["<meta charset=big5", "<!-- never closed", "<p title='never closed><meta charset=big5>", "<"] {
        assert_eq!(prescan(format!("{declaration}{markup}")), KOI8, "{markup}");
    }
}

#[test]
fn the_end_condition_ends_the_loop_but_not_the_declaration() {
    let meta = "<meta charset=big5>";
    let page = format!("{}{meta}", " ".repeat(PRESCAN_LENGTH - meta.len()));
    assert_eq!(prescan(&page), Some(Name::Big5));
    assert_eq!(prescan(format!(" {page}")), None);
    assert_eq!(prescan_a_byte_stream(format!(" {page}").as_bytes(), usize::MAX), Some(Name::Big5));
    assert_eq!(prescan_a_byte_stream(page.as_bytes(), PRESCAN_LENGTH - 1), None);

    let long = format!("<?xml {} encoding='koi8-r'?><meta charset=big5>", " ".repeat(100_000));
    assert_eq!(prescan(long), KOI8);
}

#[test]
fn a_meta_element_wins_over_the_declaration() {
    assert_eq!(prescan("<?xml encoding='koi8-r'?><meta charset=big5>"), Some(Name::Big5));
}

#[test]
fn an_xml_declaration_in_utf_16_is_recognized_by_six_bytes() {
    assert_eq!(prescan(b"<\0?\0x\0"), Some(Name::Utf16Le));
    assert_eq!(prescan(b"\0<\0?\0x"), Some(Name::Utf16Be));
    assert_eq!(prescan(b"<\0?\0X\0"), None, "the case counts");
    assert_eq!(prescan(b"\0<\0?\0"), None);
    assert_eq!(prescan(b" <\0?\0x\0"), None, "only at the start");
}

#[test]
fn comments_are_skipped_up_to_the_first_end() {
    for comment in [
        "<!-->",
        "<!--->",
        "<!---->",
        "<!-- <meta charset=big5> -->",
        "<!-- > -- > --->",
        "<!--<meta charset=big5>--!> -->",
    ] {
        assert_eq!(prescan(format!("{comment}<meta charset=koi8-r>")), KOI8, "{comment}");
    }
    assert_eq!(prescan("<!--><meta charset=koi8-r>--><meta charset=big5>"), KOI8, "the first comment is complete");
    assert_eq!(prescan("<!-- -- ><meta charset=koi8-r>"), None, "no end");
    assert_eq!(prescan("<!- ><meta charset=koi8-r>"), KOI8, "no comment, but skipped to >");
}

#[test]
fn meta_is_followed_by_white_space_or_a_slash() {
    for after in ["\t", "\n", "\x0C", "\r", " ", "/"] {
        assert_eq!(prescan(format!("<META{after}charset=koi8-r>")), KOI8, "{after:?}");
    }
    for after in ["\x0B", "a", "\0", "-"] {
        assert_eq!(prescan(format!("<meta{after} charset=big5><meta charset=koi8-r>")), KOI8, "{after:?}");
    }
    assert_eq!(prescan("<meta><meta charset=koi8-r>"), KOI8);
    assert_eq!(prescan("</meta charset=big5><meta charset=koi8-r>"), KOI8, "an end tag declares nothing");
}

#[test]
fn other_tags_are_skipped_with_their_attributes() {
    assert_eq!(prescan("<p title='<meta charset=big5>'><meta charset=koi8-r>"), KOI8);
    assert_eq!(prescan("</p title=\"<meta charset=big5>\"><meta charset=koi8-r>"), KOI8);
    for tag in ["p", "/p", "P", "/P", "p/", "p a=b c"] {
        assert_eq!(prescan(format!("<{tag} title='><meta charset=big5>'><meta charset=koi8-r>")), KOI8, "{tag}");
    }
    assert_eq!(prescan("<p/a='><meta charset=koi8-r>"), KOI8, "the slash and the bytes after it belong to the name");
    assert_eq!(prescan("<p a='x><meta charset=koi8-r>"), None, "one quote swallows everything");
    assert_eq!(prescan("<p<meta charset=koi8-r>"), None, "a name goes on up to white space");
}

#[test]
fn markup_that_is_no_tag_ends_at_the_first_greater_than_sign() {
    for skipped in ["<!x '>", "</ x>", "</>", "<?php '>", "<!>", "<?xml encoding='x'?>", "<!doctype html '>"] {
        assert_eq!(prescan(format!("{skipped}<meta charset=koi8-r>")), KOI8, "{skipped}");
    }
    assert_eq!(prescan("<!doctype html <meta charset=koi8-r>"), None);
}

#[test]
fn bytes_that_are_no_markup_are_skipped() {
    assert_eq!(prescan("a < b <1> <\0 << <é <meta charset=koi8-r>"), KOI8);
    assert_eq!(prescan("<<meta charset=koi8-r>"), KOI8);
}

#[test]
fn a_meta_element_counts_inside_scripts_titles_and_sections() {
    for start in ["<script>", "<title>", "<noscript>", "<style>", "<textarea>", "<![CDATA[x]]>"] {
        assert_eq!(prescan(format!("{start}<meta charset=koi8-r>")), KOI8, "{start}");
    }
}

#[test]
fn of_two_attributes_with_one_name_the_first_counts() {
    assert_eq!(prescan("<meta charset=koi8-r charset=big5>"), KOI8);
    assert_eq!(prescan("<meta charset=unknown charset=koi8-r>"), None);
    assert_eq!(prescan("<meta http-equiv=x http-equiv=content-type content='charset=koi8-r'>"), None);
    assert_eq!(prescan("<meta content=x content='charset=koi8-r' http-equiv=content-type>"), None);
}

#[test]
fn http_equiv_is_content_type_in_any_case_and_nothing_else() {
    assert_eq!(prescan("<meta HTTP-EQUIV=Content-TYPE content='charset=koi8-r'>"), KOI8);
    assert_eq!(prescan("<meta http-equiv=' content-type' content='charset=koi8-r'>"), None);
    assert_eq!(prescan("<meta http-equiv=refresh content='charset=koi8-r'>"), None);
}

#[test]
fn content_needs_the_pragma_and_charset_does_not() {
    assert_eq!(prescan("<meta content='charset=koi8-r'>"), None);
    assert_eq!(prescan("<meta content='charset=koi8-r' http-equiv=content-type>"), KOI8, "in any order");
    assert_eq!(prescan("<meta name=content charset=koi8-r>"), KOI8);
}

#[test]
fn content_counts_only_while_there_is_no_charset_not_even_an_unknown_one() {
    let pragma = "http-equiv=content-type";
    assert_eq!(prescan(format!("<meta {pragma} charset=unknown content='charset=koi8-r'>")), None);
    assert_eq!(prescan(format!("<meta {pragma} charset=koi8-r content='charset=big5'>")), KOI8);
    assert_eq!(prescan(format!("<meta {pragma} content='charset=big5' charset=koi8-r>")), KOI8);
    assert_eq!(prescan(format!("<meta {pragma} content='charset=big5' charset=unknown>")), None);
    assert_eq!(prescan("<meta content='charset=big5' charset=koi8-r>"), KOI8, "the pragma is no longer needed");
}

#[test]
fn a_meta_without_an_encoding_does_not_end_the_prescan() {
    for failed in
        ["<meta>", "<meta name=x>", "<meta charset=unknown>", "<meta charset>", "<meta content='charset=big5'>"]
    {
        assert_eq!(prescan(format!("{failed}<meta charset=koi8-r>")), KOI8, "{failed}");
    }
}

#[test]
fn utf_16_means_utf_8_and_x_user_defined_means_windows_1252() {
    for (label, encoding) in [
        ("utf-16", Name::Utf8),
        ("utf-16be", Name::Utf8),
        ("ucs-2", Name::Utf8),
        ("x-user-defined", Name::Windows1252),
        ("iso-2022-kr", Name::Replacement),
    ] {
        assert_eq!(prescan(format!("<meta charset={label}>")), Some(encoding), "{label}");
        let pragma = format!("<meta http-equiv=content-type content='charset={label}'>");
        assert_eq!(prescan(pragma), Some(encoding), "{label}");
    }
}

/// All attributes of a tag from its start on.
fn attributes(tag: &str) -> Result<Vec<(&str, &str)>, EndOfBytes> {
    let (mut attributes, mut position) = (Vec::new(), 0);
    while let Some(attribute) = get_an_attribute(tag.as_bytes(), &mut position)? {
        let [name, value] = [attribute.name, attribute.value].map(|bytes| std::str::from_utf8(bytes).unwrap());
        attributes.push((name, value));
    }
    assert_eq!(tag.as_bytes()[position], b'>', "it stays on the end of the tag");
    Ok(attributes)
}

#[test]
fn white_space_and_slashes_come_before_an_attribute() {
    assert_eq!(attributes("\t\n\x0C\r / // a=1 / b=2 />"), Ok(vec![("a", "1"), ("b", "2")]));
    assert_eq!(attributes(">"), Ok(vec![]));
    assert_eq!(attributes("/>"), Ok(vec![]));
    assert_eq!(attributes("\x0Ba>"), Ok(vec![("\x0Ba", "")]), "0B is no white space");
}

#[test]
fn an_equals_sign_at_the_start_belongs_to_the_name() {
    assert_eq!(attributes("=a=b>"), Ok(vec![("=a", "b")]));
    assert_eq!(attributes("==b>"), Ok(vec![("=", "b")]));
    assert_eq!(attributes("=>"), Ok(vec![("=", "")]));
}

#[test]
fn a_name_ends_at_white_space_a_slash_or_the_end_of_the_tag() {
    assert_eq!(attributes("a b/c>"), Ok(vec![("a", ""), ("b", ""), ("c", "")]));
    assert_eq!(attributes("a\"b'<=c>"), Ok(vec![("a\"b'<", "c")]));
}

#[test]
fn white_space_may_surround_the_equals_sign() {
    assert_eq!(attributes("a \n=\t b c = d>"), Ok(vec![("a", "b"), ("c", "d")]));
    assert_eq!(attributes("a /=b>"), Ok(vec![("a", ""), ("=b", "")]), "a slash is no white space");
}

#[test]
fn a_quoted_value_ends_at_its_quote_only() {
    assert_eq!(attributes("a='\">/ b' c=\"'\"d>"), Ok(vec![("a", "\">/ b"), ("c", "'"), ("d", "")]));
    assert_eq!(attributes("a=''b=\"\">"), Ok(vec![("a", ""), ("b", "")]));
}

#[test]
fn an_unquoted_value_ends_at_white_space_or_the_end_of_the_tag_but_not_at_a_slash() {
    assert_eq!(attributes("a=b/c d=/>"), Ok(vec![("a", "b/c"), ("d", "/")]));
    assert_eq!(attributes("a=b'c\"=>"), Ok(vec![("a", "b'c\"=")]));
    assert_eq!(attributes("a=>"), Ok(vec![("a", "")]));
}

#[test]
fn bytes_that_end_inside_a_tag_are_an_error_at_every_place() {
    let tag = "/ a = 'b' c=d e>";
    for end in 0..tag.len() {
        let (mut position, mut last) = (0, Ok(None));
        while let Ok(Some(_)) | Ok(None) = last {
            last = get_an_attribute(&tag.as_bytes()[..end], &mut position);
            assert_ne!(last, Ok(None), "{end}");
        }
        assert_eq!(last.unwrap_err().to_string(), "the bytes end inside a tag");
    }
}

#[test]
fn extracting_looks_for_charset_in_any_case_and_in_longer_words() {
    assert_eq!(extract(b"text/html; CharSet=koi8-r"), KOI8);
    assert_eq!(extract(b"xcharset=koi8-r"), KOI8);
    assert_eq!(extract(b"text/html"), None);
    assert_eq!(extract(b"charse"), None);
    assert_eq!(extract(b""), None);
}

#[test]
fn without_an_equals_sign_the_search_goes_on_after_the_word() {
    assert_eq!(extract(b"charset charset = koi8-r"), KOI8);
    assert_eq!(extract(b"charsetcharset=koi8-r"), KOI8);
    assert_eq!(extract(b"charset; charset x charset=koi8-r"), KOI8);
    assert_eq!(extract(b"charset"), None);
    assert_eq!(extract(b"charset "), None);
}

#[test]
fn only_the_first_charset_with_an_equals_sign_counts() {
    assert_eq!(extract(b"charset=unknown; charset=koi8-r"), None);
    assert_eq!(extract(b"charset=koi8-r; charset=big5"), KOI8);
}

#[test]
fn a_label_is_quoted_or_ends_at_white_space_or_a_semicolon() {
    assert_eq!(extract(b"charset\t=\n\"koi8-r\"x"), KOI8);
    assert_eq!(extract(b"charset=' koi8-r '"), KOI8, "get an encoding trims");
    assert_eq!(extract(b"charset=koi8-r;x"), KOI8);
    assert_eq!(extract(b"charset=koi8-r\x0Cx"), KOI8);
    for wrong in
        ["charset='koi8-r", "charset=\"koi8-r'", "charset='", "charset=", "charset=k'oi8-r'", "charset=koi8-r'"]
    {
        assert_eq!(extract(wrong.as_bytes()), None, "{wrong}");
    }
}
