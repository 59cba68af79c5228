//! [ISO-2022-JP](https://encoding.spec.whatwg.org/#iso-2022-jp), the one encoding of the Standard with shift states.

use textcodec_core::{
    Codec, CutRule, DecodeErrorMode, DecoderFunctions, Encoding, Name,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Unchanged, Utf8Space, Utf8Written},
};
#[cfg(feature = "encode")]
use textcodec_core::{
    EncoderHalf,
    handler::{EncoderHandler, MaxBytes},
    index::index_code_point,
};

mod bulk;

use crate::index_jis0208_code_point;
#[cfg(feature = "encode")]
use crate::{generated::iso_2022_jp_katakana, index_jis0208_pointer};

/// [ISO-2022-JP](https://encoding.spec.whatwg.org/#iso-2022-jp).
pub static ISO_2022_JP: Encoding = {
    static DECODER: DecoderFunctions = DecoderFunctions::of::<Iso2022JpDecoder>();
    let codec = Codec::new(&DECODER).with_cut_rule(CutRule::AfterEscape(&b"\x1B(B".as_slice()));
    #[cfg(feature = "encode")]
    let codec = {
        static ENCODER: EncoderHalf = EncoderHalf::new::<Iso2022JpEncoder>();
        codec.with_encoder(&ENCODER)
    };
    codec.named(Name::Iso2022Jp)
};

