//! Encoders of UTF-8 that can be malformed, and that sources can cut.

use textcodec::{EncodeErrorMode, EncodeStatus};
use textcodec_capi as capi;
use textcodec_core::Encoder;

use super::{
    super::{Coded, parts, result},
    EncoderPair, FLAGS_OF_LENGTHS, greatest,
};

/// The model. Destinations have enough space.
struct Sources {
    encoder: Encoder<Coded>,
    position: u64,
    cut: Vec<u8>,
    has_ended: bool,
}

impl Sources {
    fn encode(&mut self, source: &[u8], flags: u32) -> (capi::textcodec_result, Vec<u8>) {
        let (last, counts) = (flags & capi::TEXTCODEC_LAST != 0, flags & capi::TEXTCODEC_UNCOUNTED == 0);
        let is_fatal = flags & capi::TEXTCODEC_FATAL != 0;
        let mode = if is_fatal { EncodeErrorMode::Fatal } else { EncodeErrorMode::Html };
        if std::mem::take(&mut self.has_ended) {
            self.position = 0;
        }
        let before = self.cut.len();
        let all = [&std::mem::take(&mut self.cut)[..], source].concat();
        let (mut at, mut bytes, mut had_errors) = (0, Vec::new(), false);
        let start = self.position;
        // The position after the units of `all` before `at`, and the result there.
        let stop = |position: &mut u64, status, at: usize, written, had_errors| {
            let read = at.saturating_sub(before);
            *position = start + if counts { read as u64 } else { 0 };
            result(status, read, written, had_errors)
        };
        loop {
            let rest = &all[at..];
            let (valid, malformed) = match std::str::from_utf8(rest) {
                Ok(text) => (text, None),
                Err(error) => (
                    std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap(),
                    Some(error.error_len().ok_or(rest.len() - error.valid_up_to())),
                ),
            };
            let is_end = malformed.is_none() && last;
            let encoded = self.encoder.encode_str_to_vec(valid, &mut bytes, is_end, mode);
            had_errors |= encoded.had_errors;
            at += encoded.read;
            if let EncodeStatus::Unmappable(error) = encoded.status {
                let length = self.encoder.position() - error.offset;
                let stopped = stop(&mut self.position, capi::TEXTCODEC_UNMAPPABLE, at, bytes.len(), had_errors);
                let error_offset = self.position.saturating_sub(if counts { length } else { 0 });
                let (error_length, code_point) = (length as u8, error.code_point.into());
                return (capi::textcodec_result { error_offset, error_length, code_point, ..stopped }, bytes);
            }
            let length = match malformed {
                None => {
                    self.has_ended = last;
                    return (stop(&mut self.position, capi::TEXTCODEC_OK, at, bytes.len(), had_errors), bytes);
                }
                Some(Err(_)) if !last => {
                    self.cut = all[at..].to_vec();
                    return (stop(&mut self.position, capi::TEXTCODEC_OK, all.len(), bytes.len(), had_errors), bytes);
                }
                Some(Ok(length) | Err(length)) => length,
            };
            had_errors = true;
            at += length;
            if is_fatal {
                let stopped = stop(&mut self.position, capi::TEXTCODEC_MALFORMED, at, bytes.len(), had_errors);
                let mut error_bytes = [0; 7];
                error_bytes[..length].copy_from_slice(&all[at - length..at]);
                let error_offset = self.position.saturating_sub(if counts { length as u64 } else { 0 });
                return (
                    capi::textcodec_result { error_offset, error_length: length as u8, error_bytes, ..stopped },
                    bytes,
                );
            }
            let _ = self.encoder.encode_str_to_vec("\u{FFFD}", &mut bytes, false, mode);
        }
    }

    /// Text in UTF-16, or the end of the stream, makes the start of a character in UTF-8 malformed.
    fn encode_utf16(&mut self, source: &[u16], flags: u32) -> (capi::textcodec_result, Vec<u8>) {
        let (last, counts) = (flags & capi::TEXTCODEC_LAST != 0, flags & capi::TEXTCODEC_UNCOUNTED == 0);
        if std::mem::take(&mut self.has_ended) {
            self.position = 0;
        }
        let (mut bytes, mut had_errors) = (Vec::new(), false);
        if !self.cut.is_empty() && (!source.is_empty() || last) {
            let cut = std::mem::take(&mut self.cut);
            had_errors = true;
            if flags & capi::TEXTCODEC_FATAL != 0 {
                let mut error_bytes = [0; 7];
                error_bytes[..cut.len()].copy_from_slice(&cut);
                let error_offset = self.position.saturating_sub(if counts { cut.len() as u64 } else { 0 });
                let stopped = result(capi::TEXTCODEC_MALFORMED, 0, 0, true);
                let error_length = cut.len() as u8;
                return (capi::textcodec_result { error_offset, error_length, error_bytes, ..stopped }, bytes);
            }
            let _ = self.encoder.encode_str_to_vec("\u{FFFD}", &mut bytes, false, EncodeErrorMode::Html);
        }
        // All of these characters are mappable.
        let encoded = self.encoder.encode_utf16_to_vec(source, &mut bytes, last, EncodeErrorMode::Html);
        assert!(!encoded.had_errors);
        self.position += if counts { encoded.read as u64 } else { 0 };
        self.has_ended = last;
        (result(capi::TEXTCODEC_OK, encoded.read, bytes.len(), had_errors), bytes)
    }
}

