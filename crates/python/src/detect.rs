//! The [detector](textcodec::detect) of encodings, for texts that declare nothing.

use pyo3::{
    exceptions::{PyLookupError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyString, PyTuple},
};
use textcodec::{
    Encoding,
    detect::{Candidate, Detection, Detector, Options, Platform, Tier, Verdict, detect_with},
};
use textcodec_convert::guess::{Probability, language_name};

use crate::{
    charset,
    cpython::Source,
    decode,
    encoding::{self, PyEncoding},
    errors::{self, Errors},
};

/// The number of bytes from which a text is looked at without the global interpreter lock. The detector takes a quarter
/// of a millisecond for a legacy text of this length, as long as a thread waits for the lock beside a thread that
/// computes.
pub(crate) const RELEASE_FROM: usize = 16 * 1024;

/// The length in bytes of the byte order mark of UTF-32. The other encodings with one are in the Standard.
const UTF_32_BOM_LENGTH: usize = 4;

/// What `detect` has found out about a text.
///
/// >>> detection = textcodec.detect("Привет, как дела?".encode("koi8-r"))
/// >>> detection
/// <textcodec.Detection legacy: KOI8-R, Russian, probability 0.99>
/// >>> detection.encoding.name, detection.language, [candidate.name for candidate in detection.candidates[:2]]
/// ('KOI8-R', 'ru', ['KOI8-R', 'KOI8-U'])
#[pyclass(frozen, eq, module = "textcodec", name = "Detection")]
#[derive(PartialEq)]
pub(crate) struct PyDetection(Detection);

#[pymethods]
impl PyDetection {
    /// The encoding of the most probable candidate. None if there is no candidate, or if its encoding is not in the
    /// Standard.
    #[getter]
    fn encoding<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyEncoding>>> {
        self.0.best().map_or(Ok(None), |best| object(py, best))
    }

