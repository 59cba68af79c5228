//! The independent sources: programs and files that packages bring, and what each byte means to them.
//!
//! Debian's packages libc-bin, locales, python3, perl, icu-devtools and a JDK bring all of them but GNU libiconv, for
//! which the caller names a program that takes the options of iconv(1).

use std::{
    collections::{BTreeMap, HashMap},
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail, ensure};

use super::{
    derive::Options,
    mapping::{BYTES, Row, SOURCES, Table},
};

/// The folder of glibc's charmaps.
const CHARMAPS: &str = "/usr/share/i18n/charmaps";
/// Configuration files of glibc's iconv, which list aliases.
const GCONV: [&str; 2] = ["gconv-modules", "gconv-modules.d/gconv-modules-extra.conf"];
/// Folders in which the configuration files can be.
const GCONV_FOLDERS: [&str; 3] =
    ["/usr/lib/x86_64-linux-gnu/gconv", "/usr/lib/aarch64-linux-gnu/gconv", "/usr/lib64/gconv"];

/// Prints a line for each argument: the code points of the bytes, `-` for none.
const PYTHON: &str = r#"
import sys
for name in sys.argv[1:]:
    table = []
    for byte in range(256):
        try: text = bytes([byte]).decode(name)
        except UnicodeDecodeError: text = ''
        table.append('%X' % ord(text) if len(text) == 1 and text != '\ufffd' else '-')
    print(name, *table)
"#;

/// Prints a line for each argument: the name, and its aliases.
const PYTHON_ALIASES: &str = r"
import encodings.aliases, sys
for name in sys.argv[1:]:
    print(name, *sorted(alias for alias, of in encodings.aliases.aliases.items() if of == name))
";

const PERL: &str = r#"
use Encode;
for my $name (@ARGV) {
    my @table;
    for my $byte (0 .. 255) {
        my $bytes = chr $byte;
        my $text = eval { Encode::decode($name, $bytes, Encode::FB_CROAK) };
        my $is_one = defined $text && length($text) == 1 && ord($text) != 0xFFFD;
        push @table, $is_one ? sprintf("%X", ord $text) : "-";
    }
    print "$name @table\n";
}
"#;

const JAVA: &str = r#"
import java.nio.*;
import java.nio.charset.*;

public class Tables {
    public static void main(String[] names) {
        for (String name : names) {
            StringBuilder line = new StringBuilder(name);
            CharsetDecoder decoder = Charset.forName(name).newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT).onUnmappableCharacter(CodingErrorAction.REPORT);
            for (int at = 0; at < 256; at++) {
                String code = "-";
                try {
                    CharBuffer text = decoder.decode(ByteBuffer.wrap(new byte[] {(byte) at}));
                    if (text.length() == 1 && text.charAt(0) != 0xFFFD) code = Integer.toHexString(text.charAt(0));
                } catch (CharacterCodingException error) { }
                line.append(' ').append(code);
            }
            System.out.println(line);
        }
    }
}
"#;

const JAVA_ALIASES: &str = r#"
import java.nio.charset.*;

public class Aliases {
    public static void main(String[] names) {
        for (String name : names) {
            Charset charset = Charset.forName(name);
            System.out.println(charset.name() + " " + String.join(" ", new java.util.TreeSet<>(charset.aliases())));
        }
    }
}
"#;

/// What the bytes mean to a source, by the source's name for the charset.
pub(super) type Tables = HashMap<String, Table>;

