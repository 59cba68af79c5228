//! Single-byte charsets: those with ASCII at its usual bytes use the decoder and the encoder of the Standard's
//! single-byte encodings, and the others are pages.

use textcodec_core::{
    Codec, DecodeErrorMode, DecoderFunctions,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Unchanged, Utf8Space, Utf8Written},
    index::Page,
};
#[cfg(feature = "encode")]
use textcodec_core::{
    EncoderHalf,
    handler::{EncoderHandler, MaxBytes},
    index::PageBytes,
};
use textcodec_kernels::single_byte;
#[cfg(feature = "encode")]
use textcodec_kernels::to_single_byte;

/// The codec of a charset with ASCII at its usual bytes and these tables.
macro_rules! ascii_based {
    ($decoder:ident, $code_points:expr, $bytes:expr) => {{
        static CODEC: textcodec_core::Codec = {
            let codec = textcodec_core::Codec::new(&textcodec_single_byte::$decoder)
                .with_cut_rule(textcodec_core::CutRule::Anywhere)
                .with_index($code_points);
            #[cfg(feature = "encode")]
            let codec = {
                static ENCODER: textcodec_core::EncoderHalf =
                    textcodec_core::EncoderHalf::new::<textcodec_single_byte::single_byte::SingleByteEncoder>()
                        .with_index($bytes);
                codec.with_encoder(&ENCODER)
            };
            codec
        };
        &CODEC
    }};
}

/// The codec of a page. `$has_ascii` says whether ASCII is at its usual bytes, and `$has_line_feed` whether
/// the bytes 15 and 25 are exchanged.
macro_rules! page {
    ($has_ascii:literal, $has_line_feed:literal, $page:expr, $bytes:expr) => {{
        static CODEC: textcodec_core::Codec = {
            let codec =
                textcodec_core::Codec::new(crate::single_byte::PageDecoder::<$has_ascii, $has_line_feed>::FUNCTIONS)
                    .with_cut_rule(textcodec_core::CutRule::Anywhere)
                    .with_page($page);
            #[cfg(feature = "encode")]
            let codec = {
                static ENCODER: textcodec_core::EncoderHalf =
                    textcodec_core::EncoderHalf::new::<crate::single_byte::PageEncoder<$has_ascii, $has_line_feed>>()
                        .with_page($bytes);
                codec.with_encoder(&ENCODER)
            };
            codec
        };
        &CODEC
    }};
}

pub(crate) use {ascii_based, page};

/// The tables of the Standard's single-byte encodings.
pub(crate) mod standard {
    #[cfg(feature = "encode")]
    use textcodec_core::index::ByteTable;
    use textcodec_core::{Encoding, index::Characters};

