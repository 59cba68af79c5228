//! Changes single bytes of generated tables in compiled programs of tests, and runs the tests of the table on each.
//! `nm` and `readelf` of binutils say where the tables are.

use std::{
    collections::BTreeMap,
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

/// Bytes of a table at an address.
struct Table {
    name: String,
    /// The offset in the file of the program, and the length.
    offset: usize,
    length: usize,
    tests: &'static [&'static str],
}

pub(super) fn run(root: &Path, folder: &Path, changes: usize, seed: u64) -> Result<()> {
    let mut random = Random(seed);
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut survivors = Vec::new();
    for program in &PROGRAMS {
        let (path, tests_folder) = build(root, program.package)?;
        let mut bytes = fs::read(&path)?;
        let tables = tables(&path, &bytes, program)?;
        ensure!(!tables.is_empty(), "{} has no table", path.display());
        fs::create_dir_all(folder)?;
        let patched = folder.join("patched");
        // The square root, so that short tables have their share.
        let weights: Vec<u64> = tables.iter().map(|table| table.length.isqrt() as u64).collect();
        for _ in 0..changes / PROGRAMS.len() {
            let mut place = random.below(weights.iter().sum());
            let mut chosen = weights.iter();
            let index = chosen.by_ref().take_while(|weight| {
                let is_before = place >= **weight;
                place = place.saturating_sub(if is_before { **weight } else { 0 });
                is_before
            });
            let table = &tables[index.count()];
            let at = random.below(table.length as u64) as usize;
            let old = bytes[table.offset + at];
            let new = old.wrapping_add(1 + random.below(255) as u8);
            bytes[table.offset + at] = new;
            fs::write(&patched, &bytes)?;
            fs::set_permissions(&patched, fs::Permissions::from_mode(0o755))?;
            bytes[table.offset + at] = old;
            let mut caught = false;
            for tests in table.tests {
                let mut command = Command::new(&patched);
                command.args(tests.split(' ').filter(|word| !word.is_empty()));
                let status = command.current_dir(&tests_folder).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
                caught = !status.success();
                if caught {
                    break;
                }
            }
            let (all, missed) = counts.entry(table.name.clone()).or_default();
            *all += 1;
            if !caught {
                *missed += 1;
                survivors.push(format!("{} byte {at}: {old} became {new}", table.name));
            }
        }
        fs::remove_file(&patched)?;
    }
    println!("table\tchanges\tnot caught");
    for (name, (all, missed)) in &counts {
        println!("{name}\t{all}\t{missed}");
    }
    let all = counts.values().map(|(all, _)| all).sum::<usize>();
    let (low, high) = wilson(all - survivors.len(), all);
    println!("{} of {all} changes caught, {:.1} to {:.1} %", all - survivors.len(), 100.0 * low, 100.0 * high);
    for survivor in survivors {
        println!("not caught: {survivor}");
    }
    Ok(())
}

/// Builds the program of the integration tests of a package. Also returns the package's folder.
fn build(root: &Path, package: &str) -> Result<(PathBuf, PathBuf)> {
    let output = Command::new("cargo")
        .args(["test", "--no-run", "--locked", "--package", package, "--test", "all", "--message-format=json"])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()?;
    ensure!(output.status.success(), "the tests of {package} do not compile");
    for line in String::from_utf8(output.stdout)?.lines() {
        let value: Value = serde_json::from_str(line)?;
        if value["target"]["name"] == "all"
            && let (Some(program), Some(manifest)) = (value["executable"].as_str(), value["manifest_path"].as_str())
        {
            let folder = Path::new(manifest).parent().context("a manifest is in a folder")?;
            return Ok((program.into(), folder.to_owned()));
        }
    }
    anyhow::bail!("{package} has no program of integration tests")
}

/// The tables of a program: statics without pointers, and the slices that a static's pointers lead to.
fn tables(path: &Path, bytes: &[u8], program: &Program) -> Result<Vec<Table>> {
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
    let mut tables = Vec::new();
    for line in output("nm", &["-S", "-C"])?.lines() {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        let [address, length, "R" | "r" | "D" | "d", name] = words[..] else { continue };
        let Some((_, tests)) = program.tests.iter().find(|(start, _)| name.starts_with(start)) else { continue };
        let (Some(address), Some(length)) = (hex(address), hex(length)) else { continue };
        let mut add = |name: &str, address, length: u64| {
            if length > 0
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
            // A slice is a pointer and a length. Its items have at least a byte each.
            let Some(words) = offset_of(at + 8).and_then(|offset| bytes.get(offset..offset + 8)) else { continue };
            let length = u64::from_le_bytes(words.try_into()?);
            if !pointers.contains_key(&(at + 8)) && length < 100_000 {
                add(&format!("{name} +{}", at - address), *target, length);
            }
        }
    }
    Ok(tables)
}
