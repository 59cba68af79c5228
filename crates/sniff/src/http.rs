//! Bytes as [HTTP](https://mimesniff.spec.whatwg.org/#http-token-code-point) classifies them.

/// [HTTP token code points](https://mimesniff.spec.whatwg.org/#http-token-code-point).
pub(crate) const fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'!' | b'#' | b'$' | b'%' | b'&' | b'\'' | b'*' | b'+' | b'-' | b'.' | b'^' | b'_' | b'`' | b'|' | b'~'
        )
}

/// Whether `bytes` are a token: at least one byte, all of them token code points.
pub(crate) fn is_token(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().copied().all(is_token_byte)
}

/// [HTTP quoted-string token code points](https://mimesniff.spec.whatwg.org/#http-quoted-string-token-code-point).
pub(crate) const fn is_quoted_string_byte(byte: u8) -> bool {
    matches!(byte, 0x09 | 0x20..=0x7E | 0x80..=0xFF)
}

/// [HTTP whitespace](https://fetch.spec.whatwg.org/#http-whitespace): 09, 0A, 0D and 20.
pub(crate) const fn is_http_whitespace(byte: u8) -> bool {
    matches!(byte, 0x09 | 0x0A | 0x0D | 0x20)
}

/// `bytes` without the HTTP whitespace at both ends.
pub(crate) fn strip_http_whitespace(mut bytes: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = bytes {
        if !is_http_whitespace(*first) {
            break;
        }
        bytes = rest;
    }
    strip_trailing_http_whitespace(bytes)
}

/// `bytes` without the HTTP whitespace at their end.
pub(crate) fn strip_trailing_http_whitespace(mut bytes: &[u8]) -> &[u8] {
    while let [rest @ .., last] = bytes {
        if !is_http_whitespace(*last) {
            break;
        }
        bytes = rest;
    }
    bytes
}

/// [Collect an HTTP quoted string](https://fetch.spec.whatwg.org/#collect-an-http-quoted-string) whose opening quote
/// has been read. Returns the bytes before the closing quote and the bytes after it. The end of `bytes` closes the
/// string, too.
pub(crate) fn quoted_string(bytes: &[u8]) -> (&[u8], &[u8]) {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return (&bytes[..at], &bytes[at + 1..]),
            // A backslash at the end is itself.
            b'\\' if at + 1 < bytes.len() => at += 2,
            _ => at += 1,
        }
    }
    (bytes, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_string_ends_at_the_first_quote_without_a_backslash() {
        for (bytes, string, rest) in [
            (&b"a\";b"[..], &b"a"[..], &b";b"[..]),
            (b"\"", b"", b""),
            (b"", b"", b""),
            (b"a\\\"b\"c\"", b"a\\\"b", b"c\""),
            (b"a\\\\\"b", b"a\\\\", b"b"),
            (b"a\\", b"a\\", b""),
            (b"abc", b"abc", b""),
        ] {
            assert_eq!(quoted_string(bytes), (string, rest), "{}", bytes.escape_ascii());
        }
    }
}
