//! The man pages of the program, which the program itself knows how to write.

use std::{fs, path::Path, process::Command};

use anyhow::{Context, Result, ensure};

/// Writes a man page for the program and for each of its commands to `target/man`.
pub(crate) fn write(root: &Path) -> Result<()> {
    let directory = root.join("target/man");
    fs::create_dir_all(&directory)?;
    let mut program = Command::new(env!("CARGO"));
    program.args(["run", "--quiet", "--locked", "-p", "textcodec-cli", "--", "man"]).arg(&directory).current_dir(root);
    let status = program.status().context("cannot run cargo")?;
    ensure!(status.success(), "the program cannot write its man pages");
    println!("target/man");
    Ok(())
}
