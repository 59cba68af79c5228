//! Single-byte charsets. The tables of a family are stored together, and a conversion of more than a few characters
//! first makes the tables of its charset that kernels need, on the stack.
//!
//! Most charsets have ASCII at its usual bytes, and kernels convert them as they convert the Standard's single-byte
//! encodings. In the others, such as EBCDIC, each byte is exchanged for a byte of an ASCII-based table, which is made
//! for the charset, before kernels decode it, and after they have encoded it.

use textcodec_core::{
    Codec, DecodeErrorMode, DecoderFunctions,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Unchanged, Utf8Space, Utf8Written},
    index::{Characters, NULL, PageUnits, Pages},
};
#[cfg(feature = "encode")]
use textcodec_core::{
    EncoderHalf,
    handler::{EncoderHandler, MaxBytes},
    index::ByteTable,
};
use textcodec_kernels::{ascii, single_byte};
#[cfg(feature = "encode")]
use textcodec_kernels::{
    blocks::{skip, skip_mut},
    to_single_byte,
};

/// The codec for the charsets of a [kind](kind) in `$pages`.
macro_rules! codec {
    ($kind:ident, $pages:expr) => {{
        static CODEC: textcodec_core::Codec = {
            let codec = textcodec_core::Codec::new(
                crate::single_byte::PageDecoder::<{ crate::single_byte::kind::$kind }>::FUNCTIONS,
            )
            .with_cut_rule(textcodec_core::CutRule::Anywhere)
            .with_pages($pages);
            #[cfg(feature = "encode")]
            let codec = {
                static ENCODER: textcodec_core::EncoderHalf = textcodec_core::EncoderHalf::new::<
                    crate::single_byte::PageEncoder<{ crate::single_byte::kind::$kind }>,
                >()
                .with_pages($pages);
                codec.with_encoder(&ENCODER)
            };
            codec
        };
        &CODEC
    }};
}

/// The charset called `$name`, which is page `$number` of `$pages`, without the other pages: a program that names the
/// charset does not contain them. `$flags` are those of `Facts`.
macro_rules! alone {
    ($family:ident, $name:literal, $pages:ident, $number:literal, $kind:ident, $flags:literal) => {{
        static BLOCKS: [[u16; 16]; 16] = $pages.blocks_alone($number);
        static FACTS_OF_PAGE: [textcodec_core::index::PageFacts; 1] = $pages.facts_alone($number);
        static DECODE_ONLY: [[u8; 2]; $pages.count_of_decode_only($number)] = $pages.decode_only_alone($number);
        static PAGE: textcodec_core::index::Pages =
            textcodec_core::index::Pages::alone(&BLOCKS, &FACTS_OF_PAGE, &DECODE_ONLY);
        static FACTS: crate::Facts = crate::Facts {
            family: crate::Family::$family,
            names: crate::charset::OwnNames::One($name),
            codecs: &[crate::single_byte::codec!($kind, &PAGE)],
            flags: &[$flags],
        };
        crate::Charset::new(&FACTS, 0)
    }};
}

pub(crate) use {alone, codec};

/// The kinds of single-byte charsets. Decoders and encoders have a kind as a parameter, so that a program with charsets
/// of one kind has no code for the others.
pub(crate) mod kind {
    /// ASCII is at its usual bytes and only there.
    pub(crate) const ASCII: u8 = 0;
    /// The same, and most characters of a text are two bytes of UTF-8.
    pub(crate) const DENSE: u8 = 1;
    /// ASCII is at its usual bytes, and other bytes have ASCII characters, too.
    pub(crate) const ASCII_TWICE: u8 = 2;
    /// ASCII characters are missing or have other bytes, as in EBCDIC.
    pub(crate) const OTHER: u8 = 3;
}

/// The bit of a selector that says that the bytes 15 and 25 are exchanged: U+0085 and the line feed of EBCDIC. The
/// other bits are the number of the page.
pub(crate) const LINE_FEED: u8 = 0x80;

/// A shorter text is decoded byte by byte, because it takes about as long to make the tables for kernels.
const SHORT_BYTES: usize = 96;

/// A shorter text is encoded character by character, because it takes about as long to make the tables for kernels:
/// 0.2 µs, and 1 µs where bytes are exchanged (Zen 5).
#[cfg(feature = "encode")]
const fn is_short(kind: u8, units: usize) -> bool {
    units < if is_direct(kind) { 28 } else { 20 }
}

