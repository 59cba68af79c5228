//! Measures how many bytes the encodings add to a program: small programs in release builds, beside the same programs
//! with encoding_rs.

use std::{
    env,
    fmt::Write as _,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};

use crate::files;

/// The file with the table, and the lines before and after the table.
const README: &str = "README.md";
const MARKERS: (&str, &str) = ("<!-- sizes -->\n", "<!-- /sizes -->");

/// The folder of the programs and their builds, relative to the project's root. It can be removed at any time.
const FOLDER: &str = "target/sizes";

/// The titles of the columns.
const COLUMNS: [&str; 3] = ["textcodec", "encoding_rs", "encoding_rs, `fast-legacy-encode`"];

/// The input of the programs, which shows whether they work: a word in windows-1252, which is malformed in UTF-8 and
/// Shift_JIS.
const INPUT: &[u8] = b"caf\xE9";

/// The manifest before the dependencies. Each program is a workspace of its own, because it is inside the project. The
/// names of the packages differ, because Cargo treats packages as equal if only their folders differ.
const MANIFEST: &str = r#"[package]
name = "$name"
edition = "2024"

[workspace]

[profile.release]
opt-level = 3
lto = "fat"
codegen-units = 1
panic = "abort"
strip = true

[dependencies]
"#;

/// The part of every program: it converts its input to its output.
const MAIN: &str = r#"use std::io::{Read, Write, stdin, stdout};

fn main() {
    let mut source = Vec::new();
    if stdin().read_to_end(&mut source).is_err() || stdout().write_all(&convert(source)).is_err() {
        std::process::exit(1);
    }
}
"#;

/// The program that copies its input. All others are compared with it.
const NOTHING: &str = "
fn convert(source: Vec<u8>) -> Vec<u8> {
    source
}
";

/// Decodes with textcodec. `$encoding` is replaced by the encoding.
const DECODE: &str = "
use textcodec::DecoderErrorMode;

fn convert(source: Vec<u8>) -> Vec<u8> {
    let mut decoder = $encoding.new_decoder_without_bom_handling();
    let mut text = vec![0; decoder.max_utf8_length(source.len()).unwrap_or(0)];
    let result = decoder.decode_to_utf8(&source, &mut text, true, DecoderErrorMode::Replacement);
    text.truncate(result.written);
    text
}
";

/// Decodes with the package of a family, without the umbrella package.
const DECODE_WITH_FAMILY: &str = "
use textcodec_core::{Decoder, DecoderErrorMode};

fn convert(source: Vec<u8>) -> Vec<u8> {
    let mut decoder = Decoder::new(&$encoding);
    let mut text = vec![0; decoder.max_utf8_length(source.len()).unwrap_or(0)];
    let result = decoder.decode_to_utf8(&source, &mut text, true, DecoderErrorMode::Replacement);
    text.truncate(result.written);
    text
}
";

/// Encodes its input, as UTF-8, after it has decoded it: both directions of one encoding of textcodec.
const BOTH_WAYS: &str = "
use textcodec::{DecoderErrorMode, EncoderErrorMode};

fn convert(source: Vec<u8>) -> Vec<u8> {
    let (mut decoder, mut encoder) = ($encoding.new_decoder_without_bom_handling(), $encoding.new_encoder());
    let mut text = String::new();
    let _ = decoder.decode_to_string(&source, &mut text, true, DecoderErrorMode::Replacement);
    let mut bytes = Vec::new();
    let _ = encoder.encode_to_vec(&text, &mut bytes, true, EncoderErrorMode::Html);
    bytes
}
";

/// Decodes with encoding_rs.
const THEIR_DECODE: &str = "
fn convert(source: Vec<u8>) -> Vec<u8> {
    let mut decoder = $encoding.new_decoder_without_bom_handling();
    let mut text = vec![0; decoder.max_utf8_buffer_length(source.len()).unwrap_or(0)];
    let (_, _, written, _) = decoder.decode_to_utf8(&source, &mut text, true);
    text.truncate(written);
    text
}
";

