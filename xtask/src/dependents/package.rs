//! A crate from crates.io in a folder of its own, with encoding_rs or with textcodec in its place.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::{Kind, Side, Suite, command, suites::NEWEST};
use crate::{encoding_rs, files};

/// The package in the project that takes the place of encoding_rs, relative to the project's root.
const REPLACEMENT: &str = "crates/encoding-rs/patch";

/// An unpacked crate.
pub(super) struct Package<'a> {
    suite: &'a Suite,
    /// The folder of the crate.
    folder: PathBuf,
    /// The folder of all builds.
    builds: PathBuf,
    /// The arguments of Cargo that decide which package is in use as encoding_rs.
    configuration: Vec<String>,
    /// The version and, of a replacement, the folder in parentheses, as `cargo tree` prints them.
    expected: String,
}

impl<'a> Package<'a> {
    /// Downloads the crate of `suite` and unpacks it into a folder for `side`.
    pub(super) fn unpack(root: &Path, base: &Path, suite: &'a Suite, side: Side) -> Result<Self> {
        let builds = base.join("builds");
        let source = download(base, &builds, suite)?;
        let folder = base.join(side.name()).join(format!("{}-{}", suite.name, suite.version));
        remove_folder(&folder)?;
        copy_folder(&source, &folder)?;
        make_workspace(&folder)?;

        let mut configuration = Vec::new();
        let mut optimised = vec!["encoding_rs".to_owned()];
        let mut expected = format!("v{}", suite.encoding_rs);
        if side == Side::Textcodec {
            let replacement = replacement(root, base, suite)?;
            configuration.push(format!("patch.crates-io.encoding_rs.path={:?}", path_text(&replacement)?));
            expected = format!("{expected} ({})", replacement.display());
            optimised.extend(libraries(root)?);
        }
        // Both converters are optimised, as they are in a release; the tests themselves are not.
        configuration.extend(optimised.iter().map(|package| format!("profile.dev.package.{package}.opt-level=3")));
        let package = Package { suite, folder, builds, configuration, expected };
        package.pin()?;
        Ok(package)
    }

    /// A call of Cargo for this crate. Its subcommand is `subcommand`.
    fn cargo(&self, subcommand: &str) -> Command {
        let mut command = command::cargo(&self.folder, &self.builds);
        command.arg(subcommand);
        for setting in &self.configuration {
            command.args(["--config", setting]);
        }
        command
    }

    /// Makes the lock file name the version of encoding_rs that both sides are tested with.
    fn pin(&self) -> Result<()> {
        if !self.folder.join("Cargo.lock").exists() {
            command::output(&mut self.cargo("generate-lockfile"))?;
        }
        let version = self.suite.encoding_rs;
        command::output(self.cargo("update").args(["--package", "encoding_rs", "--precise", version]))?;
        Ok(())
    }

    /// Builds the crate and its tests, runs them, and returns a log of everything. It is an error if another package
    /// than the expected one is in use as encoding_rs.
    pub(super) fn test(&self) -> Result<String> {
        let arguments = self.suite.arguments;
        let tree = command::output(self.cargo("tree").args(["--invert", "encoding_rs"]).args(arguments))?;
        let used = tree.lines().next().unwrap_or_default();
        if used != format!("encoding_rs {}", self.expected) {
            bail!("{} uses {used} in place of encoding_rs {}", self.suite.name, self.expected);
        }

        let (subcommand, build_only) = match self.suite.kind {
            Kind::Tests => ("test", &["--no-run"][..]),
            Kind::Build => ("build", &[][..]),
        };
        let (built, mut log) = command::run(self.cargo(subcommand).args(arguments).args(build_only))?;
        if built && self.suite.kind == Kind::Tests {
            let (_, tests) = command::run(self.cargo("test").args(arguments).arg("--no-fail-fast"))?;
            log.push_str(&tests);
        }
        let outcome = if built { super::outcome::BUILT } else { super::outcome::NOT_BUILT };
        Ok(format!("{tree}\n{log}\n{outcome}\n"))
    }
}

/// Removes all builds.
pub(super) fn remove_builds(base: &Path) -> Result<()> {
    remove_folder(&base.join("builds"))
}

/// The folder in Cargo's registry with the sources of the crate of `suite`. Cargo downloads them for an empty crate
/// that depends on the crate.
fn download(base: &Path, builds: &Path, suite: &Suite) -> Result<PathBuf> {
    let folder = base.join("downloads").join(suite.name);
    let manifest = format!(
        "[package]\nname = \"download\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         {} = \"={}\"\nencoding_rs = \"={}\"\n",
        suite.name, suite.version, suite.encoding_rs
    );
    files::ensure_file_contents(&folder.join("Cargo.toml"), &manifest, false)?;
    files::ensure_file_contents(&folder.join("src/lib.rs"), "", false)?;
    command::output(command::cargo(&folder, builds).arg("fetch"))?;
    let metadata = command::output(command::cargo(&folder, builds).args(["metadata", "--format-version=1"]))?;
    // Cargo lists no package that has no library. Their folders are beside that of encoding_rs.
    let encoding_rs = manifest_path(&serde_json::from_str(&metadata)?, "encoding_rs")?;
    let registry = encoding_rs.ancestors().nth(2).context("encoding_rs is not in a registry")?;
    let source = registry.join(format!("{}-{}", suite.name, suite.version));
    ensure!(source.is_dir(), "Cargo did not unpack {} {}", suite.name, suite.version);
    Ok(source)
}

/// The path of the manifest of the package `name`.
fn manifest_path(metadata: &Value, name: &str) -> Result<PathBuf> {
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let package = packages.iter().find(|package| package["name"] == name);
    let path = package.and_then(|package| package["manifest_path"].as_str());
    Ok(path.with_context(|| format!("cargo metadata does not list {name}"))?.into())
}

/// The folder of the package that takes the place of encoding_rs in the version that `suite` needs.
fn replacement(root: &Path, base: &Path, suite: &Suite) -> Result<PathBuf> {
    let newest = root.join(REPLACEMENT);
    if suite.encoding_rs == NEWEST {
        return Ok(newest);
    }
    let folder = base.join("replacements").join(suite.encoding_rs);
    encoding_rs::write(root, suite.encoding_rs, &folder)?;
    Ok(folder)
}

/// The names of the project's libraries.
fn libraries(root: &Path) -> Result<Vec<String>> {
    let mut names = vec!["textcodec".to_owned()];
    for folder in files::names_in(&root.join("crates"))? {
        if !["textcodec", "arrow", "cli", "node", "python"].contains(&&*folder) {
            names.push(format!("textcodec-{folder}"));
        }
    }
    Ok(names)
}

/// Makes the crate in `folder` the root of a workspace, because the folder is inside the project, which has one, too.
fn make_workspace(folder: &Path) -> Result<()> {
    let path = folder.join("Cargo.toml");
    let manifest = fs::read_to_string(&path)?;
    if !manifest.lines().any(|line| line.starts_with("[workspace")) {
        fs::write(&path, format!("{manifest}\n[workspace]\n"))?;
    }
    Ok(())
}

fn path_text(path: &Path) -> Result<&str> {
    path.to_str().with_context(|| format!("{} is not UTF-8", path.display()))
}

fn remove_folder(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Copies the folder `from` with everything in it to the new folder `to`.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for name in files::names_in(from)? {
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() {
            copy_folder(&from, &to)?;
        } else {
            fs::copy(&from, &to).with_context(|| format!("cannot copy {}", from.display()))?;
        }
    }
    Ok(())
}
