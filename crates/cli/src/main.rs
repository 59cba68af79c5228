//! The program. Its code is in the library, because the Python package calls it, too.

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    textcodec_cli::run(env::args_os().collect()).into()
}
