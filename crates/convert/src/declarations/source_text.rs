//! The declarations in source code and other plain text: one table says how each is found, which names it takes, and
//! how it is written.

use core::ops::Range;

use textcodec::Name;

use super::{
    Form, beyond,
    mail::{self, Header},
};
use crate::charset::Charset;

/// The number of bytes of a plain text in which declarations are looked for.
pub(super) const SEARCHED: usize = 8 * 1024;

/// The number of lines at the start and at the end of a file in which Vim looks for a modeline.
const MODELINES: usize = 5;

/// A form of declaration.
struct Syntax {
    form: Form,
    /// The name in a line of this number, counted from 0.
    find: fn(&str, usize) -> Option<Range<usize>>,
    /// The charset that a name means.
    meant: fn(&str) -> Option<Charset>,
    /// The name of a charset. `None` if the form has none.
    name: fn(Charset) -> Option<&'static str>,
}

static TABLE: [Syntax; 9] = [
    Syntax { form: Form::CodingComment, find: coding_comment, meant: meant_by_label, name: lower_case },
    Syntax { form: Form::Modeline, find: modeline, meant: meant_by_label, name: lower_case },
    Syntax { form: Form::GettextHeader, find: gettext_header, meant: meant_by_label, name: Charset::registered_name },
    Syntax { form: Form::Inputenc, find: inputenc, meant: meant_by_latex, name: name_in_latex },
    Syntax { form: Form::Inputenc, find: input_encoding, meant: meant_by_latex, name: name_in_latex },
    Syntax { form: Form::CodePage, find: code_page, meant: meant_by_number, name: number },
    Syntax { form: Form::UseEncoding, find: use_encoding, meant: meant_by_label, name: lower_case },
    Syntax { form: Form::TexComment, find: tex_comment, meant: meant_by_texshop, name: name_in_texshop },
    // The header is one declaration of several lines, and the only one of a mail.
    Syntax { form: Form::MailHeader, find: |_, _| None, meant: meant_by_label, name: Charset::registered_name },
];

/// The lines at the start of a plain text in which declarations are looked for. The last one is whole.
pub(super) fn start(text: &str) -> &str {
    if text.len() <= SEARCHED {
        return text;
    }
    let line = text.as_bytes()[..SEARCHED].iter().rposition(|&byte| byte == b'\n').map(|end| end + 1);
    let end = line.or_else(|| (0..=SEARCHED).rev().find(|&end| text.is_char_boundary(end)));
    &text[..end.unwrap_or(0)]
}

/// The declarations in `text`, the start of a plain text: of each form the first with a known name, with the place of
/// the name.
pub(super) fn declarations(text: &str) -> impl Iterator<Item = (Form, Range<usize>, Charset)> {
    let mail = mail::header(text);
    let in_mail = match &mail {
        Some(Header::Text(Some(range))) => meant_by_label(&text[range.clone()]).map(|meant| (range.clone(), meant)),
        _ => None,
    };
    let in_mail = in_mail.map(|(range, meant)| (Form::MailHeader, range, meant));
    let lines = if mail.is_none() { Some(in_lines(text)) } else { None };
    in_mail.into_iter().chain(lines.into_iter().flatten())
}

/// The declarations that stand in a line each.
fn in_lines(text: &str) -> impl Iterator<Item = (Form, Range<usize>, Charset)> {
    let found = TABLE.iter().filter_map(move |syntax| {
        let mut start = 0;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            if let Some(range) = (syntax.find)(line, number) {
                let range = range.start + start..range.end + start;
                if let Some(meant) = (syntax.meant)(&text[range.clone()]) {
                    return Some((syntax.form, range, meant));
                }
            }
            start += line.len();
        }
        None
    });
    let mut found: alloc::vec::Vec<_> = found.collect();
    // Edits are made in the order of the text, and Vim and Emacs can share a comment.
    found.sort_by_key(|(_, range, _)| range.start);
    found.dedup_by(|(_, second, _), (_, first, _)| second.start < first.end);
    found.into_iter()
}

