//! Decides what each byte means: the source that `charsets.tsv` names decides, unless `decisions.tsv` says otherwise.
//!
//! `cargo xtask derive-charsets --libiconv PROGRAM` takes four minutes of processor time on Debian 12 with the packages
//! libc-bin, locales, python3, perl, icu-devtools, openjdk-17-jre-headless, yaz and libmarc-charset-perl, and with
//! PyPI's pymarc 5.4, and reproduces every file. `PROGRAM` reads standard input, writes standard output, takes `-f` and
//! `-t`, and reports the first malformed byte with a message that ends in "position N". About twenty lines of C around
//! `iconv_open` and `iconv` do, compiled with `deps/libiconv/lib/iconv.c` and `support/localcharset.c` of the npm
//! package iconv 3.0.1, with `support` in the include path and the macros `ICONV_CONST=const` and `ENABLE_EXTRA=1`. A
//! name that is added to the generated `names.tsv` by hand is lost with the next run: its place is `more-names.tsv`.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};

use super::{
    FOLDER, compositions,
    mapping::{self, BYTES, Mapping, SOURCES, Table},
    names, sources,
};
use crate::files;

/// Where the sources are that are not found by their usual names.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// A program that takes the options -f and -t of iconv(1) and is linked with GNU libiconv with its extra encodings.
    /// The npm package iconv brings the source of GNU libiconv.
    #[arg(long)]
    pub(super) libiconv: PathBuf,
    /// Derives the charsets of pairs of bytes only.
    #[arg(long)]
    pairs: bool,
    /// Derives EACC, the East Asian set of MARC-8, only.
    #[arg(long)]
    eacc: bool,
}

/// The columns of `decisions.tsv`.
const DECISIONS: [&str; 4] = ["charset", "byte", "code point", "reason"];
/// The columns of `disagreements.tsv`.
pub(super) const DISAGREEMENTS: [&str; 5] = ["charset", "byte", "code point", "source", "the source's code point"];

/// Reads all sources, and writes the mapping files, the disagreements and the names.
pub(crate) fn derive_charsets(root: &Path, options: &Options) -> Result<()> {
    if options.pairs {
        return super::east_asian::derive(root);
    }
    if options.eacc {
        return super::east_asian::derive_eacc(root);
    }
    let rows = mapping::read_rows(root)?;
    let tables = sources::tables(&rows, options)?;
    let mut decisions = read_decisions(root)?;

    let (mut mappings, mut disagreements) = (Vec::new(), Vec::new());
    for row in rows {
        let witnesses: Vec<(usize, Table)> =
            row.witnesses().map(|(source, name)| (source, tables[source][name])).collect();
        let decides = row.decides;
        let mut table = witnesses.iter().find(|(source, _)| *source == decides).context("nobody decides")?.1;
        for (byte, code_point) in decisions.remove(&row.name).unwrap_or_default() {
            ensure!(table[byte] != code_point, "{}: the decision about {byte:02X} changes nothing", row.name);
            table[byte] = code_point;
        }
        for byte in 0..BYTES {
            for (source, other) in &witnesses {
                if other[byte] != table[byte] {
                    let fields = [
                        row.name.clone(),
                        format!("{byte:02X}"),
                        hex(table[byte]),
                        SOURCES[*source].to_owned(),
                        hex(other[byte]),
                    ];
                    disagreements.push(fields);
                }
            }
        }
        let decode_only = decode_only(&table, row.names[0].as_deref())?;
        mappings.push(Mapping { row, table, decode_only });
    }
    ensure!(decisions.is_empty(), "decisions about unknown charsets: {:?}", decisions.keys());
    mapping::write_all(root, &mappings)?;
    let lines = disagreements.iter().map(|fields| fields.iter().map(String::as_str).collect());
    let text = files::tab_separated(&DISAGREEMENTS, lines);
    files::ensure_file_contents(&root.join(format!("{FOLDER}/disagreements.tsv")), &text, false)?;
    let codecs = mapping::read_codecs(root)?;
    // Codecs come first: glibc's name of a charset that composes leads to the codec, and not to the table.
    let rows = codecs.iter().map(|codec| &codec.row).chain(mappings.iter().map(|mapping| &mapping.row));
    names::derive(root, &rows.collect::<Vec<_>>())?;
    compositions::derive(root, &mappings)?;
    super::east_asian::derive(root)?;
    super::east_asian::derive_eacc(root)?;
    println!("{} charsets, {} disagreements", mappings.len(), disagreements.len());
    Ok(())
}

/// A code point in hex, or `-`.
fn hex(code_point: Option<u32>) -> String {
    code_point.map_or("-".to_owned(), |code_point| format!("{code_point:04X}"))
}

/// The decisions by charset: bytes and their code points.
type Decisions = BTreeMap<String, Vec<(usize, Option<u32>)>>;

fn read_decisions(root: &Path) -> Result<Decisions> {
    let mut decisions = Decisions::new();
    for [charset, byte, code_point, _] in files::rows(root, &format!("{FOLDER}/decisions.tsv"), &DECISIONS)? {
        let code_point = if code_point == "-" { None } else { Some(u32::from_str_radix(&code_point, 16)?) };
        decisions.entry(charset).or_default().push((usize::from_str_radix(&byte, 16)?, code_point));
    }
    Ok(decisions)
}

/// The bytes to which no character is encoded. Where two bytes have one character, it is encoded to the byte that
/// glibc's iconv writes, or else to the lower one.
fn decode_only(table: &Table, glibc: Option<&str>) -> Result<Vec<u8>> {
    let mut bytes: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
    for (byte, code_point) in (0..=u8::MAX).zip(table) {
        if let Some(code_point) = code_point {
            bytes.entry(*code_point).or_default().push(byte);
        }
    }
    let mut decode_only = Vec::new();
    for (code_point, bytes) in bytes.into_iter().filter(|(_, bytes)| bytes.len() > 1) {
        let written = glibc.map(|name| sources::glibc_byte(name, code_point)).transpose()?.flatten();
        let kept = written.filter(|byte| bytes.contains(byte)).unwrap_or(bytes[0]);
        decode_only.extend(bytes.into_iter().filter(|byte| *byte != kept));
    }
    decode_only.sort_unstable();
    Ok(decode_only)
}
