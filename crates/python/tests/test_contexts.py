import pickle
import types

import pytest
from hypothesis import given
from hypothesis import strategies as st

import textcodec
from samples import cuts, data

SHIFT_JIS = textcodec.lookup("shift_jis")
PAGE = b"<!doctype html><meta charset=sjis><p>\x93\xfa\x96{"

# Beginnings that declare an encoding in one of the contexts.
STARTS = [b"", b"\xef\xbb\xbf", b"\xff\xfe", b"<?xml version='1.0' encoding='big5'?>", b"<meta charset=gbk>", b'@charset "koi8-r";']
STARTS += [b"<\0?\0x\0", b"<!--" + b"-" * 1000 + b"--><meta charset=euc-jp>", b"<?xml " + b" " * 2000]


def test_html_asks_its_sources_in_the_order_of_the_standard():
    calls = [
        (dict(), "Shift_JIS", "tentative", "meta"),
        (dict(http_charset="koi8-r"), "KOI8-R", "certain", "transport"),
        (dict(content_type="text/html; charset=koi8-r"), "KOI8-R", "certain", "transport"),
        (dict(http_charset="bogus"), "Shift_JIS", "tentative", "meta"),
        (dict(override="gbk", http_charset="koi8-r"), "GBK", "certain", "override"),
        (dict(definite="big5", override="gbk"), "Big5", "certain", "definite"),
    ]
    for arguments, *expected in calls:
        found = textcodec.html(PAGE, **arguments)
        assert [found.encoding.name, found.confidence, found.reason] == expected
    assert textcodec.html(b"\xef\xbb\xbf" + PAGE, "koi8-r").reason == "bom"
    for arguments, *expected in [
        (dict(), "windows-1252", "tentative", "default"),
        (dict(default="utf-8"), "UTF-8", "tentative", "default"),
        (dict(locale="ru"), "windows-1251", "tentative", "locale"),
        (dict(locale="ru", default="gbk"), "GBK", "tentative", "default"),
        (dict(locale="ru", guess=lambda data: "euc-jp"), "EUC-JP", "tentative", "heuristic"),
        (dict(history="gbk", guess=lambda data: "euc-jp"), "GBK", "tentative", "history"),
        (dict(container="big5", history="gbk"), "Big5", "tentative", "container"),
    ]:
        found = textcodec.html(b"<p>text", **arguments)
        assert [found.encoding.name, found.confidence, found.reason] == expected


def header_calls():
    yield from (textcodec.html, textcodec.xml, textcodec.css, textcodec.script, textcodec.xhr)
    yield lambda data, **header: textcodec.decode_as(data, "html", **header)

    def stream(data, **header):
        decoder = textcodec.ContextDecoder("html", **header)
        return types.SimpleNamespace(text=decoder.decode(data, final=True), encoding=decoder.encoding, reason=decoder.reason)

    yield stream


@pytest.mark.parametrize("call", list(header_calls()))
def test_a_header_is_a_str_or_bytes(call):
    """Libraries for HTTP decode headers with the error handler surrogateescape, or leave them as they came."""
    for header in ("text/html; charset=koi8-r", b"text/html; charset=koi8-r", bytearray(b"text/html; charset=koi8-r")):
        found = call(b"\xc1", content_type=header)
        assert (found.text, found.encoding.name, found.reason) == ("а", "KOI8-R", "transport")
    for charset in ("\udc81utf-8", "\ud800", "utf-8\udfff", "\x00", "é", "☃"):
        expected = call(b"abc", content_type="text/html; charset=bogus")
        header = f"text/html; charset={charset}"
        for header in (header, header.encode("utf-8", "surrogatepass"), header.encode("utf-16", "surrogatepass")):
            found = call(b"abc", content_type=header)
            assert (found.text, found.encoding) == (expected.text, expected.encoding)
    # The byte before the parameter is not part of the label.
    found = call(b"\xc1", content_type="text/html; \udc81=a; charset=koi8-r")
    assert (found.text, found.encoding.name) == ("а", "KOI8-R")
    with pytest.raises(TypeError, match="content_type must be a str or bytes, not int"):
        call(b"", content_type=5)


