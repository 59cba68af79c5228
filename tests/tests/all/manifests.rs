//! The `Cargo.toml` snippets of the documents: each one builds, together with the example that it stands with.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The documents with snippets, and the number of snippets in each.
const DOCUMENTS: [(&str, usize); 4] = [
    ("README.md", 1),
    ("crates/textcodec/guide/use-one-encoding-only.md", 2),
    ("crates/textcodec/guide/use-what-you-need.md", 5),
    ("crates/textcodec/guide/replace-encoding-rs.md", 3),
];

/// The packages of the project that a snippet can name, and their folders in `crates`.
const PACKAGES: [(&str, &str); 11] = [
    ("textcodec", "textcodec"),
    ("textcodec-core", "core"),
    ("textcodec-kernels", "kernels"),
    ("textcodec-utf8", "utf8"),
    ("textcodec-utf16", "utf16"),
    ("textcodec-single-byte", "single-byte"),
    ("textcodec-cjk-chinese", "cjk-chinese"),
    ("textcodec-cjk-japanese", "cjk-japanese"),
    ("textcodec-cjk-korean", "cjk-korean"),
    ("textcodec-sniff", "sniff"),
    ("textcodec-encoding-rs", "encoding-rs"),
];

/// A fenced block of a document.
struct Block {
    language: String,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn blocks(document: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let text = lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
            blocks.push(Block { language: language.to_owned(), text });
        }
    }
    blocks
}

/// rustdoc ignores an example that needs a dependency of its snippet.
fn is_example(block: &Block) -> bool {
    ["", "rust", "rust,ignore"].contains(&&*block.language)
}

/// The snippets of a document, each with the example that must compile with it, which is the next one. In the README, a
/// snippet stands alone, and a program that names the package must compile with it.
fn snippets(path: &str, document: &str) -> Vec<(String, String)> {
    let blocks = blocks(document);
    let of_snippet = |(at, block): (usize, &Block)| {
        let example = blocks[at + 1..].iter().find(|block| is_example(block)).map(|block| block.text.clone());
        let alone = || (path == "README.md").then(|| "use encoding_rs as _;\n".to_owned());
        let Some(example) = example.or_else(alone) else {
            panic!("{path}: no example stands with this snippet:\n{}", block.text);
        };
        (block.text.clone(), example)
    };
    blocks.iter().enumerate().filter(|(_, block)| block.language == "toml").map(of_snippet).collect()
}

/// An example as rustdoc would compile it: hidden lines shown, in a function that can fail.
fn program(example: &str) -> String {
    let shown: String = example
        .lines()
        .map(|line| match line.strip_prefix('#') {
            Some("") => "\n".to_owned(),
            Some(hidden) if hidden.starts_with(' ') => format!("{}\n", &hidden[1..]),
            _ => format!("{line}\n"),
        })
        .collect();
    let result = if shown.contains("\nOk::<") { "-> Result<(), impl std::fmt::Debug>" } else { "" };
    format!("fn main() {{\n    let _ = example();\n}}\n\nfn example() {result} {{\n{shown}}}\n")
}

#[test]
fn every_cargo_toml_snippet_builds_with_its_example() {
    let root = root();
    let folder = root.join("target/manifests");
    for (path, count) in DOCUMENTS {
        let document = fs::read_to_string(root.join(path)).unwrap();
        let snippets = snippets(path, &document);
        assert_eq!(snippets.len(), count, "{path}: the number of snippets");
        for (number, (snippet, example)) in snippets.iter().enumerate() {
            let name = format!("{}-{number}", Path::new(path).file_stem().unwrap().to_str().unwrap());
            let package = folder.join(name.to_lowercase());
            let _ = fs::remove_dir_all(&package);
            fs::create_dir_all(package.join("src")).unwrap();
            fs::write(package.join("Cargo.toml"), manifest(&root, snippet)).unwrap();
            // The versions of the workspace, which are there without a network.
            fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock")).unwrap();
            fs::write(package.join("src/main.rs"), program(example)).unwrap();
            let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
                .args(["check", "--offline", "--quiet", "--target-dir"])
                .arg(folder.join("target"))
                .current_dir(&package)
                .output()
                .unwrap();
            assert!(output.status.success(), "{path}:\n{snippet}\n{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

/// The manifest of a package with the dependencies of `snippet`, which come from this repository. A snippet of patches
/// stands in a package that depends on encoding_rs.
fn manifest(root: &Path, snippet: &str) -> String {
    let path = |folder: &str| format!("path = {:?}", root.join("crates").join(folder).display().to_string());
    let patch = |(name, folder): (&str, &str)| format!("{name} = {{ {} }}\n", path(folder));
    let (dependencies, patches) = match snippet.strip_prefix("[patch.crates-io]\n") {
        Some(patches) => {
            ("[dependencies]\nencoding_rs = \"0.8\"\n", patches.replace(REPOSITORY, &path("encoding-rs/patch")))
        }
        None => (snippet, PACKAGES.map(patch).concat()),
    };
    assert!(dependencies.starts_with("[dependencies]\n"), "a snippet says where it belongs:\n{snippet}");
    format!(
        "[package]\nname = \"snippet\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n{dependencies}\n\
         [patch.crates-io]\n{patches}\n[workspace]\n"
    )
}

/// The place of the packages in snippets of patches.
const REPOSITORY: &str = "git = \"https://github.com/textcodec/textcodec\"";

#[test]
fn no_document_with_a_snippet_is_forgotten() {
    let root = root();
    let guide = root.join("crates/textcodec/guide");
    let pages = fs::read_dir(guide).unwrap().map(|entry| entry.unwrap().path());
    for path in pages.chain([root.join("README.md")]) {
        let has_snippet = fs::read_to_string(&path).unwrap().contains("```toml");
        let is_listed = DOCUMENTS.iter().any(|(document, _)| root.join(document) == path);
        assert_eq!(has_snippet, is_listed, "{}", path.display());
    }
}
