//! The detector: options as one string, results as JSON.

use alloc::{format, string::String, vec::Vec};

use textcodec::{
    Name,
    detect::{BinaryKind, Candidate, Detection, Detector, Options, Platform, Tier, Verdict},
};

use crate::{
    Refusal,
    handles::Handles,
    json::{Object, number},
};

/// The detectors that a script has.
#[derive(Default, Debug)]
pub struct Detectors(Handles<Detector>);

impl Detectors {
    /// Makes a detector, and returns its number. `options` describes the string.
    ///
    /// # Errors
    /// [`Refusal`] if an option has a value that it cannot have.
    pub fn start(&mut self, text: &str) -> Result<u32, Refusal> {
        Ok(self.0.insert(Detector::with_options(options(text)?)))
    }

    /// Feeds the next bytes. Returns whether there is such a detector.
    pub fn feed(&mut self, detector: u32, bytes: &[u8]) -> bool {
        self.0.get(detector).map(|detector| detector.feed(bytes)).is_some()
    }

    /// The answer for the bytes so far, as [`json`].
    pub fn best_so_far(&mut self, detector: u32) -> Option<String> {
        self.0.get(detector).map(|detector| json(&detector.best_so_far()))
    }

    /// The answer for the whole text, as [`json`]. The number means nothing afterwards.
    pub fn finish(&mut self, detector: u32) -> Option<String> {
        self.0.remove(detector).map(|detector| json(&detector.finish()))
    }

    /// Forgets a detector. The number means nothing afterwards.
    pub fn forget(&mut self, detector: u32) {
        self.0.remove(detector);
    }
}

/// The options in a string of fields, which U+0000 separates: a name and a value, and so on. The names are "among",
/// "exclude", "language", "topLevelDomain", "platform", "declared", "tier", "startsMidStream" and "endsMidStream"; the
/// last two ignore their value. An option can be there several times.
fn options(text: &str) -> Result<Options, Refusal> {
    let mut options = Options::new();
    let mut among = None;
    let mut fields = text.split('\0');
    while let (Some(option), Some(value)) = (fields.next(), fields.next()) {
        options = match option {
            "among" => {
                among.get_or_insert_with(Vec::new).push(name(value)?);
                options
            }
            "exclude" => options.exclude([name(value)?]),
            "language" => options.language(value),
            "topLevelDomain" => options.top_level_domain(value),
            "platform" => options.platform(one_of("platform", &PLATFORMS, value)?),
            "tier" => options.tier(one_of("tier", &TIERS, value)?),
            "declared" => options.declared(value),
            "startsMidStream" => options.starts_mid_stream(true),
            "endsMidStream" => options.ends_mid_stream(true),
            _ => options,
        };
    }
    Ok(match among {
        Some(names) => options.among(names),
        None => options,
    })
}

/// The encoding of the Standard with this label.
fn name(label: &str) -> Result<Name, Refusal> {
    let unknown =
        || Refusal::new("ERR_ENCODING_NOT_SUPPORTED", format_args!("The \"{label}\" encoding is not supported"));
    Name::for_label(label.as_bytes()).map_err(|_| unknown())
}

/// The platforms and their names in scripts.
const PLATFORMS: [(&str, Platform); 4] =
    [("windows", Platform::Windows), ("mac", Platform::Mac), ("unix", Platform::Unix), ("dos", Platform::Dos)];

/// The tiers and their names in scripts.
const TIERS: [(&str, Tier); 5] = [
    ("dos", Tier::Dos),
    ("mac", Tier::Mac),
    ("ebcdic", Tier::Ebcdic),
    ("johab", Tier::Johab),
    ("vietnamese", Tier::Vietnamese),
];

/// The member of `all` with the name `value`. `noun` says what the members are.
fn one_of<T: Copy>(noun: &str, all: &[(&str, T)], value: &str) -> Result<T, Refusal> {
    let known = all.iter().find(|(name, _)| *name == value).map(|&(_, member)| member);
    known.ok_or_else(|| {
        let names = all.iter().map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        let message = format_args!("There is no {noun} \"{value}\"; the {noun}s are {names}");
        Refusal::new("ERR_INVALID_ARG_VALUE", message)
    })
}

/// A detection as JSON: "kind", what the text is; more members that depend on it; "margin", "modelVersion" and
/// "candidates", each with "encoding", "isStandard", "language", "probability", "group" and "evidence".
#[must_use]
pub fn json(detection: &Detection) -> String {
    let mut json = String::new();
    let verdict = detection.verdict();
    Object::write(&mut json, |object| {
        object.string("kind", Some(kind(verdict)));
        match verdict {
            Verdict::Utf8 { has_bom } | Verdict::Utf16 { has_bom } | Verdict::Utf32 { has_bom } => {
                object.plain("hasBOM", Some(has_bom));
            }
            Verdict::DamagedUtf8 { malformed, first } => {
                object.plain("malformed", Some(malformed));
                object.plain("offset", Some(first));
            }
            Verdict::Mixed { offset } => object.plain("offset", Some(offset)),
            Verdict::Binary(kind) => object.string("mimeType", Some(mime_type(kind))),
            _ => {}
        }
        object.array("candidates", detection.candidates(), candidate);
        object.plain("margin", detection.margin());
        object.plain("modelVersion", Some(detection.model_version()));
    });
    json
}

