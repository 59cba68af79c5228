//! Measures how many bytes the encodings add to a program: small programs in release builds, beside the same programs
//! with encoding_rs.

use std::{fmt::Write as _, path::Path};

use anyhow::{Result, ensure};

use crate::files;

mod build;
mod page;
mod programs;

use build::{INPUT, Platform, Source};
use programs::{
    BOTH_WAYS, CHARSET_ALONE, CHARSETS, DECODE, DECODE_WITH_FAMILY, FOR_LABEL, FOR_LABEL_OR_UTF_8, NOTHING, RECODE,
    THEIR_DECODE, THEIR_FOR_LABEL, THEIR_RECODE,
};

/// The file with the table, and the lines before and after the table.
const PAGE: &str = "docs/sizes.md";
const MARKERS: (&str, &str) = ("<!-- sizes -->\n", "<!-- /sizes -->");

/// The titles of the columns.
const COLUMNS: [&str; 3] = ["textcodec", "encoding_rs", "encoding_rs, `fast-legacy-encode`"];

/// The features of encoding_rs in each of its columns, and a name for them.
const THEIR_FEATURES: [(&str, &str); 2] =
    [("encoding_rs", ""), ("encoding_rs-with-features", "\"fast-legacy-encode\"")];

/// The default features of the umbrella package without `vectors`.
const WITHOUT_VECTORS: &str = r#""std", "encode", "single-byte", "cjk-chinese", "cjk-japanese", "cjk-korean", "sniff""#;

/// The titles of the rows that [`check`] leaves out unless it is asked for all: each compiles packages with features of
/// its own, and seldom grows alone.
const LEFT_OUT: [&str; 10] = [
    "any label of UTF-8 and single bytes, decoding",
    "any label of UTF-8 and Chinese, decoding",
    "any label of UTF-8 and Japanese, decoding",
    "any label of UTF-8 and Korean, decoding",
    "any label of UTF-8 and UTF-16, decoding",
    "any label, decoding, without `vectors`",
    "any label, decoding, with `textcodec-encoding-rs`",
    "any label, decoding, for wasm32",
    "charsets: all families but those of pairs of bytes",
    "charsets: IBM850 alone",
];

/// A row of the table.
struct Row {
    title: &'static str,
    platform: Platform,
    ours: Source,
    /// The code of the same program with encoding_rs; `None` if the cell has no program of its own.
    theirs: Option<String>,
    /// The output of the programs for [`INPUT`].
    output: &'static str,
    /// The greatest size of our program, in KB of 1000 bytes: the goal of the row if it is met, otherwise the size that
    /// was reached, rounded up to the next 5 KB. Only a commit that says why raises a ceiling.
    ceiling: u64,
}

/// A row about the umbrella package with its default features.
fn row(title: &'static str, ours: &str, theirs: Option<&str>, output: &'static str, ceiling: u64) -> Row {
    let theirs = theirs.map(str::to_owned);
    Row { title, platform: Platform::Native, ours: umbrella(None, ours), theirs, output, ceiling }
}

impl Row {
    /// This row, with `features` instead of the default features.
    fn with_features(self, features: &str) -> Self {
        Row { ours: umbrella(Some(features), &self.ours.code), ..self }
    }

    /// This row, for wasm32.
    fn for_wasm32(self) -> Self {
        Row { platform: Platform::Wasm32, ..self }
    }
}

/// A row in which both programs are the same, with textcodec under the name of encoding_rs in ours.
fn through_their_interface(title: &'static str, code: &str, ceiling: u64) -> Row {
    let ours = Source::renamed("textcodec-encoding-rs", "crates/encoding-rs", code);
    Row { title, platform: Platform::Native, ours, theirs: Some(code.to_owned()), output: "café", ceiling }
}

/// A program that depends on the umbrella package.
fn umbrella(features: Option<&str>, code: &str) -> Source {
    Source::ours(&[("textcodec", "crates/textcodec")], features, code)
}

