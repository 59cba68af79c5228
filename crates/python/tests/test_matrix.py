"""Every argument of every function: its effect, its default, its place, and each kind of object that it takes."""

import array
import codecs
import inspect
import io
import re
import types

import pytest

import textcodec
from textcodec import _peers, _textcodec, cchardet, chardet, url, webencodings
from textcodec import charset_normalizer as normalizer

KOI8 = textcodec.encode("Привет", "koi8-r")
RUSSIAN = textcodec.encode("Съешь же ещё этих мягких французских булок, да выпей чаю. ", "koi8-r")
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy, a nikdo ho neslyšel.\n".encode("cp852")


def plain(value):
    """All public attributes of an object, as values that can be compared."""
    if isinstance(value, (str, bytes, int, float, type(None))):
        return value
    if isinstance(value, (textcodec.Encoding, textcodec.Charset)):
        return repr(value)
    if isinstance(value, dict):
        return {name: plain(it) for name, it in value.items()}
    if isinstance(value, (list, tuple, types.GeneratorType, normalizer.CharsetMatches)):
        items = [plain(it) for it in value]
        return (items, value.had_errors) if isinstance(value, textcodec.Sniffed) else items
    if isinstance(value, webencodings.Encoding):
        return value.name
    names = [name for name in dir(value) if not name.startswith("_") and not callable(getattr(value, name))]
    assert names, value
    return type(value).__name__, repr(value), {name: plain(getattr(value, name)) for name in names}


def outcome(call, *arguments, **keywords):
    try:
        return plain(call(*arguments, **keywords))
    except (UnicodeError, LookupError, ValueError) as error:
        return type(error), error.args


def outcome_or_type_error(call, *arguments, **keywords):
    try:
        return outcome(call, *arguments, **keywords)
    except TypeError as error:
        return TypeError, error.args


def stream(make, method):
    """A call with the arguments of a class, and with the argument `data` for all pieces of a stream."""

    def call(*arguments, **keywords):
        data = keywords.pop("data")
        coder = make(*arguments, **keywords)
        pieces = [getattr(coder, method)(data[at : at + 1]) for at in range(len(data))]
        facts = [getattr(coder, name, None) for name in ("errors", "had_errors", "confidence", "reason")]
        return [*pieces, getattr(coder, method)(data[:0], True), coder.encoding, facts]

    return call


def detector(*arguments, **keywords):
    data = keywords.pop("data")
    found = textcodec.Detector(*arguments, **keywords)
    found.feed(data)
    return [found.best_so_far(), found.finish()]


def universal(*arguments, **keywords):
    data = keywords.pop("data")
    found = chardet.UniversalDetector(*arguments, **keywords)
    found.feed(data)
    return [found.done, found.result, found.close(), found.done]


def of_path(path, tmp=None, **keywords):
    return normalizer.from_path(path, **keywords)


class Other:
    """A value that has an effect only beside other arguments."""

    def __init__(self, value, **others):
        self.value, self.others = value, others


CONTEXT = {
    "http_charset": "gbk",
    "content_type": "text/html; charset=big5",
    "errors": Other("ignore", data=b"a\xff", http_charset="utf-8"),
    "override": "euc-jp",
    "charset_attribute": Other("shift_jis", context="css"),
    "environment": Other("euc-kr", context="css"),
    "container": "windows-1251",
    "history": "windows-1253",
    "guess": Other("detect", data=RUSSIAN),
    "locale": "el",
    "default": "ibm866",
    "definite": "iso-8859-5",
}
IN_CSS = {**CONTEXT, "charset_attribute": "shift_jis", "environment": "euc-kr"}
KNOWN = {
    "among": ["ibm866", "koi8-u"],
    "exclude": ["koi8-r"],
    "language": "bg",
    "top_level_domain": "bg",
    "platform": Other("dos", data=b"\xe9"),
    "declared": "koi8-u",
    "tiers": Other("dos", data=CZECH),
    "starts_mid_stream": Other(True, data=b"\x97\xa5!"),
    "ends_mid_stream": Other(True, data=b"a\xc3"),
}
DECODER = {"errors": "ignore", "bom": Other("keep", data=b"\xef\xbb\xbfa")}
CHARDET = {
    "should_rename_legacy": Other(True, **{"DATA": b"plain"}),
    "encoding_era": chardet.EncodingEra.DOS,
    "max_bytes": Other(3, **{"DATA": b"plain " + RUSSIAN}),
    "prefer_superset": Other(True, **{"DATA": b"plain"}),
    "compat_names": False,
    "include_encodings": ["cp1251"],
    "exclude_encodings": ["koi8_r"],
    "no_match_encoding": Other("utf-8", include_encodings=["cp437"]),
    "empty_input_encoding": Other("ascii", **{"DATA": b""}),
}


def chardet_with(name):
    """The arguments of chardet, with the name of the argument that has the bytes."""

    def with_name(value):
        if isinstance(value, Other):
            return Other(value.value, **{name if it == "DATA" else it: other for it, other in value.others.items()})
        return value

    return {argument: with_name(value) for argument, value in CHARDET.items()}


def only(names, values):
    return {name: values[name] for name in names.split()}


NORMALIZER = {"cp_isolation": ["koi8_u"], "cp_exclusion": ["koi8_r"]}
DECLARED = Other(False, sequences=b"charset=koi8-u " + KOI8)
KOI, CP037, GBK = textcodec.lookup("koi8-r"), textcodec.Charset("cp037"), textcodec.lookup("gbk")
CODEC = _textcodec.Codec(GBK, "keep")

