#!/usr/bin/env python3
"""Writes glibc.tsv, icu.tsv and windows.tsv: byte sequences that a system decodes to other characters than the Encoding
Standard.

Usage: collect.py TABLE, where TABLE is the output of `cargo run -p textcodec-site -- --table`: encoding, tab, sequence
in hex digits, tab, code points or "-". It needs iconv of the GNU C library, libicuuc of ICU 72, and the tables of
Wine's package (c_932.nls and so on), which hold what Windows itself answers.
"""

import ctypes
import itertools
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).parent
NLS = pathlib.Path("/usr/share/wine/nls")
LIBC = ctypes.CDLL("libc.so.6", use_errno=True)
LIBC.iconv_open.restype = ctypes.c_void_p
LIBC.iconv.argtypes = [ctypes.c_void_p] + [ctypes.c_void_p] * 4
LIBC.iconv.restype = ctypes.c_size_t

GLIBC = {
    "GBK": "GBK", "gb18030": "GB18030", "Big5": "BIG5", "EUC-JP": "EUC-JP", "Shift_JIS": "SHIFT_JIS", "EUC-KR": "EUC-KR",
    "ISO-8859-8-I": "ISO-8859-8", "x-mac-cyrillic": "MAC-CYRILLIC", "windows-874": "CP874", "macintosh": "MACINTOSH",
}
ICU = {
    "GBK": "GBK", "gb18030": "gb18030", "Big5": "Big5", "EUC-JP": "EUC-JP", "Shift_JIS": "Shift_JIS", "EUC-KR": "EUC-KR",
    "ISO-8859-8-I": "ISO-8859-8-I", "x-mac-cyrillic": "x-mac-cyrillic", "macintosh": "macintosh",
}
WINDOWS = {
    "GBK": 936, "Big5": 950, "Shift_JIS": 932, "EUC-KR": 949, "IBM866": 866, "KOI8-R": 20866, "KOI8-U": 21866, "macintosh": 10000,
    "x-mac-cyrillic": 10007, "windows-874": 874, **{f"windows-125{n}": 1250 + n for n in range(9)},
    **{f"ISO-8859-{n}": 28590 + n for n in (2, 3, 4, 5, 6, 7, 8, 13, 15)}, "EUC-JP": 20932,
}


def glibc(name):
    """A function that decodes a sequence with iconv; None if iconv has no such encoding."""
    handle = LIBC.iconv_open(b"UTF-32LE", name.encode())
    if handle in (None, ctypes.c_void_p(-1).value):
        return None

    source, target = ctypes.create_string_buffer(64), ctypes.create_string_buffer(64)

    def decode(sequence):
        ctypes.memmove(source, sequence, len(sequence))
        at = ctypes.c_void_p(ctypes.addressof(source))
        to = ctypes.c_void_p(ctypes.addressof(target))
        left, space = ctypes.c_size_t(len(sequence)), ctypes.c_size_t(64)
        LIBC.iconv(handle, None, None, None, None)
        status = LIBC.iconv(handle, ctypes.byref(at), ctypes.byref(left), ctypes.byref(to), ctypes.byref(space))
        LIBC.iconv(handle, None, None, ctypes.byref(to), ctypes.byref(space))
        if status == ctypes.c_size_t(-1).value or left.value:
            return ""
        return target.raw[: 64 - space.value].decode("utf-32-le")

    return decode


def icu(name):
    """A function that decodes a sequence with ICU; None if ICU has no such encoding."""
    library = ctypes.CDLL("libicuuc.so.72")
    library.ucnv_open_72.restype = ctypes.c_void_p
    error = ctypes.c_int(0)
    converter = ctypes.c_void_p(library.ucnv_open_72(name.encode(), ctypes.byref(error)))
    if error.value > 0:
        return None
    stop = ctypes.cast(library.UCNV_TO_U_CALLBACK_STOP_72, ctypes.c_void_p)
    library.ucnv_setToUCallBack_72(converter, stop, None, None, None, ctypes.byref(error))

    target = ctypes.create_string_buffer(64)

    def decode(sequence):
        error = ctypes.c_int(0)
        count = library.ucnv_toUChars_72(converter, target, 32, sequence, len(sequence), ctypes.byref(error))
        return "" if error.value > 0 else target.raw[: 2 * count].decode("utf-16-le", "surrogatepass")

    return decode