/// The number of bytes that are exchanged at once. The block stays in the first-level cache, and it takes a few
/// nanoseconds to clear it.
const BLOCK: usize = 512;

/// The same for a page with exceptions, of which Vietnamese has one in about 60 characters.
const SHORT_BLOCK: usize = 64;

/// A page of a codec.
#[derive(Clone, Copy, Debug)]
struct Page {
    /// Each codec with these decoders has pages. If one had none, every byte would be an error.
    pages: Option<&'static Pages>,
    selector: u8,
}

impl Page {
    fn number(self) -> u8 {
        self.selector & !LINE_FEED
    }

    fn has_line_feed(self) -> bool {
        self.selector & LINE_FEED != 0
    }

    /// The code units of all bytes. `None` if there are no pages.
    fn units(self) -> Option<PageUnits> {
        Some(self.exchange_line_ends(self.pages?.units(self.number())))
    }

    /// The code units of the bytes to which characters are encoded.
    #[cfg(feature = "encode")]
    fn encoding_units(self) -> Option<PageUnits> {
        Some(self.exchange_line_ends(self.pages?.encoding_units(self.number())))
    }

    fn exchange_line_ends(self, mut units: PageUnits) -> PageUnits {
        if self.has_line_feed() {
            units.swap(0x15, 0x25);
        }
        units
    }

    /// The character of `byte`.
    fn code_point(self, byte: u8) -> Option<char> {
        let byte = match byte {
            0x15 if self.has_line_feed() => 0x25,
            0x25 if self.has_line_feed() => 0x15,
            byte => byte,
        };
        let unit = self.pages?.unit(self.number(), byte);
        char::from_u32(unit.into()).filter(|_| unit != NULL)
    }

    /// The byte of `code_point`.
    #[cfg(feature = "encode")]
    fn byte(self, code_point: char) -> Option<u8> {
        self.byte_of(u16::try_from(u32::from(code_point)).ok()?, &mut None)
    }

    /// The byte of a code unit. `units` keeps the code units of all bytes for the next call.
    #[cfg(feature = "encode")]
    fn byte_of(self, unit: u16, units: &mut Option<PageUnits>) -> Option<u8> {
        if units.is_none() {
            *units = self.encoding_units();
        }
        byte(units.as_ref()?, unit)
    }
}

/// The byte of a code unit, which is not [`NULL`].
#[cfg(feature = "encode")]
fn byte(units: &PageUnits, unit: u16) -> Option<u8> {
    let place = units.iter().position(|&other| other == unit).filter(|_| unit != NULL);
    place.map(|place| place as u8)
}

/// The bytes of the characters of a few code units, in a page with ASCII at its usual bytes.
#[cfg(feature = "encode")]
struct Few {
    /// The code units of the bytes from 0x80 on.
    units: [u16; 128],
    /// The place of the block of units in which the last character was. Letters of an alphabet are near each other.
    near: usize,
}

#[cfg(feature = "encode")]
impl Few {
    const BLOCK: usize = 16;

    fn of(page: Page) -> Option<Self> {
        Some(Few { units: page.pages?.encoding_upper_units(page.number()), near: 0 })
    }

    /// The place of `unit`, which is once in `units` at most. Without a branch for each unit, vectors compare.
    fn place(units: &[u16], unit: u16) -> Option<usize> {
        let places = (0..0x80_i16).zip(units).map(|(place, &other)| if other == unit { place } else { 0x80 });
        let place = places.fold(0x80, i16::min) as usize;
        (place < units.len()).then_some(place)
    }

    fn byte(&mut self, unit: u16) -> Option<u8> {
        if unit < 0x80 {
            return Some(unit as u8);
        }
        if unit == NULL {
            return None;
        }
        let near = skip(&self.units, self.near).first_chunk::<{ Few::BLOCK }>()?;
        let place = match Self::place(near, unit) {
            Some(place) => self.near + place,
            None => Self::place(&self.units, unit)?,
        };
        self.near = place / Self::BLOCK * Self::BLOCK;
        Some(0x80 | place as u8)
    }
}

