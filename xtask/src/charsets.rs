//! The charsets that the Standard does not have: `cargo xtask derive-charsets` writes their mapping files from
//! independent sources, and `cargo xtask charsets` generates Rust and a document from the mapping files.
//!
//! | file in `indexes/charsets` | contents | written by |
//! | --- | --- | --- |
//! | `charsets.tsv` | each charset, its family, its name in each source, and which source decides | hand |
//! | `codecs.tsv` | charsets that are more than a table, their codecs, their names in each source | hand |
//! | `decisions.tsv` | the bytes at which the deciding source is wrong, with the reason | hand |
//! | `code-pages.tsv`, `more-names.tsv` | code page numbers; names that no source lists | hand |
//! | `missing-names.tsv` | the names of glibc that no charset has, with the reason | hand |
//! | `index-*.txt` | the mappings in the Standard's format | `derive-charsets` |
//! | `fingerprints.csv`, `disagreements.tsv`, `names.tsv` | Identifiers; bytes at which a source differs; names | `derive-charsets` |
//! | `compositions.tsv` | letters and marks that glibc composes while it decodes | `derive-charsets` |
//! | `east-asian` | charsets of pairs of bytes: see `east_asian.rs` | both |

mod compositions;
mod derive;
mod document;
mod east_asian;
mod families;
mod mapping;
mod names;
mod sources;
mod syllables;
mod tables;

use std::path::Path;

use anyhow::Result;

pub(crate) use derive::{Options, derive_charsets};

use crate::files;

/// The command that generates Rust and the document.
pub(crate) const COMMAND: &str = "cargo xtask charsets";
/// The folder of the mapping files.
const FOLDER: &str = "indexes/charsets";

/// Writes the tables of all charsets and the document about them, or with `check` fails if they are out of date.
pub(crate) fn generate(root: &Path, check: bool) -> Result<()> {
    let mappings = mapping::read_all(root)?;
    let codecs = mapping::read_codecs(root)?;
    let rows: Vec<&mapping::Row> =
        mappings.iter().map(|mapping| &mapping.row).chain(codecs.iter().map(|codec| &codec.row)).collect();
    let names = names::read(root, &rows)?;
    let mut files = families::generated_files(root, &mappings, &codecs, &names)?;
    files.push(syllables::generated_file(root)?);
    files::ensure_generated(root, &files, COMMAND, check)?;
    document::generate(root, &mappings, &codecs, &names, check)
}
