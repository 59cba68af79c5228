//! Tables in Markdown.

use crate::{Standing, best_peer};

/// A geometric mean of ratios, and the number of ratios below 1.
#[derive(Clone, Copy, Default, Debug)]
pub struct GeometricMean {
    logarithms: f64,
    count: u32,
    below: u32,
}

impl GeometricMean {
    /// Adds a ratio.
    pub fn push(&mut self, ratio: f64) {
        self.logarithms += ratio.ln();
        self.count += 1;
        self.below += u32::from(ratio < 1.0);
    }

    /// The geometric mean over the ratios of `self` and `other`.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        GeometricMean {
            logarithms: self.logarithms + other.logarithms,
            count: self.count + other.count,
            below: self.below + other.below,
        }
    }

    /// The mean; `None` if there are no ratios.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| (self.logarithms / f64::from(self.count)).exp())
    }

    /// The number of ratios.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// The number of ratios below 1.
    #[must_use]
    pub const fn below(&self) -> u32 {
        self.below
    }
}

/// Prints a row of a table.
pub fn print_row(cells: &[String]) {
    println!("| {} |", cells.join(" | "));
}

/// The speed of the first of `standings` in GB/s, and in parentheses the ratio to the fastest peer, with its name if it
/// is not encoding_rs. The text is bold if the ratio is below 1.
#[must_use]
pub fn rate(standings: &[Standing]) -> String {
    let rate = 1.0 / standings[0].cost;
    let digits = if rate < 0.1 {
        3
    } else if rate < 10.0 {
        2
    } else {
        1
    };
    beside_best(format!("{rate:.digits$}"), standings)
}

/// The time of the first of `standings` in nanoseconds, and the ratio as in [`rate`].
#[must_use]
pub fn duration(standings: &[Standing]) -> String {
    beside_best(format!("{:.1}", standings[0].cost), standings)
}

fn beside_best(figure: String, standings: &[Standing]) -> String {
    let Some(best) = best_peer(standings) else { return figure };
    let name = if best.name == "encoding_rs" { String::new() } else { format!(" {}", best.name) };
    let cell = format!("{figure} ({}{name})", times(best.ratio));
    if best.ratio < 1.0 { format!("**{cell}**") } else { cell }
}

/// A ratio with the digits that are significant.
#[must_use]
pub fn times(ratio: f64) -> String {
    // Neither 0.999 nor 9.99 may look larger than it is.
    match ratio {
        ..1.0 => format!("{:.2}", (ratio * 100.0).floor() / 100.0),
        1.0..9.95 => format!("{ratio:.1}"),
        _ => format!("{ratio:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standings of a race that textcodec ran in `cost`, and peers in `ratios` times that time.
    fn race(cost: f64, ratios: &[(&str, f64)]) -> Vec<Standing> {
        let standing = |name: &str, is_peer, ratio| Standing {
            name: name.into(),
            is_peer,
            cost: cost * ratio,
            ratio,
            is_exact: true,
        };
        let peers = ratios.iter().map(|(name, ratio)| standing(name, true, *ratio));
        [standing("textcodec", false, 1.0)].into_iter().chain(peers).collect()
    }

    #[test]
    fn a_cell_names_the_best_peer_and_is_bold_below_one() {
        assert_eq!(rate(&race(0.1, &[("encoding_rs", 2.5), ("ICU", 3.0)])), "10.0 (2.5)");
        assert_eq!(rate(&race(100.0, &[("encoding_rs", 50.0), ("ICU", 31.4)])), "0.010 (31 ICU)");
        assert_eq!(rate(&race(0.4, &[("iconv", 0.999)])), "**2.50 (0.99 iconv)**");
        assert_eq!(duration(&race(12.34, &[("encoding_rs", 9.96)])), "12.3 (10)");
        assert_eq!(duration(&race(12.34, &[])), "12.3");
    }

    #[test]
    fn the_mean_of_twice_and_half_is_one() {
        let mut mean = GeometricMean::default();
        assert_eq!(mean.mean(), None);
        mean.push(4.0);
        mean.push(0.25);
        assert!((mean.mean().unwrap() - 1.0).abs() < 1e-12);
        assert_eq!((mean.count(), mean.below()), (2, 1));
    }
}
