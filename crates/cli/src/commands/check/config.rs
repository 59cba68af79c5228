//! The file with the rules of `textcodec check` for each kind of file.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow};
use globset::{GlobBuilder, GlobMatcher};
use textcodec_convert::{Levels, Rule, SourceEncoding};

use crate::{
    label,
    message::{display, excerpt},
};

/// The name of the file, which is looked for in the current directory.
pub(super) const NAME: &str = ".textcodec-check";

/// The sections of the file. A later one comes before an earlier one.
#[derive(Default)]
pub(super) struct Config {
    sections: Vec<Section>,
    /// The directory to which the patterns are relative.
    directory: PathBuf,
}

/// What the file says about the files that match a pattern.
struct Section {
    pattern: GlobMatcher,
    settings: Vec<Setting>,
}

enum Setting {
    Deny(Vec<Rule>),
    Allow(Vec<Rule>),
    Encoding(SourceEncoding),
    Skip,
}

/// What holds for one file.
#[derive(Clone, Copy)]
pub(super) struct Settings {
    pub(super) levels: Levels,
    /// `None` if the file has no encoding of its own.
    pub(super) encoding: Option<SourceEncoding>,
    pub(super) is_skipped: bool,
}

impl Config {
    /// Reads the file, or the one of the current directory if there is one.
    pub(super) fn read(path: Option<&Path>) -> anyhow::Result<Self> {
        let name = path.unwrap_or(Path::new(NAME));
        let text = match fs::read_to_string(name) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound && path.is_none() => return Ok(Config::default()),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", display(name))),
        };
        let directory = name.parent().map(Path::to_owned).unwrap_or_default();
        let sections = parse(&text).map_err(|(line, error)| anyhow!("{}:{line}: {error}", display(name)))?;
        Ok(Config { sections, directory })
    }

    /// Whether a rule is denied for some files.
    pub(super) fn denies(&self) -> bool {
        self.sections.iter().flat_map(|section| &section.settings).any(|setting| matches!(setting, Setting::Deny(_)))
    }

    /// What holds for this file. Standard input has no section but "*".
    pub(super) fn of(&self, path: Option<&Path>) -> Settings {
        let mut settings = Settings { levels: Levels::default(), encoding: None, is_skipped: false };
        let path = path.unwrap_or(Path::new("standard input"));
        let path = path.strip_prefix(&self.directory).unwrap_or(path);
        let path = path.strip_prefix(".").unwrap_or(path);
        for section in self.sections.iter().filter(|section| section.pattern.is_match(path)) {
            for setting in &section.settings {
                match setting {
                    Setting::Deny(rules) => settings.levels.deny(rules),
                    Setting::Allow(rules) => settings.levels.allow(rules),
                    Setting::Encoding(encoding) => settings.encoding = Some(*encoding),
                    Setting::Skip => settings.is_skipped = true,
                }
            }
        }
        settings
    }
}

/// The sections of `text`, or the number of a line and what is wrong in it.
fn parse(text: &str) -> Result<Vec<Section>, (usize, String)> {
    let mut sections: Vec<Section> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let wrong = |message: String| (number, message);
        if let Some(pattern) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            let pattern = glob(pattern).map_err(wrong)?;
            sections.push(Section { pattern, settings: Vec::new() });
            continue;
        }
        let section = sections.last_mut();
        let section = section.ok_or_else(|| wrong("a pattern such as [*.txt] comes first".to_owned()))?;
        let (key, value) = line.split_once('=').map_or((line, ""), |(key, value)| (key.trim(), value.trim()));
        section.settings.push(match (key, value) {
            ("deny", value) => Setting::Deny(rules_of(value).map_err(wrong)?),
            ("allow", value) => Setting::Allow(rules_of(value).map_err(wrong)?),
            ("encoding", value) => Setting::Encoding(label::source_or_auto(value).map_err(wrong)?),
            ("skip", "") => Setting::Skip,
            (key, _) => {
                let message = format!("there is no setting {}; there are deny, allow, encoding and skip", excerpt(key));
                return Err(wrong(message));
            }
        });
    }
    Ok(sections)
}

