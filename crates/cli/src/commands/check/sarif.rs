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
}
