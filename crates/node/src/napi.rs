//! The boundary to [Node-API](https://nodejs.org/api/n-api.html), with all `unsafe` code of this package.
//!
//! A call of native code takes a few dozen nanoseconds, and so does the conversion of each argument. Numbers and short
//! inputs and results therefore go through memory that the scripts also see: the *shared words* and the *shared bytes*,
//! which are made once for each script that opens this module.
#![allow(unsafe_code)]

use std::{
    any::Any,
    ffi::{CStr, CString, c_void},
    marker::PhantomData,
    panic::{self, AssertUnwindSafe},
    ptr, slice,
};

use napi::{Status, bindgen_prelude::Object, sys};
use napi_derive::napi;
use textcodec::{
    api::{JsString, TextDecoder},
    mem,
};
use textcodec_js::{charsets::Streams, detect::Detectors};

use crate::{charsets, decode, detect, encode};

/// The number of shared bytes, which follow the shared words.
const BYTES: usize = 4096;
/// The number of shared words: four for arguments and results of a call, eight for the state of a decoder.
const WORDS: usize = 12;
/// The index of the first shared word of a decoder's state.
const STATE: usize = 4;
/// The least capacity of the memory that strings are copied into, in code units.
const UNITS: usize = 4096;
/// The greatest length of a string in V8 on 64 bits, in code units.
pub(crate) const MAX_LENGTH: usize = (1 << 29) - 24;
/// The size of a string's text, in bytes, from which the string takes over the memory that was decoded into. V8 has
/// pages ready for shorter strings, so copying them costs less than new memory: half the time for 100 KB of UTF-16
/// (Node.js 20, x86-64), where most of the time goes to page faults.
pub(crate) const EXTERNAL: usize = 128 * 1024;

/// A JavaScript value that is valid during the current call.
#[derive(Clone, Copy)]
pub(crate) struct Value<'c>(sys::napi_value, PhantomData<&'c ()>);

/// The reason why a function throws.
pub(crate) enum Failure {
    /// Node-API returned an error, or the script passed an invalid argument.
    Refused(Box<napi::Error>),
    /// The text is longer than the longest string.
    TooLong,
}

impl From<napi::Error> for Failure {
    fn from(error: napi::Error) -> Self {
        Failure::Refused(Box::new(error))
    }
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

/// The data that is shared by all functions that one call of `open` has made.
struct Environment {
    words: *mut u32,
    bytes: *mut u8,
    has_external_strings: bool,
    /// Memory that strings are copied into.
    units: Vec<u16>,
    /// Memory that text is narrowed to Latin-1 in.
    latin1: Vec<u8>,
    /// The decoder that [`Call::prepared`] returned last, and the word that it was made for.
    prepared: Option<(u32, TextDecoder)>,
    /// The result of the last call if the script has to make an array for it.
    pending: Pending,
    detectors: Detectors,
    /// The streams of charsets that the Standard does not have.
    streams: Streams,
}

/// A result of encoding that waits for [`Call::take`].
#[derive(Default)]
pub(crate) enum Pending {
    #[default]
    Nothing,
    /// Encoded bytes.
    Bytes(Vec<u8>),
    /// Code units to encode into UTF-8. The text is at the front of the memory, and the number is its length.
    Units(Vec<u16>, usize),
}

/// A call from JavaScript: its arguments, and methods that make values to return.
pub(crate) struct Call<'c> {
    env: sys::napi_env,
    arguments: &'c [sys::napi_value],
    environment: &'c mut Environment,
}

/// The bytes of an argument.
pub(crate) enum Bytes<'c> {
    Of(&'c mut [u8]),
    /// Other threads may write to these bytes, so Rust may not read them. The script copies them and calls again.
    OfSharedArrayBuffer,
}

type Function = for<'c> fn(&mut Call<'c>) -> Result<Option<Value<'c>>>;

