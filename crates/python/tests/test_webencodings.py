import subprocess
import sys

import pytest

import textcodec
import textcodec.webencodings as webencodings


def test_a_label_finds_an_encoding_with_its_name_in_lower_case():
    for encoding in textcodec.ENCODINGS:
        for label in encoding.labels:
            assert webencodings.lookup(f" {label.upper()}\n").name == encoding.name.lower()
    assert webencodings.lookup("utf-9") is None
    assert webencodings.lookup("\N{KELVIN SIGN}oi8-r") is None
    assert webencodings.lookup("utf8") is webencodings.UTF8
    with pytest.raises(LookupError, match="Unknown encoding label: 'utf-9'"):
        webencodings.decode(b"", "utf-9")


def test_only_one_byte_order_mark_is_removed():
    assert webencodings.decode(b"\xef\xbb\xbf\xef\xbb\xbfa", "gbk") == ("\ufeffa", webencodings.UTF8)
    decoder = webencodings.IncrementalDecoder("gbk")
    assert decoder.decode(b"\xff") == "" and decoder.encoding is None
    assert decoder.decode(b"\xfe\xff\xfe", final=True) == "\ufeff" and decoder.encoding.name == "utf-16le"


def test_the_errors_are_those_of_webencodings():
    assert webencodings.decode(b"a\xff", "utf-8")[0] == "a\ufffd"
    with pytest.raises(UnicodeDecodeError):
        webencodings.decode(b"a\xff", "utf-8", "strict")
    with pytest.raises(UnicodeEncodeError):
        webencodings.encode("☃", "latin1")
    assert webencodings.encode("☃", "latin1", "xmlcharrefreplace") == b"&#9731;"


def test_iterators_read_as_far_as_needed():
    read = []

    def chunks():
        for chunk in (b"a", b"", b"b", b"\xc3", b"\xa9"):
            read.append(chunk)
            yield chunk

    texts, encoding = webencodings.iter_decode(chunks(), "utf-8")
    assert encoding is webencodings.UTF8 and len(read) < 5
    assert "".join(texts) == "abé"
    texts, encoding = webencodings.iter_decode([], "latin1")
    assert (list(texts), encoding.name) == ([], "windows-1252")
    assert b"".join(webencodings.iter_encode(["日", "本"], "iso-2022-jp")) == "日本".encode("iso2022_jp")


def test_install_takes_the_place_of_webencodings():
    program = """
import textcodec.webencodings
textcodec.webencodings.install()
import webencodings, webencodings.labels
from webencodings import lookup, UTF8
assert webencodings is textcodec.webencodings
assert webencodings.labels.LABELS["sjis"] == "shift_jis"
print(webencodings.decode(b"\\x83\\x65", "sjis"))
"""
    output = subprocess.run([sys.executable, "-X", "utf8", "-c", program], capture_output=True, encoding="utf-8", check=True).stdout
    assert output == "('テ', <Encoding shift_jis>)\n"


def test_a_byte_order_mark_can_come_byte_by_byte():
    for mark, rest, name in [(b"\xef\xbb\xbf", b"a", "utf-8"), (b"\xff\xfe", b"a\0", "utf-16le")]:
        decoder = webencodings.IncrementalDecoder("latin1")
        assert [decoder.decode(bytes([byte])) for byte in mark] == [""] * len(mark)
        assert decoder.decode(rest) + decoder.decode(b"", True) == "a"
        assert decoder.encoding is not None and decoder.encoding.name == name


def test_only_white_space_of_ascii_is_cut_off_a_label():
    assert webencodings.lookup("\t\n\f\r latin1\t\n\f\r ") is not None
    for space in "\x0b\x1c\x85\xa0\u2003\u3000":
        assert webencodings.lookup(f"{space}latin1") is None
        assert webencodings.lookup(f"latin1{space}") is None


def test_python_finds_the_codecs_after_install():
    use = "print('\\xe9'.encode(w.lookup('latin1').codec_info.name))"
    script = f"import textcodec.webencodings as w; w.install(); {use}"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout == "b'\\xe9'\n"