    /// The table with which `encoding` decodes.
    ///
    /// # Panics
    /// If it has no such table.
    pub(crate) const fn code_points(encoding: &'static Encoding) -> &'static Characters {
        match encoding.codec().index() {
            Some(code_points) => code_points,
            None => panic!("the encoding is not single-byte"),
        }
    }

    /// The table with which `encoding` encodes.
    ///
    /// # Panics
    /// If it has no such table.
    #[cfg(feature = "encode")]
    pub(crate) const fn bytes(encoding: &'static Encoding) -> &'static ByteTable {
        match encoding.codec().encoder() {
            Some(encoder) => match encoder.index() {
                Some(bytes) => bytes,
                None => panic!("the encoding is not single-byte"),
            },
            None => panic!("the encoding has no encoder"),
        }
    }
}

/// The number of bytes that are exchanged at once. The block stays in the first-level cache, and it takes a few
/// nanoseconds to clear it.
const BLOCK: usize = 512;

/// Exchanges the bytes 15 and 25 if `HAS_LINE_FEED` is true: U+0085 and the line feed of EBCDIC.
const fn exchange_line_ends<const HAS_LINE_FEED: bool>(byte: u8) -> u8 {
    if HAS_LINE_FEED && matches!(byte, 0x15 | 0x25) { byte ^ 0x15 ^ 0x25 } else { byte }
}

/// The byte that the handlers use for `byte`: the same exchange, for the layer that checks the other one.
fn line_end_of<const HAS_LINE_FEED: bool>(byte: u8) -> u8 {
    match byte {
        0x15 if HAS_LINE_FEED => 0x25,
        0x25 if HAS_LINE_FEED => 0x15,
        byte => byte,
    }
}

/// The decoder of all pages. It has no state. `HAS_ASCII` says whether ASCII is at its usual bytes, and
/// `HAS_LINE_FEED` whether the bytes 15 and 25 are exchanged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageDecoder<const HAS_ASCII: bool, const HAS_LINE_FEED: bool> {
    /// Each codec with this decoder has a page. If one had none, every byte would be an error.
    page: Option<&'static Page>,
}

impl<const HAS_ASCII: bool, const HAS_LINE_FEED: bool> PageDecoder<HAS_ASCII, HAS_LINE_FEED> {
    pub(crate) const FUNCTIONS: &'static DecoderFunctions = {
        static PAGES: DecoderFunctions = DecoderFunctions::of::<PageDecoder<false, false>>();
        static WITH_ASCII: DecoderFunctions = DecoderFunctions::of::<PageDecoder<true, false>>();
        #[cfg(feature = "line-feeds")]
        static WITH_LINE_FEED: DecoderFunctions = DecoderFunctions::of::<PageDecoder<false, true>>();
        match (HAS_ASCII, HAS_LINE_FEED) {
            #[cfg(feature = "line-feeds")]
            (false, true) => &WITH_LINE_FEED,
            (false, _) => &PAGES,
            (true, _) => &WITH_ASCII,
        }
    };
}

/// The code unit at which the kernels of a page stop. A page with exceptions stops before each byte that means nothing
/// to the kernels, so that the handler looks for the exception.
fn end(page: &Page, mode: DecodeErrorMode) -> u16 {
    match mode {
        DecodeErrorMode::Replacement if !page.has_exceptions() => single_byte::NEVER,
        _ => single_byte::NULL,
    }
}

/// The bytes of the repertoire for the first bytes of `source`, in a part of `block`.
fn exchange<'b, const HAS_LINE_FEED: bool>(page: &Page, source: &[u8], block: &'b mut [u8; BLOCK]) -> &'b [u8] {
    let length = source.len().min(BLOCK);
    let block = &mut block[..length];
    for (to, byte) in block.iter_mut().zip(source) {
        *to = page.bytes()[usize::from(exchange_line_ends::<HAS_LINE_FEED>(*byte))];
    }
    block
}

impl<const HAS_ASCII: bool, const HAS_LINE_FEED: bool> DecoderHandler for PageDecoder<HAS_ASCII, HAS_LINE_FEED> {
    const UNCHANGED: Unchanged = if HAS_ASCII { Unchanged::Ascii } else { Unchanged::Nothing };
    const IS_SINGLE_BYTE: bool = true;
    const KEEPS_STATE: bool = true;

    fn handler<Q: Restore<u8>>(&mut self, _: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let Item::Value(byte) = byte else {
            return HandlerResult::Finished;
        };
        match self.page.and_then(|page| page.code_point(line_end_of::<HAS_LINE_FEED>(byte))) {
            None => HandlerResult::Error(()),
            Some(code_point) => HandlerResult::Items(code_point.into()),
        }
    }

    fn pending(&self) -> Bytes {
        Bytes::EMPTY
    }

    fn convert(&mut self, source: &[u8], destination: &mut [u16], mode: DecodeErrorMode) -> (usize, usize) {
        let Some(page) = self.page else { return (0, 0) };
        let (mut done, mut block) = (0, [0; BLOCK]);
        loop {
            let inner = exchange::<HAS_LINE_FEED>(page, &source[done..], &mut block);
            let length = single_byte::to_utf16(page.characters(), end(page, mode), inner, &mut destination[done..]);
            done += length;
            if length < BLOCK {
                return (done, done);
            }
        }
    }

