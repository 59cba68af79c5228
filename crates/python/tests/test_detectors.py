"""The modules in the place of chardet, charset-normalizer and cchardet."""

import codecs
import importlib
import importlib.util
import inspect
import subprocess
import sys

import pytest

import textcodec
from textcodec import _peers
from textcodec import cchardet, chardet
from textcodec import charset_normalizer as normalizer
from test_detect import LANGUAGES

TEXTS = {
    "fr": "Le café est fermé à midi, l’hôtel aussi. ",
    "de": "Grüße aus München, schöne Straße für alle Bürger. ",
    "ru": "Съешь же ещё этих мягких французских булок, да выпей чаю. ",
    "ja": "日本語の文章を書いたものです。これは試験です。",
    "zh": "这是一个用简体中文写成的句子。我们今天去学校。",
    "tw": "這是一個用繁體中文寫成的句子。我們今天去學校。",
    "ko": "키스의 고유 조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다. ",
    "th": "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน ",
    "tr": "Pijamalı hasta yağız şoföre çabucak güvendi. ",
    "pl": "Zażółć gęślą jaźń, wszystko będzie dobrze. ",
    "en": "plain ",
}

# A text, Python's codec, and the names of chardet 7, chardet 5, charset-normalizer and cchardet.
NAMES = [
    ("en", "ascii", "ascii", "ascii", "ascii", "ASCII"),
    ("de", "utf-8", "utf-8", "utf-8", "utf_8", "UTF-8"),
    ("de", "utf-8-sig", "UTF-8-SIG", "UTF-8-SIG", "utf_8", "UTF-8-SIG"),
    ("de", "latin-1", "Windows-1252", "ISO-8859-1", "cp1252", "ISO-8859-1"),
    ("fr", "cp1252", "Windows-1252", "Windows-1252", "cp1252", "WINDOWS-1252"),
    ("ru", "cp1251", "Windows-1251", "windows-1251", "cp1251", "WINDOWS-1251"),
    ("ru", "koi8-r", "KOI8-R", "KOI8-R", "koi8_r", "KOI8-R"),
    ("ru", "cp866", "IBM866", "IBM866", "cp866", "IBM866"),
    ("ru", "mac-cyrillic", "MacCyrillic", "MacCyrillic", "mac_cyrillic", "maccyrillic"),
    ("de", "mac-roman", "MacRoman", "MacRoman", "mac_roman", "MAC-ROMAN"),
    ("ja", "cp932", "CP932", "SHIFT_JIS", "cp932", "SHIFT_JIS"),
    ("ja", "euc-jp", "EUC-JP", "EUC-JP", "euc_jp", "EUC-JP"),
    ("ja", "iso2022-jp", "ISO-2022-JP", "ISO-2022-JP", "iso2022_jp", "ISO-2022-JP"),
    ("zh", "gbk", "GB18030", "GB2312", "gb18030", "GB18030"),
    ("zh", "hz", "HZ-GB-2312", "HZ-GB-2312", "hz", "HZ-GB-2312"),
    ("tw", "big5", "Big5", "Big5", "big5", "BIG5"),
    ("ko", "cp949", "CP949", "EUC-KR", "cp949", "EUC-KR"),
    ("th", "cp874", "CP874", "TIS-620", "cp874", "TIS-620"),
    ("tr", "cp1254", "Windows-1254", "ISO-8859-9", "cp1254", "ISO-8859-9"),
    ("pl", "cp1250", "Windows-1250", "windows-1250", "cp1250", "WINDOWS-1250"),
    ("pl", "iso8859-2", "ISO-8859-2", "ISO-8859-2", "iso8859_2", "ISO-8859-2"),
    ("de", "utf-16", "UTF-16", "UTF-16", "utf_16", "UTF-16"),
    ("ru", "utf-16-le", "utf-16-le", "utf-16le", "utf_16_le", "UTF-16LE"),
    ("ru", "utf-32", "UTF-32", "UTF-32", "utf_32", "UTF-32"),
    ("de", "utf-7", "utf-7", "utf-7", "utf_7", "UTF-7"),
]
JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1"


@pytest.fixture(autouse=True)
def version_7():
    yield
    chardet.use_version(7)


@pytest.mark.parametrize(("language", "codec", "name_7", "name_5", "name_cn", "name_c"), NAMES)
def test_names_are_those_of_each_detector_and_decode_the_text(language, codec, name_7, name_5, name_cn, name_c):
    text = TEXTS[language] * 2
    data = text.encode(codec)
    names = [chardet.detect(data)["encoding"], cchardet.detect(data)["encoding"]]
    chardet.use_version(5)
    names.insert(1, chardet.detect(data)["encoding"])
    best = normalizer.from_bytes(data).best()
    assert [*names, best.encoding] == [name_7, name_5, name_c, name_cn]
    for name in names:
        assert data.decode(name).replace("～", "〜") == text
    assert str(best) == text and best.raw == data
    assert data.decode(best.encoding).removeprefix("\ufeff") == text
    assert normalizer.detect(data)["encoding"].lower().replace("-", "_") in {
        name.lower().replace("-", "_") for name in (name_7, name_5, name_cn)
    }


def test_every_answer_of_the_detector_has_a_name_and_every_name_a_codec():
    assert set(_peers.CODECS) > {encoding.name for encoding in textcodec.ENCODINGS} - {"replacement", "x-user-defined"}
    assert set(_peers.NARROW) < set(_peers.CODECS)
    for answer, names in _peers.CODECS.items():
        for name in (*names, *_peers.NARROW.get(answer, ())):
            if answer != "ISO-2022-CN":
                assert "x".encode(name).decode(name) == "x" and answer in _peers.answers_of(name), name
    with pytest.raises(LookupError):
        _peers.answers_of("no codec")
    assert _peers.answers_of("cp437") == frozenset()


def test_the_name_is_one_whose_codec_decodes_the_bytes():
    # Python's cp1252 has no character for the byte 81, and its shift_jis and gb2312 lack some of the Standard's.
    data = TEXTS["fr"].encode("cp1252").replace(b"\x92", b"\x81") * 3
    assert data.decode(chardet.detect(data)["encoding"])
    data = "①②髙島屋".encode("cp932") + TEXTS["ja"].encode("cp932")
    assert chardet.detect(data)["encoding"] == cchardet.detect(data)["encoding"] == "CP932"
    chardet.use_version(5)
    assert chardet.detect(data)["encoding"] == "CP932"
    assert chardet.detect((TEXTS["zh"] + "镕").encode("gbk"))["encoding"] == "GB18030"
    assert chardet.detect((TEXTS["ko"] + "똠").encode("cp949"))["encoding"] == "CP949"
    assert chardet.detect(TEXTS["ja"].encode("euc-jp") + b"\xad\xa1")["encoding"] == "euc_jis_2004"
    # Bytes after those that the detector keeps can need the larger codec.
    data = TEXTS["ja"].encode("cp932") * 6000 + "髙".encode("cp932")
    assert len(data) > chardet.DEFAULT_MAX_BYTES
    detector = chardet.UniversalDetector()
    with cchardet.UniversalDetector() as other:
        for start in range(0, len(data), 65_536):
            detector.feed(data[start : start + 65_536])
            other.feed(data[start : start + 65_536])
    assert detector.close()["encoding"] == other.result["encoding"] == "CP932"


@pytest.mark.parametrize("version", [5, 7])
def test_a_universal_detector_answers_as_detect_wherever_the_pieces_are_cut(version):
    chardet.use_version(version)
    for language, codec, *_ in NAMES:
        data = (TEXTS[language] * 2).encode(codec)
        for length in (1, 7, 1000):
            pieces = [data[start : start + length] for start in range(0, len(data), length)]
            detector = chardet.UniversalDetector()
            assert detector.result["encoding"] is None and not detector.done
            for piece in pieces:
                detector.feed(bytearray(piece))
            result = detector.close()
            assert result == detector.result == chardet.detect(data) and detector.done
            with cchardet.UniversalDetector() as other:
                assert other.result == {"encoding": None, "confidence": None}
                for piece in pieces:
                    assert not other.done
                    other.feed(piece)
            assert other.done and other.result == cchardet.detect(data)


def test_a_universal_detector_begins_another_text_after_reset():
    detector = chardet.UniversalDetector()
    detector.feed("\ufeffé".encode())
    assert not detector.done and detector.result["encoding"] is None
    detector.reset()
    chardet.use_version(5)
    detector.feed("\ufeffé".encode())
    assert detector.done and detector.result["encoding"] == "UTF-8-SIG"
    detector.feed(b"more")
    assert detector.close()["encoding"] == "UTF-8-SIG"
    chardet.use_version(7)
    with pytest.raises(ValueError, match="without reset"):
        detector.feed(b"more")
    detector.reset()
    assert not detector.done and detector.result["encoding"] is None
    detector.feed(TEXTS["ru"].encode("koi8-r"))
    assert detector.close()["encoding"] == "KOI8-R"
    chardet.use_version(5)
    detector.feed(b"nothing happens")
    other = cchardet.UniversalDetector()
    other.close()
    other.feed(b"nothing happens")
    assert other.result == {"encoding": None, "confidence": None}
    other.reset()
    other.feed(b"abc")
    other.close()
    assert other.result["encoding"] == "ASCII"