/// The tables of each source, in the order of [`SOURCES`].
pub(super) fn tables(rows: &[Row], options: &Options) -> Result<Vec<Tables>> {
    let names = |source: usize| -> Vec<&str> {
        let mut names: Vec<&str> = rows.iter().filter_map(|row| row.names[source].as_deref()).collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    let mut all = Vec::new();
    for (source, title) in SOURCES.iter().enumerate() {
        let names = names(source);
        let tables = match *title {
            "glibc" => each(&names, |name| iconv("iconv".as_ref(), name)),
            "charmap" => each(&names, charmap),
            "python" => parse(&run("python3", &["-c", PYTHON], &names)?),
            "perl" => parse(&run("perl", &["-e", PERL], &names)?),
            "java" => parse(&java("Tables", JAVA, &names)?),
            "icu" => each(&names, icu),
            _ => each(&names, |name| iconv(&options.libiconv, name)),
        };
        let tables = tables.with_context(|| format!("the source {title}"))?;
        let missing = names.iter().find(|name| !tables.contains_key(**name));
        ensure!(missing.is_none(), "the source {title} has no table of {missing:?}");
        println!("{title}: {} charsets", tables.len());
        all.push(tables);
    }
    Ok(all)
}

fn each(names: &[&str], table: impl Fn(&str) -> Result<Table>) -> Result<Tables> {
    names.iter().map(|&name| Ok((name.to_owned(), table(name).with_context(|| name.to_owned())?))).collect()
}

/// The standard output of a program with these arguments.
fn run(program: &str, arguments: &[&str], names: &[&str]) -> Result<String> {
    let output = Command::new(program)
        .args(arguments)
        .args(names)
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot run {program}"))?;
    ensure!(output.status.success(), "{program} failed");
    String::from_utf8(output.stdout).with_context(|| format!("the output of {program} is not UTF-8"))
}

/// The standard output of the Java class `class` with the text `source`.
fn java(class: &str, source: &str, names: &[&str]) -> Result<String> {
    let folder = std::env::temp_dir().join(format!("textcodec-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{class}.java"));
    std::fs::write(&path, source)?;
    let output = run("java", &[path.to_str().context("the temporary folder is not UTF-8")?], names);
    std::fs::remove_dir_all(&folder)?;
    output
}

/// Parses lines of a name and 256 code points in hex.
fn parse(text: &str) -> Result<Tables> {
    let mut tables = Tables::new();
    for line in text.lines() {
        let (name, code_points) = line.split_once(' ').context("a line without a table")?;
        let table: Vec<Option<u32>> = code_points
            .split(' ')
            .map(|code_point| if code_point == "-" { Ok(None) } else { u32::from_str_radix(code_point, 16).map(Some) })
            .collect::<Result<_, _>>()?;
        let table = Table::try_from(table).ok().with_context(|| format!("{name} has not {BYTES} bytes"))?;
        tables.insert(name.to_owned(), table);
    }
    Ok(tables)
}

/// The output of a program for `input`, whether it failed or not, and its messages.
pub(super) fn filter(program: &Path, arguments: &[&str], input: &[u8]) -> Result<(Vec<u8>, String)> {
    let mut child = Command::new(program)
        .args(arguments)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run {}", program.display()))?;
    child.stdin.take().context("no standard input")?.write_all(input)?;
    let output = child.wait_with_output()?;
    Ok((output.stdout, String::from_utf8_lossy(&output.stderr).into_owned()))
}

/// The code points in UTF-32BE.
pub(super) fn utf_32(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|unit| u32::from_be_bytes([unit[0], unit[1], unit[2], unit[3]])).collect()
}

/// The table of a program like iconv(1): all bytes at once, from the byte after each error on. If that does not give a
/// code point for each byte, every byte alone: some charsets compose a letter with the mark that follows.
fn iconv(program: &Path, name: &str) -> Result<Table> {
    let bytes: Vec<u8> = (0..=u8::MAX).collect();
    let mut table = Vec::new();
    while table.len() < BYTES {
        let rest = &bytes[table.len()..];
        let (output, messages) = filter(program, &["-f", name, "-t", "UCS-4BE"], rest)?;
        let code_points = utf_32(&output);
        let end = match messages.rsplit_once("position ") {
            Some((_, position)) => position.trim().parse()?,
            None if messages.is_empty() => rest.len(),
            None => bail!("{name}: {messages}"),
        };
        if code_points.len() != end {
            return each_byte(program, name);
        }
        table.extend(code_points.into_iter().map(Some));
        if end < rest.len() {
            table.push(None);
        }
    }
    Ok(Table::try_from(table).expect("the loop ends with a code point or an error for each byte"))
}

fn each_byte(program: &Path, name: &str) -> Result<Table> {
    let mut table = [None; BYTES];
    for byte in 0..=u8::MAX {
        let (output, messages) = filter(program, &["-f", name, "-t", "UCS-4BE"], &[byte])?;
        table[usize::from(byte)] = match utf_32(&output)[..] {
            [code_point] if messages.is_empty() => Some(code_point),
            _ => None,
        };
    }
    Ok(table)
}

/// The byte to which glibc's iconv encodes `code_point`.
pub(super) fn glibc_byte(name: &str, code_point: u32) -> Result<Option<u8>> {
    let (output, _) = filter("iconv".as_ref(), &["-f", "UCS-4BE", "-t", name], &code_point.to_be_bytes())?;
    Ok(if let [byte] = output[..] { Some(byte) } else { None })
}

/// The table of ICU's converter; its converter writes U+FFFD for a byte without a character.
fn icu(name: &str) -> Result<Table> {
    let bytes: Vec<u8> = (0..=u8::MAX).collect();
    let arguments = ["-f", name, "-t", "UTF-32BE", "--from-callback", "substitute"];
    let (output, messages) = filter("uconv".as_ref(), &arguments, &bytes)?;
    let code_points: Vec<Option<u32>> =
        utf_32(&output).into_iter().map(|code_point| (code_point != 0xFFFD).then_some(code_point)).collect();
    Table::try_from(code_points).ok().with_context(|| format!("{name}: not {BYTES} code points: {messages}"))
}

