"""Text files in the encodings of the Standard."""

from __future__ import annotations

import builtins
import io
from typing import TYPE_CHECKING, Any

from . import _codecs, _textcodec

if TYPE_CHECKING:
    import os
    from collections.abc import Callable


def open(
    file: int | str | bytes | os.PathLike[str] | os.PathLike[bytes],
    mode: str = "r",
    buffering: int = -1,
    encoding: str | _textcodec.Encoding | None = None,
    errors: str | None = None,
    newline: str | None = None,
    closefd: bool = True,
    opener: Callable[[str, int], int] | None = None,
    *,
    bom: _textcodec.Bom = "sniff",
    charset: str | _textcodec.Charset | None = None,
) -> io.TextIOWrapper:
    """Opens a text file in an encoding of the Standard, or in another charset.

    The result is an `io.TextIOWrapper`, with universal newlines, `seek` and `tell`. The arguments are those of Python's
    `open`, in the same order. `encoding` is a label or an `Encoding`, and has no default. `bom` and `charset`, which
    takes the place of `encoding`, are as for `decode`. No byte order mark is written. The codecs of `register` are
    registered. As with the iso2022_jp of Python, a file in ISO-2022-JP should end with a line break: the wrapper of
    Python does not write the return to ASCII that an end without one needs.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "text.txt")
    >>> with textcodec.open(path, "w", encoding="euc-jp") as file:
    ...     _ = file.write("日本\\n語\\n")
    >>> with textcodec.open(path, encoding="euc-jp") as file:
    ...     file.readlines()
    ['日本\\n', '語\\n']
    """
    if not isinstance(mode, str):
        raise TypeError(f"mode must be str, not {type(mode).__name__}")
    if encoding is None and charset is None:
        raise TypeError("open needs the argument encoding, which is a label or an Encoding, or charset")
    if encoding is not None and charset is not None:
        raise TypeError("encoding and charset are two encodings; give one of them")
    if "b" in mode and set(mode) <= set("rwabxt+"):
        raise ValueError("binary mode has no encoding")
    if len(set(mode)) != len(mode) or not set(mode) <= set("rwaxt+"):
        raise ValueError(f"invalid mode: {mode!r}")
    if bom not in ("sniff", "remove", "keep"):
        raise ValueError(f"bom must be 'sniff', 'remove' or 'keep', not {bom!r}")
    found: _textcodec.Encoding | _textcodec.Charset
    if encoding is not None:
        found = _textcodec.lookup(encoding)
    else:
        assert charset is not None
        found = _textcodec.Charset(charset)
        found = found.encoding or found
    if buffering == 0:
        raise ValueError("can't have unbuffered text I/O")
    # The wrapper finds its codec by name.
    _codecs.register()
    binary_mode = mode.replace("t", "") + "b"
    binary: Any = builtins.open(file, binary_mode, -1 if buffering == 1 else buffering, closefd=closefd, opener=opener)
    try:
        name = _codecs.codec_info(found, bom).name
        text = io.TextIOWrapper(binary, name, errors, newline, line_buffering=buffering == 1)
        text.mode = mode  # type: ignore[misc]
        return text
    except BaseException:
        binary.close()
        raise
