//! The report in Markdown.

use std::fmt::Write as _;

use super::figures::{Cell, Figures, Row, mean};

/// The tables in GB/s, and the tables in nanoseconds: the benchmark's name of the table, the title in the report, and
/// the title of the second column.
const RATES: [(&str, &str, &str); 5] = [
    ("encodings", "Every encoding", "text"),
    ("ascii", "ASCII in some encodings", "text"),
    ("warm", "20 KiB again and again, which branch predictors can learn", "text"),
    ("malformed", "Malformed input", ""),
    ("lacking", "Unmappable characters, as character references", ""),
];
const DURATIONS: [(&str, &str, &str); 5] = [
    ("short", "Short inputs, a decoder or encoder made for each", "operation"),
    ("one-shot", "Short inputs, to a string or bytes of their own", "operation"),
    ("stream", "Short pieces of a stream", "operation"),
    ("making", "Making a decoder or an encoder", ""),
    ("labels", "Looking a label up", ""),
];

const INTRODUCTION: &str = "\
The operations `d8` and `d16` decode bytes to UTF-8 and UTF-16; `e8` and `e16` encode UTF-8 and UTF-16 to bytes. All
contestants run alternately in one process, and each figure is a median of processor time. Texts are sentences in a
random order, which branch predictors cannot learn, unless a table says otherwise.

Each cell has three parts: the speed of textcodec divided by the speed of its fastest peer, with the name of that peer;
the speed of textcodec in GB/s of the source, or its time in nanoseconds; and, if the fastest peer is not encoding_rs,
the ratio to encoding_rs. A **bold** cell is below 1: the peer is faster. A `*` marks a peer that converts the whole
text, but with a result that differs from the Standard's. A peer that does not convert the whole text is left out.

`encoding_rs fast` is encoding_rs built with `fast-legacy-encode`, and `encoding_rs fast SIMD` is encoding_rs built with
its vector code as well, which needs a nightly compiler; both are measured in a process of their own. simdutf, simdutf8
and std convert UTF-8 and UTF-16 only; simdutf also converts ASCII in any encoding. iconv, simdutf and simdutf8 stop at
an error, so they do not take part in the table of malformed input. ICU and iconv reuse their converters.

The tables at the end are those of the lower levels. There simdutf is held to the same instructions as textcodec, in a
process of its own. The other peers cannot be held: simdutf8 uses AVX2 at all levels of x86-64, and so does encoding_rs
for validating UTF-8.
";

/// The text of the report. `levels` has the figures of each level, the highest level first.
pub(super) fn report(levels: &[Figures]) -> String {
    let mut text = String::from("<!-- Written by `cargo xtask bench-report`. -->\n\n# textcodec beside its peers\n\n");
    let Some((best, lower)) = levels.split_first() else { return text };
    text.push_str("| | |\n| --- | --- |\n");
    for (name, value) in &best.facts {
        let _ = writeln!(text, "| {name} | {value} |");
    }
    let _ = writeln!(text, "\n{INTRODUCTION}");
    text.push_str("![How many times as fast as the best peer, as a map of colours](report.svg)\n\n");
    summary(&mut text, best);
    summary_of_levels(&mut text, levels);
    compatible(&mut text, best);
    for (table, title, kind) in RATES {
        rates(&mut text, best, table, title, kind);
    }
    for (table, title, kind) in DURATIONS {
        section(&mut text, best, (table, title, kind), |cost| format!("{cost:.1} ns"));
    }
    for figures in lower {
        for (table, title, kind) in RATES {
            rates(&mut text, figures, table, &format!("{title}, level {}", figures.level()), kind);
        }
    }
    text
}

fn rates(text: &mut String, figures: &Figures, table: &str, title: &str, kind: &str) {
    section(text, figures, (table, title, kind), |cost| format!("{} GB/s", digits(1.0 / cost)));
}

/// The means at each level, for all encodings and for UTF-8 and UTF-16 alone, which have the strongest peers.
fn summary_of_levels(text: &mut String, levels: &[Figures]) {
    text.push_str("\n## Levels\n\n");
    text.push_str("| level | texts | cells | × the best peer | × encoding_rs | below 1 |\n| --- | --- | ---: | ---: | ---: | ---: |\n");
    for figures in levels {
        for (name, start) in [("every encoding", ""), ("UTF-8 and UTF-16", "UTF-")] {
            let cells = figures.in_table("encodings").filter(|cell| cell.row.starts_with(start));
            let row = means_of(cells, &format!("| {} | {name}", figures.level()));
            text.push_str(&row.unwrap_or_default());
        }
    }
}

