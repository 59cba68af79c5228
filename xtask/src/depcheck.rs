//! Checks the dependencies between the crates of this project.

use std::{
    collections::HashMap,
    env,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

const KERNELS: &str = "textcodec-kernels";
const CORE: &str = "textcodec-core";
const SNIFF: &str = "textcodec-sniff";
const DETECT: &str = "textcodec-detect";
/// The charsets that the Standard does not have.
const CHARSETS: &str = "textcodec-charsets";
const UMBRELLA: &str = "textcodec";
/// The interface of encoding_rs. The umbrella has an optional dependency on encoding_rs, which `[patch]` can replace by
/// this crate. So this crate must not depend on the umbrella.
const ENCODING_RS: &str = "textcodec-encoding-rs";
/// The library under the program.
const CONVERT: &str = "textcodec-convert";
const CLI: &str = "textcodec-cli";
/// The library of iconv(3).
const CAPI_ICONV: &str = "textcodec-capi-iconv";
/// The crates that may know the library under the program.
const OVER_CONVERT: [&str; 5] = [CLI, "textcodec-arrow", "textcodec-capi", "textcodec-js", "textcodec-python"];
/// The package of these commands. The other packages are built from its output, so it may depend on none of them.
const XTASK: &str = "xtask";

/// The crates that contain encodings.
const FAMILIES: [&str; 6] = [
    "textcodec-utf8",
    "textcodec-utf16",
    "textcodec-single-byte",
    "textcodec-cjk-chinese",
    "textcodec-cjk-japanese",
    "textcodec-cjk-korean",
];

/// The folders of the workspaces whose packages are released together.
pub(crate) const WORKSPACES: [&str; 3] = ["", "crates/arrow", "crates/python"];

/// Fails if a crate of the workspace has a dependency that is not allowed, or if a crate requires another crate of the
/// same release in more than one version. The error names every such pair.
pub(crate) fn check(root: &Path) -> Result<()> {
    let workspaces = WORKSPACES.iter().map(|folder| metadata(&root.join(folder))).collect::<Result<Vec<_>>>()?;
    let mut violations = violations(&workspaces[0])?;
    violations.extend(strangers_over_convert(&workspaces)?);
    violations.extend(loose_requirements(&workspaces)?);
    if !violations.is_empty() {
        bail!("dependencies that are not allowed:\n  {}", violations.join("\n  "));
    }
    Ok(())
}

/// The output of `cargo metadata` about the packages of the workspace.
pub(crate) fn metadata(root: &Path) -> Result<Value> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo metadata")?;
    ensure!(output.status.success(), "cargo metadata failed");
    serde_json::from_slice(&output.stdout).context("cannot parse the output of cargo metadata")
}

/// A sentence for each dependency that is not allowed.
fn violations(metadata: &Value) -> Result<Vec<String>> {
    let packages = array(metadata, "packages")?;
    let members = packages.iter().map(|package| text(package, "name")).collect::<Result<Vec<_>>>()?;
    for required in
        [KERNELS, CORE, SNIFF, DETECT, CHARSETS, UMBRELLA, ENCODING_RS, CONVERT, CLI].iter().chain(&FAMILIES)
    {
        ensure!(members.contains(required), "the workspace has no package {required}");
    }

    let mut violations = Vec::new();
    for package in packages {
        let from = text(package, "name")?;
        for dependency in array(package, "dependencies")? {
            let to = Dependency::parse(dependency, &members)?;
            if let Some(reason) = refusal(from, &to) {
                violations.push(format!("{from} -> {}: {reason}", to.name));
            }
        }
    }
    Ok(violations)
}

/// A sentence for each package of another workspace that depends on the library under the program and may not.
fn strangers_over_convert(workspaces: &[Value]) -> Result<Vec<String>> {
    let mut violations = Vec::new();
    for workspace in &workspaces[1..] {
        for package in array(workspace, "packages")? {
            let from = text(package, "name")?;
            for dependency in array(package, "dependencies")? {
                let to = Dependency::parse(dependency, &[CONVERT])?;
                violations.extend(refusal(from, &to).map(|reason| format!("{from} -> {}: {reason}", to.name)));
            }
        }
    }
    Ok(violations)
}

