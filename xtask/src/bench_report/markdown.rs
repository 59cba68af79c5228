//! The report in Markdown.

use std::fmt::Write as _;

use super::data::{COPY, Cell, Data, Mean, TABLES};

const HEAD: &str = "\
<!-- Written by `cargo xtask bench-report`. -->

# textcodec beside its peers

This page is for readers who compare textcodec with other libraries. It is written for a release, and has the means and
one table. Every figure is in the tables of `benches/report`, which `cargo xtask site` shows.
";

const INTRODUCTION: &str = "\
The operations `d8` and `d16` decode bytes to UTF-8 and UTF-16; `e8` and `e16` encode UTF-8 and UTF-16 to bytes. All
contestants run alternately in one process, and each figure is a median of processor time. A ratio is the speed of
textcodec divided by the speed of a peer: below 1, the peer is faster. Means are geometric. Texts are sentences in a
random order, which branch predictors cannot learn.

`encoding_rs fast` is encoding_rs built with `fast-legacy-encode`, and `encoding_rs fast SIMD` is encoding_rs built with
its vector code as well, which needs a nightly compiler; both are measured in a process of their own. simdutf, simdutf8
and std convert UTF-8 and UTF-16 only; simdutf also converts ASCII in any encoding. iconv, simdutf and simdutf8 stop at
an error, so they do not take part in the table of malformed input. ICU and iconv reuse their converters. A peer that
does not convert the whole text is left out.

At the lower levels, simdutf is held to the same instructions as textcodec, in a process of its own. The other peers
cannot be held: simdutf8 uses AVX2 at all levels of x86-64, and so does encoding_rs for validating UTF-8.
";

/// The kinds of text and the operations of the table of every encoding.
const KINDS: [(&str, &[&str]); 2] = [("text", &["text", "binary"]), ("HTML", &["HTML"])];
const OPERATIONS: [&str; 4] = ["d8", "d16", "e8", "e16"];

/// The text of the report.
pub(super) fn report(data: &Data) -> String {
    let mut text = format!("{HEAD}\n| | |\n| --- | --- |\n");
    for (name, value) in data.facts.iter().filter(|(name, _)| name != COPY) {
        let _ = writeln!(text, "| {name} | {value} |");
    }
    let _ = writeln!(text, "\n{INTRODUCTION}");
    text.push_str("![How many times as fast as the best peer, as a map of colours](report.svg)\n");
    summary(&mut text, data);
    levels(&mut text, data);
    interface(&mut text, data);
    encodings(&mut text, data);
    text
}

/// The means of each table at the highest level, and the encodings below 1.
fn summary(text: &mut String, data: &Data) {
    text.push_str("\n## Summary\n\n");
    text.push_str("| | cells | × the best peer | × encoding_rs | below 1 |\n| --- | ---: | ---: | ---: | ---: |\n");
    for mean in data.means.iter().filter(|mean| mean.level == data.level() && mean.is_of_all_columns("")) {
        line(text, title(&mean.table), mean);
    }
    if let Some(copy) = data.fact(COPY) {
        let _ = writeln!(text, "\nA plain copy (`memcpy`) runs at {copy} GB/s. It is the upper bound, and not a peer.");
    }
    let mut lines: Vec<(&str, Vec<String>)> = vec![];
    for cell in data.of_encodings().filter(|cell| cell.is_below_one()) {
        if lines.last().is_none_or(|(row, _)| *row != cell.row) {
            lines.push((&cell.row, vec![]));
        }
        let entry = format!("{} {} {} {}", cell.kind, cell.column, cell.best, cell.peer);
        lines.last_mut().into_iter().for_each(|(_, entries)| entries.push(entry.clone()));
    }
    if !lines.is_empty() {
        text.push_str("\nEncodings below 1:\n\n");
    }
    for (row, entries) in lines {
        let _ = writeln!(text, "- {row}: {}", entries.join(", "));
    }
}

