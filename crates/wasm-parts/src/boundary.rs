//! The functions that the script calls, with all `unsafe` code of this package.
#![allow(unsafe_code)]

use std::cell::UnsafeCell;

use crate::state::State;

/// What the library keeps between two calls.
struct Memory(UnsafeCell<Option<State>>);

// SAFETY: this module is compiled for wasm32 without threads only, as `compile_error!` below checks. A value cannot be
// seen by two threads where there is one.
unsafe impl Sync for Memory {}

#[cfg(target_feature = "atomics")]
compile_error!("the functions of this library use memory that only one thread may use");

static MEMORY: Memory = Memory(UnsafeCell::new(None));

/// Calls `function` with the state.
fn call(function: fn(&mut State, u32, u32, u32) -> i32, first: u32, second: u32, third: u32) -> i32 {
    // SAFETY: this is the only place that makes a reference to the memory, and the reference ends with the call. The
    // library imports nothing, so no function of the host can run meanwhile and call into the library again.
    let memory = unsafe { &mut *MEMORY.0.get() };
    function(memory.get_or_insert_with(State::new), first, second, third)
}

/// Declares the functions of the library: each calls the function of a module with the state and three numbers.
macro_rules! functions {
    ($($(#[$attribute:meta])* $name:ident = $function:path;)+) => {
        $(
            $(#[$attribute])*
            // SAFETY: no other function of this library or of the standard library has this name.
            #[unsafe(no_mangle)]
            pub(crate) extern "C" fn $name(first: u32, second: u32, third: u32) -> i32 {
                call($function, first, second, third)
            }
        )+
    };
}

functions! {
    /// The address of the input, which never changes.
    input_address = crate::state::input_address;
    /// The address of the output of the last call.
    output_address = crate::state::output_address;
    /// The length of the output of the last call.
    output_length = crate::state::output_length;
}

#[cfg(feature = "detect")]
functions! {
    /// Makes a detector.
    new_detector = crate::detect::new_detector;
    /// Feeds a detector.
    feed_detector = crate::detect::feed_detector;
    /// Asks a detector for its answer so far.
    best_so_far = crate::detect::best_so_far;
    /// Asks a detector for its answer, and forgets the detector.
    finish_detector = crate::detect::finish_detector;
    /// Forgets a detector.
    forget_detector = crate::detect::forget_detector;
}

#[cfg(feature = "charsets")]
functions! {
    /// All charsets.
    charsets = crate::charsets::charsets;
    /// Looks a charset up.
    look_up_charset = crate::charsets::look_up_charset;
    /// Starts to decode.
    new_charset_decoder = crate::charsets::new_charset_decoder;
    /// Decodes the next bytes.
    decode_charset = crate::charsets::decode_charset;
    /// Forgets a stream that decodes.
    forget_charset_decoder = crate::charsets::forget_charset_decoder;
    /// Starts to encode.
    new_charset_encoder = crate::charsets::new_charset_encoder;
    /// Encodes the next text.
    encode_charset = crate::charsets::encode_charset;
    /// Forgets a stream that encodes.
    forget_charset_encoder = crate::charsets::forget_charset_encoder;
}
