//! The figures of the benchmark, parsed from its lines, and the ratios that follow from them.

use anyhow::{Context, Result, bail};

/// The result of one contestant in a cell.
#[derive(Debug)]
pub(super) struct Standing {
    pub(super) name: String,
    /// Whether the contestant counts as a peer.
    is_peer: bool,
    /// Whether the result equals the Standard's.
    pub(super) is_exact: bool,
    /// Nanoseconds for each byte of the source, or for each call.
    pub(super) cost: f64,
    /// The time divided by textcodec's time.
    pub(super) ratio: f64,
}

/// A cell: one operation on one text. textcodec is the first of `standings`.
#[derive(Debug)]
pub(super) struct Cell {
    pub(super) table: String,
    pub(super) row: String,
    pub(super) kind: String,
    pub(super) column: String,
    pub(super) standings: Vec<Standing>,
}

impl Cell {
    /// The fastest peer.
    pub(super) fn best(&self) -> Option<&Standing> {
        let peers = self.standings.iter().filter(|standing| standing.is_peer);
        peers.min_by(|a, b| a.ratio.total_cmp(&b.ratio))
    }

    pub(super) fn of(&self, name: &str) -> Option<&Standing> {
        self.standings.iter().find(|standing| standing.name == name)
    }
}

#[derive(Debug)]
pub(super) struct Figures {
    pub(super) facts: Vec<(String, String)>,
    pub(super) cells: Vec<Cell>,
}

impl Figures {
    /// The figures of each level, the highest level first. A line `level` begins the figures of the next level.
    pub(super) fn parse_levels(lines: &str) -> Result<Vec<Self>> {
        let mut parts = vec![String::new()];
        for line in lines.lines() {
            match line.strip_prefix("level\t") {
                Some(_) => parts.push(String::new()),
                None => parts.iter_mut().last().into_iter().for_each(|part| part.extend([line, "\n"])),
            }
        }
        parts.iter().map(|part| Self::parse(part)).collect()
    }

    /// The level of textcodec's kernels.
    pub(super) fn level(&self) -> &str {
        self.fact("level").unwrap_or("unknown")
    }

    /// Parses the lines of one level. If a cell occurs again, from another build, its peers are added to the cell,
    /// and a fact that occurs again is not repeated.
    pub(super) fn parse(lines: &str) -> Result<Self> {
        let mut figures = Figures { facts: vec![], cells: vec![] };
        for line in lines.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            match fields[..] {
                ["fact", name, value] => {
                    if figures.fact(name).is_none() {
                        figures.facts.push((name.into(), value.into()));
                    }
                }
                ["cell", table, row, kind, column, name, is_peer, is_exact, cost, ratio] => {
                    let number = |text: &str| text.parse::<f64>().with_context(|| format!("not a number: {text}"));
                    let standing = Standing {
                        name: name.into(),
                        is_peer: is_peer == "1",
                        is_exact: is_exact == "1",
                        cost: number(cost)?,
                        ratio: number(ratio)?,
                    };
                    figures.push([table, row, kind, column], standing);
                }
                _ => bail!("not a figure: {line}"),
            }
        }
        Ok(figures)
    }

    fn push(&mut self, place: [&str; 4], standing: Standing) {
        let is_here = |cell: &&mut Cell| [&cell.table, &cell.row, &cell.kind, &cell.column].into_iter().eq(place);
        match self.cells.iter_mut().rev().find(is_here) {
            Some(cell) if cell.of(&standing.name).is_none() => cell.standings.push(standing),
            // A second figure of a contestant in the same cell, which is textcodec's in the other build, is dropped.
            Some(_) => {}
            None => {
                let [table, row, kind, column] = place.map(String::from);
                self.cells.push(Cell { table, row, kind, column, standings: vec![standing] });
            }
        }
    }

    pub(super) fn fact(&self, name: &str) -> Option<&str> {
        self.facts.iter().find(|(fact, _)| fact == name).map(|(_, value)| &value[..])
    }

    pub(super) fn in_table(&self, table: &str) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(move |cell| cell.table == table)
    }
}

/// The geometric mean; `None` if there are no values.
pub(super) fn mean(ratios: impl IntoIterator<Item = f64>) -> Option<f64> {
    let logarithms: Vec<f64> = ratios.into_iter().map(f64::ln).collect();
    (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Lines of two builds.
    pub(crate) const LINES: &str = "\
fact\tlevel\tAvx512
cell\tencodings\tBig5\ttext\te8\ttextcodec Avx512\t0\t1\t0.5\t1
cell\tencodings\tBig5\ttext\te8\tencoding_rs\t1\t1\t20\t40
cell\tencodings\tBig5\ttext\te8\tICU\t1\t0\t0.4\t0.8
cell\tencodings\tBig5\tHTML\te16\ttextcodec Avx512\t0\t1\t0.5\t1
cell\tencodings\tBig5\tHTML\te16\tencoding_rs\t1\t1\t1\t2
fact\tlevel\tAvx512
cell\tencodings\tBig5\ttext\te8\ttextcodec Avx512\t0\t1\t0.6\t1
cell\tencodings\tBig5\ttext\te8\tencoding_rs fast\t1\t1\t0.3\t0.5
";

    /// Lines of a lower level.
    pub(crate) const LOWER: &str = "\
level\tAvx2
fact\tlevel\tAvx2
cell\tencodings\tUTF-8 en\ttext\td16\ttextcodec Avx2\t0\t1\t1\t1
cell\tencodings\tUTF-8 en\ttext\td16\tencoding_rs\t1\t1\t2\t2
cell\tencodings\tUTF-8 en\ttext\td16\tsimdutf\t1\t1\t0.8\t0.8
";

    #[test]
    fn a_second_build_adds_a_peer() {
        let figures = Figures::parse(LINES).unwrap();
        assert_eq!((figures.facts.len(), figures.cells.len()), (1, 2));
        let cell = &figures.cells[0];
        assert_eq!(cell.best().unwrap().name, "encoding_rs fast");
        assert_eq!(cell.standings[0].cost, 0.5);
    }

    #[test]
    fn each_level_has_figures_of_its_own() {
        let levels = Figures::parse_levels(&[LINES, LOWER].concat()).unwrap();
        assert_eq!(
            levels.iter().map(|figures| (figures.level(), figures.cells.len())).collect::<Vec<_>>(),
            [("Avx512", 2), ("Avx2", 1)]
        );
    }

    #[test]
    fn the_mean_of_twice_and_half_is_one() {
        assert!((mean([4.0, 0.25]).unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(mean([]), None);
    }
}
