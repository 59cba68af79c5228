//! [Parse a MIME type](https://mimesniff.spec.whatwg.org/#parse-a-mime-type), and the encoding that it names.

use textcodec_sniff::{Label, MimeType, Name, Resource, legacy_extract_an_encoding};

/// The value of the parameter `charset`.
fn charset(header: &[u8]) -> Option<String> {
    MimeType::parse(header).and_then(|mime_type| mime_type.charset()).map(|charset| charset.to_string())
}

fn serialized(header: &str) -> Option<String> {
    MimeType::parse(header.as_bytes()).map(|mime_type| mime_type.to_string())
}

#[test]
fn type_and_subtype_are_tokens() {
    for failure in
        ["", "text", "text/", "/html", "te xt/html", "text/ht ml", "text /html", "text/ html", ";charset=x", "é/x"]
    {
        assert_eq!(serialized(failure), None, "{failure}");
    }
    assert_eq!(serialized("\t\r\n TEXT/Html \n;x=y").as_deref(), Some("text/html;x=y"));
    assert_eq!(serialized("!/~").as_deref(), Some("!/~"));
    assert_eq!(serialized("\x0Ctext/html"), None, "0C is no white space of HTTP");
}

#[test]
fn the_name_of_a_parameter_is_compared_without_case_and_the_first_one_counts() {
    assert_eq!(charset(b"text/html;CHARSET=a;charset=b").as_deref(), Some("a"));
    assert_eq!(charset(b"text/html;charset=\"\";charset=b").as_deref(), Some(""));
    assert_eq!(charset(b"text/html; \n charset=a").as_deref(), Some("a"));
    assert_eq!(charset(b"text/html;charset =a"), None, "the space belongs to the name");
    assert_eq!(charset(b"text/html;xcharset=a"), None);
}

#[test]
fn a_parameter_without_a_valid_name_or_value_does_not_count() {
    for invalid in ["charset", "charset=", "charset= ", "char set=b", "=b", "charset=\x0Cb", "charset=\"\x7F\"", ""] {
        let header = format!("text/html;{invalid};charset=a");
        assert_eq!(charset(header.as_bytes()).as_deref(), Some("a"), "{invalid}");
    }
}

#[test]
fn an_unquoted_value_goes_to_the_semicolon() {
    assert_eq!(charset(b"text/html;charset= a b \t;x=y").as_deref(), Some(" a b"));
    assert_eq!(charset(b"text/html;charset=a\"b\"").as_deref(), Some("a\"b\""));
    assert_eq!(charset(b"text/html;charset='a'").as_deref(), Some("'a'"), "these are no quotes");
}

#[test]
fn a_quoted_value_has_escapes_and_ignores_what_follows() {
    assert_eq!(charset(b"text/html;charset=\"a;b\"c;x=y").as_deref(), Some("a;b"));
    assert_eq!(charset(b"text/html;charset=\"a\\\"b\\\\\\c\"").as_deref(), Some("a\"b\\c"));
    assert_eq!(charset(b"text/html;charset=\"a").as_deref(), Some("a"), "the end closes it");
    assert_eq!(charset(b"text/html;charset=\"a\\").as_deref(), Some("a\\"));
    assert_eq!(charset(b"text/html;charset=\"a\\\";x=y").as_deref(), Some("a\";x=y"));
    assert_eq!(serialized("a/b;c=\"d\\e f\";g=\"\"").as_deref(), Some("a/b;c=\"de f\";g=\"\""));
}

#[test]
fn the_serialization_of_every_value_is_parsed_to_the_same_value() {
    let bytes = (0x20..=0x7E_u8).chain(0x80..=0xFF).chain([b'\t']);
    for value in bytes.flat_map(|byte| b"a\\\" ;".map(|other| [[byte, other], [other, byte]])).flatten() {
        let escaped = value.iter().flat_map(|byte| [b'\\', *byte]).collect::<Vec<u8>>();
        let header = [b"a/b;c=\"", &escaped[..], b"\";charset=\"", &escaped, b"\""].concat();
        let text = MimeType::parse(&header).unwrap().to_string();
        let again = MimeType::parse_string(&text).unwrap();
        let values: Vec<Vec<u8>> = again.parameters().map(|parameter| parameter.value.bytes().collect()).collect();
        assert_eq!(values, [value, value], "{text}");
    }
}