/// A page as an ASCII-based table, and the byte of that table for each byte of the page.
struct Permutation {
    bytes: [u8; 256],
    characters: Characters,
    /// Whether characters are missing, because the table has no place for them.
    has_exceptions: bool,
}

impl Permutation {
    /// The byte of the table that means nothing.
    const NOTHING: u8 = 0xFF;

    /// `None` if a code unit is a surrogate, which the tables exclude.
    #[inline(never)]
    fn of(units: &PageUnits) -> Option<Self> {
        let (mut bytes, mut characters, mut next, mut has_exceptions) = ([0; 256], [NULL; 128], 0x80, false);
        for (byte, &unit) in bytes.iter_mut().zip(units) {
            *byte = match unit {
                0..0x80 => unit as u8,
                NULL => Self::NOTHING,
                _ if next == Self::NOTHING => {
                    has_exceptions = true;
                    Self::NOTHING
                }
                _ => {
                    characters[usize::from(next & 0x7F)] = unit;
                    next += 1;
                    next - 1
                }
            };
        }
        Some(Permutation { bytes, characters: Characters::checked(characters)?, has_exceptions })
    }

    /// The bytes of the table for the first bytes of `source`, in a part of `block`.
    fn exchange<'b>(&self, source: &[u8], block: &'b mut [u8; BLOCK]) -> &'b [u8] {
        // Bytes after an exception would be exchanged in vain.
        let length = if self.has_exceptions { SHORT_BLOCK } else { BLOCK };
        let block = &mut block[..source.len().min(length)];
        for (to, byte) in block.iter_mut().zip(source) {
            *to = self.bytes[usize::from(*byte)];
        }
        block
    }

    /// The code unit at which kernels stop. If there are exceptions, kernels stop before each byte that means nothing
    /// to them, so that the handler looks for the exception.
    fn end(&self, mode: DecodeErrorMode) -> u16 {
        if self.has_exceptions { NULL } else { end(mode) }
    }
}

/// The code unit at which kernels stop.
fn end(mode: DecodeErrorMode) -> u16 {
    match mode {
        DecodeErrorMode::Fatal => NULL,
        DecodeErrorMode::Replacement => single_byte::NEVER,
    }
}

/// Whether ASCII is at its usual bytes and only there, so that kernels need no exchange of bytes.
const fn is_direct(kind: u8) -> bool {
    matches!(kind, kind::ASCII | kind::DENSE)
}

/// The characters of the bytes from 0x80 on.
fn upper(page: Page) -> Option<Characters> {
    Characters::checked(page.pages?.upper_units(page.number()))
}

/// The same, of the bytes to which characters are encoded. Each character has one byte at most.
#[cfg(feature = "encode")]
fn encoding_upper(page: Page) -> Option<Characters> {
    Characters::checked(page.pages?.encoding_upper_units(page.number()))
}

/// Decodes to UTF-16. A function for all kinds, because a copy for each of them would take 2 KB.
#[inline(never)]
fn to_utf16(page: Page, kind: u8, source: &[u8], destination: &mut [u16], mode: DecodeErrorMode) -> usize {
    if is_direct(kind) {
        if ascii::prefix_length(source) == source.len() {
            return ascii::widen(source, destination);
        }
        let Some(characters) = upper(page) else { return 0 };
        return single_byte::to_utf16(&characters, end(mode), source, destination);
    }
    let Some(units) = page.units() else { return 0 };
    if source.len().min(destination.len()) < SHORT_BYTES {
        let mut done = 0;
        for (byte, to) in source.iter().zip(destination) {
            let unit = units[usize::from(*byte)];
            if unit == end(mode) {
                break;
            }
            *to = unit;
            done += 1;
        }
        return done;
    }
    let Some(permutation) = Permutation::of(&units) else { return 0 };
    let (mut done, mut block) = (0, [0; BLOCK]);
    loop {
        let inner = permutation.exchange(&source[done..], &mut block);
        let to = &mut destination[done..];
        let length = single_byte::to_utf16(&permutation.characters, permutation.end(mode), inner, to);
        done += length;
        if length == inner.len() && done < source.len() {
            continue;
        }
        if !permutation.has_exceptions {
            return done;
        }
        // Kernels stop before a character without a place in the table, and at the end.
        let (Some(byte), Some(to)) = (source.get(done), destination.get_mut(done)) else { return done };
        let unit = units[usize::from(*byte)];
        if unit == end(mode) {
            return done;
        }
        *to = unit;
        done += 1;
    }
}

