"""Charsets that the Standard does not have."""

import codecs
import copy
import io
import json
import pickle
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import textcodec

# Charsets whose tables Python has, too, for all bytes.
SAME_AS_PYTHON = ["cp037", "cp500", "cp1140", "cp437", "cp850", "cp852", "cp858", "cp866", "mac-greek", "iso8859-1"]


@pytest.mark.parametrize("name", SAME_AS_PYTHON)
def test_charsets_have_the_tables_of_pythons_codecs(name):
    data = bytes(range(256)) * 3
    text = data.decode(name)
    for charset in (f"python:{name}", textcodec.Charset(f"python:{name}")):
        decoded = textcodec.decode(data, charset=charset)
        assert (decoded.text, decoded.had_errors) == (text, False)
        assert textcodec.encode(text, charset=charset) == data
    # Long texts are converted without the interpreter's lock.
    assert textcodec.decode(data * 500, charset=charset).text == text * 500
    assert textcodec.encode(text * 500, charset=charset) == data * 500
    assert textcodec.decode(bytearray(data), charset=charset).text == text


def test_a_charset_is_a_value_with_names():
    charset = textcodec.Charset("IBM037")
    assert charset.name == str(charset) == "cp037" and repr(charset) == "<textcodec.Charset cp037>"
    assert charset.family == "ebcdic" and charset.encoding is None and charset.is_single_byte
    assert charset.labels[0] == "cp037" and "ebcdic-cp-us" in charset.labels
    same = [textcodec.Charset(charset), textcodec.Charset("cp037"), pickle.loads(pickle.dumps(charset))]
    assert {charset, *same} == {charset} and charset != textcodec.Charset("cp500") and charset != "cp037"
    standard = textcodec.Charset("sjis")
    assert standard.encoding is textcodec.lookup("sjis") and standard.family is None
    assert standard == textcodec.Charset(textcodec.lookup("sjis")) and not standard.is_single_byte
    assert textcodec.decode(b"\x83\x65", charset="sjis") == textcodec.decode(b"\x83\x65", "sjis")
    assert textcodec.decode(b"\x83\x65", charset=standard).encoding is textcodec.lookup("sjis")
    assert textcodec.decode(b"\xc8", charset).encoding == charset == charset.decode(b"\xc8").encoding


def test_a_name_means_the_standards_label_first_and_prefixes_choose_a_registry():
    assert textcodec.Charset("iso-8859-1").encoding.name == "windows-1252"
    assert textcodec.Charset("glibc:iso-8859-1").encoding is None
    assert textcodec.decode(b"\x80", charset="IANA:iso-8859-1").text == "\x80"
    assert textcodec.decode(b"\x80", charset="iso-8859-1").text == "€"
    assert textcodec.Charset("glibc:koi8-u") != textcodec.Charset("koi8-u")
    assert textcodec.Charset("java:x-MacGreek") == textcodec.Charset("python:mac_greek")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cp278", "'cp278'; two encodings have this name: iana:cp278 and java:cp278"),
        ("no charset", "unknown encoding label: 'no charset'"),
        ("exact-us-asci", "did you mean 'exact-us-ascii'"),
        ("glibc:nonsense", "unknown encoding label: 'glibc:nonsense'"),
        ("utf-32", "utf-32 needs a byte order mark, which this function does not look for; name the order of bytes"),
    ],
)
def test_a_name_without_one_table_is_an_error_that_helps(name, message):
    calls = [
        lambda: textcodec.Charset(name),
        lambda: textcodec.decode(b"", charset=name),
        lambda: textcodec.encode("", charset=name),
        lambda: textcodec.IncrementalDecoder(charset=name),
        lambda: textcodec.IncrementalEncoder(charset=name),
    ]
    for call in calls:
        with pytest.raises(LookupError, match=message):
            call()


