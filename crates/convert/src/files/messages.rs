//! The sentence of every error, reason and clause, with the source that an error passes on, pinned in
//! `tests/messages.tsv`. `TEXTCODEC_PINNED=write cargo test -p textcodec-convert messages` writes the file after an
//! intended change.

use alloc::{
    borrow::ToOwned,
    boxed::Box,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::{error::Error, fmt};
use std::io;

use super::{FileError, JobError, Skipped, Stopped, names::Obstacle};
use crate::{
    charset::{Charset, Malformed, UnknownLabel},
    check::{Rule, Severity},
    converter::{Replacement, TextError, What},
    damage::{Damage, Damaged},
    declarations::{Distrust, Distrusted, Form, contradictions},
    guess::{Doubt, NoGuess, Objection, Probability, Reason},
    kind::Kind,
    position::Position,
    repair::{CannotRepair, Certainty, Step},
    source::Refusal,
    stored::NotStored,
    visible,
};

/// Sentences by the names of their types.
#[derive(Default)]
struct Table(String);

impl Table {
    fn add(&mut self, name: &str, message: impl fmt::Display) {
        self.0 += &format!("{name}\t{}\n", visible::escape_controls(&message.to_string()));
    }

    /// An error, and what its source says.
    fn add_error(&mut self, name: &str, error: &dyn Error) {
        let source = error.source().map(|source| format!("\tbecause: {source}")).unwrap_or_default();
        self.0 += &format!("{name}\t{error}{source}\n");
    }
}

fn charset(label: &str) -> Charset {
    Charset::for_label(label).unwrap()
}

fn text_errors() -> Vec<(&'static str, TextError)> {
    let position = Position::default().after("one line\nand a half");
    let (latin1, sjis) = (charset("latin1"), charset("shift_jis"));
    let malformed = |charset: Charset, by_mark: bool| TextError::Malformed {
        charset,
        by_mark,
        offset: 18,
        bytes: vec![0x81, 0xFF],
        position,
    };
    let objection = |fitting, language, percent| Objection { chosen: latin1, fitting, language, percent };
    vec![
        ("Malformed", malformed(sjis, false)),
        ("Malformed by a mark", malformed(Charset::UTF_8, true)),
        ("Malformed replacement", malformed(charset("replacement"), false)),
        ("Unmappable", TextError::Unmappable { charset: latin1, character: '☃', code_point: '☃', position }),
        (
            "Unmappable and invisible",
            TextError::Unmappable { charset: latin1, character: '\u{200B}', code_point: '?', position },
        ),
        (
            "Irreplaceable",
            TextError::Irreplaceable { charset: latin1, character: '☃', replacement: "&#9731;".to_owned(), position },
        ),
        ("Damaged", TextError::Damaged(damaged(2))),
        ("Fallback", TextError::Fallback(objection(Some(sjis), Some("ja"), 97))),
        ("Fallback without a language", TextError::Fallback(objection(Some(sjis), None, 95))),
        ("Fallback that is odd", TextError::Fallback(objection(None, None, 0))),
        ("Binary", TextError::Binary { position }),
        ("NotText", TextError::NotText),
        ("CutOffRecord of one byte", TextError::CutOffRecord { length: 80, bytes: 1 }),
        ("CutOffRecord", TextError::CutOffRecord { length: 80, bytes: 2 }),
        ("LongLine", TextError::LongLine { length: 80, line: 7 }),
    ]
}

fn damaged(malformed: u64) -> Damaged {
    let position = Position::default().after("Grö\nßen ");
    Damaged { damage: Damage::Utf8, malformed, offset: 11, position }
}

fn add_text_errors(table: &mut Table) {
    for (name, error) in text_errors() {
        table.add_error(&format!("TextError::{name}"), &error);
        table.add_error(&format!("JobError::Text({name})"), &JobError::Text(error.clone()));
        let stopped = Stopped::from(error);
        let kind = match &stopped {
            Stopped::Input(_) => "Input",
            Stopped::Binary(_) => "Binary",
            Stopped::Text(_) => "Text",
            Stopped::Output(_) => "Output",
        };
        table.add_error(&format!("Stopped::{kind}({name})"), &stopped);
    }
    for malformed in [1, 2] {
        table.add_error("Damaged", &damaged(malformed));
        table.add("Damaged::summary", damaged(malformed).summary());
    }
    for is_utf_16_first in [false, true] {
        let mixed = Damage::Mixed { offset: 40, is_utf_16_first };
        let damaged = Damaged { damage: mixed, malformed: 3, offset: 40, position: Position::default() };
        table.add_error(&format!("Damaged, {is_utf_16_first}"), &damaged);
        table.add("Refusal::Damaged", Refusal::Damaged(damaged));
    }
    table.add(
        "Refusal::Fallback",
        Refusal::Fallback(Objection { chosen: charset("gbk"), fitting: None, language: None, percent: 0 }),
    );
}

fn add_job_errors(table: &mut Table) {
    let read = || io::Error::other("the disk is gone");
    let contradiction = |kind: Kind, text: &str| contradictions(kind, text, charset("koi8-r")).remove(0);
    let meta = || contradiction(Kind::Html, "<meta charset=big5>");
    let xml = || contradiction(Kind::Xml, "<?xml version='1.0' encoding='big5'?>");
    let reason = Reason::OnlyPossible { probability: 0.5 };
    let to = charset("koi8-r");
    let error = || Box::new(text_errors().remove(0).1);
    for (name, error) in [
        ("Read", JobError::Read(read())),
        ("Guess", JobError::Guess { error: error(), reason }),
        ("Damaged", JobError::Damaged(damaged(1))),
        ("UnknownEncoding", JobError::UnknownEncoding { is_ascii: false }),
        ("UnknownEncoding of ASCII", JobError::UnknownEncoding { is_ascii: true }),
        (
            "Distrusted",
            JobError::Distrusted(Distrusted { form: Form::Xml, label: "x".to_owned(), reason: Distrust::Utf8 }),
        ),
        ("Declaration", JobError::Declaration { contradiction: meta(), to }),
        ("Undeclarable meta", JobError::Undeclarable { contradiction: meta(), to }),
        ("Undeclarable XML", JobError::Undeclarable { contradiction: xml(), to }),
    ] {
        table.add_error(&format!("JobError::{name}"), &error);
        table.add_error(&format!("Stopped::Input({name})"), &Stopped::Input(error));
    }
    table.add_error("Stopped::Output", &Stopped::Output(read()));
    let name = || "a/b".to_owned();
    for error in [
        FileError::Read { name: name(), error: read() },
        FileError::Directory(name()),
        FileError::NotRegular(name()),
        FileError::Disappeared(name()),
        FileError::Written { name: name(), stream: "standard error" },
        FileError::IsOutput(name()),
        FileError::Search { name: name(), reason: "it is broken".to_owned() },
        FileError::Pattern("a pattern is wrong".to_owned()),
    ] {
        table.add_error("FileError", &error);
    }
    let skipped =
        [Skipped::Hidden, Skipped::SymbolicLink, Skipped::Special, Skipped::Backup, Skipped::Written, Skipped::Binary];
    for skipped in skipped {
        table.add(&format!("Skipped::{skipped:?}"), format!("1 {}, 2 {}", skipped.describe(1), skipped.describe(2)));
    }
}

fn add_reasons(table: &mut Table) {
    let (koi8, sjis) = (charset("koi8-r"), charset("shift_jis"));
    let doubts = [Doubt::Rival(koi8), Doubt::Signs(sjis), Doubt::Odd, Doubt::Foreign, Doubt::Language, Doubt::Mixed];
    for doubt in doubts {
        table.add(&format!("Doubt::{doubt:?}"), doubt);
        let reason = Reason::Statistics { language: Some("ru"), probability: Some(0.25), doubt: Some(doubt) };
        table.add("Reason::Statistics", reason);
    }
    for (language, probability) in [(Some("zh-Hant"), Some(0.999)), (None, Some(1.0)), (Some("xx"), None), (None, None)]
    {
        table.add("Reason::Statistics", Reason::Statistics { language, probability, doubt: None });
        table.add("Probability", Probability(probability));
    }
    table.add("Reason::OnlyPossible", Reason::OnlyPossible { probability: 0.75 });
    table.add("Reason::FewestControls", Reason::FewestControls);
    for error in [NoGuess::Errors, NoGuess::Binary, NoGuess::Unknown, NoGuess::NoCharset("UTF-32BE")] {
        table.add_error("NoGuess", &error);
    }
    let forms = [
        Form::Meta,
        Form::Xml,
        Form::AtCharset,
        Form::CodingComment,
        Form::Modeline,
        Form::GettextHeader,
        Form::Inputenc,
        Form::CodePage,
        Form::UseEncoding,
        Form::MailHeader,
        Form::TexComment,
        Form::Properties,
    ];
    for form in forms {
        table
            .add_error(&format!("Form::{form:?}"), &Distrusted { form, label: "x".to_owned(), reason: Distrust::Utf8 });
    }
    for reason in [
        Distrust::Name(UnknownLabel::Ambiguous(vec!["a".to_owned(), "b".to_owned()])),
        Distrust::Otherwise(koi8),
        Distrust::Backslash(sjis),
        Distrust::Utf8,
        Distrust::Utf7,
        Distrust::Parts,
        Distrust::Mailbox,
        Distrust::TransferEncoding,
    ] {
        table.add("Distrust", &reason);
    }
    for label in [
        UnknownLabel::OtherName("gbk"),
        UnknownLabel::Foreign("the encoding of a test"),
        UnknownLabel::Ambiguous(vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]),
        UnknownLabel::Unknown(vec![]),
        UnknownLabel::Unknown(vec!["a"]),
        UnknownLabel::Unknown(vec!["a", "b"]),
        UnknownLabel::Unknown(vec!["a", "b", "c"]),
    ] {
        table.add_error("UnknownLabel", &label);
    }
}

