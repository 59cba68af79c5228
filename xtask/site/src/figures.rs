//! The tables of all figures: of the benchmark, and of the instructions of NEON. They are drawn from tab-separated
//! values, which `cargo xtask bench-report` and `benches/neon/report` write.

use std::fmt::Write as _;

use anyhow::{Context, Result, ensure};

use crate::Site;

/// The tables of `benches/report`, as Markdown: a table to open for each subject and level.
pub(crate) fn of_report(site: &Site<'_>) -> Result<String> {
    let [tables, means] = ["tables", "means"].map(|name| rows(site, &format!("benches/report/{name}.tsv")));
    let mut text = String::from(
        "\n## How to read the following tables\n\nEach cell has three parts: the speed of textcodec divided by the speed of its \
         fastest peer, with the name of that peer; the speed of textcodec in GB/s of the source, or its time in nanoseconds; \
         and, if the fastest peer is not encoding_rs, the ratio to encoding_rs. A **bold** cell is below 1: the peer is faster. \
         A \\* marks a peer that converts the whole text, but with a result that differs from the Standard's.\n",
    );
    let means = means?;
    for table in tables? {
        let [name, title, kind, unit] = fields(&table)?;
        let cells = rows(site, &format!("benches/report/{name}.tsv"))?;
        let mut levels: Vec<&str> = cells.iter().map(|cell| &cell[0][..]).collect();
        levels.dedup();
        for level in levels {
            let mut drawn = Table::new();
            for cell in cells.iter().filter(|cell| cell[0] == level) {
                let [_, row, kind, column, peer, exact, best, encoding_rs, own] = fields(cell)?;
                drawn.put(&[row, kind], column, &beside_best(best, peer, exact, encoding_rs, &format!("{own} {unit}")));
            }
            for (title, place) in [("mean × the best peer", 5), ("mean × encoding_rs", 6)] {
                let of_column = |mean: &&Vec<String>| mean[0] == name && mean[1] == level && !mean[3].is_empty();
                for mean in means.iter().filter(of_column) {
                    drawn.put(&[title, ""], &mean[3], &mean[place]);
                }
            }
            let _ = write!(text, "{}", folded(&format!("{title}, level {level}"), &drawn.to_markdown(&["", kind])));
        }
    }
    Ok(text)
}

/// The figures of `benches/neon`, as Markdown.
pub(crate) fn of_neon(site: &Site<'_>) -> Result<String> {
    let mut drawn = Table::new();
    for row in rows(site, "benches/neon/figures.tsv")? {
        let [encoding, kind, operation, measure, own, peer, beside] = fields(&row)?;
        let is_below = measure != "wrong" && beside.parse::<f64>().is_ok_and(|ratio| ratio < 1.0);
        let cell = match (peer.is_empty(), is_below) {
            (true, _) => own.to_owned(),
            (false, false) => format!("{own} ({beside} {peer})"),
            (false, true) => format!("{own} (**{beside} {peer}**)"),
        };
        drawn.put(&[encoding, kind, operation], measure, &cell);
    }
    let head = "\n## All figures\n\nThe instructions and the predicted cycles of textcodec for each byte, and in parentheses the \
                ratio of the best peer; wrong guesses for each 1000 bytes, and in parentheses the fewest of a peer.\n\n";
    Ok(head.to_owned() + &drawn.to_markdown(&["encoding", "text", ""]))
}

/// A table that opens when its title is clicked.
fn folded(title: &str, table: &str) -> String {
    format!("\n<details><summary>{title}</summary>\n\n{table}\n</details>\n")
}

/// The text of a cell.
fn beside_best(best: &str, peer: &str, exact: &str, encoding_rs: &str, own: &str) -> String {
    if best.is_empty() {
        return own.to_owned();
    }
    let star = if exact == "no" { "\\*" } else { "" };
    let mut text = format!("{best} {peer}{star}, {own}");
    if peer != "encoding_rs" && !encoding_rs.is_empty() {
        let _ = write!(text, ", {encoding_rs}");
    }
    if best.parse::<f64>().is_ok_and(|ratio| ratio < 1.0) { format!("**{text}**") } else { text }
}

/// A table in which rows and columns stand in the order of their first cells.
struct Table {
    columns: Vec<String>,
    rows: Vec<(Vec<String>, Vec<Option<String>>)>,
}

impl Table {
    fn new() -> Self {
        Table { columns: vec![], rows: vec![] }
    }

    fn put(&mut self, row: &[&str], column: &str, cell: &str) {
        let place = self.columns.iter().position(|other| other == column).unwrap_or_else(|| {
            self.columns.push(column.to_owned());
            self.columns.len() - 1
        });
        if self.rows.last().is_none_or(|(name, _)| name != row) {
            self.rows.push((row.iter().map(|&part| part.to_owned()).collect(), vec![]));
        }
        let Some((_, cells)) = self.rows.last_mut() else { return };
        cells.resize(cells.len().max(place + 1), None);
        cells[place] = Some(cell.to_owned());
    }

    /// The table with `titles` over the columns that name a row.
    fn to_markdown(&self, titles: &[&str]) -> String {
        let columns = &self.columns;
        let mut text = format!("| {} | {} |\n", titles.join(" | "), columns.join(" | "));
        text += &format!("|{}{}\n", " --- |".repeat(titles.len()), " ---: |".repeat(columns.len()));
        for (name, cells) in &self.rows {
            let cell = |place: usize| cells.get(place).and_then(Option::as_deref).filter(|cell| !cell.is_empty());
            let cells: Vec<&str> = (0..columns.len()).map(|place| cell(place).unwrap_or("–")).collect();
            text += &format!("| {} | {} |\n", name.join(" | "), cells.join(" | "));
        }
        text
    }
}

/// The rows of a file below its head.
pub(crate) fn rows(site: &Site<'_>, path: &str) -> Result<Vec<Vec<String>>> {
    let text = site.read(path)?;
    let rows: Vec<Vec<String>> = text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect();
    let (head, rows) = rows.split_first().with_context(|| format!("{path} is empty"))?;
    ensure!(rows.iter().all(|row| row.len() == head.len()), "{path} has a row with other columns than its head");
    Ok(rows.to_vec())
}

fn fields<const COUNT: usize>(row: &[String]) -> Result<[&str; COUNT]> {
    let fields: Vec<&str> = row.iter().map(String::as_str).collect();
    fields.try_into().ok().with_context(|| format!("not {COUNT} columns: {}", row.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_names_the_best_peer_and_is_bold_below_one() {
        assert_eq!(beside_best("33", "ICU", "no", "39", "19 GB/s"), "33 ICU\\*, 19 GB/s, 39");
        assert_eq!(beside_best("0.98", "encoding_rs", "yes", "0.98", "83 GB/s"), "**0.98 encoding_rs, 83 GB/s**");
        assert_eq!(beside_best("", "", "", "", "2 ns"), "2 ns");
    }

    #[test]
    fn a_cell_that_was_not_measured_is_a_dash() {
        let mut table = Table::new();
        table.put(&["Big5"], "e8", "1");
        table.put(&["GBK"], "e16", "2");
        assert_eq!(
            table.to_markdown(&[""]),
            "|  | e8 | e16 |\n| --- | ---: | ---: |\n| Big5 | 1 | – |\n| GBK | – | 2 |\n"
        );
    }
}
