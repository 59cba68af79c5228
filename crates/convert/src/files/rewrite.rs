//! The new content of a file, which takes the place of the old content only if the two differ.

use std::{
    fs::{File, Metadata},
    io::{self, Cursor, ErrorKind, Read, Seek, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    new_file::{self, NewFile},
    reading::read,
    regular,
};
use crate::{
    buffers::{self, LENGTH},
    visible,
};

/// The treatment of a file whose content changes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Manner {
    /// Whether no file is written.
    pub dry: bool,
    /// The end of the name under which the old file stays.
    pub suffix: Option<String>,
    /// Whether the new file gets the time of the last change of the old file.
    pub keep_time: bool,
}

/// The old content of a file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Old {
    /// What the system knows about the file.
    pub metadata: Metadata,
    /// The content.
    pub bytes: OldBytes,
}

/// The bytes of the old content, from some place on.
#[derive(Debug)]
pub enum OldBytes {
    /// They are read from the file.
    File(File),
    /// They were read already.
    Memory(Cursor<Arc<[u8]>>),
}

impl Old {
    /// Opens a file that is no symbolic link, and reads one that is shorter than a buffer into memory.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = regular::open_itself(path)?;
        let metadata = file.metadata()?;
        if metadata.len() >= LENGTH as u64 {
            return Ok(Old { metadata, bytes: OldBytes::File(file) });
        }
        // A read that gives as many bytes as the file has, and fewer than the buffer holds, has reached the end of a
        // regular file.
        let (mut content, mut length) = (buffers::Bytes::new(), 0);
        loop {
            let number = read(&mut file, &mut content[length..])?;
            length += number;
            if number == 0 || length as u64 == metadata.len() {
                break;
            }
            if length == content.len() {
                file.rewind()?;
                return Ok(Old { metadata, bytes: OldBytes::File(file) });
            }
        }
        Ok(Old { metadata, bytes: OldBytes::Memory(Cursor::new(content[..length].into())) })
    }

    /// All bytes, if they are in memory.
    #[must_use]
    pub fn content(&self) -> Option<Arc<[u8]>> {
        match &self.bytes {
            OldBytes::File(_) => None,
            OldBytes::Memory(bytes) => Some(Arc::clone(bytes.get_ref())),
        }
    }
}

impl OldBytes {
    /// Goes back to the first byte.
    fn rewind(&mut self) -> io::Result<()> {
        match self {
            OldBytes::File(file) => file.rewind(),
            OldBytes::Memory(bytes) => bytes.rewind(),
        }
    }
}

impl Read for OldBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            OldBytes::File(file) => file.read(buffer),
            OldBytes::Memory(bytes) => bytes.read(buffer),
        }
    }
}

/// Compares what is written with the content of a file, as far as the two are equal.
#[derive(Debug)]
pub struct Comparison {
    old: OldBytes,
    buffer: Option<buffers::Bytes>,
    differs: bool,
}

impl Comparison {
    /// Nothing was compared yet.
    #[must_use]
    pub const fn new(old: OldBytes) -> Self {
        Comparison { old, buffer: None, differs: false }
    }

    /// Reads on in the old file. Returns how many of the first `bytes` follow there; 0 from the first difference on.
    fn compare(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.differs {
            return Ok(0);
        }
        let buffer = self.buffer.get_or_insert_with(buffers::Bytes::new);
        let length = bytes.len().min(LENGTH);
        let read = read(&mut self.old, &mut buffer[..length])?;
        let is_equal = read > 0 && bytes[..read] == buffer[..read];
        self.differs = !is_equal;
        Ok(if is_equal { read } else { 0 })
    }

    /// Compares `bytes`, which follow those that were compared before.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn observe(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() && !self.differs {
            bytes = &bytes[self.compare(bytes)?..];
        }
        Ok(())
    }

    /// Whether the old file has nothing but the bytes that were compared.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn is_same(&mut self) -> io::Result<bool> {
        Ok(!self.differs && read(&mut self.old, &mut [0])? == 0)
    }
}

/// Compares what is written with the content of a file. At the first difference, a new file is created, which starts
/// with the bytes before the difference. So a file that does not change costs no writing.
#[derive(Debug)]
pub struct Rewrite<'a> {
    manner: &'a Manner,
    target: PathBuf,
    metadata: Metadata,
    old: Comparison,
    /// The number of bytes that were written and are equal to the start of the old file.
    equal: u64,
    /// The new file, after a difference, unless nothing is to be written.
    new: Option<Box<NewFile>>,
}

