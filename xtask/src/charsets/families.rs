//! Generates the modules of the families in `crates/charsets`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    path::Path,
};

use anyhow::Result;

use super::{
    COMMAND, FOLDER, compositions, east_asian,
    mapping::{Codec, FAMILIES, Mapping},
    names::{NAMESPACES, Names},
    tables::{self, Page, Tables},
};
use crate::{
    files::{self, GeneratedFile},
    rust,
};

/// The folder of the generated files.
const GENERATED: &str = "crates/charsets/src/generated";
/// The module of the tables of pairs.
const PAIRS: &str = "pairs";
/// The module of the letters and marks that are composed.
const COMPOSITIONS: &str = "compositions";
/// The module of the East Asian set of MARC-8.
const EACC: &str = "eacc";
/// `NameTable::STEP` of `crates/charsets`.
const NAMES_STEP: usize = 16;
/// What the charsets of a family are.
const TITLES: [(&str, &str); FAMILIES.len()] = [
    ("dos", "Code pages of DOS and OS/2."),
    ("ebcdic", "Code pages of mainframes: EBCDIC."),
    ("windows", "Code pages of Windows, with its undefined bytes as errors."),
    ("iso", "US-ASCII, ISO 646 and ISO 8859."),
    ("mac", "Character sets of the classic Mac OS."),
    ("unicode", "Forms of Unicode: UTF-7, UTF-8, UTF-16, UTF-32, UCS-2, UCS-4, CESU-8."),
    ("east-asian", "Charsets of Chinese, Japanese and Korean."),
    ("ebcdic-east-asian", "Code pages of mainframes for Chinese, Japanese and Korean."),
    ("regional", "Character sets of countries, standards bodies and makers of computers."),
    ("libraries", "Character sets of libraries, of genealogy, and of short messages."),
    ("telematic", "Character sets of telematic services, such as Teletex and Videotex."),
    ("others", "The other single-byte charsets that glibc has."),
];

/// The files of the families, the file of compositions, and the file that lists them.
pub(super) fn generated_files(
    root: &Path,
    mappings: &[Mapping],
    codecs: &[Codec],
    names: &Names,
) -> Result<Vec<GeneratedFile>> {
    let file = |module: &str, text: String| GeneratedFile { path: format!("{GENERATED}/{module}.rs"), text };
    let mut generated = vec![file("mod", module_list()), file(COMPOSITIONS, compositions::module(root, mappings)?)];
    for (family, title) in TITLES {
        let text = family_module((family, title), mappings, codecs, names)?;
        generated.push(file(&module_name(family), text));
    }
    generated.push(east_asian::generated_file(root, &format!("{GENERATED}/{PAIRS}.rs"))?);
    generated.push(east_asian::eacc_file(root, &format!("{GENERATED}/{EACC}.rs"))?);
    Ok(generated)
}

pub(super) fn header() -> String {
    format!("{}{FOLDER}.\n", files::generated_by(COMMAND))
}

fn module_list() -> String {
    let mut modules = FAMILIES.to_vec();
    modules.extend([COMPOSITIONS, PAIRS, EACC]);
    modules.sort_unstable();
    let mut text = format!("{}//! The charsets of each family, with their tables and names.\n\n", header());
    for module in modules {
        if module == EACC {
            text.push_str("#[cfg(feature = \"libraries\")]\n#[rustfmt::skip]\npub(crate) mod eacc;\n");
        } else if [COMPOSITIONS, PAIRS].contains(&module) {
            let reason = "#[allow(dead_code, reason = \"families use these tables\")]";
            let condition = match module {
                COMPOSITIONS => "#[cfg(any(feature = \"windows\", feature = \"regional\"))]",
                _ => "#[cfg(any(feature = \"windows\", feature = \"east-asian\", feature = \"ebcdic-east-asian\"))]",
            };
            writeln!(text, "{condition}\n{reason}\n#[rustfmt::skip]\npub(crate) mod {module};")
                .expect("a String takes everything");
        } else {
            let name = module_name(module);
            writeln!(text, "#[cfg(feature = \"{module}\")]\n#[rustfmt::skip]\npub mod {name};")
                .expect("a String takes everything");
        }
    }
    text
}

/// The name of a family's module.
fn module_name(family: &str) -> String {
    family.replace('-', "_")
}

/// The name of a static for `name`.
pub(super) fn identifier(name: &str) -> String {
    name.to_ascii_uppercase().replace(|character: char| !character.is_ascii_alphanumeric(), "_")
}

