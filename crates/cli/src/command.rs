//! `textcodec convert`: files to a file.

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

use anyhow::Context;

use crate::{
    arguments::Convert,
    convert::{Converter, Failure, Replaced},
    input::Input,
    output::Output,
    progress::Progress,
    say,
};

/// Converts all files. Nothing is written before all of them are known to be there.
pub(crate) fn run(arguments: &Convert) -> anyhow::Result<()> {
    let inputs = check(&arguments.files)?;
    let context = || cannot_write(arguments.output.as_deref());
    let output = Output::open(arguments.output.as_deref()).with_context(context)?;
    let progress = progress(&inputs, &output);
    let (output, replaced) = convert(arguments, &inputs, output, progress)?;
    output.complete().with_context(context)?;
    if !replaced.is_nothing() {
        say(&replaced.to_string());
    }
    Ok(())
}

fn check(files: &[PathBuf]) -> anyhow::Result<Vec<Input>> {
    match files {
        [] => Ok(vec![Input::check(Path::new("-"))?]),
        files => files.iter().map(|file| Input::check(file)).collect(),
    }
}

fn convert(
    arguments: &Convert,
    inputs: &[Input],
    output: Output,
    mut progress: Progress,
) -> anyhow::Result<(Output, Replaced)> {
    let mut converter = Converter::new(arguments.to, arguments.errors, output);
    let explain = |failure| match failure {
        Failure::Write(error) => anyhow::Error::new(error).context(cannot_write(arguments.output.as_deref())),
        failure => failure.into(),
    };
    for input in inputs {
        let read = |bytes| progress.advance(bytes);
        converter.convert(&input.name, arguments.from, input.open()?, read).map_err(explain)?;
    }
    converter.finish().map_err(explain)
}

/// A bar, unless it would be among the text that is written or typed.
fn progress(inputs: &[Input], output: &Output) -> Progress {
    let wanted = io::stderr().is_terminal() && !output.is_terminal() && !inputs.iter().any(Input::is_terminal);
    Progress::new(wanted, inputs.iter().map(|input| input.length).sum())
}

fn cannot_write(output: Option<&Path>) -> String {
    match output {
        Some(path) if path.as_os_str() != "-" => format!("cannot write {}", path.display()),
        _ => "cannot write to standard output".to_owned(),
    }
}