#[test]
fn sources_that_are_malformed_or_cut_characters_are_encoded_as_the_flags_say() {
    let texts: [&[u8]; 9] = [
        b"a\xE3\x83\x86\xFFb",
        b"\xC3\xA9\xE2\x98\x83\xF0\x9F\x98\x80",
        b"\xE2\x98(\x80\x80",
        b"\xF0\x9F\x98",
        b"\xED\xA0\x80z",
        b"\xC3",
        b"\xF4\x90\x80\x80",
        b"",
        b"\xE3\x83\x86\xE3\x83",
    ];
    for (number, coded) in Coded::all().into_iter().take(40).filter(|(_, coded)| coded.has_encoder()) {
        for (size, first) in (1..=6).flat_map(|size| (0..8).map(move |flags| (size, flags))) {
            let mut own = EncoderPair::new(number, coded).unwrap().own;
            let encoder = Encoder::new(coded).unwrap();
            let mut model = Sources { encoder, position: 0, cut: Vec::new(), has_ended: false };
            for (place, text) in texts.into_iter().enumerate() {
                let mut rest = text;
                loop {
                    let piece = &rest[..rest.len().min(size)];
                    // The flags are those of the first call and, in the other texts, all others.
                    let flags = ((first + place as u32) % 8) & !capi::TEXTCODEC_LAST;
                    let is_end = piece.len() == rest.len() && first & capi::TEXTCODEC_LAST != 0;
                    let flags = flags | if is_end { capi::TEXTCODEC_LAST } else { 0 };
                    let mut bytes = [0_u8; 128];
                    let (pointer, length) = parts(piece);
                    let destination = bytes.as_mut_ptr().cast();
                    let pointers = own.as_mut_ptr().cast();
                    // SAFETY: the encoder is made, and the pointers and the lengths are theirs.
                    let found = unsafe {
                        capi::textcodec_encoder_utf8(pointers, pointer.cast(), length, destination, 128, flags)
                    };
                    let (expected, written) = model.encode(piece, flags);
                    let name = coded.name();
                    assert_eq!(
                        (found, &bytes[..found.written]),
                        (expected, &written[..]),
                        "{piece:02X?}, {flags}, {name}"
                    );
                    // SAFETY: the encoder is made.
                    let (position, has_pending_state) = unsafe {
                        (
                            capi::textcodec_encoder_position(pointers),
                            capi::textcodec_encoder_has_pending_state(pointers),
                        )
                    };
                    let is_pending = model.encoder.has_pending_state() || !model.cut.is_empty();
                    assert_eq!(
                        (position, has_pending_state),
                        (model.position, is_pending),
                        "{piece:02X?}, {flags}, {name}"
                    );
                    for flags in FLAGS_OF_LENGTHS {
                        // SAFETY: the encoder is made.
                        let found = unsafe {
                            [
                                capi::textcodec_encoder_max_length_from_utf8(pointers, 5, flags),
                                capi::textcodec_encoder_max_length_from_utf16(pointers, 5, flags),
                            ]
                        };
                        assert_eq!(found, greatest(&model.encoder, 5 + model.cut.len(), flags), "{flags:X}, {name}");
                    }
                    // A saved state goes on in another encoder, and an encoder that is reset is as a new one.
                    let mut state = capi::textcodec_state { words: [7; 4] };
                    let (mut other, mut reset) = (EncoderPair::new(number, coded).unwrap().own, own);
                    // SAFETY: the encoder is made.
                    unsafe { capi::textcodec_encoder_reset(reset.as_mut_ptr().cast()) };
                    let new = EncoderPair::new(number, coded).unwrap();
                    EncoderPair { own: reset, ..new.clone() }.compare();
                    assert_eq!(
                        EncoderPair { own: reset, ..new.clone() }.save(),
                        new.save(),
                        "{piece:02X?}, {flags}, {name}"
                    );
                    // SAFETY: both encoders are made.
                    let statuses = unsafe {
                        let saved = capi::textcodec_encoder_save(pointers, &raw mut state);
                        [saved, capi::textcodec_encoder_restore(other.as_mut_ptr().cast(), &raw const state)]
                    };
                    assert_eq!(statuses, [capi::TEXTCODEC_OK; 2], "{piece:02X?}, {flags}, {name}");
                    own = other;
                    if (place + size + first as usize).is_multiple_of(3) && (is_end || rest.len() % 2 == 0) {
                        let units: &[u16] = if rest.len().is_multiple_of(4) { &[] } else { &[0x61, 0x62] };
                        let mut bytes = [0_u8; 128];
                        let (pointer, length) = parts(units);
                        let (destination, pointers) = (bytes.as_mut_ptr().cast(), own.as_mut_ptr().cast());
                        let flags = first;
                        // SAFETY: the encoder is made, and the pointers and the lengths are theirs.
                        let found = unsafe {
                            capi::textcodec_encoder_utf16(pointers, pointer, length, destination, 128, flags)
                        };
                        let (expected, written) = model.encode_utf16(units, flags);
                        assert_eq!((found, &bytes[..found.written]), (expected, &written[..]), "{flags}, {name}");
                        // SAFETY: the encoder is made.
                        assert_eq!(unsafe { capi::textcodec_encoder_position(pointers) }, model.position);
                    }
                    rest = &rest[found.read..];
                    if rest.is_empty() && found.status == capi::TEXTCODEC_OK as u8 {
                        break;
                    }
                }
            }
        }
    }
}
