//! [SARIF 2.1.0](https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html), in which code hosts read problems.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    path::Path,
    sync::{Mutex, PoisonError},
};

use textcodec_convert::{Position, Rule, Severity, visible::json_string};

/// The results of all files, which are printed together in the order of the files.
#[derive(Default)]
pub(super) struct Sarif {
    /// The results of each file, by its number.
    results: Mutex<BTreeMap<usize, Vec<String>>>,
}

impl Sarif {
    /// Adds a problem of a file with this number. `path` is `None` for standard input.
    pub(super) fn add(
        &self,
        number: usize,
        path: Option<&Path>,
        rule: &str,
        severity: Severity,
        position: Position,
        message: &str,
    ) {
        let level = severity.name();
        let result = format!(
            "{{\"ruleId\":{},\"level\":\"{level}\",\"message\":{{\"text\":{}}},\"locations\":[{{\"physicalLocation\":\
             {{\"artifactLocation\":{{\"uri\":{}}},\"region\":{{\"startLine\":{},\"startColumn\":{}}}}}}}]}}",
            json_string(rule),
            json_string(message),
            json_string(&uri(path)),
            position.line(),
            position.column(),
        );
        self.results.lock().unwrap_or_else(PoisonError::into_inner).entry(number).or_default().push(result);
    }

    /// The whole document.
    pub(super) fn into_text(self) -> String {
        let results = self.results.into_inner().unwrap_or_else(PoisonError::into_inner);
        let results: Vec<String> = results.into_values().flatten().collect();
        let rules = Rule::ALL.map(|rule| {
            format!(
                "{{\"id\":\"{rule}\",\"shortDescription\":{{\"text\":{}}},\"defaultConfiguration\":{{\"level\":\"{}\"}}}}",
                json_string(rule.description()),
                rule.severity().name()
            )
        });
        format!(
            "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{{\n\
             \"tool\":{{\"driver\":{{\"name\":\"textcodec\",\"version\":\"{}\",\"rules\":[\n{}]}}}},\n\
             \"columnKind\":\"unicodeCodePoints\",\n\"results\":[\n{}]}}]}}\n",
            env!("CARGO_PKG_VERSION"),
            rules.join(",\n"),
            results.join(",\n")
        )
    }
}

/// The relative reference of a file, with "/" between its parts and escapes for other bytes than those of a path.
fn uri(path: Option<&Path>) -> String {
    let Some(path) = path else { return "stdin".to_owned() };
    let mut uri = if path.is_absolute() { "file://".to_owned() } else { String::new() };
    let path = path.as_os_str().as_encoded_bytes();
    let path = path.strip_prefix(b"./").unwrap_or(path);
    for &byte in path {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => uri.push(char::from(byte)),
            b'\\' if cfg!(windows) => uri.push('/'),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_a_reference() {
        assert_eq!(uri(Some(Path::new("./a b/é.txt"))), "a%20b/%C3%A9.txt");
        assert_eq!(uri(None), "stdin");
    }

    #[test]
    fn a_reference_has_only_characters_that_need_no_escape() {
        for byte in (0..0x80_u8).filter(|byte| cfg!(unix) || *byte != b'\\') {
            let character = char::from(byte);
            // The unreserved characters of RFC 3986, and the slash.
            let is_plain = character.is_ascii_alphanumeric() || "-._~/".contains(character);
            let expected = if is_plain { format!("a{character}b") } else { format!("a%{byte:02X}b") };
            assert_eq!(uri(Some(Path::new(&format!("a{character}b")))), expected);
        }
        if cfg!(unix) {
            assert_eq!(uri(Some(Path::new("/a b/./c"))), "file:///a%20b/./c");
        }
        assert_eq!(uri(Some(Path::new("../a"))), "../a");
        assert_eq!(uri(Some(Path::new("././a"))), "./a");
    }

    #[test]
    fn the_document_has_each_rule_with_its_level_and_the_results_in_the_order_of_the_files() {
        let sarif = Sarif::default();
        let position = Position::default().after("one\nab");
        for (number, path, severity) in
            [(1, Some("b"), Severity::Warning), (0, None, Severity::Note), (1, Some("b"), Severity::Error)]
        {
            sarif.add(number, path.map(Path::new), "bom", severity, position, "a \"b\"");
        }
        let text = sarif.into_text();
        for rule in Rule::ALL {
            let level = match rule.severity() {
                Severity::Error => "error",
                Severity::Warning => "warning",
                _ => "note",
            };
            let description = json_string(rule.description());
            let line = format!(
                "{{\"id\":\"{rule}\",\"shortDescription\":{{\"text\":{description}}},\
                 \"defaultConfiguration\":{{\"level\":\"{level}\"}}}}"
            );
            assert_eq!(
                text.lines()
                    .filter(|other| other.trim_end_matches([',', ']', '}']) == line.trim_end_matches('}'))
                    .count(),
                1,
                "{line}"
            );
        }
        let results: Vec<_> = text.lines().filter(|line| line.starts_with("{\"ruleId\"")).collect();
        let expected = [("note", "stdin"), ("warning", "b"), ("error", "b")];
        assert_eq!(results.len(), expected.len());
        for (result, (level, uri)) in results.iter().zip(expected) {
            let start = format!(
                "{{\"ruleId\":\"bom\",\"level\":\"{level}\",\"message\":{{\"text\":\"a \\\"b\\\"\"}},\"locations\":\
                 [{{\"physicalLocation\":{{\"artifactLocation\":{{\"uri\":\"{uri}\"}},\
                 \"region\":{{\"startLine\":2,\"startColumn\":3}}}}}}]}}"
            );
            assert!(result.starts_with(&start), "{result}");
        }
        let [open, close] = ['{', '}'].map(|bracket| text.matches(bracket).count());
        assert_eq!(open, close, "{text}");
        assert_eq!(text.matches('[').count(), text.matches(']').count());
    }
}
