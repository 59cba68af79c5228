//! Hangul by their letters, as Johab and code pages of IBM have them: after the highest bit of a pair, five bits for
//! each of three letters.

/// The entry for bits that are no letter.
const NONE: u8 = 0xFF;
/// The numbers of the letters, by their bits: those at the beginning, the vowels, and those at the end.
const FIRST: [u8; 32] = numbers(&[(2, 20)], 0);
const VOWELS: [u8; 32] = numbers(&[(3, 7), (10, 15), (18, 23), (26, 29)], 0);
const LAST: [u8; 32] = numbers(&[(1, 17), (19, 29)], 0);
const VOWELS_COUNT: u32 = 21;
const LAST_COUNT: u32 = 28;
const HANGUL: u32 = 0xAC00;
#[cfg(feature = "encode")]
const HANGUL_COUNT: u32 = 19 * VOWELS_COUNT * LAST_COUNT;

/// Consecutive numbers, from `next` on, for ranges of bits.
const fn numbers(ranges: &[(u8, u8)], mut next: u8) -> [u8; 32] {
    let (mut numbers, mut range) = ([NONE; 32], 0);
    while range < ranges.len() {
        let mut bits = ranges[range].0;
        while bits <= ranges[range].1 {
            numbers[bits as usize] = next;
            next += 1;
            bits += 1;
        }
        range += 1;
    }
    numbers
}

/// The character of a pair.
#[inline]
pub(crate) fn code_point(lead: u8, trail: u8) -> Option<char> {
    let pair = u16::from_be_bytes([lead, trail]);
    let letters =
        [FIRST[usize::from(pair >> 10 & 0x1F)], VOWELS[usize::from(pair >> 5 & 0x1F)], LAST[usize::from(pair & 0x1F)]];
    if pair < 0x8000 || letters.contains(&NONE) {
        return None;
    }
    let [first, vowel, last] = letters.map(u32::from);
    char::from_u32(HANGUL + (first * VOWELS_COUNT + vowel) * LAST_COUNT + last)
}

/// The bits with each number.
#[cfg(feature = "encode")]
const fn bits(numbers: &[u8; 32]) -> [u8; 32] {
    let (mut bits, mut at) = ([0; 32], 0);
    while at < 32 {
        if numbers[at] != NONE {
            bits[numbers[at] as usize] = at as u8;
        }
        at += 1;
    }
    bits
}

/// The pair of a character.
#[cfg(feature = "encode")]
#[inline]
pub(crate) fn pair(code_point: char) -> Option<[u8; 2]> {
    const BITS: [[u8; 32]; 3] = [bits(&FIRST), bits(&VOWELS), bits(&LAST)];
    let number = u32::from(code_point).checked_sub(HANGUL).filter(|number| *number < HANGUL_COUNT)?;
    let (rest, last) = (number / LAST_COUNT, number % LAST_COUNT);
    let numbers = [rest / VOWELS_COUNT, rest % VOWELS_COUNT, last];
    let [first, vowel, last] = [0, 1, 2].map(|letter| u16::from(BITS[letter][numbers[letter] as usize % 32]));
    Some((0x8000 | first << 10 | vowel << 5 | last).to_be_bytes())
}
