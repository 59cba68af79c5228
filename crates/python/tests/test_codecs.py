import codecs
import csv
import inspect
import io
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

import textcodec
from samples import ENCODERS, cuts, data, encoders, encodings, texts
from textcodec import _codecs

textcodec.register()


@pytest.fixture(autouse=True)
def registered():
    textcodec.register()


def name(encoding):
    return f"whatwg-{encoding.name}"


def test_every_label_names_a_codec():
    for encoding in textcodec.ENCODINGS:
        for label in encoding.labels:
            assert codecs.lookup(f"whatwg-{label}").name == f"whatwg-{encoding.name.lower()}"
            assert codecs.lookup(f"WHATWG_{label}").name == f"whatwg-{encoding.name.lower()}"
    with pytest.raises(LookupError):
        codecs.lookup("whatwg-utf-9")


def test_the_codecs_can_be_taken_away():
    textcodec.unregister()
    textcodec.unregister()
    with pytest.raises(LookupError):
        codecs.lookup("whatwg-koi8-r")
    textcodec.register()
    textcodec.register()
    codecs.lookup("whatwg-koi8-r")


@given(data, encodings, st.sampled_from(["strict", "replace", "ignore", "backslashreplace", "surrogateescape"]))
def test_bytes_are_decoded_as_by_the_package(data, encoding, errors):
    def outcome(decode):
        try:
            return decode()
        except UnicodeDecodeError as error:
            return error.args

    expected = outcome(lambda: textcodec.decode(data, encoding, errors, "remove").text)
    assert outcome(lambda: data.decode(name(encoding), errors)) == expected
    expected = outcome(lambda: textcodec.decode(data, encoding, errors, "sniff").text)
    assert outcome(lambda: data.decode(f"whatwg-sniff-{encoding.name}", errors)) == expected
    # `codecs.StreamReader` and `TextIOWrapper` give the same text.
    reader = codecs.getreader(name(encoding))
    expected = outcome(lambda: textcodec.decode(data, encoding, errors, "remove").text)
    if isinstance(expected, str):
        assert reader(io.BytesIO(data), errors).read() == expected
        # Text in small pieces.
        stream = reader(io.BytesIO(data), errors)
        text = ""
        while piece := stream.read(3, 1):
            text += piece
        assert text == expected
        binary = io.BufferedReader(io.BytesIO(data))
        assert io.TextIOWrapper(binary, name(encoding), errors, newline="").read() == expected


@given(texts, encoders)
def test_strings_are_encoded_as_by_the_package(text, encoding):
    expected = textcodec.encode(text, encoding, "xmlcharrefreplace")
    assert text.encode(name(encoding), "xmlcharrefreplace") == expected
    file = io.BytesIO()
    wrapper = io.TextIOWrapper(file, name(encoding), "xmlcharrefreplace", newline="")
    for character in text:
        wrapper.write(character)
    wrapper.detach()
    # The wrapper of Python never ends its encoder, so ISO-2022-JP can lack the return to ASCII.
    assert expected.startswith(file.getvalue())
    file = io.BytesIO()
    writer = codecs.getwriter(name(encoding))(file, "xmlcharrefreplace")
    for character in text:
        writer.write(character)
    writer.reset()
    assert file.getvalue() == expected


@given(st.lists(st.sampled_from(["日本語", "abc", "\n", "é", "¥", "ｶﾅ", "\r\n", "x" * 50]), max_size=30).map("".join), st.data())
def test_seek_and_tell_work_in_every_encoding(text, choices):
    for encoding in ENCODERS:
        encoded = textcodec.encode(text, encoding, "ignore")
        text_again = textcodec.decode(encoded, encoding, bom="keep").text
        file = io.TextIOWrapper(io.BytesIO(encoded), name(encoding), "replace", newline="")
        file._CHUNK_SIZE = 7
        places = []
        read = 0
        for end in [*cuts(choices, len(text_again)), len(text_again)]:
            places.append((read, file.tell()))
            assert file.read(end - read) == text_again[read:end]
            read = end
        for start, cookie in reversed(places):
            file.seek(cookie)
            assert file.read() == text_again[start:]