    fn convert_to_utf8<'id>(
        &mut self,
        source: &[u8],
        destination: Utf8Space<'id>,
        mode: DecodeErrorMode,
    ) -> (usize, Utf8Written<'id>) {
        let Some(page) = self.page else { return (0, destination.nothing()) };
        let (mut read, mut block, mut writer) = (0, [0; BLOCK], destination.writer());
        loop {
            let inner = exchange::<HAS_LINE_FEED>(page, &source[read..], &mut block);
            let length = writer.write(|space| space.single_byte(page.characters(), end(page, mode), inner));
            read += length;
            if length < BLOCK {
                return (read, writer.finish());
            }
        }
    }

    fn pack(self) -> u64 {
        0
    }

    fn unpack(codec: &'static Codec, _: u64) -> Self {
        PageDecoder { page: codec.page() }
    }
}

/// The encoder of all pages. It has no state. `HAS_ASCII` and `HAS_LINE_FEED` are those of [`PageDecoder`].
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageEncoder<const HAS_ASCII: bool, const HAS_LINE_FEED: bool> {
    /// As in [`PageDecoder`].
    page: Option<&'static PageBytes>,
}

#[cfg(feature = "encode")]
impl<const HAS_ASCII: bool, const HAS_LINE_FEED: bool> EncoderHandler for PageEncoder<HAS_ASCII, HAS_LINE_FEED> {
    const HAS_ASCII: bool = HAS_ASCII;
    const CONVERTS_UTF_8: bool = true;
    /// The longest reference for a byte of UTF-8 is `&#126;`: pages may not have all of ASCII.
    const MAX_BYTES_HTML: MaxBytes =
        MaxBytes { per_utf8_byte: if HAS_ASCII { 4 } else { 6 }, per_code_unit: 8, at_end: 0 };

    fn handler<Q: Restore<char>>(&mut self, _: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        match self.page.and_then(|page| page.byte(code_point)) {
            None => HandlerResult::Error(code_point),
            Some(byte) => HandlerResult::Items(line_end_of::<HAS_LINE_FEED>(byte).into()),
        }
    }

    /// Converts block by block: a kernel writes the bytes of the repertoire, which are exchanged in place. Blocks are
    /// short because the rest of a block is encoded in vain if the page lacks a character of its repertoire.
    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let Some(page) = self.page else { return (0, 0) };
        let mut done = 0;
        loop {
            let end = destination.len().min(done + BLOCK);
            let block = &mut destination[done..end];
            let length = to_single_byte::from_utf16(page.table(), &source[done..], block);
            let kept = page.exchange(&mut block[..length]);
            if HAS_LINE_FEED {
                block[..kept].iter_mut().for_each(|byte| *byte = exchange_line_ends::<HAS_LINE_FEED>(*byte));
            }
            done += kept;
            if kept < BLOCK {
                return (done, done);
            }
        }
    }

    fn convert_from_utf8(&mut self, source: &str, destination: &mut [u8]) -> (usize, usize) {
        let Some(page) = self.page else { return (0, 0) };
        let (source, mut read, mut written) = (source.as_bytes(), 0, 0);
        loop {
            let end = destination.len().min(written + BLOCK);
            let block = &mut destination[written..end];
            let rest = &source[read..];
            let (taken, length) = to_single_byte::from_utf8(page.table(), rest, block);
            let kept = page.exchange(&mut block[..length]);
            if HAS_LINE_FEED {
                block[..kept].iter_mut().for_each(|byte| *byte = exchange_line_ends::<HAS_LINE_FEED>(*byte));
            }
            written += kept;
            read += if kept < length { length_of_characters(rest, kept) } else { taken };
            if kept < BLOCK {
                return (read, written);
            }
        }
    }

    fn pack(self) -> u16 {
        0
    }

    fn unpack(half: &'static EncoderHalf, _: u16) -> Self {
        PageEncoder { page: half.page() }
    }
}

/// The length in bytes of the first `characters` characters of UTF-8.
#[cfg(feature = "encode")]
fn length_of_characters(utf8: &[u8], characters: usize) -> usize {
    let is_start = |byte: &u8| byte & 0xC0 != 0x80;
    utf8.iter().enumerate().filter(|(_, byte)| is_start(byte)).nth(characters).map_or(utf8.len(), |(at, _)| at)
}