def test_each_constant_is_that_of_webencodings():
    assert webencodings.VERSION == webencodings.__version__ == "0.6.1" and webencodings.PYTHON_NAMES == {}
    assert set(webencodings.CACHE) == set(webencodings.LABELS.values()) == {encoding.name.lower() for encoding in textcodec.ENCODINGS}
    assert webencodings.LABELS == {label: encoding.name.lower() for encoding in textcodec.ENCODINGS for label in encoding.labels}
    for name, encoding in webencodings.CACHE.items():
        assert encoding.name == name and repr(encoding) == f"<Encoding {name}>" and webencodings.lookup(name) is encoding
        assert encoding.codec_info.name == f"whatwg-keep-{name}"
        assert webencodings.encode("", encoding) == b"" and webencodings.decode(b"", encoding) == ("", encoding)
    own = webencodings.Encoding("own", webencodings.UTF8.codec_info)
    assert (own.name, own.codec_info, repr(own)) == ("own", webencodings.UTF8.codec_info, "<Encoding own>")
    # An object of the caller is taken as it is.
    assert webencodings.decode(b"\xc3\xa9", own) == ("é", own) and webencodings.encode("é", own) == b"\xc3\xa9"


def test_only_letters_of_ascii_become_lower_case():
    for text in ("ABC xyz", "ÀÉİ", "\N{KELVIN SIGN}", "ſ", "日", "\ud800A", "", "É" * 9):
        assert webencodings.ascii_lower(text) == "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text)


def test_pieces_that_are_empty_are_left_out_and_every_mark_is_found_in_them():
    for mark, codec, name in [(b"\xef\xbb\xbf", "utf-8", "utf-8"), (b"\xff\xfe", "utf-16-le", "utf-16le"), (b"\xfe\xff", "utf-16-be", "utf-16be"), (b"", "cp1251", "windows-1251")]:
        data = mark + "да, да".encode(codec)
        for size in (1, 2, 3, 5, 100):
            pieces = [piece for at in range(0, len(data), size) for piece in (data[at : at + size], b"")]
            texts, encoding = webencodings.iter_decode(iter(pieces), "windows-1251")
            texts = list(texts)
            assert ("".join(texts), encoding.name) == ("да, да", name) and "" not in texts, (name, size)
            decoder = webencodings.IncrementalDecoder("windows-1251")
            assert decoder.encoding is None
            text = "".join([decoder.decode(piece) for piece in pieces]) + decoder.decode(b"", final=True)
            assert (text, decoder.encoding.name) == ("да, да", name)
    # The end comes before it is known whether there is a mark.
    for data in (b"", b"a", b"\xef", b"\xff", b"\xef\xbb", b"ab"):
        for call in (lambda: "".join(webencodings.iter_decode([data], "latin1")[0]), lambda: webencodings.IncrementalDecoder("latin1").decode(data, True)):
            assert call() == data.decode("latin-1")
        assert webencodings.iter_decode([data], "latin1")[1].name == "windows-1252"
    assert list(webencodings.iter_encode(["", "a", "", "é"], "latin1")) == [b"a", b"\xe9"]
    assert list(webencodings.iter_encode(["日", ""], "iso-2022-jp")) == [b"\x1b$BF|", b"\x1b(B"]
    assert list(webencodings.iter_encode([])) == [] and list(webencodings.iter_encode(["é"])) == [b"\xc3\xa9"]


def test_submodules_after_install_are_those_of_webencodings():
    program = """
import textcodec.webencodings as own
own.install()
import webencodings.labels, webencodings.custom
assert webencodings is own and webencodings.labels.LABELS is own.LABELS
assert webencodings.custom.user_codec_info is own.CACHE["x-user-defined"].codec_info
assert webencodings.custom.replacement_codec_info is own.CACHE["replacement"].codec_info
print(webencodings.custom.user_codec_info.decode(b"a\\xff"), b"\\xef\\xbb\\xbfa".decode("whatwg-keep-utf-8") == "\\ufeffa")
"""
    done = subprocess.run([sys.executable, "-X", "utf8", "-c", program], capture_output=True, encoding="utf-8")
    assert (done.stdout, done.stderr) == ("('a\\uf7ff', 2) True\n", "")
