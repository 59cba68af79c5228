//! Children whose signals have their default actions.

use std::{process::Command, sync::OnceLock};

/// A command that calls the program with the default action of each signal. The tests can run where the caller ignores
/// some, such as SIGHUP under `nohup` and SIGINT in the background of a script, and children inherit that.
///
/// `None` if a signal is ignored and the system has no GNU `env`, which alone can give its action back; the tests then
/// leave out what they cannot check. `unsafe` code could do it everywhere.
pub(crate) fn program() -> Option<Command> {
    let textcodec = env!("CARGO_BIN_EXE_textcodec");
    match *reset()? {
        [] => Some(Command::new(textcodec)),
        [first, ref rest @ ..] => {
            let mut command = Command::new(first);
            command.args(rest).arg(textcodec);
            Some(command)
        }
    }
}

/// The words before a command that give signals their default actions, none if no signal is ignored. `None` as for
/// [`program`].
pub(crate) fn reset() -> Option<&'static [&'static str]> {
    const ENV: [&str; 2] = ["env", "--default-signal"];
    static WORDS: OnceLock<Option<&'static [&'static str]>> = OnceLock::new();
    *WORDS.get_or_init(|| {
        if Command::new(ENV[0]).args([ENV[1], "true"]).output().is_ok_and(|output| output.status.success()) {
            return Some(&ENV);
        }
        let ignored: Vec<_> = ["HUP", "INT", "TERM"].into_iter().filter(|signal| is_ignored(signal)).collect();
        if ignored.is_empty() {
            return Some(&[]);
        }
        eprintln!("Not checked: interruptions. The caller ignores {}, and there is no GNU env.", ignored.join(", "));
        None
    })
}

/// Whether children ignore the signal: a shell that sends it to itself goes on.
fn is_ignored(signal: &str) -> bool {
    Command::new("sh").args(["-c", &format!("kill -{signal} $$")]).status().is_ok_and(|status| status.success())
}
