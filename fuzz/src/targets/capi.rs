//! The functions of `textcodec.h` read and write only the memory that their arguments name, for null pointers, every
//! size of a buffer and every state; and a stream in pieces becomes what it becomes in one call.

use std::{ffi::c_void, mem::zeroed, ptr::null};

use textcodec_capi::*;

use crate::{Input, Random};

/// Checks what holds for an input.
///
/// # Panics
/// If it does not hold.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let (kind, encoding) = (input.byte(), encoding(input.short()));
    let (flags, mut random) = (u32::from(input.byte() & 0xFE), input.random());
    match kind % 8 {
        0 => decoder(encoding, u32::from(kind >> 3) % 3, flags, &mut random, input.rest()),
        1 => encoder_utf8(encoding, flags & !TEXTCODEC_UNCOUNTED, &mut random, input.rest()),
        2 => encoder_utf16(encoding, flags & !TEXTCODEC_UNCOUNTED, &mut random, &input.units()),
        3 => {
            let state = textcodec_state { words: [input.word(), input.word(), input.word(), input.word()] };
            restored(encoding, u32::from(kind >> 3) % 3, &state, flags, &mut random, input.rest());
        }
        4 => sniff(encoding, kind >> 3, flags, &mut random, input.rest()),
        5 => detect(encoding, flags, &mut random, input.rest()),
        6 => repair(encoding, flags, &mut random, input.rest()),
        _ => memory(&mut random, input.rest()),
    }
}

/// An encoding or a charset, or a number that means nothing.
fn encoding(choice: u16) -> textcodec_encoding {
    match choice {
        0..=0x7FFF => u32::from(choice) % 42,
        0x8000..=0xFFEF => 0x1_0000 + (u32::from(choice) & 0x7FFF) % 540,
        _ => u32::MAX - u32::from(choice & 15),
    }
}

/// A source in a block of memory of its size. Some empty sources are null.
fn source<T: Copy>(units: &[T], random: &mut Random) -> (Box<[T]>, *const T) {
    let block: Box<[T]> = units.into();
    let pointer = if block.is_empty() && random.below(2) == 0 { null() } else { block.as_ptr() };
    (block, pointer)
}

/// A destination in a block of memory of its size.
fn space<T: Default + Clone>(length: usize) -> Box<[T]> {
    vec![T::default(); length].into_boxed_slice()
}

fn decoder(encoding: textcodec_encoding, bom: u32, flags: u32, random: &mut Random, bytes: &[u8]) {
    let flags = flags & TEXTCODEC_FATAL;
    // SAFETY: each pointer leads to a block of the length beside it, or to a struct, and zeros are a struct.
    unsafe {
        let mut decoder: textcodec_decoder = zeroed();
        assert_eq!(u32::from(textcodec_decoder_utf8(&raw mut decoder, null(), 0, null::<u8>() as _, 0, 1).status), 4);
        if textcodec_decoder_init(&raw mut decoder, encoding, bom) != TEXTCODEC_OK {
            return;
        }
        let (block, pointer) = source(bytes, random);
        let length = textcodec_decoder_max_utf8_length(&raw const decoder, bytes.len());
        assert!(length <= textcodec_max_utf8_length(encoding, bytes.len()).max(length));
        let mut whole: Box<[u8]> = space(length);
        let result = textcodec_decode_utf8(
            encoding,
            bom,
            pointer.cast(),
            block.len(),
            whole.as_mut_ptr().cast(),
            whole.len(),
            flags,
        );
        assert_ne!(u32::from(result.status), TEXTCODEC_OUTPUT_FULL, "the greatest length is enough");
        let whole_units = textcodec_max_utf16_length(encoding, bytes.len());
        let mut wide: Box<[u16]> = space(whole_units);
        let wide_result =
            textcodec_decode_utf16(encoding, bom, pointer.cast(), block.len(), wide.as_mut_ptr(), wide.len(), flags);
        assert_eq!((wide_result.read, wide_result.status), (result.read, result.status));
        let text = std::str::from_utf8(&whole[..result.written]).expect("the output is UTF-8");
        assert_eq!(text.encode_utf16().collect::<Vec<_>>(), wide[..wide_result.written]);

        let (mut rest, mut in_pieces, mut read) = (bytes, Vec::new(), 0);
        let last = 'stream: loop {
            let mut piece = random.piece(&mut rest);
            let is_last = rest.is_empty();
            let mut state: textcodec_state = zeroed();
            loop {
                let (block, pointer) = source(piece, random);
                let mut buffer: Box<[u8]> = space(random.below(24));
                let result = textcodec_decoder_utf8(
                    &raw mut decoder,
                    pointer.cast(),
                    block.len(),
                    buffer.as_mut_ptr().cast(),
                    buffer.len(),
                    flags | u32::from(is_last),
                );
                in_pieces.extend_from_slice(&buffer[..result.written]);
                read += result.read;
                piece = &piece[result.read..];
                match u32::from(result.status) {
                    TEXTCODEC_OK if !is_last => break,
                    TEXTCODEC_OUTPUT_FULL => assert!(buffer.len() < 4 || result.written > 0 || result.read > 0),
                    _ => break 'stream result,
                }
                assert_eq!(textcodec_decoder_save(&raw const decoder, &raw mut state), TEXTCODEC_OK);
                assert_eq!(textcodec_decoder_position(&raw const decoder), read as u64);
                assert!(textcodec_decoder_sequence_start(&raw const decoder) <= read as u64);
                assert_eq!(textcodec_decoder_init(&raw mut decoder, encoding, bom), TEXTCODEC_OK);
                assert_eq!(textcodec_decoder_restore(&raw mut decoder, &raw const state), TEXTCODEC_OK);
            }
        };
        // Before an error, a decoder may have read the start of the next sequence; and bytes of earlier pieces that it
        // decodes again are read already.
        assert!(read == result.read || u32::from(last.status) == TEXTCODEC_MALFORMED);
        let error = |result: textcodec_result| {
            (result.status, result.error_offset, result.error_length, result.error_bytes, result.code_point)
        };
        assert_eq!(error(last), error(result));
        assert_eq!(in_pieces, whole[..result.written]);
    }
}

