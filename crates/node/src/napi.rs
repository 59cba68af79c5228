//! [Node-API](https://nodejs.org/api/n-api.html): all that touches C, and the only `unsafe` of this package.
//!
//! Calls here are a few dozen nanoseconds, and so are those that convert an argument. So numbers, short inputs and results that are
//! numbers go through memory that the script sees, too: *shared* words and bytes, made once for whoever opens this module.
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
use textcodec::api::{JsString, TextDecoder};

use crate::{decode, encode};

/// How many bytes the shared memory has behind its words.
const BYTES: usize = 4096;
/// How many words: four for arguments and results of a call, eight for the state of a decoder.
const WORDS: usize = 12;
/// The first word of a decoder's state.
const STATE: usize = 4;
/// How many code units of a string there is room for from the start.
const UNITS: usize = 4096;
/// How many code units a string of V8 can have, on 64 bits.
pub(crate) const MAX_LENGTH: usize = (1 << 29) - 24;
/// From how many bytes on a string takes over the memory that was decoded into. V8 has pages at hand for what is smaller, so that a copy
/// costs less than new memory: half the time for 100 KB of UTF-16 with Node.js 20 on x86-64, where page faults are most of it.
pub(crate) const EXTERNAL: usize = 128 * 1024;

/// A value of JavaScript. It lives as long as the call that has it.
#[derive(Clone, Copy)]
pub(crate) struct Value<'c>(sys::napi_value, PhantomData<&'c ()>);

/// Why a function fails: what the script's error is.
pub(crate) enum Failure {
    /// Node-API refuses, or the script asked for what it never does.
    Refused(Box<napi::Error>),
    /// The text is longer than a string can be.
    TooLong,
}

impl From<napi::Error> for Failure {
    fn from(error: napi::Error) -> Self {
        Failure::Refused(Box::new(error))
    }
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

/// What is kept for all functions of one opening of this module, as their data.
struct Environment {
    words: *mut u32,
    bytes: *mut u8,
    has_external_strings: bool,
    /// Where strings are read into.
    units: Vec<u16>,
    /// Where strings are made Latin-1.
    latin1: Vec<u8>,
    /// What [`Call::prepared`] returned last, and for which word.
    prepared: Option<(u32, TextDecoder)>,
    /// Bytes that the script has no array for yet.
    pending: Pending,
}

/// The result of encoding, which waits for [`Call::take`].
#[derive(Default)]
pub(crate) enum Pending {
    #[default]
    Nothing,
    /// Encoded bytes.
    Bytes(Vec<u8>),
    /// Code units to encode into UTF-8: the first of the memory, as many as the number says.
    Units(Vec<u16>, usize),
}

/// A function's call: its arguments, and values to return.
pub(crate) struct Call<'c> {
    env: sys::napi_env,
    arguments: &'c [sys::napi_value],
    environment: &'c mut Environment,
}

/// Bytes of an argument.
pub(crate) enum Bytes<'c> {
    Of(&'c mut [u8]),
    /// Other threads may write to them, so Rust may not read them: the script is to copy them and to call again.
    OfSharedArrayBuffer,
}

type Function = for<'c> fn(&mut Call<'c>) -> Result<Option<Value<'c>>>;

/// The functions, by the names that the script knows them by.
const FUNCTIONS: [(&str, Function); 11] = [
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
];

fn check(status: sys::napi_status) -> napi::Result<()> {
    match Status::from(status) {
        Status::Ok => Ok(()),
        status => Err(napi::Error::from_status(status)),
    }
}

/// Puts `open` into the module's exports.
#[napi(module_exports)]
pub(crate) fn register(exports: Object<'_>, env: napi::Env) -> napi::Result<()> {
    use napi::JsValue;
    let mut value = ptr::null_mut();
    // SAFETY: these are the environment and the exports that Node.js loads this module with; the pointer is to a local.
    unsafe {
        let (env, exports) = (env.raw(), exports.raw());
        check(sys::napi_create_function(env, ptr::null(), 0, Some(open), ptr::null_mut(), &mut value))?;
        check(sys::napi_set_named_property(env, exports, c"open".as_ptr(), value))
    }
}

/// `open()`: an object that has the functions, and as `shared` the memory that is shared with them. It is the caller's alone, and no other
/// call returns the same: whatever else there is in the program, it has no way to that memory.
unsafe extern "C" fn open(env: sys::napi_env, _: sys::napi_callback_info) -> sys::napi_value {
    make_environment(env).unwrap_or_else(|error| {
        // SAFETY: `env` is the caller's.
        unsafe { napi::JsError::from(error).throw_into(env) };
        ptr::null_mut()
    })
}

