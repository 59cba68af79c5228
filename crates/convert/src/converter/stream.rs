//! The streams that a converter decodes one after the other.

use alloc::{string::String, vec::Vec};
use core::fmt;

use super::{records::Records, replaced::Replacement};
use crate::{
    buffers::Text,
    declarations::{Edit, Edits},
    position::Position,
    source::Source,
    text::Steps,
};

/// The parameters of the conversion of one stream.
#[non_exhaustive]
pub struct Plan<'a> {
    /// The name of the stream in [`Replaced`](super::Replaced).
    pub name: &'a str,
    /// The decoder, which has decoded nothing yet.
    pub source: Source,
    /// Edits to the text, in the order of the text.
    pub edits: Vec<Edit>,
    /// Whether the characters that Java would misread in a `.properties` file in the output's charset become escapes.
    pub escapes_properties: bool,
    /// Whether a stream that looks binary is an error.
    pub refuse_binary: bool,
    /// Is called for each replacement.
    pub observer: Option<&'a dyn Fn(&Replacement<'_>)>,
}

impl<'a> Plan<'a> {
    /// A stream without a name and without edits.
    #[must_use]
    pub fn new(source: impl Into<Source>) -> Self {
        Plan {
            name: "the input",
            source: source.into(),
            edits: Vec::new(),
            escapes_properties: false,
            refuse_binary: false,
            observer: None,
        }
    }
}

impl fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan").field("name", &self.name).field("edits", &self.edits).finish_non_exhaustive()
    }
}

/// A stream that is converted; see [`Converter::start`](super::Converter::start).
pub struct Stream<'a> {
    pub(super) source: Source,
    pub(super) at: At<'a>,
    pub(super) edits: Edits,
    /// Text for the encoder. The buffer never grows.
    pub(super) text: Text,
    pub(super) changes: Option<Changes>,
    /// The record of the input, if it has records.
    pub(super) record: Option<Records>,
}

/// The place in a stream to which the conversion has come, and who wants to know of replacements there.
pub(super) struct At<'a> {
    pub(super) name: &'a str,
    pub(super) escapes_properties: bool,
    pub(super) refuse_binary: bool,
    /// Whether a line feed in the text is a character of a record.
    pub(super) is_in_records: bool,
    pub(super) observer: Option<&'a dyn Fn(&Replacement<'_>)>,
    /// Whether nothing but byte order marks has come so far.
    pub(super) is_start: bool,
    /// Whether this is a part of a stream after its start.
    pub(super) is_part: bool,
    /// The place in the stream's text where the text for the encoder starts.
    pub(super) position: Position,
    /// A length of the text for the encoder, and the place after it. Many replacements in one text are found from one
    /// to the next.
    pub(super) counted: (usize, Position),
}

/// The steps between decoding and encoding.
pub(super) struct Changes {
    pub(super) steps: Steps,
    /// Text after the steps.
    pub(super) text: String,
    /// The place in the changed text where `text` starts.
    pub(super) position: Position,
}

impl Stream<'_> {
    /// The charset of the stream, which a byte order mark or the bytes may have decided.
    #[must_use]
    pub const fn source(&self) -> &Source {
        &self.source
    }
}

impl fmt::Debug for Stream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("name", &self.at.name).finish_non_exhaustive()
    }
}

impl At<'_> {
    /// Whether the text for the encoder is the start of the stream.
    pub(super) fn is_first(&self) -> bool {
        self.position.offset() == 0 && !self.is_part
    }

    /// The place after the first `length` bytes of `text`, which are no fewer than at the last call for this text.
    pub(super) fn place(&mut self, text: &str, length: usize) -> Position {
        let (known, position) = self.counted;
        self.counted = (length, position.after(&text[known..length]));
        self.counted.1
    }
}
