//! `textcodec iconv`: the command line of glibc's iconv.

use std::{env, path::PathBuf};

use anyhow::Context;
use textcodec::{
    Encoding, UTF_16LE,
    charsets::{IconvName, Names},
};
use textcodec_convert::{
    Charset, Cores, Errors, Options, Replaced, SourceEncoding,
    charset::foreign::{self, Meaning},
    files::{self, Declarations, Walk, check_output},
};

use crate::{
    arguments::{Iconv, Selection},
    commands::convert,
    label,
    message::{self, Failures, say},
    settings::Settings,
    standard_streams::StandardOutput,
};

/// The status of wrong arguments, as for every program of GNU.
pub(crate) const USAGE: u8 = 64;

/// Converts all files. Returns the status of iconv.
pub(crate) fn run(arguments: &Iconv, failures: &mut Failures) -> anyhow::Result<u8> {
    message::set_iconv_options();
    if arguments.list {
        list()?;
        return Ok(0);
    }
    let (from, to) = (Name::parse(&arguments.from)?, Name::parse(&arguments.to)?);
    let (source, target) = (from.source()?, to.target()?);
    if !arguments.silent {
        [(&from, source), (&to, target)]
            .into_iter()
            .filter_map(|(name, charset)| name.note(charset))
            .for_each(|note| say(&note));
    }
    // As in glibc, what follows the name of the input encoding has no effect.
    let leaves_out = arguments.leave_out || to.ignore;
    let mut options = Options::to(target);
    options.malformed = if leaves_out { Errors::Ignore } else { Errors::Fatal };
    options.unmappable = match () {
        () if to.transliterate => Errors::Replacement,
        () if leaves_out => Errors::Ignore,
        () => Errors::Fatal,
    };
    options.transliterate = to.transliterate;
    // glibc writes "〜" and the like in the charsets of Japan, whose tables here have "～".
    options.twins = true;
    let mut job = files::Settings::new(options);
    job.from = SourceEncoding::Label(source);
    job.cores = Cores::new(Selection::default().threads());
    // The byte order mark of UTF-16 decides its byte order. In all other encodings it is a character.
    job.ignore_bom = !is_utf_16(&from.name);
    let declarations = Some(Declarations::Keep);
    let settings = Settings { job, report: None, declarations, force: true, min_probability: 0.0 };
    let (mut has_left_out, mut is_cut_off) = (false, false);
    let mut run = |files: &[PathBuf], output: Option<&PathBuf>, failures: &mut Failures| {
        let replaced = convert::to_one_output(&settings, files, output.map(PathBuf::as_path), failures)?;
        has_left_out |= replaced.as_ref().is_some_and(Replaced::has_left_out);
        is_cut_off |= replaced.is_some_and(|replaced| replaced.is_cut_off());
        anyhow::Ok(())
    };
    if arguments.in_place {
        // A file that is named twice is found once.
        let found = files::select(&arguments.files, &Walk::default());
        found.failures.into_iter().for_each(|error| failures.add(&error.into()));
        for path in found.selected.iter().filter_map(|selected| selected.input.path()) {
            let path = path.to_owned();
            if let Err(error) = run(std::slice::from_ref(&path), Some(&path), failures) {
                failures.add(&error);
            }
        }
    } else {
        check_output("--output", arguments.output.as_deref())?;
        run(&arguments.files, arguments.output.as_ref(), failures)?;
    }
    // glibc's iconv fails after //IGNORE has left something out, and does not fail with -c.
    if has_left_out && !arguments.leave_out {
        say("//IGNORE has left out malformed input, or characters that the output encoding does not have");
        return Ok(1);
    }
    if is_cut_off {
        say("incomplete bytes at the end of the input are left out");
        return Ok(1);
    }
    Ok(failures.status())
}

/// The name of an encoding on the command line.
struct Name {
    /// The name without what follows it. It is in upper case.
    name: String,
    transliterate: bool,
    ignore: bool,
}

impl Name {
    /// Parses a name such as "ISO-8859-1//TRANSLIT//IGNORE".
    fn parse(argument: &str) -> anyhow::Result<Self> {
        let parsed = IconvName::parse(argument);
        if let Some(suffix) = parsed.unknown {
            anyhow::bail!("the suffix //{} is not known; there are //TRANSLIT and //IGNORE", message::excerpt(suffix));
        }
        let name = if parsed.name.is_empty() { of_locale() } else { parsed.name.to_ascii_uppercase() };
        Ok(Name { name, transliterate: parsed.transliterates, ignore: parsed.ignores })
    }

