"""A replacement for the package charset-normalizer, with the detector of textcodec.

The names, arguments and results are those of charset-normalizer 3.5. `install` puts this module in its place, for
requests and others:

>>> import textcodec.charset_normalizer
>>> textcodec.charset_normalizer.install()
>>> from charset_normalizer import from_bytes
>>> best = from_bytes("Привет, как дела?".encode("koi8-r")).best()
>>> best.encoding, best.language, str(best)
('koi8_r', 'Russian', 'Привет, как дела?')

====================================  =================================================================================
charset-normalizer                    here
====================================  =================================================================================
from_bytes, from_fp, from_path        all arguments; `cp_isolation`, `cp_exclusion` and `preemptive_behaviour` have an
                                      effect, the others belong to the method of charset-normalizer and have none
is_binary, detect                     as in charset-normalizer
CharsetMatches                        best, first, append, iteration, len, bool, and items by number or by name
CharsetMatch                          encoding, encoding_aliases, could_be_from_charset, bom, byte_order_mark, language,
                                      languages, chaos, coherence, percent_chaos, percent_coherence, multi_byte_usage,
                                      fingerprint, raw, submatch, has_submatch, add_submatch, output, str, ==, <
CharsetMatch.alphabets                not here: it needs a table of the blocks of Unicode
set_logging_handler, explain=True     not here: there are no steps to explain
__version__, VERSION                  the version of charset-normalizer whose interface this is
submodules                            api, legacy, models, version
the command normalizer                not here: `python -m textcodec` is like it
====================================  =================================================================================

What differs: `chaos` is the probability that the text is wrong, and `coherence` the probability that it is right in its
language. The text is that of textcodec, with U+FFFD for malformed bytes. A best match is there for all that is no
binary data.
"""

from __future__ import annotations

import builtins
import os
import re
import sys
import types
import warnings
from collections.abc import Iterable, Iterator
from encodings.aliases import aliases
from typing import BinaryIO, TypedDict

from . import _peers, _textcodec

__all__ = [
    "VERSION",
    "CharsetMatch",
    "CharsetMatches",
    "ResultDict",
    "__version__",
    "detect",
    "from_bytes",
    "from_fp",
    "from_path",
    "install",
    "is_binary",
]

#: The version of charset-normalizer whose interface this module has.
__version__ = "3.5.3"
#: The same as a list of three strings.
VERSION = __version__.split(".")

#: Matches with less probability than this are left out.
_LEAST_PROBABILITY = 0.01
#: The number of bytes and of characters at the start in which a declaration can stand.
_DECLARATION_LENGTH = 8192
# The word "coding" is also the end of the "encoding" of XML.
_DECLARATION = re.compile(r"(?:charset|coding)[:= ]{1,10}[\"']?([\w-]+)", re.IGNORECASE | re.ASCII)

#: The names that `detect` gives for names of Python's codecs. The others stay.
_CHARDET_NAMES: dict[str, str] = {
    "big5": "Big5",
    "cp866": "IBM866",
    "cp932": "CP932",
    "cp949": "CP949",
    "cp1252": "Windows-1252",
    "cp1254": "Windows-1254",
    **{f"cp{page}": f"windows-{page}" for page in (1250, 1251, 1253, 1255, 1256)},
    "euc_jp": "EUC-JP",
    "euc_kr": "EUC-KR",
    "gb18030": "GB18030",
    "gb2312": "GB2312",
    "iso2022_jp": "ISO-2022-JP",
    "iso2022_kr": "ISO-2022-KR",
    **{f"iso8859_{part}": f"ISO-8859-{part}" for part in (2, 5, 6, 7, 8)},
    "koi8_r": "KOI8-R",
    "latin_1": "ISO-8859-1",
    "mac_cyrillic": "MacCyrillic",
    "shift_jis": "SHIFT_JIS",
    "utf_16": "UTF-16",
    "utf_32": "UTF-32",
    "utf_8": "utf-8",
    "utf_8_sig": "UTF-8-SIG",
}


def _normal(name: str) -> str:
    """The name of a codec as Python names its module."""
    name = name.lower().replace("-", "_")
    return aliases.get(name, name)


