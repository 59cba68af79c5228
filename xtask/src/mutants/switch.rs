// `cargo xtask mutants` appends this module to the root of each crate of its copy of the project.
#[allow(missing_docs, dead_code, unreachable_pub, clippy::all)]
mod mutants_switch {
    extern crate std;
    use std::{io::Write, sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed}};

    const UNKNOWN: u32 = u32::MAX;
    const RECORDING: u32 = u32::MAX - 1;
    static WANTED: AtomicU32 = AtomicU32::new(UNKNOWN);
    static SEEN: [AtomicU8; 1 << 16] = [const { AtomicU8::new(0) }; 1 << 16];

    /// Whether this process runs the mutant of this number.
    #[inline]
    pub(crate) fn on(number: u32) -> bool {
        let wanted = WANTED.load(Relaxed);
        if wanted < RECORDING { wanted == number } else { first(number) }
    }

    #[cold]
    fn first(number: u32) -> bool {
        if WANTED.load(Relaxed) == UNKNOWN {
            let chosen = std::env::var("TEXTCODEC_MUTANT").ok().and_then(|number| number.parse().ok());
            let recording = std::env::var_os("TEXTCODEC_MUTANTS_RECORD").is_some();
            WANTED.store(chosen.unwrap_or(if recording { RECORDING } else { 0 }), Relaxed);
            return on(number);
        }
        if SEEN[number as usize].swap(1, Relaxed) == 0 {
            if let Some(path) = std::env::var_os("TEXTCODEC_MUTANTS_RECORD") {
                if let Ok(mut file) = std::fs::OpenOptions::new().append(true).create(true).open(path) {
                    let _ = file.write_all(std::format!("{number}\n").as_bytes());
                }
            }
        }
        false
    }
}
