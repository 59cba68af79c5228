//! [Encodings](https://encoding.spec.whatwg.org/#encoding): one `static` for each, made of a name, facts and functions.

use core::{
    fmt,
    hash::{Hash, Hasher},
};

use textcodec_kernels::string::{Utf8Space, Utf8Written};
#[cfg(feature = "encode")]
use textcodec_kernels::to_double_byte::ToDoubleByte;

#[cfg(feature = "encode")]
use crate::handler::{EncoderHandler, MaxBytes};
#[cfg(feature = "encode")]
use crate::index::ByteTable;
use crate::{
    Bom, DecoderErrorMode, Name, convert,
    convert::Pairs,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restored, Unchanged},
    index::Characters,
};

/// An [encoding](https://encoding.spec.whatwg.org/#encoding): its name, its decoder and, if it has one, its encoder.
///
/// The encodings are `static`s of their crates. A program contains only the code of the encodings that it names.
/// Two encodings are equal if their names are equal.
pub struct Encoding {
    name: Name,
    /// Whether the Standard has an encoder for the encoding. True also in a [decoding half](Encoding::decoding_half).
    has_encoder: bool,
    encodes_everything: bool,
    bom: Option<Bom>,
    index: Option<&'static Characters>,
    /// Many encodings share the same functions.
    decoder: &'static DecoderFunctions,
    /// `None` if there is no encoder, and in a decoding half.
    #[cfg(feature = "encode")]
    encoder: Option<&'static EncoderHalf>,
}

/// The half of an [`Encoding`] that only encoding needs.
#[cfg(feature = "encode")]
pub struct EncoderHalf {
    name: Name,
    /// Whether characters without pairs become sequences of four bytes.
    pub(crate) has_four_bytes: bool,
    index: Option<&'static ByteTable>,
    /// Many encodings share the same functions.
    functions: &'static EncoderFunctions,
}