fn make_environment(env: sys::napi_env) -> napi::Result<sys::napi_value> {
    let mut data = ptr::null_mut();
    let mut object = ptr::null_mut();
    let mut buffer = ptr::null_mut();
    let mut reference = ptr::null_mut();
    // SAFETY: `env` is that of a call; all pointers are to locals.
    unsafe {
        check(sys::napi_create_object(env, &mut object))?;
        check(sys::napi_create_arraybuffer(env, 4 * WORDS + BYTES, &mut data, &mut buffer))?;
        // Never deleted: the functions below can be called as long as Node.js's environment lives.
        check(sys::napi_create_reference(env, buffer, 1, &mut reference))?;
        check(sys::napi_set_named_property(env, object, c"shared".as_ptr(), buffer))?;
    }
    let environment = Box::into_raw(Box::new(Environment {
        words: data.cast(),
        // SAFETY: the buffer has that many bytes and more.
        bytes: unsafe { data.cast::<u8>().add(4 * WORDS) },
        has_external_strings: has_external_strings(env)?,
        units: Vec::with_capacity(UNITS),
        latin1: Vec::new(),
        prepared: None,
        pending: Pending::Nothing,
    }));
    // SAFETY: `environment` is a box that nothing else frees, and `free` is called once, when Node.js's environment is torn down
    // and no function can be called any more.
    unsafe { check(sys::napi_add_env_cleanup_hook(env, Some(free), environment.cast()))? };
    for (name, function) in &FUNCTIONS {
        let mut value = ptr::null_mut();
        let named: Box<Named> = Box::new(Named { environment, function: *function });
        let named = Box::into_raw(named).cast::<c_void>();
        // SAFETY: the name has the length that is given; `named` stays for as long as `call` can be called with it, see `free_named`.
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

/// The data of a function of an environment.
struct Named {
    environment: *mut Environment,
    function: Function,
}

unsafe extern "C" fn free(environment: *mut c_void) {
    // SAFETY: `make_environment` gave this box away for this call only.
    drop(unsafe { Box::from_raw(environment.cast::<Environment>()) });
}

unsafe extern "C" fn free_named(named: *mut c_void) {
    // SAFETY: `make_environment` gave this box away for this call only.
    drop(unsafe { Box::from_raw(named.cast::<Named>()) });
}

/// Whether Node.js has the functions of version 10 of Node-API: since 20.4, under another version's name.
fn has_external_strings(env: sys::napi_env) -> napi::Result<bool> {
    let mut version = ptr::null();
    // SAFETY: `version` is a local that Node.js points to memory of its own, which stays.
    unsafe {
        check(sys::napi_get_node_version(env, &mut version))?;
        Ok(((*version).major, (*version).minor) >= (20, 4))
    }
}

/// What Node.js calls for all functions.
unsafe extern "C" fn call(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let mut arguments = [ptr::null_mut(); 2];
    let mut count = arguments.len();
    let mut data = ptr::null_mut();
    // SAFETY: Node.js gives `env` and `info`; all pointers are to locals, and `count` says how long `arguments` is.
    let status =
        unsafe { sys::napi_get_cb_info(env, info, &mut count, arguments.as_mut_ptr(), ptr::null_mut(), &mut data) };
    if status != sys::Status::napi_ok {
        return ptr::null_mut();
    }
    // SAFETY: `data` is the box that `make_environment` made for this function, and the environment lives: it is calling.
    let named = unsafe { &*data.cast::<Named>() };
    // SAFETY: as before. Nothing else has a reference to it, because only this thread calls and no function calls
    // back into the script.
    let environment = unsafe { &mut *named.environment };
    let mut call = Call { env, arguments: &arguments[..count.min(arguments.len())], environment };
    let run = || match (named.function)(&mut call) {
        Ok(Some(Value(value, _))) => value,
        Ok(None) => ptr::null_mut(),
        Err(failure) => fail(env, failure),
    };
    // After a panic the memory that calls share may be in any condition, so it is freed here. A stream keeps the state that it had
    // before the call.
    panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        call.environment.units = Vec::new();
        call.environment.latin1 = Vec::new();
        call.environment.pending = Pending::Nothing;
        throw(env, c"ERR_INTERNAL_ASSERTION", &format!("textcodec failed: {}", message(&*panic)))
    })
}

/// Throws what a failure is in the script.
#[cold]
fn fail(env: sys::napi_env, failure: Failure) -> sys::napi_value {
    match failure {
        Failure::TooLong => {
            let message = format!("Cannot create a string longer than {MAX_LENGTH:#x} characters");
            throw(env, c"ERR_STRING_TOO_LONG", &message)
        }
        Failure::Refused(error) => {
            // SAFETY: `env` is that of a call.
            unsafe { napi::JsError::from(*error).throw_into(env) };
            ptr::null_mut()
        }
    }
}

