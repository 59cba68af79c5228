"""Measures the functions of the Python package on adversarial inputs of four lengths: `linear.py BYTES`.

`cargo xtask linear --faces` runs it and judges the lines: the name of a case, the length of its input, and nanoseconds.
"""

import sys
import time

import textcodec
from textcodec import url

LATIN = [b"\xff", b"a\xff", b"\x81\x30", b"\x1b$B", b"<a b='", b"<meta charset='", b"\xc3\x83\xc2\xa9", b"a\r"]
TEXTS = ["\U0010ffff", "a\ud800", "Ã©", "a☃", "\r\n", "%&", "\u202ea", "\u0301\u0323"]


def in_pieces(coder, whole, size):
    """Feeds a coder of a stream with pieces of `size`, and ends the stream."""
    for start in range(0, len(whole), size):
        coder(whole[start : start + size], False)
    coder(whole[:0], True)


def detect_in_pieces(data):
    detector = textcodec.Detector()
    for start in range(0, len(data), 64):
        detector.feed(data[start : start + 64])
    detector.finish()


OF_BYTES = {
    "decode windows-1252": lambda data: textcodec.decode(data, "windows-1252"),
    "decode gb18030": lambda data: textcodec.decode(data, "gb18030"),
    "decode iso-2022-jp ignore": lambda data: textcodec.decode(data, "iso-2022-jp", "ignore"),
    "decode utf-8 of a bytearray": lambda data: textcodec.decode(bytearray(data), "utf-8"),
    "decode utf-8 backslashreplace": lambda data: textcodec.decode(data, "utf-8", "backslashreplace"),
    "decode utf-8 threads": lambda data: textcodec.decode(data, "utf-8", threads=2),
    "decode charset": lambda data: textcodec.decode(data, charset="cp037"),
    "IncrementalDecoder": lambda data: in_pieces(textcodec.IncrementalDecoder("euc-jp").decode, data, 16),
    "html": textcodec.html,
    "xml": textcodec.xml,
    "css": textcodec.css,
    "xhr": textcodec.xhr,
    "ContextDecoder": lambda data: in_pieces(textcodec.ContextDecoder("html").decode, data, 16),
    "detect": textcodec.detect,
    "Detector": detect_in_pieces,
    "check": textcodec.check,
    "repair": textcodec.repair,
    "lookup": lambda data: textcodec.lookup(data.decode("latin-1")),
}

OF_TEXT = {
    "encode windows-1252 replace": lambda text: textcodec.encode(text, "windows-1252", "replace"),
    "encode gb18030 ignore": lambda text: textcodec.encode(text, "gb18030", "ignore"),
    "encode utf-8 xmlcharrefreplace": lambda text: textcodec.encode(text, "utf-8", "xmlcharrefreplace"),
    "encode iso-2022-jp xmlcharrefreplace": lambda text: textcodec.encode(text, "iso-2022-jp", "xmlcharrefreplace"),
    "encode koi8-r backslashreplace": lambda text: textcodec.encode(text, "koi8-r", "backslashreplace"),
    "IncrementalEncoder": lambda text: in_pieces(textcodec.IncrementalEncoder("gbk", "ignore").encode, text, 16),
    "transliterate": lambda text: textcodec.transliterate(text, "windows-1252"),
    "repair of text": textcodec.repair,
    "query": lambda text: url.encode_query(text, "https", "koi8-r"),
}


def nanoseconds(call, argument):
    """The least time of at most three runs, as processors count it, so that other programs matter little."""
    least = None
    for _ in range(3):
        start = time.process_time_ns()
        try:
            call(argument)
        except (ValueError, LookupError, TypeError):
            pass
        spent = time.process_time_ns() - start
        least = min(spent, least or spent)
        if spent > 2_000_000_000:
            break
    return least


def main():
    length = int(sys.argv[1])
    for cases, patterns in ((OF_BYTES, LATIN), (OF_TEXT, TEXTS)):
        for name, call in cases.items():
            for pattern in patterns:
                for times in (1, 2, 4, 8):
                    whole = pattern * (length * times // len(pattern))
                    print(f"Python {name} {ascii(pattern)}\t{len(whole)}\t{nanoseconds(call, whole)}", flush=True)


main()