/// Encodes with an encoder that `next` calls for each piece: source, its last flag, destination.
macro_rules! encoder {
    ($name:ident, $unit:ty, $whole:ident, $next:ident, $longest:ident, $encoder_longest:ident) => {
        fn $name(encoding: textcodec_encoding, flags: u32, random: &mut Random, text: &[$unit]) {
            // SAFETY: as in `decoder`.
            unsafe {
                let mut encoder: textcodec_encoder = zeroed();
                if textcodec_encoder_init(&raw mut encoder, encoding) != TEXTCODEC_OK {
                    assert_eq!($longest(encoding, 1, flags), usize::MAX);
                    return;
                }
                let (block, pointer) = source(text, random);
                let length = $encoder_longest(&raw const encoder, text.len(), flags);
                assert_eq!(length, $longest(encoding, text.len(), flags));
                let mut whole: Box<[u8]> = space(length);
                let result =
                    $whole(encoding, pointer.cast(), block.len(), whole.as_mut_ptr().cast(), whole.len(), flags);
                assert_ne!(u32::from(result.status), TEXTCODEC_OUTPUT_FULL, "the greatest length is enough");
                let (mut rest, mut in_pieces, mut read) = (text, Vec::new(), 0);
                let status = 'stream: loop {
                    let length = random.below(9).min(rest.len());
                    let mut piece;
                    (piece, rest) = rest.split_at(length);
                    let is_last = rest.is_empty();
                    let mut state: textcodec_state = zeroed();
                    loop {
                        let (block, pointer) = source(piece, random);
                        let mut buffer: Box<[u8]> = space(random.below(40));
                        let result = $next(
                            &raw mut encoder,
                            pointer.cast(),
                            block.len(),
                            buffer.as_mut_ptr().cast(),
                            buffer.len(),
                            flags | u32::from(is_last),
                        );
                        in_pieces.extend_from_slice(&buffer[..result.written]);
                        read += result.read;
                        piece = &piece[result.read..];
                        match u32::from(result.status) {
                            TEXTCODEC_OK if is_last => break 'stream TEXTCODEC_OK,
                            TEXTCODEC_OK => break,
                            TEXTCODEC_OUTPUT_FULL => {
                                assert!(buffer.len() < 16 || result.written > 0 || result.read > 0)
                            }
                            status => break 'stream status,
                        }
                        assert_eq!(textcodec_encoder_save(&raw const encoder, &raw mut state), TEXTCODEC_OK);
                        assert_eq!(textcodec_encoder_position(&raw const encoder), read as u64);
                        assert_eq!(textcodec_encoder_init(&raw mut encoder, encoding), TEXTCODEC_OK);
                        assert_eq!(textcodec_encoder_restore(&raw mut encoder, &raw const state), TEXTCODEC_OK);
                    }
                };
                assert_eq!((status, read), (result.status.into(), result.read));
                assert_eq!(in_pieces, whole[..result.written]);
            }
        }
    };
}