# The function that has the parameters, what to call, arguments that stay, and another value for each parameter.
CALLS = {
    "decode": (textcodec.decode, None, {"data": b"\xc3\xa9\xff", "label": "gbk"}, {"data": b"a", "label": "utf-8", **DECODER, "charset": Other("cp037", label=None)}),
    "encode": (textcodec.encode, None, {"text": "é☃", "label": "latin1"}, {"text": "a", "label": "utf-8", "errors": "replace", "charset": Other("cp037", label=None, errors="ignore")}),
    "decode_as": (textcodec.decode_as, None, {"data": KOI8, "context": "html"}, {"data": b"a", "context": "css", **CONTEXT}),
    "html": (textcodec.html, None, {"data": KOI8}, {"data": b"a", **{name: value for name, value in CONTEXT.items() if name not in ("charset_attribute", "environment")}}),
    "xml": (textcodec.xml, None, {"data": KOI8}, {"data": b"a", **only("http_charset content_type errors override definite", CONTEXT)}),
    "css": (textcodec.css, None, {"data": KOI8}, {"data": b"a", **only("http_charset content_type errors charset_attribute environment", IN_CSS)}),
    "script": (textcodec.script, None, {"data": KOI8}, {"data": b"a", **only("http_charset content_type errors charset_attribute environment", IN_CSS), "module": Other(True, environment="gbk")}),
    "xhr": (textcodec.xhr, None, {"data": KOI8}, {"data": b"a", **only("http_charset content_type errors override", CONTEXT), "response_type": "json"}),
    "detect": (textcodec.detect, None, {"data": KOI8}, {"data": b"a", **KNOWN}),
    "Detector": (textcodec.Detector, detector, {"data": KOI8}, KNOWN),
    "ContextDecoder": (textcodec.ContextDecoder, stream(textcodec.ContextDecoder, "decode"), {"context": "html", "data": KOI8}, {"context": "css", **CONTEXT, "patience": Other(2, guess=lambda data: "big5" if len(data) > 2 else "gbk")}),
    "IncrementalDecoder": (textcodec.IncrementalDecoder, stream(textcodec.IncrementalDecoder, "decode"), {"label": "gbk", "data": b"\xc3\xa9\xff"}, {"label": "utf-8", **DECODER, "charset": Other("cp037", label=None)}),
    "IncrementalDecoder.decode": (textcodec.IncrementalDecoder.decode, lambda *args, **keywords: textcodec.IncrementalDecoder("gbk").decode(*args, **keywords), {"input": b"a\xc3"}, {"input": b"b", "final": True}),
    "IncrementalEncoder": (textcodec.IncrementalEncoder, stream(textcodec.IncrementalEncoder, "encode"), {"label": "latin1", "data": "é☃"}, {"label": "utf-8", "errors": "replace", "charset": Other("cp037", label=None, errors="ignore")}),
    "IncrementalEncoder.encode": (textcodec.IncrementalEncoder.encode, lambda *args, **keywords: textcodec.IncrementalEncoder("iso-2022-jp").encode(*args, **keywords), {"input": "日"}, {"input": "b", "final": True}),
    "ContextDecoder.decode": (textcodec.ContextDecoder.decode, lambda *args, **keywords: textcodec.ContextDecoder("css").decode(*args, **keywords), {"data": b"a\xc3"}, {"data": b"b" * 1024, "final": True}),
    "Encoding.decode": (textcodec.Encoding.decode, GBK.decode, {"data": b"\xc3\xa9\xff"}, {"data": b"a", **DECODER}),
    "Encoding.encode": (textcodec.Encoding.encode, GBK.encode, {"text": "é☃"}, {"text": "a", "errors": "replace"}),
    "Charset.decode": (textcodec.Charset.decode, textcodec.Charset("gbk").decode, {"data": b"\xc3\xa9\xff"}, {"data": b"a", **DECODER}),
    "Charset.encode": (textcodec.Charset.encode, CP037.encode, {"text": "é☃"}, {"text": "a", "errors": "replace"}),
    "Codec.decode": (_textcodec.Codec.decode, CODEC.decode, {"input": b"\xc3\xa9\xff"}, {"input": b"a", "errors": "replace"}),
    "Codec.encode": (_textcodec.Codec.encode, CODEC.encode, {"input": "é☃"}, {"input": "a", "errors": "replace"}),
    "Codec": (_textcodec.Codec, lambda *args, **keywords: _textcodec.Codec(*args, **keywords).decode(b"\xef\xbb\xbf\xc3\xa9"), {"encoding": GBK, "bom": "keep"}, {"encoding": KOI, "bom": "sniff"}),
    "Detection.decode": (textcodec.Detection.decode, textcodec.detect("日本".encode()).decode, {"data": b"a\xff"}, {"data": b"b", "errors": "ignore"}),
    "check": (textcodec.check, None, {"data": "☃\n".encode()}, {"data": b"a\xff", "encoding": "windows-1251", "to": "latin1", "kind": Other("css", data=b"<meta charset=koi8-r>\xc4\xc1", encoding="auto")}),
    "repair": (
        textcodec.repair,
        None,
        {"data": "caf├⌐ Ã© "},
        {
            "data": "Ã©",
            "encodings": "cp437",
            "was": Other("windows-1251", data="Âñåì ïðèâåò, ìåíÿ çîâóò Àëåêñàíäð"),
            "read_as": Other("windows-1252", data="Âñåì ïðèâåò, ìåíÿ çîâóò Àëåêñàíäð"),
            "guess": Other(True, data="Âñåì ïðèâåò, ìåíÿ çîâóò Àëåêñàíäð"),
            "mixed": Other("koi8-r", data=b"\xe9"),
            "ambiguous": Other(True, data="SÓ…"),
        },
    ),
    "fix": (textcodec.fix, None, {"text": "\ufeffa\x92"}, {"text": "a\x92", "rules": "bom"}),
    "transliterate": (textcodec.transliterate, None, {"text": "é…", "encoding": "koi8-r"}, {"text": "a", "encoding": "latin1"}),
    "lookup": (textcodec.lookup, None, {"label": "gbk"}, {"label": "big5"}),
    "locale_default": (textcodec.locale_default, None, {"locale": "ru"}, {"locale": "ja"}),
    "url.percent_encode": (url.percent_encode, None, {"text": "é ~☃", "label": "utf-8"}, {"text": "a", "label": "latin1", "set": "form-urlencoded", "space_as_plus": True}),
    "url.encode_query": (url.encode_query, None, {"query": "é'☃"}, {"query": "a", "label": "latin1", "scheme": "mailto"}),
    "url.urlencode": (url.urlencode, None, {"pairs": [("é", "\n")]}, {"pairs": [("b", "")], "label": "latin1"}),
    "url.pick_an_encoding": (url.pick_an_encoding, None, {"accept_charset": None, "document": "gbk"}, {"accept_charset": "x big5", "document": "koi8-r"}),
    "url.field_value": (url.field_value, None, {"value": "é\n\""}, {"value": "a", "label": "latin1"}),
    "url.field_name": (url.field_name, None, {"name": "é\n\""}, {"name": "a", "label": "latin1"}),
    "url.file_name": (url.file_name, None, {"name": "é\n\""}, {"name": "a", "label": "latin1"}),
    "webencodings.decode": (webencodings.decode, None, {"input": b"\xc3\xa9\xff", "fallback_encoding": "gbk"}, {"input": b"a", "fallback_encoding": "utf-8", "errors": "ignore"}),
    "webencodings.encode": (webencodings.encode, None, {"input": "é☃"}, {"input": "a", "encoding": "latin1", "errors": Other("ignore", encoding="latin1")}),
    "webencodings.iter_decode": (webencodings.iter_decode, lambda *args, **keywords: [list(webencodings.iter_decode(*args, **keywords)[0]), webencodings.iter_decode(*args, **keywords)[1]], {"input": [b"\xc3", b"\xa9\xff"], "fallback_encoding": "gbk"}, {"input": [b"a"], "fallback_encoding": "utf-8", "errors": "ignore"}),
    "webencodings.iter_encode": (webencodings.iter_encode, None, {"input": ["é", "☃"]}, {"input": ["a"], "encoding": "latin1", "errors": Other("ignore", encoding="latin1")}),
    "webencodings.IncrementalDecoder": (webencodings.IncrementalDecoder, stream(webencodings.IncrementalDecoder, "decode"), {"fallback_encoding": "gbk", "data": b"\xc3\xa9\xff"}, {"fallback_encoding": "utf-8", "errors": "ignore"}),
    "webencodings.IncrementalEncoder": (webencodings.IncrementalEncoder, lambda *args, **keywords: webencodings.IncrementalEncoder(*args, **keywords).encode("é☃", True), {}, {"encoding": "latin1", "errors": Other("ignore", encoding="latin1")}),
    "webencodings.lookup": (webencodings.lookup, None, {"label": "gbk"}, {"label": "big5"}),
    "cchardet.detect": (cchardet.detect, None, {"msg": RUSSIAN}, {"msg": b"a"}),
    "chardet.detect": (chardet.detect, None, {"byte_str": RUSSIAN}, {"byte_str": b"a", **chardet_with("byte_str")}),
    "chardet.detect_all": (chardet.detect_all, None, {"byte_str": RUSSIAN}, {"byte_str": b"a", **chardet_with("byte_str"), "ignore_threshold": Other(True, byte_str="le café".encode("cp1252"))}),
    "chardet.UniversalDetector": (chardet.UniversalDetector, universal, {"data": RUSSIAN}, {**chardet_with("data"), "lang_filter": chardet.LanguageFilter.CJK}),
    "normalizer.from_bytes": (normalizer.from_bytes, None, {"sequences": RUSSIAN}, {"sequences": b"a", **NORMALIZER, "preemptive_behaviour": DECLARED}),
    "normalizer.detect": (normalizer.detect, None, {"byte_str": RUSSIAN}, {"byte_str": b"a", "should_rename_legacy": True}),
}
# Arguments that change no result.
WITHOUT_EFFECT = {"threads", "chunk_size", "steps", "threshold", "explain", "language_threshold", "enable_fallback"}


