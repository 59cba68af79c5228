//! `cargo xtask api`: listings of the public items of every published library, so that a review sees each change.
//!
//! rustdoc describes the items in JSON, and the crate `public-api` writes each item as one line. That crate and its
//! dependencies are behind the feature `api` of this package, so that no other command compiles them.

use std::path::Path;

use anyhow::Result;

/// Writes the listings; with `check`, fails if a listing is out of date.
#[cfg(not(feature = "api"))]
pub(crate) fn generate(root: &Path, check: bool) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = std::process::Command::new(cargo)
        .args(["run", "--quiet", "--locked", "--package", "xtask", "--features", "api", "--", "api"])
        .args(check.then_some("--check"))
        .current_dir(root)
        .status()?;
    anyhow::ensure!(status.success(), "the listings of the public API were not made or are out of date");
    Ok(())
}

#[cfg(feature = "api")]
pub(crate) use self::listings::{call_rustdoc, generate};

#[cfg(feature = "api")]
mod listings {
    use std::{
        env, fs,
        path::PathBuf,
        process::{Command, Stdio},
    };

    use anyhow::{Context, bail, ensure};
    use serde_json::{Value, json};

    use super::{Path, Result};
    use crate::files::ensure_file_contents;

    /// The folder of the listings.
    const FOLDER: &str = "docs/api";
    /// The version of rustdoc's JSON that `public-api` reads. Another release of the compiler can write another one.
    const FORMAT_VERSION: u64 = 57;
    /// The folders of the workspaces with published libraries, and the folders of what is built from them, in which the
    /// other checks have compiled the dependencies.
    const WORKSPACES: [(&str, &str); 2] = [("", "target"), ("crates/arrow", "target/arrow")];
    /// The variable with the path of rustdoc, which this program calls if cargo calls it as rustdoc.
    const RUSTDOC: &str = "TEXTCODEC_RUSTDOC";
    /// Libraries for other users than programs in Rust: the library of the program, those for C, whose items their
    /// headers list, and that of the npm packages.
    const OTHERS: [&str; 4] = ["textcodec-cli", "textcodec-capi", "textcodec-capi-iconv", "textcodec-js"];
    /// Features that are for tests and benchmarks, or that only add implementations of another project's traits and
    /// would compile that project.
    const UNLISTED_FEATURES: [&str; 5] = ["default", "exhaustive", "forced", "testing", "datafusion"];

    /// A published library.
    struct Library {
        package: String,
        /// The name of the library in Rust.
        name: String,
        /// The features with which it is listed.
        features: Vec<String>,
        /// Whether it has a development dependency on itself, by which its tests have more features.
        depends_on_itself: bool,
    }

    /// Calls rustdoc and ends this program as rustdoc ends, if cargo calls this program as rustdoc.
    ///
    /// The stable rustdoc takes the unstable option for JSON if RUSTC_BOOTSTRAP is set. If cargo had this variable,
    /// then the build scripts of some dependencies would have other results, and these would be compiled once more.
    pub(crate) fn call_rustdoc() -> Result<()> {
        let Some(rustdoc) = env::var_os(RUSTDOC) else { return Ok(()) };
        let status = Command::new(rustdoc).args(env::args_os().skip(1)).env("RUSTC_BOOTSTRAP", "1").status()?;
        std::process::exit(status.code().unwrap_or(1));
    }

    pub(crate) fn generate(root: &Path, check: bool) -> Result<()> {
        let (mut listed, mut stale) = (Vec::new(), Vec::new());
        // A copy, because another command of cargo can replace this program meanwhile. If it has done so already, Linux
        // gives the program by this link only.
        let rustdoc = root.join("target/rustdoc-of-xtask-api");
        let link = Path::new("/proc/self/exe");
        let program = if link.exists() { link.to_owned() } else { env::current_exe()? };
        fs::copy(program, &rustdoc).context("cannot copy this program")?;
        for (workspace, target) in WORKSPACES {
            let libraries = libraries(&root.join(workspace))?;
            let folder = document(&root.join(workspace), &root.join(target), &libraries, &rustdoc)?;
            listed
                .extend(libraries.into_iter().map(|library| (folder.join(format!("{}.json", library.name)), library)));
        }
        for (json, library) in listed {
            let version = format_version(&json)?;
            if version != FORMAT_VERSION {
                let reason = format!("rustdoc writes JSON of version {version}, and they need {FORMAT_VERSION}");
                ensure!(check, "the listings of the public API cannot be made: {reason}");
                println!("Not checked: the listings of the public API, because {reason}.");
                return Ok(());
            }
            let path = format!("{FOLDER}/{}.txt", library.package);
            if !ensure_file_contents(&root.join(&path), &listing(&library, json)?, check)? && check {
                stale.push(path);
            }
        }
        if !stale.is_empty() {
            bail!("the public API has changed; run `cargo xtask api` and commit {}", stale.join(", "));
        }
        Ok(())
    }

    /// The lines of a library.
    fn listing(library: &Library, json: PathBuf) -> Result<String> {
        let api = public_api::Builder::from_rustdoc_json(json)
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .build()
            .with_context(|| format!("cannot list the items of {}", library.package))?;
        let features = if library.features.is_empty() { "none".to_owned() } else { library.features.join(", ") };
        let head =
            format!("# Made by `cargo xtask api` from the items of {}; features: {features}.\n", library.package);
        Ok(api.items().fold(head, |text, item| format!("{text}{item}\n")))
    }

