"""What the modules in place of other detectors share: the names of Python's codecs for what the detector answers.

Python's codecs are not the Standard's: cp1252 has no character for the byte 81, and gb2312 is a part of gbk. Programs
give the name that a detector returns to Python, so it must be one whose codec decodes the bytes.
"""

from __future__ import annotations

import codecs
import contextlib
import functools
import re

from . import _textcodec

#: The names of Python's codecs for each answer, the preferred one first. The others decode more, if Python's codec is
#: smaller than the Standard's encoding.
CODECS: dict[str, tuple[str, ...]] = {
    "UTF-8": ("utf-8",),
    "IBM866": ("cp866",),
    "ISO-8859-2": ("iso8859-2",),
    "ISO-8859-3": ("iso8859-3",),
    "ISO-8859-4": ("iso8859-4",),
    "ISO-8859-5": ("iso8859-5",),
    "ISO-8859-6": ("iso8859-6",),
    "ISO-8859-7": ("iso8859-7",),
    "ISO-8859-8": ("iso8859-8",),
    "ISO-8859-8-I": ("iso8859-8",),
    "ISO-8859-10": ("iso8859-10",),
    "ISO-8859-13": ("iso8859-13",),
    "ISO-8859-14": ("iso8859-14",),
    "ISO-8859-15": ("iso8859-15",),
    "ISO-8859-16": ("iso8859-16",),
    "KOI8-R": ("koi8-r",),
    "KOI8-U": ("koi8-u",),
    "macintosh": ("mac-roman",),
    "windows-874": ("cp874", "iso8859-11"),
    "windows-1250": ("cp1250", "iso8859-2"),
    "windows-1251": ("cp1251",),
    "windows-1252": ("cp1252", "iso8859-1"),
    "windows-1253": ("cp1253",),
    "windows-1254": ("cp1254", "iso8859-9"),
    "windows-1255": ("cp1255",),
    "windows-1256": ("cp1256",),
    "windows-1257": ("cp1257",),
    "windows-1258": ("cp1258",),
    "x-mac-cyrillic": ("mac-cyrillic",),
    "GBK": ("gb18030",),
    "gb18030": ("gb18030",),
    "Big5": ("big5", "cp950", "big5hkscs"),
    "EUC-JP": ("euc_jp", "euc_jis_2004"),
    "ISO-2022-JP": ("iso2022_jp", "iso2022_jp_2", "iso2022_jp_ext"),
    "Shift_JIS": ("cp932",),
    "EUC-KR": ("cp949",),
    "UTF-16BE": ("utf-16-be",),
    "UTF-16LE": ("utf-16-le",),
    "UTF-32BE": ("utf-32-be",),
    "UTF-32LE": ("utf-32-le",),
    "UTF-7": ("utf-7",),
    "HZ": ("hz",),
    "ISO-2022-KR": ("iso2022_kr",),
    # Python has no codec of it.
    "ISO-2022-CN": ("iso2022_cn",),
}

#: Names that older detectors prefer, if the bytes are all right in them: they are the same text.
NARROW: dict[str, tuple[str, ...]] = {
    "windows-1252": ("iso8859-1",),
    "windows-1254": ("iso8859-9",),
    "windows-874": ("tis-620",),
    "GBK": ("gb2312",),
    "gb18030": ("gb2312",),
    "EUC-KR": ("euc_kr",),
    "Shift_JIS": ("shift_jis",),
}

#: The languages of encodings that the detector knows by their structure.
_ONLY_LANGUAGES: dict[str, tuple[str, str]] = {
    "HZ": ("zh", "Chinese"),
    "ISO-2022-CN": ("zh", "Chinese"),
    "ISO-2022-JP": ("ja", "Japanese"),
    "ISO-2022-KR": ("ko", "Korean"),
}

#: Bytes that are control characters in ISO-8859.
_C1 = re.compile(b"[\x80-\x9f]")

#: The formats of binary data and their media types.
MEDIA_TYPES: dict[str, str] = {
    "jpeg": "image/jpeg",
    "png": "image/png",
    "gif": "image/gif",
    "webp": "image/webp",
    "tiff": "image/tiff",
    "icon": "image/vnd.microsoft.icon",
    "pdf": "application/pdf",
    "zip": "application/zip",
    "gzip": "application/gzip",
    "bzip2": "application/x-bzip2",
    "xz": "application/x-xz",
    "zstandard": "application/zstd",
    "sevenzip": "application/x-7z-compressed",
    "rar": "application/vnd.rar",
    "elf": "application/x-elf",
    "macho": "application/x-mach-binary",
    "windowsexecutable": "application/vnd.microsoft.portable-executable",
    "javaclass": "application/java-vm",
    "webassembly": "application/wasm",
    "sqlite": "application/x-sqlite3",
    "woff": "font/woff",
    "font": "font/sfnt",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "ogg": "audio/ogg",
    "flac": "audio/flac",
    "wave": "audio/wav",
    "avi": "video/x-msvideo",
    "matroska": "video/matroska",
    "oledocument": "application/x-ole-storage",
}