    /// The name of the most probable candidate, or None. It can be UTF-32LE, UTF-32BE, UTF-7, HZ, ISO-2022-KR or
    /// ISO-2022-CN, which are not in the Standard.
    #[getter]
    fn name(&self) -> Option<&'static str> {
        self.0.best().map(Candidate::name)
    }

    /// The language as a code of BCP 47; None if the answer does not depend on a language.
    #[getter]
    fn language(&self) -> Option<&'static str> {
        self.0.best().and_then(Candidate::language)
    }

    /// The English name of the language, or None.
    #[getter]
    fn language_name(&self) -> Option<&'static str> {
        self.language().map(language_name)
    }

    /// The probability that the most probable candidate gives the right text; 0.0 if there is no candidate.
    #[getter]
    fn probability(&self) -> f64 {
        self.0.best().map_or(0.0, |best| decimal(best.probability()))
    }

    /// The `Candidate`s, the most probable first. Candidates of one group follow each other.
    #[getter]
    fn candidates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.candidates().iter().cloned().map(PyCandidate))
    }

    /// The offsets of the bytes that speak most for the most probable candidate, the strongest first. At most eight.
    #[getter]
    fn evidence<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.best().map_or(&[][..], Candidate::evidence))
    }

    /// What the text is: "empty", "ascii", "utf-8", "damaged-utf-8", "utf-16", "utf-32", "iso-2022", "hz", "utf-7",
    /// "legacy" (an encoding that the candidates name), "mixed" (a part is UTF-16, and another is not), "binary", or
    /// "unknown" (text in none of the encodings that compete).
    #[getter]
    fn verdict(&self) -> &'static str {
        match self.0.verdict() {
            Verdict::Empty => "empty",
            Verdict::Ascii => "ascii",
            Verdict::Utf8 { .. } => "utf-8",
            Verdict::DamagedUtf8 { .. } => "damaged-utf-8",
            Verdict::Utf16 { .. } => "utf-16",
            Verdict::Utf32 { .. } => "utf-32",
            Verdict::Iso2022 => "iso-2022",
            Verdict::Hz => "hz",
            Verdict::Utf7 => "utf-7",
            Verdict::Legacy => "legacy",
            Verdict::Mixed { .. } => "mixed",
            Verdict::Binary(_) => "binary",
            _ => "unknown",
        }
    }

    /// The format of binary data, for example "jpeg"; "other" for a format that is not known, and None for text.
    #[getter]
    fn kind(&self) -> Option<String> {
        match self.0.verdict() {
            // The name of the variant.
            Verdict::Binary(kind) => Some(format!("{kind:?}").to_ascii_lowercase()),
            _ => None,
        }
    }

    /// Whether the text begins with a byte order mark.
    #[getter]
    fn has_bom(&self) -> bool {
        use Verdict::{Utf8, Utf16, Utf32};
        matches!(self.0.verdict(), Utf8 { has_bom: true } | Utf16 { has_bom: true } | Utf32 { has_bom: true })
    }

    /// The number of malformed sequences in damaged UTF-8, otherwise None.
    #[getter]
    fn malformed(&self) -> Option<u64> {
        match self.0.verdict() {
            Verdict::DamagedUtf8 { malformed, .. } => Some(malformed),
            _ => None,
        }
    }

    /// The offset of the damage in bytes: of the first malformed sequence in damaged UTF-8, or of the first change
    /// between UTF-16 and another encoding. Otherwise None.
    #[getter]
    fn damage(&self) -> Option<u64> {
        match self.0.verdict() {
            Verdict::DamagedUtf8 { first, .. } => Some(first),
            Verdict::Mixed { offset } => Some(offset),
            _ => None,
        }
    }

    /// How much better the text of the first group fits than that of the next group: the difference between the
    /// logarithms of their likelihoods. None if there is no next group.
    #[getter]
    fn margin(&self) -> Option<f64> {
        self.0.margin().map(decimal)
    }

    /// The version of the model. Answers about the same bytes change only with it.
    #[getter]
    fn model_version(&self) -> u32 {
        self.0.model_version()
    }

    /// Decodes `data`, the bytes that this is about, in the encoding of the most probable candidate. `errors` and the
    /// result are as for the function `decode`. A byte order mark decides.
    ///
    /// Raises LookupError if there is no candidate, or if this package does not decode its encoding.
    ///
    /// >>> data = "Grüße aus München".encode("latin1")
    /// >>> textcodec.detect(data).decode(data).text
    /// 'Grüße aus München'
    #[pyo3(signature = (data, errors=None), text_signature = "($self, data, errors='replace')")]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        errors: Option<&Bound<'py, PyString>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some(best) = self.0.best() else {
            return Err(PyLookupError::new_err(format!("no encoding was detected: the verdict is {}", self.verdict())));
        };
        let errors = Errors::or(errors, Errors::Replace)?;
        if let Some(encoding) = best.encoding().and_then(|name| Encoding::for_name(name).ok()) {
            return decode::decoded(py, data, encoding, &errors, decode::bom_handling(None)?);
        }
        let encoding = charset::of_candidate(best.name()).ok_or_else(|| {
            PyLookupError::new_err(format!("{} was detected, which this package does not decode", best.name()))
        })?;
        let mut source = Source::new(data)?;
        let start = if self.has_bom() { UTF_32_BOM_LENGTH.min(source.as_slice().len()) } else { 0 };
        let (text, had_errors) = decode::whole(py, &mut source, start, encoding, &errors)?;
        decode::value(py, (text, encoding, had_errors))
    }

    fn __repr__(&self) -> String {
        let what = self.kind().unwrap_or_else(|| self.0.best().map(described).unwrap_or_default());
        let colon = if what.is_empty() { "" } else { ": " };
        format!("<textcodec.Detection {}{colon}{what}>", self.verdict())
    }
}

/// An encoding that a text can be in.
#[pyclass(frozen, eq, module = "textcodec", name = "Candidate")]
#[derive(PartialEq)]
pub(crate) struct PyCandidate(Candidate);

#[pymethods]
impl PyCandidate {
    /// The encoding; None if it is not in the Standard.
    #[getter]
    fn encoding<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyEncoding>>> {
        object(py, &self.0)
    }