@pytest.fixture(autouse=True)
def version_7():
    chardet.use_version(7)


def parameters(function):
    found = inspect.signature(function).parameters.values()
    return [parameter for parameter in found if parameter.name != "self" and parameter.kind is not parameter.VAR_KEYWORD]


def test_the_table_has_every_function_of_every_module():
    def functions(module, prefix=""):
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isroutine(value):
                yield prefix + name

    # Those of files are below, and those of Arrow have tests of their own.
    others = {"open", "register", "unregister"}
    assert set(functions(textcodec)) - others <= set(CALLS)
    assert set(functions(url, "url.")) <= set(CALLS)
    for module, prefix in [(webencodings, "webencodings."), (chardet, "chardet."), (cchardet, "cchardet."), (normalizer, "normalizer.")]:
        assert set(functions(module, prefix)) - {f"{prefix}{name}" for name in ("install", "use_version", "ascii_lower", "from_fp", "from_path", "is_binary")} <= set(CALLS)


@pytest.mark.parametrize("name", CALLS)
def test_every_argument_has_an_effect_its_default_and_its_place(name):
    function, call, base, changes = CALLS[name]
    call = call or function
    known = parameters(function)
    assert {parameter.name for parameter in known} - WITHOUT_EFFECT == set(changes), name
    before = outcome(call, **base)
    for parameter in known:
        if parameter.name in WITHOUT_EFFECT:
            assert outcome(call, **{**base, parameter.name: parameter.default}) == before
            continue
        change = changes[parameter.name]
        change = change if isinstance(change, Other) else Other(change)
        arguments = {**base, **change.others}
        changed = outcome(call, **{**arguments, parameter.name: change.value})
        assert changed != outcome_or_type_error(call, **arguments), f"{name}: {parameter.name} has no effect"
        # The default of the signature is that of the function.
        if parameter.default is not inspect.Parameter.empty:
            without = {it: value for it, value in arguments.items() if it != parameter.name}
            expected = outcome_or_type_error(call, **without)
            assert outcome_or_type_error(call, **{**without, parameter.name: parameter.default}) == expected, f"{name}: {parameter.name}"
        # The place of the argument is that in the signature.
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            arguments[parameter.name] = change.value
            positional = []
            for other in known:
                positional.append(arguments.pop(other.name, other.default))
                if other is parameter:
                    break
            assert outcome(call, *positional, **arguments) == changed, f"{name}: the place of {parameter.name}"
        else:
            assert parameter.kind is parameter.KEYWORD_ONLY