encoder!(
    encoder_utf8,
    u8,
    textcodec_encode_utf8,
    textcodec_encoder_utf8,
    textcodec_max_length_from_utf8,
    textcodec_encoder_max_length_from_utf8
);
encoder!(
    encoder_utf16,
    u16,
    textcodec_encode_utf16,
    textcodec_encoder_utf16,
    textcodec_max_length_from_utf16,
    textcodec_encoder_max_length_from_utf16
);

/// Goes on from a state that may come from anywhere.
fn restored(
    encoding: textcodec_encoding,
    bom: u32,
    state: &textcodec_state,
    flags: u32,
    random: &mut Random,
    bytes: &[u8],
) {
    let mut rest = bytes;
    // SAFETY: as in `decoder`.
    unsafe {
        let mut decoder: textcodec_decoder = zeroed();
        let mut encoder: textcodec_encoder = zeroed();
        let _ = textcodec_decoder_init(&raw mut decoder, encoding, bom);
        let _ = textcodec_encoder_init(&raw mut encoder, encoding);
        let decodes = textcodec_decoder_restore(&raw mut decoder, state) == TEXTCODEC_OK;
        let encodes = textcodec_encoder_restore(&raw mut encoder, state) == TEXTCODEC_OK;
        while !rest.is_empty() {
            let (block, pointer) = source(random.piece(&mut rest), random);
            let flags = flags | u32::from(rest.is_empty());
            let mut text: Box<[u8]> = space(random.below(40));
            if decodes {
                let _ = textcodec_decoder_max_utf8_length(&raw const decoder, block.len());
                let (to, capacity) = (text.as_mut_ptr().cast(), text.len());
                let result = textcodec_decoder_utf8(&raw mut decoder, pointer.cast(), block.len(), to, capacity, flags);
                assert!(std::str::from_utf8(&text[..result.written]).is_ok() && result.read <= block.len());
            }
            if encodes {
                let _ = textcodec_encoder_max_length_from_utf8(&raw const encoder, block.len(), flags);
                let _ = textcodec_encoder_has_pending_state(&raw const encoder);
                let (to, capacity) = (text.as_mut_ptr().cast(), text.len());
                let result = textcodec_encoder_utf8(&raw mut encoder, pointer.cast(), block.len(), to, capacity, flags);
                assert!(result.written <= capacity && result.read <= block.len());
            }
        }
    }
}

fn sniff(encoding: textcodec_encoding, context: u8, flags: u32, random: &mut Random, bytes: &[u8]) {
    let (block, pointer) = source(bytes, random);
    let choose = |bit: u32, random: &mut Random| if flags & bit != 0 { random.below(42) as u32 } else { 0 };
    // SAFETY: as in `decoder`.
    unsafe {
        let mut hints: textcodec_hints = zeroed();
        textcodec_hints_from_content_type(&raw mut hints, pointer.cast(), block.len());
        hints.definite = choose(2, random);
        hints.override_charset = if flags & 4 != 0 { TEXTCODEC_UNKNOWN_LABEL } else { encoding };
        hints.charset_attribute = choose(8, random);
        hints.environment = choose(16, random);
        hints.container = choose(32, random);
        hints.history = choose(64, random);
        (hints.locale, hints.locale_length) = (pointer.cast(), block.len().min(6) as u32);
        hints.resource = choose(128, random) % 8;
        for context in [u32::from(context), context as u32 + 20] {
            for known in [null(), &raw const hints] {
                let found = textcodec_sniff(context, known, pointer.cast(), block.len(), 1);
                assert!(found.encoding <= 40 && found.confidence <= 3 && found.rung <= 16, "{found:?}");
                let _ = textcodec_sniff(context, known, pointer.cast(), block.len(), 0);
            }
        }
        let _ = textcodec_for_label(pointer.cast(), block.len());
        let _ = textcodec_for_charset(u32::from(context) % 6, pointer.cast(), block.len());
        let _ = textcodec_for_content_type(pointer.cast(), block.len());
        let _ = textcodec_bom_sniff(pointer.cast(), block.len());
        let bom = textcodec_bom_apply(encoding, u32::from(context) % 4, pointer.cast(), block.len());
        assert!(bom.length as usize <= block.len());
    }
}

