//! `textcodec names`: names of files, and names in ZIP archives, in old encodings.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow, bail};
use textcodec_convert::{
    Charset,
    files::{
        NewFile, are_same, check_output,
        names::{self, Plan, Rename, Translated, Translation, Tree},
        zip::Archive,
    },
    guess::Probability,
    visible::excerpt,
};

use crate::{
    arguments::Names,
    message::{self, Failures, display, say},
    output::Output,
    standard_streams::StandardOutput,
};

/// The least probability of a guess by which names change.
const CERTAIN: f32 = 0.95;

/// Renames files, or lists names.
pub(crate) fn run(arguments: &Names, failures: &mut Failures) -> Result<()> {
    match (&arguments.undo, &arguments.zip) {
        (Some(list), _) => undo(list, failures),
        (None, Some(archive)) => zip(arguments, archive, failures),
        (None, None) => files(arguments, failures),
    }
}

/// What names are translated from, and whether this is certain enough to change names.
struct Found {
    translation: Translation,
    is_certain: bool,
}

/// Takes the encoding of --from, or guesses it.
fn find<'a>(arguments: &Names, names: impl Iterator<Item = &'a [u8]>) -> Result<Found> {
    let (from, is_certain) = match arguments.from {
        Some(from) => (from, true),
        None => match names::guess(names, &arguments.hints()) {
            None => (Charset::UTF_8, true),
            Some(Ok(guess)) => {
                say(&format!("the names seem to be {}: {}", guess.charset, guess.reason));
                let others = guess.candidates.iter().filter(|candidate| candidate.charset != guess.charset).take(2);
                let others: Vec<_> = others
                    .map(|candidate| format!("{} ({})", candidate.charset, Probability(candidate.probability)))
                    .collect();
                let is_certain = guess.reason.probability().is_some_and(|probability| probability >= CERTAIN);
                if !is_certain && !others.is_empty() {
                    say(&format!("they can also be {}", others.join(" or ")));
                }
                (guess.charset, is_certain)
            }
            Some(Err(reason)) => bail!("nothing tells the encoding of the names: {reason}\n  Name it with --from."),
        },
    };
    let mut translation = Translation::new(from);
    translation.read_as = arguments.read_as.as_ref().map(|target| target.encoding);
    translation.to = arguments.to.encoding;
    translation.normalization = arguments.normalize.into();
    Ok(Found { translation, is_certain })
}

const UNCERTAIN: &str = "the guess is too uncertain to change names by it\n  Name the encoding with --from.";

/// Prints lines to standard output.
fn print(lines: &str) -> Result<()> {
    StandardOutput::open().and_then(|mut output| output.print(lines)).context("cannot write to standard output")
}

/// The line about a new name.
fn describe(Rename { entry, new }: &Rename) -> String {
    format!("{} -> {}", display(&entry.path), display(Path::new(new)))
}

fn files(arguments: &Names, failures: &mut Failures) -> Result<()> {
    let mut tree = Tree::new(&arguments.paths);
    for (path, error) in tree.failures.drain(..) {
        failures.add(&anyhow::Error::new(error).context(format!("cannot read {}", display(&path))));
    }
    let Found { translation, is_certain } = find(arguments, tree.names())?;
    let plan = Plan::new(&tree, &translation).context("cannot read the directories again")?;
    for (path, obstacle) in &plan.left {
        failures.add(&anyhow!("{}: {obstacle}; the name stays", display(path)));
    }
    for collision in &plan.collisions {
        failures.add(&anyhow!("{}: the new name is taken", describe(collision)));
    }
    let mut renamed = 0;
    if !arguments.apply {
        let lines: String = plan.renames.iter().map(|rename| describe(rename) + "\n").collect();
        print(&lines)?;
    } else if !plan.collisions.is_empty() {
        say("nothing is renamed, because new names are taken");
    } else if !is_certain && !plan.renames.is_empty() {
        bail!("{UNCERTAIN}");
    } else if !plan.renames.is_empty() {
        renamed = apply(&plan.renames, arguments.undo_list.as_deref(), failures)?;
    }
    if tree.links > 0 {
        let links = count(tree.links, "symbolic link has a target that is", "symbolic links have targets that are");
        say(&format!("{links} not ASCII; targets do not change"));
    }
    let (to, left) = (translation.to, plan.left.len());
    let done = match arguments.apply {
        true => format!("{renamed} renamed"),
        false => format!("nothing is renamed without --apply; {} to rename", plan.renames.len()),
    };
    let already = if to == Charset::UTF_8 { format!(", {} already UTF-8", plan.utf_8) } else { String::new() };
    say(&format!("{done}{already}, {left} left as they are"));
    Ok(())
}

fn count(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
}

/// Writes the list for undoing, and renames. Returns the number of entries with new names.
fn apply(renames: &[Rename], list: Option<&Path>, failures: &mut Failures) -> Result<usize> {
    let path = write_list(&names::undo_list(renames), list)?;
    let mut renamed = 0;
    for rename in renames {
        let result = rename.apply().with_context(|| format!("cannot rename {}", describe(rename)));
        renamed += usize::from(failures.check(result).is_some());
    }
    say(&format!("`textcodec names --undo {}` gives the files their old names again", display(&path)));
    Ok(renamed)
}

