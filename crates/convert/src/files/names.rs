//! Names of files in old charsets, and new names for them.
//!
//! Nothing changes before a [`Plan`] is made, which knows all new names and all collisions. [`Rename::apply`] never
//! replaces a file, and symbolic links are never followed.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::{OsStr, OsString},
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    charset::{Charset, Status},
    converter::convert,
    guess::{Guess, Guesser, Hints, NoGuess, Tier},
    options::Options,
    text::{Normalization, Normalizer},
    visible,
};

/// The greatest length of a name in bytes, on all usual systems.
const LONGEST: usize = 255;

/// The directories of version control, whose files have names for programs.
const VERSION_CONTROL: [&str; 5] = [".git", ".hg", ".svn", ".bzr", "CVS"];

/// How names get other bytes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Translation {
    /// The charset that the names are in.
    pub from: Charset,
    /// The charset in which the names were decoded wrongly before they became UTF-8. `None` if their bytes are in
    /// `from`.
    pub read_as: Option<Charset>,
    /// The charset of the new names.
    pub to: Charset,
    /// The form of letters with marks.
    pub normalization: Normalization,
}

/// What becomes of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Translated {
    /// It stays, because it is ASCII or gets the same bytes.
    Same,
    /// It stays, because it is UTF-8 already.
    Utf8,
    /// It gets these bytes.
    New(Vec<u8>),
    /// It stays, because it has no new name.
    Left(Obstacle),
}

/// The reason why a name stays as it is. It is displayed as a clause about the name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Obstacle {
    /// It is malformed in the charset.
    Malformed(Charset),
    /// The charset does not have a character of it.
    Unmappable(Charset),
    /// The new name would be no name of a file.
    NoName,
    /// The new name would be too long.
    TooLong,
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Obstacle::Malformed(charset) => write!(f, "the name is not {charset}"),
            Obstacle::Unmappable(charset) => write!(f, "{charset} does not have all characters of the name"),
            Obstacle::NoName => f.write_str("the new name would have a slash, or would be no name"),
            Obstacle::TooLong => write!(f, "the new name would be longer than {LONGEST} bytes"),
        }
    }
}

impl Translation {
    /// Names in `from` become UTF-8.
    #[must_use]
    pub const fn new(from: Charset) -> Self {
        Translation { from, read_as: None, to: Charset::UTF_8, normalization: Normalization::Keep }
    }

    /// What becomes of a name.
    #[must_use]
    pub fn translate(&self, name: &[u8]) -> Translated {
        let is_utf_8 = std::str::from_utf8(name).is_ok() && !name.is_ascii();
        let from = match self.read_as {
            None if is_utf_8 && self.to == Charset::UTF_8 => Charset::UTF_8,
            _ => self.from,
        };
        let bytes = match self.read_as {
            None => name.to_owned(),
            Some(_) if name.is_ascii() => return Translated::Same,
            Some(read_as) => match recode(name, Charset::UTF_8, read_as) {
                Ok(bytes) => bytes,
                Err(obstacle) => return Translated::Left(obstacle),
            },
        };
        let text = match decode(&bytes, from) {
            Ok(text) => self.normalize(text),
            Err(obstacle) => return Translated::Left(obstacle),
        };
        let new = match recode(text.as_bytes(), Charset::UTF_8, self.to) {
            Ok(new) => new,
            Err(obstacle) => return Translated::Left(obstacle),
        };
        match () {
            () if new == name && is_utf_8 && self.to == Charset::UTF_8 => Translated::Utf8,
            () if new == name => Translated::Same,
            () => Translated::New(new),
        }
    }

    fn normalize(&self, text: String) -> String {
        let Some(mut normalizer) = Normalizer::new(self.normalization) else { return text };
        let mut normalized = String::new();
        normalizer.apply(&text, true, &mut normalized);
        normalized
    }

    /// What becomes of the name of a file, which is no path.
    fn translate_file_name(&self, name: &[u8]) -> Translated {
        match self.translate(name) {
            Translated::New(new) if new.len() > LONGEST => Translated::Left(Obstacle::TooLong),
            Translated::New(new)
                if matches!(&*new, b"" | b"." | b"..") || new.iter().any(|b| matches!(b, 0 | b'/')) =>
            {
                Translated::Left(Obstacle::NoName)
            }
            translated => translated,
        }
    }
}

