//! The names of the charsets, each in the namespace of those who use it, and code page numbers.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context, Result, ensure};

use super::{
    FOLDER,
    mapping::{Row, SOURCES},
    sources,
};
use crate::files;

/// The namespaces, in the order of the variants of `Names` in `crates/charsets`.
pub(super) const NAMESPACES: [&str; 4] = ["glibc", "iana", "python", "java"];
/// The columns of `names.tsv` and `more-names.tsv`.
const HEAD: [&str; 3] = ["charset", "namespace", "name"];
/// The columns of `code-pages.tsv`.
const CODE_PAGES: [&str; 2] = ["code page", "charset"];

/// A name of a charset.
pub(super) struct Name {
    /// The number of the charset.
    pub(super) charset: usize,
    /// The number of the namespace.
    pub(super) namespace: usize,
    pub(super) name: String,
}

/// The names of all charsets, and the charsets of code pages.
pub(super) struct Names {
    /// In the order of the files: the first name of a charset in a namespace is the preferred one.
    pub(super) names: Vec<Name>,
    /// Code page numbers in ascending order, with the numbers of charsets.
    pub(super) code_pages: Vec<(u16, usize)>,
}

/// Reads the names. A name must be unique in its namespace, without regard to case.
pub(super) fn read(root: &Path, rows: &[&Row]) -> Result<Names> {
    let number = |name: &str| rows.iter().position(|row| row.name == name);
    let mut names = Vec::new();
    let mut known: BTreeMap<(usize, String), usize> = BTreeMap::new();
    for file in ["names.tsv", "more-names.tsv"] {
        let path = format!("{FOLDER}/{file}");
        for [charset, namespace, name] in files::rows(root, &path, &HEAD)? {
            let charset = number(&charset).with_context(|| format!("{path}: {charset} is no charset"))?;
            let namespace = NAMESPACES.iter().position(|known| *known == namespace);
            let namespace = namespace.with_context(|| format!("{path}: {name} is in no namespace"))?;
            let is_ascii = name.bytes().all(|byte| byte.is_ascii_graphic());
            ensure!(is_ascii && name.len() < 64, "{path}: {name:?} is no name");
            let before = known.insert((namespace, name.to_ascii_uppercase()), charset);
            ensure!(before.is_none(), "{path}: {name} is in {} twice", NAMESPACES[namespace]);
            names.push(Name { charset, namespace, name });
        }
    }
    let mut code_pages = Vec::new();
    let path = format!("{FOLDER}/code-pages.tsv");
    for [code_page, charset] in files::rows(root, &path, &CODE_PAGES)? {
        let code_page = code_page.parse().with_context(|| format!("{path}: {code_page} is no number"))?;
        code_pages.push((code_page, number(&charset).with_context(|| format!("{path}: {charset} is no charset"))?));
    }
    ensure!(code_pages.is_sorted_by(|first, second| first.0 < second.0), "{path}: the numbers do not ascend");
    Ok(Names { names, code_pages })
}

/// Writes `names.tsv` with the names that the sources have for the charsets of `rows`.
pub(super) fn derive(root: &Path, rows: &[&Row]) -> Result<()> {
    let all = |source: usize| -> Vec<&str> {
        let mut names: Vec<&str> = rows.iter().filter_map(|row| row.names[source].as_deref()).collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    let source = |title: &str| SOURCES.iter().position(|source| *source == title).expect("it is a source");
    let (python, java) = (source("python"), source("java"));
    let by_namespace = [
        (source("glibc"), sources::glibc_names()?),
        (source("icu"), sources::icu_iana_names()?),
        (python, sources::aliases("python", &all(python))?),
        (java, sources::aliases("java", &all(java))?),
    ];
    let mut lines = Vec::new();
    for row in rows {
        for (namespace, (source, names)) in NAMESPACES.iter().zip(&by_namespace) {
            let names = row.names[*source].as_ref().and_then(|name| names.get(name));
            for name in names.into_iter().flatten() {
                lines.push([row.name.as_str(), namespace, name]);
            }
        }
    }
    // Several charsets can have one name in a source, and the first of them gets its names: ICU has one converter for
    // ISO-8859-13 and IBM921.
    let mut taken = Vec::new();
    lines.retain(|[_, namespace, name]| {
        let key = (*namespace, name.to_ascii_uppercase());
        let is_new = !taken.contains(&key);
        taken.push(key);
        is_new
    });
    let text = files::tab_separated(&HEAD, lines.into_iter().map(Vec::from));
    files::ensure_file_contents(&root.join(format!("{FOLDER}/names.tsv")), &text, false)?;
    Ok(())
}
