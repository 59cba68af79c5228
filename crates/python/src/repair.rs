//! Repairs of text: wrong decodings that are undone, and characters like those that an encoding does not have.

use pyo3::{
    exceptions::{PyUnicodeDecodeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyString},
};
use textcodec_convert::{
    Certainty, Change, Charset, Counts, Levels, Repair, Repaired, Rule, Step, decode_mixed, guess::Hints, text,
};

use crate::{
    cpython::Source,
    decode::RELEASE_FROM,
    encoding::{self, PyEncoding},
};

/// The result of `repair`.
#[pyclass(frozen, eq, module = "textcodec", name = "Repaired")]
#[derive(PartialEq)]
pub(crate) struct PyRepaired(Repaired);

#[pymethods]
impl PyRepaired {
    #[classattr]
    fn __match_args__() -> (&'static str,) {
        ("text",)
    }

    /// The repaired text.
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    /// The number of lines that were repaired.
    #[getter]
    fn repaired(&self) -> u64 {
        self.0.counts.repaired.number
    }

    /// The number of the first repaired line, from 1, or None.
    #[getter]
    fn first_repaired(&self) -> Option<u64> {
        self.0.counts.repaired.first
    }

    /// The number of lines that can be right as they are, and have stayed.
    #[getter]
    fn ambiguous(&self) -> u64 {
        self.0.counts.ambiguous.number
    }

    /// The number of the first ambiguous line, from 1, or None.
    #[getter]
    fn first_ambiguous(&self) -> Option<u64> {
        self.0.counts.ambiguous.first
    }

    /// The number of characters in repaired lines that an earlier conversion has lost. Each is U+FFFD.
    #[getter]
    fn lost(&self) -> u64 {
        self.0.counts.lost
    }

    /// The number of all lines.
    #[getter]
    fn lines(&self) -> u64 {
        self.0.counts.lines
    }

    /// The lines that were repaired, and those that can be right as they are: a list of `Change`.
    #[getter]
    fn changes(&self) -> Vec<PyChange> {
        self.0.changes.iter().cloned().map(PyChange).collect()
    }

    /// The kinds of changes to the text, in the order in which they were first made: a list of `Step`.
    #[getter]
    fn steps(&self) -> Vec<PyStep> {
        self.0.steps.iter().copied().map(PyStep).collect()
    }

    /// How sure the least sure repair of a line is: "certain", "likely" or "ambiguous". None if no line was repaired.
    #[getter]
    fn certainty(&self) -> Option<&'static str> {
        let made = self.0.changes.iter().filter(|change| change.is_made);
        made.map(|change| change.explained.certainty).min().map(certainty)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Counts { lines, repaired, ambiguous, .. } = self.0.counts;
        let text = encoding::excerpt(PyString::new(py, &self.0.text).as_any())?;
        let (repaired, ambiguous) = (repaired.number, ambiguous.number);
        Ok(format!("<textcodec.Repaired {text} lines={lines} repaired={repaired} ambiguous={ambiguous}>"))
    }

    fn __str__(&self) -> &str {
        &self.0.text
    }
}

/// A line that `repair` has changed, or that it has left because it can be right as it is.
///
/// >>> change, = textcodec.repair("a\ndoesnÃ¢â‚¬â„¢t").changes
/// >>> print(change)
/// 2: certain: UTF-8 that was read as windows-1252, 2 times
/// >>> change.before, change.after, change.made, change.certainty, len(change.steps)
/// ('doesnÃ¢â‚¬â„¢t', 'doesn’t', True, 'certain', 2)
#[pyclass(frozen, eq, module = "textcodec", name = "Change")]
#[derive(PartialEq)]
pub(crate) struct PyChange(Change);

#[pymethods]
impl PyChange {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("before", "after")
    }

    /// The number of the line, from 1.
    #[getter]
    fn line(&self) -> u64 {
        self.0.line
    }

    /// The line, without its end.
    #[getter]
    fn before(&self) -> &str {
        &self.0.before
    }

    /// The line as it was meant.
    #[getter]
    fn after(&self) -> &str {
        &self.0.explained.text
    }

    /// Whether the repaired text has `after`. It has `before` if the line is ambiguous, unless `ambiguous=True`.
    #[getter]
    fn made(&self) -> bool {
        self.0.is_made
    }

    /// How sure the repair is: "certain", "likely", or "ambiguous" if the line can be right as it is.
    #[getter]
    fn certainty(&self) -> &'static str {
        certainty(self.0.explained.certainty)
    }

    /// The wrong decodings that were undone, in this order: a list of `Step`.
    #[getter]
    fn steps(&self) -> Vec<PyStep> {
        self.0.explained.steps.iter().copied().map(PyStep).collect()
    }

    fn __repr__(&self) -> String {
        format!("<textcodec.Change {}>", self.__str__())
    }

    fn __str__(&self) -> String {
        let stays = if self.0.is_made { "" } else { " (not made)" };
        format!("{}: {}{stays}", self.0.line, self.0.explained.describe())
    }
}

