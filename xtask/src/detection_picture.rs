//! A picture and a page of tables: how often the detector and its peers are right.

use std::{collections::BTreeSet, fmt::Write as _, path::Path};

use anyhow::{Context, Result, ensure};

use crate::{bench_report::svg::text, files};

/// The figures, which `crates/detect/peers/run` measures, and the columns of the table.
const FIGURES: &str = "crates/detect/peers/results.tsv";
const HEAD: [&str; 6] = ["detector", "set", "bytes", "right", "all", "microseconds"];

/// The picture, and the page of tables.
const PICTURE: &str = "docs/detection.svg";
const PAGE: &str = "docs/detection-peers.md";

/// The start of the page.
const INTRODUCTION: &str = "<!-- Written by `cargo xtask detection-picture` from crates/detect/peers/results.tsv. -->

# Detectors beside each other

This page is for those who choose a detector of encodings. [The page about ours](detection.md) says how it works and
what it cannot know. `crates/detect/peers/run` measures all detectors with the same pieces of text and with the test
files of two projects. An answer is right if decoding with it gives the same text. charset-normalizer gets every fourth
piece.

![How often each detector is right, by the number of bytes](detection.svg)
";

/// The detectors, the most accurate first: the start of the name in the figures, the colour, which is readable on light
/// and dark pages, and the dashes of the line.
const DETECTORS: [(&str, &str, &str); 6] = [
    ("textcodec", "#2f81f7", ""),
    ("chardet ", "#b7791f", ""),
    ("chardetng", "#2e9b46", ""),
    ("charset-normalizer", "#d6409f", "6 3"),
    ("uchardet", "#9061f9", "6 3"),
    ("ICU", "#7d8590", "2 3"),
];

/// The panels of the picture: the title, and the sets whose pieces count together.
const PANELS: [(&str, &[&str]); 2] =
    [("plain text", &["corpora-txt-legacy", "manual-txt-legacy"]), ("HTML", &["corpora-html-legacy"])];

/// The sets of pieces and of files, with their titles in the page.
const SETS: [(&str, &str); 9] = [
    ("corpora, text, legacy", "corpora-txt-legacy"),
    ("corpora, HTML, legacy", "corpora-html-legacy"),
    ("corpora, text, Mac", "corpora-txt-mac"),
    ("corpora, UTF-8, cut at any byte", "corpora-mid-utf-8"),
    ("corpora, UTF-16 without a byte order mark", "corpora-txt-utf-16"),
    ("manual pages, legacy", "manual-txt-legacy"),
    ("manual pages, Mac", "manual-txt-mac"),
    ("files of chardet", "files-chardet"),
    ("files of charset-normalizer", "files-normalizer"),
];

/// The size in bytes of the pieces whose mean time is a row of the table.
const TIMED: usize = 640;

/// Sizes in pixels.
const MARGIN: usize = 20;
const TOP: usize = 92;
const PLOT: (usize, usize) = (380, 260);
const GAP: usize = 60;
const BELOW: usize = 46;

