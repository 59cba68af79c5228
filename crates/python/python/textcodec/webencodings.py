"""A replacement for the package webencodings, with the decoders of browsers.

The names, arguments and results are those of webencodings 0.6. `install` puts this module in its place, for html5lib,
tinycss2, tinyhtml5, WeasyPrint and others:

>>> import textcodec.webencodings
>>> textcodec.webencodings.install()
>>> import webencodings
>>> webencodings.decode(b"\\x83\\x65", "shift_jis")
('テ', <Encoding shift_jis>)

The README of textcodec lists what differs.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from . import _textcodec
from ._codecs import codec_info as _codec_info
from ._codecs import register

if TYPE_CHECKING:
    import codecs

__all__ = [
    "CACHE",
    "LABELS",
    "PYTHON_NAMES",
    "UTF8",
    "VERSION",
    "Encoding",
    "IncrementalDecoder",
    "IncrementalEncoder",
    "ascii_lower",
    "decode",
    "encode",
    "install",
    "iter_decode",
    "iter_encode",
    "lookup",
]

#: The version of webencodings whose interface this module has.
VERSION = __version__ = "0.6.1"

#: The name of the encoding for each label, in lower case.
LABELS: dict[str, str] = {
    label: encoding.name.lower() for encoding in _textcodec.ENCODINGS for label in encoding.labels
}

#: Names of Python's codecs. It is empty, because this module does not use them.
PYTHON_NAMES: dict[str, str] = {}


def ascii_lower(string: str) -> str:
    """The string with ASCII letters in lower case, and no other change.

    >>> textcodec.webencodings.ascii_lower("K\\N{KELVIN SIGN}")
    'k\\u212a'
    """
    return string.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


class Encoding:
    """An encoding, with its name in lower case and its codec, a `codecs.CodecInfo`."""

    def __init__(self, name: str, codec_info: codecs.CodecInfo) -> None:
        self.name = name
        self.codec_info = codec_info

    def __repr__(self) -> str:
        return f"<Encoding {self.name}>"


#: The encodings by their names in lower case. A byte order mark is a character for their codecs: `decode` removes it.
CACHE: dict[str, Encoding] = {
    encoding.name.lower(): Encoding(encoding.name.lower(), _codec_info(encoding, "keep"))
    for encoding in _textcodec.ENCODINGS
}


def lookup(label: str) -> Encoding | None:
    """The encoding of a label; None for an unknown one.

    >>> textcodec.webencodings.lookup(" Latin1 ")
    <Encoding windows-1252>
    """
    name = LABELS.get(ascii_lower(label.strip("\t\n\f\r ")))
    return None if name is None else CACHE[name]


def _get_encoding(encoding_or_label: Encoding | str) -> Encoding:
    """The encoding of a label; LookupError for an unknown one."""
    if not isinstance(encoding_or_label, str):
        return encoding_or_label
    encoding = lookup(encoding_or_label)
    if encoding is None:
        raise LookupError(f"Unknown encoding label: {encoding_or_label!r}")
    return encoding


#: The encoding UTF-8.
UTF8 = CACHE["utf-8"]

_BOMS = ((b"\xff\xfe", CACHE["utf-16le"]), (b"\xfe\xff", CACHE["utf-16be"]), (b"\xef\xbb\xbf", UTF8))


def _detect_bom(input: bytes) -> tuple[Encoding | None, bytes]:
    """The encoding of the byte order mark, and the bytes after it."""
    for bom, encoding in _BOMS:
        if input.startswith(bom):
            return encoding, input[len(bom) :]
    return None, input


def decode(input: bytes, fallback_encoding: Encoding | str, errors: str = "replace") -> tuple[str, Encoding]:
    """The text, and the encoding: that of the byte order mark, or `fallback_encoding`.

    >>> textcodec.webencodings.decode(b"\\xef\\xbb\\xbf\\xc3\\xa9", "latin1")
    ('é', <Encoding utf-8>)
    """
    fallback_encoding = _get_encoding(fallback_encoding)
    bom_encoding, input = _detect_bom(input)
    encoding = bom_encoding or fallback_encoding
    return encoding.codec_info.decode(input, errors)[0], encoding


def encode(input: str, encoding: Encoding | str = UTF8, errors: str = "strict") -> bytes:
    """The bytes of the text.

    >>> textcodec.webencodings.encode("é", "latin1")
    b'\\xe9'
    """
    return _get_encoding(encoding).codec_info.encode(input, errors)[0]


def iter_decode(
    input: Iterable[bytes], fallback_encoding: Encoding | str, errors: str = "replace"
) -> tuple[Iterator[str], Encoding]:
    """An iterator of strings, and the encoding. The input is read as far as needed to know the encoding.

    >>> text, encoding = textcodec.webencodings.iter_decode([b"\\xef\\xbb", b"\\xbf\\xc3", b"\\xa9"], "latin1")
    >>> list(text), encoding
    (['é'], <Encoding utf-8>)
    """
    decoder = IncrementalDecoder(fallback_encoding, errors)
    chunks = iter(input)
    first = ""
    for chunk in chunks:
        first = decoder.decode(chunk)
        if first:
            break
    else:
        first = decoder.decode(b"", final=True)
        chunks = iter(())
    assert decoder.encoding is not None

    def texts() -> Iterator[str]:
        if first:
            yield first
        for chunk in chunks:
            text = decoder.decode(chunk)
            if text:
                yield text
        text = decoder.decode(b"", final=True)
        if text:
            yield text

    return texts(), decoder.encoding


def iter_encode(input: Iterable[str], encoding: Encoding | str = UTF8, errors: str = "strict") -> Iterator[bytes]:
    """An iterator of bytes.

    >>> list(textcodec.webencodings.iter_encode(["é", "", "a"], "latin1"))
    [b'\\xe9', b'a']
    """
    encode = IncrementalEncoder(encoding, errors).encode

    def pieces() -> Iterator[bytes]:
        for chunk in input:
            piece = encode(chunk)
            if piece:
                yield piece
        piece = encode("", final=True)
        if piece:
            yield piece

    return pieces()


class IncrementalDecoder:
    """A decoder for bytes that arrive in pieces. `encoding` is None until the bytes show whether there is a byte order
    mark."""

    def __init__(self, fallback_encoding: Encoding | str, errors: str = "replace") -> None:
        self._fallback_encoding = _get_encoding(fallback_encoding)
        self._errors = errors
        self._buffer = b""
        self._decoder: codecs.IncrementalDecoder | None = None
        self.encoding: Encoding | None = None

    def decode(self, input: bytes, final: bool = False) -> str:
        """The text of the next bytes. `final` says that the stream ends with them."""
        if self._decoder is None:
            input = self._buffer + input
            encoding, rest = _detect_bom(input)
            if encoding is None:
                if len(input) < 3 and not final:
                    self._buffer = input
                    return ""
                encoding = self._fallback_encoding
            self.encoding, input = encoding, rest
            self._decoder = encoding.codec_info.incrementaldecoder(self._errors)
        return self._decoder.decode(input, final)


class IncrementalEncoder:
    """An encoder for text that comes in pieces."""

    def __init__(self, encoding: Encoding | str = UTF8, errors: str = "strict") -> None:
        encoding = _get_encoding(encoding)
        self.encode = encoding.codec_info.incrementalencoder(errors).encode


def install() -> None:
    """Puts this module into `sys.modules` under the name webencodings, and its submodules with it. Also calls
    `textcodec.register`, so that Python finds the codecs by `codec_info.name`.

    Call it before the first import of a package that uses webencodings: a package that has imported functions of
    webencodings keeps them.
    """
    this = sys.modules[__name__]
    labels = types.ModuleType("webencodings.labels", "The labels of the Encoding Standard.")
    labels.LABELS = LABELS  # type: ignore[attr-defined]
    custom = types.ModuleType("webencodings.custom", "The codecs that Python does not have.")
    custom.user_codec_info = CACHE["x-user-defined"].codec_info  # type: ignore[attr-defined]
    custom.replacement_codec_info = CACHE["replacement"].codec_info  # type: ignore[attr-defined]
    register()
    vars(this).update(labels=labels, custom=custom)
    sys.modules.update({"webencodings": this, "webencodings.labels": labels, "webencodings.custom": custom})
