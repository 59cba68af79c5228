//! The options by which commands for many files find the files.

use std::num::NonZero;

use clap::Args;
use textcodec_convert::files::Walk;

use crate::message::excerpt;

/// The files of a run.
#[derive(Args, Default, Debug)]
pub(crate) struct Selection {
    /// Take the files in directories, too
    ///
    /// Hidden files and directories, whose names start with a dot, are skipped, and so are symbolic links. A file that
    /// the command line names is always taken.
    #[arg(short, long)]
    pub(crate) recursive: bool,

    /// Of the files in directories, take only those that match one of these patterns
    ///
    /// A pattern is written as in .gitignore: "*.txt" matches a name in every directory, and "old/**/*.txt" a path
    /// below DIR.
    #[arg(long, value_name = "GLOB", requires = "recursive", value_parser = glob)]
    pub(crate) include: Vec<String>,

    /// Skip files and directories that match one of these patterns
    #[arg(long, value_name = "GLOB", requires = "recursive", value_parser = glob)]
    pub(crate) exclude: Vec<String>,

    /// Skip what the .gitignore files name
    #[arg(long, requires = "recursive")]
    pub(crate) gitignore: bool,

    /// Take hidden files and directories, too, except the directories of version control
    #[arg(long, requires = "recursive")]
    pub(crate) hidden: bool,

    /// Work on up to N files, or parts of one long file, at the same time [default: the number of processors]
    ///
    /// Only textcodec convert cuts a long file into parts, if its encoding allows that. The result is the same.
    #[arg(short, long, value_name = "N", value_parser = positive)]
    pub(crate) jobs: Option<NonZero<usize>>,
}

impl Selection {
    /// The search for the files that these options want.
    pub(crate) fn walk(&self) -> Walk<'_> {
        let mut walk = Walk::default();
        (walk.recursive, walk.gitignore, walk.hidden) = (self.recursive, self.gitignore, self.hidden);
        (walk.include, walk.exclude) = (&self.include, &self.exclude);
        walk
    }

    /// The number of threads that work side by side.
    pub(crate) fn threads(&self) -> usize {
        self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZero::get)
    }
}

/// Reads a number from 1 on.
pub(super) fn positive(number: &str) -> Result<NonZero<usize>, &'static str> {
    number.parse().map_err(|_| "a whole number from 1 on is expected")
}

/// Checks a pattern. Its "!" would turn it into its contrary, as in .gitignore.
fn glob(pattern: &str) -> Result<String, String> {
    if pattern.starts_with('!') {
        return Err("a pattern does not start with \"!\"; there are --include and --exclude".to_owned());
    }
    globset::Glob::new(pattern).map(|_| pattern.to_owned()).map_err(|error| excerpt(&error.kind().to_string()))
}
