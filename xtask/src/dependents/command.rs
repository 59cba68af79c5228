//! Cargo as a child process with a time limit.

use std::{
    env,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};

/// The greatest time of one call of Cargo, in seconds. A suite builds in two to five minutes on two cores.
const LIMIT_SECONDS: u32 = 900;

/// Returns a call of Cargo in `folder`, which builds into the folder that all suites share.
///
/// `timeout` of the GNU core utilities ends Cargo and the tests that Cargo has started.
pub(super) fn cargo(folder: &Path, builds: &Path) -> Command {
    let mut command = Command::new("timeout");
    command
        .args(["--signal=KILL", &format!("{LIMIT_SECONDS}s")])
        .arg(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", builds)
        // Smaller and faster builds. Both converters are optimised, as they are in a release.
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_TERM_COLOR", "never")
        .env_remove("CARGO_BUILD_TARGET")
        .stdin(Stdio::null());
    command
}

/// Runs `command` and returns its standard output. It is an error if the command fails.
pub(super) fn output(command: &mut Command) -> Result<String> {
    let output = command.stderr(Stdio::piped()).output().with_context(|| format!("cannot run {command:?}"))?;
    ensure!(output.status.success(), "{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs `command`, which may fail, and returns whether it succeeded, and both of its outputs.
pub(super) fn run(command: &mut Command) -> Result<(bool, String)> {
    let output = command.output().with_context(|| format!("cannot run {command:?}"))?;
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    Ok((output.status.success(), text))
}
