//! What the registries show of the packages: the first page, the licence, and the links; and the order in which the
//! packages can be published.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::{
    depcheck::{WORKSPACES, array, metadata, text},
    files,
    links::{REPOSITORY, links},
};

/// The licence of our own code.
const OURS: &str = "Apache-2.0 OR MIT";
/// The licence of packages that contain tables of the Encoding Standard, whose notice is `LICENSE-WHATWG`.
const WITH_TABLES: &str = "(Apache-2.0 OR MIT) AND BSD-3-Clause";
/// The packages whose users install a compiled library or a program, which contains the tables.
const BINARIES: [&str; 7] = [
    "textcodec-capi",
    "textcodec-capi-iconv",
    "textcodec-cli",
    "textcodec-node",
    "textcodec-python",
    "textcodec-wasm",
    "textcodec-wasm-parts",
];
/// The commands that generate tables of the Standard.
const COMMANDS_OF_TABLES: [&str; 2] = ["cargo xtask index", "cargo xtask labels"];
/// The project's site.
const HOMEPAGE: &str = "https://textcodec.github.io/textcodec/";
/// The first pages of the packages of other registries than crates.io.
const OTHER_PAGES: [&str; 3] = ["crates/node/README.md", "crates/python/README.md", "crates/wasm/README.md"];
/// The manifests of the packages of npm.
const NPM: [&str; 2] = ["crates/node/package.json", "crates/wasm/package.json"];
/// The manifests of the packages of PyPI.
const PYPI: [&str; 2] = ["crates/python/pyproject.toml", "crates/pyproject.toml"];

/// Fails if a published package has no page, licence or link that its registry should show, or if the packages cannot
/// be published one after the other.
pub(crate) fn check(root: &Path) -> Result<()> {
    let mut wrong = Vec::new();
    let packages = packages(root)?;
    for package in &packages {
        let name = text(package, "name")?;
        let folder = Path::new(text(package, "manifest_path")?).parent().context("a manifest without a folder")?;
        let licence = if BINARIES.contains(&name) || has_tables(folder)? { WITH_TABLES } else { OURS };
        if package["license"] != licence {
            wrong.push(format!("{name}: license must be \"{licence}\""));
        }
        if package["publish"] == json!([]) {
            continue;
        }
        wrong.extend(missing_facts(package).into_iter().map(|fact| format!("{name}: {fact}")));
        if let Some(readme) = package["readme"].as_str() {
            let page = std::fs::read_to_string(folder.join(readme)).with_context(|| format!("{name}: {readme}"))?;
            wrong.extend(relative_links(&page).map(|link| format!("{name}: {readme} has the relative link {link}")));
        }
    }
    for path in OTHER_PAGES {
        let page = files::read(root, path)?;
        wrong.extend(relative_links(&page).map(|link| format!("{path} has the relative link {link}")));
    }
    for path in NPM {
        let manifest: Value = serde_json::from_str(&files::read(root, path)?).with_context(|| path.to_owned())?;
        let url = format!("git+{REPOSITORY}.git");
        for (fact, value) in [
            ("license", manifest["license"] == WITH_TABLES),
            ("homepage", manifest["homepage"] == HOMEPAGE),
            ("repository.url", manifest["repository"]["url"] == *url),
            ("author", manifest["author"].is_string()),
        ] {
            if !value {
                wrong.push(format!("{path}: {fact} is missing or wrong"));
            }
        }
    }
    for path in PYPI {
        let pyproject = files::read(root, path)?;
        for line in [
            format!("license = \"{WITH_TABLES}\""),
            "[project.urls]".to_owned(),
            format!("Homepage = \"{HOMEPAGE}\""),
            format!("Source = \"{REPOSITORY}\""),
        ] {
            if !pyproject.lines().any(|found| found == line) {
                wrong.push(format!("{path} has no line {line}"));
            }
        }
    }
    if let Err(error) = order(&packages) {
        wrong.push(error.to_string());
    }
    if !wrong.is_empty() {
        bail!("what the registries show:\n  {}", wrong.join("\n  "));
    }
    Ok(())
}

/// The packages of the workspaces in `crates`, as `cargo metadata` describes them.
fn packages(root: &Path) -> Result<Vec<Value>> {
    let mut packages = Vec::new();
    for workspace in WORKSPACES {
        let found = metadata(&root.join(workspace))?;
        let is_in_crates = |package: &&Value| {
            package["manifest_path"].as_str().is_some_and(|path| Path::new(path).starts_with(root.join("crates")))
        };
        packages.extend(array(&found, "packages")?.iter().filter(is_in_crates).cloned());
    }
    Ok(packages)
}

