//! The page about the characters that each encoding cannot write. The library that converts writes it, because it knows
//! the transliterations.

use std::{path::Path, process::Command};

use anyhow::{Context, Result, ensure};

/// Writes `docs/missing.md`. A test of the example compares the page.
pub(crate) fn write(root: &Path) -> Result<()> {
    let mut program = Command::new(env!("CARGO"));
    program.args(["run", "--quiet", "--locked", "-p", "textcodec-convert", "--example", "missing"]).current_dir(root);
    let status = program.status().context("cannot run cargo")?;
    ensure!(status.success(), "the example `missing` of textcodec-convert has failed");
    println!("docs/missing.md");
    Ok(())
}
