//! The figures as the project keeps them: tables of tab-separated values in `benches/report`, with the digits that are
//! significant. The report, the picture and the site are drawn from them.

use std::path::Path;

use anyhow::Result;

use super::figures::{self, Figures, mean};
use crate::files::{self, GeneratedFile};

/// The folder of the files, relative to the project's root.
const FOLDER: &str = "benches/report";

/// A table of the benchmark.
pub(super) struct Table {
    /// The benchmark's name, which is also the name of the file.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// The title of the second column.
    pub(super) kind: &'static str,
    /// The unit of textcodec's own figure: "GB/s" or "ns".
    pub(super) unit: &'static str,
}

const fn rates(name: &'static str, title: &'static str, kind: &'static str) -> Table {
    Table { name, title, kind, unit: "GB/s" }
}

const fn durations(name: &'static str, title: &'static str, kind: &'static str) -> Table {
    Table { name, title, kind, unit: "ns" }
}

pub(super) const TABLES: [Table; 10] = [
    rates("encodings", "Every encoding", "text"),
    rates("ascii", "ASCII in some encodings", "text"),
    rates("warm", "20 KiB again and again, which branch predictors can learn", "text"),
    rates("malformed", "Malformed input", ""),
    rates("lacking", "Unmappable characters, as character references", ""),
    durations("short", "Short inputs, a decoder or encoder made for each", "operation"),
    durations("one-shot", "Short inputs, to a string or bytes of their own", "operation"),
    durations("stream", "Short pieces of a stream", "operation"),
    durations("making", "Making a decoder or an encoder", ""),
    durations("labels", "Looking a label up", ""),
];

/// The heads of the files. The head of a table ends with textcodec's own figure, whose unit differs.
const FACTS: [&str; 2] = ["fact", "value"];
const TITLES: [&str; 4] = ["table", "title", "kind", "unit"];
const MEANS: [&str; 8] = ["table", "level", "texts", "column", "cells", "best peer", "encoding_rs", "below 1"];
const INTERFACE: [&str; 6] = ["table", "cells", "time", "greatest time", "encoding_rs", "below 1"];
const CELLS: [&str; 9] = ["level", "row", "kind", "column", "peer", "exact", "best peer", "encoding_rs", "own"];

/// The means of several cells: of all of a table, of all texts in UTF-8 and UTF-16, or of a column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mean {
    pub(super) table: String,
    pub(super) level: String,
    /// What the names of the rows begin with.
    pub(super) texts: String,
    /// Empty for all columns.
    pub(super) column: String,
    pub(super) cells: String,
    pub(super) best: String,
    pub(super) encoding_rs: String,
    pub(super) below: String,
}

/// The figures of the interface of encoding_rs over textcodec in a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Interface {
    pub(super) table: String,
    pub(super) cells: String,
    pub(super) time: String,
    pub(super) greatest: String,
    pub(super) encoding_rs: String,
    pub(super) below: String,
}

/// One operation on one text, at one level.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) table: String,
    pub(super) level: String,
    pub(super) row: String,
    pub(super) kind: String,
    pub(super) column: String,
    /// The fastest peer; empty if there is none.
    pub(super) peer: String,
    /// "no" if the result of the peer differs from the Standard's.
    pub(super) exact: String,
    /// The speed of textcodec divided by the speed of the fastest peer, and by the speed of encoding_rs; empty if there
    /// is none.
    pub(super) best: String,
    pub(super) encoding_rs: String,
    /// textcodec's speed or time.
    pub(super) own: String,
}

impl Cell {
    /// The ratio to the best peer as a number.
    pub(super) fn ratio(&self) -> Option<f64> {
        self.best.parse().ok()
    }

    pub(super) fn is_below_one(&self) -> bool {
        self.ratio().is_some_and(|ratio| ratio < 1.0)
    }
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct Data {
    pub(super) facts: Vec<(String, String)>,
    pub(super) means: Vec<Mean>,
    pub(super) interface: Vec<Interface>,
    pub(super) cells: Vec<Cell>,
}

/// The fact with the speed of a plain copy.
pub(super) const COPY: &str = "memcpy in GB/s";

/// The name of the package with the interface of encoding_rs over textcodec.
const COMPATIBLE: &str = "textcodec-encoding-rs";

impl Data {
    /// The figures of each level, the highest level first.
    pub(super) fn of(levels: &[Figures]) -> Self {
        let mut data = Self::default();
        let Some(best) = levels.first() else { return data };
        data.facts.clone_from(&best.facts);
        let copies = best.in_table("encodings").filter_map(|cell| Some(1.0 / cell.of("memcpy")?.cost));
        if let Some(copy) = mean(copies) {
            data.facts.push((COPY.into(), digits(copy)));
        }
        for table in &TABLES {
            for figures in levels {
                data.cells.extend(figures.in_table(table.name).map(|cell| Cell::of(cell, figures, table)));
                data.means.extend(means(figures, table.name));
            }
        }
        data.interface = TABLES.iter().filter_map(|table| Interface::of(best, table.name)).collect();
        data
    }

