"""Text in the encodings of the web, exactly as browsers read it: the WHATWG Encoding Standard.

>>> import textcodec
>>> textcodec.decode(b"\\x83\\x65\\x83\\x4c", "shift_jis").text
'テキ'
>>> textcodec.encode("テキ", "shift_jis")
b'\\x83e\\x83L'
"""

from . import url
from ._codecs import register, unregister
from ._files import open
from ._textcodec import (
    CONTEXTS,
    ENCODINGS,
    Candidate,
    Change,
    Charset,
    ContextDecoder,
    Decoded,
    Detection,
    Detector,
    Encoding,
    Fixed,
    IncrementalDecoder,
    IncrementalEncoder,
    Problem,
    Repaired,
    Sniffed,
    Step,
    __version__,
    check,
    css,
    decode,
    decode_as,
    detect,
    encode,
    fix,
    html,
    locale_default,
    lookup,
    repair,
    script,
    transliterate,
    xhr,
    xml,
)

__all__ = [
    "CONTEXTS",
    "ENCODINGS",
    "Candidate",
    "Change",
    "Charset",
    "ContextDecoder",
    "Decoded",
    "Detection",
    "Detector",
    "Encoding",
    "Fixed",
    "IncrementalDecoder",
    "IncrementalEncoder",
    "Problem",
    "Repaired",
    "Sniffed",
    "Step",
    "__version__",
    "arrow",
    "check",
    "css",
    "decode",
    "decode_as",
    "detect",
    "encode",
    "fix",
    "html",
    "locale_default",
    "lookup",
    "open",
    "register",
    "repair",
    "script",
    "transliterate",
    "unregister",
    "url",
    "xhr",
    "xml",
]

try:
    from . import arrow
except ImportError:
    # The package textcodec-small has no columns of Arrow.
    __all__.remove("arrow")
