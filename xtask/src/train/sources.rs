//! The packages with the texts, and how a client of each registry fetches them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::files;

/// The packages with their hashes and licences. The package of the detector contains this file.
pub(super) const NOTICE: &str = "crates/detect/NOTICE.tsv";

/// A package.
pub(super) struct Source {
    registry: String,
    name: String,
    version: String,
    sha256: String,
}

/// All packages.
pub(super) fn all(root: &Path) -> Result<Vec<Source>> {
    let head = ["registry", "package", "version", "sha256", "licence", "languages"];
    let rows = files::rows(root, NOTICE, &head)?;
    Ok(rows
        .into_iter()
        .map(|[registry, name, version, sha256, _, _]| Source { registry, name, version, sha256 })
        .collect())
}

/// Fetches all packages with the clients of their registries and unpacks them into `folder`.
pub(super) fn fetch(sources: &[Source], folder: &Path) -> Result<()> {
    let of = |registry: &str| sources.iter().filter(move |source| source.registry == registry).collect::<Vec<_>>();
    fetch_crates(&of("crate"), folder)?;
    let packages = folder.join("packages");
    fs::create_dir_all(&packages)?;
    for source in sources.iter().filter(|source| source.registry != "crate") {
        let Source { registry, name, version, .. } = source;
        if source.file(folder).is_err() {
            match registry.as_str() {
                "debian" => run(&packages, "apt-get", &["-q", "download", &format!("{name}={version}")])?,
                "npm" => run(&packages, "npm", &["pack", "--silent", &format!("{name}@{version}")])?,
                "pypi" => run(&packages, "pip", &["download", "-q", "--no-deps", &format!("{name}=={version}")])?,
                other => bail!("{NOTICE} has the unknown registry {other}"),
            }
        }
        source.unpack(folder)?;
    }
    verify(sources, folder)
}

/// Fails unless `folder` has each package with its recorded hash.
pub(super) fn verify(sources: &[Source], folder: &Path) -> Result<()> {
    for source in sources {
        let found = match source.registry.as_str() {
            // Cargo has verified the package, and writes its hash beside its files.
            "crate" => {
                let path = source.folder(folder).join(".cargo-checksum.json");
                let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
                let value: Value = serde_json::from_str(&text)?;
                value["package"].as_str().unwrap_or_default().to_owned()
            }
            _ => hash(&fs::read(source.file(folder)?)?),
        };
        ensure!(found == source.sha256, "{} {} has the hash {found}", source.name, source.version);
    }
    Ok(())
}

/// SHA-256 in lower-case hex.
pub(super) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}

/// Lets cargo fetch the crates, as dependencies of a package that is never built.
fn fetch_crates(crates: &[&Source], folder: &Path) -> Result<()> {
    let package = folder.join("crates-package");
    fs::create_dir_all(package.join("src"))?;
    fs::write(package.join("src/lib.rs"), "")?;
    let mut manifest = "[package]\nname = \"texts\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n".to_owned();
    for source in crates {
        manifest += &format!("{} = \"={}\"\n", source.name, source.version);
    }
    fs::write(package.join("Cargo.toml"), manifest)?;
    run(&package, "cargo", &["vendor", "--quiet", "../crates"])
}

impl Source {
    /// The folder with the unpacked files.
    fn folder(&self, folder: &Path) -> PathBuf {
        let registry = if self.registry == "crate" { "crates" } else { &self.registry };
        folder.join(registry).join(&self.name)
    }

    /// The package as it was fetched.
    fn file(&self, folder: &Path) -> Result<PathBuf> {
        let packages = folder.join("packages");
        let name = self.name.replace('-', "_");
        let version = self.version.replace(':', "%3a");
        let starts =
            [format!("{}_{version}", self.name), format!("{}-{version}", self.name), format!("{name}-{version}")];
        let found =
            files::names_in(&packages)?.into_iter().find(|file| starts.iter().any(|start| file.starts_with(start)));
        Ok(packages.join(found.with_context(|| format!("there is no package {} {}", self.name, self.version))?))
    }

    fn unpack(&self, folder: &Path) -> Result<()> {
        let (file, target) = (self.file(folder)?, self.folder(folder));
        fs::create_dir_all(&target)?;
        let file = file.to_str().context("the name of a package is not UTF-8")?;
        match file.rsplit_once('.') {
            Some((_, "deb")) => run(&target, "dpkg-deb", &["-x", file, "."]),
            Some((_, "whl")) => run(&target, "python3", &["-m", "zipfile", "-e", file, "."]),
            _ => run(&target, "tar", &["-xzf", file, "--strip-components=1"]),
        }
    }
}

/// Runs a program in `folder`, and fails if it fails.
fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<()> {
    let status = Command::new(program).args(arguments).current_dir(folder).status();
    let status = status.with_context(|| format!("cannot run {program}"))?;
    ensure!(status.success(), "{program} {} failed", arguments.join(" "));
    Ok(())
}
