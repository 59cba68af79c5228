"""The native half of textcodec."""

from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias, final

from typing_extensions import Buffer, Self

Bom: TypeAlias = Literal["sniff", "remove", "keep"]
_Label: TypeAlias = str | Encoding
_Guess: TypeAlias = Callable[[bytes], str | Encoding | None]
_Confidence: TypeAlias = Literal["certain", "tentative", "irrelevant"]
_PercentEncodeSet: TypeAlias = Literal[
    "c0-control", "fragment", "query", "special-query", "path", "userinfo", "component", "form-urlencoded"
]

__version__: str
ENCODINGS: tuple[Encoding, ...]
CONTEXTS: tuple[str, ...]

@final
class Encoding:
    @property
    def name(self) -> str: ...
    @property
    def labels(self) -> tuple[str, ...]: ...
    @property
    def is_single_byte(self) -> bool: ...
    @property
    def is_ascii_compatible(self) -> bool: ...
    @property
    def can_encode_everything(self) -> bool: ...
    @property
    def output_encoding(self) -> Encoding: ...
    @property
    def bom(self) -> bytes | None: ...
    def decode(self, data: Buffer, errors: str = "replace", bom: Bom = "sniff") -> Decoded: ...
    def encode(self, text: str, errors: str = "strict") -> bytes: ...

@final
class Decoded(tuple[str, Encoding, bool]):
    __match_args__ = ("text", "encoding", "had_errors")
    @property
    def text(self) -> str: ...
    @property
    def encoding(self) -> Encoding: ...
    @property
    def had_errors(self) -> bool: ...

@final
class Sniffed(tuple[str, Encoding | None, _Confidence, str]):
    __match_args__ = ("text", "encoding", "confidence", "reason")
    @property
    def text(self) -> str: ...
    @property
    def encoding(self) -> Encoding | None: ...
    @property
    def confidence(self) -> _Confidence: ...
    @property
    def reason(self) -> str: ...
    @property
    def had_errors(self) -> bool: ...

class IncrementalDecoder:
    def __new__(cls, label: _Label, errors: str = "replace", bom: Bom = "sniff") -> Self: ...
    def decode(self, input: Buffer, final: bool = False) -> str: ...
    def reset(self) -> None: ...
    def getstate(self) -> tuple[bytes, int]: ...
    def setstate(self, state: tuple[bytes, int]) -> None: ...
    errors: str
    @property
    def encoding(self) -> Encoding: ...
    @property
    def had_errors(self) -> bool: ...

class IncrementalEncoder:
    def __new__(cls, label: _Label, errors: str = "strict") -> Self: ...
    def encode(self, input: str, final: bool = False) -> bytes: ...
    def reset(self) -> None: ...
    def getstate(self) -> int: ...
    def setstate(self, state: int) -> None: ...
    errors: str
    @property
    def encoding(self) -> Encoding: ...

@final
class Codec:
    def __new__(cls, encoding: Encoding, bom: Bom) -> Self: ...
    def decode(self, input: Buffer, errors: str = "strict") -> tuple[str, int]: ...
    def encode(self, input: str, errors: str = "strict") -> tuple[bytes, int]: ...

@final
class ContextDecoder:
    def __new__(
        cls,
        context: str,
        http_charset: _Label | None = None,
        *,
        content_type: str | bytes | None = None,
        errors: str | None = None,
        override: _Label | None = None,
        charset_attribute: _Label | None = None,
        environment: _Label | None = None,
        container: _Label | None = None,
        history: _Label | None = None,
        guess: _Guess | None = None,
        locale: str | None = None,
        default: _Label | None = None,
        definite: _Label | None = None,
        patience: int = 1024,
    ) -> Self: ...
    def decode(self, data: Buffer, final: bool = False) -> str: ...
    @property
    def encoding(self) -> Encoding | None: ...
    @property
    def confidence(self) -> _Confidence | None: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def had_errors(self) -> bool: ...

def lookup(label: _Label) -> Encoding: ...
def decode(data: Buffer, label: _Label, errors: str = "replace", bom: Bom = "sniff") -> Decoded: ...
def encode(text: str, label: _Label, errors: str = "strict") -> bytes: ...
def locale_default(locale: str) -> Encoding: ...
def decode_as(
    data: Buffer,
    context: str,
    http_charset: _Label | None = None,
    *,
    content_type: str | bytes | None = None,
    errors: str | None = None,
    override: _Label | None = None,
    charset_attribute: _Label | None = None,
    environment: _Label | None = None,
    container: _Label | None = None,
    history: _Label | None = None,
    guess: _Guess | None = None,
    locale: str | None = None,
    default: _Label | None = None,
    definite: _Label | None = None,
) -> Sniffed: ...
def html(
    data: Buffer,
    http_charset: _Label | None = None,
    *,
    content_type: str | bytes | None = None,
    errors: str = "replace",
    override: _Label | None = None,
    container: _Label | None = None,
    history: _Label | None = None,
    guess: _Guess | None = None,
    locale: str | None = None,
    default: _Label | None = None,
    definite: _Label | None = None,
) -> Sniffed: ...
def xml(
    data: Buffer,
    http_charset: _Label | None = None,
    *,
    content_type: str | bytes | None = None,
    errors: str = "strict",
    override: _Label | None = None,
    definite: _Label | None = None,
) -> Sniffed: ...
def css(
    data: Buffer,
    http_charset: _Label | None = None,
    *,
    content_type: str | bytes | None = None,
    errors: str = "replace",
    charset_attribute: _Label | None = None,
    environment: _Label | None = None,
) -> Sniffed: ...
def script(
    data: Buffer,
    http_charset: _Label | None = None,
    *,
    content_type: str | bytes | None = None,
    errors: str = "replace",
    charset_attribute: _Label | None = None,
    environment: _Label | None = None,
    module: bool = False,
) -> Sniffed: ...
def xhr(
    data: Buffer,
    http_charset: _Label | None = None,
    *,
    content_type: str | bytes | None = None,
    errors: str = "replace",
    override: _Label | None = None,
    response_type: Literal["", "text", "document", "json"] = "",
) -> Sniffed: ...
def percent_encode(
    text: str, label: _Label = "utf-8", set: _PercentEncodeSet = "component", space_as_plus: bool = False
) -> str: ...
def encode_query(query: str, label: _Label = "utf-8", scheme: str = "https") -> str: ...
def urlencode(pairs: Iterable[tuple[str, str]], label: _Label = "utf-8") -> str: ...
def pick_an_encoding(accept_charset: str | None, document: _Label) -> Encoding: ...
def field_value(value: str, label: _Label = "utf-8") -> bytes: ...
def field_name(name: str, label: _Label = "utf-8") -> bytes: ...
def file_name(name: str, label: _Label = "utf-8") -> bytes: ...

@final
class Array:
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...

@final
class ChunkedArray:
    @property
    def num_chunks(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...

def _arrow_decode(column: object, labels: object, errors: str, bom: str, threads: int) -> Array | ChunkedArray: ...
def _arrow_encode(column: object, labels: object, errors: str, threads: int) -> Array | ChunkedArray: ...
def _arrow_html(
    column: object,
    http_charset: object | None,
    content_type: object | None,
    errors: str,
    guess: _Guess | None,
    locale: str | None,
    default: str | Encoding | None,
    threads: int,
) -> Array | ChunkedArray: ...

def _panic(message: str) -> None: ...
def _program(command_line: list[str]) -> int: ...
