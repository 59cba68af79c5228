//! `textcodec list`: [names and labels](https://encoding.spec.whatwg.org/#names-and-labels), and those of the encodings
//! that the Standard does not have.

use anyhow::Context;
use textcodec::charsets::Family;
use textcodec_convert::Charset;

use crate::{arguments::List, standard_streams::StandardOutput};

/// The families of the encodings that the Standard does not have, and what they are.
const FAMILIES: [(Family, &str); 12] = [
    (Family::Iso, "US-ASCII, ISO 646 and ISO 8859"),
    (Family::Dos, "code pages of DOS and OS/2"),
    (Family::Windows, "code pages of Windows"),
    (Family::Mac, "character sets of the classic Mac OS"),
    (Family::Ebcdic, "code pages of mainframes"),
    (Family::Unicode, "forms of Unicode"),
    (Family::EastAsian, "charsets of Chinese, Japanese and Korean"),
    (Family::EbcdicEastAsian, "code pages of mainframes for Chinese, Japanese and Korean"),
    (Family::Regional, "character sets of countries and makers of computers"),
    (Family::Libraries, "character sets of libraries, of genealogy, and of short messages"),
    (Family::Telematic, "character sets of telematic services, such as Teletex and Videotex"),
    (Family::Others, "other charsets that glibc has"),
];

/// Prints one line for each encoding: its name, then its labels. The encodings of the Standard come first, then each
/// family after a line that names it.
pub(crate) fn run(arguments: &List) -> anyhow::Result<()> {
    let all: Vec<(Charset, Vec<&str>)> = Charset::all().map(|charset| (charset, charset.labels().collect())).collect();
    let width = all.iter().map(|(charset, _)| charset.name().len()).max().unwrap_or(0);
    let mut text = String::new();
    let standard = (None, "");
    for (family, title) in [standard].into_iter().chain(FAMILIES.map(|(family, title)| (Some(family), title))) {
        if let (Some(family), false) = (family, arguments.json) {
            text += &format!("# {}: {title}\n", family.name());
        }
        for (charset, labels) in all.iter().filter(|(charset, _)| charset.family() == family) {
            text += &match arguments.json {
                false => format!("{:width$}  {}\n", charset.name(), labels.join(" ")),
                true => format!(
                    "{{\"name\":\"{charset}\",\"labels\":[{}],\"standard\":{},\"writable\":{},\"family\":{}}}\n",
                    labels.iter().map(|label| format!("\"{label}\"")).collect::<Vec<_>>().join(","),
                    charset.standard().is_some(),
                    charset.is_writable(),
                    family.map_or("null".to_owned(), |family| format!("\"{}\"", family.name())),
                ),
            };
        }
    }
    StandardOutput::open().and_then(|mut output| output.print(&text)).context("cannot write to standard output")
}
