//! Compiles the test in C and runs it, and looks at the symbols of the shared library.

use std::{
    path::Path,
    process::{Command, Output},
};

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A library that cargo has built for this test.
#[cfg(target_os = "linux")]
fn built(name: &str) -> std::path::PathBuf {
    let library = std::env::current_exe().unwrap().with_file_name(name);
    assert!(library.exists(), "{} does not exist", library.display());
    library
}

/// The installed ones of these commands.
fn installed(commands: &[&'static str]) -> Vec<&'static str> {
    let works =
        |command: &&str| Command::new(command).arg("--version").output().is_ok_and(|output| output.status.success());
    let found: Vec<_> = commands.iter().copied().filter(works).collect();
    if found.is_empty() {
        println!("Not checked: libtextcodec-iconv with {}, which is not installed.", commands.join(" or "));
    }
    found
}

fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let texts = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{command:?} {}\n{}{}", output.status, texts[0], texts[1]);
    output
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_in_c_calls_every_function() {
    let scratch = tempfile::tempdir().unwrap();
    for compiler in installed(&["gcc", "clang"]) {
        let program = scratch.path().join(compiler);
        succeed(compile(compiler, &program).arg("-g"));
        succeed(&mut Command::new(&program));
        // The labels of browsers, if the environment asks for them with this number.
        for value in ["1", "0", "", "11", "yes"] {
            succeed(Command::new(&program).env("TEXTCODEC_ICONV_WHATWG", value));
        }
    }
    if installed(&["valgrind"]).is_empty() {
        return;
    }
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--error-exitcode=99"]).arg(scratch.path().join("gcc"));
    succeed(valgrind.arg("without-the-next-library"));
}

#[test]
fn the_header_compiles_as_cpp() {
    let header = folder().join("include/textcodec-iconv.h");
    for compiler in installed(&["g++", "clang++"]) {
        let mut command = Command::new(compiler);
        command.args(["-std=c++17", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "-x", "c++"]);
        succeed(command.arg("-include").arg(&header).arg("/dev/null"));
    }
}

/// AddressSanitizer sees each allocation of the library, because it takes the place of malloc, and finds one that is
/// not freed.
#[test]
#[cfg(target_os = "linux")]
fn the_address_sanitizer_finds_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let program = scratch.path().join("program");
    for compiler in installed(&["gcc"]) {
        let mut command = compile(compiler, &program);
        if command.arg("-fsanitize=address,undefined").arg("-fno-sanitize-recover=all").status().unwrap().success() {
            succeed(&mut Command::new(&program));
        } else {
            println!("Not checked: libtextcodec-iconv under AddressSanitizer, which is not installed.");
        }
    }
}

/// The command that compiles the test in C with the static library.
#[cfg(target_os = "linux")]
fn compile(compiler: &str, program: &Path) -> Command {
    let mut command = Command::new(compiler);
    command.args(["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I"]).arg(folder().join("include"));
    command.arg(folder().join("tests/c/test.c")).arg(built("libtextcodec_capi_iconv.a"));
    command.args(["-lpthread", "-ldl", "-lm", "-o"]).arg(program);
    command
}

#[test]
#[cfg(target_os = "linux")]
fn the_shared_library_exports_the_functions_of_the_header_alone() {
    if installed(&["nm"]).is_empty() {
        return;
    }
    let printed = succeed(Command::new("nm").args(["-D", "--defined-only"]).arg(built("libtextcodec_capi_iconv.so")));
    let text = String::from_utf8(printed.stdout).unwrap();
    let mut symbols: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
    symbols.sort_unstable();
    let names = ["iconv", "iconv_close", "iconv_open", "iconvctl"];
    let others = ["libiconv", "libiconv_close", "libiconv_open", "libiconvctl"];
    assert_eq!(symbols, [names, others].concat());
    let header = std::fs::read_to_string(folder().join("include/textcodec-iconv.h")).unwrap();
    assert!(symbols.iter().all(|symbol| header.contains(&format!(" {symbol}("))));
}
