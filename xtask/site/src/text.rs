//! Small pieces of text that several pages need.

/// `number` with a thin space between groups of three digits.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202F}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn groups_have_three_digits() {
        assert_eq!((grouped(7), grouped(123), grouped(23_940)), ("7".into(), "123".into(), "23\u{202F}940".into()));
    }
}