LABELS = set("label encoding http_charset override charset_attribute environment container history default definite to was read_as document among exclude declared encodings mixed".split())
# Labels that come from outside need not be known.
FROM_OUTSIDE = {"http_charset", "override", "charset_attribute", "declared"}
LISTS = {"among", "exclude", "declared", "encodings", "mixed"}
TAKES_LABELS = [
    (name, parameter)
    for name, (function, _, _, _) in CALLS.items()
    if "." not in name or name.startswith("url.")
    for parameter in [parameter.name for parameter in parameters(function)]
    if parameter in LABELS and (name, parameter) != ("Codec", "encoding")
]


@pytest.mark.parametrize(("name", "parameter"), TAKES_LABELS)
def test_every_argument_with_a_label_takes_the_label_in_each_form(name, parameter):
    function, call, base, changes = CALLS[name]
    change = changes[parameter]
    change = change if isinstance(change, Other) else Other(change)
    arguments = {**base, **change.others}

    def found(value):
        return outcome(call or function, **{**arguments, parameter: value})

    labels = change.value if isinstance(change.value, list) else [change.value]
    labels = ["koi8-r" if label == "cp437" else label for label in labels]
    expected = found(labels if parameter in LISTS else labels[0])
    if len(labels) == 1 or parameter not in LISTS:
        for form in (f"\t{labels[0].upper()} \n", textcodec.lookup(labels[0]), textcodec.lookup(labels[0]).name):
            assert found(form) == expected, form
    if parameter in LISTS:
        for kind in (list, tuple, iter, lambda labels: [textcodec.lookup(label) for label in labels], lambda labels: (f" {label.upper()}" for label in labels)):
            assert found(kind(labels)) == expected
    for wrong in ("no label", "\ud800", ""):
        result = found(wrong)
        assert (result[0] is LookupError) == (parameter not in FROM_OUTSIDE), (wrong, result)
    for wrong in (3.5, b"gbk"):
        with pytest.raises(TypeError):
            found(wrong if parameter not in LISTS else [wrong])


class Bytes(bytes):
    pass


class Text(str):
    pass


BUFFERS = [bytearray, memoryview, lambda data: array.array("B", data), lambda data: memoryview(b"x" + data + b"x")[1:-1], Bytes, lambda data: memoryview(bytearray(data)).toreadonly()]
CONTENTS = [b"", b"a", b"plain text " * 20, b"\xff", b"\xef\xbb\xbf", b"\xff\xfea\0", "日本語 ".encode() * 3, RUSSIAN, RUSSIAN * 400 + b"\xff", b"caf\xe9\n\xc3"]
TAKES_BYTES = [name for name, (function, _, base, _) in CALLS.items() if isinstance(base.get("data", base.get("input")), bytes) and not name.startswith(("webencodings", "chardet"))]


@pytest.mark.parametrize("name", [*TAKES_BYTES, "repair"])
def test_every_function_of_bytes_gives_the_same_for_each_kind_of_memory(name):
    function, call, base, changes = CALLS[name]
    parameter = "data" if "data" in base else "input"
    # Each argument has its effect for each kind, also in long data.
    for other, change in changes.items():
        change = change if isinstance(change, Other) else Other(change)
        arguments = {**base, **change.others, other: change.value}
        data = arguments[parameter]
        for content in () if isinstance(data, str) else (data, data * 9000) if name in ("detect", "Detector", "decode", "Encoding.decode") else (data,):
            expected = outcome(call or function, **{**arguments, parameter: content})
            for buffer in (bytearray, memoryview):
                assert outcome(call or function, **{**arguments, parameter: buffer(content)}) == expected, (other, buffer)
    streamed = name in ("ContextDecoder", "IncrementalDecoder", "check")
    for content in CONTENTS:
        if streamed:
            content = content[:300]
        expected = outcome(call or function, **{**base, parameter: content})
        for buffer in BUFFERS:
            assert outcome(call or function, **{**base, parameter: buffer(content)}) == expected, (content[:20], buffer)
    if not streamed or name == "check":
        with pytest.raises(BufferError):
            outcome(call or function, **{**base, parameter: memoryview(b"abcd")[::2]})
        for wrong in (3, None, [97], *(["a"] if name != "repair" else [])):
            with pytest.raises(TypeError):
                outcome(call or function, **{**base, parameter: wrong})


TAKES_TEXT = [(name, parameter) for name, (_, _, base, _) in CALLS.items() for parameter in base if isinstance(base[parameter], str) and parameter in ("text", "input", "query", "value", "name", "data")]


@pytest.mark.parametrize(("name", "parameter"), TAKES_TEXT)
def test_every_function_of_text_takes_a_class_of_text_and_no_bytes(name, parameter):
    function, call, base, _ = CALLS[name]
    for text in ("", "a", "é", "日", "😀", "é" * 100 + "☃", "a" * 70, "日\ud800", "\udcff" * 70):
        expected = outcome(call or function, **{**base, parameter: text})
        assert outcome(call or function, **{**base, parameter: Text(text)}) == expected, text
        if "\ud800" <= text[-1:] <= "\udfff" and not name.startswith(("IncrementalEncoder", "webencodings")):
            assert expected[0] is UnicodeEncodeError, (text, expected)
    if name != "repair" and not name.startswith("webencodings"):
        for wrong in (3, None, b"a"):
            with pytest.raises(TypeError):
                outcome(call or function, **{**base, parameter: wrong})


ALL = [*textcodec.ENCODINGS, *map(textcodec.Charset, ["cp037", "cp437", "exact-us-ascii", "utf-32le", "utf-32be", "cesu-8", "utf-7", "glibc:EUC-JISX0213", "glibc:BIG5-HKSCS", "tcvn", "glibc:johab", "glibc:EUC-TW"])]
# Each leading byte with bytes of each kind after it, and escapes.
MALFORMED = b"".join(bytes([a, b, 0x61]) for a in range(0x80, 0x100) for b in (0x20, 0x30, 0x7F, 0x80, 0xA1, 0xFF))
MALFORMED += b"\x1b$B\x24\x22\x80\x1b(B\x1b\x1b(I\x21\x1b(Ba~\x0e\x0f\x0a\x80\xff+AOk-+/~\xd8\0\xdc\0a\x80"