/// The name of the package with the interface of encoding_rs over textcodec.
const COMPATIBLE: &str = "textcodec-encoding-rs";

/// The time that the interface of encoding_rs costs over textcodec's own, and its speed beside encoding_rs.
fn compatible(text: &mut String, figures: &Figures) {
    text.push_str("\n## textcodec behind the interface of encoding_rs\n\n");
    text.push_str("| | cells | time ÷ textcodec's | greatest | × encoding_rs | below 1 |\n");
    text.push_str("| --- | ---: | ---: | ---: | ---: | ---: |\n");
    for (table, title, _) in RATES.into_iter().chain(DURATIONS) {
        let costs: Vec<f64> = figures.in_table(table).filter_map(|cell| Some(cell.of(COMPATIBLE)?.ratio)).collect();
        let Some(greatest) = costs.iter().copied().reduce(f64::max) else { continue };
        let beside: Vec<f64> = figures
            .in_table(table)
            .filter_map(|cell| Some(cell.of("encoding_rs")?.ratio / cell.of(COMPATIBLE)?.ratio))
            .collect();
        let below = beside.iter().filter(|&&ratio| ratio < 1.0).count();
        let (count, own) = (costs.len(), mean(costs).unwrap_or(1.0));
        let _ =
            writeln!(text, "| {title} | {count} | {own:.2} | {greatest:.2} | {} | {below} |", or_dash(mean(beside)));
    }
}

/// A row of a table of means that begins with `head`: the number of cells, the means of their ratios to the best peer
/// and to encoding_rs, and the number of cells below 1. `None` if no cell has a peer.
fn means_of<'a>(cells: impl Iterator<Item = &'a Cell>, head: &str) -> Option<String> {
    let cells: Vec<&Cell> = cells.filter(|cell| cell.best().is_some()).collect();
    let best: Vec<f64> = cells.iter().filter_map(|cell| Some(cell.best()?.ratio)).collect();
    let theirs = cells.iter().filter_map(|cell| Some(cell.of("encoding_rs")?.ratio));
    let below = best.iter().filter(|&&ratio| ratio < 1.0).count();
    let (count, mean_of_best, mean_of_theirs) = (best.len(), mean(best)?, or_dash(mean(theirs)));
    Some(format!("{head} | {count} | {} | {mean_of_theirs} | {below} |\n", times(mean_of_best)))
}

/// The means, and the cells below 1.
fn summary(text: &mut String, figures: &Figures) {
    text.push_str("## Summary\n\n");
    text.push_str("| | cells | × the best peer | × encoding_rs | below 1 |\n| --- | ---: | ---: | ---: | ---: |\n");
    for (table, title, _) in RATES.into_iter().chain(DURATIONS) {
        text.push_str(&means_of(figures.in_table(table), &format!("| {title}")).unwrap_or_default());
    }
    text.push_str("\nMeans are geometric.\n");

    let copies = figures.in_table("encodings").filter_map(|cell| Some(1.0 / cell.of("memcpy")?.cost));
    if let Some(copy) = mean(copies) {
        let _ = writeln!(
            text,
            "A plain copy (`memcpy`) runs at {} GB/s. It is the upper bound, and not a peer.",
            digits(copy)
        );
    }
    below_one(text, figures);
}

/// The cells of the first table that are below 1, in one line for each encoding.
fn below_one(text: &mut String, figures: &Figures) {
    let mut lines: Vec<(&str, Vec<String>)> = vec![];
    for cell in figures.in_table("encodings") {
        let Some(best) = cell.best().filter(|best| best.ratio < 1.0) else { continue };
        if lines.last().is_none_or(|(row, _)| *row != cell.row) {
            lines.push((&cell.row, vec![]));
        }
        let entry = format!("{} {} {} {}", cell.kind, cell.column, times(best.ratio), best.name);
        lines.last_mut().into_iter().for_each(|(_, entries)| entries.push(entry.clone()));
    }
    if !lines.is_empty() {
        text.push_str("\nEncodings below 1:\n\n");
    }
    for (row, entries) in lines {
        let _ = writeln!(text, "- {row}: {}", entries.join(", "));
    }
}

