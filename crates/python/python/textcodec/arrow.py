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

from collections.abc import Callable, Iterable
from typing import Literal, Protocol, TypeAlias

from . import _textcodec

if not hasattr(_textcodec, "_arrow_decode"):
    raise ImportError("textcodec-small has no columns of Arrow; install the package textcodec in its place")

from ._textcodec import Array, ChunkedArray, Encoding, _arrow_decode, _arrow_detect, _arrow_encode, _arrow_html

__all__ = ["Array", "ChunkedArray", "decode", "detect", "encode", "html"]


class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


_Column: TypeAlias = _ArrowArray | _ArrowStream


def decode(
    column: _Column,
    labels: str | Encoding | _Column | None = None,
    errors: Literal["replace", "strict", "null"] = "replace",
    *,
    charset: str | Encoding | _Column | None = None,
    bom: Literal["sniff", "remove", "keep"] = "sniff",
    threads: int = 1,
) -> Array | ChunkedArray:
    """Decodes each row of a column of bytes.

    `labels` is a label or an `Encoding` for all rows, or a column with a label for each row. A row with a null label
    becomes null. `errors` says what becomes of malformed sequences: U+FFFD with "replace", a UnicodeDecodeError that
    names the row with "strict", or a null row with "null". A label that no encoding has is a LookupError; with "null"
    in a column of labels, its row becomes null. `bom` is as in `textcodec.decode`.

    `charset`, in the place of `labels`, is a name or a column of names of all charsets of the program: labels of the
    Standard first, then code pages and the names of iconv, IANA, Python and Java. Take it for names that you trust:
    markup can hide in UTF-7, for example, which no browser decodes. `bom` changes nothing in charsets that the Standard
    does not have.

    Binary and fixed-size binary columns become strings, large binary becomes large strings, binary views become string
    views. A dictionary with one label stays a dictionary, and each of its values is decoded once.

    >>> import pyarrow
    >>> textcodec.arrow.decode(pyarrow.array([b"abc", b"\\x82\\xff"]), "shift_jis", "strict")
    Traceback (most recent call last):
    UnicodeDecodeError: 'Shift_JIS' codec can't decode bytes in position 0-1: malformed sequence, in row 1
    >>> pyarrow.array(textcodec.arrow.decode(pyarrow.array([b"abc", b"\\x82\\xff"]), "shift_jis", "null")).to_pylist()
    ['abc', None]
    >>> pyarrow.array(textcodec.arrow.decode(pyarrow.array([b"\\xc8\\x85\\x93\\x93\\x96"]), charset="cp037")).to_pylist()
    ['Hello']
    """
    return _arrow_decode(column, labels, errors, charset, bom, threads)


def encode(
    column: _Column,
    labels: str | Encoding | _Column | None = None,
    errors: Literal["strict", "replace", "xmlcharrefreplace", "null"] = "strict",
    *,
    charset: str | Encoding | _Column | None = None,
    threads: int = 1,
) -> Array | ChunkedArray:
    """Encodes each row of a column of strings.

    `labels` and `charset` are as for `decode`. `errors` says what becomes of characters that the encoding does not
    have: a UnicodeEncodeError that names the row with "strict", a question mark with "replace", a character reference
    with "xmlcharrefreplace", or a null row with "null". UTF-16 is written without a byte order mark.

    >>> import pyarrow
    >>> pyarrow.array(textcodec.arrow.encode(pyarrow.array(["テキ", "☃"]), "shift_jis", "xmlcharrefreplace")).to_pylist()
    [b'\\x83e\\x83L', b'&#9731;']
    """
    return _arrow_encode(column, labels, errors, charset, threads)


def html(
    column: _Column,
    http_charset: str | Encoding | _Column | None = None,
    *,
    content_type: str | bytes | _Column | None = None,
    errors: Literal["replace", "strict", "null"] = "replace",
    guess: Literal["detect"] | Callable[[bytes], str | Encoding | None] | None = None,
    locale: str | None = None,
    default: str | Encoding | None = None,
    threads: int = 1,
) -> Array | ChunkedArray:
    """Decodes each row of a column of bytes as a browser decodes a page of HTML.

    The result is a column of structs with the fields text, encoding (the name of the encoding that was used),
    confidence ("certain" or "tentative"), reason ("bom", "transport", "meta", "default" and so on) and had_errors.

    HTTP's part is `http_charset`, a label, or `content_type`, the whole header as str or bytes. Both can be one value
    or a column; null and unknown labels count as none. `guess`, `locale` and `default` are as in `textcodec.html`: with
    `guess="detect"`, statistics of languages decide where a page declares nothing, without a call of Python. With
    `errors="null"`, the text of a row with a malformed sequence is null.

    >>> import pyarrow
    >>> pages = pyarrow.array([b"<meta charset=koi8-r>\\xc4\\xc1", b"\\xe4"])
    >>> pages = pyarrow.array(textcodec.arrow.html(pages, content_type=pyarrow.array([None, "text/html; charset=windows-1251"])))
    >>> pages.field("text").to_pylist(), pages.field("reason").to_pylist()
    (['<meta charset=koi8-r>да', 'д'], ['meta', 'transport'])
    """
    return _arrow_html(column, http_charset, content_type, errors, guess, locale, default, threads)


def detect(
    column: _Column,
    *,
    among: str | Encoding | Iterable[str | Encoding] | None = None,
    exclude: str | Encoding | Iterable[str | Encoding] | None = None,
    threads: int = 1,
) -> Array | ChunkedArray:
    """Guesses the encoding of each row of a column of bytes, from statistics of languages.

    The result is a column of structs with the fields encoding (a name), language (a code of BCP 47, or null if the
    answer does not depend on a language) and probability (that the encoding gives the right text). All three are null
    for data that is no text. What a row declares does not count; `html` with `guess="detect"` respects it.

    `among` has the labels of the only encodings that compete, and `exclude` those of encodings that do not compete.

    >>> import pyarrow
    >>> column = pyarrow.array(["Привет, как дела?".encode("koi8-r"), None, b"\\xff\\xd8\\xff\\xe0\\x00\\x10JFIF\\x00"])
    >>> found = pyarrow.array(textcodec.arrow.detect(column))
    >>> found.field("encoding").to_pylist(), found.field("language").to_pylist(), found.is_valid().to_pylist()
    (['KOI8-R', None, None], ['ru', None, None], [True, False, True])
    """
    return _arrow_detect(column, among, exclude, threads)