def test_lookup_says_how_to_decode_a_charset():
    for label in ("cp037", "CP437", "visciI"):
        with pytest.raises(LookupError, match=f"decode and encode know it as charset='{label.lower()}'"):
            textcodec.lookup(label)
        with pytest.raises(LookupError, match=f"decode and encode know it as charset='{label.lower()}'"):
            textcodec.decode(b"", label)
    with pytest.raises(LookupError, match="did you mean 'latin1'\\?$"):
        textcodec.lookup("latin-1")
    with pytest.raises(TypeError, match="the encoding is missing: a label, or charset="):
        textcodec.decode(b"")
    with pytest.raises(TypeError, match="a label and charset= are two encodings"):
        textcodec.encode("", "utf-8", charset="cp037")
    with pytest.raises(TypeError, match="an encoding must be a label or an Encoding, not float"):
        textcodec.decode(b"", charset=3.5)
    # The Standard's functions take its encodings only.
    with pytest.raises(TypeError):
        textcodec.html(b"", override=textcodec.Charset("cp037"))


def test_errors_are_those_of_python():
    charset = "exact-us-ascii"
    assert textcodec.decode(b"a\xe9\xffb", charset=charset)[0::2] == ("a\ufffd\ufffdb", True)
    with pytest.raises(UnicodeDecodeError) as caught:
        textcodec.decode(b"ab\xe9", errors="strict", charset=charset)
    assert (caught.value.encoding, caught.value.start, caught.value.end) == (charset, 2, 3)
    assert textcodec.decode(b"a\xe9", errors="backslashreplace", charset=charset).text == "a\\xe9"
    with pytest.raises(UnicodeEncodeError) as caught:
        textcodec.encode("Aé☃", charset="cp037")
    assert (caught.value.encoding, caught.value.start, caught.value.end) == ("cp037", 2, 3)
    assert textcodec.encode("é☃", errors="ignore", charset="cp437") == b"\x82"
    assert textcodec.encode("é☃", errors="replace", charset="cp437") == b"\x82?"


def test_replacements_are_characters_of_the_charset():
    for errors, replacement in (("replace", "?"), ("xmlcharrefreplace", "&#9731;"), ("backslashreplace", "\\u2603")):
        data = textcodec.encode("Aé☃B", errors=errors, charset="cp037")
        assert data == f"Aé{replacement}B".encode("cp037"), errors
    # A lone surrogate takes another way.
    data = textcodec.encode("☃\udc80", errors="xmlcharrefreplace", charset="cp037")
    assert data == "&#9731;&#56448;".encode("cp037")
    assert textcodec.encode("☃\udc80", errors="ignore", charset="cp037") == b""


def test_utf_7_is_read_and_not_written():
    assert textcodec.decode(b"+AOk-", charset="utf-7").text == "é"
    for call in (
        lambda: textcodec.encode("é", charset="utf-7"),
        lambda: textcodec.IncrementalEncoder(charset="utf-7"),
        lambda: textcodec.Charset("utf-7").encode(""),
    ):
        with pytest.raises(ValueError, match="no text can be encoded in utf-7"):
            call()


def test_a_byte_order_mark_is_text_in_a_charset_and_decides_in_an_encoding_of_the_standard():
    assert textcodec.decode(b"\xef\xbb\xbfa", charset="latin1").encoding.name == "UTF-8"
    assert textcodec.decode(b"\xef\xbb\xbfa", charset="cp437").text == b"\xef\xbb\xbfa".decode("cp437")
    assert textcodec.decode("\ufeffa".encode("utf-32-le"), charset="utf-32le").text == "\ufeffa"
    assert textcodec.decode("a☃😀".encode("utf-32"), charset="glibc:utf-32").text == "a☃😀"


# Charsets of all kinds, with a text that each has.
CHARSETS = [
    ("cp037", "Grüße, naïve\x85"),
    ("cp437", "½ ▒ é"),
    ("utf-32le", "aé☃😀"),
    ("utf-32be", "aé☃😀"),
    ("glibc:utf-16", "aé☃😀"),
    ("glibc:utf-32", "aé☃😀"),
    ("glibc:ucs-2", "aé☃"),
    ("cesu-8", "aé☃😀"),
    ("utf-7", "aé☃😀+-b"),
    ("tcvn", "Tiếng Việt có dấu"),
    ("glibc:cp1258", "Tiếng Việt"),
    ("georgian-ps", "ქართული"),
]


