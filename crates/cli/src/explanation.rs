//! The sentences about errors and notes of a job: what has happened to which input, and which options help.

use std::{collections::BTreeMap, error::Error, fmt};

use textcodec_convert::{
    Charset, Choice, TextError,
    damage::{Damage, Damaged},
    declarations::Form,
    files::{Done, FileError, JobError, Skipped},
    guess::Probability,
    text::{Transliterated, transliterate},
};

use crate::{message, settings::Settings};

/// An error of an input that the program explains.
#[derive(Debug)]
struct Explained {
    /// The kind of the error in JSON.
    kind: &'static str,
    /// The sentence, and a line about options that help.
    text: String,
}

impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Error for Explained {}

/// An error with this kind in JSON.
pub(crate) fn explained(kind: &'static str, text: String) -> anyhow::Error {
    Explained { kind, text }.into()
}

/// The kind of an error of a file in JSON, and the sentence about it without `name`, the name of the file, and without
/// the lines about options.
pub(crate) fn kind_and_sentence(name: &str, error: &anyhow::Error) -> (&'static str, String) {
    let kind = error.downcast_ref::<Explained>().map_or("io", |explained| explained.kind);
    let text = format!("{error:#}");
    let line = text.lines().next().unwrap_or_default();
    let sentence = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(line);
    (kind, sentence.to_owned())
}

/// The error of the input with this name, with its cause, and with options that help.
pub(crate) fn error(name: &str, error: JobError) -> anyhow::Error {
    let kind = kind(&error);
    let text_error = match &error {
        JobError::Text(error) => Some(error),
        JobError::Guess { error, .. } => Some(&**error),
        _ => None,
    };
    let hint = match &error {
        JobError::Read(_) => {
            let JobError::Read(cause) = error else { unreachable!("matched above") };
            return anyhow::Error::new(cause).context(format!("cannot read {name}"));
        }
        JobError::Text(TextError::Damaged(damaged)) | JobError::Damaged(damaged) => damage_hint(damaged).to_owned(),
        JobError::Text(TextError::Fallback(objection)) => format!(
            "{}. With --trust-fallback, the file is read in {}.",
            match objection.fitting {
                Some(_) => "If that is right, name it with --from or --fallback",
                None => "If the file is text, name its encoding with --from",
            },
            objection.chosen
        ),
        JobError::Text(_) | JobError::Guess { .. } => match text_error.and_then(text_hint) {
            Some(hint) => hint,
            None => return explained(kind, format!("{name}: {error}")),
        },
        JobError::UnknownEncoding { .. } => {
            "Name the encoding with --from, or with --fallback the encoding of all such files.".to_owned()
        }
        JobError::Distrusted(_) => "Name the encoding with --from.".to_owned(),
        JobError::Declaration { contradiction, .. } if contradiction.form() == Form::Properties => {
            "With --declarations update, escapes such as \\u20AC take the place of the characters that Java would misread; \
             with --declarations keep, they stay. Since Java 9, ResourceBundle reads UTF-8, and Properties.load does not."
                .to_owned()
        }
        JobError::Declaration { .. } => "With --declarations update, the name of the output encoding takes the place \
                                         of this label; with --declarations keep, it stays."
            .to_owned(),
        _ => "With --declarations keep, the declaration stays as it is.".to_owned(),
    };
    explained(kind, format!("{name}: {error}\n  {hint}"))
}

/// The kind of an error in JSON.
const fn kind(error: &JobError) -> &'static str {
    match error {
        JobError::Damaged(damaged) | JobError::Text(TextError::Damaged(damaged)) => match damaged.damage {
            Damage::Mixed { .. } => "mixed-encodings",
            _ => "damaged",
        },
        JobError::UnknownEncoding { .. } | JobError::Distrusted(_) => "unknown-encoding",
        JobError::Declaration { .. } | JobError::Undeclarable { .. } => "declaration",
        JobError::Text(TextError::Malformed { .. }) | JobError::Guess { .. } => "malformed",
        JobError::Text(TextError::Unmappable { .. } | TextError::Irreplaceable { .. }) => "unmappable",
        JobError::Text(TextError::Fallback(_)) => "fallback",
        JobError::Text(TextError::CutOffRecord { .. } | TextError::LongLine { .. }) => "record",
        _ => "io",
    }
}

/// The error for an input that is damaged UTF-8, although the user has named another encoding.
pub(crate) fn damaged_and_named(name: &str, damaged: &Damaged) -> anyhow::Error {
    let hint = damage_hint(damaged);
    explained("damaged", format!("{name}: {damaged}\n  {hint} With --force, it is decoded as --from says."))
}

/// The error for an input that is UTF-8, although the user has named another encoding, and the output is not UTF-8.
pub(crate) fn utf_8_and_named(name: &str, from: Charset) -> anyhow::Error {
    let text = format!(
        "{name}: the file is well-formed UTF-8, but --from says {from}\n  With --from utf-8 it is converted from UTF-8. \
         With --force, it is decoded as --from says."
    );
    explained("utf-8", text)
}