/// The name that a declaration of this form has for `to`.
pub(super) fn name(form: Form, to: Charset) -> Option<&'static str> {
    let syntax = TABLE.iter().find(|syntax| syntax.form == form)?;
    // A name that the readers of this form give to another charset, or to none, is no name.
    (syntax.name)(to).filter(|name| (syntax.meant)(name).is_some_and(|meant| is_same(meant, to)))
}

/// Whether text in the one charset is text in the other for its readers.
pub(super) fn is_same(one: Charset, other: Charset) -> bool {
    one == other || one.read_as().is_some() && one.read_as() == other.read_as()
}

/// [PEP 263](https://peps.python.org/pep-0263/): a comment in the first or the second line, which Ruby knows, too; and
/// the comment of Emacs between "-*-", whatever starts a comment.
fn coding_comment(line: &str, number: usize) -> Option<Range<usize>> {
    if number > 1 {
        return None;
    }
    let is_comment = line.trim_start_matches([' ', '\t', '\u{C}', '\u{FEFF}']).starts_with('#');
    let coding = match is_comment {
        true => line.find("coding")?,
        false => {
            let start = line.find("-*-")?;
            start + line[start..].find("coding")?
        }
    };
    let after = coding + "coding".len();
    let rest = line[after..].strip_prefix([':', '='])?;
    let range = word(line, line.len() - rest.trim_start_matches([' ', '\t']).len())?;
    // Emacs adds the ends of lines to a name.
    let name = &line[range.clone()];
    let ends = ["-unix", "-dos", "-mac"].iter().find_map(|end| name.strip_suffix(end));
    Some(range.start..range.start + ends.unwrap_or(name).len())
}

/// `vim: set fileencoding=latin1:` and its short forms, at the start of a file.
fn modeline(line: &str, number: usize) -> Option<Range<usize>> {
    if number >= MODELINES {
        return None;
    }
    let start = ["vim:", "vi:", "ex:"].iter().find_map(|mark| Some(line.find(mark)? + mark.len()))?;
    let set = ["fileencoding=", "fenc="].iter().find_map(|set| Some(line[start..].find(set)? + start + set.len()));
    word(line, set?)
}

/// The header of a .po file: `"Content-Type: text/plain; charset=ISO-8859-1\n"`.
fn gettext_header(line: &str, _: usize) -> Option<Range<usize>> {
    let header = line.trim_start().strip_prefix("\"Content-Type:")?;
    let charset = header.find("charset=")? + "charset=".len();
    word(line, line.len() - header.len() + charset)
}

/// `\usepackage[latin1]{inputenc}`.
fn inputenc(line: &str, _: usize) -> Option<Range<usize>> {
    let options = line.trim_start().strip_prefix("\\usepackage[")?;
    let (options, rest) = options.split_once(']')?;
    rest.strip_prefix("{inputenc}")?;
    let start = line.find('[')? + 1;
    word(line, start + options.len() - options.trim_start().len())
}

/// `\inputencoding{latin1}`.
fn input_encoding(line: &str, _: usize) -> Option<Range<usize>> {
    let start = line.trim_start().strip_prefix("\\inputencoding{")?;
    word(line, line.len() - start.len())
}

/// `#pragma code_page(1252)` in a resource script.
fn code_page(line: &str, _: usize) -> Option<Range<usize>> {
    let rest = line.trim_start().strip_prefix("#pragma")?.trim_start().strip_prefix("code_page(")?;
    word(line, line.len() - rest.trim_start().len())
}

/// `use encoding "latin1";` in Perl.
fn use_encoding(line: &str, _: usize) -> Option<Range<usize>> {
    let rest = line.trim_start().strip_prefix("use encoding")?.trim_start();
    let rest = rest.strip_prefix(['"', '\'', '('])?;
    word(line, line.len() - rest.len())
}

/// `% !TEX encoding = IsoLatin`. The names of TeXShop have spaces.
fn tex_comment(line: &str, number: usize) -> Option<Range<usize>> {
    /// The number of lines in which TeXShop looks.
    const LINES: usize = 20;
    let comment = line.trim_start_matches('\u{FEFF}').trim_start().strip_prefix('%')?.trim_start();
    let rest =
        ["!TEX encoding", "!TeX encoding", "!tex encoding"].iter().find_map(|mark| comment.strip_prefix(mark))?;
    let name = rest.trim_start().strip_prefix('=')?.trim();
    let start = line.trim_end().len() - name.len();
    (number < LINES && !name.is_empty()).then_some(start..start + name.len())
}