    fn source(&self) -> anyhow::Result<Charset> {
        // In glibc, UTF-16 without a byte order mark has the byte order of the processor, which nearly everywhere is
        // this one.
        if is_utf_16(&self.name) {
            return Ok(UTF_16LE.into());
        }
        self.charset().with_context(|| format!("conversion from `{}' is not supported", message::excerpt(&self.name)))
    }

    fn target(&self) -> anyhow::Result<Charset> {
        let charset = if is_utf_16(&self.name) { label::source("utf-16-bom") } else { self.charset_or_reason() };
        let charset = charset.and_then(|charset| match charset.is_writable() {
            true => Ok(charset),
            false => Err("it can only be read".to_owned()),
        });
        charset
            .map_err(anyhow::Error::msg)
            .with_context(|| format!("conversion to `{}' is not supported", message::excerpt(&self.name)))
    }

    fn charset(&self) -> anyhow::Result<Charset> {
        self.charset_or_reason().map_err(anyhow::Error::msg)
    }

    /// The encoding that glibc has under this name.
    fn charset_or_reason(&self) -> Result<Charset, String> {
        let name = self.name.to_ascii_lowercase();
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let exact = match &*plain {
            "ascii" | "usascii" | "ansix341968" | "ansix341986" | "iso646us" | "iso646irv1991" | "isoir6" | "cp367"
            | "ibm367" | "us" | "csascii" | "646" => "exact-us-ascii",
            "iso88591" | "iso885911987" | "isoir100" | "latin1" | "l1" | "cp819" | "ibm819" | "88591"
            | "csisolatin1" => "exact-iso-8859-1",
            "iso88599" | "iso885991989" | "isoir148" | "latin5" | "l5" | "88599" | "csisolatin5" => "exact-iso-8859-9",
            "ucs4" | "ucs4be" | "iso10646ucs4" | "iso106461" | "csucs4" => "utf-32be",
            "ucs4le" => "utf-32le",
            // The Standard gives some of these names to UTF-16.
            "ucs2" | "iso10646ucs2" => "glibc:ucs-2",
            "unicode" | "csunicode" => "glibc:unicode",
            _ => "",
        };
        if !exact.is_empty() {
            return label::source(exact);
        }
        // A name of glibc means glibc's table also where the label of the Standard is the same.
        if let Some(charset) = IconvName::parse(&name).charset() {
            return Ok(charset.into());
        }
        if let Ok(encoding) = Encoding::for_label(&name) {
            return Ok(encoding.into());
        }
        // glibc writes some names without punctuation.
        if let Some((_, charset)) = standard_labels().find(|(label, _)| plain_label(label) == plain) {
            return Ok(charset);
        }
        if let Some(Meaning::Label(label)) = foreign::meaning(&name) {
            return label::source(label);
        }
        label::source(&name)
    }

    /// A sentence about an encoding of the Standard that glibc has with other characters, under other names than this.
    fn note(&self, charset: Charset) -> Option<String> {
        let encoding = charset.standard()?;
        let differs = matches!(
            encoding.name(),
            "Shift_JIS"
                | "EUC-JP"
                | "EUC-KR"
                | "GBK"
                | "gb18030"
                | "Big5"
                | "windows-874"
                | "windows-1255"
                | "windows-1258"
                | "KOI8-U"
                | "macintosh"
                | "x-mac-cyrillic"
        );
        differs.then(|| {
            format!(
                "{} is {encoding} as the Encoding Standard defines it, which differs from glibc in some characters",
                message::excerpt(&self.name)
            )
        })
    }
}

fn is_utf_16(name: &str) -> bool {
    matches!(name, "UTF-16" | "UTF16" | "CSUTF16")
}

