//! Sets `cfg(vectors)`, and `cfg(vectors = "x86_64")`, `"aarch64"` or `"wasm32"`, where the feature `vectors`, the
//! target and the compiler allow vector code; on x86-64 also `cfg(vectors = "sse41")` with the feature `sse41`; with
//! any of the last three also `cfg(vectors = "v128")`, for the bodies that they share; `cfg(freezing)` where an empty
//! assembly block makes memory initialised: stable Rust has `asm!`, and neither the feature `zeroed` nor Miri, which
//! knows no assembly, asks for zeros; and `cfg(select_unpredictable)` where the compiler has that function.

use std::{env, process::Command};

/// The architectures for which stable Rust has `asm!` since Rust 1.85 or before.
const WITH_ASSEMBLY: [&str; 8] = ["x86", "x86_64", "arm", "aarch64", "riscv32", "riscv64", "loongarch64", "s390x"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!(
        r#"cargo::rustc-check-cfg=cfg(freezing, select_unpredictable, vectors, values(none(), "x86_64", "sse41", "aarch64", "wasm32", "v128"))"#
    );
    let has = |variable, value: &str| env::var(variable).is_ok_and(|list: String| list.split(',').any(|v| v == value));
    let architecture = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let has_neon = has("CARGO_CFG_TARGET_FEATURE", "neon") && has("CARGO_CFG_TARGET_ENDIAN", "little");
    let has_simd128 = has("CARGO_CFG_TARGET_FEATURE", "simd128");
    let is_supported = match &*architecture {
        "x86_64" => true,
        "aarch64" => has_neon,
        "wasm32" => has_simd128,
        _ => false,
    };
    // AVX-512's intrinsics are stable since Rust 1.89. An unknown version counts as an old one, which is always
    // correct.
    let version = minor_version().unwrap_or(0);
    if is_supported && env::var_os("CARGO_FEATURE_VECTORS").is_some() && version >= 89 {
        println!("cargo::rustc-cfg=vectors");
        println!(r#"cargo::rustc-cfg=vectors="{architecture}""#);
        let has_sse41 = architecture == "x86_64" && env::var_os("CARGO_FEATURE_SSE41").is_some();
        if has_sse41 {
            println!(r#"cargo::rustc-cfg=vectors="sse41""#);
        }
        if has_sse41 || architecture != "x86_64" {
            println!(r#"cargo::rustc-cfg=vectors="v128""#);
        }
    }
    let wants_zeros = env::var_os("CARGO_FEATURE_ZEROED").is_some() || env::var_os("CARGO_CFG_MIRI").is_some();
    if WITH_ASSEMBLY.contains(&&*architecture) && !wants_zeros {
        println!("cargo::rustc-cfg=freezing");
    }
    if version >= 88 {
        println!("cargo::rustc-cfg=select_unpredictable");
    }
}

/// 89 for `rustc 1.89.0 (29483883e 2025-08-04)`.
fn minor_version() -> Option<u32> {
    let output = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    String::from_utf8(output.stdout).ok()?.split('.').nth(1)?.parse().ok()
}