@pytest.mark.parametrize(("name", "text"), CHARSETS)
def test_the_pieces_and_the_states_of_a_stream_do_not_matter(name, text):
    if name == "utf-7":
        data = text.encode("utf-7")
    else:
        # Some charsets have combined characters, and others parts of them.
        data = textcodec.encode(text, errors="ignore", charset=name)
    data += b"\xe9\xff"
    whole = textcodec.decode(data, charset=name)
    assert len(whole.text) >= 3
    for cut in range(len(data) + 1):
        decoder = textcodec.IncrementalDecoder(charset=name)
        assert decoder.encoding == textcodec.Charset(name) and decoder.getstate() == (b"", 0)
        first = decoder.decode(data[:cut])
        other = textcodec.IncrementalDecoder(charset=name)
        other.setstate(decoder.getstate())
        assert first + decoder.decode(data[cut:], final=True) == whole.text, cut
        assert first + other.decode(data[cut:], final=True) == whole.text, cut
        assert decoder.had_errors == whole.had_errors
    if name != "utf-7":
        encoder = textcodec.IncrementalEncoder(charset=name, errors="ignore")
        pieces = [encoder.encode(letter) for letter in text]
        assert b"".join(pieces) + encoder.encode("", final=True) == data[:-2]
        assert encoder.encoding == textcodec.Charset(name)


@given(data=st.binary(max_size=40), cut=st.integers(0, 40), name=st.sampled_from([name for name, _ in CHARSETS]))
def test_any_bytes_give_the_same_text_in_pieces(data, cut, name):
    decoder = textcodec.IncrementalDecoder(charset=name)
    first = decoder.decode(memoryview(data)[:cut])
    other = textcodec.IncrementalDecoder(charset=name)
    other.setstate(decoder.getstate())
    text = textcodec.decode(data, charset=name).text
    assert first + decoder.decode(data[cut:], True) == first + other.decode(data[cut:], True) == text


@pytest.mark.parametrize("name, letter", [("EUC-JISX0213", "か"), ("SHIFT_JISX0213", "か"), ("BIG5-HKSCS", "Ê")])
def test_no_text_overtakes_a_letter_that_waits_for_its_mark(name, letter):
    for length in (1, 64, 65, 1000):
        encoder = textcodec.IncrementalEncoder(charset=f"glibc:{name}")
        assert encoder.encode(letter) == b"" and encoder.getstate() != 0
        encoded = encoder.encode("a" * length) + encoder.encode("", True)
        assert encoded == textcodec.encode(letter + "a" * length, charset=f"glibc:{name}"), length