/// The functions and their names in the script.
const FUNCTIONS: [(&str, Function); 25] = [
    ("decode", decode::decode),
    ("decodeStream", decode::decode_stream),
    ("legacyDecode", decode::legacy_decode),
    ("bomSniff", decode::bom_sniff),
    ("labels", decode::labels),
    ("labelToEncoding", decode::label_to_encoding),
    ("encodeUtf8", encode::encode_utf8),
    ("encodeInto", encode::encode_into),
    ("encode", encode::encode),
    ("take", encode::take),
    ("percentEncode", encode::percent_encode),
    ("newDetector", detect::new_detector),
    ("feedDetector", detect::feed_detector),
    ("bestSoFar", detect::best_so_far),
    ("finishDetector", detect::finish_detector),
    ("forgetDetector", detect::forget_detector),
    ("charsets", charsets::charsets),
    ("lookUpCharset", charsets::look_up_charset),
    ("newCharsetDecoder", charsets::new_charset_decoder),
    ("decodeCharset", charsets::decode_charset),
    ("forgetCharsetDecoder", charsets::forget_charset_decoder),
    ("newCharsetEncoder", charsets::new_charset_encoder),
    ("encodeCharset", charsets::encode_charset),
    ("forgetCharsetEncoder", charsets::forget_charset_encoder),
    ("charsetError", charsets::charset_error),
];

fn check(status: sys::napi_status) -> napi::Result<()> {
    match Status::from(status) {
        Status::Ok => Ok(()),
        status => Err(napi::Error::from_status(status)),
    }
}

/// Puts the function `open` and the string `version` into the module's exports. `lib/modules.cjs` compares the version
/// with its own before it calls `open`.
#[napi(module_exports)]
pub(crate) fn register(exports: Object<'_>, env: napi::Env) -> napi::Result<()> {
    use napi::JsValue;
    let mut value = ptr::null_mut();
    let mut version = ptr::null_mut();
    let text = env!("CARGO_PKG_VERSION");
    // SAFETY: Node.js passed `env` and `exports` when it loaded this module, the pointers are to local variables, and
    // `text` has `text.len()` bytes.
    unsafe {
        let (env, exports) = (env.raw(), exports.raw());
        check(sys::napi_create_function(env, ptr::null(), 0, Some(open), ptr::null_mut(), &mut value))?;
        check(sys::napi_set_named_property(env, exports, c"open".as_ptr(), value))?;
        check(sys::napi_create_string_utf8(env, text.as_ptr().cast(), text.len() as isize, &mut version))?;
        check(sys::napi_set_named_property(env, exports, c"version".as_ptr(), version))
    }
}

/// `open()`: returns an object with the functions, and with the memory shared with them as `shared`. Each call of
/// `open` makes new memory, so only the caller has access to it.
unsafe extern "C" fn open(env: sys::napi_env, _: sys::napi_callback_info) -> sys::napi_value {
    match panic::catch_unwind(AssertUnwindSafe(|| make_environment(env))) {
        Ok(Ok(object)) => object,
        Ok(Err(error)) => fail(env, error.into()),
        Err(panic) => throw_panic(env, &*panic),
    }
}