fn decode(bytes: &[u8], charset: Charset) -> Result<String, Obstacle> {
    let mut decoder = charset.new_decoder(true);
    let (mut text, mut read) = (String::new(), 0);
    loop {
        let mut piece = String::with_capacity(bytes.len() * 4 + 16);
        let decoded = decoder.decode(&bytes[read..], &mut piece, true);
        read += decoded.read;
        text += &piece;
        match decoded.status {
            Status::InputEmpty => return Ok(text),
            Status::OutputFull => {}
            Status::Malformed(_) => return Err(Obstacle::Malformed(charset)),
        }
    }
}

/// Text in another charset, without a byte order mark.
fn recode(bytes: &[u8], from: Charset, to: Charset) -> Result<Vec<u8>, Obstacle> {
    let text = decode(bytes, from)?;
    if to == Charset::UTF_8 {
        return Ok(text.into_bytes());
    }
    let converted = convert(text.as_bytes(), Charset::UTF_8, Options::to(to));
    converted.map(|(bytes, _)| bytes).map_err(|_| Obstacle::Unmappable(to))
}

/// A guess at the charset that names are in, from all of them that are neither ASCII nor UTF-8. `None` if there are
/// none. No name is in UTF-16 or EBCDIC, where the slash between names is another byte.
pub fn guess<'a>(names: impl IntoIterator<Item = &'a [u8]>, hints: &Hints) -> Option<Result<Guess, NoGuess>> {
    let mut hints = Hints { are_names: true, ..hints.clone() };
    hints.tiers.retain(|tier| *tier != Tier::Ebcdic);
    let has_choice = !hints.among.is_empty();
    hints.among.retain(|charset| !charset.is_wide() && !charset.is_ebcdic());
    if has_choice && hints.among.is_empty() {
        return Some(Err(NoGuess::Errors));
    }
    let mut guesser = Guesser::new(&hints);
    let mut is_empty = true;
    for name in names.into_iter().filter(|name| std::str::from_utf8(name).is_err()) {
        guesser.feed(name, false);
        guesser.feed(b"\n", false);
        is_empty = false;
    }
    guesser.feed(b"", true);
    (!is_empty).then(|| guesser.guess())
}

/// Everything below some paths, and these paths themselves.
#[derive(Debug, Default)]
pub struct Tree {
    /// What is in a directory comes before the directory.
    pub entries: Vec<Entry>,
    /// The directories that cannot be read.
    pub failures: Vec<(PathBuf, io::Error)>,
    /// The number of symbolic links whose targets are not ASCII. They lead nowhere after the targets are renamed.
    pub links: usize,
}

/// A file, a directory, a symbolic link, or anything else that has a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The path as the caller has named it, for messages.
    pub path: PathBuf,
    /// The directory, without symbolic links in its path.
    pub directory: PathBuf,
    /// The name in the directory.
    pub name: OsString,
}

impl Tree {
    /// Looks through `paths`. Symbolic links are entries and are not followed; the directories of version control are
    /// left out.
    #[must_use]
    pub fn new(paths: &[PathBuf]) -> Self {
        let (mut tree, mut seen) = (Tree::default(), BTreeSet::new());
        for path in paths {
            if let Err(error) = tree.add_path(path, &mut seen) {
                tree.failures.push((path.clone(), error));
            }
        }
        tree
    }

    fn add_path(&mut self, path: &Path, seen: &mut BTreeSet<(PathBuf, OsString)>) -> io::Result<()> {
        let metadata = fs::symlink_metadata(path)?;
        let Some(name) = path.file_name() else {
            // "." and ".." are no names.
            return self.add_directory(path, &fs::canonicalize(path)?, seen);
        };
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let directory = fs::canonicalize(parent)?;
        self.add(Entry { path: path.to_owned(), directory, name: name.to_owned() }, metadata.file_type(), seen);
        Ok(())
    }