/// Gets an encoding of textcodec by the label in an argument.
const FOR_LABEL: &str = "
fn encoding(place: usize) -> textcodec::Encoding {
    let encoding = std::env::args().nth(place).and_then(|label| textcodec::Encoding::for_label(label).ok());
    encoding.unwrap_or(textcodec::WINDOWS_1252)
}
";

/// The same as [`FOR_LABEL`], for programs without windows-1252.
const FOR_LABEL_OR_UTF_8: &str = "
fn encoding(place: usize) -> textcodec::Encoding {
    let encoding = std::env::args().nth(place).and_then(|label| textcodec::Encoding::for_label(label).ok());
    encoding.unwrap_or(textcodec::UTF_8)
}
";

/// Gets an encoding of encoding_rs by the label in an argument.
const THEIR_FOR_LABEL: &str = "
fn encoding(place: usize) -> &'static encoding_rs::Encoding {
    let label = std::env::args().nth(place);
    let encoding = label.and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes()));
    encoding.unwrap_or(encoding_rs::WINDOWS_1252)
}
";

/// Decodes and encodes with textcodec: by way of UTF-16 if there is a third argument, otherwise by way of UTF-8.
const RECODE: &str = "
use textcodec::{DecoderErrorMode, EncoderErrorMode};

fn convert(source: Vec<u8>) -> Vec<u8> {
    let (mut decoder, mut encoder) = (encoding(1).new_decoder(), encoding(2).new_encoder());
    let mut bytes = Vec::new();
    if std::env::args().nth(3).is_some() {
        let mut text = vec![0; decoder.max_utf16_length(source.len()).unwrap_or(0)];
        let result = decoder.decode_to_utf16(&source, &mut text, true, DecoderErrorMode::Replacement);
        text.truncate(result.written);
        bytes.resize(encoder.max_length_from_utf16(text.len(), EncoderErrorMode::Html).unwrap_or(0), 0);
        let result = encoder.encode_from_utf16(&text, &mut bytes, true, EncoderErrorMode::Html);
        bytes.truncate(result.written);
    } else {
        let mut text = String::new();
        let _ = decoder.decode_to_string(&source, &mut text, true, DecoderErrorMode::Replacement);
        let _ = encoder.encode_to_vec(&text, &mut bytes, true, EncoderErrorMode::Html);
    }
    bytes
}
";

/// Decodes and encodes with encoding_rs.
const THEIR_RECODE: &str = "
fn convert(source: Vec<u8>) -> Vec<u8> {
    let (mut decoder, mut encoder) = (encoding(1).new_decoder(), encoding(2).new_encoder());
    let mut bytes = Vec::new();
    if std::env::args().nth(3).is_some() {
        let mut text = vec![0; decoder.max_utf16_buffer_length(source.len()).unwrap_or(0)];
        let (_, _, written, _) = decoder.decode_to_utf16(&source, &mut text, true);
        text.truncate(written);
        let length = encoder.max_buffer_length_from_utf16_if_no_unmappables(text.len());
        bytes.resize(length.unwrap_or(0), 0);
        let (_, _, written, _) = encoder.encode_from_utf16(&text, &mut bytes, true);
        bytes.truncate(written);
    } else {
        let mut text = String::with_capacity(decoder.max_utf8_buffer_length(source.len()).unwrap_or(0));
        let _ = decoder.decode_to_string(&source, &mut text, true);
        bytes.reserve(encoder.max_buffer_length_from_utf8_if_no_unmappables(text.len()).unwrap_or(0));
        let _ = encoder.encode_from_utf8_to_vec(&text, &mut bytes, true);
    }
    bytes
}
";

/// The default features of the umbrella package without `vectors`.
const WITHOUT_VECTORS: &str = r#""std", "single-byte", "cjk-chinese", "cjk-japanese", "cjk-korean", "sniff""#;

/// A row of the table.
struct Row {
    title: &'static str,
    ours: Source,
    /// `None` if the cell has no program of its own.
    theirs: Option<Source>,
    /// The output of the programs for [`INPUT`].
    output: &'static str,
    /// The greatest size of our program, in KB of 1000 bytes: the goal of the row if it is met, otherwise the size that was reached,
    /// rounded up to the next 5 KB. Only a commit that says why raises a ceiling.
    ceiling: Option<u64>,
}

