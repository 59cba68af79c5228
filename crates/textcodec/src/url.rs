//! [Percent-encode after encoding](https://url.spec.whatwg.org/#string-percent-encode-after-encoding): encodes text for
//! URLs and [forms](form), in any encoding.
//!
//! ```
//! use textcodec::{ISO_2022_JP, WINDOWS_1251, url};
//!
//! assert_eq!(url::encode_query("q=да ☃", "https", WINDOWS_1251), "q=%E4%E0%20%26%239731%3B");
//! assert_eq!(url::encode_query("q=日", "https", ISO_2022_JP), "q=%1B$BF|%1B(B");
//! // The queries of special URLs are in the encoding of their document, except those of WebSockets.
//! assert_eq!(url::encode_query("q=да", "wss", WINDOWS_1251), "q=%D0%B4%D0%B0");
//! ```

use alloc::string::String;
use core::fmt::Write;

use crate::{EncodeErrorMode, EncodeStatus, Encoding, UTF_8};

pub mod form;

/// The [percent-encode sets](https://url.spec.whatwg.org/#percent-encoded-bytes): sets of bytes that are written as `%`
/// and two hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum PercentEncodeSet {
    /// The [C0 control percent-encode set](https://url.spec.whatwg.org/#c0-control-percent-encode-set): C0 controls,
    /// and all bytes above 0x7E.
    C0Control,
    /// The [fragment percent-encode set](https://url.spec.whatwg.org/#fragment-percent-encode-set): the C0 control set,
    /// space, `"`, `<`, `>` and `` ` ``.
    Fragment,
    /// The [query percent-encode set](https://url.spec.whatwg.org/#query-percent-encode-set): the C0 control set,
    /// space, `"`, `#`, `<` and `>`.
    Query,
    /// The [special-query percent-encode set](https://url.spec.whatwg.org/#special-query-percent-encode-set), for
    /// queries in special URLs: the query set and `'`.
    SpecialQuery,
    /// The [path percent-encode set](https://url.spec.whatwg.org/#path-percent-encode-set): the query set, `?`, `^`,
    /// `` ` ``, `{` and `}`.
    Path,
    /// The [userinfo percent-encode set](https://url.spec.whatwg.org/#userinfo-percent-encode-set), for user names and
    /// passwords: the path set, `/`, `:`, `;`, `=`, `@`, `[`, `\`, `]` and `|`.
    Userinfo,
    /// The [component percent-encode set](https://url.spec.whatwg.org/#component-percent-encode-set) of
    /// `encodeURIComponent()`: the userinfo set, `$`, `%`, `&`, `+` and `,`.
    Component,
    /// The [`application/x-www-form-urlencoded` percent-encode
    /// set](https://url.spec.whatwg.org/#application-x-www-form-urlencoded-percent-encode-set): all bytes except ASCII
    /// letters and digits, `*`, `-`, `_` and `.`.
    FormUrlencoded,
}

impl PercentEncodeSet {
    /// All percent-encode sets.
    pub const ALL: &'static [PercentEncodeSet] = &[
        PercentEncodeSet::C0Control,
        PercentEncodeSet::Fragment,
        PercentEncodeSet::Query,
        PercentEncodeSet::SpecialQuery,
        PercentEncodeSet::Path,
        PercentEncodeSet::Userinfo,
        PercentEncodeSet::Component,
        PercentEncodeSet::FormUrlencoded,
    ];

    /// Whether `byte`, as a code point, is in the set. All bytes above 0x7E are in every set.
    #[must_use]
    pub const fn contains(self, byte: u8) -> bool {
        use PercentEncodeSet as Set;
        match self {
            Set::C0Control => !matches!(byte, 0x20..=0x7E),
            Set::Fragment => Set::C0Control.contains(byte) || matches!(byte, b' ' | b'"' | b'<' | b'>' | b'`'),
            Set::Query => Set::C0Control.contains(byte) || matches!(byte, b' ' | b'"' | b'#' | b'<' | b'>'),
            Set::SpecialQuery => Set::Query.contains(byte) || byte == b'\'',
            Set::Path => Set::Query.contains(byte) || matches!(byte, b'?' | b'^' | b'`' | b'{' | b'}'),
            Set::Userinfo => {
                Set::Path.contains(byte) || matches!(byte, b'/' | b':' | b';' | b'=' | b'@' | b'['..=b']' | b'|')
            }
            Set::Component => Set::Userinfo.contains(byte) || matches!(byte, b'$'..=b'&' | b'+' | b','),
            Set::FormUrlencoded => Set::Component.contains(byte) || matches!(byte, b'!' | b'\''..=b')' | b'~'),
        }
    }
}