/// The same to UTF-8. Returns the number of bytes that were read.
#[inline(never)]
fn to_utf8<'id>(
    page: Page,
    kind: u8,
    source: &[u8],
    destination: Utf8Space<'id>,
    mode: DecodeErrorMode,
) -> (usize, Utf8Written<'id>) {
    if is_direct(kind) {
        if ascii::prefix_length(source) == source.len() {
            return destination.ascii(source);
        }
        let Some(characters) = upper(page) else { return (0, destination.nothing()) };
        return if kind == kind::DENSE {
            destination.dense_single_byte(&characters, end(mode), source)
        } else {
            destination.single_byte(&characters, end(mode), source)
        };
    }
    let Some(units) = page.units() else { return (0, destination.nothing()) };
    if source.len() < SHORT_BYTES {
        let (mut writer, mut read) = (destination.writer(), 0);
        for byte in source {
            let unit = units[usize::from(*byte)];
            if unit == end(mode) || !char::from_u32(unit.into()).is_some_and(|code_point| writer.push(code_point)) {
                break;
            }
            read += 1;
        }
        return (read, writer.finish());
    }
    let Some(permutation) = Permutation::of(&units) else { return (0, destination.nothing()) };
    let (mut read, mut block, mut writer) = (0, [0; BLOCK], destination.writer());
    loop {
        let inner = permutation.exchange(&source[read..], &mut block);
        let end = permutation.end(mode);
        let length = writer.write(|space| space.single_byte(&permutation.characters, end, inner));
        read += length;
        if length == inner.len() && read < source.len() {
            continue;
        }
        if !permutation.has_exceptions {
            return (read, writer.finish());
        }
        let unit = source.get(read).map(|byte| units[usize::from(*byte)]).filter(|unit| *unit != self::end(mode));
        let code_point = unit.and_then(|unit| char::from_u32(unit.into()));
        if !code_point.is_some_and(|code_point| writer.push(code_point)) {
            return (read, writer.finish());
        }
        read += 1;
    }
}

/// The decoder of all pages. It has no state. `KIND` is one of [`kind`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageDecoder<const KIND: u8>(Page);

impl<const KIND: u8> PageDecoder<KIND> {
    pub(crate) const FUNCTIONS: &'static DecoderFunctions = {
        static ASCII: DecoderFunctions = DecoderFunctions::of::<PageDecoder<{ kind::ASCII }>>();
        static DENSE: DecoderFunctions = DecoderFunctions::of::<PageDecoder<{ kind::DENSE }>>();
        static ASCII_TWICE: DecoderFunctions = DecoderFunctions::of::<PageDecoder<{ kind::ASCII_TWICE }>>();
        static OTHER: DecoderFunctions = DecoderFunctions::of::<PageDecoder<{ kind::OTHER }>>();
        match KIND {
            kind::ASCII => &ASCII,
            kind::DENSE => &DENSE,
            kind::ASCII_TWICE => &ASCII_TWICE,
            _ => &OTHER,
        }
    };
}

impl<const KIND: u8> DecoderHandler for PageDecoder<KIND> {
    const UNCHANGED: Unchanged = if KIND == kind::OTHER { Unchanged::Nothing } else { Unchanged::Ascii };
    const IS_SINGLE_BYTE: bool = true;
    const KEEPS_STATE: bool = true;
    /// The packed state is the selector.
    const BEGUN: u64 = 0;

    fn handler<Q: Restore<u8>>(&mut self, _: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let Item::Value(byte) = byte else {
            return HandlerResult::Finished;
        };
        match self.0.code_point(byte) {
            None => HandlerResult::Error(()),
            Some(code_point) => HandlerResult::Items(code_point.into()),
        }
    }

    fn pending(&self) -> Bytes {
        Bytes::EMPTY
    }

    fn convert(&mut self, source: &[u8], destination: &mut [u16], mode: DecodeErrorMode) -> (usize, usize) {
        let length = to_utf16(self.0, KIND, source, destination, mode);
        (length, length)
    }