fn rows() -> Vec<Row> {
    let constant = |code: &str, encoding: &str| code.replace("$encoding", encoding);
    let label = constant(&format!("{FOR_LABEL}{DECODE}"), "encoding(1)");
    let their_label = constant(&format!("{THEIR_FOR_LABEL}{THEIR_DECODE}"), "encoding(1)");
    let both_ways = (&*format!("{FOR_LABEL}{RECODE}"), Some(&*format!("{THEIR_FOR_LABEL}{THEIR_RECODE}")));
    let utf_8 = (&*constant(DECODE, "textcodec::UTF_8"), Some(&*constant(THEIR_DECODE, "encoding_rs::UTF_8")));
    let family = |title, features, output, ceiling| {
        let code = constant(&format!("{FOR_LABEL_OR_UTF_8}{DECODE}"), "encoding(1)");
        row(title, &code, None, output, ceiling).with_features(features)
    };
    let without_umbrella = Source::ours(
        &[("textcodec-core", "crates/core"), ("textcodec-single-byte", "crates/single-byte")],
        None,
        &constant(DECODE_WITH_FAMILY, "textcodec_single_byte::WINDOWS_1252"),
    );
    let charsets = |title, features, name, output, ceiling| Row {
        title,
        platform: Platform::Native,
        ours: Source::ours(
            &[("textcodec-charsets", "crates/charsets")],
            Some(features),
            &CHARSETS.replace("$name", name),
        ),
        theirs: None,
        output,
        ceiling,
    };
    vec![
        row("UTF-8", utf_8.0, utf_8.1, "caf\u{FFFD}", 14),
        Row {
            title: "windows-1252, of `textcodec-single-byte`",
            platform: Platform::Native,
            ours: without_umbrella,
            theirs: None,
            output: "café",
            ceiling: 12,
        },
        row(
            "windows-1252",
            &constant(DECODE, "textcodec::WINDOWS_1252"),
            Some(&constant(THEIR_DECODE, "encoding_rs::WINDOWS_1252")),
            "café",
            12,
        ),
        row(
            "Shift_JIS, decoding",
            &constant(DECODE, "textcodec::SHIFT_JIS"),
            Some(&constant(THEIR_DECODE, "encoding_rs::SHIFT_JIS")),
            "caf\u{FFFD}",
            60,
        ),
        row("Shift_JIS, decoding and encoding", &constant(BOTH_WAYS, "textcodec::SHIFT_JIS"), None, "caf&#65533;", 115),
        family("any label of UTF-8 and single bytes, decoding", r#""std", "vectors", "single-byte""#, "café", 80),
        family("any label of UTF-8 and Chinese, decoding", r#""std", "vectors", "cjk-chinese""#, "caf\u{FFFD}", 155),
        family("any label of UTF-8 and Japanese, decoding", r#""std", "vectors", "cjk-japanese""#, "caf\u{FFFD}", 118),
        family("any label of UTF-8 and Korean, decoding", r#""std", "vectors", "cjk-korean""#, "caf\u{FFFD}", 105),
        family("any label of UTF-8 and UTF-16, decoding", r#""std", "vectors", "utf16""#, "caf\u{FFFD}", 60),
        row("any label, decoding, without `vectors`", &label, None, "café", 176).with_features(WITHOUT_VECTORS),
        row("any label, decoding", &label, Some(&their_label), "café", 242),
        row("any label, decoding and encoding", both_ways.0, both_ways.1, "café", 406),
        row("any label, decoding and encoding, with `sse41`", both_ways.0, None, "café", 474)
            .with_features(r#""default", "sse41""#),
        through_their_interface("any label, decoding, with `textcodec-encoding-rs`", &their_label, 252),
        through_their_interface(
            "any label, decoding and encoding, with `textcodec-encoding-rs`",
            &format!("{THEIR_FOR_LABEL}{THEIR_RECODE}"),
            420,
        ),
        row("UTF-8, for wasm32", utf_8.0, utf_8.1, "caf\u{FFFD}", 20).for_wasm32(),
        row("any label, decoding, for wasm32", &label, Some(&their_label), "café", 170).for_wasm32(),
        row("any label, decoding and encoding, for wasm32", both_ways.0, both_ways.1, "café", 302).for_wasm32(),
        charsets(
            "charsets: `dos`, `ebcdic`, `iso`, `mac`",
            r#""default", "dos", "ebcdic", "iso", "mac""#,
            "IBM437",
            "cafΘ",
            126,
        ),
        charsets(
            "charsets: all families but those of pairs of bytes",
            r#""default", "dos", "ebcdic", "iso", "mac", "unicode", "regional", "libraries", "telematic", "others""#,
            "IBM437",
            "cafΘ",
            381,
        ),
        // With the tables of the Standard that charsets of pairs differ from.
        charsets("charsets: all families", r#""default", "all""#, "IBM437", "café", 1331),
        Row {
            title: "charsets: IBM850 alone",
            platform: Platform::Native,
            ours: Source::ours(
                &[("textcodec-charsets", "crates/charsets")],
                Some(r#""default", "dos", "ebcdic""#),
                CHARSET_ALONE,
            ),
            theirs: None,
            output: "cafÚ",
            ceiling: 55,
        },
    ]
}

/// The sizes of the programs that add nothing, for each platform.
struct Nothing {
    native: u64,
    /// `None` if the standard library of wasm32 is not installed.
    wasm32: Option<u64>,
}

impl Nothing {
    fn measure() -> Result<Self> {
        let size = |platform, name| build::size(platform, name, &Source::alone(NOTHING), INPUT);
        let wasm32 = Platform::Wasm32;
        Ok(Nothing {
            native: size(Platform::Native, "nothing")?,
            wasm32: if wasm32.is_installed() { Some(size(wasm32, "nothing-for-wasm32")?) } else { None },
        })
    }

    /// How many bytes `source` adds; `None` if its platform is not installed.
    fn added(&self, platform: Platform, name: &str, source: &Source, output: &str) -> Result<Option<u64>> {
        let nothing = match platform {
            Platform::Native => self.native,
            Platform::Wasm32 => match self.wasm32 {
                Some(nothing) => nothing,
                None => return Ok(None),
            },
        };
        Ok(Some(build::size(platform, name, source, output.as_bytes())?.saturating_sub(nothing)))
    }

    /// Prints which sizes are not known.
    fn print_missing(&self) {
        if self.wasm32.is_none() {
            println!(
                "Not checked: sizes for wasm32. `rustup target add wasm32-unknown-unknown` installs its standard library."
            );
        }
    }
}

/// Builds all programs and prints the table. With `write` the table is put into `docs/sizes.md`, and the sizes of the
/// guide's examples into the guide.
pub(crate) fn measure(root: &Path, write: bool) -> Result<()> {
    let nothing = Nothing::measure()?;
    let mut table = Vec::new();
    for (number, row) in rows().iter().enumerate() {
        let added = |name: &str, source: &Source| nothing.added(row.platform, name, source, row.output);
        let mut sizes = vec![added(&format!("textcodec-program-{number}"), &row.ours)?];
        for (peer, features) in THEIR_FEATURES {
            // encoding_rs may not have been downloaded yet.
            sizes.push(row.theirs.as_ref().and_then(|code| {
                added(&format!("{peer}-program-{number}"), &Source::theirs(features, code))
                    .inspect_err(|error| eprintln!("{error:#}"))
                    .ok()?
            }));
        }
        table.push((row.title, sizes));
    }
    let table = render(&table);
    print!("{table}");

    let guide = files::read(root, page::PAGE)?;
    let sizes = added_by_guide(&nothing, &guide)?;
    println!("\n{}:", page::PAGE);
    for (choice, size) in page::CHOICES.iter().zip(&sizes) {
        println!("{:7.1} KB  {}", *size as f64 / 1000.0, choice.title);
    }
    nothing.print_missing();

    if write {
        ensure!(nothing.wasm32.is_some(), "nothing is written, because the rows for wasm32 are missing");
        files::put(root, PAGE, MARKERS, &table)?;
        files::ensure_file_contents(&root.join(page::PAGE), &page::put(&guide, &sizes)?, false)?;
    }
    Ok(())
}

/// Builds our programs, without the guide's and those of [`LEFT_OUT`] unless `all` is set. It is an error if one of
/// them is larger than its ceiling.
pub(crate) fn check(root: &Path, all: bool) -> Result<()> {
    let nothing = Nothing::measure()?;
    let mut sizes = Vec::new();
    for (number, row) in rows().iter().enumerate().filter(|(_, row)| all || !LEFT_OUT.contains(&row.title)) {
        let added = nothing.added(row.platform, &format!("textcodec-program-{number}"), &row.ours, row.output)?;
        sizes.extend(added.map(|added| (row.title, added, row.ceiling)));
    }
    if all {
        let guide = added_by_guide(&nothing, &files::read(root, page::PAGE)?)?;
        sizes.extend(page::CHOICES.iter().zip(guide).map(|(choice, added)| (choice.title, added, choice.ceiling)));
    }
    nothing.print_missing();

    let too_large = too_large(&sizes);
    ensure!(too_large.is_empty(), "programs are too large:\n{}", too_large.join("\n"));
    Ok(())
}

/// A sentence for each program that adds more bytes than its ceiling allows: title, bytes, and ceiling in KB.
fn too_large(sizes: &[(&str, u64, u64)]) -> Vec<String> {
    let too_large = sizes.iter().filter(|(_, added, ceiling)| *added > 1000 * ceiling);
    too_large
        .map(|(title, added, ceiling)| format!("{title}: {added} bytes, at most {ceiling} KB are allowed"))
        .collect()
}

/// How many bytes each example of the guide's page adds.
fn added_by_guide(nothing: &Nothing, guide: &str) -> Result<Vec<u64>> {
    let mut sizes = Vec::new();
    for (number, (source, choice)) in page::programs(guide)?.iter().zip(&page::CHOICES).enumerate() {
        let added = nothing.added(Platform::Native, &format!("guide-program-{number}"), source, choice.output)?;
        sizes.extend(added);
    }
    Ok(sizes)
}

/// The table in Markdown.
fn render(rows: &[(&str, Vec<Option<u64>>)]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_in_thousands_and_what_is_not_known_is_a_dash() {
        let table = render(&[("one", vec![Some(15_960), None, Some(0)])]);
        let [_, line, row] = table.lines().collect::<Vec<_>>()[..] else { panic!("{table}") };
        assert_eq!(row, "| one | 16.0 | – | 0.0 |");
        assert_eq!(line, "| --- | ---: | ---: | ---: |");
    }

    #[test]
    fn a_program_above_its_ceiling_is_reported_and_a_program_at_its_ceiling_is_not() {
        let reported = too_large(&[("small", 12_000, 12), ("large", 12_001, 12)]);
        assert_eq!(reported, ["large: 12001 bytes, at most 12 KB are allowed"]);
    }

    #[test]
    fn every_row_has_a_name_of_its_own() {
        let mut titles: Vec<&str> = rows().iter().map(|row| row.title).collect();
        titles.sort_unstable();
        titles.dedup();
        assert_eq!(titles.len(), rows().len());
        assert!(LEFT_OUT.iter().all(|title| titles.contains(title)));
    }
}
