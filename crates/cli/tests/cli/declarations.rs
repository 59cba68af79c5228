//! `textcodec convert --declarations`: the declarations of encodings in converted files.

use crate::room::Room;
use predicates::{prelude::PredicateBooleanExt, str::contains};
use textcodec::{
    Encoding, Name, UTF_8,
    sniff::{Context, Hints},
};

/// A page, a document or a style sheet, with `LABEL` in the places of its labels and `TEXT` in the places of its text.
const FORMS: [(&str, &str, Context); 10] = [
    ("a.html", "<!doctype html><meta charset=LABEL><p>TEXT", Context::HtmlParser),
    ("b.htm", "<META CHARSET = 'LABEL' /><title>TEXT</title>", Context::HtmlParser),
    (
        "c",
        "<html><title>TEXT</title><meta content=\"text/html; charset=LABEL\" http-equiv=Content-Type>",
        Context::HtmlParser,
    ),
    (
        "d.html",
        "<meta http-equiv=content-type content='text/html;charset=LABEL;x=y'><meta charset=big5>TEXT",
        Context::HtmlParser,
    ),
    ("e.html", "<?xml version='1.0' encoding='LABEL'?><!DOCTYPE html><html><p>TEXT", Context::HtmlParser),
    (
        "f.xhtml",
        "<?xml version='1.0' encoding='LABEL'?>\n<html><head><meta charset=\"LABEL\"/></head>TEXT",
        Context::HtmlParser,
    ),
    ("g.xml", "<?xml version=\"1.0\" encoding = \"LABEL\" standalone=\"yes\"?><a>TEXT</a>", Context::XmlParser),
    ("h.svg", "<?xml version='1.0' encoding='LABEL'?><svg><title>TEXT</title></svg>", Context::XmlParser),
    ("i.css", "@charset \"LABEL\"; a { content: 'TEXT' }", Context::CssFromDocument),
    (
        "j",
        "<?xml version='1.0' encoding='LABEL'?>\r\n<rss>TEXT<![CDATA[<meta charset=big5>]]></rss>",
        Context::XmlParser,
    ),
];

/// Text of many languages, without the characters that one of the encodings cannot encode.
fn text_in(encodings: [Encoding; 2]) -> String {
    let text = "Grüße, Ελλάδα, Привет, שלום, مرحبا, ไทย, テキスト, 中文, 漢字, 한국어 €";
    let can_encode = |character: char, encoding: Encoding| encoding.encode_or_fail(&character.to_string()).is_ok();
    text.chars().filter(|&character| encodings.into_iter().all(|encoding| can_encode(character, encoding))).collect()
}

fn fill(form: &str, label: &str, text: &str) -> String {
    form.replace("LABEL", label).replace("TEXT", text)
}

/// Encodings that keep ASCII as it is, so that a file in one of them can declare it.
fn declared() -> impl Iterator<Item = Encoding> {
    use Name::{Replacement, Utf16Be, Utf16Le, XUserDefined};
    Encoding::all().filter(|encoding| !matches!(encoding.id(), Replacement | Utf16Be | Utf16Le | XUserDefined))
}

#[test]
fn updated_files_declare_their_encoding_and_a_second_run_changes_nothing() {
    let room = Room::new();
    // Under wine, the start of a process fails after some hundred processes.
    let encodings = if cfg!(windows) { 4 } else { usize::MAX };
    for (number, (from, other)) in declared().zip(declared().skip(1).chain(declared())).take(encodings).enumerate() {
        for to in [UTF_8, other] {
            // Every form is converted to UTF-8, but only one form to `other`, to save time.
            let forms = if to == UTF_8 { &FORMS[..] } else { &FORMS[number % FORMS.len()..][..1] };
            for &(name, form, context) in forms {
                let text = text_in([from, to]);
                let label = from.name().to_ascii_uppercase();
                let before = fill(form, &label, &text);
                std::fs::write(room.path(name), from.encode(&before).bytes).unwrap();
                let after = if from == to { before } else { fill(form, to.name(), &text) };
                let convert = format!("convert --from auto --to {} --declarations update {name} -o {name}", to.name());
                for run in ["first", "second"] {
                    room.textcodec(&convert).assert().success().stderr("");
                    let bytes = room.read(name);
                    assert_eq!(to.decode_without_bom_handling(&bytes).0, after, "{name}, {run} run");
                    let sniffed = context.sniff(&bytes, Hints::default()).unwrap();
                    assert_eq!(sniffed.encoding, to.id(), "{name}, {run} run");
                }
            }
        }
    }
}