@pytest.mark.parametrize("encoding", ALL, ids=str)
def test_an_error_handler_sees_each_malformed_sequence_once_and_in_order(encoding):
    seen = []

    def record(error):
        seen.append(error)
        return "\ufffd", error.end

    codecs.register_error("textcodec-record", record)
    for data in (MALFORMED[:-1], MALFORMED[1:]):
        expected = textcodec.decode(data, encoding, bom="keep")
        seen.clear()
        assert textcodec.decode(data, encoding, "textcodec-record", "keep") == expected
        assert bool(seen) == expected.had_errors
        end = 0
        for number, error in enumerate(seen):
            assert type(error) is UnicodeDecodeError and error.object is data and error.encoding == encoding.name
            assert end <= error.start < error.end <= len(data), number
            end = error.end if encoding.name not in ("Big5", "ISO-2022-JP") else error.start
            is_incomplete = error.reason == "incomplete sequence at the end"
            assert error.reason in ("malformed sequence", "incomplete sequence at the end")
            assert not is_incomplete or error is seen[-1] and error.end == len(data)
        # The first of them is the exception, and the text without them is that of "ignore".
        if seen:
            first = seen[0]
            with pytest.raises(UnicodeDecodeError) as caught:
                textcodec.decode(data, encoding, "strict", "keep")
            assert caught.value.args == first.args
        codecs.register_error("textcodec-nothing", lambda error: ("", error.end))
        assert textcodec.decode(data, encoding, "ignore", "keep") == textcodec.decode(data, encoding, "textcodec-nothing", "keep")
        # Between the sequences is text without errors.
        if encoding.name not in ("ISO-2022-JP", "utf-7", "TCVN", "replacement") and "EUC-JISX0213" not in encoding.name and "BIG5-HKSCS" not in encoding.name:
            places = [0, *(place for error in seen for place in (error.start, error.end)), len(data)]
            texts = [textcodec.decode(data[a:b], encoding, "strict", "keep").text for a, b in zip(places[::2], places[1::2])]
            assert "\ufffd".join(texts) == expected.text
        # A stream tells of the same sequences, however it is cut.
        whole = [(error.object[error.start : error.end], error.reason) for error in seen]
        for step in (3, 500):
            seen.clear()
            decoder = textcodec.IncrementalDecoder(encoding, "textcodec-record", "keep")
            for at in range(0, len(data), step):
                decoder.decode(data[at : at + step])
            decoder.decode(b"", True)
            assert decoder.had_errors == expected.had_errors
            assert [(error.object[error.start : error.end], error.reason) for error in seen] == whole, step
        for errors in ("ignore", "replace"):
            decoder = textcodec.IncrementalDecoder(encoding, errors, "keep")
            text = "".join([decoder.decode(data[at : at + 1]) for at in range(len(data))]) + decoder.decode(b"", True)
            assert text == textcodec.decode(data, encoding, errors, "keep").text, errors


@pytest.mark.parametrize("encoding", ALL, ids=str)
def test_an_error_handler_sees_each_character_that_cannot_be_encoded_once(encoding):
    if str(encoding) == "utf-7":
        return
    seen = []

    def record(error):
        seen.append(error)
        return "", error.end

    codecs.register_error("textcodec-record", record)
    text = "aé☃日\U000e0100b한中я\U0001f600\ue5e5か\u309a\ud800cé\udfff" + "é" * 70 + "☃\ud83d"
    for part in (text, text.replace("\ud800", ""), text[1:], text[:-1]):
        seen.clear()
        data = textcodec.encode(part, encoding, "textcodec-record")
        places = [error.start for error in seen]
        assert places == sorted(set(places))
        for error in seen:
            assert type(error) is UnicodeEncodeError and error.object == part and error.encoding == encoding.name
            assert error.end == error.start + 1
            is_surrogate = "\ud800" <= part[error.start] <= "\udfff"
            assert (error.reason == "surrogates not allowed") == is_surrogate, error
            assert is_surrogate or error.reason == "unmappable character"
        kept = "".join(character for place, character in enumerate(part) if place not in places)
        assert not any("\ud800" <= character <= "\udfff" for character in kept)
        assert data == textcodec.encode(part, encoding, "ignore") == textcodec.encode(kept, encoding)
        if places:
            with pytest.raises(UnicodeEncodeError) as caught:
                textcodec.encode(part, encoding)
            assert caught.value.args == seen[0].args
        for errors, replace in [("replace", lambda c: "?"), ("xmlcharrefreplace", lambda c: f"&#{ord(c)};"), ("backslashreplace", lambda c: c.encode("ascii", "backslashreplace").decode()), ("namereplace", lambda c: c.encode("ascii", "namereplace").decode())]:
            if str(encoding) in ("replacement", "UTF-16LE", "UTF-16BE"):
                continue
            whole = "".join(replace(c) if place in places else c for place, c in enumerate(part))
            if "\\" in whole and str(encoding) == "JOHAB":
                # It has a sign of the currency in the place of the backslash.
                continue
            assert textcodec.encode(part, encoding, errors) == textcodec.encode(whole, encoding), errors


def test_names_of_other_detectors_name_the_codecs_that_they_stand_for():
    for table in (chardet._NAMES_7, chardet._NAMES_5, cchardet._NAMES, normalizer._CHARDET_NAMES):
        for codec, name in table.items():
            if codec == "iso2022_cn":
                continue
            own, other = codecs.lookup(codec).name, codecs.lookup(name).name
            assert own == other, (codec, name)
    for names in (*_peers.CODECS.values(), *_peers.NARROW.values()):
        for codec in names:
            if codec != "iso2022_cn":
                assert codecs.lookup(cchardet._name(codec)).name == codecs.lookup(codec).name
    # A codec that decodes more has the letters of the other one.
    def letters(codec):
        text = bytes(range(0x80, 0x100)).decode(codec, "ignore") if codec not in ("gb2312", "gb18030", "euc_kr", "cp949") else "中" if codec.startswith("gb") else "한"
        return {letter for letter in text if letter.isalpha() and letter.encode(codec)}

    for table in (chardet._SUPERSETS_7, chardet._SUPERSETS_5):
        for codec, superset in table.items():
            if codec == "utf-16-le":
                continue
            assert letters(codec) - letters(superset) <= {"\N{GREEK YPOGEGRAMMENI}"}, (codec, superset)
            assert letters(codec) or codec == "ascii"


