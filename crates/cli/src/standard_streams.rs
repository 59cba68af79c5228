//! Standard input and standard output, and whether they were open when the program started.
//!
//! Before `main`, the runtime of Rust opens `/dev/null` for reading and writing in the place of each closed standard
//! stream. Afterwards nothing tells a closed stream from one that the caller has connected to `/dev/null`, as Python
//! and Node do. So a function looks whether the streams are open before the runtime starts. Without this function, text
//! that is written to a closed standard output is lost without an error.

use std::{
    io::{self, IsTerminal, Read, Write},
    sync::atomic::{AtomicBool, Ordering},
};

/// Whether the last text on a terminal has not ended its line.
static IS_IN_LINE: AtomicBool = AtomicBool::new(false);

/// Whether a message would continue a line of standard output on a terminal. The caller ends the line, so the next call
/// says no.
pub(crate) fn take_open_line() -> bool {
    IS_IN_LINE.swap(false, Ordering::Relaxed)
}

/// Standard input, opened for reading.
pub(crate) fn input() -> io::Result<impl Read> {
    if at_start::is_closed(at_start::INPUT) {
        return Err(io::Error::other("standard input is closed"));
    }
    Ok(io::stdin().lock())
}

/// Standard output. On Unix nothing is kept in a buffer, and every error of writing is reported. `std::io::Stdout`
/// reports success if the descriptor is open for reading only.
pub(crate) struct StandardOutput(#[cfg(unix)] std::fs::File, #[cfg(not(unix))] io::Stdout);

impl StandardOutput {
    /// Opens standard output.
    pub(crate) fn open() -> io::Result<Self> {
        if at_start::is_closed(at_start::OUTPUT) {
            return Err(io::Error::other("standard output is closed"));
        }
        #[cfg(unix)]
        {
            use std::os::fd::AsFd;

            io::stdout().as_fd().try_clone_to_owned().map(|output| StandardOutput(output.into()))
        }
        #[cfg(not(unix))]
        Ok(StandardOutput(io::stdout()))
    }

    /// Whether standard output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.0.is_terminal()
    }

    /// Whether standard output is a regular file.
    pub(crate) fn is_file(&self) -> bool {
        #[cfg(unix)]
        return self.0.metadata().is_ok_and(|metadata| metadata.is_file());
        #[cfg(not(unix))]
        same_file::Handle::stdout()
            .is_ok_and(|output| output.as_file().metadata().is_ok_and(|metadata| metadata.is_file()))
    }

    /// Returns the errors of writing that a remote file system reports late.
    pub(crate) fn confirm(&self) -> io::Result<()> {
        #[cfg(unix)]
        return textcodec_convert::files::confirm(&self.0);
        #[cfg(not(unix))]
        Ok(())
    }

    /// Writes all of `text` at once.
    pub(crate) fn print(&mut self, text: &str) -> io::Result<()> {
        self.write_all(text.as_bytes()).and_then(|()| self.flush())
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.0.write(bytes)?;
        if let Some(last) = written.checked_sub(1) {
            IS_IN_LINE.store(bytes[last] != b'\n' && self.is_terminal(), Ordering::Relaxed);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(unix)]
mod at_start {
    use std::sync::atomic::{AtomicU8, Ordering};

    use rustix::{
        io::fcntl_getfd,
        stdio::{stdin, stdout},
    };

    /// The bits of [`CLOSED`] for standard input and standard output.
    pub(super) const INPUT: u8 = 1;
    pub(super) const OUTPUT: u8 = 2;

    static CLOSED: AtomicU8 = AtomicU8::new(0);

    /// Runs before `main` and before the runtime of Rust, so it uses nothing but system calls and an atomic.
    #[ctor::ctor]
    fn look() {
        let input = if fcntl_getfd(stdin()).is_err() { INPUT } else { 0 };
        let output = if fcntl_getfd(stdout()).is_err() { OUTPUT } else { 0 };
        CLOSED.store(input | output, Ordering::Relaxed);
    }

    pub(super) fn is_closed(stream: u8) -> bool {
        CLOSED.load(Ordering::Relaxed) & stream != 0
    }
}

/// Elsewhere the standard library reports the error of a closed stream itself.
#[cfg(not(unix))]
mod at_start {
    pub(super) const INPUT: u8 = 1;
    pub(super) const OUTPUT: u8 = 2;

    pub(super) fn is_closed(_: u8) -> bool {
        false
    }
}