def windows(page):
    """A function that decodes a sequence with the table of a code page; None if there is no such table."""
    path = NLS / f"c_{page}.nls"
    if not path.exists():
        return None
    words = struct.unpack(f"<{path.stat().st_size // 2}H", path.read_bytes())
    size = words[2]
    default = words[4]
    base = words[0] + 1
    table = words[base : base + 256]
    glyphs = base + 256
    leads = glyphs + 1 + (256 if words[glyphs] else 0)
    offsets = words[leads + 1 : leads + 257] if words[leads] else None
    bad = "" if size == 1 else chr(default)

    def decode(sequence):
        if page == 20932 and len(sequence) == 3:
            return None
        if len(sequence) > 2:
            return ""
        if offsets and offsets[sequence[0]]:
            if len(sequence) < 2:
                return ""
            unit = words[leads + 1 + offsets[sequence[0]] + sequence[1]]
            return "" if chr(unit) == bad else chr(unit)
        return chr(table[sequence[0]]) if len(sequence) == 1 else ""

    return decode


def points(text):
    return " ".join(f"U+{ord(character):04X}" for character in text) or "–"


def rows(standard, decode):
    """Runs of sequences that differ in the same way: first, last, count, and the two texts of the first."""
    runs = []
    previous = None
    for sequence, text in standard:
        theirs = decode(bytes.fromhex(sequence))
        if theirs is None or theirs == text:
            previous = None
            continue
        kind = (len(sequence), sequence[:2] if 2 < len(sequence) < 8 else "", bool(text), bool(theirs))
        private = theirs and all(0xE000 <= ord(c) <= 0xF8FF for c in theirs) and 0xE000 <= ord(theirs[0])
        control = theirs and ord(theirs[0]) < 0xA0
        kind += (bool(private), bool(control))
        if previous == kind and (not theirs or private or control):
            runs[-1][1] = sequence
            runs[-1][2] += 1
        else:
            runs.append([sequence, sequence, 1, points(text), points(theirs)])
            previous = kind
    return runs


def main():
    version = ctypes.CDLL("libc.so.6").gnu_get_libc_version
    version.restype = ctypes.c_char_p
    systems = [
        ("glibc", f"iconv of the GNU C library {version().decode()}", lambda name: GLIBC.get(name, name.replace("windows-", "CP")), glibc),
        ("icu", "the converters of ICU 72", lambda name: ICU.get(name, name), icu),
        ("windows", "the tables of Windows' code pages, as in the package of Wine 8.0", lambda name: WINDOWS.get(name), windows),
    ]
    files = {file: [f"# Compared by xtask/site/facts/collect.py with {source}."] for file, source, _, _ in systems}
    with open(sys.argv[1]) as table:
        for name, lines in itertools.groupby((line.rstrip("\n").split("\t") for line in table), lambda columns: columns[0]):
            standard = [(sequence, "" if text == "-" else "".join(chr(int(p, 16)) for p in text.split())) for _, sequence, text in lines]
            for file, _, their_name, system in systems:
                theirs = their_name(name)
                decode = theirs and system(theirs)
                if not decode:
                    continue
                shown = f"code page {theirs}" if isinstance(theirs, int) else theirs
                files[file].append(f"encoding\t{name}\t{shown}\t{len(standard)}")
                files[file] += ["\t".join(map(str, row)) for row in rows(standard, decode)]
    for file, lines in files.items():
        (HERE / f"{file}.tsv").write_text("\n".join(lines) + "\n")


main()
