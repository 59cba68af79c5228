"""Every function, method, class and codec that takes the same arguments does the same with them."""

import array
import codecs
import gc
import inspect
import io
import mmap
import sys

import pytest

import textcodec
from textcodec import webencodings

# Characters of several bytes, malformed sequences, byte order marks, escapes, and sequences that the end cuts off.
DATA = [b"", b"plain", b"\x93\xfa\x96\x7b", b"a\x82\xffb", b"\xef\xbb\xbf\xc3\xa9\xff", b"\xff\xfea\0\x3d\xd8", b"\xfe\xff\0a\xd8", b"\x1b$B$\"\x0e", b"\x83"]
LABELS = ["shift_jis", "utf-8", "utf-16le", "iso-2022-jp", "windows-1253", "replacement"]
CHARSETS = ["cp037", "exact-us-ascii", "utf-32le"]
TEXTS = ["", "plain", "日本", "a☃b", "日☃", "日\ud800", "😀é☃", "é" * 70 + "☃", "☃日" * 50]


@pytest.fixture(autouse=True)
def registered():
    textcodec.register()


def outcome(call):
    try:
        return call()
    except UnicodeError as error:
        return type(error), error.args


def streamed(decoder, data):
    return textcodec.Decoded((decoder.decode(data, True), decoder.encoding, decoder.had_errors))


def written(info, text, errors):
    """The bytes that a stream writer has written when its block ends."""

    class File(io.BytesIO):
        def close(self):
            pass

    file = File()
    with info.streamwriter(file, errors) as writer:
        writer.write(text)
    return file.getvalue()


@pytest.mark.parametrize("label", LABELS + CHARSETS)
@pytest.mark.parametrize("errors", ["strict", "replace", "ignore", "backslashreplace"])
@pytest.mark.parametrize("bom", ["sniff", "remove", "keep"])
def test_every_way_to_decode_takes_the_error_handler_and_the_byte_order_mark(label, errors, bom):
    charset = textcodec.Charset(label)
    options = {"errors": errors, "bom": bom}
    ways = {
        "Charset": lambda data: charset.decode(data, errors, bom),
        "a name": lambda data: textcodec.decode(data, charset=label, **options),
        "threads": lambda data: textcodec.decode(data, charset, errors, bom, threads=2),
        "a stream": lambda data: streamed(textcodec.IncrementalDecoder(charset, errors, bom), data),
        "a stream with keywords": lambda data: streamed(textcodec.IncrementalDecoder(charset=label, **options), data),
    }
    texts = {}
    if charset.encoding:
        ways["a label"] = lambda data: textcodec.decode(data, label, errors, bom)
        ways["Encoding"] = lambda data: charset.encoding.decode(data, errors, bom)
        ways["keywords"] = lambda data: charset.encoding.decode(data=data, **options)
        prefix = "whatwg-" if bom == "remove" else f"whatwg-{bom}-"
        texts["a codec"] = lambda data: data.decode(prefix + label, errors)
        texts["a file"] = lambda data: io.TextIOWrapper(io.BytesIO(data), prefix + label, errors, newline="").read()
        if bom == "sniff":
            texts["webencodings"] = lambda data: webencodings.decode(data, label, errors)[0]
            texts["webencodings, in pieces"] = lambda data: "".join(webencodings.iter_decode([data[:1], data[1:]], label, errors)[0])
            texts["a stream of webencodings"] = lambda data: webencodings.IncrementalDecoder(label, errors).decode(data, True)
    else:
        texts["a codec"] = lambda data: data.decode(f"textcodec-{label}", errors)
    for data in DATA:
        expected = outcome(lambda: textcodec.decode(data, charset, errors, bom))
        for name, way in ways.items():
            assert outcome(lambda: way(data)) == expected, (name, data)
        for name, way in texts.items():
            found = outcome(lambda: way(data))
            if isinstance(expected, textcodec.Decoded):
                assert found == expected.text, (name, data)
            else:
                assert found[0] is expected[0] and found[1][4] == expected[1][4], (name, data)


