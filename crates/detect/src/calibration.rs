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
