//! `textcodec convert`: files to a file.

use std::{
    io::{self, IsTerminal, Read},
    path::Path,
};

use anyhow::{Context, bail};
use textcodec::{Decoder, Encoding};

use crate::{
    arguments::Convert,
    converter::{Converter, Failure, Replaced},
    detection::{self, Found},
    input::Input,
    label::SourceEncoding,
    message::say,
    output::Output,
    progress::Progress,
};

/// Converts all files. Nothing is written before all of them are known to be there.
pub(crate) fn run(arguments: &Convert) -> anyhow::Result<()> {
    let inputs = Input::check_all(&arguments.files)?;
    let context = || cannot_write(arguments.output.as_deref());
    let output = Output::open(arguments.output.as_deref()).with_context(context)?;
    if output.is_standard() {
        inputs.iter().try_for_each(Input::check_standard_output)?;
    }
    let progress = progress(&inputs, &output);
    let (output, replaced) = convert(arguments, &inputs, output, progress)?;
    for lost in output.complete().with_context(context)? {
        say(&format!("{}: {lost}", arguments.output.as_deref().unwrap_or(Path::new("-")).display()));
    }
    if !replaced.is_nothing() {
        say(&replaced.to_string());
    }
    Ok(())
}

fn convert(
    arguments: &Convert,
    inputs: &[Input],
    output: Output,
    mut progress: Progress,
) -> anyhow::Result<(Output, Replaced)> {
    let mut converter = Converter::new(arguments.to, arguments.bom, arguments.errors, output);
    let explain = |failure| match failure {
        Failure::Write(error) => anyhow::Error::new(error).context(cannot_write(arguments.output.as_deref())),
        failure => failure.into(),
    };
    for input in inputs {
        if converter.output().is_standard() {
            // Standard input may have been at its end before the text of another input was written to it.
            input.check_standard_output()?;
        }
        let read = |bytes| progress.advance(bytes);
        match arguments.from {
            SourceEncoding::Label(from) => {
                converter.convert(&input.name, decoder(from, arguments.ignore_bom), input.open()?, read)
            }
            SourceEncoding::Auto => {
                let (from, bytes) = find_out(input, arguments.fallback)?;
                converter.convert(&input.name, from.new_decoder(), bytes, read)
            }
        }
        .map_err(explain)?;
    }
    converter.finish().map_err(explain)
}

/// Decodes a file that is said to be in the encoding `from`.
fn decoder(from: Encoding, ignore_bom: bool) -> Decoder {
    if ignore_bom { from.new_decoder_without_bom_handling() } else { from.new_decoder() }
}

/// The encoding of a file that is to tell it, or `fallback`, and all of its bytes.
fn find_out(input: &Input, fallback: Option<Encoding>) -> anyhow::Result<(Encoding, impl Read)> {
    let mut rest = input.open()?;
    let Found { encoding, start } =
        detection::find_out(&input.name, &mut rest).with_context(|| format!("cannot read {}", input.name))?;
    let Some(encoding) = encoding.or(fallback) else {
        bail!(
            "{}: nothing in it tells its encoding: no byte order mark, no declaration, and it is not UTF-8\n  \
             Name the encoding with --from, or with --fallback one for all files that do not tell theirs.",
            input.name
        );
    };
    Ok((encoding, io::Cursor::new(start).chain(rest)))
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
