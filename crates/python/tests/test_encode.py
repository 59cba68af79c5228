import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

import textcodec
from samples import ENCODERS, encoders, once, texts, texts_with_surrogates
from textcodec import _textcodec

UTF_16 = ("UTF-16BE", "UTF-16LE")


@given(texts, encoders)
def test_xmlcharrefreplace_gives_the_bytes_of_the_standards_algorithm(text, encoding):
    if encoding.name in UTF_16:
        expected = text.encode(encoding.name)
    else:
        expected = _textcodec._model_encode(text, encoding)
    assert textcodec.encode(text, encoding, "xmlcharrefreplace") == expected


@given(texts, encoders, st.sampled_from(["replace", "ignore"]))
def test_what_can_be_encoded_is_decoded_again(text, encoding, errors):
    data = textcodec.encode(text, encoding, errors)
    again = textcodec.decode(data, encoding, bom="keep").text
    assert textcodec.encode(again, encoding) == data


@given(texts_with_surrogates, st.sampled_from(["strict", "replace", "ignore", "backslashreplace", "surrogatepass", "namereplace"]))
def test_surrogates_in_utf_8_are_treated_as_python_does(text, errors):
    def outcome(encode):
        try:
            return encode()
        except UnicodeEncodeError as error:
            return error.start, error.object

    # CPython reports a run of surrogates at once, and we report each; the results are the same.
    assert outcome(lambda: textcodec.encode(text, "utf-8", errors)) == outcome(lambda: text.encode("utf-8", errors))


