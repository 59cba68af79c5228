//! Changes single bytes of generated tables in compiled programs of tests, and runs the tests of the table on each.
//! `nm` and `readelf` of binutils say where the tables are.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::{Random, wilson};

/// A program of tests: its package, which of its symbols are tables, and the tests of each table. The first tests are
/// those that take the least time; the others run only if they pass.
struct Program {
    package: &'static str,
    tests: &'static [(&'static str, &'static [&'static str])],
}

const PROGRAMS: [Program; 2] = [
    Program {
        package: "textcodec-tests",
        tests: &[
            ("textcodec_cjk_chinese::generated::big5::", &["indexes::index_big5", "indexes::"]),
            ("textcodec_cjk_chinese::generated::gb18030", &["indexes::index_gb18030", "indexes::"]),
            ("textcodec_cjk_korean::generated::", &["indexes::index_euc_kr", "indexes::"]),
            ("textcodec_cjk_japanese::generated::jis0208", &["indexes::index_jis0208", "indexes::"]),
            ("textcodec_cjk_japanese::generated::jis0212", &["indexes::index_jis0212", "indexes::"]),
            ("textcodec_cjk_japanese::generated::iso_2022_jp", &["indexes::index_iso", "indexes::"]),
            ("textcodec_single_byte::generated::", &["indexes::single_byte", "indexes::"]),
            ("textcodec_core::generated::", &["encoding_rs_streams::whole::", "indexes::", ""]),
        ],
    },
    Program {
        package: "textcodec-charsets",
        tests: &[
            ("textcodec_charsets::generated::pairs::", &["pairs::", "mappings::", ""]),
            ("textcodec_charsets::generated::", &["mappings::", "names::", ""]),
        ],
    },
];

/// The tests of a crate that compare its tables with what the generator has written. They also see a change of an entry
/// that no conversion reads.
const OWN_TESTS: &[&str] = &["generated_tables"];

/// Bytes of a table at an address.
struct Table {
    name: String,
    /// The offset in the file of the program, and the length.
    offset: usize,
    length: usize,
    tests: &'static [&'static str],
}

/// A compiled program of tests, with its tables.
struct Binary {
    bytes: Vec<u8>,
    /// The folder in which the tests run.
    folder: PathBuf,
    tables: Vec<Table>,
    /// Where the changed program is written.
    patched: PathBuf,
}

