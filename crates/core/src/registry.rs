//! Sets of encodings: those whose labels and names a program can look up, and those whose encoders it can make.

#[cfg(feature = "encode")]
use crate::EncoderHalf;
use crate::{Encoding, LabelError, Name};

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
            self.encodings[encodings[at].id() as usize] = Some(encodings[at]);
            at += 1;
        }
        self
    }

    /// [Get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get) of this set from `label`.
    ///
    /// # Errors
    /// [`LabelError::Unknown`] if the Standard does not have the label, [`LabelError::NotLinked`] if its encoding is
    /// not in this set.
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

    /// The encoders of the encodings in this set, for [`Encoders::new`].
    ///
    /// # Panics
    /// If no encoding in this set has an encoder.
    #[cfg(feature = "encode")]
    #[must_use]
    pub const fn encoder_halves(&self) -> EncoderHalves {
        let (mut at, mut any) = (0, None);
        while at < Name::ALL.len() {
            if let Some(half) = self.encoder_at(at) {
                any = Some(half);
            }
            at += 1;
        }
        let mut halves = [any.expect("no encoding in the set has an encoder"); Name::ALL.len()];
        at = 0;
        while at < Name::ALL.len() {
            if let Some(half) = self.encoder_at(at) {
                halves[at] = half;
            }
            at += 1;
        }
        halves
    }

    /// One bit for each name whose encoding is in this set and has an encoder, for [`Encoders::new`].
    #[cfg(feature = "encode")]
    #[must_use]
    pub const fn encoder_names(&self) -> u64 {
        let (mut at, mut names) = (0, 0);
        while at < Name::ALL.len() {
            names |= (self.encoder_at(at).is_some() as u64) << at;
            at += 1;
        }
        names
    }

    /// The encoder of the encoding in this place.
    #[cfg(feature = "encode")]
    const fn encoder_at(&self, at: usize) -> Option<&'static EncoderHalf> {
        match self.encodings[at] {
            Some(encoding) => encoding.codec().encoder(),
            None => None,
        }
    }

    /// The encodings of this set, in the order of the Standard's table.
    pub fn iter(&self) -> impl Iterator<Item = &'static Encoding> {
        self.encodings.into_iter().flatten()
    }
}

/// In the place of each name the encoder of that name, or any other one if there is none.
///
/// No entry is `None`, and [`Encoders::get`] reads an entry only to return it. So the compiler can store distances of
/// four bytes instead of addresses, which a program that can be loaded anywhere has to relocate.
#[cfg(feature = "encode")]
pub type EncoderHalves = [&'static EncoderHalf; Name::ALL.len()];

/// The encoders of a [`Registry`], for a program whose other `static`s are
/// [decoding halves](crate::Codec::decoding_half).
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
pub struct Encoders {
    halves: &'static EncoderHalves,
    /// One bit for each name that has an encoder in its place.
    names: u64,
}

#[cfg(feature = "encode")]
const _: () = assert!(Name::ALL.len() <= u64::BITS as usize);

#[cfg(feature = "encode")]
impl Encoders {
    /// The encoders in `halves`, which [`Registry::encoder_halves`] has made, at the places that
    /// [`Registry::encoder_names`] of the same set gives.
    #[must_use]
    pub const fn new(halves: &'static EncoderHalves, names: u64) -> Self {
        Encoders { halves, names }
    }

    /// The encoder of the encoding with this name. `None` if there is none.
    #[inline]
    #[must_use]
    pub const fn get(&self, name: Name) -> Option<&'static EncoderHalf> {
        if self.names >> name as u8 & 1 == 1 { Some(self.halves[name as usize]) } else { None }
    }
}