/// A sentence for each dependency on a crate of the same release that admits another version of this crate.
///
/// Development dependencies are free, because cargo publishes a package without those that have only a path. So are the
/// dependencies by path alone of packages that nobody publishes.
fn loose_requirements(workspaces: &[Value]) -> Result<Vec<String>> {
    let mut packages = Vec::new();
    for workspace in workspaces {
        packages.extend(array(workspace, "packages")?);
    }
    let mut versions = HashMap::new();
    for package in &packages {
        versions.insert(text(package, "name")?, text(package, "version")?);
    }
    let mut loose = Vec::new();
    for package in packages {
        let (from, is_published) = (text(package, "name")?, package["publish"] != json!([]));
        for dependency in array(package, "dependencies")? {
            let (to, requirement) = (text(dependency, "name")?, text(dependency, "req")?);
            let Some(version) = versions.get(to) else { continue };
            let is_free = dependency["kind"] == "dev" || (!is_published && requirement == "*");
            if !is_free && requirement.strip_prefix('=') != Some(version) {
                loose.push(format!("{from} -> {to}: the version is \"{requirement}\" and must be \"={version}\""));
            }
        }
    }
    Ok(loose)
}

/// The facts about a dependency that the rules need.
struct Dependency<'a> {
    name: &'a str,
    kind: Kind,
    optional: bool,
    /// Whether the dependency is a crate of the workspace.
    is_member: bool,
}

/// The purpose of a dependency.
#[derive(PartialEq, Eq)]
enum Kind {
    Normal,
    Build,
    Dev,
}

impl<'a> Dependency<'a> {
    fn parse(dependency: &'a Value, members: &[&str]) -> Result<Self> {
        let name = text(dependency, "name")?;
        let kind = match dependency["kind"].as_str() {
            None => Kind::Normal,
            Some("build") => Kind::Build,
            Some("dev") => Kind::Dev,
            Some(other) => bail!("{name} is a dependency of the unknown kind {other}"),
        };
        let optional = dependency["optional"].as_bool().context("a dependency without \"optional\"")?;
        Ok(Dependency { name, kind, optional, is_member: members.contains(&name) })
    }
}

/// The reason why the package `from` may not depend on `to`; `None` if it may. Tests and programs may depend on
/// anything.
fn refusal(from: &str, to: &Dependency) -> Option<&'static str> {
    let is_family = FAMILIES.contains(&from);
    let is_library =
        is_family || [KERNELS, CORE, SNIFF, DETECT, CHARSETS, UMBRELLA, ENCODING_RS, CONVERT].contains(&from);
    let (allowed, reason) = match from {
        _ if to.kind == Kind::Dev => return None,
        _ if is_library && to.kind == Kind::Build => (false, "no library has a build dependency"),
        KERNELS => (false, "the kernels depend on nothing"),
        CORE => (
            ["phf", KERNELS].contains(&to.name) || (to.name == "serde" && to.optional),
            "the core depends on phf and the kernels only, and optionally on serde",
        ),
        SNIFF => (
            to.name == CORE || (to.name == "serde" && to.optional),
            "sniffing depends on the core only, and optionally on serde",
        ),
        DETECT => (
            [CORE, SNIFF].contains(&to.name) || FAMILIES.contains(&to.name) || (to.name == CHARSETS && to.optional),
            "the detector depends on the core, sniffing, the families, and optionally on textcodec-charsets only",
        ),
        CHARSETS => (
            [CORE, KERNELS].contains(&to.name) || FAMILIES.contains(&to.name),
            "textcodec-charsets depends on the core, the kernels and the families only",
        ),
        _ if is_family => ([CORE, KERNELS].contains(&to.name), "a family depends on the core and the kernels only"),
        ENCODING_RS if to.is_member => (
            [CORE, KERNELS].contains(&to.name) || FAMILIES.contains(&to.name),
            "of the workspace, textcodec-encoding-rs depends on the core, the kernels and the families only",
        ),
        ENCODING_RS => (to.optional, "textcodec-encoding-rs depends on others only optionally"),
        UMBRELLA if to.is_member => (
            [CORE, KERNELS, SNIFF, DETECT, CHARSETS].contains(&to.name) || FAMILIES.contains(&to.name),
            "of the workspace, the umbrella depends on the core, the kernels, sniffing, the detector, charsets and the \
             families only",
        ),
        UMBRELLA => (to.optional || to.name == "phf", "the umbrella depends on others only optionally"),
        CONVERT if to.is_member => (
            [UMBRELLA, SNIFF, DETECT].contains(&to.name),
            "of the workspace, textcodec-convert depends on the umbrella, sniffing and the detector only",
        ),
        CONVERT => (
            to.optional || to.name == "unicode-normalization",
            "textcodec-convert depends on others than unicode-normalization only optionally",
        ),
        CLI if to.is_member => (
            [UMBRELLA, CONVERT, KERNELS].contains(&to.name),
            "of the workspace, the program depends on textcodec-convert, the umbrella and the kernels only",
        ),
        CAPI_ICONV => (
            [UMBRELLA, CORE, KERNELS].contains(&to.name),
            "the library of iconv(3) depends on the umbrella, the core and the kernels only",
        ),
        _ if to.name == CONVERT => (
            OVER_CONVERT.contains(&from),
            "only the program and the packages for other languages and Arrow know textcodec-convert",
        ),
        XTASK => (!to.is_member, "xtask generates the tables of the workspace's crates, so it depends on none of them"),
        _ => return None,
    };
    (!allowed).then_some(reason)
}