/// [ISO-2022-JP's decoder](https://encoding.spec.whatwg.org/#iso-2022-jp-decoder).
#[derive(Clone, Copy, Debug)]
struct Iso2022JpDecoder {
    /// ISO-2022-JP decoder state
    decoder_state: DecoderState,
    /// ISO-2022-JP decoder output state
    output_state: DecoderState,
    /// ISO-2022-JP leading byte
    leading: u8,
    /// ISO-2022-JP output
    output: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum DecoderState {
    Ascii,
    Roman,
    Katakana,
    LeadingByte,
    TrailingByte,
    EscapeStart,
    Escape,
}

impl DecoderHandler for Iso2022JpDecoder {
    /// The handler rejects 0x0E and 0x0F, and 0x1B begins an escape sequence.
    const UNCHANGED: Unchanged = Unchanged::UnshiftedAscii;
    const STATE_BITS: u8 = 63;
    /// The states from [`DecoderState::TrailingByte`] on have one of these bits.
    const BEGUN: u64 = 3 << 3;
    /// Each of the four output states, with and without output.
    const STATES_BETWEEN: u8 = 4 * 2;

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        match self.decoder_state {
            DecoderState::Ascii => match byte {
                Item::Value(0x1B) => {
                    self.decoder_state = DecoderState::EscapeStart;
                    HandlerResult::Continue
                }
                Item::Value(byte @ (0x00..=0x0D | 0x10..=0x7F)) => {
                    self.output = false;
                    HandlerResult::Items(char::from(byte).into())
                }
                Item::EndOfQueue => HandlerResult::Finished,
                Item::Value(_) => {
                    self.output = false;
                    HandlerResult::Error(())
                }
            },
            DecoderState::Roman => match byte {
                Item::Value(0x1B) => {
                    self.decoder_state = DecoderState::EscapeStart;
                    HandlerResult::Continue
                }
                Item::Value(0x5C) => {
                    self.output = false;
                    HandlerResult::Items('\u{00A5}'.into())
                }
                Item::Value(0x7E) => {
                    self.output = false;
                    HandlerResult::Items('\u{203E}'.into())
                }
                Item::Value(byte @ (0x00..=0x0D | 0x10..=0x7F)) => {
                    self.output = false;
                    HandlerResult::Items(char::from(byte).into())
                }
                Item::EndOfQueue => HandlerResult::Finished,
                Item::Value(_) => {
                    self.output = false;
                    HandlerResult::Error(())
                }
            },
            DecoderState::Katakana => match byte {
                Item::Value(0x1B) => {
                    self.decoder_state = DecoderState::EscapeStart;
                    HandlerResult::Continue
                }
                Item::Value(byte @ 0x21..=0x5F) => {
                    self.output = false;
                    let code_point = 0xFF61 - 0x21 + u32::from(byte);
                    let code_point = char::from_u32(code_point).expect("U+FF61 to U+FF9F are no surrogates");
                    HandlerResult::Items(code_point.into())
                }
                Item::EndOfQueue => HandlerResult::Finished,
                Item::Value(_) => {
                    self.output = false;
                    HandlerResult::Error(())
                }
            },
            DecoderState::LeadingByte => match byte {
                Item::Value(0x1B) => {
                    self.decoder_state = DecoderState::EscapeStart;
                    HandlerResult::Continue
                }
                Item::Value(byte @ 0x21..=0x7E) => {
                    self.output = false;
                    self.leading = byte;
                    self.decoder_state = DecoderState::TrailingByte;
                    HandlerResult::Continue
                }
                Item::EndOfQueue => HandlerResult::Finished,
                Item::Value(_) => {
                    self.output = false;
                    HandlerResult::Error(())
                }
            },
            DecoderState::TrailingByte => match byte {
                Item::Value(0x1B) => {
                    self.decoder_state = DecoderState::EscapeStart;
                    HandlerResult::Error(())
                }
                Item::Value(byte @ 0x21..=0x7E) => {
                    self.decoder_state = DecoderState::LeadingByte;
                    let pointer = (usize::from(self.leading) - 0x21) * 94 + usize::from(byte) - 0x21;
                    match index_jis0208_code_point(pointer) {
                        None => HandlerResult::Error(()),
                        Some(code_point) => HandlerResult::Items(code_point.into()),
                    }
                }
                Item::EndOfQueue | Item::Value(_) => {
                    self.decoder_state = DecoderState::LeadingByte;
                    HandlerResult::Error(())
                }
            },
            DecoderState::EscapeStart => {
                if let Item::Value(byte) = byte {
                    if let 0x24 | 0x28 = byte {
                        self.leading = byte;
                        self.decoder_state = DecoderState::Escape;
                        return HandlerResult::Continue;
                    }
                    io_queue.restore(&[byte]);
                }
                self.output = false;
                self.decoder_state = self.output_state;
                HandlerResult::Error(())
            }
            DecoderState::Escape => {
                let leading = self.leading;
                self.leading = 0x00;
                let state = match (leading, byte) {
                    (0x28, Item::Value(0x42)) => Some(DecoderState::Ascii),
                    (0x28, Item::Value(0x4A)) => Some(DecoderState::Roman),
                    (0x28, Item::Value(0x49)) => Some(DecoderState::Katakana),
                    (0x24, Item::Value(0x40 | 0x42)) => Some(DecoderState::LeadingByte),
                    _ => None,
                };
                if let Some(state) = state {
                    (self.decoder_state, self.output_state) = (state, state);
                    let output = self.output;
                    self.output = true;
                    return if output { HandlerResult::Error(()) } else { HandlerResult::Continue };
                }
                match byte {
                    Item::EndOfQueue => io_queue.restore(&[leading]),
                    Item::Value(byte) => io_queue.restore(&[leading, byte]),
                }
                self.output = false;
                self.decoder_state = self.output_state;
                HandlerResult::Error(())
            }
        }
    }

    fn pending(&self) -> Bytes {
        match self.decoder_state {
            DecoderState::TrailingByte => self.leading.into(),
            DecoderState::EscapeStart => 0x1B.into(),
            DecoderState::Escape => [0x1B, self.leading].into(),
            _ => Bytes::EMPTY,
        }
    }

    fn convert(&mut self, source: &[u8], destination: &mut [u16], mode: DecodeErrorMode) -> (usize, usize) {
        self.bulk_to_utf16(source, destination, mode)
    }