#[test]
fn declarations_that_are_kept_do_not_change() {
    let room = Room::new();
    for (name, form, _) in FORMS {
        let page = fill(form, "windows-1251", "Привет");
        std::fs::write(room.path(name), textcodec::WINDOWS_1251.encode(&page).bytes).unwrap();
        let mut command = room.textcodec(&format!("convert --from auto --declarations keep {name} -o {name}"));
        command.assert().success().stderr("");
        assert_eq!(room.read(name), page.as_bytes());
    }
}

#[test]
fn a_contradiction_is_an_error_in_a_file_and_a_warning_in_a_pipe() {
    let room = Room::new();
    for (name, form, _) in FORMS {
        let page = fill(form, "windows-1251", "Привет");
        let bytes = textcodec::WINDOWS_1251.encode(&page).bytes;
        std::fs::write(room.path(name), &bytes).unwrap();
        let both = || {
            contains("names windows-1251, but the output is UTF-8\n")
                .and(contains("--declarations update"))
                .and(contains("--declarations keep"))
        };
        for from in ["auto", "windows-1251"] {
            let mut command = room.textcodec(&format!("convert --from {from} {name} -o {name}"));
            command.assert().code(1).stderr(both());
            assert_eq!(room.read(name), &*bytes);
            let warnings = page.matches("windows-1251").count();
            let mut command = room.textcodec(&format!("convert --from {from} {name}"));
            let output = command.assert().success().stdout(page.clone()).get_output().stderr.clone();
            let message = String::from_utf8(output).unwrap();
            assert_eq!(message.matches("names windows-1251, but the output is UTF-8").count(), warnings, "{message}");
        }
        // A device keeps nothing that a reader could believe.
        #[cfg(unix)]
        {
            let mut command = room.textcodec(&format!("convert --from windows-1251 {name} -o /dev/null"));
            command.assert().success().stderr(contains("names windows-1251, but the output is UTF-8"));
        }
        // Nothing contradicts the encoding that is declared.
        room.textcodec(&format!("convert --from auto --to cp1251 {name} -o {name}")).assert().success().stderr("");
        assert_eq!(room.read(name), &*bytes);
    }
}

#[test]
fn nothing_but_the_label_changes() {
    for (before, after) in [
        ("<META  charset='koi8-r' >\r\n<meta charset=big5>", "<META  charset='UTF-8' >\r\n<meta charset=big5>"),
        ("<meta charset=bogus><meta charset=' koi8-r '>", "<meta charset=bogus><meta charset='UTF-8'>"),
        ("<!-- <meta charset=big5> --><meta charset=koi8-r>", "<!-- <meta charset=big5> --><meta charset=UTF-8>"),
        ("<meta charset=utf8>", "<meta charset=utf8>"),
        ("<p>no declaration", "<p>no declaration"),
        ("<?xml version='1.0'?><a/>", "<?xml version='1.0'?><a/>"),
        ("<?xml version='1.0'  encoding='koi8-r' ?><a/>", "<?xml version='1.0'  encoding='UTF-8' ?><a/>"),
        ("@charset 'koi8-r';", "@charset 'koi8-r';"),
        ("text about <meta charset=koi8-r>", "text about <meta charset=koi8-r>"),
    ] {
        let room = Room::with([("in", before.as_bytes())]);
        room.textcodec("convert --declarations update in -o out").assert().success().stderr("");
        assert_eq!(String::from_utf8(room.read("out")).unwrap(), after);
        room.textcodec("convert --declarations update in").assert().success().stdout(after).stderr("");
    }
}