def test_a_reset_of_a_reader_forgets_its_state():
    reader = codecs.getreader("whatwg-iso-2022-jp")(io.BytesIO(b"\x1b$B$\""))
    assert reader.read(5) == "あ"
    reader.reset()
    reader.stream = io.BytesIO(b"ab")
    assert reader.read() == "ab"


@pytest.mark.filterwarnings("ignore:codecs.open")
def test_lines_and_files_of_the_standard_library(tmp_path):
    path = tmp_path / "data.csv"
    rows = [["имя", "город"], ["Ян", "Орёл"], ["☃", "a,b"]]
    with open(path, "w", encoding="whatwg-windows-1251", errors="backslashreplace", newline="") as file:
        csv.writer(file).writerows(rows)
    assert path.read_bytes().startswith("имя,город\r\n".encode("cp1251"))
    with open(path, encoding="whatwg-windows-1251", newline="") as file:
        assert list(csv.reader(file)) == [*rows[:2], ["\\u2603", "a,b"]]
    with codecs.open(str(path), encoding="whatwg-windows-1251") as file:
        assert file.readline() == "имя,город\r\n"
        assert file.readlines() == ["Ян,Орёл\r\n", '\\u2603,"a,b"\r\n']
    with codecs.open(str(path), "w", encoding="whatwg-iso-2022-jp") as file:
        file.write("日本")
        file.reset()
    assert path.read_bytes() == "日本".encode("iso2022_jp")


def test_a_stream_reader_reports_a_sequence_that_the_end_cuts_off():
    reader = codecs.getreader("whatwg-shift_jis")
    with pytest.raises(UnicodeDecodeError, match="incomplete sequence at the end"):
        reader(io.BytesIO(b"ab\x83")).read()
    assert reader(io.BytesIO(b"ab\x83\ncd\x83"), "replace").readlines() == ["ab\ufffd\n", "cd\ufffd"]
    stream = reader(io.BytesIO(b"ab\x83"), "replace")
    assert stream.readline() + stream.readline() == "ab\ufffd" and stream.read() == ""
    stream.seek(0)
    assert stream.read() == "ab\ufffd"
    stream.seek(0)
    stream.errors = "backslashreplace"
    assert stream.read() == "ab\\x83"


def test_incremental_codecs_are_those_of_python_too():
    assert isinstance(codecs.getincrementaldecoder("whatwg-gbk")(), (codecs.IncrementalDecoder, textcodec.IncrementalDecoder))
    assert list(codecs.iterdecode([b"\xd6", b"\xd0"], "whatwg-gbk")) == ["中"]
    assert list(codecs.iterencode(["日", "本"], "whatwg-iso-2022-jp")) == [b"\x1b$BF|", b"K\\", b"\x1b(B"]
    assert codecs.EncodedFile(io.BytesIO(b"\xd6\xd0"), "utf-8", "whatwg-gbk").read() == "中".encode()