    fn add(&mut self, entry: Entry, kind: fs::FileType, seen: &mut BTreeSet<(PathBuf, OsString)>) {
        if !seen.insert((entry.directory.clone(), entry.name.clone())) {
            return;
        }
        let place = entry.directory.join(&entry.name);
        if kind.is_symlink() {
            let is_other = |target: PathBuf| !target.as_os_str().as_encoded_bytes().is_ascii();
            self.links += usize::from(fs::read_link(&place).is_ok_and(is_other));
        } else if kind.is_dir()
            && let Err(error) = self.add_directory(&entry.path, &place, seen)
        {
            self.failures.push((entry.path.clone(), error));
        }
        self.entries.push(entry);
    }

    fn add_directory(&mut self, path: &Path, place: &Path, seen: &mut BTreeSet<(PathBuf, OsString)>) -> io::Result<()> {
        let mut entries = fs::read_dir(place)?.collect::<io::Result<Vec<_>>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name();
            let kind = entry.file_type()?;
            if kind.is_dir() && VERSION_CONTROL.iter().any(|known| name == *known) {
                continue;
            }
            self.add(Entry { path: path.join(&name), directory: place.to_owned(), name }, kind, seen);
        }
        Ok(())
    }

    /// The bytes of all names.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.entries.iter().map(|entry| entry.name.as_encoded_bytes())
    }
}

/// What would happen to all names of a tree.
#[derive(Debug, Default)]
pub struct Plan {
    /// The new names, in the order in which they must be given.
    pub renames: Vec<Rename>,
    /// The number of names that are UTF-8 already.
    pub utf_8: usize,
    /// The names that stay although they are not ASCII.
    pub left: Vec<(PathBuf, Obstacle)>,
    /// The new names that something else has or would get. Nothing must be renamed.
    pub collisions: Vec<Rename>,
}

/// A new name for an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rename {
    /// The entry with its old name.
    pub entry: Entry,
    /// The new name.
    pub new: OsString,
}

impl Plan {
    /// # Errors
    /// A directory, which the error names, cannot be read again.
    pub fn new(tree: &Tree, translation: &Translation) -> io::Result<Self> {
        let mut plan = Plan::default();
        let mut renames = Vec::new();
        for entry in &tree.entries {
            match translation.translate_file_name(entry.name.as_encoded_bytes()) {
                Translated::Same => {}
                Translated::Utf8 => plan.utf_8 += 1,
                Translated::Left(obstacle) => plan.left.push((entry.path.clone(), obstacle)),
                Translated::New(new) => match os_string(new) {
                    Some(new) => renames.push(Rename { entry: entry.clone(), new }),
                    None => plan.left.push((entry.path.clone(), Obstacle::Unmappable(translation.to))),
                },
            }
        }
        let mut taken: BTreeMap<&Path, BTreeSet<OsString>> = BTreeMap::new();
        for rename in &renames {
            let directory = &*rename.entry.directory;
            if !taken.contains_key(directory) {
                let names = fs::read_dir(directory).and_then(|entries| {
                    entries.map(|entry| entry.map(|entry| entry.file_name())).collect::<io::Result<_>>()
                });
                let with_name = |error: io::Error| {
                    io::Error::new(error.kind(), format!("{}: {error}", visible::display(directory)))
                };
                taken.insert(directory, names.map_err(with_name)?);
            }
            // A name that another rename gives up counts as taken: the order of the renames then does not matter.
            let is_new = taken.get_mut(directory).is_some_and(|names| names.insert(rename.new.clone()));
            if !is_new {
                plan.collisions.push(rename.clone());
            }
        }
        plan.renames = renames;
        Ok(plan)
    }
}

impl Rename {
    /// The path with the new name, as the caller names it.
    #[must_use]
    pub fn new_path(&self) -> PathBuf {
        self.entry.path.with_file_name(&self.new)
    }

    /// Gives the entry its new name.
    ///
    /// # Errors
    /// The system refuses this, or the new name is taken.
    pub fn apply(&self) -> io::Result<()> {
        rename(&self.entry.directory.join(&self.entry.name), &self.entry.directory.join(&self.new))
    }

