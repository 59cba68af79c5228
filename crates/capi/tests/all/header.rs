//! Compares `include/textcodec.h` with the functions and structs of this crate.

use std::{collections::BTreeMap, fs, path::Path};

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The header without comments.
fn header() -> String {
    let text = fs::read_to_string(folder().join("include/textcodec.h")).unwrap();
    let mut rest = &*text;
    let mut code = String::new();
    while let Some((before, after)) = rest.split_once("/*") {
        code += before;
        rest = after.split_once("*/").expect("a comment ends").1;
    }
    code + rest
}

/// All sources of the crate.
fn sources() -> String {
    let files = fs::read_dir(folder().join("src")).unwrap();
    files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

/// The type of Rust for a declaration of C such as `const char *label` or `size_t length`, and the declared name.
fn declaration(of_c: &str) -> (String, String) {
    let words = of_c.replace('*', " * ");
    let mut words: Vec<&str> = words.split_whitespace().collect();
    let name = words.pop().unwrap_or_default();
    let array = name.split_once('[').map(|(name, length)| (name, length.trim_end_matches(']')));
    let is_const = words.first() == Some(&"const");
    let is_pointer = words.last() == Some(&"*");
    let base = words.iter().find(|word| !["const", "*", "unsigned"].contains(word)).copied().unwrap_or_default();
    let base = match base {
        "size_t" => "usize",
        "uint8_t" => "u8",
        "uint16_t" => "u16",
        "uint32_t" => "u32",
        "uint64_t" => "u64",
        "char" => "c_char",
        "void" => "c_void",
        "float" => "f32",
        other => other,
    };
    let ty = match (is_pointer, is_const) {
        (false, _) => base.to_owned(),
        (true, true) => format!("*const {base}"),
        (true, false) => format!("*mut {base}"),
    };
    match array {
        Some((name, length)) => (format!("[{ty}; {length}]"), name.to_owned()),
        None => (ty, name.to_owned()),
    }
}

/// The functions of the header, in the form of Rust.
pub(crate) fn functions_of_header() -> BTreeMap<String, String> {
    let code = header();
    let mut functions = BTreeMap::new();
    for statement in code.split([';', '{', '}']) {
        let statement = statement.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join(" ");
        let Some((before, parameters)) = statement.split_once('(') else { continue };
        let (result, name) = declaration(before);
        let parameters = parameters.trim_end().trim_end_matches(')');
        let parameters: Vec<String> = match parameters {
            "void" => Vec::new(),
            _ => parameters.split(',').map(declaration).map(|(ty, name)| format!("{name}: {ty}")).collect(),
        };
        let result = if result == "c_void" { String::new() } else { format!(" -> {result}") };
        functions.insert(name, format!("({}){result}", parameters.join(", ")));
    }
    functions
}

/// The functions that the sources export.
fn functions_of_sources() -> BTreeMap<String, String> {
    let text = sources();
    let mut functions = BTreeMap::new();
    for after in text.split("extern \"C\" fn ").skip(1) {
        let signature = after.split_once('{').unwrap().0;
        let (name, rest) = signature.split_once('(').unwrap();
        let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
        let rest = rest.replace(", )", ")").replace("( ", "(");
        functions.insert(name.to_owned(), format!("({rest}"));
    }
    functions
}

#[test]
fn the_header_declares_every_function_with_its_types() {
    let (header, sources) = (functions_of_header(), functions_of_sources());
    assert!(sources.len() > 60, "only {} functions were found", sources.len());
    for (name, signature) in &sources {
        assert_eq!(header.get(name), Some(signature), "{name}");
    }
    let missing: Vec<_> = header.keys().filter(|name| !sources.contains_key(*name)).collect();
    assert!(missing.is_empty(), "the header has functions that do not exist: {missing:?}");
    assert_eq!(text_count("no_mangle"), sources.len(), "a function is not exported under its name");
}

fn text_count(word: &str) -> usize {
    sources().matches(&format!("#[unsafe({word})]")).count()
}

/// The fields of the structs of a text, each struct between `begin` and `}`, and each field before `end`.
fn structs(
    text: &str,
    begin: &str,
    end: char,
    field: impl Fn(&str) -> Option<String>,
) -> BTreeMap<String, Vec<String>> {
    let bodies = text.split(begin).skip(1);
    let named = bodies.filter_map(|body| {
        let (name, fields) = body.split_once('{')?;
        let fields = fields.split_once('}')?.0;
        // A type without fields has no body before the next statement.
        (!name.contains(';')).then(|| (name.trim().to_owned(), fields.to_owned()))
    });
    named.map(|(name, fields)| (name, fields.split(end).filter_map(&field).collect())).collect()
}

#[test]
fn the_header_declares_every_struct_with_its_fields() {
    let of_c = structs(&header(), "typedef struct ", ';', |line| {
        let line = line.trim();
        (!line.is_empty()).then(|| {
            let (ty, name) = declaration(line);
            format!("{name}: {ty}")
        })
    });
    let of_rust = structs(&sources(), "#[repr(C)]", '\n', |line| {
        let line = line.trim();
        let line = line.strip_prefix("pub ").unwrap_or(line).trim_end_matches(',');
        (!line.is_empty() && !line.starts_with("//")).then(|| line.to_owned())
    });
    let of_rust: BTreeMap<_, _> = of_rust
        .into_iter()
        .filter_map(|(head, fields)| {
            let name = head.rsplit(' ').next()?.to_owned();
            name.starts_with("textcodec_").then_some((name, fields))
        })
        .collect();
    assert!(of_rust.len() >= 12, "{:?}", of_rust.keys());
    assert_eq!(of_c, of_rust);
}

/// The constants of the enumerations of the header.
fn constants() -> BTreeMap<String, u32> {
    let code = header();
    let lines = code.lines().filter_map(|line| line.trim().trim_end_matches(',').split_once(" = "));
    lines.filter_map(|(name, value)| Some((name.to_owned(), value.parse().ok()?))).collect()
}

pub(crate) fn text(string: textcodec_capi::textcodec_string) -> &'static str {
    // SAFETY: the library returns texts that live as long as it does.
    let bytes = unsafe { std::slice::from_raw_parts(string.data.cast::<u8>(), string.length) };
    std::str::from_utf8(bytes).unwrap()
}