#[test]
fn a_label_may_lie_across_the_pieces_that_are_read() {
    for length in [0, 1_000, 1_020, 4_000, 65_480, 65_500] {
        let page = |label| format!("<p>{}</p><meta charset={label}>", "a".repeat(length));
        let room = Room::with([("in", page("koi8-r").as_bytes())]);
        room.textcodec("convert --declarations update in -o out").assert().success().stderr("");
        assert_eq!(room.read("out"), page("UTF-8").as_bytes());
    }
    // A meta element that is text of a script changes nothing.
    let script = format!("<p>{}<script>'<meta charset=koi8-r>'</script>", "a".repeat(2_000));
    let room = Room::with([("in", script.as_bytes())]);
    room.textcodec("convert in -o out").assert().success().stderr("");
    assert_eq!(room.read("out"), script.as_bytes());
}

#[test]
fn a_declaration_after_the_first_1024_bytes_is_believed_before_the_fallback() {
    let page = |label| format!("<!doctype html>{}<meta charset={label}><p>Привет", " ".repeat(2_000));
    let room = Room::with([("page", &*textcodec::KOI8_R.encode(&page("koi8-r")).bytes)]);
    room.textcodec("convert --from auto --fallback windows-1252 -d update page -o page").assert().success();
    assert_eq!(room.read("page"), page("UTF-8").as_bytes());
}

#[test]
fn utf_16_is_declared_in_xml_only() {
    let page = |label| format!("<meta charset={label}>é");
    let xml = |label| format!("<?xml version='1.0' encoding='{label}'?><a>é</a>");
    let room = Room::with([("page.html", page("utf-8").as_bytes()), ("a.xml", xml("utf-8").as_bytes())]);
    let convert = |arguments: &str| room.textcodec(&format!("convert {arguments}")).assert().success().stderr("");
    convert("--to utf-16le --bom page.html -o page.html");
    assert_eq!(room.read("page.html"), textcodec::utf16::encode_le_with_bom(&page("utf-8")));
    convert("--from auto page.html -o page.html");
    assert_eq!(room.read("page.html"), page("utf-8").as_bytes());
    convert("--to utf-16be -d update a.xml -o b.xml");
    assert_eq!(room.read("b.xml"), textcodec::utf16::encode_be(&xml("UTF-16BE")));
    convert("--to utf-16be --bom -d update a.xml -o b.xml");
    assert_eq!(room.read("b.xml"), textcodec::utf16::encode_be_with_bom(&xml("UTF-16")));
    for label in ["utf-16-bom", "utf-16le-bom"] {
        convert(&format!("--to {label} -d update a.xml -o c.xml"));
        assert_eq!(room.read("c.xml"), textcodec::utf16::encode_le_with_bom(&xml("UTF-16")));
    }
    convert("--from auto -d update b.xml -o b.xml");
    assert_eq!(room.read("b.xml"), xml("UTF-8").as_bytes());
}

#[test]
fn no_meta_element_can_declare_x_user_defined() {
    let room = Room::with([("page.html", b"<meta charset=utf-8>")]);
    let mut command = room.textcodec("convert --to x-user-defined --declarations update page.html -o out");
    command.assert().code(1).stderr(contains("which no meta element can declare").and(contains("--declarations keep")));
    room.textcodec("convert --to x-user-defined --declarations keep page.html -o out").assert().success();
}

