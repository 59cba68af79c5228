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

/// The package of the library.
const WHOLE: &str = "textcodec-wasm";
/// The package of the libraries that a page loads only if it asks.
const PARTS: &str = "textcodec-wasm-parts";

/// The script that calls the library. It needs no other script.
const ENGINE: &str = "crates/wasm/lib/engine.mjs";

/// The size of the stack of the library, in bytes. The greatest use by the tests is below a third of it.
const STACK: u32 = 64 * 1024;
/// The size of the stack of the other libraries, in bytes.
const STACK_OF_PARTS: u32 = 256 * 1024;

/// A build of a library.
struct Build {
    package: &'static str,
    /// The name of the file.
    file: &'static str,
    /// The only features of the package, unless a command chooses others; `None` for its default features.
    only: Option<&'static str>,
    /// The target's features.
    features: &'static str,
    stack: u32,
    /// The greatest allowed size of the whole library, in KB of 1000 bytes.
    ceiling: u64,
}

/// The features of the smallest library that decodes everything.
const DECODE_EVERYTHING: &str = "single-byte,cjk-chinese,cjk-japanese,cjk-korean";

const SMALLEST: [Build; 1] = [Build {
    package: WHOLE,
    file: "textcodec.smallest.wasm",
    only: Some(DECODE_EVERYTHING),
    features: "",
    stack: STACK,
    ceiling: 169,
}];

const BUILDS: [Build; 2] = [
    Build { package: WHOLE, file: "textcodec.wasm", only: None, features: "", stack: STACK, ceiling: 340 },
    Build {
        package: WHOLE,
        file: "textcodec.simd.wasm",
        only: None,
        features: "-Ctarget-feature=+simd128",
        stack: STACK,
        ceiling: 403,
    },
];

/// The libraries that a page loads only if it asks. Without vectors, because the detector scores a part of a text only.
const BUILDS_OF_PARTS: [Build; 2] = [
    Build {
        package: PARTS,
        file: "textcodec.detect.wasm",
        only: Some("detect"),
        features: "",
        stack: STACK_OF_PARTS,
        ceiling: 305,
    },
    Build {
        package: PARTS,
        file: "textcodec.charsets.wasm",
        only: Some("charsets"),
        features: "",
        stack: STACK_OF_PARTS,
        ceiling: 1316,
    },
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

/// Builds the library with and without vectors, and the parts, and puts them next to the script that calls the library.
/// Fails if a whole library is larger than its ceiling.
pub(crate) fn build(root: &Path, options: &Options) -> Result<()> {
    let out = root.join(&options.out);
    fs::create_dir_all(&out)?;
    let mut too_large = Vec::new();
    let builds: Vec<&Build> = match (options.smallest, &options.features) {
        (true, _) => SMALLEST.iter().collect(),
        (false, Some(_)) => BUILDS.iter().collect(),
        (false, None) => BUILDS.iter().chain(&BUILDS_OF_PARTS).collect(),
    };
    for build in builds {
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
        command.args(["--quiet", "-p", self.package, "--profile", "wasm", "--target-dir"]).arg(&folder);
        if let Some(features) = options.features.as_deref().or(self.only) {
            command.args(["--no-default-features", "--features", features]);
        }
        let flags = format!("-Clink-arg=-zstack-size={} {}", self.stack, self.features);
        command.env("RUSTFLAGS", flags.trim()).env_remove("CARGO_ENCODED_RUSTFLAGS").current_dir(root);
        let status = command.status().context("cannot run cargo")?;
        ensure!(
            status.success(),
            "the library cannot be built for {TARGET}. Its standard library comes from `rustup target add {TARGET}`, or from the \
             packages of Debian 12 and later, which this command takes itself if there is no rustup"
        );
        let library = format!("{TARGET}/wasm/{}.wasm", self.package.replace('-', "_"));
        let size = fs::copy(folder.join(library), out.join(self.file)).context("cannot copy the library")?;
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