/// A program, without the part that all programs share.
struct Source {
    /// The packages that the program depends on, and their folders in the project; `None` for packages from the
    /// registry.
    dependencies: Vec<(&'static str, Option<&'static str>)>,
    /// The features of the packages in the project in place of the default features; `None` for the default features.
    features: Option<&'static str>,
    code: String,
}

impl Source {
    /// A program with the umbrella package. `code` takes its encoding from `encoding`.
    fn ours(code: &str, encoding: &str) -> Self {
        let dependencies = vec![("textcodec", Some("crates/textcodec"))];
        Source { dependencies, features: None, code: code.replace("$encoding", encoding) }
    }

    /// This program with `features` in place of the default features.
    fn with_features(self, features: &'static str) -> Self {
        Source { features: Some(features), ..self }
    }

    fn theirs(code: &str, encoding: &str) -> Option<Self> {
        let dependencies = vec![("encoding_rs", None)];
        Some(Source { dependencies, features: None, code: code.replace("$encoding", encoding) })
    }

    /// The manifest of the program's package `name`. `features` are the features that the program enables in packages
    /// from the registry.
    fn manifest(&self, root: &Path, name: &str, features: &str) -> String {
        let mut manifest = MANIFEST.replace("$name", name);
        for (name, path) in &self.dependencies {
            let source = match path {
                Some(path) => {
                    let path = format!("path = {:?}", root.join(path).display().to_string());
                    match self.features {
                        Some(ours) => format!("{path}, default-features = false, features = [{ours}]"),
                        None => path,
                    }
                }
                None => format!("version = \"*\", features = [{features}]"),
            };
            writeln!(manifest, "{name} = {{ {source} }}").expect("a String takes everything");
        }
        manifest
    }
}

fn rows() -> Vec<Row> {
    let without_umbrella = Source {
        dependencies: vec![
            ("textcodec-core", Some("crates/core")),
            ("textcodec-single-byte", Some("crates/single-byte")),
        ],
        features: None,
        code: DECODE_WITH_FAMILY.replace("$encoding", "textcodec_single_byte::WINDOWS_1252"),
    };
    let label = || Source::ours(&format!("{FOR_LABEL}{DECODE}"), "encoding(1)");
    let family = |title, features, output| Row {
        title,
        ours: Source::ours(&format!("{FOR_LABEL_OR_UTF_8}{DECODE}"), "encoding(1)").with_features(features),
        theirs: None,
        output,
        ceiling: None,
    };
    vec![
        Row {
            title: "UTF-8",
            ours: Source::ours(DECODE, "textcodec::UTF_8"),
            theirs: Source::theirs(THEIR_DECODE, "encoding_rs::UTF_8"),
            output: "caf\u{FFFD}",
            ceiling: Some(30),
        },
        Row {
            title: "windows-1252, of `textcodec-single-byte`",
            ours: without_umbrella,
            theirs: None,
            output: "café",
            ceiling: Some(12),
        },
        Row {
            title: "windows-1252",
            ours: Source::ours(DECODE, "textcodec::WINDOWS_1252"),
            theirs: Source::theirs(THEIR_DECODE, "encoding_rs::WINDOWS_1252"),
            output: "café",
            ceiling: Some(12),
        },
        Row {
            title: "Shift_JIS, decoding",
            ours: Source::ours(DECODE, "textcodec::SHIFT_JIS"),
            theirs: Source::theirs(THEIR_DECODE, "encoding_rs::SHIFT_JIS"),
            output: "caf\u{FFFD}",
            ceiling: Some(55),
        },
        Row {
            title: "Shift_JIS, decoding and encoding",
            ours: Source::ours(BOTH_WAYS, "textcodec::SHIFT_JIS"),
            theirs: None,
            output: "caf&#65533;",
            ceiling: Some(135),
        },
        family("any label of UTF-8 and single bytes, decoding", "\"std\", \"vectors\", \"single-byte\"", "café"),
        family("any label of UTF-8 and Chinese, decoding", "\"std\", \"vectors\", \"cjk-chinese\"", "caf\u{FFFD}"),
        family("any label of UTF-8 and Japanese, decoding", "\"std\", \"vectors\", \"cjk-japanese\"", "caf\u{FFFD}"),
        family("any label of UTF-8 and Korean, decoding", "\"std\", \"vectors\", \"cjk-korean\"", "caf\u{FFFD}"),
        family("any label of UTF-8 and UTF-16, decoding", "\"std\", \"vectors\", \"utf16\"", "caf\u{FFFD}"),
        Row {
            title: "any label, decoding, without `vectors`",
            ours: label().with_features(WITHOUT_VECTORS),
            theirs: None,
            output: "café",
            ceiling: Some(195),
        },
        Row {
            title: "any label, decoding",
            ours: label(),
            theirs: Source::theirs(&format!("{THEIR_FOR_LABEL}{THEIR_DECODE}"), "encoding(1)"),
            output: "café",
            ceiling: Some(265),
        },
        Row {
            title: "any label, decoding and encoding",
            ours: Source::ours(&format!("{FOR_LABEL}{RECODE}"), ""),
            theirs: Source::theirs(&format!("{THEIR_FOR_LABEL}{THEIR_RECODE}"), ""),
            output: "café",
            ceiling: Some(415),
        },
    ]
}