/// A declaration of each form, as it is in a file in windows-1252, and as it is in UTF-8.
const SOURCES: [(&str, &str, &str); 8] = [
    ("a.py", "# -*- coding: latin-1 -*-\ns = 'é'\n", "# -*- coding: utf-8 -*-\ns = 'é'\n"),
    ("a.rb", "#!/usr/bin/ruby\n# encoding: cp1252\nputs 'é'\n", "#!/usr/bin/ruby\n# encoding: utf-8\nputs 'é'\n"),
    ("a.el", ";; -*- coding: iso-latin-1-unix -*-\n(é)\n", ";; -*- coding: utf-8-unix -*-\n(é)\n"),
    ("a.c", "/* vim: set fenc=latin1: */\n// é\n", "/* vim: set fenc=utf-8: */\n// é\n"),
    (
        "a.po",
        "msgstr \"\"\n\"Content-Type: text/plain; charset=ISO-8859-1\\n\"\n\"é\"\n",
        "msgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"é\"\n",
    ),
    ("a.tex", "\\usepackage[latin1]{inputenc}\né\n", "\\usepackage[utf8]{inputenc}\né\n"),
    ("a.rc", "#pragma code_page(1252)\n\"é\"\n", "#pragma code_page(65001)\n\"é\"\n"),
    ("a.pl", "use encoding 'latin1';\n'é'\n", "use encoding 'utf-8';\n'é'\n"),
];

#[test]
fn declarations_of_source_code_are_stale_until_they_are_updated() {
    for (name, old, new) in SOURCES {
        let bytes: Vec<u8> = old.chars().map(|character| u8::try_from(character).unwrap()).collect();
        let room = Room::with([(name, bytes.as_slice())]);
        // The declaration tells the encoding, and would be wrong afterwards.
        room.textcodec(&format!("convert --from auto --in-place {name}"))
            .assert()
            .code(1)
            .stderr(contains(" names ").and(contains("--declarations")));
        assert_eq!(room.read(name), bytes);
        room.textcodec(&format!("convert --from auto --in-place --declarations update {name}")).assert().success();
        assert_eq!(String::from_utf8(room.read(name)).unwrap(), new);
        // The same command again changes nothing.
        room.textcodec(&format!("convert --from auto --in-place --declarations update {name}")).assert().success();
        assert_eq!(String::from_utf8(room.read(name)).unwrap(), new);
    }
    // A file that is UTF-8 already, with a declaration that another program has left behind.
    let (name, old, new) = SOURCES[0];
    let room = Room::with([(name, old.as_bytes())]);
    room.textcodec("convert --from auto --in-place a.py")
        .assert()
        .code(1)
        .stderr(contains("a coding comment names latin-1"));
    room.textcodec("convert --from auto --in-place --declarations update a.py").assert().success();
    assert_eq!(room.read(name), new.as_bytes());
    // To standard output, it is a note.
    let room = Room::with([(name, old.as_bytes())]);
    room.textcodec("convert a.py").assert().success().stdout(old).stderr(contains("a coding comment names latin-1"));
}

