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
contestants run alternately in one process, and each figure is a median of processor time. Texts are sentences in a random
order, which branch predictors cannot learn, unless a table says otherwise.

Each cell has three parts: the speed of textcodec divided by the speed of its fastest peer, with the name of that peer; the
speed of textcodec in GB/s of the source, or its time in nanoseconds; and, if the fastest peer is not encoding_rs, the ratio to
encoding_rs. A **bold** cell is below 1: the peer is faster. A `*` marks a peer that converts the whole text, but with a result
that differs from the Standard's. A peer that does not convert the whole text is left out.

`encoding_rs fast` is encoding_rs built with `fast-legacy-encode`, measured in a process of its own. simdutf, simdutf8 and std
convert UTF-8 and UTF-16 only; simdutf also converts ASCII in any encoding. iconv, simdutf and simdutf8 stop at an error, so
they do not take part in the table of malformed input. ICU and iconv reuse their converters.
";

/// The text of the report.
pub(super) fn report(figures: &Figures) -> String {
    let mut text = String::from("<!-- Written by `cargo xtask bench-report`. -->\n\n# textcodec beside its peers\n\n");
    text.push_str("| | |\n| --- | --- |\n");
    for (name, value) in &figures.facts {
        let _ = writeln!(text, "| {name} | {value} |");
    }
    let _ = writeln!(text, "\n{INTRODUCTION}");
    text.push_str("![How many times as fast as the best peer, as a map of colours](report.svg)\n\n");
    summary(&mut text, figures);
    for (table, title, kind) in RATES {
        section(&mut text, figures, (table, title, kind), |cost| format!("{} GB/s", digits(1.0 / cost)));
    }
    for (table, title, kind) in DURATIONS {
        section(&mut text, figures, (table, title, kind), |cost| format!("{cost:.1} ns"));
    }
    levels(&mut text, figures);
    text
}

/// The means, and the cells below 1.
fn summary(text: &mut String, figures: &Figures) {
    text.push_str("## Summary\n\n");
    text.push_str("| | cells | × the best peer | × encoding_rs | below 1 |\n| --- | ---: | ---: | ---: | ---: |\n");
    for (table, title, _) in RATES.into_iter().chain(DURATIONS) {
        let best: Vec<f64> = figures.in_table(table).filter_map(|cell| Some(cell.best()?.ratio)).collect();
        if best.is_empty() {
            continue;
        }
        let theirs = figures.in_table(table).filter_map(|cell| Some(cell.of("encoding_rs")?.ratio));
        let below = best.iter().filter(|&&ratio| ratio < 1.0).count();
        let (count, mean_of_best, mean_of_theirs) = (best.len(), or_dash(mean(best)), or_dash(mean(theirs)));
        let _ = writeln!(text, "| {title} | {count} | {mean_of_best} | {mean_of_theirs} | {below} |");
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

/// The lower levels beside encoding_rs: a row for each text, and for the scalar level the means only.
fn levels(text: &mut String, figures: &Figures) {
    let (columns, rows) = figures.table("encodings");
    let first = rows.iter().flat_map(|row| &row.cells).flatten().next();
    let names = first.into_iter().flat_map(|cell| cell.standings.iter().skip(1)).map(|standing| &standing.name[..]);
    for name in names.filter(|name| name.starts_with("textcodec ")) {
        begin(text, &format!("{name} beside encoding_rs"), "text", &columns);
        for row in rows.iter().filter(|_| !name.ends_with("Scalar")) {
            let ratios = row.cells.iter().map(|cell| cell.and_then(|cell| cell.beside_encoding_rs(name)));
            let cells = ratios.map(|ratio| match ratio {
                Some(ratio) if ratio < 1.0 => format!("**{}**", times(ratio)),
                _ => or_dash(ratio),
            });
            line(text, row.name, row.kind, cells);
        }
        means(text, "mean", &rows, |cell| cell.beside_encoding_rs(name));
    }
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
    use crate::bench_report::figures::tests::LINES;

    #[test]
    fn a_cell_names_the_best_peer_and_is_bold_below_one() {
        let report = report(&Figures::parse(LINES).unwrap());
        let has = |line: &str| assert!(report.lines().any(|other| other == line), "{line}\n{report}");
        has("| Big5 | text | **0.50 encoding_rs fast, 2.00 GB/s, 40** | – |");
        has("| Big5 | HTML | – | 2.0 encoding_rs, 2.00 GB/s |");
        has("| Every encoding | 2 | 1.0 | 8.9 | 1 |");
        has("- Big5: text e8 0.50 encoding_rs fast");
    }

    #[test]
    fn a_lesser_level_is_compared_with_encoding_rs() {
        let report = report(&Figures::parse(LINES).unwrap());
        let (_, levels) = report.split_once("## textcodec Avx2 beside encoding_rs").unwrap();
        assert!(levels.contains("| Big5 | text | 20 | – |"), "{levels}");
    }
}