/// What a panic says.
fn message(panic: &(dyn Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(message), _) => message,
        (_, Some(message)) => message,
        _ => "panic",
    }
}

/// Throws an Error in the script. There is nothing to return then.
fn throw(env: sys::napi_env, code: &CStr, message: &str) -> sys::napi_value {
    let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
    // SAFETY: `env` is that of a call; both strings end in zeros. What this returns says only whether an error was thrown already.
    unsafe { sys::napi_throw_error(env, code.as_ptr(), message.as_ptr()) };
    ptr::null_mut()
}

impl<'c> Call<'c> {
    /// A shared word.
    pub(crate) fn word(&self, number: usize) -> u32 {
        assert!(number < WORDS);
        // SAFETY: `words` points to `WORDS` of them, aligned since an ArrayBuffer's memory is. The buffer is kept by a reference, and
        // nobody detaches it: `open` gave it to `lib/native.cjs` alone, which neither exports it nor a view of it, nor passes one to a
        // function that is not the language's own. The script does not run meanwhile.
        unsafe { self.environment.words.add(number).read() }
    }

    /// Sets a shared word.
    pub(crate) fn set_word(&mut self, number: usize, word: u32) {
        assert!(number < WORDS);
        // SAFETY: as for `word`.
        unsafe { self.environment.words.add(number).write(word) }
    }

    /// The state of a decoder, in the shared words.
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

    /// The bytes of a Uint8Array; if there is no such argument, as many of the shared bytes as word 1 says.
    // A call is so short that one more within it shows.
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
        // SAFETY: `value` is an argument of the current call, all pointers are to locals or null, for what is not asked.
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
        // SAFETY: the array has `length` elements at `data`, of a byte or more: what kind it is costs time to ask. They stay for the call,
        // in which the script does not run, and other threads can't see them, because the buffer is not shared. No function has a
        // second Uint8Array.
        Ok(Bytes::Of(unsafe { slice::from_raw_parts_mut(data.cast(), length) }))
    }

    /// As many of the shared bytes as word 1 says.
    pub(crate) fn shared(&mut self) -> &'c mut [u8] {
        let length = (self.word(1) as usize).min(BYTES);
        // SAFETY: there are `BYTES` of them, kept as `words` are. No function takes them twice.
        unsafe { slice::from_raw_parts_mut(self.environment.bytes, length) }
    }

    /// The code units of a string, at the front of the memory that is returned, and how many they are: as many as word 3 says, which is
    /// the string's length, but at most `most`.
    pub(crate) fn units(&mut self, number: usize, most: usize) -> Result<(Vec<u16>, usize)> {
        let (env, value) = (self.env, self.arguments[number]);
        let most = most.min(self.word(3) as usize);
        let mut units = std::mem::take(&mut self.environment.units);
        // Node-API writes a zero after the last unit.
        let capacity = most + 1;
        if units.capacity() < capacity {
            units.clear();
            units.reserve(capacity.max(UNITS));
        }
        let mut length = 0;
        // SAFETY: `value` is an argument of the current call. `units` has `capacity` units or more, by the `reserve` above, and Node-API
        // writes at most `capacity` of them: `length`, which is a local, and a zero. So the first `length` are initialized, and the units
        // before the old length were.
        unsafe {
            check(sys::napi_get_value_string_utf16(env, value, units.as_mut_ptr(), capacity, &mut length))?;
            units.set_len(units.len().max(length));
        }
        Ok((units, length))
    }

    /// So many code units at least, whatever they are.
    pub(crate) fn buffer(&mut self, room: usize) -> Vec<u16> {
        let mut units = std::mem::take(&mut self.environment.units);
        units.resize(room.max(units.len()), 0);
        units
    }

    /// So many bytes, which are what was last written there, in this call or one before.
    pub(crate) fn latin1_buffer(&mut self, room: usize) -> &mut [u8] {
        let latin1 = &mut self.environment.latin1;
        latin1.resize(room.max(latin1.len()), 0);
        &mut latin1[..room]
    }

    /// Gives the memory of [`Call::units`] or [`Call::buffer`] back for the next call, unless it is large.
    pub(crate) fn done_with(&mut self, units: Vec<u16>) {
        if units.capacity() <= EXTERNAL + UNITS {
            self.environment.units = units;
        } else {
            self.environment.units.reserve(UNITS);
        }
    }

    /// `null`.
    pub(crate) fn null(&self) -> Result<Value<'c>> {
        let mut value = ptr::null_mut();
        // SAFETY: `value` is a local.
        unsafe { check(sys::napi_get_null(self.env, &mut value))? };
        Ok(Value(value, PhantomData))
    }

    /// A number.
    pub(crate) fn number(&self, number: i32) -> Result<Value<'c>> {
        let mut value = ptr::null_mut();
        // SAFETY: `value` is a local.
        unsafe { check(sys::napi_create_int32(self.env, number, &mut value))? };
        Ok(Value(value, PhantomData))
    }

    /// A string; a large one takes its memory along, or that of a copy.
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

    /// The string of the first `length` bytes in [`Call::latin1_buffer`].
    pub(crate) fn latin1_of_buffer(&self, length: usize) -> Result<Value<'c>> {
        self.latin1(&self.environment.latin1[..length])
    }

    fn latin1(&self, bytes: &[u8]) -> Result<Value<'c>> {
        let mut value = ptr::null_mut();
        // SAFETY: the pointer and the length are those of a slice; the string copies it.
        unsafe {
            let (data, length) = (bytes.as_ptr().cast(), bytes.len() as isize);
            check(sys::napi_create_string_latin1(self.env, data, length, &mut value))?;
        }
        Ok(Value(value, PhantomData))
    }

    /// A string that copies `units`: into V8's memory, or other if they are many.
    pub(crate) fn utf16(&self, units: &[u16]) -> Result<Value<'c>> {
        if self.is_external(size_of_val(units)) {
            return self.external(copy_of(units), sys::node_api_create_external_string_utf16);
        }
        let mut value = ptr::null_mut();
        // SAFETY: the pointer and the length are those of a slice; the string copies it.
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
        // SAFETY: `data` points to `length` units that neither move nor change until `drop_units` frees them, which Node.js calls once,
        // when the string is gone or has been copied. After an error it may or may not: then they are never freed.
        unsafe {
            check(create(self.env, data, length, Some(drop_units::<T>), units.cast(), &mut value, &mut copied))?;
        }
        adjust_external_memory(self.env, size as i64);
        Ok(Value(value, PhantomData))
    }

    /// All of the shared bytes.
    pub(crate) fn all_shared(&mut self) -> &'c mut [u8] {
        self.set_word(1, BYTES as u32);
        self.shared()
    }

    /// Keeps the result of a call until the script has an array for it.
    pub(crate) fn keep(&mut self, pending: Pending) {
        self.environment.pending = pending;
    }

    /// What [`Call::keep`] kept.
    pub(crate) fn take(&mut self) -> Pending {
        std::mem::take(&mut self.environment.pending)
    }

    /// What `make` makes of word 0: a decoder that nobody has decoded with. Mostly the next call wants the same, and to make it again is
    /// 10 to 15 ns: what was just written in small parts has to be waited for, to copy it in large ones.
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

