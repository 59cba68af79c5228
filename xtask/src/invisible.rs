//! Properties of characters that the program needs for its messages, from the tables of the crate `regex-syntax`, which
//! has them from the Unicode Character Database.

use std::{fmt::Write, path::Path};

use anyhow::{Context, Result, bail};
use regex_syntax::hir::{Class, HirKind};

use crate::files::{self, GeneratedFile};

/// The command that writes the generated file.
const COMMAND: &str = "cargo xtask invisible";
/// The generated file.
const PATH: &str = "crates/convert/src/visible/generated/invisible.rs";

/// The tables: the name, the documentation, and the characters as a class of a regular expression.
const TABLES: [(&str, &str, &str); 2] = [
    (
        "INVISIBLE",
        "The categories Cc, Cf, Zl and Zp, and the property Default_Ignorable_Code_Point.",
        r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]",
    ),
    ("VARIATION_SELECTORS", "The property Variation_Selector.", r"\p{Variation_Selector}"),
];

/// Writes the tables, or with `check` fails if they are out of date.
pub(crate) fn generate(root: &Path, check: bool) -> Result<()> {
    let mut text = format!("{}the tables of the crate regex-syntax. Do not edit.\n", files::generated_by(COMMAND));
    for (name, documentation, class) in TABLES {
        let ranges = ranges(class).context(name)?;
        writeln!(text, "\n/// {documentation}\n#[rustfmt::skip]")?;
        writeln!(text, "pub(super) const {name}: [(char, char); {}] = [", ranges.len())?;
        for (first, last) in ranges {
            writeln!(text, "    ('{}', '{}'),", first.escape_unicode(), last.escape_unicode())?;
        }
        text += "];\n";
    }
    files::ensure_generated(root, &[GeneratedFile { path: PATH.to_owned(), text }], COMMAND, check)
}

/// The first and the last character of each range of a class, in ascending order.
fn ranges(class: &str) -> Result<Vec<(char, char)>> {
    match regex_syntax::parse(class)?.into_kind() {
        HirKind::Class(Class::Unicode(class)) => Ok(class.iter().map(|range| (range.start(), range.end())).collect()),
        other => bail!("{class} is {other:?} and no class of characters"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_have_the_characters_that_their_names_say() {
        let has = |class: &str, character: char| {
            ranges(class).unwrap().iter().any(|&(first, last)| (first..=last).contains(&character))
        };
        for character in "\u{7}\u{AD}\u{61C}\u{180E}\u{2028}\u{202E}\u{3164}\u{FFF9}\u{FFFB}\u{E0001}\u{E0FFF}".chars()
        {
            assert!(has(TABLES[0].2, character), "{}", character.escape_unicode());
        }
        assert!("a é☃字\u{301}\u{E000}".chars().all(|character| !has(TABLES[0].2, character)));
        assert!("\u{180B}\u{FE0F}\u{E0100}".chars().all(|character| has(TABLES[1].2, character)));
        assert!(!has(TABLES[1].2, '\u{200D}'));
    }
}