    /// The name of the encoding.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The language as a code of BCP 47; None if the answer does not depend on a language.
    #[getter]
    fn language(&self) -> Option<&'static str> {
        self.0.language()
    }

    /// The English name of the language, or None.
    #[getter]
    fn language_name(&self) -> Option<&'static str> {
        self.language().map(language_name)
    }

    /// The probability that this candidate gives the right text. All candidates of a group have the same one.
    #[getter]
    fn probability(&self) -> f64 {
        decimal(self.0.probability())
    }

    /// The number of the group. Candidates of a group give the same text; those of group 0 are the most probable.
    #[getter]
    fn group(&self) -> usize {
        self.0.group()
    }

    /// The offsets of the bytes that speak most for this candidate, the strongest first. Empty for all but the first
    /// candidate.
    #[getter]
    fn evidence<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.evidence())
    }

    fn __repr__(&self) -> String {
        format!("<textcodec.Candidate {}, group {}>", described(&self.0), self.0.group())
    }
}

/// The encoding of a candidate, if it is in the Standard.
fn object<'py>(py: Python<'py>, candidate: &Candidate) -> PyResult<Option<Bound<'py, PyEncoding>>> {
    let encoding = candidate.encoding().and_then(|name| Encoding::for_name(name).ok());
    encoding.map(|encoding| encoding::object(py, encoding)).transpose()
}

/// A candidate in one line.
fn described(candidate: &Candidate) -> String {
    let language = candidate.language().map(|code| format!(", {}", language_name(code))).unwrap_or_default();
    format!("{}{language}, {}", candidate.name(), Probability(Some(candidate.probability())))
}

/// The number with six digits, which is what a `float` of 32 bits has. Without this, 0.95 would be 0.949999988079071.
fn decimal(number: f32) -> f64 {
    (f64::from(number) * 1e6).round() / 1e6
}

/// The arguments that say what a caller knows.
#[derive(Default)]
struct Known<'a, 'py> {
    among: Option<&'a Bound<'py, PyAny>>,
    exclude: Option<&'a Bound<'py, PyAny>>,
    language: Option<&'a Bound<'py, PyAny>>,
    top_level_domain: Option<&'a Bound<'py, PyAny>>,
    platform: Option<&'a str>,
    declared: Option<&'a Bound<'py, PyAny>>,
    tiers: Option<&'a Bound<'py, PyAny>>,
    starts_mid_stream: bool,
    ends_mid_stream: bool,
}

impl Known<'_, '_> {
    fn options(self, py: Python<'_>) -> PyResult<Options> {
        let encodings = |labels: &Bound<'_, PyAny>| {
            each(labels)?.iter().map(|label| Ok(encoding::resolve(py, label)?.id())).collect::<PyResult<Vec<_>>>()
        };
        let mut options =
            Options::new().starts_mid_stream(self.starts_mid_stream).ends_mid_stream(self.ends_mid_stream);
        if let Some(labels) = self.among {
            let names = encodings(labels)?;
            if names.is_empty() {
                return Err(PyValueError::new_err("among must name an encoding at least"));
            }
            options = options.among(names);
        }
        if let Some(labels) = self.exclude {
            options = options.exclude(encodings(labels)?);
        }
        for code in strings(self.language, "language")? {
            options = options.language(&code);
        }
        for domain in strings(self.top_level_domain, "top_level_domain")? {
            options = options.top_level_domain(domain.trim_start_matches('.'));
        }
        for label in self.declared.map(each).transpose()?.unwrap_or_default() {
            // A label that comes from outside need not be known.
            if let Some(encoding) = encoding::known(&label)? {
                options = options.declared(encoding.name());
            }
        }
        for name in strings(self.tiers, "tiers")? {
            options = options.tier(match &*name {
                "dos" => Tier::Dos,
                "mac" => Tier::Mac,
                "ebcdic" => Tier::Ebcdic,
                "johab" => Tier::Johab,
                "vietnamese" => Tier::Vietnamese,
                _ => {
                    return Err(PyValueError::new_err(format!(
                        "a tier must be 'dos', 'mac', 'ebcdic', 'johab' or 'vietnamese', not {name:?}"
                    )));
                }
            });
        }
        let platform = |name| match name {
            "windows" => Ok(Platform::Windows),
            "mac" => Ok(Platform::Mac),
            "unix" => Ok(Platform::Unix),
            "dos" => Ok(Platform::Dos),
            _ => {
                Err(PyValueError::new_err(format!("platform must be 'windows', 'mac', 'unix' or 'dos', not {name:?}")))
            }
        };
        Ok(match self.platform {
            Some(name) => options.platform(platform(name)?),
            None => options,
        })
    }
}