def test_every_encoding_belongs_to_one_era_and_one_language_at_least():
    eras, languages = chardet.EncodingEra, chardet.LanguageFilter
    for answer in _peers.CODECS:
        era = chardet._ERAS.get(answer, eras.MODERN_WEB)
        expected = {"ISO-8859": eras.LEGACY_ISO, "mac": eras.LEGACY_MAC, "x-mac": eras.LEGACY_MAC, "IBM": eras.DOS, "HZ": eras.LEGACY_REGIONAL, "UTF-7": eras.LEGACY_REGIONAL, "ISO-2022-KR": eras.LEGACY_REGIONAL, "ISO-2022-CN": eras.LEGACY_REGIONAL}
        assert era == next((value for start, value in expected.items() if answer.startswith(start)), eras.MODERN_WEB), answer
        language = chardet._LANGUAGES.get(answer, languages.ALL)
        expected = {"GBK": 1, "gb18030": 1, "HZ": 1, "ISO-2022-CN": 1, "Big5": 2, "EUC-JP": 4, "ISO-2022-JP": 4, "Shift_JIS": 4, "EUC-KR": 8, "ISO-2022-KR": 8, "UTF-": 31}
        assert language == next((value for start, value in expected.items() if answer.startswith(start)), 16), answer
    assert [int(era) for era in eras] == [1, 2, 4, 8, 16, 32] and int(eras.ALL) == 63
    assert (languages.CHINESE, languages.CJK, languages.ALL) == (1 | 2, 1 | 2 | 4 | 8, 31)


