//! [`Encoding`], the handle of an enabled encoding.

use core::{fmt, str::FromStr};

use textcodec_core::Handle;

#[cfg(feature = "encode")]
use crate::generated::encodings::{ENCODERS, WITH_ENCODERS};
use crate::{Bom, LabelError, Name, generated::encodings::REGISTRY};

/// An [encoding](https://encoding.spec.whatwg.org/#encoding) of the Standard.
///
/// A value has the size of a reference and is compared by name. There is a constant for each encoding, and
/// [`Encoding::for_label`] finds one by its label.
#[doc(alias = "iconv")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoding(&'static textcodec_core::Encoding);

/// The treatment of a byte order mark at the start of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "utf16", derive(Default))]
#[non_exhaustive]
pub enum BomHandling {
    /// A byte order mark of any encoding is removed and decides the encoding, as in the Standard's
    /// [*decode*](https://encoding.spec.whatwg.org/#decode).
    #[cfg(feature = "utf16")]
    #[default]
    Sniff,
    /// A byte order mark is removed if it belongs to the encoding, as in
    /// [*UTF-8 decode*](https://encoding.spec.whatwg.org/#utf-8-decode).
    Remove,
    /// A byte order mark is decoded as U+FEFF, as in
    /// [*UTF-8 decode without BOM*](https://encoding.spec.whatwg.org/#utf-8-decode-without-bom).
    Keep,
}

#[cfg(feature = "utf16")]
impl BomHandling {
    /// The encoding of `bytes` that are said to be in `encoding`, and the length in bytes of the byte order mark that
    /// the text does not contain; 0 without one.
    ///
    /// ```
    /// use textcodec::{BomHandling, UTF_8, WINDOWS_1252};
    ///
    /// assert_eq!(BomHandling::Sniff.apply(WINDOWS_1252, b"\xEF\xBB\xBFa"), (UTF_8, 3));
    /// assert_eq!(BomHandling::Remove.apply(WINDOWS_1252, b"\xEF\xBB\xBFa"), (WINDOWS_1252, 0));
    /// ```
    #[must_use]
    pub fn apply(self, encoding: Encoding, bytes: &[u8]) -> (Encoding, usize) {
        let bom = match self {
            BomHandling::Sniff => Bom::sniff(bytes),
            BomHandling::Remove => encoding.bom().filter(|bom| bytes.starts_with(bom.bytes())),
            BomHandling::Keep => None,
        };
        match bom {
            Some(bom) => (Encoding::of_bom(bom).unwrap_or(encoding), bom.bytes().len()),
            None => (encoding, 0),
        }
    }
}

/// A decoder for a stream of bytes that arrives in slices, into slices of UTF-8 or UTF-16; see
/// [`Encoding::new_decoder`] and [`Encoding::new_decoder_with`].
pub type Decoder = textcodec_core::Decoder<Encoding>;

/// An encoder for a stream of text that arrives in slices of UTF-8 or UTF-16, into slices of bytes; see
/// [`Encoding::new_encoder`].
#[cfg(feature = "encode")]
pub type Encoder = textcodec_core::Encoder<Encoding>;

/// The constants and the registry have decoding halves. So a program that never encodes links no encoder: only
/// functions that encode look up the other half.
#[doc(hidden)]
impl Handle for Encoding {
    #[inline]
    fn codec(self) -> &'static textcodec_core::Codec {
        self.0.codec()
    }

    #[cfg(feature = "encode")]
    #[inline]
    fn encoder(self) -> Option<&'static textcodec_core::EncoderHalf> {
        match self.0.codec().encoder() {
            // A value made from an encoding of the core.
            Some(half) => Some(half),
            None => ENCODERS.get(self.0.id()),
        }
    }

    #[inline]
    fn selector(self) -> u8 {
        0
    }

    fn of_bom(bom: Bom) -> Option<Self> {
        match bom {
            Bom::Utf8 => Some(crate::UTF_8),
            #[cfg(feature = "utf16")]
            Bom::Utf16Be => Some(crate::UTF_16BE),
            #[cfg(feature = "utf16")]
            Bom::Utf16Le => Some(crate::UTF_16LE),
            // Without the feature `utf16` no function sniffs byte order marks, so that the feature changes no result.
            #[cfg(not(feature = "utf16"))]
            Bom::Utf16Be | Bom::Utf16Le => None,
        }
    }
}

