//! Codecs: the functions, tables and facts of an encoding, without its name.
//!
//! Everything that runs, [`Decoder`](crate::Decoder), [`Encoder`](crate::Encoder) and the kernels under them, runs
//! codecs. An [`Encoding`](crate::Encoding) is a codec with one of the Standard's names. A crate can define codecs of
//! encodings that the Standard does not have. No label of the Standard leads to them.

use core::fmt;

use textcodec_kernels::string::{Utf8Space, Utf8Written};
#[cfg(feature = "encode")]
use textcodec_kernels::to_double_byte::ToDoubleByte;

use crate::{
    Bom, DecodeErrorMode, Encoding, Name, convert,
    convert::Pairs,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restored, Unchanged},
    index::{Characters, Pages},
};
#[cfg(feature = "encode")]
use crate::{
    encoder,
    handler::{EncoderHandler, MaxBytes},
    index::ByteTable,
};

/// The functions, tables and facts of an encoding: its decoder and, if it has one, its encoder.
///
/// Codecs are `static`s, mostly as a part of an [`Encoding`](crate::Encoding). A program contains only the code of the
/// codecs that it names.
pub struct Codec {
    /// Whether there is an encoder. True also in a [decoding half](Codec::decoding_half).
    has_encoder: bool,
    encodes_everything: bool,
    bom: Option<Bom>,
    cut_rule: CutRule,
    index: Option<&'static Characters>,
    pages: Option<&'static Pages>,
    /// Many encodings share the same functions.
    decoder: &'static DecoderFunctions,
    /// `None` if there is no encoder, and in a decoding half.
    #[cfg(feature = "encode")]
    encoder: Option<&'static EncoderHalf>,
}

/// The half of a [`Codec`] that only encoding needs.
#[cfg(feature = "encode")]
pub struct EncoderHalf {
    /// Whether characters without pairs become sequences of four bytes.
    has_four_bytes: bool,
    index: Option<&'static ByteTable>,
    pages: Option<&'static Pages>,
    /// Many encodings share the same functions.
    functions: &'static EncoderFunctions,
}

