"""URLs and forms in any encoding, as browsers write them.

`urllib.parse` writes UTF-8, or raises an exception where the encoding does not have a character. Browsers write a
character reference instead. To read them, decode what `urllib.parse.unquote_to_bytes` returns.

>>> from urllib.parse import unquote_to_bytes
>>> textcodec.decode(unquote_to_bytes("%93%FA"), "shift_jis").text
'日'
"""

from ._textcodec import (
    encode_query,
    field_name,
    field_value,
    file_name,
    percent_encode,
    pick_an_encoding,
    urlencode,
)

__all__ = [
    "encode_query",
    "field_name",
    "field_value",
    "file_name",
    "percent_encode",
    "pick_an_encoding",
    "urlencode",
]