class TestOpen:
    def test_reads_and_writes_text_files(self, tmp_path):
        path = tmp_path / "text"
        with textcodec.open(path, "w", encoding="shift_jis", newline="\r\n") as file:
            file.write("日本\n語\n")
            assert (file.mode, file.name) == ("w", str(path))
        assert path.read_bytes() == "日本\r\n語\r\n".encode("shift_jis")
        with textcodec.open(path, encoding=textcodec.lookup("sjis")) as file:
            first = file.readline()
            place = file.tell()
            assert (first, file.read()) == ("日本\n", "語\n")
            file.seek(place)
            assert file.readlines() == ["語\n"]
        with textcodec.open(path, "a+", encoding="shift_jis") as file:
            file.write("x")
            file.seek(0)
            assert file.read() == "日本\n語\nx"

    def test_follows_a_byte_order_mark_as_browsers_do(self, tmp_path):
        path = tmp_path / "text"
        path.write_bytes(b"\xff\xfe" + "é\nb\n".encode("utf-16le"))
        with textcodec.open(path, encoding="windows-1252") as file:
            assert file.readline() == "é\n"
            place = file.tell()
            assert file.readline() == "b\n"
            file.seek(place)
            assert file.read() == "b\n"
            file.seek(0)
            assert file.read() == "é\nb\n"
        with textcodec.open(path, encoding="utf-16le", bom="keep") as file:
            assert file.read() == "\ufeffé\nb\n"
        with textcodec.open(path, encoding="windows-1252", bom="remove") as file:
            assert file.read(2) == "ÿþ"

    def test_errors_are_strict_unless_told_otherwise(self, tmp_path):
        path = tmp_path / "text"
        path.write_bytes(b"a\xff")
        with textcodec.open(path, encoding="utf-8") as file, pytest.raises(UnicodeDecodeError):
            file.read()
        with textcodec.open(path, encoding="utf-8", errors="replace") as file:
            assert file.read() == "a\ufffd"

    def test_wrong_arguments_open_nothing(self, tmp_path):
        path = tmp_path / "text"
        for mode, encoding, bom in [("wb", "utf-8", "sniff"), ("w", "utf-8", "x"), ("w", "none", "sniff")]:
            with pytest.raises((ValueError, LookupError)):
                textcodec.open(path, mode, encoding=encoding, bom=bom)
        for arguments in [("w",), ("utf-8",), ("utf-8", "w")]:
            with pytest.raises(TypeError, match="the argument encoding"):
                textcodec.open(path, *arguments)
        for mode in ("", "rtt", "rr", "U", "r ", "rw", "+", "t"):
            with pytest.raises(ValueError, match="mode"):
                textcodec.open(path, mode, encoding="utf-8")
        with pytest.raises(TypeError, match="mode must be str, not int"):
            textcodec.open(path, 5, encoding="utf-8")
        with pytest.raises(ValueError, match="unbuffered"):
            textcodec.open(path, "w", 0, "utf-8")
        assert not path.exists()
        with pytest.raises(FileNotFoundError):
            textcodec.open(path / "none", encoding="utf-8")

    def test_is_as_python_opens_in_other_respects(self, tmp_path):
        path = tmp_path / "text"
        with textcodec.open(path, "w", 1, "utf-8") as file:
            file.write("line\n")
            assert path.read_text() == "line\n"
        with textcodec.open(path, "rt", encoding="utf-8") as file:
            assert file.mode == "rt" and not file.line_buffering
        number = os.open(path, os.O_RDONLY)
        with textcodec.open(number, encoding="utf-8", closefd=False) as file:
            assert file.read() == "line\n"
        os.close(number)
        with textcodec.open("none", encoding="utf-8", opener=lambda name, flags: os.open(path, flags)) as file:
            assert file.read() == "line\n"

    def test_has_the_arguments_of_the_built_in_in_its_order(self, tmp_path):
        own, built_in = inspect.signature(textcodec.open), inspect.signature(open)
        assert list(own.parameters)[:-2] == list(built_in.parameters)
        assert own.parameters["bom"].kind is inspect.Parameter.KEYWORD_ONLY
        for name, parameter in built_in.parameters.items():
            assert (own.parameters[name].default, own.parameters[name].kind) == (parameter.default, parameter.kind)
        path = tmp_path / "text"
        for function in (open, textcodec.open):
            with function(path, "w", -1, "shift_jis", None, "\r\n", True, None) as file:
                file.write("日本\n")
            assert path.read_bytes() == b"\x93\xfa\x96{\r\n"