@pytest.mark.parametrize("length", [0, 1, 63, 64, 65, 2048, 40_000])
@pytest.mark.parametrize("text", ["a", "é", "я", "日", "😀", "aé", "aя", "a😀"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16le", "utf-16be", "gb18030"])
def test_strings_of_every_kind_and_length_are_encoded_as_python_does(text, length, encoding):
    text = (text * (length // len(text) + 1))[:length]
    assert textcodec.encode(text, encoding) == text.encode(encoding)


@pytest.mark.parametrize(
    ("label", "text", "start", "reason"),
    [
        ("shift_jis", "a日☃b", 2, "unmappable character"),
        ("big5", "a😀b", 1, "unmappable character"),
        ("gb18030", "😀😀\ue5e5", 2, "unmappable character"),
        ("iso-2022-jp", "日\x1b", 1, "unmappable character"),
        ("shift_jis", "日\ud800", 1, "surrogates not allowed"),
        ("utf-16be", "😀\udc00", 1, "surrogates not allowed"),
    ],
)
@pytest.mark.parametrize("padding", [0, 100])
def test_an_error_has_the_place_the_object_and_the_reason(label, text, start, reason, padding):
    text = "a" * padding + text
    with pytest.raises(UnicodeEncodeError) as caught:
        textcodec.encode(text, label)
    error = caught.value
    assert (error.start, error.end) == (start + padding, start + padding + 1)
    assert error.object is text and error.reason == reason
    assert error.encoding == textcodec.lookup(label).name


@pytest.mark.parametrize("encoding", ["iso8859-5", "koi8-r", "cp1251"])
@pytest.mark.parametrize("errors", ["replace", "ignore", "backslashreplace", "namereplace", "xmlcharrefreplace"])
def test_error_handlers_do_what_they_do_in_python(encoding, errors):
    text = "да ☃\ud800\U0001f600\udcff日 нет"
    label = {"iso8859-5": "iso-8859-5"}.get(encoding, encoding)
    assert textcodec.encode(text, label, errors) == text.encode(encoding, errors)


@pytest.mark.parametrize("before", [0, 1])
def test_long_texts_are_encoded_in_pieces_that_divide_no_character(before):
    text = "a" * before + "😀" * 70_000
    assert textcodec.encode(text, "gb18030", errors="ignore") == text.encode("gb18030")
    assert textcodec.encode(text, "big5", errors="xmlcharrefreplace") == text.encode("ascii", "xmlcharrefreplace")


def test_surrogateescape_gives_the_bytes_back():
    for encoding in ENCODERS:
        data = b"ab\xff\x81\xfe\xfd" if encoding.is_ascii_compatible else b"ab"
        text = textcodec.decode(data, encoding, "surrogateescape", "keep").text
        assert textcodec.encode(text, encoding, "surrogateescape") == data


def test_registered_handlers_can_return_bytes_and_positions():
    codecs.register_error("textcodec-bytes", lambda error: (b"\xff\xff", error.end + 1))
    codecs.register_error("textcodec-text", lambda error: ("日", error.end))
    codecs.register_error("textcodec-question", lambda error: ("<日>", error.end))
    codecs.register_error("textcodec-unmappable", lambda error: ("☃", error.end))
    assert textcodec.encode("a☃bc☃", "shift_jis", "textcodec-text") == "a日bc日".encode("shift_jis")
    assert textcodec.encode("a☃bc", "shift_jis", "textcodec-bytes") == b"a\xff\xffc"
    with pytest.raises(UnicodeEncodeError, match="position 1"):
        textcodec.encode("a☃bc", "shift_jis", "textcodec-unmappable")
    # The text of a handler is right in every state of ISO-2022-JP.
    data = textcodec.encode("日☃本", "iso-2022-jp", "textcodec-question")
    assert textcodec.decode(data, "iso-2022-jp", "strict").text == "日<日>本"


@pytest.mark.parametrize("errors", ["strict", "replace", "xmlcharrefreplace", "backslashreplace"])
def test_replacement_has_no_characters(errors):
    assert textcodec.encode("", "iso-2022-kr", errors) == b""
    for text in ("a", "😀", "\ud800"):
        with pytest.raises(UnicodeEncodeError, match="position 0"):
            textcodec.encode(text, "iso-2022-kr", errors)
        assert textcodec.encode(text, "iso-2022-kr", "ignore") == b""


def test_encode_takes_only_strings():
    with pytest.raises(TypeError):
        textcodec.encode(b"a", "utf-8")


@pytest.mark.parametrize("text", ["a☃bc", "😀a☃b日c", "☃", "日a\ud800b"])
def test_a_handler_goes_to_any_position_as_in_python(text):
    """Positions count characters, those below 0 from the end, and one that is not in the text is an error."""

    def outcome(encode, answer, position):
        codecs.register_error("textcodec-once", once(answer, position))
        try:
            return encode("textcodec-once")
        except (UnicodeEncodeError, IndexError) as error:
            return type(error)

    for answer in ("x", "", "я", "日", "\ud800", b"\xff"):
        for position in range(-len(text) - 1, len(text) + 2):
            found = outcome(lambda errors: textcodec.encode(text, "koi8-r", errors), answer, position)
            assert found == outcome(lambda errors: text.encode("koi8-r", errors), answer, position), (answer, position)


@pytest.mark.parametrize("errors", ["strict", "replace", "ignore", "xmlcharrefreplace", "backslashreplace", "namereplace"])
def test_every_text_in_iso_2022_jp_ends_in_ascii(errors):
    end = b"\x1b(B"
    for text in ("日", "日\ud800日", "日☃日", "☃日", "日" * 200_000, "日☃" * 100_000 + "日"):
        try:
            data = textcodec.encode(text, "iso-2022-jp", errors)
        except UnicodeEncodeError:
            assert errors == "strict" or "\ud800" in text
            continue
        assert data.endswith(end) and data.count(b"\x1b") % 2 == 0


def test_an_exception_leaves_the_encoder_where_it_was():
    for charset, text in [("iso-2022-jp", "日"), ("glibc:EUC-JISX0213", "か"), ("gbk", "中")]:
        encoder = textcodec.IncrementalEncoder(textcodec.Charset(charset))
        before = encoder.encode(text)
        state = encoder.getstate()
        for wrong in ("a\U000e0100", f"{text}\ud800", "\U000e0100"):
            with pytest.raises(UnicodeEncodeError):
                encoder.encode(wrong)
            assert encoder.getstate() == state
        assert before + encoder.encode(text, True) == textcodec.encode(text * 2, charset=charset)