def test_texts_from_outside_can_have_lone_surrogates():
    assert textcodec.html(b"a", locale="ru\udc81").encoding.name == "windows-1252"
    assert textcodec.locale_default("\ud800").name == "windows-1252"
    assert textcodec.html(b"a", "\udc81utf-8").reason == "default"
    assert textcodec.html(b"a", override="\udc81", guess=lambda data: "utf_8\udc81").reason == "default"
    assert textcodec.css(b"a", charset_attribute="\udc81").reason == "default"
    assert textcodec.url.pick_an_encoding("\udc81 koi8-r", "gbk").name == "KOI8-R"


def test_sniffed_is_a_tuple_of_four_with_an_attribute():
    found = textcodec.html(PAGE + b"\xff")
    text, encoding, confidence, reason = found
    assert text.endswith("日本\ufffd") and encoding is SHIFT_JIS and found.had_errors
    assert isinstance(found, textcodec.Sniffed) and found == (text, encoding, confidence, reason)


def test_xml_errors_are_fatal_unless_told_otherwise():
    page = b"<?xml version='1.0'?><a>\xff</a>"
    with pytest.raises(UnicodeDecodeError):
        textcodec.xml(page)
    assert textcodec.xml(page, errors="replace").text.endswith("<a>\ufffd</a>")
    assert textcodec.xml("<?xml version='1.0'?>".encode("utf-16le")).encoding.name == "UTF-16LE"


def test_style_sheets_and_scripts_use_the_encoding_of_the_document_last():
    assert textcodec.css(b"a{}", environment="gbk").reason == "environment"
    assert textcodec.css(b"a{}", charset_attribute="gbk", environment="big5").encoding.name == "GBK"
    assert textcodec.css(b'@charset "koi8-r";', charset_attribute="gbk").reason == "at-charset"
    assert textcodec.css(b'@charset "utf-16le";').encoding.name == "UTF-8"
    assert textcodec.script(b"1", charset_attribute="sjis", environment="gbk").encoding is SHIFT_JIS
    assert textcodec.script(b"1", environment="gbk").encoding.name == "GBK"
    assert textcodec.script(b"1", environment="gbk", module=True)[1:] == (textcodec.lookup("utf-8"), "irrelevant", "fixed")


def test_responses_of_xml_http_request_depend_on_their_type():
    xml = b"<?xml version='1.0' encoding='koi8-r'?>"
    assert textcodec.xhr(xml, content_type="text/xml").encoding.name == "KOI8-R"
    assert textcodec.xhr(xml, content_type="text/xml", response_type="text").encoding.name == "UTF-8"
    assert textcodec.xhr(xml, content_type="text/xml; charset=gbk", override="bogus").encoding.name == "KOI8-R"
    assert textcodec.xhr(PAGE, content_type="text/html", response_type="document").encoding is SHIFT_JIS
    assert textcodec.xhr(b"{}", "gbk", response_type="json").encoding.name == "UTF-8"
    with pytest.raises(ValueError, match="response_type"):
        textcodec.xhr(b"", response_type="blob")


def test_every_context_has_a_name():
    assert len(textcodec.CONTEXTS) == len(set(textcodec.CONTEXTS)) == 5 + 39
    for context in textcodec.CONTEXTS:
        found = textcodec.decode_as(b"abc", context, "koi8-r", default="gbk")
        assert found.text == "abc"
        assert (found.encoding is None) == (found.reason == "fixed" and context in ("mime-type", "url", "data-url", "refresh-header", "header-value", "atob"))
    assert textcodec.decode_as(b"\xe9", "atob") == ("é", None, "irrelevant", "fixed")
    with pytest.raises(ValueError, match="unknown context: 'page'; textcodec.CONTEXTS"):
        textcodec.decode_as(b"", "page")
    with pytest.raises(ValueError, match="unknown context"):
        textcodec.decode_as(b"", "url-query")


RUSSIAN = textcodec.encode("<p>Съешь же ещё этих мягких французских булок", "koi8-r")


