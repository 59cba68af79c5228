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


def test_a_charset_that_is_an_encoding_of_the_standard_opens_as_that_encoding(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbf\xc3\xa9")
    for arguments in ({"encoding": "latin1"}, {"charset": "latin1"}, {"charset": textcodec.Charset("latin1")}):
        for bom, text in [("sniff", "é"), ("remove", "ï»¿Ã©"), ("keep", "ï»¿Ã©")]:
            with textcodec.open(path, bom=bom, **arguments) as file:
                assert file.read() == text
