"""A replacement for the package chardet, with the detector of textcodec.

The names, arguments and results are those of chardet 7, or of chardet 5 after `use_version(5)`. `install` puts this
module in its place, for requests, Beautiful Soup and others:

>>> import textcodec.chardet
>>> textcodec.chardet.install()
>>> import chardet
>>> chardet.detect("Привет, как дела?".encode("koi8-r"))["encoding"]
'KOI8-R'

===================================  ==================================================================================
chardet                              here
===================================  ==================================================================================
detect, detect_all                   all arguments of both versions; `chunk_size` has no effect, as in chardet 7
UniversalDetector                    feed, close, reset, done, result, MINIMUM_THRESHOLD, ISO_WIN_MAP, LEGACY_MAP
EncodingEra, LanguageFilter          as in chardet; both limit the encodings that compete
DetectionDict, ResultDict            the types of the results
DEFAULT_MAX_BYTES,                   as in chardet
MINIMUM_THRESHOLD
__version__, VERSION                 the version of chardet whose interface this is
submodules                           enums, resultdict, universaldetector, version
DetectionResult, the other           not here: they are parts of chardet's own detector
submodules, the command chardetect
===================================  ==================================================================================

What differs: `confidence` is a calibrated probability. Without `max_bytes`, the whole text is looked at, in constant
memory. Encodings of chardet that the detector does not know, such as cp437, are no answers.
"""

from __future__ import annotations

import enum
import sys
import types
import warnings
from collections.abc import Iterable
from typing import ClassVar, TypedDict

from . import _peers, _textcodec

__all__ = [
    "DEFAULT_MAX_BYTES",
    "MINIMUM_THRESHOLD",
    "VERSION",
    "DetectionDict",
    "EncodingEra",
    "LanguageFilter",
    "ResultDict",
    "UniversalDetector",
    "__version__",
    "detect",
    "detect_all",
    "install",
    "use_version",
]

#: The version of chardet whose interface this module has.
__version__ = "7.7.0"
#: The same as a list of three strings.
VERSION = __version__.split(".")
#: The number of bytes that chardet 7 looks at. This module looks at all, unless `max_bytes` is given.
DEFAULT_MAX_BYTES = 200_000
#: Answers of `detect_all` have more confidence than this.
MINIMUM_THRESHOLD = 0.20
_DEFAULT_CHUNK_SIZE = 65_536
#: The number of bytes at the start that show the language of a text in Unicode.
_LANGUAGE_BYTES = 16_384


class ResultDict(TypedDict):
    """A result of chardet 5: the name of an encoding, the confidence from 0.0 to 1.0, and the language."""

    encoding: str | None
    confidence: float
    language: str | None


class DetectionDict(ResultDict, total=False):
    """A result of chardet 7, which has the media type, too."""

    mime_type: str | None


class EncodingEra(enum.IntFlag):
    """Groups of encodings, to limit what competes."""

    MODERN_WEB = 1
    LEGACY_ISO = 2
    LEGACY_MAC = 4
    LEGACY_REGIONAL = 8
    DOS = 16
    MAINFRAME = 32
    ALL = 63


class LanguageFilter(enum.IntFlag):
    """Groups of languages, to limit what competes in a `UniversalDetector`."""

    NONE = 0
    CHINESE_SIMPLIFIED = 1
    CHINESE_TRADITIONAL = 2
    JAPANESE = 4
    KOREAN = 8
    NON_CJK = 16
    ALL = 31
    CHINESE = 3
    CJK = 15


#: The answers that do not belong to the modern web.
_ERAS: dict[str, EncodingEra] = {
    **{answer: EncodingEra.LEGACY_ISO for answer in _peers.CODECS if answer.startswith("ISO-8859")},
    "macintosh": EncodingEra.LEGACY_MAC,
    "x-mac-cyrillic": EncodingEra.LEGACY_MAC,
    "UTF-7": EncodingEra.LEGACY_REGIONAL,
    "HZ": EncodingEra.LEGACY_REGIONAL,
    "ISO-2022-KR": EncodingEra.LEGACY_REGIONAL,
    "ISO-2022-CN": EncodingEra.LEGACY_REGIONAL,
    "IBM866": EncodingEra.DOS,
}