fn certainty(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Ambiguous => "ambiguous",
        Certainty::Likely => "likely",
        Certainty::Certain => "certain",
    }
}

/// One wrong decoding that a repair has undone. `str` is a clause: "UTF-8 that was read as windows-1252".
#[pyclass(frozen, eq, module = "textcodec", name = "Step")]
#[derive(PartialEq)]
pub(crate) struct PyStep(Step);

#[pymethods]
impl PyStep {
    /// "decoding" of a line, "part" for a part of it, or "controls" for the control characters U+0080 to U+009F in the
    /// place of characters of windows-1252.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0 {
            Step::Decoding { .. } => "decoding",
            Step::Part { .. } => "part",
            _ => "controls",
        }
    }

    /// The name of the encoding that the text was in; None for "controls".
    #[getter]
    fn was(&self) -> Option<&'static str> {
        self.charsets().map(|(was, _)| was.name())
    }

    /// The name of the encoding that the text was read as; None for "controls".
    #[getter]
    fn read_as(&self) -> Option<&'static str> {
        self.charsets().map(|(_, read_as)| read_as.name())
    }

    fn __repr__(&self) -> String {
        format!("<textcodec.Step {}>", self.0)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }
}

impl PyStep {
    const fn charsets(&self) -> Option<(Charset, Charset)> {
        match self.0 {
            Step::Decoding { was, read_as, .. } | Step::Part { was, read_as, .. } => Some((was, read_as)),
            _ => None,
        }
    }
}

/// Repairs text that was decoded in a wrong encoding: "Ã©" becomes "é". Returns a `Repaired`.
///
/// Each line is judged alone, and changes only if it has a clear sign of a wrong decoding. A line that can also be
/// right as it is, for example "SÓ…", is ambiguous: it changes only with `ambiguous=True`, which also repairs parts of
/// lines.
///
/// `encodings` has the label, or the labels, of the encodings in which the text may have been decoded; windows-1252,
/// which stands for ISO-8859-1, too, without it. Several wrong decodings, one after the other, are undone together.
///
/// Other texts than UTF-8 are repaired with `was`, the label of the encoding that the text was in, and `read_as`, the
/// one in which it was decoded. If only one of them is given, the text tells the other; with `guess=True`, both. If the
/// text shows no such pair, nothing is repaired; with `guess=True`, the text is repaired as without it.
///
/// `data` can also be bytes in UTF-8. With `mixed`, a sequence of labels, each line of these bytes is decoded in the
/// first of the encodings in which it is well-formed, and text that was decoded wrongly is repaired only if `encodings`
/// is given, too.
///
/// >>> textcodec.repair("cafÃ© donâ€™t").text
/// 'café don’t'
/// >>> textcodec.repair("РџСЂРёРІРµС‚", encodings="windows-1251").text
/// 'Привет'
/// >>> textcodec.repair("ô·û{îΩé╠âeâLâXâg", was="shift_jis", read_as="cp437").text
/// '日本語のテキスト'
/// >>> print(*textcodec.repair("Âñåì ïðèâåò, ìåíÿ çîâóò Àëåêñàíäð", guess=True).steps)
/// windows-1251 that was read as windows-1252
/// >>> textcodec.repair("SÓ…\nÃ¼ber\n")
/// <textcodec.Repaired 'SÓ…\nüber\n' lines=2 repaired=1 ambiguous=1>
/// >>> textcodec.repair(b"caf\xc3\xa9\ncaf\xe9\n", mixed=["utf-8", "windows-1252"]).text
/// 'café\ncafé\n'
#[pyfunction]
#[pyo3(
    signature = (data, *, encodings=None, was=None, read_as=None, guess=false, mixed=None, ambiguous=false),
    text_signature = "(data, *, encodings='windows-1252', was=None, read_as=None, guess=False, mixed=(), \
                      ambiguous=False)"
)]
#[allow(clippy::too_many_arguments, reason = "keywords of a function of Python")]
pub(crate) fn repair<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    encodings: Option<&Bound<'py, PyAny>>,
    was: Option<&Bound<'py, PyAny>>,
    read_as: Option<&Bound<'py, PyAny>>,
    guess: bool,
    mixed: Option<&Bound<'py, PyAny>>,
    ambiguous: bool,
) -> PyResult<PyRepaired> {
    let (was, read_as) = (was.map(encoding::charset).transpose()?, read_as.map(encoding::charset).transpose()?);
    let is_pair = was.is_some() || read_as.is_some();
    if (is_pair || guess) && (encodings.is_some() || mixed.is_some()) || is_pair && guess {
        let reason = "give encodings or mixed, or was and read_as, or guess";
        return Err(PyValueError::new_err(reason));
    }
    let mixed = mixed.map_or(Ok(Vec::new()), charsets)?;
    let encodings = match encodings {
        Some(encodings) => charsets(encodings)?,
        None if mixed.is_empty() => vec![textcodec::WINDOWS_1252.into()],
        None => Vec::new(),
    };
    let cannot = |error: textcodec_convert::CannotRepair| PyValueError::new_err(error.to_string());
    let known = match (was, read_as) {
        (Some(was), Some(read_as)) => Some(Repair::of_pair(was, read_as).map_err(cannot)?),
        _ if is_pair || guess => None,
        _ => Some(Repair::new(encodings).map_err(cannot)?),
    };
    let repair = |text: &str| match &known {
        Some(repair) => repair.repair(text, ambiguous),
        None => searched(text, was, read_as).repair(text, ambiguous),
    };
    if let Ok(text) = data.cast::<PyString>() {
        if !mixed.is_empty() {
            return Err(PyValueError::new_err("mixed decodes the lines of bytes, and a str is decoded already"));
        }
        let text = text.to_str()?;
        return Ok(PyRepaired(run(py, text.len(), || repair(text))));
    }
    let source = Source::new(data)?.to_bytes(py)?;
    let bytes = source.as_bytes();
    let text = match std::str::from_utf8(bytes) {
        Ok(text) if mixed.is_empty() => text.into(),
        Err(error) if mixed.is_empty() => {
            let end = error.error_len().map_or(bytes.len(), |length| error.valid_up_to() + length);
            return Err(malformed(py, &source, "UTF-8", error.valid_up_to()..end, "malformed sequence (see mixed)"));
        }
        _ => decode_lines(py, &source, &mixed)?.into(),
    };
    let text: std::borrow::Cow<'_, str> = text;
    Ok(PyRepaired(run(py, text.len(), || repair(&text))))
}