/// The means at each level, for all encodings and for UTF-8 and UTF-16 alone.
fn levels(text: &mut String, data: &Data) {
    text.push_str("\n## Levels\n\n");
    text.push_str("| level | texts | cells | × the best peer | × encoding_rs | below 1 |\n| --- | --- | ---: | ---: | ---: | ---: |\n");
    let is_shown = |mean: &&Mean| mean.table == "encodings" && mean.column.is_empty();
    for mean in data.means.iter().filter(is_shown) {
        let texts = if mean.texts.is_empty() { "every encoding" } else { "UTF-8 and UTF-16" };
        line(text, &format!("{} | {texts}", mean.level), mean);
    }
}

/// The time that the interface of encoding_rs costs over textcodec's own, and its speed beside encoding_rs.
fn interface(text: &mut String, data: &Data) {
    text.push_str("\n## textcodec behind the interface of encoding_rs\n\n");
    text.push_str("| | cells | time ÷ textcodec's | greatest | × encoding_rs | below 1 |\n");
    text.push_str("| --- | ---: | ---: | ---: | ---: | ---: |\n");
    for row in &data.interface {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            title(&row.table),
            row.cells,
            row.time,
            row.greatest,
            or_dash(&row.encoding_rs),
            row.below
        );
    }
}

/// The ratios to the best peer, a row for each encoding.
fn encodings(text: &mut String, data: &Data) {
    text.push_str("\n## Every encoding\n\nThe ratio to the fastest peer, for text and for HTML. The picture names the peers.\n\n|");
    for (kind, _) in KINDS {
        for operation in OPERATIONS {
            let _ = write!(text, " | {kind} {operation}");
        }
    }
    let _ = writeln!(text, " |\n| --- |{}", " ---: |".repeat(KINDS.len() * OPERATIONS.len()));
    let mut names: Vec<&str> = data.of_encodings().map(|cell| &cell.row[..]).collect();
    names.dedup();
    for name in names {
        let _ = write!(text, "| {name} |");
        for cell in cells_of(data, name) {
            let _ = match cell {
                Some(cell) if cell.is_below_one() => write!(text, " **{}** |", cell.best),
                Some(cell) => write!(text, " {} |", or_dash(&cell.best)),
                None => write!(text, " – |"),
            };
        }
        text.push('\n');
    }
}

/// The cells of an encoding, in the order of the columns.
pub(super) fn cells_of<'a>(data: &'a Data, name: &'a str) -> impl Iterator<Item = Option<&'a Cell>> {
    let places = KINDS.iter().flat_map(|(_, kinds)| OPERATIONS.map(|operation| (kinds, operation)));
    places.map(move |(kinds, operation)| {
        data.of_encodings().find(|cell| cell.row == name && cell.column == operation && kinds.contains(&&cell.kind[..]))
    })
}

impl Mean {
    fn is_of_all_columns(&self, texts: &str) -> bool {
        self.column.is_empty() && self.texts == texts
    }
}

/// A row of a table of means.
fn line(text: &mut String, head: &str, mean: &Mean) {
    let theirs = or_dash(&mean.encoding_rs);
    let _ = writeln!(text, "| {head} | {} | {} | {theirs} | {} |", mean.cells, mean.best, mean.below);
}

fn title(table: &str) -> &str {
    TABLES.iter().find(|other| other.name == table).map_or(table, |table| table.title)
}

fn or_dash(figure: &str) -> &str {
    if figure.is_empty() { "–" } else { figure }
}

#[cfg(test)]
mod tests {
    use crate::bench_report::{data::tests::data, markdown::report};

    #[test]
    fn the_report_has_means_levels_and_a_row_for_each_encoding() {
        let report = report(&data());
        let has = |line: &str| assert!(report.lines().any(|other| other == line), "{line}\n{report}");
        has("| Every encoding | 2 | 1.0 | 8.9 | 1 |");
        has("- Big5: text e8 0.50 encoding_rs fast");
        has("| Avx2 | UTF-8 and UTF-16 | 1 | 0.80 | 2.0 | 1 |");
        has("| Big5 | – | – | **0.50** | – | – | – | – | 2.0 |");
    }
}