fn make_environment(env: sys::napi_env) -> napi::Result<sys::napi_value> {
    let mut data = ptr::null_mut();
    let mut object = ptr::null_mut();
    let mut buffer = ptr::null_mut();
    let mut reference = ptr::null_mut();
    // SAFETY: `env` is the environment of the current call, and all pointers are to local variables.
    unsafe {
        check(sys::napi_create_object(env, &mut object))?;
        check(sys::napi_create_arraybuffer(env, 4 * WORDS + BYTES, &mut data, &mut buffer))?;
        // The reference is never deleted, because the functions can be called as long as the environment of Node.js
        // exists.
        check(sys::napi_create_reference(env, buffer, 1, &mut reference))?;
        check(sys::napi_set_named_property(env, object, c"shared".as_ptr(), buffer))?;
    }
    let environment = Box::into_raw(Box::new(Environment {
        words: data.cast(),
        // SAFETY: the buffer was created with `4 * WORDS + BYTES` bytes.
        bytes: unsafe { data.cast::<u8>().add(4 * WORDS) },
        has_external_strings: has_external_strings(env)?,
        units: Vec::with_capacity(UNITS),
        latin1: Vec::new(),
        prepared: None,
        pending: Pending::Nothing,
        detectors: Detectors::default(),
        streams: Streams::default(),
    }));
    // SAFETY: nothing else frees the box `environment`. Node.js calls `free` once, when it destroys its environment and
    // no function can be called any more.
    unsafe { check(sys::napi_add_env_cleanup_hook(env, Some(free), environment.cast()))? };
    for (name, function) in &FUNCTIONS {
        let mut value = ptr::null_mut();
        let named: Box<Named> = Box::new(Named { environment, function: *function });
        let named = Box::into_raw(named).cast::<c_void>();
        // SAFETY: `name` points to `length` bytes. `free_named` frees the box `named` when no function can be called
        // any more.
        unsafe {
            check(sys::napi_add_env_cleanup_hook(env, Some(free_named), named))?;
            let (name, length) = (name.as_ptr().cast(), name.len() as isize);
            check(sys::napi_create_function(env, name, length, Some(call), named, &mut value))?;
            let mut key = ptr::null_mut();
            check(sys::napi_create_string_utf8(env, name, length, &mut key))?;
            check(sys::napi_set_property(env, object, key, value))?;
        }
    }
    Ok(object)
}

/// The data of one function.
struct Named {
    environment: *mut Environment,
    function: Function,
}

unsafe extern "C" fn free(environment: *mut c_void) {
    // SAFETY: `make_environment` leaked this box and registered this call, which happens once.
    drop(unsafe { Box::from_raw(environment.cast::<Environment>()) });
}

unsafe extern "C" fn free_named(named: *mut c_void) {
    // SAFETY: `make_environment` leaked this box and registered this call, which happens once.
    drop(unsafe { Box::from_raw(named.cast::<Named>()) });
}

/// Whether Node.js has external strings. They came with Node.js 20.4, before Node-API 10 declared them.
fn has_external_strings(env: sys::napi_env) -> napi::Result<bool> {
    let mut version = ptr::null();
    // SAFETY: `version` is a local variable. Node.js sets it to a static structure.
    unsafe {
        check(sys::napi_get_node_version(env, &mut version))?;
        Ok(((*version).major, (*version).minor) >= (20, 4))
    }
}

/// The callback of all functions.
unsafe extern "C" fn call(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let mut arguments = [ptr::null_mut(); 2];
    let mut count = arguments.len();
    let mut data = ptr::null_mut();
    // SAFETY: Node.js passes `env` and `info`. All pointers are to local variables, and `count` is the length of
    // `arguments`.
    let status =
        unsafe { sys::napi_get_cb_info(env, info, &mut count, arguments.as_mut_ptr(), ptr::null_mut(), &mut data) };
    if status != sys::Status::napi_ok {
        return ptr::null_mut();
    }
    // SAFETY: `data` is the box that `make_environment` registered for this function. `free_named` has not run, because
    // the function is being called.
    let named = unsafe { &*data.cast::<Named>() };
    // SAFETY: `free` has not run, because a function is being called. There is no other reference: only this thread
    // calls, and no function calls JavaScript.
    let environment = unsafe { &mut *named.environment };
    let mut call = Call { env, arguments: &arguments[..count.min(arguments.len())], environment };
    let run = || match (named.function)(&mut call) {
        Ok(Some(Value(value, _))) => value,
        Ok(None) => ptr::null_mut(),
        Err(failure) => fail(env, failure),
    };
    // A panic may leave the memory that calls share in any condition, so it is freed here. A stream keeps the state
    // that it had before the call.
    panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        call.environment.units = Vec::new();
        call.environment.latin1 = Vec::new();
        call.environment.pending = Pending::Nothing;
        throw_panic(env, &*panic)
    })
}