/// Builds all programs and prints the table; with `write` the table is put into the README, too.
pub(crate) fn measure(root: &Path, write: bool) -> Result<()> {
    let nothing = size(&build(root, "nothing", &nothing_added(), "")?, INPUT)?;

    let mut table = Vec::new();
    for (number, row) in rows().iter().enumerate() {
        let added = |peer: &str, source: &Source, features: &str| {
            let program = build(root, &format!("{peer}-program-{number}"), source, features)?;
            Ok(size(&program, row.output.as_bytes())?.saturating_sub(nothing))
        };
        // encoding_rs may not have been downloaded yet.
        let theirs = |peer, features| {
            let added: Result<u64> = added(peer, row.theirs.as_ref()?, features);
            added.inspect_err(|error| eprintln!("{error:#}")).ok()
        };
        let ours = added("textcodec", &row.ours, "")?;
        let fast = "\"fast-legacy-encode\"";
        table.push((row.title, [Some(ours), theirs("encoding_rs", ""), theirs("encoding_rs-with-features", fast)]));
    }
    let table = render(&table);
    print!("{table}");

    if write {
        let readme = put(&files::read(root, README)?, &table)
            .with_context(|| format!("{README} lacks the lines {} and {}", MARKERS.0.trim_end(), MARKERS.1))?;
        files::ensure_file_contents(&root.join(README), &readme, false)?;
    }
    Ok(())
}

/// The program that the others are compared with.
fn nothing_added() -> Source {
    Source { dependencies: vec![], features: None, code: NOTHING.to_owned() }
}

/// Builds our programs. It is an error if one of them is larger than its ceiling.
pub(crate) fn check(root: &Path) -> Result<()> {
    let nothing = size(&build(root, "nothing", &nothing_added(), "")?, INPUT)?;
    let mut too_large = Vec::new();
    for (number, row) in rows().iter().enumerate() {
        let Some(ceiling) = row.ceiling else { continue };
        let program = build(root, &format!("textcodec-program-{number}"), &row.ours, "")?;
        let added = size(&program, row.output.as_bytes())?.saturating_sub(nothing);
        if added > 1000 * ceiling {
            too_large.push(format!("{}: {added} bytes, at most {ceiling} KB are allowed", row.title));
        }
    }
    ensure!(too_large.is_empty(), "programs are too large:\n{}", too_large.join("\n"));
    Ok(())
}