/// The name that stands in `line` from `start` on.
fn word(line: &str, start: usize) -> Option<Range<usize>> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.');
    let length = line[start..].find(|character| !is_part(character)).unwrap_or(line.len() - start);
    (length > 0).then_some(start..start + length)
}

/// The charset of a label: Python has "latin-1" and "euc_jp", and Emacs has "iso-latin-1".
fn meant_by_label(name: &str) -> Option<Charset> {
    let name = name.strip_prefix("iso-latin").map_or(name.into(), |number| alloc::format!("latin{number}"));
    // Python's codec that reads and writes a byte order mark.
    let name = if name.eq_ignore_ascii_case("utf-8-sig") { "utf-8".into() } else { name };
    let registries = ["python", "glibc"].map(|registry| alloc::format!("{registry}:{name}"));
    let [python, glibc] = registries;
    // For the sake of browsers, the Standard gives these labels to the encoding "replacement", which shows no text.
    let replaced = REPLACED.iter().find(|(label, _)| label.eq_ignore_ascii_case(&name));
    if let Some((_, charset)) = replaced {
        return Charset::for_label(charset).ok();
    }
    let labels = [name.replace('_', "-"), name.replace(['-', '_'], ""), python, name, glibc];
    labels.iter().find_map(|label| Charset::for_label(label).ok()).or_else(|| beyond::meaning(&labels[3]).ok())
}

/// The labels of "replacement" that plain text declares, and their charsets.
static REPLACED: [(&str, &str); 5] = [
    ("iso-2022-kr", "glibc:ISO-2022-KR"),
    ("csiso2022kr", "glibc:ISO-2022-KR"),
    ("iso-2022-cn", "glibc:ISO-2022-CN"),
    ("iso-2022-cn-ext", "glibc:ISO-2022-CN-EXT"),
    ("hz-gb-2312", "HZ"),
];

/// A name in lower case, which is the only one that Emacs knows.
fn lower_case(charset: Charset) -> Option<&'static str> {
    let name = charset.registered_name()?;
    let mut labels = charset.labels();
    Some(labels.find(|label| label.eq_ignore_ascii_case(name)).unwrap_or(name))
}

/// The names of LaTeX, and the labels of their charsets.
static LATEX: [(&str, &str); 27] = [
    ("utf8", "utf-8"),
    ("utf8x", "utf-8"),
    ("ascii", "exact-us-ascii"),
    ("latin1", "exact-iso-8859-1"),
    ("latin2", "iso-8859-2"),
    ("latin3", "iso-8859-3"),
    ("latin4", "iso-8859-4"),
    ("latin5", "exact-iso-8859-9"),
    ("latin9", "iso-8859-15"),
    ("latin10", "iso-8859-16"),
    ("cp437", "cp437"),
    ("cp850", "cp850"),
    ("cp852", "cp852"),
    ("cp858", "cp858"),
    ("cp865", "cp865"),
    ("cp1250", "windows-1250"),
    ("cp1252", "windows-1252"),
    ("ansinew", "windows-1252"),
    ("cp1257", "windows-1257"),
    ("applemac", "macintosh"),
    ("macce", "x-MacCentralEurope"),
    ("decmulti", "dec-mcs"),
    ("next", "nextstep"),
    ("cp866", "ibm866"),
    ("cp1251", "windows-1251"),
    ("koi8-r", "koi8-r"),
    ("koi8-u", "koi8-u"),
];

fn meant_by_latex(name: &str) -> Option<Charset> {
    let (_, label) = LATEX.iter().find(|(latex, _)| *latex == name)?;
    Charset::for_label(label).ok()
}

fn name_in_latex(charset: Charset) -> Option<&'static str> {
    let is_name = |label: &str| Charset::for_label(label).is_ok_and(|other| other == charset);
    LATEX.iter().find(|(_, label)| is_name(label)).map(|(latex, _)| *latex)
}