pub(crate) fn array<'a>(value: &'a Value, key: &str) -> Result<&'a Vec<Value>> {
    value[key].as_array().with_context(|| format!("cargo metadata has no list {key:?}"))
}

pub(crate) fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str> {
    value[key].as_str().with_context(|| format!("cargo metadata has no text {key:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The violations of a workspace in which only the package `from` has a dependency.
    fn violations_of(from: &str, to: &str, kind: Value, optional: bool) -> Vec<String> {
        let libraries =
            [KERNELS, CORE, SNIFF, DETECT, CHARSETS, UMBRELLA, ENCODING_RS, CONVERT, CLI].into_iter().chain(FAMILIES);
        let packages: Vec<Value> = libraries
            .chain([XTASK, CAPI_ICONV, "textcodec-capi", "textcodec-node", "textcodec-js", "textcodec-python"])
            .map(|name| {
                let dependency = json!({ "name": to, "kind": kind, "optional": optional });
                let dependencies = if name == from { vec![dependency] } else { vec![] };
                json!({ "name": name, "dependencies": dependencies })
            })
            .collect();
        violations(&json!({ "packages": packages })).unwrap()
    }

    fn allows(from: &str, to: &str) -> bool {
        violations_of(from, to, Value::Null, false).is_empty()
    }

    #[test]
    fn knowledge_goes_down_only() {
        assert!(allows(CORE, KERNELS) && !allows(KERNELS, CORE));
        assert!(allows("textcodec-utf8", CORE) && !allows(CORE, "textcodec-utf8"));
        assert!(allows("textcodec-utf8", KERNELS) && !allows("textcodec-utf8", "textcodec-utf16"));
        assert!(allows(UMBRELLA, "textcodec-utf8") && !allows("textcodec-utf8", UMBRELLA));
        assert!(
            allows(SNIFF, CORE) && !allows(SNIFF, KERNELS) && !allows(SNIFF, "textcodec-utf8") && !allows(SNIFF, "phf")
        );
        assert!(allows(UMBRELLA, SNIFF) && !allows(CORE, SNIFF) && !allows("textcodec-utf8", SNIFF));
        assert!(allows(DETECT, CORE) && allows(DETECT, SNIFF) && allows(DETECT, "textcodec-single-byte"));
        assert!(
            !allows(DETECT, KERNELS) && !allows(DETECT, UMBRELLA) && !allows(DETECT, "phf") && !allows(SNIFF, DETECT)
        );
        assert!(allows(UMBRELLA, DETECT) && !allows("textcodec-utf8", DETECT));
        assert!(allows(CHARSETS, "textcodec-single-byte") && !allows("textcodec-single-byte", CHARSETS));
        assert!(allows(UMBRELLA, CHARSETS) && !allows(CHARSETS, UMBRELLA) && !allows(CHARSETS, "phf"));
        assert!(!allows(UMBRELLA, CLI) && allows(CLI, UMBRELLA) && allows(CLI, CONVERT) && allows(CLI, KERNELS));
        assert!(!allows(CLI, CORE) && !allows(CLI, "textcodec-utf8") && !allows(CLI, SNIFF));
        assert!(allows(CONVERT, UMBRELLA) && allows(CONVERT, SNIFF) && !allows(UMBRELLA, CONVERT));
        assert!(!allows(CONVERT, CORE) && !allows(CONVERT, KERNELS) && !allows(CONVERT, CLI));
        assert!(allows("textcodec-python", CONVERT) && allows("textcodec-js", CONVERT));
        assert!(allows(CAPI_ICONV, UMBRELLA) && !allows(CAPI_ICONV, CONVERT) && !allows(CAPI_ICONV, "libc"));
        assert!(allows("textcodec-capi", CONVERT) && !allows("textcodec-node", CONVERT));
        assert!(allows(ENCODING_RS, CORE) && allows(ENCODING_RS, "textcodec-utf8") && !allows(ENCODING_RS, UMBRELLA));
        assert!(!allows(XTASK, CORE) && allows(XTASK, "anyhow"));
    }

    #[test]
    fn only_the_core_takes_phf_and_the_umbrella_takes_optional_crates() {
        assert!(allows(CORE, "phf") && !allows("textcodec-utf16", "phf"));
        assert!(violations_of(UMBRELLA, "serde", Value::Null, true).is_empty());
        assert!(!allows(UMBRELLA, "serde") && !allows(ENCODING_RS, "serde"));
        assert!(violations_of(ENCODING_RS, "serde", Value::Null, true).is_empty());
        for crate_ in [CORE, SNIFF] {
            assert!(violations_of(crate_, "serde", Value::Null, true).is_empty() && !allows(crate_, "serde"));
        }
        assert!(!violations_of(CORE, "tokio", Value::Null, true).is_empty());
        assert!(violations_of(CONVERT, "tempfile", Value::Null, true).is_empty() && !allows(CONVERT, "clap"));
        assert!(allows(CONVERT, "unicode-normalization") && allows(CLI, "clap"));
    }

    #[test]
    fn tests_are_free_and_build_scripts_are_not() {
        assert!(violations_of(KERNELS, "criterion", json!("dev"), false).is_empty());
        assert_eq!(violations_of(UMBRELLA, "cc", json!("build"), true).len(), 1);
    }

    #[test]
    fn only_two_packages_of_other_workspaces_know_the_library_under_the_program() {
        let dependency = json!({ "name": CONVERT, "kind": null, "optional": false });
        let workspace = |name: &str| json!({ "packages": [{ "name": name, "dependencies": [dependency.clone()] }] });
        let first = json!({ "packages": [] });
        for face in ["textcodec-arrow", "textcodec-python"] {
            assert!(strangers_over_convert(&[first.clone(), workspace(face)]).unwrap().is_empty());
        }
        assert_eq!(strangers_over_convert(&[first, workspace("textcodec-arrow-datafusion")]).unwrap().len(), 1);
    }

    #[test]
    fn an_error_names_both_ends() {
        let [violation] = &violations_of("textcodec-cjk-korean", "serde", Value::Null, false)[..] else { panic!() };
        assert_eq!(violation, "textcodec-cjk-korean -> serde: a family depends on the core and the kernels only");
    }
    /// The complaints about a dependency of one crate on another crate of version 0.1.0, in another workspace.
    fn loose(requirement: &str, kind: Value, publish: Value) -> Vec<String> {
        let dependency = json!({ "name": CORE, "req": requirement, "kind": kind });
        let from = json!({ "name": "from", "version": "0.1.0", "publish": publish, "dependencies": [dependency] });
        let core = json!({ "name": CORE, "version": "0.1.0", "publish": null, "dependencies": [] });
        loose_requirements(&[json!({ "packages": [core] }), json!({ "packages": [from] })]).unwrap()
    }

    #[test]
    fn crates_of_one_release_require_each_other_exactly() {
        let (published, unpublished) = (Value::Null, json!([]));
        assert!(loose("=0.1.0", Value::Null, published.clone()).is_empty());
        for requirement in ["^0.1.0", "0.1", "*", "=0.1", "=0.1.1", "~0.1.0"] {
            assert_eq!(loose(requirement, Value::Null, published.clone()).len(), 1, "{requirement}");
        }
        assert!(loose("*", json!("dev"), published).is_empty());
        assert!(loose("*", Value::Null, unpublished.clone()).is_empty());
        let [complaint] = &loose("^0.1.0", Value::Null, unpublished)[..] else { panic!() };
        assert_eq!(complaint, "from -> textcodec-core: the version is \"^0.1.0\" and must be \"=0.1.0\"");
    }
}
