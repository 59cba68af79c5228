//! The files that the command line names, and standard input.

use std::{
    io::{self, Read},
    path::{Path, PathBuf},
};

use textcodec_convert::files::{FileError, Input, reading};

use crate::standard_streams;

/// Opens standard input, unless it was closed when the program started.
pub(crate) fn open_standard() -> io::Result<Box<dyn Read>> {
    Ok(Box::new(standard_streams::input()?))
}

/// The files to read, or standard input if there are none. A file that is missing or cannot be read is an error.
pub(crate) fn check_all(files: &[PathBuf]) -> impl Iterator<Item = Result<Input, FileError>> {
    let standard_input = files.is_empty().then(|| Path::new("-"));
    standard_input.into_iter().chain(files.iter().map(PathBuf::as_path)).map(check)
}

/// Makes sure that `path` is there and can be read; "-" is standard input.
pub(crate) fn check(path: &Path) -> Result<Input, FileError> {
    if path.as_os_str() == "-" { Ok(Input::standard(open_standard)) } else { Input::check_file(path) }
}

/// Reads until `buffer` is full or nothing follows. Returns the number of bytes.
pub(crate) fn fill(mut bytes: impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match reading::read(&mut bytes, &mut buffer[length..])? {
            0 => break,
            read => length += read,
        }
    }
    Ok(length)
}