impl<'a> Rewrite<'a> {
    /// `target` is a regular file and no symbolic link, and `old` is its content.
    #[must_use]
    pub fn new(target: PathBuf, old: Old, manner: &'a Manner) -> Self {
        let Old { metadata, bytes } = old;
        Rewrite { manner, target, metadata, old: Comparison::new(bytes), equal: 0, new: None }
    }

    /// The number of names that the file has.
    #[must_use]
    pub fn links(&self) -> u64 {
        regular::number_of_names(&self.metadata)
    }

    /// The name under which the old file stays, if it has one already: an earlier run that was killed has given it.
    #[must_use]
    pub fn has_backup(&self) -> bool {
        self.backup().is_some_and(|backup| new_file::is_kept_as(&self.target, &backup))
    }

    fn backup(&self) -> Option<PathBuf> {
        self.manner.suffix.as_deref().map(|suffix| backup(&self.target, suffix))
    }

    /// Creates the new file.
    fn differ(&mut self) -> io::Result<()> {
        if let Some(backup) = self.backup()
            && backup.symlink_metadata().is_ok()
            && !self.has_backup()
        {
            return Err(already_there(&backup));
        }
        if self.manner.dry {
            return regular::open_for_writing(&self.target).map(drop);
        }
        let mut new = NewFile::create(self.target.clone(), true)?;
        let old = &mut self.old.old;
        old.rewind()?;
        io::copy(&mut old.take(self.equal), &mut new)?;
        self.new = Some(Box::new(new));
        Ok(())
    }

    /// Ends the writing.
    ///
    /// # Errors
    /// The new file cannot be written, or the old one is in the way.
    pub fn finish(mut self) -> io::Result<Rewritten> {
        if !self.old.differs {
            if self.old.is_same()? {
                return Ok(Rewritten::Same);
            }
            self.differ()?;
        }
        let backup = self.backup();
        let Some(mut new) = self.new else { return Ok(Rewritten::Dry) };
        if self.manner.keep_time {
            new.set_modified(&self.metadata)?;
        }
        if let Some(backup) = backup {
            new.keep_old_as(backup);
        }
        // Windows replaces no file that is open, so the old file is closed here.
        drop(self.old);
        new.expect(self.metadata.clone());
        Ok(Rewritten::Ready(Box::new(Ready { new: new.finish()?, metadata: self.metadata })))
    }
}

/// The name under which the old content of the file `target` stays.
#[must_use]
pub fn backup(target: &Path, suffix: &str) -> PathBuf {
    let mut name = target.to_owned().into_os_string();
    name.push(suffix);
    name.into()
}

/// The result of writing.
#[derive(Debug)]
pub enum Rewritten {
    /// The new content is the old one.
    Same,
    /// The new content is another one, and is not written.
    Dry,
    /// The new content is another one.
    Ready(Box<Ready>),
}

/// New content that can take the place of the old.
#[derive(Debug)]
pub struct Ready {
    pub(super) new: new_file::Ready,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "other systems synchronize each file"))]
    metadata: Metadata,
}

impl Ready {
    /// Waits until all bytes are on the disk. Without this, a loss of power can leave an empty file.
    ///
    /// # Errors
    /// Some errors of writing come as late as this.
    pub fn sync(&self) -> io::Result<()> {
        self.new.sync()
    }

    /// The number of the file system that has the file.
    #[cfg(target_os = "linux")]
    pub(super) fn file_system(&self) -> u64 {
        std::os::linux::fs::MetadataExt::st_dev(&self.metadata)
    }

    /// Puts the new content in the place of the old. Returns a sentence for each attribute that the new file could not
    /// keep.
    ///
    /// # Errors
    /// The old file has changed in the meantime, or cannot be replaced.
    pub fn place(self) -> io::Result<Vec<String>> {
        self.new.place()
    }
}

