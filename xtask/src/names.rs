//! [Names](https://encoding.spec.whatwg.org/#names-and-labels): from `indexes/names.tsv` to the enum `Name` of the
//! core, and to the constants and the registry of the umbrella crate.

use std::fmt::Write as _;

use anyhow::{Context, Result, ensure};

use crate::{
    files::{self, GeneratedFile},
    labels::COMMAND,
    rust,
};

/// The file with the names.
pub(crate) const NAMES: &str = "indexes/names.tsv";
/// The folder of the generated files of the umbrella crate.
const UMBRELLA: &str = "crates/textcodec/src/generated";

/// The crates that have encodings, each with the feature of the umbrella crate that enables it; `utf8` is always
/// enabled.
const FAMILIES: [&str; 6] = ["utf8", "single-byte", "cjk-chinese", "cjk-japanese", "cjk-korean", "utf16"];

/// An encoding: a line of [`NAMES`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Encoding {
    /// The name as the Standard writes it, for example `Shift_JIS`.
    pub(crate) name: String,
    /// The crate that has the encoding, without `textcodec-`: one of [`FAMILIES`].
    family: &'static str,
}

impl Encoding {
    /// The variant of the enum `Name`, for example `ShiftJis`.
    ///
    /// The words of the name are capitalized and joined; a word ends at `-`, at `_`, and after a digit before a letter.
    /// An underscore keeps two numbers apart.
    pub(crate) fn variant(&self) -> String {
        let mut variant = String::new();
        let mut before = '-';
        for character in self.name.chars() {
            let starts_word = !before.is_alphanumeric() || before.is_ascii_digit() && character.is_alphabetic();
            match character {
                '-' | '_' => {}
                '0'..='9' if starts_word && variant.ends_with(|last: char| last.is_ascii_digit()) => {
                    variant.extend(['_', character]);
                }
                _ if starts_word => variant.push(character.to_ascii_uppercase()),
                _ => variant.push(character.to_ascii_lowercase()),
            }
            before = character;
        }
        variant
    }

    /// The constant of the umbrella crate, which is also the `static` of the family, for example `SHIFT_JIS`.
    fn constant(&self) -> String {
        self.name.replace('-', "_").to_ascii_uppercase()
    }

    /// A link to the encoding's chapter of the Standard.
    fn link(&self) -> String {
        format!("[{}](https://encoding.spec.whatwg.org/#{})", self.name, self.name.to_ascii_lowercase())
    }

    fn module(&self) -> String {
        format!("textcodec_{}", self.family.replace('-', "_"))
    }
}

/// Parses lines of name, tab and family; empty lines and lines that begin with `#` are skipped. Their order is the
/// order of the variants of the enum.
pub(crate) fn parse(text: &str) -> Result<Vec<Encoding>> {
    let mut encodings: Vec<Encoding> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let place = || format!("line {}", number + 1);
        let (name, family) = line.split_once('\t').context("not a name, a tab and a crate").with_context(place)?;
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        ensure!(!name.is_empty() && is_name, "{}: {name:?} is not the name of an encoding", place());
        let family = FAMILIES.into_iter().find(|known| *known == family);
        let family = family.context("not a crate of encodings").with_context(place)?;
        ensure!(encodings.iter().all(|other| other.name != name), "{}: {name} is there twice", place());
        encodings.push(Encoding { name: name.to_owned(), family });
    }
    Ok(encodings)
}

/// The files of the umbrella crate.
pub(crate) fn umbrella(encodings: &[Encoding]) -> Vec<GeneratedFile> {
    let header = files::generated_by(COMMAND);
    let module = format!("{header}{NAMES}.\n//! The encodings.\n\npub(crate) mod encodings;\n");
    vec![
        GeneratedFile { path: format!("{UMBRELLA}/mod.rs"), text: module },
        GeneratedFile { path: format!("{UMBRELLA}/encodings.rs"), text: constants(encodings) },
    ]
}