def test_codecs_of_charsets_have_names_with_a_prefix(tmp_path):
    textcodec.register()
    for name in ("textcodec-cp037", "TEXTCODEC-IBM037", "textcodec_ebcdic_cp_us", "textcodec-glibc:cp037"):
        assert codecs.lookup(name).name == "textcodec-cp037"
    info = codecs.lookup("textcodec-cp037")
    assert info.encode("Hi") == (b"\xc8\x89", 2) and info.decode(b"\xc8\x89") == ("Hi", 2)
    assert b"\xc8\x89".decode("textcodec-cp037") == "Hi" and "Hi".encode("textcodec-cp037") == b"\xc8\x89"
    assert info.incrementaldecoder().decode(b"\xc8") == "H" and info.incrementalencoder().encode("H") == b"\xc8"
    path = tmp_path / "file"
    with open(path, "w", encoding="textcodec-cp1047", newline="") as file:
        file.write("Grüße\r\n")
    assert path.read_bytes() == textcodec.encode("Grüße\r\n", charset="cp1047")
    for file in (open(path, encoding="textcodec-cp1047"), textcodec.open(path, charset="cp1047")):
        with file:
            assert file.read() == "Grüße\n"
    with textcodec.open(path, "w", charset=textcodec.Charset("glibc:koi8-u")) as file:
        assert file.encoding == "textcodec-glibc:koi8-u" and file.write("є") == 1
    assert path.read_bytes() == b"\xa4"
    with textcodec.open(path, charset="shift_jis") as file:
        assert file.encoding == "whatwg-sniff-shift_jis"
    with codecs.open(path, encoding="textcodec-glibc-koi8-u") as file:
        assert file.read() == "є"
    # The labels of the Standard come first.
    assert codecs.lookup("textcodec-latin1").name == "whatwg-windows-1252"
    assert codecs.lookup("textcodec-iso-8859-1").name == "whatwg-windows-1252"
    assert codecs.lookup("textcodec-iana-iso-8859-1").name == "textcodec-exact-iso-8859-1"
    with pytest.raises(LookupError, match="can be several charsets: iana:cp278 and java:cp278"):
        codecs.lookup("textcodec-cp278")
    for name in ("textcodec-", "textcodec-no charset", "textcodec", "textcodec-utf_9", "textcodecutf8", "textcodecxkoi8-r", "textcodecxcp037", "xtextcodec-cp037"):
        with pytest.raises(LookupError, match="unknown encoding"):
            codecs.lookup(name)


def test_every_name_of_every_charset_is_the_name_of_a_codec():
    """The names of `python -m textcodec list`, as far as they need no prefix."""
    textcodec.register()

    def normal(label):
        return re.sub("[^a-z0-9.]+", "_", label.lower())

    standard = {normal(label) for encoding in textcodec.ENCODINGS for label in encoding.labels}
    checked = 0
    for code_page in (*range(437, 1200), *range(1250, 1259)):
        try:
            charset = textcodec.Charset(f"cp{code_page}")
        except LookupError:
            continue
        for label in charset.labels:
            # Python gives all punctuation as an underscore, and the Standard's labels come first.
            if not charset.encoding and normal(label) in standard:
                continue
            info = codecs.lookup(f"textcodec-{label}")
            expected = f"whatwg-{charset.name}" if charset.encoding else f"textcodec-{charset.name}"
            assert info.name == expected.lower(), label
            checked += 1
    assert checked > 200


def test_a_stream_of_a_charset_seeks_and_tells(tmp_path):
    textcodec.register()
    data = textcodec.encode("one\ntwo é\nthree\n", charset="cp037")
    file = io.TextIOWrapper(io.BytesIO(data), "textcodec-cp037")
    assert file.readline() == "one\n"
    place = file.tell()
    rest = file.read()
    file.seek(place)
    assert file.read() == rest == "two é\nthree\n"


def test_a_detected_charset_is_decoded():
    text = "naïve ☃ text"
    for codec, name in (("utf-32", "UTF-32LE"), ("utf-32-be", "UTF-32BE"), ("utf-7", "utf-7")):
        data = (text * 3).encode(codec)
        decoded = textcodec.detect(data).decode(data)
        assert decoded.text == text * 3 and decoded.encoding.name.lower() == name.lower()


def test_checks_and_repairs_take_charsets():
    charset = textcodec.Charset("cp037")
    assert textcodec.check(b"\xc8", charset) == []
    assert textcodec.transliterate("…", charset) == "..."
    assert [problem.character for problem in textcodec.check("½☃".encode(), to=textcodec.Charset("cp437"))] == ["☃"]


# Charsets that are written with a byte order mark, by which the order of bytes is known.
WITH_A_MARK = ("utf-16-bom", "utf-16be-bom", "utf-32")


@pytest.fixture(scope="module")
def listed():
    """All charsets, as `python -m textcodec list --json` has them."""
    command = [sys.executable, "-m", "textcodec", "list", "--json"]
    lines = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.splitlines()
    return [json.loads(line) for line in lines]


