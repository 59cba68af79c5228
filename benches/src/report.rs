//! Tables in Markdown.

/// The geometric mean of ratios, and how many are below 1.
#[derive(Clone, Copy, Default, Debug)]
pub struct GeometricMean {
    logarithms: f64,
    count: u32,
    below: u32,
}

impl GeometricMean {
    /// Takes a ratio in.
    pub fn push(&mut self, ratio: f64) {
        self.logarithms += ratio.ln();
        self.count += 1;
        self.below += u32::from(ratio < 1.0);
    }

    /// That of the ratios of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        GeometricMean {
            logarithms: self.logarithms + other.logarithms,
            count: self.count + other.count,
            below: self.below + other.below,
        }
    }

    /// The mean; `None` of nothing.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| (self.logarithms / f64::from(self.count)).exp())
    }

    /// How many ratios there were.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// How many were below 1.
    #[must_use]
    pub const fn below(&self) -> u32 {
        self.below
    }
}

/// Prints a row of a table.
pub fn print_row(cells: &[String]) {
    println!("| {} |", cells.join(" | "));
}

/// A byte in `nanoseconds`, in GB/s, and the ratio; in bold if that is below 1.
#[must_use]
pub fn rate(nanoseconds: f64, ratio: f64) -> String {
    let rate = 1.0 / nanoseconds;
    let digits = if rate < 0.1 {
        3
    } else if rate < 10.0 {
        2
    } else {
        1
    };
    emphasise(ratio, format!("{rate:.digits$} ({})", times(ratio)))
}

/// `nanoseconds`, and the ratio; in bold if that is below 1.
#[must_use]
pub fn ratio(nanoseconds: f64, ratio: f64) -> String {
    emphasise(ratio, format!("{nanoseconds:.1} ({})", times(ratio)))
}

/// A ratio in as many digits as say something.
#[must_use]
pub fn times(ratio: f64) -> String {
    // Neither 0.999 nor 9.99 may look larger than it is.
    match ratio {
        ..1.0 => format!("{:.2}", (ratio * 100.0).floor() / 100.0),
        1.0..9.95 => format!("{ratio:.1}"),
        _ => format!("{ratio:.0}"),
    }
}

fn emphasise(ratio: f64, cell: String) -> String {
    if ratio < 1.0 { format!("**{cell}**") } else { cell }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_below_one_is_bold_and_says_so() {
        assert_eq!(rate(0.1, 2.5), "10.0 (2.5)");
        assert_eq!(rate(100.0, 31.4), "0.010 (31)");
        assert_eq!(rate(0.4, 0.999), "**2.50 (0.99)**");
        assert_eq!(ratio(12.34, 9.96), "12.3 (10)");
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