fn family_module(
    (family, title): (&str, &str),
    mappings: &[Mapping],
    codecs: &[Codec],
    names: &Names,
) -> Result<String> {
    let mut numbers: Vec<usize> = (0..mappings.len()).filter(|&number| mappings[number].row.family == family).collect();
    let of_family: Vec<&Mapping> = numbers.iter().map(|&number| &mappings[number]).collect();
    let tables = tables::tables(&of_family)?;
    let variant = variant(family);
    let mut charsets = String::new();
    for (place, (&number, page)) in numbers.iter().zip(&tables.pages).enumerate() {
        let mapping = &mappings[number];
        let doc = format!(
            "The charset `{}` with {} characters{}.",
            mapping.row.name,
            mapping.len(),
            code_pages(number, names)
        );
        let flags = flags(page, &[page.kind]);
        let value = format!("alone!({variant}, {:?}, PAGES, {place}, {}, {flags})", mapping.row.name, page.kind);
        charsets.push_str(&constant(&mapping.row.name, &doc, &value));
    }
    let mut others = Vec::new();
    for (place, codec) in codecs.iter().enumerate().filter(|(_, codec)| codec.row.family == family) {
        let (number, name) = (mappings.len() + place, &codec.row.name);
        numbers.push(number);
        let doc = format!("The charset `{name}`{}.", code_pages(number, names));
        let path = codec_path(family, &codec.codec);
        let value = format!(
            "{{\n    static FACTS: Facts = Facts::of_codec({name:?}, Family::{variant}, &[{path}]);\n    \
             Charset::new(&FACTS, 0)\n}}"
        );
        charsets.push_str(&constant(name, &doc, &value));
        others.push(identifier(name));
    }
    let own: Vec<&str> = of_family.iter().map(|mapping| mapping.row.name.as_str()).collect();
    let header = header();
    Ok(format!(
        "{header}//! {title}

#[allow(unused_imports, reason = \"not every family has pages, and not every family has other charsets\")]
use textcodec_core::index::{{PageFacts, Pages}};

#[allow(unused_imports, reason = \"not every family has pages, and not every family has other charsets\")]
use crate::{{
    Charset, Facts, Family,
    charset::OwnNames,
    names::NameTable,
    single_byte::{{alone, codec}},
}};

{charsets}
{}{}{}",
        if of_family.is_empty() { String::new() } else { alone(&own) },
        if of_family.is_empty() { String::new() } else { pages(&variant, &tables) },
        name_table(&numbers, &own, &others, names),
    ))
}

/// The constants of single-byte charsets, for a test.
fn alone(names: &[&str]) -> String {
    let lines = names.chunks(8).map(|names| {
        let names: Vec<String> = names.iter().map(|name| identifier(name)).collect();
        format!("    {},\n", names.join(", "))
    });
    let lines: String = lines.collect();
    format!(
        "/// The single-byte charsets, each with its page alone.\n#[cfg(test)]\n\
         pub(crate) const ALONE: &[Charset] = &[\n{lines}];\n\n"
    )
}

/// The name of a variant of `Family`.
fn variant(family: &str) -> String {
    family.split('-').map(|part| part[..1].to_ascii_uppercase() + &part[1..]).collect()
}

/// The constant of a charset.
fn constant(name: &str, doc: &str, value: &str) -> String {
    format!("/// {doc}\npub const {}: Charset = {value};\n", identifier(name))
}

/// The entry of `Facts::flags` for a page, whose codec is that of its kind among `kinds`.
fn flags(page: &Page, kinds: &[&str]) -> u8 {
    let codec = kinds.iter().position(|kind| *kind == page.kind).expect("each kind has a codec");
    codec as u8 | u8::from(page.has_line_ends) << 2
}

