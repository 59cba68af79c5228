//! Builds crates/wasm for web pages: the files that a page needs, in one folder.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};
use clap::Args;

/// The target's name for rustc.
const TARGET: &str = "wasm32-unknown-unknown";

/// The library that Cargo builds, in the folder of the target and the profile.
const LIBRARY: &str = "wasm32-unknown-unknown/wasm/textcodec_wasm.wasm";

/// The script that calls the library. It needs no other script.
const ENGINE: &str = "crates/wasm/lib/engine.mjs";

/// The size of the stack, in bytes. The greatest use by the tests is below a third of it.
const STACK: u32 = 64 * 1024;

/// A build of the library.
struct Build {
    /// The name of the file.
    file: &'static str,
    /// The target's features.
    features: &'static str,
    /// The greatest allowed size of the whole library, in KB of 1000 bytes.
    ceiling: u64,
}

/// The features of the smallest library that decodes everything.
const DECODE_EVERYTHING: &str = "single-byte,cjk-chinese,cjk-japanese,cjk-korean";

const SMALLEST: [Build; 1] = [Build { file: "textcodec.smallest.wasm", features: "", ceiling: 169 }];

const BUILDS: [Build; 2] = [
    Build { file: "textcodec.wasm", features: "", ceiling: 340 },
    Build { file: "textcodec.simd.wasm", features: "-Ctarget-feature=+simd128", ceiling: 402 },
];

/// The options of the command.
#[derive(Args)]
pub(crate) struct Options {
    /// The features of crates/wasm, separated by commas, for a smaller library: for example encode,cjk-japanese. UTF-8
    /// and UTF-16 are always there. Without this option the library has everything.
    #[arg(long)]
    features: Option<String>,
    /// Builds instead the smallest library that decodes everything, without vectors, and compares its size with its
    /// ceiling.
    #[arg(long, conflicts_with = "features")]
    smallest: bool,
    /// The folder for the files, relative to the project's root.
    #[arg(long, default_value = "target/web")]
    out: PathBuf,
}

impl Options {
    /// Everything, into the folder `out`.
    pub(crate) fn everything(out: PathBuf) -> Self {
        Options { features: None, smallest: false, out }
    }
}

/// Builds the library with and without vectors, and puts it next to the script that calls it. Fails if a whole library
/// is larger than its ceiling.
pub(crate) fn build(root: &Path, options: &Options) -> Result<()> {
    let out = root.join(&options.out);
    fs::create_dir_all(&out)?;
    let mut too_large = Vec::new();
    for build in if options.smallest { &SMALLEST[..] } else { &BUILDS[..] } {
        let size = build.run(root, options, &out)?;
        println!("{:7.1} KB  {}", size as f64 / 1000.0, build.file);
        if options.features.is_none() && size > 1000 * build.ceiling {
            too_large.push(format!("{} has {size} bytes, and its ceiling is {} KB", build.file, build.ceiling));
        }
    }
    fs::copy(root.join(ENGINE), out.join("engine.mjs"))?;
    println!("The files are in {}.", options.out.display());
    ensure!(too_large.is_empty(), "{}", too_large.join("\n"));
    Ok(())
}

impl Build {
    /// Builds the library and copies it to the folder `out`. Returns its size in bytes.
    fn run(&self, root: &Path, options: &Options, out: &Path) -> Result<u64> {
        // The two builds share no file, so each has a folder: Cargo would build everything again after the other build.
        let folder = root.join("target/wasm-build").join(self.file);
        let mut command = if is_installed() {
            let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
            cargo.args(["build", "--locked", "--target", TARGET]);
            cargo
        } else {
            // The standard library comes from Debian's packages there.
            let mut script = Command::new(root.join(".ci/cross"));
            script.args(["build", "wasm32"]);
            script
        };
        command.args(["--quiet", "-p", "textcodec-wasm", "--profile", "wasm", "--target-dir"]).arg(&folder);
        let features = if options.smallest { Some(DECODE_EVERYTHING) } else { options.features.as_deref() };
        if let Some(features) = features {
            command.args(["--no-default-features", "--features", features]);
        }
        let flags = format!("-Clink-arg=-zstack-size={STACK} {}", self.features);
        command.env("RUSTFLAGS", flags.trim()).env_remove("CARGO_ENCODED_RUSTFLAGS").current_dir(root);
        let status = command.status().context("cannot run cargo")?;
        ensure!(
            status.success(),
            "the library cannot be built for {TARGET}. Its standard library comes from `rustup target add {TARGET}`, or from the \
             packages of Debian 12 and later, which this command takes itself if there is no rustup"
        );
        let size = fs::copy(folder.join(LIBRARY), out.join(self.file)).context("cannot copy the library")?;
        Ok(size)
    }
}

/// Whether the standard library of the target is installed.
fn is_installed() -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output();
    output.is_ok_and(|output| {
        output.status.success() && Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir()
    })
}
