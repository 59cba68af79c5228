//! [Encodings](https://encoding.spec.whatwg.org/#encoding): one `static` each, made of a name and functions.

use core::{
    fmt,
    hash::{Hash, Hasher},
};

use textcodec_kernels::string::{Utf8Space, Utf8Written};

use crate::{
    DecoderErrorMode, LabelError, Name,
    handler::{Bytes, CodePoints, DecoderHandler, EncoderHandler, HandlerResult, Item, Restored},
    index::SingleByteIndex,
};

/// An [encoding](https://encoding.spec.whatwg.org/#encoding): its name, its decoder and, if it has one, its encoder.
///
/// The encodings are `static`s of their crates, and a program contains only the code of those that it names.
/// Two encodings are equal if their names are.
pub struct Encoding {
    name: Name,
    /// Whether `functions` has an encoder. It stands here as well, because asking there makes a new encoder for UTF-8 and a few
    /// characters a fifth slower.
    has_encoder: bool,
    index: Option<&'static SingleByteIndex>,
    /// A reference, because many encodings have the same.
    functions: &'static Functions,
}

/// What a decoder and an encoder amount to once their types are forgotten.
struct Functions {
    decoder: DecoderFunctions,
    encoder: Option<EncoderFunctions>,
}

/// A `handler` whose type is forgotten; the state is a packed word.
type Handler<I, O, E> = fn(&'static Encoding, &mut u64, &mut Restored<I>, Item<I>) -> HandlerResult<O, E>;

/// A decoder's `convert` whose type is forgotten; the state is a packed word.
pub(crate) type DecodeToUtf16 = fn(&'static Encoding, &mut u64, &[u8], &mut [u16], DecoderErrorMode) -> (usize, usize);

/// A decoder's `convert_to_utf8` whose type is forgotten; the state is a packed word.
pub(crate) type DecodeToUtf8 =
    for<'id> fn(&'static Encoding, &mut u64, &[u8], Utf8Space<'id>, DecoderErrorMode) -> (usize, Utf8Written<'id>);

/// An encoder's `convert` whose type is forgotten; the state is a packed word.
pub(crate) type Encode<S> = fn(&'static Encoding, &mut u64, &S, &mut [u8]) -> (usize, usize);

/// How far a call of a decoder or an encoder has come, in units of the source and of the destination.
#[derive(Clone, Copy, Default)]
pub(crate) struct Progress {
    pub(crate) read: usize,
    pub(crate) written: usize,
    pub(crate) had_errors: bool,
}

/// What a [`DecoderHandler`] amounts to once its type is forgotten.
pub(crate) struct DecoderFunctions {
    pub(crate) handler: Handler<u8, CodePoints, ()>,
    pub(crate) pending: fn(&'static Encoding, u64) -> Bytes,
    /// These two convert nothing if a sequence has begun.
    pub(crate) convert: DecodeToUtf16,
    pub(crate) convert_to_utf8: DecodeToUtf8,
}

/// What an [`EncoderHandler`] amounts to once its type is forgotten.
pub(crate) struct EncoderFunctions {
    pub(crate) handler: Handler<char, Bytes, char>,
    pub(crate) convert: Encode<[u16]>,
    pub(crate) convert_from_utf8: Encode<str>,
}

/// The functions of a coder type.
struct Of<T>(core::marker::PhantomData<T>);

impl<D: DecoderHandler> Of<D> {
    const ALONE: &'static Functions = &Functions { decoder: Self::DECODER, encoder: None };

    const DECODER: DecoderFunctions = DecoderFunctions {
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
    const ENCODER: EncoderFunctions = EncoderFunctions {
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

impl<D: DecoderHandler, E: EncoderHandler> Of<(D, E)> {
    const BOTH: &'static Functions = &Functions { decoder: Of::<D>::DECODER, encoder: Some(Of::<E>::ENCODER) };
}

impl Encoding {
    /// The encoding `name` with the decoder `D` and the encoder `E`.
    #[must_use]
    pub const fn new<D: DecoderHandler, E: EncoderHandler>(name: Name) -> Self {
        Encoding { name, has_encoder: true, index: None, functions: Of::<(D, E)>::BOTH }
    }

    /// The encoding `name` with the decoder `D` and the encoder `E`, which find `index` in it.
    #[must_use]
    pub const fn with_index<D: DecoderHandler, E: EncoderHandler>(name: Name, index: &'static SingleByteIndex) -> Self {
        let mut encoding = Encoding::new::<D, E>(name);
        encoding.index = Some(index);
        encoding
    }

    /// The encoding `name` with the decoder `D` and no encoder.
    #[must_use]
    pub const fn without_encoder<D: DecoderHandler>(name: Name) -> Self {
        Encoding { name, has_encoder: false, index: None, functions: Of::<D>::ALONE }
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

    /// The index given to [`Encoding::with_index`].
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

    #[inline(always)]
    pub(crate) const fn decoder(&self) -> &'static DecoderFunctions {
        &self.functions.decoder
    }

    #[inline(always)]
    pub(crate) const fn encoder(&self) -> Option<&'static EncoderFunctions> {
        self.functions.encoder.as_ref()
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

/// How a program names encodings: what its decoders and encoders are made of, and what they tell of themselves.
///
/// Here that is a reference to the `static`, and no mark changes the encoding, because the core knows none. `textcodec` has a
/// value of its own, for which marks lead to the encodings that are enabled.
pub trait Handle: Copy {
    /// The `static`.
    fn as_static(self) -> &'static Encoding;

    /// The encoding that a sniffing [`Decoder`](crate::Decoder) changes to at `bom`; `None` if the mark is to be taken for text.
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

/// A set of encodings to look labels up in: those that a program wants to link.
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
    /// No encodings.
    #[must_use]
    pub const fn empty() -> Self {
        Registry { encodings: [None; Name::ALL.len()] }
    }

    /// These encodings in addition.
    #[must_use]
    pub const fn with(mut self, encodings: &[&'static Encoding]) -> Self {
        let mut at = 0;
        while at < encodings.len() {
            self.encodings[encodings[at].name as usize] = Some(encodings[at]);
            at += 1;
        }
        self
    }

    /// [Get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get) from `label`, among those of this set.
    ///
    /// # Errors
    /// [`LabelError::Unknown`] if the Standard has no such label, [`LabelError::NotLinked`] if the encoding is not in this set.
    pub fn for_label(&self, label: &[u8]) -> Result<&'static Encoding, LabelError> {
        self.for_name(Name::for_label(label)?)
    }

    /// The encoding with this name.
    ///
    /// # Errors
    /// [`LabelError::NotLinked`] if it is not in this set.
    pub fn for_name(&self, name: Name) -> Result<&'static Encoding, LabelError> {
        self.encodings[name as usize].ok_or(LabelError::NotLinked(name))
    }

    /// The encodings of this set, in the order of the Standard's table.
    pub fn iter(&self) -> impl Iterator<Item = &'static Encoding> {
        self.encodings.into_iter().flatten()
    }
}

/// A byte order mark that [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff) knows.
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
    /// All three.
    pub const ALL: [Bom; 3] = [Bom::Utf8, Bom::Utf16Be, Bom::Utf16Le];

    /// [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff) at the start of a stream: the mark that `bytes` begin with.
    ///
    /// Three bytes are enough to tell; two are for UTF-16. FF FE 00 00 is UTF-16LE: UTF-32 does not exist here.
    #[doc(alias = "for_bom")]
    #[must_use]
    pub fn sniff(bytes: &[u8]) -> Option<Bom> {
        Bom::ALL.into_iter().find(|bom| bytes.starts_with(bom.bytes()))
    }

    /// The bytes of the mark.
    #[must_use]
    pub const fn bytes(self) -> &'static [u8] {
        match self {
            Bom::Utf8 => &[0xEF, 0xBB, 0xBF],
            Bom::Utf16Be => &[0xFE, 0xFF],
            Bom::Utf16Le => &[0xFF, 0xFE],
        }
    }

    /// The name of the encoding that the mark belongs to.
    #[must_use]
    pub const fn name(self) -> Name {
        match self {
            Bom::Utf8 => Name::Utf8,
            Bom::Utf16Be => Name::Utf16Be,
            Bom::Utf16Le => Name::Utf16Le,
        }
    }
}
