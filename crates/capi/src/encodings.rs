//! Encodings as numbers, their names, labels and facts.

use core::ffi::c_char;

#[cfg(feature = "charsets")]
use textcodec::charsets::{Charset, Names};
use textcodec::{Bom, Encoding, Name};
#[cfg(feature = "encode")]
use textcodec_core::EncoderHalf;
use textcodec_core::{Codec, Handle};

use crate::{TEXTCODEC_NONE, pointers::source, textcodec_encoding, textcodec_string};

/// The number of the first charset. The charsets follow in the order of [`Charset::all`].
#[cfg(feature = "charsets")]
const FIRST_CHARSET: textcodec_encoding = 0x1_0000;

/// What a number stands for.
#[derive(Clone, Copy)]
pub(crate) enum Found {
    /// An encoding of the Standard.
    Standard(Encoding),
    /// A charset that the Standard does not have.
    #[cfg(feature = "charsets")]
    Charset(Charset),
}

impl Found {
    /// The enabled encoding or charset with this number.
    #[inline]
    pub(crate) fn new(number: textcodec_encoding) -> Option<Self> {
        if let Some(name) = name_of(number) {
            return Encoding::for_name(name).ok().map(Found::Standard);
        }
        #[cfg(feature = "charsets")]
        if let Some(place) = number.checked_sub(FIRST_CHARSET) {
            return Charset::all().nth(place as usize).map(Found::Charset);
        }
        None
    }

    /// The codec for decoding.
    #[inline]
    pub(crate) fn decoding(self) -> Coded {
        match self {
            Found::Standard(encoding) => Coded::alone(Handle::codec(encoding)),
            #[cfg(feature = "charsets")]
            Found::Charset(charset) => Coded { codec: charset.codec(), selector: charset.selector() },
        }
    }

    /// The codec with its encoder, if it has one. Only this function leads to encoders, so that a program that only
    /// decodes can be linked without them.
    #[cfg(feature = "encode")]
    #[inline]
    pub(crate) fn encoding(self) -> Coded {
        match self {
            Found::Standard(encoding) => Coded::alone(encoding.as_core().codec()),
            #[cfg(feature = "charsets")]
            Found::Charset(charset) => Coded { codec: charset.codec(), selector: charset.selector() },
        }
    }

    fn name(self) -> &'static str {
        match self {
            Found::Standard(encoding) => encoding.name(),
            #[cfg(feature = "charsets")]
            Found::Charset(charset) => charset.name(),
        }
    }

    fn label(self, place: usize) -> Option<&'static str> {
        match self {
            Found::Standard(encoding) => encoding.labels().nth(place),
            #[cfg(feature = "charsets")]
            Found::Charset(charset) => Names::ALL.into_iter().flat_map(|names| charset.names(names)).nth(place),
        }
    }
}

/// The name of the encoding of the Standard with this number, also if it is not enabled.
#[inline]
pub(crate) fn name_of(number: textcodec_encoding) -> Option<Name> {
    Name::ALL.get((number as usize).wrapping_sub(1)).copied()
}

/// The number of an encoding of the Standard.
#[inline]
pub(crate) const fn number_of(name: Name) -> textcodec_encoding {
    name as textcodec_encoding + 1
}

/// The number of a charset.
#[cfg(feature = "charsets")]
fn number_of_charset(charset: Option<Charset>) -> textcodec_encoding {
    let place = charset.and_then(|charset| Charset::all().position(|other| other == charset));
    place.map_or(TEXTCODEC_NONE, |place| FIRST_CHARSET + place as textcodec_encoding)
}

/// An encoding or a charset as decoders and encoders see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coded {
    codec: &'static Codec,
    selector: u8,
}

impl Coded {
    /// The encoding of a codec that has one.
    #[inline]
    fn alone(codec: &'static Codec) -> Self {
        Coded { codec, selector: 0 }
    }
}