    fn convert_to_utf8<'id>(
        &mut self,
        source: &[u8],
        destination: Utf8Space<'id>,
        mode: DecodeErrorMode,
    ) -> (usize, Utf8Written<'id>) {
        self.bulk_to_utf8(source, destination, mode)
    }

    /// Bits 0 and 1: the output state; 2: output; 3 and 4: the state, 0 if it is the output state, which it is between
    /// sequences; 8 to 15: the leading byte.
    fn pack(self) -> u64 {
        let (begun, leading) = match self.decoder_state {
            DecoderState::TrailingByte => (1, self.leading),
            DecoderState::EscapeStart => (2, 0x00),
            DecoderState::Escape => (3, self.leading),
            _ => (0, 0x00),
        };
        self.output_state as u64 | u64::from(self.output) << 2 | begun << 3 | u64::from(leading) << 8
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        let output_state = match word & 3 {
            0 => DecoderState::Ascii,
            1 => DecoderState::Roman,
            2 => DecoderState::Katakana,
            _ => DecoderState::LeadingByte,
        };
        let decoder_state = match word >> 3 & 3 {
            0 => output_state,
            1 => DecoderState::TrailingByte,
            2 => DecoderState::EscapeStart,
            _ => DecoderState::Escape,
        };
        Iso2022JpDecoder { decoder_state, output_state, leading: (word >> 8) as u8, output: word & 4 != 0 }
    }
}

/// [ISO-2022-JP's encoder](https://encoding.spec.whatwg.org/#iso-2022-jp-encoder).
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
struct Iso2022JpEncoder {
    /// ISO-2022-JP encoder state
    encoder_state: EncoderState,
}

#[cfg(feature = "encode")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum EncoderState {
    Ascii,
    Roman,
    Jis0208,
}

#[cfg(feature = "encode")]
impl EncoderHandler for Iso2022JpEncoder {
    const STATES: u16 = 3;
    const KEEPS_STATE: bool = false;
    const HAS_ASCII: bool = false;
    // The state is ASCII or Roman.
    const HAS_ASCII_REFERENCES: bool = true;
    const BEFORE_ERROR: Option<(&'static [u8], u16)> = Some((&ESCAPE_TO_ASCII, EncoderState::Jis0208 as u16));

    /// For each unit an escape sequence of three bytes, then `&#65533;` for U+000E. At the end the return to ASCII.
    const MAX_BYTES_HTML: MaxBytes = MaxBytes { per_utf8_byte: 3 + 8, per_code_unit: 3 + 8, at_end: 3 };

    /// For each unit an escape sequence of three bytes, then one byte for a character of one byte in UTF-8, or two
    /// bytes. At the end the return to ASCII.
    const MAX_BYTES_FATAL: MaxBytes = MaxBytes { per_utf8_byte: 3 + 1, per_code_unit: 3 + 2, at_end: 3 };

    fn handler<Q: Restore<char>>(&mut self, io_queue: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(mut code_point) = code_point else {
            if self.encoder_state != EncoderState::Ascii {
                self.encoder_state = EncoderState::Ascii;
                return HandlerResult::Items(ESCAPE_TO_ASCII.into());
            }
            return HandlerResult::Finished;
        };

        if matches!(self.encoder_state, EncoderState::Ascii | EncoderState::Roman)
            && matches!(code_point, '\u{000E}' | '\u{000F}' | '\u{001B}')
        {
            return HandlerResult::Error('\u{FFFD}');
        }
        if self.encoder_state == EncoderState::Ascii && code_point.is_ascii() {
            return HandlerResult::Items(Bytes::from(code_point as u8));
        }
        if self.encoder_state == EncoderState::Roman {
            match code_point {
                '\u{005C}' | '\u{007E}' => {}
                '\u{0000}'..='\u{007F}' => return HandlerResult::Items(Bytes::from(code_point as u8)),
                '\u{00A5}' => return HandlerResult::Items(Bytes::from(0x5C)),
                '\u{203E}' => return HandlerResult::Items(Bytes::from(0x7E)),
                _ => {}
            }
        }
        if code_point.is_ascii() && self.encoder_state != EncoderState::Ascii {
            io_queue.restore(&[code_point]);
            self.encoder_state = EncoderState::Ascii;
            return HandlerResult::Items(ESCAPE_TO_ASCII.into());
        }
        if matches!(code_point, '\u{00A5}' | '\u{203E}') && self.encoder_state != EncoderState::Roman {
            io_queue.restore(&[code_point]);
            self.encoder_state = EncoderState::Roman;
            return HandlerResult::Items(ESCAPE_TO_ROMAN.into());
        }
        let restored = code_point;
        if code_point == '\u{2212}' {
            code_point = '\u{FF0D}';
        }
        if let '\u{FF61}'..='\u{FF9F}' = code_point {
            let pointer = code_point as usize - 0xFF61;
            // The index has an entry for every half-width character.
            code_point = index_code_point(pointer, &iso_2022_jp_katakana::CODE_POINTS).unwrap_or(code_point);
        }
        let Some(pointer) = index_jis0208_pointer(code_point) else {
            if self.encoder_state == EncoderState::Jis0208 {
                io_queue.restore(&[restored]);
                self.encoder_state = EncoderState::Ascii;
                return HandlerResult::Items(ESCAPE_TO_ASCII.into());
            }
            return HandlerResult::Error(code_point);
        };
        if self.encoder_state != EncoderState::Jis0208 {
            io_queue.restore(&[restored]);
            self.encoder_state = EncoderState::Jis0208;
            return HandlerResult::Items(ESCAPE_TO_JIS0208.into());
        }
        let leading = pointer / 94 + 0x21;
        let trailing = pointer % 94 + 0x21;
        HandlerResult::Items(Bytes::from([leading as u8, trailing as u8]))
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        self.bulk_from_utf16(source, destination)
    }

    fn pack(self) -> u16 {
        self.encoder_state as u16
    }

    fn unpack(_: &'static EncoderHalf, word: u16) -> Self {
        let encoder_state = match word {
            0 => EncoderState::Ascii,
            1 => EncoderState::Roman,
            _ => EncoderState::Jis0208,
        };
        Iso2022JpEncoder { encoder_state }
    }
}

/// Bytes of an escape sequence.
const ESCAPE_LENGTH: usize = 3;
/// ESC ( B
#[cfg(feature = "encode")]
const ESCAPE_TO_ASCII: [u8; ESCAPE_LENGTH] = [0x1B, 0x28, 0x42];
/// ESC ( J
#[cfg(feature = "encode")]
const ESCAPE_TO_ROMAN: [u8; ESCAPE_LENGTH] = [0x1B, 0x28, 0x4A];
/// ESC $ B
#[cfg(feature = "encode")]
const ESCAPE_TO_JIS0208: [u8; ESCAPE_LENGTH] = [0x1B, 0x24, 0x42];

#[cfg(test)]
mod tests {
    extern crate std;

