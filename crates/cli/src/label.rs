//! [Labels](https://encoding.spec.whatwg.org/#label) on the command line.

use textcodec_convert::{
    Charset, SourceEncoding,
    charset::{UnknownLabel, foreign},
};

use crate::message;

/// Parses the argument of --from: "auto" or a label.
pub(crate) fn source_or_auto(label: &str) -> Result<SourceEncoding, String> {
    if label.eq_ignore_ascii_case("auto") { Ok(SourceEncoding::Auto) } else { source(label).map(SourceEncoding::Label) }
}

/// Parses the label of an encoding to convert from.
pub(crate) fn source(label: &str) -> Result<Charset, String> {
    Charset::for_label(label).map_err(|unknown| match unknown {
        UnknownLabel::Unknown(_) if label.contains("//") && !message::has_iconv_options() => {
            format!("{unknown}; --transliterate stands for //TRANSLIT, and --errors ignore for //IGNORE")
        }
        UnknownLabel::Unknown(_) if message::has_iconv_options() => format!("{unknown} (the option -l prints all)"),
        UnknownLabel::Unknown(_) => format!("{unknown} (`textcodec list` prints all)"),
        UnknownLabel::Ambiguous(_) => match foreign::meaning(label) {
            Some(foreign::Meaning::Label(usual)) => format!("{unknown}; take {usual} for files from Windows"),
            _ => unknown.to_string(),
        },
        known => known.to_string(),
    })
}

/// Parses the label of the encoding of file names. As names come from Windows, cp932 and the like are its code pages as
/// the Standard has them, although other systems have other encodings under these labels.
pub(crate) fn source_of_names(label: &str) -> Result<Charset, String> {
    match (Charset::for_label(label), foreign::meaning(label)) {
        (Err(UnknownLabel::Ambiguous(_)), Some(foreign::Meaning::Label(label))) => source(label),
        _ => source(label),
    }
}

/// The encoding to convert to, and the label that names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TargetEncoding {
    pub(crate) encoding: Charset,
    label: String,
}

impl TargetEncoding {
    /// A sentence about a label by which people mean a smaller encoding than the Standard means.
    pub(crate) fn note(&self) -> Option<String> {
        let TargetEncoding { encoding, label } = self;
        let smaller = foreign::smaller_encoding(label, encoding.name())?;
        let labels = [format!("exact-{smaller}"), format!("exact-us-{smaller}")];
        let exact = labels.iter().find_map(|label| Charset::for_label(label).ok());
        let exact = exact.map(|exact| format!(" (--to {exact})")).unwrap_or_default();
        Some(format!(
            "--to {label} writes {encoding}, because the Encoding Standard gives it this label; {smaller}{exact} has fewer characters"
        ))
    }
}

/// Parses the label of an encoding to convert to. Text can be written in the encoding.
pub(crate) fn target(label: &str) -> Result<TargetEncoding, String> {
    let encoding = source(label).map_err(|message| match foreign::is_utf_8_with_mark(label) {
        true => "no encoding has this label; --to utf-8 --bom writes UTF-8 with a byte order mark".to_owned(),
        false => message,
    })?;
    if !encoding.is_writable() {
        return Err(match encoding.standard() {
            Some(_) => {
                format!(
                    "this label means the encoding \"{encoding}\", which the Encoding Standard does not write; use utf-8"
                )
            }
            None => format!("textcodec reads {encoding} and does not write it; use utf-8"),
        });
    }
    Ok(TargetEncoding { encoding, label: label.trim().to_ascii_lowercase() })
}
