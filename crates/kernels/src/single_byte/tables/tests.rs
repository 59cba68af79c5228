//! Each invariant of a table: a constructor accepts a right table, and panics at a table that differs in one point.

use super::Characters;
use crate::{base::units::NULL, testing::refuses};

#[test]
fn characters_refuse_code_units_that_are_no_characters() {
    for unit in [0, 0x7F, 0xD800, 0xDFFF, 0xFFFE, 0xFFFF] {
        let mut units = [NULL; 128];
        units[77] = unit;
        refuses("a byte has ASCII, a surrogate, U+FFFE or U+FFFF", || Characters::new(units));
        assert!(Characters::checked(units).is_none(), "{unit:X}");
    }
}

#[test]
fn characters_made_at_run_time_have_their_code_units() {
    for unit in [0x80, 0xD7FF, 0xE000, NULL] {
        let mut units = [NULL; 128];
        units[77] = unit;
        assert_eq!(Characters::checked(units).map(|characters| characters.units()[77]), Some(unit), "{unit:X}");
    }
}