class CharsetMatch:
    """An encoding that a text can be in, and the text.

    >>> match = textcodec.charset_normalizer.from_bytes("Grüße aus München".encode("latin1")).best()
    >>> match
    <CharsetMatch 'cp1252'>
    >>> "iso8859_15" in match.could_be_from_charset, match.language, match.output()
    (True, 'German', b'Gr\\xc3\\xbc\\xc3\\x9fe aus M\\xc3\\xbcnchen')
    """

    def __init__(
        self,
        payload: bytes | bytearray,
        guessed_encoding: str,
        mean_mess_ratio: float,
        has_sig_or_bom: bool,
        languages: list[tuple[str, float]],
        decoded_payload: str | None = None,
        preemptive_declaration: str | None = None,
    ) -> None:
        self._payload = payload
        self._encoding = guessed_encoding
        self._chaos = mean_mess_ratio
        self._has_bom = has_sig_or_bom
        self._known_languages: list[tuple[str, float]] | None = languages
        self._text = decoded_payload
        self._declaration = preemptive_declaration
        self._submatch: list[CharsetMatch] = []
        #: The answer of the detector, if it is an encoding of the Standard.
        self._answer: _textcodec.Encoding | None = None

    def __str__(self) -> str:
        if self._text is None:
            if self._answer is not None:
                self._text = self._answer.decode(self._payload)[0]
            else:
                self._text = str(self._payload, self._encoding, "replace")
        return self._text

    def __repr__(self) -> str:
        return f"<CharsetMatch {self.encoding!r}>"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return _normal(other) == self.encoding
        if not isinstance(other, CharsetMatch):
            return False
        return self.encoding == other.encoding and str(self) == str(other)

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, CharsetMatch):
            raise ValueError("a CharsetMatch can be compared with another one only")
        return (self.chaos, -self.coherence) < (other.chaos, -other.coherence)

    @property
    def encoding(self) -> str:
        """The name of Python's codec, with underscores."""
        return self._encoding

    @property
    def encoding_aliases(self) -> list[str]:
        """Other names of the codec."""
        return [alias for alias, codec in aliases.items() if codec == self._encoding and alias != codec]

    @property
    def could_be_from_charset(self) -> list[str]:
        """The names of all codecs that give the same text; this one is the first."""
        return [self._encoding, *(match.encoding for match in self._submatch)]

    @property
    def bom(self) -> bool:
        """Whether the text begins with a byte order mark."""
        return self._has_bom

    @property
    def byte_order_mark(self) -> bool:
        """The same as `bom`."""
        return self._has_bom

    @property
    def _languages(self) -> list[tuple[str, float]]:
        """The names and the probabilities of the possible languages."""
        if self._known_languages is None:
            _, language = _peers.language_of_text(str(self))
            self._known_languages = [] if language is None else [(language, 1.0 - self._chaos)]
        return self._known_languages

    @property
    def languages(self) -> list[str]:
        """The English names of the possible languages, the most probable first."""
        return [language for language, _ in self._languages]

    @property
    def language(self) -> str:
        """The English name of the most probable language, or "Unknown"."""
        if self._languages:
            return self._languages[0][0]
        return "English" if self._encoding == "ascii" else "Unknown"

    @property
    def chaos(self) -> float:
        """The probability that the text is wrong."""
        return self._chaos

    @property
    def coherence(self) -> float:
        """The probability that the text is right in its language; 0.0 without a language."""
        return self._languages[0][1] if self._languages else 0.0

    @property
    def percent_chaos(self) -> float:
        """`chaos` in percent."""
        return round(self.chaos * 100, 3)

    @property
    def percent_coherence(self) -> float:
        """`coherence` in percent."""
        return round(self.coherence * 100, 3)

    @property
    def multi_byte_usage(self) -> float:
        """The part of the bytes that are not the first of a character."""
        return 1.0 - len(str(self)) / len(self._payload) if self._payload else 0.0

    @property
    def fingerprint(self) -> int:
        """The hash of the text."""
        return hash(str(self))

    @property
    def raw(self) -> bytes | bytearray:
        """The bytes."""
        return self._payload

    @property
    def submatch(self) -> list[CharsetMatch]:
        """The matches that give the same text."""
        return self._submatch

    @property
    def has_submatch(self) -> bool:
        """Whether other matches give the same text."""
        return bool(self._submatch)

    def add_submatch(self, other: CharsetMatch) -> None:
        """Adds a match that gives the same text."""
        if not isinstance(other, CharsetMatch) or other == self:
            raise ValueError(f"a submatch must be another CharsetMatch, not {other!r}")
        self._submatch.append(other)

    def output(self, encoding: str = "utf_8") -> bytes:
        """The text in another encoding of Python. A declaration at its start, if it has one, names that encoding."""
        text = str(self)
        if self._declaration is not None and _normal(self._declaration) != _normal(encoding):
            name = _normal(encoding).replace("_", "-")

            def renamed(found: re.Match[str]) -> str:
                return found[0].replace(found[1], name)

            text = _DECLARATION.sub(renamed, text[:_DECLARATION_LENGTH], count=1) + text[_DECLARATION_LENGTH:]
        return text.encode(encoding, "replace")


