//! `textcodec man`: the man pages.

use std::path::Path;

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_mangen::Man as Page;
use textcodec_convert::files::replace;

use crate::{
    arguments::{Arguments, Man},
    message,
};

/// Writes a page for the program, and one for each command.
pub(crate) fn run(arguments: &Man) -> Result<()> {
    let mut program = Arguments::command().disable_help_flag(true);
    program.build();
    let commands: Vec<_> = program.get_subcommands().cloned().collect();
    write(program, "textcodec", &arguments.directory)?;
    for command in commands {
        let name = format!("textcodec-{}", command.get_name());
        write(command.display_name(&name).version(env!("CARGO_PKG_VERSION")), &name, &arguments.directory)?;
    }
    Ok(())
}

fn write(command: clap::Command, name: &str, directory: &Path) -> Result<()> {
    let mut page = Vec::new();
    let extra = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    // The page of a command has the version without the level of the processor on which it is written.
    Page::new(command.long_version(None::<&str>).after_long_help(None::<&str>)).render(&mut page)?;
    page.extend_from_slice(sections(&extra).as_bytes());
    let path = directory.join(format!("{name}.1"));
    replace(&path, &page).with_context(|| format!("cannot write {}", message::display(&path)))
}

/// The examples and the exit statuses that the help has after the options, as sections whose lines stay as they are.
fn sections(extra: &str) -> String {
    let mut sections = String::new();
    for line in extra.lines() {
        let title = line.strip_suffix(':').filter(|title| !title.starts_with(' '));
        if let Some(title) = title {
            let end = if sections.is_empty() { "" } else { ".fi\n" };
            sections += &format!("{end}.SH \"{}\"\n.nf\n", title.to_uppercase());
        } else {
            let escaped = line.replace('\\', "\\e").replace('-', "\\-");
            // No line is a request, whatever it starts with.
            sections += &format!("\\&{escaped}\n");
        }
    }
    if !sections.is_empty() {
        sections += ".fi\n";
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_of_a_section_is_a_request_or_an_escape() {
        let help = "Examples:\n  a --b\n.TH \\n\n'x\n\nExit status:\n  0  done\n Not a title:";
        let expected = ".SH \"EXAMPLES\"\n.nf\n\\&  a \\-\\-b\n\\&.TH \\en\n\\&'x\n\\&\n.fi\n.SH \"EXIT STATUS\"\n.nf\n\
                        \\&  0  done\n\\& Not a title:\n.fi\n";
        assert_eq!(sections(help), expected);
        assert_eq!(sections(""), "");
    }
}
