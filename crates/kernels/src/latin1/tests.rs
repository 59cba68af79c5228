//! Latin-1: every level against the scalar body, and all bytes in both directions.

use super::{scalar, *};
use crate::{
    level::at_every_level,
    testing::{Function, Functions, Random, battery, converting, measuring, moving},
};

const FUNCTIONS: Functions = Functions {
    bytes_to_bytes: &[measuring!(prefix_length_utf8), converting!(to_utf8), converting!(from_utf8)],
    bytes_to_units: &[moving!(to_utf16, 1)],
    units_to_bytes: &[measuring!(prefix_length_utf16), moving!(from_utf16, 1)],
    ..Functions::NONE
};

battery!();

#[test]
fn all_bytes_survive_both_directions_with_destinations_of_every_length() {
    at_every_level(|_| {
        let bytes: Vec<u8> = (0..=255).chain(0..=255).collect();
        let text: String = bytes.iter().copied().map(char::from).collect();
        for room in 0..=800 {
            let mut utf8 = vec![0; room];
            let (read, written) = to_utf8(&bytes, &mut utf8);
            assert_eq!(&utf8[..written], &text.as_bytes()[..written]);
            assert!(read == bytes.len() || room - written <= 1);
            let mut back = vec![0; read];
            assert_eq!(from_utf8(&utf8[..written], &mut back), (written, read));
            assert_eq!(back, bytes[..read]);
            assert_eq!(prefix_length_utf8(&utf8[..written]), written);

            let mut units = vec![0; room];
            let length = to_utf16(&bytes, &mut units);
            assert_eq!(length, room.min(bytes.len()));
            let mut back = vec![0; length];
            assert_eq!(from_utf16(&units[..length], &mut back), length);
            assert_eq!(back, bytes[..length]);
        }
    });
}

#[test]
fn stops_before_a_code_point_above_u_00ff() {
    at_every_level(|_| {
        assert_eq!(from_utf8("aéĀ".as_bytes(), &mut [0; 9]), (3, 2));
        assert_eq!(prefix_length_utf8("aéĀ".as_bytes()), 3);
        assert_eq!(from_utf16(&[0x61, 0xFF, 0x100, 0x61], &mut [0; 9]), 2);
        assert_eq!(prefix_length_utf16(&[0x61, 0xFF, 0x100, 0x61]), 2);
    });
}

#[test]
fn stops_before_each_bit_above_the_lowest_eight_at_each_place() {
    at_every_level(|_| {
        for length in (1..140).chain([255, 256, 300]) {
            let mut units = vec![0xE9; length];
            for place in 0..length {
                for bit in 8..16 {
                    units[place] = 1 << bit | 0x41;
                    assert_eq!(from_utf16(&units, &mut [0; 300]), place, "bit {bit} of unit {place} of {length}");
                    assert_eq!(prefix_length_utf16(&units), place, "bit {bit} of unit {place} of {length}");
                }
                units[place] = 0xE9;
            }
        }
    });
}

/// Checks every length up to 150, with malformed and other bytes at random places, and destinations of several
/// lengths.
#[test]
fn every_level_equals_the_scalar_one() {
    at_every_level(|_| {
        let mut random = Random(7);
        for length in 0..150 {
            for kind in 0..40 {
                let is_beyond = |random: &mut Random| random.below(1 + kind) > 3;
                let bytes: Vec<_> =
                    (0..length).map(|_| (random.below(128) | usize::from(is_beyond(&mut random)) << 7) as u8).collect();
                let mut text: Vec<u8> =
                    bytes.iter().flat_map(|&byte| char::from(byte).to_string().into_bytes()).collect();
                if length != 0 && kind % 4 == 0 {
                    let at = random.below(text.len());
                    text[at] = [0x80, 0xC1, 0xC2, 0xC3, 0xC4, 0xE2, 0xFF, b'a'][random.below(8)];
                }
                assert_eq!(prefix_length_utf8(&text), scalar::prefix_length_utf8(&text), "{text:02X?}");
                for room in [0, length / 2, length, 2 * length, 2 * length + 200] {
                    let (mut written, mut expected) = (vec![0; room], vec![0; room]);
                    let done = scalar::to_utf8(&bytes, &mut expected);
                    assert_eq!(to_utf8(&bytes, &mut written), done, "{bytes:02X?} into {room}");
                    assert_eq!(written[..done.1], expected[..done.1], "{bytes:02X?}");
                    let done = scalar::from_utf8(&text, &mut expected);
                    assert_eq!(from_utf8(&text, &mut written), done, "{text:02X?} into {room}");
                    assert_eq!(written[..done.1], expected[..done.1], "{text:02X?}");
                }
            }
        }
    });
}
