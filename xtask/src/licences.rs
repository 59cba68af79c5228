//! The licences that go with every package: Cargo takes what is in a package's own folder and nothing above it.
//!
//! They are copies, not links, which Git cannot make everywhere.

use std::path::Path;

use anyhow::{Result, bail};

use crate::files;

/// The files, in the project's root.
const LICENCES: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "LICENSE-WHATWG"];

/// Where the packages are that are published.
const PACKAGES: &str = "crates";

/// Copies the licences into the folder of each package. With `check`, nothing is written, and a copy that is missing or differs
/// is an error.
pub(crate) fn copy(root: &Path, check: bool) -> Result<()> {
    let mut stale = Vec::new();
    for package in files::names_in(&root.join(PACKAGES))? {
        if !root.join(PACKAGES).join(&package).join("Cargo.toml").exists() {
            continue;
        }
        for licence in LICENCES {
            let copy = format!("{PACKAGES}/{package}/{licence}");
            if !files::ensure_file_contents(&root.join(&copy), &files::read(root, licence)?, check)? {
                stale.push(copy);
            }
        }
    }
    if check && !stale.is_empty() {
        bail!("licences are missing or differ; run `cargo xtask licences`:\n  {}", stale.join("\n  "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_package_has_every_licence() {
        let root = tempfile::tempdir().unwrap();
        for licence in LICENCES {
            fs::write(root.path().join(licence), licence).unwrap();
        }
        let package = root.path().join("crates/a");
        fs::create_dir_all(&package).unwrap();
        fs::create_dir_all(root.path().join("crates/no-package")).unwrap();
        fs::write(package.join("Cargo.toml"), "").unwrap();
        fs::write(package.join(LICENCES[0]), "changed").unwrap();

        let error = copy(root.path(), true).unwrap_err().to_string();
        assert!(LICENCES.iter().all(|licence| error.contains(&format!("crates/a/{licence}"))), "{error}");
        assert!(!package.join(LICENCES[1]).exists(), "a check writes nothing");
        copy(root.path(), false).unwrap();
        copy(root.path(), true).unwrap();
        assert_eq!(fs::read_to_string(package.join(LICENCES[0])).unwrap(), LICENCES[0]);
    }
}