fn add_others(table: &mut Table) {
    let (koi8, sjis) = (charset("koi8-r"), charset("shift_jis"));
    for error in [
        NotStored::Text(text_errors().remove(0).1),
        NotStored::Utf8(koi8),
        NotStored::Differs { charset: sjis, offset: 3 },
    ] {
        table.add_error("NotStored", &error);
    }
    table.add_error("CannotRepair", &CannotRepair { charset: Charset::UTF_8 });
    for step in [Step::Decoding { was: koi8, read_as: sjis }, Step::Part { was: koi8, read_as: sjis }, Step::Controls] {
        table.add("Step", step);
    }
    for certainty in [Certainty::Ambiguous, Certainty::Likely, Certainty::Certain] {
        table.add("Certainty", certainty);
    }
    for obstacle in [Obstacle::Malformed(koi8), Obstacle::Unmappable(sjis), Obstacle::NoName, Obstacle::TooLong] {
        table.add("Obstacle", obstacle);
    }
    for rule in Rule::ALL {
        table.add(rule.name(), format!("{}: {}", rule.severity().name(), rule.description()));
    }
    for severity in [Severity::Note, Severity::Warning, Severity::Error] {
        table.add("Severity", severity.name());
    }
    let position = Position::default().after("one\ntwo");
    table.add("Position", position);
    table.add("Position::for_editors", position.for_editors());
    let malformed = Malformed { offset: 3, bytes: vec![0xE9, 0x81], ..malformed() };
    for text in ["", "?", "a long replacement with \u{1B}"] {
        for what in [What::Malformed(&malformed, koi8), What::Unmappable('☃', sjis), What::Unmappable('\u{7F}', sjis)]
        {
            table.add("Replacement", Replacement { what, text, position });
        }
    }
}

/// A malformed sequence of a decoder.
fn malformed() -> Malformed {
    let mut text = String::with_capacity(16);
    match Charset::UTF_8.new_decoder(false).decode(b"\xFF", &mut text, true).status {
        crate::charset::Status::Malformed(malformed) => malformed,
        status => panic!("{status:?}"),
    }
}

#[test]
fn the_sentences_of_all_errors_reasons_and_clauses_are_the_pinned_ones() {
    let mut table = Table::default();
    add_text_errors(&mut table);
    add_job_errors(&mut table);
    add_reasons(&mut table);
    add_others(&mut table);
    crate::pinned::compare("messages.tsv", &table.0);
}
