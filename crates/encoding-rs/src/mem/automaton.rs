//! An automaton that finds out whether UTF-8 is well-formed and has no right-to-left character. It takes one step for
//! each byte, without a branch, so that it costs the same for all texts of one length.
//!
//! A state is a shift from 0 to 63. The step for a byte is a number of 64 bits, which has the next state of each state
//! at the place of that state: six bits for each of ten states. So a step is one shift.
//!
//! Ten states are not enough for all right-to-left characters. The automaton stops at some sequences that need a closer
//! look; the table in `next` names them.

/// The next byte begins a sequence. The automaton begins here.
const BEGIN: u8 = 6;
/// One more byte of the sequence is to come, and then two.
const ONE: u8 = 12;
const TWO: u8 = 18;
/// The sequence has begun with the byte in the name.
const AFTER_E0: u8 = 24;
const AFTER_E2: u8 = 30;
const AFTER_ED: u8 = 36;
const AFTER_EF: u8 = 42;
const AFTER_F0: u8 = 48;
/// The sequence has begun with E2 80 or E2 81, as the right-to-left controls do.
const AFTER_E2_80: u8 = 54;
/// The text is malformed, right-to-left, or in need of a closer look. The automaton stays here.
const STOP: u8 = 0;

/// The state after `state` and `byte`.
const fn next(state: u8, byte: u8) -> u8 {
    match (state, byte) {
        (BEGIN, 0x00..=0x7F) => BEGIN,
        // From D7 on, two bytes are right-to-left. D6 begins Armenian and Hebrew letters.
        (BEGIN, 0xC2..=0xD5) => ONE,
        (BEGIN, 0xE0) => AFTER_E0,
        (BEGIN, 0xE2) => AFTER_E2,
        (BEGIN, 0xED) => AFTER_ED,
        (BEGIN, 0xEF) => AFTER_EF,
        (BEGIN, 0xE1..=0xEE) => TWO,
        // F1 to F4 begin no characters of any script.
        (BEGIN, 0xF0) => AFTER_F0,
        (ONE, 0x80..=0xBF) => BEGIN,
        (TWO, 0x80..=0xBF) => ONE,
        // Up to U+08FF, three bytes are right-to-left.
        (AFTER_E0, 0xA4..=0xBF) => ONE,
        (AFTER_E2, 0x80..=0x81) => AFTER_E2_80,
        (AFTER_E2, 0x82..=0xBF) => ONE,
        // Four controls, some of them in only one of the two rows.
        (AFTER_E2_80, 0x8F | 0xA7 | 0xAB | 0xAE) => STOP,
        (AFTER_E2_80, 0x80..=0xBF) => BEGIN,
        (AFTER_ED, 0x80..=0x9F) => ONE,
        // EF AC to EF BB are presentation forms, except the variation selectors in EF B8.
        (AFTER_EF, 0x80..=0xAB | 0xB8 | 0xBC..=0xBF) => ONE,
        // F0 90 and F0 9E begin right-to-left scripts, among others.
        (AFTER_F0, 0x91..=0x9D | 0x9F..=0xBF) => TWO,
        _ => STOP,
    }
}

/// The states after each byte.
static STEPS: [u64; 256] = {
    let mut steps = [0; 256];
    let mut byte = 0;
    while byte < steps.len() {
        let mut state = BEGIN;
        while state <= AFTER_E2_80 {
            steps[byte] |= (next(state, byte as u8) as u64) << state;
            state += BEGIN;
        }
        byte += 1;
    }
    steps
};

/// Whether `text` is well-formed UTF-8 without right-to-left characters. False may also mean that it needs a closer
/// look.
#[inline(always)]
pub(super) fn accepts(text: &[u8]) -> bool {
    let state = text.iter().fold(u64::from(BEGIN), |state, &byte| STEPS[usize::from(byte)] >> (state & 63));
    state & 63 == u64::from(BEGIN)
}
