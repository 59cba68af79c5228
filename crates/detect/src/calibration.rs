//! Probabilities from prices.

/// Margins in nats, and the share of right answers that texts with such a margin had among the sentences that were held
/// out of the training, made monotonic. Between two margins, the share is interpolated.
const SHARES: [(f32, f32); 10] = [
    (0.0, 0.5),
    (1.0, 0.63),
    (2.0, 0.80),
    (3.2, 0.92),
    (6.0, 0.965),
    (10.0, 0.975),
    (15.0, 0.989),
    (21.0, 0.997),
    (36.0, 0.9995),
    (100.0, 0.9999),
];

/// The most that the probability can be if the words of a text are not like those of its language: 1 of 13 such
/// answers for lists of names was right.
pub(crate) const UNKNOWN_LANGUAGE: f32 = 0.1;

/// The probability that the best text is the right one. `margin` is the difference to the price of the next different
/// text in nats; `None` if there is no next text.
pub(crate) fn probability(margin: Option<f32>) -> f32 {
    let last = SHARES[SHARES.len() - 1];
    let Some(margin) = margin.filter(|&margin| margin < last.0) else { return last.1 };
    let place = SHARES.iter().position(|&(end, _)| margin < end).unwrap_or(1).max(1);
    let ((start, low), (end, high)) = (SHARES[place - 1], SHARES[place]);
    low + (high - low) * ((margin - start) / (end - start)).max(0.0)
}

/// The exponential function, by its series after the argument is halved ten times. `core` has none.
pub(crate) fn exp(x: f32) -> f32 {
    let small = x.clamp(-80.0, 80.0) / 1024.0;
    let mut power = 1.0 + small * (1.0 + small / 2.0 * (1.0 + small / 3.0));
    for _ in 0..10 {
        power *= power;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probability_is_interpolated_between_the_margins_that_were_measured() {
        for (margin, expected) in [
            (0.0, 0.5),
            (0.5, 0.565),
            (1.0, 0.63),
            (1.5, 0.715),
            (2.0, 0.8),
            (2.6, 0.86),
            (3.2, 0.92),
            (4.6, 0.9425),
            (6.0, 0.965),
            (8.0, 0.97),
            (10.0, 0.975),
            (12.5, 0.982),
            (15.0, 0.989),
            (18.0, 0.993),
            (21.0, 0.997),
            (28.5, 0.99825),
            (36.0, 0.9995),
            (68.0, 0.9997),
            (100.0, 0.9999),
            (1e9, 0.9999),
        ] {
            let found = probability(Some(margin));
            assert!((found - expected).abs() < 1e-6, "{margin}: {found}");
        }
        assert_eq!((probability(None), UNKNOWN_LANGUAGE), (0.9999, 0.1));
    }

    #[test]
    fn the_exponential_function_is_that_of_the_standard_library() {
        for number in -800..=800 {
            let x = number as f32 / 10.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 3e-3, "{x}: {} {}", exp(x), x.exp());
        }
        assert_eq!((exp(0.0), exp(-99.0), exp(99.0)), (1.0, exp(-80.0), exp(80.0)));
    }
}