@pytest.mark.parametrize("label", LABELS + CHARSETS)
@pytest.mark.parametrize("errors", ["strict", "replace", "ignore", "xmlcharrefreplace", "backslashreplace"])
def test_every_way_to_encode_takes_the_error_handler(label, errors):
    charset = textcodec.Charset(label)
    name = f"whatwg-{label}" if charset.encoding else f"textcodec-{label}"
    ways = {
        "Charset": lambda text: charset.encode(text, errors),
        "keywords": lambda text: charset.encode(text=text, errors=errors),
        "a name": lambda text: textcodec.encode(text, charset=label, errors=errors),
        "a stream": lambda text: textcodec.IncrementalEncoder(charset, errors).encode(text, True),
        "a codec": lambda text: text.encode(name, errors),
        "a writer": lambda text: written(codecs.lookup(name), text, errors),
    }
    if charset.encoding:
        ways["a label"] = lambda text: textcodec.encode(text, label, errors)
        ways["Encoding"] = lambda text: charset.encoding.encode(text, errors)
        ways["webencodings"] = lambda text: webencodings.encode(text, label, errors)
        ways["webencodings, in pieces"] = lambda text: b"".join(webencodings.iter_encode([text], label, errors))
        ways["a stream of webencodings"] = lambda text: webencodings.IncrementalEncoder(label, errors).encode(text, True)
    for text in TEXTS:
        expected = outcome(lambda: textcodec.encode(text, charset, errors))
        for way, call in ways.items():
            assert outcome(lambda: call(text)) == expected, (way, text)


def test_the_default_error_handlers_are_those_of_the_signatures():
    """A codec of Python is strict, and decoding as browsers do replaces."""
    latin, gbk = textcodec.Charset("exact-us-ascii"), textcodec.lookup("gbk")
    for replace in (
        lambda: textcodec.decode(b"a\xff", "gbk").text,
        lambda: textcodec.decode(b"a\xff", charset=latin).text,
        lambda: gbk.decode(b"a\xff").text,
        lambda: latin.decode(b"a\xff").text,
        lambda: textcodec.IncrementalDecoder("gbk").decode(b"a\xff", True),
        lambda: textcodec.IncrementalDecoder(charset=latin).decode(b"a\xff", True),
        lambda: webencodings.decode(b"a\xff", "gbk")[0],
        lambda: webencodings.IncrementalDecoder("gbk").decode(b"a\xff", True),
    ):
        assert replace() == "a\ufffd"
    info = codecs.lookup("whatwg-gbk")
    for strict in (
        lambda: info.decode(b"a\xff"),
        lambda: info.incrementaldecoder().decode(b"a\xff", True),
        lambda: info.streamreader(io.BytesIO(b"a\xff")).read(),
        lambda: info.encode("a☃"),
        lambda: info.incrementalencoder().encode("a☃"),
        lambda: info.streamwriter(io.BytesIO()).write("a☃"),
        lambda: textcodec.encode("a☃", "gbk"),
        lambda: textcodec.encode("a☃", charset=latin),
        lambda: gbk.encode("a☃"),
        lambda: latin.encode("a☃"),
        lambda: textcodec.IncrementalEncoder("gbk").encode("a☃"),
        lambda: webencodings.encode("a☃", "gbk"),
        lambda: webencodings.IncrementalEncoder("gbk").encode("a☃"),
    ):
        with pytest.raises(UnicodeError):
            strict()


def test_a_codec_counts_what_it_has_read_in_units_of_its_input():
    for name, text in [("whatwg-shift_jis", "日本a"), ("whatwg-utf-8", "é😀"), ("whatwg-sniff-gbk", "\ufeff中"), ("textcodec-cp037", "é")]:
        info = codecs.lookup(name)
        data, length = info.encode(text, "ignore")
        assert length == len(text)
        # One character too few, which becomes U+FFFD or nothing.
        for kind in (bytes, bytearray, memoryview, lambda data: array.array("B", data)):
            for part in (data, data[:-1], b""):
                for errors in ("replace", "ignore"):
                    assert info.decode(kind(part), errors)[1] == len(part), name
            long = text * 40_000
            data = info.encode(long, "ignore")[0]
            assert (info.encode(long, "ignore")[1], info.decode(kind(data))[1]) == (len(long), len(data)), name
    # The elements of an array are longer than a byte.
    assert codecs.lookup("whatwg-utf-16le").decode(array.array("H", [0x65E5, 0x672C])) == ("日本", 4)