/// The names of TeXShop, and the labels of their charsets. TeXworks knows labels.
static TEXSHOP: [(&str, &str); 18] = [
    ("UTF-8 Unicode", "utf-8"),
    ("IsoLatin", "exact-iso-8859-1"),
    ("IsoLatin2", "iso-8859-2"),
    ("IsoLatin5", "exact-iso-8859-9"),
    ("IsoLatin9", "iso-8859-15"),
    ("MacOSRoman", "macintosh"),
    ("Mac OS Roman", "macintosh"),
    ("DOSJapanese", "shift_jis"),
    ("EUC_JP", "euc-jp"),
    ("JISJapanese", "iso-2022-jp"),
    ("Mac Cyrillic", "x-mac-cyrillic"),
    ("DOS Cyrillic", "cp855"),
    ("DOS Russian", "ibm866"),
    ("Windows Cyrillic", "windows-1251"),
    ("KOI8_R", "koi8-r"),
    ("DOS Chinese Traditional", "big5"),
    ("DOS Chinese Simplified", "gbk"),
    ("GB 18030", "gb18030"),
];

fn meant_by_texshop(name: &str) -> Option<Charset> {
    match TEXSHOP.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        Some((_, label)) => Charset::for_label(label).ok(),
        None => meant_by_label(name),
    }
}

fn name_in_texshop(charset: Charset) -> Option<&'static str> {
    let is_name = |label: &str| Charset::for_label(label).is_ok_and(|other| other == charset);
    let known = TEXSHOP.iter().find(|(_, label)| is_name(label)).map(|(name, _)| *name);
    known.or_else(|| charset.registered_name())
}

/// The numbers of code pages of Windows.
static NUMBERS: [(&str, Name); 21] = [
    ("65001", Name::Utf8),
    ("874", Name::Windows874),
    ("932", Name::ShiftJis),
    ("936", Name::Gbk),
    ("949", Name::EucKr),
    ("950", Name::Big5),
    ("1250", Name::Windows1250),
    ("1251", Name::Windows1251),
    ("1252", Name::Windows1252),
    ("1253", Name::Windows1253),
    ("1254", Name::Windows1254),
    ("1255", Name::Windows1255),
    ("1256", Name::Windows1256),
    ("1257", Name::Windows1257),
    ("1258", Name::Windows1258),
    ("866", Name::Ibm866),
    ("10000", Name::Macintosh),
    ("20866", Name::Koi8R),
    ("21866", Name::Koi8U),
    ("28592", Name::Iso8859_2),
    ("54936", Name::Gb18030),
];

fn meant_by_number(number: &str) -> Option<Charset> {
    let name = NUMBERS.iter().find(|(known, _)| *known == number).map(|(_, name)| *name);
    match name {
        Some(name) => textcodec::Encoding::for_name(name).ok().map(Charset::from),
        None => Charset::for_label(&alloc::format!("cp{number}")).ok(),
    }
}

