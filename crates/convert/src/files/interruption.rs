//! Temporary files that have a name are removed when a signal ends the program, if the program asks for it. Those that
//! cannot be removed are remembered, so that the program can name them.

use std::{
    io, mem,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// The temporary files that could not be removed.
static LEFT: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The temporary files of this process that could not be removed, since the last call. The disk may have failed, or may
/// have become read-only. Systems without signals tell none.
#[must_use]
pub fn take_left_files() -> Vec<PathBuf> {
    mem::take(&mut *LEFT.lock().unwrap_or_else(PoisonError::into_inner))
}

/// From now on, SIGHUP, SIGINT and SIGTERM remove temporary files before they end the program. A thread waits for these
/// signals from the first temporary file on that has a name, until the process ends. A library should leave the signals
/// of a process to its program, so only programs call this function.
pub fn remove_temporary_files_on_signals() {
    #[cfg(unix)]
    signals::IS_WANTED.store(true, std::sync::atomic::Ordering::Relaxed);
}

/// The name of a file that SIGHUP, SIGINT and SIGTERM remove as long as this value lives, if the program wants it. On
/// systems without signals, it does nothing.
#[derive(Debug)]
pub(super) struct Protected(#[cfg(unix)] std::path::PathBuf);

#[cfg(unix)]
mod signals {
    use std::{
        fs, io,
        path::PathBuf,
        sync::{
            Mutex, MutexGuard, OnceLock, PoisonError,
            atomic::{AtomicBool, Ordering},
        },
        thread,
    };

    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::Signals,
        low_level::emulate_default_handler,
    };

    pub(super) static IS_WANTED: AtomicBool = AtomicBool::new(false);

    static NAMES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

    pub(super) fn names() -> MutexGuard<'static, Vec<PathBuf>> {
        NAMES.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a thread that waits for signals, at the first call. The thread removes the files and then lets the signal
    /// end the program.
    pub(super) fn listen() -> io::Result<()> {
        if !IS_WANTED.load(Ordering::Relaxed) {
            return Ok(());
        }
        static LISTENING: OnceLock<io::Result<()>> = OnceLock::new();
        let start = || {
            let ignored = ignored();
            let signals = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
            let mut signals = Signals::new(signals)?;
            let wait = move || {
                for signal in signals.forever() {
                    // While this thread holds the lock, no other thread can create a file.
                    let names = names();
                    for name in &*names {
                        let _ = fs::remove_file(name);
                    }
                    let _ = emulate_default_handler(signal);
                }
            };
            thread::Builder::new().spawn(wait).map(drop)
        };
        match LISTENING.get_or_init(start) {
            Ok(()) => Ok(()),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        }
    }

    /// The signals that the caller ignores, as `nohup` ignores SIGHUP: bit n for the signal n + 1. On systems other
    /// than Linux the set is empty, because there only unsafe code can find out which signals are ignored.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}

impl Protected {
    /// Creates the file `name` by `create`, and protects it. A signal comes either before both or after both: in
    /// between, the thread that removes files would find none, and the file would stay.
    pub(super) fn create<T>(name: &Path, create: impl FnOnce() -> io::Result<T>) -> io::Result<(T, Self)> {
        #[cfg(unix)]
        {
            signals::listen()?;
            let mut names = signals::names();
            let created = create()?;
            names.push(name.to_owned());
            Ok((created, Protected(name.to_owned())))
        }
        #[cfg(not(unix))]
        {
            let _ = name;
            Ok((create()?, Protected()))
        }
    }
}

impl Drop for Protected {
    fn drop(&mut self) {
        #[cfg(unix)]
        {
            signals::names().retain(|name| *name != self.0);
            // By now, the file has another name or is removed.
            let found = self.0.symlink_metadata();
            if found.map_or_else(|error| error.kind() != io::ErrorKind::NotFound, |_| true) {
                LEFT.lock().unwrap_or_else(PoisonError::into_inner).push(mem::take(&mut self.0));
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_left_is_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let [left, removed, renamed] = ["left", "removed", "renamed"].map(|name| folder.path().join(name));
        for path in [&left, &removed, &renamed] {
            let (_, protected) = Protected::create(path, || std::fs::write(path, "text")).unwrap();
            if path == &removed {
                std::fs::remove_file(path).unwrap();
            }
            if path == &renamed {
                std::fs::rename(path, folder.path().join("new")).unwrap();
            }
            drop(protected);
        }
        let taken = || Vec::from_iter(take_left_files().into_iter().filter(|path| path.starts_with(folder.path())));
        assert_eq!(taken(), [left]);
        assert!(taken().is_empty());
    }
}
