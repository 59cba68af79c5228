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