    /// The files that keep these figures.
    pub(super) fn files(&self) -> Vec<GeneratedFile> {
        let mut files = vec![
            file("facts", &FACTS, self.facts.iter().map(|(name, value)| vec![&name[..], value])),
            file("tables", &TITLES, TABLES.iter().map(|table| vec![table.name, table.title, table.kind, table.unit])),
            file("means", &MEANS, self.means.iter().map(Mean::fields)),
            file("interface", &INTERFACE, self.interface.iter().map(Interface::fields)),
        ];
        for table in &TABLES {
            files.push(file(table.name, &head(table), self.in_table(table.name).map(Cell::fields)));
        }
        files
    }

    /// The figures of the files.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let mut data = Self::default();
        for [name, value] in files::rows(root, &path("facts"), &FACTS)? {
            data.facts.push((name, value));
        }
        for [table, level, texts, column, cells, best, encoding_rs, below] in files::rows(root, &path("means"), &MEANS)?
        {
            data.means.push(Mean { table, level, texts, column, cells, best, encoding_rs, below });
        }
        for [table, cells, time, greatest, encoding_rs, below] in files::rows(root, &path("interface"), &INTERFACE)? {
            data.interface.push(Interface { table, cells, time, greatest, encoding_rs, below });
        }
        for table in &TABLES {
            for [level, row, kind, column, peer, exact, best, encoding_rs, own] in
                files::rows(root, &path(table.name), &head(table))?
            {
                let table = table.name.to_owned();
                data.cells.push(Cell { table, level, row, kind, column, peer, exact, best, encoding_rs, own });
            }
        }
        Ok(data)
    }

    pub(super) fn fact(&self, name: &str) -> Option<&str> {
        self.facts.iter().find(|(fact, _)| fact == name).map(|(_, value)| &value[..])
    }

    /// The highest level of textcodec's kernels that was measured.
    pub(super) fn level(&self) -> &str {
        self.fact("level").unwrap_or("unknown")
    }

    /// The cells of a table, at all levels.
    fn in_table(&self, table: &str) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(move |cell| cell.table == table)
    }

    /// The cells of the table of every encoding at the highest level.
    pub(super) fn of_encodings(&self) -> impl Iterator<Item = &Cell> {
        self.in_table("encodings").filter(|cell| cell.level == self.level())
    }
}

impl Cell {
    fn of(cell: &figures::Cell, figures: &Figures, table: &Table) -> Self {
        let cost = cell.standings[0].cost;
        let best = cell.best();
        Cell {
            table: table.name.into(),
            level: figures.level().into(),
            row: cell.row.clone(),
            kind: cell.kind.clone(),
            column: cell.column.clone(),
            peer: best.map_or(String::new(), |best| best.name.clone()),
            exact: best.map_or("", |best| if best.is_exact { "yes" } else { "no" }).into(),
            best: best.map_or(String::new(), |best| times(best.ratio)),
            encoding_rs: cell.of("encoding_rs").map_or(String::new(), |theirs| times(theirs.ratio)),
            own: if table.unit == "ns" { format!("{cost:.1}") } else { digits(1.0 / cost) },
        }
    }

    fn fields(&self) -> Vec<&str> {
        vec![
            &self.level,
            &self.row,
            &self.kind,
            &self.column,
            &self.peer,
            &self.exact,
            &self.best,
            &self.encoding_rs,
            &self.own,
        ]
    }
}

impl Mean {
    /// The means of the cells of a table whose rows begin with `texts`, and which are in `column` unless it is empty.
    fn of(figures: &Figures, table: &str, texts: &str, column: &str) -> Option<Self> {
        let is_here = |cell: &&figures::Cell| {
            cell.row.starts_with(texts) && (column.is_empty() || cell.column == column) && cell.best().is_some()
        };
        let cells: Vec<&figures::Cell> = figures.in_table(table).filter(is_here).collect();
        let best: Vec<f64> = cells.iter().filter_map(|cell| Some(cell.best()?.ratio)).collect();
        let theirs = cells.iter().filter_map(|cell| Some(cell.of("encoding_rs")?.ratio));
        Some(Mean {
            table: table.into(),
            level: figures.level().into(),
            texts: texts.into(),
            column: column.into(),
            cells: best.len().to_string(),
            below: best.iter().filter(|&&ratio| ratio < 1.0).count().to_string(),
            best: times(mean(best)?),
            encoding_rs: mean(theirs).map_or(String::new(), times),
        })
    }