    fn convert_to_utf8<'id>(
        &mut self,
        source: &[u8],
        destination: Utf8Space<'id>,
        mode: DecodeErrorMode,
    ) -> (usize, Utf8Written<'id>) {
        to_utf8(self.0, KIND, source, destination, mode)
    }

    fn pack(self) -> u64 {
        self.0.selector.into()
    }

    fn unpack(codec: &'static Codec, word: u64) -> Self {
        PageDecoder(Page { pages: codec.pages(), selector: word as u8 })
    }
}

/// The table with which kernels encode a page.
#[cfg(feature = "encode")]
struct Table {
    by_code_point: ByteTable<[u8; to_single_byte::MADE]>,
    /// `None` if the table has the bytes of the page.
    exchange: Option<Exchange>,
}

/// The byte of a page for each byte of the table.
#[cfg(feature = "encode")]
struct Exchange {
    bytes: [u8; 256],
    /// The entry of `bytes` for a character that the page does not have: a byte to which no character of the table is
    /// encoded.
    never: u8,
}

#[cfg(feature = "encode")]
impl Table {
    #[inline(never)]
    fn of(page: Page, kind: u8) -> Option<Self> {
        let windows = page.pages?.windows(page.number());
        if is_direct(kind) {
            return Some(Table { by_code_point: ByteTable::made_of(&encoding_upper(page)?, windows), exchange: None });
        }
        let units = page.encoding_units()?;
        let Permutation { bytes: inner, characters, .. } = Permutation::of(&units)?;
        let (mut bytes, mut has_byte) = ([0; 256], [false; 256]);
        // A byte to which no character is encoded. There is one, because no byte of the page leads to each of the
        // table's 256 bytes.
        let mut never = 0;
        for (byte, &inner) in (0..=u8::MAX).zip(&inner) {
            let inner = usize::from(inner);
            if has_byte[inner] || inner == usize::from(Permutation::NOTHING) {
                never = byte;
            } else {
                (bytes[inner], has_byte[inner]) = (byte, true);
            }
        }
        for (byte, has_byte) in bytes.iter_mut().zip(has_byte) {
            if !has_byte {
                *byte = never;
            }
        }
        // A character with two places in the table would be encoded to the first one.
        Some(Table {
            by_code_point: ByteTable::made_of(&characters, windows),
            exchange: Some(Exchange { bytes, never }),
        })
    }

    /// The next part of `destination`, after `written` bytes: all of it, unless its bytes have to be exchanged.
    fn block<'d>(&self, destination: &'d mut [u8], written: usize) -> &'d mut [u8] {
        let rest = &mut destination[written..];
        let length = if self.exchange.is_some() { rest.len().min(BLOCK) } else { rest.len() };
        &mut rest[..length]
    }

    /// Exchanges bytes of the table for bytes of the page. Returns the place of the first character that the page does
    /// not have, or else the number of bytes.
    fn exchange(&self, bytes: &mut [u8]) -> usize {
        let Some(exchange) = &self.exchange else { return bytes.len() };
        for byte in &mut *bytes {
            *byte = exchange.bytes[usize::from(*byte)];
        }
        // A second loop over the block is faster than a comparison in the first one, because vectors compare.
        if !bytes.iter().fold(false, |any, &byte| any | (byte == exchange.never)) {
            return bytes.len();
        }
        bytes.iter().position(|&byte| byte == exchange.never).unwrap_or(bytes.len())
    }
}

/// A function that looks the bytes of code units up one by one, for a few of them.
#[cfg(feature = "encode")]
fn few<R>(page: Page, kind: u8, encode: impl FnOnce(&mut dyn FnMut(u16) -> Option<u8>) -> R) -> Option<R> {
    if is_direct(kind) {
        let mut few = Few::of(page)?;
        Some(encode(&mut |unit| few.byte(unit)))
    } else {
        let units = page.encoding_units()?;
        Some(encode(&mut |unit| byte(&units, unit)))
    }
}

#[cfg(feature = "encode")]
fn few_from_utf16(page: Page, kind: u8, source: &[u16], destination: &mut [u8]) -> usize {
    let encode = |byte: &mut dyn FnMut(u16) -> Option<u8>| {
        let mut done = 0;
        for (unit, to) in source.iter().zip(destination) {
            let Some(byte) = byte(*unit) else { break };
            *to = byte;
            done += 1;
        }
        done
    };
    few(page, kind, encode).unwrap_or_default()
}

