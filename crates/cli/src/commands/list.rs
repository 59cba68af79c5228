//! `textcodec list`: [names and labels](https://encoding.spec.whatwg.org/#names-and-labels), and those of the encodings
//! that the Standard does not have.

use anyhow::Context;
use textcodec::Encoding;

use crate::{arguments::List, charset::Charset, extra::Extra, standard_streams::StandardOutput};

/// Prints one line for each encoding: its name, then its labels.
pub(crate) fn run(arguments: &List) -> anyhow::Result<()> {
    let standard = Encoding::all().map(|encoding| (Charset::Standard(encoding), encoding.labels().collect()));
    let extra = Extra::all().map(|extra| (Charset::Extra(extra), extra.labels().to_vec()));
    let all: Vec<(Charset, Vec<&str>)> = standard.chain(extra).collect();
    let width = all.iter().map(|(charset, _)| charset.name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for (charset, labels) in all {
        text += &match arguments.json {
            false => format!("{:width$}  {}\n", charset.name(), labels.join(" ")),
            true => format!(
                "{{\"name\":\"{charset}\",\"labels\":[{}],\"standard\":{},\"writable\":{}}}\n",
                labels.iter().map(|label| format!("\"{label}\"")).collect::<Vec<_>>().join(","),
                matches!(charset, Charset::Standard(_)),
                charset.new_encoder().is_some(),
            ),
        };
    }
    StandardOutput::open().and_then(|mut output| output.print(&text)).context("cannot write to standard output")
}
