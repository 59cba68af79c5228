//! [TextDecoderCommon](https://encoding.spec.whatwg.org/#interface-mixin-textdecodercommon): the mixin of TextDecoder
//! and TextDecoderStream.

use alloc::{string::String, vec::Vec};
use core::{error::Error, fmt};

use textcodec_kernels::ascii;

use super::JsString;
use crate::{DecodeErrorMode, DecodeStatus, Decoder, Encoding, LabelError, Malformed, Name, StateError};

/// [TextDecoderOptions](https://encoding.spec.whatwg.org/#textdecoderoptions), with the Standard's defaults.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct TextDecoderOptions {
    /// Whether malformed bytes are a [`TypeError`]. Otherwise they become U+FFFD.
    pub fatal: bool,
    /// Whether a byte order mark stays in the text, as U+FEFF.
    pub ignore_bom: bool,
}

/// The error that a script sees as a `RangeError`: the constructor does not accept the label.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RangeError {
    /// *Get an encoding* returned failure.
    Label(LabelError),
    /// The label names the replacement encoding, which these interfaces refuse.
    Replacement,
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RangeError::Label(error) => error.fmt(f),
            RangeError::Replacement => f.write_str("the label names the replacement encoding"),
        }
    }
}

impl Error for RangeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            RangeError::Label(error) => Some(error),
            RangeError::Replacement => None,
        }
    }
}

/// The error that a script sees as a `TypeError`: malformed bytes in the error mode fatal. Its offset counts from the
/// start of the stream.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeError(pub Malformed);

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for TypeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

/// The state of the mixin. The I/O queue of bytes is the source of a call. Between calls it is empty, and `decoder`
/// keeps the bytes that a handler has restored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Common {
    encoding: Encoding,
    decoder: Decoder,
    ignore_bom: bool,
    bom_seen: bool,
    error_mode: DecodeErrorMode,
    /// The number of bytes of the stream that did not go through `decoder`.
    skipped: usize,
}

impl Common {
    /// The first steps of both constructors.
    pub(super) fn new(label: &str, options: TextDecoderOptions) -> Result<Self, RangeError> {
        let encoding = Encoding::for_label(label).map_err(RangeError::Label)?;
        Self::with_encoding(encoding, options)
    }

    pub(super) fn with_encoding(encoding: Encoding, options: TextDecoderOptions) -> Result<Self, RangeError> {
        if encoding.id() == Name::Replacement {
            return Err(RangeError::Replacement);
        }
        let decoder = encoding.new_decoder_without_bom_handling();
        let error_mode = if options.fatal { DecodeErrorMode::Fatal } else { DecodeErrorMode::Replacement };
        Ok(Common { encoding, decoder, ignore_bom: options.ignore_bom, bom_seen: false, error_mode, skipped: 0 })
    }

    pub(super) fn encoding(&self) -> Encoding {
        self.encoding
    }

    pub(super) fn fatal(&self) -> bool {
        self.error_mode == DecodeErrorMode::Fatal
    }

    pub(super) fn ignore_bom(&self) -> bool {
        self.ignore_bom
    }

    /// Starts a stream: a new decoder, an empty queue, and no BOM seen.
    pub(super) fn start(&mut self) {
        self.decoder.reset();
        self.bom_seen = false;
        self.skipped = 0;
    }

    /// The state of the stream, and `flag`, as four words; all are 0 for a new stream and `false`.
    pub(super) fn state(&self, flag: bool) -> [u64; 4] {
        let [handler, position, rest] = self.decoder.stream_state().into();
        let flags = u64::from(self.bom_seen) | u64::from(flag) << 1;
        // The highest byte of the decoder's third word is 0.
        [handler, position, rest | flags << 56, self.skipped as u64]
    }

    /// Restores the state that [`Common::state`] returned as four words, and returns the flag that they contain.
    pub(super) fn resume(&mut self, [handler, position, rest, skipped]: [u64; 4]) -> Result<bool, StateError> {
        let (flags, rest) = (rest >> 56, rest & u64::MAX >> 8);
        // No more bytes than one slice can have, so that an offset after them does not overflow.
        let skipped = match isize::try_from(skipped) {
            Ok(skipped) if flags < 4 => skipped.unsigned_abs(),
            _ => return Err(StateError::new()),
        };
        self.decoder.resume([handler, position, rest].into())?;
        (self.bom_seen, self.skipped) = (flags & 1 != 0, skipped);
        Ok(flags & 2 != 0)
    }