/// Throws the error of a panic, which would end the process if it went on.
#[cold]
fn throw_panic(env: sys::napi_env, panic: &(dyn Any + Send)) -> sys::napi_value {
    throw(env, c"ERR_INTERNAL_ASSERTION", &format!("textcodec failed: {}", message(panic)))
}

/// Throws the error of a failure.
#[cold]
fn fail(env: sys::napi_env, failure: Failure) -> sys::napi_value {
    match failure {
        Failure::TooLong => {
            let message = format!("Cannot create a string longer than {MAX_LENGTH:#x} characters");
            throw(env, c"ERR_STRING_TOO_LONG", &message)
        }
        Failure::Refused(error) => {
            // SAFETY: `env` is the environment of the current call.
            unsafe { napi::JsError::from(*error).throw_into(env) };
            ptr::null_mut()
        }
    }
}

/// The message of a panic.
fn message(panic: &(dyn Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(message), _) => message,
        (_, Some(message)) => message,
        _ => "panic",
    }
}

/// Throws an Error. The returned pointer is null, which stands for no value.
fn throw(env: sys::napi_env, code: &CStr, message: &str) -> sys::napi_value {
    let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
    // SAFETY: `env` is the environment of the current call, and both strings end with a zero. The status may be
    // ignored: it only says that another error was thrown before.
    unsafe { sys::napi_throw_error(env, code.as_ptr(), message.as_ptr()) };
    ptr::null_mut()
}

impl<'c> Call<'c> {
    /// A shared word.
    pub(crate) fn word(&self, number: usize) -> u32 {
        assert!(number < WORDS);
        // SAFETY: `number` is less than `WORDS` by the assertion, and `words` points to `WORDS` words. They are
        // aligned, because an ArrayBuffer's memory is. A reference keeps the buffer, and only `native.cjs` could
        // detach it, which exports neither the buffer nor a view of it. JavaScript does not run during the call.
        unsafe { self.environment.words.add(number).read() }
    }

    /// Sets a shared word.
    pub(crate) fn set_word(&mut self, number: usize, word: u32) {
        assert!(number < WORDS);
        // SAFETY: as in `word`, with the same assertion.
        unsafe { self.environment.words.add(number).write(word) }
    }

    /// The state of a decoder, from the shared words.
    pub(crate) fn state(&self) -> [u64; 4] {
        let half = |number: usize| u64::from(self.word(STATE + number));
        [0, 2, 4, 6].map(|number| half(number) | half(number + 1) << 32)
    }

    /// Puts the state of a decoder into the shared words.
    pub(crate) fn set_state(&mut self, state: [u64; 4]) {
        for (number, word) in state.into_iter().enumerate() {
            self.set_word(STATE + 2 * number, word as u32);
            self.set_word(STATE + 2 * number + 1, (word >> 32) as u32);
        }
    }