/// The table of a charmap: lines such as `<U0041> /x41 LATIN CAPITAL LETTER A`, or of a range
/// `<U0041>..<U0043> /x41`.
fn charmap(name: &str) -> Result<Table> {
    let text = run("gzip", &["-dc", &format!("{CHARMAPS}/{name}.gz")], &[]).or_else(|_| {
        // Comments of a few charmaps are in Latin-1.
        let output = Command::new("gzip").args(["-dc", &format!("{CHARMAPS}/{name}.gz")]).output()?;
        anyhow::Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    })?;
    parse_charmap(&text)
}

fn parse_charmap(text: &str) -> Result<Table> {
    let mut table = [None; BYTES];
    // One charmap has no header.
    let body = text.split_once("\nCHARMAP").map_or(text, |(_, body)| body);
    for line in body.lines().take_while(|line| *line != "END CHARMAP") {
        let mut fields = line.split_ascii_whitespace();
        let (Some(code_points), Some(bytes)) = (fields.next(), fields.next()) else { continue };
        let byte = bytes.strip_prefix(['/', '\\']).and_then(|byte| byte.strip_prefix('x'));
        let Some(byte) = byte.and_then(|byte| usize::from_str_radix(byte, 16).ok()).filter(|byte| *byte < BYTES) else {
            continue;
        };
        let code_point = |text: &str| {
            text.strip_prefix("<U")
                .and_then(|text| text.strip_suffix('>'))
                .and_then(|hex| u32::from_str_radix(hex, 16).ok())
        };
        let (first, last) = code_points.split_once("..").unwrap_or((code_points, code_points));
        let (Some(first), Some(last)) = (code_point(first), code_point(last)) else { continue };
        for (place, code_point) in (byte..).zip(first..=last) {
            *table.get_mut(place).context("a range ends after the last byte")? = Some(code_point);
        }
    }
    Ok(table)
}

/// The name of an alias in a list of names.
type Aliases = BTreeMap<String, Vec<String>>;

/// The names that glibc's iconv has for each of its charsets, by the name of the module.
pub(super) fn glibc_names() -> Result<Aliases> {
    let mut targets = HashMap::new();
    for folder in GCONV_FOLDERS {
        for file in GCONV {
            for line in std::fs::read_to_string(Path::new(folder).join(file)).unwrap_or_default().lines() {
                let fields: Vec<&str> = line.split_ascii_whitespace().collect();
                if let ["alias", alias, target, ..] = fields[..] {
                    targets.insert(alias.trim_end_matches('/').to_owned(), target.trim_end_matches('/').to_owned());
                }
            }
        }
    }
    ensure!(!targets.is_empty(), "the files gconv-modules were not found");
    let mut names = Aliases::new();
    for name in run("iconv", &["-l"], &[])?.split([',', '\n', ' ']).filter(|name| !name.is_empty()) {
        let name = name.trim_end_matches('/');
        let mut target = name;
        while let Some(next) = targets.get(target) {
            target = next;
        }
        names.entry(target.to_owned()).or_default().push(name.to_owned());
    }
    Ok(names)
}

/// The names in IANA's registry that ICU has for its converters, by the name of the converter.
pub(super) fn icu_iana_names() -> Result<Aliases> {
    let mut names = Aliases::new();
    let mut converter = String::new();
    for line in run("uconv", &["--canon", "-l"], &[])?.lines().filter(|line| !line.starts_with('{')) {
        let mut fields = line.split_ascii_whitespace();
        let Some(name) = fields.next() else { continue };
        if !line.starts_with('\t') {
            converter = name.to_owned();
        }
        if fields.any(|tag| tag.trim_end_matches('*') == "IANA") {
            names.entry(converter.clone()).or_default().push(name.to_owned());
        }
    }
    Ok(names)
}

/// The names that Python or Java has for each of `names`.
pub(super) fn aliases(source: &str, names: &[&str]) -> Result<Aliases> {
    let text = match source {
        "python" => run("python3", &["-c", PYTHON_ALIASES], names)?,
        _ => java("Aliases", JAVA_ALIASES, names)?,
    };
    let line = |line: &str| {
        let names: Vec<String> = line.split(' ').map(str::to_owned).filter(|name| !name.is_empty()).collect();
        (names[0].clone(), names)
    };
    Ok(text.lines().map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_charmap_has_single_lines_and_ranges() {
        let text = "<escape_char> /\n% alias X\nCHARMAP\n<U0041>..<U0043> /x81 A\n<U00E9> /xff E\n\
                    <U4E00> /x81/x40 TWO BYTES\nEND CHARMAP\n<U0000> /x00\n";
        let table = parse_charmap(text).unwrap();
        let entries: Vec<_> = (0..BYTES).filter_map(|byte| Some((byte, table[byte]?))).collect();
        assert_eq!(entries, [(0x81, 0x41), (0x82, 0x42), (0x83, 0x43), (0xFF, 0xE9)]);
    }
}
