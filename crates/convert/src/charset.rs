//! The registry of charsets: the encodings of the [Standard](https://encoding.spec.whatwg.org/) and others that old
//! files have, under one type, with their names and labels.
//!
//! A label of the Standard always means the encoding of the Standard. Where the Standard gives a usual label to a
//! larger encoding, as it does with iso-8859-1, the smaller one has labels that start with "exact-".

mod decoder;
mod encoder;
mod extra;
pub mod foreign;
mod labels;
mod status;

use core::fmt;

use textcodec::{Encoding, Name};

use self::extra::Extra;
pub(crate) use self::status::{Decode, decode_all};
pub use self::{
    decoder::Decoder,
    encoder::Encoder,
    labels::UnknownLabel,
    status::{Decoded, EncodeStatus, Encoded, Malformed, Status},
};

/// An encoding of text.
///
/// ```
/// use textcodec_convert::Charset;
///
/// let charset = Charset::for_label("IBM437").unwrap();
/// assert_eq!(charset.name(), "cp437");
/// assert_eq!(charset.new_decoder(false).decode_start(b"caf\x82", true), "café");
/// let unknown = Charset::for_label("shift-jiss").unwrap_err();
/// assert!(unknown.to_string().contains("did you mean shift-jis"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Charset(Kind);

/// Where a charset comes from. Callers see none of this, so a codec from elsewhere can become a kind of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Standard(Encoding),
    Extra(Extra),
}

impl From<Encoding> for Charset {
    fn from(encoding: Encoding) -> Self {
        Charset(Kind::Standard(encoding))
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Charset({})", self.name())
    }
}

impl Charset {
    /// UTF-8.
    pub const UTF_8: Charset = Charset(Kind::Standard(textcodec::UTF_8));

    /// All charsets: the encodings of the Standard in its order, then the others.
    pub fn all() -> impl Iterator<Item = Self> {
        Encoding::all().map(Charset::from).chain(Extra::all().map(|extra| Charset(Kind::Extra(extra))))
    }

    /// The charset with this label, without regard to case and to ASCII whitespace around the label.
    ///
    /// # Errors
    /// [`UnknownLabel`] if there is none. It knows what the label means elsewhere, or labels like it.
    pub fn for_label(label: &str) -> Result<Self, UnknownLabel> {
        match (Encoding::for_label(label), Extra::for_label(label)) {
            (Ok(encoding), _) => Ok(encoding.into()),
            (Err(_), Some(extra)) => Ok(Charset(Kind::Extra(extra))),
            (Err(_), None) => Err(UnknownLabel::new(label)),
        }
    }

    /// The name. It is a label, too.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Standard(encoding) => encoding.name(),
            Kind::Extra(extra) => extra.name(),
        }
    }

    /// The labels in lower case.
    pub fn labels(self) -> impl Iterator<Item = &'static str> {
        let (standard, extra) = match self.0 {
            Kind::Standard(encoding) => (Some(encoding.labels()), &[][..]),
            Kind::Extra(extra) => (None, extra.labels()),
        };
        standard.into_iter().flatten().chain(extra.iter().copied())
    }

    /// The encoding of the Standard, if this charset is one.
    #[must_use]
    pub fn standard(self) -> Option<Encoding> {
        match self.0 {
            Kind::Standard(encoding) => Some(encoding),
            Kind::Extra(_) => None,
        }
    }

    /// The encoding as which a browser reads the bytes, if it reads them correctly.
    #[must_use]
    pub fn read_as(self) -> Option<Name> {
        match self.0 {
            Kind::Standard(encoding) => Some(encoding.id()),
            Kind::Extra(extra) => match extra.name() {
                "exact-us-ascii" | "exact-iso-8859-1" => Some(Name::Windows1252),
                "exact-iso-8859-9" => Some(Name::Windows1254),
                "utf-16-bom" => Some(Name::Utf16Le),
                _ => None,
            },
        }
    }

    /// The name in an XML declaration, if the charset has one that is registered.
    #[must_use]
    pub fn xml_name(self) -> Option<&'static str> {
        match self.0 {
            Kind::Standard(encoding) => Some(encoding.name()),
            Kind::Extra(extra) => extra.registered_name(),
        }
    }

    /// Whether text is made of units of two or four bytes.
    #[must_use]
    pub fn is_wide(self) -> bool {
        match self.0 {
            Kind::Standard(encoding) => matches!(encoding.id(), Name::Utf16Be | Name::Utf16Le),
            Kind::Extra(extra) => matches!(extra, Extra::Utf16 | Extra::Utf32 | Extra::Utf32Le | Extra::Utf32Be),
        }
    }

    /// Whether the charset is a kind of EBCDIC, where U+0085 ends a line.
    #[must_use]
    pub fn is_ebcdic(self) -> bool {
        matches!(self.0, Kind::Extra(extra) if extra.is_ebcdic())
    }

    /// Whether each byte is a character or malformed.
    #[must_use]
    pub fn is_single_byte(self) -> bool {
        match self.0 {
            Kind::Standard(encoding) => encoding.is_single_byte(),
            Kind::Extra(extra) => extra.is_single_byte(),
        }
    }

    /// Whether text can be written in the charset: not in replacement and UTF-7.
    #[must_use]
    pub fn is_writable(self) -> bool {
        self.new_encoder().is_some()
    }

    /// The bytes of the byte order mark that a text can start with; empty for charsets without one.
    #[must_use]
    pub fn bom(self) -> &'static [u8] {
        match self.0 {
            Kind::Standard(encoding) => encoding.bom().map_or(&[][..], textcodec::Bom::bytes),
            Kind::Extra(extra) => extra.mark(),
        }
    }

    /// Whether every text starts with a byte order mark.
    #[must_use]
    pub fn needs_bom(self) -> bool {
        matches!(self.0, Kind::Extra(extra) if !extra.mark().is_empty())
    }

    /// A new decoder. Unless `ignore_bom`, a byte order mark decides between the encodings of the Standard.
    #[must_use]
    pub fn new_decoder(self, ignore_bom: bool) -> Decoder {
        Decoder::new(self, ignore_bom)
    }

    /// A new encoder. `None` if no text can be written in the charset.
    #[must_use]
    pub fn new_encoder(self) -> Option<Encoder> {
        Encoder::new(self)
    }

    /// Whether the charset has every character of `text`.
    #[must_use]
    pub fn can_encode(self, text: &str) -> bool {
        let Some(mut encoder) = self.new_encoder() else { return false };
        let mut read = 0;
        loop {
            let encoded = encoder.encode(&text[read..], &mut [0; 256], false);
            read += encoded.read;
            match encoded.status {
                EncodeStatus::InputEmpty => return true,
                EncodeStatus::OutputFull => {}
                EncodeStatus::Unmappable(_) => return false,
            }
        }
    }
}