    /// The bytes of a Uint8Array. If there is no argument of this number, returns as many of the shared bytes as word 1
    /// says.
    ///
    /// Inlined, because one more call is noticeable in so short a function.
    #[inline(always)]
    pub(crate) fn bytes(&mut self, number: usize) -> Result<Bytes<'c>> {
        let Some(&value) = self.arguments.get(number) else {
            return Ok(Bytes::Of(self.shared()));
        };
        let mut data = ptr::null_mut();
        let mut length = 0;
        let mut buffer = ptr::null_mut();
        let mut is_array_buffer = false;
        let env = self.env;
        // SAFETY: `value` is an argument of the current call. The pointers are to local variables, or null for results
        // that are not needed.
        unsafe {
            let (kind, offset) = (ptr::null_mut(), ptr::null_mut());
            check(sys::napi_get_typedarray_info(env, value, kind, &mut length, &mut data, &mut buffer, offset))?;
            check(sys::napi_is_arraybuffer(env, buffer, &mut is_array_buffer))?;
        }
        if !is_array_buffer {
            return Ok(Bytes::OfSharedArrayBuffer);
        }
        if length == 0 || data.is_null() {
            return Ok(Bytes::Of(&mut []));
        }
        // SAFETY: Node-API says that the array has `length` elements at `data`; an element of any type has a byte at
        // least. The memory stays valid during the call, in which JavaScript does not run. `is_array_buffer` says that
        // no other thread sees it. No function takes two arrays.
        Ok(Bytes::Of(unsafe { slice::from_raw_parts_mut(data.cast(), length) }))
    }

    /// As many of the shared bytes as word 1 says, at most all of them.
    pub(crate) fn shared(&mut self) -> &'c mut [u8] {
        let length = (self.word(1) as usize).min(BYTES);
        // SAFETY: `length` is at most `BYTES` by `min`, and the buffer lives as for `word`. No function calls `shared`
        // twice, so there is only one such slice at a time.
        unsafe { slice::from_raw_parts_mut(self.environment.bytes, length) }
    }

    /// The code units of a string, and their number. They are at the front of the returned memory. Word 3 has the
    /// length of the string; at most `most` code units are copied.
    pub(crate) fn units(&mut self, number: usize, most: usize) -> Result<(Vec<u16>, usize)> {
        let (env, value) = (self.env, self.arguments[number]);
        let most = most.min(self.word(3) as usize);
        let mut units = std::mem::take(&mut self.environment.units);
        // Node-API writes a zero after the last code unit.
        let capacity = most + 1;
        if units.capacity() < capacity {
            units.clear();
            units.reserve(capacity.max(UNITS));
        }
        let mut length = 0;
        // SAFETY: `value` is an argument of the current call. `units` has a capacity of at least `capacity`, by
        // `reserve`. Node-API initializes at most that many units: `length` units and a zero. The units before the old
        // length were initialized before, so `set_len` covers initialized units only.
        unsafe {
            check(sys::napi_get_value_string_utf16(env, value, units.as_mut_ptr(), capacity, &mut length))?;
            units.set_len(units.len().max(length));
        }
        Ok((units, length))
    }

    /// A string, with U+FFFD for each surrogate without a partner. Word 3 has its length in code units.
    pub(crate) fn text(&mut self, number: usize) -> Result<String> {
        let (memory, length) = self.units(number, MAX_LENGTH)?;
        let mut utf8 = vec![0; 3 * length];
        let (_, written) = mem::utf16_to_utf8(&memory[..length], &mut utf8);
        self.done_with(memory);
        utf8.truncate(written);
        Ok(String::from_utf8(utf8).expect("the encoder writes well-formed UTF-8"))
    }

    /// The detectors of the scripts.
    pub(crate) fn detectors(&mut self) -> &mut Detectors {
        &mut self.environment.detectors
    }

    /// The streams of charsets that the Standard does not have.
    pub(crate) fn streams(&mut self) -> &mut Streams {
        &mut self.environment.streams
    }

    /// Memory for at least `length` code units, with any content.
    pub(crate) fn buffer(&mut self, length: usize) -> Vec<u16> {
        let mut units = std::mem::take(&mut self.environment.units);
        units.resize(length.max(units.len()), 0);
        units
    }

    /// Memory for `length` bytes, with the content of the last use.
    pub(crate) fn latin1_buffer(&mut self, length: usize) -> &mut [u8] {
        let latin1 = &mut self.environment.latin1;
        latin1.resize(length.max(latin1.len()), 0);
        &mut latin1[..length]
    }

    /// Keeps the memory of [`Call::units`] or [`Call::buffer`] for the next call, unless it is large.
    pub(crate) fn done_with(&mut self, units: Vec<u16>) {
        if units.capacity() <= EXTERNAL + UNITS {
            self.environment.units = units;
        } else {
            self.environment.units.reserve(UNITS);
        }
    }

    /// The value `null`.
    pub(crate) fn null(&self) -> Result<Value<'c>> {
        let mut value = ptr::null_mut();
        // SAFETY: `value` is a local variable.
        unsafe { check(sys::napi_get_null(self.env, &mut value))? };
        Ok(Value(value, PhantomData))
    }

    /// A JavaScript number.
    pub(crate) fn number(&self, number: i32) -> Result<Value<'c>> {
        let mut value = ptr::null_mut();
        // SAFETY: `value` is a local variable.
        unsafe { check(sys::napi_create_int32(self.env, number, &mut value))? };
        Ok(Value(value, PhantomData))
    }

    /// A string. A large one takes over the memory of `string`, or of a copy if `string` is borrowed.
    pub(crate) fn string(&self, string: JsString<'_>) -> Result<Value<'c>> {
        use std::borrow::Cow;
        check_length(string.len())?;
        match string {
            JsString::Latin1(bytes) if self.is_external(bytes.len()) => {
                let bytes = match bytes {
                    Cow::Owned(bytes) => bytes,
                    Cow::Borrowed(bytes) => copy_of(bytes),
                };
                self.external(bytes, sys::node_api_create_external_string_latin1)
            }
            JsString::Utf16(units) if self.is_external(2 * units.len()) => {
                self.external(units, sys::node_api_create_external_string_utf16)
            }
            JsString::Latin1(bytes) => self.latin1(&bytes),
            JsString::Utf16(units) => self.utf16(&units),
        }
    }

    /// A string with a copy of `text`.
    pub(crate) fn str(&self, text: &str) -> Result<Value<'c>> {
        if mem::is_utf8_latin1(text.as_bytes()) {
            let mut latin1 = vec![0; text.len()];
            let (_, length) = mem::utf8_to_latin1(text.as_bytes(), &mut latin1);
            latin1.truncate(length);
            return self.string(JsString::Latin1(latin1.into()));
        }
        let mut units = vec![0; text.len()];
        let (_, length) = mem::str_to_utf16(text, &mut units);
        units.truncate(length);
        self.string(JsString::Utf16(units))
    }

    /// The string of the first `length` bytes of [`Call::latin1_buffer`].
    pub(crate) fn latin1_of_buffer(&self, length: usize) -> Result<Value<'c>> {
        self.latin1(&self.environment.latin1[..length])
    }

    fn latin1(&self, bytes: &[u8]) -> Result<Value<'c>> {
        let mut value = ptr::null_mut();
        // SAFETY: the pointer and the length are those of a slice. Node-API copies the text.
        unsafe {
            let (data, length) = (bytes.as_ptr().cast(), bytes.len() as isize);
            check(sys::napi_create_string_latin1(self.env, data, length, &mut value))?;
        }
        Ok(Value(value, PhantomData))
    }

    /// A string with a copy of `units`, outside of V8's heap if they are many.
    pub(crate) fn utf16(&self, units: &[u16]) -> Result<Value<'c>> {
        if self.is_external(size_of_val(units)) {
            return self.external(copy_of(units), sys::node_api_create_external_string_utf16);
        }
        let mut value = ptr::null_mut();
        // SAFETY: the pointer and the length are those of a slice. Node-API copies the text.
        unsafe {
            let (data, length) = (units.as_ptr(), units.len() as isize);
            check(sys::napi_create_string_utf16(self.env, data, length, &mut value))?;
        }
        Ok(Value(value, PhantomData))
    }

    fn is_external(&self, bytes: usize) -> bool {
        self.environment.has_external_strings && bytes >= EXTERNAL
    }

    fn external<T, P>(&self, mut units: Vec<T>, create: CreateExternal<P>) -> Result<Value<'c>> {
        units.shrink_to_fit();
        let length = units.len() as isize;
        let size = units.capacity() * size_of::<T>();
        let data = units.as_ptr().cast_mut().cast();
        let units = Box::into_raw(Box::new(units));
        let mut value = ptr::null_mut();
        let mut copied = false;
        // SAFETY: `data` points to `length` units, which nobody moves or changes until `drop_units` frees them. Node.js
        // calls that function once, when it has collected or copied the string. After an error Node.js may or may not
        // call that function, so the units are never freed here.
        unsafe {
            check(create(self.env, data, length, Some(drop_units::<T>), units.cast(), &mut value, &mut copied))?;
        }
        adjust_external_memory(self.env, size as i64);
        Ok(Value(value, PhantomData))
    }

    /// All shared bytes. Sets word 1 to their number.
    pub(crate) fn all_shared(&mut self) -> &'c mut [u8] {
        self.set_word(1, BYTES as u32);
        self.shared()
    }

    /// Keeps a result until the script has an array for it.
    pub(crate) fn keep(&mut self, pending: Pending) {
        self.environment.pending = pending;
    }

    /// The result that [`Call::keep`] kept.
    pub(crate) fn take(&mut self) -> Pending {
        std::mem::take(&mut self.environment.pending)
    }

    /// A new decoder, which `make` makes for word 0. The decoder of the previous call is used again if the word is the
    /// same: making one takes 10 to 15 ns longer, because its small stores have to complete before it can be copied
    /// with large loads.
    #[inline]
    pub(crate) fn prepared(&mut self, make: impl FnOnce(&Self) -> Result<TextDecoder>) -> Result<&TextDecoder> {
        let word = self.word(0) & 0x3FF;
        if !matches!(self.environment.prepared, Some((of, _)) if of == word) {
            self.environment.prepared = Some((word, make(self)?));
        }
        let (_, decoder) = self.environment.prepared.as_ref().expect("it was made");
        Ok(decoder)
    }
}