impl Encoding {
    pub(crate) const fn of(encoding: &'static textcodec_core::Encoding) -> Self {
        Encoding(encoding)
    }

    /// [Get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get) from a label: ASCII whitespace around
    /// it and the case of ASCII letters do not matter, everything else does.
    ///
    /// # Errors
    /// [`LabelError::Unknown`] if the Standard has no such label, [`LabelError::NotLinked`] if its encoding is not
    /// enabled. Both are failures of *get an encoding*; to repair the second one, enable a feature in `Cargo.toml`.
    ///
    /// ```
    /// use textcodec::{Encoding, LabelError};
    ///
    /// assert_eq!(Encoding::for_label(" Latin1 ")?.name(), "windows-1252");
    /// assert_eq!(Encoding::for_label("latin-1"), Err(LabelError::Unknown));
    /// # Ok::<(), LabelError>(())
    /// ```
    #[doc(alias = "for_label_no_replacement")]
    pub fn for_label(label: impl AsRef<[u8]>) -> Result<Self, LabelError> {
        REGISTRY.for_label(label.as_ref()).map(Encoding)
    }

    /// The encoding that the `charset` of a `Content-Type` header names, such as `text/html; charset=Shift_JIS`: its
    /// MIME type is [parsed](https://mimesniff.spec.whatwg.org/#parse-a-mime-type-from-bytes), and
    /// [`for_label`](Self::for_label) takes the value of the parameter.
    ///
    /// For a header without a `charset`, and for one that names no encoding, the format of the body has a default of
    /// its own: see [`sniff`](crate::sniff).
    ///
    /// # Errors
    /// [`LabelError::Unknown`] if the header is no MIME type, has no `charset`, or its `charset` is no label;
    /// [`LabelError::NotLinked`] if the encoding is not enabled.
    ///
    /// ```
    /// use textcodec::{Encoding, SHIFT_JIS, UTF_8};
    ///
    /// let encoding = Encoding::for_content_type("text/plain; charset=\"sjis\"").unwrap_or(UTF_8);
    /// assert_eq!(encoding, SHIFT_JIS);
    /// assert_eq!(encoding.decode(b"\x93\xFA\x96{").text, "日本");
    /// ```
    #[cfg(feature = "sniff")]
    pub fn for_content_type(content_type: impl AsRef<[u8]>) -> Result<Self, LabelError> {
        let mime_type = textcodec_sniff::MimeType::parse(content_type.as_ref());
        match mime_type.and_then(|mime_type| mime_type.charset()).and_then(|charset| charset.encoding()) {
            Some(name) => Encoding::for_name(name),
            None => Err(LabelError::Unknown),
        }
    }

    /// The encoding with this name.
    ///
    /// # Errors
    /// [`LabelError::NotLinked`] if the encoding is not enabled.
    pub fn for_name(name: Name) -> Result<Self, LabelError> {
        REGISTRY.for_name(name).map(Encoding)
    }

    /// The enabled encodings, in the order of the Standard's table.
    pub fn all() -> impl Iterator<Item = Self> {
        REGISTRY.iter().map(Encoding)
    }

