//! Generates the tables of the encodings' crates from the indexes. This file decides which table an index becomes, and
//! in which file the table is.
//!
//! Each shape of table has a file. [`code_points`], [`index_pointer`] and [`pack`] are shared by several.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context, Result};

use crate::{
    files::{self, GeneratedFile},
    index_file::{self, FINGERPRINTS, Index, RANGES},
};

mod ascending;
mod big5;
mod code_points;
mod index_pointer;
mod jis0208;
mod jis0212;
mod pack;
mod pointers;
mod ranges;
pub(crate) mod single_byte;
mod square;

use code_points::NULL;

/// The command that writes the generated files.
const COMMAND: &str = "cargo xtask index";
/// The folder of the tables of the single-byte encodings.
const SINGLE_BYTE: &str = "crates/single-byte/src/generated";

/// Writes the tables of all indexes, or with `check` fails if they are out of date.
pub(crate) fn generate(root: &Path, check: bool) -> Result<()> {
    let indexes = index_file::read_indexes(root)?;
    files::ensure_generated(root, &generated_files(&indexes)?, COMMAND, check)
}

/// The tables of `indexes`, with one file for each index, and one file in each folder that lists the others.
fn generated_files(indexes: &[Index]) -> Result<Vec<GeneratedFile>> {
    let mut generated = Vec::new();
    let mut modules: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for index in indexes {
        let (folder, module) = (folder(index), index.name.replace('-', "_"));
        let text = file(index).with_context(|| index_file::path(&index.name))?;
        generated.push(GeneratedFile { path: format!("{folder}/{module}.rs"), text });
        modules.entry(folder).or_default().push(module);
    }
    for (folder, mut modules) in modules {
        // The order of rustfmt.
        modules.sort_unstable();
        generated.push(GeneratedFile { path: format!("{folder}/mod.rs"), text: module_list(folder, &modules) });
    }
    Ok(generated)
}

/// The folder of the tables of `index`.
fn folder(index: &Index) -> &'static str {
    match index.name.as_str() {
        "big5" | "gb18030" | RANGES => "crates/cjk-chinese/src/generated",
        "jis0208" | "jis0212" | "iso-2022-jp-katakana" => "crates/cjk-japanese/src/generated",
        "euc-kr" => "crates/cjk-korean/src/generated",
        _ => SINGLE_BYTE,
    }
}

/// The text of the file that lists `modules`. It does not compile if the shapes of the tables differ from the shapes
/// that were assumed here.
fn module_list(folder: &str, modules: &[String]) -> String {
    let modules: String = modules.iter().map(|module| format!("pub(crate) mod {module};\n")).collect();
    let (imports, assumptions) = if folder == SINGLE_BYTE {
        ("{ByteTable, NULL}", single_byte::assumptions())
    } else {
        let assumptions = [ascending::assumptions(), pointers::assumptions(), square::assumptions()].join(" && ");
        ("{Ascending, NULL, PointerTable, Rules, Stretch}", assumptions)
    };
    let assumptions: String =
        assumptions.split(" && ").map(|assumption| format!("const _: () = assert!({assumption});\n")).collect();
    format!(
        "{}{FINGERPRINTS}.
//! The tables of the indexes, and the facts that they assume.

use textcodec_core::index::{imports};

{modules}
const _: () = assert!(NULL == {NULL:#X});
{assumptions}",
        files::generated_by(COMMAND),
    )
}

/// The text of the file with the tables of `index`.
fn file(index: &Index) -> Result<String> {
    const POINTERS: &str = "{Block, Listed, PointerTable, Run}";
    const SQUARE: &str = "{Ascending, Block, Divisor, Listed, Pieces, PointerTable, Run, SquareIndex, Stretch}";
    const GB18030: &str = "{Ascending, Block, Listed, Pieces, PointerTable, Run, SquareIndex, Stretch}";
    let (imports, tables) = match index.name.as_str() {
        "jis0208" => {
            index_pointer::check_lowest_pointers(index)?;
            (POINTERS, vec![jis0208::jis0208_code_points(index)?, index_pointer::pointers(index)?])
        }
        "big5" => (POINTERS, vec![big5::big5_code_points(index)?, index_pointer::pointers(index)?]),
        "gb18030" => (GB18030, vec![square::square(index)?, index_pointer::pointers(index)?]),
        "euc-kr" => (SQUARE, vec![square::square(index)?, index_pointer::pointers(index)?]),
        "jis0212" => ("{Ascending, NearlyAscending, Pieces}", vec![jis0212::jis0212_code_points(index)?]),
        "iso-2022-jp-katakana" => ("", vec![code_points::code_points(index)?]),
        RANGES => ("", vec![ranges::ranges(index)?]),
        _ => ("{ByteTable, Characters}", vec![single_byte::code_points(index)?, single_byte::bytes(index)?]),
    };
    let imports = if imports.is_empty() { String::new() } else { format!("use textcodec_core::index::{imports};\n\n") };
    Ok(format!(
        "{}{}, Identifier {}.\n//! [Index {}]({}).\n\n{imports}{}",
        files::generated_by(COMMAND),
        index_file::path(&index.name),
        index.identifier(),
        index.name,
        index_file::anchor(&index.name),
        tables.join("\n"),
    ))
}