impl Write for Rewrite<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        if !self.old.differs {
            match self.old.compare(bytes)? {
                0 => self.differ()?,
                equal => {
                    self.equal += equal as u64;
                    return Ok(equal);
                }
            }
        }
        match &mut self.new {
            Some(new) => new.write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn already_there(backup: &Path) -> io::Error {
    let backup = visible::display(backup);
    io::Error::new(ErrorKind::AlreadyExists, format!("{backup}, the name for the old file, is there already"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The content of a file with the content `old` after `pieces` were written, and whether a new file was created.
    fn rewritten(old: &str, pieces: &[&str]) -> (String, bool) {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("target");
        fs::write(&target, old).unwrap();
        let manner = Manner::default();
        let mut rewrite = Rewrite::new(target.clone(), Old::open(&target).unwrap(), &manner);
        pieces.iter().for_each(|piece| rewrite.write_all(piece.as_bytes()).unwrap());
        let changed = match rewrite.finish().unwrap() {
            Rewritten::Ready(ready) => ready.place().map(|_| true).unwrap(),
            Rewritten::Same | Rewritten::Dry => false,
        };
        (fs::read_to_string(target).unwrap(), changed)
    }

    #[test]
    fn only_a_difference_makes_a_new_file() {
        let long = "abc".repeat(LENGTH);
        for old in ["", "a", "abc", &long] {
            for new in ["", "a", "ab", "abd", "abcd", &long, &(long.clone() + "d"), &long[1..]] {
                let (start, end) = new.split_at(new.len() / 2);
                for pieces in [&[new][..], &[start, end]] {
                    let (content, changed) = rewritten(old, pieces);
                    assert!(content == new, "{} bytes instead of {}", content.len(), new.len());
                    assert_eq!(changed, old != new);
                }
            }
        }
    }

    #[test]
    fn a_file_that_is_shorter_than_a_buffer_is_read_into_memory() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        for length in [0, 1, LENGTH - 1, LENGTH, LENGTH + 1] {
            let content: Vec<u8> = (0..length).map(|number| (number % 251) as u8).collect();
            fs::write(&path, &content).unwrap();
            let mut old = Old::open(&path).unwrap();
            assert_eq!(old.content().is_some(), length < LENGTH, "{length}");
            assert!(old.content().is_none_or(|bytes| bytes[..] == content), "{length}");
            for _ in 0..2 {
                let mut bytes = Vec::new();
                old.bytes.read_to_end(&mut bytes).unwrap();
                assert!(bytes == content, "{length}");
                old.bytes.rewind().unwrap();
            }
        }
    }

    /// The system makes the content of these files when they are read.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_whose_length_the_system_does_not_know_is_read_to_its_end() {
        for path in ["/proc/version", "/proc/kallsyms"].map(Path::new) {
            let Ok(content) = fs::read(path) else { continue };
            let mut old = Old::open(path).unwrap();
            let mut bytes = Vec::new();
            old.bytes.read_to_end(&mut bytes).unwrap();
            assert!(bytes == content && old.content().is_some() == (content.len() < LENGTH), "{}", path.display());
        }
    }

    #[test]
    fn a_name_for_the_old_file_that_is_taken_is_an_error_also_if_nothing_is_written() {
        for (dry, is_taken) in [(false, false), (false, true), (true, false), (true, true)] {
            let directory = tempfile::tempdir().unwrap();
            let [target, backup] = ["file", "file.old"].map(|name| directory.path().join(name));
            fs::write(&target, "old").unwrap();
            if is_taken {
                fs::write(&backup, "other").unwrap();
            }
            let manner = Manner { dry, suffix: Some(".old".to_owned()), keep_time: false };
            let mut rewrite = Rewrite::new(target.clone(), Old::open(&target).unwrap(), &manner);
            assert!(!rewrite.has_backup());
            let written = rewrite.write_all(b"new");
            if is_taken {
                assert_eq!(written.unwrap_err().kind(), ErrorKind::AlreadyExists);
                assert_eq!(fs::read(&backup).unwrap(), b"other");
                continue;
            }
            let is_dry = match rewrite.finish().unwrap() {
                Rewritten::Ready(ready) => ready.place().map(|_| false).unwrap(),
                Rewritten::Dry => true,
                Rewritten::Same => panic!("the content is another one"),
            };
            assert_eq!((is_dry, backup.exists()), (dry, !dry));
            assert_eq!(fs::read(&target).unwrap(), if dry { b"old" } else { b"new" });
        }
    }

    #[test]
    fn a_comparison_ends_at_the_first_difference() {
        let old = |text: &[u8]| Comparison::new(OldBytes::Memory(Cursor::new(Arc::from(text))));
        for (pieces, is_same) in [
            (&["ab", "c"][..], true),
            (&["", "abc", ""], true),
            (&["ab"], false),
            (&["abcd"], false),
            (&["ab", "d", "c"], false),
            // What follows the first difference would be equal.
            (&["x", "abc"], false),
            (&["abx", "c"], false),
        ] {
            let mut comparison = old(b"abc");
            pieces.iter().for_each(|piece| comparison.observe(piece.as_bytes()).unwrap());
            assert_eq!(comparison.is_same().unwrap(), is_same, "{pieces:?}");
        }
        assert!(old(b"").is_same().unwrap());
    }
}