#[test]
fn java_reads_properties_files_after_a_conversion_as_before() {
    let old = b"# comment\nname=caf\xE9 \\u20AC\n".as_slice();
    let escaped = b"# comment\nname=caf\\u00E9 \\u20AC\n".as_slice();
    let fresh =
        || Room::with([("a.properties", old), ("b.properties", b"x=1\n"), ("new.properties", "x=é €".as_bytes())]);
    // The format tells the encoding. In UTF-8, Java would misread the file.
    let room = fresh();
    let error = contains("Java reads .properties files as ISO-8859-1, but the output is UTF-8\n")
        .and(contains("With --declarations update, escapes such as \\u20AC"));
    room.textcodec("convert --from auto --in-place a.properties b.properties").assert().code(1).stderr(error);
    assert_eq!(room.read("a.properties"), old);
    for _ in 0..2 {
        let command = "convert --from auto --in-place --declarations update a.properties b.properties new.properties";
        room.textcodec(command).assert().success();
        assert_eq!(room.read("a.properties"), escaped);
        // ASCII stays, and so does a file that its readers take as UTF-8 already.
        assert_eq!(room.read("b.properties"), b"x=1\n");
        assert_eq!(room.read("new.properties"), "x=é €".as_bytes());
    }
    // An improbable guess does not count.
    let room = fresh();
    room.write("d.properties", b"key=caf\xE9\n");
    let guess = room.textcodec("convert --guess --json --dry-run --declarations update d.properties").output().unwrap();
    let json = String::from_utf8(guess.stdout).unwrap();
    assert!(json.contains(r#""outcome":"converted","encoding":"exact-iso-8859-1","evidence":"definition""#), "{json}");
    // Apostrophes of macintosh, which would become "Õ".
    let text = b"key = It\xD5s the neighbour\xD5s dog that barks at night.\nkey = We paid \xA320 for the map.\n";
    room.write("e.properties", &[&text[..], b"key = We paid \xA320 for the lamp.\n"].concat());
    room.textcodec("convert --guess --in-place --declarations update e.properties")
        .assert()
        .failure()
        .stderr(contains("macintosh"));
    let russian =
        b"name=\xCF\xF0\xE8\xE2\xE5\xF2, \xEA\xE0\xEA \xE4\xE5\xEB\xE0? \xC2\xF1\xE5 \xF5\xEE\xF0\xEE\xF8\xEE.\n";
    room.write("c.properties", russian);
    room.textcodec("convert --guess --declarations update c.properties")
        .assert()
        .success()
        .stdout(contains("name=\\u041F\\u0440\\u0438\\u0432"));
    room.textcodec("convert --from auto --in-place --declarations keep a.properties").assert().success();
    assert_eq!(room.read("a.properties"), "# comment\nname=café \\u20AC\n".as_bytes());
    // In ISO-8859-1, the characters that it has stay. The byte 80 of windows-1252 is no "€" for Java.
    for label in ["iso-8859-1", "exact-iso-8859-1"] {
        let room = fresh();
        let convert = |options: &str| room.textcodec(&format!("convert --to {label} {options} new.properties -o out"));
        convert("").assert().code(1);
        convert("--declarations update").assert().success();
        assert_eq!(room.read("out"), b"x=\xE9 \\u20AC");
    }
    // No escape helps in UTF-16.
    let room = fresh();
    room.textcodec("convert --to utf-16le --declarations update new.properties -o out")
        .assert()
        .code(1)
        .stderr(contains("which no declaration of this form can name"));
    // More than a piece, in which escapes are cut nowhere, with line ends that change.
    let long = "ä€\n".repeat(50_000);
    room.write("long.properties", long.as_bytes());
    room.textcodec("convert --to gbk --newlines crlf --declarations update --jobs 2 long.properties -o out")
        .assert()
        .success();
    assert_eq!(room.read("out"), "\\u00E4\\u20AC\r\n".repeat(50_000).as_bytes());
    // A check takes the encoding of the format; text in another one that statistics know is no text in ISO-8859-1.
    room.textcodec("check --encoding auto a.properties").assert().success().stdout("");
    let russian =
        "\u{41F}\u{440}\u{438}\u{432}\u{435}\u{442}, \u{43A}\u{430}\u{43A} \u{434}\u{435}\u{43B}\u{430}? ".repeat(20);
    let bytes = textcodec::WINDOWS_1251.encode(&russian).bytes;
    room.write("ru.properties", &bytes);
    let refusal = contains("no declaration, and it is not UTF-8\n  Name the encoding with --from");
    room.textcodec("convert --from auto --in-place -d update ru.properties").assert().code(1).stderr(refusal);
}

#[test]
fn a_file_that_declares_a_charset_beyond_the_standard_is_read_in_it_or_left_alone() {
    let charset = |label| {
        let label = if label == "x-mac-ce" { "x-MacCentralEurope" } else { label };
        textcodec_convert::Charset::for_label(label).unwrap()
    };
    let encode = |text: &str, label| {
        // UTF-7 is only decoded.
        let Some(mut encoder) = charset(label).new_encoder() else { return text.replace("öß", "+APYA3w-").into() };
        let mut bytes = vec![0; 4 * text.len() + 16];
        let written = encoder.encode(text, &mut bytes, true).written;
        bytes.truncate(written);
        bytes
    };
    let room = Room::new();
    let files = [
        ("a.html", "<!doctype html><meta charset=LABEL><p>Größe", "ibm850", "UTF-8"),
        ("b.php", "<?php ?><meta http-equiv=content-type content='text/html; charset=LABEL'>Größe", "cp437", "UTF-8"),
        ("c.xml", "<?xml version='1.0' encoding='LABEL'?><a>Größe [x]</a>", "IBM037", "UTF-8"),
        ("d.css", "@charset \"LABEL\"; /* Größe */", "x-mac-ce", "UTF-8"),
        ("e.py", "# -*- coding: LABEL -*-\nprint('Größe')\n", "cp437", "utf-8"),
        ("f.py", "# -*- coding: LABEL -*-\nprint('Größe')\n", "utf-7", "utf-8"),
        ("g.tex", "\\usepackage[LABEL]{inputenc}\nGröße\n", "cp850", "utf8"),
        ("h.vi", "# -*- coding: LABEL -*-\n# một người bạn\n", "viscii", "utf-8"),
    ];
    for (name, form, label, _) in files {
        room.write(name, &encode(&form.replace("LABEL", label), label));
    }
    let command = "convert --from auto --guess --in-place --recursive --declarations update .";
    for _ in 0..2 {
        room.textcodec(command).assert().success();
        for (name, form, _, label) in files {
            assert_eq!(String::from_utf8(room.read(name)).unwrap(), form.replace("LABEL", label), "{name}");
        }
    }

    let room = Room::new();
    let refused = [
        (
            "a.html",
            &b"<meta charset=utf-7>+ADw-script+AD4-"[..],
            "a meta element names utf-7, but browsers do not read",
        ),
        ("b.xml", b"<?xml version='1.0' encoding='IBM037'?>\n<a/>", "but in cp037 the declaration is another text"),
        ("c.html", "<meta charset=ibm850>Größe".as_bytes(), "a meta element names ibm850, but the bytes are UTF-8"),
        ("d.html", b"<meta charset=cp278>Gr\x80", "a meta element names cp278, but two encodings have this name"),
        ("e.py", b"# coding: johab\n# \xFF\xFF", "e.py: not JOHAB at byte offset 18"),
    ];
    for (name, bytes, _) in refused {
        room.write(name, bytes);
    }
    let output = room.textcodec(command).assert().code(1).get_output().clone();
    let said = String::from_utf8(output.stderr).unwrap();
    for (name, bytes, message) in refused {
        assert!(said.contains(message), "{message}: {said}");
        assert_eq!(room.read(name), bytes, "{name}");
    }
    room.textcodec("check --from auto a.html").assert().code(1).stdout(contains("a meta element names utf-7"));
    room.textcodec("sniff a.html").assert().stdout(contains("a meta element names utf-7, but browsers do not read"));
    room.write("f.html", b"<meta charset=ibm850>Gr\x94\xE1e");
    room.textcodec("sniff f.html")
        .assert()
        .success()
        .stdout(contains("f.html: cp850, tentative: a declaration that browsers do not read\n"));
    let json = contains(r#""encoding":"cp850","confidence":"tentative","rung":"declaration","reason":"a declaration"#);
    room.textcodec("sniff --json f.html").assert().success().stdout(json);
    let json = contains(r#""encoding":null,"confidence":null,"rung":"declaration","reason":"a meta element names utf"#);
    room.textcodec("sniff --json a.html").assert().success().stdout(json);
    room.textcodec("convert --from auto f.html --declarations keep")
        .assert()
        .success()
        .stdout("<meta charset=ibm850>Größe");
}