/// The error for an input that seems to be in the output encoding already, although the user has named another one.
pub(crate) fn converted_before(name: &str, from: Charset, to: Charset, probability: f32) -> anyhow::Error {
    let probability = Probability(Some(probability));
    let text = format!(
        "{name}: the file seems to be in {to} already ({probability}), but --from says {from}\n  An earlier run may have \
         converted it. With --force, it is decoded as --from says."
    );
    explained("in-target-encoding", text)
}

fn damage_hint(damaged: &Damaged) -> &'static str {
    match damaged.damage {
        Damage::Mixed { .. } => {
            "Convert each part on its own; head -c and tail -c separate them. With --from utf-16le, the whole file is \
             decoded in UTF-16LE."
        }
        _ => {
            "With --from utf-8 and --errors replacement, escape or ignore, the file is converted as UTF-8. With \
             `textcodec repair --mixed utf-8,windows-1252`, each line that is not UTF-8 is decoded in windows-1252."
        }
    }
}

fn text_hint(error: &TextError) -> Option<String> {
    let is_iconv = message::has_iconv_options();
    Some(match error {
        TextError::Malformed { charset, .. } if charset.standard() == Some(textcodec::REPLACEMENT) => return None,
        TextError::Malformed { .. } if is_iconv => {
            "If the file is in another encoding, name it with -f. With -c, malformed bytes are left out.".to_owned()
        }
        TextError::Malformed { charset, by_mark, .. } => {
            let other = match by_mark {
                true => format!("The byte order mark says {charset}. With --ignore-bom, --from decides."),
                false if *charset == Charset::UTF_8 => {
                    "If the file is in another encoding, name it with --from; if only \
                                                        parts of it are, see `textcodec repair --mixed`."
                        .to_owned()
                }
                false => "If the file is in another encoding, name it with --from.".to_owned(),
            };
            format!("{other} With --errors replacement, U+FFFD is written instead.")
        }
        TextError::Unmappable { .. } if is_iconv => {
            "With //TRANSLIT after the name of the output encoding, similar characters are written instead; with -c, \
             the character is left out. UTF-8 can encode every character."
                .to_owned()
        }
        TextError::Unmappable { charset, character, code_point, .. } => {
            // The character has no likeness if the user has given --transliterate.
            let Transliterated { text, missing, .. } = transliterate(&character.to_string(), *charset);
            let likeness = Some(text).filter(|text| missing.is_empty() && !text.is_empty());
            let likeness = likeness.map(|likeness| format!("; with --transliterate, {}", message::excerpt(&likeness)));
            format!(
                "With --errors html, &#{}; is written instead; with --errors replacement, a question mark{}. UTF-8 can \
                 encode every character.",
                u32::from(*code_point),
                likeness.unwrap_or_default()
            )
        }
        TextError::Irreplaceable { .. } if !is_iconv => {
            "With --replacement, another text is written instead; with --errors ignore, the character is left out. \
             UTF-8 can encode every character."
                .to_owned()
        }
        TextError::Binary { .. } | TextError::NotText => "With --force, it is converted as if it were text.".to_owned(),
        _ => return None,
    })
}

/// The sentences that the user must read about an input that was converted.
pub(crate) fn notes(name: &str, done: &Done, settings: &Settings) -> Vec<String> {
    let to = settings.job.options.to;
    let note = |contradiction| format!("{name}: {contradiction}, but the output is {to} (see --declarations)");
    let mut notes: Vec<_> = done.contradictions.iter().map(note).collect();
    if done.choice == Some(Choice::Guess) {
        let doubt = match settings.is_doubtful(done) {
            true => "; in place, the file would not be converted (see --min-probability)",
            false => "",
        };
        notes.push(format!("{name}: the encoding {}{doubt}", guess(done)));
    }
    notes
}

/// The encoding of an input, which is a guess, and how it was guessed.
pub(crate) fn guess(done: &Done) -> String {
    let reason = done.reason.map(|reason| format!(": {reason}")).unwrap_or_default();
    format!("{} is a guess{reason}", done.from)
}

/// The note about an input whose encoding is that of --fallback.
pub(crate) fn fallback(name: &str, from: Charset) -> String {
    format!("{name}: nothing in the file tells its encoding; it is read in {from}, as --fallback says")
}

/// The error of a file that takes no part in the run, with its cause, and with an option that helps.
pub(crate) fn file_error(error: FileError) -> anyhow::Error {
    match error {
        FileError::Directory(_) => anyhow::anyhow!("{error}\n  With --recursive, the files in it are taken."),
        FileError::IsOutput(_) => {
            anyhow::anyhow!("{error}; to convert a file in place, name it and use --output")
        }
        error => error.into(),
    }
}

/// The start of a sentence about further files.
pub(crate) fn more_files(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 more file {one}") } else { format!("{number} more files {many}") }
}

/// The numbers of files that are no files of the run, by the reasons, in parentheses after a space. `by_configuration`
/// is the number of those that the configuration file leaves out. Empty if there are none.
pub(crate) fn skipped(skipped: &BTreeMap<Skipped, usize>, by_configuration: usize) -> String {
    let mut reasons: Vec<_> =
        skipped.iter().map(|(reason, &number)| format!("{number} {}", reason.describe(number))).collect();
    if by_configuration > 0 {
        reasons.push(format!("{by_configuration} by the configuration file"));
    }
    if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join(", ")) }
}
