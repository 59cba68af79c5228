//! Bulk conversion: how much it converts, and that it leaves to the handler what has begun.

use textcodec_charsets::{Charset, DecodeErrorMode, EncodeErrorMode};
use textcodec_core::{
    Handle as _,
    handler::{Item, Restored},
};

fn charset(name: &str) -> Charset {
    Charset::all().find(|charset| charset.name() == name).unwrap()
}

/// A charset for each decoder and encoder, and a text that bulk conversion needs no handler for.
const TEXTS: [(&str, &str); 27] = [
    ("SJIS", "a¥あ亜ｱ\n"),
    ("WINDOWS-949", "a가똠힣詰"),
    ("JOHAB", "a가힣詰"),
    ("GB18030", "a€가詰\u{10000}中"),
    ("BIG5-HKSCS", "a中十\u{2626B}a中"),
    ("EUC-JP-MS", "aｱあ亜丂\u{E000}"),
    ("EUC-TW", "a中丂乂"),
    ("EUC-JISX0213", "a亜ああ𠂉亜a"),
    ("SHIFT_JISX0213", "a亜ああ𠂉亜a"),
    ("HZ", "a~中文\nb"),
    ("ISO-2022-KR", "ab가나\nc"),
    ("IBM1399", "ab亜ああ\nab"),
    ("ISO-2022-JP-2", "ab¥亜 丂\n头가ｱ\n"),
    ("ISO-2022-JP-3", "ab¥亜 俱\n𠂉ｱ\n"),
    ("ISO-2022-CN", "ab中內乂\nc"),
    ("DICOM", "Suzuki^Hanako=鈴木^花子=すずき^Ива"),
    ("MARC-8", "aЖα中b"),
    ("ANSEL", "aøb"),
    ("TSCII", "aகிகொb"),
    ("CP1258-COMPOSED", "aẤñb"),
    ("ISO_6937", "aøéb"),
    ("CESU-8", "a\0é€💩"),
    ("UTF-16BE", "aé€💩"),
    ("UCS-2BE", "aé€"),
    ("UTF-32BE", "aé€💩"),
    ("IBM037", "aéÿ\u{85}"),
    ("VISCII", "aẲạỠ"),
];

#[test]
fn a_text_of_each_charset_is_decoded_and_encoded_in_bulk() {
    for (name, text) in TEXTS {
        let charset = charset(name);
        // Parts of a source are converted as a whole.
        let text = text.repeat(200);
        let bytes = charset.encode_or_fail(&text).unwrap();
        let mut units = vec![0; 2 * bytes.len()];
        let mut state = charset.selector().into();
        let (read, written) = charset.codec().decoder_convert(&mut state, &bytes, &mut units, DecodeErrorMode::Fatal);
        assert_eq!(
            bytes.get(read..read + 9),
            None,
            "{name}: {:02X?} are left",
            &bytes[read..bytes.len().min(read + 9)]
        );
        let decoded = charset.decode_or_fail(&bytes).unwrap();
        assert!(decoded.starts_with(&String::from_utf16(&units[..written]).unwrap()), "{name}");

        let Some(half) = charset.codec().encoder() else { continue };
        // Some encoders begin with bytes that only the handler writes.
        let (mut encoder, mut to) = (charset.new_encoder().unwrap(), vec![0; 8 * text.len()]);
        let before = encoder.encode_str(" ", &mut to, false, EncodeErrorMode::Fatal).written;
        let [state, ..]: [u64; 3] = encoder.stream_state().into();
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut state = state as u16 ^ u16::from(charset.selector());
        let (read, written) = half.convert(&mut state, &units, &mut to[before..]);
        assert_eq!(
            units.get(read..read + 2),
            None,
            "{name}: {:04X?} are left",
            &units[read..units.len().min(read + 9)]
        );
        let encoded = charset.encode_or_fail(&format!(" {text}")).unwrap();
        assert!(encoded.starts_with(&to[..before + written]), "{name}");
    }
}

/// Texts with characters that take more than one call of the handler.
const BEGUN: [(&str, &[u8]); 9] = [
    ("EUC-JISX0213", b"\xA4\xF7\x8F\xA1\xA1"),
    ("SHIFT_JISX0213", b"\x82\xF5"),
    ("IBM1399", b"\x0E\xEC\xB5\xEC\xB5\x0F"),
    ("ISO-2022-JP-3", b"\x1B$(O$w$w\x1B(J"),
    ("TSCII", b"\x82\x87\xA6\xAB\xA1\xA7\xAB\xAA\x8A\xA4"),
    ("MARC-8", b"\xE1\xE2a\xE2\xE2\xE2a\x1B$1!0!"),
    ("ANSEL", b"\xE1\xE2a\xE2\xE2\xE2a"),
    ("GB18030", b"\x81\x30\x81\x30\xD6\xD0"),
    ("CP1255-COMPOSED", b"\xF9\xCC\xD1"),
];

#[test]
fn bulk_conversion_begins_nowhere_in_a_sequence() {
    let (mut converted, mut never_begun) = (Vec::new(), Vec::new());
    for (name, bytes) in BEGUN {
        let (charset, mut begun) = (charset(name), 0);
        let codec = charset.codec();
        let (mut state, mut restored) = (u64::from(charset.selector()), Restored::<u8>::EMPTY);
        for &byte in bytes {
            let mut next = Some(byte);
            while let Some(byte) = restored.read().or_else(|| next.take()) {
                let _ = codec.decoder_handler(&mut state, &mut restored, Item::Value(byte));
                if codec.lets_convert(state) {
                    continue;
                }
                begun += 1;
                for mode in [DecodeErrorMode::Fatal, DecodeErrorMode::Replacement] {
                    let (mut after, mut units) = (state, [0; 16]);
                    let done = codec.decoder_convert(&mut after, b"aa!!\xA1\xA1\xA1", &mut units, mode);
                    if (done, after) != ((0, 0), state) {
                        converted.push((name, state));
                    }
                }
            }
        }
        if begun == 0 {
            never_begun.push(name);
        }
    }
    assert_eq!((converted, never_begun), (Vec::new(), Vec::<&str>::new()));
}
