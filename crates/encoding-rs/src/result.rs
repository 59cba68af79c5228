//! Why a call stopped.

/// Why a call that replaces errors stopped.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub enum CoderResult {
    /// The whole source has been read.
    InputEmpty,
    /// The destination may be too small for the output of the next unit of the source. Call again with the rest of the
    /// source and another destination.
    OutputFull,
}

/// Why a call of a decoder that does not replace errors stopped.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub enum DecoderResult {
    /// The whole source has been read.
    InputEmpty,
    /// The destination may be too small for the output of the next byte. Call again with the rest of the source and
    /// another destination.
    OutputFull,
    /// There is a malformed sequence.
    ///
    /// The first number is the length of the malformed sequence, 1 to 4 bytes. The second number says how many bytes
    /// have been read after it, 0 to 3. So the sequence starts at the position of the stream minus both numbers. It may
    /// have started in an earlier source; it starts at most six bytes back.
    Malformed(u8, u8),
}

/// Why a call of an encoder that does not replace errors stopped.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub enum EncoderResult {
    /// The whole source has been read.
    InputEmpty,
    /// The destination may be too small for the bytes of the next character. Call again with the rest of the source and
    /// another destination.
    OutputFull,
    /// The encoding has no bytes for this character. The character has been read. In ISO-2022-JP, U+000E, U+000F and
    /// U+001B are reported as U+FFFD.
    Unmappable(char),
}