def test_every_charset_has_the_facts_that_the_program_lists(listed):
    assert len(listed) > 300
    found = []
    for facts in listed:
        try:
            charset = textcodec.Charset(facts["name"])
        except LookupError as error:
            # The order of bytes comes from a mark.
            assert facts["name"] in WITH_A_MARK and "needs a byte order mark" in str(error)
            continue
        found.append(charset)
        assert (charset.name, charset.family) == (str(charset), facts["family"]) and charset.name == facts["name"]
        assert list(charset.labels) == facts["labels"] and repr(charset) == f"<textcodec.Charset {charset.name}>"
        assert (charset.encoding is not None) == facts["standard"] and (facts["family"] is None) == facts["standard"]
        if charset.encoding:
            assert charset.encoding is textcodec.lookup(charset.name)
            assert (charset.is_single_byte, charset.labels) == (charset.encoding.is_single_byte, charset.encoding.labels)
        # A label names its charset, here and as the name of a codec.
        for label in charset.labels[:2]:
            assert textcodec.Charset(label) == textcodec.Charset(label.upper()) == charset
        for other in (pickle.loads(pickle.dumps(charset)), copy.copy(charset), copy.deepcopy(charset), textcodec.Charset(charset)):
            assert (other, hash(other)) == (charset, hash(charset))
        # Each byte is a character or an error, and all bytes together are as many.
        data = bytes(range(256))
        if charset.is_single_byte:
            text = textcodec.decode(data, charset, bom="keep").text
            assert len(text) in (256, sum(len(textcodec.decode(bytes([byte]), charset).text) for byte in data)), charset
            assert all(textcodec.decode(bytes([byte]), charset, bom="keep").text for byte in data), charset
        try:
            encoder = textcodec.IncrementalEncoder(charset)
        except ValueError as error:
            assert not facts["writable"] and str(error) == f"no text can be encoded in {charset}"
        else:
            assert facts["writable"] or charset.encoding
            assert encoder.encoding == textcodec.IncrementalDecoder(charset).encoding == (charset.encoding or charset)
    assert len(set(found)) == len(found) and len({charset.family for charset in found}) > 7
    assert {str(charset) for charset in found if not charset.is_single_byte} >= {"JOHAB", "HZ", "utf-7", "CESU-8", "IBM939", "EUC-TW", "GBK"}


def test_every_charset_begins_another_stream_after_the_end_and_after_reset(listed):
    text = "a日か中가Êéか"
    for facts in listed:
        if not facts["writable"] or facts["name"] in WITH_A_MARK:
            continue
        charset = textcodec.Charset(facts["name"])
        whole = textcodec.encode(text, charset, "ignore")
        encoder, decoder = textcodec.IncrementalEncoder(charset, "ignore"), textcodec.IncrementalDecoder(charset)
        expected = textcodec.decode(whole, charset).text
        for cut in range(len(text) + 1):
            encoder.encode(text[:cut])
            encoder.reset()
            assert encoder.getstate() == 0 and encoder.encode(text, True) == whole, charset
            assert encoder.getstate() == 0, charset
        for cut in range(len(whole) + 1):
            decoder.decode(whole[:cut])
            decoder.reset()
            assert decoder.getstate() == (b"", 0) and decoder.decode(whole, True) == expected, (charset, cut)


def test_the_prefix_of_a_codec_chooses_the_registry():
    textcodec.register()
    for name, codec in [
        ("textcodec-python-mac_greek", "textcodec-macgreek"),
        ("textcodec-java-x-MacGreek", "textcodec-macgreek"),
        ("textcodec-python_cp037", "textcodec-cp037"),
        ("textcodec-iana-IBM037", "textcodec-cp037"),
        ("textcodec-java-cp278", "textcodec-java:cp278"),
        ("textcodec-iana-cp278", "textcodec-glibc:ibm278"),
        ("textcodec-glibc-iso-8859-1", "textcodec-exact-iso-8859-1"),
        ("textcodec-glibc-koi8-u", "textcodec-glibc:koi8-u"),
        ("textcodec-koi8-u", "whatwg-koi8-u"),
    ]:
        assert codecs.lookup(name).name == codec, name
    with pytest.raises(LookupError, match='^the codec "utf_32" can be several charsets: utf-32 and glibc:UTF-32$'):
        codecs.lookup("textcodec-utf-32")
    for name in ("textcodec-glibc-cp278x", "textcodec-gnu-cp037", "textcodec-java", "textcodec-python-"):
        with pytest.raises(LookupError, match=f"^unknown encoding: {name}$"):
            codecs.lookup(name)


