//! Runs of ASCII: measuring and copying a prefix of bytes or code units below 0x80.

#[cfg(vectors = "x86_64")]
pub(crate) mod avx2;
#[cfg(vectors = "x86_64")]
pub(crate) mod avx512;
pub(crate) mod scalar;
pub mod unshifted;
#[cfg(vectors = "v128")]
pub(crate) mod v128;

use crate::level::dispatch;

/// The length in bytes of the longest prefix of `source` that is ASCII.
#[inline]
#[must_use]
pub fn prefix_length(source: &[u8]) -> usize {
    dispatch!(prefix_length(source: &[u8]) -> usize)
}

/// The length in code units of the longest prefix of `source` that is ASCII.
#[inline]
#[must_use]
pub fn prefix_length_utf16(source: &[u16]) -> usize {
    dispatch!(prefix_length_utf16(source: &[u16]) -> usize)
}

/// Copies the ASCII prefix of `source`, or as much of it as fits, and returns the number of bytes.
#[inline]
pub fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    dispatch!(copy(source: &[u8], destination: &mut [u8]) -> usize)
}

/// Copies the ASCII prefix of `source`, or as much of it as fits, to code units, and returns their number.
#[inline]
pub fn widen(source: &[u8], destination: &mut [u16]) -> usize {
    dispatch!(widen(source: &[u8], destination: &mut [u16]) -> usize)
}

/// Copies the ASCII prefix of the code units `source`, or as much of it as fits, to bytes, and returns their number.
#[inline]
pub fn narrow(source: &[u16], destination: &mut [u8]) -> usize {
    dispatch!(narrow(source: &[u16], destination: &mut [u8]) -> usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::at_every_level;

    /// Checks every length up to 100, with the first unit that is not ASCII at every place, and destinations of several
    /// lengths.
    #[test]
    fn runs_end_before_the_first_unit_that_is_not_ascii_and_at_the_end_of_either_slice() {
        at_every_level(|_| {
            for length in 0..=100 {
                for at in 0..=length {
                    let mut source: Vec<u8> = (0..length as u8).collect();
                    let mut units: Vec<u16> = source.iter().map(|&byte| byte.into()).collect();
                    if at < length {
                        (source[at], units[at]) = (0x80 + at as u8, 0x80 << (at % 9));
                    }
                    assert_eq!((prefix_length(&source), prefix_length_utf16(&units)), (at, at));
                    for room in [0, 1, at.saturating_sub(1), at, at + 1, length, length + 40] {
                        let expected = at.min(room);
                        let (mut bytes, mut wide) = (vec![0xAA; room], vec![0xAAAA; room]);
                        assert_eq!(copy(&source, &mut bytes), expected);
                        assert_eq!(bytes[..expected], source[..expected]);
                        assert_eq!(widen(&source, &mut wide), expected);
                        assert_eq!(wide[..expected], units[..expected]);
                        bytes.fill(0xAA);
                        assert_eq!(narrow(&units, &mut bytes), expected);
                        assert_eq!(bytes[..expected], source[..expected]);
                    }
                }
            }
        });
    }

    /// Checks runs of more than one block, into destinations at every address.
    #[test]
    fn long_runs_are_widened_at_every_address() {
        at_every_level(|_| {
            let source: Vec<u8> = (0..400).map(|at| (at % 127) as u8).collect();
            for length in 60..=400 {
                let mut source = source[..length].to_vec();
                for is_whole in [true, false] {
                    let at = if is_whole { length } else { length / 2 + length % 29 };
                    if !is_whole {
                        source[at] = 0x80;
                    }
                    for start in 0..32 {
                        let mut wide = vec![0xAAAA; start + length];
                        assert_eq!(widen(&source, &mut wide[start..]), at);
                        assert!(wide[..start].iter().all(|&unit| unit == 0xAAAA));
                        assert!(wide[start..].iter().zip(&source[..at]).all(|(&unit, &byte)| unit == byte.into()));
                    }
                }
            }
        });
    }
}
