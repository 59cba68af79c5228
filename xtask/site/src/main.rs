//! Writes the site of textcodec: static pages made from the project's own crates, documents and figures.
//!
//! `cargo xtask site` runs it. Every fact about an encoding comes from the crate `textcodec` itself.

use std::{
    fs,
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use clap::Parser;

mod contexts;
mod data_files;
mod diagrams;
mod encodings;
mod figures;
mod home;
mod indexes;
mod markdown;
mod pages;
mod section;
mod systems;
mod text;

/// Writes the site.
#[derive(Parser)]
struct Options {
    /// The folder to write to.
    output: PathBuf,
    /// The folder with the documentation that rustdoc wrote; the site links to a copy of it.
    #[arg(long)]
    rustdoc: Option<PathBuf>,
    /// textcodec as a WebAssembly module, for the playground.
    #[arg(long, requires = "wasm_detect")]
    wasm: Option<PathBuf>,
    /// The same module built with SIMD instructions.
    #[arg(long, requires = "wasm")]
    wasm_simd: Option<PathBuf>,
    /// The detector as a WebAssembly module.
    #[arg(long, requires = "wasm")]
    wasm_detect: Option<PathBuf>,
    /// Writes no site, but a table of all sequences and their code points to the path `output`, for
    /// xtask/site/facts/collect.py.
    #[arg(long)]
    table: bool,
}

fn main() -> Result<()> {
    let options = Options::parse();
    if options.table {
        let mut table = BufWriter::new(fs::File::create(&options.output)?);
        section::write_table(&mut table)?;
        return Ok(table.flush()?);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .context("the package is in xtask/site of the project")?;
    let site = Site { root, output: &options.output };
    if let Some(rustdoc) = &options.rustdoc {
        site.copy_folder(rustdoc, &options.output.join("rustdoc"))?;
    }
    for entry in fs::read_dir(root.join("xtask/site/assets"))? {
        let entry = entry?;
        let name = entry.file_name();
        site.write(&format!("assets/{}", name.to_string_lossy()), &fs::read_to_string(entry.path())?)?;
    }
    let encodings = encodings::all()?;
    let indexes = indexes::all();
    data_files::write(&site, &encodings, &indexes)?;
    data_files::write_detector(&site, options.wasm_detect.as_deref())?;
    let has_wasm = data_files::write_wasm(&site, options.wasm.as_deref(), options.wasm_simd.as_deref())?;
    pages::write(&site, &encodings, &indexes, has_wasm, options.rustdoc.is_some())
}

/// Where the site comes from and where it goes.
pub(crate) struct Site<'a> {
    /// The project's root.
    pub(crate) root: &'a Path,
    /// The folder of the site.
    pub(crate) output: &'a Path,
}

impl Site<'_> {
    /// Writes a file of the site. `path` has `/` between its parts.
    pub(crate) fn write(&self, path: &str, text: &str) -> Result<()> {
        let path = self.output.join(path);
        let folder = path.parent().expect("the path of a file has a folder");
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// The text of a file of the project.
    pub(crate) fn read(&self, path: &str) -> Result<String> {
        fs::read_to_string(self.root.join(path)).with_context(|| format!("cannot read {path}"))
    }

    fn copy_folder(&self, from: &Path, to: &Path) -> Result<()> {
        fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
        for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
            let entry = entry?;
            let target = to.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                self.copy_folder(&entry.path(), &target)?;
            } else {
                fs::copy(entry.path(), &target).with_context(|| format!("cannot copy to {}", target.display()))?;
            }
        }
        Ok(())
    }
}