/// The repair of the wrong decoding that the text shows. `was` and `read_as` are what is known.
fn searched(text: &str, was: Option<Charset>, read_as: Option<Charset>) -> Repair {
    let found = Repair::search(text, was, read_as, &Hints::new());
    match found.and_then(|pair| Repair::of_pair(pair.was, pair.read_as).ok()) {
        Some(repair) => repair,
        // Lines of which only a part was decoded wrongly do not show it together.
        None if was.is_none() && read_as.is_none() => Repair::default(),
        None => Repair::new([]).unwrap_or_default(),
    }
}

/// The result of `fix`.
#[pyclass(frozen, eq, module = "textcodec", name = "Fixed")]
#[derive(PartialEq)]
pub(crate) struct PyFixed {
    /// The corrected text.
    #[pyo3(get)]
    text: String,
    /// The names of the rules that the text violated, in the order of the corrections; empty if nothing has changed.
    #[pyo3(get)]
    rules: Vec<&'static str>,
}

#[pymethods]
impl PyFixed {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("text", "rules")
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let text = encoding::excerpt(PyString::new(py, &self.text).as_any())?;
        Ok(format!("<textcodec.Fixed {text} rules={:?}>", self.rules))
    }

    fn __str__(&self) -> &str {
        &self.text
    }
}

