"""A replacement for the package cchardet (faust-cchardet), with the detector of textcodec.

The names, arguments and results are those of cchardet 3. `install` puts this module in its place, for Beautiful Soup,
feedparser and others:

>>> import textcodec.cchardet
>>> textcodec.cchardet.install()
>>> import cchardet
>>> cchardet.detect("Привет, как дела?".encode("koi8-r"))["encoding"]
'KOI8-R'

==================  ===========================================================
cchardet            here
==================  ===========================================================
detect              as in cchardet
UniversalDetector   feed, close, reset, done, result, and as a context manager
DetectionResult     the type of the result
__version__         the version of cchardet whose interface this is
the command         not here: `python -m textcodec sniff --guess` is like it
==================  ===========================================================

What differs: `confidence` is a calibrated probability, and binary data has no encoding.
"""

from __future__ import annotations

import sys
import types
from typing import TYPE_CHECKING, Literal, TypedDict

from . import _peers, _textcodec

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["DetectionResult", "UniversalDetector", "__version__", "detect", "install"]

#: The version of cchardet whose interface this module has.
__version__ = "3.2.0"

#: The number of bytes at the start that decide between the names of codecs for one encoding.
_HEAD = 200_000


class DetectionResult(TypedDict):
    """A result: the name of an encoding and the confidence from 0.0 to 1.0, or None for both."""

    encoding: str | None
    confidence: float | None


#: The names of cchardet that are not those of Python's codecs in capitals.
_NAMES: dict[str, str] = {
    "cp866": "IBM866",
    "cp932": "CP932",
    "cp949": "UHC",
    "euc_jp": "EUC-JP",
    "euc_kr": "EUC-KR",
    "hz": "HZ-GB-2312",
    "mac-cyrillic": "maccyrillic",
    "mac-roman": "MAC-ROMAN",
    "utf-16-be": "UTF-16BE",
    "utf-16-le": "UTF-16LE",
    "utf-32-be": "UTF-32BE",
    "utf-32-le": "UTF-32LE",
}


def _name(codec: str) -> str:
    """The name of cchardet for one of Python's codecs."""
    if codec in _NAMES:
        return _NAMES[codec]
    if codec.startswith("cp125"):
        return f"WINDOWS-{codec[2:]}"
    return codec.upper().replace("ISO8859", "ISO-8859").replace("ISO2022_", "ISO-2022-")


def _result(found: _textcodec.Detection, head: bytes, is_whole: bool) -> DetectionResult:
    """The result for what the detector has found. `head` has the first bytes, or all of them if `is_whole`."""
    if found.name is None:
        return {"encoding": None, "confidence": None}
    if found.verdict == "ascii":
        return {"encoding": "ASCII", "confidence": 1.0}
    if found.has_bom:
        name = {"utf-8": "UTF-8-SIG", "utf-16": "UTF-16"}.get(found.verdict, "UTF-32")
        return {"encoding": name, "confidence": 1.0}
    codec = _peers.codec_of(found.name, head, narrow=is_whole and found.name not in ("GBK", "gb18030"))
    return {"encoding": _name(codec), "confidence": found.probability}


def _bytes(msg: bytes) -> bytes:
    """The argument, which is bytes."""
    if not isinstance(msg, bytes):
        raise TypeError(f"expected bytes, {type(msg).__name__} found")
    return msg


def detect(msg: bytes) -> DetectionResult:
    """The most probable encoding of a text.

    >>> result = textcodec.cchardet.detect("Съешь же ещё этих мягких французских булок".encode("cp1251"))
    >>> result["encoding"], result["confidence"] > 0.9
    ('WINDOWS-1251', True)
    >>> textcodec.cchardet.detect(b"\\x89PNG\\r\\n\\x1a\\n")
    {'encoding': None, 'confidence': None}
    """
    return _result(_textcodec.detect(_bytes(msg)), msg, True)


class UniversalDetector:
    """A detector for a text that comes in pieces.

    >>> with textcodec.cchardet.UniversalDetector() as detector:
    ...     detector.feed(b"Gr\\xfc\\xdfe aus ")
    ...     detector.feed(b"M\\xfcnchen")
    >>> detector.result["encoding"]
    'ISO-8859-1'
    """

    def __init__(self) -> None:
        self.reset()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exception_type: type[BaseException] | None,
        exception_value: BaseException | None,
        traceback: types.TracebackType | None,
    ) -> Literal[False]:
        self.close()
        return False

    def reset(self) -> None:
        """Forgets the text. The next bytes are the start of another one."""
        self._detector = _textcodec.Detector()
        self._head = b""
        self._length = 0
        self._result: DetectionResult | None = None

    def feed(self, data: bytes) -> None:
        """Looks at the next bytes. After `close` it ignores them."""
        _bytes(data)
        if self._result is None:
            self._head += data[: _HEAD - len(self._head)]
            self._length += len(data)
            self._detector.feed(data)

    def close(self) -> None:
        """Ends the text."""
        if self._result is None:
            self._result = _result(self._detector.finish(), self._head, len(self._head) == self._length)

    @property
    def done(self) -> bool:
        """Whether the text has ended."""
        return self._result is not None

    @property
    def result(self) -> DetectionResult:
        """The result after `close`. Before, its encoding is None."""
        return {"encoding": None, "confidence": None} if self._result is None else self._result.copy()


def install() -> None:
    """Puts this module into `sys.modules` under the name cchardet, and its submodule version with it.

    Call it before the first import of a package that uses cchardet: a package that has imported functions of cchardet
    keeps them.
    """
    version = types.ModuleType("cchardet.version", f"A part of {__name__}.")
    vars(version).update(__version__=__version__)
    vars(sys.modules[__name__]).update(version=version)
    sys.modules.update({"cchardet": sys.modules[__name__], "cchardet.version": version})