    /// The [name](https://encoding.spec.whatwg.org/#name) as the Standard writes it, for example `"Shift_JIS"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name()
    }

    /// The name as a value of the enumeration [`Name`].
    #[must_use]
    pub const fn id(self) -> Name {
        self.0.id()
    }

    /// The [labels](https://encoding.spec.whatwg.org/#label), lower-case, in ascending order.
    #[doc(hidden)]
    pub fn labels(self) -> impl ExactSizeIterator<Item = &'static str> + DoubleEndedIterator + Clone {
        self.0.labels()
    }

    /// [Get an output encoding](https://encoding.spec.whatwg.org/#get-an-output-encoding): UTF-8 for replacement,
    /// UTF-16BE and UTF-16LE, which have no encoder; otherwise this encoding.
    #[doc(hidden)]
    #[must_use]
    pub const fn output_encoding(self) -> Self {
        if self.0.codec().has_encoder() { self } else { crate::UTF_8 }
    }

    /// Whether this is a legacy single-byte encoding or x-user-defined: each byte is a scalar value or an error.
    #[doc(hidden)]
    #[must_use]
    pub const fn is_single_byte(self) -> bool {
        self.0.codec().is_single_byte()
    }

    /// Whether an ASCII byte that is not part of a longer sequence always means the ASCII character. True except for
    /// ISO-2022-JP, UTF-16BE, UTF-16LE and replacement.
    #[doc(hidden)]
    #[must_use]
    pub const fn is_ascii_compatible(self) -> bool {
        self.0.codec().unchanged().has_ascii()
    }

    /// Whether [`Encoding::encode`] can encode every scalar value: true if the output encoding is UTF-8. Even gb18030
    /// cannot encode U+E5E5.
    #[doc(hidden)]
    #[must_use]
    pub const fn can_encode_everything(self) -> bool {
        self.output_encoding().0.codec().encodes_everything()
    }

    /// The encoding's own byte order mark, which only UTF-8, UTF-16BE and UTF-16LE have.
    #[doc(hidden)]
    #[must_use]
    pub const fn bom(self) -> Option<Bom> {
        self.0.codec().bom()
    }

    /// The `static` of this encoding, for functions of `textcodec-core`. It has the encoder, too: a program that calls
    /// this function with an encoding that the compiler does not know links the encoders of all enabled encodings.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    #[cfg(feature = "encode")]
    pub const fn as_core(self) -> &'static textcodec_core::Encoding {
        if self.0.codec().encoder().is_some() {
            return self.0;
        }
        match WITH_ENCODERS.get(self.0.id()) {
            Some(encoding) => encoding,
            None => self.0,
        }
    }

    /// The `static` of this encoding, for functions of `textcodec-core`.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    #[cfg(not(feature = "encode"))]
    pub const fn as_core(self) -> &'static textcodec_core::Encoding {
        self.0
    }

    /// The bytes that a new decoder leaves as they are.
    #[cfg(feature = "alloc")]
    pub(crate) const fn unchanged(self) -> textcodec_core::handler::Unchanged {
        self.0.codec().unchanged()
    }

    /// A decoder that follows [*decode*](https://encoding.spec.whatwg.org/#decode): a byte order mark at the start of
    /// the stream is removed and decides the encoding; without a byte order mark, the encoding is this one.
    #[cfg(feature = "utf16")]
    #[must_use]
    pub const fn new_decoder(self) -> Decoder {
        Decoder::sniffing(self)
    }

    /// A decoder with this treatment of a byte order mark.
    #[doc(alias("new_decoder_with_bom_removal", "new_decoder_without_bom_handling"))]
    #[must_use]
    pub const fn new_decoder_with(self, bom_handling: BomHandling) -> Decoder {
        match bom_handling {
            #[cfg(feature = "utf16")]
            BomHandling::Sniff => Decoder::sniffing(self),
            BomHandling::Remove => Decoder::removing_bom(self),
            BomHandling::Keep => Decoder::new(self),
        }
    }

    /// A decoder that removes one byte order mark from the start of the stream if it belongs to this encoding.
    #[doc(hidden)]
    #[must_use]
    pub const fn new_decoder_with_bom_removal(self) -> Decoder {
        Decoder::removing_bom(self)
    }

    /// A decoder that decodes a byte order mark as U+FEFF.
    #[doc(hidden)]
    #[must_use]
    pub const fn new_decoder_without_bom_handling(self) -> Decoder {
        Decoder::new(self)
    }

    /// An encoder of the [output encoding](Name::output).
    #[cfg(feature = "encode")]
    #[must_use]
    pub fn new_encoder(self) -> Encoder {
        // Every output encoding has an encoder. If this encoding has one, it is its own output encoding.
        Encoder::new(self).or_else(|| Encoder::new(crate::UTF_8)).expect("UTF-8 has an encoder")
    }
}