class CharsetMatches:
    """The matches of a text, the most probable first. A list for most purposes."""

    def __init__(self, results: list[CharsetMatch] | None = None) -> None:
        self._results = sorted(results or [])

    def __iter__(self) -> Iterator[CharsetMatch]:
        return iter(self._results)

    def __getitem__(self, item: int | str) -> CharsetMatch:
        if isinstance(item, int):
            return self._results[item]
        for match in self._results:
            if _normal(item) in match.could_be_from_charset:
                return match
        raise KeyError(item)

    def __len__(self) -> int:
        return len(self._results)

    def append(self, item: CharsetMatch) -> None:
        """Adds a match, below another one if both give the same text."""
        if not isinstance(item, CharsetMatch):
            raise ValueError(f"cannot append {type(item).__name__} to CharsetMatches")
        for match in self._results:
            if match.fingerprint == item.fingerprint and match.chaos == item.chaos:
                return match.add_submatch(item)
        self._results = sorted([*self._results, item])

    def best(self) -> CharsetMatch | None:
        """The most probable match. None for binary data."""
        return self._results[0] if self._results else None

    def first(self) -> CharsetMatch | None:
        """The same as `best`."""
        return self.best()


class ResultDict(TypedDict):
    """A result of `detect`."""

    encoding: str | None
    language: str
    confidence: float | None


def _codec_name(codec: str) -> str:
    """The name of a codec with underscores, as Python names its module."""
    return "latin_1" if codec == "iso8859-1" else codec.replace("-", "_")


def _allowed(isolation: Iterable[str] | None, exclusion: Iterable[str] | None) -> frozenset[str] | None:
    """The answers that compete; None for all."""

    def meant(names: Iterable[str]) -> set[str]:
        answers: set[str] = set()
        for name in names:
            try:
                answers |= _peers.answers_of(name)
            except LookupError:
                raise ValueError(f"Unable to retrieve IANA for {name!r}") from None
        return answers

    if not isolation and not exclusion:
        return None
    return frozenset((meant(isolation) if isolation else set(_peers.CODECS)) - meant(exclusion or ()))


def from_bytes(
    sequences: bytes | bytearray,
    steps: int = 5,
    chunk_size: int = 512,
    threshold: float = 0.2,
    cp_isolation: list[str] | None = None,
    cp_exclusion: list[str] | None = None,
    preemptive_behaviour: bool = True,
    explain: bool = False,
    language_threshold: float = 0.1,
    enable_fallback: bool = True,
) -> CharsetMatches:
    """The encodings that a text can be in.

    `cp_isolation` names the only codecs that compete, and `cp_exclusion` codecs that do not compete. With
    `preemptive_behaviour`, a declaration at the start of the text is evidence. The other arguments have no effect.

    >>> matches = textcodec.charset_normalizer.from_bytes("日本語の文章を書いたものです。".encode("euc-jp"))
    >>> matches.best().encoding, str(matches.best())
    ('euc_jp', '日本語の文章を書いたものです。')
    """
    if not isinstance(sequences, (bytes, bytearray)):
        raise TypeError(f"Expected object of type bytes or bytearray, got: {type(sequences)}")
    data = bytes(sequences)
    allowed = _allowed(cp_isolation, cp_exclusion)
    declaration = None
    if preemptive_behaviour:
        declaration = _DECLARATION.search(data[:_DECLARATION_LENGTH].decode("ascii", "ignore"))
    declared = declaration[1] if declaration else None
    search = _peers.Search(allowed, declared)
    search.feed(data)
    found = search.finish()
    if found is not None and found.verdict == "empty":
        return CharsetMatches([CharsetMatch(data, "utf_8", 0.0, False, [], "")])
    groups: dict[int, list[CharsetMatch]] = {}
    for candidate in () if found is None else found.candidates:
        if (allowed is not None and candidate.name not in allowed) or candidate.probability < _LEAST_PROBABILITY:
            continue
        assert found is not None
        group = groups.setdefault(candidate.group, [])
        codec = _codec_name(_peers.codec_of(candidate.name, data))
        if found.verdict == "ascii" and not group:
            codec = "ascii"
        elif found.has_bom and found.verdict != "utf-8":
            codec = "utf_16" if found.verdict == "utf-16" else "utf_32"
        if any(match.encoding == codec for match in group):
            continue
        chaos = 0.0 if found.verdict == "ascii" or found.has_bom else round(1.0 - candidate.probability, 6)
        _, language = _peers.language_of(candidate)
        languages = [] if language is None else [(language, candidate.probability)]
        match = CharsetMatch(data, codec, chaos, found.has_bom, languages, None, declared)
        match._answer = candidate.encoding
        if found.verdict.startswith(("utf", "damaged")):
            # The language of a text in Unicode is looked for when somebody asks.
            match._known_languages = None
        group.append(match)
    for first, *others in groups.values():
        for other in others:
            first.add_submatch(other)
    return CharsetMatches([group[0] for group in groups.values()])


