//! Checks that lines of comments are not longer than lines of code, which rustfmt limits. Python's docstrings are
//! comments, too.

use std::{path::Path, process::Command};

use anyhow::{Context, Result, bail, ensure};

use crate::files;

/// The longest line of a comment, in characters, as in rustfmt.toml.
const MAX_WIDTH: usize = 120;

/// How a language writes comments.
#[derive(Clone, Copy, PartialEq)]
enum Comments {
    /// `//`, and blocks whose lines begin with `*`.
    Slashes,
    /// `#`.
    Hashes,
    /// `#`, and docstrings.
    Python,
}

/// Fails if a line of a comment in a file of the repository is too long, and names each such line.
pub(crate) fn check(root: &Path) -> Result<()> {
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output().context("cannot run git")?;
    ensure!(output.status.success(), "`git ls-files` failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    let paths = String::from_utf8(output.stdout).context("a path is not UTF-8")?;
    let mut wrong = Vec::new();
    for path in paths.split('\0').filter(|path| !path.is_empty() && !path.contains("/generated/")) {
        let is_script = !path.rsplit('/').next().is_some_and(|name| name.contains('.'));
        if (is_script || comments_of(path, "").is_some()) && root.join(path).is_file() {
            wrong.extend(long_lines(path, &files::read(root, path)?));
        }
    }
    if !wrong.is_empty() {
        bail!("comments with more than {MAX_WIDTH} characters in a line:\n  {}", wrong.join("\n  "));
    }
    Ok(())
}

/// How the file `path` writes comments. The first line of a script without an extension tells its language.
fn comments_of(path: &str, text: &str) -> Option<Comments> {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "rs" | "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "css" | "c" => Some(Comments::Slashes),
        "py" | "pyi" => Some(Comments::Python),
        "sh" | "toml" | "yml" | "yaml" => Some(Comments::Hashes),
        "" if text.starts_with("#!") && text.lines().next().is_some_and(|line| line.contains("python")) => {
            Some(Comments::Python)
        }
        "" if text.starts_with("#!") => Some(Comments::Hashes),
        _ => None,
    }
}

/// A string of Python between triple quotes: a docstring, or data.
#[derive(Clone, Copy)]
enum Multiline {
    Text,
    Data,
}

/// The lines of comments that are too long and can be broken: not tables, code in fences, and single words.
fn long_lines(path: &str, text: &str) -> Vec<String> {
    use Multiline::{Data, Text};
    let Some(comments) = comments_of(path, text) else { return vec![] };
    let (mut wrong, mut in_fence, mut string) = (Vec::new(), false, None);
    for (number, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        // The string that the line is in or begins with. A string over several lines that is assigned is data.
        let quotes = if comments == Comments::Python { line.matches("\"\"\"").count() } else { 0 };
        let in_line = string.or((quotes != 0).then_some(if trimmed.starts_with("\"\"\"") { Text } else { Data }));
        string = in_line.filter(|_| string.is_some() == (quotes % 2 == 0));
        let body = match in_line {
            Some(Text) => Some(trimmed),
            Some(Data) => None,
            None => body(trimmed, comments),
        };
        let Some(body) = body else {
            in_fence = false;
            continue;
        };
        in_fence ^= body.starts_with("```");
        let can_be_broken = body.contains(' ') && !in_fence && !body.starts_with(['|', '>']);
        if line.chars().count() > MAX_WIDTH && can_be_broken {
            wrong.push(format!("{path}:{}: {} characters", number + 1, line.chars().count()));
        }
    }
    wrong
}

/// The text of a line that is nothing but a comment.
fn body(trimmed: &str, comments: Comments) -> Option<&str> {
    let text = match comments {
        Comments::Slashes => ["///", "//!", "//", "/**", "/*", "* "].iter().find_map(|sign| trimmed.strip_prefix(sign)),
        Comments::Hashes | Comments::Python => trimmed.strip_prefix('#').filter(|rest| !rest.starts_with('!')),
    };
    text.map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_docstrings_wrap_and_code_tables_and_addresses_need_not() {
        let (words, word) = ("word ".repeat(30), "x".repeat(130));
        let lines = |path: &str, text: &str| {
            let lines = long_lines(path, text);
            lines.iter().map(|line| line.split(':').nth(1).unwrap().parse::<usize>().unwrap()).collect::<Vec<_>>()
        };
        let rust = format!(
            "// {words}\n    /// {words}\nlet a = \"{words}\";\n//! | {words} |\n/// ```\n/// {words}\n/// ```\n// {word}\n"
        );
        assert_eq!(lines("a/b.rs", &rust), [1, 2]);
        assert_eq!(lines("a.mjs", &format!("/**\n * {words}\n */\nconst a = '{words}';\n")), [2]);
        let python = format!(
            "#!{words}\n\"\"\"{words}\"\"\"\n# {words}\na = \"\"\"\n{words}\n\"\"\"\n\"\"\"A.\n{words}\n\"\"\"\n"
        );
        assert_eq!(lines("a.py", &python), [2, 3, 8]);
        assert_eq!(lines("folder/script", &format!("#!/bin/sh\n# {words}\necho {words}\n")), [2]);
        assert_eq!(lines("LICENSE", &words), [0; 0]);
        assert_eq!(lines("data.tsv", &format!("# {words}\n")), [0; 0]);
    }
}