/// The words of a name of C or of a standard, without regard to how they are written.
fn plain(name: &str) -> String {
    name.chars().filter(|character| character.is_ascii_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
}

#[test]
fn every_number_of_the_header_means_what_its_name_says() {
    use textcodec_capi as capi;
    let constants = constants();
    let named = |prefix: &str, name: extern "C" fn(u32) -> capi::textcodec_string, expected: usize| {
        let of_kind: Vec<_> = constants
            .iter()
            .filter_map(|(constant, &number)| Some((constant.strip_prefix(prefix)?, number)))
            .filter(|(rest, number)| *number > 0 && plain(rest) == plain(text(name(*number))))
            .collect();
        assert_eq!(of_kind.len(), expected, "{prefix}: {of_kind:?}");
    };
    named("TEXTCODEC_", capi::textcodec_name, 40);
    named("TEXTCODEC_RUNG_", capi::textcodec_rung_name, textcodec::sniff::Rung::ALL.len());
    named("TEXTCODEC_", capi::textcodec_confidence_name, 3);
    named("TEXTCODEC_VERDICT_", capi::textcodec_verdict_name, 14);
    // The names of contexts are sentences; the names of C are those of Rust.
    for context in textcodec::sniff::Context::ALL {
        let constant = constants.iter().find(|(constant, _)| {
            constant
                .strip_prefix("TEXTCODEC_CONTEXT_")
                .is_some_and(|rest| plain(rest) == plain(&format!("{context:?}")))
        });
        let (_, &number) = constant.unwrap_or_else(|| panic!("{context:?} has no number"));
        assert_eq!(text(capi::textcodec_context_name(number)), context.name());
    }
    for (name, number) in [
        ("OK", capi::TEXTCODEC_OK),
        ("OUTPUT_FULL", capi::TEXTCODEC_OUTPUT_FULL),
        ("MALFORMED", capi::TEXTCODEC_MALFORMED),
        ("UNMAPPABLE", capi::TEXTCODEC_UNMAPPABLE),
        ("INVALID", capi::TEXTCODEC_INVALID),
        ("LAST", capi::TEXTCODEC_LAST),
        ("FATAL", capi::TEXTCODEC_FATAL),
        ("UNCOUNTED", capi::TEXTCODEC_UNCOUNTED),
        ("AMBIGUOUS", capi::TEXTCODEC_AMBIGUOUS),
        ("BOM_SNIFF", capi::TEXTCODEC_BOM_SNIFF),
        ("BOM_REMOVE", capi::TEXTCODEC_BOM_REMOVE),
        ("BOM_KEEP", capi::TEXTCODEC_BOM_KEEP),
    ] {
        assert_eq!(constants[&format!("TEXTCODEC_{name}")], number, "{name}");
    }
}

#[test]
fn the_manual_page_lists_every_function() {
    let page = fs::read_to_string(folder().join("man/textcodec.3")).unwrap();
    let listed: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with(".B ") || line.starts_with(".BR "))
        .filter_map(|line| line.split_whitespace().nth(1))
        .filter(|word| word.starts_with("textcodec_") && *word != "textcodec_result")
        .collect();
    let sources = functions_of_sources();
    let missing: Vec<_> = sources.keys().filter(|name| !listed.contains(&name.as_str())).collect();
    assert!(missing.is_empty(), "the page has no function of these names: {missing:?}");
    let others: Vec<_> = listed.iter().filter(|name| !sources.contains_key(**name)).collect();
    assert!(others.is_empty(), "the page has functions that do not exist: {others:?}");
    assert_eq!(listed.len(), sources.len(), "the page has a function twice");
}

/// The public functions of `textcodec.hpp`, without constructors and operators.
fn functions_of_cpp() -> Vec<String> {
    let text = fs::read_to_string(folder().join("include/textcodec.hpp")).unwrap();
    let text = text.split_once("enum class status").unwrap().1;
    let (mut class, mut is_public) = ("", false);
    let mut names = Vec::new();
    for line in text.lines() {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["class" | "struct", name, ..] => (class, is_public) = (name, line.starts_with("struct")),
            ["public:"] => is_public = true,
            ["private:"] | ["};"] => is_public = false,
            _ => {}
        }
        let member = line.strip_prefix("    ").filter(|line| is_public && !line.starts_with([' ', '}', '/']));
        let Some((before, _)) = member.or(line.strip_prefix("inline ")).and_then(|line| line.split_once('(')) else {
            continue;
        };
        let name = before.rsplit(' ').next().unwrap();
        if name != class && !before.contains("operator") {
            names.push(name.to_owned());
        }
    }
    names
}

#[test]
fn the_matrix_in_cpp_calls_every_function_of_its_header() {
    let names = functions_of_cpp();
    assert!(names.len() > 40, "{names:?}");
    let matrix = fs::read_to_string(folder().join("tests/c/matrix.cpp")).unwrap();
    let is_called =
        |name: &&String| ["tc::", ".", "::"].iter().any(|before| matrix.contains(&format!("{before}{name}(")));
    let missing: Vec<_> = names.iter().filter(|name| !is_called(name)).collect();
    assert!(missing.is_empty(), "no call in the matrix: {missing:?}");
}