def test_a_forged_position_of_a_file_is_an_error(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"\x1b\x1b" * 100)
    with open(path, encoding="whatwg-iso-2022-jp", errors="replace", newline="") as file:
        # The number of the state is in the second 64 bits of a position.
        taken = 0
        for flags in (0x2800 << 3, 0x2800 << 4, 0x7FFF_FFFF, (1 << 63) - 1, *range(0, 1 << 12, 2)):
            try:
                file.seek(flags << 64)
            except (ValueError, OverflowError):
                continue
            taken += 1
            assert file.read() == "\ufffd" * 200
        assert taken == 8


def test_a_file_that_exists_is_not_made_exclusively(tmp_path):
    path = tmp_path / "text"
    with textcodec.open(path, "x", encoding="euc-jp") as file:
        file.write("日")
    with pytest.raises(FileExistsError):
        textcodec.open(path, "x", encoding="euc-jp")
    assert path.read_bytes() == b"\xc6\xfc"


def test_the_size_of_the_buffer_is_that_of_the_argument(tmp_path):
    path = tmp_path / "text"
    with textcodec.open(path, "w", 100, encoding="shift_jis") as file:
        file.write("a" * 50)
        file.flush()
        # The buffer below the text has 100 bytes.
        file.buffer.write(b"b" * 60)
        assert path.stat().st_size == 50
        file.buffer.write(b"b" * 60)
        assert path.stat().st_size > 50
    with textcodec.open(path, "r+", 1, encoding="shift_jis") as file:
        assert file.line_buffering
        file.write("c\n")
        assert path.read_bytes().startswith(b"c\na")


def test_a_file_is_closed_if_the_wrapper_refuses_its_arguments(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"a")
    opened = []

    def opener(name, flags):
        opened.append(os.open(path, flags))
        return opened[-1]

    for arguments, exception in [({"newline": "x"}, ValueError), ({"newline": 3}, TypeError), ({"errors": 3}, TypeError)]:
        with pytest.raises(exception):
            textcodec.open(path, encoding="gbk", opener=opener, **arguments)
        with pytest.raises(OSError):
            os.fstat(opened[-1])
    assert len(opened) == 3


def test_a_charset_that_is_an_encoding_of_the_standard_opens_as_that_encoding(tmp_path, monkeypatch):
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbf\xc3\xa9")
    for arguments in ({"encoding": "latin1"}, {"charset": "latin1"}, {"charset": textcodec.Charset("latin1")}):
        for bom, text in [("sniff", "é"), ("remove", "ï»¿Ã©"), ("keep", "ï»¿Ã©")]:
            # No codec is known from an earlier call.
            monkeypatch.setattr(_codecs, "_infos", {})
            with textcodec.open(path, bom=bom, **arguments) as file:
                assert file.read() == text
                assert file.encoding == f"whatwg-{bom}-windows-1252".replace("-remove", "")


def test_open_needs_no_registered_codecs(tmp_path):
    path = tmp_path / "text"
    for arguments, text, data in [({"encoding": "gbk"}, "中", b"\xd6\xd0"), ({"charset": "cp037"}, "H", b"\xc8")]:
        textcodec.unregister()
        with textcodec.open(path, "w", **arguments) as file:
            file.write(text)
        assert path.read_bytes() == data
        textcodec.unregister()
        with textcodec.open(path, **arguments) as file:
            assert file.read() == text


@pytest.mark.parametrize("newline", [None, "", "\n", "\r", "\r\n"])
def test_lines_end_as_in_files_that_python_opens(newline, tmp_path):
    path, other = tmp_path / "text", tmp_path / "other"
    path.write_bytes(b"a\nb\r\nc\rd")
    with textcodec.open(path, newline=newline, encoding="utf-8") as own, open(path, newline=newline, encoding="utf-8") as theirs:
        assert own.readlines() == theirs.readlines() and own.newlines == theirs.newlines
        assert (own.line_buffering, own.closed) == (theirs.line_buffering, theirs.closed) == (False, False)
    assert own.closed and own.buffer.closed
    for errors in ("strict", "replace", None):
        with textcodec.open(path, "w", encoding="latin1", newline=newline, errors=errors) as own, open(other, "w", encoding="latin1", newline=newline, errors=errors) as theirs:
            own.write("a\nb\r\nc\rdé")
            theirs.write("a\nb\r\nc\rdé")
            assert own.errors == theirs.errors
        assert path.read_bytes() == other.read_bytes()


