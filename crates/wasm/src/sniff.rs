//! Finding out the encoding of a resource, for the function `sniff` and for programs that show the ladder.

use core::{
    fmt::{self, Write},
    slice,
};

use textcodec::{
    Name,
    sniff::{
        Confidence, Context, Declaration, Fallback, Hints, Label, PRESCAN_LENGTH, Rung, Sniffer, Source, structure,
    },
};

use crate::shared::{MORE, READ, REQUEST, STATE, STREAM, Shared, WRITTEN, name};

/// A word for a hint that is not given.
const NOT_GIVEN: u32 = 0xFF;

/// The hints: each is a word with the number of an encoding, [`NOT_GIVEN`], or for a label that names no encoding
/// another number.
const OVERRIDE: usize = STATE;
const TRANSPORT: usize = STATE + 1;
const CHARSET_ATTRIBUTE: usize = STATE + 2;
const ENVIRONMENT: usize = STATE + 3;
const CONTAINER: usize = STATE + 4;
const HISTORY: usize = STATE + 5;
const DEFAULT: usize = STATE + 6;
/// A word that is not 0 if the structure of the bytes is a hint.
const GUESS: usize = STATE + 7;

/// Writes a line for each context to the bytes: its name. The number of a context is its line. Returns the length in
/// bytes.
pub(crate) fn contexts(shared: &mut Shared) -> i32 {
    let mut lines = Lines { bytes: &mut shared.bytes, length: 0 };
    for context in Context::ALL {
        lines.line(format_args!("{context}"));
    }
    lines.length as i32
}

/// Finds out the encoding of the source in the context whose number is in the lowest byte of the request, with the
/// hints in the words of the state. The bytes begin with the value of a `Content-Type` header and with a language tag;
/// their lengths are the first two words for more, and 0 if they are not given. The flag `STREAM` says that more bytes
/// follow.
///
/// Returns the number of bytes written, 0 if the encoding depends on bytes that follow, or -1 for a context without an
/// encoding. The first line has the number of the encoding, the confidence, the rung as a word and as a phrase,
/// separated by tabs. Each other line is a rung of the ladder: a word for its outcome (`no`, `yes`, `unasked`) and its
/// name. The first two words for more are the offset and the length of the label in the source that was believed; the
/// length is 0 if there is none.
pub(crate) fn sniff(shared: &mut Shared) -> i32 {
    let Some(&context) = Context::ALL.get(shared.words[REQUEST] as usize & 0xFF) else { return -1 };
    let (length, is_last) = (shared.length(), !shared.has(STREAM));
    let text_lengths = [0, 1].map(|number| shared.words[MORE + number] as usize);
    let mut copy = [0; 256];
    let (content_type, locale) = texts(&shared.bytes, &mut copy, text_lengths);
    let mut hints = content_type.map_or(Hints::default(), Hints::from_content_type);
    let label = |word: usize| match shared.words[word] {
        NOT_GIVEN => None,
        number => Some(name(number).map_or(Label::Unknown, Label::Encoding)),
    };
    let encoding = |word: usize| label(word).and_then(Label::encoding);
    hints.override_charset = label(OVERRIDE);
    hints.transport = label(TRANSPORT).or(hints.transport);
    hints.charset_attribute = label(CHARSET_ATTRIBUTE);
    hints.environment = encoding(ENVIRONMENT);
    hints.container = encoding(CONTAINER);
    hints.history = encoding(HISTORY);
    hints.default = encoding(DEFAULT);
    hints.locale = locale;
    if shared.words[GUESS] != 0 {
        hints.heuristic = Some(&structure::guess);
    }
    let source = &shared.source[..length];
    let Some(sniffed) = Sniffer::new(context, hints).sniff(source, is_last) else {
        return if context.default() == Fallback::None { -1 } else { 0 };
    };
    let declared = declaration(source, sniffed.rung);
    let mut lines = Lines { bytes: &mut shared.bytes, length: 0 };
    let confidence = match sniffed.confidence {
        Confidence::Certain => "certain",
        Confidence::Tentative => "tentative",
        Confidence::Irrelevant => "irrelevant",
    };
    let (number, rung) = (sniffed.encoding as u32, sniffed.rung);
    lines.line(format_args!("{number}\t{confidence}\t{}\t{rung}", rung.as_str()));
    ladder(context, rung, &mut lines);
    let written = lines.length;
    shared.words[MORE] = declared.as_ref().map_or(0, |label| label.start as u32);
    shared.words[MORE + 1] = declared.as_ref().map_or(0, |label| label.len() as u32);
    shared.words[READ] = length as u32;
    shared.words[WRITTEN] = written as u32;
    written as i32
}