def test_memory_with_elements_of_any_length_is_decoded_as_a_whole():
    data = "日本 text é".encode("utf-16-le")
    sources = [array.array("H", data), memoryview(data).cast("H"), memoryview(data * 2).cast("I"), memoryview(data).cast("H")[1:]]
    for source in sources:
        expected = bytes(source).decode("utf-16-le")
        assert textcodec.decode(source, "utf-16le").text == expected
        assert textcodec.IncrementalDecoder("utf-16le").decode(source, True) == expected
        assert textcodec.html(source, "utf-16le").text == expected
        assert textcodec.detect(source, among="utf-16le").name == "UTF-16LE"


# Calls that read bytes, with bytes that have an error.
READERS = {
    "decode": lambda data: textcodec.decode(data, "utf-8", "strict"),
    "decode, replaced": lambda data: textcodec.decode(data, "utf-8", "backslashreplace"),
    "threads": lambda data: textcodec.decode(data, "utf-8", threads=2),
    "Encoding": lambda data: textcodec.lookup("utf-8").decode(data, "strict"),
    "Charset": lambda data: textcodec.Charset("exact-us-ascii").decode(data, "strict"),
    "a stream": lambda data: textcodec.IncrementalDecoder("utf-8", "strict").decode(data),
    "a context": lambda data: textcodec.ContextDecoder("xml").decode(data, True),
    "html": lambda data: textcodec.html(data, guess="detect"),
    "xml": textcodec.xml,
    "atob": lambda data: textcodec.decode_as(data, "atob"),
    "a header": lambda data: textcodec.html(b"a", content_type=data),
    "a codec": lambda data: codecs.lookup("whatwg-gbk").decode(data),
    "detect": textcodec.detect,
    "Detection": lambda data: textcodec.detect(b"caf\xe9").decode(data, "strict"),
    "Detector": lambda data: textcodec.Detector().feed(data),
    "check": textcodec.check,
    "repair": textcodec.repair,
    "lines": lambda data: textcodec.repair(data, mixed="utf-8"),
}


@pytest.mark.parametrize("name", READERS)
def test_a_buffer_is_released_after_the_call(name):
    """Memory of a `bytearray` or a `mmap` can change its size only if nobody has it."""
    for content in (b"", b"a", b"a\xffb" * 10, b"a" * 200_000):
        data = bytearray(content)
        outcome(lambda: READERS[name](data))
        data.append(0)
        with mmap.mmap(-1, len(content) or 1) as memory:
            memory[: len(content)] = content
            outcome(lambda: READERS[name](memory))
        # Closing a memory that somebody has raises BufferError.


