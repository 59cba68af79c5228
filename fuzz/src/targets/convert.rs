//! The library under the program panics for no bytes and no options, and its conversions, checks, guesses and charsets
//! that are decided while a stream is read do not depend on how the bytes are cut into pieces.

use core::ops::ControlFlow;
use std::num::NonZeroUsize;

use textcodec_convert::{
    BomAction, Charset, Checker, Converter, Errors, Fallback, Kind, Levels, Options, Plan, Repair, Rule, Source,
    SourceEncoding, check, decode_cesu_8, decode_mixed, fix,
    guess::{Guesser, Hints},
    text::{Newlines, Normalization},
};

use crate::{Input, Random};

/// Checks what holds for an input.
///
/// # Panics
/// If it does not hold.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let (kind, known, mut random) = (input.byte(), input.byte(), input.random());
    let (from, to) = (charset(&mut input), charset(&mut input));
    match kind % 6 {
        0 | 1 => {
            let options = options(&mut input, to);
            let source = |known: u8| match known & 7 {
                0 => Source::undecided(Some(Fallback { charset: from, is_trusted: known & 16 != 0 }), None),
                1 => Source::undecided(None, Some(Hints::new())),
                _ => Source::from(from.new_decoder(known & 8 != 0)),
            };
            convert(options, || source(known), &mut random, input.rest());
        }
        2 => checks(from, to, known, &mut random, input.rest()),
        3 => repairs(from, to, known, input.text()),
        4 => guesses(from, to, known, &mut random, input.rest()),
        _ => {
            let bytes = input.rest();
            if let Some(text) = decode_mixed(bytes, &[Charset::UTF_8, from, to]) {
                assert_eq!(text.matches('\n').count() > 0, text.contains('\n'));
            }
            if let (Some(text), Ok(same)) = (decode_cesu_8(bytes), std::str::from_utf8(bytes)) {
                assert_eq!(text, same);
            }
            let _ = Charset::for_label(&String::from_utf8_lossy(bytes));
        }
    }
}

/// An encoding of the Standard or another charset.
fn charset(input: &mut Input<'_>) -> Charset {
    match input.byte() {
        choice @ 0..=127 => Charset::from(Input::new(&[choice]).encoding()),
        choice => Charset::from(Input::new(&[choice, input.byte()]).charset()),
    }
}

fn options(input: &mut Input<'_>, to: Charset) -> Options {
    let mut options = Options::to(if to.is_writable() { to } else { Charset::UTF_8 });
    let (errors, form, more) = (input.byte(), input.byte(), input.byte());
    let of = |choice: u8| {
        [Errors::Fatal, Errors::Replacement, Errors::Html, Errors::Ignore, Errors::Escape][usize::from(choice) % 5]
    };
    (options.malformed, options.unmappable) = (of(errors), of(errors / 5));
    options.bom = [BomAction::Add, BomAction::Keep, BomAction::Strip][usize::from(form % 3)];
    options.newlines = [Newlines::Keep, Newlines::Lf, Newlines::Crlf, Newlines::Nel][usize::from(form >> 2 & 3)];
    options.normalization =
        [Normalization::Keep, Normalization::Nfc, Normalization::Nfd, Normalization::Keep][usize::from(form >> 4 & 3)];
    (options.transliterate, options.twins) = (form & 64 != 0, form & 128 != 0);
    if more & 1 != 0 {
        options.record_length = NonZeroUsize::new(usize::from(more / 2));
    }
    options
}

/// Converts in one piece and in pieces. The text before an error is written.
fn convert(options: Options, source: impl Fn() -> Source, random: &mut Random, bytes: &[u8]) {
    let convert = |random: Option<&mut Random>| {
        let mut converter = Converter::new(options.clone(), Vec::new());
        let mut stream = converter.start(Plan::new(source()));
        let mut rest = bytes;
        let mut result = Ok(());
        match random {
            None => result = converter.push(&mut stream, rest, true),
            Some(random) => {
                while result.is_ok() && !rest.is_empty() {
                    let piece = random.piece(&mut rest);
                    result = converter.push(&mut stream, piece, false);
                }
                result = result.and_then(|()| converter.push(&mut stream, &[], true));
            }
        }
        let result = format!("{result:?}");
        let (bytes, replaced) = converter.finish().expect("a vector takes all bytes");
        (bytes, replaced.unmappable(), result)
    };
    assert_eq!(convert(None), convert(Some(random)), "{options:?}");
}

fn checks(from: Charset, to: Charset, known: u8, random: &mut Random, bytes: &[u8]) {
    let to = Some(to).filter(|to| known & 1 != 0 && to.is_writable());
    let kind = (known & 2 != 0).then_some(Kind::Html);
    let _ = check(bytes, if known & 4 == 0 { SourceEncoding::Auto } else { SourceEncoding::Label(from) }, kind, to);
    let run = |random: Option<&mut Random>| {
        let mut checker = Checker::new(from).examined();
        if let Some(to) = to {
            checker = checker.with_target(to);
        }
        let mut problems = Vec::new();
        let mut each = |problem: textcodec_convert::Problem| {
            problems.push(format!("{:?} {:?} {problem}", problem.rule, problem.position));
            ControlFlow::Continue(())
        };
        let mut rest = bytes;
        if let Some(random) = random {
            while !rest.is_empty() {
                let _ = checker.push(random.piece(&mut rest), false, &mut each);
            }
        }
        let _ = checker.push(rest, true, &mut each);
        problems
    };
    assert_eq!(run(None), run(Some(random)), "{from} {to:?}");
    if let Ok(text) = std::str::from_utf8(bytes) {
        let mut levels = Levels::default();
        levels.deny(&Rule::ALL);
        let _ = fix(text, &levels);
    }
}

fn repairs(from: Charset, to: Charset, known: u8, text: &str) {
    let repair = match known & 3 {
        0 => Repair::default(),
        1 => match Repair::new([from, to]) {
            Ok(repair) => repair,
            Err(_) => return,
        },
        2 => match Repair::of_pair(from, to) {
            Ok(repair) => repair,
            Err(_) => return,
        },
        _ => {
            let _ =
                Repair::search(text, (known & 4 != 0).then_some(from), (known & 8 != 0).then_some(to), &Hints::new());
            return;
        }
    };
    let repaired = repair.repair(text, known & 16 != 0);
    assert_eq!(repaired.text.matches('\n').count(), text.matches('\n').count(), "{text:?} became {:?}", repaired.text);
    for line in text.lines() {
        let _ = (repair.explain(line), repair.judge(line), repair.repair_ambiguous(line));
    }
}

fn guesses(from: Charset, to: Charset, known: u8, random: &mut Random, bytes: &[u8]) {
    let mut hints = Hints::new();
    if known & 1 != 0 {
        hints.among = vec![Charset::UTF_8, from, to];
    }
    if known & 2 != 0 {
        hints.languages.push(["ru", "ja", "el"][usize::from(known) / 4 % 3].into());
    }
    let guess = |random: Option<&mut Random>| {
        let mut guesser = Guesser::new(&hints);
        let mut rest = bytes;
        if let Some(random) = random {
            while !rest.is_empty() {
                guesser.feed(random.piece(&mut rest), false);
            }
        }
        guesser.feed(rest, true);
        guesser.guess()
    };
    assert_eq!(guess(None), guess(Some(random)));
}