/// Corrects what is certainly wrong in a text, as `textcodec check --fix` does. Returns a `Fixed`.
///
/// `rules` has the name of a rule, or the names of several: "bom", "inner-bom", "trailing-bytes", "double-encoding",
/// "control", "mixed-newlines", or "all". Byte order marks and what follows U+001A at the end are removed, lines with a
/// clear sign are repaired, control characters become the characters of windows-1252, and lines get the ending that
/// most lines have.
///
/// >>> textcodec.fix("\ufeffcafÃ©\r\nIt\x92s\r\n.\n")
/// <textcodec.Fixed 'café\r\nIt’s\r\n.\r\n' rules=["bom", "double-encoding", "control", "mixed-newlines"]>
/// >>> textcodec.fix("\ufeffa\r\nb\n", rules="bom").text
/// 'a\r\nb\n'
#[pyfunction]
#[pyo3(signature = (text, *, rules=None), text_signature = "(text, *, rules='all')")]
pub(crate) fn fix(py: Python<'_>, text: &str, rules: Option<&Bound<'_, PyAny>>) -> PyResult<PyFixed> {
    let mut levels = Levels::default();
    let mut deny = |name: &str| match Rule::for_name(name) {
        Some(rules) => {
            levels.deny(rules);
            Ok(())
        }
        None => {
            let names: Vec<_> = Rule::ALL.iter().map(|rule| rule.name()).collect();
            Err(PyValueError::new_err(format!("there is no rule {name:?}; there are all, {}", names.join(", "))))
        }
    };
    match rules {
        None => deny("all")?,
        Some(name) if name.is_instance_of::<PyString>() => deny(name.extract()?)?,
        Some(names) => names.try_iter()?.try_for_each(|name| deny(name?.extract()?))?,
    }
    let fixed = run(py, text.len(), || textcodec_convert::fix(text, &levels));
    Ok(match fixed {
        Some((text, rules)) => PyFixed { text, rules: rules.iter().map(|rule| rule.name()).collect() },
        None => PyFixed { text: text.to_owned(), rules: Vec::new() },
    })
}

/// Calls `convert` for a text of this length, without the global interpreter lock if the text is long.
fn run<T: Send>(py: Python<'_>, length: usize, convert: impl Send + FnOnce() -> T) -> T {
    if length >= RELEASE_FROM { py.detach(convert) } else { convert() }
}

/// The charset of a label, or those of several.
fn charsets(labels: &Bound<'_, PyAny>) -> PyResult<Vec<Charset>> {
    if labels.is_instance_of::<PyString>() || labels.is_instance_of::<PyEncoding>() {
        return Ok(vec![encoding::charset(labels)?]);
    }
    labels.try_iter()?.map(|label| encoding::charset(&label?)).collect()
}

/// The text of lines in several charsets.
fn decode_lines(py: Python<'_>, source: &Bound<'_, PyBytes>, mixed: &[Charset]) -> PyResult<String> {
    if let Some(charset) = mixed.iter().find(|charset| charset.is_wide() || charset.is_ebcdic()) {
        let reason = format!("lines cannot be in {charset}, because its line feed is not the byte 0A");
        return Err(PyValueError::new_err(reason));
    }
    let (mut text, mut at) = (String::new(), 0);
    for (number, line) in (1..).zip(source.as_bytes().split_inclusive(|&byte| byte == b'\n')) {
        match decode_mixed(line, mixed) {
            Some(decoded) => text += &decoded,
            None => {
                let names: Vec<_> = mixed.iter().map(|charset| charset.name()).collect();
                let reason = format!("line {number} is in none of the encodings of mixed");
                return Err(malformed(py, source, &names.join(", "), at..at + line.len(), &reason));
            }
        }
        at += line.len();
    }
    Ok(text)
}

/// The exception for malformed bytes at `range`.
fn malformed(
    py: Python<'_>,
    source: &Bound<'_, PyBytes>,
    encoding: &str,
    range: std::ops::Range<usize>,
    reason: &str,
) -> PyErr {
    let class = py.get_type::<PyUnicodeDecodeError>();
    match class.call1((encoding, source, range.start, range.end, reason)) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// Writes other characters for those that an encoding does not have: "…" becomes "..." and "Ł" becomes "L" where they
/// are missing. Characters for which there are no others stay; an error handler of `encode` can treat them.
///
/// `encoding` is a label or an `Encoding`. ASCII has the label "exact-us-ascii", because the Standard gives the label
/// "ascii" to windows-1252.
///
/// >>> textcodec.transliterate("“Łódź” … ½ ☃", "exact-us-ascii")
/// '"Lodz" ... 1/2 ☃'
/// >>> textcodec.encode(textcodec.transliterate("℃ ☃", "latin1"), "latin1", "xmlcharrefreplace")
/// b'\xb0C &#9731;'
#[pyfunction]
pub(crate) fn transliterate(py: Python<'_>, text: &str, encoding: &Bound<'_, PyAny>) -> PyResult<String> {
    let charset = encoding::charset(encoding)?;
    if !charset.is_writable() {
        return Err(PyValueError::new_err(format!("no text can be encoded in {charset}")));
    }
    Ok(run(py, text.len(), || text::transliterate(text, charset).text))
}