    use textcodec_core::testing::{battery, check_bytes, check_encoder_at, check_sequences, check_text, check_texts};

    use super::*;

    /// In a random text, two escape sequences are rarely near each other.
    #[test]
    fn escape_sequences_and_malformed_ones_are_decoded_in_every_order() {
        let parts: [&[u8]; 10] =
            [b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$B", b"\x1B", b"\x1B$", b"\x1B(", b"!", b"0!", b"\xFF"];
        check_sequences(&ISO_2022_JP, 0xFF, &parts);
    }

    /// Bulk conversion joins runs in chunks of 128 bytes and more. A chunk ends anywhere in a run.
    #[test]
    fn runs_of_every_length_before_an_escape_sequence_are_converted_as_by_the_handler() {
        for pairs in 0..150 {
            for ascii in [1, 70] {
                let (many, between) = (b"0!".repeat(pairs), b"a".repeat(ascii));
                let bytes = [b"\x1B$B", &*many, b"\x1B(B", &*between, b"\x1B$B0!$\"\x1B(Ba\x0Ea"].concat();
                for capacity in [3 * bytes.len(), pairs + 4] {
                    check_text(&ISO_2022_JP, &[&bytes], capacity);
                    // After an error, errors are replaced in bulk.
                    check_text(&ISO_2022_JP, &[b"\xFF", &bytes], capacity);
                }
                let text = std::format!("{}{}亜あa\u{E}a", "亜".repeat(pairs), "a".repeat(ascii));
                for capacity in [4 * text.len(), 2 * pairs + 4] {
                    check_encoder_at(&ISO_2022_JP, &text, text.len(), capacity);
                }
            }
        }
    }

    #[test]
    fn iso_2022_jp_passes_the_battery() {
        let text = "a\\~\u{E}\u{1B}é¥‾−ｱﾞあ亜纊丂\u{E000}\u{80}\u{10000}";
        battery(&ISO_2022_JP, b"\x1B$(BJI@\x30\x0E", text);
    }

    /// Each branch of [the decoder](https://encoding.spec.whatwg.org/#iso-2022-jp-decoder), in the Standard's order.
    #[test]
    fn each_branch_of_the_decoder_is_as_the_standard_says() {
        check_texts(
            &ISO_2022_JP,
            &[
                // ASCII
                (b"", ""),
                (b"\x00\x0D\x10\x1A\x1C\\~\x7F", "\0\r\u{10}\u{1A}\u{1C}\\~\u{7F}"),
                (b"a\x0Eb\x0Fc\x80d\xFFe", "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e"),
                (b"\x1B(Ba\x1B(Bb", "ab"),
                (b"\x1B(B\x80\x1B(Bb", "\u{FFFD}b"),
                // Roman
                (b"\x1B(J", ""),
                (b"\x1B(J\x00\x0D\x10[\\]}~\x7F", "\0\r\u{10}[¥]}‾\u{7F}"),
                (b"\x1B(J\x0Ea\x0Fb\x80c\xFFd", "\u{FFFD}a\u{FFFD}b\u{FFFD}c\u{FFFD}d"),
                (b"\x1B(J\\\x1B(J~\x1B(Ja\x1B(J\\", "¥‾a¥"),
                (b"\x1B(J\x80\x1B(J\\", "\u{FFFD}¥"),
                (b"\x1B(J\\\x1B(B\\", "¥\\"),
                // katakana
                (b"\x1B(I", ""),
                (b"\x1B(I\x21\x31\x5F", "｡ｱﾟ"),
                (b"\x1B(I\x20\x60\x0A\x7F\xB1", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
                (b"\x1B(I\x31\x1B(I\x20\x1B(I\x31", "ｱ\u{FFFD}ｱ"),
                (b"\x1B(I\x31\x1B(B1", "ｱ1"),
                // leading byte
                (b"\x1B$B", ""),
                (b"\x1B$B\x21\x21\x21\x7E\x74\x26", "\u{3000}◇熙"),
                (b"\x1B$B\x20\x7F\x0A\x80\x30\x21", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}亜"),
                (b"\x1B$B\x30\x21\x1B$B\x30\x21", "亜亜"),
                (b"\x1B$B\x20\x1B$B\x30\x21", "\u{FFFD}亜"),
                (b"\x1B$B\x30\x21\x1B(B0!", "亜0!"),
                // trailing byte
                (b"\x1B$B\x30\x1B(Ba", "\u{FFFD}a"),
                (b"\x1B$B\x7E\x7E\x30\x21", "\u{FFFD}亜"),
                (b"\x1B$B\x30", "\u{FFFD}"),
                (b"\x1B$B\x30\x20\x30\x21\x31\x20", "\u{FFFD}亜\u{FFFD}"),
                (b"\x1B$B\x30\x7F\x30\x21\x30\x80\x30\x7E", "\u{FFFD}亜\u{FFFD}蔭"),
                // escape start
                (b"\x1B", "\u{FFFD}"),
                (b"\x1Ba", "\u{FFFD}a"),
                (b"\x1B\x24", "\u{FFFD}$"),
                (b"\x1B\x28", "\u{FFFD}("),
                (b"\x1B\x23\x1B\x29", "\u{FFFD}#\u{FFFD})"),
                (b"\x1B\x80", "\u{FFFD}\u{FFFD}"),
                (b"\x1B\x1B(J\\", "\u{FFFD}¥"),
                (b"\x1B(B\x1B\x1B(Ja", "\u{FFFD}a"),
                (b"\x1B(J\x1Bq\\", "\u{FFFD}q¥"),
                (b"\x1B(J\x1B", "\u{FFFD}"),
                (b"\x1B$B\x1B\x30\x21", "\u{FFFD}亜"),
                (b"\x1B(I\x1B1", "\u{FFFD}ｱ"),
                // escape
                (b"\x1B(Ja\x1B(B\\", "a\\"),
                (b"\x1B$@\x30\x21", "亜"),
                (b"\x1B(B\x1B(B", "\u{FFFD}"),
                (b"\x1B(B\x1B(J\\\x1B(B\\", "\u{FFFD}¥\\"),
                (b"\x1B$B\x1B$@\x30\x21", "\u{FFFD}亜"),
                (b"\x1B(I\x1B(I\x1B(I1", "\u{FFFD}\u{FFFD}ｱ"),
                (b"\x1B$A\x1B$C\x1B$J\x1B$I", "\u{FFFD}$A\u{FFFD}$C\u{FFFD}$J\u{FFFD}$I"),
                (b"\x1B(@\x1B(A\x1B(H\x1B(K", "\u{FFFD}(@\u{FFFD}(A\u{FFFD}(H\u{FFFD}(K"),
                (b"\x1B(a\x1B$\x80", "\u{FFFD}(a\u{FFFD}$\u{FFFD}"),
                (b"\x1B(J\x1B(a\\\x1B$", "\u{FFFD}(a¥\u{FFFD}$"),
                (b"\x1B$\x1B(Jx\\", "\u{FFFD}$x¥"),
                (b"\x1B(\x1B$B\x30\x21", "\u{FFFD}(亜"),
                (b"\x1B$B\x1B$\x30\x21\x1B(Ba", "\u{FFFD}ぐ\u{FFFD}a"),
                (b"\x1B$B\x1B(", "\u{FFFD}\u{FFFD}"),
                (b"\x1B(I\x1B$", "\u{FFFD}､"),
            ],
        );
    }

    /// Each step of [the encoder](https://encoding.spec.whatwg.org/#iso-2022-jp-encoder), in the Standard's order.
    #[test]
    fn each_branch_of_the_encoder_is_as_the_standard_says() {
        check_bytes(
            &ISO_2022_JP,
            &[
                ("", b""),
                ("¥", b"\x1B(J\\\x1B(B"),
                ("亜", b"\x1B$B\x30\x21\x1B(B"),
                ("\u{E}\u{F}\u{1B}", b"&#65533;&#65533;&#65533;"),
                ("¥\u{E}‾\u{F}¥\u{1B}", b"\x1B(J\\&#65533;~&#65533;\\&#65533;\x1B(B"),
                (
                    "亜\u{E}亜\u{F}亜\u{1B}",
                    b"\x1B$B\x30\x21\x1B(B&#65533;\x1B$B\x30\x21\x1B(B&#65533;\x1B$B\x30\x21\x1B(B&#65533;",
                ),
                ("\0\r\u{10}\u{1A}\u{1C}a\\~\u{7F}\u{80}", b"\0\r\x10\x1A\x1Ca\\~\x7F&#128;"),
                ("¥a\0\u{D}\u{10}[]}\u{7F}¥‾", b"\x1B(J\\a\0\x0D\x10[]}\x7F\\~\x1B(B"),
                ("¥\u{80}", b"\x1B(J\\&#128;\x1B(B"),
                ("¥\\", b"\x1B(J\\\x1B(B\\"),
                ("¥~", b"\x1B(J\\\x1B(B~"),
                ("亜a\0\u{7F}", b"\x1B$B\x30\x21\x1B(Ba\0\x7F"),
                ("亜¥", b"\x1B$B\x30\x21\x1B(J\\\x1B(B"),
                ("亜‾", b"\x1B$B\x30\x21\x1B(J~\x1B(B"),
                ("‾", b"\x1B(J~\x1B(B"),
                ("−", b"\x1B$B\x21\x5D\x1B(B"),
                ("亜−", b"\x1B$B\x30\x21\x21\x5D\x1B(B"),
                ("｡ｱﾞﾟ", b"\x1B$B\x21\x23\x25\x22\x21\x2B\x21\x2C\x1B(B"),
                ("\u{FF60}\u{FFA0}", b"&#65376;&#65440;"),
                ("☃", b"&#9731;"),
                ("¥☃¥", b"\x1B(J\\&#9731;\\\x1B(B"),
                ("亜☃", b"\x1B$B\x30\x21\x1B(B&#9731;"),
                ("¥亜", b"\x1B(J\\\x1B$B\x30\x21\x1B(B"),
                ("\u{3000}◇熙＂", b"\x1B$B\x21\x21\x21\x7E\x74\x26\x7C\x7E\x1B(B"),
            ],
        );
    }
}
