//! The data of the pages, as scripts: a page opened from a file cannot load anything but scripts, styles and images.

use std::{collections::BTreeSet, fmt::Write as _, fs, ops::RangeInclusive, path::Path};

use anyhow::{Context, Result, bail, ensure};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Serialize;
use serde_json::json;

use crate::{Site, encodings::EncodingData, indexes::IndexData};

/// Writes `data/*.js`.
pub(crate) fn write(site: &Site<'_>, encodings: &[EncodingData], indexes: &[IndexData]) -> Result<()> {
    write_one(site, "encodings", &encodings)?;
    let texts: serde_json::Map<String, serde_json::Value> = indexes
        .iter()
        .map(|index| {
            (index.name.to_owned(), if index.ranges.is_empty() { json!(index.text) } else { json!(index.ranges) })
        })
        .collect();
    write_one(site, "indexes", &texts)?;
    write_one(site, "blocks", &blocks())?;
    write_one(site, "names", &names(encodings, indexes))
}

fn write_one(site: &Site<'_>, name: &str, value: &impl Serialize) -> Result<()> {
    let json = serde_json::to_string(value)?;
    site.write(&format!("data/{name}.js"), &format!("textcodec.{name} = {json};\n"))
}

/// The blocks of Unicode, ascending: first and last code point, and name. Blocks of surrogates have no characters.
pub(crate) fn blocks() -> Vec<(u32, u32, &'static str)> {
    let mut blocks = Vec::new();
    let mut next = 0;
    while next <= char::MAX as u32 {
        match char::from_u32(next).and_then(unicode_blocks::find_unicode_block) {
            Some(block) => {
                blocks.push((block.start(), block.end(), block.name()));
                next = block.end() + 1;
            }
            None => next += 1,
        }
    }
    blocks
}

/// Characters that the playground names although no index has all of them: alphabets, symbols and emoji.
const BEYOND: [RangeInclusive<char>; 4] =
    ['\0'..='\u{58F}', '\u{1E00}'..='\u{2BFF}', '\u{3000}'..='\u{33FF}', '\u{1F300}'..='\u{1FAFF}'];

/// The names of the characters of all encodings and of [`BEYOND`], one on a line after its code point. Characters whose
/// name is made from their code point (ideographs) or their letters (Hangul syllables) are left out.
fn names(encodings: &[EncodingData], indexes: &[IndexData]) -> String {
    let sections = encodings.iter().flat_map(|encoding| &encoding.sections);
    let mut characters: BTreeSet<char> = indexes.iter().flat_map(|index| index.text.chars()).collect();
    characters.extend(sections.filter_map(|section| section.text.as_deref()).flat_map(str::chars));
    characters.extend(BEYOND.iter().cloned().flatten());
    let mut names = String::new();
    for character in characters {
        if is_named_by_rule(character) {
            continue;
        }
        if let Some(name) = unicode_names2::name(character) {
            writeln!(names, "{:X} {name}", character as u32).expect("writing to a string cannot fail");
        }
    }
    names
}

fn is_named_by_rule(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{9FFF}' | '가'..='힣' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..)
}

/// Writes the WebAssembly modules and the worker that calls them as a script, and returns whether there are any.
pub(crate) fn write_wasm(site: &Site<'_>, plain: Option<&Path>, simd: Option<&Path>) -> Result<bool> {
    let Some(plain) = plain else { return Ok(false) };
    // The names of the second module must not meet those of the first one.
    let worker = format!(
        "{}\nconst {{ openDetection }} = (() => {{\n{}return {{ openDetection }};\n}})();\n{}",
        without_exports(&site.read("crates/wasm/lib/engine.mjs")?)?,
        without_exports(&site.read("crates/wasm/lib/parts.mjs")?)?,
        site.read("xtask/site/worker.js")?
    );
    write_one(
        site,
        "wasm",
        &json!({ "plain": encoded(plain)?, "simd": simd.map(encoded).transpose()?, "worker": worker }),
    )?;
    Ok(true)
}

/// Writes the detector, if there is one, as a script, which the playground loads when a reader asks for it.
pub(crate) fn write_detector(site: &Site<'_>, path: Option<&Path>) -> Result<()> {
    path.map_or(Ok(()), |path| write_one(site, "detector", &encoded(path)?))
}

/// The content of a file in base64.
fn encoded(path: &Path) -> Result<String> {
    Ok(STANDARD.encode(fs::read(path).with_context(|| format!("cannot read {}", path.display()))?))
}

/// A module as a script: without the word `export`. A page from a file can start a worker that is a script in a blob;
/// Chromium starts no worker there that is a module. Fails if the module imports anything, or exports anything but
/// declarations.
fn without_exports(module: &str) -> Result<String> {
    const DECLARATIONS: [&str; 4] = ["const ", "function ", "async function ", "class "];
    let mut script = String::new();
    for line in module.split_inclusive('\n') {
        let line = match line.strip_prefix("export ") {
            Some(rest) if DECLARATIONS.iter().any(|word| rest.starts_with(word)) => rest,
            Some(_) => bail!("a worker cannot have this line of the module: {line}"),
            None => line,
        };
        ensure!(!line.starts_with("import "), "a worker cannot have this line of the module: {line}");
        script += line;
    }
    Ok(script)
}

#[cfg(test)]
mod tests {
    use super::without_exports;

    #[test]
    fn a_module_becomes_a_script_only_if_its_exports_are_declarations() {
        let script =
            without_exports("export const a = 1;\nexport async function b() {}\nconst export_ = a;\n").unwrap();
        assert_eq!(script, "const a = 1;\nasync function b() {}\nconst export_ = a;\n");
        for module in ["export { a };", "export default 1;", "import a from 'a';", "const a = 1;\nexport * from 'a';"] {
            assert!(without_exports(module).is_err(), "{module}");
        }
    }
}
