//! The options that say where `textcodec convert` writes to, if it converts each file on its own.

use std::path::PathBuf;

use clap::Args;
use textcodec_convert::files::Manner;

/// The places of the new files.
#[derive(Args, Debug)]
#[group(skip)]
pub(crate) struct Places {
    /// Convert each file in place
    ///
    /// A file changes only when all its text is converted, and only if its bytes change; an error in one file does not
    /// stop the others. A file keeps its permissions, owner, group and extended attributes, and gets a new time of last
    /// change (see --keep-time). If the command line names a symbolic link, the file that it leads to is converted, and
    /// the link stays.
    ///
    /// Text that is in UTF-8 already is not decoded as --from says: with --to utf-8, a file that is not ASCII and is
    /// UTF-8 from start to end stays as it is, so that a run can be repeated; with another --to, it is an error. UTF-8
    /// with a few malformed sequences is an error, and so is a file that fits the encoding of --to better than that of
    /// --from, with a probability of at least 0.95. Files that look binary are skipped. See --force.
    ///
    /// After the last file, a line on standard error tells how many files were converted, were in the target encoding
    /// already, were skipped and have failed. It is missing if there is one file, and this file is converted.
    #[arg(short, long)]
    pub(crate) in_place: bool,

    /// Write the new files to this directory, under the paths that they have below each DIR
    ///
    /// The directory is created if it is missing, and files that are there already are replaced. Files that look binary
    /// are copied unchanged. The directory gets no copy of a file that fails, nor of hidden files (see --hidden) and
    /// symbolic links. The last line counts all of them. A new file has the permissions of the old one, without those
    /// that the umask takes away.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["in_place", "output"])]
    pub(crate) output_dir: Option<PathBuf>,

    /// Keep the old content of each file that changes under the name of the file and SUFFIX
    ///
    /// It is an error if there is a file of this name. Files with such names are skipped in directories.
    #[arg(long, value_name = "SUFFIX", requires = "in_place", value_parser = suffix)]
    pub(crate) suffix: Option<String>,

    /// Convert in place although the encoding of the files is a guess
    ///
    /// Without this option or --suffix, --in-place with --guess is an error on a terminal, because a wrong guess would
    /// destroy the text. A script does not need this option.
    #[arg(short, long, requires = "in_place")]
    pub(crate) yes: bool,

    /// Keep the time of the last change
    #[arg(long, requires = "many")]
    pub(crate) keep_time: bool,

    /// Convert files with several names (hard links) in place, too; the name on the command line or in DIR gets a file
    /// of its own
    #[arg(long, requires = "in_place")]
    pub(crate) break_hard_links: bool,

    /// Write nothing; print a line for each file that says what would happen, and one changed line of each of the first
    /// 20 files
    ///
    /// The line is shown before and after the change. Before, its bytes are read as UTF-8, with escapes such as \xe9
    /// for the other bytes. Unless --from or --fallback names the encoding, the evidence for it follows. Without
    /// --output-dir, the lines are about --in-place.
    #[arg(short = 'n', long, conflicts_with = "output")]
    pub(crate) dry_run: bool,

    /// Write nothing; print a line for each file that says what would happen, and all lines that would change
    ///
    /// Each line has its number. Characters that are not visible, and bytes that are not UTF-8, are printed as escapes.
    /// A file of more than 64 MiB is shown by one line, as with --dry-run. Of a line of more than 4096 bytes, the part
    /// around its first difference is shown.
    #[arg(long, conflicts_with = "output")]
    pub(crate) diff: bool,

    /// Print a JSON object on a line for each file; with --dry-run, about what would happen
    ///
    /// Every object has these members; null stands for a value that a file does not have. Later
    /// versions can add members and values, and change or remove none.
    ///
    /// "file": the name; U+FFFD stands for bytes that are not UTF-8, and then "file_bytes" is an
    ///   array of all bytes of the name.
    /// "outcome": "converted"; "same" if the file is in the target encoding already; "copied" for
    ///   a binary file that the directory of --output-dir gets; "skipped" for other binary files;
    ///   "uncertain" if the guess is less probable than --min-probability; or "failed".
    /// "encoding", "to": the names of the encodings of the file and of the output.
    /// "evidence": what tells the encoding: "option" (--from), "fallback", "bom", "declaration",
    ///   "default" (of XML and CSS), "definition" (of .properties files), "structure" (of the
    ///   bytes) or "guess".
    /// "language", "probability": those of a guess; the language is a code such as "ru".
    /// "kind": why the file is not converted: "binary", "uncertain", "unknown-encoding",
    ///   "damaged", "mixed-encodings", "fallback" if the text does not fit it, "malformed",
    ///   "unmappable", "declaration", "record", "hard-links", "utf-8" or "in-target-encoding" if
    ///   the file is not in the encoding of --from, or "io" for an error of the system.
    /// "message": the sentence about that; it can change.
    /// "before", "after": with --dry-run, a line that would change.
    #[arg(long, requires = "many", conflicts_with_all = ["verbose", "diff"], verbatim_doc_comment)]
    pub(crate) json: bool,

    /// Print a line for each file that says what has happened, and name all files that take the fallback
    #[arg(short, long, requires = "many")]
    pub(crate) verbose: bool,

    /// Print only errors, no summary
    #[arg(short, long, requires = "many", conflicts_with = "verbose")]
    pub(crate) quiet: bool,
}

impl Places {
    /// Whether nothing is written.
    pub(crate) fn is_dry(&self) -> bool {
        self.dry_run || self.diff
    }

    /// Whether an option is given that only concerns the files that `--in-place` replaces.
    pub(crate) fn needs_in_place(&self) -> bool {
        self.suffix.is_some() || self.yes || self.break_hard_links
    }

    /// Whether something is printed about each file.
    pub(crate) fn prints(&self) -> bool {
        self.verbose || self.json || self.is_dry()
    }

    pub(crate) fn manner(&self) -> Manner {
        Manner { dry: self.is_dry(), suffix: self.suffix.clone(), keep_time: self.keep_time }
    }
}

/// Checks the end of the names of backups. A path would move them to another directory.
fn suffix(suffix: &str) -> Result<String, String> {
    let is_wrong = suffix.is_empty() || suffix.contains(std::path::is_separator);
    if is_wrong {
        Err("a suffix is a part of a file name, for example .orig".to_owned())
    } else {
        Ok(suffix.to_owned())
    }
}
