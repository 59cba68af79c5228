"""Text in the encodings of the web, exactly as browsers read it: the WHATWG Encoding Standard.

>>> import textcodec
>>> textcodec.decode(b"\\x83\\x65\\x83\\x4c", "shift_jis").text
'テキ'
>>> textcodec.encode("テキ", "shift_jis")
b'\\x83e\\x83L'
"""

from ._codecs import register, unregister
from ._files import open
from ._textcodec import (
    ENCODINGS,
    Decoded,
    Encoding,
    IncrementalDecoder,
    IncrementalEncoder,
    __version__,
    decode,
    encode,
    lookup,
)

__all__ = [
    "ENCODINGS",
    "Decoded",
    "Encoding",
    "IncrementalDecoder",
    "IncrementalEncoder",
    "__version__",
    "decode",
    "encode",
    "lookup",
    "open",
    "register",
    "unregister",
]
