"""The native half of textcodec."""

from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias, final

from typing_extensions import Buffer, Self

Bom: TypeAlias = Literal["sniff", "remove", "keep"]
_Label: TypeAlias = str | Encoding
# The name of the type in the class that has a property of this name.
_bytes: TypeAlias = bytes
_Guess: TypeAlias = Callable[[bytes], str | Encoding | None]
_GuessOrDetect: TypeAlias = _Guess | Literal["detect"]
_Labels: TypeAlias = _Label | Iterable[_Label]
_Platform: TypeAlias = Literal["windows", "mac", "unix", "dos"]
_Verdict: TypeAlias = Literal[
    "empty",
    "ascii",
    "utf-8",
    "damaged-utf-8",
    "utf-16",
    "utf-32",
    "iso-2022",
    "hz",
    "utf-7",
    "legacy",
    "mixed",
    "binary",
    "unknown",
]
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
        guess: _GuessOrDetect | None = None,
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

@final
class Candidate:
    @property
    def encoding(self) -> Encoding | None: ...
    @property
    def name(self) -> str: ...
    @property
    def language(self) -> str | None: ...
    @property
    def probability(self) -> float: ...
    @property
    def group(self) -> int: ...
    @property
    def evidence(self) -> tuple[int, ...]: ...

@final
class Detection:
    @property
    def encoding(self) -> Encoding | None: ...
    @property
    def name(self) -> str | None: ...
    @property
    def language(self) -> str | None: ...
    @property
    def probability(self) -> float: ...
    @property
    def candidates(self) -> tuple[Candidate, ...]: ...
    @property
    def evidence(self) -> tuple[int, ...]: ...
    @property
    def verdict(self) -> _Verdict: ...
    @property
    def kind(self) -> str | None: ...
    @property
    def has_bom(self) -> bool: ...
    @property
    def malformed(self) -> int | None: ...
    @property
    def damage(self) -> int | None: ...
    @property
    def margin(self) -> float | None: ...
    @property
    def model_version(self) -> int: ...
    def decode(self, data: Buffer, errors: str = "replace") -> Decoded: ...

@final
class Detector:
    def __new__(
        cls,
        *,
        among: _Labels | None = None,
        exclude: _Labels | None = None,
        language: str | Iterable[str] | None = None,
        top_level_domain: str | Iterable[str] | None = None,
        platform: _Platform | None = None,
        declared: _Labels | None = None,
        starts_mid_stream: bool = False,
        ends_mid_stream: bool = False,
    ) -> Self: ...
    def feed(self, data: Buffer) -> None: ...
    def best_so_far(self) -> Detection: ...
    def finish(self) -> Detection: ...
    def reset(self) -> None: ...

@final
class Problem:
    @property
    def rule(self) -> str: ...
    @property
    def severity(self) -> Literal["error", "warning", "note"]: ...
    @property
    def message(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def offset(self) -> int | None: ...
    @property
    def encoding(self) -> str | None: ...
    @property
    def bytes(self) -> _bytes | None: ...
    @property
    def character(self) -> str | None: ...
    @property
    def count(self) -> int | None: ...

@final
class Repaired:
    __match_args__ = ("text",)
    @property
    def text(self) -> str: ...
    @property
    def repaired(self) -> int: ...
    @property
    def first_repaired(self) -> int | None: ...
    @property
    def ambiguous(self) -> int: ...
    @property
    def first_ambiguous(self) -> int | None: ...
    @property
    def lost(self) -> int: ...
    @property
    def lines(self) -> int: ...

def detect(
    data: Buffer,
    *,
    among: _Labels | None = None,
    exclude: _Labels | None = None,
    language: str | Iterable[str] | None = None,
    top_level_domain: str | Iterable[str] | None = None,
    platform: _Platform | None = None,
    declared: _Labels | None = None,
    starts_mid_stream: bool = False,
    ends_mid_stream: bool = False,
) -> Detection: ...
def check(
    data: Buffer,
    encoding: _Label = "utf-8",
    *,
    to: _Label | None = None,
    kind: Literal["html", "xml", "css", "text"] | None = None,
) -> list[Problem]: ...
def repair(
    data: str | Buffer,
    *,
    encodings: _Label | Iterable[_Label] = "windows-1252",
    mixed: _Label | Iterable[_Label] = (),
    ambiguous: bool = False,
) -> Repaired: ...
def transliterate(text: str, encoding: _Label) -> str: ...
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
    guess: _GuessOrDetect | None = None,
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
    guess: _GuessOrDetect | None = None,
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

def _arrow_decode(
    column: object, labels: object, errors: str, charset: object, bom: str, threads: int
) -> Array | ChunkedArray: ...
def _arrow_detect(column: object, among: object, exclude: object, threads: int) -> Array | ChunkedArray: ...
def _arrow_encode(
    column: object, labels: object, errors: str, charset: object, threads: int
) -> Array | ChunkedArray: ...
def _arrow_html(
    column: object,
    http_charset: object | None,
    content_type: object | None,
    errors: str,
    guess: Literal["detect"] | _Guess | None,
    locale: str | None,
    default: str | Encoding | None,
    threads: int,
) -> Array | ChunkedArray: ...

def _panic(message: str) -> None: ...
def _program(command_line: list[str]) -> int: ...