#: The answers that a language filter can leave out. Unicode stays with every filter.
_LANGUAGES: dict[str, LanguageFilter] = {
    **{
        answer: LanguageFilter.NON_CJK
        for answer in _peers.CODECS
        if answer.startswith(("ISO-8859", "windows", "KOI8", "IBM", "mac", "x-mac"))
    },
    "GBK": LanguageFilter.CHINESE_SIMPLIFIED,
    "gb18030": LanguageFilter.CHINESE_SIMPLIFIED,
    "HZ": LanguageFilter.CHINESE_SIMPLIFIED,
    "ISO-2022-CN": LanguageFilter.CHINESE_SIMPLIFIED,
    "Big5": LanguageFilter.CHINESE_TRADITIONAL,
    "EUC-JP": LanguageFilter.JAPANESE,
    "ISO-2022-JP": LanguageFilter.JAPANESE,
    "Shift_JIS": LanguageFilter.JAPANESE,
    "EUC-KR": LanguageFilter.KOREAN,
    "ISO-2022-KR": LanguageFilter.KOREAN,
}

#: The names that chardet 7 gives with `compat_names`. Other codecs keep their names.
_NAMES_7: dict[str, str] = {
    "big5": "Big5",
    "cp866": "IBM866",
    "cp874": "CP874",
    "cp932": "CP932",
    "cp949": "CP949",
    "cp950": "CP950",
    "euc_jp": "EUC-JP",
    "euc_kr": "EUC-KR",
    "gb18030": "GB18030",
    "gb2312": "GB2312",
    "hz": "HZ-GB-2312",
    "iso2022_cn": "ISO-2022-CN",
    "iso2022_jp": "ISO-2022-JP",
    "iso2022_kr": "ISO-2022-KR",
    **{f"iso8859-{part}": f"ISO-8859-{part}" for part in (1, 2, 5, 6, 7, 8, 9, 11, 13)},
    "koi8-r": "KOI8-R",
    "mac-cyrillic": "MacCyrillic",
    "mac-roman": "MacRoman",
    "shift_jis": "SHIFT_JIS",
    "tis-620": "TIS-620",
    "utf-16": "UTF-16",
    "utf-32": "UTF-32",
    "utf-8-sig": "UTF-8-SIG",
    **{f"cp{page}": f"Windows-{page}" for page in range(1250, 1258)},
}

#: The names of chardet 5, as far as they differ.
_NAMES_5: dict[str, str] = {
    **_NAMES_7,
    **{f"iso8859-{part}": f"ISO-8859-{part}" for part in (3, 4, 10, 14, 15, 16)},
    **{f"cp{page}": f"windows-{page}" for page in (1250, 1251, 1253, 1255, 1258)},
    "koi8-u": "KOI8-U",
    "utf-16-be": "utf-16be",
    "utf-16-le": "utf-16le",
    "utf-32-be": "utf-32be",
    "utf-32-le": "utf-32le",
}

#: Codecs that decode more, for `should_rename_legacy` and `prefer_superset`.
_SUPERSETS_7: dict[str, str] = {
    "ascii": "cp1252",
    "euc_kr": "cp949",
    "iso8859-1": "cp1252",
    "iso8859-2": "cp1250",
    "iso8859-5": "cp1251",
    "iso8859-6": "cp1256",
    "iso8859-7": "cp1253",
    "iso8859-8": "cp1255",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "iso8859-13": "cp1257",
    "tis-620": "cp874",
}
_SUPERSETS_5: dict[str, str] = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "tis-620": "iso8859-11",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "euc_kr": "cp949",
    "utf-16-le": "utf-16",
}