#[cfg(feature = "encode")]
fn few_from_utf8(page: Page, kind: u8, source: &str, destination: &mut [u8]) -> (usize, usize) {
    let encode = |byte: &mut dyn FnMut(u16) -> Option<u8>| {
        let (mut read, mut written) = (0, 0);
        for (code_point, to) in source.chars().zip(destination) {
            let unit = u16::try_from(u32::from(code_point)).unwrap_or(NULL);
            let Some(byte) = byte(unit) else { break };
            *to = byte;
            (read, written) = (read + code_point.len_utf8(), written + 1);
        }
        (read, written)
    };
    few(page, kind, encode).unwrap_or_default()
}

/// Encodes UTF-16. A function for all pages, as [`to_utf16`].
///
/// In a page without ASCII, a kernel writes blocks of bytes of the table, which are exchanged in place. Blocks are
/// short because the rest of a block is encoded in vain if the page lacks an ASCII character.
#[cfg(feature = "encode")]
#[inline(never)]
fn from_utf16(page: Page, kind: u8, source: &[u16], destination: &mut [u8]) -> usize {
    let mut done = if is_direct(kind) { ascii::narrow(source, destination) } else { 0 };
    let (rest, to) = (skip(source, done), skip_mut(destination, done));
    if rest.is_empty() {
        return done;
    }
    if is_short(kind, rest.len().min(to.len())) {
        return done + few_from_utf16(page, kind, rest, to);
    }
    let (Some(table), mut units) = (Table::of(page, kind), None) else { return 0 };
    loop {
        let block = table.block(destination, done);
        let length = to_single_byte::from_utf16(&table.by_code_point, &source[done..], block);
        let kept = table.exchange(&mut block[..length]);
        done += kept;
        if kept == BLOCK && table.exchange.is_some() {
            continue;
        }
        // Kernels stop at the end, and before characters without a place in the table.
        let (Some(unit), Some(to)) = (source.get(done), destination.get_mut(done)) else { return done };
        let Some(byte) = page.byte_of(*unit, &mut units) else { return done };
        *to = byte;
        done += 1;
    }
}

/// The same from UTF-8.
#[cfg(feature = "encode")]
#[inline(never)]
fn from_utf8(page: Page, kind: u8, source: &str, destination: &mut [u8]) -> (usize, usize) {
    let run = if is_direct(kind) { ascii::copy(source.as_bytes(), destination) } else { 0 };
    let (mut read, mut written) = (run, run);
    let (rest, to) = (source.get(run..).unwrap_or_default(), skip_mut(destination, run));
    if rest.is_empty() {
        return (run, run);
    }
    if is_short(kind, rest.len().min(to.len())) {
        let (bytes, length) = few_from_utf8(page, kind, rest, to);
        return (run + bytes, run + length);
    }
    let (Some(table), mut units) = (Table::of(page, kind), None) else { return (0, 0) };
    loop {
        let (rest, block) = (&source.as_bytes()[read..], table.block(destination, written));
        let (taken, length) = to_single_byte::from_utf8(&table.by_code_point, rest, block);
        let kept = table.exchange(&mut block[..length]);
        written += kept;
        read += if kept < length { length_of_characters(rest, kept) } else { taken };
        if kept == BLOCK && table.exchange.is_some() {
            continue;
        }
        let Some(code_point) = source.get(read..).and_then(|rest| rest.chars().next()) else { return (read, written) };
        let Some(to) = destination.get_mut(written) else { return (read, written) };
        let unit = u16::try_from(u32::from(code_point)).unwrap_or(NULL);
        let Some(byte) = page.byte_of(unit, &mut units) else { return (read, written) };
        *to = byte;
        (read, written) = (read + code_point.len_utf8(), written + 1);
    }
}

/// The encoder of all pages. It has no state. `KIND` is one of [`kind`].
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageEncoder<const KIND: u8>(Page);

#[cfg(feature = "encode")]
impl<const KIND: u8> EncoderHandler for PageEncoder<KIND> {
    const HAS_ASCII: bool = KIND != kind::OTHER;
    const CONVERTS_UTF_8: bool = true;
    /// The longest reference for a byte of UTF-8 is `&#126;`: pages may not have all of ASCII.
    const MAX_BYTES_HTML: MaxBytes =
        MaxBytes { per_utf8_byte: if KIND == kind::OTHER { 6 } else { 4 }, per_code_unit: 8, at_end: 0 };

