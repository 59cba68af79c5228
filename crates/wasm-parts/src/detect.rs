//! The functions for the detector. The first number is that of a detector; in `new_detector`, it is the length of the
//! options in the input.

use crate::state::{DONE, State};

pub(crate) fn new_detector(state: &mut State, length: u32, _: u32, _: u32) -> i32 {
    let options = state.text(length);
    let started = state.detectors.start(&options);
    state.started(started)
}

/// Looks at the first `length` bytes of the input.
pub(crate) fn feed_detector(state: &mut State, number: u32, length: u32, _: u32) -> i32 {
    state.detectors.feed(number, &state.input[..length as usize]);
    DONE
}

pub(crate) fn best_so_far(state: &mut State, number: u32, _: u32, _: u32) -> i32 {
    let answer = state.detectors.best_so_far(number);
    state.gave(answer.map(String::into_bytes))
}

pub(crate) fn finish_detector(state: &mut State, number: u32, _: u32, _: u32) -> i32 {
    let answer = state.detectors.finish(number);
    state.gave(answer.map(String::into_bytes))
}

pub(crate) fn forget_detector(state: &mut State, number: u32, _: u32, _: u32) -> i32 {
    state.detectors.forget(number);
    DONE
}
