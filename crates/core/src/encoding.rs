//! [Encodings](https://encoding.spec.whatwg.org/#encoding): one `static` for each, a codec with a name.

use core::{
    fmt,
    hash::{Hash, Hasher},
};

#[cfg(feature = "encode")]
use crate::EncoderHalf;
use crate::{Bom, Codec, Name};

/// An [encoding](https://encoding.spec.whatwg.org/#encoding) of the Standard: a [`Codec`] with one of the 40 names.
///
/// The encodings are `static`s of their crates. Two encodings are equal if their names are equal.
pub struct Encoding {
    name: Name,
    codec: Codec,
}

impl Encoding {
    /// The encoding `name`, which has this codec.
    #[must_use]
    pub const fn new(name: Name, codec: Codec) -> Self {
        Encoding { name, codec }
    }

    /// The functions, tables and facts of the encoding.
    #[inline(always)]
    #[must_use]
    pub const fn codec(&self) -> &Codec {
        &self.codec
    }

    /// This encoding with the [decoding half](Codec::decoding_half) of its codec, for a `static` of its own.
    ///
    /// An [`Encoder`](crate::Encoder) cannot be made of a decoding half, unless [`Handle::encoder`] of the program's
    /// type for encodings finds the other half.
    #[must_use]
    pub const fn decoding_half(&self) -> Self {
        Encoding { name: self.name, codec: self.codec.decoding_half() }
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
/// Here the types are references to the `static`s of encodings and of codecs. With these types no byte order mark
/// changes the encoding, because the core contains no encodings. `textcodec` has a type of its own, with which a byte
/// order mark leads to an enabled encoding.
pub trait Handle: Copy {
    /// The codec, which decoders use. It may be a [decoding half](Codec::decoding_half).
    fn codec(self) -> &'static Codec;

    /// The half of the codec that encoders use. Only functions that encode call this, so that a program that only
    /// decodes links no encoder.
    #[cfg(feature = "encode")]
    #[inline]
    fn encoder(self) -> Option<&'static EncoderHalf> {
        self.codec().encoder()
    }

    /// The number of the encoding among several that share one codec: the lowest byte of the packed state in which the
    /// codec's decoders and encoders begin. 0 for a codec with one encoding. A handle that holds another one passes its
    /// number on: there is no default, because a charset without its number is another charset.
    fn selector(self) -> u8;

    /// The encoding that a sniffing [`Decoder`](crate::Decoder) changes to at `bom`. `None` if the decoder shall read
    /// the byte order mark as text.
    fn of_bom(bom: Bom) -> Option<Self>;
}

impl Handle for &'static Encoding {
    fn codec(self) -> &'static Codec {
        &self.codec
    }

    #[inline]
    fn selector(self) -> u8 {
        0
    }

    fn of_bom(_: Bom) -> Option<Self> {
        None
    }
}

impl Handle for &'static Codec {
    fn codec(self) -> &'static Codec {
        self
    }

    #[inline]
    fn selector(self) -> u8 {
        0
    }

    fn of_bom(_: Bom) -> Option<Self> {
        None
    }
}