def test_empty_and_binary_data_have_the_answers_of_each_version():
    assert chardet.detect(b"") == {"encoding": "utf-8", "confidence": 0.1, "language": None, "mime_type": "text/plain"}
    assert chardet.detect(b"", empty_input_encoding="ascii")["encoding"] == "ascii"
    assert chardet.detect(JPEG) == {"encoding": None, "confidence": 1.0, "language": None, "mime_type": "image/jpeg"}
    assert chardet.detect_all(JPEG, include_encodings=["cp1252"]) == [chardet.detect(JPEG)]
    chardet.use_version(5)
    assert chardet.detect(b"") == chardet.detect(JPEG) == {"encoding": None, "confidence": 0.0, "language": None}
    assert cchardet.detect(b"") == cchardet.detect(JPEG) == {"encoding": None, "confidence": None}
    assert not normalizer.from_bytes(JPEG) and normalizer.from_bytes(JPEG).best() is None
    assert normalizer.is_binary(JPEG) and not normalizer.is_binary(b"text") and not normalizer.is_binary(b"")
    assert normalizer.detect(JPEG) == {"encoding": None, "language": "", "confidence": None}
    assert normalizer.detect(b"") == {"encoding": "utf-8", "language": "", "confidence": 1.0}


def test_each_kind_of_binary_data_has_a_media_type():
    # Those of chardet 7.7, but for fonts, Matroska and old documents of Microsoft, whose kinds it does not have.
    types = {
        b"\xff\xd8\xff\xe0\0\x10JFIF\0": "image/jpeg",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR": "image/png",
        b"GIF89a\1\0\1\0": "image/gif",
        b"RIFF\x24\0\0\0WEBPVP8 ": "image/webp",
        b"II*\0\x08\0\0\0": "image/tiff",
        b"\0\0\1\0\1\0\x10\x10": "image/vnd.microsoft.icon",
        b"%PDF-1.7\n": "application/pdf",
        b"PK\3\4\x14\0\0\0": "application/zip",
        b"\x1f\x8b\x08\0\0\0\0\0": "application/gzip",
        b"BZh91AY&SY": "application/x-bzip2",
        b"\xfd7zXZ\0\0\4": "application/x-xz",
        b"\x28\xb5\x2f\xfd\x04\0": "application/zstd",
        b"7z\xbc\xaf\x27\x1c\0\4": "application/x-7z-compressed",
        b"Rar!\x1a\x07\1\0": "application/vnd.rar",
        b"\x7fELF\2\1\1\0": "application/x-elf",
        b"\xcf\xfa\xed\xfe\7\0\0\1": "application/x-mach-binary",
        b"MZ\x90\0\3\0\0\0": "application/vnd.microsoft.portable-executable",
        b"\xca\xfe\xba\xbe\0\0\0\x34": "application/java-vm",
        b"\0asm\1\0\0\0": "application/wasm",
        b"SQLite format 3\0": "application/x-sqlite3",
        b"wOFF\0\1\0\0": "font/woff",
        b"OTTO\0\x0b\0\x80": "font/sfnt",
        b"ID3\4\0\0\0\0": "audio/mpeg",
        b"\0\0\0\x18ftypmp42": "video/mp4",
        b"OggS\0\2\0\0": "audio/ogg",
        b"fLaC\0\0\0\x22": "audio/flac",
        b"RIFF\x24\0\0\0WAVEfmt ": "audio/wav",
        b"RIFF\x24\0\0\0AVI LIST": "video/x-msvideo",
        b"\x1aE\xdf\xa3\xa3\x42\x86\x81": "video/matroska",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "application/x-ole-storage",
    }
    for start, media_type in types.items():
        assert chardet.detect(start + bytes(200))["mime_type"] == media_type, start
    assert {textcodec.detect(start + bytes(200)).kind for start in types} == set(_peers.MEDIA_TYPES)


def test_languages_are_codes_in_chardet_7_and_names_elsewhere():
    data = TEXTS["zh"].encode("gbk")
    assert chardet.detect(data)["language"] == "zh"
    assert chardet.detect(TEXTS["ja"].encode("iso2022-jp"))["language"] == "ja"
    assert normalizer.from_bytes(data).best().language == normalizer.detect(data)["language"] == "Chinese"
    assert normalizer.from_bytes("☃".encode()).best().language == "Unknown"
    chardet.use_version(5)
    assert chardet.detect(data)["language"] == "Chinese" and chardet.detect(b"plain")["language"] == ""


@pytest.mark.parametrize(
    ("language", "code", "name"),
    [
        ("fr", "fr", "French"),
        ("ru", "ru", "Russian"),
        ("ja", "ja", "Japanese"),
        ("zh", "zh", "Chinese"),
        ("tw", "zh", "Chinese"),
        ("ko", "ko", "Korean"),
        ("th", "th", "Thai"),
        ("pl", "pl", "Polish"),
        ("tr", "tr", "Turkish"),
    ],
)
def test_text_in_unicode_has_a_language(language, code, name):
    for codec in ("utf-8", "utf-16"):
        data = (TEXTS[language] * 2).encode(codec)
        assert chardet.detect(data)["language"] == code
        best = normalizer.from_bytes(data).best()
        assert best.language == name and best.languages == [name] and best.coherence > 0.5


@pytest.mark.parametrize("before", [0, 99, 100, 101, 399, 400, 401, 1000])
def test_text_in_unicode_has_the_language_of_its_letters_after_any_ascii(before):
    data = ("x" * before + TEXTS["ru"]).encode()
    assert chardet.detect(data)["language"] == "ru"
    assert normalizer.from_bytes(data).best().language == "Russian"


def test_arguments_limit_what_competes():
    data = TEXTS["ru"].encode("koi8-r")
    assert chardet.detect(data, include_encodings=["cp1251", "KOI8-U"])["encoding"] == "koi8-u"
    assert chardet.detect(data, exclude_encodings=["koi8_r"])["encoding"] == "koi8-u"
    assert chardet.detect(data, include_encodings=["cp437"]) == {
        "encoding": "cp1252",
        "confidence": 0.1,
        "language": None,
        "mime_type": "text/plain",
    }
    assert chardet.detect(data, include_encodings=["cp437"], no_match_encoding="utf-8")["encoding"] == "utf-8"
    dos = TEXTS["ru"].encode("cp866")
    assert chardet.detect(dos, encoding_era=chardet.EncodingEra.MODERN_WEB)["encoding"] != "IBM866"
    only = chardet.detect_all(dos, True, encoding_era=chardet.EncodingEra.DOS)
    assert [result["encoding"] for result in only] == ["IBM866"]
    wide = TEXTS["ru"].encode("utf-32")
    assert chardet.detect(wide, include_encodings=["utf-32"])["encoding"] == "UTF-32"
    assert chardet.detect(wide, include_encodings=["utf-8", "koi8-r"])["encoding"] != "UTF-32"
    detector = chardet.UniversalDetector(chardet.LanguageFilter.JAPANESE)
    detector.feed(TEXTS["ja"].encode("euc-jp"))
    assert detector.close()["encoding"] == "EUC-JP"
    detector = chardet.UniversalDetector(chardet.LanguageFilter.CJK)
    detector.feed(data)
    assert detector.close()["encoding"] != chardet.detect(data)["encoding"] == "KOI8-R"
    assert normalizer.from_bytes(data, cp_isolation=["koi8_u"]).best().encoding == "koi8_u"
    assert normalizer.from_bytes(data, cp_exclusion=["koi8_r"]).best().encoding == "koi8_u"


def test_the_whole_text_is_looked_at_unless_max_bytes_says_otherwise():
    data = b"plain " * 50_000 + TEXTS["ru"].encode("koi8-r")
    assert chardet.detect(data)["encoding"] == "KOI8-R"
    assert chardet.detect(data, max_bytes=200)["encoding"] == "ascii"
    detector = chardet.UniversalDetector(max_bytes=200)
    detector.feed(data[:150])
    assert not detector.done
    detector.feed(data[150:])
    assert detector.done and detector.close()["encoding"] == "ascii"
    for wrong in (0, -1, True, 1.5):
        with pytest.raises(ValueError, match="max_bytes must be a positive integer"):
            chardet.detect(data, max_bytes=wrong)


def test_detect_all_leaves_out_what_is_improbable():
    data = "le café".encode("cp1252")
    results = chardet.detect_all(data)
    every = chardet.detect_all(data, ignore_threshold=True)
    assert results == [result for result in every if result["confidence"] > chardet.MINIMUM_THRESHOLD]
    assert len(every) > len(results) > 1 and results[0] == chardet.detect(data)
    names = [result["encoding"] for result in every]
    assert len(names) == len(set(names))
    assert sorted(every, key=lambda result: -result["confidence"]) == every


def test_supersets_take_the_place_of_smaller_codecs():
    assert chardet.detect(b"plain", should_rename_legacy=True)["encoding"] == "Windows-1252"
    assert chardet.detect(TEXTS["pl"].encode("iso8859-2"), prefer_superset=True)["encoding"] == "Windows-1250"
    assert chardet.detect(TEXTS["de"].encode("latin-1"), compat_names=False)["encoding"] == "cp1252"
    chardet.use_version(5)
    assert chardet.detect(TEXTS["zh"].encode("gbk"), True)["encoding"] == "GB18030"


def test_a_charset_match_has_the_attributes_of_charset_normalizer():
    data = "<meta charset='latin1'>Grüße".encode("latin1")
    matches = normalizer.from_bytes(bytearray(data))
    best = matches.best()
    assert (best.encoding, best.language, best.bom, best.byte_order_mark) == ("cp1252", "German", False, False)
    assert 0 <= best.chaos < 0.3 and best.percent_chaos == round(best.chaos * 100, 3)
    assert best.coherence == pytest.approx(1 - best.chaos) and best.percent_coherence > 70
    assert best.languages == ["German"] and best.multi_byte_usage == 0 and "windows_1252" in best.encoding_aliases
    assert best.fingerprint == hash(str(best)) and best.raw == data
    assert best.has_submatch and best.could_be_from_charset == ["cp1252", *(match.encoding for match in best.submatch)]
    assert all(str(match) == str(best) for match in best.submatch)
    assert best.output() == b"<meta charset='utf-8'>Gr\xc3\xbc\xc3\x9fe"
    assert best.output("koi8_r") == b"<meta charset='koi8-r'>Gr??e"
    assert best == "windows-1252" and best == best and best != "utf_8" and best != 3
    assert matches.first() is matches[0] is next(iter(matches)) is matches["iso8859-15"] is matches["cp1252"]
    assert sorted(matches) == list(matches) and len(matches) >= 1 and bool(matches)
    with pytest.raises(KeyError):
        matches["cp037"]
    with pytest.raises(ValueError, match="a submatch must be another"):
        best.add_submatch(best)
    damaged = normalizer.from_bytes("café ".encode() * 1000 + b"\xff").best()
    assert damaged.encoding == "utf_8" and str(damaged).endswith("\ufffd")