#: Encodings that have the letters of nearly all languages that the detector knows, and their bytes for each letter.
_ALPHABETS: dict[str, int] = {
    **dict.fromkeys(("windows-1252", "windows-1250", "windows-1251", "windows-1253", "windows-1254"), 1),
    **dict.fromkeys(("windows-1255", "windows-1256", "windows-1257", "windows-1258", "windows-874"), 1),
    **dict.fromkeys(("shift_jis", "big5", "gbk", "euc-kr"), 2),
}
_NOT_ASCII = re.compile("[^\0-\x7f]")
_KANA = re.compile("[\u3041-\u30fe]")


def language_of_text(text: str) -> tuple[str | None, str | None]:
    """The code and the English name of the language of a text that was decoded. The detector knows languages only by
    their legacy encodings, so it gets the text in the one that has most of its letters."""
    first = _NOT_ASCII.search(text)
    if first is None:
        return None, None
    # Few letters are enough, and a text in UTF-8 is recognised so fast that more of them would take most of the time.
    text = text[max(first.start() - 100, 0) : first.start() + 400]
    letters = "".join(_NOT_ASCII.findall(text)[:64])
    # Chinese has characters of Japanese, but no kana.
    labels = [label for label in _ALPHABETS if label != "shift_jis" or _KANA.search(letters)]
    label = max(labels, key=lambda label: len(_textcodec.encode(letters, label, "ignore")) // _ALPHABETS[label])
    data = _textcodec.encode(text, label, "ignore")
    if data.isascii():
        return None, None
    found = _textcodec.detect(data, among=label).candidates
    return language_of(found[0]) if found else (None, None)


def language_of(candidate: _textcodec.Candidate) -> tuple[str | None, str | None]:
    """The code and the English name of a candidate's language, or of the only language of its encoding. Other detectors
    name both kinds of Chinese alike."""
    if candidate.language is None or candidate.language_name is None:
        return _ONLY_LANGUAGES.get(candidate.name, (None, None))
    return candidate.language.split("-")[0], candidate.language_name.split(" (")[0]


def _decodes(data: bytes, codec: str) -> bool:
    """Whether Python's codec decodes the bytes to no control characters of ISO-8859. A character that the end cuts off
    is no error."""
    try:
        codecs.getincrementaldecoder(codec)().decode(data)
    except (LookupError, UnicodeError):
        return False
    return not codec.startswith(("iso8859", "tis")) or not _C1.search(data)


def codec_of(answer: str, data: bytes, narrow: bool = False) -> str:
    """The name of the codec for an answer about `data`. With `narrow`, it is the smallest one that decodes them."""
    names = CODECS.get(answer, (answer.lower(),))
    for name in NARROW.get(answer, ()) if narrow else ():
        if _decodes(data, name):
            return name
    return names[0] if len(names) == 1 else next((name for name in names if _decodes(data, name)), names[-1])


@functools.cache
def _answers() -> dict[str, frozenset[str]]:
    """The answers for the canonical name of each of Python's codecs."""
    answers = {
        "ascii": {"UTF-8"},
        "utf-8-sig": {"UTF-8"},
        "utf-16": {"UTF-16LE", "UTF-16BE"},
        "utf-32": {"UTF-32LE", "UTF-32BE"},
        "gbk": {"GBK", "gb18030"},
        "shift_jis_2004": {"Shift_JIS"},
        "shift_jisx0213": {"Shift_JIS"},
        "euc_jisx0213": {"EUC-JP"},
    }
    for table in (CODECS, NARROW):
        for answer, names in table.items():
            for name in names:
                with contextlib.suppress(LookupError):
                    answers.setdefault(codecs.lookup(name).name, set()).add(answer)
    return {name: frozenset(meant) for name, meant in answers.items()}


def answers_of(name: str) -> frozenset[str]:
    """The answers of the detector that the name of a codec of Python means. Empty if the detector does not know it.

    Raises LookupError if Python has no such codec.
    """
    return _answers().get(codecs.lookup(name).name, frozenset())


class Search:
    """A search for the encoding of a text among some answers; among all if `allowed` is None. `declared` is a label
    that the text names."""

    def __init__(self, allowed: frozenset[str] | None = None, declared: str | None = None) -> None:
        self._allowed = allowed
        self._all = _textcodec.Detector(declared=declared)
        labels = [encoding for encoding in _textcodec.ENCODINGS if allowed is not None and encoding.name in allowed]
        self._among = _textcodec.Detector(among=labels, declared=declared) if labels else None

    def feed(self, data: bytes | bytearray | memoryview) -> None:
        """Looks at the next bytes."""
        self._all.feed(data)
        if self._among is not None:
            self._among.feed(data)

    def begins_with_bom(self) -> bool:
        """Whether the bytes so far begin with a byte order mark."""
        return self._all.best_so_far().has_bom

    def finish(self) -> _textcodec.Detection | None:
        """What the text is; None if it is text in none of the encodings that are allowed."""
        found = self._all.finish()
        if self._allowed is None or found.verdict in ("empty", "binary", "mixed"):
            return found
        if found.encoding is None and found.name in self._allowed:
            # The detector knows this encoding by its structure, and has no label for it.
            return found
        return None if self._among is None else self._among.finish()
