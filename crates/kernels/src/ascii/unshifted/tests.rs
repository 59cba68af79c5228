//! Runs of ASCII without shifts: every level against a definition in one line.

use super::*;
use crate::level::at_every_level;

fn is_shift(byte: u8) -> bool {
    matches!(byte, 0x0E | 0x0F | 0x1B)
}

fn belongs(unit: u16) -> bool {
    u8::try_from(unit).is_ok_and(|byte| byte.is_ascii() && !is_shift(byte))
}

#[test]
fn highest_bits_are_set_or_cleared() {
    let block: [u8; 64] = std::array::from_fn(|at| (at as u8).wrapping_mul(37));
    let mut to = [0; 64];
    copy_with_highest_bits(true, &block, &mut to);
    assert_eq!(to, block.map(|byte| byte | 0x80));
    copy_with_highest_bits(false, &block, &mut to);
    assert_eq!(to, block.map(|byte| byte & 0x7F));
}

/// The length of the longest block of all levels.
const LONGEST_BLOCK: usize = 64;

#[test]
fn every_unit_ends_a_run_or_does_not_at_each_place_of_a_block() {
    at_every_level(|_| {
        for unit in (0..0x180).chain([0x0E0E, 0x0F0F, 0x1B1B, 0x2041, 0x8041, 0xFF0E, 0xFFFF]) {
            for at in (0..70).chain(250..300) {
                let mut units = vec![0x4E_u16; 512];
                units[at] = unit;
                let end = if belongs(unit) { units.len() } else { at };
                let (mut bytes, mut wide) = (vec![0; units.len()], vec![0; units.len()]);
                let check = |length: usize, is_equal: bool| {
                    assert!(length <= end && end - length < LONGEST_BLOCK, "{unit:04X} at {at}: {length}");
                    assert!(is_equal, "{unit:04X} at {at}");
                };
                let length = narrow_blocks(&units, &mut bytes);
                check(length, bytes.iter().zip(&units).take(length).all(|(&byte, &unit)| u16::from(byte) == unit));

                let Ok(byte) = u8::try_from(unit) else { continue };
                let mut source = vec![b'N'; units.len()];
                source[at] = byte;
                assert_eq!(prefix_length(&source), end, "{byte:02X} at {at}");
                let length = copy_blocks(&source, &mut bytes);
                check(length, bytes[..length] == source[..length]);
                let length = widen_blocks(&source, &mut wide);
                check(length, wide[..length] == units[..length]);
            }
        }
    });
}

/// Runs that end at many places, into destinations at every address.
#[test]
fn long_runs_are_moved_as_they_are() {
    at_every_level(|_| {
        let mut source: Vec<u8> = (0..2000).map(|at| b' ' + (at % 95) as u8).collect();
        for at in (0..2000).step_by(37) {
            let letter = std::mem::replace(&mut source[at], [0x0E, 0x0F, 0x1B, 0x80][at % 4]);
            let units: Vec<u16> = source.iter().map(|&byte| byte.into()).collect();
            let (mut bytes, mut wide) = (vec![0; 2100], vec![0; 2100]);
            let is_length = |length| at / LONGEST_BLOCK * LONGEST_BLOCK <= length + 64 && length <= at;
            let to = &mut bytes[at % 64..];
            let length = copy_blocks(&source, to);
            assert!(is_length(length) && to[..length] == source[..length]);
            to.fill(0);
            let length = narrow_blocks(&units, to);
            assert!(is_length(length) && to[..length] == source[..length]);
            let to = &mut wide[at % 64..];
            let length = widen_blocks(&source, to);
            assert!(is_length(length) && to[..length] == units[..length]);
            assert_eq!(prefix_length(&source), at);
            source[at] = letter;
        }
    });
}

#[test]
fn a_run_ends_with_either_slice() {
    at_every_level(|_| {
        for length in (0..=140).chain(250..260) {
            for room in [0, 1, 63, 64, 65, 139, 140, 200, 255, 256, 257, 400] {
                let source = vec![b'a'; length];
                let units = vec![0x61; length];
                let least = length.min(room).saturating_sub(LONGEST_BLOCK - 1);
                let possible = least..=length.min(room);
                assert_eq!(prefix_length(&source), length);
                assert!(possible.contains(&copy_blocks(&source, &mut vec![0; room])));
                assert!(possible.contains(&widen_blocks(&source, &mut vec![0; room])));
                assert!(possible.contains(&narrow_blocks(&units, &mut vec![0; room])));
            }
        }
    });
}

#[test]
fn masks_tell_every_byte_at_every_place() {
    at_every_level(|_| {
        for byte in 0..=0xFF {
            for at in 0..64 {
                for others in [b' ', 0x1B, 0x0D, 0xFF] {
                    let mut block = [others; 64];
                    block[at] = byte;
                    let mask = |is_set: fn(u8) -> bool| {
                        block.iter().rev().fold(0_u64, |mask, &byte| mask << 1 | u64::from(is_set(byte)))
                    };
                    assert_eq!(masks(&block), (mask(|byte| !byte.is_ascii()), mask(is_shift)), "{byte:02X} at {at}");
                }
            }
        }
    });
}