def test_matches_of_one_text_are_one_match():
    matches = normalizer.CharsetMatches()
    assert matches.best() is None and not matches
    matches.append(normalizer.CharsetMatch(b"a\xe4", "latin_1", 0.1, False, [("German", 0.9)]))
    matches.append(normalizer.CharsetMatch(b"a\xe4", "cp1252", 0.1, False, []))
    matches.append(normalizer.CharsetMatch(b"a\xe4", "cp1251", 0.05, False, []))
    assert [match.could_be_from_charset for match in matches] == [["cp1251"], ["latin_1", "cp1252"]]
    with pytest.raises(ValueError, match="cannot append str"):
        matches.append("latin_1")
    with pytest.raises(ValueError, match="compared with another one only"):
        matches[0] < 3


def test_files_are_read_by_name_and_when_they_are_open(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(TEXTS["ru"].encode("koi8-r"))
    assert normalizer.from_path(path).best().encoding == normalizer.from_path(str(path)).best().encoding == "koi8_r"
    with path.open("rb") as file:
        assert str(normalizer.from_fp(file).best()) == TEXTS["ru"] and not file.closed
        file.seek(0)
        assert not normalizer.is_binary(file)
    path.write_bytes(JPEG)
    assert normalizer.is_binary(path) and normalizer.is_binary(str(path))
    with pytest.raises(FileNotFoundError):
        normalizer.from_path(tmp_path / "none")


def test_wrong_arguments_are_the_errors_of_each_detector():
    for function in (chardet.detect, chardet.detect_all, chardet.UniversalDetector().feed, normalizer.from_bytes):
        with pytest.raises(TypeError, match="Expected object of type bytes or bytearray, got: <class 'str'>"):
            function("text")
    for function in (cchardet.detect, cchardet.UniversalDetector().feed):
        with pytest.raises(TypeError, match="expected bytes, bytearray found"):
            function(bytearray(b"a"))
    for argument in ("include_encodings", "exclude_encodings"):
        with pytest.raises(ValueError, match=f"Unknown encoding 'cp0' in {argument}"):
            chardet.detect(b"", **{argument: ["cp0"]})
        with pytest.raises(ValueError, match=f"{argument} must not be empty"):
            chardet.detect(b"", **{argument: []})
    with pytest.raises(ValueError, match="Unknown encoding 'cp0' in no_match_encoding"):
        chardet.detect(b"", no_match_encoding="cp0")
    with pytest.raises(ValueError, match="Unable to retrieve IANA for 'cp0'"):
        normalizer.from_bytes(b"", cp_isolation=["cp0"])
    with pytest.raises(ValueError, match="version must be 5 or 7, not 6"):
        chardet.use_version(6)
    with pytest.warns(DeprecationWarning, match="chunk_size has no effect"):
        chardet.detect(b"a", chunk_size=3)
    with pytest.warns(UserWarning, match="detect\\(\\) ignores the arguments other"):
        normalizer.detect(b"a", other=3)


def run(program: str) -> str:
    """The output of a program in a process of its own, because `install` changes its modules."""
    command = [sys.executable, "-X", "utf8", "-c", program]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_install_takes_the_place_of_each_detector():
    program = """
import textcodec.chardet, textcodec.charset_normalizer, textcodec.cchardet
textcodec.chardet.install(5)
textcodec.charset_normalizer.install()
textcodec.cchardet.install()
import chardet, charset_normalizer, cchardet
import chardet.enums
from chardet.universaldetector import UniversalDetector
from chardet.version import VERSION
from chardet.resultdict import ResultDict
from charset_normalizer.api import from_bytes
from charset_normalizer.models import CharsetMatch, CharsetMatches
from charset_normalizer.legacy import detect
from charset_normalizer.version import __version__
from cchardet.version import __version__ as version_of_cchardet
assert UniversalDetector is chardet.UniversalDetector is textcodec.chardet.UniversalDetector
assert VERSION == ["5", "2", "0"] and chardet.version.__version__ == chardet.__version__ == "5.2.0"
assert chardet.enums.LanguageFilter.CJK == 15
chardet.use_version(7)
assert chardet.version.VERSION == chardet.VERSION == ["7", "7", "0"]
data = "Grüße aus München".encode("latin1")
print(chardet.detect(data)["encoding"], cchardet.detect(data)["encoding"], detect(data)["encoding"])
"""
    assert run(program) == "Windows-1252 ISO-8859-1 Windows-1252\n"


@pytest.mark.skipif(importlib.util.find_spec("requests") is None, reason="requests is not installed")
@pytest.mark.parametrize("module", ["chardet", "charset_normalizer"])
def test_requests_reads_a_response_with_this_detector(module):
    program = f"""
import sys
import textcodec.{module}
textcodec.{module}.install()
for other in {{"chardet", "charset_normalizer"}} - {{"{module}"}}:
    sys.modules[other] = None
import warnings
warnings.simplefilter("error")
import requests
from requests import compat
assert compat.chardet is textcodec.{module}
response = requests.Response()
response._content = {TEXTS["ru"]!r}.encode("koi8-r")
print(response.apparent_encoding, response.text)
"""
    assert run(program) == f"KOI8-R {TEXTS['ru']}\n"


@pytest.mark.skipif(importlib.util.find_spec("bs4") is None, reason="Beautiful Soup is not installed")
@pytest.mark.parametrize("module", ["chardet", "charset_normalizer", "cchardet"])
def test_beautiful_soup_reads_a_page_with_this_detector(module):
    program = f"""
import sys
import textcodec.{module}
textcodec.{module}.install()
for other in {{"chardet", "charset_normalizer", "cchardet"}} - {{"{module}"}}:
    sys.modules[other] = None
from bs4 import BeautifulSoup
soup = BeautifulSoup("<p>{TEXTS["ru"]}</p>".encode("koi8-r"), "html.parser")
print(soup.original_encoding.lower().replace("_", "-"), soup.p.string)
"""
    assert run(program) == f"koi8-r {TEXTS['ru']}\n"


def test_codecs_of_python_have_nearly_the_characters_of_the_standard():
    compared = 0
    for answer, names in _peers.CODECS.items():
        encoding = next((encoding for encoding in textcodec.ENCODINGS if encoding.name == answer), None)
        text = "" if encoding is None else encoding.decode(bytes(range(256))).text
        if len(text) != 256:
            continue
        for name in names:
            same = sum(bytes([byte]).decode(name, "replace") == text[byte] for byte in range(0xA0, 0x100))
            assert same >= 80, (answer, name, same)
            compared += 1
    assert compared >= 27


def test_supersets_are_the_code_pages_of_windows():
    detector = chardet.UniversalDetector
    for name, page in detector.ISO_WIN_MAP.items():
        assert detector.LEGACY_MAP[name.replace("iso-8859", "iso8859")] == page.replace("Windows-", "cp")


def test_the_most_bytes_are_counted_over_all_pieces():
    data = b"plain" + "Съешь же ещё".encode("cp1251")
    detector = chardet.UniversalDetector(max_bytes=5)
    for byte in data:
        detector.feed(bytes([byte]))
    whole = chardet.UniversalDetector(max_bytes=5)
    whole.feed(data[:3])
    whole.feed(data[3:])
    expected = chardet.detect(data, max_bytes=5)
    assert detector.close() == whole.close() == expected


def test_a_language_filter_has_the_encodings_of_its_language():
    enums = chardet.LanguageFilter
    hz = b"This is ~{<:Ky2;S{#,NpJ)l6HK!#~} by"
    for language in enums.CHINESE_SIMPLIFIED, enums.CHINESE_TRADITIONAL, enums.JAPANESE:
        detector = chardet.UniversalDetector(lang_filter=language)
        detector.feed(hz)
        assert (detector.close()["encoding"] == "HZ-GB-2312") == (language == enums.CHINESE_SIMPLIFIED), language


def test_korean_beyond_the_old_standard_has_the_name_of_its_code_page():
    assert cchardet.detect("뷁 안녕하세요 여러분, 반갑습니다".encode("cp949"))["encoding"] == "UHC"


def test_the_bytes_that_show_the_names_of_codecs_are_kept_up_to_their_greatest_number():
    for length in (cchardet._HEAD - 1, cchardet._HEAD, cchardet._HEAD + 1):
        data = ("Grüße aus München. " * 20_000).encode("latin-1")[: length]
        for pieces in ([data], [data[:7], data[7:]], [data[:-1], data[-1:]]):
            with cchardet.UniversalDetector() as detector:
                for piece in pieces:
                    detector.feed(piece)
            name = "ISO-8859-1" if length <= cchardet._HEAD else "WINDOWS-1252"
            assert detector.result["encoding"] == name, length


def match(encoding, chaos, languages=(), payload=b"a\xe4", **others):
    return normalizer.CharsetMatch(payload, encoding, chaos, False, list(languages), **others)


def test_matches_are_sorted_by_how_wrong_and_then_by_how_right_they_are():
    texts = [b"a\xe4", b"b\xe4", b"c\xe4", b"d\xe4"]
    best, second, third, worst = (match(*arguments, payload=text) for text, arguments in zip(texts, [
        ("cp1252", 0.1, [("German", 0.9)]), ("cp1250", 0.1, [("Czech", 0.4)]), ("cp1254", 0.1), ("cp1251", 0.7, [("Russian", 1.0)]),
    ]))
    for results in ([worst, third, second, best], [best, second, third, worst], [second, worst, best, third]):
        appended = normalizer.CharsetMatches()
        for result in results:
            appended.append(result)
        for matches in (normalizer.CharsetMatches(results), normalizer.CharsetMatches(iter(results)), appended):
            assert list(matches) == [best, second, third, worst] and [*map(id, matches)] == [*map(id, [best, second, third, worst])]
            assert matches.best() is matches.first() is matches[0] is best and matches[-1] is matches[3] is worst
            assert len(matches) == 4 and bool(matches)
            for one, names in [(best, ["cp1252", "windows-1252", "CP1252"]), (worst, ["cp1251", "windows_1251"])]:
                assert all(matches[name] is one for name in names)
            for wrong, error in [("cp037", KeyError), ("", KeyError), (4, IndexError), (-5, IndexError)]:
                with pytest.raises(error):
                    matches[wrong]
    assert best < second < third < worst and not second < best and not best < best
    for empty in (normalizer.CharsetMatches(), normalizer.CharsetMatches(None), normalizer.CharsetMatches([])):
        assert (list(empty), len(empty), bool(empty), empty.best(), empty.first()) == ([], 0, False, None, None)
    # The list of the caller is its own.
    results = [worst, best]
    matches = normalizer.CharsetMatches(results)
    matches.append(second)
    assert results == [worst, best] and len(matches) == 3


def test_a_match_is_appended_below_another_one_only_if_text_and_chaos_are_the_same():
    for encoding, chaos, payload, below in [("iso8859_15", 0.1, b"a\xe4", True), ("iso8859_15", 0.2, b"a\xe4", False), ("cp1251", 0.1, b"a\xe4", False), ("cp1252", 0.1, b"a", False)]:
        first = match("cp1252", 0.1)
        matches = normalizer.CharsetMatches([first])
        other = match(encoding, chaos, payload=payload)
        assert matches.append(other) is None
        assert (len(matches), first.submatch, first.has_submatch) == (1, [other], True) if below else (2, [], False)
        assert first.could_be_from_charset == (["cp1252", encoding] if below else ["cp1252"])
    for wrong in ("cp1252", None, 3, b""):
        with pytest.raises(ValueError):
            normalizer.CharsetMatches().append(wrong)
        with pytest.raises(ValueError):
            match("cp1252", 0.1).add_submatch(wrong)


def test_each_attribute_of_a_match_is_that_of_its_arguments():
    payload = "日本".encode()
    for bom in (False, True):
        one = normalizer.CharsetMatch(payload, "utf_8", 0.2, bom, [("Japanese", 0.7), ("Chinese", 0.1)])
        assert (str(one), one.raw, one.encoding, repr(one)) == ("日本", payload, "utf_8", "<CharsetMatch 'utf_8'>")
        assert (one.bom, one.byte_order_mark) == (bom, bom)
        assert (one.language, one.languages, one.coherence, one.percent_coherence) == ("Japanese", ["Japanese", "Chinese"], 0.7, 70.0)
        assert (one.chaos, one.percent_chaos, one.multi_byte_usage) == (0.2, 20.0, pytest.approx(2 / 3))
        assert one.fingerprint == hash("日本") and {"u8", "utf8"} <= set(one.encoding_aliases) and "utf_8" not in one.encoding_aliases
        assert all(codecs.lookup(alias).name == "utf-8" for alias in one.encoding_aliases)
        assert (one.could_be_from_charset, one.submatch, one.has_submatch) == (["utf_8"], [], False)
    assert str(normalizer.CharsetMatch(payload, "utf_8", 0.2, False, [], "another text")) == "another text"
    assert str(match("utf_8", 0.0)) == "a\ufffd" and match("utf_8", 1 / 3).percent_chaos == 33.333
    for encoding, language in [("ascii", "English"), ("cp1252", "Unknown")]:
        one = match(encoding, 0.0, payload=b"")
        assert (one.language, one.languages, one.coherence, one.percent_coherence, one.multi_byte_usage) == (language, [], 0.0, 0.0, 0.0)
    # Equal are matches with the same text in the same encoding, and the names of that encoding.
    one = match("cp1252", 0.1, [("German", 0.9)])
    assert one == match("cp1252", 0.5) and one != match("cp1254", 0.1) and one != match("cp1252", 0.1, payload=b"a")
    assert one == "CP1252" and one == "windows-1252" and one != "cp1254" and one != "" and one != None and one != b"cp1252"
    with pytest.raises(TypeError):
        hash(one)


def test_the_declaration_of_a_match_names_the_encoding_of_the_output():
    text = "# coding: latin-1\n# charset=latin-1\né"
    for declared, encoding, name in [("latin-1", "utf_8", "utf-8"), ("latin-1", "UTF-8", "utf-8"), ("latin-1", "utf_16_le", "utf-16-le"), ("latin-1", "koi8_r", "koi8-r"), ("latin-1", "latin1", "latin-1"), (None, "utf_8", "latin-1")]:
        one = match("latin_1", 0.0, payload=text.encode("latin-1"), preemptive_declaration=declared)
        expected = text.replace("coding: latin-1", f"coding: {name}")
        assert one.output(encoding) == expected.encode(encoding, "replace"), (declared, encoding)
        if encoding == "utf_8":
            assert one.output() == one.output(encoding=encoding)
    # A letter that is not ASCII is no part of a name.
    assert match("latin_1", 0.0, payload="coding: latin-1é".encode("latin-1"), preemptive_declaration="latin-1").output() == "coding: utf-8é".encode()
    # A declaration stands at the start of a text.
    for before, is_found in [(8192 - len("coding: latin-1"), True), (8192, False)]:
        one = match("latin_1", 0.0, payload=b"x" * before + b"coding: latin-1", preemptive_declaration="latin-1")
        assert one.output().endswith(b"coding: utf-8" if is_found else b"coding: latin-1"), before


def test_the_answers_of_normalizer_have_the_probabilities_of_the_detector():
    for data in ("le café".encode("latin-1"), TEXTS["ru"].encode("koi8-r"), TEXTS["pl"].encode("cp1250"), "naïve".encode("utf-16"), "é".encode("utf-8-sig"), TEXTS["de"].encode(), b"plain"):
        found, matches = textcodec.detect(data), normalizer.from_bytes(data)
        best = matches.best()
        is_certain = found.verdict == "ascii" or found.has_bom
        assert (best.bom, best.chaos) == (found.has_bom, 0.0 if is_certain else round(1 - found.probability, 6))
        # One match for each group that is not very improbable, with all codecs of the group.
        groups = {candidate.group: candidate.probability for candidate in found.candidates if candidate.probability >= 0.01}
        assert [one.chaos for one in matches] == [0.0 if is_certain else round(1 - probability, 6) for probability in groups.values()]
        assert all(other.chaos == one.chaos and str(other) == str(one) for one in matches for other in one.submatch)
        # The language is as probable as the encoding.
        assert [one.coherence for one in matches] == [pytest.approx(1 - one.chaos) if one.languages else 0 for one in matches]
        assert all(0 <= one.chaos <= 1 and 0 <= one.coherence <= 1 for one in matches)
        result = normalizer.detect(data)
        assert result["confidence"] == round(1 - best.chaos, 6) and result["language"] == ("" if best.language == "Unknown" else best.language)
        renamed = normalizer.detect(data, should_rename_legacy=True)
        assert renamed["encoding"] == ("utf_8_sig" if data.startswith(b"\xef\xbb\xbf") else best.encoding)
        assert {**renamed, "encoding": None} == {**result, "encoding": None}


@pytest.mark.parametrize("version", [5, 7])
def test_what_a_program_does_with_a_result_changes_no_other(version):
    chardet.use_version(version)
    data = TEXTS["ru"].encode("koi8-r")
    detector, other = chardet.UniversalDetector(), cchardet.UniversalDetector()
    for result in (detector.result, other.result):
        result["encoding"] = "spoilt"
    assert detector.result["encoding"] is other.result["encoding"] is None
    detector.feed(data)
    other.feed(data)
    assert other.close() is None
    for result in (detector.close(), detector.result, other.result):
        assert result["encoding"] == "KOI8-R"
        result["encoding"] = "spoilt"
    assert detector.result["encoding"] == detector.close()["encoding"] == other.result["encoding"] == "KOI8-R"
    # A second end changes nothing.
    other.close()
    assert other.result == cchardet.detect(data) and detector.result == chardet.detect(data)


def test_the_end_of_a_block_ends_the_text_and_lets_exceptions_through():
    with pytest.raises(ZeroDivisionError):
        with cchardet.UniversalDetector() as detector:
            assert isinstance(detector, cchardet.UniversalDetector)
            detector.feed(b"abc")
            1 / 0
    assert detector.done and detector.result == {"encoding": "ASCII", "confidence": 1.0}
    detector.reset()
    assert not detector.done and detector.result["encoding"] is None


def test_a_universal_detector_keeps_its_filter_and_its_arguments_after_reset():
    filters = chardet.LanguageFilter
    data = TEXTS["ru"].encode("koi8-r")
    for arguments, expected in [
        ({"include_encodings": ["koi8-u"]}, "koi8-u"),
        ({"exclude_encodings": ["koi8-r"]}, "koi8-u"),
        ({"compat_names": False}, "koi8-r"),
        ({"encoding_era": chardet.EncodingEra.DOS}, "IBM866"),
        ({"include_encodings": ["cp437"], "no_match_encoding": "utf-8"}, "utf-8"),
    ]:
        detector = chardet.UniversalDetector(**arguments)
        assert detector.lang_filter == filters.ALL
        for _ in range(3):
            detector.feed(data)
            assert detector.close()["encoding"] == expected, arguments
            detector.reset()
    detector = chardet.UniversalDetector(filters.CJK, max_bytes=10)
    for _ in range(3):
        assert (detector.lang_filter, detector.done) == (filters.CJK, False)
        detector.feed(data[:6])
        assert not detector.done
        detector.feed(data[6:])
        assert detector.done and detector.close()["encoding"] not in ("KOI8-R", None)
        detector.reset()
    assert (chardet.UniversalDetector.MINIMUM_THRESHOLD, chardet.MINIMUM_THRESHOLD, chardet.DEFAULT_MAX_BYTES) == (0.2, 0.2, 200_000)
    assert cchardet.__version__.startswith("3.") and normalizer.VERSION == normalizer.__version__.split(".") and chardet.VERSION == chardet.__version__.split(".")


def test_submodules_after_install_are_attributes_and_have_their_members():
    program = """
import textcodec.chardet, textcodec.charset_normalizer, textcodec.cchardet
MEMBERS = {
    "chardet": {"enums": "EncodingEra LanguageFilter", "resultdict": "ResultDict", "universaldetector": "UniversalDetector", "version": "__version__ VERSION"},
    "charset_normalizer": {"api": "from_bytes from_fp from_path is_binary", "legacy": "detect ResultDict", "models": "CharsetMatch CharsetMatches", "version": "__version__ VERSION"},
    "cchardet": {"version": "__version__"},
}
import importlib, sys
for name, parts in MEMBERS.items():
    own = importlib.import_module(f"textcodec.{name}")
    assert name not in sys.modules
    own.install()
    assert importlib.import_module(name) is own is sys.modules[name]
    assert name != "chardet" or own.VERSION == sys.modules["chardet.version"].VERSION == ["7", "7", "0"]
    for part, members in parts.items():
        module = importlib.import_module(f"{name}.{part}")
        assert getattr(own, part) is module is sys.modules[f"{name}.{part}"] and module.__name__ == f"{name}.{part}", part
        for member in members.split():
            assert getattr(module, member) is getattr(own, member), member
        own_names = {member for member in vars(module) if not member.startswith("_")} | {member for member in ("__version__",) if hasattr(module, member)}
        assert own_names == set(members.split()), own_names
for version, numbers in [(5, ["5", "2", "0"]), (7, ["7", "7", "0"])]:
    textcodec.chardet.install(version)
    import chardet.version
    assert chardet.VERSION == chardet.version.VERSION == numbers and ".".join(numbers) == chardet.__version__ == chardet.version.__version__
textcodec.chardet.use_version(5)
assert chardet.version.__version__ == "5.2.0" and chardet.version.VERSION == ["5", "2", "0"]
# The module of another package stays as it is.
import types
sys.modules["chardet.version"] = other = types.ModuleType("chardet.version")
other.__version__ = "3.0.4"
textcodec.chardet.use_version(7)
print(other.__version__, textcodec.chardet.__version__)
"""
    assert run(program) == "3.0.4 7.7.0\n"


MORE_TEXTS = {**TEXTS, "el": "Καλημέρα, πώς είστε σήμερα; ", "he": "בוקר טוב, מה שלומך היום? ", "ar": "صباح الخير يا صديقي العزيز كيف حالك ", "lt": "Labas rytas, kaip šiandien sekasi? Žmonės džiaugiasi, ąžuolas "}
# A text and its codec; the name in chardet 7, with a superset and as Python's codec; the same in chardet 5.
NAMES_OF_CHARDET = [
    ("en", "ascii", "ascii", "Windows-1252", "ascii", "ascii", "Windows-1252", "ascii"),
    ("de", "utf-8", "utf-8", "utf-8", "utf-8", "utf-8", "utf-8", "utf-8"),
    ("de", "utf-8-sig", "UTF-8-SIG", "UTF-8-SIG", "utf-8-sig", "UTF-8-SIG", "UTF-8-SIG", "utf-8-sig"),
    ("de", "latin-1", "Windows-1252", "Windows-1252", "cp1252", "ISO-8859-1", "Windows-1252", "iso8859-1"),
    ("fr", "cp1252", "Windows-1252", "Windows-1252", "cp1252", "Windows-1252", "Windows-1252", "cp1252"),
    ("ru", "cp1251", "Windows-1251", "Windows-1251", "cp1251", "windows-1251", "windows-1251", "cp1251"),
    ("ru", "iso8859-5", "ISO-8859-5", "Windows-1251", "iso8859-5", "ISO-8859-5", "ISO-8859-5", "iso8859-5"),
    ("ru", "koi8-r", "KOI8-R", "KOI8-R", "koi8-r", "KOI8-R", "KOI8-R", "koi8-r"),
    ("ru", "cp866", "IBM866", "IBM866", "cp866", "IBM866", "IBM866", "cp866"),
    ("ru", "mac-cyrillic", "MacCyrillic", "MacCyrillic", "mac-cyrillic", "MacCyrillic", "MacCyrillic", "mac-cyrillic"),
    ("ja", "cp932", "CP932", "CP932", "cp932", "SHIFT_JIS", "SHIFT_JIS", "shift_jis"),
    ("ja", "euc-jp", "EUC-JP", "EUC-JP", "euc_jp", "EUC-JP", "EUC-JP", "euc_jp"),
    ("ja", "iso2022-jp", "ISO-2022-JP", "ISO-2022-JP", "iso2022_jp", "ISO-2022-JP", "ISO-2022-JP", "iso2022_jp"),
    ("zh", "gbk", "GB18030", "GB18030", "gb18030", "GB2312", "GB18030", "gb2312"),
    ("zh", "hz", "HZ-GB-2312", "HZ-GB-2312", "hz", "HZ-GB-2312", "HZ-GB-2312", "hz"),
    ("tw", "big5", "Big5", "Big5", "big5", "Big5", "Big5", "big5"),
    ("ko", "cp949", "CP949", "CP949", "cp949", "EUC-KR", "CP949", "euc_kr"),
    ("ko", "iso2022-kr", "ISO-2022-KR", "ISO-2022-KR", "iso2022_kr", "ISO-2022-KR", "ISO-2022-KR", "iso2022_kr"),
    ("th", "cp874", "CP874", "CP874", "cp874", "TIS-620", "ISO-8859-11", "tis-620"),
    ("tr", "cp1254", "Windows-1254", "Windows-1254", "cp1254", "ISO-8859-9", "Windows-1254", "iso8859-9"),
    ("pl", "cp1250", "Windows-1250", "Windows-1250", "cp1250", "windows-1250", "windows-1250", "cp1250"),
    ("pl", "iso8859-2", "ISO-8859-2", "Windows-1250", "iso8859-2", "ISO-8859-2", "ISO-8859-2", "iso8859-2"),
    ("el", "cp1253", "Windows-1253", "Windows-1253", "cp1253", "windows-1253", "windows-1253", "cp1253"),
    ("el", "iso8859-7", "ISO-8859-7", "Windows-1253", "iso8859-7", "ISO-8859-7", "ISO-8859-7", "iso8859-7"),
    ("he", "iso8859-8", "ISO-8859-8", "Windows-1255", "iso8859-8", "ISO-8859-8", "ISO-8859-8", "iso8859-8"),
    ("ar", "iso8859-6", "ISO-8859-6", "Windows-1256", "iso8859-6", "ISO-8859-6", "ISO-8859-6", "iso8859-6"),
    ("lt", "iso8859-13", "ISO-8859-13", "Windows-1257", "iso8859-13", "ISO-8859-13", "ISO-8859-13", "iso8859-13"),
    ("de", "utf-16", "UTF-16", "UTF-16", "utf-16", "UTF-16", "UTF-16", "utf-16"),
    ("ru", "utf-16-le", "utf-16-le", "utf-16-le", "utf-16-le", "utf-16le", "utf-16le", "utf-16-le"),
    ("ru", "utf-16-be", "utf-16-be", "utf-16-be", "utf-16-be", "utf-16be", "utf-16be", "utf-16-be"),
    ("ru", "utf-32", "UTF-32", "UTF-32", "utf-32", "UTF-32", "UTF-32", "utf-32"),
    ("ru", "utf-32-be", "utf-32-be", "utf-32-be", "utf-32-be", "utf-32be", "utf-32be", "utf-32-be"),
    ("de", "utf-7", "utf-7", "utf-7", "utf-7", "utf-7", "utf-7", "utf-7"),
]


@pytest.mark.parametrize(("language", "codec", "name_7", "superset_7", "python_7", "name_5", "superset_5", "python_5"), NAMES_OF_CHARDET)
def test_each_codec_has_its_names_and_its_superset_in_both_versions(language, codec, name_7, superset_7, python_7, name_5, superset_5, python_5):
    data = (MORE_TEXTS[language] * 2).encode(codec)
    # Where the detector finds the code page of Windows, the codec has to be named.
    among = {"include_encodings": [codec]} if codec in ("iso8859-7", "iso8859-8", "iso8859-6", "iso8859-13") else {}
    for version, name, superset, python in [(7, name_7, superset_7, python_7), (5, name_5, superset_5, python_5)]:
        chardet.use_version(version)
        for more, expected in [
            ({}, name),
            ({"prefer_superset": True}, superset),
            ({"should_rename_legacy": True}, superset),
            ({"prefer_superset": True, "should_rename_legacy": True}, superset),
            ({"compat_names": False}, python),
        ]:
            result = chardet.detect(data, **among, **more)
            assert result["encoding"] == expected, (version, more)
            assert result == chardet.detect_all(data, **among, **more)[0]
            detector = chardet.UniversalDetector(**among, **more)
            detector.feed(data)
            assert detector.close() == result
        smaller = chardet.detect(data, compat_names=False, prefer_superset=True, **among)["encoding"]
        assert codecs.lookup(smaller).name == codecs.lookup(superset).name
        assert data.decode(smaller, "strict" if version == 7 else "ignore")


def test_a_superset_takes_the_place_only_if_it_has_all_bytes():
    for codec, name, superset in [("iso8859-2", "ISO-8859-2", "Windows-1250"), ("iso8859-7", "ISO-8859-7", "Windows-1253"), ("iso8859-8", "ISO-8859-8", "Windows-1255")]:
        data = {"iso8859-2": TEXTS["pl"], "iso8859-7": MORE_TEXTS["el"], "iso8859-8": MORE_TEXTS["he"]}[codec].encode(codec)
        # No code page of Windows has a character for this byte.
        for more, expected in [(b"", superset), (b" \x81", name)]:
            assert chardet.detect(data + more, include_encodings=[codec], prefer_superset=True)["encoding"] == expected, (codec, more)


def test_the_language_of_legacy_text_is_that_of_the_detector():
    for text, codec in [
        ("Jeg heter Kåre og jeg er ikke født i går, men på en øy", "latin-1"), ("Rødgrød med fløde", "latin-1"), ("le café naïve", "latin-1"), ("Добро утро, как сте", "cp1251"),
        ("Щебетала пташечка під моїм віконцем", "koi8-u"), ("Über", "latin-1"), ("mañana", "latin-1"), ("你好", "gbk"), ("中文", "big5"), ("Olá, não", "mac-roman"),
        # The letters alone look like those of another language.
        ("Dobrý den, já", "cp1250"), ("Jó napot", "cp1250"), ("Tôi", "cp1258"),
    ]:
        data = text.encode(codec)
        candidate = textcodec.detect(data).candidates[0]
        code, name = candidate.language, candidate.language_name
        assert chardet.detect(data)["language"] == (code and code.split("-")[0]), text
        best = normalizer.from_bytes(data).best()
        assert (best.language, best.languages) == ((name.split(" (")[0], [name.split(" (")[0]]) if name else ("Unknown", [])), text
        chardet.use_version(5)
        assert chardet.detect(data)["language"] == ((name or "").split(" (")[0]), text
        chardet.use_version(7)


@pytest.mark.parametrize("version", [5, 7])
def test_what_competes_is_what_all_arguments_leave(version):
    chardet.use_version(version)
    data, eras = TEXTS["ru"].encode("koi8-r"), chardet.EncodingEra
    for arguments, plain, russian in [
        ({"include_encodings": ["koi8-r"]}, "KOI8-R", "KOI8-R"),
        ({"include_encodings": ["utf-8"]}, "ascii", "utf-8"),
        ({"include_encodings": ["ascii"]}, "ascii", "utf-8"),
        ({"include_encodings": ["ascii", "koi8-r"]}, "ascii", "KOI8-R"),
        ({"exclude_encodings": ["utf-8"]}, {5: "ISO-8859-1", 7: "Windows-1252"}, "KOI8-R"),
        ({"exclude_encodings": ["ascii"]}, {5: "ISO-8859-1", 7: "Windows-1252"}, "KOI8-R"),
        ({"encoding_era": eras.DOS}, "IBM866", "IBM866"),
        ({"encoding_era": eras.DOS | eras.MODERN_WEB}, "ascii", "KOI8-R"),
        ({"include_encodings": ["koi8-r", "cp1251"], "exclude_encodings": ["koi8-r"]}, {5: "windows-1251", 7: "Windows-1251"}, {5: "windows-1251", 7: "Windows-1251"}),
        ({"include_encodings": ["cp866", "koi8-r"], "encoding_era": eras.DOS}, "IBM866", "IBM866"),
        ({"exclude_encodings": ["cp866"], "encoding_era": eras.DOS}, None, None),
        ({"include_encodings": ["cp437"]}, None, None),
        ({"include_encodings": ["cp437"], "exclude_encodings": ["utf-8"]}, None, None),
    ]:
        for text, name in [(b"plain", plain), (data, russian)]:
            name = name[version] if isinstance(name, dict) else name
            result = chardet.detect(text, **arguments)
            if name is None:
                nothing = {"encoding": None, "confidence": 0.0, "language": None}
                assert result == (nothing if version == 5 else {"encoding": "cp1252", "confidence": 0.1, "language": None, "mime_type": "text/plain"})
                assert chardet.detect_all(text, **arguments) == chardet.detect_all(text, True, **arguments) == [result]
            else:
                assert (result["encoding"], result["confidence"] > 0.9) == (name, True), (arguments, text)
    assert len(chardet.detect_all(b"plain", True)) == 1
    # One byte is enough.
    for most in (1, 2, 5):
        assert chardet.detect(b"plain" + data, max_bytes=most) == chardet.detect(b"plain"[:most])


def test_chardet_5_is_done_after_four_bytes_with_a_byte_order_mark():
    chardet.use_version(5)
    for start, name in [
        (b"\xef\xbb\xbfa", "UTF-8-SIG"), (b"\xff\xfea\0", "UTF-16"), (b"\xfe\xff\0a", "UTF-16"), (b"\0\0\xfe\xff", "UTF-32"), (b"\xff\xfe\0\0", None), (b"abcd", None), (b"\xef\xbb\xbf", None),
    ]:
        for size in (1, 2, 3, 4, 5, 8):
            detector = chardet.UniversalDetector()
            data = start + (b"a\0\0\0" if name is None and len(start) == 4 else b"")
            for at in range(0, len(data), size):
                assert not detector.done
                detector.feed(data[at : at + size])
            assert detector.done == (name is not None), (start, size)
            assert detector.result["encoding"] == name
            if name is not None:
                assert detector.result["confidence"] == 1.0
                detector.feed("другое".encode("koi8-r"))
                assert detector.close()["encoding"] == name
    chardet.use_version(7)
    detector = chardet.UniversalDetector()
    detector.feed(b"\xef\xbb\xbfabc")
    assert not detector.done


def test_each_name_of_a_codec_means_the_answers_whose_text_it_has():
    for names, answers in {
        "ascii us-ascii utf-8 utf8 utf-8-sig": "UTF-8", "utf-16": "UTF-16BE UTF-16LE", "utf-16-le": "UTF-16LE", "utf-16-be": "UTF-16BE", "utf-32": "UTF-32BE UTF-32LE", "utf-32-be": "UTF-32BE",
        "gbk gb2312 gb18030": "GBK gb18030", "shift_jis shift_jis_2004 shift_jisx0213 cp932": "Shift_JIS", "euc_jp euc_jisx0213 euc_jis_2004": "EUC-JP",
        "latin-1 iso8859-1 cp1252": "windows-1252", "iso8859-9 cp1254": "windows-1254", "tis-620 cp874": "windows-874", "big5 big5hkscs cp950": "Big5", "euc_kr cp949": "EUC-KR",
        "iso2022_jp iso2022_jp_2 iso2022_jp_ext": "ISO-2022-JP", "iso8859-8": "ISO-8859-8 ISO-8859-8-I", "iso8859-2": "ISO-8859-2 windows-1250", "cp037 cp437": "", "hz": "HZ", "utf-7": "UTF-7",
    }.items():
        for name in names.split():
            for written in (name, name.upper(), name.replace("_", "-")):
                assert _peers.answers_of(written) == set(answers.split()), written


def test_a_warning_lists_the_arguments_that_are_ignored():
    with pytest.warns(UserWarning, match="^detect\\(\\) ignores the arguments first, second$") as caught:
        normalizer.detect(b"a", first=1, second=2)
    # The warning is about the line of the caller.
    assert [warning.filename for warning in caught] == [__file__]
    for function in (chardet.detect, chardet.detect_all):
        for size in (3, 65_535, 65_537):
            with pytest.warns(DeprecationWarning, match="^chunk_size has no effect$") as caught:
                function(b"a", chunk_size=size)
            assert [warning.filename for warning in caught] == [__file__]
        # The size of chardet is no reason for a warning, which would be an error here.
        assert function(b"a", chunk_size=65_536) == function(b"a")


def test_bytes_that_no_code_page_of_python_has_are_named_by_the_codec_that_has_them():
    data = TEXTS["fr"].replace("’", "'").encode("cp1252") + b"\x81"
    assert normalizer.from_bytes(data).best().encoding == "latin_1" and normalizer.detect(data)["encoding"] == "ISO-8859-1"
    assert chardet.detect(data)["encoding"] == "ISO-8859-1" == cchardet.detect(data)["encoding"]
    assert data.decode(chardet.detect(data)["encoding"])


def test_encodings_that_are_known_by_their_structure_compete_only_where_they_are_allowed():
    texts = [TEXTS["ru"].encode("utf-32"), TEXTS["ru"].encode("utf-7"), "这是一个句子".encode("hz"), JPEG, b""]
    koi8 = {"encoding": "KOI8-R", "language": None, "mime_type": "text/plain"}
    wrong = {"encoding": "cp1252", "confidence": 0.1, "language": None, "mime_type": "text/plain"}
    for allowed, expected in [
        (["utf-32"], ["UTF-32", "cp1252", "cp1252", None, "utf-8"]),
        (["utf-7", "hz"], ["cp1252", "utf-7", "HZ-GB-2312", None, "utf-8"]),
        (["koi8-r"], ["KOI8-R", "KOI8-R", "KOI8-R", None, "utf-8"]),
        (["utf-8", "koi8-r"], ["KOI8-R", "ascii", "ascii", None, "utf-8"]),
        (["utf-8"], ["utf-8", "ascii", "ascii", None, "utf-8"]),
    ]:
        for data, name in zip(texts, expected):
            result = chardet.detect(data, include_encodings=allowed)
            assert result["encoding"] == name, (allowed, data[:9])
            assert name != "cp1252" or result == wrong
            assert name != "KOI8-R" or {**result, "confidence": None} == {**koi8, "confidence": None}
            matches = normalizer.from_bytes(data, cp_isolation=allowed)
            # A text in none of the encodings has no match, and neither has binary data.
            assert bool(matches) == (name not in ("cp1252", None)), (allowed, data[:9])
            if matches and data:
                # ASCII has its own name there.
                codec = "ascii" if name == "KOI8-R" and data.isascii() else name
                assert codecs.lookup(matches.best().encoding).name == codecs.lookup(codec).name


def test_the_confidence_is_the_probability_of_the_detector_or_certain():
    for language, codec, *_ in NAMES_OF_CHARDET:
        data = (MORE_TEXTS[language] * 2).encode(codec)
        found = textcodec.detect(data)
        confidence = 1.0 if found.verdict == "ascii" or found.has_bom else found.probability
        for version in (5, 7):
            chardet.use_version(version)
            results = chardet.detect_all(data, True)
            assert results[0]["confidence"] == confidence == cchardet.detect(data)["confidence"], codec
            assert all(0 <= result["confidence"] <= confidence for result in results)
            assert set(results[0]) == {"encoding", "confidence", "language", *(["mime_type"] if version == 7 else [])}
    for data in (b"", JPEG, b"M\xa0\x07\x07"):
        assert cchardet.detect(data) == {"encoding": None, "confidence": None}


def test_a_result_has_the_members_of_its_version_at_every_time():
    none = {"encoding": None, "confidence": 0.0, "language": None}
    for version, before in [(5, none), (7, {**none, "mime_type": None})]:
        chardet.use_version(version)
        detector = chardet.UniversalDetector()
        assert detector.result == before
        detector.feed(b"abc")
        assert detector.result == before and not detector.done
        after = {"encoding": "ascii", "confidence": 1.0, "language": "" if version == 5 else None}
        assert detector.close() == (after if version == 5 else {**after, "mime_type": "text/plain"})
        detector.reset()
        assert detector.result == before
    # Binary data of no known format.
    assert chardet.detect(bytes(range(32)) * 20) == {"encoding": None, "confidence": 1.0, "language": None, "mime_type": "application/octet-stream"}


def test_results_with_one_name_have_the_confidence_of_the_first():
    for text, codec in [("你好", "gbk"), ("中", "gb18030"), ("é", "cp1252"), ("да", "koi8-r"), ("ß", "mac-roman"), ("日", "cp932"), ("ש", "cp1255"), ("ж", "cp866"), ("㐀", "gb18030")]:
        data = text.encode(codec)
        for version in (5, 7):
            chardet.use_version(version)
            results = chardet.detect_all(data, True)
            confidences = [result["confidence"] for result in results]
            assert confidences == sorted(confidences, reverse=True) and len({result["encoding"] for result in results}) == len(results)
            # Each candidate has a result, and the first of those with one name is the most probable.
            assert set(confidences) <= {candidate.probability for candidate in textcodec.detect(data).candidates}


def test_chardet_5_names_the_smaller_codec_only_for_a_text_that_it_has_seen_as_a_whole():
    chardet.use_version(5)
    most = chardet.DEFAULT_MAX_BYTES
    text = ("Grüße aus München. " * 20_000).encode("latin-1")
    for length in (most - 1, most, most + 1):
        for cut in (1, 7, length - 1):
            detector = chardet.UniversalDetector()
            detector.feed(text[:cut])
            detector.feed(text[cut:length])
            assert detector.close()["encoding"] == ("ISO-8859-1" if length <= most else "Windows-1252"), (length, cut)
    # Bytes after the greatest number are not looked at, and the text is not seen as a whole.
    data = "Grüße aus München".encode("latin-1")
    for more in (b"", b"."):
        for at_once in (True, False):
            detector = chardet.UniversalDetector(max_bytes=len(data))
            detector.feed(data + more if at_once else data)
            if not at_once:
                detector.feed(more)
            name = "Windows-1252" if more else "ISO-8859-1"
            assert detector.close()["encoding"] == name == chardet.detect(data + more, max_bytes=len(data))["encoding"], (more, at_once)


def test_data_that_is_text_in_none_of_the_codecs_that_compete_counts_as_binary(tmp_path):
    data = "le café naïve".encode("latin-1")
    path = tmp_path / "text"
    path.write_bytes(data)
    every = [name for names in (*_peers.CODECS.values(), *_peers.NARROW.values()) for name in names if name != "iso2022_cn"]
    for options, is_binary in [({}, False), ({"cp_isolation": ["cp437"]}, True), ({"cp_isolation": ["cp1252"]}, False), ({"cp_exclusion": every}, True), ({"cp_exclusion": ["cp037"]}, False)]:
        for source in (data, bytearray(data), path, str(path)):
            assert normalizer.is_binary(source, **options) is is_binary, options
        for matches in (normalizer.from_bytes(data, **options), normalizer.from_path(path, **options)):
            assert bool(matches) is not is_binary
        with path.open("rb") as file:
            assert normalizer.is_binary(file, **options) is is_binary and not file.closed
            file.seek(0)
            assert bool(normalizer.from_fp(file, **options)) is not is_binary


def languages(data):
    """The language of bytes in chardet 7, in charset-normalizer and in chardet 5."""
    found = [chardet.detect(data)["language"], normalizer.from_bytes(data).best().language, normalizer.detect(data)["language"]]
    chardet.use_version(5)
    found.append(chardet.detect(data)["language"])
    chardet.use_version(7)
    return found


@pytest.mark.parametrize("code", LANGUAGES)
def test_text_in_unicode_has_the_language_of_its_letters_wherever_they_begin(code):
    name, _, text = LANGUAGES[code]
    text, code, name = (text + " ") * 2, code.split("-")[0], name.split(" (")[0]
    for start, in_chardet in [(0, True), (99, True), (101, True), (1000, True), (16_000, True), (16_500, False)]:
        data = b"." * start + text.encode()
        # chardet 5 tells no language of text in Unicode, and of a longer text the start is looked at.
        assert languages(data) == [code if in_chardet else None, name, name, ""], start
    assert languages(text.encode("utf-16"))[:3] == [code, name, name]
    # A malformed sequence does not change the language.
    damaged = text.encode() * 3 + b"\xff" + b"." * 100
    assert textcodec.detect(damaged).verdict == "damaged-utf-8" and languages(damaged) == [code, name, name, ""]
    # A few letters among words without any are enough.
    assert _peers.language_of_text("") == _peers.language_of_text("plain") == _peers.language_of_text("\N{SNOWMAN}") == (None, None)


def test_the_words_before_the_first_letter_count_for_the_language():
    # The letters alone are those of many languages.
    for text, name in [("Das Wetter war in den letzten Tagen nicht sehr gut, aber jetzt ist es sch\xf6n", "German"), ("Il tempo non era molto bello negli ultimi giorni, e la citt\xe0", "Italian")]:
        assert normalizer.from_bytes(text.encode()).best().language == name
        code = {"German": "de", "Italian": "it"}[name]
        assert chardet.detect(text.encode())["language"] == code


def test_encodings_of_one_language_have_that_language():
    for data, code, name in [
        ("这是一个句子".encode("hz"), "zh", "Chinese"), (b"\x1b$)A\x0e<:Ky\x0f", "zh", "Chinese"),
        ("日本語の文章".encode("iso2022_jp"), "ja", "Japanese"), ("한국어 문장".encode("iso2022_kr"), "ko", "Korean"),
    ]:
        assert languages(data) == [code, name, name, name]


@pytest.mark.parametrize("before", ["", "é " * 20])
def test_a_declaration_is_evidence_in_each_form_and_only_at_the_start(before):
    # Both encodings have these letters at the same places.
    text = textcodec.encode("Привет", "koi8-r")
    start = before.encode()
    without = normalizer.from_bytes(start + text).best()
    for declaration in ("charset=koi8-u", "charset = koi8-u", "CHARSET=KOI8-U", "coding: koi8-u", "encoding='koi8-u'", 'encoding = "koi8-u"', "charset=\"koi8-u", "coding          koi8-u"):
        for at, counts in [(0, True), (8192 - len(declaration) - len(start) - 1, True), (8192 - len(start), False)]:
            data = start + b" " * at + declaration.encode() + b" " + text
            best = normalizer.from_bytes(data).best()
            assert best.encoding == ("koi8_u" if counts and not before else without.encoding), (declaration, at)
            ignored = normalizer.from_bytes(data, preemptive_behaviour=False).best()
            assert ignored.encoding == without.encoding
            if counts:
                assert b"utf-8" in best.output()[:9000].lower(), (declaration, at)


# The names that the detectors give, one for each of Python's codecs that they can name. Case matters to programs that
# compare names.
ALL_NAMES = {
    "chardet 7": "Big5 CP874 CP932 CP949 CP950 EUC-JP EUC-KR GB18030 GB2312 HZ-GB-2312 IBM866 ISO-2022-CN ISO-2022-JP ISO-2022-KR ISO-8859-1 ISO-8859-11 ISO-8859-13 ISO-8859-2 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 KOI8-R MacCyrillic MacRoman SHIFT_JIS TIS-620 Windows-1250 Windows-1251 Windows-1252 Windows-1253 Windows-1254 Windows-1255 Windows-1256 Windows-1257 big5hkscs cp1258 euc_jis_2004 iso2022_jp_2 iso2022_jp_ext iso8859-10 iso8859-14 iso8859-15 iso8859-16 iso8859-3 iso8859-4 koi8-u utf-16-be utf-16-le utf-32-be utf-32-le utf-7 utf-8",
    "chardet 5": "Big5 CP874 CP932 CP949 CP950 EUC-JP EUC-KR GB18030 GB2312 HZ-GB-2312 IBM866 ISO-2022-CN ISO-2022-JP ISO-2022-KR ISO-8859-1 ISO-8859-10 ISO-8859-11 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 KOI8-R KOI8-U MacCyrillic MacRoman SHIFT_JIS TIS-620 Windows-1252 Windows-1254 Windows-1256 Windows-1257 big5hkscs euc_jis_2004 iso2022_jp_2 iso2022_jp_ext utf-16be utf-16le utf-32be utf-32le utf-7 utf-8 windows-1250 windows-1251 windows-1253 windows-1255 windows-1258",
    "cchardet": "BIG5 BIG5HKSCS CP874 CP932 CP950 EUC-JP EUC-KR EUC_JIS_2004 GB18030 GB2312 HZ-GB-2312 IBM866 ISO-2022-CN ISO-2022-JP ISO-2022-JP_2 ISO-2022-JP_EXT ISO-2022-KR ISO-8859-1 ISO-8859-10 ISO-8859-11 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 KOI8-R KOI8-U MAC-ROMAN SHIFT_JIS TIS-620 UHC UTF-16BE UTF-16LE UTF-32BE UTF-32LE UTF-7 UTF-8 WINDOWS-1250 WINDOWS-1251 WINDOWS-1252 WINDOWS-1253 WINDOWS-1254 WINDOWS-1255 WINDOWS-1256 WINDOWS-1257 WINDOWS-1258 maccyrillic",
}


def test_every_name_is_written_as_in_the_other_detector():
    codecs_of = [codec for names in (*_peers.CODECS.values(), *_peers.NARROW.values()) for codec in names]
    found = {"chardet 7": lambda codec: chardet._NAMES_7.get(codec, codec), "chardet 5": lambda codec: chardet._NAMES_5.get(codec, codec), "cchardet": cchardet._name}
    for detector, name in found.items():
        assert sorted({name(codec) for codec in codecs_of}) == sorted(ALL_NAMES[detector].split()), detector


@pytest.mark.skipif(importlib.util.find_spec("charset_normalizer") is None, reason="charset-normalizer is not installed")
def test_names_of_codecs_are_those_of_charset_normalizer():
    correspondence = importlib.import_module("charset_normalizer.constant").CHARDET_CORRESPONDENCE
    for codec in {normalizer._codec_name(codec) for names in _peers.CODECS.values() for codec in names}:
        assert normalizer._CHARDET_NAMES.get(codec, codec) == correspondence.get(codec, codec), codec


# Bytes that the first codecs of an answer do not have, and the first one that has them.
WIDER = [
    ("windows-1250", b"\x81", "iso8859-2"), ("windows-1250", b"\x8a", "cp1250"),
    ("windows-1252", b"\x81", "iso8859-1"), ("windows-1252", b"\x80", "cp1252"),
    ("windows-1254", b"\x81", "iso8859-9"), ("windows-874", b"\x81", "iso8859-11"), ("windows-874", b"\x80", "cp874"),
    ("Big5", b"\xa4\xa4", "big5"), ("Big5", b"\xf9\xd6", "cp950"), ("Big5", b"\x88\x62", "big5hkscs"),
    ("EUC-JP", b"\xa4\xa2", "euc_jp"), ("EUC-JP", b"\xad\xa1", "euc_jis_2004"),
    ("ISO-2022-JP", b"\x1b$B$\x22", "iso2022_jp"), ("ISO-2022-JP", b"\x1b$(D0!", "iso2022_jp_2"), ("ISO-2022-JP", b"\x1b(I1", "iso2022_jp_ext"),
]


def test_the_first_codec_that_has_all_bytes_is_named():
    for answer, data, codec in WIDER:
        for more in (b"", b"abc"):
            assert _peers.codec_of(answer, more + data) == codec, (answer, data)
    for answer, names in _peers.CODECS.items():
        assert _peers.codec_of(answer, b"abc") == names[0]
        # For each codec a character that none before it has.
        for place, name in enumerate(names[1:], 1):
            if name.startswith("iso8859"):
                continue
            own = (chr(at) for at in range(0x80, 0x30000) if not 0xD800 <= at < 0xE000)
            for character in own:
                data = character.encode(name, "ignore")
                if data and not any(_peers._decodes(data, other) for other in names[:place]):
                    assert _peers.codec_of(answer, data) == name, (answer, name)
                    break
            else:
                raise AssertionError((answer, name))


def test_the_tables_of_code_pages_are_those_of_chardet():
    pages = {"iso8859-1": "cp1252", "iso8859-2": "cp1250", "iso8859-5": "cp1251", "iso8859-6": "cp1256", "iso8859-7": "cp1253", "iso8859-8": "cp1255", "iso8859-9": "cp1254", "iso8859-13": "cp1257"}
    assert chardet.UniversalDetector.LEGACY_MAP == {**pages, "ascii": "cp1252", "euc_kr": "cp949", "iso8859-11": "cp874", "tis-620": "cp874"}
    assert chardet.UniversalDetector.ISO_WIN_MAP == {name.replace("iso8859", "iso-8859"): page.replace("cp", "Windows-") for name, page in pages.items()}


def test_a_message_names_the_encoding_that_is_unknown():
    for names in (["cp0"], ["cp1252", "cp0"], ["cp0", "cp1252"], iter(["utf-8", "koi8-r", "cp0"])):
        names = list(names)
        for argument in ("cp_isolation", "cp_exclusion"):
            with pytest.raises(ValueError, match="^Unable to retrieve IANA for 'cp0'$"):
                normalizer.from_bytes(b"a", **{argument: names})
        for argument in ("include_encodings", "exclude_encodings"):
            with pytest.raises(ValueError, match=f"^Unknown encoding 'cp0' in {argument}$"):
                chardet.detect(b"a", **{argument: names})


def test_all_results_are_there_if_none_is_probable():
    # Text in many encodings, in none of which it is like the language.
    data = b"\xe0\xdcrx"
    for version in (5, 7):
        chardet.use_version(version)
        every = chardet.detect_all(data, ignore_threshold=True)
        assert len(every) > 3 and max(result["confidence"] for result in every) < chardet.MINIMUM_THRESHOLD
        assert chardet.detect_all(data) == every and chardet.detect(data) == every[0]


@pytest.mark.parametrize("version", [5, 7])
def test_a_detector_answers_about_each_text_as_a_new_one_does(version):
    """Nothing of a text is left after reset, also if it has not ended."""
    chardet.use_version(version)
    texts = [(MORE_TEXTS[language] * 2).encode(codec) for language, codec, *_ in NAMES_OF_CHARDET]
    texts += [b"", JPEG, b"\xe0\xdcrx"]
    one, other = chardet.UniversalDetector(), cchardet.UniversalDetector()
    # Bytes for which smaller codecs are no answers, and more bytes than are kept.
    for before in (TEXTS["fr"].encode("cp1252") + b"\x81", TEXTS["de"].encode("latin-1") * 5000, b"\xef\xbb\xbf", b""):
        for data in texts:
            for has_ended in (True, False):
                for detector in (one, other):
                    detector.reset()
                    detector.feed(before)
                    if has_ended:
                        detector.close()
                    detector.reset()
                    assert not detector.done and detector.result["encoding"] is None
                    detector.feed(data)
                    detector.close()
                assert (one.result, other.result) == (chardet.detect(data), cchardet.detect(data)), (before[:9], data[:9])


def test_the_last_of_the_most_bytes_ends_a_text():
    for version in (5, 7):
        chardet.use_version(version)
        for pieces, done in [((4,), [False]), ((5,), [True]), ((6,), [True]), ((4, 1), [False, True]), ((1, 3, 1), [False, False, True]), ((0, 5), [False, True]), ((4, 0, 2), [False, False, True])]:
            detector = chardet.UniversalDetector(max_bytes=5)
            found = []
            for length in pieces:
                detector.feed(b"a" * length)
                found.append(detector.done)
            assert found == done, pieces


def test_matches_with_a_probability_of_a_hundredth_are_there_and_less_probable_ones_are_not():
    seen = []
    for data in (b"\xf6", b"\xe7\x87", b"ty\xf8", b"ojb\xa7t", b"af\xbd\xe9", b"\x92\xf7gg", b"\xb4\xf6\xd7\xfc", b"\xe0\xdcrx", b"\xa2\xc6\xf6\xdf", "le café".encode("latin-1")):
        groups = {candidate.group: candidate.probability for candidate in textcodec.detect(data).candidates}
        expected = sorted(round(1 - probability, 6) for probability in groups.values() if probability >= 0.01)
        assert [one.chaos for one in normalizer.from_bytes(data)] == expected, data
        seen += groups.values()
    # Some are near the limit, on both sides.
    assert any(0.0095 < probability < 0.01 for probability in seen) and any(0.01 < probability < 0.0105 for probability in seen)


@pytest.mark.skipif(importlib.util.find_spec("charset_normalizer") is None, reason="charset-normalizer is not installed")
def test_signatures_are_those_of_charset_normalizer():
    other = importlib.import_module("charset_normalizer")
    for name in ("from_bytes", "from_fp", "from_path", "is_binary", "detect"):
        own, theirs = (list(inspect.signature(getattr(module, name)).parameters.values()) for module in (normalizer, other))
        assert [(it.name, it.default, it.kind) for it in own] == [(it.name, it.default, it.kind) for it in theirs], name


def test_what_is_excluded_does_not_compete_among_what_is_isolated():
    data = "café à la carte".encode("cp1252")
    options = [{}, {"cp_isolation": ["cp1252", "cp1250"]}, {"cp_isolation": ["cp1252", "cp1250"], "cp_exclusion": ["cp1252"]}]
    assert [normalizer.from_bytes(data, **each).best().encoding for each in options] == ["cp1252", "cp1252", "cp1250"]


def test_a_match_that_was_made_without_languages_has_none():
    payload = "Grüße aus München".encode("cp1252")
    assert match("cp1252", 0.1, payload=payload).languages == [] and match("cp1252", 0.1, payload=payload).language == "Unknown"
    assert normalizer.from_bytes(payload).best().language == "German"