/// Whether a string can have so many code units.
pub(crate) fn check_length(length: usize) -> Result<()> {
    if length > MAX_LENGTH { Err(Failure::TooLong) } else { Ok(()) }
}

/// A copy in memory that a string can take over.
fn copy_of<T: Copy>(units: &[T]) -> Vec<T> {
    let mut copy = Vec::with_capacity(units.len());
    populate(&mut copy, units.len());
    copy.extend_from_slice(units);
    copy
}

/// Asks Linux for the memory of the next `count` units behind those in `units`, where `units` has room for them: that takes half of the
/// time that page faults take, one by one, when it is written to. Memory that is there already is left alone, because to ask costs as much
/// as to write there.
#[cfg(target_os = "linux")]
pub(crate) fn populate<T>(units: &mut Vec<T>, count: usize) {
    let spare = units.spare_capacity_mut();
    let length = spare.len().min(count) * size_of::<T>();
    let spare = spare.as_mut_ptr().cast::<u8>();
    // SAFETY: this only returns a number.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
    let before = spare.align_offset(page);
    let length = length.saturating_sub(before) / page * page;
    if length == 0 {
        return;
    }
    let start = spare.wrapping_add(before).cast();
    let mut is_there = 0;
    // SAFETY: `length` bytes from `start` on are whole pages of `spare`, which nothing else has a reference to, and the first of them
    // is what `is_there` has one byte for. Neither call changes what is in memory; an older Linux refuses the second.
    unsafe {
        if libc::mincore(start, page, &mut is_there) == 0 && is_there & 1 == 0 {
            libc::madvise(start, length, libc::MADV_POPULATE_WRITE);
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn populate<T>(_: &mut Vec<T>, _: usize) {}

/// One of the two functions that make an external string.
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
    // SAFETY: `external` gave this box away for this call only.
    let units = unsafe { Box::from_raw(units.cast::<Vec<T>>()) };
    adjust_external_memory(env.cast(), -((units.capacity() * size_of::<T>()) as i64));
}

/// Tells V8 how much memory its strings have elsewhere, so that it collects them in time: by itself it does not know.
fn adjust_external_memory(env: sys::napi_env, change: i64) {
    let mut total = 0;
    // SAFETY: `env` is that of a call or a finalizer, `total` is a local.
    unsafe { sys::napi_adjust_external_memory(env, change, &mut total) };
}