#[doc(hidden)]
impl From<Encoding> for &'static textcodec_core::Encoding {
    fn from(encoding: Encoding) -> Self {
        encoding.as_core()
    }
}

#[doc(hidden)]
impl From<&'static textcodec_core::Encoding> for Encoding {
    fn from(encoding: &'static textcodec_core::Encoding) -> Self {
        Encoding(encoding)
    }
}

impl FromStr for Encoding {
    type Err = LabelError;

    /// [`Encoding::for_label`].
    fn from_str(label: &str) -> Result<Self, LabelError> {
        Encoding::for_label(label)
    }
}

impl PartialOrd for Encoding {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Encoding {
    /// By the order of the Standard's table.
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.id().cmp(&other.id())
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.0, f)
    }
}

#[cfg(all(test, feature = "encode"))]
mod tests {
    use textcodec_core::Handle;

    use super::*;

    #[test]
    fn encodings_are_ordered_as_in_the_table_of_the_standard() {
        let all: Vec<_> = Encoding::all().collect();
        assert!(all.is_sorted());
        for (place, one) in all.iter().enumerate() {
            for (other_place, other) in all.iter().enumerate() {
                assert_eq!(one.cmp(other), place.cmp(&other_place), "{one} and {other}");
                assert_eq!(one.partial_cmp(other), Some(place.cmp(&other_place)));
                assert_eq!(one == other, place == other_place);
            }
        }
    }

    #[test]
    fn decoders_and_encoders_take_32_bytes() {
        // Fewer where pointers are shorter.
        assert!(size_of::<Decoder>().max(size_of::<textcodec_core::Decoder>()) <= 32);
        #[cfg(feature = "encode")]
        assert!(size_of::<Encoder>().max(size_of::<textcodec_core::Encoder>()) <= 32);
    }

    #[test]
    fn an_encoding_has_the_facts_of_its_static() {
        for encoding in Encoding::all() {
            let (half, whole) = (encoding.codec(), encoding.as_core().codec());
            assert_eq!(
                (half.encoder().is_some(), whole.encoder().is_some()),
                (false, whole.has_encoder()),
                "{encoding}"
            );
            assert_eq!(encoding.encoder().is_some(), whole.has_encoder(), "{encoding}");
            assert_eq!(encoding.id(), encoding.as_core().id());
            assert_eq!((half.bom(), half.has_encoder()), (whole.bom(), whole.has_encoder()), "{encoding}");
            assert_eq!(half.cut_rule(), whole.cut_rule(), "{encoding}");
            assert_eq!(half.encodes_everything(), whole.encodes_everything(), "{encoding}");
            assert_eq!(half.index().is_some(), whole.index().is_some(), "{encoding}");
            assert_eq!((half.unchanged(), half.is_single_byte()), (whole.unchanged(), whole.is_single_byte()));
        }
    }

    #[test]
    fn a_name_has_the_facts_of_its_encoding() {
        for encoding in Encoding::all() {
            let name = encoding.id();
            assert_eq!(name.is_single_byte(), encoding.is_single_byte(), "{encoding}");
            assert_eq!(name.is_ascii_compatible(), encoding.is_ascii_compatible(), "{encoding}");
            assert_eq!((name.bom(), name.output()), (encoding.bom(), encoding.output_encoding().id()), "{encoding}");
        }
    }

    #[test]
    fn a_handle_leads_to_the_static_of_the_encoding_and_back() {
        assert!(core::ptr::eq(crate::UTF_8.as_core(), &textcodec_utf8::UTF_8));
        assert_eq!(Encoding::from(&textcodec_utf8::UTF_8), crate::UTF_8);
        let mut encoder = textcodec_core::Encoder::new(crate::UTF_8.as_core()).unwrap();
        let result = encoder.encode_str("é", &mut [0; 4], true, textcodec_core::EncodeErrorMode::Fatal);
        assert_eq!(result.written, 2);
    }

    #[test]
    fn no_encoder_is_made_of_a_decoding_half() {
        static HALF: textcodec_core::Encoding = textcodec_utf8::UTF_8.decoding_half();
        assert!(textcodec_core::Encoder::new(&HALF).is_none());
    }
}
