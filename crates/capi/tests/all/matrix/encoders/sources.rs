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

/// The sum of the results of `call` into small destinations, up to the first one with enough space, and the bytes.
/// `call` gets the encoder, the number of units that were read, and the destination.
fn in_small_parts(
    own: &mut [u64; 8],
    mut capacity: usize,
    call: impl Fn(*mut capi::textcodec_encoder, usize, &mut [u8]) -> capi::textcodec_result,
) -> (capi::textcodec_result, Vec<u8>) {
    let (mut read, mut all, mut had_errors) = (0, Vec::new(), false);
    loop {
        let mut bytes = vec![0_u8; capacity];
        let found = call(own.as_mut_ptr().cast(), read, &mut bytes);
        all.extend_from_slice(&bytes[..found.written]);
        (read, had_errors) = (read + found.read, had_errors | found.had_errors);
        if found.status != capi::TEXTCODEC_OUTPUT_FULL as u8 {
            return (capi::textcodec_result { read, written: all.len(), had_errors, ..found }, all);
        }
        assert_eq!(found, result(capi::TEXTCODEC_OUTPUT_FULL, found.read, found.written, found.had_errors));
        // Some characters need more space.
        capacity += usize::from(found.read == 0 && found.written == 0);
    }
}

/// The state of an encoder.
fn saved(own: &[u64; 8]) -> capi::textcodec_state {
    let mut state = capi::textcodec_state { words: [7; 4] };
    // SAFETY: the encoder is made.
    assert_eq!(unsafe { capi::textcodec_encoder_save(own.as_ptr().cast(), &raw mut state) }, capi::TEXTCODEC_OK);
    state
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
                    let mut of_parts = own;
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
                    let small = (place + size + first as usize + rest.len()) % 7;
                    let parts_of_it = in_small_parts(&mut of_parts, small, |encoder, read, bytes| {
                        let (pointer, length) = parts(&piece[read..]);
                        let destination = bytes.as_mut_ptr().cast();
                        // SAFETY: as above.
                        unsafe {
                            let capacity = bytes.len();
                            capi::textcodec_encoder_utf8(encoder, pointer.cast(), length, destination, capacity, flags)
                        }
                    });
                    assert_eq!(parts_of_it, (expected, written), "{piece:02X?}, {flags}, {name}, {small}");
                    assert_eq!(saved(&of_parts), saved(&own), "{piece:02X?}, {flags}, {name}, {small}");
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
                        let mut of_parts = own;
                        let (destination, pointers) = (bytes.as_mut_ptr().cast(), own.as_mut_ptr().cast());
                        let flags = first;
                        // SAFETY: the encoder is made, and the pointers and the lengths are theirs.
                        let found = unsafe {
                            capi::textcodec_encoder_utf16(pointers, pointer, length, destination, 128, flags)
                        };
                        let (expected, written) = model.encode_utf16(units, flags);
                        assert_eq!((found, &bytes[..found.written]), (expected, &written[..]), "{flags}, {name}");
                        let parts_of_it = in_small_parts(&mut of_parts, small, |encoder, read, bytes| {
                            let (pointer, length) = parts(&units[read..]);
                            let destination = bytes.as_mut_ptr().cast();
                            // SAFETY: as above.
                            unsafe {
                                let capacity = bytes.len();
                                capi::textcodec_encoder_utf16(encoder, pointer, length, destination, capacity, flags)
                            }
                        });
                        assert_eq!(parts_of_it, (expected, written), "{flags}, {name}, {small}");
                        assert_eq!(saved(&of_parts), saved(&own), "{flags}, {name}, {small}");
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

/// The destination of the first call ends in a character reference, and its source before a cut character.
#[test]
fn the_rest_of_a_reference_is_written_before_a_cut_character_is_read() {
    let (number, coded) = Coded::all().into_iter().find(|(_, coded)| coded.name() == "IBM866").unwrap();
    let mut own = EncoderPair::new(number, coded).unwrap().own;
    let mut encode = |source: &[u8], capacity: usize, flags| {
        let (mut bytes, (pointer, length)) = ([0_u8; 16], parts(source));
        let (encoder, destination) = (own.as_mut_ptr().cast(), bytes.as_mut_ptr().cast());
        // SAFETY: the encoder is made, and the pointers and the lengths are those of the source and of the bytes.
        let found =
            unsafe { capi::textcodec_encoder_utf8(encoder, pointer.cast(), length, destination, capacity, flags) };
        (found.status.into(), found.read, String::from_utf8(bytes[..found.written].to_vec()).unwrap())
    };
    let full = |read, text: &str| (capi::TEXTCODEC_OUTPUT_FULL, read, text.to_owned());
    assert_eq!(encode(b"\xFF\xE2", 3, 0), full(1, "&#6"));
    assert_eq!(encode(b"\xE2", 4, 0), full(0, "5533"));
    assert_eq!(encode(b"\xE2", 4, 0), (capi::TEXTCODEC_OK, 1, ";".to_owned()));
    assert_eq!(encode(b"\x98\x83", 6, 0), full(2, "&#9731"));
    // An error of the mode fatal comes after it, too.
    assert_eq!(encode(b"\xFF", 0, capi::TEXTCODEC_FATAL), full(0, ""));
    assert_eq!(encode(b"\xFF", 4, capi::TEXTCODEC_FATAL), (capi::TEXTCODEC_MALFORMED, 1, ";".to_owned()));
}

/// Some charsets lack characters of `&#65533;`. There U+FFFD is unmappable also in the mode html, and the error is
/// where the malformed sequence is.
#[test]
fn a_malformed_sequence_is_unmappable_where_its_replacement_is() {
    let mut count = 0;
    for (number, coded) in Coded::all() {
        let Some(mut pair) = EncoderPair::new(number, coded) else { continue };
        let replaced = pair.model.encode_str("\u{FFFD}", &mut [0; 64], false, EncodeErrorMode::Html);
        if !matches!(replaced.status, EncodeStatus::Unmappable(_)) {
            continue;
        }
        count += 1;
        // Two malformed bytes, and a cut character whose first bytes are in an earlier source.
        let calls: [(&[u8], u32, u64, u8); 5] = [
            (b"\xFF", 0, 0, 1),
            (b"\xFF", 0, 1, 1),
            (b"\xF0\x9F", 0, 2, 0),
            (b"\x98\xFF", capi::TEXTCODEC_UNCOUNTED, 4, 3),
            (b"\xE2\x98", capi::TEXTCODEC_LAST, 4, 2),
        ];
        for (source, flags, error_offset, error_length) in calls {
            let (mut bytes, (pointer, length)) = ([0_u8; 64], parts(source));
            let (encoder, destination) = (pair.own.as_mut_ptr().cast(), bytes.as_mut_ptr().cast());
            // SAFETY: the encoder is made, and the pointers and the lengths are those of the source and of the bytes.
            let found =
                unsafe { capi::textcodec_encoder_utf8(encoder, pointer.cast(), length, destination, 64, flags) };
            let read = if flags == capi::TEXTCODEC_UNCOUNTED { 1 } else { source.len() };
            let expected = match error_length {
                0 => result(capi::TEXTCODEC_OK, read, 0, false),
                _ => capi::textcodec_result {
                    error_offset,
                    error_length,
                    code_point: 0xFFFD,
                    ..result(capi::TEXTCODEC_UNMAPPABLE, read, found.written, true)
                },
            };
            assert_eq!(found, expected, "{source:02X?} in {}", coded.name());
        }
    }
    assert!(count > 0);
}