/// The text of `names.rs` of the core: the enum, its names in both directions, and all of them in order.
pub(crate) fn core(encodings: &[Encoding]) -> String {
    let mut map = phf_codegen::Map::new();
    let (mut variants, mut all, mut names) = (String::new(), String::new(), String::new());
    for encoding in encodings {
        let Encoding { name, .. } = encoding;
        let variant = encoding.variant();
        map.entry(name.as_str(), format!("Name::{variant}"));
        writeln!(variants, "    /// {}", encoding.link()).expect(STRING);
        writeln!(variants, "    {variant},").expect(STRING);
        writeln!(all, "        Name::{variant},").expect(STRING);
        writeln!(names, "            Name::{variant} => {name:?},").expect(STRING);
    }
    let by_name = rust::static_item("The encodings by their exact names.", "NAMES", MAP, &map.build().to_string());
    format!(
        "{header}{NAMES}.
//! The [names](https://encoding.spec.whatwg.org/#names-and-labels) of the encodings.

/// The [name](https://encoding.spec.whatwg.org/#name) of an encoding, in the order of the Standard's table.
///
/// Naming an encoding links nothing: a [`Name`] says which encoding is meant, an
/// [`Encoding`](crate::Encoding) can also decode and encode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Name {{
{variants}}}

impl Name {{
    /// All names, in the order of the Standard's table.
    pub const ALL: [Name; {count}] = [
{all}    ];

    /// The name as the Standard writes it, for example `\"Shift_JIS\"`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {{
        match self {{
{names}        }}
    }}
}}

{by_name}",
        header = files::generated_by(COMMAND),
        count = encodings.len(),
    )
}

const MAP: &str = "phf::Map<&str, Name>";
const STRING: &str = "writing to a string cannot fail";

/// Other names of encodings, which are no labels of the Standard, or which readers know better than the constant:
/// rustdoc's search finds the constant by them. The Standard's encoding can differ from the other name's.
const ALIASES: [(&str, &[&str]); 18] = [
    ("IBM866", &["cp866"]),
    ("windows-874", &["cp874", "tis-620"]),
    ("windows-1250", &["cp1250"]),
    ("windows-1251", &["cp1251"]),
    ("windows-1252", &["cp1252", "latin1", "iso-8859-1", "ascii"]),
    ("windows-1253", &["cp1253"]),
    ("windows-1254", &["cp1254", "latin5", "iso-8859-9"]),
    ("windows-1255", &["cp1255"]),
    ("windows-1256", &["cp1256"]),
    ("windows-1257", &["cp1257"]),
    ("windows-1258", &["cp1258"]),
    ("ISO-8859-15", &["latin9"]),
    ("GBK", &["cp936", "gb2312"]),
    ("Big5", &["cp950", "big5-hkscs"]),
    ("EUC-JP", &["ujis"]),
    ("ISO-2022-JP", &["jis"]),
    ("Shift_JIS", &["cp932", "sjis", "windows-31j"]),
    ("EUC-KR", &["cp949", "uhc"]),
];

/// The attribute for the other names of an encoding.
fn alias_of(name: &str) -> String {
    let aliases = ALIASES.iter().find(|(encoding, _)| *encoding == name).map_or(&[][..], |(_, aliases)| aliases);
    match aliases {
        [] => String::new(),
        [alias] => format!("#[doc(alias = {alias:?})]\n"),
        aliases => {
            format!("#[doc(alias({}))]\n", aliases.iter().map(|a| format!("{a:?}")).collect::<Vec<_>>().join(", "))
        }
    }
}

/// The text of `encodings.rs` of the umbrella: a constant and a decoding half for each encoding, and the enabled
/// encodings in registries.
fn constants(encodings: &[Encoding]) -> String {
    let (mut constants, mut halves) = (String::new(), String::new());
    for encoding in encodings {
        let (link, cfg) = (encoding.link(), cfg_of(encoding.family));
        let (constant, module) = (encoding.constant(), encoding.module());
        let item = format!("pub const {constant}: Encoding = Encoding::of(&halves::{constant});");
        let alias = alias_of(&encoding.name);
        writeln!(constants, "/// {link}.\n{alias}{cfg}{item}").expect(STRING);
        let (cfg, indent) = (cfg.replace("#[", "    #["), "    ");
        let item = format!("pub(super) static {constant}: Encoding = {module}::{constant}.decoding_half();");
        writeln!(halves, "{cfg}{indent}{item}").expect(STRING);
    }
    let whole = registry(encodings, Encoding::module);
    let decoding = registry(encodings, |_| "halves".to_owned());
    format!(
        "{}{NAMES}.
//! The [encodings](https://encoding.spec.whatwg.org/#encodings) that are enabled, and the registry of them.

use textcodec_core::Registry;
#[cfg(feature = \"encode\")]
use textcodec_core::{{EncoderHalves, Encoders}};

use crate::Encoding;

{constants}
/// The encodings without their encoders, so that a program that only decodes links no encoder.
#[rustfmt::skip]
mod halves {{
    use textcodec_core::Encoding;

{halves}}}

/// The decoding halves of the encodings that are enabled, to look labels up in. A program that uses it links all their
/// decoders.
pub(crate) static REGISTRY: Registry = registry();

/// The encodings that are enabled, with their encoders, for conversions into the core's type.
#[cfg(feature = \"encode\")]
pub(crate) static WITH_ENCODERS: Registry = with_encoders();

/// The encoders of the encodings that are enabled. Only functions that encode use it.
#[cfg(feature = \"encode\")]
pub(crate) const ENCODERS: Encoders = Encoders::new(&ENCODER_HALVES, with_encoders().encoder_names());

#[cfg(feature = \"encode\")]
static ENCODER_HALVES: EncoderHalves = WITH_ENCODERS.encoder_halves();

/// Written out by family, because a feature enables a family.
#[rustfmt::skip]
const fn registry() -> Registry {{
    let registry = Registry::empty();
{decoding}    registry
}}

#[cfg(feature = \"encode\")]
#[rustfmt::skip]
const fn with_encoders() -> Registry {{
    let registry = Registry::empty();
{whole}    registry
}}
",
        files::generated_by(COMMAND),
    )
}

