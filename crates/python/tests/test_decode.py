import array
import codecs
import mmap
import pickle
import threading

import pytest
from hypothesis import given

import textcodec
from samples import data, encodings, once
from textcodec import _textcodec


@given(data, encodings)
def test_decode_gives_the_text_of_the_standards_algorithm(data, encoding):
    assert textcodec.decode(data, encoding).text == _textcodec._model_decode(data, encoding)


@pytest.mark.parametrize("length", [0, 1, 15, 16, 63, 64, 65, 255, 257, 2048, 40_000, 200_000])
@pytest.mark.parametrize("text", ["a", "é", "я", "日", "😀", "aé", "aя", "a😀", "éя"])
def test_strings_of_every_kind_and_length_are_equal_to_those_of_python(text, length):
    expected = (text * (length // len(text) + 1))[:length]
    for encoding in ("utf-8", "utf-16le", "gb18030"):
        decoded = textcodec.decode(expected.encode(encoding), encoding)
        assert decoded.text == expected
        assert decoded.text.encode() == expected.encode() and hash(decoded.text) == hash(expected)
        assert not decoded.had_errors


def test_text_of_an_encoding_without_surrogate_pairs_has_none():
    # The package looks for pairs only in encodings that have code points above U+FFFF.
    two = [bytes([first, second, 10]) for first in range(0x80, 0x100) for second in range(0x20, 0x100)]
    data = b"".join(two + [b"\x8f" + bytes(pair) for pair in two])
    data += b"".join(b"\x1b$B" + pair + b"\x1b(B" for pair in (bytes([a, b]) for a in range(0x21, 0x7F) for b in range(0x21, 0x7F)))
    for encoding in textcodec.ENCODINGS:
        text = textcodec.decode(data, encoding, bom="keep").text
        assert not any("\ud800" <= character <= "\udfff" for character in text), encoding


def test_a_byte_order_mark_decides_the_encoding_unless_told_otherwise():
    data = b"\xef\xbb\xbf\xc3\xa9"
    assert textcodec.decode(data, "gbk")[:2] == ("é", textcodec.lookup("utf-8"))
    assert textcodec.decode(data, "utf-8", bom="remove").text == "é"
    assert textcodec.decode(data, "windows-1252", bom="remove").text == "ï»¿Ã©"
    assert textcodec.decode(data, "utf-8", bom="keep").text == "\ufeffé"
    with pytest.raises(ValueError, match="'sniff', 'remove' or 'keep'"):
        textcodec.decode(data, "utf-8", bom="strip")


def test_decoded_is_a_tuple_of_three_that_can_be_pickled():
    decoded = textcodec.decode(b"a\xff", "utf-8")
    text, encoding, had_errors = decoded
    assert (text, encoding.name, had_errors) == ("a\ufffd", "UTF-8", True)
    assert isinstance(decoded, textcodec.Decoded)
    assert pickle.loads(pickle.dumps(decoded)) == decoded
    match decoded:
        case textcodec.Decoded(text, _, True):
            assert text == "a\ufffd"


@pytest.mark.parametrize(
    ("label", "data", "start", "end", "reason"),
    [
        ("shift_jis", b"abc\x82\xffd", 3, 5, "malformed sequence"),
        ("shift_jis", b"abc\x82", 3, 4, "incomplete sequence at the end"),
        ("shift_jis", b"abc\x82 ", 3, 4, "malformed sequence"),
        ("utf-8", b"\xef\xbb\xbfa\xf0\x9f", 4, 6, "incomplete sequence at the end"),
        ("utf-8", b"a\xed\xa0\x80", 1, 2, "malformed sequence"),
        ("gb18030", b"\x81\x30\x81", 0, 3, "incomplete sequence at the end"),
        ("utf-16le", b"a\x00\x00\xd8b\x00", 2, 4, "malformed sequence"),
        ("utf-16le", b"a\x00b", 2, 3, "incomplete sequence at the end"),
        ("windows-1253", b"a\xaab", 1, 2, "malformed sequence"),
        ("iso-2022-jp", b"\x1b$B\x30", 3, 4, "incomplete sequence at the end"),
        ("replacement", b"abc", 0, 1, "malformed sequence"),
    ],
)
@pytest.mark.parametrize("padding", [0, 200_000])
def test_an_error_has_the_place_the_object_and_the_reason(label, data, start, end, reason, padding):
    pad = "a" * padding
    pad = pad.encode("utf-16le" if label == "utf-16le" else "ascii") if label != "replacement" else b""
    if data.startswith(b"\xef\xbb\xbf"):
        data, pad = data[:3] + pad + data[3:], pad
    else:
        data = pad + data
    with pytest.raises(UnicodeDecodeError) as caught:
        textcodec.decode(data, label, errors="strict")
    error = caught.value
    assert (error.start, error.end, error.reason) == (start + len(pad), end + len(pad), reason)
    assert error.object is data
    assert error.encoding == textcodec.lookup(label).name


def test_errors_of_other_buffers_have_bytes():
    with pytest.raises(UnicodeDecodeError) as caught:
        textcodec.decode(bytearray(b"ab\xff"), "utf-8", "strict")
    assert caught.value.object == b"ab\xff" and type(caught.value.object) is bytes


@pytest.mark.parametrize("errors", ["replace", "ignore", "backslashreplace", "surrogateescape"])
@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_error_handlers_do_what_they_do_in_python(errors, encoding):
    data = b"a\x80b\xc3\xff\xe2\x82z\xf0\x9f"
    expected = data.decode("utf-8", errors)
    assert textcodec.decode(data, "utf-8", errors).text == expected


def test_registered_handlers_see_the_error_and_choose_where_to_go_on():
    import codecs

    seen = []

    def skip_two(error):
        seen.append((type(error), error.start, error.end, error.object[error.start : error.end]))
        return "<bad>", error.end + 2

    def from_the_end(error):
        return "^", -1

    def back(error):
        # Goes back once, to the start of the object.
        if seen and seen[-1] == "back":
            return "!", error.end
        seen.append("back")
        return "^", 0

    codecs.register_error("textcodec-skip-two", skip_two)
    codecs.register_error("textcodec-from-the-end", from_the_end)
    codecs.register_error("textcodec-back", back)
    assert textcodec.decode(b"ab\x82\xffcdef", "shift_jis", "textcodec-skip-two").text == "ab<bad>ef"
    assert seen == [(UnicodeDecodeError, 2, 4, b"\x82\xff")]
    assert textcodec.decode(b"ab\x82\xffcdef", "shift_jis", "textcodec-from-the-end").text == "ab^f"
    assert textcodec.decode(b"ab\x82\xffc", "shift_jis", "textcodec-back").text == "ab^ab!c"
    # The trailing byte, which the decoder has put back, is skipped with what follows.
    assert textcodec.decode(b"a\x82 bc", "shift_jis", "textcodec-skip-two").text == "a<bad>c"


@pytest.mark.parametrize("answer", [None, "x", ("x",), ("x", 1, 2), (b"x", 1), (1, 1), ("x", "y")])
def test_a_wrong_answer_of_a_handler_is_a_type_error(answer):
    import codecs

    codecs.register_error("textcodec-wrong", lambda error: answer)
    with pytest.raises(TypeError):
        textcodec.decode(b"\xff", "utf-8", "textcodec-wrong")


@pytest.mark.parametrize("position", [2, -2, 1 << 40])
def test_a_position_out_of_bounds_is_an_index_error(position):
    import codecs

    codecs.register_error("textcodec-far", lambda error: ("", position))
    with pytest.raises(IndexError, match="out of bounds"):
        textcodec.decode(b"\xff", "utf-8", "textcodec-far")


def test_an_unknown_handler_is_a_lookup_error_once_it_is_needed():
    assert textcodec.decode(b"a", "utf-8", "textcodec-none").text == "a"
    with pytest.raises(LookupError, match="unknown error handler name"):
        textcodec.decode(b"\xff", "utf-8", "textcodec-none")


def test_every_object_with_the_buffer_protocol_is_decoded():
    data = "да".encode("koi8-r")
    with mmap.mmap(-1, len(data)) as memory:
        memory[:] = data
        for buffer in (data, bytearray(data), memoryview(data), array.array("B", data), memory, memoryview(b"x" + data)[1:]):
            assert textcodec.decode(buffer, "koi8-r").text == "да"
    with pytest.raises(TypeError):
        textcodec.decode("да", "koi8-r")
    with pytest.raises(TypeError):
        textcodec.decode([1, 2], "koi8-r")
    with pytest.raises(BufferError):
        textcodec.decode(memoryview(data * 2)[::2], "koi8-r")


def test_a_handler_cannot_change_what_is_decoded():
    import codecs

    data = bytearray(b"a\xffbc\xff" * 10)

    def change(error):
        data[:] = b"\xff" * len(data)
        return "?", error.end

    codecs.register_error("textcodec-change", change)
    assert textcodec.decode(data, "utf-8", "textcodec-change").text == "a?bc?" * 10


def test_threads_decode_at_the_same_time():
    data = "日本語".encode("euc-jp") * 100_000
    expected = data.decode("euc-jp")
    results = []
    threads = [threading.Thread(target=lambda: results.append(textcodec.decode(data, "euc-jp").text)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 4


@pytest.mark.parametrize(
    "label, line",
    [
        ("shift_jis", b"\x93\xfa\x96\x7b text\n"),
        ("iso-2022-jp", b"\x1b$BF|K\\\x1b(B text\n"),
        ("utf-16le", "日本 text\n".encode("utf-16-le")),
        ("windows-1251", "Ёлки\n".encode("cp1251")),
        ("utf-8", "日本😀\n".encode()),
    ],
)
def test_several_threads_decode_what_one_thread_decodes(label, line):
    data = line * (9_000_000 // len(line))
    damaged = data + b"\xff\xfd" + data[:1000]
    for bytes_ in (data, damaged):
        one = textcodec.decode(bytes_, label)
        assert textcodec.decode(bytes_, label, threads=3) == one
        assert textcodec.decode(bytes_, label, threads=1) == one
    assert textcodec.decode(bytearray(data), label, threads=2).text == textcodec.decode(data, label).text
    if one.had_errors:
        with pytest.raises(UnicodeDecodeError) as error:
            textcodec.decode(damaged, label, "strict", threads=3)
        with pytest.raises(UnicodeDecodeError) as expected:
            textcodec.decode(damaged, label, "strict")
        assert error.value.args == expected.value.args
    assert textcodec.decode(damaged, label, "ignore", threads=3) == textcodec.decode(damaged, label, "ignore")


def test_decoding_needs_a_thread():
    with pytest.raises((ValueError, OverflowError)):
        textcodec.decode(b"a", "utf-8", threads=0)


def test_a_position_of_a_handler_counts_in_the_object_of_the_error():
    """It has the byte order mark and the bytes of earlier pieces."""
    mark = b"\xef\xbb\xbf"

    def in_pieces(errors):
        decoder = textcodec.IncrementalDecoder("shift_jis", errors)
        assert decoder.decode(b"a\x82") == "a"
        return decoder.decode(b"\xffbcd")

    def in_context(errors):
        decoder = textcodec.ContextDecoder("html", "shift_jis", errors=errors)
        assert decoder.decode(b"a\x82") == "a"
        return decoder.decode(b"\xffbcd")

    def after_mark(errors):
        return textcodec.decode(mark + b"\xffbcd", "gbk", errors).text

    pieces = ["??bcd", "??bcd", "?bcd", "?cd", "?d", "?"]
    for call, texts in [
        (in_pieces, pieces),
        (in_context, pieces),
        (after_mark, ["?\ufeff?bcd", "????bcd", "???bcd", "??bcd", "?bcd", "?cd", "?d", "?"]),
    ]:
        # The last position is the end.
        length = len(texts) - 1
        for position in range(-length, length + 1):
            codecs.register_error("textcodec-once", once("?", position))
            assert call("textcodec-once") == texts[position if position >= 0 else position + length]
        for position in (-length - 1, length + 1):
            codecs.register_error("textcodec-once", once("?", position))
            with pytest.raises(IndexError):
                call("textcodec-once")


@pytest.mark.parametrize("text", ["aé", "éя", "日", "a😀"])
def test_texts_of_every_length_end_with_their_last_character(text):
    """Texts of different lengths and of different characters are made in different ways."""
    whole = (text * 600)[:1100]
    for label, codec in [("utf-8", "utf-8"), ("utf-16le", "utf-16-le"), ("gb18030", "gb18030")]:
        for length in range(1100):
            part = whole[:length]
            data = part.encode(codec)
            assert textcodec.decode(data, label).text == part, length
            assert textcodec.encode(part, label) == data, length


@pytest.mark.parametrize("errors", ["replace", "ignore", "backslashreplace", "strict"])
def test_an_error_in_each_part_of_long_bytes_is_one_of_the_whole(errors):
    line = "日本 text\n".encode("shift_jis")
    data = line * (8_400_000 // len(line))
    for place in (0, len(data) // 2 // len(line) * len(line), len(data)):
        damaged = data[:place] + b"\x82\xff\n" + data[place:]

        def decoded(threads):
            try:
                return textcodec.decode(damaged, "shift_jis", errors, threads=threads)
            except UnicodeDecodeError as error:
                return error.args[2:]

        # Compared here, because a difference of long texts takes long to print.
        assert (decoded(3) == decoded(1)) and (errors == "strict" or decoded(3).had_errors), place


@pytest.mark.parametrize("encoding", textcodec.ENCODINGS, ids=str)
def test_a_character_above_the_basic_plane_is_one_character(encoding):
    def has(character):
        try:
            return bool(textcodec.encode(character, encoding))
        except UnicodeEncodeError:
            return False

    text = "".join(filter(has, "\U00010000\U0001f600\U00020089\U00020547\U0010ffff"))
    data = textcodec.encode(text, encoding)
    # Encoders of GBK write no sequences of four bytes, which its decoder knows.
    if encoding.name == "GBK":
        text, data = "😀", b"\x94\x39\xfc\x36"
    for count in (1, 10, 1000):
        for bom in ("sniff", "keep"):
            decoded = textcodec.decode(data * count, encoding, "strict", bom)
            assert (decoded.text, len(decoded.text)) == (text * count, len(text) * count)
            assert textcodec.IncrementalDecoder(encoding, "strict", bom).decode(data * count, True) == text * count
    assert bool(text) == (encoding.name in ("UTF-8", "UTF-16LE", "UTF-16BE", "GBK", "gb18030", "Big5"))


@pytest.mark.parametrize(
    ("answer", "error", "decoding", "encoding"),
    [
        *((answer, TypeError, "an error handler must return a tuple of a replacement and a position", None) for answer in (None, "x", ["x", 1], (), ("x",), ("x", 1, 1))),
        *(((it, 1), TypeError, "an error handler for decoding must return a str and a position", "an error handler for encoding must return a str or bytes and a position") for it in (1, None, ["x"])),
        *((("", at), IndexError, f"position {at} from error handler out of bounds", None) for at in (3, 4, -3, -1000, 1 << 40, -(1 << 62))),
    ],
)
def test_a_wrong_answer_of_a_handler_is_an_error_that_says_what_is_right(answer, error, decoding, encoding):
    codecs.register_error("textcodec-wrong", lambda error: answer)
    coders = textcodec.IncrementalDecoder("utf-8", "textcodec-wrong"), textcodec.IncrementalEncoder("gbk", "textcodec-wrong")
    for message, calls in [
        (decoding, (lambda: textcodec.decode(b"\xffa", "utf-8", "textcodec-wrong"), lambda: coders[0].decode(b"\xffa"))),
        (encoding or decoding, (lambda: textcodec.encode("\U000e0100a", "gbk", "textcodec-wrong"), lambda: textcodec.encode("\ud800a", "utf-8", "textcodec-wrong"), lambda: coders[1].encode("\U000e0100a"))),
    ]:
        for call in calls:
            with pytest.raises(error) as caught:
                call()
            assert str(caught.value) == message
    assert (coders[0].getstate(), coders[1].getstate()) == ((b"", 0), 0)
