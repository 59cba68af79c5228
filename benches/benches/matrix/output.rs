//! Prints the figures: as tables in Markdown, or one line for each figure.

use std::time::Instant;

use textcodec_benches::{GeometricMean, Standing, best_peer, duration, print_row, rate, times};

/// The unit of a figure.
#[derive(Clone, Copy)]
pub(crate) enum Unit {
    /// GB/s of the source.
    Rate,
    /// Nanoseconds.
    Duration,
}

/// The tables, printed one after the other.
pub(crate) struct Output {
    tsv: bool,
    start: Instant,
    table: &'static str,
    unit: Unit,
    titles: Vec<String>,
    means: Vec<GeometricMean>,
}

impl Output {
    pub(crate) fn new(tsv: bool) -> Self {
        Output { tsv, start: Instant::now(), table: "", unit: Unit::Rate, titles: vec![], means: vec![] }
    }

    /// Prints a fact that concerns all tables.
    pub(crate) fn fact(&self, name: &str, value: &str) {
        if self.tsv {
            println!("fact\t{name}\t{value}");
        } else {
            println!("{name}: {value}");
        }
    }

    /// Begins a table with these titles of columns.
    pub(crate) fn begin(&mut self, table: &'static str, title: &str, unit: Unit, titles: Vec<String>) {
        (self.table, self.unit) = (table, unit);
        self.means = vec![GeometricMean::default(); titles.len()];
        if !self.tsv {
            println!("\n## {title}\n");
            let all = ["", ""].into_iter().chain(titles.iter().map(String::as_str));
            print_row(&all.map(String::from).collect::<Vec<_>>());
            let marks = (0..titles.len() + 2).map(|place| if place < 2 { "---" } else { "---:" }.into());
            print_row(&marks.collect::<Vec<_>>());
        }
        self.titles = titles;
    }

    /// Prints a row; a cell that does not exist is `None`. The cells are measured here, while they are printed, so that
    /// the progress is visible.
    pub(crate) fn row(&mut self, name: &str, kind: &str, cells: impl Iterator<Item = Option<Vec<Standing>>>) {
        if self.tsv {
            eprintln!("{:4.0} s  {}: {name} {kind}", self.start.elapsed().as_secs_f64(), self.table);
        }
        let mut row = vec![name.to_owned(), kind.to_owned()];
        for (place, cell) in cells.enumerate() {
            let Some(standings) = cell else {
                row.push("–".into());
                continue;
            };
            if let Some(best) = best_peer(&standings) {
                self.means[place].push(best.ratio);
            }
            if self.tsv {
                self.print_lines(name, kind, &self.titles[place], &standings);
            }
            row.push(match self.unit {
                Unit::Rate => rate(&standings),
                Unit::Duration => duration(&standings),
            });
        }
        if !self.tsv {
            print_row(&row);
        }
    }

    fn print_lines(&self, name: &str, kind: &str, title: &str, standings: &[Standing]) {
        for Standing { name: who, is_peer, cost, ratio, is_exact } in standings {
            let (is_peer, is_exact) = (u8::from(*is_peer), u8::from(*is_exact));
            println!(
                "cell\t{}\t{name}\t{kind}\t{title}\t{who}\t{is_peer}\t{is_exact}\t{cost:.6}\t{ratio:.6}",
                self.table
            );
        }
    }

    /// Ends the table with a row of means.
    pub(crate) fn end(&self) {
        if self.tsv {
            return;
        }
        let mean = |mean: &GeometricMean| mean.mean().map_or("–".into(), times);
        let mut row = vec!["geometric mean".into(), String::new()];
        row.extend(self.means.iter().map(|one| format!("({})", mean(one))));
        print_row(&row);
        let all = self.means.iter().copied().fold(GeometricMean::default(), GeometricMean::and);
        println!("\nGeometric mean of all {} ratios: {}. Below 1: {}.", all.count(), mean(&all), all.below());
    }
}