/// A `handler` without the type of its state, which is packed into the word `W`. `H` has the facts: a [`Codec`] or an
/// [`EncoderHalf`].
type Handler<H, W, I, O, E> = fn(&'static H, &mut W, &mut Restored<I>, Item<I>) -> HandlerResult<O, E>;

/// A decoder's `convert` without the type of its state, which is packed into a word.
pub(crate) type DecodeToUtf16 = fn(&'static Codec, &mut u64, &[u8], &mut [u16], DecodeErrorMode) -> (usize, usize);

/// A decoder's `convert_to_utf8` without the type of its state, which is packed into a word.
pub(crate) type DecodeToUtf8 =
    for<'id> fn(&'static Codec, &mut u64, &[u8], Utf8Space<'id>, DecodeErrorMode) -> (usize, Utf8Written<'id>);

/// An encoder's `convert` without the type of its state, which is packed into a word of 16 bits.
#[cfg(feature = "encode")]
pub(crate) type Encode<S> = fn(&'static EncoderHalf, &mut u16, &S, &mut [u8]) -> (usize, usize);

/// The progress of a call of an encoder, in units of the source and of the destination.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Default)]
pub(crate) struct Progress {
    pub(crate) read: usize,
    pub(crate) written: usize,
    pub(crate) had_errors: bool,
}

#[cfg(feature = "encode")]
impl Progress {
    /// Adds the progress of a bulk conversion.
    pub(crate) fn add(&mut self, (read, written): (usize, usize)) {
        self.read += read;
        self.written += written;
    }
}

/// A [`DecoderHandler`] without its type. Each decoder has one `static` of this type, to which its codecs refer:
/// other packages refer to the `static` too, where they would compile the functions of a constant again.
pub struct DecoderFunctions {
    pub(crate) unchanged: Unchanged,
    pub(crate) is_single_byte: bool,
    pub(crate) state_bits: u8,
    /// [`DecoderHandler::STATES_BETWEEN`].
    pub(crate) states_between: u8,
    /// [`DecoderHandler::MAX_UNITS_PER_BYTE`].
    pub(crate) max_units_per_byte: u8,
    /// [`DecoderHandler::BEGUN`], whose upper 33 bits are equal.
    pub(crate) begun: i32,
    pub(crate) handler: Handler<Codec, u64, u8, CodePoints, ()>,
    pub(crate) pending: fn(&'static Codec, u64) -> Bytes,
    pub(crate) pairs: Option<&'static Pairs>,
    /// `convert` and `convert_to_utf8` convert nothing inside of a sequence that they cannot finish.
    pub(crate) convert: DecodeToUtf16,
    pub(crate) convert_to_utf8: DecodeToUtf8,
}

/// Encodes characters of a character reference: [`encode_reference`](encoder::encode_reference).
#[cfg(feature = "encode")]
pub(crate) type EncodeReference = fn(&'static EncoderHalf, &mut u16, char, u8, &mut [u8]) -> Option<(usize, u8)>;

/// An [`EncoderHandler`] without its type.
#[cfg(feature = "encode")]
pub(crate) struct EncoderFunctions {
    pub(crate) max_bytes_html: MaxBytes,
    pub(crate) max_bytes_fatal: MaxBytes,
    /// [`EncoderHandler::STATES`].
    pub(crate) states: u16,
    pub(crate) has_ascii: bool,
    /// `None` where the bytes of character references are ASCII.
    pub(crate) encode_reference: Option<EncodeReference>,
    /// [`EncoderHandler::BEFORE_ERROR`].
    pub(crate) before_error: Option<(&'static [u8], u16)>,
    pub(crate) pairs: Option<&'static ToDoubleByte<'static>>,
    pub(crate) pairs_have_hangul: bool,
    pub(crate) handler: Handler<EncoderHalf, u16, char, Bytes, char>,
    pub(crate) convert: Encode<[u16]>,
    pub(crate) convert_from_utf8: Encode<str>,
}

/// Stores the packed state after a bulk conversion. If the conversion keeps the state, nothing is stored, so that the
/// caller can end with a jump to the kernel.
#[inline(always)]
fn store<W: PartialEq>(keeps_state: bool, state: &mut W, packed: W) {
    if keeps_state {
        debug_assert!(*state == packed, "a bulk conversion that keeps the state has changed it");
    } else {
        *state = packed;
    }
}

impl DecoderFunctions {
    /// The functions of the decoder `D`.
    #[must_use]
    pub const fn of<D: DecoderHandler>() -> Self {
        DecoderFunctions {
            unchanged: D::UNCHANGED,
            is_single_byte: D::IS_SINGLE_BYTE,
            state_bits: D::STATE_BITS,
            states_between: D::STATES_BETWEEN,
            max_units_per_byte: D::MAX_UNITS_PER_BYTE,
            begun: {
                assert!(D::BEGUN as i32 as u64 == D::BEGUN, "32 bits do not tell where a sequence has begun");
                D::BEGUN as i32
            },
            handler: |codec, state, io_queue, byte| {
                let mut decoder = D::unpack(codec, *state);
                let result = decoder.handler(io_queue, byte);
                *state = decoder.pack();
                result
            },
            pending: |codec, state| D::unpack(codec, state).pending(),
            pairs: D::PAIRS,
            convert: if D::PAIRS.is_some() {
                convert::double_byte::to_utf16
            } else {
                |codec, state, source, destination, mode| {
                    let mut decoder = D::unpack(codec, *state);
                    if !decoder.can_convert() {
                        return (0, 0);
                    }
                    let done = decoder.convert(source, destination, mode);
                    store(D::KEEPS_STATE, state, decoder.pack());
                    done
                }
            },
            convert_to_utf8: if D::PAIRS.is_some() {
                convert::double_byte::to_utf8
            } else {
                |codec, state, source, destination, mode| {
                    let mut decoder = D::unpack(codec, *state);
                    if !decoder.can_convert() {
                        return (0, destination.nothing());
                    }
                    let done = decoder.convert_to_utf8(source, destination, mode);
                    store(D::KEEPS_STATE, state, decoder.pack());
                    done
                }
            },
        }
    }
}

/// The functions of an encoder type.
#[cfg(feature = "encode")]
struct Of<E>(core::marker::PhantomData<E>);

#[cfg(feature = "encode")]
impl<E: EncoderHandler> Of<E> {
    const FUNCTIONS: &'static EncoderFunctions = &EncoderFunctions {
        max_bytes_html: E::MAX_BYTES_HTML,
        max_bytes_fatal: E::MAX_BYTES_FATAL,
        states: E::STATES,
        has_ascii: E::HAS_ASCII,
        // Programs without such an encoding do not link the function.
        encode_reference: if E::HAS_ASCII_REFERENCES { None } else { Some(encoder::encode_reference) },
        before_error: E::BEFORE_ERROR,
        pairs: E::PAIRS,
        pairs_have_hangul: E::PAIRS_HAVE_HANGUL,
        handler: |half, state, io_queue, code_point| {
            let mut encoder = E::unpack(half, *state);
            let result = encoder.handler(io_queue, code_point);
            *state = encoder.pack();
            result
        },
        convert: |half, state, source, destination| {
            let mut encoder = E::unpack(half, *state);
            let done = encoder.convert(source, destination);
            store(E::KEEPS_STATE, state, encoder.pack());
            done
        },
        convert_from_utf8: if E::CONVERTS_UTF_8 {
            |half, state, source, destination| {
                let mut encoder = E::unpack(half, *state);
                let done = encoder.convert_from_utf8(source, destination);
                store(E::KEEPS_STATE, state, encoder.pack());
                done
            }
        } else {
            convert::encode_from_utf8
        },
    };
}

impl Codec {
    /// A codec with a decoder. It has an encoder, too, which [`with_encoder`](Self::with_encoder) adds.
    #[must_use]
    pub const fn new(decoder: &'static DecoderFunctions) -> Self {
        Codec {
            has_encoder: true,
            encodes_everything: false,
            bom: None,
            cut_rule: CutRule::Never,
            index: None,
            pages: None,
            decoder,
            #[cfg(feature = "encode")]
            encoder: None,
        }
    }

    /// A codec with a decoder and no encoder.
    #[must_use]
    pub const fn without_encoder(decoder: &'static DecoderFunctions) -> Self {
        let mut codec = Codec::new(decoder);
        codec.has_encoder = false;
        codec
    }

    /// The encoding of the Standard that has this codec.
    #[must_use]
    pub const fn named(self, name: Name) -> Encoding {
        Encoding::new(name, self)
    }

    /// This codec with the index that its decoder reads from it.
    #[must_use]
    pub const fn with_index(mut self, index: &'static Characters) -> Self {
        self.index = Some(index);
        self
    }

    /// This codec with the pages that its decoder reads from it. The lowest byte of the packed state says which page.
    #[must_use]
    pub const fn with_pages(mut self, pages: &'static Pages) -> Self {
        self.pages = Some(pages);
        self
    }

    /// This codec with its encoder.
    #[cfg(feature = "encode")]
    #[must_use]
    pub const fn with_encoder(mut self, encoder: &'static EncoderHalf) -> Self {
        assert!(self.has_encoder, "the codec was made without an encoder");
        self.encoder = Some(encoder);
        self
    }

    /// This codec without its [`EncoderHalf`], for a `static` of its own. A program that uses only decoding halves
    /// links no encoder. All other facts are as in this codec, [`has_encoder`](Self::has_encoder) too.
    ///
    /// An [`Encoder`](crate::Encoder) cannot be made of a decoding half, unless
    /// [`Handle::encoder`](crate::Handle::encoder) of the program's type for encodings finds the other half.
    #[must_use]
    pub const fn decoding_half(&self) -> Self {
        Codec {
            has_encoder: self.has_encoder,
            encodes_everything: self.encodes_everything,
            bom: self.bom,
            cut_rule: self.cut_rule,
            index: self.index,
            pages: self.pages,
            decoder: self.decoder,
            #[cfg(feature = "encode")]
            encoder: None,
        }
    }

    /// This codec, whose encoder has bytes for every scalar value.
    #[must_use]
    pub const fn that_encodes_everything(mut self) -> Self {
        self.encodes_everything = true;
        self
    }

    /// This codec with a [cut rule](Self::cut_rule).
    #[must_use]
    pub const fn with_cut_rule(mut self, cut_rule: CutRule) -> Self {
        self.cut_rule = cut_rule;
        self
    }

    /// This codec with a byte order mark of its own.
    #[must_use]
    pub const fn with_bom(mut self, bom: Bom) -> Self {
        self.bom = Some(bom);
        self
    }

    /// The index that was given to [`Codec::with_index`].
    #[must_use]
    pub const fn index(&self) -> Option<&'static Characters> {
        self.index
    }

    /// The pages that were given to [`Codec::with_pages`].
    #[must_use]
    pub const fn pages(&self) -> Option<&'static Pages> {
        self.pages
    }

    /// Whether there is an [encoder](https://encoding.spec.whatwg.org/#encoder). In the Standard all encodings have
    /// one, except UTF-16BE, UTF-16LE and replacement.
    #[must_use]
    pub const fn has_encoder(&self) -> bool {
        self.has_encoder
    }

    /// The places of a text before which a decoder is surely in its first state, so that a new decoder gives the same
    /// text from there on. With them, one text can be decoded by several threads.
    #[must_use]
    pub const fn cut_rule(&self) -> CutRule {
        self.cut_rule
    }

    /// The byte order mark of its own, which in the Standard only UTF-8, UTF-16BE and UTF-16LE have.
    #[must_use]
    pub const fn bom(&self) -> Option<Bom> {
        self.bom
    }

    /// The bytes that mean the same text in this codec and in UTF-8, as long as a decoder is new.
    #[must_use]
    pub const fn unchanged(&self) -> Unchanged {
        self.decoder.unchanged
    }

    /// Whether each byte is a scalar value or an error, whatever bytes come before it: true of the single-byte
    /// encodings and x-user-defined.
    #[must_use]
    pub const fn is_single_byte(&self) -> bool {
        self.decoder.is_single_byte
    }

    /// Whether a decoder with the packed state `state` may convert something in bulk: see
    /// [`STATE_BITS`](DecoderHandler::STATE_BITS).
    #[inline(always)]
    #[must_use]
    pub const fn lets_convert(&self, state: u64) -> bool {
        state >> self.decoder.state_bits == 0
    }

    /// Whether a decoder with the packed state `state` is between two sequences, so that it has nothing to write at the
    /// end of a stream: see [`BEGUN`](DecoderHandler::BEGUN).
    #[inline(always)]
    #[must_use]
    pub const fn may_end(&self, state: u64) -> bool {
        state & self.decoder.begun as u64 == 0
    }

    /// Whether decoders are in their first state between any two sequences.
    #[doc(hidden)]
    #[must_use]
    pub const fn has_one_state(&self) -> bool {
        self.decoder.is_single_byte || self.decoder.states_between == 1
    }

    /// Whether the encoder has bytes for every scalar value: true of UTF-8. gb18030 has no bytes for U+E5E5.
    #[must_use]
    pub const fn encodes_everything(&self) -> bool {
        self.encodes_everything
    }

    #[inline(always)]
    pub(crate) const fn decoder(&self) -> &'static DecoderFunctions {
        self.decoder
    }

    /// The half that only encoding needs. `None` if there is no encoder, and in a [decoding half](Self::decoding_half).
    #[cfg(feature = "encode")]
    #[inline(always)]
    #[must_use]
    pub const fn encoder(&self) -> Option<&'static EncoderHalf> {
        self.encoder
    }
}