#[test]
fn the_charset_parameter_is_a_label() {
    let encoding = |header: &[u8]| MimeType::parse(header)?.charset()?.encoding();
    assert_eq!(encoding(b"text/html;charset=\" k\\oi8-r \""), Some(Name::Koi8R), "unescaped and trimmed");
    assert_eq!(encoding(b"text/html;charset=unknown"), None);
    let padding = " ".repeat(100);
    assert_eq!(encoding(format!("a/b;c=d;charset=\"{padding}koi8-r{padding}\"").as_bytes()), Some(Name::Koi8R));
    assert_eq!(encoding(format!("a/b;charset=\"koi8-r{padding}x\"").as_bytes()), None);
    assert_eq!(encoding(format!("a/b;charset={}", "x".repeat(100)).as_bytes()), None);
}

#[test]
fn each_label_is_a_charset_however_much_white_space_is_around_it() {
    for name in Name::ALL {
        for label in name.labels() {
            for padding in [0, 1, 63 - label.len(), 64 - label.len(), 65 - label.len(), 64] {
                let spaces = " ".repeat(padding);
                for value in [format!("\"{spaces}{label}\""), format!("\"{label}{spaces}\"")] {
                    let header = format!("a/b;charset={value}");
                    let charset = MimeType::parse(header.as_bytes()).unwrap().charset().unwrap();
                    assert_eq!((charset.encoding(), charset.label()), (Some(name), Label::Encoding(name)), "{header}");
                }
            }
        }
    }
    let unknown = MimeType::parse(b"a/b;charset=unknown").unwrap().charset().unwrap();
    assert_eq!((unknown.encoding(), unknown.label()), (None, Label::Unknown));
}

#[test]
fn the_essence_is_compared_as_a_whole_and_in_any_case() {
    let mime_type = MimeType::parse(b"Text/XML;charset=utf-8").unwrap();
    for (essence, expected) in [
        ("text/xml", true),
        ("TEXT/Xml", true),
        ("text/xm", false),
        ("ext/xml", false),
        ("text/xml;charset=utf-8", false),
        ("text", false),
        ("xml", false),
        ("text/", false),
        ("", false),
    ] {
        assert_eq!(mime_type.is(essence), expected, "{essence}");
    }
}

#[test]
fn legacy_extract_an_encoding_falls_back() {
    let extract = |header: &[u8]| legacy_extract_an_encoding(MimeType::parse(header).as_ref(), Name::Big5);
    assert_eq!(extract(b"a/b;charset=koi8-r"), Name::Koi8R);
    assert_eq!(extract(b"a/b;charset=unknown"), Name::Big5);
    assert_eq!(extract(b"a/b"), Name::Big5);
    assert_eq!(extract(b"failure"), Name::Big5);
}

#[test]
fn the_essence_determines_the_kind_of_resource() {
    for (header, resource) in [
        ("TEXT/HTML", Resource::Html),
        ("text/xml", Resource::Xml),
        ("application/xml", Resource::Xml),
        ("image/svg+XML", Resource::Xml),
        ("application/xhtml+xml;x=y", Resource::Xml),
        ("text/css", Resource::Css),
        ("text/JavaScript1.5", Resource::Script),
        ("application/ld+json", Resource::Json),
        ("text/json", Resource::Json),
        ("text/plain", Resource::Text),
        ("text/+xml", Resource::Xml),
        ("application/+JSON", Resource::Json),
        ("text/xml+", Resource::Text),
        ("text/xjson", Resource::Text),
    ] {
        assert_eq!(MimeType::parse(header.as_bytes()).unwrap().resource(), resource, "{header}");
    }
}

