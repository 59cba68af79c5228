//! `textcodec list`: [names and labels](https://encoding.spec.whatwg.org/#names-and-labels), and those of the encodings
//! that the Standard does not have.

use anyhow::Context;
use textcodec_convert::Charset;

use crate::{arguments::List, standard_streams::StandardOutput};

/// Prints one line for each encoding: its name, then its labels.
pub(crate) fn run(arguments: &List) -> anyhow::Result<()> {
    let all: Vec<(Charset, Vec<&str>)> = Charset::all().map(|charset| (charset, charset.labels().collect())).collect();
    let width = all.iter().map(|(charset, _)| charset.name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for (charset, labels) in all {
        text += &match arguments.json {
            false => format!("{:width$}  {}\n", charset.name(), labels.join(" ")),
            true => format!(
                "{{\"name\":\"{charset}\",\"labels\":[{}],\"standard\":{},\"writable\":{}}}\n",
                labels.iter().map(|label| format!("\"{label}\"")).collect::<Vec<_>>().join(","),
                charset.standard().is_some(),
                charset.is_writable(),
            ),
        };
    }
    StandardOutput::open().and_then(|mut output| output.print(&text)).context("cannot write to standard output")
}