def _is_version_5() -> bool:
    return __version__.startswith("5.")


def use_version(version: int) -> None:
    """Chooses the version of chardet, 5 or 7, whose names and results this module gives. At the start it is 7.

    Version 5 gives "ISO-8859-1" where 7 gives "Windows-1252" for the same text, "GB2312" for "GB18030", "windows-1251"
    for "Windows-1251", names of languages for their codes, no `mime_type`, and None for an empty text.

    >>> data = "Grüße aus München".encode("latin1")
    >>> textcodec.chardet.use_version(5)
    >>> textcodec.chardet.detect(data)["encoding"], textcodec.chardet.detect(data)["language"]
    ('ISO-8859-1', 'German')
    >>> textcodec.chardet.use_version(7)
    >>> textcodec.chardet.detect(data)["encoding"], textcodec.chardet.detect(data)["language"]
    ('Windows-1252', 'de')
    """
    global VERSION, __version__
    if version not in (5, 7):
        raise ValueError(f"version must be 5 or 7, not {version!r}")
    __version__ = "5.2.0" if version == 5 else "7.7.0"
    VERSION = __version__.split(".")
    module = sys.modules.get("chardet.version")
    if module is not None and getattr(module, "_of_textcodec", False):
        vars(module).update(__version__=__version__, VERSION=VERSION)


class _Settings:
    """The arguments that say what competes and how it is named."""

    def __init__(
        self,
        should_rename_legacy: bool,
        encoding_era: EncodingEra,
        lang_filter: LanguageFilter,
        max_bytes: int | None,
        prefer_superset: bool,
        compat_names: bool,
        include_encodings: Iterable[str] | None,
        exclude_encodings: Iterable[str] | None,
        no_match_encoding: str,
        empty_input_encoding: str,
    ) -> None:
        if max_bytes is not None and (isinstance(max_bytes, bool) or not isinstance(max_bytes, int) or max_bytes < 1):
            raise ValueError("max_bytes must be a positive integer")
        self.max_bytes = max_bytes
        self.prefer_superset = should_rename_legacy or prefer_superset
        self.compat_names = compat_names
        for name, argument in ((no_match_encoding, "no_match_encoding"), (empty_input_encoding, "empty_input_encoding")):
            _known(name, argument)
        self.no_match, self.empty = no_match_encoding, empty_input_encoding
        included, excluded = (
            _all_known(include_encodings, "include_encodings"),
            _all_known(exclude_encodings, "exclude_encodings"),
        )
        self.allowed: frozenset[str] | None = None
        if included is not None or excluded is not None or encoding_era != EncodingEra.ALL or lang_filter != LanguageFilter.ALL:
            self.allowed = frozenset(
                answer
                for answer in _peers.CODECS
                if (included is None or answer in included)
                and answer not in (excluded or ())
                and encoding_era & _ERAS.get(answer, EncodingEra.MODERN_WEB)
                and lang_filter & _LANGUAGES.get(answer, LanguageFilter.ALL)
            )
        self.shows_ascii = self.allowed is None or "UTF-8" in self.allowed

    def results(self, found: _textcodec.Detection | None, head: bytes, is_whole: bool) -> list[DetectionDict]:
        """The results, the most probable first. `head` has the first bytes, or all of them if `is_whole`."""
        if found is not None and found.verdict == "empty":
            return [self._result(None if _is_version_5() else self.empty, 0.0 if _is_version_5() else 0.1, None)]
        if found is not None and found.verdict == "binary":
            mime_type = _peers.MEDIA_TYPES.get(found.kind or "", "application/octet-stream")
            return [self._result(None, 0.0 if _is_version_5() else 1.0, None, mime_type)]
        candidates = () if found is None else found.candidates
        results: dict[str, DetectionDict] = {}
        for candidate in candidates:
            if self.allowed is not None and candidate.name not in self.allowed:
                continue
            assert found is not None
            certain = found.verdict == "ascii" or found.has_bom
            codec = self._codec(found, candidate, head, is_whole)
            if self.prefer_superset:
                superset = (_SUPERSETS_5 if _is_version_5() else _SUPERSETS_7).get(codec)
                if superset is not None and _peers._decodes(head, superset):
                    codec = superset
            name = codec
            if self.compat_names:
                name = (_NAMES_5 if _is_version_5() else _NAMES_7).get(codec, codec)
            if name not in results:
                language = _peers.language_of(candidate)
                if found.verdict.startswith(("utf", "damaged")) and not results and not _is_version_5():
                    language = _peers.language_of_text(head[: _LANGUAGE_BYTES].decode(codec, "ignore"))
                results[name] = self._result(name, 1.0 if certain else candidate.probability, language)
            if found.verdict == "ascii":
                break
        if results:
            return list(results.values())
        if _is_version_5():
            return [self._result(None, 0.0, None)]
        return [self._result(self.no_match, 0.1, None)]

    def _codec(
        self, found: _textcodec.Detection, candidate: _textcodec.Candidate, head: bytes, is_whole: bool
    ) -> str:
        """The name of Python's codec for a candidate."""
        if found.verdict == "ascii" and self.shows_ascii:
            return "ascii"
        if found.has_bom:
            return {"UTF-8": "utf-8-sig"}.get(candidate.name, "utf-16" if found.verdict == "utf-16" else "utf-32")
        # Bytes after the head may need the larger codec.
        return _peers.codec_of(candidate.name, head, narrow=is_whole and _is_version_5())

    def _result(
        self,
        encoding: str | None,
        confidence: float,
        language: tuple[str | None, str | None] | None,
        mime_type: str = "text/plain",
    ) -> DetectionDict:
        """A result in the form of the version. `language` is the code and the name of the language."""
        code, name = language or (None, None)
        if _is_version_5():
            name = None if language is None else name or ""
            return {"encoding": encoding, "confidence": confidence, "language": name}
        return {"encoding": encoding, "confidence": confidence, "language": code, "mime_type": mime_type}


