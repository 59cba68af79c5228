//! Every type of error: what it says, and what is its source.

use std::error::Error;

use textcodec::{
    Encoding, Malformed, NoEncoder, SHIFT_JIS, StateError, UTF_8, WINDOWS_1252,
    api::{RangeError, TextDecoder, TextDecoderOptions, TextDecoderState, TypeError, WritableError},
    hooks::Failure,
    io::StreamError,
    sniff::{Context, ContextError},
};

/// What an error says, and what its source says.
fn said(error: &dyn Error) -> (String, Option<String>) {
    (error.to_string(), error.source().map(ToString::to_string))
}

#[test]
fn every_error_says_what_is_wrong_and_has_the_source_that_it_passes_on() {
    let malformed = UTF_8.decode_or_fail(b"a\xFF").unwrap_err();
    let not_utf_8 = "malformed bytes FF at offset 1";
    let unmappable = WINDOWS_1252.encode_or_fail("ab☃").unwrap_err();
    let label = Encoding::for_label("nothing").unwrap_err();
    let state: StateError = TextDecoder::default().resume(TextDecoderState::from([u64::MAX; 4])).unwrap_err();
    let context = ContextError::Malformed { context: Context::HtmlParser, encoding: SHIFT_JIS, malformed };
    let replacement = TextDecoder::new("iso-2022-kr", TextDecoderOptions::default()).unwrap_err();
    type Row = (&'static str, Box<dyn Error>, &'static str, Option<&'static str>);
    let errors: Vec<Row> = vec![
        ("Malformed", Box::new(malformed), not_utf_8, None),
        ("Unmappable", Box::new(unmappable), "U+2603 cannot be encoded, at offset 2", None),
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
        ("TypeError", Box::new(TypeError(malformed)), not_utf_8, Some(not_utf_8)),
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
        ("StreamError of text", Box::new(StreamError::<Failure>::Malformed(malformed)), not_utf_8, None),
        ("StreamError of the stream", Box::new(StreamError::Stream(TypeError(malformed))), not_utf_8, Some(not_utf_8)),
        (
            "WritableError of the transform",
            Box::new(WritableError::<TypeError, Failure>::Transform(TypeError(malformed))),
            not_utf_8,
            Some(not_utf_8),
        ),
        (
            "WritableError of the sink",
            Box::new(WritableError::<Malformed, TypeError>::Sink(TypeError(malformed))),
            not_utf_8,
            Some(not_utf_8),
        ),
    ];
    for (name, error, sentence, source) in errors {
        assert_eq!(said(&*error), (sentence.to_owned(), source.map(str::to_owned)), "{name}");
    }
}