@pytest.mark.parametrize(
    ("data", "arguments", "name", "reason"),
    [
        (RUSSIAN, {}, "KOI8-R", "heuristic"),
        (RUSSIAN, {"locale": "ja", "default": "gbk"}, "KOI8-R", "heuristic"),
        (RUSSIAN, {"history": "gbk"}, "GBK", "history"),
        (RUSSIAN, {"content_type": "text/html; charset=gbk"}, "GBK", "transport"),
        (b"<meta charset=gbk>" + RUSSIAN, {}, "GBK", "meta"),
        (b"\xef\xbb\xbf" + RUSSIAN, {}, "UTF-8", "bom"),
        ("<p>Grüße".encode(), {}, "UTF-8", "heuristic"),
        # The detector has no answer, or one that changes nothing.
        (b"<p>plain", {"locale": "ja"}, "Shift_JIS", "locale"),
        (b"<p>plain", {"default": "gbk"}, "GBK", "default"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", {}, "windows-1252", "default"),
        ("☃ a".encode("utf-32"), {"default": "gbk"}, "UTF-16LE", "bom"),
        ("это".encode("utf-32-be"), {"default": "gbk"}, "GBK", "default"),
    ],
)
def test_the_detector_is_asked_only_about_pages_that_declare_nothing(data, arguments, name, reason):
    for kind in (bytes, bytearray, memoryview):
        sniffed = textcodec.html(kind(data), guess="detect", **arguments)
        assert (sniffed.encoding.name, sniffed.reason) == (name, reason)
    decoder = textcodec.ContextDecoder("html", guess="detect", **arguments)
    assert decoder.decode(data) + decoder.decode(b"", final=True) == sniffed.text
    assert (decoder.encoding, decoder.reason) == (sniffed.encoding, reason)


def test_the_default_is_no_guess_and_a_long_page_is_looked_at_as_a_whole():
    assert textcodec.html(RUSSIAN).encoding.name == "windows-1252"
    page = b"<p>plain " * 20_000 + RUSSIAN
    assert textcodec.html(page, guess="detect").encoding.name == "KOI8-R"
    assert textcodec.decode_as(page, "html", guess="detect").text == textcodec.decode(page, "koi8-r").text


def test_guess_is_a_function_of_bytes():
    seen = []

    def guess(data):
        seen.append(data)
        return answers.pop(0)

    answers = ["shift_jis", SHIFT_JIS, "euc_jp", None, "johab"]
    names = [textcodec.html(bytearray(b"\x93\xfa"), guess=guess).encoding.name for _ in range(5)]
    assert names == ["Shift_JIS", "Shift_JIS", "EUC-JP", "windows-1252", "windows-1252"]
    assert seen == [b"\x93\xfa"] * 5 and all(type(data) is bytes for data in seen)
    # Nobody asks for a guess where a source names the encoding.
    assert textcodec.html(PAGE, guess=lambda data: 1 / 0).reason == "meta"
    with pytest.raises(ZeroDivisionError):
        textcodec.html(b"a", guess=lambda data: 1 / 0)
    with pytest.raises(ValueError, match="guess must be 'detect' or a function .*, not 'utf-8'"):
        textcodec.html(b"a", guess="utf-8")
    with pytest.raises(TypeError, match="guess must be 'detect' or a function .*, not int"):
        textcodec.html(b"a", guess=3)
    with pytest.raises(TypeError, match="must be a label or an Encoding"):
        textcodec.html(b"a", guess=lambda data: 3)


def test_unknown_labels_of_the_caller_are_errors_and_those_of_the_page_are_not():
    assert textcodec.html(b"<meta charset=none>", "bogus", override="bogus").reason == "default"
    for argument in ("default", "history", "container", "definite"):
        with pytest.raises(LookupError):
            textcodec.html(b"", **{argument: "bogus"})


@given(st.sampled_from(STARTS), data, st.sampled_from(textcodec.CONTEXTS), st.sampled_from(["replace", "ignore"]), st.data())
def test_a_stream_has_the_text_of_the_whole(start, rest, context, errors, choices):
    whole = start + rest
    expected = textcodec.decode_as(whole, context, errors=errors, locale="ja", environment="gbk")
    decoder = textcodec.ContextDecoder(context, errors=errors, locale="ja", environment="gbk")
    places = [0, *cuts(choices, len(whole)), len(whole)]
    text = ""
    for begin, end in zip(places, places[1:]):
        text += decoder.decode(whole[begin:end])
    text += decoder.decode(b"", True)
    assert (text, decoder.encoding) == expected[:2]
    if expected.encoding is not None:
        assert (decoder.confidence, decoder.reason) == expected[2:]
        assert decoder.had_errors == expected.had_errors


def test_a_stream_waits_as_long_as_it_must():
    decoder = textcodec.ContextDecoder("html", guess=lambda data: "gbk" if len(data) == 10 else None, patience=10)
    assert decoder.decode(b"123456789") == "" and decoder.encoding is None and decoder.reason is None
    assert decoder.decode(b"\xd6\xd0") == ""
    decoder = textcodec.ContextDecoder("html")
    assert decoder.decode(b"a" * 1023) == ""
    assert decoder.decode(b"aa") == "a" * 1025
    with pytest.raises(UnicodeDecodeError) as caught:
        textcodec.ContextDecoder("xml").decode(b"<a>\xff", True)
    assert caught.value.start == 3


def test_an_exception_leaves_a_stream_where_it_was():
    decoder = textcodec.ContextDecoder("html", errors="strict", default="shift_jis")
    assert decoder.decode(b"<p>") == ""
    with pytest.raises(UnicodeDecodeError) as caught:
        decoder.decode(b"\x83\xff", True)
    assert caught.value.object == b"<p>\x83\xff" and decoder.encoding is None
    assert decoder.decode(b"\x83\x65", True) == "<p>テ"

    def guess(data):
        if len(data) < 5:
            raise ValueError("too short")
        return "gbk"

    decoder = textcodec.ContextDecoder("html", guess=guess)
    with pytest.raises(ValueError, match="too short"):
        decoder.decode(b"abc", True)
    assert decoder.decode(b"abcde", True) == "abcde"


class TestUrl:
    def test_percent_encodes_after_encoding(self):
        assert textcodec.url.percent_encode("a b☃", "gbk") == "a%20b%26%239731%3B"
        assert textcodec.url.percent_encode("é/", set="path") == "%C3%A9/"
        assert textcodec.url.percent_encode("é", "utf-16") == "%C3%A9"
        with pytest.raises(ValueError, match="set must be one of c0-control"):
            textcodec.url.percent_encode("a", set="all")

    def test_each_set_has_its_characters(self):
        signs = "".join(map(chr, range(0x20, 0x80))) + "\x1f"
        sets = {
            "c0-control": "\x7f\x1f",
            "fragment": ' "<>`\x7f\x1f',
            "query": ' "#<>\x7f\x1f',
            "special-query": " \"#'<>\x7f\x1f",
            "path": ' "#<>?^`{}\x7f\x1f',
            "userinfo": ' "#/:;<=>?@[\\]^`{|}\x7f\x1f',
            "component": ' "#$%&+,/:;<=>?@[\\]^`{|}\x7f\x1f',
            "form-urlencoded": " !\"#$%&'()+,/:;<=>?@[\\]^`{|}~\x7f\x1f",
        }
        for name, expected in sets.items():
            encoded = (sign for sign in signs if textcodec.url.percent_encode(sign, set=name) != sign)
            assert "".join(encoded) == expected, name

    def test_encodes_queries_as_the_url_parser_does(self):
        assert textcodec.url.encode_query("q=日", "iso-2022-jp") == "q=%1B$BF|%1B(B"
        assert textcodec.url.encode_query("q=да", "windows-1251", scheme="wss") == "q=%D0%B4%D0%B0"

    def test_encodes_forms(self):
        assert textcodec.url.urlencode({"a": "b\nc"}.items()) == "a=b%0D%0Ac"
        assert textcodec.url.field_value("é\r", "latin1") == b"\xe9\r\n"
        assert textcodec.url.field_name('"\n', "latin1") == b"%22%0D%0A"
        assert textcodec.url.file_name("\n") == b"%0A"
        assert textcodec.url.pick_an_encoding(None, "utf-16").name == "UTF-8"
        with pytest.raises(TypeError):
            textcodec.url.urlencode([("a", 1)])


def test_each_function_of_forms_takes_an_encoding_and_treats_lines_as_the_standard_says():
    url, text = textcodec.url, 'é"\n\r\n\r☃'
    assert url.urlencode([(text, text)], "latin1") == "=".join(["%E9%22%0D%0A%0D%0A%0D%0A%26%239731%3B"] * 2)
    assert url.field_value(text, "latin1") == b'\xe9"\r\n\r\n\r\n&#9731;'
    assert url.field_name(text, "latin1") == b"\xe9%22%0D%0A%0D%0A%0D%0A&#9731;"
    assert url.file_name(text, "latin1") == b"\xe9%22%0A%0D%0A%0D&#9731;"
    for call in (url.urlencode, url.field_value, url.field_name, url.file_name, url.percent_encode, url.encode_query):
        argument = [(text, "")] if call is url.urlencode else text
        assert call(argument) == call(argument, "utf-8") == call(argument, label=textcodec.lookup("utf8")) != call(argument, "latin1")
        with pytest.raises(LookupError):
            call(argument, "bogus")


def test_the_scheme_of_a_url_decides_the_encoding_of_its_query():
    for scheme in ("ftp", "file", "http", "https"):
        assert textcodec.url.encode_query("é", "latin1", scheme) == "%E9", scheme
    assert textcodec.url.encode_query("é", "latin1") == "%E9"
    for scheme in ("ws", "wss", "data", "about", ""):
        assert textcodec.url.encode_query("é", "latin1", scheme=scheme) == "%C3%A9", scheme


# The contexts by their rules: the reasons for bytes with a byte order mark, with a label of HTTP, and without both; the
# encoding of the last; whether errors are fatal, and whether a byte order mark stays in the text.
FIXED = ("fixed", "fixed", "fixed", "UTF-8")
RULES = {
    "html html-parser text-document view-source": ("bom", "transport", "default", "Big5", False, False),
    "xml xml-parser": ("bom", "transport", "default", "UTF-8", True, False),
    "css css-from-document css-from-style-sheet script classic-script": ("bom", "transport", "environment", "GBK", False, False),
    "css-from-link-header xhr xhr-document xhr-text xhr-text-xml file-reader": ("bom", "transport", "default", "UTF-8", False, False),
    "text-decoder": ("default", "default", "default", "UTF-8", False, False),
    "module-script javascript-url fetch-text fetch-json xhr-json web-app-manifest payment-method-manifest": (*FIXED, False, False),
    "push-message-data event-stream cache-manifest web-vtt": (*FIXED, False, False),
    "media-fragment web-socket-text": (*FIXED, True, False),
    "web-socket-close-reason cookie host-parser percent-decode fragment url-encoded multipart-form-data": (*FIXED, False, True),
    "mime-type url data-url refresh-header header-value atob": ("fixed", "fixed", "fixed", None, False, True),
}


def test_every_context_has_the_rules_of_its_standard():
    assert sorted(name for names in RULES for name in names.split()) == sorted(textcodec.CONTEXTS)
    assert textcodec.CONTEXTS[:5] == ("html", "xml", "css", "script", "xhr") and isinstance(textcodec.CONTEXTS, tuple)
    for names, (with_mark, with_label, without, encoding, is_fatal, keeps_mark) in RULES.items():
        for context in names.split():
            hints = {"environment": "gbk", "default": "big5"}

            def of_stream(data, **others):
                decoder = textcodec.ContextDecoder(context, **others)
                assert (decoder.encoding, decoder.confidence, decoder.reason, decoder.had_errors) == (None, None, None, False)
                text = decoder.decode(data, True)
                return text, decoder.encoding, decoder.confidence, decoder.reason, decoder.had_errors

            for data, others, reason in [(b"\xef\xbb\xbfa", {"http_charset": "koi8-r"}, with_mark), (b"a", {"http_charset": "koi8-r"}, with_label), (b"a", {}, without)]:
                found = textcodec.decode_as(data, context, **others, **hints)
                assert found.reason == reason, (context, others)
                confidence = "irrelevant" if reason == "fixed" else "tentative" if reason == "default" and "html" in names else "certain"
                assert found.confidence == confidence, (context, others)
                if encoding is None:
                    # There is no encoding, and nothing that decides.
                    assert of_stream(data, **others, **hints) == (found.text, None, None, None, False)
                else:
                    assert of_stream(data, **others, **hints) == (found.text, found.encoding, found.confidence, reason, False)
                assert found.text.startswith("\ufeff" if encoding else "ï»¿") == (keeps_mark and len(data) > 1), context
            assert (found.encoding and found.encoding.name) == encoding
            if encoding is not None:
                if is_fatal:
                    with pytest.raises(UnicodeDecodeError):
                        textcodec.decode_as(b"a\xff", context, "utf-8")
                else:
                    assert textcodec.decode_as(b"a\xff", context, "utf-8").had_errors
            assert textcodec.decode_as(b"a", context, "utf-8").had_errors is False


def test_what_a_stream_knows_comes_with_its_encoding():
    decoder = textcodec.ContextDecoder("html", "shift_jis", errors="ignore")
    facts = lambda: (decoder.encoding, decoder.confidence, decoder.reason, decoder.had_errors)
    # Three bytes can be a byte order mark.
    assert decoder.decode(b"\xef") == "" and facts() == (None, None, None, False)
    assert decoder.decode(b"\xbb") == "" and facts() == (None, None, None, False)
    assert decoder.decode(b"\xbf\xff") == "" and facts() == (textcodec.lookup("utf-8"), "certain", "bom", True)
    assert decoder.decode(b"a") == "a" and facts() == (textcodec.lookup("utf-8"), "certain", "bom", True)
    for name in ("encoding", "confidence", "reason", "had_errors"):
        with pytest.raises(AttributeError):
            setattr(decoder, name, None)


def test_a_result_can_be_pickled_with_all_its_attributes():
    for data, context in [(PAGE + b"\xff", "html"), (PAGE, "html"), (b"\xe9", "atob")]:
        found = textcodec.decode_as(data, context)
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(found, protocol))
            assert (again, again.had_errors, type(again)) == (found, found.had_errors, textcodec.Sniffed)
        match found:
            case textcodec.Sniffed(text, encoding, confidence, reason):
                assert (text, encoding, confidence, reason) == (found.text, found.encoding, found.confidence, found.reason) == tuple(found)


