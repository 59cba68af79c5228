//! [Encodings](https://encoding.spec.whatwg.org/#encoding): one `static` for each, made of a name, facts and functions.

use core::{
    fmt,
    hash::{Hash, Hasher},
};

use textcodec_kernels::string::{Utf8Space, Utf8Written};

use crate::{
    DecoderErrorMode, LabelError, Name,
    handler::{Bytes, CodePoints, DecoderHandler, EncoderHandler, HandlerResult, Item, MaxBytes, Restored, Unchanged},
    index::SingleByteIndex,
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
    index: Option<&'static SingleByteIndex>,
    /// Many encodings share the same functions.
    decoder: &'static DecoderFunctions,
    /// `None` if there is no encoder, and in a decoding half.
    encoder: Option<&'static EncoderFunctions>,
}

/// A `handler` without the type of its state, which is packed into a word.
type Handler<I, O, E> = fn(&'static Encoding, &mut u64, &mut Restored<I>, Item<I>) -> HandlerResult<O, E>;

/// A decoder's `convert` without the type of its state, which is packed into a word.
pub(crate) type DecodeToUtf16 = fn(&'static Encoding, &mut u64, &[u8], &mut [u16], DecoderErrorMode) -> (usize, usize);

/// A decoder's `convert_to_utf8` without the type of its state, which is packed into a word.
pub(crate) type DecodeToUtf8 =
    for<'id> fn(&'static Encoding, &mut u64, &[u8], Utf8Space<'id>, DecoderErrorMode) -> (usize, Utf8Written<'id>);

/// An encoder's `convert` without the type of its state, which is packed into a word.
pub(crate) type Encode<S> = fn(&'static Encoding, &mut u64, &S, &mut [u8]) -> (usize, usize);

/// The progress of a call of a decoder or an encoder, in units of the source and of the destination.
#[derive(Clone, Copy, Default)]
pub(crate) struct Progress {
    pub(crate) read: usize,
    pub(crate) written: usize,
    pub(crate) had_errors: bool,
}

/// A [`DecoderHandler`] without its type.
pub(crate) struct DecoderFunctions {
    pub(crate) unchanged: Unchanged,
    pub(crate) is_single_byte: bool,
    pub(crate) handler: Handler<u8, CodePoints, ()>,
    pub(crate) pending: fn(&'static Encoding, u64) -> Bytes,
    /// `convert` and `convert_to_utf8` convert nothing if a sequence has begun.
    pub(crate) convert: DecodeToUtf16,
    pub(crate) convert_to_utf8: DecodeToUtf8,
}

/// An [`EncoderHandler`] without its type.
pub(crate) struct EncoderFunctions {
    pub(crate) max_bytes_html: MaxBytes,
    pub(crate) max_bytes_fatal: MaxBytes,
    pub(crate) handler: Handler<char, Bytes, char>,
    pub(crate) convert: Encode<[u16]>,
    pub(crate) convert_from_utf8: Encode<str>,
}

/// The functions of a coder type.
struct Of<T>(core::marker::PhantomData<T>);

impl<D: DecoderHandler> Of<D> {
    const DECODER: &'static DecoderFunctions = &DecoderFunctions {
        unchanged: D::UNCHANGED,
        is_single_byte: D::IS_SINGLE_BYTE,
        handler: |encoding, state, io_queue, byte| {
            let mut decoder = D::unpack(encoding, *state);
            let result = decoder.handler(io_queue, byte);
            *state = decoder.pack();
            result
        },
        pending: |encoding, state| D::unpack(encoding, state).pending(),
        convert: |encoding, state, source, destination, mode| {
            let mut decoder = D::unpack(encoding, *state);
            if !decoder.between_sequences() {
                return (0, 0);
            }
            let done = decoder.convert(source, destination, mode);
            *state = decoder.pack();
            done
        },
        convert_to_utf8: |encoding, state, source, destination, mode| {
            let mut decoder = D::unpack(encoding, *state);
            if !decoder.between_sequences() {
                return (0, destination.nothing());
            }
            let done = decoder.convert_to_utf8(source, destination, mode);
            *state = decoder.pack();
            done
        },
    };
}

impl<E: EncoderHandler> Of<E> {
    const ENCODER: &'static EncoderFunctions = &EncoderFunctions {
        max_bytes_html: E::MAX_BYTES_HTML,
        max_bytes_fatal: E::MAX_BYTES_FATAL,
        handler: |encoding, state, io_queue, code_point| {
            let mut encoder = E::unpack(encoding, *state);
            let result = encoder.handler(io_queue, code_point);
            *state = encoder.pack();
            result
        },
        convert: |encoding, state, source, destination| {
            let mut encoder = E::unpack(encoding, *state);
            let done = encoder.convert(source, destination);
            *state = encoder.pack();
            done
        },
        convert_from_utf8: |encoding, state, source, destination| {
            let mut encoder = E::unpack(encoding, *state);
            let done = encoder.convert_from_utf8(source, destination);
            *state = encoder.pack();
            done
        },
    };
}

impl Encoding {
    /// The encoding `name` with the decoder `D` and the encoder `E`.
    #[must_use]
    pub const fn new<D: DecoderHandler, E: EncoderHandler>(name: Name) -> Self {
        Encoding {
            name,
            has_encoder: true,
            encodes_everything: E::ENCODES_EVERYTHING,
            bom: None,
            index: None,
            decoder: Of::<D>::DECODER,
            encoder: Some(Of::<E>::ENCODER),
        }
    }

    /// The encoding `name` with the decoder `D` and the encoder `E`, which read `index` from the encoding.
    #[must_use]
    pub const fn with_index<D: DecoderHandler, E: EncoderHandler>(name: Name, index: &'static SingleByteIndex) -> Self {
        let mut encoding = Encoding::new::<D, E>(name);
        encoding.index = Some(index);
        encoding
    }

    /// The encoding `name` with the decoder `D` and no encoder.
    #[must_use]
    pub const fn without_encoder<D: DecoderHandler>(name: Name) -> Self {
        Encoding {
            name,
            has_encoder: false,
            encodes_everything: false,
            bom: None,
            index: None,
            decoder: Of::<D>::DECODER,
            encoder: None,
        }
    }

    /// This encoding without a reference to its encoder, for a `static` of its own. A program that uses only decoding halves
    /// links no encoder. All other facts are as in this encoding, [`has_encoder`](Self::has_encoder) too.
    ///
    /// An [`Encoder`](crate::Encoder) cannot be made of a decoding half, unless [`Handle::as_static`] of the program's type for
    /// encodings leads from the decoding half to the whole encoding.
    #[must_use]
    pub const fn decoding_half(&self) -> Self {
        Encoding {
            name: self.name,
            has_encoder: self.has_encoder,
            encodes_everything: self.encodes_everything,
            bom: self.bom,
            index: self.index,
            decoder: self.decoder,
            encoder: None,
        }
    }

    /// Whether this is a [decoding half](Self::decoding_half): the Standard has an encoder, and this value does not refer to it.
    #[must_use]
    pub const fn is_decoding_half(&self) -> bool {
        self.has_encoder && self.encoder.is_none()
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
    pub const fn index(&self) -> Option<&'static SingleByteIndex> {
        self.index
    }

    /// Whether the encoding has an [encoder](https://encoding.spec.whatwg.org/#encoder): all have, except UTF-16BE, UTF-16LE
    /// and replacement.
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

    /// Whether each byte is a scalar value or an error, whatever bytes come before it: true of the single-byte encodings and
    /// x-user-defined.
    #[must_use]
    pub const fn is_single_byte(&self) -> bool {
        self.decoder.is_single_byte
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

    #[inline(always)]
    pub(crate) const fn encoder(&self) -> Option<&'static EncoderFunctions> {
        self.encoder
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
/// Here the type is a reference to the `static`. With this type no byte order mark changes the encoding, because the core contains
/// no encodings. `textcodec` has a type of its own, with which a byte order mark leads to an enabled encoding.
pub trait Handle: Copy {
    /// The `static` of the encoding, with its encoder.
    fn as_static(self) -> &'static Encoding;

    /// The `static` that decoders use, which may be a [decoding half](Encoding::decoding_half) of
    /// [`as_static`](Self::as_static).
    #[inline]
    fn for_decoding(self) -> &'static Encoding {
        self.as_static()
    }

    /// The handle that encoders keep. A program's type whose [`as_static`](Self::as_static) looks the encoding up returns a handle
    /// of the encoding that it found, so that later calls need not look it up again.
    #[inline]
    #[must_use]
    fn for_encoding(self) -> Self {
        self
    }

    /// The encoding that a sniffing [`Decoder`](crate::Decoder) changes to at `bom`. `None` if the decoder shall read the byte
    /// order mark as text.
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

/// A set of encodings in which labels are looked up: the encodings that a program wants to link.
///
/// ```
/// use textcodec_core::{LabelError, Name, Registry};
///
/// const NOTHING: Registry = Registry::empty();
/// assert_eq!(NOTHING.for_label(b"latin1"), Err(LabelError::NotLinked(Name::Windows1252)));
/// assert_eq!(NOTHING.for_label(b"latin0"), Err(LabelError::Unknown));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Registry {
    encodings: [Option<&'static Encoding>; Name::ALL.len()],
}

impl Registry {
    /// The empty set.
    #[must_use]
    pub const fn empty() -> Self {
        Registry { encodings: [None; Name::ALL.len()] }
    }

    /// This set with `encodings` added.
    #[must_use]
    pub const fn with(mut self, encodings: &[&'static Encoding]) -> Self {
        let mut at = 0;
        while at < encodings.len() {
            self.encodings[encodings[at].name as usize] = Some(encodings[at]);
            at += 1;
        }
        self
    }

    /// [Get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get) of this set from `label`.
    ///
    /// # Errors
    /// [`LabelError::Unknown`] if the Standard does not have the label, [`LabelError::NotLinked`] if its encoding is not in this
    /// set.
    pub fn for_label(&self, label: &[u8]) -> Result<&'static Encoding, LabelError> {
        self.for_name(Name::for_label(label)?)
    }

    /// The encoding with this name.
    ///
    /// # Errors
    /// [`LabelError::NotLinked`] if the encoding is not in this set.
    pub fn for_name(&self, name: Name) -> Result<&'static Encoding, LabelError> {
        self.get(name).ok_or(LabelError::NotLinked(name))
    }

    /// The encoding with this name; `None` if it is not in this set.
    #[inline]
    #[must_use]
    pub const fn get(&self, name: Name) -> Option<&'static Encoding> {
        self.encodings[name as usize]
    }

    /// The encodings of this set, in the order of the Standard's table.
    pub fn iter(&self) -> impl Iterator<Item = &'static Encoding> {
        self.encodings.into_iter().flatten()
    }
}

