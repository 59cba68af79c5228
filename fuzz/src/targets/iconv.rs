//! Each call of the C function `iconv` reads, writes and returns what glibc's function does, for every size of the
//! output and every cut of the input, unless the table of differences lists the charset.

use std::sync::LazyLock;

use textcodec::charsets::{Charset, Names};
use textcodec_capi_iconv::{iconv, iconv_close, iconv_open};

use crate::{Iconv, Input, is_different};

static GLIBC: LazyLock<Option<Iconv>> = LazyLock::new(Iconv::of_glibc);

/// This library.
const OURS: Iconv = Iconv { open: iconv_open, convert: iconv, close: iconv_close };

/// The charsets that both libraries have, with glibc's names.
static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let has_both = |name: &&str| {
        OURS.open("UTF-8", name).is_some() && GLIBC.is_none_or(|glibc| glibc.open("UTF-8", name).is_some())
    };
    let names = Charset::all().filter_map(|charset| charset.names(Names::Glibc).next());
    names.map(|name| name.trim_end_matches('/')).filter(has_both).collect()
});

/// Checks what holds for an input.
///
/// # Panics
/// If it does not hold.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let (kind, place, mut random) = (input.byte(), usize::from(input.short()), input.random());
    let name = NAMES[place % NAMES.len()];
    let suffix = ["", "", "//TRANSLIT", "//IGNORE"][usize::from(kind >> 1 & 3)];
    let (from, to, way) = match kind & 1 {
        0 => (name, format!("{}{suffix}", ["UTF-8", "UTF-16LE"][usize::from(kind >> 3 & 1)]), "decoding"),
        _ => ("UTF-8", format!("{name}{suffix}"), "encoding"),
    };
    let mut ours = OURS.open(from, &to).expect("both libraries have the charset");
    let mut theirs = GLIBC.filter(|_| !is_different(name, suffix, way)).and_then(|glibc| glibc.open(from, &to));
    let mut rest = input.rest();
    let mut has_ended = false;
    for _ in 0..60 {
        let greatest = if random.below(3) == 0 { 12 } else { 121 };
        let space = random.below(greatest);
        let piece = if has_ended { None } else { Some(&rest[..rest.len() - random.below(rest.len().min(3) + 1)]) };
        let own = ours.call(piece, space);
        if let Some(theirs) = &mut theirs {
            let expected = theirs.call(piece, space);
            let source = piece.unwrap_or_default();
            if own != expected && from == "UTF-8" && (has_one_way(name, source) || has_above_unicode(source)) {
                return;
            }
            assert_eq!(own, expected, "{from} to {to}: {piece:02X?} into {space} bytes");
        }
        let Some(piece) = piece else { return };
        rest = &rest[own.read..];
        // After an error, the program skips a byte.
        if own.result == Err(84) || own.result == Err(22) && own.read == 0 && piece.len() == rest.len() {
            rest = rest.get(1..).unwrap_or_default();
        }
        has_ended = rest.is_empty();
    }
}

/// Whether `source` has a sequence of a number above 10FFFF, of up to six bytes. To this library it is malformed. To
/// glibc it is a character that cannot be encoded, for which the output can lack space, or in UTF-8 that can.
fn has_above_unicode(source: &[u8]) -> bool {
    source.windows(2).any(|pair| matches!(pair, [0xF4, 0x90..=0xBF] | [0xF5..=0xFD, 0x80..=0xBF]))
}

/// Whether a character of `text` is one that glibc encodes to bytes that it decodes to another character. This library
/// does not have such mappings.
fn has_one_way(name: &str, text: &[u8]) -> bool {
    let convert = |from: &str, to: &str, source: &[u8]| {
        let mut opened = GLIBC.and_then(|glibc| glibc.open(from, to))?;
        let mut call = opened.call(Some(source), 64);
        call.bytes.extend(opened.call(None, 64).bytes);
        call.result.is_ok().then_some(call.bytes)
    };
    String::from_utf8_lossy(text).chars().any(|character| {
        let mut buffer = [0; 4];
        let character = character.encode_utf8(&mut buffer).as_bytes();
        let encoded = convert("UTF-8", name, character);
        encoded.is_some_and(|bytes| convert(name, "UTF-8", &bytes).is_none_or(|decoded| decoded != character))
    })
}
