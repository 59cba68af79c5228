"""Arrow columns in the encodings of the web.

The functions take columns of pyarrow, Polars, DuckDB, DataFusion, Daft and all other libraries with Arrow's PyCapsule
interface (`__arrow_c_array__` or `__arrow_c_stream__`), and return objects with the same interface. This module imports
none of these libraries. A column is checked when it comes in, and one that breaks the rules of Arrow is a ValueError.
Other threads may write to its memory meanwhile: the result is well-formed text, of whichever bytes were read.

>>> import pyarrow
>>> column = pyarrow.array([b"\\x83\\x65\\x83\\x4c", None, b"caf\\xe9"])
>>> pyarrow.array(textcodec.arrow.decode(column, pyarrow.array(["sjis", "sjis", "latin1"]))).to_pylist()
['テキ', None, 'café']

An array becomes an `Array`, and a column of several chunks becomes a `ChunkedArray` with the same chunks. Other threads
can run Python meanwhile. With `threads` greater than one, chunks are converted on several threads, and an array is cut
into chunks first. Null rows stay null.
"""

from collections.abc import Callable
from typing import Literal, Protocol, TypeAlias

from ._textcodec import Array, ChunkedArray, Encoding, _arrow_decode, _arrow_encode, _arrow_html

__all__ = ["Array", "ChunkedArray", "decode", "encode", "html"]


class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


_Column: TypeAlias = _ArrowArray | _ArrowStream


def decode(
    column: _Column,
    labels: str | Encoding | _Column,
    errors: Literal["replace", "strict", "null"] = "replace",
    *,
    bom: Literal["sniff", "remove", "keep"] = "sniff",
    threads: int = 1,
) -> Array | ChunkedArray:
    """Decodes each row of a column of bytes.

    `labels` is a label or an `Encoding` for all rows, or a column with a label for each row. A row with a null label
    becomes null. `errors` says what becomes of malformed sequences: U+FFFD with "replace", a UnicodeDecodeError that
    names the row with "strict", or a null row with "null". A label that no encoding has is a LookupError; with "null"
    in a column of labels, its row becomes null. `bom` is as in `textcodec.decode`.

    Binary and fixed-size binary columns become strings, large binary becomes large strings, binary views become string
    views. A dictionary with one label stays a dictionary, and each of its values is decoded once.

    >>> import pyarrow
    >>> textcodec.arrow.decode(pyarrow.array([b"abc", b"\\x82\\xff"]), "shift_jis", "strict")
    Traceback (most recent call last):
    UnicodeDecodeError: 'Shift_JIS' codec can't decode bytes in position 0-1: malformed sequence, in row 1
    >>> pyarrow.array(textcodec.arrow.decode(pyarrow.array([b"abc", b"\\x82\\xff"]), "shift_jis", "null")).to_pylist()
    ['abc', None]
    """
    return _arrow_decode(column, labels, errors, bom, threads)


def encode(
    column: _Column,
    labels: str | Encoding | _Column,
    errors: Literal["strict", "replace", "xmlcharrefreplace", "null"] = "strict",
    *,
    threads: int = 1,
) -> Array | ChunkedArray:
    """Encodes each row of a column of strings.

    `labels` is as for `decode`. `errors` says what becomes of characters that the encoding does not have: a
    UnicodeEncodeError that names the row with "strict", a question mark with "replace", a character reference with
    "xmlcharrefreplace", or a null row with "null". UTF-16 is written without a byte order mark.

    >>> import pyarrow
    >>> pyarrow.array(textcodec.arrow.encode(pyarrow.array(["テキ", "☃"]), "shift_jis", "xmlcharrefreplace")).to_pylist()
    [b'\\x83e\\x83L', b'&#9731;']
    """
    return _arrow_encode(column, labels, errors, threads)


def html(
    column: _Column,
    http_charset: str | Encoding | _Column | None = None,
    *,
    content_type: str | bytes | _Column | None = None,
    errors: Literal["replace", "strict", "null"] = "replace",
    guess: Callable[[bytes], str | Encoding | None] | None = None,
    locale: str | None = None,
    default: str | Encoding | None = None,
    threads: int = 1,
) -> Array | ChunkedArray:
    """Decodes each row of a column of bytes as a browser decodes a page of HTML.

    The result is a column of structs with the fields text, encoding (the name of the encoding that was used),
    confidence ("certain" or "tentative"), reason ("bom", "transport", "meta", "default" and so on) and had_errors.

    HTTP's part is `http_charset`, a label, or `content_type`, the whole header as str or bytes. Both can be one value
    or a column; null and unknown labels count as none. `guess`, `locale` and `default` are as in `textcodec.html`. With
    `errors="null"`, the text of a row with a malformed sequence is null.

    >>> import pyarrow
    >>> pages = pyarrow.array([b"<meta charset=koi8-r>\\xc4\\xc1", b"\\xe4"])
    >>> pages = pyarrow.array(textcodec.arrow.html(pages, content_type=pyarrow.array([None, "text/html; charset=windows-1251"])))
    >>> pages.field("text").to_pylist(), pages.field("reason").to_pylist()
    (['<meta charset=koi8-r>да', 'д'], ['meta', 'transport'])
    """
    return _arrow_html(column, http_charset, content_type, errors, guess, locale, default, threads)