/// The value of a header and a language tag, which stand one after the other in `bytes`. They are copied, because the
/// result is written to the same bytes.
fn texts<'a>(
    bytes: &[u8],
    copy: &'a mut [u8; 256],
    [first, second]: [usize; 2],
) -> (Option<&'a [u8]>, Option<&'a str>) {
    if first + second > copy.len() {
        return (None, None);
    }
    copy[..first + second].copy_from_slice(&bytes[..first + second]);
    let (content_type, locale) = copy[..first + second].split_at(first);
    let locale = core::str::from_utf8(locale).ok().filter(|locale| !locale.is_empty());
    (Some(content_type).filter(|value| !value.is_empty()), locale)
}

/// The place of the label that `rung` has read.
fn declaration(source: &[u8], rung: Rung) -> Option<core::ops::Range<usize>> {
    let declaration = match rung {
        Rung::Meta => Declaration::in_html(source, PRESCAN_LENGTH),
        Rung::XmlDeclaration => Declaration::in_xml(source),
        Rung::AtCharset => Declaration::in_css(source),
        _ => None,
    };
    declaration.map(|declaration| declaration.label)
}

/// Writes a line for each rung of the ladder of `context`, in the order in which they are asked. `decided` is the rung
/// that named the encoding.
fn ladder(context: Context, decided: Rung, lines: &mut Lines<'_>) {
    let mut is_decided = false;
    let mut rung = |rungs: &[Rung], title: &dyn fmt::Display| {
        let outcome = match is_decided {
            true => "unasked",
            false if rungs.contains(&decided) => "yes",
            false => "no",
        };
        is_decided |= outcome == "yes";
        lines.line(format_args!("{outcome}\t{title}"));
    };
    for source in context.label_sources() {
        let rungs: &[Rung] = match source {
            Source::Bom => &[Rung::Bom],
            Source::User | Source::Override | Source::Argument => &[Rung::Override],
            Source::Transport => &[Rung::Transport],
            Source::HtmlPrescan => &[Rung::Meta, Rung::XmlDeclaration],
            Source::XmlDeclaration => &[Rung::XmlDeclaration, Rung::Autodetection],
            Source::AtCharset => &[Rung::AtCharset],
            Source::CharsetAttribute => &[Rung::CharsetAttribute],
            // These sources are those of another context. The rung that decided is in the first line.
            _ => slice::from_ref(&decided),
        };
        rung(rungs, source);
    }
    match context.default() {
        Fallback::Implementation | Fallback::OfMimeType => {
            rung(&[Rung::Container], &"container document");
            rung(&[Rung::History], &"earlier visit");
            rung(&[Rung::Heuristic], &"guess from the bytes");
            rung(&[Rung::Locale], &"locale");
        }
        Fallback::Environment => rung(&[Rung::Environment], &"referring document"),
        _ => {}
    }
    rung(&[Rung::Default, Rung::Fixed], &"default");
}

/// Lines of text at the front of `bytes`. Text without space is dropped.
struct Lines<'a> {
    bytes: &'a mut [u8],
    length: usize,
}

impl Lines<'_> {
    /// Writes a line. All lines but the first have a line feed before them.
    fn line(&mut self, text: fmt::Arguments<'_>) {
        if self.length > 0 {
            let _ = self.write_char('\n');
        }
        let _ = self.write_fmt(text);
    }
}

impl Write for Lines<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let destination =
            self.bytes.get_mut(self.length..).and_then(|rest| rest.get_mut(..text.len())).ok_or(fmt::Error)?;
        destination.copy_from_slice(text.as_bytes());
        self.length += text.len();
        Ok(())
    }
}

/// The contexts have numbers of one byte.
const _: () = assert!(Context::ALL.len() < 0x100 && Name::ALL.len() < NOT_GIVEN as usize);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::STATE;

    #[test]
    fn each_hint_alone_decides_in_a_context_that_asks_for_it() {
        for (word, context, rung) in [
            (OVERRIDE, Context::XhrText, "override"),
            (TRANSPORT, Context::HtmlParser, "transport"),
            (CHARSET_ATTRIBUTE, Context::ClassicScript, "charset-attribute"),
            (ENVIRONMENT, Context::CssFromDocument, "environment"),
            (CONTAINER, Context::HtmlParser, "container"),
            (HISTORY, Context::HtmlParser, "history"),
            (DEFAULT, Context::HtmlParser, "default"),
        ] {
            let mut shared = Box::new(Shared::NEW);
            shared.words[REQUEST] = Context::ALL.iter().position(|other| *other == context).unwrap() as u32;
            shared.words[STATE..=DEFAULT].fill(NOT_GIVEN);
            shared.words[word] = Name::Koi8R as u32;
            (shared.source[0], shared.words[READ]) = (b'a', 1);
            let length = sniff(&mut shared) as usize;
            let text = core::str::from_utf8(&shared.bytes[..length]).unwrap();
            let first: Vec<&str> = text.lines().next().unwrap().split('\t').collect();
            assert_eq!((first[0], first[2]), (&*(Name::Koi8R as u32).to_string(), rung));
        }
    }
}