const STYLE: &str = "
  text { font-family: system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #1f2328; font-size: 13px }
  .card { fill: #ffffff } .grid { stroke: #d1d9e0; stroke-width: 1 } .note { font-size: 12px }
  .y { font-size: 12px; text-anchor: end } .x { font-size: 12px; text-anchor: middle }
  .title { font-size: 17px; font-weight: 600 } .head { font-weight: 600; text-anchor: middle }
  polyline { fill: none; stroke-linejoin: round; stroke-width: 2 } .ours { stroke-width: 3.5 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .card { fill: #0d1117 } .grid { stroke: #30363d }
  }
";

/// The answers of a detector about the pieces of one size of a set.
struct Cell {
    detector: String,
    set: String,
    /// The size in bytes; `None` for files of several sizes.
    size: Option<usize>,
    right: usize,
    all: usize,
    microseconds: f64,
}

/// Writes or checks the picture and the page.
pub(crate) fn generate(root: &Path, check: bool) -> Result<()> {
    let cells = read(root)?;
    for (path, contents) in [(PICTURE, picture(&cells)?), (PAGE, page(&cells))] {
        let is_current = files::ensure_file_contents(&root.join(path), &contents, check)?;
        ensure!(is_current || !check, "{path} is not made of {FIGURES}; run `cargo xtask detection-picture`");
    }
    Ok(())
}

fn read(root: &Path) -> Result<Vec<Cell>> {
    let cell = |[detector, set, size, right, all, microseconds]: [String; 6]| -> Result<Cell> {
        let size = if size == "-" { None } else { Some(size.parse()?) };
        Ok(Cell { detector, set, size, right: right.parse()?, all: all.parse()?, microseconds: microseconds.parse()? })
    };
    let rows = files::rows(root, FIGURES, &HEAD)?;
    rows.into_iter().map(|row| cell(row).with_context(|| format!("{FIGURES} has a row without numbers"))).collect()
}

/// The percentage of right answers among these cells. `None` without cells.
fn share<'a>(cells: impl Iterator<Item = &'a Cell>) -> Option<f64> {
    let (right, all) = cells.fold((0, 0), |(right, all), cell| (right + cell.right, all + cell.all));
    (all > 0).then(|| 100.0 * right as f64 / all as f64)
}

/// The text of the page.
fn page(cells: &[Cell]) -> String {
    let mut page = format!("{INTRODUCTION}\n{}", summary(cells));
    for (title, set) in SETS {
        let sizes: BTreeSet<usize> = cells.iter().filter(|cell| cell.set == set).filter_map(|cell| cell.size).collect();
        if sizes.is_empty() {
            continue;
        }
        let _ = write!(page, "\n## By bytes: {title}\n\n{}", head(cells));
        for size in sizes {
            let of_size = |cell: &&Cell| cell.set == set && cell.size == Some(size);
            row(&mut page, &size.to_string(), cells, of_size);
        }
    }
    page
}

/// The cells of a detector.
fn of<'a>(cells: &'a [Cell], detector: &'static str) -> impl Iterator<Item = &'a Cell> {
    cells.iter().filter(move |cell| cell.detector.starts_with(detector))
}

/// The head of a table.
fn head(cells: &[Cell]) -> String {
    let mut head = String::from("| percent right |");
    for (detector, ..) in DETECTORS {
        let _ = write!(head, " {} |", of(cells, detector).next().map_or(detector, |cell| &cell.detector));
    }
    head + "\n| --- |" + &" ---: |".repeat(DETECTORS.len()) + "\n"
}

/// Appends the row of a table with the shares of the cells that `is_in` the row.
fn row(table: &mut String, title: &str, cells: &[Cell], is_in: impl Fn(&&Cell) -> bool) {
    let number: usize = of(cells, DETECTORS[0].0).filter(&is_in).map(|cell| cell.all).sum();
    let _ = write!(table, "| {title} ({number}) |");
    for (detector, ..) in DETECTORS {
        let share = share(of(cells, detector).filter(&is_in));
        let _ = write!(table, " {} |", share.map_or("–".to_owned(), rounded));
    }
    table.push('\n');
}

/// The table of all sets, and of the times.
fn summary(cells: &[Cell]) -> String {
    let mut table = head(cells);
    for (title, set) in SETS {
        row(&mut table, title, cells, |cell| cell.set == set);
    }
    let _ = write!(table, "| µs for {TIMED} bytes |");
    for (detector, ..) in DETECTORS {
        let timed = of(cells, detector).filter(|cell| cell.set == "corpora-txt-legacy" && cell.size == Some(TIMED));
        let mean = timed.map(|cell| cell.microseconds).fold(0.0, f64::max);
        let _ = write!(table, " {mean:.0} |");
    }
    table.push('\n');
    table
}

/// A percentage with one decimal. Only all is 100.
fn rounded(share: f64) -> String {
    if share >= 100.0 { "100".to_owned() } else { format!("{:.1}", (share * 10.0).floor() / 10.0) }
}

/// The text of the picture.
fn picture(cells: &[Cell]) -> Result<String> {
    let is_drawn = |cell: &&Cell| PANELS.iter().any(|(_, sets)| sets.contains(&&cell.set[..]));
    let sizes: BTreeSet<usize> = cells.iter().filter(is_drawn).filter_map(|cell| cell.size).collect();
    ensure!(sizes.len() > 1, "{FIGURES} has pieces of one size only");
    let sizes: Vec<usize> = sizes.into_iter().collect();

    // For each panel and detector, the share for each size.
    let mut lines = Vec::new();
    for (panel, (_, sets)) in PANELS.iter().enumerate() {
        for (place, (detector, ..)) in DETECTORS.iter().enumerate() {
            let of = |size| {
                let of =
                    cells.iter().filter(move |cell| cell.detector.starts_with(detector) && cell.size == Some(size));
                share(of.filter(|cell| sets.contains(&&cell.set[..])))
            };
            let shares: Option<Vec<f64>> = sizes.iter().map(|&size| of(size)).collect();
            let shares = shares.with_context(|| format!("{FIGURES} lacks pieces of {detector}"))?;
            lines.push((panel, place, shares));
        }
    }
    let least = lines.iter().flat_map(|(.., shares)| shares).fold(100.0_f64, |least, share| least.min(*share));
    let least = 10 * (least / 10.0) as usize;

    let (plot_width, plot_height) = PLOT;
    let width = 2 * MARGIN + 24 + PANELS.len() * plot_width + (PANELS.len() - 1) * GAP;
    let height = TOP + plot_height + BELOW;
    let title = "How often the answer is right, by the number of bytes";
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\">\n<!-- Written by `cargo xtask detection-picture`. -->\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"card\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n"
    );
    text(&mut svg, "title", MARGIN, MARGIN + 14, title);
    let mut left = MARGIN;
    for (place, (detector, colour, dashes)) in DETECTORS.iter().enumerate() {
        let class = if place == 0 { " class=\"ours\"" } else { "" };
        let _ = writeln!(
            svg,
            "<polyline{class} points=\"{left},{y} {},{y}\" stroke=\"{colour}\" stroke-dasharray=\"{dashes}\"/>",
            left + 22,
            y = MARGIN + 32
        );
        text(&mut svg, "note", left + 28, MARGIN + 36, detector.trim_end());
        left += 60 + 7 * detector.len();
    }
    let left_of = |panel: usize| MARGIN + 24 + panel * (plot_width + GAP);
    let x = |panel: usize, place: usize| left_of(panel) + place * plot_width / (sizes.len() - 1);
    let y = |share: f64| TOP as f64 + (100.0 - share) / (100.0 - least as f64) * plot_height as f64;
    for (panel, (name, _)) in PANELS.iter().enumerate() {
        text(&mut svg, "head", left_of(panel) + plot_width / 2, TOP - 12, name);
        for percent in (least..=100).step_by(10) {
            let at = y(percent as f64);
            let (left, right) = (left_of(panel), left_of(panel) + plot_width);
            let _ = writeln!(svg, "<line class=\"grid\" x1=\"{left}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\"/>");
            text(&mut svg, "y", left - 6, at as usize + 4, &percent.to_string());
        }
        for (place, size) in sizes.iter().enumerate() {
            text(&mut svg, "x", x(panel, place), TOP + plot_height + 18, &size.to_string());
        }
    }
    text(
        &mut svg,
        "note",
        MARGIN,
        height - 10,
        "percent of pieces in legacy encodings without those of Mac OS, by bytes",
    );
    // The first detector is drawn last, over the others.
    for (panel, place, shares) in lines.iter().rev() {
        let (_, colour, dashes) = DETECTORS[*place];
        let points: Vec<String> =
            shares.iter().enumerate().map(|(at, share)| format!("{},{:.1}", x(*panel, at), y(*share))).collect();
        let class = if *place == 0 { " class=\"ours\"" } else { "" };
        let _ = writeln!(
            svg,
            "<polyline{class} points=\"{}\" stroke=\"{colour}\" stroke-dasharray=\"{dashes}\"/>",
            points.join(" ")
        );
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures of all detectors, which are right in `right` of ten pieces of 20 bytes, and in all others.
    fn cells(right: usize) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (detector, ..) in DETECTORS {
            for set in ["corpora-txt-legacy", "corpora-html-legacy"] {
                for (size, right) in [(20, right), (640, 10)] {
                    let (detector, set) = (format!("{detector}1"), set.to_owned());
                    cells.push(Cell { detector, set, size: Some(size), right, all: 10, microseconds: 7.4 });
                }
            }
        }
        cells
    }

    #[test]
    fn every_detector_has_a_line_in_every_panel_from_the_least_share_to_all() {
        let svg = picture(&cells(5)).unwrap();
        // Six lines of the legend, and six in each panel.
        assert_eq!(svg.matches("<polyline").count(), 6 + 2 * 6);
        assert_eq!(svg.matches("class=\"ours\"").count(), 3);
        assert!(svg.contains("points=\"44,352.0 424,92.0\""), "{svg}");
        assert!(svg.contains(">50</text>") && !svg.contains(">40</text>"));
        assert!(picture(&cells(5)[..1]).is_err());
    }

    #[test]
    fn the_page_has_the_sums_and_each_size_and_rounds_down() {
        let page = page(&cells(9));
        let row = "| corpora, text, legacy (20) | 95.0 | 95.0 | 95.0 | 95.0 | 95.0 | 95.0 |\n";
        assert!(page.contains(row), "{page}");
        assert!(page.contains("| µs for 640 bytes | 7 |"), "{page}");
        assert!(page.contains("\n## By bytes: corpora, HTML, legacy\n"), "{page}");
        assert_eq!(page.matches("| 20 (10) | 90.0 |").count(), 2);
        assert_eq!([rounded(99.99), rounded(100.0), rounded(9.0)], ["99.9", "100", "9.0"]);
    }
}
