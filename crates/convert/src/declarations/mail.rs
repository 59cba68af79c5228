//! [Content-Type](https://www.rfc-editor.org/rfc/rfc2045#section-5) in the header of a mail names its charset.
//!
//! A mail of one part whose body is the text itself is read as declared. The bytes of any other mail are not in one
//! charset: parts have charsets of their own, and base64 and quoted-printable hide the bytes that the charset is about.

use alloc::string::String;
use core::ops::Range;

use super::beyond::Distrust;

/// The header of a mail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Header {
    /// The body is text in the charset whose name stands here in the file. `None` if the header does not name one.
    Text(Option<Range<usize>>),
    /// The bytes are in no single charset.
    Mixed {
        /// The type of the content, for example "multipart/mixed".
        content_type: String,
        reason: Distrust,
    },
}

/// The fields of which every mail has one. Other files can begin with lines such as "Name: value", too.
const FIELDS_OF_MAIL: [&str; 6] = ["From", "Date", "Received", "Return-Path", "Message-ID", "MIME-Version"];

/// The header at the start of `text`. `None` if it is no mail, or if the end of its header is not in `text`.
pub(super) fn header(text: &str) -> Option<Header> {
    let mut rest = text.trim_start_matches('\u{FEFF}');
    let is_mailbox = rest.starts_with("From ");
    if is_mailbox {
        rest = after_line(rest);
    }
    let (mut is_mail, mut content_type, mut is_encoded) = (false, None, false);
    while !matches!(rest.as_bytes(), [b'\n', ..] | [b'\r', b'\n', ..]) {
        let field = field(rest)?;
        let (name, value) = field.split_once(':').filter(|(name, _)| is_name(name))?;
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        is_mail |= FIELDS_OF_MAIL.into_iter().any(is);
        let start = text.len() - rest.len() + name.len() + 1;
        if is("Content-Type") && content_type.is_none() {
            content_type = Some((start, value));
        } else if is("Content-Transfer-Encoding") {
            let encoding = value.trim();
            is_encoded = ["base64", "quoted-printable"].iter().any(|other| other.eq_ignore_ascii_case(encoding));
        }
        rest = &rest[field.len()..];
    }
    if !is_mail {
        return None;
    }
    let (start, value) = content_type.unwrap_or((0, "text/plain"));
    let media_type = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_text = media_type.starts_with("text/");
    let reason = match () {
        () if is_mailbox => Some(Distrust::Mailbox),
        () if is_encoded => Some(Distrust::TransferEncoding),
        () if !is_text => Some(Distrust::Parts),
        () => None,
    };
    Some(match reason {
        Some(reason) => Header::Mixed { content_type: media_type, reason },
        None => Header::Text(charset(value).map(|range| range.start + start..range.end + start)),
    })
}

/// The text after the first line of `text`.
fn after_line(text: &str) -> &str {
    text.find('\n').map_or("", |end| &text[end + 1..])
}

/// The first field of `text` with all its lines: those that begin with white space continue it. `None` if it does not
/// end in `text`.
fn field(text: &str) -> Option<&str> {
    let mut end = 0;
    loop {
        end += text[end..].find('\n')? + 1;
        if !text[end..].starts_with([' ', '\t']) {
            return Some(&text[..end]);
        }
    }
}

/// Whether the name of a field has this form.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// The place of the parameter `charset` in the value of Content-Type.
fn charset(value: &str) -> Option<Range<usize>> {
    let mut start = 0;
    for parameter in value.split(';') {
        if let Some((name, label)) = parameter.split_once('=')
            && name.trim().eq_ignore_ascii_case("charset")
        {
            let label = label.trim_start();
            let from = start + parameter.len() - label.trim_start_matches('"').len();
            let is_end = |character: char| character.is_whitespace() || matches!(character, '"' | '(');
            let length = value[from..start + parameter.len()].find(is_end).unwrap_or(start + parameter.len() - from);
            return (length > 0).then_some(from..from + length);
        }
        start += parameter.len() + 1;
    }
    None
}

/// Whether a name says nothing about the charset of bytes beyond ASCII: mail programs write it if they know no other.
pub(super) fn is_of_ascii(label: &str) -> bool {
    ["us-ascii", "ascii", "ansi_x3.4-1968"].iter().any(|other| other.eq_ignore_ascii_case(label))
}

