//! `cargo xtask sbom`: the packages in the program and in the libraries for other languages, as a bill of materials in
//! the form of [CycloneDX 1.5](https://cyclonedx.org/docs/1.5/json/).

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::depcheck::{array, text};

/// What users install, and the folder of its workspace.
const SHIPPED: [(&str, &str); 7] = [
    ("textcodec-cli", ""),
    ("textcodec-capi", ""),
    ("textcodec-capi-iconv", ""),
    ("textcodec-node", ""),
    ("textcodec-wasm", ""),
    ("textcodec-wasm-parts", ""),
    ("textcodec-python", "crates/python"),
];

/// Writes NAME.cdx.json for each of the packages to the folder `out`.
pub(crate) fn write(root: &Path, out: &Path) -> Result<()> {
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    for (name, workspace) in SHIPPED {
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--format-version", "1", "--locked"])
            .current_dir(root.join(workspace))
            .stderr(Stdio::inherit())
            .output()
            .context("cannot run cargo metadata")?;
        ensure!(output.status.success(), "cargo metadata failed");
        let bill = bill(&serde_json::from_slice(&output.stdout)?, name)?;
        let path = out.join(format!("{name}.cdx.json"));
        fs::write(&path, format!("{bill:#}\n")).with_context(|| format!("cannot write {}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}

/// The bill of materials of the package `name`: all packages that it is built from, without those of its tests.
fn bill(metadata: &Value, name: &str) -> Result<Value> {
    let mut packages = BTreeMap::new();
    for package in array(metadata, "packages")? {
        packages.insert(text(package, "id")?, package);
    }
    let mut edges = BTreeMap::new();
    for node in array(&metadata["resolve"], "nodes")? {
        let is_built = |dependency: &&Value| {
            dependency["dep_kinds"].as_array().is_none_or(|kinds| kinds.iter().any(|kind| kind["kind"] != "dev"))
        };
        let to = array(node, "deps")?.iter().filter(is_built).map(|dependency| text(dependency, "pkg"));
        edges.insert(text(node, "id")?, to.collect::<Result<Vec<_>>>()?);
    }
    let first = packages.iter().find(|(_, package)| package["name"] == name);
    let first = *first.with_context(|| format!("there is no package {name}"))?.0;
    let (mut found, mut waiting) = (BTreeSet::from([first]), vec![first]);
    while let Some(id) = waiting.pop() {
        waiting.extend(edges.get(id).into_iter().flatten().filter(|to| found.insert(**to)));
    }

    let dependencies: Vec<Value> = found
        .iter()
        .map(|id| {
            let to: Vec<String> = edges.get(id).into_iter().flatten().map(|to| address(packages[to])).collect();
            json!({ "ref": address(packages[id]), "dependsOn": to })
        })
        .collect();
    let components: Vec<Value> =
        found.iter().filter(|id| **id != first).map(|id| component(packages[id], "library")).collect();
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": component(packages[first], "application") },
        "components": components,
        "dependencies": dependencies,
    }))
}

/// The entry of a package.
fn component(package: &Value, kind: &str) -> Value {
    let mut component = json!({
        "type": kind,
        "bom-ref": address(package),
        "purl": address(package),
        "name": package["name"],
        "version": package["version"],
    });
    if let Some(licence) = package["license"].as_str() {
        // Before cargo knew expressions, a slash stood for OR.
        component["licenses"] = json!([{ "expression": licence.replace('/', " OR ").replace("  ", " ") }]);
    }
    component
}

/// The [package URL](https://github.com/package-url/purl-spec) of a package.
fn address(package: &Value) -> String {
    let part = |key: &str| package[key].as_str().unwrap_or_default();
    format!("pkg:cargo/{}@{}", part("name"), part("version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bill_has_what_is_built_and_not_what_is_tested_with() {
        let package = |name: &str, licence: &str| json!({ "id": format!("{name} id"), "name": name, "version": "1.2.3", "license": licence });
        let dependency =
            |name: &str, kind: Value| json!({ "pkg": format!("{name} id"), "dep_kinds": [{ "kind": kind }] });
        let node = |name: &str, deps: Vec<Value>| json!({ "id": format!("{name} id"), "deps": deps });
        let metadata = json!({
            "packages": [package("program", "MIT"), package("library", "MIT/Apache-2.0"), package("tester", "MIT")],
            "resolve": { "nodes": [
                node("program", vec![dependency("library", Value::Null), dependency("tester", json!("dev"))]),
                node("library", vec![]),
                node("tester", vec![]),
            ] },
        });
        let bill = bill(&metadata, "program").unwrap();
        assert_eq!(bill["metadata"]["component"]["purl"], "pkg:cargo/program@1.2.3");
        let components = bill["components"].as_array().unwrap();
        assert_eq!(components.len(), 1);
        assert_eq!(components[0]["name"], "library");
        assert_eq!(components[0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(
            bill["dependencies"][1],
            json!({ "ref": "pkg:cargo/program@1.2.3", "dependsOn": ["pkg:cargo/library@1.2.3"] })
        );
    }
}