def test_open_says_which_argument_is_wrong(tmp_path):
    path = tmp_path / "text"
    for arguments, error, message in [
        ({"encoding": "gbk", "charset": "cp037"}, TypeError, "encoding and charset are two encodings; give one of them"),
        ({}, TypeError, "open needs the argument encoding, which is a label or an Encoding, or charset"),
        *(({"mode": mode, "encoding": "gbk"}, ValueError, "binary mode has no encoding") for mode in ("rb", "wb", "ab", "xb", "rb+", "w+b", "btr")),
        *(({"mode": mode, "encoding": "gbk"}, ValueError, f"invalid mode: {mode!r}") for mode in ("q", "bq", "rbU", "rr")),
        ({"encoding": "gbk", "bom": "strip"}, ValueError, "bom must be 'sniff', 'remove' or 'keep', not 'strip'"),
        ({"encoding": "gbk", "buffering": 0}, ValueError, "can't have unbuffered text I/O"),
        ({"encoding": "cp037"}, LookupError, "unknown encoding label: 'cp037'; it is a kind of EBCDIC; decode and encode know it as charset='cp037'"),
        ({"charset": "cp278"}, LookupError, "unknown encoding label: 'cp278'; two encodings have this name: iana:cp278 and java:cp278"),
        ({"encoding": 3}, TypeError, "an encoding must be a label or an Encoding, not int"),
        ({"charset": 3.5}, TypeError, "an encoding must be a label or an Encoding, not float"),
        ({"encoding": "gbk", "closefd": False, "mode": "w"}, ValueError, "Cannot use closefd=False with file name"),
    ]:
        with pytest.raises(error) as caught:
            textcodec.open(path, **{"mode": "w", **arguments})
        assert str(caught.value) == message
    assert not path.exists()


def test_a_file_in_a_charset_continues_where_it_was(tmp_path):
    """Positions have the state of the decoder, and appended text continues that of the file."""
    path = tmp_path / "text"
    for name in ("iso-2022-jp", "glibc:ISO-2022-KR", "glibc:IBM939", "glibc:EUC-JISX0213", "utf-32le", "utf-7", "tcvn", "cp037"):
        text = {"glibc:ISO-2022-KR": "가a나\n다b\n", "tcvn": "Tiếng\nViệt\n", "cp037": "é\na\n"}.get(name, "日aか\n本か゚\n")
        if name == "utf-7":
            path.write_bytes(text.encode("utf-7"))
        else:
            with textcodec.open(path, "w", charset=name, newline="", errors="ignore") as file:
                file.write(text)
        text = textcodec.decode(path.read_bytes(), charset=name).text
        with textcodec.open(path, charset=name, newline="") as file:
            file._CHUNK_SIZE = 3
            places = []
            for length in range(len(text) + 1):
                places.append(file.tell())
                file.seek(places[length])
                assert file.read(1) == text[length : length + 1], (name, length)
            for length in reversed(range(len(text))):
                file.seek(places[length])
                assert file.read() == text[length:], (name, length)