/// The tables of the single-byte charsets of a family, and what is known about all of them.
fn pages(variant: &str, tables: &Tables) -> String {
    let mut kinds: Vec<&str> = tables.pages.iter().map(|page| page.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let (mut facts, mut patches) = (Vec::new(), Vec::new());
    for page in &tables.pages {
        for &(byte, unit) in &page.patches {
            let [lower, upper] = unit.to_le_bytes();
            patches.push(format!("[0x{byte:02X}, 0x{lower:02X}, 0x{upper:02X}]"));
        }
        facts.push(format!("PageFacts::new({}, {}, {:?})", page.root, patches.len(), page.windows));
    }
    let blocks: String =
        tables.blocks.iter().map(|block| format!("        [{}],\n", rust::hex(block).join(", "))).collect();
    let roots: Vec<String> = tables.roots.iter().map(|root| format!("{root:?}")).collect();
    let decode_only: Vec<String> =
        tables.decode_only.iter().map(|[page, byte]| format!("[{page}, 0x{byte:02X}]")).collect();
    let value = format!(
        "Pages::new(\n    &[\n{blocks}    ],\n    &[\n{}    ],\n    &[\n{}    ],\n    &[\n{}    ],\n    &[{}],\n)",
        rust::lines(2, 1, &roots),
        rust::lines(2, 2, &facts),
        rust::lines(2, 6, &patches),
        decode_only.join(", "),
    );
    let pages = rust::static_item("The tables of the single-byte charsets.", "PAGES", "Pages", &value);
    let codecs: Vec<String> = kinds.iter().map(|kind| format!("codec!({kind}, &PAGES)")).collect();
    let flags: Vec<u8> = tables.pages.iter().map(|page| flags(page, &kinds)).collect();
    let value = format!(
        "Facts {{\n    family: Family::{variant},\n    names: OwnNames::Table(&NAMES),\n    codecs: &[{}],\n    \
         flags: &{flags:?},\n}}",
        codecs.join(", "),
    );
    let facts = rust::static_item("The facts about the single-byte charsets.", "FACTS", "Facts", &value);
    format!("{pages}\n{facts}\n")
}

/// The expression for a codec that is written by hand. UTF-8 and Unified Hangul Code are the Standard's
/// own, in other crates.
fn codec_path(family: &str, codec: &str) -> String {
    if codec == "UTF_8" {
        "textcodec_utf8::UTF_8.codec()".to_owned()
    } else if codec == "UHC" {
        // Unified Hangul Code has the table of the Standard's EUC-KR.
        "textcodec_cjk_korean::EUC_KR.codec()".to_owned()
    } else {
        format!("&crate::{}_codecs::{codec}", module_name(family))
    }
}

/// The numbers of the code pages that a charset is, as a part of a sentence.
fn code_pages(number: usize, names: &Names) -> String {
    let numbers: Vec<String> =
        names.code_pages.iter().filter(|(_, charset)| *charset == number).map(|(code, _)| code.to_string()).collect();
    if numbers.is_empty() { String::new() } else { format!(", code page {}", numbers.join(", ")) }
}

/// The names of the charsets with these `numbers`, sorted without regard to case. `own` are the names of the pages,
/// which come first, and `others` the identifiers of the other charsets.
fn name_table(numbers: &[usize], own: &[&str], others: &[String], names: &Names) -> String {
    let place = |charset: usize| numbers.iter().position(|number| *number == charset);
    // One entry for the namespaces in which a charset has the same name.
    let mut entries: BTreeMap<(String, String, usize), u8> = BTreeMap::new();
    let mut with_preferred = BTreeSet::new();
    for name in &names.names {
        let Some(charset) = place(name.charset) else { continue };
        let key = (name.name.to_ascii_uppercase(), name.name.clone(), charset);
        let bits = entries.entry(key).or_default();
        *bits |= 1 << name.namespace;
        // The first name in the files is preferred.
        if with_preferred.insert((charset, name.namespace)) {
            *bits |= 1 << (NAMESPACES.len() + name.namespace);
        }
    }
    let mut text: String = entries.keys().map(|(_, name, _)| name.as_str()).collect();
    let own: Vec<String> = own
        .iter()
        .map(|name| {
            let start = text.find(name).unwrap_or_else(|| {
                text.push_str(name);
                text.len() - name.len()
            });
            format!("[{}, {}, {}]", start % 256, start / 256, name.len())
        })
        .collect();
    let starts = (0..entries.len()).step_by(NAMES_STEP);
    let length_of_first = |count| entries.keys().take(count).map(|(_, name, _)| name.len()).sum::<usize>() as u16;
    let starts: Vec<u16> = starts.map(length_of_first).collect();
    let lengths: Vec<u8> = entries.keys().map(|(_, name, _)| name.len() as u8).collect();
    let charsets: Vec<u8> = entries.keys().map(|(_, _, charset)| *charset as u8).collect();
    let namespaces: Vec<u8> = entries.values().copied().collect();
    let code_pages: Vec<String> = names
        .code_pages
        .iter()
        .filter_map(|&(page, charset)| Some(format!("[{}, {}, {}]", page % 256, page / 256, place(charset)?)))
        .collect();
    let value = format!(
        "NameTable {{
    pages: {},
    others: &[
{}    ],
    text: {text:?},
    starts: &[
{}    ],
    lengths: &[
{}    ],
    charsets: &[
{}    ],
    namespaces: &[
{}    ],
    own: &[
{}    ],
    code_pages: &[
{}    ],
}}",
        if own.is_empty() { "None" } else { "Some(&FACTS)" },
        rust::lines(2, 8, others),
        rust::field(&starts),
        rust::field(&lengths),
        rust::field(&charsets),
        rust::field(&namespaces),
        rust::lines(2, 8, &own),
        rust::lines(2, 8, &code_pages),
    );
    rust::static_item("The names of the charsets of this family.", "NAMES", "NameTable", &value)
}
