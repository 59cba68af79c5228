//! The results that `tests/c/pieces.c` must have, from the Rust library.

use textcodec::{DecodeErrorMode, DecodeStatus, EncodeErrorMode, EncodeStatus, Encoding, charsets::Charset};
use textcodec_core::{Decoder, Encoder, Handle};

const LENGTH: usize = 96;

/// xorshift64*, as in `pieces.c`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(2_685_821_657_736_338_717) >> 32) as u32
    }
}

/// FNV-1a.
struct Fingerprint(u64);

impl Fingerprint {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(1_099_511_628_211);
        }
    }

    fn add_outcome(&mut self, bytes: &[u8], errors: &[[u64; 3]]) {
        self.add(&(bytes.len() as u64).to_le_bytes());
        self.add(bytes);
        self.add(&(errors.len() as u64).to_le_bytes());
        errors.iter().flatten().for_each(|number| self.add(&number.to_le_bytes()));
    }
}

fn native_endian(units: &[u16]) -> Vec<u8> {
    units.iter().flat_map(|unit| unit.to_ne_bytes()).collect()
}

/// The text of `bytes` in UTF-8 and in UTF-16, and the errors.
fn decode<E: Handle>(
    mut decoder: Decoder<E>,
    bytes: &[u8],
    mode: DecodeErrorMode,
) -> (Vec<u8>, Vec<u8>, Vec<[u64; 3]>) {
    let (mut text, mut errors, mut read) = (String::new(), Vec::new(), 0);
    loop {
        let result = decoder.decode_to_string(&bytes[read..], &mut text, true, mode);
        read += result.read;
        let DecodeStatus::Malformed(error) = result.status else { break };
        errors.push([error.offset, error.bytes().len() as u64, error.bytes()[0].into()]);
    }
    let units: Vec<u16> = text.encode_utf16().collect();
    (text.into_bytes(), native_endian(&units), errors)
}

/// The bytes of a text of UTF-8 that can be malformed, and the errors.
fn encode_utf8<E: Handle>(mut encoder: Encoder<E>, text: &[u8], mode: EncodeErrorMode) -> (Vec<u8>, Vec<[u64; 3]>) {
    let (mut bytes, mut errors, mut start) = (Vec::new(), Vec::new(), 0);
    for chunk in text.utf8_chunks() {
        let (valid, invalid) = (chunk.valid(), chunk.invalid());
        // In the mode html, U+FFFD is encoded in the place of `invalid`.
        let replaced = if mode == EncodeErrorMode::Html && !invalid.is_empty() { "\u{FFFD}" } else { "" };
        for (part, length) in [(valid, None), (replaced, Some(invalid.len()))] {
            let mut read = 0;
            loop {
                let result = encoder.encode_str_to_vec(&part[read..], &mut bytes, false, mode);
                let EncodeStatus::Unmappable(error) = result.status else { break };
                read += result.read;
                let character = part[..read].chars().next_back().unwrap();
                let offset = start + read - character.len_utf8();
                let length = length.unwrap_or(character.len_utf8());
                errors.push([offset as u64, length as u64, u32::from(error.code_point).into()]);
            }
            start += length.unwrap_or(valid.len());
        }
        if let (Some(&first), EncodeErrorMode::Fatal) = (invalid.first(), mode) {
            errors.push([(start - invalid.len()) as u64, invalid.len() as u64, first.into()]);
        }
    }
    let _ = encoder.encode_str_to_vec("", &mut bytes, true, mode);
    (bytes, errors)
}

/// The bytes of a text of UTF-16, and the errors.
fn encode_utf16<E: Handle>(mut encoder: Encoder<E>, text: &[u16], mode: EncodeErrorMode) -> (Vec<u8>, Vec<[u64; 3]>) {
    let (mut bytes, mut errors, mut read, mut written) = (vec![0; LENGTH * 16], Vec::new(), 0, 0);
    loop {
        let result = encoder.encode_utf16(&text[read..], &mut bytes[written..], true, mode);
        read += result.read;
        written += result.written;
        let EncodeStatus::Unmappable(error) = result.status else { break };
        let length = read as u64 - error.offset;
        errors.push([error.offset, length, u32::from(error.code_point).into()]);
    }
    bytes.truncate(written);
    (bytes, errors)
}

/// The lines that `pieces.c` prints.
pub(crate) fn fingerprints(rounds: usize) -> String {
    let mut lines = String::new();
    for (number, encoding) in (1..).zip(Encoding::all()) {
        let encoder = encoding.id().output() == encoding.id();
        lines += &line(number, rounds, encoding.new_decoder(), encoder.then(|| encoding.new_encoder()));
    }
    for (number, charset) in (0x1_0000..).zip(Charset::all()) {
        lines += &line(number, rounds / 5, charset.new_decoder(), charset.new_encoder());
    }
    lines
}

/// The line of an encoding.
fn line<E: Handle>(number: u64, rounds: usize, decoder: Decoder<E>, encoder: Option<Encoder<E>>) -> String {
    let mut random = Random(88_172_645_463_325_252 + number);
    let mut fingerprint = Fingerprint(14_695_981_039_346_656_037);
    for _ in 0..rounds {
        let (mut bytes, mut units) = ([0; LENGTH], [0; LENGTH]);
        for (byte, unit) in bytes.iter_mut().zip(&mut units) {
            let number = random.next();
            let ascii = 0x20 + (number >> 8) % 0x60;
            *byte = if number & 3 == 0 { ascii as u8 } else { (number >> 16) as u8 };
            *unit = match number & 7 {
                0 => 0xD800 + ((number >> 8) % 0x800) as u16,
                1 | 2 => ascii as u16,
                _ => (number >> 16) as u16,
            };
        }
        for (decode_mode, encode_mode) in
            [(DecodeErrorMode::Replacement, EncodeErrorMode::Html), (DecodeErrorMode::Fatal, EncodeErrorMode::Fatal)]
        {
            let (utf8, utf16, errors) = decode(decoder, &bytes, decode_mode);
            fingerprint.add_outcome(&utf8, &errors);
            fingerprint.add_outcome(&utf16, &errors);
            if let Some(encoder) = encoder {
                let (encoded, errors) = encode_utf8(encoder, &bytes, encode_mode);
                fingerprint.add_outcome(&encoded, &errors);
                let (encoded, errors) = encode_utf16(encoder, &units, encode_mode);
                fingerprint.add_outcome(&encoded, &errors);
            }
        }
    }
    format!("{number} {}\n", fingerprint.0)
}