def from_fp(
    fp: BinaryIO,
    steps: int = 5,
    chunk_size: int = 512,
    threshold: float = 0.2,
    cp_isolation: list[str] | None = None,
    cp_exclusion: list[str] | None = None,
    preemptive_behaviour: bool = True,
    explain: bool = False,
    language_threshold: float = 0.1,
    enable_fallback: bool = True,
) -> CharsetMatches:
    """As `from_bytes`, for an open file, which stays open."""
    return from_bytes(
        fp.read(), cp_isolation=cp_isolation, cp_exclusion=cp_exclusion, preemptive_behaviour=preemptive_behaviour
    )


def from_path(
    path: str | bytes | os.PathLike[str] | os.PathLike[bytes],
    steps: int = 5,
    chunk_size: int = 512,
    threshold: float = 0.2,
    cp_isolation: list[str] | None = None,
    cp_exclusion: list[str] | None = None,
    preemptive_behaviour: bool = True,
    explain: bool = False,
    language_threshold: float = 0.1,
    enable_fallback: bool = True,
) -> CharsetMatches:
    """As `from_bytes`, for the file with this name."""
    with builtins.open(path, "rb") as file:
        return from_fp(
            file, cp_isolation=cp_isolation, cp_exclusion=cp_exclusion, preemptive_behaviour=preemptive_behaviour
        )


def is_binary(
    fp_or_path_or_payload: str | os.PathLike[str] | bytes | bytearray | BinaryIO,
    steps: int = 5,
    chunk_size: int = 512,
    threshold: float = 0.2,
    cp_isolation: list[str] | None = None,
    cp_exclusion: list[str] | None = None,
    preemptive_behaviour: bool = True,
    explain: bool = False,
    language_threshold: float = 0.1,
    enable_fallback: bool = False,
) -> bool:
    """Whether bytes, an open file, or the file with a name are no text.

    >>> textcodec.charset_normalizer.is_binary(b"\\xff\\xd8\\xff\\xe0\\x00\\x10JFIF\\x00")
    True
    """
    if isinstance(fp_or_path_or_payload, (str, os.PathLike)):
        with builtins.open(fp_or_path_or_payload, "rb") as file:
            data: bytes | bytearray = file.read()
    elif isinstance(fp_or_path_or_payload, (bytes, bytearray)):
        data = fp_or_path_or_payload
    else:
        data = fp_or_path_or_payload.read()
    return not from_bytes(
        data, cp_isolation=cp_isolation, cp_exclusion=cp_exclusion, preemptive_behaviour=preemptive_behaviour
    )


def detect(byte_str: bytes | bytearray, should_rename_legacy: bool = False, **kwargs: object) -> ResultDict:
    """The most probable encoding, by the name that chardet has for it; with `should_rename_legacy`, that of Python's
    codec.

    >>> textcodec.charset_normalizer.detect(b"plain")
    {'encoding': 'ascii', 'language': 'English', 'confidence': 1.0}
    """
    if kwargs:
        warnings.warn(f"detect() ignores the arguments {', '.join(kwargs)}", stacklevel=2)
    best = from_bytes(byte_str).best()
    if best is None:
        return {"encoding": None, "language": "", "confidence": None}
    encoding = "utf_8_sig" if best.encoding == "utf_8" and best.bom else best.encoding
    if not should_rename_legacy:
        encoding = _CHARDET_NAMES.get(encoding, encoding)
    language = "" if best.language == "Unknown" else best.language
    return {"encoding": encoding, "language": language, "confidence": round(1.0 - best.chaos, 6)}


def install() -> None:
    """Puts this module into `sys.modules` under the name charset_normalizer, and its submodules with it.

    Call it before the first import of a package that uses charset_normalizer: a package that has imported its functions
    keeps them.
    """
    this = sys.modules[__name__]

    def module(name: str, **members: object) -> None:
        part = types.ModuleType(f"charset_normalizer.{name}", f"A part of {__name__}.")
        vars(part).update(members)
        sys.modules[f"charset_normalizer.{name}"] = part
        setattr(this, name, part)

    module("api", from_bytes=from_bytes, from_fp=from_fp, from_path=from_path, is_binary=is_binary)
    module("legacy", detect=detect, ResultDict=ResultDict)
    module("models", CharsetMatch=CharsetMatch, CharsetMatches=CharsetMatches)
    module("version", __version__=__version__, VERSION=VERSION)
    sys.modules["charset_normalizer"] = this
