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
        ("ASCII", 90.0, 60.0),
        ("Roman", 90.0, 330.0),
        ("katakana", 620.0, 330.0),
        ("lead byte", 620.0, 60.0),
        ("trail byte", 620.0, 195.0),
        ("escape start", 300.0, 195.0),
        ("escape", 455.0, 195.0),
    ],
    edges: &[
        (0, 5, "1B", -18.0),
        (1, 5, "1B", 18.0),
        (2, 5, "1B", 60.0),
        (3, 5, "1B", -60.0),
        (4, 5, "1B: error", 96.0),
        (5, 6, "24 or 28", 0.0),
        (6, 3, "24 40, 24 42", -10.0),
        (6, 2, "28 49", 14.0),
        (6, 1, "28 4A", 70.0),
        (6, 0, "28 42", -70.0),
        (3, 4, "21–7E", -24.0),
        (4, 3, "21–7E", -24.0),
    ],
    width: 720.0,
    height: 400.0,
};

const EUC_JP: Diagram = Diagram {
    states: &[
        ("start", 90.0, 110.0),
        ("lead 8E", 360.0, 40.0),
        ("lead A1–FE", 360.0, 110.0),
        ("lead 8F", 300.0, 200.0),
        ("jis0212 lead", 540.0, 200.0),
    ],
    edges: &[
        (0, 1, "8E", -16.0),
        (1, 0, "A1–DF: katakana", -16.0),
        (0, 2, "A1–FE", -14.0),
        (2, 0, "A1–FE: jis0208", -14.0),
        (0, 3, "8F", -10.0),
        (3, 4, "A1–FE", 0.0),
        (4, 0, "A1–FE: jis0212", -90.0),
    ],
    width: 640.0,
    height: 290.0,
};

const GB18030: Diagram = Diagram {
    states: &[("start", 80.0, 90.0), ("first", 290.0, 90.0), ("second", 480.0, 90.0), ("third", 670.0, 90.0)],
    edges: &[
        (0, 1, "81–FE", 0.0),
        (1, 0, "40–7E, 80–FE: index", -120.0),
        (1, 2, "30–39", 0.0),
        (2, 3, "81–FE", 0.0),
        (3, 0, "30–39: ranges", -170.0),
    ],
    width: 750.0,
    height: 220.0,
};

const UTF_8: Diagram = Diagram {
    states: &[
        ("0 needed", 90.0, 140.0),
        ("1 needed", 330.0, 140.0),
        ("2 needed", 500.0, 140.0),
        ("3 needed", 670.0, 140.0),
    ],
    edges: &[
        (0, 1, "C2–DF", 0.0),
        (1, 0, "80–BF: code point", -60.0),
        (0, 2, "E0–EF", -130.0),
        (2, 1, "80–BF ¹", 0.0),
        (0, 3, "F0–F4", -240.0),
        (3, 2, "80–BF ¹", 0.0),
    ],
    width: 750.0,
    height: 230.0,
};

const UTF_16: Diagram = Diagram {
    states: &[("start", 90.0, 110.0), ("half a unit", 340.0, 110.0), ("leading surrogate", 590.0, 110.0)],
    edges: &[
        (0, 1, "any byte", -30.0),
        (1, 0, "unit outside D800–DFFF", -40.0),
        (1, 2, "unit D800–DBFF", -30.0),
        (2, 1, "any byte", -30.0),
        (2, 0, "unit DC00–DFFF, after two bytes", -150.0),
    ],
    width: 700.0,
    height: 250.0,
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
    let Diagram { states, edges, width, height } = diagram(name)?;
    let mut svg = format!(
        "<svg class=\"states\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"states-description\">\n\
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
    svg.push_str("</svg>\n<p class=\"visually-hidden\" id=\"states-description\">");
    for &(from, to, label, _) in edges {
        write!(svg, "From {} to {}: {label}. ", states[from].0, states[to].0).expect("writing to a string cannot fail");
    }
    svg.push_str("</p>\n");
    Some(svg)
}

fn half_width(state: &str) -> f32 {
    state.chars().count() as f32 * 4.2 + 16.0
}

/// Draws a curve from the border of one box to the border of another one. Its middle is `bend` units away from the line between
/// them, to the right of the direction of the arrow if `bend` is positive.
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
        middle.1 - 4.0
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