def test_locales_have_the_defaults_of_html():
    defaults = {
        "windows-1256": "ar fa", "windows-1251": "ba be bg kk ky mk ru sah sr tg tt uk", "windows-1250": "cs hr sk", "ISO-8859-7": "el",
        "windows-1257": "et lt lv", "windows-1255": "he", "ISO-8859-2": "hu pl sl", "Shift_JIS": "ja", "EUC-KR": "ko", "windows-1254": "ku tr",
        "windows-874": "th", "windows-1258": "vi", "GBK": "zh-hans zh-cn zh-sg", "Big5": "zh-hant zh-hk zh-mo zh-tw", "windows-1252": "en de fr xx",
    }
    for name, locales in defaults.items():
        for locale in locales.split():
            for tag in (locale, locale.upper(), f"{locale}-x-own"):
                assert textcodec.locale_default(tag).name == name, tag
                assert textcodec.html(b"a", locale=tag).encoding.name == name, tag


def test_a_guess_sees_as_many_bytes_as_the_patience_says():
    data = b"<p>" + b"a" * 5000
    for patience in (1, 10, 1023, 1024, 1025, 3000):
        for size in (1, 700, len(data)):
            seen = []
            decoder = textcodec.ContextDecoder("html", guess=lambda data: seen.append(data) or "gbk", patience=patience)
            for at in range(0, len(data), size):
                decoder.decode(data[at : at + size])
                # A declaration can be in the first 1024 bytes.
                assert (decoder.encoding is None) == (at + size < max(patience, 1024)), (patience, size, at)
            assert seen == [data[:patience]], (patience, size)