@pytest.mark.parametrize("options", [{}, {"cp_isolation": ["koi8_u"]}, {"cp_isolation": ["cp437"]}, {"cp_exclusion": ["koi8_r"]}, {"preemptive_behaviour": False}])
def test_files_and_paths_take_the_arguments_of_bytes(options, tmp_path):
    path = tmp_path / "text"
    for data in (b"charset=koi8-u " + KOI8, b"", b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1", RUSSIAN):
        path.write_bytes(data)
        expected = plain(normalizer.from_bytes(data, **options))
        assert plain(normalizer.from_bytes(bytearray(data), **options)) == expected
        assert plain(normalizer.from_fp(io.BytesIO(data), **options)) == expected
        for name in (path, str(path), bytes(path)):
            assert plain(normalizer.from_path(name, **options)) == expected
        for source in (data, bytearray(data), path, str(path), io.BytesIO(data)):
            assert normalizer.is_binary(source, **options) is (not expected)
    for function in (normalizer.from_fp, normalizer.from_path, normalizer.is_binary):
        own, first = parameters(function)[1:], parameters(normalizer.from_bytes)[1:]
        assert [(it.name, it.kind) for it in own] == [(it.name, it.kind) for it in first]
        assert all(a.default == b.default or a.name == "enable_fallback" for a, b in zip(own, first))


# The characters of ASCII that each set of the URL Standard percent-encodes, besides controls.
SETS = {"c0-control": "", "fragment": ' "<>`', "query": ' "#<>'}
SETS["special-query"] = SETS["query"] + "'"
SETS["path"] = SETS["query"] + "?^`{}"
SETS["userinfo"] = SETS["path"] + "/:;=@[\\]|"
SETS["component"] = SETS["userinfo"] + "$%&+,"
SETS["form-urlencoded"] = SETS["component"] + "!'()~"


def percent_encoded(text, label, set, space_as_plus=False):
    """The algorithm of the URL Standard, for encodings without a state."""

    def bytes_of(character):
        try:
            data = textcodec.encode(character, textcodec.lookup(label).output_encoding)
        except UnicodeEncodeError:
            return f"%26%23{ord(character)}%3B"
        if space_as_plus and character == " ":
            return "+"
        return "".join(f"%{byte:02X}" if byte < 0x20 or byte > 0x7E or chr(byte) in SETS[set] else chr(byte) for byte in data)

    return "".join(map(bytes_of, text))


@pytest.mark.parametrize("encoding", textcodec.ENCODINGS, ids=str)
def test_urls_and_forms_are_those_of_the_standards_algorithms(encoding):
    texts = ["", "".join(map(chr, range(0x80))), "é ☃日", "я\r\nя\rя\n\n\r", "a\U0001f600b", '"é"', "ｱ¥‾"]
    special = {"http": encoding, "https": encoding, "ftp": encoding, "file": encoding, "ws": "utf-8", "wss": "utf-8"}
    for text in texts:
        written = lambda text: textcodec.encode(text, encoding.output_encoding, "xmlcharrefreplace")
        normal = re.sub("\r\n|\r|\n", "\r\n", text)
        quoted = lambda data: data.replace(b"\r", b"%0D").replace(b"\n", b"%0A").replace(b'"', b"%22")
        assert url.field_value(text, encoding) == written(normal)
        assert url.field_name(text, encoding) == quoted(written(normal))
        assert url.file_name(text, encoding) == quoted(written(text))
        if encoding.name == "ISO-2022-JP":
            continue
        for set in SETS:
            for plus in (False, True):
                assert url.percent_encode(text, encoding, set, plus) == percent_encoded(text, encoding, set, plus), (text, set)
        for scheme in [*special, "mailto", "data", ""]:
            expected = percent_encoded(text, special.get(scheme, "utf-8"), "special-query" if scheme in special else "query")
            assert url.encode_query(text, encoding, scheme) == expected, (text, scheme)
        name, value = percent_encoded("é ", encoding, "form-urlencoded", True), percent_encoded(normal, encoding, "form-urlencoded", True)
        assert url.urlencode([("é ", text), (text, "é ")], encoding) == f"{name}={value}&{value}={name}"
        assert url.pick_an_encoding(f" x-unknown\t{encoding.labels[0]}  gbk", "koi8-r") is encoding.output_encoding
        for none in (None, "x-unknown"):
            assert url.pick_an_encoding(none, encoding) is (encoding.output_encoding if none is None else textcodec.lookup("utf-8"))


ERRORS = ["replace", "ignore", "xmlcharrefreplace", "backslashreplace", "namereplace"]
STATEFUL = ["iso-2022-jp", "glibc:EUC-JISX0213", "glibc:ISO-2022-KR", "glibc:ISO-2022-CN", "glibc:IBM939", "gb18030", "utf-16be"]


@pytest.mark.parametrize("errors", ERRORS)
@pytest.mark.parametrize("name", STATEFUL)
def test_pieces_of_every_length_continue_the_state_of_an_encoder(name, errors):
    charset = textcodec.Charset(name)
    long = (20_000, 140_000) if name in ("iso-2022-jp", "gb18030") and errors in ("ignore", "xmlcharrefreplace") else ()
    for length in (1, 30, 70, 600, *long):
        for piece in ("日\ue5e5か本", "aé\ue5e5", "か"):
            pieces = ["日", (piece * length)[:length], "", "か", "日a", "か"]
            encoder = textcodec.IncrementalEncoder(charset, errors)
            written = b"".join([encoder.encode(it) for it in pieces]) + encoder.encode("", True)
            assert written == textcodec.encode("".join(pieces), charset, errors), length
            # The handlers of the package do what those of Python do.
            codecs.register_error("textcodec-own", codecs.lookup_error(errors))
            if length < 100:
                assert written == textcodec.encode("".join(pieces), charset, "textcodec-own"), length


def test_another_error_handler_changes_nothing_else_of_a_stream():
    decoder, encoder = textcodec.IncrementalDecoder("iso-2022-jp"), textcodec.IncrementalEncoder("iso-2022-jp", "ignore")
    assert decoder.decode(b"\xff\x1b$B\x24") == "\ufffd" and encoder.encode("日☃") == b"\x1b$BF|"
    before = decoder.getstate(), decoder.had_errors, decoder.encoding, encoder.getstate(), encoder.encoding
    for errors in ("strict", *ERRORS, "no handler"):
        decoder.errors = encoder.errors = errors
        assert (decoder.errors, encoder.errors) == (errors, errors)
        assert (decoder.getstate(), decoder.had_errors, decoder.encoding, encoder.getstate(), encoder.encoding) == before
    for coder in (decoder, encoder):
        with pytest.raises(TypeError):
            coder.errors = None
        assert coder.errors == "no handler"
    assert decoder.decode(b"\x22") == "あ" and encoder.encode("", True) == b"\x1b(B"


# So long that functions work without the lock of the interpreter, and in pieces.
LINES = 22_000
PREFIX = "plain\r\n" * LINES


def test_the_end_of_long_data_is_treated_as_short_data():
    start = PREFIX.encode()
    for arguments, data in [
        ({}, b"caf\xff\r\n"),
        ({"to": "latin1"}, "é☃\r\n".encode()),
        ({"encoding": "koi8-r", "to": "latin1"}, b"\xc1\r\n"),
        ({"encoding": "auto", "kind": "text", "to": "latin1"}, "é☃\r\n".encode()),
        ({"encoding": "exact-us-ascii"}, b"\x80\r\n"),
    ]:
        short, long = textcodec.check(data, **arguments), textcodec.check(start + data, **arguments)
        facts = lambda found, lines, length: [(it.rule, it.severity, it.message, it.line - lines, it.column, it.encoding, it.bytes, it.character) + (it.offset and it.offset - length,) for it in found if it.offset is not None]
        assert facts(long, LINES, len(start)) == [(*it[:-1], it[-1] or 0) for it in facts(short, 0, 0)] != [], arguments
    for arguments, text in [({}, "Ã©"), ({"encodings": "cp437"}, "caf├⌐"), ({"ambiguous": True}, "SÓ…"), ({"was": "utf-8", "read_as": "windows-1252"}, "cafÃ© donâ€™t"), ({"guess": True}, "cafÃ© donâ€™t")]:
        short, long = textcodec.repair(text, **arguments), textcodec.repair(PREFIX + text, **arguments)
        assert (long.text, long.repaired, long.lines) == (PREFIX + short.text, short.repaired, LINES + 1), arguments
        assert [(it.line - LINES, it.before, it.after, it.certainty, it.steps) for it in long.changes] == [(it.line, it.before, it.after, it.certainty, it.steps) for it in short.changes] != []
        assert plain(textcodec.repair((PREFIX + text).encode(), **arguments)) == plain(long)
    assert textcodec.repair(start + b"\xe9", mixed=["utf-8", "latin1"]).text == PREFIX + "é"
    for rules in ("all", "control", ["control", "bom"]):
        short, long = textcodec.fix("It\x92s\r\n", rules=rules), textcodec.fix(PREFIX + "It\x92s\r\n", rules=rules)
        assert (long.text, long.rules) == (PREFIX + short.text, short.rules) and short.rules == ["control"]
    for label in ("latin1", "koi8-r", "cp437"):
        assert textcodec.transliterate(PREFIX + "“é…”", label) == PREFIX + textcodec.transliterate("“é…”", label)
    for label in ("utf-8", "shift_jis", "exact-us-ascii"):
        charset = textcodec.Charset(label)
        for errors in ("strict", *ERRORS[:2], "backslashreplace", "surrogateescape"):
            for data in (b"\xff", b"\x83", b"\xf0\x9f\x98", b"a\x80b", b"ab"):
                short, long = (outcome(charset.decode, it, errors) for it in (data, start + data))
                if short[0] is UnicodeDecodeError:
                    name, _, first, end, reason = short[1]
                    assert long == (UnicodeDecodeError, (name, start + data, len(start) + first, len(start) + end, reason))
                else:
                    assert long == [PREFIX + short[0], *short[1:]], (label, errors, data)
        for errors in ("strict", *ERRORS):
            for text in ("☃", "é\U000e0100", "\ud800", "ab"):
                short, long = (outcome(charset.encode, it, errors) for it in (text, PREFIX + text))
                if isinstance(short, bytes):
                    assert long == start + short, (label, errors, text)
                else:
                    name, _, first, end, reason = short[1]
                    assert long == (UnicodeEncodeError, (name, PREFIX + text, len(PREFIX) + first, len(PREFIX) + end, reason))


@pytest.mark.parametrize("version", [5, 7])
def test_as_many_bytes_as_the_text_has_are_the_whole_text(version):
    chardet.use_version(version)
    for data in ("Grüße aus München".encode("latin-1"), "这是一个用简体中文写成的句子。".encode("gbk"), RUSSIAN, b"plain", "日本語の文章".encode("cp932")):
        for more in (0, 1, 100):
            options = {"max_bytes": len(data) + more}
            assert chardet.detect(data, **options) == chardet.detect(data) == universal(data=data, **options)[2]
            assert chardet.detect_all(data, **options) == chardet.detect_all(data)


def test_a_reader_and_a_writer_follow_the_error_handler_that_they_have_now():
    textcodec.register()
    info = codecs.lookup("whatwg-gbk")
    for before in ("strict", "replace"):
        for errors in ("ignore", "replace", "backslashreplace"):
            for read in (lambda it: it.read(), lambda it: "".join(iter(it.readline, "")), lambda it: "".join(it.readlines()), lambda it: it.read(4) + it.read(4) + it.read()):
                reader = info.streamreader(io.BytesIO(b"a\xffb\nc\x81\nd\x81"), before)
                reader.errors = errors
                assert read(reader) == textcodec.decode(b"a\xffb\nc\x81\nd\x81", "gbk", errors).text, (before, errors)
            file = io.BytesIO()
            writer = info.streamwriter(file, before)
            writer.errors = errors
            writer.writelines(["a", "\U000e0100", "中\ud800"])
            assert file.getvalue() == textcodec.encode("a\U000e0100中\ud800", "gbk", errors), (before, errors)


@pytest.mark.parametrize("wrong", ["", "x", "UTF-8", "it's", "☃", 'a"b', "none\n"])
def test_a_value_that_an_argument_cannot_have_is_named_beside_those_that_it_can_have(wrong):
    """Python writes values with one kind of quotes, and Rust with the other."""
    own, of_rust = repr(wrong), '"' + wrong.replace('"', '\\"').replace("\n", "\\n") + '"'
    sets = "c0-control, fragment, query, special-query, path, userinfo, component, form-urlencoded"
    guess = "guess must be 'detect' or a function from bytes to a label, an Encoding or None"
    for calls, error, message in [
        (
            [
                lambda: textcodec.decode(b"", "gbk", bom=wrong), lambda: GBK.decode(b"", bom=wrong), lambda: CP037.decode(b"", bom=wrong), lambda: textcodec.open("none", encoding="gbk", bom=wrong),
                lambda: textcodec.IncrementalDecoder("gbk", bom=wrong), lambda: _textcodec.Codec(GBK, wrong),
            ],
            ValueError,
            f"bom must be 'sniff', 'remove' or 'keep', not {own}",
        ),
        ([lambda: textcodec.decode_as(b"", wrong), lambda: textcodec.ContextDecoder(wrong)], ValueError, f"unknown context: '{wrong}'; textcodec.CONTEXTS has all"),
        ([lambda: textcodec.xhr(b"", response_type=wrong)] if wrong else [], ValueError, f"response_type must be '', 'text', 'document' or 'json', not {of_rust}"),
        ([lambda: textcodec.html(b"", guess=wrong), lambda: textcodec.decode_as(b"", "css", guess=wrong), lambda: textcodec.ContextDecoder("html", guess=wrong)], ValueError, f"{guess}, not {own}"),
        ([lambda: textcodec.check(b"", kind=wrong), lambda: textcodec.check(b"", "auto", kind=wrong)], ValueError, f"kind must be 'html', 'xml', 'css', 'text' or 'properties', not {own}"),
        ([lambda: url.percent_encode("", set=wrong)], ValueError, f"set must be one of {sets}, not {of_rust}"),
        ([lambda: textcodec.detect(b"", platform=wrong), lambda: textcodec.Detector(platform=wrong)], ValueError, f"platform must be 'windows', 'mac', 'unix' or 'dos', not {of_rust}"),
        (
            [lambda: textcodec.detect(b"", tiers=wrong), lambda: textcodec.detect(b"", tiers=["dos", wrong]), lambda: textcodec.Detector(tiers=(wrong,))],
            ValueError,
            f"a tier must be 'dos', 'mac', 'ebcdic', 'johab' or 'vietnamese', not {of_rust}",
        ),
        (
            [lambda: textcodec.fix("", rules=wrong), lambda: textcodec.fix("", rules=["bom", wrong])],
            ValueError,
            f"there is no rule {of_rust}; there are all, malformed, unmappable, other-bom, unknown-encoding, damaged, mixed-encodings, bom, mixed-newlines, nul, double-encoding, "
            "mojibake, replacement-character, control, inner-bom, trailing-bytes",
        ),
    ]:
        for call in calls:
            with pytest.raises(error) as caught:
                call()
            assert str(caught.value) == message
    for wrong in (3, None, []):
        with pytest.raises(TypeError) as caught:
            textcodec.html(b"", guess=wrong or [])
        assert str(caught.value) == f"{guess}, not {type(wrong or []).__name__}"


def test_an_argument_without_the_right_type_is_named_with_its_type():
    class Own:
        pass

    for value, name in [(3, "int"), (3.5, "float"), ([], "list"), (Own(), "Own")]:
        for calls, message in [
            ([lambda: textcodec.html(b"", content_type=value), lambda: textcodec.xhr(b"", content_type=value), lambda: textcodec.ContextDecoder("css", content_type=value)], f"content_type must be a str or bytes, not {name}"),
            ([lambda: textcodec.lookup(value), lambda: textcodec.Charset(value), lambda: textcodec.encode("", value), lambda: textcodec.check(b"", value)], f"an encoding must be a label or an Encoding, not {name}"),
        ]:
            for call in calls:
                with pytest.raises(TypeError) as caught:
                    call()
                assert str(caught.value) == message
    for call, message in [
        (lambda: textcodec.check(""), "check takes bytes, not str; text.encode() makes bytes of a str"),
        (lambda: textcodec.detect(""), "detect takes bytes, not str, which has no encoding"),
        (lambda: textcodec.decode(b""), "the encoding is missing: a label, or charset= for other charsets"),
        (lambda: textcodec.encode("", "gbk", charset="gbk"), "a label and charset= are two encodings; give one of them"),
    ]:
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == message