def _known(name: str, argument: str) -> frozenset[str]:
    """The answers that a name means; ValueError for a name that Python does not know."""
    try:
        return _peers.answers_of(name)
    except LookupError:
        raise ValueError(f"Unknown encoding {name!r} in {argument}") from None


def _all_known(names: Iterable[str] | None, argument: str) -> frozenset[str] | None:
    """The answers that names mean."""
    if names is None:
        return None
    meant = [_known(name, argument) for name in names]
    if not meant:
        raise ValueError(f"{argument} must not be empty; None stands for all encodings")
    return frozenset(answer for answers in meant for answer in answers)


def _bytes(byte_str: bytes | bytearray) -> bytes | bytearray:
    """The argument, which is bytes."""
    if not isinstance(byte_str, (bytes, bytearray)):
        raise TypeError(f"Expected object of type bytes or bytearray, got: {type(byte_str)}")
    return byte_str


def _detect(byte_str: bytes | bytearray, settings: _Settings, chunk_size: int) -> list[DetectionDict]:
    """The results for a whole text."""
    if chunk_size != _DEFAULT_CHUNK_SIZE:
        warnings.warn("chunk_size has no effect", DeprecationWarning, stacklevel=3)
    data = bytes(_bytes(byte_str))
    is_whole = settings.max_bytes is None or len(data) <= settings.max_bytes
    data = data[: settings.max_bytes]
    search = _peers.Search(settings.allowed)
    search.feed(data)
    return settings.results(search.finish(), data, is_whole)


