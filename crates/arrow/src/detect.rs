//! The encoding of each row, guessed from statistics of languages.

use std::sync::Arc;

use arrow_array::{Array, StructArray, builder::Float32Builder, cast::AsArray};
use arrow_buffer::NullBufferBuilder;
use arrow_schema::{DataType, Field, Fields};
use textcodec::{
    Name,
    detect::{Candidate, Options, Verdict, detect_with},
};

use crate::{Error, Kind, builder::Builder, cells};

/// The fields of the result of [`detect`]: `encoding` (a name, which is the Standard's if the Standard has the
/// encoding), `language` (a code of BCP 47), and `probability` (that the encoding gives the right text).
#[must_use]
pub fn detect_fields() -> Fields {
    Fields::from(vec![
        Field::new("encoding", DataType::Utf8, true),
        Field::new("language", DataType::Utf8, true),
        Field::new("probability", DataType::Float32, true),
    ])
}

/// Guesses the encoding and the language of each row of a column of bytes. The [best
/// candidate](textcodec::detect::Detection::best) of the detector is the answer; nothing that a row declares counts.
///
/// A null row is null in the result. A row without a candidate, such as an image, has three null fields. `language` is
/// null where the answer does not depend on a language, such as UTF-8. UTF-32, UTF-7, HZ, ISO-2022-KR and ISO-2022-CN
/// are answers, too, though the Standard does not decode them.
///
/// # Errors
/// [`Error::Type`].
///
/// ```
/// use arrow_array::{BinaryArray, cast::AsArray};
/// use textcodec_arrow::{DetectOptions, detect};
///
/// // "Привет, как дела?" in KOI8-R, and an image.
/// let russian = b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCB\xC1\xCB \xC4\xC5\xCC\xC1?";
/// let column = BinaryArray::from(vec![Some(&russian[..]), None, Some(b"\xFF\xD8\xFF\xE0\0\x10JFIF\0")]);
/// let found = detect(&column, &DetectOptions::new())?;
/// let field = |name| found.column_by_name(name).unwrap().as_string::<i32>().iter().collect::<Vec<_>>();
/// assert_eq!(field("encoding"), [Some("KOI8-R"), None, None]);
/// assert_eq!(field("language"), [Some("ru"), None, None]);
/// # Ok::<(), textcodec_arrow::Error>(())
/// ```
pub fn detect(column: &dyn Array, options: &Options) -> Result<StructArray, Error> {
    cells::kind_of_bytes(column.data_type())?;
    let Some(dictionary) = column.as_any_dictionary_opt() else {
        let (_, cells) = cells::bytes(column)?;
        return structs(cells.len(), |row| cells.get(row).map(|cell| Answer::of(cell, options)));
    };
    let (_, values) = cells::bytes(dictionary.values())?;
    // Each value is guessed once, and only if a row has it.
    let mut answers = vec![None; values.len()];
    let (keys, nulls) = (cells::keys(column), column.logical_nulls());
    structs(column.len(), |row| {
        let is_null = nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
        (!is_null).then(|| *answers[keys[row]].get_or_insert_with(|| Answer::of(values.cell(keys[row]), options)))
    })
}

/// The answer for a row.
#[derive(Clone, Copy)]
struct Answer {
    encoding: Option<&'static str>,
    language: Option<&'static str>,
    probability: Option<f32>,
}

impl Answer {
    fn of(bytes: &[u8], options: &Options) -> Self {
        let detection = detect_with(bytes, options);
        let best = detection.best();
        Answer {
            encoding: best.map(Candidate::name),
            language: best.and_then(Candidate::language),
            probability: best.map(Candidate::probability),
        }
    }
}

/// The structs of the answers; a row without an answer is null.
fn structs(rows: usize, mut answer: impl FnMut(usize) -> Option<Answer>) -> Result<StructArray, Error> {
    let [mut encodings, mut languages] = [10, 2].map(|bytes| Builder::<str>::new(Kind::Small, rows, bytes * rows));
    let mut probabilities = Float32Builder::with_capacity(rows);
    let mut nulls = NullBufferBuilder::new(rows);
    for row in 0..rows {
        let answer = answer(row);
        nulls.append(answer.is_some());
        for (field, value) in [
            (&mut encodings, answer.and_then(|answer| answer.encoding)),
            (&mut languages, answer.and_then(|answer| answer.language)),
        ] {
            match value {
                Some(value) => field.append(value)?,
                None => field.null(),
            }
        }
        probabilities.append_option(answer.and_then(|answer| answer.probability));
    }
    let columns = vec![encodings.finish(), languages.finish(), Arc::new(probabilities.finish()) as _];
    Ok(StructArray::new(detect_fields(), columns, nulls.finish()))
}

/// The encoding of the best candidate for `bytes`, if the Standard has it: a [guess](crate::HtmlOptions::guess) for
/// pages that declare nothing. `None` for ASCII, which is the same text in all encodings that are the default of a
/// page, so that the other sources decide.
///
/// ```
/// use arrow_array::{BinaryArray, cast::AsArray};
/// use textcodec_arrow::{Charsets, HtmlOptions, guess, html};
///
/// // "Привет, как дела?" in KOI8-R.
/// let column = BinaryArray::from(vec![&b"<p>\xF0\xD2\xC9\xD7\xC5\xD4, \xCB\xC1\xCB \xC4\xC5\xCC\xC1?"[..]]);
/// let options = HtmlOptions { guess: Some(&guess), ..HtmlOptions::default() };
/// let pages = html(&column, &Charsets::default(), &options)?;
/// assert_eq!(pages.column_by_name("text").unwrap().as_string::<i32>().value(0), "<p>Привет, как дела?");
/// assert_eq!(pages.column_by_name("reason").unwrap().as_string::<i32>().value(0), "heuristic");
/// # Ok::<(), textcodec_arrow::Error>(())
/// ```
#[must_use]
pub fn guess(bytes: &[u8]) -> Option<Name> {
    let detection = textcodec::detect::detect(bytes);
    if detection.verdict() == Verdict::Ascii { None } else { detection.encoding() }
}
