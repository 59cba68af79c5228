//! What a library keeps between two calls.

use textcodec_js::Refusal;

/// The greatest length of the input in bytes.
pub(crate) const INPUT: usize = 64 * 1024;
/// The result of a function that has succeeded without a number.
pub(crate) const DONE: i32 = 0;
/// The result of a function that has failed. The output says why.
pub(crate) const FAILED: i32 = -1;

/// The memory that the script sees, and the values that it knows by numbers.
pub(crate) struct State {
    pub(crate) input: Box<[u8; INPUT]>,
    pub(crate) output: Vec<u8>,
    #[cfg(feature = "detect")]
    pub(crate) detectors: textcodec_js::detect::Detectors,
    #[cfg(feature = "charsets")]
    pub(crate) streams: textcodec_js::charsets::Streams,
}

impl State {
    pub(crate) fn new() -> Self {
        State {
            input: Box::new([0; INPUT]),
            output: Vec::new(),
            #[cfg(feature = "detect")]
            detectors: Default::default(),
            #[cfg(feature = "charsets")]
            streams: Default::default(),
        }
    }

    /// The first `length` bytes of the input as text. The script writes well-formed UTF-8.
    pub(crate) fn text(&self, length: u32) -> String {
        String::from_utf8_lossy(&self.input[..length as usize]).into_owned()
    }

    /// Gives the script a number, or the text of a refusal.
    pub(crate) fn started(&mut self, result: Result<u32, Refusal>) -> i32 {
        match result {
            Ok(number) => number as i32,
            Err(refusal) => self.refused(refusal),
        }
    }

    fn refused(&mut self, Refusal(text): Refusal) -> i32 {
        self.output = text.into_bytes();
        FAILED
    }

    /// Gives the script a text, or the text of a refusal.
    #[cfg(feature = "charsets")]
    pub(crate) fn answered(&mut self, result: Result<String, Refusal>) -> i32 {
        match result {
            Ok(text) => self.gave(Some(text.into_bytes())),
            Err(refusal) => self.refused(refusal),
        }
    }

    /// Gives the script bytes, or nothing.
    pub(crate) fn gave(&mut self, bytes: Option<Vec<u8>>) -> i32 {
        let is_done = bytes.is_some();
        self.output = bytes.unwrap_or_default();
        if is_done { DONE } else { FAILED }
    }
}

pub(crate) fn input_address(state: &mut State, _: u32, _: u32, _: u32) -> i32 {
    state.input.as_ptr().addr() as i32
}

pub(crate) fn output_address(state: &mut State, _: u32, _: u32, _: u32) -> i32 {
    state.output.as_ptr().addr() as i32
}

pub(crate) fn output_length(state: &mut State, _: u32, _: u32, _: u32) -> i32 {
    state.output.len() as i32
}