fn plain_label(label: &str) -> String {
    label.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// The labels of the Standard with their encodings.
fn standard_labels() -> impl Iterator<Item = (&'static str, Charset)> {
    Encoding::all().flat_map(|encoding| encoding.labels().map(move |label| (label, encoding.into())))
}

/// The name of the encoding of the locale, as the environment tells it.
fn of_locale() -> String {
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"];
    let locale = variables.into_iter().filter_map(|name| env::var(name).ok()).find(|value| !value.is_empty());
    let locale = locale.unwrap_or_default();
    let encoding = locale.split_once('.').map(|(_, encoding)| encoding.split('@').next().unwrap_or_default());
    // A locale without an encoding is the locale C, or is as old as ISO-8859-1; glibc knows which, and this program
    // does not.
    encoding.filter(|encoding| !encoding.is_empty()).unwrap_or("ANSI_X3.4-1968").to_ascii_uppercase()
}

/// Prints the names of all encodings.
fn list() -> anyhow::Result<()> {
    StandardOutput::open().and_then(|mut output| output.print(&names())).context("cannot write to standard output")
}

/// The names in the form of iconv: one line for each encoding, and two slashes after each name.
fn names() -> String {
    let mut text = String::new();
    let mut line = |names: &mut dyn Iterator<Item = String>| {
        let names: Vec<_> = names.map(|name| format!("{}//", name.to_ascii_uppercase())).collect();
        if !names.is_empty() {
            text += &format!("{}\n", names.join(" "));
        }
    };
    line(&mut ["UTF-16", "UTF16"].into_iter().map(str::to_owned));
    let of_glibc = textcodec::charsets::Charset::all().flat_map(|charset| charset.names(Names::Glibc));
    // These charsets have labels of this program, which it takes beside the names of glibc.
    let own = Charset::all().filter(|charset| charset.standard().is_none()).map(Charset::name);
    let own = own.filter(|name| !name.starts_with("exact-") && !name.contains(':') && !name.ends_with("-bom"));
    let mut all: Vec<(Charset, Vec<String>)> = Charset::all().map(|charset| (charset, Vec::new())).collect();
    for label in of_glibc.chain(standard_labels().map(|(label, _)| label)).chain(own) {
        let name = label.trim_end_matches('/').to_ascii_uppercase();
        if is_utf_16(&name) {
            continue;
        }
        let meant = Name::parse(&name).and_then(|name| name.charset());
        let names = meant.ok().and_then(|meant| all.iter_mut().find(|(charset, _)| *charset == meant));
        if let Some((_, names)) = names.filter(|(_, names)| !names.contains(&name)) {
            names.push(name);
        }
    }
    for (_, names) in all {
        line(&mut names.into_iter());
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn charset(name: &str) -> &'static str {
        Name::parse(name).unwrap().charset_or_reason().map_or("", Charset::name)
    }

    #[test]
    fn names_of_glibc_have_the_meaning_of_glibc() {
        for (name, expected) in [
            ("UTF-8", "UTF-8"),
            ("utf8", "UTF-8"),
            ("ISO-8859-1", "exact-iso-8859-1"),
            ("ISO8859-1//TRANSLIT", "exact-iso-8859-1"),
            ("LATIN1", "exact-iso-8859-1"),
            ("ASCII", "exact-us-ascii"),
            ("LATIN5", "exact-iso-8859-9"),
            ("CP1252", "glibc:CP1252"),
            ("WINDOWS-1251", "glibc:CP1251"),
            ("KOI8-U", "glibc:KOI8-U"),
            ("MACINTOSH", "glibc:MACINTOSH"),
            ("TIS-620", "glibc:TIS-620"),
            ("windows-1255", "CP1255-COMPOSED"),
            ("ISO8859-15", "ISO-8859-15"),
            ("ISO88592", "ISO-8859-2"),
            ("KOI8R", "KOI8-R"),
            ("EUCJP", "glibc:EUC-JP"),
            ("SJIS", "glibc:SJIS"),
            ("CP932", "glibc:CP932"),
            ("CP949", "UHC"),
            ("UHC", "UHC"),
            ("CP936", "glibc:GBK"),
            ("BIG5-HKSCS", "glibc:BIG5-HKSCS"),
            ("IBM437", "cp437"),
            ("850", "cp850"),
            ("IBM-1047", "cp1047"),
            ("UCS-4", "utf-32be"),
            ("ISO-10646/UCS4/", "utf-32be"),
            ("UTF-32LE", "utf-32le"),
            ("UTF-16BE", "UTF-16BE"),
            ("UCS-2", "glibc:UCS-2"),
            ("UNICODE", "glibc:UNICODE"),
            ("CP737", "CP737"),
            ("IBM278", "glibc:IBM278"),
            ("CP874", "IBM874"),
            ("EBCDIC-US", "EBCDIC-US"),
            ("VISCII", "VISCII"),
            ("KOI-8", "KOI-8"),
            ("MS-ANSI", "glibc:CP1252"),
            ("ISO-2022-KR", "glibc:ISO-2022-KR"),
            ("HZ", "HZ"),
            ("ISO-2022-CN", "glibc:ISO-2022-CN"),
            ("CSISO2022JP", "glibc:ISO-2022-JP"),
            ("ISO2022JP2", "ISO-2022-JP-2"),
            ("IBM932X", ""),
        ] {
            assert_eq!(charset(name), expected, "{name}");
        }
    }

    #[test]
    fn every_name_of_glibc_means_the_table_of_glibc() {
        let mut count = 0;
        for charset in textcodec::charsets::Charset::all() {
            for name in charset.names(Names::Glibc).filter(|name| !is_utf_16(&name.to_ascii_uppercase())) {
                let meant = Name::parse(name).unwrap().charset_or_reason();
                assert_eq!(meant, Ok(charset.into()), "{name}");
                count += 1;
            }
        }
        assert!(count > 900, "{count}");
    }

    #[test]
    fn suffixes_are_parsed() {
        let name = Name::parse("ascii//translit//IGNORE").unwrap();
        assert!(name.transliterate && name.ignore && name.name == "ASCII");
        let name = Name::parse("latin1//TRANSLIT,IGNORE").unwrap();
        assert!(name.transliterate && name.ignore);
        assert!(Name::parse("utf-8//NONSENSE").is_err());
    }

    #[test]
    fn the_list_has_each_name_once_beside_the_others_of_its_encoding() {
        let list = names();
        let mut lines = list.lines().map(|line| {
            let names = line.split(' ').map(|name| name.strip_suffix("//").expect("two slashes follow each name"));
            names.collect::<Vec<_>>()
        });
        assert_eq!(lines.next().unwrap(), ["UTF-16", "UTF16"]);
        let (mut seen, mut encodings) = (HashSet::new(), HashSet::new());
        for names in lines {
            let encoding = charset(names[0]);
            assert!(!encoding.is_empty() && encodings.insert(encoding), "{names:?}");
            assert!(names.iter().all(|name| seen.insert(*name) && charset(name) == encoding), "{names:?}");
        }
        let of_glibc = textcodec::charsets::Charset::all().flat_map(|charset| charset.names(Names::Glibc));
        for name in of_glibc.chain(standard_labels().map(|(label, _)| label)) {
            let name = name.trim_end_matches('/').to_ascii_uppercase();
            assert!(seen.contains(&*name) != is_utf_16(&name), "{name}");
        }
        for name in Charset::all().filter(|charset| charset.standard().is_none()).map(Charset::name) {
            let is_listed = seen.contains(&*name.to_ascii_uppercase());
            let is_hidden = name.starts_with("exact-") || name.contains(':') || name.ends_with("-bom");
            assert!(if is_hidden { !is_listed } else { is_listed || charset(name).is_empty() }, "{name}");
        }
    }

    /// The names have no punctuation, and glibc has some of them only with it.
    #[test]
    fn names_of_ascii_latin1_latin5_and_ucs_mean_the_charsets_of_iso() {
        for (expected, names) in [
            (
                "exact-us-ascii",
                "ascii usascii ansix341968 ansix341986 iso646us iso646irv1991 isoir6 cp367 ibm367 us csascii 646",
            ),
            ("exact-iso-8859-1", "iso88591 iso885911987 isoir100 latin1 l1 cp819 ibm819 88591 csisolatin1"),
            ("exact-iso-8859-9", "iso88599 iso885991989 isoir148 latin5 l5 88599 csisolatin5"),
            ("utf-32be", "ucs4 ucs4be iso10646ucs4 iso106461 csucs4"),
            ("utf-32le", "ucs4le"),
            ("glibc:UCS-2", "ucs2 iso10646ucs2"),
            ("glibc:UNICODE", "unicode csunicode"),
        ] {
            for name in names.split(' ') {
                assert_eq!(charset(name), expected, "{name}");
                assert_eq!(charset(&format!("{}//TRANSLIT", name.to_uppercase())), expected, "{name}");
            }
        }
        assert_eq!(["koi-8", "koi8", "koi8r"].map(charset), ["KOI-8", "KOI-8", "KOI8-R"]);
    }

    #[test]
    fn a_note_is_given_for_the_encodings_of_which_glibc_has_others() {
        let differ = [
            "Shift_JIS",
            "EUC-JP",
            "EUC-KR",
            "GBK",
            "gb18030",
            "Big5",
            "windows-874",
            "windows-1255",
            "windows-1258",
            "KOI8-U",
            "macintosh",
            "x-mac-cyrillic",
        ];
        let name = Name::parse("a name").unwrap();
        for charset in Charset::all() {
            let is_noted = differ.contains(&charset.name()) && charset.standard().is_some();
            let note = name.note(charset);
            assert_eq!(note.is_some(), is_noted, "{charset}");
            let start = format!("A NAME is {charset} as the Encoding Standard defines it, ");
            assert!(note.is_none_or(|note| note.starts_with(&start)), "{charset}");
        }
    }
}