/// The elements of an iterable; a string or an encoding is the only element.
fn each<'py>(values: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if values.is_instance_of::<PyString>() || values.is_instance_of::<PyEncoding>() {
        return Ok(vec![values.clone()]);
    }
    values.try_iter()?.collect()
}

/// The strings of the argument `name`, which is a string or an iterable of strings.
fn strings(values: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<Vec<String>> {
    let wrong = |_| PyTypeError::new_err(format!("{name} must be a str or an iterable of str"));
    let values = values.map(|values| each(values).map_err(wrong)).transpose()?.unwrap_or_default();
    values.iter().map(|value| value.extract::<String>().map_err(wrong)).collect()
}

/// Finds out the encoding of a text that declares nothing, from its bytes alone. Returns a `Detection`.
///
/// The probability is calibrated: of the answers with 0.9, nine in ten give the right text. docs/detection.md of the
/// project says how the detector works and what it cannot know.
///
/// `among` has the labels of the only encodings that compete, and `exclude` those of encodings that do not compete.
/// `language` (codes of BCP 47), `top_level_domain` (of the host), `platform` ("windows", "mac", "unix" or "dos") and
/// `declared` (labels that the text or its protocol names) are evidence, and no orders: what is not known of them
/// changes nothing. `tiers` ("dos", "mac", "ebcdic", "johab") has the families of charsets that compete beside the
/// Standard's encodings. A string can stand in the place of a list with one string. `starts_mid_stream` and
/// `ends_mid_stream` say that the start or the end of the text is missing.
///
/// >>> data = "Съешь же ещё этих мягких французских булок".encode("cp866")
/// >>> textcodec.detect(data)
/// <textcodec.Detection legacy: IBM866, Russian, probability 0.99>
/// >>> textcodec.detect(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00").kind
/// 'jpeg'
/// >>> textcodec.detect(b"caf\xe9", among=["utf-8", "windows-1250"]).encoding.name
/// 'windows-1250'
#[pyfunction]
#[pyo3(
    signature = (data, *, among=None, exclude=None, language=None, top_level_domain=None, platform=None, declared=None,
        tiers=None, starts_mid_stream=false, ends_mid_stream=false),
    text_signature = "(data, *, among=None, exclude=None, language=None, top_level_domain=None, platform=None, declared=None, tiers=None, starts_mid_stream=False, ends_mid_stream=False)"
)]
#[allow(clippy::too_many_arguments, reason = "the arguments have names")]
pub(crate) fn detect<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    among: Option<&Bound<'py, PyAny>>,
    exclude: Option<&Bound<'py, PyAny>>,
    language: Option<&Bound<'py, PyAny>>,
    top_level_domain: Option<&Bound<'py, PyAny>>,
    platform: Option<&str>,
    declared: Option<&Bound<'py, PyAny>>,
    tiers: Option<&Bound<'py, PyAny>>,
    starts_mid_stream: bool,
    ends_mid_stream: bool,
) -> PyResult<PyDetection> {
    let known = Known {
        among,
        exclude,
        language,
        top_level_domain,
        platform,
        declared,
        tiers,
        starts_mid_stream,
        ends_mid_stream,
    };
    let options = known.options(py)?;
    if data.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("detect takes bytes, not str, which has no encoding"));
    }
    let source = Source::new(data)?;
    Ok(PyDetection(of_source(py, &source, &options)))
}