/// Writes the list for undoing, which replaces no other file. Returns its path. The list appears as a whole, before the
/// first name changes.
fn write_list(list: &str, path: Option<&Path>) -> Result<PathBuf> {
    let write = |path: &Path| {
        let mut file = NewFile::create_with(path.to_owned(), 0o666)?;
        file.write_all(list.as_bytes()).and_then(|()| file.complete_as_new())
    };
    if let Some(path) = path {
        write(path).with_context(|| format!("cannot write {}", display(path)))?;
        return Ok(path.to_owned());
    }
    for number in 1.. {
        let path = PathBuf::from(format!("textcodec-names-{number}.undo"));
        // Another run can take the name between this look and the end of the writing.
        let written = match path.symlink_metadata() {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => write(&path),
        };
        match written {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                let context = format!("cannot write {}", display(&path));
                return Err(anyhow::Error::new(error).context(context).context("--undo-list names another place"));
            }
            Ok(()) => return Ok(path),
        }
    }
    unreachable!("some number is free")
}

fn undo(list: &Path, failures: &mut Failures) -> Result<()> {
    let text = fs::read_to_string(list).with_context(|| format!("cannot read {}", display(list)))?;
    let renames = names::parse_undo_list(&text)
        .map_err(|line| anyhow!("{}: line {line} is not that of a list for --undo", display(list)))?;
    let (mut undone, mut unchanged) = (0, 0);
    for rename in &renames {
        let result = rename.undo().with_context(|| {
            format!("cannot rename {} -> {}", display(&rename.new_path()), display(Path::new(&rename.entry.name)))
        });
        match failures.check(result) {
            Some(true) => undone += 1,
            Some(false) => unchanged += 1,
            None => {}
        }
    }
    let undone = count(undone, "has its old name again", "have their old names again");
    let unchanged = count(unchanged, "had it already", "had them already");
    say(&format!("{undone}, {unchanged}"));
    Ok(())
}

fn zip(arguments: &Names, path: &Path, failures: &mut Failures) -> Result<()> {
    let cannot_read = || format!("cannot read {}", display(path));
    let file = File::open(path).with_context(cannot_read)?;
    let metadata = file.metadata().with_context(cannot_read)?;
    let mut archive = Archive::open(file).with_context(cannot_read)?;
    let Found { translation, is_certain } = find(arguments, archive.unmarked_names())?;
    let visible = |bytes: &[u8]| str::from_utf8(bytes).map_or_else(|_| quote(bytes), |name| display(Path::new(name)));
    let (mut lines, mut renamed, mut utf_8) = (String::new(), 0, 0);
    for name in archive.names(&translation) {
        let old = visible(name.old);
        match &name.translated {
            Translated::New(new) => {
                renamed += 1;
                lines += &format!("{old} -> {}\n", visible(new));
            }
            translated => {
                utf_8 += usize::from(*translated == Translated::Utf8);
                lines += &format!("{old}\n");
            }
        }
        if let Some(obstacle) = name.obstacle() {
            failures.add(&anyhow!("{}: {}: {obstacle}; the name stays", display(path), excerpt(&old)));
        }
    }
    let summary = |verb: &str| format!("{renamed} {verb}, {utf_8} already UTF-8");
    let Some(target) = arguments.output.as_deref() else {
        print(&lines)?;
        say(&format!("nothing is written without --output; {}", summary("to rename")));
        return Ok(());
    };
    if !is_certain && renamed > 0 {
        bail!("{UNCERTAIN}");
    }
    check_output("--output", Some(target))?;
    let cannot_write = || format!("cannot write {}", display(target));
    let mut output = Output::open(Some(target)).with_context(cannot_write)?;
    if are_same(path, target) {
        output.expect(metadata);
    }
    {
        let mut buffered = BufWriter::with_capacity(64 * 1024, &mut output);
        let copied = archive.copy(&translation, &mut buffered).and_then(|()| buffered.flush());
        copied.with_context(|| format!("cannot copy {} to {}", display(path), display(target)))?;
    }
    for lost in output.complete().with_context(cannot_write)? {
        say(&format!("{}: {lost}", display(target)));
    }
    say(&summary("renamed"));
    Ok(())
}

/// A name that is not UTF-8 in quotes, with escapes, as messages show the names of files.
fn quote(bytes: &[u8]) -> String {
    let mut text = String::from('"');
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid().replace('\\', "\\\\").replace('"', "\\\"");
        text += &message::escape_controls(&valid).replace('\n', "\\n");
        chunk.invalid().iter().for_each(|byte| text += &format!("\\x{byte:02x}"));
    }
    text + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_not_utf_8_are_shown_with_escapes() {
        for (bytes, expected) in [
            (&b"a\xE9"[..], r#""a\xe9""#),
            (b"\xFF\xFE", r#""\xff\xfe""#),
            (b"a\\b\"\xE9", r#""a\\b\"\xe9""#),
            (b"a\nb\xE9", r#""a\nb\xe9""#),
            ("é☃".as_bytes(), "\"é☃\""),
            (b"", "\"\""),
        ] {
            assert_eq!(quote(bytes), expected, "{bytes:?}");
        }
        // The help says so.
        assert_eq!(CERTAIN, 0.95);
        assert_eq!(
            [0, 1, 2].map(|number| count(number, "file is", "files are")),
            ["0 files are", "1 file is", "2 files are"]
        );
    }

    #[test]
    fn a_name_that_cannot_change_is_a_failure_and_not_counted() {
        let folder = tempfile::tempdir().unwrap();
        let entry = |name: &str| names::Entry {
            path: folder.path().join(name),
            directory: folder.path().to_owned(),
            name: name.into(),
        };
        for name in ["a", "c"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        let renames = ["a", "b", "c"].map(|name| Rename { entry: entry(name), new: format!("{name}2").into() });
        let mut failures = Failures::default();
        assert_eq!(apply(&renames, Some(&folder.path().join("list")), &mut failures).unwrap(), 2);
        assert_eq!(failures.number(), 1);
        assert!(["a2", "c2"].iter().all(|name| folder.path().join(name).exists()));
    }
}