    fn handler<Q: Restore<char>>(&mut self, _: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        match self.0.byte(code_point) {
            None => HandlerResult::Error(code_point),
            Some(byte) => HandlerResult::Items(byte.into()),
        }
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let length = from_utf16(self.0, KIND, source, destination);
        (length, length)
    }

    fn convert_from_utf8(&mut self, source: &str, destination: &mut [u8]) -> (usize, usize) {
        from_utf8(self.0, KIND, source, destination)
    }

    fn pack(self) -> u16 {
        self.0.selector.into()
    }

    fn unpack(half: &'static EncoderHalf, word: u16) -> Self {
        PageEncoder(Page { pages: half.pages(), selector: word as u8 })
    }
}

/// The length in bytes of the first `characters` characters of UTF-8.
#[cfg(feature = "encode")]
fn length_of_characters(utf8: &[u8], characters: usize) -> usize {
    let is_start = |byte: &u8| byte & 0xC0 != 0x80;
    utf8.iter().enumerate().filter(|(_, byte)| is_start(byte)).nth(characters).map_or(utf8.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::{string::String, vec::Vec};

    use textcodec_core::Handle;

    use crate::{Charset, generated::*};

    /// The constants of the families. Their tables are computed from those of the families.
    fn alone() -> impl Iterator<Item = Charset> {
        let families: &[&[Charset]] = &[
            #[cfg(feature = "dos")]
            dos::ALONE,
            #[cfg(feature = "ebcdic")]
            ebcdic::ALONE,
            #[cfg(feature = "iso")]
            iso::ALONE,
            #[cfg(feature = "mac")]
            mac::ALONE,
            #[cfg(feature = "others")]
            others::ALONE,
            #[cfg(feature = "regional")]
            regional::ALONE,
            #[cfg(feature = "windows")]
            windows::ALONE,
        ];
        families.iter().copied().flatten().copied()
    }

    #[test]
    fn a_charset_alone_has_the_generated_tables_of_its_family() {
        let bytes: Vec<u8> = (0..=u8::MAX).collect();
        for alone in alone() {
            let of_family = Charset::all().find(|charset| charset.name() == alone.name()).unwrap();
            assert_eq!((alone, alone.family()), (of_family, of_family.family()));
            // No decoder reads the code units of bytes that are ASCII.
            let units = |charset: Charset| {
                let (pages, number) = (charset.codec().pages().unwrap(), Handle::selector(charset) & !super::LINE_FEED);
                (pages.units(number), pages.encoding_units(number), pages.windows(number))
            };
            assert_eq!(units(alone), units(of_family), "{alone}");
            let text = alone.decode(&bytes).0;
            assert_eq!(text, of_family.decode(&bytes).0, "{alone}");
            #[cfg(feature = "encode")]
            for character in text.chars() {
                let text: String = character.into();
                assert_eq!(alone.encode_or_fail(&text), of_family.encode_or_fail(&text), "{alone} {character:?}");
            }
        }
    }

    /// No conversion reads some entries, such as windows, which are hints. New mappings change the digests.
    #[cfg(feature = "all")]
    #[test]
    fn every_entry_of_the_generated_tables_has_the_value_of_the_generator() {
        let alone: Vec<_> = alone().map(|charset| charset.codec().pages()).collect();
        textcodec_core::testing::check_digests(&[
            (&alone, 0xBF5E_EDAC_3069_230B),
            (&(&dos::PAGES, dos::FACTS.flags), 0x6986_F9DA_C65C_B599),
            (&(&ebcdic::PAGES, ebcdic::FACTS.flags), 0xB8C2_B0E0_1B7B_C569),
            (&(&iso::PAGES, iso::FACTS.flags), 0x2E68_FD13_CA54_38BD),
            (&(&mac::PAGES, mac::FACTS.flags), 0x9E39_FA4D_D2EA_1161),
            (&(&others::PAGES, others::FACTS.flags), 0x0BDA_03D3_2B9F_CB51),
            (&(&regional::PAGES, regional::FACTS.flags), 0x517D_0254_D5E0_B962),
            (&(&windows::PAGES, windows::FACTS.flags), 0x3F49_2363_5534_AF29),
        ]);
    }
}