def detect(
    byte_str: bytes | bytearray,
    should_rename_legacy: bool = False,
    encoding_era: EncodingEra = EncodingEra.ALL,
    chunk_size: int = _DEFAULT_CHUNK_SIZE,
    max_bytes: int | None = None,
    *,
    prefer_superset: bool = False,
    compat_names: bool = True,
    include_encodings: Iterable[str] | None = None,
    exclude_encodings: Iterable[str] | None = None,
    no_match_encoding: str = "cp1252",
    empty_input_encoding: str = "utf-8",
) -> DetectionDict:
    """The most probable encoding of a text, in a dictionary.

    The arguments are those of chardet 7; chardet 5 has the first two. Python decodes the text by the name that this
    returns. With `compat_names=False` it is the name of Python's codec.

    >>> result = textcodec.chardet.detect("Съешь же ещё этих мягких французских булок".encode("cp1251"))
    >>> result["encoding"], result["language"], result["confidence"] > 0.9
    ('Windows-1251', 'ru', True)
    >>> textcodec.chardet.detect(b"plain")
    {'encoding': 'ascii', 'confidence': 1.0, 'language': None, 'mime_type': 'text/plain'}
    """
    settings = _Settings(
        should_rename_legacy,
        encoding_era,
        LanguageFilter.ALL,
        max_bytes,
        prefer_superset,
        compat_names,
        include_encodings,
        exclude_encodings,
        no_match_encoding,
        empty_input_encoding,
    )
    return _detect(byte_str, settings, chunk_size)[0]


def detect_all(
    byte_str: bytes | bytearray,
    ignore_threshold: bool = False,
    should_rename_legacy: bool = False,
    encoding_era: EncodingEra = EncodingEra.ALL,
    chunk_size: int = _DEFAULT_CHUNK_SIZE,
    max_bytes: int | None = None,
    *,
    prefer_superset: bool = False,
    compat_names: bool = True,
    include_encodings: Iterable[str] | None = None,
    exclude_encodings: Iterable[str] | None = None,
    no_match_encoding: str = "cp1252",
    empty_input_encoding: str = "utf-8",
) -> list[DetectionDict]:
    """All encodings that the text can be in, the most probable first.

    Without `ignore_threshold`, those with a confidence of at most MINIMUM_THRESHOLD are left out, unless all have so
    little. Encodings that give the same text have the same confidence.

    >>> results = textcodec.chardet.detect_all("Привет, как дела?".encode("koi8-r"))
    >>> [result["encoding"] for result in results]
    ['KOI8-R', 'koi8-u']
    """
    settings = _Settings(
        should_rename_legacy,
        encoding_era,
        LanguageFilter.ALL,
        max_bytes,
        prefer_superset,
        compat_names,
        include_encodings,
        exclude_encodings,
        no_match_encoding,
        empty_input_encoding,
    )
    results = _detect(byte_str, settings, chunk_size)
    if ignore_threshold:
        return results
    return [result for result in results if result["confidence"] > MINIMUM_THRESHOLD] or results