def test_no_call_keeps_a_reference_to_an_object():
    """References to objects that live for ever, such as encodings, are no lost memory that a test of memory sees."""
    gbk, cp037 = textcodec.lookup("gbk"), textcodec.Charset("cp037")
    handler, label, text = "".join(["backslash", "replace"]), "".join(["gb", "k"]), "".join(["a", "☃"])
    data, guess = bytes([0x61, 0xFF]), lambda data: gbk
    codecs.register_error("textcodec-reference", lambda error: ("?", error.end))
    known = codecs.lookup_error("textcodec-reference")
    objects = [gbk, cp037, handler, label, text, data, guess, known, textcodec.Decoded, textcodec.Sniffed, True, None]
    calls = [
        lambda: textcodec.decode(data, label),
        lambda: textcodec.decode(data, gbk, handler),
        lambda: textcodec.decode(data, charset=cp037),
        lambda: textcodec.decode(data, gbk, "textcodec-reference"),
        lambda: gbk.decode(data, "strict"),
        lambda: textcodec.encode(text, gbk, handler),
        lambda: textcodec.encode(text, label),
        lambda: textcodec.encode(text, gbk, "textcodec-reference"),
        lambda: cp037.encode(text, handler),
        lambda: textcodec.IncrementalDecoder(gbk, handler).encoding,
        lambda: textcodec.IncrementalDecoder(charset=cp037).decode(data),
        lambda: textcodec.IncrementalEncoder(label, handler).errors,
        lambda: textcodec.html(data, gbk),
        lambda: textcodec.html(data, guess=guess),
        lambda: textcodec.css(data, environment=gbk),
        lambda: textcodec.ContextDecoder("html", guess=guess, errors=handler, default=gbk).decode(data, True),
        lambda: textcodec.decode_as(data, "atob"),
        lambda: textcodec.detect(data, declared=gbk).encoding,
        lambda: [candidate.encoding for candidate in textcodec.detect(data, among=gbk).candidates],
        lambda: textcodec.Detector(exclude=gbk).feed(data),
        lambda: textcodec.check(data, gbk, to=cp037),
        lambda: textcodec.repair(text, encodings=gbk).steps,
        lambda: textcodec.repair(data, mixed=[gbk]),
        lambda: textcodec.url.percent_encode(text, gbk),
        lambda: textcodec.url.pick_an_encoding(label, gbk),
        lambda: (gbk.output_encoding, gbk.bom, gbk.labels, cp037.encoding, textcodec.Charset("gbk").encoding),
        lambda: textcodec.lookup(label),
        lambda: textcodec.lookup(text),
        lambda: textcodec.locale_default("ru"),
        lambda: codecs.lookup("whatwg-gbk").decode(data, handler),
    ]
    for number, call in enumerate(calls):
        for _ in range(2):
            try:
                call()
            except (UnicodeError, LookupError):
                pass
        gc.collect()
        before = [sys.getrefcount(it) for it in objects]
        for _ in range(50):
            try:
                call()
            except (UnicodeError, LookupError):
                pass
        gc.collect()
        more = [sys.getrefcount(it) - count for it, count in zip(objects, before)]
        assert max(more) < 25, (number, more)