#[test]
fn a_parameter_with_a_code_point_above_u_00ff_is_not_valid() {
    let parsed = |string: &str| MimeType::parse_string(string).map(|mime_type| mime_type.to_string());
    assert_eq!(parsed("text/html;a=\u{100};charset=gbk").as_deref(), Some("text/html;charset=gbk"));
    assert_eq!(parsed("text/html;a=\"x\u{FFFD}\";charset=gbk").as_deref(), Some("text/html;charset=gbk"));
    assert_eq!(parsed("text/html;\u{1F4A9}=x;charset=gbk").as_deref(), Some("text/html;charset=gbk"));
    assert_eq!(parsed("text/html;a=\"\\\u{2603}\";charset=gbk").as_deref(), Some("text/html;charset=gbk"));
    assert_eq!(parsed("text/\u{100}"), None);
    assert_eq!(parsed("\u{100}/html"), None);
}

#[test]
fn a_string_and_its_isomorphic_encoding_are_the_same_mime_type() {
    let latin1: String = (0_u8..=0xFF).map(char::from).filter(|character| !"\"\\;".contains(*character)).collect();
    let visible: String = latin1.chars().filter(|character| !character.is_control() || *character == '\t').collect();
    for value in [&latin1, &visible, "\u{80}", "\u{FF}", "é", "\\é\\\\ÿ"] {
        for string in [format!("a/b;c={value};d=e"), format!("a/b;c=\"{value}\";c=f"), format!("a/b;{value}=c;d=\"é")]
        {
            let bytes: Vec<u8> = string.chars().map(|character| u8::try_from(character).unwrap()).collect();
            let (of_bytes, of_string) = (MimeType::parse(&bytes).unwrap(), MimeType::parse_string(&string).unwrap());
            assert_eq!(of_bytes.to_string(), of_string.to_string());
            let values = |mime_type: MimeType<'_>| -> Vec<Vec<u8>> {
                mime_type.parameters().map(|parameter| parameter.value.bytes().collect()).collect()
            };
            assert_eq!(values(of_bytes), values(of_string));
        }
    }
}

/// A MIME type with a parameter for each of `names`, whose value is its number.
fn with_parameters(names: impl Iterator<Item = String>) -> String {
    names.enumerate().fold(String::from("a/b"), |header, (number, name)| header + &format!(";{name}={number}"))
}

#[test]
fn of_thousands_of_parameters_the_first_of_each_name_counts() {
    // Names repeat within a block of 1024 parameters, and in later blocks.
    for repeat in [1, 2, 7, 16, 17, 100, 1023, 1025, 1040, 3000] {
        let name = |number: usize| {
            let name = format!("n{}", number % repeat);
            if number % 3 == 0 { name.to_ascii_uppercase() } else { name }
        };
        let header = with_parameters((0..3300).map(name));
        let found: Vec<String> = MimeType::parse(header.as_bytes())
            .unwrap()
            .parameters()
            .map(|parameter| parameter.value.to_string())
            .collect();
        let expected: Vec<String> = (0..repeat).map(|number| number.to_string()).collect();
        assert_eq!(found, expected, "{repeat} different names");
    }
}

#[test]
fn a_long_header_of_different_names_is_read_in_reasonable_time() {
    // When every parameter was compared with all earlier ones, 128 KB took 11 seconds in a release build, and this
    // header takes 36 times as long.
    let header = with_parameters((0_u32..90_000).map(|number| format!("{number:x}")));
    assert!(header.len() > 768 << 10);
    let mime_type = MimeType::parse(header.as_bytes()).unwrap();
    assert_eq!(mime_type.parameters().count(), 90_000);
    assert_eq!(mime_type.to_string(), header);
}

