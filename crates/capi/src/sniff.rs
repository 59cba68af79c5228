//! Finding out the encoding of a resource.

use core::ffi::{c_char, c_void};

use textcodec::{
    Encoding,
    sniff::{Confidence, Context, Hints, Label, Resource, Rung, Sniffer},
};

use crate::{
    TEXTCODEC_NONE,
    encodings::{name_of, number_of},
    pointers::{read, source, write},
    textcodec_encoding, textcodec_string,
    types::is_last,
};

/// A label is there, and names no encoding.
pub const TEXTCODEC_UNKNOWN_LABEL: textcodec_encoding = u32::MAX;

/// The confidences; the number of the first one is 1.
const CONFIDENCES: [Confidence; 3] = [Confidence::Certain, Confidence::Tentative, Confidence::Irrelevant];

/// The kinds of resources; the number of the first one is 1, and 0 is none.
const RESOURCES: [Resource; 6] =
    [Resource::Html, Resource::Xml, Resource::Css, Resource::Script, Resource::Json, Resource::Text];

/// The value with this number; the number of the first one is 1. A test compares the numbers of contexts and rungs in
/// `textcodec.h` with the order of `Context::ALL` and `Rung::ALL`.
fn numbered<T: Copy>(values: &[T], number: u32) -> Option<T> {
    values.get((number as usize).wrapping_sub(1)).copied()
}

/// The number of `value`.
fn number<T: PartialEq>(values: &[T], value: &T) -> u32 {
    values.iter().position(|other| other == value).map_or(0, |place| place as u32 + 1)
}

/// What is known about a resource.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct textcodec_hints {
    /// The known definite encoding.
    pub definite: textcodec_encoding,
    /// An encoding that overrides others.
    pub override_charset: textcodec_encoding,
    /// The encoding of the transport layer.
    pub transport: textcodec_encoding,
    /// The encoding of the reference to the resource.
    pub charset_attribute: textcodec_encoding,
    /// The encoding of the document that refers to the resource.
    pub environment: textcodec_encoding,
    /// The encoding of the container document.
    pub container: textcodec_encoding,
    /// The encoding at an earlier visit.
    pub history: textcodec_encoding,
    /// The default.
    pub fallback: textcodec_encoding,
    /// The kind of the resource.
    pub resource: u32,
    /// The number of bytes of the language tag.
    pub locale_length: u32,
    /// The language tag of the user's locale.
    pub locale: *const c_char,
}

/// The encoding of a resource.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct textcodec_sniffed {
    /// The encoding.
    pub encoding: textcodec_encoding,
    /// The confidence in it.
    pub confidence: u32,
    /// The source of the encoding.
    pub rung: u32,
}

/// A label of a hint.
fn label(number: textcodec_encoding) -> Option<Label> {
    match number {
        TEXTCODEC_UNKNOWN_LABEL => Some(Label::Unknown),
        number => name_of(number).map(Label::Encoding),
    }
}

/// The encoding of a `Content-Type`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_for_content_type(value: *const c_char, length: usize) -> textcodec_encoding {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let value = unsafe { source(value.cast::<u8>(), length) };
    Encoding::for_content_type(value).map_or(TEXTCODEC_NONE, |encoding| number_of(encoding.id()))
}

/// Writes the hints that a `Content-Type` gives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_hints_from_content_type(
    hints: *mut textcodec_hints,
    value: *const c_char,
    length: usize,
) {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let found = Hints::from_content_type(unsafe { source(value.cast::<u8>(), length) });
    // SAFETY: the caller keeps the promises of `textcodec.h`. Zeros are a value of the struct: no hints.
    let Some(&(mut new)) = (unsafe { read(hints) }) else { return };
    new.transport = match found.transport {
        Some(Label::Encoding(name)) => number_of(name),
        Some(Label::Unknown) => TEXTCODEC_UNKNOWN_LABEL,
        None => TEXTCODEC_NONE,
    };
    new.resource = found.resource.map_or(0, |resource| number(&RESOURCES, &resource));
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    unsafe { write(hints, new) };
}

/// Finds out the encoding of a resource.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_sniff(
    context: u32,
    hints: *const textcodec_hints,
    bytes: *const c_void,
    length: usize,
    flags: u32,
) -> textcodec_sniffed {
    const NOTHING: textcodec_sniffed = textcodec_sniffed { encoding: TEXTCODEC_NONE, confidence: 0, rung: 0 };
    let Some(context) = numbered(Context::ALL, context) else { return NOTHING };
    // SAFETY: the caller keeps the promises of `textcodec.h`. Zeros are a value of the struct: no hints.
    let (hints, bytes) = unsafe { (read(hints), source(bytes.cast::<u8>(), length)) };
    let hints = match hints {
        None => Hints::default(),
        Some(hints) => {
            // SAFETY: the caller keeps the promises of `textcodec.h` for the pointer in the struct, too.
            let locale = unsafe { source(hints.locale.cast::<u8>(), hints.locale_length as usize) };
            Hints {
                definite: name_of(hints.definite),
                override_charset: label(hints.override_charset),
                transport: label(hints.transport),
                charset_attribute: label(hints.charset_attribute),
                environment: name_of(hints.environment),
                container: name_of(hints.container),
                history: name_of(hints.history),
                locale: textcodec_kernels::string::as_ascii(locale).filter(|locale| !locale.is_empty()),
                default: name_of(hints.fallback),
                resource: numbered(&RESOURCES, hints.resource),
                ..Hints::default()
            }
        }
    };
    match Sniffer::new(context, hints).sniff(bytes, is_last(flags)) {
        Some(sniffed) => textcodec_sniffed {
            encoding: number_of(sniffed.encoding),
            confidence: number(&CONFIDENCES, &sniffed.confidence),
            rung: number(Rung::ALL, &sniffed.rung),
        },
        None => NOTHING,
    }
}

/// The name of a context.
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_context_name(context: u32) -> textcodec_string {
    numbered(Context::ALL, context).map(Context::name).into()
}

/// The name of a confidence.
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_confidence_name(confidence: u32) -> textcodec_string {
    numbered(&CONFIDENCES, confidence).map(Confidence::as_str).into()
}

/// The name of a rung.
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_rung_name(rung: u32) -> textcodec_string {
    numbered(Rung::ALL, rung).map(Rung::as_str).into()
}
