//! Builds a program for a platform, runs it, and returns its size.

use std::{
    env,
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};

use crate::files;

/// The folder of the programs and their builds, relative to the project's root. It can be removed at any time.
const FOLDER: &str = "target/sizes";

/// The input of the programs, which shows whether they work: a word in windows-1252, which is malformed in UTF-8 and
/// Shift_JIS.
pub(super) const INPUT: &[u8] = b"caf\xE9";

/// The manifest before the dependencies. Each program is a workspace of its own, because it is inside the project. The
/// names of the packages differ, because Cargo treats packages as equal if only their folders differ.
const MANIFEST: &str = r#"[package]
name = "$name"
edition = "2024"

[workspace]

[profile.release]
opt-level = $opt-level
lto = "fat"
codegen-units = 1
panic = "abort"
strip = true
$more
"#;

/// The part of every program for this machine. The program converts its input to its output.
const NATIVE_MAIN: &str = r#"use std::io::{Read, Write, stdin, stdout};

fn main() {
    let mut source = Vec::new();
    if stdin().read_to_end(&mut source).is_err() || stdout().write_all(&convert(source)).is_err() {
        std::process::exit(1);
    }
}

#[allow(dead_code)]
fn argument(place: usize) -> Option<String> {
    std::env::args().nth(place)
}
"#;

/// The part of every program for wasm32. Argument 0 is the input. The host gives one byte at a time, because that needs
/// no `unsafe` code and little room.
const WASM_MAIN: &str = r#"unsafe extern "C" {
    /// The next byte of an argument; -1 at its end.
    safe fn next_byte(place: usize) -> i32;
    safe fn put_byte(byte: u8);
}

fn bytes(place: usize) -> Vec<u8> {
    std::iter::from_fn(|| u8::try_from(next_byte(place)).ok()).collect()
}

#[unsafe(no_mangle)]
pub extern "C" fn run() {
    convert(bytes(0)).into_iter().for_each(|byte| put_byte(byte));
}

#[allow(dead_code)]
fn argument(place: usize) -> Option<String> {
    String::from_utf8(bytes(place)).ok().filter(|argument| !argument.is_empty())
}
"#;

/// Runs a program for wasm32 in Node.js: the program's path and its arguments are the arguments of the script.
const WASM_HOST: &str = "
const { readFileSync } = require('node:fs');
const [, path, ...rest] = process.argv;
const parts = [readFileSync(0), ...rest.map((argument) => Buffer.from(argument))];
const places = parts.map(() => 0);
const output = [];
const env = {
    next_byte: (part) => parts[part]?.[places[part]++] ?? -1,
    put_byte: (byte) => output.push(byte),
};
new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), { env }).exports.run();
process.stdout.write(Buffer.from(output));
";

/// The processor and system that a program is built for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Platform {
    /// This machine; optimised for speed.
    Native,
    /// WebAssembly in a web page; optimised for size.
    Wasm32,
}

impl Platform {
    /// The target's name for rustc; `None` for this machine.
    pub(super) fn target(self) -> Option<&'static str> {
        match self {
            Platform::Native => None,
            Platform::Wasm32 => Some("wasm32-unknown-unknown"),
        }
    }

    /// Whether the standard library of the platform is installed.
    pub(super) fn is_installed(self) -> bool {
        let Some(target) = self.target() else { return true };
        let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let output = Command::new(rustc).args(["--print", "target-libdir", "--target", target]).output();
        output.is_ok_and(|output| {
            Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir() && output.status.success()
        })
    }

    /// The code that every program for this platform has.
    fn main(self) -> (&'static str, &'static str) {
        match self {
            Platform::Native => ("src/main.rs", NATIVE_MAIN),
            Platform::Wasm32 => ("src/lib.rs", WASM_MAIN),
        }
    }

    /// The manifest of the program `name`, without its dependencies.
    fn manifest(self, name: &str) -> String {
        let (opt_level, more) = match self {
            Platform::Native => ("3", ""),
            Platform::Wasm32 => ("\"z\"", "\n[lib]\ncrate-type = [\"cdylib\"]\n"),
        };
        MANIFEST.replace("$name", name).replace("$opt-level", opt_level).replace("$more", more)
    }

    /// The path of the program `name` in the folder of builds.
    fn path(self, name: &str) -> PathBuf {
        match self {
            Platform::Native => Path::new("release").join(format!("{name}{}", env::consts::EXE_SUFFIX)),
            Platform::Wasm32 => {
                Path::new("wasm32-unknown-unknown/release").join(format!("{}.wasm", name.replace('-', "_")))
            }
        }
    }

    /// The command that runs `program`.
    fn command(self, program: &Path) -> Command {
        match self {
            Platform::Native => Command::new(program),
            Platform::Wasm32 => {
                let mut command = Command::new("node");
                command.args(["-e", WASM_HOST]).arg(program);
                command
            }
        }
    }
}

/// A program, without the part that all programs share.
pub(super) struct Source {
    /// The lines of the manifest after `[dependencies]`.
    pub(super) dependencies: String,
    /// The code, which has a function `convert`.
    pub(super) code: String,
}