/// A byte order mark that [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff) finds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bom {
    /// EF BB BF
    Utf8,
    /// FE FF
    Utf16Be,
    /// FF FE
    Utf16Le,
}

impl Bom {
    /// All three byte order marks.
    pub const ALL: [Bom; 3] = [Bom::Utf8, Bom::Utf16Be, Bom::Utf16Le];

    /// [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff) at the start of a stream: the byte order mark that `bytes` begin
    /// with.
    ///
    /// Three bytes suffice. FF FE 00 00 begins with the byte order mark of UTF-16LE, because UTF-32 is not an encoding of the
    /// Standard.
    #[doc(alias = "for_bom")]
    #[must_use]
    pub fn sniff(bytes: &[u8]) -> Option<Bom> {
        Bom::ALL.into_iter().find(|bom| bytes.starts_with(bom.bytes()))
    }

    /// The bytes of the byte order mark.
    #[must_use]
    pub const fn bytes(self) -> &'static [u8] {
        match self {
            Bom::Utf8 => &[0xEF, 0xBB, 0xBF],
            Bom::Utf16Be => &[0xFE, 0xFF],
            Bom::Utf16Le => &[0xFF, 0xFE],
        }
    }

    /// The name of the encoding that the byte order mark belongs to.
    #[must_use]
    pub const fn name(self) -> Name {
        match self {
            Bom::Utf8 => Name::Utf8,
            Bom::Utf16Be => Name::Utf16Be,
            Bom::Utf16Le => Name::Utf16Le,
        }
    }
}
