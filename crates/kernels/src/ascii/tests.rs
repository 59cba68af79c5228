//! Runs of ASCII: every level against the scalar body, and all lengths and places.

use super::*;
use crate::{
    level::at_every_level,
    testing::{Function, Functions, battery, measuring, moving},
};

const FUNCTIONS: Functions = Functions {
    bytes_to_bytes: &[measuring!(prefix_length), moving!(copy, 1)],
    bytes_to_units: &[moving!(widen, 1)],
    units_to_bytes: &[measuring!(prefix_length_utf16), moving!(narrow, 1)],
    ..Functions::NONE
};

battery!();

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
