//! Temporary files that have a name are removed when a signal ends the program.

use std::path::Path;

/// A name that is removed when SIGHUP, SIGINT or SIGTERM comes, as long as this value lives. On systems without signals, nothing
/// happens.
pub(crate) struct Protected(#[cfg(unix)] std::path::PathBuf);

#[cfg(unix)]
mod signals {
    use std::{
        fs, io,
        path::PathBuf,
        sync::{Mutex, MutexGuard, OnceLock, PoisonError},
        thread,
    };

    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::Signals,
        low_level::emulate_default_handler,
    };

    static NAMES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

    pub(super) fn names() -> MutexGuard<'static, Vec<PathBuf>> {
        NAMES.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for signals in a thread, from the first call on. A signal removes the files and ends the program as it would have ended
    /// it otherwise.
    pub(super) fn listen() -> io::Result<()> {
        static LISTENING: OnceLock<io::Result<()>> = OnceLock::new();
        let start = || {
            let ignored = ignored();
            let signals = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
            let mut signals = Signals::new(signals)?;
            let wait = move || {
                for signal in signals.forever() {
                    // The lock is kept, so that no other thread makes a file from here on.
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

    /// The signals that the caller had the program ignore, as `nohup` does with SIGHUP: bit n for the signal n + 1. Only Linux tells.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}

impl Protected {
    /// Protects `name`, at which a file may be or come to be.
    #[cfg(unix)]
    pub(crate) fn new(name: &Path) -> std::io::Result<Self> {
        signals::listen()?;
        signals::names().push(name.to_owned());
        Ok(Protected(name.to_owned()))
    }

    #[cfg(not(unix))]
    pub(crate) fn new(_: &Path) -> std::io::Result<Self> {
        Ok(Protected())
    }
}

impl Drop for Protected {
    fn drop(&mut self) {
        #[cfg(unix)]
        signals::names().retain(|name| *name != self.0);
    }
}
