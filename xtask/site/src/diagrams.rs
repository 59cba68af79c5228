//! State diagrams of decoders, as SVG.

use std::fmt::Write as _;

use textcodec::Name;

/// A state: its name, and the centre of its box.
type State = (&'static str, f32, f32);

/// A transition: the numbers of two states, the bytes that lead from one to the other, and how far the arrow bends.
type Edge = (usize, usize, &'static str, f32);

/// A diagram of the states between which a decoder moves.
struct Diagram {
    states: &'static [State],
    edges: &'static [Edge],
    width: f32,
    height: f32,
}

const ISO_2022_JP: Diagram = Diagram {
    states: &[
        ("ASCII", 380.0, 80.0),
        ("Roman", 380.0, 170.0),
        ("katakana", 380.0, 260.0),
        ("lead byte", 380.0, 350.0),
        ("trail byte", 380.0, 440.0),
        ("escape start", 660.0, 215.0),
        ("escape", 90.0, 215.0),
    ],
    edges: &[
        (6, 0, "28 42", 0.0),
        (6, 1, "28 4A", 0.0),
        (6, 2, "28 49", 0.0),
        (6, 3, "24 40, 24 42", 0.0),
        (0, 5, "1B", 0.0),
        (1, 5, "1B", 0.0),
        (2, 5, "1B", 0.0),
        (3, 5, "1B", 0.0),
        (4, 5, "1B: error", 30.0),
        (5, 6, "24 or 28", 180.0),
        (3, 4, "21–7E", 32.0),
        (4, 3, "21–7E", 32.0),
    ],
    width: 750.0,
    height: 470.0,
};

const EUC_JP: Diagram = Diagram {
    states: &[
        ("start", 90.0, 170.0),
        ("lead 8E", 450.0, 30.0),
        ("lead A1–FE", 450.0, 170.0),
        ("lead 8F", 330.0, 290.0),
        ("jis0212 lead", 590.0, 290.0),
    ],
    edges: &[
        (0, 1, "8E", -20.0),
        (1, 0, "A1–DF: katakana", -20.0),
        (0, 2, "A1–FE", -18.0),
        (2, 0, "A1–FE: jis0208", -18.0),
        (0, 3, "8F", 0.0),
        (3, 4, "A1–FE", 0.0),
        (4, 0, "A1–FE: jis0212", -100.0),
    ],
    width: 680.0,
    height: 370.0,
};

const GB18030: Diagram = Diagram {
    states: &[("start", 80.0, 110.0), ("first", 310.0, 110.0), ("second", 490.0, 110.0), ("third", 670.0, 110.0)],
    edges: &[
        (0, 1, "81–FE", 0.0),
        (1, 0, "40–7E, 80–FE: index", 55.0),
        (1, 2, "30–39", 0.0),
        (2, 3, "81–FE", 0.0),
        (3, 0, "30–39: ranges", -70.0),
    ],
    width: 750.0,
    height: 200.0,
};

const UTF_8: Diagram = Diagram {
    states: &[
        ("0 needed", 90.0, 150.0),
        ("1 needed", 330.0, 150.0),
        ("2 needed", 500.0, 150.0),
        ("3 needed", 670.0, 150.0),
    ],
    edges: &[
        (0, 1, "C2–DF", 0.0),
        (1, 0, "80–BF: code point", -50.0),
        (0, 2, "E0–EF", -55.0),
        (2, 1, "80–BF ¹", 0.0),
        (0, 3, "F0–F4", -115.0),
        (3, 2, "80–BF ¹", 0.0),
    ],
    width: 750.0,
    height: 230.0,
};

const UTF_16: Diagram = Diagram {
    states: &[("start", 90.0, 80.0), ("half a unit", 340.0, 80.0), ("leading surrogate", 590.0, 80.0)],
    edges: &[
        (0, 1, "any byte", -35.0),
        (1, 0, "unit outside D800–DFFF", -35.0),
        (1, 2, "unit D800–DBFF", -35.0),
        (2, 1, "any byte", -35.0),
        (2, 0, "unit DC00–DFFF, after two bytes", -90.0),
    ],
    width: 700.0,
    height: 200.0,
};

/// A decoder that knows a lead byte and nothing else.
const fn lead_and_trail(edges: &'static [Edge]) -> Diagram {
    Diagram { states: &[("start", 90.0, 90.0), ("lead", 470.0, 90.0)], edges, width: 560.0, height: 180.0 }
}

fn diagram(name: Name) -> Option<Diagram> {
    Some(match name {
        Name::Iso2022Jp => ISO_2022_JP,
        Name::EucJp => EUC_JP,
        Name::Gbk | Name::Gb18030 => GB18030,
        Name::Utf8 => UTF_8,
        Name::Utf16Be | Name::Utf16Le => UTF_16,
        Name::Big5 => lead_and_trail(&[(0, 1, "81–FE", -40.0), (1, 0, "40–7E, A1–FE: index Big5", -40.0)]),
        Name::EucKr => lead_and_trail(&[(0, 1, "81–FE", -40.0), (1, 0, "41–FE: index EUC-KR", -40.0)]),
        Name::ShiftJis => {
            lead_and_trail(&[(0, 1, "81–9F, E0–FC", -40.0), (1, 0, "40–7E, 80–FC: index jis0208", -40.0)])
        }
        _ => return None,
    })
}

/// The state diagram of the decoder of an encoding, as SVG with a description; `None` if the decoder has no state.
pub(crate) fn svg(name: Name) -> Option<String> {
    let diagram = diagram(name)?;
    let mut svg = drawn(&diagram, "class=\"states\" role=\"img\" aria-labelledby=\"states-description\"");
    svg.push_str("\n<p class=\"visually-hidden\" id=\"states-description\">");
    for &(from, to, label, _) in diagram.edges {
        write!(svg, "From {} to {}: {label}. ", diagram.states[from].0, diagram.states[to].0)
            .expect("writing to a string cannot fail");
    }
    svg.push_str("</p>\n");
    Some(svg)
}

/// The same diagram without a description, as a picture beside a text that says the same.
pub(crate) fn thumbnail(name: Name) -> Option<String> {
    Some(drawn(&diagram(name)?, "class=\"picture states\" aria-hidden=\"true\""))
}

/// Draws a diagram as SVG with these attributes.
fn drawn(&Diagram { states, edges, width, height }: &Diagram, attributes: &str) -> String {
    let mut svg = format!(
        "<svg viewBox=\"0 0 {width} {height}\" {attributes}>\n\
         <defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">\
         <path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n"
    );
    for &(from, to, label, bend) in edges {
        draw_edge(&mut svg, states[from], states[to], label, bend);
    }
    for &(state, x, y) in states {
        let half = half_width(state);
        writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"36\" rx=\"18\"/><text x=\"{x}\" y=\"{}\">{state}</text>",
            x - half,
            y - 18.0,
            2.0 * half,
            y + 5.0
        )
        .expect("writing to a string cannot fail");
    }
    svg.push_str("</svg>");
    svg
}

fn half_width(state: &str) -> f32 {
    state.chars().count() as f32 * 4.2 + 16.0
}

/// Draws a curve from the border of one box to the border of another one. Its middle is `bend` units away from the line
/// between them, to the right of the direction of the arrow if `bend` is positive.
fn draw_edge(svg: &mut String, from: State, to: State, label: &str, bend: f32) {
    let (dx, dy) = (to.1 - from.1, to.2 - from.2);
    let length = dx.hypot(dy);
    let (nx, ny) = (-dy / length, dx / length);
    let control = ((from.1 + to.1) / 2.0 + nx * 2.0 * bend, (from.2 + to.2) / 2.0 + ny * 2.0 * bend);
    let (start, end) = (border(from, control), border(to, control));
    let middle = ((start.0 + 2.0 * control.0 + end.0) / 4.0, (start.1 + 2.0 * control.1 + end.1) / 4.0);
    writeln!(
        svg,
        "<path class=\"edge\" d=\"M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}\" marker-end=\"url(#arrow)\"/>\
         <text class=\"edge\" x=\"{:.1}\" y=\"{:.1}\">{label}</text>",
        start.0,
        start.1,
        control.0,
        control.1,
        end.0,
        end.1,
        middle.0,
        if control.1 > start.1.max(end.1) { middle.1 + 14.0 } else { middle.1 - 4.0 }
    )
    .expect("writing to a string cannot fail");
}

/// The point where the line from the centre of `state` towards `target` leaves its box.
fn border(state: State, target: (f32, f32)) -> (f32, f32) {
    let (half_width, half_height) = (half_width(state.0) + 2.0, 20.0);
    let (dx, dy) = (target.0 - state.1, target.1 - state.2);
    let scale = (half_width / dx.abs().max(0.01)).min(half_height / dy.abs().max(0.01)).min(1.0);
    (state.1 + dx * scale, state.2 + dy * scale)
}