#[test]
fn each_byte_is_or_is_no_part_of_a_token_of_a_value_and_of_white_space() {
    /// The parameters of a header; `None` if it is no MIME type.
    fn parameters(parts: &[&[u8]]) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
        let header = parts.concat();
        let parameters =
            MimeType::parse(&header)?.parameters().map(|one| (one.name.to_vec(), one.value.bytes().collect()));
        Some(parameters.collect())
    }
    let pair = |name: &[&[u8]], value: &[&[u8]]| Some(vec![(name.concat(), value.concat())]);
    let none = Some(vec![]);
    for byte in 0..=0xFF_u8 {
        let one = &[byte][..];
        let is_token = byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        let is_space = b"\t\n\r ".contains(&byte);
        let is_of_value = byte == b'\t' || (b' '..=b'~').contains(&byte) || byte >= 0x80;
        let is_type = |parts: &[&[u8]]| parameters(parts).is_some();
        assert_eq!(is_type(&[b"a", one, b"b/c"]), is_token, "{byte:02X} in a type");
        assert_eq!(is_type(&[b"a/b", one, b"c"]), is_token || byte == b';', "{byte:02X} in a subtype");
        assert_eq!(is_type(&[one, b"a/b"]), is_token || is_space, "{byte:02X} before a type");
        assert_eq!(is_type(&[b"a/b", one]), is_token || is_space || byte == b';', "{byte:02X} after a subtype");
        let expected = match byte {
            b'=' => pair(&[b"x"], &[b"y=z"]),
            b';' => pair(&[b"y"], &[b"z"]),
            _ if is_token => pair(&[b"x", one, b"y"], &[b"z"]),
            _ => none.clone(),
        };
        assert_eq!(parameters(&[b"a/b;x", one, b"y=z"]), expected, "{byte:02X} in a name");
        let expected = match byte {
            _ if is_space || byte == b';' => pair(&[b"n"], &[b"x"]),
            _ if is_token => pair(&[one, b"n"], &[b"x"]),
            _ => none.clone(),
        };
        assert_eq!(parameters(&[b"a/b;", one, b"n=x"]), expected, "{byte:02X} before a name");
        let expected = match byte {
            b';' => pair(&[b"n"], &[b"x"]),
            _ if is_of_value => pair(&[b"n"], &[b"x", one, b"y"]),
            _ => none.clone(),
        };
        assert_eq!(parameters(&[b"a/b;n=x", one, b"y"]), expected, "{byte:02X} in a value");
        let expected = match byte {
            _ if is_space || byte == b';' => pair(&[b"n"], &[b"x"]),
            _ if is_of_value => pair(&[b"n"], &[b"x", one]),
            _ => none.clone(),
        };
        assert_eq!(parameters(&[b"a/b;n=x", one]), expected, "{byte:02X} after a value");
        let expected = match byte {
            b'"' => pair(&[b"n"], &[b"x"]),
            b'\\' => pair(&[b"n"], &[b"xy"]),
            _ if is_of_value => pair(&[b"n"], &[b"x", one, b"y"]),
            _ => none.clone(),
        };
        assert_eq!(parameters(&[b"a/b;n=\"x", one, b"y\""]), expected, "{byte:02X} in a quoted value");
        // A value is written in quotes if it is no token.
        let header = [b"a/b;n=\"x\\", one, b"\""].concat();
        let character = char::from(byte);
        let expected = match byte {
            b'"' | b'\\' => format!("a/b;n=\"x\\{character}\""),
            _ if is_token => format!("a/b;n=x{character}"),
            _ if is_of_value => format!("a/b;n=\"x{character}\""),
            _ => "a/b".into(),
        };
        assert_eq!(MimeType::parse(&header).unwrap().to_string(), expected, "{byte:02X}");
    }
}

/// <https://mimesniff.spec.whatwg.org/#javascript-mime-type>
#[test]
fn all_javascript_mime_types_are_scripts_and_no_others() {
    let names = "application/ecmascript application/javascript application/x-ecmascript application/x-javascript \
                 text/ecmascript text/javascript text/javascript1.0 text/javascript1.1 text/javascript1.2 \
                 text/javascript1.3 text/javascript1.4 text/javascript1.5 text/jscript text/livescript \
                 text/x-ecmascript text/x-javascript";
    let resource = |essence: &str| MimeType::parse(essence.as_bytes()).unwrap().resource();
    for essence in names.split(' ') {
        assert_eq!(resource(essence), Resource::Script, "{essence}");
        assert_eq!(resource(&essence.to_ascii_uppercase()), Resource::Script, "{essence}");
        assert_eq!(resource(&format!("{essence}x")), Resource::Text, "{essence}x");
        assert_eq!(resource(&essence.replace('/', "/y")), Resource::Text, "{essence}");
    }
    for essence in ["text/javascript1.6", "application/javascript1.0", "application/jscript", "application/livescript"]
    {
        assert_eq!(resource(essence), Resource::Text, "{essence}");
    }
}
