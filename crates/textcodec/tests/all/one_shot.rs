//! Whole texts give what streams give.

use textcodec::{
    BomHandling, DecodeErrorMode, DecodeStatus, Decoded, Encoding, UTF_8, UTF_16BE, UTF_16LE,
    hooks::{self, IoQueue},
};

#[test]
fn a_whole_text_is_decoded_as_a_stream_for_each_byte_order_mark_and_error_mode() {
    let marks: [&[u8]; 6] = [b"", b"\xEF\xBB\xBF", b"\xFE\xFF", b"\xFF\xFE", b"\xEF\xBB", b"\xEF\xBB\xBF\xEF\xBB\xBF"];
    let texts: [&[u8]; 6] = [b"", b"ab", b"caf\xE9", b"\xC3\xA9\xFF", b"\x1B$B$\"\x80", b"a\x81"];
    for encoding in Encoding::all() {
        for bytes in marks.into_iter().flat_map(|mark| texts.map(|text| [mark, text].concat())) {
            for handling in [BomHandling::Sniff, BomHandling::Remove, BomHandling::Keep] {
                for mode in [DecodeErrorMode::Replacement, DecodeErrorMode::Fatal] {
                    let mut decoder = encoding.new_decoder_with(handling);
                    let mut text = String::new();
                    let result = decoder.decode_to_string(&bytes, &mut text, true, mode);
                    let expected = match result.status {
                        DecodeStatus::Malformed(malformed) => Err(malformed),
                        _ => Ok((text, decoder.encoding(), result.had_errors)),
                    };
                    let decoded = encoding.decode_with(&bytes, handling, mode);
                    let decoded = decoded
                        .map(|Decoded { text, encoding, had_errors, .. }| (text.into_owned(), encoding, had_errors));
                    assert_eq!(decoded, expected, "{encoding} {handling:?} {mode:?} {bytes:02X?}");
                }
            }
            let sniffed = encoding.decode(&bytes);
            assert_eq!(Ok(sniffed), encoding.decode_with(&bytes, BomHandling::Sniff, DecodeErrorMode::Replacement));
            let removed = encoding.decode_with(&bytes, BomHandling::Remove, DecodeErrorMode::Replacement).unwrap();
            assert_eq!(encoding.decode_with_bom_removal(&bytes), (removed.text, removed.had_errors), "{encoding}");
            let fatal = encoding.decode_with(&bytes, BomHandling::Sniff, DecodeErrorMode::Fatal);
            assert_eq!(encoding.decode_or_fail(&bytes), fatal);
        }
    }
}

#[test]
fn a_byte_order_mark_is_found_by_itself() {
    assert_eq!(BomHandling::default(), BomHandling::Sniff);
    let (koi8, le) = (Encoding::for_label("koi8-r").unwrap(), UTF_16LE);
    for (handling, encoding, bytes, expected) in [
        (BomHandling::Sniff, koi8, &b"\xEF\xBB\xBFa"[..], (UTF_8, 3)),
        (BomHandling::Sniff, koi8, b"\xFE\xFF", (UTF_16BE, 2)),
        (BomHandling::Sniff, UTF_8, b"\xFF\xFEa\0", (UTF_16LE, 2)),
        (BomHandling::Sniff, koi8, b"\xEF\xBB", (koi8, 0)),
        (BomHandling::Remove, koi8, b"\xEF\xBB\xBFa", (koi8, 0)),
        (BomHandling::Remove, UTF_8, b"\xEF\xBB\xBFa", (UTF_8, 3)),
        (BomHandling::Remove, le, b"\xFF\xFEa\0", (le, 2)),
        (BomHandling::Remove, le, b"\xFE\xFFa\0", (le, 0)),
        (BomHandling::Keep, UTF_8, b"\xEF\xBB\xBFa", (UTF_8, 0)),
        (BomHandling::Keep, le, b"\xFF\xFE", (le, 0)),
    ] {
        assert_eq!(handling.apply(encoding, bytes), expected, "{handling:?} {encoding} {bytes:02X?}");
    }
}

#[test]
fn the_hooks_of_the_standard_give_what_whole_texts_give() {
    let marks: [&[u8]; 5] = [b"", b"\xEF\xBB\xBF", b"\xFE\xFF", b"\xFF\xFE", b"\xEF\xBB"];
    for encoding in Encoding::all() {
        for bytes in marks.into_iter().flat_map(|mark| [&b""[..], b"a\0\xE9b"].map(|text| [mark, text].concat())) {
            let decoded = encoding.decode(&bytes);
            let mut output = IoQueue::new();
            hooks::decode(&mut IoQueue::from_iter(bytes.iter().copied()), encoding, &mut output);
            assert_eq!(output.read_all::<String>(), decoded.text, "{encoding} {bytes:02X?}");

            let mut io_queue = IoQueue::from_iter(bytes.iter().copied());
            let found = hooks::bom_sniff(&mut io_queue);
            assert_eq!((found.unwrap_or(encoding), io_queue.read_all::<Vec<u8>>()), (decoded.encoding, bytes));
        }
        for text in ["", "a", "é☃あЖ"] {
            let mut output = IoQueue::new();
            let result = hooks::encode(&mut IoQueue::from_iter(text.chars()), encoding, &mut output);
            let is_output = encoding.id().output() == encoding.id();
            let expected = if is_output { encoding.encode(text).bytes.into_owned() } else { Vec::new() };
            assert_eq!((result.is_ok(), output.read_all::<Vec<u8>>()), (is_output, expected), "{encoding} {text}");
        }
    }
}
