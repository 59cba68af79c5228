//! The place that text is written to.

use std::{
    fs::{File, Metadata},
    io::{self, Write},
    path::Path,
};

use same_file::Handle;
use textcodec_convert::files::{self, Input, names_standard_output};

use crate::standard_streams::StandardOutput;

/// A place that bytes are written to.
pub(crate) enum Output {
    Standard(StandardOutput),
    File(files::Output),
}

impl Output {
    /// Standard output for `None` and "-".
    pub(crate) fn open(path: Option<&Path>) -> io::Result<Self> {
        match path.filter(|path| !names_standard_output(path)) {
            None => StandardOutput::open().map(Output::Standard),
            Some(path) => files::Output::open(path).map(Output::File),
        }
    }

    /// Whether the bytes go to standard output.
    pub(crate) fn is_standard(&self) -> bool {
        matches!(self, Output::Standard(_))
    }

    /// Whether the output is a regular file.
    pub(crate) fn is_file(&self) -> bool {
        match self {
            Output::Standard(output) => output.is_file(),
            Output::File(output) => output.is_file(),
        }
    }

    /// A copy of the regular file, if there is one, whose place the output takes.
    pub(crate) fn existing(&self) -> Option<File> {
        match self {
            Output::Standard(_) => None,
            Output::File(output) => output.existing(),
        }
    }

    /// Makes [`complete`](Self::complete) fail if another program has changed the file whose place the output takes
    /// since `read`, when its content was read.
    pub(crate) fn expect(&mut self, read: Metadata) {
        if let Output::File(output) = self {
            output.expect(read);
        }
    }

    /// As [`expect`](Self::expect), if the file is one of `inputs`, which are not read yet.
    pub(crate) fn expect_inputs(&mut self, inputs: &[Input]) -> io::Result<()> {
        if let Some(file) = self.existing() {
            let read = file.metadata()?;
            let file = Handle::from_file(file)?;
            if inputs.iter().any(|input| input.is(&file)) {
                self.expect(read);
            }
        }
        Ok(())
    }

    /// Whether the output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        match self {
            Output::Standard(output) => output.is_terminal(),
            Output::File(output) => output.is_terminal(),
        }
    }

    /// Waits until the bytes of a new file are on the disk, and gives the file its name. Without this call it is as if
    /// nothing had been written to it.
    ///
    /// Returns a sentence for each attribute of the former file that the new one could not keep.
    pub(crate) fn complete(self) -> io::Result<Vec<String>> {
        match self {
            Output::Standard(output) => output.confirm().map(|()| Vec::new()),
            Output::File(output) => output.complete(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Standard(output) => output.write(bytes),
            Output::File(output) => output.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Standard(output) => output.flush(),
            Output::File(output) => output.flush(),
        }
    }
}
