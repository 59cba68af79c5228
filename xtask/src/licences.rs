//! The licences that go with every package.
//!
//! Cargo packs the files in a package's own folder and none above it, but it follows links. So each package has links
//! to the licences in the project's root. npm leaves links out of its packages; the Node package has copies.

use std::path::Path;

use anyhow::{Result, bail};

use crate::files;

/// The files, in the project's root.
const LICENCES: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "LICENSE-WHATWG"];

/// The folder of the packages that are published.
const PACKAGES: &str = "crates";

/// Fails unless each package has the text of each licence, in a link or a copy.
///
/// Git on Windows checks links out as small files with a path, unless `core.symlinks` is set. A package made from such
/// a checkout would contain the path in place of the licence.
pub(crate) fn check(root: &Path) -> Result<()> {
    let mut wrong = Vec::new();
    for package in files::names_in(&root.join(PACKAGES))? {
        if !root.join(PACKAGES).join(&package).join("Cargo.toml").exists() {
            continue;
        }
        for licence in LICENCES {
            let path = format!("{PACKAGES}/{package}/{licence}");
            if files::read(root, &path).ok() != Some(files::read(root, licence)?) {
                wrong.push(path);
            }
        }
    }
    if !wrong.is_empty() {
        bail!(
            "licences are missing or differ from those in the root; make each of them a link, `ln -s ../../LICENSE-MIT` \
             (on Windows, clone with `git clone -c core.symlinks=true`):\n  {}",
            wrong.join("\n  ")
        );
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
        // A link as Git writes it on Windows.
        fs::write(package.join(LICENCES[0]), "../../LICENSE-APACHE").unwrap();

        let error = check(root.path()).unwrap_err().to_string();
        assert!(LICENCES.iter().all(|licence| error.contains(&format!("crates/a/{licence}"))), "{error}");
        for licence in LICENCES {
            fs::copy(root.path().join(licence), package.join(licence)).unwrap();
        }
        check(root.path()).unwrap();
    }
}