/// Fails if a string cannot have `length` code units.
pub(crate) fn check_length(length: usize) -> Result<()> {
    if length > MAX_LENGTH { Err(Failure::TooLong) } else { Ok(()) }
}

/// A copy of `units` in memory that a string can take over.
fn copy_of<T: Copy>(units: &[T]) -> Vec<T> {
    let mut copy = Vec::with_capacity(units.len());
    populate(&mut copy, units.len());
    copy.extend_from_slice(units);
    copy
}

/// Asks Linux for the pages of the next `count` units in the spare capacity of `units`. One request takes half the time
/// of one page fault for each page. Pages that are present are left alone, because the request would take as long as
/// the stores.
#[cfg(target_os = "linux")]
pub(crate) fn populate<T>(units: &mut Vec<T>, count: usize) {
    let spare = units.spare_capacity_mut();
    let length = spare.len().min(count) * size_of::<T>();
    let spare = spare.as_mut_ptr().cast::<u8>();
    // SAFETY: this call only returns a number.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
    let before = spare.align_offset(page);
    let length = length.saturating_sub(before) / page * page;
    if length == 0 {
        return;
    }
    let start = spare.wrapping_add(before).cast();
    let mut is_there = 0;
    // SAFETY: `start` and `length` describe whole pages inside of `spare`, which has no other reference. `mincore`
    // writes one byte for the first page, into `is_there`. Neither call changes the content of memory. Linux before
    // 5.14 rejects the second call.
    unsafe {
        if libc::mincore(start, page, &mut is_there) == 0 && is_there & 1 == 0 {
            libc::madvise(start, length, libc::MADV_POPULATE_WRITE);
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn populate<T>(_: &mut Vec<T>, _: usize) {}

/// The type of the two functions of Node-API that make external strings.
type CreateExternal<P> = unsafe fn(
    sys::napi_env,
    *const P,
    isize,
    sys::node_api_basic_finalize,
    *mut c_void,
    *mut sys::napi_value,
    *mut bool,
) -> sys::napi_status;

unsafe extern "C" fn drop_units<T>(env: sys::node_api_basic_env, _: *mut c_void, units: *mut c_void) {
    // SAFETY: `external` leaked this box for this call, which happens once.
    let units = unsafe { Box::from_raw(units.cast::<Vec<T>>()) };
    adjust_external_memory(env.cast(), -((units.capacity() * size_of::<T>()) as i64));
}

/// Tells V8 how much memory its strings hold outside of its heap. V8 would collect such strings too late otherwise.
fn adjust_external_memory(env: sys::napi_env, change: i64) {
    let mut total = 0;
    // SAFETY: `env` is the environment of a call or a finalizer, and `total` is a local variable.
    unsafe { sys::napi_adjust_external_memory(env, change, &mut total) };
}
