//! The contexts of the sniffing crate: where a standard decodes bytes, and the sources of the encoding in each.

use serde::Serialize;
use textcodec::sniff::{Context, Source};

/// The facts about one context.
#[derive(Debug, Serialize)]
pub(crate) struct ContextData {
    name: String,
    operation: String,
    /// The sources that may name the encoding, the strongest first: the name, and an explanation.
    rungs: Vec<(String, &'static str)>,
    /// The encoding if none of the sources names one.
    default: String,
    error_mode: String,
    encodes: bool,
}

/// The sources of an encoding in the context called `name`, the strongest first.
pub(crate) fn sources(name: &str) -> Vec<String> {
    let context = Context::ALL.iter().find(|context| context.name() == name);
    context.map_or(&[][..], |context| context.label_sources()).iter().map(Source::to_string).collect()
}

/// All contexts, in the order of the crate.
pub(crate) fn all() -> Vec<ContextData> {
    let rung = |&source: &Source| (source.to_string(), explanation(source));
    Context::ALL
        .iter()
        .map(|context| ContextData {
            name: context.name().to_owned(),
            operation: context.operation().to_string(),
            rungs: context.label_sources().iter().map(rung).collect(),
            default: context.default().to_string(),
            error_mode: context.error_mode().to_string(),
            encodes: context.is_encoding_side(),
        })
        .collect()
}

fn explanation(source: Source) -> &'static str {
    match source {
        Source::Bom => "FE FF, FF FE or EF BB BF at the start",
        Source::User => "the user chose an encoding in the menu",
        Source::Override => "overrideMimeType()",
        Source::Argument => "the label in the call",
        Source::Transport => "charset in the Content-Type header",
        Source::HtmlPrescan => "a meta element in the first 1024 bytes",
        Source::XmlDeclaration => "encoding in the XML declaration",
        Source::AtCharset => "@charset at the very start",
        Source::CharsetAttribute => "the charset attribute of the reference",
        Source::OfMimeType => "depends on the MIME type of the resource",
        _ => "",
    }
}