def test_only_the_name_of_a_charset_names_it():
    for wrong, error in [(3.5, TypeError), (None, TypeError), (b"gbk", TypeError), (37, TypeError), ("", LookupError), ("\ud800", LookupError), ("cp037\0", LookupError)]:
        for call in (textcodec.Charset, lambda it: textcodec.decode(b"", charset=it) if it is not None else textcodec.decode(b""), lambda it: textcodec.encode("", charset=it)):
            with pytest.raises(error):
                call(wrong)
    with pytest.raises(TypeError):
        textcodec.Charset()
    with pytest.raises(AttributeError):
        textcodec.Charset("cp037").name = "cp500"


def test_ascii_of_every_length_is_text_of_every_charset(listed):
    """Long ASCII takes a shorter way where the charset has it, and one character after the other takes none."""
    ascii = "".join(map(chr, range(0x80)))
    for facts in listed:
        if facts["name"] in WITH_A_MARK:
            continue
        charset = textcodec.Charset(facts["name"])
        for text in (ascii, ascii[0x20:0x7F], "a" * 100, "~" * 70, "\\" * 70 + "a", "$" * 70):
            if facts["writable"]:
                encoder = textcodec.IncrementalEncoder(charset, "ignore")
                pieces = [encoder.encode(character) for character in text]
                data = b"".join(pieces) + encoder.encode("", True)
                assert textcodec.encode(text, charset, "ignore") == data, charset
                assert textcodec.IncrementalEncoder(charset, "ignore").encode(text, True) == data, charset
            data = text.encode()
            expected = textcodec.decode(data, charset, bom="keep")
            decoder = textcodec.IncrementalDecoder(charset, bom="keep")
            assert "".join([decoder.decode(bytes([byte])) for byte in data]) + decoder.decode(b"", True) == expected.text, charset
            assert decoder.had_errors == expected.had_errors


def test_a_message_about_a_name_helps_in_each_function_that_takes_charsets():
    hints = {
        "utf_8_sig": "; did you mean 'utf-8'?",
        "exact-us-asci": "; did you mean 'exact-us-ascii'?",
        "latin-1": "; did you mean 'latin1', 'LATIN-GREEK-1' or 'csisolatin1'?",
        "johabb": "; did you mean 'JOHAB'?",
        "utf-ebcdic": "; it is a kind of EBCDIC",
        "tcvn5712": "; it is an encoding of Vietnamese",
        "cp278": "; two encodings have this name: iana:cp278 and java:cp278",
        "iso-8859-99": "",
        "binary": "",
        "": "",
    }
    for name, hint in hints.items():
        for call in (
            textcodec.Charset, lambda it: textcodec.decode(b"", charset=it), lambda it: textcodec.encode("", charset=it), lambda it: textcodec.IncrementalDecoder(charset=it),
            lambda it: textcodec.check(b"", it), lambda it: textcodec.check(b"", to=it), lambda it: textcodec.transliterate("", it), lambda it: textcodec.repair("", encodings=it),
            lambda it: textcodec.repair("", encodings=["gbk", it]), lambda it: textcodec.repair("", was=it), lambda it: textcodec.repair("", read_as=it), lambda it: textcodec.repair(b"", mixed=["utf-8", it]),
        ):
            with pytest.raises(LookupError) as caught:
                call(name)
            assert str(caught.value) == f"unknown encoding label: {name!r}{hint}"
