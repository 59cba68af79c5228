//! `textcodec git-filter`: text that git stores in UTF-8 and checks out in another encoding.

use std::{
    io::{Read, Write},
    path::Path,
    sync::Arc,
};

use anyhow::{Context, Result, anyhow};
use textcodec_convert::{
    Charset, Converter, Errors, Options, SourceEncoding, Writer,
    files::{self, Action as Declared, Rules},
    stored::{self, NotStored},
};

use crate::{
    arguments::{Action, GitFilter},
    input,
    message::{self, say},
    standard_streams::StandardOutput,
};

/// Converts one file for git.
pub(crate) fn run(arguments: &GitFilter) -> Result<()> {
    let name = arguments.file.as_deref().map_or_else(|| "standard input".to_owned(), message::display);
    let bytes = match (arguments.action, arguments.encoding) {
        (Action::Clean, SourceEncoding::Label(charset)) => clean(&name, &read_standard_input()?, charset)?,
        (Action::Smudge, SourceEncoding::Label(charset)) => smudge(&name, read_standard_input()?, charset)?,
        _ => return textconv(arguments.file.as_deref().unwrap_or(Path::new("-")), arguments.encoding),
    };
    write(&bytes)
}

fn read_standard_input() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input::open_standard().and_then(|mut input| input.read_to_end(&mut bytes)).context("cannot read standard input")?;
    Ok(bytes)
}

fn write(bytes: &[u8]) -> Result<()> {
    let mut output = StandardOutput::open().context("cannot write to standard output")?;
    output.write_all(bytes).and_then(|()| output.flush()).context("cannot write to standard output")
}

fn clean(name: &str, bytes: &[u8], charset: Charset) -> Result<Vec<u8>> {
    stored::store(bytes, charset).map_err(|error| {
        let hint = match &error {
            NotStored::Utf8(_) => {
                format!(
                    "Convert it with `textcodec convert --to {charset}`, or take the filter from it in .gitattributes."
                )
            }
            NotStored::Differs { .. } if charset.is_wide() => {
                "utf-16le-bom and utf-16be-bom have a byte order mark; utf-16le and utf-16be have none.".to_owned()
            }
            _ => "If the file is in another encoding, or no text, give it another filter or none in .gitattributes."
                .to_owned(),
        };
        anyhow!("{name}: {error}\n  {hint}")
    })
}

fn smudge(name: &str, stored: Vec<u8>, charset: Charset) -> Result<Vec<u8>> {
    match stored::restore(&stored, charset) {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => {
            say(&format!("{name}: the stored file is no UTF-8, and is checked out as it is"));
            Ok(stored)
        }
        Err(error) => Err(anyhow!("{name}: {error}\n  The stored file has a character that cannot be checked out.")),
    }
}

/// Prints the text of a file for readers. Nothing stops it but errors of the system.
fn textconv(path: &Path, encoding: SourceEncoding) -> Result<()> {
    let input = input::check(path)?;
    // The bytes are read once: a second look at a pipe would find only their rest.
    let mut bytes = Vec::new();
    let cannot_read = || format!("cannot read {}", input.name);
    input.open().and_then(|mut input| input.read_to_end(&mut bytes)).with_context(cannot_read)?;
    let bytes: Arc<[u8]> = bytes.into();
    let input = input.with_content(Arc::clone(&bytes));
    let mut options = Options::to(Charset::UTF_8);
    (options.malformed, options.unmappable) = (Errors::Escape, Errors::Escape);
    let mut settings = files::Settings::new(options.clone());
    settings.from = encoding;
    let rules = Rules { declarations: Declared::Ignore, refuse_binary: false };
    let mut converter = Converter::new(options, Writer(Vec::new()));
    let converted = files::convert(&settings, rules, &input, &mut converter, None, |_| ());
    if converted.is_ok() {
        let (Writer(text), _) = converter.finish()?;
        return write(&text);
    }
    write(&bytes)
}