#[cfg(feature = "encode")]
impl EncoderHalf {
    /// The encoder `E`.
    #[must_use]
    pub const fn new<E: EncoderHandler>() -> Self {
        EncoderHalf { has_four_bytes: false, index: None, pages: None, functions: Of::<E>::FUNCTIONS }
    }

    /// This encoder with the index that it reads from this value.
    #[must_use]
    pub const fn with_index(mut self, index: &'static ByteTable) -> Self {
        self.index = Some(index);
        self
    }

    /// This encoder with the pages that it reads from this value. The lowest byte of the packed state says which page.
    #[must_use]
    pub const fn with_pages(mut self, pages: &'static Pages) -> Self {
        self.pages = Some(pages);
        self
    }

    /// This encoder with the fact that characters without pairs become sequences of four bytes, as in gb18030.
    #[must_use]
    pub const fn with_four_bytes(mut self) -> Self {
        self.has_four_bytes = true;
        self
    }

    /// Whether characters without pairs become sequences of four bytes: see [`with_four_bytes`](Self::with_four_bytes).
    #[must_use]
    pub const fn has_four_bytes(&self) -> bool {
        self.has_four_bytes
    }

    /// The index that was given to [`EncoderHalf::with_index`].
    #[must_use]
    pub const fn index(&self) -> Option<&'static ByteTable> {
        self.index
    }

    /// The pages that were given to [`EncoderHalf::with_pages`].
    #[must_use]
    pub const fn pages(&self) -> Option<&'static Pages> {
        self.pages
    }

    #[inline(always)]
    pub(crate) const fn functions(&self) -> &'static EncoderFunctions {
        self.functions
    }
}