/// The statements that add the `static`s of all encodings to a registry. `module` is the path before the name of a
/// `static`.
fn registry(encodings: &[Encoding], module: impl Fn(&Encoding) -> String) -> String {
    let mut registry = String::new();
    for family in FAMILIES {
        let of_family = encodings.iter().filter(|encoding| encoding.family == family);
        let statics = of_family.map(|encoding| format!("        &{}::{},\n", module(encoding), encoding.constant()));
        let (cfg, statics) = (cfg_of(family), statics.collect::<String>());
        let indent = if cfg.is_empty() { "" } else { "    " };
        write!(registry, "{indent}{cfg}    let registry = registry.with(&[\n{statics}    ]);\n").expect(STRING);
    }
    registry
}

/// The attribute of an item that needs `family`, in a line of its own.
fn cfg_of(family: &str) -> String {
    if family == "utf8" { String::new() } else { format!("#[cfg(feature = \"{family}\")]\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoding(name: &str) -> Encoding {
        Encoding { name: name.to_owned(), family: "utf8" }
    }

    #[test]
    fn a_variant_is_the_name_in_words() {
        for (name, variant) in [
            ("UTF-8", "Utf8"),
            ("UTF-16BE", "Utf16Be"),
            ("IBM866", "Ibm866"),
            ("ISO-8859-2", "Iso8859_2"),
            ("ISO-8859-8-I", "Iso8859_8I"),
            ("ISO-2022-JP", "Iso2022Jp"),
            ("KOI8-R", "Koi8R"),
            ("windows-1252", "Windows1252"),
            ("gb18030", "Gb18030"),
            ("Shift_JIS", "ShiftJis"),
            ("x-user-defined", "XUserDefined"),
        ] {
            assert_eq!(encoding(name).variant(), variant);
        }
    }

    #[test]
    fn a_constant_is_the_name_in_upper_case() {
        assert_eq!(encoding("ISO-8859-8-I").constant(), "ISO_8859_8_I");
        assert_eq!(encoding("x-mac-cyrillic").constant(), "X_MAC_CYRILLIC");
    }

    #[test]
    fn parses_names_after_a_comment() {
        let encodings = parse("# A comment\n\nGBK\tcjk-chinese\nUTF-8\tutf8\n").unwrap();
        let parsed: Vec<_> = encodings.iter().map(|encoding| (encoding.name.as_str(), encoding.family)).collect();
        assert_eq!(parsed, [("GBK", "cjk-chinese"), ("UTF-8", "utf8")]);
    }

    #[test]
    fn a_line_that_is_not_a_name_and_a_crate_is_an_error() {
        for (text, error) in [
            ("GBK", "line 1: not a name, a tab and a crate"),
            ("GBK\tchinese", "line 1: not a crate of encodings"),
            ("\nG K\tutf8", "line 2: \"G K\" is not the name of an encoding"),
            ("GBK\tcjk-chinese\nGBK\tcjk-chinese", "line 2: GBK is there twice"),
        ] {
            assert_eq!(format!("{:#}", parse(text).unwrap_err()), error);
        }
    }
}
