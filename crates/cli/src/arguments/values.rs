//! Values of options, with the sentences that the help has about them. Each becomes a value of the library.

use clap::ValueEnum;
use textcodec_convert as library;

/// The treatment of malformed input and unmappable characters.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Errors {
    /// Stop, say where the error is, and exit with 1
    Fatal,
    /// Write U+FFFD (�) for malformed input, and a question mark for each character that the output encoding cannot
    /// encode, also for U+FFFD; or the text of --replacement
    Replacement,
    /// Write U+FFFD (�) for malformed input, and a character reference such as &#9731; for each character that the
    /// output encoding cannot encode, also for U+FFFD
    Html,
    /// Leave out malformed input and characters that the output encoding cannot encode
    Ignore,
    /// Write \xE9 for a malformed byte, and \u{2603} for a character that the output encoding cannot encode
    Escape,
}

impl From<Errors> for library::Errors {
    fn from(errors: Errors) -> Self {
        match errors {
            Errors::Fatal => library::Errors::Fatal,
            Errors::Replacement => library::Errors::Replacement,
            Errors::Html => library::Errors::Html,
            Errors::Ignore => library::Errors::Ignore,
            Errors::Escape => library::Errors::Escape,
        }
    }
}

/// The byte order mark of the output.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum BomAction {
    /// Write a byte order mark
    Add,
    /// Write a byte order mark if the first file has one and the output encoding has one
    Keep,
    /// Write no byte order mark
    Strip,
}

impl From<BomAction> for library::BomAction {
    fn from(action: BomAction) -> Self {
        match action {
            BomAction::Add => library::BomAction::Add,
            BomAction::Keep => library::BomAction::Keep,
            BomAction::Strip => library::BomAction::Strip,
        }
    }
}

/// The ends of lines in the output.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Newlines {
    /// Line feed, as on Linux and macOS
    Lf,
    /// Carriage return and line feed, as on Windows
    Crlf,
    /// U+0085, as in EBCDIC
    Nel,
    /// As they are in the input
    Keep,
}

impl From<Newlines> for library::text::Newlines {
    fn from(newlines: Newlines) -> Self {
        match newlines {
            Newlines::Lf => library::text::Newlines::Lf,
            Newlines::Crlf => library::text::Newlines::Crlf,
            Newlines::Nel => library::text::Newlines::Nel,
            Newlines::Keep => library::text::Newlines::Keep,
        }
    }
}

/// The form of characters that can be written in several ways.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Normalization {
    /// A letter and its marks as one character where there is one (NFC), as nearly all text is written
    Nfc,
    /// A letter and its marks apart (NFD), as in file names of macOS
    Nfd,
    /// As they are in the input
    Keep,
}

impl From<Normalization> for library::text::Normalization {
    fn from(normalization: Normalization) -> Self {
        match normalization {
            Normalization::Nfc => library::text::Normalization::Nfc,
            Normalization::Nfd => library::text::Normalization::Nfd,
            Normalization::Keep => library::text::Normalization::Keep,
        }
    }
}

/// The treatment of declarations that contradict the output.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Declarations {
    /// Write the name of the output encoding in the place of the declared label, and change nothing else
    Update,
    /// Leave every declaration as it is, also if readers that believe it will misread the file
    Keep,
}

impl From<Declarations> for library::files::Declarations {
    fn from(declarations: Declarations) -> Self {
        match declarations {
            Declarations::Update => library::files::Declarations::Update,
            Declarations::Keep => library::files::Declarations::Keep,
        }
    }
}

/// The kind of a file, which decides how the file can declare its encoding.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Kind {
    /// A web page; meta elements can declare its encoding
    Html,
    /// XML, SVG or XHTML; an XML declaration can declare its encoding
    Xml,
    /// A style sheet; @charset can declare its encoding
    Css,
    /// Plain text and source code; a comment such as # coding: latin-1 can declare its encoding
    Text,
    /// A .properties file of Java, which is in ISO-8859-1 if it is not in UTF-8
    Properties,
}

impl From<Kind> for library::Kind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Html => library::Kind::Html,
            Kind::Xml => library::Kind::Xml,
            Kind::Css => library::Kind::Css,
            Kind::Text => library::Kind::Text,
            Kind::Properties => library::Kind::Properties,
        }
    }
}
