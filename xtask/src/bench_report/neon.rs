//! The page about NEON, drawn from the tables that `benches/neon/report` writes.

use std::{fmt::Write as _, path::Path};

use anyhow::Result;

use crate::files;

/// The tables, relative to the project's root, and their heads.
const MEANS: (&str, [&str; 4]) = ("benches/neon/means.tsv", ["measure", "mean", "cells below 1", "cells"]);
const FIGURES: (&str, [&str; 7]) = (
    "benches/neon/figures.tsv",
    ["encoding", "text", "operation", "measure", "textcodec", "best peer", "peer ÷ textcodec"],
);

/// The measures of the table in the page, and the operations, which are its columns.
const SHOWN: [&str; 2] = ["instructions", "neoverse-v1, guessing"];
const OPERATIONS: [&str; 4] = ["d8", "d16", "e8", "e16"];

const HEAD: &str = "\
<!-- Written by `cargo xtask bench-report --from-data`. -->

# NEON, counted

This page is for readers who compare textcodec with other libraries on processors with NEON. It is written for a
release. Every figure is in `benches/neon/figures.tsv`, which `benches/neon/report` writes and `cargo xtask site` shows.

No time was measured: the benchmark ran in an emulator, which counts instructions. A ratio is what the best peer needs
divided by what textcodec needs: below 1, the peer needs less. Texts have 16 KiB. The peers are encoding_rs (with its
vector code, and with its feature `fast-legacy-encode`, which is off by default and adds 176 KB of tables for pairs from
UTF-8 and UTF-16), simdutf, simdutf8 and std.

llvm-mca predicts the cycles, with all data in the cache. It gets 1000 instructions from each of 32 places of a
conversion, at equal distances, as they were executed one after the other; so it sees the loops in the proportions in
which the text takes them, and the functions that a loop calls. A call itself counts as one cycle. llvm-mca is told that
the Neoverse V1 begins at most eight instructions in a cycle, as Arm's optimisation guide says; LLVM's own figure is 15
micro-operations. LLVM's model of the Apple M1 is that of an older processor. Where it takes two cycles for an operation
on two registers without a shift, it is told of one with an immediate value, which takes one cycle. For a lookup in
three or four vectors, it is told of two lookups.

llvm-mca takes all branches as guessed right, which is too good for code that branches on characters. So the emulator
also guesses each conditional branch with a predictor, a hashed perceptron, after the conversion of another text of the
same kind. *Wrong* in the tables is the number of wrong guesses for each 1000 bytes, beside the fewest of a peer. The
measures with *guessing* add 16 cycles (Apple M1) and 11 cycles (Neoverse V1) for each wrong guess, the figures of
LLVM's models. The predictors of the processors are not known, and are better than this one for some branches; so these
measures are an estimate, and the truth is between them and the measures without guesses.
";

/// A row of [`FIGURES`]: its first three columns, the measure, and the ratio to the best peer.
struct Figure {
    row: String,
    operation: String,
    measure: String,
    ratio: String,
}

/// The text of the page.
pub(super) fn page(root: &Path) -> Result<String> {
    let mut text = String::from(HEAD);
    text.push_str("\n## Summary\n\nWithout copies. Means are geometric.\n\n");
    text.push_str("| | mean of the ratios | cells below 1 |\n| --- | ---: | ---: |\n");
    for [measure, mean, below, cells] in files::rows(root, MEANS.0, &MEANS.1)? {
        let _ = writeln!(text, "| {measure} | {mean} | {below} of {cells} |");
    }
    let figures: Vec<Figure> = files::rows(root, FIGURES.0, &FIGURES.1)?
        .into_iter()
        .map(|[encoding, kind, operation, measure, _, _, ratio]| Figure {
            row: format!("{encoding} | {kind}"),
            operation,
            measure,
            ratio,
        })
        .collect();
    text.push_str(
        "\n## Every encoding\n\nThe ratio of the instructions, and the ratio of the cycles of the Neoverse V1 with wrong guesses.\n\n",
    );
    let _ = writeln!(text, "| encoding | text | {} |", OPERATIONS.join(" | "));
    text.push_str("| --- | --- | ---: | ---: | ---: | ---: |\n");
    let mut names: Vec<&str> = figures.iter().map(|figure| &figure.row[..]).collect();
    names.dedup();
    for name in names {
        let cells = OPERATIONS.map(|operation| {
            let is_here = |figure: &&Figure| figure.row == name && figure.operation == operation;
            let ratios = SHOWN.map(|measure| {
                let figure = figures.iter().filter(is_here).find(|figure| figure.measure == measure);
                figure.map_or("–".to_owned(), |figure| bold_below_one(&figure.ratio))
            });
            ratios.join(", ")
        });
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    }
    Ok(text)
}

fn bold_below_one(ratio: &str) -> String {
    if ratio.parse::<f64>().is_ok_and(|ratio| ratio < 1.0) { format!("**{ratio}**") } else { ratio.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_both_ratios_of_each_operation_and_a_ratio_below_one_is_bold() {
        let root = tempfile::tempdir().unwrap();
        let write = |(path, head): (&str, &[&str]), rows: &[&str]| {
            let rows = rows.iter().map(|row| row.split(' ').collect());
            files::ensure_file_contents(&root.path().join(path), &files::tab_separated(head, rows), false).unwrap();
        };
        write((MEANS.0, &MEANS.1), &["instructions 1.95 0 168"]);
        write((FIGURES.0, &FIGURES.1), &["GBK HTML e8 instructions 1 x 1.20", "GBK HTML e8 wrong 1 x 3"]);
        let page = page(root.path()).unwrap();
        assert!(page.contains("\n| instructions | 1.95 | 0 of 168 |\n"), "{page}");
        assert!(page.contains("\n| GBK | HTML | –, – | –, – | 1.20, – | –, – |\n"), "{page}");
        assert_eq!(bold_below_one("0.99"), "**0.99**");
    }
}
