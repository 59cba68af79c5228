//! The package named `encoding_rs`, which `[patch.crates-io]` asks for, with the version that a dependency tree has.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use crate::files;

/// The package for the version whose interface `textcodec-encoding-rs` has.
const PATCH: &str = "crates/encoding-rs/patch";
/// The package that [`PATCH`] exports under another name.
const INTERFACE: &str = "crates/encoding-rs";

#[derive(Args)]
pub(crate) struct Options {
    /// The version of encoding_rs in the lock file of the dependency tree, for example 0.8.35.
    #[arg(long, conflicts_with = "check")]
    version: Option<String>,
    /// The folder that the package is written to. target/encoding-rs-VERSION without this option.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Checks the package in crates/encoding-rs/patch instead: its features, its version, and that it compiles.
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<()> {
    if options.check {
        same_features(root)?;
        return compile(&root.join(PATCH), &root.join("target"));
    }
    let version = options.version.as_deref().context("give the version, for example --version 0.8.35, or --check")?;
    let out = options.out.clone().unwrap_or_else(|| root.join("target").join(format!("encoding-rs-{version}")));
    write(root, version, &out)?;
    // A relative path would be wrong in a manifest in another folder.
    let out = out.canonicalize().with_context(|| format!("cannot find {}", out.display()))?;
    println!("Add these lines to the top-level Cargo.toml, and run `cargo update -p encoding_rs`:\n");
    println!("[patch.crates-io]\nencoding_rs = {{ path = {:?} }}", out.display().to_string());
    Ok(())
}

/// Writes the package with the version `version` into the folder `out`.
pub(crate) fn write(root: &Path, version: &str, out: &Path) -> Result<()> {
    let manifest = with_version(&files::read(root, &format!("{PATCH}/Cargo.toml"))?, version, &root.join(INTERFACE))?;
    fs::create_dir_all(out.join("src")).with_context(|| format!("cannot create {}", out.display()))?;
    fs::write(out.join("Cargo.toml"), manifest)?;
    fs::write(out.join("src/lib.rs"), files::read(root, &format!("{PATCH}/src/lib.rs"))?)?;
    Ok(())
}

/// The manifest of the package with another version and with a path to the interface from anywhere.
fn with_version(manifest: &str, version: &str, interface: &Path) -> Result<String> {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    ensure!(
        version.starts_with("0.8.") && version.split('.').count() == 3 && version.split('.').all(is_number),
        "{version:?} is no version of encoding_rs 0.8; write for example 0.8.35"
    );
    let mut changed = 0;
    let mut lines = Vec::new();
    for line in manifest.lines() {
        lines.push(if line.starts_with("version = ") {
            changed += 1;
            format!("version = {version:?}")
        } else if line.contains("path = \"..\"") {
            changed += 1;
            line.replace("path = \"..\"", &format!("path = {:?}", interface.display().to_string()))
        } else {
            line.to_string()
        });
    }
    ensure!(changed == 2, "{PATCH}/Cargo.toml has no line with its version, or none with the path of the interface");
    // The folder may be inside of another workspace.
    lines.push("\n[workspace]\n".to_string());
    Ok(lines.join("\n"))
}

/// Fails if the package and the interface differ in their versions or in the names of their features.
fn same_features(root: &Path) -> Result<()> {
    let facts = |folder: &str| -> Result<(String, Vec<String>)> {
        let manifest = files::read(root, &format!("{folder}/Cargo.toml"))?;
        let version = manifest.lines().find(|line| line.starts_with("version = ")).context("no version")?.to_string();
        let features = manifest.split("[features]").nth(1).context("no features")?;
        let features = features.split("\n[").next().unwrap_or_default();
        let names = features.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name.to_string());
        Ok((version, names.collect()))
    };
    let (patch, interface) = (facts(PATCH)?, facts(INTERFACE)?);
    if patch != interface {
        bail!("{PATCH} and {INTERFACE} differ in their version or features:\n  {patch:?}\n  {interface:?}");
    }
    Ok(())
}

fn compile(package: &Path, target: &Path) -> Result<()> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    for features in [&["--no-default-features"][..], &["--all-features"]] {
        let status = Command::new(&cargo)
            .args(["check", "--quiet", "--target-dir"])
            .arg(target)
            .args(features)
            .current_dir(package)
            .status()
            .context("cannot run cargo check")?;
        ensure!(status.success(), "{} does not compile with {features:?}", package.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_takes_the_place_of_the_packages_own() {
        let manifest = "[package]\nversion = \"0.8.44\"\n[dependencies]\na = { path = \"..\" }\n";
        let changed = with_version(manifest, "0.8.35", Path::new("/interface")).unwrap();
        assert!(changed.contains("version = \"0.8.35\"") && changed.contains("path = \"/interface\""), "{changed}");
        for version in ["0.8", "0.8.x", "0.9.1", "0.8.35 "] {
            assert!(with_version(manifest, version, Path::new("/interface")).is_err(), "{version}");
        }
    }

    #[test]
    fn the_package_has_the_features_of_the_interface() {
        same_features(files::root()).unwrap();
    }
}