    /// Decodes `source` and [serializes](https://encoding.spec.whatwg.org/#concept-td-serialize) the result; `last`
    /// says that end-of-queue follows.
    ///
    /// After an error, the decoder keeps its state, and the queue is empty.
    pub(super) fn decode<T: Text + Default>(&mut self, source: &[u8], last: bool) -> Result<T, TypeError> {
        let mut text = T::default();
        self.append(source, last, &mut text)?;
        Ok(text)
    }

    /// As [`Common::decode`], but appends to `text`, also the text before an error.
    pub(super) fn append<T: Text>(&mut self, source: &[u8], last: bool, text: &mut T) -> Result<(), TypeError> {
        let start = text.length();
        let status = text.append(&mut self.decoder, source, last, self.error_mode);
        if let DecodeStatus::Malformed(malformed) = status {
            self.decoder.discard_restored();
            return Err(TypeError(malformed.after(self.skipped)));
        }
        if self.is_bom_due() && text.length() > start {
            self.bom_seen = true;
            text.drop_bom(start);
        }
        Ok(())
    }

    /// As [`Common::decode`], into the smaller form.
    pub(super) fn decode_to_js_string<'a>(&mut self, source: &'a [u8], last: bool) -> Result<JsString<'a>, TypeError> {
        let between_sequences = self.decoder.position() == self.decoder.sequence_start();
        if between_sequences && self.encoding.is_ascii_compatible() && ascii::prefix_length(source) == source.len() {
            self.bom_seen |= !source.is_empty();
            self.skipped += source.len();
            return Ok(JsString::Latin1(source.into()));
        }
        self.decode::<Vec<u16>>(source, last).map(JsString::from)
    }

    /// Whether *serialize I/O queue* removes the next code point if it is U+FEFF.
    fn is_bom_due(&self) -> bool {
        self.encoding.bom().is_some() && !self.ignore_bom && !self.bom_seen
    }
}

/// A string that a decoder appends to. All lengths are in the string's own units.
pub(super) trait Text {
    fn append(&mut self, decoder: &mut Decoder, source: &[u8], last: bool, mode: DecodeErrorMode) -> DecodeStatus;

    fn length(&self) -> usize;

    /// Removes the code unit or character at `start`, which exists, if it is U+FEFF.
    fn drop_bom(&mut self, start: usize);
}

impl Text for String {
    fn append(&mut self, decoder: &mut Decoder, source: &[u8], last: bool, mode: DecodeErrorMode) -> DecodeStatus {
        decoder.decode_to_string(source, self, last, mode).status
    }

    fn length(&self) -> usize {
        self.len()
    }

    fn drop_bom(&mut self, start: usize) {
        if self[start..].starts_with('\u{FEFF}') {
            self.remove(start);
        }
    }
}

/// A string in the first `length` code units of `units`, which has enough space for the text.
pub(super) struct Units<'a> {
    pub(super) units: &'a mut [u16],
    pub(super) length: usize,
}

impl Text for Units<'_> {
    fn append(&mut self, decoder: &mut Decoder, source: &[u8], last: bool, mode: DecodeErrorMode) -> DecodeStatus {
        let result = decoder.decode_to_utf16(source, &mut self.units[self.length..], last, mode);
        assert!(result.status != DecodeStatus::OutputFull, "not enough space for the text");
        self.length += result.written;
        result.status
    }

    fn length(&self) -> usize {
        self.length
    }

    fn drop_bom(&mut self, start: usize) {
        if self.units[start] == 0xFEFF {
            self.units.copy_within(start + 1..self.length, start);
            self.length -= 1;
        }
    }
}

impl Text for Vec<u16> {
    fn append(&mut self, decoder: &mut Decoder, source: &[u8], last: bool, mode: DecodeErrorMode) -> DecodeStatus {
        decoder.decode_to_utf16_vec(source, self, last, mode).status
    }

    fn length(&self) -> usize {
        self.len()
    }

    fn drop_bom(&mut self, start: usize) {
        if self[start] == 0xFEFF {
            self.remove(start);
        }
    }
}