impl Source {
    /// A program without dependencies.
    pub(super) fn alone(code: &str) -> Self {
        Source { dependencies: String::new(), code: code.to_owned() }
    }

    /// A program that depends on packages of the project, which are given with their folders. `features` replace the
    /// default features.
    pub(super) fn ours(packages: &[(&str, &str)], features: Option<&str>, code: &str) -> Self {
        let mut dependencies = String::new();
        for (name, path) in packages {
            let features = features
                .map_or(String::new(), |features| format!(", default-features = false, features = [{features}]"));
            writeln!(dependencies, "{name} = {{ path = {:?}{features} }}", project(path))
                .expect("a String takes everything");
        }
        Source { dependencies, code: code.to_owned() }
    }

    /// A program that depends on a package of the project under the name of encoding_rs.
    pub(super) fn renamed(package: &str, path: &str, code: &str) -> Self {
        let dependencies = format!("encoding_rs = {{ package = {package:?}, path = {:?} }}\n", project(path));
        Source { dependencies, code: code.to_owned() }
    }

    /// A program that depends on encoding_rs with `features`.
    pub(super) fn theirs(features: &str, code: &str) -> Self {
        let dependencies = format!("encoding_rs = {{ version = \"*\", features = [{features}] }}\n");
        Source { dependencies, code: code.to_owned() }
    }
}

/// The full path of `path`, which is relative to the project's root.
pub(super) fn project(path: &str) -> String {
    files::root().join(path).display().to_string()
}

/// Builds the program `name` for `platform`, checks that it writes `output` for [`INPUT`], and returns its size in
/// bytes.
pub(super) fn size(platform: Platform, name: &str, source: &Source, output: &[u8]) -> Result<u64> {
    let program = build(platform, name, source)?;
    for arguments in [&["windows-1252", "utf-8"][..], &["windows-1252", "utf-8", "by way of UTF-16"]] {
        let mut command = platform.command(&program);
        let mut child = match command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() {
            // Without Node.js the size is known all the same.
            Err(error) if platform != Platform::Native && error.kind() == io::ErrorKind::NotFound => continue,
            child => child.with_context(|| format!("cannot run {}", program.display()))?,
        };
        child.stdin.take().context("the program has no input")?.write_all(INPUT)?;
        let written = child.wait_with_output()?.stdout;
        ensure!(written == output, "{} wrote {}", program.display(), written.escape_ascii());
    }
    Ok(fs::metadata(program)?.len())
}

/// Builds the program `name` and returns the path of the executable.
fn build(platform: Platform, name: &str, source: &Source) -> Result<PathBuf> {
    let root = files::root();
    let folder = root.join(FOLDER).join(name);
    let write = |path: &str, text: &str| files::ensure_file_contents(&folder.join(path), text, false);
    write("Cargo.toml", &format!("{}\n[dependencies]\n{}", platform.manifest(name), source.dependencies))?;
    // The lock file of the project pins the versions. Cargo removes the packages that the program does not need.
    write("Cargo.lock", &files::read(root, "Cargo.lock")?)?;
    let (path, main) = platform.main();
    write(path, &format!("{main}{}", source.code))?;

    let target = root.join(FOLDER).join("target");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--release", "--offline", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .args(platform.target().map(|target| format!("--target={target}")))
        // Only these flags: they make the paths in panic messages independent of the project's folder.
        .env("CARGO_ENCODED_RUSTFLAGS", format!("--remap-path-prefix={}=.", root.display()))
        .env_remove("CARGO_BUILD_TARGET")
        .current_dir(root)
        .status()
        .context("cannot run cargo build")?;
    ensure!(
        status.success(),
        "cannot build the program {name}; if a package could not be downloaded, run `cargo fetch` and try again"
    );
    Ok(target.join(platform.path(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_names_the_project_s_packages_by_path() {
        let ours = Source::ours(&[("textcodec", "crates/textcodec")], None, "");
        assert_eq!(ours.dependencies, format!("textcodec = {{ path = {:?} }}\n", project("crates/textcodec")));
        let ours = Source::ours(&[("textcodec", "crates/textcodec")], Some("\"std\""), "");
        let end = ", default-features = false, features = [\"std\"] }\n";
        assert!(ours.dependencies.ends_with(end), "{}", ours.dependencies);
        let theirs = Source::theirs("\"fast\"", "");
        assert_eq!(theirs.dependencies, "encoding_rs = { version = \"*\", features = [\"fast\"] }\n");
    }

    #[test]
    fn programs_for_wasm32_are_libraries_that_are_optimised_for_size() {
        let manifest = Platform::Wasm32.manifest("a-b");
        assert!(
            manifest.contains("opt-level = \"z\"\n") && manifest.contains("crate-type = [\"cdylib\"]"),
            "{manifest}"
        );
        assert!(Platform::Wasm32.path("a-b").ends_with("a_b.wasm"));
        assert!(Platform::Native.manifest("a-b").contains("opt-level = 3\n"));
    }
}