/// What the header of a mail says if its charset is not that of the bytes: the type of the content, and the reason.
pub(super) fn mixed(text: &str) -> Option<(String, Distrust)> {
    match header(text)? {
        Header::Mixed { content_type, reason } => Some((content_type, reason)),
        Header::Text(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_names_the_charset_of_a_body_that_is_text() {
        for (text, label) in [
            ("From: a@example.org\nContent-Type: text/plain; charset=<iso-8859-2>\n\nx", Some("iso-8859-2")),
            (
                "Received: by x\r\n\tid 1\r\nMIME-Version: 1.0\r\ncontent-type: text/html;\r\n format=flowed;\r\n\t\
                 Charset=\"<koi8-r>\"\r\nContent-Transfer-Encoding: 8bit\r\n\r\nx",
                Some("koi8-r"),
            ),
            ("Date: today\nContent-Type: text/plain; charset = <big5> (Chinese)\n\n", Some("big5")),
            ("Date: today\nContent-Type: text/plain; charset=<big5>(Chinese)\n\n", Some("big5")),
            // The first of two fields counts, whatever the second one is.
            (
                "Date: x\nContent-Type: text/plain; charset=<big5>\nContent-Type: text/html; charset=koi8-r\n\n",
                Some("big5"),
            ),
            ("Subject: x\nDate: today\n\nContent-Type: text/plain; charset=big5\n", None),
            ("\u{FEFF}Date: today\nContent-Type: text/plain; charset=<big5>\n\n", Some("big5")),
        ] {
            let plain = text.replace(['<', '>'], "");
            let Some(Header::Text(range)) = header(&plain) else { panic!("{text}") };
            assert_eq!(range.clone().map(|range| &plain[range]), label, "{text}");
            assert_eq!(range.map(|range| range.start), text.find('<'), "{text}");
        }
    }

    #[test]
    fn a_mailbox_comes_before_a_transfer_encoding_and_this_before_parts() {
        for is_mailbox in [false, true] {
            for encoding in ["", "base64", "Quoted-Printable", "8bit", "7bit", "binary"] {
                for media_type in ["text/plain", "TEXT/html", "multipart/mixed", "message/rfc822", "application/pdf"] {
                    let start = if is_mailbox { "From a@example.org Mon\n" } else { "" };
                    let field = if encoding.is_empty() { "" } else { "Content-Transfer-Encoding: " };
                    let text = format!("{start}Date: x\nContent-Type: {media_type}; a=b\n{field}{encoding}\n\nx");
                    let text = text.replace("\n\n\n", "\n\n");
                    let expected = match (is_mailbox, encoding) {
                        (true, _) => Some(Distrust::Mailbox),
                        (false, "base64" | "Quoted-Printable") => Some(Distrust::TransferEncoding),
                        _ if media_type.to_ascii_lowercase().starts_with("text/") => None,
                        _ => Some(Distrust::Parts),
                    };
                    let expected = expected.map(|reason| (media_type.to_ascii_lowercase(), reason));
                    assert_eq!(mixed(&text), expected, "{text}");
                }
            }
        }
        // Each of these fields tells that the text is a mail.
        for field in ["From", "Date", "Received", "Return-Path", "Message-ID", "MIME-Version", "mime-version"] {
            let text = format!("Subject: x\n{field}: x\nContent-Type: multipart/mixed\n\n");
            assert_eq!(mixed(&text), Some(("multipart/mixed".into(), Distrust::Parts)), "{field}");
        }
        for field in ["To", "Subject", "Reply-To", "X-From", "Content-Language"] {
            assert_eq!(header(&format!("{field}: x\nContent-Type: multipart/mixed\n\n")), None, "{field}");
        }
    }

    #[test]
    fn a_mail_whose_bytes_are_in_no_single_charset_is_known() {
        for (text, content_type, reason) in [
            ("From: a\nContent-Type: multipart/mixed; boundary=x\n\n--x", "multipart/mixed", Distrust::Parts),
            ("From: a\nContent-Type: Message/RFC822\n\n", "message/rfc822", Distrust::Parts),
            ("From: a\nContent-Type: textual/plain\n\n", "textual/plain", Distrust::Parts),
            ("From: a\nContent-Type: text\n\n", "text", Distrust::Parts),
            ("From a@example.org Mon\nSubject: x\nDate: y\n\nx", "text/plain", Distrust::Mailbox),
            (
                "From: a\nContent-Transfer-Encoding: Base64\nContent-Type: text/plain; charset=big5\n\n",
                "text/plain",
                Distrust::TransferEncoding,
            ),
        ] {
            assert_eq!(mixed(text), Some((content_type.into(), reason)), "{text}");
        }
        for text in [
            "Name: value\nContent-Type: multipart/mixed\n\n",
            "From: the header does not end",
            "From: a\nno field\n\n",
            "\nFrom: a\n\n",
            "",
        ] {
            assert_eq!(header(text), None, "{text}");
        }
    }

    #[test]
    fn the_parameter_charset_is_found_by_its_name() {
        for (value, expected) in [
            ("text/plain; charset=<a>", Some("a")),
            ("text/plain;b=c; CharSet =\t\"<a b>\"", Some("a")),
            ("text/plain; charset=<a>\"", Some("a")),
            ("text/plain; charset=<a>;charset=b", Some("a")),
            ("charset=<a>", Some("a")),
            ("text/plain; charset=", None),
            ("text/plain; charset=; charset=a", None),
            ("text/plain; xcharset=a", None),
            ("text/plain; charset a", None),
            ("text/plain", None),
        ] {
            let plain = value.replace(['<', '>'], "");
            let found = charset(&plain);
            assert_eq!(found.clone().map(|range| &plain[range]), expected, "{value}");
            assert_eq!(found.map(|range| range.start), value.find('<'), "{value}");
        }
    }

    #[test]
    fn a_field_has_the_lines_that_begin_with_white_space() {
        for (text, expected) in [
            ("a: b\n\tc\n d\ne: f\n", Some("a: b\n\tc\n d\n")),
            ("a: b\n", Some("a: b\n")),
            ("a: b\n c", None),
            ("a: b", None),
        ] {
            assert_eq!(field(text), expected, "{text}");
        }
        for (name, expected) in
            [("A-z_9", true), ("", false), ("a b", false), ("a.b", false), ("é", false), (" a", false)]
        {
            assert_eq!(is_name(name), expected, "{name}");
        }
        assert_eq!([after_line("a\nb\nc"), after_line("a"), after_line("a\n")], ["b\nc", "", ""]);
        for (label, expected) in
            [("US-ASCII", true), ("ascii", true), ("ANSI_X3.4-1968", true), ("utf-8", false), ("ascii-8", false)]
        {
            assert_eq!(is_of_ascii(label), expected, "{label}");
        }
    }
}