#[cfg(feature = "encode")]
impl fmt::Debug for EncoderHalf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncoderHalf").finish_non_exhaustive()
    }
}

impl fmt::Debug for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Codec").finish_non_exhaustive()
    }
}

/// The places of a text before which every decoder of a codec is in its first state, whatever bytes come before them,
/// malformed bytes included: see [`Codec::cut_rule`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CutRule {
    /// No place is known.
    Never,
    /// Between any two bytes.
    Anywhere,
    /// After every byte below this one.
    AfterByteBelow(u8),
    /// One byte after this escape sequence, unless that byte is 0x1B. In ISO-2022-JP, a second escape sequence directly
    /// after the first one is an error.
    ///
    /// The reference to a reference is one word: with a slice in its place, each codec would be 8 bytes larger.
    AfterEscape(&'static &'static [u8]),
    /// After every code unit of two bytes that is not a leading surrogate. A code unit begins at an even distance from
    /// the start of the text. `is_big_endian` says which of its bytes is the higher one.
    AfterCodeUnit {
        /// Whether the first byte of a code unit is the higher one.
        is_big_endian: bool,
    },
}

impl CutRule {
    /// The first place at or after `from`, in bytes from the start of `text`, where `text` can be cut. `None` if there
    /// is none before the end. `text` begins where a decoder is in its first state.
    #[must_use]
    pub fn next_cut(self, text: &[u8], from: usize) -> Option<usize> {
        let ends_before = |at: usize| match self {
            CutRule::Never => false,
            CutRule::Anywhere => true,
            CutRule::AfterByteBelow(bound) => text.get(at.wrapping_sub(1)).is_some_and(|&byte| byte < bound),
            CutRule::AfterEscape(escape) => match text.get(..at) {
                Some([before @ .., byte]) => *byte != 0x1B && before.ends_with(escape),
                _ => false,
            },
            CutRule::AfterCodeUnit { is_big_endian } => {
                let unit = text.get(at.wrapping_sub(2)..at).filter(|_| at % 2 == 0);
                unit.is_some_and(|unit| !matches!(unit[usize::from(!is_big_endian)], 0xD8..=0xDB))
            }
        };
        (from..text.len()).find(|&at| at == 0 || ends_before(at))
    }
}