/// A pattern as in .gitignore: without a slash, it matches names in every directory.
fn glob(pattern: &str) -> Result<GlobMatcher, String> {
    let anchored = pattern.strip_prefix('/').map(str::to_owned);
    let pattern = anchored.unwrap_or_else(|| match pattern.contains('/') {
        true => pattern.to_owned(),
        false => format!("**/{pattern}"),
    });
    let glob = GlobBuilder::new(&pattern).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| excerpt(&error.kind().to_string()))
}

/// The rules of a list such as "mojibake, bom".
fn rules_of(list: &str) -> Result<Vec<Rule>, String> {
    let mut rules = Vec::new();
    for name in list.split(',') {
        rules.extend(crate::arguments::rules(name.trim())?.0);
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_sections_come_before_earlier_ones() {
        let text = "# rules\n[*]\ndeny = all\n[old/**]\nallow = bom, control\nencoding = koi8-r\n[/*.bak]\nskip\n";
        let config = Config { sections: parse(text).unwrap_or_default(), directory: PathBuf::new() };
        let settings = config.of(Some(Path::new("./old/a/b.txt")));
        assert!(settings.levels.is_denied(Rule::Mojibake) && !settings.levels.is_denied(Rule::Nul));
        assert!(settings.encoding.is_some() && !settings.is_skipped);
        assert!(config.of(Some(Path::new("a.bak"))).is_skipped && !config.of(Some(Path::new("a/a.bak"))).is_skipped);
        for (text, line) in
            [("deny = all", 1), ("[*]\ndeny = nothing", 2), ("[[]", 1), ("[*]\n\nskipp", 3), ("[*]\nencoding=x", 2)]
        {
            assert_eq!(parse(text).err().map(|(line, _)| line), Some(line), "{text}");
        }
        let messages = ["deny = all", "[*]\nskipp = 1"].map(|text| parse(text).err().map(|(_, message)| message));
        let expected = [
            "a pattern such as [*.txt] comes first",
            "there is no setting skipp; there are deny, allow, encoding and skip",
        ];
        assert_eq!(messages, expected.map(|message| Some(message.to_owned())));
    }

    #[test]
    fn a_pattern_matches_as_in_gitignore() {
        for (pattern, path, expected) in [
            ("*.txt", "a.txt", true),
            ("*.txt", "a/b/c.txt", true),
            ("*.txt", "a.txt/b", false),
            ("/*.txt", "a.txt", true),
            ("/*.txt", "a/b.txt", false),
            ("a/*.txt", "a/b.txt", true),
            ("a/*.txt", "a/b/c.txt", false),
            ("a/*.txt", "x/a/b.txt", false),
            ("a/**", "a/b/c", true),
            ("[ab]", "b", true),
            ("?.txt", "ab.txt", false),
        ] {
            assert_eq!(glob(pattern).unwrap().is_match(path), expected, "{pattern} {path}");
        }
        assert!(glob("[a").is_err());
    }

    #[test]
    fn the_sections_of_a_file_are_relative_to_its_directory() {
        let config =
            |text: &str, directory: &str| Config { sections: parse(text).unwrap(), directory: directory.into() };
        let config_of = config("; a comment\n[/a.txt]\nskip\n [*] \n deny = bom , nul \n", "conf");
        assert!(config_of.of(Some(Path::new("conf/a.txt"))).is_skipped);
        assert!(
            config_of.of(Some(Path::new("a.txt"))).is_skipped && config_of.of(Some(Path::new("./a.txt"))).is_skipped
        );
        assert!(!config_of.of(Some(Path::new("other/a.txt"))).is_skipped);
        let levels = config_of.of(None).levels;
        assert!(levels.is_denied(Rule::Bom) && levels.is_denied(Rule::Nul) && !levels.is_denied(Rule::Control));
        assert!(config_of.denies() && !config("[*]\nallow = bom\nencoding = auto\nskip\n", "").denies());
        let settings = Config::default().of(Some(Path::new("a")));
        assert!(settings.encoding.is_none() && !settings.is_skipped && !settings.levels.is_denied(Rule::Bom));
        let both = config("[*]\nencoding = koi8-r\n[a]\nencoding = auto\n", "");
        assert!(both.of(Some(Path::new("a"))).encoding == Some(SourceEncoding::Auto));
        assert!(matches!(both.of(Some(Path::new("b"))).encoding, Some(SourceEncoding::Label(_))));
        assert_eq!(parse("[*]\nskip = yes").err().map(|(line, _)| line), Some(2));
    }
}