    fn format_version(json: &Path) -> Result<u64> {
        let text = fs::read_to_string(json).with_context(|| format!("rustdoc did not write {}", json.display()))?;
        let value: Value = serde_json::from_str(&text)?;
        value["format_version"].as_u64().context("rustdoc's JSON has no format_version")
    }

    /// Makes the JSON of the libraries of a workspace by `rustdoc`, a copy of this program, and returns its folder.
    ///
    /// For a library that depends on itself, cargo takes `package/feature` for a feature of this dependency, which no
    /// documentation uses. So such a library is documented alone, with `--features feature`.
    fn document(workspace: &Path, target: &Path, libraries: &[Library], rustdoc: &Path) -> Result<PathBuf> {
        let (alone, together): (Vec<_>, Vec<_>) = libraries.iter().partition(|library| library.depends_on_itself);
        let mut arguments = vec![Vec::new()];
        for Library { package, features, .. } in together {
            arguments[0].extend(["--package".to_owned(), package.clone()]);
            for feature in features {
                arguments[0].extend(["--features".to_owned(), format!("{package}/{feature}")]);
            }
        }
        for Library { package, features, .. } in alone {
            arguments.push(vec!["--package".to_owned(), package.clone(), "--features".to_owned(), features.join(",")]);
        }
        for arguments in arguments.iter().filter(|arguments| !arguments.is_empty()) {
            let mut command = cargo();
            command.args(["doc", "--quiet", "--locked", "--lib", "--no-deps", "--target-dir"]).arg(target);
            command.env(RUSTDOC, env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into()));
            command.env("RUSTDOC", rustdoc);
            command.env("RUSTDOCFLAGS", "-Z unstable-options --output-format json");
            ensure!(command.args(arguments).current_dir(workspace).status()?.success(), "rustdoc failed");
        }
        Ok(target.join("doc"))
    }

    /// The published libraries of the workspace in this folder.
    fn libraries(workspace: &Path) -> Result<Vec<Library>> {
        let output = cargo()
            .args(["metadata", "--format-version", "1", "--no-deps"])
            .current_dir(workspace)
            .stderr(Stdio::inherit())
            .output()?;
        ensure!(output.status.success(), "cargo metadata failed");
        let metadata: Value = serde_json::from_slice(&output.stdout)?;
        let packages = metadata["packages"].as_array().context("cargo metadata has no packages")?;
        let text = |value: &Value| value.as_str().map(str::to_owned).context("cargo metadata has no name");
        let mut libraries = Vec::new();
        for package in packages {
            let targets = package["targets"].as_array().into_iter().flatten();
            let library = targets.into_iter().find(|target| target["kind"] == json!(["lib"]));
            let Some(library) = library.filter(|_| package["publish"] != json!([])) else { continue };
            let features = package["features"].as_object().context("cargo metadata has no features")?.keys();
            let dependencies = package["dependencies"].as_array().into_iter().flatten();
            libraries.push(Library {
                depends_on_itself: dependencies.into_iter().any(|dependency| dependency["name"] == package["name"]),
                package: text(&package["name"])?,
                name: text(&library["name"])?,
                features: features.filter(|name| !UNLISTED_FEATURES.contains(&&***name)).cloned().collect(),
            });
        }
        libraries.retain(|library| !OTHERS.contains(&&*library.package));
        Ok(libraries)
    }

    fn cargo() -> Command {
        Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::files;

    /// The methods of the type at `path` in the listing of `library`, without those of traits.
    fn inherent_methods(library: &str, path: &str) -> BTreeSet<String> {
        let listing = files::read(files::root(), &format!("docs/api/{library}.txt")).unwrap();
        let (mut is_inherent, mut methods) = (false, BTreeSet::new());
        for line in listing.lines() {
            if line.starts_with("impl") {
                is_inherent = !line.contains(" for ");
            }
            let Some((before, after)) = line.split_once(&format!("fn {path}::")) else { continue };
            if is_inherent && before.starts_with("pub ") {
                methods.insert(after.split(['(', '<']).next().unwrap().to_owned());
            }
        }
        methods
    }

    /// The methods in the row of DESIGN's chapter "The public interface" that starts with this cell.
    fn methods_in_design(first_cell: &str) -> BTreeSet<String> {
        let design = files::read(files::root(), "DESIGN.md").unwrap();
        let row = design.lines().find_map(|line| line.strip_prefix(&format!("| {first_cell} |"))).unwrap();
        row.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn the_visible_methods_are_those_of_the_design() {
        for (cell, library, path) in [
            ("`Encoding`, 14", "textcodec", "textcodec::Encoding"),
            ("`Decoder`, 12", "textcodec-core", "textcodec_core::Decoder<E>"),
            ("`Encoder`, 12", "textcodec-core", "textcodec_core::Encoder<E>"),
        ] {
            let design = methods_in_design(cell);
            assert_eq!(inherent_methods(library, path), design, "{path}");
            assert!(cell.ends_with(&format!(", {}", design.len())), "{cell}: {}", design.len());
        }
    }
}
