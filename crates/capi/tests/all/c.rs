//! Compiles the tests in C and C++ and runs them, and looks at the symbols of the shared library.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A library that cargo has built for this test. Building the crate alone with other features, in the same folder,
/// replaces it.
fn built(name: &str) -> PathBuf {
    let test = env::current_exe().unwrap();
    let library = test.with_file_name(name);
    assert!(library.exists(), "{} does not exist", library.display());
    library
}

/// The installed ones of these commands.
fn installed(commands: &[&'static str]) -> Vec<&'static str> {
    let works =
        |command: &&str| Command::new(command).arg("--version").output().is_ok_and(|output| output.status.success());
    let found: Vec<_> = commands.iter().copied().filter(works).collect();
    if found.is_empty() {
        println!("Not checked: libtextcodec with {}, which is not installed.", commands.join(" or "));
    }
    found
}

fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let texts = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{command:?}\n{}{}", texts[0], texts[1]);
    output
}

/// Compiles files of this crate and links them with the library.
fn compile(compiler: &str, files: &[&str], flags: &[&str], program: &Path) {
    let mut command = Command::new(compiler);
    command.args(["-Wall", "-Wextra", "-pedantic", "-Werror", "-g"]).args(flags);
    command.arg("-I").arg(folder().join("include"));
    command.args(files.iter().map(|file| folder().join(file)));
    command.arg(built("libtextcodec_capi.a")).arg("-o").arg(program);
    if cfg!(target_os = "linux") {
        command.args(["-lpthread", "-ldl", "-lm"]);
    }
    succeed(&mut command);
}

/// The output of a command, which must succeed.
fn output(command: &mut Command) -> String {
    String::from_utf8(succeed(command).stdout).unwrap()
}

/// The number of random texts for each encoding in `pieces.c`; the variable `TEXTCODEC_CAPI_ROUNDS` can set another.
fn rounds() -> usize {
    env::var("TEXTCODEC_CAPI_ROUNDS").map_or(10, |rounds| rounds.parse().unwrap())
}

#[test]
#[cfg(target_os = "linux")]
fn programs_in_c_call_every_function() {
    let files = ["tests/c/test.c", "tests/c/pieces.c"];
    let flags = ["-std=c99", "-O1", "-Wl,--wrap=malloc"];
    let scratch = tempfile::tempdir().unwrap();
    for compiler in installed(&["gcc", "clang"]) {
        let program = scratch.path().join(compiler);
        compile(compiler, &files, &flags, &program);
        let printed = output(Command::new(&program).arg(rounds().to_string()));
        // The same texts in Rust have the same results. A line is the number of an encoding and a fingerprint.
        let expected = crate::pieces::fingerprints(rounds());
        let wrong = printed.lines().zip(expected.lines()).find(|(printed, expected)| printed != expected);
        assert_eq!((wrong, printed.len()), (None, expected.len()), "{compiler}");
        if compiler == "gcc" && !installed(&["valgrind"]).is_empty() {
            let mut valgrind = Command::new("valgrind");
            succeed(valgrind.args(["--quiet", "--error-exitcode=9"]).arg(&program).arg("1"));
        }
    }
}

/// The sanitizers see what the programs in C do with the results: that no result leads out of its memory. Only valgrind
/// sees what the library itself does.
#[test]
#[cfg(target_os = "linux")]
fn sanitizers_find_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let empty = scratch.path().join("empty.c");
    fs::write(&empty, "int main(void) { return 0; }").unwrap();
    for compiler in installed(&["gcc", "clang"]) {
        let program = scratch.path().join(compiler);
        let mut has_sanitizers = Command::new(compiler);
        has_sanitizers.arg("-fsanitize=address,undefined").arg(&empty).arg("-o").arg(&program);
        if !has_sanitizers.output().is_ok_and(|output| output.status.success()) {
            println!("Not checked: libtextcodec under the sanitizers of {compiler}, which are not installed.");
            continue;
        }
        let flags = ["-std=c99", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-Wl,--wrap=malloc"];
        compile(compiler, &["tests/c/test.c", "tests/c/pieces.c"], &flags, &program);
        succeed(Command::new(&program).arg("1"));
        let (flags, cpp) =
            (["-std=c++17", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"], "tests/c/test.cpp");
        compile(if compiler == "gcc" { "g++" } else { "clang++" }, &[cpp], &flags, &program);
        succeed(&mut Command::new(&program));
        return;
    }
}

#[test]
fn programs_in_cpp_call_the_classes() {
    for compiler in installed(&["g++", "clang++"]) {
        let scratch = tempfile::tempdir().unwrap();
        let program = scratch.path().join("program");
        for file in ["tests/c/test.cpp", "tests/c/matrix.cpp"] {
            compile(compiler, &[file], &["-std=c++17", "-fno-exceptions", "-fno-rtti"], &program);
            succeed(&mut Command::new(&program));
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_shared_library_exports_the_functions_of_the_header_alone() {
    if installed(&["nm"]).is_empty() {
        return;
    }
    let text = output(Command::new("nm").args(["-D", "--defined-only"]).arg(built("libtextcodec_capi.so")));
    let symbols: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
    assert!(symbols.len() > 60, "{symbols:?}");
    let others: Vec<_> = symbols.iter().filter(|symbol| !symbol.starts_with("textcodec_")).collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn the_example_converts_a_stream() {
    for compiler in installed(&["gcc", "clang"]) {
        let scratch = tempfile::tempdir().unwrap();
        let program = scratch.path().join("convert");
        compile(compiler, &["examples/convert.c"], &["-std=c99"], &program);
        let input = scratch.path().join("input");
        fs::write(&input, "テキスト\n".repeat(5000)).unwrap();
        let convert = |from: &str, to: &str, input: &Path| {
            let mut command = Command::new(&program);
            succeed(command.args([from, to]).stdin(fs::File::open(input).unwrap())).stdout
        };
        let jis = convert("utf-8", "iso-2022-jp", &input);
        assert_eq!(&jis[..11], b"\x1B$B%F%-%9%H");
        let middle = scratch.path().join("middle");
        fs::write(&middle, &jis).unwrap();
        assert_eq!(convert("iso-2022-jp", "utf-8", &middle), fs::read(&input).unwrap());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn sqlite_decodes_encodes_and_detects() {
    let scratch = tempfile::tempdir().unwrap();
    let extension = scratch.path().join("textcodec_sqlite.so");
    let has_header = Path::new("/usr/include/sqlite3ext.h").exists();
    if !has_header || Command::new("sqlite3").arg("--version").output().is_err() {
        println!("Not checked: the extension of SQLite, which needs sqlite3 and its headers.");
        return;
    }
    let query = |statement: &str| {
        let load = format!(".load {}", extension.with_extension("").display());
        Command::new("sqlite3").args([":memory:", &load, statement]).output().unwrap()
    };
    for compiler in installed(&["gcc", "clang"]) {
        compile(compiler, &["examples/sqlite.c"], &["-std=c99", "-shared", "-fPIC"], &extension);
        let output = query(
            "select decode(x'8365', 'sjis'), hex(encode('テ', 'sjis')), detect(x'F0D2C9D7C5D42C20CBC1CB20C4C5CCC13F'),
             decode(NULL, 'sjis') is null, decode(x'', 'gbk') = '', hex(encode('é', 'utf-16le'))",
        );
        assert_eq!(String::from_utf8_lossy(&output.stdout), "テ|8365|KOI8-R|1|1|C3A9\n", "{output:?}");
        for (statement, message) in [
            ("select encode('☃', 'gbk')", "GBK has no character U+2603"),
            ("select encode(cast(x'61FF' as text), 'gbk')", "the text is no UTF-8 at byte 1"),
            ("select decode(x'41', 'nonsense')", "unknown encoding label: nonsense"),
            ("select decode(x'41', NULL)", "unknown encoding label: NULL"),
        ] {
            let error = String::from_utf8_lossy(&query(statement).stderr).into_owned();
            assert!(error.contains(message), "{statement}: {error}");
        }
    }
}
