//! Every type of error: what it says, and what is its source.

use std::{error::Error, io};

use textcodec::{
    Bom, Encoding, Malformed, Name, NoEncoder, SHIFT_JIS, StateError, UTF_8, WINDOWS_1252,
    api::{RangeError, TextDecoder, TextDecoderOptions, TextDecoderState, TypeError, WritableError},
    hooks::Failure,
    io::{StreamError, malformed, unmappable},
    sniff::{Confidence, Context, ContextError, Rung},
};

/// What an error says, and what its source says.
fn said(error: &dyn Error) -> (String, Option<String>) {
    (error.to_string(), error.source().map(ToString::to_string))
}

#[test]
fn every_error_says_what_is_wrong_and_has_the_source_that_it_passes_on() {
    let bytes = UTF_8.decode_or_fail(b"a\xFF").unwrap_err();
    let not_utf_8 = "malformed bytes FF at offset 1";
    let character = WINDOWS_1252.encode_or_fail("ab☃").unwrap_err();
    let label = Encoding::for_label("nothing").unwrap_err();
    let state: StateError = TextDecoder::default().resume(TextDecoderState::from([u64::MAX; 4])).unwrap_err();
    let context = ContextError::Malformed { context: Context::HtmlParser, encoding: SHIFT_JIS, malformed: bytes };
    let replacement = TextDecoder::new("iso-2022-kr", TextDecoderOptions::default()).unwrap_err();
    type Row = (&'static str, Box<dyn Error>, &'static str, Option<&'static str>);
    let errors: Vec<Row> = vec![
        ("Malformed", Box::new(bytes), not_utf_8, None),
        ("Unmappable", Box::new(character), "U+2603 cannot be encoded, at offset 2", None),
        ("LabelError", Box::new(label), "unknown encoding label", None),
        ("StateError", Box::new(state), "no stream in this encoding can have this state", None),
        (
            "NoEncoder",
            Box::new(NoEncoder(textcodec::Name::Replacement)),
            "the encoding replacement has no encoder; its output encoding is UTF-8",
            None,
        ),
        (
            "RangeError of a label",
            Box::new(RangeError::Label(label)),
            "unknown encoding label",
            Some("unknown encoding label"),
        ),
        ("RangeError of replacement", Box::new(replacement), "the label names the replacement encoding", None),
        ("TypeError", Box::new(TypeError(bytes)), not_utf_8, Some(not_utf_8)),
        ("Failure", Box::new(Failure), "malformed UTF-8", None),
        (
            "ContextError of bytes",
            Box::new(context),
            "HTML parser: not Shift_JIS: malformed bytes FF at offset 1",
            Some(not_utf_8),
        ),
        (
            "ContextError of a label",
            Box::new(ContextError::from(label)),
            "unknown encoding label",
            Some("unknown encoding label"),
        ),
        (
            "ContextError without decoding",
            Box::new(ContextError::NoDecoding(Context::Url)),
            "URL parser: this context encodes and cannot decode",
            None,
        ),
        (
            "ContextError without encoding",
            Box::new(ContextError::NoEncoding(Context::HtmlParser)),
            "HTML parser: this context decodes and cannot encode",
            None,
        ),
        ("StreamError of text", Box::new(StreamError::<Failure>::Malformed(bytes)), not_utf_8, None),
        ("StreamError of the stream", Box::new(StreamError::Stream(TypeError(bytes))), not_utf_8, Some(not_utf_8)),
        (
            "WritableError of the transform",
            Box::new(WritableError::<TypeError, Failure>::Transform(TypeError(bytes))),
            not_utf_8,
            Some(not_utf_8),
        ),
        (
            "WritableError of the sink",
            Box::new(WritableError::<Malformed, TypeError>::Sink(TypeError(bytes))),
            not_utf_8,
            Some(not_utf_8),
        ),
    ];
    for (name, error, sentence, source) in errors {
        assert_eq!(said(&*error), (sentence.to_owned(), source.map(str::to_owned)), "{name}");
    }
}

#[test]
fn the_error_of_a_text_is_found_in_errors_of_io_however_deep_it_is() {
    let inner = UTF_8.decode_or_fail(b"a\xFF").unwrap_err();
    let other = WINDOWS_1252.encode_or_fail("ab☃").unwrap_err();
    for depth in 0..4 {
        let nested = |error: io::Error| (0..depth).fold(error, |error, _| io::Error::other(error));
        let error = nested(io::Error::new(io::ErrorKind::InvalidData, inner));
        assert_eq!((malformed(&error), unmappable(&error)), (Some(inner), None), "{depth}");
        let error = nested(io::Error::other(other));
        assert_eq!((malformed(&error), unmappable(&error)), (None, Some(other)), "{depth}");
        // An error of another crate can have the error as its source.
        let error = nested(io::Error::other(TypeError(inner)));
        assert_eq!((malformed(&error), unmappable(&error)), (Some(inner), None), "{depth}");
        let error = nested(io::Error::other(StreamError::Stream(io::Error::other(TypeError(inner)))));
        assert_eq!((malformed(&error), unmappable(&error)), (Some(inner), None), "{depth}");
        let error = nested(io::ErrorKind::NotFound.into());
        assert_eq!((malformed(&error), unmappable(&error)), (None, None), "{depth}");
        let error = nested(io::Error::other("no error of a text"));
        assert_eq!((malformed(&error), unmappable(&error)), (None, None), "{depth}");
    }
}

/// Names and words fill a column of a table.
#[test]
fn names_and_words_are_padded_and_cut_as_strings_are() {
    fn check(shown: &dyn std::fmt::Display) {
        let text = shown.to_string();
        assert_eq!(
            format!("{shown:>70}|{shown:<70}|{shown:*^70}|{shown:.2}"),
            format!("{text:>70}|{text:<70}|{text:*^70}|{text:.2}")
        );
    }
    Encoding::all().for_each(|encoding| check(&encoding));
    Name::ALL.iter().for_each(|name| check(name));
    Bom::ALL.iter().for_each(|bom| check(bom));
    Rung::ALL.iter().for_each(|rung| check(rung));
    for confidence in [Confidence::Certain, Confidence::Tentative, Confidence::Irrelevant] {
        check(&confidence);
    }
    for context in Context::ALL {
        check(context);
        check(&context.operation());
        check(&context.error_mode());
        check(&context.default());
        context.label_sources().iter().for_each(|source| check(source));
    }
    #[cfg(feature = "charsets")]
    textcodec::charsets::Charset::all().for_each(|charset| check(&charset));
}