impl Handle for Coded {
    #[inline]
    fn codec(self) -> &'static Codec {
        self.codec
    }

    #[cfg(feature = "encode")]
    #[inline]
    fn encoder(self) -> Option<&'static EncoderHalf> {
        self.codec.encoder()
    }

    #[inline]
    fn selector(self) -> u8 {
        self.selector
    }

    fn of_bom(bom: Bom) -> Option<Self> {
        <Encoding as Handle>::of_bom(bom).map(|encoding| Coded::alone(Handle::codec(encoding)))
    }
}

/// The version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_version() -> textcodec_string {
    textcodec_string::new(env!("CARGO_PKG_VERSION"))
}

/// [Get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get) from a label.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_for_label(label: *const c_char, length: usize) -> textcodec_encoding {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let label = unsafe { source(label.cast::<u8>(), length) };
    Encoding::for_label(label).map_or(TEXTCODEC_NONE, |encoding| number_of(encoding.id()))
}

/// The charset with this name in a registry.
#[cfg(feature = "charsets")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_for_charset(
    registry: u32,
    name: *const c_char,
    length: usize,
) -> textcodec_encoding {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let name = unsafe { source(name.cast::<u8>(), length) };
    let names = match registry {
        1 => Names::Glibc,
        2 => Names::Iana,
        3 => Names::Python,
        4 => Names::Java,
        _ => return TEXTCODEC_NONE,
    };
    match textcodec_kernels::string::as_ascii(name) {
        Some(name) => number_of_charset(Charset::for_name(name, names)),
        None => TEXTCODEC_NONE,
    }
}

/// The charset of a code page.
#[cfg(feature = "charsets")]
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_for_code_page(code_page: u16) -> textcodec_encoding {
    number_of_charset(Charset::for_code_page(code_page))
}

/// The encoding after `encoding`, in a list of all enabled encodings and charsets.
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_next_encoding(encoding: textcodec_encoding) -> textcodec_encoding {
    let is_enabled = |number: &textcodec_encoding| Found::new(*number).is_some();
    let standard = (encoding.saturating_add(1)..=Name::ALL.len() as textcodec_encoding).find(is_enabled);
    #[cfg(feature = "charsets")]
    let standard = standard.or_else(|| Some(FIRST_CHARSET.max(encoding.saturating_add(1))).filter(is_enabled));
    standard.unwrap_or(TEXTCODEC_NONE)
}

/// The name of an encoding.
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_name(encoding: textcodec_encoding) -> textcodec_string {
    Found::new(encoding).map(Found::name).into()
}

/// A label of an encoding, or a name of a charset in a registry.
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_label(encoding: textcodec_encoding, place: usize) -> textcodec_string {
    Found::new(encoding).and_then(|found| found.label(place)).into()
}

/// [Get an output encoding](https://encoding.spec.whatwg.org/#get-an-output-encoding).
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_output_encoding(encoding: textcodec_encoding) -> textcodec_encoding {
    match name_of(encoding) {
        Some(name) => number_of(name.output()),
        None => encoding,
    }
}

/// Whether the encoding has an encoder.
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_has_encoder(encoding: textcodec_encoding) -> bool {
    Found::new(encoding).is_some_and(|found| found.decoding().codec().has_encoder())
}

/// Whether each byte is a character or malformed.
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_is_single_byte(encoding: textcodec_encoding) -> bool {
    Found::new(encoding).is_some_and(|found| found.decoding().codec().is_single_byte())
}

/// Whether an ASCII byte that is not part of a longer sequence always means the ASCII character.
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_is_ascii_compatible(encoding: textcodec_encoding) -> bool {
    Found::new(encoding).is_some_and(|found| found.decoding().codec().unchanged().has_ascii())
}

/// Whether the encoding can represent every character.
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_can_encode_everything(encoding: textcodec_encoding) -> bool {
    Found::new(encoding).is_some_and(|found| found.decoding().codec().encodes_everything())
}
