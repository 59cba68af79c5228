//! The site: charts, coverage maps, search, playground and documents, as static pages.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::wasm;

/// The packages that do the work when the site is written. Without optimization it takes a minute instead of four
/// seconds, and to optimize all dependencies takes another minute.
const OPTIMIZED: [&str; 11] = [
    "textcodec",
    "textcodec-core",
    "textcodec-kernels",
    "textcodec-single-byte",
    "textcodec-cjk-chinese",
    "textcodec-cjk-japanese",
    "textcodec-cjk-korean",
    "textcodec-utf8",
    "textcodec-utf16",
    "textcodec-sniff",
    "textcodec-site",
];

/// What the site contains.
#[derive(Args)]
pub(crate) struct Options {
    /// Leaves out the documentation that rustdoc writes, which takes half of the time.
    #[arg(long)]
    without_rustdoc: bool,
}

/// Writes the site to `target/site`.
pub(crate) fn write(root: &Path, options: &Options) -> Result<()> {
    let output = root.join("target/site");
    if output.exists() {
        std::fs::remove_dir_all(&output).with_context(|| format!("cannot remove {}", output.display()))?;
    }
    let mut arguments: Vec<OsString> = ["run", "--quiet", "-p", "textcodec-site"].map(Into::into).into();
    for package in OPTIMIZED {
        arguments.push("--config".into());
        arguments.push(format!("profile.dev.package.{package}.opt-level=1").into());
    }
    arguments.extend(["--".into(), output.clone().into()]);
    if !options.without_rustdoc {
        let folder = root.join("target/site-rustdoc");
        let packages = [
            "doc",
            "--quiet",
            "--no-deps",
            "--all-features",
            "-p",
            "textcodec",
            "-p",
            "textcodec-core",
            "-p",
            "textcodec-sniff",
        ];
        let mut arguments_of_doc: Vec<OsString> = packages.map(Into::into).into();
        arguments_of_doc.extend(["--target-dir".into(), folder.clone().into_os_string()]);
        cargo(root, &arguments_of_doc).context("rustdoc")?;
        arguments.extend(["--rustdoc".into(), folder.join("doc").into()]);
    }
    if let Some([plain, simd, detect]) = wasm(root) {
        arguments.extend(["--wasm".into(), plain.into(), "--wasm-simd".into(), simd.into()]);
        arguments.extend(["--wasm-detect".into(), detect.into()]);
    }
    cargo(root, &arguments).context("the pages")?;
    println!("target/site/index.html");
    Ok(())
}

/// Builds textcodec for WebAssembly, without and with vectors, and the detector; `None`, after a message, if this
/// machine cannot.
fn wasm(root: &Path) -> Option<[PathBuf; 3]> {
    let folder = root.join("target/site-wasm");
    match wasm::build(root, &wasm::Options::everything(folder.clone())) {
        Ok(()) => {
            Some(["textcodec.wasm", "textcodec.simd.wasm", "textcodec.detect.wasm"].map(|file| folder.join(file)))
        }
        Err(error) => {
            println!("The site has no playground: {error:#}");
            None
        }
    }
}

fn cargo(root: &Path, arguments: &[OsString]) -> Result<()> {
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments).current_dir(root);
    let status = command.status().context("cannot run cargo")?;
    ensure!(status.success(), "cargo {} failed", arguments[0].to_string_lossy());
    Ok(())
}