/// A `handler` without the type of its state, which is packed into the word `W`. `H` has the facts: an [`Encoding`] or
/// an [`EncoderHalf`].
type Handler<H, W, I, O, E> = fn(&'static H, &mut W, &mut Restored<I>, Item<I>) -> HandlerResult<O, E>;

/// A decoder's `convert` without the type of its state, which is packed into a word.
pub(crate) type DecodeToUtf16 = fn(&'static Encoding, &mut u64, &[u8], &mut [u16], DecoderErrorMode) -> (usize, usize);

/// A decoder's `convert_to_utf8` without the type of its state, which is packed into a word.
pub(crate) type DecodeToUtf8 =
    for<'id> fn(&'static Encoding, &mut u64, &[u8], Utf8Space<'id>, DecoderErrorMode) -> (usize, Utf8Written<'id>);

/// An encoder's `convert` without the type of its state, which is packed into a byte.
#[cfg(feature = "encode")]
pub(crate) type Encode<S> = fn(&'static EncoderHalf, &mut u8, &S, &mut [u8]) -> (usize, usize);

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

/// A [`DecoderHandler`] without its type. Each decoder has one `static` of this type, to which its encodings refer:
/// other packages refer to the `static` too, where they would compile the functions of a constant again.
pub struct DecoderFunctions {
    pub(crate) unchanged: Unchanged,
    pub(crate) is_single_byte: bool,
    pub(crate) state_bits: u8,
    /// [`DecoderHandler::STATES_BETWEEN`].
    pub(crate) states_between: u8,
    /// [`DecoderHandler::BEGUN`], whose upper 33 bits are equal.
    pub(crate) begun: i32,
    pub(crate) handler: Handler<Encoding, u64, u8, CodePoints, ()>,
    pub(crate) pending: fn(&'static Encoding, u64) -> Bytes,
    pub(crate) pairs: Option<&'static Pairs>,
    /// `convert` and `convert_to_utf8` convert nothing inside of a sequence that they cannot finish.
    pub(crate) convert: DecodeToUtf16,
    pub(crate) convert_to_utf8: DecodeToUtf8,
}

/// An [`EncoderHandler`] without its type.
#[cfg(feature = "encode")]
pub(crate) struct EncoderFunctions {
    pub(crate) max_bytes_html: MaxBytes,
    pub(crate) max_bytes_fatal: MaxBytes,
    /// [`EncoderHandler::STATES`].
    pub(crate) states: u8,
    pub(crate) has_ascii: bool,
    pub(crate) pairs: Option<&'static ToDoubleByte<'static>>,
    pub(crate) pairs_have_hangul: bool,
    pub(crate) handler: Handler<EncoderHalf, u8, char, Bytes, char>,
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
            begun: {
                assert!(D::BEGUN as i32 as u64 == D::BEGUN, "32 bits do not tell where a sequence has begun");
                D::BEGUN as i32
            },
            handler: |encoding, state, io_queue, byte| {
                let mut decoder = D::unpack(encoding, *state);
                let result = decoder.handler(io_queue, byte);
                *state = decoder.pack();
                result
            },
            pending: |encoding, state| D::unpack(encoding, state).pending(),
            pairs: D::PAIRS,
            convert: if D::PAIRS.is_some() {
                convert::double_byte::to_utf16
            } else {
                |encoding, state, source, destination, mode| {
                    let mut decoder = D::unpack(encoding, *state);
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
                |encoding, state, source, destination, mode| {
                    let mut decoder = D::unpack(encoding, *state);
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

impl Encoding {
    /// The encoding `name` with a decoder. The Standard has an encoder for it, which
    /// [`with_encoder`](Self::with_encoder) adds.
    #[must_use]
    pub const fn new(name: Name, decoder: &'static DecoderFunctions) -> Self {
        Encoding {
            name,
            has_encoder: true,
            encodes_everything: false,
            bom: None,
            index: None,
            decoder,
            #[cfg(feature = "encode")]
            encoder: None,
        }
    }

    /// The encoding `name` with a decoder. The Standard has no encoder for it.
    #[must_use]
    pub const fn without_encoder(name: Name, decoder: &'static DecoderFunctions) -> Self {
        let mut encoding = Encoding::new(name, decoder);
        encoding.has_encoder = false;
        encoding
    }

    /// This encoding with the index that its decoder reads from it.
    #[must_use]
    pub const fn with_index(mut self, index: &'static Characters) -> Self {
        self.index = Some(index);
        self
    }

    /// This encoding with its encoder, which must have the same name.
    #[cfg(feature = "encode")]
    #[must_use]
    pub const fn with_encoder(mut self, encoder: &'static EncoderHalf) -> Self {
        assert!(self.has_encoder && self.name as u8 == encoder.name as u8, "the encoder belongs to another encoding");
        self.encoder = Some(encoder);
        self
    }

    /// This encoding without its [`EncoderHalf`], for a `static` of its own. A program that uses only decoding halves
    /// links no encoder. All other facts are as in this encoding, [`has_encoder`](Self::has_encoder) too.
    ///
    /// An [`Encoder`](crate::Encoder) cannot be made of a decoding half, unless [`Handle::encoder`] of the program's
    /// type for encodings finds the other half.
    #[must_use]
    pub const fn decoding_half(&self) -> Self {
        Encoding {
            name: self.name,
            has_encoder: self.has_encoder,
            encodes_everything: self.encodes_everything,
            bom: self.bom,
            index: self.index,
            decoder: self.decoder,
            #[cfg(feature = "encode")]
            encoder: None,
        }
    }

    /// This encoding, whose encoder has bytes for every scalar value.
    #[must_use]
    pub const fn that_encodes_everything(mut self) -> Self {
        self.encodes_everything = true;
        self
    }

    /// This encoding with a byte order mark of its own.
    #[must_use]
    pub const fn with_bom(mut self, bom: Bom) -> Self {
        self.bom = Some(bom);
        self
    }

    /// The [name](https://encoding.spec.whatwg.org/#name), as the Standard writes it, for example `"Shift_JIS"`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name.as_str()
    }

    /// The name as a value of the closed set.
    #[must_use]
    pub const fn id(&self) -> Name {
        self.name
    }

    /// The [labels](https://encoding.spec.whatwg.org/#label), lower-case, in ascending order.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = &'static str> + DoubleEndedIterator + Clone + use<> {
        self.name.labels()
    }

    /// The index that was given to [`Encoding::with_index`].
    #[must_use]
    pub const fn index(&self) -> Option<&'static Characters> {
        self.index
    }

    /// Whether the encoding has an [encoder](https://encoding.spec.whatwg.org/#encoder): all have, except UTF-16BE,
    /// UTF-16LE and replacement.
    #[must_use]
    pub const fn has_encoder(&self) -> bool {
        self.has_encoder
    }

    /// The encoding's own byte order mark, which only UTF-8, UTF-16BE and UTF-16LE have.
    #[must_use]
    pub const fn bom(&self) -> Option<Bom> {
        self.bom
    }

    /// The bytes that mean the same text in this encoding and in UTF-8, as long as a decoder is new.
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
    /// The encoder `E` of the encoding `name`.
    #[must_use]
    pub const fn new<E: EncoderHandler>(name: Name) -> Self {
        EncoderHalf { name, has_four_bytes: false, index: None, functions: Of::<E>::FUNCTIONS }
    }

    /// This encoder with the index that it reads from this value.
    #[must_use]
    pub const fn with_index(mut self, index: &'static ByteTable) -> Self {
        self.index = Some(index);
        self
    }

    /// This encoder with the fact that characters without pairs become sequences of four bytes, as in gb18030.
    #[must_use]
    pub const fn with_four_bytes(mut self) -> Self {
        self.has_four_bytes = true;
        self
    }

    /// The name of the encoding.
    #[must_use]
    pub const fn id(&self) -> Name {
        self.name
    }

    /// The index that was given to [`EncoderHalf::with_index`].
    #[must_use]
    pub const fn index(&self) -> Option<&'static ByteTable> {
        self.index
    }

    #[inline(always)]
    pub(crate) const fn functions(&self) -> &'static EncoderFunctions {
        self.functions
    }
}

#[cfg(feature = "encode")]
impl fmt::Debug for EncoderHalf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EncoderHalf({})", self.name)
    }
}

impl PartialEq for Encoding {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Encoding {}

impl Hash for Encoding {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Encoding({})", self.name)
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)
    }
}

/// A program's type for an encoding: decoders and encoders are made from it and return it.
///
/// Here the type is a reference to the `static`. With this type no byte order mark changes the encoding, because the
/// core contains no encodings. `textcodec` has a type of its own, with which a byte order mark leads to an enabled
/// encoding.
pub trait Handle: Copy {
    /// The `static` of the encoding, which decoders use. It may be a [decoding half](Encoding::decoding_half).
    fn as_static(self) -> &'static Encoding;

    /// The half of the encoding that encoders use. Only functions that encode call this, so that a program that only
    /// decodes links no encoder.
    #[cfg(feature = "encode")]
    #[inline]
    fn encoder(self) -> Option<&'static EncoderHalf> {
        self.as_static().encoder()
    }

    /// The encoding that a sniffing [`Decoder`](crate::Decoder) changes to at `bom`. `None` if the decoder shall read
    /// the byte order mark as text.
    fn of_bom(bom: Bom) -> Option<Self>;
}

impl Handle for &'static Encoding {
    fn as_static(self) -> &'static Encoding {
        self
    }

    fn of_bom(_: Bom) -> Option<Self> {
        None
    }
}
