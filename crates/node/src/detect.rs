//! The functions for the detector. A detector is a number, which is in word 0.

use textcodec_js::{Refusal, detect::Detectors};

use crate::napi::{Bytes, Call, Result, Value};

/// `newDetector(options)`: the number of a new detector. Returns a string, the code and the message of a RangeError, if
/// an option is invalid. [`Detectors::start`] describes the string with the options.
pub(crate) fn new_detector<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let options = call.text(0)?;
    let started = call.detectors().start(&options);
    number_or_refusal(call, started)
}

/// A number, or the text of a refusal.
pub(crate) fn number_or_refusal<'c>(
    call: &Call<'c>,
    number: std::result::Result<u32, Refusal>,
) -> Result<Option<Value<'c>>> {
    match number {
        Ok(number) => call.number(number as i32).map(Some),
        Err(Refusal(text)) => call.str(&text).map(Some),
    }
}

/// `feedDetector(bytes)`: looks at the next bytes. Returns `null` for shared memory.
pub(crate) fn feed_detector<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let bytes = match call.bytes(0)? {
        Bytes::Of(bytes) => bytes,
        Bytes::OfSharedArrayBuffer => return call.null().map(Some),
    };
    let number = call.word(0);
    call.detectors().feed(number, bytes);
    Ok(None)
}

/// `bestSoFar()`: the answer for the bytes so far, as JSON.
pub(crate) fn best_so_far<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    answer(call, Detectors::best_so_far)
}

/// `finishDetector()`: the answer for the whole text, as JSON. The number means nothing afterwards.
pub(crate) fn finish_detector<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    answer(call, Detectors::finish)
}

fn answer<'c>(call: &mut Call<'c>, ask: fn(&mut Detectors, u32) -> Option<String>) -> Result<Option<Value<'c>>> {
    let number = call.word(0);
    match ask(call.detectors(), number) {
        Some(json) => call.str(&json).map(Some),
        None => Ok(None),
    }
}

/// `forgetDetector()`: frees the memory of a detector.
pub(crate) fn forget_detector<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let number = call.word(0);
    call.detectors().forget(number);
    Ok(None)
}
