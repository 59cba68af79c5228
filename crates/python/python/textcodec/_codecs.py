"""Codecs of Python, under names with a prefix: `bytes.decode("whatwg-shift_jis")`."""

from __future__ import annotations

import codecs
import re
from typing import Any

from . import _textcodec

PREFIX = "whatwg-"
CHARSET_PREFIX = "textcodec-"


class _IncrementalDecoder(_textcodec.IncrementalDecoder, codecs.IncrementalDecoder):
    """The incremental decoder of one codec."""

    _encoding: _textcodec.Encoding | _textcodec.Charset
    _bom: _textcodec.Bom

    def __new__(cls, errors: str = "strict") -> _IncrementalDecoder:
        return super().__new__(cls, cls._encoding, errors, cls._bom)

    def __init__(self, errors: str = "strict") -> None:
        pass


class _IncrementalEncoder(_textcodec.IncrementalEncoder, codecs.IncrementalEncoder):  # type: ignore[misc]  # pyright: ignore[reportIncompatibleMethodOverride]
    """The incremental encoder of one codec."""

    _encoding: _textcodec.Encoding | _textcodec.Charset

    def __new__(cls, errors: str = "strict") -> _IncrementalEncoder:
        return super().__new__(cls, cls._encoding, errors)

    def __init__(self, errors: str = "strict") -> None:
        pass


class _StreamReader(codecs.StreamReader):
    """The stream reader of one codec. Its decoder keeps the state between reads."""

    _incremental: type[_IncrementalDecoder]

    def __init__(self, stream: Any, errors: str = "strict") -> None:
        super().__init__(stream, errors)
        self._decoder = self._incremental(errors)

    def decode(self, input: Any, errors: str = "strict") -> tuple[str, int]:
        self._decoder.errors = self.errors
        return self._decoder.decode(input), len(input)

    def read(self, size: int = -1, chars: int = -1, firstline: bool = False) -> str:
        text = super().read(size, chars, firstline)
        if text and (size >= 0 or chars >= 0):
            return text
        # The stream has ended: a sequence that has begun is incomplete.
        self._decoder.errors = self.errors
        return text + self._decoder.decode(b"", True)

    def reset(self) -> None:
        super().reset()
        self._decoder.reset()


class _StreamWriter(codecs.StreamWriter):
    """The stream writer of one codec. Its encoder keeps the state between writes."""

    _incremental: type[_IncrementalEncoder]

    def __init__(self, stream: Any, errors: str = "strict") -> None:
        super().__init__(stream, errors)
        self._encoder = self._incremental(errors)

    def encode(self, input: str, errors: str = "strict") -> tuple[bytes, int]:
        self._encoder.errors = self.errors
        return self._encoder.encode(input), len(input)

    def reset(self) -> None:
        # Back to the first state, as an encoder of ISO-2022-JP must at the end.
        rest = self._encoder.encode("", True)
        if rest:
            self.stream.write(rest)

    def close(self) -> None:
        """Writes the end of the text, and closes the stream."""
        self.reset()
        self.stream.close()

    def __exit__(self, type: Any, value: Any, tb: Any) -> None:
        self.close()


_infos: dict[tuple[str, str], codecs.CodecInfo] = {}


def codec_info(
    encoding: _textcodec.Encoding | _textcodec.Charset, bom: _textcodec.Bom = "remove"
) -> codecs.CodecInfo:
    """The codec of an encoding or of a charset."""
    info = _infos.get((encoding.name, bom))
    if info is None:
        # Classes of one codec each.
        def make(name: str, base: type, **members: Any) -> Any:
            return type(name, (base,), members)

        decoder = make("IncrementalDecoder", _IncrementalDecoder, _encoding=encoding, _bom=bom)
        encoder = make("IncrementalEncoder", _IncrementalEncoder, _encoding=encoding)
        functions = _textcodec.Codec(encoding, bom)
        info = codecs.CodecInfo(
            encode=functions.encode,
            decode=functions.decode,
            incrementalencoder=encoder,
            incrementaldecoder=decoder,
            streamreader=make("StreamReader", _StreamReader, _incremental=decoder),
            streamwriter=make("StreamWriter", _StreamWriter, _incremental=encoder),
            name=_name(encoding, bom),
        )
        _infos[encoding.name, bom] = info
    return info


def _name(encoding: _textcodec.Encoding | _textcodec.Charset, bom: _textcodec.Bom) -> str:
    """The name of a codec."""
    name = encoding.name.lower()
    if isinstance(encoding, _textcodec.Charset):
        return CHARSET_PREFIX + name
    return PREFIX + name if bom == "remove" else f"{PREFIX}{bom}-{name}"


def _normal(name: str) -> str:
    """A name as `codecs` gives it to a search function: lower case, and underscores for all punctuation except the
    dot."""
    return re.sub(r"[^a-z0-9.]+", "_", name.lower())


_names: dict[str, tuple[_textcodec.Encoding, _textcodec.Bom]] = {}


def _search(name: str) -> codecs.CodecInfo | None:
    """The search function for `codecs`."""
    if _normal(name).startswith("textcodec_"):
        charset = _textcodec._charset_of_codec(name[len(CHARSET_PREFIX) :])
        return None if charset is None else codec_info(charset)
    if not name.startswith("whatwg"):
        return None
    if not _names:
        for encoding in _textcodec.ENCODINGS:
            for label in encoding.labels:
                _names[_normal(PREFIX + label)] = (encoding, "remove")
                _names[_normal(f"{PREFIX}sniff-{label}")] = (encoding, "sniff")
                _names[_normal(f"{PREFIX}keep-{label}")] = (encoding, "keep")
    found = _names.get(_normal(name))
    return codec_info(*found) if found else None


_is_registered = False


def register() -> None:
    """Registers a codec for every label, under the name "whatwg-" and the label, and one for every charset, under the
    name "textcodec-" and the name that `Charset` takes. The second call does nothing.

    The codecs work wherever Python takes the name of an encoding: `bytes.decode`, `str.encode`, the function `open` of
    Python, `csv`, pandas, and with every error handler. A codec removes the byte order mark of its own encoding, and no
    other. The codecs with the prefix "whatwg-sniff-" follow any byte order mark when they decode, as browsers do; with
    "whatwg-keep-" a byte order mark is a character.

    >>> textcodec.register()
    >>> b"\\x83\\x65\\x83\\x4c".decode("whatwg-shift_jis")
    'テキ'
    >>> b"\\xef\\xbb\\xbfcaf\\xc3\\xa9".decode("whatwg-sniff-latin1")
    'café'
    >>> b"\\xc8\\x85\\x93\\x93\\x96".decode("textcodec-cp037")
    'Hello'
    """
    global _is_registered
    if not _is_registered:
        codecs.register(_search)
        _is_registered = True


def unregister() -> None:
    """Takes the codecs of `register` away again.

    >>> textcodec.register()
    >>> textcodec.unregister()
    >>> "".encode("whatwg-koi8-r")
    Traceback (most recent call last):
    LookupError: unknown encoding: whatwg-koi8-r
    """
    global _is_registered
    if _is_registered:
        codecs.unregister(_search)
        _is_registered = False