/// Whether the package in `folder` has tables that were generated from the Standard's data.
fn has_tables(folder: &Path) -> Result<bool> {
    for path in files::with_extension(folder, "rs")?.iter().filter(|path| path.contains("generated")) {
        let text = files::read(folder, path)?;
        if COMMANDS_OF_TABLES.iter().any(|command| text.starts_with(&files::generated_by(command))) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A sentence for each fact that crates.io shows and the package does not have.
fn missing_facts(package: &Value) -> Vec<String> {
    let expected = [("homepage", HOMEPAGE), ("repository", REPOSITORY)];
    let mut missing: Vec<String> = expected
        .iter()
        .filter(|(fact, value)| package[fact] != *value)
        .map(|(fact, value)| format!("{fact} must be \"{value}\""))
        .collect();
    for fact in ["readme", "description"] {
        if !package[fact].is_string() {
            missing.push(format!("{fact} is missing"));
        }
    }
    for fact in ["authors", "keywords", "categories"] {
        if package[fact].as_array().is_none_or(Vec::is_empty) {
            missing.push(format!("{fact} is missing"));
        }
    }
    missing
}

/// The links of a page that a registry would resolve against its own address.
fn relative_links(page: &str) -> impl Iterator<Item = &str> {
    links(page).filter(|link| !link.starts_with('#'))
}

/// The names of the published packages, each after those that its registry must have before.
///
/// A development dependency without a version is no such package, because cargo publishes a package without it.
pub(crate) fn order(packages: &[Value]) -> Result<Vec<&str>> {
    let mut waiting = Vec::new();
    for package in packages.iter().filter(|package| package["publish"] != json!([])) {
        let mut needs = Vec::new();
        for dependency in array(package, "dependencies")? {
            if dependency["kind"] != "dev" || text(dependency, "req")? != "*" {
                needs.push(text(dependency, "name")?);
            }
        }
        waiting.push((text(package, "name")?, needs));
    }
    let mut ordered = Vec::new();
    while !waiting.is_empty() {
        let names: Vec<&str> = waiting.iter().map(|(name, _)| *name).collect();
        let (ready, blocked): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|(_, needs)| !needs.iter().any(|need| names.contains(need)));
        if ready.is_empty() {
            bail!("none of these packages can be published before the others: {}", names.join(", "));
        }
        ordered.extend(ready.iter().map(|(name, _)| *name));
        waiting = blocked;
    }
    Ok(ordered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_with_a_relative_link_is_named_and_anchors_are_free() {
        let page = "[a](a.md) [b](#b) [c](https://c.d/e.md) ![f](g.svg)";
        assert_eq!(relative_links(page).collect::<Vec<_>>(), ["a.md", "g.svg"]);
    }

    #[test]
    fn facts_that_a_registry_shows_are_required() {
        let mut package = json!({
            "homepage": HOMEPAGE, "repository": REPOSITORY, "readme": "README.md", "description": "d",
            "authors": ["a"], "keywords": ["k"], "categories": ["c"],
        });
        assert!(missing_facts(&package).is_empty());
        package["readme"] = Value::Null;
        package["authors"] = json!([]);
        package["homepage"] = json!("https://elsewhere.example");
        let missing = missing_facts(&package).join("\n");
        for fact in ["homepage must be", "readme is missing", "authors is missing"] {
            assert!(missing.contains(fact), "{missing}");
        }
    }

    /// A package with one dependency.
    fn package(name: &str, needs: &str, kind: Value, req: &str) -> Value {
        json!({ "name": name, "publish": null, "dependencies": [{ "name": needs, "kind": kind, "req": req }] })
    }

    #[test]
    fn a_package_is_published_after_the_packages_that_it_needs() {
        let face = package("face", "core", Value::Null, "=0.1.0");
        let core = package("core", "phf", Value::Null, "^0.14");
        let unpublished = json!({ "name": "tests", "publish": [], "dependencies": [] });
        assert_eq!(order(&[face.clone(), unpublished, core]).unwrap(), ["core", "face"]);

        // A circle of development dependencies is possible only if one of them has no version.
        assert!(order(&[face.clone(), package("core", "face", json!("dev"), "=0.1.0")]).is_err());
        assert_eq!(order(&[face, package("core", "face", json!("dev"), "*")]).unwrap(), ["core", "face"]);
    }

    #[test]
    fn a_package_with_generated_tables_of_the_standard_is_known_by_their_first_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("src/generated/big5.rs");
        files::ensure_file_contents(&path, &files::generated_by("cargo xtask charsets"), false).unwrap();
        assert!(!has_tables(folder.path()).unwrap());
        files::ensure_file_contents(&path, &files::generated_by("cargo xtask index"), false).unwrap();
        assert!(has_tables(folder.path()).unwrap());
    }
}