fn section(text: &mut String, figures: &Figures, head: (&str, &str, &str), own_speed: impl Fn(f64) -> String) {
    let (table, title, kind) = head;
    let (columns, rows) = figures.table(table);
    if rows.is_empty() {
        return;
    }
    begin(text, title, kind, &columns);
    for row in &rows {
        let cells = row.cells.iter().map(|cell| cell.map_or("–".into(), |cell| beside_best(cell, &own_speed)));
        line(text, row.name, row.kind, cells);
    }
    let best = |cell: &Cell| Some(cell.best()?.ratio);
    means(text, "mean × the best peer", &rows, best);
    means(text, "mean × encoding_rs", &rows, |cell| Some(cell.of("encoding_rs")?.ratio));
}

/// The text of a cell: the ratio to the best peer, its name, textcodec's own speed, and the ratio to encoding_rs if
/// another peer is the best.
fn beside_best(cell: &Cell, own_speed: impl Fn(f64) -> String) -> String {
    let own = own_speed(cell.standings[0].cost);
    let Some(best) = cell.best() else { return own };
    let star = if best.is_exact { "" } else { "\\*" };
    let mut text = format!("{} {}{star}, {own}", times(best.ratio), best.name);
    if let Some(theirs) = cell.of("encoding_rs").filter(|theirs| theirs.name != best.name) {
        let _ = write!(text, ", {}", times(theirs.ratio));
    }
    if best.ratio < 1.0 { format!("**{text}**") } else { text }
}

fn begin(text: &mut String, title: &str, kind: &str, columns: &[&str]) {
    let _ = writeln!(text, "\n## {title}\n");
    line(text, "", kind, columns.iter().map(|&column| column.into()));
    line(text, "---", "---", columns.iter().map(|_| "---:".into()));
}

fn line(text: &mut String, name: &str, kind: &str, cells: impl Iterator<Item = String>) {
    let _ = writeln!(text, "| {name} | {kind} | {} |", cells.collect::<Vec<_>>().join(" | "));
}

/// A row with the mean of each column.
fn means(text: &mut String, title: &str, rows: &[Row], ratio: impl Fn(&Cell) -> Option<f64>) {
    let count = rows.first().map_or(0, |row| row.cells.len());
    let column = |place: usize| rows.iter().filter_map(move |row| row.cells[place]);
    let cells = (0..count).map(|place| or_dash(mean(column(place).filter_map(&ratio))));
    line(text, title, "", cells);
}

fn or_dash(ratio: Option<f64>) -> String {
    ratio.map_or("–".into(), times)
}

/// A ratio with the digits that are significant. It is rounded so that neither 0.999 nor 9.99 looks larger than it is.
pub(super) fn times(ratio: f64) -> String {
    match ratio {
        ..1.0 => format!("{:.2}", (ratio * 100.0).floor() / 100.0),
        1.0..9.95 => format!("{ratio:.1}"),
        _ => format!("{ratio:.0}"),
    }
}

/// A speed with the digits that are significant.
fn digits(speed: f64) -> String {
    match speed {
        ..0.1 => format!("{speed:.3}"),
        0.1..9.95 => format!("{speed:.2}"),
        _ => format!("{speed:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench_report::figures::tests::{LINES, LOWER};

    #[test]
    fn a_cell_names_the_best_peer_and_is_bold_below_one() {
        let report = report(&Figures::parse_levels(LINES).unwrap());
        let has = |line: &str| assert!(report.lines().any(|other| other == line), "{line}\n{report}");
        has("| Big5 | text | **0.50 encoding_rs fast, 2.00 GB/s, 40** | – |");
        has("| Big5 | HTML | – | 2.0 encoding_rs, 2.00 GB/s |");
        has("| Every encoding | 2 | 1.0 | 8.9 | 1 |");
        has("- Big5: text e8 0.50 encoding_rs fast");
    }

    #[test]
    fn a_lower_level_is_compared_with_all_peers() {
        let report = report(&Figures::parse_levels(&[LINES, LOWER].concat()).unwrap());
        let (_, lower) = report.split_once("## Every encoding, level Avx2").unwrap();
        assert!(lower.contains("| UTF-8 en | text | **0.80 simdutf, 1.00 GB/s, 2.0** |"), "{lower}");
        assert!(report.contains("| Avx2 | UTF-8 and UTF-16 | 1 | 0.80 | 2.0 | 1 |"), "{report}");
    }
}