fn number(charset: Charset) -> Option<&'static str> {
    let id = charset.standard()?.id();
    NUMBERS.iter().find(|(_, name)| *name == id).map(|(number, _)| *number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_means_the_code_page_that_has_no_other_meaning() {
        let name = |number| meant_by_number(number).map(Charset::name);
        assert_eq!([name("1252"), name("437"), name("037")], [Some("windows-1252"), Some("cp437"), Some("cp037")]);
        // It has two meanings, and 9 has none.
        assert_eq!([name("10007"), name("9")], [None, None]);
    }

    #[test]
    fn each_form_is_found_and_its_name_is_understood() {
        for (form, text, charset) in [
            (Form::CodingComment, "# -*- coding: <latin-1> -*-\n", "windows-1252"),
            (Form::CodingComment, "#!/usr/bin/python\n# encoding=<cp1251>\n", "windows-1251"),
            (Form::CodingComment, "# vim: set fileencoding=<koi8-r> :\n", "koi8-r"),
            (Form::CodingComment, ";; -*- mode: lisp; coding: <utf-8>-unix -*-\n", "utf-8"),
            (Form::CodingComment, "# -*- coding: <utf-8>-dos -*-\n", "utf-8"),
            (Form::CodingComment, "# -*- coding: <utf-8>-mac -*-\n", "utf-8"),
            (Form::CodingComment, "/* -*- coding: <euc_jp> -*- */\n", "euc-jp"),
            (Form::CodingComment, "# coding: <utf-8-sig>\n", "utf-8"),
            (Form::CodingComment, "# coding: <cp950>\n", "glibc:cp950"),
            (Form::CodingComment, "# coding: <x-mac-ce>\n", "x-MacCentralEurope"),
            (Form::Modeline, "/* vim: set ts=4 fenc=<shift_jis>: */\n", "shift_jis"),
            (Form::GettextHeader, "msgid \"\"\n\"Content-Type: text/plain; charset=<ISO-8859-2>\\n\"\n", "iso-8859-2"),
            (Form::Inputenc, "\\documentclass{a}\n  \\usepackage[<latin9>]{inputenc}\n", "iso-8859-15"),
            (Form::Inputenc, "\\inputencoding{<koi8-r>}\n", "koi8-r"),
            (Form::CodePage, "#pragma code_page(<1252>)\n", "windows-1252"),
            (Form::CodePage, "// x\r\n #pragma  code_page( <437> )\r\n", "cp437"),
            (Form::UseEncoding, "use strict;\nuse encoding '<euc-jp>';\n", "euc-jp"),
            (Form::TexComment, "% !TEX encoding = <IsoLatin>\n", "exact-iso-8859-1"),
            (Form::TexComment, "%!TeX encoding=<UTF-8 Unicode>  \r\n", "utf-8"),
            (Form::TexComment, "\\relax\n  % !TEX encoding = <latin1>", "windows-1252"),
            (Form::MailHeader, "From: a\nContent-Type: text/plain;\n charset=\"<gb2312>\"\n\nx", "gbk"),
            (Form::MailHeader, "Date: x\nContent-Type: text/plain; charset=<ISO-2022-KR>\n\n", "glibc:ISO-2022-KR"),
            (Form::CodingComment, "# coding: <hz-gb-2312>\n", "HZ"),
        ] {
            let plain = text.replace(['<', '>'], "");
            let found: Vec<_> = declarations(&plain).collect();
            let [(found_form, range, meant)] = &*found else { panic!("{text}: {found:?}") };
            let start = text.find('<').unwrap();
            assert_eq!((*found_form, range.start, range.end), (form, start, text.find('>').unwrap() - 1), "{text}");
            assert_eq!(*meant, Charset::for_label(charset).unwrap(), "{text}");
        }
        for text in [
            "coding: latin-1\n",
            "a\nb\n# coding: latin-1\n",
            "# coding: nonsense\n",
            "# decoding is hard\n",
            "Write \\usepackage[latin1]{inputenc}.\n",
            "\\usepackage[latin1]{babel}\n",
            "Content-Type: text/plain; charset=latin1\n",
            "1\n2\n3\n4\n5\nvim: fenc=latin1\n",
            "#pragma once\n",
            "% !TEX encoding =\n",
            "From: a\nContent-Type: multipart/mixed; charset=latin1\n\n# coding: latin1\n",
            "From: a\nContent-Type: text/plain; charset=latin1\nContent-Transfer-Encoding: base64\n\n",
        ] {
            assert_eq!(declarations(text).count(), 0, "{text}");
        }
    }

    #[test]
    fn of_each_form_the_first_declaration_with_a_known_name_counts() {
        for (form, unknown, known) in [
            (Form::CodingComment, "# coding: x\n", "# coding: <koi8-r>\n"),
            (Form::Modeline, "vim: fenc=x\n", "vim: fenc=<koi8-r>\n"),
            (
                Form::GettextHeader,
                "\"Content-Type: a/b; charset=x\\n\"\n",
                "\"Content-Type: a/b; charset=<koi8-r>\\n\"\n",
            ),
            (Form::Inputenc, "\\usepackage[x]{inputenc}\n", "\\usepackage[<koi8-r>]{inputenc}\n"),
            (Form::Inputenc, "\\inputencoding{x}\n", "\\inputencoding{<koi8-r>}\n"),
            (Form::CodePage, "#pragma code_page(9)\n", "#pragma code_page(<20866>)\n"),
            (Form::UseEncoding, "use encoding 'x';\n", "use encoding '<koi8-r>';\n"),
            (Form::TexComment, "% !TEX encoding = x\n", "% !TEX encoding = <KOI8-R>\n"),
        ] {
            let text = [unknown, known, &known.replace("<", "<x")].concat();
            let start = text.find('<').unwrap();
            let end = text.find('>').unwrap() - 1;
            let found: Vec<_> = declarations(&text.replace(['<', '>'], "")).collect();
            assert_eq!(found, [(form, start..end, Charset::for_label("koi8-r").unwrap())], "{text}");
        }
    }

    #[test]
    fn declarations_are_found_only_in_the_first_lines_that_their_readers_look_at() {
        for (declaration, lines) in [
            ("# coding: latin-1", 2),
            ("/* -*- coding: latin-1 -*- */", 2),
            ("vim: fenc=latin1", 5),
            ("% !TEX encoding = IsoLatin", 20),
        ] {
            for before in 0..=lines {
                let text = ["x\n".repeat(before).as_str(), declaration, "\n"].concat();
                assert_eq!(declarations(&text).count(), usize::from(before < lines), "{declaration} after {before}");
            }
        }
    }

    #[test]
    fn a_name_that_is_written_is_one_that_the_readers_of_the_form_know() {
        for (label, names) in [
            ("utf-8", ["utf-8", "utf-8", "UTF-8", "utf8", "65001", "utf-8", "UTF-8 Unicode", "UTF-8"]),
            (
                "windows-1252",
                [
                    "windows-1252",
                    "windows-1252",
                    "windows-1252",
                    "cp1252",
                    "1252",
                    "windows-1252",
                    "windows-1252",
                    "windows-1252",
                ],
            ),
            ("shift_jis", ["shift_jis", "shift_jis", "Shift_JIS", "", "932", "shift_jis", "DOSJapanese", "Shift_JIS"]),
            (
                "iso-8859-15",
                ["iso-8859-15", "iso-8859-15", "ISO-8859-15", "latin9", "", "iso-8859-15", "IsoLatin9", "ISO-8859-15"],
            ),
        ] {
            let charset = Charset::for_label(label).unwrap();
            let forms = [
                Form::CodingComment,
                Form::Modeline,
                Form::GettextHeader,
                Form::Inputenc,
                Form::CodePage,
                Form::UseEncoding,
                Form::TexComment,
                Form::MailHeader,
            ];
            assert_eq!(forms.map(|form| name(form, charset).unwrap_or_default()), names, "{label}");
        }
    }

    /// The names that each form writes for every charset, and what the names of tables mean.
    /// `TEXTCODEC_PINNED=write cargo test -p textcodec-convert pinned` writes the file after an intended change.
    #[test]
    fn the_names_of_charsets_in_declarations_are_the_pinned_ones() {
        use alloc::{format, string::String, vec::Vec};

        let mut table = String::new();
        for charset in Charset::all() {
            let names: Vec<_> = TABLE.iter().map(|syntax| name(syntax.form, charset).unwrap_or("-")).collect();
            table += &format!("{charset}\t{}\n", names.join("\t"));
        }
        let latex = LATEX.iter().map(|(name, _)| (Form::Inputenc, *name));
        let texshop = TEXSHOP.iter().map(|(name, _)| (Form::TexComment, *name));
        let numbers = NUMBERS.iter().map(|(name, _)| (Form::CodePage, *name));
        let replaced = REPLACED.iter().map(|(name, _)| (Form::CodingComment, *name));
        let labels =
            ["iso-latin-1", "iso-latin-9", "latin-1", "latin_1", "euc_jp", "UTF-8-SIG", "x-mac-greek", "mac_greek"];
        let labels = labels.map(|name| (Form::Modeline, name));
        let numbers_of_others = ["437", "850", "10001", "99999", "1200"].map(|name| (Form::CodePage, name));
        let all = latex.chain(texshop).chain(numbers).chain(replaced).chain(labels).chain(numbers_of_others);
        for (form, name) in all {
            let syntax = TABLE.iter().find(|syntax| syntax.form == form).unwrap();
            let meant = (syntax.meant)(name).map_or("nothing", Charset::name);
            table += &format!("{form:?}\t{name}\t{meant}\n");
        }
        crate::pinned::compare("declarations.tsv", &table);
    }

    #[test]
    fn a_declaration_in_a_line_has_exactly_its_syntax() {
        type Find = fn(&str, usize) -> Option<Range<usize>>;
        let rows: [(Find, &[&str], &[&str]); 8] = [
            (
                coding_comment,
                &[
                    "#coding=<a>",
                    "\t\u{C} # coding: \t<a> x",
                    "\u{FEFF}# coding:<a-b_c.d>",
                    "// -*- coding: <a>-unix; -*-",
                ],
                &["# coding : a", "# coding a", "# coding:", "// coding: a", "# coding: \u{B}a", "/* coding: a -*- */"],
            ),
            (
                modeline,
                &["ex: fenc=<a>", "vi:set fileencoding=<a> fenc=b", "x vim: fenc=<a>:"],
                &["fenc=a vim:", "vim: fenc= a", "vim fenc=a", "vim: encoding=a"],
            ),
            (
                gettext_header,
                &["  \"Content-Type: a; charset=<b>\\n\"", "\"Content-Type:charset=<b>"],
                &["x \"Content-Type: charset=b", "\"content-type: charset=b", "\"Content-Type: charset=\""],
            ),
            (
                inputenc,
                &["\\usepackage[<a>]{inputenc}", " \\usepackage[ <a>,b]{inputenc}"],
                &[
                    "\\usepackage[]{inputenc}",
                    "\\usepackage{inputenc}",
                    "%\\usepackage[a]{inputenc}",
                    "\\usepackage[a] {inputenc}",
                ],
            ),
            (
                input_encoding,
                &["\\inputencoding{<a>}", "\t\\inputencoding{<a>"],
                &["\\inputencoding {a}", "x\\inputencoding{a}"],
            ),
            (
                code_page,
                &["#pragma code_page(<1>)", " #pragma\tcode_page( <1>"],
                &["# pragma code_page(1)", "#pragma code_page (1)"],
            ),
            (
                use_encoding,
                &["use encoding \"<a>\"", " use encoding'<a>'", "use encoding(<a>)"],
                &["no encoding 'a'", "use encoding a", "use encoding ''", "use encoding ( 'a')"],
            ),
            (
                tex_comment,
                &["%!TEX encoding=<a b>  ", "\u{FEFF} % !tex encoding = <a>\r\n", "% !TeX encoding =<a>"],
                &[
                    "!TEX encoding = a",
                    "% TEX encoding = a",
                    "% !TEX encoding a",
                    "% !Tex encoding = a",
                    "% !TEX program = a",
                ],
            ),
        ];
        for (find, found, others) in rows {
            for line in found {
                let plain = line.replace(['<', '>'], "");
                let start = line.find('<').unwrap();
                assert_eq!(find(&plain, 0), Some(start..line.find('>').unwrap() - 1), "{line}");
            }
            for line in others {
                assert_eq!(find(line, 0), None, "{line}");
            }
        }
    }

    #[test]
    fn declarations_come_in_the_order_of_the_text_and_a_mail_has_only_its_header() {
        let forms = |text: &str| declarations(text).map(|(form, ..)| form).collect::<alloc::vec::Vec<_>>();
        for (text, expected) in [
            ("/* vim: fenc=koi8-r */\n# coding: latin-1\n", &[Form::Modeline, Form::CodingComment][..]),
            ("# coding: latin-1\n/* vim: fenc=koi8-r */\n", &[Form::CodingComment, Form::Modeline]),
            ("% !TEX encoding = IsoLatin\n\\inputencoding{latin1}\n", &[Form::TexComment, Form::Inputenc]),
            ("\\inputencoding{latin1}\n% !TEX encoding = IsoLatin\n", &[Form::Inputenc, Form::TexComment]),
            ("# vim: set fileencoding=koi8-r :\n", &[Form::CodingComment]),
            ("Date: x\nContent-Type: text/plain; charset=big5\n\n\\inputencoding{latin1}\n", &[Form::MailHeader]),
            ("Date: x\n\n\\inputencoding{latin1}\n", &[]),
        ] {
            assert_eq!(forms(text), expected, "{text}");
        }
    }
}