impl Binary {
    /// Builds a program of a package. `tests` are those of [`Program`].
    fn build(
        root: &Path,
        patched: &Path,
        package: &str,
        target: &[&str],
        tests: &[(&str, &'static [&'static str])],
    ) -> Result<Self> {
        let (path, folder) = build(root, package, target)?;
        let bytes = fs::read(&path)?;
        let tables = tables(&path, &bytes, tests)?;
        let mut binary = Binary { bytes, folder, tables, patched: patched.to_owned() };
        let first = binary.tables.first().with_context(|| format!("{} has no table", path.display()))?;
        let unchanged = binary.bytes[first.offset];
        ensure!(!binary.catches(0, 0, unchanged)?, "the tests of {package} fail without a change");
        Ok(binary)
    }

    /// Whether a test fails if a byte of a table is another one.
    fn catches(&mut self, table: usize, at: usize, new: u8) -> Result<bool> {
        let Table { offset, tests, .. } = self.tables[table];
        let old = std::mem::replace(&mut self.bytes[offset + at], new);
        fs::write(&self.patched, &self.bytes)?;
        fs::set_permissions(&self.patched, fs::Permissions::from_mode(0o755))?;
        self.bytes[offset + at] = old;
        for tests in tests {
            let mut command = Command::new(&self.patched);
            command.args(tests.split(' ').filter(|word| !word.is_empty()));
            let status = command.current_dir(&self.folder).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
            if !status.success() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

pub(super) fn run(root: &Path, folder: &Path, changes: usize, seed: u64) -> Result<()> {
    let mut random = Random(seed);
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    fs::create_dir_all(folder)?;
    let patched = folder.join("patched");
    let mut own: BTreeMap<String, Binary> = BTreeMap::new();
    for program in &PROGRAMS {
        let mut binary = Binary::build(root, &patched, program.package, &["--test", "all"], program.tests)?;
        // The square root, so that short tables have their share.
        let weights: Vec<u64> = binary.tables.iter().map(|table| table.length.isqrt() as u64).collect();
        for _ in 0..changes / PROGRAMS.len() {
            let mut place = random.below(weights.iter().sum());
            let mut chosen = weights.iter();
            let index = chosen.by_ref().take_while(|weight| {
                let is_before = place >= **weight;
                place = place.saturating_sub(if is_before { **weight } else { 0 });
                is_before
            });
            let index = index.count();
            let table = &binary.tables[index];
            let (name, at) = (table.name.clone(), random.below(table.length as u64) as usize);
            let old = binary.bytes[table.offset + at];
            let new = old.wrapping_add(1 + random.below(255) as u8);
            // The tests of the crate come first, because they take milliseconds.
            let package = name.split("::").next().unwrap_or_default().replace('_', "-");
            if !own.contains_key(&package) {
                let tables = [(&*package.replace('-', "_"), OWN_TESTS)];
                let mut target = vec!["--lib"];
                if package == "textcodec-core" {
                    target.extend(["--features", "testing"]);
                }
                own.insert(package.clone(), Binary::build(root, &patched, &package, &target, &tables)?);
            }
            let of_crate = own.get_mut(&package).context("the program was built")?;
            let own_index = of_crate.tables.iter().position(|table| table.name == name);
            let caught = match own_index {
                Some(own_index) if of_crate.catches(own_index, at, new)? => true,
                _ => binary.catches(index, at, new)?,
            };
            let (all, missed) = counts.entry(name.clone()).or_default();
            *all += 1;
            if !caught {
                *missed += 1;
                println!("not caught: {name} byte {at}: {old} became {new}");
            }
        }
    }
    fs::remove_file(&patched)?;
    println!("table\tchanges\tnot caught");
    for (name, (all, missed)) in &counts {
        println!("{name}\t{all}\t{missed}");
    }
    let all = counts.values().map(|(all, _)| all).sum::<usize>();
    let caught = all - counts.values().map(|(_, missed)| missed).sum::<usize>();
    let (low, high) = wilson(caught, all);
    println!("{caught} of {all} changes caught, {:.1} to {:.1} %", 100.0 * low, 100.0 * high);
    Ok(())
}

/// Builds a program of tests of a package. Also returns the package's folder.
fn build(root: &Path, package: &str, target: &[&str]) -> Result<(PathBuf, PathBuf)> {
    let output = Command::new("cargo")
        .args(["test", "--no-run", "--locked", "--message-format=json", "--package", package])
        .args(target)
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()?;
    ensure!(output.status.success(), "the tests of {package} do not compile");
    for line in String::from_utf8(output.stdout)?.lines() {
        let value: Value = serde_json::from_str(line)?;
        if value["profile"]["test"] == true
            && let (Some(program), Some(manifest)) = (value["executable"].as_str(), value["manifest_path"].as_str())
        {
            let folder = Path::new(manifest).parent().context("a manifest is in a folder")?;
            return Ok((program.into(), folder.to_owned()));
        }
    }
    anyhow::bail!("{package} has no program of tests")
}

/// The tables of a program: statics without pointers, and the slices that a static's pointers lead to.
fn tables(path: &Path, bytes: &[u8], all_tests: &[(&str, &'static [&'static str])]) -> Result<Vec<Table>> {
    let output = |command: &str, arguments: &[&str]| -> Result<String> {
        let output = Command::new(command).args(arguments).arg(path).output();
        let output = output.with_context(|| format!("{command} is needed, for example from the package `binutils`"))?;
        Ok(String::from_utf8(output.stdout)?)
    };
    let hex = |text: &str| u64::from_str_radix(text, 16).ok();
    let mut sections = Vec::new();
    for line in output("readelf", &["-SW"])?.lines() {
        let words: Vec<&str> = line.split(']').next_back().unwrap_or_default().split_whitespace().collect();
        if let [_, "PROGBITS", address, offset, length, ..] = words[..]
            && let (Some(address), Some(offset), Some(length)) = (hex(address), hex(offset), hex(length))
        {
            sections.push((address, offset, length));
        }
    }
    let offset_of = |address: u64| {
        let section = sections.iter().find(|(start, _, length)| (*start..start + length).contains(&address))?;
        usize::try_from(section.1 + address - section.0).ok()
    };
    let mut pointers = BTreeMap::new();
    for line in output("readelf", &["-rW"])?.lines() {
        if let [at, _, "R_X86_64_RELATIVE" | "R_AARCH64_RELATIVE", target] =
            line.split_whitespace().collect::<Vec<_>>()[..]
            && let (Some(at), Some(target)) = (hex(at), hex(target))
        {
            pointers.insert(at, target);
        }
    }
    let symbols = output("nm", &["-S", "-C"])?;
    // Slices have names such as `anon.934d82.5`.
    let statics = symbols.lines().filter(|line| line.contains(" textcodec_"));
    let named: BTreeSet<u64> = statics.filter_map(|line| hex(line.split(' ').next()?)).collect();
    let mut tables = Vec::new();
    for line in symbols.lines() {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        let [address, length, "R" | "r" | "D" | "d", name] = words[..] else { continue };
        let Some(&(_, tests)) = all_tests.iter().find(|(start, _)| name.starts_with(start)) else { continue };
        let (Some(address), Some(length)) = (hex(address), hex(length)) else { continue };
        // A codec is no table: its fields have spaces between them.
        if name.ends_with("::CODEC") {
            continue;
        }
        let mut add = |name: &str, address, length: u64| {
            // The loader writes pointers over what the file has.
            if length > 0
                && pointers.range(address..address + length).next().is_none()
                && let Some(offset) = offset_of(address)
            {
                tables.push(Table { name: name.to_owned(), offset, length: length as usize, tests });
            }
        };
        let own: Vec<_> = pointers.range(address..address + length).collect();
        if own.is_empty() {
            add(name, address, length);
        }
        for (at, target) in own {
            // A slice is a pointer and a length. Its items have at least a byte each. What has a name is a table of its
            // own.
            if named.contains(target) {
                continue;
            }
            let Some(words) = offset_of(at + 8).and_then(|offset| bytes.get(offset..offset + 8)) else { continue };
            let length = u64::from_le_bytes(words.try_into()?);
            if !pointers.contains_key(&(at + 8)) && length < 100_000 {
                add(&format!("{name} +{}", at - address), *target, length);
            }
        }
    }
    Ok(tables)
}