/// Builds the program `name` and returns the path of the executable.
fn build(root: &Path, name: &str, source: &Source, features: &str) -> Result<PathBuf> {
    let folder = root.join(FOLDER).join(name);
    let write = |path: &str, text: &str| files::ensure_file_contents(&folder.join(path), text, false);
    write("Cargo.toml", &source.manifest(root, name, features))?;
    // The lock file of the project pins the versions. Cargo removes the packages that the program does not need.
    write("Cargo.lock", &files::read(root, "Cargo.lock")?)?;
    write("src/main.rs", &format!("{MAIN}{}", source.code))?;

    let target = root.join(FOLDER).join("target");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--release", "--offline", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        // Only these flags: they make the paths in panic messages independent of the project's folder.
        .env("CARGO_ENCODED_RUSTFLAGS", format!("--remap-path-prefix={}=.", root.display()))
        .env_remove("CARGO_BUILD_TARGET")
        .current_dir(root)
        .status()
        .context("cannot run cargo build")?;
    ensure!(status.success(), "cannot build the program {name}");

    Ok(target.join("release").join(format!("{name}{}", env::consts::EXE_SUFFIX)))
}

/// The size of the executable `program` in bytes. It is an error if the program does not write `output` for any of the
/// arguments.
fn size(program: &Path, output: &[u8]) -> Result<u64> {
    for arguments in [&["windows-1252", "utf-8"][..], &["windows-1252", "utf-8", "by way of UTF-16"]] {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run {}", program.display()))?;
        child.stdin.take().context("the program has no input")?.write_all(INPUT)?;
        let written = child.wait_with_output()?.stdout;
        ensure!(written == output, "{} wrote {}", program.display(), written.escape_ascii());
    }
    Ok(fs::metadata(program)?.len())
}

/// The table in Markdown.
fn render(rows: &[(&str, [Option<u64>; 3])]) -> String {
    let mut table = format!("| KB added by | {} |\n| --- |{}\n", COLUMNS.join(" | "), " ---: |".repeat(COLUMNS.len()));
    for (title, sizes) in rows {
        let sizes: Vec<String> = sizes
            .iter()
            .map(|size| size.map_or("–".to_owned(), |size| format!("{:.1}", size as f64 / 1000.0)))
            .collect();
        writeln!(table, "| {title} | {} |", sizes.join(" | ")).expect("a String takes everything");
    }
    table
}

/// `text` with `table` between the markers; `None` if the markers are missing.
fn put(text: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(MARKERS.0)?;
    let (_, after) = rest.split_once(MARKERS.1)?;
    Some([before, MARKERS.0, table, MARKERS.1, after].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_goes_between_the_markers_and_replaces_the_last_one() {
        let empty = "a\n<!-- sizes -->\n<!-- /sizes -->\nb\n";
        let written = put(empty, "| 1 |\n").unwrap();
        assert_eq!(written, "a\n<!-- sizes -->\n| 1 |\n<!-- /sizes -->\nb\n");
        assert_eq!(put(&written, "").unwrap(), empty);
    }

    #[test]
    fn without_markers_there_is_no_place() {
        assert_eq!(put("", "table"), None);
        assert_eq!(put("<!-- /sizes --> <!-- sizes -->\n", "table"), None);
    }

    #[test]
    fn sizes_are_in_thousands_and_what_is_not_known_is_a_dash() {
        let table = render(&[("one", [Some(15_960), None, Some(0)])]);
        let [_, line, row] = table.lines().collect::<Vec<_>>()[..] else { panic!("{table}") };
        assert_eq!(row, "| one | 16.0 | – | 0.0 |");
        assert_eq!(line, "| --- | ---: | ---: | ---: |");
    }

    #[test]
    fn a_manifest_names_the_project_s_packages_by_path() {
        let manifest = Source::ours("", "").manifest(Path::new("/project"), "program", "");
        assert!(manifest.ends_with("\ntextcodec = { path = \"/project/crates/textcodec\" }\n"), "{manifest}");
        let manifest = Source::theirs("", "").unwrap().manifest(Path::new("/project"), "program", "\"fast\"");
        assert!(manifest.ends_with("\nencoding_rs = { version = \"*\", features = [\"fast\"] }\n"), "{manifest}");
    }
}