def test_what_a_guess_writes_to_the_bytes_changes_no_text():
    for call in (lambda data, guess: textcodec.html(data, guess=guess), lambda data, guess: textcodec.decode_as(data, "html", guess=guess)):
        data = bytearray(b"\xc1\xc2")

        def guess(seen):
            data[:] = b"<>"
            return "koi8-r"

        assert (call(data, guess).text, bytes(data)) == ("аб", b"<>")


def test_the_label_of_a_caller_takes_the_place_of_the_header_also_if_it_is_unknown():
    header = "text/html; charset=gbk"
    for function in (textcodec.html, textcodec.xml, textcodec.css, textcodec.script, textcodec.xhr, lambda data, *label, **header: textcodec.decode_as(data, "html", *label, **header)):
        assert function(b"a", content_type=header).encoding.name == "GBK"
        for label in ("bogus", "", "\ud800"):
            found, without = function(b"a", label, content_type=header), function(b"a")
            assert (found.encoding, found.reason) == (without.encoding, without.reason) != ("GBK", "transport")


def test_a_form_without_labels_is_sent_in_utf_8_and_without_the_attribute_in_the_encoding_of_the_document():
    for labels, name in [(None, "GBK"), ("", "UTF-8"), (" ", "UTF-8"), ("bogus", "UTF-8"), ("bogus, koi8-r", "KOI8-R"), ("koi8-r big5", "KOI8-R"), ("utf-16", "UTF-8")]:
        assert textcodec.url.pick_an_encoding(labels, "gbk").name == name or "," in labels, labels
    assert textcodec.url.urlencode([]) == "" and textcodec.url.urlencode([("", "")]) == "="