class UniversalDetector:
    """A detector for a text that comes in pieces.

    The arguments are those of chardet 7; chardet 5 has the first two. `lang_filter` limits the languages, as in
    chardet 5.

    >>> detector = textcodec.chardet.UniversalDetector()
    >>> detector.feed(b"Gr\\xfc\\xdfe aus ")
    >>> detector.feed(b"M\\xfcnchen")
    >>> detector.close()["encoding"], detector.done
    ('Windows-1252', True)
    """

    MINIMUM_THRESHOLD = MINIMUM_THRESHOLD
    #: The Windows code pages that have more characters, by the names of chardet 5.
    ISO_WIN_MAP: ClassVar[dict[str, str]] = {
        f"iso-8859-{part}": f"Windows-{page}"
        for part, page in ((1, 1252), (2, 1250), (5, 1251), (6, 1256), (7, 1253), (8, 1255), (9, 1254), (13, 1257))
    }
    #: What `should_rename_legacy` puts in the place of a codec of Python.
    LEGACY_MAP: ClassVar[dict[str, str]] = _SUPERSETS_7

    def __init__(
        self,
        lang_filter: LanguageFilter = LanguageFilter.ALL,
        should_rename_legacy: bool = False,
        encoding_era: EncodingEra = EncodingEra.ALL,
        max_bytes: int | None = None,
        *,
        prefer_superset: bool = False,
        compat_names: bool = True,
        include_encodings: Iterable[str] | None = None,
        exclude_encodings: Iterable[str] | None = None,
        no_match_encoding: str = "cp1252",
        empty_input_encoding: str = "utf-8",
    ) -> None:
        self.lang_filter = lang_filter
        self._settings = _Settings(
            should_rename_legacy,
            encoding_era,
            lang_filter,
            max_bytes,
            prefer_superset,
            compat_names,
            include_encodings,
            exclude_encodings,
            no_match_encoding,
            empty_input_encoding,
        )
        self.reset()

    def reset(self) -> None:
        """Forgets the text. The next bytes are the start of another one."""
        self._search = _peers.Search(self._settings.allowed)
        self._head = b""
        self._length = 0
        self._is_done = self._is_closed = False
        self._result: DetectionDict | None = None

    def feed(self, byte_str: bytes | bytearray) -> None:
        """Looks at the next bytes. After `done`, it ignores them; after `close`, ValueError as in chardet 7, or nothing
        as in chardet 5."""
        if self._is_closed and not _is_version_5():
            raise ValueError("feed() called after close() without reset()")
        data = _bytes(byte_str)
        if self._is_done:
            self._length += len(data)
            return
        most = self._settings.max_bytes
        if most is not None:
            data = data[: most - self._length]
        self._head += bytes(data[: DEFAULT_MAX_BYTES - len(self._head)])
        was_short = self._length < 4
        self._length += len(byte_str)
        self._search.feed(data)
        # A byte order mark decides, but says no language, which chardet 5 does not tell. The mark of UTF-16LE can also
        # begin UTF-32LE, whose length matters.
        if _is_version_5() and was_short and self._length >= 4 and not self._head.startswith(b"\xff\xfe\0\0"):
            self._is_done = self._search.begins_with_bom()
        self._is_done = self._is_done or (most is not None and self._length >= most)

    def close(self) -> DetectionDict:
        """The result for the whole text."""
        self._is_done = self._is_closed = True
        return self.result

    @property
    def done(self) -> bool:
        """Whether more bytes would not change the result: after `max_bytes`, after `close`, and in chardet 5 after a
        byte order mark."""
        return self._is_done

    @property
    def result(self) -> DetectionDict:
        """The result when the detector is done. Before, its encoding is None."""
        if self._result is None and self._is_done:
            is_whole = len(self._head) == self._length
            self._result = self._settings.results(self._search.finish(), self._head, is_whole)[0]
        if self._result is not None:
            return self._result.copy()
        none: DetectionDict = {"encoding": None, "confidence": 0.0, "language": None}
        return none if _is_version_5() else {**none, "mime_type": None}


def install(version: int = 7) -> None:
    """Puts this module into `sys.modules` under the name chardet, and its submodules with it. `version` is as for
    `use_version`.

    Call it before the first import of a package that uses chardet: a package that has imported functions of chardet
    keeps them.
    """
    use_version(version)
    this = sys.modules[__name__]

    def module(name: str, **members: object) -> None:
        part = types.ModuleType(f"chardet.{name}", f"A part of {__name__}.")
        vars(part).update(members)
        sys.modules[f"chardet.{name}"] = part
        setattr(this, name, part)

    module("enums", EncodingEra=EncodingEra, LanguageFilter=LanguageFilter)
    module("resultdict", ResultDict=ResultDict)
    module("universaldetector", UniversalDetector=UniversalDetector)
    module("version", __version__=__version__, VERSION=VERSION, _of_textcodec=True)
    sys.modules["chardet"] = this
