//! The picture: a map of the ratios to the fastest peer, with a row for each encoding.

use std::fmt::Write as _;

use super::{
    data::{Cell, Data},
    markdown::cells_of,
};

/// Sizes in pixels.
const LABEL: usize = 150;
const WIDTH_OF_CELL: usize = 92;
const HEIGHT_OF_CELL: usize = 30;
const HEAD: usize = 132;
const MARGIN: usize = 16;

/// For each colour, the ratio that the cells stay below, the colour, and its label. Dark text is readable on each
/// colour.
const COLOURS: [(f64, &str, &str); 7] = [
    (0.5, "#ee8379", "< 0.5"),
    (1.0, "#f7b98b", "< 1"),
    (2.0, "#fbeeb0", "1 – 2"),
    (5.0, "#d8ebc4", "2 – 5"),
    (10.0, "#a9d9a5", "5 – 10"),
    (25.0, "#7fccbd", "10 – 25"),
    (f64::INFINITY, "#86bfe6", "≥ 25"),
];

/// The styles. The picture has its own background, so that it is readable on any page.
const STYLE: &str = "
  text { font-family: system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #1f2328; font-size: 13px }
  .card { fill: #ffffff } .cell text { fill: #1f2328; text-anchor: middle } .name, .note { font-size: 12px }
  .ratio { font-size: 13px; font-weight: 600 } .peer { font-size: 9.5px } .head { text-anchor: middle; font-weight: 600 }
  .title { font-size: 17px; font-weight: 600 } .below { stroke: #b3261e; stroke-width: 2 }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .card { fill: #0d1117 } }
";

/// The columns of the picture: the kinds of text, and the operations.
const KINDS: [&str; 2] = ["text", "HTML"];
const OPERATIONS: [&str; 4] = ["d8", "d16", "e8", "e16"];

/// The text of the file.
pub(super) fn picture(data: &Data) -> String {
    let mut names: Vec<&str> = data.of_encodings().map(|cell| &cell.row[..]).collect();
    names.dedup();
    let columns = KINDS.len() * OPERATIONS.len();
    let width = 2 * MARGIN + MARGIN / 2 + LABEL + columns * WIDTH_OF_CELL;
    let height = 2 * MARGIN + HEAD + names.len() * HEIGHT_OF_CELL;

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\">\n<!-- Written by `cargo xtask bench-report`. -->\n\
         <title>textcodec: how many times as fast as the best peer</title>\n<style>{STYLE}</style>\n\
         <rect class=\"card\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n"
    );
    head(&mut svg, data);
    for (place, name) in names.iter().enumerate() {
        let top = MARGIN + HEAD + place * HEIGHT_OF_CELL;
        text(&mut svg, "name", MARGIN, top + 20, name);
        for (place, cell) in cells_of(data, name).enumerate() {
            if let Some(cell) = cell {
                paint(&mut svg, left_of(place), top, cell);
            }
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// The title, the legend of the colours, and the names of the columns.
fn head(svg: &mut String, data: &Data) {
    text(svg, "title", MARGIN, MARGIN + 18, "textcodec: how many times as fast as the best peer");
    let facts = ["processor", "level", "date"].into_iter().filter_map(|name| data.fact(name));
    text(svg, "note", MARGIN, MARGIN + 40, &facts.collect::<Vec<_>>().join(" · "));
    for (place, (_, colour, meaning)) in COLOURS.iter().enumerate() {
        let left = MARGIN + place * WIDTH_OF_CELL;
        let _ = writeln!(
            svg,
            "<rect x=\"{left}\" y=\"{}\" width=\"16\" height=\"16\" rx=\"3\" fill=\"{colour}\"/>",
            MARGIN + 52
        );
        text(svg, "note", left + 22, MARGIN + 65, meaning);
    }
    for (place, kind) in KINDS.iter().enumerate() {
        let middle = left_of(place * OPERATIONS.len()) + OPERATIONS.len() * WIDTH_OF_CELL / 2;
        text(svg, "head", middle, MARGIN + HEAD - 30, kind);
        for (operation_place, operation) in OPERATIONS.iter().enumerate() {
            let left = left_of(place * OPERATIONS.len() + operation_place);
            text(svg, "head", left + WIDTH_OF_CELL / 2, MARGIN + HEAD - 10, operation);
        }
    }
}

fn paint(svg: &mut String, left: usize, top: usize, cell: &Cell) {
    let Some(ratio) = cell.ratio() else { return };
    let is_below = if cell.is_below_one() { " class=\"below\"" } else { "" };
    let colour = COLOURS.iter().find(|(end, ..)| ratio < *end).map_or("", |(_, colour, _)| colour);
    let _ = writeln!(
        svg,
        "<g class=\"cell\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"{colour}\"{is_below}/>",
        left + 1,
        top + 1,
        WIDTH_OF_CELL - 3,
        HEIGHT_OF_CELL - 3
    );
    let middle = left + WIDTH_OF_CELL / 2;
    text(svg, "ratio", middle, top + 14, &cell.best);
    // A cell has no space for the whole name of encoding_rs with its vector code, which is always the fast build.
    text(svg, "peer", middle, top + 25, &cell.peer.replace(" fast SIMD", " SIMD"));
    svg.push_str("</g>\n");
}

/// The left edge of the column at `place`. A gap separates the two kinds of text.
const fn left_of(place: usize) -> usize {
    MARGIN + LABEL + place * WIDTH_OF_CELL + if place < OPERATIONS.len() { 0 } else { MARGIN / 2 }
}

/// Appends a line of text.
pub(crate) fn text(svg: &mut String, class: &str, x: usize, y: usize, text: &str) {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(svg, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{escaped}</text>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench_report::data::tests::data;

    #[test]
    fn every_cell_is_painted_and_what_is_below_one_has_a_frame() {
        let svg = picture(&data());
        assert_eq!(svg.matches("<g class=\"cell\">").count(), 2);
        assert_eq!(svg.matches("class=\"below\"").count(), 1);
        assert!(svg.contains(">0.50</text>") && svg.contains(">encoding_rs fast</text>"));
    }

    #[test]
    fn a_colour_is_that_of_its_range() {
        assert!(COLOURS.is_sorted_by(|a, b| a.0 < b.0));
    }
}