    /// Gives the entry its old name again. `false` if it has this name already.
    ///
    /// # Errors
    /// The system refuses this, or the old name is taken.
    pub fn undo(&self) -> io::Result<bool> {
        let (old, new) = (self.entry.directory.join(&self.entry.name), self.entry.directory.join(&self.new));
        let is_there = |path: &Path| fs::symlink_metadata(path).is_ok();
        if !is_there(&new) && is_there(&old) {
            return Ok(false);
        }
        rename(&new, &old).map(|()| true)
    }
}

/// Renames without replacing anything.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;

        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            // The kernel or the file system does not know how, or the file system takes the two names for one.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP | Errno::EXIST) => {}
            result => return Ok(result?),
        }
    }
    if fs::symlink_metadata(to).is_ok_and(|other| !is_entry(from, &other)) {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    fs::rename(from, to)
}

/// Whether `other` is about the entry at `path`: some file systems take two spellings for one name.
fn is_entry(path: &Path, other: &fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;

        fs::symlink_metadata(path).is_ok_and(|entry| (entry.dev(), entry.ino()) == (other.dev(), other.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = (path, other);
        false
    }
}

/// A name with these bytes; `None` if the system has only names of Unicode, and the bytes are not UTF-8.
fn os_string(bytes: Vec<u8>) -> Option<OsString> {
    #[cfg(unix)]
    return Some(std::os::unix::ffi::OsStringExt::from_vec(bytes));
    #[cfg(not(unix))]
    String::from_utf8(bytes).ok().map(Into::into)
}

/// The first line of a list for undoing.
const TITLE: &str = "# textcodec names, list for --undo: directory, old name and new name";

/// A text from which [`parse_undo_list`] makes the renames again. It is ASCII.
#[must_use]
pub fn undo_list(renames: &[Rename]) -> String {
    let mut list = format!("{TITLE}\n");
    for Rename { entry, new } in renames {
        let fields = [entry.directory.as_os_str(), &entry.name, new].map(escape);
        let _ = writeln!(list, "{}", fields.join("\t"));
    }
    list
}

/// The renames of a list, in the order in which they are undone.
///
/// # Errors
/// The number of the first line that is wrong.
pub fn parse_undo_list(list: &str) -> Result<Vec<Rename>, usize> {
    let mut lines = list.lines();
    if lines.next() != Some(TITLE) {
        return Err(1);
    }
    let mut renames = Vec::new();
    for (line, number) in lines.zip(2..) {
        let fields: Vec<OsString> = line.split('\t').map(unescape).collect::<Option<_>>().ok_or(number)?;
        let [directory, name, new] = <[OsString; 3]>::try_from(fields).map_err(|_| number)?;
        // A name that is a path would lead elsewhere.
        let is_name = |name: &OsStr| Path::new(name).file_name() == Some(name);
        if !is_name(&name) || !is_name(&new) || !Path::new(&directory).is_absolute() {
            return Err(number);
        }
        let directory = PathBuf::from(directory);
        renames.push(Rename { entry: Entry { path: directory.join(&name), directory, name }, new });
    }
    renames.reverse();
    Ok(renames)
}

fn escape(text: &OsStr) -> String {
    let mut escaped = String::new();
    for &byte in text.as_encoded_bytes() {
        match byte {
            b' '..=b'~' if byte != b'\\' => escaped.push(char::from(byte)),
            _ => {
                let _ = write!(escaped, "\\x{byte:02x}");
            }
        }
    }
    escaped
}

fn unescape(text: &str) -> Option<OsString> {
    let mut bytes = Vec::new();
    let mut parts = text.split("\\x");
    bytes.extend_from_slice(parts.next()?.as_bytes());
    for part in parts {
        let digits = part.get(..2).filter(|digits| !digits.starts_with('+'))?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    os_string(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use textcodec::{SHIFT_JIS, WINDOWS_1252};

    /// Two names of one file stand for two spellings that a file system takes for one name.
    #[cfg(unix)]
    #[test]
    fn another_entry_is_not_replaced_and_the_same_one_is_no_obstacle() {
        let room = tempfile::tempdir().unwrap();
        let [one, link, other] = ["one", "link", "other"].map(|name| room.path().join(name));
        fs::write(&one, "1").unwrap();
        fs::write(&other, "2").unwrap();
        fs::hard_link(&one, &link).unwrap();
        assert_eq!(rename(&one, &other).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        rename(&one, &link).unwrap();
        assert_eq!((fs::read(&link).unwrap(), fs::read(&other).unwrap()), (b"1".to_vec(), b"2".to_vec()));
    }

    #[test]
    fn names_in_utf_8_and_ascii_stay() {
        let translation = Translation::new(SHIFT_JIS.into());
        assert_eq!(translation.translate(b"\x93\xFA\x96\x7B.txt"), Translated::New("日本.txt".into()));
        assert_eq!(translation.translate("日本.txt".as_bytes()), Translated::Utf8);
        assert_eq!(translation.translate(b"a.txt"), Translated::Same);
        assert_eq!(translation.translate(b"\x93"), Translated::Left(Obstacle::Malformed(SHIFT_JIS.into())));
        let long = [&b"\x93\xFA".repeat(90)[..]].concat();
        assert_eq!(translation.translate_file_name(&long), Translated::Left(Obstacle::TooLong));
        let mut back = Translation::new(Charset::UTF_8);
        back.to = SHIFT_JIS.into();
        assert_eq!(back.translate("日本".as_bytes()), Translated::New(b"\x93\xFA\x96\x7B".to_vec()));
        assert_eq!(back.translate("é".as_bytes()), Translated::Left(Obstacle::Unmappable(SHIFT_JIS.into())));
        let mut repair = Translation::new(SHIFT_JIS.into());
        repair.read_as = Some(WINDOWS_1252.into());
        assert_eq!(repair.translate("“ú–{".as_bytes()), Translated::New("日本".into()));
        // A name of ASCII is right, also where it could be read in another way.
        let mut wide = Translation::new(textcodec::UTF_16LE.into());
        wide.read_as = Some(WINDOWS_1252.into());
        assert_eq!(wide.translate(b"ab"), Translated::Same);
        let mut composed = Translation::new(Charset::UTF_8);
        composed.normalization = Normalization::Nfc;
        assert_eq!(composed.translate("e\u{301}".as_bytes()), Translated::New("é".into()));
    }

    #[test]
    fn a_new_name_has_at_most_255_bytes() {
        let translation = Translation::new(WINDOWS_1252.into());
        for (others, expected) in [(0, Ok(254)), (1, Ok(255)), (2, Err(Obstacle::TooLong)), (3, Err(Obstacle::TooLong))]
        {
            let name = [b"\xE9".repeat(127), b"a".repeat(others)].concat();
            let translated = match translation.translate_file_name(&name) {
                Translated::New(new) => Ok(new.len()),
                Translated::Left(obstacle) => Err(obstacle),
                other => panic!("{other:?}"),
            };
            assert_eq!(translated, expected, "{others}");
            // A name in an archive can be longer.
            assert_eq!(
                translation.translate(&name),
                Translated::New(["é".repeat(127), "a".repeat(others)].concat().into())
            );
        }
        assert_eq!(Obstacle::TooLong.to_string(), "the new name would be longer than 255 bytes");
    }

    #[cfg(feature = "guess")]
    #[test]
    fn names_are_not_guessed_to_be_in_utf_16_or_ebcdic() {
        let names: [&[u8]; 3] = [b"caf\x82", b"\x81", b"ascii"];
        let hints = |among: &[&str], tiers: &[Tier]| {
            let mut hints = Hints::new();
            hints.among = among.iter().map(|label| Charset::for_label(label).unwrap()).collect();
            hints.tiers = tiers.to_vec();
            hints
        };
        for (among, tiers) in [
            (&[][..], &[][..]),
            (&[], &[Tier::Dos]),
            (&[], &[Tier::Ebcdic]),
            (&[], &[Tier::Ebcdic, Tier::Mac]),
            (&["utf-16le", "cp850", "cp037"], &[]),
        ] {
            let found = guess(names, &hints(among, tiers)).unwrap().unwrap();
            assert!(!found.charset.is_wide() && !found.charset.is_ebcdic(), "{found:?}");
            assert!(found.candidates.iter().all(|other| !other.charset.is_wide() && !other.charset.is_ebcdic()));
        }
        assert_eq!(guess(names, &hints(&["utf-16be", "cp037"], &[])), Some(Err(NoGuess::Errors)));
        assert_eq!(guess([&b"ascii"[..]], &hints(&[], &[])), None);
    }

    #[test]
    fn a_new_name_is_a_name() {
        // A shift to ASCII stands for nothing, and UTF-7 has escapes for all characters.
        let [shifts, escapes] =
            ["iso-2022-jp", "utf-7"].map(|label| Translation::new(Charset::for_label(label).unwrap()));
        for (translation, old, new) in [
            (&shifts, &b"\x1B(B"[..], None),
            (&shifts, b"\x1B(B.", None),
            (&shifts, b"\x1B(B..", None),
            (&shifts, b"\x1B(B...", Some("...")),
            (&shifts, b"\x1B(Ba", Some("a")),
            (&escapes, b"+AC8-", None),
            (&escapes, b"a+AC8-b", None),
            (&escapes, b"a+AAA-", None),
            (&escapes, b"a+AFw-", Some("a\\")),
        ] {
            let expected =
                new.map_or(Translated::Left(Obstacle::NoName), |new: &str| Translated::New(new.as_bytes().to_vec()));
            assert_eq!(translation.translate_file_name(old), expected, "{old:?}");
        }
        // In an archive, a name is a path.
        assert_eq!(escapes.translate(b"a+AC8-b"), Translated::New(b"a/b".to_vec()));
    }

    #[test]
    fn a_tree_has_each_entry_once_and_what_is_in_a_directory_before_it() {
        let room = tempfile::tempdir().unwrap();
        let root = room.path();
        for path in ["t/b/.git/x", "t/b/z", "t/b/a", "t/b/c/CVS", "t/a", "t/d/.hg", "t/.git/y"] {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), "").unwrap();
        }
        let names = |paths: &[&str]| -> (Vec<String>, Vec<PathBuf>) {
            let tree = Tree::new(&paths.iter().map(|path| root.join(path)).collect::<Vec<_>>());
            for entry in &tree.entries {
                let found = entry.directory.join(&entry.name);
                assert_eq!(found, fs::canonicalize(&entry.directory).unwrap().join(entry.path.file_name().unwrap()));
                assert!(crate::files::are_same(&found, &entry.path), "{entry:?}");
            }
            let path = |path: &Path| path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            let entries = tree.entries.iter().map(|entry| path(&entry.path)).collect();
            assert_eq!(tree.names().count(), tree.entries.len());
            (entries, tree.failures.into_iter().map(|(path, _)| path).collect())
        };
        let below = ["t/a", "t/b/a", "t/b/c/CVS", "t/b/c", "t/b/z", "t/b", "t/d/.hg", "t/d"];
        assert_eq!(names(&["t"]), ([&below[..], &["t"]].concat().into_iter().map(str::to_owned).collect(), vec![]));
        // The name of the directory itself is known in the first form only.
        let by_dots = below.map(|path| path.replacen("t/", "t/b/../", 1)).to_vec();
        assert_eq!(names(&["t/b/..", "t/b/a", "t/a"]), (by_dots, vec![]));
        let missing = root.join("t/missing");
        assert_eq!(names(&["t/b/z", "t/missing", "t/b"]).0, ["t/b/z", "t/b/a", "t/b/c/CVS", "t/b/c", "t/b"]);
        assert_eq!(names(&["t/missing", "t/a"]), (vec!["t/a".to_owned()], vec![missing]));
    }

    #[cfg(unix)]
    #[test]
    fn links_whose_targets_are_not_ascii_are_counted() {
        use std::os::unix::fs::symlink;

        let room = tempfile::tempdir().unwrap();
        for (target, link) in [("é", "a"), ("b", "é"), ("../é/c", "d"), (".", "e")] {
            symlink(target, room.path().join(link)).unwrap();
        }
        let tree = Tree::new(&[room.path().to_owned()]);
        assert_eq!((tree.links, tree.entries.len(), tree.failures.len()), (2, 5, 0));
    }

    #[test]
    fn a_name_is_given_back_once_and_replaces_nothing() {
        let room = tempfile::tempdir().unwrap();
        let directory = fs::canonicalize(room.path()).unwrap();
        let [old, new] = ["old", "new"].map(|name| directory.join(name));
        let entry = Entry { path: old.clone(), directory, name: "old".into() };
        let rename = Rename { entry, new: "new".into() };
        assert_eq!(rename.new_path(), new);
        assert_eq!(rename.undo().unwrap_err().kind(), io::ErrorKind::NotFound);
        fs::write(&old, "1").unwrap();
        assert!(!rename.undo().unwrap());
        rename.apply().unwrap();
        assert!(!old.exists() && rename.undo().unwrap() && old.exists() && !new.exists());
        fs::write(&new, "2").unwrap();
        for result in [rename.undo().map(drop), rename.apply()] {
            assert_eq!(result.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        }
        assert_eq!((fs::read(&old).unwrap(), fs::read(&new).unwrap()), (b"1".to_vec(), b"2".to_vec()));
    }

    #[test]
    fn only_bytes_that_are_not_visible_in_ascii_and_the_backslash_are_escaped() {
        let all: String = (0..0x80_u8).map(char::from).collect();
        let escaped = escape(OsStr::new(&all));
        let expected: String = (0..0x80_u8)
            .map(|byte| match byte {
                0..=0x1F | 0x5C | 0x7F => format!("\\x{byte:02x}"),
                _ => char::from(byte).to_string(),
            })
            .collect();
        assert_eq!(escaped, expected);
        assert_eq!(unescape(&escaped), Some(all.into()));
        for wrong in ["\\x", "\\x4", "\\xg0", "\\xé", "\\x+4"] {
            assert_eq!(unescape(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_list_for_undoing_keeps_every_byte() {
        let root = if cfg!(windows) { "C:\\" } else { "/" };
        let entry = |name: &[u8]| {
            let (directory, name) = (PathBuf::from(root).join("a b\\"), os_string(name.to_vec()).unwrap());
            Entry { path: directory.join(&name), directory, name }
        };
        let names: &[&[u8]] = if cfg!(unix) { &[b"\x93\xFA\n\t\\x41", b"\\"] } else { &["é".as_bytes()] };
        let mut renames: Vec<_> = names.iter().map(|name| Rename { entry: entry(name), new: "日".into() }).collect();
        let list = undo_list(&renames);
        assert!(list.is_ascii() && list.lines().count() == renames.len() + 1, "{list}");
        renames.reverse();
        assert_eq!(parse_undo_list(&list), Ok(renames));
        assert_eq!(parse_undo_list("other\n"), Err(1));
        for wrong in ["/\ta", "/\ta\tb\tc", "a\tb\tc", "/\t..\tb", "/\ta/b\tc", "/\ta\t\\x4", "/\ta\t"] {
            assert_eq!(parse_undo_list(&format!("{TITLE}\n{wrong}\n")), Err(2), "{wrong}");
        }
    }

    #[test]
    fn a_name_that_another_entry_gives_up_is_taken() {
        let room = tempfile::tempdir().unwrap();
        let mut repair = Translation::new(Charset::UTF_8);
        repair.read_as = Some(WINDOWS_1252.into());
        let plan = || Plan::new(&Tree::new(&[room.path().to_owned()]), &repair).unwrap();
        let new = |renames: &[Rename]| renames.iter().map(|rename| rename.new.clone()).collect::<Vec<_>>();
        fs::write(room.path().join("ÃƒÂ©"), "twice").unwrap();
        assert_eq!((new(&plan().renames), plan().collisions.len()), (vec!["Ã©".into()], 0));
        fs::write(room.path().join("Ã©"), "once").unwrap();
        let Plan { renames, collisions, .. } = plan();
        let mut all = new(&renames);
        all.sort();
        assert_eq!((all, new(&collisions)), (vec!["Ã©".into(), "é".into()], vec!["Ã©".into()]));
    }
}
