//! `textcodec sniff`: which encoding files are in, and who says so.

use std::io::Read;

use anyhow::Context as _;
use textcodec::{
    Encoding,
    sniff::{Hints, Rung, Sniffed, structure},
};

use crate::{
    arguments::Sniff,
    input::Input,
    kind::Kind,
    message::{Failures, say},
    standard_streams::StandardOutput,
};

/// How much of a file is looked at.
const LENGTH: u64 = 1 << 20;

/// Prints a line for each file. Files that cannot be read are reported at their places.
pub(crate) fn run(arguments: &Sniff, failures: &mut Failures) -> anyhow::Result<()> {
    let label = arguments.http_charset.as_deref();
    if let Some(label) = label.filter(|label| Encoding::for_label(label).is_err()) {
        say(&format!("no encoding has the label {label:?} of --http-charset, so it counts as none"));
    }
    let context = "cannot write to standard output";
    let mut output = StandardOutput::open().context(context)?;
    for input in Input::check_all(&arguments.files) {
        if let Some(line) = failures.check(input.and_then(|input| sniff(arguments, &input))) {
            output.print(&(line + "\n")).context(context)?;
        }
    }
    Ok(())
}

fn sniff(arguments: &Sniff, input: &Input) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    input.open()?.take(LENGTH).read_to_end(&mut bytes).with_context(|| format!("cannot read {}", input.name))?;
    let kind = arguments.kind.unwrap_or_else(|| Kind::of(input.path(), &bytes));
    let transport = arguments.http_charset.as_deref().map(Into::into);
    let hints = Hints { transport, heuristic: Some(&structure::guess), ..Hints::default() };
    let sniffed = kind.context().sniff(&bytes, hints).expect("these contexts have an encoding");
    let reason = reason(sniffed, &bytes);
    let Sniffed { encoding, confidence, rung, .. } = sniffed;
    Ok(match arguments.json {
        false => format!("{}: {encoding}, {confidence}: {reason}", input.name),
        true => format!(
            r#"{{"file":{},"kind":"{}","encoding":"{encoding}","confidence":"{confidence}","rung":"{}","reason":{}}}"#,
            json_string(&input.name),
            kind.name(),
            rung.as_str(),
            json_string(&reason),
        ),
    })
}

/// Who says so, in words that say more of these bytes than the library can.
fn reason(sniffed: Sniffed, bytes: &[u8]) -> String {
    match sniffed.rung {
        Rung::Transport => "--http-charset says so".to_owned(),
        Rung::Heuristic => structure::candidates(bytes, false)
            .next()
            .map_or_else(|| sniffed.rung.to_string(), |candidate| candidate.reason.to_string()),
        Rung::Default if bytes.is_ascii() => format!("{}; it is all ASCII", sniffed.rung),
        rung => rung.to_string(),
    }
}

/// A [JSON string](https://www.rfc-editor.org/rfc/rfc8259#section-7).
fn json_string(text: &str) -> String {
    let mut json = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            '\0'..='\u{1F}' => json += &format!("\\u{:04x}", u32::from(character)),
            _ => json.push(character),
        }
    }
    json + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_strings_escape_what_they_must() {
        assert_eq!(json_string("a\"b\\c\n\u{1F}é☃"), "\"a\\\"b\\\\c\\u000a\\u001fé☃\"");
    }
}