/// [Percent-encode after encoding](https://url.spec.whatwg.org/#string-percent-encode-after-encoding) `input`, in the
/// [output encoding](crate::Name::output) of `encoding`. With `space_as_plus` a space becomes `+`.
///
/// An unmappable character becomes `%26%23`, its code point in decimal, and `%3B`: a character reference that is
/// percent-encoded whatever the set is. The result is ASCII.
///
/// ```
/// use textcodec::{SHIFT_JIS, url::{PercentEncodeSet, percent_encode_after_encoding}};
///
/// let encoded = percent_encode_after_encoding(SHIFT_JIS, "日 ☃", PercentEncodeSet::Component, true);
/// assert_eq!(encoded, "%93%FA+%26%239731%3B");
/// ```
#[must_use]
pub fn percent_encode_after_encoding(
    encoding: Encoding,
    input: &str,
    percent_encode_set: PercentEncodeSet,
    space_as_plus: bool,
) -> String {
    let mut output = String::with_capacity(input.len());
    // One encoder for the whole input: after an error, ISO-2022-JP goes on in its current state.
    let mut encoder = encoding.new_encoder();
    let (mut buffer, mut rest) = ([0; 256], input);
    loop {
        let result = encoder.encode_str(rest, &mut buffer, true, EncodeErrorMode::Fatal);
        for &byte in &buffer[..result.written] {
            if space_as_plus && byte == b' ' {
                output.push('+');
            } else if percent_encode_set.contains(byte) {
                percent_encode(byte, &mut output);
            } else {
                output.push(byte.into());
            }
        }
        rest = &rest[result.read..];
        match result.status {
            EncodeStatus::InputEmpty => return output,
            EncodeStatus::OutputFull => {}
            EncodeStatus::Unmappable(unmappable) => {
                write!(output, "%26%23{}%3B", u32::from(unmappable.code_point))
                    .expect("writing to a String never fails");
            }
        }
    }
}

/// [UTF-8 percent-encode](https://url.spec.whatwg.org/#string-utf-8-percent-encode) `input`.
#[must_use]
pub fn utf8_percent_encode(input: &str, percent_encode_set: PercentEncodeSet) -> String {
    percent_encode_after_encoding(UTF_8, input, percent_encode_set, false)
}

/// Encodes the [query](https://url.spec.whatwg.org/#query-state) of a URL as the URL parser does in a document in
/// `encoding`. `query` has no question mark, and `scheme` no colon.
///
/// The encoding is used for special URLs except those of WebSockets. All other URLs use UTF-8.
#[must_use]
pub fn encode_query(query: &str, scheme: &str, encoding: Encoding) -> String {
    let is_any = |schemes: &[&str]| schemes.iter().any(|wanted| scheme.eq_ignore_ascii_case(wanted));
    let is_websocket = is_any(&["ws", "wss"]);
    let is_special = is_websocket || is_any(&["ftp", "file", "http", "https"]);
    let encoding = if is_special && !is_websocket { encoding } else { UTF_8 };
    let set = if is_special { PercentEncodeSet::SpecialQuery } else { PercentEncodeSet::Query };
    percent_encode_after_encoding(encoding, query, set, false)
}

/// [Percent-encode](https://url.spec.whatwg.org/#percent-encode) a byte.
fn percent_encode(byte: u8, output: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    output.push('%');
    output.push(DIGITS[usize::from(byte >> 4)].into());
    output.push(DIGITS[usize::from(byte & 0xF)].into());
}