fn detect(encoding: textcodec_encoding, flags: u32, random: &mut Random, bytes: &[u8]) {
    let (block, pointer) = source(bytes, random);
    let numbers: Box<[u32]> = (0..random.below(5)).map(|_| random.below(45) as u32).collect();
    // SAFETY: as in `decoder`. `textcodec_detector_new` has made the detector, which is freed once.
    unsafe {
        let mut known: textcodec_detect_options = zeroed();
        if flags & 2 != 0 {
            (known.among, known.among_length) = (numbers.as_ptr(), numbers.len());
        }
        if flags & 4 != 0 {
            (known.exclude, known.exclude_length) = (numbers.as_ptr(), numbers.len());
        }
        if flags & 8 != 0 {
            (known.language, known.language_length) = (pointer.cast(), block.len().min(5));
        }
        (known.declared, known.platform) = (encoding, flags >> 4 & 7);
        let known = if flags & 128 == 0 { &raw const known } else { null() };
        let mut found: Box<[textcodec_candidate]> =
            (0..random.below(8)).map(|_| zeroed::<textcodec_candidate>()).collect();
        let whole = textcodec_detect(known, pointer.cast(), block.len(), found.as_mut_ptr(), found.len());
        let detector = textcodec_detector_new(known);
        let mut rest = bytes;
        while !rest.is_empty() {
            let (block, pointer) = source(random.piece(&mut rest), random);
            textcodec_detector_feed(detector, pointer.cast(), block.len());
        }
        let answer = textcodec_detector_answer(detector, found.as_mut_ptr(), found.len(), TEXTCODEC_LAST);
        textcodec_detector_free(detector);
        assert_eq!(
            (answer.encoding, answer.verdict, answer.candidates, answer.probability.to_bits()),
            (whole.encoding, whole.verdict, whole.candidates, whole.probability.to_bits())
        );
    }
}

fn repair(encoding: textcodec_encoding, flags: u32, random: &mut Random, bytes: &[u8]) {
    let (block, pointer) = source(bytes, random);
    let encodings: Box<[u32]> = [encoding, 22, 21].into_iter().take(random.below(4)).collect();
    // SAFETY: as in `decoder`.
    unsafe {
        let repair = |text: &mut [u8]| {
            let (to, capacity) = (text.as_mut_ptr().cast(), text.len());
            textcodec_repair(encodings.as_ptr(), encodings.len(), pointer.cast(), block.len(), to, capacity, flags)
        };
        let length = repair(&mut []).length;
        for capacity in [length, length.saturating_sub(1), length + 9] {
            let mut text: Box<[u8]> = space(capacity);
            let result = repair(&mut text);
            assert_eq!(result.length, length);
            assert!(result.status != TEXTCODEC_OK || std::str::from_utf8(&text[..length]).is_ok());
        }
    }
}

fn memory(random: &mut Random, bytes: &[u8]) {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect();
    let ((bytes, from), (units, from_units)) = (source(bytes, random), source(&units, random));
    let (length, from): (usize, *const c_void) = (bytes.len(), from.cast());
    let count = units.len();
    let mut text: Box<[u8]> = space(random.below(200));
    let mut wide: Box<[u16]> = space(random.below(200));
    let (to, capacity): (*mut c_void, usize) = (text.as_mut_ptr().cast(), text.len());
    let (to_units, unit_capacity) = (wide.as_mut_ptr(), wide.len());
    // SAFETY: as in `decoder`.
    unsafe {
        for found in [
            textcodec_ascii_up_to(from, length),
            textcodec_iso_2022_jp_ascii_up_to(from, length),
            textcodec_utf8_valid_up_to(from, length),
            textcodec_utf8_latin1_up_to(from, length),
        ] {
            assert!(found <= length);
        }
        for found in [
            textcodec_utf16_ascii_up_to(from_units, count),
            textcodec_utf16_valid_up_to(from_units, count),
            textcodec_utf16_latin1_up_to(from_units, count),
        ] {
            assert!(found <= count);
        }
        for (done, source, capacity) in [
            (textcodec_utf8_to_utf16(from, length, to_units, unit_capacity), length, unit_capacity),
            (textcodec_utf16_to_utf8(from_units, count, to, capacity), count, capacity),
            (textcodec_latin1_to_utf8(from, length, to, capacity), length, capacity),
            (textcodec_latin1_to_utf16(from, length, to_units, unit_capacity), length, unit_capacity),
            (textcodec_utf8_to_latin1(from, length, to, capacity), length, capacity),
            (textcodec_utf16_to_latin1(from_units, count, to, capacity), count, capacity),
        ] {
            assert!(done.read <= source && done.written <= capacity);
        }
        assert!(textcodec_copy_ascii(from, length, to, capacity) <= capacity);
        assert!(textcodec_copy_ascii_to_utf16(from, length, to_units, unit_capacity) <= unit_capacity);
        assert!(textcodec_copy_utf16_to_ascii(from_units, count, to, capacity) <= capacity);
        textcodec_ensure_utf16_validity(to_units, unit_capacity);
        assert_eq!(textcodec_utf16_valid_up_to(to_units, unit_capacity), unit_capacity);
    }
}
