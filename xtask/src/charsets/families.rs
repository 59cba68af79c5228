//! Generates the modules of the families in `crates/charsets`.

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use anyhow::{Context, Result};

use super::{
    COMMAND, FOLDER, compositions, east_asian,
    mapping::{Codec, FAMILIES, Mapping},
    names::{NAMESPACES, Names},
    tables::{self, Page, Repertoire, Tables},
};
use crate::{
    files::{self, GeneratedFile},
    index_file::{self, Index},
    index_tables::single_byte,
    rust,
};

/// The folder of the generated files.
const GENERATED: &str = "crates/charsets/src/generated";
/// The module of the tables that several families share.
const SHARED: &str = "shared";
/// The module of the tables of pairs.
const PAIRS: &str = "pairs";
/// The module of the letters and marks that are composed.
const COMPOSITIONS: &str = "compositions";
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
    ("others", "The other single-byte charsets that glibc has."),
];

/// The files of the families, the file of the tables that they share, and the file that lists them.
pub(super) fn generated_files(
    root: &Path,
    mappings: &[Mapping],
    codecs: &[Codec],
    names: &Names,
) -> Result<Vec<GeneratedFile>> {
    let standard = index_file::read_indexes(root)?;
    let (repertoires, tables) = tables::tables(&standard, mappings)?;
    let file = |module: &str, text: String| GeneratedFile { path: format!("{GENERATED}/{module}.rs"), text };

    let mut generated = vec![
        file("mod", module_list()),
        file(SHARED, shared(&repertoires)?),
        file(COMPOSITIONS, compositions::module(root)?),
    ];
    for (family, title) in TITLES {
        let text = family_module((family, title), mappings, codecs, &repertoires, &tables, names)?;
        generated.push(file(&module_name(family), text));
    }
    generated.push(east_asian::generated_file(root, &format!("{GENERATED}/{PAIRS}.rs"))?);
    Ok(generated)
}

pub(super) fn header() -> String {
    format!("{}{FOLDER}.\n", files::generated_by(COMMAND))
}