    fn fields(&self) -> Vec<&str> {
        vec![
            &self.table,
            &self.level,
            &self.texts,
            &self.column,
            &self.cells,
            &self.best,
            &self.encoding_rs,
            &self.below,
        ]
    }
}

/// The means of a table: of all cells, of UTF-8 and UTF-16, which have the strongest peers, and of each column.
fn means(figures: &Figures, table: &str) -> Vec<Mean> {
    let mut columns: Vec<&str> = vec![];
    for cell in figures.in_table(table) {
        if !columns.contains(&&cell.column[..]) {
            columns.push(&cell.column);
        }
    }
    let of_utf = (table == "encodings").then_some(("UTF-", ""));
    let places = [("", "")].into_iter().chain(of_utf).chain(columns.iter().map(|&column| ("", column)));
    places.filter_map(|(texts, column)| Mean::of(figures, table, texts, column)).collect()
}

impl Interface {
    fn of(figures: &Figures, table: &str) -> Option<Self> {
        let costs: Vec<f64> = figures.in_table(table).filter_map(|cell| Some(cell.of(COMPATIBLE)?.ratio)).collect();
        let greatest = costs.iter().copied().reduce(f64::max)?;
        let beside: Vec<f64> = figures
            .in_table(table)
            .filter_map(|cell| Some(cell.of("encoding_rs")?.ratio / cell.of(COMPATIBLE)?.ratio))
            .collect();
        Some(Interface {
            table: table.into(),
            cells: costs.len().to_string(),
            time: format!("{:.2}", mean(costs)?),
            greatest: format!("{greatest:.2}"),
            below: beside.iter().filter(|&&ratio| ratio < 1.0).count().to_string(),
            encoding_rs: mean(beside).map_or(String::new(), times),
        })
    }

    fn fields(&self) -> Vec<&str> {
        vec![&self.table, &self.cells, &self.time, &self.greatest, &self.encoding_rs, &self.below]
    }
}

/// The head of the file of a table.
fn head(table: &Table) -> [&'static str; 9] {
    let [rest @ .., _] = CELLS;
    let [level, row, kind, column, peer, exact, best, encoding_rs] = rest;
    [level, row, kind, column, peer, exact, best, encoding_rs, table.unit]
}

fn path(name: &str) -> String {
    format!("{FOLDER}/{name}.tsv")
}

/// A file with a head and rows.
fn file<'a>(name: &str, head: &[&str], rows: impl Iterator<Item = Vec<&'a str>>) -> GeneratedFile {
    GeneratedFile { path: path(name), text: files::tab_separated(head, rows) }
}

/// A ratio with the digits that are significant. It is rounded so that neither 0.999 nor 9.99 looks larger than it is.
fn times(ratio: f64) -> String {
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
pub(super) mod tests {
    use super::*;
    use crate::bench_report::figures::tests::{LINES, LOWER};

    /// The data of two levels.
    pub(crate) fn data() -> Data {
        Data::of(&Figures::parse_levels(&[LINES, LOWER].concat()).unwrap())
    }

    #[test]
    fn a_cell_keeps_the_best_peer_and_the_ratio_to_encoding_rs() {
        let data = data();
        let cell = &data.cells[0];
        assert_eq!((&cell.peer[..], &cell.best[..], &cell.encoding_rs[..]), ("encoding_rs fast", "0.50", "40"));
        assert_eq!((&cell.own[..], &cell.exact[..]), ("2.00", "yes"));
    }

    #[test]
    fn means_are_those_of_all_cells_and_of_each_column() {
        let data = data();
        let fields = |place: usize| data.means[place].fields().join(" ");
        assert_eq!(fields(0), "encodings Avx512   2 1.0 8.9 1");
        assert_eq!(fields(1), "encodings Avx512  e8 1 0.50 40 1");
        assert!(data.means.iter().any(|mean| mean.fields().join(" ") == "encodings Avx2 UTF-  1 0.80 2.0 1"));
    }

    #[test]
    fn what_is_written_is_read() {
        let root = tempfile::tempdir().unwrap();
        let data = data();
        for file in data.files() {
            files::ensure_file_contents(&root.path().join(file.path), &file.text, false).unwrap();
        }
        assert_eq!(Data::read(root.path()).unwrap(), data);

        files::ensure_file_contents(&root.path().join(path("facts")), "fact\tvalue\na\tb\tc\n", false).unwrap();
        assert!(Data::read(root.path()).unwrap_err().to_string().contains("without 2 columns: a\tb\tc"));
    }
}
