//! Which texts are borrowed and which are copied, beside encoding_rs.

use std::borrow::Cow;

use textcodec::{Decoded, Encoding, REPLACEMENT, UTF_16BE, UTF_16LE};

#[test]
fn a_cow_borrows_where_that_of_encoding_rs_does_and_for_empty_utf_16_and_replacement() {
    let inputs =
        [&b""[..], b"a", b"abc def", b"\xEF\xBB\xBF", b"\xEF\xBB\xBFabc", b"\xC3\xA9", b"\x1B(Ba", b"\x0E", b"\xFF"];
    for encoding in Encoding::all() {
        let theirs = encoding_rs::Encoding::for_label(encoding.name().as_bytes()).unwrap();
        for input in inputs {
            let Decoded { text, encoding: used, .. } = encoding.decode(input);
            let (their_text, _, _) = theirs.decode(input);
            let is_exception = text.is_empty() && [UTF_16BE, UTF_16LE, REPLACEMENT].contains(&used);
            assert_eq!(
                matches!(text, Cow::Borrowed(_)),
                matches!(their_text, Cow::Borrowed(_)) || is_exception,
                "{encoding} {input:02X?}"
            );
            assert_eq!(text, their_text);
        }
        for text in ["", "a", "é", "日", "\u{E}"] {
            let (bytes, their_bytes) = (encoding.encode(text).bytes, theirs.encode(text).0);
            assert_eq!(matches!(bytes, Cow::Borrowed(_)), matches!(their_bytes, Cow::Borrowed(_)), "{encoding} {text}");
        }
    }
}