fn candidate(json: &mut String, candidate: &Candidate) {
    Object::write(json, |object| {
        object.string("encoding", Some(candidate.name()));
        object.plain("isStandard", Some(candidate.encoding().is_some()));
        object.string("language", candidate.language());
        object.plain("probability", Some(candidate.probability()));
        object.plain("group", Some(candidate.group()));
        object.array("evidence", candidate.evidence(), number);
    });
}

/// The name of a verdict.
fn kind(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Empty => "empty",
        Verdict::Ascii => "ascii",
        Verdict::Utf8 { .. } => "utf-8",
        Verdict::DamagedUtf8 { .. } => "damaged-utf-8",
        Verdict::Utf16 { .. } => "utf-16",
        Verdict::Utf32 { .. } => "utf-32",
        Verdict::Iso2022 => "iso-2022",
        Verdict::Hz => "hz",
        Verdict::Utf7 => "utf-7",
        Verdict::Legacy => "legacy",
        Verdict::Mixed { .. } => "mixed",
        Verdict::Binary(_) => "binary",
        _ => "unknown",
    }
}

/// The media type of a kind of binary data.
fn mime_type(kind: BinaryKind) -> &'static str {
    match kind {
        BinaryKind::Jpeg => "image/jpeg",
        BinaryKind::Png => "image/png",
        BinaryKind::Gif => "image/gif",
        BinaryKind::WebP => "image/webp",
        BinaryKind::Tiff => "image/tiff",
        BinaryKind::Icon => "image/vnd.microsoft.icon",
        BinaryKind::Pdf => "application/pdf",
        BinaryKind::Zip => "application/zip",
        BinaryKind::Gzip => "application/gzip",
        BinaryKind::Bzip2 => "application/x-bzip2",
        BinaryKind::Xz => "application/x-xz",
        BinaryKind::Zstandard => "application/zstd",
        BinaryKind::SevenZip => "application/x-7z-compressed",
        BinaryKind::Rar => "application/vnd.rar",
        BinaryKind::Elf => "application/x-elf",
        BinaryKind::MachO => "application/x-mach-binary",
        BinaryKind::WindowsExecutable => "application/vnd.microsoft.portable-executable",
        BinaryKind::JavaClass => "application/java-vm",
        BinaryKind::WebAssembly => "application/wasm",
        BinaryKind::Sqlite => "application/vnd.sqlite3",
        BinaryKind::Woff => "font/woff",
        BinaryKind::Font => "font/sfnt",
        BinaryKind::Mp3 => "audio/mpeg",
        BinaryKind::Mp4 => "video/mp4",
        BinaryKind::Ogg => "application/ogg",
        BinaryKind::Flac => "audio/flac",
        BinaryKind::Wave => "audio/wav",
        BinaryKind::Avi => "video/x-msvideo",
        BinaryKind::Matroska => "video/matroska",
        BinaryKind::OleDocument => "application/x-ole-storage",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(text: &str, pieces: &[&[u8]]) -> Result<String, Refusal> {
        let mut detectors = Detectors::default();
        let detector = detectors.start(text)?;
        for piece in pieces {
            assert!(detectors.feed(detector, piece));
        }
        let so_far = detectors.best_so_far(detector).unwrap();
        let found = detectors.finish(detector).unwrap();
        assert!(!so_far.is_empty() && detectors.finish(detector).is_none() && !detectors.feed(detector, b"a"));
        Ok(found)
    }

    #[test]
    fn an_answer_has_what_a_script_shows() {
        let found = detect("", &[b"\xF0\xD2\xC9\xD7", b"\xC5\xD4, \xCB\xC1\xCB \xC4\xC5\xCC\xC1?"]).unwrap();
        let start =
            r#"{"kind":"legacy","candidates":[{"encoding":"KOI8-R","isStandard":true,"language":"ru","probability":0."#;
        assert!(found.starts_with(start), "{found}");
        assert!(found.contains(r#""group":0,"evidence":["#) && found.contains(r#","modelVersion":"#), "{found}");
        let jpeg = detect("", &[b"\xFF\xD8\xFF\xE0\0\x10JFIF\0\x01\x01"]).unwrap();
        assert!(
            jpeg.starts_with(r#"{"kind":"binary","mimeType":"image/jpeg","candidates":[],"margin":null,"#),
            "{jpeg}"
        );
        let damaged = detect("", &[&"Grüße aus Köln. ".repeat(9).into_bytes(), b"\xFF x"]).unwrap();
        assert!(damaged.starts_with(r#"{"kind":"damaged-utf-8","malformed":1,"offset":171,"#), "{damaged}");
    }

    #[test]
    fn options_change_the_answer() {
        let bytes: &[u8] = b"\xF0\xD2\xC9\xD7\xC5\xD4";
        let best = |text: &str| {
            let found = detect(text, &[bytes]).unwrap();
            String::from(found.split("\"encoding\":\"").nth(1).unwrap().split('"').next().unwrap())
        };
        assert_eq!(best("among\0koi8\0among\0866"), "KOI8-R");
        assert_eq!(best("among\0866"), "IBM866");
        let without =
            "exclude\0koi8-r\0exclude\0koi8-u\0language\0ru\0platform\0dos\0declared\0cp866\0startsMidStream\0";
        assert!(!best(without).starts_with("KOI8"), "{}", best(without));
    }

    #[test]
    fn each_pair_of_options_gives_the_answer_of_the_detector() {
        type Tell = fn(Options) -> Options;
        let all: [(&str, Tell); 16] = [
            ("among\0866\0among\0koi8-u\0", |options| options.among([Name::Ibm866, Name::Koi8U])),
            ("exclude\0koi8-r\0exclude\0gbk\0", |options| options.exclude([Name::Koi8R, Name::Gbk])),
            ("language\0ru\0language\0bg\0", |options| options.language("ru").language("bg")),
            ("language\0zh-Hant\0", |options| options.language("zh-Hant")),
            ("topLevelDomain\0ua\0", |options| options.top_level_domain("ua")),
            ("platform\0windows\0", |options| options.platform(Platform::Windows)),
            ("platform\0mac\0", |options| options.platform(Platform::Mac)),
            ("platform\0unix\0", |options| options.platform(Platform::Unix)),
            ("platform\0dos\0", |options| options.platform(Platform::Dos)),
            ("declared\0koi8-u\0", |options| options.declared("koi8-u")),
            ("tier\0dos\0tier\0mac\0", |options| options.tier(Tier::Dos).tier(Tier::Mac)),
            ("tier\0ebcdic\0", |options| options.tier(Tier::Ebcdic)),
            ("tier\0johab\0tier\0vietnamese\0", |options| options.tier(Tier::Johab).tier(Tier::Vietnamese)),
            ("startsMidStream\0\0", |options| options.starts_mid_stream(true)),
            ("endsMidStream\0\0", |options| options.ends_mid_stream(true)),
            ("unknown\0x\0", |options| options),
        ];
        let texts: [&[u8]; 6] = [
            b"\xF0\xD2\xC9\xD7\xC5\xD4",
            b"\xA6lu\x9Cou\x9Fk\xEC k\x85\xE5",
            b"\xA4\xA4\xA4\xE5",
            b"\xFA\x96\x7B\x8C\xEA",
            b"\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x83\x65\x83",
            b"\xC8\x85\x93\x93\x96\x40\xA6\x96\x99\x93\x84",
        ];
        for ((one, tell), (other, also)) in all.iter().flat_map(|one| all.iter().map(move |other| (one, other))) {
            let options = also(tell(Options::new()));
            for bytes in texts {
                let expected = json(&textcodec::detect::detect_with(bytes, &options));
                assert_eq!(detect(&format!("{one}{other}"), &[bytes]).unwrap(), expected, "{one} {other} {bytes:02X?}");
            }
        }
    }

    #[test]
    fn encodings_of_a_tier_compete_if_it_is_named() {
        // "Žluťoučký kůň" in IBM852.
        let bytes: &[u8] = b"\xA6lu\x9Cou\x9Fk\xEC k\x85\xE5 p\xD8l";
        let best = r#""candidates":[{"encoding":"IBM852","isStandard":false,"language":"cs","#;
        assert!(detect("tier\0dos", &[bytes]).unwrap().contains(best));
        assert!(detect("tier\0mac\0tier\0dos", &[bytes]).unwrap().contains(best));
        for others in ["", "tier\0mac\0tier\0ebcdic\0tier\0johab"] {
            assert!(!detect(others, &[bytes]).unwrap().contains("IBM852"), "{others}");
        }
    }

    #[test]
    fn an_option_with_an_impossible_value_is_refused() {
        let refusal = |text| detect(text, &[]).unwrap_err().0;
        let label = "ERR_ENCODING_NOT_SUPPORTED The \"utf-9\" encoding is not supported";
        assert_eq!(refusal("among\0utf-9"), label);
        assert_eq!(refusal("exclude\0utf-9"), label);
        let platforms = "There is no platform \"beos\"; the platforms are \"windows\", \"mac\", \"unix\", \"dos\"";
        assert_eq!(refusal("platform\0beos"), format!("ERR_INVALID_ARG_VALUE {platforms}"));
        let tiers = "There is no tier \"beos\"; the tiers are \"dos\", \"mac\", \"ebcdic\", \"johab\", \"vietnamese\"";
        assert_eq!(refusal("tier\0beos"), format!("ERR_INVALID_ARG_VALUE {tiers}"));
        assert!(detect("declared\0utf-9\0language\0xx", &[b"a"]).is_ok());
    }
}