/// What the bytes of `source` are.
pub(crate) fn of_source(py: Python<'_>, source: &Source<'_>, options: &Options) -> Detection {
    let bytes = source.as_slice();
    let find = || detect_with(bytes, options);
    if matches!(source, Source::Bytes(_)) && bytes.len() >= RELEASE_FROM { py.detach(find) } else { find() }
}

/// A detector for a text that comes in pieces. The answer does not depend on how they are cut, and is that of the
/// function `detect`, which has the same arguments. It keeps at most 250 KB.
///
/// >>> detector = textcodec.Detector(language="de")
/// >>> detector.feed(b"Gr\xfc\xdfe aus ")
/// >>> detector.best_so_far().encoding.name
/// 'windows-1252'
/// >>> detector.feed(b"M\xfcnchen")
/// >>> detector.finish().encoding.name
/// 'windows-1252'
#[pyclass(module = "textcodec", name = "Detector")]
pub(crate) struct PyDetector {
    options: Options,
    /// The detector; `None` after the end of the text.
    detector: Option<Detector>,
}

#[pymethods]
impl PyDetector {
    #[new]
    #[pyo3(
        signature = (*, among=None, exclude=None, language=None, top_level_domain=None, platform=None, declared=None,
            tiers=None, starts_mid_stream=false, ends_mid_stream=false),
        text_signature = "(*, among=None, exclude=None, language=None, top_level_domain=None, platform=None, declared=None, tiers=None, starts_mid_stream=False, ends_mid_stream=False)"
    )]
    #[allow(clippy::too_many_arguments, reason = "the arguments have names")]
    fn new(
        py: Python<'_>,
        among: Option<&Bound<'_, PyAny>>,
        exclude: Option<&Bound<'_, PyAny>>,
        language: Option<&Bound<'_, PyAny>>,
        top_level_domain: Option<&Bound<'_, PyAny>>,
        platform: Option<&str>,
        declared: Option<&Bound<'_, PyAny>>,
        tiers: Option<&Bound<'_, PyAny>>,
        starts_mid_stream: bool,
        ends_mid_stream: bool,
    ) -> PyResult<Self> {
        let known = Known {
            among,
            exclude,
            language,
            top_level_domain,
            platform,
            declared,
            tiers,
            starts_mid_stream,
            ends_mid_stream,
        };
        let options = known.options(py)?;
        Ok(PyDetector { detector: Some(Detector::with_options(options.clone())), options })
    }

    /// Looks at the next bytes. After `finish` this raises ValueError.
    fn feed<'py>(slf: &Bound<'py, Self>, py: Python<'py>, data: &Bound<'py, PyAny>) -> PyResult<()> {
        let source = Source::new(data)?;
        let mut this = errors::borrow(slf)?;
        let detector = this.detector.as_mut().ok_or_else(has_ended)?;
        let bytes = source.as_slice();
        if matches!(source, Source::Bytes(_)) && bytes.len() >= RELEASE_FROM {
            py.detach(|| detector.feed(bytes));
        } else {
            detector.feed(bytes);
        }
        Ok(())
    }

    /// The `Detection` for the bytes so far, after which others may come. After `finish` this raises ValueError.
    fn best_so_far(slf: &Bound<'_, Self>) -> PyResult<PyDetection> {
        let this = errors::borrow(slf)?;
        let detector = this.detector.as_ref().ok_or_else(has_ended)?;
        Ok(PyDetection(detector.best_so_far()))
    }

    /// The `Detection` for the whole text. It can be called once; `reset` begins another text.
    fn finish(slf: &Bound<'_, Self>) -> PyResult<PyDetection> {
        let detector = errors::borrow(slf)?.detector.take().ok_or_else(has_ended)?;
        Ok(PyDetection(detector.finish()))
    }

    /// Forgets the bytes. The next ones are the start of another text.
    fn reset(slf: &Bound<'_, Self>) -> PyResult<()> {
        let mut this = errors::borrow(slf)?;
        this.detector = Some(Detector::with_options(this.options.clone()));
        Ok(())
    }
}

fn has_ended() -> PyErr {
    PyValueError::new_err("the text has ended with finish(); reset() begins another one")
}