fn module_list() -> String {
    let mut modules = FAMILIES.to_vec();
    modules.extend([SHARED, COMPOSITIONS, PAIRS]);
    modules.sort_unstable();
    let mut text = format!("{}//! The charsets of each family, with their tables and names.\n\n", header());
    for module in modules {
        if [SHARED, COMPOSITIONS, PAIRS].contains(&module) {
            let reason = "#[allow(dead_code, reason = \"families use these tables\")]";
            let condition = match module {
                COMPOSITIONS => "#[cfg(any(feature = \"windows\", feature = \"regional\"))]\n",
                PAIRS => {
                    "#[cfg(any(feature = \"windows\", feature = \"east-asian\", feature = \"ebcdic-east-asian\"))]\n"
                }
                _ => "",
            };
            writeln!(text, "{condition}{reason}\n#[rustfmt::skip]\npub(crate) mod {module};")
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

impl Repertoire {
    /// The module with the tables. `None` if they are in the crate of the Standard's single-byte encodings.
    fn module(&self) -> Option<&str> {
        if self.is_standard {
            None
        } else if self.families.len() > 1 {
            Some(SHARED)
        } else {
            self.families.first().map(String::as_str)
        }
    }

    /// The statics with the code points and the bytes.
    fn statics(&self) -> Result<String> {
        let name = identifier(&self.name);
        let entries = (0..).zip(&self.code_points).filter_map(|(place, code_point)| Some((place, (*code_point)?)));
        let index = Index { name: self.name.clone(), pointers: self.code_points.len(), entries: entries.collect() };
        let code_points = single_byte::code_points_called(&format!("{name}_CODE_POINTS"), &index)?;
        let bytes = single_byte::bytes_called(&format!("{name}_TABLE"), &format!("{name}_CODE_POINTS"), &index)
            .with_context(|| self.name.clone())?;
        Ok(format!("{code_points}\n#[cfg(feature = \"encode\")]\n{bytes}\n"))
    }

    /// The expressions for the code points and the bytes.
    fn expressions(&self, module: &str) -> [String; 2] {
        let name = identifier(&self.name);
        match self.module() {
            None => [
                format!("standard::code_points(&textcodec_single_byte::{name})"),
                format!("standard::bytes(&textcodec_single_byte::{name})"),
            ],
            Some(own) if own == module => [format!("&{name}_CODE_POINTS"), format!("&{name}_TABLE")],
            Some(_) => [format!("&shared::{name}_CODE_POINTS"), format!("&shared::{name}_TABLE")],
        }
    }

    /// The static of the decoder: most characters of a text are two bytes of UTF-8 if the table has many letters of
    /// Greek, Cyrillic, Hebrew or Arabic.
    fn decoder(&self) -> &'static str {
        const MANY: usize = 24;
        let letters = self.code_points.iter().flatten().filter(|code_point| {
            (0x370..0x700).contains(*code_point) && char::from_u32(**code_point).is_some_and(char::is_alphabetic)
        });
        if letters.count() >= MANY { "DENSE_DECODER" } else { "DECODER" }
    }
}

/// The file of the tables that several families share.
fn shared(repertoires: &[Repertoire]) -> Result<String> {
    let mut text = format!(
        "{}//! Tables that several families share.\n\nuse textcodec_core::index::Characters;\n\
         #[cfg(feature = \"encode\")]\nuse textcodec_core::index::ByteTable;\n\n",
        header()
    );
    for repertoire in repertoires.iter().filter(|repertoire| repertoire.module() == Some(SHARED)) {
        text.push_str(&repertoire.statics()?);
    }
    Ok(text)
}

fn family_module(
    (family, title): (&str, &str),
    mappings: &[Mapping],
    codecs: &[Codec],
    repertoires: &[Repertoire],
    tables: &[Tables],
    names: &Names,
) -> Result<String> {
    let mut statics = String::new();
    for repertoire in repertoires.iter().filter(|repertoire| repertoire.module() == Some(family)) {
        statics.push_str(&repertoire.statics()?);
    }
    let mut numbers: Vec<usize> = (0..mappings.len()).filter(|&number| mappings[number].row.family == family).collect();
    let (mut pages, mut charsets) = (String::new(), String::new());
    let variant: String = family.split('-').map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect();
    for &number in &numbers {
        let (mapping, Tables { repertoire, page }) = (&mappings[number], &tables[number]);
        let name = &mapping.row.name;
        let (identifier, repertoire) = (identifier(name), &repertoires[*repertoire]);
        let [code_points, bytes] = repertoire.expressions(family);
        let mut line_feed = None;
        let codec = match page {
            None => format!("ascii_based!({}, {code_points}, {bytes})", repertoire.decoder()),
            Some(page) => {
                pages.push_str(&page_statics(&identifier, page, mapping, &code_points, &bytes));
                let has_ascii = page.has_ascii;
                let has_line_ends = mapping.table[0x15] == Some(0x85) && mapping.table[0x25] == Some(0x0A);
                line_feed = (has_line_ends && !has_ascii)
                    .then(|| format!("page!(false, true, &{identifier}_PAGE, &{identifier}_BYTES)"));
                format!("page!({has_ascii}, false, &{identifier}_PAGE, &{identifier}_BYTES)")
            }
        };
        let doc = format!("The charset `{name}` with {} characters{}.", mapping.len(), code_pages(number, names));
        charsets.push_str(&constant(name, &variant, &doc, &codec, line_feed.as_deref()));
    }
    for (place, codec) in codecs.iter().enumerate().filter(|(_, codec)| codec.row.family == family) {
        let number = mappings.len() + place;
        numbers.push(number);
        let doc = format!("The charset `{}`{}.", codec.row.name, code_pages(number, names));
        charsets.push_str(&constant(&codec.row.name, &variant, &doc, &codec_path(family, &codec.codec), None));
    }
    let name_of = |number: usize| match number.checked_sub(mappings.len()) {
        None => &mappings[number].row.name,
        Some(place) => &codecs[place].row.name,
    };
    let all: Vec<String> = numbers.iter().map(|&number| identifier(name_of(number))).collect();
    let list = rust::lines(1, 8, &all);
    let header = header();
    Ok(format!(
        "{header}//! {title}

#[cfg(feature = \"encode\")]
#[allow(unused_imports, reason = \"not every family has its own tables\")]
use textcodec_core::index::{{ByteTable, PageBytes}};
#[allow(unused_imports, reason = \"not every family has its own tables\")]
use textcodec_core::index::{{Characters, Page}};

#[allow(unused_imports, reason = \"not every family has its own tables\")]
use crate::{{
    Charset, Facts, Family,
    generated::shared,
    names::NameTable,
    single_byte::{{ascii_based, page, standard}},
}};

{charsets}
/// All charsets of this family.
#[rustfmt::skip]
pub(crate) static ALL: [Charset; {}] = [
{list}];

{}
{statics}{pages}",
        all.len(),
        name_table(&numbers, names)
    ))
}

/// The constant of a charset. `line_feed` is the codec of the same charset with a line feed at byte 15.
fn constant(name: &str, family: &str, doc: &str, codec: &str, line_feed: Option<&str>) -> String {
    const CONDITION: &str = "#[cfg(feature = \"line-feeds\")]";
    let facts = |facts: &str, name: &str, codec: &str, line_feed: &str| {
        format!(
            "    static {facts}: Facts = Facts {{\n        name: {name:?},\n        family: Family::{family},\n        \
             codec: {codec},\n        {CONDITION}\n        line_feed: {line_feed},\n    }};\n"
        )
    };
    let other = line_feed.map_or(String::new(), |codec| {
        format!("    {CONDITION}\n{}", facts("LINE_FEED", &format!("{name}-LF"), codec, "None"))
    });
    let line_feed = if line_feed.is_some() { "Some(&LINE_FEED)" } else { "None" };
    format!(
        "/// {doc}\npub const {}: Charset = {{\n{other}{}    Charset::new(&FACTS)\n}};\n",
        identifier(name),
        facts("FACTS", name, codec, line_feed),
    )
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

/// The statics of a page.
fn page_statics(identifier: &str, page: &Page, mapping: &Mapping, code_points: &str, bytes: &str) -> String {
    let exceptions: Vec<String> =
        page.exceptions.iter().map(|(byte, unit)| format!("(0x{byte:02X}, 0x{unit:04X})")).collect();
    let exceptions = exceptions.join(", ");
    let decode_only: Vec<String> = mapping.decode_only.iter().map(|byte| format!("0x{byte:02X}")).collect();
    let decode_only = decode_only.join(", ");
    let name = &mapping.row.name;
    let value =
        format!("Page::new(\n    [\n{}    ],\n    {code_points},\n    &[{exceptions}],\n)", rust::field(&page.bytes));
    let page = rust::static_item(
        &format!("The byte of the table for each byte of {name}."),
        &format!("{identifier}_PAGE"),
        "Page",
        &value,
    );
    let value = format!("PageBytes::new(&{identifier}_PAGE, {bytes}, &[{decode_only}])");
    let bytes = rust::static_item(
        &format!("The byte of {name} for each byte of the table."),
        &format!("{identifier}_BYTES"),
        "PageBytes",
        &value,
    );
    format!("{page}\n#[cfg(feature = \"encode\")]\n{bytes}\n")
}

/// The names of the charsets with these `numbers`, sorted without regard to case.
fn name_table(numbers: &[usize], names: &Names) -> String {
    let place = |charset: usize| numbers.iter().position(|number| *number == charset);
    // One entry for the namespaces in which a charset has the same name. The order says which name is preferred.
    let mut entries: BTreeMap<(String, String, usize), (u8, usize)> = BTreeMap::new();
    for (order, name) in names.names.iter().enumerate() {
        let Some(charset) = place(name.charset) else { continue };
        let key = (name.name.to_ascii_uppercase(), name.name.clone(), charset);
        let entry = entries.entry(key).or_insert((0, order));
        entry.0 |= 1 << name.namespace;
    }
    let text: String = entries.keys().map(|(_, name, _)| name.as_str()).collect();
    let ends: Vec<u16> = entries
        .keys()
        .scan(0, |end, (_, name, _)| {
            *end += name.len() as u16;
            Some(*end)
        })
        .collect();
    let charsets: Vec<u8> = entries.keys().map(|(_, _, charset)| *charset as u8).collect();
    let namespaces: Vec<u8> = entries.values().map(|(namespaces, _)| *namespaces).collect();
    // The place of the preferred name in each namespace: the first one in the files.
    let preferred: Vec<String> = numbers
        .iter()
        .map(|&number| {
            let of_namespace = |namespace: usize| {
                let first = names.names.iter().find(|name| name.charset == number && name.namespace == namespace);
                let key = first.map(|name| {
                    (name.name.to_ascii_uppercase(), name.name.clone(), place(name.charset).unwrap_or_default())
                });
                let place = key.and_then(|key| entries.keys().position(|other| *other == key));
                place.map_or("NONE".to_owned(), |place| place.to_string())
            };
            format!("[{}]", (0..NAMESPACES.len()).map(of_namespace).collect::<Vec<_>>().join(", "))
        })
        .collect();
    let code_pages: Vec<String> = names
        .code_pages
        .iter()
        .filter_map(|&(code_page, charset)| Some(format!("({code_page}, {})", place(charset)?)))
        .collect();
    let value = format!(
        "NameTable {{
    charsets_of_family: &ALL,
    text: {text:?},
    ends: &[
{}    ],
    charsets: &[
{}    ],
    namespaces: &[
{}    ],
    preferred: &[
{}    ],
    code_pages: &[
{}    ],
}}",
        rust::field(&ends),
        rust::field(&charsets),
        rust::field(&namespaces),
        rust::lines(2, 6, &preferred).replace("NONE", "NameTable::NONE"),
        rust::lines(2, 8, &code_pages),
    );
    rust::static_item("The names of the charsets of this family.", "NAMES", "NameTable", &value)
}