def test_a_writer_and_a_reader_keep_their_stream_and_their_attributes():
    for name in ("whatwg-gbk", "textcodec-cp037"):
        info = codecs.lookup(name)
        for make in (info.streamreader, info.streamwriter):
            stream = io.BytesIO()
            made = make(stream)
            assert (made.errors, made.stream) == ("strict", stream) and make(stream, "ignore").errors == "ignore"
            with make(stream) as opened:
                assert opened.stream is stream and not stream.closed
            assert stream.closed, "the end of the block closes the stream"
        assert [make().errors for make in (info.incrementaldecoder, info.incrementalencoder)] == ["strict"] * 2
        assert [make("ignore").errors for make in (info.incrementaldecoder, info.incrementalencoder)] == ["ignore"] * 2
        assert codecs.lookup(name) is codecs.lookup(name)
        classes = [info.incrementaldecoder, info.incrementalencoder, info.streamreader, info.streamwriter]
        assert [made.__name__ for made in classes] == ["IncrementalDecoder", "IncrementalEncoder", "StreamReader", "StreamWriter"]
    # What is written is the end of the text and not another one.
    stream = io.BytesIO()
    writer = codecs.lookup("whatwg-iso-2022-jp").streamwriter(stream)
    writer.write("日")
    writer.reset()
    writer.reset()
    writer.writelines(["本", "a"])
    assert stream.getvalue() == b"\x1b$BF|\x1b(B\x1b$BK\\\x1b(Ba"


def test_the_size_of_a_read_changes_no_text():
    data = textcodec.encode("日本a\nか¥\r\nb日\n", "iso-2022-jp")
    text = textcodec.decode(data, "iso-2022-jp").text
    for size in (-1, 1, 3, 8, 100):
        for chars in (-1, 1, 2, 100):
            reader = codecs.getreader("whatwg-iso-2022-jp")(io.BytesIO(data))
            pieces = []
            while piece := reader.read(size, chars):
                pieces.append(piece)
            assert "".join(pieces) == text, (size, chars)
            assert chars < 0 or all(len(piece) <= chars for piece in pieces)
    for size in (None, 1, 4, 100):
        for keep in (True, False):
            reader = codecs.getreader("whatwg-iso-2022-jp")(io.BytesIO(data))
            lines = reader.readlines() if size is None else list(iter(lambda: reader.readline(size, keep), ""))
            if size is None or keep:
                assert "".join(lines) == text
    assert list(codecs.getreader("whatwg-iso-2022-jp")(io.BytesIO(data))) == text.splitlines(True)
    # What the end cuts off comes last, and once.
    for size in (-1, 1, 2, 100):
        reader = codecs.getreader("whatwg-shift_jis")(io.BytesIO(b"ab\x83"), "replace")
        assert [reader.read(size, 1) for _ in range(5)] == ["a", "b", "\ufffd", "", ""], size


def test_each_prefix_of_each_label_treats_byte_order_marks_in_its_own_way():
    marks = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16le", b"\xfe\xff": "utf-16be"}
    for encoding in textcodec.ENCODINGS:
        for label in encoding.labels:
            for prefix, bom in [("whatwg-", "remove"), ("whatwg-sniff-", "sniff"), ("whatwg-keep-", "keep")]:
                info = codecs.lookup(f"{prefix}{label}")
                assert info.name == f"{prefix}{encoding.name.lower()}" and info is codecs.lookup(f"{prefix}{encoding.name}")
                for mark in marks:
                    text = textcodec.decode(mark + b"a\0", encoding, "replace", bom).text
                    assert info.decode(mark + b"a\0", "replace")[0] == text, (label, bom)
                    assert info.incrementaldecoder("replace").decode(mark + b"a\0", True) == text, (label, bom)


def test_an_end_follows_the_error_handler_that_the_stream_has_now():
    for name, data in [("whatwg-gbk", b"a\x81"), ("whatwg-utf-8", b"a\xe2\x82"), ("whatwg-utf-16le", b"a\0\0")]:
        for errors in ("ignore", "replace", "backslashreplace"):
            reader = codecs.getreader(name)(io.BytesIO(data), "strict")
            assert reader.read(len(data)) == "a"
            reader.errors = errors
            assert "a" + reader.read() == textcodec.decode(data, name.removeprefix("whatwg-"), errors).text