def test_several_threads_follow_the_byte_order_mark_as_one_thread_does():
    data = "日本😀\n".encode() * 700_000
    for mark, label in [(b"\xef\xbb\xbf", "windows-1251"), (b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-8")]:
        for bom in ("sniff", "remove", "keep"):
            # Short bytes are decoded by one thread.
            expected = textcodec.decode(mark + data[:100], label, bom=bom)
            found = textcodec.decode(mark + data, label, bom=bom, threads=2)
            assert (found.text[:20], found.encoding) == (expected.text[:20], expected.encoding), (mark, label, bom)


# The context of each function, and the arguments besides bytes, `module` and `response_type`.
CONTEXTS = {textcodec.html: "html", textcodec.xml: "xml", textcodec.css: "css", textcodec.script: "script", textcodec.xhr: "xhr"}


def results(found):
    return found.text, found.encoding, found.confidence, found.reason, found.had_errors


def test_every_argument_means_the_same_in_each_function_of_a_context_and_in_a_stream():
    # The detector of the argument guess finds KOI8-R, and the other sources name other encodings.
    page = b"\xf0\xd2\xc9\xd7\xc5\xd4, \xcb\xc1\xcb \xc4\xc5\xcc\xc1?"
    values = {
        "http_charset": "gbk",
        "content_type": "text/html; charset=big5",
        "errors": "backslashreplace",
        "override": "euc-jp",
        "charset_attribute": "shift_jis",
        "environment": "euc-kr",
        "container": "windows-1251",
        "history": "windows-1253",
        "guess": "detect",
        "locale": "el",
        "default": "ibm866",
        "definite": "iso-8859-5",
    }
    names = set(inspect.signature(textcodec.decode_as).parameters) - {"data", "context"}
    assert names == set(values) == set(inspect.signature(textcodec.ContextDecoder).parameters) - {"context", "patience"}
    seen = {}
    for function, context in CONTEXTS.items():
        parameters = set(inspect.signature(function).parameters) - {"data", "module", "response_type"}
        assert parameters <= names
        # Each argument alone, and each with all others that come after it.
        for name in values:
            for arguments in ({name: values[name]}, {other: values[other] for other in list(values)[list(values).index(name) :]}):
                expected = outcome(lambda: results(textcodec.decode_as(page, context, **arguments)))

                def of_stream():
                    decoder = textcodec.ContextDecoder(context, **arguments)
                    text = decoder.decode(page[:5]) + decoder.decode(page[5:], final=True)
                    return text, decoder.encoding, decoder.confidence, decoder.reason, decoder.had_errors

                found = outcome(of_stream)
                assert found == expected or expected[0] is UnicodeDecodeError is found[0], (context, arguments)
                own = {name: value for name, value in arguments.items() if name in parameters}
                expected = outcome(lambda: results(textcodec.decode_as(page, context, **own)))
                assert outcome(lambda: results(function(page, **own))) == expected, (context, arguments)
                if len(arguments) == 1 and arguments == own and isinstance(expected[1], textcodec.Encoding):
                    seen.setdefault(name, set()).add(expected[3])
    reasons = {name: found - {"default"} for name, found in seen.items()}
    assert reasons == {
        "http_charset": {"transport"},
        "content_type": {"transport"},
        "errors": set(),
        "override": {"override"},
        "charset_attribute": {"charset-attribute"},
        "environment": {"environment"},
        "container": {"container"},
        "history": {"history"},
        "guess": {"heuristic"},
        "locale": {"locale"},
        "default": set(),
        "definite": {"definite"},
    }
    # The label of a caller comes before that of the header.
    for function in CONTEXTS:
        found = function(page, "gbk", content_type="text/html; charset=big5", errors="replace")
        assert (found.encoding.name, found.reason) == ("GBK", "transport")


@pytest.mark.parametrize("function", CONTEXTS)
def test_every_context_takes_an_error_handler(function):
    arguments = {"environment": "gbk"} if function in (textcodec.css, textcodec.script) else {}
    for errors, text in [("replace", "a\ufffd"), ("ignore", "a"), ("backslashreplace", "a\\xff")]:
        assert function(b"a\xff", "utf-8", errors=errors, **arguments).text == text
    with pytest.raises(UnicodeDecodeError) as caught:
        function(b"a\xff", "utf-8", errors="strict", **arguments)
    assert (caught.value.encoding, caught.value.object, caught.value.start, caught.value.end) == ("UTF-8", b"a\xff", 1, 2)


def test_the_type_of_a_response_and_of_a_script_chooses_the_context():
    pages = [b"<?xml version='1.0' encoding='koi8-r'?><a>\xc1</a>", b"<meta charset=koi8-r>\xc1", b"\xef\xbb\xbf{}", b"\xe9"]
    headers = [None, "text/html", "text/xml", "application/xhtml+xml", "image/svg+xml", "application/json", "text/plain; charset=gbk"]
    for page in pages:
        for header in headers:
            is_xml = header is not None and "xml" in header
            for response_type, context in [("", "xhr-text-xml" if is_xml else "xhr-text"), ("text", "xhr-text"), ("document", "xhr-document"), ("json", "xhr-json")]:
                found = outcome(lambda: results(textcodec.xhr(page, content_type=header, response_type=response_type)))
                expected = outcome(lambda: results(textcodec.decode_as(page, context, content_type=header)))
                assert found == expected, (page, header, response_type)
        for module, context in [(False, "classic-script"), (True, "module-script")]:
            found = results(textcodec.script(page, "koi8-r", environment="gbk", module=module))
            assert found == results(textcodec.decode_as(page, context, "koi8-r", environment="gbk"))


@pytest.mark.parametrize("context", textcodec.CONTEXTS)
def test_the_default_error_handler_of_a_stream_is_that_of_its_context(context):
    def of_stream(data):
        decoder = textcodec.ContextDecoder(context)
        return decoder.decode(data, True), decoder.encoding, decoder.had_errors

    for data in (b"a", b"a\xff", b"\xef\xbb\xbfa\xff"):
        expected = outcome(lambda: textcodec.decode_as(data, context))
        found = outcome(lambda: of_stream(data))
        if isinstance(expected, textcodec.Sniffed):
            assert found == (expected.text, expected.encoding, expected.had_errors)
        else:
            assert found == expected
